// Reading a scene file, divided by topic: the top level, bodies and planes are in scene_json.c, shapes and
// colliders in scene_shapes.c, what acts on them in scene_actions.c, the tables of members in scene_fields.c.

#ifndef PLIANT_AUTHOR_SCENE_READER_H
#define PLIANT_AUTHOR_SCENE_READER_H

#include "scene/scene_fields.h"

// The parts of the top level that are read one after the other.
typedef struct scene_spec {
    int version;
    json_value schema; // only for editors
    json_value world, camera, models, bodies, planes, shapes, colliders, attachments, forces,
        motors, drivers;
} scene_spec;

// What is being read: the document and where its parts go.
typedef struct scene_reader {
    field_reader fields;
    pliant_scene *scene;
    bool has_models; // before it is read: their files are not looked at
    scene_spec spec;
} scene_reader;

// The place of a name among the keys of `object`, which are `noun`s ("model"); the value stands at the key
// of that name.
bool pli_scene_read_name(scene_reader *r, const char *noun, json_value object, json_value value,
                         int *index);

// A body or a collider by its name or its index, at `key`.
bool pli_scene_read_body_reference(scene_reader *r, const char *key, json_value value, int *body);
bool pli_scene_read_collider_reference(scene_reader *r, const char *key, json_value value,
                                       int *collider);

// Whether the text, beside models that are those of `scene`, can be read. Tells what cannot and where.
pliant_result pli_scene_check_text(const char *text, size_t size, const pliant_scene *scene,
                                   pliant_error *error);

// The object of shapes by name, and items of the scene's arrays.
bool pli_scene_read_shapes(scene_reader *r);
bool pli_scene_read_collider(scene_reader *r, json_value value, int index);
bool pli_scene_read_attachment(scene_reader *r, json_value value, int index);
bool pli_scene_read_force(scene_reader *r, json_value value, int index);
bool pli_scene_read_motor(scene_reader *r, json_value value, int index);
bool pli_scene_read_driver(scene_reader *r, json_value value, int index);

#endif
