// A mesh as a plain GLB: its document, or, for one made by a program, what its arrays say. There a run of parts
// with one name is a node with a mesh and each part a primitive of it, so that they are read back in
// their order.

#include "mesh_write.h"

#include "core/error.h"
#include "gltf/gltf_write.h"
#include "io/utf8.h"
#include "math/vec3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// What a program filled in

static pliant_result fail(pliant_error *error, const char *list, int index, const char *message)
{
    return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, list, index, "%s", message);
}

static pliant_result check_triangles(const pliant_mesh *mesh, const pliant_mesh_part *part,
                                     pliant_error *error)
{
    for (int32_t i = 0; i < part->triangle_count; ++i) {
        int32_t triangle = part->first_triangle + i;
        for (int k = 0; k < 3; ++k) {
            int32_t corner = mesh->triangles[3 * (size_t)triangle + (size_t)k];
            if (corner < part->first_vertex || corner - part->first_vertex >= part->vertex_count)
                return fail(error, "triangle", triangle, "a corner is no vertex of its part");
        }
    }
    return PLIANT_OK;
}

// Whether a name ends and is UTF-8, without which it cannot stand in JSON.
static bool is_name(const char name[64])
{
    const char *end = memchr(name, 0, 64);
    int length = 0;
    for (const char *at = name; end && at < end; at += length) {
        length = pli_utf8_length(at, end);
        if (length == 0)
            return false;
    }
    return end != NULL;
}

static bool is_colour(float channel)
{
    return channel >= 0.0f && channel <= 1.0f;
}

static pliant_result check_parts(const pliant_mesh *mesh, pliant_error *error)
{
    int32_t vertices = 0, triangles = 0;
    for (int i = 0; i < mesh->part_count; ++i) {
        const pliant_mesh_part *part = &mesh->parts[i];
        if (part->first_vertex != vertices || part->first_triangle != triangles ||
            part->vertex_count < 0 || part->vertex_count > mesh->vertex_count - vertices ||
            part->triangle_count < 0 || part->triangle_count > mesh->triangle_count - triangles)
            return fail(error, "part", i, "it does not begin where the one before ends");
        if (!is_name(part->name) || !is_name(part->material))
            return fail(error, "part", i, "a name is not UTF-8 or has no end");
        for (int k = 0; k < 3; ++k)
            if (!is_colour(part->colour[k]))
                return fail(error, "part", i, "its colour is not in [0, 1]");
        pliant_result result = check_triangles(mesh, part, error);
        if (result != PLIANT_OK)
            return result;
        vertices += part->vertex_count;
        triangles += part->triangle_count;
    }
    if (vertices != mesh->vertex_count || triangles != mesh->triangle_count)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "parts",
                             "they do not cover all vertices and triangles");
    return PLIANT_OK;
}

pliant_result pli_mesh_check(const pliant_mesh *mesh, pliant_error *error)
{
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        if (!vec3_is_finite(mesh->positions[i]) || !vec3_is_finite(mesh->normals[i]))
            return fail(error, "vertex", i, "its position or normal is not finite");
        for (int k = 0; mesh->colours && k < 3; ++k)
            if (!is_colour(mesh->colours[i][k]))
                return fail(error, "vertex", i, "its colour is not in [0, 1]");
    }
    return check_parts(mesh, error);
}

// ---------------------------------------------------------------------------------------------
// Writing it

typedef struct mesh_writer {
    const pliant_mesh *mesh;
    glb_writer glb;
    json_writer roots, nodes, meshes, materials;
    int *part_materials;
    int node_count, material_count;
} mesh_writer;

static int add_vectors(glb_writer *glb, const void *values, int count, int components,
                       const float *bounds)
{
    int stride = components * (int)sizeof(float);
    int view =
        pli_glb_add_view(glb, values, (size_t)count * (size_t)stride, stride, GLB_TARGET_VERTICES);
    return pli_glb_add_accessor(glb, &(glb_accessor){.view = view,
                                                     .component = GLB_FLOAT,
                                                     .count = count,
                                                     .type = components == 3 ? "VEC3" : "VEC2",
                                                     .minimum = bounds,
                                                     .maximum = bounds ? bounds + 3 : NULL});
}

static int add_positions(glb_writer *glb, const pliant_mesh *mesh, const pliant_mesh_part *part)
{
    const float *x = &mesh->positions[part->first_vertex].x;
    float bounds[6] = {x[0], x[1], x[2], x[0], x[1], x[2]};
    for (size_t i = 0; i < 3 * (size_t)part->vertex_count; ++i) {
        float *low = &bounds[i % 3], *high = &bounds[3 + i % 3];
        *low = x[i] < *low ? x[i] : *low;
        *high = x[i] > *high ? x[i] : *high;
    }
    return add_vectors(glb, x, part->vertex_count, 3, bounds);
}

// A vertex without a normal is no vertex for glTF: such a part goes without.
static bool has_normals(const pliant_mesh *mesh, const pliant_mesh_part *part)
{
    for (int32_t i = 0; i < part->vertex_count; ++i) {
        vec3 n = mesh->normals[part->first_vertex + i];
        if (n.x == 0.0f && n.y == 0.0f && n.z == 0.0f)
            return false;
    }
    return true;
}

void pli_mesh_write_vertices(const pliant_mesh *mesh, const pliant_mesh_part *part, glb_writer *glb,
                             json_writer *json)
{
    pli_json_write_int(json, "POSITION", add_positions(glb, mesh, part));
    if (has_normals(mesh, part))
        pli_json_write_int(
            json, "NORMAL",
            add_vectors(glb, mesh->normals + part->first_vertex, part->vertex_count, 3, NULL));
}

static bool has_coordinates(const pliant_mesh *mesh, const pliant_mesh_part *part)
{
    for (int32_t i = 0; i < part->vertex_count; ++i) {
        const float *c = mesh->coordinates[part->first_vertex + i];
        if (c[0] != 0.0f || c[1] != 0.0f)
            return true;
    }
    return false;
}

static int add_indices(mesh_writer *w, const pliant_mesh_part *part)
{
    size_t count = 3 * (size_t)part->triangle_count;
    const int32_t *corners = w->mesh->triangles + 3 * (size_t)part->first_triangle;
    uint32_t *indices = malloc(count * sizeof *indices);
    if (!indices) {
        w->glb.failed = true;
        return 0;
    }
    for (size_t i = 0; i < count; ++i)
        indices[i] = (uint32_t)(corners[i] - part->first_vertex);
    int view = pli_glb_add_view(&w->glb, indices, count * sizeof *indices, 0, GLB_TARGET_INDICES);
    free(indices);
    return pli_glb_add_accessor(
        &w->glb, &(glb_accessor){
                     .view = view, .component = GLB_UINT, .count = (int)count, .type = "SCALAR"});
}

static void add_primitive(mesh_writer *w, int index)
{
    const pliant_mesh *mesh = w->mesh;
    const pliant_mesh_part *part = &mesh->parts[index];
    json_writer *json = &w->meshes;
    pli_json_begin_object(json, NULL);
    pli_json_begin_object(json, "attributes");
    pli_mesh_write_vertices(mesh, part, &w->glb, json);
    if (has_coordinates(mesh, part))
        pli_json_write_int(json, "TEXCOORD_0",
                           add_vectors(&w->glb, mesh->coordinates + part->first_vertex,
                                       part->vertex_count, 2, NULL));
    if (mesh->colours)
        pli_json_write_int(
            json, "COLOR_0",
            add_vectors(&w->glb, mesh->colours + part->first_vertex, part->vertex_count, 3, NULL));
    pli_json_end_object(json);
    if (part->triangle_count > 0)
        pli_json_write_int(json, "indices", add_indices(w, part));
    else
        pli_json_write_int(json, "mode", GLB_POINTS);
    pli_json_write_int(json, "material", w->part_materials[index]);
    pli_json_end_object(json);
}

// Parts first … end - 1, of one name.
static void add_node(mesh_writer *w, int first, int end)
{
    const char *name = w->mesh->parts[first].name;
    pli_json_write_int(&w->roots, NULL, w->node_count);
    pli_json_begin_object(&w->nodes, NULL);
    if (name[0])
        pli_json_write_string(&w->nodes, "name", name);
    pli_json_write_int(&w->nodes, "mesh", w->node_count++);
    pli_json_end_object(&w->nodes);

    pli_json_begin_object(&w->meshes, NULL);
    pli_json_begin_array(&w->meshes, "primitives");
    for (int i = first; i < end; ++i) {
        if (w->mesh->parts[i].vertex_count > 0)
            add_primitive(w, i);
    }
    pli_json_end_array(&w->meshes);
    pli_json_end_object(&w->meshes);
}

static void add_nodes(mesh_writer *w)
{
    const pliant_mesh_part *parts = w->mesh->parts;
    for (int first = 0, end; first < w->mesh->part_count; first = end) {
        bool any = false;
        for (end = first; end < w->mesh->part_count; ++end) {
            if (strcmp(parts[first].name, parts[end].name) != 0)
                break;
            any |= parts[end].vertex_count > 0;
        }
        if (any)
            add_node(w, first, end);
    }
}

static void add_material(mesh_writer *w, const pliant_mesh_part *part)
{
    const float *c = part->colour;
    bool is_chosen = c[0] != 0.0f || c[1] != 0.0f || c[2] != 0.0f;
    float grey = w->mesh->colours ? 1.0f : 0.8f;
    float colour[4] = {grey, grey, grey, 1.0f};
    if (is_chosen)
        memcpy(colour, c, sizeof part->colour);
    json_writer *json = &w->materials;
    pli_json_begin_object(json, NULL);
    if (part->material[0])
        pli_json_write_string(json, "name", part->material);
    pli_json_begin_object(json, "pbrMetallicRoughness");
    pli_json_write_floats(json, "baseColorFactor", colour, 4);
    pli_json_write_float(json, "metallicFactor", 0.0f);
    pli_json_write_float(json, "roughnessFactor", 0.6f);
    pli_json_end_object(json);
    if (part->two_sided)
        pli_json_write_bool(json, "doubleSided", true);
    pli_json_end_object(json);
}

static bool looks_the_same(const pliant_mesh_part *a, const pliant_mesh_part *b)
{
    return strcmp(a->material, b->material) == 0 && a->colour[0] == b->colour[0] &&
           a->colour[1] == b->colour[1] && a->colour[2] == b->colour[2] &&
           a->two_sided == b->two_sided;
}

// In the order of the parts that have them first.
static void add_materials(mesh_writer *w)
{
    const pliant_mesh_part *parts = w->mesh->parts;
    for (int i = 0; i < w->mesh->part_count; ++i) {
        int same = 0;
        while (!looks_the_same(&parts[same], &parts[i]))
            ++same;
        if (same == i)
            add_material(w, &parts[i]);
        w->part_materials[i] = same == i ? w->material_count++ : w->part_materials[same];
    }
}

static bool write_document(mesh_writer *w, void **data, size_t *size)
{
    json_writer json = {0};
    pli_json_begin_object(&json, NULL);
    pli_json_begin_object(&json, "asset");
    pli_json_write_string(&json, "version", "2.0");
    pli_json_write_string(&json, "generator", "Pliant " PLIANT_VERSION_STRING);
    pli_json_end_object(&json);
    pli_json_write_int(&json, "scene", 0);
    pli_json_begin_array(&json, "scenes");
    pli_json_begin_object(&json, NULL);
    pli_json_write_list(&json, "nodes", &w->roots);
    pli_json_end_object(&json);
    pli_json_end_array(&json);
    pli_json_write_list(&json, "nodes", &w->nodes);
    pli_json_write_list(&json, "meshes", &w->meshes);
    pli_json_write_list(&json, "materials", &w->materials);
    bool ok = !w->roots.failed && !w->nodes.failed && !w->meshes.failed && !w->materials.failed &&
              pli_glb_finish(&w->glb, &json, data, size);
    pli_json_writer_release(&json);
    return ok;
}

static pliant_result write_arrays(const pliant_mesh *mesh, void **data, size_t *size,
                                  pliant_error *error)
{
    pliant_result result = pli_mesh_check(mesh, error);
    if (result != PLIANT_OK)
        return result;
    mesh_writer w = {.mesh = mesh};
    w.part_materials = malloc(((size_t)mesh->part_count + 1) * sizeof *w.part_materials);
    bool ok = w.part_materials != NULL;
    if (ok) {
        add_materials(&w);
        add_nodes(&w);
        ok = write_document(&w, data, size);
    }
    free(w.part_materials);
    pli_json_writer_release(&w.roots);
    pli_json_writer_release(&w.nodes);
    pli_json_writer_release(&w.meshes);
    pli_json_writer_release(&w.materials);
    pli_glb_writer_release(&w.glb);
    return ok ? PLIANT_OK : pli_glb_fail(error);
}

pliant_result pliant_mesh_write(const pliant_mesh *mesh, void **data, size_t *size,
                                pliant_error *error)
{
    return mesh->document ? pli_gltf_write(mesh->document, NULL, data, size, error)
                          : write_arrays(mesh, data, size, error);
}
