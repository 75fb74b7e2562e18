// Contact of particles with colliders.
//
// For the time of a substep the surface is a plane: through the point where the particle comes nearest
// to the collider, or where it first touches on its way when it is fast. So nothing passes through a thin
// or moving collider. The plane belongs to the end of the substep, the way is seen from the collider.
//
// Most particles are pushed as points: their groups turn them. One that turns freely, or that is a
// wheel, answers as the rigid ellipsoid it is, with a lever arm. Friction is an impulse at the
// contact that undoes the way the contact point slid in this substep, within Coulomb's cone; solved
// with the positions, it holds bodies on slopes without creep.
//
// A point answers with its place alone, so its place alone may decide how deep it is: its half width is that of the start
// of the substep. Would it follow the rotation, what turns would lift what it does not answer for, and a thin particle
// that spins within a soft body would give it energy without end. What has turned into the surface is old overlap in the
// next substep and is pushed out without speed. Likewise the way by which the rotation moves the contact point is the
// predicted one; spin drives a particle no further than its own momentum can, and friction slows it (settle_spin).
//
// Contacts of points are solved eight at once (fast/contacts.inl), in batches that name no particle twice: first
// each particle's first contact, then each one's second … So they are in an order of their own, the same
// whatever the number of lanes that a processor has. What holds for a substep is computed once. With n the
// normal, m the move of the particle, S its shape, c the way of the surface less the drift of the body:
//
//     height = sqrt(nᵀR S Rᵀn)                        R of the start
//     depth = reach - n·m                             m ← m + n max(depth, 0); height is part of reach
//     slip = m - c - (R_predicted - R) S Rᵀn / height across n it is taken back, within Coulomb's cone
//
// A point's inverse mass cancels out of all of it, so that sums of ways stand for the impulses.

#include "contacts.h"
#include "places.h"
#include "substep.h"
#include "tasks.h"

enum { MISSED_PASSES = 4 };
// Of a large body, so many batches are one task.
enum { BATCHES_PER_TASK = 32 };

contact_span pli_contact_span(const substep *s, const body *b)
{
    const pliant_world *world = s->world;
    int p = b->particle_first;
    return (contact_span){.shapes = b->model->ellipsoids,
                          .sizes = b->model->sizes,
                          .particle_count = b->model->source.particle_count,
                          .start = world->start + p,
                          .move = world->move + p,
                          .turn_start = world->turn_start + p,
                          .turn = world->turn + p,
                          .v = world->v + p,
                          .pinned = world->pinned + p,
                          .contacts = contacts_of(world, b),
                          .batches = contact_batches_of(world, b),
                          .particle_first = p,
                          .origin = b->origin,
                          .drift = b->drift,
                          .plane_reach = b->plane_reach,
                          .h = s->h,
                          .push_out = world->def.depenetration_speed * s->h};
}

// What the tasks of batches need.
typedef struct batch_job {
    contact_span span;
    contact_kernel *kernel;
    int count;
} batch_job;

static void batch_task(int index, void *context)
{
    const batch_job *job = context;
    int first = index * BATCHES_PER_TASK, last = first + BATCHES_PER_TASK;
    job->kernel(&job->span, first, job->count < last ? job->count : last);
}

void pli_run_contact_batches(const substep *s, const body *b, contact_kernel *kernel)
{
    batch_job job = {pli_contact_span(s, b), kernel, b->contact_batch_count};
    pli_run_body_tasks(s->world, b, (job.count + BATCHES_PER_TASK - 1) / BATCHES_PER_TASK,
                       batch_task, &job);
}

// ---------------------------------------------------------------------------------------------
// Solving

// One side of the contact in world axes.
contact_side pli_contact_side(const pliant_world *world, const body *b, int i, const mat3 *R,
                              vec3 arm)
{
    contact_side side = {.inverse_mass = world->move[i].inverse_mass, .arm = arm};
    int k = i - b->particle_first;
    if (b->model->answers_rigidly[k]) {
        sym3 inverse = sym3_inverse(sym3_inertia(b->model->moments[k]));
        inverse = sym3_scale(inverse, side.inverse_mass);
        side.inverse_inertia = mat3_mul_transpose(mat3_mul_sym3(R, inverse), *R);
    }
    return side;
}

void pli_apply_impulse(pliant_world *world, int i, const contact_side *side, vec3 impulse)
{
    world->move[i].way = vec3_add_scaled(world->move[i].way, impulse, side->inverse_mass);
    vec3 moment = vec3_cross(side->arm, impulse);
    vec3 turn = mat3_mul_vec(&side->inverse_inertia, moment);
    if (turn.x == 0.0f && turn.y == 0.0f && turn.z == 0.0f)
        return;
    world->turn[i] = quat_turn(world->turn[i], turn);
    world->angular_impulse[i] = vec3_add(world->angular_impulse[i], moment);
}

vec3 pli_contact_way(const pliant_world *world, const body *b, int i, vec3 arm)
{
    mat3 R = quat_to_mat3(world->turn[i]), R_start = quat_to_mat3(world->turn_start[i]);
    vec3 start_arm = mat3_mul_vec(&R_start, mat3_transpose_mul_vec(&R, arm));
    return vec3_add(vec3_add(world->move[i].way, b->drift), vec3_sub(arm, start_arm));
}

vec3 pli_limit_friction(vec3 *sum, vec3 impulse, float most)
{
    vec3 before = *sum, total = vec3_add(before, impulse);
    float length = vec3_length(total);
    *sum = length > most ? vec3_scale(total, most / length) : total;
    return vec3_sub(*sum, before);
}

static void solve_contact(pliant_world *world, const body *b, contact *c)
{
    int i = c->particle;
    vec3 n = c->normal, arm;
    bool turns = b->model->answers_rigidly[i - b->particle_first];
    mat3 R = quat_to_mat3(turns ? world->turn[i] : world->turn_start[i]);
    float support = pli_model_support(b->model, i - b->particle_first, &R, n, &arm);
    float depth = c->offset - vec3_dot(n, current_position(world, i)) + support - c->slack;
    contact_side side = pli_contact_side(world, b, i, &R, arm);
    if (depth > 0.0f) {
        float impulse = depth / contact_mobility(&side, n);
        c->normal_impulse += impulse;
        pli_apply_impulse(world, i, &side, vec3_scale(n, impulse));
    }
    if (!(c->normal_impulse > 0.0f) || c->friction == 0.0f)
        return;
    const contact_side still = {0};
    vec3 way = turns ? pli_contact_way(world, b, i, arm) : vec3_add(world->move[i].way, b->drift);
    vec3 slip = vec3_sub(way, c->surface_way);
    vec3 J = friction_impulse(slip, n, &side, &still, 1.0f);
    J = pli_limit_friction(&c->friction_impulse, J, c->friction * c->normal_impulse);
    pli_apply_impulse(world, i, &side, J);
}

// The first batch of a block, or of one after it.
static int first_batch_of(const pliant_world *world, const body *b, int block)
{
    const contact_batch *batches = contact_batches_of(world, b);
    int low = 0, high = b->contact_batch_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (batches[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void pli_solve_block_contacts(const substep *s, const body *b, int block)
{
    contact_span span = pli_contact_span(s, b);
    s->world->kernels->solve_contacts(&span, first_batch_of(s->world, b, block),
                                      first_batch_of(s->world, b, block + 1));
}

void pli_solve_contacts(const substep *s, const body *b)
{
    if (b->contact_count == 0)
        return;
    contact_span span = pli_contact_span(s, b);
    s->world->kernels->solve_contacts(&span, 0, b->contact_batch_count);
    const int32_t *alone = s->world->contact_list + b->contact_first;
    for (int k = 0; k < b->lone_contact_count; ++k)
        solve_contact(s->world, b, &span.contacts[alone[k]]);
}

bool pli_meets_solids(const pliant_world *world, const body *b)
{
    for (int slot = 0; slot < world->collider_slot_count; ++slot) {
        const collider *solid = &world->colliders[slot];
        if (pli_collider_meets(solid, b) && !has_plane_kernel(solid))
            return true;
    }
    return false;
}

static void end_contacts(const substep *s, const body *b)
{
    pli_run_contact_batches(s, b, s->world->kernels->end_contacts);
}

// A fast particle that one surface has turned aside may have passed another on its new way, which its
// predicted one did not meet.
static void solve_missed_contacts(const substep *s, body *b)
{
    for (int pass = 0; pass < MISSED_PASSES && pli_find_missed_contacts(s, b); ++pass) {
        pli_begin_contacts(s, b);
        for (int i = 0; i < MISSED_PASSES; ++i)
            pli_solve_contacts(s, b);
        end_contacts(s, b);
    }
}

void pli_finish_contacts(const substep *s, body *b)
{
    if (b->contact_count == 0)
        return;
    end_contacts(s, b);
    if (pli_meets_solids(s->world, b))
        solve_missed_contacts(s, b);
}

void pli_change_velocity(pliant_world *world, int i, const contact_side *side, vec3 impulse)
{
    world->v[i] = vec3_add_scaled(world->v[i], impulse, side->inverse_mass);
    vec3 moment = vec3_cross(side->arm, impulse);
    world->spin[i] = vec3_add(world->spin[i], mat3_mul_vec(&side->inverse_inertia, moment));
}

void pli_rebound(const substep *s, const body *b, const contact *c)
{
    pliant_world *world = s->world;
    int i = c->particle;
    vec3 n = c->normal, arm;
    mat3 R = quat_to_mat3(world->turn[i]);
    pli_model_support(b->model, i - b->particle_first, &R, n, &arm);
    contact_side side = pli_contact_side(world, b, i, &R, arm);
    vec3 v = vec3_add(world->v[i], vec3_cross(world->spin[i], arm));
    float speed = vec3_dot(n, v) - vec3_dot(n, c->surface_way) / s->h;
    // Turned since the hit, the particle may yield less there: more than the energy that the hit took,
    // e² v² / 2k then, must not come back.
    float mobility = contact_mobility(&side, n);
    float part = minimum(1.0f, square_root(mobility / c->hit_mobility));
    float impulse = (c->rebound * part - speed) / mobility;
    if (impulse > 0.0f)
        pli_change_velocity(world, i, &side, vec3_scale(n, impulse));
}

// Overlap that was there before the substep is pushed out, but not thrown out: the speed that the
// push would leave behind is taken away again.
static void remove_push(const substep *s, const contact *c)
{
    pliant_world *world = s->world;
    int i = c->particle;
    vec3 n = c->normal;
    float pushed = minimum(c->normal_impulse * world->move[i].inverse_mass, c->start_depth);
    float speed = vec3_dot(n, world->v[i]) - vec3_dot(n, c->surface_way) / s->h;
    float excess = minimum(pushed / s->h, maximum(speed, 0.0f));
    world->v[i] = vec3_add_scaled(world->v[i], n, -excess);
}

static vec3 part_across(vec3 v, vec3 n)
{
    return vec3_add_scaled(v, n, -vec3_dot(n, v));
}

// Slows the spin of a particle by an impulse (m/s, of its mass) along n at an arm from its centre, by no more than the
// speed `most` there.
static void slow_spin(vec3 *spin, const mat3 *inverse_inertia, vec3 arm, vec3 n, float impulse,
                      float most)
{
    vec3 moment = vec3_cross(arm, n), change = mat3_mul_vec(inverse_inertia, moment);
    float mobility = vec3_dot(moment, change);
    if (most > 0.0f && mobility > 0.0f)
        *spin = vec3_add_scaled(*spin, change, minimum(most / mobility, impulse));
}

// A particle that answers as a point is not turned by a contact: its groups do that. But nothing would ever slow down what
// it spins besides, and friction would go on driving it: so friction slows the spin, too, where that makes the contact
// point slip. What rolls does not.
static void settle_spin(const substep *s, const body *b, const contact *c)
{
    pliant_world *world = s->world;
    int i = c->particle, k = i - b->particle_first;
    mat3 R = quat_to_mat3(world->turn[i]);
    vec3 n = c->normal, *spin = &world->spin[i], arm;
    pli_model_support(b->model, k, &R, n, &arm);
    vec3 turning = vec3_cross(*spin, arm);
    vec3 going = vec3_add_scaled(world->v[i], c->surface_way, -1.0f / s->h);
    vec3 slip = part_across(vec3_add(turning, going), n);
    float speed = vec3_length(slip), most = c->friction * c->normal_impulse;
    if (!(speed > 0.0f))
        return;
    vec3 back = vec3_scale(slip, -1.0f / speed);
    sym3 inverse = sym3_inverse(sym3_inertia(b->model->moments[k]));
    mat3 inverse_inertia = mat3_mul_transpose(mat3_mul_sym3(&R, inverse), R);
    slow_spin(spin, &inverse_inertia, arm, back, most * world->move[i].inverse_mass / s->h,
              minimum(-vec3_dot(back, turning), speed));
}

// Takes from a particle's velocity what pushes that leave no speed behind have taken from its way: one that is pressed
// between a surface and others would else keep a speed for ever that takes it nowhere. What is left of v + part · p,
// p the speed of those pushes, is the least for parts up to all of it.
static vec3 speed_that_moves(vec3 v, vec3 pushed)
{
    float against = -vec3_dot(v, pushed), square = vec3_dot(pushed, pushed);
    return against > 0.0f ? vec3_add_scaled(v, pushed, minimum(1.0f, against / square)) : v;
}

// Out of a collider, in position only. One that its groups press into it faster than it would be pushed out stays.
static void push_out(const substep *s, body *b, const contact *c)
{
    pliant_world *world = s->world;
    float speed = world->def.depenetration_speed, way = minimum(c->start_depth, speed * s->time);
    float pressed = c->normal_impulse * world->move[c->particle].inverse_mass;
    if (!(c->start_depth > 0.0f) || !is_deep(b, c) || pressed >= speed * s->h)
        return;
    vec3 out = vec3_scale(c->normal, way);
    advance_position(&world->x[c->particle], &world->x_low[c->particle], out);
    pli_note_lift(world, b, b->model->source.particles[c->particle - b->particle_first].mass, out);
}

void pli_hold_at_surfaces(const substep *s, body *b)
{
    pliant_world *world = s->world;
    const contact *contacts = contacts_of(world, b);
    for (int k = 0; k < b->contact_count; ++k) {
        const contact *c = &contacts[k];
        int i = c->particle;
        push_out(s, b, c);
        if (!(c->normal_impulse > 0.0f) || c->rebound > 0.0f ||
            b->model->answers_rigidly[i - b->particle_first])
            continue;
        vec3 went = vec3_scale(vec3_add(world->move[i].way, b->drift), 1.0f / s->time);
        vec3 surface = vec3_scale(c->surface_way, 1.0f / s->h);
        vec3 seen = speed_that_moves(vec3_sub(world->v[i], surface), vec3_sub(went, world->v[i]));
        world->v[i] = vec3_add(surface, seen);
    }
}

// Also counts the particles that were pushed.
void pli_settle_contacts(const substep *s, body *b)
{
    pliant_world *world = s->world;
    const contact *contacts = contacts_of(world, b);
    b->touching_count = 0;
    int slot = -1;
    for (int k = 0; k < b->contact_count; ++k) {
        const contact *c = &contacts[k];
        if (!(c->normal_impulse > 0.0f))
            continue;
        b->touching_count += 1;
        if (c->collider != slot) {
            slot = c->collider;
            b->is_carried = b->is_carried || pli_collider_moves(&world->colliders[slot]);
        }
        if (b->is_carried) {
            bool bounces = c->rebound > 0.0f || c->lands;
            const collider *solid = &world->colliders[slot];
            vec3 impulse = vec3_add_scaled(c->friction_impulse, c->normal, c->normal_impulse);
            pli_note_drive(s, b, impulse, c->surface_way,
                           bounces ? pli_combined_restitution(b, solid) : 0.0f);
        }
        world->hit_speed[c->particle] = maximum(world->hit_speed[c->particle], c->approach);
        if (!b->model->answers_rigidly[c->particle - b->particle_first])
            settle_spin(s, b, c);
        if (c->rebound > 0.0f && !is_partial(s))
            pli_rebound(s, b, c);
        else if (c->start_depth > 0.0f)
            remove_push(s, c);
    }
}
