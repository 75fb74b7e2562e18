// The document in another size: its mesh with all that is in its file, and what was made of it.

#include "core.h"

#include <stdio.h>
#include <string.h>

// With what is selected, which has the same numbers.
static bool take_over(studio *s, studio_document *document, const studio_document *old, float scale,
                      pliant_error *error)
{
    pliant_progress listener = studio_listener(s);
    pliant_draft *draft = pliant_draft_create_scaled(old->draft, document->mesh, scale, error);
    if (!draft)
        return false;
    pliant_draft_destroy(document->draft);
    document->draft = draft;
    pliant_draft_set_progress(draft, &listener);
    if (!studio_document_recount(document, true, error))
        return false;
    size_t vertices = (size_t)old->mesh->vertex_count;
    memcpy(document->selected_vertices, old->selected_vertices, vertices);
    memcpy(document->asked_vertices, old->asked_vertices, vertices);
    memcpy(document->selected_particles, old->selected_particles, (size_t)old->particle_count);
    return true;
}

static studio_document *scaled_document(studio *s, float scale, pliant_error *error)
{
    const studio_document *old = s->document;
    pliant_mesh *mesh = pliant_mesh_create_scaled(old->mesh, scale, error);
    if (!mesh)
        return NULL;
    studio_document *document = studio_document_create(s, old->name, mesh, NULL, error);
    pliant_mesh_destroy(mesh);
    if (document && !take_over(s, document, old, scale, error)) {
        studio_document_destroy(s, document);
        return NULL;
    }
    return document;
}

bool studio_scale(studio *s, field_reader *reader, json_value arguments)
{
    float scale;
    static const field fields[] = {{"by", FIELD_FLOAT, 0, 1e-6, 1e6, false, false, true}};
    if (!pli_field_read_object(reader, arguments, fields, COUNT_OF(fields), &scale) ||
        !studio_need_document(s, reader))
        return false;
    char label[40];
    snprintf(label, sizeof label, "Scale × %g", (double)scale);
    pliant_error error = {0};
    studio_document *document = scaled_document(s, scale, &error);
    return studio_replace_document(s, document, (studio_deed){.label = label}, &error) ||
           studio_fail_with(reader, &error);
}
