// A mesh twisted about its height, written and read again.

#ifndef PLIANT_TESTS_RESHAPE_H
#define PLIANT_TESTS_RESHAPE_H

#include "glb.h"

static inline vec3 twisted(vec3 x, float angle)
{
    return quat_rotate(quat_exp((vec3){0.0f, angle, 0.0f}), x);
}

static inline pliant_mesh *reshape(const pliant_mesh *mesh, const char *name)
{
    size_t count = (size_t)mesh->vertex_count;
    vec3 *positions = calloc(count + 1, sizeof *positions);
    vec3 *normals = calloc(count + 1, sizeof *normals);
    for (size_t i = 0; i < count; ++i) {
        float angle = 0.1f + mesh->positions[i].y;
        positions[i] = vec3_add(twisted(mesh->positions[i], angle), (vec3){0.1f, 0.2f, 0.3f});
        normals[i] = vec3_scale(twisted(mesh->normals[i], angle), 3.0f); // of any length
    }
    pliant_error error = {0};
    pliant_mesh *shaped = pliant_mesh_create_reshaped(mesh, positions, normals, &error);
    if (!shaped)
        fail_msg("%s: %s: %s", name, error.place, error.message);
    for (size_t i = 0; i < count; ++i)
        assert_true(shaped->positions[i].x == positions[i].x &&
                    shaped->positions[i].y == positions[i].y &&
                    shaped->positions[i].z == positions[i].z);
    free(positions);
    free(normals);
    return shaped;
}

static inline void assert_same_parts(const pliant_mesh *a, const pliant_mesh *b, const char *name)
{
    bool same = a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
                a->part_count == b->part_count;
    for (int i = 0; same && i < a->part_count; ++i) {
        const pliant_mesh_part *p = &a->parts[i], *q = &b->parts[i];
        same = strcmp(p->name, q->name) == 0 && strcmp(p->material, q->material) == 0 &&
               p->first_vertex == q->first_vertex && p->vertex_count == q->vertex_count &&
               p->first_triangle == q->first_triangle && p->triangle_count == q->triangle_count;
    }
    if (!same)
        fail_msg("%s: other parts", name);
    if (a->triangle_count > 0)
        assert_memory_equal(a->triangles, b->triangles, (size_t)a->triangle_count * 12);
    if (a->vertex_count > 0)
        assert_memory_equal(a->coordinates, b->coordinates, (size_t)a->vertex_count * 8);
}

// Unit length, or zero where a vertex of its part had none.
static inline void assert_unit_normals(const pliant_mesh *shaped, const pliant_mesh *mesh)
{
    for (int k = 0; k < mesh->part_count; ++k) {
        const pliant_mesh_part *part = &mesh->parts[k];
        bool lacks = false;
        for (int i = 0; i < part->vertex_count; ++i)
            lacks |= vec3_length(mesh->normals[part->first_vertex + i]) == 0.0f;
        for (int i = part->first_vertex; i < part->first_vertex + part->vertex_count; ++i) {
            vec3 expected = twisted(mesh->normals[i], 0.1f + mesh->positions[i].y);
            vec3 difference = vec3_sub(shaped->normals[i], lacks ? (vec3){0, 0, 0} : expected);
            assert_near(vec3_length(difference), 0.0f, 1e-5f);
        }
    }
}

// The mesh reshaped, written and read is the reshaped mesh, bit for bit, with the looks of the first.
static inline void check_reshape(const pliant_mesh *mesh, const char *name)
{
    pliant_error error = {0};
    pliant_mesh *shaped = reshape(mesh, name);
    assert_same_parts(shaped, mesh, name);
    assert_unit_normals(shaped, mesh);
    glb_file file;
    if (pliant_mesh_write(shaped, &file.data, &file.size, &error) != PLIANT_OK)
        fail_msg("%s: %s: %s", name, error.place, error.message);
    pliant_remarks remarks;
    pliant_mesh *again = pliant_mesh_read(file.data, file.size, "/nonexistent", &remarks, &error);
    if (!again)
        fail_msg("%s: %s: %s", name, error.place, error.message);
    assert_same_parts(again, mesh, name);
    if (mesh->vertex_count > 0) {
        size_t size = (size_t)mesh->vertex_count * sizeof(vec3);
        assert_memory_equal(again->positions, shaped->positions, size);
        if (mesh->document)
            assert_memory_equal(again->normals, shaped->normals, size);
    }
    pliant_glb_info info;
    assert_int_equal(pliant_glb_inspect(file.data, file.size, &info, &error), PLIANT_OK);
    assert_int_equal(info.skins + info.animations + info.cameras, 0);
    free(file.data);
    pliant_mesh_destroy(again);
    pliant_mesh_destroy(shaped);
}

#endif
