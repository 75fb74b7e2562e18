// Ear clipping in the polygon's plane (Meisters, "Polygons have ears", 1975). Whether a corner is an ear
// changes when a neighbour is cut off and otherwise only where the polygon touches itself, so that each cut
// looks at two corners again and all of them together take O(n²).

#include "mesh/polygon.h"

#include "math/scalar.h"

#include <math.h>

#define MOST_SEARCHES 16

typedef struct point2 {
    double x, y;
} point2;

typedef struct corner_ring {
    int searches_left; // for ears that are not known, in O(n²) each
    int left;          // corners not yet cut off
    int32_t next[POLYGON_MOST_CORNERS], previous[POLYGON_MOST_CORNERS]; // among those left
    point2 points[POLYGON_MOST_CORNERS];
    bool is_ear[POLYGON_MOST_CORNERS];
} corner_ring;

// Newell's normal: twice the area vector, for polygons of any shape.
static void area_vector(const pliant_vec3 *corners, int32_t count, double normal[3])
{
    normal[0] = normal[1] = normal[2] = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const pliant_vec3 *a = &corners[i], *b = &corners[i + 1 == count ? 0 : i + 1];
        normal[0] += ((double)a->y - b->y) * ((double)a->z + b->z);
        normal[1] += ((double)a->z - b->z) * ((double)a->x + b->x);
        normal[2] += ((double)a->x - b->x) * ((double)a->y + b->y);
    }
}

// Two axes along which the polygon looks largest and turns to the left; false when it has no area.
static bool choose_axes(const pliant_vec3 *corners, int32_t count, int axes[2])
{
    double normal[3];
    area_vector(corners, count, normal);
    int largest = 0;
    for (int i = 1; i < 3; ++i) {
        if (fabs(normal[i]) > fabs(normal[largest]))
            largest = i;
    }
    bool is_turned = normal[largest] < 0.0;
    axes[is_turned] = (largest + 1) % 3;
    axes[!is_turned] = (largest + 2) % 3;
    return normal[largest] != 0.0;
}

static double along(const pliant_vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static point2 project(const pliant_vec3 *corner, const int axes[2])
{
    return (point2){along(corner, axes[0]), along(corner, axes[1])};
}

// Twice the area of a triangle, positive when it turns to the left.
static double turn(point2 a, point2 b, point2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool is_convex(const pliant_vec3 *corners, int32_t count, const int axes[2])
{
    point2 a = project(&corners[count - 2], axes), b = project(&corners[count - 1], axes);
    for (int32_t i = 0; i < count; ++i) {
        point2 c = project(&corners[i], axes);
        if (turn(a, b, c) < 0.0)
            return false;
        a = b;
        b = c;
    }
    return true;
}

static bool is_same(point2 a, point2 b)
{
    return a.x == b.x && a.y == b.y;
}

// In the triangle or on its border, but not at one of its corners: a polygon that touches itself there
// has its other side elsewhere.
static bool is_in_the_way(point2 p, point2 a, point2 b, point2 c)
{
    return turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0 && !is_same(p, a) &&
           !is_same(p, b) && !is_same(p, c);
}

static bool find_ear(const corner_ring *ring, int32_t corner)
{
    int32_t before = ring->previous[corner], after = ring->next[corner];
    point2 a = ring->points[before], b = ring->points[corner], c = ring->points[after];
    if (turn(a, b, c) <= 0.0)
        return false;
    for (int32_t i = ring->next[after]; i != before; i = ring->next[i]) {
        if (is_in_the_way(ring->points[i], a, b, c))
            return false;
    }
    return true;
}

static double turn_at(const corner_ring *ring, int32_t corner)
{
    return turn(ring->points[ring->previous[corner]], ring->points[corner],
                ring->points[ring->next[corner]]);
}

typedef bool corner_test(corner_ring *ring, int32_t corner);

static bool is_known_ear(corner_ring *ring, int32_t corner)
{
    return ring->is_ear[corner];
}

static bool is_straight(corner_ring *ring, int32_t corner)
{
    return turn_at(ring, corner) == 0.0;
}

static bool is_ear_after_all(corner_ring *ring, int32_t corner)
{
    ring->is_ear[corner] = find_ear(ring, corner);
    return ring->is_ear[corner];
}

static bool turns_rightly(corner_ring *ring, int32_t corner)
{
    return turn_at(ring, corner) > 0.0;
}

// The first from `corner` on, or -1.
static int32_t find_corner(corner_ring *ring, int32_t corner, corner_test *is_wanted)
{
    for (int32_t i = corner, left = ring->left; left > 0; --left, i = ring->next[i]) {
        if (is_wanted(ring, i))
            return i;
    }
    return -1;
}

// The next to cut off: an ear. Where none is known, a corner without area, whose cut changes nothing; then
// one that has become an ear since a corner that only touched it is gone. Polygons that cross themselves may have
// neither.
static int32_t choose_corner(corner_ring *ring, int32_t corner)
{
    int32_t chosen = find_corner(ring, corner, is_known_ear);
    if (chosen < 0)
        chosen = find_corner(ring, corner, is_straight);
    if (chosen < 0 && ring->searches_left > 0) {
        --ring->searches_left;
        chosen = find_corner(ring, corner, is_ear_after_all);
    }
    if (chosen < 0)
        chosen = find_corner(ring, corner, turns_rightly);
    return chosen < 0 ? corner : chosen;
}

static void fill_ring(corner_ring *ring, const pliant_vec3 *corners, int32_t count,
                      const int axes[2])
{
    ring->searches_left = MOST_SEARCHES;
    ring->left = count;
    for (int32_t i = 0; i < count; ++i) {
        ring->next[i] = i + 1 == count ? 0 : i + 1;
        ring->previous[i] = i == 0 ? count - 1 : i - 1;
        ring->points[i] = project(&corners[i], axes);
    }
    for (int32_t i = 0; i < count; ++i)
        ring->is_ear[i] = find_ear(ring, i);
}

static void clip_ears(corner_ring *ring, int32_t (*triangles)[3])
{
    int32_t corner = 0;
    for (; ring->left > 3; --ring->left) {
        corner = choose_corner(ring, corner);
        int32_t before = ring->previous[corner], after = ring->next[corner];
        int32_t triangle[3] = {before, corner, after};
        for (int i = 0; i < 3; ++i)
            (*triangles)[i] = triangle[i];
        ++triangles;
        ring->next[before] = after;
        ring->previous[after] = before;
        ring->is_ear[before] = find_ear(ring, before);
        ring->is_ear[after] = find_ear(ring, after);
        corner = after;
    }
    (*triangles)[0] = ring->previous[corner];
    (*triangles)[1] = corner;
    (*triangles)[2] = ring->next[corner];
}

bool pli_polygon_cut(const pliant_vec3 *corners, int32_t count, int32_t (*triangles)[3])
{
    int axes[2];
    bool is_simple =
        count == 3 || !choose_axes(corners, count, axes) || is_convex(corners, count, axes);
    if (!is_simple && count <= POLYGON_MOST_CORNERS) {
        corner_ring ring;
        fill_ring(&ring, corners, count, axes);
        clip_ears(&ring, triangles);
        return true;
    }
    for (int32_t i = 0; i + 2 < count; ++i) {
        triangles[i][0] = 0;
        triangles[i][1] = i + 1;
        triangles[i][2] = i + 2;
    }
    return is_simple;
}
