// Contact between particles, of two bodies or of one (paper 2011, §6; the contact distance is exact).
//
// Most pairs are of soft particles. They are solved eight to a batch (fast/pairs.inl), the
// others alone (single_pairs.c). In each substep pairs are coloured in the order in which they were found: a
// pair takes a colour that neither of its particles has. Pairs of a colour can then be solved in any
// order, by any number of threads, with the same result.

#include "pairs.h"
#include "sleep.h"
#include "substep.h"
#include "tasks.h"

#include <stdatomic.h>

enum { ORDER_PASSES = 8 };
// So many pairs, batches or single pairs are one task for a thread.
enum { PLACE_CHUNK = 1024, BATCH_CHUNK = 32, STOP_CHUNK = 4, SINGLE_CHUNK = 16 };

// ---------------------------------------------------------------------------------------------
// Memory

static bool reserve_frames(pliant_world *world, int bodies)
{
    pair_work *work = &world->pair_work;
    return pli_memory_grow(&world->allocator, (void **)&work->frames, sizeof *work->frames, 0,
                           &work->frame_room, bodies);
}

bool pli_reserve_pair_work(pliant_world *world, int particles, int bodies)
{
    const pliant_allocator *allocator = &world->allocator;
    if (!reserve_frames(world, bodies) || !pli_reserve_entangled(world, bodies) ||
        !pli_reserve_landings(world, bodies))
        return false;
    return pli_memory_grow(allocator, (void **)&world->pair_work.used,
                           sizeof *world->pair_work.used, 0, &world->pair_work.room, particles);
}

static void free_places(const pliant_world *world, pair_place *places, pair_batch *batches)
{
    pli_memory_free(&world->allocator, places);
    pli_memory_free(&world->allocator, batches);
}

// A substep in which there are more pairs than in any before makes room for them and some more. Those of the last one
// are lost. When memory runs out, so are those of this one that have no room.
static void make_room_for_pairs(pliant_world *world)
{
    const pliant_allocator *allocator = &world->allocator;
    pair_work *work = &world->pair_work;
    int needed = world->pair_count;
    if (needed <= work->pair_room)
        return;
    int room =
        pli_memory_room(work->pair_room, needed < INT32_MAX / 2 ? needed + needed / 8 : needed);
    size_t pairs = (size_t)room;
    pair_place *places = pli_memory_new(allocator, pairs, sizeof *places);
    // The last batch of each colour and kind may not be full. What is solved alone takes more than a lane.
    _Static_assert(sizeof(pair_contact) * PAIR_LANES >= sizeof(pair_batch),
                   "any pairs fit where all could be solved alone");
    size_t part_filled = pairs < (size_t)3 * PAIR_COLOURS ? pairs : 3 * PAIR_COLOURS;
    size_t count = pairs * sizeof(pair_contact) / sizeof(pair_batch) + 1 + part_filled;
    pair_batch *batches = pli_memory_new(allocator, count, sizeof *batches);
    if (!places || !batches) {
        free_places(world, places, batches);
        drop_pairs_beyond(world, work->pair_room);
        return;
    }
    free_places(world, work->places, work->batches);
    work->places = places;
    work->batches = batches;
    work->pair_room = room;
}

void pli_free_pair_work(pliant_world *world)
{
    free_places(world, world->pair_work.places, world->pair_work.batches);
    pli_memory_free(&world->allocator, world->pair_work.used);
    pli_memory_free(&world->allocator, world->pair_work.frames);
    pli_free_entangled(world);
    pli_memory_free(&world->allocator, world->landings.at);
}

void pli_describe_forms(pliant_world *world, const body *b)
{
    const pliant_model *model = b->model;
    for (int k = 0; k < model->source.particle_count; ++k) {
        bool is_single = model->answers_rigidly[k] ||
                         (model->source.particles[k].flags & PLIANT_PARTICLE_SURFACE);
        float thinnest = pli_smallest_radius(b, k);
        world->form[b->particle_first + k] = (particle_form){
            .largest = pli_largest_radius(b, k), .thinnest = is_single ? -thinnest : thinnest};
    }
}

// ---------------------------------------------------------------------------------------------
// Tasks

struct pair_stage;
typedef void batch_task(struct pair_stage *stage, pair_batch *first, int count);

// What tasks do with ranges of batches of fast pairs and of others, and with pairs that are solved alone; NULL:
// nothing.
typedef struct pair_stage {
    batch_task *fast, *others;
    void (*single)(struct pair_stage *stage, pair_contact *c);
    const substep *s;
    pair_scene scene;
    int chunk;                                       // batches for one task
    pair_list fast_range, other_range, single_range; // of what runs side by side
    atomic_int result;
} pair_stage;

static pair_stage stage_of(const substep *s)
{
    pliant_world *world = s->world;
    pair_stage stage = {.s = s, .chunk = BATCH_CHUNK};
    stage.scene = (pair_scene){.move = world->move,
                               .form = world->form,
                               .start = world->start,
                               .v = world->v,
                               .owner = world->owner,
                               .frame = world->pair_work.frames,
                               .h = s->h,
                               .push_out = world->def.depenetration_speed * s->h};
    return stage;
}

static int chunks_of(int count, int chunk)
{
    return (count + chunk - 1) / chunk;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// Batches [first, end) of what runs side by side, where fast ones come first.
static void run_batches(pair_stage *stage, int first, int end)
{
    pair_batch *batches = stage->s->world->pair_work.batches;
    int fast = stage->fast_range.count, last_fast = smaller(end, fast);
    if (first < last_fast) {
        stage->fast(stage, batches + stage->fast_range.first + first, last_fast - first);
        first = last_fast;
    }
    if (first < end)
        stage->others(stage, batches + stage->other_range.first + first - fast, end - first);
}

static void stage_task(int index, void *context)
{
    pair_stage *stage = context;
    int batches = stage->fast_range.count + stage->other_range.count;
    int batch_tasks = chunks_of(batches, stage->chunk);
    if (index < batch_tasks) {
        int first = index * stage->chunk;
        run_batches(stage, first, smaller(first + stage->chunk, batches));
        return;
    }
    int first = (index - batch_tasks) * SINGLE_CHUNK;
    int end = smaller(first + SINGLE_CHUNK, stage->single_range.count);
    for (int k = first; k < end; ++k)
        stage->single(stage, &stage->s->world->pair_work.singles[stage->single_range.first + k]);
}

static void run_stage(pair_stage *stage)
{
    int batches = stage->fast_range.count + stage->other_range.count;
    int tasks =
        chunks_of(batches, stage->chunk) + chunks_of(stage->single_range.count, SINGLE_CHUNK);
    pli_run_tasks(stage->s->world, tasks, stage_task, stage);
}

static int batches_for(int pairs)
{
    return chunks_of(pairs, PAIR_LANES);
}

static void run_by_colour(pair_stage *stage)
{
    pliant_world *world = stage->s->world;
    const pair_work *work = &world->pair_work;
    const pair_list none = {0, 0}, *alone = &work->lists[PAIR_SINGLE][PAIR_COLOURS];
    for (int c = 0; c < work->colour_count; ++c) {
        const pair_list *fast = &work->lists[PAIR_FAST][c], *soft = &work->lists[PAIR_SOFT][c];
        const pair_list *near = &work->lists[PAIR_NEAR][c];
        pair_list fast_batches = {fast->first, batches_for(fast->count)};
        pair_list others = {soft->first, batches_for(soft->count) + batches_for(near->count)};
        stage->fast_range = stage->fast ? fast_batches : none;
        stage->other_range = stage->others ? others : none;
        stage->single_range = stage->single ? work->lists[PAIR_SINGLE][c] : none;
        run_stage(stage);
    }
    for (int k = 0; stage->single && k < alone->count; ++k)
        stage->single(stage, &work->singles[alone->first + k]);
}

// ---------------------------------------------------------------------------------------------
// Placing

static void describe_bodies(pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        world->pair_work.frames[world->active[k]] =
            (body_frame){.origin = b->origin, .drift = b->drift, .friction = b->friction};
    }
}

// A colour that neither particle has, PAIR_COLOURS when there is none. The search begins where a number mixed from
// both says: so most pairs keep their colour, and their turn in the order, when others come and go, and what
// few iterations leave behind does not jump about.
static int take_colour(uint64_t *used, int32_t a, int32_t b)
{
    uint64_t taken = used[a] | used[b];
    if (taken == UINT64_MAX)
        return PAIR_COLOURS;
    uint32_t mixed = (uint32_t)a * 3266489917u ^ (uint32_t)b * 2246822519u;
    uint64_t below = (1ull << (mixed >> 29)) - 1;
    if (~(taken | below))
        taken |= below;
    uint64_t lowest = ~taken & (taken + 1);
    used[a] |= lowest;
    used[b] |= lowest;
    return __builtin_ctzll(lowest);
}

// Pairs without a colour are solved alone.
static void colour_pairs(pliant_world *world)
{
    pair_work *work = &world->pair_work;
    memset(work->used, 0, (size_t)world->particle_count * sizeof *work->used);
    memset(work->lists, 0, sizeof work->lists);
    for (int k = 0; k < world->pair_count; ++k) {
        particle_pair *found = &world->found_pairs[k];
        int32_t b = found_second(*found);
        int colour = take_colour(work->used, found->a, b);
        if (colour == PAIR_COLOURS)
            *found = found_pair(found->a, b, PAIR_SINGLE);
        pair_list *list = &work->lists[found_kind(*found)][colour];
        work->places[k] = (pair_place){colour, list->count};
        list->count += 1;
    }
}

// Takes room for a list's pairs in batches after so many.
static void start_list(pair_list *list, int *batches)
{
    list->first = *batches;
    *batches += batches_for(list->count);
}

// Batches of a colour hold first those that touch as predicted: others are mostly done with a look.
static void start_lists(pair_work *work)
{
    for (int c = 0; c < PAIR_COLOURS; ++c)
        start_list(&work->lists[PAIR_FAST][c], &work->batch_count);
    work->fast_count = work->batch_count;
    for (int c = 0; c < PAIR_COLOURS; ++c) {
        start_list(&work->lists[PAIR_SOFT][c], &work->batch_count);
        start_list(&work->lists[PAIR_NEAR][c], &work->batch_count);
    }
    work->singles = (pair_contact *)(void *)(work->batches + work->batch_count);
    for (int c = 0; c <= PAIR_COLOURS; ++c) {
        work->lists[PAIR_SINGLE][c].first = work->single_count;
        work->single_count += work->lists[PAIR_SINGLE][c].count;
    }
    for (int c = 0; c < PAIR_COLOURS; ++c)
        for (int kind = PAIR_SOFT; kind <= PAIR_SINGLE; ++kind)
            if (work->lists[kind][c].count > 0)
                work->colour_count = c + 1;
}

static void place_chunk(int index, void *context)
{
    pliant_world *world = context;
    pair_work *work = &world->pair_work;
    int first = index * PLACE_CHUNK, end = smaller(first + PLACE_CHUNK, world->pair_count);
    for (int k = first; k < end; ++k) {
        int32_t a = world->found_pairs[k].a, b = found_second(world->found_pairs[k]);
        pair_kind kind = found_kind(world->found_pairs[k]);
        pair_place at = work->places[k];
        const pair_list *list = &work->lists[kind][at.colour];
        if (kind == PAIR_SINGLE) {
            work->singles[list->first + at.rank] = (pair_contact){.a = a, .b = b};
            continue;
        }
        pair_batch *eight = &work->batches[list->first + at.rank / PAIR_LANES];
        eight->a[at.rank % PAIR_LANES] = a;
        eight->b[at.rank % PAIR_LANES] = b;
    }
}

// The last pair of a list also fills the lanes after it.
static void end_list(pair_batch *batches, const pair_list *list)
{
    int count = batches_for(list->count);
    for (int k = 0; k < count; ++k)
        batches[list->first + k].count = PAIR_LANES;
    if (count == 0)
        return;
    pair_batch *last = &batches[list->first + count - 1];
    last->count = list->count - (count - 1) * PAIR_LANES;
    for (int i = last->count; i < PAIR_LANES; ++i) {
        last->a[i] = last->a[last->count - 1];
        last->b[i] = last->b[last->count - 1];
    }
}

static void end_lists(pair_work *work)
{
    for (int c = 0; c < work->colour_count; ++c) {
        end_list(work->batches, &work->lists[PAIR_FAST][c]);
        end_list(work->batches, &work->lists[PAIR_SOFT][c]);
        end_list(work->batches, &work->lists[PAIR_NEAR][c]);
    }
}

// ---------------------------------------------------------------------------------------------
// The stages

static bool has_dents(const pliant_world *world)
{
    bool has = false;
    for (int k = 0; k < world->active_count; ++k)
        has = has || world->bodies[world->active[k]].model->has_dents;
    return has;
}

static void note_hit(pliant_world *world, int32_t a, int32_t b, float approach)
{
    world->hit_speed[a] = maximum(world->hit_speed[a], approach);
    world->hit_speed[b] = maximum(world->hit_speed[b], approach);
}

// Only dents ask how hard a particle was hit. Before anything is solved, those that touch as predicted.
static void note_coming_hits(pliant_world *world)
{
    const pair_work *work = &world->pair_work;
    for (int k = 0; k < work->batch_count * PAIR_LANES; ++k) {
        const pair_batch *eight = &work->batches[k / PAIR_LANES];
        int i = k % PAIR_LANES, a = eight->a[i], b = eight->b[i];
        if (i >= eight->count)
            continue;
        vec3 moved =
            vec3_add(lane_of(&eight->between, i), vec3_sub(world->move[b].way, world->move[a].way));
        if (eight->normal_impulse[i] > 0.0f ||
            vec3_dot(lane_of(&eight->plane, i), moved) < eight->width[i])
            note_hit(world, a, b, eight->approach[i]);
    }
    for (int k = 0; k < work->single_count; ++k)
        if (work->singles[k].hits)
            note_hit(world, work->singles[k].a, work->singles[k].b, work->singles[k].approach);
}

static void begin_batches(pair_stage *stage, pair_batch *first, int count)
{
    if (stage->s->world->kernels->begin_pairs(&stage->scene, first, count))
        atomic_store_explicit(&stage->result, 1, memory_order_relaxed);
}

static void stop_batches(pair_stage *stage, pair_batch *first, int count)
{
    if (stage->s->world->kernels->stop_pairs(&stage->scene, first, count))
        atomic_store_explicit(&stage->result, 1, memory_order_relaxed);
}

static void begin_single_now(pair_stage *stage, pair_contact *c)
{
    *c = pli_begin_pair(stage->s, c->a, c->b);
    if (c->is_deep)
        atomic_store_explicit(&stage->result, 1, memory_order_relaxed);
}

static void begin_fast_single(pair_stage *stage, pair_contact *c)
{
    if (is_fast(stage->s->world, c->a, c->b))
        begin_single_now(stage, c);
}

static void begin_single(pair_stage *stage, pair_contact *c)
{
    if (!c->has_begun)
        begin_single_now(stage, c);
}

// Gives every pair its place.
static void place_pairs(pliant_world *world)
{
    describe_bodies(world);
    colour_pairs(world);
    start_lists(&world->pair_work);
    pli_run_tasks(world, chunks_of(world->pair_count, PLACE_CHUNK), place_chunk, world);
    end_lists(&world->pair_work);
}

void pli_begin_pairs(const substep *s)
{
    pliant_world *world = s->world;
    pair_work *work = &world->pair_work;
    work->fast_count = work->batch_count = work->single_count = work->colour_count = 0;
    make_room_for_pairs(world);
    if (world->pair_count == 0) {
        world->entangled.count = 0;
        return;
    }
    pair_stage stage = stage_of(s);
    place_pairs(world);
    stage.chunk = STOP_CHUNK;
    stage.fast = stop_batches;
    stage.single = begin_fast_single;
    if (work->fast_count + work->single_count > 0)
        run_by_colour(&stage);
    // A stop of another pair may have made one fast that was not: it is stopped only now.
    stage.fast = NULL;
    stage.single = begin_single;
    if (work->single_count > 0)
        run_by_colour(&stage);
    stage.chunk = BATCH_CHUNK;
    stage.others = begin_batches;
    stage.fast_range = stage.single_range = (pair_list){0, 0};
    stage.other_range = (pair_list){work->fast_count, work->batch_count - work->fast_count};
    run_stage(&stage);
    if (stage.result || world->entangled.count > 0)
        pli_find_entangled(s);
    if (has_dents(world))
        note_coming_hits(world);
}

static void solve_batches(pair_stage *stage, pair_batch *first, int count)
{
    stage->s->world->kernels->solve_pairs(&stage->scene, first, count);
}

static void solve_single(pair_stage *stage, pair_contact *c)
{
    if (!c->is_apart && !c->is_let_go)
        pli_solve_pair(stage->s->world, c);
}

// What the last of n iterations pushes stays as it is: no group shares it any more with a particle's neighbours, and
// who is pushed by many is thrown about. Towards half of what is needed, with more iterations, leaves a crowd calm, and
// so less deep in each other than all of it does. Two iterations have nothing to spare.
static float push_part(const substep *s)
{
    bool is_last = s->iteration + 1 == s->iterations;
    return is_last && s->iterations > 2 ? 0.5f + 0.5f / (float)(s->iterations - 1) : 1.0f;
}

void pli_solve_pairs(const substep *s)
{
    if (s->world->pair_work.colour_count == 0)
        return;
    pair_stage stage = stage_of(s);
    stage.scene.push_part = push_part(s);
    stage.fast = stage.others = solve_batches;
    stage.single = solve_single;
    run_by_colour(&stage);
}

static void order_batches(pair_stage *stage, pair_batch *first, int count)
{
    if (stage->s->world->kernels->order_pairs(&stage->scene, first, count))
        atomic_store_explicit(&stage->result, 1, memory_order_relaxed);
}

static void order_single(pair_stage *stage, pair_contact *c)
{
    if (!c->is_apart && !c->is_let_go && pli_order_pair(stage->s->world, c))
        atomic_store_explicit(&stage->result, 1, memory_order_relaxed);
}

static void push_out_single(pair_stage *stage, pair_contact *c)
{
    if (!c->is_apart && !c->is_let_go)
        pli_push_out_pair(stage->s->world, c);
}

// Pushes of one pair may turn the order of another: these few passes, mostly without anything to do, leave
// none behind.
void pli_order_pairs(const substep *s)
{
    if (s->world->pair_work.colour_count == 0)
        return;
    pair_stage stage = stage_of(s);
    stage.fast = stage.others = order_batches;
    stage.single = order_single;
    for (int pass = 0; pass < ORDER_PASSES; ++pass) {
        stage.result = 0;
        run_by_colour(&stage);
        if (stage.result == 0)
            break;
    }
    stage.fast = stage.others = NULL;
    stage.single = push_out_single;
    run_by_colour(&stage);
}

bool pli_wake_pushed(const substep *s)
{
    pliant_world *world = s->world;
    bool woke = false, has_sleepers = false;
    for (int k = 0; k < world->active_count; ++k)
        has_sleepers = has_sleepers || world->bodies[world->active[k]].is_asleep;
    for (int k = 0; has_sleepers && k < pair_numbers(world); ++k) {
        pair_push c;
        if (!find_push(world, k, &c))
            continue;
        body *first = &world->bodies[world->owner[c.a]];
        body *second = &world->bodies[world->owner[c.b]];
        woke = pli_wake_by_touch(world, first, second) || woke;
    }
    return woke;
}

static void settle_batches(pair_stage *stage, pair_batch *first, int count)
{
    int pushing = stage->s->world->kernels->settle_pairs(&stage->scene, first, count);
    atomic_fetch_add_explicit(&stage->result, pushing, memory_order_relaxed);
}

static void settle_single(pair_stage *stage, pair_contact *c)
{
    if (!(c->normal_impulse > 0.0f))
        return;
    atomic_fetch_add_explicit(&stage->result, 1, memory_order_relaxed);
    pli_settle_pair(stage->s, c);
}

void pli_settle_pairs(const substep *s)
{
    pliant_world *world = s->world;
    if (world->pair_work.colour_count == 0)
        return;
    pair_stage stage = stage_of(s);
    stage.fast = stage.others = settle_batches;
    stage.single = settle_single;
    run_by_colour(&stage);
    world->touching_pairs = stage.result;
    int numbers = has_dents(world) ? pair_numbers(world) : 0;
    for (int k = 0; k < numbers; ++k) {
        pair_push c;
        if (find_push(world, k, &c))
            note_hit(world, c.a, c.b, c.approach);
    }
}
