// Contact of particles with planes.
//
// Most particles are pushed as points: their groups turn them. One that turns freely, or that is a
// wheel, answers as the rigid ellipsoid it is, with a lever arm. Friction is an impulse at the
// contact that undoes the way the contact point slid in this substep, within Coulomb's cone; solved
// with the positions, it holds bodies on slopes without creep.

#include "collide/ellipsoid.h"
#include "collide/friction.h"
#include "world.h"

// Overlap that was there before a substep is pushed out no faster than this, m/s.
static const float PUSH_OUT_SPEED = 1.0f;

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

void pliant_find_contacts(const substep *s, body *b)
{
    pliant_world *world = s->world;
    contact *out = body_contacts(world, b);
    int count = 0;
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
            float approach = vec3_dot(n, world->v[i]);
            if (approach < -world->def.restitution_threshold && height < support)
                c.bounce = -approach * combined_restitution(b, solid) * s->h;
            out[count++] = c;
        }
    }
    b->contact_count = count;
}

// One side of the contact in world axes.
static contact_side moving_side(const pliant_world *world, const body *b, int i, const mat3 *R,
                                vec3 arm)
{
    contact_side side = {.inverse_mass = world->inverse_mass[i], .arm = arm};
    int k = i - b->particle_first;
    if (b->model->answers_rigidly[k]) {
        sym3 shape = b->model->shapes[k];
        float trace = sym3_trace(shape);
        sym3 inertia = {trace - shape.xx, -shape.xy, -shape.xz,
                        trace - shape.yy, -shape.yz, trace - shape.zz};
        sym3 inverse = sym3_scale(sym3_inverse(inertia), 5.0f * side.inverse_mass);
        side.inverse_inertia = mat3_mul_transpose(mat3_mul_sym3(R, inverse), *R);
    }
    return side;
}

static void apply_impulse(pliant_world *world, int i, const contact_side *side, vec3 impulse)
{
    world->move[i] = vec3_add_scaled(world->move[i], impulse, side->inverse_mass);
    vec3 turn = mat3_mul_vec(&side->inverse_inertia, vec3_cross(side->arm, impulse));
    if (turn.x != 0.0f || turn.y != 0.0f || turn.z != 0.0f)
        world->turn[i] = quat_turn(world->turn[i], turn);
}

// How far the material point at the contact has moved in this substep.
static vec3 contact_slip(const pliant_world *world, const body *b, int i, const mat3 *R, vec3 arm)
{
    mat3 R_start = quat_to_mat3(world->turn_start[i]);
    vec3 rest_arm = mat3_transpose_mul_vec(R, arm);
    vec3 turned = vec3_sub(arm, mat3_mul_vec(&R_start, rest_arm));
    return vec3_add(vec3_add(world->move[i], b->drift), turned);
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
    contact_side side = moving_side(world, b, i, &R, arm);
    if (depth > 0.0f) {
        float impulse = depth / contact_mobility(&side, n);
        c->normal_impulse += impulse;
        apply_impulse(world, i, &side, vec3_scale(n, impulse));
    }
    float coefficient = square_root(b->friction * solid->def.friction);
    if (!(c->normal_impulse > 0.0f) || coefficient == 0.0f)
        return;
    R = quat_to_mat3(world->turn[i]);
    const contact_side still = {0};
    vec3 J = friction_impulse(contact_slip(world, b, i, &R, arm), n, &side, &still, 1.0f);
    vec3 total = vec3_add(c->friction_impulse, J);
    float length = vec3_length(total), most = coefficient * c->normal_impulse;
    if (length > most)
        total = vec3_scale(total, most / length);
    apply_impulse(world, i, &side, vec3_sub(total, c->friction_impulse));
    c->friction_impulse = total;
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
