// The built-in scene "pile": a hundred soft bodies come to rest, hardly overlap, and stay.

#include "form/ellipsoid_pair.h"
#include "scenes.h"
#include "test.h"

static const float DT = 1.0f / 60.0f;

typedef struct heap {
    int count;
    vec3 *x;
    sym3 *S;
    int *owner;
    float thinnest;
} heap;

static heap heap_of(const pliant_world *world)
{
    int most = pliant_world_report(world).particles;
    heap h = {.thinnest = 1e9f};
    h.x = malloc((size_t)most * sizeof *h.x);
    h.S = malloc((size_t)most * sizeof *h.S);
    h.owner = malloc((size_t)most * sizeof *h.owner);
    for (int b = 0; b < pliant_world_body_count(world); ++b) {
        pliant_body_id id = pliant_world_body_at(world, b);
        const pliant_model *model = pliant_body_model(world, id);
        for (int k = 0; k < pliant_model_particle_count(model); ++k) {
            pliant_pose pose = pliant_body_particle_pose(world, id, k);
            vec3 r = pliant_model_particles(model)[k].radii;
            mat3 R = quat_to_mat3(pose.orientation);
            h.x[h.count] = pose.position;
            h.S[h.count] = sym3_rotate_diagonal(&R, (vec3){r.x * r.x, r.y * r.y, r.z * r.z});
            h.owner[h.count++] = b;
            h.thinnest = minimum(h.thinnest, minimum(r.x, minimum(r.y, r.z)));
        }
    }
    return h;
}

static void heap_free(heap *h)
{
    free(h->x);
    free(h->S);
    free(h->owner);
}

// Of any two particles of different bodies.
static double deepest_pair(const heap *h)
{
    double deepest = 0;
    for (int i = 0; i < h->count; ++i) {
        for (int k = i + 1; k < h->count; ++k) {
            vec3 between = vec3_sub(h->x[k], h->x[i]);
            float reach = square_root(sym3_trace(h->S[i])) + square_root(sym3_trace(h->S[k]));
            form_pair pair;
            if (h->owner[i] != h->owner[k] && vec3_dot(between, between) < reach * reach &&
                pli_ellipsoid_pair(h->S[i], h->S[k], between, 0.0f, &pair))
                deepest = fmax(deepest, -(double)pair.gap);
        }
    }
    return deepest;
}

static double deepest_in_planes(const heap *h, const pliant_scene *scene)
{
    double deepest = 0;
    for (int p = 0; p < scene->plane_count; ++p) {
        vec3 n = vec3_normalize_or(scene->planes[p].normal, (vec3){0, 1, 0});
        for (int i = 0; i < h->count; ++i) {
            float support = square_root(vec3_dot(n, sym3_mul_vec(h->S[i], n)));
            float height = vec3_dot(n, h->x[i]) - scene->planes[p].offset;
            deepest = fmax(deepest, (double)(support - height));
        }
    }
    return deepest;
}

static double mean_speed(const pliant_world *world)
{
    double sum = 0;
    int count = 0;
    for (int b = 0; b < pliant_world_body_count(world); ++b) {
        pliant_body_id id = pliant_world_body_at(world, b);
        for (int k = 0; k < pliant_model_particle_count(pliant_body_model(world, id)); ++k) {
            sum += (double)vec3_length(pliant_body_particle_velocity(world, id, k));
            count += 1;
        }
    }
    return sum / count;
}

// All sleep, in no one's way, and go on to.
static void check_rest(pliant_stage *stage, int steps)
{
    int bodies = pliant_world_body_count(stage->world);
    heap h = heap_of(stage->world);
    double pair = deepest_pair(&h), plane = deepest_in_planes(&h, stage->scene);
    print_message("asleep after %.2f s, deepest pair %.4f and plane %.4f of the thinnest radius\n",
                  steps * (double)DT, pair / (double)h.thinnest, plane / (double)h.thinnest);
    assert_below(mean_speed(stage->world), 0.01);
    assert_int_equal(pliant_world_report(stage->world).sleeping_bodies, bodies);
    assert_below(pair, 0.05 * (double)h.thinnest);
    assert_below(plane, 0.05 * (double)h.thinnest);
    for (int i = 0; i < 600; ++i) // a minute; how long a step is means nothing to those who sleep
        pliant_stage_step(stage, 0.1f);
    heap later = heap_of(stage->world);
    assert_memory_equal(later.x, h.x, (size_t)h.count * sizeof *h.x);
    assert_memory_equal(later.S, h.S, (size_t)h.count * sizeof *h.S);
    assert_int_equal(pliant_world_report(stage->world).sleeping_bodies, bodies);
    heap_free(&h);
    heap_free(&later);
}

static pliant_scene *open_pile(pliant_stage *stage)
{
    pliant_error error = {0};
    pliant_scene *scene = scene_entry_find("pile")->create(&error);
    assert_non_null(scene);
    assert_int_equal(pliant_stage_open(stage, scene, NULL, &error), PLIANT_OK);
    return scene;
}

static void test_pile_comes_to_rest_and_stays(void **state)
{
    (void)state;
    pliant_stage stage;
    pliant_scene *scene = open_pile(&stage);
    int bodies = pliant_world_body_count(stage.world);
    assert_true(bodies >= 100);
    int steps = 0;
    for (bool is_awake = true; is_awake && steps < (FULL_LENGTH ? 900 : 60); ++steps) {
        pliant_stage_step(&stage, DT);
        pliant_report report = pliant_world_report(stage.world);
        assert_int_equal(report.dropped_contacts + report.dropped_pairs + report.dropped_events, 0);
        assert_int_equal(report.frozen_bodies, 0);
        is_awake = report.sleeping_bodies < bodies;
    }
    if (FULL_LENGTH)
        check_rest(&stage, steps);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

// m/s², how much the velocities of particles change in a step, on average.
static double mean_acceleration(pliant_stage *stage)
{
    int most = pliant_world_report(stage->world).particles;
    vec3 *before = malloc((size_t)most * sizeof *before);
    assert_non_null(before);
    double sum = 0;
    for (int pass = 0, i = 0; pass < 2; ++pass, i = 0) {
        for (int b = 0; b < pliant_world_body_count(stage->world); ++b) {
            pliant_body_id id = pliant_world_body_at(stage->world, b);
            int count = pliant_model_particle_count(pliant_body_model(stage->world, id));
            for (int k = 0; k < count; ++k, ++i) {
                vec3 v = pliant_body_particle_velocity(stage->world, id, k);
                sum += pass == 0 ? 0.0 : (double)vec3_length(vec3_sub(v, before[i]));
                before[i] = v;
            }
        }
        if (pass == 0)
            pliant_stage_step(stage, DT);
    }
    free(before);
    return sum / most / (double)DT;
}

// One substep with few iterations leaves bodies that are pressed together in each other, but does not throw their
// particles about.
static void test_coarse_pile_is_calm(void **state)
{
    (void)state;
    pliant_stage stage;
    pliant_scene *scene = open_pile(&stage);
    const float gravity = 60.0f; // presses them together
    pliant_world_set_gravity(stage.world, (vec3){0, -gravity, 0});
    pliant_world_set_quality(stage.world, 1, 5);
    for (int i = 0; i < 120; ++i)
        pliant_stage_step(&stage, DT);
    double sum = 0;
    for (int i = 0; i < 30; ++i)
        sum += mean_acceleration(&stage) / 30;
    assert_below(sum, 0.2 * (double)gravity);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pile_comes_to_rest_and_stays),
        cmocka_unit_test(test_coarse_pile_is_calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
