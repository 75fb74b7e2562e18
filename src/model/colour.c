// Greedy colouring: each constraint takes the first colour that none of its particles has yet.

#include "colour.h"

enum { COLOUR_LIMIT = 64 };

// The lowest colour free at all of a constraint's particles, COLOUR_LIMIT when there is none.
static int lowest_free(const uint64_t *used, const int32_t *particles, int count)
{
    uint64_t taken = 0;
    for (int i = 0; i < count; ++i)
        taken |= used[particles[i]];
    for (int colour = 0; colour < COLOUR_LIMIT; ++colour)
        if (!(taken >> colour & 1))
            return colour;
    return COLOUR_LIMIT;
}

// Counting sort by colour.
static void sort_by_colour(colouring *out, int32_t *order, const uint8_t *colours, int count)
{
    int32_t begin[COLOUR_LIMIT + 2] = {0};
    for (int i = 0; i < count; ++i)
        begin[colours[i] + 1] += 1;
    for (int c = 0; c <= COLOUR_LIMIT; ++c)
        begin[c + 1] += begin[c];
    out->serial_first = begin[COLOUR_LIMIT];
    for (int c = 0; c <= out->colour_count; ++c)
        out->colour_start[c] = begin[c];
    for (int i = 0; i < count; ++i)
        order[begin[colours[i]]++] = i;
}

bool pliant_colour_constraints(colouring *out, int32_t *order, int constraint_count,
                               const int32_t *start, const int32_t *particles, int particle_count,
                               const pliant_allocator *allocator)
{
    uint64_t *used = pliant_memory_new(allocator, (size_t)particle_count, sizeof *used);
    uint8_t *colours = pliant_memory_new(allocator, (size_t)constraint_count, sizeof *colours);
    out->colour_start = pliant_memory_new(allocator, COLOUR_LIMIT + 1, sizeof *out->colour_start);
    bool enough = used && colours && out->colour_start;
    if (enough) {
        out->colour_count = 0;
        for (int i = 0; i < constraint_count; ++i) {
            int count = start[i + 1] - start[i];
            int colour = lowest_free(used, particles + start[i], count);
            colours[i] = (uint8_t)colour;
            if (colour == COLOUR_LIMIT)
                continue;
            for (int k = 0; k < count; ++k)
                used[particles[start[i] + k]] |= 1ull << colour;
            if (colour >= out->colour_count)
                out->colour_count = colour + 1;
        }
        sort_by_colour(out, order, colours, constraint_count);
    }
    pliant_memory_free(allocator, used);
    pliant_memory_free(allocator, colours);
    return enough;
}
