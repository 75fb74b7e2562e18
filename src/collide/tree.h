// A tree of boxes that change: things come, move and go, each at a cost that grows with the logarithm of their number.
// What a search finds depends on the boxes alone, and its order on nothing: callers sort.

#ifndef PLIANT_COLLIDE_TREE_H
#define PLIANT_COLLIDE_TREE_H

#include "core/memory.h"
#include "math/box.h"

typedef struct tree_node {
    box bounds;
    int32_t parent;      // -1 of the root; of a vacant node the next vacant one
    int32_t children[2]; // -1 of a leaf
    int32_t thing;       // of a leaf
    int32_t height;      // 0 of a leaf
} tree_node;

// Zero-initialise to begin.
typedef struct box_tree {
    tree_node *nodes;
    int32_t used, capacity;
    int32_t leaf_count;
    int32_t root_plus_one;   // 0: empty
    int32_t vacant_plus_one; // of a list of vacant nodes
} box_tree;

// Room for so many things; inserting them allocates nothing then. False when memory runs out.
bool pli_tree_reserve(box_tree *tree, const pliant_allocator *allocator, int32_t things);
void pli_tree_free(box_tree *tree, const pliant_allocator *allocator);

// Returns the leaf, which stays that thing's until it is removed.
int32_t pli_tree_insert(box_tree *tree, const box *bounds, int32_t thing);
void pli_tree_remove(box_tree *tree, int32_t leaf);
void pli_tree_move(box_tree *tree, int32_t leaf, const box *bounds);

// Things whose boxes overlap with this one. Writes up to `room` of them, and returns how many there are or, when they are
// more than that, room + 1.
int pli_tree_find(const box_tree *tree, const box *bounds, int32_t *things, int room);

// A search by distance, the first member of what a caller knows about it. Things whose boxes are no farther than `most` are
// visited, near ones mostly before far ones.
typedef struct tree_search {
    float (*distance)(const struct tree_search *search, const box *bounds); // to a box
    void (*visit)(struct tree_search *search, int32_t thing);               // may lessen `most`
    float most;
} tree_search;

void pli_tree_search(const box_tree *tree, tree_search *search);

#endif
