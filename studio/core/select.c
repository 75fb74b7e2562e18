// Who is selected: vertices or particles, by rules.
//
// Rules are read one after another. Those that say where something is add to what the ones before have found; `invert`,
// `grow` and `connected` change it, the first of all what was selected before. The mode says what becomes of the result.

#include "core.h"

#include "draft/draft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct selecting {
    studio_document *document;
    bool of_particles;
    int count;
    unsigned char *present; // what was selected before
    unsigned char *found;
    bool is_first; // no rule has been read yet
} selecting;

static vec3 place_of(const selecting *w, int i)
{
    return w->of_particles ? pliant_draft_particle(w->document->draft, i)->position
                           : w->document->mesh->positions[i];
}

// What a rule that changes a selection begins with.
static void begin_with_present(selecting *w)
{
    if (w->is_first)
        memcpy(w->found, w->present, (size_t)w->count);
}

static bool need_kind(field_reader *reader, const selecting *w, bool of_particles)
{
    return w->of_particles == of_particles ||
           pli_field_fail(reader, "this selects %s only", of_particles ? "particles" : "vertices");
}

// ---------------------------------------------------------------------------------------------
// Rules: each reads its value and finds

typedef bool rule(field_reader *reader, json_value value, selecting *w);

static bool select_all(field_reader *reader, json_value value, selecting *w)
{
    if (!studio_read_nothing(reader, value))
        return false;
    memset(w->found, 1, (size_t)w->count);
    return true;
}

static bool select_none(field_reader *reader, json_value value, selecting *w)
{
    if (!studio_read_nothing(reader, value))
        return false;
    memset(w->found, 0, (size_t)w->count);
    return true;
}

static bool select_inverse(field_reader *reader, json_value value, selecting *w)
{
    if (!studio_read_nothing(reader, value))
        return false;
    begin_with_present(w);
    for (int i = 0; i < w->count; ++i)
        w->found[i] = !w->found[i];
    return true;
}

static bool read_index(field_reader *reader, json_value value, int count, int *index)
{
    if (count == 0)
        return pli_field_fail(reader, "there is none");
    const field index_field = {.kind = FIELD_INT, .minimum = 0, .maximum = count - 1};
    return pli_field_read(reader, value, &index_field, index);
}

static bool select_index(field_reader *reader, json_value value, selecting *w)
{
    int index = 0;
    if (!read_index(reader, value, w->count, &index))
        return false;
    w->found[index] = 1;
    return true;
}

typedef struct sphere_ask {
    vec3 centre;
    float radius;
} sphere_ask;

static const field sphere_fields[] = {
    {"centre", FIELD_VEC3, offsetof(sphere_ask, centre), FIELD_COORDINATE, true},
    {"radius", FIELD_FLOAT, offsetof(sphere_ask, radius), FIELD_NOT_NEGATIVE, true},
};

static bool select_sphere(field_reader *reader, json_value value, selecting *w)
{
    sphere_ask ask;
    if (!pli_field_read_object(reader, value, sphere_fields, COUNT_OF(sphere_fields), &ask))
        return false;
    for (int i = 0; i < w->count; ++i) {
        if (vec3_length(vec3_sub(place_of(w, i), ask.centre)) <= ask.radius)
            w->found[i] = 1;
    }
    return true;
}

static bool select_part(field_reader *reader, json_value value, selecting *w)
{
    const pliant_mesh *mesh = w->document->mesh;
    int index = 0;
    if (!read_index(reader, value, mesh->part_count, &index))
        return false;
    const pliant_mesh_part *part = &mesh->parts[index];
    if (!w->of_particles) {
        memset(w->found + part->first_vertex, 1, (size_t)part->vertex_count);
        return true;
    }
    // Particles belong to the part whose surface is nearest.
    const surface_search *search = pli_draft_surface(w->document->draft);
    if (!search)
        return pli_field_fail_memory(reader);
    for (int i = 0; i < w->count; ++i) {
        int32_t triangle = pli_surface_nearest(search, place_of(w, i)).triangle;
        if (triangle >= part->first_triangle &&
            triangle < part->first_triangle + part->triangle_count)
            w->found[i] = 1;
    }
    return true;
}

static bool grow(field_reader *reader, selecting *w, int rounds, bool whole)
{
    begin_with_present(w);
    pliant_selection selection;
    if (!studio_selection_of(w->found, w->count, &selection))
        return pli_field_fail_memory(reader);
    pliant_error error = {0};
    const studio_document *document = w->document;
    pliant_result result =
        w->of_particles ? pliant_draft_grow(document->draft, &selection, rounds, whole, &error)
                        : pliant_mesh_grow(document->mesh, &selection, rounds, whole, &error);
    if (result == PLIANT_OK) {
        memset(w->found, 0, (size_t)w->count);
        for (int i = 0; i < selection.count; ++i)
            w->found[selection.indices[i]] = 1;
    }
    pliant_selection_release(&selection);
    return result == PLIANT_OK || studio_fail_with(reader, &error);
}

static bool select_grown(field_reader *reader, json_value value, selecting *w)
{
    int rounds = 0;
    const field rounds_field = {.kind = FIELD_INT, .minimum = -1000, .maximum = 1000};
    return pli_field_read(reader, value, &rounds_field, &rounds) && grow(reader, w, rounds, false);
}

static bool select_connected(field_reader *reader, json_value value, selecting *w)
{
    return studio_read_nothing(reader, value) && grow(reader, w, 1, true);
}

static bool select_unbound(field_reader *reader, json_value value, selecting *w)
{
    if (!studio_read_nothing(reader, value) || !need_kind(reader, w, false))
        return false;
    for (int i = 0; i < w->count; ++i)
        w->found[i] |= !studio_document_is_bound(w->document, i);
    return true;
}

static bool select_followers(field_reader *reader, json_value value, selecting *w)
{
    if (!studio_read_nothing(reader, value) || !need_kind(reader, w, false))
        return false;
    for (int i = 0; i < w->count; ++i) {
        const int32_t *particles = pliant_draft_link_particles(w->document->draft, i);
        const float *weights = pliant_draft_link_weights(w->document->draft, i);
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
            w->found[i] |= weights[k] > 0.0f && w->document->selected_particles[particles[k]];
    }
    return true;
}

static bool select_leaders(field_reader *reader, json_value value, selecting *w)
{
    if (!studio_read_nothing(reader, value) || !need_kind(reader, w, true))
        return false;
    for (int i = 0; i < w->document->mesh->vertex_count; ++i) {
        const int32_t *particles = pliant_draft_link_particles(w->document->draft, i);
        const float *weights = pliant_draft_link_weights(w->document->draft, i);
        for (int k = 0; k < PLIANT_MAX_LINKS && w->document->selected_vertices[i]; ++k) {
            if (weights[k] > 0.0f)
                w->found[particles[k]] = 1;
        }
    }
    return true;
}

static bool select_group(field_reader *reader, json_value value, selecting *w)
{
    int index = 0;
    const pliant_draft *draft = w->document->draft;
    if (!need_kind(reader, w, true) ||
        !read_index(reader, value, pliant_draft_group_count(draft), &index))
        return false;
    pliant_group_def group = pliant_draft_group_at(draft, index);
    for (int i = 0; i < group.member_count; ++i)
        w->found[group.members[i]] = 1;
    return true;
}

// ---------------------------------------------------------------------------------------------
// A box on the screen

enum { MOST_PLANES = 16 };

typedef struct plane {
    vec3 normal;
    float offset;
} plane;

typedef struct planes_ask {
    json_value planes, eye;
} planes_ask;

static const field planes_fields[] = {
    {"planes", FIELD_VALUE, offsetof(planes_ask, planes), FIELD_ANY, true},
    {"eye", FIELD_VALUE, offsetof(planes_ask, eye), FIELD_ANY, false},
};

typedef struct planes_list {
    plane planes[MOST_PLANES];
    int count;
} planes_list;

static bool read_plane(field_reader *reader, json_value value, int index, void *context)
{
    planes_list *list = context;
    if (index >= MOST_PLANES)
        return pli_field_fail(reader, "expected at most %d planes", (int)MOST_PLANES);
    if (pli_json_size(reader->json, value) != 4)
        return pli_field_expect(reader, value, "an array of 4 numbers");
    float numbers[4];
    const field number = {.kind = FIELD_FLOAT, .minimum = -1e9, .maximum = 1e9};
    for (int k = 0; k < 4; ++k) {
        if (!pli_field_read(reader, pli_json_item(reader->json, value, k), &number, &numbers[k]))
            return false;
    }
    list->planes[list->count++] = (plane){{numbers[0], numbers[1], numbers[2]}, numbers[3]};
    return true;
}

static bool in_front(const planes_list *list, vec3 x)
{
    for (int k = 0; k < list->count; ++k) {
        if (vec3_dot(list->planes[k].normal, x) < list->planes[k].offset)
            return false;
    }
    return true;
}

// Whether nothing lies between the eye and it. Particles may lie as deep under the surface as they are large.
static bool is_seen(const selecting *w, const surface_search *search, vec3 eye, int i)
{
    vec3 to = vec3_sub(place_of(w, i), eye);
    float length = vec3_length(to), depth = 1e-4f * length, distance;
    if (!(length > 0.0f))
        return true;
    if (w->of_particles) {
        vec3 radii = pliant_draft_particle(w->document->draft, i)->radii;
        depth += 1.5f * maximum(radii.x, maximum(radii.y, radii.z));
    }
    studio_ray ray = {eye, vec3_scale(to, 1.0f / length)};
    return studio_ray_surface(search, &ray, 0.0f, length - depth, &distance) < 0;
}

static bool select_planes(field_reader *reader, json_value value, selecting *w)
{
    planes_ask ask = {JSON_NONE, JSON_NONE};
    planes_list list = {.count = 0};
    if (!pli_field_read_object(reader, value, planes_fields, COUNT_OF(planes_fields), &ask))
        return false;
    size_t before = pli_field_enter_key(reader, "planes");
    if (!pli_field_read_items(reader, ask.planes, read_plane, &list))
        return false;
    pli_field_leave(reader, before);
    vec3 eye = {0};
    const surface_search *search = NULL;
    if (ask.eye != JSON_NONE) {
        const field eye_field = {.kind = FIELD_VEC3, .minimum = -1e6, .maximum = 1e6};
        before = pli_field_enter_key(reader, "eye");
        if (!pli_field_read(reader, ask.eye, &eye_field, &eye))
            return false;
        pli_field_leave(reader, before);
        search = pli_draft_surface(w->document->draft);
        if (!search)
            return pli_field_fail_memory(reader);
    }
    for (int i = 0; i < w->count; ++i) {
        if (in_front(&list, place_of(w, i)) && (!search || is_seen(w, search, eye, i)))
            w->found[i] = 1;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The command

static const struct {
    const char *name;
    rule *find;
} rules[] = {
    {"all", select_all},         {"none", select_none},           {"invert", select_inverse},
    {"index", select_index},     {"sphere", select_sphere},       {"planes", select_planes},
    {"part", select_part},       {"grow", select_grown},          {"connected", select_connected},
    {"unbound", select_unbound}, {"followers", select_followers}, {"leaders", select_leaders},
    {"group", select_group},
};

static bool use_rule(field_reader *reader, json_value value, int index, void *context)
{
    (void)index;
    selecting *w = context;
    if (pli_json_type_of(reader->json, value) != JSON_TYPE_OBJECT ||
        pli_json_size(reader->json, value) != 1)
        return pli_field_fail(reader, "expected an object with one member, the rule");
    json_value key = pli_json_first(reader->json, value);
    char name[32];
    pli_json_string(reader->json, key, name, sizeof name);
    size_t before = pli_field_enter_key(reader, name);
    int i = 0;
    while (i < COUNT_OF(rules) && !pli_json_string_is(reader->json, key, rules[i].name))
        ++i;
    if (i == COUNT_OF(rules))
        return pli_field_fail(reader, "there is no such rule");
    if (!rules[i].find(reader, pli_json_member(reader->json, key), w))
        return false;
    w->is_first = false;
    pli_field_leave(reader, before);
    return true;
}

typedef enum select_mode { MODE_SET, MODE_ADD, MODE_REMOVE } select_mode;

static void combine(const selecting *w, int mode, unsigned char *mask)
{
    for (int i = 0; i < w->count; ++i) {
        bool found = w->found[i] != 0;
        mask[i] = mode == MODE_SET   ? found
                  : mode == MODE_ADD ? mask[i] | found
                                     : (mask[i] & !found) != 0;
    }
}

typedef struct select_ask {
    json_value what, mode, rules;
    int stroke;
} select_ask;

static const field select_fields[] = {
    {"what", FIELD_VALUE, offsetof(select_ask, what), FIELD_ANY, true},
    {"mode", FIELD_VALUE, offsetof(select_ask, mode), FIELD_ANY, true},
    {"rules", FIELD_VALUE, offsetof(select_ask, rules), FIELD_ANY, true},
    {"stroke", FIELD_INT, offsetof(select_ask, stroke), FIELD_INDEX, false},
};

static bool read_words(field_reader *reader, const select_ask *ask, int *what, int *mode)
{
    static const char *const whats[] = {"vertices", "particles"};
    static const char *const modes[] = {"set", "add", "remove"};
    size_t before = pli_field_enter_key(reader, "what");
    if (!pli_field_read_word(reader, ask->what, whats, COUNT_OF(whats), what))
        return false;
    pli_field_leave(reader, before);
    before = pli_field_enter_key(reader, "mode");
    if (!pli_field_read_word(reader, ask->mode, modes, COUNT_OF(modes), mode))
        return false;
    pli_field_leave(reader, before);
    return true;
}

static bool find(field_reader *reader, const select_ask *ask, selecting *w)
{
    size_t before = pli_field_enter_key(reader, "rules");
    if (!pli_field_read_items(reader, ask->rules, use_rule, w))
        return false;
    pli_field_leave(reader, before);
    return true;
}

static bool apply(studio *s, field_reader *reader, const selecting *w, int mode, int stroke)
{
    studio_change change;
    pliant_error error = {0};
    if (!studio_change_begin(&change, s->document, &error))
        return studio_fail_with(reader, &error);
    combine(w, mode, w->present);
    studio_deed deed = {w->of_particles ? "Select particles" : "Select vertices", stroke, true};
    bool ok = studio_history_push(s, s->document, deed, &error);
    studio_change_end(&change, ok);
    return ok || studio_fail_with(reader, &error);
}

bool studio_select(studio *s, field_reader *reader, json_value arguments)
{
    select_ask ask = {.stroke = 0};
    int what, mode;
    if (!pli_field_read_object(reader, arguments, select_fields, COUNT_OF(select_fields), &ask) ||
        !read_words(reader, &ask, &what, &mode) || !studio_need_document(s, reader))
        return false;
    studio_document *document = s->document;
    selecting w = {
        .document = document,
        .of_particles = what == 1,
        .count = what == 1 ? document->particle_count : document->mesh->vertex_count,
        .present = what == 1 ? document->selected_particles : document->selected_vertices,
        .is_first = true,
    };
    w.found = calloc((size_t)w.count + 1, 1);
    if (!w.found)
        return pli_field_fail_memory(reader);
    bool ok = find(reader, &ask, &w) && apply(s, reader, &w, mode, ask.stroke);
    free(w.found);
    if (ok)
        studio_stage_close(s);
    return ok;
}
