// A number: a bar to drag and a field to type into.

import { el, setClass } from './element';

export interface NumberOptions {
    id: string; // data-number
    label: string;
    tip: string; // one sentence
    minimum: number | (() => number); // of the bar
    maximum: number | (() => number);
    // Of what can be typed, where the bar's limits are only what is usual.
    lowest?: number;
    highest?: number;
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

// Commas are those of thousands where they stand as such, and decimal ones elsewhere.
export function typed(text: string): number {
    const trimmed = text.trim();
    const thousands = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(trimmed);
    return Number((thousands ? trimmed.replaceAll(',', '') : trimmed.replace(',', '.')) || NaN);
}

export function numberField(options: NumberOptions): NumberField {
    const log = options.scale === 'log';
    const fill = el('div', { class: 'fill' });
    const bar = el('div', { class: 'bar', role: 'slider', tabindex: 0, 'aria-label': options.label }, fill);
    const input = el('input', {
        type: 'text', inputmode: 'decimal', spellcheck: 'false', 'aria-label': options.label,
    });
    const element = el('div', { class: 'number', 'data-number': options.id, 'data-tip': options.tip },
        el('label', {}, options.label), bar,
        el('span', { class: 'value' }, input, options.unit ? el('span', { class: 'unit' }, options.unit) : null));

    const clamp = (value: number) => {
        const low = options.lowest ?? now(options.minimum);
        const high = options.highest ?? now(options.maximum);
        const inside = Math.min(Math.max(value, low), high);
        return options.whole ? Math.round(inside) : inside;
    };
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
    const change = (value: number) => {
        if (!Number.isFinite(value)) return refresh();
        options.set(clamp(value));
        refresh();
    };
    // Dragged values are round: three digits are all that is shown.
    const fromBar = (part: number) => change(Number(fromPart(part).toPrecision(3)));

    bar.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        bar.focus();
        bar.setPointerCapture(event.pointerId);
        const place = bar.getBoundingClientRect();
        const at = (x: number) => fromBar((x - place.left) / place.width);
        at(event.clientX);
        const move = (moved: PointerEvent) => at(moved.clientX);
        bar.addEventListener('pointermove', move);
        bar.addEventListener('lostpointercapture', () => bar.removeEventListener('pointermove', move), { once: true });
    });
    bar.addEventListener('keydown', (event) => {
        const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (!direction) return;
        event.preventDefault();
        if (options.whole) change(options.get() + direction);
        else fromBar(toPart(options.get()) + direction * (event.shiftKey ? 0.1 : 0.02));
    });
    input.addEventListener('focus', () => {
        input.value = String(Number(options.get().toPrecision(6)));
        input.select();
    });
    input.addEventListener('change', () => {
        change(typed(input.value));
        input.value = shown(options.get(), options.whole);
    });
    input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' || event.key === 'Escape') {
            if (event.key === 'Escape') input.value = String(options.get());
            input.blur();
        }
        event.stopPropagation();
    });
    input.addEventListener('blur', refresh);
    refresh();
    return { element, refresh };
}
