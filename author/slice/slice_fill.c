// What is far from the levels: the top of a sleeve that is held out, a shoulder, a slanting hem, the flat end
// of a tube. Such a part gets particles of its own, by trying points of it in turn, and is joined across.

#include "slice.h"

#include <stdlib.h>

// All in spacings.
static const double PITCH = 0.25;       // of the points to try
static const double FAR_ENOUGH = 0.95;  // from particles of the same part
static const double CLOSEST = 0.65;     // to others
static const double AROUND = 0.5;       // of which a particle is in the middle
static const double LONGEST_LINK = 1.5; // of a particle with those around it
static const double LONGEST_JOIN = 1.8; // across a ridge
static const double OFF_SURFACE = 0.3;  // the middle of either may be
static const double STEEP = 1.4;        // way between the levels that their particles cover

typedef struct patch {
    slice_fill *fill;
    slice_net *net;
    const slice_mesh *mesh;
    const slice_part *part;
    point3 *points;
    int32_t *faces; // of the points
    int32_t count, point_capacity, face_capacity;
    plane_grid grid;
} patch;

void pli_slice_fill_begin(slice_fill *fill, const slice_net *net)
{
    *fill = (slice_fill){.first_particle = net->particle_count, .grid = {.size = net->spacing}};
}

void pli_slice_fill_end(slice_fill *fill)
{
    free(fill->roots);
    pli_plane_grid_release(&fill->grid);
}

static point2 flat(point3 x)
{
    return (point2){x.x, x.y};
}

static point3 mix3(point3 a, point3 b, double t)
{
    return (point3){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

// ---------------------------------------------------------------------------------------------
// Points to try

static bool add_point(patch *p, point3 x, int32_t face)
{
    int32_t n = p->count;
    if (!pli_slice_grow((void **)&p->points, &p->point_capacity, n + 1, sizeof *p->points) ||
        !pli_slice_grow((void **)&p->faces, &p->face_capacity, n + 1, sizeof *p->faces))
        return false;
    p->points[n] = x;
    p->faces[n] = face;
    ++p->count;
    return pli_plane_grid_add(&p->grid, flat(x), n);
}

static double longest_side(const point3 corners[3])
{
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        double side = length3(sub3(corners[(k + 1) % 3], corners[k]));
        longest = side > longest ? side : longest;
    }
    return longest;
}

static bool add_triangle(patch *p, const point3 corners[3], int32_t face)
{
    double exact = longest_side(corners) / (PITCH * p->net->spacing);
    int32_t steps = (int32_t)exact + 1;
    for (int32_t i = 0; i <= steps; ++i) {
        double s = (double)i / (double)steps;
        point3 a = mix3(corners[0], corners[1], s), b = mix3(corners[0], corners[2], s);
        for (int32_t k = 0; k <= i; ++k)
            if (!add_point(p, mix3(a, b, i > 0 ? (double)k / (double)i : 0.0), face))
                return false;
    }
    return true;
}

enum { MOST_CORNERS = 5 }; // of a triangle between two planes

// The part of a polygon with sign (z - height) >= 0. Returns the number of its corners.
static int clip(point3 corners[MOST_CORNERS], int count, double height, double sign)
{
    point3 kept[MOST_CORNERS];
    int n = 0;
    for (int i = 0; i < count; ++i) {
        point3 a = corners[i], b = corners[(i + 1) % count];
        double above_a = sign * (a.z - height), above_b = sign * (b.z - height);
        if (above_a >= 0.0 && n < MOST_CORNERS)
            kept[n++] = a;
        if ((above_a >= 0.0) != (above_b >= 0.0) && n < MOST_CORNERS)
            kept[n++] = mix3(a, b, above_a / (above_a - above_b));
    }
    for (int i = 0; i < n; ++i)
        corners[i] = kept[i];
    return n;
}

static bool add_points(patch *p, const slice_strip *strip)
{
    for (int32_t i = 0; i < p->part->count; ++i) {
        int32_t face = p->part->faces[i];
        point3 corners[MOST_CORNERS];
        for (int k = 0; k < 3; ++k)
            corners[k] = p->mesh->points[p->mesh->corners[3 * face + k]];
        int count = clip(corners, 3, strip->low, 1.0);
        count = clip(corners, count, strip->high, -1.0);
        for (int k = 2; k < count; ++k)
            if (!add_triangle(p, (point3[]){corners[0], corners[k - 1], corners[k]}, face))
                return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Particles

static point3 place_of(const patch *p, int32_t particle)
{
    return p->net->particles[particle].position;
}

static bool is_on_part(const patch *p, const slice_level *level, int32_t in_level)
{
    int32_t m = level->member_heads[in_level];
    while (m >= 0 && level->lines[level->members[m].line].strip != p->part->root)
        m = level->members[m].next;
    return m >= 0;
}

// Particles of one level that leave a place free. 1: yes, 0: no, -1: memory ran out.
static int is_free_of_level(const patch *p, slice_level *level, point3 x)
{
    double far = FAR_ENOUGH * p->net->spacing, close = CLOSEST * p->net->spacing;
    int32_t count = pli_plane_grid_search(&level->grid, flat(x), far);
    for (int32_t i = 0; i < count; ++i) {
        int32_t other = level->grid.found[i];
        double d = length3(sub3(place_of(p, level->first_particle + other), x));
        if (d < close || (d < far && is_on_part(p, level, other)))
            return 0;
    }
    return count < 0 ? -1 : 1;
}

// The same of particles between the levels.
static int is_free_of_fill(const patch *p, point3 x)
{
    slice_fill *fill = p->fill;
    double far = FAR_ENOUGH * p->net->spacing, close = CLOSEST * p->net->spacing;
    int32_t count = pli_plane_grid_search(&fill->grid, flat(x), far);
    for (int32_t i = 0; i < count; ++i) {
        int32_t other = fill->grid.found[i];
        double d = length3(sub3(place_of(p, fill->first_particle + other), x));
        if (d < close || (d < far && fill->roots[other] == p->part->root))
            return 0;
    }
    return count < 0 ? -1 : 1;
}

static int is_free(const patch *p, point3 x)
{
    int result = is_free_of_fill(p, x);
    for (int k = 0; k < 2 && result == 1; ++k)
        if (p->part->levels[k])
            result = is_free_of_level(p, p->part->levels[k], x);
    return result;
}

// In the middle of the points around it, which is the middle of a sheet with two sides, too.
static bool centre_particle(patch *p, int32_t point, slice_particle *particle)
{
    point3 x = p->points[point], n = p->mesh->normals[p->faces[point]];
    point3 sum = {0, 0, 0}, normal = {0, 0, 0};
    int32_t near = 0, count = pli_plane_grid_search(&p->grid, flat(x), AROUND * p->net->spacing);
    for (int32_t i = 0; i < count; ++i) {
        int32_t k = p->grid.found[i];
        point3 y = p->points[k], m = p->mesh->normals[p->faces[k]];
        double length = length3(m), side = dot3(m, n) < 0.0 ? -1.0 : 1.0;
        if (length3(sub3(y, x)) > AROUND * p->net->spacing || !(length > 0.0))
            continue;
        ++near;
        sum = (point3){sum.x + y.x, sum.y + y.y, sum.z + y.z};
        side /= length;
        normal = (point3){normal.x + m.x * side, normal.y + m.y * side, normal.z + m.z * side};
    }
    if (count < 0)
        return false;
    if (near > 0)
        particle->position = (point3){sum.x / near, sum.y / near, sum.z / near};
    double length = length3(normal);
    if (length > 0.0)
        particle->normal = (point3){normal.x / length, normal.y / length, normal.z / length};
    return true;
}

static bool add_particle(patch *p, int32_t point)
{
    slice_net *net = p->net;
    slice_fill *fill = p->fill;
    int32_t n = net->particle_count;
    slice_particle particle = {.position = p->points[point],
                               .tangent = {1, 0},
                               .face = p->faces[point],
                               .line = -1,
                               .last_link = -1};
    if (!centre_particle(p, point, &particle) ||
        !pli_slice_grow((void **)&net->particles, &net->particle_capacity, n + 1,
                        sizeof *net->particles) ||
        !pli_slice_grow((void **)&fill->roots, &fill->root_capacity, fill->count + 1,
                        sizeof *fill->roots) ||
        !pli_plane_grid_add(&fill->grid, flat(particle.position), fill->count))
        return false;
    fill->roots[fill->count++] = p->part->root;
    net->particles[n] = particle;
    ++net->particle_count;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Links

// Whether the way from one particle to another goes along the part. 1: yes, 0: no, -1: memory ran out.
static int is_along(patch *p, int32_t a, int32_t b)
{
    point3 middle = mix3(place_of(p, a), place_of(p, b), 0.5);
    double reach = OFF_SURFACE * p->net->spacing;
    int32_t count = pli_plane_grid_search(&p->grid, flat(middle), reach);
    for (int32_t i = 0; i < count; ++i)
        if (length3(sub3(p->points[p->grid.found[i]], middle)) < reach)
            return 1;
    return count < 0 ? -1 : 0;
}

static bool link_along(patch *p, int32_t a, int32_t b)
{
    int along = is_along(p, a, b);
    return along == 0 || (along == 1 && pli_slice_link(p->net, a, b));
}

// A new particle with those of the levels around it.
static bool link_to_level(patch *p, slice_level *level, int32_t particle)
{
    point3 x = place_of(p, particle);
    double reach = LONGEST_LINK * p->net->spacing;
    int32_t count = pli_plane_grid_search(&level->grid, flat(x), reach);
    for (int32_t i = 0; i < count; ++i) {
        int32_t k = level->grid.found[i], other = level->first_particle + k;
        if (is_on_part(p, level, k) && length3(sub3(place_of(p, other), x)) < reach &&
            !link_along(p, other, particle))
            return false;
    }
    return count >= 0;
}

// And with older ones between the levels.
static bool link_to_fill(patch *p, int32_t particle)
{
    slice_fill *fill = p->fill;
    point3 x = place_of(p, particle);
    double reach = LONGEST_LINK * p->net->spacing;
    int32_t count = pli_plane_grid_search(&fill->grid, flat(x), reach);
    for (int32_t i = 0; i < count; ++i) {
        int32_t k = fill->grid.found[i], other = fill->first_particle + k;
        if (other < particle && fill->roots[k] == p->part->root &&
            length3(sub3(place_of(p, other), x)) < reach && !link_along(p, other, particle))
            return false;
    }
    return count >= 0;
}

// A particle of a level with the nearest one on it that no way leads to yet.
static bool link_across(patch *p, slice_level *level, int32_t in_level)
{
    int32_t particle = level->first_particle + in_level, best = -1;
    point3 x = place_of(p, particle);
    double reach = LONGEST_JOIN * p->net->spacing;
    int32_t count = pli_plane_grid_search(&level->grid, flat(x), reach);
    for (int32_t i = 0; i < count; ++i) {
        int32_t k = level->grid.found[i], other = level->first_particle + k;
        double d = length3(sub3(place_of(p, other), x));
        if (k == in_level || d > reach || (d == reach && best >= 0 && other > best) ||
            !is_on_part(p, level, k) || pli_slice_are_near(p->net, particle, other))
            continue;
        reach = d;
        best = other;
    }
    return count >= 0 && (best < 0 || link_along(p, particle, best));
}

static bool link_level(patch *p, slice_level *level, int32_t first)
{
    for (int32_t i = first; i < p->net->particle_count; ++i)
        if (!link_to_level(p, level, i))
            return false;
    for (int32_t i = 0; i < level->particle_count; ++i)
        if (is_on_part(p, level, i) && !link_across(p, level, i))
            return false;
    return true;
}

static bool fill_patch(patch *p, const slice_strip *strip)
{
    int32_t first = p->net->particle_count;
    if (!add_points(p, strip))
        return false;
    for (int32_t i = 0; i < p->count && !pli_slice_is_full(p->net); ++i) {
        if (!p->part->is_open && !pli_slice_is_flat(strip, p->mesh, p->net->spacing, p->faces[i]))
            continue;
        int is_far = is_free(p, p->points[i]);
        if (is_far < 0 || (is_far == 1 && !add_particle(p, i)))
            return false;
    }
    for (int32_t i = first; i < p->net->particle_count; ++i)
        if (!link_to_fill(p, i))
            return false;
    for (int k = 0; k < 2; ++k)
        if (p->part->levels[k] && !link_level(p, p->part->levels[k], first))
            return false;
    return true;
}

bool pli_slice_is_flat(const slice_strip *strip, const slice_mesh *mesh, double spacing,
                       int32_t face)
{
    point3 n = mesh->normals[face];
    double inclination2 = n.x * n.x + n.y * n.y,
           least = (strip->high - strip->low) / (STEEP * spacing);
    return inclination2 < least * least * dot3(n, n);
}

bool pli_slice_fill_part(slice_fill *fill, slice_net *net, const slice_mesh *mesh,
                         const slice_strip *strip, const slice_part *part)
{
    patch p = {.fill = fill, .net = net, .mesh = mesh, .part = part};
    p.grid.size = AROUND * net->spacing;
    bool ok = fill_patch(&p, strip);
    free(p.points);
    free(p.faces);
    pli_plane_grid_release(&p.grid);
    return ok;
}
