// A sheet above the page, closed by Escape or a click beside it.

import { el, type Child } from './element';
import { icon } from './icons';

let open: (() => void) | null = null;

// What closes it. `closes` is called once, however it is closed.
export function showDialog(id: string, title: string, children: Child[], closes: () => void = () => {}): () => void {
    open?.();
    const dialog = el('dialog', { 'data-dialog': id, class: id },
        el('div', { class: 'head' }, el('h2', {}, title),
            el('button', { type: 'button', class: 'close', 'data-action': `${id}.close`, 'aria-label': 'Close',
                onclick: () => close() },
                icon('close', 16))),
        ...children);
    const close = () => {
        if (open !== close) return;
        open = null;
        dialog.remove();
        closes();
    };
    open = close;
    dialog.addEventListener('cancel', (event) => {
        event.preventDefault();
        close();
    });
    dialog.addEventListener('pointerdown', (event) => {
        if (event.target === dialog) close();
    });
    document.body.append(dialog);
    dialog.showModal();
    return close;
}

export function isDialogOpen(): boolean {
    return open !== null;
}
