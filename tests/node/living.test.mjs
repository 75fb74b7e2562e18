// Every mesh of others becomes a model by itself, with particles in all its extremities, lives ten seconds on the ground
// without going through it and bakes into a file without faults. The folder is $PLIANT_ASSETS, or shared/assets beside the project.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

import { openGltf, problems } from './gltf.mjs';
import { assetFolder, livingPath, pliant, withFolder } from './pliant.mjs';

function run(...args) {
    const result = pliant(...args);
    assert.equal(result.status, 0, result.stderr);
    return result.stdout;
}

// Within a hundredth of their size, about x = 0.
const SYMMETRIC = ['spot.obj', 'spot_control_mesh.obj', 'koala.obj', 'makehuman_female_generic.obj',
    'makehuman_female_elegantsuit01.obj', 'makehuman_hair_long01.obj', 'KayKit_banner_triple_blue.glb', 'CesiumMan.glb',
    'CesiumMilkTruck.glb', 'Fox.glb'];

function checkLinks(info) {
    const { model } = info;
    assert.ok(model.particles > 0);
    // At least one for each vertex, or loading would have failed.
    assert.ok(model.links >= model.vertices);
    assert.ok(model.mass > 0);
}

async function check(path) {
    await withFolder(async (folder) => {
        const model = join(folder, 'model.glb'), bake = join(folder, 'bake.glb');
        const { spacing } = JSON.parse(run('author', path, '-o', model, '--quiet', '--json'));
        checkLinks(JSON.parse(run('info', model, '--json')));
        const living = spawnSync(livingPath(), [model], { encoding: 'utf8' });
        assert.equal(living.status, 0, living.stderr);
        const { largest, below, deepest, bare, asymmetry } = JSON.parse(living.stdout);
        assert.ok(largest > 0.1 && largest < 3, `grows to ${largest} times its size`);
        assert.ok(below <= 0.01 && deepest <= 0.02, `${100 * below} % are below the ground, by up to ${100 * deepest} %`);
        assert.ok(bare <= 0.5 * spacing, `skin ${bare / spacing} spacings from all particles`);
        if (SYMMETRIC.includes(basename(path)))
            assert.ok(asymmetry <= 0.1 * spacing, `an image is ${asymmetry / spacing} spacings from all particles`);
        run('run', model, '-o', bake, '--seconds', '5', '--fps', '60', '--quiet');
        assert.deepEqual(await problems(bake, 'error'), []);
        assert.equal(openGltf(bake).json.animations.length, 1);
    });
}

const folder = assetFolder();
if (!existsSync(join(folder, 'facts.json'))) {
    test('meshes of others', (t) => t.diagnostic(`not tested: there is no folder ${folder}`));
} else {
    const facts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'));
    for (const name of Object.keys(facts.assets)) test(name, () => check(join(folder, name)));
}
