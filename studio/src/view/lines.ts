// Line segments of some pixels' width, in buffers that are written in place and only grow.

import type { Color, InterleavedBufferAttribute } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

export interface LineStyle {
    width: number; // CSS pixels
    overAll?: boolean; // seen through everything
    order: number; // of drawing
}

export class Lines {
    readonly object: LineSegments2;
    private positions = new Float32Array(0);
    private colours = new Float32Array(0);
    private readonly material: LineMaterial;

    constructor(private readonly style: LineStyle) {
        this.material = new LineMaterial({ vertexColors: true, toneMapped: false, linewidth: style.width });
        if (style.overAll) {
            this.material.depthTest = false;
            this.material.depthWrite = false;
            this.material.transparent = true;
        }
        this.object = new LineSegments2(new LineSegmentsGeometry(), this.material);
        this.object.frustumCulled = false;
        this.object.renderOrder = style.order;
        this.object.visible = false;
    }

    // Room for that many segments and no others; what was in them is lost when they grow.
    setCount(count: number): void {
        if (6 * count > this.positions.length) {
            const room = Math.max(16, Math.ceil(1.5 * count));
            this.positions = new Float32Array(6 * room);
            this.colours = new Float32Array(6 * room);
            this.object.geometry.dispose();
            this.object.geometry = new LineSegmentsGeometry();
            this.object.geometry.setPositions(this.positions);
            this.object.geometry.setColors(this.colours);
        }
        this.object.geometry.instanceCount = count;
    }

    setSegment(i: number, ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
        const p = this.positions, k = 6 * i;
        p[k] = ax;
        p[k + 1] = ay;
        p[k + 2] = az;
        p[k + 3] = bx;
        p[k + 4] = by;
        p[k + 5] = bz;
    }

    setColour(i: number, colour: Color): void {
        colour.toArray(this.colours, 6 * i);
        colour.toArray(this.colours, 6 * i + 3);
    }

    positionsChanged(): void {
        this.upload('instanceStart');
    }

    coloursChanged(): void {
        this.upload('instanceColorStart');
    }

    private upload(name: string): void {
        const attribute = this.object.geometry.attributes[name] as InterleavedBufferAttribute | undefined;
        if (attribute) attribute.data.needsUpdate = true;
    }

    setOpacity(opacity: number): void {
        this.material.opacity = opacity;
        this.material.transparent = opacity < 1 || this.style.overAll === true;
    }

    // An empty geometry has no buffers to draw from.
    show(shown: boolean): void {
        this.object.visible = shown && this.positions.length > 0 && this.object.geometry.instanceCount > 0;
    }

    // Frees the buffers: they come back with the next count.
    clear(): void {
        this.object.geometry.dispose();
        this.object.geometry = new LineSegmentsGeometry();
        this.positions = this.colours = new Float32Array(0);
        this.object.visible = false;
    }

    dispose(): void {
        this.object.geometry.dispose();
        this.material.dispose();
    }
}
