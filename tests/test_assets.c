// The collection of files by others, and what is known about them: facts.json beside them. Right files give the
// right counts and bounds, and no remark where the Khronos validator has no error; faulty ones are refused or
// remarked on. What is read can be reshaped.

#include "reshape.h"

#include "gltf/gltf.h"

#include <sys/stat.h>

static char folder[512];
static vectors facts;

// The environment tells where the collection is; by default it lies beside the project.
static bool find_folder(void)
{
    const char *given = getenv("PLIANT_ASSETS");
    if (given)
        snprintf(folder, sizeof folder, "%s", given);
    else
        snprintf(folder, sizeof folder, "%s/../shared/assets", PLIANT_SOURCE_DIRECTORY);
    struct stat status;
    return stat(folder, &status) == 0 && S_ISDIR(status.st_mode);
}

static int open_facts(void **unused)
{
    (void)unused;
    char path[sizeof folder + 16];
    snprintf(path, sizeof path, "%s/facts.json", folder);
    void *text;
    size_t size;
    pliant_error error = {0};
    if (pliant_file_read(path, &text, &size, &error) != PLIANT_OK) {
        print_error("%s: %s\n", error.place, error.message);
        return 1;
    }
    facts = (vectors){.text = text, .json = pli_json_parse(text, size, &error)};
    if (!facts.json)
        print_error("%s: %s: %s\n", path, error.place, error.message);
    return facts.json ? 0 : 1;
}

static int close_facts(void **unused)
{
    (void)unused;
    vectors_close(&facts);
    return 0;
}

// One file of the collection and what is known about it.
typedef struct asset {
    char name[160], path[sizeof folder + 160];
    json_value facts;
} asset;

static json_value section(const char *name)
{
    json_value found = pli_json_get(facts.json, pli_json_root(facts.json), name);
    assert_true(pli_json_size(facts.json, found) > 0);
    return found;
}

static asset asset_of(json_value key)
{
    asset a;
    assert_true(pli_json_string(facts.json, key, a.name, sizeof a.name) < sizeof a.name);
    snprintf(a.path, sizeof a.path, "%s/%s", folder, a.name);
    a.facts = pli_json_member(facts.json, key);
    return a;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

static json_value fact(const asset *a, const char *key)
{
    return pli_json_get(facts.json, a->facts, key);
}

static void expect_count(const asset *a, const char *key, int64_t count)
{
    json_value value = fact(a, key);
    if (value == JSON_NONE)
        return;
    int64_t expected = (int64_t)pli_json_number(facts.json, value, -1.0);
    if (count != expected)
        fail_msg("%s: %s is %lld instead of %lld", a->name, key, (long long)count,
                 (long long)expected);
}

// ---------------------------------------------------------------------------------------------
// Right files

// Of all meshes, each counted once.
static void expect_mesh_counts(const asset *a, const pliant_gltf *gltf)
{
    int64_t primitives = 0, vertices = 0, triangles = 0;
    for (int i = 0; i < gltf->meshes.count; ++i) {
        json_value array = pli_json_get(gltf->json, gltf->meshes.items[i], "primitives");
        for (json_value p = pli_json_first(gltf->json, array); p != JSON_NONE;
             p = pli_json_next(gltf->json, p)) {
            json_value attributes = pli_json_get(gltf->json, p, "attributes");
            int position = pli_gltf_reference(gltf, attributes, "POSITION");
            int indices = pli_gltf_reference(gltf, p, "indices");
            double mode = pli_json_number(gltf->json, pli_json_get(gltf->json, p, "mode"), 4);
            int corners = pli_gltf_accessor(gltf, indices < 0 ? position : indices).count;
            ++primitives;
            vertices += pli_gltf_accessor(gltf, position).count;
            triangles += mode == 4.0 ? corners / 3 : mode > 4.0 ? corners - 2 : 0;
        }
    }
    expect_count(a, "primitiveCount", primitives);
    expect_count(a, "vertices", vertices);
    expect_count(a, "triangles", triangles);
}

static void expect_lists(const asset *a, const pliant_gltf *gltf)
{
    expect_count(a, "meshCount", gltf->meshes.count);
    expect_count(a, "nodeCount", gltf->nodes.count);
    expect_count(a, "materialCount", gltf->materials.count);
    expect_count(a, "textureCount", gltf->textures.count);
    expect_count(a, "imageCount", gltf->images.count);
    expect_count(a, "skinCount", gltf->skins.count);
    expect_count(a, "animationCount", gltf->animations.count);
}

// Within 1e-4 of the diagonal, as the facts say.
static void expect_bounds(const asset *a, const pliant_mesh *mesh)
{
    json_value box = fact(a, "restAabb");
    double expected[2][3],
        actual[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    read_doubles(&facts, box, "min", expected[0], 3);
    read_doubles(&facts, box, "max", expected[1], 3);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const double p[3] = {mesh->positions[i].x, mesh->positions[i].y, mesh->positions[i].z};
        for (int k = 0; k < 3; ++k) {
            actual[0][k] = fmin(actual[0][k], p[k]);
            actual[1][k] = fmax(actual[1][k], p[k]);
        }
    }
    double diagonal = 0.0;
    for (int k = 0; k < 3; ++k)
        diagonal += (expected[1][k] - expected[0][k]) * (expected[1][k] - expected[0][k]);
    for (int k = 0; k < 6; ++k) {
        double off = fabs(actual[k / 3][k % 3] - expected[k / 3][k % 3]);
        if (!(off <= 1e-4 * sqrt(diagonal)))
            fail_msg("%s: bound %d is off by %g of %g", a->name, k, off, sqrt(diagonal));
    }
}

static void expect_shape(const asset *a, const pliant_mesh *mesh)
{
    for (int i = 0; i < mesh->vertex_count; ++i) {
        vec3 n = mesh->normals[i];
        double square = (double)n.x * n.x + (double)n.y * n.y + (double)n.z * n.z;
        if (square != 0.0 && !(fabs(square - 1.0) < 1e-5))
            fail_msg("%s: normal %d is not of unit length", a->name, i);
    }
    for (int i = 0; i < mesh->part_count; ++i) {
        const pliant_mesh_part *part = &mesh->parts[i];
        for (int k = 3 * part->first_triangle;
             k < 3 * (part->first_triangle + part->triangle_count); ++k) {
            int32_t vertex = mesh->triangles[k] - part->first_vertex;
            if (vertex < 0 || vertex >= part->vertex_count)
                fail_msg("%s: a triangle of part %d leaves it", a->name, i);
        }
    }
}

// Remarks are for what the validator calls an error, and nothing else.
static void expect_remarks(const asset *a, const pliant_remarks *remarks)
{
    json_value validator = fact(a, "khronosValidator");
    json_value errors = pli_json_get(facts.json, validator, "errors");
    bool is_faulty = pli_json_number(facts.json, errors, 0.0) > 0.0;
    if (errors != JSON_NONE && is_faulty != (remarks->count > 0))
        fail_msg("%s: %d remarks (%s)", a->name, remarks->count, remarks->first[0].place);
}

// Files that need an extension nobody decodes here.
static bool is_compressed(const asset *a)
{
    return pli_json_size(facts.json, fact(a, "extensionsRequired")) > 0;
}

static void expect_refusal(const asset *a)
{
    char extension[64];
    pli_json_string(facts.json, pli_json_first(facts.json, fact(a, "extensionsRequired")),
                    extension, sizeof extension);
    pliant_error error = {0};
    assert_null(pliant_mesh_read_file(a->path, NULL, &error));
    if (!strstr(error.message, extension))
        fail_msg("%s: '%s' does not name %s", a->name, error.message, extension);
}

static void expect_asset(const asset *a)
{
    pliant_remarks remarks;
    pliant_error error = {0};
    pliant_mesh *mesh = pliant_mesh_read_file(a->path, &remarks, &error);
    if (!mesh)
        fail_msg("%s: %s: %s", a->name, error.place, error.message);
    expect_bounds(a, mesh);
    expect_shape(a, mesh);
    if (ends_with(a->name, ".obj")) {
        expect_count(a, "triangles", mesh->triangle_count);
    } else {
        expect_count(a, "sceneVertices", mesh->vertex_count);
        expect_count(a, "sceneTriangles", mesh->triangle_count);
        expect_count(a, "sceneDrawCalls", mesh->part_count);
        expect_lists(a, mesh->document);
        expect_mesh_counts(a, mesh->document);
        expect_remarks(a, &remarks);
    }
    check_reshape(mesh, a->name);
    pliant_mesh_destroy(mesh);
}

static void expect_assets(const char *name, int least)
{
    int count = 0;
    for (json_value key = pli_json_first(facts.json, section(name)); key != JSON_NONE;
         key = pli_json_next(facts.json, key), ++count) {
        asset a = asset_of(key);
        if (is_compressed(&a))
            expect_refusal(&a);
        else
            expect_asset(&a);
    }
    assert_true(count >= least);
}

static void reads_the_models(void **unused)
{
    (void)unused;
    expect_assets("assets", 25);
}

static void reads_the_conformance_files(void **unused)
{
    (void)unused;
    expect_assets("conformance", 44);
}

// ---------------------------------------------------------------------------------------------
// Faulty files

static bool all_places_are_told(const pliant_remarks *remarks)
{
    for (int i = 0; i < remarks->count && i < PLIANT_MOST_REMARKS; ++i) {
        if (!remarks->first[i].place[0] || !remarks->first[i].message[0])
            return false;
    }
    return true;
}

static void expect_verdict(const asset *a, const char *expected)
{
    pliant_remarks remarks;
    pliant_error error = {0};
    pliant_mesh *mesh = pliant_mesh_read_file(a->path, &remarks, &error);
    bool is_right = mesh && remarks.count == 0;
    if (strcmp(expected, "accept") == 0 && !is_right)
        fail_msg("%s: %s: %s", a->name, mesh ? remarks.first[0].place : error.place,
                 mesh ? remarks.first[0].message : error.message);
    if (strcmp(expected, "reject-or-report") == 0 && is_right)
        fail_msg("%s: nothing was said against it", a->name);
    if (!all_places_are_told(&remarks) || (!mesh && !error.message[0]))
        fail_msg("%s: a fault is told without its place or its reason", a->name);
    pliant_mesh_destroy(mesh);
}

static void tells_faulty_files_from_right_ones(void **unused)
{
    (void)unused;
    int count = 0;
    for (json_value key = pli_json_first(facts.json, section("malformed")); key != JSON_NONE;
         key = pli_json_next(facts.json, key)) {
        asset a = asset_of(key);
        char expected[32];
        if (pli_json_string(facts.json, fact(&a, "expect"), expected, sizeof expected) > 0) {
            expect_verdict(&a, expected);
            ++count;
        }
    }
    assert_true(count >= 137);
}

int main(void)
{
    if (!find_folder()) {
        printf("SKIPPED: there is no collection of files at %s (PLIANT_ASSETS tells where)\n",
               folder);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_models),
        cmocka_unit_test(reads_the_conformance_files),
        cmocka_unit_test(tells_faulty_files_from_right_ones),
    };
    return cmocka_run_group_tests(tests, open_facts, close_facts);
}
