// Recipes (docs/recipe.schema.json): the top level. All of the text is checked before the first tool is used, and all
// tools together are one, which fails as a whole.

#include "recipe.h"

#include <stdlib.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

enum { RECIPE_VERSION = 1 };

// Of the time; the rest is weighing.
#define TOOLS_PART 0.95f

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
    recipe *r = context;
    float count = (float)r->tool_count;
    if (r->runs)
        pli_progress_narrow(r->draft->progress, r->range, TOOLS_PART * (float)index / count,
                            TOOLS_PART * (float)(index + 1) / count);
    return pli_recipe_use_tool(r, value);
}

static bool use_tools(recipe *r, json_value array, bool runs)
{
    r->runs = runs;
    size_t before = pli_field_enter_key(&r->fields, "tools");
    if (!pli_field_read_items(&r->fields, array, use_tool, r))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

static bool check(recipe *r, json_value *tools)
{
    top_level top = {.version = RECIPE_VERSION, .selections = JSON_NONE, .tools = JSON_NONE};
    if (!pli_field_read_object(&r->fields, pli_json_root(r->fields.json), top_fields,
                               COUNT(top_fields), &top))
        return false;
    if (top.version > RECIPE_VERSION) {
        pli_error_set(r->fields.error, PLIANT_ERROR_VERSION, "pliant",
                      "the recipe is of version %d, this program understands up to %d", top.version,
                      RECIPE_VERSION);
        return false;
    }
    *tools = top.tools;
    return pli_recipe_read_selections(r, top.selections) && use_tools(r, top.tools, false);
}

// ---------------------------------------------------------------------------------------------
// Running

// Lets particles remember their numbers, for selections that were given by them.
static bool number_particles(pliant_draft *draft)
{
    draft->origins = malloc(((size_t)draft->particle_capacity + 1) * sizeof *draft->origins);
    for (int i = 0; draft->origins && i < draft->particle_count; ++i)
        draft->origins[i] = i;
    return draft->origins != NULL;
}

static void forget_numbers(pliant_draft *draft)
{
    free(draft->origins);
    draft->origins = NULL;
}

static bool run(recipe *r, json_value tools)
{
    pliant_draft *draft = r->draft;
    pliant_error *error = r->fields.error;
    draft_tool all;
    if (pli_draft_begin_tool(draft, &all, error) != PLIANT_OK)
        return false;
    r->range = all.range;
    r->tool_count = pli_json_size(r->fields.json, tools);
    r->given_particles = draft->particle_count;
    bool ok =
        number_particles(draft) ? use_tools(r, tools, true) : pli_field_fail_memory(&r->fields);
    forget_numbers(draft);
    pli_progress_narrow(draft->progress, all.range, TOOLS_PART, 1.0f);
    ok = ok && pliant_draft_weigh(draft, error) == PLIANT_OK;
    return pli_draft_end_tool(draft, &all, ok ? PLIANT_OK : error->code, error) == PLIANT_OK;
}

pliant_result pliant_draft_run_recipe_with(pliant_draft *draft, const char *text, size_t size,
                                           const pliant_named_selection *given, int given_count,
                                           pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    json_document *document = pli_json_parse(text, size, error);
    if (!document)
        return error->code;
    recipe r = {.fields = {.json = document, .error = error},
                .draft = draft,
                .given = given,
                .given_count = given_count,
                .selection_names = JSON_NONE};
    json_value tools;
    pliant_result result = check(&r, &tools) && run(&r, tools) ? PLIANT_OK : error->code;
    pli_recipe_release_selections(&r);
    pli_json_destroy(document);
    return result;
}

pliant_result pliant_draft_run_recipe(pliant_draft *draft, const char *text, size_t size,
                                      pliant_error *error)
{
    return pliant_draft_run_recipe_with(draft, text, size, NULL, 0, error);
}
