// A curtain on a rail: it is drawn together into folds, and a gust blows through.

#include "craft.h"

enum { COLUMNS = 31, ROWS = 25, HOOK_STEP = 3, HOOKS = (COLUMNS - 1) / HOOK_STEP + 1 };

// Each hook slides along the rail on its own, to `share` of its distance from the left end.
static void draw_together(pliant_scene *scene, float width, float share)
{
    for (int hook = 0; hook < HOOKS; ++hook) {
        float from_left = width * (float)hook / (HOOKS - 1);
        pliant_scene_key keys[3] = {{.time = 0.2f}, {.time = 0.5f}, {.time = 2.5f}};
        // Every other hook comes forward a little, or a flat sheet would not know which way to fold; and all of them
        // come together meanwhile, so that none is further from the next than the cloth is wide between them.
        keys[1].translation.x = from_left * (0.9f - 1.0f);
        keys[1].translation.z = keys[2].translation.z = hook % 2 ? 0.05f : -0.05f;
        keys[2].translation.x = from_left * (share - 1.0f);
        int32_t particle = hook * HOOK_STEP;
        pliant_scene_driver driver = {
            .particle_count = 1, .particles = &particle, .key_count = 3, .keys = keys};
        pliant_scene_add_driver(scene, &driver);
    }
}

pliant_scene *scene_curtain(pliant_error *error)
{
    pliant_scene *scene = craft_scene(8.0f);
    craft_camera(scene, (pliant_vec3){0.8f, 1.5f, 4.6f}, (pliant_vec3){-0.2f, 1.1f, 0.0f});
    if (scene) {
        scene->world.substep_length =
            pliant_substep_length(11); // more substeps stretch less than more iterations
        scene->world.iterations = 1;
    }
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_sheet_def sheet = pliant_default_sheet_def();
    sheet.width = 2.4f;
    sheet.height = 1.9f;
    sheet.columns = COLUMNS;
    sheet.rows = ROWS;
    sheet.stretch_limit = 0.003f;
    if (builder && pliant_builder_add_sheet(builder, &sheet) >= 0)
        for (int hook = 0; hook < HOOKS; ++hook)
            pliant_builder_particle(builder, hook * HOOK_STEP)->flags =
                PLIANT_PARTICLE_PINNED | PLIANT_PARTICLE_UNORIENTED;
    pliant_scene_body *body = craft_body(scene, builder, "curtain", 0x9c3848, error);
    if (body) {
        body->def.position = (pliant_vec3){0.0f, 2.15f, 0.0f};
        body->def.linear_damping = 0.4f;
        draw_together(scene, sheet.width, 0.55f);
        float mass = sheet.area_density * sheet.width * sheet.height;
        pliant_scene_force gust = {.particle = -1, .begin = 4.0f, .end = 4.6f};
        gust.force = (pliant_vec3){0.0f, 0.0f, 6.0f * mass};
        pliant_scene_add_force(scene, &gust);
    }
    return craft_finish(scene, error);
}
