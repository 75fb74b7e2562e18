// The container of drafts, and the way from a draft to a model.

#include "draft/draft.h"

#include "core/error.h"
#include "draft/check.h"
#include "draft/content.h"
#include "draft/hold.h"
#include "io/progress.h"
#include "matter/matter.h"
#include "mesh/select.h"
#include "mesh/surface_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static pliant_result check_mesh(const pliant_mesh *mesh, pliant_error *error)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        if (!pli_tool_check_position(mesh->positions[v], "position", NULL))
            return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "vertex", v,
                                    "its position is not within ±1e+06 m");
    if (pli_mesh_check_triangles(mesh, error) != PLIANT_OK)
        return PLIANT_ERROR_ARGUMENT;
    for (int32_t i = 0; i < mesh->part_count; ++i)
        if (pli_mesh_check_part(mesh, i, error) != PLIANT_OK)
            return PLIANT_ERROR_ARGUMENT;
    return PLIANT_OK;
}

static pliant_draft *allocate(const pliant_mesh *mesh)
{
    pliant_draft *draft = calloc(1, sizeof *draft);
    if (!draft)
        return NULL;
    draft->mesh = mesh;
    draft->weight = default_weight();
    draft->material = pliant_default_material();
    draft->surface = calloc(1, sizeof *draft->surface);
    draft->links = calloc((size_t)mesh->vertex_count + 1, sizeof *draft->links);
    draft->progress = calloc(1, sizeof *draft->progress);
    if (draft->surface && draft->links && draft->progress)
        return draft;
    pliant_draft_destroy(draft);
    return NULL;
}

pliant_draft *pliant_draft_create_with(const pliant_mesh *mesh, const pliant_progress *progress,
                                       pliant_error *error)
{
    if (check_mesh(mesh, error) != PLIANT_OK)
        return NULL;
    pliant_draft *draft = allocate(mesh);
    if (!draft) {
        pli_error_memory(error);
        return NULL;
    }
    pliant_draft_set_progress(draft, progress);
    pli_progress_begin(draft->progress);
    if (!draft->progress->is_stopped)
        draft->topology = pli_topology_create(mesh);
    if (!draft->topology || !pli_progress_tell(draft->progress, 1.0f)) {
        pli_progress_fail(draft->progress, error);
        pliant_draft_destroy(draft);
        return NULL;
    }
    pli_progress_end(draft->progress);
    return draft;
}

pliant_draft *pliant_draft_create(const pliant_mesh *mesh, pliant_error *error)
{
    return pliant_draft_create_with(mesh, NULL, error);
}

static void release_matter(pliant_draft *draft)
{
    pli_matter_destroy(draft->matter);
    free(draft->tips.points);
    draft->matter = NULL;
    draft->tips = (draft_tips){0};
}

void pliant_draft_destroy(pliant_draft *draft)
{
    if (!draft)
        return;
    if (draft->surface)
        pli_surface_search_close(draft->surface);
    free(draft->surface);
    free(draft->progress);
    pli_topology_destroy(draft->topology);
    release_matter(draft);
    pli_draft_release_content(draft);
    free(draft);
}

void pliant_draft_set_progress(pliant_draft *draft, const pliant_progress *progress)
{
    draft->progress->listener = progress ? *progress : (pliant_progress){0};
}

int pliant_draft_particle_count(const pliant_draft *draft)
{
    return draft->particle_count;
}

int pliant_draft_edge_count(const pliant_draft *draft)
{
    return draft->edge_count;
}

int pliant_draft_group_count(const pliant_draft *draft)
{
    return draft->group_count;
}

pliant_particle_def *pliant_draft_particle(pliant_draft *draft, int index)
{
    return &draft->particles[index];
}

pliant_edge_def *pliant_draft_edge(pliant_draft *draft, int index)
{
    return &draft->edges[index];
}

pliant_group_def pliant_draft_group_at(const pliant_draft *draft, int index)
{
    return draft->groups[index].def;
}

const int32_t *pliant_draft_link_particles(const pliant_draft *draft, int vertex)
{
    return draft->links[vertex].particles;
}

const float *pliant_draft_link_weights(const pliant_draft *draft, int vertex)
{
    return draft->links[vertex].weights;
}

pliant_result pliant_draft_set_scale(pliant_draft *draft, float spacing, float bridge,
                                     pliant_error *error)
{
    if (!(spacing > 0.0f) || !isfinite(spacing))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "spacing", "expected a number above 0");
    if (!(bridge >= 0.0f && bridge <= spacing))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "bridge",
                             "expected a number from 0 to the spacing");
    pli_draft_change_scale(draft, spacing, bridge);
    return PLIANT_OK;
}

float pliant_draft_spacing(const pliant_draft *draft)
{
    return draft->spacing;
}

pliant_material pliant_draft_material(const pliant_draft *draft)
{
    return draft->material;
}

pliant_result pliant_draft_set_material(pliant_draft *draft, const pliant_material *material,
                                        pliant_error *error)
{
    if (!pli_tool_check_element(ELEMENT_MATERIAL, material, error))
        return PLIANT_ERROR_ARGUMENT;
    draft->material = *material;
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// For the tools

void pli_draft_change_scale(pliant_draft *draft, float spacing, float bridge)
{
    if (draft->spacing == spacing && draft->bridge == bridge)
        return;
    draft->spacing = spacing;
    draft->bridge = bridge;
    draft->is_weighed = false;
    release_matter(draft);
}

static bool grow(void **array, size_t element, int capacity)
{
    void *grown = realloc(*array, (size_t)capacity * element);
    if (grown)
        *array = grown;
    return grown != NULL;
}

bool pli_draft_reserve_particles(pliant_draft *draft, int count)
{
    int needed = draft->particle_count + count;
    if (needed <= draft->particle_capacity)
        return true;
    int capacity = needed + needed / 2 + 16;
    if (!grow((void **)&draft->particles, sizeof *draft->particles, capacity) ||
        !grow((void **)&draft->anchors, sizeof *draft->anchors, capacity) ||
        !grow((void **)&draft->weights, sizeof *draft->weights, capacity) ||
        (draft->origins && !grow((void **)&draft->origins, sizeof *draft->origins, capacity)))
        return false;
    draft->particle_capacity = capacity;
    return true;
}

bool pli_draft_reserve_edges(pliant_draft *draft, int count)
{
    int needed = draft->edge_count + count;
    if (needed <= draft->edge_capacity)
        return true;
    int capacity = needed + needed / 2 + 16;
    if (!grow((void **)&draft->edges, sizeof *draft->edges, capacity))
        return false;
    draft->edge_capacity = capacity;
    return true;
}

void pli_draft_append_particle(pliant_draft *draft, const pliant_particle_def *particle,
                               draft_anchor anchor)
{
    if (draft->origins)
        draft->origins[draft->particle_count] = -1;
    draft->particles[draft->particle_count] = *particle;
    draft->weights[draft->particle_count] = draft->weight;
    draft->is_weighed = false;
    draft->anchors[draft->particle_count++] = anchor;
}

void pli_draft_set_edge(pliant_edge_def *to, int32_t a, int32_t b, const pliant_edge_def *values)
{
    *to = *values;
    to->a = a < b ? a : b;
    to->b = a < b ? b : a;
}

void pli_draft_append_edge(pliant_draft *draft, int32_t a, int32_t b, const pliant_edge_def *values)
{
    pli_draft_set_edge(&draft->edges[draft->edge_count++], a, b, values);
}

const surface_search *pli_draft_surface(const pliant_draft *draft)
{
    bool is_open = draft->surface->mesh || pli_surface_search_open(draft->surface, draft->mesh);
    return is_open ? draft->surface : NULL;
}

vec3 pli_draft_radii(const pliant_particle_def *particle, float fallback)
{
    vec3 r = particle->radii;
    bool none = r.x == 0.0f && r.y == 0.0f && r.z == 0.0f;
    return none ? (vec3){fallback, fallback, fallback} : r;
}

// ---------------------------------------------------------------------------------------------
// Building

static int32_t count_unbound(const pliant_draft *draft)
{
    int32_t count = 0;
    for (int32_t v = 0; v < draft->mesh->vertex_count; ++v)
        count += !is_bound(draft, v);
    return count;
}

// What is not bound follows the holder.
static void add_vertices(pliant_builder *builder, const pliant_draft *draft, int32_t holder)
{
    const pliant_mesh *mesh = draft->mesh;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        pliant_vertex_def vertex = {.position = mesh->positions[v],
                                    .normal = mesh->normals[v],
                                    .u = mesh->coordinates[v][0],
                                    .v = mesh->coordinates[v][1]};
        memcpy(vertex.particles, draft->links[v].particles, sizeof vertex.particles);
        memcpy(vertex.weights, draft->links[v].weights, sizeof vertex.weights);
        if (!is_bound(draft, v)) {
            vertex.particles[0] = holder;
            vertex.weights[0] = 1.0f;
        }
        pliant_builder_add_vertex(builder, &vertex);
    }
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *corners = mesh->triangles + 3 * i;
        pliant_builder_add_triangle(builder, corners[0], corners[1], corners[2]);
    }
}

pliant_model *pliant_draft_build(pliant_draft *draft, pliant_error *error)
{
    int32_t unbound = count_unbound(draft);
    if (unbound > 0 && unbound == draft->mesh->vertex_count) {
        pli_error_set(error, PLIANT_ERROR_MODEL, "vertices", "none is bound to a particle");
        return NULL;
    }
    if (pliant_draft_weigh(draft, error) != PLIANT_OK)
        return NULL;
    pliant_builder *builder = pliant_builder_create(NULL);
    if (!builder) {
        pli_error_memory(error);
        return NULL;
    }
    for (int i = 0; i < draft->particle_count; ++i)
        pliant_builder_add_particle(builder, &draft->particles[i]);
    for (int i = 0; i < draft->edge_count; ++i)
        pliant_builder_add_edge(builder, &draft->edges[i]);
    for (int i = 0; i < draft->group_count; ++i)
        pliant_builder_add_group(builder, &draft->groups[i].def);
    for (int i = 0; i < draft->hinge_count; ++i)
        pliant_builder_add_hinge(builder, &draft->hinges[i]);
    pliant_builder_set_material(builder, &draft->material);
    pliant_builder_set_rig(builder, draft->mesh->rig);
    pliant_particle_def holder = pli_draft_holder(draft);
    if (unbound > 0)
        pliant_builder_add_particle(builder, &holder);
    add_vertices(builder, draft, draft->particle_count);
    pliant_model *model = pliant_builder_build(builder, error);
    pliant_builder_destroy(builder);
    return model;
}
