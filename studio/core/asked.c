// Which vertices tools were asked to carry: what was selected for them, or everything. Brushes, and tools that place
// particles where they are told, ask for the pieces of the mesh that their particles came to. All others stay where they
// are when the document is simulated.

#include "core.h"

#include "draft/draft.h"

#include <stdlib.h>
#include <string.h>

typedef struct asking {
    studio_document *document;
    const json_document *json;
    bool has_spread; // to pieces of new particles, which is done once
    int particles_before;
    pliant_error *error;
} asking;

static void ask_for(studio_document *document, const pliant_selection *vertices)
{
    for (int i = 0; i < vertices->count; ++i)
        document->asked_vertices[vertices->indices[i]] = 1;
}

// The pieces that the vertices are of. Takes the selection over.
static bool ask_for_pieces(asking *a, pliant_selection *vertices)
{
    bool ok = vertices->count == 0 ||
              pliant_mesh_grow(a->document->mesh, vertices, 0, true, a->error) == PLIANT_OK;
    if (ok)
        ask_for(a->document, vertices);
    pliant_selection_release(vertices);
    return ok;
}

static int compare_indices(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

static void sort_once(pliant_selection *vertices)
{
    int count = 0;
    qsort(vertices->indices, (size_t)vertices->count, sizeof *vertices->indices, compare_indices);
    for (int i = 0; i < vertices->count; ++i) {
        if (count == 0 || vertices->indices[i] != vertices->indices[count - 1])
            vertices->indices[count++] = vertices->indices[i];
    }
    vertices->count = count;
}

// The pieces nearest to new particles.
static bool ask_for_new(asking *a)
{
    const studio_document *document = a->document;
    int count = pliant_draft_particle_count(document->draft), from = a->particles_before;
    if (a->has_spread || count <= from)
        return true;
    a->has_spread = true;
    const surface_search *search = pli_draft_surface(document->draft);
    pliant_selection near = {0, malloc(((size_t)(count - from) + 1) * sizeof(int32_t))};
    if (!search || !near.indices) {
        pliant_selection_release(&near);
        pli_error_memory(a->error);
        return false;
    }
    for (int i = from; i < count; ++i) {
        vec3 position = pliant_draft_particle(document->draft, i)->position;
        int32_t triangle = pli_surface_nearest(search, position).triangle;
        int32_t vertex = triangle < 0 ? -1 : document->mesh->triangles[3 * (size_t)triangle];
        if (vertex >= 0 && !document->asked_vertices[vertex])
            near.indices[near.count++] = vertex;
    }
    sort_once(&near);
    return ask_for_pieces(a, &near);
}

static bool ask_for_selected(asking *a, bool whole_pieces)
{
    studio_document *document = a->document;
    pliant_selection selected;
    if (!studio_selection_of(document->selected_vertices, document->mesh->vertex_count,
                             &selected)) {
        pli_error_memory(a->error);
        return false;
    }
    if (whole_pieces)
        return ask_for_pieces(a, &selected);
    ask_for(document, &selected);
    pliant_selection_release(&selected);
    return true;
}

static bool use(asking *a, json_value tool)
{
    static const struct {
        const char *name;
        bool is_local;
    } tools[] = {{"auto", false},  {"slice", false}, {"fill", false},
                 {"spray", false}, {"place", true},  {"mirror", true}};
    studio_document *document = a->document;
    json_value removal = pli_json_get(a->json, tool, "remove");
    if (removal != JSON_NONE && pli_json_get(a->json, removal, "particles") == JSON_NONE) {
        memset(document->asked_vertices, 0, (size_t)document->mesh->vertex_count);
        a->particles_before = 0;
    }
    for (int i = 0; i < COUNT_OF(tools); ++i) {
        json_value arguments = pli_json_get(a->json, tool, tools[i].name);
        if (arguments == JSON_NONE)
            continue;
        if (pli_json_get(a->json, arguments, "vertices") != JSON_NONE)
            return ask_for_selected(a, strcmp(tools[i].name, "fill") == 0);
        if (tools[i].is_local || pli_json_get(a->json, arguments, "centre") != JSON_NONE)
            return ask_for_new(a);
        memset(document->asked_vertices, 1, (size_t)document->mesh->vertex_count);
    }
    return true;
}

bool studio_document_ask(studio_document *document, const json_document *json, json_value tools,
                         int particles_before, pliant_error *error)
{
    asking a = {
        .document = document, .json = json, .particles_before = particles_before, .error = error};
    // Where nothing is left to carry them, nothing was asked for.
    if (particles_before == 0 || pliant_draft_particle_count(document->draft) == 0)
        memset(document->asked_vertices, 0, (size_t)document->mesh->vertex_count);
    for (json_value v = pli_json_first(json, tools); v != JSON_NONE; v = pli_json_next(json, v)) {
        if (!use(&a, v))
            return false;
    }
    return true;
}
