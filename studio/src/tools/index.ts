// The tools, in the order of the strip.

import { auto } from './auto';
import { bind } from './bind';
import { edges } from './edges';
import { fill } from './fill';
import { fit } from './fit';
import { groups } from './groups';
import { mass } from './mass';
import { mirror } from './mirror';
import { paint } from './paint';
import { particle } from './particle';
import { select } from './select';
import { slice } from './slice';
import { spray } from './spray';
import type { Tool } from './tool';

export const TOOLS: Tool[] = [
    select, auto, spray, fill, slice, particle, edges, fit, paint, groups, bind, mass, mirror,
];

export function toolOf(id: string): Tool {
    return TOOLS.find((tool) => tool.id === id) ?? select;
}
