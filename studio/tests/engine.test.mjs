// The engine around the core: what it does when the core cannot go on.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { importSource } from './bundle.mjs';
import { number, tinyWasm, trap } from './tiny_wasm.mjs';

const { LocalEngine, STOPPED } = await importSource('core/engine.ts');

// A core that has room for texts and nothing else.
const poor = {
    begin: { body: number(1) },
    text_room: { parameters: 'i', body: number(8) },
    command: { parameters: 'i', body: trap },
    file_room: { parameters: 'i', body: number(0) },
    view: { parameters: 'i', body: number(0) },
    block: { parameters: 'i', body: number(0) },
};
const failsWith = (code, message) => (error) => {
    assert.equal(error.failure.code, code);
    assert.match(error.message, message);
    return true;
};

test('a core that does not begin is out of memory', async () => {
    await assert.rejects(LocalEngine.start(tinyWasm({ begin: { body: number(0) } })),
        failsWith('PLIANT_ERROR_MEMORY', /out of memory/));
});

test('no room for a file is an error of that file and not the end', async () => {
    const engine = await LocalEngine.start(tinyWasm(poor));
    for (let i = 0; i < 2; ++i)
        await assert.rejects(engine.putFile('cow.glb', new ArrayBuffer(4)),
            failsWith('PLIANT_ERROR_MEMORY', /^cow\.glb: out of memory$/));
    await assert.rejects(engine.block(7), failsWith('PLIANT_ERROR_ARGUMENT', /^block 7/));
});

test('what cannot be seen is empty', async () => {
    const engine = await LocalEngine.start(tinyWasm(poor));
    for (const [view, kind] of [[0, Uint8Array], [1, Float32Array], [3, Int32Array], [14, Uint8Array]]) {
        const array = await engine.view(view);
        assert.ok(array instanceof kind, `view ${view}`);
        assert.equal(array.length, 0);
    }
});

test('a trap ends the engine', async () => {
    const engine = await LocalEngine.start(tinyWasm(poor));
    await assert.rejects(engine.ask('state', {}), failsWith(STOPPED, /the core stopped working: unreachable/));
    await assert.rejects(engine.putFile('cow.glb', new ArrayBuffer(4)), failsWith(STOPPED, /stopped/));
    await assert.rejects(engine.view(0), failsWith(STOPPED, /stopped/));
});
