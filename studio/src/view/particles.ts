// Particles as the core gives them: rows of numbers.

import { PARTICLE_STRIDE } from '../core/protocol';

export { PARTICLE_STRIDE };
export const POSE_STRIDE = 7;
export const RADII = 7;
export const MASS = 10;
export const STIFFNESS = 11;
export const FLAGS = 12;
export const GROUP = 13;
export const PINNED = 1; // of the flags
