import { applyButton, Fields } from './fields';
import type { Tool } from './tool';

export const fill: Tool = {
    id: 'fill',
    title: 'Fill',
    key: 'L',
    icon: 'fill',
    about: 'Particles inside closed parts of the mesh, on a lattice: for things that are solid all through.',
    hint: () => 'Set the spacing and press Fill',
    needs: { ellipsoids: true },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'fill');
        fields.length('spacing', 'Spacing', 'Distance between neighbours of the lattice.');
        fields.length('clearance', 'Clearance', 'How far particles stay from the surface and from other particles.');
        fields.part('stiffness', 'Stiffness', 'How firmly new particles hold the shape around them; 1 is rigid.');
        const label = () => app.document?.selectedVertices ? 'Fill selected pieces' : 'Fill the whole mesh';
        applyButton(app, panel, fill, label,
            'Fills the closed pieces that hold a selected vertex, or all of them.');
    },
    begin: () => null,
    recipe(app) {
        const { spacing, clearance, stiffness } = app.parameters.fill;
        return { label: 'Fill', tools: [{ fill: { ...app.vertices, spacing, clearance, particle: { stiffness } } }] };
    },
};
