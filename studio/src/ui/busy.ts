// That something goes on: a line at once, and words with a way out when it takes longer.

import type { App } from '../app/app';
import { el } from './element';
import { button } from './panel';

const LONG = 900; // ms

export function createBusy(app: App): HTMLElement[] {
    const line = el('div', { class: 'busy', hidden: true });
    const cancel = button({
        action: 'busy.cancel', label: 'Cancel', tip: 'Gives it up; your work is as it was before.',
        click: () => void app.session.cancel(),
    });
    const words = el('div', { class: 'working', role: 'status', hidden: true }, el('span', {}, 'Working…'), cancel);
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
        }, LONG);
    });
    return [line, words];
}
