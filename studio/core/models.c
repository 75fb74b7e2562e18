// From documents to models and back.

#include "core.h"

#include <string.h>

pliant_model *studio_build_model(const studio_document *document, pliant_error *error)
{
    if (document->particle_count == 0) {
        pli_error_set(error, PLIANT_ERROR_MODEL, document->name,
                      "there are no particles yet: spray some, or let auto do it");
        return NULL;
    }
    return pliant_draft_build(document->draft, error);
}

pliant_scene *studio_document_scene(const studio_document *document, pliant_error *error)
{
    pliant_model *model = studio_build_model(document, error);
    if (!model)
        return NULL;
    size_t size;
    const void *file = studio_document_file(document, &size);
    pliant_mesh *mesh = pliant_mesh_read(file, size, NULL, NULL, error);
    if (!mesh) {
        pliant_model_destroy(model);
        return NULL;
    }
    return pliant_scene_create_drop(document->name, model, mesh, error);
}

pliant_model *studio_copy_model(const pliant_model *model, const pliant_particle_def *particles,
                                const skin_mesh *skin, pliant_error *error)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    if (!builder) {
        pli_error_memory(error);
        return NULL;
    }
    for (int i = 0; i < pliant_model_particle_count(model); ++i)
        pliant_builder_add_particle(builder, &particles[i]);
    for (int i = 0; i < pliant_model_edge_count(model); ++i)
        pliant_builder_add_edge(builder, &pliant_model_edges(model)[i]);
    for (int i = 0; i < pliant_model_group_count(model); ++i) {
        pliant_group_def group = pliant_model_group(model, i);
        pliant_builder_add_group(builder, &group);
    }
    for (int i = 0; i < pliant_model_hinge_count(model); ++i)
        pliant_builder_add_hinge(builder, &pliant_model_hinges(model)[i]);
    for (int i = 0; i < skin->vertex_count; ++i)
        pliant_builder_add_vertex(builder, &skin->vertices[i]);
    for (int i = 0; i < skin->triangle_count; ++i) {
        const int32_t *corners = skin->triangles + 3 * (size_t)i;
        pliant_builder_add_triangle(builder, corners[0], corners[1], corners[2]);
    }
    pliant_material material = pliant_model_material(model);
    pliant_builder_set_material(builder, &material);
    pliant_model *copy = pliant_builder_build(builder, error);
    pliant_builder_destroy(builder);
    return copy;
}

static pliant_mesh *mesh_of(const skin_mesh *skin, const char *name, const float colour[3])
{
    pliant_mesh *mesh = pliant_mesh_create(skin->vertex_count, skin->triangle_count, 1);
    if (!mesh)
        return NULL;
    for (int i = 0; i < skin->vertex_count; ++i) {
        const pliant_vertex_def *vertex = &skin->vertices[i];
        mesh->positions[i] = vertex->position;
        mesh->normals[i] = vertex->normal;
        mesh->coordinates[i][0] = vertex->u;
        mesh->coordinates[i][1] = vertex->v;
    }
    memcpy(mesh->triangles, skin->triangles,
           3 * (size_t)skin->triangle_count * sizeof *mesh->triangles);
    pliant_mesh_part *part = &mesh->parts[0];
    *part = (pliant_mesh_part){.vertex_count = skin->vertex_count,
                               .triangle_count = skin->triangle_count};
    memcpy(part->name, name, strlen(name)); // shorter than there is room for
    if (colour)
        memcpy(part->colour, colour, sizeof part->colour);
    return mesh;
}

static studio_document *document_of_skin(studio *s, const char *name, const pliant_model *model,
                                         const float colour[3], pliant_error *error)
{
    skin_mesh skin;
    if (!pli_skin_mesh_from_model(&skin, model)) {
        pli_error_memory(error);
        return NULL;
    }
    pliant_model *skinned = studio_copy_model(model, pliant_model_particles(model), &skin, error);
    pliant_mesh *mesh = skinned ? mesh_of(&skin, name, colour) : NULL;
    studio_document *document = NULL;
    if (mesh)
        document = studio_document_create(s, name, mesh, skinned, error);
    else if (skinned)
        pli_error_memory(error);
    pliant_mesh_destroy(mesh);
    pliant_model_destroy(skinned);
    pli_skin_mesh_release(&skin);
    return document;
}

studio_document *studio_model_document(studio *s, const char *name, const pliant_model *model,
                                       const pliant_mesh *mesh, const float colour[3],
                                       pliant_error *error)
{
    return mesh ? studio_document_create(s, name, mesh, model, error)
                : document_of_skin(s, name, model, colour, error);
}
