// Meshes for tests, made by formulas: solids whose volume, distances and thickness are known, and ways
// to spoil them.

#ifndef PLIANT_TESTS_MESHES_H
#define PLIANT_TESTS_MESHES_H

#include "test.h"

static const float PI = 3.14159265f;

// ---------------------------------------------------------------------------------------------
// Putting triangles together

typedef struct mesh_sketch {
    vec3 *points;
    int32_t *triangles;
    int32_t point_count, point_capacity, triangle_count, triangle_capacity;
} mesh_sketch;

static inline int32_t sketch_point(mesh_sketch *s, vec3 x)
{
    if (s->point_count == s->point_capacity) {
        s->point_capacity = 2 * s->point_capacity + 64;
        s->points = realloc(s->points, (size_t)s->point_capacity * sizeof *s->points);
        assert_non_null(s->points);
    }
    s->points[s->point_count] = x;
    return s->point_count++;
}

static inline bool is_same_place(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// None where corners fall together, as at the poles of round things.
static inline void sketch_triangle(mesh_sketch *s, int32_t a, int32_t b, int32_t c)
{
    vec3 p = s->points[a], q = s->points[b], r = s->points[c];
    if (is_same_place(p, q) || is_same_place(q, r) || is_same_place(r, p))
        return;
    if (s->triangle_count == s->triangle_capacity) {
        s->triangle_capacity = 2 * s->triangle_capacity + 64;
        s->triangles = realloc(s->triangles, 3 * (size_t)s->triangle_capacity * sizeof(int32_t));
        assert_non_null(s->triangles);
    }
    const int32_t corners[3] = {a, b, c};
    memcpy(s->triangles + 3 * (size_t)s->triangle_count++, corners, sizeof corners);
}

static inline void sketch_quad(mesh_sketch *s, int32_t a, int32_t b, int32_t c, int32_t d)
{
    sketch_triangle(s, a, b, c);
    sketch_triangle(s, a, c, d);
}

static inline pliant_mesh *mesh_of(int32_t vertex_count, int32_t triangle_count)
{
    pliant_mesh *mesh = pliant_mesh_create(vertex_count, triangle_count, 1);
    assert_non_null(mesh);
    mesh->parts[0] =
        (pliant_mesh_part){.vertex_count = vertex_count, .triangle_count = triangle_count};
    return mesh;
}

static inline pliant_mesh *sketch_finish(mesh_sketch *s)
{
    pliant_mesh *mesh = mesh_of(s->point_count, s->triangle_count);
    memcpy(mesh->positions, s->points, (size_t)s->point_count * sizeof *s->points);
    memcpy(mesh->triangles, s->triangles, 3 * (size_t)s->triangle_count * sizeof *s->triangles);
    free(s->points);
    free(s->triangles);
    *s = (mesh_sketch){0};
    return mesh;
}

// ---------------------------------------------------------------------------------------------
// Solids of blocks: the surface of those cells of an uneven grid that are full

enum { MOST_BLOCKS = 128 };

typedef struct blocks {
    int counts[3];
    float planes[3][MOST_BLOCKS + 1];                         // rising
    bool (*is_full)(const struct blocks *b, const int at[3]); // NULL: all
    int fineness;                                             // for that
} blocks;

static inline bool block_is_full(const blocks *b, const int at[3])
{
    for (int k = 0; k < 3; ++k)
        if (at[k] < 0 || at[k] >= b->counts[k])
            return false;
    return !b->is_full || b->is_full(b, at);
}

static inline int32_t block_corner(mesh_sketch *s, const blocks *b, int32_t *corners,
                                   const int at[3])
{
    int32_t *corner = &corners[(at[2] * (b->counts[1] + 1) + at[1]) * (b->counts[0] + 1) + at[0]];
    if (*corner < 0)
        *corner =
            sketch_point(s, (vec3){b->planes[0][at[0]], b->planes[1][at[1]], b->planes[2][at[2]]});
    return *corner;
}

static inline void sketch_block(mesh_sketch *s, const blocks *b, int32_t *corners, const int at[3])
{
    for (int side = 0; side < 6; ++side) {
        int axis = side / 2, up = side % 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        int beside[3] = {at[0], at[1], at[2]};
        beside[axis] += up ? 1 : -1;
        if (block_is_full(b, beside))
            continue;
        int32_t quad[4];
        for (int k = 0; k < 4; ++k) {
            int corner[3] = {at[0], at[1], at[2]};
            corner[axis] += up;
            corner[u] += k == 1 || k == 2;
            corner[v] += k >= 2;
            quad[up ? k : 3 - k] = block_corner(s, b, corners, corner);
        }
        sketch_quad(s, quad[0], quad[1], quad[2], quad[3]);
    }
}

static inline pliant_mesh *blocks_mesh(const blocks *b)
{
    mesh_sketch s = {0};
    size_t size = (size_t)(b->counts[0] + 1) * (size_t)(b->counts[1] + 1) *
                  (size_t)(b->counts[2] + 1) * sizeof(int32_t);
    int32_t *corners = malloc(size);
    memset(corners, 0xff, size);
    int at[3];
    for (at[2] = 0; at[2] < b->counts[2]; ++at[2])
        for (at[1] = 0; at[1] < b->counts[1]; ++at[1])
            for (at[0] = 0; at[0] < b->counts[0]; ++at[0])
                if (block_is_full(b, at))
                    sketch_block(&s, b, corners, at);
    free(corners);
    return sketch_finish(&s);
}

// Further planes along an axis, `count` cells from the last one to `end`.
static inline void blocks_extend(blocks *b, int axis, int count, float end)
{
    assert_true(b->counts[axis] + count <= MOST_BLOCKS);
    float begin = b->planes[axis][b->counts[axis]];
    for (int i = 1; i <= count; ++i)
        b->planes[axis][b->counts[axis] + i] = begin + (end - begin) * (float)i / (float)count;
    b->counts[axis] += count;
}

// About the origin.
static inline pliant_mesh *box_mesh(vec3 size, int x, int y, int z)
{
    blocks b = {.planes = {{-0.5f * size.x}, {-0.5f * size.y}, {-0.5f * size.z}}};
    blocks_extend(&b, 0, x, 0.5f * size.x);
    blocks_extend(&b, 1, y, 0.5f * size.y);
    blocks_extend(&b, 2, z, 0.5f * size.z);
    return blocks_mesh(&b);
}

// A palm at y < 0 with fingers upwards that almost touch, side by side along x.
enum { FINGERS = 4, FINGER_CELLS = 3 };
static const float FINGER_WIDTH = 0.1f, FINGER_LENGTH = 0.5f, FINGER_GAP = 0.002f, PALM = 0.3f;

static inline bool hand_is_full(const blocks *b, const int at[3])
{
    int cells = b->fineness * FINGER_CELLS;
    bool in_gap = at[0] % (cells + 1) == cells;
    return !in_gap || b->planes[1][at[1]] < 0.0f;
}

// All but the gaps in n times as many squares each way.
static inline pliant_mesh *fine_hand_mesh(int n)
{
    blocks b = {.planes = {{0.0f}, {-PALM}, {0.0f}}, .is_full = hand_is_full, .fineness = n};
    float x = 0.0f;
    for (int i = 0; i < FINGERS; ++i) {
        blocks_extend(&b, 0, n * FINGER_CELLS, x += FINGER_WIDTH);
        if (i + 1 < FINGERS)
            blocks_extend(&b, 0, 1, x += FINGER_GAP);
    }
    blocks_extend(&b, 1, 9 * n, 0.0f);
    blocks_extend(&b, 1, 15 * n, FINGER_LENGTH);
    blocks_extend(&b, 2, FINGER_CELLS * n, FINGER_WIDTH);
    return blocks_mesh(&b);
}

static inline pliant_mesh *hand_mesh(void)
{
    return fine_hand_mesh(1);
}

// The finger a place belongs to, or -1 in the palm.
static inline int finger_at(vec3 x)
{
    int finger = (int)(x.x / (FINGER_WIDTH + FINGER_GAP));
    return x.y < 0.0f ? -1 : finger < 0 ? 0 : finger >= FINGERS ? FINGERS - 1 : finger;
}

// ---------------------------------------------------------------------------------------------
// Round things

typedef vec3 (*surface_function)(float u, float v, const float *sizes);

// Points f(i / nu, j / nv); what comes round in u meets itself exactly, and so it does in v when asked to.
static inline pliant_mesh *wrapped_mesh(surface_function f, const float *sizes, int nu, int nv,
                                        bool wrap_v)
{
    mesh_sketch s = {0};
    int rows = wrap_v ? nv : nv + 1;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < nu; ++i)
            sketch_point(&s, f((float)i / (float)nu, (float)j / (float)nv, sizes));
    for (int j = 0; j < nv; ++j)
        for (int i = 0; i < nu; ++i) {
            int low = j * nu, high = (j + 1) % rows * nu, next = (i + 1) % nu;
            sketch_quad(&s, low + i, low + next, high + next, high + i);
        }
    return sketch_finish(&s);
}

static inline vec3 torus_point(float u, float v, const float *sizes)
{
    float ring = sizes[0] + sizes[1] * cosf(2.0f * PI * v);
    return (vec3){ring * cosf(2.0f * PI * u), ring * sinf(2.0f * PI * u),
                  sizes[1] * sinf(2.0f * PI * v)};
}

// About z.
static inline pliant_mesh *torus_mesh(float ring, float radius, int around, int across)
{
    const float sizes[2] = {ring, radius};
    return wrapped_mesh(torus_point, sizes, around, across, true);
}

// Flat ends: the first and the last tenth of v; or round ones where sizes[2] is above 0.
static inline vec3 tube_point(float u, float v, const float *sizes)
{
    float radius = sizes[0], half = 0.5f * sizes[1], z, r = radius;
    float end = v < 0.5f ? v / 0.1f : (1.0f - v) / 0.1f;
    if (end >= 1.0f) {
        z = half * (v - 0.5f) / 0.4f;
    } else if (sizes[2] > 0.0f) {
        z = half + radius * cosf(0.5f * PI * end);
        r = end <= 0.0f ? 0.0f : radius * sinf(0.5f * PI * end);
        z = v < 0.5f ? -z : z;
    } else {
        z = v < 0.5f ? -half : half;
        r = end <= 0.0f ? 0.0f : radius * end;
    }
    return (vec3){r * cosf(2.0f * PI * u), r * sinf(2.0f * PI * u), z};
}

// Along z about the origin; `along` is rounded up to tens.
static inline pliant_mesh *tube_mesh(float radius, float length, int around, int along)
{
    const float sizes[3] = {radius, length, 0.0f};
    return wrapped_mesh(tube_point, sizes, around, (along + 9) / 10 * 10, false);
}

// The length is that of the straight part.
static inline pliant_mesh *capsule_mesh(float radius, float length, int around, int along)
{
    const float sizes[3] = {radius, length, 1.0f};
    return wrapped_mesh(tube_point, sizes, around, (along + 9) / 10 * 10, false);
}

// A box of n cells an edge blown up to an ellipsoid: 12 n² triangles.
static inline pliant_mesh *ellipsoid_mesh(vec3 radii, int n)
{
    pliant_mesh *mesh = box_mesh((vec3){2, 2, 2}, n, n, n);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        vec3 x = mesh->positions[v];
        // Evenly spread angles instead of evenly spread planes.
        x = (vec3){tanf(0.25f * PI * x.x), tanf(0.25f * PI * x.y), tanf(0.25f * PI * x.z)};
        x = vec3_scale(x, 1.0f / vec3_length(x));
        mesh->positions[v] = (vec3){x.x * radii.x, x.y * radii.y, x.z * radii.z};
    }
    return mesh;
}

static inline pliant_mesh *sphere_mesh(float radius, int n)
{
    return ellipsoid_mesh((vec3){radius, radius, radius}, n);
}

// Open, in the plane z = 0 about the origin, facing +z.
static inline pliant_mesh *open_sheet_mesh(float width, float height, int nx, int ny)
{
    mesh_sketch s = {0};
    for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i)
            sketch_point(&s, (vec3){width * ((float)i / (float)nx - 0.5f),
                                    height * ((float)j / (float)ny - 0.5f), 0.0f});
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            int at = j * (nx + 1) + i;
            sketch_quad(&s, at, at + 1, at + nx + 2, at + nx + 1);
        }
    return sketch_finish(&s);
}

// ---------------------------------------------------------------------------------------------
// Other versions. Each destroys or changes what it is given.

static inline pliant_mesh *moved(pliant_mesh *mesh, quat turn, vec3 shift)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh->positions[v] = vec3_add(quat_rotate(turn, mesh->positions[v]), shift);
    return mesh;
}

static inline pliant_mesh *inside_out(pliant_mesh *mesh)
{
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        int32_t *corners = mesh->triangles + 3 * (size_t)i, first = corners[0];
        corners[0] = corners[1];
        corners[1] = first;
    }
    return mesh;
}

static inline pliant_mesh *shuffled(pliant_mesh *mesh, uint32_t seed)
{
    for (int32_t i = mesh->triangle_count; i-- > 1;) {
        size_t k = random_bits(&seed) % (uint32_t)(i + 1);
        int32_t triangle[3], *a = mesh->triangles + 3 * (size_t)i, *b = mesh->triangles + 3 * k;
        memcpy(triangle, a, sizeof triangle);
        memcpy(a, b, sizeof triangle);
        memcpy(b, triangle, sizeof triangle);
    }
    return mesh;
}

// Every triangle with vertices of its own.
static inline pliant_mesh *soup(pliant_mesh *mesh)
{
    pliant_mesh *result = mesh_of(3 * mesh->triangle_count, mesh->triangle_count);
    for (int32_t i = 0; i < result->vertex_count; ++i) {
        result->positions[i] = mesh->positions[mesh->triangles[i]];
        result->triangles[i] = i;
    }
    pliant_mesh_destroy(mesh);
    return result;
}

static inline pliant_mesh *joined(pliant_mesh *a, pliant_mesh *b)
{
    pliant_mesh *result =
        mesh_of(a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count);
    memcpy(result->positions, a->positions, (size_t)a->vertex_count * sizeof *a->positions);
    memcpy(result->positions + a->vertex_count, b->positions,
           (size_t)b->vertex_count * sizeof *b->positions);
    for (int32_t i = 0; i < 3 * result->triangle_count; ++i)
        result->triangles[i] = i < 3 * a->triangle_count
                                   ? a->triangles[i]
                                   : a->vertex_count + b->triangles[i - 3 * a->triangle_count];
    pliant_mesh_destroy(a);
    pliant_mesh_destroy(b);
    return result;
}

static inline vec3 corner_of(const pliant_mesh *mesh, int32_t triangle, int k)
{
    return mesh->positions[mesh->triangles[3 * triangle + k]];
}

// Without the triangles whose middle lies within the radius of the centre.
static inline pliant_mesh *with_hole(pliant_mesh *mesh, vec3 centre, float radius)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        vec3 sum =
            vec3_add(vec3_add(corner_of(mesh, i, 0), corner_of(mesh, i, 1)), corner_of(mesh, i, 2));
        if (vec3_length(vec3_sub(vec3_scale(sum, 1.0f / 3.0f), centre)) < radius)
            continue;
        memmove(mesh->triangles + 3 * kept++, mesh->triangles + 3 * i, 3 * sizeof(int32_t));
    }
    assert_true(kept > 0 && kept < mesh->triangle_count);
    mesh->triangle_count = mesh->parts[0].triangle_count = kept;
    return mesh;
}

// ---------------------------------------------------------------------------------------------
// Measures

static inline vec3 triangle_normal(vec3 a, vec3 b, vec3 c) // twice the area long
{
    return vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
}

static inline double mesh_area(const pliant_mesh *mesh)
{
    double area = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i)
        area += 0.5 * (double)vec3_length(triangle_normal(
                          corner_of(mesh, i, 0), corner_of(mesh, i, 1), corner_of(mesh, i, 2)));
    return area;
}

static inline double mesh_volume(const pliant_mesh *mesh)
{
    double volume = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i)
        volume += (double)vec3_dot(corner_of(mesh, i, 0),
                                   vec3_cross(corner_of(mesh, i, 1), corner_of(mesh, i, 2))) /
                  6.0;
    return volume;
}

static inline int compare_keys(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

// How many directed edges do not have exactly one that runs the other way: 0 for a closed surface.
static inline int open_edges(const int32_t *triangles, int32_t triangle_count)
{
    size_t count = 3 * (size_t)triangle_count;
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    for (size_t i = 0; i < count; ++i)
        keys[i] = (uint64_t)(uint32_t)triangles[i] << 32 |
                  (uint32_t)triangles[i % 3 == 2 ? i - 2 : i + 1];
    qsort(keys, count, sizeof *keys, compare_keys);
    int open = 0;
    for (size_t i = 0; i < count; ++i) {
        uint64_t back = keys[i] << 32 | keys[i] >> 32;
        bool twice = i > 0 && keys[i] == keys[i - 1];
        open += twice || !bsearch(&back, keys, count, sizeof *keys, compare_keys);
    }
    free(keys);
    return open;
}

// ---------------------------------------------------------------------------------------------
// Drafts

#define assert_ok(call) check_ok((call), &error, #call, __FILE__, __LINE__)

static inline void check_ok(pliant_result result, const pliant_error *error, const char *what,
                            const char *file, int line)
{
    if (result == PLIANT_OK)
        return;
    print_error("%s: %s: %s\n", what, error->place, error->message);
    _fail(file, line);
}

static inline pliant_draft *draft_of(const pliant_mesh *mesh)
{
    pliant_error error = {0};
    pliant_draft *draft = pliant_draft_create(mesh, &error);
    if (!draft)
        fail_msg("%s: %s", error.place, error.message);
    return draft;
}

static inline vec3 particle_position(pliant_draft *draft, int particle)
{
    return pliant_draft_particle(draft, particle)->position;
}

static inline float straight_between(vec3 a, vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

#endif
