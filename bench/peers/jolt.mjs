// Jolt's soft bodies in WebAssembly as a contestant of the benchmark.
//
//     node jolt.mjs MODULE VARIANT WORKLOAD     MODULE: ours, where the workload comes from
//
//     edges   a distance constraint on each edge, without compliance
//     rods    a Cosserat rod on each edge, those that meet at a particle joined in bend and twist: the
//             nearest that Jolt has to oriented particles
//
// An iteration of Jolt's is a sub-step: it integrates, solves every constraint once and looks after contact,
// which is with floor and walls only.
import { createRequire } from 'node:module';

import initJolt from 'jolt-physics/wasm-compat';

import { readWorkload } from '../module.mjs';
import { serve } from '../serve.mjs';

const DT = 1 / 60, ITERATIONS = 5, RADIUS = 0.04, MASS = 0.01, FRICTION = 0.5, WALL = 2.8;
const STATIC = 0, MOVING = 1; // layers
const BEND_COMPLIANCE = 1e-4;

const [path, variant, name] = process.argv.slice(2);
const { version } = createRequire(import.meta.url)('jolt-physics/package.json');
const workload = await readWorkload(path, name);
const jolt = await initJolt();

function createSystem() {
    const settings = new jolt.JoltSettings();
    settings.mMaxWorkerThreads = 0;
    const pairs = new jolt.ObjectLayerPairFilterTable(2);
    pairs.EnableCollision(STATIC, MOVING);
    pairs.EnableCollision(MOVING, MOVING);
    const broad = new jolt.BroadPhaseLayerInterfaceTable(2, 2);
    for (const layer of [STATIC, MOVING])
        broad.MapObjectToBroadPhaseLayer(layer, new jolt.BroadPhaseLayer(layer));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = broad;
    settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2);
    return new jolt.JoltInterface(settings);
}

function addBox(bodies, half, centre) {
    const settings = new jolt.BodyCreationSettings(new jolt.BoxShape(new jolt.Vec3(...half)),
        new jolt.RVec3(...centre), new jolt.Quat(0, 0, 0, 1), jolt.EMotionType_Static, STATIC);
    settings.mFriction = FRICTION;
    bodies.AddBody(bodies.CreateBody(settings).GetID(), jolt.EActivation_DontActivate);
}

function addSurroundings(bodies) {
    const thickness = 0.5, height = 20, middle = WALL + thickness;
    if (workload.hasFloor) addBox(bodies, [200, 1, 200], [0, -1, 0]);
    if (!workload.hasWalls) return;
    for (const side of [-middle, middle]) {
        addBox(bodies, [thickness, height, 4], [side, height, 0]);
        addBox(bodies, [4, height, thickness], [0, height, side]);
    }
}

// Appends a constraint or face to one of the shared settings' arrays.
function append(array, Type, ...values) {
    const element = new Type(...values);
    array.push_back(element);
    jolt.destroy(element);
}

function addVertices(shared, { positions, pinned }) {
    const vertex = new jolt.SoftBodySharedSettingsVertex();
    pinned.forEach((isPinned, i) => {
        const to = vertex.mPosition;
        [to.x, to.y, to.z] = positions.subarray(3 * i, 3 * i + 3);
        vertex.mInvMass = isPinned ? 0 : 1 / MASS;
        shared.mVertices.push_back(vertex);
    });
}

function addEdges(shared, { edges }) {
    for (let i = 0; i < edges.length; i += 2)
        append(shared.mEdgeConstraints, jolt.SoftBodySharedSettingsEdge, edges[i], edges[i + 1], 0);
    shared.CalculateEdgeLengths();
}

function addRods(shared, { edges, pinned }) {
    const lastAt = new Int32Array(pinned.length).fill(-1);
    for (let rod = 0; rod < edges.length / 2; ++rod) {
        const ends = [edges[2 * rod], edges[2 * rod + 1]];
        append(shared.mRodStretchShearConstraints, jolt.SoftBodySharedSettingsRodStretchShear, ...ends, 0);
        for (const end of ends) {
            if (lastAt[end] >= 0)
                append(shared.mRodBendTwistConstraints, jolt.SoftBodySharedSettingsRodBendTwist, lastAt[end],
                    rod, BEND_COMPLIANCE);
            lastAt[end] = rod;
        }
    }
    shared.CalculateRodProperties();
}

function addSoftBody(bodies, body) {
    const shared = new jolt.SoftBodySharedSettings();
    addVertices(shared, body);
    for (let i = 0; i < body.faces.length; i += 3)
        append(shared.mFaces, jolt.SoftBodySharedSettingsFace, ...body.faces.subarray(i, i + 3), 0);
    (variant === 'rods' ? addRods : addEdges)(shared, body);
    shared.Optimize();
    const settings = new jolt.SoftBodyCreationSettings(shared, new jolt.RVec3(0, 0, 0),
        new jolt.Quat(0, 0, 0, 1), MOVING);
    Object.assign(settings, { mNumIterations: ITERATIONS, mAllowSleeping: false, mVertexRadius: RADIUS,
        mFriction: FRICTION, mLinearDamping: 0.1 });
    const soft = bodies.CreateSoftBody(settings);
    bodies.AddBody(soft.GetID(), jolt.EActivation_Activate);
    return soft;
}

function meanHeight(softBodies) {
    let sum = 0, count = 0;
    for (const body of softBodies) {
        const vertices = jolt.castObject(body.GetMotionProperties(), jolt.SoftBodyMotionProperties).GetVertices();
        const centre = body.GetCenterOfMassPosition().GetY();
        for (let i = 0; i < vertices.size(); ++i, ++count) sum += vertices.at(i).mPosition.GetY() + centre;
    }
    return sum / count;
}

const system = createSystem();
const physics = system.GetPhysicsSystem();
const bodies = physics.GetBodyInterface();
addSurroundings(bodies);
const softBodies = workload.bodies.map((body) => addSoftBody(bodies, body));
physics.OptimizeBroadPhase();

const gravity = new jolt.Vec3(0, 0, 0);
let steps = 0;
const total = (key, size) => workload.bodies.reduce((sum, body) => sum + body[key].length / size, 0);

await serve({
    about: { version, particles: total('positions', 3), edges: total('edges', 2), iterations: ITERATIONS,
        warm: workload.warm },
    prepare() {
        gravity.Set(...workload.gravity(steps++));
        physics.SetGravity(gravity);
    },
    step(batch) {
        for (let i = 0; i < batch; ++i) system.Step(DT, 1);
    },
    end: () => ({ height: meanHeight(softBodies) }),
});
process.exit(0);
