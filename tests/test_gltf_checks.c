// The checks of glTF documents: one that has everything is right, and each edit of it is told with its place.

#include "gltf_document.h"

static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
static const float normals[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
static const float tangents[3][4] = {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, -1}};
static const float coordinates[3][2] = {{0, 0}, {1, 0}, {1, 1}};
static const unsigned char joints[3][4] = {{0, 1}, {0}, {1}};
static const float weights[3][4] = {{0.25f, 0.75f}, {1}, {1}};
static const uint16_t indices[] = {0, 1, 2};
static const float binds[2][16] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                                   {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
static const float times[] = {0, 0.5f};
static const float rotations[2][4] = {{0, 0, 0, 1}, {0, 0, 1, 0}};
static const uint16_t sparse_indices[] = {0, 2};
static const float sparse_values[] = {3, 4};

enum {
    POSITIONS,
    NORMALS,
    TANGENTS,
    COORDINATES,
    JOINTS,
    WEIGHTS,
    INDICES,
    BINDS,
    TIMES,
    ROTATIONS,
    DIFFERENCES,
    SPARSE_INDICES, // views from here on
    SPARSE_VALUES,
    VIEW_COUNT,
};

static const char rest[] =
    "\"extensionsUsed\":[\"KHR_materials_unlit\"],\"scene\":0,\"scenes\":[{\"nodes\":[0,1,3,4]}],"
    "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"children\":[2],\"rotation\":[0,0,0,1]},{},"
    "{\"camera\":0},{\"mesh\":1,\"weights\":[0]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TANGENT\":2,"
    "\"TEXCOORD_0\":3,\"JOINTS_0\":4,\"WEIGHTS_0\":5},\"indices\":6,\"material\":0,\"mode\":4}]},"
    "{\"weights\":[1],\"primitives\":[{\"attributes\":{\"POSITION\":0},"
    "\"targets\":[{\"POSITION\":10}]}]}],"
    "\"skins\":[{\"joints\":[1,2],\"skeleton\":1,\"inverseBindMatrices\":7}],"
    "\"animations\":[{\"samplers\":[{\"input\":8,\"output\":9,\"interpolation\":\"LINEAR\"}],"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
    "{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}}]}],"
    "\"materials\":[{\"extensions\":{\"KHR_materials_unlit\":{}},\"alphaMode\":\"MASK\","
    "\"pbrMetallicRoughness\":{\"metallicFactor\":0.5,"
    "\"baseColorTexture\":{\"index\":0,\"texCoord\":0}}}],"
    "\"textures\":[{\"source\":0,\"sampler\":0}],\"samplers\":[{\"magFilter\":9728}],"
    "\"images\":[{\"mimeType\":\"image/png\",\"uri\":\"data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQYV2P4z/AfAAQAAf+I0P3MAAAAAElFTkSuQmCC"
    "\"}],"
    "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1,\"zfar\":9}}]";

// Views and accessors in the order of the enumeration.
static document make_document(void)
{
    document d = {0};
    add_positions(&d, 3, positions);
    add_floats(&d, "VEC3", 3, 3, normals[0]);
    add_floats(&d, "VEC4", 4, 3, tangents[0]);
    add_floats(&d, "VEC2", 2, 3, coordinates[0]);
    add_accessor(&d, add_view(&d, joints, sizeof joints, ""), 5121, "VEC4", 3, "");
    add_floats(&d, "VEC4", 4, 3, weights[0]);
    add_accessor(&d, add_view(&d, indices, sizeof indices, ",\"target\":34963"), 5123, "SCALAR", 3,
                 "");
    add_floats(&d, "MAT4", 16, 2, binds[0]);
    add_bounded(&d, "SCALAR", 1, 2, times);
    add_floats(&d, "VEC4", 4, 2, rotations[0]);
    add_positions(&d, 3, positions);
    add_view(&d, sparse_indices, sizeof sparse_indices, "");
    add_view(&d, sparse_values, sizeof sparse_values, "");
    add_accessor(&d, -1, 5126, "SCALAR", 3,
                 ",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":11,\"componentType\":5123},"
                 "\"values\":{\"bufferView\":12}}");
    return d;
}

static size_t view_offset(int view)
{
    static const size_t sizes[VIEW_COUNT] = {
        sizeof positions,    sizeof normals,   sizeof tangents,  sizeof coordinates,
        sizeof joints,       sizeof weights,   sizeof indices,   sizeof binds,
        sizeof times,        sizeof rotations, sizeof positions, sizeof sparse_indices,
        sizeof sparse_values};
    size_t offset = 0;
    for (int i = 0; i < view; ++i)
        offset = (offset + sizes[i] + 3) & ~(size_t)3;
    return offset;
}

static bool replace(char *text, size_t capacity, const char *from, const char *to)
{
    char *at = strstr(text, from);
    if (!at)
        return false;
    assert_true(strlen(text) + strlen(to) < capacity);
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
    return true;
}

static bool has_remark(const pliant_remarks *remarks, const char *place)
{
    for (int i = 0; i < remarks->count && i < PLIANT_MOST_REMARKS; ++i) {
        if (strcmp(remarks->first[i].place, place) == 0)
            return true;
    }
    return false;
}

typedef enum verdict { REMARK, ERROR } verdict;

static void expect(const document *d, const char *text, verdict expected, const char *place,
                   const char *what)
{
    pliant_remarks remarks;
    pliant_error error = {0};
    pliant_mesh *mesh = read_document(d, text, &remarks, &error);
    if (expected == ERROR && (mesh || strcmp(error.place, place) != 0))
        fail_msg("%s: %s instead of an error at %s", what, mesh ? "taken" : error.place, place);
    if (expected == REMARK && !mesh)
        fail_msg("%s: %s: %s", what, error.place, error.message);
    if (expected == REMARK && !has_remark(&remarks, place))
        fail_msg("%s: %s instead of a remark at %s", what,
                 remarks.count ? remarks.first[0].place : "nothing", place);
    pliant_mesh_destroy(mesh);
}

static void accepts_the_document(void **unused)
{
    (void)unused;
    document d = make_document();
    pliant_mesh *mesh = read_right(&d, rest);
    assert_int_equal(mesh->part_count, 2);
    pliant_mesh_destroy(mesh);
}

static void tells_wrong_json(void **unused)
{
    (void)unused;
    static const struct {
        const char *from, *to;
        verdict verdict;
        const char *place;
    } cases[] = {
        // Types, ranges, references
        {"\"scene\":0", "\"scene\":1", ERROR, "scene"},
        {"\"scene\":0", "\"scene\":\"0\"", ERROR, "scene"},
        {"[0,1,3,4]", "[]", REMARK, "scenes[0].nodes"},
        {"[0,1,3,4]", "[0,1,9]", ERROR, "scenes[0].nodes[2]"},
        {"\"mode\":4", "\"mode\":7", ERROR, "meshes[0].primitives[0].mode"},
        {"\"mode\":4", "\"mode\":1.5", ERROR, "meshes[0].primitives[0].mode"},
        {"\"material\":0", "\"material\":1", ERROR, "meshes[0].primitives[0].material"},
        {"\"POSITION\":0", "\"POSITION\":99", ERROR, "meshes[0].primitives[0].attributes.POSITION"},
        {"[{\"POSITION\":10}]", "[{\"POSITION\":99}]", ERROR,
         "meshes[1].primitives[0].targets[0].POSITION"},
        {"[{\"POSITION\":10}]", "[3]", ERROR, "meshes[1].primitives[0].targets[0]"},
        {"\"attributes\"", "\"attribute\"", ERROR, "meshes[0].primitives[0].attributes"},
        {"\"skin\":0", "\"skin\":1", ERROR, "nodes[0].skin"},
        {"\"camera\":0", "\"camera\":5", ERROR, "nodes[3].camera"},
        {"\"rotation\":[0,0,0,1]", "\"rotation\":[0,0,1]", ERROR, "nodes[1].rotation"},
        {"\"rotation\":[0,0,0,1]", "\"rotation\":[0,0,0,true]", ERROR, "nodes[1].rotation[3]"},
        {"\"joints\":[1,2]", "\"joints\":[1,-1]", ERROR, "skins[0].joints[1]"},
        {"\"input\":8,", "", ERROR, "animations[0].samplers[0].input"},
        {"\"LINEAR\"", "\"CUBIC\"", REMARK, "animations[0].samplers[0].interpolation"},
        {"\"path\":\"rotation\"", "\"path\":\"size\"", REMARK,
         "animations[0].channels[0].target.path"},
        {"\"sampler\":0,\"target\"", "\"sampler\":7,\"target\"", ERROR,
         "animations[0].channels[0].sampler"},
        {"\"source\":0", "\"source\":3", REMARK, "textures[0].source"},
        {"\"magFilter\":9728", "\"magFilter\":1", REMARK, "samplers[0].magFilter"},
        {"\"index\":0", "\"index\":2", REMARK,
         "materials[0].pbrMetallicRoughness.baseColorTexture.index"},
        {"\"metallicFactor\":0.5", "\"metallicFactor\":2", REMARK,
         "materials[0].pbrMetallicRoughness.metallicFactor"},
        {"\"MASK\"", "\"MASKED\"", REMARK, "materials[0].alphaMode"},
        {"\"yfov\":1,", "", REMARK, "cameras[0].perspective.yfov"},
        // Extensions
        {"{\"KHR_materials_unlit\":{}}", "{\"X_y\":{}}", REMARK, "materials[0].extensions.X_y"},
        {"\"scene\":0", "\"extensionsRequired\":[\"KHR_texture_transform\"],\"scene\":0", REMARK,
         "extensionsRequired[0]"},
        {"{\"KHR_materials_unlit\":{}}", "3", REMARK, "materials[0].extensions"},
        // Nodes, scenes, skins
        {"[0,1,3,4]", "[0,2,3,4]", REMARK, "scenes[0].nodes[1]"},
        {"[0,1,3,4]", "[0,1,3,0]", REMARK, "scenes[0].nodes[3]"},
        {"\"rotation\":[0,0,0,1]", "\"rotation\":[0,0,0,2]", REMARK, "nodes[1].rotation"},
        {"{\"camera\":0}",
         "{\"camera\":0,\"scale\":[1,1,1],\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}", REMARK,
         "nodes[3].matrix"},
        {"{\"camera\":0}", "{\"camera\":0,\"skin\":0}", REMARK, "nodes[3].skin"},
        {"{\"camera\":0}", "{\"camera\":0,\"weights\":[1]}", REMARK, "nodes[3].weights"},
        {"\"weights\":[0]", "\"weights\":[0,0]", REMARK, "nodes[4].weights"},
        {"\"mesh\":1", "\"mesh\":1,\"skin\":0", REMARK, "nodes[4].skin"},
        {"\"joints\":[1,2]", "\"joints\":[1,1]", REMARK, "skins[0].joints[1]"},
        {"\"joints\":[1,2]", "\"joints\":[1,3]", REMARK, "skins[0].joints"},
        {"\"joints\":[1,2]", "\"joints\":[1]", ERROR, "nodes[0].skin"},
        {"\"joints\":[1,2]", "\"joints\":[1,2,3]", ERROR, "skins[0].inverseBindMatrices"},
        {"\"skeleton\":1", "\"skeleton\":2", REMARK, "skins[0].skeleton"},
        {"\"inverseBindMatrices\":7", "\"inverseBindMatrices\":5", ERROR,
         "skins[0].inverseBindMatrices"},
        // Primitives
        {"\"TEXCOORD_0\"", "\"TEXCOORD_1\"", REMARK, "meshes[0].primitives[0].attributes"},
        {"\"TEXCOORD_0\"", "\"TEXCOORD_00\"", REMARK,
         "meshes[0].primitives[0].attributes.TEXCOORD_00"},
        {"\"JOINTS_0\"", "\"JOINTS_1\"", REMARK, "meshes[0].primitives[0].attributes"},
        {"{\"POSITION\":0},", "{},", REMARK, "meshes[1].primitives[0].attributes"},
        {"\"NORMAL\"", "\"FOO\"", REMARK, "meshes[0].primitives[0].attributes.FOO"},
        {"\"texCoord\":0", "\"texCoord\":1", REMARK, "meshes[0].primitives[0].material"},
        {"\"POSITION\":0", "\"POSITION\":3", ERROR, "meshes[0].primitives[0].attributes.POSITION"},
        {"\"JOINTS_0\":4", "\"JOINTS_0\":5", ERROR, "meshes[0].primitives[0].attributes.JOINTS_0"},
        {"\"TANGENT\":2", "\"TANGENT\":1", REMARK, "meshes[0].primitives[0].attributes.TANGENT"},
        {"\"JOINTS_0\":4,", "", REMARK, "meshes[0].primitives[0].attributes"},
        {"\"TANGENT\":2", "\"TANGENT\":9", ERROR, "meshes[0].primitives[0].attributes.TANGENT"},
        {"\"indices\":6", "\"indices\":8", ERROR, "meshes[0].primitives[0].indices"},
        {"[{\"POSITION\":10}]", "[{\"POSITION\":10,\"NORMAL\":1}]", REMARK,
         "meshes[1].primitives[0].targets[0].NORMAL"},
        {"\"weights\":[1]", "\"weights\":[1,2]", REMARK, "meshes[1].weights"},
        {"\"targets\":[{\"POSITION\":10}]}",
         "\"targets\":[{\"POSITION\":10}]},{\"attributes\":{\"POSITION\":0}}", REMARK,
         "meshes[1].primitives[1].targets"},
        // Animations
        {"\"node\":2", "\"node\":1", REMARK, "animations[0].channels[1].target"},
        {"\"path\":\"rotation\"", "\"path\":\"scale\"", REMARK,
         "animations[0].channels[0].sampler"},
        {"\"path\":\"rotation\"", "\"path\":\"weights\"", REMARK,
         "animations[0].channels[0].target"},
        {"\"rotation\":[0,0,0,1]", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]", REMARK,
         "animations[0].channels[0].target"},
        {"\"LINEAR\"", "\"CUBICSPLINE\"", REMARK, "animations[0].channels[0].sampler"},
        {"\"input\":8", "\"input\":9", REMARK, "animations[0].samplers[0].input"},
        // Images and cameras
        {"image/png\",\"uri", "image/jpeg\",\"uri", REMARK, "images[0]"},
        {"\"mimeType\":\"image/png\",", "\"bufferView\":0,", REMARK, "images[0]"},
        {"VBORw0", "VBORw1", REMARK, "images[0]"},
        {"\"type\":\"perspective\"", "\"type\":\"orthographic\"", REMARK, "cameras[0]"},
        {"\"znear\":1", "\"znear\":9", REMARK, "cameras[0].perspective.zfar"},
        {"\"yfov\":1", "\"yfov\":0", REMARK, "cameras[0].perspective.yfov"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        document d = make_document();
        char text[sizeof rest + 256];
        strcpy(text, rest);
        if (!replace(text, sizeof text, cases[i].from, cases[i].to))
            fail_msg("there is no %s", cases[i].from);
        expect(&d, text, cases[i].verdict, cases[i].place, cases[i].to);
    }
}

// Edits of one view or one accessor, by their number.
static void tells_wrong_layouts(void **unused)
{
    (void)unused;
    static const struct {
        const char *list; // "v" or "a"
        int number;
        const char *from, *to;
        verdict verdict;
        const char *place;
    } cases[] = {
        {"v", POSITIONS, "\"buffer\":0", "\"buffer\":1", ERROR, "bufferViews[0].buffer"},
        {"v", POSITIONS, "\"byteLength\":36", "\"byteLength\":0", ERROR,
         "bufferViews[0].byteLength"},
        {"v", POSITIONS, "\"byteLength\":36", "\"byteLength\":35", ERROR, "accessors[0]"},
        {"v", POSITIONS, "\"byteLength\":36", "\"byteLength\":99999", ERROR, "bufferViews[0]"},
        {"v", POSITIONS, "\"byteOffset\":0", "\"byteOffset\":2", REMARK, "accessors[0].byteOffset"},
        {"v", POSITIONS, "36", "36,\"byteStride\":8", ERROR, "accessors[0]"},
        {"v", POSITIONS, "36", "36,\"byteStride\":3", ERROR, "bufferViews[0].byteStride"},
        {"v", POSITIONS, "36", "36,\"byteStride\":13", ERROR, "accessors[0]"},
        {"v", JOINTS, "12", "12,\"byteStride\":5", ERROR, "accessors[4]"},
        {"v", POSITIONS, "36", "36,\"target\":34963", REMARK,
         "meshes[0].primitives[0].attributes.POSITION"},
        {"v", INDICES, "34963", "34962", REMARK, "meshes[0].primitives[0].indices"},
        {"v", INDICES, "34963", "3", REMARK, "bufferViews[6].target"},
        {"v", BINDS, "128", "128,\"byteStride\":64", REMARK, "skins[0].inverseBindMatrices"},
        {"v", TIMES, "\"byteLength\":8", "\"byteLength\":8,\"byteStride\":4", REMARK,
         "animations[0].samplers[0].input"},
        {"v", SPARSE_VALUES, "\"byteLength\":8", "\"byteLength\":8,\"byteStride\":4", REMARK,
         "accessors[11].sparse.values.bufferView"},
        {"v", SPARSE_VALUES, "\"byteLength\":8", "\"byteLength\":7", ERROR,
         "accessors[11].sparse.values"},
        {"v", SPARSE_INDICES, "\"byteLength\":4", "\"byteLength\":3", ERROR,
         "accessors[11].sparse.indices"},
        {"v", SPARSE_INDICES, "\"byteLength\":4", "\"byteLength\":4,\"byteStride\":8", REMARK,
         "bufferViews[11].byteStride"},
        {"a", POSITIONS, "\"count\":3", "\"count\":0", ERROR, "accessors[0].count"},
        {"a", POSITIONS, "\"count\":3", "\"count\":4", ERROR, "accessors[0]"},
        {"a", NORMALS, "\"count\":3", "\"count\":2", ERROR,
         "meshes[0].primitives[0].attributes.NORMAL"},
        {"a", POSITIONS, "5126", "5124", ERROR, "accessors[0].componentType"},
        {"a", POSITIONS, "\"VEC3\"", "\"VEC5\"", ERROR, "accessors[0].type"},
        {"a", POSITIONS, "\"max\":[1,1,0]", "\"max\":[1,2,0]", REMARK, "accessors[0].max[1]"},
        {"a", POSITIONS, "\"min\":[0,0,0]", "\"min\":[0,0]", REMARK, "accessors[0].min"},
        {"a", POSITIONS, "\"min\":[0,0,0],", "", REMARK,
         "meshes[0].primitives[0].attributes.POSITION"},
        {"a", TIMES, ",\"max\":[0.5]", "", REMARK, "animations[0].samplers[0].input"},
        {"a", NORMALS, "\"count\":3", "\"count\":3,\"normalized\":true", REMARK,
         "accessors[1].normalized"},
        {"a", NORMALS, "\"bufferView\":1", "\"bufferView\":0", REMARK,
         "meshes[0].primitives[0].attributes.NORMAL"},
        {"a", 11, "\"sparse\":{\"count\":2", "\"sparse\":{\"count\":4", ERROR,
         "accessors[11].sparse.count"},
        {"a", 11, "5123", "5122", ERROR, "accessors[11].sparse.indices.componentType"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        document d = make_document();
        char *at = cases[i].list[0] == 'v' ? d.views : d.accessors;
        char *const end = at + sizeof d.views;
        const char *separator = cases[i].list[0] == 'v' ? ",{\"buffer\":" : ",{\"";
        for (int k = 0; k < cases[i].number; ++k)
            at = strstr(at, separator) + 1;
        if (!replace(at, (size_t)(end - at), cases[i].from, cases[i].to))
            fail_msg("there is no %s", cases[i].from);
        expect(&d, rest, cases[i].verdict, cases[i].place, cases[i].to);
    }
}

static void tells_wrong_values(void **unused)
{
    (void)unused;
    static const struct {
        int view;
        size_t index; // of a float
        float value;
        const char *place;
    } cases[] = {
        {NORMALS, 5, 2.0f, "meshes[0].primitives[0].attributes.NORMAL"},
        {TANGENTS, 3, 0.5f, "meshes[0].primitives[0].attributes.TANGENT"},
        {TANGENTS, 0, 0.0f, "meshes[0].primitives[0].attributes.TANGENT"},
        {COORDINATES, 1, NAN, "accessors[3]"},
        {COORDINATES, 1, INFINITY, "accessors[3]"},
        {WEIGHTS, 1, 0.5f, "meshes[0].primitives[0].attributes.WEIGHTS_0"},
        {WEIGHTS, 2, -0.5f, "meshes[0].primitives[0].attributes.WEIGHTS_0"},
        {WEIGHTS, 5, 0.5f, "meshes[0].primitives[0].attributes.JOINTS_0"},
        {POSITIONS, 0, -1.0f, "accessors[0].min[0]"},
        {TIMES, 0, 0.5f, "animations[0].samplers[0].input"},
        {TIMES, 0, -0.5f, "animations[0].samplers[0].input"},
        {ROTATIONS, 6, 0.5f, "animations[0].channels[0].sampler"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        document d = make_document();
        memcpy(d.bytes + view_offset(cases[i].view) + cases[i].index * sizeof(float),
               &cases[i].value, sizeof(float));
        expect(&d, rest, REMARK, cases[i].place, cases[i].place);
    }
    document d = make_document();
    d.bytes[view_offset(SPARSE_INDICES)] = 2;
    expect(&d, rest, REMARK, "accessors[11].sparse.indices", "sparse indices twice");
    d.bytes[view_offset(SPARSE_INDICES)] = 3;
    expect(&d, rest, ERROR, "accessors[11].sparse.indices", "sparse index too large");
}

static void looks_at_images(void **unused)
{
    (void)unused;
    static const struct {
        const char *what, *base64;
        bool is_right;
    } cases[] = {
        {"a JPEG", "/9j/4AAEAAD//8AACgAAAAAAAAAA", true},
        {"a segment that is too short", "/9j/4AABAAA=", false},
        {"a marker that is none", "/9j/AAAEAAA=", false},
        {"a JPEG that is cut off", "/9j/4AAIAAA=", false},
        {"a JPEG without a picture", "/9j/4AAC/9k=", false},
        {"a PNG without header", "iVBORw0KGgoAAAAASUVORK5CYII=", false},
        {"a PNG that is cut off",
         "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAA/0lEQVQ=", false},
        {"a WebP", "UklGRgAAAABXRUJQ", true},
        {"text", "aGVsbG8=", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        document d = {0};
        char text[256];
        snprintf(text, sizeof text, "\"images\":[{\"uri\":\"data:image/x;base64,%s\"}]",
                 cases[i].base64);
        if (cases[i].is_right)
            pliant_mesh_destroy(read_right(&d, text));
        else
            expect(&d, text, REMARK, "images[0]", cases[i].what);
    }
}

// Remarks beyond those there is room for are counted.
static void counts_all_remarks(void **unused)
{
    (void)unused;
    char text[4096] = "\"materials\":[{\"alphaMode\":0}";
    for (int i = 0; i < 99; ++i)
        append_text(text, sizeof text, ",{\"alphaMode\":0}");
    append_text(text, sizeof text, "]");
    document d = {0};
    pliant_remarks remarks;
    pliant_mesh *mesh = read_document(&d, text, &remarks, NULL);
    assert_non_null(mesh);
    assert_int_equal(remarks.count, 100);
    assert_string_equal(remarks.first[PLIANT_MOST_REMARKS - 1].place, "materials[31].alphaMode");
    pliant_mesh_destroy(mesh);
}

// However a file refers to the same data over and over: an error in no time.
static void limits_its_work(void **unused)
{
    (void)unused;
    enum { COUNT = 20000 };
    size_t capacity = COUNT * 64;
    char *text = malloc(capacity);
    size_t length = (size_t)snprintf(text, capacity, "\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < COUNT; ++i)
        length +=
            (size_t)snprintf(text + length, capacity - length,
                             "%s{\"attributes\":{\"POSITION\":0},\"indices\":1}", i ? "," : "");
    snprintf(text + length, capacity - length, "]}]");
    document d = {0};
    add_accessor(&d, -1, 5126, "VEC3", 3, ",\"min\":[0,0,0],\"max\":[0,0,0]");
    add_accessor(&d, -1, 5121, "SCALAR", 4000000, "");
    expect_error(&d, text, "accessors");
    free(text);
}

static void refuses_objects_of_too_many_members(void **unused)
{
    (void)unused;
    static const char *const ends[][2] = {
        {"\"nodes\":[{", "}]"}, {"\"meshes\":[{\"primitives\":[{\"attributes\":{", "}}]}]"}};
    static const char *const places[] = {"nodes[0]", "meshes[0].primitives[0].attributes"};
    for (int i = 0; i < 2; ++i) {
        document d = {0};
        add_accessor(&d, -1, 5126, "VEC3", 3, "");
        char text[8192] = "";
        append_text(text, sizeof text, "%s\"_\":0", ends[i][0]);
        for (int k = 0; k < 256; ++k)
            append_text(text, sizeof text, ",\"_%d\":0", k);
        append_text(text, sizeof text, "%s", ends[i][1]);
        expect_error(&d, text, places[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_the_document),
        cmocka_unit_test(tells_wrong_json),
        cmocka_unit_test(tells_wrong_layouts),
        cmocka_unit_test(tells_wrong_values),
        cmocka_unit_test(looks_at_images),
        cmocka_unit_test(refuses_objects_of_too_many_members),
        cmocka_unit_test(counts_all_remarks),
        cmocka_unit_test(limits_its_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
