// The viewport on three.js. It draws when something has changed, and nothing by itself: the page calls render.

import {
    ACESFilmicToneMapping, Color, Group, InstancedMesh, Mesh, Object3D, PCFShadowMap, Plane, SRGBColorSpace, Scene,
    Vector3, WebGLRenderer,
} from 'three';
import type { Material, WebGLRenderTarget } from 'three';
import type { BodyState, Frame, Ray, Vec3 } from '../core/protocol';
import { Bodies } from './bodies';
import { Brushes, Grip, Mirror, Preview } from './brush';
import { CameraControl } from './camera';
import { HALO, particleColour, PINNED_TINT, TARGET } from './colours';
import type { Range } from './colours';
import { Contacts } from './contacts';
import { Edges } from './edges';
import { Ellipsoids, Halos } from './ellipsoids';
import { Extent } from './extent';
import { Follow } from './follow';
import { Ground, makeBackground } from './ground';
import { Lights, makeEnvironment } from './lights';
import { disposeMaterial, forgetMaterial, loadLooks, simplify } from './looks';
import { FLAGS, GROUP, MASS, PARTICLE_STRIDE, PINNED, POSE_STRIDE, STIFFNESS } from './particles';
import { DEFAULT_VIEW, NO_VERTICES } from './types';
import type { Brush, Rectangle, ShownScene, Targets, ViewSettings, Viewport } from './types';

const LARGEST_PIXEL_RATIO = 2;

export function createViewport(parent: HTMLElement, light: boolean): Viewport {
    return new ThreeViewport(parent, light);
}

class ThreeViewport implements Viewport {
    readonly element = document.createElement('div');
    private readonly canvas = document.createElement('canvas');
    private readonly band = document.createElement('div');
    private readonly renderer: WebGLRenderer;
    private readonly control: CameraControl;
    private readonly observer: ResizeObserver;
    private readonly aborter = new AbortController();
    private lost = (): void => {};
    private restored = (): void => {};

    private readonly scene = new Scene();
    private readonly background: Mesh;
    private readonly lights: Lights;
    private readonly ground: Ground;
    private environment: WebGLRenderTarget | null = null;

    private readonly ellipsoids: Ellipsoids; // the layer: of all bodies
    private readonly shells: Ellipsoids; // of bodies that have nothing else to show
    private readonly halos = new Halos(HALO);
    private readonly targets = new Halos(TARGET, true);
    private readonly edges = new Edges();
    private readonly contacts = new Contacts();
    private readonly brushes = new Brushes();
    private readonly mirror = new Mirror();
    private readonly grip = new Grip();
    private readonly preview = new Preview();

    private bodies: Bodies | null = null;
    private colliders: Object3D[] = [];
    private readonly backdrop = new Group();
    private walls: Plane[] = [];
    private states: BodyState[] = [];
    private isFirstFrame = true;
    private particles: Float32Array = new Float32Array(0);
    // Where the particles are: their own rows while authoring, a frame's while playing.
    private poses = this.particles;
    private poseStride = PARTICLE_STRIDE;
    private selectedParticles: Uint8Array | null = null;
    private view: ViewSettings = DEFAULT_VIEW;
    private mirrorPlane: { normal: Vec3; offset: number } | null = null;

    private readonly extent = new Extent();
    private readonly follow: Follow;
    private dirty = true;
    private loads = 0;

    constructor(parent: HTMLElement, readonly light: boolean) {
        this.renderer = new WebGLRenderer({
            canvas: this.canvas, antialias: !light, powerPreference: 'high-performance',
        });
        this.renderer.outputColorSpace = SRGBColorSpace;
        this.renderer.toneMapping = ACESFilmicToneMapping;
        this.renderer.shadowMap.enabled = !light;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.shadowMap.autoUpdate = false;

        this.background = makeBackground(light);
        this.lights = new Lights(light);
        this.ground = new Ground(light);
        this.ellipsoids = new Ellipsoids(light);
        this.shells = new Ellipsoids(light);
        this.scene.add(this.background, this.lights.object, this.ground.object, this.backdrop, this.ellipsoids.object,
            this.shells.object, this.halos.object, this.targets.object, this.edges.object, this.contacts.object,
            this.brushes.object, this.mirror.object, this.grip.object, this.preview.object);
        this.makeEnvironment();

        this.element.className = 'viewport';
        this.element.style.cssText = 'position:relative;width:100%;height:100%;overflow:hidden';
        this.canvas.style.cssText = 'display:block;width:100%;height:100%;touch-action:none;outline:none';
        this.band.style.cssText = 'position:absolute;display:none;pointer-events:none;box-sizing:border-box;'
            + 'border:1px solid #7cc6ff;border-radius:2px;background:rgb(79 179 255 / 14%)';
        this.element.append(this.canvas, this.band);
        parent.append(this.element);
        this.control = new CameraControl(this.canvas, () => (this.dirty = true));
        this.follow = new Follow(this.control);
        this.listen();
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(this.element);
        this.resize();
        this.setView(this.view);
    }

    // -----------------------------------------------------------------------------------------
    // The context

    private listen(): void {
        const signal = this.aborter.signal;
        this.canvas.addEventListener('webglcontextlost', (event) => {
            event.preventDefault();
            this.forget();
            this.lost();
        }, { signal });
        // Buffers and textures come back with the next picture; what was drawn into them does not.
        this.canvas.addEventListener('webglcontextrestored', () => {
            this.makeEnvironment();
            this.contentChanged();
            this.restored();
        }, { signal });
    }

    // All that was on the graphics card is gone: three must not keep it to be deleted from the next context.
    private forget(): void {
        this.scene.traverse((object) => {
            if (object instanceof InstancedMesh) object.dispose();
            const { geometry, material } = object as Partial<Mesh>;
            geometry?.dispose();
            if (material) forgetMaterial(material as Material);
        });
        this.lights.forget();
        this.environment?.dispose();
        this.environment = this.scene.environment = null;
    }

    private makeEnvironment(): void {
        if (this.light) return;
        this.environment = makeEnvironment(this.renderer);
        this.scene.environment = this.environment.texture;
        this.scene.environmentIntensity = 0.5;
    }

    onLost(lost: () => void, restored: () => void): void {
        this.lost = lost;
        this.restored = restored;
    }

    private resize(): void {
        const width = Math.max(this.element.clientWidth, 1), height = Math.max(this.element.clientHeight, 1);
        const ratio = this.light ? 1 : Math.min(window.devicePixelRatio, LARGEST_PIXEL_RATIO);
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height, false);
        this.control.setAspect(width / height);
        // Setting the size has cleared the canvas.
        this.draw();
    }

    // Shadows are of the content and do not depend on the camera.
    private contentChanged(): void {
        this.dirty = true;
        this.renderer.shadowMap.needsUpdate = true;
    }

    // -----------------------------------------------------------------------------------------
    // The scene

    async setScene(scene: ShownScene | null): Promise<void> {
        const load = ++this.loads;
        const looks = scene ? await loadLooks(scene.looks) : null;
        if (load !== this.loads) return; // another one has come in between, and nothing of this one was drawn yet
        this.empty();
        if (scene && looks) {
            this.states = scene.bodies;
            this.bodies = new Bodies(looks.bodies, scene.bodies, scene.positions, scene.normals, this.light);
            this.scene.add(this.bodies.object);
            this.bodies.setView(this.view);
            this.addColliders(looks.colliders);
            this.setParticles(scene.particles, scene.edges, scene.edgeValues);
            this.walls = looks.planes;
            if (scene.ground !== null) this.walls.push(new Plane(new Vector3(0, 1, 0), -scene.ground));
            // Particles of a staged scene are where they are only by a frame's poses; vertices are there already.
            if (scene.positions.length > 0) this.extent.measureVertices(scene.positions);
            else this.extent.measureFrame(this.particles, this.poses, this.poseStride, scene.positions);
            this.extentChanged();
            this.addGround();
        }
        this.contentChanged();
    }

    private addColliders(colliders: Object3D[]): void {
        this.colliders = colliders;
        for (const collider of colliders) {
            collider.traverse((object) => {
                if (!(object instanceof Mesh)) return;
                object.castShadow = object.receiveShadow = true;
                if (this.light) object.material = simplify(object.material as Material);
            });
            this.backdrop.add(collider);
        }
        this.extent.setColliders(colliders);
    }

    // As far as the scene is known to reach: before its first frame that may be little.
    private addGround(): void {
        this.ground.setPlanes(this.walls, this.extent.sphere.center, this.extent.sphere.radius);
    }

    private empty(): void {
        if (this.bodies) {
            this.scene.remove(this.bodies.object);
            this.bodies.dispose();
            this.bodies = null;
        }
        for (const collider of this.colliders) {
            collider.traverse((object) => {
                if (!(object instanceof Mesh)) return;
                object.geometry.dispose();
                disposeMaterial(object.material as Material);
            });
        }
        this.backdrop.clear();
        this.colliders = [];
        this.extent.setColliders([]);
        this.ground.clear();
        this.contacts.clear();
        this.walls = [];
        this.isFirstFrame = true;
        this.follow.forget();
        this.states = [];
        this.selectedParticles = null;
        this.setParticles(new Float32Array(0), new Int32Array(0), new Float32Array(0));
    }

    private extentChanged(): void {
        this.control.setSceneRadius(this.extent.sphere.radius);
        this.mirror.set(this.mirrorPlane, this.extent.sphere);
    }

    setParticles(particles: Float32Array, edges: Int32Array, edgeValues: Float32Array): void {
        this.particles = particles;
        this.poses = particles;
        this.poseStride = PARTICLE_STRIDE;
        const count = particles.length / PARTICLE_STRIDE;
        this.ellipsoids.setMembers(Int32Array.from({ length: count }, (_, i) => i));
        const bare = this.states.filter((body) => body.vertices === 0);
        this.shells.setMembers(Int32Array.from(bare.flatMap((body) =>
            Array.from({ length: body.particles }, (_, i) => body.firstParticle + i))));
        this.edges.setEdges(edges, edgeValues, this.view);
        this.colourShells();
        this.colourEllipsoids();
        this.updateHalos();
        this.targets.setMembers([]);
        this.moveParticles();
        this.contentChanged();
    }

    // Only what is shown; a layer that comes to be shown is moved then.
    private moveParticles(): void {
        const { poses, poseStride, particles } = this;
        if (this.view.ellipsoids.shown) {
            this.ellipsoids.setPoses(poses, poseStride, particles, PARTICLE_STRIDE);
            this.halos.setPoses(poses, poseStride, particles, PARTICLE_STRIDE);
        } else {
            this.shells.setPoses(poses, poseStride, particles, PARTICLE_STRIDE);
        }
        if (this.view.edges.shown) this.edges.setPoses(poses, poseStride);
    }

    private isSelected(particle: number): boolean {
        return this.selectedParticles !== null && this.selectedParticles[particle] === 1;
    }

    private colourEllipsoids(): void {
        const p = this.particles;
        const masses: Range = { minimum: Infinity, maximum: 0 };
        for (let k = MASS; k < p.length; k += PARTICLE_STRIDE) {
            masses.minimum = Math.min(masses.minimum, p[k]!);
            masses.maximum = Math.max(masses.maximum, p[k]!);
        }
        this.ellipsoids.setColours((particle, colour) => {
            const k = PARTICLE_STRIDE * particle;
            particleColour(this.view.particleColour, p[k + STIFFNESS]!, p[k + MASS]!, p[k + GROUP]!, masses, colour);
            if (p[k + FLAGS]! & PINNED) colour.lerp(PINNED_TINT, 0.8);
            if (this.isSelected(particle)) colour.lerp(HALO, 0.45);
        });
    }

    private colourShells(): void {
        const colours = new Map<number, Color>();
        for (const body of this.states) {
            const colour = new Color(...body.colour);
            for (let i = 0; i < body.particles; ++i) colours.set(body.firstParticle + i, colour);
        }
        this.shells.setColours((particle, colour) => colour.copy(colours.get(particle)!));
    }

    private updateHalos(): void {
        const members: number[] = [];
        const count = this.particles.length / PARTICLE_STRIDE;
        for (let i = 0; i < count; ++i) if (this.isSelected(i)) members.push(i);
        this.halos.setMembers(members);
        this.halos.setPoses(this.poses, this.poseStride, this.particles, PARTICLE_STRIDE);
    }

    setSelection(vertices: Uint8Array | null, particles: Uint8Array | null): void {
        this.bodies?.setSelection(vertices);
        this.selectedParticles = particles;
        this.colourEllipsoids();
        this.updateHalos();
        this.dirty = true;
    }

    setWeights(weights: Float32Array | null): void {
        this.bodies?.setWeights(weights, this.view);
        this.dirty = true;
    }

    // A frame of another scene than the shown one, which may still come after a change, is left out.
    setFrame(frame: Frame): void {
        if (!this.bodies?.setVertices(frame.positions, frame.normals)) return;
        if (frame.poses.length / POSE_STRIDE === this.particles.length / PARTICLE_STRIDE) {
            this.poses = frame.poses;
            this.poseStride = POSE_STRIDE;
            this.moveParticles();
        }
        this.moveColliders(frame.colliders);
        if (frame.contacts) this.contacts.setContacts(frame.contacts, 2 * this.extent.sphere.radius);
        if (this.particles.length > 0) {
            this.extent.measureFrame(this.particles, this.poses, this.poseStride, frame.positions);
        }
        this.extentChanged();
        if (this.isFirstFrame) this.addGround();
        this.isFirstFrame = false;
        this.follow.look(this.states, frame.positions, frame.poses, performance.now());
        this.contentChanged();
    }

    private moveColliders(poses: Float32Array): void {
        if (poses.length !== POSE_STRIDE * this.colliders.length) return;
        this.colliders.forEach((collider, i) => {
            collider.position.fromArray(poses, POSE_STRIDE * i);
            collider.quaternion.fromArray(poses, POSE_STRIDE * i + 3);
        });
    }

    setView(settings: ViewSettings): void {
        const recolour = settings.particleColour !== this.view.particleColour;
        this.view = structuredClone(settings);
        this.bodies?.setView(this.view);
        this.ellipsoids.setLayer(this.view.ellipsoids.shown, this.view.ellipsoids.opacity);
        this.shells.setLayer(!this.view.ellipsoids.shown, 1);
        this.halos.object.visible = this.view.ellipsoids.shown;
        if (recolour) this.colourEllipsoids();
        this.moveParticles();
        this.edges.setView(this.view);
        this.contacts.setView(this.view);
        this.ground.object.visible = this.view.ground;
        this.lights.setShadows(this.view.shadows && !this.light);
        this.contentChanged();
    }

    // -----------------------------------------------------------------------------------------
    // Tools

    setBrushes(brushes: Brush[]): void {
        this.brushes.set(brushes);
        this.dirty = true;
    }

    setBox(box: Rectangle | null): void {
        this.band.style.display = box ? 'block' : 'none';
        if (!box) return;
        for (const side of ['left', 'top', 'width', 'height'] as const) this.band.style[side] = `${box[side]}px`;
    }

    setGrip(grip: { particle: Vec3; hand: Vec3 } | null): void {
        this.grip.set(grip);
        this.dirty = true;
    }

    setMirror(plane: { normal: Vec3; offset: number } | null): void {
        this.mirrorPlane = plane;
        this.mirror.set(plane, this.extent.sphere);
        this.dirty = true;
    }

    setPreview(points: Vec3[], radius: number): void {
        this.preview.set(points, radius);
        this.dirty = true;
    }

    setTargets({ particles = [], vertices = NO_VERTICES }: Targets): void {
        this.bodies?.setTargets(vertices);
        this.targets.setMembers(particles.filter((particle) => particle < this.particles.length / PARTICLE_STRIDE));
        this.targets.setPoses(this.poses, this.poseStride, this.particles, PARTICLE_STRIDE);
        this.dirty = true;
    }

    // -----------------------------------------------------------------------------------------
    // The camera

    ray(x: number, y: number): Ray {
        return this.control.ray(x, y);
    }

    planes(box: Rectangle): { planes: [number, number, number, number][]; eye: Vec3 } {
        return this.control.planes(box);
    }

    pointAt(x: number, y: number, through: Vec3): Vec3 {
        return this.control.pointAt(x, y, through);
    }

    pixelsToMetres(point: Vec3, pixels: number): number {
        return this.control.pixelsToMetres(new Vector3(...point), pixels);
    }

    setCamera(eye: Vec3, target: Vec3, verticalFov: number): void {
        this.control.set(eye, target, verticalFov);
    }

    camera(): { eye: Vec3; target: Vec3; verticalFov: number } {
        return this.control.get();
    }

    frameBox(minimum: Vec3, maximum: Vec3): void {
        this.control.frameBox(minimum, maximum);
    }

    setBelow(pixels: number): void {
        this.control.setBelow(pixels);
    }

    setOrbit(enabled: boolean): void {
        this.control.setOrbit(enabled);
    }

    // -----------------------------------------------------------------------------------------
    // Pictures

    render(): void {
        const moving = this.control.advance(performance.now());
        if (!this.dirty || this.renderer.getContext().isContextLost()) return;
        this.draw();
        this.dirty = moving;
    }

    private draw(): void {
        const { target, range } = this.control;
        this.ground.setFocus(target, range);
        if (this.lights.fit(this.extent.sphere, target, range)) this.renderer.shadowMap.needsUpdate = true;
        this.renderer.render(this.scene, this.control.camera);
    }

    // The canvas holds its picture only until the browser shows it, so it is drawn and read at once.
    screenshot(): Promise<Blob> {
        this.draw();
        return new Promise((resolve, reject) => {
            this.canvas.toBlob((blob) => {
                if (blob) resolve(blob);
                else reject(new Error('The browser made no picture of the view.'));
            }, 'image/png');
        });
    }

    capture(): HTMLCanvasElement {
        this.draw();
        return this.canvas;
    }

    memory(): { geometries: number; textures: number } {
        const { geometries, textures } = this.renderer.info.memory;
        return { geometries, textures };
    }

    dispose(): void {
        ++this.loads;
        this.aborter.abort();
        this.observer.disconnect();
        this.control.dispose();
        this.empty();
        const parts = [this.lights, this.ground, this.ellipsoids, this.shells, this.halos, this.targets, this.edges,
            this.contacts, this.brushes, this.mirror, this.grip, this.preview];
        for (const part of parts) part.dispose();
        this.background.geometry.dispose();
        (this.background.material as Material).dispose();
        this.environment?.dispose();
        this.renderer.dispose();
        this.element.remove();
    }
}
