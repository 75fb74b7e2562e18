// Contact between particles, of two bodies or of one (paper 2011, §6; the contact distance is exact).
//
// Most pairs are soft particles that touch slowly. They are solved eight at a time (fast/pairs.inl), the
// others alone (single_pairs.c). In each substep pairs are coloured in the order in which they were found: a
// pair takes a colour that neither of its particles has. Pairs of a colour can then be solved in any
// order, by any number of threads, with the same result.

#include "pairs.h"

#include <stdatomic.h>

enum { ORDER_PASSES = 8 };
// So many pairs, batches or single pairs are one task for a thread.
enum { SORT_CHUNK = 1024, BATCH_CHUNK = 32, SINGLE_CHUNK = 16 };
// Of a found pair's colour: it was stopped; it is solved alone; it does not touch as predicted; it is not
// solved.
enum { IMPACT_BIT = 0x100, SINGLE_BIT = 0x80, NEAR_BIT = 0x40, NO_COLOUR = 0xff };

// How many pairs of each kind have each colour, or none.
typedef struct colour_counts {
    int soft[PAIR_COLOURS], near[PAIR_COLOURS], single[PAIR_COLOURS + 1];
} colour_counts;

// ---------------------------------------------------------------------------------------------
// Memory

static void free_work(pair_work *work, const pliant_allocator *allocator)
{
    pliant_memory_free(allocator, work->used);
    pliant_memory_free(allocator, work->kinds);
    pliant_memory_free(allocator, work->impacts);
    pliant_memory_free(allocator, work->order);
    pliant_memory_free(allocator, work->batches);
}

static bool reserve_frames(pliant_world *world, int bodies)
{
    pair_work *work = &world->pair_work;
    return pliant_memory_grow(&world->allocator, (void **)&work->frames, sizeof *work->frames, 0,
                              &work->frame_room, bodies);
}

bool pliant_reserve_pair_work(pliant_world *world, int particles, int bodies)
{
    const pliant_allocator *allocator = &world->allocator;
    if (!reserve_frames(world, bodies))
        return false;
    if (world->pair_work.batches && particles <= world->pair_work.room)
        return true;
    int room = world->pair_work.room < 8 ? 8 : world->pair_work.room;
    while (room < particles)
        room = room > INT32_MAX / 2 ? INT32_MAX : room * 2;
    size_t count = (size_t)room, pairs = count * PAIRS_PER_PARTICLE;
    pair_work grown = {
        .room = room, .frames = world->pair_work.frames, .frame_room = world->pair_work.frame_room};
    grown.used = pliant_memory_new(allocator, count, sizeof *grown.used);
    grown.kinds = pliant_memory_new(allocator, pairs, sizeof *grown.kinds);
    grown.impacts = pliant_memory_new(allocator, pairs, sizeof *grown.impacts);
    grown.order = pliant_memory_new(allocator, pairs, sizeof *grown.order);
    // The last batch of each colour and kind may not be full.
    grown.batches =
        pliant_memory_new(allocator, pairs / PAIR_LANES + 2 * PAIR_COLOURS, sizeof *grown.batches);
    if (!grown.used || !grown.kinds || !grown.impacts || !grown.order || !grown.batches) {
        free_work(&grown, allocator);
        return false;
    }
    free_work(&world->pair_work, allocator);
    world->pair_work = grown;
    return true;
}

void pliant_free_pair_work(pliant_world *world)
{
    free_work(&world->pair_work, &world->allocator);
    pliant_memory_free(&world->allocator, world->pair_work.frames);
}

void pliant_describe_forms(pliant_world *world, const body *b)
{
    const pliant_model *model = b->model;
    for (int k = 0; k < model->source.particle_count; ++k) {
        bool is_single = model->answers_rigidly[k] ||
                         (model->source.particles[k].flags & PLIANT_PARTICLE_SURFACE);
        float thinnest = pliant_smallest_radius(b, k);
        world->form[b->particle_first + k] = (particle_form){
            .largest = pliant_largest_radius(b, k), .thinnest = is_single ? -thinnest : thinnest};
    }
}

// ---------------------------------------------------------------------------------------------
// Tasks

// What a task does with a range of batches, or with one pair that is solved alone.
typedef struct pair_stage {
    void (*batches)(struct pair_stage *stage, pair_batch *first, int count);
    void (*single)(struct pair_stage *stage, pair_contact *c);
    const substep *s;
    pair_scene scene;
    int first_batch, batch_count, first_single, single_count; // of what runs side by side
    atomic_int result;
} pair_stage;

static pair_stage stage_of(const substep *s)
{
    pliant_world *world = s->world;
    float bounce = world->def.restitution_threshold * s->h;
    pair_stage stage = {.s = s};
    stage.scene = (pair_scene){.move = world->move,
                               .form = world->form,
                               .start = world->start,
                               .turn = world->turn,
                               .turn_start = world->turn_start,
                               .v = world->v,
                               .owner = world->owner,
                               .frame = world->pair_work.frames,
                               .h = s->h,
                               .push_out = PUSH_OUT_SPEED * s->h,
                               .bounce_square = bounce * bounce};
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

static void stage_task(int index, void *context)
{
    pair_stage *stage = context;
    pliant_world *world = stage->s->world;
    int batch_tasks = chunks_of(stage->batch_count, BATCH_CHUNK);
    if (index < batch_tasks) {
        int first = index * BATCH_CHUNK;
        stage->batches(stage, world->pair_work.batches + stage->first_batch + first,
                       smaller(BATCH_CHUNK, stage->batch_count - first));
        return;
    }
    int first = (index - batch_tasks) * SINGLE_CHUNK;
    int end = smaller(first + SINGLE_CHUNK, stage->single_count);
    const int32_t *order = world->pair_work.order + stage->first_single;
    for (int k = first; k < end; ++k)
        stage->single(stage, &world->pairs[order[k]]);
}

static void run_stage(pair_stage *stage)
{
    int tasks =
        chunks_of(stage->batch_count, BATCH_CHUNK) + chunks_of(stage->single_count, SINGLE_CHUNK);
    pliant_run_tasks(stage->s->world, tasks, stage_task, stage);
}

// All batches at once: for a stage that only reads particles.
static void run_batches(pair_stage *stage)
{
    stage->first_batch = stage->single_count = 0;
    stage->batch_count = stage->s->world->pair_work.batch_count;
    run_stage(stage);
}

static void run_by_colour(pair_stage *stage)
{
    pliant_world *world = stage->s->world;
    const pair_work *work = &world->pair_work;
    for (int c = 0; c < work->colour_count; ++c) {
        stage->first_batch = work->batch_start[c];
        stage->batch_count = work->batch_start[c + 1] - stage->first_batch;
        stage->first_single = work->single_start[c];
        stage->single_count = work->single_start[c + 1] - stage->first_single;
        run_stage(stage);
    }
    for (int k = work->single_start[PAIR_COLOURS]; k < work->single_count; ++k)
        stage->single(stage, &world->pairs[work->order[k]]);
}

// ---------------------------------------------------------------------------------------------
// Sorting

static void turn_shapes(int index, void *context)
{
    const pair_stage *stage = context;
    pliant_world *world = stage->s->world;
    int slot = world->active[index];
    const body *b = &world->bodies[slot];
    int first = b->particle_first;
    world->pair_work.frames[slot] = (body_frame){.origin = b->origin,
                                                 .drift = b->drift,
                                                 .friction = b->friction,
                                                 .restitution = b->restitution};
    world->kernels->turn_shapes(world->form + first, b->model->shapes, world->turn_start + first,
                                b->model->source.particle_count);
}

static void sort_chunk(int index, void *context)
{
    const pair_stage *stage = context;
    pliant_world *world = stage->s->world;
    int first = index * SORT_CHUNK;
    world->kernels->sort_pairs(&stage->scene, world->found_pairs + first,
                               smaller(SORT_CHUNK, world->pair_count - first),
                               world->pair_work.kinds + first);
}

// Stops a fast pair and tells what is to be done with it then; *c is how it stands. It stays a fast one when
// it was stopped and goes into a batch.
static pair_kind stop_pair(const substep *s, const particle_pair *found, pair_contact *c)
{
    const pliant_world *world = s->world;
    *c = pliant_begin_pair(s, found->a, found->b);
    bool is_single = world->form[found->a].thinnest < 0.0f || world->form[found->b].thinnest < 0.0f;
    if (is_single || c->bounce > 0.0f)
        return PAIR_SINGLE;
    if (c->normal_impulse > 0.0f)
        return PAIR_FAST;
    ellipsoid_pair touch;
    vec3 way = vec3_sub(world->move[c->b].way, world->move[c->a].way);
    float margin = PAIR_MARGIN * (world->form[found->a].largest + world->form[found->b].largest);
    return pliant_ellipsoid_pair(world->form[c->a].shape, world->form[c->b].shape,
                                 vec3_add(c->between, way), margin, &touch)
               ? PAIR_SOFT
               : PAIR_APART;
}

// A colour that neither particle has, PAIR_COLOURS when there is none. The search begins where a number mixed from
// both says: so most pairs keep their colour, and their turn in the order, when others come and go, and what
// few iterations leave behind does not jump about.
static int take_colour(uint64_t *used, const particle_pair *pair)
{
    uint64_t taken = used[pair->a] | used[pair->b];
    if (taken == UINT64_MAX)
        return PAIR_COLOURS;
    uint32_t mixed = (uint32_t)pair->a * 3266489917u ^ (uint32_t)pair->b * 2246822519u;
    uint64_t below = (1ull << (mixed >> 29)) - 1;
    if (~(taken | below))
        taken |= below;
    uint64_t lowest = ~taken & (taken + 1);
    used[pair->a] |= lowest;
    used[pair->b] |= lowest;
    return __builtin_ctzll(lowest);
}

// Stops a pair that is fast and makes room for one that is solved alone.
static pair_kind admit_pair(const substep *s, const particle_pair *found, pair_kind kind)
{
    pair_contact *c = &s->world->pairs[s->world->pair_work.single_count];
    if (kind == PAIR_FAST)
        kind = stop_pair(s, found, c);
    else if (kind == PAIR_SINGLE)
        *c = (pair_contact){.a = found->a, .b = found->b};
    return kind;
}

// Counts a pair, and tells how its colour is noted.
static uint16_t count_pair(pair_work *work, pair_kind kind, int colour, colour_counts *counts)
{
    if (kind == PAIR_SINGLE) {
        work->single_count += 1;
        counts->single[colour] += 1;
        return (uint16_t)(colour | SINGLE_BIT);
    }
    if (kind == PAIR_NEAR) {
        counts->near[colour] += 1;
        return (uint16_t)(colour | NEAR_BIT);
    }
    counts->soft[colour] += 1;
    return (uint16_t)(kind == PAIR_FAST ? colour | IMPACT_BIT : colour);
}

// Gives every pair a colour. Pairs that are solved alone and impacts get their places as they come.
static void colour_pairs(const substep *s, colour_counts *counts)
{
    pliant_world *world = s->world;
    pair_work *work = &world->pair_work;
    int impacts = 0;
    memset(work->used, 0, (size_t)world->particle_count * sizeof *work->used);
    for (int k = 0; k < world->pair_count; ++k) {
        const particle_pair *found = &world->found_pairs[k];
        pair_kind kind = (pair_kind)work->kinds[k];
        work->kinds[k] = NO_COLOUR;
        if (kind == PAIR_FAST || kind == PAIR_SINGLE)
            kind = admit_pair(s, found, kind);
        if (kind == PAIR_APART)
            continue;
        int colour = take_colour(work->used, found);
        const pair_contact *c = &world->pairs[work->single_count];
        if (colour == PAIR_COLOURS && (kind == PAIR_SOFT || kind == PAIR_NEAR))
            admit_pair(s, found, PAIR_SINGLE);
        else if (colour < PAIR_COLOURS && kind == PAIR_FAST)
            work->impacts[impacts++] = (pair_impact){c->normal, c->normal_impulse};
        kind = colour == PAIR_COLOURS ? PAIR_SINGLE : kind;
        work->kinds[k] = count_pair(work, kind, colour, counts);
    }
}

static int batches_for(int pairs)
{
    return chunks_of(pairs, PAIR_LANES);
}

static void start_colours(pair_work *work, const colour_counts *counts)
{
    work->colour_count = 0;
    work->batch_start[0] = work->single_start[0] = 0;
    for (int c = 0; c <= PAIR_COLOURS; ++c)
        work->single_start[c + 1] = work->single_start[c] + counts->single[c];
    for (int c = 0; c < PAIR_COLOURS; ++c) {
        work->batch_start[c + 1] =
            work->batch_start[c] + batches_for(counts->soft[c]) + batches_for(counts->near[c]);
        if (counts->soft[c] + counts->near[c] + counts->single[c] > 0)
            work->colour_count = c + 1;
    }
    work->batch_count = work->batch_start[PAIR_COLOURS];
}

static void set_lane(pair_batch *eight, int lane, int32_t a, int32_t b, pair_impact hit)
{
    eight->a[lane] = a;
    eight->b[lane] = b;
    eight->line.x[lane] = hit.normal.x;
    eight->line.y[lane] = hit.normal.y;
    eight->line.z[lane] = hit.normal.z;
    eight->normal_impulse[lane] = hit.impulse;
}

// Fills lanes that have no pair and tells how many have one, in batches for so many pairs.
static void close_batches(pair_batch *first, int pairs)
{
    for (int done = 0; done < pairs; done += PAIR_LANES, ++first) {
        first->count = smaller(PAIR_LANES, pairs - done);
        for (int i = first->count; i < PAIR_LANES; ++i)
            set_lane(first, i, first->a[0], first->b[0],
                     (pair_impact){lane_of(&first->line, 0), first->normal_impulse[0]});
    }
}

// Puts the pairs in the order of their colours. Batches of a colour hold first those that touch as
// predicted: others are mostly done with a look.
static void order_by_colour(pliant_world *world, const colour_counts *counts)
{
    pair_work *work = &world->pair_work;
    int place[2 * PAIR_COLOURS], single_place[PAIR_COLOURS + 1], singles = 0, impacts = 0;
    memcpy(single_place, work->single_start, sizeof single_place);
    for (int c = 0; c < PAIR_COLOURS; ++c) {
        place[c] = work->batch_start[c] * PAIR_LANES;
        place[c | NEAR_BIT] = place[c] + batches_for(counts->soft[c]) * PAIR_LANES;
    }
    for (int k = 0; k < world->pair_count; ++k) {
        int colour = work->kinds[k];
        if (colour == NO_COLOUR)
            continue;
        if (colour & SINGLE_BIT) {
            work->order[single_place[colour - SINGLE_BIT]++] = singles++;
            continue;
        }
        int at = place[colour & ~IMPACT_BIT]++;
        pair_impact hit = {.impulse = 0.0f};
        if (colour & IMPACT_BIT)
            hit = work->impacts[impacts++];
        set_lane(&work->batches[at / PAIR_LANES], at % PAIR_LANES, world->found_pairs[k].a,
                 world->found_pairs[k].b, hit);
    }
    for (int c = 0; c < work->colour_count; ++c) {
        pair_batch *first = &work->batches[work->batch_start[c]];
        close_batches(first, counts->soft[c]);
        close_batches(first + batches_for(counts->soft[c]), counts->near[c]);
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
        vec3 moved =
            vec3_add(lane_of(&eight->between, i), vec3_sub(world->move[b].way, world->move[a].way));
        if (eight->normal_impulse[i] > 0.0f ||
            vec3_dot(lane_of(&eight->plane, i), moved) < eight->width[i])
            note_hit(world, a, b, eight->approach[i]);
    }
    for (int k = 0; k < work->single_count; ++k)
        if (world->pairs[k].hits)
            note_hit(world, world->pairs[k].a, world->pairs[k].b, world->pairs[k].approach);
}

static void begin_batches(pair_stage *stage, pair_batch *first, int count)
{
    stage->s->world->kernels->begin_pairs(&stage->scene, first, count);
}

static void leave_batches(pair_stage *stage, pair_batch *first, int count)
{
    (void)stage, (void)first, (void)count;
}

// An impact of another pair may have made this one fast, so that it is stopped only now.
static void begin_single(pair_stage *stage, pair_contact *c)
{
    if (!c->has_begun)
        *c = pliant_begin_pair(stage->s, c->a, c->b);
}

void pliant_begin_pairs(const substep *s)
{
    pliant_world *world = s->world;
    pair_work *work = &world->pair_work;
    work->batch_count = work->single_count = work->colour_count = 0;
    if (world->pair_count == 0)
        return;
    pair_stage stage = stage_of(s);
    pliant_run_tasks(world, world->active_count, turn_shapes, &stage);
    pliant_run_tasks(world, chunks_of(world->pair_count, SORT_CHUNK), sort_chunk, &stage);
    colour_counts counts = {0};
    colour_pairs(s, &counts);
    start_colours(work, &counts);
    order_by_colour(world, &counts);
    stage.batches = leave_batches;
    stage.single = begin_single;
    if (work->single_count > 0)
        run_by_colour(&stage);
    stage.batches = begin_batches;
    run_batches(&stage);
    if (has_dents(world))
        note_coming_hits(world);
}

static void solve_batches(pair_stage *stage, pair_batch *first, int count)
{
    stage->s->world->kernels->solve_pairs(&stage->scene, first, count);
}

static void solve_single(pair_stage *stage, pair_contact *c)
{
    pliant_solve_pair(stage->s->world, c);
}

void pliant_solve_pairs(const substep *s)
{
    if (s->world->pair_work.colour_count == 0)
        return;
    pair_stage stage = stage_of(s);
    stage.batches = solve_batches;
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
    if (pliant_order_pair(stage->s->world, c))
        atomic_store_explicit(&stage->result, 1, memory_order_relaxed);
}

// Pushes of one pair may turn the order of another: these few passes, mostly without anything to do, leave
// none behind.
void pliant_order_pairs(const substep *s)
{
    if (s->world->pair_work.colour_count == 0)
        return;
    pair_stage stage = stage_of(s);
    stage.batches = order_batches;
    stage.single = order_single;
    for (int pass = 0; pass < ORDER_PASSES; ++pass) {
        stage.result = 0;
        run_by_colour(&stage);
        if (stage.result == 0)
            return;
    }
}

bool pliant_wake_pushed(const substep *s)
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
        if (first->is_asleep == second->is_asleep)
            continue;
        pliant_wake_body(world, first->is_asleep ? first : second);
        woke = true;
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
    if (c->start_depth > 0.0f || c->rebound > 0.0f)
        pliant_settle_pair(stage->s, c);
}

void pliant_settle_pairs(const substep *s)
{
    pliant_world *world = s->world;
    if (world->pair_work.colour_count == 0)
        return;
    pair_stage stage = stage_of(s);
    stage.batches = settle_batches;
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
