// Reading JSON objects into structs by a table of their members. This is where unknown and repeated
// keys, wrong types and values out of range are told, always with the path to the culprit.

#ifndef PLIANT_AUTHOR_JSON_FIELDS_H
#define PLIANT_AUTHOR_JSON_FIELDS_H

#include "core/error.h"
#include "json.h"

#include <float.h>
#include <stddef.h>

// Where reading is, for messages. Functions return false once they have filled *error.
typedef struct field_reader {
    const json_document *json;
    pliant_error *error; // never NULL
    char place[sizeof((pliant_error *)0)->place];
} field_reader;

typedef enum field_kind {
    FIELD_FLOAT,     // float, in [minimum, maximum]
    FIELD_INT,       // int, likewise
    FIELD_INT3,      // int[3], likewise
    FIELD_BITS,      // uint32_t
    FIELD_DEGREES,   // float in radians, of a number of degrees in the range
    FIELD_SUBSTEPS,  // float in seconds: of how many fit into 1/60 s, a number in the range
    FIELD_BOOL,      // bool
    FIELD_VEC3,      // pliant_vec3 or float[3], each in the range
    FIELD_DIRECTION, // pliant_vec3, not zero
    FIELD_QUAT,      // pliant_quat, not zero
    FIELD_STRING,    // char[maximum], which must have room for it
    FIELD_VALUE,     // json_value, for the caller to read
} field_kind;

typedef struct field {
    const char *key;
    field_kind kind;
    size_t offset; // into the struct
    double minimum, maximum;
    bool above, below; // the minimum or the maximum itself is out of range
    bool required;
} field;

// A table, for those who do not see its length.
typedef struct field_table {
    const field *fields;
    int count;
} field_table;

// Shorthands for the tables: the last members of a field.
// The narrower ones are the limits within which the library accepts a value.
#define FIELD_ANY          -FLT_MAX, FLT_MAX, false, false
#define FIELD_POSITIVE     0.0, FLT_MAX, true, false
#define FIELD_NOT_NEGATIVE 0.0, FLT_MAX, false, false
#define FIELD_COORDINATE   -1e6, 1e6, false, false
#define FIELD_RADIUS       1e-5, 1e5, false, false
#define FIELD_SIZE         0.0, 1e5, true, false
#define FIELD_FRICTION     0.0, 1e3, false, false
#define FIELD_UNIT         0.0, 1.0, false, false
#define FIELD_LAYERS       0.0, UINT32_MAX, false, false
#define FIELD_INDEX        0.0, INT32_MAX, false, false
#define FIELD_SPEED        0.0, 1e6, false, false
#define FIELD_MODULUS      0.0, 1e12, false, false
#define FIELD_STRAIN       0.0, 1e3, false, false
#define FIELD_RATE         0.0, 1e6, false, false

static inline float field_radians(double degrees)
{
    return (float)(degrees * 0.017453292519943295);
}

static inline float field_substep_length(double substeps)
{
    return (float)(1.0 / (60.0 * substeps));
}

// Goes down into a member or an item; field_leave takes what it returned.
size_t pli_field_enter_key(field_reader *reader, const char *key);
size_t pli_field_enter_item(field_reader *reader, int index);
void pli_field_leave(field_reader *reader, size_t before);

// Fails at the present place.
bool pli_field_fail(field_reader *reader, const char *format, ...) ERROR_FORMAT(2, 3);
bool pli_field_fail_memory(field_reader *reader);
// Fails with what another part found: its own place comes behind the present one.
bool pli_field_fail_inside(field_reader *reader, const pliant_error *inner);
// Fails with "expected …, found …", naming the value's type.
bool pli_field_expect(field_reader *reader, json_value value, const char *expected);

// Reads a value's members into `target`; those that are not there leave it as it is.
bool pli_field_read_object(field_reader *reader, json_value object, const field *fields, int count,
                           void *target);

static inline bool pli_field_read_table(field_reader *reader, json_value object,
                                        const field_table *table, void *target)
{
    return pli_field_read_object(reader, object, table->fields, table->count, target);
}

// Calls `read` for every member of an object whose keys are names of 1 to 47 bytes, none twice;
// `expected` describes it ("an object of models by name").
bool pli_field_read_named(field_reader *reader, json_value object, const char *expected,
                          bool (*read)(field_reader *, json_value, void *), void *context);
// Calls `read` for every item of an array.
bool pli_field_read_items(field_reader *reader, json_value array,
                          bool (*read)(field_reader *, json_value, int index, void *),
                          void *context);
// A string that is one of some words: its number among them.
bool pli_field_read_word(field_reader *reader, json_value value, const char *const *words,
                         int count, int *index);
// One value as a table's entry describes it.
bool pli_field_read(field_reader *reader, json_value value, const field *f, void *target);
// An array of whole numbers in [0, limit), in new memory: free() it.
bool pli_field_read_indices(field_reader *reader, json_value array, int limit, int32_t **indices,
                            int *count);

#endif
