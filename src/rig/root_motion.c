// Root motion. Let G(t) be the matrix of the root's node at a time of the clip, p(t) where that is and H(t) the heading of
// G(t) G(0)⁻¹, of both what the root's parts keep. Since its beginning the clip has moved the character by
//     R(t) = (p(t), H(t)) (p(0), 1)⁻¹
// in the axes of the scene, and after n loops of length d by R(d)ⁿ R(t). What moves it between two times is R(from)⁻¹ R(to);
// R(t)⁻¹ G(t) is what is left of the pose.

#include "affine.h"
#include "math/rotation.h"
#include "rig.h"

// The linear part of a⁻¹, or false where there is none.
static bool invert_linear(const affine *a, mat3 *inverse)
{
    vec3 c[3];
    float determinant = affine_cofactors(a, c);
    float size = vec3_length(affine_column(a, 0)) * vec3_length(affine_column(a, 1)) *
                 vec3_length(affine_column(a, 2));
    if (!(absolute(determinant) > 1e-6f * size) || !is_finite(1.0f / determinant))
        return false;
    for (int i = 0; i < 3; ++i) {
        vec3 row = vec3_scale(c[i], 1.0f / determinant);
        inverse->m[i][0] = row.x;
        inverse->m[i][1] = row.y;
        inverse->m[i][2] = row.z;
    }
    return true;
}

static mat3 linear_of(const affine *a)
{
    mat3 linear;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            linear.m[i][k] = a->m[i][k];
    return linear;
}

static quat rotation_of(mat3 linear)
{
    int rescues = 0;
    return pli_rotation_extract(&linear, quat_identity(), &rescues);
}

static affine sample_global(const pliant_rig *rig, int clip, double time, int32_t node)
{
    pliant_transform local = pli_rig_sample_node(rig, clip, time, node);
    affine whole = affine_compose(&local);
    for (int32_t up = rig->def.nodes[node].parent; up >= 0; up = rig->def.nodes[up].parent) {
        local = pli_rig_sample_node(rig, clip, time, up);
        affine outer = affine_compose(&local);
        whole = affine_mul(&outer, &whole);
    }
    return whole;
}

static quat heading_of(const affine *now, const affine *begin)
{
    mat3 back;
    if (!invert_linear(begin, &back))
        return quat_identity();
    quat q = rotation_of(mat3_mul(linear_of(now), back));
    return unit_or_none((quat){0, q.y, 0, q.w});
}

static vec3 place_of(const affine *a, uint32_t parts)
{
    bool along = parts & PLIANT_ROOT_HORIZONTAL, up = parts & PLIANT_ROOT_VERTICAL;
    return (vec3){along ? a->m[0][3] : 0.0f, up ? a->m[1][3] : 0.0f, along ? a->m[2][3] : 0.0f};
}

// R(t)
static pliant_pose motion_at(const pliant_rig *rig, int clip, pliant_root root, double time)
{
    affine begin = sample_global(rig, clip, 0.0, root.node);
    affine now = sample_global(rig, clip, time, root.node);
    quat heading = root.parts & PLIANT_ROOT_HEADING ? heading_of(&now, &begin) : quat_identity();
    vec3 from = quat_rotate(heading, place_of(&begin, root.parts));
    return (pliant_pose){vec3_sub(place_of(&now, root.parts), from), heading};
}

// By squaring: a loop may have been played for days.
static pliant_pose power(pliant_pose motion, int64_t exponent)
{
    pliant_pose result = pose_identity();
    uint64_t left = exponent < 0 ? (uint64_t)-exponent : (uint64_t)exponent;
    if (exponent < 0)
        motion = pose_inverse(motion);
    for (; left > 0; left >>= 1) {
        if (left & 1)
            result = pose_mul(result, motion);
        motion = pose_mul(motion, motion);
    }
    return result;
}

static bool has_root(const pliant_rig *rig, pliant_root root)
{
    return root.node >= 0 && root.node < rig->def.node_count;
}

pliant_pose pliant_rig_root_motion(const pliant_rig *rig, int clip, pliant_root root, double from,
                                   double to, pliant_rig_wrap wrap)
{
    if (!has_root(rig, root))
        return pose_identity();
    double length = (double)pliant_rig_clip_seconds(rig, clip);
    int64_t loops_from = 0, loops_to = 0;
    if (wrap == PLIANT_RIG_LOOP) {
        from = pli_rig_loop(length, from, &loops_from);
        to = pli_rig_loop(length, to, &loops_to);
    } else {
        from = pliant_rig_clip_time(rig, clip, from, wrap);
        to = pliant_rig_clip_time(rig, clip, to, wrap);
    }
    pliant_pose back = pose_inverse(motion_at(rig, clip, root, from));
    pliant_pose motion = motion_at(rig, clip, root, to);
    if (loops_to != loops_from)
        motion = pose_mul(power(motion_at(rig, clip, root, length), loops_to - loops_from), motion);
    return pose_mul(back, motion);
}

// With A as the matrix of the node's parent its new transform is A⁻¹ R(t)⁻¹ A times the old one. Where A shears, the
// rotation nearest to that is taken.
void pliant_rig_remove_root(const pliant_rig *rig, int clip, pliant_root root, double time,
                            pliant_rig_pose *pose)
{
    if (!has_root(rig, root))
        return;
    affine parent = affine_identity();
    for (int32_t up = rig->def.nodes[root.node].parent; up >= 0; up = rig->def.nodes[up].parent) {
        affine outer = affine_compose(&pose->locals[up]);
        parent = affine_mul(&outer, &parent);
    }
    mat3 inverse;
    if (!invert_linear(&parent, &inverse))
        return;
    affine back = affine_of_pose(pose_inverse(motion_at(rig, clip, root, time)));
    affine moved = affine_mul(&back, &parent);
    pliant_transform *local = &pose->locals[root.node];
    vec3 place = vec3_sub(affine_point(&moved, local->translation), affine_column(&parent, 3));
    local->translation = mat3_mul_vec(&inverse, place);
    quat turn = rotation_of(mat3_mul(inverse, linear_of(&moved)));
    local->rotation = quat_normalize(quat_mul(turn, unit_or_none(local->rotation)));
}
