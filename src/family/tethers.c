// Tethers: a particle stays within a distance of a pinned one (long range attachments, Kim, Chentanez and Müller-Fischer
// 2012). What hangs by a chain of edges is stretched by whatever few iterations leave of a long chain's error; a tether
// spans the chain in one constraint, and costs nothing while it is slack.
//
// The anchor does not give way, so a tether moves one particle, and belongs to that particle's block. Where the anchor goes
// in a substep is known before the first iteration.

#include "families.h"

#include "model/builder.h"
#include "model/derivation.h"
#include "model/surface_ways.h"
#include "solve/edges.h"
#include "world/places.h"
#include "world/substep.h"

// What was too far away before the substep comes back no faster than this, m/s.
static const float PULL_IN_SPEED = 10.0f;

// ---------------------------------------------------------------------------------------------
// Of a model

// Every other particle is enough: those beside it have their edges.
enum { LINKS_APART = 2 };

// Particles with a limited edge, and how long such edges may get at most.
static float find_limited(const pliant_model *model, bool *is_limited)
{
    float longest = 0.0f;
    for (int i = 0; i < model->source.edge_count; ++i) {
        const edge *e = &model->edges[i];
        if (!(e->longest > 0.0f) || e->is_chained)
            continue;
        is_limited[e->a] = is_limited[e->b] = true;
        longest = maximum(longest, e->longest);
    }
    return longest;
}

// If no edge gets longer than its limit, no particle gets further from a pinned one than the way along the surface is long
// then. That follows from the edges alone, but not with few iterations. What creeps or is dented changes its lengths.
static int add_for_limits(const derivation *d, pliant_tether_def *out, surface_way *ways,
                          bool *is_limited)
{
    const pliant_model *model = d->model;
    int count = 0;
    float longest = find_limited(model, is_limited);
    if (!pli_find_surface_ways(d, is_limited, ways))
        return -1;
    for (int p = 0; p < model->source.particle_count; ++p)
        for (int k = 0; k < WAYS_PER_PARTICLE; ++k) {
            const surface_way *way = &ways[p * WAYS_PER_PARTICLE + k];
            if (way->anchor >= 0 && way->links > 0 && way->links % LINKS_APART == 0)
                out[count++] = (pliant_tether_def){p, way->anchor,
                                                   (1.0f + 0.5f * (longest - 1.0f)) * way->length};
        }
    return count;
}

static bool has_pins(const derivation *d)
{
    for (int p = 0; p < d->model->source.particle_count; ++p)
        if (d->pinned[p])
            return true;
    return false;
}

// Tethers as given, and then those that limits ask for.
static pliant_tether_def *list_tethers(derivation *d)
{
    pliant_model *model = d->model;
    bool wants_more = model->has_limits && !model->has_creep && !model->has_dents && has_pins(d);
    size_t given = (size_t)model->source.tether_count;
    size_t particles = (size_t)model->source.particle_count, ways_room = 0;
    if (wants_more)
        ways_room = particles * WAYS_PER_PARTICLE;
    pliant_tether_def *all = derivation_take(d, given + ways_room, sizeof *all);
    surface_way *ways = derivation_take(d, ways_room, sizeof *ways);
    bool *is_limited = derivation_take(d, particles, sizeof *is_limited);
    int added = all && ways && is_limited ? 0 : -1;
    if (added == 0 && wants_more)
        added = add_for_limits(d, all + given, ways, is_limited);
    pli_memory_free(d->allocator, ways);
    pli_memory_free(d->allocator, is_limited);
    if (added < 0) {
        pli_memory_free(d->allocator, all);
        return NULL;
    }
    if (given > 0)
        memcpy(all, model->source.tethers, given * sizeof *all);
    model->tether_count = (int)given + added;
    return all;
}

// Sorts tethers by the blocks of their particles; those of one block keep their order.
static bool derive(derivation *d)
{
    pliant_model *model = d->model;
    int blocks = model->blocks.count;
    pliant_tether_def *all = list_tethers(d);
    model->tethers = derivation_take(d, (size_t)model->tether_count, sizeof *model->tethers);
    model->tether_start = derivation_take(d, (size_t)blocks + 1, sizeof *model->tether_start);
    bool enough = all && model->tethers && model->tether_start;
    int32_t *start = model->tether_start;
    for (int i = 0; enough && i < model->tether_count; ++i)
        start[model->block_of[all[i].particle] + 1] += 1;
    for (int block = 0; enough && block < blocks; ++block)
        start[block + 1] += start[block];
    for (int i = 0; enough && i < model->tether_count; ++i)
        model->tethers[start[model->block_of[all[i].particle]]++] = all[i];
    for (int block = blocks; enough && block > 0; --block)
        start[block] = start[block - 1];
    if (enough)
        start[0] = 0;
    pli_memory_free(d->allocator, all);
    return enough;
}

static void release(pliant_model *model)
{
    pli_memory_free(&model->allocator, model->tethers);
    pli_memory_free(&model->allocator, model->tether_start);
}

static bool is_in(const pliant_model *model)
{
    return model->tether_count > 0;
}

static void visit_block(const pliant_model *model, int block, particle_visitor *visit,
                        void *context)
{
    for (int i = model->tether_start[block]; i < model->tether_start[block + 1]; ++i)
        visit(model->tethers[i].particle, context);
}

// ---------------------------------------------------------------------------------------------
// Of a body

static void prepare(const substep *s, const body *b)
{
    const pliant_world *world = s->world;
    for (int k = 0; k < b->model->tether_count; ++k) {
        const pliant_tether_def *def = &b->model->tethers[k];
        int i = b->particle_first + def->particle, anchor = b->particle_first + def->anchor;
        vec3 start = vec3_sub(world->start[i], world->start[anchor]);
        world->tether_now[b->tether_first + k] =
            (tether_work){.holds = world->pinned[anchor] && !world->pinned[i],
                          .anchor = current_position(world, anchor),
                          .start = start,
                          .start_excess = vec3_length(start) - def->length};
    }
}

// How far a particle `d` from its anchor has to come back to be no further away than `most`, and along which line: see
// pli_length_correction.
static float way_back(vec3 start, vec3 d, float most, vec3 *n)
{
    float square = vec3_dot(d, d), excess = square - most * most;
    vec3 line = vec3_add_scaled(start, vec3_sub(d, start), PRESENT_PART);
    *n = vec3_scale(line, 1.0f / vec3_length(line));
    float along = vec3_dot(d, *n), root = along * along - excess;
    if (along > 0.0f && along * along > START_COSINE * START_COSINE * square && root >= 0.0f)
        return excess / (along + square_root(root));
    float distance = square_root(square);
    *n = vec3_scale(d, 1.0f / distance);
    return distance - most;
}

static void solve_tether(const substep *s, const body *b, int index)
{
    pliant_world *world = s->world;
    const pliant_tether_def *def = &b->model->tethers[index];
    tether_work *now = &world->tether_now[b->tether_first + index];
    int i = b->particle_first + def->particle;
    vec3 d = vec3_sub(current_position(world, i), now->anchor), n;
    float square = vec3_dot(d, d);
    if (!now->holds || !(square > def->length * def->length) || !is_finite(square))
        return;
    float most = def->length + maximum(0.0f, now->start_excess - PULL_IN_SPEED * s->h);
    if (!(square - most * most > 2.0f * PLACE_ROUNDING * most * (most + def->length)))
        return;
    float back = way_back(now->start, d, most, &n);
    world->move[i].way = vec3_add_scaled(world->move[i].way, n, -back);
    now->pulled += back;
}

static int solve_block(const substep *s, const body *b, int block, int place)
{
    (void)place;
    for (int k = b->model->tether_start[block]; k < b->model->tether_start[block + 1]; ++k)
        solve_tether(s, b, k);
    return 0;
}

// Coming back from an old excess leaves no speed behind (as for contacts).
static void settle(const substep *s, body *b)
{
    pliant_world *world = s->world;
    for (int k = 0; k < b->model->tether_count; ++k) {
        const pliant_tether_def *def = &b->model->tethers[k];
        const tether_work *now = &world->tether_now[b->tether_first + k];
        if (!(now->pulled > 0.0f && now->start_excess > 0.0f))
            continue;
        int i = b->particle_first + def->particle, anchor = b->particle_first + def->anchor;
        vec3 n = vec3_normalize_or(vec3_sub(current_position(world, i), now->anchor), now->start);
        float inwards = -vec3_dot(vec3_sub(world->v[i], world->v[anchor]), n);
        float old = minimum(now->pulled, now->start_excess) / s->h;
        world->v[i] = vec3_add_scaled(world->v[i], n, minimum(old, maximum(inwards, 0.0f)));
    }
}

const family pli_family_tethers = {.name = "tethers",
                                   .derive = derive,
                                   .release = release,
                                   .is_in = is_in,
                                   .visit_block = visit_block,
                                   .prepare = prepare,
                                   .solve_block = solve_block,
                                   .settle = settle};

// ---------------------------------------------------------------------------------------------
// What callers use

int pliant_builder_add_tether(pliant_builder *builder, const pliant_tether_def *def)
{
    return pli_builder_append(builder, ELEMENT_TETHERS, def, 1);
}

int pliant_model_tether_count(const pliant_model *model)
{
    return model->source.tether_count;
}

const pliant_tether_def *pliant_model_tethers(const pliant_model *model)
{
    return model->source.tethers;
}

// Dijkstra's algorithm from all pinned particles at once: each particle gets the nearest of them along edges.
typedef struct path_end {
    float length; // m
    int32_t particle, anchor;
} path_end;

typedef struct path_search {
    const elements *e;
    int32_t *start, *edges; // of each particle, as compressed rows
    float *length;          // per particle; < 0 while it is not known
    int32_t *anchor;
    path_end *heap; // the nearest end first
    int heap_count;
} path_search;

static bool is_nearer(path_end a, path_end b)
{
    return a.length < b.length || (a.length == b.length && a.particle < b.particle);
}

static void push_end(path_search *p, path_end end)
{
    int at = p->heap_count++;
    for (; at > 0 && is_nearer(end, p->heap[(at - 1) / 2]); at = (at - 1) / 2)
        p->heap[at] = p->heap[(at - 1) / 2];
    p->heap[at] = end;
}

static path_end pop_end(path_search *p)
{
    path_end first = p->heap[0], last = p->heap[--p->heap_count];
    int at = 0;
    for (int child = 1; child < p->heap_count; child = 2 * at + 1) {
        if (child + 1 < p->heap_count && is_nearer(p->heap[child + 1], p->heap[child]))
            child += 1;
        if (!is_nearer(p->heap[child], last))
            break;
        p->heap[at] = p->heap[child];
        at = child;
    }
    p->heap[at] = last;
    return first;
}

// Nothing has been checked yet.
static bool is_edge_good(const elements *e, const pliant_edge_def *def)
{
    return def->a >= 0 && def->a < e->particle_count && def->b >= 0 && def->b < e->particle_count;
}

// The edges of each particle, as rows of indices.
static void list_edges(path_search *p)
{
    const elements *e = p->e;
    for (int i = 0; i < e->edge_count; ++i)
        if (is_edge_good(e, &e->edges[i])) {
            p->start[e->edges[i].a + 1] += 1;
            p->start[e->edges[i].b + 1] += 1;
        }
    for (int i = 0; i < e->particle_count; ++i)
        p->start[i + 1] += p->start[i];
    for (int i = 0; i < e->edge_count; ++i)
        if (is_edge_good(e, &e->edges[i])) {
            p->edges[p->start[e->edges[i].a]++] = i;
            p->edges[p->start[e->edges[i].b]++] = i;
        }
    for (int i = e->particle_count; i > 0; --i)
        p->start[i] = p->start[i - 1];
    p->start[0] = 0;
}

static void find_paths(path_search *p)
{
    const elements *e = p->e;
    list_edges(p);
    for (int i = 0; i < e->particle_count; ++i) {
        p->length[i] = -1.0f;
        if (e->particles[i].flags & PLIANT_PARTICLE_PINNED)
            push_end(p, (path_end){0.0f, i, i});
    }
    while (p->heap_count > 0) {
        path_end end = pop_end(p);
        if (p->length[end.particle] >= 0.0f)
            continue;
        p->length[end.particle] = end.length;
        p->anchor[end.particle] = end.anchor;
        for (int k = p->start[end.particle]; k < p->start[end.particle + 1]; ++k) {
            const pliant_edge_def *way = &e->edges[p->edges[k]];
            int32_t next = way->a == end.particle ? way->b : way->a;
            float step = vec3_length(
                vec3_sub(e->particles[next].position, e->particles[end.particle].position));
            if (p->length[next] < 0.0f)
                push_end(p, (path_end){end.length + step, next, end.anchor});
        }
    }
}

static int add_found(pliant_builder *builder, const path_search *p, float slack)
{
    int added = 0;
    for (int i = 0; i < p->e->particle_count; ++i) {
        pliant_tether_def def = {i, p->anchor[i], slack * p->length[i]};
        if (!(p->length[i] > 0.0f))
            continue;
        if (pliant_builder_add_tether(builder, &def) < 0)
            return -1;
        added += 1;
    }
    return added;
}

int pliant_builder_add_tethers(pliant_builder *builder, float slack)
{
    const pliant_allocator *allocator = &builder->allocator;
    const elements *e = &builder->elements;
    size_t particles = (size_t)e->particle_count, ends = 2 * (size_t)e->edge_count;
    path_search p = {.e = e,
                     .start = pli_memory_new(allocator, particles + 1, sizeof *p.start),
                     .edges = pli_memory_new(allocator, ends, sizeof *p.edges),
                     .length = pli_memory_new(allocator, particles, sizeof *p.length),
                     .anchor = pli_memory_new(allocator, particles, sizeof *p.anchor),
                     .heap = pli_memory_new(allocator, particles + ends, sizeof *p.heap)};
    int added = -1;
    if (p.start && p.edges && p.length && p.anchor && p.heap) {
        find_paths(&p);
        added = add_found(builder, &p, slack);
    }
    builder->out_of_memory = builder->out_of_memory || added < 0;
    pli_memory_free(allocator, p.start);
    pli_memory_free(allocator, p.edges);
    pli_memory_free(allocator, p.length);
    pli_memory_free(allocator, p.anchor);
    pli_memory_free(allocator, p.heap);
    return added;
}
