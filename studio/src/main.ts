// The page. `?light` draws plainly, for slow machines; `?core=page` keeps the core on the page's own thread.

import './style/base.css';
import './style/frame.css';
import './style/inspector.css';
import './style/gallery.css';
import './style/overlays.css';

import { App } from './app/app';
import { startDropping } from './app/open';
import { Pointer } from './app/pointer';
import { startShortcuts } from './app/shortcuts';
import { startAutosave } from './keep/autosave';
import { createBusy } from './ui/busy';
import { el } from './ui/element';
import { createGallery } from './ui/gallery';
import { showHint } from './ui/hint';
import { createInspector } from './ui/inspector';
import { createPlaybar } from './ui/playbar';
import { createSizeQuestion } from './ui/size';
import { createStatus } from './ui/status';
import { createStrip } from './ui/strip';
import { startToasts, toast } from './ui/toast';
import { startTooltips } from './ui/tooltip';
import { createTopbar } from './ui/topbar';
import { createViewport } from './view/viewport';

async function start(): Promise<App> {
    const query = new URLSearchParams(location.search);
    const stage = el('main', { class: 'stage' });
    document.body.append(stage);
    startToasts(document.body);
    startAutosave((message) => toast(message, 'error'));
    const view = createViewport(stage, query.has('light'));
    view.onLost(
        () => toast('The graphics card was lost. Your work is safe; the picture comes back as soon as the card does.',
            'error'),
        () => toast('The picture is back.'));
    const app = await App.start(view, query.get('core') === 'page' ? 'page' : 'worker');

    app.session.failed.on((message) => toast(message, 'error'));
    app.session.noted.on((message) => toast(message));
    await app.restore();
    stage.append(...createBusy(app), createPlaybar(app), createSizeQuestion(app));
    document.body.prepend(createTopbar(app), createStrip(app));
    const gallery = createGallery(app);
    document.body.append(createInspector(app), createStatus(app), gallery);
    const pointer = new Pointer(app, view.element);
    app.loop.framed.on(() => pointer.showGrip());
    startShortcuts(app, pointer);
    startDropping(app, document.body);
    startTooltips();
    showHint(app, stage, gallery);
    app.loop.start();
    return app;
}

// For tests: everything that the page is made of, and whether it has begun.
interface StudioWindow {
    studio: { ready: Promise<void>; app: App | null };
}

const studio: StudioWindow['studio'] & Record<string, unknown> = { app: null, ready: Promise.resolve() };
studio.ready = start().then((app) => {
    studio.app = app;
    Object.defineProperties(studio, {
        engine: { get: () => app.session.engine },
        state: { get: () => app.state },
        isIdle: { get: () => app.session.isIdle },
        view: { get: () => app.view },
        loop: { get: () => app.loop },
    });
    document.body.dataset['ready'] = 'true';
}).catch((error: unknown) => {
    console.error(error);
    document.body.append(el('p', { class: 'fatal' }, `The Studio cannot start here: ${(error as Error).message}`));
});
(window as unknown as StudioWindow).studio = studio;
