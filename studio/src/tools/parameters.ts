// The numbers beside the tools, with values to begin with that suit an object's size.

import type { DocumentState, Vec3, What } from '../core/protocol';

export type SelectMethod = 'click' | 'brush' | 'box' | 'part';
export type PaintTarget = 'stiffness' | 'torsion' | 'stretch' | 'mass' | 'surface' | 'animated';
export type Axis = 'x' | 'y' | 'z';

export interface Parameters {
    brush: { radius: number; falloff: number; strength: number };
    select: { what: What; method: SelectMethod };
    spray: { spacing: number; count: number; by: 'spacing' | 'count'; seed: number; stiffness: number };
    fill: { spacing: number; clearance: number; stiffness: number };
    particle: { mode: 'place' | 'move' | 'delete'; radius: number; weighs: 'density' | 'given'; mass: number; stiffness: number };
    edges: { mode: 'spray' | 'single'; distance: number; nearest: boolean; stretch: number; torsion: number };
    fit: { radius: number; aspect: number; drift: number; merge: number };
    paint: { target: PaintTarget } & Record<PaintTarget, number>;
    group: { stiffness: number; dent: number; yield: number; creep: number };
    bind: { links: number };
    slice: { spacing: number; axis: Axis | 'longest'; stretch: number; torsion: number; stiffness: number };
    mass: { by: 'density' | 'total'; density: number; total: number; thickness: number };
    mirror: { on: boolean; axis: Axis; to: 'plus' | 'minus'; offset: number; tolerance: number };
    auto: {
        method: 'mixed' | 'spray' | 'slice'; by: 'chosen' | 'count' | 'spacing'; count: number; spacing: number;
        stiffness: number; density: number; seed: number;
    };
}

export const MOST_PARTICLES = 20000; // that can be asked for; more take minutes
const COUNT = 300; // particles that a spacing is made for
const COVERED = 0.72; // of a square of the spacing's size, by each particle of an even random arrangement

function round(value: number): number {
    return Number(value.toPrecision(2));
}

export function diagonal({ minimum, maximum }: DocumentState): number {
    return Math.hypot(maximum[0] - minimum[0], maximum[1] - minimum[1], maximum[2] - minimum[2]) || 1;
}

// `area` is the surface's, in m².
export function parametersFor(document: DocumentState | null, area: number): Parameters {
    const size = document ? diagonal(document) : 1;
    const even = Math.sqrt((COVERED * (area || size * size)) / COUNT);
    const spacing = round(document?.spacing || Math.min(even, size / 4));
    return {
        brush: { radius: round(3 * spacing), falloff: 0.5, strength: 1 },
        select: { what: 'vertices', method: 'brush' },
        spray: { spacing, count: COUNT, by: 'count', seed: 0, stiffness: 0.5 },
        fill: { spacing, clearance: round(0.7 * spacing), stiffness: 0.5 },
        particle: { mode: 'place', radius: round(0.6 * spacing), weighs: 'density', mass: 1, stiffness: 0.5 },
        edges: { mode: 'spray', distance: round(1.9 * spacing), nearest: false, stretch: 0, torsion: 0 },
        fit: { radius: round(spacing), aspect: 2, drift: 0, merge: 0 },
        paint: { target: 'stiffness', stiffness: 1, torsion: 0.5, stretch: 0.5, mass: 1, surface: 1, animated: 1 },
        group: { stiffness: 1, dent: 0, yield: 0, creep: 0 },
        bind: { links: 4 },
        slice: { spacing, axis: 'longest', stretch: 0, torsion: 0, stiffness: 0.5 },
        mass: { by: 'density', density: 300, total: 10, thickness: round(0.1 * spacing) },
        mirror: { on: false, axis: 'x', to: 'minus', offset: 0, tolerance: round(0.5 * spacing) },
        auto: { method: 'mixed', by: 'chosen', count: COUNT, spacing, stiffness: 0.5, density: 300, seed: 0 },
    };
}

// Kept ones, as far as they are there, over those of the size.
export function withKept(parameters: Parameters, kept: unknown): Parameters {
    if (typeof kept !== 'object' || kept === null) return parameters;
    const result = structuredClone(parameters) as unknown as Record<string, Record<string, unknown>>;
    for (const [tool, values] of Object.entries(kept as Record<string, Record<string, unknown>>)) {
        const known = result[tool];
        if (!known || typeof values !== 'object' || values === null) continue;
        for (const [name, value] of Object.entries(values)) {
            if (typeof value === typeof known[name]) known[name] = value;
        }
    }
    return result as unknown as Parameters;
}

export function normalOf(axis: Axis): Vec3 {
    return axis === 'x' ? [1, 0, 0] : axis === 'y' ? [0, 1, 0] : [0, 0, 1];
}

export function mirrored(point: Vec3, { axis, offset }: Pick<Parameters['mirror'], 'axis' | 'offset'>, isDirection = false): Vec3 {
    const result: Vec3 = [...point];
    const index = axis === 'x' ? 0 : axis === 'y' ? 1 : 2;
    result[index] = (isDirection ? 0 : 2 * offset) - result[index];
    return result;
}
