// Matter: the inside of meshes in any state, what hangs together and what merely comes close, and
// shortest ways.

#include "matter/matter.h"
#include "meshes.h"

typedef struct matter_case {
    pliant_mesh *mesh;
    topology *topology;
    matter *matter;
} matter_case;

static matter_case matter_of(pliant_mesh *mesh, float size, float bridge)
{
    matter_case c = {.mesh = mesh, .topology = pli_topology_create(mesh)};
    assert_non_null(c.topology);
    c.matter = pli_matter_create(c.topology, size, bridge, NULL);
    assert_non_null(c.matter);
    return c;
}

static void release(matter_case *c)
{
    pli_matter_destroy(c->matter);
    pli_topology_destroy(c->topology);
    pliant_mesh_destroy(c->mesh);
}

static double inner_volume(const matter *m)
{
    double volume = 0.0;
    for (int32_t n = 0; n < m->node_count; ++n)
        volume += (double)m->nodes[n].volume;
    return volume;
}

static float link_length(const matter *m, int32_t a, int32_t b)
{
    for (int32_t i = m->first_link[a]; i < m->first_link[a + 1]; ++i)
        if (m->link_nodes[i] == b)
            return m->link_lengths[i];
    return INFINITY;
}

// ---------------------------------------------------------------------------------------------
// The graph itself

static void check_links(const matter *m)
{
    for (int32_t n = 0; n < m->node_count; ++n) {
        for (int32_t i = m->first_link[n]; i < m->first_link[n + 1]; ++i) {
            int32_t other = m->link_nodes[i];
            assert_true(other != n && other >= 0 && other < m->node_count);
            assert_true(i == m->first_link[n] || m->link_nodes[i - 1] < other);
            assert_true(link_length(m, other, n) == m->link_lengths[i]);
            assert_near(m->link_lengths[i],
                        straight_between(m->nodes[n].centre, m->nodes[other].centre),
                        1e-3 * m->grid.size);
        }
    }
}

// Surface nodes hold all points and all of the area; the points of one lie in one cell.
static void check_surface(const matter_case *c)
{
    const matter *m = c->matter;
    double area = 0.0;
    int32_t points = 0;
    for (int32_t n = 0; n < m->surface_count; ++n) {
        area += (double)m->nodes[n].area;
        for (int32_t i = m->first_point_of_node[n]; i < m->first_point_of_node[n + 1]; ++i) {
            int32_t p = m->points_of_node[i];
            ++points;
            assert_int_equal(m->node_of_point[p], n);
            assert_int_equal(m->mesh->pieces[p], m->nodes[n].piece);
            cell own = cell_at(&m->grid, m->mesh->points[p]);
            cell first =
                cell_at(&m->grid, m->mesh->points[m->points_of_node[m->first_point_of_node[n]]]);
            assert_true(cell_equal(own, first));
        }
    }
    assert_int_equal(points, m->mesh->point_count);
    assert_near(area, mesh_area(c->mesh), 1e-3 * mesh_area(c->mesh));
}

// All but lonely points hangs together.
static void check_is_one(const matter *m)
{
    matter_search search;
    assert_true(pli_matter_search_begin(&search, m));
    int32_t start = 0;
    pli_matter_search_run(&search, &start, 1, INFINITY);
    for (int32_t n = 0; n < m->node_count; ++n)
        assert_true(search.distances[n] < INFINITY ||
                    (m->nodes[n].area == 0.0f && m->nodes[n].volume == 0.0f));
    pli_matter_search_end(&search);
}

static void links_and_areas_are_sound(void **unused)
{
    (void)unused;
    pliant_mesh *meshes[] = {
        box_mesh((vec3){1, 0.7f, 0.4f}, 3, 2, 1),
        soup(sphere_mesh(0.5f, 12)),
        shuffled(torus_mesh(0.5f, 0.2f, 40, 20), 11),
        hand_mesh(),
        tube_mesh(0.04f, 1.0f, 12, 60),
        box_mesh((vec3){1, 1, 0.01f}, 10, 10, 1),
        with_hole(sphere_mesh(0.5f, 12), (vec3){0.5f, 0, 0}, 0.2f),
    };
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; ++i) {
        matter_case c = matter_of(meshes[i], 0.04f, 0.0f);
        check_links(c.matter);
        check_surface(&c);
        check_is_one(c.matter);
        release(&c);
    }
}

// ---------------------------------------------------------------------------------------------
// The inside

// Each cell along the surface may be counted wrongly by half of it; rounding goes both ways.
static void check_volume(pliant_mesh *mesh, double exact, double part)
{
    const float size = 0.05f;
    matter_case c = matter_of(mesh, size, 0.0f);
    assert_near(inner_volume(c.matter), exact, part * mesh_area(mesh) * size);
    release(&c);
}

static void check_closed_volume(pliant_mesh *mesh, double part)
{
    check_volume(mesh, fabs(mesh_volume(mesh)), part);
}

static void the_inside_has_the_volume(void **unused)
{
    (void)unused;
    const quat turn = quat_normalize((quat){0.3f, -0.2f, 0.5f, 0.9f});
    const vec3 size = {1, 0.7f, 0.4f}, shift = {10, 0, -5};
    check_closed_volume(box_mesh(size, 5, 4, 3), 0.25); // parallel to the cells
    check_closed_volume(moved(box_mesh(size, 5, 4, 3), turn, shift), 0.05);
    check_closed_volume(sphere_mesh(0.5f, 20), 0.05);
    check_closed_volume(shuffled(soup(sphere_mesh(0.5f, 20)), 9), 0.05);
    check_closed_volume(inside_out(sphere_mesh(0.5f, 20)), 0.05);
    check_closed_volume(torus_mesh(0.5f, 0.2f, 64, 32), 0.05);
    check_closed_volume(moved(torus_mesh(0.5f, 0.2f, 64, 32), turn, shift), 0.05);
    check_closed_volume(moved(tube_mesh(0.2f, 1.0f, 32, 40), turn, shift), 0.05);
}

// A hole takes the votes along one axis; the other two decide. What bulges out over it is lost.
static void a_hole_lets_nothing_out(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = sphere_mesh(0.5f, 20);
    double exact = mesh_volume(mesh);
    check_volume(with_hole(mesh, (vec3){0, 0.5f, 0}, 0.25f), exact, 0.1);
    check_volume(with_hole(inside_out(sphere_mesh(0.5f, 20)), (vec3){0, 0, -0.5f}, 0.25f), exact,
                 0.1);
    check_volume(with_hole(box_mesh((vec3){1, 0.7f, 0.4f}, 20, 14, 8), (vec3){0.5f, 0, 0}, 0.1f),
                 0.28, 0.25);
    mesh = torus_mesh(0.5f, 0.2f, 64, 32);
    exact = mesh_volume(mesh);
    check_volume(with_hole(mesh, (vec3){0.7f, 0, 0}, 0.15f), exact, 0.1);
    // Two of them in one line: along it the hole of the ring seems to be inside.
    mesh = with_hole(torus_mesh(0.5f, 0.2f, 64, 32), (vec3){0.7f, 0, 0}, 0.15f);
    check_volume(with_hole(mesh, (vec3){-0.7f, 0, 0}, 0.15f), exact, 0.1);
}

static pliant_mesh *two_boxes(float shift)
{
    return joined(box_mesh((vec3){0.6f, 0.6f, 0.6f}, 6, 6, 6),
                  moved(box_mesh((vec3){0.6f, 0.6f, 0.6f}, 6, 6, 6), quat_identity(),
                        (vec3){shift, 0.013f, 0.017f}));
}

// What is in both counts once, and the way from one to the other goes through it.
static void overlapping_pieces_are_their_union(void **unused)
{
    (void)unused;
    const double both = 0.3 * 0.587 * 0.583;
    check_volume(two_boxes(0.3f), 2.0 * 0.216 - both, 0.15);
    matter_case c = matter_of(two_boxes(0.3f), 0.04f, 0.0f);
    check_links(c.matter);
    check_is_one(c.matter);
    release(&c);
}

static void open_sheets_have_no_inside(void **unused)
{
    (void)unused;
    matter_case c = matter_of(open_sheet_mesh(1.0f, 1.0f, 10, 10), 0.05f, 0.0f);
    assert_int_equal(c.matter->node_count, c.matter->surface_count);
    for (int32_t n = 0; n < c.matter->node_count; ++n) {
        assert_true(c.matter->nodes[n].thickness == INFINITY);
        assert_near(c.matter->nodes[n].normal.z, 1.0, 1e-5);
    }
    check_is_one(c.matter);
    release(&c);
}

static void normals_point_outwards(void **unused)
{
    (void)unused;
    for (int reversed = 0; reversed < 2; ++reversed) {
        pliant_mesh *mesh = sphere_mesh(0.5f, 16);
        matter_case c = matter_of(reversed ? inside_out(mesh) : mesh, 0.05f, 0.0f);
        for (int32_t n = 0; n < c.matter->surface_count; ++n) {
            vec3 out = vec3_scale(c.matter->nodes[n].centre, 2.0f);
            assert_true(vec3_dot(c.matter->nodes[n].normal, out) > 0.95f);
        }
        release(&c);
    }
}

// ---------------------------------------------------------------------------------------------
// What hangs together

static int32_t node_near(const matter *m, vec3 x)
{
    int32_t best = 0;
    for (int32_t n = 1; n < m->surface_count; ++n)
        if (straight_between(m->nodes[n].centre, x) < straight_between(m->nodes[best].centre, x))
            best = n;
    return best;
}

// Along the object between the surface nodes nearest to two places.
static double way_between(const matter *m, vec3 a, vec3 b)
{
    matter_search search;
    assert_true(pli_matter_search_begin(&search, m));
    int32_t start = node_near(m, a), end = node_near(m, b);
    pli_matter_search_run(&search, &start, 1, INFINITY);
    double way = search.distances[end];
    pli_matter_search_end(&search);
    return way;
}

// A cell at the root of a finger may reach into the palm.
static int finger_of_node(const matter *m, int32_t node)
{
    vec3 x = m->nodes[node].centre;
    return x.y < m->grid.size ? -1 : finger_at(x);
}

static void fingers_join_in_the_palm_only(void **unused)
{
    (void)unused;
    const float sizes[] = {0.02f, 0.033f, 0.05f};
    for (int i = 0; i < 3; ++i) {
        matter_case c = matter_of(hand_mesh(), sizes[i], 0.75f * sizes[i]);
        const matter *m = c.matter;
        for (int32_t n = 0; n < m->node_count; ++n) {
            int finger = finger_of_node(m, n);
            for (int32_t k = m->first_link[n]; k < m->first_link[n + 1]; ++k) {
                int other = finger_of_node(m, m->link_nodes[k]);
                assert_true(finger < 0 || other < 0 || other == finger);
            }
        }
        float x = FINGER_WIDTH, z = 0.5f * FINGER_WIDTH, y = FINGER_LENGTH;
        double way = way_between(m, (vec3){x, y, z}, (vec3){x + FINGER_GAP, y, z});
        double exact = 2.0 * (double)FINGER_LENGTH;
        assert_true(way > exact - 2.0 * (double)sizes[i]);
        assert_true(way < 1.25 * exact + 4.0 * (double)sizes[i]);
        release(&c);
    }
}

// Away from its borders both sides of a sheet see each other, whether cells fit in between or not.
static void sides_of_a_sheet_are_linked(void **unused)
{
    (void)unused;
    const float size = 0.04f, thicknesses[] = {0.0004f, 0.01f, 0.04f, 0.07f, 0.13f};
    for (int i = 0; i < 5; ++i) {
        matter_case c = matter_of(box_mesh((vec3){1, 1, thicknesses[i]}, 12, 12, 1), size, 0.0f);
        const matter *m = c.matter;
        int inner = 0;
        for (int32_t n = 0; n < m->surface_count; ++n) {
            vec3 x = m->nodes[n].centre;
            if (fabsf(x.x) > 0.4f || fabsf(x.y) > 0.4f)
                continue;
            ++inner;
            assert_near(m->nodes[n].thickness, thicknesses[i], 1e-3 * size + 1e-6);
            bool is_linked = false;
            for (int32_t k = m->first_link[n]; k < m->first_link[n + 1]; ++k) {
                int32_t other = m->link_nodes[k];
                is_linked |=
                    other < m->surface_count && (m->nodes[other].centre.z > 0.0f) != (x.z > 0.0f);
            }
            assert_true(is_linked);
        }
        assert_true(inner > 200);
        double way = way_between(m, (vec3){0, 0, thicknesses[i]}, (vec3){0, 0, -thicknesses[i]});
        assert_true(way < 1.25 * thicknesses[i] + 2.0 * size);
        release(&c);
    }
}

// What is far behind, or nowhere, has no thickness.
static void thick_things_have_no_thickness(void **unused)
{
    (void)unused;
    matter_case c = matter_of(sphere_mesh(0.5f, 16), 0.04f, 0.0f);
    for (int32_t n = 0; n < c.matter->surface_count; ++n)
        assert_true(c.matter->nodes[n].thickness == INFINITY);
    release(&c);
}

// Wherever cells happen to lie.
static int count_joined(float gap, float bridge)
{
    const float size = 0.05f;
    int count = 0;
    for (int i = 0; i < 8; ++i) {
        pliant_mesh *right = box_mesh((vec3){0.3f, 0.3f, 0.3f}, 2, 2, 2);
        pliant_mesh *left = box_mesh((vec3){0.3f + 0.013f * (float)i, 0.3f, 0.3f}, 3, 3, 3);
        float end = 0.15f + 0.0065f * (float)i, shift = end + 0.15f + gap;
        matter_case c =
            matter_of(joined(left, moved(right, quat_identity(), (vec3){shift, 0.021f, 0.017f})),
                      size, bridge);
        check_links(c.matter);
        vec3 a = {-end, 0, 0}, b = {shift + 0.15f, 0, 0};
        double way = way_between(c.matter, a, b), exact = (double)straight_between(a, b);
        assert_true(way == INFINITY || way < 1.25 * exact + 2.0 * (double)size);
        count += way < INFINITY;
        release(&c);
    }
    return count;
}

static void bridges_span_gaps_below_their_length(void **unused)
{
    (void)unused;
    const float bridges[] = {0.004f, 0.02f, 0.06f, 0.15f};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(count_joined(0.95f * bridges[i], bridges[i]), 8);
        assert_int_equal(count_joined(1.05f * bridges[i], bridges[i]), 0);
    }
    assert_int_equal(count_joined(0.001f, 0.0f), 0);
}

// Sheets on each other, all of them within reach of a bridge: the pieces of a car.
static matter_case stack_of(int layers)
{
    pliant_mesh *stack = open_sheet_mesh(1.0f, 1.0f, 21, 19);
    for (int i = 1; i < layers; ++i) {
        vec3 shift = {0.003f * (float)(i % 5), 0, 0.03f * (float)i / (float)layers};
        stack = joined(stack, moved(open_sheet_mesh(1.0f, 1.0f, 20 + i % 3, 18 + i % 4),
                                    quat_identity(), shift));
    }
    return matter_of(stack, 0.05f, 0.04f);
}

// Each node has as many links however many layers there are, and ways through them stay straight.
static void layers_cost_what_their_triangles_do(void **unused)
{
    (void)unused;
    double links[2];
    for (int i = 0; i < 2; ++i) {
        matter_case c = stack_of(i ? 40 : 5);
        check_links(c.matter);
        links[i] = (double)c.matter->first_link[c.matter->node_count] / c.matter->node_count;
        vec3 a = {-0.45f, 0, 0}, b = {0.45f, 0, 0.03f};
        assert_true(way_between(c.matter, a, b) < 1.25 * (double)straight_between(a, b) + 0.1);
        release(&c);
    }
    assert_true(links[1] < 1.2 * links[0]);
}

// A pin that sticks in a box is held by it, also where no surface is near.
static void embedded_pieces_are_held(void **unused)
{
    (void)unused;
    matter_case c = matter_of(
        joined(box_mesh((vec3){1, 1, 1}, 2, 2, 2),
               moved(tube_mesh(0.01f, 0.3f, 8, 20), quat_identity(), (vec3){0.03f, 0.02f, 0.01f})),
        0.05f, 0.0f);
    check_is_one(c.matter);
    release(&c);
}

// ---------------------------------------------------------------------------------------------
// Distances

static void check_way(const matter *m, vec3 a, vec3 b, double exact)
{
    double way = way_between(m, a, b);
    assert_true(way > 0.95 * exact - 2.0 * (double)m->grid.size);
    assert_true(way < 1.25 * exact + (double)m->grid.size);
}

static void ways_are_about_as_long_as_real_ones(void **unused)
{
    (void)unused;
    matter_case c = matter_of(sphere_mesh(0.5f, 20), 0.04f, 0.0f);
    uint32_t random = 5;
    for (int i = 0; i < 30; ++i) {
        vec3 a = vec3_scale(vec3_normalize_or(random_vec3(&random, 1.0f), (vec3){1, 0, 0}), 0.5f);
        vec3 b = vec3_scale(vec3_normalize_or(random_vec3(&random, 1.0f), (vec3){1, 0, 0}), 0.5f);
        check_way(c.matter, a, b, (double)straight_between(a, b)); // through the inside
    }
    release(&c);
    c = matter_of(open_sheet_mesh(1.0f, 1.0f, 3, 4), 0.04f, 0.0f);
    for (int i = 0; i < 30; ++i) {
        vec3 a = random_vec3(&random, 0.5f), b = random_vec3(&random, 0.5f);
        a.z = b.z = 0.0f;
        check_way(c.matter, a, b, (double)straight_between(a, b));
    }
    release(&c);
    c = matter_of(torus_mesh(0.5f, 0.15f, 64, 24), 0.03f, 0.0f); // around the hole
    check_way(c.matter, (vec3){0.35f, 0, 0}, (vec3){-0.35f, 0, 0}, 3.14159265 * 0.35);
    check_way(
        c.matter, (vec3){0, 0.65f, 0}, (vec3){0, -0.65f, 0},
        2.0 * (sqrt(0.65 * 0.65 - 0.35 * 0.35) + 0.35 * (0.5 * 3.14159265 - acos(0.35 / 0.65))));
    release(&c);
}

// ---------------------------------------------------------------------------------------------
// The search

// Bellman and Ford: relaxes all links until nothing changes.
static void relax_all(const matter *m, float *distances)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t n = 0; n < m->node_count; ++n)
            for (int32_t i = m->first_link[n]; i < m->first_link[n + 1]; ++i) {
                float distance = distances[n] + m->link_lengths[i];
                if (distance < distances[m->link_nodes[i]]) {
                    distances[m->link_nodes[i]] = distance;
                    changed = true;
                }
            }
    }
}

static void check_search(const matter *m, matter_search *search, const int32_t *starts, int count,
                         float limit)
{
    float *distances = malloc((size_t)m->node_count * sizeof *distances);
    for (int32_t n = 0; n < m->node_count; ++n)
        distances[n] = INFINITY;
    for (int i = 0; i < count; ++i)
        if (starts[i] >= 0)
            distances[starts[i]] = 0.0f;
    relax_all(m, distances);
    pli_matter_search_run(search, starts, count, limit);
    int32_t within = 0;
    for (int32_t n = 0; n < m->node_count; ++n) {
        bool is_within = distances[n] <= limit;
        within += is_within && distances[n] < INFINITY;
        assert_true(search->distances[n] == (is_within ? distances[n] : INFINITY));
    }
    assert_int_equal(search->reached_count, within);
    for (int32_t k = 0; k < search->reached_count; ++k) {
        int32_t n = search->reached[k];
        assert_true(k == 0 || search->distances[search->reached[k - 1]] <= search->distances[n]);
        assert_in_range(search->sources[n], 0, count - 1);
        assert_true(starts[search->sources[n]] >= 0);
    }
    free(distances);
}

// The way back along exact predecessors leads to the source that is named.
static void check_sources(const matter *m, const matter_search *s, const int32_t *starts)
{
    for (int32_t k = 0; k < s->reached_count; ++k) {
        int32_t n = s->reached[k];
        bool found = starts[s->sources[n]] == n && s->distances[n] == 0.0f;
        for (int32_t i = m->first_link[n]; i < m->first_link[n + 1]; ++i) {
            int32_t before = m->link_nodes[i];
            found |= s->distances[before] + m->link_lengths[i] == s->distances[n] &&
                     s->sources[before] == s->sources[n];
        }
        assert_true(found);
    }
}

static void search_finds_the_shortest_ways(void **unused)
{
    (void)unused;
    matter_case c = matter_of(
        joined(torus_mesh(0.5f, 0.2f, 24, 12), moved(box_mesh((vec3){0.3f, 0.3f, 0.3f}, 2, 2, 2),
                                                     quat_identity(), (vec3){2, 0, 0})),
        0.07f, 0.0f);
    const matter *m = c.matter;
    matter_search search;
    assert_true(pli_matter_search_begin(&search, m));
    uint32_t random = 3;
    for (int round = 0; round < 24; ++round) {
        int32_t starts[5];
        int count = 1 + round % 5;
        for (int i = 0; i < count; ++i)
            starts[i] = (int32_t)(random_bits(&random) % (uint32_t)m->node_count);
        if (count == 4)
            starts[1] = -1;
        check_search(m, &search, starts, count, round % 3 ? 0.15f * (float)round : INFINITY);
        check_sources(m, &search, starts);
    }
    // Of equal starts the first counts, and none at all reaches nothing.
    const int32_t equal[3] = {-1, 7, 7};
    pli_matter_search_run(&search, equal, 3, 0.0f);
    assert_int_equal(search.reached_count, 1);
    assert_int_equal(search.sources[7], 1);
    pli_matter_search_run(&search, equal, 1, INFINITY);
    assert_int_equal(search.reached_count, 0);
    assert_true(search.distances[7] == INFINITY);
    pli_matter_search_end(&search);
    release(&c);
}

// ---------------------------------------------------------------------------------------------
// Finding nodes

static void finds_the_nearest_node(void **unused)
{
    (void)unused;
    matter_case c = matter_of(torus_mesh(0.5f, 0.2f, 24, 12), 0.06f, 0.0f);
    const matter *m = c.matter;
    uint32_t random = 9;
    for (int i = 0; i < 300; ++i) {
        vec3 x = random_vec3(&random, i % 10 ? 0.8f : 20.0f);
        int32_t found = pli_matter_find(m, x, -1);
        float best = INFINITY;
        for (int32_t n = 0; n < m->node_count; ++n)
            best = minimum(best, straight_between(m->nodes[n].centre, x));
        assert_near(straight_between(m->nodes[found].centre, x), best, 1e-6 * (1.0 + (double)best));
    }
    release(&c);
}

// Between two fingers the triangle decides, not what is nearest.
static void finds_the_node_of_a_triangle(void **unused)
{
    (void)unused;
    matter_case c = matter_of(hand_mesh(), 0.04f, 0.0f);
    for (int32_t i = 0; i < c.mesh->triangle_count; ++i) {
        vec3 middle =
            vec3_scale(vec3_add(vec3_add(corner_of(c.mesh, i, 0), corner_of(c.mesh, i, 1)),
                                corner_of(c.mesh, i, 2)),
                       1.0f / 3.0f);
        if (middle.y < 0.06f)
            continue;
        // A little to either side: over the gap.
        for (int side = -1; side <= 1; ++side) {
            vec3 x = {middle.x + 0.002f * (float)side, middle.y, middle.z};
            int32_t node = pli_matter_find(c.matter, x, i);
            assert_int_equal(finger_at(c.matter->nodes[node].centre), finger_at(middle));
        }
    }
    release(&c);
}

// Whether it is split into few or many: the nearest of its points decides.
static void finds_the_nearest_point_of_a_triangle(void **unused)
{
    (void)unused;
    uint32_t random = 17;
    matter_case c = matter_of(box_mesh((vec3){1, 0.8f, 0.003f}, 1, 2, 1), 0.03f, 0.0f);
    const refined_mesh *mesh = c.matter->mesh;
    for (int i = 0; i < 400; ++i) {
        int32_t triangle = (int32_t)(random_bits(&random) % (uint32_t)c.mesh->triangle_count);
        vec3 x = random_vec3(&random, i % 20 ? 0.5f : 3.0f);
        float best = INFINITY, found = INFINITY;
        int32_t node = pli_matter_find(c.matter, x, triangle);
        for (int32_t k = 3 * mesh->first_of[triangle]; k < 3 * mesh->first_of[triangle + 1]; ++k) {
            float distance = straight_between(mesh->points[mesh->triangles[k]], x);
            best = minimum(best, distance);
            if (c.matter->node_of_point[mesh->triangles[k]] == node)
                found = minimum(found, distance);
        }
        assert_near(found, best, 1e-6);
    }
    release(&c);
}

// A place so far off that its cell has no number.
static void finds_a_node_from_afar(void **unused)
{
    (void)unused;
    matter_case c = matter_of(box_mesh((vec3){1e-3f, 1e-3f, 1e-3f}, 1, 1, 1), 1e-4f, 0.0f);
    for (int i = 0; i < 8; ++i) {
        vec3 x = {i & 1 ? 1e6f : -1e6f, i & 2 ? 1e6f : -1e6f, i & 4 ? 1e6f : -1e6f};
        int32_t node = pli_matter_find(c.matter, x, -1);
        assert_in_range(node, 0, c.matter->node_count - 1);
    }
    release(&c);
}

static void an_empty_mesh_has_no_nodes(void **unused)
{
    (void)unused;
    matter_case c = matter_of(pliant_mesh_create(0, 0, 0), 0.1f, 0.1f);
    assert_int_equal(c.matter->node_count, 0);
    assert_int_equal(pli_matter_find(c.matter, (vec3){1, 2, 3}, -1), -1);
    release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_and_areas_are_sound),
        cmocka_unit_test(the_inside_has_the_volume),
        cmocka_unit_test(a_hole_lets_nothing_out),
        cmocka_unit_test(overlapping_pieces_are_their_union),
        cmocka_unit_test(open_sheets_have_no_inside),
        cmocka_unit_test(normals_point_outwards),
        cmocka_unit_test(fingers_join_in_the_palm_only),
        cmocka_unit_test(sides_of_a_sheet_are_linked),
        cmocka_unit_test(thick_things_have_no_thickness),
        cmocka_unit_test(bridges_span_gaps_below_their_length),
        cmocka_unit_test(layers_cost_what_their_triangles_do),
        cmocka_unit_test(embedded_pieces_are_held),
        cmocka_unit_test(ways_are_about_as_long_as_real_ones),
        cmocka_unit_test(search_finds_the_shortest_ways),
        cmocka_unit_test(finds_the_nearest_node),
        cmocka_unit_test(finds_the_node_of_a_triangle),
        cmocka_unit_test(finds_the_nearest_point_of_a_triangle),
        cmocka_unit_test(finds_a_node_from_afar),
        cmocka_unit_test(an_empty_mesh_has_no_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
