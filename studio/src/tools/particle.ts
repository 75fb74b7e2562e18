import type { App } from '../app/app';
import { SELECTED, type Vec3 } from '../core/protocol';
import { remaining } from './erasing';
import { Fields } from './fields';
import { particleAt, type Hit, type Stroke, type Tool } from './tool';

const nothing: Stroke = { end: () => {} };

// The second click of a double click means the same particle.
const DOUBLE = 500; // ms
let placed: { point: Vec3; time: number } | null = null;

function isAgain(point: Vec3, radius: number): boolean {
    const time = performance.now();
    const last = placed;
    placed = { point, time };
    if (!last || time - last.time > DOUBLE) return false;
    const { point: [x, y, z] } = last;
    return Math.hypot(point[0] - x, point[1] - y, point[2] - z) < radius / 2;
}

function place(app: App, hit: Hit): Stroke | null {
    const point = hit.pick.surface?.point;
    if (!point) return null;
    const { radius, weighs, mass, stiffness } = app.parameters.particle;
    if (isAgain(point, radius)) return nothing;
    const like = { radius, ...(weighs === 'given' ? { mass } : {}), stiffness };
    void app.run('Place particle', app.sides(point).map((position) => ({ place: { position, ...like } })));
    return nothing;
}

function remove(app: App, hit: Hit): Stroke | null {
    const particle = hit.pick.particle;
    if (!particle) return null;
    const stroke = app.newStroke();
    void (async () => {
        if (await app.select('set', [{ index: particle.index }], 'particles', stroke)) {
            await app.run('Delete particle', [{ remove: { particles: SELECTED } }], stroke);
        }
    })();
    return nothing;
}

// Moves what is selected; a particle that is not becomes the selection first.
function move(app: App, hit: Hit): Stroke | null {
    const particle = hit.pick.particle;
    if (!particle) return null;
    const stroke = app.newStroke();
    let from: Vec3 = particle.point;
    let to: Vec3 = from;
    let works = false;
    const ready = isSelected(app, particle.index)
        ? Promise.resolve() : app.select('set', [{ index: particle.index }], 'particles', stroke);
    const go = async () => {
        if (works) return;
        works = true;
        await ready;
        while (to !== from) {
            const target = to;
            const translation: Vec3 = [target[0] - from[0], target[1] - from[1], target[2] - from[2]];
            from = target;
            await app.run('Move particles', [{ move: { particles: SELECTED, translation } }], stroke);
        }
        works = false;
    };
    return {
        pixels(x, y) {
            to = app.view.pointAt(x, y, particle.point);
            void go();
        },
        end: () => {},
    };
}

function isSelected(app: App, index: number): boolean {
    return app.display.selected[index] === 1;
}

export const particle: Tool = {
    id: 'particle',
    title: 'Particles',
    key: 'P',
    icon: 'particle',
    about: 'Single particles: place them on the surface, drag them, delete them.',
    hint(app) {
        switch (app.parameters.particle.mode) {
            case 'place': return 'Click on the surface to place a particle';
            case 'move': return 'Drag a particle; all selected ones move with it';
            case 'delete': return 'Click on a particle to delete it · Del deletes what is selected';
        }
    },
    needs: { ellipsoids: true },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'particle');
        fields.choice('mode', 'Action', 'What a click does.', [
            { value: 'place', label: 'Place', tip: 'Puts a particle where the surface is clicked.' },
            { value: 'move', label: 'Move', tip: 'Drags particles in the plane of the screen.' },
            { value: 'delete', label: 'Delete', tip: 'Removes the clicked particle with its edges.' },
        ]);
        fields.length('radius', 'Radius', 'Half the width of a new particle.');
        fields.choice('weighs', 'Weighs', 'Whether a new particle weighs what it stands for, or a mass that is given.', [
            { value: 'density', label: 'By density', tip: 'As much as the part of the object that it stands for.' },
            { value: 'given', label: 'Given', tip: 'The mass below, whatever particles come and go.' },
        ]);
        fields.number('mass', 'Mass', 'How heavy a new particle is.', {
            minimum: 0.001, maximum: 1000, lowest: 1e-9, highest: 1e9, scale: 'log', unit: 'kg',
        }, () => app.parameters.particle.weighs === 'given');
        fields.part('stiffness', 'Stiffness', 'How firmly a new particle holds the shape around it.');
        panel.buttons({
            action: 'particle.delete', icon: 'trash', danger: true, key: 'Del',
            label: () => `Delete ${(app.document?.selectedParticles ?? 0).toLocaleString('en-US')} selected`,
            tip: 'Removes the selected particles with their edges and influences.',
            enabled: () => (app.document?.selectedParticles ?? 0) > 0,
            click: () => void app.removeSelected(),
        });
    },
    hover(app, hit) {
        const point = app.parameters.particle.mode === 'place' ? hit?.pick.surface?.point : undefined;
        app.view.setPreview(point ? app.sides(point) : [], app.parameters.particle.radius);
    },
    targets(app, { pick }) {
        const { mode } = app.parameters.particle;
        if (mode === 'place') return {};
        const moves = mode === 'move' && pick.particle && isSelected(app, pick.particle.index);
        return moves ? { particles: remaining(app.display.selected, null) } : particleAt(pick); // all selected ones move
    },
    begin(app, hit) {
        switch (app.parameters.particle.mode) {
            case 'place': return place(app, hit);
            case 'move': return move(app, hit);
            case 'delete': return remove(app, hit);
        }
    },
};
