// What Pliant wants to be: ratios of what it takes to what others take, or it itself elsewhere.

const find = (rows, name, engine, platform, variant) => rows.find((row) => row.name === name &&
    row.engine === engine && row.platform === platform && row.variant === variant);
const native = (rows, name, variant) => find(rows, name, 'pliant', 'native', variant);
const wasm = (rows, name, variant) => find(rows, name, 'pliant', 'wasm', variant);

const STEP = { least: 'min_ms', middle: 'median_ms' };
const UNEVEN_STEP = { least: 'parts_min_ms', middle: 'median_ms' };
const EACH = { least: 'min_ns', middle: 'median_ns' }; // per particle and iteration
const SOLVE = { middle: 'solve_ms' };

// A ratio is of minima and of medians; null where one side was not measured.
function ratio(text, limit, ours, theirs, { of = STEP, atLeast = false } = {}) {
    const divide = (key) => (ours && theirs && key ? ours[key] / theirs[key] : null);
    return { text, limit, atLeast, least: divide(of.least), middle: divide(of.middle) };
}

// Minima decide: the figures that the limits come from are such, and they are what is taken when nobody else is at work.
// It is said where medians are beyond. Ratios without a limit are there to be read.
export function verdict({ limit, atLeast, least, middle }) {
    const isWithin = (value) => value === null || (atLeast ? value >= limit : value <= limit);
    if (least === null && middle === null) return 'not measured';
    if (limit === null) return '';
    if (!isWithin(least ?? middle)) return 'not met';
    return isWithin(middle) ? 'met' : 'met, not by medians';
}

function octopusRatios(rows) {
    const free = native(rows, 'W1', 'free'), touching = native(rows, 'W1', 'touching');
    const bullet = (variant) => find(rows, 'W1', 'bullet', 'native', variant);
    const jolt = (variant) => find(rows, 'W1', 'jolt', 'wasm', variant);
    const matching = bullet('ringpass');
    return [
        ratio('W1: step without contact / Bullet ringpass', 0.12, free, matching),
        ratio('W1: solving in a whole step / Bullet ringpass', null,
            touching && { middle: touching.solve_ms }, matching && { middle: matching.median_ms },
            { of: { middle: 'middle' } }),
        ratio('W1: whole step / Bullet clusters', 0.5, touching, bullet('clusters')),
        ratio('W1: whole step in WASM / Jolt WASM edges', 1.0, wasm(rows, 'W1', 'touching'), jolt('edges')),
        ratio('W1: whole step in WASM / Jolt WASM rods', 0.4, wasm(rows, 'W1', 'touching'), jolt('rods')),
        ratio('W1: vectorised solving / scalar reference', 0.25, touching,
            native(rows, 'W1', 'touching scalar'), { of: SOLVE }),
    ];
}

// What there is to do in a step of the crowd changes as gravity turns, not in the same way for both: the easiest steps
// are no measure.
function crowdRatios(rows) {
    return [
        ratio('W4: whole step / Bullet pose, minima of tenths', 0.12, native(rows, 'W4', 'touching'),
            find(rows, 'W4', 'bullet', 'native', 'pose'), { of: UNEVEN_STEP }),
    ];
}

// Both sides go through the same steps, to the bit: also where these are uneven, minima are of the same ones.
function threadRatios(rows) {
    const compare = (text, limit, name, variant) => ratio(`${text}: 1 thread / 2 threads`, limit,
        native(rows, name, variant), native(rows, name, `${variant} 2 threads`), { atLeast: true });
    return [
        compare('W4', 1.7, 'W4', 'touching'),
        compare('army', 1.7, 'army', 'scene'),
        compare('block touching, 100,000', null, 'W5c', 'touching'),
        compare('block touching, 1,000,000', null, 'W5d', 'touching'),
    ];
}

// The cheapest of each engine that stretch so little. MuJoCo's steps differ, as it solves until that is exact enough.
function clothRatios(rows) {
    const STRAIN = 0.003;
    const cheapest = (name, engine) => rows
        .filter((row) => row.name === name && row.engine === engine && row.strain <= STRAIN)
        .reduce((best, row) => (best && best.median_ms <= row.median_ms ? best : row), null);
    return ['cloth', 'cloth-draught'].map((name) => ratio(
        `${name}: strain ≤ 0.3 %, WASM / MuJoCo WASM`, 0.5, cheapest(name, 'pliant'), cheapest(name, 'mujoco'),
        { of: { middle: 'median_ms' } }));
}

function growthRatios(rows) {
    return ['free', 'touching'].flatMap((variant) => {
        const [small, large, huge] = ['W5a', 'W5c', 'W5d'].map((name) => native(rows, name, variant));
        return [
            ratio(`block ${variant}: particle at 100,000 / at 1,000`, 1.5, large, small, { of: EACH }),
            ratio(`block ${variant}: particle at 1,000,000 / at 1,000`, 2, huge, small, { of: EACH }),
        ];
    });
}

function wasmRatios(rows) {
    return rows.filter(({ platform, variant }) => platform === 'wasm' && variant === 'scene')
        .map((row) => ratio(`${row.name}: WASM / native`, 2, row, native(rows, row.name, 'scene')));
}

export function allRatios(rows) {
    return [...octopusRatios(rows), ...crowdRatios(rows), ...threadRatios(rows), ...clothRatios(rows),
        ...growthRatios(rows), ...wasmRatios(rows)];
}
