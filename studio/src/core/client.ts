// Starts the engine, in a worker or on the page's own thread.

import coreText from 'virtual:core';

import { hasStopped, LocalEngine, stopped } from './engine';
import type { Call, Progress, Reply, Start } from './messages';
import { CoreError } from './protocol';
import type { Command, Engine, Frame, Requests, View } from './protocol';
import CoreWorker from './worker?worker&inline';

// The core's WebAssembly, out of the text that the page carries it as.
async function unpack(): Promise<ArrayBuffer> {
    const packed = Uint8Array.from(atob(coreText), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

interface Waiting {
    resolve(result: unknown): void;
    reject(error: CoreError): void;
}

class WorkerEngine implements Engine {
    progressed: ((part: number) => void) | undefined;
    private readonly waiting = new Map<number, Waiting>();
    private next = 0;
    private end: CoreError | null = null;

    private constructor(private readonly worker: Worker) {
        worker.onmessage = ({ data }: MessageEvent<Reply | Progress>) => {
            if ('part' in data) this.progressed?.(data.part);
            else this.settle(data);
        };
        worker.onerror = (event) => {
            event.preventDefault();
            this.stop(stopped(event.message || 'its worker cannot run'));
        };
        worker.onmessageerror = () => this.stop(stopped('its worker cannot be understood'));
    }

    static async start(wasm: ArrayBuffer): Promise<WorkerEngine> {
        const engine = new WorkerEngine(new CoreWorker());
        await engine.post((): Start => ({ wasm }), [wasm]);
        return engine;
    }

    ask<C extends Command>(command: C, ask: Requests[C]['ask']): Promise<Requests[C]['answer']> {
        return this.call('ask', [command, ask]);
    }

    // The bytes move to the worker: the caller's buffer is empty afterwards.
    putFile(name: string, bytes: ArrayBuffer): Promise<void> {
        return this.call('putFile', [name, bytes], [bytes]);
    }

    view(view: View): Promise<Float32Array | Int32Array | Uint8Array> {
        return this.call('view', [view]);
    }

    block(id: number): Promise<Uint8Array> {
        return this.call('block', [id]);
    }

    putBlock(id: number, bytes: Uint8Array): Promise<void> {
        return this.call('putBlock', [id, bytes]);
    }

    frame(dt: number, steps: number, contacts: boolean): Promise<Frame> {
        return this.call('frame', [dt, steps, contacts]);
    }

    cancel(): void {
        this.stop(stopped('it was cancelled'));
    }

    private call<T>(method: keyof Engine, parameters: unknown[], moved: ArrayBuffer[] = []): Promise<T> {
        return this.post((id): Call => ({ id, method, parameters }), moved) as Promise<T>;
    }

    private post(message: (id: number) => Start | Call, moved: ArrayBuffer[]): Promise<unknown> {
        if (this.end) return Promise.reject(this.end);
        return new Promise((resolve, reject) => {
            const id = this.next++;
            this.worker.postMessage(message(id), moved);
            this.waiting.set(id, { resolve, reject });
        });
    }

    private settle(reply: Reply): void {
        const waiting = this.waiting.get(reply.id);
        this.waiting.delete(reply.id);
        if ('result' in reply) {
            waiting?.resolve(reply.result);
            return;
        }
        const error = new CoreError(reply.failure);
        waiting?.reject(error);
        if (hasStopped(error)) this.stop(error);
    }

    // Nothing more is to be had from this worker: whoever waits is told so.
    private stop(error: CoreError): void {
        this.end ??= error;
        this.progressed = undefined;
        this.worker.terminate();
        for (const { reject } of this.waiting.values()) reject(this.end);
        this.waiting.clear();
    }
}

export async function startEngine(where: 'worker' | 'page'): Promise<Engine> {
    const wasm = await unpack();
    return where === 'worker' ? WorkerEngine.start(wasm) : LocalEngine.start(wasm);
}
