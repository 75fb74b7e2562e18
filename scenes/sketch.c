// Colours of vertices are no part of a model but of its visual mesh: that is written as a GLB with them and
// read, as one from a file is.

#include "sketch.h"

#include "craft.h"

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

// The mesh is written and read: then it has a document, as one from a file has, which bakes keep.
static pliant_mesh *make_mesh(const sketch *s, const pliant_model *model, pliant_error *error)
{
    int vertices = pliant_model_vertex_count(model);
    int triangles = pliant_model_triangle_count(model);
    pliant_mesh *plain = pliant_mesh_create(vertices, triangles, 1), *mesh = NULL;
    if (!plain || !pliant_mesh_add_colours(plain)) {
        pliant_mesh_destroy(plain);
        return NULL;
    }
    for (int i = 0; i < vertices; ++i) {
        const pliant_vertex_def *vertex = &pliant_model_vertices(model)[i];
        plain->positions[i] = vertex->position;
        plain->normals[i] = vertex->normal;
    }
    memcpy(plain->colours, s->colours, (size_t)vertices * sizeof *plain->colours);
    memcpy(plain->triangles, pliant_model_triangles(model),
           3 * (size_t)triangles * sizeof *plain->triangles);
    plain->parts[0] = (pliant_mesh_part){
        .vertex_count = vertices, .triangle_count = triangles, .two_sided = true};
    void *data;
    size_t size;
    if (pliant_mesh_write(plain, &data, &size, error) == PLIANT_OK) {
        mesh = pliant_mesh_read(data, size, NULL, NULL, error);
        free(data);
    }
    pliant_mesh_destroy(plain);
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
    if (!body)
        craft_fail(error);
    pliant_builder_destroy(s->builder);
    free(s->colours);
    *s = (sketch){0};
    return body;
}
