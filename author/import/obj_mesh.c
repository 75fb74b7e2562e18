// From faces to parts with vertices of their own. Vertices are numbered as they are met and then sorted, by
// counting: a part has them in the order of their v lines, so that a file without texture coordinates
// and normals keeps its own.

#include "obj_mesh.h"

#include "gltf/gltf.h"
#include "mesh/polygon.h"

#include <stdio.h>
#include <stdlib.h>

// What a vertex is: the members of its tuple.
enum { VERTEX_PART, VERTEX_POSITION, VERTEX_COORDINATE, VERTEX_NORMAL };

typedef struct mesh_builder {
    obj_mesh *mesh;
    obj_text *text;
    pliant_remarks *remarks;
    tuple_table vertices; // in the order of their first use
    int32_t triangle_count;
    // Room for the largest face.
    pliant_vec3 *face_positions;
    int32_t *face_vertices;
} mesh_builder;

static void *allocate(int32_t count, size_t size)
{
    return calloc((size_t)count + 1, size);
}

// ---------------------------------------------------------------------------------------------
// Sorting

// 0 … count - 1, sorted by keys of 0 … key_count - 1; equal ones stay in the order they have in `before`,
// which may be NULL. NULL when memory runs out.
static int32_t *sort_by_keys(const int32_t *keys, int32_t count, int32_t key_count,
                             const int32_t *before)
{
    int32_t *order = allocate(count, sizeof *order);
    int32_t *starts = allocate(key_count, sizeof *starts);
    for (int32_t i = 0; order && starts && i < count; ++i)
        ++starts[keys[i]];
    for (int32_t i = 0, sum = 0; order && starts && i < key_count; ++i) {
        sum += starts[i];
        starts[i] = sum - starts[i];
    }
    for (int32_t i = 0; order && starts && i < count; ++i) {
        int32_t element = before ? before[i] : i;
        order[starts[keys[element]]++] = element;
    }
    if (!starts) {
        free(order);
        order = NULL;
    }
    free(starts);
    return order;
}

// The same for vertices by a member of their tuples.
static int32_t *sort_vertices(const mesh_builder *b, int member, int32_t key_count,
                              const int32_t *before)
{
    int32_t count = b->vertices.tuples.count;
    int32_t *keys = allocate(count, sizeof *keys);
    for (int32_t i = 0; keys && i < count; ++i)
        keys[i] = b->vertices.tuples.items[i].values[member];
    int32_t *order = keys ? sort_by_keys(keys, count, key_count, before) : NULL;
    free(keys);
    return order;
}

// ---------------------------------------------------------------------------------------------
// Objects and parts

// "g default" and "g off" are how programs leave a group.
static slice node_name(const obj_text *text, const tuple *object)
{
    slice group = text->names.names.items[object->values[OBJ_GROUP]];
    bool has_group = group.size > 0 && !slice_is(group, "default") && !slice_is(group, "off");
    return has_group ? group : text->names.names.items[object->values[OBJ_OBJECT]];
}

static bool name_objects(mesh_builder *b, const tuple_table *objects)
{
    obj_mesh *mesh = b->mesh;
    mesh->object_count = objects->tuples.count;
    mesh->objects = allocate(mesh->object_count, sizeof *mesh->objects);
    for (int32_t i = 0; mesh->objects && i < mesh->object_count; ++i)
        mesh->objects[i] = node_name(b->text, &objects->tuples.items[i]);
    return mesh->objects;
}

// Gives faces the numbers of parts in their final order and brings them into that order.
static bool place_faces(mesh_builder *b, const int32_t *part_order)
{
    obj_face *faces = b->text->faces.items;
    int32_t count = b->text->faces.count;
    int32_t *places = allocate(b->mesh->part_count, sizeof *places);
    int32_t *keys = allocate(count, sizeof *keys);
    obj_face *sorted = allocate(count, sizeof *sorted);
    int32_t *order = NULL;
    if (places && keys && sorted) {
        for (int32_t i = 0; i < b->mesh->part_count; ++i)
            places[part_order[i]] = i;
        for (int32_t i = 0; i < count; ++i)
            keys[i] = faces[i].part = places[faces[i].part];
        order = sort_by_keys(keys, count, b->mesh->part_count, NULL);
    }
    bool ok = order;
    for (int32_t i = 0; ok && i < count; ++i)
        sorted[i] = faces[order[i]];
    if (ok)
        b->text->faces.items = sorted;
    free(ok ? faces : sorted);
    free(places);
    free(keys);
    free(order);
    return ok;
}

static bool order_parts(mesh_builder *b, const int32_t *object_of_part, const int32_t *part_order)
{
    obj_mesh *mesh = b->mesh;
    mesh->parts = allocate(mesh->part_count, sizeof *mesh->parts);
    if (!mesh->parts)
        return false;
    for (int32_t i = 0; i < mesh->part_count; ++i) {
        const int32_t *values = b->text->parts.tuples.items[part_order[i]].values;
        mesh->parts[i] = (obj_part){.object = object_of_part[part_order[i]],
                                    .material = values[OBJ_MATERIAL],
                                    .has_normals = values[OBJ_HAS_NORMALS]};
    }
    return place_faces(b, part_order);
}

static bool make_parts(mesh_builder *b)
{
    b->mesh->part_count = b->text->parts.tuples.count;
    tuple_table objects = {0};
    int32_t *object_of_part = allocate(b->mesh->part_count, sizeof *object_of_part);
    bool ok = object_of_part;
    for (int32_t i = 0; ok && i < b->mesh->part_count; ++i) {
        tuple key = b->text->parts.tuples.items[i];
        key.values[OBJ_MATERIAL] = key.values[OBJ_HAS_NORMALS] = 0;
        object_of_part[i] = pli_tuple_table_add(&objects, key);
        ok = object_of_part[i] >= 0;
    }
    int32_t *part_order =
        ok ? sort_by_keys(object_of_part, b->mesh->part_count, objects.tuples.count, NULL) : NULL;
    ok = part_order && name_objects(b, &objects) && order_parts(b, object_of_part, part_order);
    free(part_order);
    free(object_of_part);
    pli_tuple_table_release(&objects);
    return ok;
}

// ---------------------------------------------------------------------------------------------
// Triangles

static int32_t add_vertex(mesh_builder *b, int32_t part, const obj_corner *corner)
{
    int32_t normal = b->mesh->parts[part].has_normals ? corner->normal : -1;
    b->mesh->parts[part].has_coordinates |= corner->coordinate >= 0;
    return pli_tuple_table_add(&b->vertices, (tuple){{[VERTEX_PART] = part,
                                                      [VERTEX_POSITION] = corner->position,
                                                      [VERTEX_COORDINATE] = corner->coordinate,
                                                      [VERTEX_NORMAL] = normal}});
}

static void cut_face(mesh_builder *b, const obj_face *face)
{
    int32_t(*triangles)[3] = b->mesh->triangles + b->triangle_count;
    if (!pli_polygon_cut(b->face_positions, face->corner_count, triangles)) {
        char place[32];
        snprintf(place, sizeof place, "line %d", (int)face->line);
        pli_remark_add(b->remarks, place,
                       "the face is not convex and has %d corners: its triangles may overlap",
                       (int)face->corner_count);
    }
    for (int32_t i = 0; i < face->corner_count - 2; ++i) {
        for (int j = 0; j < 3; ++j)
            triangles[i][j] = b->face_vertices[triangles[i][j]];
    }
    b->mesh->parts[face->part].triangle_count += face->corner_count - 2;
    b->triangle_count += face->corner_count - 2;
}

static bool add_face(mesh_builder *b, const obj_face *face)
{
    for (int32_t i = 0; i < face->corner_count; ++i) {
        const obj_corner *corner = &b->text->corners.items[face->first_corner + i];
        b->face_positions[i] = b->text->positions.items[corner->position];
        b->face_vertices[i] = add_vertex(b, face->part, corner);
        if (b->face_vertices[i] < 0)
            return false;
    }
    cut_face(b, face);
    return true;
}

static bool add_faces(mesh_builder *b)
{
    const obj_text *text = b->text;
    int32_t largest = 0;
    for (int32_t i = 0; i < text->faces.count; ++i) {
        int32_t count = text->faces.items[i].corner_count;
        largest = count > largest ? count : largest;
    }
    // A face has fewer triangles than corners.
    b->mesh->triangles = allocate(text->corners.count, sizeof *b->mesh->triangles);
    b->face_positions = allocate(largest, sizeof *b->face_positions);
    b->face_vertices = allocate(largest, sizeof *b->face_vertices);
    bool ok = b->mesh->triangles && b->face_positions && b->face_vertices;
    for (int32_t i = 0; ok && i < text->faces.count; ++i)
        ok = add_face(b, &text->faces.items[i]);
    free(b->face_positions);
    free(b->face_vertices);
    return ok;
}

// ---------------------------------------------------------------------------------------------
// Vertices

static void fill_vertex(mesh_builder *b, int32_t index, const tuple *vertex)
{
    const obj_text *text = b->text;
    int32_t coordinate = vertex->values[VERTEX_COORDINATE], normal = vertex->values[VERTEX_NORMAL];
    b->mesh->positions[index] = text->positions.items[vertex->values[VERTEX_POSITION]];
    if (normal >= 0)
        b->mesh->normals[index] = text->normals.items[normal];
    if (coordinate >= 0) {
        b->mesh->coordinates[index][0] = text->coordinates.items[coordinate].u;
        b->mesh->coordinates[index][1] = 1.0f - text->coordinates.items[coordinate].v;
    }
    ++b->mesh->parts[vertex->values[VERTEX_PART]].vertex_count;
}

static void fill_vertices(mesh_builder *b, const int32_t *order, int32_t *places)
{
    for (int32_t i = 0; i < b->vertices.tuples.count; ++i) {
        places[order[i]] = i;
        fill_vertex(b, i, &b->vertices.tuples.items[order[i]]);
    }
    for (int32_t i = 0; i < b->triangle_count; ++i) {
        for (int j = 0; j < 3; ++j)
            b->mesh->triangles[i][j] = places[b->mesh->triangles[i][j]];
    }
    for (int32_t i = 1; i < b->mesh->part_count; ++i) {
        obj_part *part = &b->mesh->parts[i];
        part->first_vertex = part[-1].first_vertex + part[-1].vertex_count;
        part->first_triangle = part[-1].first_triangle + part[-1].triangle_count;
    }
}

static bool make_vertices(mesh_builder *b)
{
    obj_mesh *mesh = b->mesh;
    int32_t count = b->vertices.tuples.count;
    mesh->positions = allocate(count, sizeof *mesh->positions);
    mesh->normals = allocate(count, sizeof *mesh->normals);
    mesh->coordinates = allocate(count, sizeof *mesh->coordinates);
    int32_t *places = allocate(count, sizeof *places);
    int32_t *by_position = sort_vertices(b, VERTEX_POSITION, b->text->positions.count, NULL);
    int32_t *order =
        by_position ? sort_vertices(b, VERTEX_PART, mesh->part_count, by_position) : NULL;
    bool ok = mesh->positions && mesh->normals && mesh->coordinates && places && order;
    if (ok)
        fill_vertices(b, order, places);
    free(places);
    free(by_position);
    free(order);
    return ok;
}

bool pli_obj_mesh_build(obj_mesh *mesh, obj_text *text, pliant_remarks *remarks)
{
    mesh_builder builder = {.mesh = mesh, .text = text, .remarks = remarks};
    bool ok = make_parts(&builder) && add_faces(&builder) && make_vertices(&builder);
    pli_tuple_table_release(&builder.vertices);
    return ok;
}

void pli_obj_mesh_release(obj_mesh *mesh)
{
    free(mesh->parts);
    free(mesh->objects);
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->coordinates);
    free(mesh->triangles);
    *mesh = (obj_mesh){0};
}
