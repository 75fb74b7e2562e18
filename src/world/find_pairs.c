// Which particles may touch each other in a substep.
//
// A search is for as many substeps as pays: spheres around what a particle may go in all of them tell which pairs are
// worth a look in each. Who is looked at then goes through the same tests as a search in that substep would make, and
// a particle that leaves its sphere is looked for again: so what is found does not depend on when there was a search.

#include <stdatomic.h>

#include "pairs.h"
#include "places.h"
#include "sleep.h"
#include "substep.h"
#include "tasks.h"

#include "solve/ways.h"

enum { MOST_PARTICLES = INT32_MAX / PAIRS_PER_PARTICLE, PARTICLES_PER_TASK = 1024 };
_Static_assert((int)PAIR_KINDS <= (int)PAIRS_PER_PARTICLE, "there is room for a kind beside b");
// Of those that were foreseen, for one task.
enum { PAIRS_PER_TASK = 2048 };
// Room for fewer pairs is not worth to begin with.
enum { LEAST_ROOM = 1024 };
// When more particles than these leave the way that was foreseen, at once or one by one, another search costs less.
enum { MOST_STRAYS = 64, MOST_MENDED = 128 };
// Fewer foreseen pairs than one for so many particles, and than a thousand or so, are looked after one by one.
enum { PARTICLES_PER_FORESEEN_PAIR = 64, FEW_FORESEEN_PAIRS = 1024 };
// Of fewer than one for so many particles the shapes are turned one by one.
enum { PARTICLES_PER_TURNED_PAIR = 8 };
// A search costs about as much as to look at so many pairs for each particle.
enum { CHECKS_PER_SEARCH = 24 };
// Substeps that a foresight is for, at least and at most, and those without one after it was of no use.
enum { SHORTEST_FORESIGHT = 2, LONGEST_FORESIGHT = 64, FORESIGHT_PAUSE = 32 };
// So many are made before a greater length is tried again that did not pay.
enum { FORESIGHTS_CONTENT = 8 };

// Of a particle's reach: who goes further while a foresight is to hold is fast.
static const float FAST_WAY = 2.0f;

// ---------------------------------------------------------------------------------------------
// Memory

static void free_spheres(const pliant_world *world, broad_sphere *spheres, pair_end *ends,
                         broad_sphere *ahead)
{
    pli_memory_free(&world->allocator, spheres);
    pli_memory_free(&world->allocator, ends);
    pli_memory_free(&world->allocator, ahead);
}

static void free_found(const pliant_world *world, particle_pair *found, particle_pair *ahead,
                       int32_t *kept)
{
    pli_memory_free(&world->allocator, found);
    pli_memory_free(&world->allocator, ahead);
    pli_memory_free(&world->allocator, kept);
}

static int tasks_for(int count, int each)
{
    return (count + each - 1) / each;
}

bool pli_reserve_pairs(pliant_world *world, int particles)
{
    const pliant_allocator *allocator = &world->allocator;
    if (world->way_spheres && particles <= world->pair_room)
        return true;
    if (particles > MOST_PARTICLES)
        return false;
    int room = pli_memory_room(world->pair_room, particles);
    room = room < MOST_PARTICLES ? room : MOST_PARTICLES;
    size_t count = (size_t)room;
    broad_sphere *spheres = pli_memory_new(allocator, count, sizeof *spheres);
    pair_end *ends = pli_memory_new(allocator, count, sizeof *ends);
    foresight ahead = {.spheres = pli_memory_new(allocator, count, sizeof *ahead.spheres),
                       .pairs = world->foresight.pairs,
                       .kept = world->foresight.kept};
    if (!spheres || !ends || !ahead.spheres ||
        !pli_broad_reserve(&world->broad, room, world->found_room, allocator)) {
        free_spheres(world, spheres, ends, ahead.spheres);
        return false;
    }
    free_spheres(world, world->way_spheres, world->pair_ends, world->foresight.spheres);
    world->way_spheres = spheres;
    world->pair_ends = ends;
    world->foresight = ahead;
    world->pair_room = room;
    world->pair_count = 0;
    return true;
}

// Not what happens to be reserved: that is no state, and decides which pairs are dropped.
static int most_pairs(const pliant_world *world)
{
    return world->particle_count * PAIRS_PER_PARTICLE;
}

static int room_for_pairs(const pliant_world *world)
{
    int most = most_pairs(world);
    return world->found_room < most ? world->found_room : most;
}

// A step that finds more pairs than any before it makes room for these and some more, up to the most that there may be.
// Nothing that was found is kept. False when memory runs out.
static bool make_room_for_pairs(pliant_world *world, int pairs)
{
    const pliant_allocator *allocator = &world->allocator;
    int most = most_pairs(world), wanted = pairs < most ? pairs + pairs / 4 : most;
    int room = pli_memory_room(world->found_room, wanted > LEAST_ROOM ? wanted : LEAST_ROOM);
    room = room < most ? room : most;
    size_t count = (size_t)room, tasks = count / PAIRS_PER_TASK + 1;
    particle_pair *found = pli_memory_new(allocator, count, sizeof *found);
    particle_pair *ahead = pli_memory_new(allocator, count, sizeof *ahead);
    int32_t *kept = pli_memory_new(allocator, tasks, sizeof *kept);
    if (!found || !ahead || !kept ||
        !pli_broad_reserve(&world->broad, world->pair_room, room, allocator)) {
        free_found(world, found, ahead, kept);
        return false;
    }
    free_found(world, world->found_pairs, world->foresight.pairs, world->foresight.kept);
    world->found_pairs = found;
    world->foresight.pairs = ahead;
    world->foresight.kept = kept;
    world->found_room = room;
    return true;
}

void pli_free_pairs(pliant_world *world)
{
    free_spheres(world, world->way_spheres, world->pair_ends, world->foresight.spheres);
    free_found(world, world->found_pairs, world->foresight.pairs, world->foresight.kept);
    pli_broad_free(&world->broad, &world->allocator);
}

// ---------------------------------------------------------------------------------------------

// Whether a dent has brought two particles of a body to rest in each other: then shape matching would pull
// them together again.
static bool is_dented_together(const pliant_world *world, const body *b, int i, int j)
{
    if (!b->model->has_dents)
        return false;
    party first, second;
    find_parties(world, i, j, world->rest_turn[i], world->rest_turn[j], &first, &second);
    return pli_overlap_at_rest(&first, &second, vec3_sub(world->rest_x[j], world->rest_x[i]));
}

static bool layers_meet(const pliant_world *world, int32_t i, int32_t j)
{
    const body *a = owner_of(world, i), *b = owner_of(world, j);
    const pliant_particle_def *p = &a->model->source.particles[i - a->particle_first];
    const pliant_particle_def *q = &b->model->source.particles[j - b->particle_first];
    return (a == b || ((a->layers & b->mask) && (b->layers & a->mask))) && (p->layers & q->mask) &&
           (q->layers & p->mask);
}

// Held within each other's reach: contact would fight the attachment.
static bool are_held_together(const pliant_world *world, int32_t i, int32_t j)
{
    float held = pli_attached_length(world, i, j);
    return held >= 0.0f && held < largest_radius(world, i) + largest_radius(world, j);
}

// Whether two particles of one body may ever touch.
static bool may_touch_itself(const pliant_world *world, const pair_end *one, int32_t i, int32_t j)
{
    const body *b = &world->bodies[one->body];
    if (!(one->flags & END_TOUCHES_ITSELF))
        return false;
    return j - i <= 64
               ? !(one->excluded >> (j - i - 1) & 1)
               : !pli_model_excludes(b->model, i - b->particle_first, j - b->particle_first);
}

// Pairs that are ruled out here stay so until foresight is forgotten, because a sleeper wakes, a frozen body is reset or
// a pin is taken away: they need not be kept. Most are decided by few bits: what is seldom is looked at only when a flag
// tells that there is any.
static bool may_touch(const pliant_world *world, particle_pair pair)
{
    const pair_end *one = &world->pair_ends[pair.a], *two = &world->pair_ends[pair.b];
    uint32_t either = one->flags | two->flags, both = one->flags & two->flags;
    if (both & (END_IS_STILL | END_IS_PINNED))
        return false;
    if (one->body == two->body && !may_touch_itself(world, one, pair.a, pair.b))
        return false;
    return !(either & END_HAS_LAYERS) || layers_meet(world, pair.a, pair.b);
}

// What may change at any time is looked at in each substep: attachments break, dents grow, bodies fall asleep,
// particles are pinned.
static bool touch_now(const pliant_world *world, particle_pair pair)
{
    const pair_end *one = &world->pair_ends[pair.a], *two = &world->pair_ends[pair.b];
    uint32_t both = one->flags & two->flags;
    if (!(both & (END_IS_STILL | END_IS_PINNED | END_IS_ATTACHED | END_HAS_DENTS)))
        return true;
    if (both & (END_IS_STILL | END_IS_PINNED))
        return false;
    if (both & END_IS_ATTACHED && are_held_together(world, pair.a, pair.b))
        return false;
    return one->body != two->body ||
           !is_dented_together(world, &world->bodies[one->body], pair.a, pair.b);
}

int pli_keep_possible(const pliant_world *world, particle_pair *pairs, int count)
{
    int kept = 0;
    for (int k = 0; k < count; ++k) {
        particle_pair pair = pairs[k];
        pairs[kept] = pair;
        kept += may_touch(world, pair);
    }
    return kept;
}

static int keep_possible(particle_pair *pairs, int count, void *context)
{
    return pli_keep_possible(context, pairs, count);
}

// What tells which pairs meet in a substep.
typedef struct meeting {
    pliant_world *world;
    meeting_scene scene;
} meeting;

static meeting meeting_of(const substep *s)
{
    pliant_world *world = s->world;
    float bounce = world->def.restitution_threshold * s->h;
    meeting m = {world, {world->pair_ends, world->form, false, bounce * bounce}};
    for (int k = 0; k < world->active_count; ++k)
        m.scene.has_bounces |= world->bodies[world->active[k]].restitution > 0.0f;
    return m;
}

// Of those that meet, the pairs that are not ruled out. Foreseen ones are possible.
static int keep_found(const meeting *m, particle_pair *pairs, int count, bool are_possible)
{
    const pliant_world *world = m->world;
    int kept = 0;
    count = world->kernels->keep_meeting(&m->scene, pairs, count);
    for (int k = 0; k < count; ++k) {
        particle_pair found = pairs[k], pair = {found.a, found_second(found)};
        pairs[kept] = found;
        kept += (are_possible || may_touch(world, pair)) && touch_now(world, pair);
    }
    return kept;
}

static int keep_touching(particle_pair *pairs, int count, void *context)
{
    return keep_found(context, pairs, count, false);
}

// ---------------------------------------------------------------------------------------------
// Ways

static uint32_t body_flags(const body *b)
{
    bool has_layers = !b->layers || b->mask != UINT32_MAX;
    return (b->self_collision ? END_TOUCHES_ITSELF : 0) | (is_still(b) ? END_IS_STILL : 0) |
           (has_layers || b->model->has_layers ? END_HAS_LAYERS : 0) |
           (b->model->has_dents ? END_HAS_DENTS : 0) | (b->restitution > 0.0f ? END_BOUNCES : 0);
}

static bool meets_others(const body *b)
{
    return b->layers && b->mask;
}

static way_span span_of(const pliant_world *world, const body *b)
{
    int first = b->particle_first;
    const int32_t *attached = b->is_attached ? world->first_attachment + first : NULL;
    return (way_span){.start = world->start + first,
                      .move = world->move + first,
                      .traits = b->model->traits,
                      .first_attachment = attached,
                      .origin = b->origin,
                      .drift = b->drift,
                      .together = world->together,
                      .body = (int32_t)(b - world->bodies),
                      .flags = body_flags(b),
                      .is_left_out = pli_is_left_out(b),
                      .ends = world->pair_ends + first,
                      .spheres = world->way_spheres + first};
}

// Tasks are ranges of the searched particles, of any bodies.
typedef struct way_job {
    const pliant_world *world;
    bool is_foreseen; // the greater spheres are known
    bool only_checks; // … and it is only asked who has left them
    float ahead;      // > 0: how many substeps are to be foreseen
    atomic_int stray_count;
    int32_t strays[MOST_STRAYS]; // in any order
} way_job;

static void note_strays(way_job *job, int offset, const int32_t *strays, int count)
{
    int number = atomic_fetch_add_explicit(&job->stray_count, count, memory_order_relaxed);
    for (int k = 0; k < count && number + k < MOST_STRAYS; ++k)
        job->strays[number + k] = offset + strays[k];
}

// Particles [first, last) of a body.
typedef struct body_part {
    const body *b;
    int first, last;
} body_part;

// What of the searched particles [at, end), counted along their runs, is of the first one's body.
static body_part part_at(const pliant_world *world, int at, int end)
{
    const sphere_run *run = sphere_run_at(world->searched.runs, world->searched.run_count, at);
    int i = run->first + at - run->before;
    const body *b = owner_of(world, i);
    int first = i - b->particle_first, left = b->model->source.particle_count - first;
    return (body_part){b, first, first + (end - at < left ? end - at : left)};
}

static void surround_range(int task, void *context)
{
    way_job *job = context;
    const pliant_world *world = job->world;
    int at = task * PARTICLES_PER_TASK, end = at + PARTICLES_PER_TASK;
    int32_t strays[MOST_STRAYS];
    int count;
    end = end < world->searched.count ? end : world->searched.count;
    for (body_part part; at < end; at += part.last - part.first) {
        part = part_at(world, at, end);
        const body *b = part.b;
        int first = part.first, last = part.last;
        way_span span = span_of(world, b);
        if (job->is_foreseen || job->ahead > 0.0f)
            span.greater = world->foresight.spheres + b->particle_first;
        if (job->only_checks)
            span.ends = NULL;
        if (job->ahead > 0.0f)
            atomic_fetch_add_explicit(&job->stray_count,
                                      !world->kernels->foresee_ways(&span, job->ahead, first, last),
                                      memory_order_relaxed);
        else if ((count = world->kernels->bound_ways(&span, first, last, strays, MOST_STRAYS)) > 0)
            note_strays(job, b->particle_first, strays, count);
    }
}

static void surround_ways(way_job *job)
{
    int tasks = tasks_for(job->world->searched.count, PARTICLES_PER_TASK);
    job->stray_count = 0;
    pli_run_tasks(job->world, tasks, surround_range, job);
}

static void surround_particle(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    way_span span = span_of(world, b);
    int k = i - b->particle_first;
    world->kernels->bound_ways(&span, k, k + 1, NULL, 0);
}

// Where few pairs are foreseen, ends and spheres are written for the particles in these alone, unless somebody strays.
static void surround_foreseen(way_job *job)
{
    const pliant_world *world = job->world;
    const foresight *ahead = &world->foresight;
    job->only_checks = ahead->pair_count < FEW_FORESEEN_PAIRS &&
                       ahead->pair_count < world->searched.count / PARTICLES_PER_FORESEEN_PAIR;
    surround_ways(job);
    if (!job->only_checks)
        return;
    job->only_checks = false;
    if (job->stray_count > 0) {
        surround_ways(job);
        return;
    }
    for (int k = 0; k < ahead->pair_count; ++k) {
        surround_particle(world, ahead->pairs[k].a);
        surround_particle(world, ahead->pairs[k].b);
    }
}

// New spheres for particles that have left theirs; false when even these do not hold them.
static bool foresee_strays(const way_job *job)
{
    const pliant_world *world = job->world;
    float length = (float)world->foresight.length;
    bool are_covered = true;
    for (int k = 0; k < job->stray_count; ++k) {
        const body *b = owner_of(world, job->strays[k]);
        way_span span = span_of(world, b);
        int i = job->strays[k] - b->particle_first;
        span.greater = world->foresight.spheres + b->particle_first;
        are_covered &= world->kernels->foresee_ways(&span, length, i, i + 1);
    }
    return are_covered;
}

// ---------------------------------------------------------------------------------------------
// Searching

// Nothing can touch where all stand still, or where at most one body meets others and none touches itself.
static bool has_collisions(const pliant_world *world)
{
    bool self = false, awake = false;
    int others = 0;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        self = self || b->self_collision;
        others += meets_others(b);
        awake = awake || !is_still(b);
    }
    return awake && (self || others > 1);
}

static bool has_drift(const body *b)
{
    return !pli_is_left_out(b) && is_finite(vec3_dot(b->drift, b->drift));
}

// Whether most particles' ways are shorter without `together`. The mean of a few that are fast, or of a crowd that goes
// apart, would make them longer.
static bool most_go(const pliant_world *world, vec3 together)
{
    int with = 0, all = 0;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        vec3 own = vec3_sub(b->drift, together);
        int count = has_drift(b) ? b->model->source.particle_count : 0;
        all += count;
        with += vec3_dot(own, own) < vec3_dot(b->drift, b->drift) ? count : 0;
    }
    return with > all / 4 * 3;
}

// The mean of all drifts. Who goes with it comes no nearer to others who do: ways are as long as they are without that.
// Where something is foreseen, or about to be, it is none: greater spheres stand still.
static vec3 mean_drift(const pliant_world *world)
{
    const vec3 none = {0, 0, 0};
    vec3 sum = none;
    int all = 0;
    if (world->foresight.is_known || world->foresight.pause == 0)
        return none;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        int count = has_drift(b) ? b->model->source.particle_count : 0;
        if (count > 0)
            sum = vec3_add_scaled(sum, b->drift, (float)count);
        all += count;
    }
    vec3 mean = vec3_scale(sum, 1.0f / (float)(all > 0 ? all : 1));
    return most_go(world, mean) ? mean : none;
}

// Where the pairs go may change, to make room for them.
static int search(pliant_world *world, const broad_sphere *spheres, pair_filter *filter,
                  void *context, particle_pair *const *pairs)
{
    broad_query query = {.spheres = spheres,
                         .count = world->searched.count,
                         .runs = world->searched.runs,
                         .run_count = world->searched.run_count,
                         .filter = filter,
                         .context = context,
                         .kernels = world->kernels,
                         .parallel_for = world->def.parallel_for,
                         .parallel_user_data = world->def.parallel_user_data};
    int room = room_for_pairs(world);
    int found = pli_broad_find(&world->broad, &query, *pairs, room);
    if (found > room && room < most_pairs(world) && make_room_for_pairs(world, found))
        found = pli_broad_find(&world->broad, &query, *pairs, room_for_pairs(world));
    return found;
}

static void search_now(meeting *m)
{
    pliant_world *world = m->world;
    world->pair_count = search(world, world->way_spheres, keep_touching, m, &world->found_pairs);
    drop_pairs_beyond(world, room_for_pairs(world));
}

void pli_forget_foresight(pliant_world *world)
{
    world->foresight.is_known = false;
}

// Spheres around long ways have most others in them.
static bool most_are_fast(const pliant_world *world, int length)
{
    int fast = 0;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        float way = vec3_length(b->drift) * (float)length;
        if (!is_still(b) && way > FAST_WAY * b->model->traits[0].reach)
            fast += b->model->source.particle_count;
    }
    return fast > world->searched.count / 2;
}

// A greater length means fewer searches, but more pairs to look at: it grows while that makes a substep cheaper.
static int next_length(foresight *ahead, int64_t search, int64_t cost)
{
    bool was_too_long =
        2 * ahead->age < ahead->length || (int64_t)ahead->pair_count * ahead->length > 2 * search;
    if (was_too_long || (ahead->cost > 0 && cost > ahead->cost)) {
        ahead->content = FORESIGHTS_CONTENT;
        return ahead->length / 2;
    }
    if (ahead->age >= ahead->length && ahead->content == 0)
        return 2 * ahead->length;
    ahead->content -= ahead->content > 0;
    return ahead->length;
}

static void choose_length(const substep *s)
{
    foresight *ahead = &s->world->foresight;
    int64_t search = (int64_t)s->world->searched.count * CHECKS_PER_SEARCH;
    int64_t cost = (search + ahead->checks) / (ahead->age > 0 ? ahead->age : 1);
    int length = ahead->length == 0 ? s->remaining : next_length(ahead, search, cost);
    while (length > SHORTEST_FORESIGHT && most_are_fast(s->world, length))
        length /= 2;
    length = length < SHORTEST_FORESIGHT ? SHORTEST_FORESIGHT : length;
    length = length > LONGEST_FORESIGHT ? LONGEST_FORESIGHT : length;
    ahead->cost = ahead->length > 0 && length > ahead->length ? cost : 0;
    ahead->length = length;
}

static void pause_foresight(foresight *ahead)
{
    ahead->pause = FORESIGHT_PAUSE;
    ahead->content = FORESIGHTS_CONTENT;
    ahead->length = 0;
}

static void foresee(const substep *s)
{
    pliant_world *world = s->world;
    foresight *ahead = &world->foresight;
    bool was_useless = ahead->length > 0 && ahead->age < 2;
    choose_length(s);
    if (was_useless || most_are_fast(world, ahead->length)) {
        pause_foresight(ahead);
        return;
    }
    ahead->age = ahead->mended = 0;
    ahead->checks = 0;
    way_job job = {.world = world, .ahead = (float)ahead->length};
    surround_ways(&job);
    if (pli_extend_searched(world)) {
        way_job now = {.world = world};
        surround_ways(&now);
        surround_ways(&job);
    }
    if (job.stray_count > 0)
        return;
    ahead->pair_count = search(world, ahead->spheres, keep_possible, world, &ahead->pairs);
    ahead->is_known = ahead->pair_count <= room_for_pairs(world);
}

static bool mend(pliant_world *world, const way_job *job)
{
    foresight *ahead = &world->foresight;
    if (job->stray_count > MOST_STRAYS || ahead->mended + job->stray_count > MOST_MENDED)
        return false;
    ahead->mended += job->stray_count;
    if (!foresee_strays(job))
        return false;
    for (int k = 0; k < job->stray_count; ++k)
        if (pli_misses_sleeper(world, &ahead->spheres[job->strays[k]]))
            return false;
    return pli_mend_foresight(world, job->strays, job->stray_count, room_for_pairs(world));
}

static void choose_range(int task, void *context)
{
    const meeting *m = context;
    const pliant_world *world = m->world;
    const foresight *ahead = &world->foresight;
    int first = task * PAIRS_PER_TASK, left = ahead->pair_count - first;
    particle_pair *out = world->found_pairs + first;
    int count =
        world->kernels->keep_overlapping(world->way_spheres, ahead->pairs + first,
                                         left < PAIRS_PER_TASK ? left : PAIRS_PER_TASK, out);
    ahead->kept[task] = keep_found(m, out, count, true);
}

// Of the pairs that were foreseen.
static void choose_pairs(meeting *m)
{
    pliant_world *world = m->world;
    int tasks = tasks_for(world->foresight.pair_count, PAIRS_PER_TASK);
    world->foresight.age += world->foresight.age < INT32_MAX / 2;
    world->foresight.checks += world->foresight.pair_count;
    pli_run_tasks(world, tasks, choose_range, m);
    for (int task = 0; task < tasks; ++task) {
        size_t kept = (size_t)world->foresight.kept[task];
        memmove(world->found_pairs + world->pair_count, world->found_pairs + task * PAIRS_PER_TASK,
                kept * sizeof *world->found_pairs);
        world->pair_count += (int)kept;
    }
}

// ---------------------------------------------------------------------------------------------
// Shapes: ellipsoids in world axes for the kernels, of all particles in pairs that are looked at

static void turn_part(const pliant_world *world, body_part part)
{
    int first = part.b->particle_first + part.first;
    if (!pli_is_left_out(part.b))
        world->kernels->turn_shapes(world->form + first, part.b->model->ellipsoids + part.first,
                                    world->turn_start + first, part.last - part.first);
}

static void turn_range(int task, void *context)
{
    const pliant_world *world = context;
    int at = task * PARTICLES_PER_TASK, end = at + PARTICLES_PER_TASK;
    end = end < world->searched.count ? end : world->searched.count;
    for (body_part part; at < end; at += part.last - part.first) {
        part = part_at(world, at, end);
        turn_part(world, part);
    }
}

static void turn_all_shapes(pliant_world *world)
{
    int tasks = tasks_for(world->searched.count, PARTICLES_PER_TASK);
    pli_run_tasks(world, tasks, turn_range, world);
}

static void turn_shape(const pliant_world *world, int i)
{
    const body *b = owner_of(world, i);
    int k = i - b->particle_first;
    turn_part(world, (body_part){b, k, k + 1});
}

static void turn_foreseen_shapes(pliant_world *world)
{
    const foresight *ahead = &world->foresight;
    if (ahead->pair_count > world->searched.count / PARTICLES_PER_TURNED_PAIR) {
        turn_all_shapes(world);
        return;
    }
    for (int k = 0; k < ahead->pair_count; ++k) {
        turn_shape(world, ahead->pairs[k].a);
        turn_shape(world, ahead->pairs[k].b);
    }
}

// ---------------------------------------------------------------------------------------------

// When nothing is foreseen, or not any more. What a search of this substep alone looks at follows from where bodies are in it.
static void search_ahead(const substep *s, bool are_surrounded)
{
    pliant_world *world = s->world;
    foresight *ahead = &world->foresight;
    way_job job = {.world = world};
    if (pli_choose_searched(world) || !are_surrounded)
        surround_ways(&job);
    if (ahead->pause > 0) {
        ahead->pause -= 1;
        return;
    }
    foresee(s);
    if (!ahead->is_known)
        pli_choose_searched(world);
}

void pli_find_pairs(const substep *s)
{
    pliant_world *world = s->world;
    foresight *ahead = &world->foresight;
    world->pair_count = world->touching_pairs = 0;
    if (!has_collisions(world))
        return;
    world->together = mean_drift(world);
    bool was_known = ahead->is_known;
    if (was_known) {
        way_job job = {.world = world, .is_foreseen = true};
        surround_foreseen(&job);
        ahead->is_known = job.stray_count == 0 || mend(world, &job);
    }
    if (!ahead->is_known)
        search_ahead(s, was_known);
    meeting m = meeting_of(s);
    if (ahead->is_known) {
        turn_foreseen_shapes(world);
        choose_pairs(&m);
    } else {
        turn_all_shapes(world);
        search_now(&m);
    }
}

static bool overlaps_now(const pliant_world *world, int a, int b)
{
    vec3 between =
        vec3_add(start_between(world, a, b), vec3_sub(way_of(world, b), way_of(world, a)));
    party first, second;
    form_pair now;
    find_parties(world, a, b, world->turn[a], world->turn[b], &first, &second);
    return is_fast(world, a, b) ||
           (pli_parties_touch(&first, &second, between, 0.0f, &now) && now.gap < 0.0f);
}

static bool has_sleepers(const pliant_world *world)
{
    bool has = false;
    for (int k = 0; k < world->active_count; ++k)
        has = has || world->bodies[world->active[k]].is_asleep;
    return has;
}

// Pairs that end apart are not among those that were found: who passes a sleeper without touching it lets it sleep.
bool pli_wake_touched(const substep *s)
{
    pliant_world *world = s->world;
    bool woke = false;
    if (!has_sleepers(world))
        return false;
    for (int k = 0; k < world->pair_count; ++k) {
        int a = world->found_pairs[k].a, b = found_second(world->found_pairs[k]);
        body *first = &world->bodies[world->owner[a]], *second = &world->bodies[world->owner[b]];
        if (first->is_asleep == second->is_asleep || !overlaps_now(world, a, b))
            continue;
        woke = pli_wake_by_touch(world, first, second) || woke;
    }
    return woke;
}
