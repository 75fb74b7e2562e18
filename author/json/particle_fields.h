// Particles as JSON objects, in scenes and recipes alike.

#ifndef PLIANT_AUTHOR_JSON_PARTICLE_FIELDS_H
#define PLIANT_AUTHOR_JSON_PARTICLE_FIELDS_H

#include "fields.h"

#include <pliant/model.h>

// Reads a particle into *def; members that are not there leave it as it is. One that is `placed` must have a
// position; another, a template, must not.
bool pli_field_read_particle(field_reader *reader, json_value value, bool placed,
                             pliant_particle_def *def);

// The same of a template with one member more, "particles": for the caller to read, or JSON_NONE.
bool pli_field_read_selected_particle(field_reader *reader, json_value value,
                                      pliant_particle_def *def, json_value *particles);

#endif
