// Built from the top by the surface area heuristic over bins (Wald 2007). From a depth on that only
// contrived meshes reach, nodes are halved by count, so that the depth stays bounded.

#include "bvh.h"

#include <assert.h>

enum { BIN_COUNT = 16, LEAF_SIZE = 4, SURFACE_DEPTH = 28 };

typedef struct box {
    float low[3], high[3];
} box;

typedef struct builder {
    bvh *tree;
    const box *boxes; // of triangles
} builder;

typedef struct task {
    int node, begin, end, depth;
} task;

static const box EMPTY = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static void box_merge(box *into, const box *from)
{
    for (int axis = 0; axis < 3; ++axis) {
        into->low[axis] = minimum(into->low[axis], from->low[axis]);
        into->high[axis] = maximum(into->high[axis], from->high[axis]);
    }
}

static double half_area(const box *b)
{
    double x = (double)b->high[0] - (double)b->low[0], y = (double)b->high[1] - (double)b->low[1];
    double z = (double)b->high[2] - (double)b->low[2];
    return x * y + y * z + z * x;
}

// Twice the middle.
static float middle(const box *b, int axis)
{
    return b->low[axis] + b->high[axis];
}

static int bin_of(float value, float low, float scale)
{
    int bin = (int)((value - low) * scale);
    return bin < BIN_COUNT ? bin : BIN_COUNT - 1;
}

typedef struct split {
    double cost;
    int axis, bin; // bins up to this one go to the left
    float low, scale;
} split;

static void try_axis(const builder *b, int begin, int end, int axis, float low, float high,
                     split *best)
{
    if (!(high > low))
        return;
    box boxes[BIN_COUNT];
    int counts[BIN_COUNT] = {0};
    float scale = (float)BIN_COUNT / (high - low);
    for (int i = 0; i < BIN_COUNT; ++i)
        boxes[i] = EMPTY;
    for (int i = begin; i < end; ++i) {
        const box *one = &b->boxes[b->tree->order[i]];
        int bin = bin_of(middle(one, axis), low, scale);
        box_merge(&boxes[bin], one);
        counts[bin] += 1;
    }
    double right_cost[BIN_COUNT];
    box sum = EMPTY;
    int count = 0;
    for (int i = BIN_COUNT - 1; i > 0; --i) {
        box_merge(&sum, &boxes[i]);
        count += counts[i];
        right_cost[i] = count ? half_area(&sum) * count : 0.0;
    }
    sum = EMPTY;
    count = 0;
    for (int i = 0; i + 1 < BIN_COUNT; ++i) {
        box_merge(&sum, &boxes[i]);
        count += counts[i];
        if (!count || count == end - begin)
            continue;
        double cost = half_area(&sum) * count + right_cost[i + 1];
        if (cost < best->cost)
            *best = (split){cost, axis, i, low, scale};
    }
}

// Orders the triangles of a node; returns where the right part begins.
static int partition(const builder *b, const split *s, int begin, int end)
{
    int32_t *order = b->tree->order;
    int at = begin;
    for (int i = begin; i < end; ++i) {
        int32_t one = order[i];
        if (bin_of(middle(&b->boxes[one], s->axis), s->low, s->scale) <= s->bin) {
            order[i] = order[at];
            order[at++] = one;
        }
    }
    return at;
}

static int divide(const builder *b, const task *t, const box *middles)
{
    split best = {.cost = 1e300};
    if (t->depth < SURFACE_DEPTH)
        for (int axis = 0; axis < 3; ++axis)
            try_axis(b, t->begin, t->end, axis, middles->low[axis], middles->high[axis], &best);
    if (best.cost < 1e300)
        return partition(b, &best, t->begin, t->end);
    return t->begin + (t->end - t->begin) / 2;
}

static void finish_node(const builder *b, const task *t, box *middles)
{
    box sum = EMPTY;
    *middles = EMPTY;
    for (int i = t->begin; i < t->end; ++i) {
        const box *one = &b->boxes[b->tree->order[i]];
        box_merge(&sum, one);
        for (int axis = 0; axis < 3; ++axis) {
            middles->low[axis] = minimum(middles->low[axis], middle(one, axis));
            middles->high[axis] = maximum(middles->high[axis], middle(one, axis));
        }
    }
    bvh_node *node = &b->tree->nodes[t->node];
    node->low = (vec3){sum.low[0], sum.low[1], sum.low[2]};
    node->high = (vec3){sum.high[0], sum.high[1], sum.high[2]};
}

static void build(const builder *b, int triangle_count)
{
    task stack[BVH_DEPTH + 1];
    int waiting = 0;
    stack[waiting++] = (task){0, 0, triangle_count, 0};
    b->tree->node_count = 1;
    while (waiting) {
        task t = stack[--waiting];
        box middles;
        finish_node(b, &t, &middles);
        bvh_node *node = &b->tree->nodes[t.node];
        if (t.end - t.begin <= LEAF_SIZE) {
            node->first = t.begin;
            node->count = t.end - t.begin;
            continue;
        }
        int at = divide(b, &t, &middles);
        int left = b->tree->node_count;
        b->tree->node_count += 2;
        node->first = left;
        node->count = 0;
        assert(waiting + 2 <= BVH_DEPTH + 1);
        stack[waiting++] = (task){left + 1, at, t.end, t.depth + 1};
        stack[waiting++] = (task){left, t.begin, at, t.depth + 1};
    }
}

bool pli_bvh_build(bvh *tree, const vec3 *points, const int32_t *triangles, int triangle_count,
                   const pliant_allocator *allocator)
{
    size_t count = (size_t)triangle_count;
    box *boxes = pli_memory_new(allocator, count, sizeof *boxes);
    *tree = (bvh){
        .nodes = pli_memory_new(allocator, 2 * count, sizeof *tree->nodes),
        .order = pli_memory_new(allocator, count, sizeof *tree->order),
    };
    bool is_complete = boxes && tree->nodes && tree->order;
    if (is_complete) {
        for (int i = 0; i < triangle_count; ++i) {
            tree->order[i] = i;
            boxes[i] = EMPTY;
            for (size_t k = 0; k < 3; ++k) {
                vec3 p = points[triangles[3 * (size_t)i + k]];
                box one = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
                box_merge(&boxes[i], &one);
            }
        }
        build(&(builder){tree, boxes}, triangle_count);
    } else {
        pli_bvh_free(tree, allocator);
    }
    pli_memory_free(allocator, boxes);
    return is_complete;
}

void pli_bvh_free(bvh *tree, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, tree->nodes);
    pli_memory_free(allocator, tree->order);
    *tree = (bvh){0};
}
