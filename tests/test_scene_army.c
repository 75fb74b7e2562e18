// The army: a hundred octopuses of one model in an arena. All of them take a few coarse steps; four of them, one
// of each layer, come to rest.

#include "scene_show.h"

enum { COUNT = 100, LAYER = 25 };

static const double HALF_WIDTH = 6.3; // m, of the arena

static void check_inside(const show *s)
{
    for (int b = 0; b < s->scene->body_count; ++b) {
        for (int i = 0; i < pliant_model_particle_count(show_model(s, b)); ++i) {
            vec3 x = show_place(s, b, i);
            assert_below(fabs(x.x), HALF_WIDTH);
            assert_below(fabs(x.z), HALF_WIDTH);
            assert_true(x.y > -0.01f);
        }
    }
}

static void test_all_fall_and_none_leaves_the_arena(void **state)
{
    (void)state;
    pliant_scene *scene = show_scene("army");
    assert_int_equal(scene->body_count, COUNT);
    assert_int_equal(scene->model_count, 1);
    scene->world.substep_length = pliant_substep_length(1);
    scene->world.iterations = 1;
    show s = show_start(scene);
    int touches = 0, pairs = 0;
    float fastest = 0;
    for (int step = 0; step < (FULL_LENGTH ? 25 : 8); ++step) {
        show_run(&s, 1);
        pliant_report report = pliant_world_report(s.stage.world);
        assert_int_equal(report.dropped_contacts, 0);
        assert_int_equal(report.dropped_pairs, 0);
        assert_int_equal(report.frozen_bodies, 0);
        touches += report.contacts;
        pairs += report.pairs;
        fastest = maximum(fastest, show_fastest(&s));
    }
    print_message("army: at most %.1f m/s\n", fastest);
    assert_true(touches > 0); // the ground
    assert_true(pairs > 0);   // and each other
    assert_below(fastest, 20.0);
    check_inside(&s);
    show_close(&s);
}

static void test_one_of_each_layer_come_to_a_heap(void **state)
{
    (void)state;
    pliant_scene *scene = show_scene("army");
    enum { LAYERS = COUNT / LAYER };
    for (int i = 0; i < LAYERS; ++i)
        scene->bodies[i] = scene->bodies[LAYER / 2 + LAYER * i];
    scene->body_count = LAYERS;
    show s = show_start(scene);
    show_run(&s, FULL_LENGTH ? 480 : 20);
    check_inside(&s);
    if (FULL_LENGTH) {
        double energy = 0, mass = 0, highest = 0;
        for (int b = 0; b < LAYERS; ++b) {
            pliant_motion motion = pliant_body_motion(s.stage.world, s.stage.bodies[b]);
            energy += motion.kinetic_energy;
            mass += motion.mass;
            highest = fmax(highest, motion.centre[1]);
            assert_below(show_stretch(&s, b), 2.0);
        }
        double speed = sqrt(2.0 * energy / mass);
        print_message("army: four at %.3f m/s, the highest at %.2f m\n", speed, highest);
        assert_below(speed, 0.1);
        assert_true(highest > 0.4); // on another one
    }
    show_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_fall_and_none_leaves_the_arena),
        cmocka_unit_test(test_one_of_each_layer_come_to_a_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
