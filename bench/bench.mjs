// Measures everything: what each scene and workload takes, beside other engines on the same particles.
//
//     node bench/bench.mjs [--quick] [NAME…]     NAME: a scene or a workload; all of them unless told
//
// Results go to out/bench: steps.csv, instructions.csv, memory.csv, machine.json. report.mjs makes tables and a
// plot of them.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { countInstructions, hasValgrind } from './count.mjs';
import {
    countedContestants, fewestSamples, findPrograms, sceneContestants, workloadContestants,
} from './plan.mjs';
import { median, race } from './race.mjs';
import { align, describe, percent, short, STAGES, writeCsv } from './table.mjs';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'out/bench');
const programs = findPrograms(root);

function complain(contestant, message) {
    console.log(`  left out: ${describe(contestant.who)}: ${message}`);
}

const PARTS = 10;

// Where steps differ from one part of a run to another, the shortest of all stands for few of them: the mean of the
// shortest of each part stands for all parts, and each of these is what is taken when nobody else is at work.
function meanOfLeast(ms) {
    const part = (i) => ms.slice(Math.floor((ms.length * i) / PARTS), Math.floor((ms.length * (i + 1)) / PARTS));
    const least = Array.from({ length: PARTS }, (_, i) => part(i)).filter((some) => some.length)
        .map((some) => Math.min(...some));
    return least.reduce((sum, value) => sum + value, 0) / least.length;
}

function resultOf(contestant) {
    const { who, about, ms, stages, end } = contestant;
    const substeps = about.substeps ?? 1;
    const least = Math.min(...ms), middle = median(ms);
    const nanos = (value) => (value * 1e6) / (about.particles * substeps * about.iterations);
    const split = STAGES.map((stage, i) => [`${stage}_ms`, median(stages.map((values) => values[i]))]);
    return {
        ...who, version: about.version ?? null, bodies: about.bodies ?? null, particles: about.particles,
        edges: about.edges, groups: about.groups ?? null, substeps, iterations: about.iterations,
        threads: about.threads ?? 1, instructions: about.instructions ?? null, samples: ms.length,
        min_ms: least, parts_min_ms: meanOfLeast(ms), median_ms: middle, min_ns: nanos(least), median_ns: nanos(middle),
        ...Object.fromEntries(split), height: end.height, contacts: end.contacts ?? null,
        pairs: end.pairs ?? null, strain: end.strain ?? null, most_strain: end.most_strain ?? null,
    };
}

function printRace(name, results) {
    const [first] = results;
    if (!first) return;
    console.log(`${name}: ${first.particles} particles, ${first.edges} edges`);
    const isCloth = first.strain !== null;
    const head = ['', 'min ms', 'median ms', 'ns/part/iter', ...(isCloth ? ['strain rms', 'most'] : STAGES)];
    const rest = (row) => (isCloth ? [percent(row.strain), percent(row.most_strain)]
        : STAGES.map((stage) => short(row[`${stage}_ms`])));
    const rows = results.map((row) => [`  ${describe(row)}`, short(row.min_ms),
        short(row.median_ms), row.min_ns.toFixed(1), ...rest(row)]);
    console.log(`${align([head, ...rows], 1)}\n`);
}

async function measure(name, contestants, settings) {
    const results = (await race(contestants, settings, complain)).map(resultOf);
    printRace(name, results);
    return results;
}

function countAll(wanted) {
    if (!hasValgrind()) {
        console.log('instructions are not counted: valgrind is not installed');
        return [];
    }
    return countedContestants(programs).filter(({ who }) => wanted(who.name)).map((contestant) => ({
        ...contestant.who, instructions_per_particle_iteration: countInstructions(contestant),
    }));
}

const firstLine = (command, ...args) => {
    const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
    return status === 0 ? stdout.split('\n')[0].trim() : null;
};

// What build/wasm was built with.
function wasmCompiler() {
    const cache = join(root, 'build/wasm/CMakeCache.txt');
    const path = existsSync(cache) && /^CMAKE_C_COMPILER:[A-Z]+=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1];
    return path ? firstLine(path, '--version') : null;
}

function machine(compiler) {
    return {
        processor: cpus()[0].model.trim(), processors: cpus().length,
        memory_gib: Math.round(totalmem() / 2 ** 30), compiler,
        wasm_compiler: wasmCompiler(), node: firstLine(programs.node, '--version'),
        v8: firstLine(programs.node, '-p', 'process.versions.v8'),
    };
}

function sayWhatIsMissing() {
    if (!programs.bullet) console.log('Bullet is left out: it needs libbullet-dev and g++');
    if (!programs.wasm) console.log('WASM, Jolt and MuJoCo are left out: they need clang and wasi-libc');
    else {
        if (!programs.jolt) console.log('Jolt is left out: npm cannot install jolt-physics');
        if (!programs.mujoco) console.log('MuJoCo is left out: npm cannot install @mujoco/mujoco');
    }
}

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isQuick = process.argv.includes('--quick');
const { scenes, workloads, compiler } = JSON.parse(execFileSync(programs.native, ['list']));
const quick = ['W1', 'W5a', 'octopus'];
const isWanted = (name) => (names.length ? names.includes(name) : !isQuick || quick.includes(name));
const unknown = names.filter((name) => ![...scenes, ...workloads].includes(name));
if (unknown.length) {
    console.error(`no such scene or workload: ${unknown.join(', ')}`);
    process.exit(2);
}

mkdirSync(folder, { recursive: true });
sayWhatIsMissing();
const results = [];
for (const name of workloads.filter(isWanted))
    results.push(...await measure(name, workloadContestants(programs, name),
        { seconds: 6, fewest: fewestSamples[name] }));
for (const name of scenes.filter(isWanted))
    results.push(...await measure(name, sceneContestants(programs, name),
        { seconds: 2, fewest: fewestSamples[name], mayBatch: true }));
writeCsv(join(folder, 'steps.csv'), results);
writeCsv(join(folder, 'instructions.csv'), countAll(isWanted));
writeFileSync(join(folder, 'memory.csv'), execFileSync(programs.native, ['memory']));
writeFileSync(join(folder, 'machine.json'), `${JSON.stringify(machine(compiler), null, 4)}\n`);
