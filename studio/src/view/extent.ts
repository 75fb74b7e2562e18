// How far everything reaches: what the shadow, the ground and the mirror are fitted to.

import { Box3, Object3D, Sphere, Vector3 } from 'three';
import { PARTICLE_STRIDE, RADII } from './particles';

const SAMPLES = 4096;

export class Extent {
    readonly sphere = new Sphere(new Vector3(), 1);
    private readonly box = new Box3();
    private readonly colliders = new Box3();
    private readonly near = new Box3();
    private readonly point = new Vector3();

    setColliders(colliders: Object3D[]): void {
        this.colliders.makeEmpty();
        for (const collider of colliders) this.colliders.expandByObject(collider);
    }

    measureVertices(positions: Float32Array): void {
        this.box.makeEmpty();
        this.addVertices(positions, 1);
        this.finish();
    }

    // Poses stand in rows of `stride` numbers that begin with the position. Vertices may be far from all particles, where
    // they stay while others move; of many a sample will do.
    measureFrame(particles: Float32Array, poses: Float32Array, stride: number, positions: Float32Array): void {
        this.box.makeEmpty();
        for (let i = 0; i < particles.length / PARTICLE_STRIDE; ++i) {
            const radii = PARTICLE_STRIDE * i + RADII;
            const radius = Math.max(particles[radii]!, particles[radii + 1]!, particles[radii + 2]!);
            this.point.fromArray(poses, stride * i);
            this.box.expandByPoint(this.point.addScalar(radius));
            this.box.expandByPoint(this.point.addScalar(-2 * radius));
        }
        this.addVertices(positions, Math.ceil(positions.length / 3 / SAMPLES));
        this.finish();
    }

    private addVertices(positions: Float32Array, step: number): void {
        for (let i = 0; i < positions.length; i += 3 * step) this.box.expandByPoint(this.point.fromArray(positions, i));
    }

    // Of colliders only what is near the bodies counts.
    private finish(): void {
        if (this.box.isEmpty()) this.box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
        const size = this.box.getSize(this.point).length();
        if (!Number.isFinite(size)) return;
        this.box.expandByScalar(0.04 * size + 1e-3);
        if (!this.colliders.isEmpty()) {
            this.box.union(this.near.copy(this.box).expandByScalar(size).intersect(this.colliders));
        }
        this.box.getBoundingSphere(this.sphere);
    }
}
