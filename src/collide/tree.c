// Boxes in a balanced binary tree: a leaf is inserted beside another one, where boxes grow least, and rotations keep the
// heights of two siblings within one of each other, as in an AVL tree. Boxes have no order, so that of two grandchildren
// either can be the one that moves, and a single rotation is always enough.

#include "tree.h"

#include <assert.h>

// Nodes on the way of a search that have not been looked at: one for each level, and one more. A balanced tree of 2^31
// leaves has at most 45 levels.
enum { MOST_WAITING = 64 };

bool pli_tree_reserve(box_tree *tree, const pliant_allocator *allocator, int32_t things)
{
    return pli_memory_grow(allocator, (void **)&tree->nodes, sizeof *tree->nodes, tree->used,
                           &tree->capacity, 2 * things);
}

void pli_tree_free(box_tree *tree, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, tree->nodes);
    *tree = (box_tree){0};
}

static int32_t take_node(box_tree *tree)
{
    int32_t node = tree->vacant_plus_one - 1;
    if (node >= 0)
        tree->vacant_plus_one = tree->nodes[node].parent + 1;
    else
        node = tree->used++;
    assert(node < tree->capacity);
    return node;
}

static void leave_node(box_tree *tree, int32_t node)
{
    tree->nodes[node].parent = tree->vacant_plus_one - 1;
    tree->vacant_plus_one = node + 1;
}

// Half the area of a box.
static float area_of(box b)
{
    vec3 d = vec3_sub(b.high, b.low);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static bool is_leaf(const tree_node *node)
{
    return node->children[0] < 0;
}

static void update_node(box_tree *tree, int32_t index)
{
    tree_node *node = &tree->nodes[index];
    const tree_node *a = &tree->nodes[node->children[0]], *b = &tree->nodes[node->children[1]];
    node->bounds = box_union(a->bounds, b->bounds);
    node->height = 1 + (a->height > b->height ? a->height : b->height);
}

static void replace_child(box_tree *tree, int32_t parent, int32_t old, int32_t new)
{
    tree->nodes[new].parent = parent;
    if (parent < 0)
        tree->root_plus_one = new + 1;
    else
        tree->nodes[parent].children[tree->nodes[parent].children[1] == old] = new;
}

// The higher child takes the place of its parent, which takes the lower one of that child's children for it. Returns who is
// at the top then.
static int32_t rotate(box_tree *tree, int32_t top, int side)
{
    int32_t rising = tree->nodes[top].children[side];
    tree_node *up = &tree->nodes[rising];
    int lower = tree->nodes[up->children[0]].height > tree->nodes[up->children[1]].height;
    int32_t moved = up->children[lower];
    replace_child(tree, tree->nodes[top].parent, top, rising);
    up->children[lower] = top;
    tree->nodes[top].parent = rising;
    tree->nodes[top].children[side] = moved;
    tree->nodes[moved].parent = top;
    update_node(tree, top);
    update_node(tree, rising);
    return rising;
}

static void balance_upwards(box_tree *tree, int32_t index)
{
    while (index >= 0) {
        const tree_node *node = &tree->nodes[index];
        int difference =
            tree->nodes[node->children[1]].height - tree->nodes[node->children[0]].height;
        if (difference > 1 || difference < -1)
            index = rotate(tree, index, difference > 1);
        else
            update_node(tree, index);
        index = tree->nodes[index].parent;
    }
}

// Down to a leaf, each time into the child whose box grows least. Beside an inner node a leaf would be out of balance by
// more than one rotation mends.
static int32_t choose_sibling(const box_tree *tree, const box *bounds)
{
    int32_t index = tree->root_plus_one - 1;
    while (!is_leaf(&tree->nodes[index])) {
        const tree_node *node = &tree->nodes[index];
        float growths[2];
        for (int k = 0; k < 2; ++k) {
            box child = tree->nodes[node->children[k]].bounds;
            growths[k] = area_of(box_union(child, *bounds)) - area_of(child);
        }
        index = node->children[growths[1] < growths[0]];
    }
    return index;
}

static void link_leaf(box_tree *tree, int32_t leaf)
{
    tree->leaf_count += 1;
    if (tree->root_plus_one == 0) {
        tree->nodes[leaf].parent = -1;
        tree->root_plus_one = leaf + 1;
        return;
    }
    int32_t sibling = choose_sibling(tree, &tree->nodes[leaf].bounds), parent = take_node(tree);
    replace_child(tree, tree->nodes[sibling].parent, sibling, parent);
    tree->nodes[parent].children[0] = sibling;
    tree->nodes[parent].children[1] = leaf;
    tree->nodes[sibling].parent = tree->nodes[leaf].parent = parent;
    balance_upwards(tree, parent);
}

static void unlink_leaf(box_tree *tree, int32_t leaf)
{
    int32_t parent = tree->nodes[leaf].parent;
    tree->leaf_count -= 1;
    if (parent < 0) {
        tree->root_plus_one = 0;
        return;
    }
    int32_t sibling = tree->nodes[parent].children[tree->nodes[parent].children[0] == leaf];
    int32_t above = tree->nodes[parent].parent;
    replace_child(tree, above, parent, sibling);
    leave_node(tree, parent);
    balance_upwards(tree, above);
}

int32_t pli_tree_insert(box_tree *tree, const box *bounds, int32_t thing)
{
    int32_t leaf = take_node(tree);
    tree->nodes[leaf] = (tree_node){.bounds = *bounds, .children = {-1, -1}, .thing = thing};
    link_leaf(tree, leaf);
    return leaf;
}

void pli_tree_remove(box_tree *tree, int32_t leaf)
{
    unlink_leaf(tree, leaf);
    leave_node(tree, leaf);
}

void pli_tree_move(box_tree *tree, int32_t leaf, const box *bounds)
{
    unlink_leaf(tree, leaf);
    tree->nodes[leaf].bounds = *bounds;
    link_leaf(tree, leaf);
}

int pli_tree_find(const box_tree *tree, const box *bounds, int32_t *things, int room)
{
    int32_t waiting[MOST_WAITING];
    int count = 0, found = 0;
    if (tree->root_plus_one > 0)
        waiting[count++] = tree->root_plus_one - 1;
    while (count > 0 && found <= room) {
        const tree_node *node = &tree->nodes[waiting[--count]];
        if (!boxes_overlap(&node->bounds, bounds))
            continue;
        if (!is_leaf(node)) {
            waiting[count++] = node->children[0];
            waiting[count++] = node->children[1];
            continue;
        }
        if (found < room)
            things[found] = node->thing;
        ++found;
    }
    return found;
}

typedef struct waiting_node {
    int32_t node;
    float distance;
} waiting_node;

static waiting_node wait_for(const box_tree *tree, const tree_search *search, int32_t node)
{
    return (waiting_node){node, search->distance(search, &tree->nodes[node].bounds)};
}

void pli_tree_search(const box_tree *tree, tree_search *search)
{
    waiting_node waiting[MOST_WAITING];
    int count = 0;
    if (tree->root_plus_one > 0)
        waiting[count++] = wait_for(tree, search, tree->root_plus_one - 1);
    while (count > 0) {
        waiting_node next = waiting[--count];
        const tree_node *node = &tree->nodes[next.node];
        if (!(next.distance <= search->most))
            continue;
        if (is_leaf(node)) {
            search->visit(search, node->thing);
            continue;
        }
        waiting_node one = wait_for(tree, search, node->children[0]);
        waiting_node two = wait_for(tree, search, node->children[1]);
        bool one_is_nearer = one.distance < two.distance;
        waiting[count++] = one_is_nearer ? two : one;
        waiting[count++] = one_is_nearer ? one : two;
    }
}
