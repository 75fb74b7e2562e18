// Light: an environment of our own making, as in a photographer's studio, and a sun whose shadow covers the scene.

import {
    BackSide, Color, DirectionalLight, Group, HemisphereLight, Mesh, MeshBasicMaterial,
    PMREMGenerator, PlaneGeometry, Scene, ShaderMaterial, SphereGeometry, Sphere, Vector3,
} from 'three';
import type { WebGLRenderTarget, WebGLRenderer } from 'three';

const TOWARDS_SUN = new Vector3(0.52, 1, 0.62).normalize();
const MAP_SIZE = 2048;
const SHARP = 1.5; // of the camera's distance: the largest radius at which shadows look sharp

// A lamp: a rectangle that shines towards the middle.
function lamp(width: number, height: number, place: Vector3, strength: number, tint: number): Mesh {
    const colour = new Color(tint).multiplyScalar(strength);
    const mesh = new Mesh(new PlaneGeometry(width, height), new MeshBasicMaterial({ color: colour }));
    mesh.position.copy(place);
    mesh.lookAt(0, 0, 0);
    return mesh;
}

function studio(): Scene {
    const scene = new Scene();
    const sky = new ShaderMaterial({
        side: BackSide,
        vertexShader: `varying vec3 place; void main() { place = position;
            gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
        fragmentShader: `varying vec3 place; void main() { float h = normalize(place).y;
            vec3 upper = mix(vec3(0.34, 0.36, 0.40), vec3(0.62, 0.68, 0.78), smoothstep(0.0, 1.0, h));
            vec3 lower = mix(vec3(0.34, 0.36, 0.40), vec3(0.10, 0.10, 0.11), smoothstep(0.0, 0.5, -h));
            gl_FragColor = vec4(h > 0.0 ? upper : lower, 1.0); }`,
    });
    scene.add(
        new Mesh(new SphereGeometry(20, 32, 16), sky),
        lamp(9, 6, new Vector3(4, 9, 5), 5.5, 0xfff4e6),
        lamp(3, 9, new Vector3(-11, 3, 3), 3.2, 0xdfeaff),
        lamp(10, 2.5, new Vector3(2, 5, -12), 5, 0xeaf2ff),
        lamp(2, 6, new Vector3(12, 2, -2), 2, 0xffe6cf),
    );
    return scene;
}

export function makeEnvironment(renderer: WebGLRenderer): WebGLRenderTarget {
    const generator = new PMREMGenerator(renderer);
    const scene = studio();
    const target = generator.fromScene(scene, 0.03);
    generator.dispose();
    scene.traverse((object) => {
        if (!(object instanceof Mesh)) return;
        object.geometry.dispose();
        (object.material as MeshBasicMaterial).dispose();
    });
    return target;
}

export class Lights {
    readonly object = new Group();
    readonly sun = new DirectionalLight(0xfff3e2);
    private readonly fitted = new Sphere(new Vector3(), 0);
    private readonly needed = new Sphere();

    constructor(light: boolean) {
        this.object.add(this.sun, this.sun.target);
        if (light) this.object.add(new HemisphereLight(0xdfe8f5, 0x4a4640, 1.9));
        this.sun.intensity = light ? 2.0 : 3.4;
        this.sun.shadow.mapSize.set(MAP_SIZE, MAP_SIZE);
        this.sun.shadow.radius = 4;
        this.sun.shadow.intensity = 0.92;
        this.sun.position.copy(TOWARDS_SUN);
    }

    setShadows(enabled: boolean): void {
        this.sun.castShadow = enabled;
    }

    // The shadow's map covers the scene, or of a wide one what is around the camera's target. It stays where it is as
    // long as it serves, for its edges crawl when it moves. True when it has been moved.
    fit(scene: Sphere, target: Vector3, distance: number): boolean {
        this.needed.copy(scene);
        if (scene.radius > SHARP * distance) this.needed.set(target, SHARP * distance);
        const outside = this.needed.center.distanceTo(this.fitted.center) + this.needed.radius;
        if (outside <= this.fitted.radius && this.fitted.radius < 2.5 * this.needed.radius) return false;
        this.fitted.center.copy(this.needed.center);
        const radius = (this.fitted.radius = 1.3 * this.needed.radius);
        this.sun.target.position.copy(this.fitted.center);
        this.sun.position.copy(this.fitted.center).addScaledVector(TOWARDS_SUN, 3 * radius);
        const camera = this.sun.shadow.camera;
        camera.left = camera.bottom = -radius;
        camera.right = camera.top = radius;
        camera.near = radius;
        camera.far = 12 * radius;
        camera.updateProjectionMatrix();
        this.sun.shadow.normalBias = (9 * radius) / MAP_SIZE;
        this.sun.shadow.bias = -0.0004;
        this.sun.target.updateMatrixWorld();
        return true;
    }

    // Takes the shadow's map off the graphics card; it comes back when it is drawn.
    forget(): void {
        this.sun.shadow.dispose();
        this.sun.shadow.map = null;
    }

    dispose(): void {
        this.sun.dispose();
    }
}
