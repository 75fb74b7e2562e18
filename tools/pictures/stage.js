// A bake on a stage: with ground, sun and fog, at any moment, seen through the file's own camera.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

export const BACKGROUND = 0xf4f2ee;

// Everything that moves, over the whole animation: what light and ground have to cover.
function boundsOverTime(root, show, seconds) {
    const bounds = new THREE.Box3();
    const vertex = new THREE.Vector3();
    for (let moment = 0; moment <= 8; ++moment) {
        show((seconds * moment) / 8);
        root.updateMatrixWorld(true);
        root.traverse((object) => {
            if (!object.isSkinnedMesh) return;
            object.skeleton.update();
            const count = object.geometry.attributes.position.count;
            for (let i = 0; i < count; i += Math.max(1, count >> 9))
                bounds.expandByPoint(object.getVertexPosition(i, vertex).applyMatrix4(object.matrixWorld));
        });
    }
    return bounds;
}

// The sun stands to the viewer's left and a little behind him, so that shadows are seen.
function addLight(scene, bounds, camera) {
    const centre = bounds.getCenter(new THREE.Vector3());
    const radius = bounds.getSize(new THREE.Vector3()).length() * 0.5 + 0.1;
    const right = new THREE.Vector3(1, 0, 0).transformDirection(camera.matrixWorld).setY(0).normalize();
    const toViewer = right.clone().cross(new THREE.Vector3(0, 1, 0));
    const place = (light, x, y, z) => {
        const direction = new THREE.Vector3(0, y, 0).addScaledVector(right, x).addScaledVector(toViewer, z);
        light.position.copy(centre).add(direction.setLength(radius * 3.5));
        light.target.position.copy(centre);
        scene.add(light, light.target);
    };
    scene.add(new THREE.HemisphereLight(0xffffff, 0xd8cfc2, 1.5));
    place(new THREE.DirectionalLight(0xdfe9ff, 0.6), 1, 0.4, 0.6);

    const sun = new THREE.DirectionalLight(0xfff4e2, 2.4);
    place(sun, -0.75, 1, 0.3);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 5;
    sun.shadow.normalBias = radius * 0.01;
    const lit = sun.shadow.camera;
    lit.left = lit.bottom = -radius * 1.4;
    lit.right = lit.top = radius * 1.4;
    lit.near = radius;
    lit.far = radius * 7;
}

// A quiet material with lines every half metre. Planes are scaled squares, so the scale is put back in.
function groundMaterial() {
    const material = new THREE.MeshStandardMaterial({ color: 0xe9e5de, roughness: 1 });
    material.onBeforeCompile = (shader) => {
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;')
            .replace('#include <begin_vertex>', `#include <begin_vertex>
                vPlace = position * vec3(length(modelMatrix[0]), 1.0, length(modelMatrix[2]));`);
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;')
            .replace('#include <color_fragment>', `#include <color_fragment>
                vec2 place = vPlace.xz * 2.0;
                vec2 width = fwidth(place) * 1.2;
                vec2 line = smoothstep(width, vec2(0.0), abs(fract(place - 0.5) - 0.5));
                float fade = clamp(1.0 - max(width.x, width.y) * 2.0, 0.0, 1.0);
                diffuseColor.rgb *= 1.0 - 0.3 * fade * max(line.x, line.y);`);
    };
    return material;
}

// A bake scales nothing but planes.
function isPlane(object) {
    return object.isMesh && object.scale.x !== 1;
}

// What hangs in the air still gets a ground below, for its shadow.
function addMissingGround(root, bounds) {
    let planes = 0;
    root.traverse((object) => {
        planes += isPlane(object) ? 1 : 0;
    });
    if (planes > 0) return;
    const size = bounds.getSize(new THREE.Vector3()).length();
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2));
    ground.scale.set(size, 1, size);
    bounds.getCenter(ground.position).setY(bounds.min.y - 0.05 * size);
    root.add(ground);
}

// Plays the clip up to any moment. The last key is a moment to show, not the start of the next round.
function createPlayer(root, clip) {
    const mixer = new THREE.AnimationMixer(root);
    const action = mixer.clipAction(clip).setLoop(THREE.LoopOnce).play();
    action.clampWhenFinished = true;
    return (time) => {
        action.paused = false; // it was, if the last key has been shown
        mixer.setTime(time);
    };
}

// Level ground reaches to where the fog hides its end.
function dress(object) {
    object.frustumCulled = false;
    object.receiveShadow = true;
    object.castShadow = !isPlane(object);
    if (!isPlane(object)) return;
    object.material = groundMaterial();
    const up = new THREE.Vector3(0, 1, 0).applyQuaternion(object.quaternion);
    if (up.y > 0.99) object.scale.multiply(new THREE.Vector3(10, 1, 10));
}

export async function openStage(url, aspect) {
    const gltf = await new GLTFLoader().loadAsync(url);
    const [clip] = gltf.animations;
    const show = createPlayer(gltf.scene, clip);
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(BACKGROUND);
    scene.add(gltf.scene);
    const bounds = boundsOverTime(gltf.scene, show, clip.duration);
    addMissingGround(gltf.scene, bounds);
    gltf.scene.traverse((object) => {
        if (object.isMesh) dress(object);
    });

    const [camera] = gltf.cameras;
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    addLight(scene, bounds, camera);
    const distance = camera.getWorldPosition(new THREE.Vector3())
        .distanceTo(bounds.getCenter(new THREE.Vector3()));
    scene.fog = new THREE.Fog(BACKGROUND, distance * 1.3, distance * 4);
    return { scene, camera, seconds: clip.duration, show };
}

export function createRenderer(canvas, width, height) {
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    renderer.setPixelRatio(2);
    renderer.setSize(width, height, false);
    renderer.shadowMap.enabled = true;
    renderer.toneMapping = THREE.ACESFilmicToneMapping;
    renderer.toneMappingExposure = 1.05;
    renderer.setClearColor(BACKGROUND);
    return renderer;
}
