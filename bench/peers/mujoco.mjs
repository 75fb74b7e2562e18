// MuJoCo's flex in WebAssembly as a contestant of the benchmark: a cloth.
//
//     node mujoco.mjs MODULE NAME SOLVER STEPSxITERATIONS IMPEDANCE
//
// MODULE is ours, where the workload comes from. A constraint keeps the length of each edge of the triangles,
// diagonals among them, with the shortest time constant that a step allows, which is two steps, and an impedance
// of up to 0.9999, the most that MuJoCo has. Nothing resists bending, and nothing is touched.
import initMujoco from '@mujoco/mujoco';

import { readWorkload } from '../module.mjs';
import { serve } from '../serve.mjs';
import { measureStrain } from '../strain.mjs';

const DT = 1 / 60, MASS = 0.3; // s; kg, of the cloth

const [path, name, solver, quality, impedance] = process.argv.slice(2);
const [substeps, iterations] = quality.split('x').map(Number);
const workload = await readWorkload(path, name);
const [{ positions, pinned, faces }] = workload.bodies;
const pins = [...pinned.keys()].filter((i) => pinned[i]);

const mujoco = await initMujoco();
const model = mujoco.MjModel.from_xml_string(`
<mujoco>
    <option timestep="${DT / substeps}" solver="${solver}" iterations="${iterations}">
        <flag contact="disable"/>
    </option>
    <worldbody>
        <flexcomp name="cloth" type="direct" dim="2" mass="${MASS}" point="${positions.join(' ')}"
            element="${faces.join(' ')}">
            <edge equality="true" solref="${(2 * DT) / substeps} 1" solimp="${impedance} ${impedance} 1"/>
            <pin id="${pins.join(' ')}"/>
        </flexcomp>
    </worldbody>
</mujoco>`);
const data = new mujoco.MjData(model);

let steps = 0;
function prepare() {
    model.opt.gravity.set(workload.gravity(steps++));
}
function step(batch) {
    for (let i = 0; i < batch * substeps; ++i) mujoco.mj_step(model, data);
}
function meanHeight() {
    return data.flexvert_xpos.reduce((sum, x, i) => sum + (i % 3 === 1 ? x : 0), 0) / pinned.length;
}

await serve({
    about: { version: mujoco.mj_versionString(), particles: pinned.length, edges: model.nflexedge, substeps, iterations,
        warm: workload.warm },
    prepare,
    step,
    end: () => ({
        ...measureStrain(workload, () => { prepare(); step(1); }, () => data.flexvert_xpos),
        height: meanHeight(),
    }),
});
process.exit(0);
