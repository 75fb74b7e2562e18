// Skinning: rigid motions, a reference in double precision, and what dual quaternions are for.

#include "bodies.h"

static const pliant_skin_mode modes[] = {PLIANT_SKIN_LINEAR, PLIANT_SKIN_DUAL_QUATERNION};

// A world without gravity and one body of a skinned model.
static setup setup_of_model(pliant_model *model)
{
    setup s = {.model = model,
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    assert_non_null(model);
    s.world_def.gravity = (vec3){0, 0, 0};
    s.body_def.model = model;
    return s;
}

// Half a metre of block: vertices with one to four links.
static pliant_model *block_model(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_block_def def = pliant_default_block_def();
    def.centre = (vec3){0.3f, -0.2f, 0.1f};
    assert_int_equal(pliant_builder_add_block(builder, &def), 0);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    return model;
}

// Two particles a metre apart along x, and a ring of vertices half way that hangs equally on both.
enum { RING = 12 };

static pliant_model *ring_model(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 2; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position.x = (float)i;
        def.orientation = (quat){0.1f, 0.2f, 0.3f, 0.9f};
        pliant_builder_add_particle(builder, &def);
    }
    for (int i = 0; i < RING; ++i) {
        double angle = 2.0 * 3.14159265358979 * i / RING;
        vec3 outward = {0, (float)cos(angle), (float)sin(angle)};
        pliant_vertex_def vertex = {.position = {0.5f, 0.1f * outward.y, 0.1f * outward.z},
                                    .normal = outward,
                                    .particles = {0, 1},
                                    .weights = {0.5f, 0.5f}};
        pliant_builder_add_vertex(builder, &vertex);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    return model;
}

typedef struct skinned {
    vec3 *positions, *normals;
    int count;
} skinned;

static skinned skin_of(const setup *s, pliant_skin_mode mode)
{
    skinned out = {.count = pliant_model_vertex_count(s->model)};
    out.positions = malloc((size_t)out.count * sizeof *out.positions);
    out.normals = malloc((size_t)out.count * sizeof *out.normals);
    pliant_body_skin(s->world, s->body, mode, out.positions, out.normals);
    return out;
}

static void skin_free(skinned *s)
{
    free(s->positions);
    free(s->normals);
}

// Turns a particle by `turn` from its bind orientation and puts it at `position`.
static void place(setup *s, int particle, vec3 position, quat turn)
{
    quat bind = pliant_model_particles(s->model)[particle].orientation;
    pliant_body_set_particle_pose(s->world, s->body, particle,
                                  (pliant_pose){position, quat_mul(turn, bind)});
}

static double distance(vec3 a, vec3 b)
{
    const double exact[3] = {b.x, b.y, b.z};
    return distance_to(a, exact);
}

// ---------------------------------------------------------------------------------------------
// Rigid motions

static void test_at_the_bind_pose_vertices_are_where_they_were(void **state)
{
    (void)state;
    for (int m = 0; m < 2; ++m) {
        setup s = setup_of_model(block_model());
        setup_open(&s);
        skinned skin = skin_of(&s, modes[m]);
        for (int i = 0; i < skin.count; ++i) {
            const pliant_vertex_def *v = &pliant_model_vertices(s.model)[i];
            assert_below(distance(skin.positions[i], v->position), 1.2e-7); // two float32 steps
            assert_below(distance(skin.normals[i], v->normal), 2e-7);
        }
        skin_free(&skin);
        setup_close(&s);
    }
}

static void check_rigid_motion(pliant_skin_mode mode, vec3 position, quat turn, double tolerance)
{
    setup s = setup_of_model(block_model());
    s.body_def.position = position;
    s.body_def.orientation = turn;
    setup_open(&s);
    skinned skin = skin_of(&s, mode);
    for (int i = 0; i < skin.count; ++i) {
        const pliant_vertex_def *v = &pliant_model_vertices(s.model)[i];
        vec3 expected = vec3_add(position, quat_rotate(turn, v->position));
        assert_below(distance(skin.positions[i], expected), tolerance);
        assert_below(distance(skin.normals[i], quat_rotate(turn, v->normal)), 1e-6);
    }
    skin_free(&skin);
    setup_close(&s);
}

static void test_rigid_motions_move_the_skin_rigidly(void **state)
{
    (void)state;
    uint32_t random = 3;
    for (int k = 0; k < 20; ++k) {
        quat turn = random_quat(&random);
        vec3 position = random_vec3(&random, 0.5f);
        for (int m = 0; m < 2; ++m) {
            check_rigid_motion(modes[m], position, turn, 1e-6);
            // 1 km away a float32 step is 6e-5 m; the expected value is rounded to it as well.
            check_rigid_motion(modes[m], (vec3){1000, -800, 900}, turn, 2.5e-4);
            // 100 km away it is 8e-3 m.
            check_rigid_motion(modes[m], (vec3){1e5f, -8e4f, 9e4f}, turn, 3e-2);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Linear blend against a reference in double precision

static void rotate_double(quat turn, const double v[3], double out[3])
{
    double x = turn.x, y = turn.y, z = turn.z, w = turn.w;
    double norm = 1.0 / (x * x + y * y + z * z + w * w);
    const double R[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int r = 0; r < 3; ++r)
        out[r] = norm * (R[r][0] * v[0] + R[r][1] * v[1] + R[r][2] * v[2]);
}

static void blend_double(const pliant_model *model, const pliant_vertex_def *v, const vec3 *x,
                         const quat *turns, double position[3], double normal[3])
{
    for (int c = 0; c < 3; ++c)
        position[c] = normal[c] = 0;
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
        int32_t i = v->particles[k];
        vec3 bind = pliant_model_particles(model)[i].position;
        const double arm[3] = {(double)v->position.x - bind.x, (double)v->position.y - bind.y,
                               (double)v->position.z - bind.z};
        const double n[3] = {v->normal.x, v->normal.y, v->normal.z};
        const double at[3] = {x[i].x, x[i].y, x[i].z};
        double turned[3], turned_normal[3];
        rotate_double(turns[i], arm, turned);
        rotate_double(turns[i], n, turned_normal);
        for (int c = 0; c < 3; ++c) {
            position[c] += v->weights[k] * (at[c] + turned[c]);
            normal[c] += v->weights[k] * turned_normal[c];
        }
    }
    double length = length_of(normal);
    for (int c = 0; c < 3; ++c)
        normal[c] /= length;
}

static void test_linear_blend_is_the_weighted_sum_of_transforms(void **state)
{
    (void)state;
    setup s = setup_of_model(block_model());
    setup_open(&s);
    uint32_t random = 11;
    vec3 x[125];
    quat turns[125];
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 125; ++i) {
            vec3 bind = pliant_model_particles(s.model)[i].position;
            x[i] = vec3_add(bind, random_vec3(&random, 0.2f));
            turns[i] = quat_exp(random_vec3(&random, 1.0f));
            place(&s, i, x[i], turns[i]);
        }
        skinned skin = skin_of(&s, PLIANT_SKIN_LINEAR);
        for (int i = 0; i < skin.count; ++i) {
            double position[3], normal[3];
            blend_double(s.model, &pliant_model_vertices(s.model)[i], x, turns, position, normal);
            assert_below(distance_to(skin.positions[i], position), 1e-6);
            assert_below(distance_to(skin.normals[i], normal), 3e-6);
        }
        skin_free(&skin);
    }
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Dual quaternions

static double distance_from_axis(vec3 p)
{
    return sqrt((double)p.y * p.y + (double)p.z * p.z);
}

static void test_dual_quaternions_keep_the_volume_of_a_twist(void **state)
{
    (void)state;
    setup s = setup_of_model(ring_model());
    setup_open(&s);
    place(&s, 1, (vec3){1, 0, 0}, (quat){1, 0, 0, 0}); // half a turn about the axis
    skinned dual = skin_of(&s, PLIANT_SKIN_DUAL_QUATERNION);
    skinned linear = skin_of(&s, PLIANT_SKIN_LINEAR);
    for (int i = 0; i < RING; ++i) {
        assert_near(distance_from_axis(dual.positions[i]), 0.1, 1e-6);
        assert_near(dual.positions[i].x, 0.5, 1e-6);
        assert_below(distance_from_axis(linear.positions[i]), 1e-6); // this is why
    }
    skin_free(&dual);
    skin_free(&linear);
    setup_close(&s);
}

// Vertices with the same links and weights move as one rigid thing, whatever the links do.
static void test_dual_quaternions_move_equal_links_rigidly(void **state)
{
    (void)state;
    setup s = setup_of_model(ring_model());
    setup_open(&s);
    const pliant_vertex_def *bind = pliant_model_vertices(s.model);
    uint32_t random = 23;
    for (int round = 0; round < 100; ++round) {
        for (int i = 0; i < 2; ++i)
            place(&s, i, random_vec3(&random, 2.0f), random_quat(&random));
        skinned skin = skin_of(&s, PLIANT_SKIN_DUAL_QUATERNION);
        for (int a = 0; a < RING; ++a) {
            for (int b = 0; b < RING; ++b) {
                assert_near(distance(skin.positions[a], skin.positions[b]),
                            distance(bind[a].position, bind[b].position), 2e-6);
                assert_near(vec3_dot(skin.normals[a], skin.normals[b]),
                            vec3_dot(bind[a].normal, bind[b].normal), 2e-6);
            }
        }
        skin_free(&skin);
    }
    setup_close(&s);
}

// One link stays and the other makes a screw motion, `angle` about a line and `rise` along it: a vertex
// that hangs equally on both makes half of it.
static vec3 screw(vec3 p, vec3 direction, vec3 point, float angle, float rise)
{
    vec3 arm = quat_rotate(quat_exp(vec3_scale(direction, angle)), vec3_sub(p, point));
    return vec3_add_scaled(vec3_add(point, arm), direction, rise);
}

static void test_dual_quaternions_go_half_way(void **state)
{
    (void)state;
    setup s = setup_of_model(ring_model());
    setup_open(&s);
    uint32_t random = 41;
    for (int round = 0; round < 50; ++round) {
        vec3 direction = vec3_normalize_or(random_vec3(&random, 1.0f), (vec3){1, 0, 0});
        vec3 point = random_vec3(&random, 1.0f);
        float angle = random_between(&random, -3.0f, 3.0f);
        float rise = random_between(&random, -1.0f, 1.0f);
        vec3 moved = screw((vec3){1, 0, 0}, direction, point, angle, rise);
        place(&s, 1, moved, quat_exp(vec3_scale(direction, angle)));
        skinned skin = skin_of(&s, PLIANT_SKIN_DUAL_QUATERNION);
        for (int i = 0; i < RING; ++i) {
            vec3 bind = pliant_model_vertices(s.model)[i].position;
            vec3 half = screw(bind, direction, point, 0.5f * angle, 0.5f * rise);
            // Near half a turn the sum of two unit quaternions is short and its errors count more.
            assert_below(distance(skin.positions[i], half), 5e-6);
        }
        skin_free(&skin);
    }
    setup_close(&s);
}

static void test_the_sign_of_a_quaternion_does_not_matter(void **state)
{
    (void)state;
    setup s = setup_of_model(ring_model());
    setup_open(&s);
    uint32_t random = 31;
    for (int round = 0; round < 50; ++round) {
        vec3 x[2] = {random_vec3(&random, 1.0f), random_vec3(&random, 1.0f)};
        quat turns[2] = {random_quat(&random), random_quat(&random)};
        for (int m = 0; m < 2; ++m) {
            skinned skins[4];
            for (int sign = 0; sign < 4; ++sign) {
                for (int i = 0; i < 2; ++i)
                    place(&s, i, x[i], quat_scale(turns[i], sign >> i & 1 ? -1.0f : 1.0f));
                skins[sign] = skin_of(&s, modes[m]);
                for (int i = 0; i < RING; ++i) {
                    assert_below(distance(skins[sign].positions[i], skins[0].positions[i]), 1e-6);
                    assert_below(distance(skins[sign].normals[i], skins[0].normals[i]), 1e-6);
                }
            }
            for (int sign = 0; sign < 4; ++sign)
                skin_free(&skins[sign]);
        }
    }
    setup_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Normals

static void test_normals_have_unit_length_in_motion(void **state)
{
    (void)state;
    setup s = setup_of_model(block_model());
    s.world_def.gravity.y = -9.81f;
    s.body_def.angular_velocity = (vec3){3, 2, 1};
    setup_open(&s);
    pliant_plane_def ground = pliant_default_plane_def();
    ground.offset = -0.6f;
    pliant_world_add_plane(s.world, &ground, NULL);
    run(&s, 0.5, 1.0f / 60.0f);
    assert_true(pliant_world_report(s.world).contacts > 0);
    for (int m = 0; m < 2; ++m) {
        skinned skin = skin_of(&s, modes[m]);
        for (int i = 0; i < skin.count; ++i)
            assert_near(vec3_length(skin.normals[i]), 1.0, 2e-6);
        skin_free(&skin);
    }
    setup_close(&s);
}

static void test_normals_may_be_left_out(void **state)
{
    (void)state;
    setup s = setup_of_model(ring_model());
    setup_open(&s);
    place(&s, 1, (vec3){1, 0.2f, 0}, quat_exp((vec3){1, 0.5f, 0}));
    for (int m = 0; m < 2; ++m) {
        skinned skin = skin_of(&s, modes[m]);
        vec3 positions[RING];
        pliant_body_skin(s.world, s.body, modes[m], positions, NULL);
        assert_memory_equal(positions, skin.positions, sizeof positions);
        skin_free(&skin);
    }
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_the_bind_pose_vertices_are_where_they_were),
        cmocka_unit_test(test_rigid_motions_move_the_skin_rigidly),
        cmocka_unit_test(test_linear_blend_is_the_weighted_sum_of_transforms),
        cmocka_unit_test(test_dual_quaternions_keep_the_volume_of_a_twist),
        cmocka_unit_test(test_dual_quaternions_move_equal_links_rigidly),
        cmocka_unit_test(test_dual_quaternions_go_half_way),
        cmocka_unit_test(test_the_sign_of_a_quaternion_does_not_matter),
        cmocka_unit_test(test_normals_have_unit_length_in_motion),
        cmocka_unit_test(test_normals_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
