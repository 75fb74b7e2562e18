// A number: a name and a bar to drag, and a field to type into.

import { el, setClass, setText } from './element';
import { evaluate } from './expression';

const TOLD = 2500; // ms, for which words stand beside a number that cannot be what was asked for
const WIDE = 200; // px, over which a name is dragged from one end of the bar to the other

export interface NumberOptions {
    id: string; // data-number
    label: string;
    tip: string; // one sentence
    minimum: number | (() => number); // of the bar
    maximum: number | (() => number);
    // Of what can be typed, where the bar's limits are only what is usual.
    lowest?: number | (() => number);
    highest?: number | (() => number);
    scale?: 'linear' | 'log';
    whole?: boolean;
    unit?: string;
    get: () => number;
    set: (value: number) => void; // while it is dragged, too
    differs?: () => boolean; // it stands for several values that are not the same
}

export interface NumberField {
    element: HTMLElement;
    refresh: () => void;
}

function now(limit: number | (() => number)): number {
    return typeof limit === 'function' ? limit() : limit;
}

// Three digits that count, and no more.
export function shown(value: number, whole = false): string {
    if (!Number.isFinite(value)) return '–';
    if (whole) return Math.round(value).toLocaleString('en-US');
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (size >= 1000) return Math.round(value).toLocaleString('en-US');
    if (size < 1e-4) return value.toExponential(1);
    return String(Number(value.toPrecision(3)));
}

// A step of the arrow keys, a round number: a small part of the bar or, where that is logarithmic, of the value.
function stepOf(options: NumberOptions, value: number): number {
    if (options.whole) return 1;
    const size = options.scale === 'log' ? Math.abs(value) / 10 || now(options.minimum)
        : (now(options.maximum) - now(options.minimum)) / 50;
    return Math.pow(10, Math.floor(Math.log10(size) + 1e-9));
}

// Keys that make a change larger or finer.
function factorOf({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent | PointerEvent): number {
    return shiftKey ? 10 : altKey || ctrlKey || metaKey ? 0.1 : 1;
}

export function numberField(options: NumberOptions): NumberField {
    const log = options.scale === 'log';
    const fill = el('div', { class: 'fill' });
    const bar = el('div', { class: 'bar', role: 'slider', tabindex: 0, 'aria-label': options.label }, fill);
    const input = el('input', {
        type: 'text', inputmode: 'decimal', spellcheck: 'false', 'aria-label': options.label,
    });
    const label = el('label', {}, options.label);
    const words = el('span', { class: 'told', role: 'status' });
    const element = el('div', { class: 'number', 'data-number': options.id, 'data-tip': options.tip }, label, bar,
        el('span', { class: 'value' }, input, options.unit ? el('span', { class: 'unit' }, options.unit) : null), words);

    let silence = 0;
    const tell = (text: string) => {
        window.clearTimeout(silence);
        setClass(element, 'tells', text !== '');
        setText(words, text);
        if (text) silence = window.setTimeout(() => tell(''), TOLD);
    };
    const clamp = (value: number) => Math.min(Math.max(value, now(options.lowest ?? options.minimum)),
        now(options.highest ?? options.maximum));
    const toPart = (value: number) => {
        const low = now(options.minimum);
        const high = now(options.maximum);
        const part = log ? Math.log(Math.max(value, 1e-12) / low) / Math.log(high / low) : (value - low) / (high - low);
        return Math.min(Math.max(part, 0), 1);
    };
    const fromPart = (part: number) => {
        const low = now(options.minimum);
        const high = now(options.maximum);
        const inside = Math.min(Math.max(part, 0), 1);
        return log ? low * Math.pow(high / low, inside) : low + (high - low) * inside;
    };

    const refresh = () => {
        const value = options.get();
        const differs = options.differs?.() ?? false;
        fill.style.width = `${toPart(value) * 100}%`;
        bar.setAttribute('aria-valuenow', shown(value));
        setClass(element, 'differs', differs);
        if (document.activeElement !== input) input.value = (differs ? '~' : '') + shown(value, options.whole);
    };
    const set = (value: number) => {
        const inside = clamp(value);
        const limit = `${shown(inside, options.whole)}${options.unit ? ` ${options.unit}` : ''}`;
        tell(value < inside ? `at least ${limit}` : value > inside ? `at most ${limit}`
            : options.whole && !Number.isInteger(value) ? 'whole numbers only' : '');
        options.set(options.whole ? Math.round(inside) : inside);
        refresh();
    };
    // Dragged values are round: three digits are all that is shown.
    const drag = (value: number) => {
        const round = Number(value.toPrecision(3));
        set(options.whole ? Math.round(round) : round);
    };
    const nudge = (from: number, event: KeyboardEvent): boolean => {
        const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!direction) return false;
        event.preventDefault();
        const step = stepOf(options, from) * factorOf(event);
        set(Number((from + direction * (options.whole ? Math.max(step, 1) : step)).toPrecision(9)));
        return true;
    };

    // Follows the pointer from a press to its end.
    const follow = (handle: HTMLElement, event: PointerEvent, move: (moved: PointerEvent) => void,
        end: () => void = () => {}) => {
        event.preventDefault();
        handle.setPointerCapture(event.pointerId);
        handle.addEventListener('pointermove', move);
        handle.addEventListener('lostpointercapture', () => {
            handle.removeEventListener('pointermove', move);
            end();
        }, { once: true });
    };
    bar.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) return;
        bar.focus();
        const place = bar.getBoundingClientRect();
        const at = (x: number) => drag(fromPart((x - place.left) / place.width));
        at(event.clientX);
        follow(bar, event, (moved) => at(moved.clientX));
    });
    bar.addEventListener('keydown', (event) => {
        if (nudge(options.get(), event)) return;
        const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!direction) return;
        event.preventDefault();
        if (options.whole) set(options.get() + direction);
        else drag(fromPart(toPart(options.get()) + direction * 0.02 * factorOf(event)));
    });
    // The name is dragged from where the value is, also beyond the bar; a click on it is one into the field.
    label.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) return;
        let value = options.get();
        let x = event.clientX;
        let moves = false;
        follow(label, event, (moved) => {
            const part = (factorOf(moved) * (moved.clientX - x)) / WIDE;
            if (part === 0) return;
            const low = now(options.minimum);
            const high = now(options.maximum);
            const there = log ? Math.max(value, 1e-12) * Math.pow(high / low, part) : value + (high - low) * part;
            value = clamp(there);
            x = moved.clientX;
            moves = true;
            drag(there);
        }, () => moves || input.focus());
    });

    let edited = false;
    const commit = () => {
        if (!edited) return;
        edited = false;
        const value = evaluate(input.value, options.unit);
        if (Number.isFinite(value)) set(value);
        else tell('not a number');
    };
    const exactly = () => {
        input.value = String(Number(options.get().toPrecision(6)));
        input.select();
    };
    input.addEventListener('focus', exactly);
    input.addEventListener('input', () => {
        edited = true;
    });
    input.addEventListener('keydown', (event) => {
        event.stopPropagation();
        if (event.key === 'Enter' || event.key === 'Escape') {
            if (event.key === 'Escape') edited = false;
            input.blur();
            return;
        }
        const value = edited ? evaluate(input.value, options.unit) : options.get();
        if (!nudge(Number.isFinite(value) ? value : options.get(), event)) return;
        edited = false;
        exactly();
    });
    input.addEventListener('blur', () => {
        commit();
        refresh();
    });
    refresh();
    return { element, refresh };
}
