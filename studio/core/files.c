// The table of files that the page has put for `open`.

#include "core.h"

#include <stdlib.h>
#include <string.h>

// The libraries ask for a file by its path alone: there is no other way to tell them where to look. The module has one
// thread, and native tests have their own studios in turn.
static const studio_files *lent;

void studio_files_lend(const studio_files *files)
{
    lent = files;
}

const studio_files *studio_files_lent(void)
{
    return lent;
}

char *studio_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static bool reserve(studio_files *files)
{
    if (files->count < files->capacity)
        return true;
    int capacity = 2 * files->capacity + 8;
    studio_file *items = realloc(files->items, (size_t)capacity * sizeof *items);
    if (!items)
        return false;
    files->items = items;
    files->capacity = capacity;
    return true;
}

void *studio_files_add(studio_files *files, const char *name, size_t size)
{
    if (size == SIZE_MAX || !reserve(files))
        return NULL;
    studio_file file = {.name = studio_copy_text(name), .data = malloc(size + 1), .size = size};
    if (!file.name || !file.data) {
        free(file.name);
        free(file.data);
        return NULL;
    }
    ((char *)file.data)[size] = 0;
    files->items[files->count++] = file;
    return file.data;
}

void studio_files_clear(studio_files *files)
{
    for (int i = 0; i < files->count; ++i) {
        free(files->items[i].name);
        free(files->items[i].data);
    }
    free(files->items);
    *files = (studio_files){0};
}

static const char *without_folders(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const studio_file *studio_files_find(const studio_files *files, const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    // What was put last counts.
    for (int i = files->count - 1; i >= 0; --i) {
        if (strcmp(files->items[i].name, path) == 0)
            return &files->items[i];
    }
    for (int i = files->count - 1; i >= 0; --i) {
        if (strcmp(without_folders(files->items[i].name), without_folders(path)) == 0)
            return &files->items[i];
    }
    return NULL;
}

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

void studio_files_title(const char *path, char *title, size_t capacity)
{
    const char *name = without_folders(path);
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    if (length >= capacity) {
        length = capacity - 1;
        while (length > 0 && !begins_character(name[length]))
            --length;
    }
    memcpy(title, name, length);
    title[length] = 0;
}
