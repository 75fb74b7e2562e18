// Whether triangles given for a hull are one.

#include "core/error.h"
#include "shape_data.h"

// How far a corner may stand above the triangle next to it, in sizes of the hull, and the volume be off.
// What is within is convex but for the rounding of its author.
static const double DENT = 1e-4, VOLUME = 1e-3;

static int32_t corner(const pliant_shape_def *def, int32_t at)
{
    return def->triangles[at];
}

static int32_t after(int32_t at)
{
    return at % 3 == 2 ? at - 2 : at + 1;
}

static pliant_result check_edge(const pliant_shape_def *def, const edge_table *edges,
                                const int32_t *place, int32_t at, pliant_error *error)
{
    int32_t a = place[corner(def, at)], b = place[corner(def, after(at))];
    const edge_entry *e = pli_edges_get(edges, a, b);
    if (e->uses == 1)
        return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "triangle", at / 3,
                                "the edge from point %d to %d has no neighbour: a hull is closed",
                                corner(def, at), corner(def, after(at)));
    if (e->uses > 2)
        return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "triangle", at / 3,
                                "the edge from point %d to %d is one of %d triangles",
                                corner(def, at), corner(def, after(at)), e->uses);
    int32_t other = e->first == at ? e->second : e->first;
    if (place[corner(def, other)] == a)
        return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "triangle", at / 3,
                                "wound against its neighbour, triangle %d", other / 3);
    return PLIANT_OK;
}

// Six times the volume.
static double volume_of(const vec3 *points, const int32_t *triangles, int count, dvec3 about)
{
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)count; ++i) {
        const int32_t *t = triangles + 3 * i;
        dvec3 a = dvec3_sub(dvec3_of(points[t[0]]), about);
        dvec3 b = dvec3_sub(dvec3_of(points[t[1]]), about);
        dvec3 c = dvec3_sub(dvec3_of(points[t[2]]), about);
        sum += dvec3_dot(a, dvec3_cross(b, c));
    }
    return sum;
}

// Local convexity does not forbid several bodies, nor one that winds around itself twice. But only the
// hull has the volume of the hull.
static pliant_result check_convex(const pliant_shape_def *def, const shape_surface *hull,
                                  const edge_table *edges, const int32_t *place,
                                  pliant_error *error)
{
    dvec3 about = dvec3_of(hull->points[0]);
    double size = 0.0;
    for (int i = 0; i < hull->point_count; ++i)
        size = greatest(size, dvec3_length(dvec3_sub(dvec3_of(hull->points[i]), about)));
    double whole = volume_of(hull->points, hull->triangles, hull->triangle_count, about);
    double given = volume_of(def->points, def->triangles, def->triangle_count, about);
    if (given < 0.0)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "triangles",
                             "wound clockwise seen from outside");
    for (int32_t at = 0; at < 3 * def->triangle_count; ++at) {
        const int32_t *t = def->triangles + at / 3 * 3;
        dvec3 a = dvec3_of(def->points[t[0]]);
        dvec3 n = dvec3_cross(dvec3_sub(dvec3_of(def->points[t[1]]), a),
                              dvec3_sub(dvec3_of(def->points[t[2]]), a));
        const edge_entry *e =
            pli_edges_get(edges, place[corner(def, at)], place[corner(def, after(at))]);
        int32_t other = e->first == at ? e->second : e->first;
        int32_t opposite = corner(def, after(after(other)));
        double height = dvec3_dot(n, dvec3_sub(dvec3_of(def->points[opposite]), a));
        // Of a thin triangle the plane is not well known: its area bounds the height, too.
        if (height > DENT * size * size * greatest(dvec3_length(n) / size, DENT * size))
            return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "triangle", at / 3,
                                    "not convex: point %d lies above it", opposite);
    }
    if (magnitude(given - whole) > VOLUME * whole)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "triangles",
                             "not convex: they enclose %.4g of the volume of the hull",
                             given / whole);
    return PLIANT_OK;
}

pliant_result pli_hull_check(const pliant_shape_def *def, const shape_surface *hull,
                             const pliant_allocator *allocator, pliant_error *error)
{
    edge_table edges = {0};
    int32_t *place = pli_memory_new(allocator, (size_t)def->point_count, sizeof *place);
    pliant_result result = PLIANT_OK;
    if (!place || !pli_points_weld(def->points, def->point_count, place, allocator) ||
        !pli_edges_find(&edges, def->triangles, def->triangle_count, place, allocator))
        result = pli_error_memory(error);
    for (int32_t at = 0; at < 3 * def->triangle_count && !result; ++at)
        result = check_edge(def, &edges, place, at, error);
    if (!result)
        result = check_convex(def, hull, &edges, place, error);
    pli_memory_free(allocator, edges.entries);
    pli_memory_free(allocator, place);
    return result;
}
