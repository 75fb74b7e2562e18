// The walk from level to level.

#include "slice.h"

#include <stdlib.h>

typedef struct walk {
    slice_net *net;
    const slice_mesh *mesh;
    slice_strip strip;
    int32_t *order; // faces by their lowest corner
    int32_t next;   // of them
    // Faces between the last level and this one, those that this one cuts, and those to be filled, also by
    // part.
    int32_t *active, *cut, *sparse, *sorted;
    int32_t active_count, sparse_count;
    unsigned char *marks; // of faces
    unsigned char *kinds; // of roots in the strip
    int32_t *parts;       // of roots: their number
} walk;

enum { LINES_BELOW = 1, LINES_ABOVE = 2, BOTH_LINES = 3, IS_FLAT = 4 };

static const double FAR = 1e300;

// ---------------------------------------------------------------------------------------------

typedef struct low_face {
    double low;
    int32_t face;
} low_face;

static int compare_low(const void *first, const void *second)
{
    const low_face *a = first, *b = second;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static bool order_faces(walk *w)
{
    size_t count = (size_t)w->mesh->face_count + 1;
    low_face *list = malloc(count * sizeof *list);
    w->order = malloc(count * sizeof *w->order);
    if (!list || !w->order) {
        free(list);
        return false;
    }
    for (int32_t i = 0; i < w->mesh->face_count; ++i)
        list[i] = (low_face){w->mesh->low[i], i};
    qsort(list, (size_t)w->mesh->face_count, sizeof *list, compare_low);
    for (int32_t i = 0; i < w->mesh->face_count; ++i)
        w->order[i] = list[i].face;
    free(list);
    return true;
}

static bool begin_walk(walk *w)
{
    size_t faces = (size_t)w->mesh->face_count + 1, edges = (size_t)w->mesh->edge_count + 1;
    w->active = malloc(faces * sizeof *w->active);
    w->cut = malloc(faces * sizeof *w->cut);
    w->sparse = malloc(faces * sizeof *w->sparse);
    w->sorted = malloc(faces * sizeof *w->sorted);
    w->marks = malloc(faces);
    w->kinds = malloc(edges);
    w->parts = malloc(edges * sizeof *w->parts);
    return w->active && w->cut && w->sparse && w->sorted && w->marks && w->kinds && w->parts &&
           order_faces(w) && pli_slice_strip_begin(&w->strip, w->mesh);
}

static void end_walk(walk *w)
{
    pli_slice_strip_end(&w->strip);
    free(w->order);
    free(w->active);
    free(w->cut);
    free(w->sparse);
    free(w->sorted);
    free(w->marks);
    free(w->kinds);
    free(w->parts);
}

// ---------------------------------------------------------------------------------------------

static void find_active(walk *w, double below, double height)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < w->active_count; ++i)
        if (w->mesh->high[w->active[i]] >= below)
            w->active[kept++] = w->active[i];
    while (w->next < w->mesh->face_count && w->mesh->low[w->order[w->next]] <= height)
        w->active[kept++] = w->order[w->next++];
    w->active_count = kept;
}

// One level, joined with the one below it when there is one.
static bool add_level(walk *w, slice_level *level, slice_level *below, double height)
{
    int32_t cut = 0;
    for (int32_t i = 0; i < w->active_count; ++i)
        if (w->mesh->low[w->active[i]] < height && w->mesh->high[w->active[i]] >= height)
            w->cut[cut++] = w->active[i];
    if (!pli_slice_cut(level, w->mesh, w->cut, cut, height, w->net->spacing, w->marks))
        return false;
    if (below) {
        if (!pli_slice_strip_find(&w->strip, w->mesh, w->net, w->active, w->active_count,
                                  below->height, height))
            return false;
        pli_slice_strip_mark(&w->strip, below);
        pli_slice_strip_mark(&w->strip, level);
        pli_slice_strip_seed(&w->strip, below);
    }
    return pli_slice_place(w->net, w->mesh, level, below, &w->strip) &&
           (!below || pli_slice_join(w->net, below, level));
}

// ---------------------------------------------------------------------------------------------
// Parts between levels

static void mark_roots(walk *w, const slice_level *level, unsigned char kind)
{
    for (int32_t i = 0; level && i < level->line_count; ++i)
        w->kinds[level->lines[i].strip] |= kind;
}

static int32_t root_of(walk *w, int32_t face)
{
    return pli_slice_strip_root(&w->strip, w->mesh, face);
}

// Parts that end here or lie flat somewhere.
static bool is_sparse(unsigned char kind)
{
    int lines = kind & BOTH_LINES;
    return lines != 0 && (lines != BOTH_LINES || (kind & IS_FLAT));
}

static int compare_faces(const void *first, const void *second)
{
    int32_t a = *(const int32_t *)first, b = *(const int32_t *)second;
    return a < b ? -1 : a > b;
}

// Faces of sparse parts in the order of their numbers.
static void find_sparse(walk *w, const slice_level *below, const slice_level *above)
{
    for (int32_t i = 0; i < w->active_count; ++i) {
        w->kinds[root_of(w, w->active[i])] = 0;
        w->parts[root_of(w, w->active[i])] = -1;
    }
    mark_roots(w, below, LINES_BELOW);
    mark_roots(w, above, LINES_ABOVE);
    for (int32_t i = 0; i < w->active_count; ++i)
        if (pli_slice_is_flat(&w->strip, w->mesh, w->net->spacing, w->active[i]))
            w->kinds[root_of(w, w->active[i])] |= IS_FLAT;
    w->sparse_count = 0;
    for (int32_t i = 0; i < w->active_count; ++i)
        if (is_sparse(w->kinds[root_of(w, w->active[i])]))
            w->sparse[w->sparse_count++] = w->active[i];
    if (w->sparse_count > 0)
        qsort(w->sparse, (size_t)w->sparse_count, sizeof *w->sparse, compare_faces);
}

// Sorts the faces by part, parts by their first face: numbers of edges differ between a mesh and its soup.
static slice_part *sort_parts(walk *w, slice_level *below, slice_level *above, int32_t *part_count)
{
    int32_t count = 0, first = 0;
    slice_part *parts = calloc((size_t)w->sparse_count + 1, sizeof *parts);
    if (!parts)
        return NULL;
    for (int32_t i = 0; i < w->sparse_count; ++i) {
        int32_t root = root_of(w, w->sparse[i]);
        if (w->parts[root] < 0) {
            w->parts[root] = count;
            parts[count++] = (slice_part){.root = root,
                                          .levels = {below, above},
                                          .is_open = (w->kinds[root] & BOTH_LINES) != BOTH_LINES};
        }
        ++parts[w->parts[root]].count;
    }
    for (int32_t i = 0; i < count; ++i) {
        parts[i].faces = w->sorted + first;
        first += parts[i].count;
        parts[i].count = 0;
    }
    for (int32_t i = 0; i < w->sparse_count; ++i) {
        slice_part *part = &parts[w->parts[root_of(w, w->sparse[i])]];
        w->sorted[part->faces - w->sorted + part->count++] = w->sparse[i];
    }
    *part_count = count;
    return parts;
}

// The strip between two levels, which has been found and marked in them. One of them may be NULL.
static bool fill_strip(walk *w, slice_level *below, slice_level *above)
{
    find_sparse(w, below, above);
    if (w->sparse_count == 0)
        return true;
    int32_t count = 0;
    slice_part *parts = sort_parts(w, below, above, &count);
    slice_fill fill;
    pli_slice_fill_begin(&fill, w->net);
    bool ok = parts != NULL;
    for (int32_t i = 0; ok && i < count && !pli_slice_is_full(w->net); ++i)
        ok = pli_slice_fill_part(&fill, w->net, w->mesh, &w->strip, &parts[i]);
    pli_slice_fill_end(&fill);
    free(parts);
    return ok;
}

// What is below the first level or above the last.
static bool fill_end(walk *w, slice_level *below, slice_level *above)
{
    double low = below ? below->height : -FAR, high = above ? above->height : FAR;
    slice_level *level = below ? below : above;
    find_active(w, low, high);
    if (!pli_slice_strip_find(&w->strip, w->mesh, w->net, w->active, w->active_count, low, high))
        return false;
    pli_slice_strip_mark(&w->strip, level);
    return fill_strip(w, below, above);
}

bool pli_slice_walk(slice_net *net, const slice_mesh *mesh, const double *heights, int32_t count,
                    draft_progress *progress)
{
    walk w = {.net = net, .mesh = mesh};
    slice_level levels[2] = {{0}};
    bool ok = begin_walk(&w);
    for (int32_t i = 0; ok && i < count && !pli_slice_is_full(net); ++i) {
        slice_level *level = &levels[i % 2], *before = i > 0 ? &levels[(i + 1) % 2] : NULL;
        find_active(&w, before ? before->height : heights[i], heights[i]);
        ok = pli_progress_tell(progress, (float)i / (float)count) &&
             add_level(&w, level, before, heights[i]) &&
             (before ? fill_strip(&w, before, level) : fill_end(&w, NULL, level));
    }
    ok = ok && fill_end(&w, &levels[(count + 1) % 2], NULL);
    pli_slice_level_release(&levels[0]);
    pli_slice_level_release(&levels[1]);
    end_walk(&w);
    return ok;
}
