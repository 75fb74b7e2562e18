// Rays and closest points, by the trees of bodies and colliders.
//
// What is found does not depend on the order in which a tree leads to it: of all that are hit the nearest, of equally near
// ones a particle before a collider, then the one in the lowest slot, then the lowest particle. So bounds are never tighter than
// rounding allows: a box is tested with some room around it, and what is as near as the best so far is looked at, too.

#include "calls.h"

#include "form/form.h"

static form form_of_collider(const collider *c)
{
    return form_turned(form_of_shape(c->shape), c->pose.orientation);
}

static form form_of_particle(const pliant_world *world, const body *b, int k)
{
    return form_turned(pli_model_form(b->model, k), world->turn[b->particle_first + k]);
}

static pliant_hit collider_hit(const pliant_world *world, int slot, const form_hit *at)
{
    return (pliant_hit){.collider = {(uint32_t)slot, world->colliders[slot].generation},
                        .particle = -1,
                        .point = at->point,
                        .normal = at->normal,
                        .distance = at->distance};
}

static pliant_hit particle_hit(const pliant_world *world, int slot, int k, const form_hit *at)
{
    return (pliant_hit){.body = {(uint32_t)slot, world->bodies[slot].generation},
                        .particle = k,
                        .point = at->point,
                        .normal = at->normal,
                        .distance = at->distance};
}

// Part of the coordinates by which boxes are farther from being missed, and of a distance by which quick tests are too
// wide: more than roundings make of either.
#define BOX_ROOM   0x1p-19f
#define QUICK_ROOM 0x1p-17f

// m, of a box that is never met, and of how far is looked at most.
#define BEYOND   FLT_MAX
#define FARTHEST 1e37f

// One question. `most` of the search is how far away what is of interest may be.
typedef struct question {
    tree_search search;
    const pliant_world *world;
    vec3 from, direction; // of a closest point there is no direction
    float limit; // m; as far as the best hit, and a little more, or as far as was asked for
    uint32_t mask;
    pliant_hit *hit;
    bool found;
} question;

// Whether, of two that are equally far, this one comes first.
static bool comes_first(const pliant_hit *best, bool is_particle, uint32_t slot, int particle)
{
    bool best_is_particle = best->particle >= 0;
    if (is_particle != best_is_particle)
        return is_particle;
    uint32_t best_slot = is_particle ? best->body.index : best->collider.index;
    return slot != best_slot ? slot < best_slot : particle < best->particle;
}

static bool is_better(const question *q, float distance, bool is_particle, uint32_t slot,
                      int particle)
{
    return !q->found || distance < q->hit->distance ||
           (distance == q->hit->distance && comes_first(q->hit, is_particle, slot, particle));
}

static void take(question *q, pliant_hit hit)
{
    *q->hit = hit;
    q->found = true;
    q->limit = hit.distance + QUICK_ROOM * absolute(hit.distance) + FLT_MIN;
    q->search.most = maximum(q->limit, 0.0f); // inside something distances are negative
}

// m, more than what is off at a box that is asked about.
static float room_around(const question *q, const box *bounds)
{
    vec3 o = {absolute(q->from.x), absolute(q->from.y), absolute(q->from.z)};
    vec3 most = vec3_highest(o, vec3_highest(vec3_negate(bounds->low), bounds->high));
    return BOX_ROOM * (most.x + most.y + most.z);
}

// Bodies, then colliders.
static bool ask(question *q, void (*visit_body)(tree_search *search, int32_t slot),
                void (*visit_collider)(tree_search *search, int32_t slot))
{
    const pliant_world *world = q->world;
    q->search.most = minimum(q->limit, FARTHEST);
    q->search.visit = visit_body;
    pli_tree_search(&world->body_tree, &q->search);
    q->search.visit = visit_collider;
    for (int k = 0; k < world->endless.count; ++k)
        visit_collider(&q->search, world->endless.slots[k]);
    for (int k = 0; k < world->fields.count; ++k)
        visit_collider(&q->search, world->fields.slots[k]);
    pli_tree_search(&world->collider_tree, &q->search);
    return q->found;
}

// ---------------------------------------------------------------------------------------------
// Rays

// Whether the ray comes within r of the point `to`, seen from its origin, before `length`.
static bool ray_passes_near(vec3 to, vec3 d, float length, float r)
{
    float along = vec3_dot(to, d);
    vec3 beside = vec3_add_scaled(to, d, -along);
    return vec3_dot(beside, beside) <= r * r && along >= -r &&
           along * (1.0f - QUICK_ROOM) <= length + r;
}

// Cuts what of a ray is before `*enter` and beyond `*leave` with the slab from low to high, both seen from its origin.
static void cut_with_slab(float low, float high, float d, float *enter, float *leave)
{
    if (d == 0.0f) {
        *leave = low <= 0.0f && high >= 0.0f ? *leave : -1.0f;
        return;
    }
    float one = low / d, other = high / d;
    *enter = maximum(*enter, minimum(one, other));
    *leave = minimum(*leave, maximum(one, other));
}

// Along the ray.
static float ray_distance(const tree_search *search, const box *bounds)
{
    const question *q = (const question *)search;
    box b = box_grown(*bounds, room_around(q, bounds));
    vec3 low = vec3_sub(b.low, q->from), high = vec3_sub(b.high, q->from), d = q->direction;
    float enter = 0.0f, leave = FLT_MAX;
    cut_with_slab(low.x, high.x, d.x, &enter, &leave);
    cut_with_slab(low.y, high.y, d.y, &enter, &leave);
    cut_with_slab(low.z, high.z, d.z, &enter, &leave);
    return enter <= leave ? enter : BEYOND;
}

static void cast_at_body(tree_search *search, int32_t slot)
{
    question *q = (question *)search;
    const pliant_world *world = q->world;
    const body *b = &world->bodies[slot];
    for (int k = 0; k < b->model->source.particle_count && (b->layers & q->mask); ++k) {
        vec3 x = world->x[b->particle_first + k];
        if (!ray_passes_near(vec3_sub(x, q->from), q->direction, q->limit,
                             pli_largest_radius(b, k)))
            continue;
        form f = form_of_particle(world, b, k);
        form_hit at;
        if (pli_form_ray(&f, x, q->from, q->direction, q->limit, &at) &&
            is_better(q, at.distance, true, (uint32_t)slot, k))
            take(q, particle_hit(world, slot, k, &at));
    }
}

static void cast_at_collider(tree_search *search, int32_t slot)
{
    question *q = (question *)search;
    const collider *c = &q->world->colliders[slot];
    if (!(c->layers & q->mask))
        return;
    form f = form_of_collider(c);
    form_hit at;
    if (pli_form_ray(&f, c->pose.position, q->from, q->direction, q->limit, &at) &&
        is_better(q, at.distance, false, (uint32_t)slot, -1))
        take(q, collider_hit(q->world, slot, &at));
}

bool pliant_world_ray_cast(const pliant_world *world, pliant_vec3 origin, pliant_vec3 direction,
                           float length, uint32_t mask, pliant_hit *hit)
{
    if (!checked_pointer(world, hit, "hit", __func__))
        return false;
    // By the largest component first: squares of very long and very short ones are not numbers.
    float size =
        maximum(absolute(direction.x), maximum(absolute(direction.y), absolute(direction.z)));
    if (!vec3_is_finite(origin) || !vec3_is_finite(direction) || !(size > 0.0f) ||
        !(length >= 0.0f))
        return false;
    vec3 d = {direction.x / size, direction.y / size, direction.z / size};
    d = vec3_scale(d, 1.0f / vec3_length(d));
    question q = {.search = {.distance = ray_distance},
                  .world = world,
                  .from = origin,
                  .direction = d,
                  .limit = length,
                  .mask = mask,
                  .hit = hit};
    return ask(&q, cast_at_body, cast_at_collider);
}

// ---------------------------------------------------------------------------------------------
// Closest points

static float point_distance(const tree_search *search, const box *bounds)
{
    const question *q = (const question *)search;
    vec3 p = q->from, in = vec3_highest(bounds->low, vec3_lowest(bounds->high, p));
    return maximum(vec3_length(vec3_sub(p, in)) - room_around(q, bounds), 0.0f);
}

static void look_at_body(tree_search *search, int32_t slot)
{
    question *q = (question *)search;
    const pliant_world *world = q->world;
    const body *b = &world->bodies[slot];
    for (int k = 0; k < b->model->source.particle_count && (b->layers & q->mask); ++k) {
        vec3 x = world->x[b->particle_first + k], to = vec3_sub(q->from, x);
        float reach = (q->limit + pli_largest_radius(b, k)) * (1.0f + QUICK_ROOM);
        if (!(vec3_dot(to, to) <= reach * reach))
            continue;
        form f = form_of_particle(world, b, k);
        form_hit at;
        if (pli_form_closest(&f, x, q->from, q->limit, &at) &&
            is_better(q, at.distance, true, (uint32_t)slot, k))
            take(q, particle_hit(world, slot, k, &at));
    }
}

static void look_at_collider(tree_search *search, int32_t slot)
{
    question *q = (question *)search;
    const collider *c = &q->world->colliders[slot];
    if (!(c->layers & q->mask))
        return;
    form f = form_of_collider(c);
    form_hit at;
    if (pli_form_closest(&f, c->pose.position, q->from, q->limit, &at) &&
        is_better(q, at.distance, false, (uint32_t)slot, -1))
        take(q, collider_hit(q->world, slot, &at));
}

bool pliant_world_closest_point(const pliant_world *world, pliant_vec3 point, float distance,
                                uint32_t mask, pliant_hit *hit)
{
    if (!checked_pointer(world, hit, "hit", __func__) || !vec3_is_finite(point) ||
        !(distance >= 0.0f))
        return false;
    question q = {.search = {.distance = point_distance},
                  .world = world,
                  .from = point,
                  .limit = distance,
                  .mask = mask,
                  .hit = hit};
    return ask(&q, look_at_body, look_at_collider);
}
