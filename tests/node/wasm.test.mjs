// The WebAssembly module needs nothing from its host and computes the native bits.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nativeHashes, wasmPath } from './pliant.mjs';
import { loadModule, wasmHashes } from './wasm_hashes.mjs';

test('the module imports nothing', async () => {
    const { module } = await loadModule(wasmPath());
    assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('runs are repeatable and depend on their length', async () => {
    const { exports } = await loadModule(wasmPath());
    const first = exports.run(0, 10, 1 / 60);
    assert.equal(exports.run(0, 10, 1 / 60), first);
    assert.notEqual(exports.run(0, 11, 1 / 60), first);
});

const STEPS = 30; // tests/determinism compares longer runs
const native = nativeHashes(STEPS);
const inModule = await wasmHashes(wasmPath(), STEPS);
for (const [index, line] of native.entries()) {
    test(`${line.split(' ')[0]} has the native hash`, () => assert.equal(inModule[index], line));
}
test('the module has the same scenes', () => assert.equal(inModule.length, native.length));
