// Contestants that take turns, so that whatever else the machine does meets all of them alike.

const TURN_MILLIS = 20; // about how long one turn lasts
const TURN_SAMPLES = { least: 4, most: 8 }; // the first finds the caches full of what others have left there
const FEWEST = 24, MOST = 240, MOST_OF_SHORT = 2400; // samples
const SHORT_MILLIS = 1; // steps below this are measured more often: the machine changes its mind over tenths of a second
const SAMPLE_MILLIS = 0.05; // shorter steps are measured several at once
const WARM_TURN = 20; // steps
const WARM_SECONDS = 45; // at most

export function median(values) {
    if (!values.length) return null;
    const sorted = Float64Array.from(values).sort();
    return sorted[sorted.length >> 1];
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// Runs `task` for each; those that fail are left out, with one line that says why.
async function forEach(contestants, task, complain) {
    const good = [];
    for (const contestant of contestants) {
        try {
            await task(contestant);
            good.push(contestant);
        } catch (error) {
            contestant.abandon();
            complain(contestant, error.message);
        }
    }
    return good;
}

// Steps until the contestant is in the state that is to be measured; `guess` is then about what one takes.
async function warmUp(contestant) {
    const begin = performance.now();
    for (let steps = 0; steps < contestant.about.warm; steps += WARM_TURN) {
        const turn = Math.min(WARM_TURN, contestant.about.warm - steps);
        contestant.guess = median(await contestant.warm(turn));
        if (performance.now() - begin > 1000 * WARM_SECONDS) break;
    }
}

// Bodies that flew apart have no time to be compared with. What falls freely falls some kilometres.
function isVoid({ end }) {
    return end.height === null || Math.abs(end.height) > 1e5 || end.bad > 0;
}

// Returns the contestants that arrived. There are at least `fewest` samples of each; `mayBatch` allows several steps for
// one.
export async function race(contestants, { seconds, fewest = FEWEST, mayBatch = false }, complain) {
    let runners = await forEach(contestants, (c) => c.open(), complain);
    runners = await forEach(runners, warmUp, complain);
    const quickest = Math.min(...runners.map((c) => c.guess));
    const batch = mayBatch ? clamp(Math.ceil(SAMPLE_MILLIS / quickest), 1, 64) : 1;
    const begin = performance.now();
    // Scenes have an end after which less happens.
    const most = !mayBatch && quickest < SHORT_MILLIS ? MOST_OF_SHORT : MOST;
    for (let samples = 0; runners.length && samples < most;) {
        if (samples >= fewest && performance.now() - begin > 1000 * seconds) break;
        const slowest = Math.max(...runners.map((c) => c.guess)) * batch;
        const turn = clamp(Math.round(TURN_MILLIS / slowest), TURN_SAMPLES.least, TURN_SAMPLES.most);
        runners = await forEach(runners, (c) => c.measure(turn, batch), complain);
        samples += turn;
    }
    runners = await forEach(runners, (c) => c.close(), complain);
    for (const c of runners.filter(isVoid)) complain(c, 'its bodies flew apart');
    return runners.filter((c) => !isVoid(c));
}
