// Mirror images: particles, what joins them, and how often it is done.

#include "drafts.h"

#include "math/quat.h"

static void mirror(pliant_draft *draft, const pliant_mirror_def *def)
{
    assert_done(pliant_draft_mirror(draft, def, &error));
}

static pliant_mirror_def plane(vec3 normal, float offset, float tolerance)
{
    pliant_mirror_def def = pliant_default_mirror_def();
    def.normal = normal;
    def.offset = offset;
    def.tolerance = tolerance;
    return def;
}

static vec3 image(vec3 x, vec3 unit, float offset)
{
    return vec3_add_scaled(x, unit, -2.0f * (vec3_dot(x, unit) - offset));
}

static bool has_edge(const pliant_draft *draft, int a, int b)
{
    for (int i = 0; i < draft->edge_count; ++i)
        if (draft->edges[i].a == (a < b ? a : b) && draft->edges[i].b == (a < b ? b : a))
            return true;
    return false;
}

static void assert_at(const pliant_draft *draft, int particle, vec3 x)
{
    assert_near(vec3_length(vec3_sub(draft->particles[particle].position, x)), 0, 1e-5);
}

// A chain that begins at the plane x = 0, with a branch beyond the plane that has nothing to do with it.
static pliant_draft *chain(const pliant_mesh *mesh)
{
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0.01f, 0, 0);
    place_at(draft, 1, 0, 0);
    place_at(draft, 2, 1, 0);
    place_at(draft, -5, 0, 0);
    for (int i = 0; i < 3; ++i)
        pliant_draft_particle(draft, i)->mass = (float)(2 + i);
    join(draft, 0, 1);
    pliant_draft_edge(draft, join(draft, 1, 2))->stretch_stiffness = 0.5f;
    join(draft, 0, 3);
    static int32_t members[4][2] = {{1, 2}, {0, 1}, {0, 3}, {2, 3}};
    for (int i = 0; i < 4; ++i) {
        pliant_selection group = {2, members[i]};
        pliant_group_def def = {.stiffness = 0.25f * (float)(i + 1)};
        assert_done(pliant_draft_group(draft, &group, &def, &error));
    }
    return draft;
}

static void assert_mirrored_chain(const pliant_draft *draft)
{
    assert_int_equal(draft->particle_count, 6);
    assert_at(draft, 4, (vec3){-1, 0, 0});
    assert_at(draft, 5, (vec3){-2, 1, 0});
    assert_near(draft->particles[4].mass, 3, 0);
    assert_near(draft->particles[5].mass, 4, 0);
    assert_int_equal(draft->edge_count, 5);
    assert_true(has_edge(draft, 0, 4) && has_edge(draft, 4, 5));
    assert_near(draft->edges[3].stretch_stiffness, 0.25, 0);
    assert_near(draft->edges[4].stretch_stiffness, 0.5, 0);
    assert_near(draft->edges[4].torsion_stiffness, 0.75, 0);
    // Of the groups those with a member beyond the selection have no image.
    assert_int_equal(draft->group_count, 6);
    assert_int_equal(draft->groups[4].def.members[0], 4);
    assert_int_equal(draft->groups[4].def.members[1], 5);
    assert_near(draft->groups[4].def.stiffness, 0.25, 0);
    assert_int_equal(draft->groups[5].def.members[0], 0);
    assert_int_equal(draft->groups[5].def.members[1], 4);
}

static void particles_come_with_edges_and_groups(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = chain(mesh);
    int32_t chosen[] = {0, 1, 2};
    pliant_selection right = {3, chosen};
    pliant_mirror_def def = plane((vec3){2, 0, 0}, 0, 0.1f);
    def.particles = &right;
    mirror(draft, &def);
    assert_mirrored_chain(draft);
    // Again there is nothing to add.
    mirror(draft, &def);
    assert_mirrored_chain(draft);
    // The copies take over what has changed.
    draft->particles[1].stiffness = 0.875f;
    draft->particles[2].position.z = 0.0625f;
    draft->edges[1].stretch_stiffness = 0.75f;
    draft->groups[0].def.stiffness = 0.125f;
    mirror(draft, &def);
    assert_int_equal(draft->particle_count, 6);
    assert_int_equal(draft->edge_count, 5);
    assert_int_equal(draft->group_count, 6);
    assert_near(draft->particles[4].stiffness, 0.875, 0);
    assert_at(draft, 5, (vec3){-2, 1, 0.0625f});
    assert_near(draft->edges[4].stretch_stiffness, 0.75, 0);
    assert_near(draft->groups[4].def.stiffness, 0.125, 0);
    // The other way round the copies are the originals.
    chosen[0] = 4;
    chosen[1] = 5;
    right.count = 2;
    draft->particles[4].stiffness = 0.25f;
    mirror(draft, &def);
    assert_int_equal(draft->particle_count, 6);
    assert_near(draft->particles[1].stiffness, 0.25, 0);
    assert_near(draft->particles[3].position.x, -5, 0);
    bind_all(draft, 0);
    pliant_model_destroy(model_of(draft));
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// A door and its frame, which share the axis of a hinge.
static void hinges_turn_the_other_way(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 1, 0, 0);
    place_at(draft, 1, 1, 0);
    place_at(draft, 2, 0, 0);
    place_at(draft, 1, 0, 1);
    static int32_t members[2][3] = {{0, 1, 2}, {0, 1, 3}};
    for (int i = 0; i < 2; ++i) {
        pliant_selection group = {3, members[i]};
        pliant_group_def def = {.stiffness = 1.0f};
        assert_done(pliant_draft_group(draft, &group, &def, &error));
    }
    draft->hinges = malloc(sizeof *draft->hinges);
    assert_non_null(draft->hinges);
    draft->hinges[0] = (pliant_hinge_def){0, 1, 0, 1, true, -0.5f, 0.25f};
    draft->hinge_count = 1;
    pliant_mirror_def def = plane((vec3){1, 0, 0}, 0, 0.1f);
    int32_t chosen[] = {0, 1, 2, 3};
    pliant_selection right = {4, chosen};
    def.particles = &right;
    for (int round = 0; round < 2; ++round) {
        mirror(draft, &def);
        assert_int_equal(draft->hinge_count, 2);
        const pliant_hinge_def *image = &draft->hinges[1];
        assert_int_equal(image->group_a, 2);
        assert_int_equal(image->group_b, 3);
        assert_int_equal(image->particle_a, 4);
        assert_int_equal(image->particle_b, 5);
        assert_true(image->has_limits);
        assert_near(image->lower, round ? 0 : -0.25, 0);
        assert_near(image->upper, 0.5, 0);
        draft->hinges[0].upper = 0.0f;
    }
    bind_all(draft, 0);
    pliant_model *model = model_of(draft);
    assert_int_equal(pliant_model_hinge_count(model), 2);
    pliant_model_destroy(model);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Where both sides are selected those that were made first are the originals.
static void all_at_once_makes_both_sides_equal(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    vec3 unit = vec3_scale((vec3){1, 2, -2}, 1.0f / 3.0f);
    uint32_t seed = 3;
    for (int i = 0; i < 60; ++i) {
        vec3 x = random_vec3(&seed, 2.0f);
        place_at(draft, x.x, x.y, x.z);
        pliant_draft_particle(draft, i)->mass = (float)(i + 1);
    }
    for (int i = 0; i < 200; ++i) {
        int a = (int)(random_bits(&seed) % 60), b = (int)(random_bits(&seed) % 60);
        if (a != b)
            join(draft, a, b);
    }
    pliant_mirror_def def = plane(vec3_scale(unit, 7.0f), 0.25f, 0.3f);
    mirror(draft, &def);
    int count = draft->particle_count;
    assert_true(count > 90 && count <= 120);
    int *partners = malloc((size_t)count * sizeof *partners);
    assert_non_null(partners);
    for (int i = 0; i < count; ++i) {
        vec3 x = draft->particles[i].position, there = image(x, unit, 0.25f);
        partners[i] = 2.0f * fabsf(vec3_dot(x, unit) - 0.25f) <= 0.3f ? i : -1;
        for (int k = 0; k < count && partners[i] < 0; ++k)
            if (vec3_length(vec3_sub(draft->particles[k].position, there)) < 1e-5f)
                partners[i] = k;
        assert_true(partners[i] >= 0);
        assert_near(draft->particles[partners[i]].mass, draft->particles[i].mass, 0);
    }
    // Edges between particles of before have images, but for those of copies.
    for (int i = 0; i < draft->edge_count; ++i) {
        int a = draft->edges[i].a, b = draft->edges[i].b;
        if (partners[a] >= 60 || partners[b] >= 60)
            assert_true(has_edge(draft, partners[a], partners[b]));
    }
    mirror(draft, &def);
    assert_int_equal(draft->particle_count, count);
    free(partners);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// xᵀ A⁻¹ x of the ellipsoid, which is 1 on its surface.
static double level(const pliant_particle_def *p, vec3 x)
{
    vec3 d = quat_rotate(quat_conjugate(quat_normalize(p->orientation)), vec3_sub(x, p->position));
    double a = d.x / p->radii.x, b = d.y / p->radii.y, c = d.z / p->radii.z;
    return a * a + b * b + c * c;
}

static void ellipsoids_are_mirrored(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    uint32_t seed = 9;
    for (int round = 0; round < 50; ++round) {
        pliant_draft *draft = draft_of(mesh);
        place_at(draft, 2, 0.5f, -0.25f);
        pliant_particle_def *p = pliant_draft_particle(draft, 0);
        p->radii = (vec3){0.1f, 0.2f, 0.4f};
        p->orientation = random_quat(&seed);
        vec3 unit = vec3_normalize_or(random_vec3(&seed, 1.0f), (vec3){1, 0, 0});
        pliant_mirror_def def = plane(unit, -3.0f, 0.1f);
        mirror(draft, &def);
        assert_int_equal(draft->particle_count, 2);
        const pliant_particle_def *a = &draft->particles[0], *b = &draft->particles[1];
        assert_near(quat_dot(b->orientation, b->orientation), 1, 1e-5);
        for (int k = 0; k < 10; ++k) {
            vec3 probe = vec3_add(a->position, random_vec3(&seed, 0.3f));
            assert_near(level(b, image(probe, unit, -3.0f)) / level(a, probe), 1, 1e-3);
        }
        // What pointed outwards does so there.
        vec3 outward = quat_rotate(a->orientation, (vec3){1, 0, 0});
        vec3 there = quat_rotate(b->orientation, (vec3){1, 0, 0});
        assert_near(vec3_dot(there, image(outward, unit, 0.0f)), 1, 1e-5);
        pliant_draft_destroy(draft);
    }
    pliant_mesh_destroy(mesh);
}

static void places_are_mirrored_onto_the_surface(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 3.25f, 0.6f, 0);
    place_at(draft, 3, 0.125f, 0);
    draft->anchors[0] = (draft_anchor){{3.25f, 0.5f, 0}, BOX_TRIANGLES + 6};
    pliant_mirror_def def = plane((vec3){1, 0, 0}, 0, 0);
    mirror(draft, &def); // with a quarter of a spacing that is guessed
    assert_true(pliant_draft_spacing(draft) > 0.0f);
    assert_at(draft, 2, (vec3){-3.25f, 0.6f, 0});
    assert_near(draft->anchors[2].position.x, -3.25, 1e-6);
    assert_near(draft->anchors[2].position.y, 0.5, 1e-6);
    assert_true(draft->anchors[2].triangle >= 2 * BOX_TRIANGLES);
    assert_int_equal(draft->anchors[3].triangle, -1);
    assert_near(draft->anchors[3].position.x, -3, 1e-6);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// A copy is nearest to the image, within the tolerance, on the other side and nobody else's.
static void copies_are_found_within_the_tolerance(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 1, 0, 0);
    place_at(draft, 1, 0.05f, 0);
    place_at(draft, -1, 0.08f, 0);
    place_at(draft, -1, 0.02f, 0);
    place_at(draft, -1, 0.5f, 0);
    int32_t chosen[] = {0, 1};
    pliant_selection right = {2, chosen};
    pliant_mirror_def def = plane((vec3){1, 0, 0}, 0, 0.1f);
    def.particles = &right;
    mirror(draft, &def);
    assert_int_equal(draft->particle_count, 5);
    assert_at(draft, 3, (vec3){-1, 0, 0});
    assert_at(draft, 2, (vec3){-1, 0.05f, 0});
    assert_at(draft, 4, (vec3){-1, 0.5f, 0});
    def.tolerance = 0.01f;
    chosen[1] = 4;
    mirror(draft, &def);
    assert_int_equal(draft->particle_count, 6);
    assert_at(draft, 5, (vec3){1, 0.5f, 0});
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void group(pliant_draft *draft, int count, const int32_t *members)
{
    pliant_selection chosen = {count, (int32_t *)members};
    pliant_group_def def = {.stiffness = 1.0f};
    assert_done(pliant_draft_group(draft, &chosen, &def, &error));
}

// Two in front of the plane, two behind it, and near it one with a double behind and one that is there alone.
static pliant_draft *unequal_halves(const pliant_mesh *mesh)
{
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, -5, 0, 0);
    place_at(draft, 1, 0, 0);
    place_at(draft, 2, 1, 0);
    place_at(draft, -1.25f, 0.25f, 0);
    place_at(draft, 0.03125f, 0, 1);
    place_at(draft, -0.03125f, 0.02f, 1);
    place_at(draft, -0.04f, 0, 3);
    join(draft, 1, 2);
    join(draft, 1, 3);
    join(draft, 1, 4);
    join(draft, 0, 3);
    join(draft, 3, 5);
    group(draft, 3, (int32_t[]){1, 2, 3});
    group(draft, 2, (int32_t[]){0, 3});
    group(draft, 2, (int32_t[]){1, 2});
    return draft;
}

static void one_side_takes_the_place_of_the_other(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = unequal_halves(mesh);
    bind_all(draft, 0);
    pliant_mirror_def def = plane((vec3){3, 0, 0}, 0, 0.1f);
    def.replaces = true;
    for (int round = 0; round < 2; ++round) {
        mirror(draft, &def);
        assert_int_equal(draft->particle_count, 6);
        assert_at(draft, 0, (vec3){1, 0, 0});
        assert_at(draft, 1, (vec3){2, 1, 0});
        assert_at(draft, 2, (vec3){0, 0, 1});
        assert_at(draft, 3, (vec3){0, 0, 3});
        assert_at(draft, 4, (vec3){-1, 0, 0});
        assert_at(draft, 5, (vec3){-2, 1, 0});
        // What led to the one behind leads to the copy that is there now.
        assert_int_equal(draft->edge_count, 5);
        assert_true(has_edge(draft, 0, 1) && has_edge(draft, 4, 5) && has_edge(draft, 0, 4));
        assert_true(has_edge(draft, 0, 2) && has_edge(draft, 2, 4));
        assert_int_equal(draft->group_count, 3);
        assert_int_equal(draft->groups[0].def.member_count, 4);
        assert_int_equal(draft->groups[1].def.member_count, 2);
        assert_int_equal(draft->groups[2].def.members[0], 4);
        assert_int_equal(draft->groups[2].def.members[1], 5);
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
            assert_true(draft->links[v].particles[k] < 4);
    bind_all(draft, 0);
    pliant_model_destroy(model_of(draft));
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void the_normal_points_to_the_side_that_stays(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = unequal_halves(mesh);
    pliant_mirror_def def = plane((vec3){-1, 0, 0}, 0, 0.1f);
    def.replaces = true;
    int32_t chosen[] = {1, 3};
    pliant_selection some = {2, chosen};
    def.particles = &some;
    mirror(draft, &def); // the others stay as they are
    assert_int_equal(draft->particle_count, 7);
    assert_at(draft, 0, (vec3){-5, 0, 0});
    assert_at(draft, 1, (vec3){2, 1, 0});
    assert_at(draft, 3, (vec3){0.03125f, 0, 1});
    assert_at(draft, 6, (vec3){1.25f, 0.25f, 0});
    assert_true(has_edge(draft, 2, 6) && has_edge(draft, 1, 6));
    def.particles = NULL;
    mirror(draft, &def);
    assert_at(draft, draft->particle_count - 1, (vec3){1.25f, 0.25f, 0});
    assert_at(draft, draft->particle_count - 2, (vec3){5, 0, 0});
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Whatever was there, both sides are equal afterwards, in places, values and edges, and edges still cross the plane.
static void replaced_sides_are_mirror_images(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    uint32_t seed = 5;
    for (int round = 0; round < 20; ++round) {
        pliant_draft *draft = draft_of(mesh);
        vec3 unit = vec3_normalize_or(random_vec3(&seed, 1.0f), (vec3){1, 0, 0});
        for (int i = 0; i < 60; ++i) {
            vec3 x = random_vec3(&seed, 2.0f);
            place_at(draft, x.x, x.y, x.z);
            pliant_draft_particle(draft, i)->mass = (float)(i + 1);
        }
        for (int i = 1; i < 60; ++i)
            join(draft, i, (int)(random_bits(&seed) % (unsigned)i));
        pliant_mirror_def def = plane(unit, 0.25f, 0.3f);
        def.replaces = true;
        mirror(draft, &def);
        int count = draft->particle_count, partners[128], crossing = 0;
        assert_true(count <= 120);
        for (int i = 0; i < count; ++i) {
            vec3 there = image(draft->particles[i].position, unit, 0.25f);
            partners[i] = -1;
            for (int k = 0; k < count; ++k)
                if (vec3_length(vec3_sub(draft->particles[k].position, there)) < 1e-5f)
                    partners[i] = k;
            assert_true(partners[i] >= 0);
            assert_near(draft->particles[partners[i]].mass, draft->particles[i].mass, 0);
        }
        for (int i = 0; i < draft->edge_count; ++i) {
            int a = draft->edges[i].a, b = draft->edges[i].b;
            float from = vec3_dot(draft->particles[a].position, unit) - 0.25f;
            float to = vec3_dot(draft->particles[b].position, unit) - 0.25f;
            assert_true(has_edge(draft, partners[a], partners[b]));
            crossing += (from > 0.0f) != (to > 0.0f);
        }
        assert_true(crossing > 10);
        pliant_draft_destroy(draft);
    }
    pliant_mesh_destroy(mesh);
}

static void planes_out_of_range_are_refused(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 2, 0, 0);
    pliant_mirror_def def = plane((vec3){0, 0, 0}, 0, 0);
    assert_refused(pliant_draft_mirror(draft, &def, &error), "normal",
                   "expected a direction, found 0");
    def = plane((vec3){0, NAN, 0}, 0, 0);
    assert_refused(pliant_draft_mirror(draft, &def, &error), "normal",
                   "expected three numbers in [-1e+06, 1e+06]");
    def = plane((vec3){1, 0, 0}, NAN, 0);
    assert_refused(pliant_draft_mirror(draft, &def, &error), "offset",
                   "expected a number in [-1e+06, 1e+06]");
    def = plane((vec3){1, 0, 0}, 9e5f, 0);
    assert_refused(pliant_draft_mirror(draft, &def, &error), "offset",
                   "the image of particle 0 would not be within ±1e+06 m");
    def = plane((vec3){1, 0, 0}, 0, -1);
    assert_refused(pliant_draft_mirror(draft, &def, &error), "tolerance",
                   "expected a number of at least 0");
    int32_t one = 1;
    pliant_selection beyond = {1, &one};
    def = pliant_default_mirror_def();
    def.particles = &beyond;
    assert_refused(pliant_draft_mirror(draft, &def, &error), "particles", "1 of 1");
    assert_int_equal(draft->particle_count, 1);
    assert_near(pliant_draft_spacing(draft), 0, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_come_with_edges_and_groups),
        cmocka_unit_test(hinges_turn_the_other_way),
        cmocka_unit_test(all_at_once_makes_both_sides_equal),
        cmocka_unit_test(ellipsoids_are_mirrored),
        cmocka_unit_test(places_are_mirrored_onto_the_surface),
        cmocka_unit_test(copies_are_found_within_the_tolerance),
        cmocka_unit_test(one_side_takes_the_place_of_the_other),
        cmocka_unit_test(the_normal_points_to_the_side_that_stays),
        cmocka_unit_test(replaced_sides_are_mirror_images),
        cmocka_unit_test(planes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
