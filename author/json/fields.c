// Tables of members, and the checks and messages that go with them.

#include "fields.h"

#include "math/scalar.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Places

size_t pli_field_enter_key(field_reader *reader, const char *key)
{
    size_t before = strlen(reader->place);
    snprintf(reader->place + before, sizeof reader->place - before, "%s%s", before ? "." : "", key);
    return before;
}

size_t pli_field_enter_item(field_reader *reader, int index)
{
    size_t before = strlen(reader->place);
    snprintf(reader->place + before, sizeof reader->place - before, "[%d]", index);
    return before;
}

void pli_field_leave(field_reader *reader, size_t before)
{
    reader->place[before] = 0;
}

bool pli_field_fail(field_reader *reader, const char *format, ...)
{
    char message[sizeof reader->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    pli_error_set(reader->error, PLIANT_ERROR_FORMAT, reader->place, "%s", message);
    return false;
}

bool pli_field_fail_memory(field_reader *reader)
{
    pli_error_memory(reader->error);
    return false;
}

bool pli_field_fail_inside(field_reader *reader, const pliant_error *inner)
{
    size_t used = strlen(reader->place);
    const char *separator = inner->place[0] ? ": " : "";
    snprintf(reader->place + used, sizeof reader->place - used, "%s%s", separator, inner->place);
    pli_error_set(reader->error, inner->code, reader->place, "%s", inner->message);
    return false;
}

bool pli_field_expect(field_reader *reader, json_value value, const char *expected)
{
    const char *found = pli_json_type_name(pli_json_type_of(reader->json, value));
    return pli_field_fail(reader, "expected %s, found %s", expected, found);
}

// ---------------------------------------------------------------------------------------------
// Numbers

static void describe_range(const field *f, bool whole, char *text, size_t size)
{
    const char *kind = whole ? "a whole number" : "a number";
    bool open = f->maximum >= (double)FLT_MAX;
    if (open && f->minimum <= -(double)FLT_MAX)
        snprintf(text, size, "%s", kind);
    else if (open)
        snprintf(text, size, "%s %s %g", kind, f->above ? "above" : "of at least", f->minimum);
    else if (whole)
        snprintf(text, size, "%s from %.0f to %.0f", kind, f->minimum, f->maximum);
    else
        snprintf(text, size, "%s in %c%g, %g%c", kind, f->above ? '(' : '[', f->minimum, f->maximum,
                 f->below ? ')' : ']');
}

static bool in_range(const field *f, double number)
{
    return number >= f->minimum && number <= f->maximum && !(f->above && number == f->minimum) &&
           !(f->below && number == f->maximum);
}

static bool fail_range(field_reader *reader, json_value value, const field *f, bool whole)
{
    char expected[96];
    describe_range(f, whole, expected, sizeof expected);
    if (pli_json_type_of(reader->json, value) != JSON_TYPE_NUMBER)
        return pli_field_expect(reader, value, expected);
    return pli_field_fail(reader, "expected %s, found %.9g", expected,
                          pli_json_number(reader->json, value, 0.0));
}

static bool read_float(field_reader *reader, json_value value, const field *f, float *target)
{
    double number = pli_json_number(reader->json, value, 0.0);
    bool ok = pli_json_type_of(reader->json, value) == JSON_TYPE_NUMBER;
    // An open end is tested after rounding, too: 1e-50 is above 0, but as a float it is not.
    double rounded = (double)(float)number;
    bool at_end = (f->above && rounded == f->minimum) || (f->below && rounded == f->maximum);
    if (!ok || !in_range(f, number) || at_end)
        return fail_range(reader, value, f, false);
    *target = (float)number;
    return true;
}

static bool read_int(field_reader *reader, json_value value, const field *f, int *target)
{
    double number = pli_json_number(reader->json, value, 0.5);
    bool whole = number >= -2147483648.0 && number <= 2147483647.0 && number == (double)(int)number;
    if (!whole || !in_range(f, number))
        return fail_range(reader, value, f, true);
    *target = (int)number;
    return true;
}

static bool read_bits(field_reader *reader, json_value value, const field *f, uint32_t *target)
{
    double number = pli_json_number(reader->json, value, 0.5);
    bool whole =
        number >= 0.0 && number <= (double)UINT32_MAX && number == (double)(uint32_t)number;
    if (!whole || !in_range(f, number))
        return fail_range(reader, value, f, true);
    *target = (uint32_t)number;
    return true;
}

// A number that stands for another one.
static bool read_converted(field_reader *reader, json_value value, const field *f,
                           float (*convert)(double number), float *target)
{
    double number = pli_json_number(reader->json, value, 0.0);
    if (pli_json_type_of(reader->json, value) != JSON_TYPE_NUMBER || !in_range(f, number))
        return fail_range(reader, value, f, false);
    *target = convert(number);
    return true;
}

// Reads one item of a fixed-size array of floats or ints into its place in `target`.
typedef bool read_item(field_reader *reader, json_value value, const field *f, int index,
                       void *target);

static bool read_float_item(field_reader *reader, json_value value, const field *f, int index,
                            void *target)
{
    return read_float(reader, value, f, (float *)target + index);
}

static bool read_int_item(field_reader *reader, json_value value, const field *f, int index,
                          void *target)
{
    return read_int(reader, value, f, (int *)target + index);
}

static bool read_tuple(field_reader *reader, json_value array, const field *f, int count,
                       read_item *read_one, void *target)
{
    if (pli_json_type_of(reader->json, array) != JSON_TYPE_ARRAY) {
        char expected[32];
        snprintf(expected, sizeof expected, "an array of %d numbers", count);
        return pli_field_expect(reader, array, expected);
    }
    if (pli_json_size(reader->json, array) != count)
        return pli_field_fail(reader, "expected %d numbers, found %d", count,
                              pli_json_size(reader->json, array));
    int index = 0;
    for (json_value v = pli_json_first(reader->json, array); v != JSON_NONE;
         v = pli_json_next(reader->json, v)) {
        size_t before = pli_field_enter_item(reader, index);
        if (!read_one(reader, v, f, index, target))
            return false;
        pli_field_leave(reader, before);
        ++index;
    }
    return true;
}

// Directions and rotations need a length that survives being squared.
static bool read_unit(field_reader *reader, json_value array, const field *f, int count,
                      void *target)
{
    if (!read_tuple(reader, array, f, count, read_float_item, target))
        return false;
    double length2 = 0.0;
    for (int i = 0; i < count; ++i)
        length2 += (double)((float *)target)[i] * (double)((float *)target)[i];
    if (length2 < 1e-12 || length2 > 1e12)
        return pli_field_fail(reader, "expected %s with a length from 1e-6 to 1e6",
                              count == 4 ? "a rotation [x, y, z, w]" : "a direction");
    return true;
}

static bool read_string(field_reader *reader, json_value value, const field *f, char *target)
{
    size_t capacity = (size_t)f->maximum;
    if (pli_json_type_of(reader->json, value) != JSON_TYPE_STRING)
        return pli_field_expect(reader, value, "a string");
    if (pli_json_string(reader->json, value, target, capacity) >= capacity)
        return pli_field_fail(reader, "expected at most %zu bytes of text", capacity - 1);
    return true;
}

bool pli_field_read(field_reader *reader, json_value value, const field *f, void *target)
{
    switch (f->kind) {
    case FIELD_FLOAT:
        return read_float(reader, value, f, target);
    case FIELD_INT:
        return read_int(reader, value, f, target);
    case FIELD_INT3:
        return read_tuple(reader, value, f, 3, read_int_item, target);
    case FIELD_BITS:
        return read_bits(reader, value, f, target);
    case FIELD_DEGREES:
        return read_converted(reader, value, f, field_radians, target);
    case FIELD_SUBSTEPS:
        return read_converted(reader, value, f, field_substep_length, target);
    case FIELD_BOOL:
        if (pli_json_type_of(reader->json, value) != JSON_TYPE_BOOL)
            return pli_field_expect(reader, value, "true or false");
        *(bool *)target = pli_json_bool(reader->json, value, false);
        return true;
    case FIELD_VEC3:
        return read_tuple(reader, value, f, 3, read_float_item, target);
    case FIELD_DIRECTION:
        return read_unit(reader, value, f, 3, target);
    case FIELD_QUAT:
        return read_unit(reader, value, f, 4, target);
    case FIELD_STRING:
        return read_string(reader, value, f, target);
    case FIELD_VALUE:
        break;
    }
    *(json_value *)target = value;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Objects

static int find_field(const field_reader *reader, json_value key, const field *fields, int count)
{
    for (int i = 0; i < count; ++i) {
        if (pli_json_string_is(reader->json, key, fields[i].key))
            return i;
    }
    return -1;
}

static bool check_required(field_reader *reader, const field *fields, int count, uint64_t seen)
{
    for (int i = 0; i < count; ++i) {
        if (fields[i].required && !(seen >> i & 1))
            return pli_field_fail(reader, "\"%s\" is missing", fields[i].key);
    }
    return true;
}

bool pli_field_read_object(field_reader *reader, json_value object, const field *fields, int count,
                           void *target)
{
    if (pli_json_type_of(reader->json, object) != JSON_TYPE_OBJECT)
        return pli_field_expect(reader, object, "an object");
    uint64_t seen = 0; // one bit a field: tables are far shorter than 64
    for (json_value key = pli_json_first(reader->json, object); key != JSON_NONE;
         key = pli_json_next(reader->json, key)) {
        int i = find_field(reader, key, fields, count);
        char name[48];
        pli_json_string(reader->json, key, name, sizeof name);
        size_t before = pli_field_enter_key(reader, name);
        if (i < 0)
            return pli_field_fail(reader, "unknown key");
        if (seen >> i & 1)
            return pli_field_fail(reader, "the key is there twice");
        seen |= (uint64_t)1 << i;
        json_value value = pli_json_member(reader->json, key);
        if (!pli_field_read(reader, value, &fields[i], (char *)target + fields[i].offset))
            return false;
        pli_field_leave(reader, before);
    }
    return check_required(reader, fields, count, seen);
}

bool pli_field_read_named(field_reader *reader, json_value object, const char *expected,
                          bool (*read)(field_reader *, json_value, void *), void *context)
{
    if (pli_json_type_of(reader->json, object) != JSON_TYPE_OBJECT)
        return pli_field_expect(reader, object, expected);
    for (json_value key = pli_json_first(reader->json, object); key != JSON_NONE;
         key = pli_json_next(reader->json, key)) {
        char name[48];
        size_t length = pli_json_string(reader->json, key, name, sizeof name);
        size_t before = pli_field_enter_key(reader, name);
        if (length == 0 || length >= sizeof name)
            return pli_field_fail(reader, "expected a name of 1 to %zu bytes", sizeof name - 1);
        json_value value = pli_json_member(reader->json, key);
        if (pli_json_get(reader->json, object, name) != value)
            return pli_field_fail(reader, "the key is there twice");
        if (!read(reader, value, context))
            return false;
        pli_field_leave(reader, before);
    }
    return true;
}

bool pli_field_read_items(field_reader *reader, json_value array,
                          bool (*read)(field_reader *, json_value, int index, void *),
                          void *context)
{
    if (pli_json_type_of(reader->json, array) != JSON_TYPE_ARRAY)
        return pli_field_expect(reader, array, "an array");
    int index = 0;
    for (json_value v = pli_json_first(reader->json, array); v != JSON_NONE;
         v = pli_json_next(reader->json, v)) {
        size_t before = pli_field_enter_item(reader, index);
        if (!read(reader, v, index++, context))
            return false;
        pli_field_leave(reader, before);
    }
    return true;
}

bool pli_field_read_word(field_reader *reader, json_value value, const char *const *words,
                         int count, int *index)
{
    char expected[120] = "one of";
    for (int i = 0; i < count; ++i) {
        if (pli_json_type_of(reader->json, value) == JSON_TYPE_STRING &&
            pli_json_string_is(reader->json, value, words[i])) {
            *index = i;
            return true;
        }
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s \"%s\"", i ? "," : "", words[i]);
    }
    if (pli_json_type_of(reader->json, value) != JSON_TYPE_STRING)
        return pli_field_expect(reader, value, expected);
    return pli_field_fail(reader, "expected %s", expected);
}

bool pli_field_read_indices(field_reader *reader, json_value array, int limit, int32_t **indices,
                            int *count)
{
    if (pli_json_type_of(reader->json, array) != JSON_TYPE_ARRAY)
        return pli_field_expect(reader, array, "an array of particle indices");
    int32_t *list = malloc((size_t)pli_json_size(reader->json, array) * sizeof *list + 1);
    if (!list)
        return pli_field_fail_memory(reader);
    const field index_field = {.minimum = 0.0, .maximum = limit - 1};
    int found = 0;
    for (json_value v = pli_json_first(reader->json, array); v != JSON_NONE;
         v = pli_json_next(reader->json, v)) {
        size_t before = pli_field_enter_item(reader, found);
        int index = 0;
        if (!read_int(reader, v, &index_field, &index)) {
            free(list);
            return false;
        }
        list[found++] = index;
        pli_field_leave(reader, before);
    }
    *indices = list;
    *count = found;
    return true;
}
