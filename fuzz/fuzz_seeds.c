// Writes what fuzzing starts from: models and bakes of the built-in scenes and of small shapes.
//
//     fuzz_seeds FOLDER       fills FOLDER/blob and FOLDER/glb, which exist

#include <stdio.h>
#include <stdlib.h>

#include <scenes.h>

// Longer inputs only make a fuzzer slow.
#define MAX_SEED 131072

static const char *folder;
static int seed_count;

static void require(bool good, const char *what, const pliant_error *error)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_seeds: %s: %s: %s\n", what, error->place, error->message);
    exit(1);
}

static void write_seed(const char *kind, const void *data, size_t size)
{
    char path[4096];
    pliant_error error;
    if (size > MAX_SEED)
        return;
    snprintf(path, sizeof(path), "%s/%s/seed-%d", folder, kind, seed_count++);
    require(pliant_file_write(path, data, size, &error) == PLIANT_OK, path, &error);
}

static void write_models(const pliant_scene *scene)
{
    for (int i = 0; i < scene->model_count; ++i) {
        size_t size = pliant_model_blob_size(scene->models[i]);
        void *blob = malloc(size);
        if (!blob)
            exit(1);
        pliant_model_save(scene->models[i], blob);
        write_seed("blob", blob, size);
        free(blob);
    }
}

// Two frames hold everything that a long bake has.
static void write_bake(const pliant_scene *scene)
{
    pliant_error error;
    pliant_stage stage;
    require(pliant_stage_open(&stage, scene, NULL, &error) == PLIANT_OK, scene->name, &error);
    pliant_bake_options options = pliant_default_bake_options();
    pliant_bake *bake = pliant_bake_create(&stage, &options, &error);
    require(bake != NULL, scene->name, &error);
    for (int frame = 0; frame < 2; ++frame) {
        require(pliant_bake_add_frame(bake, (float)frame / 60.0f, &error) == PLIANT_OK, scene->name,
                &error);
        pliant_stage_step(&stage, 1.0f / 60.0f);
    }
    void *data;
    size_t size;
    require(pliant_bake_write(bake, &data, &size, &error) == PLIANT_OK, scene->name, &error);
    write_seed("glb", data, size);
    free(data);
    pliant_bake_destroy(bake);
    pliant_stage_close(&stage);
}

static void write_scene(const pliant_scene *scene)
{
    write_models(scene);
    write_bake(scene);
}

static void add_small_rope(pliant_builder *builder)
{
    pliant_rope_def rope = pliant_default_rope_def();
    rope.particles = 4;
    rope.sides = 3;
    pliant_builder_add_rope(builder, &rope);
}

static void add_small_sheet(pliant_builder *builder)
{
    pliant_sheet_def sheet = pliant_default_sheet_def();
    sheet.columns = sheet.rows = 3;
    sheet.skin_refinement = 1;
    pliant_builder_add_sheet(builder, &sheet);
}

static void add_small_block(pliant_builder *builder)
{
    pliant_block_def block = pliant_default_block_def();
    block.counts[0] = block.counts[1] = block.counts[2] = 2;
    block.skin_refinement = 1;
    pliant_builder_add_block(builder, &block);
}

// Two explicit groups that share a particle, and no skin.
static void add_small_joint(pliant_builder *builder)
{
    static const int32_t members[] = {0, 1, 2, 3, 4, 5, 6};
    for (int i = 0; i < 7; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        particle.position =
            (pliant_vec3){0.1f * (float)i, 0.1f * (float)(i % 2), 0.1f * (float)(i % 3)};
        pliant_builder_add_particle(builder, &particle);
    }
    pliant_builder_add_group(
        builder, &(pliant_group_def){.members = members, .member_count = 4, .stiffness = 1.0f});
    pliant_builder_add_group(
        builder, &(pliant_group_def){.members = members + 3, .member_count = 4, .stiffness = 0.5f});
}

// Of everything that a rig can have a little: two bones, a skin, morph targets, a clip of each sampling.
static pliant_rig *create_small_rig(void)
{
    static const pliant_rig_node nodes[] = {
        {"root", -1, {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, 0, 2},
        {"tip", 0, {{0, 1, 0}, {0, 0, 0, 1}, {1, 2, 1}}, 2, 0},
    };
    static const pliant_rig_weight weights[] = {{"wide", 0.5f}, {"deep", 0.0f}};
    static const pliant_rig_skin skins[] = {{"bones", 0, 2}};
    static const pliant_rig_joint joints[] = {
        {0, {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}},
        {1, {{{1, 0, 0, 0}, {0, 1, 0, -1}, {0, 0, 1, 0}}}},
    };
    static const pliant_rig_clip clips[] = {{"sway", 0, 3}, {"grow", 3, 1}};
    static const pliant_rig_channel channels[] = {
        {1, PLIANT_RIG_ROTATION, PLIANT_RIG_LINEAR, 2, 0, 0},
        {1, PLIANT_RIG_TRANSLATION, PLIANT_RIG_STEP, 2, 0, 8},
        {0, PLIANT_RIG_SCALE, PLIANT_RIG_CUBIC, 2, 0, 0},
        {0, PLIANT_RIG_WEIGHTS, PLIANT_RIG_LINEAR, 3, 0, 2},
    };
    static const float times[] = {0, 1, 2.5f};
    static const float values[18] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 1, 2, 3, 4, 5, 6, 1, 1, 1, 1};
    static const pliant_rig_surface surfaces[] = {{0, 0, 0, 2, 2, 0, 0, 2},
                                                  {1, -1, 2, 1, 0, 4, 2, 0}};
    static const pliant_rig_vertex vertices[3] = {{{0, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {0, 1, 0}}};
    static const pliant_rig_influence influences[] = {{0, 1}, {1, 0}, {0, 0.5f}, {1, 0.5f}};
    static const pliant_rig_target targets[] = {{0, -1}, {1, 0}};
    static const pliant_vec3 displacements[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    pliant_error error;
    pliant_rig *rig = pliant_rig_create(&(pliant_rig_def){nodes,
                                                          weights,
                                                          skins,
                                                          joints,
                                                          clips,
                                                          channels,
                                                          times,
                                                          values,
                                                          surfaces,
                                                          vertices,
                                                          influences,
                                                          targets,
                                                          displacements,
                                                          2,
                                                          2,
                                                          1,
                                                          2,
                                                          2,
                                                          4,
                                                          3,
                                                          18,
                                                          2,
                                                          3,
                                                          4,
                                                          2,
                                                          3},
                                        NULL, &error);
    require(rig != NULL, "small rig", &error);
    return rig;
}

static void add_small_figure(pliant_builder *builder)
{
    pliant_particle_def particle = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &particle);
    for (int i = 0; i < 3; ++i)
        pliant_builder_add_vertex(
            builder, &(pliant_vertex_def){.position = {(float)i, 0, 0}, .weights = {1}});
    pliant_rig *rig = create_small_rig();
    pliant_builder_set_rig(builder, rig);
    pliant_rig_destroy(rig);
}

static void write_shape(void (*add)(pliant_builder *))
{
    pliant_error error;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_scene *scene = pliant_scene_create();
    if (!builder || !scene)
        exit(1);
    add(builder);
    pliant_model *model = pliant_builder_build(builder, &error);
    require(model != NULL, "small shape", &error);
    pliant_scene_body body = pliant_default_scene_body();
    body.model = pliant_scene_add_model(scene, model);
    if (pliant_scene_add_body(scene, &body) < 0)
        exit(1);
    write_scene(scene);
    pliant_builder_destroy(builder);
    pliant_scene_destroy(scene);
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 2) {
        fputs("usage: fuzz_seeds FOLDER\n", stderr);
        return 2;
    }
    folder = arguments[1];
    write_shape(add_small_rope);
    write_shape(add_small_sheet);
    write_shape(add_small_block);
    write_shape(add_small_joint);
    write_shape(add_small_figure);
    for (int i = 0; i < scene_entry_count(); ++i) {
        pliant_error error;
        pliant_scene *scene = scene_entry_at(i)->create(&error);
        require(scene != NULL, scene_entry_at(i)->name, &error);
        write_scene(scene);
        pliant_scene_destroy(scene);
    }
    return 0;
}
