// Frames between two steps: in slow motion steps are too far apart to look like a motion.

import type { Frame } from '../core/protocol';

const POSE = 7; // floats of a pose

function mix(a: Float32Array, b: Float32Array, part: number, into: Float32Array): Float32Array {
    for (let i = 0; i < b.length; ++i) into[i] = a[i]! + part * (b[i]! - a[i]!);
    return into;
}

// Quaternions on the same side, and of unit length again.
function mixPoses(a: Float32Array, b: Float32Array, part: number, into: Float32Array): Float32Array {
    mix(a, b, part, into);
    for (let i = 3; i + 3 < b.length; i += POSE) {
        const dot = a[i]! * b[i]! + a[i + 1]! * b[i + 1]! + a[i + 2]! * b[i + 2]! + a[i + 3]! * b[i + 3]!;
        const side = dot < 0 ? -1 : 1;
        let square = 0;
        for (let k = i; k < i + 4; ++k) {
            into[k] = (1 - part) * a[k]! + part * side * b[k]!;
            square += into[k]! * into[k]!;
        }
        const scale = 1 / Math.sqrt(square || 1);
        for (let k = i; k < i + 4; ++k) into[k] = into[k]! * scale;
    }
    return into;
}

export class Between {
    private room: Pick<Frame, 'positions' | 'normals' | 'poses' | 'colliders'> | null = null;

    // Valid until the next call.
    frame(a: Frame, b: Frame, part: number): Frame {
        const fits = this.room?.positions.length === b.positions.length && this.room.poses.length === b.poses.length &&
            this.room.colliders.length === b.colliders.length;
        this.room = fits ? this.room! : {
            positions: new Float32Array(b.positions.length), normals: new Float32Array(b.normals.length),
            poses: new Float32Array(b.poses.length), colliders: new Float32Array(b.colliders.length),
        };
        const { room } = this;
        return {
            ...b,
            positions: mix(a.positions, b.positions, part, room.positions),
            normals: mix(a.normals, b.normals, part, room.normals),
            poses: mixPoses(a.poses, b.poses, part, room.poses),
            colliders: mixPoses(a.colliders, b.colliders, part, room.colliders),
        };
    }
}
