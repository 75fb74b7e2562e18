// What the page and the C core say to each other. The core (studio/core/*.c) holds everything there is: the
// document with its history, the scene that runs, recordings. The page draws, listens and asks.
//
// A request is a JSON object with one member, the command's name; the answer is JSON too. Numbers in bulk are read as
// views: arrays in the core's memory, copied out by engine.ts. Metres, kilograms, seconds, radians, +y up.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // x, y, z, w

export interface Ray {
    origin: Vec3;
    direction: Vec3; // any length but 0
}

// What went wrong, in one line. `place` is the element at fault and may be empty.
export interface Failure {
    code: string; // "PLIANT_ERROR_FORMAT"
    place: string;
    message: string;
}

// ---------------------------------------------------------------------------------------------
// Requests and their answers

export type What = 'vertices' | 'particles';

// Who is selected, by one rule. Of several, those that say where something is add up; `invert`, `grow` and `connected`
// change what the ones before have found or, when they come first, what is selected now.
export type Rule =
    | { all: {} }
    | { none: {} }
    | { invert: {} }
    | { index: number }
    | { sphere: { centre: Vec3; radius: number } }
    // In front of all planes n·x >= d: a box on the screen is four of them. `eye`: only what is seen from there.
    | { planes: { planes: [number, number, number, number][]; eye?: Vec3 } }
    | { part: number }
    | { grow: number } // negative shrinks
    | { connected: {} } // all that hangs together with what is selected
    | { unbound: {} } // vertices without links
    | { followers: {} } // vertices that follow selected particles
    | { leaders: {} } // particles that selected vertices follow
    | { group: number }; // members of an explicit group

export type SelectMode = 'set' | 'add' | 'remove';

// How a model lives in a scene: nothing is pinned, its top edge is, or its foot.
export type Live = 'drop' | 'hang' | 'rooted';

// A tool of docs/recipe.schema.json with its arguments, such as {spray: {spacing: 0.1}}.
export type RecipeTool = Record<string, Record<string, unknown>>;

// The selected vertices or particles, whichever the tool asks for, are the recipe's selection of this name.
export const SELECTED = 'selected';

export interface Wind {
    velocity: Vec3; // m/s
    gusts: number; // [0, 1]: how much it comes and goes
}

export interface PlaySettings {
    gravity: Vec3;
    stiffness: number; // scale, 1 as authored
    wind: Wind;
    substeps: number;
    iterations: number;
}

export interface Requests {
    // Everything but bulk numbers.
    state: { ask: {}; answer: State };

    // Files have been put into the core's table before (Engine.putFile). Opens the one of this name; the others are those
    // it refers to. A mesh, a model GLB or a .pliant becomes the document, as a new entry of the history; a scene is
    // staged and leaves the document as it is. Fails leaving everything as it was.
    open: { ask: { file: string }; answer: State };
    // A built-in scene by its name, staged.
    scene: { ask: { name: string }; answer: State };
    // The mesh and the model of a body of the staged scene become the document.
    edit: { ask: { body: number }; answer: State };
    // Leaves the staged scene, back to the document.
    leave: { ask: {}; answer: State };

    // Uses tools, as one entry of the history. Runs with the same `stroke` (> 0), one after another, make one entry
    // together.
    run: { ask: { label: string; tools: RecipeTool[]; stroke?: number }; answer: State };
    // What suits the shape of the document's model, whatever is pinned.
    propose: { ask: {}; answer: { live: Live } };
    // Mesh and model that many times as large, as an entry of the history.
    scale: { ask: { by: number }; answer: State };
    select: {
        ask: { what: What; mode: SelectMode; rules: Rule[]; stroke?: number };
        answer: State;
    };
    undo: { ask: {}; answer: State };
    redo: { ask: {}; answer: State };
    // To any entry of the history.
    travel: { ask: { position: number }; answer: State };

    // What a ray meets of the document: its surface in rest, and its particles' ellipsoids.
    pick: { ask: Ray; answer: Pick };
    // How much each vertex follows the selected particles: fills View.weights.
    weights: { ask: {}; answer: { vertices: number } };

    // Stages the document: its model dropped, hanging or rooted, as `pliant run` does. Vertices that tools were asked to carry and
    // that are not bound yet are bound first, as an entry of the history. Where others are left, which stay where they
    // are, it is staged in its place.
    simulate: { ask: {}; answer: State };
    // Back to how the staged scene began.
    reset: { ask: {}; answer: State };
    settings: { ask: Partial<PlaySettings>; answer: State };
    // Takes the shape that the document's body has now as its new rest shape, as an entry of the history.
    keep: { ask: {}; answer: State };
    // Takes hold of what the ray meets: a spring to that particle, anchored at the point.
    grab: { ask: Ray; answer: { held: { body: number; particle: number; point: Vec3 } | null } };
    drag: { ask: { point: Vec3 }; answer: {} };
    release: { ask: {}; answer: {} };
    hash: { ask: {}; answer: { steps: number; time: number; hash: string } };

    // A recording to be written as a GLB: of what was shown last, or of the seconds to come.
    bakeLast: { ask: { seconds: number; fps: number }; answer: FileAnswer };
    bakeBegin: { ask: { seconds: number; fps: number }; answer: BakeProgress };
    // Goes on for some frames; the staged scene moves on with it.
    bakeGoOn: { ask: { frames: number }; answer: BakeProgress };
    bakeEnd: { ask: {}; answer: FileAnswer };
    bakeCancel: { ask: {}; answer: {} };

    // The document as a file (View.file): model GLB, blob, plain mesh GLB; or the scene's JSON, whose models are files of
    // the names in the answer, exported each with `model`.
    export: {
        ask: { kind: 'model' | 'blob' | 'mesh' | 'scene'; model?: number };
        answer: FileAnswer & { models?: string[] };
    };

    // The history for keeping: entries with the ids of the blocks of bytes they are made of (Engine.block).
    history: { ask: {}; answer: HistoryContent };
    // Puts a kept history in place of the present one. Its blocks have been put before (Engine.putBlock).
    restore: { ask: HistoryContent; answer: State };
}

export type Command = keyof Requests;

export interface FileAnswer {
    name: string; // proposed, with its ending
    size: number; // bytes, in View.file
}

export interface BakeProgress {
    frames: number; // so far
    total: number;
}

export interface Pick {
    surface: { point: Vec3; normal: Vec3; triangle: number; vertex: number; part: number } | null;
    particle: { index: number; point: Vec3; distance: number } | null;
}

export interface HistoryContent {
    position: number;
    entries: { label: string; blocks: number[] }[];
}

// ---------------------------------------------------------------------------------------------
// State

export interface State {
    scenes: { name: string; title: string }[]; // built in
    // What is shown: a staged scene, the document being authored, or nothing yet.
    mode: 'empty' | 'author' | 'play';
    document: DocumentState | null;
    history: { labels: string[]; position: number }; // labels[position - 1] was done last
    stage: StageState | null;
    notes: string[]; // what the last command has to tell: remarks on a file, vertices bound by themselves
}

export interface DocumentState {
    name: string;
    revision: number; // another mesh, another number: looks and positions must be read again
    vertices: number;
    triangles: number;
    parts: PartState[];
    primitives: { firstVertex: number; vertices: number }[]; // as of a body
    minimum: Vec3;
    maximum: Vec3;
    size: number; // m, the longest side of these bounds
    likelyScale: number; // by which it would be in metres; 1 where it seems to be
    particles: number;
    edges: number;
    groups: number;
    unbound: number; // vertices
    spacing: number; // m, 0 before there is one
    selectedVertices: number;
    selectedParticles: number;
    // Of the selected particles, for an inspector: mean values, and whether they differ.
    selected: {
        radius: number;
        mass: number;
        stiffness: number;
        yieldStrain: number;
        creepRate: number;
        pinned: number; // how many of them
        surface: number;
        differ: string[]; // names of the values above that are not the same for all
    } | null;
    body: BodySettings;
    live: Live; // what its pins amount to
}

export interface BodySettings {
    material: string; // that of all particles, 'painted' where they have a stiffness instead, '' where they differ
    friction: number;
    restitution: number;
    damping: number; // part of the speed lost in a second
    shapeDamping: number;
    selfCollision: boolean;
    density: number; // kg/m³
    thickness: number; // m, of open sheets; 0: chosen
    // Which of them are not the same for all: density of particles, damping of motion and of spin.
    differ: string[];
}

export interface PartState {
    name: string;
    material: string;
    firstVertex: number;
    vertices: number;
    triangles: number;
}

export interface StageState {
    // Where it came from: a built-in scene, a file, the document.
    source: 'built-in' | 'file' | 'document';
    name: string;
    title: string;
    revision: number; // another scene, another number
    camera: { eye: Vec3; target: Vec3; verticalFov: number };
    bodies: BodyState[];
    colliders: number; // poses in View.colliders
    particles: number;
    edges: number;
    groups: number;
    vertices: number;
    settings: PlaySettings;
    time: number;
    steps: number;
    recorded: number; // s that bakeLast can give
    isPlastic: boolean; // keep is worth while
}

export interface BodyState {
    name: string;
    particles: number;
    vertices: number; // 0: shown by its ellipsoids
    firstParticle: number; // in views of particles
    firstVertex: number; // in views of vertices
    firstEdge: number;
    edges: number;
    colour: Vec3; // linear
    // The vertices of each primitive of its mesh in View.looks, in their order; counted from firstVertex.
    primitives: { firstVertex: number; vertices: number }[];
}

// ---------------------------------------------------------------------------------------------
// Views: numbers in bulk. Those of the document while authoring, of the stage while playing.

export enum View {
    // A GLB: the document's mesh as a body, or the staged scene with all its looks, colliders and planes. Its skins are
    // not used and have two joints: vertices come by `positions`. Nodes with a skin are the bodies, in order; what such
    // a node shows of a body without vertices is of no use.
    looks, // bytes
    positions, // float × 3 a vertex
    normals, // float × 3 a vertex
    triangles, // int32 × 3, of the document
    particles, // float × PARTICLE_STRIDE, as authored
    edges, // int32 × 2: particles by their number in the views
    edgeValues, // float × 2: stretch and torsion stiffness
    selectedVertices, // byte a vertex
    selectedParticles, // byte a particle
    weights, // float a vertex, see the request
    unboundVertices, // byte a vertex
    poses, // float × 7 a particle: position, quaternion; of the stage
    colliders, // float × 7 a collider
    contacts, // float × 7: point, normal, force in N
    file, // bytes, of the last export
}

// position 3, quaternion 4, radii 3, mass, stiffness, flags (1 pinned, 4 surface), explicit group or -1, yield
// strain, creep rate
export const PARTICLE_STRIDE = 16;

export interface Frame {
    positions: Float32Array; // of all bodies
    normals: Float32Array;
    poses: Float32Array;
    colliders: Float32Array;
    contacts: Float32Array | null; // when asked for
    time: number;
    steps: number;
    contactCount: number; // with colliders and between particles
    sleeping: number; // bodies
    frozen: number; // bodies
    saturated: number; // groups that are softer than their material
    substeps: number; // so many in 1/60 s would hold them
    stepMilliseconds: number; // mean of a step in this frame
    skinMilliseconds: number;
}

// ---------------------------------------------------------------------------------------------
// The engine, in a worker or on the page's own thread: client.ts and engine.ts have the same interface.

export interface Engine {
    // Fails with a CoreError.
    ask<C extends Command>(command: C, ask: Requests[C]['ask']): Promise<Requests[C]['answer']>;
    // Files that `open` may name or need; cleared by it, whether it succeeds or not.
    putFile(name: string, bytes: ArrayBuffer): Promise<void>;
    view(view: View): Promise<Float32Array | Int32Array | Uint8Array>;
    block(id: number): Promise<Uint8Array>;
    putBlock(id: number, bytes: Uint8Array): Promise<void>;
    // Steps the staged scene `steps` times by `dt` and tells how it looks then; 0 steps only look.
    frame(dt: number, steps: number, contacts: boolean): Promise<Frame>;
    // Who is told how far the command that runs has come, in parts of it. On the page's own thread nobody could see that.
    progressed?: ((part: number) => void) | undefined;
    // Gives up what it works on, and itself with it: it fails as an engine that has stopped. Only that of a worker can.
    cancel?(): void;
}

export class CoreError extends Error {
    constructor(readonly failure: Failure) {
        super(failure.place ? `${failure.place}: ${failure.message}` : failure.message);
    }
}
