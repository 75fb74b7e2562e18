// What is kept between visits, in a page of its own with a made-up core: blocks are letters.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { withFolder } from '../../tests/node/pliant.mjs';
import { bundle } from './bundle.mjs';
import { launch, until, visit } from './page.mjs';

// In the page: a core whose history is a list of texts; each letter is a block, numbered from `first` on.
function makeCore(first) {
    return {
        entries: [], position: 0, ids: new Map(), asked: [],
        write(...texts) {
            this.entries = texts;
            this.position = texts.length;
        },
        number(letter) {
            if (!this.ids.has(letter)) this.ids.set(letter, first + this.ids.size);
            return this.ids.get(letter);
        },
        async ask() {
            return { position: this.position,
                entries: this.entries.map((text) => ({ label: text, blocks: [...text].map((c) => this.number(c)) })) };
        },
        async block(id) {
            const [letter] = [...this.ids].find(([, value]) => value === id);
            this.asked.push(letter);
            return new TextEncoder().encode(letter);
        },
    };
}

// In the page: what was kept, as texts again.
async function read() {
    const kept = await autosave.load();
    if (!kept) return null;
    const letters = [...kept.blocks].map(([id, bytes]) => [id, new TextDecoder().decode(bytes)]);
    const byId = new Map(letters);
    return {
        position: kept.history.position,
        texts: kept.history.entries.map(({ blocks }) => blocks.map((id) => byId.get(id)).join('')),
        letters: letters.map(([, letter]) => letter).sort().join(''),
        settings: kept.settings,
    };
}

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

async function inPage(use) {
    const script = `${await bundle('keep/autosave.ts', 'autosave')}\n${makeCore}\n${read}`;
    await withFolder((folder) => {
        const file = join(folder, 'page.html');
        writeFileSync(file, `<!doctype html><link rel="icon" href="data:,"><script>${script}\n` +
            'const messages = []; autosave.startAutosave((message) => messages.push(message));</script>');
        return visit(browser, file, use);
    });
}

test('nothing is kept at first, and nothing after clearing', () => inPage(async (open) => {
    const page = await open();
    assert.equal(await page.evaluate('read()'), null);
    await page.evaluate(`(async () => {
        const core = makeCore(1);
        core.write('a');
        autosave.save(core, {});
        await autosave.flush();
    })()`);
    assert.deepEqual((await page.evaluate('read()')).texts, ['a']);
    await page.evaluate('autosave.clear()');
    assert.equal(await page.evaluate('read()'), null);
}));

test('a reload finds the history, its place and the settings, without being asked to save at once', () =>
    inPage(async (open) => {
        const page = await open();
        await page.evaluate(`
            const core = makeCore(1);
            core.write('ab', 'ac', 'acd');
            core.position = 2;
            autosave.save(core, { camera: [1, 2, 3], view: 'edges' });`);
        await until(() => page.evaluate('read()'), 'a save');
        await page.reload();
        assert.deepEqual(await page.evaluate('read()'), { position: 2, texts: ['ab', 'ac', 'acd'], letters: 'abcd',
            settings: { camera: [1, 2, 3], view: 'edges' } });
    }));

test('only what is new is read and written, and what nobody needs goes', () => inPage(async (open) => {
    const page = await open();
    const asked = await page.evaluate(`(async () => {
        const core = makeCore(1);
        const asked = [];
        for (const texts of [['ab'], ['ab', 'ac'], ['ac', 'ad'], ['ac', 'ad', 'ae']]) {
            core.write(...texts);
            autosave.save(core, {});
            await autosave.flush();
            asked.push(core.asked.splice(0).join(''));
        }
        return asked;
    })()`);
    assert.deepEqual(asked, ['ab', 'c', 'd', 'e']);
    const kept = await page.evaluate('read()');
    assert.deepEqual(kept.texts, ['ac', 'ad', 'ae']);
    assert.equal(kept.letters, 'acde');
}));

test('of two pages the last to save is kept, whole', () => inPage(async (open) => {
    const pages = [await open(), await open()];
    // The same numbers for other letters.
    for (const [i, texts] of [['ab', 'ac'], ['x', 'xyz']].entries())
        await pages[i].evaluate(`globalThis.core = makeCore(1); core.write(...${JSON.stringify(texts)});`);
    const save = (page, settings) => page.evaluate(
        `autosave.save(core, ${JSON.stringify(settings)}); autosave.flush()`);
    for (let round = 0; round < 2; ++round) {
        await save(pages[0], { round });
        assert.deepEqual(await pages[1].evaluate('read()'),
            { position: 2, texts: ['ab', 'ac'], letters: 'abc', settings: { round } });
        await save(pages[1], { round });
        assert.deepEqual(await pages[0].evaluate('read()'),
            { position: 2, texts: ['x', 'xyz'], letters: 'xyz', settings: { round } });
    }
    // Both at once: one of them.
    for (let round = 0; round < 10; ++round) {
        await Promise.all(pages.map((page) => save(page, { round })));
        const { texts, letters } = await pages[0].evaluate('read()');
        assert.ok(['ab,ac abc', 'x,xyz xyz'].includes(`${texts} ${letters}`), `${texts} ${letters}`);
    }
}));

test('who has no work yet does not replace what another has kept', () => inPage(async (open) => {
    const page = await open();
    await page.evaluate(`(async () => {
        for (const texts of [['ab'], []]) {
            const core = makeCore(1);
            core.write(...texts);
            autosave.save(core, { entries: texts.length });
            await autosave.flush();
        }
    })()`);
    assert.deepEqual(await page.evaluate('read()'),
        { position: 1, texts: ['ab'], letters: 'ab', settings: { entries: 1 } });
}));

test('an engine that was started anew keeps its own blocks', () => inPage(async (open) => {
    const page = await open();
    await page.evaluate(`(async () => {
        for (const texts of [['ab'], ['cd', 'ce']]) {
            const core = makeCore(1);
            core.write(...texts);
            autosave.save(core, {});
            await autosave.flush();
        }
    })()`);
    const { texts, letters } = await page.evaluate('read()');
    assert.deepEqual([texts, letters], [['cd', 'ce'], 'cde']);
}));

test('a block that is gone when it is asked for is no harm', () => inPage(async (open) => {
    const page = await open();
    await page.evaluate(`(async () => {
        const core = makeCore(1);
        core.write('ab');
        const { block } = core;
        core.block = async (id) => {
            core.block = block;
            core.write('c');
            throw new Error('there is none');
        };
        autosave.save(core, {});
        await autosave.flush();
    })()`);
    assert.deepEqual((await page.evaluate('read()')).texts, ['c']);
}));

test('a browser that keeps nothing says so once', () => inPage(async (open) => {
    const page = await open();
    await page.evaluate(`(async () => {
        IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };
        const core = makeCore(1);
        for (const texts of [['a'], ['a', 'b']]) {
            core.write(...texts);
            autosave.save(core, {});
            await autosave.flush();
        }
    })()`);
    const messages = await page.evaluate('messages');
    assert.equal(messages.length, 1);
    assert.match(messages[0], /no more room/);
}));
