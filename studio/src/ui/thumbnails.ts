// A small picture for each built-in scene. tools/pictures/thumbnails.mjs draws them with the Studio itself.

import { el } from './element';

const files = import.meta.glob<string>('./thumbnails/*.webp', { eager: true, query: '?inline', import: 'default' });

export function pictureOf(name: string): HTMLElement {
    const source = files[`./thumbnails/${name}.webp`];
    if (source) return el('img', { src: source, alt: '', draggable: 'false' });
    // A scene without one gets a colour of its own.
    let hue = 0;
    for (const letter of name) hue = (hue * 31 + letter.charCodeAt(0)) % 360;
    return el('div', { class: 'plain', style: `--hue: ${hue}` }, name.charAt(0).toUpperCase());
}
