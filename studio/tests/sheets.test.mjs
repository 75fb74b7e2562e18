// The pictures of `make pictures`: what takes too long is named, and the others are drawn all the same.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { cliPath, withFolder } from '../../tests/node/pliant.mjs';
import { attempt } from '../../tools/pictures/drawing.mjs';

const draw = (program, patience, ...args) => spawnSync(process.execPath,
    [join(import.meta.dirname, '../../tools/pictures', program), cliPath(), ...args],
    { encoding: 'utf8', env: { ...process.env, PICTURE_PATIENCE: String(patience) } });

const PATIENT = 240_000;

test('a slow sheet is named and keeps no other from being drawn', () => withFolder((folder) => {
    const { status, stdout } = draw('sheets.mjs', 1, folder, 'spinner', 'cart');
    assert.equal(status, 1);
    assert.match(stdout, /^cart: not drawn: .*Timeout.*\nspinner: not drawn: .*Timeout.*\n$/);
    assert.equal(draw('sheets.mjs', PATIENT, folder, 'spinner', 'cart').status, 0);
    assert.ok(existsSync(join(folder, 'cart.png')) && existsSync(join(folder, 'spinner.png')));
}));

test('what fails once is drawn at the second trial', async () => {
    let trials = 0;
    await attempt('late', 'late.png', async () => {
        if (++trials === 1) throw new Error('Timeout');
    });
    assert.equal(trials, 2);
    assert.equal(process.exitCode ?? 0, 0);
});

test('a scene that cannot run is named and keeps no other from being drawn', () => withFolder((folder) => {
    const broken = join(import.meta.dirname, 'page.mjs'); // no scene at all
    const { status, stdout } = draw('sheets.mjs', PATIENT, folder, broken, 'spinner');
    assert.equal(status, 1);
    assert.match(stdout, /spinner\.png\npage: not drawn: /);
}));

// The type of each chunk of a WebP file.
function chunksOf(file) {
    const bytes = readFileSync(file);
    assert.equal(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12), 'RIFFWEBP');
    const types = [];
    for (let at = 12; at < bytes.length; at += 8 + 2 * Math.ceil(bytes.readUInt32LE(at + 4) / 2))
        types.push(bytes.toString('latin1', at, at + 4));
    return types;
}

test('the moving picture has a frame for every moment', () => withFolder((folder) => {
    const file = join(folder, 'film.webp');
    const { status, stderr } = draw('film.mjs', PATIENT, folder, file, '--frames', '3');
    assert.equal(status, 0, stderr);
    assert.deepEqual(chunksOf(file), ['VP8X', 'ANIM', 'ANMF', 'ANMF', 'ANMF']);
}));

test('of a moving picture that cannot be drawn nothing is left but its name', () => withFolder((folder) => {
    const file = join(folder, 'film.webp');
    const { status, stdout } = draw('film.mjs', 1, folder, file, '--frames', '1');
    assert.equal(status, 1);
    assert.match(stdout, /^film: not drawn: .*Timeout/);
    assert.ok(!existsSync(file));
}));
