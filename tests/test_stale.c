// What a world tells and keeps when things are removed, restored or driven slowly.

#include "bodies.h"

static const float DT = 1.0f / 60.0f;

// A ball and a block of eight on the ground, awake.
typedef struct yard {
    pliant_model *models[2];
    pliant_world *world;
    pliant_body_id bodies[2];
    pliant_collider_id ground;
} yard;

static yard open_yard(void)
{
    lattice one = lattice_of(1, 1, 1), block = lattice_of(2, 2, 2);
    yard y = {.models = {lattice_model(&block), lattice_model(&one)}};
    pliant_world_def world_def = pliant_default_world_def();
    world_def.sleep_speed = 0.0f;
    y.world = pliant_world_create(&world_def, NULL);
    pliant_plane_def plane = pliant_default_plane_def();
    y.ground = pliant_world_add_plane(y.world, &plane, NULL);
    for (int k = 0; k < 2; ++k) {
        pliant_body_def def = pliant_default_body_def();
        def.model = y.models[k];
        def.position = (vec3){2.0f * (float)k, 0.1f, 0.0f};
        y.bodies[k] = pliant_world_add_body(y.world, &def, NULL);
    }
    for (int i = 0; i < 10; ++i)
        pliant_world_step(y.world, DT);
    return y;
}

static void close_yard(yard *y)
{
    pliant_world_destroy(y->world);
    for (int k = 0; k < 2; ++k)
        pliant_model_destroy(y->models[k]);
}

static void test_contacts_of_what_is_gone_are_gone(void **state)
{
    (void)state;
    pliant_contact contacts[16];
    yard y = open_yard();
    assert_int_equal(pliant_world_contacts(y.world, contacts, 16), 5);
    pliant_world_remove_body(y.world, y.bodies[0]);
    assert_int_equal(pliant_world_contacts(y.world, contacts, 16), 0);
    pliant_world_step(y.world, DT);
    assert_int_equal(pliant_world_contacts(y.world, contacts, 16), 1);
    assert_memory_equal(&contacts[0].body, &y.bodies[1], sizeof y.bodies[1]);
    assert_int_equal(contacts[0].particle, 0);
    pliant_world_remove_collider(y.world, y.ground);
    assert_int_equal(pliant_world_contacts(y.world, contacts, 16), 0);
    close_yard(&y);
}

static void test_a_restored_world_has_no_contacts_yet(void **state)
{
    (void)state;
    yard y = open_yard();
    size_t size = pliant_world_snapshot_size(y.world);
    void *picture = malloc(size);
    pliant_world_snapshot(y.world, picture);
    assert_int_equal(pliant_world_restore(y.world, picture, size, NULL), PLIANT_OK);
    assert_int_equal(pliant_world_contacts(y.world, NULL, 0), 0);
    free(picture);
    close_yard(&y);
}

// A collider or an attachment that came, and went or not, leaves older snapshots usable.
static void test_snapshots_survive_visitors(void **state)
{
    (void)state;
    yard y = open_yard();
    size_t size = pliant_world_snapshot_size(y.world);
    void *picture = malloc(size);
    pliant_world_snapshot(y.world, picture);
    uint64_t hash = pliant_world_hash(y.world);
    pliant_plane_def plane = pliant_default_plane_def();
    pliant_collider_id visitor = pliant_world_add_plane(y.world, &plane, NULL);
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = y.bodies[1];
    pliant_attachment_id drag = pliant_world_add_attachment(y.world, &def, NULL);
    for (int round = 0; round < 2; ++round) {
        pliant_world_step(y.world, DT);
        assert_int_equal(pliant_world_restore(y.world, picture, size, NULL), PLIANT_OK);
        assert_int_equal(pliant_world_hash(y.world), hash);
        assert_false(pliant_attachment_is_valid(y.world, drag));
        assert_false(pliant_collider_is_valid(y.world, visitor));
        visitor = pliant_world_add_plane(y.world, &plane, NULL);
        drag = pliant_world_add_attachment(y.world, &def, NULL);
        pliant_world_remove_attachment(y.world, drag);
        pliant_world_remove_collider(y.world, visitor);
    }
    free(picture);
    close_yard(&y);
}

// Pressed hard onto the ground all the time: that is one impact, not one in every other step.
static void test_pressing_is_no_impact(void **state)
{
    (void)state;
    yard y = open_yard();
    int impacts = 0;
    for (int i = 0; i < 30; ++i) {
        pliant_body_apply_force(y.world, y.bodies[1], (vec3){0, -40.0f, 0});
        pliant_world_step(y.world, DT);
        const pliant_event *events = pliant_world_events(y.world);
        for (int k = 0; k < pliant_world_event_count(y.world); ++k)
            impacts += events[k].kind == PLIANT_EVENT_IMPACT;
    }
    assert_true(impacts <= 1);
    close_yard(&y);
}

static void test_a_frozen_body_ends_its_touches(void **state)
{
    (void)state;
    yard y = open_yard();
    pliant_body_set_particle_velocity(y.world, y.bodies[1], 0, (vec3){NAN, 0, 0}, (vec3){0, 0, 0});
    int ends = 0;
    for (int i = 0; i < 3; ++i) {
        pliant_world_step(y.world, DT);
        const pliant_event *events = pliant_world_events(y.world);
        for (int k = 0; k < pliant_world_event_count(y.world); ++k)
            ends += events[k].kind == PLIANT_EVENT_END;
    }
    assert_true(pliant_body_is_frozen(y.world, y.bodies[1]));
    assert_int_equal(ends, 1);
    close_yard(&y);
}

static void test_rays_of_any_length(void **state)
{
    (void)state;
    yard y = open_yard();
    static const float lengths[] = {1e-30f, 1e-10f, 1.0f, 1e10f, 1e30f};
    for (int k = 0; k < 5; ++k) {
        pliant_hit hit;
        assert_true(pliant_world_ray_cast(y.world, (vec3){2, 3, 0}, (vec3){0, -lengths[k], 0}, 10,
                                          UINT32_MAX, &hit));
        assert_near(hit.distance, 2.8, 1e-3);
    }
    close_yard(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_of_what_is_gone_are_gone),
        cmocka_unit_test(test_a_restored_world_has_no_contacts_yet),
        cmocka_unit_test(test_snapshots_survive_visitors),
        cmocka_unit_test(test_pressing_is_no_impact),
        cmocka_unit_test(test_a_frozen_body_ends_its_touches),
        cmocka_unit_test(test_rays_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
