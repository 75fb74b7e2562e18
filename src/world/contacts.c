// Contact of particles with planes.
//
// Most particles are pushed as points: their groups turn them. One that turns freely, or that is a
// wheel, answers as the rigid ellipsoid it is, with a lever arm. Friction is an impulse at the
// contact that undoes the way the contact point slid in this substep, within Coulomb's cone; solved
// with the positions, it holds bodies on slopes without creep.

#include "collide/ellipsoid.h"
#include "world.h"

static contact *body_contacts(const pliant_world *world, const body *b)
{
    return world->contacts + (size_t)b->particle_first * (size_t)world->plane_slot_count;
}

static float combined_restitution(const body *b, const plane *p)
{
    return maximum(b->restitution, p->def.restitution);
}

// A plane's offset from a body's origin, in double precision: both may be far from the world's.
static float local_offset(const plane *p, vec3 origin)
{
    vec3 n = p->def.normal;
    double along = (double)n.x * (double)origin.x + (double)n.y * (double)origin.y +
                   (double)n.z * (double)origin.z;
    return (float)((double)p->def.offset - along);
}

// The speed with which a particle leaves a plane that it hits in this substep, 0 when it does not hit
// hard. It starts `gap` above the plane: falling that far and bouncing back up to where it started
// leaves v'² = e² (v² + 2 g gap) - 2 g gap, whatever the length of the substep.
static float rebound_speed(const substep *s, const body *b, int i, const plane *solid, float gap)
{
    const pliant_world *world = s->world;
    vec3 n = solid->def.normal;
    float restitution = combined_restitution(b, solid);
    float pull = -b->gravity_scale * vec3_dot(n, world->def.gravity);
    float approach = -(vec3_dot(n, world->v[i]) + pull * s->h); // before this substep's gravity
    if (restitution == 0.0f || approach < world->def.restitution_threshold)
        return 0.0f;
    float height = 2.0f * pull * maximum(gap, 0.0f);
    float left = restitution * restitution * (approach * approach + height) - height;
    return left > 0.0f ? square_root(left) : 0.0f;
}

void pliant_find_contacts(const substep *s, body *b)
{
    pliant_world *world = s->world;
    contact *out = body_contacts(world, b);
    int count = 0;
    b->bounces = false;
    for (int p = 0; p < world->plane_slot_count; ++p) {
        const plane *solid = &world->planes[p];
        if (!solid->is_alive)
            continue;
        vec3 n = solid->def.normal;
        float start_offset = local_offset(solid, b->origin);
        float offset = start_offset - vec3_dot(n, b->drift);
        for (int k = 0; k < b->model->source.particle_count; ++k) {
            int i = b->particle_first + k;
            sym3 shape = b->model->shapes[k];
            float height = vec3_dot(n, current_position(world, i)) - offset;
            // The trace bounds the support height; twice that leaves room for what the solver does.
            float bound = 2.0f * square_root(sym3_trace(shape));
            if (world->pinned[i] || !(height < bound))
                continue;
            mat3 R = quat_to_mat3(world->turn_start[i]);
            vec3 arm;
            float support = ellipsoid_support(shape, &R, n, &arm);
            contact c = {.particle = i, .plane = p, .offset = offset};
            c.start_depth = maximum(0.0f, start_offset - vec3_dot(n, world->start[i]) + support);
            c.slack = maximum(0.0f, c.start_depth - PUSH_OUT_SPEED * s->h);
            c.approach = -vec3_dot(n, world->v[i]);
            float start_gap = vec3_dot(n, world->start[i]) - start_offset - support;
            if (height < support) {
                c.bounce = rebound_speed(s, b, i, solid, start_gap) * s->h;
                world->hit_speed[i] = maximum(world->hit_speed[i], c.approach);
            }
            b->bounces = b->bounces || c.bounce > 0.0f;
            out[count++] = c;
        }
    }
    b->contact_count = count;
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
    vec3 turn = mat3_mul_vec(&side->inverse_inertia, vec3_cross(side->arm, impulse));
    if (turn.x != 0.0f || turn.y != 0.0f || turn.z != 0.0f)
        world->turn[i] = quat_turn(world->turn[i], turn);
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
    const plane *solid = &world->planes[c->plane];
    int i = c->particle;
    vec3 n = solid->def.normal, arm;
    mat3 R = quat_to_mat3(world->turn[i]);
    float support = ellipsoid_support(b->model->shapes[i - b->particle_first], &R, n, &arm);
    float depth = c->offset - vec3_dot(n, current_position(world, i)) + support - c->slack;
    if (c->bounce > 0.0f)
        depth = maximum(depth, c->bounce - vec3_dot(n, vec3_add(world->move[i], b->drift)));
    contact_side side = pliant_contact_side(world, b, i, &R, arm);
    if (depth > 0.0f) {
        float impulse = depth / contact_mobility(&side, n);
        c->normal_impulse += impulse;
        pliant_apply_impulse(world, i, &side, vec3_scale(n, impulse));
    }
    float coefficient = square_root(b->friction * solid->def.friction);
    if (!(c->normal_impulse > 0.0f) || coefficient == 0.0f)
        return;
    const contact_side still = {0};
    vec3 slip = pliant_contact_way(world, b, i, arm);
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

// Overlap that was there before the substep is pushed out, but not thrown out: the speed that the
// push would leave behind is taken away again. Also counts the particles that were pushed.
void pliant_settle_contacts(const substep *s, body *b)
{
    pliant_world *world = s->world;
    const contact *contacts = body_contacts(world, b);
    b->touching_count = 0;
    for (int k = 0; k < b->contact_count; ++k) {
        const contact *c = &contacts[k];
        b->touching_count += c->normal_impulse > 0.0f;
        if (c->normal_impulse > 0.0f)
            world->hit_speed[c->particle] = maximum(world->hit_speed[c->particle], c->approach);
        if (!(c->normal_impulse > 0.0f && c->start_depth > 0.0f))
            continue;
        int i = c->particle;
        vec3 n = world->planes[c->plane].def.normal;
        float pushed = minimum(c->normal_impulse * world->inverse_mass[i], c->start_depth);
        float speed = vec3_dot(n, world->v[i]);
        float excess = minimum(pushed / s->h, maximum(speed, 0.0f));
        world->v[i] = vec3_add_scaled(world->v[i], n, -excess);
    }
}
