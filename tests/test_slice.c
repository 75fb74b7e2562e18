// Slicing: cut lines become one layer of particles with a quad-like net, along the surface and in it only.

#include "draft/draft.h"
#include "test.h"

static const float H = 0.1f;
static const double PI = 3.14159265358979323846;

// ---------------------------------------------------------------------------------------------
// Meshes

typedef struct maker {
    vec3 *positions;
    int32_t *triangles;
    int32_t vertex_count, triangle_count;
} maker;

static maker maker_begin(void)
{
    enum { ROOM = 60000 };
    return (maker){.positions = malloc(ROOM * sizeof(vec3)),
                   .triangles = malloc(3 * ROOM * sizeof(int32_t))};
}

static int32_t add_vertex(maker *m, vec3 x)
{
    m->positions[m->vertex_count] = x;
    return m->vertex_count++;
}

static void add_triangle(maker *m, int32_t a, int32_t b, int32_t c)
{
    int32_t *corners = m->triangles + 3 * m->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

typedef vec3 surface(float u, float v, const float *sizes);

// u and v from 0 to 1.
static void add_grid(maker *m, int columns, int rows, surface *f, const float *sizes)
{
    int32_t base = m->vertex_count;
    for (int row = 0; row <= rows; ++row)
        for (int column = 0; column <= columns; ++column)
            add_vertex(m, f((float)column / (float)columns, (float)row / (float)rows, sizes));
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            int32_t a = base + row * (columns + 1) + column, b = a + columns + 1;
            add_triangle(m, a, a + 1, b + 1);
            add_triangle(m, a, b + 1, b);
        }
    }
}

static pliant_mesh *maker_end(maker *m)
{
    pliant_mesh *mesh = pliant_mesh_create(m->vertex_count, m->triangle_count, 1);
    memcpy(mesh->positions, m->positions, (size_t)m->vertex_count * sizeof(vec3));
    memcpy(mesh->triangles, m->triangles, 3 * (size_t)m->triangle_count * sizeof(int32_t));
    mesh->parts[0] =
        (pliant_mesh_part){.vertex_count = m->vertex_count, .triangle_count = m->triangle_count};
    free(m->positions);
    free(m->triangles);
    return mesh;
}

// sizes: width, height, z
static vec3 flat(float u, float v, const float *sizes)
{
    return (vec3){(u - 0.5f) * sizes[0], v * sizes[1], sizes[2]};
}

static vec3 turned_flat(float u, float v, const float *sizes)
{
    return flat(1.0f - u, v, sizes);
}

// A rim along u at v = 0 or along v at u = 0: sizes: width, height, thickness, which
static vec3 rim(float u, float v, const float *sizes)
{
    float z = (v - 0.5f) * sizes[2], x = 0.5f * sizes[0], y = sizes[1];
    if (sizes[3] == 0.0f)
        return (vec3){(0.5f - u) * sizes[0], 0, z};
    if (sizes[3] == 1.0f)
        return (vec3){(u - 0.5f) * sizes[0], y, z};
    return (vec3){sizes[3] == 2.0f ? -x : x, (sizes[3] == 2.0f ? u : 1.0f - u) * y, z};
}

static pliant_mesh *make_sheet(float width, float height, float thickness, bool has_rim)
{
    enum { COLUMNS = 30, ROWS = 40 };
    maker m = maker_begin();
    add_grid(&m, COLUMNS, ROWS, flat, (float[]){width, height, 0.5f * thickness});
    add_grid(&m, COLUMNS, ROWS, turned_flat, (float[]){width, height, -0.5f * thickness});
    for (int k = 0; has_rim && k < 4; ++k)
        add_grid(&m, k < 2 ? COLUMNS : ROWS, 1, rim, (float[]){width, height, thickness, (float)k});
    return maker_end(&m);
}

// Exact where a grid closes, so that vertices weld.
static vec3 on_circle(float turn, float radius, float y)
{
    float sine, cosine;
    trig_sin_cos((turn == 1.0f ? 0.0f : turn) * 2.0f * (float)PI, &sine, &cosine);
    return (vec3){radius * sine, y, radius * cosine};
}

// sizes: radius below, radius above, height, x, y
static vec3 cone(float u, float v, const float *sizes)
{
    vec3 x = on_circle(u, sizes[0] + v * (sizes[1] - sizes[0]), v * sizes[2]);
    return vec3_add(x, (vec3){sizes[3], sizes[4], 0});
}

static pliant_mesh *make_cone(float radius_below, float radius_above, float height)
{
    maker m = maker_begin();
    add_grid(&m, 48, 40, cone, (float[]){radius_below, radius_above, height, 0, 0});
    return maker_end(&m);
}

static vec3 sphere(float u, float v, const float *sizes)
{
    float sine, cosine;
    trig_sin_cos(v * (float)PI, &sine, &cosine);
    if (v == 0.0f || v == 1.0f)
        return (vec3){0, v == 0.0f ? -sizes[0] : sizes[0], 0};
    return on_circle(u, sizes[0] * sine, -sizes[0] * cosine);
}

// A waist whose cross section is a figure of eight closing into two legs.
static vec3 leg(float u, float v, const float *sizes)
{
    vec3 x = on_circle(u, sizes[0], v * sizes[1]);
    return vec3_add(x, (vec3){sizes[2], sizes[3], 0});
}

// Each triangle with vertices of its own, in another order with `step` (prime to the count).
static pliant_mesh *make_soup(const pliant_mesh *mesh, int64_t step)
{
    maker m = maker_begin();
    for (int64_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *corners = mesh->triangles + 3 * (i * step % mesh->triangle_count);
        for (int k = 0; k < 3; ++k)
            add_vertex(&m, mesh->positions[corners[k]]);
        add_triangle(&m, m.vertex_count - 3, m.vertex_count - 2, m.vertex_count - 1);
    }
    return maker_end(&m);
}

// ---------------------------------------------------------------------------------------------
// Drafts

static pliant_draft *slice(const pliant_mesh *mesh, const pliant_slice_def *def)
{
    pliant_error error = {0};
    pliant_draft *draft = pliant_draft_create(mesh, &error);
    if (!draft || pliant_draft_slice(draft, def, &error) != PLIANT_OK)
        fail_msg("%s: %s", error.place, error.message);
    return draft;
}

static pliant_slice_def def_of(float spacing)
{
    pliant_slice_def def = pliant_default_slice_def();
    def.spacing = spacing;
    return def;
}

static pliant_draft *slice_mesh_at(const pliant_mesh *mesh, float spacing)
{
    pliant_slice_def def = def_of(spacing);
    return slice(mesh, &def);
}

static vec3 place(const pliant_draft *draft, int particle)
{
    return draft->particles[particle].position;
}

static float gap(const pliant_draft *draft, int a, int b)
{
    return vec3_length(vec3_sub(place(draft, a), place(draft, b)));
}

static float closest_pair(const pliant_draft *draft)
{
    float closest = 1e9f;
    for (int a = 0; a < draft->particle_count; ++a)
        for (int b = 0; b < a; ++b)
            closest = minimum(closest, gap(draft, a, b));
    return closest;
}

static int degree(const pliant_draft *draft, int particle)
{
    int count = 0;
    for (int i = 0; i < draft->edge_count; ++i)
        count += draft->edges[i].a == particle || draft->edges[i].b == particle;
    return count;
}

static float longest_edge(const pliant_draft *draft)
{
    float longest = 0;
    for (int i = 0; i < draft->edge_count; ++i)
        longest = maximum(longest, gap(draft, draft->edges[i].a, draft->edges[i].b));
    return longest;
}

// Parts of the net that hang together.
static int part_count(const pliant_draft *draft)
{
    int n = draft->particle_count, parts = n;
    int *roots = malloc((size_t)n * sizeof *roots);
    for (int i = 0; i < n; ++i)
        roots[i] = i;
    for (int i = 0; i < draft->edge_count; ++i) {
        int a = draft->edges[i].a, b = draft->edges[i].b;
        while (roots[a] != a)
            a = roots[a];
        while (roots[b] != b)
            b = roots[b];
        parts -= a != b;
        roots[a] = b;
    }
    free(roots);
    return parts;
}

// How far the vertex that is worst off is from the nearest particle, in spacings.
static double worst_cover(const pliant_draft *draft)
{
    double worst = 0;
    for (int32_t v = 0; v < draft->mesh->vertex_count; ++v) {
        float nearest = 1e9f;
        for (int i = 0; i < draft->particle_count; ++i) {
            vec3 d = vec3_sub(place(draft, i), draft->mesh->positions[v]);
            nearest = minimum(nearest, vec3_length(d));
        }
        worst = fmax(worst, nearest / H);
    }
    return worst;
}

static void finish(pliant_draft *draft, pliant_mesh *mesh)
{
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------

static void check_sheet(const pliant_draft *draft, float width, float height, const char *what)
{
    float off = 0;
    int odd = 0, inner = 0;
    for (int i = 0; i < draft->particle_count; ++i) {
        vec3 x = place(draft, i);
        off = maximum(off, absolute(x.z));
        bool is_inner =
            absolute(x.x) < 0.5f * width - 0.5f * H && x.y > 0.5f * H && x.y < height - 0.5f * H;
        inner += is_inner;
        odd += is_inner && degree(draft, i) != 4;
    }
    print_message("%s: %d particles, %d edges, closest %.3f h, %.3f h off the middle\n", what,
                  draft->particle_count, draft->edge_count, closest_pair(draft) / H, off / H);
    assert_true(closest_pair(draft) > 0.6f * H);
    assert_below(off, 0.01f * H);
    // One particle for each cell of the net, and the border's half cells.
    double expected = (width / H + 1.0) * (height / H + 1.0);
    assert_near(draft->particle_count, expected, 0.1 * expected);
    assert_true(inner > 50);
    assert_int_equal(odd, 0);
    assert_int_equal(part_count(draft), 1);
    assert_below(longest_edge(draft), 1.3f * H);
}

static void test_a_sheet_with_two_sides_gives_one_layer(void **state)
{
    (void)state;
    for (int has_rim = 0; has_rim < 2; ++has_rim) {
        pliant_mesh *mesh = make_sheet(0.93f, 1.47f, 0.25f * H, has_rim);
        pliant_draft *draft = slice_mesh_at(mesh, H);
        check_sheet(draft, 0.93f, 1.47f, has_rim ? "closed sheet" : "sheet without rim");
        assert_near(draft->spacing, H, 0);
        assert_near(draft->bridge, 0.25f * H, 0);
        finish(draft, mesh);
    }
}

static void test_particles_lie_flat_in_the_sheet(void **state)
{
    (void)state;
    pliant_mesh *mesh = make_sheet(0.9f, 1.4f, 0.25f * H, true);
    pliant_draft *draft = slice_mesh_at(mesh, H);
    for (int i = 0; i < draft->particle_count; ++i) {
        const pliant_particle_def *p = &draft->particles[i];
        assert_near(absolute(quat_rotate(p->orientation, (vec3){1, 0, 0}).z), 1, 1e-3);
        assert_near(p->radii.x, 0.15f * H, 1e-6);
        assert_near(p->radii.y, 0.6f * H, 1e-6);
        assert_near(p->radii.z, 0.6f * H, 1e-6);
        assert_in_range(draft->anchors[i].triangle, 0, mesh->triangle_count - 1);
        assert_near(vec3_length(vec3_sub(draft->anchors[i].position, p->position)), 0, 1e-6);
    }
    pliant_draft_destroy(draft);
    pliant_slice_def def = def_of(H);
    def.particle.radii = (vec3){0.01f, 0.02f, 0.03f};
    def.particle.stiffness = 0.125f;
    def.edges = false;
    draft = slice(mesh, &def);
    assert_near(draft->particles[7].radii.z, 0.03f, 0);
    assert_near(draft->particles[7].stiffness, 0.125f, 0);
    assert_int_equal(draft->edge_count, 0);
    finish(draft, mesh);
}

static void test_soup_is_welded(void **state)
{
    (void)state;
    pliant_mesh *mesh = make_sheet(0.93f, 1.47f, 0.25f * H, true);
    pliant_mesh *soup = make_soup(mesh, 1), *shuffled = make_soup(mesh, 3571);
    pliant_draft *a = slice_mesh_at(mesh, H), *b = slice_mesh_at(soup, H),
                 *c = slice_mesh_at(shuffled, H);
    assert_int_equal(a->particle_count, b->particle_count);
    assert_memory_equal(a->particles, b->particles,
                        (size_t)a->particle_count * sizeof *a->particles);
    assert_int_equal(a->edge_count, b->edge_count);
    assert_memory_equal(a->edges, b->edges, (size_t)a->edge_count * sizeof *a->edges);
    check_sheet(c, 0.93f, 1.47f, "shuffled soup");
    assert_near(c->particle_count, a->particle_count, 0.03 * a->particle_count);
    finish(a, mesh);
    finish(b, soup);
    finish(c, shuffled);
}

static void test_doubled_triangles_count_once(void **state)
{
    (void)state;
    maker m = maker_begin();
    add_grid(&m, 20, 30, flat, (float[]){0.8f, 1.2f, 0});
    for (int32_t i = 2 * 20 * 30 - 1; i >= 0; --i)
        add_triangle(&m, m.triangles[3 * i], m.triangles[3 * i + 2], m.triangles[3 * i + 1]);
    pliant_mesh *mesh = maker_end(&m);
    pliant_draft *draft = slice_mesh_at(mesh, H);
    check_sheet(draft, 0.8f, 1.2f, "doubled sheet");
    finish(draft, mesh);
}

// A ring of particles on every level, and quads between them.
static void test_a_tube_becomes_rings(void **state)
{
    (void)state;
    pliant_mesh *mesh = make_cone(0.3f, 0.3f, 1.2f);
    pliant_draft *draft = slice_mesh_at(mesh, H);
    int around = (int)(2 * PI * 0.3 / H + 0.5), levels = 13;
    assert_int_equal(draft->particle_count, around * levels);
    assert_int_equal(draft->edge_count, around * levels + around * (levels - 1));
    assert_true(closest_pair(draft) > 0.9f * H);
    assert_below(longest_edge(draft), 1.1f * H);
    for (int i = 0; i < draft->particle_count; ++i) {
        vec3 x = place(draft, i), out = {x.x, 0, x.z};
        assert_near(vec3_length(out), 0.3f, 0.001f);
        vec3 thin = quat_rotate(draft->particles[i].orientation, (vec3){1, 0, 0});
        assert_near(vec3_dot(thin, out) / 0.3f, 1, 0.02);
    }
    finish(draft, mesh);
}

static void test_a_thick_tube_gives_one_layer(void **state)
{
    (void)state;
    maker m = maker_begin();
    float t = 0.25f * H;
    add_grid(&m, 48, 40, cone, (float[]){0.3f + 0.5f * t, 0.3f + 0.5f * t, 1.2f, 0, 0});
    add_grid(&m, 48, 40, cone, (float[]){0.3f - 0.5f * t, 0.3f - 0.5f * t, 1.2f, 0, 0});
    add_grid(&m, 48, 1, cone, (float[]){0.3f - 0.5f * t, 0.3f + 0.5f * t, 0, 0, 0});
    add_grid(&m, 48, 1, cone, (float[]){0.3f - 0.5f * t, 0.3f + 0.5f * t, 0, 0, 1.2f});
    pliant_mesh *mesh = maker_end(&m);
    pliant_draft *draft = slice_mesh_at(mesh, H);
    int around = (int)(2 * PI * 0.3125 / H + 0.5);
    assert_near(draft->particle_count, around * 13, 13);
    assert_true(closest_pair(draft) > 0.85f * H);
    for (int i = 0; i < draft->particle_count; ++i) {
        vec3 x = place(draft, i);
        assert_near(vec3_length((vec3){x.x, 0, x.z}), 0.3f, 0.002f);
    }
    assert_int_equal(part_count(draft), 1);
    finish(draft, mesh);
}

static void test_flat_ends_are_covered(void **state)
{
    (void)state;
    maker m = maker_begin();
    add_grid(&m, 48, 40, cone, (float[]){0.3f, 0.3f, 1.2f, 0, 0});
    add_grid(&m, 48, 12, cone, (float[]){0.0f, 0.3f, 0, 0, 0});
    add_grid(&m, 48, 12, cone, (float[]){0.3f, 0.0f, 0, 0, 1.2f});
    pliant_mesh *mesh = maker_end(&m);
    pliant_draft *draft = slice_mesh_at(mesh, H);
    int around = (int)(2 * PI * 0.3 / H + 0.5);
    assert_true(draft->particle_count > around * 13 + 2 * 15);
    assert_below(worst_cover(draft), 1.05);
    assert_true(closest_pair(draft) > 0.6f * H);
    assert_int_equal(part_count(draft), 1);
    finish(draft, mesh);
}

// Levels are a spacing apart along the slope, not along the axis.
static void test_levels_follow_the_slope(void **state)
{
    (void)state;
    pliant_mesh *mesh = make_cone(1.0f, 0.1f, 1.2f);
    pliant_slice_def def = def_of(H);
    def.axis = (vec3){0, 2, 0};
    pliant_draft *draft = slice(mesh, &def);
    double slope = 1.5;
    float last = place(draft, 0).y;
    int levels = 1;
    for (int i = 1; i < draft->particle_count; ++i) {
        float y = place(draft, i).y;
        if (absolute(y - last) < 1e-5f)
            continue;
        assert_near((y - last) * slope / 1.2, H, 0.03 * H);
        last = y;
        ++levels;
    }
    assert_int_equal(levels, 16);
    double area = PI * 1.1 * slope;
    print_message("cone: %d particles for %.0f h²\n", draft->particle_count, area / (H * H));
    assert_near(draft->particle_count, area / (H * H), 0.12 * area / (H * H));
    assert_true(closest_pair(draft) > 0.6f * H);
    assert_int_equal(part_count(draft), 1);
    assert_below(longest_edge(draft), 1.5f * H);
    finish(draft, mesh);
}

static void test_a_ball_has_one_particle_at_each_pole(void **state)
{
    (void)state;
    maker m = maker_begin();
    add_grid(&m, 48, 32, sphere, (float[]){0.5f});
    pliant_mesh *mesh = maker_end(&m);
    pliant_draft *draft = slice_mesh_at(mesh, H);
    assert_near(place(draft, 0).y, -0.5, 1e-3);
    assert_near(place(draft, 0).x, 0, 1e-3);
    assert_near(place(draft, draft->particle_count - 1).y, 0.5, 1e-3);
    double expected = 4 * PI * 0.25 / (H * H);
    print_message("ball: %d particles for %.0f h², closest %.2f h\n", draft->particle_count,
                  expected, closest_pair(draft) / H);
    assert_near(draft->particle_count, expected, 0.1 * expected);
    assert_true(closest_pair(draft) > 0.6f * H);
    assert_int_equal(part_count(draft), 1);
    finish(draft, mesh);
}

// Two legs half a spacing apart, one shorter, under a common waist. Nothing may join them but the waist.
static void test_legs_stay_apart(void **state)
{
    (void)state;
    maker m = maker_begin();
    float r = 0.15f, offset = r + 0.35f * H;
    add_grid(&m, 32, 40, leg, (float[]){r, 1.0f, -offset, 0});
    add_grid(&m, 32, 40, leg, (float[]){r, 0.63f, offset, 0.37f});
    // The crotch: each leg's inner half is bridged to the other's.
    int32_t left = 40 * 33, right = 41 * 33 + 40 * 33;
    for (int k = 0; k < 16; ++k) {
        int32_t a = left + k, b = right + (32 - k);
        add_triangle(&m, a, a + 1, b);
        add_triangle(&m, a + 1, b - 1, b);
    }
    pliant_mesh *mesh = maker_end(&m);
    pliant_draft *draft = slice_mesh_at(mesh, H);
    int between = 0;
    for (int i = 0; i < draft->edge_count; ++i) {
        vec3 a = place(draft, draft->edges[i].a), b = place(draft, draft->edges[i].b);
        if (a.y < 0.95f && b.y < 0.95f)
            between += (a.x < 0.0f) != (b.x < 0.0f);
    }
    assert_int_equal(between, 0);
    int lowest_right = 0;
    for (int i = 0; i < draft->particle_count; ++i)
        lowest_right += place(draft, i).x > 0.0f && place(draft, i).y < 0.5f;
    assert_true(lowest_right >= 8); // the shorter leg begins beside the other
    assert_int_equal(part_count(draft), 1);
    finish(draft, mesh);
}

// A tube that lies across the walk, beside one that stands: no level is at its top or bottom by itself.
static void test_parts_that_end_between_levels_are_closed(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        maker m = maker_begin();
        add_grid(&m, 48, 40, cone, (float[]){0.3f, 0.3f, 1.5f, 0, 0});
        int32_t first = m.vertex_count;
        add_grid(&m, 32, 30, cone, (float[]){0.23f, 0.2f, 1.0f, 0, 0});
        for (int32_t i = first; i < m.vertex_count; ++i) {
            vec3 x = m.positions[i];
            m.positions[i] = (vec3){0.6f + x.y, 0.7f + 0.0125f * (float)k + x.x, x.z};
        }
        pliant_mesh *mesh = maker_end(&m);
        pliant_slice_def def = def_of(H);
        def.axis = (vec3){0, 1, 0};
        pliant_draft *draft = slice(mesh, &def);
        assert_int_equal(part_count(draft), 2);
        assert_below(worst_cover(draft), 1.05);
        assert_true(closest_pair(draft) > 0.6f * H);
        finish(draft, mesh);
    }
}

static void test_cracks_are_bridged_but_separate_things_are_not(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; ++wide) {
        maker m = maker_begin();
        // Four panels with gaps across and along the levels.
        float crack = wide ? 0.5f * H : 0.05f * H;
        for (int k = 0; k < 4; ++k) {
            int32_t first = m.vertex_count;
            add_grid(&m, 8, 10, flat, (float[]){0.4f, 0.65f, 0});
            for (int32_t i = first; i < m.vertex_count; ++i)
                m.positions[i] =
                    vec3_add(m.positions[i], (vec3){(float)(k % 2) * (0.4f + crack),
                                                    (float)(k / 2) * (0.65f + crack), 0});
        }
        pliant_mesh *mesh = maker_end(&m);
        pliant_draft *draft = slice_mesh_at(mesh, H);
        assert_int_equal(part_count(draft) > 1, wide);
        if (!wide)
            assert_true(closest_pair(draft) > 0.6f * H);
        finish(draft, mesh);
    }
}

static void test_only_the_selection_is_cut(void **state)
{
    (void)state;
    pliant_mesh *mesh = make_sheet(0.9f, 1.5f, 0.25f * H, true);
    pliant_selection upper = {.indices = malloc((size_t)mesh->vertex_count * sizeof(int32_t))};
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        if (mesh->positions[v].y > 0.74f)
            upper.indices[upper.count++] = v;
    pliant_slice_def def = def_of(H);
    def.vertices = &upper;
    def.axis = (vec3){0, 1, 0};
    pliant_draft *draft = slice(mesh, &def);
    float low = 9;
    for (int i = 0; i < draft->particle_count; ++i)
        low = minimum(low, place(draft, i).y);
    assert_near(low, 0.75, 1e-3);
    assert_near(draft->particle_count, 10 * 8.5, 10 * 0.8);
    assert_true(closest_pair(draft) > 0.6f * H);
    finish(draft, mesh);
    pliant_selection_release(&upper);
}

static void test_a_turned_mesh_gives_a_turned_net(void **state)
{
    (void)state;
    uint32_t seed = 7;
    pliant_mesh *mesh = make_sheet(0.93f, 1.47f, 0.25f * H, true);
    pliant_draft *draft = slice_mesh_at(mesh, H);
    for (int round = 0; round < 5; ++round) {
        quat q = random_quat(&seed);
        vec3 shift = random_vec3(&seed, 3.0f);
        pliant_mesh *turned = make_soup(mesh, 1);
        for (int32_t v = 0; v < turned->vertex_count; ++v)
            turned->positions[v] = vec3_add(quat_rotate(q, turned->positions[v]), shift);
        pliant_draft *other = slice_mesh_at(turned, H);
        assert_int_equal(other->particle_count, draft->particle_count);
        assert_int_equal(other->edge_count, draft->edge_count);
        for (int i = 0; i < draft->particle_count; ++i) {
            vec3 expected = vec3_add(quat_rotate(q, place(draft, i)), shift);
            float nearest = 1e9f;
            for (int k = 0; k < other->particle_count; ++k)
                nearest = minimum(nearest, vec3_length(vec3_sub(place(other, k), expected)));
            assert_below(nearest, 0.03f * H);
        }
        finish(other, turned);
    }
    finish(draft, mesh);
}

static void test_random_soup_is_no_problem(void **state)
{
    (void)state;
    uint32_t seed = 99;
    for (int round = 0; round < 30; ++round) {
        maker m = maker_begin();
        int count = 1 + (int)(random_bits(&seed) % 300);
        float size = random_between(&seed, 0.001f, 1.0f);
        for (int i = 0; i < count; ++i) {
            vec3 centre = random_vec3(&seed, 1.0f);
            for (int k = 0; k < 3; ++k) {
                // Some corners are shared, in all the ways there are.
                bool again = m.vertex_count > 6 && random_bits(&seed) % 3 == 0;
                vec3 x = again ? m.positions[random_bits(&seed) % (uint32_t)m.vertex_count]
                               : vec3_add(centre, random_vec3(&seed, size));
                add_vertex(&m, x);
            }
            add_triangle(&m, 3 * i, 3 * i + 1, 3 * i + 2);
        }
        pliant_mesh *mesh = maker_end(&m);
        pliant_draft *draft = slice_mesh_at(mesh, random_between(&seed, 0.02f, 0.5f));
        assert_true(draft->particle_count > 0);
        for (int i = 0; i < draft->particle_count; ++i) {
            assert_true(vec3_is_finite(place(draft, i)));
            assert_true(quat_is_finite(draft->particles[i].orientation));
        }
        finish(draft, mesh);
    }
}

static void expect_error(const pliant_mesh *mesh, const pliant_slice_def *def, const char *place,
                         const char *message)
{
    pliant_error error = {0};
    pliant_draft *draft = pliant_draft_create(mesh, &error);
    assert_int_equal(pliant_draft_slice(draft, def, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    assert_non_null(strstr(error.message, message));
    assert_int_equal(draft->particle_count, 0);
    assert_int_equal(draft->edge_count, 0);
    assert_near(draft->spacing, 0, 0);
    pliant_draft_destroy(draft);
}

static void test_errors_are_told(void **state)
{
    (void)state;
    pliant_mesh *mesh = make_sheet(0.9f, 1.5f, 0.02f, true);
    pliant_slice_def def = def_of(0.0f);
    expect_error(mesh, &def, "spacing", "above 0");
    pliant_draft *draft = pliant_draft_create(mesh, NULL);
    assert_int_equal(pliant_draft_slice(draft, &def, NULL), PLIANT_ERROR_ARGUMENT);
    pliant_draft_destroy(draft);
    def.spacing = NAN;
    expect_error(mesh, &def, "spacing", "above 0");
    def.spacing = 0.0008f;
    expect_error(mesh, &def, "spacing", "more than 1000000 particles");
    def.spacing = 1e-20f;
    expect_error(mesh, &def, "spacing", "more than 1000000 particles");
    def.spacing = H;
    def.axis.y = INFINITY;
    expect_error(mesh, &def, "axis", "finite");
    def.axis.y = 0;
    int32_t indices[2] = {0, 1};
    pliant_selection two = {2, indices};
    def.vertices = &two;
    expect_error(mesh, &def, "vertices", "no triangle");
    indices[1] = mesh->vertex_count;
    expect_error(mesh, &def, "vertices", "of");
    pliant_mesh_destroy(mesh);
    pliant_mesh *empty = pliant_mesh_create(0, 0, 0);
    def.vertices = NULL;
    expect_error(empty, &def, "vertices", "no triangle");
    pliant_mesh_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sheet_with_two_sides_gives_one_layer),
        cmocka_unit_test(test_particles_lie_flat_in_the_sheet),
        cmocka_unit_test(test_soup_is_welded),
        cmocka_unit_test(test_doubled_triangles_count_once),
        cmocka_unit_test(test_a_tube_becomes_rings),
        cmocka_unit_test(test_a_thick_tube_gives_one_layer),
        cmocka_unit_test(test_flat_ends_are_covered),
        cmocka_unit_test(test_levels_follow_the_slope),
        cmocka_unit_test(test_a_ball_has_one_particle_at_each_pole),
        cmocka_unit_test(test_legs_stay_apart),
        cmocka_unit_test(test_parts_that_end_between_levels_are_closed),
        cmocka_unit_test(test_cracks_are_bridged_but_separate_things_are_not),
        cmocka_unit_test(test_only_the_selection_is_cut),
        cmocka_unit_test(test_a_turned_mesh_gives_a_turned_net),
        cmocka_unit_test(test_random_soup_is_no_problem),
        cmocka_unit_test(test_errors_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
