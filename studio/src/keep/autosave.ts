// Keeps the document's history and the page's settings in the browser, so that a reload loses nothing. A history is
// made of blocks of bytes that many entries share: only those that are not kept yet are written, those that no entry
// needs any more are removed, and the list of entries changes in the same transaction.
//
// Numbers of blocks mean something to one core only. Each core's have therefore an owner's mark of their own; who finds
// another's mark puts everything of its own in place of everything there. So of two open pages the last one to save is
// kept, whole.

import { CoreError } from '../core/protocol';
import type { Engine, HistoryContent } from '../core/protocol';
import { done, openDatabase, result } from './database';

export type Settings = Record<string, unknown>; // anything that can be cloned

export interface Kept {
    history: HistoryContent;
    blocks: Map<number, Uint8Array>;
    settings: Settings;
}

interface Stored {
    owner: string;
    history: HistoryContent;
    settings: Settings;
}

const DATABASE = 'pliant-studio';
const RECORDS = 'records';
const BLOCKS = 'blocks';
const PRESENT = 'present'; // key of the only record
const DELAY = 400; // ms
const MOST_TRIES = 5;

let database: Promise<IDBDatabase> | null = null;
let tell: (message: string) => void = () => {};
let hasTold = false;
let wanted: { engine: Engine; settings: Settings } | null = null;
let timer = 0;
let last = -Infinity; // ms, when a save began
let wholes = 0; // at work, see asWhole
let writing: Promise<void> = Promise.resolve();

// What this page has kept so far.
let owned: { engine: Engine; owner: string; blocks: Set<number> } | null = null;

const open = () => database ??= openDatabase(DATABASE, [RECORDS, BLOCKS]);

// Work goes on without being kept; one message is enough.
function fail(error: unknown): void {
    if (hasTold) return;
    hasTold = true;
    const reason = error instanceof DOMException && error.name === 'QuotaExceededError'
        ? 'the browser has no more room for it' : 'the browser does not allow it here';
    tell(`Your work is not kept when the page is closed: ${reason}. Export what you need.`);
}

function needed(history: HistoryContent): Set<number> {
    return new Set(history.entries.flatMap(({ blocks }) => blocks));
}

function newOwner(engine: Engine): typeof owned {
    const random = crypto.getRandomValues(new Uint32Array(4));
    return { engine, owner: random.join('-'), blocks: new Set() };
}

// True when it is kept, false when the blocks that `owned` tells of are not there: another page has saved.
async function write(mine: NonNullable<typeof owned>, record: Stored, fresh: Map<number, Uint8Array>): Promise<boolean> {
    const transaction = (await open()).transaction([RECORDS, BLOCKS], 'readwrite');
    const end = done(transaction);
    const blocks = transaction.objectStore(BLOCKS);
    const records = transaction.objectStore(RECORDS);
    const present: Stored | undefined = await result(records.get(PRESENT));
    if (present && present.owner !== mine.owner && record.history.entries.length === 0) {
        await end;
        return true; // nothing is no reason to lose work, such as when it could not be restored
    }
    if (present?.owner !== mine.owner) {
        if (mine.blocks.size > 0) {
            await end;
            return false;
        }
        blocks.clear();
    }
    const all = needed(record.history);
    for (const [id, bytes] of fresh) blocks.put(bytes, id);
    for (const id of mine.blocks) if (!all.has(id)) blocks.delete(id);
    records.put(record, PRESENT);
    transaction.commit();
    await end;
    mine.blocks = all;
    return true;
}

// One try; false when the history changed meanwhile, or somebody else has saved.
async function tryToSave(engine: Engine, settings: Settings): Promise<boolean> {
    if (owned?.engine !== engine) owned = newOwner(engine);
    const mine = owned!;
    const history = await engine.ask('history', {});
    const fresh = new Map<number, Uint8Array>();
    for (const id of needed(history)) {
        if (mine.blocks.has(id)) continue;
        const bytes = await engine.block(id).catch(() => null);
        if (!bytes) return false;
        fresh.set(id, bytes);
    }
    if (await write(mine, { owner: mine.owner, history, settings }, fresh)) return true;
    mine.blocks = new Set();
    return false;
}

async function saveWanted(): Promise<void> {
    for (let tries = 0; wanted && tries < MOST_TRIES; ++tries) {
        const now = wanted;
        try {
            if (!await tryToSave(now.engine, now.settings)) continue;
        } catch (error) {
            // An engine that failed is the business of those who work with it.
            if (!(error instanceof CoreError)) fail(error);
        }
        if (wanted === now) wanted = null;
    }
}

// Saves what waits, unless it is half of a whole; resolved when it is kept or cannot be.
export function flush(): Promise<void> {
    return wholes ? writing : saveNow();
}

function saveNow(): Promise<void> {
    clearTimeout(timer);
    timer = 0;
    last = performance.now();
    return writing = writing.then(saveWanted);
}

// At once or, shortly after another save, a little later with what comes until then. To be called after every change.
export function save(engine: Engine, settings: Settings): void {
    wanted = { engine, settings: structuredClone(settings) };
    if (!wholes) schedule();
}

function schedule(): void {
    timer ||= setTimeout(saveNow, Math.max(0, last + DELAY - performance.now())) as unknown as number;
}

// Several commands that belong together: nothing is saved between them.
export async function asWhole<T>(work: () => Promise<T>): Promise<T> {
    ++wholes;
    try {
        const isDue = wanted && performance.now() - last > DELAY;
        clearTimeout(timer);
        timer = 0;
        await (isDue ? saveNow() : writing);
        return await work();
    } finally {
        if (--wholes === 0 && wanted) schedule();
    }
}

// What was kept; null when there is nothing or it cannot be had.
export async function load(): Promise<Kept | null> {
    try {
        const transaction = (await open()).transaction([RECORDS, BLOCKS]);
        const [record, ids, contents] = await Promise.all([
            result<Stored | undefined>(transaction.objectStore(RECORDS).get(PRESENT)),
            result(transaction.objectStore(BLOCKS).getAllKeys()),
            result<Uint8Array[]>(transaction.objectStore(BLOCKS).getAll()),
        ]);
        if (!record) return null;
        const blocks = new Map(ids.map((id, i) => [id as number, contents[i]!]));
        for (const id of needed(record.history)) if (!blocks.has(id)) return null;
        return { history: record.history, blocks, settings: record.settings };
    } catch (error) {
        fail(error);
        return null;
    }
}

// Whether what is kept is this engine's: neither another page's, nor nothing because the browser keeps nothing.
export async function isKept(engine: Engine): Promise<boolean> {
    if (owned?.engine !== engine) return false;
    try {
        const records = (await open()).transaction([RECORDS]).objectStore(RECORDS);
        const present = await result<Stored | undefined>(records.get(PRESENT));
        return present?.owner === owned.owner;
    } catch {
        return false;
    }
}

// Forgets everything that was kept.
export async function clear(): Promise<void> {
    wanted = null;
    await flush();
    owned = null;
    try {
        const transaction = (await open()).transaction([RECORDS, BLOCKS], 'readwrite');
        transaction.objectStore(RECORDS).clear();
        transaction.objectStore(BLOCKS).clear();
        await done(transaction);
    } catch (error) {
        fail(error);
    }
}

// Whom to tell when nothing can be kept. Also saves what waits as soon as the page may be going.
export function startAutosave(listener: (message: string) => void): void {
    tell = listener;
    addEventListener('pagehide', () => void flush());
    document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'hidden') void flush();
    });
}
