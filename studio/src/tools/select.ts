import type { App } from '../app/app';
import type { Rule, SelectMode, What } from '../core/protocol';
import type { Targets } from '../view/types';
import { brushStroke } from './brushing';
import { brushFields, Fields } from './fields';
import type { SelectMethod } from './parameters';
import { partList } from './parts';
import { particleAt, type Hit, type Stroke, type Tool } from './tool';

function modeOf(hit: Hit): SelectMode {
    return hit.shift ? 'remove' : hit.ctrl ? 'add' : 'set';
}

function click(app: App, hit: Hit): Stroke | null {
    const { what, method } = app.parameters.select;
    const { surface, particle } = hit.pick;
    let rule: Rule | null = null;
    if (method === 'part') rule = surface ? { part: surface.part } : null;
    else if (what === 'particles') rule = particle ? { index: particle.index } : null;
    else rule = surface ? { index: surface.vertex } : null;
    if (!rule) return null;
    void app.select(modeOf(hit), [rule]);
    return { end: () => {} };
}

function targets(app: App, { pick }: Hit): Targets {
    const { what, method } = app.parameters.select;
    const part = pick.surface && app.document?.parts[pick.surface.part];
    if (method === 'part') return part ? { vertices: { first: part.firstVertex, count: part.vertices } } : {};
    if (method !== 'click') return {};
    if (what === 'particles') return particleAt(pick);
    return pick.surface ? { vertices: { first: pick.surface.vertex, count: 1 } } : {};
}

function brush(app: App, hit: Hit): Stroke | null {
    // The first dab of a stroke begins a new selection, those after it belong to it.
    let mode = modeOf(hit);
    return brushStroke(app, hit, (places, stroke) => {
        const now = mode;
        if (mode === 'set') mode = 'add';
        const radius = app.parameters.brush.radius;
        return app.select(now, places.map((centre) => ({ sphere: { centre, radius } })), undefined, stroke);
    });
}

function box(app: App, hit: Hit): Stroke {
    const canvas = app.view.element.getBoundingClientRect();
    const start = { x: hit.x - canvas.left, y: hit.y - canvas.top };
    let end = start;
    const area = () => ({
        left: Math.min(start.x, end.x), top: Math.min(start.y, end.y),
        width: Math.abs(end.x - start.x), height: Math.abs(end.y - start.y),
    });
    return {
        pixels(x, y) {
            end = { x: x - canvas.left, y: y - canvas.top };
            app.view.setBox(area());
        },
        end() {
            app.view.setBox(null);
            const rectangle = area();
            if (rectangle.width < 3 || rectangle.height < 3) {
                if (modeOf(hit) === 'set') void app.select('set', [{ none: {} }]);
                return;
            }
            const { planes, eye } = app.view.planes(rectangle);
            const through = app.parameters.select.what === 'particles';
            void app.select(modeOf(hit), [{ planes: through ? { planes } : { planes, eye } }]);
        },
    };
}

export const select: Tool = {
    id: 'select',
    title: 'Select',
    key: 'V',
    icon: 'select',
    about: 'Other tools work on what is selected, or on everything when nothing is.',
    hint: () => 'Drag to select · Ctrl adds · Shift takes away · drag beside the object to orbit',
    hasBrush: (app) => app.parameters.select.method === 'brush',
    panel(app, panel) {
        const fields = new Fields(app, panel, 'select');
        fields.choice<What>('what', 'Element', 'Whether vertices of the mesh or particles are selected.', [
            { value: 'vertices', label: 'Vertices' }, { value: 'particles', label: 'Particles' },
        ]);
        fields.choice<SelectMethod>('method', 'Mode', 'How the mouse selects.', [
            { value: 'click', label: 'Click', tip: 'One at a time.' },
            { value: 'brush', label: 'Brush', tip: 'All within the ring, as it is dragged over the surface.' },
            { value: 'box', label: 'Box', tip: 'All within a rectangle on the screen.' },
            { value: 'part', label: 'Part', tip: 'A whole part of the mesh with each click.' },
        ]);
        brushFields(app, panel, select);
        const rule = (action: string, label: string, tip: string, one: Rule, key?: string,
            mode: SelectMode = 'set') => ({
            action: `select.${action}`, label, tip, key, click: () => void app.select(mode, [one]),
        });
        panel.buttons(
            rule('all', 'All', 'Selects everything.', { all: {} }, 'Ctrl+A'),
            rule('none', 'None', 'Selects nothing.', { none: {} }, 'Ctrl+D'),
            rule('invert', 'Invert', 'Selects what is not selected.', { invert: {} }, 'Ctrl+I'),
        );
        panel.buttons(
            rule('grow', 'Grow', 'Adds the neighbours of what is selected.', { grow: 1 }, '+'),
            rule('shrink', 'Shrink', 'Takes away the outermost of what is selected.', { grow: -1 }, '−'),
            rule('connected', 'Connected', 'Adds all that hangs together with what is selected.', { connected: {} }),
        );
        partList(app, panel, () => app.parameters.select.what);
    },
    targets,
    begin(app, hit) {
        switch (app.parameters.select.method) {
            case 'brush': return brush(app, hit);
            case 'box': return box(app, hit);
            default: return click(app, hit);
        }
    },
};
