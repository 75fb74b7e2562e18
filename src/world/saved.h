// The saved form of a world: what a snapshot consists of.
//
// Little-endian, without padding and without pointers: the same state gives the same bytes on every machine. Header: magic,
// u32 version, u32 reserved (0), u64 size of the whole, u64 checksum of everything behind the header. Then
//
//     the world's fields
//     colliders      u32 slots; of each slot its generation and whether it is used; if so, the fingerprint of its shape and
//                    its fields
//     bodies         u32 slots and the generation of each; u32 bodies; of each body, in the order of the ranges, its slot, its
//                    model's identity and fingerprint, the size of its run, its fields, and the run: the ranges of its
//                    state (storage.h) and, if it is plastic, its rest shape
//     attachments    u32 slots; of each slot its generation, that of the last one removed and whether it is used; if so, its
//                    fields
//     touches, entangled bodies, landings of two bodies: u32 how many, and their keys or fields
//
// The lists below are the fields: X(type, field). The version changes with them, with the arrays of the state, and with the
// order in which models put their groups, slots and edges.

#ifndef PLIANT_WORLD_SAVED_H
#define PLIANT_WORLD_SAVED_H

#include "world.h"

#include "core/bytes.h"

#define SAVED_MAGIC "PLNTSNP\x1a"

enum {
    SAVED_VERSION = 1,
    SAVED_MAGIC_SIZE = 8,
    SAVED_SIZE_OFFSET = 16,
    SAVED_CHECKSUM_OFFSET = 24,
    SAVED_HEADER_SIZE = 32,
};

#define SAVED_WORLD(X)                                                                             \
    X(double, time)                                                                                \
    X(long, steps)                                                                                 \
    X(double, left_over)                                                                           \
    X(vec3, def.gravity)                                                                           \
    X(float, def.substep_length)                                                                   \
    X(float, substep_length)                                                                       \
    X(integer, def.iterations)

#define SAVED_COLLIDER(X)                                                                          \
    X(pose, end)                                                                                   \
    X(vec3, linear_velocity)                                                                       \
    X(vec3, angular_velocity)                                                                      \
    X(pose, target)                                                                                \
    X(flag, has_target)                                                                            \
    X(float, friction)                                                                             \
    X(float, restitution)                                                                          \
    X(word, layers)                                                                                \
    X(word, mask)

#define SAVED_LANDING(X, of)                                                                       \
    X(vec3, of.normal)                                                                             \
    X(float, of.approach)                                                                          \
    X(float, of.speed)                                                                             \
    X(float, of.energy)                                                                            \
    X(float, of.last)                                                                              \
    X(float, of.left)                                                                              \
    X(integer, of.is_rigid)

#define SAVED_ACCOUNT(X, of)                                                                       \
    X(double, of.store)                                                                            \
    X(double, of.gifts)                                                                            \
    X(double, of.net)                                                                              \
    X(double, of.least)                                                                            \
    X(double, of.least_before)                                                                     \
    X(float, of.peak)                                                                              \
    X(float, of.peak_before)                                                                       \
    X(float, of.since)                                                                             \
    X(float, of.unknown_left)                                                                      \
    X(integer, of.is_moved)

#define SAVED_BODY(X)                                                                              \
    X(flag, gyroscopic)                                                                            \
    X(flag, self_collision)                                                                        \
    X(word, layers)                                                                                \
    X(word, mask)                                                                                  \
    X(float, linear_rate)                                                                          \
    X(float, angular_rate)                                                                         \
    X(float, shape_rate)                                                                           \
    X(float, gravity_scale)                                                                        \
    X(float, friction)                                                                             \
    X(float, restitution)                                                                          \
    X(float, stiffness_scale)                                                                      \
    X(float, solved_scale)                                                                         \
    X(vec3, force)                                                                                 \
    X(flag, is_frozen)                                                                             \
    X(flag, is_asleep)                                                                             \
    X(integer, island)                                                                             \
    X(float, calm_time)                                                                            \
    X(float, nowhere_time)                                                                         \
    X(float, idle_time)                                                                            \
    X(float, was_high)                                                                             \
    X(quat, was_turn)                                                                              \
    SAVED_LANDING(X, landing)                                                                      \
    SAVED_ACCOUNT(X, account)

#define SAVED_ATTACHMENT(X)                                                                        \
    X(body_id, def.body)                                                                           \
    X(integer, def.particle)                                                                       \
    X(body_id, def.other_body)                                                                     \
    X(integer, def.other_particle)                                                                 \
    X(collider_id, def.collider)                                                                   \
    X(vec3, def.anchor)                                                                            \
    X(float, def.length)                                                                           \
    X(flag, def.is_slack)                                                                          \
    X(float, def.stiffness)                                                                        \
    X(float, def.strength)                                                                         \
    X(vec3, anchor)                                                                                \
    X(vec3, target)                                                                                \
    X(flag, has_target)                                                                            \
    X(float, force)

#define SAVED_PAIR_LANDING(X)                                                                      \
    X(integer, first)                                                                              \
    X(integer, second)                                                                             \
    SAVED_LANDING(X, landing)

static inline size_t rest_edge_words(const pliant_model *model)
{
    return (size_t)model->source.edge_count * sizeof(rest_edge) / 4;
}

static inline size_t rest_twist_words(const pliant_model *model)
{
    return model->has_twist_creep ? (size_t)model->source.edge_count * sizeof(quat) / 4 : 0;
}

// Bytes of the state of a body of a model.
static inline size_t saved_run_size(const pliant_model *model)
{
    size_t size = pli_storage_size(model);
    if (model->has_dents || model->has_creep)
        size += (size_t)model->row_count * LANES * sizeof(vec3) + 4 * rest_edge_words(model);
    return size + 4 * rest_twist_words(model);
}

#endif
