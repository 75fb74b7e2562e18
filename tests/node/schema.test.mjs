// The published schemas say of a scene and of a recipe what the program says of it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import Ajv from 'ajv/dist/2020.js';

import { writeBoxes } from './boxes.mjs';
import { pliant, sceneNames, sceneToolPath, succeed, withFolder } from './pliant.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

function compile(schema) {
    const text = readFileSync(join(root, 'docs', schema), 'utf8');
    return new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(JSON.parse(text));
}

// Every kind of shape and of attachment.
const solids = {
    pliant: 1,
    models: { ball: { ball: {} } },
    bodies: [{ name: 'a', model: 'ball' }, { model: 'ball', position: [3, 0, 0] }],
    shapes: {
        sphere: { sphere: { radius: 1 } },
        capsule: { capsule: { radius: 1, half_length: 1 } },
        box: { box: { half_size: [1, 2, 3] } },
        hull: {
            hull: {
                points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            },
        },
        mesh: { mesh: { points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]] } },
        ground: { heightfield: { columns: 2, rows: 2, spacing: 1, heights: [0, 0, 0, 1] } },
        plane: { plane: {} },
    },
    colliders: [{
        name: 'c', shape: 'hull', position: [9, 0, 0], orientation: [0, 0, 0, 1],
        linear_velocity: [0, 1, 0], angular_velocity: [1, 0, 0], friction: 1, restitution: 0.25,
        layers: 1, mask: 3, colour: [0.25, 0, 1],
    }, { sphere: {} }],
    attachments: [
        { body: 'a', particle: 0, other_body: 1, other_particle: 0, length: 3, stiffness: 0.25 },
        { body: 'a', particle: 0, collider: 'c', anchor: [0, 0, 0], slack: true, strength: 9 },
    ],
};

// Every tool, with every argument that the examples of the documentation leave out.
const tools = {
    $schema: 'recipe.schema.json',
    selections: {
        body: { part: 'body' },
        gold: { material: 'gold' },
        any: { any: ['body', 'gold'] },
        far: { sphere: { centre: [9, 9, 9], radius: 1 } },
        few: { indices: [0, 3] },
    },
    tools: [
        { scale: { spacing: 0.5, bridge: 0.5 } },
        {
            spray: {
                vertices: 'any',
                count: 12,
                particle: {
                    orientation: [0, 0, 0, 1], radii: [0.1, 0.2, 0.3], mass: 2, stiffness: 1,
                    pinned: true, oriented: false, surface: true, layers: 1, mask: 3,
                    yield_strain: 0.1, creep_rate: 1,
                },
            },
        },
        { fill: { vertices: 'body', spacing: 0.4, clearance: 0.2, particle: { radius: 0.1 } } },
        { slice: { vertices: 'gold', spacing: 0.3, axis: [0, 1, 0], edges: false, torsion_stiffness: 0.25 } },
        { fit: { radius: 0.25, aspect: 3, drift: 1, merge: 0.125 } },
        {
            connect: {
                particles: 'any', distance: 0.5, nearest_only: true, stretch_stiffness: 1, torsion_stiffness: 0.25,
            },
        },
        { spray: { spacing: 0.2, centre: [0, 0.5, 0], radius: 0.3 } },
        { paint: { target: 'mass', value: 2, strength: 0.25 } },
        { move: { particles: 'few', translation: [0, 0.125, 0] } },
        {
            set: {
                particles: 'few', orientation: [0, 0, 0, 1], radii: [0.1, 0.2, 0.3], mass: 2, stiffness: 1,
                pinned: true, oriented: false, surface: true, layers: 1, mask: 3, yield_strain: 0.1, creep_rate: 1,
                young_modulus: 1e5, density: 900,
            },
        },
        { mirror: { particles: 'few', normal: [0, 0, 1], offset: 0.5, tolerance: 0.125, replace: true } },
        { unbind: { vertices: 'gold' } },
        { bind: { links: 2 } },
        { group: { particles: 'body', yield_strain: 0.25, creep_rate: 2 } },
        { edge: { a: 0, b: 1, stretch_stiffness: 0.75, torsion_stiffness: 0.25 } },
        { ungroup: { particles: 'few' } },
        { disconnect: { particles: 'far' } },
        { remove: { particles: 'far' } },
        {
            body: {
                friction: 0.25, restitution: 0.5, linear_damping: 0.125, angular_damping: 0.25, shape_damping: 0.5,
                self_collision: true,
            },
        },
        { material: { particles: 'body', name: 'felt' } },
    ],
};

function read(folder, ending) {
    return readdirSync(join(root, folder)).filter((name) => name.endsWith(ending))
        .map((name) => [name, readFileSync(join(root, folder, name), 'utf8')]);
}

function readShown(page) {
    return [...readFileSync(join(root, page), 'utf8').matchAll(/```json\n(.*?)```/gs)]
        .map(([, text], i) => [`${page}, example ${i + 1}`, text]);
}

// Every place in a document, as the path that leads there.
function* places(value, path = []) {
    yield path;
    if (value !== null && typeof value === 'object')
        for (const key of Object.keys(value)) yield* places(value[key], [...path, key]);
}

// A copy of `document` with the value at `path` replaced by what `change` makes of it.
function changed(document, path, change) {
    if (path.length === 0) return change(document);
    const copy = structuredClone(document);
    const parent = path.slice(0, -1).reduce((value, key) => value[key], copy);
    parent[path.at(-1)] = change(parent[path.at(-1)], path.at(-1));
    return copy;
}

// Arrays of numbers that may be of any length.
const LISTS = new Set(['particles', 'pinned', 'members', 'heights', 'indices']);

// Each breaks a value in a way that no place allows.
const breaks = {
    'unknown key': (value) => (isObject(value) ? { ...value, 'no such key': 1 } : undefined),
    'wrong type': (value) => (typeof value === 'number' ? { number: value } : 0.5),
    null: () => null,
    'vector of the wrong length': (value, key) =>
        (isNumbers(value) && !LISTS.has(key) ? [...value, 1, 1] : undefined),
};

function isObject(value) {
    return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isNumbers(value) {
    return Array.isArray(value) && value.every((element) => typeof element === 'number');
}

// Runs `pliant info` on a scene.
function inspect(folder, document) {
    const path = join(folder, 'scene.json');
    writeFileSync(path, JSON.stringify(document));
    return pliant('info', path);
}

// Makes a model of two boxes by a recipe.
function cook(folder, document) {
    const path = join(folder, 'recipe.json');
    writeFileSync(path, JSON.stringify(document));
    return pliant('author', writeBoxes(folder), '-o', join(folder, 'out.pliant'), '--recipe', path, '--quiet');
}

const formats = [
    {
        validate: compile('scene.schema.json'),
        run: inspect,
        examples: [...read('scenes', '.json'), ...readShown('docs/scenes.md'),
            ['every kind of solid', JSON.stringify(solids)]],
    },
    {
        validate: compile('recipe.schema.json'),
        run: cook,
        examples: [...readShown('docs/authoring.md'), ['every tool', JSON.stringify(tools)]],
    },
];

const cases = formats.flatMap(({ examples, ...format }) =>
    examples.map(([name, text]) => ({ name, document: JSON.parse(text), ...format })));

for (const { name, document, validate, run } of cases) {
    const programOn = (mutant) => withFolder((folder) => run(folder, mutant));

    test(`${name}: schema and program accept it`, async () => {
        assert.ok(validate(document), JSON.stringify(validate.errors, null, 1));
        const { status, stderr } = await programOn(document);
        assert.equal(status, 0, stderr);
    });

    for (const [what, change] of Object.entries(breaks)) {
        test(`${name}: schema and program reject a ${what} anywhere`, async () => {
            let count = 0;
            for (const place of places(document)) {
                const value = place.reduce((inside, key) => inside[key], document);
                if (change(value, place.at(-1)) === undefined) continue;
                const mutant = changed(document, place, change);
                const at = `${what} at ${place.join('.') || 'the root'}`;
                assert.ok(!validate(mutant), `the schema accepts a ${at}`);
                const { status, stderr } = await programOn(mutant);
                assert.equal(status, 1, `the program's exit code for a ${at}: ${status} ${stderr}`);
                assert.match(stderr, /^[^\n]+\n$/, `the program says one line for a ${at}`);
                ++count;
            }
            assert.ok(count > 0);
        });
    }
}

for (const name of sceneNames) {
    test(`${name}: what is written of it keeps to the schema and runs alike`, () => withFolder((folder) => {
        execFileSync(sceneToolPath(), [name, folder]);
        const path = join(folder, `${name}.json`);
        const { validate } = formats[0];
        assert.ok(validate(JSON.parse(readFileSync(path, 'utf8'))), JSON.stringify(validate.errors, null, 1));
        const hash = (scene) => succeed('run', scene, '--hash', '--seconds', '0.25');
        assert.equal(hash(path), hash(name));
    }));
}
