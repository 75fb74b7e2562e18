// Pliant in WebAssembly as a contestant of the benchmark.
//
//     node wasm.mjs MODULE NAME [--touch] [--quality SxI]
import { loadModule, readString, writeName } from './module.mjs';
import { serve } from './serve.mjs';

const KEYS = ['bodies', 'particles', 'edges', 'groups', 'substeps', 'iterations', 'warm', 'height',
    'contacts', 'pairs', 'bad', 'dropped'];

const [path, name, ...options] = process.argv.slice(2);
const [substeps, iterations] =
    options.includes('--quality') ? options[options.indexOf('--quality') + 1].split('x').map(Number) : [0, 0];

const module = await loadModule(path);
writeName(module, name);
if (!module.open(options.includes('--touch') ? 1 : 0, substeps, iterations)) {
    console.error(`${name}: ${readString(module.memory, module.error_message())}`);
    process.exit(1);
}
const numbers = () => Object.fromEntries(KEYS.map((key, index) => [key, module.number(index)]));

await serve({
    about: { ...numbers(), threads: 1, instructions: readString(module.memory, module.instruction_set()) },
    step: module.step,
    end: numbers,
});
