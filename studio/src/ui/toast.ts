// Messages that come and go and take nothing with them.

import { el } from './element';
import { icon } from './icons';

const QUIET = 5000; // ms
const LOUD = 12000;
const MOST = 4;

let box: HTMLElement | null = null;

export function startToasts(parent: HTMLElement): void {
    box = el('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
    parent.append(box);
}

export function toast(text: string, kind: 'error' | 'note' = 'note'): void {
    if (!box) return;
    for (const old of box.querySelectorAll<HTMLElement>('.toast')) if (old.dataset['text'] === text) old.remove();
    const element = el('div', { class: `toast ${kind}`, 'data-toast': kind, 'data-text': text },
        el('p', {}, text),
        el('button', { type: 'button', 'data-action': 'toast.close', 'aria-label': 'Close', onclick: () => leave() },
            icon('close', 14)));
    const leave = () => {
        element.classList.add('leaves');
        window.setTimeout(() => element.remove(), 200);
    };
    box.append(element);
    while (box.children.length > MOST) box.firstElementChild?.remove();
    window.setTimeout(leave, kind === 'error' ? LOUD : QUIET);
}
