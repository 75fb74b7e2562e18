// What the rest of the page asks of the viewport. viewport.ts implements it on three.js; nothing else knows three.

import type { BodyState, Frame, Ray, Vec3 } from '../core/protocol';

export interface Layer {
    shown: boolean;
    opacity: number; // (0, 1]
}

export type ParticleColour = 'plain' | 'stiffness' | 'groups' | 'mass';
export type EdgeColour = 'plain' | 'stretch' | 'torsion';

// Which of the papers' pictures is drawn; any combination.
export interface ViewSettings {
    mesh: Layer;
    wireframe: boolean;
    weights: boolean; // the mesh as a heat map of View.weights instead of its materials
    ellipsoids: Layer;
    particleColour: ParticleColour; // stiffness: green (0) to red (1)
    edges: Layer;
    edgeColour: EdgeColour;
    contacts: Layer; // points and normals, as long as the force is large
    ground: boolean;
    shadows: boolean;
}

export const DEFAULT_VIEW: ViewSettings = {
    mesh: { shown: true, opacity: 1 },
    wireframe: false,
    weights: false,
    ellipsoids: { shown: false, opacity: 1 },
    particleColour: 'stiffness',
    edges: { shown: false, opacity: 1 },
    edgeColour: 'plain',
    contacts: { shown: false, opacity: 1 },
    ground: true,
    shadows: true,
};

// A staged scene, or the document as a scene of one body.
export interface ShownScene {
    looks: Uint8Array; // View.looks
    bodies: BodyState[];
    positions: Float32Array;
    normals: Float32Array;
    particles: Float32Array; // PARTICLE_STRIDE each, of all bodies
    edges: Int32Array; // indices into all particles
    edgeValues: Float32Array;
    // Authored: the ground lies below the object; staged: the scene has its own planes.
    ground: number | null; // its height
}

export interface Brush {
    point: Vec3;
    normal: Vec3;
    radius: number;
    falloff: number; // [0, 1]: an inner ring where it begins
    erases: boolean; // another colour
}

export interface Rectangle {
    left: number;
    top: number;
    width: number;
    height: number; // CSS pixels within the canvas
}

// What a click would take.
export interface Targets {
    particles?: number[];
    vertices?: VertexRange;
}

export interface VertexRange {
    first: number;
    count: number;
}

export const NO_VERTICES: VertexRange = { first: 0, count: 0 };

export interface Viewport {
    // Fails when WebGL is not there.
    readonly element: HTMLElement;
    readonly light: boolean; // it draws without shadows, environment and antialiasing, for slow machines

    setScene(scene: ShownScene | null): Promise<void>;
    setParticles(particles: Float32Array, edges: Int32Array, edgeValues: Float32Array): void;
    setSelection(vertices: Uint8Array | null, particles: Uint8Array | null): void;
    setWeights(weights: Float32Array | null): void;
    // What leaves the picture is followed, unless the camera was moved by hand since it was placed.
    setFrame(frame: Frame): void;
    setView(settings: ViewSettings): void;

    setBrushes(brushes: Brush[]): void; // none, one, or one with its mirror image
    setBox(box: Rectangle | null): void; // rubber band of a box selection
    setGrip(grip: { particle: Vec3; hand: Vec3 } | null): void;
    setMirror(plane: { normal: Vec3; offset: number } | null): void;
    setPreview(points: Vec3[], radius: number): void; // where particles would go
    setTargets(targets: Targets): void;

    // Pixels are the event's clientX and clientY.
    ray(x: number, y: number): Ray;
    // The planes of what a rectangle of the canvas shows, and where it is seen from.
    planes(box: Rectangle): { planes: [number, number, number, number][]; eye: Vec3 };
    // The point under the pixel in the plane that faces the camera and holds `through`.
    pointAt(x: number, y: number, through: Vec3): Vec3;
    // The radius that a circle of so many pixels around the point has there.
    pixelsToMetres(point: Vec3, pixels: number): number;

    setCamera(eye: Vec3, target: Vec3, verticalFov: number): void;
    camera(): { eye: Vec3; target: Vec3; verticalFov: number };
    frameBox(minimum: Vec3, maximum: Vec3): void; // all of it in view, from where it looks now
    setBelow(pixels: number): void; // of the canvas's lower rim that something lies over, where nothing is framed
    setOrbit(enabled: boolean): void; // left button turns; others always do

    render(): void; // once
    screenshot(): Promise<Blob>; // PNG
    capture(): HTMLCanvasElement; // draws; the picture is there until the page gets its turn
    onLost(lost: () => void, restored: () => void): void; // WebGL context
    memory(): { geometries: number; textures: number }; // on the graphics card, to see that nothing is left behind
    dispose(): void;
}
