// The robe: a thick garment becomes one layer of particles, and swings around the figure that wears it.

#include "crossings.h"
#include "mesh/topology.h"
#include "robe_mesh.h"
#include "scenes.h"
#include "test.h"

static const float SPACING = 0.0635f;
static const float THICKNESS = 0.12f * 0.0635f;

typedef struct show {
    pliant_scene *scene;
    pliant_stage stage;
    const pliant_model *model;
    int count;
} show;

static show show_open(void)
{
    pliant_error error = {0};
    show s = {.scene = scene_entry_find("robe")->create(&error)};
    if (!s.scene || pliant_stage_open(&s.stage, s.scene, NULL, &error))
        fail_msg("%s %s", error.place, error.message);
    s.model = s.scene->models[0];
    s.count = pliant_model_particle_count(s.model);
    return s;
}

static void show_close(show *s)
{
    pliant_stage_close(&s->stage);
    pliant_scene_destroy(s->scene);
}

static vec3 place(const show *s, int particle)
{
    return pliant_body_particle_pose(s->stage.world, s->stage.bodies[0], particle).position;
}

// Each edge of the welded surface has two triangles, once in each direction, and they face outwards.
static void test_the_garment_is_one_closed_surface(void **state)
{
    (void)state;
    pliant_mesh *mesh = robe_mesh_create(THICKNESS);
    topology *t = pli_topology_create(mesh);
    assert_int_equal(t->piece_count, 1);
    assert_in_range(mesh->triangle_count, 6000, 8000);
    double volume = 0, area = 0;
    for (int32_t i = 0; i < t->triangle_count; ++i) {
        const int32_t *corners = t->triangles + 3 * i;
        vec3 a = t->points[corners[0]], b = t->points[corners[1]], c = t->points[corners[2]];
        volume += vec3_dot(a, vec3_cross(b, c)) / 6.0;
        area += 0.5 * vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
        for (int k = 0; k < 3; ++k) {
            int32_t from = corners[k], to = corners[(k + 1) % 3];
            int back = 0, same = 0;
            for (int32_t n = t->first_around[from]; n < t->first_around[from + 1]; ++n)
                for (int m = 0; m < 3; ++m) {
                    int32_t p = t->triangles[3 * t->around[n] + m];
                    int32_t q = t->triangles[3 * t->around[n] + (m + 1) % 3];
                    same += p == from && q == to;
                    back += p == to && q == from;
                }
            assert_int_equal(same, 1);
            assert_int_equal(back, 1);
        }
    }
    print_message("robe: %d triangles, %.2f m² on both sides, %.1f l\n", mesh->triangle_count, area,
                  1000.0 * volume);
    assert_near(volume / (0.5 * area), THICKNESS, 0.1 * THICKNESS);
    pli_topology_destroy(t);
    pliant_mesh_destroy(mesh);
}

static void test_its_particles_are_one_layer(void **state)
{
    (void)state;
    show s = show_open();
    const pliant_particle_def *p = pliant_model_particles(s.model);
    float closest = 1e9f;
    int pinned = 0;
    for (int i = 0; i < s.count; ++i) {
        pinned += (p[i].flags & PLIANT_PARTICLE_PINNED) != 0;
        for (int k = 0; k < i; ++k)
            closest = minimum(closest, vec3_length(vec3_sub(p[i].position, p[k].position)));
    }
    print_message("robe: %d particles, %d of them held, the closest %.2f spacings apart\n", s.count,
                  pinned, closest / SPACING);
    assert_in_range(s.count, 700, 800);
    assert_in_range(pinned, 15, 80);
    assert_true(closest > 0.5f * SPACING);
    show_close(&s);
}

// How deep the deepest particle is in one of the figure's limbs, measured at its centre.
static double deepest(const show *s)
{
    double most = -1;
    for (int c = 0; c < s->scene->collider_count; ++c) {
        const pliant_scene_collider *limb = &s->scene->colliders[c];
        pliant_shape_def shape = pliant_shape_definition(s->scene->shapes[limb->shape]);
        pliant_pose pose = pliant_collider_pose(s->stage.world, s->stage.colliders[c]);
        for (int i = 0; i < s->count; ++i) {
            if (pliant_model_particles(s->model)[i].flags & PLIANT_PARTICLE_PINNED)
                continue;
            vec3 x = vec3_sub(place(s, i), pose.position);
            x = quat_rotate(quat_conjugate(pose.orientation), x);
            x.y -= maximum(-shape.half_length, minimum(shape.half_length, x.y));
            most = fmax(most, shape.radius - vec3_length(x));
        }
    }
    return most;
}

static double mean_stretch(const show *s)
{
    const pliant_edge_def *edges = pliant_model_edges(s->model);
    const pliant_particle_def *rest = pliant_model_particles(s->model);
    double sum = 0, length = 0;
    for (int i = 0; i < pliant_model_edge_count(s->model); ++i) {
        int a = edges[i].a, b = edges[i].b;
        if (edges[i].stretch_stiffness == 0.0f)
            continue;
        sum += vec3_length(vec3_sub(place(s, a), place(s, b)));
        length += vec3_length(vec3_sub(rest[a].position, rest[b].position));
    }
    return sum / length - 1.0;
}

static void test_it_swings_around_the_figure(void **state)
{
    (void)state;
    show s = show_open();
    int hem = 0; // the lowest particle
    for (int i = 0; i < s.count; ++i)
        if (place(&s, i).y < place(&s, hem).y)
            hem = i;
    double depth = -1, widest = 0, stretch = 0, low = 1;
    for (int step = 0; step < 540; ++step) {
        pliant_stage_step(&s.stage, 1.0f / 60.0f);
        depth = fmax(depth, deepest(&s));
        stretch = fmax(stretch, mean_stretch(&s));
        vec3 minimum_corner, maximum_corner;
        pliant_body_bounds(s.stage.world, s.stage.bodies[0], &minimum_corner, &maximum_corner);
        widest = fmax(widest, maximum_corner.x - minimum_corner.x);
        low = fmin(low, minimum_corner.y);
    }
    pliant_motion motion = pliant_body_motion(s.stage.world, s.stage.bodies[0]);
    print_message("robe: up to %.2f m wide, %.1f mm deep in the figure, stretched by %.3f, "
                  "%.3f J at the end\n",
                  widest, 1000.0 * depth, stretch, motion.kinetic_energy);
    assert_int_equal(pliant_world_report(s.stage.world).frozen_bodies, 0);
    assert_true(widest > 1.4); // it is 1 m wide at rest
    assert_below(depth, 0.005);
    assert_below(stretch, 0.06);
    assert_below(motion.kinetic_energy, 1.5); // it swings out
    show_close(&s);
}

// A crossing in the mesh itself would stay for ever.
static void test_no_layer_goes_through_another(void **state)
{
    (void)state;
    show s = show_open();
    pliant_mesh *mesh = robe_mesh_create(THICKNESS);
    topology *t = pli_topology_create(mesh);
    vec3 *skin = calloc((size_t)mesh->vertex_count, sizeof *skin);
    assert_int_equal(pliant_model_vertex_count(s.model), mesh->vertex_count);
    assert_int_equal(crossings_of(t, mesh->positions, mesh->vertex_count), 0);
    for (int step = 0; step < 540; ++step) {
        pliant_stage_step(&s.stage, 1.0f / 60.0f);
        pliant_body_skin(s.stage.world, s.stage.bodies[0], PLIANT_SKIN_LINEAR, skin, NULL);
        int crossings = crossings_of(t, skin, mesh->vertex_count);
        if (crossings != 0)
            fail_msg("%d crossings at %.2f s", crossings, (step + 1) / 60.0);
    }
    free(skin);
    pli_topology_destroy(t);
    pliant_mesh_destroy(mesh);
    show_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_garment_is_one_closed_surface),
        cmocka_unit_test(test_its_particles_are_one_layer),
        cmocka_unit_test(test_it_swings_around_the_figure),
        cmocka_unit_test(test_no_layer_goes_through_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
