// Hinges: which particles each side moves, and where one reads its angle.

#include "model.h"

// The solver's group that was made of a group as given.
static const group *group_made_of(const pliant_model *model, int32_t given)
{
    return &model->groups[model->implicit_count + given];
}

static bool is_in_group(const pliant_model *model, const group *g, int32_t p)
{
    for (int k = 0; k < g->slot_count; ++k)
        if (group_member(model, g, k) == p)
            return true;
    return false;
}

// A particle in both groups goes with the one that turns it, or with side 0 when neither does. So each
// particle is counted once, and the momentum of what a side moves is all there is.
static void list_members(pliant_model *model, hinge_side *side, const group *own,
                         const group *other, int32_t other_given, bool is_first)
{
    side->first = model->hinge_member_count;
    for (int k = 0; k < own->slot_count; ++k) {
        int32_t p = group_member(model, own, k);
        bool is_turned = k < own->turned_count;
        if (!is_turned &&
            (model->group_of[p] == other_given + 1 || (!is_first && is_in_group(model, other, p))))
            continue;
        model->hinge_members[model->hinge_member_count++] = p;
        side->turned_count += is_turned;
    }
    side->count = model->hinge_member_count - side->first;
}

static vec3 across(vec3 v, vec3 axis)
{
    return vec3_add_scaled(v, axis, -vec3_dot(v, axis));
}

// Any unit vector across the axis.
static vec3 some_direction_across(vec3 axis)
{
    float x = absolute(axis.x), y = absolute(axis.y), z = absolute(axis.z);
    vec3 thin = x <= y && x <= z ? (vec3){1, 0, 0} : y <= z ? (vec3){0, 1, 0} : (vec3){0, 0, 1};
    return vec3_normalize_or(across(thin, axis), thin);
}

// A group that turns a particle carries its rotation there. One of nothing but joints that others turn
// shows it only by where its members are: the one farthest from the axis tells best.
static void choose_pointer(const pliant_model *model, hinge_side *side, const group *own,
                           const pliant_hinge_def *def, vec3 axis)
{
    const pliant_particle_def *particles = model->source.particles;
    side->points_by_turn = own->turned_count > 0;
    side->pointer = group_member(model, own, 0);
    side->direction = some_direction_across(axis);
    if (side->points_by_turn)
        return;
    float farthest = 0.0f;
    for (int k = 0; k < own->slot_count; ++k) {
        vec3 arm = across(vec3_sub(particles[group_member(model, own, k)].position,
                                   particles[def->particle_a].position),
                          axis);
        if (vec3_length(arm) > farthest) {
            farthest = vec3_length(arm);
            side->pointer = group_member(model, own, k);
            side->direction = arm;
        }
    }
}

bool pliant_model_build_hinges(pliant_model *model)
{
    const elements *e = &model->source;
    size_t most = 0;
    for (int i = 0; i < e->hinge_count; ++i)
        most += (size_t)e->groups[e->hinges[i].group_a].count +
                (size_t)e->groups[e->hinges[i].group_b].count;
    if (most > INT32_MAX)
        return false;
    model->hinges =
        pliant_memory_new(&model->allocator, (size_t)e->hinge_count, sizeof *model->hinges);
    model->hinge_members = pliant_memory_new(&model->allocator, most, sizeof *model->hinge_members);
    if (!model->hinges || !model->hinge_members)
        return false;
    for (int i = 0; i < e->hinge_count; ++i) {
        const pliant_hinge_def *def = &e->hinges[i];
        const int32_t given[2] = {def->group_a, def->group_b};
        const group *groups[2] = {group_made_of(model, def->group_a),
                                  group_made_of(model, def->group_b)};
        vec3 axis = vec3_sub(e->particles[def->particle_b].position,
                             e->particles[def->particle_a].position);
        axis = vec3_scale(axis, 1.0f / vec3_length(axis));
        hinge *h = &model->hinges[i];
        h->axis[0] = def->particle_a;
        h->axis[1] = def->particle_b;
        for (int k = 0; k < 2; ++k) {
            list_members(model, &h->sides[k], groups[k], groups[1 - k], given[1 - k], k == 0);
            choose_pointer(model, &h->sides[k], groups[k], def, axis);
        }
        h->rest_angle = hinge_angle_between(h->sides[0].direction, h->sides[1].direction, axis);
    }
    return true;
}
