// Chains: rigid edges that form a chain or a tree hold their lengths together.
//
// One after another (distances.c) few iterations leave a rope stretched by what hangs at it, and the more links it has the
// more. Their lengths alone could be solved together, too, with a number for each edge; but then nothing says that what is
// under tension also resists across its line, and light links under a heavy load whip. So it is the particles that are
// solved, one implicit step with the Hessian of springs whose part across the line is that of their tension:
//
//     minimise  Σ |Δ|²/2w + Σ (EA/2l̄) (l - l̄)²       K = h² (EA/l̄ n nᵀ + θ T/l̄ 1)
//
// with Δ the way that the chain adds to that which a particle goes already, whatever made it go so: groups, contacts and
// attachments before it in the iteration. The matrix has blocks of 3 × 3 and the form of the tree, so that it is
// eliminated from the leaves to the middle without anything else being filled in. With S what a particle and all behind it
// resist with (at first its mass m), b what they push with, τ = θ h² T/l̄, c = l̄/(h² EA), μ the excess of length,
// Q = S + τ 1 and r = Q⁻¹ S n, a particle hands on to its parent
//
//     S += τ Q⁻¹ S + r rᵀ/(c + nᵀQ⁻¹n)          b += τ Q⁻¹ b + r (μ + nᵀQ⁻¹b)/(c + nᵀQ⁻¹n)
//
// which are sums of what is not negative: no difference of large numbers, however stiff or light it is. Back from the middle
// to the leaves each one follows its parent. Double precision: beside a load of 10,000 links float32 does not know one.
//
// As for other edges n is the line of the start but for a small part, so that what is thrown keeps its spin. That is an explicit
// step of the tension across the line, which is good while ω²h² = 2 (T/l̄) h² (w₁ + w₂) is below 4; θ, the part of the
// present line and of the tension in the matrix, goes from PRESENT_PART to 1 as ω²h² grows beyond 1.
//
// T is that of the substep before, which is state: to read it from the length, as of a spring, would take more digits of it
// than what a step leaves unsolved. In later iterations of a substep lines and masses stay and only the rest of the excess
// is solved, without that which belongs to the tension; where an edge has turned too far since, all is done anew.
//
// A rigid edge has no EA. The chain's is so large that it is stretched by 1e-4 by its own weight and what is part of it.

#include "families.h"

#include "core/hash.h"
#include "model/derivation.h"
#include "solve/chains.h"
#include "solve/edges.h"
#include "world/substep.h"
#include "world/tasks.h"

// Fewer edges are left to distances: in a body that consists of chains, and in one that is mostly something else, of which
// short chains would take a tenth of the time, and seven times the mass of 11 edges at their end stretches them by 2 %.
enum { LEAST_EDGES = 3, LEAST_EDGES_AMONG_OTHERS = 12 };
// Of a large body.
enum { CHAINS_PER_TASK = 16 };
// m/s², EA of a chain over its mass: so it is stretched by 1e-4 where it hangs by an end.
static const float STIFFNESS_PER_MASS = 1e5f;

// ---------------------------------------------------------------------------------------------
// Of a model

// Edges that hold their length, as compressed rows of each particle; and a depth-first walk along them.
typedef struct walk {
    const pliant_model *model;
    int32_t *start;   // per particle + 1
    int32_t *edges;   // of the model
    int32_t *next;    // per particle: where its row goes on
    int32_t *number;  // per particle: when it was reached, 0: not yet
    int32_t *lowest;  // per particle: the earliest that it or those behind it lead to
    int32_t *came_by; // per particle: edge, or -1
    int32_t *queue;   // particles
    int32_t *depth;   // per particle: edges from the middle
    bool *is_bridge;  // per edge
    bool *has_others; // per particle: edges that do not hold their length for certain
} walk;

// Particles with other edges are part of something that holds its shape by them, too. What is stiff within it, like the
// strands of a cable, stays as stiff as the rest of it.
static bool may_be_chained(const walk *w, const edge *e)
{
    return e->stretch_rate < 0.0f && !(w->has_others[e->a] && w->has_others[e->b]);
}

static int32_t other_end(const edge *e, int32_t p)
{
    return e->a == p ? e->b : e->a;
}

static bool make_rows(walk *w, const pliant_allocator *allocator)
{
    const pliant_model *model = w->model;
    size_t n = (size_t)model->source.particle_count, edges = (size_t)model->source.edge_count;
    w->start = pli_memory_new(allocator, n + 1, sizeof *w->start);
    w->edges = pli_memory_new(allocator, 2 * edges, sizeof *w->edges);
    w->next = pli_memory_new(allocator, n, sizeof *w->next);
    w->number = pli_memory_new(allocator, n, sizeof *w->number);
    w->lowest = pli_memory_new(allocator, n, sizeof *w->lowest);
    w->came_by = pli_memory_new(allocator, n, sizeof *w->came_by);
    w->queue = pli_memory_new(allocator, n, sizeof *w->queue);
    w->depth = pli_memory_new(allocator, n, sizeof *w->depth);
    w->is_bridge = pli_memory_new(allocator, edges, sizeof *w->is_bridge);
    w->has_others = pli_memory_new(allocator, n, sizeof *w->has_others);
    if (!w->start || !w->edges || !w->next || !w->number || !w->lowest || !w->came_by ||
        !w->queue || !w->depth || !w->is_bridge || !w->has_others)
        return false;
    for (int i = 0; i < model->source.edge_count; ++i) {
        const edge *e = &model->edges[i];
        if (e->stretch_rate >= 0.0f)
            w->has_others[e->a] = w->has_others[e->b] = true;
    }
    for (int i = 0; i < model->source.edge_count; ++i)
        if (may_be_chained(w, &model->edges[i])) {
            w->start[model->edges[i].a + 1] += 1;
            w->start[model->edges[i].b + 1] += 1;
        }
    for (size_t p = 0; p < n; ++p) {
        w->start[p + 1] += w->start[p];
        w->next[p] = w->start[p];
    }
    for (int i = 0; i < model->source.edge_count; ++i)
        if (may_be_chained(w, &model->edges[i])) {
            w->edges[w->next[model->edges[i].a]++] = i;
            w->edges[w->next[model->edges[i].b]++] = i;
        }
    for (size_t p = 0; p < n; ++p)
        w->next[p] = w->start[p];
    return true;
}

static void free_rows(walk *w, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, w->start);
    pli_memory_free(allocator, w->edges);
    pli_memory_free(allocator, w->next);
    pli_memory_free(allocator, w->number);
    pli_memory_free(allocator, w->lowest);
    pli_memory_free(allocator, w->came_by);
    pli_memory_free(allocator, w->queue);
    pli_memory_free(allocator, w->depth);
    pli_memory_free(allocator, w->is_bridge);
    pli_memory_free(allocator, w->has_others);
}

// Edges that are in no cycle (Tarjan's bridges).
static void find_bridges_from(walk *w, int32_t first, int32_t *count)
{
    int depth = 0;
    w->queue[depth++] = first;
    w->number[first] = w->lowest[first] = ++*count;
    w->came_by[first] = -1;
    while (depth > 0) {
        int32_t p = w->queue[depth - 1];
        if (w->next[p] < w->start[p + 1]) {
            int32_t e = w->edges[w->next[p]++], q = other_end(&w->model->edges[e], p);
            if (e == w->came_by[p])
                continue;
            if (w->number[q] == 0) {
                w->number[q] = w->lowest[q] = ++*count;
                w->came_by[q] = e;
                w->queue[depth++] = q;
            } else if (w->number[q] < w->lowest[p]) {
                w->lowest[p] = w->number[q];
            }
            continue;
        }
        depth -= 1;
        if (depth == 0)
            continue;
        int32_t before = w->queue[depth - 1];
        w->is_bridge[w->came_by[p]] = w->lowest[p] > w->number[before];
        if (w->lowest[p] < w->lowest[before])
            w->lowest[before] = w->lowest[p];
    }
}

// Lists the particles of a tree by their distance from the first one, and how each was reached. Returns how many.
static int list_tree(walk *w, int32_t first)
{
    int count = 0;
    w->came_by[first] = -1;
    w->queue[count++] = first;
    for (int k = 0; k < count; ++k) {
        int32_t p = w->queue[k];
        for (int i = w->start[p]; i < w->start[p + 1]; ++i) {
            int32_t e = w->edges[i];
            if (!w->is_bridge[e] || e == w->came_by[p])
                continue;
            int32_t q = other_end(&w->model->edges[e], p);
            w->came_by[q] = e;
            w->queue[count++] = q;
        }
    }
    return count;
}

// Half way between two ends that are as far apart as any.
static int32_t find_middle(walk *w, int32_t any)
{
    int count = list_tree(w, any);
    count = list_tree(w, w->queue[count - 1]);
    int32_t p = w->queue[count - 1], middle = p;
    for (int steps = 0; w->came_by[p] >= 0; ++steps) {
        p = other_end(&w->model->edges[w->came_by[p]], p);
        if (steps % 2)
            middle = other_end(&w->model->edges[w->came_by[middle]], middle);
    }
    return middle;
}

static int32_t parent_of(const walk *w, int32_t particle)
{
    return other_end(&w->model->edges[w->came_by[particle]], particle);
}

// Two of a tree's particles, as many edges from its middle; or one.
static chain_row row_of(const walk *w, int32_t a, int32_t b)
{
    chain_row row = {.particle = {a, b}, .count = a == b ? 1 : TWIN};
    for (int lane = 0; lane < TWIN; ++lane) {
        row.edge[lane] = w->came_by[row.particle[lane]];
        row.parent[lane] = row.edge[lane] < 0 ? -1 : w->number[parent_of(w, row.particle[lane])];
    }
    row.is_straight = row.count == TWIN && row.parent[0] >= 0 && row.parent[0] % TWIN == 0 &&
                      row.parent[1] == row.parent[0] + 1;
    return row;
}

static void add_chain(walk *w, pliant_model *model, int32_t root)
{
    int count = list_tree(w, root), first = model->chain_row_count;
    double mass = 0.0;
    for (int k = 0; k < count; ++k) {
        int32_t p = w->queue[k], e = w->came_by[p];
        w->depth[p] = e < 0 ? 0 : w->depth[parent_of(w, p)] + 1;
        if (e >= 0)
            model->edges[e].is_chained = true;
        mass += (double)model->source.particles[p].mass;
    }
    for (int k = 0; k < count;) {
        int32_t a = w->queue[k], b = k + 1 < count ? w->queue[k + 1] : a;
        if (w->depth[a] != w->depth[b])
            b = a;
        model->chain_rows[model->chain_row_count] = row_of(w, a, b);
        w->number[b] = model->chain_row_count * TWIN + 1;
        w->number[a] = model->chain_row_count * TWIN;
        model->chain_row_count += 1;
        k += a == b ? 1 : TWIN;
    }
    model->chains[model->chain_count++] =
        (chain_tree){first, model->chain_row_count - first, STIFFNESS_PER_MASS * (float)mass};
}

static void find_chains(walk *w, pliant_model *model)
{
    int32_t count = 0;
    for (int p = 0; p < model->source.particle_count; ++p)
        if (w->number[p] == 0)
            find_bridges_from(w, p, &count);
    int bridges = 0;
    for (int e = 0; e < model->source.edge_count; ++e)
        bridges += w->is_bridge[e];
    bool is_mostly_chains = 2 * bridges >= model->source.edge_count;
    int least = is_mostly_chains ? LEAST_EDGES : LEAST_EDGES_AMONG_OTHERS;
    for (int p = 0; p < model->source.particle_count; ++p)
        w->number[p] = -1;
    for (int p = 0; p < model->source.particle_count; ++p) {
        if (w->number[p] >= 0 || w->start[p] == w->start[p + 1])
            continue;
        if (list_tree(w, p) > least)
            add_chain(w, model, find_middle(w, p));
    }
}

static bool derive(derivation *d)
{
    pliant_model *model = d->model;
    size_t n = (size_t)model->source.particle_count;
    model->chains = derivation_take(d, n, sizeof *model->chains);
    model->chain_rows = derivation_take(d, n, sizeof *model->chain_rows);
    walk w = {.model = model};
    bool enough = model->chains && model->chain_rows && make_rows(&w, d->allocator);
    if (enough)
        find_chains(&w, model);
    free_rows(&w, d->allocator);
    model->has_stretch = false;
    for (int i = 0; i < model->source.edge_count; ++i)
        model->has_stretch = model->has_stretch ||
                             (model->edges[i].stretch_rate != 0.0f && !model->edges[i].is_chained);
    return enough;
}

static void release(pliant_model *model)
{
    pli_memory_free(&model->allocator, model->chains);
    pli_memory_free(&model->allocator, model->chain_rows);
}

static bool is_in(const pliant_model *model)
{
    return model->chain_count > 0;
}

// ---------------------------------------------------------------------------------------------
// Of a body

static chain_span span_of(const substep *s, const body *b)
{
    pliant_world *world = s->world;
    int p = b->particle_first;
    return (chain_span){.chains = b->model->chains,
                        .rows = b->model->chain_rows,
                        .edges = b->model->edges,
                        .rest = pli_body_rest(b)->edges,
                        .rest_turn = pli_body_rest_turns(world, b),
                        .turn = world->turn + p,
                        .x = world->x + p,
                        .x_low = world->x_low + p,
                        .move = world->move + p,
                        .origin = b->origin,
                        .work = world->chain_now + b->chain_first,
                        .pulls = world->chain_pulls + b->chain_first,
                        .h = s->h};
}

typedef struct chain_job {
    const substep *s;
    const body *b;
} chain_job;

static void solve_some(int index, void *context)
{
    const chain_job *job = context;
    chain_span span = span_of(job->s, job->b);
    int first = index * CHAINS_PER_TASK, count = job->b->model->chain_count;
    for (int k = first; k < count && k < first + CHAINS_PER_TASK; ++k)
        job->s->world->kernels->solve_chain(&span, k, job->s->iteration == 0);
}

// They share no particle.
static int solve(const substep *s, const body *b)
{
    chain_job job = {s, b};
    int tasks = (b->model->chain_count + CHAINS_PER_TASK - 1) / CHAINS_PER_TASK;
    pli_run_body_tasks(s->world, b, tasks, solve_some, &job);
    return 0;
}

static uint64_t hash(uint64_t state, const pliant_world *world, const body *b)
{
    for (int k = 0; k < b->model->chain_row_count; ++k)
        for (int lane = 0; lane < b->model->chain_rows[k].count; ++lane)
            state = hash_float(state, world->chain_pulls[b->chain_first + k].of[lane]);
    return state;
}

const family pli_family_chains = {.name = "chains",
                                  .derive = derive,
                                  .release = release,
                                  .is_in = is_in,
                                  .solve = solve,
                                  .hash = hash};
