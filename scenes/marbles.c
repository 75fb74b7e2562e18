// Round and oblong marbles roll together in a bowl.

#include "craft.h"

#include "geometry.h"

enum { COUNT = 64, SIDES = 12 };

// A bowl of planes: a ring of slopes around a flat ground.
static void add_bowl(pliant_scene *scene)
{
    for (int k = 0; k < SIDES; ++k) {
        float s, c;
        trig_sin_cos(2.0f * PLIANT_PI * (float)k / SIDES, &s, &c);
        pliant_plane_def side = pliant_default_plane_def();
        side.normal = (vec3){-0.5f * c, 0.866f, -0.5f * s};
        side.offset = -0.35f;
        side.friction = 0.3f;
        pliant_scene_add_plane(scene, &side);
    }
}

static void place(pliant_scene_body *body, int index)
{
    int column = index % 4, row = index / 4 % 4, layer = index / 16;
    body->def.position = (vec3){0.28f * ((float)column - 1.5f), 0.6f + 0.25f * (float)layer,
                                0.28f * ((float)row - 1.5f) + 0.03f * (float)layer};
    body->def.orientation = quat_exp((vec3){0.9f * (float)index, 0.4f * (float)index, 0.0f});
    body->def.linear_damping = body->def.angular_damping = 0.3f;
    body->def.friction = 0.3f;
    body->def.restitution = 0.3f;
}

static pliant_builder *marble(vec3 radii)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_ball_def ball = pliant_default_ball_def();
    ball.radii = radii;
    ball.density = 2500.0f;
    ball.rings = 12;
    if (builder)
        pliant_builder_add_ball(builder, &ball);
    return builder;
}

pliant_scene *scene_marbles(pliant_error *error)
{
    static const uint32_t colours[] = {0x2f6fb0, 0x3fa060, 0xd0a030, 0xb04040, 0x7050a0};
    pliant_scene *scene = craft_scene(6.0f);
    craft_camera(scene, (vec3){1.2f, 1.6f, 2.2f}, (vec3){0.0f, 0.15f, 0.0f});
    craft_ground(scene, 0.3f);
    pliant_scene_body *body =
        craft_body(scene, marble((vec3){0.1f, 0.1f, 0.1f}), "marble 0", colours[0], error);
    if (body)
        place(body, 0);
    body = craft_body(scene, marble((vec3){0.14f, 0.07f, 0.07f}), "marble 1", colours[1], error);
    if (!body)
        return craft_finish(scene, error);
    place(body, 1);
    add_bowl(scene);
    for (int i = 2; i < COUNT; ++i) {
        body = craft_copy(scene, i % 2, i, colours[i % 5]);
        if (body)
            place(body, i);
    }
    return craft_finish(scene, error);
}
