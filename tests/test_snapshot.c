// State hash, snapshot and restore: what is restored goes on bit by bit, what does not fit changes
// nothing.

#include "bodies.h"
#include "counting.h"
#include "world/saved.h"

static const float DT = 1.0f / 60.0f;

enum { BODIES = 3, STEPS = 60 };

// A world with everything a step can change: contacts, pins, targets, torsion, a lone particle.
typedef struct scenery {
    pliant_model *models[BODIES];
    pliant_world *world;
    pliant_body_id bodies[BODIES];
} scenery;

static void scenery_open(scenery *s, const pliant_allocator *allocator)
{
    lattice shapes[BODIES] = {lattice_of(3, 2, 2), lattice_of(6, 1, 1), lattice_of(1, 1, 1)};
    shapes[1].pinned_columns = 1;
    shapes[1].stretch = shapes[1].torsion = 0.5f;
    pliant_world_def def = pliant_default_world_def();
    if (allocator)
        def.allocator = *allocator;
    s->world = pliant_world_create(&def, NULL);
    assert_non_null(s->world);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(s->world, &ground, NULL);
    for (int i = 0; i < BODIES; ++i) {
        s->models[i] = lattice_model(&shapes[i]);
        pliant_body_def body_def = pliant_default_body_def();
        body_def.model = s->models[i];
        body_def.position = (vec3){2.0f * (float)i, 0.5f, 0.3f};
        body_def.angular_velocity = (vec3){1, 2, 3};
        body_def.gyroscopic = true;
        s->bodies[i] = pliant_world_add_body(s->world, &body_def, NULL);
        assert_true(pliant_body_is_valid(s->world, s->bodies[i]));
    }
}

static void scenery_close(scenery *s)
{
    pliant_world_destroy(s->world);
    for (int i = 0; i < BODIES; ++i)
        pliant_model_destroy(s->models[i]);
}

// One step with a force and a target that depend on its number.
static void act(scenery *s, int number)
{
    pliant_pose target = {{2.0f, 0.5f + 0.002f * (float)(number % 10), 0.3f}, {0, 0, 0, 1}};
    pliant_body_set_target(s->world, s->bodies[1], 0, target);
    pliant_body_apply_particle_force(s->world, s->bodies[0], number % 12, (vec3){0.1f, 0.2f, 0});
    pliant_world_step(s->world, DT);
}

typedef struct picture {
    uint8_t *bytes;
    size_t size;
} picture;

static picture take_picture(const pliant_world *world)
{
    picture p = {.size = pliant_world_snapshot_size(world)};
    p.bytes = malloc(p.size);
    memset(p.bytes, 0xcd, p.size);
    pliant_world_snapshot(world, p.bytes);
    return p;
}

static void check_rejected(pliant_world *world, const uint8_t *bytes, size_t size,
                           pliant_result code)
{
    picture before = take_picture(world);
    uint8_t *copy = malloc(size ? size : 1); // of exactly this size: reading beyond it is caught
    memcpy(copy, bytes, size);
    pliant_error error = {0};
    assert_int_equal(pliant_world_restore(world, copy, size, &error), code);
    assert_int_equal(error.code, code);
    assert_string_equal(error.place, "snapshot");
    assert_true(error.message[0]);
    assert_int_equal(pliant_world_restore(world, copy, size, NULL), code);
    picture after = take_picture(world);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.bytes, after.bytes, before.size);
    free(before.bytes);
    free(after.bytes);
    free(copy);
}

// ---------------------------------------------------------------------------------------------
// Going back

static void test_a_restored_world_goes_on_bit_by_bit(void **state)
{
    (void)state;
    scenery s;
    scenery_open(&s, NULL);
    for (int i = 0; i < 20; ++i)
        act(&s, i);
    picture p = take_picture(s.world);
    uint64_t hashes[STEPS + 1] = {pliant_world_hash(s.world)};
    double time = pliant_world_time(s.world);
    for (int i = 0; i < STEPS; ++i) {
        act(&s, i);
        hashes[i + 1] = pliant_world_hash(s.world);
    }
    assert_true(pliant_world_report(s.world).contacts > 0);
    assert_int_equal(pliant_world_restore(s.world, p.bytes, p.size, NULL), PLIANT_OK);
    assert_true(pliant_world_time(s.world) == time);
    assert_int_equal(pliant_world_report(s.world).steps, 20);
    assert_int_equal(pliant_world_hash(s.world), hashes[0]);
    for (int i = 0; i < STEPS; ++i) {
        act(&s, i);
        assert_int_equal(pliant_world_hash(s.world), hashes[i + 1]);
    }
    free(p.bytes);
    scenery_close(&s);
}

static void test_a_snapshot_fits_a_world_built_the_same(void **state)
{
    (void)state;
    scenery a, b;
    scenery_open(&a, NULL);
    scenery_open(&b, NULL);
    for (int i = 0; i < 20; ++i)
        act(&a, i);
    picture p = take_picture(a.world);
    assert_int_equal(pliant_world_restore(b.world, p.bytes, p.size, NULL), PLIANT_OK);
    for (int i = 0; i < STEPS; ++i) {
        act(&a, i);
        act(&b, i);
        assert_int_equal(pliant_world_hash(a.world), pliant_world_hash(b.world));
    }
    free(p.bytes);
    scenery_close(&a);
    scenery_close(&b);
}

// Forces and targets that wait for the next step, gravity, and the quality.
static void test_what_waits_for_the_next_step_is_kept(void **state)
{
    (void)state;
    scenery s;
    scenery_open(&s, NULL);
    pliant_world_set_gravity(s.world, (vec3){1, 2, 3});
    pliant_world_set_quality(s.world, 3, 4);
    pliant_body_apply_force(s.world, s.bodies[0], (vec3){1, 2, 3});
    pliant_body_apply_particle_force(s.world, s.bodies[0], 2, (vec3){3, 2, 1});
    pliant_body_set_target(s.world, s.bodies[1], 0, (pliant_pose){{2, 0.6f, 0.3f}, {0, 0, 1, 1}});
    picture p = take_picture(s.world);
    pliant_world_step(s.world, DT);
    uint64_t expected = pliant_world_hash(s.world);
    pliant_world_set_gravity(s.world, (vec3){0, 0, 0});
    pliant_world_set_quality(s.world, 1, 1);
    pliant_world_step(s.world, DT);
    assert_int_equal(pliant_world_restore(s.world, p.bytes, p.size, NULL), PLIANT_OK);
    assert_true(pliant_world_gravity(s.world).z == 3.0f);
    pliant_world_step(s.world, DT);
    assert_int_equal(pliant_world_hash(s.world), expected);
    free(p.bytes);
    scenery_close(&s);
}

// Pins set after the snapshot go, pins taken away come back, and the fits with them.
static void test_pins_are_restored(void **state)
{
    (void)state;
    for (int pinned = 0; pinned < 2; ++pinned) {
        scenery s;
        scenery_open(&s, NULL);
        if (pinned)
            pliant_body_set_pinned(s.world, s.bodies[0], 3, true, NULL);
        picture p = take_picture(s.world);
        uint64_t expected[STEPS];
        for (int i = 0; i < STEPS; ++i) {
            act(&s, i);
            expected[i] = pliant_world_hash(s.world);
        }
        pliant_body_set_pinned(s.world, s.bodies[0], 3, !pinned, NULL);
        pliant_body_set_pinned(s.world, s.bodies[1], 0, false, NULL);
        act(&s, 0);
        assert_int_equal(pliant_world_restore(s.world, p.bytes, p.size, NULL), PLIANT_OK);
        assert_int_equal(pliant_body_is_pinned(s.world, s.bodies[0], 3), pinned);
        assert_true(pliant_body_is_pinned(s.world, s.bodies[1], 0));
        for (int i = 0; i < STEPS; ++i) {
            act(&s, i);
            assert_int_equal(pliant_world_hash(s.world), expected[i]);
        }
        free(p.bytes);
        scenery_close(&s);
    }
}

static void test_pins_are_restored_into_a_world_that_never_had_them(void **state)
{
    (void)state;
    scenery a, b;
    scenery_open(&a, NULL);
    scenery_open(&b, NULL);
    pliant_body_set_pinned(a.world, a.bodies[0], 3, true, NULL);
    picture p = take_picture(a.world);
    assert_int_equal(pliant_world_restore(b.world, p.bytes, p.size, NULL), PLIANT_OK);
    for (int i = 0; i < STEPS; ++i) {
        act(&a, i);
        act(&b, i);
        assert_int_equal(pliant_world_hash(a.world), pliant_world_hash(b.world));
    }
    free(p.bytes);
    scenery_close(&a);
    scenery_close(&b);
}

static void test_frozen_bodies_thaw_and_freeze_again(void **state)
{
    (void)state;
    scenery s;
    scenery_open(&s, NULL);
    picture good = take_picture(s.world);
    pliant_body_apply_force(s.world, s.bodies[0], (vec3){NAN, 0, 0});
    pliant_world_step(s.world, DT);
    assert_true(pliant_body_is_frozen(s.world, s.bodies[0]));
    picture frozen = take_picture(s.world);
    assert_int_equal(pliant_world_restore(s.world, good.bytes, good.size, NULL), PLIANT_OK);
    assert_false(pliant_body_is_frozen(s.world, s.bodies[0]));
    assert_int_equal(pliant_world_report(s.world).bad_bodies, 0);
    assert_int_equal(pliant_world_restore(s.world, frozen.bytes, frozen.size, NULL), PLIANT_OK);
    assert_true(pliant_body_is_frozen(s.world, s.bodies[0]));
    free(good.bytes);
    free(frozen.bytes);
    scenery_close(&s);
}

// ---------------------------------------------------------------------------------------------
// What does not fit

// A model that the world has never had. One that is equal will do, be it from another process; and one that only looks
// otherwise.
static void test_unknown_models_are_a_mismatch(void **state)
{
    (void)state;
    for (int has_skin = 0; has_skin < 2; ++has_skin) {
        scenery s;
        scenery_open(&s, NULL);
        lattice cube = lattice_of(2, 2, 2);
        pliant_body_def body_def = pliant_default_body_def();
        pliant_model *model = lattice_model(&cube);
        body_def.model = model;
        pliant_body_id id = pliant_world_add_body(s.world, &body_def, NULL);
        act(&s, 0);
        picture p = take_picture(s.world);
        uint64_t hash = pliant_world_hash(s.world);
        pliant_world_remove_body(s.world, id);
        pliant_world_forget_unused(s.world);
        act(&s, 1);
        check_rejected(s.world, p.bytes, p.size, PLIANT_ERROR_MISMATCH);
        pliant_error error = {0};
        pliant_world_restore(s.world, p.bytes, p.size, &error);
        assert_non_null(strstr(error.message, "body 3"));
        cube.has_skin = has_skin;
        pliant_model *equal = lattice_model(&cube);
        assert_int_equal(pliant_world_know_model(s.world, equal, NULL), PLIANT_OK);
        assert_int_equal(pliant_world_restore(s.world, p.bytes, p.size, NULL), PLIANT_OK);
        assert_ptr_equal(pliant_body_model(s.world, id), equal);
        assert_int_equal(pliant_world_hash(s.world), hash);
        pliant_model_destroy(equal);
        pliant_model_destroy(model);
        free(p.bytes);
        scenery_close(&s);
    }
}

static void test_every_truncation_is_rejected(void **state)
{
    (void)state;
    scenery s;
    scenery_open(&s, NULL);
    picture p = take_picture(s.world);
    pliant_world_step(s.world, DT);
    for (size_t size = 0; size < p.size; ++size)
        check_rejected(s.world, p.bytes, size, PLIANT_ERROR_FORMAT);
    uint8_t *longer = calloc(1, p.size + 1);
    memcpy(longer, p.bytes, p.size);
    check_rejected(s.world, longer, p.size + 1, PLIANT_ERROR_FORMAT);
    free(longer);
    free(p.bytes);
    scenery_close(&s);
}

static void test_every_flipped_bit_is_rejected(void **state)
{
    (void)state;
    scenery s;
    scenery_open(&s, NULL);
    picture p = take_picture(s.world);
    pliant_world_step(s.world, DT);
    for (size_t bit = 0; bit < 8 * p.size; ++bit) {
        bool is_newer = bit > 64 && bit < 96; // in the version, which is 1
        p.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        check_rejected(s.world, p.bytes, p.size,
                       is_newer ? PLIANT_ERROR_VERSION : PLIANT_ERROR_FORMAT);
        p.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_int_equal(pliant_world_restore(s.world, p.bytes, p.size, NULL), PLIANT_OK);
    free(p.bytes);
    scenery_close(&s);
}

// Into a world that has more bodies than memory for them, and pins that need new fits.
static void test_restoring_without_memory_changes_nothing(void **state)
{
    (void)state;
    int failures = 0;
    for (bool is_enough = false; !is_enough;) {
        counting count = {0};
        pliant_allocator allocator = counting_allocator(&count);
        scenery a, b;
        scenery_open(&a, NULL);
        scenery_open(&b, &allocator);
        pliant_body_def more = pliant_default_body_def();
        for (int i = 0; i < 40; ++i) {
            more.model = a.models[i % 2];
            more.position = (vec3){(float)i, 10, 0};
            pliant_world_add_body(a.world, &more, NULL);
        }
        pliant_body_set_pinned(a.world, a.bodies[0], 3, true, NULL);
        pliant_body_set_pinned(a.world, a.bodies[1], 3, true, NULL);
        picture p = take_picture(a.world);
        pliant_world_step(b.world, DT);
        picture before = take_picture(b.world);
        count.fail_at = count.calls + failures + 1;
        pliant_result result = pliant_world_restore(b.world, p.bytes, p.size, NULL);
        is_enough = count.calls < count.fail_at;
        picture after = take_picture(b.world);
        const picture *expected = is_enough ? &p : &before;
        assert_int_equal(result, is_enough ? PLIANT_OK : PLIANT_ERROR_MEMORY);
        assert_int_equal(after.size, expected->size);
        assert_memory_equal(after.bytes, expected->bytes, after.size);
        failures += !is_enough;
        free(after.bytes);
        free(p.bytes);
        free(before.bytes);
        scenery_close(&a);
        scenery_close(&b);
        assert_int_equal(count.live, 0);
    }
    assert_true(failures > 12); // at least the six arrays of rest data of each of two bodies
}

// ---------------------------------------------------------------------------------------------
// Bytes of anybody

// Gives bytes the header that fits them, so that all else is read.
static void seal(uint8_t *bytes, size_t size)
{
    byte_writer header = {.at = bytes + SAVED_SIZE_OFFSET};
    put_long(&header, size);
    put_long(&header, bytes_checksum(bytes + SAVED_HEADER_SIZE, size - SAVED_HEADER_SIZE));
}

static void test_every_sealed_truncation_is_rejected(void **state)
{
    (void)state;
    scenery s;
    scenery_open(&s, NULL);
    act(&s, 0);
    picture p = take_picture(s.world);
    for (size_t size = SAVED_HEADER_SIZE; size < p.size; ++size) {
        seal(p.bytes, size);
        check_rejected(s.world, p.bytes, size, PLIANT_ERROR_FORMAT);
    }
    free(p.bytes);
    scenery_close(&s);
}

// A word that is often wrong in an interesting way.
static void mutate(uint8_t *bytes, size_t size, uint32_t *random)
{
    static const uint32_t words[] = {0,          1,          2,          0x7fffffff,
                                     0x80000000, 0xffffffff, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0x501502f9, 0x7f7fffff};
    size_t room = size - SAVED_HEADER_SIZE - 4;
    // Tables are few bytes among many of state: half of the mutations go to the first kilobyte.
    size_t most = random_bits(random) % 2 && room > 1024 ? 1024 : room;
    uint8_t *at = bytes + SAVED_HEADER_SIZE + random_bits(random) % most;
    uint32_t kind = random_bits(random) % 16;
    if (kind < sizeof words / sizeof *words) {
        byte_writer out = {.at = at};
        put_word(&out, words[kind]);
    } else {
        *at ^= (uint8_t)(1u << random_bits(random) % 8);
    }
}

// Whatever is restored goes on without harm, and has a snapshot that can be restored; or nothing changes.
static void test_mutated_snapshots_do_no_harm(void **state)
{
    (void)state;
    uint32_t random = 12345;
    scenery s;
    scenery_open(&s, NULL);
    pliant_attachment_def hold = pliant_default_attachment_def();
    hold.body = s.bodies[0];
    hold.other_body = s.bodies[2];
    assert_int_not_equal(pliant_world_add_attachment(s.world, &hold, NULL).generation, 0);
    for (int i = 0; i < 20; ++i)
        act(&s, i);
    picture good = take_picture(s.world), bad = good;
    bad.bytes = malloc(bad.size);
    int restored = 0, rejected = 0;
    for (int round = 0; round < (FULL_LENGTH ? 20000 : 2000); ++round) {
        memcpy(bad.bytes, good.bytes, bad.size);
        for (uint32_t k = 0; k <= random_bits(&random) % 3; ++k)
            mutate(bad.bytes, bad.size, &random);
        seal(bad.bytes, bad.size);
        assert_int_equal(pliant_world_restore(s.world, good.bytes, good.size, NULL), PLIANT_OK);
        pliant_error error = {0};
        if (pliant_world_restore(s.world, bad.bytes, bad.size, &error) == PLIANT_OK) {
            pliant_world_step(s.world, DT);
            picture next = take_picture(s.world);
            if (pliant_world_restore(s.world, next.bytes, next.size, &error))
                fail_msg("round %d: %s", round, error.message);
            free(next.bytes);
            restored += 1;
        } else {
            assert_true(error.message[0]);
            picture after = take_picture(s.world);
            assert_int_equal(after.size, good.size);
            assert_memory_equal(after.bytes, good.bytes, good.size);
            free(after.bytes);
            rejected += 1;
        }
    }
    assert_true(restored > 100 && rejected > 100);
    free(good.bytes);
    free(bad.bytes);
    scenery_close(&s);
}

// Little-endian, whatever the machine.
static void test_the_form(void **state)
{
    (void)state;
    static const uint8_t header[] = {'P', 'L', 'N', 'T', 'S', 'N', 'P', 0x1a,
                                     1,   0,   0,   0,   0,   0,   0,   0};
    pliant_world_def def = pliant_default_world_def();
    def.gravity = (vec3){1, -2, 0};
    pliant_world *world = pliant_world_create(&def, NULL);
    pliant_world_step(world, 0.5f);
    picture p = take_picture(world);
    assert_memory_equal(p.bytes, header, sizeof header);
    assert_int_equal(p.bytes[16] | p.bytes[17] << 8, p.size);
    static const uint8_t time[] = {0, 0, 0, 0, 0, 0, 0xe0, 0x3f}; // 0.5
    static const uint8_t steps[] = {1, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t gravity[] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0};
    assert_memory_equal(p.bytes + 32, time, sizeof time);
    assert_memory_equal(p.bytes + 40, steps, sizeof steps);
    assert_memory_equal(p.bytes + 56, gravity, sizeof gravity);
    free(p.bytes);
    pliant_world_destroy(world);
}

static void test_an_empty_world_has_a_snapshot(void **state)
{
    (void)state;
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&def, NULL);
    picture p = take_picture(world);
    pliant_world_step(world, DT);
    assert_int_equal(pliant_world_restore(world, p.bytes, p.size, NULL), PLIANT_OK);
    assert_int_equal(pliant_world_report(world).steps, 0);
    free(p.bytes);
    pliant_world_destroy(world);
}

// ---------------------------------------------------------------------------------------------
// The hash

static void test_equal_worlds_have_equal_hashes(void **state)
{
    (void)state;
    scenery a, b;
    scenery_open(&a, NULL);
    scenery_open(&b, NULL);
    uint64_t first = pliant_world_hash(a.world);
    for (int i = 0; i < STEPS; ++i) {
        assert_int_equal(pliant_world_hash(a.world), pliant_world_hash(b.world));
        act(&a, i);
        act(&b, i);
    }
    assert_int_not_equal(pliant_world_hash(a.world), first);
    scenery_close(&a);
    scenery_close(&b);
}

// Flips the lowest bit of every float of an array in turn.
static void check_hash_sees(const pliant_world *world, void *array, int floats)
{
    uint64_t before = pliant_world_hash(world);
    uint32_t *words = array;
    for (int i = 0; i < floats; ++i) {
        words[i] ^= 1u;
        assert_int_not_equal(pliant_world_hash(world), before);
        words[i] ^= 1u;
    }
    assert_int_equal(pliant_world_hash(world), before);
}

static void test_the_hash_sees_every_value_of_the_state(void **state)
{
    (void)state;
    scenery s;
    scenery_open(&s, NULL);
    for (int i = 0; i < 10; ++i)
        act(&s, i);
    int n = s.world->particle_count;
    check_hash_sees(s.world, s.world->x, 3 * n);
    check_hash_sees(s.world, s.world->x_low, 3 * n);
    check_hash_sees(s.world, s.world->turn, 4 * n);
    check_hash_sees(s.world, s.world->v, 3 * n);
    check_hash_sees(s.world, s.world->spin, 3 * n);
    uint64_t before = pliant_world_hash(s.world);
    pliant_body_set_pinned(s.world, s.bodies[2], 0, true, NULL);
    assert_int_not_equal(pliant_world_hash(s.world), before);
    scenery_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_restored_world_goes_on_bit_by_bit),
        cmocka_unit_test(test_a_snapshot_fits_a_world_built_the_same),
        cmocka_unit_test(test_what_waits_for_the_next_step_is_kept),
        cmocka_unit_test(test_pins_are_restored),
        cmocka_unit_test(test_pins_are_restored_into_a_world_that_never_had_them),
        cmocka_unit_test(test_frozen_bodies_thaw_and_freeze_again),
        cmocka_unit_test(test_unknown_models_are_a_mismatch),
        cmocka_unit_test(test_every_truncation_is_rejected),
        cmocka_unit_test(test_every_flipped_bit_is_rejected),
        cmocka_unit_test(test_restoring_without_memory_changes_nothing),
        cmocka_unit_test(test_every_sealed_truncation_is_rejected),
        cmocka_unit_test(test_mutated_snapshots_do_no_harm),
        cmocka_unit_test(test_the_form),
        cmocka_unit_test(test_an_empty_world_has_a_snapshot),
        cmocka_unit_test(test_equal_worlds_have_equal_hashes),
        cmocka_unit_test(test_the_hash_sees_every_value_of_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
