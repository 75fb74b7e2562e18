// The monster truck: how it is made, stands, rolls, and what a crash leaves of it.

#include "scenes.h"
#include "test.h"
#include "truck_model.h"
#include "truck_shape.h"
#include "world/world.h"

typedef struct drive {
    pliant_scene *scene;
    pliant_stage stage;
    truck_layout layout;
} drive;

// The layout is the same for every truck; it is found by building one more.
static truck_layout find_layout(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    truck_layout layout = truck_add_particles(builder);
    pliant_builder_destroy(builder);
    return layout;
}

static drive drive_open(pliant_scene *scene)
{
    pliant_error error = {0};
    drive d = {.scene = scene, .layout = find_layout()};
    if (!scene || pliant_stage_open(&d.stage, scene, NULL, &error))
        fail_msg("%s %s", error.place, error.message);
    return d;
}

static drive drive_scene(const char *name)
{
    pliant_error error = {0};
    return drive_open(scene_entry_find(name)->create(&error));
}

// One truck alone on level ground, as high as it stands without its weight.
static drive drive_on_the_flat(void)
{
    pliant_error error = {0};
    pliant_scene *scene = pliant_scene_create();
    pliant_builder *builder = truck_builder();
    pliant_scene_body truck = pliant_default_scene_body();
    truck.model = pliant_scene_add_model(scene, pliant_builder_build(builder, &error));
    pliant_builder_destroy(builder);
    truck.def.position.y = TRUCK_WHEEL_RADIUS;
    truck.def.friction = 1.0f;
    truck.def.linear_damping = truck.def.angular_damping = 0.0f;
    pliant_scene_add_body(scene, &truck);
    pliant_plane_def ground = pliant_default_plane_def();
    ground.friction = 1.0f;
    pliant_scene_add_plane(scene, &ground);
    return drive_open(scene);
}

static void drive_close(drive *d)
{
    pliant_stage_close(&d->stage);
    pliant_scene_destroy(d->scene);
}

static void drive_run(drive *d, double seconds)
{
    for (int i = 0; i < (int)(seconds * 60.0 + 0.5); ++i)
        pliant_stage_step(&d->stage, 1.0f / 60.0f);
}

static pliant_pose pose_of(const drive *d, int truck, int particle)
{
    return pliant_body_particle_pose(d->stage.world, d->stage.bodies[truck], particle);
}

static pliant_motion motion_of(const drive *d, int truck)
{
    return pliant_body_motion(d->stage.world, d->stage.bodies[truck]);
}

// A direction of the chassis in the world. Frame particles have no orientation at rest.
static vec3 chassis_axis(const drive *d, int truck, vec3 axis)
{
    return quat_rotate(pose_of(d, truck, d->layout.frame_first).orientation, axis);
}

static float upright(const drive *d, int truck)
{
    return chassis_axis(d, truck, (vec3){0, 1, 0}).y;
}

static float forward_speed(const drive *d, int truck, int wheel)
{
    vec3 v = pliant_body_particle_velocity(d->stage.world, d->stage.bodies[truck],
                                           d->layout.wheels[wheel].hub);
    return vec3_dot(v, chassis_axis(d, truck, (vec3){1, 0, 0}));
}

// rad/s of a wheel, positive when it rolls forwards.
static float wheel_spin(const drive *d, int truck, int wheel)
{
    vec3 spin = pliant_body_particle_spin(d->stage.world, d->stage.bodies[truck],
                                          d->layout.wheels[wheel].hub);
    return -vec3_dot(spin, chassis_axis(d, truck, (vec3){0, 0, 1}));
}

static float hub_height(const drive *d, int truck, int wheel)
{
    return pose_of(d, truck, d->layout.wheels[wheel].hub).position.y;
}

// ---------------------------------------------------------------------------------------------

static bool is_within(int particle, int first, int count)
{
    return particle >= first && particle < first + count;
}

// Which part a particle is of: 0 shell, 1 frame, 2 … 5 wheels, -1 a bearing.
static int part_of(const truck_layout *l, int particle)
{
    if (is_within(particle, l->shell_first, l->shell_count))
        return 0;
    if (is_within(particle, l->frame_first, l->frame_count))
        return 1;
    for (int i = 0; i < 4; ++i)
        if (is_within(particle, l->wheels[i].hub, 1 + TRUCK_RIM_PARTICLES + TRUCK_TYRE_PARTICLES))
            return 2 + i;
    return -1;
}

static void test_truck_is_made_of_particles_groups_and_skin(void **state)
{
    (void)state;
    pliant_error error = {0};
    pliant_builder *builder = truck_builder();
    pliant_model *model = pliant_builder_build(builder, &error);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    truck_layout layout = find_layout();
    print_message("truck: %d particles, %d edges, %d vertices, %d triangles\n",
                  pliant_model_particle_count(model), pliant_model_edge_count(model),
                  pliant_model_vertex_count(model), pliant_model_triangle_count(model));
    assert_true(pliant_model_particle_count(model) >= 300);
    assert_int_equal(pliant_model_group_count(model), 3);
    assert_int_equal(pliant_model_hinge_count(model), 2);
    // One around each tyre particle, and those that stand in for the chassis while it is loose.
    assert_int_equal(pliant_model_implicit_group_count(model),
                     4 * TRUCK_TYRE_PARTICLES +
                         pliant_model_group(model, TRUCK_GROUP_CHASSIS).member_count);
    assert_true(pliant_model_group(model, TRUCK_GROUP_CHASSIS).dent_speed > 0.0f);
    for (int i = 0; i < pliant_model_vertex_count(model); ++i) {
        const pliant_vertex_def *v = &pliant_model_vertices(model)[i];
        int part = part_of(&layout, v->particles[0]);
        assert_true(part >= 0);
        for (int k = 1; k < PLIANT_MAX_LINKS; ++k)
            if (v->weights[k] > 0.0f)
                assert_int_equal(part_of(&layout, v->particles[k]), part);
    }
    pliant_model_destroy(model);
}

// When the chassis lets go its particles are held by their edges: all of it must hang together.
static void test_chassis_is_connected_by_edges(void **state)
{
    (void)state;
    pliant_error error = {0};
    pliant_builder *builder = pliant_builder_create(NULL);
    truck_layout layout = truck_add_particles(builder);
    pliant_model *model = pliant_builder_build(builder, &error);
    pliant_builder_destroy(builder);
    pliant_group_def chassis = pliant_model_group(model, TRUCK_GROUP_CHASSIS);
    bool *reached = calloc((size_t)pliant_model_particle_count(model), sizeof *reached);
    reached[layout.frame_first] = true;
    for (bool grows = true; grows;) {
        grows = false;
        for (int i = 0; i < pliant_model_edge_count(model); ++i) {
            pliant_edge_def e = pliant_model_edges(model)[i];
            grows = grows || reached[e.a] != reached[e.b];
            reached[e.a] = reached[e.b] = reached[e.a] || reached[e.b];
        }
    }
    for (int k = 0; k < chassis.member_count; ++k)
        assert_true(reached[chassis.members[k]]);
    free(reached);
    pliant_model_destroy(model);
}

static void test_truck_stands_on_flattened_tyres(void **state)
{
    (void)state;
    drive d = drive_on_the_flat();
    drive_run(&d, 8.0);
    for (int i = 0; i < 4; ++i) {
        float flattening = 1.0f - hub_height(&d, 0, i) / TRUCK_WHEEL_RADIUS;
        print_message("wheel %d: flattened by %.1f %%\n", i, (double)flattening * 100.0);
        assert_true(flattening > 0.05f && flattening < 0.15f);
    }
    pliant_motion m = motion_of(&d, 0);
    print_message("at rest: %.5f J/kg\n", m.kinetic_energy / m.mass);
    assert_below(m.kinetic_energy / m.mass, 2e-3);
    assert_true(upright(&d, 0) > 0.999f);
    drive_close(&d);
}

static void test_wheels_roll_without_slip(void **state)
{
    (void)state;
    drive d = drive_on_the_flat();
    pliant_motion start = motion_of(&d, 0);
    drive_run(&d, 2.0);
    double turned = 0, begin = 0;
    for (int i = 0; i < 240; ++i) {
        if (i < 60) // pushed for a second, then free
            pliant_body_apply_force(d.stage.world, d.stage.bodies[0],
                                    (vec3){(float)start.mass * 4.0f, 0, 0});
        if (i == 60)
            begin = motion_of(&d, 0).centre[0];
        drive_run(&d, 1.0 / 60.0);
        if (i >= 60)
            turned += (double)wheel_spin(&d, 0, 2) / 60.0;
    }
    pliant_motion end = motion_of(&d, 0);
    double radius = (end.centre[0] - begin) / turned;
    print_message("%.2f m in %.2f rad: rolls as on a wheel of %.3f m\n", end.centre[0] - begin,
                  turned, radius);
    assert_true(end.centre[0] - begin > 5.0);
    // Between what the flattened wheel is high and what it measures around.
    assert_true(radius > 0.97 * (double)hub_height(&d, 0, 2));
    assert_true(radius < 1.01 * (double)TRUCK_WHEEL_RADIUS);
    for (int i = 0; i < 4; ++i)
        assert_near(wheel_spin(&d, 0, i) * radius, forward_speed(&d, 0, i),
                    0.04 * (double)forward_speed(&d, 0, i));
    assert_near(end.mass, start.mass, 1e-6 * start.mass);
    assert_below(fabs(end.centre[2]), 0.1); // straight on
    drive_close(&d);
}

static void test_truck_rolls_down_and_over_the_logs(void **state)
{
    (void)state;
    drive d = drive_scene("truck");
    float steepest = 1.0f;
    for (int i = 0; i < 360; ++i) {
        drive_run(&d, 1.0 / 60.0);
        steepest = minimum(steepest, upright(&d, 0));
    }
    pliant_motion m = motion_of(&d, 0);
    print_message("truck: at (%.2f, %.2f, %.2f), upright %.2f at least\n", m.centre[0], m.centre[1],
                  m.centre[2], (double)steepest);
    assert_true(m.centre[0] > 6.5); // past the second log
    assert_true(fabs(m.centre[2]) < 1.5);
    assert_true(steepest > 0.9f);
    drive_close(&d);
}

// ---------------------------------------------------------------------------------------------

static vec3 tyre_point(const drive *d, int truck, const truck_wheel *wheel, int ring, int k)
{
    return pose_of(d, truck,
                   wheel->tyre_first + ring * TRUCK_TYRE_SEGMENTS + k % TRUCK_TYRE_SEGMENTS)
        .position;
}

static double cone_volume(vec3 tip, vec3 a, vec3 b, vec3 c)
{
    vec3 u = vec3_sub(a, tip), v = vec3_sub(b, tip), w = vec3_sub(c, tip);
    return fabs((double)vec3_dot(vec3_cross(u, v), w)) / 6.0;
}

// Between the hub and the tread.
static double tyre_volume(const drive *d, int truck, const truck_wheel *wheel)
{
    vec3 hub = pose_of(d, truck, wheel->hub).position;
    double sum = 0;
    for (int ring = 0; ring + 1 < TRUCK_TYRE_RINGS; ++ring) {
        for (int k = 0; k < TRUCK_TYRE_SEGMENTS; ++k) {
            vec3 a = tyre_point(d, truck, wheel, ring, k),
                 b = tyre_point(d, truck, wheel, ring, k + 1),
                 c = tyre_point(d, truck, wheel, ring + 1, k),
                 e = tyre_point(d, truck, wheel, ring + 1, k + 1);
            sum += cone_volume(hub, a, b, c) + cone_volume(hub, b, e, c);
        }
    }
    return sum;
}

static void check_crashed_truck(drive *d, int truck, const double volumes[4])
{
    pliant_motion m = motion_of(d, truck);
    for (int k = 0; k < 3; ++k)
        assert_true(isfinite(m.centre[k]) && isfinite(m.linear_momentum[k]));
    assert_true(upright(d, truck) > 0.9f);
    for (int i = 0; i < 4; ++i)
        assert_near(tyre_volume(d, truck, &d->layout.wheels[i]) / volumes[i], 1.0, 0.08);
}

// How far the shell's particles have come from where they were, seen from three of the frame: the largest
// change of a distance. Writes all of them.
static double shell_change(const drive *d, int truck, double *changes)
{
    const truck_layout *l = &d->layout;
    const pliant_world *world = d->stage.world;
    const pliant_particle_def *bind = pliant_model_particles(d->scene->models[0]);
    double worst = 0.0;
    for (int k = 0; k < l->shell_count; ++k) {
        for (int c = 0; c < 3; ++c) {
            int a = l->shell_first + k, b = l->frame_first + c * (l->frame_count - 1) / 2;
            vec3 now =
                vec3_sub(pliant_body_particle_pose(world, d->stage.bodies[truck], a).position,
                         pliant_body_particle_pose(world, d->stage.bodies[truck], b).position);
            double then = vec3_length(vec3_sub(bind[a].position, bind[b].position));
            changes[3 * k + c] = (double)vec3_length(now) - then;
            worst = fmax(worst, fabs(changes[3 * k + c]));
        }
    }
    return worst;
}

// Of the skin: Σ a·(b × c)/6 over its triangles.
static double skin_volume(const drive *d, int truck)
{
    const pliant_model *model = d->scene->models[0];
    int count = pliant_model_vertex_count(model);
    vec3 *positions = malloc((size_t)count * sizeof *positions);
    pliant_body_skin(d->stage.world, d->stage.bodies[truck], PLIANT_SKIN_LINEAR, positions, NULL);
    const int32_t *t = pliant_model_triangles(model);
    vec3 origin = positions[0];
    double volume = 0.0;
    for (int i = 0; i < pliant_model_triangle_count(model); ++i) {
        vec3 a = vec3_sub(positions[t[3 * i]], origin);
        vec3 b = vec3_sub(positions[t[3 * i + 1]], origin);
        vec3 c = vec3_sub(positions[t[3 * i + 2]], origin);
        volume += (double)vec3_dot(a, vec3_cross(b, c)) / 6.0;
    }
    free(positions);
    return volume;
}

// Of the chassis, in model space, by mass.
static vec3 rest_centre(const drive *d, int truck)
{
    const body *b = pli_world_body(d->stage.world, d->stage.bodies[truck]);
    pliant_group_def chassis = pliant_model_group(b->model, TRUCK_GROUP_CHASSIS);
    double sum[3] = {0}, mass = 0.0;
    for (int k = 0; k < chassis.member_count; ++k) {
        vec3 x = d->stage.world->rest_x[b->particle_first + chassis.members[k]];
        double m = pliant_model_particles(b->model)[chassis.members[k]].mass;
        sum[0] += m * (double)x.x;
        sum[1] += m * (double)x.y;
        sum[2] += m * (double)x.z;
        mass += m;
    }
    return (vec3){(float)(sum[0] / mass), (float)(sum[1] / mass), (float)(sum[2] / mass)};
}

static void test_dents_stay(void **state)
{
    (void)state;
    drive d = drive_scene("crash");
    int count = 3 * d.layout.shell_count;
    double *first = malloc((size_t)count * sizeof *first);
    double *later = malloc((size_t)count * sizeof *later);
    double volumes[2];
    vec3 centres[2];
    for (int truck = 0; truck < 2; ++truck) {
        volumes[truck] = skin_volume(&d, truck);
        centres[truck] = rest_centre(&d, truck);
        assert_below(shell_change(&d, truck, first), 1e-5);
    }
    int dents[2] = {0, 0};
    for (int i = 0; i < 240; ++i) {
        drive_run(&d, 1.0 / 60.0);
        const pliant_event *events = pliant_world_events(d.stage.world);
        for (int k = 0; k < pliant_world_event_count(d.stage.world); ++k)
            if (events[k].kind == PLIANT_EVENT_DENT)
                dents[events[k].body.index == d.stage.bodies[1].index] += 1;
    }
    for (int truck = 0; truck < 2; ++truck) {
        double deepest = shell_change(&d, truck, first), drift = 0.0;
        drive_run(&d, 1.0);
        shell_change(&d, truck, later);
        for (int k = 0; k < count; ++k)
            drift = fmax(drift, fabs(later[k] - first[k]));
        double volume = skin_volume(&d, truck);
        vec3 moved = vec3_sub(rest_centre(&d, truck), centres[truck]);
        print_message(
            "truck %d: dented %d times, %.0f mm deep, %.2g mm a second later, volume %+.1f %%, "
            "rest centre %.2g mm\n",
            truck, dents[truck], 1e3 * deepest, 1e3 * drift,
            100.0 * (volume / volumes[truck] - 1.0), 1e3 * (double)vec3_length(moved));
        assert_true(dents[truck] > 0 && deepest > 0.1);
        assert_below(drift, 1e-3);
        assert_near(volume, volumes[truck], 0.1 * volumes[truck]);
        assert_below(vec3_length(moved), 1e-5);
    }
    free(first);
    free(later);
    drive_close(&d);
}

static void test_crashed_trucks_still_drive(void **state)
{
    (void)state;
    drive d = drive_scene("crash");
    double volumes[2][4], mass = motion_of(&d, 0).mass;
    for (int i = 0; i < 8; ++i)
        volumes[i / 4][i % 4] = tyre_volume(&d, i / 4, &d.layout.wheels[i % 4]);
    float fastest[2] = {0, 0};
    for (int i = 0; i < 300; ++i) {
        drive_run(&d, 1.0 / 60.0);
        for (int truck = 0; truck < 2; ++truck)
            fastest[truck] = maximum(fastest[truck], forward_speed(&d, truck, 0));
    }
    print_message("crash: at %.1f and %.1f m/s\n", (double)fastest[0], (double)fastest[1]);
    float before[2];
    for (int truck = 0; truck < 2; ++truck) {
        assert_true(fastest[truck] > 7.0f && fastest[truck] < 11.0f);
        check_crashed_truck(&d, truck, volumes[truck]);
        assert_near(motion_of(&d, truck).mass, mass, 1e-6 * mass);
        before[truck] = wheel_spin(&d, truck, 0);
    }
    assert_int_equal(pliant_world_report(d.stage.world).frozen_bodies, 0);
    // Pushed backwards, away from each other, they roll.
    for (int i = 0; i < 60; ++i) {
        for (int truck = 0; truck < 2; ++truck)
            pliant_body_apply_force(
                d.stage.world, d.stage.bodies[truck],
                vec3_scale(chassis_axis(&d, truck, (vec3){-1, 0, 0}), (float)mass * 3.0f));
        drive_run(&d, 1.0 / 60.0);
    }
    for (int truck = 0; truck < 2; ++truck)
        for (int wheel = 0; wheel < 4; wheel += 2)
            assert_true(wheel_spin(&d, truck, wheel) < before[truck] - 2.0f);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truck_is_made_of_particles_groups_and_skin),
        cmocka_unit_test(test_chassis_is_connected_by_edges),
        cmocka_unit_test(test_truck_stands_on_flattened_tyres),
        cmocka_unit_test(test_wheels_roll_without_slip),
        cmocka_unit_test(test_truck_rolls_down_and_over_the_logs),
        cmocka_unit_test(test_dents_stay),
        cmocka_unit_test(test_crashed_trucks_still_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
