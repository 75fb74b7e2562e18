// The parts of a mesh by their names, to be selected.

import type { App } from '../app/app';
import type { What } from '../core/protocol';
import { el } from '../ui/element';
import type { Panel } from '../ui/panel';

const MOST_SHOWN = 200;

// A click selects a part, or what is in it; with Ctrl it adds, with Shift it takes away.
export function partList(app: App, panel: Panel, what: () => What): void {
    panel.list(() => `${app.document?.revision}`, () => {
        const parts = app.document?.parts ?? [];
        if (parts.length < 2) return [];
        return [el('h3', {}, 'Parts'), ...parts.slice(0, MOST_SHOWN).map((part, index) => el('button', {
            type: 'button', class: 'row', 'data-action': 'select.part', 'data-part': index,
            onclick: (event: MouseEvent) => void app.select(
                event.shiftKey ? 'remove' : event.ctrlKey || event.metaKey ? 'add' : 'set', [{ part: index }], what()),
            onpointerenter: () => app.view.setTargets({ vertices: { first: part.firstVertex, count: part.vertices } }),
            onpointerleave: () => app.view.setTargets({}),
        }, el('span', {}, part.name || part.material || `part ${index + 1}`),
        el('span', { class: 'count' }, part.vertices.toLocaleString('en-US'))))];
    });
}
