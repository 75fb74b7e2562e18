// Arrows between the rooms of the house point one way: a source includes headers of its own room and of those below. What
// is built on the libraries includes what is public, and what its own library has.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const root = join(import.meta.dirname, '../..');

// From the lowest on, as in docs/architecture.md.
const RUNTIME = ['math', 'core', 'solve', 'fast', 'form', 'collide', 'rig', 'model', 'world', 'family', 'skin'];
const AUTHOR = [
    'io', 'json', 'gltf', 'mesh', 'import', 'matter', 'draft', 'slice', 'auto', 'recipe', 'shapes', 'bake', 'scene',
];
// What of the runtime's inside authoring may see.
const AUTHOR_SEES = ['math', 'core', 'form', 'model'];

const filesOf = folder => readdirSync(join(root, folder)).filter(name => /\.(c|h|inl)$/.test(name));

const includesOf = (folder, file) =>
    [...readFileSync(join(root, folder, file), 'utf8').matchAll(/^#include "([^"]+)"/gm)].map(match => match[1]);

const roomsOf = folder =>
    readdirSync(join(root, folder), { withFileTypes: true })
        .filter(entry => entry.isDirectory())
        .map(entry => entry.name);

// Calls check(header, room of the header, message) for all that the files of a folder include by quotes.
function checkIncludes(folder, check) {
    const files = filesOf(folder);
    assert.ok(files.length > 0);
    for (const file of files)
        for (const header of includesOf(folder, file))
            check(header, header.includes('/') ? header.split('/')[0] : null, `${folder}/${file} includes "${header}"`);
}

test('every folder of the libraries is a room that is known', () => {
    assert.deepEqual(roomsOf('src').sort(), [...RUNTIME].sort());
    assert.deepEqual(roomsOf('author').sort(), [...AUTHOR].sort());
});

for (const [height, room] of RUNTIME.entries()) {
    test(`src/${room} includes nothing from above`, () => {
        checkIncludes(`src/${room}`, (header, other, message) => {
            const below = RUNTIME.indexOf(other ?? room);
            assert.ok(below >= 0 && below <= height, message);
        });
    });
}

for (const [height, room] of AUTHOR.entries()) {
    test(`author/${room} includes nothing from above`, () => {
        checkIncludes(`author/${room}`, (header, other, message) => {
            const below = AUTHOR.indexOf(other ?? room);
            assert.ok(AUTHOR_SEES.includes(other) || (below >= 0 && below <= height), message);
        });
    });
}

test('scenes include what is public', () => {
    checkIncludes('scenes', (header, other, message) => assert.equal(other, null, message));
});

test('the program includes what is public, scenes, and how JSON is written', () => {
    checkIncludes('cli', (header, other, message) =>
        assert.ok(other === null || header === '../author/json/json_write.h', message));
});

test("the Studio's core includes its library's rooms", () => {
    checkIncludes('studio/core', (header, other, message) =>
        assert.ok(other === null || other === 'core' || other === 'math' || AUTHOR.includes(other), message));
});
