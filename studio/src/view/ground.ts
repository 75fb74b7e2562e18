// What lies under and behind everything: a calm gradient, and planes as ground with a fine grid that fades out.

import {
    BufferAttribute, BufferGeometry, Color, Float32BufferAttribute, Group, Material, Mesh, MeshBasicMaterial,
    MeshStandardMaterial, Plane, ShaderMaterial, Vector3,
} from 'three';
import { ORDER } from './order';

// ---------------------------------------------------------------------------------------------
// Background

const TOP = new Color(0x353b45);
const MIDDLE = new Color(0x23272e);
const BOTTOM = new Color(0x15171b);

// Light: nothing but the gradient, of colours that need no conversion.
export function makeBackground(light: boolean): Mesh {
    const [top, middle, bottom] = [TOP, MIDDLE, BOTTOM].map((colour) =>
        ({ value: light ? colour.clone().convertLinearToSRGB() : colour }));
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    const material = new ShaderMaterial({
        depthTest: false,
        depthWrite: false,
        toneMapped: false,
        defines: light ? {} : { FINE: '' },
        uniforms: { top: top!, middle: middle!, bottom: bottom! },
        vertexShader: /* glsl */ `
            varying vec2 place;
            void main() {
                place = position.xy;
                gl_Position = vec4(position.xy, 1.0, 1.0);
            }
        `,
        // A little noise hides the steps of so dark a gradient.
        fragmentShader: /* glsl */ `
            uniform vec3 top;
            uniform vec3 middle;
            uniform vec3 bottom;
            varying vec2 place;
            void main() {
                float h = 0.5 + 0.5 * place.y;
                vec3 colour = mix(bottom, middle, smoothstep(0.0, 0.6, h));
                colour = mix(colour, top, smoothstep(0.45, 1.0, h));
                gl_FragColor = vec4(colour, 1.0);
                #ifdef FINE
                gl_FragColor.rgb *= 1.0 - 0.12 * place.x * place.x;
                #include <colorspace_fragment>
                float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453);
                gl_FragColor.rgb += (noise - 0.5) / 255.0;
                #endif
            }
        `,
    });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = ORDER.background;
    return mesh;
}

// ---------------------------------------------------------------------------------------------
// Facets: bodies are in front of all planes, so of each plane only what is in front of the others is a wall.

function clip(polygon: Vector3[], plane: Plane, tolerance: number): Vector3[] {
    const kept: Vector3[] = [];
    polygon.forEach((a, i) => {
        const b = polygon[(i + 1) % polygon.length]!;
        const da = plane.distanceToPoint(a) + tolerance, db = plane.distanceToPoint(b) + tolerance;
        if (da >= 0) kept.push(a);
        if (da >= 0 !== db >= 0) kept.push(a.clone().lerp(b, da / (da - db)));
    });
    return kept;
}

function isLevel(normal: Vector3): boolean {
    return Math.abs(normal.y) > 0.999;
}

// Two directions in the plane: level, and up the slope.
function axes(normal: Vector3): [Vector3, Vector3] {
    if (isLevel(normal)) return [new Vector3(1, 0, 0), new Vector3(0, 0, -Math.sign(normal.y))];
    const level = new Vector3(0, 1, 0).cross(normal).normalize();
    return [level, normal.clone().cross(level)];
}

function facet(planes: Plane[], index: number, centre: Vector3, half: number): Vector3[] {
    const plane = planes[index]!;
    const middle = plane.projectPoint(centre, new Vector3());
    const [u, v] = axes(plane.normal);
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
    let polygon = corners.map(([a, b]) => middle.clone().addScaledVector(u, a! * half).addScaledVector(v, b! * half));
    planes.forEach((other, i) => {
        const same = other.normal.dot(plane.normal) > 1 - 1e-6
            && Math.abs(other.constant - plane.constant) < 1e-6 * half;
        if (same && i < index) polygon = [];
        else if (!same && polygon.length > 0) polygon = clip(polygon, other, 1e-6 * half);
    });
    return polygon;
}

// Slopes have lines along their contours only, which meet those of their neighbours: across they are between lines
// everywhere.
function facetsGeometry(planes: Plane[], centre: Vector3, half: number, cell: number): BufferGeometry {
    const positions: number[] = [], normals: number[] = [], cells: number[] = [], levels: number[] = [];
    planes.forEach((plane, index) => {
        const polygon = facet(planes, index, centre, half);
        const [u, v] = axes(plane.normal);
        for (let i = 2; i < polygon.length; ++i) {
            for (const corner of [polygon[0]!, polygon[i - 1]!, polygon[i]!]) {
                positions.push(...corner.toArray());
                normals.push(...plane.normal.toArray());
                cells.push(isLevel(plane.normal) ? corner.dot(u) : 0.5 * cell, corner.dot(v));
                levels.push(Math.max(plane.normal.y, 0));
            }
        }
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3));
    geometry.setAttribute('cell', new Float32BufferAttribute(cells, 2));
    geometry.setAttribute('level', new Float32BufferAttribute(levels, 1));
    return geometry;
}

// ---------------------------------------------------------------------------------------------
// Ground

const REACH = 60; // of the scene's radius

// 1, 2 or 5 times a power of ten, about a quarter of the scene's radius.
function cellSize(radius: number): number {
    const wanted = radius / 4;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const times = wanted / power;
    return power * (times < 2 ? 1 : times < 5 ? 2 : 5);
}

const FADE_AND_GRID = /* glsl */ `
    {
        vec2 fine = groundCell / cell;
        float lines = 0.35 * gridLines(fine, 0.5);
        #ifndef LIGHT
        lines += 0.65 * gridLines(fine / 5.0, 0.6);
        #endif
        diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, 0.3 * lines);
        float away = length(groundPlace - focus);
        diffuseColor.a *= 1.0 - smoothstep(0.12 * fade, fade, away);
        float wall = 1.0 - smoothstep(0.0, wallHeight, groundPlace.y - floorHeight);
        diffuseColor.a *= mix(0.5 * wall, 1.0, groundLevel);
    }
`;

// How much of a pixel lies on lines through whole numbers; none where they are closer than pixels.
const GRID_FUNCTION = /* glsl */ `
    uniform float cell;
    uniform float fade;
    uniform float floorHeight;
    uniform float wallHeight;
    uniform vec3 focus;
    uniform vec3 lineColour;
    varying vec2 groundCell;
    varying vec3 groundPlace;
    varying float groundLevel;

    float gridLines(vec2 x, float width) {
        vec2 pixel = max(fwidth(x), 1e-6);
        vec2 away = abs(fract(x - 0.5) - 0.5) / pixel;
        vec2 line = (1.0 - smoothstep(width - 0.5, width + 0.5, away)) * (1.0 - smoothstep(0.08, 0.4, pixel));
        return max(line.x, line.y);
    }
`;

export class Ground {
    readonly object = new Group();
    private mesh: Mesh | null = null;
    private readonly material: Material;
    private readonly uniforms = {
        cell: { value: 0.1 },
        fade: { value: 10 },
        focus: { value: new Vector3() },
        floorHeight: { value: 0 },
        wallHeight: { value: 1 },
        lineColour: { value: new Color(0x9aa6b8) },
    };
    private radius = 1;

    constructor(light: boolean) {
        this.material = light
            ? new MeshBasicMaterial({ color: 0x2a2e35, toneMapped: false })
            : new MeshStandardMaterial({ color: 0x272b32, roughness: 0.85 });
        this.material.transparent = true;
        if (light) this.material.defines = { LIGHT: '' };
        this.material.onBeforeCompile = (shader): void => {
            Object.assign(shader.uniforms, this.uniforms);
            shader.vertexShader = `
                attribute vec2 cell;
                attribute float level;
                varying vec2 groundCell;
                varying vec3 groundPlace;
                varying float groundLevel;
                ${shader.vertexShader}`.replace('#include <begin_vertex>', `#include <begin_vertex>
                groundCell = cell;
                groundPlace = position;
                groundLevel = level;`);
            shader.fragmentShader = `${GRID_FUNCTION}${shader.fragmentShader}`
                .replace('#include <color_fragment>', `#include <color_fragment>${FADE_AND_GRID}`);
        };
    }

    setPlanes(planes: Plane[], centre: Vector3, radius: number): void {
        this.clear();
        if (planes.length === 0) return;
        this.radius = radius;
        // Walls are less of a thing than the ground: they fade upwards.
        this.uniforms.floorHeight.value = centre.y - 0.5 * radius;
        this.uniforms.wallHeight.value = 1.5 * radius;
        const cell = (this.uniforms.cell.value = cellSize(radius));
        this.mesh = new Mesh(facetsGeometry(planes, centre, REACH * radius, cell), this.material);
        this.mesh.receiveShadow = true;
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = ORDER.ground;
        this.object.add(this.mesh);
    }

    // It fades around what is looked at.
    setFocus(target: Vector3, distance: number): void {
        this.uniforms.focus.value.copy(target);
        this.uniforms.fade.value = Math.min(3 * distance + 2 * this.radius, 0.9 * REACH * this.radius);
    }

    clear(): void {
        this.mesh?.geometry.dispose();
        this.object.clear();
        this.mesh = null;
    }

    dispose(): void {
        this.clear();
        this.material.dispose();
    }
}
