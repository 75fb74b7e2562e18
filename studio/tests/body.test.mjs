// What a body is made of, set in the page: it is in the model, changes what happens, and can be undone.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { succeed, withFolder } from '../../tests/node/pliant.mjs';
import { launch, useStudio } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

async function editScene(studio, name) {
    await studio.scene(name);
    return studio.press('edit');
}

const bodyOf = async (studio) => (await studio.state()).document.body;
const inputOf = (studio, name) => studio.page.locator(`[data-number="body.${name}"] input`);
const selfCollision = (studio) => studio.page.locator('[data-toggle="body.selfCollision"]');

// What has become of the document after so many steps.
async function hashAfter(studio, steps) {
    await studio.simulate();
    await studio.pauseAtBegin();
    await studio.stepTo(steps);
    const { hash } = await studio.ask('hash');
    await studio.simulate();
    return hash;
}

test('friction, bounce, damping and density change what happens, and are undone', async () => {
    await useStudio(browser, async (studio) => {
        await editScene(studio, 'jelly');
        const steps = 30;
        const first = await hashAfter(studio, steps);
        const before = await bodyOf(studio);
        const values = { friction: 0.05, restitution: 0.75, damping: 0.9, shapeDamping: 0.75, density: 2000 };
        for (const [name, value] of Object.entries(values)) {
            await studio.change(() => studio.number(`body.${name}`, value));
            const now = await bodyOf(studio);
            assert.ok(Math.abs(now[name] - value) < 1e-6, `${name}: ${now[name]}`);
            assert.notEqual(await hashAfter(studio, steps), first, name);
            await studio.press('undo');
            assert.deepEqual(await bodyOf(studio), before, `${name} undone`);
        }
        assert.equal(await hashAfter(studio, steps), first);
    });
});

test('what is set is in the model that is saved, and in the page after a reload', async () => {
    await useStudio(browser, async (studio) => {
        await editScene(studio, 'jelly');
        await studio.change(() => studio.number('body.friction', '1/4'));
        await studio.change(() => studio.number('body.restitution', '50%'));
        await studio.change(() => studio.number('body.damping', 0.125));
        await studio.number('body.restitution', 2);
        assert.equal(await studio.toldBy('body.restitution'), 'at most 1');
        await studio.change(() => studio.number('body.restitution', 0.5));
        await studio.change(() => selfCollision(studio).click());
        const path = await studio.download(() => studio.page.keyboard.press('Control+s'));
        const { model } = JSON.parse(succeed('info', path, '--json'));
        assert.deepEqual([model.friction, model.restitution, model.linear_damping, model.self_collision],
            [0.25, 0.5, 0.125, 1]);
        const set = await bodyOf(studio);
        await studio.untilKept();
        await studio.reload();
        assert.deepEqual(await bodyOf(studio), set);
        await studio.open(path);
        const opened = await bodyOf(studio);
        assert.deepEqual({ ...opened, density: set.density, differ: [] }, { ...set, differ: [] });
    });
});

test('a material by name changes what happens, tells when substeps are too long for it, and is undone', async () => {
    await useStudio(browser, async (studio) => {
        await editScene(studio, 'jelly');
        const first = await hashAfter(studio, 30);
        assert.equal((await bodyOf(studio)).material, 'painted');
        await studio.change(() => studio.choose('body.material', 'rubber'));
        const { material, density, restitution } = await bodyOf(studio);
        assert.deepEqual([material, density], ['rubber', 1100]);
        assert.ok(Math.abs(restitution - 0.6) < 1e-6);
        assert.notEqual(await hashAfter(studio, 30), first);
        await studio.simulate();
        await studio.page.waitForFunction(() => /softer than their material: \d+ substeps would hold them/
            .test(document.querySelector('[data-status="saturated"]').textContent));
        await studio.simulate();
        await studio.press('undo');
        assert.equal((await bodyOf(studio)).material, 'painted');
        assert.equal(await hashAfter(studio, 30), first);
    });
});

test('a density that is not that of all is mixed', async () => {
    await useStudio(browser, async (studio) => {
        await editScene(studio, 'jelly');
        assert.deepEqual((await bodyOf(studio)).differ, ['density'], 'masses of a scene are given');
        await studio.change(() => studio.number('body.density', 500));
        assert.deepEqual((await bodyOf(studio)).differ, []);
        assert.equal(await inputOf(studio, 'density').inputValue(), '500');
        const mixed = studio.page.locator('[data-number="body.density"]');
        assert.doesNotMatch(await mixed.getAttribute('class'), /differs/);
        await studio.tool('select');
        await studio.choose('select.what', 'particles');
        await studio.press('select.all');
        for (let i = 0; i < 2; ++i) await studio.press('select.shrink');
        await studio.change(() => studio.number('selected.mass', 3));
        assert.deepEqual((await bodyOf(studio)).differ, ['density']);
        assert.match(await mixed.getAttribute('class'), /differs/);
        await studio.change(() => studio.number('body.density', 500));
        assert.deepEqual((await bodyOf(studio)).differ, []);
    });
});

// A flat grid of n × n squares, a metre wide.
function sheet(n) {
    const lines = [];
    for (let i = 0; i <= n; ++i) for (let k = 0; k <= n; ++k) lines.push(`v ${i / n} ${k / n} 0`);
    for (let i = 0; i < n; ++i) {
        for (let k = 0; k < n; ++k) {
            const a = i * (n + 1) + k + 1;
            lines.push(`f ${a} ${a + n + 1} ${a + n + 2} ${a + 1}`);
        }
    }
    return `${lines.join('\n')}\n`;
}

test('sheets touch themselves of themselves, and that can be turned off', async () => {
    await withFolder((folder) => useStudio(browser, async (studio) => {
        const path = join(folder, 'sheet.obj');
        writeFileSync(path, sheet(12));
        await studio.open(path);
        const box = selfCollision(studio).locator('input');
        assert.ok(await box.isChecked());
        await editScene(studio, 'jelly');
        assert.equal(await box.isChecked(), false);

        await editScene(studio, 'robe');
        assert.ok(await box.isChecked());
        const steps = 60;
        const folds = await hashAfter(studio, steps);
        await studio.change(() => selfCollision(studio).click());
        assert.equal((await bodyOf(studio)).selfCollision, false);
        assert.notEqual(await hashAfter(studio, steps), folds);
        await studio.press('undo');
        assert.ok(await box.isChecked());
    }));
});
