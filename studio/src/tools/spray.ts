import { brushStroke } from './brushing';
import { eraser } from './erasing';
import { applyButton, brushFields, Fields } from './fields';
import { MOST_PARTICLES } from './parameters';
import type { Tool } from './tool';

export const spray: Tool = {
    id: 'spray',
    title: 'Spray',
    key: 'S',
    icon: 'spray',
    about: 'Particles on the surface, evenly at random and never closer than the spacing.',
    hint: () => 'Drag over the surface to spray particles · Shift takes them away',
    needs: { ellipsoids: true },
    hasBrush: () => true,
    panel(app, panel) {
        brushFields(app, panel, spray);
        const fields = new Fields(app, panel, 'spray');
        fields.length('spacing', 'Spacing', 'No two particles come closer than this along the object.');
        fields.part('stiffness', 'Stiffness', 'How firmly new particles hold the shape around them; 1 is rigid.');
        panel.heading('All at once');
        fields.choice('by', 'Mode', 'Whether the number of particles or their distance is given.', [
            { value: 'count', label: 'Count' }, { value: 'spacing', label: 'Spacing' },
        ]);
        fields.number('count', 'Count', 'About how many particles cover what is selected, or the whole mesh.', {
            minimum: 10, maximum: 5000, lowest: 1, highest: MOST_PARTICLES, scale: 'log', whole: true,
        }, () => app.parameters.spray.by === 'count');
        fields.whole('seed', 'Seed', 'Another number gives another arrangement.', 0, 100);
        applyButton(app, panel, spray, () => `Spray ${app.countOf('vertices')}`,
            'Covers what is selected, or the whole mesh, with particles.');
    },
    begin(app, hit) {
        const erase = eraser(app, 'Spray away', 'remove');
        return brushStroke(app, hit, async (places, stroke, { shift }) => {
            const { spacing, seed, stiffness } = app.parameters.spray;
            const { radius } = app.parameters.brush;
            if (shift) return erase(places, stroke);
            await app.run('Spray', places.map((centre) => ({
                spray: { ...app.vertices, spacing, centre, radius, seed, particle: { stiffness } },
            })), stroke);
        });
    },
    recipe(app) {
        const { by, spacing, count, seed, stiffness } = app.parameters.spray;
        const dense = by === 'count' ? { count } : { spacing };
        return { label: 'Spray', tools: [{ spray: { ...app.vertices, ...dense, seed, particle: { stiffness } } }] };
    },
};
