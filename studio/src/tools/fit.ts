import { applyButton, Fields } from './fields';
import type { Tool } from './tool';

export const fit: Tool = {
    id: 'fit',
    title: 'Fit ellipsoids',
    key: 'F',
    icon: 'fit',
    about: 'Gives particles the shape of the object around them. With drift they move to the middle of it first, ' +
        'so that thin limbs become chains.',
    hint: () => 'Set how far particles look, and press Fit',
    needs: { ellipsoids: true },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'fit');
        fields.length('radius', 'Radius', 'How far around a particle the object counts; also its longest half axis.');
        fields.number('aspect', 'Aspect', 'The longest half axis is at most so many times the shortest.', {
            minimum: 1, maximum: 8, highest: 1000,
        });
        fields.whole('drift', 'Drift', 'Rounds of moving to the middle of the object around, before the fit.', 0, 30);
        fields.number('merge', 'Merge', 'Particles that drift closer than this become one; 0 keeps all.', {
            minimum: 0, maximum: () => app.parameters.fit.radius * 2, highest: 1e5, unit: 'm',
        });
        applyButton(app, panel, fit, () => `Fit ${app.countOf('particles')}`,
            'Fits the selected particles, or all of them.', () => (app.document?.particles ?? 0) > 0);
    },
    begin: () => null,
    recipe: (app) => ({ label: 'Fit ellipsoids', tools: [{ fit: { ...app.particles, ...app.parameters.fit } }] }),
};
