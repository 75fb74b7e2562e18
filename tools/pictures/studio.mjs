// Draws the pictures of the Studio that the documentation shows, with the Studio itself.
//
//     NO_OPEN=1 make studio && node tools/pictures/studio.mjs
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
process.env.PLIANT_STUDIO_PAGE ??= join(root, 'build/studio/pliant-studio.html');
const { launch, useStudio } = await import('../../studio/tests/page.mjs');

async function draw(studio, name) {
    await studio.page.mouse.move(0, 0); // no tooltip, no brush
    await studio.page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    await studio.page.screenshot({ path: join(root, `docs/pictures/studio-${name}.jpg`), quality: 88 });
    console.log(`docs/pictures/studio-${name}.jpg`);
}

async function play(studio, scene, steps) {
    await studio.scene(scene);
    await studio.page.evaluate(async (count) => {
        const { engine, loop } = window.studio;
        loop.run(false);
        await engine.frame(1 / 60, count, false);
        loop.look();
    }, steps);
    await studio.page.waitForFunction((count) => window.studio.loop.last?.steps >= count, steps);
}

// A stiff head on soft arms.
async function paint(studio) {
    await studio.scene('octopus');
    await studio.press('edit');
    await studio.tool('paint');
    await studio.number('paint.value', 0.15);
    await studio.press('paint.apply');
    await studio.number('paint.value', 1);
    const { x, y, width, height } = await studio.canvas();
    await studio.number('brush.radius', 0.5);
    await studio.change(async () => {
        await studio.page.mouse.move(x + 0.5 * width, y + 0.4 * height);
        await studio.page.mouse.down();
        await studio.page.mouse.move(x + 0.53 * width, y + 0.42 * height, { steps: 4 });
        await studio.page.mouse.up();
    });
    await studio.page.locator('[data-view="stiffness"]').click();
}

const browser = await launch();
try {
    await useStudio(browser, async (studio) => {
        studio.page.setDefaultTimeout(300_000); // without a graphics card
        await draw(studio, 'gallery');
        await play(studio, 'reef', 90);
        await draw(studio, 'play');
        await paint(studio);
        await draw(studio, 'paint');
    }, { query: '' });
} finally {
    await browser.close();
}
