// The elements of a model as the user gave them, and the list of their kinds.
//
// Each kind has a table with one line per field (kinds.c). Defaults, checks of ranges, the saved form and the fingerprint
// are walks over these tables; growing, copying and freeing are walks over the list. So a field more is one line in a
// table, and a kind more is a table, its array in `elements` and its entry in the list. A rig has arrays of its own (rig/rig.h).

#ifndef PLIANT_MODEL_ELEMENTS_H
#define PLIANT_MODEL_ELEMENTS_H

#include <pliant/model.h>

#include <stddef.h>

#include "core/memory.h"

// Growable arrays: what a builder collects and a blob stores.
typedef struct elements {
    pliant_material material;
    pliant_particle_def *particles;
    pliant_edge_def *edges;
    pliant_group_def
        *groups;      // their members are ranges of `members`, set by pli_elements_place_spans
    int32_t *members; // of all groups, one after another
    pliant_hinge_def *hinges;
    pliant_tether_def *tethers;
    pliant_vertex_def *vertices;
    int32_t (*triangles)[3];
    int particle_count, particle_capacity;
    int edge_count, edge_capacity;
    int group_count, group_capacity;
    int member_count, member_capacity;
    int hinge_count, hinge_capacity;
    int tether_count, tether_capacity;
    int vertex_count, vertex_capacity;
    int triangle_count, triangle_capacity;
    pliant_rig *rig;         // a reference, or NULL
    uint8_t *unknown_chunks; // of a blob: chunks of no known kind, kept as they were found
    size_t unknown_size;
    int unknown_count;
} elements;

// In the order in which they are checked and saved.
typedef enum element_id {
    ELEMENT_MATERIAL,
    ELEMENT_PARTICLES,
    ELEMENT_EDGES,
    ELEMENT_GROUPS,
    ELEMENT_MEMBERS,
    ELEMENT_HINGES,
    ELEMENT_TETHERS,
    ELEMENT_VERTICES,
    ELEMENT_TRIANGLES,
    ELEMENT_KIND_COUNT,
    ELEMENT_NONE = ELEMENT_KIND_COUNT,
} element_id;

typedef enum value_type {
    VALUE_NUMBER,    // float, each in [low, high]
    VALUE_PLACE,     // pliant_vec3, each coordinate in [-high, high]
    VALUE_ROTATION,  // pliant_quat, made unit length
    VALUE_DIRECTION, // pliant_vec3, made unit length, or zero
    VALUE_INDEX, // int32_t, of an element of the kind `of`; of ELEMENT_NONE: a check of its own looks at it
    VALUE_BITS, // uint32_t, of which those in `high` may be set
    VALUE_FLAG, // bool
    VALUE_SPAN, // pointer and int32_t: the next so many elements of the list `of`; saved is the count
} value_type;

typedef struct element_field {
    const char *name; // of the struct's member
    value_type type;
    size_t offset;
    int count;              // values side by side
    int since;              // version of the chunk (blob.h) in which it appeared
    double initial;         // its default; of a rotation the real part of it
    double low, high;       // limits, themselves allowed
    const char *unit;       // of the limits in messages, or NULL
    const char *shown_name; // in messages; NULL: the name with blanks
    element_id of;
} element_field;

// Checks what concerns more than one field of element `index`, or other elements. Its own fields have passed the checks
// of the table, and so have all elements of kinds before it. `scratch` holds one word per particle, zero at
// first, for the groups' check alone.
typedef pliant_result element_check(const elements *e, int index, int32_t *scratch,
                                    pliant_error *error);

typedef struct element_kind {
    const char *name;     // of its chunk
    const char *singular; // in messages
    bool is_single;       // one struct in `elements`, no array
    bool is_solved;       // a step depends on it
    size_t array, count, capacity,
        element_size; // offsets in `elements`; only the first of a single one
    const element_field *fields;
    int field_count;
    element_check *check; // or NULL
} element_kind;

extern const element_kind pli_element_kinds[ELEMENT_KIND_COUNT];

element_check pli_check_edge, pli_check_group, pli_check_hinge, pli_check_tether, pli_check_vertex;

int pli_elements_count(const elements *e, const element_kind *kind);
void *pli_elements_at(const elements *e, const element_kind *kind, int index);

// An array of `count` zeroed elements, where there was none. False when memory runs out.
bool pli_elements_allocate(elements *e, const element_kind *kind, int count,
                           const pliant_allocator *allocator);
// Appends `count` elements that lie one after another. Returns the first one's index, or -1 when memory runs out.
int pli_elements_append(elements *e, element_id id, const void *added, int count,
                        const pliant_allocator *allocator);
// Into elements without arrays; the rig is shared. On failure `to` holds what was copied until then.
bool pli_elements_copy(elements *to, const elements *from, const pliant_allocator *allocator);
void pli_elements_free(elements *e, const pliant_allocator *allocator);

// Points every span to its part of the list it is taken from. The parts are as long as the list.
pliant_result pli_elements_place_spans(elements *e, pliant_error *error);
// Checks and normalises elements in place, and places spans. `scratch` holds one zero per particle.
pliant_result pli_elements_validate(elements *e, int32_t *scratch, pliant_error *error);
// Of all that a step depends on.
uint64_t pli_elements_fingerprint(const elements *e);

// Whether a field holds a value within its limits. Indices are not looked at: they need the other elements.
bool pli_element_allows(const element_field *field, const void *element);
// Gives every field of an element its default; what lies between them is zero.
void pli_element_reset(const element_kind *kind, void *element);

// A field's value as words of 32 bits: how many, and word k.
int pli_element_words(const element_field *field);
uint32_t pli_element_word(const element_field *field, const void *element, int k);
void pli_element_set_word(const element_field *field, void *element, int k, uint32_t word);

// An element as bytes: words of its fields, the lowest byte first. Its version is that of the kind's newest field; older
// ones lack the fields that came later.
uint32_t pli_element_version(const element_kind *kind);
// As of some version up to the newest; 0 when there was no such kind.
size_t pli_element_bytes(const element_kind *kind, uint32_t version);
// In the newest version. Returns where it ends.
uint8_t *pli_element_write(const element_kind *kind, const void *element, uint8_t *at);
// Moves *at to where it ends. Later fields get their defaults. False when a flag is neither 0 nor 1.
bool pli_element_read(const element_kind *kind, void *element, uint32_t version,
                      const uint8_t **at);

#endif
