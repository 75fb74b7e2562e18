// The visual mesh of the octopus: a clean surface, eight tentacles, some of which nearly touch.

#include "octopus_mesh.h"
#include "test.h"

static int open_mesh(void **state)
{
    *state = octopus_mesh();
    return *state ? 0 : -1;
}

static int close_mesh(void **state)
{
    pliant_mesh_destroy(*state);
    return 0;
}

static void test_parts_and_counts(void **state)
{
    static const char *const names[] = {"skin", "eyes", "pupils"};
    const pliant_mesh *mesh = *state;
    print_message("%d vertices, %d triangles\n", mesh->vertex_count, mesh->triangle_count);
    assert_in_range(mesh->vertex_count, 4000, 6000);
    assert_in_range(mesh->triangle_count, 8000, 12000);
    assert_int_equal(mesh->part_count, 3);
    int vertex = 0, triangle = 0;
    for (int i = 0; i < 3; ++i) {
        const pliant_mesh_part *part = &mesh->parts[i];
        assert_string_equal(part->name, names[i]);
        assert_string_equal(part->material, names[i]);
        assert_int_equal(part->first_vertex, vertex);
        assert_int_equal(part->first_triangle, triangle);
        for (int k = 0; k < 3 * part->triangle_count; ++k)
            assert_in_range(mesh->triangles[3 * triangle + k], vertex,
                            vertex + part->vertex_count - 1);
        vertex += part->vertex_count;
        triangle += part->triangle_count;
    }
    assert_int_equal(vertex, mesh->vertex_count);
    assert_int_equal(triangle, mesh->triangle_count);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Directed edges from..to, sorted; with `reversed` to..from.
static uint64_t *sorted_edges(const pliant_mesh *mesh, bool reversed)
{
    int count = 3 * mesh->triangle_count;
    uint64_t *keys = malloc((size_t)count * sizeof *keys);
    for (int i = 0; i < count; ++i) {
        uint64_t a = (uint64_t)mesh->triangles[i];
        uint64_t b = (uint64_t)mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        keys[i] = reversed ? b << 32 | a : a << 32 | b;
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    return keys;
}

// Every edge has one triangle on each side, which go along it in opposite directions, and the triangles around
// each vertex are one fan.
static void test_surface_is_closed(void **state)
{
    const pliant_mesh *mesh = *state;
    int count = 3 * mesh->triangle_count;
    uint64_t *there = sorted_edges(mesh, false), *back = sorted_edges(mesh, true);
    for (int i = 0; i < count; ++i) {
        assert_true(i == 0 || there[i] != there[i - 1]);
        assert_true(there[i] == back[i]);
    }
    free(there);
    free(back);
    int32_t *next = malloc((size_t)mesh->vertex_count * sizeof *next);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        int corners = 0, start = -1;
        for (int i = 0; i < count; ++i) {
            if (mesh->triangles[i] != v)
                continue;
            const int32_t *c = mesh->triangles + i / 3 * 3;
            start = c[(i + 1) % 3];
            next[start] = c[(i + 2) % 3];
            corners += 1;
        }
        assert_true(corners >= 3);
        int steps = 0, at = start;
        do {
            at = next[at];
            steps += 1;
        } while (at != start && steps <= corners);
        assert_int_equal(steps, corners);
    }
    free(next);
}

static vec3 area_of(const pliant_mesh *mesh, int triangle)
{
    const int32_t *c = mesh->triangles + 3 * triangle;
    vec3 a = mesh->positions[c[0]];
    return vec3_scale(
        vec3_cross(vec3_sub(mesh->positions[c[1]], a), vec3_sub(mesh->positions[c[2]], a)), 0.5f);
}

static float longest_side(const pliant_mesh *mesh, int triangle)
{
    float longest = 0.0f;
    for (int k = 0; k < 3; ++k) {
        vec3 a = mesh->positions[mesh->triangles[3 * triangle + k]];
        vec3 b = mesh->positions[mesh->triangles[3 * triangle + (k + 1) % 3]];
        longest = fmaxf(longest, vec3_length(vec3_sub(a, b)));
    }
    return longest;
}

static void test_triangles_have_area_and_face_as_their_normals(void **state)
{
    const pliant_mesh *mesh = *state;
    double thinnest = 1, steepest = 1;
    for (int i = 0; i < mesh->triangle_count; ++i) {
        vec3 area = area_of(mesh, i);
        float size = vec3_length(area), side = longest_side(mesh, i);
        thinnest = fmin(thinnest, 2.0 * size / (side * side)); // height to base
        for (int k = 0; k < 3; ++k) {
            vec3 normal = mesh->normals[mesh->triangles[3 * i + k]];
            steepest = fmin(steepest, vec3_dot(area, normal) / size);
        }
    }
    for (int i = 0; i < mesh->vertex_count; ++i)
        assert_near(vec3_length(mesh->normals[i]), 1.0, 1e-5);
    print_message("thinnest triangle %.3f, cosine to normal at least %.3f\n", thinnest, steepest);
    assert_true(thinnest > 0.08);
    assert_true(steepest > 0.2);
}

static void test_parts_are_wound_outwards(void **state)
{
    const pliant_mesh *mesh = *state;
    for (int p = 0; p < mesh->part_count; ++p) {
        const pliant_mesh_part *part = &mesh->parts[p];
        double volume = 0;
        for (int i = part->first_triangle; i < part->first_triangle + part->triangle_count; ++i)
            volume += vec3_dot(mesh->positions[mesh->triangles[3 * i]], area_of(mesh, i)) / 3.0;
        print_message("%s: %.5f m³\n", part->name, volume);
        assert_true(volume > 1e-4);
    }
}

static void test_eyes_sit_in_the_head(void **state)
{
    const pliant_mesh *mesh = *state;
    octopus_shape shape = octopus_shape_create();
    int inside = 0, outside = 0;
    for (int i = 0; i < mesh->parts[1].vertex_count; ++i) {
        vec3 gradient;
        float d =
            octopus_distance(&shape, mesh->positions[mesh->parts[1].first_vertex + i], &gradient);
        *(d < 0.0f ? &inside : &outside) += 1;
    }
    print_message("eyes: %d vertices in the head, %d to be seen\n", inside, outside);
    assert_true(4 * inside > inside + outside);
    assert_true(4 * outside > inside + outside);
}

static float outer_half(void)
{
    return 0.5f * (1.0f + OCTOPUS_ROOT_V);
}

static void test_eight_tentacles_lie_on_the_ground(void **state)
{
    const pliant_mesh *mesh = *state;
    int counts[OCTOPUS_TENTACLES] = {0};
    double reach[OCTOPUS_TENTACLES] = {0}, lowest[OCTOPUS_TENTACLES] = {0}, height = 0;
    for (int i = 0; i < mesh->vertex_count; ++i) {
        vec3 p = mesh->positions[i];
        int tentacle = octopus_tentacle_of(i);
        assert_in_range(tentacle + 1, 0, OCTOPUS_TENTACLES);
        height = fmax(height, p.y);
        if (tentacle < 0)
            continue;
        if (counts[tentacle]++ == 0)
            lowest[tentacle] = p.y;
        reach[tentacle] = fmax(reach[tentacle], hypot(p.x, p.z));
        lowest[tentacle] = fmin(lowest[tentacle], p.y);
    }
    assert_near(height, 1.0, 0.05);
    for (int k = 0; k < OCTOPUS_TENTACLES; ++k) {
        assert_int_equal(counts[k], counts[0]);
        assert_near(reach[k], 1.22, 0.1);
        assert_near(lowest[k], 0.0, 0.005);
    }
    assert_true(counts[0] > 300);
    assert_int_equal(octopus_tentacle_of(0), -1);
    assert_int_equal(octopus_tentacle_of(mesh->vertex_count - 1), -1);
}

static void test_coordinates_have_no_seam(void **state)
{
    const pliant_mesh *mesh = *state;
    for (int i = 0; i < 3 * mesh->parts[0].triangle_count; ++i) {
        const float *a = mesh->coordinates[mesh->triangles[i]];
        const float *b = mesh->coordinates[mesh->triangles[i % 3 == 2 ? i - 2 : i + 1]];
        assert_true(a[0] >= 0.0f && a[0] <= 1.0f && a[1] >= 0.0f && a[1] <= 1.0f);
        assert_true(fabsf(a[0] - b[0]) <= 0.51f);
        assert_true(fabsf(a[1] - b[1]) <= 0.1f);
    }
}

// Lengths of the shortest ways along edges from a vertex.
static float *ways_from(const pliant_mesh *mesh, int vertex)
{
    float *ways = malloc((size_t)mesh->vertex_count * sizeof *ways);
    for (int i = 0; i < mesh->vertex_count; ++i)
        ways[i] = INFINITY;
    ways[vertex] = 0.0f;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < 3 * mesh->triangle_count; ++i) {
            int a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
            float way = ways[a] + vec3_length(vec3_sub(mesh->positions[a], mesh->positions[b]));
            if (way < ways[b]) {
                ways[b] = way;
                changed = true;
            }
        }
    }
    return ways;
}

// The nearest vertices of the outer halves of two tentacles.
static float nearest_vertices(const pliant_mesh *mesh, int first, int second, int found[2])
{
    float nearest = INFINITY;
    for (int i = 0; i < mesh->vertex_count; ++i) {
        if (octopus_tentacle_of(i) != first || mesh->coordinates[i][1] < outer_half())
            continue;
        for (int k = 0; k < mesh->vertex_count; ++k) {
            if (octopus_tentacle_of(k) != second || mesh->coordinates[k][1] < outer_half())
                continue;
            float gap = vec3_length(vec3_sub(mesh->positions[i], mesh->positions[k]));
            if (gap >= nearest)
                continue;
            nearest = gap;
            found[0] = i;
            found[1] = k;
        }
    }
    return nearest;
}

static void test_some_tentacles_nearly_touch(void **state)
{
    const pliant_mesh *mesh = *state;
    int close_pairs = 0;
    for (int a = 0; a < OCTOPUS_TENTACLES; ++a) {
        for (int b = a + 1; b < OCTOPUS_TENTACLES; ++b) {
            int found[2] = {0, 0};
            float gap = nearest_vertices(mesh, a, b, found);
            if (gap >= 0.06f)
                continue;
            close_pairs += 1;
            float *ways = ways_from(mesh, found[0]);
            print_message("tentacles %d and %d: %.3f m apart, %.2f m along the skin\n", a, b, gap,
                          ways[found[1]]);
            assert_true(ways[found[1]] > 1.0f);
            free(ways);
        }
    }
    assert_true(close_pairs >= 1 && close_pairs <= 3);
}

static float ring_gap(const octopus_ring *a, const octopus_ring *b)
{
    return vec3_length(vec3_sub(a->centre, b->centre)) - a->radius - b->radius;
}

// Nothing crosses: neither two tentacles nor a curled one itself. Rings are round but for the suckers.
static void test_tentacles_do_not_cross(void **state)
{
    (void)state;
    octopus_shape shape = octopus_shape_create();
    double nearest = INFINITY;
    for (int a = 0; a < OCTOPUS_TENTACLES; ++a)
        for (int b = a; b < OCTOPUS_TENTACLES; ++b)
            for (int i = OCTOPUS_ROOT_RINGS; i < OCTOPUS_RINGS; ++i)
                for (int k = a == b ? i + 9 : OCTOPUS_ROOT_RINGS; k < OCTOPUS_RINGS; ++k)
                    nearest = fmin(nearest, ring_gap(&shape.rings[a][i], &shape.rings[b][k]));
    print_message("nearest rings: %.3f m apart\n", nearest);
    assert_true(nearest > 0.02);
}

static void test_every_mesh_is_the_same(void **state)
{
    const pliant_mesh *mesh = *state;
    pliant_mesh *other = octopus_mesh();
    assert_memory_equal(mesh->positions, other->positions,
                        (size_t)mesh->vertex_count * sizeof *mesh->positions);
    assert_memory_equal(mesh->triangles, other->triangles,
                        3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    pliant_mesh_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_and_counts),
        cmocka_unit_test(test_surface_is_closed),
        cmocka_unit_test(test_triangles_have_area_and_face_as_their_normals),
        cmocka_unit_test(test_parts_are_wound_outwards),
        cmocka_unit_test(test_eyes_sit_in_the_head),
        cmocka_unit_test(test_eight_tentacles_lie_on_the_ground),
        cmocka_unit_test(test_coordinates_have_no_seam),
        cmocka_unit_test(test_some_tentacles_nearly_touch),
        cmocka_unit_test(test_tentacles_do_not_cross),
        cmocka_unit_test(test_every_mesh_is_the_same),
    };
    return cmocka_run_group_tests(tests, open_mesh, close_mesh);
}
