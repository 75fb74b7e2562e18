// What README.md and docs/ say can be followed: links lead somewhere, code compiles and runs, commands succeed.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

import { cliPath, succeed, withFolder } from './pliant.mjs';

const root = resolve(import.meta.dirname, '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md',
    ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

const listings = (page, language) => [...read(page).matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language).map(([, , text]) => text);

const linksOf = (page) => [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);

// As GitHub names the headings of a page.
const anchorsOf = (path) => [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)]
    .map(([, heading]) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));

for (const page of pages) {
    test(`the links of ${page} lead somewhere`, () => {
        for (const link of linksOf(page).filter((target) => !/^https?:/.test(target))) {
            const [path, anchor] = link.split('#');
            const file = path ? join(root, dirname(page), path) : join(root, page);
            assert.ok(existsSync(file), link);
            if (anchor) assert.ok(anchorsOf(file).includes(anchor), link);
        }
    });

    test(`the targets of make that ${page} names are there`, () => {
        const [, list] = /^\.PHONY: (.*)$/m.exec(read('Makefile'));
        const targets = list.split(' ');
        for (const [, target] of read(page).matchAll(/(?:`|^)(?:NO_OPEN=1 )?make ([a-z-]+)/gm))
            assert.ok(targets.includes(target), `make ${target}`);
    });
}

// Calls the compiler for a text, strictly.
function compile(text, folder, ...args) {
    const source = join(folder, 'listing.c');
    writeFileSync(source, text);
    execFileSync('cc', ['-std=c17', '-Wall', '-Wextra', '-Werror', '-I', join(root, 'include'), source, ...args],
        { stdio: 'pipe' });
}

// Lines out of a function, in one that has what they take for granted.
const checkLines = (parameters, lines) => withFolder((folder) => compile(`#include <pliant/draft.h>
#include <pliant/mesh.h>
#include <pliant/pliant.h>
void listing(${parameters});
void listing(${parameters})
{
${lines}
}
`, folder, '-fsyntax-only'));

test("the README's program builds without a warning and does what it says", () => withFolder((folder) => {
    const program = join(folder, 'listing');
    const [whole] = listings('README.md', 'c');
    compile(whole, folder, join(dirname(cliPath()), 'libpliant.a'), '-lm', '-pthread', '-o', program);
    execFileSync(program);
}));

test("the README's other lines of C compile without a warning", async () => {
    const [, advance, threads] = listings('README.md', 'c');
    await checkLines('pliant_world *world, pliant_body_id body, float frame_seconds, pliant_vec3 *positions, '
        + 'pliant_vec3 *normals', advance);
    await checkLines('pliant_world_def world_def', `${threads}    pliant_world_create(&world_def, NULL);`);
});

test("docs/authoring.md's lines of C compile without a warning", async () => {
    const [lines] = listings('docs/authoring.md', 'c');
    await checkLines('pliant_error error', `${lines}    pliant_model_destroy(model);`);
});

test("the README's commands succeed", () => withFolder((folder) => {
    mkdirSync(join(folder, 'bin'));
    symlinkSync(resolve(cliPath()), join(folder, 'bin/pliant'));
    cpSync(join(root, 'scenes/tumble.json'), join(folder, 'scenes/tumble.json'));
    succeed('run', 'octopus', '--seconds', '0.1', '-o', join(folder, 'octopus.glb'), '--quiet'); // stands in for any mesh
    const commands = listings('README.md', 'sh').join('').split('\n').filter((line) => line.startsWith('pliant '));
    assert.ok(commands.length > 10);
    for (const command of commands) {
        const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8',
            env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` } });
        assert.equal(status, 0, `${command}: ${stderr}`);
    }
}));

test('docs/scenes.md tells of every built-in scene', () => {
    const [, table] = read('docs/scenes.md').split('## Built-in scenes');
    const told = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names]) => names.match(/\w+/g));
    assert.deepEqual(told.sort(), JSON.parse(succeed('scenes', '--json')).map(({ name }) => name).sort());
});

test('pictures are shown and small', () => {
    const shown = new Set(pages.flatMap((page) => linksOf(page).map((link) => resolve(root, dirname(page), link))));
    const files = readdirSync(join(root, 'docs/pictures')).map((name) => join(root, 'docs/pictures', name));
    for (const file of files) assert.ok(shown.has(file), `${file} is shown nowhere`);
    for (const file of files) assert.ok(statSync(file).size <= 3e6, `${file} is too large for a first screen`);
    assert.ok(files.reduce((sum, file) => sum + statSync(file).size, 0) <= 5e6);
});
