// Contacts of every instruction set against the reference, bit for bit.

#include "bodies.h"
#include "reference_kernels.h"

enum { BODIES = 4, STEPS = 90 };

typedef struct scene {
    pliant_world *world;
    pliant_body_id bodies[BODIES];
} scene;

// A soft block of ellipsoids of many sizes, one of them pinned; not a multiple of eight.
static pliant_model *ellipsoids_model(void)
{
    uint32_t random = 11;
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int p = 0; p < 45; ++p) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position =
            (vec3){0.2f * (float)(p / 15), 0.2f * (float)(p / 5 % 3), 0.2f * (float)(p % 5)};
        def.orientation = random_quat(&random);
        def.radii =
            (vec3){random_between(&random, 0.05f, 0.12f), random_between(&random, 0.05f, 0.12f),
                   random_between(&random, 0.02f, 0.12f)};
        def.mass = random_between(&random, 0.05f, 0.4f);
        def.stiffness = 0.6f;
        pliant_builder_add_particle(builder, &def);
    }
    for (int a = 0; a < 45; ++a)
        for (int b = a + 1; b < 45; ++b) {
            vec3 d = vec3_sub(pliant_builder_particle(builder, a)->position,
                              pliant_builder_particle(builder, b)->position);
            if (vec3_length(d) < 0.3f)
                pliant_builder_add_edge(builder, &(pliant_edge_def){a, b, 0.0f, 0.0f, false, 0.0f});
        }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    return model;
}

static pliant_model *particle_model(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def def = pliant_default_particle_def();
    def.radii = (vec3){0.2f, 0.1f, 0.15f};
    pliant_builder_add_particle(builder, &def);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    return model;
}

static void add_plane(pliant_world *world, vec3 normal, float friction, float restitution)
{
    pliant_plane_def def = pliant_default_plane_def();
    def.normal = normal;
    def.friction = friction;
    def.restitution = restitution;
    pliant_world_add_plane(world, &def, NULL);
}

static void add_box(pliant_world *world, const pliant_shape *shape, vec3 position, quat orientation,
                    vec3 velocity)
{
    pliant_collider_def def = pliant_default_collider_def();
    def.shape = shape;
    def.position = position;
    def.orientation = orientation;
    def.linear_velocity = velocity;
    pliant_world_add_collider(world, &def, NULL);
}

// A corner of two walls, a floor that tilts and slopes, boxes in it, and bodies that fall and fly in.
static scene scene_of(const kernels *table, pliant_model *const *models, const pliant_shape *shape)
{
    static const vec3 places[BODIES] = {
        {0.2f, 0.5f, 0.2f}, {1.0f, 0.4f, 0.5f}, {0.3f, 1.8f, 1.6f}, {0.9f, 1.6f, 0.6f}};
    static const vec3 velocities[BODIES] = {
        {-6.0f, -5.0f, -4.0f}, {1.0f, -2.0f, 0.0f}, {-1.0f, -3.0f, 2.0f}, {-60.0f, -70.0f, -50.0f}};
    scene s = {0};
    pliant_world_def def = pliant_default_world_def();
    def.sleep_speed = 0.0f;
    def.gravity = (vec3){-6.0f, -9.0f, -7.0f};
    s.world = pliant_world_create(&def, NULL);
    s.world->kernels = table;
    for (int i = 0; i < BODIES; ++i) {
        pliant_body_def b = pliant_default_body_def();
        b.model = models[i];
        b.position = places[i];
        b.orientation = quat_exp((vec3){0.3f * (float)i, 0.2f, 0.1f});
        b.linear_velocity = velocities[i];
        b.restitution = i % 2 == 0 ? 0.6f : 0.0f;
        b.friction = 0.3f * (float)(i + 1);
        s.bodies[i] = pliant_world_add_body(s.world, &b, NULL);
    }
    pliant_body_set_pinned(s.world, s.bodies[1], 7, true, NULL);
    const quat straight = {0, 0, 0, 1};
    add_plane(s.world, (vec3){1, 0, 0}, 0.5f, 0.0f);
    add_plane(s.world, (vec3){0.1f, 0, 1}, 0.0f, 0.3f);
    add_plane(s.world, (vec3){0, 1, 0}, 0.6f, 0.0f);
    for (int k = 0; k < 5; ++k)
        add_plane(s.world, (vec3){0.1f * (float)k, 1, 0.4f - 0.1f * (float)k}, 0.6f, 0.0f);
    pliant_collider_set_velocity(s.world, (pliant_collider_id){2, 1}, (vec3){0.1f, 0, 0.2f},
                                 (vec3){0.05f, 0, 0.02f});
    add_box(s.world, shape, (vec3){0.05f, 0.1f, 1.0f}, quat_exp((vec3){0.2f, 0.5f, 0}),
            (vec3){0, 0, 0});
    add_box(s.world, shape, (vec3){0.9f, 0.05f, 0.1f}, straight, (vec3){0, 0, 0});
    add_box(s.world, shape, (vec3){1.0f, 0.1f, 1.2f}, quat_exp((vec3){0.5f, 0, 0.5f}),
            (vec3){0, 0, 0});
    add_box(s.world, shape, (vec3){2.5f, 0.3f, 0.5f}, straight, (vec3){-2.0f, 0, 0.1f});
    return s;
}

#define assert_same(a, b, count) assert_memory_equal(a, b, (size_t)(count) * sizeof *(a))

static void assert_same_contacts(const pliant_world *a, const pliant_world *b, int slot)
{
    const body *one = &a->bodies[slot], *two = &b->bodies[slot];
    assert_int_equal(one->contact_count, two->contact_count);
    for (int k = 0; k < one->contact_count; ++k) {
        const contact *c = &a->contacts[one->contact_first + k];
        const contact *d = &b->contacts[two->contact_first + k];
        assert_int_equal(c->particle, d->particle);
        assert_int_equal(c->collider, d->collider);
        assert_int_equal(c->colour, d->colour);
        assert_int_equal(c->overlaps, d->overlaps);
        assert_same(&c->normal, &d->normal, 1);
        assert_same(&c->surface_way, &d->surface_way, 1);
        assert_same(&c->slack, &d->slack, 5);
        assert_same(&c->normal_impulse, &d->normal_impulse, 4);
    }
}

static void assert_same_worlds(const pliant_world *a, const pliant_world *b)
{
    int n = a->particle_count;
    assert_same(a->x, b->x, n);
    assert_same(a->x_low, b->x_low, n);
    assert_same(a->turn, b->turn, n);
    assert_same(a->v, b->v, n);
    assert_same(a->spin, b->spin, n);
    for (int i = 0; i < BODIES; ++i)
        assert_same_contacts(a, b, i);
}

// What has happened, so that the comparison means something.
typedef struct tally {
    int points, bounces, colours[CONTACT_COLOURS + 1], carried, sliding, odd_batches;
} tally;

static void count_contacts(tally *t, const pliant_world *world)
{
    for (int i = 0; i < BODIES; ++i) {
        const body *b = &world->bodies[i];
        t->odd_batches += (b->contact_count - b->lone_contact_count) % LANES != 0;
        for (int k = 0; k < b->contact_count; ++k) {
            const contact *c = &world->contacts[b->contact_first + k];
            if (b->model->answers_rigidly[c->particle - b->particle_first])
                continue;
            t->colours[c->colour] += 1;
            if (!(c->normal_impulse > 0.0f))
                continue;
            float most = c->friction * c->normal_impulse;
            t->points += 1;
            t->bounces += c->lands;
            t->carried += c->surface_way.x != 0.0f;
            t->sliding += most > 0.0f && vec3_length(c->friction_impulse) > 0.999f * most;
        }
    }
}

static void compare(const kernels *table)
{
    lattice l = lattice_of(3, 3, 3);
    l.is_rigid = true;
    pliant_model *soft = ellipsoids_model(), *rigid = lattice_model(&l), *one = particle_model();
    pliant_model *const models[BODIES] = {soft, soft, rigid, one};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    def.half_size = (vec3){0.25f, 0.15f, 0.2f};
    pliant_shape *shape = pliant_shape_create(&def, NULL, NULL);
    kernels reference = reference_kernels();
    scene expected = scene_of(&reference, models, shape), actual = scene_of(table, models, shape);
    tally t = {0};
    for (int i = 0; i < STEPS; ++i) {
        pliant_world_step(expected.world, 1.0f / 60.0f);
        pliant_world_step(actual.world, 1.0f / 60.0f);
        assert_same_worlds(expected.world, actual.world);
        count_contacts(&t, expected.world);
    }
    print_message(
        "%s: %d contacts, %d bounce, %d carried, %d slide, colours %d %d %d %d, beyond %d\n",
        table->name, t.points, t.bounces, t.carried, t.sliding, t.colours[0], t.colours[1],
        t.colours[2], t.colours[3], t.colours[4]);
    assert_true(t.points > 500 && t.bounces > 0 && t.carried > 0 && t.sliding > 0 &&
                t.odd_batches > 0);
    for (int k = 0; k <= CONTACT_COLOURS; ++k)
        assert_true(t.colours[k] > 0);
    assert_int_equal(pliant_world_report(expected.world).frozen_bodies, 0);
    pliant_world_destroy(expected.world);
    pliant_world_destroy(actual.world);
    pliant_shape_destroy(shape);
    pliant_model_destroy(soft);
    pliant_model_destroy(rigid);
    pliant_model_destroy(one);
}

static void test_plain_kernels(void **state)
{
    (void)state;
    compare(pli_kernels_plain);
}

static void test_best_kernels(void **state)
{
    (void)state;
    compare(pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_kernels),
        cmocka_unit_test(test_best_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
