// From an earlier model: its values where particles stayed, or all of it.

#include "core/error.h"
#include "draft/check.h"
#include "draft/hold.h"
#include "mesh/select.h"
#include "outward.h"

#include <stdlib.h>
#include <string.h>

// Who takes from whom.
typedef struct heritage {
    const pliant_model *earlier;
    int32_t *sources;                // each particle's earlier one, or -1
    unsigned char *has_heir;         // one byte for each earlier particle
    int32_t *first_edge, *edges;     // the earlier edges by the lower of their ends
    int group_count;                 // of the groups that are taken over
    int32_t *groups;                 // their earlier numbers
    pliant_selection *group_members; // and their members here
} heritage;

static void release(heritage *h)
{
    for (int i = 0; h->group_members && i < h->group_count; ++i)
        pliant_selection_release(&h->group_members[i]);
    free(h->sources);
    free(h->has_heir);
    free(h->first_edge);
    free(h->edges);
    free(h->groups);
    free(h->group_members);
}

static bool allocate(heritage *h, const pliant_draft *draft, const pliant_model *earlier)
{
    size_t particles = (size_t)pliant_model_particle_count(earlier);
    size_t edges = (size_t)pliant_model_edge_count(earlier);
    size_t groups = (size_t)pliant_model_group_count(earlier);
    *h = (heritage){
        .earlier = earlier,
        .sources = calloc((size_t)draft->particle_count + 1, sizeof *h->sources),
        .has_heir = calloc(particles + 1, 1),
        .first_edge = calloc(particles + 1, sizeof *h->first_edge),
        .edges = calloc(edges + 1, sizeof *h->edges),
        .groups = calloc(groups + 1, sizeof *h->groups),
        .group_members = calloc(groups + 1, sizeof *h->group_members),
    };
    return h->sources && h->has_heir && h->first_edge && h->edges && h->groups && h->group_members;
}

// ---------------------------------------------------------------------------------------------
// Particles and edges

// All but the holder, which drafts do not have.
static int count_particles(const pliant_model *model)
{
    int holder = pli_model_holder(model);
    return holder < 0 ? pliant_model_particle_count(model) : holder;
}

// The earlier particles as a mesh of points, for the search.
static pliant_mesh *points_of(const pliant_model *model)
{
    int count = count_particles(model);
    pliant_mesh *mesh = pliant_mesh_create(count, count, 0);
    for (int i = 0; mesh && i < count; ++i) {
        mesh->positions[i] = pliant_model_particles(model)[i].position;
        for (int k = 0; k < 3; ++k)
            mesh->triangles[3 * i + k] = i;
    }
    return mesh;
}

static bool find_sources(heritage *h, const pliant_draft *draft, float distance)
{
    surface_search search = {0};
    pliant_mesh *points = points_of(h->earlier);
    bool ok = points && pli_surface_search_open(&search, points);
    for (int i = 0; ok && i < draft->particle_count; ++i) {
        surface_point near = pli_surface_nearest(&search, draft->particles[i].position);
        bool stayed = near.distance2 <= (double)distance * (double)distance;
        h->sources[i] = stayed ? near.triangle : -1;
        if (stayed)
            h->has_heir[near.triangle] = 1;
    }
    pli_surface_search_close(&search);
    pliant_mesh_destroy(points);
    return ok;
}

static int32_t lower_end(const pliant_edge_def *edge)
{
    return edge->a < edge->b ? edge->a : edge->b;
}

static int32_t upper_end(const pliant_edge_def *edge)
{
    return edge->a < edge->b ? edge->b : edge->a;
}

static void list_edges(heritage *h)
{
    const pliant_edge_def *edges = pliant_model_edges(h->earlier);
    int particles = pliant_model_particle_count(h->earlier);
    int count = pliant_model_edge_count(h->earlier);
    for (int i = 0; i < count; ++i)
        ++h->first_edge[lower_end(&edges[i])];
    for (int i = 1; i <= particles; ++i)
        h->first_edge[i] += h->first_edge[i - 1];
    // Each entry is the end of its list now; filling from the back leaves it at the start.
    for (int i = count - 1; i >= 0; --i)
        h->edges[--h->first_edge[lower_end(&edges[i])]] = i;
}

static void inherit_edge(const heritage *h, pliant_edge_def *edge)
{
    const pliant_edge_def *edges = pliant_model_edges(h->earlier);
    int32_t a = h->sources[edge->a], b = h->sources[edge->b];
    if (a < 0 || b < 0)
        return;
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    for (int32_t i = h->first_edge[low]; i < h->first_edge[low + 1]; ++i) {
        const pliant_edge_def *earlier = &edges[h->edges[i]];
        if (upper_end(earlier) != high)
            continue;
        pli_draft_set_edge(edge, edge->a, edge->b, earlier);
    }
}

static void inherit_particle(const heritage *h, pliant_draft *draft, int i,
                             const surface_search *search)
{
    if (h->sources[i] < 0)
        return;
    const pliant_particle_def *earlier = &pliant_model_particles(h->earlier)[h->sources[i]];
    pliant_particle_def *particle = &draft->particles[i];
    pliant_particle_def own = *particle;
    *particle = *earlier;
    particle->position = own.position;
    particle->orientation = own.orientation;
    particle->radii = own.radii;
    if (particle->flags & PLIANT_PARTICLE_SURFACE)
        pli_draft_turn_outward(particle, draft->anchors[i], search);
}

// ---------------------------------------------------------------------------------------------
// Groups

static bool is_complete(const heritage *h, const pliant_group_def *group)
{
    for (int32_t k = 0; k < group->member_count; ++k)
        if (!h->has_heir[group->members[k]])
            return false;
    return true;
}

// Whether the draft has a group of these very particles.
static bool has_group(const pliant_draft *draft, const unsigned char *mask, int32_t count)
{
    for (int i = 0; i < draft->group_count; ++i) {
        const pliant_group_def *group = &draft->groups[i].def;
        bool same = group->member_count == count;
        for (int32_t k = 0; same && k < count; ++k)
            same = mask[group->members[k]] != 0;
        if (same)
            return true;
    }
    return false;
}

// All heirs of a group's members.
static bool inherit_group(heritage *h, const pliant_draft *draft, int index)
{
    pliant_group_def group = pliant_model_group(h->earlier, index);
    if (!is_complete(h, &group))
        return true;
    unsigned char *members = calloc((size_t)pliant_model_particle_count(h->earlier) + 1, 1);
    unsigned char *mask = calloc((size_t)draft->particle_count + 1, 1);
    bool ok = members && mask;
    if (ok) {
        pliant_selection *heirs = &h->group_members[h->group_count];
        for (int32_t k = 0; k < group.member_count; ++k)
            members[group.members[k]] = 1;
        for (int i = 0; i < draft->particle_count; ++i)
            mask[i] = h->sources[i] >= 0 && members[h->sources[i]];
        ok = pli_selection_from_mask(mask, draft->particle_count, heirs, NULL) == PLIANT_OK;
        if (ok && has_group(draft, mask, heirs->count))
            pliant_selection_release(heirs);
        else if (ok)
            h->groups[h->group_count++] = index;
    }
    free(members);
    free(mask);
    return ok;
}

static bool inherit_groups(heritage *h, pliant_draft *draft)
{
    for (int i = 0; i < pliant_model_group_count(h->earlier); ++i)
        if (!inherit_group(h, draft, i))
            return false;
    return pli_draft_reserve_groups(draft, h->group_count);
}

pliant_result pliant_draft_inherit(pliant_draft *draft, const pliant_model *earlier, float distance,
                                   pliant_error *error)
{
    if (!pli_tool_check_positive(distance, "distance", error))
        return PLIANT_ERROR_ARGUMENT;
    heritage h;
    const surface_search *search = pli_draft_surface(draft);
    bool ok = allocate(&h, draft, earlier) && search && find_sources(&h, draft, distance) &&
              inherit_groups(&h, draft);
    if (ok) {
        draft->material = pliant_model_material(earlier);
        list_edges(&h);
        for (int i = 0; i < draft->particle_count; ++i)
            inherit_particle(&h, draft, i, search);
        for (int i = 0; i < draft->edge_count; ++i)
            inherit_edge(&h, &draft->edges[i]);
        for (int i = 0; i < h.group_count; ++i) {
            pliant_group_def group = pliant_model_group(earlier, h.groups[i]);
            pli_draft_append_group(draft, &group, &h.group_members[i]);
        }
    }
    release(&h);
    return ok ? PLIANT_OK : pli_error_memory(error);
}

// ---------------------------------------------------------------------------------------------
// A whole model

static pliant_result check_mesh(const pliant_mesh *mesh, const pliant_model *model,
                                pliant_error *error)
{
    int count = pliant_model_vertex_count(model);
    if (count != mesh->vertex_count)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "model",
                             "was made of another mesh: it has %d vertices, this one %d", count,
                             (int)mesh->vertex_count);
    const pliant_vertex_def *vertices = pliant_model_vertices(model);
    for (int i = 0; i < count; ++i) {
        vec3 a = vertices[i].position, b = mesh->positions[i];
        if (a.x != b.x || a.y != b.y || a.z != b.z)
            return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "model",
                                 "was made of another mesh: vertex %d is elsewhere", i);
    }
    return PLIANT_OK;
}

// Where a particle of a model belongs: to the surface where that is within its reach.
static draft_anchor anchor_of(const surface_search *search, const pliant_particle_def *particle)
{
    surface_point near = pli_surface_nearest(search, particle->position);
    vec3 r = particle->radii;
    double reach = (double)maximum(r.x, maximum(r.y, r.z));
    if (near.triangle >= 0 && near.distance2 <= reach * reach)
        return (draft_anchor){near.position, near.triangle};
    return (draft_anchor){particle->position, -1};
}

static bool copy_groups(pliant_draft *draft, const pliant_model *model)
{
    int count = pliant_model_group_count(model);
    if (!pli_draft_reserve_groups(draft, count))
        return false;
    for (int i = 0; i < count; ++i) {
        pliant_group_def group = pliant_model_group(model, i);
        size_t size = (size_t)group.member_count * sizeof *group.members;
        pliant_selection members = {group.member_count, malloc(size)};
        if (!members.indices)
            return false;
        memcpy(members.indices, group.members, size);
        pli_draft_append_group(draft, &group, &members);
    }
    return true;
}

static bool copy_hinges(pliant_draft *draft, const pliant_model *model)
{
    size_t count = (size_t)pliant_model_hinge_count(model);
    draft->hinges = malloc((count + 1) * sizeof *draft->hinges);
    if (!draft->hinges)
        return false;
    if (count > 0)
        memcpy(draft->hinges, pliant_model_hinges(model), count * sizeof *draft->hinges);
    draft->hinge_count = (int)count;
    return true;
}

static bool copy_particles(pliant_draft *draft, const pliant_model *model)
{
    int count = count_particles(model);
    const surface_search *search = pli_draft_surface(draft);
    if (!search || !pli_draft_reserve_particles(draft, count))
        return false;
    for (int i = 0; i < count; ++i) {
        const pliant_particle_def *particle = &pliant_model_particles(model)[i];
        pli_draft_append_particle(draft, particle, anchor_of(search, particle));
    }
    return true;
}

static bool copy_edges(pliant_draft *draft, const pliant_model *model)
{
    int count = pliant_model_edge_count(model);
    if (!pli_draft_reserve_edges(draft, count))
        return false;
    for (int i = 0; i < count; ++i) {
        const pliant_edge_def *edge = &pliant_model_edges(model)[i];
        pli_draft_append_edge(draft, edge->a, edge->b, edge);
    }
    return true;
}

// A vertex that follows the holder is not bound.
static void copy_links(pliant_draft *draft, const pliant_model *model)
{
    int holder = pli_model_holder(model);
    for (int32_t v = 0; v < draft->mesh->vertex_count; ++v) {
        const pliant_vertex_def *vertex = &pliant_model_vertices(model)[v];
        if (vertex->particles[0] == holder)
            continue;
        memcpy(draft->links[v].particles, vertex->particles, sizeof vertex->particles);
        memcpy(draft->links[v].weights, vertex->weights, sizeof vertex->weights);
    }
}

pliant_draft *pliant_draft_create_from_model(const pliant_mesh *mesh, const pliant_model *model,
                                             pliant_error *error)
{
    if (check_mesh(mesh, model, error) != PLIANT_OK)
        return NULL;
    pliant_draft *draft = pliant_draft_create(mesh, error);
    if (!draft)
        return NULL;
    if (!copy_particles(draft, model) || !copy_edges(draft, model) || !copy_groups(draft, model) ||
        !copy_hinges(draft, model)) {
        pliant_draft_destroy(draft);
        pli_error_memory(error);
        return NULL;
    }
    copy_links(draft, model);
    draft->material = pliant_model_material(model);
    return draft;
}
