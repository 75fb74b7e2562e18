// Meshes: the accessors of a primitive fit together, and their values are what they are used as.

#include "gltf_accessor.h"
#include "gltf_check.h"
#include "gltf_memory.h"
#include "gltf_semantic.h"
#include "math/scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mesh_check {
    gltf_check *c;
    int *targets; // of each buffer view: what it is used for, 0 before it is used
    int *users; // of each buffer view without stride: the accessor that uses it for vertices, or -1
    int *coordinates; // of each material: the highest set of texture coordinates it uses, or -1
    bool *are_unit;   // of each accessor: its vectors were found to have unit length, or reported
} mesh_check;

// One primitive and its place, for messages.
typedef struct primitive {
    json_value value, attributes;
    char place[48];
    int vertex_count; // -1 before the first attribute
} primitive;

// ---------------------------------------------------------------------------------------------
// Buffer views

// Vertices and indices are kept apart; what somebody said first holds.
static void check_target(mesh_check *m, json_value accessor, int target, const char *place)
{
    int view = pli_gltf_reference(m->c->gltf, accessor, "bufferView");
    if (view < 0)
        return;
    if (m->targets[view] == 0)
        m->targets[view] = target;
    if (m->targets[view] != target)
        pli_gltf_remark(m->c, "its buffer view is used for something else", "%s", place);
}

// Where several attributes share a buffer view, it says how far apart their elements are.
static void check_sharing(mesh_check *m, int index, const char *place)
{
    json_value accessor = m->c->gltf->accessors.items[index];
    int view = pli_gltf_reference(m->c->gltf, accessor, "bufferView");
    if (view < 0 || pli_gltf_has_stride(m->c, accessor))
        return;
    if (m->users[view] < 0)
        m->users[view] = index;
    if (m->users[view] != index)
        pli_gltf_remark(m->c, "several attributes share its buffer view, which has no stride", "%s",
                        place);
}

static void check_vertex_alignment(mesh_check *m, int index, const char *place)
{
    json_value accessor = m->c->gltf->accessors.items[index];
    if (pli_gltf_reference(m->c->gltf, accessor, "bufferView") >= 0 &&
        (pli_gltf_stride(m->c->gltf, accessor) % 4 != 0 ||
         pli_gltf_integer(m->c->json, accessor, "byteOffset", 0) % 4 != 0))
        pli_gltf_remark(m->c, "its vertices are not at multiples of 4 bytes", "%s", place);
}

// ---------------------------------------------------------------------------------------------
// Attributes

static bool check_format(mesh_check *m, const gltf_semantic *semantic, const gltf_accessor *a,
                         const char *place)
{
    unsigned form = pli_gltf_form(a->component_type, a->is_normalized);
    unsigned right = m->c->is_quantized ? semantic->right | semantic->quantized : semantic->right;
    bool has_components = a->components >= semantic->least && a->components <= semantic->most;
    if (semantic->is_geometry && !(has_components && form & semantic->readable))
        return pli_gltf_fail(m->c, "not the right type of accessor", "%s", place);
    return (has_components && form & right) ||
           pli_gltf_remark(m->c, "not the right type of accessor", "%s", place);
}

static bool check_name(mesh_check *m, const char *name, const gltf_accessor *a, const char *place)
{
    if (name[0] != '_')
        return pli_gltf_remark(m->c, "there is no such attribute", "%s", place);
    return a->component_type != GLTF_UINT ||
           pli_gltf_remark(m->c, "not the right type of accessor", "%s", place);
}

// `where` has less than 24 characters.
static bool check_attribute(mesh_check *m, primitive *p, json_value key, const char *where,
                            gltf_semantic_use use)
{
    char name[64], place[sizeof p->place + 24 + sizeof name];
    pli_json_string(m->c->json, key, name, sizeof name);
    snprintf(place, sizeof place, "%s%s.%s", p->place, where, name);
    int index = pli_gltf_item_index(m->c, pli_json_member(m->c->json, key));
    json_value accessor = m->c->gltf->accessors.items[index];
    gltf_accessor a = pli_gltf_accessor(m->c->gltf, index);
    int set;
    const gltf_semantic *semantic = pli_gltf_find_semantic(name, use, &set);
    if (semantic ? !check_format(m, semantic, &a, place) : !check_name(m, name, &a, place))
        return false;
    if (p->vertex_count < 0)
        p->vertex_count = a.count;
    if (a.count != p->vertex_count)
        return pli_gltf_fail(m->c, "not as many elements as the other attributes", "%s", place);
    check_target(m, accessor, GLTF_TARGET_VERTICES, place);
    check_sharing(m, index, place);
    check_vertex_alignment(m, index, place);
    if (use == GLTF_IN_TARGET && pli_json_get(m->c->json, p->attributes, name) == JSON_NONE)
        pli_gltf_remark(m->c, "the primitive has no such attribute", "%s", place);
    return pli_gltf_spend(m->c, pli_json_size(m->c->json, p->attributes));
}

static bool check_attributes(mesh_check *m, primitive *p, json_value attributes, const char *where,
                             gltf_semantic_use use)
{
    for (json_value key = pli_json_first(m->c->json, attributes); key != JSON_NONE;
         key = pli_json_next(m->c->json, key)) {
        if (!check_attribute(m, p, key, where, use))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Sets: TEXCOORD_0, TEXCOORD_1, …

typedef struct set_counts {
    int counts[GLTF_SEMANTIC_COUNT], highest[GLTF_SEMANTIC_COUNT];
} set_counts;

static set_counts count_sets(const mesh_check *m, const primitive *p)
{
    set_counts found = {0};
    for (int i = 0; i < GLTF_SEMANTIC_COUNT; ++i)
        found.highest[i] = -1;
    for (json_value key = pli_json_first(m->c->json, p->attributes); key != JSON_NONE;
         key = pli_json_next(m->c->json, key)) {
        char name[64];
        int set;
        pli_json_string(m->c->json, key, name, sizeof name);
        const gltf_semantic *semantic = pli_gltf_find_semantic(name, GLTF_IN_BASE, &set);
        if (!semantic)
            continue;
        ++found.counts[semantic->id];
        if (set > found.highest[semantic->id])
            found.highest[semantic->id] = set;
    }
    return found;
}

static void check_sets(mesh_check *m, const primitive *p, const set_counts *sets)
{
    for (int i = 0; i < GLTF_SEMANTIC_COUNT; ++i) {
        if (sets->highest[i] + 1 > sets->counts[i]) {
            pli_gltf_remark(m->c, "the sets of an attribute do not count from 0", "%s.attributes",
                            p->place);
            break;
        }
    }
    if (sets->counts[GLTF_JOINTS] != sets->counts[GLTF_WEIGHTS])
        pli_gltf_remark(m->c, "not as many sets of joints as of weights", "%s.attributes",
                        p->place);
    int material = pli_gltf_reference(m->c->gltf, p->value, "material");
    if (material >= 0 && m->coordinates[material] >= sets->counts[GLTF_TEXCOORD])
        pli_gltf_remark(m->c, "it needs more texture coordinates than there are", "%s.material",
                        p->place);
}

// ---------------------------------------------------------------------------------------------
// Values of attributes

static void check_position_bounds(mesh_check *m, const primitive *p)
{
    int index = pli_gltf_reference(m->c->gltf, p->attributes, "POSITION");
    if (index < 0)
        return;
    json_value accessor = m->c->gltf->accessors.items[index];
    if (pli_json_get(m->c->json, accessor, "min") == JSON_NONE ||
        pli_json_get(m->c->json, accessor, "max") == JSON_NONE)
        pli_gltf_remark(m->c, "the accessor needs min and max", "%s.attributes.POSITION", p->place);
}

// As much as bytes, normalised, may be off.
#define UNIT_TOLERANCE 0.00769

static bool is_unit(const double v[3])
{
    return fabs(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - 1.0) <= UNIT_TOLERANCE;
}

// Normals, or tangents, whose fourth component is a sign. Those of morph targets are differences, of any length.
static bool check_directions(mesh_check *m, const primitive *p, const char *name)
{
    int index = pli_gltf_reference(m->c->gltf, p->attributes, name);
    if (index < 0 || m->are_unit[index] || pli_gltf_is_blank(m->c->gltf, index))
        return true;
    m->are_unit[index] = true;
    gltf_accessor a = pli_gltf_accessor(m->c->gltf, index);
    double *values = pli_gltf_check_read(m->c, index);
    if (!values)
        return false;
    bool is_right = true;
    for (int i = 0; i < a.count && a.components >= 3 && is_right; ++i) {
        const double *v = values + (size_t)i * (size_t)a.components;
        is_right = is_unit(v) && (a.components == 3 || fabs(v[3]) == 1.0);
    }
    free(values);
    return is_right || pli_gltf_remark(m->c, "a vector is not of unit length", "%s.attributes.%s",
                                       p->place, name);
}

// ---------------------------------------------------------------------------------------------
// Joints and weights

// All sets of one primitive, and what is wrong with them.
typedef struct influences {
    int set_count;
    double **joints, **weights;
    bool is_negative, is_double, is_uneven;
} influences;

static bool read_sets(mesh_check *m, const primitive *p, influences *in)
{
    for (int i = 0; i < in->set_count; ++i) {
        char names[2][24];
        snprintf(names[0], sizeof names[0], "JOINTS_%d", i);
        snprintf(names[1], sizeof names[1], "WEIGHTS_%d", i);
        int joints = pli_gltf_reference(m->c->gltf, p->attributes, names[0]);
        int weights = pli_gltf_reference(m->c->gltf, p->attributes, names[1]);
        if (!pli_gltf_spend(m->c, pli_json_size(m->c->json, p->attributes)))
            return false;
        if (joints < 0 || weights < 0) {
            in->set_count = i; // reported as a gap already
            return true;
        }
        in->joints[i] = pli_gltf_check_read(m->c, joints);
        in->weights[i] = in->joints[i] ? pli_gltf_check_read(m->c, weights) : NULL;
        if (!in->weights[i])
            return false;
    }
    return true;
}

static bool appears_before(const influences *in, size_t vertex, int influence)
{
    double joint = in->joints[influence / 4][vertex * 4 + (size_t)influence % 4];
    for (int i = 0; i < influence; ++i) {
        size_t at = vertex * 4 + (size_t)i % 4;
        if (in->joints[i / 4][at] == joint && in->weights[i / 4][at] > 0.0)
            return true;
    }
    return false;
}

// Weights that are off by this much do not matter: they are made to sum to 1 when they are used.
#define WEIGHT_TOLERANCE 1e-3

static void check_influences(influences *in, size_t vertex, gltf_mesh_facts *facts)
{
    double total = 0.0, highest = -1.0;
    for (int i = 0; i < 4 * in->set_count; ++i) {
        double joint = in->joints[i / 4][vertex * 4 + (size_t)i % 4];
        double weight = in->weights[i / 4][vertex * 4 + (size_t)i % 4];
        in->is_negative = in->is_negative || weight < 0.0;
        total += weight;
        if (!pli_gltf_acts(weight))
            continue;
        in->is_double = in->is_double || appears_before(in, vertex, i);
        highest = joint > highest ? joint : highest;
    }
    in->is_uneven = in->is_uneven || !(fabs(total - 1.0) <= WEIGHT_TOLERANCE);
    // A vertex that nothing moves goes with its first joint.
    highest = highest < 0.0 ? in->joints[0][vertex * 4] : highest;
    facts->highest_joint = highest > facts->highest_joint ? highest : facts->highest_joint;
}

static void report_influences(mesh_check *m, const primitive *p, const influences *in)
{
    if (in->is_negative)
        pli_gltf_remark(m->c, "a weight is negative", "%s.attributes.WEIGHTS_0", p->place);
    if (in->is_uneven)
        pli_gltf_remark(m->c, "weights of a vertex do not sum to 1", "%s.attributes.WEIGHTS_0",
                        p->place);
    if (in->is_double)
        pli_gltf_remark(m->c, "a joint moves a vertex twice", "%s.attributes.JOINTS_0", p->place);
}

static bool check_joints(mesh_check *m, const primitive *p, int set_count, gltf_mesh_facts *facts)
{
    // Searching for joints that appear twice takes the square of their number.
    if (set_count == 0 || !pli_gltf_spend(m->c, (int64_t)set_count * set_count * p->vertex_count))
        return set_count == 0;
    influences in = {.set_count = set_count,
                     .joints = calloc((size_t)set_count, sizeof *in.joints),
                     .weights = calloc((size_t)set_count, sizeof *in.weights)};
    bool good = in.joints && in.weights ? read_sets(m, p, &in) : pli_gltf_fail_memory(m->c);
    for (int i = 0; i < p->vertex_count && good && in.set_count > 0; ++i)
        check_influences(&in, (size_t)i, facts);
    int weights = pli_gltf_reference(m->c->gltf, p->attributes, "WEIGHTS_0");
    if (good && weights >= 0 && !pli_gltf_is_blank(m->c->gltf, weights))
        report_influences(m, p, &in);
    for (int i = 0; i < set_count; ++i) {
        if (in.joints)
            free(in.joints[i]);
        if (in.weights)
            free(in.weights[i]);
    }
    free(in.joints);
    free(in.weights);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Indices

static double restart_index(int component_type)
{
    return component_type == GLTF_UBYTE    ? 255.0
           : component_type == GLTF_USHORT ? 65535.0
                                           : 4294967295.0;
}

static bool check_index_values(mesh_check *m, const primitive *p, int accessor)
{
    gltf_accessor a = pli_gltf_accessor(m->c->gltf, accessor);
    double *values = pli_gltf_check_read(m->c, accessor);
    if (!values)
        return false;
    double restart = restart_index(a.component_type);
    const char *problem = NULL;
    for (int i = 0; i < a.count && !problem; ++i) {
        if (values[i] == restart)
            problem = "a primitive cannot be restarted";
        else if (!(values[i] < p->vertex_count))
            problem = "there is no such vertex";
    }
    free(values);
    return !problem || pli_gltf_fail(m->c, problem, "%s.indices", p->place);
}

static bool check_indices(mesh_check *m, const primitive *p)
{
    int index = pli_gltf_reference(m->c->gltf, p->value, "indices");
    if (index < 0 || p->vertex_count < 0)
        return true;
    json_value accessor = m->c->gltf->accessors.items[index];
    gltf_accessor a = pli_gltf_accessor(m->c->gltf, index);
    bool is_unsigned = a.component_type == GLTF_UBYTE || a.component_type == GLTF_USHORT ||
                       a.component_type == GLTF_UINT;
    char place[GLTF_PLACE_SIZE];
    snprintf(place, sizeof place, "%s.indices", p->place);
    if (a.components != 1 || !is_unsigned || a.is_normalized)
        return pli_gltf_fail(m->c, "expected unsigned scalars", "%s", place);
    check_target(m, accessor, GLTF_TARGET_INDICES, place);
    if (pli_gltf_has_stride(m->c, accessor))
        pli_gltf_remark(m->c, "indices have no stride", "%s", place);
    return check_index_values(m, p, index);
}

// ---------------------------------------------------------------------------------------------
// Primitives and meshes

static bool check_targets(mesh_check *m, primitive *p, int mesh, int index)
{
    json_value targets = pli_json_get(m->c->json, p->value, "targets");
    gltf_mesh_facts *facts = &m->c->meshes[mesh];
    int count = pli_json_size(m->c->json, targets), target = 0;
    if (index == 0)
        facts->target_count = count;
    else if (count != facts->target_count)
        pli_gltf_remark(m->c, "not as many as the first primitive has", "%s.targets", p->place);
    for (json_value t = pli_json_first(m->c->json, targets); t != JSON_NONE;
         t = pli_json_next(m->c->json, t)) {
        char where[24];
        snprintf(where, sizeof where, ".targets[%d]", target++);
        if (!check_attributes(m, p, t, where, GLTF_IN_TARGET))
            return false;
    }
    return true;
}

static bool check_primitive(mesh_check *m, json_value value, int mesh, int index)
{
    primitive p = {.value = value, .vertex_count = -1};
    gltf_mesh_facts *facts = &m->c->meshes[mesh];
    p.attributes = pli_json_get(m->c->json, value, "attributes");
    snprintf(p.place, sizeof p.place, "meshes[%d].primitives[%d]", mesh, index);
    if (!check_attributes(m, &p, p.attributes, ".attributes", GLTF_IN_BASE) ||
        !check_targets(m, &p, mesh, index))
        return false;
    set_counts sets = count_sets(m, &p);
    check_sets(m, &p, &sets);
    check_position_bounds(m, &p);
    facts->has_joints = facts->has_joints && sets.counts[GLTF_JOINTS] > 0;
    return check_directions(m, &p, "NORMAL") && check_directions(m, &p, "TANGENT") &&
           check_joints(m, &p, sets.counts[GLTF_JOINTS], facts) && check_indices(m, &p);
}

static bool check_mesh(mesh_check *m, int mesh)
{
    json_value value = m->c->gltf->meshes.items[mesh];
    json_value primitives = pli_json_get(m->c->json, value, "primitives");
    json_value weights = pli_json_get(m->c->json, value, "weights");
    gltf_mesh_facts *facts = &m->c->meshes[mesh];
    *facts = (gltf_mesh_facts){.has_joints = true, .highest_joint = -1.0};
    int index = 0;
    for (json_value p = pli_json_first(m->c->json, primitives); p != JSON_NONE;
         p = pli_json_next(m->c->json, p)) {
        if (!check_primitive(m, p, mesh, index++))
            return false;
    }
    if (weights != JSON_NONE && pli_json_size(m->c->json, weights) != facts->target_count)
        pli_gltf_remark(m->c, "not as many as there are targets", "meshes[%d].weights", mesh);
    return true;
}

static int highest_coordinates(const gltf_check *c, json_value material)
{
    static const char *const outer[] = {"normalTexture", "occlusionTexture", "emissiveTexture"};
    static const char *const inner[] = {"baseColorTexture", "metallicRoughnessTexture"};
    json_value metallic = pli_json_get(c->json, material, "pbrMetallicRoughness");
    int highest = -1;
    for (int i = 0; i < 5; ++i) {
        json_value texture = i < 3 ? pli_json_get(c->json, material, outer[i])
                                   : pli_json_get(c->json, metallic, inner[i - 3]);
        if (texture == JSON_NONE)
            continue;
        double set = pli_json_number(c->json, pli_json_get(c->json, texture, "texCoord"), 0.0);
        if (set > highest && set < 1e6)
            highest = (int)set;
    }
    return highest;
}

static bool begin_check(mesh_check *m)
{
    pliant_gltf *g = m->c->gltf;
    size_t views = (size_t)g->views.count, materials = (size_t)g->materials.count;
    m->c->meshes = pli_gltf_allocate(g, (size_t)g->meshes.count, sizeof *m->c->meshes);
    m->targets = malloc((views + 1) * sizeof *m->targets);
    m->users = malloc((views + 1) * sizeof *m->users);
    m->coordinates = malloc((materials + 1) * sizeof *m->coordinates);
    m->are_unit = calloc((size_t)g->accessors.count + 1, sizeof *m->are_unit);
    if (!m->c->meshes || !m->targets || !m->users || !m->coordinates || !m->are_unit)
        return pli_gltf_fail_memory(m->c);
    for (int i = 0; i < g->views.count; ++i) {
        m->targets[i] = (int)pli_gltf_integer(g->json, g->views.items[i], "target", 0);
        m->users[i] = -1;
    }
    for (int i = 0; i < g->materials.count; ++i)
        m->coordinates[i] = highest_coordinates(m->c, g->materials.items[i]);
    return true;
}

bool pli_gltf_check_meshes(gltf_check *c)
{
    mesh_check m = {.c = c};
    bool good = begin_check(&m);
    for (int i = 0; i < c->gltf->meshes.count && good; ++i)
        good = check_mesh(&m, i);
    free(m.targets);
    free(m.users);
    free(m.coordinates);
    free(m.are_unit);
    return good;
}
