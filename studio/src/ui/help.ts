// The sheet of shortcuts.

import { TOOLS } from '../tools';
import { PRESETS } from '../app/views';
import { isDialogOpen, showDialog } from './dialog';
import { el } from './element';

const GENERAL: [string, string][] = [
    ['Space', 'Simulate, and stop'], ['K', 'Pause and go on'], ['.', 'One step'], ['R', 'Back to the beginning'],
    ['I', 'Look inside what plays, and back'],
    ['Ctrl+Z', 'Undo'], ['Ctrl+Shift+Z', 'Redo'], ['Ctrl+O', 'Open'], ['Ctrl+S', 'Save the model'],
    ['Enter', 'Do what the tool’s button does'], ['Home', 'Frame all'], ['Esc', 'Close, stop, select nothing'],
    ['?', 'This sheet'],
];

const MOUSE: [string, string][] = [
    ['Left', 'Use the tool on the object; orbit beside it'], ['Alt + Left', 'Orbit anywhere'],
    ['Right', 'Orbit; pan while playing'], ['Middle', 'Pan'], ['Wheel', 'Zoom'],
    ['Shift', 'Erase, subtract, cut'], ['Ctrl', 'Add to the selection'], ['[ and ]', 'Brush radius'],
];

const SELECTION: [string, string][] = [
    ['Q', 'Vertices or particles'], ['Ctrl+A', 'All'], ['Ctrl+D', 'None'], ['Ctrl+I', 'Invert'],
    ['+ and −', 'Grow, shrink'], ['Del', 'Delete selected particles'],
];

function table(title: string, rows: [string, string][]): HTMLElement {
    return el('section', {}, el('h3', {}, title),
        ...rows.map(([keys, what]) => el('div', { class: 'shortcut' }, el('kbd', {}, keys), el('span', {}, what))));
}

const ABOUT = 'From a mesh to a model that moves: open a mesh, press A, or spray particles, connect them, fit their ' +
    'ellipsoids and bind the mesh; then simulate and export. Everything can be undone, and a reload loses nothing.';

let close: (() => void) | null = null;

export function toggleHelp(): void {
    if (close) {
        close();
        return;
    }
    if (isDialogOpen()) return;
    close = showDialog('help', 'Help', [
        el('p', { class: 'about' }, ABOUT),
        el('div', { class: 'columns' },
            table('General', GENERAL), table('Mouse', MOUSE),
            table('Tools', TOOLS.map((tool) => [tool.key, tool.title])),
            el('div', {}, table('Views', PRESETS.map((preset, index) => [String(index + 1), preset.label])),
                table('Selection', SELECTION))),
    ], () => {
        close = null;
    });
}
