// A draft in another size.

#include "core/error.h"
#include "draft/content.h"

static void scale_weight(draft_weight *weight, float scale)
{
    weight->thickness *= scale;
    weight->found *= scale * scale * scale;
}

static void scale_content(pliant_draft *content, float scale)
{
    for (int i = 0; i < content->particle_count; ++i) {
        pliant_particle_def *particle = &content->particles[i];
        particle->position = vec3_scale(particle->position, scale);
        particle->radii = vec3_scale(particle->radii, scale);
        particle->mass *= scale * scale * scale;
        content->anchors[i].position = vec3_scale(content->anchors[i].position, scale);
        scale_weight(&content->weights[i], scale);
    }
    scale_weight(&content->weight, scale);
    content->spacing *= scale;
    content->bridge *= scale;
}

pliant_draft *pliant_draft_create_scaled(const pliant_draft *draft, const pliant_mesh *mesh,
                                         float scale, pliant_error *error)
{
    if (mesh->vertex_count != draft->mesh->vertex_count ||
        mesh->triangle_count != draft->mesh->triangle_count) {
        pli_error_set(error, PLIANT_ERROR_MISMATCH, "mesh",
                      "it is not the draft's in another size");
        return NULL;
    }
    pliant_draft *scaled = pliant_draft_create(mesh, error);
    pliant_draft content;
    if (!scaled)
        return NULL;
    if (!pli_draft_copy_content(&content, draft)) {
        pliant_draft_destroy(scaled);
        pli_error_memory(error);
        return NULL;
    }
    content.mesh = mesh;
    scale_content(&content, scale);
    pli_draft_take_content(scaled, &content);
    return scaled;
}
