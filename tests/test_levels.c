// One thing made at several resolutions: it weighs the same, sags alike and swings alike.

#include <math.h>

#include "test.h"

#include "drafts.h"

enum { LEVELS = 4 };

static const float HEIGHT = 1.0f, WIDTH = 0.25f, MODULUS = 4e5f;

// A post that stands on its foot.
static pliant_mesh *post(void)
{
    pliant_mesh *mesh = pliant_mesh_create(BOX_VERTICES, BOX_TRIANGLES, 1);
    assert_non_null(mesh);
    fill_box(mesh, 0, "Post", "rubber", (vec3){0, 0.5f * HEIGHT, 0},
             (vec3){0.5f * WIDTH, 0.5f * HEIGHT, 0.5f * WIDTH});
    return mesh;
}

static pliant_model *post_of(const pliant_mesh *mesh, int particles)
{
    pliant_draft *draft = draft_of(mesh);
    pliant_auto_def def = pliant_default_auto_def();
    def.count = particles;
    assert_done(pliant_draft_auto(draft, &def, &error));
    pliant_material_preset material = *pliant_material_preset_find("rubber");
    material.young_modulus = MODULUS;
    assert_done(pliant_draft_use_preset(draft, NULL, &material, &error));
    assert_done(pliant_draft_set_live(draft, PLIANT_LIVE_ROOTED, &error));
    pliant_model *model = pliant_draft_build(draft, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_draft_destroy(draft);
    return model;
}

// Mean place of the upper end along x.
static double place_of_top(const pliant_world *world, pliant_body_id body,
                           const pliant_model *model)
{
    vec3 at[BOX_VERTICES];
    pliant_body_skin(world, body, PLIANT_SKIN_LINEAR, at, NULL);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < BOX_VERTICES; ++i)
        if (pliant_model_vertices(model)[i].position.y > 0.9f * HEIGHT) {
            sum += (double)at[i].x;
            ++count;
        }
    return sum / count;
}

static double sway_of(const pliant_model *model, double *highest)
{
    pliant_world_def def = pliant_default_world_def();
    def.gravity = (vec3){1.0f, 0, 0};
    def.substep_length = pliant_substep_length(20);
    pliant_world *world = pliant_world_create(&def, NULL);
    pliant_body_def with = pliant_model_body_def(model);
    with.linear_damping = with.angular_damping = 0.8f;
    pliant_body_id body = pliant_world_add_body(world, &with, NULL);
    double last = 0, high = 0;
    for (int i = 0; i < 480; ++i) {
        pliant_body_wake(world, body);
        pliant_world_step(world, 1.0f / 60.0f);
        last = place_of_top(world, body, model);
        if (last > high) {
            high = last;
            *highest = i / 60.0;
        }
    }
    pliant_world_destroy(world);
    return last;
}

static double mass_of(const pliant_model *model)
{
    double sum = 0;
    for (int i = 0; i < pliant_model_particle_count(model); ++i)
        sum += (double)pliant_model_particles(model)[i].mass;
    return sum;
}

static void test_levels_weigh_sag_and_swing_alike(void **state)
{
    (void)state;
    static const int counts[LEVELS] = {400, 200, 100, 50};
    double sag[2] = {1e9, 0}, time[2] = {1e9, 0}, mass[2] = {1e9, 0};
    pliant_mesh *mesh = post();
    for (int i = 0; i < LEVELS; ++i) {
        pliant_model *model = post_of(mesh, counts[i]);
        double highest = 0, sways = sway_of(model, &highest), weighs = mass_of(model);
        print_message("%d particles: %.1f kg, sways %.4f m, first turns after %.3f s\n",
                      pliant_model_particle_count(model), weighs, sways, highest);
        sag[0] = fmin(sag[0], sways), sag[1] = fmax(sag[1], sways);
        time[0] = fmin(time[0], highest), time[1] = fmax(time[1], highest);
        mass[0] = fmin(mass[0], weighs), mass[1] = fmax(mass[1], weighs);
        pliant_model_destroy(model);
    }
    pliant_mesh_destroy(mesh);
    assert_below(mass[1] / mass[0], 1.1);
    assert_below(sag[1] / sag[0], 1.4);
    assert_below(time[1] / time[0], 1.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_weigh_sag_and_swing_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
