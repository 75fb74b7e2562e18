// The tables of elements: they describe the structs whole, and what walks over them reaches every field.

#include "test.h"
#include "json/element_fields.h"
#include "json/json.h"

#include <pliant/author.h>

static const element_kind *kind_at(int i)
{
    return &pli_element_kinds[i];
}

// How many bytes of the struct are a field's own.
static size_t bytes_of(const element_field *line)
{
    if (line->type == VALUE_FLAG)
        return sizeof(bool);
    return line->type == VALUE_SPAN ? sizeof(int32_t *) + sizeof(int32_t) : 4 * (size_t)line->count;
}

// A member without a line in its table would be lost when a model is saved. What is left over is too small for one.
static void test_tables_describe_whole_structs(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = kind_at(i);
        unsigned char covered[256] = {0};
        assert_true(kind->element_size <= sizeof covered);
        size_t end = 0;
        for (int f = 0; f < kind->field_count; ++f) {
            const element_field *line = &kind->fields[f];
            assert_true(line->offset + bytes_of(line) <= kind->element_size);
            for (size_t k = 0; k < bytes_of(line); ++k)
                assert_int_equal(covered[line->offset + k]++, 0);
            end = line->offset + bytes_of(line) > end ? line->offset + bytes_of(line) : end;
        }
        for (size_t at = 0, gap = 0; at < end; ++at) {
            gap = covered[at] ? 0 : gap + 1;
            assert_true(gap < 4);
        }
        assert_true(kind->element_size - end < sizeof(void *));
    }
}

static void test_names_and_versions_are_sound(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = kind_at(i);
        assert_true(strlen(kind->name) < 20);
        assert_true(kind->field_count <= MOST_ELEMENT_FIELDS);
        for (int k = 0; k < i; ++k)
            assert_string_not_equal(kind->name, kind_at(k)->name);
        for (int f = 0; f < kind->field_count; ++f) {
            const element_field *line = &kind->fields[f];
            assert_true(line->since >= 1);
            assert_true(strlen(line->shown_name ? line->shown_name : line->name) < 32);
            for (int k = 0; k < f; ++k)
                assert_string_not_equal(line->name, kind->fields[k].name);
        }
    }
}

static void test_defaults_are_allowed(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        unsigned char element[256];
        memset(element, 0xcd, sizeof element);
        pli_element_reset(kind_at(i), element);
        for (int f = 0; f < kind_at(i)->field_count; ++f)
            assert_true(pli_element_allows(&kind_at(i)->fields[f], element));
    }
}

static void test_defaults_are_those_that_the_header_tells(void **state)
{
    (void)state;
    pliant_particle_def p = pliant_default_particle_def();
    assert_true(p.orientation.x == 0.0f && p.orientation.w == 1.0f);
    assert_true(p.radii.x == 0.05f && p.radii.y == 0.05f && p.radii.z == 0.05f);
    assert_true(p.mass == 1.0f && p.stiffness == 0.5f && p.flags == 0 && p.creep_rate == 0.0f);
    assert_true(p.layers == UINT32_MAX && p.mask == UINT32_MAX && p.position.y == 0.0f);
    pliant_edge_def e = pliant_default_edge_def();
    assert_true(e.a == 0 && e.b == 0 && e.stretch_stiffness == 0.0f && e.torsion_stiffness == 0.0f);
    pliant_group_def g = pliant_default_group_def();
    assert_true(!g.members && g.member_count == 0 && g.stiffness == 1.0f && g.dent_speed == 0.0f);
    pliant_hinge_def h = pliant_default_hinge_def();
    assert_true(!h.has_limits && h.lower == -PLIANT_PI && h.upper == PLIANT_PI && h.group_b == 0);
    pliant_material m = pliant_default_material();
    assert_true(m.friction == 0.5f && m.linear_damping == 0.02f && m.angular_damping == 0.02f);
    assert_true(m.restitution == 0.0f && m.shape_damping == 0.0f && !m.self_collision);
}

// Two of each kind.
static elements two_of_each(const pliant_allocator *allocator)
{
    elements e = {0};
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        if (!kind_at(i)->is_single)
            assert_true(pli_elements_allocate(&e, kind_at(i), 2, allocator));
        for (int k = 0; k < pli_elements_count(&e, kind_at(i)); ++k)
            pli_element_reset(kind_at(i), pli_elements_at(&e, kind_at(i), k));
    }
    return e;
}

static void test_the_fingerprint_sees_every_word_that_a_step_depends_on(void **state)
{
    (void)state;
    pliant_allocator allocator = pli_allocator_or_default(NULL);
    elements e = two_of_each(&allocator);
    uint64_t before = pli_elements_fingerprint(&e);
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        void *element = pli_elements_at(&e, kind_at(i), pli_elements_count(&e, kind_at(i)) - 1);
        for (int f = 0; f < kind_at(i)->field_count; ++f) {
            const element_field *line = &kind_at(i)->fields[f];
            for (int k = 0; k < pli_element_words(line); ++k) {
                uint32_t word = pli_element_word(line, element, k);
                pli_element_set_word(line, element, k, word ^ 1);
                assert_int_equal(pli_elements_fingerprint(&e) != before, kind_at(i)->is_solved);
                pli_element_set_word(line, element, k, word);
            }
        }
    }
    assert_true(pli_elements_fingerprint(&e) == before);
    pli_elements_free(&e, &allocator);
}

static void test_lists_grow_and_are_copied(void **state)
{
    (void)state;
    pliant_allocator allocator = pli_allocator_or_default(NULL);
    elements e = {0}, copy = {0};
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = kind_at(i);
        unsigned char added[3 * 256];
        for (int n = 0; !kind->is_single && n < 100; n += 3) {
            memset(added, n, sizeof added);
            assert_int_equal(pli_elements_append(&e, (element_id)i, added, 3, &allocator), n);
            assert_int_equal(pli_elements_count(&e, kind), n + 3);
        }
    }
    assert_true(pli_elements_copy(&copy, &e, &allocator));
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = kind_at(i);
        assert_int_equal(pli_elements_count(&copy, kind), kind->is_single ? 1 : 102);
        for (int n = 0; !kind->is_single && n < 102; ++n) {
            const unsigned char *element = pli_elements_at(&copy, kind, n);
            assert_int_equal(element[0], n / 3 * 3);
            assert_int_equal(element[kind->element_size - 1], n / 3 * 3);
        }
    }
    pli_elements_free(&e, &allocator);
    pli_elements_free(&copy, &allocator);
}

// ---------------------------------------------------------------------------------------------
// The published schema

// The members of an element in a scene's model.
static json_value schema_of(const json_document *json, const char *kind)
{
    json_value at = pli_json_get(json, pli_json_root(json), "$defs");
    at = pli_json_get(json, pli_json_get(json, at, "model"), "oneOf");
    for (json_value i = pli_json_first(json, at); i != JSON_NONE; i = pli_json_next(json, i)) {
        json_value found = pli_json_get(json, pli_json_get(json, i, "properties"), kind);
        if (found != JSON_NONE)
            return pli_json_get(json, pli_json_get(json, found, "items"), "properties");
    }
    fail_msg("the schema has no %s", kind);
    return JSON_NONE;
}

static void check_limits(const json_document *json, json_value member, const element_field *line)
{
    const struct {
        const char *key;
        double expected;
    } values[] = {{"minimum", line->low}, {"maximum", line->high}, {"default", line->initial}};
    for (int i = 0; i < 3; ++i) {
        json_value value = pli_json_get(json, member, values[i].key);
        bool may_lack = i == 2;
        if (value != JSON_NONE || !may_lack)
            assert_true((float)pli_json_number(json, value, -1e30) == (float)values[i].expected);
    }
}

// A field that scenes can have stands in their schema, with the limits and the default of the table.
static void test_the_schema_of_scenes_tells_every_field(void **state)
{
    (void)state;
    static const element_id kinds[] = {ELEMENT_PARTICLES, ELEMENT_EDGES, ELEMENT_GROUPS,
                                       ELEMENT_HINGES};
    void *text;
    size_t size;
    assert_int_equal(
        pliant_file_read(PLIANT_SOURCE_DIRECTORY "/docs/scene.schema.json", &text, &size, NULL),
        PLIANT_OK);
    json_document *json = pli_json_parse(text, size, NULL);
    assert_non_null(json);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        const element_kind *kind = kind_at((int)kinds[i]);
        json_value members = schema_of(json, kind->name);
        field listed[MOST_ELEMENT_FIELDS];
        int count = pli_field_list_element(listed, kinds[i], 0, INT32_MAX);
        assert_true(count > 0);
        for (int k = 0; k < count; ++k) {
            json_value member = pli_json_get(json, members, listed[k].key);
            if (member == JSON_NONE)
                fail_msg("the schema has no %s of %s", listed[k].key, kind->name);
            for (int f = 0; f < kind->field_count; ++f)
                if (listed[k].kind == FIELD_FLOAT &&
                    strcmp(kind->fields[f].name, listed[k].key) == 0)
                    check_limits(json, member, &kind->fields[f]);
        }
    }
    pli_json_destroy(json);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_describe_whole_structs),
        cmocka_unit_test(test_names_and_versions_are_sound),
        cmocka_unit_test(test_defaults_are_allowed),
        cmocka_unit_test(test_defaults_are_those_that_the_header_tells),
        cmocka_unit_test(test_the_fingerprint_sees_every_word_that_a_step_depends_on),
        cmocka_unit_test(test_lists_grow_and_are_copied),
        cmocka_unit_test(test_the_schema_of_scenes_tells_every_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
