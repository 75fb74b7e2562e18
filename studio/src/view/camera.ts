// The camera and the mouse that moves it: turning about a target, panning and zooming. What is dragged follows the
// pointer at once; only the wheel's steps are spread over some frames.

import { type Box3, PerspectiveCamera, Vector2, Vector3 } from 'three';
import type { Ray, Vec3 } from '../core/protocol';
import type { Rectangle } from './types';

const STEEPEST = 0.495 * Math.PI;
const TURN = 1.6 * Math.PI; // radians over the height of the canvas
const ZOOM_SPEED = 0.0016; // per pixel of the wheel
const ZOOM_TIME = 50; // ms in which a step of the wheel mostly happens
const FRAME_MARGIN = 1.02;

type Motion = 'turn' | 'pan';

function triple(v: Vector3): Vec3 {
    return [v.x, v.y, v.z];
}

export class CameraControl {
    readonly camera = new PerspectiveCamera(40, 1, 0.01, 100);
    readonly target = new Vector3();
    private yaw = 0.6;
    private pitch = 0.35;
    private distance = 4;
    private sceneRadius = 1;
    private orbit = true;
    private below = 0; // pixels of the canvas's lower rim that something lies over
    private isMoved = false; // by hand, since it was placed
    private motion: Motion | null = null;
    private pointer = -1;
    private readonly last = new Vector2();
    private zoomLeft = 0; // logarithm of the factor still to come
    private zoomTime = 0;
    private readonly zoomCentre = new Vector2();
    private readonly aborter = new AbortController();

    constructor(private readonly canvas: HTMLCanvasElement, private readonly changed: () => void) {
        const signal = this.aborter.signal;
        canvas.addEventListener('pointerdown', (event) => this.down(event), { signal });
        canvas.addEventListener('pointermove', (event) => this.move(event), { signal });
        canvas.addEventListener('pointerup', (event) => this.up(event), { signal });
        canvas.addEventListener('pointercancel', (event) => this.up(event), { signal });
        canvas.addEventListener('wheel', (event) => this.wheel(event), { signal, passive: false });
        canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
        this.place();
    }

    dispose(): void {
        this.aborter.abort();
    }

    setOrbit(enabled: boolean): void {
        this.orbit = enabled;
    }

    // -----------------------------------------------------------------------------------------
    // The mouse

    private motionOf(event: PointerEvent): Motion | null {
        switch (event.button) {
        case 0: return !this.orbit ? null : event.shiftKey ? 'pan' : 'turn';
        case 1: return 'pan';
        case 2: return event.shiftKey || this.orbit ? 'pan' : 'turn';
        default: return null;
        }
    }

    private down(event: PointerEvent): void {
        const motion = this.motionOf(event);
        if (!motion || this.motion) return;
        event.preventDefault();
        this.motion = motion;
        this.pointer = event.pointerId;
        this.last.set(event.clientX, event.clientY);
        this.canvas.setPointerCapture(event.pointerId);
    }

    private move(event: PointerEvent): void {
        if (!this.motion || event.pointerId !== this.pointer) return;
        const dx = event.clientX - this.last.x, dy = event.clientY - this.last.y;
        this.last.set(event.clientX, event.clientY);
        this.isMoved = true;
        if (this.motion === 'turn') this.turn(dx, dy);
        else this.pan(dx, dy);
        this.place();
    }

    private up(event: PointerEvent): void {
        if (event.pointerId === this.pointer) {
            this.motion = null;
            this.pointer = -1;
        }
    }

    private turn(dx: number, dy: number): void {
        const speed = TURN / Math.max(this.canvas.clientHeight, 1);
        this.yaw -= speed * dx;
        this.pitch = Math.min(Math.max(this.pitch + speed * dy, -STEEPEST), STEEPEST);
    }

    private pan(dx: number, dy: number): void {
        const metres = this.pixelsToMetres(this.target, 1);
        const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
        const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
        this.target.addScaledVector(right, -metres * dx).addScaledVector(up, metres * dy);
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1);
        // A pinch on a touch pad comes as a wheel with the control key, in small steps.
        const step = ZOOM_SPEED * (event.ctrlKey ? 6 : 1) * Math.min(Math.max(pixels, -240), 240);
        if (this.zoomLeft === 0) this.zoomTime = performance.now();
        this.isMoved = true;
        this.zoomLeft += step;
        this.zoomCentre.set(event.clientX, event.clientY);
        this.changed();
    }

    // Goes on with what the wheel began; true while there is more to come.
    advance(now: number): boolean {
        if (this.zoomLeft === 0) return false;
        const share = 1 - Math.exp(-Math.max(now - this.zoomTime, 4) / ZOOM_TIME);
        this.zoomTime = now;
        const step = Math.abs(this.zoomLeft) < 1e-3 ? this.zoomLeft : share * this.zoomLeft;
        this.zoomLeft -= step;
        this.zoom(Math.exp(step));
        return this.zoomLeft !== 0;
    }

    // What is under the pointer stays there.
    private zoom(factor: number): void {
        const under = this.vectorAt(this.zoomCentre.x, this.zoomCentre.y, this.target);
        const distance = Math.min(Math.max(this.distance * factor, 0.01 * this.sceneRadius), 60 * this.sceneRadius);
        this.target.lerp(under, 1 - distance / this.distance);
        this.distance = distance;
        this.place();
    }

    // -----------------------------------------------------------------------------------------
    // Where it stands

    private place(): void {
        const c = Math.cos(this.pitch);
        this.camera.position.set(Math.sin(this.yaw) * c, Math.sin(this.pitch), Math.cos(this.yaw) * c);
        this.camera.position.multiplyScalar(this.distance).add(this.target);
        this.camera.lookAt(this.target);
        this.camera.near = 0.01 * this.distance;
        this.camera.far = 60 * this.distance + 30 * this.sceneRadius;
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
        this.changed();
    }

    get range(): number {
        return this.distance;
    }

    setSceneRadius(radius: number): void {
        this.sceneRadius = radius;
        this.place();
    }

    setAspect(aspect: number): void {
        this.camera.aspect = aspect;
        this.place();
    }

    set(eye: Vec3, target: Vec3, verticalFov: number): void {
        const back = new Vector3(...eye).sub(new Vector3(...target));
        this.distance = Math.max(back.length(), 1e-4);
        this.pitch = Math.min(Math.max(Math.asin(back.y / this.distance), -STEEPEST), STEEPEST);
        this.yaw = Math.atan2(back.x, back.z);
        this.target.set(...target);
        this.camera.fov = (verticalFov * 180) / Math.PI;
        this.zoomLeft = 0;
        this.isMoved = false;
        this.place();
    }

    get(): { eye: Vec3; target: Vec3; verticalFov: number } {
        return {
            eye: triple(this.camera.position),
            target: triple(this.target),
            verticalFov: (this.camera.fov * Math.PI) / 180,
        };
    }

    get isMovedByHand(): boolean {
        return this.isMoved;
    }

    // So many pixels of the canvas's lower rim are covered: what is framed or followed keeps off them.
    setBelow(pixels: number): void {
        this.below = pixels;
    }

    // Far enough that each corner is within the four sides of what is free of the picture, and in the middle of that.
    frameBox(minimum: Vec3, maximum: Vec3): void {
        const low = new Vector3(...minimum), high = new Vector3(...maximum);
        const middle = new Vector3().addVectors(low, high).multiplyScalar(0.5);
        const { right, up, back, tangentX, tangentY, covered } = this.frustum();
        const corner = new Vector3();
        let distance = 1e-3;
        for (let i = 0; i < 8; ++i) {
            corner.set(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z).sub(middle);
            const x = (FRAME_MARGIN * Math.abs(corner.dot(right))) / tangentX;
            const y = (FRAME_MARGIN * corner.dot(up)) / tangentY;
            const z = corner.dot(back);
            distance = Math.max(distance, x + z, (y + z) / (1 - covered), ((1 - 2 * covered) * z - y) / (1 - covered));
        }
        this.distance = distance;
        this.target.copy(middle).addScaledVector(up, -covered * tangentY * distance);
        this.zoomLeft = 0;
        this.isMoved = false;
        this.place();
    }

    // Directions of the picture, the tangents of its half sides, and how much of the lower half is covered.
    private frustum() {
        const column = (index: number) => new Vector3().setFromMatrixColumn(this.camera.matrixWorld, index);
        const tangentY = Math.tan((this.camera.fov * Math.PI) / 360);
        return {
            right: column(0), up: column(1), back: column(2), tangentX: tangentY * this.camera.aspect, tangentY,
            covered: Math.min(this.below / Math.max(this.canvas.clientHeight, 1), 0.4),
        };
    }

    // Whether the point is within so many of the picture's half sides.
    sees(point: Vector3, sides: number): boolean {
        const { right, up, back, tangentX, tangentY } = this.frustum();
        const from = point.clone().sub(this.camera.position);
        const reach = -sides * from.dot(back);
        return reach > 0 && Math.abs(from.dot(right)) <= tangentX * reach && Math.abs(from.dot(up)) <= tangentY * reach;
    }

    // Goes `share` of the shortest way to where the box is within `part` of the free picture's half sides: it shifts by
    // what is needed to either side, and draws back when the box is larger than the picture.
    hold(box: Box3, part: number, share: number): void {
        const { right, up, back, tangentX, tangentY, covered } = this.frustum();
        const corners = Array.from({ length: 8 }, (_, i) => {
            const corner = new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                i & 4 ? box.max.z : box.min.z).sub(this.target);
            return [corner.dot(right), corner.dot(up), corner.dot(back)] as const;
        });
        if (corners.some((corner) => !corner.every(Number.isFinite))) return;
        // A corner at depth d is seen when its shift to either side is at most the half side there, t d.
        const shifts = (axis: 0 | 1, distance: number, less: number, more: number): [number, number] => [
            Math.max(...corners.map((corner) => corner[axis] - more * (distance - corner[2]))),
            Math.min(...corners.map((corner) => corner[axis] + less * (distance - corner[2]))),
        ];
        const wide = part * tangentX, high = part * tangentY, low = part * (1 - 2 * covered) * tangentY;
        const nearest = Math.max(...corners.map((corner) => corner[2])) + 0.05 * this.distance;
        let distance = Math.max(this.distance, nearest);
        const [left, toRight] = shifts(0, distance, wide, wide);
        const [down, toUp] = shifts(1, distance, low, high);
        distance += Math.max((left - toRight) / (2 * wide), (down - toUp) / (low + high), 0);
        const nearestIn = ([from, to]: [number, number]) =>
            from > to ? (from + to) / 2 : Math.min(Math.max(0, from), to);
        const across = nearestIn(shifts(0, distance, wide, wide));
        const along = nearestIn(shifts(1, distance, low, high));
        if (distance === this.distance && across === 0 && along === 0) return;
        this.distance += share * (distance - this.distance);
        this.target.addScaledVector(right, share * across).addScaledVector(up, share * along);
        this.place();
    }

    // -----------------------------------------------------------------------------------------
    // Pixels and metres

    private directionAt(x: number, y: number): Vector3 {
        const box = this.canvas.getBoundingClientRect();
        const across = (2 * (x - box.left)) / Math.max(box.width, 1) - 1;
        const along = 1 - (2 * (y - box.top)) / Math.max(box.height, 1);
        return new Vector3(across, along, 0.5).unproject(this.camera).sub(this.camera.position).normalize();
    }

    private vectorAt(x: number, y: number, through: Vector3): Vector3 {
        const direction = this.directionAt(x, y);
        const ahead = this.camera.getWorldDirection(new Vector3());
        const depth = through.clone().sub(this.camera.position).dot(ahead);
        return direction.multiplyScalar(depth / direction.dot(ahead)).add(this.camera.position);
    }

    ray(x: number, y: number): Ray {
        return { origin: triple(this.camera.position), direction: triple(this.directionAt(x, y)) };
    }

    pointAt(x: number, y: number, through: Vec3): Vec3 {
        return triple(this.vectorAt(x, y, new Vector3(...through)));
    }

    pixelsToMetres(point: Vector3, pixels: number): number {
        const ahead = this.camera.getWorldDirection(new Vector3());
        const depth = Math.max(point.clone().sub(this.camera.position).dot(ahead), this.camera.near);
        const height = Math.max(this.canvas.clientHeight, 1);
        return (pixels * 2 * depth * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
    }

    // Each side of the rectangle and the eye make a plane, whose front holds the rectangle's middle.
    planes(box: Rectangle): { planes: [number, number, number, number][]; eye: Vec3 } {
        const canvas = this.canvas.getBoundingClientRect();
        const left = canvas.left + box.left, top = canvas.top + box.top;
        const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) =>
            this.directionAt(left + x! * box.width, top + y! * box.height));
        const middle = this.directionAt(left + box.width / 2, top + box.height / 2);
        const planes = corners.map((corner, i): [number, number, number, number] => {
            const normal = new Vector3().crossVectors(corner, corners[(i + 1) % 4]!).normalize();
            if (normal.dot(middle) < 0) normal.negate();
            return [normal.x, normal.y, normal.z, normal.dot(this.camera.position)];
        });
        return { planes, eye: triple(this.camera.position) };
    }
}
