// A part of the inspector: rows of controls that look again at what they show when the work has changed.

import { el, clear, setClass, setText, type Child } from './element';
import { icon, type Icon } from './icons';
import { numberField, type NumberOptions } from './number';

export interface ButtonOptions {
    action: string; // data-action
    label: string | (() => string);
    tip: string;
    icon?: Icon;
    key?: string; // the shortcut, for the tooltip
    primary?: boolean;
    danger?: boolean;
    enabled?: () => boolean;
    click: () => void;
}

export interface Choice<T extends string> {
    value: T;
    label: string;
    tip?: string;
    enabled?: () => boolean;
}

export function button(options: ButtonOptions): HTMLButtonElement {
    const label = typeof options.label === 'string' ? options.label : options.label();
    return el('button', {
        type: 'button',
        class: options.primary ? 'primary' : options.danger ? 'danger' : '',
        'data-action': options.action, 'data-tip': options.tip, 'data-key': options.key,
        onclick: options.click,
    }, options.icon ? icon(options.icon, 16) : null, label ? el('span', {}, label) : null);
}

export class Panel {
    readonly element: HTMLElement;
    private readonly live: (() => void)[] = [];

    constructor(private readonly into: HTMLElement = el('div', { class: 'panel' })) {
        this.element = into;
    }

    refresh(): void {
        for (const look of this.live) look();
    }

    add(...children: Child[]): void {
        for (const child of children) if (child) this.into.append(child);
    }

    // Called now and whenever the work has changed.
    watch(look: () => void): void {
        this.live.push(look);
        look();
    }

    title(text: string, about?: string): void {
        this.add(el('h2', {}, text), about ? el('p', { class: 'about' }, about) : null);
    }

    heading(text: string): void {
        this.add(el('h3', {}, text));
    }

    text(say: () => string, kind = 'note'): void {
        const line = el('p', { class: kind });
        this.add(line);
        this.watch(() => {
            const text = say();
            setText(line, text);
            line.hidden = !text;
        });
    }

    number(options: NumberOptions, counts: () => boolean = () => true): void {
        const field = numberField(options);
        this.add(field.element);
        this.watch(() => {
            field.element.hidden = !counts();
            field.refresh();
        });
    }

    choice<T extends string>(options: {
        id: string; label?: string; tip: string; choices: Choice<T>[]; get: () => T; set: (value: T) => void;
    }): void {
        const buttons = options.choices.map((choice) => el('button', {
            type: 'button', 'data-value': choice.value, 'data-tip': choice.tip,
            onclick: () => {
                options.set(choice.value);
                this.refresh();
            },
        }, choice.label));
        this.add(el('div', { class: 'choice', 'data-choice': options.id, 'data-tip': options.tip },
            options.label ? el('label', {}, options.label) : null,
            el('div', { class: 'segments', role: 'radiogroup' }, ...buttons)));
        this.watch(() => {
            const value = options.get();
            buttons.forEach((item, index) => {
                const choice = options.choices[index]!;
                setClass(item, 'on', choice.value === value);
                item.disabled = !(choice.enabled?.() ?? true);
            });
        });
    }

    // One that stands for some that are on and some that are not is mixed; a click turns all of them on.
    toggle(options: {
        id: string; label: string; tip: string; get: () => boolean | 'mixed'; set: (value: boolean) => void;
        enabled?: () => boolean;
    }): void {
        const box = el('input', {
            type: 'checkbox',
            onchange: () => {
                options.set(box.checked);
                this.refresh();
            },
        });
        this.add(el('label', { class: 'toggle', 'data-toggle': options.id, 'data-tip': options.tip },
            box, el('span', { class: 'box' }), el('span', {}, options.label)));
        this.watch(() => {
            const value = options.get();
            box.checked = value === true;
            box.indeterminate = value === 'mixed';
            box.disabled = !(options.enabled?.() ?? true);
        });
    }

    buttons(...all: ButtonOptions[]): void {
        const row = el('div', { class: 'buttons' });
        for (const options of all) {
            const item = button(options);
            row.append(item);
            this.watch(() => {
                item.disabled = !(options.enabled?.() ?? true);
                if (typeof options.label === 'function') {
                    setText(item.querySelector('span') as HTMLElement, options.label());
                }
            });
        }
        this.add(row);
    }

    // Rows that are made anew when `key` changes.
    list(key: () => string, rows: () => Child[], kind = 'list'): void {
        const box = el('div', { class: kind });
        this.add(box);
        let last: string | null = null;
        this.watch(() => {
            const present = key();
            if (present === last) return;
            last = present;
            clear(box, ...rows());
        });
    }

    // A part of it that can be folded.
    fold(title: string, open: boolean, build: (part: Panel) => void): void {
        const body = el('div', { class: 'body' });
        const part = new Panel(body);
        const details = el('details', { class: 'fold', 'data-fold': title.toLowerCase() },
            el('summary', {}, icon('chevron', 14), title), body);
        details.open = open;
        build(part);
        this.add(details);
        this.live.push(() => part.refresh());
    }
}
