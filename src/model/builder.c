// The builder: growable arrays of elements. Checking is the model's job.

#include "model.h"

#include <string.h>

struct pliant_builder {
    pliant_allocator allocator;
    elements elements;
    bool out_of_memory;
};

// Makes room for `more` elements in one of the arrays; remembers a failure for the build.
static bool reserve(pliant_builder *builder, void **array, size_t element_size, int count,
                    int *capacity, int more)
{
    if (more > INT32_MAX - count || !pliant_memory_grow(&builder->allocator, array, element_size,
                                                        count, capacity, count + more)) {
        builder->out_of_memory = true;
        return false;
    }
    return true;
}

#define RESERVE(builder, list, singular, more)                                                     \
    reserve(builder, (void **)&(builder)->elements.list, sizeof *(builder)->elements.list,         \
            (builder)->elements.singular##_count, &(builder)->elements.singular##_capacity, more)

pliant_particle_def pliant_default_particle_def(void)
{
    return (pliant_particle_def){.orientation = {0, 0, 0, 1},
                                 .radii = {0.05f, 0.05f, 0.05f},
                                 .mass = 1.0f,
                                 .stiffness = 0.5f,
                                 .layers = UINT32_MAX,
                                 .mask = UINT32_MAX};
}

pliant_edge_def pliant_default_edge_def(void)
{
    return (pliant_edge_def){0};
}

pliant_material pliant_default_material(void)
{
    return (pliant_material){.friction = 0.5f, .linear_damping = 0.02f, .angular_damping = 0.02f};
}

pliant_builder *pliant_builder_create(const pliant_allocator *allocator)
{
    pliant_allocator chosen = pliant_allocator_or_default(allocator);
    pliant_builder *builder = pliant_memory_new(&chosen, 1, sizeof *builder);
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
    pliant_elements_free(&builder->elements, &allocator);
    pliant_memory_free(&allocator, builder);
}

int pliant_builder_add_particle(pliant_builder *builder, const pliant_particle_def *def)
{
    if (!RESERVE(builder, particles, particle, 1))
        return -1;
    builder->elements.particles[builder->elements.particle_count] = *def;
    return builder->elements.particle_count++;
}

int pliant_builder_add_edge(pliant_builder *builder, const pliant_edge_def *def)
{
    if (!RESERVE(builder, edges, edge, 1))
        return -1;
    builder->elements.edges[builder->elements.edge_count] = *def;
    return builder->elements.edge_count++;
}

int pliant_builder_add_group(pliant_builder *builder, const pliant_group_def *def)
{
    elements *e = &builder->elements;
    int count = def->member_count > 0 ? def->member_count : 0;
    if (!RESERVE(builder, groups, group, 1) || !RESERVE(builder, members, member, count))
        return -1;
    if (count > 0)
        memcpy(e->members + e->member_count, def->members, (size_t)count * sizeof *e->members);
    e->groups[e->group_count].first = e->member_count;
    e->groups[e->group_count].count = count;
    e->groups[e->group_count].stiffness = def->stiffness;
    e->groups[e->group_count].dent_speed = def->dent_speed;
    e->groups[e->group_count].yield_strain = def->yield_strain;
    e->groups[e->group_count].creep_rate = def->creep_rate;
    e->member_count += count;
    return e->group_count++;
}

int pliant_builder_add_hinge(pliant_builder *builder, const pliant_hinge_def *def)
{
    if (!RESERVE(builder, hinges, hinge, 1))
        return -1;
    builder->elements.hinges[builder->elements.hinge_count] = *def;
    return builder->elements.hinge_count++;
}

int pliant_builder_add_vertex(pliant_builder *builder, const pliant_vertex_def *def)
{
    if (!RESERVE(builder, vertices, vertex, 1))
        return -1;
    builder->elements.vertices[builder->elements.vertex_count] = *def;
    return builder->elements.vertex_count++;
}

int pliant_builder_add_triangle(pliant_builder *builder, int32_t a, int32_t b, int32_t c)
{
    if (!RESERVE(builder, triangles, triangle, 1))
        return -1;
    int32_t *corner = builder->elements.triangles[builder->elements.triangle_count];
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
    return builder->elements.triangle_count++;
}

void pliant_builder_set_material(pliant_builder *builder, const pliant_material *material)
{
    builder->elements.material = *material;
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

// Copies one array; on failure the copy's pointer stays NULL.
static bool copy_array(const pliant_allocator *allocator, void **to, const void *from, int count,
                       size_t element_size)
{
    *to = pliant_memory_new(allocator, (size_t)count, element_size);
    if (*to && count > 0)
        memcpy(*to, from, (size_t)count * element_size);
    return *to != NULL;
}

// The arrays of `to` are zeroed; on failure it holds what was copied until then.
static bool copy_elements(const pliant_allocator *allocator, elements *to, const elements *from)
{
#define COPY(list, singular)                                                                       \
    (to->singular##_count = to->singular##_capacity = from->singular##_count,                      \
     copy_array(allocator, (void **)&to->list, from->list, from->singular##_count,                 \
                sizeof *from->list))
    return COPY(particles, particle) && COPY(edges, edge) && COPY(groups, group) &&
           COPY(members, member) && COPY(hinges, hinge) && COPY(vertices, vertex) &&
           COPY(triangles, triangle);
#undef COPY
}

pliant_model *pliant_builder_build(const pliant_builder *builder, pliant_error *error)
{
    if (builder->out_of_memory) {
        pliant_error_memory(error);
        return NULL;
    }
    elements copy = {.material = builder->elements.material};
    if (!copy_elements(&builder->allocator, &copy, &builder->elements)) {
        pliant_elements_free(&copy, &builder->allocator);
        pliant_error_memory(error);
        return NULL;
    }
    return pliant_model_create(&copy, &builder->allocator, error);
}
