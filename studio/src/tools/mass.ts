import { applyButton, Fields } from './fields';
import type { Tool } from './tool';

export const mass: Tool = {
    id: 'mass',
    title: 'Mass',
    key: 'M',
    icon: 'mass',
    about: 'Gives each particle the mass of what belongs to it, by density or by the sum.',
    hint: () => 'Set density or sum, and press the button',
    needs: { ellipsoids: true, colour: 'mass' },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'mass');
        fields.choice('by', 'Mode', 'Whether the density or the sum of the masses is given.', [
            { value: 'density', label: 'Density' }, { value: 'total', label: 'Sum' },
        ]);
        fields.number('density', 'Density', 'Mass of a cubic metre; water has 1000.', {
            minimum: 10, maximum: 10000, lowest: 1e-9, highest: 1e9, scale: 'log', unit: 'kg/m³',
        }, () => app.parameters.mass.by === 'density');
        fields.number('total', 'Sum', 'What all of them weigh together.', {
            minimum: 0.01, maximum: 10000, lowest: 1e-9, highest: 1e9, scale: 'log', unit: 'kg',
        }, () => app.parameters.mass.by === 'total');
        fields.length('thickness', 'Thickness', 'How thick that is what has no inside, such as cloth.');
        applyButton(app, panel, mass, () => `Weigh ${app.countOf('particles')}`,
            'Gives masses to the selected particles, or to all.', () => (app.document?.particles ?? 0) > 0);
    },
    begin: () => null,
    recipe(app) {
        const { by, density, total, thickness } = app.parameters.mass;
        const heavy = by === 'density' ? { density } : { total };
        return { label: 'Mass', tools: [{ mass: { ...app.particles, thickness, ...heavy } }] };
    },
};
