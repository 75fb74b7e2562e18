// Reads a mesh and writes it again, for checks of the files that come out:
//   mesh_tool write IN OUT    as a plain GLB
//   mesh_tool model IN OUT    as a model GLB: one particle to which all of it is bound, and its rig
//   mesh_tool bake IN OUT     two bodies of that model, falling
//   mesh_tool reshape IN OUT  as a plain GLB, a quarter turned and higher the further it is to the side

#include <pliant/author.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, const pliant_error *error)
{
    fprintf(stderr, "%s: %s%s%s\n", what, error->place, error->place[0] ? ": " : "",
            error->message);
    return 1;
}

static pliant_model *bind_to_one(const pliant_mesh *mesh, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    if (!builder)
        return NULL;
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = (pliant_vec3){0.25f, 0.5f, 0.0f};
    particle.orientation = (pliant_quat){0.0f, 0.6f, 0.0f, 0.8f};
    pliant_builder_add_particle(builder, &particle);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        pliant_vertex_def vertex = {.position = mesh->positions[i],
                                    .normal = mesh->normals[i],
                                    .u = mesh->coordinates[i][0],
                                    .v = mesh->coordinates[i][1],
                                    .weights = {1.0f}};
        pliant_builder_add_vertex(builder, &vertex);
    }
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *t = mesh->triangles + 3 * i;
        pliant_builder_add_triangle(builder, t[0], t[1], t[2]);
    }
    pliant_builder_set_rig(builder, mesh->rig);
    pliant_model *model = pliant_builder_build(builder, error);
    pliant_builder_destroy(builder);
    return model;
}

static pliant_result bake_stage(const pliant_stage *stage, void **data, size_t *size,
                                pliant_error *error)
{
    pliant_bake *bake = pliant_bake_create(stage, NULL, error);
    if (!bake)
        return PLIANT_ERROR_MEMORY;
    pliant_result result = PLIANT_OK;
    pliant_stage moving = *stage;
    for (int i = 0; i < 4 && result == PLIANT_OK; ++i) {
        result = pliant_bake_add_frame(bake, (float)i / 30.0f, error);
        pliant_stage_step(&moving, 1.0f / 30.0f);
    }
    if (result == PLIANT_OK)
        result = pliant_bake_write(bake, data, size, error);
    pliant_bake_destroy(bake);
    return result;
}

static pliant_result write_reshaped(const pliant_mesh *mesh, void **data, size_t *size,
                                    pliant_error *error)
{
    size_t count = (size_t)mesh->vertex_count;
    pliant_vec3 *positions = malloc((count + 1) * sizeof *positions);
    pliant_vec3 *normals = malloc((count + 1) * sizeof *normals);
    pliant_mesh *shaped = NULL;
    if (positions && normals) {
        for (size_t i = 0; i < count; ++i) {
            pliant_vec3 x = mesh->positions[i], n = mesh->normals[i];
            positions[i] = (pliant_vec3){x.z, x.y + 0.5f * x.x * x.x, -x.x};
            normals[i] = (pliant_vec3){n.z, n.y, -n.x};
        }
        shaped = pliant_mesh_create_reshaped(mesh, positions, normals, error);
    }
    free(positions);
    free(normals);
    if (!shaped)
        return PLIANT_ERROR_MEMORY;
    pliant_result result = pliant_mesh_write(shaped, data, size, error);
    pliant_mesh_destroy(shaped);
    return result;
}

// Takes both over.
static pliant_result bake_bodies(pliant_model *model, pliant_mesh *mesh, void **data, size_t *size,
                                 pliant_error *error)
{
    pliant_scene *scene = pliant_scene_create();
    if (!scene)
        return PLIANT_ERROR_MEMORY;
    pliant_scene_body body = pliant_default_scene_body();
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_scene_add_model(scene, model);
    pliant_result result = pliant_scene_set_mesh(scene, 0, mesh, error);
    strcpy(body.name, "first");
    body.def.position = (pliant_vec3){0.0f, 100.0f, 0.0f};
    pliant_scene_add_body(scene, &body);
    strcpy(body.name, "second");
    body.def.position.x = 10.0f;
    pliant_scene_add_body(scene, &body);
    pliant_scene_add_plane(scene, &ground);
    pliant_stage stage;
    if (result == PLIANT_OK)
        result = pliant_stage_open(&stage, scene, NULL, error);
    if (result == PLIANT_OK) {
        result = bake_stage(&stage, data, size, error);
        pliant_stage_close(&stage);
    }
    pliant_scene_destroy(scene);
    return result;
}

int main(int count, char **arguments)
{
    if (count != 4) {
        fprintf(stderr, "Usage: mesh_tool write|model|bake|reshape IN OUT\n");
        return 2;
    }
    pliant_error error = {0};
    pliant_mesh *mesh = pliant_mesh_read_file(arguments[2], NULL, &error);
    if (!mesh)
        return fail(arguments[2], &error);
    void *data = NULL;
    size_t size = 0;
    pliant_result result;
    bool bakes = strcmp(arguments[1], "bake") == 0;
    pliant_model *model = NULL;
    if (strcmp(arguments[1], "write") == 0) {
        result = pliant_mesh_write(mesh, &data, &size, &error);
    } else if (strcmp(arguments[1], "reshape") == 0) {
        result = write_reshaped(mesh, &data, &size, &error);
    } else {
        model = bind_to_one(mesh, &error);
        if (!model)
            return fail("model", &error);
        result = bakes ? bake_bodies(model, mesh, &data, &size, &error)
                       : pliant_model_write_glb(model, mesh, &data, &size, &error);
    }
    if (!bakes) {
        pliant_mesh_destroy(mesh);
        pliant_model_destroy(model);
    }
    if (result == PLIANT_OK)
        result = pliant_file_write(arguments[3], data, size, &error);
    free(data);
    return result == PLIANT_OK ? 0 : fail(arguments[3], &error);
}
