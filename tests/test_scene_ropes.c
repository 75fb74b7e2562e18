// A rope of oriented particles does what one of six times as many without orientation does. Prints what a step of
// each costs, alone in a world.

#include "scene_show.h"

#include "math/trig.h"

#include <time.h>

enum { CHAIN, LATTICE, LINKS = 24, RINGS = 48, AROUND = 3 };

static const float LENGTH = 1.5f; // m

// The middle of the lattice where link `link` of the chain is.
static vec3 lattice_middle(const show *s, int link)
{
    float at = (float)link * (RINGS - 1) / (LINKS - 1);
    int ring = (int)at < RINGS - 2 ? (int)at : RINGS - 2;
    vec3 sum = {0, 0, 0};
    for (int i = 0; i < 2 * AROUND; ++i) {
        float weight = i < AROUND ? (float)(ring + 1) - at : at - (float)ring;
        vec3 place = show_place(s, LATTICE, ring * AROUND + i);
        sum = vec3_add_scaled(sum, place, weight / AROUND);
    }
    return sum;
}

// From the end that is held.
static vec3 hangs(const show *s, int body, int link)
{
    vec3 place = body == CHAIN ? show_place(s, CHAIN, link) : lattice_middle(s, link);
    return vec3_sub(place, s->scene->bodies[body].def.position);
}

static void test_there_are_six_times_as_many_particles(void **state)
{
    (void)state;
    show s = show_open("ropes");
    const pliant_model *chain = show_model(&s, CHAIN), *lattice = show_model(&s, LATTICE);
    assert_int_equal(pliant_model_particle_count(chain), LINKS);
    assert_int_equal(pliant_model_particle_count(lattice), 6 * LINKS);
    assert_int_equal(pliant_model_vertex_count(chain), pliant_model_vertex_count(lattice));
    for (int i = 0; i < pliant_model_vertex_count(chain); ++i) { // the same look
        vec3 a = pliant_model_vertices(chain)[i].position;
        vec3 b = pliant_model_vertices(lattice)[i].position;
        assert_memory_equal(&a, &b, sizeof a);
    }
    for (int i = 0; i < 6 * LINKS; ++i)
        assert_true(pliant_model_particles(lattice)[i].flags & PLIANT_PARTICLE_UNORIENTED);
    double masses[2];
    for (int b = 0; b < 2; ++b)
        masses[b] = pliant_body_motion(s.stage.world, s.stage.bodies[b]).mass;
    assert_near(masses[LATTICE] / masses[CHAIN], 1.0, 1e-3);
    show_close(&s);
}

// Which way the lower end faces, across the rope.
static vec3 facing(const show *s, int body)
{
    if (body == LATTICE)
        return vec3_sub(show_place(s, LATTICE, (RINGS - 1) * AROUND), lattice_middle(s, LINKS - 1));
    pliant_pose pose = pliant_body_particle_pose(s->stage.world, s->stage.bodies[CHAIN], LINKS - 1);
    return quat_rotate(pose.orientation, (vec3){0, 1, 0});
}

// Added to `turned` with each step: the rope hangs down, so that it turns about y.
static void follow_turn(vec3 before, vec3 now, double *turned)
{
    double change = atan2(now.z, now.x) - atan2(before.z, before.x);
    *turned += change > PLIANT_PI    ? change - 2.0 * PLIANT_PI
               : change < -PLIANT_PI ? change + 2.0 * PLIANT_PI
                                     : change;
}

static void test_both_swing_sag_and_twist_alike(void **state)
{
    (void)state;
    const int calm = 180; // when the held ends begin to turn
    show s = show_open("ropes");
    double apart = 0, turned[2] = {0, 0}, stretch[2] = {0, 0};
    vec3 faces[2], start = hangs(&s, CHAIN, LINKS - 1);
    float travelled = 0;
    int touches = 0;
    for (int step = 1; step <= (FULL_LENGTH ? 360 : 60); ++step) {
        show_run(&s, 1);
        for (int link = 0; link < LINKS; ++link)
            apart = fmax(apart,
                         vec3_length(vec3_sub(hangs(&s, CHAIN, link), hangs(&s, LATTICE, link))));
        for (int b = 0; b < 2; ++b) {
            vec3 now = facing(&s, b);
            if (step > calm)
                follow_turn(faces[b], now, &turned[b]);
            faces[b] = now;
            stretch[b] = fmax(stretch[b], show_stretch(&s, b));
        }
        vec3 way = vec3_sub(hangs(&s, CHAIN, LINKS - 1), start);
        travelled = maximum(travelled, vec3_length(way));
        touches += pliant_world_report(s.stage.world).contacts;
    }
    print_message("ropes: at most %.3f m apart on a way of %.2f m, turned by %.1f and %.1f rad, "
                  "edges up to %.3f and %.3f of their length\n",
                  apart, travelled, turned[CHAIN], turned[LATTICE], stretch[CHAIN],
                  stretch[LATTICE]);
    assert_true(travelled > LENGTH); // they swing
    assert_true(touches > 0);        // and hit the bars
    assert_below(apart, 0.15 * LENGTH);
    assert_below(stretch[CHAIN], 1.05);
    assert_below(stretch[LATTICE], 1.5);
    if (FULL_LENGTH)
        for (int b = 0; b < 2; ++b)
            assert_near(turned[b], 4.0 * PLIANT_PI, 2.5); // two turns, and still swinging a little
    assert_int_equal(pliant_world_report(s.stage.world).frozen_bodies, 0);
    show_close(&s);
}

// ms of processor time for a step of one of the ropes alone, the least of several runs.
static double cost_of(int body, int *groups)
{
    pliant_scene *scene = show_scene("ropes");
    scene->bodies[0] = scene->bodies[body];
    scene->body_count = 1;
    for (int i = 0; i < scene->driver_count; ++i)
        scene->drivers[i].body = 0;
    scene->world.sleep_speed = 0.0f;
    show s = show_start(scene);
    *groups = pliant_world_report(s.stage.world).groups;
    double least = 1e9;
    for (int run = 0; run < (FULL_LENGTH ? 20 : 2); ++run) {
        clock_t begin = clock();
        show_run(&s, 10);
        least = fmin(least, 100.0 * (double)(clock() - begin) / CLOCKS_PER_SEC);
    }
    show_close(&s);
    return least;
}

static void test_orientation_saves_five_sixths_of_the_groups(void **state)
{
    (void)state;
    int groups[2];
    double cost[2];
    for (int b = 0; b < 2; ++b)
        cost[b] = cost_of(b, &groups[b]);
    print_message("ropes: %.3f ms a step for the chain, %.3f ms for the lattice\n", cost[CHAIN],
                  cost[LATTICE]);
    assert_int_equal(groups[LATTICE], 6 * groups[CHAIN]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_are_six_times_as_many_particles),
        cmocka_unit_test(test_both_swing_sag_and_twist_alike),
        cmocka_unit_test(test_orientation_saves_five_sixths_of_the_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
