// What the tests share: the programs under test and the scenes they know.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function program(variable) {
    const path = process.env[variable];
    if (!path) throw new Error(`the environment variable ${variable} must name a built file`);
    return path;
}

export const cliPath = () => program('PLIANT_CLI');

// Runs the command line program to its end, whatever that is.
export function pliant(...args) {
    return spawnSync(cliPath(), args, { encoding: 'utf8' });
}

// Runs it with success and without a word on standard error.
export function succeed(...args) {
    const result = pliant(...args);
    assert.equal(result.status, 0, result.stderr);
    assert.equal(result.stderr, '');
    return result.stdout;
}

// Runs into an error: the exit code, nothing on standard output, one line on standard error.
export function failWith(code, pattern, ...args) {
    const result = pliant(...args);
    assert.equal(result.status, code, `${args}: ${result.stderr}`);
    assert.equal(result.stdout, '');
    assert.match(result.stderr, /^pliant: [^\n]+\n$/);
    assert.match(result.stderr, pattern);
}

export const meshToolPath = () => program('PLIANT_MESH_TOOL');
export const rigDumpPath = () => program('PLIANT_RIG_DUMP');
export const livingPath = () => program('PLIANT_LIVING');
export const sceneToolPath = () => program('PLIANT_SCENE_TOOL');

// Files of others that are no part of the project; the folder need not be there.
export const assetFolder = () => process.env.PLIANT_ASSETS ??
    join(import.meta.dirname, '..', '..', '..', 'shared', 'assets');

export const wasmPath = () => program('PLIANT_WASM');

export function nativeHashes(steps) {
    const args = ['--steps', String(steps)];
    return execFileSync(program('PLIANT_HASHES'), args, { encoding: 'utf8' }).trim().split('\n');
}

// The army is left out: a hundred of the octopuses there are in another scene, and a bake of 30 MB a second.
export const sceneNames = JSON.parse(execFileSync(cliPath(), ['scenes', '--json']))
    .map(({ name }) => name).filter((name) => name !== 'army');

// Calls `use` with a new folder and removes it afterwards.
export async function withFolder(use) {
    const folder = mkdtempSync(join(tmpdir(), 'pliant-'));
    try {
        return await use(folder);
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// A built-in scene's bake, in memory.
export async function bake(scene, seconds, fps) {
    return withFolder((folder) => {
        const path = join(folder, 'bake.glb');
        const result = pliant('run', scene, '-o', path, '--seconds', String(seconds), '--fps',
            String(fps), '--quiet');
        if (result.status !== 0) throw new Error(`${scene}: ${result.stderr}`);
        return readFileSync(path);
    });
}

// What Pliant itself says about a scene at the given steps: for each step and body the skinned
// vertices (xyz) and the particles' poses (xyz, quaternion xyzw) as flat arrays.
export function truth(scene, dt, steps) {
    const output = execFileSync(program('PLIANT_SKIN_DUMP'), [scene, String(dt), ...steps.map(String)],
        { maxBuffer: 2 ** 30 });
    const data = output.buffer.slice(output.byteOffset, output.byteOffset + output.byteLength);
    const counts = new Int32Array(data, 4, 2 * new Int32Array(data, 0, 1)[0]);
    let offset = 4 + counts.byteLength;
    const take = (count) => {
        const values = new Float32Array(data, offset, count);
        offset += values.byteLength;
        return values;
    };
    const moments = steps.map(() => {
        const bodies = [];
        for (let i = 0; i < counts.length; i += 2)
            bodies.push({ vertices: take(3 * counts[i]), poses: take(7 * counts[i + 1]) });
        return bodies;
    });
    if (offset !== data.byteLength) throw new Error('skin_dump wrote more than it should');
    return moments;
}

// The diagonal of the bounding box of points in a flat array of `stride` numbers each.
export function diagonal(values, stride) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < values.length; i += stride) {
        for (let axis = 0; axis < 3; ++axis) {
            low[axis] = Math.min(low[axis], values[i + axis]);
            high[axis] = Math.max(high[axis], values[i + axis]);
        }
    }
    return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
