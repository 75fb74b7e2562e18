// That something goes on: a line at once, and how far it has come, with a way out, when it takes longer.

import type { App } from '../app/app';
import { SLOW } from '../app/session';
import { el } from './element';
import { button } from './panel';

const LONG = 500; // ms

export function createBusy(app: App): HTMLElement[] {
    const line = el('div', { class: 'busy', hidden: true });
    const cancel = button({
        action: 'busy.cancel', label: 'Cancel', tip: 'Gives it up; your work is as it was before.',
        click: () => void app.session.cancel(),
    });
    const bar = el('progress', { max: 1, 'aria-label': 'How much is done' });
    const percent = el('span', { class: 'percent' });
    const words = el('div', { class: 'working', role: 'status', hidden: true },
        el('span', {}, 'Working…'), bar, percent, cancel);
    app.session.progress.on((part) => {
        bar.value = part;
        percent.textContent = `${Math.floor(100 * part)} %`;
    });
    let timer = 0;
    app.session.busy.on((on) => {
        line.hidden = !on;
        if (!on) {
            window.clearTimeout(timer);
            timer = 0;
            words.hidden = true;
        }
        if (on) timer ||= window.setTimeout(() => {
            cancel.hidden = !app.session.canCancel;
            words.hidden = false;
        }, LONG - SLOW);
    });
    return [line, words];
}
