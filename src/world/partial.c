// Substeps in which less time passes than they are solved for.
//
// What a few iterations leave unsolved depends on the length of a substep: constraints that are not converged are
// as stiff as 1/h² lets them be. Would the length change from step to step with the caller's dt, that stiffness, and
// with it the energy of what is stretched, would be pumped up and down like a swing. So every substep is solved for the
// same length h, and when only the time t < h is to pass, the part p = t/h of what was solved happens. From x, v
// to x_h, v_h with the velocity that is left when everything has settled:
//
//     v' = v + p (v_h - v)
//     x' = x + t v' + p (x_h - x - h v_h)      the last term: pushes that are not to become speed
//
// For a mode with x_h = x + h v_h, v_h = (v - k h x) / (1 + k h²) this is v' = v - t κ (x + h v), κ = k / (1 + k h²), and
// v'²/2 + κ x'²/2 never grows, whatever the sequence of t <= h (its change is a negative semidefinite form in v and
// x + h v). What is at rest in full substeps is so in partial ones.
//
// A surface must hold at the end of the time, not only at the end of h: what would come deeper than it was is stopped
// there. A rebound is over in no time: it happens as a whole, when the part of all else has been taken.

#include "contacts.h"
#include "pairs.h"
#include "places.h"
#include "substep.h"
#include "tasks.h"

static void take_part_of_way(const substep *s, const body *b, int i, float part)
{
    pliant_world *world = s->world;
    vec3 before = world->v_start[i], v = world->v[i];
    vec3 solved = vec3_add(world->move[i].way, b->drift);
    vec3 pushed = vec3_add_scaled(solved, v, -s->h);
    world->v[i] = vec3_add_scaled(before, vec3_sub(v, before), part);
    vec3 way = vec3_add_scaled(vec3_scale(world->v[i], s->time), pushed, s->part);
    go_further(world, i, vec3_sub(way, solved));
}

// What does not turn keeps its bits.
static quat turned(quat start, vec3 turn)
{
    bool is_still = turn.x == 0.0f && turn.y == 0.0f && turn.z == 0.0f;
    return is_still ? start : quat_turn(start, turn);
}

static void take_part_of_turn(const substep *s, int i, float part)
{
    pliant_world *world = s->world;
    vec3 before = world->spin_start[i], spin = world->spin[i];
    quat start = world->turn_start[i];
    vec3 solved = quat_difference(world->turn[i], start);
    vec3 pushed = vec3_add_scaled(solved, spin, -s->h);
    world->spin[i] = vec3_add_scaled(before, vec3_sub(spin, before), part);
    vec3 turn = vec3_add_scaled(vec3_scale(world->spin[i], s->time), pushed, s->part);
    world->turn[i] = turned(start, turn);
}

// Of a speed of approach, what a stop takes. Depths are measured along normals of the start and of the end: their
// difference, divided by a short time, would be any speed.
static float stopped_speed(const substep *s, float depth, float approach)
{
    return minimum(depth / s->time, maximum(approach, 0.0f));
}

// Stops a particle at a collider's surface, where that is when the time has passed.
static void stop_at_contact(const substep *s, const body *b, const contact *c)
{
    pliant_world *world = s->world;
    int i = c->particle;
    vec3 n = c->normal, arm;
    bool turns = b->model->answers_rigidly[i - b->particle_first];
    mat3 R = quat_to_mat3(turns ? world->turn[i] : world->turn_start[i]);
    float support = pli_model_support(b->model, i - b->particle_first, &R, n, &arm);
    float surface = c->offset - (1.0f - s->part) * vec3_dot(n, c->surface_way);
    float depth = surface - vec3_dot(n, current_position(world, i)) + support;
    depth -= maximum(c->start_depth, 0.0f);
    if (!(depth > 0.0f))
        return;
    go_further(world, i, vec3_scale(n, depth));
    float approach = vec3_dot(n, c->surface_way) / s->h - vec3_dot(n, world->v[i]);
    world->v[i] = vec3_add_scaled(world->v[i], n, stopped_speed(s, depth, approach));
}

static void take_part_of_body(const substep *s, const body *b)
{
    pliant_world *world = s->world;
    const contact *contacts = contacts_of(world, b);
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        take_part_of_way(s, b, i, world->pinned[i] ? 1.0f : s->part);
        if (world->pinned[i])
            world->turn[i] = turned(world->turn_start[i], vec3_scale(world->spin[i], s->time));
        else
            take_part_of_turn(s, i, s->part);
    }
    for (int k = 0; k < b->contact_count; ++k) {
        if (contacts[k].normal_impulse > 0.0f)
            stop_at_contact(s, b, &contacts[k]);
        if (contacts[k].normal_impulse > 0.0f && contacts[k].rebound > 0.0f)
            pli_rebound(s, b, &contacts[k]);
    }
}

static void body_task(int index, void *context)
{
    const substep *s = context;
    const body *b = &s->world->bodies[s->world->active[index]];
    if (!is_still(b))
        take_part_of_body(s, b);
}

// Stops two particles where they touch; `depth` is how much deeper in each other than before they are along n.
static void stop_pair(const substep *s, int32_t a, int32_t b, vec3 n, float depth)
{
    pliant_world *world = s->world;
    float wa = world->move[a].inverse_mass, wb = world->move[b].inverse_mass;
    if (!(depth > 0.0f) || !(wa + wb > 0.0f))
        return;
    float push = depth / (wa + wb), approach = -vec3_dot(n, vec3_sub(world->v[b], world->v[a]));
    float impulse = stopped_speed(s, depth, approach) / (wa + wb);
    go_further(world, a, vec3_scale(n, -push * wa));
    go_further(world, b, vec3_scale(n, push * wb));
    world->v[a] = vec3_add_scaled(world->v[a], n, -impulse * wa);
    world->v[b] = vec3_add_scaled(world->v[b], n, impulse * wb);
}

// Along the plane between them, with the widths of the start.
static void stop_pairs(const substep *s)
{
    pliant_world *world = s->world;
    const pair_work *work = &world->pair_work;
    for (int k = 0; k < work->batch_count * PAIR_LANES; ++k) {
        const pair_batch *eight = &work->batches[k / PAIR_LANES];
        int lane = k % PAIR_LANES;
        if (lane >= eight->count || !(eight->normal_impulse[lane] > 0.0f))
            continue;
        int32_t a = eight->a[lane], b = eight->b[lane];
        vec3 n = lane_of(&eight->plane, lane);
        vec3 moved = vec3_add(lane_of(&eight->between, lane),
                              vec3_sub(world->move[b].way, world->move[a].way));
        float depth = eight->width[lane] - vec3_dot(n, moved);
        stop_pair(s, a, b, n, depth - eight->start_depth[lane]);
    }
    for (int k = 0; k < work->single_count; ++k) {
        const pair_contact *c = &work->singles[k];
        if (c->normal_impulse > 0.0f)
            pli_stop_pair(s, c);
    }
}

void pli_take_part(substep *s)
{
    if (!is_partial(s))
        return;
    pli_run_tasks(s->world, s->world->active_count, body_task, s);
    if (s->world->pair_work.colour_count > 0)
        stop_pairs(s);
}
