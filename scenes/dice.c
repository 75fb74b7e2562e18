// Rigid dice fall between walls and bounce, beside a rope that is thrown into a twist and keeps it.

#include "craft.h"

#include "geometry.h"

enum { DICE = 12, ACROSS = 3, MEMBERS = ACROSS * ACROSS * ACROSS, LINKS = 16 };

static void add_die(pliant_builder *builder)
{
    int32_t members[MEMBERS];
    pliant_block_def block = pliant_default_block_def();
    block.size = (vec3){0.3f, 0.3f, 0.3f};
    for (int c = 0; c < 3; ++c)
        block.counts[c] = ACROSS;
    pliant_builder_add_block(builder, &block);
    for (int i = 0; i < MEMBERS; ++i)
        members[i] = i;
    pliant_builder_add_group(
        builder,
        &(pliant_group_def){.members = members, .member_count = MEMBERS, .stiffness = 1.0f});
}

static void place(pliant_scene_body *body, int index)
{
    float angle = 0.9f * (float)index;
    body->def.position = (vec3){0.45f * (float)(index % 3) - 0.45f,
                                0.6f + 0.4f * (float)(index / 3), 0.4f * (float)(index % 2) - 0.2f};
    body->def.orientation = quat_exp((vec3){0.4f * angle, angle, 0.2f});
    body->def.angular_velocity = (vec3){3.0f, 0.0f, 2.0f - angle};
    body->def.linear_velocity = (vec3){1.0f, -2.0f, 0.3f * angle};
    body->def.restitution = 0.25f * (float)(index % 4);
}

static void add_dice(pliant_scene *scene, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    if (builder)
        add_die(builder);
    pliant_scene_body *first = craft_body(scene, builder, "die 0", 0xd0c8b0, error);
    if (!first)
        return;
    place(first, 0);
    for (int i = 1; i < DICE; ++i) {
        pliant_scene_body *body = craft_copy(scene, 0, i, 0xd0c8b0);
        if (body)
            place(body, i);
    }
}

// Only its links are turned about it, not its pinned end.
static void add_rope(pliant_scene *scene, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    if (builder) {
        pliant_rope_def rope = pliant_default_rope_def();
        rope.particles = LINKS;
        rope.begin = (vec3){0.0f, 2.9f, 0.9f};
        rope.end = (vec3){0.0f, 1.9f, 0.9f};
        rope.torsion_stiffness = 0.05f;
        int first = pliant_builder_add_rope(builder, &rope);
        for (int i = 0; first >= 0 && i < LINKS; ++i) {
            pliant_builder_particle(builder, first + i)->yield_strain = 0.01f;
            pliant_builder_particle(builder, first + i)->creep_rate = 4.0f;
        }
        if (first >= 0)
            pliant_builder_particle(builder, first)->flags = PLIANT_PARTICLE_PINNED;
    }
    pliant_scene_body *body = craft_body(scene, builder, "rope", 0xc8a060, error);
    if (body)
        body->def.angular_velocity = (vec3){0.0f, 30.0f, 0.0f};
}

pliant_scene *scene_dice(pliant_error *error)
{
    static const vec3 normals[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    pliant_scene *scene = craft_scene(4.0f);
    craft_ground(scene, 0.6f);
    for (int k = 0; scene && k < 4; ++k) {
        pliant_plane_def wall = pliant_default_plane_def();
        wall.normal = normals[k];
        wall.offset = -1.2f;
        pliant_scene_add_plane(scene, &wall);
    }
    add_dice(scene, error);
    add_rope(scene, error);
    return craft_finish(scene, error);
}
