// What tools show in the viewport: brushes, the mirror's plane, the hand that holds a particle, points to come.

import {
    CircleGeometry, Color, DoubleSide, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, PlaneGeometry,
    Quaternion, SphereGeometry, Vector3,
} from 'three';
import type { Sphere } from 'three';
import type { Vec3 } from '../core/protocol';
import { ACCENT, ERASING, HAND, PREVIEW } from './colours';
import { Dots } from './dots';
import { Lines } from './lines';
import { ORDER } from './order';
import type { Brush } from './types';

const SIDES = 72;
const SHADE = new Color(0x06080b);
const FORWARD = new Vector3(0, 0, 1);

// ---------------------------------------------------------------------------------------------
// Brushes

// A ring around the brush, one where its falloff begins, the normal, and a dark ring below that makes it
// visible on any colour.
export class Brushes {
    readonly object = new Group();
    private readonly shade = new Lines({ width: 4.5, overAll: true, order: ORDER.tools });
    private readonly lines = new Lines({ width: 2, overAll: true, order: ORDER.tools + 1 });
    private readonly disc = new CircleGeometry(1, SIDES);
    private readonly discs: Mesh<CircleGeometry, MeshBasicMaterial>[] = [];
    private readonly across = new Vector3();
    private readonly along = new Vector3();

    constructor() {
        this.shade.setOpacity(0.35);
        this.object.add(this.shade.object, this.lines.object);
    }

    set(brushes: Brush[]): void {
        const segments = brushes.length * (2 * SIDES + 1);
        this.shade.setCount(brushes.length * SIDES);
        this.lines.setCount(segments);
        brushes.forEach((brush, i) => this.place(brush, i));
        for (const lines of [this.shade, this.lines]) {
            lines.positionsChanged();
            lines.coloursChanged();
            lines.show(true);
        }
        this.discs.forEach((disc, i) => (disc.visible = i < brushes.length));
    }

    private place(brush: Brush, index: number): void {
        const normal = new Vector3(...brush.normal).normalize();
        const colour = brush.erases ? ERASING : ACCENT;
        const soft = colour.clone().lerp(SHADE, 0.35);
        // Off the surface a little, so that the disc is not in it.
        const centre = new Vector3(...brush.point).addScaledVector(normal, 0.02 * brush.radius);
        if (Math.abs(normal.x) < 0.6) this.across.set(1, 0, 0);
        else this.across.set(0, 1, 0);
        this.across.cross(normal).normalize();
        this.along.crossVectors(normal, this.across);
        const first = index * (2 * SIDES + 1);
        this.ring(this.shade, index * SIDES, centre, brush.radius, SHADE);
        this.ring(this.lines, first, centre, brush.radius, colour);
        this.ring(this.lines, first + SIDES, centre, brush.radius * (1 - brush.falloff), soft);
        const tip = centre.clone().addScaledVector(normal, 0.35 * brush.radius);
        this.lines.setSegment(first + 2 * SIDES, centre.x, centre.y, centre.z, tip.x, tip.y, tip.z);
        this.lines.setColour(first + 2 * SIDES, soft);

        const disc = this.discAt(index);
        disc.position.copy(centre);
        disc.quaternion.setFromUnitVectors(FORWARD, normal);
        disc.scale.setScalar(brush.radius);
        disc.material.color.copy(colour);
    }

    private ring(lines: Lines, first: number, centre: Vector3, radius: number, colour: Color): void {
        const a = new Vector3(), b = new Vector3();
        const at = (i: number, v: Vector3): Vector3 => {
            const angle = (2 * Math.PI * i) / SIDES;
            return v.copy(centre).addScaledVector(this.across, radius * Math.cos(angle))
                .addScaledVector(this.along, radius * Math.sin(angle));
        };
        for (let i = 0; i < SIDES; ++i) {
            at(i, a);
            at(i + 1, b);
            lines.setSegment(first + i, a.x, a.y, a.z, b.x, b.y, b.z);
            lines.setColour(first + i, colour);
        }
    }

    private discAt(index: number): Mesh<CircleGeometry, MeshBasicMaterial> {
        let disc = this.discs[index];
        if (!disc) {
            const material = new MeshBasicMaterial({
                transparent: true, opacity: 0.12, depthTest: false, depthWrite: false, side: DoubleSide,
                toneMapped: false,
            });
            disc = new Mesh(this.disc, material);
            disc.renderOrder = ORDER.tools;
            this.discs[index] = disc;
            this.object.add(disc);
        }
        return disc;
    }

    dispose(): void {
        this.shade.dispose();
        this.lines.dispose();
        this.disc.dispose();
        for (const disc of this.discs) disc.material.dispose();
    }
}

// ---------------------------------------------------------------------------------------------
// Mirror

export class Mirror {
    readonly object = new Group();
    private readonly quad: Mesh<PlaneGeometry, MeshBasicMaterial>;
    private readonly outline = new Lines({ width: 1.2, order: ORDER.mirror });

    constructor() {
        const material = new MeshBasicMaterial({
            color: ACCENT, transparent: true, opacity: 0.08, side: DoubleSide, depthWrite: false, toneMapped: false,
        });
        this.quad = new Mesh(new PlaneGeometry(2, 2), material);
        this.quad.renderOrder = ORDER.mirror;
        this.outline.setCount(4);
        const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
        corners.forEach(([x, y], i) => {
            const [u, v] = corners[(i + 1) % 4]!;
            this.outline.setSegment(i, x!, y!, 0, u!, v!, 0);
            this.outline.setColour(i, ACCENT);
        });
        this.outline.setOpacity(0.7);
        this.outline.show(true);
        this.object.add(this.quad, this.outline.object);
        this.object.visible = false;
    }

    // The plane n·x = offset, as large as the scene.
    set(plane: { normal: Vec3; offset: number } | null, scene: Sphere): void {
        this.object.visible = plane !== null;
        if (!plane) return;
        const normal = new Vector3(...plane.normal);
        const length = normal.length();
        normal.divideScalar(length);
        const height = normal.dot(scene.center) - plane.offset / length;
        this.object.position.copy(scene.center).addScaledVector(normal, -height);
        this.object.quaternion.setFromUnitVectors(FORWARD, normal);
        this.object.scale.setScalar(1.05 * scene.radius);
    }

    dispose(): void {
        this.quad.geometry.dispose();
        this.quad.material.dispose();
        this.outline.dispose();
    }
}

// ---------------------------------------------------------------------------------------------
// Grip

export class Grip {
    readonly object = new Group();
    private readonly line = new Lines({ width: 2, overAll: true, order: ORDER.tools });
    private readonly dots = new Dots({ size: 11, colour: HAND, overAll: true, order: ORDER.tools + 1 });

    constructor() {
        this.object.add(this.line.object, this.dots.object);
    }

    set(grip: { particle: Vec3; hand: Vec3 } | null): void {
        const count = grip ? 1 : 0;
        this.line.setCount(count);
        this.dots.setCount(2 * count);
        if (grip) {
            this.line.setSegment(0, ...grip.particle, ...grip.hand);
            this.line.setColour(0, HAND);
            this.dots.setDot(0, ...grip.particle);
            this.dots.setDot(1, ...grip.hand);
        }
        this.line.positionsChanged();
        this.line.coloursChanged();
        this.dots.changed();
        this.line.show(true);
        this.dots.show(true);
    }

    dispose(): void {
        this.line.dispose();
        this.dots.dispose();
    }
}

// ---------------------------------------------------------------------------------------------
// Preview

export class Preview {
    readonly object = new Group();
    private readonly dots = new Dots({ size: 6, colour: PREVIEW, overAll: true, order: ORDER.preview + 1 });
    private readonly ball = new SphereGeometry(1, 16, 12);
    private readonly material = new MeshBasicMaterial({
        color: PREVIEW, transparent: true, opacity: 0.28, depthWrite: false, toneMapped: false,
    });
    private balls: InstancedMesh | null = null;

    constructor() {
        this.object.add(this.dots.object);
    }

    set(points: Vec3[], radius: number): void {
        this.dots.setCount(points.length);
        points.forEach((point, i) => this.dots.setDot(i, ...point));
        this.dots.changed();
        this.dots.show(true);
        this.reserve(points.length);
        if (!this.balls) return;
        const matrix = new Matrix4(), centre = new Vector3(), turn = new Quaternion(), scale = new Vector3();
        points.forEach((point, i) => {
            matrix.compose(centre.set(...point), turn, scale.setScalar(radius));
            this.balls!.setMatrixAt(i, matrix);
        });
        this.balls.count = points.length;
        this.balls.instanceMatrix.needsUpdate = true;
    }

    private reserve(count: number): void {
        if (this.balls && this.balls.instanceMatrix.count >= count) return;
        if (this.balls) {
            this.object.remove(this.balls);
            this.balls.dispose();
        }
        this.balls = count > 0 ? new InstancedMesh(this.ball, this.material, Math.ceil(1.5 * count)) : null;
        if (!this.balls) return;
        this.balls.frustumCulled = false;
        this.balls.renderOrder = ORDER.preview;
        this.object.add(this.balls);
    }

    dispose(): void {
        this.dots.dispose();
        this.balls?.dispose();
        this.ball.dispose();
        this.material.dispose();
    }
}
