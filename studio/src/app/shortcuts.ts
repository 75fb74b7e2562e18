// The keyboard.

import { TOOLS } from '../tools';
import { isDialogOpen } from '../ui/dialog';
import { toggleHelp } from '../ui/help';
import type { App } from './app';
import { exportFile } from './exports';
import { openPicked } from './open';
import type { Pointer } from './pointer';
import { PRESETS } from './views';

function isTyping(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement;
    return target.tagName === 'INPUT' && (target as HTMLInputElement).type === 'text';
}

function isPressable(element: HTMLElement): boolean {
    return ['BUTTON', 'SUMMARY'].includes(element.tagName) ||
        (element.tagName === 'INPUT' && (element as HTMLInputElement).type === 'checkbox');
}

function scaleBrush(app: App, factor: number): void {
    app.changeParameters(() => {
        const radius = app.parameters.brush.radius * factor;
        app.parameters.brush.radius = Number(Math.min(Math.max(radius, app.size / 2000), app.size).toPrecision(3));
    });
}

function saveModel(app: App): void {
    if (!app.isDocumentShown) app.session.noted.emit('What plays is not your document: close the scene to save that.');
    else if (app.document?.particles) void exportFile(app, 'model');
}

function withControl(app: App, event: KeyboardEvent): boolean {
    // Shift with Control and a letter is the browser's, but for redo.
    const author = app.state.mode === 'author' && !event.shiftKey;
    switch (event.key.toLowerCase()) {
        case 'z': void (event.shiftKey ? app.redo() : app.undo()); return true;
        case 'y': void app.redo(); return true;
        case 'o': void openPicked(app); return true;
        case 's': saveModel(app); return true;
        case 'a': if (author) void app.select('set', [{ all: {} }]); return author;
        case 'd': if (author) app.selectNothing(); return author;
        case 'i': if (author) void app.select('set', [{ invert: {} }]); return author;
        default: return false;
    }
}

function escape(app: App): void {
    if (app.isGalleryShown && app.state.mode !== 'empty') app.showGallery(false);
    else if (app.state.mode === 'play') void app.stop();
    else app.selectNothing();
}

function whilePlaying(app: App, key: string): boolean {
    switch (key) {
        case ' ':
            if (app.state.stage?.source === 'document') void app.stop();
            else app.loop.run(!app.loop.isRunning);
            return true;
        case 'k': app.loop.run(!app.loop.isRunning); return true;
        case '.': app.loop.step(); return true;
        case 'r': void app.reset(); return true;
        case 'i': app.toggleInside(); return true;
        default: return false;
    }
}

function whileAuthoring(app: App, key: string): boolean {
    switch (key) {
        case ' ': void app.simulate(); return true;
        case 'enter': void app.apply(app.tool); return true;
        case 'delete': case 'backspace': void app.removeSelected(); return true;
        case '[': scaleBrush(app, 1 / 1.15); return true;
        case ']': scaleBrush(app, 1.15); return true;
        case '+': case '=': void app.select('set', [{ grow: 1 }]); return true;
        case '-': case '_': void app.select('set', [{ grow: -1 }]); return true;
        case 'q':
            app.changeParameters(() => {
                const { select } = app.parameters;
                select.what = select.what === 'vertices' ? 'particles' : 'vertices';
            });
            return true;
    }
    const tool = TOOLS.find((one) => one.key.toLowerCase() === key);
    if (tool?.id === 'auto') void app.automate();
    else if (tool) app.setTool(tool.id);
    return tool !== undefined;
}

function plain(app: App, event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    if (key === '?') {
        toggleHelp();
        return true;
    }
    if (key === 'escape') {
        escape(app);
        return true;
    }
    if (app.state.mode === 'empty' || app.isGalleryShown) return false;
    if (key === 'home') {
        app.frameAll();
        return true;
    }
    const preset = Number(key) - 1;
    if (preset >= 0 && preset < PRESETS.length) {
        app.setPreset(preset);
        return true;
    }
    return app.state.mode === 'play' ? whilePlaying(app, key) : whileAuthoring(app, key);
}

export function startShortcuts(app: App, pointer: Pointer): void {
    document.addEventListener('keydown', (event) => {
        if (event.key === 'Shift') pointer.modifiers(true);
        if (isTyping(event) || event.altKey) return;
        if (isDialogOpen()) {
            if (event.key === '?') toggleHelp();
            return;
        }
        // What has got the focus by the keyboard keeps the keys that press it.
        if ((event.key === 'Enter' || event.key === ' ') && isPressable(event.target as HTMLElement)) return;
        const used = event.ctrlKey || event.metaKey ? withControl(app, event) : plain(app, event);
        if (used) event.preventDefault();
    });
    document.addEventListener('keyup', (event) => {
        if (event.key === 'Shift') pointer.modifiers(false);
    });
    // What is clicked does not keep the focus: Space after a click is the page's.
    document.addEventListener('click', (event) => {
        const focused = document.activeElement as HTMLElement | null;
        if (event.detail > 0 && focused && isPressable(focused)) focused.blur();
    });
}
