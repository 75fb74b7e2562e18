// What client.ts and worker.ts post to each other.

import type { Engine, Failure } from './protocol';

// The first message to the worker; it answers with a Reply of id 0.
export interface Start {
    wasm: ArrayBuffer;
}

// A call of one of the engine's functions.
export interface Call {
    id: number; // > 0
    method: keyof Engine;
    parameters: unknown[];
}

// Between a call and its reply: how much of it is done.
export interface Progress {
    part: number; // [0, 1]
}

export type Reply = { id: number; result: unknown } | { id: number; failure: Failure };
