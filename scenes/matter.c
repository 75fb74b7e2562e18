// Things of elastic materials on the ground: soft blocks on each other, a sheet and a rod over them, a bar that is clamped and creeps.

#include "craft.h"

#include "geometry.h"

typedef pliant_builder *make_thing(void);

static pliant_builder *make_block(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_block_def block = pliant_default_block_def();
    block.size = (vec3){0.5f, 0.4f, 0.4f};
    block.counts[0] = 5;
    block.counts[1] = block.counts[2] = 4;
    block.young_modulus = 4e4f;
    if (builder)
        pliant_builder_add_block(builder, &block);
    return builder;
}

static pliant_builder *make_sheet(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_sheet_def sheet = pliant_default_sheet_def();
    sheet.width = sheet.height = 1.0f;
    sheet.columns = sheet.rows = 11;
    sheet.thickness = 0.01f;
    sheet.area_density = 5.0f;
    sheet.young_modulus = 2e5f;
    if (builder)
        pliant_builder_add_sheet(builder, &sheet);
    return builder;
}

static pliant_builder *make_rod(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_rope_def rod = pliant_default_rope_def();
    rod.begin = (vec3){-0.6f, 0, 0};
    rod.end = (vec3){0.6f, 0, 0};
    rod.particles = 13;
    rod.young_modulus = 2e6f;
    if (builder)
        pliant_builder_add_rope(builder, &rod);
    return builder;
}

static pliant_builder *make_bar(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_block_def bar = pliant_default_block_def();
    bar.size = (vec3){0.8f, 0.1f, 0.1f};
    bar.counts[0] = 16;
    bar.counts[1] = bar.counts[2] = 2;
    bar.young_modulus = 1e5f;
    int first = builder ? pliant_builder_add_block(builder, &bar) : -1;
    for (int i = 0; first >= 0 && i < pliant_builder_particle_count(builder); ++i) {
        pliant_particle_def *p = pliant_builder_particle(builder, i);
        p->yield_strain = 0.01f;
        p->creep_rate = 1.0f;
        p->flags = i % 16 == 0 ? PLIANT_PARTICLE_PINNED : 0;
    }
    return builder;
}

pliant_scene *scene_matter(pliant_error *error)
{
    static const struct {
        const char *name;
        make_thing *make;
        vec3 position;
        uint32_t colour;
    } things[] = {{"block 0", make_block, {0.0f, 0.5f, 0.0f}, 0xc85a5a},
                  {"block 1", make_block, {0.1f, 1.1f, 0.1f}, 0x5a8cc8},
                  {"sheet", make_sheet, {0.0f, 1.6f, 0.0f}, 0xd8c890},
                  {"rod", make_rod, {0.0f, 2.0f, 0.1f}, 0x80a860},
                  {"bar", make_bar, {1.2f, 1.0f, 0.0f}, 0x9a7ab0}};
    pliant_scene *scene = craft_scene(4.0f);
    craft_ground(scene, 0.6f);
    for (size_t i = 0; i < sizeof things / sizeof things[0]; ++i) {
        pliant_scene_body *body =
            craft_body(scene, things[i].make(), things[i].name, things[i].colour, error);
        if (!body)
            continue;
        body->def.position = things[i].position;
        if (things[i].make == make_sheet) // it lies
            body->def.orientation = quat_exp((vec3){1.5707963f, 0, 0});
    }
    return craft_finish(scene, error);
}
