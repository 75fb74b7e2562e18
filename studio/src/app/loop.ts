// Time. The scene that plays is stepped by the same dt always, as often as real time asks for, and no more than a few
// times for one picture: a machine that is too slow shows slow motion, it does not fall behind ever further.

import type { Frame } from '../core/protocol';
import type { Viewport, ViewSettings } from '../view/types';
import { Between } from './between';
import type { Session } from './session';
import { Signal } from './signal';

export const DT = 1 / 60;
const MOST_STEPS = 3; // for one picture

export class Loop {
    readonly framed = new Signal<Frame>();
    readonly ticked = new Signal<void>(); // each picture
    readonly toggled = new Signal<boolean>();
    speed = 1; // of time: 1/4 is slow motion
    fps = 0;
    stepMilliseconds = 0;
    last: Frame | null = null;

    private previous: Frame | null = null; // the one before the last, as long as they follow each other
    private readonly between = new Between();
    private running = false;
    private due = 0; // s that are still to be stepped
    private before = 0; // ms
    private asked = false;
    private looks = false; // a frame is to be shown though nothing moves
    private singles = 0;
    private pictures = 0;
    private counted = 0; // ms

    constructor(
        private readonly session: Session, private readonly view: Viewport,
        private readonly settings: () => ViewSettings, private readonly isHidden: () => boolean,
    ) {}

    start(): void {
        const tick = (now: number) => {
            requestAnimationFrame(tick);
            this.tick(now);
        };
        requestAnimationFrame(tick);
    }

    get isRunning(): boolean {
        return this.running;
    }

    run(on: boolean): void {
        this.running = on;
        this.due = 0;
        if (!on && this.previous && this.last) this.view.setFrame(this.last);
        this.previous = null;
        this.toggled.emit(on);
    }

    step(): void {
        if (this.running) this.run(false);
        ++this.singles;
    }

    // Another scene begins, or the same one anew: no frame of it is known yet.
    begin(): void {
        this.last = null;
        this.look();
    }

    // Shows the scene as it stands, such as in another view.
    look(): void {
        this.looks = true;
        this.due = 0;
        this.previous = null;
    }

    private tick(now: number): void {
        const passed = Math.min((now - this.before) / 1000, 0.25);
        this.before = now;
        ++this.pictures;
        if (now - this.counted > 500) {
            this.fps = (this.pictures * 1000) / (now - this.counted);
            this.pictures = 0;
            this.counted = now;
        }
        if (this.session.state.mode === 'play' && !this.isHidden()) this.advance(passed);
        this.ticked.emit();
        this.view.render();
    }

    private advance(passed: number): void {
        if (this.running) this.due = Math.min(this.due + passed * this.speed, MOST_STEPS * DT);
        if (this.asked || this.session.switching) return;
        let steps = this.running ? Math.floor(this.due / DT + 1e-6) : 0;
        if (steps) this.due -= steps * DT;
        if (this.singles) {
            steps = 1;
            --this.singles;
        }
        if (steps || this.looks) void this.frame(steps);
        else if (this.running && this.speed < 1 && this.previous && this.last) {
            this.view.setFrame(this.between.frame(this.previous, this.last, Math.min(this.due / DT, 1)));
        }
    }

    private async frame(steps: number): Promise<void> {
        this.asked = true;
        this.looks = false;
        const stage = this.session.state.stage?.revision;
        try {
            const frame = await this.session.engine.frame(DT, steps, this.settings().contacts.shown);
            const { state } = this.session;
            if (state.mode !== 'play' || state.stage?.revision !== stage) return;
            if (steps) {
                const known = this.stepMilliseconds || frame.stepMilliseconds;
                this.stepMilliseconds = known + 0.1 * (frame.stepMilliseconds - known);
            }
            this.previous = steps && this.running ? this.last : null;
            this.last = frame;
            // In slow motion what is shown is a step behind, and on its way to the newest.
            if (this.speed === 1 || !this.previous) this.view.setFrame(frame);
            this.framed.emit(frame);
        } catch (error) {
            this.run(false);
            await this.session.fail(error);
        } finally {
            this.asked = false;
        }
    }
}
