// Builds one HTML file that needs nothing beside it: scripts, styles, the worker and the core's WebAssembly are in it.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const core = process.env.PLIANT_STUDIO_WASM ?? resolve(import.meta.dirname, '../build/wasm/studio.wasm');

// The module as text, compressed: import it as 'virtual:core'.
function coreAsText() {
    const id = 'virtual:core';
    return {
        name: 'core-as-text',
        resolveId: (source) => (source === id ? `\0${id}` : null),
        load: (source) => (source === `\0${id}`
            ? `export default '${gzipSync(readFileSync(core), { level: 9 }).toString('base64')}';` : null),
    };
}

// Puts the bundle's script and styles into the page.
function oneFile() {
    return {
        name: 'one-file',
        enforce: 'post',
        generateBundle(_options, bundle) {
            const page = Object.values(bundle).find((part) => part.fileName.endsWith('.html'));
            for (const part of Object.values(bundle)) {
                if (part === page) continue;
                const name = part.fileName.replaceAll('.', '\\.');
                if (part.type === 'chunk') {
                    // A closing tag inside a string would end the script.
                    const code = part.code.replaceAll('</script', '<\\/script');
                    page.source = page.source.replace(new RegExp(`<script[^>]*${name}"></script>`), '');
                    page.source = page.source.replace('</body>', () => `<script type="module">${code}</script></body>`);
                } else {
                    page.source = page.source.replace(new RegExp(`<link[^>]*${name}">`),
                        () => `<style>${part.source}</style>`);
                }
                delete bundle[part.fileName];
            }
            page.fileName = 'pliant-studio.html';
        },
    };
}

export default defineConfig({
    root: import.meta.dirname,
    base: './',
    plugins: [coreAsText(), oneFile()],
    worker: { format: 'iife' },
    build: {
        outDir: '../build/studio',
        emptyOutDir: true,
        target: 'es2022',
        assetsInlineLimit: 1e8,
        cssCodeSplit: false,
        modulePreload: false,
        chunkSizeWarningLimit: 4096,
    },
});
