// Rows of results: as CSV, and read back.
import { readFileSync, writeFileSync } from 'node:fs';

// Of a step, in the order of pliant_profile.
export const STAGES = ['predict', 'find', 'begin', 'solve', 'pairs', 'contacts', 'finish'];

// No field has a comma in it.
export function writeCsv(path, rows) {
    const keys = Object.keys(rows[0] ?? {});
    const lines = rows.map((row) => keys.map((key) => row[key] ?? '').join(','));
    writeFileSync(path, `${[keys.join(','), ...lines].join('\n')}\n`);
}

const valueOf = (text) => (text === '' ? null : Number.isNaN(Number(text)) ? text : Number(text));

// Numbers as numbers, empty fields as null.
export function readCsv(path) {
    const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => line.split(','));
    return lines.map((fields) => Object.fromEntries(head.map((key, i) => [key, valueOf(fields[i])])));
}

// Four significant digits, without an exponent.
export function short(value) {
    if (value === null || value === undefined) return '-';
    if (value === 0) return '0';
    const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
    return value.toFixed(Math.min(digits, 6));
}

export const percent = (value) => `${(100 * value).toPrecision(3)} %`;

// Columns of text, the first `left` of them to the left.
export function align(rows, left) {
    const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
    return rows.map((row) => row.map((cell, i) => (i < left ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  ').trimEnd()).join('\n');
}

export function markdown(rows, left) {
    const rule = rows[0].map((_, i) => (i < left ? '---' : '---:'));
    return [rows[0], rule, ...rows.slice(1)].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

// Who a row of results is about, for a reader.
export function describe({ engine, platform, variant }) {
    const name = { pliant: 'Pliant', bullet: 'Bullet', jolt: 'Jolt', mujoco: 'MuJoCo' }[engine];
    return `${name}${platform === 'wasm' ? ' WASM' : ''} ${variant}`;
}
