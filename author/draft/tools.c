// What the tools share.

#include "draft/tools.h"

#include "core/error.h"
#include "draft/content.h"
#include "tips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Nodes are this much finer than the distance between particles.
#define CELLS_PER_SPACING 3.0f
// A mesh in cells so fine would fill the memory before the particles do.
#define MOST_SAMPLES 5e7
// Of the time of a tool that needs it.
#define MATTER_PART 0.7f

// About how many points the surface would be refined to.
static double estimate_samples(const topology *t, float size)
{
    double samples = t->point_count;
    for (int32_t i = 0; i < t->triangle_count; ++i) {
        vec3 a = t->points[t->triangles[3 * i]], b = t->points[t->triangles[3 * i + 1]],
             c = t->points[t->triangles[3 * i + 2]];
        vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        double around = (double)vec3_length(vec3_sub(b, a)) + vec3_length(vec3_sub(c, b)) +
                        vec3_length(vec3_sub(a, c));
        samples += (double)vec3_length(normal) / ((double)size * size) + around / size;
    }
    return samples;
}

const matter *pli_draft_matter(pliant_draft *draft, pliant_error *error)
{
    if (draft->matter)
        return draft->matter;
    float size = draft->spacing / CELLS_PER_SPACING;
    if (!(estimate_samples(draft->topology, size) < MOST_SAMPLES)) {
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, "spacing",
                      "%g m is too fine for a mesh of this size", (double)draft->spacing);
        return NULL;
    }
    progress_range all = pli_progress_range(draft->progress);
    pli_progress_narrow(draft->progress, all, 0.0f, MATTER_PART);
    draft->matter = pli_matter_create(draft->topology, size, draft->bridge, draft->progress);
    pli_progress_narrow(draft->progress, all, MATTER_PART, 1.0f);
    if (!draft->matter)
        pli_progress_fail(draft->progress, error);
    return draft->matter;
}

const draft_tips *pli_draft_tips(pliant_draft *draft, float reach)
{
    draft_tips *tips = &draft->tips;
    if (tips->reach == reach)
        return tips;
    free(tips->points);
    *tips = (draft_tips){0};
    if (!pli_matter_tips(draft->matter, reach, draft->progress, &tips->points, &tips->count))
        return NULL;
    tips->reach = reach;
    return tips;
}

pliant_result pli_draft_want_scale(pliant_draft *draft, float spacing, pliant_error *error)
{
    if (draft->spacing > 0.0f)
        return PLIANT_OK;
    return pliant_draft_set_scale(draft, spacing, 0.25f * spacing, error);
}

pliant_result pli_draft_guess_scale(pliant_draft *draft, pliant_error *error)
{
    const topology *t = draft->topology;
    double area = 0.0;
    for (int32_t i = 0; i < t->triangle_count; ++i) {
        vec3 a = t->points[t->triangles[3 * i]];
        area +=
            0.5 * (double)vec3_length(vec3_cross(vec3_sub(t->points[t->triangles[3 * i + 1]], a),
                                                 vec3_sub(t->points[t->triangles[3 * i + 2]], a)));
    }
    int count = draft->particle_count > 0 ? draft->particle_count : 1;
    float spacing = (float)sqrt(area / count);
    return pli_draft_want_scale(draft, spacing > 0.0f ? spacing : 1.0f, error);
}

pliant_result pli_draft_begin_tool(pliant_draft *draft, draft_tool *tool, pliant_error *error)
{
    bool is_outermost = draft->tool_depth == 0;
    if (is_outermost && !pli_draft_copy_content(&tool->before, draft))
        return pli_error_memory(error);
    if (is_outermost)
        pli_progress_begin(draft->progress);
    ++draft->tool_depth;
    tool->range = pli_progress_range(draft->progress);
    return PLIANT_OK;
}

pliant_result pli_draft_end_tool(pliant_draft *draft, draft_tool *tool, pliant_result result,
                                 pliant_error *error)
{
    draft_progress *progress = draft->progress;
    pli_progress_narrow(progress, tool->range, 0.0f, 1.0f);
    if (progress->is_stopped)
        result = pli_progress_fail(progress, error);
    if (--draft->tool_depth > 0)
        return result;
    if (result != PLIANT_OK) {
        pli_draft_take_content(draft, &tool->before);
        return result;
    }
    pli_draft_release_content(&tool->before);
    pli_progress_end(progress);
    return PLIANT_OK;
}

// Of the nodes around the one a particle belongs to, the nearest to where it has moved. Nodes farther from there than the
// first are on no way to it.
static int32_t landing_node(matter_search *search, int32_t node, vec3 x, float moved)
{
    const matter *m = search->matter;
    float best2 = INFINITY;
    pli_matter_search_in_ball(search, node, x, 1.2f * moved + 2.0f * m->grid.size,
                              2.0f * (moved + m->grid.size));
    for (int32_t k = 0; k < search->reached_count; ++k) {
        vec3 d = vec3_sub(m->nodes[search->reached[k]].centre, x);
        if (vec3_dot(d, d) < best2) {
            best2 = vec3_dot(d, d);
            node = search->reached[k];
        }
    }
    return node;
}

int32_t *pli_draft_nodes(const pliant_draft *draft, int first, const unsigned char *selected)
{
    matter_search search;
    int32_t *nodes = malloc(((size_t)draft->particle_count + 1) * sizeof *nodes);
    if (!nodes || !pli_matter_search_begin(&search, draft->matter)) {
        free(nodes);
        return NULL;
    }
    bool ok = true;
    for (int i = 0; i < draft->particle_count && ok; ++i) {
        ok = progress_beats(draft->progress, i);
        draft_anchor anchor = draft->anchors[i];
        vec3 x = draft->particles[i].position;
        float moved = vec3_length(vec3_sub(x, anchor.position));
        nodes[i] = i < first || (selected && !selected[i])
                       ? -1
                       : pli_matter_find(draft->matter, anchor.position, anchor.triangle);
        if (nodes[i] >= 0 && moved > 0.0f)
            nodes[i] = landing_node(&search, nodes[i], x, moved);
    }
    pli_matter_search_end(&search);
    if (ok)
        return nodes;
    free(nodes);
    return NULL;
}

bool pli_draft_sort_into_cells(const pliant_draft *draft, const cell_grid *grid, cell_lists *lists)
{
    cell_map map = {0};
    size_t count = (size_t)draft->particle_count;
    int32_t *entries = malloc((2 * count + 1) * sizeof *entries);
    bool ok = entries != NULL;
    for (int32_t i = 0; ok && i < draft->particle_count; ++i) {
        entries[2 * i] = pli_cell_map_add(&map, cell_at(grid, draft->particles[i].position));
        entries[2 * i + 1] = i;
        ok = entries[2 * i] >= 0;
    }
    ok = ok && pli_cell_lists_create(lists, &map, entries, count);
    pli_cell_map_release(&map);
    free(entries);
    return ok;
}

int32_t pli_draft_find_in_cells(const pliant_draft *draft, const cell_grid *grid,
                                const cell_lists *lists, vec3 x,
                                bool (*accepts)(const void *context, int32_t particle),
                                const void *context)
{
    cell centre = cell_at(grid, x);
    int32_t best = -1;
    float best_distance = grid->size;
    for (int k = 0; k < 27; ++k) {
        cell c = {centre.x + k % 3 - 1, centre.y + k / 3 % 3 - 1, centre.z + k / 9 - 1};
        int32_t number = pli_cell_map_find(&lists->map, c);
        for (int32_t e = number < 0 ? 0 : lists->first[number];
             number >= 0 && e < lists->first[number + 1]; ++e) {
            int32_t i = lists->things[e];
            float distance = vec3_length(vec3_sub(draft->particles[i].position, x));
            bool is_nearer =
                distance < best_distance || (distance == best_distance && (best < 0 || i < best));
            if (is_nearer && (!accepts || accepts(context, i))) {
                best = i;
                best_distance = distance;
            }
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// Particles near nodes

typedef struct near_search {
    near_lists *lists;
    int32_t particle; // at hand
    float limit;
    float *depths; // of nodes, below the surface
} near_search;

// Where so many others are nearer, they are so at all nodes behind this one, too.
static bool insert_near(void *user_data, int32_t node, float distance)
{
    const near_search *s = user_data;
    near_lists *lists = s->lists;
    if (distance + s->depths[node] > s->limit)
        return false;
    near_entry *entries = lists->entries + (size_t)node * (size_t)lists->most;
    int32_t *count = &lists->counts[node], k;
    if (*count == lists->most && !(distance < entries[*count - 1].distance))
        return false;
    *count += *count < lists->most;
    for (k = *count - 1; k > 0 && distance < entries[k - 1].distance; --k)
        entries[k] = entries[k - 1];
    entries[k] = (near_entry){s->particle, distance};
    return true;
}

// Distances from the surface, as far as the limit.
static float *measure_depths(matter_search *search, float limit)
{
    const matter *m = search->matter;
    float *depths = malloc(((size_t)m->node_count + 1) * sizeof *depths);
    int32_t *surface = malloc(((size_t)m->surface_count + 1) * sizeof *surface);
    for (int32_t n = 0; surface && n < m->surface_count; ++n)
        surface[n] = n;
    if (depths && surface && pli_matter_search_run(search, surface, m->surface_count, limit)) {
        memcpy(depths, search->distances, (size_t)m->node_count * sizeof *depths);
    } else {
        free(depths);
        depths = NULL;
    }
    free(surface);
    return depths;
}

bool pli_near_create(near_lists *lists, const matter *m, const int32_t *nodes, int count,
                     float limit, int most, draft_progress *progress)
{
    matter_search search;
    *lists = (near_lists){.most = most};
    lists->entries = malloc(((size_t)m->node_count * (size_t)most + 1) * sizeof *lists->entries);
    lists->counts = calloc((size_t)m->node_count + 1, sizeof *lists->counts);
    if (!lists->entries || !lists->counts || !pli_matter_search_begin(&search, m)) {
        pli_near_release(lists);
        return false;
    }
    search.progress = progress;
    near_search s = {.lists = lists, .limit = limit, .depths = measure_depths(&search, limit)};
    bool ok = s.depths != NULL;
    search.goes_on = insert_near;
    search.user_data = &s;
    for (s.particle = 0; ok && s.particle < count; ++s.particle)
        ok = pli_progress_tell(progress, (float)s.particle / (float)count) &&
             pli_matter_search_run(&search, &nodes[s.particle], 1, limit);
    pli_matter_search_end(&search);
    if (!ok)
        pli_near_release(lists);
    free(s.depths);
    return ok;
}

void pli_near_release(near_lists *lists)
{
    free(lists->entries);
    free(lists->counts);
    *lists = (near_lists){0};
}
