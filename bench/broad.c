// How long the broad phase takes per sphere as their number grows.
//
//     pliant-broad-bench
//
// Spheres fill half of a cube: equal ones, and sizes from 1 to 16. Each set is measured with indices in
// the order of space, as the particles of bodies have them, and shuffled, the worst case for the cache.
// Small sets are many different ones in turn: a single one, repeated, is learnt by heart by the branch
// predictor, which no simulation gets to enjoy. The aim is a ratio of at most 1.2 from 1,000 to 100,000.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "collide/broad.h"

#define RADIUS        0.005f  // m, of the smallest
#define SPREAD        16.0f   // largest over smallest radius in the mixed set
#define LATTICE_CUBED 1.0472f // π/6 over the density 0.5: volume per cubed diameter
#define PAIR_ROOM     8       // per sphere
#define AT_ONCE       100000  // spheres in all sets of one run, at least
#define FEWEST_RUNS   7
#define ENOUGH_NANOS  3e8

typedef struct sphere_set {
    int count;
    broad_sphere *spheres;
} sphere_set;

static uint32_t random_bits(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static float random_unit(uint32_t *state)
{
    return (float)(random_bits(state) >> 8) / 16777216.0f;
}

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static float cube_root(float value)
{
    float root = value > 1.0f ? value : 1.0f;
    for (int i = 0; i < 100; ++i)
        root -= (root - value / (root * root)) / 3.0f;
    return root;
}

// One sphere per site of a cubic lattice, anywhere within `shake` steps of it.
static sphere_set create_set(uint32_t state, int count, bool is_mixed, bool is_shuffled)
{
    sphere_set set = {count, allocate((size_t)count, sizeof(broad_sphere))};
    double cubes = 0.0;
    for (int i = 0; i < count; ++i) {
        // Numbers fall with the square of the size.
        float share = is_mixed ? random_unit(&state) * (1.0f - 1.0f / SPREAD) : 0.0f;
        float diameter = 2.0f * RADIUS / (1.0f - share);
        set.spheres[i].radius = 0.5f * diameter;
        cubes += (double)diameter * diameter * diameter / (8.0 * RADIUS * RADIUS * RADIUS);
    }
    float step = 2.0f * RADIUS * cube_root(LATTICE_CUBED * (float)(cubes / count));
    float shake = is_mixed ? 0.5f : 0.3f;
    int side = 1;
    while ((double)side * side * side < count)
        ++side;
    for (int i = 0; i < count; ++i) {
        float site[3] = {(float)(i % side), (float)(i / side % side), (float)(i / side / side)};
        for (int axis = 0; axis < 3; ++axis)
            site[axis] = step * (site[axis] + shake * (2.0f * random_unit(&state) - 1.0f));
        set.spheres[i].centre = (vec3){site[0], site[1], site[2]};
    }
    for (int i = count - 1; is_shuffled && i > 0; --i) {
        int other = (int)(random_bits(&state) % (uint32_t)(i + 1));
        broad_sphere moved = set.spheres[i];
        set.spheres[i] = set.spheres[other];
        set.spheres[other] = moved;
    }
    return set;
}

// The least of several runs, nanoseconds per sphere.
static double measure(const char *name, int count, bool is_mixed, bool is_shuffled)
{
    int set_count = count < AT_ONCE ? AT_ONCE / count : 1;
    sphere_set *sets = allocate((size_t)set_count, sizeof(sphere_set));
    for (int i = 0; i < set_count; ++i)
        sets[i] = create_set(12345 + 7919 * (uint32_t)i, count, is_mixed, is_shuffled);
    int capacity = PAIR_ROOM * count, most = 0;
    particle_pair *pairs = allocate((size_t)capacity, sizeof(particle_pair));
    broad_phase broad = {0};
    const kernels *fast = pli_choose_kernels(PLIANT_INSTRUCTIONS_BEST);
    if (!pli_broad_reserve(&broad, count, capacity, NULL)) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    double all = (double)set_count * count, least = 1e300, spent = 0.0, found = 0.0;
    for (int run = 0; run < FEWEST_RUNS || spent < ENOUGH_NANOS; ++run) {
        double begin = now_ns();
        found = 0.0;
        for (int i = 0; i < set_count; ++i) {
            broad_query query = {.spheres = sets[i].spheres, .count = count, .kernels = fast};
            int here = pli_broad_find(&broad, &query, pairs, capacity);
            found += here;
            most = here > most ? here : most;
        }
        double taken = now_ns() - begin;
        least = taken < least ? taken : least;
        spent += taken;
    }
    printf("%-16s %9d %12.1f %12.2f%s\n", name, count, least / all, found / all,
           most > capacity ? "  (more than there is room for)" : "");
    fflush(stdout);
    pli_broad_free(&broad, NULL);
    for (int i = 0; i < set_count; ++i)
        free(sets[i].spheres);
    free(sets);
    free(pairs);
    return least / all;
}

int main(void)
{
    static const struct {
        const char *name;
        bool is_mixed, is_shuffled;
    } sets[] = {{"equal", false, false},
                {"equal shuffled", false, true},
                {"mixed", true, false},
                {"mixed shuffled", true, true}};
    static const int counts[] = {1000, 10000, 100000, 1000000};
    double ratios[4];
    printf("%-16s %9s %12s %12s\n", "set", "spheres", "ns/sphere", "pairs/sphere");
    for (int s = 0; s < 4; ++s) {
        double costs[4];
        for (int c = 0; c < 4; ++c)
            costs[c] = measure(sets[s].name, counts[c], sets[s].is_mixed, sets[s].is_shuffled);
        ratios[s] = costs[2] / costs[0];
    }
    printf("\ncost per sphere, 100,000 over 1,000:\n");
    for (int s = 0; s < 4; ++s)
        printf("%-16s %5.2f\n", sets[s].name, ratios[s]);
    return 0;
}
