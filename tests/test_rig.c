// Rigs as they are given: what is refused, with its place, what is taken although it is odd, hierarchies, and the saved form.

#include "rigs.h"

#include "core/hash.h"
#include "model/model.h"
#include "rig/rig.h"

// An arm of two bones, a surface that hangs on both, with a morph target, one that hangs on the hand, and a clip.
typedef struct arm_rig {
    pliant_rig_node nodes[4];
    pliant_rig_weight weights[1];
    pliant_rig_skin skins[1];
    pliant_rig_joint joints[2];
    pliant_rig_clip clips[2];
    pliant_rig_channel channels[2];
    float times[3], values[11];
    pliant_rig_surface surfaces[2];
    pliant_rig_vertex vertices[4];
    pliant_rig_influence influences[6];
    pliant_rig_target targets[1];
    vec3 displacements[3];
} arm_rig;

static const arm_rig ARM = {
    // Children may stand before their parents.
    .nodes = {{"hand", 1, {{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, 0, 0},
              {"fore", 2, {{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, 0, 0},
              {"upper", -1, {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}, 0, 0},
              {"sleeve", -1, {{9, 9, 9}, {0, 0, 0, 1}, {5, 5, 5}}, 0, 1}},
    .weights = {{"wide", 0.0f}},
    .skins = {{"bones", 0, 2}},
    .joints = {{2, {{{1, 0, 0, 0}, {0, 1, 0, -1}, {0, 0, 1, 0}}}},
               {1, {{{1, 0, 0, -1}, {0, 1, 0, -1}, {0, 0, 1, 0}}}}},
    .clips = {{"bend", 0, 1}, {"widen", 1, 1}},
    .channels = {{1, PLIANT_RIG_ROTATION, PLIANT_RIG_LINEAR, 2, 0, 0},
                 {3, PLIANT_RIG_WEIGHTS, PLIANT_RIG_LINEAR, 3, 0, 8}},
    .times = {0, 1, 2},
    .values = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f, 0, 1, 0.5f},
    .surfaces = {{3, 0, 0, 3, 2, 0, 0, 1}, {0, -1, 3, 1, 0, 6, 1, 0}},
    .vertices = {{{0, 1, 0}, {0, 1, 0}},
                 {{1, 1, 0}, {0, 1, 0}},
                 {{2, 1, 0}, {0, 1, 0}},
                 {{0, 0, 0.5f}, {0, 0, 1}}},
    .influences = {{0, 1}, {1, 0}, {0, 0.5f}, {1, 0.5f}, {1, 1}, {0, 0}},
    .targets = {{0, -1}},
    .displacements = {{0, 0.1f, 0}, {0, 0.2f, 0}, {0, 0.3f, 0}},
};

static pliant_rig_def define_arm(const arm_rig *arm)
{
    return (pliant_rig_def){arm->nodes,
                            arm->weights,
                            arm->skins,
                            arm->joints,
                            arm->clips,
                            arm->channels,
                            arm->times,
                            arm->values,
                            arm->surfaces,
                            arm->vertices,
                            arm->influences,
                            arm->targets,
                            arm->displacements,
                            COUNT_OF(arm->nodes),
                            COUNT_OF(arm->weights),
                            COUNT_OF(arm->skins),
                            COUNT_OF(arm->joints),
                            COUNT_OF(arm->clips),
                            COUNT_OF(arm->channels),
                            COUNT_OF(arm->times),
                            COUNT_OF(arm->values),
                            COUNT_OF(arm->surfaces),
                            COUNT_OF(arm->vertices),
                            COUNT_OF(arm->influences),
                            COUNT_OF(arm->targets),
                            COUNT_OF(arm->displacements)};
}

static pliant_rig *create_arm(const arm_rig *arm)
{
    pliant_rig_def def = define_arm(arm);
    return create_rig(&def);
}

static void bends_an_arm(void **unused)
{
    (void)unused;
    pliant_rig *rig = create_arm(&ARM);
    assert_int_equal(pliant_rig_find_node(rig, "upper"), 2);
    assert_int_equal(pliant_rig_find_node(rig, "toe"), -1);
    assert_int_equal(pliant_rig_find_clip(rig, "widen"), 1);
    assert_true(pliant_rig_clip_seconds(rig, 0) == 1.0f && pliant_rig_clip_seconds(rig, 1) == 2.0f);
    rig_state state = create_rig_state(rig);
    show_pose(rig, &state);
    for (int i = 0; i < 3; ++i)
        assert_vec3(state.positions[i], ARM.vertices[i].position, 1e-6f);
    assert_vec3(state.positions[3], (vec3){2, 1, 0.5f}, 1e-6f);
    show_clip(rig, 0, 1.0, &state); // the forearm turned by 90° about the elbow at (1, 1, 0)
    assert_vec3(global_place(&state, 0), (vec3){1, 2, 0}, 1e-6f);
    assert_vec3(state.positions[1], (vec3){1, 1, 0}, 1e-6f);
    assert_vec3(state.positions[2], (vec3){1, 2, 0}, 1e-6f);
    assert_vec3(state.positions[3], (vec3){1, 2, 0.5f}, 1e-6f);
    assert_vec3(state.normals[0], (vec3){0, 1, 0}, 1e-6f);
    assert_vec3(state.normals[2], (vec3){-1, 0, 0}, 1e-6f);
    show_clip(rig, 1, 1.5, &state); // three quarters of the target
    assert_vec3(state.positions[2], (vec3){2, 1.225f, 0}, 1e-6f);
    destroy_rig_state(&state);
    pliant_rig_destroy(rig);
}

// The mean of the joints counts, whatever the sum of their weights; without any the first joint does.
static void takes_weights_of_any_sum(void **unused)
{
    (void)unused;
    arm_rig arm = ARM;
    for (int i = 0; i < 6; ++i)
        arm.influences[i].weight *= 2.0f;
    arm.influences[4].weight = arm.influences[5].weight = 0.0f;
    pliant_rig *rig = create_arm(&arm), *plain = create_arm(&ARM);
    rig_state state = create_rig_state(rig), expected = create_rig_state(plain);
    show_clip(rig, 0, 0.5, &state);
    show_clip(plain, 0, 0.5, &expected);
    assert_vec3(state.positions[1], expected.positions[1], 1e-6f);
    assert_vec3(state.positions[2], global_place(&state, 0), 1e-6f); // joint 1, the forearm
    destroy_rig_state(&state);
    destroy_rig_state(&expected);
    pliant_rig_destroy(rig);
    pliant_rig_destroy(plain);
}

// A node may be a joint twice, of one skin or of several, and skins need no common root.
static void takes_joints_twice(void **unused)
{
    (void)unused;
    arm_rig arm = ARM;
    arm.joints[1] = arm.joints[0];
    arm.nodes[1].parent = -1;
    pliant_rig *rig = create_arm(&arm);
    rig_state state = create_rig_state(rig);
    show_clip(rig, 0, 0.7, &state);
    for (int i = 0; i < 3; ++i)
        assert_vec3(state.positions[i], ARM.vertices[i].position, 1e-6f);
    destroy_rig_state(&state);
    pliant_rig_destroy(rig);
}

// Normals stay upright on what is mirrored or squashed, and are zero on what has no extent left.
static void follows_scales_of_any_kind(void **unused)
{
    (void)unused;
    static const struct {
        vec3 scale, position, normal;
    } cases[] = {
        {{-1, 1, 1}, {-1, 2, 3}, {-0.6f, 0.8f, 0}},
        {{-1, -1, -1}, {-1, -2, -3}, {-0.6f, -0.8f, 0}},
        {{2, 1, 1}, {2, 2, 3}, {0.35112344f, 0.93632918f, 0}},
        {{1, 0, 1}, {1, 0, 3}, {0, 1, 0}},
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
        {{1e-18f, 1e-18f, 1e-18f}, {1e-18f, 2e-18f, 3e-18f}, {0.6f, 0.8f, 0}},
        {{1e18f, 1e18f, 1e18f}, {1e18f, 2e18f, 3e18f}, {0.6f, 0.8f, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        pliant_rig_node node = {.parent = -1, .rest = RIG_REST};
        node.rest.scale = cases[i].scale;
        pliant_rig_surface surface = {.skin = -1, .vertex_count = 1};
        pliant_rig_vertex vertex = {{1, 2, 3}, {0.6f, 0.8f, 0}};
        pliant_rig *rig = create_rig(&(pliant_rig_def){.nodes = &node,
                                                       .node_count = 1,
                                                       .surfaces = &surface,
                                                       .surface_count = 1,
                                                       .vertices = &vertex,
                                                       .vertex_count = 1});
        rig_state state = create_rig_state(rig);
        show_pose(rig, &state);
        float size = vec3_length(cases[i].position);
        assert_vec3(state.positions[0], cases[i].position, 1e-6f * size);
        assert_vec3(state.normals[0], cases[i].normal, 1e-6f);
        destroy_rig_state(&state);
        pliant_rig_destroy(rig);
    }
}

// With every compiler and at every level of optimisation.
static void vertices_have_the_same_bits_everywhere(void **unused)
{
    (void)unused;
    arm_rig arm = ARM;
    arm.nodes[1].rest.scale = (vec3){1.5f, -0.7f, 1.1f};
    arm.influences[2].weight = 0.3f;
    arm.weights[0].rest = 0.4f;
    pliant_rig *rig = create_arm(&arm);
    rig_state state = create_rig_state(rig);
    uint64_t hash = HASH_START;
    for (int i = 0; i < 200; ++i) {
        show_clip(rig, i % 2, 0.0071 * i, &state);
        for (int k = 0; k < 4; ++k)
            hash = hash_vec3(hash_vec3(hash, state.positions[k]), state.normals[k]);
    }
    assert_int_equal(hash, 0xd193a71b1c92ae35);
    destroy_rig_state(&state);
    pliant_rig_destroy(rig);
}

static void expect_refusal(const arm_rig *arm, const char *place)
{
    pliant_rig_def def = define_arm(arm);
    pliant_error error = {0};
    pliant_rig *rig = pliant_rig_create(&def, NULL, &error);
    if (rig || strcmp(error.place, place) != 0)
        fail_msg("%s instead of an error at %s", rig ? "taken" : error.place, place);
    assert_true(error.message[0]);
}

#define REFUSES(change, place)                                                                     \
    do {                                                                                           \
        arm_rig arm = ARM;                                                                         \
        arm.change;                                                                                \
        expect_refusal(&arm, place);                                                               \
    } while (0)

static void refuses_what_cannot_be_evaluated(void **unused)
{
    (void)unused;
    REFUSES(nodes[0].parent = 4, "node 0 (hand)");
    REFUSES(nodes[2].parent = 0, "node 0 (hand)");
    REFUSES(nodes[2].parent = 2, "node 2 (upper)");
    REFUSES(nodes[1].rest.translation.y = NAN, "node 1 (fore)");
    REFUSES(nodes[1].rest.rotation.w = 0.0f, "node 1 (fore)");
    REFUSES(nodes[3].weight_count = 2, "node 3 (sleeve)");
    REFUSES(nodes[3].weight_count = 0, "weight 0 (wide)");
    REFUSES(weights[0].rest = INFINITY, "weight 0 (wide)");
    REFUSES(skins[0].joint_count = 3, "skin 0 (bones)");
    REFUSES(skins[0].joint_count = 1, "joint 1");
    REFUSES(joints[1].node = -1, "joint 1");
    REFUSES(joints[1].inverse_bind.m[2][3] = NAN, "joint 1 (fore)");
    REFUSES(clips[1].first_channel = 0, "clip 1 (widen)");
    REFUSES(channels[1].node = 7, "clip 1, channel 0");
    REFUSES(channels[1].node = 2, "clip 1, channel 0 (upper)"); // it has no weights
    REFUSES(channels[1].path = 4, "clip 1, channel 0 (sleeve)");
    REFUSES(channels[1].sampling = 3, "clip 1, channel 0 (sleeve)");
    REFUSES(channels[1].sampling = PLIANT_RIG_CUBIC, "clip 1, channel 0 (sleeve)");
    REFUSES(channels[0].key_count = 0, "clip 0, channel 0 (fore)");
    REFUSES(channels[0].key_count = INT32_MAX, "clip 0, channel 0 (fore)");
    REFUSES(channels[0].first_time = 2, "clip 0, channel 0 (fore)");
    REFUSES(channels[0].first_value = -1, "clip 0, channel 0 (fore)");
    REFUSES(times[1] = 0.0f, "clip 0, channel 0 (fore)");
    REFUSES(times[0] = -1.0f, "clip 0, channel 0 (fore)");
    REFUSES(times[2] = 0.5f, "clip 1, channel 0 (sleeve)");
    REFUSES(times[2] = INFINITY, "times");
    REFUSES(values[3] = NAN, "values");
    REFUSES(surfaces[0].node = 9, "surface 0");
    REFUSES(surfaces[0].skin = 1, "surface 0 (sleeve)");
    REFUSES(surfaces[0].influence_count = 0, "surface 0 (sleeve)");
    REFUSES(surfaces[1].influence_count = 1, "surface 1 (hand)");
    REFUSES(surfaces[0].influence_count = INT32_MAX, "surface 0 (sleeve)");
    REFUSES(surfaces[1].first_vertex = 2, "surface 1 (hand)");
    REFUSES(surfaces[1].vertex_count = 0, "surfaces");
    REFUSES(surfaces[0].node = 2, "surface 0 (upper)"); // no weight for its target
    REFUSES(influences[2].joint = 2, "surface 0 (sleeve)");
    REFUSES(influences[2].weight = -0.5f, "surface 0 (sleeve)");
    REFUSES(influences[2].weight = NAN, "surface 0 (sleeve)");
    REFUSES(targets[0].first_position = 1, "surface 0 (sleeve)");
    REFUSES(targets[0].first_normal = -2, "surface 0 (sleeve)");
    REFUSES(vertices[3].normal.x = NAN, "vertices");
    REFUSES(displacements[2].z = NAN, "displacements");
    arm_rig arm = ARM;
    memset(arm.nodes[1].name, 'x', sizeof arm.nodes[1].name);
    expect_refusal(&arm, "node 1");
    pliant_rig_def def = define_arm(&ARM);
    def.times = NULL;
    pliant_error error = {0};
    assert_null(pliant_rig_create(&def, NULL, &error));
    assert_string_equal(error.place, "times");
}

static void is_kept_by_each_reference(void **unused)
{
    (void)unused;
    pliant_rig *rig = create_arm(&ARM);
    assert_ptr_equal(pli_rig_retain(rig), rig);
    pliant_rig_destroy(rig);
    assert_string_equal(pliant_rig_definition(rig).nodes[0].name, "hand");
    pliant_rig_destroy(rig);
    pliant_rig_destroy(NULL);
    assert_null(pli_rig_retain(NULL));
}

// The builder, the model and whoever made it each hold a reference.
static void is_shared_with_models(void **unused)
{
    (void)unused;
    pliant_rig_node node = {.name = "root", .parent = -1, .rest = RIG_REST};
    const pliant_rig_def def = {.nodes = &node, .node_count = 1};
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def particle = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &particle);
    pliant_rig *first = create_rig(&def), *second = create_rig(&def);
    pliant_builder_set_rig(builder, first);
    pliant_builder_set_rig(builder, second);
    pliant_rig_destroy(first);
    pliant_rig_destroy(second);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_set_rig(builder, NULL);
    pliant_model *bare = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_ptr_equal(pliant_model_rig(model), second);
    assert_null(pliant_model_rig(bare));
    // A step depends on it no more than on the mesh, but they are not the same model.
    assert_true(model->fingerprint == bare->fingerprint && model->identity != bare->identity);
    pliant_model_destroy(bare);
    pliant_model_destroy(model);
}

static uint8_t *save_rig(const pliant_rig *rig, size_t *size)
{
    *size = pli_rig_saved_size(rig);
    uint8_t *bytes = malloc(*size);
    assert_ptr_equal(pli_rig_write(rig, bytes), bytes + *size);
    return bytes;
}

static void is_the_same_after_saving(void **unused)
{
    (void)unused;
    pliant_rig *rig = create_arm(&ARM);
    size_t size, size_again;
    uint8_t *bytes = save_rig(rig, &size);
    pliant_error error = {0};
    pliant_rig *again = pli_rig_read(bytes, size, NULL, &error);
    assert_non_null(again);
    uint8_t *bytes_again = save_rig(again, &size_again);
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, bytes_again, size);
    assert_true(again->fingerprint == rig->fingerprint);
    rig_state state = create_rig_state(rig), expected = create_rig_state(again);
    show_clip(rig, 0, 0.3, &state);
    show_clip(again, 0, 0.3, &expected);
    assert_memory_equal(state.positions, expected.positions, sizeof(vec3) * 4);
    destroy_rig_state(&state);
    destroy_rig_state(&expected);
    free(bytes_again);
    // Cut off anywhere, or with something behind it, it is refused.
    for (size_t i = 0; i < size; ++i) {
        uint8_t *cut = malloc(i + 1);
        memcpy(cut, bytes, i);
        error = (pliant_error){0};
        assert_null(pli_rig_read(cut, i, NULL, &error));
        free(cut);
        assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
    }
    uint8_t *longer = calloc(1, size + 4);
    memcpy(longer, bytes, size);
    assert_null(pli_rig_read(longer, size + 4, NULL, &error));
    free(longer);
    free(bytes);
    pliant_rig_destroy(again);
    pliant_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bends_an_arm),
        cmocka_unit_test(takes_weights_of_any_sum),
        cmocka_unit_test(takes_joints_twice),
        cmocka_unit_test(follows_scales_of_any_kind),
        cmocka_unit_test(vertices_have_the_same_bits_everywhere),
        cmocka_unit_test(refuses_what_cannot_be_evaluated),
        cmocka_unit_test(is_kept_by_each_reference),
        cmocka_unit_test(is_shared_with_models),
        cmocka_unit_test(is_the_same_after_saving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
