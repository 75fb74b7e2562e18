// Dabs of a brush along a stroke. Dabs that come while the core works wait and go together, so that a stroke never
// falls behind the hand.

import type { App } from '../app/app';
import type { Vec3 } from '../core/protocol';
import type { Hit, Stroke } from './tool';

const APART = 0.35; // of the radius: how far a dab is from the next

export function brushStroke(
    app: App, first: Hit, dab: (places: Vec3[], stroke: number, hit: Hit) => Promise<unknown>,
): Stroke | null {
    if (!first.pick.surface) return null;
    const stroke = app.newStroke();
    let last: Vec3 | null = null;
    let waiting: Vec3[] = [];
    let works = false;

    const go = async (hit: Hit) => {
        if (works) return;
        works = true;
        while (waiting.length) {
            const places = waiting;
            waiting = [];
            await dab(places, stroke, hit);
        }
        works = false;
    };
    const surface = (hit: Hit) => {
        const point = hit.pick.surface?.point;
        if (!point) return;
        const far = app.parameters.brush.radius * APART;
        if (last && Math.hypot(point[0] - last[0], point[1] - last[1], point[2] - last[2]) < far) return;
        last = point;
        waiting.push(...app.sides(point));
        void go({ ...hit, shift: first.shift, ctrl: first.ctrl });
    };
    surface(first);
    return { surface, end: () => {} };
}
