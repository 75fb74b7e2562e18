// Selections, and particles, edges and groups one by one.

#include "drafts.h"

static pliant_region named(pliant_region_kind kind, const char *name)
{
    pliant_region region = {.kind = kind};
    snprintf(region.name, sizeof region.name, "%s", name);
    return region;
}

static pliant_region sphere(float x, float y, float z, float radius)
{
    return (pliant_region){.kind = PLIANT_REGION_SPHERE, .centre = {x, y, z}, .radius = radius};
}

static int count_vertices(const pliant_mesh *mesh, const pliant_region *region, int32_t *first)
{
    pliant_selection selection;
    assert_done(pliant_mesh_select(mesh, region, &selection, &error));
    int count = selection.count;
    *first = count > 0 ? selection.indices[0] : -1;
    for (int i = 1; i < count; ++i)
        assert_true(selection.indices[i - 1] < selection.indices[i]);
    pliant_selection_release(&selection);
    assert_null(selection.indices);
    assert_int_equal(selection.count, 0);
    return count;
}

static void vertices_are_selected_by_region(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    int32_t first;
    pliant_region region = {.kind = PLIANT_REGION_ALL};
    assert_int_equal(count_vertices(mesh, &region, &first), 24);
    region = named(PLIANT_REGION_PART, "Cape_left");
    assert_int_equal(count_vertices(mesh, &region, &first), 8);
    assert_int_equal(first, 8);
    region = named(PLIANT_REGION_PART, "Cape_*");
    assert_int_equal(count_vertices(mesh, &region, &first), 16);
    region = named(PLIANT_REGION_PART, "Cape_");
    assert_int_equal(count_vertices(mesh, &region, &first), 0);
    region = named(PLIANT_REGION_PART, "*");
    assert_int_equal(count_vertices(mesh, &region, &first), 24);
    region = named(PLIANT_REGION_MATERIAL, "wood");
    assert_int_equal(count_vertices(mesh, &region, &first), 8);
    assert_int_equal(first, 0);
    region = named(PLIANT_REGION_MATERIAL, "c*");
    assert_int_equal(count_vertices(mesh, &region, &first), 16);
    region = sphere(0.5f, 0.5f, 0.5f, 0.1f);
    assert_int_equal(count_vertices(mesh, &region, &first), 1);
    assert_int_equal(first, 7);
    // What lies on the border is inside.
    region = (pliant_region){
        .kind = PLIANT_REGION_BOX, .minimum = {2.5f, -9, -9}, .maximum = {2.5f, 9, 9}};
    assert_int_equal(count_vertices(mesh, &region, &first), 4);
    pliant_mesh_destroy(mesh);
}

static void regions_out_of_range_are_refused(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    pliant_selection none;
    pliant_region region = {.kind = (pliant_region_kind)9};
    assert_refused(pliant_mesh_select(mesh, &region, &none, &error), "kind",
                   "there is no region 9");
    assert_refused(pliant_draft_select(draft, &region, &none, &error), "kind",
                   "there is no region 9");
    region = sphere(0, 0, 0, 0);
    assert_refused(pliant_mesh_select(mesh, &region, &none, &error), "radius",
                   "expected a number above 0");
    region.radius = NAN;
    assert_refused(pliant_draft_select(draft, &region, &none, &error), "radius",
                   "expected a number above 0");
    region = sphere(0, NAN, 0, 1);
    assert_refused(pliant_mesh_select(mesh, &region, &none, &error), "centre",
                   "expected finite numbers");
    region = (pliant_region){.kind = PLIANT_REGION_BOX, .minimum = {0, 0, NAN}};
    assert_refused(pliant_mesh_select(mesh, &region, &none, &error), "minimum",
                   "expected finite numbers");
    region = (pliant_region){.kind = PLIANT_REGION_BOX, .maximum = {INFINITY, 0, 0}};
    assert_refused(pliant_mesh_select(mesh, &region, &none, &error), "maximum",
                   "expected finite numbers");
    region = (pliant_region){.kind = PLIANT_REGION_BOX, .minimum = {0, 1, 0}};
    assert_refused(pliant_mesh_select(mesh, &region, &none, &error), "maximum",
                   "expected no number below the minimum's");
    region = (pliant_region){.kind = PLIANT_REGION_PART};
    memset(region.name, 'x', sizeof region.name);
    assert_refused(pliant_mesh_select(mesh, &region, &none, &error), "name",
                   "expected at most 63 bytes of text");
    mesh->parts[1].vertex_count = 99;
    region = named(PLIANT_REGION_PART, "*");
    assert_refused(pliant_mesh_select(mesh, &region, &none, &error), "part 1",
                   "its vertices are not in the mesh");
    assert_true(pliant_mesh_select(mesh, &region, &none, NULL) == PLIANT_ERROR_ARGUMENT);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void meshes_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    mesh->positions[5].y = NAN;
    assert_null(pliant_draft_create(mesh, &error));
    assert_string_equal(error.place, "vertex 5");
    mesh->positions[5].y = -1.1e6f;
    assert_null(pliant_draft_create(mesh, &error));
    assert_string_equal(error.message, "its position is not within ±1e+06 m");
    mesh->positions[5].y = 0.0f;
    mesh->parts[2].first_triangle = -1;
    assert_null(pliant_draft_create(mesh, &error));
    assert_string_equal(error.place, "part 2");
    assert_string_equal(error.message, "its triangles are not in the mesh");
    pliant_mesh_destroy(mesh);
}

static void particles_are_selected_by_region(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0.1f, 0, 0);
    place_at(draft, 2.0f, 0, 0);
    place_at(draft, -2.0f, 9, 0);
    place_at(draft, 1.0f, 0, 0);
    draft->anchors[3].triangle = BOX_TRIANGLES; // drifted here from the left cape
    pliant_selection chosen;
    pliant_region region = {.kind = PLIANT_REGION_ALL};
    assert_done(pliant_draft_select(draft, &region, &chosen, &error));
    assert_selected(&chosen, 0, 1, 2, 3);
    pliant_selection_release(&chosen);
    region = named(PLIANT_REGION_PART, "Cape_left");
    assert_done(pliant_draft_select(draft, &region, &chosen, &error));
    assert_selected(&chosen, 1, 3);
    pliant_selection_release(&chosen);
    region = named(PLIANT_REGION_MATERIAL, "cloth");
    assert_done(pliant_draft_select(draft, &region, &chosen, &error));
    assert_selected(&chosen, 1, 2, 3);
    pliant_selection_release(&chosen);
    region = sphere(0, 0, 0, 1.0f);
    assert_done(pliant_draft_select(draft, &region, &chosen, &error));
    assert_selected(&chosen, 0, 3);
    pliant_selection_release(&chosen);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Of two triangles in one place the first decides, whatever the tree looks like.
static void doubled_triangles_belong_to_the_first_part(void **state)
{
    (void)state;
    pliant_mesh *mesh = pliant_mesh_create(16, 24, 2);
    assert_non_null(mesh);
    fill_box(mesh, 0, "first", "", (vec3){0, 0, 0}, (vec3){1, 1, 1});
    fill_box(mesh, 1, "second", "", (vec3){0, 0, 0}, (vec3){1, 1, 1});
    pliant_draft *draft = draft_of(mesh);
    uint32_t seed = 7;
    for (int i = 0; i < 100; ++i) {
        vec3 x = random_vec3(&seed, 3.0f);
        place_at(draft, x.x, x.y, x.z);
    }
    pliant_selection chosen;
    pliant_region region = named(PLIANT_REGION_PART, "first");
    assert_done(pliant_draft_select(draft, &region, &chosen, &error));
    assert_int_equal(chosen.count, 100);
    pliant_selection_release(&chosen);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void without_triangles_no_particle_belongs_to_a_part(void **state)
{
    (void)state;
    pliant_mesh *mesh = pliant_mesh_create(3, 0, 1);
    assert_non_null(mesh);
    mesh->parts[0].vertex_count = 3;
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0, 0);
    pliant_selection chosen;
    pliant_region region = named(PLIANT_REGION_PART, "*");
    assert_done(pliant_draft_select(draft, &region, &chosen, &error));
    assert_int_equal(chosen.count, 0);
    pliant_selection_release(&chosen);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------

static pliant_result place_changed(pliant_draft *draft, size_t offset, float value)
{
    pliant_particle_def particle = pliant_default_particle_def();
    memcpy((char *)&particle + offset, &value, sizeof value);
    int index = pliant_draft_place(draft, &particle, &error);
    return index < 0 ? error.code : PLIANT_OK;
}

static void particles_out_of_range_are_refused(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
#define PLACE(member, value) place_changed(draft, offsetof(pliant_particle_def, member), value)
    assert_refused(PLACE(position.y, 1e7f), "position",
                   "expected three numbers in [-1e+06, 1e+06]");
    assert_refused(PLACE(position.z, NAN), "position", "expected three numbers in [-1e+06, 1e+06]");
    assert_refused(PLACE(orientation.w, 0.0f), "orientation",
                   "expected a rotation with a length from 1e-6 to 1e6");
    assert_refused(PLACE(orientation.x, NAN), "orientation",
                   "expected a rotation with a length from 1e-6 to 1e6");
    assert_refused(PLACE(radii.x, 0.0f), "radii", "expected a number in [1e-05, 100000]");
    assert_refused(PLACE(radii.y, NAN), "radii", "expected a number in [1e-05, 100000]");
    assert_refused(PLACE(radii.z, -1.0f), "radii", "expected a number in [1e-05, 100000]");
    assert_refused(PLACE(mass, -1.0f), "mass", "expected a number in [1e-09, 1e+09]");
    assert_refused(PLACE(stiffness, 1.5f), "stiffness", "expected a number in [0, 1]");
    assert_refused(PLACE(yield_strain, -1.0f), "yield_strain", "expected a number in [0, 1000]");
    assert_refused(PLACE(creep_rate, NAN), "creep_rate", "expected a number in [0, 1e+06]");
    pliant_particle_def particle = pliant_default_particle_def();
    particle.flags = 0x18;
    assert_refused(pliant_draft_place(draft, &particle, &error) == -1, "flags",
                   "there are no flags 0x18");
    assert_int_equal(pliant_draft_place(draft, &particle, NULL), -1);
    assert_int_equal(pliant_draft_particle_count(draft), 0);
    assert_done(PLACE(position.y, 1e6f));
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void edges_join_each_pair_once(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    for (int i = 0; i < 3; ++i)
        place_at(draft, (float)i, 0, 0);
    place_at(draft, 0, 0, 0);
    assert_int_equal(join(draft, 2, 1), 0);
    assert_int_equal(join(draft, 0, 2), 1);
    assert_int_equal(pliant_draft_edge(draft, 0)->a, 1);
    assert_int_equal(pliant_draft_edge(draft, 0)->b, 2);
    pliant_edge_def again = {1, 2, 0.5f, 0.125f, false, 0.0f};
    assert_int_equal(pliant_draft_add_edge(draft, &again, &error), 0);
    assert_int_equal(pliant_draft_edge_count(draft), 2);
    assert_near(pliant_draft_edge(draft, 0)->stretch_stiffness, 0.5, 0);
    assert_near(pliant_draft_edge(draft, 0)->torsion_stiffness, 0.125, 0);
#define EDGE(...)                                                                                  \
    (pliant_draft_add_edge(draft, &(pliant_edge_def){__VA_ARGS__, false, 0.0f}, &error) < 0)
    assert_refused(EDGE(4, 0, 0, 0), "a", "particle 4 of 4");
    assert_refused(EDGE(0, -1, 0, 0), "b", "particle -1 of 4");
    assert_refused(EDGE(1, 1, 0, 0), "b", "connects particle 1 with itself");
    assert_refused(EDGE(0, 3, 0, 0), "b", "particles 0 and 3 are at the same place");
    assert_refused(EDGE(0, 1, 2, 0), "stretch_stiffness", "expected a number in [0, 1]");
    assert_refused(EDGE(0, 1, 0, NAN), "torsion_stiffness", "expected a number in [0, 1]");
    assert_int_equal(pliant_draft_edge_count(draft), 2);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void disconnecting_takes_edges_within_the_selection(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    for (int i = 0; i < 4; ++i)
        place_at(draft, (float)i, 0, 0);
    for (int i = 0; i < 3; ++i)
        join(draft, i, i + 1);
    int32_t indices[] = {1, 2};
    pliant_selection pair = {2, indices};
    assert_done(pliant_draft_disconnect(draft, &pair, &error));
    assert_int_equal(pliant_draft_edge_count(draft), 2);
    assert_int_equal(pliant_draft_edge(draft, 1)->a, 2);
    indices[1] = 4;
    assert_refused(pliant_draft_disconnect(draft, &pair, &error), "particles", "4 of 4");
    assert_int_equal(pliant_draft_edge_count(draft), 2);
    assert_done(pliant_draft_disconnect(draft, NULL, &error));
    assert_int_equal(pliant_draft_edge_count(draft), 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void groups_are_checked(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    pliant_group_def def = {.stiffness = 1.0f};
    assert_refused(pliant_draft_group(draft, NULL, &def, &error), "particles",
                   "expected at least one particle");
    for (int i = 0; i < 3; ++i)
        place_at(draft, (float)i, 0, 0);
    int32_t indices[] = {2, 0};
    pliant_selection pair = {2, indices};
    assert_done(pliant_draft_group(draft, &pair, &def, &error));
    def.stiffness = 0.5f;
    def.dent_speed = 3.0f;
    assert_done(pliant_draft_group(draft, NULL, &def, &error));
    assert_int_equal(pliant_draft_group_count(draft), 2);
    bind_all(draft, 0);
    pliant_model *model = model_of(draft);
    assert_int_equal(pliant_model_group(model, 0).member_count, 2);
    assert_int_equal(pliant_model_group(model, 0).members[0], 0);
    assert_int_equal(pliant_model_group(model, 0).members[1], 2);
    assert_int_equal(pliant_model_group(model, 1).member_count, 3);
    assert_near(pliant_model_group(model, 1).dent_speed, 3, 0);
    pliant_model_destroy(model);
    indices[1] = -1;
    assert_refused(pliant_draft_group(draft, &pair, &def, &error), "particles", "-1 of 3");
    def = (pliant_group_def){.stiffness = NAN};
    assert_refused(pliant_draft_group(draft, NULL, &def, &error), "stiffness",
                   "expected a number in [0, 1]");
    def = (pliant_group_def){.dent_speed = -1};
    assert_refused(pliant_draft_group(draft, NULL, &def, &error), "dent_speed",
                   "expected a number in [0, 1e+06]");
    def = (pliant_group_def){.yield_strain = 1e4f};
    assert_refused(pliant_draft_group(draft, NULL, &def, &error), "yield_strain",
                   "expected a number in [0, 1000]");
    def = (pliant_group_def){.creep_rate = NAN};
    assert_refused(pliant_draft_group(draft, NULL, &def, &error), "creep_rate",
                   "expected a number in [0, 1e+06]");
    assert_int_equal(pliant_draft_group_count(draft), 2);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------

// Six particles in a row with edges between neighbours; two groups that share the axis 2, 3 of a hinge, and one
// of particle 5 alone.
static pliant_draft *hinged_draft(const pliant_mesh *mesh)
{
    pliant_draft *draft = draft_of(mesh);
    for (int i = 0; i < 6; ++i)
        place_at(draft, (float)i, 0.1f * (float)(i % 3), 0);
    for (int i = 0; i < 5; ++i)
        join(draft, i, i + 1);
    static int32_t members[3][4] = {{5}, {0, 1, 2, 3}, {2, 3, 4}};
    static const int counts[3] = {1, 4, 3};
    for (int i = 0; i < 3; ++i) {
        pliant_selection group = {counts[i], members[i]};
        pliant_group_def def = {.stiffness = 0.25f * (float)(i + 1)};
        assert_done(pliant_draft_group(draft, &group, &def, &error));
    }
    draft->hinges = malloc(sizeof *draft->hinges);
    assert_non_null(draft->hinges);
    draft->hinges[0] =
        (pliant_hinge_def){.group_a = 1, .group_b = 2, .particle_a = 2, .particle_b = 3};
    draft->hinge_count = 1;
    bind_all(draft, 4);
    draft->links[0] = (draft_links){{5, 0, 1}, {0.5f, 0.375f, 0.125f}};
    draft->links[1] = (draft_links){{5}, {1.0f}};
    return draft;
}

static void remove_one(pliant_draft *draft, int32_t particle)
{
    pliant_selection one = {1, &particle};
    assert_done(pliant_draft_remove(draft, &one, &error));
}

static void removing_renumbers_all_that_is_left(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = hinged_draft(mesh);
    remove_one(draft, 5);
    assert_int_equal(pliant_draft_particle_count(draft), 5);
    assert_int_equal(pliant_draft_edge_count(draft), 4);
    assert_int_equal(pliant_draft_group_count(draft), 2); // that of particle 5 alone vanished
    assert_int_equal(draft->hinge_count, 1);
    assert_int_equal(draft->hinges[0].group_a, 0);
    assert_int_equal(draft->hinges[0].group_b, 1);
    // The weights that are left sum to 1 again; a vertex without any is not bound.
    assert_int_equal(pliant_draft_link_particles(draft, 0)[0], 0);
    assert_near(pliant_draft_link_weights(draft, 0)[0], 0.75, 0);
    assert_near(pliant_draft_link_weights(draft, 0)[1], 0.25, 0);
    assert_near(pliant_draft_link_weights(draft, 0)[2], 0, 0);
    assert_near(pliant_draft_link_weights(draft, 1)[0], 0, 0);

    remove_one(draft, 0);
    assert_int_equal(pliant_draft_particle_count(draft), 4);
    assert_near(pliant_draft_particle(draft, 0)->position.x, 1, 0);
    assert_near(draft->anchors[3].position.x, 4, 0);
    assert_int_equal(pliant_draft_edge_count(draft), 3);
    assert_int_equal(pliant_draft_edge(draft, 0)->a, 0);
    assert_int_equal(draft->hinges[0].particle_a, 1);
    assert_int_equal(draft->hinges[0].particle_b, 2);
    assert_int_equal(draft->groups[0].def.member_count, 3);
    assert_int_equal(draft->groups[0].def.members[0], 0);
    assert_int_equal(pliant_draft_link_particles(draft, 2)[0], 3);
    draft->links[1] = (draft_links){{1}, {1.0f}};
    pliant_model *model = model_of(draft);
    assert_int_equal(pliant_model_hinge_count(model), 1);
    pliant_model_destroy(model);

    remove_one(draft, 2); // of the axis
    assert_int_equal(draft->hinge_count, 0);
    assert_int_equal(pliant_draft_group_count(draft), 2);
    assert_done(pliant_draft_remove(draft, NULL, &error));
    assert_int_equal(pliant_draft_particle_count(draft), 0);
    assert_int_equal(pliant_draft_edge_count(draft), 0);
    assert_int_equal(pliant_draft_group_count(draft), 0);
    int32_t zero = 0;
    pliant_selection gone = {1, &zero};
    assert_refused(pliant_draft_remove(draft, &gone, &error), "particles", "0 of 0");
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void a_hinge_goes_with_its_group(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = hinged_draft(mesh);
    draft->hinges[0].group_a = 0; // a group that has nothing to do with the axis
    remove_one(draft, 5);
    assert_int_equal(draft->hinge_count, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------

static void a_model_makes_a_draft_and_that_the_same_model(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = hinged_draft(mesh);
    pliant_draft_particle(draft, 1)->radii = (vec3){0.1f, 0.2f, 0.6f};
    pliant_model *model = model_of(draft);
    pliant_draft *again = pliant_draft_create_from_model(mesh, model, &error);
    assert_non_null(again);
    // Particle 0 lies deep in the body; particle 1, at x = 1, reaches the surface at x = 0.5.
    assert_int_equal(again->anchors[0].triangle, -1);
    assert_true(again->anchors[1].triangle >= 0 && again->anchors[1].triangle < BOX_TRIANGLES);
    assert_near(again->anchors[1].position.x, 0.5, 0);
    assert_near(again->particles[1].position.x, 1.0, 0);
    pliant_model *rebuilt = model_of(again);
    assert_same_blob(model, rebuilt);

    mesh->positions[3].z += 0.25f;
    assert_null(pliant_draft_create_from_model(mesh, model, &error));
    assert_string_equal(error.place, "model");
    assert_string_equal(error.message, "was made of another mesh: vertex 3 is elsewhere");
    pliant_mesh *other = pliant_mesh_create(0, 0, 0);
    assert_non_null(other);
    assert_null(pliant_draft_create_from_model(other, model, &error));
    assert_string_equal(error.message, "was made of another mesh: it has 24 vertices, this one 0");
    pliant_mesh_destroy(other);
    pliant_model_destroy(rebuilt);
    pliant_model_destroy(model);
    pliant_draft_destroy(again);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void values_are_inherited_where_particles_stayed(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = hinged_draft(mesh);
    for (int i = 0; i < 6; ++i) {
        pliant_particle_def *p = pliant_draft_particle(draft, i);
        *p = (pliant_particle_def){p->position,    p->orientation,    p->radii,
                                   (float)(i + 1), 0.125f * (float)i, PLIANT_PARTICLE_PINNED,
                                   1u << i,        2u << i,           0.5f,
                                   2.0f,           1e4f * (float)i,   900.0f};
    }
    pliant_model *earlier = model_of(draft);
    pliant_draft_destroy(draft);

    // Number 4 of before has gone; the others are in another order, 5 a little aside.
    draft = draft_of(mesh);
    place_at(draft, 5.0f, 0.2f, 0.09f);
    place_at(draft, 9.0f, 0, 0);
    for (int i = 3; i >= 0; --i)
        place_at(draft, (float)i, 0.1f * (float)(i % 3), 0);
    pliant_edge_def plain = {2, 3, 0, 0, false, 0.0f};
    assert_int_equal(pliant_draft_add_edge(draft, &plain, &error), 0);
    plain = (pliant_edge_def){0, 2, 0, 0, false, 0.0f};
    assert_int_equal(pliant_draft_add_edge(draft, &plain, &error), 1);
    assert_done(pliant_draft_inherit(draft, earlier, 0.1f, &error));

    static const int sources[6] = {5, -1, 3, 2, 1, 0};
    for (int i = 0; i < 6; ++i) {
        const pliant_particle_def *p = pliant_draft_particle(draft, i);
        int from = sources[i];
        assert_near(p->mass, from < 0 ? 1 : from + 1, 0);
        assert_near(p->stiffness, from < 0 ? 0.5 : 0.125 * from, 0);
        assert_int_equal(p->flags, from < 0 ? 0 : PLIANT_PARTICLE_PINNED);
        assert_true(p->layers == (from < 0 ? UINT32_MAX : 1u << from));
        assert_true(p->mask == (from < 0 ? UINT32_MAX : 2u << from));
        assert_near(p->yield_strain, from < 0 ? 0 : 0.5, 0);
        assert_near(p->creep_rate, from < 0 ? 0 : 2, 0);
    }
    assert_near(pliant_draft_edge(draft, 0)->stretch_stiffness, 0.25, 0);
    assert_near(pliant_draft_edge(draft, 0)->torsion_stiffness, 0.75, 0);
    assert_near(pliant_draft_edge(draft, 1)->stretch_stiffness, 0, 0); // 3 and 5 had none
    // The group with the lost particle 4 is not there.
    assert_int_equal(pliant_draft_group_count(draft), 2);
    assert_int_equal(draft->groups[0].def.member_count, 1);
    assert_int_equal(draft->groups[0].def.members[0], 0);
    assert_near(draft->groups[0].def.stiffness, 0.25, 0);
    assert_int_equal(draft->groups[1].def.member_count, 4);
    assert_int_equal(draft->groups[1].def.members[0], 2);
    assert_int_equal(draft->groups[1].def.members[3], 5);
    // Once is enough.
    assert_done(pliant_draft_inherit(draft, earlier, 0.1f, &error));
    assert_int_equal(pliant_draft_group_count(draft), 2);
    assert_refused(pliant_draft_inherit(draft, earlier, 0, &error), "distance",
                   "expected a number above 0");
    assert_refused(pliant_draft_inherit(draft, earlier, NAN, &error), "distance",
                   "expected a number above 0");
    pliant_model_destroy(earlier);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Two particles near one of before both take from it, also into groups.
static void several_may_inherit_from_one(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0, 0);
    pliant_draft_particle(draft, 0)->stiffness = 0.875f;
    pliant_group_def def = {.stiffness = 1.0f};
    assert_done(pliant_draft_group(draft, NULL, &def, &error));
    bind_all(draft, 0);
    pliant_model *earlier = model_of(draft);
    place_at(draft, 0.5f, 0, 0);
    place_at(draft, 5.0f, 0, 0);
    assert_done(pliant_draft_inherit(draft, earlier, 1.0f, &error));
    assert_near(pliant_draft_particle(draft, 1)->stiffness, 0.875, 0);
    assert_near(pliant_draft_particle(draft, 2)->stiffness, 0.5, 0);
    assert_int_equal(pliant_draft_group_count(draft), 2);
    assert_int_equal(draft->groups[1].def.member_count, 2);
    pliant_model_destroy(earlier);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_are_selected_by_region),
        cmocka_unit_test(regions_out_of_range_are_refused),
        cmocka_unit_test(meshes_that_make_no_sense_are_refused),
        cmocka_unit_test(particles_are_selected_by_region),
        cmocka_unit_test(doubled_triangles_belong_to_the_first_part),
        cmocka_unit_test(without_triangles_no_particle_belongs_to_a_part),
        cmocka_unit_test(particles_out_of_range_are_refused),
        cmocka_unit_test(edges_join_each_pair_once),
        cmocka_unit_test(disconnecting_takes_edges_within_the_selection),
        cmocka_unit_test(groups_are_checked),
        cmocka_unit_test(removing_renumbers_all_that_is_left),
        cmocka_unit_test(a_hinge_goes_with_its_group),
        cmocka_unit_test(a_model_makes_a_draft_and_that_the_same_model),
        cmocka_unit_test(values_are_inherited_where_particles_stayed),
        cmocka_unit_test(several_may_inherit_from_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
