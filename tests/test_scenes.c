// The built-in scenes do what their titles say.

#include "scenes.h"
#include "test.h"

typedef struct show {
    pliant_scene *scene;
    pliant_stage stage;
    const pliant_model *model;
} show;

static show show_open(const char *name)
{
    pliant_error error = {0};
    show s = {.scene = scene_entry_find(name)->create(&error)};
    if (!s.scene || pliant_stage_open(&s.stage, s.scene, NULL, &error))
        fail_msg("%s: %s %s", name, error.place, error.message);
    s.model = s.scene->models[0];
    return s;
}

static void show_close(show *s)
{
    pliant_stage_close(&s->stage);
    pliant_scene_destroy(s->scene);
}

static void show_run(show *s, double seconds)
{
    for (int i = 0; i < (int)(seconds * 60.0 + 0.5); ++i)
        pliant_stage_step(&s->stage, 1.0f / 60.0f);
}

static pliant_pose pose_of(const show *s, int particle)
{
    return pliant_body_particle_pose(s->stage.world, s->stage.bodies[0], particle);
}

static pliant_motion motion_of(const show *s)
{
    return pliant_body_motion(s->stage.world, s->stage.bodies[0]);
}

// Lengths of edges that resist stretch, over those at rest: the longest and the shortest.
static void find_lengths(const show *s, double *longest, double *shortest)
{
    const pliant_edge_def *edges = pliant_model_edges(s->model);
    const pliant_particle_def *rest = pliant_model_particles(s->model);
    *longest = *shortest = 1.0;
    for (int i = 0; i < pliant_model_edge_count(s->model); ++i) {
        int a = edges[i].a, b = edges[i].b;
        if (edges[i].stretch_stiffness == 0.0f)
            continue;
        double now = vec3_length(vec3_sub(pose_of(s, a).position, pose_of(s, b).position));
        double then = vec3_length(vec3_sub(rest[a].position, rest[b].position));
        *longest = fmax(*longest, now / then);
        *shortest = fmin(*shortest, now / then);
    }
}

static double longest_edge(const show *s)
{
    double longest, shortest;
    find_lengths(s, &longest, &shortest);
    return longest;
}

static double largest_stretch(const show *s)
{
    double longest, shortest;
    find_lengths(s, &longest, &shortest);
    return fmax(longest - 1.0, 1.0 - shortest);
}

static void test_every_scene_runs_to_its_end(void **state)
{
    (void)state;
    for (int i = 0; i < scene_entry_count(); ++i) {
        show s = show_open(scene_entry_at(i)->name);
        assert_true(strlen(s.scene->title) > 0);
        int particles = pliant_world_report(s.stage.world).particles;
        bool is_large = particles > 200 && !FULL_LENGTH, is_huge = particles > 20000;
        show_run(&s, is_huge ? 0.05 : is_large ? 0.5 : s.scene->seconds);
        pliant_report report = pliant_world_report(s.stage.world);
        assert_int_equal(report.frozen_bodies, 0);
        assert_int_equal(report.bad_calls, 0);
        double *centre = motion_of(&s).centre;
        assert_below(fabs(centre[0]) + fabs(centre[1]) + fabs(centre[2]), 20.0);
        show_close(&s);
    }
    assert_null(scene_entry_find("no such scene"));
}

// Twist between two particles of the rope about the rope's axis at rest, summed over the edges so
// that it may exceed a turn.
static double rope_twist(const show *s)
{
    const pliant_particle_def *rest = pliant_model_particles(s->model);
    double sum = 0;
    for (int i = 0; i + 1 < pliant_model_particle_count(s->model); ++i) {
        quat a = quat_mul(pose_of(s, i).orientation, quat_conjugate(rest[i].orientation));
        quat b = quat_mul(pose_of(s, i + 1).orientation, quat_conjugate(rest[i + 1].orientation));
        quat r = quat_mul(quat_conjugate(a), b);
        vec3 axis = vec3_sub(rest[i + 1].position, rest[i].position);
        axis = vec3_normalize_or(axis, axis);
        vec3 u = {r.x, r.y, r.z};
        sum += 2.0 * atan2(vec3_dot(u, axis), r.w);
    }
    return sum;
}

static void test_rope_takes_the_twist_and_keeps_its_length(void **state)
{
    (void)state;
    show s = show_open("rope");
    assert_int_equal(pliant_model_particle_count(s.model), 60);
    show_run(&s, 1.0);
    double before = rope_twist(&s);
    vec3 end = pose_of(&s, 59).position;
    show_run(&s, 1.0);
    double during = rope_twist(&s);
    print_message("rope: twist %.2f → %.2f rad, stretch %.4f\n", before, during,
                  largest_stretch(&s));
    assert_near(before, 0.0, 0.5);
    assert_true(fabs(during) > 2.0);
    assert_below(largest_stretch(&s), 0.05);
    assert_true(vec3_length(vec3_sub(pose_of(&s, 59).position, end)) > 0.2); // it swings
    assert_near(pose_of(&s, 0).position.y, 2.4, 1e-5);                       // and hangs
    show_close(&s);
}

static void test_curtain_folds_and_is_blown(void **state)
{
    (void)state;
    show s = show_open("curtain");
    int n = pliant_model_particle_count(s.model);
    assert_true(n >= 600);
    show_run(&s, 3.8);
    float low = 1e9f, high = -1e9f, left = 1e9f, right = -1e9f;
    for (int i = 0; i < n; ++i) {
        low = minimum(low, pose_of(&s, i).position.z);
        high = maximum(high, pose_of(&s, i).position.z);
        left = minimum(left, pose_of(&s, i).position.x);
        right = maximum(right, pose_of(&s, i).position.x);
    }
    print_message("curtain: %.2f m wide, folds %.2f m deep, edges up to %.3f of their length\n",
                  right - left, high - low, longest_edge(&s));
    assert_below(right - left, 2.1); // from 2.4 m
    assert_true(high - low > 0.15);
    assert_below(longest_edge(&s), 1.03);
    double before = motion_of(&s).centre[2];
    show_run(&s, 0.8);
    assert_true(motion_of(&s).centre[2] - before > 0.05);
    show_close(&s);
}

static void test_jelly_lands_and_regains_its_shape(void **state)
{
    (void)state;
    show s = show_open("jelly");
    float largest = 0;
    for (int i = 0; i < 360; ++i) {
        show_run(&s, 1.0 / 60.0);
        for (int p = 0; p < pliant_model_particle_count(s.model); ++p)
            assert_true(pose_of(&s, p).position.y > 0.0f);
        vec3 a = pose_of(&s, 0).position, b = pose_of(&s, 5 * 8).position;
        largest = maximum(largest, absolute(vec3_length(vec3_sub(a, b)) - 0.5f));
    }
    vec3 a = pose_of(&s, 0).position, b = pose_of(&s, 5 * 8).position;
    float now = absolute(vec3_length(vec3_sub(a, b)) - 0.5f);
    print_message("jelly: a side of 0.5 m changed by up to %.3f m, by %.3f m at the end\n", largest,
                  now);
    assert_true(largest > 0.05f); // soft
    assert_below(now, 0.06);      // what is left is its own weight
    assert_true(pliant_world_report(s.stage.world).contacts >= 60);
    assert_below(motion_of(&s).kinetic_energy / motion_of(&s).mass, 0.01);
    show_close(&s);
}

static void test_cart_rolls_and_keeps_rolling(void **state)
{
    (void)state;
    show s = show_open("cart");
    pliant_report counts = pliant_world_report(s.stage.world);
    assert_int_equal(counts.groups, 3);
    show_run(&s, 2.2); // down the slope and onto the flat
    pliant_motion bottom = motion_of(&s);
    double speed = bottom.linear_momentum[0] / bottom.mass;
    assert_true(speed > 1.5);
    show_run(&s, 4.0);
    pliant_motion later = motion_of(&s);
    assert_near(later.linear_momentum[0] / later.mass, speed, 0.02 * speed);
    // Wheels turn as fast as they roll, the body does not turn at all.
    int wheel = pliant_model_particle_count(s.model) - 2; // the last axle's second wheel
    vec3 spin = pliant_body_particle_spin(s.stage.world, s.stage.bodies[0], wheel);
    assert_near(-spin.z * 0.24, speed, 0.05 * speed);
    vec3 body_spin = pliant_body_particle_spin(s.stage.world, s.stage.bodies[0], 0);
    assert_below(vec3_length(body_spin), 0.1);
    show_close(&s);
}

static void test_spinner_turns_over(void **state)
{
    (void)state;
    show s = show_open("spinner");
    pliant_motion before = motion_of(&s);
    int flips = 0;
    float last = 1.0f;
    for (int i = 0; i < 600; ++i) {
        show_run(&s, 1.0 / 60.0);
        // The middle axis against the angular momentum, which points up.
        float up = quat_rotate(pose_of(&s, 0).orientation, (vec3){0, 1, 0}).y;
        if (absolute(up) > 0.8f && up * last < 0.0f) {
            last = -last;
            ++flips;
        }
    }
    assert_true(flips >= 2);
    pliant_motion after = motion_of(&s);
    assert_near(after.kinetic_energy / before.kinetic_energy, 1.0, 1e-3);
    for (int k = 0; k < 3; ++k)
        assert_near(after.angular_momentum[k], before.angular_momentum[k],
                    2e-3 * fabs(before.angular_momentum[1]));
    show_close(&s);
}

static void test_heavy_ball_hangs_on(void **state)
{
    (void)state;
    show s = show_open("chain");
    double stretch = 0, highest = -1e9;
    pliant_motion start = motion_of(&s);
    double energy = start.mass * 9.81 * start.centre[1];
    for (int i = 0; i < 480; ++i) {
        show_run(&s, 1.0 / 60.0);
        stretch = fmax(stretch, largest_stretch(&s));
        pliant_motion now = motion_of(&s);
        highest = fmax(highest, now.kinetic_energy + now.mass * 9.81 * now.centre[1]);
    }
    print_message("chain: stretch up to %.3f, energy %+.4f of the start\n", stretch,
                  highest / energy - 1.0);
    assert_below(stretch, 0.1);
    assert_below(highest,
                 energy * 1.004); // what the stretched rope gives back in one substep a step
    show_close(&s);
}

// Mean speed of all particles of all bodies, m/s.
static double mean_speed(const show *s)
{
    double sum = 0;
    int count = 0;
    for (int b = 0; b < s->scene->body_count; ++b) {
        int n = pliant_model_particle_count(s->scene->models[s->scene->bodies[b].model]);
        for (int p = 0; p < n; ++p)
            sum +=
                vec3_length(pliant_body_particle_velocity(s->stage.world, s->stage.bodies[b], p));
        count += n;
    }
    return sum / count;
}

static void test_pile_comes_to_rest_in_its_box(void **state)
{
    (void)state;
    show s = show_open("pile");
    assert_int_equal(s.scene->body_count, 100);
    show_run(&s, 1.0);
    assert_true(pliant_world_report(s.stage.world).pairs > 100);
    show_run(&s, FULL_LENGTH ? 5.0 : 0.0);
    print_message("pile: mean speed %.4f m/s\n", mean_speed(&s));
    if (FULL_LENGTH)
        assert_below(mean_speed(&s), 0.01);
    assert_int_equal(pliant_world_report(s.stage.world).dropped_pairs, 0);
    double lowest = 1e9, highest = 0;
    for (int b = 0; b < 100; ++b) {
        pliant_motion m = pliant_body_motion(s.stage.world, s.stage.bodies[b]);
        assert_true(fabs(m.centre[0]) < 1.4 && fabs(m.centre[2]) < 1.4);
        lowest = fmin(lowest, m.centre[1]);
        highest = fmax(highest, m.centre[1]);
    }
    assert_true(lowest > 0.07);  // nobody is in the ground
    assert_true(highest > 0.35); // and they lie on each other
    show_close(&s);
}

static void test_marbles_settle_in_the_bowl(void **state)
{
    (void)state;
    show s = show_open("marbles");
    show_run(&s, 5.0);
    print_message("marbles: mean speed %.4f m/s\n", mean_speed(&s));
    assert_below(mean_speed(&s), 0.05);
    for (int b = 0; b < s.scene->body_count; ++b) {
        pliant_motion m = pliant_body_motion(s.stage.world, s.stage.bodies[b]);
        assert_true(m.centre[1] > 0.06 && m.centre[1] < 1.0);
        for (int k = 0; k < b; ++k) { // no two are in one place
            pliant_motion other = pliant_body_motion(s.stage.world, s.stage.bodies[k]);
            double d = 0;
            for (int i = 0; i < 3; ++i)
                d += (m.centre[i] - other.centre[i]) * (m.centre[i] - other.centre[i]);
            assert_true(sqrt(d) > 0.135); // twice the smallest radius less 4 %
        }
    }
    show_close(&s);
}

static void test_conveyor_carries_and_fills_its_bin(void **state)
{
    (void)state;
    show s = show_open("conveyor");
    show_run(&s, 0.5);
    double before = pliant_body_motion(s.stage.world, s.stage.bodies[1]).centre[0];
    show_run(&s, 0.5);
    double after = pliant_body_motion(s.stage.world, s.stage.bodies[1]).centre[0];
    assert_near(after - before, 0.4, 0.04); // as fast as the belt
    if (FULL_LENGTH) {
        show_run(&s, 9.0);
        int in_bin = 0;
        for (int b = 0; b < s.scene->body_count; ++b) {
            pliant_motion m = pliant_body_motion(s.stage.world, s.stage.bodies[b]);
            assert_true(m.centre[1] > 0.0);
            in_bin += fabs(m.centre[0] - 1.6) < 0.75 && fabs(m.centre[2] - 2.55) < 0.65;
        }
        print_message("conveyor: %d of %d in the bin, %.1f mm/s\n", in_bin, s.scene->body_count,
                      1e3 * mean_speed(&s));
        assert_true(in_bin >= 5);
    }
    assert_int_equal(pliant_world_report(s.stage.world).dropped_contacts, 0);
    show_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scene_runs_to_its_end),
        cmocka_unit_test(test_rope_takes_the_twist_and_keeps_its_length),
        cmocka_unit_test(test_curtain_folds_and_is_blown),
        cmocka_unit_test(test_jelly_lands_and_regains_its_shape),
        cmocka_unit_test(test_cart_rolls_and_keeps_rolling),
        cmocka_unit_test(test_spinner_turns_over),
        cmocka_unit_test(test_heavy_ball_hangs_on),
        cmocka_unit_test(test_pile_comes_to_rest_in_its_box),
        cmocka_unit_test(test_marbles_settle_in_the_bowl),
        cmocka_unit_test(test_conveyor_carries_and_fills_its_bin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
