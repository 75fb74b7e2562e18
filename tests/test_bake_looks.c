// Bakes of bodies whose mesh came from a file: materials, textures and attributes are those of the file, what moves is
// the model's.

#include "glb.h"

#include "gltf/glb_write.h"
#include "gltf/gltf.h"

enum { CORNERS = 4 };

static const float positions[CORNERS][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const float normals[CORNERS][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
static const float tangents[CORNERS][4] = {{1, 0, 0, 1}, {0, 1, 0, -1}, {1, 0, 0, 1}, {1, 0, 0, 1}};
static const uint16_t coordinates[CORNERS][2] = {{0, 0}, {65535, 0}, {65535, 300}, {0, 65535}};
static const int16_t other_coordinates[CORNERS][2] = {{0, 0}, {5, 0}, {5, -7}, {0, 5}};
// Three bytes and one that pads them.
static const unsigned char colours[CORNERS][4] = {
    {255, 0, 0, 9}, {0, 255, 0, 9}, {0, 0, 255, 9}, {1, 2, 3, 9}};
static const uint16_t numbers[CORNERS][2] = {{7, 0}, {8, 0}, {9, 0}, {10, 0}};
static const unsigned char matrices[CORNERS][8] = {
    {1, 2, 0, 0, 3, 4, 0, 0}, {5, 6, 0, 0, 7, 8}, {9, 10, 0, 0, 11, 12}, {13, 14, 0, 0, 15, 16}};
static const uint16_t lines[4] = {0, 2, 1, 3};

static int add(glb_writer *glb, const void *data, int stride, int component, const char *type,
               bool is_normalized)
{
    static const float low[3] = {0, 0, 0}, high[3] = {1, 1, 0};
    bool is_position = data == positions;
    int view = pli_glb_add_view(glb, data, (size_t)(CORNERS * (stride ? stride : 2)), stride, 0);
    return pli_glb_add_accessor(glb, &(glb_accessor){.view = view,
                                                     .component = component,
                                                     .count = CORNERS,
                                                     .type = type,
                                                     .is_normalized = is_normalized,
                                                     .minimum = is_position ? low : NULL,
                                                     .maximum = is_position ? high : NULL});
}

static const char source_text[] =
    "{\"asset\":{\"version\":\"2.0\"},"
    "\"extensionsUsed\":[\"KHR_mesh_quantization\",\"KHR_texture_transform\","
    "\"KHR_lights_punctual\",\"EXT_texture_webp\",\"KHR_materials_clearcoat\",\"KHR_xmp_json_ld\"],"
    "\"extensionsRequired\":[\"KHR_mesh_quantization\",\"EXT_texture_webp\"],"
    "\"extensions\":{\"KHR_xmp_json_ld\":{\"packets\":[{}]}},"
    "\"nodes\":[{\"name\":\"plate\",\"mesh\":0,\"rotation\":[0.5,0.5,0.5,0.5],"
    "\"scale\":[-1,2,1]},{\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":["
    "{\"attributes\":{\"TANGENT\":2,\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":3,\"TEXCOORD_1\":4,"
    "\"COLOR_0\":5,\"_NUMBER\":6,\"_MATRIX\":7},\"mode\":6,\"material\":1},"
    "{\"attributes\":{\"POSITION\":0,\"TANGENT\":2},\"indices\":8,\"mode\":1,\"material\":0},"
    "{\"attributes\":{\"POSITION\":0,\"COLOR_0\":5},\"mode\":0}]}],"
    "\"materials\":[{\"name\":\"plain\",\"extensions\":{\"KHR_xmp_json_ld\":{\"packet\":0}}},"
    "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1,\"texCoord\":1,"
    "\"extensions\":{\"KHR_texture_transform\":{\"scale\":[2.50,1]}}}},"
    "\"extensions\":{\"KHR_materials_clearcoat\":{\"clearcoatTexture\":{\"index\":0}}},"
    "\"extras\":{\"someTexture\":{\"index\":7}}}],"
    "\"textures\":[{\"source\":1,\"sampler\":0},"
    "{\"sampler\":0,\"extensions\":{\"EXT_texture_webp\":{\"source\":2}}}],"
    "\"samplers\":[{\"wrapS\":33071}],"
    "\"images\":[{\"uri\":\"gone.png\"},{\"uri\":\"data:image/png;base64,iVBORw0KGgo=\","
    "\"name\":\"small\"},{\"bufferView\":9,\"mimeType\":\"image/webp\"}]";

// A mesh of six parts: a plate, lines and points, mirrored and as they are.
static pliant_mesh *make_mesh(void)
{
    glb_writer glb = {0};
    add(&glb, positions, 12, GLB_FLOAT, "VEC3", false);
    add(&glb, normals, 12, GLB_FLOAT, "VEC3", false);
    add(&glb, tangents, 16, GLB_FLOAT, "VEC4", false);
    add(&glb, coordinates, 4, GLB_USHORT, "VEC2", true);
    add(&glb, other_coordinates, 4, 5122, "VEC2", false);
    add(&glb, colours, 4, GLB_UBYTE, "VEC3", true);
    add(&glb, numbers, 4, GLB_USHORT, "SCALAR", false);
    add(&glb, matrices, 8, GLB_UBYTE, "MAT2", false);
    add(&glb, lines, 0, GLB_USHORT, "SCALAR", false);
    pli_glb_add_view(&glb, "RIFF    WEBP", 12, 0, GLB_TARGET_NONE);
    json_writer json = {0};
    pli_json_write_raw(&json, source_text, sizeof source_text - 1);
    glb_file file;
    assert_true(pli_glb_finish(&glb, &json, &file.data, &file.size));
    pliant_mesh *mesh = read_mesh(file.data, file.size, "/nowhere");
    assert_int_equal(mesh->part_count, 6);
    free(file.data);
    pli_json_writer_release(&json);
    pli_glb_writer_release(&glb);
    return mesh;
}

// All vertices between two particles.
static pliant_model *make_model(const pliant_mesh *mesh)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def particle = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &particle);
    particle.position.x = 1.0f;
    pliant_builder_add_particle(builder, &particle);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        pliant_vertex_def vertex = {.position = mesh->positions[i],
                                    .normal = mesh->normals[i],
                                    .particles = {1, 0},
                                    .weights = {0.75f, 0.25f}};
        pliant_builder_add_vertex(builder, &vertex);
    }
    for (int i = 0; i < mesh->triangle_count; ++i)
        pliant_builder_add_triangle(builder, mesh->triangles[3 * i], mesh->triangles[3 * i + 1],
                                    mesh->triangles[3 * i + 2]);
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    return model;
}

// Bodies of two models made of the same file, in this order: model 0, model 1, model 0.
static glb_file bake(void)
{
    pliant_scene *scene = pliant_scene_create();
    for (int i = 0; i < 2; ++i) {
        pliant_mesh *mesh = make_mesh();
        pliant_scene_add_model(scene, make_model(mesh));
        assert_int_equal(pliant_scene_set_mesh(scene, i, mesh, NULL), PLIANT_OK);
    }
    for (int i = 0; i < 3; ++i) {
        pliant_scene_body body = pliant_default_scene_body();
        snprintf(body.name, sizeof body.name, "body %d", i);
        body.model = i % 2;
        body.def.position.z = 5.0f * (float)i;
        pliant_scene_add_body(scene, &body);
    }
    pliant_stage stage;
    assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
    pliant_bake *recording = pliant_bake_create(&stage, NULL, NULL);
    assert_int_equal(pliant_bake_add_frame(recording, 0.0f, NULL), PLIANT_OK);
    glb_file file;
    assert_int_equal(pliant_bake_write(recording, &file.data, &file.size, NULL), PLIANT_OK);
    pliant_bake_destroy(recording);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
    return file;
}

static pliant_gltf *open_bake(glb_file file)
{
    pliant_error error = {0};
    pliant_gltf *gltf = pli_gltf_open(file.data, file.size, NULL, NULL, &error);
    if (!gltf)
        fail_msg("%s: %s", error.place, error.message);
    return gltf;
}

static void assert_has(const char *json, const char *text)
{
    if (!strstr(json, text))
        fail_msg("%s is not in %s", text, json);
}

static void looks_are_copied_with_other_indices(void **unused)
{
    (void)unused;
    glb_file file = bake();
    char *json = glb_json(file);
    assert_has(json, "\"materials\":[{\"name\":\"plain\"},"
                     "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1,\"texCoord\":1,"
                     "\"extensions\":{\"KHR_texture_transform\":{\"scale\":[2.50,1]}}}},"
                     "\"extensions\":{\"KHR_materials_clearcoat\":{\"clearcoatTexture\":"
                     "{\"index\":0}}},\"extras\":{\"someTexture\":{\"index\":7}}},"
                     "{\"name\":\"plain\"},"
                     "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":3,\"texCoord\":1,"
                     "\"extensions\":{\"KHR_texture_transform\":{\"scale\":[2.50,1]}}}},"
                     "\"extensions\":{\"KHR_materials_clearcoat\":{\"clearcoatTexture\":"
                     "{\"index\":2}}},\"extras\":{\"someTexture\":{\"index\":7}}}]");
    assert_has(json, "\"textures\":[{\"source\":1,\"sampler\":0},"
                     "{\"sampler\":0,\"extensions\":{\"EXT_texture_webp\":{\"source\":2}}},"
                     "{\"source\":4,\"sampler\":1},"
                     "{\"sampler\":1,\"extensions\":{\"EXT_texture_webp\":{\"source\":5}}}]");
    assert_has(json, "\"samplers\":[{\"wrapS\":33071},{\"wrapS\":33071}]");
    assert_has(json,
               "\"images\":[{\"uri\":\"gone.png\"},{\"bufferView\":0,\"mimeType\":\"image/png\","
               "\"name\":\"small\"},{\"bufferView\":1,\"mimeType\":\"image/webp\"},");
    assert_has(json, "\"extensionsUsed\":[\"KHR_texture_transform\",\"KHR_materials_clearcoat\","
                     "\"EXT_texture_webp\",\"KHR_mesh_quantization\"]");
    assert_has(json, "\"extensionsRequired\":[\"EXT_texture_webp\",\"KHR_mesh_quantization\"]");
    size_t size;
    assert_memory_equal(glb_binary(file, &size), "\x89PNG\r\n\x1a\nRIFF    WEBP", 20);
    free(json);
    free(file.data);
}

static json_value member(const pliant_gltf *gltf, json_value object, const char *key)
{
    return pli_json_get(gltf->json, object, key);
}

static json_value primitive(const pliant_gltf *gltf, int mesh, int index)
{
    return pli_json_item(gltf->json, member(gltf, gltf->meshes.items[mesh], "primitives"), index);
}

static int number(const pliant_gltf *gltf, json_value object, const char *key)
{
    return (int)pli_json_number(gltf->json, member(gltf, object, key), -1.0);
}

static int attribute(const pliant_gltf *gltf, json_value object, const char *key)
{
    return number(gltf, member(gltf, object, "attributes"), key);
}

static void bodies_of_one_model_share_all(void **unused)
{
    (void)unused;
    glb_file file = bake();
    pliant_gltf *gltf = open_bake(file);
    assert_int_equal(gltf->meshes.count, 2);
    static const int expected[] = {0, 1, 0};
    int bodies = 0;
    for (int i = 0; i < gltf->nodes.count; ++i) {
        json_value node = gltf->nodes.items[i];
        if (member(gltf, node, "skin") == JSON_NONE)
            continue;
        assert_int_equal(number(gltf, node, "mesh"), expected[bodies]);
        assert_int_equal(number(gltf, node, "skin"), bodies++);
    }
    assert_int_equal(bodies, 3);
    assert_int_equal(number(gltf, primitive(gltf, 0, 0), "material"), 1);
    assert_int_equal(number(gltf, primitive(gltf, 1, 0), "material"), 3);
    assert_int_equal(number(gltf, primitive(gltf, 1, 1), "material"), 2);
    assert_int_equal(number(gltf, primitive(gltf, 1, 2), "material"), -1);
    // Attributes that do not depend on where a part is are there once for both of it.
    json_value mirrored = primitive(gltf, 0, 0), plain = primitive(gltf, 0, 3);
    assert_int_equal(attribute(gltf, mirrored, "COLOR_0"), attribute(gltf, plain, "COLOR_0"));
    assert_int_not_equal(attribute(gltf, mirrored, "TANGENT"), attribute(gltf, plain, "TANGENT"));
    assert_int_not_equal(attribute(gltf, mirrored, "POSITION"), attribute(gltf, plain, "POSITION"));
    pli_gltf_close(gltf);
    free(file.data);
}

static void assert_raw(const pliant_gltf *gltf, int accessor, int component_type,
                       bool is_normalized, int components, const void *expected, size_t stride)
{
    gltf_accessor a = pli_gltf_accessor(gltf, accessor);
    assert_int_equal(a.count, CORNERS);
    assert_int_equal(a.components, components);
    assert_int_equal(a.component_type, component_type);
    assert_int_equal(a.is_normalized, is_normalized);
    unsigned char raw[256];
    size_t size = (size_t)(a.components * a.component_size);
    pli_gltf_read_raw(gltf, accessor, raw);
    for (int i = 0; i < CORNERS; ++i)
        assert_memory_equal(raw + (size_t)i * size, (const char *)expected + (size_t)i * stride,
                            size);
}

static void attributes_are_those_of_the_file(void **unused)
{
    (void)unused;
    glb_file file = bake();
    pliant_gltf *gltf = open_bake(file);
    json_value plate = primitive(gltf, 0, 0);
    assert_raw(gltf, attribute(gltf, plate, "TEXCOORD_0"), GLB_USHORT, true, 2, coordinates, 4);
    assert_raw(gltf, attribute(gltf, plate, "TEXCOORD_1"), 5122, false, 2, other_coordinates, 4);
    assert_raw(gltf, attribute(gltf, plate, "COLOR_0"), GLB_UBYTE, true, 3, colours, 4);
    assert_raw(gltf, attribute(gltf, plate, "_NUMBER"), GLB_USHORT, false, 1, numbers, 4);
    static const unsigned char packed[CORNERS][4] = {
        {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
    assert_raw(gltf, attribute(gltf, plate, "_MATRIX"), GLB_UBYTE, false, 4, packed, 4);
    double weights[4 * CORNERS], joints[4 * CORNERS];
    pli_gltf_read_doubles(gltf, attribute(gltf, plate, "WEIGHTS_0"), weights);
    pli_gltf_read_doubles(gltf, attribute(gltf, plate, "JOINTS_0"), joints);
    assert_true(weights[12] == 0.75 && weights[13] == 0.25 && joints[12] == 1 && joints[13] == 0);
    pli_gltf_close(gltf);
    free(file.data);
}

// x goes to -y and y to 2 z under the mirrored node.
static void tangents_turn_with_their_part(void **unused)
{
    (void)unused;
    glb_file file = bake();
    pliant_gltf *gltf = open_bake(file);
    double read[4 * CORNERS];
    pli_gltf_read_doubles(gltf, attribute(gltf, primitive(gltf, 0, 0), "TANGENT"), read);
    static const double turned[8] = {0, -1, 0, -1, 0, 0, 1, 1};
    for (int i = 0; i < 8; ++i)
        assert_near(read[i], turned[i], 1e-6);
    pli_gltf_read_doubles(gltf, attribute(gltf, primitive(gltf, 0, 3), "TANGENT"), read);
    for (int i = 0; i < 4 * CORNERS; ++i)
        assert_true(read[i] == (double)tangents[i / 4][i % 4]);
    assert_int_equal(attribute(gltf, primitive(gltf, 0, 1), "TANGENT"), -1); // there is no normal
    pli_gltf_close(gltf);
    free(file.data);
}

static void points_and_lines_stay_what_they_are(void **unused)
{
    (void)unused;
    glb_file file = bake();
    pliant_gltf *gltf = open_bake(file);
    json_value plate = primitive(gltf, 0, 0), line = primitive(gltf, 0, 1),
               dots = primitive(gltf, 0, 2);
    assert_int_equal(number(gltf, plate, "mode"), -1); // the fan has become triangles
    assert_int_equal(pli_gltf_accessor(gltf, number(gltf, plate, "indices")).count, 6);
    assert_int_equal(number(gltf, line, "mode"), 1);
    assert_int_equal(number(gltf, dots, "mode"), 0);
    assert_raw(gltf, number(gltf, line, "indices"), GLB_USHORT, false, 1, lines, 2);
    assert_int_equal(number(gltf, dots, "indices"), -1);
    assert_int_equal(attribute(gltf, line, "NORMAL"), -1);
    assert_true(attribute(gltf, plate, "NORMAL") >= 0);
    pli_gltf_close(gltf);

    // Seen through a reader of meshes the first body is where it was.
    pliant_mesh *source = make_mesh(), *baked = read_mesh(file.data, file.size, NULL);
    assert_int_equal(baked->part_count, 18);
    for (int i = 0; i < source->vertex_count; ++i)
        assert_near(vec3_length(vec3_sub(baked->positions[i], source->positions[i])), 0, 1e-6);
    assert_memory_equal(baked->triangles, source->triangles,
                        (size_t)source->triangle_count * 3 * sizeof source->triangles[0]);
    pliant_mesh_destroy(source);
    pliant_mesh_destroy(baked);
    free(file.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_are_copied_with_other_indices),
        cmocka_unit_test(bodies_of_one_model_share_all),
        cmocka_unit_test(attributes_are_those_of_the_file),
        cmocka_unit_test(tangents_turn_with_their_part),
        cmocka_unit_test(points_and_lines_stay_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
