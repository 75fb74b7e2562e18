// Particles, edges and groups one by one, and taking them away.

#include "core/error.h"
#include "draft/check.h"
#include "draft/draft.h"

#include <stdlib.h>

int pliant_draft_place(pliant_draft *draft, const pliant_particle_def *particle,
                       pliant_error *error)
{
    pliant_particle_def probe = *particle;
    probe.mass = probe.mass == 0.0f ? 1.0f : probe.mass;
    if (!pli_tool_check_element(ELEMENT_PARTICLES, &probe, error))
        return -1;
    if (!pli_draft_reserve_particles(draft, 1)) {
        pli_error_memory(error);
        return -1;
    }
    pli_draft_append_particle(draft, particle, (draft_anchor){particle->position, -1});
    return draft->particle_count - 1;
}

// ---------------------------------------------------------------------------------------------
// Removing: what is left moves up. `moved` holds where each one is afterwards, or -1.

static int32_t number_left(int32_t *moved, const unsigned char *removed, int count)
{
    int32_t left = 0;
    for (int i = 0; i < count; ++i)
        moved[i] = removed[i] ? -1 : left++;
    return left;
}

static void move_particles(pliant_draft *draft, const int32_t *moved)
{
    for (int i = 0; i < draft->particle_count; ++i) {
        if (moved[i] < 0)
            continue;
        draft->particles[moved[i]] = draft->particles[i];
        draft->anchors[moved[i]] = draft->anchors[i];
        draft->weights[moved[i]] = draft->weights[i];
        if (draft->origins)
            draft->origins[moved[i]] = draft->origins[i];
    }
}

static void move_edges(pliant_draft *draft, const int32_t *moved)
{
    int left = 0;
    for (int i = 0; i < draft->edge_count; ++i) {
        pliant_edge_def edge = draft->edges[i];
        edge.a = moved[edge.a];
        edge.b = moved[edge.b];
        if (edge.a >= 0 && edge.b >= 0)
            draft->edges[left++] = edge;
    }
    draft->edge_count = left;
}

// Weights that are left share what the others had.
static void move_links(draft_links *links, const int32_t *moved)
{
    draft_links left = {0};
    float sum = 0.0f;
    int count = 0;
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
        if (!(links->weights[k] > 0.0f) || moved[links->particles[k]] < 0)
            continue;
        left.particles[count] = moved[links->particles[k]];
        left.weights[count++] = links->weights[k];
        sum += links->weights[k];
    }
    for (int k = 0; k < count; ++k)
        left.weights[k] /= sum;
    *links = left;
}

static void move_members(pliant_group_def *group, const int32_t *moved)
{
    int32_t *members = (int32_t *)group->members, left = 0;
    for (int32_t k = 0; k < group->member_count; ++k)
        if (moved[members[k]] >= 0)
            members[left++] = moved[members[k]];
    group->member_count = left;
}

static void move_groups(pliant_draft *draft, const int32_t *moved, int32_t *moved_groups)
{
    int32_t left = 0;
    for (int i = 0; i < draft->group_count; ++i) {
        draft_group group = draft->groups[i];
        move_members(&group.def, moved);
        moved_groups[i] = group.def.member_count > 0 ? left++ : -1;
        if (moved_groups[i] >= 0)
            draft->groups[moved_groups[i]] = group;
        else
            free((void *)group.def.members);
    }
    draft->group_count = left;
}

// A hinge needs both its groups and its axis. Without `moved` all particles stay.
static void move_hinges(pliant_draft *draft, const int32_t *moved, const int32_t *moved_groups)
{
    int left = 0;
    for (int i = 0; i < draft->hinge_count; ++i) {
        pliant_hinge_def hinge = draft->hinges[i];
        hinge.group_a = moved_groups[hinge.group_a];
        hinge.group_b = moved_groups[hinge.group_b];
        hinge.particle_a = moved ? moved[hinge.particle_a] : hinge.particle_a;
        hinge.particle_b = moved ? moved[hinge.particle_b] : hinge.particle_b;
        if (hinge.group_a >= 0 && hinge.group_b >= 0 && hinge.particle_a >= 0 &&
            hinge.particle_b >= 0)
            draft->hinges[left++] = hinge;
    }
    draft->hinge_count = left;
}

pliant_result pliant_draft_remove(pliant_draft *draft, const pliant_selection *particles,
                                  pliant_error *error)
{
    unsigned char *removed;
    pliant_result result = pli_draft_mask(draft, particles, &removed, error);
    if (result != PLIANT_OK)
        return result;
    int32_t *moved = malloc(((size_t)draft->particle_count + 1) * sizeof *moved);
    int32_t *moved_groups = malloc(((size_t)draft->group_count + 1) * sizeof *moved_groups);
    bool ok = moved && moved_groups;
    if (ok) {
        int32_t left = number_left(moved, removed, draft->particle_count);
        move_particles(draft, moved);
        move_edges(draft, moved);
        for (int32_t v = 0; v < draft->mesh->vertex_count; ++v)
            move_links(&draft->links[v], moved);
        move_groups(draft, moved, moved_groups);
        move_hinges(draft, moved, moved_groups);
        draft->particle_count = left;
        draft->is_weighed = false;
    }
    free(removed);
    free(moved);
    free(moved_groups);
    return ok ? PLIANT_OK : pli_error_memory(error);
}

// ---------------------------------------------------------------------------------------------
// Edges

static bool check_end(const pliant_draft *draft, int32_t particle, const char *field,
                      pliant_error *error)
{
    if (particle >= 0 && particle < draft->particle_count)
        return true;
    pli_error_set(error, PLIANT_ERROR_ARGUMENT, field, "particle %d of %d", (int)particle,
                  draft->particle_count);
    return false;
}

static bool check_ends(const pliant_draft *draft, const pliant_edge_def *edge, pliant_error *error)
{
    if (!check_end(draft, edge->a, "a", error) || !check_end(draft, edge->b, "b", error))
        return false;
    vec3 d = vec3_sub(draft->particles[edge->b].position, draft->particles[edge->a].position);
    if (edge->a == edge->b)
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, "b", "connects particle %d with itself",
                      (int)edge->b);
    else if (!(vec3_length(d) > 1e-6f))
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, "b",
                      "particles %d and %d are at the same place", (int)edge->a, (int)edge->b);
    else
        return true;
    return false;
}

static int find_edge(const pliant_draft *draft, const pliant_edge_def *edge)
{
    int32_t a = edge->a < edge->b ? edge->a : edge->b, b = edge->a < edge->b ? edge->b : edge->a;
    for (int i = 0; i < draft->edge_count; ++i)
        if (draft->edges[i].a == a && draft->edges[i].b == b)
            return i;
    return -1;
}

int pliant_draft_add_edge(pliant_draft *draft, const pliant_edge_def *edge, pliant_error *error)
{
    if (!check_ends(draft, edge, error) || !pli_tool_check_element(ELEMENT_EDGES, edge, error))
        return -1;
    int index = find_edge(draft, edge);
    if (index >= 0) {
        pli_draft_set_edge(&draft->edges[index], edge->a, edge->b, edge);
        return index;
    }
    if (!pli_draft_reserve_edges(draft, 1)) {
        pli_error_memory(error);
        return -1;
    }
    pli_draft_append_edge(draft, edge->a, edge->b, edge);
    return draft->edge_count - 1;
}

pliant_result pliant_draft_disconnect(pliant_draft *draft, const pliant_selection *particles,
                                      pliant_error *error)
{
    unsigned char *mask;
    pliant_result result = pli_draft_mask(draft, particles, &mask, error);
    if (result != PLIANT_OK)
        return result;
    int left = 0;
    for (int i = 0; i < draft->edge_count; ++i) {
        pliant_edge_def edge = draft->edges[i];
        if (!mask[edge.a] || !mask[edge.b])
            draft->edges[left++] = edge;
    }
    draft->edge_count = left;
    free(mask);
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Groups

bool pli_draft_reserve_groups(pliant_draft *draft, int count)
{
    int needed = draft->group_count + count;
    if (needed <= draft->group_capacity)
        return true;
    int capacity = needed + needed / 2 + 4;
    draft_group *grown = realloc(draft->groups, (size_t)capacity * sizeof *grown);
    if (!grown)
        return false;
    draft->groups = grown;
    draft->group_capacity = capacity;
    return true;
}

void pli_draft_append_group(pliant_draft *draft, const pliant_group_def *def,
                            pliant_selection *members)
{
    draft_group group = {*def};
    group.def.members = members->indices;
    group.def.member_count = members->count;
    draft->groups[draft->group_count++] = group;
    *members = (pliant_selection){0};
}

pliant_result pliant_draft_group(pliant_draft *draft, const pliant_selection *particles,
                                 const pliant_group_def *def, pliant_error *error)
{
    if (!pli_tool_check_element(ELEMENT_GROUPS, def, error))
        return PLIANT_ERROR_ARGUMENT;
    unsigned char *mask;
    pliant_selection members;
    pliant_result result = pli_draft_mask(draft, particles, &mask, error);
    if (result != PLIANT_OK)
        return result;
    result = pli_selection_from_mask(mask, draft->particle_count, &members, error);
    free(mask);
    if (result != PLIANT_OK)
        return result;
    if (members.count == 0)
        result = pli_error_set(error, PLIANT_ERROR_ARGUMENT, "particles",
                               "expected at least one particle");
    else if (!pli_draft_reserve_groups(draft, 1))
        result = pli_error_memory(error);
    else
        pli_draft_append_group(draft, def, &members);
    pliant_selection_release(&members);
    return result;
}

static bool has_member(const pliant_group_def *group, const unsigned char *mask)
{
    for (int32_t k = 0; k < group->member_count; ++k)
        if (mask[group->members[k]])
            return true;
    return false;
}

pliant_result pliant_draft_ungroup(pliant_draft *draft, const pliant_selection *particles,
                                   pliant_error *error)
{
    unsigned char *mask;
    pliant_result result = pli_draft_mask(draft, particles, &mask, error);
    if (result != PLIANT_OK)
        return result;
    int32_t *moved_groups = malloc(((size_t)draft->group_count + 1) * sizeof *moved_groups);
    if (!moved_groups) {
        free(mask);
        return pli_error_memory(error);
    }
    int32_t left = 0;
    for (int i = 0; i < draft->group_count; ++i) {
        draft_group group = draft->groups[i];
        moved_groups[i] = has_member(&group.def, mask) ? -1 : left++;
        if (moved_groups[i] >= 0)
            draft->groups[moved_groups[i]] = group;
        else
            free((void *)group.def.members);
    }
    draft->group_count = left;
    move_hinges(draft, NULL, moved_groups);
    free(moved_groups);
    free(mask);
    return PLIANT_OK;
}
