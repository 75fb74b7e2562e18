// The engine in a worker: a loop around engine.ts.

import { LocalEngine, stopped } from './engine';
import type { Call, Progress, Reply, Start } from './messages';
import { CoreError } from './protocol';
import type { Engine, Failure } from './protocol';

const scope = self as unknown as DedicatedWorkerGlobalScope;

let engine: Engine | null = null;
let last = Promise.resolve();
let told = 0; // when the page heard of the call at hand last, or the call began

const INTERVAL = 40; // ms between two tellings of progress

function tell(part: number): void {
    const now = performance.now();
    if (now - told < INTERVAL) return;
    told = now;
    scope.postMessage({ part } satisfies Progress);
}

// Buffers of arrays in a result. All were made for it and go with it, without a copy.
function buffersOf(result: unknown): ArrayBuffer[] {
    if (ArrayBuffer.isView(result)) return [result.buffer as ArrayBuffer];
    if (!result || typeof result !== 'object') return [];
    return Object.values(result).filter(ArrayBuffer.isView).map((array) => array.buffer as ArrayBuffer);
}

const failureOf = (error: unknown): Failure => (error instanceof CoreError ? error : stopped(String(error))).failure;

async function serve(message: Start | Call): Promise<unknown> {
    if ('wasm' in message) {
        engine = await LocalEngine.start(message.wasm, tell);
        return null;
    }
    const call = engine![message.method] as (...parameters: unknown[]) => Promise<unknown>;
    return call.apply(engine, message.parameters);
}

async function answer(message: Start | Call): Promise<void> {
    const id = 'wasm' in message ? 0 : message.id;
    told = performance.now();
    const reply: Reply = await serve(message).then((result) => ({ id, result }),
        (error) => ({ id, failure: failureOf(error) }));
    scope.postMessage(reply, 'result' in reply ? buffersOf(reply.result) : []);
}

scope.onmessage = ({ data }: MessageEvent<Start | Call>) => {
    last = last.then(() => answer(data));
};
