// Convex hulls: quickhull (Barber, Dobkin & Huhdanpaa 1996) in exact arithmetic.
//
// Points are rounded to a grid of 2^20 cells along each side of their box. A hull does not change under
// a stretch along the axes, so this is 1e-6 of the size along each, also of thin plates. Whether a point
// lies above a face is then a determinant that fits 64 bits (6 · 2^60), and the troubles of hulls in
// floating point (faces with no area, horizons that do not close) cannot occur: a point that sees a face
// strictly is never in line with an edge of its horizon.

#include "core/error.h"
#include "shape_data.h"

enum { GRID = 1 << 20, NONE = -1 };

typedef struct grid_point {
    int64_t x, y, z;
} grid_point;

typedef struct face {
    int32_t corners[3];
    int32_t beyond[3]; // the face at the edge from corner k to the next
    int32_t outside;   // the first of the points above, linked by `next`; the highest is first
    int64_t height;    // of that one, in units of this face
    bool is_gone;
    int32_t next_visible; // list of the faces that the new point sees; NONE at its end
    int32_t seen_by;      // the point that saw it last
} face;

typedef struct horizon_edge {
    int32_t from, to; // points
    int32_t face;     // behind it, which stays
} horizon_edge;

// Up to three faces of different planes.
typedef struct plane_list {
    int32_t faces[3];
    int count;
} plane_list;

typedef struct hull {
    const pliant_allocator *allocator;
    grid_point *points;
    int32_t *next;      // in the list of a face
    int32_t *leaving;   // the new face that begins at a point of the horizon
    plane_list *planes; // at each point
    face *faces;
    int face_count, face_capacity;
    horizon_edge *horizon;
    int horizon_count, horizon_capacity;
    int32_t *pending; // faces that may have points outside
    int pending_count, pending_capacity;
} hull;

// ---------------------------------------------------------------------------------------------

static grid_point minus(grid_point a, grid_point b)
{
    return (grid_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static grid_point cross(grid_point a, grid_point b)
{
    return (grid_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int64_t dot(grid_point a, grid_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// > 0 when p lies above the face.
static int64_t height_above(const hull *h, const face *f, int32_t p)
{
    grid_point a = h->points[f->corners[0]];
    grid_point n = cross(minus(h->points[f->corners[1]], a), minus(h->points[f->corners[2]], a));
    return dot(n, minus(h->points[p], a));
}

// Nearest multiple of the grid's cell, 0 … GRID.
static int64_t on_grid(float value, float low, float high)
{
    double part = ((double)value - (double)low) / ((double)high - (double)low);
    return (int64_t)(part * GRID + 0.5);
}

static void place_on_grid(hull *h, const vec3 *points, int count, vec3 low, vec3 high)
{
    for (int i = 0; i < count; ++i)
        h->points[i] =
            (grid_point){on_grid(points[i].x, low.x, high.x), on_grid(points[i].y, low.y, high.y),
                         on_grid(points[i].z, low.z, high.z)};
}

// ---------------------------------------------------------------------------------------------
// The first tetrahedron

// The first of the points with the greatest x, and the one farthest from it.
static void find_first_two(const hull *h, int count, int32_t first[4])
{
    first[0] = 0;
    for (int i = 1; i < count; ++i)
        if (h->points[i].x > h->points[first[0]].x)
            first[0] = i;
    int64_t best = 0;
    first[1] = NONE;
    for (int i = 0; i < count; ++i) {
        grid_point d = minus(h->points[i], h->points[first[0]]);
        if (dot(d, d) > best) {
            best = dot(d, d);
            first[1] = i;
        }
    }
}

// The point farthest from the line through the first two. Squares of areas need 82 bits: doubles, which
// only choose among points that are off the line exactly.
static int32_t find_third(const hull *h, int count, const int32_t first[4])
{
    grid_point a = h->points[first[0]], ab = minus(h->points[first[1]], a);
    int32_t third = NONE;
    double best = 0.0;
    for (int i = 0; i < count; ++i) {
        grid_point n = cross(ab, minus(h->points[i], a));
        double x = (double)n.x, y = (double)n.y, z = (double)n.z;
        double area = x * x + y * y + z * z;
        if (area > best) {
            best = area;
            third = i;
        }
    }
    return third;
}

static int32_t find_fourth(const hull *h, int count, const int32_t first[4], int64_t *height)
{
    face base = {.corners = {first[0], first[1], first[2]}};
    int32_t fourth = NONE;
    *height = 0;
    for (int i = 0; i < count; ++i) {
        int64_t above = height_above(h, &base, i);
        if ((above < 0 ? -above : above) > (*height < 0 ? -*height : *height)) {
            *height = above;
            fourth = i;
        }
    }
    return fourth;
}

static bool find_tetrahedron(const hull *h, int count, int32_t first[4])
{
    find_first_two(h, count, first);
    if (first[1] == NONE)
        return false;
    first[2] = find_third(h, count, first);
    if (first[2] == NONE)
        return false;
    int64_t height;
    first[3] = find_fourth(h, count, first, &height);
    if (first[3] == NONE)
        return false;
    if (height > 0) { // the fourth is to lie below the face of the others
        int32_t swap = first[1];
        first[1] = first[2];
        first[2] = swap;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Faces and their points

static face *add_face(hull *h, int32_t a, int32_t b, int32_t c)
{
    if (!pli_memory_grow(h->allocator, (void **)&h->faces, sizeof *h->faces, h->face_count,
                         &h->face_capacity, h->face_count + 1))
        return NULL;
    face *f = &h->faces[h->face_count++];
    *f = (face){.corners = {a, b, c}, .outside = NONE, .next_visible = NONE, .seen_by = NONE};
    return f;
}

// Gives the point to the first of the faces that it lies above.
static void hand_out(hull *h, int32_t p, int first_face)
{
    for (int i = first_face; i < h->face_count; ++i) {
        face *f = &h->faces[i];
        int64_t above = height_above(h, f, p);
        if (above <= 0)
            continue;
        if (f->outside == NONE || above > f->height) {
            h->next[p] = f->outside;
            f->outside = p;
            f->height = above;
        } else {
            h->next[p] = h->next[f->outside];
            h->next[f->outside] = p;
        }
        return;
    }
}

static bool push_pending(hull *h, int32_t f)
{
    if (h->faces[f].outside == NONE)
        return true;
    if (!pli_memory_grow(h->allocator, (void **)&h->pending, sizeof *h->pending, h->pending_count,
                         &h->pending_capacity, h->pending_count + 1))
        return false;
    h->pending[h->pending_count++] = f;
    return true;
}

static bool start(hull *h, int count, const int32_t first[4])
{
    static const int8_t CORNERS[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int8_t BEYOND[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; ++i) {
        const int8_t *c = CORNERS[i];
        face *f = add_face(h, first[c[0]], first[c[1]], first[c[2]]);
        if (!f)
            return false;
        for (int k = 0; k < 3; ++k)
            f->beyond[k] = BEYOND[i][k];
    }
    for (int32_t p = 0; p < count; ++p)
        hand_out(h, p, 0);
    for (int32_t i = 0; i < 4; ++i)
        if (!push_pending(h, i))
            return false;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Adding a point

static bool add_horizon(hull *h, const face *seen, int k)
{
    if (!pli_memory_grow(h->allocator, (void **)&h->horizon, sizeof *h->horizon, h->horizon_count,
                         &h->horizon_capacity, h->horizon_count + 1))
        return false;
    h->horizon[h->horizon_count++] =
        (horizon_edge){seen->corners[k], seen->corners[(k + 1) % 3], seen->beyond[k]};
    return true;
}

// Marks the faces that the point sees, from `first` on outwards, links them and collects the edges
// around them.
static bool look_around(hull *h, int32_t first, int32_t p)
{
    h->horizon_count = 0;
    int32_t last = first;
    h->faces[first].is_gone = true;
    for (int32_t at = first; at != NONE; at = h->faces[at].next_visible)
        for (int k = 0; k < 3; ++k) {
            int32_t other = h->faces[at].beyond[k];
            face *f = &h->faces[other];
            if (f->is_gone)
                continue;
            if (f->seen_by != p && height_above(h, f, p) > 0) {
                f->is_gone = true;
                h->faces[last].next_visible = other;
                last = other;
                continue;
            }
            f->seen_by = p; // and found not to be above it
            if (!add_horizon(h, &h->faces[at], k))
                return false;
        }
    return true;
}

static void set_beyond(face *f, int32_t from, int32_t to, int32_t other)
{
    for (int k = 0; k < 3; ++k)
        if (f->corners[k] == from && f->corners[(k + 1) % 3] == to)
            f->beyond[k] = other;
}

// A fan of new faces from the horizon to the point. Each is (from, to, p); the one that begins where
// this ends is its neighbour.
static bool close_with(hull *h, int32_t p, int *first_new)
{
    *first_new = h->face_count;
    for (int i = 0; i < h->horizon_count; ++i) {
        horizon_edge e = h->horizon[i];
        if (!add_face(h, e.from, e.to, p))
            return false;
        int32_t self = (int32_t)(*first_new + i);
        h->faces[self].beyond[0] = e.face;
        set_beyond(&h->faces[e.face], e.to, e.from, self);
        h->leaving[e.from] = self;
    }
    for (int i = *first_new; i < h->face_count; ++i) {
        int32_t after = h->leaving[h->faces[i].corners[1]];
        h->faces[i].beyond[1] = after;
        h->faces[after].beyond[2] = i;
    }
    return true;
}

static bool add_point(hull *h, int32_t first)
{
    int32_t p = h->faces[first].outside;
    int first_new;
    if (!look_around(h, first, p) || !close_with(h, p, &first_new))
        return false;
    for (int32_t at = first; at != NONE; at = h->faces[at].next_visible) {
        int32_t q = h->faces[at].outside;
        h->faces[at].outside = NONE;
        while (q != NONE) {
            int32_t following = h->next[q];
            if (q != p)
                hand_out(h, q, first_new);
            q = following;
        }
    }
    for (int i = first_new; i < h->face_count; ++i)
        if (!push_pending(h, i))
            return false;
    return true;
}

static bool add_all_points(hull *h)
{
    while (h->pending_count) {
        int32_t f = h->pending[--h->pending_count];
        if (!h->faces[f].is_gone && !add_point(h, f))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Corners: points in which three planes or more meet

static bool is_coplanar(const hull *h, const face *f, const face *g)
{
    for (int k = 0; k < 3; ++k)
        if (height_above(h, f, g->corners[k]) != 0)
            return false;
    return true;
}

static void note_plane(const hull *h, plane_list *at, int32_t f)
{
    for (int i = 0; i < at->count; ++i)
        if (is_coplanar(h, &h->faces[at->faces[i]], &h->faces[f]))
            return;
    if (at->count < 3)
        at->faces[at->count++] = f;
}

// Marks the points that are corners; returns how many there are. A point amid a flat side or an edge can
// get into the hull as the highest of several above a face.
static int find_corners(const hull *h, int count)
{
    for (int i = 0; i < count; ++i)
        h->planes[i].count = 0;
    for (int32_t f = 0; f < h->face_count; ++f)
        for (int k = 0; k < 3 && !h->faces[f].is_gone; ++k)
            note_plane(h, &h->planes[h->faces[f].corners[k]], f);
    int corners = 0;
    for (int i = 0; i < count; ++i)
        corners += h->planes[i].count == 3;
    return corners;
}

static int keep_corners(const hull *h, vec3 *points, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (h->planes[i].count == 3)
            points[kept++] = points[i];
    return kept;
}

// ---------------------------------------------------------------------------------------------
// Result

// The normal as the grid has it: there the hull is exactly convex, and so no face, however thin, is
// tilted by the rounding of its corners. Along each axis a normal stretches against its plane.
static vec3 face_normal(const hull *h, const face *f, vec3 low, vec3 high)
{
    grid_point a = h->points[f->corners[0]];
    grid_point n = cross(minus(h->points[f->corners[1]], a), minus(h->points[f->corners[2]], a));
    dvec3 size = dvec3_sub(dvec3_of(high), dvec3_of(low));
    double scale = greatest(size.x, greatest(size.y, size.z));
    dvec3 real = {(double)n.x * (scale / size.x), (double)n.y * (scale / size.y),
                  (double)n.z * (scale / size.z)};
    return dvec3_to_vec3(dvec3_normalize_or(real, (dvec3){0, 1, 0}));
}

static bool write_surface(const hull *h, const vec3 *points, int count, vec3 low, vec3 high,
                          shape_surface *out)
{
    int alive = 0;
    for (int i = 0; i < h->face_count; ++i)
        alive += !h->faces[i].is_gone;
    size_t triangles = (size_t)alive;
    out->points = pli_memory_new(h->allocator, (size_t)count, sizeof *out->points);
    out->triangles = pli_memory_new(h->allocator, 3 * triangles, sizeof *out->triangles);
    out->normals = pli_memory_new(h->allocator, triangles, sizeof *out->normals);
    if (!out->points || !out->triangles || !out->normals)
        return false;
    memcpy(out->points, points, (size_t)count * sizeof *points);
    out->point_count = count;
    // Two cells of the grid.
    out->slack = 2.0 / GRID * dvec3_length(dvec3_sub(dvec3_of(high), dvec3_of(low)));
    for (int i = 0; i < h->face_count; ++i) {
        const face *f = &h->faces[i];
        if (f->is_gone)
            continue;
        int at = out->triangle_count++;
        memcpy(out->triangles + 3 * (size_t)at, f->corners, sizeof f->corners);
        out->normals[at] = face_normal(h, f, low, high);
    }
    return true;
}

static void find_box(const vec3 *points, int count, vec3 *low, vec3 *high)
{
    *low = *high = points[0];
    for (int i = 1; i < count; ++i) {
        vec3 p = points[i];
        *low = (vec3){minimum(low->x, p.x), minimum(low->y, p.y), minimum(low->z, p.z)};
        *high = (vec3){maximum(high->x, p.x), maximum(high->y, p.y), maximum(high->z, p.z)};
    }
}

// Repeats until all points are corners. So the hull of a hull's points is the same to the last bit: the
// box and with it the grid stay as they are.
static pliant_result build(hull *h, vec3 *points, int count, shape_surface *out,
                           pliant_error *error)
{
    vec3 low, high;
    find_box(points, count, &low, &high);
    bool is_flat = !(high.x > low.x && high.y > low.y && high.z > low.z);
    for (int corners = 0; !is_flat && corners != count;) {
        if (corners)
            count = keep_corners(h, points, count);
        int32_t first[4];
        place_on_grid(h, points, count, low, high);
        is_flat = !find_tetrahedron(h, count, first);
        h->face_count = h->pending_count = 0;
        if (!is_flat && (!start(h, count, first) || !add_all_points(h)))
            return pli_error_memory(error);
        corners = is_flat ? 0 : find_corners(h, count);
    }
    if (is_flat)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "points",
                             "all lie in one plane: a hull needs a volume");
    if (!write_surface(h, points, count, low, high, out))
        return pli_error_memory(error);
    return PLIANT_OK;
}

pliant_result pli_hull_build(const vec3 *points, int point_count, shape_surface *out,
                             const pliant_allocator *allocator, pliant_error *error)
{
    size_t count = (size_t)point_count;
    vec3 *copy = pli_memory_new(allocator, count, sizeof *copy);
    hull h = {
        .allocator = allocator,
        .points = pli_memory_new(allocator, count, sizeof *h.points),
        .next = pli_memory_new(allocator, count, sizeof *h.next),
        .leaving = pli_memory_new(allocator, count, sizeof *h.leaving),
        .planes = pli_memory_new(allocator, count, sizeof *h.planes),
    };
    pliant_result result;
    if (copy && h.points && h.next && h.leaving && h.planes) {
        memcpy(copy, points, count * sizeof *copy);
        result = build(&h, copy, point_count, out, error);
    } else {
        result = pli_error_memory(error);
    }
    pli_memory_free(allocator, copy);
    pli_memory_free(allocator, h.points);
    pli_memory_free(allocator, h.next);
    pli_memory_free(allocator, h.leaving);
    pli_memory_free(allocator, h.planes);
    pli_memory_free(allocator, h.faces);
    pli_memory_free(allocator, h.horizon);
    pli_memory_free(allocator, h.pending);
    return result;
}
