// Three steps for who is here for the first time.

import type { App } from '../app/app';
import { el, clear } from './element';
import { button } from './panel';

const KEY = 'pliant-studio-hint';

const STEPS: { title: string; text: string }[] = [
    {
        title: 'Play a scene, or open a mesh',
        text: 'Everything in the gallery is live: drag a body to grab and throw it. ' +
            'Drop a .glb or .obj anywhere to begin your own.',
    },
    {
        title: 'Make it a model',
        text: 'A mesh becomes one as you open it; A rebuilds it, with the numbers at the right. ' +
            'Or spray particles, connect, fit and bind them with the tools at the left.',
    },
    {
        title: 'Let it move, take it with you',
        text: 'Space simulates in place and returns to your work. ' +
            'Export gives a model, a baked animation, a picture or a video.',
    },
];

function isDone(): boolean {
    try {
        return localStorage.getItem(KEY) === 'done';
    } catch {
        return false; // a page from disk may have no storage
    }
}

function remember(): void {
    try {
        localStorage.setItem(KEY, 'done');
    } catch {
        // It will be shown again.
    }
}

// How far the work is: of the steps, the one to come.
function stepOf({ mode, document, stage }: App['state']): number {
    if (mode === 'play') return stage?.source === 'document' ? STEPS.length : 0;
    return mode === 'empty' ? 0 : document?.particles ? 2 : 1;
}

// It stands in the corner of the view or, while that is covered by the gallery, above the cards: never on what is clicked.
export function showHint(app: App, stage: HTMLElement, gallery: HTMLElement): void {
    if (isDone()) return;
    let step = Math.min(stepOf(app.state), STEPS.length - 1);
    const card = el('div', { class: 'hintcard', 'data-panel': 'hint' });
    let isOver = false;
    const end = () => {
        if (isOver) return;
        isOver = true;
        remember();
        card.remove();
    };
    const show = () => {
        const { title, text } = STEPS[step]!;
        const isLast = step === STEPS.length - 1;
        clear(card,
            el('div', { class: 'dots' }, ...STEPS.map((_, index) => el('span', { class: index === step ? 'on' : '' }))),
            el('strong', {}, title), el('p', {}, text),
            el('div', { class: 'foot' },
                isLast ? null : button({ action: 'hint.skip', label: 'Skip', tip: 'Closes the hint for good.',
                    click: end }),
                button({
                    action: 'hint.next', label: isLast ? 'Begin' : 'Next',
                    tip: isLast ? 'Closes the hint for good.' : 'The next step.', primary: true,
                    click: () => {
                        if (isLast) return end();
                        ++step;
                        show();
                    },
                })));
    };
    // Who has taken a step does not need to be told of it.
    app.session.changed.on((state) => {
        const reached = stepOf(state);
        if (isOver || reached <= step) return;
        if (reached >= STEPS.length) return end();
        step = reached;
        show();
    });
    document.addEventListener('keydown', ({ key }) => {
        if (key === 'Escape') end();
    });
    const place = (inGallery: boolean) => {
        if (isOver) return;
        if (inGallery) gallery.querySelector('.head')!.after(card);
        else stage.append(card);
    };
    app.galleryToggled.on(place);
    show();
    place(app.isGalleryShown);
}
