// Files in and out of the page: dropped, picked, downloaded.

import { hasStopped } from '../core/engine';
import { CoreError } from '../core/protocol';
import type { Engine, State } from '../core/protocol';

export interface NamedFile {
    path: string; // with the folders that were dropped or picked with it, such as "truck/Textures/paint.png"
    file: File;
}

// What can be opened, the likelier one first when several lie side by side: a scene names its models, a .gltf its
// buffers.
export const OPENABLE = ['.json', '.gltf', '.glb', '.obj', '.pliant'];
const MOST_BYTES = 256 * 2 ** 20;

const depth = (path: string) => path.split('/').length;
const rank = (path: string) => OPENABLE.findIndex((ending) => path.toLowerCase().endsWith(ending));

// What the user is to open of these: the one least deep in folders, by kind, then by name. Null when there is none.
export function mainFile(files: NamedFile[]): NamedFile | null {
    const candidates = files.filter(({ path }) => rank(path) >= 0);
    candidates.sort((a, b) => depth(a.path) - depth(b.path) || rank(a.path) - rank(b.path) ||
        (a.path < b.path ? -1 : 1));
    return candidates[0] ?? null;
}

// What could have been opened beside it and is not a part of it, by name: a scene names the models it needs.
export function leftOut(files: NamedFile[]): string[] {
    const main = mainFile(files);
    if (!main || main.path.toLowerCase().endsWith('.json')) return [];
    return files.filter(({ path }) => path !== main.path && rank(path) >= 0 && depth(path) === depth(main.path))
        .map(({ path }) => path);
}

// The path of a file as one in the folder of `main` would write it: "../Textures/paint.png".
export function relativePath(main: string, path: string): string {
    const from = main.split('/').slice(0, -1);
    const to = path.split('/');
    let shared = 0;
    while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) ++shared;
    return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

const refusal = (place: string, message: string) => new CoreError({ code: 'STUDIO_ERROR_FILE', place, message });
const megabytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MB`;

// Opens what was dropped or picked. Fails with a CoreError, and then everything is as it was.
export async function openFiles(engine: Engine, files: NamedFile[]): Promise<State> {
    const main = mainFile(files);
    if (!main) {
        const what = files.length === 1 ? files[0]!.path : `${files.length} files`;
        throw refusal(what, `nothing to open here. The Studio opens ${OPENABLE.join(', ')}`);
    }
    const total = files.reduce((sum, { file }) => sum + file.size, 0);
    if (total > MOST_BYTES)
        throw refusal(main.path, `${megabytes(total)} are more than the ${megabytes(MOST_BYTES)} that can be opened here`);
    const contents = await Promise.all(files.map(async ({ path, file }) => ({ path, bytes: await read(path, file) })));
    try {
        for (const { path, bytes } of contents) await engine.putFile(relativePath(main.path, path), bytes);
    } catch (error) {
        await engine.ask('open', { file: '' }).catch(() => {}); // takes those away that it has got
        throw error;
    }
    const name = relativePath(main.path, main.path);
    return engine.ask('open', { file: name }).catch((error) => { throw at(name, error); });
}

// The core's place is one within the file.
function at(name: string, error: unknown): unknown {
    if (!(error instanceof CoreError) || hasStopped(error)) return error;
    const { failure } = error;
    const knows = failure.place.includes(name) || failure.message.includes(name);
    return knows ? error : new CoreError({ ...failure, place: failure.place ? `${name}: ${failure.place}` : name });
}

async function read(path: string, file: File): Promise<ArrayBuffer> {
    try {
        return await file.arrayBuffer();
    } catch {
        throw refusal(path, 'the browser cannot read this file');
    }
}

// ---------------------------------------------------------------------------------------------
// Dropped

// Two ways into a folder. Chromium's own works in pages from the disk, where its entries do not; other browsers have
// entries alone.
type WithHandle = { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> };

async function filesOfHandle(handle: FileSystemHandle, folder: string): Promise<NamedFile[]> {
    const path = folder + handle.name;
    if (handle.kind === 'file') return [{ path, file: await (handle as FileSystemFileHandle).getFile() }];
    const files: NamedFile[] = [];
    for await (const child of (handle as FileSystemDirectoryHandle).values())
        files.push(...await filesOfHandle(child, `${path}/`));
    return files;
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
    const reader = folder.createReader();
    const all: FileSystemEntry[] = [];
    // A reader gives a hundred at a time.
    for (;;) {
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (some.length === 0) return all;
        all.push(...some);
    }
}

async function filesOfEntry(entry: FileSystemEntry): Promise<NamedFile[]> {
    if (entry.isDirectory) {
        const children = await childrenOf(entry as FileSystemDirectoryEntry);
        return (await Promise.all(children.map(filesOfEntry))).flat();
    }
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\/+/, ''), file }];
}

const withoutFolders = (files: Iterable<File>): NamedFile[] =>
    Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file }));

// To be called while the event is handled: what it holds is gone afterwards.
export async function droppedFiles(data: DataTransfer): Promise<NamedFile[]> {
    const files = Array.from(data.files);
    const items = Array.from(data.items).filter(({ kind }) => kind === 'file');
    const entries = items.map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
    if (!entries.some(({ isDirectory }) => isDirectory)) return withoutFolders(files);
    const handles = items.map((item) => (item as WithHandle).getAsFileSystemHandle?.());
    try {
        const all = handles.some((handle) => handle === undefined) ? entries.map(filesOfEntry)
            : handles.map(async (handle) => filesOfHandle((await handle)!, ''));
        return (await Promise.all(all)).flat();
    } catch {
        throw refusal('', 'the browser cannot read this folder');
    }
}

// ---------------------------------------------------------------------------------------------
// Picked

// Asks for files, or for a folder with all that is in it. Empty when the user wants none.
export function pickFiles(what: 'files' | 'folder' = 'files'): Promise<NamedFile[]> {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.webkitdirectory = what === 'folder';
    return new Promise((resolve) => {
        input.addEventListener('change', () => resolve(withoutFolders(input.files ?? [])));
        input.addEventListener('cancel', () => resolve([]));
        input.click();
    });
}

// ---------------------------------------------------------------------------------------------
// Saved

const KEPT_FOR_DOWNLOAD = 60_000; // ms

export function saveFile(name: string, content: Blob | Uint8Array<ArrayBuffer>): void {
    const blob = content instanceof Blob ? content : new Blob([content], { type: 'application/octet-stream' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT_FOR_DOWNLOAD);
}
