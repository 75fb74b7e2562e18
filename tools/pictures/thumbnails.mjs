// Draws the gallery's small pictures with the Studio itself: a moment of every built-in scene, or of those named.
//
//     tools/studio && node tools/pictures/thumbnails.mjs [SCENE...]
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(fileURLToPath(new URL('.', import.meta.url)), '../..');
const page = join(root, 'build/studio/pliant-studio.html');
const folder = join(root, 'studio/src/ui/thumbnails');
const { chromium } = createRequire(join(root, 'studio/package.json'))('playwright-core');

const WIDTH = 360;
const HEIGHT = 225;
const QUALITY = 0.72;
// The moment that shows best what a scene is about, in seconds.
const MOMENTS = {
    rope: 1.2, curtain: 3.2, jelly: 0.55, cart: 2.2, spinner: 1, chain: 0.8, pile: 3, conveyor: 4, truck: 2.5, crash: 1.9,
    bullet: 0.3, octopus: 1.4, octopuses: 2, robe: 2, reef: 2,
};
const MOMENT = 1.5;

const browser = await chromium.launch({
    executablePath: [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => path && existsSync(path)),
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
// The viewport is what bars and panels leave over.
const tab = await browser.newPage({ viewport: { width: 2 * WIDTH + 48 + 292, height: 2 * HEIGHT + 46 + 26 } });
tab.setDefaultTimeout(300_000); // without a graphics card
await tab.goto(pathToFileURL(page).href);
await tab.evaluate(() => window.studio.ready);
await mkdir(folder, { recursive: true });
const all = await tab.evaluate(() => window.studio.state.scenes.map(({ name }) => name));
let total = 0;
for (const name of process.argv.length > 2 ? process.argv.slice(2) : all) {
    const bytes = await tab.evaluate(async ({ name, steps, width, height, quality }) => {
        const { app } = window.studio;
        await app.play(name);
        app.loop.run(false);
        for (let done = 0; done < steps; done += 10) {
            app.view.setFrame(await app.session.engine.frame(1 / 60, Math.min(10, steps - done), false));
        }
        const picture = await createImageBitmap(await app.view.screenshot());
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext('2d');
        context.imageSmoothingQuality = 'high';
        context.drawImage(picture, 0, 0, width, height);
        const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
        return Array.from(new Uint8Array(await blob.arrayBuffer()));
    }, { name, steps: Math.round((MOMENTS[name] ?? MOMENT) * 60), width: WIDTH, height: HEIGHT, quality: QUALITY });
    await writeFile(join(folder, `${name}.webp`), Uint8Array.from(bytes));
    total += bytes.length;
    console.log(`${name}.webp: ${bytes.length} bytes`);
}
console.log(`${total} bytes together`);
await browser.close();
