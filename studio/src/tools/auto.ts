import type { RecipeTool } from '../core/protocol';
import { applyButton, Fields } from './fields';
import { chosenLive, liveFields } from './live';
import { MOST_PARTICLES } from './parameters';
import { partList } from './parts';
import type { Tool } from './tool';

export const auto: Tool = {
    id: 'auto',
    title: 'Automatic',
    key: 'A',
    icon: 'auto',
    about: 'Everything at once: particles, ellipsoids, edges, masses and weights, chosen from the mesh. ' +
        'It begins again, without the particles that are there.',
    hint: (app) => app.document?.particles ? 'Space to see it move, A to rebuild it' : 'A makes a model of it',
    needs: { ellipsoids: true },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'auto');
        liveFields(app, panel);
        fields.choice('method', 'Method', 'What kind of model is made.', [
            { value: 'mixed', label: 'Mixed',
                tip: 'Chains in thin limbs, a layer in sheets, filled where it is thick.' },
            { value: 'spray', label: 'Surface', tip: 'A layer on the surface only.' },
            { value: 'slice', label: 'Cloth', tip: 'Cut lines only.' },
        ]);
        fields.choice('by', 'Size', 'How the number of particles is found.', [
            { value: 'chosen', label: 'Chosen', tip: 'From the mesh.' }, { value: 'count', label: 'Count' },
            { value: 'spacing', label: 'Spacing' },
        ]);
        fields.number('count', 'Count', 'About how many particles there will be.', {
            minimum: 10, maximum: 5000, lowest: 1, highest: MOST_PARTICLES, scale: 'log', whole: true,
        }, () => app.parameters.auto.by === 'count');
        fields.length('spacing', 'Spacing', 'Distance between particles.', () => app.parameters.auto.by === 'spacing');
        fields.part('stiffness', 'Stiffness', 'How firmly the object holds its shape; 1 is rigid.');
        fields.number('density', 'Density', 'Mass of a cubic metre; water has 1000.', {
            minimum: 10, maximum: 10000, lowest: 1e-9, highest: 1e9, scale: 'log', unit: 'kg/m³',
        });
        fields.whole('seed', 'Seed', 'Another number gives another arrangement.', 0, 100);
        // Above what changes with the selection, so that the list stays under the pointer.
        partList(app, panel, () => 'vertices');
        const isPart = () => (app.document?.selectedVertices ?? 0) > 0;
        applyButton(app, panel, auto, () => {
            const { particles } = app.document ?? {};
            if (isPart()) return `${particles ? 'Rebuild' : 'Make'} with ${app.countOf('vertices')}`;
            return particles ? 'Rebuild' : 'Make a model';
        }, 'Makes a model of what is selected, or of the whole mesh, that can be simulated at once.');
        panel.text(() => isPart() ? 'Only what is selected will move: all else stays where it is.' : '', 'note quiet');
    },
    begin: () => null,
    recipe(app) {
        const { method, by, count, spacing, stiffness, density, seed } = app.parameters.auto;
        const dense = by === 'count' ? { count } : by === 'spacing' ? { spacing } : {};
        const as = chosenLive(app);
        const tools: RecipeTool[] = app.document?.particles ? [{ remove: {} }] : [];
        tools.push({ auto: { ...app.vertices, method, ...dense, stiffness, density, seed } }, { live: as ? { as } : {} });
        return { label: 'Automatic', tools };
    },
};
