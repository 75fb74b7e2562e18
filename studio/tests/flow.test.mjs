// From a mesh to a model that lives, in the page as a user does it; and back after a reload, and out to the command line.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { problems } from '../../tests/node/gltf.mjs';
import { succeed, withFolder } from '../../tests/node/pliant.mjs';
import { meshPaths } from './meshes.mjs';
import { launch, useStudio } from './page.mjs';

const STEPS = 120; // 2 s

// All but what is another number each time.
const comparable = ({ document, history }) => ({ history, document: { ...document, revision: 0 } });

async function author(studio) {
    await studio.tool('spray');
    await studio.number('spray.count', 300);
    let { document } = await studio.press('spray.apply');
    assert.ok(document.particles >= 240 && document.particles <= 360, `${document.particles} particles`);

    await studio.tool('edges');
    ({ document } = await studio.press('edges.apply'));
    assert.ok(document.edges > document.particles, `${document.edges} edges`);

    await studio.tool('fit');
    await studio.press('fit.apply');
    await studio.tool('bind');
    ({ document } = await studio.press('bind.apply'));
    assert.equal(document.unbound, 0);

    await studio.tool('mass');
    await studio.press('mass.apply');
    await studio.tool('paint');
    await studio.number('paint.value', 0.4);
    await studio.press('paint.apply');
    return studio.state();
}

// Entries of the history that leave the model as it is.
async function selectThisAndThat(studio) {
    await studio.tool('select');
    await studio.choose('select.what', 'particles');
    for (const action of ['select.all', 'select.invert', 'select.all', 'select.none']) await studio.press(action);
}

// A particle at the end of a limb that can be seen: as far as possible from the middle of the picture.
async function limbEnd(studio) {
    const poses = await studio.page.evaluate(() => Array.from(window.studio.loop.last.poses));
    const { width, height, x, y } = await studio.canvas();
    const distance = (pixel) => Math.hypot(pixel.x - (x + width / 2), pixel.y - (y + height / 2));
    const isSeen = (pixel) => studio.page.evaluate(({ x: px, y: py }) =>
        document.elementFromPoint(px, py)?.tagName === 'CANVAS', pixel);
    const all = await Promise.all(Array.from({ length: poses.length / 7 }, async (_, particle) =>
        ({ particle, pixel: await studio.pixelOf(poses.slice(7 * particle, 7 * particle + 3)) })));
    all.sort((a, b) => distance(b.pixel) - distance(a.pixel));
    for (const one of all) if (await isSeen(one.pixel)) return one;
    throw new Error('no particle is seen');
}

// Takes hold of a limb of the paused scene, lets it play and lifts the limb.
async function dragLimb(studio) {
    const { particle, pixel } = await limbEnd(studio);
    const { mouse, keyboard } = studio.page;
    await mouse.move(pixel.x, pixel.y);
    await mouse.down();
    await studio.page.locator('.grabs').waitFor();
    const height = await studio.page.evaluate((i) => window.studio.loop.last.poses[7 * i + 1], particle);
    await keyboard.press('k');
    await mouse.move(pixel.x, pixel.y - 150, { steps: 10 });
    await studio.page.waitForFunction(([i, least]) => window.studio.loop.last.poses[7 * i + 1] > least,
        [particle, height + 0.02]);
    await mouse.up();
    await studio.page.waitForFunction(() => !document.querySelector('.grabs'));
}

test('a mesh becomes a model that moves, comes back after a reload and runs outside', async () => {
    const browser = await launch();
    try {
        await withFolder(async (folder) => {
            const paths = await meshPaths(browser, folder, ['static/octopus.glb'], 'octopus');
            await useStudio(browser, async (studio) => {
                const { document, mode } = await studio.openBare(...paths);
                assert.equal(mode, 'author');
                assert.equal(document.particles, 0);
                assert.ok(document.vertices > 1000);
                await author(studio);
                await selectThisAndThat(studio);
                const authored = await studio.state();
                assert.ok(authored.history.position >= 11, String(authored.history.labels));

                await studio.press('simulate');
                await studio.playTo(STEPS);
                await studio.page.keyboard.press('k'); // pauses
                const { steps, hash } = await studio.ask('hash');
                assert.ok(steps >= STEPS);
                await dragLimb(studio);
                const { hash: dragged } = await studio.ask('hash');
                assert.notEqual(dragged, hash);
                await studio.press('simulate'); // stops
                assert.deepEqual(comparable(await studio.state()), comparable(authored));

                const states = [comparable(authored)];
                for (let i = 0; i < 10; ++i) states.push(comparable(await studio.press('undo')));
                assert.equal(states.at(-1).history.position, authored.history.position - 10);
                assert.ok(states.at(-1).document.particles < 10, 'nearly everything is undone');
                for (let i = 9; i >= 5; --i) assert.deepEqual(comparable(await studio.press('redo')), states[i]);
                await studio.untilKept();

                await studio.reload();
                assert.deepEqual(comparable(await studio.state()), states[5]);
                for (let i = 4; i >= 0; --i) assert.deepEqual(comparable(await studio.press('redo')), states[i]);

                await studio.action('export').click();
                const model = await studio.download(() => studio.action('export.model').click());
                assert.deepEqual(await problems(model, 'error'), []);
                assert.equal(succeed('run', model, '--seconds', String(steps / 60), '--hash').trim(), hash);
            });
        });
    } finally {
        await browser.close();
    }
});

test('a mesh that is opened is a model that moves at once', async () => {
    const browser = await launch();
    try {
        await withFolder(async (folder) => {
            const paths = await meshPaths(browser, folder, ['static/spot.obj'], 'octopus');
            await useStudio(browser, async (studio) => {
                const { document, history } = await studio.open(...paths);
                assert.ok(document.edges > document.particles && document.unbound === 0);
                assert.equal(history.labels.at(-1), 'Automatic');
                assert.equal(await studio.action('auto.apply').textContent().then((text) => text.includes('Rebuild')), true);
                await studio.simulate();
                await studio.playTo(30);
                const low = () => studio.page.evaluate(() =>
                    Math.min(...window.studio.loop.last.poses.filter((_, i) => i % 7 === 1)));
                const before = await low();
                await studio.playTo(60);
                assert.notEqual(await low(), before);
                await studio.simulate();
                assert.equal((await studio.press('undo')).document.particles, 0);
                await studio.change(() => studio.page.keyboard.press('a'));
                assert.equal((await studio.state()).document.particles, document.particles);

                // A file that holds a model keeps it.
                await studio.tool('select');
                await studio.choose('select.what', 'particles');
                await studio.press('select.all');
                const stiff = await studio.change(() => studio.number('selected.stiffness', 0.75));
                const model = await studio.download(() => studio.page.keyboard.press('Control+s'));
                const opened = await studio.open(model);
                assert.match(opened.history.labels.at(-1), /^Open /);
                assert.deepEqual([opened.document.particles, opened.document.edges],
                    [stiff.document.particles, stiff.document.edges]);
                assert.equal((await studio.press('select.all')).document.selected.stiffness, 0.75);
            });
        });
    } finally {
        await browser.close();
    }
});
