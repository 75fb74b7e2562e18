// Skin links. Each vertex goes with the particles nearest to it, where near means straight as well as along the
// object, with the weight (1 - (d / D)²)² for the distance d and D that of the nearest particle left out, or REACH
// when that is less: it has vanished, with its slope, when another takes the particle's place or none does.

#include "core/error.h"
#include "draft/tools.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_NEAR = 16 };

// In spacings. Ways along the object count as less than they are: along cells they are up to a quarter longer than
// straight, and around a limb too thin for inner cells somewhat more.
#define REACH  1.5f
#define DETOUR 0.25f
#define LONGER 1.25f

pliant_bind_def pliant_default_bind_def(void)
{
    return (pliant_bind_def){.links = PLIANT_MAX_LINKS};
}

typedef struct binding {
    pliant_draft *draft;
    unsigned char *particles, *vertices; // selected ones
    int32_t *nodes;                      // of the particles
    near_lists near;
    matter_search nearest; // particle of each node
    float spacing;
    int links;
} binding;

static float way_through(const binding *b, vec3 x, int32_t node, float distance)
{
    return distance + vec3_length(vec3_sub(x, b->draft->matter->nodes[node].centre));
}

// Along the object from x, in `node`, by whichever node around is on the way: it does not jump where x comes to
// another node.
static float way_to(const binding *b, vec3 x, int32_t node, near_entry entry)
{
    const matter *m = b->draft->matter;
    float least = way_through(b, x, node, entry.distance);
    for (int32_t k = m->first_link[node]; k < m->first_link[node + 1]; ++k) {
        int32_t other = m->link_nodes[k];
        const near_entry *entries = b->near.entries + (size_t)other * MOST_NEAR;
        for (int32_t i = 0; i < b->near.counts[other]; ++i)
            if (entries[i].particle == entry.particle)
                least = minimum(least, way_through(b, x, other, entries[i].distance));
    }
    return least;
}

static float shortened(const binding *b, float way)
{
    return (way - DETOUR * b->spacing) / LONGER;
}

// Straight, unless the way along the object is much longer: then what is beside the vertex is not of its part.
static float link_distance(const binding *b, vec3 x, int32_t node, near_entry entry)
{
    float straight = vec3_length(vec3_sub(x, b->draft->particles[entry.particle].position));
    if (shortened(b, way_through(b, x, node, entry.distance)) <= straight)
        return straight;
    return maximum(straight, shortened(b, way_to(b, x, node, entry)));
}

// For a vertex no particle is near to: the one that is least far along the object, or straight in a piece
// that has none.
static int32_t fallback_particle(const binding *b, vec3 x, int32_t node)
{
    if (b->nearest.distances[node] < INFINITY)
        return b->nearest.sources[node];
    int32_t best = -1;
    float best2 = INFINITY;
    for (int i = 0; i < b->draft->particle_count; ++i) {
        vec3 d = vec3_sub(b->draft->particles[i].position, x);
        if (b->particles[i] && (best < 0 || vec3_dot(d, d) < best2)) {
            best2 = vec3_dot(d, d);
            best = i;
        }
    }
    return best;
}

// The nearest particles, one more than links, sorted; returns how many.
static int choose_nearest(const binding *b, vec3 x, int32_t node, near_entry chosen[])
{
    int count = 0;
    const near_entry *entries = b->near.entries + (size_t)node * MOST_NEAR;
    for (int32_t i = 0; i < b->near.counts[node]; ++i) {
        near_entry entry = {entries[i].particle, link_distance(b, x, node, entries[i])};
        int k = count < b->links + 1 ? count++ : b->links + 1;
        for (; k > 0 && (entry.distance < chosen[k - 1].distance ||
                         (entry.distance == chosen[k - 1].distance &&
                          entry.particle < chosen[k - 1].particle));
             --k)
            chosen[k] = chosen[k - 1];
        chosen[k] = entry;
    }
    return count;
}

static draft_links bind_vertex(const binding *b, vec3 x, int32_t node)
{
    draft_links links = {{0}, {0}};
    near_entry chosen[PLIANT_MAX_LINKS + 2];
    int count = choose_nearest(b, x, node, chosen);
    if (count == 0) {
        links.particles[0] = fallback_particle(b, x, node);
        links.weights[0] = 1.0f;
        return links;
    }
    int used = count > b->links ? b->links : count;
    float edge = REACH * b->spacing;
    edge = count > b->links ? minimum(edge, chosen[b->links].distance) : edge;
    float sum = 0.0f;
    for (int i = 0; i < used; ++i) {
        float part = minimum(chosen[i].distance / edge, 1.0f);
        links.weights[i] = (1.0f - part * part) * (1.0f - part * part);
        sum += links.weights[i];
    }
    if (!(sum > 0.0f)) // none is within reach, or more than can be linked are equally near
        links.weights[0] = sum = 1.0f;
    for (int i = 0; i < used; ++i) {
        links.weights[i] /= sum;
        links.particles[i] = links.weights[i] > 0.0f ? chosen[i].particle : 0;
    }
    return links;
}

static int compare_distances(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

// How far the particles are apart: half of them have a neighbour that near along the object. It is no less than the
// draft's spacing, of which thin parts may have more.
static bool measure_spacing(binding *b)
{
    const matter *m = b->draft->matter;
    const matter_search *s = &b->nearest;
    int count = b->draft->particle_count, known = 0;
    float *nearest = malloc(((size_t)count + 1) * sizeof *nearest);
    if (!nearest)
        return false;
    for (int i = 0; i < count; ++i)
        nearest[i] = INFINITY;
    for (int32_t k = 0; k < s->reached_count; ++k) {
        int32_t n = s->reached[k];
        for (int32_t l = m->first_link[n]; l < m->first_link[n + 1]; ++l) {
            int32_t other = m->link_nodes[l], owner = s->sources[n];
            float way = s->distances[n] + m->link_lengths[l] + s->distances[other];
            if (s->sources[other] != owner)
                nearest[owner] = minimum(nearest[owner], way);
        }
    }
    for (int i = 0; i < count; ++i)
        if (nearest[i] < INFINITY)
            nearest[known++] = nearest[i];
    qsort(nearest, (size_t)known, sizeof *nearest, compare_distances);
    // Ways along nodes are some tenth longer than straight ones.
    b->spacing = maximum(b->draft->spacing, known > 0 ? 0.9f * nearest[known / 2] : 0.0f);
    free(nearest);
    return true;
}

static pliant_result run_bind(binding *b, pliant_error *error)
{
    pliant_draft *draft = b->draft;
    const matter *m = draft->matter;
    draft_progress *progress = draft->progress;
    progress_range all = pli_progress_range(progress);
    b->nodes = pli_draft_nodes(draft, 0, b->particles);
    if (!b->nodes || !pli_matter_search_begin(&b->nearest, m))
        return pli_progress_fail(progress, error);
    b->nearest.progress = progress;
    pli_progress_narrow(progress, all, 0.2f, 0.7f);
    // What is beyond the limit is further than REACH by any account.
    if (!pli_matter_search_run(&b->nearest, b->nodes, draft->particle_count, INFINITY) ||
        !measure_spacing(b) ||
        !pli_near_create(&b->near, m, b->nodes, draft->particle_count,
                         (LONGER * REACH + DETOUR) * b->spacing + m->grid.size, MOST_NEAR,
                         progress))
        return pli_progress_fail(progress, error);
    pli_progress_narrow(progress, all, 0.7f, 1.0f);
    for (int32_t v = 0; v < draft->mesh->vertex_count; ++v) {
        if (!progress_goes_on(progress, v, draft->mesh->vertex_count))
            return pli_progress_fail(progress, error);
        if (!b->vertices[v])
            continue;
        int32_t node = m->node_of_point[draft->topology->point_of_vertex[v]];
        draft->links[v] = bind_vertex(b, draft->mesh->positions[v], node);
    }
    return PLIANT_OK;
}

static pliant_result check_particles(const binding *b, pliant_error *error)
{
    for (int i = 0; i < b->draft->particle_count; ++i)
        if (b->particles[i])
            return PLIANT_OK;
    return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "particles",
                         "there is none to bind vertices to");
}

pliant_result pliant_draft_bind(pliant_draft *draft, const pliant_bind_def *def,
                                pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    if (def->links < 1 || def->links > PLIANT_MAX_LINKS)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "links",
                             "expected a number from 1 to %d", PLIANT_MAX_LINKS);
    binding b = {.draft = draft, .links = def->links};
    draft_tool tool;
    if (pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK)
        return error->code;
    b.vertices = pli_selection_mask(def->vertices, draft->mesh->vertex_count, "vertices", error);
    b.particles =
        b.vertices ? pli_selection_mask(def->particles, draft->particle_count, "particles", error)
                   : NULL;
    pliant_result result = PLIANT_OK;
    if (!b.particles || check_particles(&b, error) != PLIANT_OK ||
        pli_draft_guess_scale(draft, error) != PLIANT_OK || !pli_draft_matter(draft, error))
        result = error->code;
    else
        result = run_bind(&b, error);
    pli_near_release(&b.near);
    pli_matter_search_end(&b.nearest);
    free(b.nodes);
    free(b.vertices);
    free(b.particles);
    return pli_draft_end_tool(draft, &tool, result, error);
}

pliant_result pliant_draft_unbind(pliant_draft *draft, const pliant_selection *vertices,
                                  pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    unsigned char *mask =
        pli_selection_mask(vertices, draft->mesh->vertex_count, "vertices", error);
    if (!mask)
        return error->code;
    for (int32_t v = 0; v < draft->mesh->vertex_count; ++v)
        if (mask[v])
            draft->links[v] = (draft_links){{0}, {0}};
    free(mask);
    return PLIANT_OK;
}
