// A mesh to make models of.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIDES = [[1, 5, 7, 3], [2, 4, 8, 6], [1, 2, 6, 5], [3, 7, 8, 4], [1, 3, 4, 2], [5, 6, 8, 7]];

function box(name, material, x, first) {
    const vertices = Array.from({ length: 8 }, (_, i) =>
        `v ${x + (i & 1) - 0.5} ${((i >> 1) & 1) - 0.5} ${((i >> 2) & 1) - 0.5}`);
    const faces = SIDES.map((side) => `f ${side.map((corner) => corner + first).join(' ')}`);
    return [`o ${name}`, ...vertices, `usemtl ${material}`, ...faces].join('\n');
}

// Two boxes a metre wide, "body" of "wood" at the origin and "cape" of "gold" beside it, as an OBJ in the folder.
// Returns its path.
export function writeBoxes(folder, { name = 'boxes.obj', beside = 1.5, more = '' } = {}) {
    const path = join(folder, name);
    writeFileSync(path, `${box('body', 'wood', 0, 0)}\n${box('cape', 'gold', beside, 8)}\n${more}`);
    return path;
}
