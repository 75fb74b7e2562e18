// Meshes and drafts for tests of authoring tools.

#ifndef PLIANT_TESTS_DRAFTS_H
#define PLIANT_TESTS_DRAFTS_H

#include "meshes.h"

#include "draft/draft.h"

static pliant_error error;

// The call fails with this place and message in `error`.
#define assert_refused(call, at, text)                                                             \
    do {                                                                                           \
        error = (pliant_error){0};                                                                 \
        assert_true((call) != PLIANT_OK);                                                          \
        assert_string_equal(error.place, at);                                                      \
        assert_string_equal(error.message, text);                                                  \
        assert_int_not_equal(error.code, PLIANT_OK);                                               \
    } while (0)

#define assert_done(call)                                                                          \
    do {                                                                                           \
        error = (pliant_error){0};                                                                 \
        if ((call) != PLIANT_OK)                                                                   \
            fail_msg("%s: %s", error.place, error.message);                                        \
    } while (0)

enum { BOX_VERTICES = 8, BOX_TRIANGLES = 12 };

// A box as part number `index`, its triangles facing outwards.
static inline void fill_box(pliant_mesh *mesh, int index, const char *name, const char *material,
                            vec3 centre, vec3 half)
{
    static const int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    pliant_mesh_part *part = &mesh->parts[index];
    snprintf(part->name, sizeof part->name, "%s", name);
    snprintf(part->material, sizeof part->material, "%s", material);
    part->first_vertex = index * BOX_VERTICES;
    part->vertex_count = BOX_VERTICES;
    part->first_triangle = index * BOX_TRIANGLES;
    part->triangle_count = BOX_TRIANGLES;
    for (int i = 0; i < BOX_VERTICES; ++i)
        mesh->positions[part->first_vertex + i] =
            (vec3){centre.x + (i & 1 ? half.x : -half.x), centre.y + (i & 2 ? half.y : -half.y),
                   centre.z + (i & 4 ? half.z : -half.z)};
    for (int i = 0; i < BOX_TRIANGLES; ++i) {
        const int *side = sides[i / 2];
        const int corners[3] = {side[0], side[i % 2 ? 2 : 1], side[i % 2 ? 3 : 2]};
        for (int k = 0; k < 3; ++k)
            mesh->triangles[3 * (part->first_triangle + i) + k] = part->first_vertex + corners[k];
    }
}

// Three boxes a metre wide: "Body" of "wood" at the origin, "Cape_left" and "Cape_right" of "cloth" at x = 3
// and x = -3.
static inline pliant_mesh *three_boxes(void)
{
    vec3 half = {0.5f, 0.5f, 0.5f};
    pliant_mesh *mesh = pliant_mesh_create(3 * BOX_VERTICES, 3 * BOX_TRIANGLES, 3);
    assert_non_null(mesh);
    fill_box(mesh, 0, "Body", "wood", (vec3){0, 0, 0}, half);
    fill_box(mesh, 1, "Cape_left", "cloth", (vec3){3, 0, 0}, half);
    fill_box(mesh, 2, "Cape_right", "cloth", (vec3){-3, 0, 0}, half);
    return mesh;
}

static inline int place_at(pliant_draft *draft, float x, float y, float z)
{
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = (vec3){x, y, z};
    int index = pliant_draft_place(draft, &particle, &error);
    if (index < 0)
        fail_msg("%s: %s", error.place, error.message);
    return index;
}

static inline int join(pliant_draft *draft, int a, int b)
{
    int index =
        pliant_draft_add_edge(draft, &(pliant_edge_def){a, b, 0.25f, 0.75f, false, 0.0f}, &error);
    if (index < 0)
        fail_msg("%s: %s", error.place, error.message);
    return index;
}

// Binds every vertex to one particle.
static inline void bind_all(pliant_draft *draft, int particle)
{
    for (int32_t v = 0; v < draft->mesh->vertex_count; ++v)
        draft->links[v] = (draft_links){{particle}, {1.0f}};
}

static inline pliant_model *model_of(pliant_draft *draft)
{
    pliant_model *model = pliant_draft_build(draft, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    return model;
}

static inline void assert_same_blob(const pliant_model *a, const pliant_model *b)
{
    size_t size = pliant_model_blob_size(a);
    assert_int_equal(pliant_model_blob_size(b), size);
    char *blobs = malloc(2 * size);
    assert_non_null(blobs);
    pliant_model_save(a, blobs);
    pliant_model_save(b, blobs + size);
    assert_memory_equal(blobs, blobs + size, size);
    free(blobs);
}

#define assert_selected(selection, ...)                                                            \
    check_selected(selection, (const int[]){__VA_ARGS__},                                          \
                   (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)), __FILE__, __LINE__)

static inline void check_selected(const pliant_selection *selection, const int *expected, int count,
                                  const char *file, int line)
{
    bool same = selection->count == count;
    for (int i = 0; same && i < count; ++i)
        same = selection->indices[i] == expected[i];
    if (same)
        return;
    print_error("selected are:");
    for (int i = 0; i < selection->count; ++i)
        print_error(" %d", (int)selection->indices[i]);
    print_error("\n");
    _fail(file, line);
}

#endif
