// The bodies' meshes. The core moves the vertices: positions and normals of all bodies lie in two arrays, of which each
// primitive shows a range.

import {
    BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, Line, LineLoop, LineSegments, Material,
    Mesh, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial, Points, Sphere,
} from 'three';
import type { BodyState } from '../core/protocol';
import { SELECTED, TARGET, heat } from './colours';
import { Dots } from './dots';
import { disposeMaterial, simplify, withoutTangents } from './looks';
import type { Drawn } from './looks';
import { ORDER } from './order';
import { NO_VERTICES, type VertexRange, type ViewSettings } from './types';

const MOVING = ['position', 'normal', 'tangent', 'skinIndex', 'skinWeight'];

// Lines of the wireframe and dots lie on the surface: it is drawn a little behind itself.
const BEHIND = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };

// The materials of the file, and how they were there.
interface OwnMaterial {
    material: Material;
    opacity: number;
    transparent: boolean;
}

interface Primitive {
    first: number; // vertex
    geometry: BufferGeometry;
    object: Drawn;
    material: Material;
    depths: Mesh | null; // drawn before a transparent surface, so that only its front is seen
    wires: Mesh | null;
    heat: BufferGeometry | null; // the same with the heat map's colours
}

function sameKind(source: Drawn, geometry: BufferGeometry, material: Material): Drawn {
    if (source instanceof Points) return new Points(geometry, material);
    if (source instanceof LineSegments) return new LineSegments(geometry, material);
    if (source instanceof LineLoop) return new LineLoop(geometry, material);
    if (source instanceof Line) return new Line(geometry, material);
    return new Mesh(geometry, material);
}

export class Bodies {
    readonly object = new Group();
    readonly positions: Float32Array;
    private readonly normals: Float32Array;
    private colours: Float32Array | null = null; // of the heat map, once it is asked for
    private readonly primitives: Primitive[] = [];
    private readonly own: OwnMaterial[] = [];
    private readonly taken = new Map<Material, Material>(); // of the file, which primitives may share, and ours of it
    private readonly depthMaterial = new MeshBasicMaterial({ colorWrite: false, ...BEHIND });
    private readonly wireMaterial = new MeshBasicMaterial({
        wireframe: true, transparent: true, opacity: 0.25, color: 0xe4edf7, depthWrite: false, toneMapped: false,
    });
    private readonly heatMaterial: Material;
    private readonly moving: BufferAttribute[] = [];
    private weights: Float32Array | null = null;
    private heatIsStale = true;
    private readonly selected = new Dots({ size: 7, colour: SELECTED, order: ORDER.vertices });
    private selection: number[] = [];
    private readonly targets = new Dots({ size: 9, colour: TARGET, order: ORDER.vertices + 1 });
    private targeted = NO_VERTICES;

    constructor(
        looks: Drawn[][], bodies: BodyState[], positions: Float32Array, normals: Float32Array,
        private readonly light: boolean,
    ) {
        this.positions = positions.slice();
        this.normals = normals.slice();
        this.heatMaterial = light
            ? new MeshLambertMaterial({ vertexColors: true, ...BEHIND })
            : new MeshStandardMaterial({ vertexColors: true, roughness: 0.7, ...BEHIND });
        for (const [index, body] of bodies.entries()) {
            if (body.vertices === 0) continue;
            const sources = looks[index] ?? [];
            for (const [k, range] of body.primitives.entries()) {
                const source = sources[k];
                if (source) this.add(source, body.firstVertex + range.firstVertex, range.vertices);
            }
        }
        this.object.add(this.selected.object, this.targets.object);
    }

    private range(array: Float32Array, first: number, count: number): BufferAttribute {
        const attribute = new BufferAttribute(array.subarray(3 * first, 3 * (first + count)), 3);
        return attribute.setUsage(DynamicDrawUsage);
    }

    private add(source: Drawn, first: number, count: number): void {
        const geometry = new BufferGeometry();
        geometry.setIndex(source.geometry.index);
        for (const [name, attribute] of Object.entries(source.geometry.attributes)) {
            if (!MOVING.includes(name)) geometry.setAttribute(name, attribute);
        }
        const position = this.range(this.positions, first, count);
        const normal = this.range(this.normals, first, count);
        this.moving.push(position, normal);
        geometry.setAttribute('position', position);
        geometry.setAttribute('normal', normal);
        // Vertices go anywhere: nothing is ever culled by where they began.
        geometry.boundingSphere = new Sphere(undefined, Infinity);

        const material = this.ownMaterial(source);
        const object = sameKind(source, geometry, material);
        object.frustumCulled = false;
        object.renderOrder = ORDER.mesh;
        object.castShadow = object.receiveShadow = object instanceof Mesh;
        const isSurface = object instanceof Mesh;
        const depths = isSurface ? new Mesh(geometry, this.depthMaterial) : null;
        const wires = isSurface ? new Mesh(geometry, this.wireMaterial) : null;
        if (depths && wires) {
            depths.frustumCulled = wires.frustumCulled = false;
            depths.renderOrder = ORDER.meshDepths;
            wires.renderOrder = ORDER.wireframe;
            this.object.add(depths, wires);
        }
        this.object.add(object);
        this.primitives.push({ first, geometry, object, material, depths, wires, heat: null });
    }

    private ownMaterial(source: Drawn): Material {
        const given = source.material as Material;
        const known = this.taken.get(given);
        if (known) return known;
        const hasTangents = source.geometry.attributes.tangent !== undefined;
        let material = hasTangents ? withoutTangents(given) : given;
        if (this.light) material = simplify(material);
        Object.assign(material, BEHIND);
        material.shadowSide = DoubleSide; // a sheet has a shadow whichever side is towards the sun
        this.taken.set(given, material);
        this.own.push({ material, opacity: material.opacity, transparent: material.transparent });
        return material;
    }

    // False when it is of another scene.
    setVertices(positions: Float32Array, normals: Float32Array): boolean {
        if (positions.length !== this.positions.length || normals.length !== this.normals.length) return false;
        this.positions.set(positions);
        this.normals.set(normals);
        for (const attribute of this.moving) attribute.needsUpdate = true;
        this.moveSelection();
        this.moveTargets();
        return true;
    }

    setSelection(vertices: Uint8Array | null): void {
        this.selection = [];
        vertices?.forEach((isSelected, vertex) => {
            if (isSelected && 3 * vertex < this.positions.length) this.selection.push(vertex);
        });
        this.selected.setCount(this.selection.length);
        this.moveSelection();
        this.selected.show(true);
    }

    private moveSelection(): void {
        this.selection.forEach((vertex, i) => this.setDot(this.selected, i, vertex));
        this.selected.changed();
    }

    setTargets({ first, count }: VertexRange): void {
        if (first === this.targeted.first && count === this.targeted.count) return;
        this.targeted = { first, count: Math.max(Math.min(count, this.positions.length / 3 - first), 0) };
        this.targets.setCount(this.targeted.count);
        this.moveTargets();
        this.targets.show(true);
    }

    private moveTargets(): void {
        const { first, count } = this.targeted;
        for (let i = 0; i < count; ++i) this.setDot(this.targets, i, first + i);
        this.targets.changed();
    }

    private setDot(dots: Dots, i: number, vertex: number): void {
        const p = this.positions;
        dots.setDot(i, p[3 * vertex]!, p[3 * vertex + 1]!, p[3 * vertex + 2]!);
    }

    setWeights(weights: Float32Array | null, view: ViewSettings): void {
        this.weights = weights;
        this.heatIsStale = true;
        this.setView(view);
    }

    private heatOf(primitive: Primitive): BufferGeometry {
        if (primitive.heat) return primitive.heat;
        const { first, geometry } = primitive;
        const copy = (primitive.heat = new BufferGeometry());
        const count = geometry.attributes.position!.count;
        this.colours ??= new Float32Array(this.positions.length);
        copy.setIndex(geometry.index);
        copy.setAttribute('position', geometry.attributes.position!);
        copy.setAttribute('normal', geometry.attributes.normal!);
        copy.setAttribute('color', this.range(this.colours, first, count));
        copy.boundingSphere = geometry.boundingSphere;
        return copy;
    }

    private updateHeat(): void {
        if (!this.heatIsStale || !this.colours) return;
        this.heatIsStale = false;
        const colour = new Color();
        for (let i = 0; i < this.colours.length / 3; ++i) {
            heat(this.weights?.[i] ?? 0, colour).toArray(this.colours, 3 * i);
        }
        for (const primitive of this.primitives) {
            if (primitive.heat) (primitive.heat.attributes.color as BufferAttribute).needsUpdate = true;
        }
    }

    setView(view: ViewSettings): void {
        const { shown, opacity } = view.mesh;
        const transparent = opacity < 1;
        for (const { material, ...was } of this.own) {
            material.opacity = was.opacity * opacity;
            material.transparent = was.transparent || transparent;
            material.needsUpdate = true;
        }
        this.heatMaterial.transparent = this.depthMaterial.transparent = transparent;
        this.heatMaterial.opacity = opacity;
        this.heatMaterial.needsUpdate = true;
        for (const primitive of this.primitives) {
            primitive.object.visible = shown;
            primitive.object.material = view.weights ? this.heatMaterial : primitive.material;
            primitive.object.geometry = view.weights ? this.heatOf(primitive) : primitive.geometry;
            if (primitive.depths) primitive.depths.visible = shown && transparent;
            if (primitive.wires) primitive.wires.visible = view.wireframe;
        }
        if (view.weights) this.updateHeat();
    }

    dispose(): void {
        for (const primitive of this.primitives) {
            primitive.geometry.dispose();
            primitive.heat?.dispose();
        }
        for (const [given, material] of this.taken) {
            disposeMaterial(material);
            disposeMaterial(given);
        }
        this.depthMaterial.dispose();
        this.wireMaterial.dispose();
        this.heatMaterial.dispose();
        this.selected.dispose();
        this.targets.dispose();
    }
}
