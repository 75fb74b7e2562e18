import { applyButton, Fields } from './fields';
import { normalOf } from './parameters';
import type { Tool } from './tool';

export const slice: Tool = {
    id: 'slice',
    title: 'Slice',
    key: 'C',
    icon: 'slice',
    about: 'A net of particles on lines cut across the surface: for cloth, robes and sails.',
    hint: () => 'Set the spacing and the axis, and press Slice',
    needs: { ellipsoids: true },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'slice');
        fields.length('spacing', 'Spacing', 'Distance between lines, and between particles on a line.');
        fields.choice('axis', 'Along', 'The direction in which one line follows another.', [
            { value: 'longest', label: 'Longest' }, { value: 'x', label: 'X' }, { value: 'y', label: 'Y' },
            { value: 'z', label: 'Z' },
        ]);
        fields.part('stiffness', 'Stiffness',
            'How firmly new particles hold the shape around them; cloth wants little.');
        fields.part('stretch', 'Stretch', 'How strictly threads keep their length.');
        fields.part('torsion', 'Torsion', 'How strictly neighbours keep their rotation to each other.');
        applyButton(app, panel, slice, () => `Slice ${app.countOf('vertices')}`,
            'Makes the net on what is selected, or on the whole mesh.');
    },
    begin: () => null,
    recipe(app) {
        const { spacing, axis, stretch, torsion, stiffness } = app.parameters.slice;
        return {
            label: 'Slice',
            tools: [{
                slice: {
                    ...app.vertices, spacing, ...(axis === 'longest' ? {} : { axis: normalOf(axis) }),
                    stretch_stiffness: stretch, torsion_stiffness: torsion, particle: { stiffness },
                },
            }],
        };
    },
};
