// Going back over what came and went: a run in which bodies, colliders and attachments come, go, break, bend and fall asleep is
// taken back and played again. Every frame has the hash it had, every id names what it named; on any number of
// threads, in the same world and in a fresh one that only knows the models.

#include "bodies.h"
#include "counting.h"
#include "world/world.h"

#include <pliant/pool.h>

enum { FRAMES = 120, MOST_IDS = 64, EVERY = 10 };
enum { BLOCK, ROPE, BALL, BRITTLE, DOOR, MODELS };

typedef struct play {
    pliant_model *models[MODELS];
    pliant_shape *box, *ledge;
    pliant_world *world;
    // By the order in which they came.
    pliant_body_id bodies[MOST_IDS];
    pliant_collider_id colliders[MOST_IDS];
    pliant_attachment_id attachments[MOST_IDS];
    int body_count, collider_count, attachment_count;
} play;

// Where a play is: ids as they are known then, hashes of frames, and snapshots.
typedef struct record {
    play at[FRAMES + 1];
    uint64_t hashes[FRAMES + 1];
    uint8_t *snapshots[FRAMES + 1];
    size_t sizes[FRAMES + 1];
} record;

// Two leaves about an axis.
static pliant_model *door_model(void)
{
    static const vec3 places[] = {{0, 0, 0},          {0, 0.4f, 0},     {0.4f, 0, 0},
                                  {0.4f, 0.4f, 0.1f}, {-0.4f, 0, 0.1f}, {-0.4f, 0.4f, 0}};
    static const int32_t leaves[2][4] = {{0, 1, 2, 3}, {0, 1, 4, 5}};
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 6; ++i) {
        pliant_particle_def p = pliant_default_particle_def();
        p.position = places[i];
        pliant_builder_add_particle(builder, &p);
    }
    for (int k = 0; k < 2; ++k) {
        pliant_group_def leaf = {.members = leaves[k], .member_count = 4, .stiffness = 1.0f};
        pliant_builder_add_group(builder, &leaf);
    }
    pliant_hinge_def axis = {.group_a = 0, .group_b = 1, .particle_a = 0, .particle_b = 1};
    pliant_builder_add_hinge(builder, &axis);
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    return model;
}

static pliant_shape *box_of(float x, float y, float z)
{
    pliant_shape_def def = {.kind = PLIANT_SHAPE_BOX, .half_size = {x, y, z}};
    pliant_shape *shape = pliant_shape_create(&def, NULL, NULL);
    assert_non_null(shape);
    return shape;
}

static play open_play(pliant_pool *pool)
{
    lattice block = lattice_of(3, 2, 2), rope = lattice_of(8, 1, 1), ball = lattice_of(1, 1, 1),
            brittle = lattice_of(3, 2, 3);
    block.yield_strain = 0.05f;
    block.creep_rate = 0.5f;
    rope.pinned_columns = 1;
    rope.stretch = rope.torsion = 0.5f;
    brittle.is_rigid = true;
    brittle.dent_speed = 2.0f;
    play p = {.box = box_of(0.5f, 0.25f, 0.5f), .ledge = box_of(0.3f, 0.05f, 0.3f)};
    p.models[BLOCK] = lattice_model(&block);
    p.models[ROPE] = lattice_model(&rope);
    p.models[BALL] = lattice_model(&ball);
    p.models[BRITTLE] = lattice_model(&brittle);
    p.models[DOOR] = door_model();
    pliant_world_def def = pliant_default_world_def();
    if (pool) {
        def.parallel_for = pliant_pool_run;
        def.parallel_user_data = pool;
    }
    p.world = pliant_world_create(&def, NULL);
    return p;
}

static void close_play(play *p)
{
    pliant_world_destroy(p->world);
    for (int i = 0; i < MODELS; ++i)
        pliant_model_destroy(p->models[i]);
    pliant_shape_destroy(p->box);
    pliant_shape_destroy(p->ledge);
}

// ---------------------------------------------------------------------------------------------
// What happens

static pliant_body_id add(play *p, int model, vec3 position, vec3 velocity)
{
    pliant_body_def def = pliant_default_body_def();
    def.model = p->models[model];
    def.position = position;
    def.linear_velocity = velocity;
    def.restitution = model == BALL ? 0.6f : 0.0f;
    def.self_collision = model == ROPE;
    def.gyroscopic = model == BALL;
    pliant_body_id id = pliant_world_add_body(p->world, &def, NULL);
    assert_true(pliant_body_is_valid(p->world, id));
    p->bodies[p->body_count++] = id;
    return id;
}

static void add_box(play *p, const pliant_shape *shape, vec3 position, vec3 velocity)
{
    pliant_collider_def def = pliant_default_collider_def();
    def.shape = shape;
    def.position = position;
    def.linear_velocity = velocity;
    pliant_collider_id id = pliant_world_add_collider(p->world, &def, NULL);
    assert_true(pliant_collider_is_valid(p->world, id));
    p->colliders[p->collider_count++] = id;
}

static void attach(play *p, pliant_body_id a, pliant_body_id b, vec3 anchor, float strength)
{
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = a;
    def.other_body = b;
    def.anchor = anchor;
    def.strength = strength;
    pliant_attachment_id id = pliant_world_add_attachment(p->world, &def, NULL);
    assert_true(pliant_attachment_is_valid(p->world, id));
    p->attachments[p->attachment_count++] = id;
}

static const vec3 still = {0, 0, 0};
static const pliant_body_id nobody = {0, 0};

// Bodies by their order: 0 the rope, 1 the door, 2 the sleeper, 3 and 4 the pair, 5 the ball on a string.
static void begin(play *p)
{
    pliant_plane_def ground = pliant_default_plane_def();
    p->colliders[p->collider_count++] = pliant_world_add_plane(p->world, &ground, NULL);
    add_box(p, p->box, (vec3){0, 0.25f, 0}, still);
    add_box(p, p->ledge, (vec3){-3, 0.6f, 0}, (vec3){0.3f, 0, 0});
    add(p, ROPE, (vec3){0, 1.5f, 0}, still);
    add(p, DOOR, (vec3){3, 0.06f, 0}, still);
    add(p, BLOCK, (vec3){8, 0.1f, 0}, still);
    add(p, BLOCK, (vec3){0, 1.0f, 1}, still);
    add(p, BALL, (vec3){0.9f, 1.0f, 1}, still);
    add(p, BALL, (vec3){-2, 2, 2}, still);
    attach(p, p->bodies[3], p->bodies[4], still, 200.0f);
    attach(p, p->bodies[5], nobody, (vec3){-2, 3, 2}, 0.0f);
    pliant_body_set_motor(p->world, p->bodies[1], 0, 2.0f, 5.0f);
    pliant_world_set_quality(p->world, 4, 2);
}

static bool is_there(const play *p, int number)
{
    return number < p->body_count && pliant_body_is_valid(p->world, p->bodies[number]);
}

static void come_and_go(play *p, int frame)
{
    float f = (float)frame;
    if (frame % 9 == 4)
        add(p, frame % 2 ? BLOCK : BALL, (vec3){0.1f * (float)(frame % 7), 1.6f, 0.1f},
            (vec3){0, -2, 0});
    if (frame % 25 == 10)
        add(p, BRITTLE, (vec3){-1.5f, 0.5f, 0}, (vec3){0.3f, -9, 0});
    if (frame == 56) { // in each other
        add(p, BLOCK, (vec3){5, 0.3f, 0}, still);
        add(p, BLOCK, (vec3){5.05f, 0.32f, 0.05f}, still);
    }
    if (frame % 16 == 3)
        add_box(p, p->ledge, (vec3){0.02f * f, 1.2f, -0.2f}, still);
    if (frame % 16 == 11 && p->collider_count > 3)
        pliant_world_remove_collider(p->world, p->colliders[p->collider_count - 1]);
    if (frame % 14 == 13 && is_there(p, p->body_count - 2))
        pliant_world_remove_body(p->world, p->bodies[p->body_count - 2]);
    // What was there from the beginning.
    if (frame == 70)
        pliant_world_remove_body(p->world, p->bodies[2]);
    if (frame == 85)
        pliant_world_remove_collider(p->world, p->colliders[1]);
    if (frame == 95)
        pliant_world_remove_body(p->world, p->bodies[5]);
}

static void handle(play *p, int frame)
{
    if (is_there(p, 3) && (frame == 45 || frame == 100)) // breaks the first, or its successor
        pliant_body_apply_particle_impulse(p->world, p->bodies[4], 0, (vec3){3, 0, 0});
    if (frame == 65)
        attach(p, p->bodies[4], p->bodies[0], still, 100.0f);
    if (frame == 75)
        pliant_world_remove_attachment(p->world, p->attachments[1]);
    if (frame < 75 && is_there(p, 5))
        pliant_attachment_set_anchor(p->world, p->attachments[1],
                                     (vec3){-2 + 0.01f * (float)frame, 3, 2});
    if (frame == 30 || frame == 62)
        pliant_body_set_pinned(p->world, p->bodies[3], 5, frame == 30, NULL);
    if (frame == 68)
        pliant_body_set_pinned(p->world, p->bodies[0], 7, true, NULL);
    if (frame % 40 == 20)
        pliant_body_set_motor(p->world, p->bodies[1], 0, -2.0f, (float)frame);
    if (frame == 90)
        pliant_world_set_gravity(p->world, (vec3){0.5f, -9, 0});
    pliant_pose hand = {{0.3f * (float)(frame % 20) / 20.0f, 1.5f, 0}, {0, 0, 0, 1}};
    pliant_body_set_target(p->world, p->bodies[0], 0, hand);
}

// Calls for the step after the one of this frame are made before its hash is taken: they wait in snapshots.
static void play_frame(play *p, int frame)
{
    come_and_go(p, frame);
    pliant_world_advance(p->world, 0.02f);
    handle(p, frame);
    pliant_body_apply_particle_force(p->world, p->bodies[0], frame % 8, (vec3){0.1f, 0.3f, 0});
}

// ---------------------------------------------------------------------------------------------
// The record

static void remember(record *r, const play *p, int frame, bool with_snapshot)
{
    r->at[frame] = *p;
    r->hashes[frame] = pliant_world_hash(p->world);
    if (!with_snapshot)
        return;
    r->sizes[frame] = pliant_world_snapshot_size(p->world);
    r->snapshots[frame] = malloc(r->sizes[frame]);
    memset(r->snapshots[frame], 0xcd, r->sizes[frame]);
    pliant_world_snapshot(p->world, r->snapshots[frame]);
}

static record *record_play(play *p)
{
    record *r = calloc(1, sizeof *r);
    begin(p);
    for (int frame = 0; frame <= FRAMES; ++frame) {
        play_frame(p, frame);
        remember(r, p, frame, frame % EVERY == 0);
    }
    return r;
}

static void free_record(record *r)
{
    for (int frame = 0; frame <= FRAMES; ++frame)
        free(r->snapshots[frame]);
    free(r);
}

// Ids from all of the play: those of bodies that are there, according to the world, as one bit each.
static uint64_t valid_bodies(const pliant_world *world, const play *ids)
{
    uint64_t bits = 0;
    for (int i = 0; i < ids->body_count; ++i)
        bits |= (uint64_t)pliant_body_is_valid(world, ids->bodies[i]) << i;
    return bits;
}

static uint64_t valid_others(const pliant_world *world, const play *ids)
{
    uint64_t bits = 0;
    for (int i = 0; i < ids->collider_count; ++i)
        bits |= (uint64_t)pliant_collider_is_valid(world, ids->colliders[i]) << i;
    for (int i = 0; i < ids->attachment_count; ++i)
        bits |= (uint64_t)pliant_attachment_is_valid(world, ids->attachments[i]) << (32 + i);
    return bits;
}

// Goes back to a frame and plays on from there, in any world that knows the models.
static void play_again(const record *r, play *p, int from, const uint64_t valid[2])
{
    play there = r->at[from];
    memcpy(there.models, p->models, sizeof there.models);
    there.box = p->box;
    there.ledge = p->ledge;
    there.world = p->world;
    *p = there;
    pliant_error error = {0};
    if (pliant_world_restore(p->world, r->snapshots[from], r->sizes[from], &error))
        fail_msg("%s: %s", error.place, error.message);
    // Of all ids, those of the future among them, exactly the ones that were valid are.
    assert_true(valid_bodies(p->world, &r->at[FRAMES]) == valid[0]);
    assert_true(valid_others(p->world, &r->at[FRAMES]) == valid[1]);
    assert_true(pliant_world_hash(p->world) == r->hashes[from]);
    for (int frame = from + 1; frame <= FRAMES; ++frame) {
        play_frame(p, frame);
        if (pliant_world_hash(p->world) != r->hashes[frame])
            fail_msg("from frame %d: another hash at frame %d", from, frame);
        assert_memory_equal(p->bodies, r->at[frame].bodies, sizeof p->bodies);
        assert_memory_equal(p->colliders, r->at[frame].colliders, sizeof p->colliders);
        assert_memory_equal(p->attachments, r->at[frame].attachments, sizeof p->attachments);
    }
    assert_int_equal(pliant_world_report(p->world).bad_calls, 0);
}

// Which ids of the whole play are valid in a snapshot: as a world tells that was brought there by playing.
static void find_valid(const record *r, uint64_t valid[FRAMES + 1][2])
{
    play p = open_play(NULL);
    begin(&p);
    for (int frame = 0; frame <= FRAMES; ++frame) {
        play_frame(&p, frame);
        valid[frame][0] = valid_bodies(p.world, &r->at[FRAMES]);
        valid[frame][1] = valid_others(p.world, &r->at[FRAMES]);
    }
    close_play(&p);
}

// The play is of use only if snapshots catch all that they are to keep.
static void check_variety(const record *r)
{
    play p = open_play(NULL);
    begin(&p);
    bool has_slept = false, has_touched = false, was_entangled = false, has_landed = false;
    bool has_time_left = false, was_loose = false, has_broken = false;
    for (int frame = 0; frame <= FRAMES; ++frame) {
        play_frame(&p, frame);
        if (!r->snapshots[frame])
            continue;
        const pliant_world *world = p.world;
        has_slept = has_slept || pliant_world_report(world).sleeping_bodies > 0;
        has_touched = has_touched || world->touches.before_count > 0;
        was_entangled = was_entangled || world->entangled.count > 0;
        has_landed = has_landed || world->landings.count > 0;
        has_time_left = has_time_left || world->left_over > 0.0;
        has_broken = has_broken || !pliant_attachment_is_valid(world, p.attachments[0]);
        for (int i = 0; i < world->group_count; ++i)
            was_loose = was_loose || world->loose[i] > 0.0f;
        for (int k = 0; k < world->active_count; ++k)
            has_landed = has_landed || world->bodies[world->active[k]].landing.approach > 0.0f;
    }
    assert_true(has_slept && has_touched && was_entangled && has_time_left && has_broken);
    assert_true(was_loose);
    assert_true(has_landed);
    close_play(&p);
}

// ---------------------------------------------------------------------------------------------

static void test_a_play_is_played_again(void **state)
{
    (void)state;
    static const int workers[] = {1, 2, 8};
    uint64_t last[3], (*valid)[2] = calloc(FRAMES + 1, sizeof *valid);
    for (int k = 0; k < 3; ++k) {
        pliant_pool *pool = workers[k] > 1 ? pliant_pool_create(workers[k], NULL, NULL) : NULL;
        play p = open_play(pool);
        record *r = record_play(&p);
        if (k == 0) {
            check_variety(r);
            find_valid(r, valid);
        }
        last[k] = r->hashes[FRAMES];
        play_again(r, &p, 60, valid[60]);
        // Back and forth, also from what was already played again.
        for (int from = FRAMES; FULL_LENGTH && k == 0 && from >= 0; from -= EVERY)
            play_again(r, &p, from, valid[from]);
        play_again(r, &p, 100, valid[100]);
        free_record(r);
        close_play(&p);
        pliant_pool_destroy(pool);
    }
    assert_true(last[1] == last[0] && last[2] == last[0]);
    free(valid);
}

// A saved game: another process has made the models anew, and the world has never had a body.
static void test_a_fresh_world_goes_on(void **state)
{
    (void)state;
    play first = open_play(NULL);
    record *r = record_play(&first);
    uint64_t(*valid)[2] = calloc(FRAMES + 1, sizeof *valid);
    find_valid(r, valid);
    close_play(&first);
    for (int from = 0; from <= FRAMES; from += 2 * EVERY) {
        play p = open_play(NULL);
        for (int i = 0; i < MODELS; ++i)
            assert_int_equal(pliant_world_know_model(p.world, p.models[i], NULL), PLIANT_OK);
        assert_int_equal(pliant_world_know_shape(p.world, p.box, NULL), PLIANT_OK);
        assert_int_equal(pliant_world_know_shape(p.world, p.ledge, NULL), PLIANT_OK);
        play_again(r, &p, from, valid[from]);
        close_play(&p);
    }
    free(valid);
    free_record(r);
}

// The bytes depend on the state alone: not on what was there before, nor on what a buffer held.
static void test_equal_states_have_equal_bytes(void **state)
{
    (void)state;
    play p = open_play(NULL);
    record *r = record_play(&p);
    for (int from = 0; from <= FRAMES; from += EVERY) {
        size_t size = r->sizes[from];
        uint8_t *again = malloc(size);
        assert_int_equal(pliant_world_restore(p.world, r->snapshots[from], size, NULL), PLIANT_OK);
        assert_int_equal(pliant_world_snapshot_size(p.world), size);
        memset(again, 0x11, size);
        pliant_world_snapshot(p.world, again);
        assert_memory_equal(again, r->snapshots[from], size);
        free(again);
    }
    free_record(r);
    close_play(&p);
}

// ---------------------------------------------------------------------------------------------
// What is kept alive

typedef struct kept {
    counting count; // of the model's and the shape's memory
    pliant_world *world;
    pliant_body_id body;
    pliant_collider_id collider;
    int mark;
} kept;

// A body and a collider whose model and shape nobody else has any more.
static void open_kept(kept *k)
{
    pliant_allocator allocator = counting_allocator(&k->count);
    pliant_builder *builder = pliant_builder_create(&allocator);
    pliant_particle_def particle = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &particle);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    pliant_shape_def shape_def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    pliant_shape *shape = pliant_shape_create(&shape_def, &allocator, NULL);
    pliant_world_def def = pliant_default_world_def();
    k->world = pliant_world_create(&def, NULL);
    pliant_body_def thing = pliant_model_body_def(model);
    thing.position = (vec3){0, 2, 0};
    thing.user_data = &k->mark;
    pliant_collider_def solid = pliant_default_collider_def();
    solid.shape = shape;
    solid.user_data = &k->mark;
    k->body = pliant_world_add_body(k->world, &thing, NULL);
    k->collider = pliant_world_add_collider(k->world, &solid, NULL);
    pliant_model_destroy(model);
    pliant_shape_destroy(shape);
}

static void test_worlds_keep_models_and_shapes(void **state)
{
    (void)state;
    kept k = {0};
    open_kept(&k);
    size_t size = pliant_world_snapshot_size(k.world);
    void *snapshot = malloc(size);
    pliant_world_snapshot(k.world, snapshot);
    pliant_world_forget_unused(k.world); // both are used
    for (int i = 0; i < 30; ++i)
        pliant_world_step(k.world, 1.0f / 60.0f);
    pliant_world_remove_body(k.world, k.body);
    pliant_world_remove_collider(k.world, k.collider);
    assert_true(k.count.live > 0);
    assert_int_equal(pliant_world_restore(k.world, snapshot, size, NULL), PLIANT_OK);
    for (int i = 0; i < 30; ++i)
        pliant_world_step(k.world, 1.0f / 60.0f);
    assert_true(pliant_body_particle_pose(k.world, k.body, 0).position.y > 0.0f);
    pliant_world_remove_body(k.world, k.body);
    pliant_world_forget_unused(k.world);
    pliant_error error = {0};
    assert_int_equal(pliant_world_restore(k.world, snapshot, size, &error), PLIANT_ERROR_MISMATCH);
    pliant_world_remove_collider(k.world, k.collider);
    assert_true(k.count.live > 0);
    pliant_world_forget_unused(k.world);
    assert_int_equal(k.count.live, 0);
    free(snapshot);
    pliant_world_destroy(k.world);
}

static void test_the_last_world_frees_them(void **state)
{
    (void)state;
    kept k = {0};
    open_kept(&k);
    pliant_world_def def = pliant_default_world_def();
    pliant_world *other = pliant_world_create(&def, NULL);
    pliant_world_know_model(other, pliant_body_model(k.world, k.body), NULL);
    pliant_world_know_shape(other, pliant_collider_shape(k.world, k.collider), NULL);
    size_t size = pliant_world_snapshot_size(k.world);
    void *snapshot = malloc(size);
    pliant_world_snapshot(k.world, snapshot);
    pliant_world_destroy(k.world);
    assert_int_equal(pliant_world_restore(other, snapshot, size, NULL), PLIANT_OK);
    pliant_world_step(other, 1.0f / 60.0f);
    assert_true(k.count.live > 0);
    pliant_world_destroy(other);
    assert_int_equal(k.count.live, 0);
    free(snapshot);
}

static void test_user_data(void **state)
{
    (void)state;
    kept k = {0};
    open_kept(&k);
    size_t size = pliant_world_snapshot_size(k.world);
    void *snapshot = malloc(size);
    pliant_world_snapshot(k.world, snapshot);
    pliant_world_restore(k.world, snapshot, size, NULL);
    assert_ptr_equal(pliant_body_user_data(k.world, k.body), &k.mark);
    assert_ptr_equal(pliant_collider_user_data(k.world, k.collider), &k.mark);
    pliant_world_remove_body(k.world, k.body);
    pliant_world_remove_collider(k.world, k.collider);
    pliant_world_restore(k.world, snapshot, size, NULL);
    assert_null(pliant_body_user_data(k.world, k.body));
    assert_null(pliant_collider_user_data(k.world, k.collider));
    pliant_body_set_user_data(k.world, k.body, &k.count);
    pliant_collider_set_user_data(k.world, k.collider, &k.body);
    assert_ptr_equal(pliant_body_user_data(k.world, k.body), &k.count);
    assert_ptr_equal(pliant_collider_user_data(k.world, k.collider), &k.body);
    free(snapshot);
    pliant_world_destroy(k.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_play_is_played_again),
        cmocka_unit_test(test_a_fresh_world_goes_on),
        cmocka_unit_test(test_equal_states_have_equal_bytes),
        cmocka_unit_test(test_worlds_keep_models_and_shapes),
        cmocka_unit_test(test_the_last_world_frees_them),
        cmocka_unit_test(test_user_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
