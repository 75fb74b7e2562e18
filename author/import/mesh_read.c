// Reading meshes: what a file is, is told by its content.

#include <pliant/mesh.h>

#include "assimp.h"
#include "core/error.h"
#include "core/file.h"
#include "gltf/gltf.h"
#include "obj.h"

#include <stdlib.h>
#include <string.h>

static pliant_mesh *read_gltf(const void *data, size_t size, const char *directory,
                              pliant_remarks *remarks, pliant_error *error)
{
    pliant_gltf *gltf = pli_gltf_open(data, size, directory, remarks, error);
    return gltf ? pli_gltf_flatten(gltf, remarks, error) : NULL;
}

// GLB, or text that begins like a JSON object, with or without a byte order mark.
static bool is_gltf(const unsigned char *data, size_t size)
{
    if (size >= 4 && memcmp(data, "glTF", 4) == 0)
        return true;
    size_t at = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < size && data[at] != 0 && strchr(" \t\r\n", data[at]))
        ++at;
    return at < size && data[at] == '{';
}

pliant_mesh *pliant_mesh_read(const void *data, size_t size, const char *directory,
                              pliant_remarks *remarks, pliant_error *error)
{
    if (remarks)
        *remarks = (pliant_remarks){0};
    if (is_gltf(data, size))
        return read_gltf(data, size, directory, remarks, error);
    if (!pli_obj_detect(data, size)) {
        pli_error_set(error, PLIANT_ERROR_FORMAT, "", "it is no GLB, glTF or OBJ");
        return NULL;
    }
    void *glb;
    size_t glb_size;
    if (pli_obj_to_glb(data, size, directory, remarks, &glb, &glb_size, error) != PLIANT_OK)
        return NULL;
    pliant_mesh *mesh = read_gltf(glb, glb_size, NULL, remarks, error);
    free(glb);
    return mesh;
}

// The path up to the last slash; NULL when memory ran out. A file without a folder is in ".".
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + (slash == path) : 1;
    char *folder = malloc(length + 1);
    if (folder) {
        memcpy(folder, slash ? path : ".", length);
        folder[length] = 0;
    }
    return folder;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Formats that assimp is asked to read are known by their ending.
static bool is_for_assimp(const char *path)
{
    static const char *const endings[] = {".fbx", ".dae", ".stl", ".ply"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
        size_t k = 0;
        while (length >= 4 && k < 4 && lower(path[length - 4 + k]) == endings[i][k])
            ++k;
        if (k == 4)
            return true;
    }
    return false;
}

static pliant_mesh *read_with_assimp(const char *path, pliant_remarks *remarks, pliant_error *error)
{
    void *glb;
    size_t size;
    if (pli_assimp_to_glb(path, remarks, &glb, &size, error) != PLIANT_OK)
        return NULL;
    pliant_mesh *mesh = read_gltf(glb, size, NULL, remarks, error);
    free(glb);
    return mesh;
}

pliant_mesh *pliant_mesh_read_file(const char *path, pliant_remarks *remarks, pliant_error *error)
{
    if (remarks)
        *remarks = (pliant_remarks){0};
    if (is_for_assimp(path))
        return read_with_assimp(path, remarks, error);
    void *data;
    size_t size;
    if (pli_core_read_file(path, &data, &size, error) != PLIANT_OK)
        return NULL;
    char *folder = folder_of(path);
    pliant_mesh *mesh = NULL;
    if (folder)
        mesh = pliant_mesh_read(data, size, folder, remarks, error);
    else
        pli_error_memory(error);
    free(folder);
    free(data);
    return mesh;
}
