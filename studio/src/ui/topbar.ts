// The bar above: where work comes from and goes to.

import type { App } from '../app/app';
import { openPicked } from '../app/open';
import { el, setClass, setText } from './element';
import { exportMenu } from './exportmenu';
import { toggleHelp } from './help';
import { icon } from './icons';
import { button } from './panel';

// What the button to simulate says.
const SIMULATE = {
    start: { label: 'Simulate', tip: 'Lets the model move; stopping returns to the authored state.' },
    lacks: { label: 'Simulate', tip: 'Needs particles: spray some, or press A.' },
    stop: { label: 'Stop', tip: 'Stops, and returns to the authored state.' },
    close: { label: 'Close scene', tip: 'Closes the scene, back to your document.' },
};

export function createTopbar(app: App): HTMLElement {
    const gallery = button({
        action: 'gallery', label: 'Gallery', icon: 'gallery', tip: 'Built-in scenes to play with.',
        click: () => app.showGallery(!app.isGalleryShown || app.state.mode === 'empty'),
    });
    const open = button({
        action: 'open', label: 'Open', icon: 'open', key: 'Ctrl+O', click: () => void openPicked(app),
        tip: 'Opens a mesh (.glb, .gltf, .obj), a model or a scene; files can be dropped anywhere, too.',
    });
    const undo = button({
        action: 'undo', label: '', icon: 'undo', tip: 'Takes the last change back.', key: 'Ctrl+Z',
        click: () => void app.undo(),
    });
    const redo = button({
        action: 'redo', label: '', icon: 'redo', tip: 'Does again what was taken back.', key: 'Ctrl+Shift+Z',
        click: () => void app.redo(),
    });
    const name = el('div', { class: 'document' });
    const simulate = button({
        action: 'simulate', label: 'Simulate', icon: 'play', tip: SIMULATE.start.tip, key: 'Space', primary: true,
        click: () => void (app.state.mode === 'play' ? app.stop() : app.simulate()),
    });
    const help = button({
        action: 'help', label: '', icon: 'help', tip: 'Shortcuts, and how to begin.', key: '?', click: toggleHelp,
    });
    const bar = el('header', { class: 'topbar' },
        el('div', { class: 'name' }, mark(), 'Pliant Studio'),
        gallery, open, el('div', { class: 'gap' }), undo, redo, name,
        el('div', { class: 'spring' }), simulate, exportMenu(app), help);

    let label = '';
    const refresh = () => {
        const { mode, history, document, stage } = app.state;
        const playing = mode === 'play';
        const own = !playing || stage?.source === 'document';
        const lacks = mode === 'author' && !document?.particles;
        const { labels, position } = history;
        undo.disabled = !own || position === 0;
        redo.disabled = !own || position === labels.length;
        undo.dataset['tip'] = undo.disabled ? 'Takes the last change back.' : `Takes back: ${labels[position - 1]}`;
        redo.dataset['tip'] = redo.disabled ? 'Does again what was taken back.' : `Does again: ${labels[position]}`;
        setText(name, playing ? stage?.title || stage?.name || '' : document?.name ?? '');

        const now = SIMULATE[playing ? (own ? 'stop' : 'close') : lacks ? 'lacks' : 'start'];
        simulate.disabled = mode === 'empty' || lacks;
        simulate.dataset['tip'] = now.tip;
        setClass(simulate, 'stops', playing);
        if (now.label !== label) {
            label = now.label;
            simulate.replaceChildren(icon(playing ? 'stop' : 'play', 16), el('span', {}, label));
        }
    };
    app.session.changed.on(refresh);
    app.galleryToggled.on((on) => setClass(gallery, 'on', on));
    refresh();
    return bar;
}

// Three ellipsoids that hang together.
function mark(): SVGSVGElement {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('width', '22');
    svg.setAttribute('height', '22');
    svg.innerHTML = '<path d="M6 17.500L11 7M11 7l8 8.5" stroke="var(--line-strong)" stroke-width="1.5"/>' +
        '<ellipse cx="6" cy="17" rx="4.2" ry="3" transform="rotate(-40 6 17)" fill="#7fb8a8"/>' +
        '<ellipse cx="11.5" cy="7" rx="4.8" ry="3.4" transform="rotate(12 11.5 7)" fill="#e3b873"/>' +
        '<ellipse cx="18.5" cy="16" rx="4" ry="2.8" transform="rotate(48 18.5 16)" fill="#d9816a"/>';
    return svg;
}
