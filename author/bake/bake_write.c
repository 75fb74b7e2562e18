// A recorded run as GLB. Every particle is a joint with baked translation and rotation, all joints of
// a body hang under one node at the scene's root, and the body's mesh is skinned to them: since a
// viewer's skinning is the linear blend that pliant_body_skin does, it shows the same vertices. A collider
// is one node with its shape's mesh.

#include "bake_document.h"

#include "core/error.h"
#include "io/decimal.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int pli_bake_begin_node(bake_document *document, const char *name)
{
    pli_json_begin_object(&document->nodes, NULL);
    pli_json_write_string(&document->nodes, "name", name);
    return document->node_count++;
}

void pli_bake_end_node(bake_document *document, bool at_root)
{
    pli_json_end_object(&document->nodes);
    if (at_root)
        pli_json_write_int(&document->roots, NULL, document->node_count - 1);
}

// ---------------------------------------------------------------------------------------------
// Animation

// Times begin at 0, wherever the recording began: a viewer plays at once.
static int time_accessor(bake_document *document)
{
    if (document->time_accessor < 0) {
        const pliant_bake *bake = document->bake;
        int count = bake->frame_count;
        float *times = document->times;
        for (int i = 0; i < count; ++i)
            times[i] = *bake_time(bake, i) - *bake_time(bake, 0);
        int view = pli_glb_add_view(&document->glb, times, (size_t)count * sizeof *times, 0,
                                    GLB_TARGET_NONE);
        document->time_accessor =
            pli_glb_add_accessor(&document->glb, &(glb_accessor){.view = view,
                                                                 .component = GLB_FLOAT,
                                                                 .count = count,
                                                                 .type = "SCALAR",
                                                                 .minimum = &times[0],
                                                                 .maximum = &times[count - 1]});
    }
    return document->time_accessor;
}

// `values` holds one element of 3 (a translation) or 4 floats (a rotation) a frame. What never
// changes gets no channel: the node says it already.
static void add_channel(bake_document *document, int node, const float *values, int components)
{
    int count = document->bake->frame_count;
    size_t stride = (size_t)components * sizeof(float);
    bool moves = false; // by value, for which -0 and 0 are the same
    for (size_t i = (size_t)components; i < (size_t)count * (size_t)components && !moves; ++i)
        moves = values[i] != values[i % (size_t)components];
    if (!moves)
        return;

    int input = time_accessor(document);
    int view = pli_glb_add_view(&document->glb, values, (size_t)count * stride, 0, GLB_TARGET_NONE);
    int output = pli_glb_add_accessor(&document->glb,
                                      &(glb_accessor){.view = view,
                                                      .component = GLB_FLOAT,
                                                      .count = count,
                                                      .type = components == 3 ? "VEC3" : "VEC4"});
    pli_json_begin_object(&document->samplers, NULL);
    pli_json_write_int(&document->samplers, "input", input);
    pli_json_write_int(&document->samplers, "output", output);
    pli_json_end_object(&document->samplers);

    pli_json_begin_object(&document->channels, NULL);
    pli_json_write_int(&document->channels, "sampler", document->sampler_count++);
    pli_json_begin_object(&document->channels, "target");
    pli_json_write_int(&document->channels, "node", node);
    pli_json_write_string(&document->channels, "path",
                          components == 3 ? "translation" : "rotation");
    pli_json_end_object(&document->channels);
    pli_json_end_object(&document->channels);
}

void pli_bake_animate(bake_document *document, int node, int index)
{
    const pliant_bake *bake = document->bake;
    float *values = document->scratch;
    for (int i = 0; i < bake->frame_count; ++i)
        memcpy(values + 3 * (size_t)i, &bake_pose(bake, i, index)->position, 3 * sizeof(float));
    add_channel(document, node, values, 3);
    for (int i = 0; i < bake->frame_count; ++i)
        memcpy(values + 4 * (size_t)i, &bake_pose(bake, i, index)->orientation, 4 * sizeof(float));
    add_channel(document, node, values, 4);
}

// ---------------------------------------------------------------------------------------------
// Bodies

enum { NAME_SIZE = 128 };

// A body's name, or one that tells bodies of equal or no name apart.
static void body_name(const pliant_scene *scene, int index, char name[NAME_SIZE])
{
    const char *given = scene->bodies[index].name;
    bool unique = given[0] != 0;
    for (int i = 0; i < index && unique; ++i)
        unique = strcmp(scene->bodies[i].name, given) != 0;
    strcpy(name, given[0] ? given : "body");
    if (!unique) {
        strcat(name, " #");
        pli_decimal_write_int(name + strlen(name), index);
    }
}

static void add_skin(bake_document *document, const char *name, int inverse_bind_matrices, int root,
                     int joint_count)
{
    json_writer *json = &document->skins;
    pli_json_begin_object(json, NULL);
    pli_json_write_string(json, "name", name);
    pli_json_write_int(json, "inverseBindMatrices", inverse_bind_matrices);
    pli_json_write_int(json, "skeleton", root);
    pli_json_begin_array(json, "joints");
    for (int i = 0; i < joint_count; ++i)
        pli_json_write_int(json, NULL, root + 1 + i);
    pli_json_end_array(json);
    pli_json_end_object(json);
    ++document->skin_count;
}

static int add_joint_root(bake_document *document, const char *body, int joint_count)
{
    char name[NAME_SIZE + 16];
    strcpy(name, body);
    strcat(name, " joints");
    int root = pli_bake_begin_node(document, name);
    pli_json_begin_array(&document->nodes, "children");
    for (int i = 0; i < joint_count; ++i)
        pli_json_write_int(&document->nodes, NULL, root + 1 + i);
    pli_json_end_array(&document->nodes);
    pli_bake_end_node(document, true);
    return root;
}

static void add_joint(bake_document *document, const char *body, int index, int particle)
{
    char name[NAME_SIZE + DECIMAL_SIZE];
    strcpy(name, body);
    strcat(name, ".p");
    pli_decimal_write_int(name + strlen(name), index);
    const pliant_pose *start = bake_pose(document->bake, 0, particle);
    int node = pli_bake_begin_node(document, name);
    pli_json_write_floats(&document->nodes, "translation", &start->position.x, 3);
    pli_json_write_floats(&document->nodes, "rotation", &start->orientation.x, 4);
    pli_bake_end_node(document, false);
    pli_bake_animate(document, node, particle);
}

static void add_body(bake_document *document, int index)
{
    const pliant_scene *scene = document->bake->stage->scene;
    const pliant_scene_body *body = &scene->bodies[index];
    int first = document->bake->first_particles[index];
    int joint_count = document->bake->first_particles[index + 1] - first;
    char name[NAME_SIZE];
    body_name(scene, index, name);

    const bake_geometry *geometry = pli_bake_model_geometry(document, body->model, name);
    int mesh = geometry->mesh;
    if (mesh < 0)
        mesh = pli_bake_add_mesh(document, geometry, name, body->colour, false);
    pli_bake_begin_node(document, name);
    pli_json_write_int(&document->nodes, "mesh", mesh);
    pli_json_write_int(&document->nodes, "skin", document->skin_count);
    pli_bake_end_node(document, true);

    int root = add_joint_root(document, name, joint_count);
    add_skin(document, name, geometry->inverse_bind_matrices, root, joint_count);
    for (int i = 0; i < joint_count; ++i)
        add_joint(document, name, i, first + i);
}

// ---------------------------------------------------------------------------------------------
// The document

static void write_animation(json_writer *json, const bake_document *document)
{
    if (document->sampler_count == 0)
        return;
    pli_json_begin_array(json, "animations");
    pli_json_begin_object(json, NULL);
    pli_json_write_string(json, "name", "run");
    pli_json_write_list(json, "channels", &document->channels);
    pli_json_write_list(json, "samplers", &document->samplers);
    pli_json_end_object(json);
    pli_json_end_array(json);
}

// An object that glb_finish completes and closes.
static void write_document(json_writer *json, const bake_document *document)
{
    const char *name = document->bake->stage->scene->name;
    pli_json_begin_object(json, NULL);
    pli_json_begin_object(json, "asset");
    pli_json_write_string(json, "version", "2.0");
    pli_json_write_string(json, "generator", "Pliant " PLIANT_VERSION_STRING);
    pli_json_end_object(json);
    pli_json_write_int(json, "scene", 0);
    pli_json_begin_array(json, "scenes");
    pli_json_begin_object(json, NULL);
    if (name[0])
        pli_json_write_string(json, "name", name);
    pli_json_write_list(json, "nodes", &document->roots);
    pli_json_end_object(json);
    pli_json_end_array(json);
    pli_json_write_list(json, "nodes", &document->nodes);
    pli_json_write_list(json, "meshes", &document->meshes);
    pli_json_write_list(json, "skins", &document->skins);
    pli_looks_write(&document->looks, json);
    pli_json_write_list(json, "cameras", &document->cameras);
    write_animation(json, document);
}

static bool document_failed(const bake_document *d)
{
    return d->glb.failed || d->roots.failed || d->nodes.failed || d->meshes.failed ||
           d->skins.failed || d->cameras.failed || d->samplers.failed || d->channels.failed ||
           pli_looks_failed(&d->looks);
}

static void release_document(bake_document *d)
{
    json_writer *writers[] = {&d->roots,   &d->nodes,    &d->meshes,  &d->skins,
                              &d->cameras, &d->samplers, &d->channels};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; ++i)
        pli_json_writer_release(writers[i]);
    pli_glb_writer_release(&d->glb);
    pli_looks_release(&d->looks);
    free(d->geometries);
    free(d->shape_geometries);
    free(d->times);
    free(d->scratch);
}

static void find_bounds(bake_document *document)
{
    const pliant_bake *bake = document->bake;
    vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int frame = 0; frame < bake->frame_count; ++frame) {
        for (int i = 0; i < bake->particle_count; ++i) {
            vec3 x = bake_pose(bake, frame, i)->position;
            low = (vec3){minimum(low.x, x.x), minimum(low.y, x.y), minimum(low.z, x.z)};
            high = (vec3){maximum(high.x, x.x), maximum(high.y, x.y), maximum(high.z, x.z)};
        }
    }
    document->minimum = low;
    document->maximum = high;
}

static pliant_result check_joint_counts(const pliant_scene *scene, pliant_error *error)
{
    for (int i = 0; i < scene->body_count; ++i) {
        int count = pliant_model_particle_count(scene->models[scene->bodies[i].model]);
        if (count > 65536)
            return pli_error_set(error, PLIANT_ERROR_ARGUMENT, scene->bodies[i].name,
                                 "%d particles, but a glTF skin holds at most 65536 joints", count);
    }
    return PLIANT_OK;
}

pliant_result pliant_bake_write(const pliant_bake *bake, void **data, size_t *size,
                                pliant_error *error)
{
    const pliant_scene *scene = bake->stage->scene;
    if (bake->frame_count == 0)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "bake", "there is no frame in it");
    pliant_result result = check_joint_counts(scene, error);
    if (result != PLIANT_OK)
        return result;

    bake_document document = {.bake = bake, .time_accessor = -1};
    document.geometries = calloc((size_t)scene->model_count + 1, sizeof(bake_geometry));
    document.shape_geometries = calloc((size_t)scene->shape_count + 1, sizeof(bake_geometry));
    document.times = malloc((size_t)bake->frame_count * sizeof(float));
    document.scratch = malloc((size_t)bake->frame_count * 4 * sizeof(float));
    json_writer json = {0};
    bool ok =
        document.geometries && document.shape_geometries && document.times && document.scratch;
    if (ok) {
        find_bounds(&document);
        for (int i = 0; i < scene->body_count; ++i)
            add_body(&document, i);
        pli_bake_add_colliders(&document);
        if (bake->options.planes)
            pli_bake_add_planes(&document);
        pli_bake_add_camera(&document);
        write_document(&json, &document);
        ok = !document_failed(&document) && pli_glb_finish(&document.glb, &json, data, size);
    }
    pli_json_writer_release(&json);
    release_document(&document);
    return ok ? PLIANT_OK : pli_glb_fail(error);
}
