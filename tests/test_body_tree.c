// The tree of bodies, against a look at every one of them, in worlds that change in every way.

#include "solids.h"
#include "world/body_tree.h"

enum { MOST = 60, SHAPES = 5, ROUNDS = 300, QUESTIONS = 12 };

typedef struct crowd {
    pliant_world *world;
    pliant_model *ball, *block;
    pliant_shape *shapes[SHAPES];
    pliant_body_id bodies[MOST];
    pliant_collider_id colliders[MOST];
    void *snapshot; // while nobody has come or gone
    size_t snapshot_size;
} crowd;

static crowd open_crowd(void)
{
    crowd c = {0};
    pliant_world_def def = pliant_default_world_def();
    lattice l = lattice_of(2, 2, 3);
    c.world = pliant_world_create(&def, NULL);
    c.ball = particle_model((vec3){0.3f, 0.2f, 0.1f}, 1.0f);
    c.block = lattice_model(&l);
    c.shapes[0] = ball_shape(0.3f);
    c.shapes[1] = box_shape(0.2f, 0.3f, 0.4f);
    c.shapes[2] = capsule_shape(0.2f, 0.5f);
    c.shapes[3] = mesh_shape(1.0f, 3, 0.2f);
    c.shapes[4] = field_shape(4, 0.5f, 0.3f);
    pliant_plane_def plane = pliant_default_plane_def();
    plane.offset = -3.0f;
    pliant_world_add_plane(c.world, &plane, NULL);
    return c;
}

static void close_crowd(crowd *c)
{
    free(c->snapshot);
    pliant_world_destroy(c->world);
    pliant_model_destroy(c->ball);
    pliant_model_destroy(c->block);
    for (int i = 0; i < SHAPES; ++i)
        pliant_shape_destroy(c->shapes[i]);
}

static void forget_snapshot(crowd *c)
{
    free(c->snapshot);
    c->snapshot = NULL;
}

static void change_body(crowd *c, int i, uint32_t *seed)
{
    pliant_pose pose = {random_vec3(seed, 4.0f), random_quat(seed)};
    if (!pliant_body_is_valid(c->world, c->bodies[i])) {
        pliant_body_def def = pliant_default_body_def();
        def.model = i % 2 ? c->ball : c->block;
        def.position = pose.position;
        def.orientation = pose.orientation;
        def.linear_velocity = random_vec3(seed, 3.0f);
        def.layers = 1u << i % 3;
        c->bodies[i] = pliant_world_add_body(c->world, &def, NULL);
        forget_snapshot(c);
        return;
    }
    switch (random_bits(seed) % 6) {
    case 0:
        pliant_world_remove_body(c->world, c->bodies[i]);
        forget_snapshot(c);
        break;
    case 1:
        pliant_body_reset(c->world, c->bodies[i], pose);
        break;
    case 2:
        pliant_body_set_particle_pose(c->world, c->bodies[i], i % 2 ? 0 : i % 12, pose);
        break;
    case 3:
        pliant_body_sleep(c->world, c->bodies[i]);
        break;
    default:
        pliant_body_set_velocity(c->world, c->bodies[i], random_vec3(seed, 5.0f),
                                 random_vec3(seed, 5.0f));
    }
}

static void change_collider(crowd *c, int i, uint32_t *seed)
{
    pliant_pose pose = {random_vec3(seed, 4.0f), random_quat(seed)};
    forget_snapshot(c);
    if (!pliant_collider_is_valid(c->world, c->colliders[i])) {
        pliant_collider_def def = solid_def(c->shapes[i % SHAPES], pose.position);
        def.orientation = pose.orientation;
        def.layers = 1u << i % 3;
        c->colliders[i] = pliant_world_add_collider(c->world, &def, NULL);
    } else if (random_bits(seed) % 3 == 0) {
        pliant_world_remove_collider(c->world, c->colliders[i]);
    } else {
        pliant_collider_set_velocity(c->world, c->colliders[i], random_vec3(seed, 1.0f),
                                     random_vec3(seed, 1.0f));
    }
}

static void keep_or_restore(crowd *c)
{
    if (c->snapshot) {
        assert_int_equal(pliant_world_restore(c->world, c->snapshot, c->snapshot_size, NULL),
                         PLIANT_OK);
        forget_snapshot(c);
        return;
    }
    c->snapshot_size = pliant_world_snapshot_size(c->world);
    c->snapshot = malloc(c->snapshot_size);
    pliant_world_snapshot(c->world, c->snapshot);
}

// All boxes hold everything: every leaf is visited.
static tree_node *open_boxes(box_tree *tree)
{
    tree_node *kept = tree->nodes;
    size_t size = (size_t)tree->capacity * sizeof *kept;
    tree->nodes = malloc(size + 1);
    for (int i = 0; i < tree->used; ++i) {
        tree->nodes[i] = kept[i];
        tree->nodes[i].bounds = (box){{-1e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f}};
    }
    return kept;
}

static void close_boxes(box_tree *tree, tree_node *kept)
{
    free(tree->nodes);
    tree->nodes = kept;
}

typedef struct asked {
    vec3 from, direction;
    float length;
    uint32_t mask;
} asked;

typedef struct answer {
    bool ray_found, point_found;
    pliant_hit ray, point;
} answer;

static void ask(const pliant_world *world, const asked *questions, answer *answers)
{
    memset(answers, 0, QUESTIONS * sizeof *answers);
    for (int k = 0; k < QUESTIONS; ++k) {
        const asked *q = &questions[k];
        answer *a = &answers[k];
        a->ray_found =
            pliant_world_ray_cast(world, q->from, q->direction, q->length, q->mask, &a->ray);
        a->point_found =
            pliant_world_closest_point(world, q->from, 0.2f * q->length, q->mask, &a->point);
    }
}

static int check_questions(crowd *c, uint32_t *seed)
{
    asked questions[QUESTIONS];
    answer by_tree[QUESTIONS], by_all[QUESTIONS];
    int found = 0;
    for (int k = 0; k < QUESTIONS; ++k)
        questions[k] = (asked){random_vec3(seed, k % 4 ? 4.0f : 400.0f), random_vec3(seed, 1.0f),
                               k % 3 ? random_between(seed, 0.0f, 9.0f) : INFINITY,
                               k % 2 ? UINT32_MAX : 1u << random_bits(seed) % 3};
    ask(c->world, questions, by_tree);
    tree_node *bodies = open_boxes(&c->world->body_tree);
    tree_node *colliders = open_boxes(&c->world->collider_tree);
    ask(c->world, questions, by_all);
    close_boxes(&c->world->body_tree, bodies);
    close_boxes(&c->world->collider_tree, colliders);
    assert_memory_equal(by_tree, by_all, sizeof by_all);
    for (int k = 0; k < QUESTIONS; ++k)
        found += by_tree[k].ray_found + by_tree[k].point_found;
    return found;
}

// Every body has a leaf whose box holds it; none is larger than it may be after a step.
static void check_places(const crowd *c)
{
    const pliant_world *world = c->world;
    assert_int_equal(world->body_tree.leaf_count, world->active_count);
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        const tree_node *leaf = &world->body_tree.nodes[b->leaf_plus_one - 1];
        box needed = pli_body_box(world, b);
        assert_int_equal(leaf->thing, world->active[k]);
        assert_true(box_contains(&leaf->bounds, &needed));
    }
}

static void test_finds_what_a_look_at_all_does(void **state)
{
    (void)state;
    crowd c = open_crowd();
    uint32_t seed = 7;
    int found = 0, asleep = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        for (int k = 0; k < 3; ++k)
            change_body(&c, (int)(random_bits(&seed) % MOST), &seed);
        if (round % 5 == 0)
            change_collider(&c, (int)(random_bits(&seed) % MOST), &seed);
        if (round % 7 == 0)
            keep_or_restore(&c);
        check_places(&c);
        found += check_questions(&c, &seed);
        pliant_world_step(c.world, DT);
        asleep += pliant_world_report(c.world).sleeping_bodies;
        check_places(&c);
        found += check_questions(&c, &seed);
    }
    assert_true(found > ROUNDS * QUESTIONS / 2);
    assert_true(asleep > ROUNDS);
    close_crowd(&c);
}

// Of equals the first is found, however the tree was built.
static void test_of_equals_the_first_is_found(void **state)
{
    (void)state;
    crowd c = open_crowd();
    uint32_t seed = 3;
    pliant_body_def def = pliant_default_body_def();
    pliant_collider_def solid = solid_def(c.shapes[1], (vec3){20, 0, 0});
    pliant_hit hit;
    def.model = c.block;
    def.mask = 0;
    for (int i = 0; i < MOST; ++i) {
        c.bodies[i] = pliant_world_add_body(c.world, &def, NULL);
        c.colliders[i] = pliant_world_add_collider(c.world, &solid, NULL);
    }
    for (int i = 0; i < MOST - 1; ++i) {
        pliant_body_reset(c.world, c.bodies[random_bits(&seed) % (MOST - i) + i],
                          (pliant_pose){{0, 0, 0}, {0, 0, 0, 1}});
        for (float x = 0.0f; x < 30.0f; x += 20.0f) {
            vec3 above = {x + 0.05f, 5.0f, 0.02f};
            assert_true(pliant_world_ray_cast(c.world, above, (vec3){0, -1, 0}, 9, 1, &hit));
            uint32_t index = x > 0.0f ? hit.collider.index : hit.body.index;
            assert_int_equal(index, x > 0.0f ? c.colliders[i].index : c.bodies[i].index);
            assert_true(pliant_world_closest_point(c.world, above, 9, 1, &hit));
            index = x > 0.0f ? hit.collider.index : hit.body.index;
            assert_int_equal(index, x > 0.0f ? c.colliders[i].index : c.bodies[i].index);
        }
        pliant_world_remove_body(c.world, c.bodies[i]);
        pliant_world_remove_collider(c.world, c.colliders[i]);
    }
    close_crowd(&c);
}

// A removed body wakes the sleepers that reach into its box, and no others; sleepers' boxes stay untouched.
static void test_wakes_who_is_near(void **state)
{
    (void)state;
    uint32_t seed = 11;
    int woken = 0;
    for (int round = 0; round < 40; ++round) {
        crowd c = open_crowd();
        pliant_body_def def = pliant_default_body_def();
        for (int i = 0; i < MOST; ++i) {
            def.model = i % 2 ? c.ball : c.block;
            def.position = random_vec3(&seed, 1.0f);
            def.layers = def.mask = 0;
            c.bodies[i] = pliant_world_add_body(c.world, &def, NULL);
        }
        pliant_world_step(c.world, DT);
        for (int i = 0; i < MOST; ++i)
            pliant_body_sleep(c.world, c.bodies[i]);
        size_t size = (size_t)c.world->body_tree.used * sizeof *c.world->body_tree.nodes;
        tree_node *kept = malloc(size);
        memcpy(kept, c.world->body_tree.nodes, size);
        for (int i = 0; i < 3; ++i)
            pliant_world_step(c.world, DT);
        assert_memory_equal(kept, c.world->body_tree.nodes, size);
        free(kept);
        box left = pli_body_box(c.world, &c.world->bodies[c.bodies[0].index]);
        bool is_near[MOST];
        for (int i = 1; i < MOST; ++i)
            is_near[i] = boxes_overlap(&left, &c.world->bodies[c.bodies[i].index].bounds);
        pliant_world_remove_body(c.world, c.bodies[0]);
        for (int i = 1; i < MOST; ++i) {
            assert_int_equal(pliant_body_is_asleep(c.world, c.bodies[i]), !is_near[i]);
            woken += is_near[i];
        }
        close_crowd(&c);
    }
    assert_in_range(woken, 40, 40 * MOST / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_what_a_look_at_all_does),
        cmocka_unit_test(test_of_equals_the_first_is_found),
        cmocka_unit_test(test_wakes_who_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
