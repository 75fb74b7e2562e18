// Events and contacts: told once, of the right things, in a fixed order.

#include "solids.h"

static const pliant_vec3 ZERO = {0, 0, 0};

enum { MANY = 4096 };

// All events of a run.
typedef struct diary {
    pliant_event events[MANY];
    int steps[MANY];
    int count;
} diary;

static void write_down(diary *d, const pliant_world *world, int step)
{
    const pliant_event *events = pliant_world_events(world);
    for (int i = 0; i < pliant_world_event_count(world) && d->count < MANY; ++i) {
        d->events[d->count] = events[i];
        d->steps[d->count++] = step;
    }
    assert_int_equal(pliant_world_report(world).dropped_events, 0);
}

static void run_and_write(diary *d, pliant_world *world, double seconds)
{
    for (int i = 0; i < (int)(seconds / (double)DT + 0.5); ++i) {
        pliant_world_step(world, DT);
        write_down(d, world, i);
    }
}

static int count_of(const diary *d, pliant_event_kind kind)
{
    int count = 0;
    for (int i = 0; i < d->count; ++i)
        count += d->events[i].kind == kind;
    return count;
}

static const pliant_event *first_of(const diary *d, pliant_event_kind kind)
{
    for (int i = 0; i < d->count; ++i)
        if (d->events[i].kind == kind)
            return &d->events[i];
    fail_msg("no event of kind %d", kind);
    return NULL;
}

static bool is_body(pliant_body_id a, pliant_body_id b)
{
    return a.index == b.index && a.generation == b.generation;
}

static bool is_collider(pliant_collider_id a, pliant_collider_id b)
{
    return a.index == b.index && a.generation == b.generation;
}

static const pliant_body_id NO_BODY = {0, 0};
static const pliant_collider_id NO_COLLIDER = {0, 0};

static void check_end(const pliant_event *e)
{
    assert_int_equal(e->particle, -1);
    assert_int_equal(e->other_particle, -1);
    assert_true(e->speed == 0.0f && vec3_length(e->point) == 0.0f &&
                vec3_length(e->normal) == 0.0f);
}

// ---------------------------------------------------------------------------------------------
// At colliders

static void test_landing_is_told_once(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        diary *d = calloc(1, sizeof *d);
        ground g = ground_of(kind);
        setup s = particle_setup((vec3){0.2f, 0.2f, 0.2f});
        s.body_def.position = (vec3){0, 1.2f, 0};
        setup_open(&s);
        // The ids are not 0: fields that are would be found out.
        pliant_plane_def far = pliant_default_plane_def();
        far.offset = -100.0f;
        pliant_world_add_plane(s.world, &far, NULL);
        pliant_collider_id collider = add_ground(s.world, &g);
        run_and_write(d, s.world, 4.0);
        assert_true(pliant_body_is_asleep(s.world, s.body));
        assert_int_equal(d->count, 2);
        assert_int_equal(d->events[0].kind, PLIANT_EVENT_BEGIN);
        assert_int_equal(d->events[1].kind, PLIANT_EVENT_IMPACT);
        assert_int_equal(d->steps[0], d->steps[1]);
        assert_near(d->steps[0] * (double)DT, sqrt(2.0 / 9.81), 2.0 * (double)DT);
        for (int i = 0; i < 2; ++i) {
            const pliant_event *e = &d->events[i];
            assert_true(is_body(e->body, s.body) && is_body(e->other_body, NO_BODY));
            assert_true(is_collider(e->collider, collider));
            assert_int_equal(e->particle, 0);
            assert_int_equal(e->other_particle, -1);
            assert_near(vec3_length(e->point), 0.0, 0.02);
            assert_near(e->normal.y, 1.0, 1e-4);
            assert_near(e->speed, sqrt(2.0 * 9.81), 0.05 * sqrt(2.0 * 9.81));
            assert_int_equal(e->attachment.generation, 0);
        }
        // It leaves, and comes back softly.
        d->count = 0;
        pliant_body_set_velocity(s.world, s.body, (vec3){0, 0.8f, 0}, ZERO);
        run_and_write(d, s.world, 3.0);
        assert_int_equal(d->count, 2);
        assert_int_equal(d->events[0].kind, PLIANT_EVENT_END);
        assert_true(is_body(d->events[0].body, s.body));
        assert_true(is_collider(d->events[0].collider, collider));
        assert_true(is_body(d->events[0].other_body, NO_BODY));
        check_end(&d->events[0]);
        assert_int_equal(d->events[1].kind, PLIANT_EVENT_BEGIN);
        assert_near(d->events[1].speed, 0.8, 0.08);
        setup_close(&s);
        pliant_shape_destroy(g.shape);
        free(d);
    }
}

// Nothing is told of a body that rests, asleep or not.
static void test_rest_is_not_told(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        for (int sleeps = 0; sleeps < 2; ++sleeps) {
            diary *d = calloc(1, sizeof *d);
            ground g = ground_of(kind);
            setup s =
                is_flat(kind) ? block_setup(true, 0.0f) : particle_setup((vec3){0.2f, 0.2f, 0.2f});
            if (!is_flat(kind))
                s.body_def.position.y = 0.2f;
            s.world_def.sleep_speed = sleeps ? 0.02f : 0.0f;
            setup_open(&s);
            pliant_collider_id collider = add_ground(s.world, &g);
            run(&s, 1.0, DT);
            run_and_write(d, s.world, 5.0);
            assert_int_equal(d->count, 0);
            assert_int_equal(pliant_body_is_asleep(s.world, s.body), sleeps);
            // Waking is no event either; when the ground goes there is nothing to end with.
            pliant_body_wake(s.world, s.body);
            run_and_write(d, s.world, 0.3);
            assert_int_equal(d->count, 0);
            pliant_world_remove_collider(s.world, collider);
            run_and_write(d, s.world, 0.3);
            assert_int_equal(d->count, 0);
            setup_close(&s);
            pliant_shape_destroy(g.shape);
            free(d);
        }
    }
}

static void test_bounces_begin_and_end_in_turn(void **state)
{
    (void)state;
    diary *d = calloc(1, sizeof *d);
    ground g = ground_of(PLIANT_SHAPE_BOX);
    setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
    s.body_def.position = (vec3){0, 1.1f, 0};
    s.body_def.restitution = 0.5f;
    setup_open(&s);
    add_ground(s.world, &g);
    run_and_write(d, s.world, 4.0);
    double speed = sqrt(2.0 * 9.81);
    int begins = 0, impacts = 0;
    for (int i = 0; i < d->count; ++i) {
        const pliant_event *e = &d->events[i];
        if (e->kind == PLIANT_EVENT_END) {
            assert_int_equal(count_of(d, PLIANT_EVENT_BEGIN) > 0, 1);
            begins -= 1;
        } else if (e->kind == PLIANT_EVENT_BEGIN) {
            begins += 1;
        } else {
            // 4.4, 2.2 and 1.1 m/s; the next is slower than impact_speed.
            assert_near(e->speed, speed * pow(0.5, impacts), 0.06 * speed * pow(0.5, impacts));
            impacts += 1;
        }
        assert_true(begins == 0 || begins == 1);
    }
    assert_int_equal(begins, 1);
    assert_int_equal(impacts, 3);
    assert_true(count_of(d, PLIANT_EVENT_BEGIN) >= 4);
    setup_close(&s);
    pliant_shape_destroy(g.shape);
    free(d);
}

// A body of many particles is one: its hardest contact is told.
static void test_many_particles_make_one_event(void **state)
{
    (void)state;
    diary *d = calloc(1, sizeof *d);
    ground g = ground_of(PLIANT_SHAPE_MESH);
    setup s = block_setup(true, 0.5f);
    s.body_def.orientation = quat_exp((vec3){0, 0, 0.1f}); // its left end is lower
    setup_open(&s);
    add_ground(s.world, &g);
    run_and_write(d, s.world, 2.0);
    assert_int_equal(count_of(d, PLIANT_EVENT_BEGIN) - count_of(d, PLIANT_EVENT_END), 1);
    const pliant_event *hit = first_of(d, PLIANT_EVENT_IMPACT);
    assert_true(hit->particle >= 0 && hit->particle < 18);
    assert_int_equal(hit->particle / 6, 0); // of the first layer along x
    assert_int_equal(hit->particle / 3 % 2, 0);
    for (int i = 1; i < d->count; ++i) // one of a kind in a step
        assert_false(d->steps[i] == d->steps[i - 1] && d->events[i].kind == d->events[i - 1].kind);
    setup_close(&s);
    pliant_shape_destroy(g.shape);
    free(d);
}

static void test_impact_speed_is_the_threshold(void **state)
{
    (void)state;
    static const float thresholds[] = {0.5f, 3.0f, 10.0f};
    ground g = ground_of(PLIANT_SHAPE_BOX);
    for (int k = 0; k < 3; ++k) {
        diary *d = calloc(1, sizeof *d);
        setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
        s.world_def.impact_speed = thresholds[k];
        s.body_def.position = (vec3){0, 1.1f, 0};
        setup_open(&s);
        add_ground(s.world, &g);
        run_and_write(d, s.world, 2.0);
        assert_int_equal(count_of(d, PLIANT_EVENT_BEGIN), 1);
        assert_int_equal(count_of(d, PLIANT_EVENT_IMPACT), thresholds[k] < 4.0f);
        setup_close(&s);
        free(d);
    }
    pliant_shape_destroy(g.shape);
}

// Wherever in a step or between two the landing falls: at the ground, or at a body that lies there.
static void test_one_impact_wherever_the_step_ends(void **state)
{
    (void)state;
    ground g = ground_of(PLIANT_SHAPE_BOX);
    for (int k = 0; k < 60; ++k) {
        diary *d = calloc(1, sizeof *d);
        double fall = 0.3 + 0.013 * k;
        setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
        s.body_def.position = (vec3){0, (float)fall + (k % 2 ? 0.3f : 0.1f), 0};
        setup_open(&s);
        add_ground(s.world, &g);
        pliant_body_def other = s.body_def;
        other.position.y = 0.1f;
        if (k % 2) {
            pliant_body_id id = add_thing(s.world, &other);
            pliant_body_set_pinned(s.world, id, 0, true, NULL);
        }
        run_and_write(d, s.world, sqrt(2.0 * fall / 9.81) + 0.1);
        assert_int_equal(count_of(d, PLIANT_EVENT_BEGIN), 1);
        assert_int_equal(count_of(d, PLIANT_EVENT_IMPACT), 1);
        assert_int_equal(count_of(d, PLIANT_EVENT_END), 0);
        double speed = sqrt(2.0 * 9.81 * fall);
        assert_near(first_of(d, PLIANT_EVENT_IMPACT)->speed, speed, 0.05 * speed);
        setup_close(&s);
        free(d);
    }
    pliant_shape_destroy(g.shape);
}

// A fast shot is told with its speed, and a wall that comes with its own.
static void test_speed_is_that_of_the_approach(void **state)
{
    (void)state;
    pliant_shape *wall = box_shape(2, 0.001f, 2);
    static const float balls[] = {-100.0f, 0.0f, -5.0f}, walls[] = {0.0f, 10.0f, 5.0f};
    for (int k = 0; k < 3; ++k) {
        diary *d = calloc(1, sizeof *d);
        setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
        s.world_def.gravity = ZERO;
        s.body_def.position = (vec3){0.3f, 1.0f, 0.2f};
        s.body_def.linear_velocity.y = balls[k];
        setup_open(&s);
        pliant_collider_def def = solid_def(wall, ZERO);
        def.linear_velocity.y = walls[k];
        add_solid(s.world, &def);
        run_and_write(d, s.world, 0.5);
        const pliant_event *hit = first_of(d, PLIANT_EVENT_IMPACT);
        assert_near(hit->speed, walls[k] - balls[k], 0.05 * (walls[k] - balls[k]));
        assert_near(hit->normal.y, 1.0, 1e-4);
        assert_int_equal(count_of(d, PLIANT_EVENT_IMPACT), 1);
        setup_close(&s);
        free(d);
    }
    pliant_shape_destroy(wall);
}

static void test_layers_that_do_not_meet_tell_nothing(void **state)
{
    (void)state;
    diary *d = calloc(1, sizeof *d);
    ground g = ground_of(PLIANT_SHAPE_BOX);
    setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
    s.body_def.position = (vec3){0, 0.5f, 0};
    s.body_def.layers = 2;
    setup_open(&s);
    pliant_collider_def def = ground_def(&g, quat_identity(), ZERO);
    def.mask = ~2u;
    add_solid(s.world, &def);
    pliant_body_def other = s.body_def;
    other.position.y = 0.7f;
    other.linear_velocity.y = -2.0f;
    other.mask = 1;
    add_thing(s.world, &other);
    run_and_write(d, s.world, 1.0);
    assert_int_equal(d->count, 0);
    assert_int_equal(pliant_world_contacts(s.world, NULL, 0), 0);
    setup_close(&s);
    pliant_shape_destroy(g.shape);
    free(d);
}

// ---------------------------------------------------------------------------------------------
// Between bodies

static void test_two_bodies_meet_and_part(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        for (int fast = 0; fast < 2; ++fast) {
            diary *d = calloc(1, sizeof *d);
            setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
            s.world_def.gravity = ZERO;
            s.world_def.restitution_threshold = 0.0f;
            s.body_def.restitution = 1.0f;
            s.body_def.friction = 0.0f;
            s.body_def.position = (vec3){turned ? 1.0f : -1.0f, 0, 0};
            setup_open(&s);
            pliant_body_def def = s.body_def;
            float speed = fast ? 80.0f : 3.0f;
            def.position.x = 0.0f;
            def.linear_velocity.x = turned ? speed : -speed;
            pliant_body_id other = add_thing(s.world, &def);
            run_and_write(d, s.world, 1.0);
            assert_int_equal(d->count, 3);
            assert_int_equal(d->events[0].kind, PLIANT_EVENT_BEGIN);
            assert_int_equal(d->events[1].kind, PLIANT_EVENT_IMPACT);
            assert_int_equal(d->events[2].kind, PLIANT_EVENT_END);
            for (int i = 0; i < 3; ++i) {
                const pliant_event *e = &d->events[i];
                assert_true(is_body(e->body, s.body) && is_body(e->other_body, other));
                assert_true(is_collider(e->collider, NO_COLLIDER));
                if (i == 2) {
                    check_end(e);
                    continue;
                }
                assert_int_equal(e->particle, 0);
                assert_int_equal(e->other_particle, 0);
                assert_near(e->speed, speed, 0.05 * speed);
                assert_near(e->normal.x, turned ? 1.0 : -1.0, 1e-4); // towards the first
                assert_near(e->point.x, turned ? 0.9 : -0.9, fast ? 0.3 : 0.05);
            }
            setup_close(&s);
            free(d);
        }
    }
}

// A sleeper on the ground is hit: only what is new is told.
static void test_hit_on_a_sleeper_tells_of_the_two_only(void **state)
{
    (void)state;
    diary *d = calloc(1, sizeof *d);
    ground g = ground_of(PLIANT_SHAPE_BOX);
    setup s = block_setup(true, 0.0f);
    setup_open(&s);
    add_ground(s.world, &g);
    run(&s, 2.0, DT);
    assert_true(pliant_body_is_asleep(s.world, s.body));
    pliant_model *ball = particle_model((vec3){0.1f, 0.1f, 0.1f}, 0.05f);
    pliant_body_def def = pliant_default_body_def();
    def.model = ball;
    def.position = (vec3){0, 0.8f, 0};
    pliant_body_id id = add_thing(s.world, &def);
    run_and_write(d, s.world, 0.4);
    assert_int_equal(d->count, 2);
    for (int i = 0; i < 2; ++i) {
        const pliant_event *e = &d->events[i];
        assert_int_equal(e->kind, i ? PLIANT_EVENT_IMPACT : PLIANT_EVENT_BEGIN);
        assert_true(is_body(e->body, s.body) && is_body(e->other_body, id));
        assert_near(e->normal.y, -1.0, 0.05); // down, towards the block
        assert_near(e->speed, sqrt(2.0 * 9.81 * 0.3), 0.12);
        assert_near(e->point.y, 0.4, 0.03);
    }
    assert_false(pliant_body_is_asleep(s.world, s.body));
    pliant_world_destroy(s.world);
    pliant_model_destroy(s.model);
    pliant_model_destroy(ball);
    pliant_shape_destroy(g.shape);
    free(d);
}

static void test_removed_bodies_are_forgotten(void **state)
{
    (void)state;
    diary *d = calloc(1, sizeof *d);
    ground g = ground_of(PLIANT_SHAPE_BOX);
    setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
    s.body_def.position = (vec3){0, 0.1f, 0};
    setup_open(&s);
    pliant_collider_id collider = add_ground(s.world, &g);
    pliant_body_def upper = s.body_def;
    upper.position.y = 0.3f;
    pliant_body_id two = add_thing(s.world, &upper);
    run_and_write(d, s.world, 0.5);
    assert_int_equal(count_of(d, PLIANT_EVENT_BEGIN), 2);
    // A new one in the first one's slot is another body: it begins anew, and the old one does not end.
    d->count = 0;
    pliant_world_remove_body(s.world, s.body);
    assert_int_equal(pliant_world_event_count(s.world), 0);
    pliant_body_id old = s.body;
    s.body = add_thing(s.world, &s.body_def);
    assert_int_equal(s.body.index, old.index);
    run_and_write(d, s.world, 0.5);
    assert_int_equal(count_of(d, PLIANT_EVENT_END), 0);
    assert_int_equal(count_of(d, PLIANT_EVENT_BEGIN), 2);
    for (int i = 0; i < d->count; ++i) {
        assert_true(is_body(d->events[i].body, s.body));
        assert_true(is_body(d->events[i].other_body, two) ||
                    is_collider(d->events[i].collider, collider));
    }
    // The same for a collider.
    d->count = 0;
    pliant_world_remove_collider(s.world, collider);
    pliant_collider_id next = add_ground(s.world, &g);
    assert_int_equal(next.index, collider.index);
    run_and_write(d, s.world, 0.3);
    assert_int_equal(count_of(d, PLIANT_EVENT_END), 0);
    assert_int_equal(count_of(d, PLIANT_EVENT_BEGIN), 1);
    assert_true(is_collider(d->events[0].collider, next));
    setup_close(&s);
    pliant_shape_destroy(g.shape);
    free(d);
}

// ---------------------------------------------------------------------------------------------
// Order

static diary *told_by_a_heap(bool is_backwards)
{
    diary *d = calloc(1, sizeof *d);
    ground g = ground_of(PLIANT_SHAPE_BOX);
    pliant_model *model = particle_model((vec3){0.15f, 0.1f, 0.12f}, 1.0f);
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&def, NULL);
    add_ground(world, &g);
    for (int i = 0; i < 40; ++i) {
        int at = is_backwards ? 39 - i : i;
        uint32_t random = 100 + (uint32_t)at;
        pliant_body_def body = pliant_default_body_def();
        body.model = model;
        body.position = (vec3){0.22f * (float)(at % 3), 0.3f + 0.2f * (float)(at / 9),
                               0.22f * (float)(at / 3 % 3)};
        body.orientation = random_quat(&random);
        add_thing(world, &body);
    }
    run_and_write(d, world, 2.0);
    assert_true(d->count > 100 && d->count < MANY);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    pliant_shape_destroy(g.shape);
    return d;
}

// Rising by body and then by what it touches: bodies first, then colliders.
static void test_order_is_fixed(void **state)
{
    (void)state;
    for (int backwards = 0; backwards < 2; ++backwards) {
        diary *d = told_by_a_heap(backwards), *again = told_by_a_heap(backwards);
        assert_int_equal(d->count, again->count);
        assert_memory_equal(d->events, again->events, (size_t)d->count * sizeof d->events[0]);
        for (int i = 0; i < d->count; ++i) {
            const pliant_event *e = &d->events[i];
            if (e->other_body.generation)
                assert_true(e->body.index < e->other_body.index);
            if (i == 0 || d->steps[i] != d->steps[i - 1])
                continue;
            const pliant_event *last = &d->events[i - 1];
            assert_true(last->body.index <= e->body.index);
            if (last->body.index < e->body.index)
                continue;
            bool same = last->other_body.index == e->other_body.index &&
                        is_collider(last->collider, e->collider);
            if (same) // one pair: it begins before it hits
                assert_true(last->kind == PLIANT_EVENT_BEGIN && e->kind == PLIANT_EVENT_IMPACT);
            else if (last->collider.generation)
                assert_true(e->collider.generation && last->collider.index < e->collider.index);
            else if (!e->collider.generation)
                assert_true(last->other_body.index < e->other_body.index);
        }
        // Each pair begins and ends in turn.
        static int8_t touching[64][64];
        memset(touching, 0, sizeof touching);
        for (int i = 0; i < d->count; ++i) {
            const pliant_event *e = &d->events[i];
            int8_t *t = &touching[e->body.index][e->collider.generation ? 63 : e->other_body.index];
            if (e->kind == PLIANT_EVENT_BEGIN)
                assert_int_equal((*t)++, 0);
            else if (e->kind == PLIANT_EVENT_END)
                assert_int_equal((*t)--, 1);
            else
                assert_int_equal(*t, 1);
        }
        free(d);
        free(again);
    }
}

static void test_restored_world_tells_the_same(void **state)
{
    (void)state;
    ground g = ground_of(PLIANT_SHAPE_MESH);
    setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
    s.body_def.position = (vec3){0, 0.3f, 0};
    s.body_def.restitution = 0.5f;
    setup_open(&s);
    add_ground(s.world, &g);
    pliant_body_def other = s.body_def;
    other.position.y = 0.55f;
    add_thing(s.world, &other);
    run(&s, 0.15, DT);
    size_t size = pliant_world_snapshot_size(s.world);
    void *picture = malloc(size);
    pliant_world_snapshot(s.world, picture);
    diary *d = calloc(2, sizeof *d);
    for (int round = 0; round < 2; ++round) {
        run_and_write(&d[round], s.world, 3.0);
        assert_int_equal(pliant_world_restore(s.world, picture, size, NULL), PLIANT_OK);
        assert_int_equal(pliant_world_event_count(s.world), 0);
    }
    assert_true(d[0].count > 3);
    assert_int_equal(d[0].count, d[1].count);
    assert_memory_equal(d[0].events, d[1].events, (size_t)d[0].count * sizeof d[0].events[0]);
    free(d);
    free(picture);
    setup_close(&s);
    pliant_shape_destroy(g.shape);
}

// ---------------------------------------------------------------------------------------------
// Contacts

// Mean over a few steps of the force that bears a body, N upwards.
static double borne(const setup *s, pliant_body_id who, int steps)
{
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        pliant_world_step(s->world, DT);
        pliant_contact contacts[64];
        int count = pliant_world_contacts(s->world, contacts, 64);
        pliant_report report = pliant_world_report(s->world);
        assert_int_equal(count, report.contacts + report.pairs);
        for (int k = 0; k < count; ++k) {
            const pliant_contact *c = &contacts[k];
            assert_near(vec3_length(c->normal), 1.0, 1e-4);
            assert_true(c->force > 0.0f);
            if (is_body(c->body, who))
                sum += (double)(c->force * c->normal.y);
            if (is_body(c->other_body, who))
                sum -= (double)(c->force * c->normal.y);
        }
    }
    return sum / steps;
}

static void test_contacts_bear_the_weight(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        for (int what = 0; what < 4; ++what) {
            if (what < 2 && !is_flat(kind))
                continue;
            ground g = ground_of(kind);
            setup s = what < 2    ? block_setup(what, 0.0f)
                      : what == 2 ? particle_setup((vec3){0.2f, 0.2f, 0.2f})
                                  : particle_setup((vec3){0.3f, 0.1f, 0.2f});
            s.world_def.sleep_speed = 0.0f;
            s.body_def.shape_damping = 0.9f;
            if (what >= 2)
                s.body_def.position.y = what == 2 ? 0.2f : 0.1f;
            setup_open(&s);
            pliant_collider_id collider = add_ground(s.world, &g);
            run(&s, 2.0, DT);
            double weight = 9.81 * pliant_body_motion(s.world, s.body).mass;
            assert_near(borne(&s, s.body, 30) / weight, 1.0, 0.01);
            pliant_contact contacts[64];
            int count = pliant_world_contacts(s.world, contacts, 64);
            assert_int_equal(count, what < 2 ? 9 : 1);
            for (int k = 0; k < count; ++k) {
                assert_true(is_collider(contacts[k].collider, collider));
                assert_int_equal(contacts[k].other_particle, -1);
                assert_true(is_body(contacts[k].other_body, NO_BODY));
                vec3 x = position_of(&s, contacts[k].particle);
                assert_near(contacts[k].point.x, x.x, 2e-3);
                assert_near(contacts[k].point.y, 0.0, 2e-3);
            }
            // A short array takes what fits, and nothing is written behind it.
            pliant_contact few[3] = {{.particle = 77}, {.particle = 77}, {.particle = 77}};
            assert_int_equal(pliant_world_contacts(s.world, few, 1), count);
            assert_memory_equal(&few[0], &contacts[0], sizeof few[0]);
            assert_int_equal(few[1].particle, 77);
            assert_int_equal(pliant_world_contacts(s.world, NULL, 0), count);
            setup_close(&s);
            pliant_shape_destroy(g.shape);
        }
    }
}

// Two balls on each other in a pipe: the lower bears both, the upper one itself.
static void test_stack_bears_what_lies_on_it(void **state)
{
    (void)state;
    ground g = ground_of(PLIANT_SHAPE_BOX);
    setup s = particle_setup((vec3){0.1f, 0.1f, 0.1f});
    s.world_def.sleep_speed = 0.0f;
    s.body_def.position.y = 0.3f; // the upper one comes first
    setup_open(&s);
    add_ground(s.world, &g);
    pliant_body_def def = s.body_def;
    def.position.y = 0.1f;
    pliant_body_id lower = add_thing(s.world, &def);
    run(&s, 0.5, DT);
    assert_near(borne(&s, s.body, 20), 9.81, 0.2);
    assert_near(borne(&s, lower, 20), 9.81, 0.2); // 2 m g from the ground, - m g from above
    pliant_contact contacts[4];
    assert_int_equal(pliant_world_contacts(s.world, contacts, 4), 2);
    // First those with colliders, then pairs.
    assert_true(is_body(contacts[0].body, lower));
    assert_near(contacts[0].force, 2.0 * 9.81, 0.4);
    assert_true(is_body(contacts[1].body, s.body) && is_body(contacts[1].other_body, lower));
    assert_near(contacts[1].normal.y, 1.0, 1e-3); // towards the upper one, which is the first
    assert_near(contacts[1].point.y, 0.2, 2e-3);
    assert_near(contacts[1].force, 9.81, 0.2);
    setup_close(&s);
    pliant_shape_destroy(g.shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_landing_is_told_once),
        cmocka_unit_test(test_rest_is_not_told),
        cmocka_unit_test(test_bounces_begin_and_end_in_turn),
        cmocka_unit_test(test_many_particles_make_one_event),
        cmocka_unit_test(test_impact_speed_is_the_threshold),
        cmocka_unit_test(test_one_impact_wherever_the_step_ends),
        cmocka_unit_test(test_speed_is_that_of_the_approach),
        cmocka_unit_test(test_layers_that_do_not_meet_tell_nothing),
        cmocka_unit_test(test_two_bodies_meet_and_part),
        cmocka_unit_test(test_hit_on_a_sleeper_tells_of_the_two_only),
        cmocka_unit_test(test_removed_bodies_are_forgotten),
        cmocka_unit_test(test_order_is_fixed),
        cmocka_unit_test(test_restored_world_tells_the_same),
        cmocka_unit_test(test_contacts_bear_the_weight),
        cmocka_unit_test(test_stack_bears_what_lies_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
