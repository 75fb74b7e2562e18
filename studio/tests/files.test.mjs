// Files that are dropped, in a page of its own with a core that only takes note.
import assert from 'node:assert/strict';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { withFolder } from '../../tests/node/pliant.mjs';
import { bundle, importSource } from './bundle.mjs';
import { dropPaths, launch, visit } from './page.mjs';

const { mainFile, relativePath } = await importSource('keep/files.ts');

const mainOf = (...paths) => mainFile(paths.map((path) => ({ path })))?.path ?? null;

test('the file to open is the one the others belong to', () => {
    assert.equal(mainOf('truck.bin', 'truck.gltf', 'paint.png'), 'truck.gltf');
    assert.equal(mainOf('rope.glb', 'show.json', 'cow.obj'), 'show.json');
    assert.equal(mainOf('cow.mtl', 'COW.OBJ', 'cow.png'), 'COW.OBJ');
    assert.equal(mainOf('a/parts/wheel.gltf', 'a/truck.glb'), 'a/truck.glb');
    assert.equal(mainOf('b.glb', 'a.glb'), 'a.glb');
    assert.equal(mainOf('model.pliant'), 'model.pliant');
    assert.equal(mainOf('notes.txt', 'gltf'), null);
    assert.equal(mainOf(), null);
});

test('names are those that the main file calls the others by', () => {
    assert.equal(relativePath('truck.gltf', 'truck.gltf'), 'truck.gltf');
    assert.equal(relativePath('a/b/truck.gltf', 'a/b/truck.gltf'), 'truck.gltf');
    assert.equal(relativePath('a/b/truck.gltf', 'a/b/Textures/paint.png'), 'Textures/paint.png');
    assert.equal(relativePath('a/b/truck.gltf', 'a/Textures/paint.png'), '../Textures/paint.png');
    assert.equal(relativePath('a/b', 'a'), '../a');
});

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

// In the page: opens what is dropped and notes what the core was asked, or what the user was told.
function listen() {
    const log = [];
    const engine = {
        async putFile(name, bytes) {
            if (name === 'full.bin') throw new Error('out of memory');
            log.push(`put ${name} ${bytes.byteLength}`);
        },
        async ask(command, { file }) { log.push(`${command} ${file}`); },
    };
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
        event.preventDefault();
        files.droppedFiles(event.dataTransfer).then((dropped) => files.openFiles(engine, dropped))
            .catch((error) => log.push(`told ${error.message}`)).then(() => log.push('done'));
    });
    window.take = () => (log.at(-1) === 'done' ? log.splice(0).slice(0, -1) : null);
}

// Drops paths of a folder with these files: path to content, or to a size.
async function drop(contents, ...paths) {
    const script = `${await bundle('keep/files.ts', 'files')}\n(${listen})();`;
    return withFolder((folder) => {
        for (const [name, content] of Object.entries(contents)) {
            const path = join(folder, name);
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, typeof content === 'string' ? content : '');
            if (typeof content === 'number') truncateSync(path, content);
        }
        const file = join(folder, 'page.html');
        writeFileSync(file, `<!doctype html><link rel="icon" href="data:,"><script>${script}</script>`);
        return visit(browser, file, async (open) => {
            const page = await open();
            await dropPaths(page, paths.map((path) => join(folder, path)));
            const log = await page.waitForFunction(() => window.take());
            return log.jsonValue();
        });
    });
}

test('a folder with folders in it', async () => {
    const log = await drop({ 'truck/model/truck.gltf': '{}', 'truck/model/truck.bin': '1234',
        'truck/Textures/paint.png': 'paint', 'truck/readme.txt': '' }, 'truck');
    assert.deepEqual(log.slice(0, -1).sort(), ['put ../Textures/paint.png 5', 'put ../readme.txt 0',
        'put truck.bin 4', 'put truck.gltf 2']);
    assert.equal(log.at(-1), 'open truck.gltf');
});

test('some files', async () => {
    const log = await drop({ 'cow.obj': 'v 0 0 0', 'cow.mtl': 'newmtl a' }, 'cow.mtl', 'cow.obj');
    assert.deepEqual(log.sort(), ['open cow.obj', 'put cow.mtl 8', 'put cow.obj 7']);
});

test('what is too large is refused before it is read', async () => {
    const log = await drop({ 'large.glb': 500e6 }, 'large.glb');
    assert.deepEqual(log, ['told large.glb: 477 MB are more than the 256 MB that can be opened here']);
    const several = await drop({ 'all/a.gltf': '{}', 'all/b.bin': 200e6, 'all/c.bin': 200e6 }, 'all');
    assert.deepEqual(several, ['told all/a.gltf: 382 MB are more than the 256 MB that can be opened here']);
});

test('nothing to open is told', async () => {
    assert.match((await drop({ 'notes.txt': 'x' }, 'notes.txt'))[0], /^told notes\.txt: nothing to open here/);
});

test('when a file does not fit, the core forgets the others', async () => {
    const log = await drop({ 'a.gltf': '{}', 'full.bin': 'x' }, 'a.gltf', 'full.bin');
    assert.deepEqual(log, ['put a.gltf 2', 'open ', 'told out of memory']);
});
