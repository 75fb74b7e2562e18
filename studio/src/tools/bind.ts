import { applyButton, Fields } from './fields';
import type { Layer } from '../view/types';
import type { Tool } from './tool';

const OPAQUE: Layer = { shown: true, opacity: 1 };
const isOpaque = ({ shown, opacity }: Layer) => shown && opacity === 1;

// How the mesh was seen before the heat map, which needs all of it.
let covered: Layer | null = null;

export const bind: Tool = {
    id: 'bind',
    title: 'Bind',
    key: 'W',
    icon: 'bind',
    about: 'Links vertices to the particles that carry them. What is not bound when a simulation starts is bound then.',
    hint: () => 'Click on a particle to see in the Weights view who follows it',
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'bind');
        fields.whole('links', 'Links', 'The most particles that one vertex follows.', 1, 4);
        panel.text(() => `Binds ${app.countOf('vertices')} to ${app.countOf('particles')}.`);
        applyButton(app, panel, bind, () => 'Bind',
            'Links the selected vertices, or all, to the selected particles, or all.',
            () => (app.document?.particles ?? 0) > 0);
        panel.text(() => {
            const unbound = app.document?.unbound ?? 0;
            return unbound ? `${unbound.toLocaleString('en-US')} vertices are not bound.` : 'All vertices are bound.';
        });
        panel.buttons({
            action: 'bind.unbound', label: 'Select unbound',
            tip: 'Selects the vertices without links, to see where they are.',
            enabled: () => (app.document?.unbound ?? 0) > 0,
            click: () => void app.select('set', [{ unbound: {} }], 'vertices'),
        }, {
            action: 'bind.unbind', label: 'Unbind', tip: 'Takes the links of the selected vertices, or of all, away.',
            enabled: () => (app.document?.unbound ?? 0) < (app.document?.vertices ?? 0),
            click: () => void app.run('Unbind', [{ unbind: { ...app.vertices } }]),
        });
        panel.buttons({
            action: 'bind.followers', label: 'Followers',
            tip: 'Selects the vertices that follow the selected particles.',
            enabled: () => (app.document?.selectedParticles ?? 0) > 0,
            click: () => void app.select('set', [{ followers: {} }], 'vertices'),
        }, {
            action: 'bind.leaders', label: 'Leaders', tip: 'Selects the particles that the selected vertices follow.',
            enabled: () => (app.document?.selectedVertices ?? 0) > 0,
            click: () => void app.select('set', [{ leaders: {} }], 'particles'),
        });
        panel.toggle({
            id: 'bind.weights', label: 'Show weights',
            tip: 'Colours the mesh by how much it follows the selected particles.',
            get: () => app.shown.weights,
            set: (on) => app.setView((settings) => {
                const { mesh } = settings;
                settings.weights = on;
                settings.mesh = on ? { ...OPAQUE } : covered && isOpaque(mesh) ? covered : mesh;
                covered = on ? mesh : null;
            }),
        });
    },
    begin(app, hit) {
        const index = hit.pick.particle?.index;
        if (index === undefined) return null;
        void app.select(hit.shift ? 'remove' : hit.ctrl ? 'add' : 'set', [{ index }], 'particles');
        return { end: () => {} };
    },
    recipe: (app) => ({
        label: 'Bind', tools: [{ bind: { ...app.vertices, ...app.particles, links: app.parameters.bind.links } }],
    }),
};
