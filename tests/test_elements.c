// The tables of elements: they describe the structs whole, and what walks over them reaches every field.

#include "model/elements.h"
#include "test.h"

static const element_kind *kind_at(int i)
{
    return &pliant_element_kinds[i];
}

// How many bytes of the struct are a field's own.
static size_t bytes_of(const element_field *field)
{
    if (field->type == VALUE_FLAG)
        return sizeof(bool);
    return field->type == VALUE_SPAN ? sizeof(int32_t *) + sizeof(int32_t)
                                     : 4 * (size_t)field->count;
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
            const element_field *field = &kind->fields[f];
            assert_true(field->offset + bytes_of(field) <= kind->element_size);
            for (size_t k = 0; k < bytes_of(field); ++k)
                assert_int_equal(covered[field->offset + k]++, 0);
            end = field->offset + bytes_of(field) > end ? field->offset + bytes_of(field) : end;
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
        for (int k = 0; k < i; ++k)
            assert_string_not_equal(kind->name, kind_at(k)->name);
        for (int f = 0; f < kind->field_count; ++f) {
            const element_field *field = &kind->fields[f];
            assert_true(field->since >= 1);
            assert_true(strlen(field->shown_name ? field->shown_name : field->name) < 32);
            for (int k = 0; k < f; ++k)
                assert_string_not_equal(field->name, kind->fields[k].name);
        }
    }
}

static void test_defaults_are_allowed(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        unsigned char element[256];
        memset(element, 0xcd, sizeof element);
        pliant_element_reset(kind_at(i), element);
        for (int f = 0; f < kind_at(i)->field_count; ++f)
            assert_true(pliant_element_allows(&kind_at(i)->fields[f], element));
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
            assert_true(pliant_elements_allocate(&e, kind_at(i), 2, allocator));
        for (int k = 0; k < pliant_elements_count(&e, kind_at(i)); ++k)
            pliant_element_reset(kind_at(i), pliant_elements_at(&e, kind_at(i), k));
    }
    return e;
}

static void test_the_fingerprint_sees_every_word_that_a_step_depends_on(void **state)
{
    (void)state;
    pliant_allocator allocator = pliant_allocator_or_default(NULL);
    elements e = two_of_each(&allocator);
    uint64_t before = pliant_elements_fingerprint(&e);
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        void *element =
            pliant_elements_at(&e, kind_at(i), pliant_elements_count(&e, kind_at(i)) - 1);
        for (int f = 0; f < kind_at(i)->field_count; ++f) {
            const element_field *field = &kind_at(i)->fields[f];
            for (int k = 0; k < pliant_element_words(field); ++k) {
                uint32_t word = pliant_element_word(field, element, k);
                pliant_element_set_word(field, element, k, word ^ 1);
                assert_int_equal(pliant_elements_fingerprint(&e) != before, kind_at(i)->is_solved);
                pliant_element_set_word(field, element, k, word);
            }
        }
    }
    assert_true(pliant_elements_fingerprint(&e) == before);
    pliant_elements_free(&e, &allocator);
}

static void test_lists_grow_and_are_copied(void **state)
{
    (void)state;
    pliant_allocator allocator = pliant_allocator_or_default(NULL);
    elements e = {0}, copy = {0};
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = kind_at(i);
        unsigned char added[3 * 256];
        for (int n = 0; !kind->is_single && n < 100; n += 3) {
            memset(added, n, sizeof added);
            assert_int_equal(pliant_elements_append(&e, (element_id)i, added, 3, &allocator), n);
            assert_int_equal(pliant_elements_count(&e, kind), n + 3);
        }
    }
    assert_true(pliant_elements_copy(&copy, &e, &allocator));
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = kind_at(i);
        assert_int_equal(pliant_elements_count(&copy, kind), kind->is_single ? 1 : 102);
        for (int n = 0; !kind->is_single && n < 102; ++n) {
            const unsigned char *element = pliant_elements_at(&copy, kind, n);
            assert_int_equal(element[0], n / 3 * 3);
            assert_int_equal(element[kind->element_size - 1], n / 3 * 3);
        }
    }
    pliant_elements_free(&e, &allocator);
    pliant_elements_free(&copy, &allocator);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
