// Impact of rigid bodies on colliders: restitution where they touch, flat, on an edge and on a corner.

#include "blocks.h"
#include "solids.h"

// How long steps are, and how they are solved.
typedef struct quality {
    float substep_length, dt;
    int iterations;
} quality;

static const quality qualities[] = {
    {1.0f / 300.0f, 1.0f / 300.0f, 2},   {1.0f / 300.0f, 1.0f / 700.0f, 2},
    {1.0f / 300.0f, 1.0f / 3000.0f, 2},  {1.0f / 600.0f, 1.0f / 600.0f, 1},
    {1.0f / 1200.0f, 1.0f / 1200.0f, 4}, {1.0f / 60.0f, 1.0f / 60.0f, 10},
};
enum { QUALITIES = sizeof qualities / sizeof qualities[0] };

static setup block_above_ground(pliant_model *model, quality q, float restitution, float friction)
{
    setup s = setup_with(model);
    s.world_def.substep_length = q.substep_length;
    s.world_def.iterations = q.iterations;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    s.body_def.position.y = 2.0f;
    s.body_def.restitution = restitution;
    s.body_def.friction = friction;
    return s;
}

static void open_above(setup *s, pliant_shape_kind kind)
{
    setup_open(s);
    ground g = ground_of(kind);
    pliant_collider_def def = ground_def(&g, quat_identity(), (vec3){0, 0, 0});
    def.friction = s->body_def.friction;
    add_solid(s->world, &def);
    pliant_shape_destroy(g.shape);
}

static void open_above_ground(setup *s)
{
    open_above(s, PLIANT_SHAPE_PLANE);
}

static bool is_pushed(const setup *s)
{
    pliant_contact contacts[256];
    int count = pliant_world_contacts(s->world, contacts, 256);
    for (int k = 0; k < count; ++k)
        if (contacts[k].force > 0.0f)
            return true;
    return false;
}

// m, of the lowest particle's centre, and where all are that are as low.
static vec3 lowest_place(const setup *s)
{
    int n = pliant_model_particle_count(s->model), count = 0;
    float low = position_of(s, 0).y;
    vec3 sum = {0, 0, 0};
    for (int i = 0; i < n; ++i)
        low = fminf(low, position_of(s, i).y);
    for (int i = 0; i < n; ++i)
        if (position_of(s, i).y < low + 1e-3f) {
            sum = vec3_add(sum, position_of(s, i));
            ++count;
        }
    return vec3_scale(sum, 1.0f / (float)count);
}

// m, how much higher the lowest of the other particles is.
static float clearance(const setup *s)
{
    float low = lowest_place(s).y, next = 1e9f;
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i)
        if (position_of(s, i).y > low + 1e-3f)
            next = fminf(next, position_of(s, i).y);
    return next - low;
}

// m/s upwards, of a place at `arm` from the centre of a block, whose inertia is the same about all axes.
static double speed_of_place(const setup *s, double inertia, vec3 arm)
{
    pliant_motion m = pliant_body_motion(s->world, s->body);
    return m.linear_momentum[1] / m.mass +
           (m.angular_momentum[2] * (double)arm.x - m.angular_momentum[0] * (double)arm.z) /
               inertia;
}

static vec3 centre_of(const setup *s)
{
    pliant_motion m = pliant_body_motion(s->world, s->body);
    return (vec3){(float)m.centre[0], (float)m.centre[1], (float)m.centre[2]};
}

static double inertia_of(const setup *s)
{
    const pliant_particle_def *particles = pliant_model_particles(s->model);
    vec3 centre = centre_of(s);
    double inertia = 0.0;
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i) {
        vec3 arm = vec3_sub(position_of(s, i), centre);
        float own = 0.4f * particles[i].radii.x * particles[i].radii.x;
        inertia += (double)(particles[i].mass * (vec3_dot(arm, arm) * 2.0f / 3.0f + own));
    }
    return inertia;
}

// The speed at which what touched the ground parts from it, as a part of that at which it came; 0 where something else comes to
// the ground in the same substep: then both part together, and what was first is faster.
static double parting_speed(pliant_model *model, quality q, float restitution, float friction,
                            vec3 tilt)
{
    setup s = block_above_ground(model, q, restitution, friction);
    s.body_def.orientation = quat_exp(tilt);
    open_above_ground(&s);
    double inertia = inertia_of(&s), approach = 0.0;
    float clear = clearance(&s);
    vec3 arm = {0, 0, 0};
    for (int i = 0; i < 5000 && !is_pushed(&s); ++i) {
        arm = vec3_sub(lowest_place(&s), centre_of(&s));
        approach = -speed_of_place(&s, inertia, arm);
        pliant_world_step(s.world, q.dt);
    }
    for (int i = 0; i < 500 && is_pushed(&s); ++i)
        pliant_world_step(s.world, q.dt);
    double parting = speed_of_place(&s, inertia, arm);
    bool is_alone = clear > (float)approach * q.substep_length;
    pliant_world_destroy(s.world);
    return is_alone ? parting / approach : 0.0;
}

static void test_what_touches_parts_at_its_restitution(void **state)
{
    (void)state;
    static const vec3 tilts[] = {
        {0, 0, 0},       {0, 0, 0.4f},       {0, 0, 0.6f},       {0, 0, 0.785398f},
        {0.3f, 0, 0.3f}, {0.5f, 0.2f, 0.4f}, {0.2f, 0.9f, 0.5f}, {0.61548f, 0, -0.785398f}};
    pliant_model *model = block_model(1.0f, true);
    double worst = 0.0;
    int tried = 0;
    for (int k = 0; k < QUALITIES; ++k)
        for (int t = 0; t < 8; ++t)
            for (int e = 1; e <= 3; ++e)
                for (int rubs = 0; rubs < 2; ++rubs) {
                    double asked = 0.25 * e;
                    float friction = rubs ? 0.6f : 0.0f;
                    double got =
                        parting_speed(model, qualities[k], (float)asked, friction, tilts[t]);
                    if (got == 0.0)
                        continue;
                    ++tried;
                    worst = fmax(worst, fabs(got / asked - 1.0));
                    if (fabs(got / asked - 1.0) > 0.05)
                        fail_msg("substeps of %g s, steps of %g s, tilt %d, friction %g: %g for %g",
                                 (double)qualities[k].substep_length, (double)qualities[k].dt, t,
                                 (double)friction, got, asked);
                }
    print_message("%d falls, parting speeds differ from restitution by %.1f %% at most\n", tried,
                  100.0 * worst);
    assert_true(tried > 200);
    pliant_model_destroy(model);
}

// m, that a block rises by after it fell flat.
static double rebound(pliant_model *model, pliant_shape_kind kind, quality q, float restitution,
                      double *fall)
{
    setup s = block_above_ground(model, q, restitution, 0.5f);
    open_above(&s, kind);
    double start = pliant_body_motion(s.world, s.body).centre[1], low = start, high = 0.0,
           y = start;
    for (; y <= low; y = pliant_body_motion(s.world, s.body).centre[1]) {
        low = y;
        pliant_world_step(s.world, q.dt);
    }
    for (; y >= high; y = pliant_body_motion(s.world, s.body).centre[1]) {
        high = y;
        pliant_world_step(s.world, q.dt);
    }
    *fall = start - low;
    pliant_world_destroy(s.world);
    return high - low;
}

static void test_a_flat_fall_gives_back_the_square_of_the_restitution(void **state)
{
    (void)state;
    pliant_model *model = block_model(1.0f, true);
    for (int k = 0; k < QUALITIES; ++k)
        for (int e = 0; e <= 3; ++e) {
            double asked = 0.25 * e, fall;
            double got =
                rebound(model, PLIANT_SHAPE_PLANE, qualities[k], (float)asked, &fall) / fall;
            print_message("substeps of %g s, steps of %g s, restitution %g: %.4f\n",
                          (double)qualities[k].substep_length, (double)qualities[k].dt, asked, got);
            assert_near(got, asked * asked, 0.05 * asked * asked + 0.002);
        }
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 0; k < QUALITIES; ++k) {
            double fall;
            if (!is_flat((pliant_shape_kind)kind))
                continue;
            double got = rebound(model, (pliant_shape_kind)kind, qualities[k], 0.5f, &fall) / fall;
            if (fabs(got - 0.25) > 0.0125)
                fail_msg("ground %d, quality %d: %g", kind, k, got);
        }
    pliant_model_destroy(model);
}

// J: what substeps of a fall keep, one of which is a step.
static double energy_of_fall(const setup *s, double dt)
{
    pliant_motion m = pliant_body_motion(s->world, s->body);
    return energy_in_gravity(s) - 0.5 * 9.81 * dt * m.linear_momentum[1];
}

// With any friction, restitution and spin.
static void test_an_impact_adds_no_energy(void **state)
{
    (void)state;
    uint32_t random = 7;
    double most = 0.0;
    pliant_model *model = block_model(1.0f, true);
    for (int k = 0; k < (FULL_LENGTH ? 120 : 24); ++k) {
        quality q = qualities[k % QUALITIES];
        setup s = block_above_ground(model, q, k & 1 ? 1.0f : 0.7f, 0.4f * (float)(k % 5));
        s.body_def.orientation = quat_exp(random_vec3(&random, 1.5f));
        s.body_def.angular_velocity = random_vec3(&random, 12.0f);
        s.body_def.linear_velocity = random_vec3(&random, 6.0f);
        open_above_ground(&s);
        pliant_world_step(s.world, q.dt); // velocities are chords from here on
        double start = energy_of_fall(&s, (double)q.dt);
        for (double t = 0.0; t < 2.5; t += (double)q.dt) {
            pliant_world_step(s.world, q.dt);
            most = fmax(most, energy_of_fall(&s, (double)q.dt) / start);
        }
        pliant_world_destroy(s.world);
    }
    print_message("energy is %.5f of what it was, at most\n", most);
    assert_below(most, 1.001);
    pliant_model_destroy(model);
}

// A wall that comes at 3 m/s throws what hovers before it on at (1 + e) times that.
static void test_a_wall_hands_on_its_speed(void **state)
{
    (void)state;
    pliant_model *model = block_model(1.0f, true);
    for (int k = 0; k < QUALITIES; ++k) {
        setup s = block_above_ground(model, qualities[k], 0.5f, 0.3f);
        s.world_def.gravity = (vec3){0, 0, 0};
        setup_open(&s);
        pliant_plane_def def = pliant_default_plane_def();
        def.offset = 1.0f;
        pliant_collider_id wall = pliant_world_add_plane(s.world, &def, NULL);
        pliant_collider_set_velocity(s.world, wall, (vec3){0, 3, 0}, (vec3){0, 0, 0});
        run(&s, 0.6, qualities[k].dt);
        pliant_motion m = pliant_body_motion(s.world, s.body);
        assert_near(m.linear_momentum[1] / m.mass, 4.5, 0.02);
        pliant_world_destroy(s.world);
    }
    pliant_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_touches_parts_at_its_restitution),
        cmocka_unit_test(test_a_flat_fall_gives_back_the_square_of_the_restitution),
        cmocka_unit_test(test_an_impact_adds_no_energy),
        cmocka_unit_test(test_a_wall_hands_on_its_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
