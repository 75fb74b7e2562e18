// Checks of the arguments of tools. Each returns false after filling *error, with the field's name as its place;
// NaN passes none.

#ifndef PLIANT_AUTHOR_DRAFT_CHECK_H
#define PLIANT_AUTHOR_DRAFT_CHECK_H

#include "math/vec3.h"
#include "model/elements.h"

bool pli_tool_check_positive(float value, const char *field, pliant_error *error);
bool pli_tool_check_not_negative(float value, const char *field, pliant_error *error);
// In [low, high].
bool pli_tool_check_range(float value, float low, float high, const char *field,
                          pliant_error *error);
// A place that a model can hold.
bool pli_tool_check_position(vec3 value, const char *field, pliant_error *error);
// The fields of a particle, an edge, a group or a material. What they refer to is not looked at.
bool pli_tool_check_element(element_id id, const void *element, pliant_error *error);

#endif
