// Checks every element of a model and brings it to its canonical form.
//
// Normalising touches only values that are off by more than rounding, so that doing it twice changes
// nothing: a saved and loaded model keeps its bits.

#include "core/error.h"
#include "elements.h"
#include "math/quat.h"
#include "rig/rig.h"

#include <float.h>
#include <stdio.h>

static const float NORMALISED = 1e-6f; // |length² - 1| below this counts as unit length

static bool in_range(float value, float low, float high)
{
    return value >= low && value <= high; // false for NaN
}

// ---------------------------------------------------------------------------------------------
// Fields, by their tables

bool pli_element_allows(const element_field *field, const void *element)
{
    const void *value = (const char *)element + field->offset;
    const float *numbers = value;
    float low = (float)field->low, high = (float)field->high;
    switch (field->type) {
    case VALUE_PLACE:
        low = -high; // fall through
    case VALUE_NUMBER:
        for (int k = 0; k < field->count; ++k)
            if (!in_range(numbers[k], low, high))
                return false;
        return true;
    case VALUE_ROTATION:
        return in_range(quat_dot(*(const quat *)value, *(const quat *)value), 1e-12f, 1e12f);
    case VALUE_DIRECTION:
        return in_range(vec3_dot(*(const vec3 *)value, *(const vec3 *)value), 0.0f, 1e12f);
    case VALUE_BITS:
        return !(*(const uint32_t *)value & ~(uint32_t)field->high);
    case VALUE_INDEX:
    case VALUE_FLAG:
    case VALUE_SPAN:
        break;
    }
    return true;
}

// The first of a field's indices that is none, or NULL.
static const int32_t *find_bad_index(const elements *e, const element_field *field,
                                     const int32_t *indices)
{
    if (field->type != VALUE_INDEX || field->of == ELEMENT_NONE)
        return NULL;
    int count = pli_elements_count(e, &pli_element_kinds[field->of]);
    for (int k = 0; k < field->count; ++k)
        if (indices[k] < 0 || indices[k] >= count)
            return &indices[k];
    return NULL;
}

// The value is of unit length afterwards; a direction too short to be one becomes zero.
static void normalise(const element_field *field, void *value)
{
    if (field->type == VALUE_ROTATION) {
        quat *q = value;
        if (!(absolute(quat_dot(*q, *q) - 1.0f) <= NORMALISED))
            *q = quat_normalize(*q);
    } else if (field->type == VALUE_DIRECTION) {
        vec3 *v = value;
        float length2 = vec3_dot(*v, *v);
        if (length2 < 1e-12f)
            *v = (vec3){0, 0, 0};
        else if (!(absolute(length2 - 1.0f) <= NORMALISED))
            *v = vec3_scale(*v, 1.0f / square_root(length2));
    }
}

static pliant_result number_error(pliant_error *error, const char *place, const char *name,
                                  const element_field *field, const float *values)
{
    if (field->high == FLT_MAX)
        return pli_error_set(error, PLIANT_ERROR_MODEL, place, "%s is not finite", name);
    int k = 0;
    while (in_range(values[k], (float)field->low, (float)field->high))
        ++k;
    return pli_error_set(error, PLIANT_ERROR_MODEL, place, "%s %g is not in [%g, %g]%s%s", name,
                         (double)values[k], field->low, field->high, field->unit ? " " : "",
                         field->unit ? field->unit : "");
}

// Says what is wrong with a value that is not allowed.
static pliant_result value_error(pliant_error *error, const char *place, const element_field *field,
                                 const void *value)
{
    char name[32];
    snprintf(name, sizeof name, "%s", field->shown_name ? field->shown_name : field->name);
    for (char *c = name; *c; ++c)
        *c = *c == '_' ? ' ' : *c;
    const float *v = value;
    switch (field->type) {
    case VALUE_NUMBER:
        return number_error(error, place, name, field, v);
    case VALUE_PLACE:
        return pli_error_set(error, PLIANT_ERROR_MODEL, place,
                             "%s (%g, %g, %g) is not within ±%g %s", name, (double)v[0],
                             (double)v[1], (double)v[2], field->high, field->unit);
    case VALUE_ROTATION:
        return pli_error_set(error, PLIANT_ERROR_MODEL, place,
                             "%s (%g, %g, %g, %g) is not a rotation", name, (double)v[0],
                             (double)v[1], (double)v[2], (double)v[3]);
    case VALUE_BITS:
        return pli_error_set(error, PLIANT_ERROR_MODEL, place, "unknown %s 0x%x", name,
                             (unsigned)*(const uint32_t *)value);
    default:
        return pli_error_set(error, PLIANT_ERROR_MODEL, place, "%s is not finite", name);
    }
}

static pliant_result check_fields(const elements *e, const element_kind *kind, int index,
                                  pliant_error *error)
{
    char *element = pli_elements_at(e, kind, index);
    for (int f = 0; f < kind->field_count; ++f) {
        const element_field *field = &kind->fields[f];
        void *value = element + field->offset;
        const int32_t *bad_index = find_bad_index(e, field, value);
        if (!bad_index && pli_element_allows(field, element)) {
            normalise(field, value);
            continue;
        }
        char place[32];
        snprintf(place, sizeof place, kind->is_single ? "%s" : "%s %d", kind->singular, index);
        if (!bad_index)
            return value_error(error, place, field, value);
        const element_kind *other = &pli_element_kinds[field->of];
        return pli_error_set(error, PLIANT_ERROR_MODEL, place, "%s %d of %d", other->singular,
                             (int)*bad_index, pli_elements_count(e, other));
    }
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// What concerns more than a field

static bool are_apart(const elements *e, int32_t a, int32_t b)
{
    return vec3_length(vec3_sub(e->particles[b].position, e->particles[a].position)) > 1e-6f;
}

pliant_result pli_check_edge(const elements *e, int i, int32_t *scratch, pliant_error *error)
{
    (void)scratch;
    const pliant_edge_def *def = &e->edges[i];
    if (def->a == def->b)
        return pli_error_set_at(error, PLIANT_ERROR_MODEL, "edge", i,
                                "connects particle %d with itself", (int)def->a);
    if (!are_apart(e, def->a, def->b))
        return pli_error_set_at(error, PLIANT_ERROR_MODEL, "edge", i,
                                "particles %d and %d are at the same place", (int)def->a,
                                (int)def->b);
    return PLIANT_OK;
}

// The highest group index a particle was seen in is enough to find repeats within one group.
pliant_result pli_check_group(const elements *e, int i, int32_t *seen_in, pliant_error *error)
{
    const pliant_group_def *group = &e->groups[i];
    if (group->member_count < 1)
        return pli_error_set_at(error, PLIANT_ERROR_MODEL, "group", i, "has no members");
    for (int k = 0; k < group->member_count; ++k) {
        int32_t p = group->members[k];
        if (p < 0 || p >= e->particle_count)
            return pli_error_set_at(error, PLIANT_ERROR_MODEL, "group", i, "particle %d of %d",
                                    (int)p, e->particle_count);
        if (seen_in[p] == i + 1)
            return pli_error_set_at(error, PLIANT_ERROR_MODEL, "group", i,
                                    "holds particle %d twice", (int)p);
        seen_in[p] = i + 1;
    }
    return PLIANT_OK;
}

static bool is_member(const pliant_group_def *group, int32_t particle)
{
    for (int k = 0; k < group->member_count; ++k)
        if (group->members[k] == particle)
            return true;
    return false;
}

pliant_result pli_check_hinge(const elements *e, int i, int32_t *scratch, pliant_error *error)
{
    (void)scratch;
    const pliant_hinge_def *h = &e->hinges[i];
    const int32_t groups[2] = {h->group_a, h->group_b};
    const int32_t axis[2] = {h->particle_a, h->particle_b};
    if (groups[0] == groups[1])
        return pli_error_set_at(error, PLIANT_ERROR_MODEL, "hinge", i,
                                "connects group %d with itself", (int)groups[0]);
    for (int k = 0; k < 4; ++k)
        if (!is_member(&e->groups[groups[k / 2]], axis[k % 2]))
            return pli_error_set_at(error, PLIANT_ERROR_MODEL, "hinge", i,
                                    "particle %d is not in group %d", (int)axis[k % 2],
                                    (int)groups[k / 2]);
    if (!are_apart(e, axis[0], axis[1]))
        return pli_error_set_at(error, PLIANT_ERROR_MODEL, "hinge", i, "its axis has no length");
    return PLIANT_OK;
}

// Insertion sort by falling weight; stable, so that sorting twice changes nothing.
static void sort_links(pliant_vertex_def *v)
{
    for (int i = 1; i < PLIANT_MAX_LINKS; ++i) {
        float weight = v->weights[i];
        int32_t particle = v->particles[i];
        int k = i;
        for (; k > 0 && v->weights[k - 1] < weight; --k) {
            v->weights[k] = v->weights[k - 1];
            v->particles[k] = v->particles[k - 1];
        }
        v->weights[k] = weight;
        v->particles[k] = particle;
    }
}

pliant_result pli_check_tether(const elements *e, int i, int32_t *scratch, pliant_error *error)
{
    (void)scratch;
    if (e->tethers[i].particle != e->tethers[i].anchor)
        return PLIANT_OK;
    return pli_error_set_at(error, PLIANT_ERROR_MODEL, "tether", i, "ties particle %d to itself",
                            (int)e->tethers[i].particle);
}

pliant_result pli_check_vertex(const elements *e, int i, int32_t *scratch, pliant_error *error)
{
    (void)scratch;
    pliant_vertex_def *v = &e->vertices[i];
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
        if (v->weights[k] == 0.0f) {
            v->weights[k] = 0.0f; // not -0
            v->particles[k] = 0;
        }
        if (v->particles[k] < 0 || v->particles[k] >= e->particle_count)
            return pli_error_set_at(error, PLIANT_ERROR_MODEL, "vertex", i, "particle %d of %d",
                                    (int)v->particles[k], e->particle_count);
    }
    sort_links(v);
    float sum = 0.0f; // in sorted order, so that a second validation sees the same sum
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
        sum += v->weights[k];
    if (!in_range(sum, 0.999f, 1.001f))
        return pli_error_set_at(error, PLIANT_ERROR_MODEL, "vertex", i, "weights sum to %g, not 1",
                                (double)sum);
    if (!(absolute(sum - 1.0f) <= NORMALISED))
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
            v->weights[k] /= sum;
    return PLIANT_OK;
}

// Its surfaces are the model's visual mesh, where it has any.
static pliant_result check_rig(const elements *e, pliant_error *error)
{
    int moved = e->rig ? e->rig->def.vertex_count : 0;
    if (moved == 0 || moved == e->vertex_count)
        return PLIANT_OK;
    return pli_error_set(error, PLIANT_ERROR_MODEL, "rig", "it moves %d vertices, the model has %d",
                         moved, e->vertex_count);
}

pliant_result pli_elements_validate(elements *e, int32_t *scratch, pliant_error *error)
{
    pliant_result result = pli_elements_place_spans(e, error);
    if (!result && e->particle_count < 1)
        result = pli_error_set(error, PLIANT_ERROR_MODEL, "model", "has no particles");
    for (int i = 0; i < ELEMENT_KIND_COUNT && !result; ++i) {
        const element_kind *kind = &pli_element_kinds[i];
        for (int k = 0; k < pli_elements_count(e, kind) && !result; ++k) {
            result = check_fields(e, kind, k, error);
            if (!result && kind->check)
                result = kind->check(e, k, scratch, error);
        }
    }
    return result ? result : check_rig(e, error);
}
