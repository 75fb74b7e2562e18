import type { App } from '../app/app';
import { applyButton, Fields } from './fields';
import type { Layer } from '../view/types';
import { particleAt, type Tool } from './tool';

const OPAQUE: Layer = { shown: true, opacity: 1 };
const isOpaque = ({ shown, opacity }: Layer) => shown && opacity === 1;

// How the mesh was seen before the heat map, which needs all of it.
let covered: Layer | null = null;

// A click on a particle, which shows its weights, selects it: who then binds would leave everything to it.
function warning(app: App): string {
    const { selectedParticles = 0, selectedVertices = 0, particles = 0 } = app.document ?? {};
    const others = particles - selectedParticles;
    if (!selectedParticles || selectedVertices || !others) return '';
    const all = app.countOf('vertices');
    return `${all.charAt(0).toUpperCase()}${all.slice(1)} would follow ${app.countOf('particles')}, and none of the other ` +
        `${others.toLocaleString('en-US')}.`;
}

export const bind: Tool = {
    id: 'bind',
    title: 'Bind',
    key: 'W',
    icon: 'bind',
    about: 'Says which particles carry which vertices. When a simulation starts, what tools were asked to carry is bound; ' +
        'all else stays where it is.',
    hint: () => 'Click on a particle to see in the Weights view who follows it',
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'bind');
        fields.whole('links', 'Influences', 'The most particles that one vertex follows.', 1, 4);
        panel.text(() => warning(app) ? '' : `Binds ${app.countOf('vertices')} to ${app.countOf('particles')}.`);
        panel.text(() => warning(app), 'note warning');
        applyButton(app, panel, bind, () => `Bind ${app.countOf('vertices')}`,
            'Makes the selected vertices, or all, follow the selected particles, or all.',
            () => (app.document?.particles ?? 0) > 0);
        panel.text(() => {
            const unbound = app.document?.unbound ?? 0;
            return unbound ? `${unbound.toLocaleString('en-US')} vertices are not bound.` : 'All vertices are bound.';
        });
        panel.buttons({
            action: 'bind.unbound', label: 'Select unbound',
            tip: 'Selects the vertices without influences, to see where they are.',
            enabled: () => (app.document?.unbound ?? 0) > 0,
            click: () => void app.select('set', [{ unbound: {} }], 'vertices'),
        }, {
            action: 'bind.unbind', label: 'Unbind', tip: 'Takes the influences of the selected vertices, or of all, away.',
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
    targets: (_, { pick }) => particleAt(pick),
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
