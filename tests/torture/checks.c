// What can be said of any world after any step.

#include "arena.h"

// Speed is handed on: a heavy body makes a light one twice as fast as itself, a whip's end is faster than its hand, and so is the
// long end of a lever that is pushed near its pin. No particle may be faster than this many times all the speed that was
// ever given to the world. What is light is squeezed out between heavy bodies, as a cherry stone between fingers, or thrown to
// and fro by them: it may have a hundredth of all their energy, but not more than the second so many times the speed.
static const double SPEED_MARGIN = 6.0, LARGEST_MARGIN = 20.0;
static const double LIGHT_SHARE = 0.01;
static const double SPEED_FLOOR = 2.0; // m/s: what overlaps is pushed apart at 1
// Of what is moved about. A tree that flies and is drawn together turns faster, and has nothing left to pay with: with one
// iteration in 1/60 s it gained 0.6 %.
static const double ENERGY_TOLERANCE = 1e-2;
static const double MOMENTUM_TOLERANCE = 1e-4;
// What counts as still: rounding is not measured by nothing.
static const double LEAST_ENERGY = 1e-4; // J/kg
static const double LEAST_SPEED = 1e-2;  // m/s

static double speed_limit(const arena *a, const arena_body *b, int i)
{
    double mass = 0.0, own = (double)pliant_model_particles(b->model)[i].mass;
    for (int k = 0; k < a->body_count; ++k)
        mass += pliant_body_motion(a->world, a->bodies[k].id).mass;
    double margin = fmin(fmax(SPEED_MARGIN, sqrt(LIGHT_SHARE * mass / own)), LARGEST_MARGIN);
    return margin * a->given_speed + SPEED_FLOOR;
}

static void check_particle(arena *a, const arena_body *b, int i)
{
    pliant_pose pose = pliant_body_particle_pose(a->world, b->id, i);
    vec3 v = pliant_body_particle_velocity(a->world, b->id, i);
    vec3 w = pliant_body_particle_spin(a->world, b->id, i);
    quat q = pose.orientation;
    if (!vec3_is_finite(pose.position) || !quat_is_finite(q) || !vec3_is_finite(v) ||
        !vec3_is_finite(w)) {
        break_arena(a, "particle %d of body %u (%s) is not finite", i, b->id.index,
                    model_family_names[b->family]);
        return;
    }
    double length =
        sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
    if (fabs(length - 1.0) > 1e-3)
        break_arena(a, "the rotation of particle %d of body %u (%s) has length %g", i, b->id.index,
                    model_family_names[b->family], length);
    double speed = (double)vec3_length(v), most = SPEED_MARGIN * a->given_speed + SPEED_FLOOR;
    if (speed > most)
        most = speed_limit(a, b, i);
    a->fastest_ratio = fmax(a->fastest_ratio, speed / most);
    if (speed > most)
        fail_arena(a, "particle %d of body %u (%s) is %.4g m/s fast, at most %.4g m/s were given",
                   i, b->id.index, model_family_names[b->family], speed, a->given_speed);
}

static double potential_of(const arena *a, const arena_body *b, const pliant_motion *m)
{
    vec3 g = a->def.gravity;
    double height =
        -(m->centre[0] * (double)g.x + m->centre[1] * (double)g.y + m->centre[2] * (double)g.z);
    return m->mass * (double)b->gravity_scale * height;
}

static double arena_energy(const arena *a)
{
    double energy = 0;
    for (int k = 0; k < a->body_count; ++k) {
        pliant_motion m = pliant_body_motion(a->world, a->bodies[k].id);
        energy += m.kinetic_energy + potential_of(a, &a->bodies[k], &m);
    }
    return energy;
}

// Without spin: particles of soft groups turn with a fit that may turn as fast as it likes (a group without stiffness
// that is turned inside out is not moved by it, but spins by half a turn at once).
static double arena_energy_without_spin(const arena *a)
{
    double energy = 0;
    for (int k = 0; k < a->body_count; ++k) {
        const arena_body *b = &a->bodies[k];
        const pliant_particle_def *particles = pliant_model_particles(b->model);
        pliant_motion m = pliant_body_motion(a->world, b->id);
        energy += potential_of(a, b, &m);
        for (int i = 0; i < pliant_model_particle_count(b->model); ++i) {
            vec3 v = pliant_body_particle_velocity(a->world, b->id, i);
            double v2 = (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z;
            energy += 0.5 * (double)particles[i].mass * v2;
        }
    }
    return energy;
}

void note_momentum(arena *a)
{
    double scale = 0;
    for (int c = 0; c < 3; ++c)
        a->momentum[c] = 0;
    for (int k = 0; k < a->body_count; ++k) {
        pliant_motion m = pliant_body_motion(a->world, a->bodies[k].id);
        scale += sqrt(2.0 * m.mass * m.kinetic_energy) + LEAST_SPEED * m.mass;
        for (int c = 0; c < 3; ++c)
            a->momentum[c] += m.linear_momentum[c];
    }
    a->momentum_scale = fmax(a->momentum_scale, scale);
}

arena_energies energies_of(const arena *a)
{
    return (arena_energies){arena_energy(a), arena_energy_without_spin(a)};
}

// What a call takes from a spin that came from nowhere is no loss, and a spin that it gives may become motion.
void account_for_change(arena *a, arena_energies before)
{
    arena_energies now = energies_of(a);
    double weight = 0;
    a->energy_added -= fmax(0.0, (now.all - before.all) - (now.without_spin - before.without_spin));
    for (int k = 0; k < a->body_count; ++k) {
        pliant_motion m = pliant_body_motion(a->world, a->bodies[k].id);
        weight += m.kinetic_energy + m.mass * ((double)vec3_length(a->def.gravity) + LEAST_ENERGY);
    }
    a->energy_scale = fmax(a->energy_scale, weight);
    note_momentum(a);
}

static void note_pushed(const arena *a, double place[3], double velocity[3])
{
    if (a->pushed_particle < 0) {
        pliant_motion m = pliant_body_motion(a->world, a->pushed_body);
        for (int c = 0; c < 3; ++c) {
            place[c] = m.centre[c];
            velocity[c] = m.linear_momentum[c] / m.mass;
        }
        return;
    }
    vec3 x = pliant_body_particle_pose(a->world, a->pushed_body, a->pushed_particle).position;
    vec3 v = pliant_body_particle_velocity(a->world, a->pushed_body, a->pushed_particle);
    for (int c = 0; c < 3; ++c) {
        place[c] = (double)(&x.x)[c];
        velocity[c] = (double)(&v.x)[c];
    }
}

static arena_motion motion_of(const arena *a)
{
    arena_motion motion = {.energy = arena_energy_without_spin(a)};
    const float *g = &a->def.gravity.x;
    for (int k = 0; k < a->body_count; ++k) {
        pliant_motion m = pliant_body_motion(a->world, a->bodies[k].id);
        for (int c = 0; c < 3; ++c)
            motion.power += (double)(a->bodies[k].gravity_scale * g[c]) * m.linear_momentum[c];
    }
    if (a->has_push) {
        double velocity[3];
        note_pushed(a, motion.pushed, velocity);
        for (int c = 0; c < 3; ++c)
            motion.power += (double)(&a->push.x)[c] * velocity[c];
    }
    return motion;
}

void begin_check(arena *a)
{
    if (a->has_push) // in a step that passes no time it gives nothing, and waits
        a->given_speed += (double)(a->push_acceleration * minimum(a->dt, 0.5f));
    a->given_speed += (double)(vec3_length(a->def.gravity) * minimum(a->dt, 0.5f));
    // Between two walls of which one moves, what bounces gains twice its speed each time.
    for (int k = 0; k < a->collider_count; ++k)
        a->given_speed += (double)(2.0f * a->colliders[k].speed * minimum(a->dt, 0.5f)) /
                          (double)a->def.substep_length / SPEED_MARGIN;
    if (a->kind <= ARENA_HONEST)
        a->before = motion_of(a);
}

// s, of the substeps of a step. Worlds whose energy is checked only ask for longer ones.
static double substep_time(const arena *a)
{
    double dt = (double)minimum(a->dt, a->def.longest_step);
    double longest = (double)a->def.substep_length * (1.0 + 1.0 / 256.0);
    return dt / fmax(1.0, ceil(dt / longest));
}

// A force of the step that is over has done its work; of one that did not pass time it waits.
static double work_of_push(arena *a, const arena_motion *now)
{
    double work = 0;
    if (!a->has_push || a->dt == 0.0f)
        return 0;
    for (int c = 0; c < 3; ++c)
        work += (now->pushed[c] - a->before.pushed[c]) * (double)(&a->push.x)[c];
    return work;
}

// J, that a push gives the particles it acts on before constraints hand it on: many times what is left of it.
static double moved_by_push(const arena *a)
{
    double speed = (double)a->push_acceleration * substep_time(a);
    return a->has_push ? 0.5 * (double)vec3_length(a->push) * speed * (double)a->dt : 0.0;
}

// What flies freely keeps v²/2 - a·x + t a·v/2 in substeps of time t (docs/method.md, "Bounces"). With v²/2 - a·x alone, what
// bounces would gain t a v in no time, half of it beyond what it fell from. Of each step by itself: with another t, and when
// a force ends, that sum is another.
static void check_energy(arena *a)
{
    arena_motion now = motion_of(a), *before = &a->before;
    double work = work_of_push(a, &now);
    double turned = 0.5 * substep_time(a) * (now.power - before->power);
    a->energy_added += now.energy - before->energy + turned - work;
    a->energy_scale += fabs(work) + moved_by_push(a);
    double excess = a->energy_added / a->energy_scale;
    a->highest_excess = fmax(a->highest_excess, excess);
    say(a, "%.5g s: energy %.6g J above the limit, of %.6g J", (double)a->dt, a->energy_added,
        a->energy_scale);
    if (excess > ENERGY_TOLERANCE)
        fail_arena(a, "energy came from nowhere: %.4g of %.4g J", a->energy_added, a->energy_scale);
}

static void check_momentum(arena *a)
{
    double now[3] = {0, 0, 0}, drift = 0;
    for (int k = 0; k < a->body_count; ++k) {
        pliant_motion m = pliant_body_motion(a->world, a->bodies[k].id);
        for (int c = 0; c < 3; ++c)
            now[c] += m.linear_momentum[c];
    }
    for (int c = 0; c < 3; ++c)
        drift = fmax(drift, fabs(now[c] - a->momentum[c]));
    drift /= a->momentum_scale;
    // What is held at the largest speed loses momentum, and the report tells.
    if (pliant_world_report(a->world).limited_bodies > 0) {
        note_momentum(a);
        return;
    }
    a->largest_drift = fmax(a->largest_drift, drift);
    if (drift > MOMENTUM_TOLERANCE)
        fail_arena(a, "momentum is off by %.3g of %.4g kg m/s", drift, a->momentum_scale);
}

void check_arena(arena *a)
{
    pliant_report report = pliant_world_report(a->world);
    if (report.bad_bodies > 0 || report.frozen_bodies > 0)
        break_arena(a, "%d bodies are frozen", report.frozen_bodies);
    if (report.bad_calls > 0)
        break_arena(a, "%d bad calls", (int)report.bad_calls);
    for (int k = 0; k < a->body_count; ++k)
        for (int i = 0; i < pliant_model_particle_count(a->bodies[k].model); ++i)
            check_particle(a, &a->bodies[k], i);
    if (a->kind <= ARENA_HONEST)
        check_energy(a);
    if (a->has_push && a->dt > 0.0f) {
        a->has_push = false;
        note_momentum(a);
    }
    if (a->kind == ARENA_FREE)
        check_momentum(a);
}
