// A contestant in node: answers as bench.c does, from standard input to standard output.
import { createInterface } from 'node:readline';

const say = (thing) => process.stdout.write(`${JSON.stringify(thing)}\n`);

// `about` says what runs; `step(batch)` makes steps; `prepare()`, if any, goes before each sample, untimed;
// `end()` says how it ended.
export async function serve({ about, prepare = () => {}, step, end }) {
    say(about);
    for await (const line of createInterface({ input: process.stdin })) {
        const [samples, batch] = line.split(' ').map(Number);
        const ms = [];
        for (let i = 0; i < samples; ++i) {
            prepare();
            const begin = performance.now();
            step(batch);
            ms.push((performance.now() - begin) / batch);
        }
        prepare();
        step(1); // bench.c has one more, in which it looks where the time goes
        say({ ms });
    }
    say(end());
}
