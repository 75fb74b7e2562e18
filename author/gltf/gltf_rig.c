// Nodes and skins of a rig, and putting it together.

#include "gltf_rig.h"

#include "gltf_accessor.h"
#include "gltf_part.h"
#include "gltf_pose.h"
#include "math/quat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Transforms

static pliant_vec3 to_vec3(const double v[3])
{
    return (pliant_vec3){pli_gltf_to_float(v[0]), pli_gltf_to_float(v[1]), pli_gltf_to_float(v[2])};
}

// One of zero length turns nothing.
static pliant_quat to_quat(const double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 1e-6 && pli_gltf_is_float(length)))
        return (pliant_quat){0, 0, 0, 1};
    return (pliant_quat){(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length),
                         (float)(q[3] / length)};
}

static void cross(const double a[3], const double b[3], double result[3])
{
    for (int i = 0; i < 3; ++i) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        result[i] = a[k] * b[l] - a[l] * b[k];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A unit vector across `a`.
static void find_across(const double a[3], double result[3])
{
    double other[3] = {fabs(a[0]) < 0.5, fabs(a[0]) >= 0.5, 0.0};
    cross(a, other, result);
    double length = sqrt(dot(result, result));
    for (int i = 0; i < 3; ++i)
        result[i] /= length;
}

// Axes of no length get directions that fit those that have one.
static void complete_axes(double axes[3][3], const double lengths[3])
{
    int count = (lengths[0] > 0.0) + (lengths[1] > 0.0) + (lengths[2] > 0.0);
    for (int i = 0; i < 3; ++i) {
        double *axis = axes[i], *next = axes[(i + 1) % 3], *last = axes[(i + 2) % 3];
        if (count == 0)
            axis[i] = 1.0;
        if (count == 2 && !(lengths[i] > 0.0))
            cross(next, last, axis);
        if (count == 1 && lengths[i] > 0.0) {
            find_across(axis, next);
            cross(axis, next, last);
        }
    }
}

// M = T R S with the lengths of its columns as scale, of which the first is negative where M mirrors. False where its columns
// are not at right angles: no such transform has these.
static bool decompose(const double m[16], pliant_transform *transform)
{
    double axes[3][3] = {{0}}, lengths[3], across[3];
    for (int i = 0; i < 3; ++i) {
        lengths[i] = sqrt(dot(m + 4 * i, m + 4 * i));
        for (int k = 0; k < 3 && lengths[i] > 0.0; ++k)
            axes[i][k] = m[4 * i + k] / lengths[i];
    }
    complete_axes(axes, lengths);
    cross(axes[1], axes[2], across);
    if (dot(axes[0], across) < 0.0) {
        lengths[0] = -lengths[0];
        for (int k = 0; k < 3; ++k)
            axes[0][k] = -axes[0][k];
    }
    *transform = (pliant_transform){
        to_vec3(m + 12), quat_from_axes(to_vec3(axes[0]), to_vec3(axes[1]), to_vec3(axes[2])),
        to_vec3(lengths)};
    for (int i = 0; i < 3; ++i)
        if (!(fabs(dot(axes[i], axes[(i + 1) % 3])) <= 1e-4))
            return false;
    return true;
}

static bool read_transform(rig_reader *r, json_value node, int index, pliant_transform *transform)
{
    double matrix[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (pli_json_get(r->json, node, "matrix") != JSON_NONE) {
        pli_gltf_read_vector(r->json, node, "matrix", matrix);
        return decompose(matrix, transform) ||
               pli_gltf_fail(&r->check, "its columns are not at right angles", "nodes[%d].matrix",
                             index);
    }
    pli_gltf_read_vector(r->json, node, "translation", t);
    pli_gltf_read_vector(r->json, node, "rotation", q);
    pli_gltf_read_vector(r->json, node, "scale", s);
    *transform = (pliant_transform){to_vec3(t), to_quat(q), to_vec3(s)};
    return true;
}

// ---------------------------------------------------------------------------------------------
// Nodes, with the weights of the morph targets of their meshes

// The most of any primitive; -1 after filling the error.
static int count_targets(rig_reader *r, json_value mesh)
{
    int most = 0;
    json_value primitives = pli_json_get(r->json, mesh, "primitives");
    if (!pli_gltf_spend(&r->check, pli_json_size(r->json, primitives)))
        return -1;
    for (json_value p = pli_json_first(r->json, primitives); p != JSON_NONE;
         p = pli_json_next(r->json, p)) {
        int count = pli_json_size(r->json, pli_json_get(r->json, p, "targets"));
        most = count > most ? count : most;
    }
    return most;
}

// Targets have their names, by a convention of most exporters, beside the mesh.
static bool append_weights(rig_reader *r, json_value node, json_value mesh, int count)
{
    json_value rest = pli_json_get(r->json, node, "weights");
    if (rest == JSON_NONE)
        rest = pli_json_get(r->json, mesh, "weights");
    json_value extras = pli_json_get(r->json, mesh, "extras");
    if (!pli_gltf_spend(&r->check, count + pli_json_size(r->json, extras)))
        return false;
    json_value names = pli_json_get(r->json, extras, "targetNames");
    bool has_names = pli_json_type_of(r->json, names) == JSON_TYPE_ARRAY;
    json_value name = has_names ? pli_json_first(r->json, names) : JSON_NONE;
    json_value value = pli_json_first(r->json, rest);
    for (int i = 0; i < count; ++i) {
        pliant_rig_weight weight = {.rest = 0.0f};
        if (value != JSON_NONE) {
            weight.rest = pli_gltf_to_float(pli_json_number(r->json, value, 0.0));
            value = pli_json_next(r->json, value);
        }
        if (name != JSON_NONE) {
            pli_gltf_copy_string(r->json, name, weight.name);
            name = pli_json_next(r->json, name);
        }
        if (!LIST_APPEND(&r->weights, weight))
            return pli_gltf_fail_memory(&r->check);
    }
    return true;
}

static bool append_node(rig_reader *r, int index)
{
    json_value value = r->gltf->nodes.items[index];
    pliant_rig_node node = {.parent = -1, .first_weight = r->weights.count};
    pli_gltf_copy_name(r->gltf, value, node.name);
    int mesh = pli_gltf_reference(r->gltf, value, "mesh");
    if (mesh >= 0) {
        json_value mesh_value = r->gltf->meshes.items[mesh];
        node.weight_count = count_targets(r, mesh_value);
        if (node.weight_count < 0 || !append_weights(r, value, mesh_value, node.weight_count))
            return false;
    }
    return read_transform(r, value, index, &node.rest) &&
           (LIST_APPEND(&r->nodes, node) || pli_gltf_fail_memory(&r->check));
}

static bool read_nodes(rig_reader *r)
{
    for (int i = 0; i < r->gltf->nodes.count; ++i)
        if (!append_node(r, i))
            return false;
    for (int i = 0; i < r->gltf->nodes.count; ++i) {
        json_value children = pli_json_get(r->json, r->gltf->nodes.items[i], "children");
        for (json_value v = pli_json_first(r->json, children); v != JSON_NONE;
             v = pli_json_next(r->json, v))
            r->nodes.items[pli_gltf_item_index(&r->check, v)].parent = i;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Skins

static pliant_affine to_affine(const double m[16])
{
    pliant_affine a;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 4; ++k)
            a.m[i][k] = pli_gltf_to_float(m[4 * k + i]);
    return a;
}

static bool append_joints(rig_reader *r, json_value skin, const double *binds)
{
    json_value joints = pli_json_get(r->json, skin, "joints");
    static const double none[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (json_value v = pli_json_first(r->json, joints); v != JSON_NONE;
         v = pli_json_next(r->json, v)) {
        pliant_rig_joint joint = {pli_gltf_item_index(&r->check, v),
                                  to_affine(binds ? binds : none)};
        if (!LIST_APPEND(&r->joints, joint))
            return pli_gltf_fail_memory(&r->check);
        binds = binds ? binds + 16 : NULL;
    }
    return true;
}

// That there is a matrix for each joint has been checked with the document.
static bool read_skins(rig_reader *r)
{
    for (int i = 0; i < r->gltf->skins.count; ++i) {
        json_value value = r->gltf->skins.items[i];
        pliant_rig_skin skin = {.first_joint = r->joints.count};
        pli_gltf_copy_name(r->gltf, value, skin.name);
        int accessor = pli_gltf_reference(r->gltf, value, "inverseBindMatrices");
        double *binds = accessor < 0 ? NULL : pli_gltf_check_read(&r->check, accessor);
        bool good = (accessor < 0 || binds) && append_joints(r, value, binds);
        free(binds);
        if (!good)
            return false;
        skin.joint_count = r->joints.count - skin.first_joint;
        if (!LIST_APPEND(&r->skins, skin))
            return pli_gltf_fail_memory(&r->check);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// All of it

static pliant_rig *create_rig(const rig_reader *r)
{
#define ARRAY(one, several) .several = r->several.items, .one##_count = r->several.count
    return pliant_rig_create(
        &(pliant_rig_def){ARRAY(node, nodes), ARRAY(weight, weights), ARRAY(skin, skins),
                          ARRAY(joint, joints), ARRAY(clip, clips), ARRAY(channel, channels),
                          ARRAY(time, times), ARRAY(value, values), ARRAY(surface, surfaces),
                          ARRAY(vertex, vertices), ARRAY(influence, influences),
                          ARRAY(target, targets), ARRAY(displacement, displacements)},
        NULL, r->check.error);
#undef ARRAY
}

static void release(rig_reader *r)
{
    free(r->nodes.items);
    free(r->weights.items);
    free(r->skins.items);
    free(r->joints.items);
    free(r->clips.items);
    free(r->channels.items);
    free(r->times.items);
    free(r->values.items);
    free(r->surfaces.items);
    free(r->vertices.items);
    free(r->influences.items);
    free(r->targets.items);
    free(r->displacements.items);
}

bool pli_gltf_read_rig(pliant_gltf *gltf, const pliant_mesh *mesh, pliant_remarks *remarks,
                       pliant_rig **rig, pliant_error *error)
{
    pliant_error fault = {.code = PLIANT_OK};
    rig_reader r = {
        .check = pli_gltf_check_begin(gltf, remarks, &fault), .gltf = gltf, .json = gltf->json};
    *rig = NULL;
    bool good = read_nodes(&r);
    bool moves = gltf->skins.count > 0 || gltf->animations.count > 0 || r.weights.count > 0;
    if (good && moves && read_skins(&r) && pli_gltf_read_rig_clips(&r) &&
        pli_gltf_read_rig_surfaces(&r, mesh))
        *rig = create_rig(&r);
    release(&r);
    if (fault.code == PLIANT_ERROR_MEMORY) {
        pli_error_memory(error);
        return false;
    }
    if (moves && !*rig)
        pli_remark_add(remarks, fault.place, "%s: the mesh has no rig", fault.message);
    return true;
}
