// The rig that a mesh has from its file: at rest it is the mesh, and what cannot be evaluated is told.

#include "gltf_document.h"
#include "rigs.h"

static const float SQUARE[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const float NORMALS[4][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
static const float WEIGHTS[4][4] = {{1}, {2, 2}, {0.25f, 0, 0.75f}, {0}};
static const uint16_t JOINTS[4][4] = {{0}, {0, 1}, {0, 0, 1}, {1}};
static const float BINDS[2][16] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                                   {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1}};
static const float TIMES[2] = {0, 2};
static const float TURNS[2][4] = {{0, 0, 0, 1}, {0, 0, 0.70710678f, 0.70710678f}};

// Accessors 0 to 6, in this order.
static void add_figure(document *d)
{
    add_positions(d, 4, SQUARE);
    add_floats(d, "VEC3", 3, 4, NORMALS[0]);
    add_accessor(d, add_view(d, JOINTS, sizeof JOINTS, ""), 5123, "VEC4", 4, "");
    add_floats(d, "VEC4", 4, 4, WEIGHTS[0]);
    add_floats(d, "MAT4", 16, 2, BINDS[0]);
    add_bounded(d, "SCALAR", 1, 2, TIMES);
    add_floats(d, "VEC4", 4, 2, TURNS[0]);
}

#define SKINNED                                                                                    \
    "{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3},\"mode\":6}"
#define RIGID "{\"attributes\":{\"POSITION\":0},\"mode\":6}"
#define SKIN  "\"skins\":[{\"name\":\"bones\",\"joints\":[1,2],\"inverseBindMatrices\":4}],"
#define NODES                                                                                      \
    "\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[9,9,9]},"                                  \
    "{\"name\":\"upper\",\"children\":[2],\"scale\":[2,1,1]},"                                     \
    "{\"name\":\"fore\",\"translation\":[1,0,0]}],"
#define CLIP(path)                                                                                 \
    "\"animations\":[{\"name\":\"bend\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,"      \
    "\"path\":\"" path "\"}}],\"samplers\":[{\"input\":5,\"output\":6}]}],"

static pliant_mesh *read_figure(document *d, const char *rest, pliant_remarks *remarks)
{
    pliant_error error = {0};
    pliant_mesh *mesh = read_document(d, rest, remarks, &error);
    if (!mesh)
        fail_msg("%s: %s", error.place, error.message);
    return mesh;
}

// At rest the surfaces are where the mesh is.
static void assert_rests(const pliant_mesh *mesh)
{
    rig_state state = create_rig_state(mesh->rig);
    assert_int_equal(pliant_rig_definition(mesh->rig).vertex_count, mesh->vertex_count);
    show_pose(mesh->rig, &state);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        assert_vec3(state.positions[i], mesh->positions[i], 1e-5f);
        assert_vec3(state.normals[i], mesh->normals[i], 1e-5f);
    }
    destroy_rig_state(&state);
}

static void what_cannot_move_has_no_rig(void **unused)
{
    (void)unused;
    document d = {0};
    add_positions(&d, 4, SQUARE);
    pliant_mesh *mesh = read_right(&d, "\"nodes\":[{\"mesh\":0},{}],\"meshes\":[{\"primitives\":[{"
                                       "\"attributes\":{\"POSITION\":0}}]}]");
    assert_null(mesh->rig);
    pliant_mesh_destroy(mesh);
}

static void a_figure_has_its_rig(void **unused)
{
    (void)unused;
    document d = {0};
    add_figure(&d);
    pliant_mesh *mesh = read_figure(
        &d, NODES SKIN CLIP("rotation") "\"meshes\":[{\"primitives\":[" SKINNED "," RIGID "]}]",
        NULL);
    assert_non_null(mesh->rig);
    pliant_rig_def def = pliant_rig_definition(mesh->rig);
    assert_int_equal(def.node_count, 3);
    assert_int_equal(def.nodes[2].parent, 1);
    assert_string_equal(def.skins[0].name, "bones");
    assert_int_equal(def.surface_count, 2);
    assert_int_equal(def.surfaces[0].skin, 0);
    assert_int_equal(def.surfaces[0].influence_count, 2); // of four, those that act
    assert_int_equal(def.surfaces[1].skin, -1);           // it has no joints
    assert_int_equal(def.surfaces[1].node, 0);
    assert_rests(mesh);
    assert_int_equal(pliant_rig_find_clip(mesh->rig, "bend"), 0);
    assert_true(pliant_rig_clip_seconds(mesh->rig, 0) == 2.0f);
    rig_state state = create_rig_state(mesh->rig);
    show_clip(mesh->rig, 0, 2.0, &state);
    // Bound at (1, 0, 0), joint 1 is at (2, 0, 0) below a node that doubles x, and turns by 90°.
    assert_vec3(state.positions[3], (vec3){2.0f - 2.0f, -1.0f, 0}, 1e-5f);
    assert_vec3(state.positions[2], (vec3){0.25f * 2.0f + 0.75f * 0.0f, 0.25f * 1.0f, 0}, 1e-5f);
    destroy_rig_state(&state);
    // Larger or smaller it keeps its rig.
    pliant_mesh *scaled = pliant_mesh_create_scaled(mesh, 0.01f, NULL);
    assert_non_null(scaled);
    assert_non_null(scaled->rig);
    assert_rests(scaled);
    pliant_mesh_destroy(scaled);
    pliant_mesh_destroy(mesh);
}

static void joints_may_stand_in_several_sets(void **unused)
{
    (void)unused;
    document d = {0};
    add_figure(&d);
    pliant_mesh *mesh = read_figure(
        &d,
        NODES SKIN "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,"
                   "\"WEIGHTS_0\":3,\"JOINTS_1\":2,\"WEIGHTS_1\":3},\"mode\":6}]}]",
        NULL);
    assert_int_equal(pliant_rig_definition(mesh->rig).surfaces[0].influence_count, 4);
    assert_rests(mesh);
    pliant_mesh_destroy(mesh);
}

// Two nodes show one mesh, each with a skin of its own; the joints of the second have no common root.
static void a_mesh_may_have_several_skins(void **unused)
{
    (void)unused;
    document d = {0};
    add_figure(&d);
    pliant_mesh *mesh = read_figure(
        &d,
        "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"children\":[2]},{\"translation\":[1,0,0]},"
        "{\"mesh\":0,\"skin\":1},{\"translation\":[0,5,0]}],"
        "\"skins\":[{\"joints\":[1,2]},{\"joints\":[4,2],\"inverseBindMatrices\":4}],"
        "\"meshes\":[{\"primitives\":[" SKINNED "]}]",
        NULL);
    pliant_rig_def def = pliant_rig_definition(mesh->rig);
    assert_int_equal(def.surface_count, 2);
    assert_int_equal(def.surfaces[0].skin, 0);
    assert_int_equal(def.surfaces[1].skin, 1);
    assert_int_equal(def.skins[1].first_joint, 2);
    assert_int_equal(def.joints[2].node, 4);
    assert_rests(mesh);
    pliant_mesh_destroy(mesh);
}

static void targets_have_names_and_weights(void **unused)
{
    (void)unused;
    static const float ways[2][4][3] = {{{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {0, 0, 4}},
                                        {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}};
    document d = {0};
    add_positions(&d, 4, SQUARE);
    add_positions(&d, 4, ways[0]);
    add_positions(&d, 4, ways[1]);
    add_accessor(&d, -1, 5126, "VEC3", 4, ",\"min\":[0,0,0],\"max\":[0,0,0]"); // without data
    pliant_mesh *mesh = read_right(
        &d, "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"weights\":[0,0.5,1],\"scale\":[-1,1,1]}],"
            "\"meshes\":[{\"weights\":[1,0,0],\"extras\":{\"targetNames\":[\"deep\",\"wide\"]},"
            "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":6,\"targets\":["
            "{\"POSITION\":1},{\"POSITION\":2},{\"POSITION\":3}]}]}]");
    pliant_rig_def def = pliant_rig_definition(mesh->rig);
    assert_int_equal(def.weight_count, 6);
    assert_int_equal(def.nodes[1].first_weight, 3);
    assert_string_equal(def.weights[4].name, "wide");
    assert_string_equal(def.weights[5].name, "");
    assert_true(def.weights[0].rest == 1.0f && def.weights[4].rest == 0.5f);
    assert_int_equal(def.targets[2].first_position, -1);
    assert_rests(mesh);
    pliant_mesh_destroy(mesh);
}

// A matrix becomes translation, rotation and scale, also where it mirrors or flattens.
static void matrices_are_taken_apart(void **unused)
{
    (void)unused;
    static const char *const matrices[] = {
        "0,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1",  // a quarter turn about z, scaled by 2, 3 and 4
        "0,-2,0,0,-3,0,0,0,0,0,4,0,0,0,0,1", // mirrored
        "-1,0,0,0,0,-1,0,0,0,0,-1,0,0,0,0,1",
        "0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1", // flat
        "0,0,0,0,0,0,2,0,0,0,0,0,0,0,0,1", // a line
        "0,0,0,0,0,0,0,0,0,0,0,0,1,2,3,1", // a point
    };
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; ++i) {
        document d = {0};
        add_positions(&d, 4, SQUARE);
        add_positions(&d, 4, SQUARE);
        char rest[512];
        snprintf(rest, sizeof rest,
                 "\"nodes\":[{\"mesh\":0,\"matrix\":[%s]}],\"meshes\":[{\"weights\":[0.5],"
                 "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":1}],"
                 "\"mode\":6}]}]",
                 matrices[i]);
        pliant_mesh *mesh = read_figure(&d, rest, NULL);
        assert_non_null(mesh->rig);
        assert_rests(mesh);
        pliant_mesh_destroy(mesh);
    }
}

static void assert_remark(const pliant_remarks *remarks, const char *place, const char *message)
{
    for (int i = 0; i < remarks->count; ++i)
        if (strcmp(remarks->first[i].place, place) == 0 &&
            strstr(remarks->first[i].message, message))
            return;
    fail_msg("no remark at %s that says: %s", place, message);
}

// The mesh is read as ever; a remark tells why it has no rig.
static void sheared_nodes_make_no_rig(void **unused)
{
    (void)unused;
    document d = {0};
    add_figure(&d);
    pliant_remarks remarks;
    pliant_mesh *mesh =
        read_figure(&d,
                    "\"nodes\":[{\"mesh\":0,\"skin\":0},{},{\"matrix\":[1,0,0,0,1,1,0,0,0,0,1,0,0,"
                    "0,0,1]}]," SKIN "\"meshes\":[{\"primitives\":[" SKINNED "]}]",
                    &remarks);
    assert_null(mesh->rig);
    assert_remark(&remarks, "nodes[2].matrix", "the mesh has no rig");
    pliant_mesh_destroy(mesh);
}

static void faulty_channels_are_left_out(void **unused)
{
    (void)unused;
    static const float falling[2] = {2, 1};
    const float endless[2][4] = {{0, 0, 0, 1}, {0, 0, 0, INFINITY}};
    static const struct {
        const char *input, *output, *path, *message;
    } cases[] = {
        {"7", "6", "rotation", "do not rise"},   {"5", "6", "scale", "one value each"},
        {"5", "6", "weights", "one value each"}, {"4", "6", "rotation", "no floats"},
        {"5", "8", "rotation", "not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        document d = {0};
        add_figure(&d);
        add_bounded(&d, "SCALAR", 1, 2, falling);
        add_floats(&d, "VEC4", 4, 2, endless[0]);
        char rest[1024];
        snprintf(rest, sizeof rest,
                 NODES SKIN "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
                            "\"path\":\"%s\"}},{\"sampler\":1,\"target\":{\"node\":1,"
                            "\"path\":\"rotation\"}},{\"sampler\":1,\"target\":{"
                            "\"path\":\"rotation\"}}],\"samplers\":[{\"input\":%s,\"output\":%s},"
                            "{\"input\":5,\"output\":6}]}],\"meshes\":[{\"primitives\":[" SKINNED
                            "]}]",
                 cases[i].path, cases[i].input, cases[i].output);
        pliant_remarks remarks;
        pliant_mesh *mesh = read_figure(&d, rest, &remarks);
        assert_non_null(mesh->rig);
        pliant_rig_def def = pliant_rig_definition(mesh->rig);
        assert_int_equal(def.clip_count, 1);
        assert_int_equal(def.channel_count, 1);
        assert_remark(&remarks, "animations[0].channels[0]", cases[i].message);
        pliant_mesh_destroy(mesh);
    }
}

// A draft of a rigged mesh makes a rigged model, whose file has the rig again.
static void models_have_the_rig_of_their_mesh(void **unused)
{
    (void)unused;
    document d = {0};
    add_figure(&d);
    pliant_mesh *mesh = read_figure(
        &d, NODES SKIN CLIP("rotation") "\"meshes\":[{\"primitives\":[" SKINNED "]}]", NULL);
    pliant_error error = {0};
    pliant_draft *draft = pliant_draft_create(mesh, &error);
    pliant_auto_def auto_def = pliant_default_auto_def();
    if (!draft || pliant_draft_auto(draft, &auto_def, &error) != PLIANT_OK)
        fail_msg("%s: %s", error.place, error.message);
    pliant_model *model = pliant_draft_build(draft, &error);
    assert_non_null(model);
    assert_ptr_equal(pliant_model_rig(model), mesh->rig);
    void *glb, *glb_again;
    size_t size, size_again;
    assert_int_equal(pliant_model_write_glb(model, mesh, &glb, &size, &error), PLIANT_OK);
    pliant_mesh *again_mesh;
    pliant_model *again = pliant_model_read(glb, size, NULL, &again_mesh, &error);
    assert_non_null(again);
    assert_int_equal(pliant_rig_definition(pliant_model_rig(again)).clip_count, 1);
    assert_int_equal(pliant_model_write_glb(again, again_mesh, &glb_again, &size_again, &error),
                     PLIANT_OK);
    assert_int_equal(size, size_again);
    assert_memory_equal(glb, glb_again, size);
    free(glb);
    free(glb_again);
    pliant_model_destroy(again);
    pliant_mesh_destroy(again_mesh);
    pliant_model_destroy(model);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_move_has_no_rig),
        cmocka_unit_test(a_figure_has_its_rig),
        cmocka_unit_test(joints_may_stand_in_several_sets),
        cmocka_unit_test(a_mesh_may_have_several_skins),
        cmocka_unit_test(targets_have_names_and_weights),
        cmocka_unit_test(matrices_are_taken_apart),
        cmocka_unit_test(sheared_nodes_make_no_rig),
        cmocka_unit_test(faulty_channels_are_left_out),
        cmocka_unit_test(models_have_the_rig_of_their_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
