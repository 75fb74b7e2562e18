// Files of others, read and written again: as plain GLBs, as model GLBs and baked with their looks. The folder is
// $PLIANT_ASSETS, or shared/assets beside the project.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { openGltf, problems } from './gltf.mjs';
import { assetFolder, meshToolPath, pliant, withFolder } from './pliant.mjs';

const tool = (...args) => spawnSync(meshToolPath(), args, { encoding: 'utf8' });

function run(...args) {
    const result = tool(...args);
    assert.equal(result.status, 0, result.stderr);
}

// All but where bytes lie.
function withoutPlaces({ buffers, bufferViews = [], images = [], ...rest }) {
    const views = bufferViews.map(({ buffer, byteOffset, ...view }) => view);
    const texts = images.map(({ uri, bufferView, mimeType, ...image }) => image);
    return { ...rest, views, texts };
}

function assertSameBytes(actual, expected) {
    assert.equal(actual.length, expected.length);
    expected.forEach((bytes, i) => assert.ok(bytes.equals(actual[i]), `bytes ${i}`));
}

async function checkWritten(source, path, output) {
    run('write', path, output);
    const written = openGltf(output);
    assert.deepEqual(withoutPlaces({ ...written.json,
        bufferViews: written.json.bufferViews?.slice(0, source.views.length) }),
    withoutPlaces(source.json));
    assertSameBytes(written.views.slice(0, source.views.length), source.views);
    assertSameBytes(written.images, source.images);
    assert.ok(written.json.images?.every(({ uri }) => uri === undefined) ?? true);
    assert.ok(written.json.buffers.length === 1 && !written.json.buffers[0].uri);
    const again = `${output}.again`;
    run('write', output, again);
    assert.ok(readFileSync(again).equals(readFileSync(output)));
}

async function checkModel(source, path, output) {
    run('model', path, output);
    const { json, images } = openGltf(output);
    assertSameBytes(images, source.images);
    assert.ok(json.extensionsUsed.includes('PLIANT_model'));
    const again = `${output}.again`;
    run('model', output, again);
    assert.ok(readFileSync(again).equals(readFileSync(output)));
    run('write', output, again);
    assert.ok(readFileSync(again).equals(readFileSync(output)));
    const info = pliant('info', output, '--json');
    assert.equal(info.status, 0, info.stderr);
    assert.equal(JSON.parse(info.stdout).model.particles, 1);
}

// Two bodies of one model and the ground.
function checkBake(source, path, output) {
    run('bake', path, output);
    const { json, images } = openGltf(output);
    const count = (list) => list?.length ?? 0;
    const shared = json.nodes.filter(({ name }) => name === 'first' || name === 'second');
    assert.deepEqual(shared.map(({ mesh }) => mesh), [0, 0]);
    assert.notEqual(shared[0].skin, shared[1].skin);
    assert.equal(count(json.materials), count(source.json.materials) + 1);
    assert.equal(count(json.textures), count(source.json.textures));
    assert.equal(count(json.samplers), count(source.json.samplers));
    assertSameBytes(images, source.images);
    source.json.materials?.forEach((material, i) => assert.deepEqual(json.materials[i], material));
    source.json.textures?.forEach((texture, i) => assert.deepEqual(json.textures[i], texture));
    for (const { attributes } of json.meshes[0].primitives)
        assert.ok(attributes.JOINTS_0 >= 0 && attributes.WEIGHTS_0 >= 0);
}

// A plain mesh with the same looks, whatever rig and animations there were.
function checkReshaped(source, path, output) {
    run('reshape', path, output);
    const { json, images } = openGltf(output);
    assertSameBytes(images, source.images);
    for (const list of ['materials', 'textures', 'samplers'])
        assert.deepEqual(json[list] ?? [], source.json[list] ?? []);
    assert.ok(!json.skins && !json.animations && json.nodes.every(({ children }) => !children));
}

async function check(path) {
    const source = openGltf(path);
    const faults = await problems(path, 'error');
    await withFolder(async (folder) => {
        const outputs = ['write', 'model', 'bake', 'reshape'].map((name) => join(folder, `${name}.glb`));
        await checkWritten(source, path, outputs[0]);
        await checkModel(source, path, outputs[1]);
        checkBake(source, path, outputs[2]);
        checkReshaped(source, path, outputs[3]);
        assert.deepEqual(await problems(outputs[2]), []);
        if (faults.length > 0) return;
        for (const output of outputs) assert.deepEqual(await problems(output, 'error'), []);
    });
}

const folder = assetFolder();
if (!existsSync(folder)) {
    test('files of others', (t) => t.diagnostic(`not tested: there is no folder ${folder}`));
} else {
    const files = readdirSync(folder, { recursive: true })
        .filter((name) => /\.(glb|gltf)$/.test(name) && !name.includes('malformed')).sort();
    for (const name of files) {
        const path = join(folder, name);
        if (openGltf(path).json.extensionsRequired?.includes('KHR_draco_mesh_compression'))
            test(`${name}: refused`, () => assert.match(tool('write', path, '/dev/null').stderr, /draco/));
        else test(name, () => check(path));
    }
    for (const name of readdirSync(folder, { recursive: true }).filter((file) => /^static.*\.obj$/.test(file))) {
        test(`${name}: reshaped`, () => withFolder(async (place) => {
            const outputs = ['write', 'reshape'].map((command) => join(place, `${command}.glb`));
            run('write', join(folder, name), outputs[0]);
            checkReshaped(openGltf(outputs[0]), join(folder, name), outputs[1]);
            assert.deepEqual(await problems(outputs[1], 'error'), []);
        }));
    }
}
