// Recipes, divided by topic: the top level is in recipe.c, named selections in recipe_select.c, the tools in
// recipe_tools.c.

#ifndef PLIANT_AUTHOR_RECIPE_RECIPE_H
#define PLIANT_AUTHOR_RECIPE_RECIPE_H

#include "draft/tools.h"
#include "json/fields.h"

typedef enum recipe_rule {
    RECIPE_REGION,
    RECIPE_ANY, // of other selections
    RECIPE_ALL,
    RECIPE_NOT, // the first of them
    RECIPE_INDICES,
    RECIPE_GIVEN, // by the calling program
} recipe_rule;

typedef struct recipe_selection {
    recipe_rule rule;
    pliant_region region;
    int other_count;
    int32_t *others; // each before this one, so that nothing goes in circles
    pliant_selection indices;
    const pliant_named_selection *given;
} recipe_selection;

typedef struct recipe {
    field_reader fields;
    pliant_draft *draft;
    bool runs; // or only checks
    int tool_count;
    progress_range range; // of all tools
    const pliant_named_selection *given;
    int given_count;
    int given_particles;          // how many there were before the first tool
    json_value selection_names;   // the object whose keys the recipe's own are
    int selection_count;          // read so far
    recipe_selection *selections; // the given ones, then its own
} recipe;

// The object of selections by name, which may be JSON_NONE.
bool pli_recipe_read_selections(recipe *r, json_value object);
void pli_recipe_release_selections(recipe *r);
// The selection named by the value at `key`, of vertices or of particles as they are now. *selection becomes
// `storage`, which the caller releases, or NULL for a value that is not there. A recipe that does not run only
// checks the name.
bool pli_recipe_select(recipe *r, const char *key, json_value name, bool of_particles,
                       pliant_selection *storage, const pliant_selection **selection);

// One item of the list of tools: reads its arguments and, in a recipe that runs, uses it.
bool pli_recipe_use_tool(recipe *r, json_value item);

#endif
