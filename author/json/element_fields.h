// Elements of a model as JSON objects: members by the tables of elements.h.

#ifndef PLIANT_AUTHOR_JSON_ELEMENT_FIELDS_H
#define PLIANT_AUTHOR_JSON_ELEMENT_FIELDS_H

#include "fields.h"
#include "model/elements.h"

// No kind has more fields.
enum { MOST_ELEMENT_FIELDS = 32 };

// Writes a table of members, in the order of the element's fields, and returns how many. The element is at `offset` in
// the struct that is read; there are `particle_count` particles to refer to, or INT32_MAX when that is not known yet. Places
// and what is referred to are required. Flags, single bits and lists have forms of their own in JSON: for the caller to add.
int pli_field_list_element(field *fields, element_id id, size_t offset, int particle_count);

#endif
