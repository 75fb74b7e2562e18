// Bars of nanoseconds per particle and iteration, on a logarithmic scale, as SVG.
import { describe } from './table.mjs';

const WIDTH = 900, LEFT = 230, RIGHT = 70, TOP = 96, BOTTOM = 34;
const ROW = 19, BAR = 13, GAP = 34; // of a bar, and between workloads
const COLOURS = { 'pliant native': '#1d4ed8', 'pliant wasm': '#7ba3f5', bullet: '#c98a3d', jolt: '#5b9a7a' };
const SHOWN = new Set(['free', 'touching', 'ringpass', 'links', 'pose', 'clusters', 'edges', 'rods']);
const TITLES = {
    W1: 'one octopus', W2: 'three octopuses', W3: 'seven beams', W4: 'a hundred octopuses',
    W5a: 'block', W5b: 'block', W5c: 'block', W5d: 'block',
};

const colourOf = ({ engine, platform }) => COLOURS[engine === 'pliant' ? `pliant ${platform}` : engine];
const text = (x, y, content, attributes = '') => `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;

function scaleOf(rows) {
    const values = rows.map((row) => row.min_ns);
    const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
    const high = Math.max(...values) * 1.15;
    const x = (value) => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(value / low)) / Math.log(high / low);
    const ticks = [];
    for (let decade = low; decade <= high; decade *= 10)
        for (const step of [1, 2, 5]) if (decade * step <= high) ticks.push(decade * step);
    return { x, ticks };
}

function grid({ x, ticks }, height) {
    return ticks.map((tick) => {
        const at = x(tick).toFixed(1);
        return `<line x1="${at}" y1="${TOP - 8}" x2="${at}" y2="${height - BOTTOM}" stroke="#e5e7eb"/>` +
            text(at, height - BOTTOM + 18, tick, 'text-anchor="middle" fill="#6b7280"');
    });
}

function bar(row, y, { x }) {
    const end = x(row.min_ns), middle = y + BAR - 2.5;
    const weight = row.engine === 'pliant' ? 'font-weight="600"' : '';
    return [
        text(LEFT - 10, middle, describe(row), `text-anchor="end" fill="#111827" ${weight}`),
        `<rect x="${LEFT}" y="${y}" width="${(end - LEFT).toFixed(1)}" height="${BAR}" rx="2" fill="${colourOf(row)}"/>`,
        text((end + 6).toFixed(1), middle, row.min_ns.toFixed(row.min_ns < 100 ? 1 : 0), 'fill="#374151"'),
    ];
}

function legend() {
    const entries = [['Pliant, native', 'pliant native'], ['Pliant, WASM', 'pliant wasm'],
        ['Bullet, native', 'bullet'], ['Jolt, WASM', 'jolt']];
    return entries.flatMap(([label, key], i) => [
        `<rect x="${20 + 130 * i}" y="54" width="12" height="12" rx="2" fill="${COLOURS[key]}"/>`,
        text(38 + 130 * i, 64, label, 'fill="#374151"'),
    ]);
}

// Rows as in steps.csv.
export function plot(rows) {
    const shown = rows.filter((row) => SHOWN.has(row.variant) && row.name in TITLES);
    if (!shown.length) return null;
    const names = [...new Set(shown.map((row) => row.name))];
    const scale = scaleOf(shown);
    const marks = [];
    let y = TOP;
    for (const name of names) {
        const group = shown.filter((row) => row.name === name);
        const heading = `${name} · ${TITLES[name]}, ${group[0].particles.toLocaleString('en')} particles`;
        marks.push(text(20, y + 10, heading,
            'font-weight="600" fill="#111827" stroke="#ffffff" stroke-width="4" paint-order="stroke"'));
        y += 20;
        for (const row of group) {
            marks.push(...bar(row, y, scale));
            y += ROW;
        }
        y += GAP - 20;
    }
    const height = y + BOTTOM;
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
            'font-family="system-ui, sans-serif" font-size="12">',
        `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
        text(20, 28, 'Nanoseconds per particle and iteration', 'font-size="17" font-weight="600" fill="#111827"'),
        text(20, 45, 'one step of 1/60 s with five iterations, one thread; shorter is faster, logarithmic scale',
            'fill="#6b7280"'),
        ...legend(), ...grid(scale, height), ...marks, '</svg>', '',
    ].join('\n');
}
