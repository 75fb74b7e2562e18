// Inspecting GLBs: right ones are counted, wrong ones refused with the place of the fault, and no
// bytes whatever make it read beyond them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pliant/author.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char document[] =
    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"hand\"},"
    "\"nodes\":[{\"mesh\":0},{},{}],\"materials\":[{}],\"cameras\":[{}],\"images\":[{},{}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1},"
    "{\"attributes\":{\"POSITION\":0},\"mode\":5}]}],"
    "\"skins\":[{\"joints\":[1,2]}],"
    "\"animations\":[{\"channels\":[],\"samplers\":[{\"input\":2,\"output\":2}]}],"
    "\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
    "\"min\":[-1,-2,-3],\"max\":[1,2,3]},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"
    "{\"bufferView\":2,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"max\":[1.5]}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},"
    "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":8}],"
    "\"buffers\":[{\"byteLength\":68}]}";

enum { BINARY_SIZE = 68 };

static unsigned char *put_uint32(unsigned char *at, size_t value)
{
    for (int i = 0; i < 4; ++i)
        *at++ = (unsigned char)(value >> (8 * i));
    return at;
}

// A GLB of this JSON and a zeroed binary chunk; free() it.
static unsigned char *make_glb(const char *json, size_t *size)
{
    size_t length = strlen(json), padded = (length + 3) & ~(size_t)3;
    *size = 12 + 8 + padded + 8 + BINARY_SIZE;
    unsigned char *glb = calloc(1, *size);
    memcpy(glb, "glTF", 4);
    unsigned char *at = put_uint32(put_uint32(glb + 4, 2), *size);
    at = put_uint32(at, padded);
    memcpy(at, "JSON", 4);
    memset(at + 4, ' ', padded);
    memcpy(at + 4, json, length);
    at = put_uint32(at + 4 + padded, BINARY_SIZE);
    memcpy(at, "BIN", 4);
    return glb;
}

static void counts_what_is_there(void **unused)
{
    (void)unused;
    size_t size;
    unsigned char *glb = make_glb(document, &size);
    pliant_glb_info info;
    pliant_error error = {0};
    if (pliant_glb_inspect(glb, size, &info, &error) != PLIANT_OK)
        fail_msg("%s: %s", error.place, error.message);
    assert_int_equal(info.nodes, 3);
    assert_int_equal(info.meshes, 1);
    assert_int_equal(info.primitives, 2);
    assert_int_equal(info.vertices, 8);
    assert_int_equal(info.triangles, 2 + 2); // an indexed list of two, a strip of four corners
    assert_int_equal(info.skins, 1);
    assert_int_equal(info.joints, 2);
    assert_int_equal(info.animations, 1);
    assert_int_equal(info.materials, 1);
    assert_int_equal(info.images, 2);
    assert_int_equal(info.cameras, 1);
    assert_true(info.seconds == 1.5);
    assert_true(info.minimum[0] == -1.0f && info.minimum[2] == -3.0f && info.maximum[1] == 2.0f);
    assert_string_equal(info.generator, "hand");
    free(glb);
}

static void refuses_faulty_documents(void **unused)
{
    (void)unused;
    static const struct {
        const char *from, *to, *place;
    } cases[] = {
        {"\"2.0\"", "\"1.0\"", "asset.version"},
        {"{\"asset\"", "[\"asset\"", "1:9"},
        {"\"nodes\":[{\"mesh\":0}", "\"nodes\":[0", "nodes[0]"},
        {"\"materials\":[{}]", "\"materials\":3", "materials"},
        {"\"primitives\":[", "\"prims\":[", "meshes[0].primitives"},
        {"\"POSITION\":0", "\"POSITION\":3", "meshes[0].primitives[0].attributes.POSITION"},
        {"\"POSITION\":0", "\"POSITION\":-1", "meshes[0].primitives[0].attributes.POSITION"},
        {"\"POSITION\":0", "\"POSITION\":0.5", "meshes[0].primitives[0].attributes.POSITION"},
        {"\"POSITION\":0", "\"POSITION\":1e300", "meshes[0].primitives[0].attributes.POSITION"},
        {"\"POSITION\":0", "\"POSITION\":1", "meshes[0].primitives[0].attributes.POSITION"},
        {"\"indices\":1", "\"indices\":\"1\"", "meshes[0].primitives[0].indices"},
        {"\"mode\":5", "\"mode\":7", "meshes[0].primitives[1].mode"},
        {"[1,2]}],", "[1,3]}],", "skins[0].joints[1]"},
        {"\"joints\":[1,2]", "\"joints\":1", "skins[0].joints"},
        {"\"input\":2", "\"input\":9", "animations[0].samplers[0].input"},
        {"\"count\":4", "\"count\":5", "accessors[0]"},
        {"\"count\":4", "\"count\":0", "accessors[0].count"},
        {"5126", "5124", "accessors[0].componentType"},
        {"\"VEC3\"", "\"VEC5\"", "accessors[0].type"},
        {"\"bufferView\":0", "\"bufferView\":3", "accessors[0].bufferView"},
        {"\"byteOffset\":60", "\"byteOffset\":61", "bufferViews[2]"},
        {"\"byteOffset\":60", "\"byteOffset\":9007199254740000", "bufferViews[2]"},
        {"{\"buffer\":0", "{\"buffer\":1", "bufferViews[0].buffer"},
        {"\"byteLength\":68", "\"byteLength\":69", "buffers[0].byteLength"},
        {"\"byteLength\":68", "\"byteLength\":67", "bufferViews[2]"},
        {"\"byteLength\":68", "\"byteLength\":60", "buffers[0].byteLength"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *at = strstr(document, cases[i].from);
        assert_non_null(at);
        char text[sizeof document + 64];
        size_t before = (size_t)(at - document);
        memcpy(text, document, before);
        strcpy(text + before, cases[i].to);
        strcat(text, at + strlen(cases[i].from));
        size_t size;
        unsigned char *glb = make_glb(text, &size);
        pliant_glb_info info;
        pliant_error error = {0};
        pliant_result result = pliant_glb_inspect(glb, size, &info, &error);
        if (result == PLIANT_OK || strcmp(error.place, cases[i].place) != 0)
            fail_msg("%s: %s instead of %s", cases[i].to, result ? error.place : "taken",
                     cases[i].place);
        assert_int_equal(result, error.code);
        free(glb);
    }
}

static void refuses_faulty_containers(void **unused)
{
    (void)unused;
    static const struct {
        size_t offset;
        unsigned char value;
    } cases[] = {
        {0, 'x'},  // magic
        {4, 1},    // version
        {8, 0},    // length of the file
        {12, 1},   // length of the first chunk: not a multiple of four
        {13, 255}, // beyond the file
        {16, 'B'}, // kind of the first chunk
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        size_t size;
        unsigned char *glb = make_glb(document, &size);
        assert_int_not_equal(glb[cases[i].offset], cases[i].value);
        glb[cases[i].offset] = cases[i].value;
        pliant_glb_info info;
        pliant_error error = {0};
        assert_int_equal(pliant_glb_inspect(glb, size, &info, &error), PLIANT_ERROR_FORMAT);
        assert_string_equal(error.place, "GLB");
        free(glb);
    }
}

static void refuses_every_truncation(void **unused)
{
    (void)unused;
    size_t size;
    unsigned char *glb = make_glb(document, &size);
    for (size_t cut = 0; cut < size; ++cut) {
        // An exact copy, so that a sanitizer sees reading beyond the end; once with the length in the
        // header as it was and once corrected.
        unsigned char *copy = malloc(cut ? cut : 1);
        memcpy(copy, glb, cut);
        pliant_glb_info info;
        assert_int_not_equal(pliant_glb_inspect(copy, cut, &info, NULL), PLIANT_OK);
        if (cut >= 12) {
            put_uint32(copy + 8, cut);
            assert_int_not_equal(pliant_glb_inspect(copy, cut, &info, NULL), PLIANT_OK);
        }
        free(copy);
    }
    free(glb);
}

static void survives_random_edits(void **unused)
{
    (void)unused;
    size_t size;
    unsigned char *glb = make_glb(document, &size), *copy = malloc(size);
    uint32_t state = 7;
    int taken = 0, refused = 0;
    for (int i = 0; i < 20000; ++i) {
        memcpy(copy, glb, size);
        for (int k = 0; k < 1 + i % 3; ++k) {
            state = state * 1664525u + 1013904223u;
            copy[(state >> 8) % size] = (unsigned char)(i % 2 ? state >> 3 : '0' + state % 10);
        }
        pliant_glb_info info;
        if (pliant_glb_inspect(copy, size, &info, NULL) == PLIANT_OK)
            ++taken;
        else
            ++refused;
    }
    assert_true(taken > 0 && refused > 0);
    free(copy);
    free(glb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_is_there),      cmocka_unit_test(refuses_faulty_documents),
        cmocka_unit_test(refuses_faulty_containers), cmocka_unit_test(refuses_every_truncation),
        cmocka_unit_test(survives_random_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
