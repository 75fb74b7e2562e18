// Restoring a snapshot: its tables are read and checked beside the world, then memory is made, and only when nothing can
// fail any more they take the place of the world's own.
//
// Nothing is believed that an index, a size or a loop depends on. Numbers that merely make a body fly off are: whoever may
// write snapshots may also do that.

#include "body_tree.h"
#include "calls.h"
#include "checks.h"
#include "contacts.h"
#include "saved.h"

#include "form/shape.h"

#include <stddef.h>

// A body in the order of the ranges.
typedef struct saved_body {
    int slot;
    byte_reader run; // its state
    bool keeps_rest; // the slot's rest data serve on
} saved_body;

typedef struct restoration {
    pliant_world *world;
    pliant_world then; // its tables and fields as they were; it has no other arrays
    byte_reader in;
    pliant_error *error;
    saved_body *order;
    int body_count;
    byte_reader touches, entangled, landings; // from their first one on
} restoration;

// ---------------------------------------------------------------------------------------------
// Fields

static pliant_body_id take_body_id(byte_reader *in)
{
    uint32_t index = take_word(in);
    return (pliant_body_id){index, take_word(in)};
}

static pliant_collider_id take_collider_id(byte_reader *in)
{
    uint32_t index = take_word(in);
    return (pliant_collider_id){index, take_word(in)};
}

#define READ(type, field) to->field = take_##type(in);
#define DEFINE_READER(type, name, fields)                                                          \
    static void read_##name(byte_reader *in, type *to)                                             \
    {                                                                                              \
        fields(READ)                                                                               \
    }

DEFINE_READER(pliant_world, world_fields, SAVED_WORLD)
DEFINE_READER(collider, collider_fields, SAVED_COLLIDER)
DEFINE_READER(body, body_fields, SAVED_BODY)
DEFINE_READER(attachment, attachment_fields, SAVED_ATTACHMENT)
DEFINE_READER(pair_landing, pair_landing, SAVED_PAIR_LANDING)

// ---------------------------------------------------------------------------------------------
// Reading and checking

static pliant_result check_header(restoration *r)
{
    byte_reader *in = &r->in;
    size_t size = in->left;
    const uint8_t *magic = take_run(in, SAVED_MAGIC_SIZE);
    uint32_t version = take_word(in), reserved = take_word(in);
    uint64_t expected = take_long(in), checksum = take_long(in);
    if (!magic || memcmp(magic, SAVED_MAGIC, SAVED_MAGIC_SIZE) != 0)
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "snapshot", "this is not a snapshot");
    if (!in->is_spoilt && version > SAVED_VERSION)
        return pli_error_set(r->error, PLIANT_ERROR_VERSION, "snapshot",
                             "version %lu; this library reads version %d", (unsigned long)version,
                             SAVED_VERSION);
    if (in->is_spoilt || version != SAVED_VERSION || reserved != 0)
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "snapshot", "its header is damaged");
    if (expected != size)
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "snapshot",
                             "%llu bytes expected, %llu found", (unsigned long long)expected,
                             (unsigned long long)size);
    if (checksum != bytes_checksum(in->at, in->left))
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "snapshot", "checksum does not match");
    return PLIANT_OK;
}

static pliant_result damaged(const restoration *r, const char *what, int number)
{
    return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "snapshot", "%s %d is damaged", what,
                         number);
}

static bool is_within(float value, float low, float high)
{
    return value >= low && value <= high;
}

static pliant_result read_world(restoration *r)
{
    pliant_world *then = &r->then;
    then->allocator = r->world->allocator;
    then->def = r->world->def;
    read_world_fields(&r->in, then);
    pliant_world_def reached = then->def;
    reached.substep_length = then->substep_length;
    bool is_good = !r->in.is_spoilt && !pli_check_world_def(&then->def, NULL) &&
                   !pli_check_world_def(&reached, NULL) && then->time >= 0.0 &&
                   then->left_over >= 0.0 && then->left_over <= 0.1; // s, the longest fixed_step
    return is_good ? PLIANT_OK
                   : pli_error_set(r->error, PLIANT_ERROR_FORMAT, "snapshot",
                                   "the world's fields are damaged");
}

static bool is_pose(pliant_pose pose)
{
    float length2 = quat_dot(pose.orientation, pose.orientation);
    return vec3_is_finite(pose.position) && is_within(length2, 0.99f, 1.01f);
}

static bool is_good_collider(const collider *c)
{
    return c->generation != 0 && is_pose(c->end) && (!c->has_target || is_pose(c->target)) &&
           vec3_is_finite(c->linear_velocity) && vec3_is_finite(c->angular_velocity) &&
           !pli_check_surface(NULL, c->friction, c->restitution);
}

// What is still there keeps its shape, even if others are equal, and its user_data.
static void find_shape(const restoration *r, int slot, uint64_t fingerprint)
{
    collider *c = &r->then.colliders[slot];
    const collider *now = slot < r->world->collider_slot_count ? &r->world->colliders[slot] : NULL;
    bool is_same = now && now->is_alive && now->generation == c->generation &&
                   pli_shape_fingerprint(now->shape) == fingerprint;
    c->shape = is_same ? now->shape : pli_known_shape(r->world, fingerprint);
    c->user_data = is_same ? now->user_data : NULL;
}

static pliant_result read_collider(restoration *r, int slot)
{
    collider *c = &r->then.colliders[slot];
    c->generation = take_word(&r->in);
    c->is_alive = take_flag(&r->in);
    if (!c->is_alive)
        return r->in.is_spoilt ? damaged(r, "collider", slot) : PLIANT_OK;
    uint64_t fingerprint = take_long(&r->in);
    read_collider_fields(&r->in, c);
    c->pose = c->next = c->end;
    if (r->in.is_spoilt || !is_good_collider(c))
        return damaged(r, "collider", slot);
    find_shape(r, slot, fingerprint);
    if (!c->shape)
        return pli_error_set(r->error, PLIANT_ERROR_MISMATCH, "snapshot",
                             "collider %d: the world does not know its shape %016llx", slot,
                             (unsigned long long)fingerprint);
    return PLIANT_OK;
}

static pliant_result read_colliders(restoration *r)
{
    pliant_world *then = &r->then;
    int slots = take_count(&r->in, sizeof(uint32_t) + 1);
    then->colliders = pli_memory_new(&then->allocator, (size_t)slots, sizeof *then->colliders);
    if (!then->colliders)
        return pli_error_memory(r->error);
    then->collider_slot_count = slots;
    pliant_result result = r->in.is_spoilt ? damaged(r, "collider", 0) : PLIANT_OK;
    for (int i = 0; i < slots && !result; ++i)
        result = read_collider(r, i);
    return result;
}

static bool is_good_body(const body *b)
{
    static const float FASTEST_RATE = 20.0f, STIFFEST = 1e3f, HEAVIEST = 1e3f;
    return b->generation != 0 && !pli_check_surface(NULL, b->friction, b->restitution) &&
           is_within(b->linear_rate, 0.0f, FASTEST_RATE) &&
           is_within(b->angular_rate, 0.0f, FASTEST_RATE) &&
           is_within(b->shape_rate, 0.0f, FASTEST_RATE) &&
           is_within(b->gravity_scale, -HEAVIEST, HEAVIEST) &&
           is_within(b->stiffness_scale, 0.0f, STIFFEST) &&
           is_within(b->solved_scale, 0.0f, STIFFEST);
}

static const uint8_t *saved_array(const pliant_model *model, const byte_reader *run, size_t array)
{
    return run->at + pli_storage_place(model, array);
}

// Where particles are, and the bytes that are flags.
static bool is_good_run(const pliant_model *model, const byte_reader *run)
{
    size_t count = (size_t)model->source.particle_count;
    byte_reader x = {.at = saved_array(model, run, offsetof(pliant_world, x)), .left = 12 * count};
    byte_reader flags[] = {
        {.at = saved_array(model, run, offsetof(pliant_world, pinned)), .left = count},
        {.at = saved_array(model, run, offsetof(pliant_world, has_target)), .left = count}};
    const float most = 4.0f * LARGEST_COORDINATE; // of a large body that was put at the edge
    bool is_good = true;
    for (size_t k = 0; k < count && is_good; ++k) {
        vec3 at = take_vec3(&x);
        take_flag(&flags[0]);
        take_flag(&flags[1]);
        is_good = is_within(at.x, -most, most) && is_within(at.y, -most, most) &&
                  is_within(at.z, -most, most);
    }
    return is_good && !flags[0].is_spoilt && !flags[1].is_spoilt;
}

// As a collider's shape.
static void find_model(const restoration *r, int slot, uint64_t identity, uint64_t fingerprint)
{
    body *b = &r->then.bodies[slot];
    const body *now = slot < r->world->body_slot_count ? &r->world->bodies[slot] : NULL;
    bool is_same = now && now->is_alive && now->generation == b->generation &&
                   now->model->identity == identity;
    b->model = is_same ? now->model : pli_known_model(r->world, identity, fingerprint);
    b->user_data = is_same ? now->user_data : NULL;
}

static pliant_result read_body(restoration *r, int number)
{
    byte_reader *in = &r->in;
    int slot = take_integer(in);
    uint64_t identity = take_long(in), fingerprint = take_long(in), size = take_long(in);
    if (in->is_spoilt || slot < 0 || slot >= r->then.body_slot_count || size > in->left ||
        r->then.bodies[slot].is_alive)
        return damaged(r, "body", number);
    body *b = &r->then.bodies[slot];
    find_model(r, slot, identity, fingerprint);
    if (!b->model)
        return pli_error_set(r->error, PLIANT_ERROR_MISMATCH, "snapshot",
                             "body %d: the world does not know its model %016llx", slot,
                             (unsigned long long)identity);
    if (size != saved_run_size(b->model))
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "snapshot",
                             "body %d: %llu bytes of state expected, %llu found", slot,
                             (unsigned long long)saved_run_size(b->model),
                             (unsigned long long)size);
    b->is_alive = true;
    b->has_forces = true; // some may have been restored
    read_body_fields(in, b);
    byte_reader run = {.at = take_run(in, (size_t)size), .left = (size_t)size};
    if (in->is_spoilt || !is_good_body(b) || !is_good_run(b->model, &run))
        return damaged(r, "body", number);
    r->order[number] = (saved_body){.slot = slot, .run = run};
    return PLIANT_OK;
}

static pliant_result read_bodies(restoration *r)
{
    pliant_world *then = &r->then;
    int slots = take_count(&r->in, sizeof(uint32_t));
    then->bodies = pli_memory_new(&then->allocator, (size_t)slots, sizeof *then->bodies);
    if (!then->bodies)
        return pli_error_memory(r->error);
    then->body_slot_count = slots;
    for (int i = 0; i < slots; ++i)
        then->bodies[i].generation = take_word(&r->in);
    r->body_count = take_count(&r->in, sizeof(uint32_t));
    if (r->in.is_spoilt || r->body_count > slots)
        return damaged(r, "body", 0);
    r->order = pli_memory_new(&then->allocator, (size_t)r->body_count, sizeof *r->order);
    if (!r->order)
        return pli_error_memory(r->error);
    pliant_result result = PLIANT_OK;
    for (int k = 0; k < r->body_count && !result; ++k)
        result = read_body(r, k);
    return result;
}

static pliant_result read_attachment(restoration *r, int slot)
{
    attachment *a = &r->then.attachments[slot];
    a->generation = take_word(&r->in);
    a->removed = take_word(&r->in);
    a->is_alive = take_flag(&r->in);
    if (a->is_alive)
        read_attachment_fields(&r->in, a);
    bool is_good = !r->in.is_spoilt;
    if (is_good && a->is_alive)
        is_good = a->generation != 0 && a->def.length >= 0.0f && vec3_is_finite(a->anchor) &&
                  vec3_is_finite(a->target) && !pli_check_attachment(&r->then, &a->def, NULL);
    if (!is_good)
        return damaged(r, "attachment", slot);
    a->rate = pli_stiffness_rate(a->def.stiffness);
    return PLIANT_OK;
}

static pliant_result read_attachments(restoration *r)
{
    pliant_world *then = &r->then;
    int slots = take_count(&r->in, 2 * sizeof(uint32_t) + 1);
    then->attachments = pli_memory_new(&then->allocator, (size_t)slots, sizeof *then->attachments);
    if (!then->attachments)
        return pli_error_memory(r->error);
    then->attachment_slot_count = slots;
    pliant_result result = r->in.is_spoilt ? damaged(r, "attachment", 0) : PLIANT_OK;
    for (int i = 0; i < slots && !result; ++i)
        result = read_attachment(r, i);
    return result;
}

// Keys that name what is there.
static pliant_result read_keys(restoration *r, const char *what, byte_reader *first, int *count,
                               bool (*is_known)(const pliant_world *world, uint64_t key))
{
    *count = take_count(&r->in, sizeof(uint64_t));
    *first = r->in;
    for (int k = 0; k < *count; ++k)
        if (!is_known(&r->then, take_long(&r->in)))
            return damaged(r, what, k);
    return r->in.is_spoilt ? damaged(r, what, 0) : PLIANT_OK;
}

static pliant_result read_landings(restoration *r)
{
    pliant_world *then = &r->then;
    then->landings.count = take_count(&r->in, 2 * sizeof(uint32_t));
    r->landings = r->in;
    for (int k = 0; k < then->landings.count; ++k) {
        pair_landing l;
        read_pair_landing(&r->in, &l);
        if (r->in.is_spoilt || !pli_are_bodies(then, l.first, l.second))
            return damaged(r, "landing", k);
    }
    return r->in.is_spoilt || r->in.left > 0 ? damaged(r, "landing", 0) : PLIANT_OK;
}

static pliant_result read_content(restoration *r)
{
    pliant_world *then = &r->then;
    pliant_result result = read_world(r);
    if (!result)
        result = read_colliders(r);
    if (!result)
        result = read_bodies(r);
    if (!result)
        result = read_attachments(r);
    if (!result)
        result =
            read_keys(r, "touch", &r->touches, &then->touches.before_count, pli_touch_is_known);
    if (!result)
        result = read_keys(r, "entangled pair", &r->entangled, &then->entangled.count,
                           pli_entangled_are_known);
    return result ? result : read_landings(r);
}

// ---------------------------------------------------------------------------------------------
// Memory

static bool has_model_pins(const pliant_model *model, const byte_reader *run)
{
    const uint8_t *pinned = saved_array(model, run, offsetof(pliant_world, pinned));
    for (int k = 0; k < model->source.particle_count; ++k)
        if (pinned[k] != pli_is_pinned_in(model, k))
            return false;
    return true;
}

// Rest data of its own, for a body whose pins are not its model's or that can be dented. A body of the same model in the
// same slot has them already, or not.
static bool reserve_rest(restoration *r, saved_body *saved)
{
    body *b = &r->then.bodies[saved->slot];
    const body *now =
        saved->slot < r->world->body_slot_count ? &r->world->bodies[saved->slot] : NULL;
    saved->keeps_rest = now && now->is_alive && now->model == b->model && now->own_rest.rows;
    return saved->keeps_rest ||
           (!pli_body_is_plastic(b) && has_model_pins(b->model, &saved->run)) ||
           pli_rest_allocate(&b->own_rest, b->model, &r->world->allocator);
}

// Lists have room for what was in them.
static bool reserve_lists(pliant_world *world, const pliant_world *then)
{
    int landings = then->landings.count;
    return pli_reserve_touch_keys(world, then->touches.before_count) &&
           pli_reserve_entangled_keys(world, then->entangled.count) &&
           (landings <= world->landings.room || pli_reserve_landings(world, landings));
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

// All that can fail. What the world has is kept: memory is merely more than it needs, if the rest fails.
static bool reserve(restoration *r)
{
    pliant_world *world = r->world, *then = &r->then;
    for (int k = 0; k < r->body_count; ++k) {
        body *b = &then->bodies[r->order[k].slot];
        if (!pli_reserve_body(world, then, b, r->order[k].slot) || !reserve_rest(r, &r->order[k]))
            return false;
        pli_assign_ranges(then, b);
        then->active_count += 1;
    }
    int colliders = larger(world->collider_slot_count, then->collider_slot_count);
    return (colliders == 0 || pli_reserve_colliders(world, colliders)) &&
           pli_memory_grow(&world->allocator, (void **)&world->bodies, sizeof *world->bodies,
                           world->body_slot_count, &world->body_slot_capacity,
                           then->body_slot_count) &&
           pli_reserve_attachments(world, then->attachment_slot_count) &&
           reserve_lists(world, then);
}

// ---------------------------------------------------------------------------------------------
// Taking the place of what was there

// Slots behind the last one are as if they had never been used.
static void replace_table(void *now, int now_count, const void *then, int then_count, size_t size)
{
    memcpy(now, then, (size_t)then_count * size);
    if (now_count > then_count)
        memset((uint8_t *)now + (size_t)then_count * size, 0,
               (size_t)(now_count - then_count) * size);
}

// A body that is still there goes on with the room for contacts that it has needed so far.
static void keep_contact_room(body *b, const body *now)
{
    if (!now->is_alive || now->model != b->model)
        return;
    b->contact_first = now->contact_first;
    b->contact_room = now->contact_room;
    b->contact_batch_first = now->contact_batch_first;
}

// Models are let go last: some of them come back.
static void replace_bodies(restoration *r)
{
    pliant_world *world = r->world, *then = &r->then;
    for (int k = 0; k < r->body_count; ++k) {
        body *b = &then->bodies[r->order[k].slot], *now = &world->bodies[r->order[k].slot];
        pli_model_retain(b->model);
        keep_contact_room(b, now);
        if (!r->order[k].keeps_rest)
            continue;
        b->own_rest = now->own_rest;
        now->own_rest = (rest){0};
    }
    for (int k = 0; k < world->active_count; ++k) {
        body *now = &world->bodies[world->active[k]];
        pli_unplace_body(world, now);
        pli_rest_free(&now->own_rest, &world->allocator);
        pli_model_release(now->model);
    }
    replace_table(world->bodies, world->body_slot_count, then->bodies, then->body_slot_count,
                  sizeof *world->bodies);
    world->body_slot_count = then->body_slot_count;
    world->lowest_free_body = 0;
    memcpy(world->counts, then->counts, sizeof world->counts);
    world->active_count = 0;
    for (int slot = 0; slot < world->body_slot_count; ++slot)
        if (world->bodies[slot].is_alive)
            world->active[world->active_count++] = slot;
}

static void replace_colliders(restoration *r)
{
    pliant_world *world = r->world, *then = &r->then;
    const collider none = {0};
    int slots = larger(world->collider_slot_count, then->collider_slot_count);
    for (int slot = 0; slot < slots; ++slot)
        pli_replace_collider(world, slot,
                             slot < then->collider_slot_count ? &then->colliders[slot] : &none);
    world->collider_slot_count = then->collider_slot_count;
    world->lowest_free_collider = 0;
}

static void read_rest(byte_reader *in, body *b)
{
    for (int k = 0; k < b->model->row_count * LANES; ++k)
        set_rest_offset(&b->own_rest, k, take_vec3(in));
    take_words(in, b->own_rest.edges, rest_edge_words(b->model));
    take_words(in, b->own_rest.twists, rest_twist_words(b->model));
}

// What follows from the offsets of a plastic body, which are state.
static void weigh_again(pliant_world *world, body *b)
{
    rest_pose pose = pli_body_rest_pose(world, b);
    for (int i = 0; i < b->model->group_count; ++i)
        pli_rest_weigh_group(&b->own_rest, b->model, i, world->pinned + b->particle_first, &pose);
}

// The state of a body, in its new ranges, and what follows from it.
static void fill_body(pliant_world *world, const saved_body *saved)
{
    body *b = &world->bodies[saved->slot];
    byte_reader in = saved->run;
    pli_storage_read(world, b, &in);
    pli_own_particles(world, saved->slot);
    if (b->own_rest.rows && !saved->keeps_rest)
        pli_rest_compute(&b->own_rest, b->model, world->pinned + b->particle_first);
    if (pli_body_is_plastic(b)) {
        read_rest(&in, b);
        weigh_again(world, b);
    } else if (saved->keeps_rest) {
        pli_body_refit(world, b);
    }
    pli_body_update_masses(world, b);
    pli_place_body(world, b);
}

static void read_key_list(byte_reader in, uint64_t *keys, int count)
{
    for (int k = 0; k < count; ++k)
        keys[k] = take_long(&in);
}

static void replace_lists(restoration *r)
{
    pliant_world *world = r->world, *then = &r->then;
    world->touches.before_count = then->touches.before_count;
    world->touches.event_count = 0;
    read_key_list(r->touches, world->touches.before, world->touches.before_count);
    world->entangled.count = then->entangled.count;
    read_key_list(r->entangled, world->entangled.keys, world->entangled.count);
    world->landings.count = then->landings.count;
    for (int k = 0; k < world->landings.count; ++k)
        read_pair_landing(&r->landings, &world->landings.at[k]);
    pli_forget_contacts(world);
    pli_forget_foresight(world);
}

#define COPY(type, field) world->field = then->field;

static void replace_content(restoration *r)
{
    pliant_world *world = r->world, *then = &r->then;
    SAVED_WORLD(COPY)
    world->alpha_h = 0.0f;
    replace_colliders(r);
    replace_bodies(r);
    for (int k = 0; k < r->body_count; ++k)
        fill_body(world, &r->order[k]);
    replace_table(world->attachments, world->attachment_slot_count, then->attachments,
                  then->attachment_slot_count, sizeof *world->attachments);
    world->attachment_slot_count = then->attachment_slot_count;
    world->lowest_free_attachment = 0;
    replace_lists(r);
}

// ---------------------------------------------------------------------------------------------

static void free_rests(restoration *r)
{
    for (int slot = 0; slot < r->then.body_slot_count; ++slot)
        pli_rest_free(&r->then.bodies[slot].own_rest, &r->then.allocator);
}

static void free_tables(const restoration *r)
{
    const pliant_allocator *allocator = &r->world->allocator;
    pli_memory_free(allocator, r->then.colliders);
    pli_memory_free(allocator, r->then.bodies);
    pli_memory_free(allocator, r->then.attachments);
    pli_memory_free(allocator, r->order);
}

pliant_result pliant_world_restore(pliant_world *world, const void *buffer, size_t size,
                                   pliant_error *error)
{
    pliant_result result = pli_check_given(world, buffer, "buffer", error, __func__);
    if (result)
        return result;
    restoration r = {.world = world, .in = {.at = buffer, .left = size}, .error = error};
    result = check_header(&r);
    if (!result)
        result = read_content(&r);
    if (!result && !reserve(&r))
        result = pli_error_memory(error);
    if (result)
        free_rests(&r);
    else
        replace_content(&r);
    free_tables(&r);
    return result;
}
