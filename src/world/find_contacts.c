// Which particles touch colliders in a substep, or come so near that they may, and in which batches they are solved.

#include "contacts.h"
#include "places.h"
#include "substep.h"
#include "tasks.h"

#include "form/form.h"

// A fast particle moves further in a substep than this part of its thinnest radius.
static const float FAST_WAY = 0.5f;
enum { TOUCHES_PER_COLLIDER = 8 };
// Of a large body, so many contacts with a plane are one task: a multiple of eight.
enum { CONTACTS_PER_TASK = 256 };

static float combined_friction(const body *b, const collider *c)
{
    return square_root(b->friction * c->friction);
}

// How far a plane at `point` is from a body's origin, in double precision: both may be far from the
// world's.
static float local_offset(vec3 n, vec3 point, vec3 origin)
{
    double along = (double)n.x * ((double)point.x - (double)origin.x) +
                   (double)n.y * ((double)point.y - (double)origin.y) +
                   (double)n.z * ((double)point.z - (double)origin.z);
    return (float)along;
}

// A free particle bounces with its contact point, at the end of the substep; others with their bodies (landing.c).
static void note_bounce(const substep *s, const body *b, contact *c)
{
    const pliant_world *world = s->world;
    int i = c->particle, k = i - b->particle_first;
    bool is_free = b->model->turns_freely[k];
    float restitution = pli_combined_restitution(b, &world->colliders[c->collider]);
    if (restitution == 0.0f && (is_free || !b->model->is_rigid[k]))
        return;
    float pull = -b->gravity_scale * vec3_dot(c->normal, world->def.gravity);
    float v = c->approach - pull * s->h; // before this substep's gravity
    float gap = maximum(-c->start_depth, 0.0f);
    if (is_free) {
        mat3 R = quat_to_mat3(world->turn_start[i]);
        vec3 arm;
        pli_model_support(b->model, k, &R, c->normal, &arm);
        v -= vec3_dot(c->normal, vec3_cross(world->spin[i], arm));
        contact_side side = pli_contact_side(world, b, i, &R, arm);
        c->hit_mobility = contact_mobility(&side, c->normal);
    }
    if (v < world->def.restitution_threshold)
        return;
    c->lands = !is_free;
    if (is_free)
        c->rebound = pli_rebound_speed(restitution, v, pull, gap, s->time);
}

// What follows from a contact that is predicted to overlap.
static void note_hit(const substep *s, const body *b, contact *c)
{
    float *hit_speed = &s->world->hit_speed[c->particle];
    *hit_speed = maximum(*hit_speed, c->approach);
    note_bounce(s, b, c);
}

// Adds a contact that was at `start_gap` before the substep and is predicted to be at `gap`.
static void add_contact(const substep *s, body *b, contact c, float start_gap, float gap)
{
    pliant_world *world = s->world;
    b->contacts_found += 1;
    if (b->contact_count == b->contact_room) {
        b->dropped_contacts += 1;
        return;
    }
    c.friction = combined_friction(b, &world->colliders[c.collider]);
    c.start_depth = -start_gap;
    c.slack = maximum(0.0f, c.start_depth - world->def.depenetration_speed * s->h);
    vec3 relative = vec3_add_scaled(world->v[c.particle], c.surface_way, -1.0f / s->h);
    c.approach = -vec3_dot(c.normal, relative);
    c.overlaps = gap < 0.0f;
    if (c.overlaps)
        note_hit(s, b, &c);
    contacts_of(world, b)[b->contact_count++] = c;
}

static vec3 way_of_point(const collider *solid, vec3 local)
{
    vec3 turned = vec3_sub(quat_rotate(solid->end.orientation, local),
                           quat_rotate(solid->pose.orientation, local));
    return vec3_add(vec3_sub(solid->end.position, solid->pose.position), turned);
}

// ---------------------------------------------------------------------------------------------
// Planes

static plane_span plane_of(const pliant_world *world, const body *b, int slot)
{
    const collider *solid = &world->colliders[slot];
    const vec3 up = {0, 1, 0};
    vec3 n = quat_rotate(solid->end.orientation, up);
    vec3 start_n = quat_rotate(solid->pose.orientation, up);
    return (plane_span){.collider = slot,
                        .friction = combined_friction(b, solid),
                        .start_normal = start_n,
                        .normal = n,
                        .start_offset = local_offset(start_n, solid->pose.position, b->origin),
                        .offset =
                            local_offset(n, solid->end.position, b->origin) - vec3_dot(n, b->drift),
                        .moves = pli_collider_moves(solid),
                        .start_turn = solid->pose.orientation,
                        .turn = solid->end.orientation,
                        .from_solid = vec3_sub(b->origin, solid->end.position),
                        .way = vec3_sub(solid->end.position, solid->pose.position)};
}

// Whether a particle of the body may be near the plane, by the box around all of them.
static bool comes_near_plane(const body *b, const plane_span *p)
{
    vec3 n = p->normal, low = b->bounds.low, high = b->bounds.high;
    vec3 lowest = {n.x > 0.0f ? low.x : high.x, n.y > 0.0f ? low.y : high.y,
                   n.z > 0.0f ? low.z : high.z};
    vec3 place = vec3_sub(vec3_sub(lowest, b->origin), b->drift);
    return !(vec3_dot(n, place) - p->offset > b->plane_reach);
}

// What the tasks of a large body need, to find contacts with a plane.
typedef struct plane_job {
    const substep *s;
    const body *b;
    contact_span span;
    plane_span plane;
    int32_t *near; // particles, of each range from its first place on
    contact *contacts;
    int count;
} plane_job;

// Where there is room left in a range's places, its list ends with -1.
static void find_near_range(void *context, int first, int end)
{
    const plane_job *job = context;
    contact_span range = job->span;
    int32_t *near = job->near + first;
    range.start += first;
    range.move += first;
    range.shapes += first;
    range.sizes += first;
    range.pinned += first;
    range.particle_count = end - first;
    int count = job->s->world->kernels->find_near_plane(&range, &job->plane, near);
    for (int k = 0; k < count; ++k)
        near[k] += first;
    if (count < end - first)
        near[count] = -1;
}

// Moves the lists of all ranges together; returns how many there are.
static int join_near(const body *b, int32_t *near)
{
    int count = 0, particles = b->model->source.particle_count;
    int range = is_large(b) ? RANGE_PARTICLES : particles;
    for (int first = 0; first < particles; first += range)
        for (int i = first; i < particles && i < first + range && near[i] >= 0; ++i)
            near[count++] = near[i];
    return count;
}

static void touch_plane_task(int index, void *context)
{
    plane_job *job = context;
    int first = index * CONTACTS_PER_TASK, last = first + CONTACTS_PER_TASK;
    int end = job->count < last ? job->count : last;
    for (int k = first; k < end; k += LANES) {
        contact *contacts = job->contacts + k;
        int lanes = end - k < LANES ? end - k : LANES;
        job->s->world->kernels->touch_plane(&job->span, &job->plane, job->near + k, lanes,
                                            contacts);
        for (int lane = 0; lane < lanes; ++lane)
            if (contacts[lane].overlaps)
                note_hit(job->s, job->b, &contacts[lane]);
    }
}

static void find_plane_contacts(const substep *s, body *b, int slot)
{
    const pliant_world *world = s->world;
    plane_job job = {
        .s = s, .b = b, .span = pli_contact_span(s, b), .plane = plane_of(world, b, slot)};
    if (!comes_near_plane(b, &job.plane))
        return;
    job.near = world->contacts_seen + b->particle_first;
    pli_run_particles(world, b, find_near_range, &job);
    int found = join_near(b, job.near);
    int room = b->contact_room - b->contact_count;
    job.count = found < room ? found : room;
    job.contacts = job.count > 0 ? job.span.contacts + b->contact_count : NULL;
    pli_run_body_tasks(world, b, (job.count + CONTACTS_PER_TASK - 1) / CONTACTS_PER_TASK,
                       touch_plane_task, &job);
    b->dropped_contacts += found - job.count;
    b->contacts_found += found;
    b->contact_count += job.count;
}

// ---------------------------------------------------------------------------------------------
// Other solids

// Whether the body has this contact already.
static bool is_known(const pliant_world *world, const body *b, const contact *c)
{
    const contact *contacts = contacts_of(world, b);
    for (int k = 0; k < b->contact_count; ++k)
        if (contacts[k].particle == c->particle && contacts[k].collider == c->collider &&
            vec3_dot(contacts[k].normal, c->normal) > 0.999999f)
            return true;
    return false;
}

// One particle against a solid, in the solid's axes. `only_missed`: only surfaces that a fast one has
// passed on its way; true when there are any.
static bool find_particle_contacts(const substep *s, body *b, int slot, int k, bool only_missed)
{
    pliant_world *world = s->world;
    const collider *solid = &world->colliders[slot];
    int i = b->particle_first + k;
    quat back = quat_conjugate(solid->end.orientation);
    vec3 start = vec3_add(vec3_sub(b->origin, solid->pose.position), world->start[i]);
    vec3 end = vec3_add(vec3_sub(b->origin, solid->end.position),
                        vec3_add(b->drift, current_position(world, i)));
    vec3 from = quat_rotate(quat_conjugate(solid->pose.orientation), start);
    vec3 to = quat_rotate(back, end), way = vec3_sub(to, from);
    form seen = form_turned(pli_model_form(b->model, k), quat_mul(back, world->turn_start[i]));
    float thin = FAST_WAY * pli_smallest_radius(b, k);
    bool is_fast = vec3_dot(way, way) > thin * thin;
    float margin = CONTACT_MARGIN * pli_largest_radius(b, k);
    if (only_missed && !is_fast)
        return false;
    const mat3 own_axes = mat3_identity();
    bool is_missed = false;
    touch touches[TOUCHES_PER_COLLIDER];
    int found = pli_form_touches(&seen, solid->shape, from, way, is_fast, margin, touches,
                                 TOUCHES_PER_COLLIDER);
    int count = found < TOUCHES_PER_COLLIDER ? found : TOUCHES_PER_COLLIDER;
    b->dropped_contacts += found - count;
    for (int t = 0; t < count; ++t) {
        vec3 n = touches[t].normal, arm;
        float support = form_support(&seen, &own_axes, n, &arm);
        float start_gap = vec3_dot(n, vec3_sub(from, touches[t].point)) - support;
        float gap = vec3_dot(n, vec3_sub(to, touches[t].point)) - support;
        contact c = {.particle = i, .collider = slot};
        c.normal = quat_rotate(solid->end.orientation, n);
        if (only_missed && !(gap < -1e-3f * pli_smallest_radius(b, k)))
            continue;
        is_missed = true;
        if (only_missed && is_known(world, b, &c))
            continue;
        // From how far the predicted place is above the plane, not from where the point is: differences
        // of nearby numbers.
        c.offset = vec3_dot(c.normal, current_position(world, i)) - (gap + support);
        if (pli_collider_moves(solid))
            c.surface_way = way_of_point(solid, touches[t].point);
        add_contact(s, b, c, start_gap, gap);
    }
    return is_missed;
}

// Around the way of a particle, with what is watched around it.
static box way_box(const pliant_world *world, const body *b, int k)
{
    int i = b->particle_first + k;
    vec3 start = vec3_add(b->origin, world->start[i]);
    vec3 end = vec3_add(b->origin, vec3_add(b->drift, current_position(world, i)));
    return box_around(start, end, pli_largest_radius(b, k) * (1.0f + CONTACT_MARGIN));
}

static void find_solid_contacts(const substep *s, body *b, int slot)
{
    const pliant_world *world = s->world;
    const box *bounds = &world->colliders[slot].bounds;
    if (!boxes_overlap(bounds, &b->bounds))
        return;
    contact_span span = pli_contact_span(s, b);
    int32_t *near = world->contacts_seen + b->particle_first;
    int count = world->kernels->find_near_box(&span, bounds, near);
    for (int k = 0; k < count; ++k)
        find_particle_contacts(s, b, slot, near[k], false);
}

// ---------------------------------------------------------------------------------------------
// Batches

// Contacts of the last colour are solved alone.
static void colour_contacts(const pliant_world *world, const body *b)
{
    contact *contacts = contacts_of(world, b);
    for (int k = 0; k < b->contact_count; ++k)
        world->contacts_seen[contacts[k].particle] = 0;
    for (int k = 0; k < b->contact_count; ++k) {
        int i = contacts[k].particle, colour = world->contacts_seen[i]++;
        if (colour > CONTACT_COLOURS || b->model->answers_rigidly[i - b->particle_first])
            colour = CONTACT_COLOURS;
        contacts[k].colour = (int16_t)colour;
    }
}

static int block_of_contact(const body *b, const contact *c)
{
    return is_large(b) ? b->model->block_of[c->particle - b->particle_first] : 0;
}

// Numbers of contacts by the blocks of their particles, in their order within one.
static void sort_by_block(const pliant_world *world, const body *b, int32_t *sorted)
{
    const contact *contacts = contacts_of(world, b);
    int32_t *place = world->block_work, first = 0;
    if (!is_large(b)) {
        for (int k = 0; k < b->contact_count; ++k)
            sorted[k] = k;
        return;
    }
    memset(place, 0, (size_t)b->model->blocks.count * sizeof *place);
    for (int k = 0; k < b->contact_count; ++k)
        place[block_of_contact(b, &contacts[k])] += 1;
    for (int block = 0; block < b->model->blocks.count; ++block) {
        int32_t count = place[block];
        place[block] = first;
        first += count;
    }
    for (int k = 0; k < b->contact_count; ++k)
        sorted[place[block_of_contact(b, &contacts[k])]++] = k;
}

// Puts those of some contacts that have a colour into batches: from the front those that overlap, the others from the
// back, so that few batches have much to do.
static void fill_batches(const contact *contacts, const int32_t *numbers, int number_count,
                         int colour, int count, contact_batch *batches)
{
    int front = 0, back = count;
    for (int k = 0; k < number_count; ++k) {
        const contact *c = &contacts[numbers[k]];
        if (c->colour != colour)
            continue;
        int at = c->overlaps ? front : back - 1;
        front += c->overlaps;
        back -= !c->overlaps;
        batches[at / LANES].contact[at % LANES] = numbers[k];
    }
    for (int first = 0; first < count; first += LANES)
        batches[first / LANES].count = count - first < LANES ? count - first : LANES;
    for (int at = count; at % LANES != 0; ++at)
        batches[at / LANES].contact[at % LANES] = batches[at / LANES].contact[at % LANES - 1];
}

// The batches of one block's contacts.
static void choose_block_batches(const pliant_world *world, body *b, const int32_t *numbers,
                                 int number_count)
{
    const contact *contacts = contacts_of(world, b);
    int counts[CONTACT_COLOURS + 1] = {0}, block = block_of_contact(b, &contacts[numbers[0]]);
    for (int k = 0; k < number_count; ++k)
        counts[contacts[numbers[k]].colour] += 1;
    for (int colour = 0; colour < CONTACT_COLOURS && counts[colour] > 0; ++colour) {
        contact_batch *batches =
            world->contact_batches + b->contact_batch_first + b->contact_batch_count;
        int batch_count = (counts[colour] + LANES - 1) / LANES;
        fill_batches(contacts, numbers, number_count, colour, counts[colour], batches);
        for (int i = 0; i < batch_count; ++i)
            batches[i].block = block;
        b->contact_batch_count += batch_count;
    }
    b->lone_contact_count += counts[CONTACT_COLOURS];
}

// Which contacts are solved together, and which alone.
static void choose_batches(const pliant_world *world, body *b)
{
    const contact *contacts = contacts_of(world, b);
    int32_t *list = world->contact_list + b->contact_first;
    colour_contacts(world, b);
    sort_by_block(world, b, list);
    b->contact_batch_count = b->lone_contact_count = 0;
    for (int first = 0, end; first < b->contact_count; first = end) {
        int block = block_of_contact(b, &contacts[list[first]]);
        for (end = first + 1; end < b->contact_count; ++end)
            if (is_large(b) && block_of_contact(b, &contacts[list[end]]) != block)
                break;
        choose_block_batches(world, b, list + first, end - first);
    }
    for (int k = 0, lone = 0; lone < b->lone_contact_count; ++k)
        if (contacts[k].colour == CONTACT_COLOURS)
            list[lone++] = k;
}

// Particles that are deep in a collider come no deeper, but are pushed out when all has been solved (push_out in
// contacts.c).
static void hold_deep_contacts(const pliant_world *world, const body *b)
{
    contact *contacts = contacts_of(world, b);
    for (int k = 0; k < b->contact_count; ++k) {
        contact *c = &contacts[k];
        if (c->start_depth > 0.0f && is_deep(b, c))
            c->slack = c->start_depth;
    }
}

void pli_begin_contacts(const substep *s, body *b)
{
    hold_deep_contacts(s->world, b);
    choose_batches(s->world, b);
    pli_run_contact_batches(s, b, s->world->kernels->begin_contacts);
}

// Where particles that are pushed may pass surfaces on their new way, as many as there may be.
static int contacts_wanted(const pliant_world *world, const body *b)
{
    int most = pli_most_contacts(b->model);
    if (b->contacts_found == 0)
        return 0;
    return b->contacts_found > most || pli_meets_solids(world, b) ? most : b->contacts_found;
}

void pli_find_contacts(const substep *s, body *b)
{
    const pliant_world *world = s->world;
    int dropped = b->dropped_contacts;
    b->contact_count = b->contacts_found = 0;
    b->is_carried = false;
    near_colliders near;
    pli_find_near_colliders(world, &b->bounds, &near);
    for (int n = 0; n < near.count; ++n) {
        int slot = near_collider(&near, n);
        const collider *solid = &world->colliders[slot];
        if (!pli_collider_meets(solid, b))
            continue;
        if (has_plane_kernel(solid))
            find_plane_contacts(s, b, slot);
        else
            find_solid_contacts(s, b, slot);
    }
    b->contacts_wanted = contacts_wanted(world, b);
    b->looks_again = b->contacts_wanted > b->contact_room;
    if (b->looks_again)
        b->dropped_contacts = dropped;
    else if (b->contact_count > 0)
        pli_begin_contacts(s, b);
}

// ---------------------------------------------------------------------------------------------
// After solving

static bool moves_far(const pliant_world *world, const body *b, int k)
{
    vec3 way = vec3_add(world->move[b->particle_first + k].way, b->drift);
    float thin = FAST_WAY * pli_smallest_radius(b, k);
    return vec3_dot(way, way) > thin * thin;
}

// Whether a particle has passed surfaces on its way that it has no contact with; then it gets them.
static bool find_missed_of_particle(const substep *s, body *b, int k)
{
    const pliant_world *world = s->world;
    bool is_fast = moves_far(world, b, k), is_missed = false;
    box ways = way_box(world, b, k);
    near_colliders near;
    near.count = 0;
    if (!world->pinned[b->particle_first + k])
        pli_find_near_colliders(world, &ways, &near);
    for (int n = 0; n < near.count; ++n) {
        int slot = near_collider(&near, n);
        const collider *solid = &world->colliders[slot];
        if (pli_collider_meets(solid, b) && !has_plane_kernel(solid) &&
            (is_fast || pli_collider_moves(solid)) && boxes_overlap(&solid->bounds, &ways))
            is_missed = find_particle_contacts(s, b, slot, k, true) || is_missed;
    }
    return is_missed;
}

// The same for all particles that have been pushed.
bool pli_find_missed_contacts(const substep *s, body *b)
{
    const pliant_world *world = s->world;
    const contact *contacts = contacts_of(world, b);
    int count = b->contact_count;
    bool is_missed = false;
    for (int c = 0; c < count; ++c)
        world->contacts_seen[contacts[c].particle] = 0;
    for (int c = 0; c < count; ++c) {
        int i = contacts[c].particle;
        if (contacts[c].normal_impulse > 0.0f && world->contacts_seen[i]++ == 0)
            is_missed = find_missed_of_particle(s, b, i - b->particle_first) || is_missed;
    }
    return is_missed;
}
