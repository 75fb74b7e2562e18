// What leaves the page: under which names, and how many frames there are at which times.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { after, before, test } from 'node:test';

import { openGltf, problems } from '../../tests/node/gltf.mjs';
import { withFolder } from '../../tests/node/pliant.mjs';
import { meshPaths } from './meshes.mjs';
import { launch, until, useStudio } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

async function openSheet(studio, item) {
    await studio.action('export').click();
    await studio.action(item).click();
}

// ---------------------------------------------------------------------------------------------
// Names

test('no export takes the name of the file it was made of', () => withFolder(async (folder) => {
    const [path] = await meshPaths(browser, folder, ['static/spot.obj'], 'jelly');
    const name = basename(path).replace(/\.[^.]*$/, '');
    await useStudio(browser, async (studio) => {
        const names = [];
        studio.page.on('download', (download) => names.push(download.suggestedFilename()));
        await studio.open(path);
        for (const [item, ...expected] of [
            ['model', `${name}-model.glb`], ['blob', `${name}.pliant`], ['mesh', `${name}-mesh.glb`],
            ['scene', `${name}-scene.json`, `${name}-model.glb`], ['picture', `${name}-picture.png`],
        ]) {
            names.length = 0;
            await openSheet(studio, `export.${item}`);
            await until(() => names.length >= expected.length, `the export of ${item}`);
            assert.deepEqual(names, expected);
            assert.ok(!names.includes(basename(path)), `${item} would take the place of ${basename(path)}`);
        }
        const model = await studio.download(() => studio.page.keyboard.press('Control+s'));
        assert.equal(basename(model), `${name}-model.glb`);
        await studio.open(model);
        const again = await studio.download(() => openSheet(studio, 'export.model'));
        assert.equal(basename(again), `${name}-model.glb`, 'endings do not pile up');
    });
}));

// ---------------------------------------------------------------------------------------------
// Bakes

// The times of the frames of the animation in a GLB.
function timesOf(path) {
    const { json, views } = openGltf(path);
    const { bufferView, byteOffset = 0, count } = json.accessors[json.animations[0].samplers[0].input];
    return Array.from({ length: count }, (_, k) => views[bufferView].readFloatLE(byteOffset + 4 * k));
}

function checkTimes(times, count, fps) {
    assert.equal(times.length, count);
    times.forEach((time, k) => assert.ok(Math.abs(time - k / fps) < 1e-4, `frame ${k} of ${fps} fps at ${time} s`));
}

async function bake(studio, { which, rate, fps, seconds }) {
    await openSheet(studio, 'export.bake');
    await studio.choose('bake.which', which);
    await studio.number('bake.seconds', seconds);
    if (rate) await studio.choose('bake.rate', rate);
    if (fps) await studio.number('bake.fps', fps);
    const path = await studio.download(() => studio.action('bake.start').click());
    assert.match(basename(path), /^chain-bake\.glb$/i);
    assert.deepEqual(await problems(path, 'error'), []);
    return path;
}

test('bakes have the length and the frame rate that were asked for', () => useStudio(browser, async (studio) => {
    await studio.scene('chain');
    await studio.press('edit');

    await openSheet(studio, 'export.bake');
    const sheet = studio.page.locator('dialog.bake');
    const words = await sheet.textContent();
    assert.match(words, /From now on/);
    assert.match(words, /What was just played/);
    assert.doesNotMatch(words, /\bNext\b/);
    assert.ok(await studio.page.locator('[data-choice="bake.which"] [data-value="last"]').isDisabled(), 'nothing has played');
    await studio.page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });

    checkTimes(timesOf(await bake(studio, { which: 'next', rate: 24, seconds: 0.5 })), 13, 24);
    checkTimes(timesOf(await bake(studio, { which: 'next', fps: 12.5, seconds: 0.4 })), 6, 12.5);
    await studio.action('play').click(); // a bake ends paused
    await studio.playTo(90);
    await studio.page.keyboard.press('k');
    checkTimes(timesOf(await bake(studio, { which: 'last', rate: 60, seconds: 0.5 })), 31, 60);
    checkTimes(timesOf(await bake(studio, { which: 'last', rate: 25, seconds: 0.8 })), 21, 25);
}));

// ---------------------------------------------------------------------------------------------
// Videos

// Matroska's elements that hold others, and those that are looked at.
const INSIDE = new Set([0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1f43b675, 0x1c53bb6b, 0xbb, 0xb7]);

function* elementsOf(bytes, from = 0, to = bytes.length) {
    for (let at = from; at < to;) {
        const idLength = Math.clz32(bytes[at]) - 23;
        const id = bytes.readUIntBE(at, idLength);
        const sizeLength = Math.clz32(bytes[at + idLength]) - 23;
        let size = bytes[at + idLength] & (0xff >> sizeLength);
        for (let i = 1; i < sizeLength; ++i) size = size * 256 + bytes[at + idLength + i];
        const begin = at + idLength + sizeLength;
        assert.ok(begin + size <= to, `the element ${id.toString(16)} at ${at} is cut off`);
        yield { id, at, begin, content: bytes.subarray(begin, begin + size) };
        if (INSIDE.has(id)) yield* elementsOf(bytes, begin, begin + size);
        at = begin + size;
    }
}

const wholeOf = (content) => content.reduce((value, byte) => value * 256 + byte, 0);

// What the file says: its size, its length, the times of its frames, and whether its index is right.
function readVideo(path) {
    const elements = [...elementsOf(readFileSync(path))];
    const one = (id) => elements.find((element) => element.id === id);
    const segment = one(0x18538067);
    const clusters = new Set(elements.filter(({ id }) => id === 0x1f43b675).map(({ at }) => at - segment.begin));
    let cluster = 0;
    const times = [];
    for (const { id, content } of elements) {
        if (id === 0xe7) cluster = wholeOf(content);
        if (id === 0xa3) times.push(cluster + content.readInt16BE(1));
    }
    const cues = elements.filter(({ id }) => id === 0xf1).map(({ content }) => wholeOf(content));
    assert.ok(cues.length > 0 && cues.every((cue) => clusters.has(cue)), 'the index names clusters');
    return {
        width: wholeOf(one(0xb0).content), height: wholeOf(one(0xba).content),
        milliseconds: one(0x4489).content.readDoubleBE(), times,
    };
}

// The video as the browser plays it: how long it is, and how much its pictures at the beginning and the end differ.
function playVideo(page, path) {
    return page.evaluate(async (content) => {
        const video = document.createElement('video');
        video.muted = true;
        const happens = (name) => new Promise((resolve, reject) => {
            video.addEventListener(name, resolve, { once: true });
            video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true });
        });
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }));
        await happens('loadeddata');
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
        // That a frame has been sought does not say yet that it is the one that would be drawn.
        const isShown = (time) => new Promise((resolve) => {
            const look = (now, { mediaTime }) => {
                if (mediaTime > time - 0.1) resolve();
                else video.requestVideoFrameCallback(look);
            };
            video.requestVideoFrameCallback(look);
        });
        const pixelsAt = async (time) => {
            const shown = time > 0.1 ? isShown(time) : null;
            video.currentTime = time;
            await happens('seeked');
            await shown;
            const context = canvas.getContext('2d');
            context.drawImage(video, 0, 0);
            return context.getImageData(0, 0, canvas.width, canvas.height).data;
        };
        const first = await pixelsAt(0.001), last = await pixelsAt(video.duration - 0.02);
        const changed = first.reduce((count, value, i) => count + (Math.abs(value - last[i]) > 40 ? 1 : 0), 0);
        URL.revokeObjectURL(video.src);
        return { seconds: video.duration, width: video.videoWidth, height: video.videoHeight, changed };
    }, readFileSync(path).toString('base64'));
}

test('videos have every frame, however slow the machine is', () => useStudio(browser, async (studio) => {
    await studio.scene('chain');
    await studio.playTo(2);
    await studio.page.keyboard.press('k');
    await studio.page.waitForFunction(() => !window.studio.loop.isRunning);
    const { width, height } = await studio.canvas();
    for (const { seconds, fps, usual } of [{ seconds: 1.5, fps: 24, usual: true }, { seconds: 0.5, fps: 50 }]) {
        const before = await studio.ask('hash');
        await openSheet(studio, 'export.video');
        await studio.number('video.seconds', seconds);
        if (usual) await studio.choose('video.rate', fps);
        else await studio.number('video.fps', fps);
        const path = await studio.download(() => studio.action('video.start').click());
        assert.equal(basename(path), 'chain-video.webm');
        const video = readVideo(path);
        const count = seconds * fps;
        assert.deepEqual(video.times, Array.from({ length: count }, (_, k) => Math.round((1000 * k) / fps)));
        assert.equal(video.milliseconds, 1000 * seconds);
        assert.deepEqual([video.width, video.height], [width & ~1, height & ~1]);
        const { time } = await studio.ask('hash');
        assert.ok(Math.abs(time - before.time - (count - 1) / fps) < 1e-3, `${time - before.time} s have passed`);
        const played = await playVideo(studio.page, path);
        assert.ok(Math.abs(played.seconds - seconds) < 2e-3, `it plays for ${played.seconds} s`);
        assert.deepEqual([played.width, played.height], [video.width, video.height]);
        assert.ok(played.changed > 500, `${played.changed} values differ between the first frame and the last`);
    }
}));

test('a video that is cancelled leaves no file and goes on where it was', () => useStudio(browser, async (studio) => {
    await studio.scene('chain');
    await studio.playTo(2);
    let downloads = 0;
    studio.page.on('download', () => ++downloads);
    await openSheet(studio, 'export.video');
    await studio.number('video.seconds', 300);
    await studio.action('video.start').click();
    await studio.page.locator('dialog [role=progressbar][aria-valuenow]').waitFor();
    await studio.page.keyboard.press('Escape');
    await studio.page.locator('dialog.video').waitFor({ state: 'detached' });
    await studio.action('play').click();
    const { steps } = await studio.ask('hash');
    await studio.playTo(steps + 5);
    assert.equal(downloads, 0);
}));
