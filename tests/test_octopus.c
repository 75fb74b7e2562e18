// The octopus as a model made from its mesh, and the scenes it is in.

#include "octopus_mesh.h"
#include "octopus_model.h"
#include "scenes.h"
#include "test.h"

typedef struct fixture {
    pliant_mesh *mesh;
    pliant_model *model;
} fixture;

static int open_model(void **state)
{
    static fixture f;
    pliant_error error = {0};
    f = (fixture){octopus_mesh(), octopus_model(&error)};
    if (!f.model)
        print_error("%s: %s\n", error.place, error.message);
    *state = &f;
    return f.mesh && f.model ? 0 : -1;
}

static int close_model(void **state)
{
    fixture *f = *state;
    pliant_mesh_destroy(f->mesh);
    pliant_model_destroy(f->model);
    return 0;
}

// The tentacle on whose outer two thirds a point lies, or -1.
static int tentacle_at(const pliant_mesh *mesh, vec3 point)
{
    float nearest = INFINITY, outer = OCTOPUS_ROOT_V + (1.0f - OCTOPUS_ROOT_V) / 3.0f;
    int found = -1;
    for (int i = 0; i < mesh->vertex_count; ++i) {
        float distance = vec3_length(vec3_sub(mesh->positions[i], point));
        if (distance < nearest) {
            nearest = distance;
            found = mesh->coordinates[i][1] > outer ? octopus_tentacle_of(i) : -1;
        }
    }
    return found;
}

static int *tentacles_of_particles(const fixture *f)
{
    int count = pliant_model_particle_count(f->model);
    int *tentacles = malloc((size_t)count * sizeof *tentacles);
    for (int i = 0; i < count; ++i)
        tentacles[i] = tentacle_at(f->mesh, pliant_model_particles(f->model)[i].position);
    return tentacles;
}

static void test_particles_are_in_every_tentacle(void **state)
{
    const fixture *f = *state;
    int count = pliant_model_particle_count(f->model), per[OCTOPUS_TENTACLES] = {0};
    int *tentacles = tentacles_of_particles(f);
    for (int i = 0; i < count; ++i)
        if (tentacles[i] >= 0)
            per[tentacles[i]] += 1;
    print_message("%d particles, %d edges; in tentacles:", count,
                  pliant_model_edge_count(f->model));
    for (int k = 0; k < OCTOPUS_TENTACLES; ++k)
        print_message(" %d", per[k]);
    print_message("\n");
    assert_in_range(count, 270, 330);
    for (int k = 0; k < OCTOPUS_TENTACLES; ++k)
        assert_in_range(per[k], 5, 40);
    assert_int_equal(pliant_model_vertex_count(f->model), f->mesh->vertex_count);
    free(tentacles);
}

static void test_nothing_joins_two_tentacles(void **state)
{
    const fixture *f = *state;
    int *tentacles = tentacles_of_particles(f);
    for (int i = 0; i < pliant_model_edge_count(f->model); ++i) {
        const pliant_edge_def *edge = &pliant_model_edges(f->model)[i];
        int a = tentacles[edge->a], b = tentacles[edge->b];
        assert_true(a < 0 || b < 0 || a == b);
    }
    for (int i = 0; i < f->mesh->vertex_count; ++i) {
        const pliant_vertex_def *vertex = &pliant_model_vertices(f->model)[i];
        int own = octopus_tentacle_of(i);
        for (int k = 0; own >= 0 && k < PLIANT_MAX_LINKS; ++k) {
            int other = tentacles[vertex->particles[k]];
            assert_true(vertex->weights[k] == 0.0f || other < 0 || other == own);
        }
    }
    free(tentacles);
}

// From any particle edges lead to all others.
static void test_model_is_one_piece(void **state)
{
    const fixture *f = *state;
    int count = pliant_model_particle_count(f->model), reached = 1;
    bool *seen = calloc((size_t)count, sizeof *seen);
    seen[0] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < pliant_model_edge_count(f->model); ++i) {
            const pliant_edge_def *edge = &pliant_model_edges(f->model)[i];
            if (seen[edge->a] == seen[edge->b])
                continue;
            seen[edge->a] = seen[edge->b] = changed = true;
            reached += 1;
        }
    }
    assert_int_equal(reached, count);
    free(seen);
}

static void test_eyes_go_with_the_head(void **state)
{
    const fixture *f = *state;
    int *tentacles = tentacles_of_particles(f);
    for (int i = f->mesh->parts[1].first_vertex; i < f->mesh->vertex_count; ++i) {
        const pliant_vertex_def *vertex = &pliant_model_vertices(f->model)[i];
        vec3 middle = {0, 0, 0};
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
            int particle = vertex->particles[k];
            vec3 position = pliant_model_particles(f->model)[particle].position;
            middle = vec3_add_scaled(middle, position, vertex->weights[k]);
            assert_true(vertex->weights[k] == 0.0f || tentacles[particle] < 0);
        }
        assert_below(vec3_length(vec3_sub(middle, vertex->position)), 0.2);
    }
    free(tentacles);
}

// ---------------------------------------------------------------------------------------------
// Scenes

typedef struct show {
    pliant_scene *scene;
    pliant_stage stage;
} show;

static show show_run(const char *name)
{
    pliant_error error = {0};
    show s = {.scene = scene_entry_find(name)->create(&error)};
    if (!s.scene || pliant_stage_open(&s.stage, s.scene, NULL, &error))
        fail_msg("%s: %s %s", name, error.place, error.message);
    for (int i = 0; i < (int)(s.scene->seconds * 60.0f + 0.5f); ++i)
        pliant_stage_step(&s.stage, 1.0f / 60.0f);
    return s;
}

static void show_close(show *s)
{
    pliant_stage_close(&s->stage);
    pliant_scene_destroy(s->scene);
}

// Mean length of edges against that at rest, and the largest of all.
static void stretch_of(const show *s, int body, double *mean, double *largest)
{
    const pliant_model *model = s->scene->models[0];
    const pliant_particle_def *rest = pliant_model_particles(model);
    int count = pliant_model_edge_count(model);
    *mean = *largest = 0;
    for (int i = 0; i < count; ++i) {
        pliant_edge_def edge = pliant_model_edges(model)[i];
        vec3 a = pliant_body_particle_pose(s->stage.world, s->stage.bodies[body], edge.a).position;
        vec3 b = pliant_body_particle_pose(s->stage.world, s->stage.bodies[body], edge.b).position;
        double ratio = vec3_length(vec3_sub(a, b)) /
                       vec3_length(vec3_sub(rest[edge.a].position, rest[edge.b].position));
        *mean += ratio / count;
        *largest = fmax(*largest, ratio);
    }
}

static void check_at_rest(const show *s, int body)
{
    pliant_motion motion = pliant_body_motion(s->stage.world, s->stage.bodies[body]);
    double mean, largest, lowest = INFINITY;
    stretch_of(s, body, &mean, &largest);
    for (int i = 0; i < pliant_model_particle_count(s->scene->models[0]); ++i)
        lowest = fmin(
            lowest, pliant_body_particle_pose(s->stage.world, s->stage.bodies[body], i).position.y);
    double speed = sqrt(2.0 * motion.kinetic_energy / motion.mass);
    print_message("body %d: centre %.2f %.2f %.2f, %.3f m/s, stretch %.3f, at most %.3f\n", body,
                  motion.centre[0], motion.centre[1], motion.centre[2], speed, mean, largest);
    assert_near(mean, 1.0, 0.05);
    assert_below(largest, 2.0);
    assert_true(lowest > -0.01);
    assert_below(speed, 0.3);
}

static void test_octopus_comes_to_rest_on_the_steps(void **state)
{
    (void)state;
    show s = show_run("octopus");
    check_at_rest(&s, 0);
    show_close(&s);
}

static void test_octopuses_stay_in_the_bowl(void **state)
{
    (void)state;
    show s = show_run("octopuses");
    assert_int_equal(s.scene->body_count, 3);
    assert_int_equal(s.scene->model_count, 1);
    for (int i = 0; i < 3; ++i) {
        check_at_rest(&s, i);
        pliant_motion motion = pliant_body_motion(s.stage.world, s.stage.bodies[i]);
        assert_below(hypot(motion.centre[0], motion.centre[2]), 1.5);
    }
    assert_true(pliant_world_report(s.stage.world).pairs > 0); // they lie on each other
    show_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_particles_are_in_every_tentacle),
        cmocka_unit_test(test_nothing_joins_two_tentacles),
        cmocka_unit_test(test_model_is_one_piece),
        cmocka_unit_test(test_eyes_go_with_the_head),
        cmocka_unit_test(test_octopus_comes_to_rest_on_the_steps),
        cmocka_unit_test(test_octopuses_stay_in_the_bowl),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
