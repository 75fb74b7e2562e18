// A part of a mesh with a draft of its own.

#include "draft/excerpt.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// The mesh

static bool is_selected(const unsigned char *mask, const int32_t *corners)
{
    return mask[corners[0]] && mask[corners[1]] && mask[corners[2]];
}

// Numbers the corners of the selected triangles: `places` has 1 for each of them, then its number in the excerpt plus 1.
static bool choose(draft_excerpt *e, const pliant_mesh *mesh, const unsigned char *mask,
                   int32_t *places)
{
    int32_t vertices = 0, triangles = 0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *corners = mesh->triangles + 3 * (size_t)i;
        if (!is_selected(mask, corners))
            continue;
        e->triangles[triangles++] = i;
        places[corners[0]] = places[corners[1]] = places[corners[2]] = 1;
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        if (places[v] == 0)
            continue;
        e->vertices[vertices++] = v;
        places[v] = vertices;
    }
    e->mesh = pliant_mesh_create(vertices, triangles, 1);
    return e->mesh != NULL;
}

static void copy(draft_excerpt *e, const pliant_mesh *from, const int32_t *places)
{
    pliant_mesh *mesh = e->mesh;
    mesh->parts[0].vertex_count = mesh->vertex_count;
    mesh->parts[0].triangle_count = mesh->triangle_count;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        mesh->positions[v] = from->positions[e->vertices[v]];
        mesh->normals[v] = from->normals[e->vertices[v]];
    }
    for (int32_t i = 0; i < 3 * mesh->triangle_count; ++i)
        mesh->triangles[i] = places[from->triangles[3 * e->triangles[i / 3] + i % 3]] - 1;
}

pliant_result pli_excerpt_open(draft_excerpt *excerpt, const pliant_mesh *mesh,
                               const unsigned char *mask, pliant_error *error)
{
    int32_t *places = calloc((size_t)mesh->vertex_count + 1, sizeof *places);
    *excerpt = (draft_excerpt){
        .vertices = malloc(((size_t)mesh->vertex_count + 1) * sizeof(int32_t)),
        .triangles = malloc(((size_t)mesh->triangle_count + 1) * sizeof(int32_t)),
    };
    bool ok =
        places && excerpt->vertices && excerpt->triangles && choose(excerpt, mesh, mask, places);
    if (ok) {
        copy(excerpt, mesh, places);
        excerpt->draft = pliant_draft_create(excerpt->mesh, error);
    } else {
        pli_error_memory(error);
    }
    free(places);
    if (excerpt->draft)
        return PLIANT_OK;
    pli_excerpt_close(excerpt);
    return error->code;
}

void pli_excerpt_close(draft_excerpt *excerpt)
{
    pliant_draft_destroy(excerpt->draft);
    pliant_mesh_destroy(excerpt->mesh);
    free(excerpt->vertices);
    free(excerpt->triangles);
    *excerpt = (draft_excerpt){0};
}

// ---------------------------------------------------------------------------------------------
// Putting back

static void put_particles(const draft_excerpt *e, pliant_draft *draft)
{
    const pliant_draft *part = e->draft;
    for (int i = 0; i < part->particle_count; ++i) {
        draft_anchor anchor = part->anchors[i];
        if (anchor.triangle >= 0)
            anchor.triangle = e->triangles[anchor.triangle];
        pli_draft_append_particle(draft, &part->particles[i], anchor);
        draft->weights[i] = part->weights[i];
    }
    for (int i = 0; i < part->edge_count; ++i)
        draft->edges[draft->edge_count++] = part->edges[i];
    for (int32_t v = 0; v < e->mesh->vertex_count; ++v)
        draft->links[e->vertices[v]] = part->links[v];
}

pliant_result pli_excerpt_put_back(const draft_excerpt *excerpt, pliant_draft *draft,
                                   pliant_error *error)
{
    const pliant_draft *part = excerpt->draft;
    if (!pli_draft_reserve_particles(draft, part->particle_count) ||
        !pli_draft_reserve_edges(draft, part->edge_count))
        return pli_error_memory(error);
    pli_draft_change_scale(draft, part->spacing, part->bridge);
    put_particles(excerpt, draft);
    draft->weight = part->weight;
    draft->material = part->material;
    draft->is_weighed = part->is_weighed;
    return PLIANT_OK;
}
