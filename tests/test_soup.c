// Soups as GLB: what is written and what is refused.

#include "glb_parts.h"

#include "import/soup.h"

static const pliant_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -2}};
static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};

static soup_part two_triangles(void)
{
    return (soup_part){.material = -1,
                       .vertex_count = 4,
                       .triangle_count = 2,
                       .positions = corners,
                       .triangles = triangles};
}

static glb_parts write_soup(const triangle_soup *soup, void **data)
{
    size_t size = 0;
    pliant_error error = {0};
    if (pli_soup_write_glb(soup, data, &size, &error))
        fail_msg("%s: %s", error.place, error.message);
    return glb_parts_open(*data, size);
}

static void assert_refused(const soup_part *part, const char *place, const char *message)
{
    void *data = NULL;
    size_t size;
    pliant_error error = {0};
    slice name = slice_of("thing");
    triangle_soup soup = {.object_count = 1, .objects = &name, .part_count = 1, .parts = part};
    assert_int_equal(pli_soup_write_glb(&soup, &data, &size, &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    assert_string_equal(error.message, message);
    assert_null(data);
}

static void an_empty_soup_is_an_empty_scene(void **unused)
{
    (void)unused;
    void *data;
    soup_part empty = two_triangles();
    empty.triangle_count = 0;
    slice name = slice_of("nothing");
    soup_material material = pli_soup_default_material();
    glb_parts glb = write_soup(&(triangle_soup){.object_count = 1,
                                                .objects = &name,
                                                .part_count = 1,
                                                .parts = &empty,
                                                .material_count = 1,
                                                .materials = &material},
                               &data);
    assert_int_equal(glb.count, 0);
    assert_int_equal(pli_json_size(glb.json, pli_json_root(glb.json)), 3);
    assert_int_equal(glb_list_size(&glb, "scenes"), 1);
    glb_parts_close(&glb);
    free(data);
}

static void objects_without_triangles_are_left_out(void **unused)
{
    (void)unused;
    const slice names[] = {slice_of("a"), slice_of("b"), slice_of("c")};
    soup_part parts[4] = {two_triangles(), two_triangles(), two_triangles(), two_triangles()};
    parts[1].object = 1;
    parts[2].object = parts[3].object = 2;
    parts[1].triangle_count = parts[2].triangle_count = 0;
    void *data;
    glb_parts glb = write_soup(
        &(triangle_soup){.object_count = 3, .objects = names, .part_count = 4, .parts = parts},
        &data);
    assert_int_equal(glb.count, 2);
    assert_int_equal(glb_list_size(&glb, "nodes"), 2);
    assert_int_equal(glb_list_size(&glb, "meshes"), 2);
    assert_string_equal(glb.parts[0].node, "a");
    assert_string_equal(glb.parts[1].node, "c");
    assert_int_equal(glb.parts[1].triangle_count, 2);
    glb_parts_close(&glb);
    free(data);
}

static void bounds_are_told(void **unused)
{
    (void)unused;
    void *data;
    slice name = {0};
    soup_part part = two_triangles();
    glb_parts glb = write_soup(
        &(triangle_soup){.object_count = 1, .objects = &name, .part_count = 1, .parts = &part},
        &data);
    json_value accessor = glb_list_item(&glb, "accessors", 0);
    json_value low = pli_json_get(glb.json, accessor, "min");
    json_value high = pli_json_get(glb.json, accessor, "max");
    static const double expected[2][3] = {{0, 0, -2}, {1, 1, 0}};
    for (int i = 0; i < 3; ++i) {
        assert_near(pli_json_number(glb.json, pli_json_item(glb.json, low, i), NAN), expected[0][i],
                    0);
        assert_near(pli_json_number(glb.json, pli_json_item(glb.json, high, i), NAN),
                    expected[1][i], 0);
    }
    glb_parts_close(&glb);
    free(data);
}

// The last index of 16 bits may not be used.
static void indices_are_as_wide_as_needed(void **unused)
{
    (void)unused;
    pliant_vec3 *positions = calloc(65536, sizeof *positions);
    assert_non_null(positions);
    for (int count = 65535; count <= 65536; ++count) {
        int32_t last[3] = {0, 1, count - 1};
        soup_part part = {.material = -1,
                          .vertex_count = count,
                          .triangle_count = 1,
                          .positions = positions,
                          .triangles = last};
        slice name = {0};
        void *data;
        glb_parts glb = write_soup(
            &(triangle_soup){.object_count = 1, .objects = &name, .part_count = 1, .parts = &part},
            &data);
        assert_int_equal(glb_int(&glb, glb_list_item(&glb, "accessors", 1), "componentType", 0),
                         count == 65535 ? 5123 : 5125);
        assert_int_equal(glb.parts[0].triangles[0][2], count - 1);
        glb_parts_close(&glb);
        free(data);
    }
    free(positions);
}

static void numbers_of_materials_are_limited(void **unused)
{
    (void)unused;
    soup_material material = pli_soup_default_material();
    material.colour[0] = 7.0f;
    material.colour[1] = -1.0f;
    material.colour[2] = NAN;
    material.emission[0] = INFINITY;
    slice name = {0};
    soup_part part = two_triangles();
    part.material = 0;
    void *data;
    glb_parts glb = write_soup(&(triangle_soup){.object_count = 1,
                                                .objects = &name,
                                                .part_count = 1,
                                                .parts = &part,
                                                .material_count = 1,
                                                .materials = &material},
                               &data);
    json_value value = glb.parts[0].material_value;
    json_value colour = pli_json_get(
        glb.json, pli_json_get(glb.json, value, "pbrMetallicRoughness"), "baseColorFactor");
    static const double expected[] = {1, 0, 0, 1};
    for (int i = 0; i < 4; ++i)
        assert_near(pli_json_number(glb.json, pli_json_item(glb.json, colour, i), NAN), expected[i],
                    0);
    json_value emission = pli_json_get(glb.json, value, "emissiveFactor");
    assert_near(pli_json_number(glb.json, pli_json_item(glb.json, emission, 0), NAN), 1, 0);
    glb_parts_close(&glb);
    free(data);
}

static void bad_numbers_are_refused(void **unused)
{
    (void)unused;
    pliant_vec3 positions[4];
    memcpy(positions, corners, sizeof positions);
    positions[2].y = NAN;
    soup_part part = two_triangles();
    part.positions = positions;
    assert_refused(&part, "part 0", "vertex 2 has a number that is not finite");

    float coordinates[4][2] = {{0, 0}, {0, INFINITY}, {0, 0}, {0, 0}};
    part = two_triangles();
    part.coordinates = (const float(*)[2])coordinates;
    assert_refused(&part, "part 0", "vertex 1 has a number that is not finite");

    const int32_t bad[] = {0, 1, 2, 0, 2, 4}, negative[] = {0, 1, 2, 0, -1, 3};
    part = two_triangles();
    part.triangles = bad;
    assert_refused(&part, "part 0", "triangle 1 uses a vertex of another part");
    part.triangles = negative;
    assert_refused(&part, "part 0", "triangle 1 uses a vertex of another part");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_soup_is_an_empty_scene),
        cmocka_unit_test(objects_without_triangles_are_left_out),
        cmocka_unit_test(bounds_are_told),
        cmocka_unit_test(indices_are_as_wide_as_needed),
        cmocka_unit_test(numbers_of_materials_are_limited),
        cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
