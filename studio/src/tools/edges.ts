import type { App } from '../app/app';
import { brushStroke } from './brushing';
import { eraser } from './erasing';
import { brushFields, Fields } from './fields';
import { particleAt, type Hit, type Stroke, type Tool } from './tool';

// The first of the two particles that an edge is to join, and when it is selected: it counts as long as it is seen to.
let first: { index: number; ready: Promise<unknown> } | null = null;

function single(app: App, hit: Hit): Stroke | null {
    const index = hit.pick.particle?.index;
    if (index === undefined) {
        first = null;
        return null;
    }
    const begun = first;
    first = null;
    void (async () => {
        await begun?.ready;
        const isSeen = begun && app.document?.selectedParticles === 1 && app.display.selected[begun.index] === 1;
        if (isSeen && begun.index !== index) return join(app, begun.index, index);
        first = { index, ready: app.select('set', [{ index }], 'particles') };
    })();
    return { end: () => {} };
}

async function join(app: App, a: number, b: number): Promise<void> {
    const { stretch, torsion } = app.parameters.edges;
    const stroke = app.newStroke();
    const stiffness = { stretch_stiffness: stretch, torsion_stiffness: torsion };
    void app.run('Edge', [{ edge: { a, b, ...stiffness } }], stroke);
    await app.select('set', [{ none: {} }], 'particles', stroke);
}

function connection(app: App): Record<string, unknown> {
    const { distance, nearest, stretch, torsion } = app.parameters.edges;
    return { distance, nearest_only: nearest, stretch_stiffness: stretch, torsion_stiffness: torsion };
}

export const edges: Tool = {
    id: 'edges',
    title: 'Edges',
    key: 'E',
    icon: 'edges',
    about: 'Connects particles that are near each other along the object. Connected particles move as one matter.',
    hint: (app) => app.parameters.edges.mode === 'spray'
        ? 'Drag over the surface to connect particles in the ring · Shift cuts'
        : 'Click two particles to connect them',
    needs: { ellipsoids: true, edges: true },
    hasBrush: (app) => app.parameters.edges.mode === 'spray',
    panel(app, panel) {
        const fields = new Fields(app, panel, 'edges');
        fields.choice('mode', 'Mode', 'What the mouse does.', [
            { value: 'spray', label: 'Brush', tip: 'Connects all particles within the ring.' },
            { value: 'single', label: 'Two clicks', tip: 'One edge, from the first particle clicked to the second.' },
        ]);
        brushFields(app, panel, edges);
        fields.length('distance', 'Distance', 'Particles up to this far apart along the object are connected.');
        fields.toggle('nearest', 'Only where parts touch',
            'Leaves out edges between particles that have others between them.');
        fields.part('stretch', 'Stretch', 'How strictly edges keep their length; 0 leaves that to the shape around.');
        fields.part('torsion', 'Torsion',
            'How strictly neighbours keep their rotation to each other; for ropes and limbs.');
        panel.heading('All at once');
        applyEdges(app, panel);
    },
    forget() {
        first = null;
    },
    targets: (app, { pick }) => app.parameters.edges.mode === 'single' ? particleAt(pick) : {},
    begin(app, hit) {
        if (app.parameters.edges.mode === 'single') return single(app, hit);
        const erase = eraser(app, 'Cut edges', 'disconnect');
        return brushStroke(app, hit, async (places, stroke, { shift }) => {
            const { radius } = app.parameters.brush;
            if (shift) return erase(places, stroke);
            await app.run('Connect', places.map((centre) => ({
                connect: { ...app.particles, ...connection(app), centre, radius },
            })), stroke);
        });
    },
    recipe: (app) => ({ label: 'Connect', tools: [{ connect: { ...app.particles, ...connection(app) } }] }),
};

function applyEdges(app: App, panel: Parameters<Tool['panel']>[1]): void {
    const some = () => (app.document?.particles ?? 0) > 1;
    panel.buttons({
        action: 'edges.apply', primary: true, key: '⏎', enabled: some,
        label: () => `Connect ${app.countOf('particles')}`,
        tip: 'Connects all pairs of them that are near enough.', click: () => void app.apply(edges),
    }, {
        action: 'edges.disconnect', enabled: () => (app.document?.edges ?? 0) > 0, label: 'Disconnect',
        tip: 'Removes the edges between selected particles, or all edges.',
        click: () => void app.run('Disconnect', [{ disconnect: { ...app.particles } }]),
    });
    panel.text(() => app.isAdjustable ? 'Change a number above to do it over.' : '', 'note quiet');
}
