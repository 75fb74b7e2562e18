// Members of objects by their tables, so that they read back to the same bits.

#include "fields_write.h"

#include "io/decimal.h"
#include "math/scalar.h"

#include <math.h>
#include <string.h>

static void write_text(json_writer *json, const char *key, const char *text, size_t size)
{
    if (key) {
        char quoted[64] = "\"";
        strncat(quoted, key, sizeof quoted - 3);
        strcat(quoted, "\"");
        pli_json_write_raw_key(json, quoted, strlen(quoted));
    }
    pli_json_write_raw(json, text, size);
}

void pli_field_write_float(json_writer *json, const char *key, float value)
{
    if (!isfinite(value))
        write_text(json, key, "null", 4);
    else if (value == 0.0f && signbit(value))
        write_text(json, key, "-0", 2);
    else
        pli_json_write_float(json, key, value);
}

void pli_field_write_floats(json_writer *json, const char *key, const float *values, int count)
{
    pli_json_begin_array(json, key);
    for (int i = 0; i < count; ++i)
        pli_field_write_float(json, NULL, values[i]);
    pli_json_end_array(json);
}

// The shortest number near `number` that reads as `value`. Nine decimals are always enough for degrees and for substeps:
// half of the last one changes the value by far less than the distance of two floats, from 1 on.
static void write_converted(json_writer *json, const char *key, float value, double number,
                            float (*convert)(double number))
{
    if (!isfinite(value) || !(fabs(number) < 1e5)) {
        pli_field_write_float(json, key, value);
        return;
    }
    double size_of_number = fabs(number);
    char text[3 * DECIMAL_SIZE];
    size_t size = 0;
    long long scale = 1;
    for (int decimals = 0; decimals <= 9; ++decimals, scale *= 10) {
        long long digits = (long long)(size_of_number * (double)scale + 0.5);
        size = 0;
        if (signbit(value))
            text[size++] = '-';
        size += pli_decimal_write_int(text + size, digits / scale);
        if (decimals > 0) {
            // The decimals with a digit in front, whose place the point takes.
            size_t point = size;
            size += pli_decimal_write_int(text + size, scale + digits % scale);
            text[point] = '.';
        }
        if (convert(pli_decimal_read(text, size)) == value)
            break;
    }
    write_text(json, key, text, size);
}

void pli_field_write_substeps(json_writer *json, const char *key, float length)
{
    write_converted(json, key, length, 1.0 / (60.0 * (double)length), field_substep_length);
}

static void write_field(json_writer *json, const field *f, const void *value)
{
    switch (f->kind) {
    case FIELD_FLOAT:
        pli_field_write_float(json, f->key, *(const float *)value);
        break;
    case FIELD_INT:
        pli_json_write_int(json, f->key, *(const int *)value);
        break;
    case FIELD_INT3:
        pli_json_begin_array(json, f->key);
        for (int i = 0; i < 3; ++i)
            pli_json_write_int(json, NULL, ((const int *)value)[i]);
        pli_json_end_array(json);
        break;
    case FIELD_BITS:
        pli_json_write_int(json, f->key, *(const uint32_t *)value);
        break;
    case FIELD_DEGREES:
        write_converted(json, f->key, *(const float *)value,
                        (double)*(const float *)value / 0.017453292519943295, field_radians);
        break;
    case FIELD_SUBSTEPS:
        pli_field_write_substeps(json, f->key, *(const float *)value);
        break;
    case FIELD_BOOL:
        pli_json_write_bool(json, f->key, *(const bool *)value);
        break;
    case FIELD_VEC3:
    case FIELD_DIRECTION:
        pli_field_write_floats(json, f->key, value, 3);
        break;
    case FIELD_QUAT:
        pli_field_write_floats(json, f->key, value, 4);
        break;
    case FIELD_STRING:
        pli_json_write_string(json, f->key, value);
        break;
    case FIELD_VALUE:
        break;
    }
}

static bool is_same(const field *f, const void *a, const void *b)
{
    switch (f->kind) {
    case FIELD_BOOL:
        return *(const bool *)a == *(const bool *)b;
    case FIELD_VEC3:
    case FIELD_DIRECTION:
    case FIELD_INT3:
        return memcmp(a, b, 3 * sizeof(float)) == 0;
    case FIELD_QUAT:
        return memcmp(a, b, 4 * sizeof(float)) == 0;
    case FIELD_STRING:
        return strcmp(a, b) == 0;
    default:
        return memcmp(a, b, sizeof(float)) == 0;
    }
}

void pli_field_write_table(json_writer *json, const field_table *table, const void *values,
                           const void *defaults)
{
    for (int i = 0; i < table->count; ++i) {
        const field *f = &table->fields[i];
        const void *value = (const char *)values + f->offset;
        if (f->required ||
            (f->kind != FIELD_VALUE && !is_same(f, value, (const char *)defaults + f->offset)))
            write_field(json, f, value);
    }
}
