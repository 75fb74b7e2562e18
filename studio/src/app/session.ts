// The engine, the newest state, and the order in which things are asked: one change after another, each shown before
// the next one begins. What fails leaves the work as it was and is told.

import { startEngine } from '../core/client';
import { hasStopped } from '../core/engine';
import { CoreError, type Command, type Engine, type Requests, type State } from '../core/protocol';
import { asWhole, flush, isKept, load, type Settings } from '../keep/autosave';
import { Signal } from './signal';

export type Where = 'worker' | 'page';

// Commands that answer with the state.
export type Change = { [C in Command]: Requests[C]['answer'] extends State ? C : never }[Command];

export const SLOW = 180; // ms, from when on it is shown that something goes on

export class Session {
    readonly changed = new Signal<State>(); // shown already
    readonly failed = new Signal<string>();
    readonly noted = new Signal<string>();
    readonly busy = new Signal<boolean>();
    readonly progress = new Signal<number>(); // the part that is done of what goes on
    readonly restarted = new Signal<void>(); // the engine is a new one
    // A change is on its way after which other arrays are shown: frames have to wait for it.
    switching = 0;

    private queue: Promise<unknown> = Promise.resolve();
    private waiting = 0;
    private starting: Promise<void> | null = null;
    private cancels = 0;
    private told = 0; // the part that was told last
    private cancelling = false;
    private wholes: Promise<unknown> = Promise.resolve();
    private stage = { begin: 0, end: 1 }; // of the whole, or all there is
    private before: { cancels: number; state: State } | null = null; // of a whole that is under way

    private constructor(
        public engine: Engine, public state: State, private readonly where: Where,
        private readonly show: (state: State) => Promise<void>,
    ) {
        this.listen();
    }

    static async start(where: Where, show: (state: State) => Promise<void>): Promise<Session> {
        const engine = await startEngine(where);
        return new Session(engine, await engine.ask('state', {}), where, show);
    }

    // Does something with the engine when all that was asked before is done; null when it failed.
    do<T>(work: (engine: Engine) => Promise<T>): Promise<T | null> {
        const slow = window.setTimeout(() => this.busy.emit(true), SLOW);
        const cancels = this.before?.cancels ?? this.cancels;
        ++this.waiting;
        const result = this.queue.then(async () => {
            try {
                this.tell(0);
                return cancels === this.cancels ? await work(this.engine) : null;
            } catch (error) {
                await this.fail(error);
                return null;
            } finally {
                window.clearTimeout(slow);
                if (--this.waiting === 0) this.busy.emit(false);
            }
        });
        this.queue = result;
        return result;
    }

    // Several changes that are one to who waits for them: cancelled, they leave the work as it was before the first. `work`
    // says which part of the whole comes next. One whole waits for another.
    whole(work: (enter: (begin: number, end: number) => void) => Promise<void>): Promise<void> {
        const result = this.wholes.then(() => this.doWhole(work));
        this.wholes = result.catch(() => {});
        return result;
    }

    private async doWhole(work: (enter: (begin: number, end: number) => void) => Promise<void>): Promise<void> {
        const slow = window.setTimeout(() => this.busy.emit(true), SLOW);
        this.before = { cancels: this.cancels, state: this.state };
        this.told = 0;
        this.tell(0); // what was told last is of another work
        ++this.waiting;
        try {
            await flush();
            await asWhole(() => work((begin, end) => {
                this.stage = { begin, end };
            }));
        } finally {
            this.before = null;
            this.stage = { begin: 0, end: 1 };
            window.clearTimeout(slow);
            if (--this.waiting === 0) this.busy.emit(false);
        }
    }

    private listen(): void {
        this.engine.progressed = (part) => this.tell(part);
    }

    // That a part of the stage at hand is done. What belongs to a whole may ask several things in a stage: it never falls.
    private tell(part: number): void {
        const { begin, end } = this.stage;
        const now = begin + (end - begin) * part;
        this.told = this.before ? Math.max(this.told, now) : now;
        this.progress.emit(this.told);
    }

    // A change of the work or of what is shown.
    change(work: (engine: Engine) => Promise<State>): Promise<State | null> {
        ++this.switching;
        return this.do(async (engine) => {
            const state = await work(engine);
            await this.take(state);
            return state;
        }).finally(() => --this.switching);
    }

    // The same for one command that answers with the state.
    command<C extends Change>(command: C, ask: Requests[C]['ask']): Promise<State | null> {
        return this.change((engine) => engine.ask(command, ask) as Promise<State>);
    }

    // A change of how a scene plays; frames go on meanwhile. Who changes it tells when it is done.
    async settings(settings: Requests['settings']['ask']): Promise<void> {
        await this.do(async (engine) => {
            this.state = await engine.ask('settings', settings);
        });
    }

    async refresh(): Promise<void> {
        await this.change((engine) => engine.ask('state', {}));
    }

    // What was kept the last time; its settings, when there was something.
    async restore(): Promise<Settings | null> {
        const kept = await load();
        if (!kept) return null;
        const state = await this.change(async (engine) => {
            for (const [id, bytes] of kept.blocks) await engine.putBlock(id, bytes);
            return engine.ask('restore', kept.history);
        });
        return state ? kept.settings : null;
    }

    // Whether all that was asked for is done, shown and told.
    get isIdle(): boolean {
        return this.waiting === 0;
    }

    get canCancel(): boolean {
        return this.waiting > 0 && !this.cancelling && this.engine.cancel !== undefined;
    }

    // Gives up what goes on and all that waits for it: another core goes on from what was kept.
    async cancel(): Promise<void> {
        const { engine } = this;
        const { history } = this.before?.state ?? this.state;
        if (history.labels.length && !await isKept(engine)) {
            this.failed.emit('This cannot be cancelled: the browser does not keep your work, and it would be lost.');
            return;
        }
        if (!this.canCancel || engine !== this.engine) return;
        ++this.cancels;
        this.cancelling = true;
        try {
            engine.cancel?.();
            await this.startAgain();
            this.noted.emit('Cancelled. Your work is as it was before.');
        } finally {
            this.cancelling = false;
        }
    }

    async fail(error: unknown): Promise<void> {
        if (hasStopped(error)) {
            if (this.cancelling) return this.startAgain();
            const reason = sentence((error as Error).message);
            this.failed.emit(`${reason} It was started again with your work as it was kept last.`);
            await this.startAgain();
            return;
        }
        if (!(error instanceof CoreError)) console.error(error);
        this.failed.emit(sentence(error instanceof Error ? error.message : String(error)));
        // Of several commands some may have been done.
        const state = await this.engine.ask('state', {}).catch(() => null);
        if (state) await this.take({ ...state, notes: [] }).catch((again) => console.error(again));
    }

    private async take(state: State): Promise<void> {
        this.state = state;
        await this.show(state);
        for (const note of state.notes) this.noted.emit(sentence(note));
        this.changed.emit(state);
    }

    // Once, however many questions the stopped core left without an answer.
    private startAgain(): Promise<void> {
        this.starting ??= this.start().finally(() => {
            this.starting = null;
        });
        return this.starting;
    }

    private async start(): Promise<void> {
        this.engine = await startEngine(this.where);
        this.listen();
        this.restarted.emit();
        try {
            const kept = await load();
            for (const [id, bytes] of kept?.blocks ?? []) await this.engine.putBlock(id, bytes);
            await this.take(kept ? await this.engine.ask('restore', kept.history) : await this.engine.ask('state', {}));
        } catch (error) {
            // What was kept stops the core, too: begin with nothing rather than never.
            if (hasStopped(error)) {
                this.engine = await startEngine(this.where);
                this.listen();
            }
            this.failed.emit('Your work could not be restored.');
            await this.take(await this.engine.ask('state', {}));
        }
    }
}

// Begins with a capital, unless it begins with the name of a place, and ends with a stop.
function sentence(text: string): string {
    const trimmed = text.trim();
    const full = /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
    return /^[^\s]*[:.[]/.test(full) ? full : full.charAt(0).toUpperCase() + full.slice(1);
}
