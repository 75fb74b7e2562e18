// Walks down the tree, nearer boxes first. Distances are doubles: what decides is the geometry, not its
// rounding.

#include "mesh/surface_search.h"

#include <math.h>

typedef struct dvec3 {
    double x, y, z;
} dvec3;

static dvec3 widen(vec3 v)
{
    return (dvec3){v.x, v.y, v.z};
}

static dvec3 subtract(dvec3 a, dvec3 b)
{
    return (dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static dvec3 add_scaled(dvec3 a, dvec3 b, double s)
{
    return (dvec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(dvec3 a, dvec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

bool pli_surface_search_open(surface_search *search, const pliant_mesh *mesh)
{
    pliant_allocator heap = pli_allocator_or_default(NULL);
    *search = (surface_search){0};
    if (mesh->triangle_count > 0 && !pli_bvh_build(&search->tree, mesh->positions, mesh->triangles,
                                                   mesh->triangle_count, &heap))
        return false;
    search->mesh = mesh;
    return true;
}

void pli_surface_search_close(surface_search *search)
{
    pliant_allocator heap = pli_allocator_or_default(NULL);
    pli_bvh_free(&search->tree, &heap);
    search->mesh = NULL;
}

// ---------------------------------------------------------------------------------------------
// Distances

static dvec3 closest_on_segment(dvec3 a, dvec3 b, dvec3 p)
{
    dvec3 ab = subtract(b, a);
    double along = dot(subtract(p, a), ab), length2 = dot(ab, ab);
    if (!(along > 0.0))
        return a;
    return along >= length2 ? b : add_scaled(a, ab, along / length2);
}

// Over the inside when all three of the foot's areas are positive, else the best of the sides. Triangles
// without area have sides only.
static dvec3 closest_on_triangle(const dvec3 corners[3], dvec3 p, double *distance2)
{
    dvec3 ab = subtract(corners[1], corners[0]), ac = subtract(corners[2], corners[0]);
    dvec3 ap = subtract(p, corners[0]);
    double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
    double pb = dot(ap, ab), pc = dot(ap, ac);
    double area = bb * cc - bc * bc, v = pb * cc - pc * bc, w = pc * bb - pb * bc;
    if (v >= 0.0 && w >= 0.0 && v + w <= area && area > 1e-12 * bb * cc) {
        dvec3 foot = add_scaled(add_scaled(corners[0], ab, v / area), ac, w / area);
        dvec3 d = subtract(p, foot);
        *distance2 = dot(d, d);
        return foot;
    }
    dvec3 best = corners[0];
    *distance2 = 1e300;
    for (int k = 0; k < 3; ++k) {
        dvec3 x = closest_on_segment(corners[k], corners[(k + 1) % 3], p);
        dvec3 d = subtract(p, x);
        if (dot(d, d) < *distance2) {
            *distance2 = dot(d, d);
            best = x;
        }
    }
    return best;
}

static surface_point closest(const pliant_mesh *mesh, int32_t triangle, dvec3 p)
{
    dvec3 corners[3];
    for (int k = 0; k < 3; ++k)
        corners[k] = widen(mesh->positions[mesh->triangles[3 * (size_t)triangle + (size_t)k]]);
    surface_point found = {.triangle = triangle};
    dvec3 x = closest_on_triangle(corners, p, &found.distance2);
    found.position = (vec3){(float)x.x, (float)x.y, (float)x.z};
    return found;
}

static double outside(double low, double high, double x)
{
    return x < low ? low - x : x > high ? x - high : 0.0;
}

static double box_distance2(const bvh_node *node, dvec3 p)
{
    double x = outside(node->low.x, node->high.x, p.x);
    double y = outside(node->low.y, node->high.y, p.y);
    double z = outside(node->low.z, node->high.z, p.z);
    return x * x + y * y + z * z;
}

// ---------------------------------------------------------------------------------------------
// Searches

surface_point pli_surface_nearest(const surface_search *search, vec3 position)
{
    surface_point best = {.triangle = -1, .distance2 = 1e300};
    dvec3 p = widen(position);
    int32_t stack[BVH_DEPTH + 1];
    int waiting = search->tree.nodes ? 1 : 0;
    stack[0] = 0;
    while (waiting > 0) {
        const bvh_node *node = &search->tree.nodes[stack[--waiting]];
        if (box_distance2(node, p) > best.distance2)
            continue;
        for (int32_t i = 0; i < node->count; ++i) {
            surface_point one = closest(search->mesh, search->tree.order[node->first + i], p);
            bool first = one.distance2 == best.distance2 && one.triangle < best.triangle;
            if (one.distance2 < best.distance2 || first)
                best = one;
        }
        if (node->count > 0)
            continue;
        const bvh_node *children = &search->tree.nodes[node->first];
        bool left_first = box_distance2(&children[0], p) <= box_distance2(&children[1], p);
        stack[waiting++] = node->first + left_first;
        stack[waiting++] = node->first + !left_first;
    }
    return best;
}

// Twice the area, along the normal.
static dvec3 double_area(const pliant_mesh *mesh, int32_t triangle)
{
    const int32_t *corners = &mesh->triangles[3 * (size_t)triangle];
    dvec3 a = widen(mesh->positions[corners[0]]);
    dvec3 u = subtract(widen(mesh->positions[corners[1]]), a);
    dvec3 v = subtract(widen(mesh->positions[corners[2]]), a);
    return (dvec3){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

// Of unit length, or zero for one that is no longer than `shortest`.
static vec3 direction(dvec3 v, double shortest)
{
    double length = sqrt(dot(v, v));
    if (!(length > shortest))
        return (vec3){0, 0, 0};
    return (vec3){(float)(v.x / length), (float)(v.y / length), (float)(v.z / length)};
}

vec3 pli_surface_normal(const pliant_mesh *mesh, int32_t triangle)
{
    return direction(double_area(mesh, triangle), 0.0);
}

// At most as much of a triangle lies within the radius as of its plane: a large one that is only touched does
// not outvote small ones all around.
static double area_within(double area, double distance2, double radius2)
{
    double disk = 3.14159265358979 * (radius2 - distance2);
    return disk < area ? disk : area;
}

typedef struct mean {
    dvec3 sum;
    double weight;
} mean;

static void add_triangle(mean *m, const surface_search *search, int32_t triangle, dvec3 p,
                         double radius2)
{
    surface_point near = closest(search->mesh, triangle, p);
    if (near.distance2 >= radius2)
        return;
    dvec3 area2 = double_area(search->mesh, triangle);
    double length = sqrt(dot(area2, area2));
    if (!(length > 0.0))
        return;
    double weight = area_within(0.5 * length, near.distance2, radius2);
    m->sum = add_scaled(m->sum, area2, weight / length);
    m->weight += weight;
}

vec3 pli_surface_mean_normal(const surface_search *search, vec3 position, float radius)
{
    mean m = {0};
    dvec3 p = widen(position);
    double radius2 = (double)radius * (double)radius;
    int32_t stack[BVH_DEPTH + 1];
    int waiting = search->tree.nodes ? 1 : 0;
    stack[0] = 0;
    while (waiting > 0) {
        const bvh_node *node = &search->tree.nodes[stack[--waiting]];
        if (box_distance2(node, p) >= radius2)
            continue;
        for (int32_t i = 0; i < node->count; ++i)
            add_triangle(&m, search, search->tree.order[node->first + i], p, radius2);
        if (node->count == 0) {
            stack[waiting++] = node->first + 1;
            stack[waiting++] = node->first;
        }
    }
    return direction(m.sum, 1e-3 * m.weight);
}
