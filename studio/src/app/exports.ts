// What leaves the page: models, meshes, scenes, bakes, pictures, films.

import { View, type Engine, type FileAnswer } from '../core/protocol';
import { saveFile } from '../keep/files';
import { Film, savePicture } from '../keep/record';
import { toast } from '../ui/toast';
import type { App } from './app';

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

export function nameOf(app: App): string {
    const { mode, document, stage } = app.state;
    const name = mode === 'play' ? stage?.name : document?.name;
    return (name || 'pliant').replace(/\.[^.]*$/, '');
}

export async function exportPicture(app: App): Promise<void> {
    await app.session.do(() => savePicture(app.view, nameOf(app)));
}

// ---------------------------------------------------------------------------------------------
// Bakes

const FRAMES_AT_ONCE = 4;
export const BAKE_FPS = 60;

export async function bakeLast(app: App, seconds: number): Promise<boolean> {
    const done = await app.session.do(async (engine) => {
        await saveView(engine, await engine.ask('bakeLast', { seconds }));
        return true;
    });
    return done ?? false;
}

// `goOn` is told how far it is, in [0, 1], and says whether to go on. The document is staged when nothing plays.
export async function bakeNext(app: App, seconds: number, goOn: (part: number) => boolean): Promise<boolean> {
    if (app.state.mode === 'author') await app.simulate();
    if (app.state.mode !== 'play') return false;
    app.loop.run(false);
    ++app.session.switching;
    const done = await app.session.do(async (engine) => {
        let { frames, total } = await engine.ask('bakeBegin', { seconds, fps: BAKE_FPS });
        try {
            while (frames < total) {
                if (!goOn(frames / total)) {
                    await engine.ask('bakeCancel', {});
                    return false;
                }
                ({ frames, total } = await engine.ask('bakeGoOn',
                    { frames: Math.min(FRAMES_AT_ONCE, total - frames) }));
                app.view.setFrame(await engine.frame(1 / BAKE_FPS, 0, app.shown.contacts.shown));
                // On the page's own thread nothing else would be drawn.
                await new Promise((resolve) => setTimeout(resolve));
            }
        } catch (error) {
            await engine.ask('bakeCancel', {}).catch(() => {});
            throw error;
        }
        goOn(1);
        await saveView(engine, await engine.ask('bakeEnd', {}));
        return true;
    });
    --app.session.switching;
    app.loop.look();
    return done ?? false;
}

// ---------------------------------------------------------------------------------------------
// Films

let film: Film | null = null;

export function isFilming(): boolean {
    return film !== null;
}

export async function toggleFilm(app: App): Promise<void> {
    if (!film) {
        try {
            film = new Film(app.view);
        } catch (error) {
            toast((error as Error).message, 'error');
            return;
        }
        if (app.state.mode === 'author' && app.document?.particles) await app.simulate();
        else if (app.state.mode === 'play') app.loop.run(true); // pictures come only from what moves
        toast('Recording. Stop it in the bar above.');
        return;
    }
    const ended = film;
    film = null;
    await app.session.do(async () => {
        const name = `${nameOf(app)}.webm`;
        const content = await ended.stop();
        if (!content.size) throw new Error('The browser recorded nothing: the film is empty');
        saveFile(name, content);
        toast(`Saved ${name}.`);
    });
}
