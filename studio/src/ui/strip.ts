// The tools, one above the other.

import type { App } from '../app/app';
import { TOOLS } from '../tools';
import { el, setClass } from './element';
import { icon } from './icons';

const GAPS_BEFORE = new Set(['auto', 'particle', 'paint', 'mirror']);

export function createStrip(app: App): HTMLElement {
    const buttons = TOOLS.map((tool) => el('button', {
        type: 'button', class: GAPS_BEFORE.has(tool.id) ? 'apart' : '', 'data-tool': tool.id, 'aria-label': tool.title,
        'data-tip': `${tool.title}. ${tool.about}`, 'data-key': tool.key,
        onclick: () => app.setTool(tool.id),
    }, icon(tool.icon), el('kbd', {}, tool.key)));
    const strip = el('nav', { class: 'strip', 'aria-label': 'Tools' }, ...buttons);
    const refresh = () => {
        for (const button of buttons) {
            setClass(button, 'on', button.dataset['tool'] === app.tool.id && app.state.mode === 'author');
            button.disabled = app.state.mode !== 'author';
        }
    };
    app.toolChanged.on(refresh);
    app.session.changed.on(refresh);
    refresh();
    return strip;
}
