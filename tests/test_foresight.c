// What is foreseen for many substeps, against a search in each of them.

#include "test.h"

#include <limits.h>

#include <scenes.h>

#include "world/pairs.h"

static void open_stage(pliant_stage *stage, pliant_scene **scene, const char *name)
{
    pliant_error error;
    *scene = scene_entry_find(name)->create(&error);
    assert_non_null(*scene);
    assert_int_equal(pliant_stage_open(stage, *scene, NULL, &error), PLIANT_OK);
}

static void step_stage(pliant_stage *stage, int count)
{
    for (int i = 0; i < count; ++i)
        pliant_stage_step(stage, 1.0f / 60.0f);
}

// That has fallen, and still moves.
static pliant_world *open_pile(pliant_stage *stage, pliant_scene **scene)
{
    open_stage(stage, scene, "pile");
    step_stage(stage, 100);
    return stage->world;
}

static void never_foresee(pliant_world *world)
{
    pli_forget_foresight(world);
    world->foresight.pause = INT_MAX;
}

// What a search finds now, compared with what has been found.
static int compare_with_search(const substep *s)
{
    pliant_world *world = s->world;
    foresight known = world->foresight;
    int count = world->pair_count;
    size_t size = (size_t)count * sizeof(particle_pair);
    particle_pair *found = malloc(size + 1);
    assert_non_null(found);
    memcpy(found, world->found_pairs, size);
    never_foresee(world);
    pli_find_pairs(s);
    assert_int_equal(world->pair_count, count);
    assert_memory_equal(world->found_pairs, found, size);
    world->foresight = known;
    free(found);
    return count;
}

// All go on a little; every `every`th goes elsewhere.
static void go_on(pliant_world *world, int every, float far, uint32_t *seed)
{
    for (int i = 0; i < world->particle_count; ++i) {
        vec3 way = world->move[i].way;
        world->start[i] = vec3_add(world->start[i], way);
        world->move[i].way = vec3_add(way, random_vec3(seed, i % every == 3 ? far : 0.0003f));
    }
}

static void test_strays(void **state)
{
    (void)state;
    pliant_scene *scene;
    pliant_stage stage;
    pliant_world *world = open_pile(&stage, &scene);
    const foresight *ahead = &world->foresight;
    substep s = {.world = world, .h = 1.0f / 300.0f, .iterations = 2, .remaining = 5};
    uint32_t seed = 3;
    for (int k = 0; k < world->active_count; ++k)
        assert_false(is_still(&world->bodies[world->active[k]]));

    pli_forget_foresight(world);
    world->foresight.length = world->foresight.pause = 0;
    pli_find_pairs(&s);
    assert_true(ahead->is_known && ahead->age == 1);
    assert_true(compare_with_search(&s) > 200);
    int known = ahead->pair_count;

    // Nobody strays, then some do, again and again, then many.
    const float far[] = {0.0003f, 0.2f, 0.4f, 0.3f};
    for (int i = 0; i < 4; ++i) {
        go_on(world, 211, far[i], &seed);
        pli_find_pairs(&s);
        assert_true(ahead->is_known && ahead->age == i + 2);
        compare_with_search(&s);
        assert_true(i == 0 ? ahead->pair_count == known && ahead->mended == 0
                           : ahead->pair_count > known && ahead->mended > 10 * i);
        known = ahead->pair_count;
    }
    go_on(world, 7, 0.04f, &seed);
    pli_find_pairs(&s);
    assert_true(ahead->is_known && ahead->age == 1 && ahead->mended == 0);
    compare_with_search(&s);

    // One that did not last: for a while there is a search each time.
    go_on(world, 7, 0.3f, &seed);
    pli_find_pairs(&s);
    assert_true(!ahead->is_known && ahead->pause > 0);
    compare_with_search(&s);
    while (ahead->pause > 0) {
        assert_false(ahead->is_known);
        go_on(world, INT_MAX, 0.0f, &seed);
        pli_find_pairs(&s);
    }
    pli_find_pairs(&s);
    assert_true(ahead->is_known);
    compare_with_search(&s);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

// A crowd that goes far in each substep, but together: without foresight it is searched in axes that go along, to the
// same result.
static void test_together(void **state)
{
    (void)state;
    pliant_scene *scene;
    pliant_stage stage;
    pliant_world *world = open_pile(&stage, &scene);
    substep s = {.world = world, .h = 1.0f / 300.0f, .iterations = 2, .remaining = 5};
    uint32_t seed = 7;
    for (int i = 0; i < 20; ++i) {
        vec3 together = random_vec3(&seed, 1.0f);
        for (int k = 0; k < world->active_count; ++k) {
            vec3 own = random_vec3(&seed, 0.01f);
            world->bodies[world->active[k]].drift = k == 0 ? own : vec3_add(own, together);
        }
        pli_forget_foresight(world);
        world->foresight.length = world->foresight.pause = 0;
        pli_find_pairs(&s);
        assert_true(vec3_length(world->together) == 0.0f);
        assert_true(compare_with_search(&s) > 200);
        assert_true(vec3_length(vec3_sub(world->together, together)) < 0.1f);
    }
    // One that is fast among many at rest is not the crowd.
    for (int k = 0; k < world->active_count; ++k)
        world->bodies[world->active[k]].drift = (vec3){k == 0 ? 1000.0f : 0.0f, 0, 0};
    never_foresee(world);
    pli_find_pairs(&s);
    assert_true(vec3_length(world->together) == 0.0f);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Things that happen to two worlds alike, one of which searches in each substep.

typedef struct twins {
    pliant_scene *scenes[2];
    pliant_stage one, other;
    int longest; // substeps that a foresight held
} twins;

static void open_twins(twins *t, const char *name)
{
    open_stage(&t->one, &t->scenes[0], name);
    open_stage(&t->other, &t->scenes[1], name);
    t->longest = 0;
}

static void close_twins(twins *t)
{
    pliant_stage_close(&t->one);
    pliant_stage_close(&t->other);
    pliant_scene_destroy(t->scenes[0]);
    pliant_scene_destroy(t->scenes[1]);
}

static void step_twins(twins *t, int count)
{
    for (int i = 0; i < count; ++i) {
        never_foresee(t->other.world);
        step_stage(&t->one, 1);
        step_stage(&t->other, 1);
        assert_true(pliant_world_hash(t->one.world) == pliant_world_hash(t->other.world));
        assert_int_equal(t->one.world->pair_count, t->other.world->pair_count);
        int age = t->one.world->foresight.age;
        t->longest = age > t->longest ? age : t->longest;
    }
}

static pliant_world *world_of(twins *t, int k)
{
    return k ? t->other.world : t->one.world;
}

static pliant_body_id id_of(const pliant_world *world, int slot)
{
    return (pliant_body_id){(uint32_t)slot, world->bodies[slot].generation};
}

// Every `every`th body.
static void pin_bodies(twins *t, int every, bool pinned)
{
    pliant_error error;
    for (int k = 0; k < 2; ++k) {
        pliant_world *world = world_of(t, k);
        for (int n = 0; n < world->active_count; n += every) {
            int slot = world->active[n];
            for (int i = 0; i < world->bodies[slot].model->source.particle_count; ++i)
                assert_int_equal(
                    pliant_body_set_pinned(world, id_of(world, slot), i, pinned, &error),
                    PLIANT_OK);
        }
    }
}

static void put_to_sleep(twins *t, int every, bool asleep)
{
    for (int k = 0; k < 2; ++k) {
        pliant_world *world = world_of(t, k);
        for (int n = 0; n < world->active_count; n += every)
            (asleep ? pliant_body_sleep : pliant_body_wake)(world, id_of(world, world->active[n]));
    }
}

// To where another body is, so that there is much to push apart.
static void put_into_each_other(twins *t, int from, int to)
{
    for (int k = 0; k < 2; ++k) {
        pliant_world *world = world_of(t, k);
        const body *b = &world->bodies[world->active[to]];
        pliant_pose pose = {world->x[b->particle_first], {0, 0, 0, 1}};
        pliant_body_reset(world, id_of(world, world->active[from]), pose);
    }
}

static void remove_and_add(twins *t, int n)
{
    pliant_error error;
    const pliant_model *model[2];
    for (int k = 0; k < 2; ++k) {
        pliant_world *world = world_of(t, k);
        model[k] = world->bodies[world->active[n]].model;
        pliant_world_remove_body(world, id_of(world, world->active[n]));
    }
    step_twins(t, 1);
    for (int k = 0; k < 2; ++k) {
        pliant_world *world = world_of(t, k);
        pliant_body_def def = pliant_default_body_def();
        def.model = model[k];
        def.position = (vec3){0.0f, 1.5f, 0.0f};
        pliant_body_id id = pliant_world_add_body(world, &def, &error);
        assert_true(id.generation > 0);
    }
}

static void spoil(twins *t, int n, vec3 velocity, vec3 spin)
{
    for (int k = 0; k < 2; ++k) {
        pliant_world *world = world_of(t, k);
        pliant_body_set_particle_velocity(world, id_of(world, world->active[n]), 0, velocity, spin);
    }
}

static void set_quality(twins *t, int substeps, int iterations)
{
    for (int k = 0; k < 2; ++k)
        pliant_world_set_quality(world_of(t, k), substeps, iterations);
}

static void put(twins *t, int n, vec3 position, bool asleep)
{
    for (int k = 0; k < 2; ++k) {
        pliant_world *world = world_of(t, k);
        pliant_body_id id = id_of(world, world->active[n]);
        pliant_body_reset(world, id, (pliant_pose){position, {0, 0, 0, 1}});
        if (asleep)
            pliant_body_sleep(world, id);
    }
}

// With `anew` the foresight is made while the change holds, so that it is as wrong as can be when that is taken back.
static void change_for_a_while(twins *t, void (*change)(twins *t, int every, bool on), bool anew)
{
    put_into_each_other(t, 6, 8);
    step_twins(t, 2);
    change(t, 2, true);
    if (anew)
        pli_forget_foresight(t->one.world);
    step_twins(t, 4);
    change(t, 2, false);
    step_twins(t, 6);
}

static void test_changes(void **state)
{
    (void)state;
    twins t;
    open_twins(&t, "pile");
    step_twins(&t, FULL_LENGTH ? 120 : 40);
    remove_and_add(&t, t.one.world->active_count - 1);
    step_twins(&t, 6);
    remove_and_add(&t, 5);
    step_twins(&t, 6);
    for (int k = 0; k < 2; ++k) {
        change_for_a_while(&t, pin_bodies, k);
        change_for_a_while(&t, put_to_sleep, k);
    }
    set_quality(&t, 2, 3);
    step_twins(&t, 6);
    spoil(&t, 9, (vec3){INFINITY, 0, 0}, (vec3){0, 0, 0});
    step_twins(&t, 3);
    assert_int_equal(pliant_world_report(t.one.world).frozen_bodies, 1);
    put_into_each_other(&t, 9, 11);
    step_twins(&t, 6);
    assert_true(t.longest >= 10);
    close_twins(&t);
}

static void test_snapshots(void **state)
{
    (void)state;
    twins t;
    pliant_error error;
    open_twins(&t, "pile");
    step_twins(&t, FULL_LENGTH ? 90 : 40);
    size_t size = pliant_world_snapshot_size(t.one.world);
    void *kept = malloc(size);
    assert_non_null(kept);
    pliant_world_snapshot(t.one.world, kept);
    // Pairs of what is pinned when the foresight is made are missing from it.
    pin_bodies(&t, 1, true);
    pli_forget_foresight(t.one.world);
    step_twins(&t, 2);
    for (int k = 0; k < 2; ++k)
        assert_int_equal(pliant_world_restore(world_of(&t, k), kept, size, &error), PLIANT_OK);
    step_twins(&t, 10);
    free(kept);
    close_twins(&t);
}

// Bodies fall asleep one after another, and what falls on them wakes them.
static void test_sleepers(void **state)
{
    (void)state;
    twins t;
    open_twins(&t, "pile");
    step_twins(&t, FULL_LENGTH ? 420 : 30);
    if (!FULL_LENGTH)
        put_to_sleep(&t, 1, true);
    step_twins(&t, 2);
    assert_true(pliant_world_report(t.one.world).sleeping_bodies > 0);
    put_into_each_other(&t, 3, 60);
    step_twins(&t, 30);
    close_twins(&t);
}

// One is lost while its spheres hold, another comes to it asleep, the first comes back: now there are pairs.
static void test_thaw(void **state)
{
    (void)state;
    twins t;
    const vec3 above = {0.0f, 4.0f, 0.0f}, beside = {0.02f, 4.05f, 0.0f};
    open_twins(&t, "pile");
    set_quality(&t, 1, 5);
    for (int k = 0; k < 2; ++k)
        for (pliant_world *world = world_of(&t, k); world->active_count > 8;)
            pliant_world_remove_body(world, id_of(world, world->active[world->active_count - 1]));
    step_twins(&t, 100);
    for (int k = 0; k < 2; ++k) // what damps the shape would spread the spin at once
        pliant_body_set_damping(world_of(&t, k), id_of(world_of(&t, k), 3), 0.0f, 0.0f, 0.0f);
    put(&t, 3, above, false);
    put(&t, 5, (vec3){1.0f, 4.0f, 0.0f}, false);
    put(&t, 1, (vec3){-1.0f, 4.0f, 0.0f}, false); // stays awake
    pli_forget_foresight(t.one.world);
    t.one.world->foresight.length = t.one.world->foresight.pause = 0;
    step_twins(&t, 1);
    spoil(&t, 3, (vec3){0, 0, 0}, (vec3){NAN, 0, 0});
    step_twins(&t, 1);
    assert_true(t.one.world->foresight.is_known);
    assert_int_equal(pliant_world_report(t.one.world).frozen_bodies, 1);
    put(&t, 5, beside, true);
    step_twins(&t, 1);
    assert_true(t.one.world->foresight.is_known && t.one.world->foresight.mended > 0);
    put(&t, 3, above, false);
    step_twins(&t, 10);
    close_twins(&t);
}

// Three long particles that hold together softly.
static pliant_model *propeller(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_edge_def joint = pliant_default_edge_def();
    for (int i = 0; i < 3; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = (vec3){0.3f * (float)(i - 1), 0.02f * (float)(i % 2), 0.0f};
        def.radii = (vec3){0.2f, 0.04f, 0.04f};
        pliant_builder_add_particle(builder, &def);
        joint.a = i;
        joint.b = (i + 1) % 3;
        pliant_builder_add_edge(builder, &joint);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    return model;
}

// The first two turn beside each other, the others stand far apart.
static pliant_world *open_propellers(const pliant_model *model)
{
    pliant_world_def world_def = pliant_default_world_def();
    world_def.gravity = (vec3){0, 0, 0};
    world_def.sleep_speed = 0.0f;
    pliant_world *world = pliant_world_create(&world_def, NULL);
    for (int i = 0; i < 200; ++i) {
        pliant_body_def def = pliant_default_body_def();
        def.model = model;
        def.position.x = i < 2 ? 0.6f * (float)i : 3.0f * (float)i;
        def.angular_velocity = (vec3){0.0f, 0.0f, i == 0 ? 2.0f : i == 1 ? 1.4f : 0.0f};
        pliant_world_add_body(world, &def, NULL);
    }
    return world;
}

// Where few pairs are foreseen, all that is looked at is made for their particles alone: shapes that turn would tell.
static void test_few_pairs(void **state)
{
    (void)state;
    pliant_model *model = propeller();
    pliant_world *one = open_propellers(model), *other = open_propellers(model);
    int meeting = 0, apart = 0;
    for (int i = 0; i < 120; ++i) {
        never_foresee(other);
        pliant_world_step(one, 1.0f / 60.0f);
        pliant_world_step(other, 1.0f / 60.0f);
        assert_true(pliant_world_hash(one) == pliant_world_hash(other));
        assert_int_equal(one->pair_count, other->pair_count);
        bool are_few = one->foresight.is_known && one->foresight.pair_count > 0 &&
                       one->foresight.pair_count < one->particle_count / 64;
        meeting += are_few && one->pair_count > 0;
        apart += are_few && one->pair_count == 0;
    }
    assert_true(meeting > 10 && apart > 10);
    pliant_world_destroy(one);
    pliant_world_destroy(other);
    pliant_model_destroy(model);
}

// With dents, hinges, and bodies that are driven.
static void test_scenes(void **state)
{
    (void)state;
    static const char *const names[] = {"crash", "truck", "reef", "octopuses"};
    for (int k = 0; k < 4; ++k) {
        twins t;
        open_twins(&t, names[k]);
        step_twins(&t, FULL_LENGTH ? 90 : 20);
        close_twins(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strays),    cmocka_unit_test(test_together),
        cmocka_unit_test(test_changes),   cmocka_unit_test(test_snapshots),
        cmocka_unit_test(test_sleepers),  cmocka_unit_test(test_thaw),
        cmocka_unit_test(test_few_pairs), cmocka_unit_test(test_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
