// Other formats by way of assimp's C interface. It only reads: what it found becomes a soup. Skeletons and
// animations do not survive assimp as they were, so they are left out.

#include "assimp.h"

#include "core/error.h"

#ifndef PLIANT_WITH_ASSIMP

pliant_result pli_assimp_to_glb(const char *path, pliant_remarks *remarks, void **data,
                                size_t *size, pliant_error *error)
{
    (void)remarks, (void)data, (void)size;
    return pli_error_set(error, PLIANT_ERROR_FORMAT, path,
                         "this build reads GLB, glTF and OBJ only (built without assimp)");
}

#else

#include "core/file.h"
#include "gltf/gltf.h"
#include "soup.h"
#include "textures.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct assimp_converter {
    const struct aiScene *scene;
    char *directory;
    pliant_remarks *remarks;
    bool failed; // memory ran out
    LIST_OF(slice) objects;
    LIST_OF(soup_part) parts;
    soup_material *materials;
    texture_list textures;
    LIST_OF(void *) memory; // everything the above points to
} assimp_converter;

// Zeroed memory that lives as long as the converter; NULL when there is none left.
static void *allocate(assimp_converter *c, size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory && LIST_APPEND(&c->memory, memory))
        return memory;
    free(memory);
    c->failed = true;
    return NULL;
}

static slice copy_string(assimp_converter *c, const struct aiString *string)
{
    char *text = allocate(c, string->length, 1);
    if (!text)
        return (slice){0};
    memcpy(text, string->data, string->length);
    return (slice){text, string->length};
}

// ---------------------------------------------------------------------------------------------
// Nodes

// Rows of an affine transform.
typedef struct transform {
    double m[3][4];
} transform;

static transform transform_of(const struct aiMatrix4x4 *a)
{
    return (transform){
        {{a->a1, a->a2, a->a3, a->a4}, {a->b1, a->b2, a->b3, a->b4}, {a->c1, a->c2, a->c3, a->c4}}};
}

static transform multiply(const transform *a, const transform *b)
{
    transform product;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            double sum = j == 3 ? a->m[i][3] : 0.0;
            for (int k = 0; k < 3; ++k)
                sum += a->m[i][k] * b->m[k][j];
            product.m[i][j] = sum;
        }
    }
    return product;
}

static pliant_vec3 apply(const transform *t, struct aiVector3D v)
{
    double out[3];
    for (int i = 0; i < 3; ++i)
        out[i] = t->m[i][0] * v.x + t->m[i][1] * v.y + t->m[i][2] * v.z + t->m[i][3];
    return (pliant_vec3){(float)out[0], (float)out[1], (float)out[2]};
}

// How normals turn, apart from their length: the inverse transposed, times the magnitude of the determinant,
// which is returned with its sign.
static double normal_transform(const transform *t, transform *normals)
{
    for (int i = 0; i < 3; ++i) {
        const double *a = t->m[(i + 1) % 3], *b = t->m[(i + 2) % 3];
        for (int j = 0; j < 3; ++j)
            normals->m[i][j] = a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3];
        normals->m[i][3] = 0.0;
    }
    double determinant = 0.0;
    for (int j = 0; j < 3; ++j)
        determinant += t->m[0][j] * normals->m[0][j];
    for (int i = 0; determinant < 0.0 && i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            normals->m[i][j] = -normals->m[i][j];
    }
    return determinant;
}

// Triangles turn the other way round where the transform mirrors them.
static int32_t copy_triangles(const struct aiMesh *mesh, int32_t *triangles, bool is_mirrored)
{
    int32_t count = 0;
    for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices != 3)
            continue; // a point or a line
        int32_t *triangle = triangles + 3 * (size_t)count++;
        triangle[0] = (int32_t)face->mIndices[0];
        triangle[1] = (int32_t)face->mIndices[is_mirrored ? 2 : 1];
        triangle[2] = (int32_t)face->mIndices[is_mirrored ? 1 : 2];
    }
    return count;
}

static const pliant_vec3 *copy_vectors(assimp_converter *c, const struct aiVector3D *vectors,
                                       size_t count, const transform *t)
{
    pliant_vec3 *copy = allocate(c, count, sizeof *copy);
    for (size_t i = 0; copy && i < count; ++i)
        copy[i] = apply(t, vectors[i]);
    return copy;
}

static const float (*copy_coordinates(assimp_converter *c, const struct aiVector3D *vectors,
                                      size_t count))[2]
{
    float(*copy)[2] = allocate(c, count, sizeof *copy);
    for (size_t i = 0; copy && i < count; ++i) {
        copy[i][0] = vectors[i].x;
        copy[i][1] = vectors[i].y;
    }
    return (const float(*)[2])copy;
}

static void add_part(assimp_converter *c, const struct aiMesh *mesh, const transform *t)
{
    transform normals;
    bool is_mirrored = normal_transform(t, &normals) < 0.0;
    size_t count = mesh->mNumVertices;
    int32_t *triangles = allocate(c, mesh->mNumFaces, 3 * sizeof *triangles);
    soup_part part = {
        .object = c->objects.count - 1,
        .material = mesh->mMaterialIndex < c->scene->mNumMaterials ? (int)mesh->mMaterialIndex : -1,
        .vertex_count = (int32_t)count,
        .triangle_count = triangles ? copy_triangles(mesh, triangles, is_mirrored) : 0,
        .positions = copy_vectors(c, mesh->mVertices, count, t),
        .normals = mesh->mNormals ? copy_vectors(c, mesh->mNormals, count, &normals) : NULL,
        .coordinates =
            mesh->mTextureCoords[0] ? copy_coordinates(c, mesh->mTextureCoords[0], count) : NULL,
        .triangles = triangles,
    };
    c->failed |= !LIST_APPEND(&c->parts, part);
}

static void add_node(assimp_converter *c, const struct aiNode *node, const transform *parent)
{
    transform own = transform_of(&node->mTransformation);
    transform t = multiply(parent, &own);
    if (node->mNumMeshes > 0)
        c->failed |= !LIST_APPEND(&c->objects, copy_string(c, &node->mName));
    for (unsigned i = 0; i < node->mNumMeshes && !c->failed; ++i)
        add_part(c, c->scene->mMeshes[node->mMeshes[i]], &t);
    for (unsigned i = 0; i < node->mNumChildren && !c->failed; ++i)
        add_node(c, node->mChildren[i], &t);
}

// ---------------------------------------------------------------------------------------------
// Materials

static slice base_name(slice name)
{
    for (size_t i = name.size; i > 0; --i) {
        if (name.at[i - 1] == '/' || name.at[i - 1] == '\\')
            return (slice){name.at + i, name.size - i};
    }
    return name;
}

// Textures in the file are named "*3", or as a file would be.
static const struct aiTexture *find_embedded(const assimp_converter *c, slice name)
{
    for (unsigned i = 0; i < c->scene->mNumTextures; ++i) {
        const struct aiTexture *texture = c->scene->mTextures[i];
        slice own = base_name((slice){texture->mFilename.data, texture->mFilename.length});
        char number[16];
        snprintf(number, sizeof number, "*%u", i);
        if (slice_is(name, number) || (own.size > 0 && slice_equal(own, base_name(name))))
            return texture;
    }
    return NULL;
}

// Programs like to name files by where they were on the author's machine: then the one of that name in the
// folder is meant.
static slice file_name(slice name)
{
    bool is_absolute =
        name.size > 1 && (name.at[0] == '/' || name.at[0] == '\\' || name.at[1] == ':');
    return is_absolute ? base_name(name) : name;
}

static int load_texture(assimp_converter *c, const struct aiMaterial *material,
                        enum aiTextureType type)
{
    struct aiString path;
    if (aiGetMaterialTexture(material, type, 0, &path, NULL, NULL, NULL, NULL, NULL, NULL) !=
        aiReturn_SUCCESS)
        return -1;
    slice name = copy_string(c, &path);
    const struct aiTexture *texture = find_embedded(c, name);
    if (!texture)
        return pli_textures_load(&c->textures, c->directory, file_name(name), c->remarks);
    // Without a height it is the content of a file of so many bytes; otherwise plain pixels.
    size_t size = texture->mHeight == 0 ? texture->mWidth : 0;
    return pli_textures_add(&c->textures, name, texture->pcData, size, c->remarks);
}

static void fill_material(assimp_converter *c, soup_material *material,
                          const struct aiMaterial *given)
{
    *material = pli_soup_default_material();
    struct aiString name;
    if (aiGetMaterialString(given, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS &&
        strcmp(name.data, AI_DEFAULT_MATERIAL_NAME) != 0)
        material->name = copy_string(c, &name);
    material->colour_image = load_texture(c, given, aiTextureType_DIFFUSE);
    if (material->colour_image < 0)
        material->colour_image = load_texture(c, given, aiTextureType_BASE_COLOR);
    struct aiColor4D colour;
    if (aiGetMaterialColor(given, AI_MATKEY_COLOR_DIFFUSE, &colour) == aiReturn_SUCCESS) {
        material->colour[0] = colour.r;
        material->colour[1] = colour.g;
        material->colour[2] = colour.b;
    }
    if (aiGetMaterialColor(given, AI_MATKEY_COLOR_EMISSIVE, &colour) == aiReturn_SUCCESS) {
        material->emission[0] = colour.r;
        material->emission[1] = colour.g;
        material->emission[2] = colour.b;
    }
    ai_real opacity;
    // The function for one number is inline in a way that C links only when it is optimised.
    if (aiGetMaterialFloatArray(given, AI_MATKEY_OPACITY, &opacity, NULL) == aiReturn_SUCCESS)
        material->colour[3] = (float)opacity;
    material->is_blended = material->colour[3] < 1.0f;
}

static void make_materials(assimp_converter *c)
{
    c->materials = allocate(c, c->scene->mNumMaterials, sizeof *c->materials);
    for (unsigned i = 0; i < c->scene->mNumMaterials && !c->failed; ++i)
        fill_material(c, &c->materials[i], c->scene->mMaterials[i]);
    c->failed |= c->textures.failed;
}

// ---------------------------------------------------------------------------------------------
// Files

static const char *const endings[] = {"fbx", "dae", "stl", "ply"};

// The one of the above that a path has, or NULL.
static const char *ending_of(const char *path)
{
    const char *point = strrchr(path, '.');
    for (size_t i = 0; point && i < sizeof endings / sizeof endings[0]; ++i) {
        size_t j = 0;
        while (endings[i][j] && (point[1 + j] | 0x20) == endings[i][j])
            ++j;
        if (!endings[i][j] && !point[1 + j])
            return endings[i];
    }
    return NULL;
}

static const struct aiScene *import_scene(const void *bytes, size_t size, const char *ending)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties)
        return NULL;
    // Otherwise a node of an FBX becomes a chain of them, and one of a DAE is named by its id.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, 1);
    const struct aiScene *scene = aiImportFileFromMemoryWithProperties(
        bytes, (unsigned)size,
        aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_FlipUVs |
            aiProcess_GlobalScale,
        ending, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

static pliant_result check_scene(const struct aiScene *scene, const char *path, pliant_error *error)
{
    for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
        const struct aiMesh *mesh = scene->mMeshes[i];
        if (mesh->mNumVertices > INT32_MAX / 4 || mesh->mNumFaces > INT32_MAX / 4)
            return pli_error_set(error, PLIANT_ERROR_FORMAT, path, "a mesh is too large");
    }
    return PLIANT_OK;
}

static void remark_on_motion(const struct aiScene *scene, pliant_remarks *remarks)
{
    bool has_motion = scene->mNumAnimations > 0;
    for (unsigned i = 0; i < scene->mNumMeshes; ++i)
        has_motion |= scene->mMeshes[i]->mNumBones > 0;
    if (has_motion)
        pli_remark_add(remarks, "",
                       "skeletons and animations are read from glTF only: "
                       "they are left out");
}

static pliant_result convert(assimp_converter *c, void **data, size_t *size, pliant_error *error)
{
    static const transform identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    make_materials(c);
    if (!c->failed && c->scene->mRootNode)
        add_node(c, c->scene->mRootNode, &identity);
    if (c->failed)
        return pli_error_memory(error);
    remark_on_motion(c->scene, c->remarks);
    return pli_soup_write_glb(&(triangle_soup){.object_count = c->objects.count,
                                               .objects = c->objects.items,
                                               .part_count = c->parts.count,
                                               .parts = c->parts.items,
                                               .material_count = (int)c->scene->mNumMaterials,
                                               .materials = c->materials,
                                               .image_count = c->textures.loaded.count,
                                               .images = c->textures.loaded.items},
                              data, size, error);
}

static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    char *directory = malloc(length + 1);
    if (!directory)
        return NULL;
    memcpy(directory, path, length);
    directory[length] = 0;
    return directory;
}

static pliant_result convert_scene(const struct aiScene *scene, const char *path,
                                   pliant_remarks *remarks, void **data, size_t *size,
                                   pliant_error *error)
{
    pliant_result result = check_scene(scene, path, error);
    if (result != PLIANT_OK)
        return result;
    assimp_converter converter = {
        .scene = scene, .directory = directory_of(path), .remarks = remarks};
    result = converter.directory ? convert(&converter, data, size, error) : pli_error_memory(error);
    for (int32_t i = 0; i < converter.memory.count; ++i)
        free(converter.memory.items[i]);
    free(converter.memory.items);
    free(converter.objects.items);
    free(converter.parts.items);
    free(converter.directory);
    pli_textures_release(&converter.textures);
    return result;
}

static pliant_result import_and_convert(const void *bytes, size_t byte_count, const char *path,
                                        pliant_remarks *remarks, void **data, size_t *size,
                                        pliant_error *error)
{
    if (byte_count == 0 || byte_count > INT_MAX)
        return pli_error_set(error, PLIANT_ERROR_FORMAT, path, "the file is %s",
                             byte_count ? "too large" : "empty");
    const struct aiScene *scene = import_scene(bytes, byte_count, ending_of(path));
    if (!scene)
        return pli_error_set(error, PLIANT_ERROR_FORMAT, path, "%s", aiGetErrorString());
    pliant_result result = convert_scene(scene, path, remarks, data, size, error);
    aiReleaseImport(scene);
    return result;
}

pliant_result pli_assimp_to_glb(const char *path, pliant_remarks *remarks, void **data,
                                size_t *size, pliant_error *error)
{
    if (!ending_of(path))
        return pli_error_set(error, PLIANT_ERROR_FORMAT, path,
                             "this is neither FBX, DAE, STL nor PLY by its ending");
    void *bytes;
    size_t byte_count;
    pliant_result result = pli_core_read_file(path, &bytes, &byte_count, error);
    if (result != PLIANT_OK)
        return result;
    result = import_and_convert(bytes, byte_count, path, remarks, data, size, error);
    free(bytes);
    return result;
}

#endif
