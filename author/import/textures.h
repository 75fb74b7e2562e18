// The textures of a file that is being read: each is loaded once, however often it is named.

#ifndef PLIANT_AUTHOR_IMPORT_TEXTURES_H
#define PLIANT_AUTHOR_IMPORT_TEXTURES_H

#include "io/table.h"
#include "soup.h"

// Zero-initialise to begin.
typedef struct texture_list {
    name_table names;           // also of those that could not be loaded
    LIST_OF(int32_t) images;    // for each name: its image, or -1
    LIST_OF(soup_image) loaded; // with bytes of their own
    bool failed;                // memory ran out
} texture_list;

void pli_textures_release(texture_list *list);
// The number of an image among the items, -1 when there is none: a file that cannot be read or is neither
// PNG nor JPEG is remarked on. `name` must outlive the list.
int pli_textures_load(texture_list *list, const char *directory, slice name,
                      pliant_remarks *remarks);
// The same for bytes that are at hand, which are copied.
int pli_textures_add(texture_list *list, slice name, const void *bytes, size_t size,
                     pliant_remarks *remarks);

#endif
