// Our icons: strokes in a square of 20 units. Paths only; colour and size come from the style.

const paths = {
    // Tools
    select: '<path d="M4 3l5.2 13 1.9-5.4 5.4-1.9z"/>',
    spray: '<path d="M8 8.5h5a1 1 0 011 1V17H7V9.5a1 1 0 011-1zM9 8.5V6h3v2.5"/>' +
        '<path d="M6 4.2h.01M3.5 2.8h.01M3.5 5.6h.01M6 7h.01M1.8 4.2h.01" stroke-width="2"/>',
    fill: '<path d="M10 2.5l6.5 3.7v7.6L10 17.5l-6.5-3.7V6.2z"/>' +
        '<path d="M7 8h.01M10 8h.01M13 8h.01M7 11h.01M10 11h.01M13 11h.01M10 14h.01" stroke-width="2"/>',
    particle: '<ellipse cx="8.5" cy="11" rx="6" ry="4.2" transform="rotate(-32 8.5 11)"/><path d="M15.5 2.5v5M13 5h5"/>',
    edges: '<circle cx="4.5" cy="14.5" r="2"/><circle cx="15.5" cy="14" r="2"/><circle cx="10" cy="4.5" r="2"/>' +
        '<path d="M5.5 12.7l3.5-6.4M11 6.3l3.6 5.9M6.5 14.5l7-.4"/>',
    fit: '<ellipse cx="10" cy="10" rx="7.2" ry="4" transform="rotate(-28 10 10)"/>' +
        '<path d="M3.8 13.3L16.2 6.7M8.1 6.5l3.8 7" stroke-dasharray="1.5 2"/>',
    paint: '<path d="M16.8 3.2c-3.4 1.2-6.8 4-8.6 7l1.9 1.9c3-1.8 5.6-5.2 6.7-8.9z"/>' +
        '<path d="M7.4 11c-2 .2-2.6 1.4-2.8 2.9-.1 1.2-.7 1.9-1.8 2.3 2.7 1 6.3.4 6.5-3.3"/>',
    groups: '<path d="M10 2.500c4.6 0 7.5 2.6 7.5 7s-3.2 8-7.5 8-7.5-3.4-7.5-7.8 2.9-7.2 7.5-7.200z" stroke-dasharray="2.4 2"/>' +
        '<circle cx="7.5" cy="8" r="1.5"/><circle cx="12.7" cy="8.5" r="1.5"/><circle cx="9.7" cy="13" r="1.5"/>',
    bind: '<path d="M3 15.500l4.5-11 5 2.5 4.5 8.500z"/><path d="M7.5 4.500l2 6.5 7.5 4.500M3 15.500l6.5-4.5 3-4"/>',
    slice: '<path d="M3 14.500c2-1.5 3.5-1.5 5 0s3.5 1.5 5 0 2.7-1.4 4-.7M3 10c2-1.5 3.5-1.5 5 0s3.5 1.5 5 0 2.7-1.4 4-.7M3 5.500C5 4 6.5 4 8 5.500s3.5 1.5 5 0 2.7-1.4 4-.7"/>',
    mass: '<path d="M5.5 8h9l2 9h-13z"/><circle cx="10" cy="5" r="2.5"/>',
    mirror: '<path d="M10 2v16" stroke-dasharray="2 2"/><path d="M7.5 5.500v9l-5 1.500zM12.5 5.500v9l5 1.500z"/>',
    auto: '<path d="M3.5 16.500l8-8M13 7l1-1M9.5 2.500l.6 1.9 1.9.6-1.9.6-.6 1.9-.6-1.900L7 5l1.9-.6zM15.5 9.500l.5 1.5 1.5.5-1.5.5-.5 1.5-.5-1.5-1.5-.5 1.5-.5z"/>',
    // Actions
    gallery: '<rect x="3" y="3" width="6" height="6" rx="1"/><rect x="11" y="3" width="6" height="6" rx="1"/>' +
        '<rect x="3" y="11" width="6" height="6" rx="1"/><rect x="11" y="11" width="6" height="6" rx="1"/>',
    open: '<path d="M2.5 15.500v-11h5l1.5 2h6v2.500M2.5 15.500l2.5-6.500h12.500L15 15.500z"/>',
    undo: '<path d="M7 4L3.5 7.5 7 11M3.5 7.500H12a4.3 4.3 0 010 8.500H8"/>',
    redo: '<path d="M13 4l3.5 3.500L13 11M16.5 7.500H8A4.3 4.3 0 008 16h4"/>',
    play: '<path d="M6 3.500v13l10-6.500z" fill="currentColor"/>',
    pause: '<path d="M6.5 4v12M13.5 4v12" stroke-width="3"/>',
    stop: '<rect x="5" y="5" width="10" height="10" rx="1" fill="currentColor"/>',
    step: '<path d="M5 4v12l8-6z" fill="currentColor"/><path d="M15.5 4v12" stroke-width="2"/>',
    reset: '<path d="M4 10a6 6 0 101.8-4.300L3.5 8M3.5 3.500V8H8"/>',
    export: '<path d="M10 12.500V3M6.5 6L10 2.5 13.5 6M3.5 11v5.500h13V11"/>',
    help: '<circle cx="10" cy="10" r="7.5"/><path d="M7.7 7.800a2.3 2.3 0 114 1.600c-.9.7-1.7 1.2-1.7 2.300M10 14.300h.01"/>',
    close: '<path d="M5 5l10 10M15 5L5 15"/>',
    edit: '<path d="M3.5 16.500l.8-3.600L13.5 3.700l2.8 2.8-9.2 9.200z"/>',
    trash: '<path d="M4 5.500h12M8 5.500V3.500h4v2M5.5 5.500l.7 11h7.600l.7-11M8.5 8.500v5M11.5 8.500v5"/>',
    frame: '<path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4"/><circle cx="10" cy="10" r="2.5"/>',
    keep: '<path d="M4 10.500l4 4 8-9"/>',
    chevron: '<path d="M5.5 8l4.5 4.500L14.5 8"/>',
    inside: '<path d="M1.8 10c4.500-6.500 11.900-6.500 16.400 0-4.500 6.500-11.900 6.500-16.400 0z"/><circle cx="10" cy="10" r="2.6"/>',
    camera: '<path d="M2.5 6.500h3.500l1.5-2h5l1.5 2h3.500v9.500h-15z"/><circle cx="10" cy="11" r="3"/>',
    film: '<rect x="2.5" y="4.5" width="15" height="11" rx="1"/><path d="M6 4.500v11M14 4.500v11M2.5 10H6M14 10h3.5"/>',
    file: '<path d="M5 2.500h6.500L15 6v11.500H5zM11.5 2.500V6H15"/>',
} as const;

export type Icon = keyof typeof paths;

export function icon(name: Icon, size = 20): SVGSVGElement {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const attributes: Record<string, string> = {
        viewBox: '0 0 20 20', width: String(size), height: String(size), fill: 'none', stroke: 'currentColor',
        'stroke-width': '1.4', 'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': 'true',
    };
    for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
    svg.innerHTML = paths[name];
    return svg;
}
