// Ropes, sheets, blocks and balls: what they are made of, what they weigh, and that their skins are
// closed surfaces that face outward.

#include "test.h"

static const double PI = 3.14159265358979323846;

typedef struct shape {
    pliant_builder *builder;
    pliant_model *model;
} shape;

static shape shape_of(pliant_builder *builder, int first)
{
    shape s = {.builder = builder};
    assert_int_equal(first, 0);
    pliant_error error = {0};
    s.model = pliant_builder_build(builder, &error);
    if (!s.model)
        fail_msg("%s: %s", error.place, error.message);
    return s;
}

static void shape_free(shape *s)
{
    pliant_builder_destroy(s->builder);
    pliant_model_destroy(s->model);
}

static shape rope_of(const pliant_rope_def *def)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    return shape_of(builder, pliant_builder_add_rope(builder, def));
}

static shape sheet_of(const pliant_sheet_def *def)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    return shape_of(builder, pliant_builder_add_sheet(builder, def));
}

static shape block_of(const pliant_block_def *def)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    return shape_of(builder, pliant_builder_add_block(builder, def));
}

static shape ball_of(const pliant_ball_def *def)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    return shape_of(builder, pliant_builder_add_ball(builder, def));
}

static double mass_of(const shape *s)
{
    double sum = 0;
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i)
        sum += pliant_model_particles(s->model)[i].mass;
    return sum;
}

static double largest_radius(const shape *s)
{
    double largest = 0;
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i) {
        vec3 radii = pliant_model_particles(s->model)[i].radii;
        largest = fmax(largest, fmax(radii.x, fmax(radii.y, radii.z)));
    }
    return largest;
}

// ---------------------------------------------------------------------------------------------
// The skin as a surface

static vec3 corner(const shape *s, int triangle, int k)
{
    int32_t vertex = pliant_model_triangles(s->model)[3 * triangle + k];
    return pliant_model_vertices(s->model)[vertex].position;
}

static vec3 face_normal(const shape *s, int triangle)
{
    vec3 a = corner(s, triangle, 0);
    return vec3_cross(vec3_sub(corner(s, triangle, 1), a), vec3_sub(corner(s, triangle, 2), a));
}

// By the divergence theorem; relative to the first corner, for a skin far from the origin.
static double volume_of(const shape *s)
{
    double sum = 0;
    vec3 origin = corner(s, 0, 0);
    for (int t = 0; t < pliant_model_triangle_count(s->model); ++t) {
        vec3 n = face_normal(s, t), a = vec3_sub(corner(s, t, 0), origin);
        sum += ((double)a.x * n.x + (double)a.y * n.y + (double)a.z * n.z) / 6.0;
    }
    return sum;
}

// For each vertex the first one at its place.
static int *merge_by_place(const pliant_model *model, float tolerance)
{
    int n = pliant_model_vertex_count(model);
    const pliant_vertex_def *v = pliant_model_vertices(model);
    int *first = malloc((size_t)n * sizeof *first);
    for (int i = 0; i < n; ++i) {
        first[i] = i;
        for (int k = 0; k < i && first[i] == i; ++k)
            if (first[k] == k && fabsf(v[i].position.x - v[k].position.x) <= tolerance &&
                fabsf(v[i].position.y - v[k].position.y) <= tolerance &&
                fabsf(v[i].position.z - v[k].position.z) <= tolerance)
                first[i] = k;
    }
    return first;
}

static int compare_edges(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Every directed edge is there once, and so is the opposite one.
static void check_closed(const shape *s, float tolerance)
{
    int triangles = pliant_model_triangle_count(s->model), count = 3 * triangles;
    const int32_t *corners = pliant_model_triangles(s->model);
    int *place = merge_by_place(s->model, tolerance);
    int64_t *forward = malloc((size_t)count * sizeof *forward);
    int64_t *backward = malloc((size_t)count * sizeof *backward);
    for (int i = 0; i < count; ++i) {
        int64_t a = place[corners[i]], b = place[corners[i / 3 * 3 + (i + 1) % 3]];
        assert_int_not_equal(a, b); // no triangle is a needle
        forward[i] = a << 32 | b;
        backward[i] = b << 32 | a;
    }
    qsort(forward, (size_t)count, sizeof *forward, compare_edges);
    qsort(backward, (size_t)count, sizeof *backward, compare_edges);
    for (int i = 0; i < count; ++i) {
        assert_int_equal(forward[i], backward[i]);
        assert_true(i == 0 || forward[i] != forward[i - 1]);
    }
    free(place);
    free(forward);
    free(backward);
}

static void check_normals(const shape *s)
{
    const int32_t *corners = pliant_model_triangles(s->model);
    for (int i = 0; i < 3 * pliant_model_triangle_count(s->model); ++i) {
        vec3 normal = pliant_model_vertices(s->model)[corners[i]].normal;
        assert_near(vec3_length(normal), 1.0, 1e-5);
        assert_true(vec3_dot(normal, face_normal(s, i / 3)) > 0.0f);
    }
}

// The weighted mean of a vertex's links lies beneath it, no further than the skin is thick.
static void check_links(const shape *s, double depth)
{
    const pliant_particle_def *particles = pliant_model_particles(s->model);
    for (int i = 0; i < pliant_model_vertex_count(s->model); ++i) {
        const pliant_vertex_def *v = &pliant_model_vertices(s->model)[i];
        vec3 mean = {0, 0, 0};
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
            mean = vec3_add_scaled(mean, particles[v->particles[k]].position, v->weights[k]);
        assert_below(vec3_length(vec3_sub(v->position, mean)), depth + 1e-5);
    }
}

static void check_skin(const shape *s, double volume, double relative, double depth)
{
    check_closed(s, 1e-5f);
    check_normals(s);
    check_links(s, depth);
    double found = volume_of(s);
    assert_true(found > 0);
    assert_near(found / volume, 1.0, relative);
}

// ---------------------------------------------------------------------------------------------
// Ropes

static void test_a_rope_is_a_chain(void **state)
{
    (void)state;
    pliant_rope_def def = pliant_default_rope_def();
    shape s = rope_of(&def);
    assert_int_equal(pliant_model_particle_count(s.model), 30);
    assert_int_equal(pliant_model_edge_count(s.model), 29);
    const pliant_particle_def *p = pliant_model_particles(s.model);
    assert_near(p[0].position.y, def.begin.y, 0);
    assert_near(p[29].position.y, def.end.y, 1e-6);
    // The ends stand for half a spacing of rope, the others for one.
    double spacing = 1.0 / 29;
    assert_near(mass_of(&s) / (600 * PI * 0.02 * 0.02 * spacing * 29), 1.0, 1e-3);
    shape_free(&s);
}

// How deep the grooves between the strands are, relative to the radius: the skin's smallest distance
// from the rope's axis tells.
static double groove_depth(const shape *s, const pliant_rope_def *def)
{
    vec3 way = vec3_sub(def->end, def->begin);
    vec3 along = vec3_scale(way, 1.0f / vec3_length(way));
    double smallest = 1, largest = 0;
    for (int i = 0; i < pliant_model_vertex_count(s->model); ++i) {
        vec3 arm = vec3_sub(pliant_model_vertices(s->model)[i].position, def->begin);
        double distance = vec3_length(vec3_cross(arm, along));
        smallest = fmin(smallest, distance);
        largest = fmax(largest, distance);
    }
    assert_near(largest, def->radius, 1e-5);
    return 1.0 - smallest / def->radius;
}

// The cross section is r(a) = R (1 - d/2 + d/2 cos 3a): its area is π R² ((1 - d/2)² + d²/8).
static void test_the_skin_of_a_rope_is_closed(void **state)
{
    (void)state;
    static const vec3 ends[] = {{0, -1, 0}, {1, 0, 0}, {-1, 0, 0}, {0.6f, 0, -0.8f}, {0, 0, 1}};
    for (int k = 0; k < 5; ++k) {
        pliant_rope_def def = pliant_default_rope_def();
        def.end = ends[k];
        def.sides = 36;
        shape s = rope_of(&def);
        double d = groove_depth(&s, &def);
        double area = PI * 0.02 * 0.02 * ((1 - d / 2) * (1 - d / 2) + d * d / 8);
        check_skin(&s, area * 1.0, 0.02, 0.02 + 0.1 / 29); // links ease in and out
        shape_free(&s);
    }
}

static void test_particles_of_a_rope_lie_along_it(void **state)
{
    (void)state;
    static const vec3 ends[] = {{0, -1, 0}, {-1, 0, 0}, {-0.9999f, 0.01f, 0}, {0.6f, 0, -0.8f}};
    for (int k = 0; k < 4; ++k) {
        pliant_rope_def def = pliant_default_rope_def();
        def.end = ends[k];
        shape s = rope_of(&def);
        vec3 along = quat_rotate(pliant_model_particles(s.model)[3].orientation, (vec3){1, 0, 0});
        assert_true(vec3_dot(along, ends[k]) > 0.999f);
        shape_free(&s);
    }
}

#define EXPECT_NO_ROPE(change)                                                                     \
    do {                                                                                           \
        pliant_rope_def d = pliant_default_rope_def();                                             \
        change;                                                                                    \
        assert_int_equal(pliant_builder_add_rope(builder, &d), -1);                                \
    } while (0)

static void test_ropes_out_of_range_are_refused(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    EXPECT_NO_ROPE(d.particles = 1);
    EXPECT_NO_ROPE(d.particles = 100001);
    EXPECT_NO_ROPE(d.radius = 0);
    EXPECT_NO_ROPE(d.radius = NAN);
    EXPECT_NO_ROPE(d.radius = INFINITY);
    EXPECT_NO_ROPE(d.density = -1);
    EXPECT_NO_ROPE(d.density = NAN);
    EXPECT_NO_ROPE(d.stiffness = 1.1f);
    EXPECT_NO_ROPE(d.stiffness = -0.1f);
    EXPECT_NO_ROPE(d.stretch_stiffness = 1.1f);
    EXPECT_NO_ROPE(d.torsion_stiffness = NAN);
    EXPECT_NO_ROPE(d.sides = 2);
    EXPECT_NO_ROPE(d.sides = 257);
    EXPECT_NO_ROPE(d.end = d.begin);
    EXPECT_NO_ROPE(d.end.x = NAN);
    EXPECT_NO_ROPE(d.begin.x = INFINITY);
    assert_int_equal(pliant_builder_particle_count(builder), 0);
    assert_int_equal(pliant_builder_vertex_count(builder), 0);
    pliant_builder_destroy(builder);
}

// ---------------------------------------------------------------------------------------------
// Sheets

static void test_a_sheet_is_a_grid_from_its_top_edge_down(void **state)
{
    (void)state;
    pliant_sheet_def def = pliant_default_sheet_def();
    def.width = 2.0f;
    def.columns = 11;
    def.rows = 21;
    shape s = sheet_of(&def);
    assert_int_equal(pliant_model_particle_count(s.model), 11 * 21);
    // Straight ones and both diagonals of each cell.
    assert_int_equal(pliant_model_edge_count(s.model), 10 * 21 + 11 * 20 + 2 * 10 * 20);
    const pliant_particle_def *p = pliant_model_particles(s.model);
    assert_near(p[0].position.x, -1.0, 1e-6);
    assert_near(p[10].position.x, 1.0, 1e-6);
    assert_near(p[10].position.y, 0.0, 1e-6);
    assert_near(p[20 * 11].position.y, -1.0, 1e-6);
    assert_near(p[7 * 11 + 5].position.x, 0.0, 1e-6);
    assert_near(p[7 * 11 + 5].position.y, -0.35, 1e-6);
    // Inner particles stand for one cell of cloth, those on the border for less.
    assert_near(mass_of(&s) / (0.3 * 0.2 * 0.05 * 10 * 20), 1.0, 1e-3);
    shape_free(&s);
}

static void test_the_skin_of_a_sheet_is_closed(void **state)
{
    (void)state;
    for (int refinement = 1; refinement <= 3; ++refinement) {
        pliant_sheet_def def = pliant_default_sheet_def();
        def.width = 2.0f;
        def.columns = 12;
        def.rows = 7;
        def.skin_refinement = refinement;
        shape s = sheet_of(&def);
        check_skin(&s, 2.0 * 1.0 * 0.01, 0.001, 0.005);
        shape_free(&s);
    }
}

#define EXPECT_NO_SHEET(change)                                                                    \
    do {                                                                                           \
        pliant_sheet_def d = pliant_default_sheet_def();                                           \
        change;                                                                                    \
        assert_int_equal(pliant_builder_add_sheet(builder, &d), -1);                               \
    } while (0)

static void test_sheets_out_of_range_are_refused(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    EXPECT_NO_SHEET(d.width = 0);
    EXPECT_NO_SHEET(d.width = INFINITY);
    EXPECT_NO_SHEET(d.height = -1);
    EXPECT_NO_SHEET(d.height = NAN);
    EXPECT_NO_SHEET(d.thickness = 0);
    EXPECT_NO_SHEET(d.thickness = NAN);
    EXPECT_NO_SHEET(d.columns = 1);
    EXPECT_NO_SHEET(d.columns = 4097);
    EXPECT_NO_SHEET(d.rows = 1);
    EXPECT_NO_SHEET(d.rows = 4097);
    EXPECT_NO_SHEET(d.area_density = 0);
    EXPECT_NO_SHEET(d.area_density = NAN);
    EXPECT_NO_SHEET(d.stiffness = 1.5f);
    EXPECT_NO_SHEET(d.stretch_stiffness = -0.5f);
    EXPECT_NO_SHEET(d.skin_refinement = 0);
    EXPECT_NO_SHEET(d.skin_refinement = 17);
    assert_int_equal(pliant_builder_particle_count(builder), 0);
    pliant_builder_destroy(builder);
}

// ---------------------------------------------------------------------------------------------
// Blocks

static void test_a_block_is_filled_with_particles(void **state)
{
    (void)state;
    pliant_block_def def = pliant_default_block_def();
    def.centre = (vec3){1, 2, 3};
    def.size = (vec3){0.6f, 0.4f, 0.2f};
    memcpy(def.counts, (int[]){6, 4, 2}, sizeof def.counts);
    shape s = block_of(&def);
    assert_int_equal(pliant_model_particle_count(s.model), 6 * 4 * 2);
    assert_near(mass_of(&s) / (1000 * 0.6 * 0.4 * 0.2), 1.0, 0.02);
    // All 26 neighbours, each pair once: Π (3n - 2) counts ordered pairs and each with itself.
    assert_int_equal(pliant_model_edge_count(s.model), (16 * 10 * 4 - 48) / 2);
    const pliant_particle_def *p = pliant_model_particles(s.model);
    const pliant_particle_def *at = &p[(1 * 4 + 2) * 6 + 3]; // i = 3, j = 2, k = 1
    assert_near(at->position.x, 1.05, 1e-6);
    assert_near(at->position.y, 2.05, 1e-6);
    assert_near(at->position.z, 3.05, 1e-6);
    shape_free(&s);
}

// The box less what the rounding takes: along the edges, in units of the particles' radii r, a
// quarter of (4 - π) r² each, and the corners of a cube less those of a ball.
static double rounded_box_volume(const pliant_block_def *def)
{
    double r[3] = {0.5 * def->size.x / def->counts[0], 0.5 * def->size.y / def->counts[1],
                   0.5 * def->size.z / def->counts[2]};
    double inner[3] = {def->size.x - 2 * r[0], def->size.y - 2 * r[1], def->size.z - 2 * r[2]};
    double volume = inner[0] * inner[1] * inner[2] + 4.0 / 3.0 * PI * r[0] * r[1] * r[2];
    for (int a = 0; a < 3; ++a) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        volume += 2 * r[a] * inner[b] * inner[c] + PI * r[b] * r[c] * inner[a];
    }
    return volume;
}

static void test_the_skin_of_a_block_is_closed(void **state)
{
    (void)state;
    static const int counts[][3] = {{5, 5, 5}, {2, 2, 2}, {6, 4, 2}, {2, 9, 3}};
    for (int k = 0; k < 4; ++k) {
        pliant_block_def def = pliant_default_block_def();
        def.centre = (vec3){0.3f, -0.2f, 0.1f};
        def.size = (vec3){0.6f, 0.5f, 0.4f};
        memcpy(def.counts, counts[k], sizeof def.counts);
        def.skin_refinement = 4;
        shape s = block_of(&def);
        check_skin(&s, rounded_box_volume(&def), 0.03, largest_radius(&s));
        shape_free(&s);
    }
}

#define EXPECT_NO_BLOCK(change)                                                                    \
    do {                                                                                           \
        pliant_block_def d = pliant_default_block_def();                                           \
        change;                                                                                    \
        assert_int_equal(pliant_builder_add_block(builder, &d), -1);                               \
    } while (0)

static void test_blocks_out_of_range_are_refused(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NO_BLOCK(d.counts[k] = 1);
        EXPECT_NO_BLOCK(d.counts[k] = 257);
        EXPECT_NO_BLOCK((&d.size.x)[k] = 0);
        EXPECT_NO_BLOCK((&d.size.x)[k] = NAN);
        EXPECT_NO_BLOCK((&d.size.x)[k] = INFINITY);
        EXPECT_NO_BLOCK((&d.centre.x)[k] = NAN);
    }
    EXPECT_NO_BLOCK(d.density = 0);
    EXPECT_NO_BLOCK(d.density = NAN);
    EXPECT_NO_BLOCK(d.stiffness = 1.5f);
    EXPECT_NO_BLOCK(d.stiffness = NAN);
    EXPECT_NO_BLOCK(d.skin_refinement = 0);
    EXPECT_NO_BLOCK(d.skin_refinement = 17);
    assert_int_equal(pliant_builder_particle_count(builder), 0);
    pliant_builder_destroy(builder);
}

// ---------------------------------------------------------------------------------------------
// Balls

static void test_a_ball_is_one_particle(void **state)
{
    (void)state;
    pliant_ball_def def = pliant_default_ball_def();
    def.centre = (vec3){1, 2, 3};
    def.radii = (vec3){0.3f, 0.2f, 0.1f};
    shape s = ball_of(&def);
    assert_int_equal(pliant_model_particle_count(s.model), 1);
    assert_int_equal(pliant_model_edge_count(s.model), 0);
    assert_near(mass_of(&s) / (1000 * 4.0 / 3.0 * PI * 0.3 * 0.2 * 0.1), 1.0, 1e-5);
    const pliant_particle_def *p = pliant_model_particles(s.model);
    assert_true(p->position.z == 3.0f && p->radii.x == 0.3f);
    shape_free(&s);
}

static void test_the_skin_of_a_ball_is_closed(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        pliant_ball_def def = pliant_default_ball_def();
        def.centre = (vec3){0.1f, 0.2f, 0.3f};
        def.orientation = k ? (quat){1, 2, 3, 4} : quat_identity();
        def.radii = k ? (vec3){0.3f, 0.2f, 0.1f} : (vec3){0.2f, 0.2f, 0.2f};
        def.rings = 32;
        shape s = ball_of(&def);
        double volume = 4.0 / 3.0 * PI * def.radii.x * def.radii.y * def.radii.z;
        check_skin(&s, volume, 0.02, largest_radius(&s));
        shape_free(&s);
    }
}

// Every vertex lies on the ellipsoid of its particle.
static void test_the_skin_of_a_ball_is_its_particle(void **state)
{
    (void)state;
    pliant_ball_def def = pliant_default_ball_def();
    def.orientation = (quat){1, 2, 3, 4};
    def.radii = (vec3){0.3f, 0.2f, 0.1f};
    shape s = ball_of(&def);
    const pliant_particle_def *p = pliant_model_particles(s.model);
    for (int i = 0; i < pliant_model_vertex_count(s.model); ++i) {
        vec3 local =
            quat_rotate(quat_conjugate(p->orientation), pliant_model_vertices(s.model)[i].position);
        vec3 unit = {local.x / 0.3f, local.y / 0.2f, local.z / 0.1f};
        assert_near(vec3_length(unit), 1.0, 1e-5);
    }
    shape_free(&s);
}

#define EXPECT_NO_BALL(change)                                                                     \
    do {                                                                                           \
        pliant_ball_def d = pliant_default_ball_def();                                             \
        change;                                                                                    \
        assert_int_equal(pliant_builder_add_ball(builder, &d), -1);                                \
    } while (0)

static void test_balls_out_of_range_are_refused(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NO_BALL((&d.radii.x)[k] = 0);
        EXPECT_NO_BALL((&d.radii.x)[k] = NAN);
        EXPECT_NO_BALL((&d.radii.x)[k] = INFINITY);
        EXPECT_NO_BALL((&d.centre.x)[k] = INFINITY);
    }
    EXPECT_NO_BALL(d.density = -1);
    EXPECT_NO_BALL(d.density = INFINITY);
    EXPECT_NO_BALL(d.stiffness = 2);
    EXPECT_NO_BALL(d.orientation = ((quat){0, 0, 0, 0}));
    EXPECT_NO_BALL(d.orientation.x = NAN);
    EXPECT_NO_BALL(d.orientation.x = INFINITY);
    EXPECT_NO_BALL(d.rings = 1);
    EXPECT_NO_BALL(d.rings = 257);
    assert_int_equal(pliant_builder_particle_count(builder), 0);
    pliant_builder_destroy(builder);
}

// ---------------------------------------------------------------------------------------------
// All of them

static void test_shapes_follow_one_another_in_a_builder(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_rope_def rope = pliant_default_rope_def();
    pliant_sheet_def sheet = pliant_default_sheet_def();
    pliant_block_def block = pliant_default_block_def();
    pliant_ball_def ball = pliant_default_ball_def();
    assert_int_equal(pliant_builder_add_rope(builder, &rope), 0);
    assert_int_equal(pliant_builder_add_sheet(builder, &sheet), 30);
    assert_int_equal(pliant_builder_add_block(builder, &block), 30 + 441);
    assert_int_equal(pliant_builder_add_ball(builder, &ball), 30 + 441 + 125);
    shape s = shape_of(builder, 0);
    assert_int_equal(pliant_model_particle_count(s.model), 30 + 441 + 125 + 1);
    assert_true(pliant_model_triangle_count(s.model) > 0);
    check_links(&s, 0.11); // each skin hangs on its own particles
    shape_free(&s);
}

// The smallest counts that are allowed.
static void test_the_smallest_shapes_are_sound(void **state)
{
    (void)state;
    pliant_rope_def rope = pliant_default_rope_def();
    rope.particles = 2;
    rope.sides = 3;
    pliant_sheet_def sheet = pliant_default_sheet_def();
    sheet.columns = sheet.rows = 2;
    sheet.skin_refinement = 1;
    pliant_block_def block = pliant_default_block_def();
    block.counts[0] = block.counts[1] = block.counts[2] = 2;
    block.skin_refinement = 1;
    pliant_ball_def ball = pliant_default_ball_def();
    ball.rings = 2;
    shape shapes[4] = {rope_of(&rope), sheet_of(&sheet), block_of(&block), ball_of(&ball)};
    for (int i = 0; i < 4; ++i) {
        check_closed(&shapes[i], 1e-5f);
        assert_true(volume_of(&shapes[i]) > 0);
        shape_free(&shapes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rope_is_a_chain),
        cmocka_unit_test(test_the_skin_of_a_rope_is_closed),
        cmocka_unit_test(test_particles_of_a_rope_lie_along_it),
        cmocka_unit_test(test_ropes_out_of_range_are_refused),
        cmocka_unit_test(test_a_sheet_is_a_grid_from_its_top_edge_down),
        cmocka_unit_test(test_the_skin_of_a_sheet_is_closed),
        cmocka_unit_test(test_sheets_out_of_range_are_refused),
        cmocka_unit_test(test_a_block_is_filled_with_particles),
        cmocka_unit_test(test_the_skin_of_a_block_is_closed),
        cmocka_unit_test(test_blocks_out_of_range_are_refused),
        cmocka_unit_test(test_a_ball_is_one_particle),
        cmocka_unit_test(test_the_skin_of_a_ball_is_closed),
        cmocka_unit_test(test_the_skin_of_a_ball_is_its_particle),
        cmocka_unit_test(test_balls_out_of_range_are_refused),
        cmocka_unit_test(test_shapes_follow_one_another_in_a_builder),
        cmocka_unit_test(test_the_smallest_shapes_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
