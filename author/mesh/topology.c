// Welding by position, the triangles around each point, and pieces.

#include "mesh/topology.h"

#include <stdlib.h>
#include <string.h>

// -0 and 0 are one place.
static vec3 without_negative_zero(vec3 x)
{
    return (vec3){x.x + 0.0f, x.y + 0.0f, x.z + 0.0f};
}

static uint32_t hash_position(vec3 x)
{
    uint32_t bits[3];
    memcpy(bits, &x, sizeof bits);
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 3; ++i) {
        hash = (hash ^ bits[i]) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

// Points in the order of their first vertex.
static bool weld(topology *t, const pliant_mesh *mesh)
{
    size_t capacity = 16;
    while (capacity < 2 * (size_t)mesh->vertex_count)
        capacity *= 2;
    int32_t *table = malloc(capacity * sizeof *table);
    if (!table)
        return false;
    memset(table, 0xff, capacity * sizeof *table);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        vec3 x = without_negative_zero(mesh->positions[v]);
        size_t slot = hash_position(x) & (capacity - 1);
        while (table[slot] >= 0 && memcmp(&t->points[table[slot]], &x, sizeof x) != 0)
            slot = (slot + 1) & (capacity - 1);
        if (table[slot] < 0) {
            table[slot] = t->point_count;
            t->points[t->point_count++] = x;
        }
        t->point_of_vertex[v] = table[slot];
    }
    free(table);
    return true;
}

// A triangle that names a point twice is listed once around it.
static bool is_repeated(const int32_t *corners, int k)
{
    for (int i = 0; i < k; ++i)
        if (corners[i] == corners[k])
            return true;
    return false;
}

static void list_around(topology *t)
{
    for (int32_t i = 0; i < t->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            if (!is_repeated(t->triangles + 3 * i, k))
                ++t->first_around[t->triangles[3 * i + k]];
    for (int32_t p = 1; p <= t->point_count; ++p)
        t->first_around[p] += t->first_around[p - 1];
    // Each entry is the end of its list now; filling from the back leaves it at the start.
    for (int32_t i = t->triangle_count - 1; i >= 0; --i)
        for (int k = 0; k < 3; ++k)
            if (!is_repeated(t->triangles + 3 * i, k))
                t->around[--t->first_around[t->triangles[3 * i + k]]] = i;
}

static int32_t find_root(int32_t *parents, int32_t p)
{
    while (parents[p] != p) {
        parents[p] = parents[parents[p]];
        p = parents[p];
    }
    return p;
}

static bool find_pieces(topology *t)
{
    int32_t *parents = malloc(((size_t)t->point_count + 1) * sizeof *parents);
    int32_t *numbers = malloc(((size_t)t->point_count + 1) * sizeof *numbers);
    if (!parents || !numbers) {
        free(parents);
        free(numbers);
        return false;
    }
    for (int32_t p = 0; p < t->point_count; ++p) {
        parents[p] = p;
        numbers[p] = -1;
    }
    for (int32_t i = 0; i < t->triangle_count; ++i) {
        for (int k = 1; k < 3; ++k) {
            int32_t a = find_root(parents, t->triangles[3 * i]);
            int32_t b = find_root(parents, t->triangles[3 * i + k]);
            parents[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int lonely = 0; lonely < 2; ++lonely) {
        for (int32_t p = 0; p < t->point_count; ++p) {
            if ((t->first_around[p] == t->first_around[p + 1]) != lonely)
                continue;
            int32_t root = find_root(parents, p);
            if (numbers[root] < 0)
                numbers[root] = t->piece_count++;
            t->piece_of_point[p] = numbers[root];
        }
    }
    free(parents);
    free(numbers);
    return true;
}

topology *pli_topology_create(const pliant_mesh *mesh)
{
    topology *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    size_t vertices = (size_t)mesh->vertex_count + 1,
           corners = 3 * (size_t)mesh->triangle_count + 1;
    t->triangle_count = mesh->triangle_count;
    t->points = calloc(vertices, sizeof *t->points);
    t->point_of_vertex = calloc(vertices, sizeof *t->point_of_vertex);
    t->triangles = calloc(corners, sizeof *t->triangles);
    t->first_around = calloc(vertices + 1, sizeof *t->first_around);
    t->around = calloc(corners, sizeof *t->around);
    t->piece_of_point = calloc(vertices, sizeof *t->piece_of_point);
    bool ok = t->points && t->point_of_vertex && t->triangles && t->first_around && t->around &&
              t->piece_of_point && weld(t, mesh);
    if (ok) {
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i)
            t->triangles[i] = t->point_of_vertex[mesh->triangles[i]];
        list_around(t);
        pliant_allocator allocator = pli_allocator_or_default(NULL);
        ok = find_pieces(t) &&
             (t->triangle_count == 0 ||
              pli_bvh_build(&t->tree, t->points, t->triangles, t->triangle_count, &allocator));
    }
    if (!ok) {
        pli_topology_destroy(t);
        return NULL;
    }
    return t;
}

void pli_topology_destroy(topology *t)
{
    if (!t)
        return;
    pliant_allocator allocator = pli_allocator_or_default(NULL);
    pli_bvh_free(&t->tree, &allocator);
    free(t->points);
    free(t->point_of_vertex);
    free(t->triangles);
    free(t->first_around);
    free(t->around);
    free(t->piece_of_point);
    free(t);
}

int32_t pliant_mesh_piece_count(const pliant_mesh *mesh)
{
    topology *t = pli_topology_create(mesh);
    if (!t)
        return -1;
    int32_t count = 0; // those without triangles are behind the others
    for (int32_t i = 0; i < 3 * t->triangle_count; ++i) {
        int32_t piece = t->piece_of_point[t->triangles[i]];
        count = piece >= count ? piece + 1 : count;
    }
    pli_topology_destroy(t);
    return count;
}
