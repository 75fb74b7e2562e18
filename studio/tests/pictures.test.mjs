// Pictures of the gallery, of each way to look at a model and of each tool, for people: out/studio/*.png.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { launch, useStudio } from './page.mjs';

const folder = join(import.meta.dirname, '..', '..', 'out', 'studio');

// The whole page into a file.
async function picture(studio, name) {
    await studio.drawn();
    await studio.page.screenshot({ path: join(folder, `${name}.png`) });
}

// What is drawn, without the page around it, for comparing.
const drawn = async (studio) => (await studio.page.screenshot({ clip: await studio.canvas() })).toString('base64');

async function dragBox(studio, [left, top], [right, bottom]) {
    const { x, y, width, height } = await studio.canvas();
    const { mouse } = studio.page;
    await mouse.move(x + left * width, y + top * height);
    await mouse.down();
    await mouse.move(x + right * width, y + bottom * height, { steps: 4 });
    await studio.change(() => mouse.up());
}

// A stiff head, which is a group, and some particles selected.
async function prepare(studio) {
    await studio.scene('octopus');
    await studio.press('edit');
    await studio.tool('select');
    await studio.choose('select.what', 'particles');
    await studio.choose('select.method', 'box');
    await dragBox(studio, [0.3, 0.02], [0.7, 0.5]);
    await studio.tool('paint');
    await studio.number('paint.value', 1);
    await studio.press('paint.apply');
    await studio.tool('groups');
    await studio.press('groups.apply');
    await studio.tool('select');
    await dragBox(studio, [0.02, 0.4], [0.35, 0.98]);
    const { document } = await studio.state();
    assert.ok(document.groups === 1 && document.selectedParticles > 0, JSON.stringify(document));
}

test('pictures', async () => {
    mkdirSync(folder, { recursive: true });
    const browser = await launch();
    try {
        await useStudio(browser, async (studio) => {
            await picture(studio, 'gallery');
            await prepare(studio);
            const look = (view) => studio.page.locator(`[data-view="${view}"]`).click();

            const tools = await studio.page.locator('[data-tool]').evaluateAll((all) => all.map((one) => one.dataset.tool));
            assert.equal(tools.length, 13);
            const { x, y, width, height } = await studio.canvas();
            for (const tool of tools) {
                await studio.page.keyboard.press('1'); // the mesh; by the mouse the panel would have to scroll
                await studio.tool(tool);
                await studio.page.mouse.move(x + 0.5 * width, y + 0.4 * height);
                await picture(studio, `tool-${tool}`);
            }

            // The rest in full: shadows, an environment, smooth edges.
            await studio.tool('select');
            await studio.untilKept();
            await studio.reload('');
            const views = await studio.page.locator('[data-view]').evaluateAll((all) => all.map((one) => one.dataset.view));
            assert.deepEqual(views, ['mesh', 'ellipsoids', 'stiffness', 'edges', 'groups', 'weights', 'contacts']);
            const seen = new Set();
            for (const view of views.slice(0, -1)) {
                await look(view);
                await picture(studio, `view-${view}`);
                seen.add(await drawn(studio));
            }
            assert.equal(seen.size, views.length - 1, 'every view looks different');

            await look('mesh');
            await studio.press('simulate');
            await studio.page.waitForFunction(() => window.studio.loop.last?.contactCount > 0);
            const pace = studio.page.locator('[data-status="fps"]:visible, [data-status="step"]:visible');
            await pace.first().waitFor();
            assert.equal(await pace.count(), 2, 'what plays says how fast it goes');
            await studio.page.keyboard.press('k');
            await studio.page.waitForFunction(() => !document.querySelector('[data-status="fps"]').textContent);
            assert.equal(await pace.count(), 0, 'what stands still has no pace');
            await picture(studio, 'simulate');
            const played = await drawn(studio);
            await look('contacts');
            await studio.page.waitForFunction(() => window.studio.loop.last.contacts?.length > 0);
            await picture(studio, 'view-contacts');
            assert.notEqual(await drawn(studio), played);
        });
    } finally {
        await browser.close();
    }
});
