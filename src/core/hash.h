// A 64-bit fingerprint: for state hashes and checksums, not against an adversary.

#ifndef PLIANT_CORE_HASH_H
#define PLIANT_CORE_HASH_H

#include <stdint.h>

#include "math/quat.h"

#define HASH_START 0x9e3779b97f4a7c15ull

// Multiply and fold: every input bit reaches the low half of the state within two words.
static inline uint64_t hash_word(uint64_t state, uint64_t word)
{
    state = (state ^ word) * 0xd6e8feb86659fd93ull;
    return state ^ state >> 32;
}

static inline uint64_t hash_float(uint64_t state, float value)
{
    return hash_word(state, float_bits(value));
}

static inline uint64_t hash_vec3(uint64_t state, vec3 v)
{
    return hash_float(hash_float(hash_float(state, v.x), v.y), v.z);
}

static inline uint64_t hash_quat(uint64_t state, quat q)
{
    return hash_float(hash_vec3(state, (vec3){q.x, q.y, q.z}), q.w);
}

#endif
