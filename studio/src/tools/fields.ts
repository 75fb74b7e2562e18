// Numbers and switches of a tool's panel, by their names in the parameters.

import type { App } from '../app/app';
import type { Choice, Panel } from '../ui/panel';
import type { NumberOptions } from '../ui/number';
import type { Parameters } from './parameters';
import type { Tool } from './tool';

type Values = Record<string, unknown>;

// Numbers of a brush are for the next stroke; those of a button for what it has just done, too.
function redoes(app: App, tool: keyof Parameters, name: string): boolean {
    if (tool === 'brush' || tool === 'paint' || tool === 'select') return false;
    return tool !== 'spray' || ['count', 'by', 'seed'].includes(name) ||
        (name === 'spacing' && app.parameters.spray.by === 'spacing');
}

export class Fields<T extends keyof Parameters> {
    constructor(private readonly app: App, readonly panel: Panel, private readonly of: T) {}

    private get values(): Values {
        return this.app.parameters[this.of] as unknown as Values;
    }

    private set(name: string, value: unknown): void {
        this.app.changeParameters(() => {
            this.values[name] = value;
        }, redoes(this.app, this.of, name));
    }

    // `counts` says whether the number means something now; where it does not, it is not there.
    number(
        name: keyof Parameters[T] & string, label: string, tip: string,
        options: Partial<NumberOptions> & Pick<NumberOptions, 'minimum' | 'maximum'>,
        counts: () => boolean = () => true,
    ): void {
        this.panel.number({
            id: `${this.of}.${name}`, label, tip, ...options,
            get: () => this.values[name] as number, set: (value) => this.set(name, value),
        }, counts);
    }

    // In metres, from fine to the object's size.
    length(name: keyof Parameters[T] & string, label: string, tip: string, counts?: () => boolean): void {
        this.number(name, label, tip, {
            unit: 'm', scale: 'log', minimum: () => this.app.size / 1000, maximum: () => this.app.size,
            lowest: 1e-5, highest: 1e5,
        }, counts);
    }

    // In [0, 1].
    part(name: keyof Parameters[T] & string, label: string, tip: string): void {
        this.number(name, label, tip, { minimum: 0, maximum: 1 });
    }

    whole(name: keyof Parameters[T] & string, label: string, tip: string, minimum: number, maximum: number): void {
        this.number(name, label, tip, { minimum, maximum, whole: true });
    }

    choice<V extends string>(
        name: keyof Parameters[T] & string, label: string, tip: string, choices: Choice<V>[],
    ): void {
        this.panel.choice<V>({
            id: `${this.of}.${name}`, label, tip, choices,
            get: () => this.values[name] as V, set: (value) => this.set(name, value),
        });
    }

    toggle(name: keyof Parameters[T] & string, label: string, tip: string): void {
        this.panel.toggle({
            id: `${this.of}.${name}`, label, tip,
            get: () => this.values[name] as boolean, set: (value) => this.set(name, value),
        });
    }
}

export function brushFields(app: App, panel: Panel, tool: Tool): void {
    const fields = new Fields(app, panel, 'brush');
    fields.length('radius', 'Brush', 'How far around the cursor the brush reaches; [ and ] change it.',
        () => tool.hasBrush(app));
    if (tool.fades) {
        fields.part('falloff', 'Falloff', 'The outer part of the brush over which its effect fades to nothing.');
        fields.part('strength', 'Strength', 'How far one dab moves values towards the new one.');
    }
}

// The button that does what the tool is for, once.
export function applyButton(
    app: App, panel: Panel, tool: Tool, label: () => string, tip: string, enabled = () => true,
): void {
    panel.buttons({
        action: `${tool.id}.apply`, label, tip, primary: true, enabled: () => enabled() && app.state.mode === 'author',
        key: '⏎', click: () => void app.apply(tool),
    });
    panel.text(() => app.isAdjustable ? 'Change a number above to do it over.' : '', 'note quiet');
}
