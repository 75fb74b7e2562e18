// State hash, and the snapshot's writing. Its form is told in saved.h; restore.c reads it.

#include "calls.h"
#include "saved.h"

#include "core/hash.h"
#include "form/shape.h"
#include "model/family.h"

static uint64_t hash_pose(uint64_t state, pliant_pose pose)
{
    return hash_quat(hash_vec3(state, pose.position), pose.orientation);
}

uint64_t pliant_world_hash(const pliant_world *world)
{
    if (!checked_world(world, __func__))
        return 0;
    uint64_t state = hash_word(HASH_START, world->steps);
    state = hash_float(hash_float(state, world->substep_length), (float)world->left_over);
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        state = hash_word(state, (uint64_t)world->active[k]);
        state = hash_word(state, (uint64_t)b->is_frozen | (uint64_t)b->is_asleep << 1);
        state = hash_float(hash_float(state, b->calm_time), b->nowhere_time);
        state = hash_float(hash_float(state, b->landing.approach), b->landing.last);
        state = hash_float(hash_float(state, (float)b->account.store), (float)b->account.gifts);
        state = hash_float(hash_float(state, b->account.unknown_left), b->idle_time);
        for (int j = 0; j < b->model->source.particle_count; ++j) {
            int i = b->particle_first + j;
            state = hash_vec3(state, world->x[i]);
            state = hash_vec3(state, world->x_low[i]);
            state = hash_quat(state, world->turn[i]);
            state = hash_vec3(state, world->v[i]);
            state = hash_vec3(state, world->spin[i]);
            state = hash_word(state, world->pinned[i]);
        }
        for (int f = 0; f < FAMILIES; ++f)
            if (pli_families[f]->hash)
                state = pli_families[f]->hash(state, world, b);
    }
    for (int i = 0; i < world->attachment_slot_count; ++i) {
        const attachment *a = &world->attachments[i];
        if (!a->is_alive)
            continue;
        state = hash_word(state, (uint64_t)i << 32 | a->generation);
        state = hash_word(hash_vec3(hash_vec3(state, a->anchor), a->target), a->has_target);
    }
    for (int i = 0; i < world->collider_slot_count; ++i) {
        const collider *c = &world->colliders[i];
        if (c->is_alive)
            state = hash_pose(state, c->end);
    }
    for (int k = 0; k < world->entangled.count; ++k)
        state = hash_word(state, world->entangled.keys[k]);
    for (int k = 0; k < world->landings.count; ++k) {
        const pair_landing *l = &world->landings.at[k];
        state = hash_word(state, (uint64_t)(uint32_t)l->first << 32 | (uint32_t)l->second);
        state = hash_float(hash_float(state, l->landing.approach), l->landing.last);
    }
    return state;
}

// ---------------------------------------------------------------------------------------------
// Snapshots

#define WRITE(type, field) put_##type(out, from->field);
#define DEFINE_WRITER(type, name, fields)                                                          \
    static void write_##name(byte_writer *out, const type *from)                                   \
    {                                                                                              \
        fields(WRITE)                                                                              \
    }

static void put_id(byte_writer *out, uint32_t index, uint32_t generation)
{
    put_word(out, index);
    put_word(out, generation);
}

static void put_body_id(byte_writer *out, pliant_body_id id)
{
    put_id(out, id.index, id.generation);
}

static void put_collider_id(byte_writer *out, pliant_collider_id id)
{
    put_id(out, id.index, id.generation);
}

DEFINE_WRITER(pliant_world, world_fields, SAVED_WORLD)
DEFINE_WRITER(body, body_fields, SAVED_BODY)
DEFINE_WRITER(collider, collider_fields, SAVED_COLLIDER)
DEFINE_WRITER(attachment, attachment_fields, SAVED_ATTACHMENT)
DEFINE_WRITER(pair_landing, pair_landing, SAVED_PAIR_LANDING)

static void write_colliders(byte_writer *out, const pliant_world *world)
{
    put_integer(out, world->collider_slot_count);
    for (int i = 0; i < world->collider_slot_count; ++i) {
        const collider *c = &world->colliders[i];
        put_word(out, c->generation);
        put_flag(out, c->is_alive);
        if (!c->is_alive)
            continue;
        put_long(out, pli_shape_fingerprint(c->shape));
        write_collider_fields(out, c);
    }
}

static void write_attachments(byte_writer *out, const pliant_world *world)
{
    put_integer(out, world->attachment_slot_count);
    for (int i = 0; i < world->attachment_slot_count; ++i) {
        const attachment *a = &world->attachments[i];
        put_word(out, a->generation);
        put_word(out, a->removed);
        put_flag(out, a->is_alive);
        if (a->is_alive)
            write_attachment_fields(out, a);
    }
}

// Rest shapes of plastic bodies: the offsets of all slots and all edges' rest data and twists. Weights follow from them.
static void write_rest(byte_writer *out, const body *b)
{
    for (int k = 0; k < b->model->row_count * LANES; ++k)
        put_vec3(out, rest_offset(&b->own_rest, k));
    put_words(out, b->own_rest.edges, rest_edge_words(b->model));
    put_words(out, b->own_rest.twists, rest_twist_words(b->model));
}

static void write_body(byte_writer *out, const pliant_world *world, int slot)
{
    const body *b = &world->bodies[slot];
    put_integer(out, slot);
    put_long(out, b->model->identity);
    put_long(out, b->model->fingerprint);
    put_long(out, saved_run_size(b->model));
    write_body_fields(out, b);
    pli_storage_write(world, b, out);
    if (pli_body_is_plastic(b))
        write_rest(out, b);
}

// In the order of their ranges, which is that of their particles.
static void write_bodies(byte_writer *out, const pliant_world *world)
{
    put_integer(out, world->body_slot_count);
    for (int i = 0; i < world->body_slot_count; ++i)
        put_word(out, world->bodies[i].generation);
    put_integer(out, world->active_count);
    for (int i = 0; i < world->particle_count;) {
        int slot = world->owner[i];
        write_body(out, world, slot);
        i += world->bodies[slot].model->source.particle_count;
    }
}

static void write_keys(byte_writer *out, const uint64_t *keys, int count)
{
    put_integer(out, count);
    for (int k = 0; k < count; ++k)
        put_long(out, keys[k]);
}

static void write_content(byte_writer *out, const pliant_world *world)
{
    write_world_fields(out, world);
    write_colliders(out, world);
    write_bodies(out, world);
    write_attachments(out, world);
    write_keys(out, world->touches.before, world->touches.before_count);
    write_keys(out, world->entangled.keys, world->entangled.count);
    put_integer(out, world->landings.count);
    for (int k = 0; k < world->landings.count; ++k)
        write_pair_landing(out, &world->landings.at[k]);
}

size_t pliant_world_snapshot_size(const pliant_world *world)
{
    if (!checked_world(world, __func__))
        return 0;
    byte_writer out = {0};
    write_content(&out, world);
    return SAVED_HEADER_SIZE + out.size;
}

void pliant_world_snapshot(const pliant_world *world, void *buffer)
{
    if (!checked_pointer(world, buffer, "buffer", __func__))
        return;
    byte_writer header = {.at = buffer}, out = {.at = (uint8_t *)buffer + SAVED_HEADER_SIZE};
    write_content(&out, world);
    put_bytes(&header, SAVED_MAGIC, SAVED_MAGIC_SIZE);
    put_word(&header, SAVED_VERSION);
    put_word(&header, 0);
    put_long(&header, SAVED_HEADER_SIZE + out.size);
    put_long(&header, bytes_checksum((uint8_t *)buffer + SAVED_HEADER_SIZE, out.size));
}
