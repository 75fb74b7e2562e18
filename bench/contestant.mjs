// A contestant is a process that steps one scene or workload when it is told to (see bench.c). Each has a
// process of its own: engines do not share an allocator or a heap, and one that hangs can be ended.
import { spawn, spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';

const PATIENCE = 150_000; // ms for the longest answer
// All that run on one thread have the same processor: another may be slower, as who else shares it is somebody else.
const PIN = ['taskset', '-c', String(cpus().length - 1)];
const canPin = spawnSync(PIN[0], [...PIN.slice(1), 'true']).status === 0;

export class Contestant {
    // `who` says which rows of the results these are: engine, platform, variant.
    constructor(who, command, args) {
        this.who = who;
        this.command = [command, ...args];
        this.ms = [];
        this.stages = [];
    }

    // Starts the process; `about` is what it says of itself.
    async open() {
        const isAlone = !this.command.includes('--threads');
        const [command, ...args] = canPin && isAlone ? [...PIN, ...this.command] : this.command;
        this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
        this.trouble = '';
        this.process.stderr.on('data', (data) => { this.trouble += data; });
        this.process.stdin.on('error', () => {}); // its end shows in the answers
        this.process.on('error', (error) => { this.trouble += error.message; });
        this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
        this.about = await this.answer();
    }

    async answer() {
        let timer;
        const late = new Promise((_, reject) => {
            timer = setTimeout(() => reject(new Error('takes too long')), PATIENCE);
        });
        try {
            const { value, done } = await Promise.race([this.lines.next(), late]);
            if (done) throw new Error(this.trouble.trim().split('\n')[0] || 'ended too early');
            return JSON.parse(value);
        } finally {
            clearTimeout(timer);
        }
    }

    async warm(steps) {
        this.process.stdin.write(`${steps} 1\n`);
        return (await this.answer()).ms;
    }

    async measure(samples, batch) {
        this.process.stdin.write(`${samples} ${batch}\n`);
        const { ms, stages } = await this.answer();
        this.ms.push(...ms);
        if (stages) this.stages.push(stages);
    }

    async close() {
        this.process.stdin.end();
        this.end = await this.answer();
    }

    abandon() {
        this.process?.kill('SIGKILL');
    }
}
