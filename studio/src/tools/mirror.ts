import { normalOf } from './parameters';
import { Fields } from './fields';
import type { Tool } from './tool';

export const mirror: Tool = {
    id: 'mirror',
    title: 'Mirror',
    key: 'X',
    icon: 'mirror',
    about: 'Brushes on both sides of a plane at once, or copies particles and edges from one side to the other.',
    hint: () => 'Set the plane; brushes of other tools work on both sides while it is on',
    needs: { ellipsoids: true },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'mirror');
        fields.choice('axis', 'Across', 'The axis that the plane stands across.', [
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
        panel.heading('Copy');
        fields.length('tolerance', 'Tolerance', 'Where a particle stands this close already, none is added.');
        panel.buttons({
            action: 'mirror.apply', primary: true, key: '⏎', enabled: () => (app.document?.particles ?? 0) > 0,
            label: () => `Copy ${app.countOf('particles')}`,
            tip: 'Adds the mirror images of the selected particles, or of all, with their edges.',
            click: () => void app.apply(mirror),
        });
    },
    begin: () => null,
    recipe(app) {
        const { axis, offset, tolerance } = app.parameters.mirror;
        const normal = normalOf(axis);
        return { label: 'Mirror', tools: [{ mirror: { ...app.particles, normal, offset, tolerance } }] };
    },
};
