// pliant author: from a mesh to a model.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { writeBoxes } from './boxes.mjs';
import { openGltf, problems } from './gltf.mjs';
import { cliPath, failWith, pliant, succeed, withFolder } from './pliant.mjs';

function describe(path) {
    const info = JSON.parse(succeed('info', path, '--json'));
    return info.model ?? info;
}

function writeRecipe(folder, recipe) {
    const path = join(folder, 'recipe.json');
    writeFileSync(path, typeof recipe === 'string' ? recipe : JSON.stringify(recipe));
    return path;
}

test('makes a model of a mesh that runs', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const glb = join(folder, 'boxes.model.glb');
    assert.match(succeed('author', mesh, '-o', glb),
        /boxes\.model\.glb: \d+ particles, \d+ edges, 16 vertices, \d+\.\d\d s\n.*boxes\.model\.glb: drop: .*\n$/);
    const blob = join(folder, 'boxes.pliant');
    const object = JSON.parse(succeed('author', mesh, '-o', blob, '--json'));
    assert.deepEqual(Object.keys(object), ['mesh', 'model', 'particles', 'edges', 'groups', 'vertices',
        'triangles', 'spacing', 'mass', 'paint_kept_from', 'live', 'proposed_live', 'pinned', 'seconds']);
    assert.deepEqual([object.mesh, object.model], [mesh, blob]);
    assert.deepEqual([object.groups, object.vertices, object.triangles], [0, 16, 24]);
    assert.equal(object.paint_kept_from, '');
    assert.ok(object.spacing > 0 && object.mass > 0 && object.seconds > 0);
    const info = describe(blob);
    assert.equal(info.kind, 'model');
    assert.deepEqual([info.particles, info.edges], [object.particles, object.edges]);
    assert.equal(succeed('author', mesh, '-o', glb, '--quiet'), '');
    // Both forms hold the same model.
    const hash = (path) => succeed('run', path, '--seconds', '0.2', '--hash');
    assert.equal(hash(glb), hash(blob));
}));

test('equal input gives equal bytes', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const make = (name, ...options) => {
        const path = join(folder, name);
        succeed('author', mesh, '-o', path, ...options);
        return readFileSync(path);
    };
    assert.deepEqual(make('a.glb'), make('b.glb'));
    assert.deepEqual(make('a.pliant'), make('b.pliant'));
    // What was kept is what would have been made.
    assert.deepEqual(make('a.glb'), make('b.glb', '--fresh'));
}));

test('options reach the model', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    let number = 0;
    const make = (...options) => {
        const path = join(folder, `${++number}.pliant`);
        succeed('author', mesh, '-o', path, ...options);
        return describe(path);
    };
    const counted = make('--particles', '200').particles;
    assert.ok(counted > 150 && counted < 250, `${counted} particles`);
    const wide = make('--spacing', '0.5', '--method', 'spray');
    const narrow = make('--spacing', '0.25', '--method', 'spray');
    assert.ok(narrow.particles > 2 * wide.particles);
    assert.ok(make('--spacing', '0.5', '--method', 'auto').particles > 0);
    const cut = make('--spacing', '0.3', '--method', 'slice');
    assert.ok(cut.particles > 0 && cut.edges > 0);
    const light = make('--spacing', '0.3', '--density', '100').mass;
    const heavy = make('--spacing', '0.3', '--density', '200').mass;
    assert.ok(Math.abs(heavy / light - 2) < 1e-3, `${heavy} / ${light}`);
    const bouncy = make('--friction', '0.25', '--restitution', '0.5', '--damping', '0.125', '--shape-damping', '0.75');
    assert.deepEqual([bouncy.friction, bouncy.restitution, bouncy.linear_damping, bouncy.shape_damping],
        [0.25, 0.5, 0.125, 0.75]);
    assert.deepEqual([bouncy.self_collision, cut.self_collision], [0, 1], 'cloth touches itself');
    assert.equal(make('--self-collision', 'yes').self_collision, 1);
    assert.equal(make('--method', 'slice', '--self-collision', 'no').self_collision, 0);
    assert.ok(make('--spacing', '0.3', '--edges', '0.9').edges > make('--spacing', '0.3', '--edges', '0.4').edges);
    const bytes = (...options) => {
        const path = join(folder, 'bytes.pliant');
        succeed('author', mesh, '-o', path, '--spacing', '0.3', '--fresh', ...options);
        return readFileSync(path);
    };
    for (const options of [['--seed', '7'], ['--stiffness', '0.125'], ['--radius', '0.07'], ['--method', 'spray']])
        assert.notDeepEqual(bytes(...options), bytes(), options[0]);
    assert.deepEqual(bytes('--seed', '0', '--density', '300'), bytes());
}));

test('materials have names, and levels of one of them weigh the same', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const make = (name, ...options) => {
        const path = join(folder, name);
        const lines = succeed('author', mesh, '-o', path, '--json', ...options).trim().split('\n');
        return lines.map((line) => JSON.parse(line));
    };
    const [light] = make('foam.pliant', '--material', 'foam');
    const [heavy] = make('steel.pliant', '--material', 'steel');
    assert.ok(Math.abs(heavy.mass / light.mass - 7850 / 60) < 0.01 * 7850 / 60, `${heavy.mass} / ${light.mass}`);
    assert.ok(Math.abs(describe(join(folder, 'foam.pliant')).friction - 0.6) < 1e-6);
    const report = (path, ...options) =>
        JSON.parse(succeed('run', path, '--seconds', '0.2', '--json', ...options)).report;
    const steel = report(join(folder, 'steel.pliant'));
    assert.ok(steel.saturated_groups > 0 && steel.unsaturated_length > 0 && steel.unsaturated_length < 1e-3);
    assert.match(succeed('run', join(folder, 'steel.pliant'), '--seconds', '0.1'),
        /\d+ groups are softer than their material; --substeps \d+ would hold them\n/);
    make('soft.pliant', '--young', '2000');
    assert.equal(report(join(folder, 'soft.pliant'), '--substeps', '20').saturated_groups, 0);

    const levels = make('jelly.model.glb', '--material', 'jelly', '--levels', '3', '--particles', '400');
    assert.deepEqual(levels.map(({ model }) => model),
        ['jelly.model.glb', 'jelly.model.1.glb', 'jelly.model.2.glb'].map((name) => join(folder, name)));
    for (const [i, level] of levels.entries()) {
        assert.ok(existsSync(level.model));
        assert.ok(Math.abs(level.mass / levels[0].mass - 1) < 1e-4, `${level.mass} kg`);
        const part = level.particles / levels[0].particles * 2 ** i;
        assert.ok(part > 0.75 && part < 1.33, `${level.particles} particles`);
    }
    const refuse = (pattern, ...options) =>
        failWith(2, pattern, 'author', mesh, '-o', join(folder, 'no.glb'), ...options);
    refuse(/--material: expected jelly, .*, found 'cheese'/, '--material', 'cheese');
    refuse(/--stiffness does not go together with --material/, '--material', 'felt', '--stiffness', '0.5');
    refuse(/--levels: .* give --material or --young/, '--levels', '2');
    refuse(/--levels: expected a whole number from 2 to 8/, '--levels', '9', '--young', '1e5');
    refuse(/--levels does not go together with --recipe/, '--levels', '2', '--material', 'felt', '--recipe', 'x');
    refuse(/--recipe does not go together with --material/, '--material', 'felt', '--recipe', 'x');
}));

test('usage mistakes', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const output = join(folder, 'out.pliant');
    const refuse = (pattern, ...options) => failWith(2, pattern, 'author', mesh, '-o', output, ...options);
    failWith(2, /no mesh/, 'author');
    failWith(2, /no mesh/, 'author', '-o', output);
    failWith(2, /no name for the model \(-o MODEL\)/, 'author', mesh);
    failWith(2, /-o: expected a name, found nothing/, 'author', mesh, '-o', '');
    failWith(2, /-o: would replace the mesh/, 'author', mesh, '-o', mesh);
    failWith(2, /unexpected argument 'x'/, 'author', mesh, 'x', '-o', output);
    failWith(2, /-o - does not go together with --json/, 'author', mesh, '-o', '-', '--json');
    refuse(/--method: expected auto, spray or slice, found 'magic'/, '--method', 'magic');
    for (const value of ['0', '1000001', '2.5', 'many', 'nan'])
        refuse(/--particles: expected a whole number from 1 to 1e\+06, found/, '--particles', value);
    for (const value of ['0', '-1', 'inf', '1e6'])
        refuse(/--spacing: expected a number from 1e-05 to 100000, found/, '--spacing', value);
    for (const value of ['-0.1', '1.01', 'soft'])
        refuse(/--stiffness: expected a number from 0 to 1, found/, '--stiffness', value);
    refuse(/--density: expected a number from 1e-09 to 1e\+09, found '0'/, '--density', '0');
    refuse(/--friction: expected a number from 0 to 1000, found '-1'/, '--friction', '-1');
    refuse(/--damping: expected a number from 0 to 0.999999, found '1'/, '--damping', '1');
    refuse(/--self-collision: expected yes or no, found 'perhaps'/, '--self-collision', 'perhaps');
    refuse(/--radius: expected a number from 1e-05 to 100000, found '0'/, '--radius', '0');
    refuse(/--edges: expected a number from 1e-05 to 100000, found '0'/, '--edges', '0');
    refuse(/--drift: expected a whole number from 0 to 100, found '101'/, '--drift', '101');
    refuse(/--seed: expected a whole number from 0 to 1e\+09, found '-1'/, '--seed', '-1');
    refuse(/--particles does not go together with --spacing/, '--particles', '9', '--spacing', '1');
    refuse(/--fresh does not go together with --keep-paint/, '--fresh', '--keep-paint', 'x');
    const others = { particles: 9, spacing: 1, method: 'spray', stiffness: 1, density: 1, radius: 1, edges: 1,
        drift: 1, seed: 1 };
    for (const [name, value] of Object.entries(others))
        refuse(new RegExp(`--recipe does not go together with --${name} `), '--recipe', 'r', `--${name}`, `${value}`);
    refuse(/see pliant author --help/, '--seed', '-1');
    assert.ok(!existsSync(output));
}));

test('meshes and outputs that cannot be used', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const output = join(folder, 'out.glb');
    writeFileSync(output, 'precious');
    failWith(1, /missing\.obj: No such file or directory/, 'author', join(folder, 'missing.obj'), '-o', output);
    failWith(1, /Is a directory/, 'author', folder, '-o', output);
    const faulty = writeBoxes(folder, { name: 'faulty.obj', more: 'f 1 2 99\n' });
    failWith(1, /faulty\.obj: line 33: /, 'author', faulty, '-o', output);
    const empty = join(folder, 'empty.obj');
    writeFileSync(empty, 'v 0 0 0\n');
    failWith(1, /empty\.obj: /, 'author', empty, '-o', output);
    failWith(1, /boxes\.obj: spacing: 1e-05 m is too fine/, 'author', mesh, '-o', output, '--spacing', '1e-5');
    assert.equal(readFileSync(output, 'utf8'), 'precious');
    failWith(1, /none\/out\.glb: cannot be written: No such file/, 'author', mesh, '-o', join(folder, 'none/out.glb'));
    failWith(1, /cannot be written: Is a directory/, 'author', mesh, '-o', folder);
    assert.deepEqual(readdirSync(folder).sort(), ['boxes.obj', 'empty.obj', 'faulty.obj', 'out.glb']);
    const replaced = pliant('author', mesh, '-o', output);
    assert.equal(replaced.status, 0);
    assert.match(replaced.stderr, /^pliant: note: .*out\.glb: it is replaced, and paint it may hold is lost: /);
    assert.equal(readFileSync(output).toString('latin1', 0, 4), 'glTF');
    failWith(2, /-o: would replace the mesh/, 'author', mesh, '-o', join(folder, '.', 'boxes.obj'));
    failWith(2, /-o: would replace the mesh/, 'author', mesh, '-o', `${folder}/./boxes.obj`);
}));

test('notes what is wrong with a file, ten times at most', () => withFolder((folder) => {
    const more = Array.from({ length: 14 }, (_, i) => `mtllib none${i}.mtl`).join('\n');
    const mesh = writeBoxes(folder, { more });
    const output = join(folder, 'out.pliant');
    const result = pliant('author', mesh, '-o', output);
    assert.equal(result.status, 0);
    const lines = result.stderr.trim().split('\n');
    assert.equal(lines.length, 11);
    for (const line of lines.slice(0, 10))
        assert.match(line, /^pliant: note: .*boxes\.obj: line \d+: the material file 'none\d\.mtl' is left out/);
    assert.match(lines[10], /^pliant: note: .*boxes\.obj: and 4 more$/);
    assert.equal(pliant('author', mesh, '-o', output, '--quiet').stderr, '');
    assert.equal(JSON.parse(succeed('author', mesh, '-o', output, '--quiet', '--json')).vertices, 16);
}));

test('follows a recipe', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const output = join(folder, 'out.pliant');
    const recipe = writeRecipe(folder, {
        selections: { cape: { part: 'cape' }, gold: { material: 'gold' } },
        tools: [
            { spray: { spacing: 0.4 } },
            { connect: { distance: 0.7 } },
            { group: { particles: 'gold' } },
            { bind: {} },
            { mass: { total: 7 } },
        ],
    });
    const use = () => JSON.parse(succeed('author', mesh, '-o', output, '--recipe', recipe, '--json'));
    const object = use();
    assert.equal(object.groups, 1);
    assert.ok(Math.abs(object.mass - 7) < 1e-4);
    const bytes = readFileSync(output);
    // The recipe says it all: what the output held before does not matter.
    succeed('author', mesh, '-o', output, '--stiffness', '1', '--fresh');
    assert.equal(use().paint_kept_from, '');
    assert.deepEqual(readFileSync(output), bytes);
}));

test('faulty recipes are told with their place', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const output = join(folder, 'out.pliant');
    const refuse = (pattern, recipe) =>
        failWith(1, pattern, 'author', mesh, '-o', output, '--recipe', writeRecipe(folder, recipe));
    refuse(/recipe\.json: 1:12: /, '{"tools": [');
    refuse(/recipe\.json: tools\[1\]\.spray\.spacing: expected a number in \(0, 100000\], found 0\n/,
        { tools: [{ scale: { spacing: 1 } }, { spray: { spacing: 0 } }] });
    refuse(/recipe\.json: selections\.a\.part: the mesh has no part "head"/,
        { selections: { a: { part: 'head' } }, tools: [] });
    refuse(/recipe\.json: tools\[0\]\.bind\.vertices: there is no selection "b"/,
        { tools: [{ bind: { vertices: 'b' } }] });
    // What the model lacks is told of the mesh.
    refuse(/boxes\.obj: vertices: none is bound to a particle/, { tools: [{ spray: {} }] });
    failWith(1, /missing\.json: No such file/, 'author', mesh, '-o', output, '--recipe', join(folder, 'missing.json'));
    assert.ok(!existsSync(output));
}));

test('what a recipe does not bind stays where it is, also in a bake', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const model = join(folder, 'out.glb');
    const recipe = writeRecipe(folder, { selections: { some: { indices: [0, 1, 2, 3, 4, 5, 6, 7] } }, tools: [
        { spray: { vertices: 'some', spacing: 0.4 } }, { connect: { distance: 1 } }, { mass: {} },
        { bind: { vertices: 'some' } },
    ] });
    const { status, stderr } = pliant('author', mesh, '-o', model, '--recipe', recipe);
    assert.equal(status, 0);
    assert.match(stderr, /boxes\.obj: 8 of 16 vertices stay where they are: none of the tools was to bind them/);
    const baked = join(folder, 'bake.glb');
    succeed('run', model, '-o', baked, '--seconds', '0.5', '--quiet');
    const { json, views } = openGltf(baked);
    // The last joint carries them: it never leaves the origin, nor does its body.
    const floats = (index) => {
        const { bufferView, byteOffset = 0, count, type } = json.accessors[index];
        const length = count * { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
        return Array.from({ length }, (_, i) => views[bufferView].readFloatLE(byteOffset + 4 * i));
    };
    const node = json.skins[0].joints.at(-1);
    const { channels, samplers } = json.animations[0];
    const ways = channels.filter(({ target }) => target.node === node && target.path === 'translation');
    for (const { sampler } of ways) assert.ok(floats(samplers[sampler].output).every((x) => x === 0));
    assert.deepEqual(json.nodes[node].translation ?? [0, 0, 0], [0, 0, 0]);
    assert.ok(channels.some(({ target }) => target.node !== node && target.path === 'translation'));
}));

test('keeps the paint where particles stayed', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    for (const ending of ['glb', 'pliant']) {
        const output = join(folder, `out.${ending}`);
        const make = (...options) => {
            const words = succeed('author', mesh, '-o', output, '--spacing', '0.3', ...options);
            return { words, bytes: readFileSync(output) };
        };
        const soft = make();
        assert.doesNotMatch(soft.words, /kept/);
        const stiff = make('--stiffness', '1');
        assert.notDeepEqual(stiff.bytes, soft.bytes); // the command line outweighs what was there
        const kept = make();
        assert.match(kept.words, new RegExp(`; kept the paint of .*out\\.${ending}\n`));
        assert.deepEqual(kept.bytes, stiff.bytes);
        assert.deepEqual(make('--density', '300').bytes, stiff.bytes);
        const fresh = make('--fresh');
        assert.doesNotMatch(fresh.words, /kept/);
        assert.deepEqual(fresh.bytes, soft.bytes);

        const earlier = join(folder, `earlier.${ending}`);
        writeFileSync(earlier, stiff.bytes);
        const taken = make('--keep-paint', earlier);
        assert.match(taken.words, /; kept the paint of .*earlier/);
        assert.deepEqual(taken.bytes, stiff.bytes);
    }
}));

test('the mesh may hold the model whose paint is kept', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const stiff = join(folder, 'stiff.glb');
    succeed('author', mesh, '-o', stiff, '--stiffness', '1');
    const again = join(folder, 'again.glb');
    assert.match(succeed('author', stiff, '-o', again), /; kept the paint of .*stiff\.glb\n/);
    assert.deepEqual(readFileSync(again), readFileSync(stiff));
    // In place, too.
    const before = readFileSync(stiff);
    succeed('author', stiff, '-o', stiff);
    assert.deepEqual(readFileSync(stiff), before);
}));

test('paint of another mesh is kept only when asked for', () => withFolder((folder) => {
    const output = join(folder, 'out.glb');
    succeed('author', writeBoxes(folder), '-o', output, '--stiffness', '1', '--spacing', '0.3');
    const earlier = join(folder, 'earlier.glb');
    copyFileSync(output, earlier);
    const other = writeBoxes(folder, { name: 'other.obj', beside: 1.75 });
    const result = pliant('author', other, '-o', output, '--spacing', '0.3');
    assert.equal(result.status, 0);
    assert.match(result.stderr,
        /^pliant: note: .*out\.glb: holds a model of another mesh, whose paint is not kept\n$/);
    assert.doesNotMatch(result.stdout, /kept the paint/);
    const plain = readFileSync(output);
    succeed('author', other, '-o', output, '--spacing', '0.3', '--keep-paint', earlier);
    assert.notDeepEqual(readFileSync(output), plain);
    failWith(1, /other\.obj: /, 'author', other, '-o', output, '--keep-paint', other);
    failWith(1, /missing: No such file/, 'author', other, '-o', output, '--keep-paint', join(folder, 'missing'));
    assert.equal(pliant('author', writeBoxes(folder), '-o', output, '--quiet').stderr, '');
}));

// A tetrahedron of a metre, 200 times as large by its node, which is in two scenes and moved by an animation.
function writeLarge(folder) {
    const values = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, /* times */ 0, 1, /* places */ 0, 0, 0, 50, 0, 0);
    const bytes = Buffer.concat([Buffer.from(values.buffer),
        Buffer.from(Uint16Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3).buffer)]);
    const uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
    const path = join(folder, 'large.gltf');
    const view = (byteOffset, byteLength) => ({ buffer: 0, byteOffset, byteLength });
    writeFileSync(path, JSON.stringify({
        asset: { version: '2.0' }, scene: 1, buffers: [{ uri, byteLength: bytes.length }],
        scenes: [{ nodes: [0] }, { name: 'both', nodes: [0, 2] }],
        nodes: [{ children: [1], scale: [200, 200, 200] }, { mesh: 0 }, { translation: [1, 2, 3] }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 3 }] }],
        animations: [{ channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
            samplers: [{ input: 1, output: 2 }] }],
        bufferViews: [view(0, 48), view(48, 8), view(56, 24), view(80, 24)],
        accessors: [
            { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
            { bufferView: 1, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
            { bufferView: 2, componentType: 5126, count: 2, type: 'VEC3' },
            { bufferView: 3, componentType: 5123, count: 12, type: 'SCALAR' },
        ],
    }));
    return path;
}

test('doubts a size that no unit explains, and scales all that a file holds', () => withFolder(async (folder) => {
    const mesh = writeLarge(folder), model = join(folder, 'model.glb');
    assert.equal(JSON.parse(succeed('info', mesh, '--json')).size, 200);
    const doubted = pliant('author', mesh, '-o', model);
    assert.equal(doubted.status, 0);
    assert.match(doubted.stderr, /^pliant: note: .*large\.gltf: it is 200 m long; .* --scale 0\.01 makes it 2 m\n$/);
    assert.equal(describe(model).particles > 0, true);
    succeed('author', mesh, '--scale', '0.01', '-o', model, '--fresh');
    const info = JSON.parse(succeed('info', model, '--json'));
    assert.deepEqual([info.size, info.animations], [2, 1]);
    assert.ok(Math.abs(info.model.bounds.max[0] - 2) < 0.5);
    const { json } = openGltf(model);
    const scaled = (child) => ({ scale: [0.01, 0.01, 0.01].map(Math.fround), children: [child] });
    const rounded = json.nodes.slice(3).map((node) => ({ ...node, scale: node.scale.map(Math.fround) }));
    assert.deepEqual(rounded, [scaled(0), scaled(2)]);
    assert.deepEqual(json.scenes, [{ nodes: [3] }, { name: 'both', nodes: [3, 4] }]);
    assert.deepEqual(await problems(model, 'error'), []);
    // A model was made at its size: it goes, and another one comes.
    const larger = join(folder, 'larger.glb');
    succeed('author', model, '--scale', '10', '-o', larger);
    const twice = JSON.parse(succeed('info', larger, '--json'));
    assert.equal(twice.size, 20);
    assert.ok(twice.model.mass > 500 * info.model.mass);
    assert.deepEqual(openGltf(larger).json.extensionsUsed, ['PLIANT_model']);
    assert.deepEqual(await problems(larger, 'error'), []);
    failWith(2, /--scale: expected a number from 1e-06 to 1e\+06/, 'author', mesh, '--scale', '0', '-o', model);
}));

test('reads standard input and writes standard output', () => withFolder((folder) => {
    const mesh = writeBoxes(folder);
    const output = join(folder, 'out.glb');
    succeed('author', mesh, '-o', output);
    const result = spawnSync(cliPath(), ['author', '-', '-o', '-'], { input: readFileSync(mesh) });
    assert.equal(result.status, 0, result.stderr.toString());
    assert.deepEqual(result.stdout, readFileSync(output));
    assert.match(result.stderr.toString(), /^standard output: \d+ particles, /);
    // A pipe by name is written and not read.
    const piped = spawnSync('sh', ['-c', '"$0" author "$1" -o /dev/stdout --quiet | cat', cliPath(), mesh]);
    assert.deepEqual(piped.stdout, readFileSync(output));
    if (existsSync('/dev/full')) {
        const full = spawnSync('sh', ['-c', '"$0" author "$1" -o - >/dev/full', cliPath(), mesh], { encoding: 'utf8' });
        assert.equal(full.status, 1);
        assert.match(full.stderr, /^pliant: standard output: No space left on device\n$/);
    }
}));

const scriptVersion = () => spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '';

test('what takes long shows a bar on a terminal, which is wiped away', {
    skip: scriptVersion().includes('util-linux') ? false : 'there is no script of util-linux to make a terminal',
}, () => withFolder((folder) => {
    writeBoxes(folder);
    const author = (particles) => execFileSync('script',
        ['-qec', `"$PLIANT_CLI" author boxes.obj --particles ${particles} -o out.glb`, '/dev/null'],
        { encoding: 'utf8', cwd: folder, env: { ...process.env, PLIANT_CLI: cliPath() } });
    const long = author(8000);
    const parts = [...long.matchAll(/\r\[#*\.*\] (\d+)\/100/g)].map((match) => Number(match[1]));
    assert.ok(parts.length > 2, long);
    assert.deepEqual(parts, [...parts].sort((a, b) => a - b));
    assert.match(long, /\r\x1b\[K[^\n]*out\.glb: \d+ particles/);
    assert.doesNotMatch(author(20), /\[#*\.*\]/);
}));
