// The tree of boxes against looking at every box.

#include "collide/tree.h"
#include "test.h"

enum { MOST = 600 };

typedef struct boxes {
    box_tree tree;
    bool is_there[MOST];
    box bounds[MOST];
    int32_t leaves[MOST];
} boxes;

static const pliant_allocator *none(void)
{
    static pliant_allocator allocator;
    allocator = pli_allocator_or_default(NULL);
    return &allocator;
}

static box random_box(uint32_t *seed)
{
    vec3 from = random_vec3(seed, 10.0f), to = vec3_add(from, random_vec3(seed, 1.0f));
    return box_around(from, to, random_between(seed, 0.0f, 1.0f));
}

static void check_node(const box_tree *tree, int32_t index)
{
    const tree_node *node = &tree->nodes[index];
    if (node->children[0] < 0) {
        assert_int_equal(node->height, 0);
        return;
    }
    const tree_node *a = &tree->nodes[node->children[0]], *b = &tree->nodes[node->children[1]];
    assert_int_equal(a->parent, index);
    assert_int_equal(b->parent, index);
    assert_in_range(a->height - b->height + 1, 0, 2);
    assert_int_equal(node->height, 1 + (a->height > b->height ? a->height : b->height));
    box both = box_union(a->bounds, b->bounds);
    assert_memory_equal(&node->bounds, &both, sizeof both);
    check_node(tree, node->children[0]);
    check_node(tree, node->children[1]);
}

static void check_search(const boxes *b, const box *asked)
{
    int32_t found[MOST];
    bool is_found[MOST] = {false};
    int count = pli_tree_find(&b->tree, asked, found, MOST), expected = 0;
    for (int k = 0; k < count; ++k) {
        assert_false(is_found[found[k]]);
        is_found[found[k]] = true;
    }
    for (int i = 0; i < MOST; ++i) {
        bool is_met = b->is_there[i] && boxes_overlap(&b->bounds[i], asked);
        assert_int_equal(is_found[i], is_met);
        expected += is_met;
    }
    assert_int_equal(count, expected);
    if (expected > 0)
        assert_int_equal(pli_tree_find(&b->tree, asked, found, expected - 1), expected);
}

// From a point; who is visited says that nothing farther than the n-th is wanted any more.
typedef struct nearest {
    tree_search search;
    vec3 from;
    int visited;
    bool is_visited[MOST];
    const boxes *all;
} nearest;

static float distance_from(vec3 from, const box *bounds)
{
    vec3 in = vec3_highest(bounds->low, vec3_lowest(bounds->high, from));
    return vec3_length(vec3_sub(from, in));
}

static float search_distance(const tree_search *search, const box *bounds)
{
    return distance_from(((const nearest *)search)->from, bounds);
}

static void visit(tree_search *search, int32_t thing)
{
    nearest *n = (nearest *)search;
    float distance = distance_from(n->from, &n->all->bounds[thing]);
    assert_false(n->is_visited[thing]);
    assert_true(distance <= search->most);
    n->is_visited[thing] = true;
    n->visited += 1;
    search->most = minimum(search->most, maximum(distance, 0.5f));
}

// All that are within half a metre, or the nearest one.
static void check_nearest(const boxes *b, vec3 from)
{
    nearest n = {{search_distance, visit, 5.0f}, .from = from, .all = b};
    float least = INFINITY;
    pli_tree_search(&b->tree, &n.search);
    for (int i = 0; i < MOST; ++i)
        if (b->is_there[i])
            least = minimum(least, distance_from(from, &b->bounds[i]));
    assert_true(n.search.most == (least <= 5.0f ? maximum(least, 0.5f) : 5.0f));
    for (int i = 0; i < MOST; ++i)
        if (b->is_there[i] && distance_from(from, &b->bounds[i]) <= n.search.most)
            assert_true(n.is_visited[i]);
}

static void change(boxes *b, int i, uint32_t *seed)
{
    if (!b->is_there[i] || random_bits(seed) % 3 > 0) {
        b->bounds[i] = random_box(seed);
        if (b->is_there[i])
            pli_tree_move(&b->tree, b->leaves[i], &b->bounds[i]);
        else
            b->leaves[i] = pli_tree_insert(&b->tree, &b->bounds[i], i);
        b->is_there[i] = true;
        return;
    }
    pli_tree_remove(&b->tree, b->leaves[i]);
    b->is_there[i] = false;
}

static void finds_what_a_look_at_all_does(void **state)
{
    (void)state;
    static boxes b;
    for (uint32_t start = 1; start <= 20; ++start) {
        uint32_t seed = start;
        memset(&b, 0, sizeof b);
        assert_true(pli_tree_reserve(&b.tree, none(), MOST));
        for (int round = 0; round < 2000; ++round) {
            change(&b, (int)(random_bits(&seed) % MOST), &seed);
            if (round % 10 > 0)
                continue;
            box asked = random_box(&seed);
            check_search(&b, &asked);
            check_nearest(&b, random_vec3(&seed, 12.0f));
            if (b.tree.root_plus_one > 0)
                check_node(&b.tree, b.tree.root_plus_one - 1);
        }
        pli_tree_free(&b.tree, none());
    }
}

// Boxes in rows come one after another, as levels are built; the tree stays low.
static void rows_make_no_list(void **state)
{
    (void)state;
    box_tree tree = {0};
    assert_true(pli_tree_reserve(&tree, none(), 4096));
    for (int i = 0; i < 4096; ++i) {
        vec3 at = {(float)(i % 64), 0.0f, (float)(i / 64)};
        box bounds = box_around(at, at, 0.4f);
        pli_tree_insert(&tree, &bounds, i);
    }
    assert_in_range(tree.nodes[tree.root_plus_one - 1].height, 12, 18);
    check_node(&tree, tree.root_plus_one - 1);
    pli_tree_free(&tree, none());
}

static void room_is_used_again(void **state)
{
    (void)state;
    box_tree tree = {0};
    uint32_t seed = 3;
    assert_true(pli_tree_reserve(&tree, none(), 8));
    for (int round = 0; round < 100; ++round) {
        int32_t leaves[8];
        for (int i = 0; i < 8; ++i) {
            box bounds = random_box(&seed);
            leaves[i] = pli_tree_insert(&tree, &bounds, i);
        }
        for (int i = 0; i < 8; ++i)
            pli_tree_remove(&tree, leaves[(i + round) % 8]);
        assert_int_equal(tree.leaf_count, 0);
    }
    assert_in_range(tree.used, 1, 16);
    pli_tree_free(&tree, none());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_look_at_all_does),
        cmocka_unit_test(rows_make_no_list),
        cmocka_unit_test(room_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
