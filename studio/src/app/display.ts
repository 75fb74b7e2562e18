// Brings to the viewport what the state tells of: reads the views that may have changed, and no others.

import { View, type BodyState, type DocumentState, type Engine, type State, type Vec3 } from '../core/protocol';
import type { Viewport, ViewSettings } from '../view/types';

export interface Camera {
    eye: Vec3;
    target: Vec3;
    verticalFov: number;
}

interface Bounds {
    minimum: Vec3;
    maximum: Vec3;
}

const FIRST_EYE: Vec3 = [0.7, 0.45, 1]; // direction from which a document is seen first
const FOV = 0.7;
const PLAYBAR = 76; // pixels of the lower rim that the bar lies over while something plays
const DROP = 0.15; // of its height that a document falls

function documentBody(document: DocumentState): BodyState {
    return {
        name: document.name, particles: document.particles, vertices: document.vertices,
        firstParticle: 0, firstVertex: 0, firstEdge: 0, edges: document.edges, colour: [0.8, 0.8, 0.8],
        primitives: document.primitives,
    };
}

export class Display {
    particles: Float32Array = new Float32Array(0); // of the document
    selected: Uint8Array = new Uint8Array(0); // a byte for each of them
    area = 0; // m², of the document's surface
    private shown = 'empty';
    private shownDocument = -1; // its revision, to which the camera belongs
    private documentCamera: Camera | null = null;
    private staged: Bounds | null = null; // of the scene's vertices as it began

    constructor(
        private readonly view: Viewport, private readonly settings: () => ViewSettings,
        private readonly engine: () => Engine,
    ) {}

    async show(state: State): Promise<void> {
        const { document, stage } = state;
        const key = state.mode === 'play' && stage ? `play ${stage.revision}`
            : state.mode === 'author' && document ? `author ${document.revision}` : 'empty';
        if (key !== this.shown) {
            if (this.shown.startsWith('author')) this.documentCamera = this.view.camera();
            await this.load(state, key);
        } else if (state.mode === 'author' && document) {
            await this.loadParticles();
        }
        if (state.mode === 'author' && document) await this.loadSelection();
    }

    // Everything again, for an engine that is a new one.
    forget(): void {
        this.shown = 'empty';
    }

    async loadWeights(): Promise<void> {
        const engine = this.engine();
        await engine.ask('weights', {});
        this.view.setWeights(await engine.view(View.weights) as Float32Array);
    }

    private async load(state: State, key: string): Promise<void> {
        const { document, stage } = state;
        const staged = state.mode === 'play' && stage !== null;
        if (key === 'empty') {
            await this.view.setScene(null);
        } else {
            const engine = this.engine();
            const [looks, positions, normals, particles, edges, edgeValues] = await Promise.all([
                engine.view(View.looks), engine.view(View.positions), engine.view(View.normals),
                engine.view(View.particles), engine.view(View.edges), engine.view(View.edgeValues),
            ]);
            await this.view.setScene({
                looks: looks as Uint8Array,
                bodies: staged ? stage.bodies : [documentBody(document!)],
                positions: positions as Float32Array,
                normals: normals as Float32Array,
                particles: particles as Float32Array,
                edges: edges as Int32Array,
                edgeValues: edgeValues as Float32Array,
                ground: staged ? null : document!.minimum[1],
            });
            if (staged) {
                this.view.setSelection(null, null);
                this.view.setWeights(null);
                this.view.setBrushes([]);
                this.view.setPreview([], 0);
                this.staged = boundsOf(positions as Float32Array);
            } else {
                this.particles = particles as Float32Array;
                if (document!.revision !== this.shownDocument) {
                    this.area = surfaceArea(positions as Float32Array, await engine.view(View.triangles) as Int32Array);
                }
            }
        }
        this.shown = key;
        this.placeCamera(state);
    }

    // All that plays, in the picture: a scene has a camera for that, a document is framed with the way that it falls.
    frameStage({ document, stage }: State): void {
        if (stage?.source === 'document') {
            if (!this.staged) return;
            const { minimum: [x, y, z], maximum } = this.staged;
            const fall = document?.unbound ? 0 : DROP * (maximum[1] - y);
            this.view.frameBox([x, y - fall, z], maximum);
        } else if (stage) {
            const { eye, target, verticalFov } = stage.camera;
            this.view.setCamera(eye, target, verticalFov);
        }
    }

    // A document keeps the one it was looked at with, but for while it is simulated.
    private placeCamera(state: State): void {
        const { mode, document, stage } = state;
        this.view.setBelow(mode === 'play' ? PLAYBAR : 0);
        if (mode === 'play' && stage) {
            this.frameStage(state);
        } else if (mode === 'author' && document) {
            if (document.revision !== this.shownDocument) {
                this.shownDocument = document.revision;
                this.view.setCamera(FIRST_EYE, [0, 0, 0], FOV);
                this.view.frameBox(document.minimum, document.maximum);
            } else if (this.documentCamera) {
                const { eye, target, verticalFov } = this.documentCamera;
                this.view.setCamera(eye, target, verticalFov);
            }
        }
    }

    private async loadParticles(): Promise<void> {
        const engine = this.engine();
        const [particles, edges, values] = await Promise.all([
            engine.view(View.particles), engine.view(View.edges), engine.view(View.edgeValues),
        ]);
        this.particles = particles as Float32Array;
        this.view.setParticles(this.particles, edges as Int32Array, values as Float32Array);
    }

    private async loadSelection(): Promise<void> {
        const engine = this.engine();
        const [vertices, particles] = await Promise.all([
            engine.view(View.selectedVertices), engine.view(View.selectedParticles),
        ]);
        this.selected = particles as Uint8Array;
        this.view.setSelection(vertices as Uint8Array, this.selected);
        if (this.settings().weights) await this.loadWeights();
    }
}

function boundsOf(positions: Float32Array): Bounds | null {
    if (!positions.length) return null;
    const minimum: Vec3 = [Infinity, Infinity, Infinity];
    const maximum: Vec3 = [-Infinity, -Infinity, -Infinity];
    positions.forEach((x, i) => {
        minimum[i % 3] = Math.min(minimum[i % 3]!, x);
        maximum[i % 3] = Math.max(maximum[i % 3]!, x);
    });
    return { minimum, maximum };
}

// For defaults that suit an object's size.
function surfaceArea(positions: Float32Array, triangles: Int32Array): number {
    const at = (index: number): Vec3 => [positions[index * 3]!, positions[index * 3 + 1]!, positions[index * 3 + 2]!];
    let sum = 0;
    for (let i = 0; i + 2 < triangles.length; i += 3) {
        const a = at(triangles[i]!);
        const b = at(triangles[i + 1]!);
        const c = at(triangles[i + 2]!);
        const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
        sum += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
    }
    return sum;
}
