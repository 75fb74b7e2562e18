"""Compares a bake in Blender with skin_dump's vertices; run by `check` inside Blender.

    blender ... --python compare.py -- BAKE.glb TRUTH STEP...
"""

import json
import struct
import sys

import bpy
import numpy as np

# The importer of Blender 3.4 still says np.bool, which newer versions of numpy lack.
np.bool = bool

TOLERANCE = 1e-4  # of the body's size


def read_truth(path, steps):
    """For each step, for each body, its vertices (none without a skin) and its particles' poses."""
    with open(path, "rb") as file:
        data = file.read()
    (body_count,) = struct.unpack_from("<i", data, 0)
    counts = np.frombuffer(data, "<i4", 2 * body_count, 4).reshape(-1, 2)
    offset = 4 + counts.nbytes
    moments = []
    for _ in steps:
        bodies = []
        for vertices, particles in counts:
            points = np.frombuffer(data, "<f4", 3 * vertices, offset).reshape(-1, 3)
            offset += points.nbytes
            poses = np.frombuffer(data, "<f4", 7 * particles, offset).reshape(-1, 7)
            offset += poses.nbytes
            bodies.append((points, poses))
        moments.append(bodies)
    if offset != len(data):
        sys.exit("the truth is longer than it should be")
    return moments


def used_vertices(path):
    """For each body the indices of vertices that a triangle uses: Blender drops the others."""
    with open(path, "rb") as file:
        data = file.read()
    (json_size,) = struct.unpack_from("<I", data, 12)
    document = json.loads(data[20 : 20 + json_size])
    binary = data[20 + json_size + 8 :]
    used = []
    for node in document["nodes"]:
        if "skin" not in node:
            continue
        (primitive,) = document["meshes"][node["mesh"]]["primitives"]
        accessor = document["accessors"][primitive["indices"]]
        view = document["bufferViews"][accessor["bufferView"]]
        kind = {5121: "<u1", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
        offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        used.append(np.unique(np.frombuffer(binary, kind, accessor["count"], offset)))
    return used


def shown_vertices(thing, dependencies):
    """World positions of a mesh as it is drawn now, in glTF's axes."""
    mesh = thing.evaluated_get(dependencies).data
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    world = np.array(thing.evaluated_get(dependencies).matrix_world)
    points = points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
    return np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)


def to_particles(points, poses):
    """Vertices of ellipsoids, equally many a particle, in their particles' own axes."""
    vectors = points.reshape(len(poses), -1, 3) - poses[:, None, 0:3]
    axis = -poses[:, None, 3:6]  # of the inverse rotation
    w = poses[:, None, 6:7]
    twice = 2.0 * np.cross(axis, vectors)
    return vectors + w * twice + np.cross(axis, twice)


def ellipsoid_error(shown, poses, start_shown, start_poses):
    """How far ellipsoids are from the rigid motion of their particles, of the largest one's size."""
    if len(shown) % len(poses) != 0:
        return np.inf
    now = to_particles(shown, poses)
    start = to_particles(start_shown, start_poses)
    low, high = now.min(axis=1), now.max(axis=1)
    size = float(np.linalg.norm(high - low, axis=1).max())
    off_centre = float(np.abs(high + low).max()) / 2.0
    return max(float(np.abs(now - start).max()), off_centre) / size


def skin_error(shown, vertices, start_vertices):
    """The largest difference of vertices, of the body's size."""
    if len(shown) != len(vertices):
        return np.inf
    size = float(np.linalg.norm(start_vertices.max(axis=0) - start_vertices.min(axis=0)))
    return float(np.abs(shown - vertices).max()) / size


def main():
    arguments = sys.argv[sys.argv.index("--") + 1 :]
    steps = [int(step) for step in arguments[2:]]
    moments = read_truth(arguments[1], steps)
    used = used_vertices(arguments[0])
    for bodies in moments:
        for index, (vertices, poses) in enumerate(bodies):
            if len(vertices) > 0:
                bodies[index] = (vertices[used[index]], poses)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # Vertices stay as they are in the file: merging would reorder them.
    bpy.ops.import_scene.gltf(filepath=arguments[0], merge_vertices=False)

    # The importer adds a mesh to show bones with; only ours follow an armature.
    skinned = [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature()]
    if len(skinned) != len(moments[0]):
        sys.exit(f"{len(skinned)} skinned meshes for {len(moments[0])} bodies")

    worst = 0.0
    compared = 0
    for step, bodies in zip(steps, moments):
        bpy.context.scene.frame_set(step)
        dependencies = bpy.context.evaluated_depsgraph_get()
        shown = [shown_vertices(thing, dependencies) for thing in skinned]
        start_shown = shown if step == steps[0] else start_shown
        for (vertices, poses), (start_vertices, start_poses) in zip(bodies, moments[0]):
            # Blender sorts objects by name, so a body's mesh is the one that lies nearest.
            if len(vertices) > 0:
                errors = [skin_error(points, vertices, start_vertices) for points in shown]
            else:
                errors = [
                    ellipsoid_error(points, poses, start, start_poses)
                    for points, start in zip(shown, start_shown)
                ]
            error = min(errors)
            if not error < TOLERANCE:
                sys.exit(f"step {step}: {error:.2e} of the size off")
            worst = max(worst, error)
            compared += len(shown[errors.index(error)])
    print(f"compared {compared} vertices, worst {worst:.1e} of the size")


main()
