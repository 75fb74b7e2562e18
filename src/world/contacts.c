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

#include "collide/ellipsoid.h"
#include "collide/shape.h"
#include "world.h"

// A fast particle moves further in a substep than this part of its thinnest radius.
static const float FAST_WAY = 0.5f;
enum { TOUCHES_PER_COLLIDER = 8, MISSED_PASSES = 4 };

static contact *body_contacts(const pliant_world *world, const body *b)
{
    return world->contacts ? world->contacts + b->contact_first : NULL;
}

static float combined_restitution(const body *b, const collider *c)
{
    return maximum(b->restitution, c->restitution);
}

// How far a plane at `point` is from a body's origin, in double precision: both may be far from the
// world's.
static float local_offset(vec3 n, vec3 point, vec3 origin)
{
    double along = (double)n.x * ((double)point.x - (double)origin.x) +
                   (double)n.y * ((double)point.y - (double)origin.y) +
                   (double)n.z * ((double)point.z - (double)origin.z);
    return (float)along;
}

// The speed with which a body's particle leaves a surface that it starts `gap` above and hits at speed v.
// Bodies bounce by positions, on which their constraints can agree: back up to where they were, which leaves
// v'² = e² (v² + 2 g gap) - 2 g gap, whatever the length of the substep.
static float bounce_speed(float restitution, float v, float pull, float gap)
{
    float height = 2.0f * pull * gap;
    float left = restitution * restitution * (v * v + height) - height;
    return left > 0.0f ? square_root(left) : 0.0f;
}

// The same for a free particle, which bounces by a change of velocity (settle) and leaves from the surface.
// What the substeps of a fall keep is v² - g h v + 2 g x, v upwards: that value times e² gives v'.
static float rebound_speed(float restitution, float v, float pull, float gap, float h)
{
    float fall = maximum(0.0f, v * v + pull * h * v + 2.0f * pull * gap), half = 0.5f * pull * h;
    return maximum(0.0f, half + square_root(half * half + restitution * restitution * fall));
}

// Within a substep a push at a long arm would turn a free particle too far for its energy to be right: it
// bounces with its contact point, at the end of the substep.
static void note_bounce(const substep *s, const body *b, contact *c, float start_gap)
{
    const pliant_world *world = s->world;
    int i = c->particle, k = i - b->particle_first;
    bool is_free = b->model->turns_freely[k];
    float restitution = combined_restitution(b, &world->colliders[c->collider]);
    float pull = -b->gravity_scale * vec3_dot(c->normal, world->def.gravity);
    float v = c->approach - pull * s->h; // before this substep's gravity
    float gap = maximum(start_gap, 0.0f);
    if (is_free) {
        mat3 R = quat_to_mat3(world->turn_start[i]);
        vec3 arm;
        ellipsoid_support(b->model->shapes[k], &R, c->normal, &arm);
        v -= vec3_dot(c->normal, vec3_cross(world->spin[i], arm));
        contact_side side = pliant_contact_side(world, b, i, &R, arm);
        c->hit_mobility = contact_mobility(&side, c->normal);
    }
    if (restitution == 0.0f || v < world->def.restitution_threshold)
        return;
    if (is_free)
        c->rebound = rebound_speed(restitution, v, pull, gap, s->h);
    else
        c->bounce = bounce_speed(restitution, v, pull, gap) * s->h;
}

// Adds a contact that was at `start_gap` before the substep and is predicted to be at `gap`.
static void add_contact(const substep *s, body *b, contact c, float start_gap, float gap)
{
    pliant_world *world = s->world;
    if (b->contact_count == b->contact_room) {
        b->dropped_contacts += 1;
        return;
    }
    c.start_depth = maximum(0.0f, -start_gap);
    c.slack = maximum(0.0f, c.start_depth - PUSH_OUT_SPEED * s->h);
    vec3 relative = vec3_add_scaled(world->v[c.particle], c.surface_way, -1.0f / s->h);
    c.approach = -vec3_dot(c.normal, relative);
    if (gap < 0.0f) {
        note_bounce(s, b, &c, start_gap);
        world->hit_speed[c.particle] = maximum(world->hit_speed[c.particle], c.approach);
    }
    b->bounces = b->bounces || c.bounce > 0.0f;
    body_contacts(world, b)[b->contact_count++] = c;
}

static vec3 way_of_point(const collider *solid, vec3 local)
{
    vec3 begin = vec3_add(solid->pose.position, quat_rotate(solid->pose.orientation, local));
    vec3 end = vec3_add(solid->end.position, quat_rotate(solid->end.orientation, local));
    return vec3_sub(end, begin);
}

static void find_plane_contacts(const substep *s, body *b, int slot)
{
    pliant_world *world = s->world;
    const collider *solid = &world->colliders[slot];
    bool moves = pliant_collider_moves(solid);
    const vec3 up = {0, 1, 0};
    vec3 n = quat_rotate(solid->end.orientation, up);
    vec3 start_n = quat_rotate(solid->pose.orientation, up);
    float start_offset = local_offset(start_n, solid->pose.position, b->origin);
    float offset = local_offset(n, solid->end.position, b->origin) - vec3_dot(n, b->drift);
    for (int k = 0; k < b->model->source.particle_count; ++k) {
        int i = b->particle_first + k;
        sym3 shape = b->model->shapes[k];
        vec3 place = current_position(world, i);
        float height = vec3_dot(n, place) - offset;
        // The trace bounds the support height; twice that leaves room for what the solver does.
        float bound = 2.0f * square_root(sym3_trace(shape));
        if (world->pinned[i] || !(height < bound))
            continue;
        mat3 R = quat_to_mat3(world->turn_start[i]);
        vec3 arm;
        float support = ellipsoid_support(shape, &R, start_n, &arm);
        contact c = {.particle = i, .collider = slot, .normal = n, .offset = offset};
        if (moves) {
            vec3 foot = vec3_add_scaled(vec3_add(place, b->drift), n, -height);
            vec3 from_solid = vec3_add(vec3_sub(b->origin, solid->end.position), foot);
            quat back = quat_conjugate(solid->end.orientation);
            c.surface_way = way_of_point(solid, quat_rotate(back, from_solid));
        }
        float start_gap = vec3_dot(start_n, world->start[i]) - start_offset - support;
        add_contact(s, b, c, start_gap, height - support);
    }
}

// Whether the body has this contact already.
static bool is_known(const pliant_world *world, const body *b, const contact *c)
{
    const contact *contacts = body_contacts(world, b);
    for (int k = 0; k < b->contact_count; ++k)
        if (contacts[k].particle == c->particle && contacts[k].collider == c->collider &&
            vec3_dot(contacts[k].normal, c->normal) > 0.999999f)
            return true;
    return false;
}

// One particle against a solid, in the solid's axes. `only_missed`: only surfaces that a fast one has
// passed on its way; true when there are any.
static bool find_particle_contacts(const substep *s, body *b, int slot, int k, bool only_missed)
{
    pliant_world *world = s->world;
    const collider *solid = &world->colliders[slot];
    int i = b->particle_first + k;
    quat back = quat_conjugate(solid->end.orientation);
    vec3 start = vec3_add(vec3_sub(b->origin, solid->pose.position), world->start[i]);
    vec3 end = vec3_add(vec3_sub(b->origin, solid->end.position),
                        vec3_add(b->drift, current_position(world, i)));
    vec3 from = quat_rotate(quat_conjugate(solid->pose.orientation), start);
    vec3 to = quat_rotate(back, end), way = vec3_sub(to, from);
    sym3 shape = sym3_rotate(b->model->shapes[k], quat_mul(back, world->turn[i]));
    float thin = FAST_WAY * pliant_smallest_radius(b, k);
    bool is_fast = vec3_dot(way, way) > thin * thin;
    float margin = CONTACT_MARGIN * pliant_largest_radius(b, k);
    if (only_missed && !is_fast)
        return false;
    bool is_missed = false;
    touch touches[TOUCHES_PER_COLLIDER];
    int found = pliant_shape_touches(solid->shape, shape, from, way, is_fast, margin, touches,
                                     TOUCHES_PER_COLLIDER);
    int count = found < TOUCHES_PER_COLLIDER ? found : TOUCHES_PER_COLLIDER;
    b->dropped_contacts += found - count;
    for (int t = 0; t < count; ++t) {
        vec3 n = touches[t].normal;
        float support = square_root(vec3_dot(n, sym3_mul_vec(shape, n)));
        float start_gap = vec3_dot(n, vec3_sub(from, touches[t].point)) - support;
        float gap = vec3_dot(n, vec3_sub(to, touches[t].point)) - support;
        contact c = {.particle = i, .collider = slot};
        c.normal = quat_rotate(solid->end.orientation, n);
        if (only_missed && !(gap < -1e-3f * pliant_smallest_radius(b, k)))
            continue;
        is_missed = true;
        if (only_missed && is_known(world, b, &c))
            continue;
        // From how far the predicted place is above the plane, not from where the point is: differences
        // of nearby numbers.
        c.offset = vec3_dot(c.normal, current_position(world, i)) - (gap + support);
        if (pliant_collider_moves(solid))
            c.surface_way = way_of_point(solid, touches[t].point);
        add_contact(s, b, c, start_gap, gap);
    }
    return is_missed;
}

static bool comes_near(const pliant_world *world, const body *b, int slot, int k)
{
    int i = b->particle_first + k;
    vec3 start = vec3_add(b->origin, world->start[i]);
    vec3 end = vec3_add(b->origin, vec3_add(b->drift, current_position(world, i)));
    box ways = box_around(start, end, pliant_largest_radius(b, k) * (1.0f + CONTACT_MARGIN));
    return !world->pinned[i] && boxes_overlap(&world->colliders[slot].bounds, &ways);
}

static void find_solid_contacts(const substep *s, body *b, int slot)
{
    if (!boxes_overlap(&s->world->colliders[slot].bounds, &b->bounds))
        return;
    for (int k = 0; k < b->model->source.particle_count; ++k)
        if (comes_near(s->world, b, slot, k))
            find_particle_contacts(s, b, slot, k, false);
}

bool pliant_collider_meets(const collider *solid, const body *b)
{
    return solid->is_alive && (solid->layers & b->mask) && (b->layers & solid->mask);
}

void pliant_find_contacts(const substep *s, body *b)
{
    const pliant_world *world = s->world;
    b->contact_count = 0;
    b->bounces = b->is_carried = false;
    for (int slot = 0; slot < world->collider_slot_count; ++slot) {
        const collider *solid = &world->colliders[slot];
        if (!pliant_collider_meets(solid, b))
            continue;
        if (solid->is_plane)
            find_plane_contacts(s, b, slot);
        else
            find_solid_contacts(s, b, slot);
    }
}

// One side of the contact in world axes.
contact_side pliant_contact_side(const pliant_world *world, const body *b, int i, const mat3 *R,
                                 vec3 arm)
{
    contact_side side = {.inverse_mass = world->inverse_mass[i], .arm = arm};
    int k = i - b->particle_first;
    if (b->model->answers_rigidly[k]) {
        sym3 shape = b->model->shapes[k];
        sym3 inverse = sym3_scale(sym3_inverse(sym3_inertia(shape)), 5.0f * side.inverse_mass);
        side.inverse_inertia = mat3_mul_transpose(mat3_mul_sym3(R, inverse), *R);
    }
    return side;
}

void pliant_apply_impulse(pliant_world *world, int i, const contact_side *side, vec3 impulse)
{
    world->move[i] = vec3_add_scaled(world->move[i], impulse, side->inverse_mass);
    vec3 moment = vec3_cross(side->arm, impulse);
    vec3 turn = mat3_mul_vec(&side->inverse_inertia, moment);
    if (turn.x == 0.0f && turn.y == 0.0f && turn.z == 0.0f)
        return;
    world->turn[i] = quat_turn(world->turn[i], turn);
    world->angular_impulse[i] = vec3_add(world->angular_impulse[i], moment);
}

vec3 pliant_contact_way(const pliant_world *world, const body *b, int i, vec3 arm)
{
    mat3 R = quat_to_mat3(world->turn[i]), R_start = quat_to_mat3(world->turn_start[i]);
    vec3 start_arm = mat3_mul_vec(&R_start, mat3_transpose_mul_vec(&R, arm));
    return vec3_add(vec3_add(world->move[i], b->drift), vec3_sub(arm, start_arm));
}

vec3 pliant_limit_friction(vec3 *sum, vec3 impulse, float most)
{
    vec3 before = *sum, total = vec3_add(before, impulse);
    float length = vec3_length(total);
    *sum = length > most ? vec3_scale(total, most / length) : total;
    return vec3_sub(*sum, before);
}

static void solve_contact(pliant_world *world, const body *b, contact *c)
{
    const collider *solid = &world->colliders[c->collider];
    int i = c->particle;
    vec3 n = c->normal, arm;
    mat3 R = quat_to_mat3(world->turn[i]);
    float support = ellipsoid_support(b->model->shapes[i - b->particle_first], &R, n, &arm);
    float depth = c->offset - vec3_dot(n, current_position(world, i)) + support - c->slack;
    if (c->bounce > 0.0f) {
        vec3 way = vec3_sub(vec3_add(world->move[i], b->drift), c->surface_way);
        depth = maximum(depth, c->bounce - vec3_dot(n, way));
    }
    contact_side side = pliant_contact_side(world, b, i, &R, arm);
    if (depth > 0.0f) {
        float impulse = depth / contact_mobility(&side, n);
        c->normal_impulse += impulse;
        pliant_apply_impulse(world, i, &side, vec3_scale(n, impulse));
    }
    float coefficient = square_root(b->friction * solid->friction);
    if (!(c->normal_impulse > 0.0f) || coefficient == 0.0f)
        return;
    const contact_side still = {0};
    vec3 slip = vec3_sub(pliant_contact_way(world, b, i, arm), c->surface_way);
    vec3 J = friction_impulse(slip, n, &side, &still, 1.0f);
    J = pliant_limit_friction(&c->friction_impulse, J, coefficient * c->normal_impulse);
    pliant_apply_impulse(world, i, &side, J);
}

void pliant_solve_contacts(const substep *s, const body *b)
{
    contact *contacts = body_contacts(s->world, b);
    for (int k = 0; k < b->contact_count; ++k)
        solve_contact(s->world, b, &contacts[k]);
}

// Whether an earlier contact of the same particle pushes: contacts of a particle need not stand together.
static bool has_pushed_before(const contact *contacts, int index)
{
    for (int k = 0; k < index; ++k)
        if (contacts[k].particle == contacts[index].particle && contacts[k].normal_impulse > 0.0f)
            return true;
    return false;
}

static bool moves_far(const pliant_world *world, const body *b, int k)
{
    vec3 way = vec3_add(world->move[b->particle_first + k], b->drift);
    float thin = FAST_WAY * pliant_smallest_radius(b, k);
    return vec3_dot(way, way) > thin * thin;
}

// A fast particle that one surface has turned aside may have passed another on its new way, which its
// predicted one did not meet.
void pliant_solve_missed_contacts(const substep *s, body *b)
{
    const pliant_world *world = s->world;
    contact *contacts = body_contacts(s->world, b);
    for (int pass = 0; pass < MISSED_PASSES; ++pass) {
        int count = b->contact_count;
        bool is_missed = false;
        for (int c = 0; c < count; ++c) {
            int k = contacts[c].particle - b->particle_first;
            if (!(contacts[c].normal_impulse > 0.0f) || has_pushed_before(contacts, c))
                continue;
            bool is_fast = moves_far(world, b, k);
            for (int slot = 0; slot < world->collider_slot_count; ++slot) {
                const collider *solid = &world->colliders[slot];
                if ((is_fast || pliant_collider_moves(solid)) && pliant_collider_meets(solid, b) &&
                    !solid->is_plane && comes_near(world, b, slot, k))
                    is_missed = find_particle_contacts(s, b, slot, k, true) || is_missed;
            }
        }
        if (!is_missed)
            return;
        for (int i = 0; i < MISSED_PASSES; ++i)
            pliant_solve_contacts(s, b);
    }
}

void pliant_change_velocity(pliant_world *world, int i, const contact_side *side, vec3 impulse)
{
    world->v[i] = vec3_add_scaled(world->v[i], impulse, side->inverse_mass);
    vec3 moment = vec3_cross(side->arm, impulse);
    world->spin[i] = vec3_add(world->spin[i], mat3_mul_vec(&side->inverse_inertia, moment));
}

static void rebound(const substep *s, const body *b, const contact *c)
{
    pliant_world *world = s->world;
    int i = c->particle;
    vec3 n = c->normal, arm;
    mat3 R = quat_to_mat3(world->turn[i]);
    ellipsoid_support(b->model->shapes[i - b->particle_first], &R, n, &arm);
    contact_side side = pliant_contact_side(world, b, i, &R, arm);
    vec3 v = vec3_add(world->v[i], vec3_cross(world->spin[i], arm));
    float speed = vec3_dot(n, v) - vec3_dot(n, c->surface_way) / s->h;
    // Turned since the hit, the particle may yield less there: more than the energy that the hit took,
    // e² v² / 2k then, must not come back.
    float mobility = contact_mobility(&side, n);
    float part = minimum(1.0f, square_root(mobility / c->hit_mobility));
    float impulse = (c->rebound * part - speed) / mobility;
    if (impulse > 0.0f)
        pliant_change_velocity(world, i, &side, vec3_scale(n, impulse));
}

// Overlap that was there before the substep is pushed out, but not thrown out: the speed that the
// push would leave behind is taken away again.
static void remove_push(const substep *s, const contact *c)
{
    pliant_world *world = s->world;
    int i = c->particle;
    vec3 n = c->normal;
    float pushed = minimum(c->normal_impulse * world->inverse_mass[i], c->start_depth);
    float speed = vec3_dot(n, world->v[i]) - vec3_dot(n, c->surface_way) / s->h;
    float excess = minimum(pushed / s->h, maximum(speed, 0.0f));
    world->v[i] = vec3_add_scaled(world->v[i], n, -excess);
}

// Also counts the particles that were pushed.
void pliant_settle_contacts(const substep *s, body *b)
{
    pliant_world *world = s->world;
    const contact *contacts = body_contacts(world, b);
    b->touching_count = 0;
    for (int k = 0; k < b->contact_count; ++k) {
        const contact *c = &contacts[k];
        b->touching_count += c->normal_impulse > 0.0f;
        b->is_carried = b->is_carried || (c->normal_impulse > 0.0f &&
                                          pliant_collider_moves(&world->colliders[c->collider]));
        if (c->normal_impulse > 0.0f)
            world->hit_speed[c->particle] = maximum(world->hit_speed[c->particle], c->approach);
        if (c->normal_impulse > 0.0f && c->rebound > 0.0f)
            rebound(s, b, c);
        else if (c->normal_impulse > 0.0f && c->start_depth > 0.0f)
            remove_push(s, c);
    }
}
