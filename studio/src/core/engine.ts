// The core's WebAssembly behind the interface of protocol.ts, on the thread that it is called on. Calls are finished
// when they return, so requests run one at a time, in their order.

import { CoreError, View } from './protocol';
import type { Command, Engine, Failure, Frame, Requests } from './protocol';

// Of a CoreError after which the engine answers no more: it is to be started anew, from what was kept.
export const STOPPED = 'STUDIO_ERROR_STOPPED';

// What studio/core/exports.c exports. Numbers are addresses, sizes and truths.
interface Exports {
    memory: WebAssembly.Memory;
    _initialize?(): void;
    begin(): number;
    text_room(size: number): number;
    command(size: number): number;
    answer(): number;
    answer_size(): number;
    file_room(size: number): number;
    view(kind: View): number;
    view_count(): number;
    advance(dt: number, steps: number): void;
    skin(): void;
    frame(): number;
    block(id: number): number;
    block_size(): number;
    block_room(id: number, size: number): number;
}

const INTEGERS = new Set([View.triangles, View.edges]);
const BYTES = new Set([View.looks, View.selectedVertices, View.selectedParticles, View.unboundVertices, View.file]);

// Members of studio_frame, doubles.
const FRAME_SIZE = 7;

const outOfMemory = (place: string) => new CoreError({ code: 'PLIANT_ERROR_MEMORY', place, message: 'out of memory' });

export const stopped = (reason: string) =>
    new CoreError({ code: STOPPED, place: '', message: `the core stopped working: ${reason}` });

// Whether the engine that failed so answers no more.
export const hasStopped = (error: unknown) => error instanceof CoreError && error.failure.code === STOPPED;

// A trap, or a stack that is used up, leaves the core's memory in the middle of a change.
const isTrap = (error: unknown) => error instanceof WebAssembly.RuntimeError ||
    (error instanceof RangeError && /stack|recursion/i.test(error.message));

export class LocalEngine implements Engine {
    private readonly encoder = new TextEncoder();
    private readonly decoder = new TextDecoder();
    private end: CoreError | null = null;

    private constructor(private readonly core: Exports) {}

    // `progress` is called while the core works, many times a second.
    static async start(wasm: BufferSource, progress: (part: number) => void = () => {}): Promise<LocalEngine> {
        const { instance } = await WebAssembly.instantiate(wasm, { page: { progress } });
        const engine = new LocalEngine(instance.exports as unknown as Exports);
        engine.call(() => {
            engine.core._initialize?.();
            if (!engine.core.begin()) throw outOfMemory('');
        });
        return engine;
    }

    async ask<C extends Command>(command: C, ask: Requests[C]['ask']): Promise<Requests[C]['answer']> {
        const succeeded = this.call((core) => core.command(this.putText(JSON.stringify({ [command]: ask }))));
        const answer = JSON.parse(this.decoder.decode(
            this.call((core) => this.bytes(core.answer(), core.answer_size()))));
        if (!succeeded) throw new CoreError(answer as Failure);
        return answer;
    }

    async putFile(name: string, bytes: ArrayBuffer): Promise<void> {
        this.call((core) => {
            this.putText(name);
            this.putBytes(core.file_room(bytes.byteLength), new Uint8Array(bytes), name);
        });
    }

    async view(view: View): Promise<Float32Array | Int32Array | Uint8Array> {
        return this.call(() => this.copyView(view));
    }

    async block(id: number): Promise<Uint8Array> {
        return this.call((core) => {
            const address = core.block(id);
            if (!address)
                throw new CoreError({ code: 'PLIANT_ERROR_ARGUMENT', place: `block ${id}`, message: 'there is none' });
            return this.bytes(address, core.block_size()).slice();
        });
    }

    async putBlock(id: number, bytes: Uint8Array): Promise<void> {
        this.call((core) => this.putBytes(core.block_room(id, bytes.length), bytes, `block ${id}`));
    }

    async frame(dt: number, steps: number, contacts: boolean): Promise<Frame> {
        return this.call((core) => {
            const begin = performance.now();
            if (steps > 0) core.advance(dt, steps);
            const stepped = performance.now();
            core.skin();
            const skinned = performance.now();
            const address = core.frame();
            const [time, count, contactCount, sleeping, frozen, saturated, substeps] =
                new Float64Array(core.memory.buffer, address, FRAME_SIZE) as unknown as
                [number, number, number, number, number, number, number];
            return {
                positions: this.copyView(View.positions) as Float32Array,
                normals: this.copyView(View.normals) as Float32Array,
                poses: this.copyView(View.poses) as Float32Array,
                colliders: this.copyView(View.colliders) as Float32Array,
                contacts: contacts ? this.copyView(View.contacts) as Float32Array : null,
                time, steps: count, contactCount, sleeping, frozen, saturated, substeps,
                stepMilliseconds: steps > 0 ? (stepped - begin) / steps : 0,
                skinMilliseconds: skinned - stepped,
            };
        });
    }

    // Once the core trapped nothing of it may be used again.
    private call<T>(use: (core: Exports) => T): T {
        if (this.end) throw this.end;
        try {
            return use(this.core);
        } catch (error) {
            // Only this side throws other range errors: when there is no room for a copy.
            if (!isTrap(error)) throw error instanceof RangeError ? outOfMemory('') : error;
            this.end = stopped((error as Error).message);
            throw this.end;
        }
    }

    // The core's memory as it is now: every call may make it grow, and views taken before are empty then.
    private bytes(address: number, size: number): Uint8Array {
        return new Uint8Array(this.core.memory.buffer, address >>> 0, size >>> 0);
    }

    private putBytes(address: number, bytes: Uint8Array, place: string): void {
        if (!address) throw outOfMemory(place);
        this.bytes(address, bytes.length).set(bytes);
    }

    // How many bytes it has.
    private putText(text: string): number {
        const bytes = this.encoder.encode(text);
        this.putBytes(this.core.text_room(bytes.length), bytes, 'request');
        return bytes.length;
    }

    private copyView(view: View): Float32Array | Int32Array | Uint8Array {
        const address = this.core.view(view) >>> 0;
        const count = address ? this.core.view_count() >>> 0 : 0;
        const { buffer } = this.core.memory;
        if (BYTES.has(view)) return new Uint8Array(buffer, address, count).slice();
        if (INTEGERS.has(view)) return new Int32Array(buffer, address, count).slice();
        return new Float32Array(buffer, address, count).slice();
    }
}
