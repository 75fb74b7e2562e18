// A draft in another size: the same thing, and of the same stuff.

#include "draft/draft.h"
#include "meshes.h"

static const char recipe[] =
    "{\"selections\": {\"some\": {\"indices\": [0, 1, 2]}}, \"tools\": [{\"auto\": {\"count\": "
    "80}},"
    "{\"paint\": {\"particles\": \"some\", \"target\": \"mass\", \"value\": 3}},"
    "{\"group\": {\"particles\": \"some\"}}, {\"body\": {\"friction\": 0.25}}]}";

static pliant_draft *authored(const pliant_mesh *mesh)
{
    pliant_error error = {0};
    pliant_draft *draft = draft_of(mesh);
    assert_ok(pliant_draft_run_recipe(draft, recipe, sizeof recipe - 1, &error));
    return draft;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-5 * fabs(b) + 1e-9;
}

static void all_lengths_grow_alike(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        float scale = k ? 0.01f : 100.0f;
        pliant_error error = {0};
        pliant_mesh *mesh = hand_mesh(), *other = pliant_mesh_create_scaled(mesh, scale, &error);
        pliant_draft *draft = authored(mesh);
        pliant_draft *scaled = pliant_draft_create_scaled(draft, other, scale, &error);
        assert_non_null(scaled);
        assert_int_equal(scaled->particle_count, draft->particle_count);
        assert_int_equal(scaled->edge_count, draft->edge_count);
        assert_int_equal(scaled->group_count, draft->group_count);
        assert_true(is_near(scaled->spacing, scale * draft->spacing));
        assert_true(pliant_draft_material(scaled).friction == 0.25f);
        for (int i = 0; i < draft->particle_count; ++i) {
            const pliant_particle_def *a = &draft->particles[i], *b = &scaled->particles[i];
            assert_true(is_near(b->position.x, scale * a->position.x));
            assert_true(is_near(b->radii.z, scale * a->radii.z));
            assert_true(is_near(b->mass, (double)scale * scale * scale * a->mass));
            assert_true(b->stiffness == a->stiffness);
        }
        pliant_draft_destroy(scaled);
        pliant_draft_destroy(draft);
        pliant_mesh_destroy(other);
        pliant_mesh_destroy(mesh);
    }
}

// Masses that follow density are what it would find in the other size; those that were given stay given.
static void density_stays(void **state)
{
    (void)state;
    pliant_error error = {0};
    pliant_mesh *mesh = hand_mesh(), *other = pliant_mesh_create_scaled(mesh, 8.0f, &error);
    pliant_draft *draft = authored(mesh);
    pliant_draft *scaled = pliant_draft_create_scaled(draft, other, 8.0f, &error);
    draft->is_weighed = scaled->is_weighed = false;
    assert_ok(pliant_draft_weigh(draft, &error));
    assert_ok(pliant_draft_weigh(scaled, &error));
    for (int i = 0; i < draft->particle_count; ++i) {
        double ratio = (double)scaled->particles[i].mass / (double)draft->particles[i].mass;
        assert_true(fabs(ratio - 512.0) < 0.01);
    }
    assert_true(scaled->particles[0].mass == 3.0f * 512.0f);
    pliant_model *model = pliant_draft_build(scaled, &error);
    assert_non_null(model);
    pliant_model_destroy(model);
    pliant_draft_destroy(scaled);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(other);
    pliant_mesh_destroy(mesh);
}

static void another_mesh_is_refused(void **state)
{
    (void)state;
    pliant_error error = {0};
    pliant_mesh *mesh = hand_mesh(), *other = sphere_mesh(1.0f, 4);
    pliant_draft *draft = draft_of(mesh);
    assert_null(pliant_draft_create_scaled(draft, other, 2.0f, &error));
    assert_int_equal(error.code, PLIANT_ERROR_MISMATCH);
    assert_string_equal(error.message, "it is not the draft's in another size");
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(other);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths_grow_alike),
        cmocka_unit_test(density_stays),
        cmocka_unit_test(another_mesh_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
