// The builder: growable arrays of elements. Checking is the model's job.

#include "builder.h"
#include "model.h"
#include "rig/rig.h"

int pli_builder_append(pliant_builder *builder, element_id id, const void *added, int count)
{
    int first = pli_elements_append(&builder->elements, id, added, count, &builder->allocator);
    builder->out_of_memory = builder->out_of_memory || first < 0;
    return first;
}

pliant_particle_def pliant_default_particle_def(void)
{
    pliant_particle_def def;
    pli_element_reset(&pli_element_kinds[ELEMENT_PARTICLES], &def);
    return def;
}

pliant_edge_def pliant_default_edge_def(void)
{
    pliant_edge_def def;
    pli_element_reset(&pli_element_kinds[ELEMENT_EDGES], &def);
    return def;
}

pliant_group_def pliant_default_group_def(void)
{
    pliant_group_def def;
    pli_element_reset(&pli_element_kinds[ELEMENT_GROUPS], &def);
    return def;
}

pliant_hinge_def pliant_default_hinge_def(void)
{
    pliant_hinge_def def;
    pli_element_reset(&pli_element_kinds[ELEMENT_HINGES], &def);
    return def;
}

pliant_material pliant_default_material(void)
{
    pliant_material material;
    pli_element_reset(&pli_element_kinds[ELEMENT_MATERIAL], &material);
    return material;
}

pliant_builder *pliant_builder_create(const pliant_allocator *allocator)
{
    pliant_allocator chosen = pli_allocator_or_default(allocator);
    pliant_builder *builder = pli_memory_new(&chosen, 1, sizeof *builder);
    if (builder) {
        builder->allocator = chosen;
        builder->elements.material = pliant_default_material();
    }
    return builder;
}

void pliant_builder_destroy(pliant_builder *builder)
{
    if (!builder)
        return;
    pliant_allocator allocator = builder->allocator;
    pli_elements_free(&builder->elements, &allocator);
    pli_memory_free(&allocator, builder);
}

int pliant_builder_add_particle(pliant_builder *builder, const pliant_particle_def *def)
{
    return pli_builder_append(builder, ELEMENT_PARTICLES, def, 1);
}

int pliant_builder_add_edge(pliant_builder *builder, const pliant_edge_def *def)
{
    return pli_builder_append(builder, ELEMENT_EDGES, def, 1);
}

int pliant_builder_add_group(pliant_builder *builder, const pliant_group_def *def)
{
    pliant_group_def added = *def;
    added.members = NULL; // the builder's list of them may still move
    added.member_count = def->member_count > 0 ? def->member_count : 0;
    if (pli_builder_append(builder, ELEMENT_MEMBERS, def->members, added.member_count) < 0)
        return -1;
    return pli_builder_append(builder, ELEMENT_GROUPS, &added, 1);
}

int pliant_builder_add_hinge(pliant_builder *builder, const pliant_hinge_def *def)
{
    return pli_builder_append(builder, ELEMENT_HINGES, def, 1);
}

int pliant_builder_add_vertex(pliant_builder *builder, const pliant_vertex_def *def)
{
    return pli_builder_append(builder, ELEMENT_VERTICES, def, 1);
}

int pliant_builder_add_triangle(pliant_builder *builder, int32_t a, int32_t b, int32_t c)
{
    const int32_t corners[3] = {a, b, c};
    return pli_builder_append(builder, ELEMENT_TRIANGLES, corners, 1);
}

void pliant_builder_set_material(pliant_builder *builder, const pliant_material *material)
{
    builder->elements.material = *material;
}

void pliant_builder_set_rig(pliant_builder *builder, const pliant_rig *rig)
{
    pliant_rig *before = builder->elements.rig;
    builder->elements.rig = pli_rig_retain(rig);
    pliant_rig_destroy(before);
}

int pliant_builder_particle_count(const pliant_builder *builder)
{
    return builder->elements.particle_count;
}

pliant_particle_def *pliant_builder_particle(pliant_builder *builder, int index)
{
    return &builder->elements.particles[index];
}

int pliant_builder_vertex_count(const pliant_builder *builder)
{
    return builder->elements.vertex_count;
}

pliant_vertex_def *pliant_builder_vertex(pliant_builder *builder, int index)
{
    return &builder->elements.vertices[index];
}

pliant_model *pliant_builder_build(const pliant_builder *builder, pliant_error *error)
{
    if (builder->out_of_memory) {
        pli_error_memory(error);
        return NULL;
    }
    elements copy = {0};
    if (!pli_elements_copy(&copy, &builder->elements, &builder->allocator)) {
        pli_elements_free(&copy, &builder->allocator);
        pli_error_memory(error);
        return NULL;
    }
    return pli_model_create(&copy, &builder->allocator, error);
}
