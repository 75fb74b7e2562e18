// How far the edges of a cloth are from their lengths.

const TURN = 100; // steps, of gravity

function lengths(positions, edges) {
    return Float64Array.from({ length: edges.length / 2 }, (_, k) => {
        const a = 3 * edges[2 * k], b = 3 * edges[2 * k + 1];
        return Math.hypot(positions[a] - positions[b], positions[a + 1] - positions[b + 1],
            positions[a + 2] - positions[b + 2]);
    });
}

// Over a turn of steps of a workload with one body, after each of which `positions()` are looked at: the root of
// the mean square, and the most that an edge is stretched.
export function measureStrain({ bodies: [body] }, step, positions) {
    const atRest = lengths(body.positions, body.edges);
    let sum = 0, most = 0;
    for (let i = 0; i < TURN; ++i) {
        step();
        lengths(positions(), body.edges).forEach((length, k) => {
            const strain = length / atRest[k] - 1;
            sum += strain * strain;
            most = Math.max(most, strain);
        });
    }
    return { strain: Math.sqrt(sum / (TURN * atRest.length)), most_strain: most };
}
