// Changes of numbers beside the view: those of one number, one after another, make one entry of the history, such as
// while it is dragged.

import type { App } from '../app/app';
import type { RecipeTool } from '../core/protocol';
import type { Panel } from './panel';

export function changesOf(app: App, panel: Panel): (label: string, tools: RecipeTool[]) => void {
    let stroke = 0;
    let last = '';
    panel.element.addEventListener('pointerdown', () => {
        stroke = 0;
    }, { capture: true });
    return (label, tools) => {
        if (!stroke || label !== last) {
            stroke = app.newStroke();
            last = label;
        }
        void app.run(label, tools, stroke);
    };
}
