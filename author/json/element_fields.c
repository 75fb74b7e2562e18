// Tables of members from the tables of elements.

#include "element_fields.h"

// False when the value has another form in JSON than in the struct.
static bool describe(field *out, const element_field *from, int particle_count)
{
    out->minimum = from->low;
    out->maximum = from->high;
    switch (from->type) {
    case VALUE_NUMBER:
        out->kind = from->count == 1 ? FIELD_FLOAT : FIELD_VEC3;
        return from->count == 1 || from->count == 3;
    case VALUE_PLACE:
        out->kind = FIELD_VEC3;
        out->minimum = -from->high;
        out->required = true;
        return true;
    case VALUE_ROTATION:
        out->kind = FIELD_QUAT;
        out->minimum = -FLT_MAX;
        out->maximum = FLT_MAX;
        return true;
    case VALUE_BITS:
        out->kind = FIELD_BITS;
        return from->high == UINT32_MAX;
    case VALUE_INDEX:
        out->kind = FIELD_INT;
        out->maximum = from->of == ELEMENT_PARTICLES ? particle_count - 1.0 : INT32_MAX;
        out->required = true;
        return from->count == 1;
    default:
        return false;
    }
}

int pli_field_list_element(field *fields, element_id id, size_t offset, int particle_count)
{
    const element_kind *kind = &pli_element_kinds[id];
    int count = 0;
    for (int f = 0; f < kind->field_count; ++f) {
        const element_field *from = &kind->fields[f];
        field member = {.key = from->name, .offset = offset + from->offset};
        if (describe(&member, from, particle_count))
            fields[count++] = member;
    }
    return count;
}
