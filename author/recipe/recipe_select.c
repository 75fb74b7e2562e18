// Named selections of a recipe: regions, indices, and combinations of selections that stand before them. Those that
// the calling program gives stand before all.

#include "mesh/select.h"
#include "recipe.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

// ---------------------------------------------------------------------------------------------
// Reading

typedef struct selection_spec {
    json_value part, material, box, sphere, indices, any, all, inverse;
} selection_spec;

#define SPEC(name)                                                                                 \
    {                                                                                              \
#name, FIELD_VALUE, offsetof(selection_spec, name), FIELD_ANY, false                       \
    }

static const field selection_fields[] = {
    SPEC(part),    SPEC(material),
    SPEC(box),     SPEC(sphere),
    SPEC(indices), SPEC(any),
    SPEC(all),     {"not", FIELD_VALUE, offsetof(selection_spec, inverse), FIELD_ANY, false},
};

static const field name_field = {NULL,  FIELD_STRING, 0,    0, sizeof((pliant_region *)0)->name,
                                 false, false,        false};

static const field box_fields[] = {
    {"minimum", FIELD_VEC3, offsetof(pliant_region, minimum), FIELD_COORDINATE, true},
    {"maximum", FIELD_VEC3, offsetof(pliant_region, maximum), FIELD_COORDINATE, true},
};

static const field sphere_fields[] = {
    {"centre", FIELD_VEC3, offsetof(pliant_region, centre), FIELD_COORDINATE, true},
    {"radius", FIELD_FLOAT, offsetof(pliant_region, radius), FIELD_POSITIVE, true},
};

// A name that no part has is a slip of the pen; a pattern may well match nothing.
static bool check_part(recipe *r, const pliant_region *region, const char *noun)
{
    const pliant_mesh *mesh = r->draft->mesh;
    size_t length = strlen(region->name);
    if (length > 0 && region->name[length - 1] == '*')
        return true;
    for (int32_t i = 0; i < mesh->part_count; ++i)
        if (pli_region_has_part(region, &mesh->parts[i]))
            return true;
    return pli_field_fail(&r->fields, "the mesh has no %s \"%s\"", noun, region->name);
}

static bool read_named_region(recipe *r, const char *key, json_value value, pliant_region_kind kind,
                              pliant_region *region)
{
    size_t before = pli_field_enter_key(&r->fields, key);
    region->kind = kind;
    if (!pli_field_read(&r->fields, value, &name_field, region->name) ||
        !check_part(r, region, key))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

static bool read_placed_region(recipe *r, const char *key, json_value value,
                               pliant_region_kind kind, const field *fields, int count,
                               pliant_region *region)
{
    size_t before = pli_field_enter_key(&r->fields, key);
    region->kind = kind;
    if (!pli_field_read_object(&r->fields, value, fields, count, region))
        return false;
    pliant_error inner = {0};
    if (pli_region_check(region, &inner) != PLIANT_OK) {
        pli_field_enter_key(&r->fields, inner.place);
        return pli_field_fail(&r->fields, "%s", inner.message);
    }
    pli_field_leave(&r->fields, before);
    return true;
}

// Whether a name is one of the program's selections; *index becomes its number.
static bool find_given(const recipe *r, const char *name, int32_t *index)
{
    for (*index = 0; *index < r->given_count; ++*index)
        if (strcmp(r->given[*index].name, name) == 0)
            return true;
    return false;
}

static bool find_selection(recipe *r, json_value value, int32_t *index)
{
    const json_document *json = r->fields.json;
    char name[48];
    if (pli_json_type_of(json, value) != JSON_TYPE_STRING)
        return pli_field_expect(&r->fields, value, "a selection's name");
    size_t length = pli_json_string(json, value, name, sizeof name);
    if (length < sizeof name && find_given(r, name, index))
        return true;
    json_value key = pli_json_first(json, r->selection_names);
    while (key != JSON_NONE && (length >= sizeof name || !pli_json_string_is(json, key, name))) {
        key = pli_json_next(json, key);
        ++*index;
    }
    if (key == JSON_NONE)
        return pli_field_fail(&r->fields, "there is no selection \"%s\"", name);
    if (*index >= r->selection_count)
        return pli_field_fail(&r->fields, "\"%s\" does not stand before this one", name);
    return true;
}

// The selection that is being read, which is not counted yet.
static recipe_selection *newest(recipe *r)
{
    return &r->selections[r->selection_count];
}

static bool read_other(field_reader *reader, json_value value, int index, void *context)
{
    (void)reader;
    recipe *r = context;
    newest(r)->other_count = index + 1;
    return find_selection(r, value, &newest(r)->others[index]);
}

static bool read_others(recipe *r, const char *key, json_value value, recipe_rule rule)
{
    size_t before = pli_field_enter_key(&r->fields, key);
    int count = rule == RECIPE_NOT ? 1 : pli_json_size(r->fields.json, value);
    newest(r)->rule = rule;
    newest(r)->others = malloc(((size_t)count + 1) * sizeof *newest(r)->others);
    if (!newest(r)->others)
        return pli_field_fail_memory(&r->fields);
    bool ok = rule == RECIPE_NOT ? read_other(&r->fields, value, 0, r)
                                 : pli_field_read_items(&r->fields, value, read_other, r);
    if (ok)
        pli_field_leave(&r->fields, before);
    return ok;
}

// Whether there are so many is seen when the selection is used.
static bool read_indices(recipe *r, json_value value)
{
    size_t before = pli_field_enter_key(&r->fields, "indices");
    pliant_selection *indices = &newest(r)->indices;
    newest(r)->rule = RECIPE_INDICES;
    if (!pli_field_read_indices(&r->fields, value, INT32_MAX, &indices->indices, &indices->count))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

static bool read_rule(recipe *r, const selection_spec *spec)
{
    pliant_region *region = &newest(r)->region;
    if (spec->part != JSON_NONE)
        return read_named_region(r, "part", spec->part, PLIANT_REGION_PART, region);
    if (spec->material != JSON_NONE)
        return read_named_region(r, "material", spec->material, PLIANT_REGION_MATERIAL, region);
    if (spec->box != JSON_NONE)
        return read_placed_region(r, "box", spec->box, PLIANT_REGION_BOX, box_fields,
                                  COUNT(box_fields), region);
    if (spec->sphere != JSON_NONE)
        return read_placed_region(r, "sphere", spec->sphere, PLIANT_REGION_SPHERE, sphere_fields,
                                  COUNT(sphere_fields), region);
    if (spec->indices != JSON_NONE)
        return read_indices(r, spec->indices);
    if (spec->any != JSON_NONE)
        return read_others(r, "any", spec->any, RECIPE_ANY);
    if (spec->all != JSON_NONE)
        return read_others(r, "all", spec->all, RECIPE_ALL);
    return read_others(r, "not", spec->inverse, RECIPE_NOT);
}

static bool read_selection(field_reader *reader, json_value value, void *context)
{
    recipe *r = context;
    selection_spec spec = {JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE,
                           JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE};
    if (!pli_field_read_object(reader, value, selection_fields, COUNT(selection_fields), &spec))
        return false;
    if (pli_json_size(reader->json, value) != 1)
        return pli_field_fail(reader,
                              "expected one of \"part\", \"material\", \"box\", \"sphere\", "
                              "\"indices\", \"any\", \"all\", \"not\", found %d",
                              pli_json_size(reader->json, value));
    if (!read_rule(r, &spec))
        return false;
    ++r->selection_count;
    return true;
}

// A name would stand for two things.
static bool check_names(recipe *r, json_value object)
{
    const json_document *json = r->fields.json;
    for (json_value key = pli_json_first(json, object); key != JSON_NONE;
         key = pli_json_next(json, key)) {
        char name[48];
        int32_t index;
        if (pli_json_string(json, key, name, sizeof name) >= sizeof name ||
            !find_given(r, name, &index))
            continue;
        pli_field_enter_key(&r->fields, name);
        return pli_field_fail(&r->fields, "the program has a selection of that name");
    }
    return true;
}

bool pli_recipe_read_selections(recipe *r, json_value object)
{
    size_t count = (size_t)(r->given_count + pli_json_size(r->fields.json, object));
    r->selections = calloc(count + 1, sizeof *r->selections);
    if (!r->selections)
        return pli_field_fail_memory(&r->fields);
    for (; r->selection_count < r->given_count; ++r->selection_count)
        r->selections[r->selection_count] =
            (recipe_selection){.rule = RECIPE_GIVEN, .given = &r->given[r->selection_count]};
    if (object == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(&r->fields, "selections");
    r->selection_names = object;
    if (!pli_field_read_named(&r->fields, object, "an object of selections by name", read_selection,
                              r) ||
        !check_names(r, object))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

void pli_recipe_release_selections(recipe *r)
{
    // The one behind the last may have been left halfway; the room for one more is always there.
    for (int i = 0; r->selections && i <= r->selection_count; ++i) {
        free(r->selections[i].others);
        pliant_selection_release(&r->selections[i].indices);
    }
    free(r->selections);
}

// ---------------------------------------------------------------------------------------------
// Evaluating: masks of one byte for each vertex or particle, for all selections that the wanted one is made
// of, in their order.

typedef struct evaluation {
    recipe *recipe;
    bool of_particles;
    int32_t count;         // of vertices or particles
    unsigned char **masks; // of each selection, NULL for those that do not matter
} evaluation;

static pliant_result evaluate_region(const evaluation *e, const pliant_region *region,
                                     unsigned char *mask, pliant_error *error)
{
    const pliant_draft *draft = e->recipe->draft;
    pliant_selection selection = {0};
    pliant_result result = e->of_particles
                               ? pliant_draft_select(draft, region, &selection, error)
                               : pliant_mesh_select(draft->mesh, region, &selection, error);
    for (int32_t i = 0; i < selection.count; ++i)
        mask[selection.indices[i]] = 1;
    pliant_selection_release(&selection);
    return result;
}

static void combine(const evaluation *e, const recipe_selection *s, unsigned char *mask)
{
    for (int32_t i = 0; i < e->count; ++i) {
        int chosen = 0;
        for (int k = 0; k < s->other_count; ++k)
            chosen += e->masks[s->others[k]][i];
        bool is_in = s->rule == RECIPE_ANY   ? chosen > 0
                     : s->rule == RECIPE_ALL ? chosen == s->other_count
                                             : chosen == 0;
        mask[i] = is_in;
    }
}

static pliant_result evaluate_indices(const evaluation *e, const pliant_selection *indices,
                                      int32_t count, unsigned char *mask, pliant_error *error)
{
    for (int32_t i = 0; i < indices->count; ++i) {
        int32_t index = indices->indices[i];
        if (index < 0 || index >= count)
            return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "", "%s %d of %d",
                                 e->of_particles ? "particle" : "vertex", (int)index, (int)count);
        mask[index] = 1;
    }
    return PLIANT_OK;
}

// Particles are those that had the given numbers before the first tool.
static pliant_result evaluate_given(const evaluation *e, const pliant_named_selection *given,
                                    unsigned char *mask, pliant_error *error)
{
    const recipe *r = e->recipe;
    const pliant_selection *chosen = e->of_particles ? given->particles : given->vertices;
    if (!chosen || !e->of_particles)
        return chosen ? evaluate_indices(e, chosen, e->count, mask, error) : PLIANT_OK;
    unsigned char *before = calloc((size_t)r->given_particles + 1, 1);
    if (!before)
        return pli_error_memory(error);
    pliant_result result = evaluate_indices(e, chosen, r->given_particles, before, error);
    for (int32_t i = 0; result == PLIANT_OK && i < e->count; ++i) {
        int32_t origin = r->draft->origins[i];
        mask[i] = origin >= 0 && before[origin];
    }
    free(before);
    return result;
}

static pliant_result evaluate_one(const evaluation *e, const recipe_selection *s,
                                  unsigned char *mask, pliant_error *error)
{
    switch (s->rule) {
    case RECIPE_REGION:
        return evaluate_region(e, &s->region, mask, error);
    case RECIPE_INDICES:
        return evaluate_indices(e, &s->indices, e->count, mask, error);
    case RECIPE_GIVEN:
        return evaluate_given(e, s->given, mask, error);
    case RECIPE_ANY:
    case RECIPE_ALL:
    case RECIPE_NOT:
        combine(e, s, mask);
        break;
    }
    return PLIANT_OK;
}

static bool allocate_masks(evaluation *e, int32_t last)
{
    const recipe_selection *selections = e->recipe->selections;
    size_t size = (size_t)e->count + 1;
    e->masks[last] = calloc(size, 1);
    for (int32_t i = last; i >= 0; --i) {
        for (int k = 0; e->masks[i] && k < selections[i].other_count; ++k) {
            unsigned char **other = &e->masks[selections[i].others[k]];
            *other = *other ? *other : calloc(size, 1);
            if (!*other)
                return false;
        }
    }
    return e->masks[last] != NULL;
}

static pliant_result evaluate(evaluation *e, int32_t last, pliant_selection *selection,
                              pliant_error *error)
{
    const recipe_selection *selections = e->recipe->selections;
    pliant_result result = allocate_masks(e, last) ? PLIANT_OK : pli_error_memory(error);
    for (int32_t i = 0; i <= last && result == PLIANT_OK; ++i)
        if (e->masks[i])
            result = evaluate_one(e, &selections[i], e->masks[i], error);
    if (result != PLIANT_OK)
        return result;
    return pli_selection_from_mask(e->masks[last], e->count, selection, error);
}

static bool select_by_index(recipe *r, int32_t index, bool of_particles, pliant_selection *storage)
{
    evaluation e = {
        .recipe = r,
        .of_particles = of_particles,
        .count = of_particles ? r->draft->particle_count : r->draft->mesh->vertex_count,
        .masks = calloc((size_t)index + 1, sizeof *e.masks),
    };
    if (!e.masks)
        return pli_field_fail_memory(&r->fields);
    pliant_error inner = {0};
    pliant_result result = evaluate(&e, index, storage, &inner);
    for (int32_t i = 0; i <= index; ++i)
        free(e.masks[i]);
    free(e.masks);
    return result == PLIANT_OK || pli_field_fail_inside(&r->fields, &inner);
}

bool pli_recipe_select(recipe *r, const char *key, json_value name, bool of_particles,
                       pliant_selection *storage, const pliant_selection **selection)
{
    *selection = NULL;
    if (name == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(&r->fields, key);
    int32_t index;
    if (!find_selection(r, name, &index) ||
        (r->runs && !select_by_index(r, index, of_particles, storage)))
        return false;
    pli_field_leave(&r->fields, before);
    *selection = storage;
    return true;
}
