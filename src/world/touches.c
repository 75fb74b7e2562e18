// Who touches whom: contacts for callers, and the events that tell of changes.
//
// During a step each two bodies, or a body and a collider, that push each other are noted once, with the
// contact at which they came together fastest. At its end the sorted list is compared with that of the
// step before.

#include "calls.h"
#include "contacts.h"
#include "pairs.h"
#include "places.h"
#include "substep.h"

#include <string.h>

// So many partners of a body, at the most; the room for them is shared by all.
enum { TOUCHES_PER_BODY = 16, EVENTS_PER_TOUCH = 3, BATCHES_AHEAD = 8, BATCHES_AT_ONCE = 16 };
// Of entries, a power of two.
enum { LEAST_ROOM = 64 };

// Of a key of the step before: they hit each other in it. A hit at the end of a step goes on in the next
// one, where what is left of its speed would be told as another.
static const uint64_t HIT_BIT = 1ull << 63;

// ---------------------------------------------------------------------------------------------
// Memory

static uint64_t table_place(const touch_list *list, uint64_t key)
{
    return (key * 0x9e3779b97f4a7c15ull >> 24) & (2 * (uint64_t)list->room - 1);
}

// Where a key is in the table, or would be.
static uint64_t find_key(const touch_list *list, uint64_t key)
{
    uint64_t mask = 2 * (uint64_t)list->room - 1, at = table_place(list, key);
    while (list->table[at] && list->now[list->table[at] - 1].key != key)
        at = (at + 1) & mask;
    return at;
}

static void free_entries(const touch_list *list, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, list->now);
    pli_memory_free(allocator, list->contacts);
    pli_memory_free(allocator, list->order);
    pli_memory_free(allocator, list->table);
}

// Room for twice as many entries as there was room for. False when memory runs out.
static bool double_room(pliant_world *world)
{
    const pliant_allocator *allocator = &world->allocator;
    touch_list *list = &world->touches, grown = *list;
    grown.room = list->room < LEAST_ROOM ? LEAST_ROOM : 2 * list->room;
    size_t count = (size_t)grown.room;
    grown.now = pli_memory_new(allocator, count, sizeof *grown.now);
    grown.contacts = pli_memory_new(allocator, count, sizeof *grown.contacts);
    grown.order = pli_memory_new(allocator, count, sizeof *grown.order);
    grown.table = pli_memory_new(allocator, 2 * count, sizeof *grown.table);
    if (!grown.now || !grown.contacts || !grown.order || !grown.table) {
        free_entries(&grown, allocator);
        return false;
    }
    for (int k = 0; k < list->now_count; ++k) {
        grown.now[k] = list->now[k];
        grown.contacts[k] = list->contacts[k];
        grown.table[find_key(&grown, list->now[k].key)] = k + 1;
    }
    free_entries(list, allocator);
    *list = grown;
    return true;
}

bool pli_reserve_touch_keys(pliant_world *world, int keys)
{
    touch_list *list = &world->touches;
    if (keys <= list->key_room)
        return true;
    int room = pli_memory_room(list->key_room, keys);
    room = room < list->most ? room : keys < list->most ? list->most : keys;
    uint64_t *before = pli_memory_new(&world->allocator, (size_t)room, sizeof *before);
    uint64_t *merged = pli_memory_new(&world->allocator, (size_t)room, sizeof *merged);
    if (!before || !merged) {
        pli_memory_free(&world->allocator, before);
        pli_memory_free(&world->allocator, merged);
        return false;
    }
    if (list->before_count > 0)
        memcpy(before, list->before, (size_t)list->before_count * sizeof *before);
    pli_memory_free(&world->allocator, list->before);
    pli_memory_free(&world->allocator, list->merged);
    list->before = before;
    list->merged = merged;
    list->key_room = room;
    return true;
}

static bool reserve_events(pliant_world *world, int events)
{
    touch_list *list = &world->touches;
    return pli_memory_grow(&world->allocator, (void **)&list->events, sizeof *list->events,
                           list->event_count, &list->event_room, events);
}

// The most that there may be decides what is dropped: it follows from the bodies alone.
bool pli_reserve_touches(pliant_world *world, int bodies)
{
    touch_list *list = &world->touches;
    if (bodies > INT32_MAX / 4 / TOUCHES_PER_BODY)
        return false;
    if ((!list->table && !double_room(world)) || !reserve_events(world, 0))
        return false;
    int most = list->most < LEAST_ROOM ? LEAST_ROOM : list->most;
    while (most < bodies * TOUCHES_PER_BODY)
        most *= 2;
    list->most = most;
    return pli_reserve_touch_keys(world, LEAST_ROOM);
}

void pli_free_touches(touch_list *list, const pliant_allocator *allocator)
{
    free_entries(list, allocator);
    pli_memory_free(allocator, list->before);
    pli_memory_free(allocator, list->merged);
    pli_memory_free(allocator, list->events);
}

// ---------------------------------------------------------------------------------------------
// Noting

void pli_begin_touches(pliant_world *world)
{
    touch_list *list = &world->touches;
    list->now_count = list->event_count = list->dropped = 0;
    list->is_full = false;
    if (list->table)
        memset(list->table, 0, 2 * (size_t)list->room * sizeof *list->table);
}

// The entry of a key, made when it is not there; NULL when there is no room.
static touching *entry_of(touch_list *list, uint64_t key)
{
    uint64_t at = find_key(list, key);
    if (list->table[at])
        return &list->now[list->table[at] - 1];
    if (list->now_count == list->room) {
        list->dropped += 1;
        return NULL;
    }
    touching *entry = &list->now[list->now_count++];
    *entry = (touching){.key = key, .speed = -1e30f, .push = -1};
    list->contacts[entry - list->now] = (pliant_contact){0};
    list->table[at] = list->now_count;
    return entry;
}

// Whether so many more fit in, or have to: there is no more room to be had.
static bool fit_in(const touch_list *list, int count)
{
    return list->is_full || list->room == list->most || list->now_count + count <= list->room;
}

static void make_room(pliant_world *world)
{
    if (!double_room(world))
        world->touches.is_full = true;
}

static pliant_body_id body_id(const pliant_world *world, int slot)
{
    return (pliant_body_id){(uint32_t)slot, world->bodies[slot].generation};
}

static pliant_collider_id collider_id(const pliant_world *world, int slot)
{
    return (pliant_collider_id){(uint32_t)slot, world->colliders[slot].generation};
}

// The contact as a caller sees it.
static pliant_contact collider_contact(const pliant_world *world, const contact *c)
{
    int i = c->particle;
    const body *b = &world->bodies[world->owner[i]];
    mat3 R = quat_to_mat3(world->turn[i]);
    vec3 arm;
    pli_model_support(b->model, i - b->particle_first, &R, c->normal, &arm);
    return (pliant_contact){.body = body_id(world, world->owner[i]),
                            .particle = i - b->particle_first,
                            .other_particle = -1,
                            .collider = collider_id(world, c->collider),
                            .point = vec3_add(world->x[i], arm),
                            .normal = c->normal,
                            .force = c->normal_impulse * world->force_of_impulse};
}

// The body of the lower slot comes first, whatever the order of their particles.
static pliant_contact pair_as_contact(const pliant_world *world, int number, const pair_push *c)
{
    bool is_turned = world->owner[c->a] > world->owner[c->b];
    int i = is_turned ? c->b : c->a, j = is_turned ? c->a : c->b;
    const body *first = &world->bodies[world->owner[i]], *second = &world->bodies[world->owner[j]];
    return (pliant_contact){.body = body_id(world, world->owner[i]),
                            .particle = i - first->particle_first,
                            .other_body = body_id(world, world->owner[j]),
                            .other_particle = j - second->particle_first,
                            .point = vec3_add(world->x[c->a], push_arm(world, number)),
                            .normal = is_turned ? c->normal : vec3_negate(c->normal),
                            .force = c->normal_impulse * world->force_of_impulse};
}

// The entry of a key when it is to get a contact at this speed, or NULL.
static touching *note(touch_list *list, uint64_t key, float speed)
{
    touching *entry = entry_of(list, key);
    if (!entry || !(speed > entry->speed))
        return NULL;
    entry->speed = speed;
    return entry;
}

static bool pushes(const contact *c)
{
    return c->normal_impulse > 0.0f;
}

// The colliders that push a body. Its contacts with one of them come one after another, mostly.
static void note_colliders(pliant_world *world, int slot)
{
    const body *b = &world->bodies[slot];
    const contact *contacts = world->contacts + b->contact_first;
    for (int c = 0; c < b->contact_count;) {
        const contact *fastest = &contacts[c];
        for (; c < b->contact_count && contacts[c].collider == fastest->collider; ++c)
            if (pushes(&contacts[c]) &&
                (!pushes(fastest) || contacts[c].approach > fastest->approach))
                fastest = &contacts[c];
        if (!pushes(fastest))
            continue;
        uint64_t key = (uint64_t)slot << 32 | COLLIDER_BIT | (uint64_t)fastest->collider;
        if (!fit_in(&world->touches, 1))
            make_room(world);
        touching *entry = note(&world->touches, key, fastest->approach);
        if (entry)
            world->touches.contacts[entry - world->touches.now] = collider_contact(world, fastest);
    }
}

// Only which pair it was: most contacts are those of a faster pair soon.
static void note_push(pliant_world *world, int number, uint32_t a, uint32_t b, float approach)
{
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    touching *entry = note(&world->touches, key, approach);
    if (entry)
        entry->push = number;
}

// Batches are large, and little of them is read: it is asked for some batches before it is needed.
static void ask_for(const pair_batch *eight)
{
    __builtin_prefetch(eight->a);
    __builtin_prefetch(eight->approach);
}

// A push between two bodies: the number of its pair, and the bodies' slots.
typedef struct body_push {
    int32_t number, a, b;
    float approach;
} body_push;

// Adds those of a batch to a list; returns how many there are in it. Which lanes push, and whether two particles are of
// one body, is close to a coin toss: no branch depends on that.
static int add_pushes(const pliant_world *world, int index, body_push *list, int count)
{
    const pair_batch *eight = &world->pair_work.batches[index];
    for (int i = 0; i < PAIR_LANES; ++i) {
        int32_t a = world->owner[eight->a[i]], b = world->owner[eight->b[i]];
        list[count] = (body_push){index * PAIR_LANES + i, a, b, eight->approach[i]};
        count += (a != b) & (eight->normal_impulse[i] > 0.0f) & (i < eight->count);
    }
    return count;
}

static void note_batches(pliant_world *world)
{
    body_push list[BATCHES_AT_ONCE * PAIR_LANES];
    int batches = world->pair_work.batch_count;
    for (int first = world->touches.next_batch; first < batches; first += BATCHES_AT_ONCE) {
        int count = 0;
        for (int k = first; k < batches && k < first + BATCHES_AT_ONCE; ++k) {
            if (k + BATCHES_AHEAD < batches)
                ask_for(&world->pair_work.batches[k + BATCHES_AHEAD]);
            count = add_pushes(world, k, list, count);
        }
        if (!fit_in(&world->touches, count))
            return;
        world->touches.next_batch = first + BATCHES_AT_ONCE;
        for (int k = 0; k < count; ++k)
            note_push(world, list[k].number, (uint32_t)list[k].a, (uint32_t)list[k].b,
                      list[k].approach);
    }
}

static void note_singles(pliant_world *world)
{
    int singles = world->pair_work.batch_count * PAIR_LANES, *next = &world->touches.next_single;
    for (; *next < world->pair_work.single_count && fit_in(&world->touches, 1); ++*next) {
        pair_push c;
        if (find_push(world, singles + *next, &c) && world->owner[c.a] != world->owner[c.b])
            note_push(world, singles + *next, (uint32_t)world->owner[c.a],
                      (uint32_t)world->owner[c.b], c.approach);
    }
}

// From the fastest pairs of this substep to contacts.
static void describe_pushes(pliant_world *world)
{
    for (int k = 0; k < world->touches.now_count; ++k) {
        touching *entry = &world->touches.now[k];
        pair_push c;
        if (entry->push >= 0 && find_push(world, entry->push, &c))
            world->touches.contacts[k] = pair_as_contact(world, entry->push, &c);
        entry->push = -1;
    }
}

static bool are_batches_noted(const pliant_world *world)
{
    return world->touches.next_batch >= world->pair_work.batch_count;
}

static void note_more_pairs(pliant_world *world)
{
    note_batches(world);
    if (are_batches_noted(world))
        note_singles(world);
}

// Before colliders: where there is no room for all, it is theirs first.
void pli_note_pairs(const substep *s)
{
    s->world->touches.next_batch = s->world->touches.next_single = 0;
    note_more_pairs(s->world);
}

void pli_note_pairs_left(const substep *s)
{
    pliant_world *world = s->world;
    while (!are_batches_noted(world) ||
           world->touches.next_single < world->pair_work.single_count) {
        make_room(world);
        note_more_pairs(world);
    }
}

void pli_note_touches(const substep *s)
{
    pliant_world *world = s->world;
    world->force_of_impulse = 1.0f / (s->h * s->h);
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        if (!is_still(b) && b->contact_count > 0)
            note_colliders(world, world->active[k]);
    }
    if (pair_numbers(world) > 0)
        describe_pushes(world);
}

// ---------------------------------------------------------------------------------------------
// Events

void pli_note_event(pliant_world *world, const pliant_event *event)
{
    touch_list *list = &world->touches;
    if (list->event_count < list->most * EVENTS_PER_TOUCH &&
        reserve_events(world, list->event_count + 1))
        list->events[list->event_count++] = *event;
    else
        list->dropped += 1;
}

static void sift_down(touch_order *heap, int root, int count)
{
    touch_order moving = heap[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && heap[child + 1].key > heap[child].key;
        if (moving.key >= heap[child].key)
            break;
        heap[root] = heap[child];
    }
    heap[root] = moving;
}

// The entries in the order of their keys. In place: the library's qsort may take memory.
static void sort_by_key(touch_list *list)
{
    int count = list->now_count;
    touch_order *heap = list->order;
    for (int i = 0; i < count; ++i)
        heap[i] = (touch_order){list->now[i].key, i};
    for (int i = count / 2 - 1; i >= 0; --i)
        sift_down(heap, i, count);
    for (int i = count - 1; i > 0; --i) {
        touch_order last = heap[i];
        heap[i] = heap[0];
        heap[0] = last;
        sift_down(heap, 0, i);
    }
}

// Two that both sleep have not been looked at: they touch as before.
static bool both_asleep(const pliant_world *world, uint64_t key)
{
    const body *first = &world->bodies[key >> 32];
    return first->is_asleep &&
           ((key & COLLIDER_BIT) || world->bodies[key & (COLLIDER_BIT - 1)].is_asleep);
}

static void tell(pliant_world *world, pliant_event_kind kind, const touching *entry)
{
    const pliant_contact *c = &world->touches.contacts[entry - world->touches.now];
    pliant_event event = {.kind = kind,
                          .body = c->body,
                          .particle = c->particle,
                          .other_body = c->other_body,
                          .other_particle = c->other_particle,
                          .collider = c->collider,
                          .point = c->point,
                          .normal = c->normal,
                          .speed = maximum(entry->speed, 0.0f)};
    pli_note_event(world, &event);
}

static void tell_end(pliant_world *world, uint64_t key)
{
    int other = (int)(key & (COLLIDER_BIT - 1));
    pliant_event event = {.kind = PLIANT_EVENT_END,
                          .body = body_id(world, (int)(key >> 32)),
                          .particle = -1,
                          .other_particle = -1};
    if (key & COLLIDER_BIT)
        event.collider = collider_id(world, other);
    else
        event.other_body = body_id(world, other);
    pli_note_event(world, &event);
}

void pli_end_touches(pliant_world *world)
{
    touch_list *list = &world->touches;
    int keys = list->now_count + list->before_count;
    pli_reserve_touch_keys(world, keys < list->most ? keys : list->most);
    sort_by_key(list);
    int before = 0, merged = 0;
    for (int now = 0; now < list->now_count || before < list->before_count;) {
        uint64_t last = before < list->before_count ? list->before[before] : UINT64_MAX;
        uint64_t old = last == UINT64_MAX ? last : last & ~HIT_BIT;
        uint64_t found = now < list->now_count ? list->order[now].key : UINT64_MAX;
        if (old < found) {
            if (!both_asleep(world, old))
                tell_end(world, old);
            else if (merged < list->key_room)
                list->merged[merged++] = old;
            ++before;
            continue;
        }
        const touching *entry = &list->now[list->order[now++].entry];
        bool begins = found < old;
        bool is_fast = entry->speed >= world->def.impact_speed;
        bool hits = is_fast && (begins || !(last & HIT_BIT));
        before += !begins;
        if (begins)
            tell(world, PLIANT_EVENT_BEGIN, entry);
        if (hits)
            tell(world, PLIANT_EVENT_IMPACT, entry);
        if (merged < list->key_room)
            list->merged[merged++] = is_fast ? found | HIT_BIT : found;
    }
    uint64_t *spare = list->before;
    list->before = list->merged;
    list->before_count = merged;
    list->merged = spare;
}

static void forget(touch_list *list, uint64_t low_mask, uint64_t slot, bool also_first)
{
    int kept = 0;
    for (int i = 0; i < list->before_count; ++i) {
        uint64_t key = list->before[i] & ~HIT_BIT;
        bool goes = (key & low_mask) == slot || (also_first && key >> 32 == slot);
        if (!goes)
            list->before[kept++] = list->before[i];
    }
    list->before_count = kept;
    list->event_count = 0;
}

void pli_forget_contacts(pliant_world *world)
{
    world->pair_count = world->touching_pairs = 0;
    world->pair_work.batch_count = world->pair_work.single_count = 0;
    for (int k = 0; k < world->active_count; ++k) {
        body *b = &world->bodies[world->active[k]];
        b->contact_count = b->touching_count = 0;
    }
}

void pli_forget_body_touches(pliant_world *world, int slot)
{
    forget(&world->touches, UINT32_MAX, (uint64_t)slot, true);
}

void pli_forget_collider_touches(pliant_world *world, int slot)
{
    forget(&world->touches, UINT32_MAX, COLLIDER_BIT | (uint64_t)slot, false);
}

bool pli_touch_is_known(const pliant_world *world, uint64_t key)
{
    int64_t first = (int64_t)((key & ~HIT_BIT) >> 32), second = (int64_t)(key & (COLLIDER_BIT - 1));
    if (!(key & COLLIDER_BIT))
        return pli_are_bodies(world, first, second);
    return pli_are_bodies(world, first, first) && second < world->collider_slot_count &&
           world->colliders[second].is_alive;
}

// ---------------------------------------------------------------------------------------------
// For callers

int pliant_world_event_count(const pliant_world *world)
{
    return checked_world(world, __func__) ? world->touches.event_count : 0;
}

const pliant_event *pliant_world_events(const pliant_world *world)
{
    return checked_world(world, __func__) ? world->touches.events : NULL;
}

int pliant_world_contacts(const pliant_world *world, pliant_contact *contacts, int capacity)
{
    if (!checked_world(world, __func__) ||
        (capacity > 0 && !checked_pointer(world, contacts, "contacts", __func__)))
        return 0;
    int count = 0;
    for (int k = 0; k < world->active_count; ++k) {
        const body *b = &world->bodies[world->active[k]];
        for (int c = 0; c < b->contact_count && !is_still(b); ++c) {
            const contact *at = &world->contacts[b->contact_first + c];
            if (at->normal_impulse > 0.0f && count++ < capacity)
                contacts[count - 1] = collider_contact(world, at);
        }
    }
    for (int k = 0; k < pair_numbers(world); ++k) {
        pair_push c;
        if (!find_push(world, k, &c) ||
            (is_still(owner_of(world, c.a)) && is_still(owner_of(world, c.b))))
            continue;
        if (count++ < capacity)
            contacts[count - 1] = pair_as_contact(world, k, &c);
    }
    return count;
}
