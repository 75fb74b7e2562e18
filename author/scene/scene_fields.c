// The tables of a scene file's members: keys, types and ranges.

#include "scene/scene_fields.h"

#define TABLE(table)                                                                               \
    {                                                                                              \
        table, (int)(sizeof(table) / sizeof((table)[0]))                                           \
    }

// ---------------------------------------------------------------------------------------------
// Settings

#define WORLD(name, kind, ...)                                                                     \
    {                                                                                              \
#name, kind, offsetof(pliant_world_def, name), __VA_ARGS__, false                          \
    }

static const field world_fields[] = {
    WORLD(gravity, FIELD_VEC3, FIELD_COORDINATE),
    {"substeps", FIELD_SUBSTEPS, offsetof(pliant_world_def, substep_length), 1, 1000, false, false,
     false},
    WORLD(iterations, FIELD_INT, 1, 1000, false, false),
    WORLD(longest_step, FIELD_FLOAT, 1e-3, 1e3, false, false),
    WORLD(depenetration_speed, FIELD_FLOAT, 0, 1e3, false, false),
    WORLD(restitution_threshold, FIELD_FLOAT, FIELD_SPEED),
    WORLD(impact_speed, FIELD_FLOAT, FIELD_SPEED),
    WORLD(sleep_speed, FIELD_FLOAT, FIELD_SPEED),
    WORLD(sleep_time, FIELD_FLOAT, 0, 1e6, false, false),
};

const field_table pli_scene_world_table = TABLE(world_fields);

static const field camera_fields[] = {
    {"eye", FIELD_VEC3, offsetof(pliant_scene_camera, eye), FIELD_COORDINATE, true},
    {"target", FIELD_VEC3, offsetof(pliant_scene_camera, target), FIELD_COORDINATE, true},
    {"vertical_fov_degrees", FIELD_DEGREES, offsetof(pliant_scene_camera, vertical_fov), 1, 170,
     false, false, false},
};

const field_table pli_scene_camera_table = TABLE(camera_fields);

// ---------------------------------------------------------------------------------------------
// Bodies and solids

#define BODY(name, member, kind, ...)                                                              \
    {                                                                                              \
        name, kind, offsetof(body_spec, body.member), __VA_ARGS__, false                           \
    }

static const field body_fields[] = {
    BODY("name", name, FIELD_STRING, 0, sizeof((pliant_scene_body *)0)->name, false, false),
    {"model", FIELD_VALUE, offsetof(body_spec, model), FIELD_ANY, true},
    BODY("position", def.position, FIELD_VEC3, FIELD_COORDINATE),
    BODY("orientation", def.orientation, FIELD_QUAT, FIELD_ANY),
    BODY("linear_velocity", def.linear_velocity, FIELD_VEC3, FIELD_COORDINATE),
    BODY("angular_velocity", def.angular_velocity, FIELD_VEC3, FIELD_COORDINATE),
    BODY("linear_damping", def.linear_damping, FIELD_FLOAT, 0, 1, false, true),
    BODY("angular_damping", def.angular_damping, FIELD_FLOAT, 0, 1, false, true),
    BODY("shape_damping", def.shape_damping, FIELD_FLOAT, 0, 1, false, true),
    BODY("gravity_scale", def.gravity_scale, FIELD_FLOAT, -1e3, 1e3, false, false),
    BODY("friction", def.friction, FIELD_FLOAT, FIELD_FRICTION),
    BODY("restitution", def.restitution, FIELD_FLOAT, FIELD_UNIT),
    BODY("gyroscopic", def.gyroscopic, FIELD_BOOL, FIELD_ANY),
    BODY("self_collision", def.self_collision, FIELD_BOOL, FIELD_ANY),
    BODY("layers", def.layers, FIELD_BITS, FIELD_LAYERS),
    BODY("mask", def.mask, FIELD_BITS, FIELD_LAYERS),
    BODY("colour", colour, FIELD_VEC3, FIELD_UNIT),
};

const field_table pli_scene_body_table = TABLE(body_fields);

static const field plane_fields[] = {
    {"normal", FIELD_DIRECTION, offsetof(pliant_plane_def, normal), FIELD_ANY, true},
    {"offset", FIELD_FLOAT, offsetof(pliant_plane_def, offset), FIELD_COORDINATE, false},
    {"friction", FIELD_FLOAT, offsetof(pliant_plane_def, friction), FIELD_FRICTION, false},
    {"restitution", FIELD_FLOAT, offsetof(pliant_plane_def, restitution), FIELD_UNIT, false},
};

const field_table pli_scene_plane_table = TABLE(plane_fields);

static const field sphere_fields[] = {
    {"radius", FIELD_FLOAT, offsetof(shape_spec, def.radius), FIELD_SIZE, false},
};

static const field capsule_fields[] = {
    {"radius", FIELD_FLOAT, offsetof(shape_spec, def.radius), FIELD_SIZE, false},
    {"half_length", FIELD_FLOAT, offsetof(shape_spec, def.half_length), 0, 1e5, false, false,
     false},
};

static const field box_fields[] = {
    {"half_size", FIELD_VEC3, offsetof(shape_spec, def.half_size), FIELD_SIZE, false},
};

static const field hull_fields[] = {
    {"points", FIELD_VALUE, offsetof(shape_spec, points), FIELD_ANY, true},
    {"triangles", FIELD_VALUE, offsetof(shape_spec, triangles), FIELD_ANY, false},
};

static const field mesh_fields[] = {
    {"points", FIELD_VALUE, offsetof(shape_spec, points), FIELD_ANY, true},
    {"triangles", FIELD_VALUE, offsetof(shape_spec, triangles), FIELD_ANY, true},
};

static const field heightfield_fields[] = {
    {"columns", FIELD_INT, offsetof(shape_spec, def.columns), 2, 1e6, false, false, true},
    {"rows", FIELD_INT, offsetof(shape_spec, def.rows), 2, 1e6, false, false, true},
    {"spacing", FIELD_FLOAT, offsetof(shape_spec, def.spacing), FIELD_SIZE, false},
    {"heights", FIELD_VALUE, offsetof(shape_spec, heights), FIELD_ANY, true},
};

const scene_shape_kind pli_scene_shape_kinds[SCENE_SHAPE_KINDS] = {
    {"plane", PLIANT_SHAPE_PLANE, {NULL, 0}},
    {"sphere", PLIANT_SHAPE_SPHERE, TABLE(sphere_fields)},
    {"capsule", PLIANT_SHAPE_CAPSULE, TABLE(capsule_fields)},
    {"box", PLIANT_SHAPE_BOX, TABLE(box_fields)},
    {"hull", PLIANT_SHAPE_HULL, TABLE(hull_fields)},
    {"mesh", PLIANT_SHAPE_MESH, TABLE(mesh_fields)},
    {"heightfield", PLIANT_SHAPE_HEIGHTFIELD, TABLE(heightfield_fields)},
};

#define KIND(index, key, type, array)                                                              \
    {                                                                                              \
        key, FIELD_VALUE, offsetof(type, array[index]), FIELD_ANY, false                           \
    }
#define KINDS(type, array)                                                                         \
    KIND(0, "plane", type, array), KIND(1, "sphere", type, array),                                 \
        KIND(2, "capsule", type, array), KIND(3, "box", type, array),                              \
        KIND(4, "hull", type, array), KIND(5, "mesh", type, array),                                \
        KIND(6, "heightfield", type, array)

static const field kind_fields[] = {KINDS(kind_values, at)};

const field_table pli_scene_kind_table = TABLE(kind_fields);

#define COLLIDER(name, member, kind, ...)                                                          \
    {                                                                                              \
        name, kind, offsetof(collider_spec, collider.member), __VA_ARGS__, false                   \
    }

static const field collider_fields[] = {
    COLLIDER("name", name, FIELD_STRING, 0, sizeof((pliant_scene_collider *)0)->name, false, false),
    {"shape", FIELD_VALUE, offsetof(collider_spec, shape), FIELD_ANY, false},
    KINDS(collider_spec, kinds.at),
    COLLIDER("position", def.position, FIELD_VEC3, FIELD_COORDINATE),
    COLLIDER("orientation", def.orientation, FIELD_QUAT, FIELD_ANY),
    COLLIDER("linear_velocity", def.linear_velocity, FIELD_VEC3, FIELD_COORDINATE),
    COLLIDER("angular_velocity", def.angular_velocity, FIELD_VEC3, FIELD_COORDINATE),
    COLLIDER("friction", def.friction, FIELD_FLOAT, FIELD_FRICTION),
    COLLIDER("restitution", def.restitution, FIELD_FLOAT, FIELD_UNIT),
    COLLIDER("layers", def.layers, FIELD_BITS, FIELD_LAYERS),
    COLLIDER("mask", def.mask, FIELD_BITS, FIELD_LAYERS),
    COLLIDER("colour", colour, FIELD_VEC3, FIELD_UNIT),
};

const field_table pli_scene_collider_table = TABLE(collider_fields);

// ---------------------------------------------------------------------------------------------
// What acts on them

static const field attachment_fields[] = {
    {"body", FIELD_VALUE, offsetof(attachment_spec, body), FIELD_ANY, true},
    {"particle", FIELD_VALUE, offsetof(attachment_spec, particle), FIELD_ANY, true},
    {"other_body", FIELD_VALUE, offsetof(attachment_spec, other_body), FIELD_ANY, false},
    {"other_particle", FIELD_VALUE, offsetof(attachment_spec, other_particle), FIELD_ANY, false},
    {"collider", FIELD_VALUE, offsetof(attachment_spec, collider), FIELD_ANY, false},
    {"anchor", FIELD_VALUE, offsetof(attachment_spec, anchor), FIELD_ANY, false},
    {"length", FIELD_FLOAT, offsetof(attachment_spec, attachment.length), 0, 1e6, false, false,
     false},
    {"slack", FIELD_BOOL, offsetof(attachment_spec, attachment.is_slack), FIELD_ANY, false},
    {"stiffness", FIELD_FLOAT, offsetof(attachment_spec, attachment.stiffness), FIELD_UNIT, false},
    {"strength", FIELD_FLOAT, offsetof(attachment_spec, attachment.strength), FIELD_NOT_NEGATIVE,
     false},
};

const field_table pli_scene_attachment_table = TABLE(attachment_fields);

static const field force_fields[] = {
    {"body", FIELD_VALUE, offsetof(force_spec, body), FIELD_ANY, true},
    {"particle", FIELD_VALUE, offsetof(force_spec, particle), FIELD_ANY, false},
    {"force", FIELD_VEC3, offsetof(force_spec, force.force), FIELD_ANY, true},
    {"begin", FIELD_FLOAT, offsetof(force_spec, force.begin), FIELD_NOT_NEGATIVE, false},
    {"end", FIELD_FLOAT, offsetof(force_spec, force.end), FIELD_NOT_NEGATIVE, false},
};

const field_table pli_scene_force_table = TABLE(force_fields);

static const field motor_fields[] = {
    {"body", FIELD_VALUE, offsetof(motor_spec, body), FIELD_ANY, true},
    {"hinge", FIELD_VALUE, offsetof(motor_spec, hinge), FIELD_ANY, true},
    {"speed", FIELD_FLOAT, offsetof(motor_spec, motor.speed), FIELD_COORDINATE, true},
    {"torque", FIELD_FLOAT, offsetof(motor_spec, motor.torque), FIELD_NOT_NEGATIVE, true},
    {"begin", FIELD_FLOAT, offsetof(motor_spec, motor.begin), FIELD_NOT_NEGATIVE, false},
    {"end", FIELD_FLOAT, offsetof(motor_spec, motor.end), FIELD_NOT_NEGATIVE, false},
};

const field_table pli_scene_motor_table = TABLE(motor_fields);

static const field driver_fields[] = {
    {"body", FIELD_VALUE, offsetof(driver_spec, body), FIELD_ANY, false},
    {"particles", FIELD_VALUE, offsetof(driver_spec, particles), FIELD_ANY, false},
    {"collider", FIELD_VALUE, offsetof(driver_spec, collider), FIELD_ANY, false},
    {"pivot", FIELD_VEC3, offsetof(driver_spec, driver.pivot), FIELD_COORDINATE, false},
    {"keys", FIELD_VALUE, offsetof(driver_spec, keys), FIELD_ANY, true},
};

const field_table pli_scene_driver_table = TABLE(driver_fields);

static const field key_fields[] = {
    {"time", FIELD_FLOAT, offsetof(pliant_scene_key, time), FIELD_ANY, true},
    {"translation", FIELD_VEC3, offsetof(pliant_scene_key, translation), FIELD_COORDINATE, false},
    {"rotation", FIELD_VEC3, offsetof(pliant_scene_key, rotation), FIELD_COORDINATE, false},
};

const field_table pli_scene_key_table = TABLE(key_fields);
