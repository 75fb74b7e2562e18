// The primitives of a GLB as plain arrays, read without regard for anything that Pliant's own files do not
// have.

#ifndef PLIANT_TESTS_GLB_PARTS_H
#define PLIANT_TESTS_GLB_PARTS_H

#include "test.h"

typedef struct glb_part {
    char node[128], material[128];
    json_value material_value; // JSON_NONE without one
    int vertex_count, triangle_count;
    const pliant_vec3 *positions, *normals; // NULL where there are none, as below
    const float (*coordinates)[2];
    int32_t (*triangles)[3];
} glb_part;

typedef struct glb_parts {
    json_document *json;
    const unsigned char *bytes; // the binary chunk
    int count;
    glb_part parts[16];
} glb_parts;

static inline json_value glb_list_item(const glb_parts *glb, const char *list, int index)
{
    json_value items = pli_json_get(glb->json, pli_json_root(glb->json), list);
    return pli_json_item(glb->json, items, index);
}

static inline int glb_list_size(const glb_parts *glb, const char *list)
{
    return pli_json_size(glb->json, pli_json_get(glb->json, pli_json_root(glb->json), list));
}

static inline int glb_int(const glb_parts *glb, json_value object, const char *key, int fallback)
{
    return (int)pli_json_number(glb->json, pli_json_get(glb->json, object, key), fallback);
}

static inline void glb_string(const glb_parts *glb, json_value object, const char *key,
                              char text[128])
{
    text[0] = 0;
    pli_json_string(glb->json, pli_json_get(glb->json, object, key), text, 128);
}

static inline const void *glb_view_bytes(const glb_parts *glb, int index, size_t *size)
{
    json_value view = glb_list_item(glb, "bufferViews", index);
    *size = (size_t)glb_int(glb, view, "byteLength", 0);
    return glb->bytes + glb_int(glb, view, "byteOffset", 0);
}

static inline const void *glb_accessor_bytes(const glb_parts *glb, json_value object,
                                             const char *key, int *count)
{
    int index = glb_int(glb, object, key, -1);
    if (index < 0)
        return NULL;
    json_value accessor = glb_list_item(glb, "accessors", index);
    *count = glb_int(glb, accessor, "count", 0);
    size_t size;
    return glb_view_bytes(glb, glb_int(glb, accessor, "bufferView", -1), &size);
}

static inline void glb_read_triangles(const glb_parts *glb, json_value primitive, glb_part *part)
{
    int count = 0;
    const void *indices = glb_accessor_bytes(glb, primitive, "indices", &count);
    int accessor = glb_int(glb, primitive, "indices", -1);
    int type = glb_int(glb, glb_list_item(glb, "accessors", accessor), "componentType", 0);
    assert_true(type == 5123 || type == 5125);
    assert_int_equal(count % 3, 0);
    part->triangle_count = count / 3;
    part->triangles = malloc((size_t)count * sizeof(int32_t));
    assert_non_null(part->triangles);
    for (int i = 0; i < count; ++i) {
        int32_t index =
            type == 5123 ? ((const uint16_t *)indices)[i] : (int32_t)((const uint32_t *)indices)[i];
        assert_true(index >= 0 && index < part->vertex_count);
        part->triangles[i / 3][i % 3] = index;
    }
}

static inline void glb_read_part(glb_parts *glb, json_value node, json_value primitive)
{
    assert_true(glb->count < 16);
    glb_part *part = &glb->parts[glb->count++];
    *part = (glb_part){.material_value = JSON_NONE};
    glb_string(glb, node, "name", part->node);
    int material = glb_int(glb, primitive, "material", -1);
    if (material >= 0) {
        part->material_value = glb_list_item(glb, "materials", material);
        glb_string(glb, part->material_value, "name", part->material);
    }
    json_value attributes = pli_json_get(glb->json, primitive, "attributes");
    int count = 0;
    part->positions = glb_accessor_bytes(glb, attributes, "POSITION", &part->vertex_count);
    assert_non_null(part->positions);
    part->normals = glb_accessor_bytes(glb, attributes, "NORMAL", &count);
    assert_true(!part->normals || count == part->vertex_count);
    part->coordinates = glb_accessor_bytes(glb, attributes, "TEXCOORD_0", &count);
    assert_true(!part->coordinates || count == part->vertex_count);
    glb_read_triangles(glb, primitive, part);
}

static inline glb_parts glb_parts_open(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    uint32_t json_size;
    assert_true(size > 20);
    memcpy(&json_size, bytes + 12, sizeof json_size);
    pliant_error error = {0};
    glb_parts glb = {.json = pli_json_parse((const char *)bytes + 20, json_size, &error),
                     .bytes = bytes + 20 + json_size + 8};
    if (!glb.json)
        fail_msg("%s: %s", error.place, error.message);
    json_value scene = glb_list_item(&glb, "scenes", 0);
    json_value roots = pli_json_get(glb.json, scene, "nodes");
    for (int i = 0; i < pli_json_size(glb.json, roots); ++i) {
        int root = (int)pli_json_number(glb.json, pli_json_item(glb.json, roots, i), -1);
        json_value node = glb_list_item(&glb, "nodes", root);
        json_value mesh = glb_list_item(&glb, "meshes", glb_int(&glb, node, "mesh", -1));
        json_value primitives = pli_json_get(glb.json, mesh, "primitives");
        for (int j = 0; j < pli_json_size(glb.json, primitives); ++j)
            glb_read_part(&glb, node, pli_json_item(glb.json, primitives, j));
    }
    return glb;
}

static inline void glb_parts_close(glb_parts *glb)
{
    for (int i = 0; i < glb->count; ++i)
        free(glb->parts[i].triangles);
    pli_json_destroy(glb->json);
}

#endif
