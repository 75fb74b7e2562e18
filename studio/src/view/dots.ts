// Round dots of some pixels' size.

import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Points, ShaderMaterial } from 'three';

const VERTEX = /* glsl */ `
    uniform float size;
    uniform float bias;
    #ifdef COLOURED
    attribute vec3 color;
    #endif
    uniform vec3 colour;
    varying vec3 dotColour;

    void main() {
        #ifdef COLOURED
        dotColour = color;
        #else
        dotColour = colour;
        #endif
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        gl_Position.z -= bias * gl_Position.w;
        gl_PointSize = size;
    }
`;

const FRAGMENT = /* glsl */ `
    uniform float opacity;
    varying vec3 dotColour;

    void main() {
        float r = 2.0 * length(gl_PointCoord - 0.5);
        float soft = fwidth(r);
        float inside = 1.0 - smoothstep(1.0 - soft, 1.0, r);
        if (inside <= 0.0) discard;
        float rim = smoothstep(0.62, 0.62 + soft + 0.08, r);
        gl_FragColor = vec4(dotColour * (1.0 - 0.75 * rim), opacity * inside);
        #include <colorspace_fragment>
    }
`;

export interface DotStyle {
    size: number; // CSS pixels
    colour: Color | null; // null: one each
    overAll?: boolean; // seen through everything
    order: number; // of drawing
}

export class Dots {
    readonly object: Points<BufferGeometry, ShaderMaterial>;
    private count = 0;
    private room = 0;

    constructor(private readonly style: DotStyle) {
        const material = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            uniforms: {
                size: { value: style.size },
                bias: { value: style.overAll ? 0 : 0.002 },
                colour: { value: style.colour ?? new Color(1, 1, 1) },
                opacity: { value: 1 },
            },
            defines: style.colour ? {} : { COLOURED: '' },
            transparent: true,
            depthWrite: false,
            depthTest: !style.overAll,
            toneMapped: false,
        });
        this.object = new Points(new BufferGeometry(), material);
        this.object.frustumCulled = false;
        this.object.renderOrder = style.order;
        this.object.visible = false;
        this.object.onBeforeRender = (renderer): void => {
            material.uniforms.size!.value = this.style.size * renderer.getPixelRatio();
        };
    }

    setCount(count: number): void {
        if (count > this.room) {
            this.room = Math.max(16, Math.ceil(1.5 * count));
            this.object.geometry.dispose();
            this.object.geometry = new BufferGeometry();
            for (const name of this.style.colour ? ['position'] : ['position', 'color']) {
                const attribute = new BufferAttribute(new Float32Array(3 * this.room), 3);
                this.object.geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
            }
        }
        this.count = count;
        this.object.geometry.setDrawRange(0, count);
    }

    setDot(i: number, x: number, y: number, z: number): void {
        (this.object.geometry.attributes.position as BufferAttribute).setXYZ(i, x, y, z);
    }

    setColour(i: number, colour: Color): void {
        (this.object.geometry.attributes.color as BufferAttribute).setXYZ(i, colour.r, colour.g, colour.b);
    }

    changed(): void {
        for (const attribute of Object.values(this.object.geometry.attributes)) {
            (attribute as BufferAttribute).needsUpdate = true;
        }
    }

    setOpacity(opacity: number): void {
        this.object.material.uniforms.opacity!.value = opacity;
    }

    show(shown: boolean): void {
        this.object.visible = shown && this.count > 0;
    }

    // Frees the buffers: they come back with the next count.
    clear(): void {
        this.object.geometry.dispose();
        this.object.geometry = new BufferGeometry();
        this.count = this.room = 0;
        this.object.visible = false;
    }

    dispose(): void {
        this.object.geometry.dispose();
        this.object.material.dispose();
    }
}
