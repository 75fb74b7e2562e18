// Bakes: the GLB, read back and skinned the way any viewer does it, shows the vertices that the
// library's own skin shows.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pliant/author.h>

#include "json/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char scene_text[] =
    "{\"pliant\": 1, \"name\": \"bake\", \"models\": {"
    "  \"rope\": {\"rope\": {\"begin\": [0, 1, 0], \"end\": [1, 1, 0], \"particles\": 9},"
    "             \"pinned\": [0]},"
    "  \"pair\": {\"particles\": [{\"position\": [0, 0, 0], \"orientation\": [0, 0, 0.6, 0.8]},"
    "                             {\"position\": [0.2, 0, 0], \"radii\": [0.1, 0.05, 0.02]}],"
    "             \"edges\": [{\"a\": 0, \"b\": 1}]}},"
    " \"bodies\": [{\"name\": \"r\", \"model\": \"rope\", \"colour\": [1, 0.5, 0.25]},"
    "   {\"name\": \"p\", \"model\": \"pair\", \"position\": [0, 1, 1],"
    "    \"angular_velocity\": [3, 9, 1]},"
    "   {\"name\": \"q\", \"model\": \"pair\", \"position\": [0, 2, 1]}],"
    " \"planes\": [{\"normal\": [1, 2, 3], \"offset\": -5}],"
    " \"shapes\": {\"ball\": {\"sphere\": {\"radius\": 0.1}}},"
    " \"colliders\": [{\"name\": \"still\", \"shape\": \"ball\", \"position\": [7, 8, 9]},"
    "   {\"name\": \"moving\", \"shape\": \"ball\", \"position\": [9, 8, 9],"
    "    \"linear_velocity\": [1, 0, 0]},"
    "   {\"name\": \"turning\", \"box\": {}, \"position\": [20, 0, 0],"
    "    \"angular_velocity\": [0, 2, 0]},"
    "   {\"name\": \"floor\", \"plane\": {}, \"position\": [0, -30, 0]}],"
    " \"drivers\": [{\"body\": \"r\", \"particles\": [0], \"pivot\": [0, 1, 0], \"keys\":"
    "   [{\"time\": 0}, {\"time\": 1, \"rotation\": [12, 0, 0]}]}]}";

enum { FRAMES = 31 };

typedef struct baked {
    pliant_scene *scene;
    pliant_stage stage;
    pliant_bake *bake;
    void *data;
    size_t size;
    json_document *json;
    const unsigned char *binary;
    pliant_vec3 *rope_skins; // of body 0, frame by frame
} baked;

static size_t get_uint32(const unsigned char *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

static void open_glb(baked *b)
{
    const unsigned char *bytes = b->data;
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(get_uint32(bytes + 4), 2);
    assert_int_equal(get_uint32(bytes + 8), b->size);
    size_t json_size = get_uint32(bytes + 12);
    assert_memory_equal(bytes + 16, "JSON", 4);
    assert_int_equal(json_size % 4, 0);
    assert_memory_equal(bytes + 24 + json_size, "BIN\0", 4);
    b->binary = bytes + 28 + json_size;
    pliant_error error = {0};
    b->json = pli_json_parse((const char *)bytes + 20, json_size, &error);
    if (!b->json)
        fail_msg("%s: %s", error.place, error.message);
}

static baked make_bake(const pliant_bake_options *options, int frames)
{
    baked b = {0};
    pliant_error error = {0};
    b.scene = pliant_scene_read(scene_text, sizeof scene_text - 1, NULL, &error);
    if (!b.scene)
        fail_msg("%s: %s", error.place, error.message);
    assert_int_equal(pliant_stage_open(&b.stage, b.scene, NULL, &error), PLIANT_OK);
    b.bake = pliant_bake_create(&b.stage, options, &error);
    assert_non_null(b.bake);
    int vertex_count = pliant_model_vertex_count(b.scene->models[0]);
    b.rope_skins = malloc((size_t)frames * (size_t)vertex_count * sizeof *b.rope_skins);
    for (int i = 0; i < frames; ++i) {
        if (i > 0)
            pliant_stage_step(&b.stage, 1.0f / 30.0f);
        assert_int_equal(pliant_bake_add_frame(b.bake, (float)i / 30.0f, &error), PLIANT_OK);
        pliant_body_skin(b.stage.world, b.stage.bodies[0], PLIANT_SKIN_LINEAR,
                         b.rope_skins + (size_t)i * (size_t)vertex_count, NULL);
    }
    assert_int_equal(pliant_bake_frame_count(b.bake), frames);
    assert_int_equal(pliant_bake_write(b.bake, &b.data, &b.size, &error), PLIANT_OK);
    open_glb(&b);
    return b;
}

static void release(baked *b)
{
    pli_json_destroy(b->json);
    free(b->data);
    free(b->rope_skins);
    pliant_bake_destroy(b->bake);
    pliant_stage_close(&b->stage);
    pliant_scene_destroy(b->scene);
}

// ---------------------------------------------------------------------------------------------
// Reading the file back

static json_value part(const baked *b, const char *array, int index)
{
    return pli_json_item(b->json, pli_json_get(b->json, pli_json_root(b->json), array), index);
}

static int get_int(const baked *b, json_value object, const char *key)
{
    return (int)pli_json_number(b->json, pli_json_get(b->json, object, key), -1.0);
}

// The accessor's data and how far apart its elements are.
static const unsigned char *accessor_data(const baked *b, int index, int element_size, int *stride)
{
    json_value accessor = part(b, "accessors", index);
    json_value view = part(b, "bufferViews", get_int(b, accessor, "bufferView"));
    int given = get_int(b, view, "byteStride");
    *stride = given < 0 ? element_size : given;
    int offset = get_int(b, accessor, "byteOffset");
    return b->binary + get_int(b, view, "byteOffset") + (offset < 0 ? 0 : offset);
}

static void get_floats(const baked *b, int accessor, int element, int components, float *values)
{
    int stride, size = components * 4;
    const unsigned char *data = accessor_data(b, accessor, size, &stride);
    memcpy(values, data + (size_t)element * (size_t)stride, (size_t)size);
}

static json_value find_channel(const baked *b, int node, const char *path)
{
    json_value animation = part(b, "animations", 0);
    json_value channels = pli_json_get(b->json, animation, "channels");
    for (json_value c = pli_json_first(b->json, channels); c != JSON_NONE;
         c = pli_json_next(b->json, c)) {
        json_value target = pli_json_get(b->json, c, "target");
        if (get_int(b, target, "node") == node &&
            pli_json_string_is(b->json, pli_json_get(b->json, target, "path"), path))
            return pli_json_item(b->json, pli_json_get(b->json, animation, "samplers"),
                                 get_int(b, c, "sampler"));
    }
    return JSON_NONE;
}

// A node's translation or rotation at a frame: the channel's where there is one.
static void node_value(const baked *b, int node, const char *path, int frame, int components,
                       float *values)
{
    json_value sampler = find_channel(b, node, path);
    if (sampler != JSON_NONE) {
        get_floats(b, get_int(b, sampler, "output"), frame, components, values);
        return;
    }
    json_value array = pli_json_get(b->json, part(b, "nodes", node), path);
    assert_int_equal(pli_json_size(b->json, array), components);
    for (int i = 0; i < components; ++i)
        values[i] = (float)pli_json_number(b->json, pli_json_item(b->json, array, i), 0.0);
}

static void rotate(const float q[4], const double v[3], double out[3])
{
    double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                   2 * (q[0] * v[1] - q[1] * v[0])};
    out[0] = v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1];
    out[1] = v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2];
    out[2] = v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0];
}

// Σ weight · joint · inverse bind matrix · position
static void skin_vertex(const baked *b, int vertex, int frame, double out[3])
{
    json_value primitive =
        pli_json_item(b->json, pli_json_get(b->json, part(b, "meshes", 0), "primitives"), 0);
    json_value attributes = pli_json_get(b->json, primitive, "attributes");
    json_value skin = part(b, "skins", 0), joints = pli_json_get(b->json, skin, "joints");
    float position[3], weights[4];
    get_floats(b, get_int(b, attributes, "POSITION"), vertex, 3, position);
    get_floats(b, get_int(b, attributes, "WEIGHTS_0"), vertex, 4, weights);
    int stride;
    const unsigned char *links = accessor_data(b, get_int(b, attributes, "JOINTS_0"), 4, &stride);
    links += (size_t)vertex * (size_t)stride;
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < 4; ++k) {
        float m[16], t[3], q[4];
        int node = (int)pli_json_number(b->json, pli_json_item(b->json, joints, links[k]), -1.0);
        get_floats(b, get_int(b, skin, "inverseBindMatrices"), links[k], 16, m);
        node_value(b, node, "translation", frame, 3, t);
        node_value(b, node, "rotation", frame, 4, q);
        double local[3], turned[3];
        for (int i = 0; i < 3; ++i)
            local[i] =
                m[i] * position[0] + m[4 + i] * position[1] + m[8 + i] * position[2] + m[12 + i];
        rotate(q, local, turned);
        for (int i = 0; i < 3; ++i)
            out[i] += weights[k] * (turned[i] + t[i]);
    }
}

// ---------------------------------------------------------------------------------------------

static void shows_the_same_vertices(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, FRAMES);
    int vertex_count = pliant_model_vertex_count(b.scene->models[0]);
    assert_true(vertex_count > 0);
    double moved = 0.0;
    for (int frame = 0; frame < FRAMES; frame += 10) {
        for (int i = 0; i < vertex_count; ++i) {
            double x[3];
            skin_vertex(&b, i, frame, x);
            pliant_vec3 v = b.rope_skins[frame * vertex_count + i], v0 = b.rope_skins[i];
            assert_true(fabs(x[0] - v.x) < 1e-5 && fabs(x[1] - v.y) < 1e-5 &&
                        fabs(x[2] - v.z) < 1e-5);
            moved = fmax(moved, fabs((double)v.y - v0.y));
        }
    }
    assert_true(moved > 0.1); // the rope has swung, so that the comparison means something
    release(&b);
}

static void rotations_are_unit_and_take_the_short_way(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, FRAMES);
    int nodes = pli_json_size(b.json, pli_json_get(b.json, 0, "nodes")), channels = 0;
    for (int node = 0; node < nodes; ++node) {
        if (find_channel(&b, node, "rotation") == JSON_NONE)
            continue;
        ++channels;
        float before[4];
        for (int frame = 0; frame < FRAMES; ++frame) {
            float q[4];
            node_value(&b, node, "rotation", frame, 4, q);
            double norm = 0.0, dot = 0.0;
            for (int i = 0; i < 4; ++i) {
                norm += (double)q[i] * q[i];
                dot += frame ? (double)q[i] * before[i] : 1.0;
            }
            assert_true(fabs(norm - 1.0) < 1e-6);
            assert_true(dot >= 0.0);
            memcpy(before, q, sizeof q);
        }
    }
    assert_true(channels > 9);
    release(&b);
}

static void skins_are_as_gltf_wants_them(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, 2);
    assert_int_equal(pli_json_size(b.json, pli_json_get(b.json, 0, "skins")), 3);
    for (int s = 0; s < 3; ++s) {
        json_value skin = part(&b, "skins", s);
        int root = get_int(&b, skin, "skeleton");
        json_value children = pli_json_get(b.json, part(&b, "nodes", root), "children");
        json_value joints = pli_json_get(b.json, skin, "joints");
        int count = pli_json_size(b.json, joints);
        assert_int_equal(count, s == 0 ? 9 : 2);
        assert_int_equal(pli_json_size(b.json, children), count);
        for (int i = 0; i < count; ++i) {
            assert_true(pli_json_number(b.json, pli_json_item(b.json, joints, i), -1.0) ==
                        pli_json_number(b.json, pli_json_item(b.json, children, i), -2.0));
            float m[16];
            get_floats(&b, get_int(&b, skin, "inverseBindMatrices"), i, 16, m);
            assert_true(m[3] == 0.0f && m[7] == 0.0f && m[11] == 0.0f && m[15] == 1.0f);
        }
    }
    json_value primitive =
        pli_json_item(b.json, pli_json_get(b.json, part(&b, "meshes", 0), "primitives"), 0);
    int weights = get_int(&b, pli_json_get(b.json, primitive, "attributes"), "WEIGHTS_0");
    for (int i = 0; i < get_int(&b, part(&b, "accessors", weights), "count"); ++i) {
        float w[4];
        get_floats(&b, weights, i, 4, w);
        assert_true(fabs((double)w[0] + w[1] + w[2] + w[3] - 1.0) < 1e-7);
    }
    release(&b);
}

static void bodies_of_one_model_share_its_mesh(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, 2);
    int positions[3];
    for (int i = 0; i < 3; ++i) {
        json_value primitives = pli_json_get(b.json, part(&b, "meshes", i), "primitives");
        json_value attributes =
            pli_json_get(b.json, pli_json_item(b.json, primitives, 0), "attributes");
        positions[i] = get_int(&b, attributes, "POSITION");
    }
    assert_int_equal(positions[1], positions[2]);
    assert_int_not_equal(positions[0], positions[1]);
    release(&b);
}

static void a_single_frame_has_no_animation(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, 1);
    assert_int_equal(pli_json_get(b.json, 0, "animations"), JSON_NONE);
    release(&b);
}

// The held end of the rope turns in place: it has a rotation channel and no translation channel.
static void what_never_moves_has_no_channel(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, FRAMES);
    int held = (int)pli_json_number(
        b.json, pli_json_item(b.json, pli_json_get(b.json, part(&b, "skins", 0), "joints"), 0),
        -1.0);
    assert_true(find_channel(&b, held, "rotation") != JSON_NONE);
    assert_int_equal(find_channel(&b, held, "translation"), JSON_NONE);
    assert_true(find_channel(&b, held + 1, "translation") != JSON_NONE);
    release(&b);
}

// The index of a node, or -1.
static int find_node(const baked *b, const char *name)
{
    json_value nodes = pli_json_get(b->json, 0, "nodes");
    int index = 0;
    for (json_value n = pli_json_first(b->json, nodes); n != JSON_NONE;
         n = pli_json_next(b->json, n), ++index) {
        if (pli_json_string_is(b->json, pli_json_get(b->json, n, "name"), name))
            return index;
    }
    return -1;
}

static bool has_node(const baked *b, const char *name)
{
    return find_node(b, name) >= 0;
}

static void planes_are_optional(void **unused)
{
    (void)unused;
    baked with = make_bake(NULL, 1);
    pliant_bake_options options = pliant_default_bake_options();
    options.planes = false;
    baked without = make_bake(&options, 1);
    assert_true(has_node(&with, "plane 0"));
    assert_false(has_node(&without, "plane 0"));
    assert_true(has_node(&with, "floor") && has_node(&with, "still"));
    assert_true(!has_node(&without, "floor") && has_node(&without, "still"));
    assert_true(has_node(&with, "r") && has_node(&with, "r joints") && has_node(&with, "r.p8"));
    assert_true(has_node(&with, "camera"));
    release(&with);
    release(&without);
}

// The quad's middle lies on the plane and its y axis along the normal.
static void planes_lie_where_they_are(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, 1);
    json_value nodes = pli_json_get(b.json, 0, "nodes");
    int index = 0;
    for (json_value n = pli_json_first(b.json, nodes); n != JSON_NONE;
         n = pli_json_next(b.json, n), ++index) {
        if (!pli_json_string_is(b.json, pli_json_get(b.json, n, "name"), "plane 0"))
            continue;
        float t[3], q[4];
        node_value(&b, index, "translation", 0, 3, t);
        node_value(&b, index, "rotation", 0, 4, q);
        double normal[3], length = sqrt(14.0);
        rotate(q, (double[3]){0, 1, 0}, normal);
        assert_true(fabs(normal[0] - 1 / length) < 1e-6 && fabs(normal[1] - 2 / length) < 1e-6 &&
                    fabs(normal[2] - 3 / length) < 1e-6);
        assert_true(fabs((t[0] + 2 * t[1] + 3 * t[2]) / length + 5.0) < 1e-5);
        release(&b);
        return;
    }
    fail_msg("no plane");
}

static void colliders_move_as_they_did(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, FRAMES);
    static const char *names[] = {"still", "moving", "turning", "floor"};
    for (int i = 0; i < 4; ++i) {
        int node = find_node(&b, names[i]);
        assert_true(node >= 0);
        bool moves = i == 1, turns = i == 2;
        assert_true((find_channel(&b, node, "translation") != JSON_NONE) == moves);
        assert_true((find_channel(&b, node, "rotation") != JSON_NONE) == turns);
        pliant_pose pose = pliant_collider_pose(b.stage.world, b.stage.colliders[i]);
        float t[3], q[4];
        node_value(&b, node, "translation", FRAMES - 1, 3, t);
        node_value(&b, node, "rotation", FRAMES - 1, 4, q);
        assert_true(t[0] == pose.position.x && t[1] == pose.position.y && t[2] == pose.position.z);
        double dot = (double)q[0] * pose.orientation.x + (double)q[1] * pose.orientation.y +
                     (double)q[2] * pose.orientation.z + (double)q[3] * pose.orientation.w;
        assert_true(fabs(fabs(dot) - 1.0) < 1e-6);
    }
    float t[3];
    node_value(&b, find_node(&b, "moving"), "translation", FRAMES - 1, 3, t);
    assert_true(fabs((double)t[0] - 10.0) < 1e-4);
    release(&b);
}

static int position_accessor(const baked *b, const char *node)
{
    int mesh = get_int(b, part(b, "nodes", find_node(b, node)), "mesh");
    json_value primitives = pli_json_get(b->json, part(b, "meshes", mesh), "primitives");
    json_value attributes =
        pli_json_get(b->json, pli_json_item(b->json, primitives, 0), "attributes");
    assert_int_equal(get_int(b, attributes, "JOINTS_0"), -1);
    return get_int(b, attributes, "POSITION");
}

static void colliders_of_one_shape_share_its_mesh(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, 2);
    assert_int_equal(position_accessor(&b, "still"), position_accessor(&b, "moving"));
    assert_int_not_equal(position_accessor(&b, "still"), position_accessor(&b, "turning"));
    release(&b);
}

// 257 × 257 heights are more vertices than 16 bits tell apart.
static void large_heightfields_have_wide_indices(void **unused)
{
    (void)unused;
    enum { SIDE = 257 };
    float *heights = calloc(SIDE * SIDE, sizeof *heights);
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HEIGHTFIELD);
    def.columns = def.rows = SIDE;
    def.heights = heights;
    baked b = {.scene = pliant_scene_create()};
    pliant_scene_collider collider = pliant_default_scene_collider();
    collider.shape = pliant_scene_add_shape(b.scene, pliant_shape_create(&def, NULL, NULL));
    assert_int_equal(pliant_scene_add_collider(b.scene, &collider), 0);
    free(heights);
    assert_int_equal(pliant_stage_open(&b.stage, b.scene, NULL, NULL), PLIANT_OK);
    b.bake = pliant_bake_create(&b.stage, NULL, NULL);
    assert_int_equal(pliant_bake_add_frame(b.bake, 0.0f, NULL), PLIANT_OK);
    assert_int_equal(pliant_bake_write(b.bake, &b.data, &b.size, NULL), PLIANT_OK);
    open_glb(&b);
    json_value primitives = pli_json_get(b.json, part(&b, "meshes", 0), "primitives");
    json_value indices =
        part(&b, "accessors", get_int(&b, pli_json_item(b.json, primitives, 0), "indices"));
    assert_int_equal(get_int(&b, indices, "componentType"), 5125);
    assert_int_equal(get_int(&b, indices, "count"), 6 * (SIDE - 1) * (SIDE - 1));
    release(&b);
}

// q and -q are one rotation: a viewer that interpolates between them must not see a turn.
static void a_negated_rotation_is_no_motion(void **unused)
{
    (void)unused;
    pliant_scene *scene = pliant_scene_read(scene_text, sizeof scene_text - 1, NULL, NULL);
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    pliant_bake *bake = pliant_bake_create(&stage, NULL, NULL);
    for (int i = 0; i < 3; ++i) {
        float sign = i == 1 ? -1.0f : 1.0f;
        pliant_pose pose = {{0, 0, 0}, {0, 0, 0.6f * sign, 0.8f * sign}};
        pliant_body_set_particle_pose(stage.world, stage.bodies[1], 0, pose);
        assert_int_equal(pliant_bake_add_frame(bake, (float)i, NULL), PLIANT_OK);
    }
    baked b = {.scene = scene, .stage = stage, .bake = bake};
    assert_int_equal(pliant_bake_write(bake, &b.data, &b.size, NULL), PLIANT_OK);
    open_glb(&b);
    assert_int_equal(pli_json_get(b.json, 0, "animations"), JSON_NONE);
    release(&b);
}

static void equal_runs_give_equal_bytes(void **unused)
{
    (void)unused;
    baked a = make_bake(NULL, 5), b = make_bake(NULL, 5);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    release(&a);
    release(&b);
}

static void refuses_bad_calls(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_scene *scene = pliant_scene_read(scene_text, sizeof scene_text - 1, NULL, NULL);
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    pliant_bake *bake = pliant_bake_create(&stage, NULL, NULL);
    void *data;
    size_t size;
    assert_int_equal(pliant_bake_write(bake, &data, &size, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_bake_add_frame(bake, -1.0f, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_bake_add_frame(bake, NAN, &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_bake_add_frame(bake, 1.0f, &error), PLIANT_OK);
    assert_int_equal(pliant_bake_add_frame(bake, 1.0f, &error), PLIANT_ERROR_ARGUMENT);
    pliant_world_remove_body(stage.world, stage.bodies[1]);
    assert_int_equal(pliant_bake_add_frame(bake, 2.0f, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "p");
    assert_int_equal(pliant_bake_frame_count(bake), 1);
    pliant_bake_destroy(bake);
    pliant_bake_destroy(NULL);
    pliant_stage_close(&stage);
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    bake = pliant_bake_create(&stage, NULL, NULL);
    pliant_world_remove_collider(stage.world, stage.colliders[1]);
    assert_int_equal(pliant_bake_add_frame(bake, 2.0f, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "moving");
    pliant_bake_destroy(bake);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
}

// A recording of all steps from `begin` on. With `keep` > 0 it began with the first one and forgets after each frame
// what is older than so many frames. Times are exact.
static void record_steps(baked *b, int begin, int steps, int keep)
{
    *b = (baked){0};
    pliant_error error = {0};
    b->scene = pliant_scene_read(scene_text, sizeof scene_text - 1, NULL, &error);
    assert_non_null(b->scene);
    assert_int_equal(pliant_stage_open(&b->stage, b->scene, NULL, &error), PLIANT_OK);
    b->bake = pliant_bake_create(&b->stage, NULL, &error);
    assert_non_null(b->bake);
    for (int i = 0; i < steps; ++i) {
        if (i >= begin)
            assert_int_equal(pliant_bake_add_frame(b->bake, (float)i / 64.0f, &error), PLIANT_OK);
        if (keep > 0)
            pliant_bake_forget(b->bake, (float)(i - keep + 1) / 64.0f);
        assert_true(keep == 0 || pliant_bake_frame_count(b->bake) <= keep);
        pliant_stage_step(&b->stage, 1.0f / 64.0f);
    }
}

static void write_bake(baked *b)
{
    pliant_error error = {0};
    free(b->data);
    if (pliant_bake_write(b->bake, &b->data, &b->size, &error))
        fail_msg("%s: %s", error.place, error.message);
}

// What is left is what a recording that began later has, and plays from 0 on.
static void forgets_the_beginning(void **unused)
{
    (void)unused;
    enum { STEPS = 200, KEEP = 40 };
    baked late, all, rolling;
    record_steps(&late, STEPS - KEEP, STEPS, 0);
    record_steps(&all, 0, STEPS, 0);
    record_steps(&rolling, 0, STEPS, KEEP);
    write_bake(&late);
    write_bake(&rolling);
    assert_int_equal(pliant_bake_frame_count(all.bake), STEPS);
    pliant_bake_forget(all.bake, NAN);
    pliant_bake_forget(all.bake, 0.0f);
    assert_int_equal(pliant_bake_frame_count(all.bake), STEPS);
    pliant_bake_forget(all.bake, (float)(STEPS - KEEP) / 64.0f - 1e-3f);
    assert_int_equal(pliant_bake_frame_count(all.bake), KEEP);
    write_bake(&all);
    assert_int_equal(all.size, late.size);
    assert_memory_equal(all.data, late.data, late.size);
    assert_int_equal(rolling.size, late.size);
    assert_memory_equal(rolling.data, late.data, late.size);
    pliant_glb_info info;
    assert_int_equal(pliant_glb_inspect(all.data, all.size, &info, NULL), PLIANT_OK);
    assert_true(info.seconds == (KEEP - 1) / 64.0);
    release(&late);
    release(&all);
    release(&rolling);
}

static void records_on_after_all_is_forgotten(void **unused)
{
    (void)unused;
    baked b;
    record_steps(&b, 0, 3, 0);
    pliant_bake_forget(b.bake, INFINITY);
    assert_int_equal(pliant_bake_frame_count(b.bake), 0);
    pliant_error error = {0};
    void *data;
    size_t size;
    assert_int_equal(pliant_bake_write(b.bake, &data, &size, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.message, "there is no frame in it");
    assert_int_equal(pliant_bake_add_frame(b.bake, 1.0f, &error), PLIANT_OK);
    assert_int_equal(pliant_bake_frame_count(b.bake), 1);
    write_bake(&b);
    release(&b);
}

static void inspection_agrees(void **unused)
{
    (void)unused;
    baked b = make_bake(NULL, FRAMES);
    pliant_glb_info info;
    assert_int_equal(pliant_glb_inspect(b.data, b.size, &info, NULL), PLIANT_OK);
    assert_int_equal(info.skins, 3);
    assert_int_equal(info.joints, 13);
    assert_int_equal(info.meshes, 8);
    assert_int_equal(info.cameras, 1);
    assert_int_equal(info.animations, 1);
    assert_true(info.seconds == (double)(float)info.seconds && fabs(info.seconds - 1.0) < 1e-6);
    assert_string_equal(info.generator, "Pliant " PLIANT_VERSION_STRING);
    release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_the_same_vertices),
        cmocka_unit_test(rotations_are_unit_and_take_the_short_way),
        cmocka_unit_test(skins_are_as_gltf_wants_them),
        cmocka_unit_test(bodies_of_one_model_share_its_mesh),
        cmocka_unit_test(a_single_frame_has_no_animation),
        cmocka_unit_test(what_never_moves_has_no_channel),
        cmocka_unit_test(planes_are_optional),
        cmocka_unit_test(planes_lie_where_they_are),
        cmocka_unit_test(colliders_move_as_they_did),
        cmocka_unit_test(colliders_of_one_shape_share_its_mesh),
        cmocka_unit_test(large_heightfields_have_wide_indices),
        cmocka_unit_test(a_negated_rotation_is_no_motion),
        cmocka_unit_test(equal_runs_give_equal_bytes),
        cmocka_unit_test(refuses_bad_calls),
        cmocka_unit_test(forgets_the_beginning),
        cmocka_unit_test(records_on_after_all_is_forgotten),
        cmocka_unit_test(inspection_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
