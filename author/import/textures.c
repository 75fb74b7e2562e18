// Textures, each loaded once.

#include "textures.h"

#include "gltf/gltf.h"
#include "io/beside.h"

#include <stdio.h>
#include <stdlib.h>

void pli_textures_release(texture_list *list)
{
    for (int32_t i = 0; i < list->loaded.count; ++i)
        free((void *)list->loaded.items[i].bytes);
    free(list->loaded.items);
    free(list->images.items);
    pli_name_table_release(&list->names);
    *list = (texture_list){0};
}

// The place in `images` of a name, -1 when memory runs out.
static int32_t add_name(texture_list *list, slice name, bool *is_new)
{
    int32_t number = LIST_GROW(&list->images) ? pli_name_table_add(&list->names, name) : -1;
    *is_new = number == list->images.count;
    if (*is_new)
        list->images.items[list->images.count++] = -1;
    list->failed |= number < 0;
    return number;
}

static void remark(pliant_remarks *remarks, slice name, const char *message)
{
    char place[sizeof remarks->first[0].place];
    snprintf(place, sizeof place, "%.*s", slice_width(name), name.at);
    pli_remark_add(remarks, place, "the texture is left out: %s", message);
}

// Takes the bytes over in every case. Returns the number of the item, or -1.
static int32_t add_item(texture_list *list, slice name, void *bytes, size_t size,
                        pliant_remarks *remarks)
{
    if (!pli_soup_image_type(bytes, size)) {
        remark(remarks, name, "it is neither PNG nor JPEG");
        free(bytes);
        return -1;
    }
    if (!LIST_APPEND(&list->loaded, (soup_image){name, bytes, size})) {
        list->failed = true;
        free(bytes);
        return -1;
    }
    return list->loaded.count - 1;
}

int pli_textures_load(texture_list *list, const char *directory, slice name,
                      pliant_remarks *remarks)
{
    if (name.size == 0)
        return -1;
    bool is_new;
    int32_t number = add_name(list, name, &is_new);
    if (!is_new)
        return number < 0 ? -1 : list->images.items[number];
    void *bytes;
    size_t size;
    pliant_error error;
    pliant_result result = pli_beside_read(directory, name, &bytes, &size, &error);
    if (result == PLIANT_OK)
        list->images.items[number] = add_item(list, name, bytes, size, remarks);
    else if (result == PLIANT_ERROR_MEMORY)
        list->failed = true;
    else
        remark(remarks, name, error.message);
    return list->images.items[number];
}

int pli_textures_add(texture_list *list, slice name, const void *bytes, size_t size,
                     pliant_remarks *remarks)
{
    bool is_new;
    int32_t number = add_name(list, name, &is_new);
    if (!is_new)
        return number < 0 ? -1 : list->images.items[number];
    void *copy = malloc(size + 1);
    if (!copy) {
        list->failed = true;
        return -1;
    }
    memcpy(copy, bytes, size);
    list->images.items[number] = add_item(list, name, copy, size, remarks);
    return list->images.items[number];
}
