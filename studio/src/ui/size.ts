// How large the object is. Gravity and time do not grow with it: what is a hundred times too large seems not to move.
// So a mesh that is likely not in metres is asked about, once, as it is opened.

import type { App } from '../app/app';
import type { DocumentState } from '../core/protocol';
import { clear, el } from './element';
import { shown } from './number';
import { button, type Panel } from './panel';

export function lengthOf(metres: number): string {
    if (metres >= 1) return `${shown(metres)} m`;
    return metres >= 0.01 ? `${shown(metres * 100)} cm` : `${shown(metres * 1000)} mm`;
}

function doubtOf(scale: number): string {
    if (scale > 1) return 'too small?';
    return scale === 0.001 ? 'millimetres?' : 'centimetres?';
}

export function createSizeQuestion(app: App): HTMLElement {
    const card = el('div', { class: 'question', 'data-panel': 'size', role: 'alertdialog', hidden: true });
    let asked = -1; // the document's revision
    const ask = ({ revision, size, likelyScale }: DocumentState) => {
        asked = revision;
        const by = Number(likelyScale.toPrecision(3));
        card.hidden = by === 1;
        if (card.hidden) return;
        clear(card,
            el('p', {}, `${lengthOf(size)} long: ${doubtOf(by)}`),
            button({
                action: 'size.accept', label: `× ${by}`, primary: true,
                tip: `Makes it ${lengthOf(size * by)} long, with its rig and animations.`,
                click: () => {
                    card.hidden = true;
                    void app.scale(by);
                },
            }),
            button({
                action: 'size.keep', label: `Keep ${lengthOf(size)}`, tip: 'Leaves its size as it is.',
                click: () => {
                    card.hidden = true;
                },
            }));
    };
    app.opened.on(ask);
    app.session.changed.on(({ document }) => {
        if (document?.revision !== asked) card.hidden = true;
    });
    return card;
}

export function sizeFields(app: App, part: Panel): void {
    let by = 1;
    const size = () => app.document?.size ?? 0;
    part.number({
        id: 'body.scale', label: 'Scale', unit: '×', minimum: 0.001, maximum: 1000, lowest: 1e-6, highest: 1e6, scale: 'log',
        tip: 'How many times as large it is to be; the button does it.',
        get: () => by,
        set: (value) => {
            by = value;
            part.refresh();
        },
    });
    part.buttons({
        action: 'body.scale', label: () => by === 1 ? `${lengthOf(size())} long` : `Make it ${lengthOf(size() * by)} long`,
        tip: 'Makes mesh and model larger or smaller.', enabled: () => by !== 1,
        click: () => {
            const now = by;
            by = 1;
            void app.scale(now);
        },
    });
}
