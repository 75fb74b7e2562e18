// Vertices that follow joints and nodes: morph targets, then linear blend skinning (glTF 2.0, section 3.7.3).

#include "affine.h"
#include "rig.h"

#include <string.h>

typedef struct surface_skin {
    const pliant_rig_def *def;
    const pliant_rig_surface *surface;
    const float *weights;         // of the morph targets
    const pliant_affine *globals; // of all nodes
    const pliant_affine *joints;  // of the surface's skin
} surface_skin;

static pliant_rig_vertex morph_vertex(const surface_skin *s, int32_t index)
{
    const pliant_rig_target *targets = s->def->targets + s->surface->first_target;
    pliant_rig_vertex vertex = s->def->vertices[s->surface->first_vertex + index];
    for (int k = 0; k < s->surface->target_count; ++k) {
        float weight = s->weights[k];
        if (weight == 0.0f)
            continue;
        const vec3 *all = s->def->displacements + index;
        if (targets[k].first_position >= 0)
            vertex.position =
                vec3_add_scaled(vertex.position, all[targets[k].first_position], weight);
        if (targets[k].first_normal >= 0)
            vertex.normal = vec3_add_scaled(vertex.normal, all[targets[k].first_normal], weight);
    }
    return vertex;
}

// The weighted mean of the joints that act on a vertex.
static affine blend_joints(const surface_skin *s, int32_t index)
{
    int count = s->surface->influence_count;
    const pliant_rig_influence *in =
        s->def->influences + s->surface->first_influence + (size_t)index * (size_t)count;
    float sum[12] = {0}, total = 0.0f;
    for (int i = 0; i < count; ++i) {
        const float *joint = s->joints[in[i].joint].m[0];
        if (in[i].weight == 0.0f)
            continue;
        total += in[i].weight;
        for (int k = 0; k < 12; ++k)
            sum[k] += in[i].weight * joint[k];
    }
    if (!(total > 0.0f) || !is_finite(total))
        return s->joints[in[0].joint];
    affine blend;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 4; ++k)
            blend.m[i][k] = sum[4 * i + k] / total;
    return blend;
}

// By the inverse transpose, so that it stays upright on a surface that is stretched or mirrored. Scaled down first, because
// the square of the cofactors of a large or tiny transform is no float.
static vec3 turn_normal(const affine *a, vec3 normal)
{
    float largest = 0.0f;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            largest = maximum(largest, absolute(a->m[i][k]));
    if (!(largest > 0.0f) || !is_finite(largest))
        return (vec3){0, 0, 0};
    affine scaled = *a;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            scaled.m[i][k] = a->m[i][k] / largest;
    vec3 c[3];
    float sign = affine_cofactors(&scaled, c) < 0.0f ? -1.0f : 1.0f;
    vec3 sum = vec3_scale(c[0], normal.x);
    sum = vec3_add_scaled(sum, c[1], normal.y);
    sum = vec3_add_scaled(sum, c[2], normal.z);
    return vec3_normalize_or(vec3_scale(sum, sign), (vec3){0, 0, 0});
}

static void skin_surface(const surface_skin *s, vec3 *positions, vec3 *normals)
{
    affine whole = s->globals[s->surface->node];
    for (int32_t i = 0; i < s->surface->vertex_count; ++i) {
        pliant_rig_vertex vertex = morph_vertex(s, i);
        if (s->joints)
            whole = blend_joints(s, i);
        positions[i] = affine_point(&whole, vertex.position);
        if (normals)
            normals[i] = turn_normal(&whole, vertex.normal);
    }
}

void pliant_rig_skin_vertices(const pliant_rig *rig, const pliant_rig_pose *pose,
                              const pliant_affine *globals, const pliant_affine *joints,
                              pliant_vec3 *positions, pliant_vec3 *normals)
{
    const pliant_rig_def *def = &rig->def;
    for (int i = 0; i < def->surface_count; ++i) {
        const pliant_rig_surface *surface = &def->surfaces[i];
        surface_skin s = {
            .def = def,
            .surface = surface,
            .weights = pose->weights + def->nodes[surface->node].first_weight,
            .globals = globals,
            .joints = surface->skin < 0 ? NULL : joints + def->skins[surface->skin].first_joint,
        };
        skin_surface(&s, positions + surface->first_vertex,
                     normals ? normals + surface->first_vertex : NULL);
    }
}
