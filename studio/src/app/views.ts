// One click for each of the papers' pictures.

import type { ViewSettings } from '../view/types';

export interface Preset {
    id: string;
    label: string;
    tip: string;
    view: (settings: ViewSettings) => Partial<ViewSettings>;
}

const on = (opacity: number) => ({ shown: true, opacity });
const off = { shown: false, opacity: 1 };
const none = { weights: false, wireframe: false, ellipsoids: off, edges: off, contacts: off };

export const PRESETS: Preset[] = [
    {
        id: 'mesh', label: 'Mesh', tip: 'The object as it will be seen, and nothing else.',
        view: () => ({ ...none, mesh: on(1) }),
    },
    {
        id: 'ellipsoids', label: 'Ellipsoids', tip: 'The particles with their shapes, inside a faint mesh.',
        view: () => ({ ...none, mesh: on(0.2), ellipsoids: on(1), particleColour: 'plain' }),
    },
    {
        id: 'stiffness', label: 'Stiffness', tip: 'Particles from green, soft, to red, stiff.',
        view: () => ({ ...none, mesh: on(0.12), ellipsoids: on(1), particleColour: 'stiffness' }),
    },
    {
        id: 'edges', label: 'Edges', tip: 'Which particles are connected, inside a faint mesh.',
        view: () => ({
            ...none, mesh: on(0.15), ellipsoids: on(0.35), edges: on(1), particleColour: 'plain', edgeColour: 'plain',
        }),
    },
    {
        id: 'groups', label: 'Groups', tip: 'Explicit groups, each in a colour of its own.',
        view: () => ({ ...none, mesh: on(0.12), ellipsoids: on(1), particleColour: 'groups' }),
    },
    {
        id: 'weights', label: 'Weights', tip: 'How much each vertex follows the selected particles, as a heat map.',
        view: () => ({ ...none, mesh: on(1), weights: true, ellipsoids: on(0.25), particleColour: 'plain' }),
    },
    {
        id: 'contacts', label: 'Contacts',
        tip: 'Where things touch while they move, with normals as long as the force is large.',
        view: () => ({ ...none, mesh: on(0.35), contacts: on(1) }),
    },
];

// Of the list above.
export const MESH = 0;
export const INSIDE = 1;

export function presetOf(index: number, settings: ViewSettings): Partial<ViewSettings> {
    return structuredClone(PRESETS[index]?.view(settings) ?? {});
}

// The preset that looks like these settings; -1 when there is none.
export function presetIndex(settings: ViewSettings): number {
    return PRESETS.findIndex(({ view }) => Object.entries(view(settings)).every(([name, value]) =>
        JSON.stringify(settings[name as keyof ViewSettings]) === JSON.stringify(value)));
}
