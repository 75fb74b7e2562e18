// Skin links: complete, sorted, smooth, and never from one finger to another.

#include "bodies.h"
#include "draft/draft.h"
#include "meshes.h"

static void spray(pliant_draft *draft, float spacing)
{
    pliant_error error = {0};
    pliant_spray_def def = pliant_default_spray_def();
    def.spacing = spacing;
    assert_ok(pliant_draft_spray(draft, &def, &error));
}

static void fill(pliant_draft *draft, float spacing)
{
    pliant_error error = {0};
    pliant_fill_def def = pliant_default_fill_def();
    def.spacing = spacing;
    assert_ok(pliant_draft_fill(draft, &def, &error));
}

static void gather_on_axes(pliant_draft *draft, float spacing)
{
    pliant_error error = {0};
    pliant_fit_def def = pliant_default_fit_def();
    def.radius = spacing;
    def.drift = 3;
    def.merge = 0.5f * spacing;
    assert_ok(pliant_draft_fit(draft, &def, &error));
}

static void bind(pliant_draft *draft, int links)
{
    pliant_error error = {0};
    pliant_bind_def def = pliant_default_bind_def();
    def.links = links;
    assert_ok(pliant_draft_bind(draft, &def, &error));
}

static void finish(pliant_draft *draft, pliant_mesh *mesh)
{
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void check_links(pliant_draft *draft, const pliant_mesh *mesh, int links)
{
    for (int v = 0; v < mesh->vertex_count; ++v) {
        const int32_t *particles = pliant_draft_link_particles(draft, v);
        const float *weights = pliant_draft_link_weights(draft, v);
        float sum = 0.0f;
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
            assert_true(weights[k] >= 0.0f && (k < links || weights[k] == 0.0f));
            assert_true(k == 0 || weights[k] <= weights[k - 1]);
            assert_in_range(particles[k], 0, pliant_draft_particle_count(draft) - 1);
            for (int j = 0; j < k; ++j)
                assert_true(weights[k] == 0.0f || particles[j] != particles[k]);
            sum += weights[k];
        }
        assert_near(sum, 1.0, 1e-6);
    }
}

static void links_are_complete_and_sorted(void **unused)
{
    (void)unused;
    pliant_mesh *meshes[] = {box_mesh((vec3){1, 0.8f, 0.6f}, 8, 8, 8), soup(sphere_mesh(0.5f, 10)),
                             hand_mesh(), open_sheet_mesh(1.0f, 1.0f, 9, 9),
                             tube_mesh(0.05f, 1.0f, 12, 60)};
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; ++i) {
        pliant_draft *draft = draft_of(meshes[i]);
        spray(draft, 0.12f);
        fill(draft, 0.12f);
        for (int links = 1; links <= PLIANT_MAX_LINKS; ++links) {
            bind(draft, links);
            check_links(draft, meshes[i], links);
        }
        finish(draft, meshes[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// Nearness

// With one link it is the nearest particle's; with several, nearer ones have more.
static void nearest_particles_count_most(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = sphere_mesh(0.5f, 16);
    pliant_draft *draft = draft_of(mesh);
    spray(draft, 0.12f);
    fill(draft, 0.12f);
    bind(draft, 1);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        float nearest = INFINITY;
        for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
            nearest =
                minimum(nearest, straight_between(particle_position(draft, i), mesh->positions[v]));
        vec3 linked = particle_position(draft, pliant_draft_link_particles(draft, v)[0]);
        assert_near(straight_between(linked, mesh->positions[v]), nearest, 1e-6);
    }
    bind(draft, PLIANT_MAX_LINKS);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        float before = 0.0f;
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
            if (pliant_draft_link_weights(draft, v)[k] == 0.0f)
                break;
            vec3 x = particle_position(draft, pliant_draft_link_particles(draft, v)[k]);
            float distance = straight_between(x, mesh->positions[v]);
            assert_true(distance >= before - 1e-6f && distance < 1.5f * 0.12f);
            before = distance;
        }
    }
    finish(draft, mesh);
}

static void fingers_are_bound_apart(void **unused)
{
    (void)unused;
    for (int chain = 0; chain < 2; ++chain) {
        pliant_mesh *mesh = hand_mesh();
        pliant_draft *draft = draft_of(mesh);
        const float spacing = chain ? 0.1f : 0.05f;
        spray(draft, spacing);
        if (chain)
            gather_on_axes(draft, spacing);
        bind(draft, PLIANT_MAX_LINKS);
        check_links(draft, mesh, PLIANT_MAX_LINKS);
        for (int v = 0; v < mesh->vertex_count; ++v) {
            vec3 x = mesh->positions[v];
            float strangers = 0.0f;
            for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
                int particle = pliant_draft_link_particles(draft, v)[k];
                int finger = finger_at(particle_position(draft, particle));
                if (finger >= 0 && finger != finger_at(x))
                    strangers += pliant_draft_link_weights(draft, v)[k];
            }
            // Down at the roots the way around is short.
            if (x.y > 1.25f * spacing)
                assert_below(strangers, 0.3f);
            assert_true(x.y < 2.0f * spacing || strangers == 0.0f);
        }
        finish(draft, mesh);
    }
}

// ---------------------------------------------------------------------------------------------
// Smoothness

static float weight_of(const pliant_draft *draft, int vertex, int particle)
{
    const int32_t *particles = pliant_draft_link_particles(draft, vertex);
    const float *weights = pliant_draft_link_weights(draft, vertex);
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
        if (particles[k] == particle && weights[k] > 0.0f)
            return weights[k];
    return 0.0f;
}

static float largest_change(const pliant_draft *draft, int a, int b)
{
    float most = 0.0f;
    for (int k = 0; k < 2 * PLIANT_MAX_LINKS; ++k) {
        int32_t particle = pliant_draft_link_particles(draft, k % 2 ? a : b)[k / 2];
        float change = weight_of(draft, a, particle) - weight_of(draft, b, particle);
        most = maximum(most, absolute(change));
    }
    return most;
}

// The same particles in the draft of another mesh.
static void copy_particles(pliant_draft *to, pliant_draft *from)
{
    pliant_error error = {0};
    assert_ok(pliant_draft_set_scale(to, from->spacing, from->bridge, &error));
    for (int i = 0; i < pliant_draft_particle_count(from); ++i)
        assert_int_equal(pliant_draft_place(to, pliant_draft_particle(from, i), &error), i);
}

// On a chain the weights are smooth throughout: with half the edges, half the change.
static void chains_bind_smoothly(void **unused)
{
    (void)unused;
    const float spacing = 0.12f;
    pliant_mesh *coarse = tube_mesh(0.04f, 1.0f, 8, 40);
    pliant_draft *first = draft_of(coarse);
    spray(first, spacing);
    gather_on_axes(first, spacing);
    for (int n = 1; n <= 8; n *= 2) {
        pliant_mesh *mesh = tube_mesh(0.04f, 1.0f, 8 * n, 40 * n);
        pliant_draft *draft = draft_of(mesh);
        copy_particles(draft, first);
        bind(draft, PLIANT_MAX_LINKS);
        float most = 0.0f;
        for (int32_t i = 0; i < 3 * mesh->triangle_count; ++i)
            most = maximum(most, largest_change(draft, mesh->triangles[i],
                                                mesh->triangles[i % 3 == 2 ? i - 2 : i + 1]));
        assert_below(most, 0.25f / (float)n);
        finish(draft, mesh);
    }
    finish(first, coarse);
}

// Where the way around a gap decides instead of what is beyond it, it does so without jumps from cell to cell. Four
// particles, as many as there are links: none takes another's place.
static void ways_around_bind_smoothly(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    const float middle = 0.5f * FINGER_WIDTH, second = 1.5f * FINGER_WIDTH + FINGER_GAP;
    const vec3 positions[] = {{middle, 0.15f, middle},
                              {second, 0.15f, middle},
                              {0.1f, -0.1f, middle},
                              {0.3f, -0.1f, middle}};
    pliant_mesh *mesh = fine_hand_mesh(5);
    pliant_draft *draft = draft_of(mesh);
    assert_ok(pliant_draft_set_scale(draft, 0.1f, 0.0f, &error));
    for (int i = 0; i < 4; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        particle.position = positions[i];
        assert_int_equal(pliant_draft_place(draft, &particle, &error), i);
    }
    bind(draft, PLIANT_MAX_LINKS);
    for (int32_t i = 0; i < 3 * mesh->triangle_count; ++i) {
        int a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        vec3 x = mesh->positions[a], y = mesh->positions[b];
        bool in_reach = maximum(x.y, y.y) < 0.25f && minimum(x.y, y.y) > -0.2f;
        if (in_reach && maximum(x.x, y.x) < 2.0f * FINGER_WIDTH + 1.5f * FINGER_GAP)
            assert_below(largest_change(draft, a, b), 0.08f);
    }
    finish(draft, mesh);
}

// Particles far apart in a draft for close ones: the skin between two follows both.
static void sparse_particles_bind_smoothly(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = tube_mesh(0.02f, 2.0f, 8, 200);
    pliant_draft *draft = draft_of(mesh);
    assert_ok(pliant_draft_set_scale(draft, 0.05f, 0.0f, &error));
    for (int i = 0; i <= 6; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        particle.position = (vec3){0, 0, 0.3f * (float)(i - 3)};
        assert_int_equal(pliant_draft_place(draft, &particle, &error), i);
    }
    bind(draft, PLIANT_MAX_LINKS);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        float along = absolute(mesh->positions[v].z) / 0.3f, between = along - floorf(along);
        if (along < 2.9f)
            assert_below(pliant_draft_link_weights(draft, v)[0], 0.8f);
        if (along < 2.9f && absolute(between - 0.5f) < 0.02f)
            assert_near(pliant_draft_link_weights(draft, v)[1], 0.5, 0.05);
    }
    finish(draft, mesh);
}

// Distances of the nearest particle and of the nearest one left out.
static void find_distances(pliant_draft *draft, vec3 x, float reach, float *nearest,
                           float *left_out)
{
    float sorted[PLIANT_MAX_LINKS + 2];
    int count = 0;
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
        float distance = straight_between(particle_position(draft, i), x);
        int k = count <= PLIANT_MAX_LINKS ? count++ : PLIANT_MAX_LINKS + 1;
        for (; k > 0 && sorted[k - 1] > distance; --k)
            sorted[k] = sorted[k - 1];
        sorted[k] = distance;
    }
    *nearest = sorted[0];
    *left_out = minimum(sorted[PLIANT_MAX_LINKS], reach);
}

// Between four links and others four there is no smooth way where five particles are equally near; elsewhere the
// slope of (1 - d² / D²)², normalised, is at most some 8 D / (D² - d²) with d the nearest and D the one left out.
static void check_slopes(pliant_mesh *mesh, float spacing)
{
    pliant_draft *draft = draft_of(mesh);
    spray(draft, spacing);
    fill(draft, spacing);
    bind(draft, PLIANT_MAX_LINKS);
    int checked = 0;
    for (int32_t i = 0; i < 3 * mesh->triangle_count; ++i) {
        int a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        vec3 x = mesh->positions[a], y = mesh->positions[b];
        float nearest, left_out, edge = straight_between(x, y);
        if (a > b)
            continue;
        find_distances(draft, vec3_scale(vec3_add(x, y), 0.5f), 1.5f * spacing, &nearest,
                       &left_out);
        if (left_out - nearest < 4.0f * edge)
            continue;
        float slope = 8.0f * left_out / (left_out * left_out - nearest * nearest);
        assert_below(largest_change(draft, a, b), slope * edge);
        ++checked;
    }
    assert_true(checked > mesh->triangle_count / 2);
    finish(draft, mesh);
}

static void surfaces_bind_smoothly(void **unused)
{
    (void)unused;
    check_slopes(open_sheet_mesh(1.0f, 1.0f, 120, 120), 0.15f);
    check_slopes(sphere_mesh(0.5f, 50), 0.15f);
    check_slopes(box_mesh((vec3){0.6f, 0.6f, 0.6f}, 45, 45, 45), 0.15f);
}

// ---------------------------------------------------------------------------------------------
// All vertices

// Pieces and points that have no particle of their own go with the nearest one.
static void everything_is_bound(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh =
        joined(sphere_mesh(0.5f, 8), moved(box_mesh((vec3){0.1f, 0.1f, 0.1f}, 2, 2, 2),
                                           quat_identity(), (vec3){1, 0, 0}));
    mesh = joined(mesh, mesh_of(1, 0));
    mesh->positions[mesh->vertex_count - 1] = (vec3){0, 3, 0};
    pliant_draft *draft = draft_of(mesh);
    pliant_region region = {.kind = PLIANT_REGION_SPHERE, .radius = 0.6f};
    pliant_selection ball;
    assert_ok(pliant_mesh_select(mesh, &region, &ball, &error));
    pliant_spray_def def = pliant_default_spray_def();
    def.spacing = 0.2f;
    def.vertices = &ball;
    assert_ok(pliant_draft_spray(draft, &def, &error));
    bind(draft, PLIANT_MAX_LINKS);
    check_links(draft, mesh, PLIANT_MAX_LINKS);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        vec3 x = mesh->positions[v];
        if (vec3_length(x) < 0.6f)
            continue;
        float nearest = INFINITY;
        for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
            nearest = minimum(nearest, straight_between(particle_position(draft, i), x));
        vec3 linked = particle_position(draft, pliant_draft_link_particles(draft, v)[0]);
        assert_near(straight_between(linked, x), nearest, 1e-6);
        assert_true(pliant_draft_link_weights(draft, v)[0] == 1.0f);
    }
    pliant_selection_release(&ball);
    finish(draft, mesh);
}

// Vertices and particles that are not selected are left alone.
static void bind_minds_its_selections(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = open_sheet_mesh(1.0f, 1.0f, 8, 8);
    pliant_draft *draft = draft_of(mesh);
    spray(draft, 0.2f);
    int32_t vertices[] = {3, 40}, particles[] = {2};
    pliant_selection some = {2, vertices}, one = {1, particles};
    pliant_bind_def def = pliant_default_bind_def();
    def.vertices = &some;
    def.particles = &one;
    assert_ok(pliant_draft_bind(draft, &def, &error));
    for (int v = 0; v < mesh->vertex_count; ++v) {
        bool selected = v == 3 || v == 40;
        assert_true(pliant_draft_link_weights(draft, v)[0] == (selected ? 1.0f : 0.0f));
        assert_true(!selected || pliant_draft_link_particles(draft, v)[0] == 2);
    }
    finish(draft, mesh);
}

static void the_pose_of_rest_is_the_mesh(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *meshes[] = {hand_mesh(), soup(sphere_mesh(0.5f, 10)),
                             box_mesh((vec3){1, 1, 0.02f}, 6, 6, 1)};
    for (int i = 0; i < 3; ++i) {
        pliant_draft *draft = draft_of(meshes[i]);
        spray(draft, 0.1f);
        fill(draft, 0.1f);
        bind(draft, PLIANT_MAX_LINKS);
        setup s = {.model = pliant_draft_build(draft, &error),
                   .world_def = pliant_default_world_def(),
                   .body_def = pliant_default_body_def()};
        assert_non_null(s.model);
        s.body_def.model = s.model;
        setup_open(&s);
        int count = meshes[i]->vertex_count;
        vec3 *positions = malloc((size_t)count * sizeof *positions);
        for (int mode = PLIANT_SKIN_LINEAR; mode <= PLIANT_SKIN_DUAL_QUATERNION; ++mode) {
            pliant_body_skin(s.world, s.body, (pliant_skin_mode)mode, positions, NULL);
            for (int v = 0; v < count; ++v)
                assert_below(straight_between(positions[v], meshes[i]->positions[v]), 1e-6f);
        }
        free(positions);
        setup_close(&s);
        finish(draft, meshes[i]);
    }
}

static void bind_refuses(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = open_sheet_mesh(1.0f, 1.0f, 4, 4);
    pliant_draft *draft = draft_of(mesh);
    pliant_bind_def def = pliant_default_bind_def();
    assert_int_equal(pliant_draft_bind(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "particles");
    assert_true(draft->spacing == 0.0f);
    spray(draft, 0.3f);
    for (int i = 0; i < 2; ++i) {
        def.links = i ? PLIANT_MAX_LINKS + 1 : 0;
        assert_int_equal(pliant_draft_bind(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, "links");
    }
    def = pliant_default_bind_def();
    int32_t far = mesh->vertex_count;
    pliant_selection selection = {1, &far};
    def.vertices = &selection;
    assert_int_equal(pliant_draft_bind(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "vertices");
    assert_true(pliant_draft_link_weights(draft, 0)[0] == 0.0f);
    finish(draft, mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_complete_and_sorted),
        cmocka_unit_test(nearest_particles_count_most),
        cmocka_unit_test(fingers_are_bound_apart),
        cmocka_unit_test(chains_bind_smoothly),
        cmocka_unit_test(ways_around_bind_smoothly),
        cmocka_unit_test(sparse_particles_bind_smoothly),
        cmocka_unit_test(surfaces_bind_smoothly),
        cmocka_unit_test(everything_is_bound),
        cmocka_unit_test(bind_minds_its_selections),
        cmocka_unit_test(the_pose_of_rest_is_the_mesh),
        cmocka_unit_test(bind_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
