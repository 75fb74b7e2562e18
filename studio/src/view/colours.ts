// Colours of what is drawn beside the materials, and the ramps that turn values into colours.

import { Color } from 'three';
import type { EdgeColour, ParticleColour } from './types';

export const ACCENT = new Color(0x4fb3ff);
export const ERASING = new Color(0xff6b57);
export const SELECTED = new Color(0xffa62b); // vertices
export const HALO = new Color(0xffffff); // particles: the ramps take all other colours
export const TARGET = new Color(0x4fb3ff); // around whom a click would take
export const HAND = new Color(0xfff1d0);
export const PREVIEW = new Color(0x7fe0c3);
export const PINNED_TINT = new Color(0x07090d); // most of the way to it
const PLAIN = new Color(0x9fb4c8);
const PLAIN_EDGE = new Color(0xd5dde6);
const UNGROUPED = new Color(0x6d747d);

// Stops at equal distances; between them colours are mixed as light is.
type Ramp = readonly Color[];

const STIFFNESS: Ramp = [0x21b14b, 0xa6cf2f, 0xf7c325, 0xf27a22, 0xe02b2b].map((hex) => new Color(hex));
const MASS: Ramp = [0x2244b8, 0x2f8fd0, 0x63c2a8, 0xf6e04b].map((hex) => new Color(hex));
const HEAT: Ramp = [0x0c1445, 0x1450b4, 0x19c5d6, 0xf8e13c, 0xe0291d].map((hex) => new Color(hex));
const FORCE: Ramp = [0xffd75e, 0xff9a3d, 0xff3d2e].map((hex) => new Color(hex));

function sample(ramp: Ramp, value: number, colour: Color): Color {
    const place = Math.min(Math.max(value, 0), 1) * (ramp.length - 1);
    const stop = Math.min(Math.floor(place), ramp.length - 2);
    return colour.lerpColors(ramp[stop]!, ramp[stop + 1]!, place - stop);
}

export function heat(weight: number, colour: Color): Color {
    return sample(HEAT, weight, colour);
}

export function force(share: number, colour: Color): Color {
    return sample(FORCE, share, colour);
}

// Steps of the golden ratio around the circle: neighbours in number are far apart in hue.
function groupColour(group: number, colour: Color): Color {
    if (group < 0) return colour.copy(UNGROUPED);
    return colour.setHSL((0.08 + group * 0.618034) % 1, 0.85, group % 2 ? 0.36 : 0.48);
}

export interface Range {
    minimum: number;
    maximum: number;
}

export function particleColour(
    kind: ParticleColour, stiffness: number, mass: number, group: number, masses: Range, colour: Color,
): Color {
    switch (kind) {
    case 'plain': return colour.copy(PLAIN);
    case 'stiffness': return sample(STIFFNESS, stiffness, colour);
    case 'groups': return groupColour(group, colour);
    case 'mass': {
        const span = masses.maximum - masses.minimum;
        return sample(MASS, span > 1e-6 * masses.maximum ? (mass - masses.minimum) / span : 0.5, colour);
    }
    }
}

export function edgeColour(kind: EdgeColour, stretch: number, torsion: number, colour: Color): Color {
    if (kind === 'plain') return colour.copy(PLAIN_EDGE);
    return sample(STIFFNESS, kind === 'stretch' ? stretch : torsion, colour);
}
