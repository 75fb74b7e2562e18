// Tables and a plot of what bench.mjs measured.
//
//     node bench/report.mjs [--into FILE.md]
//
// Prints the ratios, and writes ratios.csv, performance.md and performance.svg to out/bench. With --into the
// figures replace those between the two marks in the file, and the plot goes to the pictures beside it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { allRatios, verdict } from './limits.mjs';
import { plot } from './plot.mjs';
import { align, describe, markdown, percent, readCsv, short, STAGES, writeCsv } from './table.mjs';

const folder = join(import.meta.dirname, '../out/bench');
const BEGIN = '<!-- figures: node bench/report.mjs --into -->', END = '<!-- end of figures -->';
const PICTURE = 'pictures/performance.svg';
const ADDITIONS = { 'pliant-skin-bench.txt': 'Skinning', 'pliant-broad-bench.txt': 'Broad phase',
    'pliant-change-bench.txt': 'Change', 'studio.txt': 'The Studio' };

const rows = readCsv(join(folder, 'steps.csv'));
const counts = readCsv(join(folder, 'instructions.csv'));
const memory = readCsv(join(folder, 'memory.csv'));
const machine = JSON.parse(readFileSync(join(folder, 'machine.json')));

const digits = (value) => (value === null ? '-' : value.toPrecision(3));
const limitOf = ({ limit, atLeast }) => (limit === null ? '' : `${atLeast ? '≥' : '≤'} ${limit}`);

function ratioTable(ratios) {
    return [['ratio', 'of minima', 'of medians', 'limit', ''],
        ...ratios.map((r) => [r.text, digits(r.least), digits(r.middle), limitOf(r), verdict(r)])];
}

function instructionsOf(row) {
    const match = counts.find((count) => ['engine', 'platform', 'variant', 'name']
        .every((key) => count[key] === row[key]));
    return match?.instructions_per_particle_iteration?.toFixed(0) ?? '-';
}

function workloadTable() {
    const head = ['workload', 'particles', 'contestant', 'min ms', 'median ms', 'ns/particle/iteration',
        'instructions/particle/iteration'];
    const shown = rows.filter((row) => !row.variant.startsWith('scene') && row.strain === null);
    return [head, ...shown.map((row) => [row.name, String(row.particles), describe(row), short(row.min_ms),
        short(row.median_ms), row.min_ns.toFixed(1), instructionsOf(row)])];
}

function stageTable() {
    const shown = rows.filter((row) => row.solve_ms !== null && row.threads === 1);
    return [['scene or workload', 'variant', ...STAGES],
        ...shown.map((row) => [row.name, row.variant, ...STAGES.map((stage) => short(row[`${stage}_ms`]))])];
}

function sceneTable() {
    const head = ['scene', 'particles', 'substeps × iterations', 'min ms', 'median ms', 'ns/particle/iteration',
        '2 threads: speed-up', 'WASM / native'];
    const other = (row, platform, variant) => rows.find((candidate) => candidate.name === row.name &&
        candidate.platform === platform && candidate.variant === variant);
    return [head, ...rows.filter((row) => row.variant === 'scene' && row.platform === 'native').map((row) => {
        const threaded = other(row, 'native', 'scene 2 threads'), web = other(row, 'wasm', 'scene');
        return [row.name, String(row.particles), `${row.substeps} × ${row.iterations}`, short(row.min_ms),
            short(row.median_ms), row.min_ns.toFixed(1), digits(threaded ? row.median_ms / threaded.median_ms : null),
            digits(web ? web.min_ms / row.min_ms : null)];
    })];
}

function clothTable() {
    const head = ['workload', 'contestant', 'substeps × iterations', 'min ms', 'median ms', 'strain, rms',
        'most stretched edge'];
    return [head, ...rows.filter((row) => row.strain !== null).map((row) => [row.name, describe(row),
        `${row.substeps} × ${row.iterations}`, short(row.min_ms), short(row.median_ms), percent(row.strain),
        percent(row.most_strain)])];
}

function memoryTable() {
    return [['bytes per', 'in the model', 'in the world, each body'],
        ...memory.map((row) => [row.what, row.model_bytes.toFixed(0), row.world_bytes.toFixed(0)])];
}

function machineTable() {
    const versions = ['bullet', 'jolt', 'mujoco'].map((engine) =>
        [engine, rows.find((row) => row.engine === engine)?.version]);
    const sets = [...new Set(rows.filter((row) => row.engine === 'pliant').map((row) => row.instructions))];
    return [['', ''], ['processor', `${machine.processor}, ${machine.processors} cores`],
        ['memory', `${machine.memory_gib} GiB`], ['compiler', machine.compiler],
        ['compiler for WASM', machine.wasm_compiler ?? '-'], ['node', `${machine.node} (V8 ${machine.v8})`],
        ['instruction sets', sets.join(', ')],
        ...versions.map(([engine, version]) => [engine, version ? String(version) : 'not there'])];
}

function additions() {
    return Object.entries(ADDITIONS).filter(([file]) => existsSync(join(folder, file))).map(([file, title]) =>
        `## ${title}\n\n\`\`\`text\n${readFileSync(join(folder, file), 'utf8').trim()}\n\`\`\``);
}

// `picture` is where the plot lies, seen from the document.
function document(ratios, picture) {
    return [
        '## The machine', markdown(machineTable(), 2),
        '## Ratios', markdown(ratioTable(ratios), 1),
        '## Beside others', `![Nanoseconds per particle and iteration](${picture})`, markdown(workloadTable(), 3),
        '## Cloth', markdown(clothTable(), 3),
        '## Built-in scenes', markdown(sceneTable(), 1),
        '## Where a step goes', 'Milliseconds, medians, one thread.', markdown(stageTable(), 2),
        '## Memory', markdown(memoryTable(), 1), ...additions(),
    ].join('\n\n');
}

function replaceFigures(path, figures, picture) {
    const old = readFileSync(path, 'utf8');
    const begin = old.indexOf(BEGIN), end = old.indexOf(END);
    if (begin < 0 || end < begin) throw new Error(`${path} has no place for the figures`);
    writeFileSync(path, `${old.slice(0, begin)}${BEGIN}\n\n${figures}\n\n${old.slice(end)}`);
    if (picture) writeFileSync(join(dirname(path), PICTURE), picture);
}

const ratios = allRatios(rows);
const picture = plot(rows);
writeCsv(join(folder, 'ratios.csv'), ratios.map((r) => ({ ratio: r.text, minima: r.least, medians: r.middle,
    limit: r.limit, verdict: verdict(r) })));
writeFileSync(join(folder, 'performance.md'), `${document(ratios, 'performance.svg')}\n`);
if (picture) writeFileSync(join(folder, 'performance.svg'), picture);
console.log(align(ratioTable(ratios.filter((r) => verdict(r) !== 'not measured')), 1));
const into = process.argv.indexOf('--into');
if (into > 0) replaceFigures(process.argv[into + 1], document(ratios, PICTURE), picture);
