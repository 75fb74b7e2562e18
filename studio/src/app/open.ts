// Files that come to the page, picked or dropped.

import { droppedFiles, leftOut, openFiles, pickFiles, type NamedFile } from '../keep/files';
import { el } from '../ui/element';
import { icon } from '../ui/icons';
import type { App } from './app';

const OPENING_PART = 0.3; // of the time until there is a model, too

async function open(app: App, files: NamedFile[]): Promise<void> {
    if (!files.length) return;
    app.loop.run(false);
    await app.session.whole(async (enter) => {
        enter(0, OPENING_PART);
        await openAndAutomate(app, files, () => enter(OPENING_PART, 1));
    });
}

// A mesh without a model gets one.
async function openAndAutomate(app: App, files: NamedFile[], halfway: () => void): Promise<void> {
    const state = await app.session.change((engine) => openFiles(engine, files));
    if (!state) {
        // What played goes on.
        if (app.state.mode === 'play') app.loop.run(true);
        return;
    }
    const others = leftOut(files);
    if (others.length) {
        const which = others.length === 1 ? `${others[0]} was` : `${others.length} others were`;
        app.session.noted.emit(`One thing is opened at a time: ${which} left out.`);
    }
    app.showGallery(false);
    if (state.mode === 'play') {
        app.loop.speed = 1;
        app.startPlaying();
        return;
    }
    if (state.document) app.opened.emit(state.document);
    if (state.document?.particles) return;
    halfway();
    await app.automate();
}

export async function openPicked(app: App): Promise<void> {
    await open(app, await pickFiles());
}

// Files can be dropped anywhere; while they hover, the page says so.
export function startDropping(app: App, parent: HTMLElement): void {
    const overlay = el('div', { class: 'drop', hidden: true, 'data-panel': 'drop' },
        el('div', {}, icon('open', 40), el('strong', {}, 'Drop to open'),
            el('span', {}, 'A mesh with its files, a model, or a scene')));
    parent.append(overlay);
    let depth = 0;
    const show = (on: boolean) => {
        overlay.hidden = !on;
    };
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    window.addEventListener('dragenter', (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        ++depth;
        show(true);
    });
    window.addEventListener('dragover', (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer!.dropEffect = 'copy';
    });
    window.addEventListener('dragleave', () => {
        depth = Math.max(0, depth - 1);
        if (!depth) show(false);
    });
    window.addEventListener('drop', (event) => {
        event.preventDefault();
        depth = 0;
        show(false);
        if (!event.dataTransfer) return;
        droppedFiles(event.dataTransfer).then((files) => open(app, files)).catch((error) => app.session.fail(error));
    });
}
