// What a frame of the Studio costs in the browser, with the core in a worker and on the page's own thread. In turn, so
// that a busy machine is unfair to neither.
//
//     node bench/studio.mjs PAGE [SCENE…]
//
// Each frame is one step of 1/60 s and the skin of all bodies, asked for when the one before has come. `answer` is how
// long the page waits for it, `blocked` how long its own thread cannot do anything else meanwhile.
import { launch, visit } from '../studio/tests/page.mjs';
import { align, short } from './table.mjs';

const WARM = 120, FRAMES = 60, ROUNDS = 5;
const LIMIT_MS = 8; // step and skin of octopuses, for 60 updates a second with time to draw

const [file, ...wanted] = process.argv.slice(2);
const scenes = wanted.length ? wanted : ['octopuses', 'octopus', 'reef', 'crash', 'robe'];

// Runs in the page.
async function measure(count) {
    const { engine } = window.studio;
    const frames = [];
    for (let i = 0; i < count; ++i) {
        const begin = performance.now();
        const asked = engine.frame(1 / 60, 1, false);
        const blocked = performance.now() - begin;
        const frame = await asked;
        frames.push({ step: frame.stepMilliseconds, skin: frame.skinMilliseconds, answer: performance.now() - begin,
            blocked });
    }
    return frames;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function openScene(page, name) {
    await page.evaluate(async (wantedName) => {
        await window.studio.ready;
        await window.studio.engine.ask('scene', { name: wantedName });
    }, name);
    await page.evaluate(measure, WARM);
}

async function race(openPage, name) {
    const pages = { worker: await openPage('?light'), page: await openPage('?light&core=page') };
    const frames = { worker: [], page: [] };
    for (const where of Object.keys(pages)) await openScene(pages[where], name);
    for (let round = 0; round < ROUNDS; ++round)
        for (const where of Object.keys(pages)) frames[where].push(...await pages[where].evaluate(measure, FRAMES));
    for (const page of Object.values(pages)) await page.close();
    return Object.entries(frames).map(([where, list]) => {
        const of = (key) => median(list.map((frame) => frame[key]));
        return { name, where, step: of('step'), skin: of('skin'), answer: of('answer'), blocked: of('blocked') };
    });
}

const browser = await launch();
const rows = [];
try {
    console.log(`A frame of the Studio, ms, medians of ${ROUNDS * FRAMES}; Chromium ${browser.version()}`);
    for (const name of scenes) rows.push(...await visit(browser, file, (openPage) => race(openPage, name)));
} finally {
    await browser.close();
}
console.log(align([['scene', 'core', 'step', 'skin', 'answer', 'blocked'], ...rows.map((row) => [row.name,
    row.where === 'worker' ? 'in a worker' : 'on the page', ...['step', 'skin', 'answer', 'blocked']
        .map((key) => short(row[key]))])], 2));
const kept = rows.find(({ name, where }) => name === 'octopuses' && where === 'worker');
if (kept) {
    const sum = kept.step + kept.skin;
    console.log(`octopuses: step and skin ${short(sum)} ms (limit ${LIMIT_MS}): ${sum < LIMIT_MS ? 'met' : 'not met'}`);
}
