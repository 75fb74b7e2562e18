// Colours of vertices are no part of a model but of its visual mesh: that is written as a GLB with them and
// read, as one from a file is.

#include "sketch.h"

#include "craft.h"

#include "core/error.h"
#include "io/glb_write.h"

#include <stdlib.h>
#include <string.h>

sketch sketch_begin(void)
{
    sketch s = {.builder = pliant_builder_create(NULL)};
    s.failed = !s.builder;
    return s;
}

static bool grow_colours(sketch *s)
{
    if (s->colour_count < s->colour_capacity)
        return true;
    int capacity = s->colour_capacity ? 2 * s->colour_capacity : 4096;
    void *colours = realloc(s->colours, (size_t)capacity * sizeof *s->colours);
    if (!colours)
        return false;
    s->colours = colours;
    s->colour_capacity = capacity;
    return true;
}

// Heaviest first, as a model wants them.
static void sort_links(sketch_links *links)
{
    for (int i = 1; i < PLIANT_MAX_LINKS; ++i) {
        for (int k = i; k > 0 && links->weights[k] > links->weights[k - 1]; --k) {
            float weight = links->weights[k];
            int32_t particle = links->particles[k];
            links->weights[k] = links->weights[k - 1];
            links->particles[k] = links->particles[k - 1];
            links->weights[k - 1] = weight;
            links->particles[k - 1] = particle;
        }
    }
}

int sketch_vertex(sketch *s, vec3 position, vec3 normal, const sketch_links *links, uint32_t colour)
{
    if (s->failed || !grow_colours(s)) {
        s->failed = true;
        return -1;
    }
    sketch_links sorted = *links;
    sort_links(&sorted);
    pliant_vertex_def vertex = {.position = position, .normal = normal};
    memcpy(vertex.particles, sorted.particles, sizeof vertex.particles);
    memcpy(vertex.weights, sorted.weights, sizeof vertex.weights);
    craft_colour(s->colours[s->colour_count++], colour);
    return pliant_builder_add_vertex(s->builder, &vertex);
}

void sketch_grid(sketch *s, int base, int columns, int rows)
{
    for (int row = 0; row + 1 < rows && !s->failed; ++row) {
        for (int column = 0; column + 1 < columns; ++column) {
            int a = base + row * columns + column, b = a + 1, c = b + columns, d = a + columns;
            pliant_builder_add_triangle(s->builder, a, b, c);
            pliant_builder_add_triangle(s->builder, a, c, d);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The mesh

static int add_vectors(glb_writer *glb, const float *values, int count, const float *bounds)
{
    size_t size = (size_t)count * 3 * sizeof *values;
    int view = pli_glb_add_view(glb, values, size, 3 * (int)sizeof *values, GLB_TARGET_VERTICES);
    return pli_glb_add_accessor(glb, &(glb_accessor){.view = view,
                                                     .component = GLB_FLOAT,
                                                     .count = count,
                                                     .type = "VEC3",
                                                     .minimum = bounds,
                                                     .maximum = bounds ? bounds + 3 : NULL});
}

static int add_positions(glb_writer *glb, const float *values, int count)
{
    float bounds[6];
    for (int k = 0; k < 3; ++k)
        bounds[k] = bounds[3 + k] = values[k];
    for (int i = 0; i < 3 * count; ++i) {
        bounds[i % 3] = minimum(bounds[i % 3], values[i]);
        bounds[3 + i % 3] = maximum(bounds[3 + i % 3], values[i]);
    }
    return add_vectors(glb, values, count, bounds);
}

static int add_indices(glb_writer *glb, const pliant_model *model)
{
    int count = 3 * pliant_model_triangle_count(model);
    int view = pli_glb_add_view(glb, pliant_model_triangles(model), (size_t)count * sizeof(int32_t),
                                0, GLB_TARGET_INDICES);
    return pli_glb_add_accessor(
        glb,
        &(glb_accessor){.view = view, .component = GLB_UINT, .count = count, .type = "SCALAR"});
}

// A list of one object, which stays open.
static void begin_only(json_writer *json, const char *key)
{
    pli_json_begin_array(json, key);
    pli_json_begin_object(json, NULL);
}

static void end_only(json_writer *json)
{
    pli_json_end_object(json);
    pli_json_end_array(json);
}

static void write_scene(json_writer *json)
{
    pli_json_begin_object(json, "asset");
    pli_json_write_string(json, "version", "2.0");
    pli_json_end_object(json);
    begin_only(json, "scenes");
    pli_json_begin_array(json, "nodes");
    pli_json_write_int(json, NULL, 0);
    pli_json_end_array(json);
    end_only(json);
    begin_only(json, "nodes");
    pli_json_write_int(json, "mesh", 0);
    end_only(json);
    begin_only(json, "materials");
    pli_json_write_bool(json, "doubleSided", true);
    pli_json_begin_object(json, "pbrMetallicRoughness");
    pli_json_write_float(json, "metallicFactor", 0.0f);
    pli_json_write_float(json, "roughnessFactor", 0.6f);
    pli_json_end_object(json);
    end_only(json);
}

static void write_mesh(json_writer *json, glb_writer *glb, const pliant_model *model,
                       const float *positions, const float *normals, const float *colours)
{
    int count = pliant_model_vertex_count(model);
    begin_only(json, "meshes");
    begin_only(json, "primitives");
    pli_json_begin_object(json, "attributes");
    pli_json_write_int(json, "POSITION", add_positions(glb, positions, count));
    pli_json_write_int(json, "NORMAL", add_vectors(glb, normals, count, NULL));
    pli_json_write_int(json, "COLOR_0", add_vectors(glb, colours, count, NULL));
    pli_json_end_object(json);
    pli_json_write_int(json, "indices", add_indices(glb, model));
    pli_json_write_int(json, "material", 0);
    end_only(json);
    end_only(json);
}

static pliant_mesh *make_mesh(const sketch *s, const pliant_model *model, pliant_error *error)
{
    int count = pliant_model_vertex_count(model);
    float *positions = malloc((size_t)count * 6 * sizeof *positions);
    if (!positions)
        return NULL;
    float *normals = positions + 3 * (size_t)count;
    for (int i = 0; i < count; ++i) {
        const pliant_vertex_def *vertex = &pliant_model_vertices(model)[i];
        memcpy(positions + 3 * (size_t)i, &vertex->position, 3 * sizeof *positions);
        memcpy(normals + 3 * (size_t)i, &vertex->normal, 3 * sizeof *normals);
    }
    glb_writer glb = {0};
    json_writer json = {0};
    pli_json_begin_object(&json, NULL);
    write_scene(&json);
    write_mesh(&json, &glb, model, positions, normals, s->colours[0]);
    void *data;
    size_t size;
    pliant_mesh *mesh = NULL;
    if (pli_glb_finish(&glb, &json, &data, &size)) {
        mesh = pliant_mesh_read(data, size, NULL, NULL, error);
        free(data);
    }
    pli_json_writer_release(&json);
    pli_glb_writer_release(&glb);
    free(positions);
    return mesh;
}

pliant_scene_body *sketch_finish(sketch *s, pliant_scene *scene, const char *name,
                                 pliant_error *error)
{
    pliant_model *model = s->failed || !scene ? NULL : pliant_builder_build(s->builder, error);
    pliant_mesh *mesh = model ? make_mesh(s, model, error) : NULL;
    pliant_scene_body *body = NULL;
    if (mesh)
        body = craft_model_body(scene, model, name, 0xffffff);
    else
        pliant_model_destroy(model);
    if (body)
        pliant_scene_set_mesh(scene, body->model, mesh, error);
    else
        pliant_mesh_destroy(mesh);
    if (!body && error && error->code == PLIANT_OK)
        pli_error_memory(error);
    pliant_builder_destroy(s->builder);
    free(s->colours);
    *s = (sketch){0};
    return body;
}
