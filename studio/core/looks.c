// How things look, as a GLB: a bake of one frame. The page shows both the document and a scene in this one way; what
// moves comes by the views.

#include "core.h"

#include "bake/bake_document.h"

#include <stdlib.h>

static void *bake_frame(const pliant_stage *stage, size_t *size, pliant_error *error)
{
    pliant_bake *bake = pliant_bake_create(stage, NULL, error);
    void *data = NULL;
    if (!bake || pliant_bake_add_frame(bake, 0.0f, error) != PLIANT_OK ||
        pliant_bake_write(bake, &data, size, error) != PLIANT_OK)
        data = NULL;
    pliant_bake_destroy(bake);
    return data;
}

// ---------------------------------------------------------------------------------------------
// Stand-ins: models whose vertices all hang on one particle. A file with a joint for each particle of a large scene
// would take the page longer to read than to show.

// At two corners of what they stand for: planes are drawn as large as the bodies need.
static pliant_builder *begin_stand_in(vec3 low, vec3 high)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = low;
    if (builder)
        pliant_builder_add_particle(builder, &particle);
    particle.position = high;
    if (builder)
        pliant_builder_add_particle(builder, &particle);
    return builder;
}

static pliant_model *end_stand_in(pliant_builder *builder, const int32_t *triangles, int count,
                                  pliant_error *error)
{
    for (int i = 0; i < count; ++i) {
        const int32_t *corners = triangles + 3 * (size_t)i;
        pliant_builder_add_triangle(builder, corners[0], corners[1], corners[2]);
    }
    pliant_model *model = pliant_builder_build(builder, error);
    pliant_builder_destroy(builder);
    return model;
}

static void widen(vec3 *low, vec3 *high, vec3 x)
{
    *low = (vec3){minimum(low->x, x.x), minimum(low->y, x.y), minimum(low->z, x.z)};
    *high = (vec3){maximum(high->x, x.x), maximum(high->y, x.y), maximum(high->z, x.z)};
}

static pliant_model *stand_in_for_mesh(const pliant_mesh *mesh, pliant_error *error)
{
    pliant_builder *builder = begin_stand_in(mesh->positions[0], mesh->positions[0]);
    if (!builder) {
        pli_error_memory(error);
        return NULL;
    }
    for (int i = 0; i < mesh->vertex_count; ++i) {
        pliant_vertex_def vertex = {.position = mesh->positions[i],
                                    .normal = mesh->normals[i],
                                    .u = mesh->coordinates[i][0],
                                    .v = mesh->coordinates[i][1],
                                    .weights = {1.0f}};
        pliant_builder_add_vertex(builder, &vertex);
    }
    return end_stand_in(builder, mesh->triangles, mesh->triangle_count, error);
}

static pliant_model *stand_in_for_model(const pliant_model *model, pliant_error *error)
{
    const pliant_particle_def *particles = pliant_model_particles(model);
    vec3 low = particles[0].position, high = low;
    for (int i = 1; i < pliant_model_particle_count(model); ++i)
        widen(&low, &high, particles[i].position);
    pliant_builder *builder = begin_stand_in(low, high);
    if (!builder) {
        pli_error_memory(error);
        return NULL;
    }
    for (int i = 0; i < pliant_model_vertex_count(model); ++i) {
        pliant_vertex_def vertex = pliant_model_vertices(model)[i];
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
            vertex.particles[k] = 0;
            vertex.weights[k] = k == 0;
        }
        pliant_builder_add_vertex(builder, &vertex);
    }
    return end_stand_in(builder, pliant_model_triangles(model), pliant_model_triangle_count(model),
                        error);
}

// ---------------------------------------------------------------------------------------------
// Of a scene and of the document

// The scene with other models and nothing that acts on them; all else is borrowed.
static void *bake_scene(const pliant_scene *scene, pliant_model **models, size_t *size,
                        pliant_error *error)
{
    pliant_scene looks = *scene;
    looks.models = models;
    looks.attachment_count = looks.force_count = looks.motor_count = looks.driver_count = 0;
    pliant_stage stage;
    if (pliant_stage_open(&stage, &looks, NULL, error) != PLIANT_OK)
        return NULL;
    void *data = bake_frame(&stage, size, error);
    pliant_stage_close(&stage);
    return data;
}

void *studio_stage_looks(const studio_play *play, size_t *size, pliant_error *error)
{
    const pliant_scene *scene = play->scene;
    pliant_model **models = calloc((size_t)scene->model_count + 1, sizeof(pliant_model *));
    bool ok = models != NULL;
    for (int i = 0; ok && i < scene->model_count; ++i) {
        models[i] = stand_in_for_model(scene->models[i], error);
        ok = models[i] != NULL;
    }
    void *data = ok ? bake_scene(scene, models, size, error) : NULL;
    for (int i = 0; models && i < scene->model_count; ++i)
        pliant_model_destroy(models[i]);
    free(models);
    return data;
}

// One body, with the mesh borrowed.
static void *bake_mesh(pliant_scene *scene, pliant_mesh *mesh, size_t *size, pliant_error *error)
{
    pliant_scene_body body = pliant_default_scene_body();
    if (pliant_scene_add_body(scene, &body) < 0) {
        pli_error_memory(error);
        return NULL;
    }
    scene->meshes[0] = mesh;
    void *data = bake_scene(scene, scene->models, size, error);
    scene->meshes[0] = NULL;
    return data;
}

void *studio_document_looks(const studio_document *document, size_t *size, pliant_error *error)
{
    pliant_model *model = stand_in_for_mesh(document->mesh, error);
    if (!model)
        return NULL;
    pliant_scene *scene = pliant_scene_create();
    if (!scene)
        pliant_model_destroy(model);
    void *data = NULL;
    if (!scene || pliant_scene_add_model(scene, model) < 0)
        pli_error_memory(error);
    else
        data = bake_mesh(scene, document->mesh, size, error);
    pliant_scene_destroy(scene);
    return data;
}

// ---------------------------------------------------------------------------------------------

static void write_primitive(json_writer *json, int first, int count)
{
    pli_json_begin_object(json, NULL);
    pli_json_write_int(json, "firstVertex", first);
    pli_json_write_int(json, "vertices", count);
    pli_json_end_object(json);
}

// With the looks of a file its parts are the primitives, without it is one of all vertices.
void studio_write_primitives(json_writer *json, const pliant_mesh *mesh, int vertex_count)
{
    pli_json_begin_array(json, "primitives");
    if (pli_bake_has_looks(mesh)) {
        for (int i = 0; i < mesh->part_count; ++i) {
            if (pli_bake_shows_part(mesh, i))
                write_primitive(json, mesh->parts[i].first_vertex, mesh->parts[i].vertex_count);
        }
    } else if (vertex_count > 0) {
        write_primitive(json, 0, vertex_count);
    }
    pli_json_end_array(json);
}
