// What is typed into a number: sums, products and parentheses of numbers that may carry a unit.

// How much one of these is of the field's own unit.
const UNITS: Record<string, Record<string, number>> = {
    m: { mm: 0.001, cm: 0.01, m: 1, km: 1000 },
    kg: { g: 0.001, kg: 1, t: 1000 },
    s: { ms: 0.001, s: 1, min: 60 },
    '': { '%': 0.01 },
};

// Commas are those of thousands where they stand as such, and decimal ones elsewhere.
function plain(text: string): number {
    const thousands = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text);
    return Number(thousands ? text.replaceAll(',', '') : text.replace(',', '.'));
}

class Reader {
    private at = 0;

    constructor(private readonly text: string, private readonly units: Record<string, number>) {}

    all(): number {
        const value = this.sum();
        return this.at === this.text.length ? value : NaN;
    }

    private take(pattern: RegExp): string | null {
        const sticky = new RegExp(pattern, 'y');
        sticky.lastIndex = this.at;
        const found = sticky.exec(this.text)?.[0] ?? null;
        if (found !== null) this.at += found.length;
        return found;
    }

    private sum(): number {
        let value = this.product();
        for (;;) {
            const sign = this.take(/[+-]/);
            if (!sign) return value;
            value += sign === '-' ? -this.product() : this.product();
        }
    }

    private product(): number {
        let value = this.factor();
        for (;;) {
            const sign = this.take(/[*/]/);
            if (!sign) return value;
            if (sign === '*') value *= this.factor();
            else value /= this.factor();
        }
    }

    private factor(): number {
        const sign = this.take(/[+-]/);
        if (sign) return sign === '-' ? -this.factor() : this.factor();
        if (this.take(/\(/)) {
            const value = this.sum();
            return this.take(/\)/) ? value : NaN;
        }
        const digits = this.take(/[\d.,]+(e[+-]?\d+)?/i);
        if (!digits) return NaN;
        const unit = this.take(/[a-z%]+/i);
        return plain(digits) * (unit === null ? 1 : this.units[unit.toLowerCase()] ?? NaN);
    }
}

// NaN where it is not a number. `unit` is the field's own.
export function evaluate(text: string, unit = ''): number {
    let written = text.replaceAll('−', '-').replaceAll('×', '*').replaceAll('÷', '/').replace(/\s+/g, '');
    const units = UNITS[unit] ?? {};
    // A unit that is a formula itself can stand at the end only.
    if (unit && !(unit in UNITS) && written.endsWith(unit)) written = written.slice(0, -unit.length);
    return new Reader(written, units).all();
}
