// Worlds: ids, definitions, bodies that come and go, forces, pins, bad numbers, memory and threads.

#include "bodies.h"
#include "core/hash.h"
#include "counting.h"

#include <pthread.h>

static const float DT = 1.0f / 60.0f;
static const vec3 NOTHING = {0, 0, 0};

// ---------------------------------------------------------------------------------------------
// The C library's own allocator is watched where that is possible: a world that has been given an
// allocator must not use another.

static int libc_calls;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(HAS_SANITIZER)
#define WATCHES_LIBC

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    ++libc_calls;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    ++libc_calls;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    ++libc_calls;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    ++libc_calls;
    return __libc_memalign(alignment, size);
}
#endif

// ---------------------------------------------------------------------------------------------
// Helpers

static pliant_world *open_world(const pliant_world_def *def)
{
    pliant_error error = {0};
    pliant_world *world = pliant_world_create(def, &error);
    if (!world)
        fail_msg("%s: %s", error.place, error.message);
    return world;
}

static pliant_body_id add_body(pliant_world *world, const pliant_model *model, vec3 position)
{
    pliant_body_def def = pliant_default_body_def();
    def.model = model;
    def.position = position;
    def.angular_velocity = (vec3){0.5f, 1.0f, 0.2f};
    pliant_error error = {0};
    pliant_body_id id = pliant_world_add_body(world, &def, &error);
    if (!pliant_body_is_valid(world, id))
        fail_msg("%s: %s", error.place, error.message);
    return id;
}

static pliant_collider_id add_ground(pliant_world *world)
{
    pliant_plane_def def = pliant_default_plane_def();
    pliant_collider_id id = pliant_world_add_plane(world, &def, NULL);
    assert_true(pliant_collider_is_valid(world, id));
    return id;
}

static void step(pliant_world *world, int count)
{
    for (int i = 0; i < count; ++i)
        pliant_world_step(world, DT);
}

static uint64_t hash_values(uint64_t state, vec3 v)
{
    return hash_float(hash_float(hash_float(state, v.x), v.y), v.z);
}

// All that can be read of one body.
static uint64_t body_hash(const pliant_world *world, pliant_body_id body)
{
    uint64_t state = HASH_START;
    int n = pliant_model_particle_count(pliant_body_model(world, body));
    for (int i = 0; i < n; ++i) {
        pliant_pose pose = pliant_body_particle_pose(world, body, i);
        quat q = pose.orientation;
        state = hash_values(state, pose.position);
        state = hash_float(hash_values(state, (vec3){q.x, q.y, q.z}), q.w);
        state = hash_values(state, pliant_body_particle_velocity(world, body, i));
        state = hash_values(state, pliant_body_particle_spin(world, body, i));
    }
    return state;
}

// Two loose particles of 1 and 3 kg.
static pliant_model *loose_model(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 2; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position.x = (float)i;
        def.mass = 1.0f + 2.0f * (float)i;
        pliant_builder_add_particle(builder, &def);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    return model;
}

static setup loose_setup(void)
{
    setup s = {.model = loose_model(),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.world_def.gravity = NOTHING;
    s.body_def.model = s.model;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    return s;
}

static void assert_vec3(vec3 actual, vec3 expected, double tolerance)
{
    assert_near(actual.x, expected.x, tolerance);
    assert_near(actual.y, expected.y, tolerance);
    assert_near(actual.z, expected.z, tolerance);
}

static void assert_momentum(const setup *s, vec3 expected, double tolerance)
{
    pliant_motion motion = pliant_body_motion(s->world, s->body);
    assert_near(motion.linear_momentum[0], expected.x, tolerance);
    assert_near(motion.linear_momentum[1], expected.y, tolerance);
    assert_near(motion.linear_momentum[2], expected.z, tolerance);
}

// ---------------------------------------------------------------------------------------------
// Ids

static void test_ids_of_removed_bodies_stay_invalid(void **state)
{
    (void)state;
    lattice l = lattice_of(2, 2, 1);
    pliant_model *model = lattice_model(&l);
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = open_world(&def);
    assert_false(pliant_body_is_valid(world, (pliant_body_id){0, 0}));
    assert_false(pliant_body_is_valid(world, (pliant_body_id){0, 1}));
    pliant_body_id first = add_body(world, model, NOTHING);
    assert_false(pliant_body_is_valid(world, (pliant_body_id){0, 0}));
    assert_false(pliant_body_is_valid(world, (pliant_body_id){1, 1}));
    assert_false(pliant_body_is_valid(world, (pliant_body_id){0xffffffffu, 1}));
    pliant_world_remove_body(world, first);
    assert_false(pliant_body_is_valid(world, first));
    pliant_body_id second = add_body(world, model, NOTHING);
    assert_int_equal(second.index, first.index);
    assert_int_not_equal(second.generation, first.generation);
    assert_false(pliant_body_is_valid(world, first));
    pliant_world_remove_body(world, first); // stale: nothing happens
    pliant_world_remove_body(world, (pliant_body_id){0, 0});
    assert_true(pliant_body_is_valid(world, second));
    assert_int_equal(pliant_world_report(world).bodies, 1);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
}

static void test_ids_of_removed_planes_stay_invalid(void **state)
{
    (void)state;
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = open_world(&def);
    assert_false(pliant_collider_is_valid(world, (pliant_collider_id){0, 0}));
    pliant_collider_id first = add_ground(world);
    assert_false(pliant_collider_is_valid(world, (pliant_collider_id){0, 0}));
    pliant_world_remove_collider(world, first);
    assert_false(pliant_collider_is_valid(world, first));
    pliant_collider_id second = add_ground(world);
    assert_int_equal(second.index, first.index);
    assert_false(pliant_collider_is_valid(world, first));
    pliant_world_remove_collider(world, first);
    assert_true(pliant_collider_is_valid(world, second));
    pliant_world_destroy(world);
}

static void test_a_body_tells_its_model_and_user_data(void **state)
{
    (void)state;
    setup s = loose_setup();
    s.body_def.user_data = &s;
    setup_open(&s);
    assert_ptr_equal(pliant_body_user_data(s.world, s.body), &s);
    assert_ptr_equal(pliant_body_model(s.world, s.body), s.model);
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Coming and going

// Bodies 0 … 3, of which those in `removed` go after ten steps and those in `missing` never were.
// Returns the hash of the others' states after forty.
static uint64_t hash_after_removing(unsigned removed, unsigned missing)
{
    lattice shapes[2] = {lattice_of(3, 2, 2), lattice_of(5, 1, 1)};
    pliant_model *models[3] = {lattice_model(&shapes[0]), lattice_model(&shapes[1]), loose_model()};
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = open_world(&def);
    add_ground(world);
    pliant_body_id ids[4] = {{0}};
    for (int i = 0; i < 4; ++i)
        if (!(missing >> i & 1))
            ids[i] = add_body(world, models[i % 3], (vec3){2.0f * (float)i, 0.3f, 0});
    step(world, 10);
    for (int i = 0; i < 4; ++i)
        if (removed >> i & 1)
            pliant_world_remove_body(world, ids[i]);
    step(world, 30);
    uint64_t hash = HASH_START;
    for (int i = 0; i < 4; ++i)
        if (pliant_body_is_valid(world, ids[i]))
            hash = hash_word(hash, body_hash(world, ids[i]));
    pliant_world_destroy(world);
    for (int i = 0; i < 3; ++i)
        pliant_model_destroy(models[i]);
    return hash;
}

static void test_removing_a_body_leaves_no_trace_in_the_others(void **state)
{
    (void)state;
    for (unsigned bodies = 0; bodies < 16; ++bodies)
        assert_int_equal(hash_after_removing(bodies, 0), hash_after_removing(0, bodies));
}

// Bodies without groups and edges, of which there is nothing to move when one goes.
static void test_the_last_body_can_be_removed(void **state)
{
    (void)state;
    setup s = loose_setup();
    setup_open(&s);
    step(s.world, 2);
    pliant_world_remove_body(s.world, s.body);
    step(s.world, 2);
    assert_int_equal(pliant_world_report(s.world).particles, 0);
    s.body = pliant_world_add_body(s.world, &s.body_def, NULL);
    step(s.world, 2);
    assert_vec3(position_of(&s, 1), (vec3){1, 0, 0}, 0);
    setup_close(&s);
}

static void test_a_new_body_in_an_old_slot_behaves_as_in_a_new_world(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 2, 2);
    pliant_model *model = lattice_model(&l), *loose = loose_model();
    counting count = {0};
    pliant_world_def def = pliant_default_world_def();
    def.allocator = counting_allocator(&count);
    pliant_world *used = open_world(&def), *fresh = open_world(&def);
    pliant_body_id old = add_body(used, loose, NOTHING);
    add_body(used, model, (vec3){5, 5, 5});
    pliant_body_set_pinned(used, old, 1, true, NULL);
    pliant_body_apply_force(used, old, (vec3){1, 2, 3});
    step(used, 5);
    pliant_world_remove_body(used, old);
    pliant_body_id a = add_body(used, model, (vec3){1, 2, 3});
    pliant_body_id b = add_body(fresh, model, (vec3){1, 2, 3});
    assert_int_equal(a.index, old.index);
    step(used, 30);
    step(fresh, 30);
    assert_int_equal(body_hash(used, a), body_hash(fresh, b));
    pliant_world_destroy(used);
    pliant_world_destroy(fresh);
    assert_int_equal(count.live, 0);
    pliant_model_destroy(model);
    pliant_model_destroy(loose);
}

static void test_a_removed_plane_is_solid_no_more(void **state)
{
    (void)state;
    lattice l = lattice_of(2, 2, 2);
    setup s = setup_of(&l);
    s.world_def.gravity.y = -9.81f;
    s.world_def.sleep_speed = 0.0f;
    s.body_def.position.y = l.radius;
    setup_open(&s);
    pliant_plane_def wall = pliant_default_plane_def();
    wall.normal = (vec3){1, 0, 0};
    wall.offset = -5.0f;
    pliant_world_add_plane(s.world, &wall, NULL);
    pliant_collider_id ground = add_ground(s.world);
    run(&s, 1.0, DT);
    assert_near(position_of(&s, 0).y, l.radius, 0.01);
    assert_int_equal(pliant_world_report(s.world).contacts, 4);
    pliant_world_remove_collider(s.world, ground);
    float before = position_of(&s, 0).y;
    run(&s, 1.0, DT);
    assert_int_equal(pliant_world_report(s.world).contacts, 0);
    assert_near(before - position_of(&s, 0).y, 0.5 * 9.81, 0.05);
    setup_close(&s);
}

static void test_planes_may_come_before_and_after_bodies(void **state)
{
    (void)state;
    lattice l = lattice_of(2, 2, 2);
    pliant_model *model = lattice_model(&l);
    uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        pliant_world_def def = pliant_default_world_def();
        def.sleep_speed = 0.0f; // sleepers have no contacts
        pliant_world *world = open_world(&def);
        if (k)
            add_ground(world);
        pliant_body_id a = add_body(world, model, (vec3){0, 0.2f, 0});
        if (!k)
            add_ground(world);
        add_body(world, model, (vec3){3, 0.2f, 0});
        step(world, 60);
        assert_true(pliant_world_report(world).contacts > 4);
        hashes[k] = body_hash(world, a);
        pliant_world_destroy(world);
    }
    assert_int_equal(hashes[0], hashes[1]);
    pliant_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Definitions

static void check_world_fault(const pliant_world_def *def, const char *place)
{
    pliant_error error = {0};
    assert_null(pliant_world_create(def, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    assert_non_null(strstr(error.message, "is not"));
    assert_null(pliant_world_create(def, NULL));
}

#define EXPECT_WORLD_FAULT(change, place)                                                          \
    do {                                                                                           \
        pliant_world_def d = pliant_default_world_def();                                           \
        change;                                                                                    \
        check_world_fault(&d, place);                                                              \
    } while (0)

static void test_world_definitions_out_of_range_are_named(void **state)
{
    (void)state;
    EXPECT_WORLD_FAULT(d.gravity.y = NAN, "gravity");
    EXPECT_WORLD_FAULT(d.gravity.z = 1e7f, "gravity");
    EXPECT_WORLD_FAULT(d.substep_length = 0.9e-5f, "substep_length");
    EXPECT_WORLD_FAULT(d.substep_length = 0.11f, "substep_length");
    EXPECT_WORLD_FAULT(d.iterations = -1, "iterations");
    EXPECT_WORLD_FAULT(d.iterations = 1001, "iterations");
    EXPECT_WORLD_FAULT(d.restitution_threshold = -1, "restitution_threshold");
    EXPECT_WORLD_FAULT(d.restitution_threshold = NAN, "restitution_threshold");
}

static void check_body_fault(const setup *s, const pliant_body_def *def, const char *place)
{
    pliant_error error = {0};
    uint64_t before = pliant_world_hash(s->world);
    pliant_body_id id = pliant_world_add_body(s->world, def, &error);
    assert_int_equal(id.index, 0);
    assert_int_equal(id.generation, 0);
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    assert_true(error.message[0]);
    assert_int_equal(pliant_world_hash(s->world), before);
    assert_int_equal(pliant_world_report(s->world).bodies, 1);
    assert_int_equal(pliant_world_report(s->world).particles, 2);
}

#define EXPECT_BODY_FAULT(change, place)                                                           \
    do {                                                                                           \
        pliant_body_def d = s.body_def;                                                            \
        change;                                                                                    \
        check_body_fault(&s, &d, place);                                                           \
    } while (0)

static void test_body_definitions_out_of_range_are_named(void **state)
{
    (void)state;
    setup s = loose_setup();
    setup_open(&s);
    EXPECT_BODY_FAULT(d.model = NULL, "model");
    EXPECT_BODY_FAULT(d.position.x = NAN, "position");
    EXPECT_BODY_FAULT(d.position.x = -2e6f, "position");
    EXPECT_BODY_FAULT(d.orientation = ((quat){0, 0, 0, 0}), "orientation");
    EXPECT_BODY_FAULT(d.orientation.w = NAN, "orientation");
    EXPECT_BODY_FAULT(d.orientation.w = INFINITY, "orientation");
    EXPECT_BODY_FAULT(d.linear_velocity.z = INFINITY, "linear_velocity");
    EXPECT_BODY_FAULT(d.angular_velocity.y = NAN, "angular_velocity");
    EXPECT_BODY_FAULT(d.linear_damping = 1, "linear_damping");
    EXPECT_BODY_FAULT(d.linear_damping = -0.1f, "linear_damping");
    EXPECT_BODY_FAULT(d.angular_damping = 1, "angular_damping");
    EXPECT_BODY_FAULT(d.angular_damping = NAN, "angular_damping");
    EXPECT_BODY_FAULT(d.shape_damping = 1, "shape_damping");
    EXPECT_BODY_FAULT(d.gravity_scale = NAN, "gravity_scale");
    EXPECT_BODY_FAULT(d.friction = -1, "friction");
    EXPECT_BODY_FAULT(d.friction = NAN, "friction");
    EXPECT_BODY_FAULT(d.restitution = 1.1f, "restitution");
    EXPECT_BODY_FAULT(d.restitution = -0.1f, "restitution");
    setup_close(&s);
}

static void check_plane_fault(pliant_world *world, const pliant_plane_def *def, const char *place)
{
    pliant_error error = {0};
    pliant_collider_id id = pliant_world_add_plane(world, def, &error);
    assert_int_equal(id.index, 0);
    assert_int_equal(id.generation, 0);
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    assert_false(pliant_collider_is_valid(world, (pliant_collider_id){0, 1}));
}

#define EXPECT_PLANE_FAULT(change, place)                                                          \
    do {                                                                                           \
        pliant_plane_def d = pliant_default_plane_def();                                           \
        change;                                                                                    \
        check_plane_fault(world, &d, place);                                                       \
    } while (0)

static void test_plane_definitions_out_of_range_are_named(void **state)
{
    (void)state;
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = open_world(&def);
    EXPECT_PLANE_FAULT(d.normal = NOTHING, "normal");
    EXPECT_PLANE_FAULT(d.normal.x = NAN, "normal");
    EXPECT_PLANE_FAULT(d.offset = INFINITY, "offset");
    EXPECT_PLANE_FAULT(d.friction = -1, "friction");
    EXPECT_PLANE_FAULT(d.restitution = 2, "restitution");
    pliant_world_destroy(world);
}

static void test_orientation_and_normal_are_normalised(void **state)
{
    (void)state;
    setup s = loose_setup();
    s.body_def.orientation = (quat){0, 0, 5, 5};
    setup_open(&s);
    assert_vec3(position_of(&s, 1), (vec3){0, 1, 0}, 1e-6);
    quat q = pliant_body_particle_pose(s.world, s.body, 1).orientation;
    assert_near(q.z, sqrt(0.5), 1e-6);
    assert_near(q.w, sqrt(0.5), 1e-6);
    pliant_plane_def ceiling = pliant_default_plane_def();
    ceiling.normal = (vec3){0, -20, 0};
    ceiling.offset = -2.0f; // solid above y = 2
    pliant_world_add_plane(s.world, &ceiling, NULL);
    pliant_body_apply_impulse(s.world, s.body, (vec3){0, 40, 0});
    run(&s, 1.0, DT);
    assert_near(position_of(&s, 1).y, 1.95, 1e-3);
    setup_close(&s);
}

static void test_a_body_starts_with_its_velocity(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 2, 2);
    setup s = setup_of(&l);
    s.body_def.position = (vec3){4, 5, 6};
    s.body_def.orientation = (quat){0.1f, 0.2f, 0.3f, 0.9f};
    s.body_def.linear_velocity = (vec3){1, -2, 3};
    s.body_def.angular_velocity = (vec3){0.3f, 0.2f, -0.1f};
    setup_open(&s);
    pliant_motion motion = pliant_body_motion(s.world, s.body);
    assert_near(motion.mass, 1.2, 1e-6);
    assert_momentum(&s, (vec3){1.2f, -2.4f, 3.6f}, 1e-5);
    vec3 centre = vec3_of(motion.centre);
    for (int i = 0; i < 12; ++i) {
        vec3 arm = vec3_sub(position_of(&s, i), centre);
        vec3 v = vec3_add((vec3){1, -2, 3}, vec3_cross((vec3){0.3f, 0.2f, -0.1f}, arm));
        assert_vec3(pliant_body_particle_velocity(s.world, s.body, i), v, 1e-5);
        assert_vec3(pliant_body_particle_spin(s.world, s.body, i), s.body_def.angular_velocity, 0);
    }
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Forces

static void test_a_force_is_mass_times_acceleration(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 2, 2);
    setup s = setup_of(&l);
    setup_open(&s);
    vec3 force = {3, -4, 5};
    pliant_body_apply_force(s.world, s.body, vec3_scale(force, 0.25f));
    pliant_body_apply_force(s.world, s.body, vec3_scale(force, 0.75f)); // forces add up
    step(s.world, 1);
    assert_momentum(&s, vec3_scale(force, DT), 1e-5 * 5.0 * DT);
    for (int i = 0; i < 3; ++i) // and are forgotten
        step(s.world, 1);
    assert_momentum(&s, vec3_scale(force, DT), 1e-5 * 5.0 * DT);
    setup_close(&s);
}

static void test_a_force_on_one_particle_reaches_the_whole_body(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 2, 2);
    setup s = setup_of(&l);
    setup_open(&s);
    vec3 force = {0.3f, -0.4f, 0.5f};
    pliant_body_apply_particle_force(s.world, s.body, 2, force);
    step(s.world, 2);
    assert_momentum(&s, vec3_scale(force, DT), 1e-5 * 0.5 * DT);
    setup_close(&s);
}

static void test_a_body_force_is_shared_by_mass(void **state)
{
    (void)state;
    setup s = loose_setup();
    setup_open(&s);
    pliant_body_apply_force(s.world, s.body, (vec3){0, 8, 0});
    step(s.world, 1);
    for (int i = 0; i < 2; ++i)
        assert_vec3(pliant_body_particle_velocity(s.world, s.body, i), (vec3){0, 2 * DT, 0}, 1e-7);
    pliant_body_apply_particle_force(s.world, s.body, 1, (vec3){3, 0, 0});
    step(s.world, 1);
    assert_vec3(pliant_body_particle_velocity(s.world, s.body, 0), (vec3){0, 2 * DT, 0}, 1e-7);
    assert_vec3(pliant_body_particle_velocity(s.world, s.body, 1), (vec3){DT, 2 * DT, 0}, 1e-7);
    setup_close(&s);
}

static void test_impulses_act_at_once(void **state)
{
    (void)state;
    setup s = loose_setup();
    setup_open(&s);
    pliant_body_apply_impulse(s.world, s.body, (vec3){8, 0, 0});
    assert_momentum(&s, (vec3){8, 0, 0}, 1e-6);
    pliant_body_apply_particle_impulse(s.world, s.body, 1, (vec3){0, 6, 0});
    assert_vec3(pliant_body_particle_velocity(s.world, s.body, 0), (vec3){2, 0, 0}, 1e-6);
    assert_vec3(pliant_body_particle_velocity(s.world, s.body, 1), (vec3){2, 2, 0}, 1e-6);
    step(s.world, 3);
    assert_momentum(&s, (vec3){8, 6, 0}, 1e-5);
    setup_close(&s);
}

static void test_gravity_is_scaled_per_body(void **state)
{
    (void)state;
    static const float scales[] = {1.0f, 0.5f, 0.0f, -2.0f};
    for (int k = 0; k < 4; ++k) {
        setup s = loose_setup();
        s.world_def.gravity = (vec3){1, -10, 2};
        s.body_def.gravity_scale = scales[k];
        setup_open(&s);
        run(&s, 1.0, DT);
        vec3 expected = vec3_scale((vec3){1, -10, 2}, scales[k]);
        assert_vec3(pliant_body_particle_velocity(s.world, s.body, 0), expected, 1e-4);
        pliant_world_set_gravity(s.world, (vec3){0, 3, 0});
        assert_true(pliant_world_gravity(s.world).y == 3.0f);
        run(&s, 1.0, DT);
        expected = vec3_add_scaled(expected, (vec3){0, 3, 0}, scales[k]);
        assert_vec3(pliant_body_particle_velocity(s.world, s.body, 1), expected, 1e-4);
        setup_close(&s);
    }
}

static void test_damping_is_what_is_lost_in_a_second(void **state)
{
    (void)state;
    static const float steps[] = {1.0f / 10.0f, 1.0f / 60.0f, 1.0f / 1000.0f};
    for (int k = 0; k < 6; ++k) {
        setup s = loose_setup();
        s.world_def.substep_length = pliant_substep_length(k < 3 ? 5 : 1);
        s.body_def.linear_damping = 0.3f;
        s.body_def.angular_damping = 0.6f;
        setup_open(&s);
        pliant_body_set_particle_velocity(s.world, s.body, 0, (vec3){2, 0, 0}, (vec3){0, 1, 0});
        run(&s, 1.0, steps[k % 3]);
        assert_near(pliant_body_particle_velocity(s.world, s.body, 0).x, 1.4, 1e-3);
        assert_near(pliant_body_particle_spin(s.world, s.body, 0).y, 0.4, 1e-3);
        setup_close(&s);
    }
}

static void test_damping_set_out_of_range_is_clamped(void **state)
{
    (void)state;
    setup s = loose_setup();
    setup_open(&s);
    pliant_body_set_damping(s.world, s.body, -1.0f, -1.0f, -1.0f);
    pliant_body_set_particle_velocity(s.world, s.body, 0, (vec3){2, 0, 0}, (vec3){0, 1, 0});
    run(&s, 1.0, DT);
    assert_near(pliant_body_particle_velocity(s.world, s.body, 0).x, 2.0, 1e-5);
    pliant_body_set_damping(s.world, s.body, 2.0f, 2.0f, 2.0f);
    run(&s, 1.0, DT);
    assert_near(pliant_body_particle_velocity(s.world, s.body, 0).x, 0.0, 1e-4);
    assert_near(pliant_body_particle_spin(s.world, s.body, 0).y, 0.0, 1e-4);
    assert_int_equal(pliant_world_report(s.world).frozen_bodies, 0);
    setup_close(&s);
}

static void test_quality_out_of_range_is_clamped(void **state)
{
    (void)state;
    static const int given[3][2] = {{0, -7}, {1, 1}, {5, 2}};
    uint64_t hashes[3];
    for (int k = 0; k < 3; ++k) {
        lattice l = lattice_of(4, 1, 1);
        setup s = setup_of(&l);
        s.body_def.angular_velocity = (vec3){0, 3, 0};
        setup_open(&s);
        pliant_world_set_quality(s.world, given[k][0], given[k][1]);
        run(&s, 0.5, DT);
        hashes[k] = pliant_world_hash(s.world);
        setup_close(&s);
    }
    assert_int_equal(hashes[0], hashes[1]);
    assert_int_not_equal(hashes[1], hashes[2]);
}

// ---------------------------------------------------------------------------------------------
// Placing

static void test_placing_a_particle_gives_it_no_velocity(void **state)
{
    (void)state;
    setup s = loose_setup();
    setup_open(&s);
    pliant_pose pose = {{7, 8, 9}, {0, 0, 3, 4}};
    pliant_body_set_particle_pose(s.world, s.body, 1, pose);
    step(s.world, 5);
    pliant_pose now = pliant_body_particle_pose(s.world, s.body, 1);
    assert_vec3(now.position, pose.position, 0);
    assert_near(now.orientation.z, 0.6, 1e-6);
    assert_near(now.orientation.w, 0.8, 1e-6);
    assert_vec3(pliant_body_particle_velocity(s.world, s.body, 1), NOTHING, 0);
    assert_vec3(position_of(&s, 0), NOTHING, 0);
    setup_close(&s);
}

static void test_poses_are_those_of_the_particles(void **state)
{
    (void)state;
    lattice l = lattice_of(2, 2, 2);
    setup s = setup_of(&l);
    s.body_def.orientation = (quat){0.5f, 0.5f, 0.5f, 0.5f};
    setup_open(&s);
    pliant_pose poses[8];
    pliant_body_poses(s.world, s.body, poses);
    for (int i = 0; i < 8; ++i) {
        pliant_pose one = pliant_body_particle_pose(s.world, s.body, i);
        assert_memory_equal(&poses[i], &one, sizeof one);
        vec3 rest = pliant_model_particles(s.model)[i].position;
        assert_vec3(one.position, (vec3){rest.z, rest.x, rest.y}, 1e-6);
    }
    setup_close(&s);
}

static void test_bounds_hold_the_ellipsoids(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def def = pliant_default_particle_def();
    def.radii = (vec3){0.3f, 0.1f, 0.2f};
    pliant_builder_add_particle(builder, &def);
    def.position.x = 1.0f;
    pliant_builder_add_particle(builder, &def);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_world_def world_def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_body_def body_def = pliant_default_body_def();
    body_def.model = model;
    body_def.position.y = 5.0f;
    body_def.orientation = quat_exp((vec3){0, 0, 1.5707963f}); // x becomes y
    pliant_body_id body = pliant_world_add_body(world, &body_def, NULL);
    vec3 low, high;
    pliant_body_bounds(world, body, &low, &high);
    assert_vec3(low, (vec3){-0.1f, 4.7f, -0.2f}, 1e-6);
    assert_vec3(high, (vec3){0.1f, 6.3f, 0.2f}, 1e-6);
    assert_int_equal(pliant_world_body_count(world), 1);
    pliant_body_id found = pliant_world_body_at(world, 0);
    assert_int_equal(found.index, body.index);
    assert_int_equal(found.generation, body.generation);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    pliant_builder_destroy(builder);
}

static void test_a_reset_body_is_as_new(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 2, 2);
    setup s = setup_of(&l);
    s.world_def.gravity.y = -9.81f;
    s.body_def.mask = 0; // both stand at one place
    setup_open(&s);
    pliant_body_id fresh = pliant_world_add_body(s.world, &s.body_def, NULL);
    pliant_body_apply_particle_impulse(s.world, s.body, 0, (vec3){1, 2, 3});
    step(s.world, 20);
    pliant_body_apply_force(s.world, s.body, (vec3){9, 9, 9});
    pliant_body_apply_particle_force(s.world, s.body, 3, (vec3){9, 9, 9});
    pliant_pose pose = {{1, 2, 3}, {0, 0.6f, 0, 0.8f}};
    pliant_body_reset(s.world, s.body, pose);
    pliant_body_reset(s.world, fresh, pose);
    assert_vec3(position_of(&s, 0), (vec3){1, 2, 3}, 0);
    assert_vec3(pliant_body_particle_velocity(s.world, s.body, 0), NOTHING, 0);
    step(s.world, 20);
    assert_int_equal(body_hash(s.world, s.body), body_hash(s.world, fresh));
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Pins and targets

static void test_targets_are_reached_with_the_right_velocity(void **state)
{
    (void)state;
    for (int substeps = 1; substeps <= 7; substeps += 3) {
        lattice l = lattice_of(3, 1, 1);
        l.pinned_columns = 1;
        setup s = setup_of(&l);
        s.world_def.substep_length = pliant_substep_length(substeps);
        s.body_def.position = (vec3){10.0f, -3.0f, 7.0f};
        setup_open(&s);
        pliant_pose target = {{10.1f, -3.05f, 7.02f}, quat_exp((vec3){0, 0.1f, 0.2f})};
        pliant_body_set_target(s.world, s.body, 0, target);
        step(s.world, 1);
        pliant_pose now = pliant_body_particle_pose(s.world, s.body, 0);
        assert_vec3(now.position, target.position, 0);
        assert_below(angle_between_quats(now.orientation, target.orientation), 1e-6);
        vec3 speed = {0.1f / DT, -0.05f / DT, 0.02f / DT};
        assert_vec3(pliant_body_particle_velocity(s.world, s.body, 0), speed, 1e-3);
        vec3 spin = {0, 0.1f / DT, 0.2f / DT};
        assert_vec3(pliant_body_particle_spin(s.world, s.body, 0), spin, 1e-3);
        step(s.world, 1); // and there it stays
        assert_vec3(position_of(&s, 0), target.position, 0);
        assert_vec3(pliant_body_particle_velocity(s.world, s.body, 0), NOTHING, 0);
        assert_vec3(pliant_body_particle_spin(s.world, s.body, 0), NOTHING, 0);
        setup_close(&s);
    }
}

static void test_a_body_follows_its_driven_particles(void **state)
{
    (void)state;
    lattice l = lattice_of(4, 2, 2);
    l.pinned_columns = 1;
    setup s = setup_of(&l);
    s.body_def.linear_damping = 0.5f;
    setup_open(&s);
    for (int i = 1; i <= 60; ++i) {
        for (int p = 0; p < 4; ++p) {
            pliant_pose target = pliant_body_particle_pose(s.world, s.body, p);
            target.position.y += 0.01f;
            pliant_body_set_target(s.world, s.body, p, target);
        }
        step(s.world, 1);
    }
    run(&s, 5.0, DT);
    assert_near(position_of(&s, 0).y, 0.6, 1e-5);
    assert_near(position_of(&s, 12).y, 0.6, 0.02);
    setup_close(&s);
}

static void test_targets_of_free_particles_do_nothing(void **state)
{
    (void)state;
    setup s = loose_setup();
    setup_open(&s);
    pliant_body_set_target(s.world, s.body, 0, (pliant_pose){{5, 5, 5}, {0, 0, 0, 1}});
    step(s.world, 1);
    assert_vec3(position_of(&s, 0), NOTHING, 0);
    assert_int_equal(pliant_body_set_pinned(s.world, s.body, 0, true, NULL), PLIANT_OK);
    pliant_body_set_target(s.world, s.body, 0, (pliant_pose){{5, 5, 5}, {0, 0, 0, 1}});
    pliant_body_set_pinned(s.world, s.body, 0, false, NULL);
    pliant_body_set_pinned(s.world, s.body, 0, true, NULL);
    step(s.world, 1); // an old target does not wake up
    assert_vec3(position_of(&s, 0), NOTHING, 0);
    setup_close(&s);
}

static void test_pinned_particles_ignore_forces_and_impulses(void **state)
{
    (void)state;
    setup s = loose_setup();
    s.world_def.gravity.y = -9.81f;
    s.body_def.linear_velocity = (vec3){1, 1, 1};
    setup_open(&s);
    pliant_body_set_pinned(s.world, s.body, 1, true, NULL);
    assert_true(pliant_body_is_pinned(s.world, s.body, 1));
    assert_false(pliant_body_is_pinned(s.world, s.body, 0));
    vec3 before = position_of(&s, 1);
    pliant_body_apply_impulse(s.world, s.body, (vec3){1, 2, 3});
    pliant_body_apply_particle_impulse(s.world, s.body, 1, (vec3){1, 2, 3});
    pliant_body_apply_force(s.world, s.body, (vec3){1, 2, 3});
    pliant_body_apply_particle_force(s.world, s.body, 1, (vec3){1, 2, 3});
    pliant_body_set_velocity(s.world, s.body, (vec3){1, 2, 3}, (vec3){1, 2, 3});
    pliant_body_apply_impulse(s.world, s.body, (vec3){1, 2, 3});
    assert_vec3(pliant_body_particle_velocity(s.world, s.body, 1), NOTHING, 0);
    step(s.world, 10);
    assert_vec3(position_of(&s, 1), before, 0);
    assert_vec3(pliant_body_particle_velocity(s.world, s.body, 1), NOTHING, 0);
    assert_vec3(pliant_body_particle_spin(s.world, s.body, 1), NOTHING, 0);
    assert_true(vec3_length(vec3_sub(position_of(&s, 0), before)) > 0.1f);
    setup_close(&s);
}

// A beam that is pinned in its model, and one that is pinned at run time.
static void test_pins_are_the_same_whenever_they_are_set(void **state)
{
    (void)state;
    vec3 results[2][16];
    for (int k = 0; k < 2; ++k) {
        lattice l = lattice_of(4, 2, 2);
        l.pinned_columns = k;
        l.stiffness = 0.02f;
        setup s = setup_of(&l);
        s.world_def.gravity.y = -9.81f;
        setup_open(&s);
        for (int i = 0; i < 4; ++i)
            assert_int_equal(pliant_body_set_pinned(s.world, s.body, i, true, NULL), PLIANT_OK);
        run(&s, 1.0, DT);
        assert_true(position_of(&s, 12).y < -0.005f);
        for (int i = 0; i < 16; ++i)
            results[k][i] = position_of(&s, i);
        setup_close(&s);
    }
    for (int i = 0; i < 16; ++i)
        assert_vec3(results[0][i], results[1][i], 1e-6);
}

static void test_unpinned_is_as_never_pinned(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int k = 0; k < 3; ++k) {
        lattice l = lattice_of(4, 2, 2);
        l.pinned_columns = k == 2 ? 1 : 0;
        setup s = setup_of(&l);
        s.world_def.gravity.y = -9.81f;
        setup_open(&s);
        for (int i = 0; i < 4 && k > 0; ++i) {
            pliant_body_set_pinned(s.world, s.body, i, true, NULL);
            pliant_body_set_pinned(s.world, s.body, i, false, NULL);
        }
        pliant_body_apply_particle_impulse(s.world, s.body, 0, (vec3){0.1f, 0.2f, 0.3f});
        run(&s, 0.5, DT);
        hashes[k] = body_hash(s.world, s.body);
        setup_close(&s);
    }
    assert_int_equal(hashes[0], hashes[1]);
    assert_int_equal(hashes[0], hashes[2]);
}

static void test_pins_of_one_body_do_not_touch_another(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        lattice l = lattice_of(4, 2, 2);
        pliant_model *model = lattice_model(&l);
        pliant_world_def def = pliant_default_world_def();
        pliant_world *world = open_world(&def);
        pliant_body_id a = add_body(world, model, NOTHING);
        pliant_body_id b = add_body(world, model, (vec3){3, 0, 0});
        if (k)
            pliant_body_set_pinned(world, a, 0, true, NULL);
        step(world, 30);
        assert_false(pliant_body_is_pinned(world, b, 0));
        assert_int_equal(pliant_model_particles(model)[0].flags, 0);
        hashes[k] = body_hash(world, b);
        pliant_world_destroy(world);
        pliant_model_destroy(model);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

// ---------------------------------------------------------------------------------------------
// Bad numbers

// Two equal bodies; the first gets something bad. Expects it frozen where it was and the other as if
// nothing had happened.
static void check_frozen_by(void (*harm)(pliant_world *world, pliant_body_id body))
{
    lattice l = lattice_of(3, 2, 2);
    pliant_model *model = lattice_model(&l);
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = open_world(&def), *unharmed = open_world(&def);
    pliant_body_id bad = add_body(world, model, NOTHING);
    pliant_body_id good = add_body(world, model, (vec3){5, 0, 0});
    add_body(unharmed, model, NOTHING);
    pliant_body_id same = add_body(unharmed, model, (vec3){5, 0, 0});
    step(world, 10);
    step(unharmed, 12);
    pliant_pose before[12], after[12];
    pliant_body_poses(world, bad, before);
    harm(world, bad);
    step(world, 1);
    pliant_report report = pliant_world_report(world);
    assert_int_equal(report.bad_bodies, 1);
    assert_int_equal(report.frozen_bodies, 1);
    assert_true(pliant_body_is_frozen(world, bad));
    assert_false(pliant_body_is_frozen(world, good));
    step(world, 1);
    report = pliant_world_report(world);
    assert_int_equal(report.bad_bodies, 0);
    assert_int_equal(report.frozen_bodies, 1);
    pliant_body_poses(world, bad, after);
    assert_memory_equal(before, after, sizeof before);
    assert_vec3(pliant_body_particle_velocity(world, bad, 0), NOTHING, 0);
    assert_int_equal(body_hash(world, good), body_hash(unharmed, same));
    pliant_body_reset(world, bad, (pliant_pose){{1, 2, 3}, {0, 0, 0, 1}});
    assert_false(pliant_body_is_frozen(world, bad));
    step(world, 1);
    assert_int_equal(pliant_world_report(world).frozen_bodies, 0);
    assert_true(pliant_body_particle_velocity(world, bad, 0).y < -0.1f);
    pliant_world_destroy(world);
    pliant_world_destroy(unharmed);
    pliant_model_destroy(model);
}

static void harm_by_nan_force(pliant_world *world, pliant_body_id body)
{
    pliant_body_apply_force(world, body, (vec3){0, NAN, 0});
}

static void harm_by_infinite_force(pliant_world *world, pliant_body_id body)
{
    pliant_body_apply_particle_force(world, body, 7, (vec3){INFINITY, 0, 0});
}

static void harm_by_infinite_impulse(pliant_world *world, pliant_body_id body)
{
    pliant_body_apply_particle_impulse(world, body, 3, (vec3){0, 0, -INFINITY});
}

static void harm_by_nan_spin(pliant_world *world, pliant_body_id body)
{
    pliant_body_set_particle_velocity(world, body, 0, NOTHING, (vec3){NAN, 0, 0});
}

static void test_bad_numbers_freeze_only_their_body(void **state)
{
    (void)state;
    check_frozen_by(harm_by_nan_force);
    check_frozen_by(harm_by_infinite_force);
    check_frozen_by(harm_by_infinite_impulse);
    check_frozen_by(harm_by_nan_spin);
}

static void test_a_bad_target_freezes_the_body(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 1, 1);
    l.pinned_columns = 1;
    setup s = setup_of(&l);
    setup_open(&s);
    pliant_body_set_target(s.world, s.body, 0, (pliant_pose){{NAN, 0, 0}, {0, 0, 0, 1}});
    step(s.world, 2);
    assert_true(pliant_body_is_frozen(s.world, s.body));
    assert_true(all_finite(&s));
    assert_vec3(position_of(&s, 0), NOTHING, 0);
    setup_close(&s);
}

static void test_steps_of_no_time_do_nothing(void **state)
{
    (void)state;
    static const float none[] = {0.0f, -0.0f, -1.0f / 60.0f, NAN, INFINITY, -INFINITY, 1e-30f};
    lattice l = lattice_of(3, 2, 2);
    setup s = setup_of(&l);
    s.world_def.gravity.y = -9.81f;
    setup_open(&s);
    step(s.world, 3);
    pliant_body_apply_force(s.world, s.body, (vec3){0, 0, 1});
    uint64_t before = pliant_world_hash(s.world);
    double time = pliant_world_time(s.world);
    for (int i = 0; i < 7; ++i)
        pliant_world_step(s.world, none[i]);
    assert_int_equal(pliant_world_hash(s.world), before);
    assert_true(pliant_world_time(s.world) == time);
    assert_int_equal(pliant_world_report(s.world).steps, 3);
    step(s.world, 1); // the force waited for a step
    assert_momentum(&s, (vec3){0, -1.2f * 9.81f * 4 * DT, DT}, 1e-4);
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Report

static void test_the_report_counts(void **state)
{
    (void)state;
    lattice shapes[2] = {lattice_of(2, 2, 2), lattice_of(3, 1, 1)};
    shapes[1].is_rigid = true;
    pliant_model *models[2] = {lattice_model(&shapes[0]), lattice_model(&shapes[1])};
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = open_world(&def);
    assert_int_equal(pliant_world_report(world).particles, 0);
    add_ground(world);
    pliant_body_id first = add_body(world, models[0], (vec3){0, 5, 0});
    add_body(world, models[1], (vec3){3, 5, 0});
    step(world, 6);
    pliant_report report = pliant_world_report(world);
    assert_int_equal(report.steps, 6);
    assert_near(report.time, 0.1, 1e-7);
    assert_true(pliant_world_time(world) == report.time);
    assert_int_equal(report.bodies, 2);
    assert_int_equal(report.particles, 8 + 3);
    assert_int_equal(report.edges, 28 + 2);
    assert_int_equal(report.groups, 8 + 1);
    assert_int_equal(report.contacts, 0);
    assert_int_equal(report.bad_bodies, 0);
    pliant_world_remove_body(world, first);
    report = pliant_world_report(world);
    assert_int_equal(report.bodies, 1);
    assert_int_equal(report.particles, 3);
    assert_int_equal(report.edges, 2);
    assert_int_equal(report.groups, 1);
    pliant_world_destroy(world);
    pliant_model_destroy(models[0]);
    pliant_model_destroy(models[1]);
}

// ---------------------------------------------------------------------------------------------
// Threads

static void run_backwards(int count, pliant_task *task, void *context, void *user_data)
{
    *(int *)user_data += count;
    for (int i = count - 1; i >= 0; --i)
        task(i, context);
}

typedef struct worker {
    pthread_t thread;
    int first, count;
    pliant_task *task;
    void *context;
} worker;

static void *work(void *user_data)
{
    const worker *w = user_data;
    for (int i = w->first; i < w->count; i += 4)
        w->task(i, w->context);
    return NULL;
}

static void run_on_threads(int count, pliant_task *task, void *context, void *user_data)
{
    *(int *)user_data += count;
    worker workers[4];
    for (int i = 0; i < 4; ++i) {
        workers[i] = (worker){.first = i, .count = count, .task = task, .context = context};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 4; ++i)
        pthread_join(workers[i].thread, NULL);
}

static void test_results_do_not_depend_on_threads(void **state)
{
    (void)state;
    pliant_parallel_for *const ways[3] = {NULL, run_backwards, run_on_threads};
    lattice shapes[2] = {lattice_of(4, 2, 2), lattice_of(8, 1, 1)};
    pliant_model *models[2] = {lattice_model(&shapes[0]), lattice_model(&shapes[1])};
    uint64_t hashes[3];
    for (int k = 0; k < 3; ++k) {
        int tasks = 0;
        pliant_world_def def = pliant_default_world_def();
        def.parallel_for = ways[k];
        def.parallel_user_data = &tasks;
        pliant_world *world = open_world(&def);
        add_ground(world);
        for (int i = 0; i < 10; ++i)
            add_body(world, models[i % 2], (vec3){2.0f * (float)i, 0.4f, 0.1f * (float)i});
        step(world, 60);
        hashes[k] = pliant_world_hash(world);
        assert_int_equal(tasks >= 600, k > 0);
        assert_true(pliant_world_report(world).contacts > 0);
        pliant_world_destroy(world);
    }
    assert_int_equal(hashes[1], hashes[0]);
    assert_int_equal(hashes[2], hashes[0]);
    pliant_model_destroy(models[0]);
    pliant_model_destroy(models[1]);
}

// ---------------------------------------------------------------------------------------------
// Memory

// A small heap of its own, so that every call of the C library's allocator is somebody else's.
typedef struct heap {
    _Alignas(64) uint8_t bytes[1 << 20];
    size_t used;
    int calls;
} heap;

static void *heap_allocate(size_t size, size_t alignment, void *user_data)
{
    heap *h = user_data;
    size_t at = (h->used + alignment - 1) / alignment * alignment;
    h->calls += 1;
    if (size > sizeof h->bytes - at)
        return NULL;
    h->used = at + size;
    return h->bytes + at;
}

static void heap_release(void *memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

static void test_the_given_allocator_is_the_only_one(void **state)
{
    (void)state;
    static heap h;
    h = (heap){.used = 0};
    lattice l = lattice_of(3, 2, 2);
    pliant_model *model = lattice_model(&l);
    pliant_world_def def = pliant_default_world_def();
    def.allocator = (pliant_allocator){heap_allocate, heap_release, &h};
    int before = libc_calls;
    pliant_world *world = pliant_world_create(&def, NULL);
    add_ground(world);
    pliant_body_id body = add_body(world, model, (vec3){0, 0.2f, 0});
    pliant_body_set_pinned(world, body, 0, true, NULL);
    step(world, 30);
    pliant_body_reset(world, body, (pliant_pose){{0, 1, 0}, {0, 0, 0, 1}});
    pliant_world_remove_body(world, body);
    int used = libc_calls - before;
    pliant_world_destroy(world);
    assert_int_equal(used, 0);
    assert_true(h.calls > 10);
    pliant_model_destroy(model);
#ifdef WATCHES_LIBC
    assert_true(libc_calls > 0); // the watch is awake
#endif
}

static pliant_world *open_heap(const pliant_model *model, counting *count)
{
    pliant_world_def def = pliant_default_world_def();
    def.allocator = counting_allocator(count);
    pliant_world *world = open_world(&def);
    add_ground(world);
    for (int i = 0; i < 3; ++i) // they fall onto each other
        add_body(world, model, (vec3){0.1f * (float)i, 0.3f + 0.6f * (float)i, 0});
    return world;
}

// A world that has made the same steps before has room for all that they find.
static void test_a_warm_step_allocates_nothing(void **state)
{
    (void)state;
    enum { STEPS = 120 };
    counting count = {0};
    lattice l = lattice_of(4, 2, 2);
    pliant_model *model = lattice_model(&l);
    pliant_world *world = open_heap(model, &count);
    size_t size = pliant_world_snapshot_size(world);
    void *snapshot = malloc(size);
    pliant_world_snapshot(world, snapshot);
    for (int i = 0; i < STEPS; ++i)
        pliant_world_step(world, i % 3 ? DT : 0.5f * DT);
    assert_int_equal(pliant_world_restore(world, snapshot, size, NULL), PLIANT_OK);
    free(snapshot);
    int before = count.calls, libc_before = libc_calls, most_pairs = 0, most_contacts = 0;
    for (int i = 0; i < STEPS; ++i) {
        pliant_world_step(world, i % 3 ? DT : 0.5f * DT);
        pliant_world_hash(world);
        pliant_report report = pliant_world_report(world);
        most_pairs = report.pairs > most_pairs ? report.pairs : most_pairs;
        most_contacts = report.contacts > most_contacts ? report.contacts : most_contacts;
    }
    assert_int_equal(count.calls, before);
    assert_int_equal(libc_calls, libc_before);
    assert_true(most_contacts > 0);
    assert_true(most_pairs > 4);
    pliant_world_destroy(world);
    assert_int_equal(count.live, 0);
    pliant_model_destroy(model);
}

// A step that cannot have the room it wants goes on with what there is, and tells what it has dropped.
static void test_steps_without_memory_drop_what_has_no_room(void **state)
{
    (void)state;
    lattice l = lattice_of(4, 2, 2);
    pliant_model *model = lattice_model(&l);
    int dropped = 0;
    for (int n = 1; n <= 12; ++n) {
        counting count = {0};
        pliant_world *world = open_heap(model, &count);
        for (int i = 0; i < 60; ++i) {
            count.fail_at = count.calls + 1 + n % 4; // each step again
            pliant_world_step(world, DT);
            pliant_report report = pliant_world_report(world);
            dropped += report.dropped_pairs + report.dropped_contacts;
            assert_int_equal(report.bad_bodies, 0);
        }
        count.fail_at = 0;
        step(world, 5);
        assert_int_equal(pliant_world_report(world).bodies, 3);
        pliant_world_destroy(world);
        assert_int_equal(count.live, 0);
    }
    assert_true(dropped > 0);
    pliant_model_destroy(model);
}

// One call that may run out of memory. Returns whether it worked.
typedef bool memory_user(pliant_world *world, const pliant_model *model, pliant_error *error);

static bool add_another_body(pliant_world *world, const pliant_model *model, pliant_error *error)
{
    pliant_body_def def = pliant_default_body_def();
    def.model = model;
    pliant_body_id id = pliant_world_add_body(world, &def, error);
    assert_int_equal(pliant_body_is_valid(world, id), id.generation != 0);
    return id.generation != 0;
}

static bool add_planes(pliant_world *world, const pliant_model *model, pliant_error *error)
{
    (void)model;
    pliant_plane_def def = pliant_default_plane_def();
    pliant_collider_id id = {0};
    for (int i = 0; i < 9; ++i) { // the ninth needs a larger array
        id = pliant_world_add_plane(world, &def, error);
        if (!pliant_collider_is_valid(world, id))
            return false;
        if (i < 8)
            pliant_world_remove_collider(world, id);
    }
    return true;
}

static bool pin_a_particle(pliant_world *world, const pliant_model *model, pliant_error *error)
{
    (void)model;
    pliant_body_id first = {0, 1};
    pliant_result result = pliant_body_set_pinned(world, first, 1, true, error);
    assert_int_equal(pliant_body_is_pinned(world, first, 1), result == PLIANT_OK);
    return result == PLIANT_OK;
}

// Lets every allocation of a call fail in turn: nothing may have changed after it, and the world must
// go on as one that was never asked.
static int check_without_memory(memory_user *use)
{
    lattice l = lattice_of(3, 2, 2);
    pliant_model *model = lattice_model(&l);
    for (int n = 1;; ++n) {
        counting count = {0};
        pliant_world_def def = pliant_default_world_def();
        def.allocator = counting_allocator(&count);
        pliant_world *world = open_world(&def), *other = NULL;
        def.allocator = (pliant_allocator){0};
        other = open_world(&def);
        add_body(world, model, (vec3){0, 0.3f, 0});
        add_body(other, model, (vec3){0, 0.3f, 0});
        add_ground(world);
        add_ground(other);
        step(world, 5);
        step(other, 5);
        count.fail_at = count.calls + n;
        pliant_error error = {0};
        bool worked = use(world, model, &error);
        bool failed = count.calls >= count.fail_at;
        assert_int_equal(worked, !failed);
        if (failed) {
            assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
            assert_int_equal(pliant_world_report(world).bodies, 1);
            assert_int_equal(pliant_world_report(world).particles, 12);
            step(world, 40);
            step(other, 40);
            assert_int_equal(pliant_world_hash(world), pliant_world_hash(other));
            assert_true(use(world, model, &error)); // there is memory again
            step(world, 5);
        }
        pliant_world_destroy(world);
        pliant_world_destroy(other);
        assert_int_equal(count.live, 0);
        if (worked) {
            pliant_model_destroy(model);
            return n - 1;
        }
    }
}

static void test_calls_without_memory_change_nothing(void **state)
{
    (void)state;
    assert_true(check_without_memory(add_another_body) > 15);
    assert_true(check_without_memory(pin_a_particle) == 6);
    check_without_memory(add_planes);
}

static void test_the_first_plane_and_body_without_memory_change_nothing(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 2, 2);
    pliant_model *model = lattice_model(&l);
    for (int n = 2; n < 60; ++n) {
        counting count = {.fail_at = n};
        pliant_world_def def = pliant_default_world_def();
        def.allocator = counting_allocator(&count);
        pliant_world *world = open_world(&def);
        pliant_error error = {0};
        pliant_plane_def plane_def = pliant_default_plane_def();
        pliant_collider_id plane = pliant_world_add_plane(world, &plane_def, &error);
        bool added = add_another_body(world, model, &error);
        bool failed = count.calls >= n;
        assert_int_equal(failed, !added || !pliant_collider_is_valid(world, plane));
        assert_int_equal(error.code, failed ? PLIANT_ERROR_MEMORY : PLIANT_OK);
        assert_int_equal(pliant_world_report(world).bodies, added);
        step(world, 3);
        pliant_world_destroy(world);
        assert_int_equal(count.live, 0);
    }
    counting count = {.fail_at = 1};
    pliant_world_def def = pliant_default_world_def();
    def.allocator = counting_allocator(&count);
    pliant_error error = {0};
    assert_null(pliant_world_create(&def, &error));
    assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
    pliant_model_destroy(model);
}

static void test_an_empty_world_steps(void **state)
{
    (void)state;
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = open_world(&def);
    step(world, 3);
    assert_int_equal(pliant_world_report(world).steps, 3);
    pliant_world_destroy(world);
    pliant_world_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_of_removed_bodies_stay_invalid),
        cmocka_unit_test(test_ids_of_removed_planes_stay_invalid),
        cmocka_unit_test(test_a_body_tells_its_model_and_user_data),
        cmocka_unit_test(test_removing_a_body_leaves_no_trace_in_the_others),
        cmocka_unit_test(test_the_last_body_can_be_removed),
        cmocka_unit_test(test_a_new_body_in_an_old_slot_behaves_as_in_a_new_world),
        cmocka_unit_test(test_a_removed_plane_is_solid_no_more),
        cmocka_unit_test(test_planes_may_come_before_and_after_bodies),
        cmocka_unit_test(test_world_definitions_out_of_range_are_named),
        cmocka_unit_test(test_body_definitions_out_of_range_are_named),
        cmocka_unit_test(test_plane_definitions_out_of_range_are_named),
        cmocka_unit_test(test_orientation_and_normal_are_normalised),
        cmocka_unit_test(test_a_body_starts_with_its_velocity),
        cmocka_unit_test(test_a_force_is_mass_times_acceleration),
        cmocka_unit_test(test_a_force_on_one_particle_reaches_the_whole_body),
        cmocka_unit_test(test_a_body_force_is_shared_by_mass),
        cmocka_unit_test(test_impulses_act_at_once),
        cmocka_unit_test(test_gravity_is_scaled_per_body),
        cmocka_unit_test(test_damping_is_what_is_lost_in_a_second),
        cmocka_unit_test(test_damping_set_out_of_range_is_clamped),
        cmocka_unit_test(test_quality_out_of_range_is_clamped),
        cmocka_unit_test(test_placing_a_particle_gives_it_no_velocity),
        cmocka_unit_test(test_poses_are_those_of_the_particles),
        cmocka_unit_test(test_bounds_hold_the_ellipsoids),
        cmocka_unit_test(test_a_reset_body_is_as_new),
        cmocka_unit_test(test_targets_are_reached_with_the_right_velocity),
        cmocka_unit_test(test_a_body_follows_its_driven_particles),
        cmocka_unit_test(test_targets_of_free_particles_do_nothing),
        cmocka_unit_test(test_pinned_particles_ignore_forces_and_impulses),
        cmocka_unit_test(test_pins_are_the_same_whenever_they_are_set),
        cmocka_unit_test(test_unpinned_is_as_never_pinned),
        cmocka_unit_test(test_pins_of_one_body_do_not_touch_another),
        cmocka_unit_test(test_bad_numbers_freeze_only_their_body),
        cmocka_unit_test(test_a_bad_target_freezes_the_body),
        cmocka_unit_test(test_steps_of_no_time_do_nothing),
        cmocka_unit_test(test_the_report_counts),
        cmocka_unit_test(test_results_do_not_depend_on_threads),
        cmocka_unit_test(test_the_given_allocator_is_the_only_one),
        cmocka_unit_test(test_a_warm_step_allocates_nothing),
        cmocka_unit_test(test_steps_without_memory_drop_what_has_no_room),
        cmocka_unit_test(test_calls_without_memory_change_nothing),
        cmocka_unit_test(test_the_first_plane_and_body_without_memory_change_nothing),
        cmocka_unit_test(test_an_empty_world_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
