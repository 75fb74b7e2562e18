// Models in a scene file: from a file of their own, by one of the shapes, or particle by particle.

#include "scene/scene_models.h"

#include "json/element_fields.h"
#include "json/particle_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

// A short text must not ask for more memory than a machine has: a model from JSON holds at most this
// many particles, and its skin this many quads.
enum { MOST_PARTICLES = 1000000, MOST_QUADS = 4000000 };

typedef struct model_spec {
    json_value file, rope, sheet, block, ball, particles, edges, groups, hinges, pinned;
} model_spec;

#define SPEC(name)                                                                                 \
    {                                                                                              \
#name, FIELD_VALUE, offsetof(model_spec, name), FIELD_ANY, false                           \
    }

static const field spec_fields[] = {
    SPEC(file),      SPEC(rope),  SPEC(sheet),  SPEC(block),  SPEC(ball),
    SPEC(particles), SPEC(edges), SPEC(groups), SPEC(hinges), SPEC(pinned),
};

// ---------------------------------------------------------------------------------------------
// Shapes

#define ROPE(name, kind, ...)                                                                      \
    {                                                                                              \
#name, kind, offsetof(pliant_rope_def, name), __VA_ARGS__, false                           \
    }

static const field rope_fields[] = {
    ROPE(begin, FIELD_VEC3, FIELD_COORDINATE),
    ROPE(end, FIELD_VEC3, FIELD_COORDINATE),
    ROPE(particles, FIELD_INT, 2, 100000, false, false),
    ROPE(radius, FIELD_FLOAT, FIELD_RADIUS),
    ROPE(density, FIELD_FLOAT, FIELD_POSITIVE),
    ROPE(stiffness, FIELD_FLOAT, FIELD_UNIT),
    ROPE(young_modulus, FIELD_FLOAT, FIELD_MODULUS),
    ROPE(stretch_stiffness, FIELD_FLOAT, FIELD_UNIT),
    ROPE(torsion_stiffness, FIELD_FLOAT, FIELD_UNIT),
    ROPE(sides, FIELD_INT, 3, 256, false, false),
};

#define SHEET(name, kind, ...)                                                                     \
    {                                                                                              \
#name, kind, offsetof(pliant_sheet_def, name), __VA_ARGS__, false                          \
    }

static const field sheet_fields[] = {
    SHEET(width, FIELD_FLOAT, FIELD_POSITIVE),
    SHEET(height, FIELD_FLOAT, FIELD_POSITIVE),
    SHEET(thickness, FIELD_FLOAT, FIELD_POSITIVE),
    SHEET(columns, FIELD_INT, 2, 4096, false, false),
    SHEET(rows, FIELD_INT, 2, 4096, false, false),
    SHEET(area_density, FIELD_FLOAT, FIELD_POSITIVE),
    SHEET(stiffness, FIELD_FLOAT, FIELD_UNIT),
    SHEET(young_modulus, FIELD_FLOAT, FIELD_MODULUS),
    SHEET(stretch_stiffness, FIELD_FLOAT, FIELD_UNIT),
    SHEET(stretch_limit, FIELD_FLOAT, 0, 1e3, false, false),
    SHEET(skin_refinement, FIELD_INT, 1, 16, false, false),
};

#define BLOCK(name, kind, ...)                                                                     \
    {                                                                                              \
#name, kind, offsetof(pliant_block_def, name), __VA_ARGS__, false                          \
    }

static const field block_fields[] = {
    BLOCK(centre, FIELD_VEC3, FIELD_COORDINATE),
    BLOCK(size, FIELD_VEC3, FIELD_POSITIVE),
    BLOCK(counts, FIELD_INT3, 2, 256, false, false),
    BLOCK(density, FIELD_FLOAT, FIELD_POSITIVE),
    BLOCK(stiffness, FIELD_FLOAT, FIELD_UNIT),
    BLOCK(young_modulus, FIELD_FLOAT, FIELD_MODULUS),
    BLOCK(skin_refinement, FIELD_INT, 1, 16, false, false),
};

#define BALL(name, kind, ...)                                                                      \
    {                                                                                              \
#name, kind, offsetof(pliant_ball_def, name), __VA_ARGS__, false                           \
    }

static const field ball_fields[] = {
    BALL(centre, FIELD_VEC3, FIELD_COORDINATE),   BALL(orientation, FIELD_QUAT, FIELD_ANY),
    BALL(radii, FIELD_VEC3, FIELD_RADIUS),        BALL(density, FIELD_FLOAT, FIELD_POSITIVE),
    BALL(stiffness, FIELD_FLOAT, FIELD_UNIT),     BALL(young_modulus, FIELD_FLOAT, FIELD_MODULUS),
    BALL(rings, FIELD_INT, 2, 256, false, false),
};

static bool check_size(field_reader *reader, int64_t particles, int64_t quads)
{
    if (particles > MOST_PARTICLES)
        return pli_field_fail(reader, "expected at most %d particles, found %lld", MOST_PARTICLES,
                              (long long)particles);
    if (quads > MOST_QUADS)
        return pli_field_fail(reader, "expected at most %d skin quads, found %lld", MOST_QUADS,
                              (long long)quads);
    return true;
}

static bool added(field_reader *reader, int first)
{
    return first >= 0 || pli_field_fail(reader, "no such shape can be made of these values");
}

static bool add_rope(field_reader *reader, json_value value, pliant_builder *builder)
{
    pliant_rope_def def = pliant_default_rope_def();
    return pli_field_read_object(reader, value, rope_fields, COUNT(rope_fields), &def) &&
           check_size(reader, def.particles, (int64_t)def.particles * def.sides) &&
           added(reader, pliant_builder_add_rope(builder, &def));
}

static bool add_sheet(field_reader *reader, json_value value, pliant_builder *builder)
{
    pliant_sheet_def def = pliant_default_sheet_def();
    if (!pli_field_read_object(reader, value, sheet_fields, COUNT(sheet_fields), &def))
        return false;
    int64_t particles = (int64_t)def.columns * def.rows;
    return check_size(reader, particles,
                      2 * particles * def.skin_refinement * def.skin_refinement) &&
           added(reader, pliant_builder_add_sheet(builder, &def));
}

static bool add_block(field_reader *reader, json_value value, pliant_builder *builder)
{
    pliant_block_def def = pliant_default_block_def();
    if (!pli_field_read_object(reader, value, block_fields, COUNT(block_fields), &def))
        return false;
    int64_t x = def.counts[0], y = def.counts[1], z = def.counts[2];
    int64_t quads = 2 * (x * y + y * z + z * x) * def.skin_refinement * def.skin_refinement;
    return check_size(reader, x * y * z, quads) &&
           added(reader, pliant_builder_add_block(builder, &def));
}

static bool add_ball(field_reader *reader, json_value value, pliant_builder *builder)
{
    pliant_ball_def def = pliant_default_ball_def();
    return pli_field_read_object(reader, value, ball_fields, COUNT(ball_fields), &def) &&
           added(reader, pliant_builder_add_ball(builder, &def));
}

// ---------------------------------------------------------------------------------------------
// Particle by particle

static bool add_particle(field_reader *reader, json_value value, pliant_builder *builder)
{
    pliant_particle_def def = pliant_default_particle_def();
    if (!pli_field_read_particle(reader, value, true, &def))
        return false;
    pliant_builder_add_particle(builder, &def);
    return true;
}

static bool add_edge(field_reader *reader, json_value value, pliant_builder *builder)
{
    pliant_edge_def def = pliant_default_edge_def();
    field fields[MOST_ELEMENT_FIELDS];
    int count =
        pli_field_list_element(fields, ELEMENT_EDGES, 0, pliant_builder_particle_count(builder));
    if (!pli_field_read_object(reader, value, fields, count, &def))
        return false;
    pliant_builder_add_edge(builder, &def);
    return true;
}

typedef struct group_spec {
    pliant_group_def def;
    json_value members;
} group_spec;

static bool add_group(field_reader *reader, json_value value, pliant_builder *builder)
{
    group_spec spec = {.def = pliant_default_group_def(), .members = JSON_NONE};
    field fields[MOST_ELEMENT_FIELDS + 1];
    int field_count =
        pli_field_list_element(fields, ELEMENT_GROUPS, offsetof(group_spec, def), INT32_MAX);
    fields[field_count++] =
        (field){"members", FIELD_VALUE, offsetof(group_spec, members), FIELD_ANY, true};
    if (!pli_field_read_object(reader, value, fields, field_count, &spec))
        return false;
    size_t before = pli_field_enter_key(reader, "members");
    int32_t *members;
    int count;
    if (!pli_field_read_indices(reader, spec.members, pliant_builder_particle_count(builder),
                                &members, &count))
        return false;
    pli_field_leave(reader, before);
    spec.def.members = members;
    spec.def.member_count = count;
    pliant_builder_add_group(builder, &spec.def);
    free(members);
    return true;
}

// Groups are checked by the builder, which knows them all.
static bool add_hinge(field_reader *reader, json_value value, pliant_builder *builder)
{
    pliant_hinge_def def = pliant_default_hinge_def();
    field fields[MOST_ELEMENT_FIELDS];
    int count =
        pli_field_list_element(fields, ELEMENT_HINGES, 0, pliant_builder_particle_count(builder));
    if (!pli_field_read_object(reader, value, fields, count, &def))
        return false;
    def.has_limits = pli_json_get(reader->json, value, "lower") != JSON_NONE ||
                     pli_json_get(reader->json, value, "upper") != JSON_NONE;
    pliant_builder_add_hinge(builder, &def);
    return true;
}

// Calls `add` for each item of one of the model's arrays, which may be missing.
static bool add_all(field_reader *reader, const char *key, json_value array,
                    pliant_builder *builder,
                    bool (*add)(field_reader *, json_value, pliant_builder *))
{
    if (array == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(reader, key);
    if (pli_json_type_of(reader->json, array) != JSON_TYPE_ARRAY)
        return pli_field_expect(reader, array, "an array");
    int index = 0;
    for (json_value v = pli_json_first(reader->json, array); v != JSON_NONE;
         v = pli_json_next(reader->json, v)) {
        size_t outer = pli_field_enter_item(reader, index++);
        if (!add(reader, v, builder))
            return false;
        pli_field_leave(reader, outer);
    }
    pli_field_leave(reader, before);
    return true;
}

static bool pin(field_reader *reader, json_value indices, pliant_builder *builder)
{
    if (indices == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(reader, "pinned");
    int32_t *particles;
    int count;
    if (!pli_field_read_indices(reader, indices, pliant_builder_particle_count(builder), &particles,
                                &count))
        return false;
    for (int i = 0; i < count; ++i)
        pliant_builder_particle(builder, particles[i])->flags |= PLIANT_PARTICLE_PINNED;
    free(particles);
    pli_field_leave(reader, before);
    return true;
}

// ---------------------------------------------------------------------------------------------
// A model

// The path a scene means: beside the scene where it is not absolute. In new memory, or NULL.
static char *find_path(const field_reader *reader, json_value file, const char *directory)
{
    size_t length = pli_json_string(reader->json, file, NULL, 0);
    size_t prefix = directory && directory[0] ? strlen(directory) + 1 : 0;
    char *path = malloc(prefix + length + 1);
    if (!path)
        return NULL;
    pli_json_string(reader->json, file, path + prefix, length + 1);
    if (path[prefix] == '/') {
        memmove(path, path + prefix, length + 1);
    } else if (prefix) {
        memcpy(path, directory, prefix - 1);
        path[prefix - 1] = '/';
    }
    return path;
}

// Of a model in a GLB the mesh comes with it; what that refers to lies beside it. `path` is cut off at its
// folder.
static pliant_model *load_model(char *path, pliant_mesh **mesh, pliant_error *error)
{
    void *data;
    size_t size;
    if (pliant_file_read(path, &data, &size, error) != PLIANT_OK)
        return NULL;
    char *slash = strrchr(path, '/');
    if (slash)
        slash[slash == path] = 0;
    pliant_model *model = pliant_model_read(data, size, slash ? path : NULL, mesh, error);
    free(data);
    return model;
}

static bool read_file(field_reader *reader, json_value file, const char *directory,
                      pliant_model **model, pliant_mesh **mesh)
{
    size_t before = pli_field_enter_key(reader, "file");
    if (pli_json_type_of(reader->json, file) != JSON_TYPE_STRING)
        return pli_field_expect(reader, file, "a path");
    char *path = find_path(reader, file, directory);
    if (!path)
        return pli_field_fail_memory(reader);
    pliant_error inner = {0};
    *model = load_model(path, mesh, &inner);
    free(path);
    if (!*model) {
        // The message says which file; the place says where it was asked for.
        if (inner.code != PLIANT_ERROR_FILE)
            return pli_field_fail_inside(reader, &inner);
        return pli_field_fail(reader, "%s: %s", inner.place, inner.message);
    }
    pli_field_leave(reader, before);
    return true;
}

static bool fill_builder(field_reader *reader, const model_spec *spec, pliant_builder *builder)
{
    static const struct {
        const char *key;
        size_t offset;
        bool (*add)(field_reader *, json_value, pliant_builder *);
    } shapes[] = {{"rope", offsetof(model_spec, rope), add_rope},
                  {"sheet", offsetof(model_spec, sheet), add_sheet},
                  {"block", offsetof(model_spec, block), add_block},
                  {"ball", offsetof(model_spec, ball), add_ball}};
    for (int i = 0; i < COUNT(shapes); ++i) {
        json_value value = *(const json_value *)((const char *)spec + shapes[i].offset);
        if (value == JSON_NONE)
            continue;
        size_t before = pli_field_enter_key(reader, shapes[i].key);
        if (!shapes[i].add(reader, value, builder))
            return false;
        pli_field_leave(reader, before);
    }
    return add_all(reader, "particles", spec->particles, builder, add_particle) &&
           add_all(reader, "edges", spec->edges, builder, add_edge) &&
           add_all(reader, "groups", spec->groups, builder, add_group) &&
           add_all(reader, "hinges", spec->hinges, builder, add_hinge) &&
           pin(reader, spec->pinned, builder);
}

static bool build(field_reader *reader, const model_spec *spec, pliant_model **model)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    if (!builder)
        return pli_field_fail_memory(reader);
    bool ok = fill_builder(reader, spec, builder);
    if (ok) {
        pliant_error inner = {0};
        *model = pliant_builder_build(builder, &inner);
        ok = *model || pli_field_fail_inside(reader, &inner);
    }
    pliant_builder_destroy(builder);
    return ok;
}

static bool check_spec(field_reader *reader, const model_spec *spec)
{
    int kinds = (spec->file != JSON_NONE) + (spec->rope != JSON_NONE) + (spec->sheet != JSON_NONE) +
                (spec->block != JSON_NONE) + (spec->ball != JSON_NONE) +
                (spec->particles != JSON_NONE);
    if (kinds != 1)
        return pli_field_fail(reader,
                              "expected one of \"file\", \"rope\", \"sheet\", \"block\", \"ball\", "
                              "\"particles\", found %d",
                              kinds);
    bool connected =
        spec->edges != JSON_NONE || spec->groups != JSON_NONE || spec->hinges != JSON_NONE;
    if (connected && spec->particles == JSON_NONE)
        return pli_field_fail(reader,
                              "\"edges\", \"groups\" and \"hinges\" go with \"particles\" only");
    if (spec->pinned != JSON_NONE && spec->file != JSON_NONE)
        return pli_field_fail(reader, "\"pinned\" does not go with \"file\"");
    return true;
}

// Where models come from and where they go.
typedef struct model_context {
    const char *directory;
    pliant_scene *scene;
} model_context;

static bool read_model(field_reader *reader, json_value value, void *context)
{
    model_spec spec = {JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE,
                       JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE, JSON_NONE};
    const model_context *place = context;
    pliant_model *model = NULL;
    pliant_mesh *mesh = NULL;
    if (!pli_field_read_object(reader, value, spec_fields, COUNT(spec_fields), &spec) ||
        !check_spec(reader, &spec))
        return false;
    bool ok = spec.file != JSON_NONE ? read_file(reader, spec.file, place->directory, &model, &mesh)
                                     : build(reader, &spec, &model);
    if (!ok)
        return false;
    int index = pliant_scene_add_model(place->scene, model);
    if (index < 0) {
        pliant_mesh_destroy(mesh);
        return pli_field_fail_memory(reader);
    }
    pliant_error inner = {0};
    return pliant_scene_set_mesh(place->scene, index, mesh, &inner) == PLIANT_OK ||
           pli_field_fail_inside(reader, &inner);
}

bool pli_scene_read_models(field_reader *reader, json_value models, const char *directory,
                           pliant_scene *scene)
{
    model_context context = {directory, scene};
    return pli_field_read_named(reader, models, "an object of models by name", read_model,
                                &context);
}
