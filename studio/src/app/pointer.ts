// The left button: a tool's stroke while authoring, the hand that grabs and throws while playing, and the camera's
// wherever there is nothing to take hold of. Who is under the pointer only the core knows, so a press is held back
// until it has said so.

import type { Vec3 } from '../core/protocol';
import type { Brush } from '../view/types';
import { mirrored } from '../tools/parameters';
import type { Hit, Stroke } from '../tools/tool';
import type { App } from './app';

interface Place {
    x: number;
    y: number;
    shift: boolean;
    ctrl: boolean;
}

function placeOf(event: PointerEvent): Place {
    return { x: event.clientX, y: event.clientY, shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey };
}

// The left button from down to up, on a tool's or the hand's behalf. It may be over before the core has answered.
interface Press {
    pointer: number;
    path: Place[]; // where it came to until the answer
    isOver: boolean;
}

export class Pointer {
    private readonly passed = new WeakSet<Event>(); // presses given back to the camera
    private stroke: Stroke | null = null;
    private press: Press | null = null;
    private newest: Place | null = null; // the last one that nobody has looked at yet; none when the pointer has left
    private looking = false;
    private last: Hit | null = null;
    private held: { body: number; particle: number; point: Vec3; drags: boolean; next: Vec3 | null } | null = null;

    constructor(private readonly app: App, private readonly host: HTMLElement) {
        host.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
        host.addEventListener('pointermove', (event) => this.move(event));
        host.addEventListener('pointerup', (event) => this.up(event));
        host.addEventListener('pointercancel', (event) => this.up(event));
        host.addEventListener('pointerleave', () => this.leave());
        // Where it is seen from is kept, too.
        host.addEventListener('pointerup', () => app.keep());
        host.addEventListener('wheel', () => app.keep(), { passive: true });
        app.toolChanged.on(() => this.ring());
        app.parametersChanged.on(() => this.ring());
        app.session.changed.on(({ mode }) => {
            if (mode !== 'author') this.letGo();
            if (mode !== 'play') this.open();
            this.orbit();
        });
    }

    // Shift may have been pressed without a move.
    modifiers(shift: boolean): void {
        if (!this.last || this.last.shift === shift) return;
        this.last = { ...this.last, shift };
        this.ring();
    }

    private down(event: PointerEvent): void {
        if (this.passed.has(event) || event.button !== 0) return;
        if (event.altKey) {
            this.app.view.setOrbit(true);
            window.setTimeout(() => this.orbit());
            return;
        }
        const { mode } = this.app.state;
        if (mode === 'empty' || this.press) return;
        event.stopPropagation();
        event.preventDefault();
        (document.activeElement as HTMLElement | null)?.blur?.();
        const press = { pointer: event.pointerId, path: [], isOver: false };
        this.press = press;
        this.host.setPointerCapture(event.pointerId);
        void (mode === 'author' ? this.begin(event, press) : this.grab(event, press))
            .catch((error) => this.app.session.fail(error));
    }

    private move(event: PointerEvent): void {
        const place = placeOf(event);
        if (this.held) return this.dragTo(place);
        if (this.stroke) this.stroke.pixels?.(place.x, place.y);
        else this.press?.path.push(place);
        if (this.app.state.mode === 'author' && !(event.buttons && !this.press)) {
            this.newest = place;
            void this.look();
        }
    }

    private up(event: PointerEvent): void {
        if (event.pointerId !== this.press?.pointer) return;
        this.press.isOver = true;
        this.press = null;
        this.stroke?.end();
        this.stroke = null;
        if (this.held) void this.release();
    }

    // A stroke ends with what it was made on.
    private letGo(): void {
        this.stroke?.end();
        this.stroke = null;
        this.newest = null;
        this.last = null;
    }

    // The hand, without telling the core: what it held may be gone.
    private open(): void {
        this.held = null;
        this.app.view.setGrip(null);
        this.host.classList.remove('grabs');
    }

    private leave(): void {
        if (this.press) return;
        this.newest = null;
        this.last = null;
        this.app.view.setBrushes([]);
        this.app.view.setTargets({});
        this.app.tool.hover?.(this.app, null);
    }

    // ------------------------------------------------------------------------------------- Authoring

    private async begin(event: PointerEvent, press: Press): Promise<void> {
        const hit = await this.hitAt(placeOf(event));
        if (this.app.state.mode !== 'author') return;
        const stroke = this.app.tool.begin(this.app, hit);
        if (!stroke) return this.giveBack(event, press);
        for (const { x, y } of press.path) stroke.pixels?.(x, y);
        if (press.isOver) stroke.end();
        else this.stroke = stroke;
    }

    private async hitAt(place: Place): Promise<Hit> {
        const ray = this.app.view.ray(place.x, place.y);
        return { ...place, ray, pick: await this.app.session.engine.ask('pick', ray) };
    }

    // One question at a time, always about the newest place.
    private async look(): Promise<void> {
        if (this.looking) return;
        this.looking = true;
        try {
            while (this.newest && this.app.state.mode === 'author') {
                const place: Place = this.newest;
                const hit = await this.hitAt(place);
                if (this.app.state.mode !== 'author' || !this.newest) break;
                if (this.newest === place) this.newest = null;
                this.last = hit;
                this.ring();
                if (this.stroke) this.stroke.surface?.(hit);
                else {
                    this.app.tool.hover?.(this.app, hit);
                    this.app.view.setTargets(this.app.tool.targets?.(this.app, hit) ?? {});
                }
            }
        } catch {
            this.last = null; // a change on its way will tell what is wrong
        } finally {
            this.looking = false;
        }
    }

    private ring(): void {
        const { app } = this;
        const surface = this.last?.pick.surface;
        if (!surface || !app.tool.hasBrush(app) || app.state.mode !== 'author') {
            app.view.setBrushes([]);
            return;
        }
        const { brush, mirror } = app.parameters;
        const ring: Brush = {
            point: surface.point, normal: surface.normal, radius: brush.radius,
            falloff: app.tool.fades ? brush.falloff : 0, erases: this.last?.shift ?? false,
        };
        const rings = [ring];
        if (mirror.on) {
            rings.push({ ...ring, point: mirrored(ring.point, mirror), normal: mirrored(ring.normal, mirror, true) });
        }
        app.view.setBrushes(rings);
    }

    // The camera gets the press that it has not seen.
    private giveBack(event: PointerEvent, press: Press): void {
        if (press.isOver) return;
        this.press = null;
        this.host.releasePointerCapture(event.pointerId);
        const again = new PointerEvent('pointerdown', {
            bubbles: true, cancelable: true, composed: true, pointerId: event.pointerId,
            pointerType: event.pointerType, isPrimary: event.isPrimary, button: 0, buttons: 1,
            clientX: event.clientX, clientY: event.clientY, screenX: event.screenX, screenY: event.screenY,
            ctrlKey: event.ctrlKey, shiftKey: event.shiftKey, metaKey: event.metaKey,
        });
        this.passed.add(again);
        this.app.view.setOrbit(true);
        event.target?.dispatchEvent(again);
        this.orbit();
    }

    // While a tool has the left button, the right one turns.
    private orbit(): void {
        this.app.view.setOrbit(this.app.state.mode !== 'author');
    }

    // ------------------------------------------------------------------------------------- Playing

    private async grab(event: PointerEvent, press: Press): Promise<void> {
        const { engine } = this.app.session;
        const { held } = await engine.ask('grab', this.app.view.ray(event.clientX, event.clientY));
        if (!held) return this.giveBack(event, press);
        if (press.isOver) {
            // Another press has asked for a hold of its own already.
            if (!this.press) await engine.ask('release', {});
            return;
        }
        this.held = { ...held, drags: false, next: null };
        this.app.grabbed = held.body;
        this.app.view.setGrip({ particle: held.point, hand: held.point });
        this.host.classList.add('grabs');
        const newest = press.path.at(-1);
        if (newest) this.dragTo(newest);
    }

    // As fast as the core takes it; places in between are left out.
    private dragTo({ x, y }: Place): void {
        const held = this.held;
        if (!held) return;
        held.point = held.next = this.app.view.pointAt(x, y, held.point);
        this.showGrip();
        if (held.drags) return;
        held.drags = true;
        void (async () => {
            while (held.next && this.held === held) {
                const next = held.next;
                held.next = null;
                await this.app.session.engine.ask('drag', { point: next });
            }
        })().catch((error) => this.app.session.fail(error)).finally(() => {
            held.drags = false;
        });
    }

    // Also with each frame: the particle moves while the hand rests.
    showGrip(): void {
        const { held } = this;
        if (!held) return;
        const { last } = this.app.loop;
        const body = this.app.state.stage?.bodies[held.body];
        const at = ((body?.firstParticle ?? 0) + held.particle) * 7;
        const particle: Vec3 = last && body && at + 2 < last.poses.length
            ? [last.poses[at]!, last.poses[at + 1]!, last.poses[at + 2]!] : held.point;
        this.app.view.setGrip({ particle, hand: held.point });
    }

    private async release(): Promise<void> {
        this.open();
        await this.app.session.engine.ask('release', {}).catch((error) => this.app.session.fail(error));
    }
}
