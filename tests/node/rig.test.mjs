// three.js moves the vertices of rigged files as our rig does: at rest, and all along every clip. The folder is
// $PLIANT_ASSETS, or shared/assets beside the project.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

import { openGltf } from './gltf.mjs';
import { assetFolder, diagonal, meshToolPath, rigDumpPath, withFolder } from './pliant.mjs';

const TIMES = 20;
const TOLERANCE = 1e-5; // of the size of what the file shows

// Vertices at rest and, for each clip, its length and the vertices at each of the times.
function ours(path) {
    const output = execFileSync(rigDumpPath(), [path, String(TIMES)], { maxBuffer: 2 ** 31 - 1 });
    const data = output.buffer.slice(output.byteOffset, output.byteOffset + output.byteLength);
    const [clipCount, vertexCount] = new Int32Array(data, 0, 2);
    let offset = 8;
    const take = (count) => {
        const values = new Float32Array(data, offset, count);
        offset += values.byteLength;
        return values;
    };
    if (clipCount < 0) return null;
    const rest = take(3 * vertexCount);
    const clips = Array.from({ length: clipCount }, () => ({
        seconds: take(1)[0],
        moments: Array.from({ length: TIMES }, () => take(3 * vertexCount)),
    }));
    assert.equal(offset, data.byteLength);
    return { rest, clips };
}

function padded(bytes, filler) {
    return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, filler)]);
}

function chunk(kind, bytes) {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(bytes.length, 0);
    header.write(kind, 4, 'latin1');
    return Buffer.concat([header, bytes]);
}

// The same document as one GLB without looks, which three.js cannot load outside a browser.
async function withoutLooks(path) {
    return withFolder((folder) => {
        const copy = join(folder, 'copy.glb');
        execFileSync(meshToolPath(), ['write', path, copy]);
        const { json, buffers } = openGltf(copy);
        for (const list of ['images', 'textures', 'samplers', 'materials']) delete json[list];
        for (const mesh of json.meshes) for (const primitive of mesh.primitives) delete primitive.material;
        delete json.extensionsRequired;
        const text = chunk('JSON', padded(Buffer.from(JSON.stringify(json)), ' '));
        const binary = chunk('BIN\0', padded(buffers[0], 0));
        const header = Buffer.alloc(12);
        header.write('glTF', 0, 'latin1');
        header.writeUInt32LE(2, 4);
        header.writeUInt32LE(12 + text.length + binary.length, 8);
        return Buffer.concat([header, text, binary]);
    });
}

// three.js takes rotations of keys as they are; those of few bits have not quite unit length.
function normaliseRotations(clip) {
    for (const { values, ValueTypeName } of clip.tracks) {
        if (ValueTypeName !== 'quaternion') continue;
        for (let i = 0; i < values.length; i += 4) {
            const length = Math.hypot(...values.subarray(i, i + 4));
            for (let k = i; k < i + 4 && length > 0; ++k) values[k] /= length;
        }
    }
}

async function theirs(path) {
    const bytes = await withoutLooks(path);
    const gltf = await new GLTFLoader().parseAsync(
        bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
    const meshes = [];
    gltf.scene.traverse((object) => object.geometry && meshes.push(object));
    return { gltf, meshes };
}

// The largest distance between three's vertices as they are now and `vertices`.
function largestError(gltf, meshes, vertices) {
    const seen = new THREE.Vector3();
    let worst = 0;
    let at = 0;
    gltf.scene.updateMatrixWorld(true);
    for (const mesh of meshes) {
        mesh.skeleton?.update();
        const { position } = mesh.geometry.attributes;
        for (let i = 0; i < position.count; ++i, at += 3) {
            if (mesh.getVertexPosition) mesh.getVertexPosition(i, seen);
            else seen.fromBufferAttribute(position, i);
            seen.applyMatrix4(mesh.matrixWorld);
            worst = Math.max(worst, Math.hypot(seen.x - vertices[at], seen.y - vertices[at + 1],
                seen.z - vertices[at + 2]));
        }
    }
    assert.equal(at, vertices.length);
    return worst;
}

async function check(t, path) {
    const rig = ours(path);
    if (!rig) return t.diagnostic('no rig');
    const { gltf, meshes } = await theirs(path);
    const size = diagonal(rig.rest, 3);
    let worst = largestError(gltf, meshes, rig.rest);
    assert.ok(worst <= TOLERANCE * size, `at rest: ${worst / size}`);
    assert.equal(gltf.animations.length, rig.clips.length);
    for (const [index, { seconds, moments }] of rig.clips.entries()) {
        const clip = gltf.animations[index];
        assert.ok(Math.abs(clip.duration - seconds) <= 1e-6);
        normaliseRotations(clip);
        const mixer = new THREE.AnimationMixer(gltf.scene);
        mixer.clipAction(clip).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
        for (const [i, vertices] of moments.entries()) {
            mixer.setTime(seconds * i / (TIMES - 1));
            const error = largestError(gltf, meshes, vertices);
            worst = Math.max(worst, error);
            assert.ok(error <= TOLERANCE * size, `${clip.name}, moment ${i}: ${error / size}`);
        }
        mixer.stopAllAction();
    }
    t.diagnostic(`largest difference ${(worst / size).toExponential(2)} of the size, ${rig.clips.length} clips`);
}

const folder = assetFolder();
const isRigged = (json) => json.skins || json.animations || json.meshes?.some((mesh) =>
    mesh.primitives.some(({ targets }) => targets));
if (!existsSync(folder)) {
    test('rigged files of others', (t) => t.diagnostic(`not tested: there is no folder ${folder}`));
} else {
    const files = readdirSync(folder, { recursive: true })
        .filter((name) => /\.(glb|gltf)$/.test(name) && !name.includes('malformed')).sort();
    for (const name of files) {
        const path = join(folder, name);
        const { json } = openGltf(path);
        if (isRigged(json) && !json.extensionsRequired?.includes('KHR_draco_mesh_compression'))
            test(name, (t) => check(t, path));
    }
}
