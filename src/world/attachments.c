// Attachments: a particle held at a distance from a particle of another body or from a point.
//
// A distance between two ends is corrected along the line on which they stood as the substep began,
//     |d - μ n| = goal,   n = d_start / |d_start|,   x_a += λ w_a n,  x_b -= λ w_b n,   λ = μ / (w_a + w_b)
// The velocities that follow keep angular momentum only about the start of the substep (as in family/groups.c):
// along the present line a spinning pair would lose its spin. λ / h², summed over the iterations, is the
// force.

#include "calls.h"
#include "checks.h"
#include "edges.h"
#include "places.h"
#include "sleep.h"
#include "substep.h"
#include "tasks.h"

// What was wrong before the substep is put right no faster than this, m/s.
static const float PULL_IN_SPEED = 10.0f;
// An anchor that is moved by hand goes no faster than this, m/s.
static const float ANCHOR_SPEED = 50.0f;

static const float LARGEST_LENGTH = 1e6f; // m

// ---------------------------------------------------------------------------------------------
// Adding and removing

pliant_attachment_def pliant_default_attachment_def(void)
{
    return (pliant_attachment_def){.length = -1.0f, .stiffness = 1.0f};
}

static bool is_body_given(pliant_body_id id)
{
    return id.index != 0 || id.generation != 0;
}

static bool is_collider_given(pliant_collider_id id)
{
    return id.index != 0 || id.generation != 0;
}

pliant_result pli_check_particle(const pliant_world *world, pliant_body_id id, int particle,
                                 const char *body_field, const char *particle_field,
                                 pliant_error *error)
{
    const body *b = pli_world_body(world, id);
    if (!b)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, body_field,
                             "is not a body of this world");
    int count = b->model->source.particle_count;
    if (particle < 0 || particle >= count)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, particle_field, "%d of %d", particle,
                             count);
    return PLIANT_OK;
}

static pliant_result check_other_end(const pliant_world *world, const pliant_attachment_def *def,
                                     pliant_error *error)
{
    if (is_body_given(def->other_body)) {
        pliant_result result = pli_check_particle(world, def->other_body, def->other_particle,
                                                  "other_body", "other_particle", error);
        if (result)
            return result;
        if (is_collider_given(def->collider))
            return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "collider",
                                 "is given together with other_body");
        if (def->other_body.index == def->body.index && def->other_particle == def->particle)
            return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "other_particle",
                                 "is the particle itself");
        return PLIANT_OK;
    }
    if (is_collider_given(def->collider) && !pliant_collider_is_valid(world, def->collider))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "collider",
                             "is not a collider of this world");
    vec3 a = def->anchor;
    if (!(maximum(absolute(a.x), maximum(absolute(a.y), absolute(a.z))) <= LARGEST_LENGTH) ||
        !vec3_is_finite(a))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "anchor",
                             "(%g, %g, %g) is not within ±%g m", (double)a.x, (double)a.y,
                             (double)a.z, (double)LARGEST_LENGTH);
    return PLIANT_OK;
}

pliant_result pli_check_attachment(const pliant_world *world, const pliant_attachment_def *def,
                                   pliant_error *error)
{
    pliant_result result =
        pli_check_particle(world, def->body, def->particle, "body", "particle", error);
    if (!result)
        result = check_other_end(world, def, error);
    if (result)
        return result;
    if (!is_finite(def->length) || def->length > LARGEST_LENGTH)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "length", "%g is not at most %g m",
                             (double)def->length, (double)LARGEST_LENGTH);
    if (!(def->stiffness >= 0.0f && def->stiffness <= 1.0f))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "stiffness", "%g is not in [0, 1]",
                             (double)def->stiffness);
    if (!(def->strength >= 0.0f) || !is_finite(def->strength))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "strength", "%g is not a force or 0",
                             (double)def->strength);
    return PLIANT_OK;
}

static int particle_of(const pliant_world *world, pliant_body_id id, int particle)
{
    return world->bodies[id.index].particle_first + particle;
}

// Where a point that holds is at this moment.
static vec3 anchor_in_world(const pliant_world *world, const attachment *a)
{
    if (!is_collider_given(a->def.collider))
        return a->anchor;
    pliant_pose pose = world->colliders[a->def.collider.index].next;
    return vec3_add(pose.position, quat_rotate(pose.orientation, a->anchor));
}

static void wake_ends(pliant_world *world, const attachment *a)
{
    pli_wake_body(world, &world->bodies[a->def.body.index]);
    if (is_body_given(a->def.other_body))
        pli_wake_body(world, &world->bodies[a->def.other_body.index]);
}

static float distance_now(const pliant_world *world, const attachment *a)
{
    const pliant_attachment_def *def = &a->def;
    int i = particle_of(world, def->body, def->particle);
    vec3 to = anchor_in_world(world, a), low = {0, 0, 0};
    if (is_body_given(def->other_body)) {
        int j = particle_of(world, def->other_body, def->other_particle);
        to = world->x[j];
        low = world->x_low[j];
    }
    return vec3_length(vec3_add(vec3_sub(to, world->x[i]), vec3_sub(low, world->x_low[i])));
}

bool pli_reserve_attachments(pliant_world *world, int slots)
{
    return pli_memory_grow(&world->allocator, (void **)&world->attachments,
                           sizeof *world->attachments, world->attachment_slot_count,
                           &world->attachment_slot_capacity, slots) &&
           pli_turns_reserve(&world->attachment_turns, world->attachment_slot_capacity,
                             &world->allocator);
}

void pli_free_attachments(pliant_world *world)
{
    pli_memory_free(&world->allocator, world->attachments);
    pli_turns_free(&world->attachment_turns, &world->allocator);
}

pliant_attachment_id pliant_world_add_attachment(pliant_world *world,
                                                 const pliant_attachment_def *def,
                                                 pliant_error *error)
{
    if (pli_check_given(world, def, "def", error, __func__) ||
        pli_check_attachment(world, def, error))
        return (pliant_attachment_id){0, 0};
    int slot = world->lowest_free_attachment, count = world->attachment_slot_count;
    while (slot < count && world->attachments[slot].is_alive)
        ++slot;
    int slots = slot == count ? slot + 1 : count;
    if (!pli_reserve_attachments(world, slots)) {
        pli_error_memory(error);
        return (pliant_attachment_id){0, 0};
    }
    world->attachment_slot_count = slots;
    world->lowest_free_attachment = slot + 1;
    attachment *a = &world->attachments[slot];
    uint32_t generation = a->generation + 1, removed = a->removed;
    *a = (attachment){.def = *def,
                      .generation = generation ? generation : 1,
                      .removed = removed,
                      .is_alive = true,
                      .rate = pli_stiffness_rate(def->stiffness),
                      .anchor = def->anchor,
                      .target = def->anchor};
    if (def->length < 0.0f)
        a->def.length = distance_now(world, a);
    wake_ends(world, a);
    if (a->rate >= 0.0f && def->length >= 0.0f) // a spring that may be stretched
        pli_doubt_ledger(&world->bodies[def->body.index]);
    return (pliant_attachment_id){(uint32_t)slot, a->generation};
}

static attachment *find_attachment(const pliant_world *world, pliant_attachment_id id)
{
    if (!world || id.generation == 0 || id.index >= (uint32_t)world->attachment_slot_count)
        return NULL;
    attachment *a = &world->attachments[id.index];
    return a->is_alive && a->generation == id.generation ? a : NULL;
}

bool pliant_attachment_is_valid(const pliant_world *world, pliant_attachment_id id)
{
    return find_attachment(world, id) != NULL;
}

// An attachment that broke, or went with a body or a collider: its owner may not know yet, and makes no mistake. Of those
// that calls have removed a slot knows the last one only; others pass for broken.
static bool has_gone(const pliant_world *world, pliant_attachment_id id)
{
    if (!world || id.generation == 0 || id.index >= (uint32_t)world->attachment_slot_count)
        return false;
    const attachment *a = &world->attachments[id.index];
    return id.generation <= a->generation && id.generation != a->removed;
}

static void free_slot(pliant_world *world, attachment *a)
{
    int slot = (int)(a - world->attachments);
    a->is_alive = false;
    if (slot < world->lowest_free_attachment)
        world->lowest_free_attachment = slot;
}

static attachment *checked_attachment(const pliant_world *world, pliant_attachment_id id,
                                      const char *call)
{
    attachment *a = find_attachment(world, id);
    if (!a && !has_gone(world, id))
        pli_refuse_id(world, "attachment", id.index, id.generation, call);
    return a;
}

void pliant_world_remove_attachment(pliant_world *world, pliant_attachment_id id)
{
    attachment *a = checked_attachment(world, id, __func__);
    if (!a)
        return;
    wake_ends(world, a);
    free_slot(world, a);
    a->removed = a->generation;
}

static bool is_same(uint32_t index, uint32_t generation, uint32_t index2, uint32_t generation2)
{
    return index == index2 && generation == generation2;
}

void pli_drop_body_attachments(pliant_world *world, pliant_body_id id)
{
    for (int i = 0; i < world->attachment_slot_count; ++i) {
        attachment *a = &world->attachments[i];
        pliant_body_id one = a->def.body, two = a->def.other_body;
        if (!is_same(one.index, one.generation, id.index, id.generation) &&
            !is_same(two.index, two.generation, id.index, id.generation))
            continue;
        if (a->is_alive)
            wake_ends(world, a);
        free_slot(world, a);
    }
}

static bool holds(const attachment *a, pliant_body_id id)
{
    return a->is_alive && (a->def.body.index == id.index || (is_body_given(a->def.other_body) &&
                                                             a->def.other_body.index == id.index));
}

void pli_note_excess(pliant_world *world, pliant_body_id id)
{
    for (int i = 0; i < world->attachment_slot_count; ++i) {
        attachment *a = &world->attachments[i];
        if (holds(a, id))
            a->start_excess = distance_now(world, a) - a->def.length;
    }
}

// One whose two ends have become one particle holds nothing.
void pli_move_attachments(pliant_world *world, pliant_body_id id, const int32_t *successor)
{
    for (int i = 0; i < world->attachment_slot_count; ++i) {
        attachment *a = &world->attachments[i];
        pliant_attachment_def *def = &a->def;
        if (!holds(a, id))
            continue;
        if (def->body.index == id.index)
            def->particle = successor[def->particle];
        if (is_body_given(def->other_body) && def->other_body.index == id.index)
            def->other_particle = successor[def->other_particle];
        if (is_body_given(def->other_body) && def->body.index == def->other_body.index &&
            def->particle == def->other_particle)
            free_slot(world, a);
        else
            def->length = maximum(0.0f, distance_now(world, a) - a->start_excess);
    }
}

void pli_drop_collider_attachments(pliant_world *world, pliant_collider_id id)
{
    for (int i = 0; i < world->attachment_slot_count; ++i) {
        attachment *a = &world->attachments[i];
        if (!is_same(a->def.collider.index, a->def.collider.generation, id.index, id.generation))
            continue;
        if (a->is_alive)
            wake_ends(world, a);
        free_slot(world, a);
    }
}

void pliant_attachment_set_anchor(pliant_world *world, pliant_attachment_id id, pliant_vec3 anchor)
{
    attachment *a = checked_attachment(world, id, __func__);
    if (!a || is_body_given(a->def.other_body) || !vec3_is_finite(anchor))
        return;
    a->target = anchor;
    a->has_target = true;
    wake_ends(world, a);
}

float pliant_attachment_force(const pliant_world *world, pliant_attachment_id id)
{
    const attachment *a = checked_attachment(world, id, __func__);
    return a ? a->force : 0.0f;
}

// ---------------------------------------------------------------------------------------------
// The step

// An end that cannot give way is a point: the anchor, or a particle of a frozen body.
static void find_ends(const pliant_world *world, attachment *a)
{
    const pliant_attachment_def *def = &a->def;
    int i = particle_of(world, def->body, def->particle);
    a->ends[0] = world->bodies[def->body.index].is_frozen ? -1 : i;
    a->ends[1] = -1;
    a->point = anchor_in_world(world, a);
    if (is_body_given(def->other_body)) {
        int j = particle_of(world, def->other_body, def->other_particle);
        a->ends[1] = world->bodies[def->other_body.index].is_frozen ? -1 : j;
        a->point = world->x[a->ends[1] < 0 ? j : i];
    }
}

static bool end_can_move(const pliant_world *world, int i)
{
    return i >= 0 && world->move[i].inverse_mass > 0.0f && !owner_of(world, i)->is_asleep;
}

// Two bodies that are attached to each other sleep and wake together.
static bool can_move(const pliant_world *world, const attachment *a)
{
    return a->is_alive && (end_can_move(world, a->ends[0]) || end_can_move(world, a->ends[1]));
}

bool pli_is_attached(const pliant_world *world, pliant_body_id id)
{
    bool is = false;
    for (int k = 0; k < world->attachment_slot_count; ++k)
        is = is || holds(&world->attachments[k], id);
    return is;
}

// Whether what sleeps at one end is pulled at the other.
static bool is_pulled(const pliant_world *world, const attachment *a)
{
    const pliant_attachment_def *def = &a->def;
    if (is_body_given(def->other_body))
        return world->bodies[def->body.index].is_asleep !=
               world->bodies[def->other_body.index].is_asleep;
    return a->has_target || (is_collider_given(a->def.collider) &&
                             pli_collider_moves(&world->colliders[a->def.collider.index]));
}

// The body of an end, with an empty list for each of its particles.
static void begin_list(pliant_world *world, int i)
{
    body *b = &world->bodies[world->owner[i]];
    if (b->is_attached)
        return;
    b->is_attached = true;
    memset(world->first_attachment + b->particle_first, 0,
           (size_t)b->model->source.particle_count * sizeof *world->first_attachment);
}

// After all earlier ones of its particles, whose lists begin with the last.
static int32_t turn_of(const pliant_world *world, const attachment *a)
{
    int32_t turn = 0;
    for (int k = 0; k < 2; ++k) {
        int32_t last = a->ends[k] < 0 ? 0 : world->first_attachment[a->ends[k]];
        if (last != 0 && world->attachment_turns.turn[(last - 1) / 2] >= turn)
            turn = world->attachment_turns.turn[(last - 1) / 2] + 1;
    }
    return turn;
}

// Lists each particle's attachments, and finds the turns of all.
static void list_attached(pliant_world *world)
{
    for (int k = 0; k < world->active_count; ++k)
        world->bodies[world->active[k]].is_attached = false;
    for (int slot = 0; slot < world->attachment_slot_count; ++slot) {
        attachment *a = &world->attachments[slot];
        world->attachment_turns.turn[slot] = NO_TURN;
        if (!a->is_alive)
            continue;
        for (int k = 0; k < 2; ++k)
            if (a->ends[k] >= 0)
                begin_list(world, a->ends[k]);
        world->attachment_turns.turn[slot] = turn_of(world, a);
        for (int k = 0; k < 2; ++k) {
            if (a->ends[k] < 0)
                continue;
            a->next[k] = world->first_attachment[a->ends[k]];
            world->first_attachment[a->ends[k]] = 2 * slot + k + 1;
        }
    }
}

void pli_begin_attachments(const substep *s)
{
    pliant_world *world = s->world;
    if (world->attachment_slot_count == 0)
        return;
    for (int slot = 0; slot < world->attachment_slot_count; ++slot) {
        attachment *a = &world->attachments[slot];
        if (!a->is_alive)
            continue;
        if (is_pulled(world, a))
            wake_ends(world, a);
        find_ends(world, a);
        a->alpha = alpha_of_rate(a->rate, s->h, s->iterations);
        if (!world->bodies[a->def.body.index].is_asleep) // a sleeper hangs on as it fell asleep
            a->force = 0.0f;
    }
    list_attached(world);
    pli_turns_sort(&world->attachment_turns, world->attachment_slot_count);
}

float pli_attached_length(const pliant_world *world, int i, int j)
{
    float length = -1.0f;
    if (!owner_of(world, i)->is_attached)
        return length;
    for (int32_t at = world->first_attachment[i]; at != 0;) {
        const attachment *a = &world->attachments[(at - 1) / 2];
        int end = (at - 1) % 2;
        if (a->is_alive && a->ends[1 - end] == j)
            length = a->def.length;
        at = a->next[end];
    }
    return length;
}

// Moves an anchor its share of the way to where it was set.
static void move_anchor(const substep *s, attachment *a)
{
    if (!a->has_target)
        return;
    vec3 way = vec3_scale(vec3_sub(a->target, a->anchor), 1.0f / (float)s->remaining);
    float length = vec3_length(way), most = ANCHOR_SPEED * s->time;
    if (length > most) {
        a->anchor = vec3_add_scaled(a->anchor, way, most / length);
        return;
    }
    a->anchor = s->remaining == 1 ? a->target : vec3_add(a->anchor, way);
    a->has_target = s->remaining > 1;
}

// From end 0 to end 1 as the substep begins.
static vec3 start_of(const pliant_world *world, const attachment *a)
{
    if (a->ends[0] >= 0 && a->ends[1] >= 0)
        return start_between(world, a->ends[0], a->ends[1]);
    int i = a->ends[0] >= 0 ? a->ends[0] : a->ends[1];
    vec3 d = vec3_sub(vec3_sub(a->point, owner_of(world, i)->origin), world->start[i]);
    return a->ends[0] >= 0 ? d : vec3_negate(d);
}

// The same as it stands in the solver.
static vec3 moved_of(const pliant_world *world, const attachment *a)
{
    vec3 d = a->between;
    if (a->ends[1] >= 0)
        d = vec3_add(d, world->move[a->ends[1]].way);
    return a->ends[0] >= 0 ? vec3_sub(d, world->move[a->ends[0]].way) : d;
}

static void start_attachment(const substep *s, attachment *a)
{
    const pliant_world *world = s->world;
    vec3 before = a->point;
    move_anchor(s, a);
    a->impulse = 0.0f;
    if (!can_move(world, a))
        return;
    a->start = start_of(world, a);
    a->start_excess = vec3_length(a->start) - a->def.length;
    a->between = a->start;
    for (int k = 0; k < 2; ++k) {
        float sign = k ? 1.0f : -1.0f;
        if (a->ends[k] >= 0)
            a->between = vec3_add_scaled(a->between, owner_of(world, a->ends[k])->drift, sign);
    }
    if (a->ends[1] < 0 && !is_body_given(a->def.other_body)) {
        a->point = anchor_in_world(world, a);
        a->point_way = vec3_scale(vec3_sub(a->point, before), 1.0f / s->part);
        a->between = vec3_add(a->between, a->point_way);
    }
}

void pli_start_attachments(const substep *s)
{
    for (int slot = 0; slot < s->world->attachment_slot_count; ++slot)
        if (s->world->attachments[slot].is_alive)
            start_attachment(s, &s->world->attachments[slot]);
}

// How far a distance is from what it may be in this substep.
static float excess_of(const substep *s, const attachment *a, float distance)
{
    float upper = a->def.length, lower = a->def.length;
    if (a->alpha == 1.0f) {
        upper += maximum(0.0f, a->start_excess - PULL_IN_SPEED * s->h);
        lower += minimum(0.0f, a->start_excess + PULL_IN_SPEED * s->h);
    }
    if (distance > upper)
        return distance - upper;
    return distance < lower && !a->def.is_slack ? distance - lower : 0.0f;
}

// As for edges; ends that belong on one point have no line of the start.
static float find_correction(const attachment *a, vec3 d, float distance, float goal, vec3 *n)
{
    if (a->def.length > 0.0f && distance > 0.0f)
        return pli_length_correction(a->start, d, distance, goal, 0.0f, n);
    *n = vec3_normalize_or(d, vec3_normalize_or(a->start, (vec3){0, 1, 0}));
    return distance - goal;
}

// What an impulse on end 0, and its opposite on end 1, changes at an end's particle.
static vec3 answer_of(const pliant_world *world, const attachment *a, int end, vec3 impulse)
{
    float w = world->move[a->ends[end]].inverse_mass;
    return vec3_scale(impulse, end ? -w : w);
}

static float mobility_of(const pliant_world *world, const attachment *a)
{
    return (a->ends[0] >= 0 ? world->move[a->ends[0]].inverse_mass : 0.0f) +
           (a->ends[1] >= 0 ? world->move[a->ends[1]].inverse_mass : 0.0f);
}

// Rounding of the positions, see family/groups.c.
static float rounding_of(const pliant_world *world, const attachment *a)
{
    float size = a->def.length;
    for (int k = 0; k < 2; ++k) {
        vec3 at = a->ends[k] >= 0 ? world->start[a->ends[k]] : (vec3){0, 0, 0};
        size += absolute(at.x) + absolute(at.y) + absolute(at.z);
    }
    return 2.5e-7f * size;
}

static void solve_attachment(const substep *s, attachment *a)
{
    pliant_world *world = s->world;
    vec3 d = moved_of(world, a), n;
    float distance = vec3_length(d), excess = excess_of(s, a, distance);
    if (!is_finite(distance) || absolute(excess) <= rounding_of(world, a))
        return;
    float mu = find_correction(a, d, distance, distance - a->alpha * excess, &n);
    float impulse = mu / mobility_of(world, a);
    for (int k = 0; k < 2; ++k)
        if (a->ends[k] >= 0) {
            vec3 *way = &world->move[a->ends[k]].way;
            *way = vec3_add(*way, answer_of(world, a, k, vec3_scale(n, impulse)));
        }
    a->impulse += impulse;
}

// So many of a turn are a task: fewer take less time than it takes to wake a worker.
enum { ATTACHMENTS_PER_TASK = 128 };

typedef struct attachment_job {
    const substep *s;
    const int32_t *slots;
    int count;
} attachment_job;

static void solve_some(int index, void *context)
{
    const attachment_job *job = context;
    int first = index * ATTACHMENTS_PER_TASK, end = first + ATTACHMENTS_PER_TASK;
    for (int k = first; k < end && k < job->count; ++k) {
        attachment *a = &job->s->world->attachments[job->slots[k]];
        if (can_move(job->s->world, a))
            solve_attachment(job->s, a);
    }
}

void pli_solve_attachments(const substep *s)
{
    const turn_plan *plan = &s->world->attachment_turns;
    if (s->world->attachment_slot_count == 0)
        return;
    for (int t = 0; t < plan->turn_count; ++t) {
        int count = plan->first[t + 1] - plan->first[t];
        attachment_job job = {s, plan->order + plan->first[t], count};
        pli_run_tasks(s->world, (count + ATTACHMENTS_PER_TASK - 1) / ATTACHMENTS_PER_TASK,
                      solve_some, &job);
    }
}

// Pulling in what was wrong before leaves no speed behind (as for contacts).
static void settle_attachment(const substep *s, const attachment *a)
{
    pliant_world *world = s->world;
    if (a->alpha < 1.0f || !(a->impulse * a->start_excess > 0.0f))
        return;
    vec3 n = vec3_normalize_or(moved_of(world, a), (vec3){0, 1, 0}), speed = {0, 0, 0};
    for (int k = 0; k < 2; ++k) {
        vec3 v = a->ends[k] >= 0 ? world->v[a->ends[k]] : vec3_scale(a->point_way, 1.0f / s->h);
        speed = vec3_add_scaled(speed, v, k ? 1.0f : -1.0f);
    }
    float mobility = mobility_of(world, a), sign = a->impulse > 0.0f ? 1.0f : -1.0f;
    float pulled = minimum(absolute(a->impulse) * mobility, absolute(a->start_excess));
    float excess = minimum(pulled / s->h, maximum(-sign * vec3_dot(n, speed), 0.0f));
    for (int k = 0; k < 2; ++k)
        if (a->ends[k] >= 0) {
            vec3 *v = &world->v[a->ends[k]];
            *v = vec3_add(*v, answer_of(world, a, k, vec3_scale(n, -sign * excess / mobility)));
        }
}

static void tear(pliant_world *world, attachment *a, int slot)
{
    free_slot(world, a);
    bool has_other = is_body_given(a->def.other_body);
    pliant_event event = {.kind = PLIANT_EVENT_BREAK,
                          .body = a->def.body,
                          .particle = a->def.particle,
                          .other_body = a->def.other_body,
                          .other_particle = has_other ? a->def.other_particle : -1,
                          .collider = a->def.collider,
                          .attachment = {(uint32_t)slot, a->generation},
                          .point = world->x[particle_of(world, a->def.body, a->def.particle)]};
    pli_note_event(world, &event);
}

void pli_settle_attachments(const substep *s)
{
    pliant_world *world = s->world;
    for (int slot = 0; slot < world->attachment_slot_count; ++slot) {
        attachment *a = &world->attachments[slot];
        if (!can_move(world, a))
            continue;
        settle_attachment(s, a);
        if (!is_body_given(a->def.other_body) && a->impulse != 0.0f) {
            body *b = &world->bodies[a->def.body.index];
            b->ledger.is_anchored = true;
            vec3 n = vec3_normalize_or(moved_of(world, a), (vec3){0, 1, 0});
            pli_note_drive(s, b, vec3_scale(n, a->impulse), a->point_way, 0.0f);
        }
        a->force = a->impulse / (s->h * s->h);
        if (a->def.strength > 0.0f && absolute(a->force) > a->def.strength)
            tear(world, a, slot);
    }
}
