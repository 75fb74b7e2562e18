// The panels at the right: the tool's or the scene's numbers, what is selected, how it is seen, what was done.

import type { App } from '../app/app';
import { PRESETS, presetIndex } from '../app/views';
import { SELECTED, type DocumentState } from '../core/protocol';
import type { EdgeColour, Layer, ParticleColour } from '../view/types';
import { bodyPanel } from './bodypanel';
import { changesOf } from './changes';
import { el, setClass } from './element';
import { Panel } from './panel';
import { buildPlay } from './playpanel';

export function createInspector(app: App): HTMLElement {
    const inspector = el('aside', { class: 'inspector' });
    let panels: Panel[] = [];
    let built = '';

    const refresh = () => {
        for (const panel of panels) panel.refresh();
    };
    const build = () => {
        const { mode, stage } = app.state;
        const key = mode === 'author' ? `author ${app.tool.id}` : mode === 'play' ? `play ${stage?.revision}` : 'empty';
        if (key === built) return refresh();
        built = key;
        const top = new Panel();
        top.element.dataset['panel'] = mode === 'author' ? app.tool.id : mode;
        panels = [top];
        if (mode === 'author') {
            top.title(app.tool.title, app.tool.about);
            app.tool.panel(app, top);
        } else if (mode === 'play') {
            buildPlay(app, top);
        } else {
            top.title('Nothing open yet', 'Open a mesh to make a model of it, or play one of the scenes.');
        }
        if (mode === 'author') panels.push(selectionPanel(app), bodyPanel(app));
        if (mode !== 'empty') panels.push(viewsPanel(app));
        if (mode === 'author') panels.push(historyPanel(app));
        inspector.replaceChildren(...panels.map(({ element }) => element));
        inspector.scrollTop = 0;
    };
    app.session.changed.on(build);
    app.toolChanged.on(build);
    app.parametersChanged.on(refresh);
    app.viewChanged.on(refresh);
    build();
    return inspector;
}

type Chosen = NonNullable<DocumentState['selected']>;

function selectionPanel(app: App): Panel {
    const panel = new Panel();
    panel.watch(() => {
        panel.element.hidden = !app.document?.selected;
    });
    panel.element.dataset['panel'] = 'selection';
    const chosen = () => app.document?.selected ?? null;
    const some = (name: 'pinned' | 'surface') => {
        const count = chosen()?.[name] ?? 0;
        return count > 0 && count < (app.document?.selectedParticles ?? 0) ? 'mixed' : count > 0;
    };
    const change = changesOf(app, panel);
    const set = (what: string, values: Record<string, unknown>) =>
        change(what, [{ set: { particles: SELECTED, ...values } }]);
    panel.fold('Selected particles', true, (part) => {
        const number = (
            name: keyof Chosen & string, field: string, text: string, tip: string, minimum: number, maximum: number,
            more: { unit?: string; scale?: 'log'; lowest?: number; highest?: number } = {},
        ) => part.number({
            id: `selected.${name}`, label: text, tip, minimum, maximum, ...more,
            get: () => (chosen()?.[name] as number | undefined) ?? 0,
            set: (value) => set(`Set ${text.toLowerCase()}`, { [field]: value }),
            differs: () => chosen()?.differ.includes(name) ?? false,
        });
        part.number({
            id: 'selected.radius', label: 'Radius', tip: 'Mean half width; setting it makes them round.', unit: 'm',
            scale: 'log',
            minimum: () => app.size / 1000, maximum: () => app.size / 2, lowest: 1e-5, highest: 1e5,
            get: () => chosen()?.radius ?? 0, set: (radius) => set('Set radius', { radius }),
            differs: () => chosen()?.differ.includes('radius') ?? false,
        });
        number('mass', 'mass', 'Mass', 'How heavy each of them is.', 0.001, 100,
            { unit: 'kg', scale: 'log', lowest: 1e-9, highest: 1e9 });
        number('stiffness', 'stiffness', 'Stiffness', 'How firmly they hold the shape around them; 1 is rigid.', 0, 1);
        number('yieldStrain', 'yield_strain', 'Yield strain',
            'Deformed further than this, the rest shape begins to follow.', 0, 1, { highest: 1000 });
        number('creepRate', 'creep_rate', 'Creep rate', 'How fast the rest shape follows; 0 never.', 0, 100,
            { unit: '1/s', highest: 1e6 });
        part.toggle({
            id: 'selected.pinned', label: 'Pinned', tip: 'They stay where they are, moved by the program only.',
            get: () => some('pinned'), set: (pinned) => set(pinned ? 'Pin' : 'Unpin', { pinned }),
        });
        part.toggle({
            id: 'selected.surface', label: 'Surface', tip: 'They know which side of them is outside.',
            get: () => some('surface'),
            set: (on) => void app.run('Set surface',
                [{ paint: { particles: SELECTED, target: 'surface', value: on ? 1 : 0 } }]),
        });
    });
    return panel;
}

function viewsPanel(app: App): Panel {
    const panel = new Panel();
    panel.element.dataset['panel'] = 'views';
    panel.fold('View', true, (part) => {
        const presets = PRESETS.map((preset, index) => el('button', {
            type: 'button', 'data-view': preset.id, 'data-tip': preset.tip, 'data-key': String(index + 1),
            onclick: () => app.setPreset(index),
        }, preset.label));
        part.add(el('div', { class: 'presets' }, ...presets));
        part.watch(() => {
            const now = presetIndex(app.shown);
            presets.forEach((item, index) => setClass(item, 'on', index === now));
        });
        const layer = (name: 'mesh' | 'ellipsoids' | 'edges' | 'contacts', text: string, tip: string) => {
            const row = new Panel(el('div', { class: 'layer' }));
            const change = (by: (layer: Layer) => Layer) => app.setView((settings) => {
                settings[name] = by(settings[name]);
            });
            row.toggle({
                id: `view.${name}`, label: text, tip, get: () => app.shown[name].shown,
                set: (shown) => change((now) => ({ ...now, shown })),
            });
            row.number({
                id: `view.${name}.opacity`, label: '', tip: `How opaque: ${text.toLowerCase()}.`, minimum: 0.02,
                maximum: 1,
                get: () => app.shown[name].opacity, set: (opacity) => change((now) => ({ ...now, opacity })),
            });
            part.add(row.element);
            part.watch(() => row.refresh());
        };
        layer('mesh', 'Mesh', 'The visual mesh with its materials.');
        layer('ellipsoids', 'Ellipsoids', 'The particles with their shapes.');
        layer('edges', 'Edges', 'What connects particles.');
        layer('contacts', 'Contacts', 'Where things touch, with normals as long as the force is large.');
        part.choice<ParticleColour>({
            id: 'view.particleColour', label: 'Particles', tip: 'What the colour of ellipsoids tells.',
            choices: [
                { value: 'plain', label: 'Plain' },
                { value: 'stiffness', label: 'Stiff', tip: 'Stiffness, from green to red.' },
                { value: 'groups', label: 'Group' }, { value: 'mass', label: 'Mass' },
            ],
            get: () => app.shown.particleColour,
            set: (value) => app.setView((settings) => {
                settings.particleColour = value;
            }),
        });
        part.choice<EdgeColour>({
            id: 'view.edgeColour', label: 'Edges', tip: 'What the colour of edges tells.',
            choices: [{ value: 'plain', label: 'Plain' }, { value: 'stretch', label: 'Stretch' },
                { value: 'torsion', label: 'Torsion' }],
            get: () => app.shown.edgeColour,
            set: (value) => app.setView((settings) => {
                settings.edgeColour = value;
            }),
        });
        const row = new Panel(el('div', { class: 'pairs' }));
        const toggle = (
            name: 'wireframe' | 'weights' | 'ground' | 'shadows', text: string, tip: string, enabled = true,
        ) => row.toggle({
            id: `view.${name}`, label: text, tip, get: () => app.shown[name] && enabled, enabled: () => enabled,
            set: (on) => app.setView((settings) => {
                settings[name] = on;
            }),
        });
        toggle('wireframe', 'Wireframe', 'The triangles of the mesh as lines.');
        toggle('weights', 'Weights', 'The mesh as a heat map of how much it follows the selected particles.');
        toggle('ground', 'Ground', 'The ground below.');
        const { light } = app.view;
        toggle('shadows', 'Shadows', light ? 'The page was opened to draw plainly (?light), without shadows.'
            : 'Shadows, which cost some time on slow machines.', !light);
        part.add(row.element);
        part.watch(() => row.refresh());
    });
    return panel;
}

const MOST_SHOWN = 200;

function historyPanel(app: App): Panel {
    const panel = new Panel();
    panel.element.dataset['panel'] = 'history';
    panel.fold('History', true, (part) => {
        part.list(() => JSON.stringify(app.state.history), () => {
            const { labels, position } = app.state.history;
            const from = Math.max(0, labels.length - MOST_SHOWN);
            return labels.slice(from).map((label, i) => {
                const at = from + i + 1;
                return el('button', {
                    type: 'button', class: at === position ? 'row now' : at > position ? 'row undone' : 'row',
                    'data-action': 'travel', 'data-position': at, onclick: () => void app.travelTo(at),
                }, el('span', {}, label));
            }).reverse();
        }, 'list history');
    });
    return panel;
}
