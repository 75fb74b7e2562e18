// The command line: what it prints, and that every mistake ends it with one line that says what and
// where, and leaves existing files as they were.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
    chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { cliPath, failWith, meshToolPath, pliant, succeed, withFolder } from './pliant.mjs';

const scene = {
    pliant: 1,
    seconds: 0.1,
    models: {
        pair: {
            particles: [{ position: [0, 1, 0], pinned: true }, { position: [0.2, 1, 0] }],
            edges: [{ a: 0, b: 1 }],
        },
    },
    bodies: [{ name: 'pair', model: 'pair' }],
    planes: [{ normal: [0, 1, 0] }],
};

function writeScene(folder, change = () => {}) {
    const copy = structuredClone(scene);
    change(copy);
    const path = join(folder, 'scene.json');
    writeFileSync(path, JSON.stringify(copy));
    return path;
}

// The blob's own checksum, so that a model can be written here without the library.
function checksum(bytes) {
    const mix = (state, word) => {
        const product = BigInt.asUintN(64, (state ^ word) * 0xd6e8feb86659fd93n);
        return product ^ (product >> 32n);
    };
    let state = mix(0x9e3779b97f4a7c15n, BigInt(bytes.length));
    for (let i = 0; i < bytes.length; i += 4) state = mix(state, BigInt(bytes.readUInt32LE(i)));
    return state;
}

// A saved model of one particle of radius 0.5, ten metres up.
function writeModel(folder) {
    const header = Buffer.alloc(32);
    const body = Buffer.alloc(6 * 4 + 13 * 4);
    body.writeUInt32LE(1, 0);
    const particle = [0, 10, 0, 0, 0, 0, 1, 0.5, 0.5, 0.5, 2, 0.5];
    particle.forEach((value, i) => body.writeFloatLE(value, 24 + 4 * i));
    header.write('PLIANT\x1a\n', 'latin1');
    header.writeUInt32LE(1, 8);
    header.writeBigUInt64LE(BigInt(header.length + body.length), 16);
    header.writeBigUInt64LE(checksum(body), 24);
    const path = join(folder, 'model.pliant');
    writeFileSync(path, Buffer.concat([header, body]));
    return path;
}

test('helps and tells its version', () => {
    assert.match(succeed('--help'), /^Usage: pliant COMMAND/);
    assert.match(succeed('--version'), /^pliant \d+\.\d+\.\d+\n$/);
    for (const command of ['run', 'author', 'info', 'scenes'])
        assert.match(succeed(command, '--help'), new RegExp(`^Usage: pliant ${command}`));
});

test('lists the scenes', () => {
    const lines = succeed('scenes').trim().split('\n');
    const list = JSON.parse(succeed('scenes', '--json'));
    assert.equal(lines.length, list.length);
    assert.ok(list.length >= 6);
    list.forEach(({ name, title }, i) => {
        assert.ok(lines[i].startsWith(name) && lines[i].endsWith(title));
    });
});

test('reports a run as JSON, as a hash and in words', () => {
    const object = JSON.parse(succeed('run', 'rope', '--seconds', '0.2', '--json'));
    assert.deepEqual(Object.keys(object), ['scene', 'bodies', 'particles', 'edges', 'groups',
        'vertices', 'threads', 'instructions', 'steps', 'ms_per_step', 'profile', 'hash', 'report']);
    assert.equal(object.scene, 'rope');
    assert.equal(object.particles, 60);
    assert.equal(object.steps, 12);
    assert.equal(object.report.steps, 12);
    assert.equal(object.report.bad_calls, 0);
    assert.match(object.hash, /^[0-9a-f]{16}$/);
    const { min, median, p99 } = object.ms_per_step;
    assert.ok(min > 0 && min <= median && median <= p99);
    assert.equal(object.threads, 1);
    const { step, ...parts } = object.profile;
    assert.deepEqual(Object.keys(parts),
        ['predict', 'find', 'begin', 'solve', 'pairs', 'contacts', 'finish']);
    const sum = Object.values(parts).reduce((total, part) => total + part);
    assert.ok(step > 0 && parts.solve > 0 && Math.abs(sum - step) < 1e-3 * step, `${sum} of ${step}`);
    assert.equal(succeed('run', 'rope', '--seconds', '0.2', '--hash'), `${object.hash}\n`);
    assert.ok(succeed('run', 'rope', '--seconds=0.2').includes(object.hash));
    assert.equal(succeed('run', 'rope', '--seconds', '0.2', '--quiet'), '');
});

test('neither threads nor instructions change the result, the settings do', () => {
    const hash = (...args) => succeed('run', 'curtain', '--seconds', '0.2', '--hash', ...args);
    const alone = hash();
    assert.equal(hash('--threads', '4'), alone);
    assert.equal(hash('--threads', '0'), alone);
    assert.equal(hash('--instructions', 'portable'), alone);
    const used = (...args) =>
        JSON.parse(succeed('run', 'rope', '--seconds', '0.1', '--json', ...args));
    assert.equal(used('--threads', '3').threads, 3);
    assert.ok(used('--threads', '0').threads >= 1);
    assert.equal(used('--instructions', 'best').instructions, used().instructions);
    if (process.arch === 'x64')
        assert.equal(used('--instructions', 'portable').instructions, 'sse2');
    assert.notEqual(hash('--substeps', '3'), alone);
    assert.notEqual(hash('--iterations', '3'), alone);
    assert.notEqual(hash('--fps', '30'), alone);
});

test('bakes and inspects what it baked', () => withFolder((folder) => {
    const path = join(folder, 'out.glb');
    succeed('run', 'jelly', '--seconds', '0.5', '--fps', '20', '-o', path);
    const info = JSON.parse(succeed('info', path, '--json'));
    assert.equal(info.kind, 'GLB');
    assert.equal(info.skins, 1);
    assert.equal(info.animations, 1);
    assert.equal(info.seconds, 0.5);
    assert.match(succeed('info', path), /^kind +GLB\n/);
    const without = join(folder, 'without.glb');
    succeed('run', 'jelly', '--seconds', '0.5', '--no-planes', '-o', without);
    assert.equal(JSON.parse(succeed('info', without, '--json')).meshes, info.meshes - 1);
    assert.deepEqual(readdirSync(folder).sort(), ['out.glb', 'without.glb']);
}));

test('runs and inspects scene files', () => withFolder((folder) => {
    const path = writeScene(folder);
    const object = JSON.parse(succeed('run', path, '--json'));
    assert.equal(object.scene, 'scene');
    assert.equal(object.steps, 6);
    const info = JSON.parse(succeed('info', path, '--json'));
    assert.equal(info.kind, 'scene');
    assert.equal(info.particles, 2);
    assert.deepEqual(info.body_list, [{ name: 'pair', particles: 2 }]);
    assert.deepEqual(info.collider_list, []);
}));

test('lists what solids a scene holds and reports what touches', () => withFolder((folder) => {
    const path = writeScene(folder, (s) => {
        s.seconds = 2;
        s.world = { sleep_time: 0.25 };
        s.models = { ball: { ball: {} } };
        s.bodies = [{ name: 'ball', model: 'ball', position: [0, 1, 0] }];
        s.shapes = { slab: { box: { half_size: [1, 0.1, 1] } } };
        s.colliders = [{ name: 'table', shape: 'slab' }, { sphere: {}, position: [9, 0, 0] }];
        s.attachments = [{ body: 'ball', particle: 0, anchor: [0, 2, 0], length: 3, slack: true }];
    });
    const info = JSON.parse(succeed('info', path, '--json'));
    assert.deepEqual(info.collider_list,
        [{ name: 'table', shape: 'box' }, { name: 'collider 1', shape: 'sphere' }]);
    assert.deepEqual([info.shapes, info.colliders, info.attachments, info.motors], [2, 2, 1, 0]);
    assert.match(succeed('info', path), /\ncolliders +2\n +table +box\n +collider 1 +sphere\n$/);
    const report = (seconds) =>
        JSON.parse(succeed('run', path, '--json', '--seconds', seconds)).report;
    assert.equal(report('0.5').contacts, 1);
    assert.equal(report('2').sleeping_bodies, 1);
    assert.deepEqual([report('2').dropped_contacts, report('2').dropped_events], [0, 0]);
    assert.match(succeed('run', path), /\nat the end: contacts 0, pairs 0, sleeping bodies 1\n/);
}));

test('usage mistakes', () => {
    failWith(2, /no command/);
    failWith(2, /unknown command 'walk'/, 'walk');
    failWith(2, /unknown option '--walk'/, '--walk');
    failWith(2, /no scene/, 'run');
    failWith(2, /no file/, 'info');
    failWith(2, /unknown option '--speed'/, 'run', 'rope', '--speed', '3');
    failWith(2, /unexpected argument 'jelly'/, 'run', 'rope', 'jelly');
    failWith(2, /unexpected argument 'x'/, 'scenes', 'x');
    failWith(2, /--seconds: the value is missing/, 'run', 'rope', '--seconds');
    failWith(2, /--quiet takes no value/, 'run', 'rope', '--quiet=1');
    failWith(2, /--json and --hash/, 'run', 'rope', '--json', '--hash');
    for (const value of ['x', '', '-1', 'nan', 'inf', '0x10', '1e9', '1e999', '1 '])
        failWith(2, /--seconds: expected a number from 0 to 86400/, 'run', 'rope', '--seconds', value);
    failWith(2, /--instructions: expected best or portable, found 'fast'/, 'run', 'rope',
        '--instructions', 'fast');
    for (const value of ['-1', '65', '1.5', 'two'])
        failWith(2, /--threads: expected a whole number from 0 to 64/, 'run', 'rope', '--threads', value);
    failWith(2, /--fps: expected a number from 1 to 10000, found '0'/, 'run', 'rope', '--fps', '0');
    failWith(2, /--substeps/, 'run', 'rope', '--substeps', '1001');
    failWith(2, /--iterations/, 'run', 'rope', '--iterations', '0');
    failWith(2, /see pliant run --help/, 'run', 'rope', '--fps', '0');
});

test('missing scenes and files', () => withFolder((folder) => {
    failWith(1, /there is no scene 'nothing' \(pliant scenes lists them\)/, 'run', 'nothing');
    const missing = join(folder, 'missing.json');
    failWith(1, /missing\.json: No such file or directory/, 'run', missing);
    failWith(1, /missing\.json: No such file or directory/, 'info', missing);
    failWith(1, /Is a directory/, 'info', folder);
    failWith(1, /nothing\?here/, 'run', 'nothing\nhere');
}));

test('faulty scenes', () => withFolder((folder) => {
    const both = (pattern, path) => {
        failWith(1, pattern, 'run', path);
        failWith(1, pattern, 'info', path);
    };
    both(/scene\.json: bodies\[0\]\.colour_name: unknown key/,
        writeScene(folder, (s) => { s.bodies[0].colour_name = 'red'; }));
    both(/scene\.json: models\.pair\.edges\[0\]\.b: expected a whole number from 0 to 1, found 7/,
        writeScene(folder, (s) => { s.models.pair.edges[0].b = 7; }));
    both(/forces\[0\]\.particle: expected a whole number from 0 to 1, found 2/,
        writeScene(folder, (s) => { s.forces = [{ body: 'pair', particle: 2, force: [0, 1, 0] }]; }));
    both(/bodies\[0\]\.model: there is no model "none"/,
        writeScene(folder, (s) => { s.bodies[0].model = 'none'; }));
    both(/colliders\[0\]\.shape: there is no shape "none"/,
        writeScene(folder, (s) => { s.colliders = [{ shape: 'none' }]; }));
    both(/shapes\.ramp: triangle 0: /, writeScene(folder, (s) => {
        const points = [[0, 0, 0], [1, 0, 0], [2, 0, 0]];
        s.shapes = { ramp: { mesh: { points, triangles: [[0, 1, 2]] } } };
    }));
    both(/models\.pair: edge 0: /, writeScene(folder, (s) => { s.models.pair.edges[0].b = 0; }));
    const path = writeScene(folder);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('0.2', 'NaN'));
    both(/scene\.json: 1:\d+: .*NaN/, path);
    writeFileSync(path, text.replace('0.2', '1e999'));
    both(/scene\.json: 1:\d+: number out of range/, path);
    writeFileSync(path, text.slice(0, -1));
    both(/scene\.json: 1:\d+: /, path);
    writeFileSync(path, '');
    failWith(1, /scene\.json: /, 'run', path);
}));

test('drops a model on the ground', () => withFolder((folder) => {
    const path = writeModel(folder);
    const info = JSON.parse(succeed('info', path, '--json'));
    assert.equal(info.kind, 'model');
    assert.equal(info.mass, 2);
    assert.deepEqual(info.bounds, { min: [-0.5, 9.5, -0.5], max: [0.5, 10.5, 0.5] });
    const run = JSON.parse(succeed('run', path, '--json', '--seconds', '1'));
    assert.equal(run.scene, 'model');
    assert.equal(run.report.sleeping_bodies, 1); // it fell on the ground and lies there
}));

// A triangle of one metre, 20 cm above the ground, as glTF and as a GLB with a model of one particle.
function writeMeshes(folder) {
    const buffer = Buffer.from(new Float32Array([0, 0.2, 0, 1, 0.2, 0, 0, 1.2, 0]).buffer);
    const gltf = {
        asset: { version: '2.0', generator: 'hand' },
        scenes: [{ nodes: [0] }],
        nodes: [{ name: 'sail', mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
        materials: [{ name: 'linen' }],
        images: [{ uri: 'gone.png' }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3',
            min: [0, 0.2, 0], max: [1, 1.2, 0] }],
        bufferViews: [{ buffer: 0, byteLength: 36 }],
        buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${buffer.toString('base64')}` }],
    };
    const paths = { gltf: join(folder, 'sail.gltf'), model: join(folder, 'sail.glb') };
    writeFileSync(paths.gltf, JSON.stringify(gltf));
    execFileSync(meshToolPath(), ['model', paths.gltf, paths.model]);
    return paths;
}

// The sail again, on two bones that a clip moves, with a morph target.
function writeFigure(folder) {
    const { gltf } = writeMeshes(folder);
    const json = JSON.parse(readFileSync(gltf));
    const [{ uri }] = json.buffers;
    const numbers = new Float32Array([0, 1.5, 0, 0, 0, 1, 2, 3]);
    const data = Buffer.concat([Buffer.from(uri.split(',')[1], 'base64'), Buffer.alloc(12), Buffer.from(numbers.buffer)]);
    json.nodes = [{ ...json.nodes[0], skin: 0 }, { name: 'mast', children: [2] }, { name: 'boom' }];
    json.scenes = undefined;
    json.scene = undefined;
    json.meshes[0].primitives[0].targets = [{ POSITION: 0 }];
    json.meshes[0].extras = { targetNames: ['full'] };
    json.skins = [{ name: 'rigging', joints: [1, 2] }];
    json.animations = [{ name: 'gust', channels: [{ sampler: 0, target: { node: 2, path: 'translation' } }],
        samplers: [{ input: 1, output: 2 }] }];
    json.accessors.push(
        { bufferView: 1, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1.5] },
        { bufferView: 2, componentType: 5126, count: 2, type: 'VEC3' });
    json.bufferViews.push({ buffer: 0, byteOffset: data.length - 32, byteLength: 8 },
        { buffer: 0, byteOffset: data.length - 24, byteLength: 24 });
    json.buffers = [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }];
    const path = join(folder, 'figure.gltf');
    writeFileSync(path, JSON.stringify(json));
    return path;
}

test('lists bones, clips and morph targets', () => withFolder((folder) => {
    const rig = {
        nodes: 3,
        skins: 1,
        skin_list: [{ name: 'rigging', bones: ['mast', 'boom'] }],
        clips: 1,
        clip_list: [{ name: 'gust', seconds: 1.5 }],
        targets: 1,
        target_list: [{ name: 'full', node: 'sail', rest: 0 }],
    };
    const figure = writeFigure(folder);
    assert.deepEqual(JSON.parse(succeed('info', figure, '--json')).rig, rig);
    const text = succeed('info', figure);
    assert.match(text, /\nrig\n  nodes +3\n  skins +1\n    rigging: 2 bones\n      mast, boom\n/);
    assert.match(text, /\n  clips +1\n    gust: 1.5 s\n  targets +1\n    full of sail: 0 at rest\n/);
    // The model that is made of it has the same.
    const model = join(folder, 'figure.glb');
    execFileSync(meshToolPath(), ['model', figure, model]);
    assert.deepEqual(JSON.parse(succeed('info', model, '--json')).rig, rig);
}));

test('runs and inspects models in GLBs', () => withFolder((folder) => {
    const { model, gltf } = writeMeshes(folder);
    const info = JSON.parse(succeed('info', model, '--json'));
    assert.equal(info.kind, 'GLB');
    assert.equal(info.generator, 'hand');
    assert.deepEqual([info.pieces, info.parts, info.materials, info.remarks], [1, 1, 1, 1]);
    assert.deepEqual(info.part_list,
        [{ name: 'sail', material: 'linen', vertices: 3, triangles: 1 }]);
    assert.equal(info.remark_list[0].place, 'images[0].uri');
    const { particles, vertices, triangles, links, mass } = info.model;
    assert.deepEqual([particles, vertices, triangles, links, mass], [1, 3, 1, 3, 1]);
    assert.match(succeed('info', model), /\nmodel\n  particles +1\n/);

    const output = join(folder, 'run.glb');
    const run = JSON.parse(succeed('run', model, '--json', '--seconds', '0.1', '-o', output));
    assert.equal(run.scene, 'sail');
    assert.equal(JSON.parse(succeed('info', output, '--json')).part_list[0].material, 'linen');

    // The same in a scene and on standard input.
    const scene = writeScene(folder, (s) => { s.models.pair = { file: 'sail.glb' }; });
    succeed('run', scene, '--quiet', '-o', output);
    assert.equal(JSON.parse(succeed('info', output, '--json')).part_list[0].material, 'linen');
    const piped = spawnSync(cliPath(), ['info', '-', '--json'], { input: readFileSync(model) });
    assert.equal(piped.status, 0);
    assert.deepEqual(JSON.parse(piped.stdout).model, info.model);

    // A file without a model.
    const plain = JSON.parse(succeed('info', gltf, '--json'));
    assert.deepEqual([plain.kind, plain.vertices, plain.triangles, plain.materials, plain.model],
        ['glTF', 3, 1, 1, undefined]);
    failWith(1, /sail\.gltf: there is no model in it; pliant author makes one/, 'run', gltf);
    writeScene(folder, (s) => { s.models.pair = { file: 'sail.gltf' }; });
    failWith(1, /scene\.json: models\.pair\.file: there is no model in it/, 'run', scene);
    const obj = join(folder, 'sail.obj');
    writeFileSync(obj, 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    failWith(1, /sail\.obj: there is no model in it; pliant author makes one/, 'run', obj);
    const told = JSON.parse(succeed('info', obj, '--json'));
    assert.deepEqual([told.kind, told.vertices, told.triangles, told.pieces, told.remarks],
        ['OBJ', 3, 1, 1, 0]);
    const bytes = readFileSync(model);
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(model, bytes);
    failWith(1, /sail\.glb: /, 'run', model);
    failWith(1, /sail\.glb: /, 'info', model);
}));

test('damaged models', () => withFolder((folder) => {
    const path = writeModel(folder);
    const bytes = readFileSync(path);
    for (let size = 0; size < bytes.length; size += 7) {
        writeFileSync(path, bytes.subarray(0, size));
        failWith(1, /model\.pliant: /, 'run', path);
        failWith(1, /model\.pliant: /, 'info', path);
    }
    for (let bit = 0; bit < 8 * bytes.length; bit += 11) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] ^= 1 << (bit & 7);
        writeFileSync(path, flipped);
        failWith(1, /model\.pliant: /, 'run', path);
    }
    const other = join(folder, 'other.bin');
    writeFileSync(other, 'something else');
    failWith(1, /other\.bin: neither a scene nor a model/, 'run', other);
    failWith(1, /other\.bin: neither a model nor a scene nor a mesh/, 'info', other);
}));

test('a body whose numbers went bad is told', () => withFolder((folder) => {
    const path = writeScene(folder, (s) => {
        s.models.pair = { block: {} };
        // Over the edge of the world.
        Object.assign(s.bodies[0], { position: [999990, 0, 0], linear_velocity: [9000, 0, 0] });
    });
    const output = join(folder, 'out.glb');
    const result = pliant('run', path, '-o', output);
    assert.equal(result.status, 1);
    assert.match(result.stdout, /bodies frozen because of bad numbers: 1\n/);
    assert.match(result.stderr, /^pliant: [^\n]*1 body was frozen[^\n]*\n$/);
    assert.equal(JSON.parse(pliant('run', path, '--json').stdout).report.frozen_bodies, 1);
    assert.equal(JSON.parse(succeed('info', output, '--json')).kind, 'GLB');
}));

test('outputs that cannot be written', () => withFolder((folder) => {
    const run = (path, pattern) =>
        failWith(1, pattern, 'run', 'rope', '--seconds', '0.1', '-o', path);
    run(join(folder, 'none', 'out.glb'), /none\/out\.glb: .*No such file or directory/);
    run(folder, /Is a directory/);
    const file = join(folder, 'file');
    writeFileSync(file, 'x');
    run(join(file, 'out.glb'), /Not a directory/);
    run('/proc/out.glb', /\/proc\/out\.glb: /);
    if (process.getuid() !== 0) {
        const locked = join(folder, 'locked');
        mkdirSync(locked);
        chmodSync(locked, 0o555);
        run(join(locked, 'out.glb'), /Permission denied/);
    }
    assert.equal(readFileSync(file, 'utf8'), 'x');
}));

test('an existing output stays whole when the run fails', () => withFolder((folder) => {
    const output = join(folder, 'out.glb');
    writeFileSync(output, 'precious');
    failWith(1, /unknown key/, 'run', writeScene(folder, (s) => { s.walls = []; }), '-o', output);
    failWith(1, /there is no scene/, 'run', 'nothing', '-o', output);
    assert.equal(readFileSync(output, 'utf8'), 'precious');
    assert.deepEqual(readdirSync(folder).sort(), ['out.glb', 'scene.json']);
    succeed('run', 'rope', '--seconds', '0.1', '--quiet', '-o', output);
    assert.equal(readFileSync(output).toString('latin1', 0, 4), 'glTF');
    assert.ok(!existsSync(`${output}.tmp0`));
}));

test('no progress bar without a terminal', () => {
    assert.equal(pliant('run', 'rope', '--seconds', '0.5').stderr, '');
});

// Runs a line of shell in which $PLIANT is the program and $1 the given file.
function shell(line, file) {
    return execFileSync('sh', ['-c', line, 'sh', file],
        { encoding: 'utf8', env: { ...process.env, PLIANT: cliPath() } });
}

test('reads scenes and models from pipes and from standard input', () => withFolder((folder) => {
    const path = writeScene(folder, (s) => { s.seconds = 0.1; });
    const hash = succeed('run', path, '--hash');
    const info = succeed('info', path, '--json');
    for (const name of ['/dev/stdin', '-']) {
        assert.equal(shell(`cat "$1" | "$PLIANT" run ${name} --hash`, path), hash);
        assert.equal(shell(`cat "$1" | "$PLIANT" info ${name} --json`, path), info);
    }
    // Here standard input is a socket, which has no name that could be opened.
    const input = readFileSync(path);
    const run = spawnSync(cliPath(), ['run', '-', '--json'], { input, encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    assert.equal(`${JSON.parse(run.stdout).hash}\n`, hash);
    assert.equal(JSON.parse(run.stdout).scene, 'stdin');
    const model = readFileSync(writeModel(folder));
    const told = spawnSync(cliPath(), ['info', '-', '--json'], { input: model, encoding: 'utf8' });
    assert.equal(JSON.parse(told.stdout).kind, 'model');
    const faulty = spawnSync(cliPath(), ['run', '-'], { input: '{}', encoding: 'utf8' });
    assert.equal(faulty.status, 1);
    assert.match(faulty.stderr, /^pliant: standard input: [^\n]+\n$/);
    // Models in files lie beside a scene that has a place, and in the working folder otherwise.
    writeScene(folder, (s) => { s.models.pair = { file: 'model.pliant' }; });
    assert.match(succeed('info', path), /particles +1\n/);
    const beside = spawnSync(cliPath(), ['info', '-'], { input: readFileSync(path), cwd: folder });
    assert.equal(beside.status, 0);
}));

test('bakes to standard output', () => withFolder((folder) => {
    const path = join(folder, 'out.glb');
    const args = ['run', 'rope', '--seconds', '0.1', '-o'];
    succeed(...args, path);
    const result = spawnSync(cliPath(), [...args, '-'], { maxBuffer: 2 ** 26 });
    assert.equal(result.status, 0);
    assert.ok(result.stdout.equals(readFileSync(path)));
    assert.match(result.stderr.toString(), /^rope.*\nhash [0-9a-f]{16}\nwritten to standard output\n$/s);
    assert.equal(spawnSync(cliPath(), [...args, '-', '--quiet']).stderr.length, 0);
    assert.deepEqual(readdirSync(folder), ['out.glb']);
    assert.ok(!existsSync('-'));
    failWith(2, /-o - does not go together with --json/, ...args, '-', '--json');
    failWith(2, /-o - does not go together with --hash/, ...args, '-', '--hash');
    if (existsSync('/dev/full')) {
        assert.match(shell('"$PLIANT" run rope --seconds 0.1 -o - 2>&1 >/dev/full || true', ''),
            /^pliant: standard output: No space left on device\n$/);
    }
}));

test('an output that is a link stays one, a pipe is written into', () => withFolder((folder) => {
    const link = join(folder, 'link.glb');
    const target = join(folder, 'target.glb');
    symlinkSync('target.glb', link);
    for (let i = 0; i < 2; ++i) {
        succeed('run', 'rope', '--seconds', '0.1', '--quiet', '-o', link);
        assert.ok(lstatSync(link).isSymbolicLink());
        assert.equal(readFileSync(target).toString('latin1', 0, 4), 'glTF');
    }
    assert.deepEqual(readdirSync(folder).sort(), ['link.glb', 'target.glb']);
    const pipe = join(folder, 'pipe');
    const through = shell('mkfifo "$1"; timeout 20 cat "$1" >"$1.glb" & ' +
        '"$PLIANT" run rope --seconds 0.1 --quiet -o "$1"; wait; cmp "$1.glb" "${1%pipe}target.glb"', pipe);
    assert.equal(through, '');
    assert.ok(lstatSync(pipe).isFIFO());
}));

test('long paths are told as a whole, once', () => withFolder((folder) => {
    for (const length of [10, 40, 60, 80, 120, 200]) {
        for (const name of ['x'.repeat(length), `a\n${'x'.repeat(length)}`]) {
            const path = join(folder, `${name}.json`);
            const line = `pliant: ${path.replaceAll('\n', '?')}: No such file or directory\n`;
            assert.equal(pliant('run', path).stderr, line);
            assert.equal(pliant('info', path).stderr, line);
        }
    }
    const deep = `${folder}/${'folder/'.repeat(300)}scene.json`;
    assert.equal(pliant('info', deep).stderr, `pliant: ${deep}: No such file or directory\n`);
}));

test('a bake whose frames would have equal times is refused before the work', () => withFolder((folder) => {
    const path = join(folder, 'out.glb');
    const refuse = (seconds, fps) => {
        const args = ['run', 'rope', '--seconds', String(seconds), '--fps', String(fps), '-o', path];
        const result = spawnSync(cliPath(), args, { encoding: 'utf8', timeout: 10000 }); // not the work
        assert.equal(result.status, 1);
        assert.match(result.stderr, /^pliant: rope: [^\n]+ too long to be baked at [^\n]+\n$/);
    };
    refuse(86400, 10000);
    refuse(1025, 10000); // floats from 1024 on are 1.2e-4 apart
    refuse(20000, 1000);
    assert.deepEqual(readdirSync(folder), []);
    succeed('run', 'rope', '--seconds', '0.01', '--fps', '10000', '-o', path);
}));
