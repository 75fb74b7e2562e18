// Draws the pictures of the Studio that the documentation shows, with the Studio itself.
//
//     NO_OPEN=1 make studio && node tools/pictures/studio.mjs
//
// What plays is stepped and stands still in the picture: the page tells no frame rate then, which would be that of a machine
// without a graphics card.
import { join, resolve } from 'node:path';

import { attempt } from './drawing.mjs';

const root = resolve(import.meta.dirname, '../..');
process.env.PLIANT_STUDIO_PAGE ??= join(root, 'build/studio/pliant-studio.html');
const { launch, useStudio } = await import('../../studio/tests/page.mjs');

// The whole page into a file, after it was brought to what is to be seen.
const draw = (studio, name, prepare) => attempt(`studio-${name}`, `docs/pictures/studio-${name}.jpg`, async () => {
    await prepare?.(studio);
    await studio.page.mouse.move(0, 0); // no tooltip, no brush
    await studio.page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    await studio.page.screenshot({ path: join(root, `docs/pictures/studio-${name}.jpg`), quality: 88 });
});

async function play(studio, scene, steps) {
    await studio.scene(scene);
    await studio.page.waitForFunction(() => window.studio.loop.isRunning);
    await studio.page.evaluate(async (count) => {
        const { engine, loop } = window.studio;
        loop.run(false);
        const { steps } = await engine.frame(1 / 60, 0, false); // those that were made before it stood still
        await engine.frame(1 / 60, Math.max(count - steps, 0), false);
        loop.look();
    }, steps);
    await studio.page.waitForFunction((count) => window.studio.loop.last?.steps >= count
        && !document.querySelector('[data-status="fps"]').textContent, steps);
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
    await studio.page.keyboard.press('3'); // the stiffness; by the mouse the panel would have to scroll
    await studio.page.mouse.move(x + 0.5 * width, y + 0.85 * height);
    await studio.page.mouse.wheel(0, -200);
    await studio.page.waitForTimeout(1000); // the camera goes there smoothly
}

const browser = await launch();
try {
    await useStudio(browser, async (studio) => {
        studio.page.setDefaultTimeout(300_000); // without a graphics card
        await draw(studio, 'gallery');
        await draw(studio, 'play', () => play(studio, 'reef', 108));
        await draw(studio, 'paint', paint);
    }, { query: '' });
} finally {
    await browser.close();
}
