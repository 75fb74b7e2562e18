// Modules of the page for tests of their own, as one piece of plain JavaScript each.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { rolldown } from 'rolldown';

const sources = join(import.meta.dirname, '..', 'src');

// What only the page's own build can make stands for nothing: the core's WebAssembly and its worker.
const withoutCore = {
    name: 'without-core',
    resolveId: (id) => (id === 'virtual:core' || id.includes('?worker') ? { id: '\0nothing', external: false } : null),
    load: (id) => (id === '\0nothing' ? 'export default null;' : null),
};

// The module's text: with its exports, or as a script that puts them into the global variable `name`.
export async function bundle(source, name) {
    const build = await rolldown({ input: join(sources, source), plugins: [withoutCore], logLevel: 'silent' });
    const { output } = await build.generate(name ? { format: 'iife', name } : { format: 'esm' });
    await build.close();
    return output[0].code;
}

export async function importSource(source) {
    const folder = mkdtempSync(join(tmpdir(), 'pliant-source-'));
    try {
        const path = join(folder, `${basename(source)}.mjs`);
        writeFileSync(path, await bundle(source));
        return await import(pathToFileURL(path).href);
    } finally {
        rmSync(folder, { recursive: true });
    }
}
