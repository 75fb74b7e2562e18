// Draws the README's moving picture, an animated WebP of scenes side by side, frame by frame out of their bakes.
//
//     node film.mjs PLIANT_PROGRAM FOLDER FILE [--frames COUNT]
//
// FOLDER keeps bakes and frames. The quality is the best of a few for which the file has at most 3 MB.
import { execFileSync } from 'node:child_process';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { attempt, Drawing } from './drawing.mjs';

const MOST_BYTES = 3e6;
const QUALITIES = [80, 72, 64, 56, 48, 40];
const FPS = 20;
const SHAPE = { width: 316, height: 237, columns: 3, gap: 6, seconds: 5, fade: 0.5 };
const CELLS = [
    { name: 'octopuses', from: 0, zoom: 0.9, shift: [0, -0.05] },
    { name: 'robe', from: 3, zoom: 1.05 },
    { name: 'reef', from: 0.5, zoom: 0.94, shift: [0.04, 0] },
    { name: 'conveyor', from: 1, zoom: 0.97 },
    { name: 'crash', from: 0.4, zoom: 0.85, shift: [0.06, -0.08] },
    { name: 'curtain', from: 3, zoom: 0.95 },
];

const { values, positionals: [program, folder, file] } = parseArgs({ allowPositionals: true,
    options: { frames: { type: 'string', default: String(SHAPE.seconds * FPS) } } });
if (!file) {
    console.error('usage: node film.mjs PLIANT_PROGRAM FOLDER FILE [--frames COUNT]');
    process.exit(2);
}
const frames = join(folder, 'frames');

async function drawFrames(drawing) {
    await rm(frames, { recursive: true, force: true });
    await mkdir(frames, { recursive: true });
    const cells = CELLS.map((cell) => ({ ...cell, url: drawing.url(cell.name) }));
    return drawing.withPage('film.html', async (page, ask) => {
        await ask(([shape, all]) => window.openFilm(shape, all), [SHAPE, cells]);
        const paths = [];
        for (let frame = 0; frame < Number(values.frames); ++frame) {
            const picture = await ask((time) => window.film.draw(time), frame / FPS);
            paths.push(join(frames, `${String(frame).padStart(3, '0')}.png`));
            await writeFile(paths.at(-1), Buffer.from(picture.split(',')[1], 'base64'));
        }
        return paths;
    });
}

async function encode(paths) {
    for (const quality of QUALITIES) {
        execFileSync('img2webp', ['-loop', '0', '-lossy', '-q', String(quality), '-m', '6', '-d', String(1000 / FPS),
            ...paths, '-o', file], { stdio: ['ignore', 'ignore', 'pipe'] });
        if ((await stat(file)).size <= MOST_BYTES) return;
    }
    throw new Error(`${file} has more than ${MOST_BYTES} bytes at quality ${QUALITIES.at(-1)}`);
}

const drawing = await Drawing.open(join(folder, 'bakes'));
try {
    await attempt('film', file, async () => {
        for (const { name } of CELLS) drawing.bake(resolve(program), name);
        await encode(await drawFrames(drawing));
    });
} finally {
    await drawing.close();
}
