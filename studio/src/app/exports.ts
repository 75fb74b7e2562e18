// What leaves the page: models, meshes, scenes, bakes, pictures, videos.

import { View, type Engine, type FileAnswer } from '../core/protocol';
import { saveFile } from '../keep/files';
import { savePicture, Video } from '../keep/record';
import { toast } from '../ui/toast';
import type { App } from './app';
import { DT } from './loop';

async function saveView(engine: Engine, { name }: FileAnswer): Promise<void> {
    saveFile(name, (await engine.view(View.file)) as Uint8Array<ArrayBuffer>);
    toast(`Saved ${name}.`);
}

export async function exportFile(app: App, kind: 'model' | 'blob' | 'mesh'): Promise<void> {
    await app.session.do(async (engine) => saveView(engine, await engine.ask('export', { kind })));
}

// The scene, and each model that it names, side by side.
export async function exportScene(app: App): Promise<void> {
    await app.session.do(async (engine) => {
        const answer = await engine.ask('export', { kind: 'scene' });
        await saveView(engine, answer);
        for (let model = 0; model < (answer.models?.length ?? 0); ++model) {
            await saveView(engine, await engine.ask('export', { kind: 'model', model }));
        }
    });
}

function nameOf(app: App, ending: string): string {
    const { mode, document, stage } = app.state;
    return ((mode === 'play' ? stage?.name : document?.name) || 'pliant') + ending;
}

export async function exportPicture(app: App): Promise<void> {
    await app.session.do(async () => {
        const name = nameOf(app, '-picture.png');
        await savePicture(app.view, name);
        toast(`Saved ${name}.`);
    });
}

// ---------------------------------------------------------------------------------------------
// Bakes

const FRAMES_AT_ONCE = 4;

// What is told how far something is, in [0, 1], and says whether to go on.
type GoOn = (part: number) => boolean;

export async function bakeLast(app: App, seconds: number, fps: number): Promise<boolean> {
    const done = await app.session.do(async (engine) => {
        await saveView(engine, await engine.ask('bakeLast', { seconds, fps }));
        return true;
    });
    return done ?? false;
}

// Steps that are not the loop's. The document is staged when nothing plays; what plays is paused then.
async function takeOver(app: App, work: (engine: Engine) => Promise<boolean>): Promise<boolean> {
    if (app.state.mode === 'author') await app.simulate();
    if (app.state.mode !== 'play') return false;
    app.loop.run(false);
    ++app.session.switching;
    const done = await app.session.do(work);
    --app.session.switching;
    app.loop.look();
    return done ?? false;
}

// On the page's own thread nothing else would be drawn.
const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

export function bakeNext(app: App, seconds: number, fps: number, goOn: GoOn): Promise<boolean> {
    return takeOver(app, async (engine) => {
        let { frames, total } = await engine.ask('bakeBegin', { seconds, fps });
        try {
            while (frames < total) {
                if (!goOn(frames / total)) {
                    await engine.ask('bakeCancel', {});
                    return false;
                }
                ({ frames, total } = await engine.ask('bakeGoOn',
                    { frames: Math.min(FRAMES_AT_ONCE, total - frames) }));
                app.view.setFrame(await engine.frame(DT, 0, app.shown.contacts.shown));
                await nextTurn();
            }
        } catch (error) {
            await engine.ask('bakeCancel', {}).catch(() => {});
            throw error;
        }
        goOn(1);
        await saveView(engine, await engine.ask('bakeEnd', {}));
        return true;
    });
}

// ---------------------------------------------------------------------------------------------
// Videos

// Frame by frame: each is simulated, drawn and encoded before the next one, at the time that the rate gives it. Time
// goes as fast as it plays.
export function recordVideo(app: App, seconds: number, fps: number, goOn: GoOn): Promise<boolean> {
    return takeOver(app, async (engine) => {
        const total = Math.max(Math.round(seconds * fps), 1);
        const passed = app.loop.speed / fps;
        const steps = Math.max(Math.ceil(passed / DT - 1e-6), 1); // none longer than those of play
        const video = await Video.begin(app.view, fps);
        try {
            for (let frame = 0; frame < total; ++frame) {
                if (!goOn(frame / total)) return false;
                app.view.setFrame(await engine.frame(passed / steps, frame ? steps : 0, app.shown.contacts.shown));
                await video.add(app.view);
                await nextTurn();
            }
            goOn(1);
            const name = nameOf(app, '-video.webm');
            saveFile(name, new Blob([await video.end()], { type: 'video/webm' }));
            toast(`Saved ${name}.`);
            return true;
        } finally {
            video.cancel();
        }
    });
}
