import type { App } from '../app/app';
import type { Vec3 } from '../core/protocol';
import { normalOf } from './parameters';
import { Fields } from './fields';
import type { Tool } from './tool';

// The side that is kept and the one that it replaces, such as "+X" and "−X".
function sidesOf(app: App): { from: string; to: string } {
    const { axis, to } = app.parameters.mirror;
    const [plus, minus] = [`+${axis.toUpperCase()}`, `−${axis.toUpperCase()}`];
    return to === 'minus' ? { from: plus, to: minus } : { from: minus, to: plus };
}

export const mirror: Tool = {
    id: 'mirror',
    title: 'Mirror',
    key: 'X',
    icon: 'mirror',
    about: 'Brushes on both sides of a plane at once, or replaces one side with the mirror image of the other.',
    hint: () => 'Set the plane; brushes of other tools work on both sides while it is on',
    needs: { ellipsoids: true },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'mirror');
        fields.choice('axis', 'Axis', 'The axis that the plane stands across.', [
            { value: 'x', label: 'X' }, { value: 'y', label: 'Y' }, { value: 'z', label: 'Z' },
        ]);
        fields.number('offset', 'Offset', 'Where on that axis the plane stands.', {
            minimum: () => -app.size / 2, maximum: () => app.size / 2, lowest: -1e6, highest: 1e6, unit: 'm',
        });
        fields.toggle('on', 'Symmetric brushing', 'Every dab of a brush is done on both sides.');
        panel.buttons({
            action: 'mirror.middle', label: 'To the middle', tip: 'Puts the plane through the middle of the object.',
            click: () => app.changeParameters(() => {
                const { axis } = app.parameters.mirror;
                const index = axis === 'x' ? 0 : axis === 'y' ? 1 : 2;
                const document = app.document;
                if (document) app.parameters.mirror.offset = (document.minimum[index]! + document.maximum[index]!) / 2;
            }),
        });
        panel.heading('Replace a side');
        fields.choice('to', 'Direction', 'The side that is kept, and the one that becomes its mirror image.', [
            { value: 'minus', label: '+ → −', tip: 'The positive side is kept, the negative one is replaced.' },
            { value: 'plus', label: '− → +', tip: 'The negative side is kept, the positive one is replaced.' },
        ]);
        fields.length('tolerance', 'Tolerance',
            'Particles within half of this of the plane belong to both sides: they are moved onto it.');
        panel.text(() => {
            const { from, to } = sidesOf(app);
            return `${to} is removed and becomes the mirror image of ${from}: ${app.countOf('particles')}.`;
        });
        panel.buttons({
            action: 'mirror.apply', primary: true, key: '⏎', enabled: () => (app.document?.particles ?? 0) > 0,
            label: () => `Mirror ${sidesOf(app).from} → ${sidesOf(app).to}`,
            tip: 'Replaces particles, edges and groups of one side, of those selected or of all, with those of the other.',
            click: () => void app.apply(mirror),
        });
        panel.text(() => app.isAdjustable ? 'Change a number above to do it over.' : '', 'note quiet');
    },
    begin: () => null,
    recipe(app) {
        const { axis, to, offset, tolerance } = app.parameters.mirror;
        // The normal points to the side that is kept.
        const sign = to === 'minus' ? 1 : -1;
        const normal = normalOf(axis).map((value) => sign * value) as Vec3;
        return {
            label: 'Mirror',
            tools: [{ mirror: { ...app.particles, normal, offset: sign * offset, tolerance, replace: true } }],
        };
    },
};
