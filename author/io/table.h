// Arrays that grow, and tables that number what they see in the order of its first use.

#ifndef PLIANT_AUTHOR_IO_TABLE_H
#define PLIANT_AUTHOR_IO_TABLE_H

#include "io/slice.h"

#include <stdint.h>

// Makes room for one more element behind `count` in an array from malloc, given by the address of its pointer.
// False when memory runs out; then the array is as it was.
bool pli_array_grow(void *array_pointer, size_t element_size, int32_t count, int32_t *capacity);

// An array with its size; zero-initialise to begin, free() its items.
#define LIST_OF(type)                                                                              \
    struct {                                                                                       \
        type *items;                                                                               \
        int32_t count, capacity;                                                                   \
    }

#define LIST_GROW(list)                                                                            \
    pli_array_grow(&(list)->items, sizeof *(list)->items, (list)->count, &(list)->capacity)

// False when memory runs out.
#define LIST_APPEND(list, ...)                                                                     \
    (LIST_GROW(list) && ((list)->items[(list)->count++] = (__VA_ARGS__), true))

// Zero-initialise to begin.
typedef struct hash_slots {
    int32_t *numbers; // plus one; 0 stands for a free slot
    uint32_t count;   // a power of two
} hash_slots;

// Names by their text, which must outlive the table.
typedef struct name_table {
    LIST_OF(slice) names;
    hash_slots slots;
} name_table;

// The number of a name, a new one when it was not there; -1 when memory runs out.
int32_t pli_name_table_add(name_table *table, slice name);
// The number of a name, or -1 when it is not there.
int32_t pli_name_table_find(const name_table *table, slice name);
void pli_name_table_release(name_table *table);

// Tuples of four numbers.
typedef struct tuple {
    int32_t values[4];
} tuple;

typedef struct tuple_table {
    LIST_OF(tuple) tuples;
    hash_slots slots;
} tuple_table;

// As with names.
int32_t pli_tuple_table_add(tuple_table *table, tuple key);
void pli_tuple_table_release(tuple_table *table);

#endif
