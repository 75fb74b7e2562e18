// The reef: a fish of which only the head is led, among plants that are held at their roots.

#include "scene_show.h"

#include "lionfish.h"
#include "plant.h"

enum { PLANTS = 6, FISH = PLANTS };

static void test_it_is_as_large_as_the_papers(void **state)
{
    (void)state;
    show s = show_open("reef");
    pliant_report report = pliant_world_report(s.stage.world);
    int vertices = 0, triangles = 0;
    for (int i = 0; i < s.scene->body_count; ++i) {
        vertices += pliant_model_vertex_count(show_model(&s, i));
        triangles += pliant_model_triangle_count(show_model(&s, i));
    }
    print_message("reef: %d particles, %d edges, %d vertices, %d triangles\n", report.particles,
                  report.edges, vertices, triangles);
    assert_int_equal(s.scene->body_count, PLANTS + 1);
    assert_in_range(report.particles, 900, 1100);
    assert_in_range(report.edges, 3150, 3850);
    assert_in_range(vertices, 27000, 33000);
    assert_in_range(triangles, 43200, 52800);
    show_close(&s);
}

// Bakes show each model in colours of its own.
static void test_models_have_coloured_meshes_that_face_outwards(void **state)
{
    (void)state;
    show s = show_open("reef");
    for (int i = 0; i < s.scene->model_count; ++i) {
        const pliant_mesh *mesh = s.scene->meshes[i];
        assert_non_null(mesh);
        assert_non_null(mesh->document);
        int against = 0;
        for (int k = 0; k < mesh->triangle_count; ++k) {
            const int32_t *c = mesh->triangles + 3 * k;
            vec3 a = mesh->positions[c[0]];
            vec3 front =
                vec3_cross(vec3_sub(mesh->positions[c[1]], a), vec3_sub(mesh->positions[c[2]], a));
            vec3 normal =
                vec3_add(mesh->normals[c[0]], vec3_add(mesh->normals[c[1]], mesh->normals[c[2]]));
            against += vec3_dot(front, normal) < 0.0f;
        }
        print_message("model %d: %d of %d triangles face inwards\n", i, against,
                      mesh->triangle_count);
        assert_below(against, 0.01 * mesh->triangle_count);
    }
    show_close(&s);
}

// x = pivot + R (x0 - pivot) + T of the key at this time.
static vec3 led_to(const show *s, int particle, const pliant_scene_key *key)
{
    const pliant_scene_driver *driver = &s->scene->drivers[0];
    const pliant_body_def *def = &s->scene->bodies[FISH].def;
    vec3 rest = pliant_model_particles(show_model(s, FISH))[particle].position;
    vec3 start = vec3_add(def->position, quat_rotate(def->orientation, rest));
    vec3 arm = quat_rotate(quat_exp(key->rotation), vec3_sub(start, driver->pivot));
    return vec3_add(vec3_add(driver->pivot, arm), key->translation);
}

static void check_head(const show *s, int step)
{
    const pliant_scene_driver *driver = &s->scene->drivers[0];
    for (int k = 0; k < driver->key_count; ++k) {
        if (fabs(driver->keys[k].time - step / 60.0) > 1e-4)
            continue;
        for (int i = 0; i < LIONFISH_HEAD_PARTICLES; ++i) {
            vec3 away = vec3_sub(show_place(s, FISH, i), led_to(s, i, &driver->keys[k]));
            assert_below(vec3_length(away), 1e-4);
        }
    }
}

static void check_roots(const show *s)
{
    for (int b = 0; b < PLANTS; ++b) {
        const pliant_body_def *def = &s->scene->bodies[b].def;
        for (int i = 0; i < 2 * PLANT_LEAVES; ++i) {
            int particle = plant_particle(i / 2, 0, i % 2);
            vec3 rest = pliant_model_particles(show_model(s, b))[particle].position;
            vec3 start = vec3_add(def->position, quat_rotate(def->orientation, rest));
            assert_below(vec3_length(vec3_sub(show_place(s, b, particle), start)), 1e-5);
        }
    }
}

static vec3 tip_of(const show *s, int body, int leaf)
{
    return show_place(s, body, plant_particle(leaf, PLANT_NODES - 1, 0));
}

static void test_fish_follows_its_path_and_plants_sway(void **state)
{
    (void)state;
    show s = show_open("reef");
    vec3 start = show_place(&s, FISH, 0);
    float low[PLANTS], high[PLANTS], fastest = 0, travelled = 0;
    for (int b = 0; b < PLANTS; ++b)
        low[b] = high[b] = tip_of(&s, b, 1).x;
    double height = 0, stretch = 0;
    int steps = FULL_LENGTH ? 200 : 24, touches = 0;
    for (int step = 1; step <= steps; ++step) {
        show_run(&s, 1);
        check_head(&s, step);
        fastest = maximum(fastest, show_fastest(&s));
        touches += pliant_world_report(s.stage.world).pairs;
        travelled = maximum(travelled, vec3_length(vec3_sub(show_place(&s, FISH, 0), start)));
        for (int b = 0; b < PLANTS; ++b) {
            vec3 tip = tip_of(&s, b, 1);
            low[b] = minimum(low[b], tip.x);
            high[b] = maximum(high[b], tip.x);
            height += tip.y / (PLANTS * steps);
        }
    }
    check_roots(&s);
    for (int b = 0; b <= FISH; ++b)
        stretch = fmax(stretch, show_stretch(&s, b));
    print_message(
        "reef: head %.2f m away, at most %.2f m/s, edges up to %.2f of their length, tips "
        "%.2f m high\n",
        travelled, fastest, stretch, height);
    assert_int_equal(pliant_world_report(s.stage.world).frozen_bodies, 0);
    assert_int_equal(pliant_world_report(s.stage.world).dropped_pairs, 0);
    assert_below(fastest, 10.0);
    assert_below(stretch, 1.6);
    assert_true(height > 0.8); // buoyancy
    for (int b = 0; b < PLANTS; ++b) {
        assert_true(high[b] - low[b] > (FULL_LENGTH ? 0.08f : 0.01f));
        assert_below(high[b] - low[b], 1.2);
    }
    if (FULL_LENGTH) {
        assert_true(travelled > 1.2f);
        assert_true(touches > 0); // it brushes against leaves
    }
    show_close(&s);
}

// The first pushes are random: plants of one model differ.
static void test_no_two_plants_look_alike(void **state)
{
    (void)state;
    show s = show_open("reef");
    show_run(&s, 15);
    for (int a = 0; a < PLANTS; ++a) {
        for (int b = a + 1; b < PLANTS; ++b) {
            if (s.scene->bodies[a].model != s.scene->bodies[b].model)
                continue;
            float most = 0;
            for (int leaf = 0; leaf < PLANT_LEAVES; ++leaf) {
                vec3 tips[2] = {tip_of(&s, a, leaf), tip_of(&s, b, leaf)};
                for (int k = 0; k < 2; ++k) {
                    const pliant_body_def *def = &s.scene->bodies[k ? b : a].def;
                    tips[k] = quat_rotate(quat_conjugate(def->orientation),
                                          vec3_sub(tips[k], def->position));
                }
                most = maximum(most, vec3_length(vec3_sub(tips[0], tips[1])));
            }
            assert_true(most > 0.05f);
        }
    }
    show_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_as_large_as_the_papers),
        cmocka_unit_test(test_models_have_coloured_meshes_that_face_outwards),
        cmocka_unit_test(test_fish_follows_its_path_and_plants_sway),
        cmocka_unit_test(test_no_two_plants_look_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
