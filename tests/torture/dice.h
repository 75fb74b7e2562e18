// Random numbers of a world: equal seeds give equal worlds and events.

#ifndef PLIANT_TORTURE_DICE_H
#define PLIANT_TORTURE_DICE_H

#include "math/quat.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct dice {
    uint64_t state;
} dice;

// SplitMix64: neighbouring seeds have nothing in common.
static inline uint64_t dice_bits(dice *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static inline float dice_between(dice *d, float low, float high)
{
    return low + (high - low) * (float)(dice_bits(d) >> 40) / 16777216.0f;
}

// Evenly distributed in its logarithm; both ends are positive.
static inline float dice_log(dice *d, float low, float high)
{
    return low * powf(high / low, dice_between(d, 0.0f, 1.0f));
}

// low … high, both included.
static inline int dice_int(dice *d, int low, int high)
{
    return low + (int)(dice_bits(d) % (uint64_t)(high - low + 1));
}

static inline bool dice_chance(dice *d, float chance)
{
    return dice_between(d, 0.0f, 1.0f) < chance;
}

// [0, 1], with both ends as likely as a quarter each.
static inline float dice_fraction(dice *d)
{
    switch (dice_int(d, 0, 3)) {
    case 0:
        return 0.0f;
    case 1:
        return 1.0f;
    default:
        return dice_between(d, 0.0f, 1.0f);
    }
}

static inline vec3 dice_vec3(dice *d, float size)
{
    float x = dice_between(d, -size, size), y = dice_between(d, -size, size);
    return (vec3){x, y, dice_between(d, -size, size)};
}

// Of any direction and a length of at most `size`.
static inline vec3 dice_in_ball(dice *d, float size)
{
    vec3 v = vec3_normalize_or(dice_vec3(d, 1.0f), (vec3){1, 0, 0});
    return vec3_scale(v, dice_between(d, 0.0f, size));
}

static inline quat dice_quat(dice *d)
{
    vec3 axis = dice_vec3(d, 1.0f);
    return quat_normalize((quat){axis.x, axis.y, axis.z, dice_between(d, 0.01f, 1.0f)});
}

#endif
