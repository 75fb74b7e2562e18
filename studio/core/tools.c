// Using tools: a recipe of what the page asks for, with the page's selection.

#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_ask {
    char label[STUDIO_LABEL_SIZE];
    json_value tools;
    int stroke;
} run_ask;

static const field run_fields[] = {
    {"label", FIELD_STRING, offsetof(run_ask, label), 0, STUDIO_LABEL_SIZE, false, false, true},
    {"tools", FIELD_VALUE, offsetof(run_ask, tools), FIELD_ANY, true},
    {"stroke", FIELD_INT, offsetof(run_ask, stroke), FIELD_INDEX, false},
};

// {"tools": …}; free() it.
static char *recipe_text(const json_document *json, json_value tools, size_t *size)
{
    static const char begin[] = "{\"tools\":";
    size_t length;
    const char *raw = pli_json_raw(json, tools, &length);
    char *text = malloc(sizeof begin + length + 1);
    if (!text)
        return NULL;
    memcpy(text, begin, sizeof begin - 1);
    memcpy(text + sizeof begin - 1, raw, length);
    text[sizeof begin - 1 + length] = '}';
    *size = sizeof begin + length;
    return text;
}

// After a removal numbers of particles mean others: nothing stays selected.
static bool renumbers(const json_document *json, json_value tools)
{
    for (json_value v = pli_json_first(json, tools); v != JSON_NONE; v = pli_json_next(json, v)) {
        if (pli_json_get(json, v, "remove") != JSON_NONE)
            return true;
    }
    return false;
}

static bool use_tools(studio_document *document, const char *text, size_t size, pliant_error *error)
{
    pliant_selection vertices = {0}, particles = {0};
    bool ok =
        studio_selection_of(document->selected_vertices, document->mesh->vertex_count, &vertices) &&
        studio_selection_of(document->selected_particles, document->particle_count, &particles);
    if (!ok) {
        pli_error_memory(error);
    } else {
        pliant_named_selection selected = {"selected", &vertices, &particles};
        ok = pliant_draft_run_recipe_with(document->draft, text, size, &selected, 1, error) ==
             PLIANT_OK;
    }
    pliant_selection_release(&vertices);
    pliant_selection_release(&particles);
    return ok;
}

static bool run(studio *s, const json_document *json, const run_ask *ask, pliant_error *error)
{
    size_t size;
    char *text = recipe_text(json, ask->tools, &size);
    studio_change change;
    if (!text) {
        pli_error_memory(error);
        return false;
    }
    int before = s->document->particle_count;
    bool ok = studio_change_begin(&change, s->document, error);
    if (ok) {
        ok = use_tools(s->document, text, size, error) &&
             studio_document_ask(s->document, json, ask->tools, before, error) &&
             studio_document_recount(s->document, renumbers(json, ask->tools), error) &&
             studio_history_push(s, s->document, (studio_deed){ask->label, ask->stroke, false},
                                 error);
        studio_change_end(&change, ok);
    }
    free(text);
    return ok;
}

bool studio_run(studio *s, field_reader *reader, json_value arguments)
{
    run_ask ask = {.stroke = 0};
    if (!pli_field_read_object(reader, arguments, run_fields, COUNT_OF(run_fields), &ask) ||
        !studio_need_document(s, reader))
        return false;
    pliant_error error = {0};
    if (!run(s, reader->json, &ask, &error))
        return studio_fail_with(reader, &error);
    studio_stage_close(s);
    return true;
}

bool studio_propose(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments) || !studio_need_document(s, reader))
        return false;
    pliant_error error = {0};
    pliant_live live;
    if (pliant_draft_propose_live(s->document->draft, &live, &error) != PLIANT_OK)
        return studio_fail_with(reader, &error);
    pli_json_begin_object(&s->answer, NULL);
    pli_json_write_string(&s->answer, "live", pliant_live_name(live));
    pli_json_end_object(&s->answer);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Simulating

// Of the vertices that are not bound, those that tools were asked to carry; the others stay where they are.
static bool list_asked(const studio_document *document, pliant_selection *asked,
                       pliant_error *error)
{
    int count = document->mesh->vertex_count;
    *asked = (pliant_selection){0, malloc(((size_t)count + 1) * sizeof(int32_t))};
    if (!asked->indices) {
        pli_error_memory(error);
        return false;
    }
    for (int i = 0; i < count; ++i) {
        if (document->asked_vertices[i] && !studio_document_is_bound(document, i))
            asked->indices[asked->count++] = i;
    }
    return true;
}

static bool bind(studio_document *document, const pliant_selection *vertices, pliant_error *error)
{
    pliant_bind_def def = pliant_default_bind_def();
    def.vertices = vertices;
    return pliant_draft_bind(document->draft, &def, error) == PLIANT_OK;
}

static const char *number_of_vertices(int count, char text[32])
{
    if (count < 1000)
        snprintf(text, 32, "%d %s", count, count == 1 ? "vertex" : "vertices");
    else if (count < 1000000)
        snprintf(text, 32, "%d,%03d vertices", count / 1000, count % 1000);
    else
        snprintf(text, 32, "%d,%03d,%03d vertices", count / 1000000, count / 1000 % 1000,
                 count % 1000);
    return text;
}

static void note_bound(studio *s, int bound)
{
    char text[32];
    int unbound = studio_document_unbound(s->document);
    if (bound > 0)
        studio_note(s, "%s %s bound to particles first", number_of_vertices(bound, text),
                    bound == 1 ? "was" : "were");
    if (unbound > 0)
        studio_note(s, "%s %s: nothing was made for %s", number_of_vertices(unbound, text),
                    unbound == 1 ? "stays where it is" : "stay where they are",
                    unbound == 1 ? "it" : "them");
}

static studio_play *stage_document(studio *s, pliant_error *error)
{
    pliant_selection asked;
    studio_change change;
    if (!list_asked(s->document, &asked, error))
        return NULL;
    if (!studio_change_begin(&change, s->document, error)) {
        pliant_selection_release(&asked);
        return NULL;
    }
    int count = s->document->particle_count > 0 ? asked.count : 0;
    bool binds = count > 0;
    studio_play *play = NULL;
    if (!binds || bind(s->document, &asked, error))
        play = studio_play_create(studio_document_scene(s->document, error), STUDIO_SOURCE_DOCUMENT,
                                  error);
    if (play && binds &&
        !studio_history_push(s, s->document, (studio_deed){.label = "Bind"}, error)) {
        studio_play_destroy(play);
        play = NULL;
    }
    studio_change_end(&change, play != NULL);
    pliant_selection_release(&asked);
    if (play)
        note_bound(s, count);
    return play;
}

bool studio_simulate(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments) || !studio_need_document(s, reader))
        return false;
    pliant_error error = {0};
    studio_play *play = stage_document(s, &error);
    if (!play)
        return studio_fail_with(reader, &error);
    studio_stage_set(s, play);
    return true;
}
