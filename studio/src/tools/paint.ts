import type { App } from '../app/app';
import { brushStroke } from './brushing';
import { brushFields } from './fields';
import type { PaintTarget } from './parameters';
import type { Needs, Tool } from './tool';

const TARGETS: { value: PaintTarget; label: string; tip: string }[] = [
    { value: 'stiffness', label: 'Stiffness', tip: 'How firmly particles hold the shape around them.' },
    { value: 'torsion', label: 'Torsion', tip: 'How strictly edges keep their ends’ rotation to each other.' },
    { value: 'stretch', label: 'Stretch', tip: 'How strictly edges keep their length.' },
    { value: 'mass', label: 'Mass', tip: 'How heavy particles are.' },
    { value: 'surface', label: 'Surface', tip: 'Whether particles know which side of them is outside.' },
    { value: 'animated', label: 'Pinned',
        tip: 'Whether particles stay where they are put, moved by the program only.' },
];

// Where what is painted is seen; pinned particles are dark in every colouring.
const NEEDS: Record<PaintTarget, Needs> = {
    stiffness: { ellipsoids: true, colour: 'stiffness' },
    torsion: { ellipsoids: true, colour: 'plain', edges: true, edgeColour: 'torsion' },
    stretch: { ellipsoids: true, colour: 'plain', edges: true, edgeColour: 'stretch' },
    mass: { ellipsoids: true, colour: 'mass' },
    surface: { ellipsoids: true },
    animated: { ellipsoids: true },
};

const LIGHT = 0.001; // kg, as no particle may weigh nothing

function paintTool(app: App, erases: boolean): Record<string, unknown> {
    const { target } = app.parameters.paint;
    return { target, value: erases ? (target === 'mass' ? LIGHT : 0) : app.parameters.paint[target] };
}

function labelOf(target: PaintTarget): string {
    return `Paint ${TARGETS.find(({ value }) => value === target)!.label.toLowerCase()}`;
}

export const paint: Tool = {
    id: 'paint',
    title: 'Paint',
    key: 'B',
    icon: 'paint',
    about: 'Changes a value of the particles or edges under a soft brush.',
    hint: () => 'Drag over the surface to paint · Shift paints the least value',
    needs: (app) => NEEDS[app.parameters.paint.target],
    hasBrush: () => true,
    fades: true,
    panel(app, panel) {
        panel.choice<PaintTarget>({
            id: 'paint.target', tip: 'What is painted.', choices: TARGETS, get: () => app.parameters.paint.target,
            set: (value) => {
                app.changeParameters(() => {
                    app.parameters.paint.target = value;
                });
                app.showNeeded();
            },
        });
        const target = () => app.parameters.paint.target;
        panel.number({
            id: 'paint.value', label: 'Value', tip: 'What is painted; from a half on, surface and pinned are on.',
            minimum: () => target() === 'mass' ? 0.001 : 0, maximum: () => target() === 'mass' ? 10 : 1,
            lowest: () => target() === 'mass' ? 1e-9 : 0, highest: () => target() === 'mass' ? 1e6 : 1,
            get: () => app.parameters.paint[target()],
            set: (value) => app.changeParameters(() => {
                app.parameters.paint[target()] = value;
            }),
        });
        brushFields(app, panel, paint);
        panel.buttons({
            action: 'paint.apply', primary: true, enabled: () => (app.document?.particles ?? 0) > 0, key: '⏎',
            label: () => `Paint ${app.countOf('particles')}`, tip: 'Gives the value to all of them, without a brush.',
            click: () => void app.apply(paint),
        });
    },
    begin(app, hit) {
        if (!app.document?.particles) return null;
        return brushStroke(app, hit, (places, stroke, { shift }) => {
            const { radius, falloff, strength } = app.parameters.brush;
            return app.run(labelOf(app.parameters.paint.target), places.map((centre) => ({
                paint: { ...app.particles, ...paintTool(app, shift), centre, radius, falloff, strength },
            })), stroke);
        });
    },
    recipe: (app) => ({
        label: labelOf(app.parameters.paint.target),
        tools: [{ paint: { ...app.particles, ...paintTool(app, false) } }],
    }),
};
