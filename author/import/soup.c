// A soup as GLB. All materials show both sides: formats that come this way do not say which side of a
// triangle is meant to be seen, and many of their meshes are open.

#include "soup.h"

#include "core/error.h"
#include "gltf/glb_write.h"
#include "io/utf8.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

typedef struct soup_writer {
    const triangle_soup *soup;
    glb_writer glb;
    json_writer json;
    bool failed;        // for want of memory
    int plain_material; // that parts without one get, or -1
} soup_writer;

soup_material pli_soup_default_material(void)
{
    return (soup_material){.colour = {0.8f, 0.8f, 0.8f, 1.0f},
                           .roughness = 0.8f,
                           .colour_image = -1,
                           .emission_image = -1,
                           .normal_image = -1};
}

const char *pli_soup_image_type(const void *bytes, size_t size)
{
    if (size > 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0)
        return "image/png";
    if (size > 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0)
        return "image/jpeg";
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Checks

static pliant_result check_part(const soup_part *part, int index, pliant_error *error)
{
    for (int32_t i = 0; i < part->vertex_count; ++i) {
        bool is_finite = vec3_is_finite(part->positions[i]);
        if (part->coordinates)
            is_finite &= isfinite(part->coordinates[i][0]) && isfinite(part->coordinates[i][1]);
        if (!is_finite)
            return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "part", index,
                                    "vertex %d has a number that is not finite", (int)i);
    }
    for (size_t i = 0; i < 3 * (size_t)part->triangle_count; ++i) {
        int64_t vertex = (int64_t)part->triangles[i] - part->first_vertex;
        if (vertex < 0 || vertex >= part->vertex_count)
            return pli_error_set_at(error, PLIANT_ERROR_ARGUMENT, "part", index,
                                    "triangle %d uses a vertex of another part", (int)(i / 3));
    }
    return PLIANT_OK;
}

static pliant_result check(const triangle_soup *soup, pliant_error *error)
{
    for (int i = 0; i < soup->part_count; ++i) {
        pliant_result result = check_part(&soup->parts[i], i, error);
        if (result != PLIANT_OK)
            return result;
    }
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Geometry

static int add_vertices(soup_writer *w, const void *values, int32_t count, int components,
                        const float *minimum, const float *maximum)
{
    size_t size = (size_t)count * (size_t)components * sizeof(float);
    int view = pli_glb_add_view(&w->glb, values, size, 0, GLB_TARGET_VERTICES);
    return pli_glb_add_accessor(&w->glb, &(glb_accessor){.view = view,
                                                         .component = GLB_FLOAT,
                                                         .count = count,
                                                         .type = components == 3 ? "VEC3" : "VEC2",
                                                         .minimum = minimum,
                                                         .maximum = maximum});
}

static int add_positions(soup_writer *w, const soup_part *part)
{
    pliant_vec3 low = part->positions[0], high = low;
    for (int32_t i = 1; i < part->vertex_count; ++i) {
        pliant_vec3 p = part->positions[i];
        low = (pliant_vec3){p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y,
                            p.z < low.z ? p.z : low.z};
        high = (pliant_vec3){p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y,
                             p.z > high.z ? p.z : high.z};
    }
    const float minimum[3] = {low.x, low.y, low.z}, maximum[3] = {high.x, high.y, high.z};
    return add_vertices(w, part->positions, part->vertex_count, 3, minimum, maximum);
}

// Unit length; zero for those without a direction. The largest component is brought to 1 first, as squares of
// floats can be too large or too small for one.
static vec3 direction(vec3 v)
{
    float largest = fabsf(v.x) > fabsf(v.y) ? fabsf(v.x) : fabsf(v.y);
    largest = fabsf(v.z) > largest ? fabsf(v.z) : largest;
    if (largest == 0.0f || !vec3_is_finite(v))
        return (vec3){0.0f, 0.0f, 0.0f};
    vec3 scaled = {v.x / largest, v.y / largest, v.z / largest};
    return vec3_scale(scaled, 1.0f / vec3_length(scaled));
}

// Fills the normals that are zero with those of the triangles around.
static void complete_normals(const soup_part *part, vec3 *normals, vec3 *sums)
{
    for (int32_t i = 0; i < part->triangle_count; ++i) {
        int32_t corners[3];
        for (int j = 0; j < 3; ++j)
            corners[j] = part->triangles[3 * (size_t)i + (size_t)j] - part->first_vertex;
        const vec3 *p = part->positions;
        vec3 area = direction(vec3_cross(vec3_sub(p[corners[1]], p[corners[0]]),
                                         vec3_sub(p[corners[2]], p[corners[0]])));
        for (int j = 0; j < 3; ++j)
            sums[corners[j]] = vec3_add(sums[corners[j]], area);
    }
    for (int32_t i = 0; i < part->vertex_count; ++i) {
        if (vec3_dot(normals[i], normals[i]) > 0.0f)
            continue;
        normals[i] = direction(sums[i]);
        if (!(vec3_dot(normals[i], normals[i]) > 0.0f))
            normals[i] = (vec3){0.0f, 1.0f, 0.0f};
    }
}

static int add_normals(soup_writer *w, const soup_part *part)
{
    size_t count = (size_t)part->vertex_count;
    vec3 *normals = calloc(2 * count, sizeof *normals);
    if (!normals) {
        w->failed = true;
        return 0;
    }
    bool is_complete = true;
    for (size_t i = 0; i < count; ++i) {
        normals[i] = direction(part->normals[i]);
        is_complete &= vec3_dot(normals[i], normals[i]) > 0.0f;
    }
    if (!is_complete)
        complete_normals(part, normals, normals + count);
    int accessor = add_vertices(w, normals, part->vertex_count, 3, NULL, NULL);
    free(normals);
    return accessor;
}

// A material with images wants coordinates, also where the part has none.
static int add_coordinates(soup_writer *w, const soup_part *part)
{
    if (part->coordinates)
        return add_vertices(w, part->coordinates, part->vertex_count, 2, NULL, NULL);
    float *zeros = calloc((size_t)part->vertex_count, 2 * sizeof *zeros);
    if (!zeros) {
        w->failed = true;
        return 0;
    }
    int accessor = add_vertices(w, zeros, part->vertex_count, 2, NULL, NULL);
    free(zeros);
    return accessor;
}

// The largest number of a type may not be used as an index.
static int add_indices(soup_writer *w, const soup_part *part)
{
    bool is_short = part->vertex_count <= UINT16_MAX;
    size_t count = 3 * (size_t)part->triangle_count;
    size_t size = count * (is_short ? sizeof(uint16_t) : sizeof(uint32_t));
    void *indices = count <= INT32_MAX ? malloc(size) : NULL;
    if (!indices) {
        w->failed = true;
        return 0;
    }
    for (size_t i = 0; i < count; ++i) {
        int32_t index = part->triangles[i] - part->first_vertex;
        if (is_short)
            ((uint16_t *)indices)[i] = (uint16_t)index;
        else
            ((uint32_t *)indices)[i] = (uint32_t)index;
    }
    int view = pli_glb_add_view(&w->glb, indices, size, 0, GLB_TARGET_INDICES);
    free(indices);
    return pli_glb_add_accessor(&w->glb,
                                &(glb_accessor){.view = view,
                                                .component = is_short ? GLB_USHORT : GLB_UINT,
                                                .count = (int)count,
                                                .type = "SCALAR"});
}

// ---------------------------------------------------------------------------------------------
// The document

static void write_name(soup_writer *w, slice name)
{
    if (name.size == 0)
        return;
    char *text = pli_utf8_copy(name);
    if (text)
        pli_json_write_string(&w->json, "name", text);
    else
        w->failed = true;
    free(text);
}

static bool has_images(const soup_material *material)
{
    return material->colour_image >= 0 || material->emission_image >= 0 ||
           material->normal_image >= 0;
}

static void write_primitive(soup_writer *w, const soup_part *part)
{
    json_writer *json = &w->json;
    pli_json_begin_object(json, NULL);
    pli_json_begin_object(json, "attributes");
    pli_json_write_int(json, "POSITION", add_positions(w, part));
    if (part->normals)
        pli_json_write_int(json, "NORMAL", add_normals(w, part));
    if (part->coordinates ||
        (part->material >= 0 && has_images(&w->soup->materials[part->material])))
        pli_json_write_int(json, "TEXCOORD_0", add_coordinates(w, part));
    pli_json_end_object(json);
    pli_json_write_int(json, "indices", add_indices(w, part));
    pli_json_write_int(json, "material", part->material >= 0 ? part->material : w->plain_material);
    pli_json_end_object(json);
}

// The part behind those of the object that begins with part `first`.
static int end_of_object(const triangle_soup *soup, int first)
{
    int end = first;
    while (end < soup->part_count && soup->parts[end].object == soup->parts[first].object)
        ++end;
    return end;
}

static bool has_triangles(const triangle_soup *soup, int first, int end)
{
    for (int i = first; i < end; ++i) {
        if (soup->parts[i].triangle_count > 0)
            return true;
    }
    return false;
}

// Writes one object with triangles, the `number`th such, whose parts are `first` … end - 1.
typedef void write_object(soup_writer *w, int number, int first, int end);

static void write_root(soup_writer *w, int number, int first, int end)
{
    (void)first, (void)end;
    pli_json_write_int(&w->json, NULL, number);
}

static void write_node(soup_writer *w, int number, int first, int end)
{
    (void)end;
    pli_json_begin_object(&w->json, NULL);
    write_name(w, w->soup->objects[w->soup->parts[first].object]);
    pli_json_write_int(&w->json, "mesh", number);
    pli_json_end_object(&w->json);
}

static void write_mesh(soup_writer *w, int number, int first, int end)
{
    (void)number;
    pli_json_begin_object(&w->json, NULL);
    write_name(w, w->soup->objects[w->soup->parts[first].object]);
    pli_json_begin_array(&w->json, "primitives");
    for (int i = first; i < end; ++i) {
        if (w->soup->parts[i].triangle_count > 0)
            write_primitive(w, &w->soup->parts[i]);
    }
    pli_json_end_array(&w->json);
    pli_json_end_object(&w->json);
}

static void write_image_use(json_writer *json, const char *key, int image)
{
    if (image < 0)
        return;
    pli_json_begin_object(json, key);
    pli_json_write_int(json, "index", image);
    pli_json_end_object(json);
}

// Also of numbers that are not finite.
static float unit_range(float value)
{
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

static void write_unit_floats(json_writer *json, const char *key, const float *values, int count)
{
    float limited[4];
    for (int i = 0; i < count; ++i)
        limited[i] = unit_range(values[i]);
    pli_json_write_floats(json, key, limited, count);
}

static void write_material(soup_writer *w, const soup_material *material)
{
    json_writer *json = &w->json;
    pli_json_begin_object(json, NULL);
    write_name(w, material->name);
    pli_json_begin_object(json, "pbrMetallicRoughness");
    write_unit_floats(json, "baseColorFactor", material->colour, 4);
    write_image_use(json, "baseColorTexture", material->colour_image);
    pli_json_write_float(json, "metallicFactor", unit_range(material->metallic));
    pli_json_write_float(json, "roughnessFactor", unit_range(material->roughness));
    pli_json_end_object(json);
    write_image_use(json, "normalTexture", material->normal_image);
    write_unit_floats(json, "emissiveFactor", material->emission, 3);
    write_image_use(json, "emissiveTexture", material->emission_image);
    if (material->is_blended)
        pli_json_write_string(json, "alphaMode", "BLEND");
    pli_json_write_bool(json, "doubleSided", true);
    pli_json_end_object(json);
}

static void write_materials(soup_writer *w)
{
    pli_json_begin_array(&w->json, "materials");
    for (int i = 0; i < w->soup->material_count; ++i)
        write_material(w, &w->soup->materials[i]);
    if (w->plain_material >= 0) {
        soup_material plain = pli_soup_default_material();
        write_material(w, &plain);
    }
    pli_json_end_array(&w->json);
}

static void write_images(soup_writer *w)
{
    if (w->soup->image_count == 0)
        return;
    json_writer *json = &w->json;
    pli_json_begin_array(json, "textures");
    for (int i = 0; i < w->soup->image_count; ++i) {
        pli_json_begin_object(json, NULL);
        pli_json_write_int(json, "source", i);
        pli_json_end_object(json);
    }
    pli_json_end_array(json);
    pli_json_begin_array(json, "images");
    for (int i = 0; i < w->soup->image_count; ++i) {
        const soup_image *image = &w->soup->images[i];
        pli_json_begin_object(json, NULL);
        write_name(w, image->name);
        pli_json_write_string(json, "mimeType", pli_soup_image_type(image->bytes, image->size));
        pli_json_write_int(
            json, "bufferView",
            pli_glb_add_view(&w->glb, image->bytes, image->size, 0, GLB_TARGET_NONE));
        pli_json_end_object(json);
    }
    pli_json_end_array(json);
}

static void begin_document(json_writer *json)
{
    pli_json_begin_object(json, NULL);
    pli_json_begin_object(json, "asset");
    pli_json_write_string(json, "version", "2.0");
    pli_json_write_string(json, "generator", "Pliant " PLIANT_VERSION_STRING);
    pli_json_end_object(json);
    pli_json_write_int(json, "scene", 0);
}

static void write_objects(soup_writer *w, const char *key, write_object *write)
{
    pli_json_begin_array(&w->json, key);
    int count = 0;
    for (int first = 0, end; first < w->soup->part_count; first = end) {
        end = end_of_object(w->soup, first);
        if (has_triangles(w->soup, first, end))
            write(w, count++, first, end);
    }
    pli_json_end_array(&w->json);
}

static void write_document(soup_writer *w)
{
    begin_document(&w->json);
    bool is_empty = !has_triangles(w->soup, 0, w->soup->part_count);
    pli_json_begin_array(&w->json, "scenes");
    pli_json_begin_object(&w->json, NULL);
    if (!is_empty)
        write_objects(w, "nodes", write_root);
    pli_json_end_object(&w->json);
    pli_json_end_array(&w->json);
    if (is_empty)
        return; // glTF has no empty lists
    write_objects(w, "nodes", write_node);
    write_objects(w, "meshes", write_mesh);
    write_materials(w);
    write_images(w);
}

static int find_plain_material(const triangle_soup *soup)
{
    for (int i = 0; i < soup->part_count; ++i) {
        if (soup->parts[i].material < 0 && soup->parts[i].triangle_count > 0)
            return soup->material_count;
    }
    return -1;
}

pliant_result pli_soup_write_glb(const triangle_soup *soup, void **data, size_t *size,
                                 pliant_error *error)
{
    pliant_result result = check(soup, error);
    if (result != PLIANT_OK)
        return result;
    soup_writer writer = {.soup = soup, .plain_material = find_plain_material(soup)};
    write_document(&writer);
    if (writer.failed || !pli_glb_finish(&writer.glb, &writer.json, data, size))
        result = pli_glb_fail(error);
    pli_json_writer_release(&writer.json);
    pli_glb_writer_release(&writer.glb);
    return result;
}
