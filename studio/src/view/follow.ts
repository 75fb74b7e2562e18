// What leaves the picture is followed: the camera shifts and draws back, and keeps its direction. Only what was in the
// picture or close beside it at the beginning counts, so that a scene that shows a part of itself goes on to do so; and
// a body that falls away into the depth is let go.

import { Box3, Vector3 } from 'three';
import type { BodyState } from '../core/protocol';
import type { CameraControl } from './camera';
import { POSE_STRIDE } from './particles';

const SOFT = 0.88; // of the picture's half sides: what is beyond is followed gently
const HARD = 0.98; // and beyond this at once
const BESIDE = 1.5; // half sides within which a body counts at the beginning
const TIME = 400; // ms in which a gentle move mostly happens
const DEPTH = 4; // extents of the scene below which nothing is followed

export class Follow {
    private followed: BodyState[] | null = null; // null before the first frame
    private lowest = -Infinity;
    private before = 0; // ms
    private readonly box = new Box3();
    private readonly all = new Box3();
    private readonly point = new Vector3();

    constructor(private readonly control: CameraControl) {}

    // Another scene.
    forget(): void {
        this.followed = null;
    }

    // Vertices and poses of all bodies, as they are now.
    look(bodies: BodyState[], positions: Float32Array, poses: Float32Array, now: number): void {
        if (!this.followed) this.begin(bodies, positions, poses);
        const share = 1 - Math.exp(-Math.min(Math.max(now - this.before, 0), TIME) / TIME);
        this.before = now;
        if (this.control.isMovedByHand) return;
        this.all.makeEmpty();
        for (const body of this.followed!) {
            this.measure(body, positions, poses);
            if (this.box.max.y > this.lowest) this.all.union(this.box);
        }
        if (this.all.isEmpty()) return;
        this.control.hold(this.all, SOFT, share);
        this.control.hold(this.all, HARD, 1);
    }

    private begin(bodies: BodyState[], positions: Float32Array, poses: Float32Array): void {
        this.all.makeEmpty();
        this.followed = bodies.filter((body) => {
            this.measure(body, positions, poses);
            this.all.union(this.box);
            return !this.box.isEmpty() && this.control.sees(this.box.getCenter(this.point), BESIDE);
        });
        this.lowest = this.all.min.y - DEPTH * this.all.getSize(this.point).length();
    }

    // The body's vertices, or its particles' centres where it has none.
    private measure(body: BodyState, positions: Float32Array, poses: Float32Array): void {
        const hasSkin = body.vertices > 0;
        const from = hasSkin ? positions : poses;
        const stride = hasSkin ? 3 : POSE_STRIDE;
        const first = hasSkin ? body.firstVertex : body.firstParticle;
        const count = hasSkin ? body.vertices : body.particles;
        this.box.makeEmpty();
        for (let i = first; i < first + count; ++i) this.box.expandByPoint(this.point.fromArray(from, stride * i));
    }
}
