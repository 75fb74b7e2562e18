// Builder, validation, groups and colours: what is wrong is named, what is right is complete, and
// nothing leaks.

#include "bodies.h"
#include "counting.h"
#include "model/model.h"

// ---------------------------------------------------------------------------------------------
// A small model with every kind of element: six particles in a row, edges between the first four, two
// groups that share particle 4, and a triangle.

enum { PARTICLES = 6, EDGES = 3, GROUPS = 2, VERTICES = 3 };

typedef struct parts {
    int particle_count;
    pliant_particle_def particles[PARTICLES];
    pliant_edge_def edges[EDGES];
    int32_t members[GROUPS][2];
    pliant_group_def groups[GROUPS]; // with members of the array above
    pliant_vertex_def vertices[VERTICES];
    int32_t triangle[3];
} parts;

static pliant_edge_def some_edge(int32_t a)
{
    return (pliant_edge_def){
        .a = a, .b = a + 1, .stretch_stiffness = 0.5f, .torsion_stiffness = 0.1f};
}

static parts good_parts(void)
{
    parts p = {.particle_count = PARTICLES,
               .edges = {some_edge(0), some_edge(1), some_edge(2)},
               .members = {{3, 4}, {4, 5}},
               .groups = {{.member_count = 2, .stiffness = 1}, {.member_count = 2}},
               .triangle = {0, 1, 2}};
    for (int i = 0; i < PARTICLES; ++i) {
        p.particles[i] = pliant_default_particle_def();
        p.particles[i].position.x = 0.5f * (float)i;
    }
    for (int i = 0; i < VERTICES; ++i)
        p.vertices[i] = (pliant_vertex_def){.position = {(float)i, (float)(i % 2), 0},
                                            .normal = {0, 0, 1},
                                            .particles = {i, i + 1},
                                            .weights = {0.75f, 0.25f}};
    return p;
}

static void add_parts(pliant_builder *builder, const parts *p)
{
    for (int i = 0; i < p->particle_count; ++i)
        pliant_builder_add_particle(builder, &p->particles[i]);
    for (int i = 0; i < EDGES; ++i)
        pliant_builder_add_edge(builder, &p->edges[i]);
    for (int i = 0; i < GROUPS; ++i) {
        pliant_group_def def = p->groups[i];
        def.members = p->members[i];
        pliant_builder_add_group(builder, &def);
    }
    for (int i = 0; i < VERTICES; ++i)
        pliant_builder_add_vertex(builder, &p->vertices[i]);
    pliant_builder_add_triangle(builder, p->triangle[0], p->triangle[1], p->triangle[2]);
}

static pliant_model *build_parts(const parts *p, const pliant_allocator *allocator,
                                 pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(allocator);
    assert_non_null(builder);
    add_parts(builder, p);
    pliant_model *model = pliant_builder_build(builder, error);
    pliant_builder_destroy(builder);
    return model;
}

static pliant_model *build_good(const parts *p)
{
    pliant_error error = {0};
    pliant_model *model = build_parts(p, NULL, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    return model;
}

static void check_fault(const parts *p, const char *place, const char *message, int line)
{
    counting count = {0};
    pliant_allocator allocator = counting_allocator(&count);
    pliant_error error = {0};
    pliant_model *model = build_parts(p, &allocator, &error);
    if (model || error.code != PLIANT_ERROR_MODEL || strcmp(error.place, place) ||
        !strstr(error.message, message))
        fail_msg("line %d: expected \"%s: %s\", got \"%s: %s\"", line, place, message, error.place,
                 error.message);
    assert_int_equal(count.live, 0);
}

// Builds good parts after one change, and expects the error to name the place and say what is wrong.
#define EXPECT_FAULT(change, place, message)                                                       \
    do {                                                                                           \
        parts p = good_parts();                                                                    \
        change;                                                                                    \
        check_fault(&p, place, message, __LINE__);                                                 \
    } while (0)

// The same, but the change is allowed.
#define EXPECT_FINE(change)                                                                        \
    do {                                                                                           \
        parts p = good_parts();                                                                    \
        change;                                                                                    \
        pliant_model_destroy(build_good(&p));                                                      \
    } while (0)

// ---------------------------------------------------------------------------------------------
// Validation

static void test_particle_faults_are_named(void **state)
{
    (void)state;
    EXPECT_FAULT(p.particles[3].position.x = NAN, "particle 3", "position (nan");
    EXPECT_FAULT(p.particles[0].position.y = -1.1e6f, "particle 0", "is not within ±1e+06 m");
    EXPECT_FAULT(p.particles[5].position.z = INFINITY, "particle 5", "inf) is not within");
    EXPECT_FAULT(p.particles[2].orientation = ((quat){0, 0, 0, 0}), "particle 2",
                 "orientation (0, 0, 0, 0) is not a rotation");
    EXPECT_FAULT(p.particles[2].orientation.y = NAN, "particle 2", "is not a rotation");
    EXPECT_FAULT(p.particles[2].orientation.w = 2e6f, "particle 2", "is not a rotation");
    EXPECT_FAULT(p.particles[1].radii.x = 0, "particle 1", "radius 0 is not in [1e-05, 100000] m");
    EXPECT_FAULT(p.particles[1].radii.y = -1, "particle 1", "radius -1");
    EXPECT_FAULT(p.particles[1].radii.z = NAN, "particle 1", "radius nan");
    EXPECT_FAULT(p.particles[4].mass = 0, "particle 4", "mass 0 is not in [1e-09, 1e+09] kg");
    EXPECT_FAULT(p.particles[4].mass = NAN, "particle 4", "mass nan");
    EXPECT_FAULT(p.particles[4].stiffness = 1.01f, "particle 4", "stiffness 1.01 is not in [0, 1]");
    EXPECT_FAULT(p.particles[4].stiffness = -0.1f, "particle 4", "stiffness -0.1");
    EXPECT_FAULT(p.particles[4].flags = 8, "particle 4", "unknown flags 0x8");
    EXPECT_FAULT(p.particle_count = 0, "model", "has no particles");
}

static void test_edge_faults_are_named(void **state)
{
    (void)state;
    EXPECT_FAULT(p.edges[1].a = -1, "edge 1", "particle -1 of 6");
    EXPECT_FAULT(p.edges[1].b = 6, "edge 1", "particle 6 of 6");
    EXPECT_FAULT(p.edges[2].b = 2, "edge 2", "connects particle 2 with itself");
    EXPECT_FAULT(p.edges[0].stretch_stiffness = 2, "edge 0", "stretch stiffness 2 is not in");
    EXPECT_FAULT(p.edges[0].torsion_stiffness = NAN, "edge 0", "torsion stiffness nan is not in");
    EXPECT_FAULT(p.particles[1].position = p.particles[0].position, "edge 0",
                 "particles 0 and 1 are at the same place");
    EXPECT_FAULT(p.edges[2] = p.edges[0], "edge 2", "particles 0 and 1 are connected already");
    EXPECT_FAULT((p.edges[1].a = 1, p.edges[1].b = 0), "edge 1", "connected already");
}

static void test_group_faults_are_named(void **state)
{
    (void)state;
    EXPECT_FAULT(p.groups[1].member_count = 0, "group 1", "has no members");
    EXPECT_FAULT(p.groups[1].member_count = -5, "group 1", "has no members");
    EXPECT_FAULT(p.groups[0].stiffness = 1.5f, "group 0", "stiffness 1.5 is not in [0, 1]");
    EXPECT_FAULT(p.members[1][1] = 6, "group 1", "particle 6 of 6");
    EXPECT_FAULT(p.members[1][0] = -2, "group 1", "particle -2 of 6");
    EXPECT_FAULT(p.members[0][1] = 3, "group 0", "holds particle 3 twice");
}

static void test_vertex_faults_are_named(void **state)
{
    (void)state;
    EXPECT_FAULT(p.vertices[1].position.z = NAN, "vertex 1", "nan) is not within ±1e+06 m");
    EXPECT_FAULT(p.vertices[2].u = INFINITY, "vertex 2", "texture coordinate is not finite");
    EXPECT_FAULT(p.vertices[2].v = NAN, "vertex 2", "texture coordinate is not finite");
    EXPECT_FAULT(p.vertices[0].normal.x = NAN, "vertex 0", "normal is not finite");
    EXPECT_FAULT(p.vertices[0].normal.x = INFINITY, "vertex 0", "normal is not finite");
    EXPECT_FAULT(p.vertices[0].particles[1] = 6, "vertex 0", "particle 6 of 6");
    EXPECT_FAULT(p.vertices[0].particles[0] = -1, "vertex 0", "particle -1 of 6");
    EXPECT_FAULT(p.vertices[1].weights[0] = -0.5f, "vertex 1", "weight -0.5 is not in");
    EXPECT_FAULT(p.vertices[1].weights[2] = NAN, "vertex 1", "weight nan is not in");
    EXPECT_FAULT(p.vertices[1].weights[0] = 0.5f, "vertex 1", "weights sum to 0.75, not 1");
    EXPECT_FAULT(p.vertices[1].weights[1] = 0.252f, "vertex 1", "weights sum to 1.002, not 1");
}

static void test_triangle_faults_are_named(void **state)
{
    (void)state;
    EXPECT_FAULT(p.triangle[2] = 3, "triangle 0", "vertex 3 of 3");
    EXPECT_FAULT(p.triangle[0] = -1, "triangle 0", "vertex -1 of 3");
}

static void test_the_first_fault_is_the_one_named(void **state)
{
    (void)state;
    EXPECT_FAULT((p.particles[4].mass = 0, p.particles[2].mass = 0, p.edges[0].a = 9), "particle 2",
                 "mass 0");
}

static void test_limits_themselves_are_allowed(void **state)
{
    (void)state;
    EXPECT_FINE((p.particles[0].mass = 1e-9f, p.particles[1].mass = 1e9f));
    EXPECT_FINE(p.particles[0].radii = ((vec3){1e-5f, 1e5f, 1.0f}));
    EXPECT_FINE(p.particles[5].position = ((vec3){1e6f, -1e6f, 1e6f}));
    EXPECT_FINE((p.particles[0].stiffness = 0, p.particles[1].stiffness = 1));
    EXPECT_FINE((p.edges[0].stretch_stiffness = 0, p.edges[0].torsion_stiffness = 1));
    EXPECT_FINE(p.particles[0].flags = PLIANT_PARTICLE_ALL_FLAGS);
    EXPECT_FINE(p.groups[0].member_count = 1);
}

static void test_error_may_be_null(void **state)
{
    (void)state;
    parts p = good_parts();
    p.edges[0].a = 77;
    assert_null(build_parts(&p, NULL, NULL));
}

// ---------------------------------------------------------------------------------------------
// What a built model tells

static void test_elements_are_kept_as_given(void **state)
{
    (void)state;
    parts p = good_parts();
    pliant_model *model = build_good(&p);
    assert_int_equal(pliant_model_particle_count(model), PARTICLES);
    assert_int_equal(pliant_model_edge_count(model), EDGES);
    assert_int_equal(pliant_model_group_count(model), GROUPS);
    assert_int_equal(pliant_model_vertex_count(model), VERTICES);
    assert_int_equal(pliant_model_triangle_count(model), 1);
    assert_memory_equal(pliant_model_particles(model), p.particles, sizeof p.particles);
    assert_memory_equal(pliant_model_edges(model), p.edges, sizeof p.edges);
    assert_memory_equal(pliant_model_vertices(model), p.vertices, sizeof p.vertices);
    assert_memory_equal(pliant_model_triangles(model), p.triangle, sizeof p.triangle);
    for (int i = 0; i < GROUPS; ++i) {
        pliant_group_def kept = pliant_model_group(model, i);
        assert_int_equal(kept.member_count, 2);
        assert_memory_equal(kept.members, p.members[i], sizeof p.members[i]);
        assert_true(kept.stiffness == p.groups[i].stiffness);
    }
    pliant_model_destroy(model);
}

static void test_adding_returns_rising_indices(void **state)
{
    (void)state;
    pliant_builder *builder = pliant_builder_create(NULL);
    parts p = good_parts();
    p.groups[0].members = p.members[0];
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(pliant_builder_add_particle(builder, &p.particles[0]), i);
        assert_int_equal(pliant_builder_add_edge(builder, &p.edges[0]), i);
        assert_int_equal(pliant_builder_add_group(builder, &p.groups[0]), i);
        assert_int_equal(pliant_builder_add_vertex(builder, &p.vertices[0]), i);
        assert_int_equal(pliant_builder_add_triangle(builder, 0, 1, 2), i);
    }
    assert_int_equal(pliant_builder_particle_count(builder), 20);
    assert_int_equal(pliant_builder_vertex_count(builder), 20);
    pliant_builder_vertex(builder, 7)->u = 0.5f;
    assert_true(pliant_builder_vertex(builder, 7)->u == 0.5f);
    pliant_builder_destroy(builder);
}

static void test_model_does_not_depend_on_its_builder(void **state)
{
    (void)state;
    parts p = good_parts();
    p.particles[1].orientation = (quat){0, 0, 0, 2};
    pliant_builder *builder = pliant_builder_create(NULL);
    add_parts(builder, &p);
    pliant_model *first = pliant_builder_build(builder, NULL);
    assert_true(pliant_builder_particle(builder, 1)->orientation.w == 2.0f);
    pliant_builder_particle(builder, 0)->mass = 7.0f;
    pliant_model *second = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_true(pliant_model_particles(first)[0].mass == 1.0f);
    assert_true(pliant_model_particles(second)[0].mass == 7.0f);
    pliant_model_destroy(first);
    pliant_model_destroy(second);
}

static void test_rotations_and_normals_are_normalised(void **state)
{
    (void)state;
    parts p = good_parts();
    p.particles[0].orientation = (quat){3, 0, 0, -4};
    p.vertices[0].normal = (vec3){0, 3e-5f, 4e-5f};
    p.vertices[1].normal = (vec3){-1e-8f, 0, 0};
    pliant_model *model = build_good(&p);
    quat q = pliant_model_particles(model)[0].orientation;
    assert_near(q.x, 0.6, 1e-7);
    assert_near(q.w, -0.8, 1e-7);
    const pliant_vertex_def *v = pliant_model_vertices(model);
    assert_near(v[0].normal.y, 0.6, 1e-6);
    assert_near(v[0].normal.z, 0.8, 1e-6);
    assert_true(v[1].normal.x == 0.0f); // too short to have a direction: none
    pliant_model_destroy(model);
}

static void test_links_are_sorted_and_their_weights_sum_to_one(void **state)
{
    (void)state;
    parts p = good_parts();
    pliant_vertex_def *v = &p.vertices[0];
    memcpy(v->particles, (int32_t[]){99, 3, 1, 2}, sizeof v->particles);
    memcpy(v->weights, (float[]){-0.0f, 0.2f, 0.6f, 0.2005f}, sizeof v->weights);
    pliant_model *model = build_good(&p);
    const pliant_vertex_def *out = pliant_model_vertices(model);
    static const int32_t expected[4] = {1, 2, 3, 0};
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        assert_int_equal(out->particles[k], expected[k]);
        sum += out->weights[k];
    }
    assert_near(sum, 1.0, 1e-6);
    assert_near(out->weights[0] / out->weights[2], 3.0, 1e-6);
    assert_int_equal(float_bits(out->weights[3]), 0);
    pliant_model_destroy(model);
}

static void test_normalised_values_keep_their_bits(void **state)
{
    (void)state;
    uint32_t random = 5;
    for (int i = 0; i < 2000; ++i) {
        parts p = good_parts();
        p.particles[0].orientation = random_quat(&random);
        vec3 normal = random_vec3(&random, 1.0f);
        p.vertices[0].normal = normal;
        p.vertices[0].weights[0] = random_between(&random, 0.7495f, 0.7505f);
        pliant_model *once = build_good(&p);
        p.particles[0] = pliant_model_particles(once)[0];
        p.vertices[0] = pliant_model_vertices(once)[0];
        pliant_model *twice = build_good(&p);
        assert_memory_equal(pliant_model_particles(twice), &p.particles[0], sizeof p.particles[0]);
        assert_memory_equal(pliant_model_vertices(twice), &p.vertices[0], sizeof p.vertices[0]);
        pliant_model_destroy(once);
        pliant_model_destroy(twice);
    }
}

// ---------------------------------------------------------------------------------------------
// Groups

static const group *group_of_members(const pliant_model *model, const int32_t *members, int count)
{
    const group *found = NULL;
    for (int i = model->implicit_count; i < model->group_count; ++i) {
        const group *g = &model->groups[i];
        int matches = 0;
        for (int k = 0; k < g->slot_count; ++k)
            for (int m = 0; m < count; ++m)
                matches += group_member(model, g, k) == members[m];
        if (matches == count && g->slot_count == count) {
            assert_null(found); // each group once
            found = g;
        }
    }
    assert_non_null(found);
    return found;
}

static const group *implicit_group_around(const pliant_model *model, int32_t centre)
{
    const group *found = NULL;
    for (int i = 0; i < model->implicit_count; ++i) {
        if (group_member(model, &model->groups[i], 0) != centre)
            continue;
        assert_null(found);
        found = &model->groups[i];
    }
    return found;
}

static void test_implicit_groups_are_particles_with_their_neighbours(void **state)
{
    (void)state;
    parts p = good_parts();
    pliant_model *model = build_good(&p);
    // Particles 3, 4 and 5 are in explicit groups; 3 is still a member of its neighbour's group.
    assert_int_equal(pliant_model_implicit_group_count(model), 3);
    assert_int_equal(model->group_count, 5);
    static const int sizes[3] = {2, 3, 3};
    for (int i = 0; i < 3; ++i) {
        const group *g = implicit_group_around(model, i);
        assert_non_null(g);
        assert_int_equal(g->slot_count, sizes[i]);
        assert_int_equal(g->oriented_count, 1);
        assert_int_equal(g->turned_count, 1);
    }
    const group *last = implicit_group_around(model, 2);
    assert_int_equal(group_member(model, last, 1), 1);
    assert_int_equal(group_member(model, last, 2), 3);
    pliant_model_destroy(model);
}

static void test_particles_without_edges_have_no_group(void **state)
{
    (void)state;
    lattice l = lattice_of(3, 1, 1);
    l.reach = 0.5f;
    pliant_model *model = lattice_model(&l);
    assert_int_equal(pliant_model_implicit_group_count(model), 0);
    assert_int_equal(pliant_model_colour_count(model), 0);
    assert_true(model->turns_freely[0] && model->turns_freely[1] && model->turns_freely[2]);
    pliant_model_destroy(model);
}

static void test_a_particle_in_two_groups_is_not_oriented(void **state)
{
    (void)state;
    parts p = good_parts();
    pliant_model *model = build_good(&p);
    const group *first = group_of_members(model, p.members[0], 2);
    const group *second = group_of_members(model, p.members[1], 2);
    assert_int_equal(first->oriented_count, 1);
    assert_int_equal(second->oriented_count, 1);
    assert_int_equal(group_member(model, first, 0), 3);
    assert_int_equal(group_member(model, second, 0), 5);
    // The joint takes its rotation from the first group only.
    assert_int_equal(first->turned_count, 2);
    assert_int_equal(second->turned_count, 1);
    pliant_model_destroy(model);
}

static void test_unoriented_particles_are_points_in_fits(void **state)
{
    (void)state;
    parts p = good_parts();
    p.particles[1].flags = p.particles[3].flags = PLIANT_PARTICLE_UNORIENTED;
    pliant_model *model = build_good(&p);
    const group *around = implicit_group_around(model, 1);
    assert_int_equal(around->oriented_count, 0);
    assert_int_equal(around->turned_count, 1);
    const group *first = group_of_members(model, p.members[0], 2);
    assert_int_equal(first->oriented_count, 0);
    assert_int_equal(first->turned_count, 2);
    pliant_model_destroy(model);
}

static void test_weights_and_offsets_of_a_group_balance(void **state)
{
    (void)state;
    parts p = good_parts();
    p.particles[1].mass = 5.0f;
    p.particles[2].flags = PLIANT_PARTICLE_PINNED;
    pliant_model *model = build_good(&p);
    for (int i = 0; i < model->group_count; ++i) {
        const group *g = &model->groups[i];
        double sum = 0, moment = 0;
        for (int k = 0; k < g->slot_count; ++k) {
            double weight = *rest_weight(&model->rest, group_slot(g, k));
            sum += weight;
            moment += weight * (double)rest_offset(&model->rest, group_slot(g, k)).x;
        }
        assert_near(sum, 1.0, 1e-6);
        assert_near(moment, 0.0, 1e-6);
    }
    const group *g = implicit_group_around(model, 1); // 1 of 5 kg, then 0 and the pinned 2
    float weights[3];
    for (int k = 0; k < 3; ++k)
        weights[k] = *rest_weight(&model->rest, group_slot(g, k));
    assert_near(weights[2] / weights[1], PINNED_FIT_FACTOR, 1.0);
    assert_near(weights[0] / weights[1], 5.0, 1e-4);
    pliant_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Colours

// Which constraint touched a particle last, by a number that grows: nothing needs clearing.
typedef struct touch_marks {
    int *of; // per particle
    int now;
} touch_marks;

// Marks a particle; fails when another constraint with the same number has it.
static void mark_particle(touch_marks *marks, int32_t particle)
{
    assert_int_not_equal(marks->of[particle], marks->now);
    marks->of[particle] = marks->now;
}

// Each lane of a batch has particles of its own, and every constraint is in one batch.
static void check_batches(const pliant_model *model, const batching *b, int count, bool is_group)
{
    touch_marks marks = {calloc((size_t)pliant_model_particle_count(model), sizeof(int)), 0};
    int next = 0;
    assert_int_equal(b->block_start[0], 0);
    assert_int_equal(b->block_start[model->blocks.count], b->batch_count);
    for (int t = 0; t < b->batch_count; ++t) {
        assert_int_equal(b->batches[t].first, next);
        assert_in_range(b->batches[t].count, 1, LANES);
        marks.now += 1;
        for (int i = next; i < next + b->batches[t].count; ++i) {
            for (int k = 0; is_group && k < model->groups[i].slot_count; ++k)
                mark_particle(&marks, group_member(model, &model->groups[i], k));
            if (!is_group) {
                mark_particle(&marks, model->edges[i].a);
                mark_particle(&marks, model->edges[i].b);
            }
        }
        next += b->batches[t].count;
    }
    assert_int_equal(next, count);
    free(marks.of);
}

// Fails when the block touches a particle that another block of the same colour touches.
static void mark_block(const pliant_model *model, int block, int *owner)
{
    const batching *groups = &model->group_batches, *edges = &model->edge_batches;
    int first = groups->batch_count ? groups->batches[groups->block_start[block]].first : 0;
    int end = block + 1 < model->blocks.count
                  ? groups->batches[groups->block_start[block + 1]].first
                  : model->implicit_count;
    for (int i = first; i < end; ++i)
        for (int k = 0; k < model->groups[i].slot_count; ++k) {
            int *of = &owner[group_member(model, &model->groups[i], k)];
            assert_true(*of == 0 || *of == block + 1);
            *of = block + 1;
        }
    for (int t = edges->block_start[block]; t < edges->block_start[block + 1]; ++t)
        for (int i = 0; i < edges->batches[t].count; ++i)
            for (int k = 0; k < 2; ++k) {
                const edge *e = &model->edges[edges->batches[t].first + i];
                int *of = &owner[k ? e->b : e->a];
                assert_true(*of == 0 || *of == block + 1);
                *of = block + 1;
            }
}

static void check_blocks(const pliant_model *model)
{
    const block_plan *plan = &model->blocks;
    size_t n = (size_t)pliant_model_particle_count(model);
    int *owner = calloc(n, sizeof *owner), *times = calloc((size_t)plan->count, sizeof *times);
    assert_int_equal(plan->colour_start[0], 0);
    assert_int_equal(plan->colour_start[plan->colour_count], plan->count);
    for (int c = 0; c < plan->colour_count; ++c) {
        memset(owner, 0, n * sizeof *owner);
        for (int k = plan->colour_start[c]; k < plan->colour_start[c + 1]; ++k) {
            mark_block(model, plan->order[k], owner);
            times[plan->order[k]] += 1;
        }
    }
    for (int b = 0; b < plan->count; ++b)
        assert_int_equal(times[b], 1);
    free(owner);
    free(times);
}

static void check_all_batches(const pliant_model *model)
{
    check_batches(model, &model->group_batches, model->implicit_count, true);
    check_batches(model, &model->edge_batches, model->source.edge_count, false);
    check_blocks(model);
}

static void check_all_edges_are_there_once(const pliant_model *model)
{
    const pliant_edge_def *given = pliant_model_edges(model);
    int count = pliant_model_edge_count(model);
    for (int i = 0; i < count; ++i) {
        int found = 0;
        for (int k = 0; k < count; ++k)
            found += model->edges[k].a == given[i].a && model->edges[k].b == given[i].b;
        assert_int_equal(found, 1);
    }
}

static void check_all_groups_are_there_once(const pliant_model *model)
{
    int with_edges = 0, slots = 0;
    for (int p = 0; p < model->source.particle_count; ++p)
        with_edges += implicit_group_around(model, p) != NULL;
    assert_int_equal(with_edges, model->implicit_count);
    assert_int_equal(model->group_count, model->implicit_count + model->source.group_count);
    for (int i = 0; i < model->source.group_count; ++i) {
        pliant_group_def given = pliant_model_group(model, i);
        group_of_members(model, given.members, given.member_count);
    }
    for (int i = 0; i < model->group_count; ++i)
        slots += model->groups[i].slot_count;
    assert_in_range(slots, 0, model->row_count * LANES);
    // Each slot has its place, none two.
    uint8_t *used = calloc((size_t)model->row_count * LANES, 1);
    for (int i = 0; i < model->group_count; ++i)
        for (int k = 0; k < model->groups[i].slot_count; ++k)
            assert_int_equal(used[group_slot(&model->groups[i], k)]++, 0);
    free(used);
}

static void test_constraints_side_by_side_share_no_particle(void **state)
{
    (void)state;
    static const int shapes[][3] = {{2, 1, 1}, {30, 1, 1}, {9, 8, 1}, {5, 4, 4}, {70, 8, 4}};
    for (int k = 0; k < 5; ++k) {
        lattice l = lattice_of(shapes[k][0], shapes[k][1], shapes[k][2]);
        pliant_model *model = lattice_model(&l);
        assert_int_equal(model->implicit_count, shapes[k][0] * shapes[k][1] * shapes[k][2]);
        assert_int_equal(model->blocks.count, k < 4 ? 1 : 5);
        check_all_batches(model);
        if (k == 4) // the rest is quadratic
            assert_true(model->blocks.colour_count < model->blocks.count);
        else
            check_all_edges_are_there_once(model);
        if (k < 4)
            check_all_groups_are_there_once(model);
        pliant_model_destroy(model);
    }
}

// Particle 0 in the middle of `leaves` others, connected by edges or by groups of two.
static pliant_model *star_model(int leaves, bool by_groups)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i <= leaves; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = (vec3){0.1f * (float)i, 0.01f * (float)(i * i), 0};
        pliant_builder_add_particle(builder, &def);
        const int32_t pair[2] = {0, i};
        pliant_group_def of_two = {.members = pair, .member_count = 2, .stiffness = 0.5f};
        pliant_edge_def between = {0, i, 0.5f, 0.0f, false, 0.0f};
        if (i > 0 && by_groups)
            pliant_builder_add_group(builder, &of_two);
        else if (i > 0)
            pliant_builder_add_edge(builder, &between);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    return model;
}

static void test_edges_beyond_64_colours_run_serially(void **state)
{
    (void)state;
    pliant_model *model = star_model(130, false);
    assert_int_equal(model->edge_batches.colour_count, 64);
    assert_int_equal(model->edge_batches.batch_count, 130);
    assert_int_equal(model->implicit_count, 131); // all hold the centre
    assert_int_equal(model->group_batches.colour_count, 64);
    assert_int_equal(model->group_batches.batch_count, 131);
    check_all_batches(model);
    check_all_edges_are_there_once(model);
    check_all_groups_are_there_once(model);
    pliant_model_destroy(model);
}

// A star that is solved one constraint after another still holds together.
static void test_a_star_keeps_its_shape(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        setup s = {.model = star_model(100, k),
                   .world_def = pliant_default_world_def(),
                   .body_def = pliant_default_body_def()};
        s.world_def.gravity = (vec3){0, 0, 0};
        s.body_def.model = s.model;
        setup_open(&s);
        run(&s, 1.0, 1.0f / 60.0f);
        assert_below(shape_error(&s), 1e-3);
        setup_close(&s);
    }
}

// ---------------------------------------------------------------------------------------------
// No memory

static bool try_build_with(counting *count)
{
    pliant_allocator allocator = counting_allocator(count);
    parts p = good_parts();
    pliant_builder *builder = pliant_builder_create(&allocator);
    if (!builder)
        return false;
    add_parts(builder, &p);
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model) {
        assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
        assert_string_equal(error.message, "out of memory");
    }
    pliant_builder_destroy(builder);
    pliant_model_destroy(model);
    return model != NULL;
}

static void test_building_without_memory_fails_and_leaks_nothing(void **state)
{
    (void)state;
    counting all = {0};
    assert_true(try_build_with(&all));
    assert_int_equal(all.live, 0);
    assert_true(all.calls > 20);
    for (int n = 1; n <= all.calls; ++n) {
        counting count = {.fail_at = n};
        assert_false(try_build_with(&count));
        assert_int_equal(count.live, 0);
    }
}

static void test_loading_without_memory_fails_and_leaks_nothing(void **state)
{
    (void)state;
    parts p = good_parts();
    pliant_model *model = build_good(&p);
    size_t size = pliant_model_blob_size(model);
    void *blob = malloc(size);
    pliant_model_save(model, blob);
    pliant_model_destroy(model);
    counting count = {0};
    for (int n = 1;; ++n) {
        count = (counting){.fail_at = n};
        pliant_allocator allocator = counting_allocator(&count);
        pliant_error error = {0};
        pliant_model *loaded = pliant_model_load(blob, size, &allocator, &error);
        if (!loaded)
            assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
        pliant_model_destroy(loaded);
        assert_int_equal(count.live, 0);
        assert_int_equal(loaded != NULL, count.calls < n);
        if (loaded)
            break;
    }
    assert_true(count.calls > 20);
    free(blob);
}

static void test_destroying_nothing_is_allowed(void **state)
{
    (void)state;
    pliant_builder_destroy(NULL);
    pliant_model_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_particle_faults_are_named),
        cmocka_unit_test(test_edge_faults_are_named),
        cmocka_unit_test(test_group_faults_are_named),
        cmocka_unit_test(test_vertex_faults_are_named),
        cmocka_unit_test(test_triangle_faults_are_named),
        cmocka_unit_test(test_the_first_fault_is_the_one_named),
        cmocka_unit_test(test_limits_themselves_are_allowed),
        cmocka_unit_test(test_error_may_be_null),
        cmocka_unit_test(test_elements_are_kept_as_given),
        cmocka_unit_test(test_adding_returns_rising_indices),
        cmocka_unit_test(test_model_does_not_depend_on_its_builder),
        cmocka_unit_test(test_rotations_and_normals_are_normalised),
        cmocka_unit_test(test_links_are_sorted_and_their_weights_sum_to_one),
        cmocka_unit_test(test_normalised_values_keep_their_bits),
        cmocka_unit_test(test_implicit_groups_are_particles_with_their_neighbours),
        cmocka_unit_test(test_particles_without_edges_have_no_group),
        cmocka_unit_test(test_a_particle_in_two_groups_is_not_oriented),
        cmocka_unit_test(test_unoriented_particles_are_points_in_fits),
        cmocka_unit_test(test_weights_and_offsets_of_a_group_balance),
        cmocka_unit_test(test_constraints_side_by_side_share_no_particle),
        cmocka_unit_test(test_edges_beyond_64_colours_run_serially),
        cmocka_unit_test(test_a_star_keeps_its_shape),
        cmocka_unit_test(test_building_without_memory_fails_and_leaks_nothing),
        cmocka_unit_test(test_loading_without_memory_fails_and_leaks_nothing),
        cmocka_unit_test(test_destroying_nothing_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
