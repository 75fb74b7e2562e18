// What the body is made of: how it touches things and loses speed, how heavy and how large it is.

import type { App } from '../app/app';
import type { BodySettings } from '../core/protocol';
import { changesOf } from './changes';
import type { NumberOptions } from './number';
import { Panel } from './panel';
import { sizeFields } from './size';

const MOST_DAMPING = 0.999999;

const MATERIALS = ['painted', 'jelly', 'flesh', 'foam', 'rubber', 'felt', 'leather', 'wood', 'steel'];

type Value = 'friction' | 'restitution' | 'damping' | 'shapeDamping' | 'density';

export function bodyPanel(app: App): Panel {
    const panel = new Panel();
    panel.element.dataset['panel'] = 'body';
    const body = (): BodySettings | null => app.document?.body ?? null;
    const change = changesOf(app, panel);
    panel.fold('Body', true, (part) => {
        const number = (
            name: Value, label: string, tip: string, limits: Partial<NumberOptions> & Pick<NumberOptions, 'maximum'>,
            toolOf: (value: number) => Record<string, Record<string, unknown>>,
        ) => part.number({
            id: `body.${name}`, label, tip, minimum: 0, ...limits,
            get: () => body()?.[name] ?? 0,
            set: (value) => change(`Body ${label.toLowerCase()}`, [toolOf(value)]),
            differs: () => body()?.differ.includes(name) ?? false,
        });
        part.choice({
            id: 'body.material', label: 'Material',
            tip: 'What all of it is made of: as stiff, heavy and lively as that. Painted: as stiff as its particles are painted.',
            choices: MATERIALS.map((name) => ({
                value: name, label: name[0]!.toUpperCase() + name.slice(1), tip: `Made of ${name}`,
            })),
            get: () => body()?.material ?? '',
            set: (name) => change(`Material ${name}`,
                [name === 'painted' ? { set: { young_modulus: 0 } } : { material: { name } }]),
        });
        part.toggle({
            id: 'body.selfCollision', label: 'Self-collision',
            tip: 'It touches itself, as cloth that folds does. Sheets have it of themselves; it costs time.',
            get: () => body()?.selfCollision ?? false,
            set: (on) => change(`Body self-collision ${on ? 'on' : 'off'}`, [{ body: { self_collision: on } }]),
        });
        number('friction', 'Friction', 'How it sticks to what it touches: 0 is ice, 1 is rubber.',
            { maximum: 1, highest: 1000 }, (friction) => ({ body: { friction } }));
        number('restitution', 'Bounce', 'Of the speed at which it hits something, the part at which it leaves.',
            { maximum: 1 }, (restitution) => ({ body: { restitution } }));
        number('damping', 'Damping', 'The part of its speed that it loses in a second, as in air or in water.',
            { maximum: 0.99, highest: MOST_DAMPING },
            (damping) => ({ body: { linear_damping: damping, angular_damping: damping } }));
        number('shapeDamping', 'Settling', 'How much of its wobbling it loses in a second; it falls and flies as before.',
            { maximum: 0.99, highest: MOST_DAMPING }, (damping) => ({ body: { shape_damping: damping } }));
        number('density', 'Density', 'Mass of a cubic metre of it, for all particles; water has 1000.',
            { minimum: 10, maximum: 10000, lowest: 1e-9, highest: 1e9, scale: 'log', unit: 'kg/m³' },
            (density) => {
                const thickness = body()?.thickness;
                return { mass: thickness ? { density, thickness } : { density } };
            });
        sizeFields(app, part);
    });
    return panel;
}
