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
    sheet.area_density = 40.0f;
    sheet.stiffness = 0.4f;
    sheet.stretch_stiffness = 0.6f;
    sheet.stretch_limit = 0.0f; // it catches by giving way
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
    // Where each ball hits, and when.
    static const struct {
        float x, y, time;
    } hits[BALLS] = {
        {0.1f, 1.1f, 0.35f}, {-0.4f, 1.3f, 0.75f}, {0.35f, 0.7f, 1.15f}, {-0.2f, 0.85f, 1.55f}};
    pliant_scene *scene = craft_scene(2.4f);
    craft_camera(scene, (pliant_vec3){2.6f, 1.7f, 2.4f}, (pliant_vec3){0.0f, 0.8f, 0.3f});
    craft_ground(scene, 0.6f);
    add_panel(scene, error);
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_ball_def ball = pliant_default_ball_def();
    ball.radii = (pliant_vec3){0.06f, 0.06f, 0.06f};
    ball.density = 1000.0f;
    if (builder)
        pliant_builder_add_ball(builder, &ball);
    pliant_scene_body *first = craft_body(scene, builder, "ball 0", 0xe0803c, error);
    for (int i = 0; i < BALLS && first; ++i) {
        pliant_scene_body *body = i == 0 ? first : craft_copy(scene, 1, i, 0xe0803c);
        if (!body)
            break;
        float rise = 0.5f * 9.81f * hits[i].time; // back at the same height when it hits
        body->def.position = (pliant_vec3){hits[i].x, hits[i].y, SPEED * hits[i].time};
        body->def.linear_velocity = (pliant_vec3){0.0f, rise, -SPEED};
        body->def.restitution = 0.3f;
    }
    return craft_finish(scene, error);
}
