// Writing structs as the members of JSON objects, by the tables that read them (fields.h).

#ifndef PLIANT_AUTHOR_JSON_FIELDS_WRITE_H
#define PLIANT_AUTHOR_JSON_FIELDS_WRITE_H

#include "fields.h"
#include "json_write.h"

// The members of `values` that are required or, in a bit, other than in `defaults`: reading them over the defaults gives
// the same bits. Those of kind FIELD_VALUE are left to the caller. A number that is not finite becomes null, at which
// reading fails.
void pli_field_write_table(json_writer *json, const field_table *table, const void *values,
                           const void *defaults);

// One such number, and an array of them.
void pli_field_write_float(json_writer *json, const char *key, float value);
// A length of substeps as FIELD_SUBSTEPS.
void pli_field_write_substeps(json_writer *json, const char *key, float length);
void pli_field_write_floats(json_writer *json, const char *key, const float *values, int count);

#endif
