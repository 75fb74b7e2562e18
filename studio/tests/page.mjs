// Opens pages from the disk in Chromium, without a network: any request but for the page itself is a failure, as is
// everything that the page writes to the console as an error.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

const ARGUMENTS = [
    '--no-sandbox', '--no-first-run', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
];
const SIZE = { width: 1280, height: 720 };
const MOST_STEPS = 3; // that the page takes for one frame
const PATIENCE = 240_000; // ms: pictures take their time without a graphics card, and on a busy machine

function findBrowser() {
    const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser',
        '/usr/bin/google-chrome'];
    const found = candidates.find((path) => path && existsSync(path));
    if (!found) throw new Error('no Chromium found; name one in the variable CHROMIUM');
    return found;
}

export const launch = () => chromium.launch({ executablePath: findBrowser(), args: ARGUMENTS, timeout: PATIENCE });

// Asks again and again until the answer is a true one, and gives that.
export async function until(ask, what) {
    const end = performance.now() + PATIENCE;
    for (;;) {
        const answer = await ask();
        if (answer) return answer;
        assert.ok(performance.now() < end, `${what}: not within ${PATIENCE / 1000} s`);
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

// What the pages of a context have done that they should not.
class Watch {
    requests = [];
    errors = [];

    constructor(context, allowed) {
        context.on('request', (request) => {
            if (!allowed(request.url())) this.requests.push(request.url());
        });
        context.on('console', (message) => {
            if (message.type() === 'error') this.errors.push(message.text());
        });
        context.on('weberror', (error) => this.errors.push(String(error.error().stack ?? error.error())));
    }

    check() {
        assert.deepEqual(this.requests, [], 'network requests');
        assert.deepEqual(this.errors, [], 'errors of the page');
    }
}

// In the page, before anything else is: writes down what is told for some seconds only, so that it can be asked for later.
// Toasts in their order; beside numbers the words that stood there last.
function writeDown() {
    window.told = { toasts: [], numbers: {} };
    new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) for (const { dataset, textContent } of addedNodes) {
            if (dataset?.toast) window.told.toasts.push({ kind: dataset.toast, text: dataset.text });
            const number = target.matches?.('.told') && target.closest('[data-number]');
            if (number && target.checkVisibility()) window.told.numbers[number.dataset.number] = textContent;
        }
    }).observe(document, { childList: true, subtree: true });
}

// Calls `use` with a function that opens the file in a new page of one visitor: his pages share what is kept. Checks
// them afterwards.
export async function visit(browser, file, use) {
    const own = pathToFileURL(file).href;
    const context = await browser.newContext({ viewport: SIZE, acceptDownloads: true });
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript(writeDown);
    const watch = new Watch(context, (url) => /^(data|blob):/.test(url) || url.split(/[?#]/)[0] === own);
    try {
        const openPage = async (query = '') => {
            const page = await context.newPage();
            await page.goto(own + query);
            return page;
        };
        const result = await use(openPage, watch);
        watch.check();
        return result;
    } finally {
        await context.close();
    }
}

// Drops files or folders of the disk on the page, as a file manager does.
export async function dropPaths(page, paths, { x, y } = { x: SIZE.width / 2, y: SIZE.height / 2 }) {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x, y, data });
    await session.detach();
}

const pagePath = () => {
    const path = process.env.PLIANT_STUDIO_PAGE;
    if (!path) throw new Error('the environment variable PLIANT_STUDIO_PAGE must name the built page');
    return path;
};

// The Studio, driven as a user drives it: by buttons, fields, keys and the mouse. It is asked directly only about what
// has become of that.
export class Studio {
    constructor(page, folder) {
        this.page = page;
        this.folder = folder;
    }

    async ready() {
        await this.page.evaluate(() => window.studio.ready);
        if (await this.action('hint.skip').isVisible()) await this.action('hint.skip').click();
    }

    // The page anew, with what it has kept.
    async reload(query = new URL(this.page.url()).search) {
        assert.deepEqual(await this.toasts('error'), []);
        await this.page.goto(this.page.url().split('?')[0] + query);
        await this.ready();
    }

    state() {
        return this.page.evaluate(() => window.studio.state);
    }

    // The core's answer to a question that changes nothing.
    ask(command, ask = {}) {
        return this.page.evaluate(([name, value]) => window.studio.engine.ask(name, value), [command, ask]);
    }

    action(name) {
        return this.page.locator(`[data-action="${name}"]:visible`).first();
    }

    // Does something and waits for the state that comes of it, until all of the page has heard of it.
    async change(act) {
        await this.idle();
        await this.page.evaluate(() => { window.stateBefore = window.studio.state; });
        await act();
        await this.page.waitForFunction(() => window.studio.state !== window.stateBefore && window.studio.isIdle);
        return this.state();
    }

    // Until all that was asked for is done.
    idle() {
        return this.page.waitForFunction(() => window.studio.isIdle);
    }

    // Gives up what goes on as soon as the page offers that: until the mouse is there, it may be done.
    cancel() {
        return this.page.waitForFunction(() => {
            const button = document.querySelector('[data-action="busy.cancel"]');
            if (!button.checkVisibility()) return false;
            button.click();
            return true;
        });
    }

    // Until what has become of it is drawn: with the next frame, and seen with the one after.
    async drawn() {
        await this.idle();
        await this.page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    }

    press(name) {
        return this.change(() => this.action(name).click());
    }

    tool(id) {
        return this.page.locator(`[data-tool="${id}"]`).click();
    }

    async number(id, value) {
        const field = this.page.locator(`[data-number="${id}"]:visible input`);
        await this.page.evaluate((name) => { window.told.numbers[name] = ''; }, id);
        await field.fill(String(value));
        await field.press('Enter');
    }

    // What was said beside the number that was typed last into that field.
    toldBy(id) {
        return this.page.evaluate((name) => window.told.numbers[name], id);
    }

    choose(id, value) {
        return this.page.locator(`[data-choice="${id}"]:visible [data-value="${value}"]`).click();
    }

    async scene(name) {
        if (!await this.page.locator(`[data-scene="${name}"]`).isVisible()) await this.action('gallery').click();
        return this.change(() => this.page.locator(`[data-scene="${name}"]`).click());
    }

    drop(...paths) {
        return this.change(() => dropPaths(this.page, paths));
    }

    // A mesh becomes a model as it is opened.
    async open(...paths) {
        const state = await this.drop(...paths);
        assert.ok(state.document?.particles > 0, JSON.stringify(state));
        return state;
    }

    // The mesh alone.
    async openBare(...paths) {
        await this.open(...paths);
        return this.press('undo');
    }

    // Space: plays the document, or leaves that.
    simulate() {
        return this.change(() => this.page.keyboard.press('Space'));
    }

    // Lets it play until there are so many steps.
    playTo(steps) {
        return this.page.waitForFunction((count) => window.studio.loop.last?.steps >= count, steps);
    }

    // Goes on to exactly so many steps and pauses there, so that what is measured then does not depend on how fast the
    // machine is: plays until shortly before, and takes the rest step by step.
    async stepTo(steps) {
        await this.page.waitForFunction(() => window.studio.loop.last);
        const { steps: now } = await this.ask('hash');
        if (now < steps - MOST_STEPS) {
            await this.page.evaluate((near) => {
                const { loop } = window.studio;
                if (!window.pauseFrom) loop.framed.on((frame) => { if (frame.steps >= window.pauseFrom) loop.run(false); });
                window.pauseFrom = near;
            }, steps - MOST_STEPS);
            await this.page.keyboard.press('k');
            await this.page.waitForFunction(() => !window.studio.loop.isRunning);
            await this.page.evaluate(() => { window.pauseFrom = Infinity; });
        }
        const { steps: near } = await this.ask('hash');
        for (let i = near; i < steps; ++i) await this.page.keyboard.press('.');
        await this.playTo(steps);
        assert.equal((await this.ask('hash')).steps, steps);
    }

    // Pauses what plays and takes it back to its beginning.
    async pauseAtBegin() {
        await this.page.keyboard.press('k');
        await this.change(() => this.page.keyboard.press('r'));
        await this.page.waitForFunction(() => window.studio.loop.last?.steps === 0);
        assert.equal(await this.page.evaluate(() => window.studio.loop.isRunning), false);
    }

    // What is seen at a place of the page, once it stands still.
    async stillPicture(clip) {
        await this.drawn();
        let last = null;
        await until(async () => {
            const before = last;
            last = await this.page.screenshot({ clip });
            return before && last.equals(before);
        }, 'a picture that stands still');
        return last;
    }

    // Where it is drawn.
    canvas() {
        return this.page.locator('canvas').first().boundingBox();
    }

    // Where a point of the world is on the screen.
    pixelOf(point) {
        return this.page.evaluate((p) => {
            const { eye, target, verticalFov } = window.studio.view.camera();
            const box = window.studio.view.element.getBoundingClientRect();
            const minus = (a, b) => a.map((x, i) => x - b[i]);
            const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
            const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
            const unit = (a) => a.map((x) => x / Math.hypot(...a));
            const forward = unit(minus(target, eye));
            const right = unit(cross(forward, [0, 1, 0]));
            const up = cross(right, forward);
            const way = minus(p, eye);
            const scale = box.height / 2 / Math.tan(verticalFov / 2) / dot(way, forward);
            return { x: box.left + box.width / 2 + scale * dot(way, right),
                y: box.top + box.height / 2 - scale * dot(way, up) };
        }, point);
    }

    // What the browser keeps, as the page has written it.
    kept() {
        return this.page.evaluate(() => new Promise((resolve, reject) => {
            const request = indexedDB.open('pliant-studio');
            request.onerror = reject;
            request.onsuccess = () => {
                const read = request.result.transaction('records').objectStore('records').get('present');
                read.onsuccess = () => {
                    request.result.close();
                    resolve(read.result ?? null);
                };
            };
        }));
    }

    // Waits until all that was done is kept, and how it is looked at.
    async untilKept() {
        await this.idle();
        const { history } = await this.state();
        const settings = JSON.stringify(await this.page.evaluate(() => window.studio.app.settings));
        await until(async () => {
            const kept = await this.kept();
            const labels = kept?.history.entries.map(({ label }) => label);
            return kept?.history.position === history.position && String(labels) === String(history.labels) &&
                JSON.stringify(kept.settings) === settings;
        }, 'all is kept');
    }

    // The path of the file that is given to the user.
    async download(act) {
        const [download] = await Promise.all([this.page.waitForEvent('download'), act()]);
        const path = join(this.folder, download.suggestedFilename());
        await download.saveAs(path);
        return path;
    }

    // The texts of all toasts of that kind, also of those that have left since.
    toasts(kind) {
        return this.page.evaluate((wanted) => window.told.toasts.filter((toast) => toast.kind === wanted)
            .map(({ text }) => text), kind);
    }

    // Waits for a message of what went wrong, closes it and forgets it.
    async expectError(pattern) {
        const texts = await until(async () => {
            const all = await this.toasts('error');
            return all.length && all;
        }, `an error that says ${pattern}`);
        for (const text of texts) assert.match(text, pattern);
        await this.closeToasts('error');
    }

    // The same with a note, among others.
    async expectNote(pattern) {
        await until(async () => (await this.toasts('note')).some((text) => pattern.test(text)), `a note that says ${pattern}`);
        await this.closeToasts('note');
    }

    async closeToasts(kind) {
        await this.page.evaluate((wanted) => {
            for (const button of document.querySelectorAll(`[data-toast="${wanted}"] button`)) button.click();
            window.told.toasts = window.told.toasts.filter((toast) => toast.kind !== wanted);
        }, kind);
        await this.page.waitForFunction((wanted) => !document.querySelector(`[data-toast="${wanted}"]`), kind);
    }
}

// Calls `use` with the Studio in a new visitor's browser; see `visit`. No error may have been told in the end, but for
// those that `use` has taken away.
export async function useStudio(browser, use, { query = '?light' } = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'pliant-studio-'));
    try {
        return await visit(browser, pagePath(), async (openPage, watch) => {
            const studio = new Studio(await openPage(query), folder);
            await studio.ready();
            const result = await use(studio, watch);
            assert.deepEqual(await studio.toasts('error'), []);
            return result;
        });
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// How many values of pixels differ between two pictures of the page.
export async function differing(studio, before, after) {
    return studio.page.evaluate(async (pictures) => {
        const pixels = await Promise.all(pictures.map(async (content) => {
            const image = new Image();
            image.src = `data:image/png;base64,${content}`;
            await image.decode();
            const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
            const context = canvas.getContext('2d');
            context.drawImage(image, 0, 0);
            return context.getImageData(0, 0, image.width, image.height).data;
        }));
        return pixels[0].reduce((count, value, i) => count + (Math.abs(value - pixels[1][i]) > 30 ? 1 : 0), 0);
    }, [before, after].map((picture) => picture.toString('base64')));
}

export const pageSize = () => readFileSync(pagePath()).length;
