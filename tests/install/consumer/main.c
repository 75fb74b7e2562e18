// What an engine does: one particle, one world, two threads, one second.
#include <pliant/pliant.h>
#include <stdio.h>

int main(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def particle = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &particle);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);

    pliant_pool *pool = pliant_pool_create(2, NULL, NULL);
    pliant_world_def world_def = pliant_default_world_def();
    world_def.parallel_for = pliant_pool_run;
    world_def.parallel_user_data = pool;
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_body_def body_def = pliant_default_body_def();
    body_def.model = model;
    pliant_body_id body = pliant_world_add_body(world, &body_def, NULL);
    for (int i = 0; i < 60; ++i)
        pliant_world_step(world, 1.0f / 60.0f);
    printf("fell to %.2f m\n", pliant_body_particle_pose(world, body, 0).position.y);
    pliant_world_destroy(world);
    pliant_pool_destroy(pool);
    pliant_model_destroy(model);
    return 0;
}
