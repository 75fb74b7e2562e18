// Reads any bytes as a recipe for a small mesh. What runs must be told apart from what does not, and a recipe
// that fails leaves the draft as it was.

#include <pliant/draft.h>

#include "limited_memory.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BOXES = 2, VERTICES = 8, TRIANGLES = 12 };

static const float centres[BOXES] = {0.0f, 0.4f}; // in x
static const float half_size = 0.15f;
static const char *const names[BOXES] = {"body", "cape"}, *const materials[] = {"wood", "gold"};

// Two boxes so small that few particles fit in, a part each.
static pliant_mesh *make_mesh(void)
{
    static const int32_t corners[TRIANGLES][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                                  {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                  {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    pliant_mesh *mesh = pliant_mesh_create(BOXES * VERTICES, BOXES * TRIANGLES, BOXES);
    if (!mesh)
        abort();
    for (int box = 0; box < BOXES; ++box) {
        pliant_mesh_part *part = &mesh->parts[box];
        *part = (pliant_mesh_part){.first_vertex = box * VERTICES,
                                   .vertex_count = VERTICES,
                                   .first_triangle = box * TRIANGLES,
                                   .triangle_count = TRIANGLES};
        snprintf(part->name, sizeof part->name, "%s", names[box]);
        snprintf(part->material, sizeof part->material, "%s", materials[box]);
        for (int i = 0; i < VERTICES; ++i)
            mesh->positions[part->first_vertex + i] =
                (pliant_vec3){centres[box] + (i & 1 ? half_size : -half_size),
                              i & 2 ? half_size : -half_size, i & 4 ? half_size : -half_size};
        for (int i = 0; i < 3 * TRIANGLES; ++i)
            mesh->triangles[3 * part->first_triangle + i] =
                part->first_vertex + corners[i / 3][i % 3];
    }
    return mesh;
}

static void run(pliant_draft *draft, const char *text, size_t size)
{
    pliant_error error = {0};
    if (pliant_draft_run_recipe(draft, text, size, &error) == PLIANT_OK) {
        pliant_model_destroy(pliant_draft_build(draft, &error));
    } else if (error.code == PLIANT_OK || error.message[0] == '\0' ||
               pliant_draft_particle_count(draft) != 0 || pliant_draft_edge_count(draft) != 0 ||
               pliant_draft_group_count(draft) != 0) {
        __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static pliant_mesh *mesh;
    if (!mesh)
        mesh = make_mesh();
    limited_memory_begin((size_t)4 << 20);
    pliant_draft *draft = pliant_draft_create(mesh, NULL);
    if (draft)
        run(draft, (const char *)data, size);
    pliant_draft_destroy(draft);
    limited_memory_end();
    return 0;
}
