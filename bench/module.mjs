// The benchmark's WebAssembly module, and what a workload in it is made of.
import { readFile } from 'node:fs/promises';

export async function loadModule(path) {
    const { instance } = await WebAssembly.instantiate(await readFile(path), {});
    instance.exports._initialize();
    return instance.exports;
}

export function readString(memory, pointer) {
    const bytes = new Uint8Array(memory.buffer, pointer);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

export function writeName(module, name) {
    const bytes = new TextEncoder().encode(`${name}\0`);
    new Uint8Array(module.memory.buffer, module.name_buffer(), bytes.length).set(bytes);
}

// A struct bench_body of workloads.h: three counts, then pointers to positions, pins, edges and faces.
function readBody(memory, pointer) {
    const [particles, edges, faces, atPositions, atPinned, atEdges, atFaces] =
        new Int32Array(memory.buffer, pointer, 7);
    return {
        positions: new Float32Array(memory.buffer, atPositions, 3 * particles),
        pinned: new Uint8Array(memory.buffer, atPinned, particles),
        edges: new Int32Array(memory.buffer, atEdges, 2 * edges),
        faces: new Int32Array(memory.buffer, atFaces, 3 * faces),
    };
}

// A workload for an engine that is not ours: bodies as flat arrays, and gravity of each step.
export async function readWorkload(path, name) {
    const module = await loadModule(path);
    writeName(module, name);
    const count = module.geometry_open();
    if (!count) throw new Error(`there is no workload ${name}`);
    return {
        bodies: Array.from({ length: count }, (_, i) => readBody(module.memory, module.geometry_body(i))),
        hasFloor: module.geometry_has_floor() !== 0,
        hasWalls: module.geometry_has_walls() !== 0,
        warm: module.geometry_warm_steps(),
        gravity: (step) => new Float32Array(module.memory.buffer, module.geometry_gravity(step), 3),
    };
}
