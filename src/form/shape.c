// Shapes: their definitions, checked and kept.

#include "core/error.h"
#include "core/hash.h"
#include "shape_data.h"

#define LARGEST  1e5f // m, of sizes
#define FARTHEST 1e6f // m, of coordinates
// Twice the area of a triangle in squares of its longest edge.
#define THINNEST 1e-6

enum { MOST_ELEMENTS = 1 << 26 };

const pliant_shape pli_plane_shape = {
    .def = {.kind = PLIANT_SHAPE_PLANE},
    .low = {-1e30f, -1e30f, -1e30f},
    .high = {1e30f, 0.0f, 1e30f},
};

pliant_shape_def pliant_default_shape_def(pliant_shape_kind kind)
{
    return (pliant_shape_def){
        .kind = kind,
        .radius = 0.5f,
        .half_length = 0.5f,
        .half_size = {0.5f, 0.5f, 0.5f},
        .spacing = 1.0f,
    };
}

// ---------------------------------------------------------------------------------------------
// Checks

static pliant_result refuse(pliant_error *error, const char *place, float value, const char *range)
{
    return pli_error_set(error, PLIANT_ERROR_ARGUMENT, place, "%.9g is not %s", (double)value,
                         range);
}

static bool is_size(float value)
{
    return value > 0.0f && value <= LARGEST;
}

static bool is_coordinate(float value)
{
    return value >= -FARTHEST && value <= FARTHEST;
}

static pliant_result check_round(const pliant_shape_def *def, pliant_error *error)
{
    if (!is_size(def->radius))
        return refuse(error, "radius", def->radius, "above 0 and up to 1e5");
    bool is_capsule = def->kind == PLIANT_SHAPE_CAPSULE;
    if (is_capsule && !(def->half_length >= 0.0f && def->half_length <= LARGEST))
        return refuse(error, "half_length", def->half_length, "between 0 and 1e5");
    return PLIANT_OK;
}

static pliant_result check_box(const pliant_shape_def *def, pliant_error *error)
{
    vec3 h = def->half_size;
    if (is_size(h.x) && is_size(h.y) && is_size(h.z))
        return PLIANT_OK;
    float wrong = !is_size(h.x) ? h.x : !is_size(h.y) ? h.y : h.z;
    return refuse(error, "half_size", wrong, "above 0 and up to 1e5");
}

static pliant_result check_count(const char *place, int count, int fewest, const void *array,
                                 pliant_error *error)
{
    if (count < fewest || count > MOST_ELEMENTS)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, place, "%d, not between %d and %d",
                             count, fewest, (int)MOST_ELEMENTS);
    if (!array && count)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, place, "%d, but there is no array",
                             count);
    return PLIANT_OK;
}

static pliant_result check_points(const pliant_shape_def *def, pliant_error *error)
{
    int fewest = def->kind == PLIANT_SHAPE_HULL ? 4 : 3;
    if (check_count("point_count", def->point_count, fewest, def->points, error))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < def->point_count; ++i) {
        vec3 p = def->points[i];
        if (!is_coordinate(p.x) || !is_coordinate(p.y) || !is_coordinate(p.z))
            return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "point", i,
                                    "(%.9g, %.9g, %.9g) is not within 1e6 of the origin",
                                    (double)p.x, (double)p.y, (double)p.z);
    }
    return PLIANT_OK;
}

// A hull's own triangles may be thin, for they are not used but for their points.
static bool is_degenerate(const pliant_shape_def *def, const int32_t *t)
{
    dvec3 a = dvec3_of(def->points[t[0]]), b = dvec3_of(def->points[t[1]]);
    dvec3 c = dvec3_of(def->points[t[2]]);
    dvec3 ab = dvec3_sub(b, a), bc = dvec3_sub(c, b), ca = dvec3_sub(a, c);
    double ab2 = dvec3_dot(ab, ab), bc2 = dvec3_dot(bc, bc), ca2 = dvec3_dot(ca, ca);
    if (def->kind == PLIANT_SHAPE_HULL)
        return !(ab2 > 0.0 && bc2 > 0.0 && ca2 > 0.0);
    double longest = greatest(greatest(ab2, bc2), ca2);
    return !(dvec3_length(dvec3_cross(ab, bc)) > THINNEST * longest);
}

static pliant_result check_triangles(const pliant_shape_def *def, pliant_error *error)
{
    int fewest = def->kind == PLIANT_SHAPE_HULL ? 0 : 1;
    if (check_count("triangle_count", def->triangle_count, fewest, def->triangles, error))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < def->triangle_count; ++i) {
        const int32_t *t = def->triangles + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k)
            if (t[k] < 0 || t[k] >= def->point_count)
                return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "triangle", i,
                                        "point %d of %d", t[k], def->point_count);
        if (is_degenerate(def, t))
            return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "triangle", i,
                                    "points %d, %d, %d span no area", t[0], t[1], t[2]);
    }
    return PLIANT_OK;
}

static pliant_result check_heights(const pliant_shape_def *def, pliant_error *error)
{
    if (def->columns < 2 || def->rows < 2)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, def->columns < 2 ? "columns" : "rows",
                             "%d, not at least 2", def->columns < 2 ? def->columns : def->rows);
    int64_t count = (int64_t)def->columns * def->rows;
    if (count > MOST_ELEMENTS)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "heights", "%d by %d are too many",
                             def->columns, def->rows);
    if (!is_size(def->spacing))
        return refuse(error, "spacing", def->spacing, "above 0 and up to 1e5");
    int longest = def->columns > def->rows ? def->columns : def->rows;
    if (!is_coordinate((float)(longest - 1) * def->spacing))
        return refuse(error, "spacing", def->spacing, "small enough: the field is above 1e6 wide");
    if (!def->heights)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "heights", "there is no array");
    for (int i = 0; i < (int)count; ++i)
        if (!is_coordinate(def->heights[i]))
            return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "height", i,
                                    "%.9g is not between -1e6 and 1e6", (double)def->heights[i]);
    return PLIANT_OK;
}

static pliant_result check(const pliant_shape_def *def, pliant_error *error)
{
    switch (def->kind) {
    case PLIANT_SHAPE_PLANE:
        return PLIANT_OK;
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE:
        return check_round(def, error);
    case PLIANT_SHAPE_BOX:
        return check_box(def, error);
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH:
        return check_points(def, error) ? PLIANT_ERROR_ARGUMENT : check_triangles(def, error);
    case PLIANT_SHAPE_HEIGHTFIELD:
        return check_heights(def, error);
    }
    return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "kind", "%d is none", (int)def->kind);
}

// ---------------------------------------------------------------------------------------------
// Contents

static pliant_result make_mesh(shape_surface *s, const pliant_shape_def *def,
                               const pliant_allocator *allocator, pliant_error *error)
{
    size_t points = (size_t)def->point_count, triangles = (size_t)def->triangle_count;
    s->points = pli_memory_new(allocator, points, sizeof *s->points);
    s->triangles = pli_memory_new(allocator, 3 * triangles, sizeof *s->triangles);
    if (!s->points || !s->triangles)
        return pli_error_memory(error);
    s->point_count = def->point_count;
    s->triangle_count = def->triangle_count;
    memcpy(s->points, def->points, points * sizeof *s->points);
    memcpy(s->triangles, def->triangles, 3 * triangles * sizeof *s->triangles);
    if (!pli_surface_connect(s, allocator) ||
        !pli_bvh_build(&s->tree, s->points, s->triangles, s->triangle_count, allocator))
        return pli_error_memory(error);
    return PLIANT_OK;
}

// Points that the triangles do not use are no part of the hull.
static pliant_result used_points(const pliant_shape_def *def, vec3 **out, int *count,
                                 const pliant_allocator *allocator, pliant_error *error)
{
    bool *is_used = pli_memory_new(allocator, (size_t)def->point_count, sizeof *is_used);
    *out = pli_memory_new(allocator, (size_t)def->point_count, sizeof **out);
    *count = 0;
    if (is_used && *out) {
        for (size_t i = 0; i < 3 * (size_t)def->triangle_count; ++i)
            is_used[def->triangles[i]] = true;
        for (int i = 0; i < def->point_count; ++i)
            if (is_used[i])
                (*out)[(*count)++] = def->points[i];
    }
    bool is_complete = is_used && *out;
    pli_memory_free(allocator, is_used);
    return is_complete ? PLIANT_OK : pli_error_memory(error);
}

// Given triangles are checked and then found anew: so they are convex exactly, and a hull is the same
// whichever way it was given.
static pliant_result make_hull(shape_surface *s, const pliant_shape_def *def,
                               const pliant_allocator *allocator, pliant_error *error)
{
    if (!def->triangle_count)
        return pli_hull_build(def->points, def->point_count, s, allocator, error);
    vec3 *used;
    int count;
    pliant_result result = used_points(def, &used, &count, allocator, error);
    if (!result)
        result = pli_hull_build(used, count, s, allocator, error);
    if (!result)
        result = pli_hull_check(def, s, allocator, error);
    pli_memory_free(allocator, used);
    return result;
}

static pliant_result make_heights(pliant_shape *shape, const pliant_shape_def *def,
                                  pliant_error *error)
{
    size_t count = (size_t)def->columns * (size_t)def->rows;
    shape->heights = pli_memory_new(&shape->allocator, count, sizeof *shape->heights);
    if (!shape->heights)
        return pli_error_memory(error);
    memcpy(shape->heights, def->heights, count * sizeof *shape->heights);
    return PLIANT_OK;
}

static pliant_result make_contents(pliant_shape *shape, const pliant_shape_def *def,
                                   pliant_error *error)
{
    switch (def->kind) {
    case PLIANT_SHAPE_HULL:
        return make_hull(&shape->surface, def, &shape->allocator, error);
    case PLIANT_SHAPE_MESH:
        return make_mesh(&shape->surface, def, &shape->allocator, error);
    case PLIANT_SHAPE_HEIGHTFIELD:
        return make_heights(shape, def, error);
    default:
        return PLIANT_OK;
    }
}

// Only the fields that the kind names.
static void keep_definition(pliant_shape *shape, const pliant_shape_def *def)
{
    pliant_shape_def *kept = &shape->def;
    const shape_surface *s = &shape->surface;
    *kept = (pliant_shape_def){.kind = def->kind};
    if (def->kind == PLIANT_SHAPE_SPHERE || def->kind == PLIANT_SHAPE_CAPSULE)
        kept->radius = def->radius;
    if (def->kind == PLIANT_SHAPE_CAPSULE)
        kept->half_length = def->half_length;
    if (def->kind == PLIANT_SHAPE_BOX)
        kept->half_size = def->half_size;
    if (def->kind == PLIANT_SHAPE_HULL || def->kind == PLIANT_SHAPE_MESH) {
        kept->points = s->points;
        kept->point_count = s->point_count;
        kept->triangles = s->triangles;
        kept->triangle_count = s->triangle_count;
    }
    if (def->kind == PLIANT_SHAPE_HEIGHTFIELD) {
        kept->heights = shape->heights;
        kept->columns = def->columns;
        kept->rows = def->rows;
        kept->spacing = def->spacing;
    }
}

// ---------------------------------------------------------------------------------------------
// Bounds

static void point_bounds(const vec3 *points, int count, vec3 *low, vec3 *high)
{
    *low = *high = points[0];
    for (int i = 1; i < count; ++i) {
        vec3 p = points[i];
        *low = (vec3){minimum(low->x, p.x), minimum(low->y, p.y), minimum(low->z, p.z)};
        *high = (vec3){maximum(high->x, p.x), maximum(high->y, p.y), maximum(high->z, p.z)};
    }
}

static void height_bounds(pliant_shape *shape)
{
    const pliant_shape_def *def = &shape->def;
    float low = def->heights[0], high = low;
    for (int i = 1; i < def->columns * def->rows; ++i) {
        low = minimum(low, def->heights[i]);
        high = maximum(high, def->heights[i]);
    }
    shape->low = (vec3){0.0f, low, 0.0f};
    shape->high = (vec3){(float)(def->columns - 1) * def->spacing, high,
                         (float)(def->rows - 1) * def->spacing};
}

static void find_bounds(pliant_shape *shape)
{
    const pliant_shape_def *def = &shape->def;
    float r = def->radius;
    vec3 half = {r, r, r};
    switch (def->kind) {
    case PLIANT_SHAPE_PLANE:
        shape->low = pli_plane_shape.low;
        shape->high = pli_plane_shape.high;
        return;
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH:
        point_bounds(def->points, def->point_count, &shape->low, &shape->high);
        return;
    case PLIANT_SHAPE_HEIGHTFIELD:
        height_bounds(shape);
        return;
    case PLIANT_SHAPE_CAPSULE:
        half.y += def->half_length;
        break;
    case PLIANT_SHAPE_BOX:
        half = def->half_size;
        break;
    default:
        break;
    }
    shape->low = vec3_negate(half);
    shape->high = half;
}

// Of the arrays, which is the part that takes long.
static uint64_t hash_arrays(const pliant_shape_def *def)
{
    uint64_t state = HASH_START;
    for (int i = 0; i < def->point_count; ++i)
        state = hash_vec3(state, def->points[i]);
    for (size_t i = 0; i < 3 * (size_t)def->triangle_count; ++i)
        state = hash_word(state, (uint32_t)def->triangles[i]);
    for (int i = 0; i < def->columns * def->rows; ++i)
        state = hash_float(state, def->heights[i]);
    return state;
}

// ---------------------------------------------------------------------------------------------

pliant_shape *pliant_shape_create(const pliant_shape_def *def, const pliant_allocator *allocator,
                                  pliant_error *error)
{
    if (check(def, error))
        return NULL;
    pliant_allocator memory = pli_allocator_or_default(allocator);
    pliant_shape *shape = pli_memory_new(&memory, 1, sizeof *shape);
    if (!shape) {
        pli_error_memory(error);
        return NULL;
    }
    shape->allocator = memory;
    atomic_init(&shape->references, 1);
    if (make_contents(shape, def, error)) {
        pliant_shape_destroy(shape);
        return NULL;
    }
    keep_definition(shape, def);
    find_bounds(shape);
    shape->array_hash = hash_arrays(&shape->def);
    return shape;
}

void pli_shape_retain(const pliant_shape *shape)
{
    if (shape != &pli_plane_shape)
        atomic_fetch_add_explicit(&((pliant_shape *)shape)->references, 1, memory_order_relaxed);
}

void pli_shape_release(const pliant_shape *shape)
{
    if (shape != &pli_plane_shape)
        pliant_shape_destroy((pliant_shape *)shape);
}

void pliant_shape_destroy(pliant_shape *shape)
{
    if (!shape || atomic_fetch_sub_explicit(&shape->references, 1, memory_order_acq_rel) > 1)
        return;
    pliant_allocator memory = shape->allocator;
    pli_surface_free(&shape->surface, &memory);
    pli_memory_free(&memory, shape->heights);
    pli_memory_free(&memory, shape);
}

pliant_shape_def pliant_shape_definition(const pliant_shape *shape)
{
    return shape->def;
}

pliant_shape_kind pli_shape_kind_of(const pliant_shape *shape)
{
    return shape->def.kind;
}

void pliant_shape_bounds(const pliant_shape *shape, vec3 *low, vec3 *high)
{
    *low = shape->low;
    *high = shape->high;
}

uint64_t pli_shape_fingerprint(const pliant_shape *shape)
{
    const pliant_shape_def *def = &shape->def;
    // That of a plane is not stored, for every plane has the same.
    uint64_t state = def->kind == PLIANT_SHAPE_PLANE ? HASH_START : shape->array_hash;
    state = hash_word(state, (uint64_t)def->kind);
    state = hash_float(hash_float(state, def->radius), def->half_length);
    state = hash_vec3(state, def->half_size);
    state = hash_word(hash_word(state, (uint32_t)def->point_count), (uint32_t)def->triangle_count);
    state = hash_word(hash_word(state, (uint32_t)def->columns), (uint32_t)def->rows);
    return hash_float(state, def->spacing);
}
