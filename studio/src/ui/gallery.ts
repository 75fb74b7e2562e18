// The built-in scenes as cards; also what is seen before there is any work.

import type { App } from '../app/app';
import { openPicked } from '../app/open';
import { el, setText } from './element';
import { icon } from './icons';
import { pictureOf } from './thumbnails';

export function createGallery(app: App): HTMLElement {
    const close = el('button', {
        type: 'button', class: 'close', 'data-action': 'gallery.close', 'aria-label': 'Close', 'data-tip': 'Back.',
        'data-key': 'Esc', onclick: () => app.showGallery(false),
    }, icon('close'));
    const title = el('h1');
    const cards = el('div', { class: 'cards' });
    const gallery = el('section', { class: 'gallery', 'data-panel': 'gallery' },
        el('div', { class: 'head' }, title, close), cards);

    const build = () => {
        cards.replaceChildren(
            el('button', { type: 'button', class: 'card invite', 'data-action': 'gallery.open',
                onclick: () => void openPicked(app) },
                el('div', { class: 'picture' }, icon('open', 34)),
                el('div', { class: 'words' }, el('strong', {}, 'Open a mesh'),
                    el('span', {}, 'Drop .glb, .gltf, .obj, a model or a scene anywhere, or click to choose.'))),
            ...app.state.scenes.map(({ name, title: words }) => el('button', {
                type: 'button', class: 'card', 'data-scene': name, onclick: () => void app.play(name),
            }, el('div', { class: 'picture' }, pictureOf(name)),
            el('div', { class: 'words' }, el('strong', {}, name.replaceAll('_', ' ')), el('span', {}, words)))));
    };
    const refresh = () => {
        if (!app.isGalleryShown) gallery.scrollTop = 0;
        gallery.hidden = !app.isGalleryShown;
        const empty = app.state.mode === 'empty';
        close.hidden = empty;
        setText(title, empty ? 'Open a mesh, or play a scene' : 'Scenes');
        if (app.isGalleryShown && !cards.children.length) build();
    };
    app.galleryToggled.on(refresh);
    app.session.changed.on(refresh);
    refresh();
    return gallery;
}
