// The state as JSON, notes and failures.

#include "core.h"

#include "draft/draft.h"
#include "json/fields_write.h"

#include "scenes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void studio_note(studio *s, const char *format, ...)
{
    if (s->note_count == STUDIO_MOST_NOTES)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->notes[s->note_count++], sizeof s->notes[0], format, arguments);
    va_end(arguments);
}

bool studio_fail_with(field_reader *reader, const pliant_error *error)
{
    *reader->error = *error;
    // A call that failed without a word has run out of memory.
    if (error->code == PLIANT_OK)
        pli_error_memory(reader->error);
    return false;
}

bool studio_refuse(field_reader *reader, const char *format, ...)
{
    char message[sizeof reader->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    pli_error_set(reader->error, PLIANT_ERROR_ARGUMENT, "", "%s", message);
    return false;
}

bool studio_read_nothing(field_reader *reader, json_value arguments)
{
    return pli_field_read_object(reader, arguments, NULL, 0, NULL);
}

// ---------------------------------------------------------------------------------------------
// The document

static void write_parts(json_writer *json, const pliant_mesh *mesh)
{
    pli_json_begin_array(json, "parts");
    for (int i = 0; i < mesh->part_count; ++i) {
        const pliant_mesh_part *part = &mesh->parts[i];
        pli_json_begin_object(json, NULL);
        pli_json_write_string(json, "name", part->name);
        pli_json_write_string(json, "material", part->material);
        pli_json_write_int(json, "firstVertex", part->first_vertex);
        pli_json_write_int(json, "vertices", part->vertex_count);
        pli_json_write_int(json, "triangles", part->triangle_count);
        pli_json_end_object(json);
    }
    pli_json_end_array(json);
}

static void write_bounds(json_writer *json, const pliant_mesh *mesh)
{
    vec3 low = mesh->positions[0], high = low;
    for (int i = 1; i < mesh->vertex_count; ++i) {
        vec3 x = mesh->positions[i];
        low = (vec3){minimum(low.x, x.x), minimum(low.y, x.y), minimum(low.z, x.z)};
        high = (vec3){maximum(high.x, x.x), maximum(high.y, x.y), maximum(high.z, x.z)};
    }
    studio_write_vec3(json, "minimum", low);
    studio_write_vec3(json, "maximum", high);
}

static int count_selected(const unsigned char *mask, int count)
{
    int selected = 0;
    for (int i = 0; i < count; ++i)
        selected += mask[i];
    return selected;
}

// What the inspector shows of a particle.
enum { SHOWN_VALUES = 5 };
static const char *const value_names[SHOWN_VALUES] = {"radius", "mass", "stiffness", "yieldStrain",
                                                      "creepRate"};

static void values_of(const pliant_particle_def *p, float values[SHOWN_VALUES])
{
    values[0] = maximum(p->radii.x, maximum(p->radii.y, p->radii.z));
    values[1] = p->mass;
    values[2] = p->stiffness;
    values[3] = p->yield_strain;
    values[4] = p->creep_rate;
}

static void write_selected(json_writer *json, const studio_document *document, int count)
{
    double sums[SHOWN_VALUES] = {0};
    float first[SHOWN_VALUES], values[SHOWN_VALUES];
    bool differ[SHOWN_VALUES] = {0};
    int found = 0, pinned = 0, surface = 0;
    for (int i = 0; i < document->particle_count; ++i) {
        if (!document->selected_particles[i])
            continue;
        const pliant_particle_def *p = pliant_draft_particle(document->draft, i);
        values_of(p, values);
        if (found++ == 0)
            memcpy(first, values, sizeof first);
        for (int k = 0; k < SHOWN_VALUES; ++k) {
            sums[k] += (double)values[k];
            differ[k] |= values[k] != first[k];
        }
        pinned += (p->flags & PLIANT_PARTICLE_PINNED) != 0;
        surface += (p->flags & PLIANT_PARTICLE_SURFACE) != 0;
    }
    pli_json_begin_object(json, "selected");
    for (int k = 0; k < SHOWN_VALUES; ++k)
        pli_json_write_float(json, value_names[k], differ[k] ? (float)(sums[k] / count) : first[k]);
    pli_json_write_int(json, "pinned", pinned);
    pli_json_write_int(json, "surface", surface);
    pli_json_begin_array(json, "differ");
    for (int k = 0; k < SHOWN_VALUES; ++k) {
        if (differ[k])
            pli_json_write_string(json, NULL, value_names[k]);
    }
    if (pinned > 0 && pinned < count)
        pli_json_write_string(json, NULL, "pinned");
    if (surface > 0 && surface < count)
        pli_json_write_string(json, NULL, "surface");
    pli_json_end_array(json);
    pli_json_end_object(json);
}

// The name of the material that all particles are of, "painted" where none is elastic, else nothing.
static const char *name_of_material(const pliant_draft *draft)
{
    pliant_particle_def first =
        draft->particle_count > 0 ? draft->particles[0] : pliant_default_particle_def();
    for (int i = 0; i < draft->particle_count; ++i)
        if (draft->particles[i].young_modulus != first.young_modulus ||
            draft->particles[i].density != first.density)
            return "";
    if (first.young_modulus == 0.0f)
        return "painted";
    for (int i = 0; i < pliant_material_preset_count(); ++i) {
        const pliant_material_preset *preset = pliant_material_preset_at(i);
        if (preset->young_modulus == first.young_modulus && preset->density == first.density)
            return preset->name;
    }
    return "";
}

// Material and density. Differing dampings of motion and spin are mixed, and so is a density that is not that of all
// particles or that some masses do not follow.
static void write_body_settings(json_writer *json, const pliant_draft *draft)
{
    const pliant_material *material = &draft->material;
    draft_weight weight = draft->particle_count > 0 ? draft->weights[0] : draft->weight;
    bool differs = false;
    for (int i = 0; i < draft->particle_count && !differs; ++i) {
        const draft_weight *own = &draft->weights[i];
        differs = own->density != weight.density || own->thickness != weight.thickness ||
                  draft->particles[i].mass != own->found;
    }
    pli_json_begin_object(json, "body");
    pli_json_write_string(json, "material", name_of_material(draft));
    pli_json_write_float(json, "friction", material->friction);
    pli_json_write_float(json, "restitution", material->restitution);
    pli_json_write_float(json, "damping", material->linear_damping);
    pli_json_write_float(json, "shapeDamping", material->shape_damping);
    pli_json_write_bool(json, "selfCollision", material->self_collision);
    pli_json_write_float(json, "density", weight.density);
    pli_json_write_float(json, "thickness", weight.thickness);
    pli_json_begin_array(json, "differ");
    if (differs)
        pli_json_write_string(json, NULL, "density");
    if (material->linear_damping != material->angular_damping)
        pli_json_write_string(json, NULL, "damping");
    pli_json_end_array(json);
    pli_json_end_object(json);
}

void studio_write_null(json_writer *json, const char *key)
{
    char text[64];
    snprintf(text, sizeof text, "\"%s\"", key);
    pli_json_write_raw_key(json, text, strlen(text));
    pli_json_write_raw(json, "null", 4);
}

static void write_document(json_writer *json, const studio_document *document)
{
    if (!document) {
        studio_write_null(json, "document");
        return;
    }
    const pliant_mesh *mesh = document->mesh;
    int vertices = count_selected(document->selected_vertices, mesh->vertex_count);
    int particles = count_selected(document->selected_particles, document->particle_count);
    pli_json_begin_object(json, "document");
    pli_json_write_string(json, "name", document->name);
    pli_json_write_int(json, "revision", document->revision);
    pli_json_write_int(json, "vertices", mesh->vertex_count);
    pli_json_write_int(json, "triangles", mesh->triangle_count);
    write_parts(json, mesh);
    studio_write_primitives(json, mesh, mesh->vertex_count);
    write_bounds(json, mesh);
    pli_json_write_float(json, "size", pliant_mesh_size(mesh));
    pli_json_write_float(json, "likelyScale", pliant_mesh_guess_scale(mesh));
    pli_json_write_int(json, "particles", document->particle_count);
    pli_json_write_int(json, "edges", pliant_draft_edge_count(document->draft));
    pli_json_write_int(json, "groups", pliant_draft_group_count(document->draft));
    pli_json_write_int(json, "unbound", studio_document_unbound(document));
    pli_json_write_float(json, "spacing", pliant_draft_spacing(document->draft));
    pli_json_write_int(json, "selectedVertices", vertices);
    pli_json_write_int(json, "selectedParticles", particles);
    if (particles > 0)
        write_selected(json, document, particles);
    else
        studio_write_null(json, "selected");
    write_body_settings(json, document->draft);
    pli_json_write_string(json, "live", pliant_live_name(pliant_draft_live(document->draft)));
    pli_json_end_object(json);
}

// ---------------------------------------------------------------------------------------------
// The stage

static void write_camera(json_writer *json, const pliant_scene_camera *camera)
{
    pli_json_begin_object(json, "camera");
    studio_write_vec3(json, "eye", camera->eye);
    studio_write_vec3(json, "target", camera->target);
    pli_json_write_float(json, "verticalFov", camera->vertical_fov);
    pli_json_end_object(json);
}

static void write_body(json_writer *json, const studio_play *play, int index)
{
    const pliant_scene_body *body = &play->scene->bodies[index];
    const pliant_model *model = play->scene->models[body->model];
    const studio_range *range = &play->ranges[index];
    pli_json_begin_object(json, NULL);
    pli_json_write_string(json, "name", body->name);
    pli_json_write_int(json, "particles", pliant_model_particle_count(model));
    pli_json_write_int(json, "vertices", pliant_model_vertex_count(model));
    pli_json_write_int(json, "firstParticle", range->first_particle);
    pli_json_write_int(json, "firstVertex", range->first_vertex);
    pli_json_write_int(json, "firstEdge", range->first_edge);
    pli_json_write_int(json, "edges", pliant_model_edge_count(model));
    pli_json_write_floats(json, "colour", body->colour, 3);
    studio_write_primitives(json, play->scene->meshes[body->model],
                            pliant_model_vertex_count(model));
    pli_json_end_object(json);
}

static void write_settings(json_writer *json, const studio_settings *settings)
{
    pli_json_begin_object(json, "settings");
    studio_write_vec3(json, "gravity", settings->gravity);
    pli_json_write_float(json, "stiffness", settings->stiffness);
    pli_json_begin_object(json, "wind");
    studio_write_vec3(json, "velocity", settings->wind);
    pli_json_write_float(json, "gusts", settings->gusts);
    pli_json_end_object(json);
    pli_field_write_substeps(json, "substeps", settings->substep_length);
    pli_json_write_int(json, "iterations", settings->iterations);
    pli_json_end_object(json);
}

static bool model_is_plastic(const pliant_model *model)
{
    const pliant_particle_def *particles = pliant_model_particles(model);
    for (int i = 0; i < pliant_model_particle_count(model); ++i) {
        if (particles[i].creep_rate > 0.0f)
            return true;
    }
    for (int i = 0; i < pliant_model_group_count(model); ++i) {
        pliant_group_def group = pliant_model_group(model, i);
        if (group.dent_speed > 0.0f || group.creep_rate > 0.0f)
            return true;
    }
    return false;
}

static bool is_plastic(const pliant_scene *scene)
{
    for (int i = 0; i < scene->model_count; ++i) {
        if (model_is_plastic(scene->models[i]))
            return true;
    }
    return false;
}

static void write_stage(json_writer *json, const studio_play *play)
{
    if (!play) {
        studio_write_null(json, "stage");
        return;
    }
    static const char *const sources[] = {"built-in", "file", "document"};
    const pliant_scene *scene = play->scene;
    pli_json_begin_object(json, "stage");
    pli_json_write_string(json, "source", sources[play->source]);
    pli_json_write_string(json, "name", scene->name);
    pli_json_write_string(json, "title", scene->title);
    pli_json_write_int(json, "revision", play->revision);
    write_camera(json, &scene->camera);
    pli_json_begin_array(json, "bodies");
    for (int i = 0; i < scene->body_count; ++i)
        write_body(json, play, i);
    pli_json_end_array(json);
    pli_json_write_int(json, "colliders", scene->collider_count);
    pli_json_write_int(json, "particles", play->particle_count);
    pli_json_write_int(json, "edges", play->edge_count);
    pli_json_write_int(json, "groups", play->group_count);
    pli_json_write_int(json, "vertices", play->vertex_count);
    write_settings(json, &play->settings);
    pli_json_write_float(json, "time", (float)pliant_world_time(play->stage.world));
    pli_json_write_int(json, "steps", (int64_t)pliant_world_report(play->stage.world).steps);
    pli_json_write_float(json, "recorded", studio_stage_recorded(play));
    pli_json_write_bool(json, "isPlastic", is_plastic(scene));
    pli_json_end_object(json);
}

// ---------------------------------------------------------------------------------------------
// All of it

static void write_history(json_writer *json, const studio_history *history)
{
    pli_json_begin_object(json, "history");
    pli_json_begin_array(json, "labels");
    for (int i = 0; i < history->count; ++i)
        pli_json_write_string(json, NULL, history->entries[i].label);
    pli_json_end_array(json);
    pli_json_write_int(json, "position", history->position);
    pli_json_end_object(json);
}

static void write_scenes(json_writer *json)
{
    pli_json_begin_array(json, "scenes");
    for (int i = 0; i < scene_entry_count(); ++i) {
        pli_json_begin_object(json, NULL);
        pli_json_write_string(json, "name", scene_entry_at(i)->name);
        pli_json_write_string(json, "title", scene_entry_at(i)->title);
        pli_json_end_object(json);
    }
    pli_json_end_array(json);
}

void studio_write_state(const studio *s, json_writer *json)
{
    pli_json_begin_object(json, NULL);
    write_scenes(json);
    pli_json_write_string(json, "mode", s->play ? "play" : s->document ? "author" : "empty");
    write_document(json, s->document);
    write_history(json, &s->history);
    write_stage(json, s->play);
    pli_json_begin_array(json, "notes");
    for (int i = 0; i < s->note_count; ++i)
        pli_json_write_string(json, NULL, s->notes[i]);
    pli_json_end_array(json);
    pli_json_end_object(json);
}
