// Nodes form trees, scenes are made of whole trees, skins hang in one of them.

#include "gltf_accessor.h"
#include "gltf_check.h"
#include "math/scalar.h"

#include <math.h>
#include <stdlib.h>

typedef struct forest {
    gltf_check *c;
    int *parents; // of each node, or -1
    int *roots;   // of each node, itself for a root
    int *stamps;  // of each node: the list in which it was seen last
    int stamp;
} forest;

// ---------------------------------------------------------------------------------------------
// Trees

static bool find_parents(forest *f)
{
    gltf_check *c = f->c;
    for (int i = 0; i < c->gltf->nodes.count; ++i) {
        json_value children = pli_json_get(c->json, c->gltf->nodes.items[i], "children");
        int index = 0;
        for (json_value v = pli_json_first(c->json, children); v != JSON_NONE;
             v = pli_json_next(c->json, v), ++index) {
            int child = pli_gltf_item_index(c, v);
            if (f->parents[child] >= 0)
                return pli_gltf_fail(c, "the node has a parent already", "nodes[%d].children[%d]",
                                     i, index);
            f->parents[child] = i;
        }
    }
    return true;
}

// From each node upwards, stamping the way, to where the root is known; a way that meets itself is a loop.
static bool find_roots(forest *f)
{
    for (int i = 0; i < f->c->gltf->nodes.count; ++i) {
        int node = i;
        ++f->stamp;
        while (f->roots[node] < 0 && f->parents[node] >= 0 && f->stamps[node] != f->stamp) {
            f->stamps[node] = f->stamp;
            node = f->parents[node];
        }
        if (f->roots[node] < 0 && f->parents[node] >= 0)
            return pli_gltf_fail(f->c, "the node is its own ancestor", "nodes[%d]", node);
        int root = f->roots[node] < 0 ? node : f->roots[node];
        for (node = i; node >= 0 && f->roots[node] < 0; node = f->parents[node])
            f->roots[node] = root;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Nodes

static bool has(const gltf_check *c, json_value object, const char *key)
{
    return pli_json_get(c->json, object, key) != JSON_NONE;
}

static void check_rotation(gltf_check *c, json_value node, int index)
{
    json_value rotation = pli_json_get(c->json, node, "rotation");
    double square = 0.0;
    for (json_value v = pli_json_first(c->json, rotation); v != JSON_NONE;
         v = pli_json_next(c->json, v)) {
        double number = pli_json_number(c->json, v, 0.0);
        square += number * number;
    }
    if (rotation != JSON_NONE && !(fabs(sqrt(square) - 1.0) < 0.00769))
        pli_gltf_remark(c, "not of unit length", "nodes[%d].rotation", index);
}

static bool check_node_skin(gltf_check *c, json_value node, int index)
{
    int mesh = pli_gltf_reference(c->gltf, node, "mesh");
    int skin = pli_gltf_reference(c->gltf, node, "skin");
    if (mesh < 0 || skin < 0)
        return true;
    json_value joints = pli_json_get(c->json, c->gltf->skins.items[skin], "joints");
    if (!c->meshes[mesh].has_joints)
        pli_gltf_remark(c, "not all of the mesh has joints", "nodes[%d].skin", index);
    return c->meshes[mesh].highest_joint < pli_json_size(c->json, joints) ||
           pli_gltf_fail(c, "the mesh uses a joint that the skin does not have", "nodes[%d].skin",
                         index);
}

static bool check_node(gltf_check *c, int index)
{
    json_value node = c->gltf->nodes.items[index];
    int mesh = pli_gltf_reference(c->gltf, node, "mesh");
    json_value weights = pli_json_get(c->json, node, "weights");
    if (has(c, node, "matrix") &&
        (has(c, node, "translation") || has(c, node, "rotation") || has(c, node, "scale")))
        pli_gltf_remark(c, "it stands beside a translation, rotation or scale", "nodes[%d].matrix",
                        index);
    if (mesh < 0 && has(c, node, "skin"))
        pli_gltf_remark(c, "there is no mesh for it", "nodes[%d].skin", index);
    if (mesh < 0 && weights != JSON_NONE)
        pli_gltf_remark(c, "there is no mesh for them", "nodes[%d].weights", index);
    if (mesh >= 0 && weights != JSON_NONE &&
        pli_json_size(c->json, weights) != c->meshes[mesh].target_count)
        pli_gltf_remark(c, "not as many as the mesh has targets", "nodes[%d].weights", index);
    check_rotation(c, node, index);
    return check_node_skin(c, node, index);
}

// ---------------------------------------------------------------------------------------------
// Scenes

static void check_scene(forest *f, int index)
{
    gltf_check *c = f->c;
    json_value nodes = pli_json_get(c->json, c->gltf->scenes.items[index], "nodes");
    int item = 0;
    ++f->stamp;
    for (json_value v = pli_json_first(c->json, nodes); v != JSON_NONE;
         v = pli_json_next(c->json, v), ++item) {
        int node = pli_gltf_item_index(c, v);
        if (f->parents[node] >= 0)
            pli_gltf_remark(c, "the node is not a root", "scenes[%d].nodes[%d]", index, item);
        if (f->stamps[node] == f->stamp)
            pli_gltf_remark(c, "the node is there twice", "scenes[%d].nodes[%d]", index, item);
        f->stamps[node] = f->stamp;
    }
}

// ---------------------------------------------------------------------------------------------
// Skins

static bool check_bind_matrices(gltf_check *c, json_value skin, int index)
{
    int accessor = pli_gltf_reference(c->gltf, skin, "inverseBindMatrices");
    int joint_count = pli_json_size(c->json, pli_json_get(c->json, skin, "joints"));
    if (accessor < 0)
        return true;
    gltf_accessor a = pli_gltf_accessor(c->gltf, accessor);
    if (a.components != 16 || a.component_type != GLTF_FLOAT)
        return pli_gltf_fail(c, "expected matrices of 4 x 4 floats",
                             "skins[%d].inverseBindMatrices", index);
    if (a.count < joint_count)
        return pli_gltf_fail(c, "fewer matrices than joints", "skins[%d].inverseBindMatrices",
                             index);
    if (pli_gltf_has_stride(c, c->gltf->accessors.items[accessor]))
        pli_gltf_remark(c, "matrices have no stride", "skins[%d].inverseBindMatrices", index);
    // Each skin reads all of them.
    return pli_gltf_spend(c, (int64_t)a.count * a.components);
}

static bool is_below(forest *f, int node, int ancestor, bool *answer)
{
    int64_t steps = 1;
    for (; node >= 0 && node != ancestor; node = f->parents[node])
        ++steps;
    *answer = node == ancestor;
    return pli_gltf_spend(f->c, steps);
}

static bool check_joints(forest *f, json_value skin, int index)
{
    gltf_check *c = f->c;
    json_value joints = pli_json_get(c->json, skin, "joints");
    int skeleton = pli_gltf_reference(c->gltf, skin, "skeleton");
    int root = -1, item = 0;
    bool is_common = true, is_skeleton = true;
    ++f->stamp;
    for (json_value v = pli_json_first(c->json, joints); v != JSON_NONE;
         v = pli_json_next(c->json, v), ++item) {
        int node = pli_gltf_item_index(c, v);
        root = root < 0 ? f->roots[node] : root;
        is_common = is_common && f->roots[node] == root;
        if (f->stamps[node] == f->stamp)
            pli_gltf_remark(c, "the joint is there twice", "skins[%d].joints[%d]", index, item);
        f->stamps[node] = f->stamp;
        if (skeleton >= 0 && is_skeleton && !is_below(f, node, skeleton, &is_skeleton))
            return false;
    }
    if (!is_common)
        pli_gltf_remark(c, "the joints have no common root", "skins[%d].joints", index);
    if (!is_skeleton)
        pli_gltf_remark(c, "not an ancestor of all joints", "skins[%d].skeleton", index);
    return true;
}

// ---------------------------------------------------------------------------------------------
// All of it

static bool check_forest(forest *f)
{
    gltf_check *c = f->c;
    if (!find_parents(f) || !find_roots(f))
        return false;
    for (int i = 0; i < c->gltf->nodes.count; ++i) {
        if (!check_node(c, i))
            return false;
    }
    for (int i = 0; i < c->gltf->scenes.count; ++i)
        check_scene(f, i);
    for (int i = 0; i < c->gltf->skins.count; ++i) {
        json_value skin = c->gltf->skins.items[i];
        if (!check_bind_matrices(c, skin, i) || !check_joints(f, skin, i))
            return false;
    }
    return true;
}

bool pli_gltf_check_scenes(gltf_check *c)
{
    size_t count = (size_t)c->gltf->nodes.count + 1;
    forest f = {.c = c,
                .parents = malloc(count * sizeof *f.parents),
                .roots = malloc(count * sizeof *f.roots),
                .stamps = calloc(count, sizeof *f.stamps)};
    bool good = f.parents && f.roots && f.stamps;
    for (size_t i = 0; i < count && good; ++i)
        f.parents[i] = f.roots[i] = -1;
    good = good ? check_forest(&f) : pli_gltf_fail_memory(c);
    free(f.parents);
    free(f.roots);
    free(f.stamps);
    return good;
}
