// Recipes (docs/recipe.schema.json): the top level. All of the text is checked before the first tool is used,
// and the tools work on a copy of the draft, which takes its place when all went well.

#include "draft/recipe.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

enum { RECIPE_VERSION = 1 };

// ---------------------------------------------------------------------------------------------
// The copy

static bool copy_groups(pliant_draft *copy, const pliant_draft *draft)
{
    if (!pliant_draft_reserve_groups(copy, draft->group_count))
        return false;
    for (int i = 0; i < draft->group_count; ++i) {
        const pliant_group_def *group = &draft->groups[i].def;
        size_t size = (size_t)group->member_count * sizeof *group->members;
        pliant_selection members = {group->member_count, malloc(size)};
        if (!members.indices)
            return false;
        memcpy(members.indices, group->members, size);
        pliant_draft_append_group(copy, group, &members);
    }
    return true;
}

static bool copy_elements(pliant_draft *copy, const pliant_draft *draft)
{
    size_t hinges = (size_t)draft->hinge_count * sizeof *draft->hinges;
    copy->hinges = malloc(hinges + 1);
    if (!copy->hinges || !pliant_draft_reserve_particles(copy, draft->particle_count) ||
        !pliant_draft_reserve_edges(copy, draft->edge_count) || !copy_groups(copy, draft))
        return false;
    for (int i = 0; i < draft->particle_count; ++i)
        pliant_draft_append_particle(copy, &draft->particles[i], draft->anchors[i]);
    for (int i = 0; i < draft->edge_count; ++i)
        copy->edges[copy->edge_count++] = draft->edges[i];
    if (hinges > 0)
        memcpy(copy->hinges, draft->hinges, hinges);
    copy->hinge_count = draft->hinge_count;
    memcpy(copy->links, draft->links, (size_t)draft->mesh->vertex_count * sizeof *copy->links);
    copy->spacing = draft->spacing;
    copy->bridge = draft->bridge;
    return true;
}

static pliant_draft *copy_draft(const pliant_draft *draft, pliant_error *error)
{
    pliant_draft *copy = pliant_draft_create(draft->mesh, error);
    if (copy && !copy_elements(copy, draft)) {
        pliant_error_memory(error);
        pliant_draft_destroy(copy);
        copy = NULL;
    }
    return copy;
}

static void exchange(pliant_draft *a, pliant_draft *b)
{
    pliant_draft content = *a;
    *a = *b;
    *b = content;
}

// ---------------------------------------------------------------------------------------------
// The text

typedef struct top_level {
    int version;
    char schema[256]; // only for editors
    json_value selections, tools;
} top_level;

static const field top_fields[] = {
    {"$schema", FIELD_STRING, offsetof(top_level, schema), 0, sizeof((top_level *)0)->schema, false,
     false, false},
    {"pliant", FIELD_INT, offsetof(top_level, version), 1, INT32_MAX, false, false, false},
    {"selections", FIELD_VALUE, offsetof(top_level, selections), FIELD_ANY, false},
    {"tools", FIELD_VALUE, offsetof(top_level, tools), FIELD_ANY, true},
};

static bool use_tool(field_reader *reader, json_value value, int index, void *context)
{
    (void)reader;
    (void)index;
    return pliant_recipe_use_tool(context, value);
}

static bool use_tools(recipe *r, json_value array, bool runs)
{
    r->runs = runs;
    size_t before = pliant_field_enter_key(&r->fields, "tools");
    if (!pliant_field_read_items(&r->fields, array, use_tool, r))
        return false;
    pliant_field_leave(&r->fields, before);
    return true;
}

static bool run(recipe *r)
{
    top_level top = {.version = RECIPE_VERSION, .selections = JSON_NONE, .tools = JSON_NONE};
    if (!pliant_field_read_object(&r->fields, pliant_json_root(r->fields.json), top_fields,
                                  COUNT(top_fields), &top))
        return false;
    if (top.version > RECIPE_VERSION) {
        pliant_error_set(r->fields.error, PLIANT_ERROR_VERSION, "pliant",
                         "the recipe is of version %d, this program understands up to %d",
                         top.version, RECIPE_VERSION);
        return false;
    }
    return pliant_recipe_read_selections(r, top.selections) && use_tools(r, top.tools, false) &&
           use_tools(r, top.tools, true);
}

pliant_result pliant_draft_run_recipe(pliant_draft *draft, const char *text, size_t size,
                                      pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    json_document *document = pliant_json_parse(text, size, error);
    if (!document)
        return error->code;
    pliant_result result = PLIANT_OK;
    recipe r = {.fields = {.json = document, .error = error},
                .draft = copy_draft(draft, error),
                .selection_names = JSON_NONE};
    if (r.draft && run(&r))
        exchange(draft, r.draft);
    else
        result = error->code;
    pliant_recipe_release_selections(&r);
    pliant_draft_destroy(r.draft);
    pliant_json_destroy(document);
    return result;
}
