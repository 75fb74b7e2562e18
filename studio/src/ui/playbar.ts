// What is pressed while a scene plays, below it.

import type { App } from '../app/app';
import { el, setClass, setText } from './element';
import { icon } from './icons';
import { button } from './panel';

const SPEEDS = [{ speed: 1, label: '1' }, { speed: 0.5, label: '½' }, { speed: 0.25, label: '¼' },
    { speed: 0.1, label: '⅒' }];

export function createPlaybar(app: App): HTMLElement {
    const play = button({
        action: 'play', label: '', icon: 'play', tip: 'Plays or pauses.', key: 'K',
        click: () => app.loop.run(!app.loop.isRunning),
    });
    const step = button({
        action: 'step', label: '', icon: 'step', tip: 'One step of 1/60 s.', key: '.', click: () => app.loop.step(),
    });
    const reset = button({
        action: 'reset', label: '', icon: 'reset', tip: 'Back to how the scene began.', key: 'R',
        click: () => void app.reset(),
    });
    const speeds = SPEEDS.map(({ speed, label }) => el('button', {
        type: 'button', 'data-speed': speed,
        'data-tip': speed === 1 ? 'Real time.' : `Slow motion: time goes at ${label} of its speed.`,
        onclick: () => {
            app.loop.speed = speed;
            refresh();
        },
    }, label));
    const inside = button({
        action: 'inside', label: '', icon: 'inside', tip: 'Looks at the particles inside a faint mesh, and back.',
        key: 'I', click: () => app.toggleInside(),
    });
    const time = el('span', { class: 'time', 'data-status': 'time' });
    const edit = button({
        action: 'edit', label: 'Edit this model', icon: 'edit', click: () => void app.edit(app.grabbed),
        tip: 'Makes the mesh and model of the body that was grabbed last, or of the first, your document.',
    });
    const keep = button({
        action: 'keep', label: 'Keep shape', icon: 'keep', click: () => void app.session.command('keep', {}),
        tip: 'Takes the shape the body has been bent into as its new rest shape.',
    });
    const bar = el('div', { class: 'playbar', 'data-panel': 'play' },
        play, step, reset, el('div', { class: 'segments' }, ...speeds), inside, time, keep, edit);

    const refresh = () => {
        const { mode, stage } = app.state;
        bar.hidden = mode !== 'play' || app.isGalleryShown;
        for (const item of speeds) setClass(item, 'on', Number(item.dataset['speed']) === app.loop.speed);
        play.replaceChildren(icon(app.loop.isRunning ? 'pause' : 'play', 18));
        setClass(play, 'on', app.loop.isRunning);
        setClass(inside, 'on', app.shown.ellipsoids.shown);
        keep.hidden = !(stage?.source === 'document' && stage.isPlastic);
        edit.hidden = stage?.source === 'document' || !stage?.bodies.length;
    };
    app.session.changed.on(refresh);
    app.loop.toggled.on(refresh);
    app.galleryToggled.on(refresh);
    app.viewChanged.on(refresh);
    app.loop.framed.on((frame) => setText(time, `${frame.time.toFixed(2)} s`));
    refresh();
    return bar;
}
