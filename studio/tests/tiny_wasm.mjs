// Writes small WebAssembly modules, for cores that do what the real one should never do.

const I32 = 0x7f;
const F32 = 0x7d;

// Short ones only: no number is above 127, no section above 16383 bytes.
const size = (n) => (n < 128 ? [n] : [(n & 127) | 128, n >> 7]);
const vector = (items) => [...size(items.length), ...items.flat()];
const section = (id, bytes) => [id, ...size(bytes.length), ...bytes];
const text = (string) => vector([...new TextEncoder().encode(string)]);

export const number = (value) => [0x41, value]; // i32.const, 0 to 63
export const trap = [0x00];

// Functions by name: how many parameters they have (i32, or f32 where it says 'f'), whether they give an i32, and
// the instructions of the body. The module exports them and one page of memory.
export function tinyWasm(functions) {
    const entries = Object.entries(functions);
    const types = entries.map(([, { parameters = '', gives = true }]) => [0x60,
        ...vector([...parameters].map((kind) => [kind === 'f' ? F32 : I32])), ...vector(gives ? [[I32]] : [])]);
    const bodies = entries.map(([, { body }]) => {
        const code = [...vector([]), ...body, 0x0b];
        return [...size(code.length), ...code];
    });
    const exported = entries.map(([name], i) => [...text(name), 0x00, ...size(i)]);
    return Uint8Array.from([
        0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
        ...section(1, vector(types)),
        ...section(3, vector(entries.map((_, i) => size(i)))),
        ...section(5, vector([[0x00, 0x01]])),
        ...section(7, vector([[...text('memory'), 0x02, 0x00], ...exported])),
        ...section(10, vector(bodies)),
    ]);
}
