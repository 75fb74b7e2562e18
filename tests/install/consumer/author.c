// What a tool does: a scene of one rope, opened and stepped. All that reads files is linked in.
#include <pliant/author.h>
#include <stdio.h>

int main(void)
{
    if (pliant_mesh_read_file("not there.fbx", NULL, NULL))
        return 1;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_rope_def rope = pliant_default_rope_def();
    pliant_builder_add_rope(builder, &rope);
    pliant_scene *scene = pliant_scene_create();
    pliant_scene_body body = pliant_default_scene_body();
    body.model = pliant_scene_add_model(scene, pliant_builder_build(builder, NULL));
    pliant_builder_destroy(builder);
    pliant_scene_add_body(scene, &body);

    pliant_stage stage;
    if (pliant_stage_open(&stage, scene, NULL, NULL) != PLIANT_OK)
        return 1;
    pliant_stage_step(&stage, 1.0f / 60.0f);
    printf("%d particles\n", pliant_world_report(stage.world).particles);
    pliant_stage_close(&stage);
    pliant_scene_destroy(scene);
    return 0;
}
