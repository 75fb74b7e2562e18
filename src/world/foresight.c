// Pairs that may come to touch in many substeps, when a few particles have left the way that was foreseen for them.
//
// Each of these gets a new sphere, and all pairs that this one overlaps in are added to those that are known.
// Pairs that they have no more do no harm: each substep looks at all of them again.

#include <stdatomic.h>

#include "pairs.h"
#include "tasks.h"

#include "solve/ways.h"

// Particles in one task, and room for so many pairs that it finds.
enum { RANGE = 1024, RANGE_ROOM = 2048 };

// Pairs go to found_pairs in the order in which tasks come to an end: they are sorted afterwards.
typedef struct mending {
    const pliant_world *world;
    const int32_t *strays;
    int stray_count;
    int room;          // in found_pairs
    atomic_int found;  // pairs, may be more than there is room for
    atomic_bool fails; // a task has found too many
} mending;

static void scan_range(int task, void *context)
{
    mending *m = context;
    const pliant_world *world = m->world;
    const searched_particles *searched = &world->searched;
    int at = task * RANGE, end = at + RANGE < searched->count ? at + RANGE : searched->count;
    particle_pair pairs[RANGE_ROOM];
    int found = 0;
    for (int count; at < end && found >= 0; at += count) {
        const sphere_run *run = sphere_run_at(searched->runs, searched->run_count, at);
        int first = run->first + at - run->before, left = run->before + run->count - at;
        count = end - at < left ? end - at : left;
        int here =
            world->kernels->find_around(world->foresight.spheres, first, first + count, m->strays,
                                        m->stray_count, pairs + found, RANGE_ROOM - found);
        found = here < 0 ? -1 : found + here;
    }
    int kept = found > 0 ? pli_keep_possible(world, pairs, found) : 0;
    int place = atomic_fetch_add_explicit(&m->found, kept, memory_order_relaxed);
    if (found < 0 || place > m->room - kept)
        atomic_store_explicit(&m->fails, true, memory_order_relaxed);
    else if (kept > 0)
        memcpy(world->found_pairs + place, pairs, (size_t)kept * sizeof *pairs);
}

static bool comes_before(particle_pair one, particle_pair two)
{
    return one.a < two.a || (one.a == two.a && one.b < two.b);
}

static void sink(particle_pair *heap, int root, int count)
{
    particle_pair moving = heap[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && comes_before(heap[child], heap[child + 1]);
        if (!comes_before(moving, heap[child]))
            break;
        heap[root] = heap[child];
    }
    heap[root] = moving;
}

static void sort(particle_pair *pairs, int count)
{
    for (int root = count / 2 - 1; root >= 0; --root)
        sink(pairs, root, count);
    for (int end = count - 1; end > 0; --end) {
        particle_pair last = pairs[0];
        pairs[0] = pairs[end];
        pairs[end] = last;
        sink(pairs, 0, end);
    }
}

static bool is_known(const foresight *ahead, particle_pair pair)
{
    int low = 0, high = ahead->pair_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (comes_before(ahead->pairs[middle], pair))
            low = middle + 1;
        else
            high = middle;
    }
    return low < ahead->pair_count && !comes_before(pair, ahead->pairs[low]);
}

// Two strays find each other twice. The pairs are sorted.
static int keep_unknown(const foresight *ahead, particle_pair *pairs, int count)
{
    int kept = 0;
    for (int k = 0; k < count; ++k)
        if ((kept == 0 || comes_before(pairs[kept - 1], pairs[k])) && !is_known(ahead, pairs[k]))
            pairs[kept++] = pairs[k];
    return kept;
}

// From the back, where there is room.
static void merge(foresight *ahead, const particle_pair *more, int count)
{
    int from = ahead->pair_count - 1, to = ahead->pair_count + count - 1;
    ahead->pair_count += count;
    for (int next = count - 1; next >= 0; --to)
        ahead->pairs[to] = from >= 0 && comes_before(more[next], ahead->pairs[from])
                               ? ahead->pairs[from--]
                               : more[next--];
}

bool pli_mend_foresight(pliant_world *world, const int32_t *strays, int count, int room)
{
    mending m = {.world = world, .strays = strays, .stray_count = count, .room = room};
    int tasks = (world->searched.count + RANGE - 1) / RANGE;
    pli_run_tasks(world, tasks, scan_range, &m);
    if (m.fails)
        return false;
    int found = m.found;
    sort(world->found_pairs, found);
    found = keep_unknown(&world->foresight, world->found_pairs, found);
    if (found > room - world->foresight.pair_count)
        return false;
    merge(&world->foresight, world->found_pairs, found);
    return true;
}
