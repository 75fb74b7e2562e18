import type { RecipeTool } from '../core/protocol';
import { applyButton, Fields } from './fields';
import { MOST_PARTICLES } from './parameters';
import type { Tool } from './tool';

export const auto: Tool = {
    id: 'auto',
    title: 'Auto',
    key: 'A',
    icon: 'auto',
    about: 'Everything at once: particles, ellipsoids, edges, masses and weights, chosen from the mesh. ' +
        'It begins again, without the particles that are there.',
    hint: () => 'Press Auto, then Space to see it move',
    needs: { ellipsoids: true },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'auto');
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
        applyButton(app, panel, auto, () => app.document?.particles ? 'Make it anew' : 'Make a model',
            'Makes a model of the whole mesh that can be simulated at once.');
    },
    begin: () => null,
    recipe(app) {
        const { method, by, count, spacing, stiffness, density, seed } = app.parameters.auto;
        const dense = by === 'count' ? { count } : by === 'spacing' ? { spacing } : {};
        const tools: RecipeTool[] = [{ auto: { method, ...dense, stiffness, density, seed } }];
        if (app.document?.particles) tools.unshift({ remove: {} });
        return { label: 'Auto', tools };
    },
};
