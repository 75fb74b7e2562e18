// Which particles of a model never collide with each other, and how near the others must come.
//
// Neighbours on an edge and members of one explicit group are kept apart by their constraint. Particles
// whose forms overlap at rest would be pushed out of the shape that matching pulls them into.

#include "collide/broad.h"
#include "surface.h"

// Gaps at rest below this part of the touching pair's size count as overlap: a shape that just
// touches itself must not rattle.
static const float REST_MARGIN = 0.02f;

typedef struct search {
    const pliant_model *model;
    broad_phase broad;
    broad_sphere *spheres;
    particle_pair *pairs; // that overlap at rest
    int pair_count;
    int32_t *fill; // per particle: where its next partner goes
} search;

bool pli_overlap_at_rest(const party *first, const party *second, vec3 between)
{
    float margin =
        REST_MARGIN * (pli_form_mean_size(&first->form) + pli_form_mean_size(&second->form));
    form_pair at;
    return pli_parties_touch(first, second, between, margin, &at) && at.gap < margin;
}

static int keep_overlapping(particle_pair *pairs, int count, void *context)
{
    const pliant_model *model = context;
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        particle_pair pair = pairs[i];
        party first, second;
        pli_model_parties(model, pair.a, pair.b, quat_identity(), quat_identity(), &first, &second);
        vec3 between = vec3_sub(model->source.particles[pair.b].position,
                                model->source.particles[pair.a].position);
        pairs[kept] = pair;
        kept += pli_overlap_at_rest(&first, &second, between);
    }
    return kept;
}

// Counts first, then finds as many.
static bool find_overlapping(search *s)
{
    const pliant_model *model = s->model;
    const pliant_allocator *allocator = &model->allocator;
    int n = model->source.particle_count;
    s->spheres = pli_memory_new(allocator, (size_t)n, sizeof *s->spheres);
    if (!s->spheres || !pli_broad_reserve(&s->broad, n, 0, allocator))
        return false;
    for (int p = 0; p < n; ++p)
        s->spheres[p] = (broad_sphere){model->source.particles[p].position,
                                       (1.0f + 2.0f * REST_MARGIN) * model->traits[p].reach};
    broad_query query = {.spheres = s->spheres,
                         .count = n,
                         .filter = keep_overlapping,
                         .context = (void *)model,
                         .kernels = pli_kernels_plain};
    s->pair_count = pli_broad_find(&s->broad, &query, NULL, 0);
    s->pairs = pli_memory_new(allocator, (size_t)s->pair_count, sizeof *s->pairs);
    if (!s->pairs || !pli_broad_reserve(&s->broad, n, s->pair_count, allocator))
        return false;
    pli_broad_find(&s->broad, &query, s->pairs, s->pair_count);
    return true;
}

static int32_t minimum_index(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static void count_pair(const search *s, int32_t a, int32_t b)
{
    s->model->excluded_start[minimum_index(a, b) + 1] += 1;
}

static void note_pair(const search *s, int32_t a, int32_t b)
{
    int32_t first = minimum_index(a, b);
    s->model->excluded[s->fill[first]++] = a + b - first;
}

static void for_each_pair(const search *s, void (*note)(const search *, int32_t, int32_t))
{
    const elements *e = &s->model->source;
    for (int i = 0; i < e->edge_count; ++i)
        note(s, e->edges[i].a, e->edges[i].b);
    for (int i = 0; i < s->pair_count; ++i)
        note(s, s->pairs[i].a, s->pairs[i].b);
}

static bool fill_lists(pliant_model *model, search *s)
{
    int n = model->source.particle_count;
    int32_t *start = model->excluded_start;
    for_each_pair(s, count_pair);
    for (int p = 0; p < n; ++p)
        start[p + 1] += start[p];
    model->excluded = pli_memory_new(&model->allocator, (size_t)start[n], sizeof *model->excluded);
    if (!model->excluded)
        return false;
    memcpy(s->fill, start, (size_t)n * sizeof *s->fill);
    for_each_pair(s, note_pair);
    return true;
}

// What most questions are about, in one word for each particle.
static void note_neighbours(pliant_model *model)
{
    int n = model->source.particle_count;
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < n && b <= a + 64; ++b)
            if (pli_model_excludes(model, a, b))
                model->traits[a].excluded |= (uint64_t)1 << (b - a - 1);
}

static void measure_particles(pliant_model *model)
{
    for (int p = 0; p < model->source.particle_count; ++p) {
        const pliant_particle_def *def = &model->source.particles[p];
        model->has_layers = model->has_layers || !def->layers || def->mask != UINT32_MAX;
        model->traits[p] = (pair_traits){.reach = pli_model_reach(model, p),
                                         .thin = 0.5f * model->sizes[p].thinnest};
    }
}

bool pli_model_find_excluded(pliant_model *model)
{
    const pliant_allocator *allocator = &model->allocator;
    int n = model->source.particle_count;
    search s = {.model = model};
    model->traits = pli_memory_new(allocator, (size_t)n, sizeof *model->traits);
    if (!model->traits)
        return false;
    measure_particles(model);
    s.fill = pli_memory_new(allocator, (size_t)n, sizeof *s.fill);
    model->excluded_start = pli_memory_new(allocator, (size_t)n + 1, sizeof *model->excluded_start);
    bool enough = s.fill && model->excluded_start && find_overlapping(&s) && fill_lists(model, &s);
    if (enough)
        note_neighbours(model);
    pli_broad_free(&s.broad, allocator);
    pli_memory_free(allocator, s.spheres);
    pli_memory_free(allocator, s.pairs);
    pli_memory_free(allocator, s.fill);
    return enough;
}

bool pli_model_excludes(const pliant_model *model, int32_t a, int32_t b)
{
    if (model->group_of[a] && model->group_of[a] == model->group_of[b])
        return true;
    bool is_listed = false;
    for (int at = model->excluded_start[a]; at < model->excluded_start[a + 1]; ++at)
        is_listed = is_listed || model->excluded[at] == b;
    return is_listed;
}
