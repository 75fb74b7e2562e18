// A pointer that is faster than the core: what it did until the core has answered counts all the same.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { differing, launch, useStudio } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

// Answers to what the pointer asks wait from now on, until they are let go.
const holdAnswers = (studio) => studio.page.evaluate(() => {
    const { engine } = window.studio;
    const ask = engine.ask.bind(engine);
    const gate = new Promise((open) => {
        window.letAnswersGo = () => {
            delete engine.ask;
            open();
        };
    });
    window.heldBack = 0;
    engine.ask = async (command, what) => {
        const answer = await ask(command, what);
        if (command !== 'pick' && command !== 'grab') return answer;
        ++window.heldBack;
        await gate;
        return answer;
    };
});
const letAnswersGo = (studio) => studio.page.evaluate(() => window.letAnswersGo());

// A model to select particles of, as ellipsoids.
async function openModel(studio, method) {
    await studio.scene('octopus');
    await studio.press('edit');
    await studio.tool('select');
    await studio.choose('select.what', 'particles');
    await studio.choose('select.method', method);
    await studio.page.keyboard.press('2');
}

async function dragAcross(studio) {
    const { x, y, width, height } = await studio.canvas();
    const { mouse } = studio.page;
    await mouse.move(x + 0.3 * width, y + 0.05 * height);
    await mouse.down();
    await mouse.move(x + 0.7 * width, y + 0.5 * height, { steps: 4 });
    await mouse.up();
}

const selectedIn = ({ document }) => document.selectedParticles;

test('a box that is drawn before the core answers selects what is in it', () => useStudio(browser, async (studio) => {
    await openModel(studio, 'box');
    const count = selectedIn(await studio.change(() => dragAcross(studio)));
    assert.ok(count > 0);
    await studio.press('select.none');
    await holdAnswers(studio);
    await dragAcross(studio);
    assert.equal(selectedIn(await studio.change(() => letAnswersGo(studio))), count);
}));

test('a pointer that has left before the core answers marks nothing', () => useStudio(browser, async (studio) => {
    await openModel(studio, 'click');
    const { page } = studio;
    const places = await page.evaluate(() => Array.from(window.studio.app.display.particles.slice(0, 3)));
    const { x, y } = await studio.pixelOf(places);
    const clip = { x: x - 60, y: y - 60, width: 120, height: 120 };
    await page.mouse.move(4, 400); // in the strip
    const plain = await studio.stillPicture(clip);
    await holdAnswers(studio);
    await page.mouse.move(x, y);
    await page.waitForFunction(() => window.heldBack > 0);
    await page.mouse.move(4, 400);
    await letAnswersGo(studio);
    assert.equal(await differing(studio, plain, await studio.stillPicture(clip)), 0);
}));

test('a body goes to where the hand is once the core has found it', () => useStudio(browser, async (studio) => {
    await studio.scene('jelly');
    await studio.playTo(1);
    await studio.page.keyboard.press('k');
    await studio.idle();
    const { page } = studio;
    const middle = await page.evaluate(() => Array.from(window.studio.loop.last.poses.slice(0, 3)));
    const { x, y } = await studio.pixelOf(middle);
    await holdAnswers(studio);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 100, { steps: 2 });
    await page.waitForFunction(() => window.heldBack > 0);
    await letAnswersGo(studio);
    await page.locator('.grabs').waitFor();
    const before = await page.evaluate(() => window.studio.loop.last.poses[1]);
    await page.keyboard.press('k');
    await page.waitForFunction((least) => window.studio.loop.last.poses[1] > least, before + 0.02);
    await page.mouse.up();
}));
