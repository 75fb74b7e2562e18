// Saved forms: writing and reading little-endian numbers, whatever the machine's own order.

#ifndef PLIANT_CORE_BYTES_H
#define PLIANT_CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hash.h"
#include "math/quat.h"

// ---------------------------------------------------------------------------------------------
// Writing

// Where the next byte goes. One whose `at` is NULL only counts: so the same code tells the size and writes.
typedef struct byte_writer {
    uint8_t *at;
    size_t size; // so far
} byte_writer;

// Words in the machine's order, four bytes each.
static inline void put_words(byte_writer *out, const void *words, size_t count)
{
    for (size_t i = 0; out->at && i < count; ++i) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)words + 4 * i, sizeof word);
        uint8_t *to = out->at + 4 * i;
        to[0] = (uint8_t)word;
        to[1] = (uint8_t)(word >> 8);
        to[2] = (uint8_t)(word >> 16);
        to[3] = (uint8_t)(word >> 24);
    }
    if (out->at)
        out->at += 4 * count;
    out->size += 4 * count;
}

static inline void put_bytes(byte_writer *out, const void *bytes, size_t count)
{
    if (out->at) {
        memcpy(out->at, bytes, count);
        out->at += count;
    }
    out->size += count;
}

static inline void put_word(byte_writer *out, uint32_t word)
{
    put_words(out, &word, 1);
}

static inline void put_integer(byte_writer *out, int32_t value)
{
    put_word(out, (uint32_t)value);
}

static inline void put_long(byte_writer *out, uint64_t word)
{
    put_word(out, (uint32_t)word);
    put_word(out, (uint32_t)(word >> 32));
}

static inline void put_flag(byte_writer *out, bool flag)
{
    uint8_t byte = flag;
    put_bytes(out, &byte, 1);
}

static inline void put_float(byte_writer *out, float value)
{
    put_word(out, float_bits(value));
}

static inline void put_double(byte_writer *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_long(out, bits);
}

static inline void put_vec3(byte_writer *out, vec3 v)
{
    put_float(out, v.x);
    put_float(out, v.y);
    put_float(out, v.z);
}

static inline void put_quat(byte_writer *out, quat q)
{
    put_vec3(out, (vec3){q.x, q.y, q.z});
    put_float(out, q.w);
}

static inline void put_pose(byte_writer *out, pliant_pose pose)
{
    put_vec3(out, pose.position);
    put_quat(out, pose.orientation);
}

// ---------------------------------------------------------------------------------------------
// Reading

// Bytes that may be anything. What is not there is read as zeroes, and spoils the reader: callers look once, at the end
// of what they read, before they use it.
typedef struct byte_reader {
    const uint8_t *at;
    size_t left;
    bool is_spoilt;
} byte_reader;

// Passes over so many bytes and returns them, or NULL.
static inline const uint8_t *take_run(byte_reader *in, size_t size)
{
    if (in->is_spoilt || size > in->left) {
        in->is_spoilt = true;
        return NULL;
    }
    const uint8_t *run = in->at;
    in->at += size;
    in->left -= size;
    return run;
}

static inline uint32_t word_at(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static inline uint64_t long_at(const uint8_t *from)
{
    return (uint64_t)word_at(from) | (uint64_t)word_at(from + 4) << 32;
}

static inline void take_words(byte_reader *in, void *words, size_t count)
{
    const uint8_t *from = take_run(in, 4 * count);
    for (size_t i = 0; i < count; ++i) {
        uint32_t word = from ? word_at(from + 4 * i) : 0;
        memcpy((uint8_t *)words + 4 * i, &word, sizeof word);
    }
}

static inline void take_bytes(byte_reader *in, void *bytes, size_t count)
{
    const uint8_t *from = take_run(in, count);
    if (from)
        memcpy(bytes, from, count);
    else
        memset(bytes, 0, count);
}

static inline uint32_t take_word(byte_reader *in)
{
    const uint8_t *from = take_run(in, 4);
    return from ? word_at(from) : 0;
}

static inline int32_t take_integer(byte_reader *in)
{
    return (int32_t)take_word(in);
}

static inline uint64_t take_long(byte_reader *in)
{
    const uint8_t *from = take_run(in, 8);
    return from ? long_at(from) : 0;
}

static inline bool take_flag(byte_reader *in)
{
    const uint8_t *from = take_run(in, 1);
    uint8_t byte = from ? *from : 0;
    in->is_spoilt = in->is_spoilt || byte > 1;
    return byte == 1;
}

static inline float take_float(byte_reader *in)
{
    return bits_float(take_word(in));
}

static inline double take_double(byte_reader *in)
{
    uint64_t bits = take_long(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline vec3 take_vec3(byte_reader *in)
{
    float x = take_float(in), y = take_float(in);
    return (vec3){x, y, take_float(in)};
}

static inline quat take_quat(byte_reader *in)
{
    vec3 v = take_vec3(in);
    return (quat){v.x, v.y, v.z, take_float(in)};
}

static inline pliant_pose take_pose(byte_reader *in)
{
    vec3 position = take_vec3(in);
    return (pliant_pose){position, take_quat(in)};
}

// How many things of at least `size` bytes each follow. As many as there are bytes for, or the reader is spoilt: so memory
// for them is no more than in proportion to what was given.
static inline int take_count(byte_reader *in, size_t size)
{
    uint32_t count = take_word(in);
    if (in->is_spoilt || count > in->left / size || count > INT32_MAX) {
        in->is_spoilt = true;
        return 0;
    }
    return (int)count;
}

// ---------------------------------------------------------------------------------------------

// Of bytes in words of eight, four of them side by side, because one waits for its multiplication. A change of one word
// always shows.
static inline uint64_t bytes_checksum(const uint8_t *bytes, size_t size)
{
    enum { SUMS = 4, WORD = 8 };
    uint64_t sums[SUMS] = {HASH_START, HASH_START, HASH_START, HASH_START};
    size_t i = 0;
    for (; i + SUMS * WORD <= size; i += SUMS * WORD)
        for (size_t k = 0; k < SUMS; ++k)
            sums[k] = hash_word(sums[k], long_at(bytes + i + k * WORD));
    uint64_t state = hash_word(HASH_START, size);
    for (size_t k = 0; k < SUMS; ++k)
        state = hash_word(state, sums[k]);
    for (; i < size; ++i)
        state = hash_word(state, bytes[i]);
    return state;
}

#endif
