// What a file says of how its parts look, for files that are written: the attributes of vertices that do not move, the
// indices and the materials.

#include "part_looks.h"

#include "gltf_accessor.h"
#include "math/scalar.h"
#include "json/json_copy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool pli_part_looks_begin(part_looks *m, const pliant_mesh *mesh, glb_writer *glb,
                          gltf_looks *looks, json_writer *json)
{
    *m = (part_looks){
        .mesh = mesh, .gltf = mesh->document, .glb = glb, .looks = looks, .json = json};
    size_t accessors = (size_t)m->gltf->accessors.count;
    m->copies = malloc((accessors + 1) * sizeof *m->copies);
    if (!m->copies)
        return false;
    memset(m->copies, 0xff, (accessors + 1) * sizeof *m->copies);
    m->first_material = pli_looks_add(looks, glb, m->gltf);
    return true;
}

void pli_part_looks_end(part_looks *m)
{
    free(m->copies);
    *m = (part_looks){0};
}

int pli_part_mode(const pliant_gltf *gltf, int part)
{
    json_value mode = pli_json_get(gltf->json, gltf->parts[part].primitive_value, "mode");
    return (int)pli_json_number(gltf->json, mode, GLB_TRIANGLES);
}

static json_value attributes_of(const part_looks *m, int part)
{
    return pli_json_get(m->gltf->json, m->gltf->parts[part].primitive_value, "attributes");
}

bool pli_part_has_attribute(const part_looks *m, int part, const char *name)
{
    return pli_json_get(m->gltf->json, attributes_of(m, part), name) != JSON_NONE;
}

// ---------------------------------------------------------------------------------------------
// Attributes

// Elements of a vertex attribute lie at multiples of four bytes, and so do columns of a matrix.
static void spread(const unsigned char *packed, int count, gltf_shape shape, int component_size,
                   unsigned char *bytes, size_t stride)
{
    size_t column = (size_t)(shape.rows * component_size);
    size_t column_stride = (size_t)pli_gltf_column_stride(shape, component_size);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < shape.columns; ++k) {
            memcpy(bytes + (size_t)i * stride + (size_t)k * column_stride, packed, column);
            packed += column;
        }
    }
}

static int copy_accessor(part_looks *m, int accessor, int target)
{
    const pliant_gltf *gltf = m->gltf;
    glb_writer *glb = m->glb;
    gltf_accessor a = pli_gltf_accessor(gltf, accessor);
    json_value type = pli_json_get(gltf->json, gltf->accessors.items[accessor], "type");
    char type_name[8];
    pli_json_string(gltf->json, type, type_name, sizeof type_name);
    gltf_shape shape = pli_gltf_shape(gltf->json, type);
    size_t element = (size_t)pli_gltf_element_size(shape, a.component_size);
    bool is_vertex = target == GLB_TARGET_VERTICES;
    size_t stride = is_vertex ? (element + 3) & ~(size_t)3 : element;
    unsigned char *packed =
        malloc((size_t)a.count * (size_t)a.components * (size_t)a.component_size + 1);
    unsigned char *bytes = calloc((size_t)a.count + 1, stride);
    int copy = 0;
    if (packed && bytes) {
        pli_gltf_read_raw(gltf, accessor, packed);
        spread(packed, a.count, shape, a.component_size, bytes, stride);
        int view = pli_glb_add_view(glb, bytes, (size_t)a.count * stride,
                                    is_vertex ? (int)stride : 0, target);
        copy = pli_glb_add_accessor(glb, &(glb_accessor){.view = view,
                                                         .component = a.component_type,
                                                         .count = a.count,
                                                         .type = type_name,
                                                         .is_normalized = a.is_normalized});
    } else {
        glb->failed = true;
    }
    free(packed);
    free(bytes);
    return copy;
}

static int shared_copy(part_looks *m, int accessor, int target)
{
    if (m->copies[accessor] < 0)
        m->copies[accessor] = copy_accessor(m, accessor, target);
    return m->copies[accessor];
}

static void place_tangent(const gltf_part *part, const double *from, float *to)
{
    const double *M = part->matrix;
    double t[3];
    for (int k = 0; k < 3; ++k)
        t[k] = M[k] * from[0] + M[4 + k] * from[1] + M[8 + k] * from[2];
    double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    bool has_direction = length > 0.0 && isfinite(length);
    for (int k = 0; k < 3; ++k)
        to[k] = has_direction ? (float)(t[k] / length) : k == 0;
    to[3] = (from[3] < 0.0) != part->is_mirrored ? -1.0f : 1.0f;
}

static int add_tangents(part_looks *m, int part, int accessor)
{
    glb_writer *glb = m->glb;
    size_t count = (size_t)m->mesh->parts[part].vertex_count;
    double *from = malloc((count * 4 + 1) * sizeof *from);
    float *to = malloc((count * 4 + 1) * sizeof *to);
    int tangents = 0;
    if (from && to) {
        pli_gltf_read_doubles(m->gltf, accessor, from);
        for (size_t i = 0; i < count; ++i)
            place_tangent(&m->gltf->parts[part], from + 4 * i, to + 4 * i);
        int view = pli_glb_add_view(glb, to, count * 4 * sizeof *to, 16, GLB_TARGET_VERTICES);
        tangents = pli_glb_add_accessor(
            glb, &(glb_accessor){
                     .view = view, .component = GLB_FLOAT, .count = (int)count, .type = "VEC4"});
    } else {
        glb->failed = true;
    }
    free(from);
    free(to);
    return tangents;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

// Texture coordinates of a type that glTF knows through an extension only.
static bool is_quantized(gltf_accessor a)
{
    bool is_unsigned = a.component_type == GLB_UBYTE || a.component_type == GLB_USHORT;
    return a.component_type != GLB_FLOAT && !(is_unsigned && a.is_normalized);
}

// Tangents are of use with normals of the same file only, and joints that placed a part at rest would have turned
// them in ways of their own; viewers make up for those that are left out.
static bool keeps_tangents(const part_looks *m, int part, gltf_accessor a)
{
    const gltf_part *source = &m->gltf->parts[part];
    json_value attributes = pli_json_get(m->gltf->json, source->primitive_value, "attributes");
    return !source->is_skinned && a.components == 4 && m->mesh->parts[part].triangle_count > 0 &&
           pli_json_get(m->gltf->json, attributes, "NORMAL") != JSON_NONE;
}

static void add_attribute(part_looks *m, int part, json_value key, bool with_tangents)
{
    const json_document *json = m->gltf->json;
    char name[64];
    pli_json_string(json, key, name, sizeof name);
    int accessor = (int)pli_json_number(json, pli_json_member(json, key), 0.0);
    gltf_accessor a = pli_gltf_accessor(m->gltf, accessor);
    json_copy copy = {.json = json, .writer = m->json};
    if (a.count != m->mesh->parts[part].vertex_count)
        return;
    bool is_coordinate = begins_with(name, "TEXCOORD_");
    if (is_coordinate || begins_with(name, "COLOR_") || begins_with(name, "_")) {
        if (is_coordinate && is_quantized(a))
            pli_looks_use(m->looks, m->gltf, "KHR_mesh_quantization");
        pli_json_copy_key(&copy, key);
        pli_json_write_int(copy.writer, NULL, shared_copy(m, accessor, GLB_TARGET_VERTICES));
    } else if (with_tangents && strcmp(name, "TANGENT") == 0 && keeps_tangents(m, part, a)) {
        pli_json_write_int(copy.writer, name, add_tangents(m, part, accessor));
    }
}

void pli_part_write_attributes(part_looks *m, int part, bool with_tangents)
{
    const json_document *json = m->gltf->json;
    for (json_value key = pli_json_first(json, attributes_of(m, part)); key != JSON_NONE;
         key = pli_json_next(json, key))
        add_attribute(m, part, key, with_tangents);
}

void pli_part_write_rest(part_looks *m, int part)
{
    const pliant_mesh_part *p = &m->mesh->parts[part];
    json_value source = m->gltf->parts[part].primitive_value;
    int indices = pli_gltf_reference(m->gltf, source, "indices");
    if (p->triangle_count > 0)
        pli_json_write_int(
            m->json, "indices",
            pli_glb_add_triangles(m->glb, m->mesh->triangles + 3 * (size_t)p->first_triangle,
                                  p->triangle_count, p->first_vertex, p->vertex_count));
    else if (indices >= 0)
        pli_json_write_int(m->json, "indices", shared_copy(m, indices, GLB_TARGET_INDICES));
    if (p->triangle_count == 0)
        pli_json_write_int(m->json, "mode", pli_part_mode(m->gltf, part));
    int material = pli_gltf_reference(m->gltf, source, "material");
    if (material >= 0)
        pli_json_write_int(m->json, "material", m->first_material + material);
}
