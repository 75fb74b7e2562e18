// What goes wrong is told in one line, and the work is still there.
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { launch, useStudio } from './page.mjs';

const comparable = ({ mode, document, history }) => ({ mode, document, history });

// A GLB that ends in the middle of its JSON.
function cutGlb() {
    const text = Buffer.from('{"asset": {"version": "2.0"}, "meshes": [{"primit');
    const header = Buffer.alloc(20);
    header.write('glTF');
    [2, 4000, 3900, 0x4e4f534a].forEach((value, i) => header.writeUInt32LE(value, 4 + 4 * i));
    return Buffer.concat([header, text]);
}

const FILES = [
    { what: 'a corrupt file', name: 'broken.glb', content: cutGlb(), says: /^Broken\.glb: GLB: /i },
    { what: 'noise', name: 'noise.glb', content: Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 77) & 255)),
        says: /^noise\.glb: /i },
    { what: 'an empty file', name: 'empty.glb', content: '', says: /^empty\.glb: /i },
    { what: 'a file of 500 MB', name: 'huge.glb', content: '', size: 500e6, says: /^huge\.glb: 477 MB are more/i },
    { what: 'a mesh without triangles', name: 'points.obj', content: 'v 0 0 0\nv 1 0 0\nv 0 1 0\n', says: /^points\.obj: /i },
    { what: 'a broken scene', name: 'scene.json', content: '{"pliant": 1, "bodies": [{"model": 3}]}', says: /^scene\.json: /i },
    { what: 'something else', name: 'notes.txt', content: 'Dear diary', says: /^notes\.txt: nothing to open here/i },
];

// A document with some history, whatever is dropped on it.
async function startWork(studio) {
    await studio.scene('jelly');
    await studio.press('edit');
    await studio.tool('auto');
    return studio.press('auto.apply');
}

// What the browser does when a worker runs out of its memory; the next one to ask hears of it.
async function stopCore(studio) {
    await studio.page.evaluate(() =>
        window.studio.engine.worker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })));
    await studio.press('undo');
}

// Work that would take long, given up as soon as the page offers that.
async function cancelLongWork(studio) {
    await studio.tool('auto');
    await studio.choose('auto.by', 'count');
    await studio.number('auto.count', 1e6);
    assert.equal(await studio.page.locator('[data-number="auto.count"] input').inputValue(), '20,000');
    await studio.action('auto.apply').click();
    await studio.cancel();
    await studio.expectNote(/^Cancelled/);
    await studio.idle();
    assert.equal(await studio.page.locator('[data-action="busy.cancel"]').isVisible(), false);
}

const withoutRevision = ({ mode, document, history }) => ({ mode, history, document: { ...document, revision: 0 } });

test('files that cannot be opened, a lost picture, a core that stops, work that is given up', async () => {
    const browser = await launch();
    try {
        await useStudio(browser, async (studio, watch) => {
            const before = comparable(await startWork(studio));
            for (const { what, name, content, size, says } of FILES) {
                const path = join(studio.folder, name);
                writeFileSync(path, content);
                if (size) truncateSync(path, size);
                await studio.drop(path);
                await studio.expectError(says);
                assert.deepEqual(comparable(await studio.state()), before, what);
            }

            const lose = (now) => studio.page.evaluate((lost) => {
                window.loss ??= document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
                if (lost) window.loss.loseContext();
                else window.loss.restoreContext();
            }, now);
            await lose(true);
            await studio.expectError(/graphics|picture/i);
            assert.deepEqual(comparable(await studio.state()), before, 'a lost picture');
            await studio.press('undo');
            await studio.press('redo');
            await lose(false);
            await studio.expectNote(/picture is back/);
            assert.deepEqual(comparable(await studio.state()), before, 'a picture that came back');

            await studio.untilKept();
            await stopCore(studio);
            await studio.expectError(/stopped working/);
            assert.deepEqual(withoutRevision(await studio.state()), withoutRevision(before));

            const undone = await studio.press('undo');
            await cancelLongWork(studio);
            assert.deepEqual(withoutRevision(await studio.state()), withoutRevision(undone));
            await studio.press('redo');
            // Of a lost context the browser itself tells the console.
            watch.errors = watch.errors.filter((text) => !/context lost/i.test(text));
        });
    } finally {
        await browser.close();
    }
});
