// Which particles of a model never collide with each other.
//
// Neighbours on an edge and members of one explicit group are kept apart by their constraint. Particles
// whose ellipsoids overlap at rest would be pushed out of the shape that matching pulls them into.

#include "collide/broad.h"
#include "surface.h"

// Gaps at rest below this part of the touching pair's size count as overlap: a shape that just
// touches itself must not rattle.
static const float REST_MARGIN = 0.02f;

typedef struct search {
    const pliant_model *model;
    int32_t *count; // per particle: pairs found so far
    int32_t *fill;  // per particle: where its next partner goes; NULL while counting
} search;

static void note_pair(search *s, int32_t a, int32_t b)
{
    if (!s->fill) {
        s->count[a] += 1;
        s->count[b] += 1;
        return;
    }
    s->model->excluded[s->fill[a]++] = b;
    s->model->excluded[s->fill[b]++] = a;
}

static float mean_size(sym3 shape)
{
    return square_root(sym3_trace(shape) * (1.0f / 3.0f));
}

bool pliant_overlap_at_rest(const party *first, const party *second, vec3 between)
{
    float margin = REST_MARGIN * (mean_size(first->shape) + mean_size(second->shape));
    ellipsoid_pair touch;
    return pliant_parties_touch(first, second, between, margin, &touch) && touch.gap < margin;
}

// As a filter of the broad phase it sees every pair once; it keeps none, but notes those that overlap.
static bool note_overlap(int32_t a, int32_t b, void *context)
{
    search *s = context;
    const pliant_model *model = s->model;
    party first = pliant_model_party(model, a, quat_identity());
    party second = pliant_model_party(model, b, quat_identity());
    vec3 between =
        vec3_sub(model->source.particles[b].position, model->source.particles[a].position);
    if (pliant_overlap_at_rest(&first, &second, between))
        note_pair(s, a, b);
    return false;
}

static void note_all(search *s, broad_phase *broad, const vec3 *centres, const float *radii)
{
    const elements *e = &s->model->source;
    for (int i = 0; i < e->edge_count; ++i)
        note_pair(s, e->edges[i].a, e->edges[i].b);
    particle_pair none;
    pliant_broad_find(broad, centres, radii, e->particle_count, note_overlap, s, &none, 0);
}

static void sort_list(int32_t *list, int count)
{
    for (int i = 1; i < count; ++i) {
        int32_t value = list[i];
        int k = i;
        for (; k > 0 && list[k - 1] > value; --k)
            list[k] = list[k - 1];
        list[k] = value;
    }
}

static bool fill_lists(pliant_model *model, search *s, broad_phase *broad, const vec3 *centres,
                       const float *radii)
{
    int n = model->source.particle_count;
    note_all(s, broad, centres, radii);
    model->excluded_start[0] = 0;
    for (int p = 0; p < n; ++p)
        model->excluded_start[p + 1] = model->excluded_start[p] + s->count[p];
    model->excluded = pliant_memory_new(&model->allocator, (size_t)model->excluded_start[n],
                                        sizeof *model->excluded);
    if (!model->excluded)
        return false;
    for (int p = 0; p < n; ++p)
        s->count[p] = model->excluded_start[p];
    s->fill = s->count;
    note_all(s, broad, centres, radii);
    for (int p = 0; p < n; ++p)
        sort_list(model->excluded + model->excluded_start[p],
                  model->excluded_start[p + 1] - model->excluded_start[p]);
    return true;
}

bool pliant_model_find_excluded(pliant_model *model)
{
    const pliant_allocator *allocator = &model->allocator;
    int n = model->source.particle_count;
    broad_phase broad = {0};
    search s = {.model = model};
    vec3 *centres = pliant_memory_new(allocator, (size_t)n, sizeof *centres);
    float *radii = pliant_memory_new(allocator, (size_t)n, sizeof *radii);
    s.count = pliant_memory_new(allocator, (size_t)n, sizeof *s.count);
    model->excluded_start =
        pliant_memory_new(allocator, (size_t)n + 1, sizeof *model->excluded_start);
    bool enough = centres && radii && s.count && model->excluded_start &&
                  pliant_broad_reserve(&broad, n, allocator);
    if (enough) {
        for (int p = 0; p < n; ++p) {
            centres[p] = model->source.particles[p].position;
            radii[p] = (1.0f + 2.0f * REST_MARGIN) * pliant_model_reach(model, p);
        }
        enough = fill_lists(model, &s, &broad, centres, radii);
    }
    pliant_broad_free(&broad, allocator);
    pliant_memory_free(allocator, centres);
    pliant_memory_free(allocator, radii);
    pliant_memory_free(allocator, s.count);
    return enough;
}

bool pliant_model_excludes(const pliant_model *model, int32_t a, int32_t b)
{
    if (model->group_of[a] && model->group_of[a] == model->group_of[b])
        return true;
    int low = model->excluded_start[a], high = model->excluded_start[a + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (model->excluded[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low < model->excluded_start[a + 1] && model->excluded[low] == b;
}
