// Distances and torsion along edges (paper 2011, §5.2 and §5.5, the latter corrected).

#include "edges.h"

#include "world.h"

// Along the line of the start alone the many edges of a chain may gain a little energy; so little of the
// present line lets them lose a little.
static const float PRESENT_PART = 0.05f;

float pliant_length_correction(vec3 start, vec3 d, float distance, float goal, float present,
                               vec3 *n)
{
    vec3 now = vec3_scale(d, 1.0f / distance), then = vec3_normalize_or(start, now);
    vec3 line = vec3_normalize_or(vec3_add_scaled(then, vec3_sub(now, then), present), now);
    float along = vec3_dot(d, line);
    float excess = (distance - goal) * (distance + goal), root = along * along - excess;
    if (along > 0.5f * distance && root >= 0.0f) {
        *n = line;
        return excess / (along + square_root(root));
    }
    *n = now;
    return distance - goal;
}

// Moves both ends by the part `alpha` of the stretch, shared by inverse mass.
static void solve_distance(pliant_world *world, const body *b, int index, float alpha)
{
    const edge *e = &b->model->edges[index];
    const rest_edge *at_rest = &pliant_body_rest(b)->edges[index];
    int i = b->particle_first + e->a, j = b->particle_first + e->b;
    float wi = world->inverse_mass[i], wj = world->inverse_mass[j];
    if (wi + wj == 0.0f)
        return;
    vec3 d = vec3_add(vec3_sub(world->start[j], world->start[i]),
                      vec3_sub(world->move[j], world->move[i]));
    float length = vec3_length(d);
    float stretch = length - at_rest->length;
    vec3 at = world->start[i];
    float size = absolute(at.x) + absolute(at.y) + absolute(at.z);
    if (absolute(stretch) <= 2.5e-7f * (size + at_rest->length))
        return; // rounding of the positions, see refine_frame in groups.c
    // Ends at one point: the rest direction, turned as the first end is, parts them again.
    vec3 n = quat_rotate(turn_from_rest(world->turn[i], pliant_body_rest_turns(world, b), e->a),
                         at_rest->direction);
    float mu = alpha * stretch;
    if (length > 1e-6f * at_rest->length)
        mu = pliant_length_correction(vec3_sub(world->start[j], world->start[i]), d, length,
                                      length - alpha * stretch, PRESENT_PART, &n);
    float scale = mu / (wi + wj);
    world->move[i] = vec3_add_scaled(world->move[i], n, scale * wi);
    world->move[j] = vec3_add_scaled(world->move[j], n, -scale * wj);
}

void pliant_solve_distances(const substep *s, const body *b, bool only_rigid)
{
    const float *alpha = s->world->stretch_alpha + b->edge_first;
    for (int i = 0; i < b->model->source.edge_count; ++i)
        if (only_rigid ? alpha[i] == 1.0f : alpha[i] > 0.0f)
            solve_distance(s->world, b, i, alpha[i]);
}

// The relative twist of two turns about the rest edge: 2 atan2(r·ē, r.w) of r = d1⁻¹ d2.
static float relative_twist(quat d1, quat d2, vec3 axis)
{
    quat r = quat_mul(quat_conjugate(d1), d2);
    if (r.w < 0.0f)
        r = quat_scale(r, -1.0f);
    return 2.0f * trig_atan2(r.x * axis.x + r.y * axis.y + r.z * axis.z, r.w);
}

void pliant_torsion_twist_only(quat *d1, quat *d2, float w1, float w2, vec3 axis, float alpha)
{
    float twist = alpha * relative_twist(*d1, *d2, axis) / (w1 + w2);
    vec3 axis1 = quat_rotate(*d1, axis), axis2 = quat_rotate(*d2, axis);
    *d1 = quat_turn(*d1, vec3_scale(axis1, twist * w1));
    *d2 = quat_turn(*d2, vec3_scale(axis2, -twist * w2));
}

void pliant_torsion_full(quat *d1, quat *d2, float w1, float w2, float alpha)
{
    vec3 phi = vec3_scale(quat_difference(*d2, *d1), alpha / (w1 + w2));
    *d1 = quat_turn(*d1, vec3_scale(phi, w1));
    *d2 = quat_turn(*d2, vec3_scale(phi, -w2));
}

// Takes over a rotation from rest. Where rest is turned the way there and back rounds: less than that is no
// torsion, and would become a spin.
static void put_turn(quat *turn, quat from_rest, const quat *rest_turn, int32_t particle)
{
    quat now = turn_from_bind(from_rest, rest_turn, particle);
    quat r = quat_mul(now, quat_conjugate(*turn));
    if (!rest_turn || 4.0f * (r.x * r.x + r.y * r.y + r.z * r.z) > 1e-12f)
        *turn = now;
}

void pliant_solve_torsion(const substep *s, const body *b)
{
    pliant_world *world = s->world;
    const float *alpha = world->torsion_alpha + b->edge_first;
    if (!b->model->has_torsion)
        return;
    const rest_edge *rest_edges = pliant_body_rest(b)->edges;
    const quat *rest_turn = pliant_body_rest_turns(world, b);
    for (int k = 0; k < b->model->source.edge_count; ++k) {
        const edge *e = &b->model->edges[k];
        const rest_edge *at_rest = &rest_edges[k];
        int i = b->particle_first + e->a, j = b->particle_first + e->b;
        float wi = world->pinned[i] ? 0.0f : at_rest->inverse_inertia[0];
        float wj = world->pinned[j] ? 0.0f : at_rest->inverse_inertia[1];
        if (!(alpha[k] > 0.0f) || wi + wj == 0.0f)
            continue;
        quat di = turn_from_rest(world->turn[i], rest_turn, e->a);
        quat dj = turn_from_rest(world->turn[j], rest_turn, e->b);
        if (e->twist_only)
            pliant_torsion_twist_only(&di, &dj, wi, wj, at_rest->direction, alpha[k]);
        else
            pliant_torsion_full(&di, &dj, wi, wj, alpha[k]);
        put_turn(&world->turn[i], di, rest_turn, e->a);
        put_turn(&world->turn[j], dj, rest_turn, e->b);
    }
}
