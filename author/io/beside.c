// Reading what lies beside a file. Names come from files of strangers: they must not reach anything else.

#include "io/beside.h"

#include "core/error.h"
#include "core/file.h"

#include <stdlib.h>

static bool leads_up(const char *name)
{
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (at[0] == '.' && at[1] == '.' && (at[2] == 0 || at[2] == '/'))
            return true;
    }
    return false;
}

static bool is_inside(const char *name)
{
    bool has_drive = name[0] != 0 && name[1] == ':';
    return name[0] != '/' && !has_drive && !leads_up(name);
}

// directory/name in one piece of memory, with *name_at the name in it.
static char *join(const char *directory, slice name, char **name_at)
{
    size_t prefix = directory && directory[0] ? strlen(directory) + 1 : 0;
    char *path = malloc(prefix + name.size + 1);
    if (!path)
        return NULL;
    if (prefix) {
        memcpy(path, directory, prefix - 1);
        path[prefix - 1] = '/';
    }
    *name_at = path + prefix;
    memcpy(*name_at, name.at, name.size);
    (*name_at)[name.size] = 0;
    for (char *at = *name_at; *at; ++at)
        *at = *at == '\\' ? '/' : *at;
    return path;
}

pliant_result pli_beside_read(const char *directory, slice name, void **data, size_t *size,
                              pliant_error *error)
{
    if (name.size == 0)
        return pli_error_set(error, PLIANT_ERROR_FILE, "", "a file without a name");
    char *name_at;
    char *path = join(directory, name, &name_at);
    if (!path)
        return pli_error_memory(error);
    pliant_result result = is_inside(name_at) ? pli_core_read_file(path, data, size, error)
                                              : pli_error_set(error, PLIANT_ERROR_FILE, name_at,
                                                              "lies outside of the folder");
    free(path);
    return result;
}
