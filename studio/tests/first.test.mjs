// What a newcomer does first, with files of others: a part of a character made soft, played and seen, its size put right.
// Mouse and keyboard only.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { assetFolder, succeed, withFolder } from '../../tests/node/pliant.mjs';
import { meshPaths } from './meshes.mjs';
import { launch, until, useStudio } from './page.mjs';

const KNIGHT = join(assetFolder(), 'characters/KayKit_Knight.glb');
const hasKnight = existsSync(KNIGHT);

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());

const positions = (studio) => studio.page.evaluate(() => Array.from(window.studio.loop.last.positions));
const restPositions = (studio) => studio.page.evaluate(async () =>
    Array.from(await window.studio.engine.view(1))); // View.positions

// Of a part of the document: how far its vertices are from where they were, the farthest.
function farthest(rest, now, first, count) {
    let most = 0;
    for (let i = 3 * first; i < 3 * (first + count); ++i) most = Math.max(most, Math.abs(now[i] - rest[i]));
    return most;
}

// Watches each frame that is shown from now on: where its bodies' vertices were on the canvas.
const watch = (studio) => studio.page.evaluate(() => {
    const { app } = window.studio;
    const box = app.view.element.getBoundingClientRect();
    const isWatched = window.seen !== undefined;
    window.seen = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    if (!isWatched) app.loop.framed.on((frame) => {
        const { seen } = window;
        const { eye, target, verticalFov } = app.view.camera();
        const minus = (a, b) => a.map((x, i) => x - b[i]);
        const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
        const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
        const unit = (a) => a.map((x) => x / Math.hypot(...a));
        const forward = unit(minus(target, eye)), right = unit(cross(forward, [0, 1, 0])), up = cross(right, forward);
        for (let i = 0; i < frame.positions.length; i += 3) {
            const way = minus(Array.from(frame.positions.subarray(i, i + 3)), eye);
            const scale = box.height / 2 / Math.tan(verticalFov / 2) / dot(way, forward);
            const x = box.width / 2 + scale * dot(way, right), y = box.height / 2 - scale * dot(way, up);
            seen.left = Math.min(seen.left, x);
            seen.right = Math.max(seen.right, x);
            seen.top = Math.min(seen.top, y);
            seen.bottom = Math.max(seen.bottom, y);
        }
    });
});

// What part of the canvas was taken since it is watched, and what is free.
async function seenBy(studio) {
    const seen = await studio.page.evaluate(() => window.seen);
    const { width, y } = await studio.canvas();
    const bar = await studio.page.locator('.playbar').boundingBox();
    return { ...seen, width, free: bar.y - y };
}

// Lets it play to a step and says the same of what was seen until then.
async function seenTo(studio, steps) {
    await watch(studio);
    await studio.playTo(steps);
    return seenBy(studio);
}

function checkInside(name, { left, right, top, bottom, width, free }) {
    assert.ok(left < right && top < bottom, `${name}: nothing was seen`);
    assert.ok(left >= 0 && right <= width, `${name}: from ${left} to ${right} of ${width}`);
    assert.ok(top >= 0 && bottom <= free, `${name}: from ${top} to ${bottom} of ${free}`);
}

test('Space plays all of it, as a mesh; I looks inside', async () => {
    await withFolder(async (folder) => {
        const paths = await meshPaths(browser, folder, ['static/spot.obj'], 'octopus');
        await useStudio(browser, async (studio) => {
            await studio.open(...paths);
            const look = () => studio.page.evaluate(() => structuredClone(window.studio.app.shown));
            const camera = () => studio.page.evaluate(() => window.studio.view.camera());
            const authored = await look();
            assert.ok(authored.ellipsoids.shown && authored.mesh.opacity < 1);
            const own = await camera();
            await studio.simulate();
            checkInside('spot', await seenTo(studio, 120));
            assert.deepEqual([(await look()).ellipsoids.shown, (await look()).mesh], [false, { shown: true, opacity: 1 }]);
            await studio.page.keyboard.press('i');
            assert.ok((await look()).ellipsoids.shown);
            await studio.action('inside').click();
            assert.equal((await look()).ellipsoids.shown, false);

            // A camera that was moved by hand stays.
            const { x, y, width, height } = await studio.canvas();
            await studio.page.mouse.move(x + width / 2, y + height / 2);
            const placed = await camera();
            await studio.page.mouse.wheel(0, -2000);
            await studio.page.waitForFunction((before) => { // a step of the wheel takes some frames
                const last = window.cameraBefore;
                window.cameraBefore = JSON.stringify(window.studio.view.camera());
                return window.cameraBefore === last && last !== before;
            }, JSON.stringify(placed));
            const near = await camera();
            await studio.playTo((await studio.page.evaluate(() => window.studio.loop.last.steps)) + 10);
            assert.deepEqual(await camera(), near);
            await studio.page.keyboard.press('Home');
            assert.notDeepEqual(await camera(), near);

            await studio.simulate();
            assert.deepEqual(await look(), authored);
            assert.deepEqual(await camera(), own);
            await studio.page.keyboard.press('?');
            assert.match(await studio.page.locator('[data-dialog="help"]').textContent(), /Look inside/);
        });
    });
});

test('what moves through a scene stays in the picture', async () => {
    await useStudio(browser, async (studio) => {
        for (const name of ['cart', 'crash', 'truck', 'marbles']) {
            const { steps } = JSON.parse(succeed('run', name, '--json'));
            await studio.scene(name);
            checkInside(name, await seenTo(studio, steps));
        }
    });
});

// Of a document, the part of that name.
function partOf({ parts, vertices }, name) {
    const index = parts.findIndex((part) => part.name === name);
    return { index, others: (vertices - parts[index].vertices).toLocaleString('en-US') };
}

// Plays for a second, in which one part moves by at least so much at some time, and no other at all.
async function checkMoves(studio, { parts }, index, rest, least) {
    await studio.page.evaluate(([all, places]) => {
        window.moved = all.map(() => 0);
        window.studio.loop.framed.on(({ steps, positions: now }) => all.forEach(({ firstVertex, vertices }, part) => {
            for (let i = 3 * firstVertex; steps <= 60 && i < 3 * (firstVertex + vertices); ++i)
                window.moved[part] = Math.max(window.moved[part], Math.abs(now[i] - places[i]));
        }));
    }, [parts, rest]);
    await studio.simulate();
    await studio.playTo(60);
    const moved = await studio.page.evaluate(() => window.moved);
    parts.forEach(({ name }, i) => { if (i !== index) assert.equal(moved[i], 0, name); });
    assert.ok(moved[index] > least, `${parts[index].name} moves by ${moved[index]} m`);
}

test('the cape of a knight lives after three actions', { skip: !hasKnight && 'needs the characters' }, async () => {
    await useStudio(browser, async (studio) => {
        const { document } = await studio.open(KNIGHT);
        const rest = await restPositions(studio);
        const { index, others } = partOf(document, 'Knight_Cape');
        const rebuild = studio.action('auto.apply');
        const name = studio.page.locator(`[data-part="${index}"]`);
        await name.scrollIntoViewIfNeeded();
        await studio.closeToasts('note');
        const clip = await studio.canvas();
        const plain = await studio.stillPicture(clip);
        await name.hover();
        await until(async () => !plain.equals(await studio.page.screenshot({ clip })),
            'the part below the pointer is marked in the view');
        await studio.change(() => name.click());
        assert.match(await rebuild.textContent(), /^Rebuild with \d+ selected vertices/);
        const made = await studio.change(() => studio.page.keyboard.press('a'));
        await checkMoves(studio, document, index, rest, 0.02);
        assert.deepEqual([made.document.live, made.history.labels.at(-1)], ['hang', 'Automatic']);
        assert.equal((await studio.state()).stage.title, 'KayKit_Knight on the ground');
        assert.ok((await studio.toasts('note')).includes(
            `${others} vertices stay where they are: nothing was made for them.`));
        assert.equal(await studio.page.locator('.tip.shown').count(), 0, 'the pointer rests where other things are now');
        checkInside('knight', await seenTo(studio, 120));

        // Without a selection it is all of him again.
        await studio.simulate();
        await studio.change(() => studio.page.keyboard.press('Control+d'));
        assert.match(await rebuild.textContent(), /^Rebuild(?! with)/);
        assert.equal((await studio.change(() => studio.page.keyboard.press('a'))).document.unbound, 0);
    });
});

test('of a knight only his cape moves', { skip: !hasKnight && 'needs the characters' }, async () => {
    await useStudio(browser, async (studio) => {
        const { document } = await studio.open(KNIGHT);
        const rest = await restPositions(studio);
        const { index, others } = partOf(document, 'Knight_Cape');
        await studio.tool('select');
        await studio.change(() => studio.page.locator(`[data-part="${index}"]`).click());
        await studio.tool('slice');
        await studio.change(() => studio.page.keyboard.press('Enter'));
        await checkMoves(studio, document, index, rest, 0.05);
        assert.ok((await studio.toasts('note')).includes(
            `${others} vertices stay where they are: nothing was made for them.`));

        // So it does outside.
        await studio.simulate();
        await studio.action('export').click();
        const model = await studio.download(() => studio.action('export.model').click());
        const info = JSON.parse(succeed('info', model, '--json'));
        assert.equal(info.model.particles, (await studio.state()).document.particles + 1);
        assert.match(succeed('run', model, '--seconds', '1', '--hash').trim(), /^[0-9a-f]{16}$/);
    });
});

const FOX = join(assetFolder(), 'characters/Fox.glb');

test('a fox in centimetres is asked about, and then moves', { skip: !existsSync(FOX) && 'needs the characters' }, async () => {
    await useStudio(browser, async (studio) => {
        const { document } = await studio.open(FOX);
        assert.ok(document.size > 100, `${document.size} m`);
        const card = studio.page.locator('[data-panel="size"]');
        assert.match(await card.textContent(), /^15\d m long: centimetres\?× 0\.01Keep 15\d m$/);
        const scaled = await studio.press('size.accept');
        assert.ok(Math.abs(scaled.document.size / document.size - 0.01) < 1e-6, `${scaled.document.size} m`);
        assert.equal(scaled.document.particles, document.particles);
        assert.equal(scaled.history.labels.at(-1), 'Scale × 0.01');
        assert.equal(await card.isVisible(), false);
        await studio.simulate();
        await studio.pauseAtBegin();
        const start = await positions(studio);
        await watch(studio);
        await studio.stepTo(60);
        checkInside('fox', await seenBy(studio));
        const moved = farthest(start, await positions(studio), 0, document.vertices);
        assert.ok(moved > 0.05 * scaled.document.size, `in a second it moved ${moved} m`);

        // Undo brings the large one back, and nobody asks again.
        await studio.simulate();
        const back = await studio.press('undo');
        assert.equal(back.document.size, document.size);
        assert.equal(await card.isVisible(), false);
    });
});

test('a size that is kept is not asked about again; Scale makes another', async () => {
    await withFolder(async (folder) => {
        const path = join(folder, 'box.obj');
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${i & 1} ${(i >> 1) & 1} ${0.02 * (i >> 2)}`);
        const faces = ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'].map((face) => `f ${face}`);
        const box = (size) => writeFileSync(path, [...corners.map((line) => line.replace(/[\d.]+/g, (x) => x * size)), ...faces]
            .join('\n'));
        await useStudio(browser, async (studio) => {
            const card = studio.page.locator('[data-panel="size"]');
            box(1);
            await studio.open(path);
            assert.equal(await card.isVisible(), false, 'a metre is no question');
            box(0.02);
            const { document } = await studio.open(path);
            assert.match(await card.textContent(), /^2 cm long: too small\?× 100Keep 2 cm$/);
            await studio.action('size.keep').click();
            assert.equal(await card.isVisible(), false);
            await studio.simulate();
            await studio.simulate();
            assert.equal(await card.isVisible(), false);
            await studio.number('body.scale', '5*2');
            assert.equal(await studio.action('body.scale').textContent(), 'Make it 20 cm long');
            const scaled = await studio.press('body.scale');
            assert.ok(Math.abs(scaled.document.size - 10 * document.size) < 1e-6);
            assert.ok(Math.abs(scaled.document.spacing / document.spacing - 10) < 1e-3);
            await studio.page.waitForFunction(() =>
                document.querySelector('[data-number="body.scale"] input').value === '1');
            const path2 = await studio.download(() => studio.page.keyboard.press('Control+s'));
            assert.ok(Math.abs(JSON.parse(succeed('info', path2, '--json')).size - 0.2) < 1e-6);
        });
    });
});
