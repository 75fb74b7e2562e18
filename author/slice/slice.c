// Particles on cut lines: paper 001, section 6.

#include "slice.h"

#include "core/error.h"
#include "draft/check.h"
#include "draft/tools.h"
#include "math/quat.h"

#include <stdlib.h>

// Of the time.
#define WALK_BEGIN 0.2f

pliant_slice_def pliant_default_slice_def(void)
{
    pliant_slice_def def = {
        .edges = true, .stretch_stiffness = 0.9f, .particle = pliant_default_particle_def()};
    def.particle.radii = (vec3){0, 0, 0};
    def.particle.mass = 0.0f;
    return def;
}

// ---------------------------------------------------------------------------------------------
// Into the draft

static vec3 turned_back(const slice_mesh *mesh, point3 x)
{
    const point3 *a = mesh->axes;
    return (vec3){(float)(a[0].x * x.x + a[1].x * x.y + a[2].x * x.z),
                  (float)(a[0].y * x.x + a[1].y * x.y + a[2].y * x.z),
                  (float)(a[0].z * x.x + a[1].z * x.y + a[2].z * x.z)};
}

static vec3 position_of(const slice_mesh *mesh, point3 x)
{
    const point3 *a = mesh->axes, o = mesh->origin;
    return (vec3){(float)(o.x + (a[0].x * x.x + a[1].x * x.y + a[2].x * x.z)),
                  (float)(o.y + (a[0].y * x.x + a[1].y * x.y + a[2].y * x.z)),
                  (float)(o.z + (a[0].z * x.x + a[1].z * x.y + a[2].z * x.z))};
}

// x out of the sheet, y along the line.
static quat orientation_of(const slice_mesh *mesh, const slice_particle *particle)
{
    vec3 along = turned_back(mesh, (point3){particle->tangent.x, particle->tangent.y, 0});
    vec3 out = turned_back(mesh, particle->normal);
    if (dot3(particle->normal, particle->normal) == 0.0)
        out = turned_back(mesh, (point3){particle->tangent.y, -particle->tangent.x, 0});
    vec3 up = vec3_cross(out, along);
    // Where the sheet lies flat the line's direction may be that of the normal.
    if (vec3_length(up) < 0.01f)
        up = vec3_cross(out, turned_back(mesh, (point3){0, 0, 1}));
    up = vec3_normalize_or(up, (vec3){0, 0, 1});
    return quat_from_axes(out, vec3_cross(up, out), up);
}

static void append_particle(pliant_draft *draft, const pliant_slice_def *def,
                            const slice_mesh *mesh, const slice_particle *from)
{
    pliant_particle_def particle = def->particle;
    particle.position = position_of(mesh, from->position);
    particle.orientation = orientation_of(mesh, from);
    float wide = 0.6f * def->spacing;
    vec3 r = def->particle.radii;
    if (r.x == 0.0f && r.y == 0.0f && r.z == 0.0f) {
        bool is_flat = dot3(from->normal, from->normal) > 0.0;
        particle.radii = (vec3){is_flat ? 0.25f * wide : wide, wide, wide};
    }
    draft_anchor anchor = {particle.position, mesh->originals[from->face]};
    pli_draft_append_particle(draft, &particle, anchor);
}

static pliant_result write_net(pliant_draft *draft, const pliant_slice_def *def,
                               const slice_mesh *mesh, const slice_net *net, pliant_error *error)
{
    if (net->particle_count > INT32_MAX / 2 - draft->particle_count ||
        net->link_count > INT32_MAX / 2 - draft->edge_count ||
        !pli_draft_reserve_particles(draft, net->particle_count) ||
        !pli_draft_reserve_edges(draft, net->link_count))
        return pli_error_memory(error);
    pliant_result result = pli_draft_want_scale(draft, def->spacing, error);
    if (result != PLIANT_OK)
        return result;
    int32_t first = draft->particle_count;
    for (int32_t i = 0; i < net->particle_count; ++i)
        append_particle(draft, def, mesh, &net->particles[i]);
    pliant_edge_def values = pliant_default_edge_def();
    values.stretch_stiffness = def->stretch_stiffness;
    values.torsion_stiffness = def->torsion_stiffness;
    for (int32_t i = 0; i < net->link_count; ++i)
        pli_draft_append_edge(draft, first + net->links[i].ends[0], first + net->links[i].ends[1],
                              &values);
    return PLIANT_OK;
}

static pliant_result check(const pliant_slice_def *def, pliant_error *error)
{
    if (!(def->spacing > 0.0f) || !is_finite(def->spacing))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "spacing", "expected a number above 0");
    if (!vec3_is_finite(def->axis))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "axis", "expected finite numbers");
    if (!pli_tool_check_range(def->stretch_stiffness, 0.0f, 1.0f, "stretch_stiffness", error) ||
        !pli_tool_check_range(def->torsion_stiffness, 0.0f, 1.0f, "torsion_stiffness", error))
        return PLIANT_ERROR_ARGUMENT;
    return PLIANT_OK;
}

pliant_result pliant_draft_slice(pliant_draft *draft, const pliant_slice_def *def,
                                 pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    draft_tool tool;
    if (check(def, error) != PLIANT_OK || pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK)
        return error->code;
    slice_mesh mesh;
    slice_net net = {.spacing = def->spacing, .has_links = def->edges};
    net.bridge = draft->spacing == 0.0f ? 0.25 * net.spacing : draft->bridge;
    double *heights = NULL;
    int32_t height_count;
    pliant_result result = pli_slice_mesh_create(&mesh, draft, def, error);
    progress_range all = pli_progress_range(draft->progress);
    pli_progress_narrow(draft->progress, all, WALK_BEGIN, 1.0f);
    if (result == PLIANT_OK)
        result = pli_slice_heights(&mesh, net.spacing, &heights, &height_count, error);
    if (result == PLIANT_OK && !pli_slice_walk(&net, &mesh, heights, height_count, draft->progress))
        result = pli_progress_fail(draft->progress, error);
    if (result == PLIANT_OK && pli_slice_is_full(&net))
        result = pli_slice_too_many(net.spacing, error);
    bool was_empty = draft->particle_count == 0;
    if (result == PLIANT_OK)
        result = write_net(draft, def, &mesh, &net, error);
    if (result == PLIANT_OK && was_empty)
        draft->material.self_collision = true; // cloth folds onto itself
    pli_slice_mesh_release(&mesh);
    free(heights);
    free(net.particles);
    free(net.links);
    return pli_draft_end_tool(draft, &tool, result, error);
}
