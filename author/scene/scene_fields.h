// The members of everything in a scene file, for those who read and who write them.

#ifndef PLIANT_AUTHOR_SCENE_FIELDS_H
#define PLIANT_AUTHOR_SCENE_FIELDS_H

#include "json/fields.h"

#include <pliant/author.h>

// What each thing is as it is written: values that are no plain numbers stand beside it.

typedef struct body_spec {
    pliant_scene_body body;
    json_value model;
} body_spec;

// A shape as it is written, and its arrays once they are read.
typedef struct shape_spec {
    pliant_shape_def def;
    json_value points, triangles, heights;
    void *point_array, *triangle_array, *height_array;
} shape_spec;

enum { SCENE_SHAPE_KINDS = 7 };

// The value at each kind's key.
typedef struct kind_values {
    json_value at[SCENE_SHAPE_KINDS];
} kind_values;

typedef struct collider_spec {
    pliant_scene_collider collider;
    json_value shape;
    kind_values kinds; // instead of a shape's name
} collider_spec;

typedef struct attachment_spec {
    pliant_scene_attachment attachment;
    json_value body, particle, other_body, other_particle, collider, anchor;
} attachment_spec;

typedef struct force_spec {
    pliant_scene_force force;
    json_value body, particle;
} force_spec;

typedef struct motor_spec {
    pliant_scene_motor motor;
    json_value body, hinge;
} motor_spec;

typedef struct driver_spec {
    pliant_scene_driver driver;
    json_value body, particles, collider, keys;
} driver_spec;

// Of a pliant_world_def, a pliant_scene_camera, a pliant_plane_def, a kind_values, a pliant_scene_key and the
// structures above.
extern const field_table pli_scene_world_table, pli_scene_camera_table, pli_scene_body_table,
    pli_scene_plane_table, pli_scene_kind_table, pli_scene_collider_table,
    pli_scene_attachment_table, pli_scene_force_table, pli_scene_motor_table,
    pli_scene_driver_table, pli_scene_key_table;

// The kinds of shapes, in the order of kind_values.
typedef struct scene_shape_kind {
    const char *key;
    pliant_shape_kind kind;
    field_table table; // of a shape_spec
} scene_shape_kind;

extern const scene_shape_kind pli_scene_shape_kinds[SCENE_SHAPE_KINDS];

#endif
