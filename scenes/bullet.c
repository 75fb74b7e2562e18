// Balls at 60 m/s against a panel that is one particle thick. In a step of the screen each flies ten times
// the panel's thickness: only because impacts are found on the way does none pass.

#include "craft.h"

enum { ACROSS = 17, BALLS = 4 };

static const float SIDE = 1.6f, THICKNESS = 0.06f, SPEED = 60.0f;

static bool is_border(int index)
{
    int column = index % ACROSS, row = index / ACROSS;
    return column == 0 || row == 0 || column == ACROSS - 1 || row == ACROSS - 1;
}

static void add_panel(pliant_scene *scene, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_sheet_def sheet = pliant_default_sheet_def();
    sheet.width = sheet.height = SIDE;
    sheet.thickness = THICKNESS;
    sheet.columns = sheet.rows = ACROSS;
    sheet.area_density = 60.0f;
    sheet.stiffness = 0.4f;
    sheet.stretch_stiffness = 0.6f;
    if (builder && pliant_builder_add_sheet(builder, &sheet) >= 0)
        for (int i = 0; i < ACROSS * ACROSS; ++i)
            if (is_border(i))
                pliant_builder_particle(builder, i)->flags |= PLIANT_PARTICLE_PINNED;
    pliant_scene_body *panel = craft_body(scene, builder, "panel", 0x5a7488, error);
    if (panel) {
        panel->def.position = (pliant_vec3){0.0f, SIDE + 0.2f, 0.0f};
        panel->def.shape_damping = 0.7f;
    }
}

pliant_scene *scene_bullet(pliant_error *error)
{
    static const pliant_vec3 starts[BALLS] = {
        {0.1f, 1.1f, 8.0f}, {-0.4f, 1.3f, 26.0f}, {0.35f, 0.7f, 62.0f}, {-0.2f, 0.85f, 98.0f}};
    pliant_scene *scene = craft_scene(4.0f);
    craft_camera(scene, (pliant_vec3){2.6f, 1.7f, 2.4f}, (pliant_vec3){0.0f, 0.8f, 0.3f});
    craft_ground(scene, 0.6f);
    add_panel(scene, error);
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_ball_def ball = pliant_default_ball_def();
    ball.radii = (pliant_vec3){0.06f, 0.06f, 0.06f};
    ball.density = 500.0f;
    if (builder)
        pliant_builder_add_ball(builder, &ball);
    pliant_scene_body *first = craft_body(scene, builder, "ball 0", 0xe0803c, error);
    for (int i = 0; i < BALLS && first; ++i) {
        pliant_scene_body *body = i == 0 ? first : craft_copy(scene, 1, i, 0xe0803c);
        if (!body)
            break;
        body->def.position = starts[i];
        body->def.linear_velocity = (pliant_vec3){0.0f, 0.0f, -SPEED};
        body->def.gravity_scale = 1.0f;
        body->def.restitution = 0.3f;
    }
    return craft_finish(scene, error);
}
