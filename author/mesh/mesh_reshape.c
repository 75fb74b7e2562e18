// A mesh in another shape. Of one that was read from a file a new document is made: a node without a transform for each
// that has parts, with their new vertices and the looks of the old ones. It is written and read, so that the mesh is
// what a reader of its file will get.

#include "core/error.h"
#include "gltf/gltf.h"
#include "gltf/part_looks.h"
#include "math/vec3.h"
#include "mesh.h"
#include "mesh_write.h"
#include "json/json_copy.h"

#include <stdlib.h>
#include <string.h>

typedef struct reshape {
    const pliant_mesh *mesh; // in its new shape, with the old document
    glb_writer glb;
    gltf_looks looks;
    part_looks parts;
    json_writer roots, nodes, meshes;
    int node_count;
} reshape;

// ---------------------------------------------------------------------------------------------
// The new document

static void copy_member(json_writer *json, const json_document *from, json_value object,
                        const char *key)
{
    json_value value = pli_json_get(from, object, key);
    if (pli_json_type_of(from, value) != JSON_TYPE_STRING)
        return;
    char quoted[16] = "\"";
    strcat(strcat(quoted, key), "\"");
    json_copy copy = {.json = from, .writer = json};
    pli_json_write_raw_key(json, quoted, strlen(quoted));
    pli_json_copy_value(&copy, value);
}

static void add_primitive(reshape *r, int part)
{
    json_writer *json = &r->meshes;
    pli_json_begin_object(json, NULL);
    pli_json_begin_object(json, "attributes");
    pli_mesh_write_vertices(r->mesh, &r->mesh->parts[part], &r->glb, json);
    pli_part_write_attributes(&r->parts, part, false); // tangents are those of the old shape
    pli_json_end_object(json);
    pli_part_write_rest(&r->parts, part);
    pli_json_end_object(json);
}

// Parts first … end - 1, of one node.
static void add_node(reshape *r, int first, int end)
{
    const pliant_gltf *gltf = r->mesh->document;
    const gltf_part *source = &gltf->parts[first];
    pli_json_write_int(&r->roots, NULL, r->node_count);
    pli_json_begin_object(&r->nodes, NULL);
    copy_member(&r->nodes, gltf->json, gltf->nodes.items[source->node], "name");
    pli_json_write_int(&r->nodes, "mesh", r->node_count++);
    pli_json_end_object(&r->nodes);

    pli_json_begin_object(&r->meshes, NULL);
    copy_member(&r->meshes, gltf->json, gltf->meshes.items[source->mesh], "name");
    pli_json_begin_array(&r->meshes, "primitives");
    for (int i = first; i < end; ++i)
        add_primitive(r, i);
    pli_json_end_array(&r->meshes);
    pli_json_end_object(&r->meshes);
}

static void add_nodes(reshape *r)
{
    const gltf_part *parts = r->mesh->document->parts;
    for (int first = 0, end; first < r->mesh->part_count; first = end) {
        for (end = first + 1; end < r->mesh->part_count; ++end) {
            if (parts[end].node != parts[first].node)
                break;
        }
        add_node(r, first, end);
    }
}

// An object that pli_glb_finish completes and closes.
static void write_document(json_writer *json, const reshape *r)
{
    const json_document *from = r->mesh->document->json;
    pli_json_begin_object(json, NULL);
    pli_json_begin_object(json, "asset");
    pli_json_write_string(json, "version", "2.0");
    pli_json_write_string(json, "generator", "Pliant " PLIANT_VERSION_STRING);
    copy_member(json, from, pli_json_get(from, pli_json_root(from), "asset"), "copyright");
    pli_json_end_object(json);
    pli_json_write_int(json, "scene", 0);
    pli_json_begin_array(json, "scenes");
    pli_json_begin_object(json, NULL);
    pli_json_write_list(json, "nodes", &r->roots);
    pli_json_end_object(json);
    pli_json_end_array(json);
    pli_json_write_list(json, "nodes", &r->nodes);
    pli_json_write_list(json, "meshes", &r->meshes);
    pli_looks_write(&r->looks, json);
}

static bool write_glb(const pliant_mesh *mesh, void **data, size_t *size)
{
    reshape r = {.mesh = mesh};
    json_writer json = {0};
    bool ok = pli_part_looks_begin(&r.parts, mesh, &r.glb, &r.looks, &r.meshes);
    if (ok) {
        add_nodes(&r);
        write_document(&json, &r);
        ok = !r.roots.failed && !r.nodes.failed && !r.meshes.failed &&
             !pli_looks_failed(&r.looks) && pli_glb_finish(&r.glb, &json, data, size);
    }
    pli_part_looks_end(&r.parts);
    pli_json_writer_release(&json);
    pli_json_writer_release(&r.roots);
    pli_json_writer_release(&r.nodes);
    pli_json_writer_release(&r.meshes);
    pli_looks_release(&r.looks);
    pli_glb_writer_release(&r.glb);
    return ok;
}

// ---------------------------------------------------------------------------------------------

static pliant_mesh *read_again(const pliant_mesh *mesh, pliant_error *error)
{
    void *data;
    size_t size;
    if (!write_glb(mesh, &data, &size)) {
        pli_glb_fail(error);
        return NULL;
    }
    pliant_gltf *gltf = pli_gltf_open_alone(data, size, NULL, error);
    free(data);
    return gltf ? pli_gltf_flatten(gltf, NULL, error) : NULL;
}

// Unit length, as files want them, or zero.
static vec3 tidy_normal(vec3 n)
{
    float largest = maximum(absolute(n.x), maximum(absolute(n.y), absolute(n.z)));
    if (!vec3_is_finite(n) || !(largest > 0.0f))
        return n;
    n = vec3_scale(n, 1.0f / largest); // so that no square is too small or too large
    return vec3_is_finite(n) ? vec3_scale(n, 1.0f / vec3_length(n)) : (vec3){0, 0, 0};
}

pliant_mesh *pliant_mesh_create_reshaped(const pliant_mesh *mesh, const pliant_vec3 *positions,
                                         const pliant_vec3 *normals, pliant_error *error)
{
    size_t count = (size_t)mesh->vertex_count;
    pliant_vec3 *vectors = malloc((2 * count + 1) * sizeof *vectors);
    if (!vectors) {
        pli_error_memory(error);
        return NULL;
    }
    pliant_mesh shaped = *mesh;
    shaped.positions = vectors;
    shaped.normals = vectors + count;
    for (size_t i = 0; i < count; ++i) {
        shaped.positions[i] = positions[i];
        shaped.normals[i] = tidy_normal(normals[i]);
    }
    pliant_mesh *result = NULL;
    if (pli_mesh_check(&shaped, error) == PLIANT_OK)
        result = mesh->document ? read_again(&shaped, error) : pli_mesh_copy(&shaped, error);
    free(vectors);
    return result;
}
