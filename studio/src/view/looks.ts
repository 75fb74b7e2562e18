// What View.looks holds, sorted: the primitives of each body, colliders, planes.

import {
    Line, LineLoop, LineSegments, Material, Mesh, MeshLambertMaterial, MeshPhysicalMaterial,
    MeshStandardMaterial, Object3D, Plane, Points, Texture, Vector3,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';

export type Drawn = Mesh | Points | Line | LineSegments | LineLoop;

export interface Looks {
    bodies: Drawn[][]; // the primitives of each, in their order
    colliders: Object3D[];
    planes: Plane[]; // bodies are where n·x + constant >= 0
}

interface NodeDef {
    name?: string;
    mesh?: number;
    skin?: number;
}

function primitivesOf(object: Object3D): Drawn[] {
    return ('geometry' in object ? [object] : object.children) as Drawn[];
}

// Planes come last in the file and share one mesh; colliders have one each.
function countPlanes(backdrop: NodeDef[]): number {
    const last = backdrop[backdrop.length - 1];
    let count = 0;
    while (count < backdrop.length && backdrop[backdrop.length - 1 - count]!.mesh === last?.mesh) ++count;
    return last?.name === `plane ${count - 1}` ? count : 0;
}

function planeOf(node: Object3D): Plane {
    const normal = new Vector3(0, 1, 0).applyQuaternion(node.quaternion);
    return new Plane().setFromNormalAndCoplanarPoint(normal, node.position);
}

// A mesh of the file apart from its node, so that bodies and colliders that share one do not share changes to it.
async function loadPrimitives(parser: GLTFParser, mesh: number): Promise<Drawn[]> {
    return primitivesOf((await parser.getDependency('mesh', mesh)) as Object3D);
}

export async function loadLooks(bytes: Uint8Array): Promise<Looks> {
    const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
    const gltf = await new GLTFLoader().parseAsync(whole as ArrayBuffer, '');
    const nodes = (gltf.parser.json as { nodes?: NodeDef[] }).nodes ?? [];
    const bodies: Drawn[][] = [];
    const backdrop: { def: NodeDef; object: Object3D }[] = [];
    for (const [index, def] of nodes.entries()) {
        if (def.mesh === undefined) continue;
        if (def.skin !== undefined) bodies.push(await loadPrimitives(gltf.parser, def.mesh));
        else backdrop.push({ def, object: (await gltf.parser.getDependency('node', index)) as Object3D });
    }
    const planes = countPlanes(backdrop.map((node) => node.def));
    const objects = backdrop.map((node) => node.object);
    return {
        bodies,
        colliders: objects.slice(0, objects.length - planes),
        planes: objects.slice(objects.length - planes).map(planeOf),
    };
}

// ---------------------------------------------------------------------------------------------
// Materials

const BODY_NORMAL_MAPS = ['normalScale', 'clearcoatNormalScale'] as const;

// Tangents of the file do not move with the body; without them the shader takes those of the texture's coordinates,
// whose second axis points the other way.
export function withoutTangents(material: Material): Material {
    if (!(material instanceof MeshStandardMaterial)) return material;
    const copy = material.clone();
    for (const name of BODY_NORMAL_MAPS) {
        const scale = (copy as MeshPhysicalMaterial)[name] as { y: number } | undefined;
        if (scale) scale.y *= -1;
    }
    return copy;
}

// The same colours and texture, cheap to draw and without need of an environment.
export function simplify(material: Material): Material {
    if (!(material instanceof MeshStandardMaterial)) return material;
    return new MeshLambertMaterial({
        color: material.color,
        map: material.map,
        emissive: material.emissive,
        emissiveMap: material.emissiveMap,
        vertexColors: material.vertexColors,
        side: material.side,
        transparent: material.transparent,
        opacity: material.opacity,
        alphaTest: material.alphaTest,
        depthWrite: material.depthWrite,
        flatShading: material.flatShading,
    });
}

function texturesOf(material: Material): Texture[] {
    return Object.values(material).filter((value) => value instanceof Texture);
}

// Takes it off the graphics card; it comes back when it is drawn.
export function forgetMaterial(material: Material): void {
    for (const texture of texturesOf(material)) texture.dispose();
    material.dispose();
}

// With its textures and their pictures, for good.
export function disposeMaterial(material: Material): void {
    for (const texture of texturesOf(material)) {
        const picture: unknown = texture.source.data;
        if (typeof ImageBitmap !== 'undefined' && picture instanceof ImageBitmap) picture.close();
    }
    forgetMaterial(material);
}
