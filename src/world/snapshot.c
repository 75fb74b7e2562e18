// State hash, snapshot and restore.
//
// A snapshot is: magic, structure hash, checksum, then time, steps, gravity, quality, each body's,
// collider's and attachment's state, the rest shapes of plastic bodies, and the state arrays of hinges, groups
// and particles one after another. It is meant for the world it was taken from (or one
// built the same way): the structure hash tells them apart.

#include "calls.h"

#include "collide/shape.h"
#include "core/hash.h"
#include "model/family.h"

#include <string.h>

#define SNAPSHOT_MAGIC 0x36504e53544e4c50ull // "PLNTSNP6"

typedef struct snapshot_header {
    uint64_t magic;
    uint64_t structure;
    uint64_t checksum; // of everything behind the header
    uint64_t size;     // of the whole snapshot
} snapshot_header;

typedef struct world_state {
    double time;
    uint64_t steps;
    vec3 gravity;
    float wanted_length, substep_length; // s
    int32_t iterations;
    int32_t touch_count;     // how many keys of touches follow the colliders
    int32_t entangled_count; // and of entangled bodies, after those
    int32_t landing_count;   // and pairs of bodies that have hit each other
    int32_t unused;
    double left_over; // s
} world_state;

typedef struct body_state {
    vec3 force;
    float linear_rate, angular_rate, shape_rate;
    float gravity_scale, friction, restitution, stiffness_scale;
    uint32_t is_frozen, is_asleep;
    float calm_time;
    float nowhere_time;
    quat was_turn;
    int32_t island;
    landing landing;
    float idle_time, was_high;
    float solved_scale;
    uint32_t unused;
    account account;
} body_state;

typedef struct collider_state {
    pliant_pose pose, target;
    vec3 linear_velocity, angular_velocity;
    uint32_t has_target;
} collider_state;

typedef struct attachment_state {
    vec3 anchor, target;
    float force;
    uint32_t has_target, is_broken;
} attachment_state;

static uint64_t hash_bytes(uint64_t state, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (; size >= 4; at += 4, size -= 4) {
        uint32_t word;
        memcpy(&word, at, 4);
        state = hash_word(state, word);
    }
    uint32_t tail = 0;
    memcpy(&tail, at, size);
    return hash_word(state, tail);
}

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
            if (pliant_families[f]->hash)
                state = pliant_families[f]->hash(state, world, b);
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

// One that a step has broken comes back with a snapshot from before.
static bool is_used(const attachment *a)
{
    return a->is_alive || a->is_broken;
}

// Which bodies and colliders there are, and what they are made of.
static uint64_t structure_hash(const pliant_world *world)
{
    uint64_t state = hash_word(HASH_START, (uint64_t)world->particle_count);
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        state = hash_word(state, (uint64_t)world->active[k]);
        state = hash_word(state, b->generation);
        state = hash_word(state, (uint64_t)b->particle_first);
        state = hash_word(state, b->model->fingerprint);
        state = hash_word(state, (uint64_t)b->gyroscopic | (uint64_t)b->self_collision << 1);
        state = hash_word(state, (uint64_t)b->layers << 32 | b->mask);
    }
    for (int i = 0; i < world->collider_slot_count; ++i) {
        const collider *c = &world->colliders[i];
        if (!c->is_alive)
            continue;
        state = hash_word(state, (uint64_t)i << 32 | c->generation);
        state = hash_word(state, pliant_shape_fingerprint(c->shape));
        state = hash_float(hash_float(state, c->friction), c->restitution);
        state = hash_word(state, (uint64_t)c->layers << 32 | c->mask);
    }
    for (int i = 0; i < world->attachment_slot_count; ++i) {
        const attachment *a = &world->attachments[i];
        const pliant_attachment_def *def = &a->def;
        if (!is_used(a))
            continue;
        state = hash_word(state, (uint64_t)i << 32 | a->generation);
        state = hash_word(state, (uint64_t)def->body.generation << 32 | def->body.index);
        state =
            hash_word(state, (uint64_t)def->other_body.generation << 32 | def->other_body.index);
        state = hash_word(state, (uint64_t)def->collider.generation << 32 | def->collider.index);
        state = hash_word(hash_word(state, (uint64_t)def->particle), (uint64_t)def->other_particle);
        state = hash_float(hash_word(state, def->is_slack), def->length);
        state = hash_float(hash_float(state, def->stiffness), def->strength);
    }
    return state;
}

// Rest shapes: the offsets of all slots and all edges' rest data.
static size_t rest_size(const body *b)
{
    if (!pliant_body_is_plastic(b))
        return 0;
    return (size_t)b->model->row_count * LANES * sizeof(vec3) +
           (size_t)b->model->source.edge_count * sizeof(rest_edge);
}

static uint8_t *put_rest(uint8_t *at, const body *b)
{
    size_t edges = (size_t)b->model->source.edge_count * sizeof(rest_edge);
    for (int k = 0; k < b->model->row_count * LANES; ++k, at += sizeof(vec3)) {
        vec3 offset = rest_offset(&b->own_rest, k);
        memcpy(at, &offset, sizeof offset);
    }
    memcpy(at, b->own_rest.edges, edges);
    return at + edges;
}

static const uint8_t *take_rest(const uint8_t *at, body *b)
{
    size_t edges = (size_t)b->model->source.edge_count * sizeof(rest_edge);
    for (int k = 0; k < b->model->row_count * LANES; ++k, at += sizeof(vec3)) {
        vec3 offset;
        memcpy(&offset, at, sizeof offset);
        set_rest_offset(&b->own_rest, k, offset);
    }
    memcpy(b->own_rest.edges, at, edges);
    return at + edges;
}

// Without the touches, whose number changes from step to step.
static size_t fixed_size(const pliant_world *world)
{
    size_t size = sizeof(snapshot_header) + sizeof(world_state) +
                  (size_t)world->active_count * sizeof(body_state);
    for (int i = 0; i < world->collider_slot_count; ++i)
        size += world->colliders[i].is_alive ? sizeof(collider_state) : 0;
    for (int i = 0; i < world->attachment_slot_count; ++i)
        size += is_used(&world->attachments[i]) ? sizeof(attachment_state) : 0;
    for (int k = 0; k < world->active_count; ++k)
        size += rest_size(&world->bodies[world->active[k]]);
    return size + pliant_storage_size(world);
}

size_t pliant_world_snapshot_size(const pliant_world *world)
{
    if (!checked_world(world, __func__))
        return 0;
    size_t keys = (size_t)world->touches.before_count + (size_t)world->entangled.count;
    return fixed_size(world) + keys * sizeof(uint64_t) +
           (size_t)world->landings.count * sizeof *world->landings.at;
}

// Lists that may be empty, and then have no memory.
static uint8_t *put_list(uint8_t *at, const void *list, int count, size_t each)
{
    size_t size = (size_t)count * each;
    if (size > 0)
        memcpy(at, list, size);
    return at + size;
}

static const uint8_t *take_list(const uint8_t *at, void *list, int count, size_t each)
{
    size_t size = (size_t)count * each;
    if (size > 0)
        memcpy(list, at, size);
    return at + size;
}

void pliant_world_snapshot(const pliant_world *world, void *buffer)
{
    if (!checked_pointer(world, buffer, "buffer", __func__))
        return;
    uint8_t *start = buffer, *at = start + sizeof(snapshot_header);
    world_state state = {.time = world->time,
                         .steps = world->steps,
                         .gravity = world->def.gravity,
                         .wanted_length = world->def.substep_length,
                         .substep_length = world->substep_length,
                         .iterations = world->def.iterations,
                         .touch_count = world->touches.before_count,
                         .entangled_count = world->entangled.count,
                         .landing_count = world->landings.count,
                         .left_over = world->left_over};
    memcpy(at, &state, sizeof state);
    at += sizeof state;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        body_state kept = {.force = b->force,
                           .linear_rate = b->linear_rate,
                           .angular_rate = b->angular_rate,
                           .shape_rate = b->shape_rate,
                           .gravity_scale = b->gravity_scale,
                           .friction = b->friction,
                           .restitution = b->restitution,
                           .stiffness_scale = b->stiffness_scale,
                           .is_frozen = b->is_frozen,
                           .is_asleep = b->is_asleep,
                           .calm_time = b->calm_time,
                           .nowhere_time = b->nowhere_time,
                           .was_turn = b->was_turn,
                           .island = b->island,
                           .landing = b->landing,
                           .idle_time = b->idle_time,
                           .was_high = b->was_high,
                           .solved_scale = b->solved_scale,
                           .account = b->account};
        memcpy(at, &kept, sizeof kept);
        at += sizeof kept;
    }
    for (int k = 0; k < world->active_count; ++k)
        if (pliant_body_is_plastic(&world->bodies[world->active[k]]))
            at = put_rest(at, &world->bodies[world->active[k]]);
    for (int i = 0; i < world->collider_slot_count; ++i) {
        const collider *c = &world->colliders[i];
        if (!c->is_alive)
            continue;
        collider_state kept = {c->end, c->target, c->linear_velocity, c->angular_velocity,
                               c->has_target};
        memcpy(at, &kept, sizeof kept);
        at += sizeof kept;
    }
    at = put_list(at, world->touches.before, world->touches.before_count, sizeof(uint64_t));
    at = put_list(at, world->entangled.keys, world->entangled.count, sizeof(uint64_t));
    at = put_list(at, world->landings.at, world->landings.count, sizeof(pair_landing));
    for (int i = 0; i < world->attachment_slot_count; ++i) {
        const attachment *a = &world->attachments[i];
        if (!is_used(a))
            continue;
        attachment_state kept = {a->anchor, a->target, a->force, a->has_target, a->is_broken};
        memcpy(at, &kept, sizeof kept);
        at += sizeof kept;
    }
    at = pliant_storage_put(world, at);
    snapshot_header header = {.magic = SNAPSHOT_MAGIC, .structure = structure_hash(world)};
    header.size = (uint64_t)(at - start);
    header.checksum =
        hash_bytes(HASH_START, start + sizeof header, (size_t)header.size - sizeof header);
    memcpy(start, &header, sizeof header);
}

static pliant_result check_snapshot(const pliant_world *world, const uint8_t *from, size_t size,
                                    pliant_error *error)
{
    snapshot_header header;
    if (size < sizeof header)
        return pliant_error_set(error, PLIANT_ERROR_FORMAT, "snapshot", "too short");
    memcpy(&header, from, sizeof header);
    if (header.magic != SNAPSHOT_MAGIC)
        return pliant_error_set(error, PLIANT_ERROR_FORMAT, "snapshot", "this is not a snapshot");
    if (header.structure != structure_hash(world))
        return pliant_error_set(error, PLIANT_ERROR_MISMATCH, "snapshot",
                                "the world had other bodies, colliders or attachments then");
    world_state state = {0};
    if (size >= fixed_size(world))
        memcpy(&state, from + sizeof header, sizeof state);
    size_t keys = (size_t)state.touch_count + (size_t)state.entangled_count;
    if (header.size != size || state.touch_count < 0 || state.touch_count > world->touches.room ||
        state.entangled_count < 0 || state.entangled_count > world->entangled.room ||
        state.landing_count < 0 || state.landing_count > world->landings.room ||
        size != fixed_size(world) + keys * sizeof(uint64_t) +
                    (size_t)state.landing_count * sizeof *world->landings.at)
        return pliant_error_set(error, PLIANT_ERROR_FORMAT, "snapshot",
                                "%llu bytes expected, %llu found", (unsigned long long)header.size,
                                (unsigned long long)size);
    if (header.checksum != hash_bytes(HASH_START, from + sizeof header, size - sizeof header))
        return pliant_error_set(error, PLIANT_ERROR_FORMAT, "snapshot", "checksum does not match");
    return PLIANT_OK;
}

// Bodies whose pins differ from their rest data need new rest data, for which memory may lack: that
// memory is taken before anything changes.
static bool reserve_refits(pliant_world *world, const uint8_t *pinned)
{
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        size_t size = (size_t)b->model->source.particle_count * sizeof *pinned;
        bool differs = memcmp(world->pinned + b->particle_first, pinned + b->particle_first, size);
        if (differs && !pliant_body_own_rest(world, b))
            return false;
    }
    return true;
}

// What follows from the offsets of a plastic body, which are state.
static void weigh_again(pliant_world *world, body *b)
{
    rest_pose pose = pliant_body_rest_pose(world, b);
    for (int i = 0; i < b->model->group_count; ++i)
        pliant_rest_weigh_group(&b->own_rest, b->model, i, world->pinned + b->particle_first,
                                &pose);
    pliant_body_update_masses(world, b);
}

pliant_result pliant_world_restore(pliant_world *world, const void *buffer, size_t size,
                                   pliant_error *error)
{
    pliant_result result = pliant_check_given(world, buffer, "buffer", error, __func__);
    if (!result)
        result = check_snapshot(world, buffer, size, error);
    if (result)
        return result;
    const uint8_t *at = (const uint8_t *)buffer + sizeof(snapshot_header);
    // The pins are the last of the state arrays.
    const uint8_t *pinned = (const uint8_t *)buffer + size - (size_t)world->particle_count;
    if (!reserve_refits(world, pinned))
        return pliant_error_memory(error);

    world_state state;
    memcpy(&state, at, sizeof state);
    at += sizeof state;
    world->time = state.time;
    world->steps = state.steps;
    world->left_over = state.left_over;
    world->def.gravity = state.gravity;
    world->def.substep_length = state.wanted_length;
    world->substep_length = state.substep_length;
    world->def.iterations = state.iterations;
    world->alpha_h = 0.0f;
    pliant_forget_foresight(world);
    for (int k = 0; k < world->active_count; ++k) {
        body_state kept;
        memcpy(&kept, at, sizeof kept);
        at += sizeof kept;
        body *b = &world->bodies[world->active[k]];
        b->force = kept.force;
        b->has_forces = true; // they may have been restored
        b->linear_rate = kept.linear_rate;
        b->angular_rate = kept.angular_rate;
        b->shape_rate = kept.shape_rate;
        b->gravity_scale = kept.gravity_scale;
        b->friction = kept.friction;
        b->restitution = kept.restitution;
        b->stiffness_scale = kept.stiffness_scale;
        b->is_frozen = kept.is_frozen != 0;
        b->is_asleep = kept.is_asleep != 0;
        b->calm_time = kept.calm_time;
        b->nowhere_time = kept.nowhere_time;
        b->was_turn = kept.was_turn;
        b->island = kept.island;
        b->landing = kept.landing;
        b->idle_time = kept.idle_time;
        b->was_high = kept.was_high;
        b->solved_scale = kept.solved_scale;
        b->account = kept.account;
        b->ledger = (ledger){0};
        b->went_bad = b->is_placed = b->has_before = false;
    }
    for (int k = 0; k < world->active_count; ++k)
        if (pliant_body_is_plastic(&world->bodies[world->active[k]]))
            at = take_rest(at, &world->bodies[world->active[k]]);
    for (int i = 0; i < world->collider_slot_count; ++i) {
        collider *c = &world->colliders[i];
        if (!c->is_alive)
            continue;
        collider_state kept;
        memcpy(&kept, at, sizeof kept);
        at += sizeof kept;
        c->pose = c->next = c->end = kept.pose;
        c->target = kept.target;
        c->linear_velocity = kept.linear_velocity;
        c->angular_velocity = kept.angular_velocity;
        c->has_target = kept.has_target != 0;
        pliant_place_collider(world, i);
    }
    at = take_list(at, world->touches.before, state.touch_count, sizeof(uint64_t));
    at = take_list(at, world->entangled.keys, state.entangled_count, sizeof(uint64_t));
    at = take_list(at, world->landings.at, state.landing_count, sizeof(pair_landing));
    world->landings.count = state.landing_count;
    world->touches.before_count = state.touch_count;
    world->entangled.count = state.entangled_count;
    world->touches.event_count = 0;
    pliant_forget_contacts(world);
    for (int i = 0; i < world->attachment_slot_count; ++i) {
        attachment *a = &world->attachments[i];
        if (!is_used(a))
            continue;
        attachment_state kept;
        memcpy(&kept, at, sizeof kept);
        at += sizeof kept;
        a->anchor = kept.anchor;
        a->target = kept.target;
        a->force = kept.force;
        a->has_target = kept.has_target != 0;
        a->is_broken = kept.is_broken != 0;
        a->is_alive = !a->is_broken;
    }
    pliant_storage_take(world, at);
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (pliant_body_is_plastic(b))
            weigh_again(world, b);
        else if (b->own_rest.rows)
            pliant_body_refit(world, b);
        else
            pliant_body_update_masses(world, b);
        pliant_place_body(world, b);
    }
    return PLIANT_OK;
}
