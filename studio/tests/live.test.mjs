// How what is opened lives: rooted, hanging or dropped, as suits its shape, within three actions. Mouse and keyboard only.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { assetFolder, succeed } from '../../tests/node/pliant.mjs';
import { differing, launch, useStudio } from './page.mjs';

const PLANT = join(assetFolder(), 'static/Quaternius_Plant_5.glb');
const BANNER = join(assetFolder(), 'static/KayKit_banner_triple_blue.glb');
const skip = !(existsSync(PLANT) && existsSync(BANNER)) && 'needs the plant and the banner';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());

const restPositions = (studio) => studio.page.evaluate(async () =>
    Array.from(await window.studio.engine.view(1))); // View.positions
const positions = (studio) => studio.page.evaluate(() => Array.from(window.studio.loop.last.positions));
const lives = (studio) => studio.page.locator('[data-choice="live"] .on').textContent();
const proposal = (studio) => studio.page.locator('[data-choice="live"] + p').textContent();
const heights = (values) => values.filter((_, i) => i % 3 === 1);
const distance = (a, b, i) => Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);

async function blow(studio, speed) {
    await studio.number('play.wind.speed', speed);
    await studio.idle();
}

// The farthest way of a vertex that `counts` by its height at rest.
function farthest(rest, now, counts) {
    let most = 0;
    for (let i = 0; i < rest.length; i += 3) if (counts(rest[i + 1])) most = Math.max(most, distance(rest, now, i));
    return most;
}

test('a plant is rooted, stands, and sways in the wind', { skip }, async () => {
    await useStudio(browser, async (studio) => {
        const { document, history } = await studio.open(PLANT);
        assert.equal(document.live, 'rooted');
        assert.deepEqual(history.labels, ['Open Quaternius_Plant_5', 'Automatic']);
        assert.equal(await lives(studio), 'Rooted');
        assert.match(await proposal(studio), /^Rooted: it stands on a small foot\.$/);
        const rest = await restPositions(studio);
        const low = Math.min(...heights(rest)), top = Math.max(...heights(rest));

        const { stage } = await studio.simulate();
        assert.equal(stage.title, 'Quaternius_Plant_5 rooted in the ground');
        await studio.pauseAtBegin();
        await studio.stepTo(300);
        const still = await positions(studio);
        assert.ok(Math.max(...heights(still)) - low > 0.8 * (top - low), 'it wilts');

        await blow(studio, 12);
        await studio.stepTo(360);
        const blown = await positions(studio);
        const isRoot = (y) => y < low + 0.02 * (top - low);
        const sways = farthest(still, blown, () => true), root = farthest(rest, blown, isRoot);
        assert.ok(sways > 0.02 && sways < 0.5, `it sways by ${sways} m`);
        assert.ok(root < 0.001, `its root moves by ${root} m`);
        assert.ok(Math.max(...heights(blown)) - low > 0.8 * (top - low), 'the wind breaks it');
    });
});

test('a banner hangs, and the wind lifts it', { skip }, async () => {
    await useStudio(browser, async (studio) => {
        const { document } = await studio.open(BANNER);
        assert.equal(document.live, 'hang');
        assert.equal(await lives(studio), 'Hang');
        const rest = await restPositions(studio);
        const low = Math.min(...heights(rest)), top = Math.max(...heights(rest));
        const { stage } = await studio.simulate();
        assert.equal(stage.title, 'KayKit_banner_triple_blue hanging');
        await studio.pauseAtBegin();
        await studio.stepTo(120);
        const still = Math.min(...heights(await positions(studio)));
        assert.ok(Math.abs(still - low) < 0.05 * (top - low), `in still air it hangs down to ${still} m`);
        await blow(studio, 12);
        await studio.stepTo(210);
        const blown = await positions(studio);
        const lifted = Math.min(...heights(blown)) - still;
        assert.ok(lifted > 0.05 * (top - low), `it is lifted by ${lifted} m`);
        const edge = farthest(rest, blown, (y) => y > top - 0.01 * (top - low));
        assert.ok(edge < 0.01, `its top edge moves by ${edge} m`);
    });
});

test('a banner has a shadow on the ground below it', { skip }, async () => {
    await useStudio(browser, async (studio) => {
        await studio.open(BANNER);
        await studio.simulate();
        await studio.pauseAtBegin();
        const { x, y, width, height } = await studio.canvas();
        const lower = { x: x + width / 4, y: y + 0.6 * height, width: width / 2, height: 0.25 * height };
        await studio.closeToasts('note');
        const shaded = await studio.stillPicture(lower);
        await studio.page.locator('[data-toggle="view.shadows"]').click();
        const count = await differing(studio, shaded, await studio.stillPicture(lower));
        assert.ok(count > 1000, `${count} values are darker with shadows`);
    }, { query: '' });
});

test('one click makes it live otherwise; undo, Rebuild, a reload and what is exported agree', { skip }, async () => {
    await useStudio(browser, async (studio) => {
        await studio.open(PLANT);
        const drop = await studio.change(() => studio.choose('live', 'drop'));
        assert.deepEqual([drop.document.live, drop.history.labels.at(-1)], ['drop', 'Drop']);
        assert.equal(await lives(studio), 'Drop');
        await studio.page.waitForFunction(() =>
            /^Proposed: Rooted/.test(document.querySelector('[data-choice="live"] + p').textContent));
        await studio.number('auto.density', 500);
        const rebuilt = await studio.press('auto.apply');
        assert.deepEqual([rebuilt.document.live, rebuilt.history.labels.at(-1)], ['drop', 'Automatic']);
        assert.match((await studio.simulate()).stage.title, / dropped on the ground$/);
        await studio.simulate();

        await studio.press('undo');
        assert.equal((await studio.press('undo')).document.live, 'rooted');
        const again = await studio.press('auto.apply');
        assert.equal(again.document.live, 'rooted', 'what was taken back is no choice');
        assert.equal((await studio.change(() => studio.choose('live', 'hang'))).document.live, 'hang');

        await studio.untilKept();
        await studio.reload();
        assert.equal((await studio.state()).document.live, 'hang');
        await studio.action('export').click();
        const model = await studio.download(() => studio.action('export.model').click());
        assert.equal(JSON.parse(succeed('author', model, '-o', join(studio.folder, 'again.glb'), '--json')).live, 'hang');
    });
});
