// Particles as ellipsoids, one instance each.

import {
    BackSide, Color, DynamicDrawUsage, Group, InstancedMesh, Material, MeshBasicMaterial, MeshLambertMaterial,
    MeshStandardMaterial, SphereGeometry,
} from 'three';
import { ORDER } from './order';
import { RADII } from './particles';

// An instance's matrix: the ellipsoid with these radii where the pose says.
function writeMatrix(
    matrices: Float32Array, i: number, pose: Float32Array, p: number, radii: Float32Array, r: number, margin: number,
): void {
    const x = pose[p + 3]!, y = pose[p + 4]!, z = pose[p + 5]!, w = pose[p + 6]!;
    const a = radii[r]! + margin, b = radii[r + 1]! + margin, c = radii[r + 2]! + margin;
    const m = 16 * i;
    matrices[m] = a * (1 - 2 * (y * y + z * z));
    matrices[m + 1] = a * 2 * (x * y + z * w);
    matrices[m + 2] = a * 2 * (x * z - y * w);
    matrices[m + 3] = 0;
    matrices[m + 4] = b * 2 * (x * y - z * w);
    matrices[m + 5] = b * (1 - 2 * (x * x + z * z));
    matrices[m + 6] = b * 2 * (y * z + x * w);
    matrices[m + 7] = 0;
    matrices[m + 8] = c * 2 * (x * z + y * w);
    matrices[m + 9] = c * 2 * (y * z - x * w);
    matrices[m + 10] = c * (1 - 2 * (x * x + y * y));
    matrices[m + 11] = 0;
    matrices[m + 12] = pose[p]!;
    matrices[m + 13] = pose[p + 1]!;
    matrices[m + 14] = pose[p + 2]!;
    matrices[m + 15] = 1;
}

// The more there are, the fewer triangles each has.
function ball(count: number): SphereGeometry {
    if (count <= 2000) return new SphereGeometry(1, 24, 16);
    if (count <= 8000) return new SphereGeometry(1, 14, 10);
    return new SphereGeometry(1, 8, 6);
}

export class Ellipsoids {
    readonly object = new Group();
    private shell: InstancedMesh | null = null;
    private depths: InstancedMesh | null = null; // the same instances, when the shell is transparent
    private members: Int32Array = new Int32Array(0);
    private readonly material: Material;
    private readonly depthMaterial = new MeshBasicMaterial({ colorWrite: false });

    constructor(light: boolean) {
        this.material = light ? new MeshLambertMaterial() : new MeshStandardMaterial({ roughness: 0.45 });
        this.object.visible = false;
    }

    // Which particles are drawn.
    setMembers(members: Int32Array): void {
        this.members = members;
        if (this.shell && this.shell.count === members.length) return;
        this.clearMeshes();
        if (members.length === 0) return;
        const geometry = ball(members.length);
        this.shell = new InstancedMesh(geometry, this.material, members.length);
        this.shell.instanceMatrix.setUsage(DynamicDrawUsage);
        this.shell.setColorAt(members.length - 1, new Color(1, 1, 1));
        this.depths = new InstancedMesh(geometry, this.depthMaterial, 0);
        this.depths.instanceMatrix = this.shell.instanceMatrix;
        this.depths.count = members.length;
        this.depths.visible = this.material.transparent;
        this.depths.renderOrder = ORDER.ellipsoidDepths;
        this.shell.renderOrder = ORDER.ellipsoids;
        this.shell.castShadow = this.shell.receiveShadow = true;
        this.shell.frustumCulled = this.depths.frustumCulled = false;
        this.object.add(this.depths, this.shell);
    }

    // Poses stand in rows of `stride` numbers, radii in those of the particles.
    setPoses(poses: Float32Array, stride: number, particles: Float32Array, particleStride: number): void {
        if (!this.shell) return;
        const matrices = this.shell.instanceMatrix.array as Float32Array;
        for (let i = 0; i < this.members.length; ++i) {
            const particle = this.members[i]!;
            writeMatrix(matrices, i, poses, stride * particle, particles, particleStride * particle + RADII, 0);
        }
        this.shell.instanceMatrix.needsUpdate = true;
    }

    setColours(colourOf: (particle: number, colour: Color) => void): void {
        if (!this.shell?.instanceColor) return;
        const colour = new Color();
        for (let i = 0; i < this.members.length; ++i) {
            colourOf(this.members[i]!, colour);
            this.shell.setColorAt(i, colour);
        }
        this.shell.instanceColor.needsUpdate = true;
    }

    setLayer(shown: boolean, opacity: number): void {
        this.object.visible = shown;
        const transparent = opacity < 1;
        if (this.material.transparent !== transparent) this.material.needsUpdate = true;
        this.material.transparent = this.depthMaterial.transparent = transparent;
        this.material.opacity = opacity;
        if (this.depths) this.depths.visible = transparent;
    }

    private clearMeshes(): void {
        this.shell?.geometry.dispose();
        this.shell?.dispose();
        this.depths?.dispose();
        this.object.clear();
        this.shell = this.depths = null;
    }

    clear(): void {
        this.members = new Int32Array(0);
        this.clearMeshes();
    }

    dispose(): void {
        this.clear();
        this.material.dispose();
        this.depthMaterial.dispose();
    }
}

const VEIL = 0.5; // opacity

// A bright hull around some of them: the selected ones, and what a click would take.
export class Halos {
    readonly object = new Group();
    private mesh: InstancedMesh | null = null;
    private members: number[] = [];
    private readonly material: MeshBasicMaterial;

    // Rims around them or, as a veil, over them, too.
    constructor(colour: Color, private readonly isVeil = false) {
        this.material = new MeshBasicMaterial({ color: colour, toneMapped: false, ...(isVeil
            ? { transparent: true, opacity: VEIL, depthWrite: false } : { side: BackSide }) });
    }

    setMembers(members: number[]): void {
        this.members = members;
        if (!this.mesh || this.mesh.instanceMatrix.count < members.length) {
            this.clear();
            if (members.length === 0) return;
            this.members = members;
            this.mesh = new InstancedMesh(ball(members.length), this.material, Math.ceil(1.5 * members.length));
            this.mesh.frustumCulled = false;
            this.mesh.renderOrder = this.isVeil ? ORDER.preview : ORDER.ellipsoidDepths;
            this.object.add(this.mesh);
        }
        this.mesh.count = members.length;
    }

    setPoses(poses: Float32Array, stride: number, particles: Float32Array, particleStride: number): void {
        if (!this.mesh) return;
        const matrices = this.mesh.instanceMatrix.array as Float32Array;
        for (let i = 0; i < this.members.length; ++i) {
            const particle = this.members[i]!;
            const r = particleStride * particle + RADII;
            const margin = 0.1 * Math.max(particles[r]!, particles[r + 1]!, particles[r + 2]!);
            writeMatrix(matrices, i, poses, stride * particle, particles, r, margin);
        }
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    clear(): void {
        this.members = [];
        this.mesh?.geometry.dispose();
        this.mesh?.dispose();
        this.object.clear();
        this.mesh = null;
    }

    dispose(): void {
        this.clear();
        this.material.dispose();
    }
}

