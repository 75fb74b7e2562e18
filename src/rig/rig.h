// What a rig holds: its elements as they were given, and what evaluation wants to know of them.

#ifndef PLIANT_RIG_RIG_H
#define PLIANT_RIG_RIG_H

#include <pliant/rig.h>

#include <stdatomic.h>

struct pliant_rig {
    pliant_allocator allocator;
    atomic_size_t references; // its owner's, and those of models and meshes
    pliant_rig_def def;       // all arrays are the rig's own
    int32_t *order;           // nodes, parents before their children
    float *clip_seconds;
    uint64_t fingerprint; // of all of the definition
};

// One array of a definition. All elements are words of 32 bits, behind a name where they have one.
typedef struct rig_array {
    const char *name;
    size_t array, count; // offsets in the definition
    size_t element_size;
    bool has_names;
} rig_array;

enum { RIG_ARRAY_COUNT = 13, RIG_NAME_SIZE = 64 };
extern const rig_array pli_rig_arrays[RIG_ARRAY_COUNT];

// An array and its length in a definition.
void *pli_rig_array_items(const pliant_rig_def *def, const rig_array *array);
int32_t pli_rig_array_count(const pliant_rig_def *def, const rig_array *array);

// Whether a definition can be evaluated. `order` has room for each node and is filled; `scratch` has room for the nodes, and
// for the times.
pliant_result pli_rig_check(const pliant_rig_def *def, int32_t *order, int32_t *scratch,
                            pliant_error *error);

// One more reference, which pliant_rig_destroy gives back; NULL stays NULL. Threads may do so side by side. No rig is a const
// object: what models and meshes hold is const to them but for the counter.
static inline pliant_rig *pli_rig_retain(const pliant_rig *rig)
{
    pliant_rig *mine = (pliant_rig *)rig;
    if (mine)
        atomic_fetch_add_explicit(&mine->references, 1, memory_order_relaxed);
    return mine;
}

// The saved form: for each array, in the order of the table, the count and the elements, little-endian.
enum { RIG_VERSION = 1 };
size_t pli_rig_saved_size(const pliant_rig *rig);
// Returns where it ends.
uint8_t *pli_rig_write(const pliant_rig *rig, uint8_t *at);
// NULL with `error` filled when it is damaged.
pliant_rig *pli_rig_read(const uint8_t *bytes, size_t size, const pliant_allocator *allocator,
                         pliant_error *error);

// The time within the loop that has been reached after so many seconds, and how many loops came before it.
double pli_rig_loop(double length, double seconds, int64_t *loops);
// How many numbers a key of a channel has: of its value, without tangents.
int pli_rig_channel_width(const pliant_rig_def *def, const pliant_rig_channel *channel);
// A node's transform at a time within a clip.
pliant_transform pli_rig_sample_node(const pliant_rig *rig, int clip, double time, int32_t node);

#endif
