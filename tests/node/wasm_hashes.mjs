// Runs every scene that the WebAssembly module has. As a program it prints the same lines as
// tests/determinism/hashes.c: node wasm_hashes.mjs MODULE
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const STEPS = 120; // as many as there

function readString(memory, pointer) {
    const bytes = new Uint8Array(memory.buffer, pointer);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

export async function loadModule(path) {
    const module = await WebAssembly.compile(await readFile(path));
    const { exports } = await WebAssembly.instantiate(module, {});
    exports._initialize();
    return { module, exports };
}

// Lines "NAME STEPS HASH", one for each scene.
export async function wasmHashes(path, steps) {
    const { exports } = await loadModule(path);
    const lines = [];
    for (let index = 0; index < exports.scene_count(); ++index) {
        const name = readString(exports.memory, exports.scene_name(index));
        const count = Math.floor(steps / ({ army: 4, beam: 10 }[name] ?? 1)); // as there
        const hash = BigInt.asUintN(64, exports.run(index, count, 1 / 60));
        const message = readString(exports.memory, exports.error_message());
        if (message) throw new Error(`${name}: ${message}`);
        lines.push(`${name} ${count} ${hash.toString(16).padStart(16, '0')}`);
    }
    return lines;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
    console.log((await wasmHashes(process.argv[2], STEPS)).join('\n'));
