#include "draft/hold.h"

// At the origin a vertex's place relative to the holder is its place: skinning gives it back to the last bit.
pliant_particle_def pli_draft_holder(const pliant_draft *draft)
{
    pliant_particle_def holder = pliant_default_particle_def();
    holder.flags = PLIANT_PARTICLE_PINNED;
    holder.layers = holder.mask = 0;
    for (int i = 0; i < draft->particle_count; ++i) {
        const pliant_particle_def *p = &draft->particles[i];
        float least = minimum(p->radii.x, minimum(p->radii.y, p->radii.z));
        least = i == 0 ? least : minimum(holder.radii.x, least);
        holder.radii = (vec3){least, least, least};
        holder.mass = i == 0 ? p->mass : minimum(holder.mass, p->mass);
    }
    return holder;
}

static bool has_edge(const pliant_model *model, int particle)
{
    const pliant_edge_def *edges = pliant_model_edges(model);
    for (int i = 0; i < pliant_model_edge_count(model); ++i)
        if (edges[i].a == particle || edges[i].b == particle)
            return true;
    return false;
}

static bool has_group(const pliant_model *model, int particle)
{
    for (int i = 0; i < pliant_model_group_count(model); ++i) {
        pliant_group_def group = pliant_model_group(model, i);
        for (int k = 0; k < group.member_count; ++k)
            if (group.members[k] == particle)
                return true;
    }
    return false;
}

int pli_model_holder(const pliant_model *model)
{
    int last = pliant_model_particle_count(model) - 1;
    const pliant_particle_def *p = &pliant_model_particles(model)[last];
    bool is_holder = p->flags == PLIANT_PARTICLE_PINNED && p->layers == 0 && p->mask == 0 &&
                     p->position.x == 0.0f && p->position.y == 0.0f && p->position.z == 0.0f &&
                     !has_edge(model, last) && !has_group(model, last);
    return is_holder ? last : -1;
}
