// The menu of all that can be saved, and the sheet for bakes.

import type { App } from '../app/app';
import { bakeLast, bakeNext, exportFile, exportPicture, exportScene, isFilming, toggleFilm } from '../app/exports';
import { showDialog } from './dialog';
import { el, setText } from './element';
import { icon, type Icon } from './icons';
import { button, Panel } from './panel';

interface Item {
    action: string;
    label: string;
    about: string;
    icon: Icon;
    enabled: (app: App) => boolean;
    click: (app: App) => void;
}

const hasModel = (app: App) => (app.document?.particles ?? 0) > 0;
const showsModel = (app: App) => hasModel(app) && app.isDocumentShown;
const isPlaying = (app: App) => app.state.mode === 'play';

const ITEMS: (Item | null)[] = [
    {
        action: 'export.model', label: 'Model', about: '.glb', icon: 'file', enabled: showsModel,
        click: (app) => void exportFile(app, 'model'),
    },
    {
        action: 'export.blob', label: 'Model for the library', about: '.pliant', icon: 'file', enabled: showsModel,
        click: (app) => void exportFile(app, 'blob'),
    },
    {
        action: 'export.mesh', label: 'Mesh only', about: '.glb', icon: 'file',
        enabled: (app) => app.document !== null && app.isDocumentShown, click: (app) => void exportFile(app, 'mesh'),
    },
    {
        action: 'export.scene', label: 'Scene with its models', about: '.json', icon: 'file',
        enabled: (app) => isPlaying(app) || hasModel(app), click: (app) => void exportScene(app),
    },
    null,
    {
        action: 'export.bake', label: 'Baked animation…', about: '.glb', icon: 'film',
        enabled: (app) => isPlaying(app) || hasModel(app), click: (app) => void showBake(app),
    },
    {
        action: 'export.picture', label: 'Picture of the view', about: '.png', icon: 'camera',
        enabled: (app) => app.state.mode !== 'empty', click: (app) => void exportPicture(app),
    },
    {
        action: 'export.film', label: 'Film of the run', about: '.webm', icon: 'film',
        enabled: (app) => isPlaying(app) || hasModel(app), click: (app) => void toggleFilm(app),
    },
];

export function exportMenu(app: App): HTMLElement {
    const list = el('div', { class: 'menu', role: 'menu', hidden: true });
    const opener = button({
        action: 'export', label: 'Export', icon: 'export', tip: 'Saves models, scenes, bakes, pictures and films.',
        key: 'Ctrl+S', click: () => toggle(Boolean(list.hidden)),
    });
    const stop = button({
        action: 'export.film.stop', label: 'Stop recording', icon: 'stop', tip: 'Ends the film and saves it.',
        danger: true,
        click: () => void toggleFilm(app).then(refresh),
    });
    const items = ITEMS.map((item) => item ? el('button', {
        type: 'button', role: 'menuitem', 'data-action': item.action,
        onclick: () => {
            toggle(false);
            item.click(app);
            refresh();
        },
    }, icon(item.icon, 16), el('span', {}, item.label), el('span', { class: 'ending' }, item.about)) : el('hr'));
    list.append(...items);

    const refresh = () => {
        stop.hidden = !isFilming();
        items.forEach((element, index) => {
            const item = ITEMS[index];
            if (item) (element as HTMLButtonElement).disabled = !item.enabled(app);
        });
        const film = items.find((element) => element.dataset['action'] === 'export.film');
        if (film) (film as HTMLButtonElement).disabled ||= isFilming();
    };
    const toggle = (on: boolean) => {
        list.hidden = !on;
        refresh();
    };
    document.addEventListener('pointerdown', (event) => {
        if (!holder.contains(event.target as Node)) toggle(false);
    }, { capture: true });
    document.addEventListener('keydown', (event) => {
        if (event.key === 'Escape') toggle(false);
    });
    const holder = el('div', { class: 'opener' }, stop, opener, list);
    app.session.changed.on(refresh);
    refresh();
    return holder;
}

async function showBake(app: App): Promise<void> {
    // How much was recorded only the core knows.
    if (app.state.mode === 'play') await app.session.refresh();
    const recorded = app.state.mode === 'play' ? app.state.stage?.recorded ?? 0 : 0;
    const form: { which: 'last' | 'next'; seconds: number } = {
        which: recorded > 0.5 ? 'last' : 'next',
        seconds: recorded > 0.5 ? Math.min(Math.floor(recorded * 10) / 10, 5) : 5,
    };
    const panel = new Panel();
    panel.text(() => 'A GLB whose joints are the particles: any glTF viewer and every engine plays it.', 'about');
    panel.choice({
        id: 'bake.which', label: 'Seconds', tip: 'Whether what was shown is saved, or what comes now.',
        choices: [
            { value: 'last', label: recorded ? `Last (${recorded.toFixed(1)} s recorded)` : 'Last' },
            { value: 'next', label: 'Next' },
        ],
        get: () => form.which, set: (which: 'last' | 'next') => {
            form.which = recorded > 0 ? which : 'next';
        },
    });
    panel.number({
        id: 'bake.seconds', label: 'Length', tip: 'How long the animation is.', minimum: 0.5, maximum: 20,
        lowest: 1 / 60,
        highest: 600, unit: 's', get: () => form.seconds, set: (seconds) => {
            form.seconds = seconds;
        },
    });
    const fill = el('div', { class: 'fill' });
    const progress = el('div', { class: 'progress', role: 'progressbar', hidden: true }, fill);
    const words = el('p', { class: 'note', hidden: true });
    let cancelled = false;
    let works = false;
    const start = button({
        action: 'bake.start', label: 'Bake', tip: 'Makes the file.', primary: true,
        click: async () => {
            if (works) return;
            works = true;
            start.disabled = true;
            progress.hidden = words.hidden = false;
            const done = form.which === 'last' ? await bakeLast(app, Math.min(form.seconds, recorded))
                : await bakeNext(app, form.seconds, (part) => {
                    fill.style.width = `${part * 100}%`;
                    progress.setAttribute('aria-valuenow', String(Math.round(part * 100)));
                    setText(words, part < 1
                        ? `${(part * form.seconds).toFixed(1)} of ${form.seconds} s` : 'Writing the file…');
                    return !cancelled;
                });
            works = false;
            if (done || cancelled) close();
            start.disabled = false;
            progress.hidden = words.hidden = true;
        },
    });
    const cancel = button({ action: 'bake.cancel', label: 'Cancel', tip: 'Leaves everything as it was.',
        click: () => close() });
    const close = showDialog('bake', 'Bake', [
        panel.element, progress, words, el('div', { class: 'foot' }, cancel, start),
    ], () => {
        cancelled = true;
    });
}
