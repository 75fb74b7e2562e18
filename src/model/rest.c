// Fit weights and rest offsets of all groups, rest lengths of all edges.
//
// A pinned particle has no inverse mass but still a say in the fits of its neighbours: it enters with
// a finite weight, its own mass times PINNED_FIT_FACTOR. The fit's energy then never grows, whatever
// the factor; a large one acts as a clamp of position and orientation.

#include "elastic.h"
#include "math/eigen.h"
#include "math/quat.h"

bool pli_rest_allocate(rest *out, const pliant_model *model, const pliant_allocator *allocator)
{
    size_t groups = (size_t)model->group_count;
    out->rows = pli_memory_new(allocator, (size_t)model->row_count, sizeof *out->rows);
    out->spreads = pli_memory_new(allocator, (size_t)model->spread_row_count, sizeof *out->spreads);
    // The last batch is read as eight.
    out->rotation_noise = pli_memory_new(allocator, groups + LANES, sizeof(float));
    out->reach = pli_memory_new(allocator, groups + LANES, sizeof(float));
    out->is_movable = pli_memory_new(allocator, groups, sizeof *out->is_movable);
    out->edges = pli_memory_new(allocator, (size_t)model->source.edge_count, sizeof *out->edges);
    if (model->elastic)
        out->layouts =
            pli_memory_new(allocator, (size_t)model->implicit_count, sizeof *out->layouts);
    if (model->has_twist_creep)
        out->twists =
            pli_memory_new(allocator, (size_t)model->source.edge_count, sizeof *out->twists);
    return out->rows && out->spreads && out->rotation_noise && out->reach && out->is_movable &&
           out->edges && (out->layouts || !model->elastic) &&
           (out->twists || !model->has_twist_creep);
}

void pli_rest_free(rest *r, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, r->rows);
    pli_memory_free(allocator, r->spreads);
    pli_memory_free(allocator, r->rotation_noise);
    pli_memory_free(allocator, r->reach);
    pli_memory_free(allocator, r->is_movable);
    pli_memory_free(allocator, r->edges);
    pli_memory_free(allocator, r->layouts);
    pli_memory_free(allocator, r->twists);
    *r = (rest){0};
}

// Rounding of the moment matrix A (relative 1e-7) over the smallest curvature of the fit: the matrix
// tr(A) 1 - A has a small eigenvalue where the group is thin, for its twist. That eigenvalue is about
// det / (tr/2)². Rotations that differ by less are the same to the solver.
static float noise_of(const mat3 *A)
{
    float trace = mat3_trace(A);
    mat3 H = mat3_scale(*A, -1.0f);
    for (int k = 0; k < 3; ++k)
        H.m[k][k] += trace;
    float determinant = mat3_determinant(&H);
    float thin = trace * trace * trace * 1e-6f;
    return 2e-7f * trace * trace * trace / maximum(determinant, thin);
}

static float rotation_noise(const rest *r, const group *g)
{
    mat3 A = {0};
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 offset = rest_offset(r, group_slot(g, k));
        mat3_add_outer(&A, vec3_scale(offset, *rest_weight(r, group_slot(g, k))), offset);
    }
    for (int k = 0; k < g->oriented_count; ++k)
        A = mat3_add(A, sym3_to_mat3(rest_spread(r, g, k)));
    return noise_of(&A);
}

static float sum_of_sizes(vec3 v)
{
    return absolute(v.x) + absolute(v.y) + absolute(v.z);
}

static float reach_of(const rest *r, const group *g)
{
    vec3 first = rest_offset(r, group_slot(g, 0));
    float reach = 0.0f;
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 offset = rest_offset(r, group_slot(g, k));
        reach = maximum(reach, sum_of_sizes(vec3_sub(offset, first)) + sum_of_sizes(offset));
    }
    return reach;
}

// Where a particle rests. Without a pose that is where it is bound.
static vec3 rest_position(const pliant_model *model, const rest_pose *pose, int32_t p)
{
    return pose ? pose->x[p] : model->source.particles[p].position;
}

// A particle's moment at rest: P M̄ Pᵀ
static sym3 rest_moment(const pliant_model *model, const rest_pose *pose, int32_t p)
{
    return pose ? sym3_rotate(model->moments[p], pose->turn[p]) : model->moments[p];
}

static double fit_mass(const pliant_model *model, const uint8_t *pinned, int32_t p)
{
    double mass = model->source.particles[p].mass;
    return pinned[p] ? mass * (double)PINNED_FIT_FACTOR : mass;
}

// A thin elastic group about a pinned centre has its place and rotation, however small its own moment is: CLAMP_FACTOR times
// that of all places is enough.
enum { CLAMP_FACTOR = 100 };

static bool is_clamped(const pliant_model *model, int index, const uint8_t *pinned)
{
    const group *g = &model->groups[index];
    return pli_is_elastic(model, index) && model->elastic[index].clamp_rate > 0.0f &&
           g->oriented_count > 0 && pinned[group_member(model, g, 0)];
}

// What is elastic is held by its pinned members as a block by a wall: their masses need not count for more, but at a clamp.
static double member_mass(const pliant_model *model, int index, int k, const uint8_t *pinned)
{
    const group *g = &model->groups[index];
    int32_t p = group_member(model, g, k);
    if (!pli_is_elastic(model, index) || (k == 0 && is_clamped(model, index, pinned)))
        return fit_mass(model, pinned, p);
    return (double)model->source.particles[p].mass *
           (double)*member_share(model->shares, group_slot(g, k));
}

static void lay_out_elastic(rest *out, const pliant_model *model, int index, const uint8_t *pinned)
{
    const group *g = &model->groups[index];
    elastic_layout *layout = &out->layouts[index];
    sym3 spread = {0};
    *layout = (elastic_layout){.weight = 0.0f};
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t slot = group_slot(g, k);
        layout->weight += (float)member_mass(model, index, k, pinned);
        spread = sym3_add(spread, sym3_outer(rest_offset(out, slot), *rest_weight(out, slot)));
    }
    sym3_eigen e = sym3_eigen_of(spread);
    for (int k = 0; k < 3; ++k) {
        layout->axes[k] = e.axes[k];
        layout->squares[k] = e.values[k];
    }
    layout->is_clamped = is_clamped(model, index, pinned);
    if (layout->is_clamped) {
        float square = CLAMP_FACTOR * sym3_trace(spread);
        set_rest_spread(out, g, 0, (sym3){.xx = square, .yy = square, .zz = square});
    }
}

void pli_rest_weigh_group(rest *out, const pliant_model *model, int index, const uint8_t *pinned,
                          const rest_pose *pose)
{
    const group *g = &model->groups[index];
    double total = 0;
    bool movable = false;
    for (int k = 0; k < g->slot_count; ++k) {
        total += member_mass(model, index, k, pinned);
        movable = movable || !pinned[group_member(model, g, k)];
    }
    for (int k = 0; k < g->slot_count; ++k) {
        int32_t p = group_member(model, g, k);
        float weight = (float)(member_mass(model, index, k, pinned) / total);
        *rest_weight(out, group_slot(g, k)) = weight;
        // w Ā_i
        if (k < g->oriented_count)
            set_rest_spread(out, g, k, sym3_scale(rest_moment(model, pose, p), weight));
    }
    for (int k = g->slot_count; k < g->slot_room; ++k)
        set_rest_offset(out, group_slot(g, k), rest_offset(out, group_slot(g, 0)));
    if (pli_is_elastic(model, index))
        lay_out_elastic(out, model, index, pinned);
    out->is_movable[index] = movable;
    out->rotation_noise[index] = rotation_noise(out, g);
    out->reach[index] = reach_of(out, g);
}

bool pli_rest_is_thin(const pliant_model *model, const int32_t *members, int count,
                      int oriented_count, const uint8_t *pinned)
{
    vec3 reference = model->source.particles[members[0]].position, sum = {0, 0, 0};
    float total = 0.0f;
    mat3 A = {0};
    for (int k = 0; k < count; ++k) {
        float mass = (float)fit_mass(model, pinned, members[k]);
        vec3 arm = vec3_sub(model->source.particles[members[k]].position, reference);
        total += mass;
        sum = vec3_add_scaled(sum, arm, mass);
        mat3_add_outer(&A, vec3_scale(arm, mass), arm);
        if (k < oriented_count)
            A = mat3_add(A, mat3_scale(sym3_to_mat3(model->moments[members[k]]), mass));
    }
    mat3_add_outer(&A, vec3_scale(sum, -1.0f / total), sum);
    A = mat3_scale(A, 1.0f / total);
    return noise_of(&A) >= THIN_GROUP_NOISE;
}

// Double precision and a reference point in the group: offsets are right to the last bit wherever the
// model was made.
void pli_rest_place_group(rest *out, const pliant_model *model, int index, const uint8_t *pinned,
                          const rest_pose *pose)
{
    const group *g = &model->groups[index];
    vec3 reference = rest_position(model, pose, group_member(model, g, 0));
    double total = 0, cx = 0, cy = 0, cz = 0;
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 x = rest_position(model, pose, group_member(model, g, k));
        double weight = member_mass(model, index, k, pinned);
        total += weight;
        cx += weight * ((double)x.x - reference.x);
        cy += weight * ((double)x.y - reference.y);
        cz += weight * ((double)x.z - reference.z);
    }
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 x = rest_position(model, pose, group_member(model, g, k));
        vec3 offset = {(float)((double)x.x - reference.x - cx / total),
                       (float)((double)x.y - reference.y - cy / total),
                       (float)((double)x.z - reference.z - cz / total)};
        set_rest_offset(out, group_slot(g, k), offset);
    }
    pli_rest_weigh_group(out, model, index, pinned, pose);
}

void pli_rest_centre_group(rest *out, const pliant_model *model, int index, const uint8_t *pinned,
                           const rest_pose *pose)
{
    const group *g = &model->groups[index];
    double total = 0, cx = 0, cy = 0, cz = 0;
    for (int k = 0; k < g->slot_count; ++k) {
        double weight = member_mass(model, index, k, pinned);
        vec3 offset = rest_offset(out, group_slot(g, k));
        total += weight;
        cx += weight * (double)offset.x;
        cy += weight * (double)offset.y;
        cz += weight * (double)offset.z;
    }
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 offset = rest_offset(out, group_slot(g, k));
        offset.x = (float)((double)offset.x - cx / total);
        offset.y = (float)((double)offset.y - cy / total);
        offset.z = (float)((double)offset.z - cz / total);
        set_rest_offset(out, group_slot(g, k), offset);
    }
    pli_rest_weigh_group(out, model, index, pinned, pose);
}

// 1 / I of a particle about a unit axis.
static float inverse_inertia_about(float mass, sym3 moment, vec3 axis)
{
    return 1.0f / (mass * sym3_inertia_about(moment, axis));
}

// 1 / the mean of I over all axes.
static float mean_inverse_inertia(float mass, sym3 moment)
{
    return 1.5f / (mass * sym3_trace(moment));
}

void pli_rest_place_edge(rest *out, const pliant_model *model, int index, const rest_pose *pose)
{
    const edge *e = &model->edges[index];
    rest_edge *place = &out->edges[index];
    vec3 between = vec3_sub(rest_position(model, pose, e->b), rest_position(model, pose, e->a));
    place->length = vec3_length(between);
    if (place->length >
        1e-6f) // a dent may bring both ends to one point: then the old direction stays
        place->direction = vec3_scale(between, 1.0f / place->length);
    if (out->twists)
        out->twists[index] = quat_identity();
    for (int k = 0; k < 2; ++k) {
        int32_t p = k ? e->b : e->a;
        float mass = model->source.particles[p].mass;
        sym3 moment = rest_moment(model, pose, p);
        place->inverse_inertia[k] = e->twist_only
                                        ? inverse_inertia_about(mass, moment, place->direction)
                                        : mean_inverse_inertia(mass, moment);
    }
}

void pli_rest_compute(rest *out, const pliant_model *model, const uint8_t *pinned)
{
    for (int i = 0; i < model->group_count; ++i)
        pli_rest_place_group(out, model, i, pinned, NULL);
    for (int i = 0; i < model->source.edge_count; ++i)
        pli_rest_place_edge(out, model, i, NULL);
}
