// The numbers of a scene that plays: gravity, stiffness, wind, and how carefully it is solved.

import type { App } from '../app/app';
import type { DocumentState, PlaySettings, Vec3 } from '../core/protocol';
import type { Panel } from './panel';

const EARTH = 9.81; // m/s²

interface WindForm {
    speed: number;
    direction: number; // degrees about the vertical; 0 blows along +x
}

export function buildPlay(app: App, panel: Panel): void {
    const stage = app.state.stage!;
    panel.title(stage.title || stage.name || 'Simulation', stage.source === 'document'
        ? 'The model by itself. Stop returns to the authored state.' : undefined);
    const settings = (): PlaySettings => app.state.stage?.settings ?? stage.settings;
    // Gravity keeps the scene's direction, also after it has been 0.
    const authored = stage.settings.gravity;
    const strength = Math.hypot(...authored);
    const down: Vec3 = strength > 0
        ? [authored[0] / strength, authored[1] / strength, authored[2] / strength] : [0, -1, 0];
    const wind: WindForm = { speed: 0, direction: acrossOf(app.isDocumentShown ? app.document : null) };
    const read = () => {
        const [x, , z] = settings().wind.velocity;
        wind.speed = Math.hypot(x, z);
        if (wind.speed > 0) wind.direction = (Math.atan2(-z, x) * 180) / Math.PI;
    };
    read();

    panel.number({
        id: 'play.gravity', label: 'Gravity', tip: 'How strongly everything falls; the Earth has 9.81, the Moon 1.62.',
        minimum: 0, maximum: 2 * EARTH, lowest: -1000, highest: 1000, unit: 'm/s²',
        get: () => settings().gravity[0] * down[0] + settings().gravity[1] * down[1] + settings().gravity[2] * down[2],
        set: (g) => change(app, { gravity: [down[0] * g, down[1] * g, down[2] * g] }),
    });
    panel.number({
        id: 'play.stiffness', label: 'Stiffness',
        tip: 'Makes everything softer or stiffer than authored; 1 is as authored.',
        minimum: 1 / 8, maximum: 8, scale: 'log', unit: '×',
        get: () => settings().stiffness, set: (stiffness) => change(app, { stiffness }),
    });
    panel.heading('Wind');
    const blow = () => {
        const angle = (wind.direction * Math.PI) / 180;
        change(app, {
            wind: {
                ...settings().wind,
                velocity: [wind.speed * Math.cos(angle), settings().wind.velocity[1], -wind.speed * Math.sin(angle)],
            },
        });
    };
    panel.number({
        id: 'play.wind.speed', label: 'Speed', tip: 'How fast the air moves; 10 m/s bends trees.', minimum: 0,
        maximum: 30,
        highest: 200, unit: 'm/s', get: () => wind.speed,
        set: (speed) => {
            wind.speed = speed;
            blow();
        },
    });
    panel.number({
        id: 'play.wind.direction', label: 'Direction', tip: 'Where it blows to, about the vertical; 0 is along +x.',
        minimum: -180,
        maximum: 180, unit: '°', get: () => wind.direction,
        set: (direction) => {
            wind.direction = direction;
            blow();
        },
    });
    panel.number({
        id: 'play.wind.gusts', label: 'Gusts', tip: 'How much the wind comes and goes; 0 is steady.', minimum: 0,
        maximum: 1,
        get: () => settings().wind.gusts, set: (gusts) => change(app, { wind: { ...settings().wind, gusts } }),
    });
    panel.fold('Solver', false, (part) => {
        part.number({
            id: 'play.substeps', label: 'Substeps',
            tip: 'In how many parts 1/60 s is solved: more are stiffer and slower.',
            minimum: 1, maximum: 20, whole: true, get: () => settings().substeps,
            set: (substeps) => change(app, { substeps }),
        });
        part.number({
            id: 'play.iterations', label: 'Iterations',
            tip: 'How often each part is solved over: more are stiffer and slower.',
            minimum: 1, maximum: 20, whole: true, get: () => settings().iterations,
            set: (iterations) => change(app, { iterations }),
        });
    });
}

// Where wind meets the broad side of what is flat: along +z where that is across it, else along +x.
function acrossOf(document: DocumentState | null): number {
    if (!document) return 0;
    const [width, , depth] = document.maximum.map((x, i) => x - document.minimum[i]!) as Vec3;
    return width > 2 * depth ? -90 : 0;
}

// What is dragged changes more often than the core can be asked: the newest values go, one question at a time.
let waiting: Partial<PlaySettings> | null = null;
let works = false;

function change(app: App, settings: Partial<PlaySettings>): void {
    const stage = app.state.stage;
    if (stage) stage.settings = { ...stage.settings, ...settings };
    waiting = { ...waiting, ...settings };
    if (works) return;
    works = true;
    void (async () => {
        while (waiting) {
            const now = waiting;
            waiting = null;
            await app.session.settings(now);
        }
        works = false;
        app.session.changed.emit(app.state);
    })();
}
