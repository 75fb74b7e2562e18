// The pose at rest: transforms of all nodes, from the roots to the leaves, and of joints.

#include "gltf_pose.h"

#include "gltf_matrix.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------------------------
// Nodes in depth-first order

typedef struct node_order {
    const pliant_gltf *gltf;
    int count, stacked;
    int *nodes, *stack;
    bool *is_seen;
} node_order;

static bool order_create(node_order *order, const pliant_gltf *gltf)
{
    size_t count = (size_t)gltf->nodes.count + 1;
    *order = (node_order){.gltf = gltf};
    order->nodes = malloc(count * sizeof *order->nodes);
    order->stack = malloc(count * sizeof *order->stack);
    order->is_seen = calloc(count, sizeof *order->is_seen);
    return order->nodes && order->stack && order->is_seen;
}

static void order_release(node_order *order)
{
    free(order->nodes);
    free(order->stack);
    free(order->is_seen);
}

// Each node is visited once, however often it is named.
static void push_node(node_order *order, int node)
{
    if (order->is_seen[node])
        return;
    order->is_seen[node] = true;
    order->stack[order->stacked++] = node;
}

// The last that was pushed is visited first, so that what is pushed together has to be turned around.
static void turn_stack(node_order *order, int first)
{
    for (int low = first, high = order->stacked - 1; low < high; ++low, --high) {
        int node = order->stack[low];
        order->stack[low] = order->stack[high];
        order->stack[high] = node;
    }
}

static void push_nodes(node_order *order, json_value array)
{
    const json_document *json = order->gltf->json;
    int first = order->stacked;
    for (json_value v = pli_json_first(json, array); v != JSON_NONE; v = pli_json_next(json, v))
        push_node(order, (int)pli_json_number(json, v, 0.0));
    turn_stack(order, first);
}

static json_value children_of(const pliant_gltf *gltf, int node)
{
    return pli_json_get(gltf->json, gltf->nodes.items[node], "children");
}

static void visit_stacked(node_order *order)
{
    while (order->stacked > 0) {
        int node = order->stack[--order->stacked];
        order->nodes[order->count++] = node;
        push_nodes(order, children_of(order->gltf, node));
    }
}

// From the nodes nobody is parent of.
static bool visit_all(node_order *order)
{
    const pliant_gltf *gltf = order->gltf;
    bool *is_child = calloc((size_t)gltf->nodes.count + 1, sizeof *is_child);
    if (!is_child)
        return false;
    for (int i = 0; i < gltf->nodes.count; ++i) {
        for (json_value v = pli_json_first(gltf->json, children_of(gltf, i)); v != JSON_NONE;
             v = pli_json_next(gltf->json, v))
            is_child[(int)pli_json_number(gltf->json, v, 0.0)] = true;
    }
    for (int i = 0; i < gltf->nodes.count; ++i) {
        if (!is_child[i])
            push_node(order, i);
    }
    turn_stack(order, 0);
    visit_stacked(order);
    free(is_child);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Transforms

void pli_gltf_read_vector(const json_document *json, json_value object, const char *key,
                          double *vector)
{
    for (json_value v = pli_json_first(json, pli_json_get(json, object, key)); v != JSON_NONE;
         v = pli_json_next(json, v))
        *vector++ = pli_json_number(json, v, 0.0);
}

static void read_transform(const json_document *json, json_value node, double matrix[16])
{
    if (pli_json_get(json, node, "matrix") != JSON_NONE) {
        pli_gltf_read_vector(json, node, "matrix", matrix);
        return;
    }
    double translation[3] = {0, 0, 0}, rotation[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
    pli_gltf_read_vector(json, node, "translation", translation);
    pli_gltf_read_vector(json, node, "rotation", rotation);
    pli_gltf_read_vector(json, node, "scale", scale);
    matrix_compose(translation, rotation, scale, matrix);
}

// In depth-first order a node's children find its transform finished: they start from a copy of it.
static void find_worlds(gltf_pose *pose, const node_order *order)
{
    const json_document *json = pose->gltf->json;
    for (int i = 0; i < pose->gltf->nodes.count; ++i)
        matrix_identity(pose->worlds[i]);
    for (int i = 0; i < order->count; ++i) {
        int node = order->nodes[i];
        double parent[16], local[16];
        memcpy(parent, pose->worlds[node], sizeof parent);
        read_transform(json, pose->gltf->nodes.items[node], local);
        matrix_multiply(parent, local, pose->worlds[node]);
        for (json_value v = pli_json_first(json, children_of(pose->gltf, node)); v != JSON_NONE;
             v = pli_json_next(json, v))
            memcpy(pose->worlds[(int)pli_json_number(json, v, 0.0)], pose->worlds[node],
                   sizeof pose->worlds[node]);
    }
}

// Takes the nodes over from the order of the scene, or of everything where there is no scene.
static bool find_shown(gltf_pose *pose, node_order *all)
{
    const pliant_gltf *gltf = pose->gltf;
    int scene = pli_gltf_reference(gltf, pli_json_root(gltf->json), "scene");
    node_order shown = {0};
    bool good = true;
    if (gltf->scenes.count > 0) {
        good = order_create(&shown, gltf);
        json_value value = gltf->scenes.items[scene < 0 ? 0 : scene];
        if (good) {
            push_nodes(&shown, pli_json_get(gltf->json, value, "nodes"));
            visit_stacked(&shown);
        }
    }
    node_order *order = gltf->scenes.count > 0 ? &shown : all;
    pose->shown = order->nodes;
    pose->shown_count = order->count;
    order->nodes = NULL;
    order_release(&shown);
    return good;
}

bool pli_gltf_pose_find(gltf_pose *pose, const pliant_gltf *gltf)
{
    *pose = (gltf_pose){.gltf = gltf};
    pose->worlds = malloc(((size_t)gltf->nodes.count + 1) * sizeof *pose->worlds);
    pose->joints = calloc((size_t)gltf->skins.count + 1, sizeof *pose->joints);
    node_order all;
    bool good = order_create(&all, gltf) && pose->worlds && pose->joints && visit_all(&all);
    if (good)
        find_worlds(pose, &all);
    good = good && find_shown(pose, &all);
    order_release(&all);
    return good;
}

void pli_gltf_pose_release(gltf_pose *pose)
{
    for (int i = 0; pose->joints && i < pose->gltf->skins.count; ++i)
        free(pose->joints[i]);
    free(pose->joints);
    free(pose->worlds);
    free(pose->shown);
}

// ---------------------------------------------------------------------------------------------
// Joints: the node's transform after the inverse bind matrix, which is none where the skin has no such matrices

static void fill_joints(const gltf_pose *pose, json_value nodes, double (*binds)[16],
                        int bind_count, double (*joints)[16])
{
    const json_document *json = pose->gltf->json;
    int index = 0;
    for (json_value v = pli_json_first(json, nodes); v != JSON_NONE;
         v = pli_json_next(json, v), ++index) {
        const double *world = pose->worlds[(int)pli_json_number(json, v, 0.0)];
        if (index < bind_count)
            matrix_multiply(world, binds[index], joints[index]);
        else
            memcpy(joints[index], world, sizeof joints[index]);
    }
}

double (*pli_gltf_pose_joints(gltf_pose *pose, int skin))[16]
{
    const pliant_gltf *gltf = pose->gltf;
    if (pose->joints[skin])
        return pose->joints[skin];
    json_value nodes = pli_json_get(gltf->json, gltf->skins.items[skin], "joints");
    int accessor = pli_gltf_reference(gltf, gltf->skins.items[skin], "inverseBindMatrices");
    int bind_count = accessor < 0 ? 0 : pli_gltf_accessor(gltf, accessor).count;
    size_t count = (size_t)pli_json_size(gltf->json, nodes);
    double(*binds)[16] = malloc(((size_t)bind_count + 1) * sizeof *binds);
    double(*joints)[16] = malloc((count + 1) * sizeof *joints);
    if (binds && joints) {
        if (accessor >= 0)
            pli_gltf_read_doubles(gltf, accessor, binds[0]);
        fill_joints(pose, nodes, binds, bind_count, joints);
        pose->joints[skin] = joints;
    } else {
        free(joints);
    }
    free(binds);
    return pose->joints[skin];
}
