// pliant info: what a file holds. The facts are gathered once and printed as text or as JSON.

#include "cli.h"
#include "facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: pliant info FILE [--json]\n"
    "\n"
    "Tells what FILE holds: a model (.pliant or a GLB with one), a scene (JSON), a bake or a mesh\n"
    "(GLB, glTF, OBJ), with its bones, clips and morph targets. The name - is standard input.\n"
    "\n"
    "  --json    one JSON object\n"
    "  --help    this text\n";

// ---------------------------------------------------------------------------------------------
// Models

static int64_t count_links(const pliant_model *model)
{
    int64_t count = 0;
    for (int i = 0; i < pliant_model_vertex_count(model); ++i) {
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
            count += pliant_model_vertices(model)[i].weights[k] > 0.0f;
    }
    return count;
}

static void put_model_facts(printer *p, const pliant_model *model)
{
    int pinned = 0, particle_count = pliant_model_particle_count(model);
    double mass = 0.0;
    for (int i = 0; i < particle_count; ++i) {
        const pliant_particle_def *particle = &pliant_model_particles(model)[i];
        pinned += (particle->flags & PLIANT_PARTICLE_PINNED) != 0;
        mass += (double)particle->mass;
    }
    pliant_vec3 low, high;
    pliant_model_bounds(model, &low, &high);
    cli_put_int(p, "particles", particle_count);
    cli_put_int(p, "pinned", pinned);
    cli_put_int(p, "edges", pliant_model_edge_count(model));
    cli_put_int(p, "groups", pliant_model_group_count(model));
    cli_put_int(p, "hinges", pliant_model_hinge_count(model));
    cli_put_int(p, "implicit_groups", pliant_model_implicit_group_count(model));
    cli_put_int(p, "colours", pliant_model_colour_count(model));
    cli_put_int(p, "vertices", pliant_model_vertex_count(model));
    cli_put_int(p, "triangles", pliant_model_triangle_count(model));
    cli_put_int(p, "links", count_links(model));
    cli_put_float(p, "mass", mass);
    pliant_material material = pliant_model_material(model);
    cli_put_float(p, "friction", (double)material.friction);
    cli_put_float(p, "restitution", (double)material.restitution);
    cli_put_float(p, "linear_damping", (double)material.linear_damping);
    cli_put_float(p, "shape_damping", (double)material.shape_damping);
    cli_put_int(p, "self_collision", material.self_collision);
    const float corners[2][3] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    cli_put_bounds(p, corners[0], corners[1]);
}

static bool put_model(printer *p, const void *data, size_t size, pliant_error *error)
{
    pliant_model *model = pliant_model_load(data, size, NULL, error);
    if (!model)
        return false;
    cli_put_text(p, "kind", "model");
    put_model_facts(p, model);
    cli_put_rig(p, pliant_model_rig(model));
    pliant_model_destroy(model);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Meshes

static void put_parts(printer *p, const pliant_mesh *mesh)
{
    cli_put_int(p, "parts", mesh->part_count);
    if (p->as_json)
        pli_json_begin_array(&p->json, "part_list");
    for (int i = 0; i < mesh->part_count; ++i) {
        const pliant_mesh_part *part = &mesh->parts[i];
        if (p->as_json) {
            pli_json_begin_object(&p->json, NULL);
            pli_json_write_string(&p->json, "name", part->name);
            pli_json_write_string(&p->json, "material", part->material);
            pli_json_write_int(&p->json, "vertices", part->vertex_count);
            pli_json_write_int(&p->json, "triangles", part->triangle_count);
            pli_json_end_object(&p->json);
        } else {
            printf("  ");
            cli_put_printable(part->name[0] ? part->name : "without a name");
            printf(": %d triangles", part->triangle_count);
            printf(part->material[0] ? " of " : "");
            cli_put_printable(part->material);
            putchar('\n');
        }
    }
    if (p->as_json)
        pli_json_end_array(&p->json);
}

static void put_remarks(printer *p, const pliant_remarks *remarks)
{
    cli_put_int(p, "remarks", remarks->count);
    if (p->as_json)
        pli_json_begin_array(&p->json, "remark_list");
    for (int i = 0; i < remarks->count && i < PLIANT_MOST_REMARKS; ++i) {
        const pliant_remark *remark = &remarks->first[i];
        if (p->as_json) {
            pli_json_begin_object(&p->json, NULL);
            pli_json_write_string(&p->json, "place", remark->place);
            pli_json_write_string(&p->json, "message", remark->message);
            pli_json_end_object(&p->json);
        } else {
            printf("  %s%s%s\n", remark->place, remark->place[0] ? ": " : "", remark->message);
        }
    }
    if (p->as_json)
        pli_json_end_array(&p->json);
    else if (remarks->count > PLIANT_MOST_REMARKS)
        printf("  and %d more\n", remarks->count - PLIANT_MOST_REMARKS);
}

static void put_inner_model(printer *p, const pliant_model *model)
{
    cli_begin_facts(p, "model");
    put_model_facts(p, model);
    cli_end_facts(p);
}

// Those that parts name.
static int count_materials(const pliant_mesh *mesh)
{
    int count = 0;
    for (int i = 0; i < mesh->part_count; ++i) {
        int same = 0;
        while (strcmp(mesh->parts[same].material, mesh->parts[i].material) != 0)
            ++same;
        count += same == i && mesh->parts[i].material[0];
    }
    return count;
}

// As the scene shows it, in metres: of the transforms of nodes accessors know nothing.
static void put_size(printer *p, const pliant_mesh *mesh)
{
    pliant_vec3 low, high;
    pliant_mesh_bounds(mesh, &low, &high);
    const float corners[2][3] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    cli_put_bounds(p, corners[0], corners[1]);
    cli_put_float(p, "size", (double)pliant_mesh_size(mesh));
}

static void put_mesh_counts(printer *p, const pliant_mesh *mesh)
{
    cli_put_int(p, "vertices", mesh->vertex_count);
    cli_put_int(p, "triangles", mesh->triangle_count);
    cli_put_int(p, "materials", count_materials(mesh));
}

static void put_glb_counts(printer *p, const pliant_glb_info *info)
{
    cli_put_text(p, "generator", info->generator);
    cli_put_int(p, "nodes", info->nodes);
    cli_put_int(p, "meshes", info->meshes);
    cli_put_int(p, "primitives", info->primitives);
    cli_put_int(p, "vertices", info->vertices);
    cli_put_int(p, "triangles", info->triangles);
    cli_put_int(p, "materials", info->materials);
    cli_put_int(p, "images", info->images);
    cli_put_int(p, "skins", info->skins);
    cli_put_int(p, "joints", info->joints);
    cli_put_int(p, "animations", info->animations);
    cli_put_int(p, "cameras", info->cameras);
    cli_put_float(p, "seconds", info->seconds);
}

static void put_mesh_facts(printer *p, const pliant_mesh *mesh, const pliant_model *model,
                           const pliant_remarks *remarks)
{
    cli_put_int(p, "pieces", pliant_mesh_piece_count(mesh));
    put_parts(p, mesh);
    cli_put_rig(p, mesh->rig);
    if (model)
        put_inner_model(p, model);
    put_remarks(p, remarks);
}

static bool put_mesh(printer *p, const char *path, const void *data, size_t size,
                     pliant_file_kind kind, pliant_error *error)
{
    bool is_glb = kind == PLIANT_FILE_GLB;
    pliant_glb_info info;
    if (is_glb && pliant_glb_inspect(data, size, &info, error) != PLIANT_OK)
        return false;
    pliant_remarks remarks;
    pliant_mesh *mesh = cli_read_mesh(path, data, size, &remarks, error);
    if (!mesh)
        return false;
    bool has_model = pliant_mesh_has_model(mesh);
    pliant_model *model = has_model ? pliant_mesh_load_model(mesh, error) : NULL;
    bool ok = model || !has_model;
    if (ok) {
        cli_put_text(p, "kind", is_glb ? "GLB" : kind == PLIANT_FILE_GLTF ? "glTF" : "OBJ");
        if (is_glb)
            put_glb_counts(p, &info);
        else
            put_mesh_counts(p, mesh);
        put_size(p, mesh);
        put_mesh_facts(p, mesh, model, &remarks);
    }
    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
    return ok;
}

// ---------------------------------------------------------------------------------------------
// Scenes

// Particle bounds of all bodies where they start, from a world that never steps.
static bool put_scene_bounds(printer *p, const pliant_scene *scene, pliant_error *error)
{
    pliant_stage stage;
    if (pliant_stage_open(&stage, scene, NULL, error) != PLIANT_OK)
        return false;
    float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    bool first = true;
    for (int i = 0; i < scene->body_count; ++i) {
        int count = pliant_model_particle_count(scene->models[scene->bodies[i].model]);
        for (int k = 0; k < count; ++k) {
            pliant_vec3 v = pliant_body_particle_pose(stage.world, stage.bodies[i], k).position;
            const float x[3] = {v.x, v.y, v.z};
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = first || x[axis] < low[axis] ? x[axis] : low[axis];
                high[axis] = first || x[axis] > high[axis] ? x[axis] : high[axis];
            }
            first = false;
        }
    }
    pliant_stage_close(&stage);
    cli_put_bounds(p, low, high);
    return true;
}

static void put_scene_bodies(printer *p, const pliant_scene *scene)
{
    if (p->as_json)
        pli_json_begin_array(&p->json, "body_list");
    for (int i = 0; i < scene->body_count; ++i) {
        const pliant_scene_body *body = &scene->bodies[i];
        int particles = pliant_model_particle_count(scene->models[body->model]);
        if (p->as_json) {
            pli_json_begin_object(&p->json, NULL);
            pli_json_write_string(&p->json, "name", body->name);
            pli_json_write_int(&p->json, "particles", particles);
            pli_json_end_object(&p->json);
        } else {
            printf("  %-14s %d particles\n", body->name, particles);
        }
    }
    if (p->as_json)
        pli_json_end_array(&p->json);
}

static const char *kind_name(pliant_shape_kind kind)
{
    static const char *const names[] = {
        [PLIANT_SHAPE_PLANE] = "plane",
        [PLIANT_SHAPE_SPHERE] = "sphere",
        [PLIANT_SHAPE_CAPSULE] = "capsule",
        [PLIANT_SHAPE_BOX] = "box",
        [PLIANT_SHAPE_HULL] = "hull",
        [PLIANT_SHAPE_MESH] = "mesh",
        [PLIANT_SHAPE_HEIGHTFIELD] = "heightfield",
    };
    return names[kind];
}

static void put_scene_colliders(printer *p, const pliant_scene *scene)
{
    if (p->as_json)
        pli_json_begin_array(&p->json, "collider_list");
    for (int i = 0; i < scene->collider_count; ++i) {
        const pliant_scene_collider *collider = &scene->colliders[i];
        const char *kind = kind_name(pliant_shape_definition(scene->shapes[collider->shape]).kind);
        if (p->as_json) {
            pli_json_begin_object(&p->json, NULL);
            pli_json_write_string(&p->json, "name", collider->name);
            pli_json_write_string(&p->json, "shape", kind);
            pli_json_end_object(&p->json);
        } else {
            printf("  %-14s %s\n", collider->name, kind);
        }
    }
    if (p->as_json)
        pli_json_end_array(&p->json);
}

static bool put_scene(printer *p, const char *path, const void *data, size_t size,
                      pliant_error *error)
{
    pliant_scene *scene = cli_read_scene(path, data, size, error);
    if (!scene)
        return false;
    int64_t particles = 0, edges = 0, vertices = 0;
    for (int i = 0; i < scene->body_count; ++i) {
        const pliant_model *model = scene->models[scene->bodies[i].model];
        particles += pliant_model_particle_count(model);
        edges += pliant_model_edge_count(model);
        vertices += pliant_model_vertex_count(model);
    }
    cli_put_text(p, "kind", "scene");
    cli_put_text(p, "name", scene->name);
    cli_put_text(p, "title", scene->title);
    cli_put_float(p, "seconds", (double)scene->seconds);
    cli_put_int(p, "models", scene->model_count);
    cli_put_int(p, "particles", particles);
    cli_put_int(p, "edges", edges);
    cli_put_int(p, "vertices", vertices);
    cli_put_int(p, "planes", scene->plane_count);
    cli_put_int(p, "shapes", scene->shape_count);
    cli_put_int(p, "attachments", scene->attachment_count);
    cli_put_int(p, "forces", scene->force_count);
    cli_put_int(p, "motors", scene->motor_count);
    cli_put_int(p, "drivers", scene->driver_count);
    bool ok = put_scene_bounds(p, scene, error);
    cli_put_int(p, "bodies", scene->body_count);
    put_scene_bodies(p, scene);
    cli_put_int(p, "colliders", scene->collider_count);
    put_scene_colliders(p, scene);
    pliant_scene_destroy(scene);
    return ok;
}

static bool put_file(printer *p, const char *path, const void *data, size_t size,
                     pliant_error *error)
{
    pliant_file_kind kind = pliant_file_detect(data, size);
    switch (kind) {
    case PLIANT_FILE_MODEL:
        return put_model(p, data, size, error);
    case PLIANT_FILE_GLB:
    case PLIANT_FILE_GLTF:
    case PLIANT_FILE_OBJ:
        return put_mesh(p, path, data, size, kind, error);
    case PLIANT_FILE_SCENE:
        return put_scene(p, path, data, size, error);
    case PLIANT_FILE_UNKNOWN:
        break;
    }
    *error = (pliant_error){.code = PLIANT_ERROR_FORMAT,
                            .message = "neither a model nor a scene nor a mesh"};
    return false;
}

int info_command(int count, char **arguments)
{
    printer p = {0};
    const char *path;
    int code;
    const cli_option options[] = {{"--json", OPTION_FLAG, &p.as_json, 0, 0}};
    if (!cli_read_options("info", count, arguments, options, 1, help, &path, &code))
        return code;
    if (!path)
        return cli_fail_usage("info", "no file");
    void *data;
    size_t size;
    pliant_error error = {0};
    if (cli_read_input(path, &data, &size, &error) != PLIANT_OK)
        return cli_fail_error(cli_input_name(path), &error);
    pli_json_begin_object(&p.json, NULL);
    bool ok = put_file(&p, path, data, size, &error);
    pli_json_end_object(&p.json);
    free(data);
    if (!ok)
        code = cli_fail_error(cli_input_name(path), &error);
    else if (p.json.failed)
        code = cli_fail("out of memory");
    else
        code = EXIT_OK;
    if (code == EXIT_OK && p.as_json)
        puts(p.json.data);
    pli_json_writer_release(&p.json);
    return code == EXIT_OK ? cli_finish(EXIT_OK) : code;
}
