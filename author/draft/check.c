// The ranges of an element's fields are those of its table, within which a model can be built.

#include "draft/check.h"

#include "core/error.h"

bool pli_tool_check_positive(float value, const char *field, pliant_error *error)
{
    if (value > 0.0f && is_finite(value))
        return true;
    pli_error_set(error, PLIANT_ERROR_ARGUMENT, field, "expected a number above 0");
    return false;
}

bool pli_tool_check_not_negative(float value, const char *field, pliant_error *error)
{
    if (value >= 0.0f && is_finite(value))
        return true;
    pli_error_set(error, PLIANT_ERROR_ARGUMENT, field, "expected a number of at least 0");
    return false;
}

bool pli_tool_check_range(float value, float low, float high, const char *field,
                          pliant_error *error)
{
    if (value >= low && value <= high)
        return true;
    pli_error_set(error, PLIANT_ERROR_ARGUMENT, field, "expected a number in [%g, %g]", (double)low,
                  (double)high);
    return false;
}

bool pli_tool_check_position(vec3 value, const char *field, pliant_error *error)
{
    if (absolute(value.x) <= 1e6f && absolute(value.y) <= 1e6f && absolute(value.z) <= 1e6f)
        return true;
    pli_error_set(error, PLIANT_ERROR_ARGUMENT, field, "expected three numbers in [-1e+06, 1e+06]");
    return false;
}

static void tell_limits(const element_field *field, const void *element, pliant_error *error)
{
    switch (field->type) {
    case VALUE_PLACE:
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, field->name,
                      "expected three numbers in [%g, %g]", -field->high, field->high);
        break;
    case VALUE_ROTATION:
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, field->name,
                      "expected a rotation with a length from 1e-6 to 1e6");
        break;
    case VALUE_BITS:
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, field->name, "there are no %s 0x%x",
                      field->name,
                      (unsigned)(pli_element_word(field, element, 0) & ~(uint32_t)field->high));
        break;
    default:
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, field->name, "expected a number in [%g, %g]",
                      field->low, field->high);
    }
}

bool pli_tool_check_element(element_id id, const void *element, pliant_error *error)
{
    const element_kind *kind = &pli_element_kinds[id];
    for (int f = 0; f < kind->field_count; ++f) {
        if (pli_element_allows(&kind->fields[f], element))
            continue;
        tell_limits(&kind->fields[f], element, error);
        return false;
    }
    return true;
}
