// The tree of bodies: which of them may be near something, without a look at all of them.
//
// A body's box in it holds all its particles at the end of the step, and some way around: a body that trembles or goes
// slowly stays in it for many steps. Those who sleep are not looked at.

#include "body_tree.h"
#include "world.h"

// Of what is watched around a particle: how far the box in the tree reaches beyond a body, and how far at most before it
// is made anew.
static const float FATNESS = 1.0f, MOST_FATNESS = 4.0f;
// Part of its largest coordinate by which a box has to hold more than a body: more than a few roundings of a place. Those in
// the tree hold what was made larger by it.
#define BOX_ROUNDING  0x1p-21f
#define TREE_ROUNDING 0x1p-19f

// Around places, with what is watched around them.
static box box_of_places(const vec3 *x, int count, float reach)
{
    box all = box_empty();
    for (int k = 0; k < count; ++k)
        all = (box){vec3_lowest(all.low, x[k]), vec3_highest(all.high, x[k])};
    return box_grown(all, reach);
}

box pli_body_box(const pliant_world *world, const body *b)
{
    return box_of_places(world->x + b->particle_first, b->model->source.particle_count,
                         b->box_reach);
}

// With what rounding may make of it.
static box surely_around(box b, float by, float rounding)
{
    vec3 most = vec3_highest(vec3_negate(b.low), b.high);
    return box_grown(b, by + rounding * maximum(most.x, maximum(most.y, most.z)));
}

box pli_pair_box(const body *b)
{
    return surely_around(b->bounds, b->pair_margin, BOX_ROUNDING);
}

static void put(pliant_world *world, body *b, box bounds)
{
    if (b->leaf_plus_one > 0)
        pli_tree_move(&world->body_tree, b->leaf_plus_one - 1, &bounds);
    else
        b->leaf_plus_one =
            pli_tree_insert(&world->body_tree, &bounds, (int32_t)(b - world->bodies)) + 1;
}

void pli_place_body(pliant_world *world, body *b)
{
    box around = surely_around(pli_body_box(world, b), b->pair_margin, TREE_ROUNDING);
    put(world, b, box_grown(around, FATNESS * b->box_reach));
}

// The box only grows: the next step makes it as small as it can be.
void pli_reach_particle(pliant_world *world, body *b, int particle)
{
    const box *now = &world->body_tree.nodes[b->leaf_plus_one - 1].bounds;
    box one = box_of_places(world->x + b->particle_first + particle, 1, b->box_reach);
    one = surely_around(one, b->pair_margin, TREE_ROUNDING);
    if (!box_contains(now, &one))
        put(world, b, box_union(*now, one));
}

void pli_unplace_body(pliant_world *world, body *b)
{
    pli_tree_remove(&world->body_tree, b->leaf_plus_one - 1);
    b->leaf_plus_one = 0;
}

void pli_follow_bodies(pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        if (is_still(b))
            continue;
        const box *now = &world->body_tree.nodes[b->leaf_plus_one - 1].bounds;
        box around = surely_around(b->bounds, b->pair_margin, TREE_ROUNDING);
        box largest = box_grown(around, MOST_FATNESS * b->box_reach);
        if (!box_contains(now, &around) || !box_contains(&largest, now))
            put(world, b, box_grown(around, FATNESS * b->box_reach));
    }
}

// ---------------------------------------------------------------------------------------------

typedef struct near_search {
    tree_search search;
    pliant_world *world;
    const box *bounds;
    near_body_task *task;
    void *context;
} near_search;

static float overlap_distance(const tree_search *search, const box *bounds)
{
    return boxes_overlap(bounds, ((const near_search *)search)->bounds) ? 0.0f : FLT_MAX;
}

static void visit_near(tree_search *search, int32_t slot)
{
    const near_search *s = (const near_search *)search;
    s->task(s->world, &s->world->bodies[slot], s->context);
}

void pli_for_near_bodies(pliant_world *world, const box *bounds, near_body_task *task,
                         void *context)
{
    near_search s = {.search = {overlap_distance, visit_near, 0.0f},
                     .world = world,
                     .bounds = bounds,
                     .task = task,
                     .context = context};
    pli_tree_search(&world->body_tree, &s.search);
}
