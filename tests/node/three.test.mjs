// three.js shows a bake as Pliant's own skin is, at every frame.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

import { bake, diagonal, sceneNames, truth } from './pliant.mjs';

const FPS = 30;
const SECONDS = 1;
const TOLERANCE = 1e-4; // of the body's size

async function load(scene) {
    const bytes = await bake(scene, SECONDS, FPS);
    const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const gltf = await new GLTFLoader().parseAsync(data, '');
    const mixer = new THREE.AnimationMixer(gltf.scene);
    // The last key must be shown, not the first one again.
    mixer.clipAction(gltf.animations[0]).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
    const meshes = [];
    gltf.scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
    return { gltf, mixer, meshes };
}

// The largest distance between the mesh's vertices as three sees them and `vertices`.
function vertexError(mesh, vertices) {
    const seen = new THREE.Vector3();
    let worst = 0;
    for (let i = 0; i < vertices.length / 3; ++i) {
        mesh.getVertexPosition(i, seen).applyMatrix4(mesh.matrixWorld);
        worst = Math.max(worst, Math.hypot(seen.x - vertices[3 * i], seen.y - vertices[3 * i + 1],
            seen.z - vertices[3 * i + 2]));
    }
    return worst;
}

// The same for joints and particles: distance, and angle in radians.
function jointError(mesh, poses) {
    const seen = new THREE.Vector3();
    const turned = new THREE.Quaternion();
    let distance = 0;
    let angle = 0;
    mesh.skeleton.bones.forEach((bone, i) => {
        const [x, y, z, ...rotation] = poses.subarray(7 * i, 7 * i + 7);
        bone.getWorldPosition(seen);
        bone.getWorldQuaternion(turned);
        distance = Math.max(distance, Math.hypot(seen.x - x, seen.y - y, seen.z - z));
        angle = Math.max(angle, turned.angleTo(new THREE.Quaternion(...rotation)));
    });
    return { distance, angle };
}

for (const scene of sceneNames) {
    test(`${scene}: three.js agrees at every frame`, async () => {
        const { gltf, mixer, meshes } = await load(scene);
        const steps = Array.from({ length: SECONDS * FPS + 1 }, (_, i) => i);
        const moments = truth(scene, 1 / FPS, steps);
        assert.equal(meshes.length, moments[0].length, 'one skinned mesh for each body');
        assert.ok(Math.abs(gltf.animations[0].duration - SECONDS) < 1e-3);

        let travelled = 0;
        for (const step of steps) {
            mixer.setTime(step / FPS);
            gltf.scene.updateMatrixWorld(true);
            for (const [index, mesh] of meshes.entries()) {
                const { vertices, poses } = moments[step][index];
                const start = moments[0][index];
                mesh.skeleton.update();
                const size = vertices.length
                    ? diagonal(start.vertices, 3)
                    : new THREE.Box3().setFromBufferAttribute(mesh.geometry.attributes.position)
                        .getSize(new THREE.Vector3()).length();
                const at = `${mesh.name}, frame ${step}`;
                if (vertices.length) {
                    assert.equal(mesh.geometry.attributes.position.count, vertices.length / 3, at);
                    const error = vertexError(mesh, vertices);
                    assert.ok(error < TOLERANCE * size, `${at}: ${error} m off at size ${size} m`);
                }
                assert.equal(mesh.skeleton.bones.length, poses.length / 7, at);
                const { distance, angle } = jointError(mesh, poses);
                assert.ok(distance < TOLERANCE * size, `${at}: a joint is ${distance} m off`);
                assert.ok(angle < 1e-3, `${at}: a joint is turned by ${angle} rad`);
                travelled = Math.max(travelled, ...poses.map((p, i) => Math.abs(p - start.poses[i])));
            }
        }
        // A scene that stands still would agree with anything.
        assert.ok(travelled > 1e-2, `nothing moved (${travelled})`);
    });
}
