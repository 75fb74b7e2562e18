// The tools of a recipe: a table of each one's arguments, its defaults, and the call.

#include "draft/change.h"
#include "model/elements.h"
#include "recipe.h"
#include "json/particle_fields.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

enum { MOST_PARTICLES = 1000000, MOST_ROUNDS = 100 };

typedef struct scale_def {
    float spacing, bridge;
} scale_def;

typedef struct set_def {
    pliant_particle_def values;
    particle_change change;
} set_def;

typedef struct live_def {
    bool is_given; // else as it is proposed
    pliant_live as;
} live_def;

// Arguments as they are written, and the selections they name.
typedef struct tool_spec {
    union {
        scale_def scale;
        pliant_spray_def spray;
        pliant_fill_def fill;
        pliant_slice_def slice;
        pliant_fit_def fit;
        pliant_connect_def connect;
        pliant_bind_def bind;
        pliant_paint_def paint;
        pliant_group_def group;
        pliant_mass_def mass;
        pliant_auto_def automatic;
        pliant_edge_def edge;
        pliant_particle_def place;
        pliant_mirror_def mirror;
        vec3 translation;
        set_def set;
        pliant_material body;
        live_def live;
    } def;
    json_value vertices, particles, particle, target, method, as, name;
    const pliant_material_preset *preset;
    const pliant_selection *selected_vertices, *selected_particles;
} tool_spec;

#define DEF(key, member, kind, ...)                                                                \
    {                                                                                              \
        key, kind, offsetof(tool_spec, def.member), __VA_ARGS__                                    \
    }
#define VALUE(name, required)                                                                      \
    {                                                                                              \
#name, FIELD_VALUE, offsetof(tool_spec, name), FIELD_ANY, required                         \
    }
#define FIELD_COUNT  1.0, MOST_PARTICLES, false, false
#define FIELD_ROUNDS 0.0, MOST_ROUNDS, false, false
#define FIELD_MASS   1e-9, 1e9, false, false

static const field scale_fields[] = {
    DEF("spacing", scale.spacing, FIELD_FLOAT, FIELD_SIZE, true),
    DEF("bridge", scale.bridge, FIELD_FLOAT, 0, 1e5, false, false, false),
};

static const field spray_fields[] = {
    VALUE(vertices, false),
    DEF("spacing", spray.spacing, FIELD_FLOAT, FIELD_SIZE, false),
    DEF("count", spray.count, FIELD_INT, FIELD_COUNT, false),
    DEF("seed", spray.seed, FIELD_INT, FIELD_INDEX, false),
    DEF("centre", spray.centre, FIELD_VEC3, FIELD_COORDINATE, false),
    DEF("radius", spray.radius, FIELD_FLOAT, FIELD_POSITIVE, false),
    VALUE(particle, false),
};

static const field fill_fields[] = {
    VALUE(vertices, false),
    DEF("spacing", fill.spacing, FIELD_FLOAT, FIELD_SIZE, true),
    DEF("clearance", fill.clearance, FIELD_FLOAT, FIELD_SIZE, false),
    VALUE(particle, false),
};

static const field slice_fields[] = {
    VALUE(vertices, false),
    DEF("spacing", slice.spacing, FIELD_FLOAT, FIELD_SIZE, true),
    DEF("axis", slice.axis, FIELD_DIRECTION, FIELD_ANY, false),
    DEF("edges", slice.edges, FIELD_BOOL, FIELD_ANY, false),
    DEF("stretch_stiffness", slice.stretch_stiffness, FIELD_FLOAT, FIELD_UNIT, false),
    DEF("torsion_stiffness", slice.torsion_stiffness, FIELD_FLOAT, FIELD_UNIT, false),
    VALUE(particle, false),
};

static const field fit_fields[] = {
    VALUE(particles, false),
    DEF("radius", fit.radius, FIELD_FLOAT, FIELD_RADIUS, false),
    DEF("aspect", fit.aspect, FIELD_FLOAT, 1, 1e3, false, false, false),
    DEF("drift", fit.drift, FIELD_INT, FIELD_ROUNDS, false),
    DEF("merge", fit.merge, FIELD_FLOAT, 0, 1e5, false, false, false),
};

static const field connect_fields[] = {
    VALUE(particles, false),
    DEF("distance", connect.distance, FIELD_FLOAT, FIELD_SIZE, true),
    DEF("nearest_only", connect.nearest_only, FIELD_BOOL, FIELD_ANY, false),
    DEF("centre", connect.centre, FIELD_VEC3, FIELD_COORDINATE, false),
    DEF("radius", connect.radius, FIELD_FLOAT, FIELD_POSITIVE, false),
    DEF("stretch_stiffness", connect.stretch_stiffness, FIELD_FLOAT, FIELD_UNIT, false),
    DEF("torsion_stiffness", connect.torsion_stiffness, FIELD_FLOAT, FIELD_UNIT, false),
};

static const field bind_fields[] = {
    VALUE(vertices, false),
    VALUE(particles, false),
    DEF("links", bind.links, FIELD_INT, 1, PLIANT_MAX_LINKS, false, false, false),
};

// The range of the value depends on the target; the tool knows it.
static const field paint_fields[] = {
    VALUE(particles, false),
    VALUE(target, true),
    DEF("value", paint.value, FIELD_FLOAT, FIELD_ANY, true),
    DEF("centre", paint.centre, FIELD_VEC3, FIELD_COORDINATE, false),
    DEF("radius", paint.radius, FIELD_FLOAT, FIELD_POSITIVE, false),
    DEF("falloff", paint.falloff, FIELD_FLOAT, FIELD_UNIT, false),
    DEF("strength", paint.strength, FIELD_FLOAT, FIELD_UNIT, false),
};

static const field group_fields[] = {
    VALUE(particles, false),
    DEF("stiffness", group.stiffness, FIELD_FLOAT, FIELD_UNIT, false),
    DEF("dent_speed", group.dent_speed, FIELD_FLOAT, FIELD_SPEED, false),
    DEF("yield_strain", group.yield_strain, FIELD_FLOAT, FIELD_STRAIN, false),
    DEF("creep_rate", group.creep_rate, FIELD_FLOAT, FIELD_RATE, false),
};

static const field mass_fields[] = {
    VALUE(particles, false),
    DEF("density", mass.density, FIELD_FLOAT, FIELD_MASS, false),
    DEF("thickness", mass.thickness, FIELD_FLOAT, FIELD_SIZE, false),
    DEF("total", mass.total, FIELD_FLOAT, FIELD_MASS, false),
};

static const field material_fields[] = {
    VALUE(particles, false),
    VALUE(name, true),
};

static const field edge_fields[] = {
    DEF("a", edge.a, FIELD_INT, FIELD_INDEX, true),
    DEF("b", edge.b, FIELD_INT, FIELD_INDEX, true),
    DEF("stretch_stiffness", edge.stretch_stiffness, FIELD_FLOAT, FIELD_UNIT, false),
    DEF("torsion_stiffness", edge.torsion_stiffness, FIELD_FLOAT, FIELD_UNIT, false),
};

static const field move_fields[] = {
    VALUE(particles, false),
    DEF("translation", translation, FIELD_VEC3, FIELD_COORDINATE, true),
};

static const field mirror_fields[] = {
    VALUE(particles, false),
    DEF("normal", mirror.normal, FIELD_DIRECTION, FIELD_ANY, false),
    DEF("offset", mirror.offset, FIELD_FLOAT, FIELD_COORDINATE, false),
    DEF("tolerance", mirror.tolerance, FIELD_FLOAT, FIELD_SIZE, false),
    DEF("replace", mirror.replaces, FIELD_BOOL, FIELD_ANY, false),
};

// Of tools that take away.
static const field particles_fields[] = {VALUE(particles, false)};
static const field vertices_fields[] = {VALUE(vertices, false)};

static const field auto_fields[] = {
    VALUE(vertices, false),
    VALUE(method, false),
    DEF("spacing", automatic.spacing, FIELD_FLOAT, FIELD_SIZE, false),
    DEF("count", automatic.count, FIELD_INT, FIELD_COUNT, false),
    DEF("seed", automatic.seed, FIELD_INT, FIELD_INDEX, false),
    DEF("stiffness", automatic.stiffness, FIELD_FLOAT, FIELD_UNIT, false),
    DEF("density", automatic.density, FIELD_FLOAT, FIELD_MASS, false),
    DEF("radius", automatic.radius, FIELD_FLOAT, FIELD_RADIUS, false),
    DEF("edges", automatic.edges, FIELD_FLOAT, FIELD_SIZE, false),
    DEF("drift", automatic.drift, FIELD_INT, FIELD_ROUNDS, false),
};

// ---------------------------------------------------------------------------------------------
// Defaults and calls

static void begin_scale(tool_spec *spec)
{
    spec->def.scale = (scale_def){.bridge = -1.0f};
}

static pliant_result run_scale(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    scale_def def = spec->def.scale;
    return pliant_draft_set_scale(draft, def.spacing,
                                  def.bridge < 0.0f ? 0.25f * def.spacing : def.bridge, error);
}

static void begin_spray(tool_spec *spec)
{
    spec->def.spray = pliant_default_spray_def();
}

static pliant_result run_spray(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.spray.vertices = spec->selected_vertices;
    return pliant_draft_spray(draft, &spec->def.spray, error);
}

static void begin_fill(tool_spec *spec)
{
    spec->def.fill = pliant_default_fill_def();
}

static pliant_result run_fill(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.fill.vertices = spec->selected_vertices;
    return pliant_draft_fill(draft, &spec->def.fill, error);
}

static void begin_slice(tool_spec *spec)
{
    spec->def.slice = pliant_default_slice_def();
}

static pliant_result run_slice(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.slice.vertices = spec->selected_vertices;
    return pliant_draft_slice(draft, &spec->def.slice, error);
}

static void begin_fit(tool_spec *spec)
{
    spec->def.fit = pliant_default_fit_def();
}

static pliant_result run_fit(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.fit.particles = spec->selected_particles;
    return pliant_draft_fit(draft, &spec->def.fit, error);
}

static void begin_connect(tool_spec *spec)
{
    spec->def.connect = pliant_default_connect_def();
}

static pliant_result run_connect(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.connect.particles = spec->selected_particles;
    return pliant_draft_connect(draft, &spec->def.connect, error);
}

static void begin_bind(tool_spec *spec)
{
    spec->def.bind = pliant_default_bind_def();
}

static pliant_result run_bind(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.bind.vertices = spec->selected_vertices;
    spec->def.bind.particles = spec->selected_particles;
    return pliant_draft_bind(draft, &spec->def.bind, error);
}

static void begin_paint(tool_spec *spec)
{
    spec->def.paint = pliant_default_paint_def();
}

static pliant_result run_paint(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.paint.particles = spec->selected_particles;
    return pliant_draft_paint(draft, &spec->def.paint, error);
}

static void begin_group(tool_spec *spec)
{
    spec->def.group = pliant_default_group_def();
}

static pliant_result run_group(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_group(draft, spec->selected_particles, &spec->def.group, error);
}

static void begin_mass(tool_spec *spec)
{
    spec->def.mass = pliant_default_mass_def();
}

static pliant_result run_mass(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.mass.particles = spec->selected_particles;
    return pliant_draft_mass(draft, &spec->def.mass, error);
}

static void begin_place(tool_spec *spec)
{
    spec->def.place = pliant_default_particle_def();
    spec->def.place.mass = 0.0f;
}

static pliant_result run_place(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_place(draft, &spec->def.place, error) < 0 ? error->code : PLIANT_OK;
}

static void begin_edge(tool_spec *spec)
{
    spec->def.edge = pliant_default_edge_def();
}

static pliant_result run_edge(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_add_edge(draft, &spec->def.edge, error) < 0 ? error->code : PLIANT_OK;
}

static pliant_result run_remove(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_remove(draft, spec->selected_particles, error);
}

static pliant_result run_disconnect(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_disconnect(draft, spec->selected_particles, error);
}

static pliant_result run_ungroup(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_ungroup(draft, spec->selected_particles, error);
}

static pliant_result run_unbind(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_unbind(draft, spec->selected_vertices, error);
}

static pliant_result run_move(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_move(draft, spec->selected_particles, spec->def.translation, error);
}

static void begin_mirror(tool_spec *spec)
{
    spec->def.mirror = pliant_default_mirror_def();
}

static pliant_result run_mirror(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.mirror.particles = spec->selected_particles;
    return pliant_draft_mirror(draft, &spec->def.mirror, error);
}

static void begin_set(tool_spec *spec)
{
    spec->def.set = (set_def){.values = pliant_default_particle_def()};
}

static pliant_result run_set(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    const set_def *def = &spec->def.set;
    return pli_draft_change(draft, spec->selected_particles, &def->values, &def->change, error);
}

static void begin_auto(tool_spec *spec)
{
    spec->def.automatic = pliant_default_auto_def();
}

static pliant_result run_auto(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    spec->def.automatic.vertices = spec->selected_vertices;
    return pliant_draft_auto(draft, &spec->def.automatic, error);
}

// ---------------------------------------------------------------------------------------------
// Arguments that are particles

static bool read_place(recipe *r, json_value value, tool_spec *spec)
{
    return pli_field_read_particle(&r->fields, value, true, &spec->def.place);
}

// Only what is written is set.
static bool read_set(recipe *r, json_value value, tool_spec *spec)
{
    set_def *def = &spec->def.set;
    if (!pli_field_read_selected_particle(&r->fields, value, &def->values, &spec->particles))
        return false;
#define HAS(key) (pli_json_get(r->fields.json, value, key) != JSON_NONE)
    def->change = (particle_change){
        .fields = HAS("radius") ? pli_particle_field_bit("radii") : 0,
        .flags = (HAS("pinned") ? PLIANT_PARTICLE_PINNED : 0) |
                 (HAS("oriented") ? PLIANT_PARTICLE_UNORIENTED : 0) |
                 (HAS("surface") ? PLIANT_PARTICLE_SURFACE : 0),
    };
    const element_kind *kind = &pli_element_kinds[ELEMENT_PARTICLES];
    for (int f = 0; f < kind->field_count; ++f)
        if (HAS(kind->fields[f].name))
            def->change.fields |= pli_particle_field_bit(kind->fields[f].name);
#undef HAS
    return true;
}

static const field body_fields[] = {
    DEF("friction", body.friction, FIELD_FLOAT, FIELD_FRICTION, false),
    DEF("restitution", body.restitution, FIELD_FLOAT, FIELD_UNIT, false),
    DEF("linear_damping", body.linear_damping, FIELD_FLOAT, 0, 1, false, true, false),
    DEF("angular_damping", body.angular_damping, FIELD_FLOAT, 0, 1, false, true, false),
    DEF("shape_damping", body.shape_damping, FIELD_FLOAT, 0, 1, false, true, false),
    DEF("self_collision", body.self_collision, FIELD_BOOL, FIELD_ANY, false),
};

static const field live_fields[] = {VALUE(as, false)};

static pliant_result run_live(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    live_def *def = &spec->def.live;
    if (!def->is_given && pliant_draft_propose_live(draft, &def->as, error) != PLIANT_OK)
        return error->code;
    return pliant_draft_set_live(draft, def->as, error);
}

// What is not written stays.
static bool read_body(recipe *r, json_value value, tool_spec *spec)
{
    spec->def.body = pliant_draft_material(r->draft);
    return pli_field_read_object(&r->fields, value, body_fields, COUNT(body_fields), spec);
}

static pliant_result run_body(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_set_material(draft, &spec->def.body, error);
}

static pliant_result run_material(pliant_draft *draft, tool_spec *spec, pliant_error *error)
{
    return pliant_draft_use_preset(draft, spec->selected_particles, spec->preset, error);
}

// ---------------------------------------------------------------------------------------------
// The table

typedef struct tool {
    const char *key;
    const field *fields; // NULL: `read` reads them
    int field_count;
    void (*begin)(tool_spec *); // sets the defaults; NULL when there are none
    pliant_result (*run)(pliant_draft *, tool_spec *, pliant_error *);
    size_t template_offset; // of the particle that "particle" changes
    bool (*read)(recipe *, json_value, tool_spec *);
} tool;

#define TOOL(name) #name, name##_fields, COUNT(name##_fields), begin_##name, run_##name

static const tool tools[] = {
    {TOOL(scale), 0, NULL},
    {TOOL(spray), offsetof(tool_spec, def.spray.particle), NULL},
    {TOOL(fill), offsetof(tool_spec, def.fill.particle), NULL},
    {TOOL(slice), offsetof(tool_spec, def.slice.particle), NULL},
    {TOOL(fit), 0, NULL},
    {TOOL(connect), 0, NULL},
    {TOOL(bind), 0, NULL},
    {TOOL(paint), 0, NULL},
    {TOOL(group), 0, NULL},
    {TOOL(mass), 0, NULL},
    {"place", NULL, 0, begin_place, run_place, 0, read_place},
    {TOOL(edge), 0, NULL},
    {"move", move_fields, COUNT(move_fields), NULL, run_move, 0, NULL},
    {"set", NULL, 0, begin_set, run_set, 0, read_set},
    {TOOL(mirror), 0, NULL},
    {"remove", particles_fields, COUNT(particles_fields), NULL, run_remove, 0, NULL},
    {"disconnect", particles_fields, COUNT(particles_fields), NULL, run_disconnect, 0, NULL},
    {"ungroup", particles_fields, COUNT(particles_fields), NULL, run_ungroup, 0, NULL},
    {"unbind", vertices_fields, COUNT(vertices_fields), NULL, run_unbind, 0, NULL},
    {"body", body_fields, COUNT(body_fields), NULL, run_body, 0, read_body},
    {"material", material_fields, COUNT(material_fields), NULL, run_material, 0, NULL},
    {TOOL(auto), 0, NULL},
    {"live", live_fields, COUNT(live_fields), NULL, run_live, 0, NULL},
};

// ---------------------------------------------------------------------------------------------
// Reading

static bool read_word_at(recipe *r, const char *key, json_value value, const char *const *words,
                         int count, int *index)
{
    if (value == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(&r->fields, key);
    if (!pli_field_read_word(&r->fields, value, words, count, index))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

static bool read_words(recipe *r, tool_spec *spec)
{
    static const char *const targets[] = {
        [PLIANT_PAINT_STIFFNESS] = "stiffness", [PLIANT_PAINT_TORSION] = "torsion",
        [PLIANT_PAINT_STRETCH] = "stretch",     [PLIANT_PAINT_MASS] = "mass",
        [PLIANT_PAINT_SURFACE] = "surface",     [PLIANT_PAINT_ANIMATED] = "animated",
    };
    static const char *const methods[] = {
        [PLIANT_AUTO_MIXED] = "mixed",
        [PLIANT_AUTO_SPRAY] = "spray",
        [PLIANT_AUTO_SLICE] = "slice",
    };
    enum { PROPOSED = PLIANT_LIVE_ROOTED + 1 };
    const char *const lives[] = {pliant_live_name(PLIANT_LIVE_DROP),
                                 pliant_live_name(PLIANT_LIVE_HANG),
                                 pliant_live_name(PLIANT_LIVE_ROOTED), "proposed"};
    enum { MOST_PRESETS = 16 };
    const char *presets[MOST_PRESETS];
    int preset_count = pliant_material_preset_count(), preset = 0;
    for (int i = 0; i < preset_count && i < MOST_PRESETS; ++i)
        presets[i] = pliant_material_preset_at(i)->name;
    int target = 0, method = 0, live = PROPOSED;
    if (!read_word_at(r, "target", spec->target, targets, COUNT(targets), &target) ||
        !read_word_at(r, "method", spec->method, methods, COUNT(methods), &method) ||
        !read_word_at(r, "as", spec->as, lives, COUNT(lives), &live) ||
        !read_word_at(r, "name", spec->name, presets, preset_count, &preset))
        return false;
    spec->preset = pliant_material_preset_at(preset);
    if (spec->target != JSON_NONE)
        spec->def.paint.target = (pliant_paint_target)target;
    if (spec->method != JSON_NONE)
        spec->def.automatic.method = (pliant_auto_method)method;
    if (live != PROPOSED)
        spec->def.live = (live_def){true, (pliant_live)live};
    return true;
}

static bool read_template(recipe *r, const tool *t, tool_spec *spec)
{
    if (spec->particle == JSON_NONE)
        return true;
    size_t before = pli_field_enter_key(&r->fields, "particle");
    pliant_particle_def *particle = (pliant_particle_def *)((char *)spec + t->template_offset);
    if (!pli_field_read_particle(&r->fields, spec->particle, false, particle))
        return false;
    pli_field_leave(&r->fields, before);
    return true;
}

static bool read_arguments(recipe *r, const tool *t, json_value value, tool_spec *spec)
{
    if (t->read)
        return t->read(r, value, spec);
    return pli_field_read_object(&r->fields, value, t->fields, t->field_count, spec) &&
           read_words(r, spec) && read_template(r, t, spec);
}

// What the tool found: at one of its arguments, if it says so.
static bool fail_in_tool(recipe *r, const tool *t, const pliant_error *inner)
{
    bool at_argument = false;
    for (int i = 0; i < t->field_count && !at_argument; ++i)
        at_argument = strcmp(t->fields[i].key, inner->place) == 0;
    if (!at_argument)
        return pli_field_fail_inside(&r->fields, inner);
    pli_field_enter_key(&r->fields, inner->place);
    pli_error_set(r->fields.error, inner->code, r->fields.place, "%s", inner->message);
    return false;
}

static bool use(recipe *r, const tool *t, json_value value)
{
    tool_spec spec = {.vertices = JSON_NONE,
                      .particles = JSON_NONE,
                      .particle = JSON_NONE,
                      .target = JSON_NONE,
                      .method = JSON_NONE,
                      .as = JSON_NONE,
                      .name = JSON_NONE};
    if (t->begin)
        t->begin(&spec);
    pliant_selection vertices = {0}, particles = {0};
    bool ok = read_arguments(r, t, value, &spec) &&
              pli_recipe_select(r, "vertices", spec.vertices, false, &vertices,
                                &spec.selected_vertices) &&
              pli_recipe_select(r, "particles", spec.particles, true, &particles,
                                &spec.selected_particles);
    pliant_error inner = {0};
    if (ok && r->runs && t->run(r->draft, &spec, &inner) != PLIANT_OK)
        ok = fail_in_tool(r, t, &inner);
    pliant_selection_release(&vertices);
    pliant_selection_release(&particles);
    return ok;
}

bool pli_recipe_use_tool(recipe *r, json_value item)
{
    const json_document *json = r->fields.json;
    if (pli_json_type_of(json, item) != JSON_TYPE_OBJECT)
        return pli_field_expect(&r->fields, item, "an object");
    if (pli_json_size(json, item) != 1)
        return pli_field_fail(&r->fields, "expected one tool, found %d", pli_json_size(json, item));
    json_value key = pli_json_first(json, item);
    char name[48];
    pli_json_string(json, key, name, sizeof name);
    size_t before = pli_field_enter_key(&r->fields, name);
    for (int i = 0; i < COUNT(tools); ++i) {
        if (!pli_json_string_is(json, key, tools[i].key))
            continue;
        if (!use(r, &tools[i], pli_json_member(json, key)))
            return false;
        pli_field_leave(&r->fields, before);
        return true;
    }
    return pli_field_fail(&r->fields, "unknown tool");
}
