// Fields, words and states of the page: what is typed, stepped and dragged, and whether what is shown is true.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { differing, launch, until, useStudio, visit } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const parametersOf = (studio, tool) => studio.page.evaluate((name) => window.studio.app.parameters[name], tool);
const shownBy = (studio) => studio.page.evaluate(() => structuredClone(window.studio.app.shown));
const near = (value, expected, what) => assert.ok(Math.abs(value - expected) < 1e-9, `${what}: ${value}, not ${expected}`);

// A built-in model as the document.
async function editScene(studio, name) {
    await studio.scene(name);
    return studio.press('edit');
}

class Field {
    constructor(studio, id) {
        this.studio = studio;
        this.element = studio.page.locator(`[data-number="${id}"]:visible`);
        this.input = this.element.locator('input');
        [this.tool, this.name] = id.split('.');
    }

    async value() {
        return (await parametersOf(this.studio, this.tool))[this.name];
    }

    type(text) {
        return this.studio.number(`${this.tool}.${this.name}`, text);
    }

    told() {
        return this.studio.toldBy(`${this.tool}.${this.name}`);
    }
}

async function checkTyping(studio) {
    await studio.tool('fill');
    const stiffness = new Field(studio, 'fill.stiffness');
    await stiffness.type('0.2+0.1');
    near(await stiffness.value(), 0.3, 'a sum');
    assert.equal(await stiffness.input.inputValue(), '0.3');
    await stiffness.type('abc');
    assert.equal(await stiffness.told(), 'not a number');
    near(await stiffness.value(), 0.3, 'the old value');
    assert.equal(await stiffness.input.inputValue(), '0.3');
    await stiffness.type('3');
    assert.equal(await stiffness.told(), 'at most 1');
    near(await stiffness.value(), 1, 'what can be');
    await stiffness.type('-3');
    assert.equal(await stiffness.told(), 'at least 0');
    await stiffness.type('2*(1-0.75)');
    assert.equal(await stiffness.told(), '');
    near(await stiffness.value(), 0.5, 'a product');
    const spacing = new Field(studio, 'fill.spacing');
    await spacing.type('20 cm + 5 mm');
    near(await spacing.value(), 0.205, 'with units');
    await studio.tool('paint');
    await studio.number('paint.value', 7);
    assert.equal(await new Field(studio, 'paint.value').told(), 'at most 1', 'a limit that depends on what is painted');
}

async function checkKeys(studio) {
    await studio.tool('fill');
    const stiffness = new Field(studio, 'fill.stiffness');
    await stiffness.type('0.5');
    await stiffness.input.focus();
    const { keyboard } = studio.page;
    for (const [keys, value] of [['ArrowUp', 0.51], ['Shift+ArrowUp', 0.61], ['Alt+ArrowDown', 0.609],
        ['Control+ArrowDown', 0.608], ['ArrowDown', 0.598]]) {
        await keyboard.press(keys);
        near(await stiffness.value(), value, keys);
    }
    assert.equal(await stiffness.input.inputValue(), '0.598');
    await keyboard.type('0.25');
    await keyboard.press('ArrowUp');
    near(await stiffness.value(), 0.26, 'a step from what was typed');
    await keyboard.type('0.9');
    await keyboard.press('Escape');
    near(await stiffness.value(), 0.26, 'what was given up');
    await studio.tool('fit');
    const drift = new Field(studio, 'fit.drift');
    await drift.input.focus();
    await keyboard.press('ArrowUp');
    await keyboard.press('Alt+ArrowUp');
    assert.equal(await drift.value(), 2, 'whole numbers');
}

async function checkScrubbing(studio) {
    await studio.tool('fill');
    const stiffness = new Field(studio, 'fill.stiffness');
    await stiffness.type('0.5');
    const label = await stiffness.element.locator('label').boundingBox();
    const { mouse } = studio.page;
    const drag = async (pixels) => {
        await mouse.move(label.x + 10, label.y + label.height / 2);
        await mouse.down();
        await mouse.move(label.x + 10 + pixels, label.y + label.height / 2, { steps: 4 });
        await mouse.up();
    };
    await drag(40);
    near(await stiffness.value(), 0.7, 'to the right');
    await drag(-20);
    near(await stiffness.value(), 0.6, 'to the left');
    await drag(300);
    near(await stiffness.value(), 1, 'to the end');
    assert.equal(await stiffness.told(), 'at most 1');
    await stiffness.element.locator('label').click();
    assert.ok(await stiffness.input.evaluate((input) => input === document.activeElement), 'a click is one into the field');
    await studio.page.keyboard.press('Escape');
}

// Selects a particle that is seen, by a click.
async function clickParticle(studio, index = 0) {
    const places = await studio.page.evaluate(() => Array.from(window.studio.app.display.particles));
    const pixel = await studio.pixelOf(places.slice(16 * index, 16 * index + 3));
    await studio.change(() => studio.page.mouse.click(pixel.x, pixel.y));
    return pixel;
}

async function checkMixed(studio) {
    await studio.tool('select');
    await studio.choose('select.what', 'particles');
    await studio.choose('select.method', 'click');
    await studio.page.keyboard.press('2');
    await clickParticle(studio);
    assert.equal((await studio.state()).document.selectedParticles, 1);
    const pinned = studio.page.locator('[data-toggle="selected.pinned"] input');
    const look = () => pinned.evaluate(({ checked, indeterminate }) => ({ checked, indeterminate }));
    await studio.change(() => studio.page.locator('[data-toggle="selected.pinned"]').click());
    assert.deepEqual(await look(), { checked: true, indeterminate: false });
    const { document } = await studio.change(() => studio.page.keyboard.press('Control+a'));
    assert.equal(document.selected.pinned, 1);
    assert.deepEqual(await look(), { checked: false, indeterminate: true }, 'some are pinned');
    const all = await studio.change(() => studio.page.locator('[data-toggle="selected.pinned"]').click());
    assert.equal(all.document.selected.pinned, all.document.particles, 'a click pins all');
    assert.deepEqual(await look(), { checked: true, indeterminate: false });
    const none = await studio.change(() => studio.page.locator('[data-toggle="selected.pinned"]').click());
    assert.equal(none.document.selected.pinned, 0);
    await studio.press('select.none');
}

async function checkColours(studio) {
    await studio.tool('select');
    await studio.page.keyboard.press('2'); // plain ellipsoids
    const before = await shownBy(studio);
    assert.equal(before.particleColour, 'plain');
    await studio.tool('mass');
    assert.equal((await shownBy(studio)).particleColour, 'mass');
    await studio.tool('select');
    assert.deepEqual(await shownBy(studio), before, 'as it was before the tool');
    await studio.tool('paint');
    await studio.choose('paint.target', 'torsion');
    assert.equal((await shownBy(studio)).edgeColour, 'torsion');
    await studio.choose('paint.target', 'mass');
    await studio.page.keyboard.press('Escape');
    await studio.tool('select');
    assert.deepEqual(await shownBy(studio), before, 'as it was before several colours');
    await studio.tool('mass');
    await studio.choose('view.particleColour', 'stiffness');
    await studio.tool('select');
    assert.equal((await shownBy(studio)).particleColour, 'stiffness', 'what was chosen by hand stays');
    await studio.choose('view.particleColour', 'plain');
    await studio.tool('mass');
    await editScene(studio, 'rope');
    await studio.tool('select');
    assert.equal((await shownBy(studio)).particleColour, 'plain', 'in another document');
    await editScene(studio, 'jelly');
    assert.equal((await shownBy(studio)).particleColour, 'plain', 'and in the next');
    await studio.page.keyboard.press('2');
    await studio.tool('mass');
    for (let i = 0; i < 2; ++i) {
        await studio.untilKept();
        await studio.reload();
    }
    assert.equal((await shownBy(studio)).particleColour, 'mass');
    await studio.tool('select');
    assert.equal((await shownBy(studio)).particleColour, 'plain', 'also after a reload');
}

// Places of all particles.
const placesOf = (studio) => studio.page.evaluate(() => {
    const rows = window.studio.app.display.particles;
    return Array.from({ length: rows.length / 16 }, (_, i) => Array.from(rows.slice(16 * i, 16 * i + 3)));
});

async function checkMirror(studio) {
    const apart = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
    const isAmong = (point, all) => all.some((one) => apart(one, point) < 1e-5);
    await studio.tool('mirror');
    await studio.page.keyboard.press('Control+d');
    await studio.number('mirror.offset', 0.1);
    const before = await placesOf(studio);
    for (const [to, sign, words] of [['plus', 1, '−X → +X'], ['minus', -1, '+X → −X']]) {
        await studio.choose('mirror.to', to);
        assert.ok((await studio.action('mirror.apply').textContent()).includes(words));
        await studio.press('mirror.apply');
        const { tolerance } = await parametersOf(studio, 'mirror');
        const after = await placesOf(studio);
        const kept = before.filter(([x]) => sign * (x - 0.1) < -tolerance / 2);
        assert.ok(kept.length > 3 && kept.every((point) => isAmong(point, after)), `${words}: what is kept`);
        assert.ok(after.every(([x, y, z]) => isAmong([0.2 - x, y, z], after)), `${words}: the same on both sides`);
        const near = before.length - kept.length - before.filter(([x]) => sign * (x - 0.1) > tolerance / 2).length;
        assert.ok(after.length <= 2 * kept.length + near, `${words}: ${after.length} of ${kept.length} and ${near}`);
        await studio.press('undo');
        assert.deepEqual(await placesOf(studio), before);
    }
}

// ---------------------------------------------------------------------------------------------
// Words

async function checkWords(studio) {
    const { page } = studio;
    for (const [tool, ...words] of [['auto', 'Automatic', 'Rebuild'], ['select', 'Element', 'Mode'], ['particle', 'Action'],
        ['edges', 'Mode'], ['mass', 'Mode'], ['spray', 'Mode'], ['bind', 'Influences']]) {
        await studio.tool(tool);
        const text = await page.locator('.inspector').innerText();
        for (const word of words) assert.match(text, new RegExp(`\\b${word}\\b`, 'i'), `${tool} says ${word}`);
        assert.doesNotMatch(text, /^(By|Of|Do|Links|Auto)$/m, tool);
    }
    await studio.action('help').click();
    const help = await page.locator('dialog.help').innerText();
    for (const word of [/\bFrame all\b/, /\bOrbit\b/, /\bAutomatic\b/]) assert.match(help, word);
    assert.doesNotMatch(help, /\bTurn\b|See all of it|\bAuto\b/i);
    await page.keyboard.press('Escape');
    await studio.action('export').click();
    const menu = await page.locator('.menu:visible').innerText();
    assert.match(menu, /\bVideo\b/);
    assert.doesNotMatch(menu, /film/i);
    await page.keyboard.press('Escape');
    await page.mouse.click(640, 700);
    await studio.scene('rope');
    assert.equal((await studio.action('simulate').innerText()).trim(), 'Close scene');
    await studio.press('simulate');
    assert.equal((await studio.state()).mode, 'author');
}

// Whoever binds everything to one particle is told so before.
async function checkBindWarning(studio) {
    await studio.tool('select');
    await studio.choose('select.what', 'particles');
    await studio.choose('select.method', 'click');
    await studio.page.keyboard.press('2');
    await clickParticle(studio);
    const { document } = await studio.state();
    assert.equal(document.selectedParticles, 1);
    await studio.tool('bind');
    const warning = studio.page.locator('.inspector .warning:visible');
    const count = (number) => number.toLocaleString('en-US');
    assert.equal(await warning.textContent(), `All ${count(document.vertices)} vertices would follow 1 selected particle, ` +
        `and none of the other ${count(document.particles - 1)}.`);
    assert.match(await studio.action('bind.apply').textContent(), new RegExp(`Bind all ${count(document.vertices)} vertices`));
    await studio.change(() => studio.page.keyboard.press('Control+d'));
    assert.equal(await warning.count(), 0);
}

// ---------------------------------------------------------------------------------------------
// What is seen

async function checkHover(studio) {
    const { page } = studio;
    const places = await placesOf(studio);
    const pixel = await studio.pixelOf(places[0]);
    const look = () => page.screenshot({ clip: { x: pixel.x - 60, y: pixel.y - 60, width: 120, height: 120 } });
    const marks = async (what) => {
        await page.mouse.move(4, 400); // in the strip
        await studio.drawn();
        const before = await look();
        await page.mouse.move(pixel.x, pixel.y);
        await until(async () => await differing(studio, before, await look()) > 20, `${what} changes under the pointer`);
        await page.mouse.move(4, 400);
        await until(async () => await differing(studio, before, await look()) === 0, `of ${what} nothing stays`);
    };
    await studio.tool('select');
    await studio.choose('select.method', 'click');
    await studio.choose('select.what', 'particles');
    await page.keyboard.press('2');
    await marks('a particle to be selected');
    await studio.tool('particle');
    await studio.choose('particle.mode', 'delete');
    await marks('a particle to be deleted');
    await studio.choose('particle.mode', 'place');
    await studio.tool('groups');
    await marks('a group');
    await studio.tool('select');
    await studio.choose('select.what', 'vertices');
    await page.keyboard.press('1');
    await marks('a vertex');
    await studio.choose('select.method', 'part');
    await marks('a part');
    await studio.choose('select.method', 'click');
}

// Letters of keys are as large and as readable as this, where they are dimmed, too: the contrast of WCAG for text.
async function checkKeyLetters(studio, { dimmed: expected }) {
    // Colours change gradually.
    await studio.page.waitForFunction(() => !document.querySelector('.strip').getAnimations({ subtree: true }).length);
    const keys = await studio.page.evaluate(() => {
        const luminance = ([r, g, b]) => [r, g, b].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        }).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
        const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
        return Array.from(document.querySelectorAll('.strip button kbd'), (letter) => {
            const style = getComputedStyle(letter);
            let opacity = 1, ground = null;
            for (let at = letter; at; at = at.parentElement) {
                const { opacity: own, backgroundColor } = getComputedStyle(at);
                opacity *= Number(own);
                if (!ground && (numbers(backgroundColor)[3] ?? 1) > 0) ground = numbers(backgroundColor);
            }
            const colour = numbers(style.color).slice(0, 3).map((value, i) => opacity * value + (1 - opacity) * ground[i]);
            const [light, dark] = [luminance(colour), luminance(ground)].sort((a, b) => b - a);
            return { name: letter.textContent, size: parseFloat(style.fontSize), contrast: (light + 0.05) / (dark + 0.05),
                dimmed: letter.closest('button').disabled };
        });
    });
    assert.ok(keys.length > 10);
    assert.ok(keys.every(({ dimmed }) => dimmed === expected));
    for (const { name, size, contrast } of keys) {
        assert.ok(size >= 11, `${name} is ${size} px large`);
        assert.ok(contrast >= 4.5, `${name} has a contrast of ${contrast.toFixed(1)}`);
    }
}

async function checkShadows(studio, expected) {
    const shadows = studio.page.locator('[data-toggle="view.shadows"] input');
    assert.deepEqual(await shadows.evaluate(({ checked, disabled }) => ({ checked, disabled })), expected);
}

// Cards of the gallery that something else lies on, at their corners or in the middle.
const coveredCards = () => Array.from(document.querySelectorAll('.gallery .card')).filter((card) => {
    const { left, right, top, bottom } = card.getBoundingClientRect();
    const places = [[left + 12, top + 12], [right - 12, top + 12], [left + 12, bottom - 12], [right - 12, bottom - 12],
        [(left + right) / 2, (top + bottom) / 2]];
    return places.some(([x, y]) => {
        const frame = document.querySelector('.gallery').getBoundingClientRect();
        const isSeen = y > frame.top && y < frame.bottom;
        return isSeen && !card.contains(document.elementFromPoint(x, y));
    });
}).map((card) => card.dataset.scene ?? 'open');

test('the first hint covers no card of the gallery', () =>
    visit(browser, process.env.PLIANT_STUDIO_PAGE, async (openPage) => {
        const page = await openPage('?light');
        await page.evaluate(() => window.studio.ready);
        const hint = page.locator('[data-panel="hint"]');
        for (const size of [{ width: 1280, height: 720 }, { width: 900, height: 640 }]) {
            await page.setViewportSize(size);
            await page.waitForFunction((width) => innerWidth === width, size.width);
            assert.ok(await hint.isVisible());
            assert.deepEqual(await page.evaluate(coveredCards), [], `${size.width} pixels wide`);
        }
        await page.setViewportSize({ width: 1280, height: 720 });
        await page.mouse.move(640, 600);
        // A turn of the wheel just after a change of size may reach a page that is not laid out yet, and is lost.
        const isScrolled = () => page.evaluate(() => new Promise((resolve) => {
            requestAnimationFrame(() => resolve(document.querySelector('.gallery').scrollTop > 0));
        }));
        while (!await isScrolled()) await page.mouse.wheel(0, 300);
        assert.deepEqual(await page.evaluate(coveredCards), [], 'scrolled');
        await page.locator('[data-scene="rope"]').click(); // the hint follows to the view
        await page.waitForFunction(() => window.studio.state.mode === 'play');
        assert.ok(await hint.isVisible());
    }));

test('a page with shadows says so', () => useStudio(browser, async (studio) => {
    await studio.scene('rope');
    await checkShadows(studio, { checked: true, disabled: false });
}, { query: '' }));

test('fields and states', (t) => useStudio(browser, async (studio) => {
    await editScene(studio, 'jelly');
    await t.test('numbers are typed as sums and with units, and tell what cannot be', () => checkTyping(studio));
    await t.test('arrow keys step numbers', () => checkKeys(studio));
    await t.test('a number is dragged by its name', () => checkScrubbing(studio));
    await t.test('what is pinned in part is shown as mixed', () => checkMixed(studio));
    await t.test('a tool takes its colours with it', () => checkColours(studio));
    await t.test('one side becomes the mirror image of the other', () => checkMirror(studio));
    await t.test('words are those of artists', () => checkWords(studio));
    await t.test('what Bind would leave to one particle is told before', () => checkBindWarning(studio));
    await t.test('what a click would take is marked', () => checkHover(studio));
    await t.test('letters of keys can be read', async () => {
        await checkKeyLetters(studio, { dimmed: false });
        await studio.scene('rope');
        await checkKeyLetters(studio, { dimmed: true });
        await studio.press('simulate');
    });
    await t.test('a page without shadows does not claim them', () => checkShadows(studio, { checked: false, disabled: true }));
}));
