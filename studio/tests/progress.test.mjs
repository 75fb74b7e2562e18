// What takes longer than half a second shows how far it has come, and can be given up.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { dropPaths, launch, useStudio } from './page.mjs';

const BALLS = 40;
const ROUND = 80; // squares around a ball, half as many from pole to pole
const MODEL_BEGUN = 0.35; // the mesh is read, and its model is being made
const TICK = 20; // ms
const LATEST = 1000 / TICK; // ticks until the bar is there: of the page's own time, however busy the machine is
const LONGEST = 0.5; // of the time that the work takes: the page is never away for so long

// Balls with bumps, through each other: 256,000 triangles.
function heavyObj(balls = BALLS, round = ROUND) {
    const lines = [];
    for (let ball = 0; ball < balls; ++ball) {
        lines.push(`o ball${ball}`);
        const first = ball * (round / 2 + 1) * round + 1;
        for (let i = 0; i <= round / 2; ++i)
            for (let k = 0; k < round; ++k) {
                const [down, around] = [2 * Math.PI * i / round, 2 * Math.PI * k / round];
                const r = 0.4 + 0.05 * Math.sin(5 * around) * Math.sin(down);
                lines.push(`v ${(0.1 * ball + r * Math.sin(down) * Math.cos(around)).toFixed(5)} ${
                    (r * Math.cos(down) + 0.2 * Math.sin(ball)).toFixed(5)} ${
                    (r * Math.sin(down) * Math.sin(around) + 0.2 * Math.cos(2 * ball)).toFixed(5)}`);
            }
        for (let i = 0; i < round / 2; ++i)
            for (let k = 0; k < round; ++k) {
                const [a, b] = [first + i * round + k, first + i * round + (k + 1) % round];
                lines.push(`f ${a} ${a + round} ${b + round}`, `f ${a} ${b + round} ${b}`);
            }
    }
    return lines.join('\n');
}

// Looks at the bar fifty times a second from now on: when it is seen after something was dropped and what it tells, and how
// long the page was away. Where it tells `cancelAt` or more, the work is given up at once.
const watchBar = (studio, cancelAt = Infinity) => studio.page.evaluate(([least, tick]) => {
    const watch = { seen: [], longest: 0 };
    let begin = performance.now(), last = begin, ticks = 0;
    window.addEventListener('drop', () => {
        begin = last = performance.now();
        ticks = 0;
    }, { capture: true, once: true });
    window.barWatch = watch;
    window.clearInterval(window.barTimer);
    window.barTimer = window.setInterval(() => {
        const now = performance.now();
        watch.longest = Math.max(watch.longest, now - last);
        last = now;
        ++ticks;
        const bar = document.querySelector('.working progress');
        if (!bar.checkVisibility()) return;
        watch.seen.push({ after: now - begin, ticks, part: bar.value });
        if (bar.value < least) return;
        window.clearInterval(window.barTimer);
        document.querySelector('[data-action="busy.cancel"]').click();
    }, tick);
}, [cancelAt, TICK]);
const seenBar = (studio) => studio.page.evaluate(() => window.barWatch);

function assertRises(seen) {
    for (let i = 1; i < seen.length; ++i)
        assert.ok(seen[i].part >= seen[i - 1].part, `${seen[i - 1].part} to ${seen[i].part}`);
    assert.ok(seen.every(({ part }) => part >= 0 && part <= 1));
}

const comparable = ({ mode, document, history }) => ({ mode, history, document: { ...document, revision: 0 } });

// Until the page says so.
async function cancelled(studio) {
    await studio.expectNote(/^Cancelled/);
    await studio.idle(); // the page asks about what is there again
    assert.equal(await studio.page.locator('.working').isVisible(), false);
}

test('a heavy mesh shows how far it has come, and can be given up', async () => {
    const browser = await launch();
    try {
        await useStudio(browser, async (studio) => {
            const path = join(studio.folder, 'heavy.obj');
            writeFileSync(path, heavyObj());

            // In an empty Studio nothing is left of it.
            const empty = comparable(await studio.state());
            await watchBar(studio, MODEL_BEGUN);
            await dropPaths(studio.page, [path]);
            await cancelled(studio);
            assert.deepEqual(comparable(await studio.state()), empty);

            await studio.scene('jelly');
            const before = comparable(await studio.press('edit'));
            await studio.untilKept();
            await watchBar(studio, MODEL_BEGUN);
            await dropPaths(studio.page, [path]);
            await cancelled(studio);
            const { seen, longest } = await seenBar(studio);
            const worked = seen.at(-1).after;
            assert.ok(seen[0].after > 400 && seen[0].ticks < LATEST, `after ${seen[0].after} ms, ${seen[0].ticks} ticks`);
            assertRises(seen);
            assert.ok(longest < LONGEST * worked, `the page was away for ${longest} ms of ${worked} ms`);
            assert.deepEqual(comparable(await studio.state()), before);

            // Not given up it comes to its end, and the bar is gone.
            await watchBar(studio);
            const opened = await studio.open(path);
            assert.ok(opened.document.triangles > 1e5);
            await studio.page.locator('.working').waitFor({ state: 'hidden' });
            const all = await seenBar(studio);
            assertRises(all.seen);
            assert.ok(new Set(all.seen.map(({ part }) => part)).size > 4, 'it hardly moves');
            assert.ok(all.seen.at(-1).part > 0.8, `${all.seen.at(-1).part}`);

            // Rebuilding it does the same, and leaves the model that was there.
            await studio.untilKept();
            await studio.tool('auto');
            await watchBar(studio, 0);
            await studio.action('auto.apply').click();
            await cancelled(studio);
            assert.deepEqual(comparable(await studio.state()), comparable(opened));
        });
    } finally {
        await browser.close();
    }
});
