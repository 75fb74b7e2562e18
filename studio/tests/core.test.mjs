// The core of the page in node, by the page's own engine: what it answers, and that it computes the native bits.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { sceneNames, succeed, withFolder } from '../../tests/node/pliant.mjs';
import { importSource } from './bundle.mjs';

const { LocalEngine } = await importSource('core/engine.ts');
const { View } = await importSource('core/protocol.ts');

const wasm = readFileSync(process.env.PLIANT_STUDIO_WASM);
const start = () => LocalEngine.start(wasm);
const DT = 1 / 60;

// The mesh of the octopus that is built in becomes the document.
async function startWithOctopus() {
    const engine = await start();
    await engine.ask('scene', { name: 'octopus' });
    return { engine, state: await engine.ask('edit', { body: 0 }) };
}

// A model made step by step, an entry of the history each.
async function author(engine) {
    const run = (label, ...tools) => engine.ask('run', { label, tools });
    await engine.ask('select', { what: 'particles', mode: 'set', rules: [{ all: {} }] });
    await run('Remove', { remove: { particles: 'selected' } });
    await run('Spray', { spray: { count: 300 } });
    const { document } = await run('Fit', { fit: { drift: 4 } });
    await run('Connect', { connect: { distance: 1.6 * document.spacing } });
    await run('Bind', { bind: {} });
    return run('Mass', { mass: { density: 300 } });
}

async function simulate(engine, steps) {
    await engine.ask('simulate', {});
    for (let i = 0; i < steps; ++i) await engine.frame(DT, 1, false);
    return (await engine.ask('hash', {})).hash;
}

async function exported(engine, kind) {
    const { size, name } = await engine.ask('export', { kind });
    const bytes = await engine.view(View.file);
    assert.equal(bytes.length, size);
    return { name, bytes };
}

test('the module imports nothing but who hears of its progress', () =>
    assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(wasm)),
        [{ module: 'page', name: 'progress', kind: 'function' }]));

test('has every scene there is', async () => {
    const { scenes, mode } = await (await start()).ask('state', {});
    assert.equal(mode, 'empty');
    for (const name of sceneNames) assert.ok(scenes.some((scene) => scene.name === name), name);
});

for (const name of ['octopus', 'truck', 'marbles']) {
    test(`${name} plays as the command line runs it`, async () => {
        const engine = await start();
        const { stage } = await engine.ask('scene', { name });
        let frame = null;
        for (let i = 0; i < 30; ++i) frame = await engine.frame(DT, 2, true);
        assert.equal(frame.steps, 60);
        assert.equal(frame.positions.length, 3 * stage.vertices);
        assert.equal(frame.normals.length, 3 * stage.vertices);
        assert.equal(frame.poses.length, 7 * stage.particles);
        assert.equal(frame.colliders.length, 7 * stage.colliders);
        assert.equal(frame.contacts.length % 7, 0);
        assert.ok(frame.positions.every(Number.isFinite));
        assert.equal((await engine.ask('hash', {})).hash, succeed('run', name, '--seconds', '1', '--hash').trim());
    });
}

test('frames are copies', async () => {
    const engine = await start();
    await engine.ask('scene', { name: 'octopus' });
    const first = await engine.frame(DT, 0, false);
    const before = first.poses.slice();
    const second = await engine.frame(DT, 10, false);
    assert.deepEqual(first.poses, before);
    assert.notDeepEqual(second.poses, before);
});

test('a model of the page runs as the command line runs its file', async () => {
    const { engine } = await startWithOctopus();
    const { document } = await author(engine);
    assert.ok(document.particles > 100 && document.edges > document.particles, JSON.stringify(document));
    assert.equal(document.unbound, 0);
    const hash = await simulate(engine, 60);
    await withFolder(async (folder) => {
        for (const kind of ['model', 'blob']) {
            const { name, bytes } = await exported(engine, kind);
            const path = join(folder, name);
            writeFileSync(path, bytes);
            assert.equal(succeed('run', path, '--seconds', '1', '--hash').trim(), hash, kind);
        }
    });
});

// The axes as Sketchfab turns them.
test('a mesh is moved by its node as it is natively', async () => {
    const positions = Buffer.from(new Float32Array([1, 2, 3, 2, 2, 3, 1, 5, 4]).buffer);
    const gltf = {
        asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0, matrix: [1, 0, 0, 0, 0, 2.220446049250313e-16, -1, 0, 0, 1, 2.220446049250313e-16, 0, 0, 0, 0, 1] }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [1, 2, 3], max: [2, 5, 4] }],
        bufferViews: [{ buffer: 0, byteLength: positions.length }],
        buffers: [{ byteLength: positions.length,
            uri: `data:application/octet-stream;base64,${positions.toString('base64')}` }],
    };
    const engine = await start();
    await engine.putFile('turned.gltf', new TextEncoder().encode(JSON.stringify(gltf)).buffer);
    const { document } = await engine.ask('open', { file: 'turned.gltf' });
    assert.deepEqual([document.minimum, document.maximum], [[1, 3, -5], [2, 4, -2]]);
});

test('a history that was kept comes back whole in another core', async () => {
    const { engine } = await startWithOctopus();
    await author(engine);
    for (let i = 0; i < 3; ++i) await engine.ask('undo', {});
    const history = await engine.ask('history', {});
    const before = await engine.ask('state', {});
    const blocks = new Map();
    for (const id of new Set(history.entries.flatMap((entry) => entry.blocks))) blocks.set(id, await engine.block(id));

    const other = await start();
    for (const [id, bytes] of blocks) await other.putBlock(id, bytes);
    const after = await other.ask('restore', history);
    const comparable = (state) => ({ ...state, notes: [], document: { ...state.document, revision: 0 } });
    assert.deepEqual(comparable(after), comparable(before));
    for (let i = 0; i < 3; ++i) {
        await other.ask('redo', {});
        await engine.ask('redo', {});
    }
    for (const view of [View.positions, View.particles, View.edges, View.selectedParticles])
        assert.deepEqual(await other.view(view), await engine.view(view), View[view]);
    assert.equal(await simulate(other, 20), await simulate(engine, 20));
});

test('what fails says where and leaves everything as it was', async () => {
    const { engine } = await startWithOctopus();
    const before = await engine.ask('state', {});
    const failures = [
        () => engine.ask('open', { file: 'nowhere.glb' }),
        () => engine.ask('run', { label: 'Spray', tools: [{ spray: { spacing: -1 } }] }),
        () => engine.ask('run', { label: 'Nothing', tools: [{ dance: {} }] }),
        () => engine.ask('travel', { position: 99 }),
        () => engine.ask('scene', { name: 'nowhere' }),
        () => engine.ask('restore', { position: 1, entries: [{ label: 'x', blocks: [12345] }] }),
        () => engine.putFile('empty.glb', new ArrayBuffer(0)).then(() => engine.ask('open', { file: 'empty.glb' })),
    ];
    for (const fail of failures) {
        await assert.rejects(fail(), (error) => {
            assert.match(error.failure?.code ?? '', /^PLIANT_ERROR_/, String(error));
            assert.match(error.message, /^[^\n]+$/);
            return true;
        });
        assert.deepEqual({ ...await engine.ask('state', {}), notes: [] }, { ...before, notes: [] }, String(fail));
    }
});
