// One tooltip for the page: elements say theirs in data-tip, and a key in data-key.

import { el, clear } from './element';

const DELAY = 450; // ms
const GAP = 8; // px

export function startTooltips(): void {
    const tip = el('div', { class: 'tip', role: 'tooltip' });
    document.body.append(tip);
    let timer = 0;
    let owner: Element | null = null;
    let place = { x: -1, y: -1 }; // of the pointer

    // Whether something came to lie under a pointer that rests: nobody has asked what that is.
    const isStill = ({ clientX: x, clientY: y }: PointerEvent) => x === place.x && y === place.y;
    const hide = () => {
        window.clearTimeout(timer);
        tip.classList.remove('shown');
        owner = null;
    };
    const show = (target: HTMLElement) => {
        clear(tip, target.dataset['tip'] ?? '',
            target.dataset['key'] ? el('kbd', {}, target.dataset['key']) : null);
        tip.classList.add('shown');
        const box = target.getBoundingClientRect();
        const size = tip.getBoundingClientRect();
        // Beside the panels at the left and the right, so that what is there stays visible; else below.
        const strip = target.closest('.strip')?.getBoundingClientRect();
        const inspector = target.closest('.inspector')?.getBoundingClientRect();
        const middle = box.top + box.height / 2 - size.height / 2;
        let left = strip ? strip.right + GAP : inspector ? inspector.left - size.width - GAP
            : box.left + box.width / 2 - size.width / 2;
        let top = strip || inspector ? Math.max(GAP,
            Math.min(middle, innerHeight - size.height - GAP)) : box.bottom + GAP;
        if (top + size.height > innerHeight - GAP) top = box.top - size.height - GAP;
        left = Math.max(GAP, Math.min(left, innerWidth - size.width - GAP));
        tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    };
    document.addEventListener('pointerover', (event) => {
        const target = (event.target as Element).closest?.<HTMLElement>('[data-tip]') ?? null;
        if (target === owner) return;
        hide();
        if (!target || event.buttons || isStill(event)) return;
        owner = target;
        timer = window.setTimeout(() => target.isConnected && show(target), DELAY);
    });
    document.addEventListener('pointermove', ({ clientX: x, clientY: y }) => {
        place = { x, y };
    }, { capture: true, passive: true });
    for (const event of ['pointerdown', 'keydown', 'wheel', 'blur'] as const) {
        window.addEventListener(event, hide, { capture: true, passive: true });
    }
}
