// What acts on a scene's bodies and colliders, in a scene file: attachments, forces, motors and drivers.

#include "scene/scene_reader.h"

#include <stdlib.h>

static const pliant_model *body_model(const scene_reader *r, int body)
{
    return r->scene->models[r->scene->bodies[body].model];
}

// An index below `count` at `key`.
static bool read_index(scene_reader *r, const char *key, json_value value, int count, int *index)
{
    size_t before = pli_field_enter_key(&r->fields, key);
    const field f = {.kind = FIELD_INT, .maximum = count - 1};
    if (!pli_field_read(&r->fields, value, &f, index))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

static bool read_particle(scene_reader *r, const char *key, json_value value, int body,
                          int *particle)
{
    return read_index(r, key, value, pliant_model_particle_count(body_model(r, body)), particle);
}

static bool check_times(scene_reader *r, float begin, float end)
{
    if (end >= begin)
        return true;
    pli_field_enter_key(&r->fields, "end");
    return pli_field_fail(&r->fields, "expected a time of at least \"begin\", %g, found %g",
                          (double)begin, (double)end);
}

// ---------------------------------------------------------------------------------------------
// Attachments

// What holds the particle: another body's particle, or a point of a collider or of space.
static bool read_holder(scene_reader *r, const attachment_spec *spec,
                        pliant_scene_attachment *attachment)
{
    bool by_body = spec->other_body != JSON_NONE && spec->other_particle != JSON_NONE;
    bool by_point = spec->anchor != JSON_NONE;
    bool half_body = (spec->other_body != JSON_NONE) != (spec->other_particle != JSON_NONE);
    if (by_body == by_point || half_body || (by_body && spec->collider != JSON_NONE))
        return pli_field_fail(&r->fields, "expected either \"other_body\" and "
                                          "\"other_particle\", or \"anchor\" with or without "
                                          "\"collider\"");
    if (by_body)
        return pli_scene_read_body_reference(r, "other_body", spec->other_body,
                                             &attachment->other_body) &&
               read_particle(r, "other_particle", spec->other_particle, attachment->other_body,
                             &attachment->other_particle);
    if (spec->collider != JSON_NONE &&
        !pli_scene_read_collider_reference(r, "collider", spec->collider, &attachment->collider))
        return false;
    size_t before = pli_field_enter_key(&r->fields, "anchor");
    const field anchor = {"anchor", FIELD_VEC3, 0, FIELD_COORDINATE, false};
    if (!pli_field_read(&r->fields, spec->anchor, &anchor, &attachment->anchor))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

bool pli_scene_read_attachment(scene_reader *r, json_value value, int index)
{
    (void)index;
    attachment_spec spec = {.attachment = pliant_default_scene_attachment(),
                            .body = JSON_NONE,
                            .particle = JSON_NONE,
                            .other_body = JSON_NONE,
                            .other_particle = JSON_NONE,
                            .collider = JSON_NONE,
                            .anchor = JSON_NONE};
    pliant_scene_attachment *attachment = &spec.attachment;
    return pli_field_read_table(&r->fields, value, &pli_scene_attachment_table, &spec) &&
           pli_scene_read_body_reference(r, "body", spec.body, &attachment->body) &&
           read_particle(r, "particle", spec.particle, attachment->body, &attachment->particle) &&
           read_holder(r, &spec, attachment) &&
           (pliant_scene_add_attachment(r->scene, attachment) >= 0 ||
            pli_field_fail_memory(&r->fields));
}

// ---------------------------------------------------------------------------------------------
// Forces and motors

bool pli_scene_read_force(scene_reader *r, json_value value, int index)
{
    (void)index;
    force_spec spec = {
        .force = {.particle = -1, .end = FLT_MAX}, .body = JSON_NONE, .particle = JSON_NONE};
    if (!pli_field_read_table(&r->fields, value, &pli_scene_force_table, &spec) ||
        !pli_scene_read_body_reference(r, "body", spec.body, &spec.force.body) ||
        !check_times(r, spec.force.begin, spec.force.end))
        return false;
    if (spec.particle != JSON_NONE &&
        !read_particle(r, "particle", spec.particle, spec.force.body, &spec.force.particle))
        return false;
    return pliant_scene_add_force(r->scene, &spec.force) >= 0 || pli_field_fail_memory(&r->fields);
}

bool pli_scene_read_motor(scene_reader *r, json_value value, int index)
{
    (void)index;
    motor_spec spec = {.motor = {.end = FLT_MAX}, .body = JSON_NONE, .hinge = JSON_NONE};
    if (!pli_field_read_table(&r->fields, value, &pli_scene_motor_table, &spec) ||
        !pli_scene_read_body_reference(r, "body", spec.body, &spec.motor.body) ||
        !check_times(r, spec.motor.begin, spec.motor.end))
        return false;
    int hinges = pliant_model_hinge_count(body_model(r, spec.motor.body));
    if (hinges == 0) {
        pli_field_enter_key(&r->fields, "hinge");
        return pli_field_fail(&r->fields, "the body's model has no hinges");
    }
    return read_index(r, "hinge", spec.hinge, hinges, &spec.motor.hinge) &&
           (pliant_scene_add_motor(r->scene, &spec.motor) >= 0 ||
            pli_field_fail_memory(&r->fields));
}

// ---------------------------------------------------------------------------------------------
// Drivers

static bool read_particles(scene_reader *r, json_value value, pliant_scene_driver *driver)
{
    size_t before = pli_field_enter_key(&r->fields, "particles");
    const pliant_model *model = body_model(r, driver->body);
    if (!pli_field_read_indices(&r->fields, value, pliant_model_particle_count(model),
                                &driver->particles, &driver->particle_count))
        return false;
    if (driver->particle_count == 0)
        return pli_field_fail(&r->fields, "expected at least one particle");
    for (int i = 0; i < driver->particle_count; ++i) {
        int particle = driver->particles[i];
        if (!(pliant_model_particles(model)[particle].flags & PLIANT_PARTICLE_PINNED)) {
            pli_field_enter_item(&r->fields, i);
            return pli_field_fail(&r->fields, "expected a pinned particle, %d is free", particle);
        }
    }
    pli_field_leave(&r->fields, before);
    return true;
}

static bool read_keys(scene_reader *r, json_value array, pliant_scene_driver *driver)
{
    size_t before = pli_field_enter_key(&r->fields, "keys");
    if (pli_json_type_of(r->fields.json, array) != JSON_TYPE_ARRAY ||
        pli_json_size(r->fields.json, array) == 0)
        return pli_field_fail(&r->fields, "expected an array of at least one key");
    driver->keys = calloc((size_t)pli_json_size(r->fields.json, array), sizeof driver->keys[0]);
    if (!driver->keys)
        return pli_field_fail_memory(&r->fields);
    for (json_value v = pli_json_first(r->fields.json, array); v != JSON_NONE;
         v = pli_json_next(r->fields.json, v)) {
        size_t outer = pli_field_enter_item(&r->fields, driver->key_count);
        pliant_scene_key *key = &driver->keys[driver->key_count];
        if (!pli_field_read_table(&r->fields, v, &pli_scene_key_table, key))
            return false;
        if (driver->key_count > 0 && key->time <= key[-1].time) {
            pli_field_enter_key(&r->fields, "time");
            return pli_field_fail(&r->fields, "expected a time above the key before, %g, found %g",
                                  (double)key[-1].time, (double)key->time);
        }
        ++driver->key_count;
        pli_field_leave(&r->fields, outer);
    }
    pli_field_leave(&r->fields, before);
    return true;
}

// Pinned particles of a body, or a collider.
static bool read_driven(scene_reader *r, driver_spec *spec)
{
    bool has_collider = spec->collider != JSON_NONE;
    if ((spec->body != JSON_NONE) == has_collider || (spec->particles != JSON_NONE) == has_collider)
        return pli_field_fail(&r->fields,
                              "expected either \"body\" and \"particles\", or \"collider\"");
    if (has_collider)
        return pli_scene_read_collider_reference(r, "collider", spec->collider,
                                                 &spec->driver.collider);
    return pli_scene_read_body_reference(r, "body", spec->body, &spec->driver.body) &&
           read_particles(r, spec->particles, &spec->driver);
}

bool pli_scene_read_driver(scene_reader *r, json_value value, int index)
{
    (void)index;
    driver_spec spec = {.driver = {.collider = -1},
                        .body = JSON_NONE,
                        .particles = JSON_NONE,
                        .collider = JSON_NONE,
                        .keys = JSON_NONE};
    bool ok = pli_field_read_table(&r->fields, value, &pli_scene_driver_table, &spec) &&
              read_driven(r, &spec) && read_keys(r, spec.keys, &spec.driver);
    if (ok && pliant_scene_add_driver(r->scene, &spec.driver) < 0)
        ok = pli_field_fail_memory(&r->fields);
    free(spec.driver.particles);
    free(spec.driver.keys);
    return ok;
}
