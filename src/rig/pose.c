// Poses: blended, layered, and as matrices of the nodes.

#include "affine.h"
#include "rig.h"

static vec3 lerp(vec3 a, vec3 b, float s)
{
    return vec3_add_scaled(a, vec3_sub(b, a), s);
}

void pliant_rig_blend(const pliant_rig *rig, const pliant_rig_pose *from, const pliant_rig_pose *to,
                      float s, pliant_rig_pose *result)
{
    for (int i = 0; i < rig->def.node_count; ++i) {
        pliant_transform a = from->locals[i], b = to->locals[i];
        result->locals[i] =
            (pliant_transform){lerp(a.translation, b.translation, s),
                               quat_slerp(unit_or_none(a.rotation), unit_or_none(b.rotation), s),
                               lerp(a.scale, b.scale, s)};
    }
    for (int i = 0; i < rig->def.weight_count; ++i)
        result->weights[i] = from->weights[i] + s * (to->weights[i] - from->weights[i]);
}

// q = q_base slerp(1, q_reference⁻¹ q_layer, s)
static quat add_rotation(quat base, quat layer, quat reference, float s)
{
    quat added = quat_mul(quat_conjugate(unit_or_none(reference)), unit_or_none(layer));
    quat part = quat_exp(vec3_scale(quat_log(added), s));
    return quat_normalize(quat_mul(unit_or_none(base), part));
}

void pliant_rig_add(const pliant_rig *rig, const pliant_rig_pose *base,
                    const pliant_rig_pose *layer, const pliant_rig_pose *reference, float s,
                    pliant_rig_pose *result)
{
    for (int i = 0; i < rig->def.node_count; ++i) {
        pliant_transform b = base->locals[i], l = layer->locals[i], r = reference->locals[i];
        result->locals[i] = (pliant_transform){
            vec3_add_scaled(b.translation, vec3_sub(l.translation, r.translation), s),
            add_rotation(b.rotation, l.rotation, r.rotation, s),
            vec3_add_scaled(b.scale, vec3_sub(l.scale, r.scale), s)};
    }
    for (int i = 0; i < rig->def.weight_count; ++i)
        result->weights[i] = base->weights[i] + s * (layer->weights[i] - reference->weights[i]);
}

void pliant_rig_globals(const pliant_rig *rig, const pliant_rig_pose *pose, pliant_affine *globals)
{
    for (int i = 0; i < rig->def.node_count; ++i) {
        int32_t node = rig->order[i], parent = rig->def.nodes[node].parent;
        affine local = affine_compose(&pose->locals[node]);
        globals[node] = parent < 0 ? local : affine_mul(&globals[parent], &local);
    }
}

void pliant_rig_joints(const pliant_rig *rig, const pliant_affine *globals, pliant_affine *joints)
{
    for (int i = 0; i < rig->def.joint_count; ++i) {
        const pliant_rig_joint *joint = &rig->def.joints[i];
        joints[i] = affine_mul(&globals[joint->node], &joint->inverse_bind);
    }
}
