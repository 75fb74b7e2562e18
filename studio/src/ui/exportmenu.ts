// The menu of all that can be saved, and the sheets for bakes and videos.

import type { App } from '../app/app';
import { bakeLast, bakeNext, exportFile, exportPicture, exportScene, recordVideo } from '../app/exports';
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
        action: 'export.video', label: 'Video…', about: '.webm', icon: 'film',
        enabled: (app) => isPlaying(app) || hasModel(app), click: (app) => showVideo(app),
    },
];

export function exportMenu(app: App): HTMLElement {
    const list = el('div', { class: 'menu', role: 'menu', hidden: true });
    const opener = button({
        action: 'export', label: 'Export', icon: 'export', tip: 'Saves models, scenes, bakes, pictures and videos.',
        key: 'Ctrl+S', click: () => toggle(Boolean(list.hidden)),
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
        items.forEach((element, index) => {
            const item = ITEMS[index];
            if (item) (element as HTMLButtonElement).disabled = !item.enabled(app);
        });
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
    const holder = el('div', { class: 'opener' }, opener, list);
    app.session.changed.on(refresh);
    refresh();
    return holder;
}

const RATES = [24, 25, 30, 60];

interface Timing {
    seconds: number;
    fps: number;
}

// How long, and how many frames a second; usual rates are a click away.
function timingFields(panel: Panel, id: string, form: Timing, highest: () => number): void {
    panel.number({
        id: `${id}.seconds`, label: 'Length', tip: 'How long it is.', minimum: 0.5, maximum: 20, lowest: 1 / 60, highest,
        unit: 's', get: () => form.seconds, set: (seconds) => {
            form.seconds = seconds;
        },
    });
    panel.choice({
        id: `${id}.rate`, label: 'Frame rate', tip: 'Frames a second: 24 for film, 25 and 30 for television, 60 for games.',
        choices: RATES.map((rate) => ({ value: String(rate), label: String(rate) })),
        get: () => String(form.fps), set: (rate) => {
            form.fps = Number(rate);
        },
    });
    panel.number({
        id: `${id}.fps`, label: '', tip: 'Any other number of frames a second.', minimum: 1, maximum: 120, unit: 'fps',
        get: () => form.fps, set: (fps) => {
            form.fps = fps;
            panel.refresh();
        },
    });
}

// A sheet with a button that works for a while, tells how far it is, and can be cancelled.
function showWork(
    id: string, title: string, panel: Panel, label: string, form: Timing,
    work: (goOn: (part: number) => boolean) => Promise<boolean>,
): void {
    const fill = el('div', { class: 'fill' });
    const progress = el('div', { class: 'progress', role: 'progressbar', hidden: true }, fill);
    const words = el('p', { class: 'note', hidden: true });
    let cancelled = false;
    let works = false;
    const goOn = (part: number) => {
        fill.style.width = `${part * 100}%`;
        progress.setAttribute('aria-valuenow', String(Math.round(part * 100)));
        setText(words, part < 1 ? `${(part * form.seconds).toFixed(1)} of ${form.seconds} s` : 'Writing the file…');
        return !cancelled;
    };
    const start = button({
        action: `${id}.start`, label, tip: 'Makes the file.', primary: true,
        click: async () => {
            if (works) return;
            works = true;
            start.disabled = true;
            progress.hidden = words.hidden = false;
            const done = await work(goOn);
            works = false;
            if (done || cancelled) close();
            start.disabled = false;
            progress.hidden = words.hidden = true;
        },
    });
    const cancel = button({ action: `${id}.cancel`, label: 'Cancel', tip: 'Leaves everything as it was.',
        click: () => close() });
    const close = showDialog(id, title, [
        panel.element, progress, words, el('div', { class: 'foot' }, cancel, start),
    ], () => {
        cancelled = true;
    });
}

async function showBake(app: App): Promise<void> {
    // How much was recorded only the core knows.
    if (app.state.mode === 'play') await app.session.refresh();
    const recorded = app.state.mode === 'play' ? app.state.stage?.recorded ?? 0 : 0;
    const hasPlayed = recorded > 0.5;
    const form: Timing & { which: 'last' | 'next' } = {
        which: hasPlayed ? 'last' : 'next', fps: 60,
        seconds: hasPlayed ? Math.min(Math.floor(recorded * 10) / 10, 5) : 5,
    };
    const panel = new Panel();
    panel.text(() => 'A GLB whose joints are the particles: any glTF viewer and every engine plays it.', 'about');
    panel.choice({
        id: 'bake.which', tip: 'Whether what was shown is saved, or what comes now.',
        choices: [
            { value: 'last', label: recorded > 0 ? `What was just played (last ${recorded.toFixed(1)} s)`
                : 'What was just played (nothing yet)', enabled: () => recorded > 0 },
            { value: 'next', label: 'From now on' },
        ],
        get: () => form.which, set: (which: 'last' | 'next') => {
            form.which = which;
            if (which === 'last') form.seconds = Math.min(form.seconds, recorded);
        },
    });
    timingFields(panel, 'bake', form, () => form.which === 'last' ? recorded : 600);
    showWork('bake', 'Bake', panel, 'Bake', form, (goOn) => form.which === 'last'
        ? bakeLast(app, form.seconds, form.fps) : bakeNext(app, form.seconds, form.fps, goOn));
}

function showVideo(app: App): void {
    const form: Timing = { seconds: 5, fps: 30 };
    const panel = new Panel();
    panel.text(() => 'What the view shows from now on, drawn frame by frame: it is as smooth on a slow machine.', 'about');
    timingFields(panel, 'video', form, () => 600);
    showWork('video', 'Video', panel, 'Record', form, (goOn) => recordVideo(app, form.seconds, form.fps, goOn));
}
