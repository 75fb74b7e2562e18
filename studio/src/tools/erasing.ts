// The brush of tools that take away, with Shift: it reaches particles in the ring and, when some are selected, only
// those of them. Tools know particles by the selection, so each dab narrows it and gives back what is left of it.

import type { App } from '../app/app';
import { SELECTED, type Rule, type Vec3 } from '../core/protocol';

// What is left of a selection, by the numbers that particles have when `removed` ones are gone.
export function remaining(selected: Uint8Array, removed: Uint8Array | null): number[] {
    const numbers: number[] = [];
    let next = 0;
    selected.forEach((isSelected, index) => {
        if (removed?.[index]) return;
        if (isSelected) numbers.push(next);
        ++next;
    });
    return numbers;
}

// The dabs of one stroke.
export function eraser(
    app: App, label: string, tool: 'remove' | 'disconnect',
): (places: Vec3[], stroke: number) => Promise<void> {
    const isLimited = (app.document?.selectedParticles ?? 0) > 0;
    return async (places, stroke) => {
        if (isLimited && !app.document?.selectedParticles) return;
        const before = app.display.selected.slice();
        const { radius } = app.parameters.brush;
        const ring: Rule[] = places.map((centre) => ({ sphere: { centre, radius } }));
        const state = isLimited ? await app.select('remove', [...ring, { invert: {} }], 'particles', stroke)
            : await app.select('set', ring, 'particles', stroke);
        if (!state) return;
        const reached = app.display.selected.slice();
        if (state.document?.selectedParticles) {
            await app.run(label, [{ [tool]: { particles: SELECTED } }], stroke);
        }
        if (!isLimited && tool === 'remove') return; // nothing is selected any more
        const left = isLimited ? remaining(before, tool === 'remove' ? reached : null) : [];
        await app.select('set', left.length ? left.map((index) => ({ index })) : [{ none: {} }], 'particles', stroke);
    };
}
