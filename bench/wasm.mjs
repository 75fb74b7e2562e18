// Pliant in WebAssembly as a contestant of the benchmark.
//
//     node wasm.mjs MODULE NAME [--touch] [--quality SxI] [--limit STRETCH] [--strain]
//
//     --limit, --strain   of a cloth: what its edges may be stretched by, and measure at the end how far they are
import { loadModule, readString, readWorkload, writeName } from './module.mjs';
import { serve } from './serve.mjs';
import { measureStrain } from './strain.mjs';

const KEYS = ['bodies', 'particles', 'edges', 'groups', 'substeps', 'iterations', 'warm', 'height',
    'contacts', 'pairs', 'bad', 'dropped'];

const [path, name, ...options] = process.argv.slice(2);
const valueOf = (option, missing) =>
    (options.includes(option) ? options[options.indexOf(option) + 1] : missing);
const [substeps, iterations] = valueOf('--quality', '0x0').split('x').map(Number);
const limit = Number(valueOf('--limit', 0));

const module = await loadModule(path);
writeName(module, name);
if (!module.open(options.includes('--touch') ? 1 : 0, substeps, iterations, limit)) {
    console.error(`${name}: ${readString(module.memory, module.error_message())}`);
    process.exit(1);
}
const workload = options.includes('--strain') ? await readWorkload(path, name) : null;
const numbers = () => Object.fromEntries(KEYS.map((key, index) => [key, module.number(index)]));
const positions = () =>
    new Float32Array(module.memory.buffer, module.positions(), workload.bodies[0].positions.length);

await serve({
    about: { ...numbers(), threads: 1, instructions: readString(module.memory, module.instruction_set()) },
    step: module.step,
    end: () => ({ ...(workload && measureStrain(workload, () => module.step(1), positions)), ...numbers() }),
});
