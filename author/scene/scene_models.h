// The "models" section of a scene file.

#ifndef PLIANT_AUTHOR_SCENE_MODELS_H
#define PLIANT_AUTHOR_SCENE_MODELS_H

#include "json/fields.h"

#include <pliant/author.h>

// Adds every model of the object `models` to the scene, in the order of the text. Model files are
// looked up in `directory` (NULL: the working directory).
bool pli_scene_read_models(field_reader *reader, json_value models, const char *directory,
                           pliant_scene *scene);

#endif
