// Every mesh of others becomes a model by itself, lives five seconds on the ground and bakes into a file without
// faults. The folder is $PLIANT_ASSETS, or shared/assets beside the project.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { openGltf, problems } from './gltf.mjs';
import { assetFolder, livingPath, pliant, withFolder } from './pliant.mjs';

function run(...args) {
    const result = pliant(...args);
    assert.equal(result.status, 0, result.stderr);
    return result.stdout;
}

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
        run('author', path, '-o', model, '--quiet');
        checkLinks(JSON.parse(run('info', model, '--json')));
        const living = spawnSync(livingPath(), [model], { encoding: 'utf8' });
        assert.equal(living.status, 0, living.stderr);
        assert.ok(Number(living.stdout) > 0.1 && Number(living.stdout) < 3, `grows to ${living.stdout.trim()} times its size`);
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
