// Who is looked at when pairs are searched: far sleepers are left out, and nothing depends on it.

#include "solids.h"
#include "world/world.h"

enum { SLEEPERS = 120, BALLS = 6 };

// Blocks that sleep in rows on the ground, and balls that fly and roll among them.
typedef struct field {
    pliant_world *world;
    pliant_model *block, *ball;
    pliant_body_id blocks[SLEEPERS], balls[BALLS];
} field;

static field open_field(void)
{
    field f = {0};
    lattice l = lattice_of(3, 2, 3);
    pliant_world_def def = pliant_default_world_def();
    pliant_plane_def plane = pliant_default_plane_def();
    f.world = pliant_world_create(&def, NULL);
    f.block = lattice_model(&l);
    f.ball = particle_model((vec3){0.2f, 0.2f, 0.2f}, 2.0f);
    pliant_world_add_plane(f.world, &plane, NULL);
    for (int i = 0; i < SLEEPERS; ++i) {
        pliant_body_def thing = pliant_default_body_def();
        thing.model = f.block;
        thing.position = (vec3){(float)(i % 12), 0.1f, (float)(i / 12)};
        f.blocks[i] = add_thing(f.world, &thing);
    }
    return f;
}

static void close_field(field *f)
{
    pliant_world_destroy(f->world);
    pliant_model_destroy(f->block);
    pliant_model_destroy(f->ball);
}

static void throw_ball(field *f, int i)
{
    pliant_body_def thing = pliant_default_body_def();
    thing.model = f->ball;
    thing.position = (vec3){-2.0f, 0.5f, 1.5f * (float)i};
    thing.linear_velocity = (vec3){4.0f + (float)i, 2.0f, 0.3f * (float)i};
    f->balls[i] = add_thing(f->world, &thing);
}

// Every sleeper is near everything then.
static void look_at_all(pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k)
        world->bodies[world->active[k]].pair_margin = 1e4f;
    for (int i = 0; i < world->body_tree.used; ++i)
        world->body_tree.nodes[i].bounds = box_grown(world->body_tree.nodes[i].bounds, 1e4f);
}

// Every change that a foresight has to notice: who comes, goes, wakes, is pinned.
static void change(field *f, int step)
{
    if (step % 40 == 5 && step / 40 < BALLS)
        throw_ball(f, step / 40);
    if (step == 130)
        pliant_world_remove_body(f->world, f->balls[1]);
    if (step == 140)
        pliant_world_remove_body(f->world, f->blocks[40]);
    if (step == 150)
        throw_ball(f, 1);
    if (step == 160)
        pliant_body_wake(f->world, f->blocks[100]);
    if (step == 170)
        pliant_body_set_pinned(f->world, f->blocks[60], 0, true, NULL);
    if (step == 180)
        pliant_body_reset(f->world, f->balls[2], (pliant_pose){{5.5f, 1.0f, 5.5f}, {0, 0, 0, 1}});
}

static void test_nothing_depends_on_who_is_left_out(void **state)
{
    (void)state;
    field one = open_field(), other = open_field();
    int left_out = 0, woken = 0, pairs = 0;
    for (int i = 0; i < SLEEPERS; ++i) {
        pliant_body_sleep(one.world, one.blocks[i]);
        pliant_body_sleep(other.world, other.blocks[i]);
    }
    for (int step = 0; step < 260; ++step) {
        change(&one, step);
        change(&other, step);
        look_at_all(other.world);
        pliant_world_step(one.world, DT);
        pliant_world_step(other.world, DT);
        assert_true(pliant_world_hash(one.world) == pliant_world_hash(other.world));
        assert_int_equal(one.world->pair_count, other.world->pair_count);
        left_out += one.world->searched.count < other.world->searched.count / 2;
        woken += pliant_world_report(one.world).sleeping_bodies < SLEEPERS - 5;
        pairs += one.world->pair_count;
    }
    assert_true(left_out > 50 && woken > 50 && pairs > 100);
    close_field(&one);
    close_field(&other);
}

// One that comes far away from sleepers is searched alone, with what was there before it.
static void test_far_sleepers_are_left_out(void **state)
{
    (void)state;
    field f = open_field();
    for (int i = 0; i < SLEEPERS; ++i)
        pliant_body_sleep(f.world, f.blocks[i]);
    pliant_body_def thing = pliant_default_body_def();
    thing.model = f.block;
    thing.position = (vec3){50.0f, 1.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        thing.position.z += 0.7f;
        add_thing(f.world, &thing);
        pliant_world_step(f.world, DT);
        assert_int_equal(f.world->searched.count, 18 * (i + 1));
        assert_int_equal(f.world->searched.run_count, 1);
    }
    // One more stands just above a sleeper, far from the others in the arrays.
    thing.position = (vec3){2.0f, 0.52f, 3.0f};
    add_thing(f.world, &thing);
    pliant_world_step(f.world, DT);
    assert_in_range(f.world->searched.count, 18 * 5, 18 * 14);
    assert_in_range(f.world->searched.run_count, 2, 10);
    close_field(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_depends_on_who_is_left_out),
        cmocka_unit_test(test_far_sleepers_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
