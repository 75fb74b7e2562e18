// glTF files as the tests see them: their JSON, their bytes, and what the Khronos validator says of them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import validator from 'gltf-validator';

const SEVERITIES = ['error', 'warning'];

// Calls of the validator for what a .gltf refers to.
const neighbours = (path) => (uri) =>
    Promise.resolve(new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))));

// Errors and warnings of a file, as lines of text.
export async function problems(path, most = 'warning') {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(path)),
        { uri: path, maxIssues: 10000, externalResourceFunction: neighbours(path) });
    return report.issues.messages
        .filter(({ severity }) => severity <= SEVERITIES.indexOf(most))
        .map(({ code, message, pointer }) => `${code} ${pointer}: ${message}`);
}

function resolve(uri, path) {
    const data = /^data:[^,]*;base64,/.exec(uri);
    if (data) return Buffer.from(uri.slice(data[0].length), 'base64');
    return readFileSync(join(dirname(path), decodeURIComponent(uri)));
}

// The JSON, the bytes of each buffer view and those of each image.
export function openGltf(path) {
    const bytes = readFileSync(path);
    const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
    const length = isBinary ? bytes.readUInt32LE(12) : bytes.length;
    const text = isBinary ? bytes.subarray(20, 20 + length) : bytes;
    const json = JSON.parse(text.toString('utf8').replace(/^\ufeff/, ''));
    const own = isBinary ? bytes.subarray(28 + length) : null;
    const buffers = (json.buffers ?? []).map(({ uri }) => (uri ? resolve(uri, path) : own));
    const views = (json.bufferViews ?? []).map(({ buffer, byteOffset = 0, byteLength }) =>
        buffers[buffer].subarray(byteOffset, byteOffset + byteLength));
    const images = (json.images ?? []).map(({ uri, bufferView }) =>
        (bufferView === undefined ? resolve(uri, path) : views[bufferView]));
    return { json, buffers, views, images, isBinary };
}
