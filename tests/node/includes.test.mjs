// Arrows between the rooms of the runtime point one way: a source includes headers of its own room and of those below.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const source = join(import.meta.dirname, '../../src');

// From the lowest on, as in docs/architecture.md.
const ROOMS = ['math', 'core', 'solve', 'fast', 'collide', 'model', 'world', 'family', 'skin'];

const filesOf = room => readdirSync(join(source, room)).filter(name => /\.(c|h|inl)$/.test(name));

const includesOf = (room, file) =>
    [...readFileSync(join(source, room, file), 'utf8').matchAll(/^#include "([^"]+)"/gm)].map(match => match[1]);

test('every folder of the runtime is a room that is known', () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter(entry => entry.isDirectory());
    assert.deepEqual(folders.map(entry => entry.name).sort(), [...ROOMS].sort());
});

for (const [height, room] of ROOMS.entries()) {
    test(`${room} includes nothing from above`, () => {
        const files = filesOf(room);
        assert.ok(files.length > 0);
        for (const file of files)
            for (const header of includesOf(room, file)) {
                const other = header.includes('/') ? header.split('/')[0] : room;
                const below = ROOMS.indexOf(other);
                assert.ok(below >= 0 && below <= height, `${room}/${file} includes "${header}"`);
            }
    });
}
