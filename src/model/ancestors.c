// Which particles of one model are at the place of a particle of another one.
//
// A particle inherits from the nearest one and from those linked with it, weighted by 1/distance⁴: what is near in space but not
// along links, as the next tentacle, has no part in it. Who stands where another one stood inherits from that one alone.

#include "ancestors.h"

#include "core/memory.h"

#include <float.h>
#include <stdlib.h>

// Of the distance between neighbours: nearer than this is the same place.
static const float SAME_PLACE = 1e-3f;

typedef struct ordered_place {
    vec3 place;
    int32_t particle;
} ordered_place;

struct ancestors {
    const pliant_model *model;
    const pliant_allocator *allocator;
    ordered_place *places; // by x
    int32_t *link_start;   // per particle, and the end
    int32_t *links;
};

static int by_x(const void *left, const void *right)
{
    const ordered_place *a = left, *b = right;
    if (a->place.x != b->place.x)
        return a->place.x < b->place.x ? -1 : 1;
    return a->particle < b->particle ? -1 : a->particle > b->particle;
}

static void order_places(ancestors *of)
{
    int count = of->model->source.particle_count;
    for (int k = 0; k < count; ++k)
        of->places[k] = (ordered_place){of->model->source.particles[k].position, k};
    qsort(of->places, (size_t)count, sizeof *of->places, by_x);
}

// Counts the links of each particle, then puts them behind each other.
static void collect_links(ancestors *of)
{
    const elements *source = &of->model->source;
    for (int i = 0; i < source->edge_count; ++i)
        if (!source->edges[i].unlinked) {
            of->link_start[source->edges[i].a] += 1;
            of->link_start[source->edges[i].b] += 1;
        }
    for (int k = 0; k < source->particle_count; ++k)
        of->link_start[k + 1] += of->link_start[k];
    for (int i = source->edge_count - 1; i >= 0; --i)
        if (!source->edges[i].unlinked) {
            of->links[--of->link_start[source->edges[i].a]] = source->edges[i].b;
            of->links[--of->link_start[source->edges[i].b]] = source->edges[i].a;
        }
}

ancestors *pli_ancestors_create(const pliant_model *model, const pliant_allocator *allocator)
{
    ancestors *of = pli_memory_new(allocator, 1, sizeof *of);
    if (!of)
        return NULL;
    size_t particles = (size_t)model->source.particle_count;
    of->model = model;
    of->allocator = allocator;
    of->places = pli_memory_new(allocator, particles, sizeof *of->places);
    of->link_start = pli_memory_new(allocator, particles + 1, sizeof *of->link_start);
    of->links = pli_memory_new(allocator, 2 * (size_t)model->source.edge_count, sizeof *of->links);
    if (!of->places || !of->link_start || !of->links) {
        pli_ancestors_destroy(of);
        return NULL;
    }
    order_places(of);
    collect_links(of);
    return of;
}

void pli_ancestors_destroy(ancestors *of)
{
    if (!of)
        return;
    pli_memory_free(of->allocator, of->places);
    pli_memory_free(of->allocator, of->link_start);
    pli_memory_free(of->allocator, of->links);
    pli_memory_free(of->allocator, of);
}

// The first place that is not below x.
static int lower_bound(const ancestors *of, float x)
{
    int low = 0, high = of->model->source.particle_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (of->places[middle].place.x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct nearest_place {
    float distance2;
    int32_t particle;
} nearest_place;

// False when all further ones in this direction are too far away by x alone.
static bool look_at(const ordered_place *at, vec3 place, nearest_place *nearest)
{
    vec3 d = vec3_sub(at->place, place);
    float distance2 = vec3_dot(d, d);
    if (d.x * d.x > nearest->distance2)
        return false;
    if (distance2 < nearest->distance2 ||
        (distance2 == nearest->distance2 && at->particle < nearest->particle))
        *nearest = (nearest_place){distance2, at->particle};
    return true;
}

int32_t pli_nearest_ancestor(const ancestors *of, vec3 place)
{
    int count = of->model->source.particle_count, right = lower_bound(of, place.x),
        left = right - 1;
    nearest_place nearest = {FLT_MAX, INT32_MAX};
    while (left >= 0 || right < count) {
        if (left >= 0 && !look_at(&of->places[left--], place, &nearest))
            left = -1;
        if (right < count && !look_at(&of->places[right++], place, &nearest))
            right = count;
    }
    return nearest.particle;
}

static float distance2_to(const ancestors *of, int32_t particle, vec3 place)
{
    vec3 d = vec3_sub(of->model->source.particles[particle].position, place);
    return vec3_dot(d, d);
}

ancestry pli_ancestry_of(const ancestors *of, vec3 place)
{
    int32_t nearest = pli_nearest_ancestor(of, place);
    vec3 there = of->model->source.particles[nearest].position;
    float near2 = distance2_to(of, nearest, place), spacing2 = FLT_MAX, sum = 1.0f;
    ancestry out = {.particles = {nearest}, .weights = {1.0f}, .count = 1};
    for (int k = of->link_start[nearest]; k < of->link_start[nearest + 1]; ++k)
        spacing2 = minimum(spacing2, distance2_to(of, of->links[k], there));
    if (near2 <= SAME_PLACE * SAME_PLACE * spacing2)
        return out;
    for (int k = of->link_start[nearest]; k < of->link_start[nearest + 1]; ++k) {
        if (out.count == MOST_ANCESTORS)
            break;
        float part = near2 / distance2_to(of, of->links[k], place);
        out.particles[out.count] = of->links[k];
        out.weights[out.count++] = part * part;
        sum += part * part;
    }
    for (int k = 0; k < out.count; ++k)
        out.weights[k] /= sum;
    return out;
}
