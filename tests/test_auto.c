// Models from meshes alone: as many particles as asked for, in one piece, that live in a world.

#include "coverage.h"
#include "draft/draft.h"
#include "meshes.h"
#include "solids.h"

static pliant_draft *authored(const pliant_mesh *mesh, pliant_auto_method method, int count)
{
    pliant_error error = {0};
    pliant_draft *draft = draft_of(mesh);
    pliant_auto_def def = pliant_default_auto_def();
    def.method = method;
    def.count = count;
    assert_ok(pliant_draft_auto(draft, &def, &error));
    return draft;
}

static pliant_model *build(pliant_draft *draft)
{
    pliant_error error = {0};
    pliant_model *model = pliant_draft_build(draft, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    return model;
}

static void finish(pliant_draft *draft, pliant_mesh *mesh)
{
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

enum { THINGS = 8 };

static pliant_mesh *thing(int index)
{
    switch (index) {
    case 0:
        return box_mesh((vec3){1, 0.8f, 0.6f}, 6, 6, 6);
    case 1:
        return sphere_mesh(0.5f, 12);
    case 2:
        return tube_mesh(0.03f, 2.0f, 12, 100);
    case 3:
        return box_mesh((vec3){1, 1, 0.01f}, 16, 16, 1);
    case 4:
        return hand_mesh();
    case 5:
        return torus_mesh(0.5f, 0.2f, 40, 20);
    case 6:
        return open_sheet_mesh(1.0f, 1.0f, 12, 12);
    default:
        return shuffled(soup(capsule_mesh(0.2f, 0.6f, 24, 60)), 5);
    }
}

// ---------------------------------------------------------------------------------------------
// The model

static int root_of(int *parents, int i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

static int count_parts(pliant_draft *draft)
{
    int count = pliant_draft_particle_count(draft), parts = count;
    int *parents = malloc((size_t)count * sizeof *parents);
    for (int i = 0; i < count; ++i)
        parents[i] = i;
    for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
        int a = root_of(parents, pliant_draft_edge(draft, i)->a);
        int b = root_of(parents, pliant_draft_edge(draft, i)->b);
        parts -= a != b;
        parents[a] = b;
    }
    free(parents);
    return parts;
}

static bool is_everything_bound(const pliant_draft *draft)
{
    for (int v = 0; v < draft->mesh->vertex_count; ++v)
        if (!(pliant_draft_link_weights(draft, v)[0] > 0.0f))
            return false;
    return true;
}

static void all_methods_meet_the_count(void **unused)
{
    (void)unused;
    for (int method = PLIANT_AUTO_MIXED; method <= PLIANT_AUTO_SLICE; ++method) {
        pliant_mesh *mesh = box_mesh((vec3){1, 1, 0.01f}, 20, 20, 1);
        pliant_draft *draft = authored(mesh, (pliant_auto_method)method, 200);
        assert_near(pliant_draft_particle_count(draft), 200, 0.2 * 200);
        assert_int_equal(count_parts(draft), 1);
        assert_true(is_everything_bound(draft));
        pliant_model_destroy(build(draft));
        finish(draft, mesh);
    }
}

// A part of a mesh becomes what it would be by itself: a cape behind a box, which is closer to it than its particles are
// to each other. Everything else is bound to nothing.
static void a_part_is_a_model_of_its_own(void **unused)
{
    (void)unused;
    pliant_mesh *cape =
        moved(open_sheet_mesh(1.0f, 1.6f, 10, 16), quat_identity(), (vec3){0, 0, -0.26f});
    pliant_mesh *both =
        joined(box_mesh((vec3){0.6f, 1.8f, 0.5f}, 6, 18, 5),
               moved(open_sheet_mesh(1.0f, 1.6f, 10, 16), quat_identity(), (vec3){0, 0, -0.26f}));
    int32_t body = both->vertex_count - cape->vertex_count;
    pliant_draft *alone = authored(cape, PLIANT_AUTO_MIXED, 0), *part = draft_of(both);
    pliant_selection vertices = {cape->vertex_count,
                                 malloc((size_t)cape->vertex_count * sizeof(int32_t))};
    for (int32_t i = 0; i < vertices.count; ++i)
        vertices.indices[i] = body + i;
    pliant_error error = {0};
    pliant_auto_def def = pliant_default_auto_def();
    def.vertices = &vertices;
    assert_ok(pliant_draft_auto(part, &def, &error));

    int count = pliant_draft_particle_count(alone);
    assert_int_equal(pliant_draft_particle_count(part), count);
    assert_int_equal(pliant_draft_edge_count(part), pliant_draft_edge_count(alone));
    assert_memory_equal(part->particles, alone->particles,
                        (size_t)count * sizeof *alone->particles);
    assert_memory_equal(part->links + body, alone->links,
                        (size_t)vertices.count * sizeof *alone->links);
    for (int32_t v = 0; v < body; ++v)
        assert_false(is_bound(part, v));
    assert_true(pliant_draft_material(part).self_collision);
    assert_true(pliant_draft_spacing(part) == pliant_draft_spacing(alone));
    pliant_model *model = build(part);
    assert_int_equal(pliant_model_particle_count(model), count + 1); // and what holds the rest
    assert_near(pliant_model_particles(model)[0].mass, pliant_draft_particle(alone, 0)->mass, 0);
    pliant_model_destroy(model);
    pliant_selection_release(&vertices);
    finish(part, both);
    finish(alone, cape);
}

static void a_part_without_a_triangle_is_refused(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 2, 2, 2);
    pliant_draft *draft = draft_of(mesh);
    int32_t first = 0;
    pliant_selection vertices = {1, &first};
    pliant_error error = {0};
    pliant_auto_def def = pliant_default_auto_def();
    def.vertices = &vertices;
    assert_int_equal(pliant_draft_auto(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "vertices");
    first = mesh->vertex_count;
    assert_int_equal(pliant_draft_auto(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "vertices");
    assert_int_equal(pliant_draft_particle_count(draft), 0);
    finish(draft, mesh);
}

// A box gains and loses whole layers of its filling at once, and eight corners by its symmetry: then the best is as good
// as it gets.
static void steps_are_met_as_well_as_can_be(void **unused)
{
    (void)unused;
    const int counts[] = {75, 135, 210};
    for (int i = 0; i < 3; ++i) {
        pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 2, 2, 2);
        pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, counts[i]);
        assert_near(pliant_draft_particle_count(draft), counts[i], 0.25 * counts[i]);
        finish(draft, mesh);
    }
}

// Left to itself it takes neither a handful nor a heap, but of a rope a chain.
static void chooses_a_count(void **unused)
{
    (void)unused;
    for (int i = 0; i < THINGS; i += 2) {
        pliant_mesh *mesh = thing(i);
        pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, 0);
        int count = pliant_draft_particle_count(draft);
        assert_in_range(count, i == 2 ? 15 : 50, 600);
        if (i == 2)
            assert_int_equal(pliant_draft_edge_count(draft), count - 1);
        finish(draft, mesh);
    }
}

// Ropes: on the axis, end to end.
static void ropes_become_chains(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = tube_mesh(0.03f, 2.0f, 12, 100);
    pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, 20);
    int count = pliant_draft_particle_count(draft);
    float low = 0.0f, high = 0.0f;
    assert_int_equal(pliant_draft_edge_count(draft), count - 1);
    for (int i = 0; i < count; ++i) {
        vec3 x = particle_position(draft, i);
        assert_below(square_root(x.x * x.x + x.y * x.y), 0.5f * 0.03f);
        low = minimum(low, x.z);
        high = maximum(high, x.z);
    }
    assert_true(low < -0.88f && high > 0.88f);
    finish(draft, mesh);
}

// Horns, boots and fingers have particles to their ends: no part of the skin is far from all of them.
static void every_extremity_has_a_particle(void **unused)
{
    (void)unused;
    for (int i = 0; i < THINGS; ++i) {
        pliant_mesh *mesh = thing(i);
        pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, 0);
        for (int v = 0; v < mesh->vertex_count; ++v)
            assert_below(coverage_nearest(pliant_draft_particle(draft, 0),
                                          pliant_draft_particle_count(draft), mesh->positions[v]),
                         0.5f * draft->spacing);
        finish(draft, mesh);
    }
}

static int image_of(pliant_draft *draft, int particle, vec3 normal, float offset)
{
    vec3 x = particle_position(draft, particle);
    vec3 image = vec3_add_scaled(x, normal, -2.0f * (vec3_dot(normal, x) - offset));
    int best = 0;
    for (int i = 1; i < pliant_draft_particle_count(draft); ++i)
        if (straight_between(particle_position(draft, i), image) <
            straight_between(particle_position(draft, best), image))
            best = i;
    assert_below(straight_between(particle_position(draft, best), image), 1e-4f);
    return best;
}

static bool has_edge(pliant_draft *draft, int a, int b)
{
    for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
        const pliant_edge_def *edge = pliant_draft_edge(draft, i);
        if ((edge->a == a && edge->b == b) || (edge->a == b && edge->b == a))
            return true;
    }
    return false;
}

// Masses are found from cells that need not lie symmetrically: it is balanced all the same.
static void check_symmetry(pliant_draft *draft, vec3 normal, float offset)
{
    double mass = 0.0, moment = 0.0;
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
        const pliant_particle_def *one = pliant_draft_particle(draft, i);
        const pliant_particle_def *other =
            pliant_draft_particle(draft, image_of(draft, i, normal, offset));
        for (int k = 0; k < 3; ++k)
            assert_near((&one->radii.x)[k], (&other->radii.x)[k], 1e-4);
        assert_true(one->stiffness == other->stiffness);
        mass += (double)one->mass;
        moment += (double)one->mass * (double)(vec3_dot(normal, one->position) - offset);
    }
    assert_near(moment / mass, 0.0, 0.05 * (double)draft->spacing);
    for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
        pliant_edge_def edge = *pliant_draft_edge(draft, i);
        assert_true(has_edge(draft, image_of(draft, edge.a, normal, offset),
                             image_of(draft, edge.b, normal, offset)));
    }
}

// However the mesh stands.
static void symmetric_meshes_get_symmetric_models(void **unused)
{
    (void)unused;
    const int things[] = {0, 3, 4, 5, 6};
    quat turn = quat_normalize((quat){0.3f, 0.5f, -0.2f, 0.8f});
    vec3 shift = {0.4f, -0.3f, 2.0f};
    for (int i = 0; i < 5; ++i) {
        for (int turned = 0; turned < (things[i] == 4 ? 2 : 1); ++turned) {
            pliant_mesh *mesh = thing(things[i]);
            vec3 low = mesh->positions[0], high = low, normal = {1, 0, 0};
            for (int v = 0; v < mesh->vertex_count; ++v) {
                low.x = minimum(low.x, mesh->positions[v].x);
                high.x = maximum(high.x, mesh->positions[v].x);
            }
            float offset = 0.5f * (low.x + high.x);
            if (turned) {
                mesh = moved(mesh, turn, shift);
                normal = quat_rotate(turn, normal);
                offset += vec3_dot(normal, shift);
            }
            pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, 0);
            check_symmetry(draft, normal, offset);
            finish(draft, mesh);
        }
    }
}

// Fingers: none is joined to the next but in the palm.
static void hands_keep_their_fingers(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = hand_mesh();
    pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, 120);
    for (int i = 0; i < pliant_draft_edge_count(draft); ++i) {
        const pliant_edge_def *edge = pliant_draft_edge(draft, i);
        vec3 a = particle_position(draft, edge->a), b = particle_position(draft, edge->b);
        bool is_between = finger_at(a) >= 0 && finger_at(b) >= 0 && finger_at(a) != finger_at(b);
        assert_true(!is_between || a.y + b.y < 4.0f * draft->spacing);
    }
    finish(draft, mesh);
}

// Two boxes are two parts where they are apart and one where they touch.
static void pieces_are_parts(void **unused)
{
    (void)unused;
    for (int touch = 0; touch < 2; ++touch) {
        pliant_mesh *mesh =
            joined(box_mesh((vec3){0.5f, 0.5f, 0.5f}, 5, 5, 5),
                   moved(box_mesh((vec3){0.5f, 0.5f, 0.5f}, 5, 5, 5), quat_identity(),
                         (vec3){touch ? 0.505f : 0.7f, 0.03f, 0.02f}));
        pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, 200);
        assert_int_equal(count_parts(draft), touch ? 1 : 2);
        finish(draft, mesh);
    }
}

// ---------------------------------------------------------------------------------------------
// Repeatable, and the same anywhere

static void *blob_of(const pliant_mesh *mesh, uint32_t seed, size_t *size)
{
    pliant_error error = {0};
    pliant_draft *draft = draft_of(mesh);
    pliant_auto_def def = pliant_default_auto_def();
    def.spacing = 0.15f;
    def.seed = seed;
    assert_ok(pliant_draft_auto(draft, &def, &error));
    pliant_model *model = build(draft);
    *size = pliant_model_blob_size(model);
    void *blob = malloc(*size);
    pliant_model_save(model, blob);
    pliant_model_destroy(model);
    pliant_draft_destroy(draft);
    return blob;
}

static void the_same_call_gives_the_same_model(void **unused)
{
    (void)unused;
    for (int i = 1; i < THINGS; i += 3) {
        size_t size, again_size, other_size;
        pliant_mesh *mesh = thing(i);
        void *blob = blob_of(mesh, 7, &size), *again = blob_of(mesh, 7, &again_size);
        void *other = blob_of(mesh, 8, &other_size);
        assert_int_equal(size, again_size);
        assert_memory_equal(blob, again, size);
        assert_true(size != other_size || memcmp(blob, other, size) != 0);
        free(blob);
        free(again);
        free(other);
        pliant_mesh_destroy(mesh);
    }
}

static void the_frame_does_not_matter(void **unused)
{
    (void)unused;
    const float half = 0.70710678f;
    const struct {
        quat turn;
        vec3 shift;
    } frames[] = {{{0, 0, 0, 1}, {0, 0, 0}},
                  {{0, 0, 0, 1}, {1000, -2000, 500}},
                  {{half, 0, 0, half}, {-30, 10, 0}}};
    for (int i = 0; i < THINGS; ++i) {
        float spacing = i == 2 ? 0.1f : 0.16f;
        int counts[3];
        for (int frame = 0; frame < 3; ++frame) {
            pliant_error error = {0};
            pliant_mesh *mesh =
                moved(thing(i), quat_normalize(frames[frame].turn), frames[frame].shift);
            pliant_draft *draft = draft_of(mesh);
            pliant_auto_def def = pliant_default_auto_def();
            def.spacing = spacing;
            assert_ok(pliant_draft_auto(draft, &def, &error));
            counts[frame] = pliant_draft_particle_count(draft);
            assert_int_equal(count_parts(draft), 1);
            finish(draft, mesh);
        }
        for (int frame = 1; frame < 3; ++frame)
            assert_near(counts[frame], counts[0], 3 + 0.2 * counts[0]);
    }
}

// ---------------------------------------------------------------------------------------------
// In a world

static void extents_of(const setup *s, bool at_rest, vec3 *low, vec3 *high)
{
    *low = (vec3){INFINITY, INFINITY, INFINITY};
    *high = (vec3){-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i) {
        vec3 x = at_rest ? pliant_model_particles(s->model)[i].position : position_of(s, i);
        *low = (vec3){minimum(low->x, x.x), minimum(low->y, x.y), minimum(low->z, x.z)};
        *high = (vec3){maximum(high->x, x.x), maximum(high->y, x.y), maximum(high->z, x.z)};
    }
}

static float size_of(const setup *s, bool at_rest)
{
    vec3 low, high;
    extents_of(s, at_rest, &low, &high);
    return vec3_length(vec3_sub(high, low));
}

// Dropped from a hand's breadth.
static void drop(setup *s, pliant_model *model, double seconds)
{
    *s = (setup){.model = model,
                 .world_def = pliant_default_world_def(),
                 .body_def = pliant_default_body_def()};
    vec3 low, high;
    extents_of(s, true, &low, &high);
    s->body_def.model = model;
    s->body_def.position = (vec3){0, 0.1f - low.y + 0.1f, 0};
    setup_open(s);
    pliant_plane_def plane = pliant_default_plane_def();
    pliant_world_add_plane(s->world, &plane, NULL);
    run(s, seconds, DT);
}

// Falls, lies there, and is still what it was.
static void check_life(pliant_model *model)
{
    setup s;
    drop(&s, model, 2.0);
    assert_true(all_finite(&s));
    assert_below(size_of(&s, false), 1.5f * size_of(&s, true));
    vec3 low, high;
    extents_of(&s, false, &low, &high);
    assert_true(low.y > -0.02f);
    assert_below(high.y, 1.5f * size_of(&s, true));
    setup_close(&s);
}

static void models_are_whole_and_live(void **unused)
{
    (void)unused;
    for (int i = 0; i < THINGS; ++i) {
        const int count = i == 2 ? 24 : 90;
        pliant_mesh *mesh = thing(i);
        pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, count);
        assert_near(pliant_draft_particle_count(draft), count, 0.15 * count);
        assert_int_equal(count_parts(draft), 1);
        assert_true(is_everything_bound(draft));
        pliant_model *model = build(draft);
        assert_int_equal(pliant_model_vertex_count(model), mesh->vertex_count);
        assert_int_equal(pliant_model_triangle_count(model), mesh->triangle_count);
        check_life(model);
        finish(draft, mesh);
    }
}

// A soft box is pressed flat by its own fall and comes back to its shape.
static void a_soft_box_comes_back(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = box_mesh((vec3){1, 0.8f, 0.6f}, 6, 6, 6);
    pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, 120);
    setup s;
    drop(&s, build(draft), 3.0);
    const pliant_edge_def *edges = pliant_model_edges(s.model);
    const pliant_particle_def *particles = pliant_model_particles(s.model);
    for (int i = 0; i < pliant_model_edge_count(s.model); ++i) {
        double now =
            (double)straight_between(position_of(&s, edges[i].a), position_of(&s, edges[i].b));
        double then = (double)straight_between(particles[edges[i].a].position,
                                               particles[edges[i].b].position);
        assert_near(now, then, 0.15 * then);
    }
    assert_below(shape_error(&s), 0.08);
    setup_close(&s);
    finish(draft, mesh);
}

// ---------------------------------------------------------------------------------------------
// Errors

static void auto_refuses(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 2, 2, 2);
    pliant_draft *draft = draft_of(mesh);
    const pliant_auto_def good = {.density = 300.0f, .stiffness = -1.0f, .drift = -1, .count = 30};
    static const char *places[] = {"spacing", "spacing", "spacing", "count",     "count",
                                   "density", "radius",  "edges",   "stiffness", "drift"};
    for (int i = 0; i < 10; ++i) {
        pliant_auto_def def = good;
        def.spacing = i == 0 ? -1.0f : i == 1 ? NAN : i == 2 ? 1e-7f : 0.0f;
        def.count = i == 3 ? -1 : i == 4 ? 1000001 : 30;
        def.density = i == 5 ? 0.0f : 300.0f;
        def.radius = i == 6 ? -1.0f : 0.0f;
        def.edges = i == 7 ? NAN : 0.0f;
        def.stiffness = i == 8 ? 1.5f : -1.0f;
        def.drift = i == 9 ? 101 : -1;
        assert_int_equal(pliant_draft_auto(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
        assert_string_equal(error.place, places[i]);
        assert_int_equal(pliant_draft_particle_count(draft), 0);
        assert_true(draft->spacing == 0.0f);
    }
    assert_ok(pliant_draft_auto(draft, &good, &error));
    assert_int_equal(pliant_draft_auto(draft, &good, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "draft");
    assert_true(pliant_draft_particle_count(draft) > 0);
    finish(draft, mesh);
}

static void auto_refuses_nothing(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *meshes[] = {mesh_of(0, 0), mesh_of(3, 0), mesh_of(3, 1)};
    meshes[1]->positions[1].x = 1.0f;
    for (int i = 0; i < 3; ++i) {
        pliant_draft *draft = draft_of(meshes[i]);
        pliant_auto_def def = pliant_default_auto_def();
        assert_int_equal(pliant_draft_auto(draft, &def, &error), PLIANT_ERROR_ARGUMENT);
        assert_true(error.message[0] != '\0');
        finish(draft, meshes[i]);
    }
}

// What folds onto itself: the thin plate and the open sheet, but not the rope; and all that is sliced.
static void sheets_touch_themselves(void **state)
{
    (void)state;
    for (int i = 0; i < THINGS; ++i) {
        pliant_mesh *mesh = thing(i);
        pliant_draft *draft = authored(mesh, PLIANT_AUTO_MIXED, 0);
        if (pliant_draft_material(draft).self_collision != (i == 3 || i == 6))
            fail_msg("thing %d", i);
        finish(draft, mesh);
    }
    pliant_mesh *mesh = thing(6);
    pliant_draft *draft = authored(mesh, PLIANT_AUTO_SLICE, 0);
    assert_true(pliant_draft_material(draft).self_collision);
    pliant_model *model = build(draft);
    assert_true(pliant_model_material(model).self_collision);
    pliant_model_destroy(model);
    finish(draft, mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_touch_themselves),
        cmocka_unit_test(all_methods_meet_the_count),
        cmocka_unit_test(a_part_is_a_model_of_its_own),
        cmocka_unit_test(a_part_without_a_triangle_is_refused),
        cmocka_unit_test(steps_are_met_as_well_as_can_be),
        cmocka_unit_test(chooses_a_count),
        cmocka_unit_test(ropes_become_chains),
        cmocka_unit_test(every_extremity_has_a_particle),
        cmocka_unit_test(symmetric_meshes_get_symmetric_models),
        cmocka_unit_test(hands_keep_their_fingers),
        cmocka_unit_test(pieces_are_parts),
        cmocka_unit_test(the_same_call_gives_the_same_model),
        cmocka_unit_test(the_frame_does_not_matter),
        cmocka_unit_test(models_are_whole_and_live),
        cmocka_unit_test(a_soft_box_comes_back),
        cmocka_unit_test(auto_refuses),
        cmocka_unit_test(auto_refuses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
