// The triangles of a scene, all in its space: nodes' transforms, morph weights and skins as they are at rest.

#include "gltf_accessor.h"
#include "gltf_check.h"
#include "gltf_matrix.h"
#include "gltf_memory.h"
#include "gltf_part.h"
#include "gltf_pose.h"
#include "gltf_rig.h"
#include "gltf_semantic.h"

#include <stdlib.h>

typedef struct flattening {
    pliant_gltf *gltf;
    const json_document *json;
    gltf_check check;
    gltf_pose pose;
    int part_capacity;
    int64_t vertex_count, triangle_count;
    pliant_mesh *mesh;
} flattening;

static bool fail_memory(flattening *f)
{
    pli_error_memory(f->check.error);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Parts

// A short file can ask for as much as it likes, by instances and accessors without data: what it gets depends on its
// length.
static bool is_absurd(const flattening *f)
{
    int64_t most = (1 << 21) + 8 * (int64_t)f->gltf->size;
    most = most < INT32_MAX / 3 ? most : INT32_MAX / 3;
    return f->vertex_count > most || f->triangle_count > most ||
           f->gltf->part_count > (1 << 16) + (int64_t)f->gltf->size / 8;
}

static int primitive_mode(const flattening *f, json_value primitive)
{
    return (int)pli_gltf_integer(f->json, primitive, "mode", 4);
}

typedef struct part_size {
    int vertices, triangles;
} part_size;

static part_size measure_part(const flattening *f, const gltf_part *part)
{
    int position = pli_gltf_reference(f->gltf, pli_gltf_part_attributes(f->gltf, part), "POSITION");
    int indices = pli_gltf_reference(f->gltf, part->primitive_value, "indices");
    int vertices = pli_gltf_accessor(f->gltf, position).count;
    int corners = indices < 0 ? vertices : pli_gltf_accessor(f->gltf, indices).count;
    return (part_size){vertices,
                       pli_gltf_triangle_count(primitive_mode(f, part->primitive_value), corners)};
}

static bool append_part(flattening *f, const gltf_part *part)
{
    pliant_gltf *g = f->gltf;
    if (g->part_count == f->part_capacity) {
        int capacity = f->part_capacity ? 2 * f->part_capacity : 16;
        gltf_part *parts = realloc(g->parts, (size_t)capacity * sizeof *parts);
        if (!parts)
            return fail_memory(f);
        g->parts = parts;
        f->part_capacity = capacity;
    }
    g->parts[g->part_count++] = *part;
    part_size size = measure_part(f, part);
    f->vertex_count += size.vertices;
    f->triangle_count += size.triangles;
    if (is_absurd(f))
        return pli_gltf_fail(&f->check, "the scene is far larger than the file", "nodes[%d]",
                             part->node);
    return true;
}

static bool append_node(flattening *f, int node)
{
    int mesh = pli_gltf_reference(f->gltf, f->gltf->nodes.items[node], "mesh");
    if (mesh < 0)
        return true;
    bool has_skin = pli_gltf_reference(f->gltf, f->gltf->nodes.items[node], "skin") >= 0;
    json_value primitives = pli_json_get(f->json, f->gltf->meshes.items[mesh], "primitives");
    int index = 0;
    for (json_value p = pli_json_first(f->json, primitives); p != JSON_NONE;
         p = pli_json_next(f->json, p), ++index) {
        gltf_part part = {.node = node, .mesh = mesh, .primitive = index, .primitive_value = p};
        json_value attributes = pli_gltf_part_attributes(f->gltf, &part);
        if (!pli_gltf_spend(&f->check, 1 + pli_json_size(f->json, attributes)))
            return false;
        part.is_skinned = has_skin && pli_json_get(f->json, attributes, "JOINTS_0") != JSON_NONE &&
                          pli_json_get(f->json, attributes, "WEIGHTS_0") != JSON_NONE;
        if (part.is_skinned)
            matrix_identity(part.matrix);
        else
            memcpy(part.matrix, f->pose.worlds[node], sizeof part.matrix);
        double cofactors[9];
        part.is_mirrored = matrix_cofactors(part.matrix, cofactors) < 0.0;
        if (pli_json_get(f->json, attributes, "POSITION") != JSON_NONE && !append_part(f, &part))
            return false;
    }
    return true;
}

// The parts were grown one by one; from here on they are the document's like the rest of it.
static bool append_parts(flattening *f)
{
    bool good = true;
    for (int i = 0; i < f->pose.shown_count && good; ++i)
        good = append_node(f, f->pose.shown[i]);
    gltf_part *parts = f->gltf->parts;
    if (!good) {
        free(parts);
    } else if (!pli_gltf_adopt(f->gltf, parts)) {
        good = fail_memory(f);
    }
    if (!good) {
        f->gltf->parts = NULL;
        f->gltf->part_count = 0;
    }
    return good;
}

// ---------------------------------------------------------------------------------------------
// Vertices of a part

typedef struct vertices {
    int count;
    double (*positions)[3];
    double (*normals)[3]; // NULL where there are none
    double *scratch;      // four per vertex
} vertices;

static bool add_target(flattening *f, const gltf_part *part, json_value target, double weight,
                       vertices *v)
{
    static const char *const names[] = {"POSITION", "NORMAL"};
    double *const bases[] = {v->positions[0], v->normals ? v->normals[0] : NULL};
    for (int i = 0; i < 2; ++i) {
        int accessor = pli_gltf_reference(f->gltf, target, names[i]);
        if (accessor < 0 || !bases[i])
            continue;
        if (!pli_gltf_part_read(&f->check, part, accessor, v->scratch))
            return false;
        for (int k = 0; k < 3 * v->count; ++k)
            bases[i][k] += weight * v->scratch[k];
    }
    return true;
}

static bool add_targets(flattening *f, const gltf_part *part, vertices *v)
{
    json_value weights = pli_json_get(f->json, f->gltf->nodes.items[part->node], "weights");
    if (weights == JSON_NONE)
        weights = pli_json_get(f->json, f->gltf->meshes.items[part->mesh], "weights");
    json_value targets = pli_json_get(f->json, part->primitive_value, "targets");
    json_value target = pli_json_first(f->json, targets);
    for (json_value w = pli_json_first(f->json, weights); w != JSON_NONE && target != JSON_NONE;
         w = pli_json_next(f->json, w), target = pli_json_next(f->json, target)) {
        double weight = pli_json_number(f->json, w, 0.0);
        if (!pli_gltf_spend(&f->check, 1) ||
            (weight != 0.0 && !add_target(f, part, target, weight, v)))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Skins

// The weighted mean of the joints that act on a vertex. One on which none acts follows its first joint.
static void blend_joints(const gltf_influences *in, int vertex_count, int vertex,
                         double (*joints)[16], double blend[16])
{
    double total = 0.0;
    memset(blend, 0, 16 * sizeof *blend);
    for (int i = 0; i < 4 * in->set_count; ++i) {
        size_t at = pli_gltf_influence_at(vertex_count, vertex, i);
        double weight = in->weights[at];
        if (!pli_gltf_acts(weight))
            continue;
        total += weight;
        for (int k = 0; k < 16; ++k)
            blend[k] += weight * joints[(int)in->joints[at]][k];
    }
    if (total > 0.0) {
        for (int k = 0; k < 16; ++k)
            blend[k] /= total;
    } else {
        memcpy(blend, joints[(int)in->joints[(size_t)vertex * 4]], 16 * sizeof *blend);
    }
}

static void move_vertex(const double matrix[16], vertices *v, int index)
{
    double moved[3];
    matrix_point(matrix, v->positions[index], moved);
    memcpy(v->positions[index], moved, sizeof moved);
    if (v->normals) {
        matrix_normal(matrix, v->normals[index], moved);
        memcpy(v->normals[index], moved, sizeof moved);
    }
}

// The surface is mirrored where joints mirror most of it.
static bool skin_with(flattening *f, gltf_part *part, const gltf_influences *in, vertices *v)
{
    int skin = pli_gltf_reference(f->gltf, f->gltf->nodes.items[part->node], "skin");
    double(*joints)[16] = pli_gltf_pose_joints(&f->pose, skin);
    if (!joints)
        return fail_memory(f);
    int mirrored = 0;
    for (int i = 0; i < v->count; ++i) {
        double blend[16], cofactors[9];
        blend_joints(in, v->count, i, joints, blend);
        mirrored += matrix_cofactors(blend, cofactors) < 0.0;
        move_vertex(blend, v, i);
    }
    part->is_mirrored = mirrored > v->count / 2;
    return true;
}

static bool skin_vertices(flattening *f, gltf_part *part, vertices *v)
{
    gltf_influences read = {0};
    bool good = pli_gltf_part_read_influences(&f->check, part, v->count, &read) &&
                skin_with(f, part, &read, v);
    pli_gltf_influences_release(&read);
    return good;
}

// ---------------------------------------------------------------------------------------------
// A part of the mesh

static bool place_vertices(flattening *f, gltf_part *part, vertices *v)
{
    json_value attributes = pli_gltf_part_attributes(f->gltf, part);
    int position = pli_gltf_reference(f->gltf, attributes, "POSITION");
    int normal = pli_gltf_reference(f->gltf, attributes, "NORMAL");
    if (normal < 0)
        v->normals = NULL;
    if (!pli_gltf_part_read(&f->check, part, position, v->positions[0]) ||
        (v->normals && !pli_gltf_part_read(&f->check, part, normal, v->normals[0])) ||
        !add_targets(f, part, v))
        return false;
    if (part->is_skinned)
        return skin_vertices(f, part, v);
    for (int i = 0; i < v->count; ++i)
        move_vertex(part->matrix, v, i);
    return true;
}

static bool store_vertices(flattening *f, const gltf_part *part, const vertices *v, int first)
{
    for (int i = 0; i < v->count; ++i) {
        const double *p = v->positions[i];
        if (!pli_gltf_is_float(p[0]) || !pli_gltf_is_float(p[1]) || !pli_gltf_is_float(p[2]))
            return pli_gltf_part_fail(&f->check, part, "a position is not finite",
                                      ".attributes.POSITION");
        f->mesh->positions[first + i] = (pliant_vec3){(float)p[0], (float)p[1], (float)p[2]};
        if (v->normals) {
            const double *n = v->normals[i];
            f->mesh->normals[first + i] = (pliant_vec3){(float)n[0], (float)n[1], (float)n[2]};
        }
    }
    return true;
}

static bool store_coordinates(flattening *f, const gltf_part *part, const vertices *v, int first)
{
    int accessor =
        pli_gltf_reference(f->gltf, pli_gltf_part_attributes(f->gltf, part), "TEXCOORD_0");
    if (accessor < 0)
        return true;
    if (!pli_gltf_part_read(&f->check, part, accessor, v->scratch))
        return false;
    for (int i = 0; i < v->count; ++i) {
        for (int k = 0; k < 2; ++k) {
            double value = v->scratch[2 * i + k];
            f->mesh->coordinates[first + i][k] = pli_gltf_is_float(value) ? (float)value : 0.0f;
        }
    }
    return true;
}

static bool fill_vertices(flattening *f, gltf_part *part, const pliant_mesh_part *run)
{
    size_t count = (size_t)run->vertex_count + 1;
    vertices v = {.count = run->vertex_count,
                  .positions = malloc(count * sizeof *v.positions),
                  .scratch = malloc(count * 4 * sizeof *v.scratch)};
    double(*normals)[3] = malloc(count * sizeof *normals);
    v.normals = normals;
    bool good = v.positions && normals && v.scratch
                    ? place_vertices(f, part, &v) &&
                          store_vertices(f, part, &v, run->first_vertex) &&
                          store_coordinates(f, part, &v, run->first_vertex)
                    : fail_memory(f);
    free(v.positions);
    free(normals);
    free(v.scratch);
    return good;
}

// The corners of triangle `index` among those of the primitive, as the specification orders them.
static void find_corners(int mode, int index, int corners[3])
{
    int odd = index % 2;
    if (mode == 4) {
        for (int i = 0; i < 3; ++i)
            corners[i] = 3 * index + i;
    } else if (mode == 5) {
        corners[0] = index;
        corners[1] = index + 1 + odd;
        corners[2] = index + 2 - odd;
    } else {
        corners[0] = index + 1;
        corners[1] = index + 2;
        corners[2] = 0;
    }
}

static bool fill_triangles(flattening *f, const gltf_part *part, const pliant_mesh_part *run)
{
    int mode = primitive_mode(f, part->primitive_value);
    int accessor = pli_gltf_reference(f->gltf, part->primitive_value, "indices");
    int count = accessor < 0 ? 0 : pli_gltf_accessor(f->gltf, accessor).count;
    double *indices = malloc(((size_t)count + 1) * sizeof *indices);
    if (!indices)
        return fail_memory(f);
    bool good = accessor < 0 || pli_gltf_part_read(&f->check, part, accessor, indices);
    for (int i = 0; i < run->triangle_count && good; ++i) {
        int32_t *triangle = f->mesh->triangles + 3 * (size_t)(run->first_triangle + i);
        int corners[3];
        find_corners(mode, i, corners);
        for (int k = 0; k < 3; ++k) {
            int corner = corners[k > 0 && part->is_mirrored ? 3 - k : k];
            int vertex = accessor < 0 ? corner : (int)indices[corner];
            triangle[k] = run->first_vertex + vertex;
        }
    }
    free(indices);
    return good;
}

static void name_part(const flattening *f, const gltf_part *part, pliant_mesh_part *run)
{
    pli_gltf_copy_name(f->gltf, f->gltf->nodes.items[part->node], run->name);
    if (!run->name[0])
        pli_gltf_copy_name(f->gltf, f->gltf->meshes.items[part->mesh], run->name);
    int material = pli_gltf_reference(f->gltf, part->primitive_value, "material");
    if (material >= 0)
        pli_gltf_copy_name(f->gltf, f->gltf->materials.items[material], run->material);
}

static bool fill_mesh(flattening *f)
{
    pliant_gltf *g = f->gltf;
    int first_vertex = 0, first_triangle = 0;
    for (int i = 0; i < g->part_count; ++i) {
        gltf_part *part = &g->parts[i];
        pliant_mesh_part *run = &f->mesh->parts[i];
        part_size size = measure_part(f, part);
        run->first_vertex = first_vertex;
        run->vertex_count = size.vertices;
        run->first_triangle = first_triangle;
        run->triangle_count = size.triangles;
        name_part(f, part, run);
        if (!fill_vertices(f, part, run) || !fill_triangles(f, part, run))
            return false;
        first_vertex += size.vertices;
        first_triangle += size.triangles;
    }
    return true;
}

static bool flatten(flattening *f)
{
    if (!pli_gltf_pose_find(&f->pose, f->gltf))
        return fail_memory(f);
    if (!append_parts(f))
        return false;
    f->mesh = pliant_mesh_create((int32_t)f->vertex_count, (int32_t)f->triangle_count,
                                 f->gltf->part_count);
    return f->mesh ? fill_mesh(f) : fail_memory(f);
}

pliant_mesh *pli_gltf_flatten(pliant_gltf *gltf, pliant_remarks *remarks, pliant_error *error)
{
    flattening f = {.gltf = gltf, .json = gltf->json};
    f.check = pli_gltf_check_begin(gltf, remarks, error);
    bool good = flatten(&f) && pli_gltf_read_rig(gltf, f.mesh, remarks, &f.mesh->rig, error);
    pli_gltf_pose_release(&f.pose);
    if (!good) {
        pliant_mesh_destroy(f.mesh);
        pli_gltf_close(gltf);
        return NULL;
    }
    f.mesh->document = gltf;
    return f.mesh;
}
