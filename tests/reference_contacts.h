// The kernels of fast/contacts.inl, one particle and one contact after another. Results are the same, bit for bit.

#ifndef PLIANT_TESTS_REFERENCE_CONTACTS_H
#define PLIANT_TESTS_REFERENCE_CONTACTS_H

#include "world/contacts.h"

static inline vec3 reference_place(const contact_span *b, int i)
{
    return vec3_add(b->start[i], b->move[i].way);
}

static inline int reference_find_near_plane(const contact_span *b, const plane_span *p,
                                            int32_t *near)
{
    int count = 0;
    for (int i = 0; i < b->particle_count; ++i) {
        float height = vec3_dot(p->normal, reference_place(b, i)) - p->offset;
        float size = square_root(sym3_trace(b->shapes[i]));
        if (height < PLANE_REACH * size && !b->pinned[i])
            near[count++] = i;
    }
    return count;
}

static inline int reference_find_near_box(const contact_span *b, const box *solid, int32_t *near)
{
    int count = 0;
    for (int i = 0; i < b->particle_count; ++i) {
        vec3 start = vec3_add(b->origin, b->start[i]);
        vec3 end = vec3_add(b->origin, vec3_add(b->drift, reference_place(b, i)));
        float reach = b->sizes[i].largest * (1.0f + CONTACT_MARGIN);
        box ways = box_around(start, end, reach);
        if (boxes_overlap(solid, &ways) && !b->pinned[i])
            near[count++] = i;
    }
    return count;
}

static inline float reference_support(sym3 shape, const mat3 *R, vec3 n, vec3 *spread)
{
    vec3 u = mat3_transpose_mul_vec(R, n);
    *spread = sym3_mul_vec(shape, u);
    return square_root(vec3_dot(u, *spread));
}

static inline vec3 reference_way_of_plane(const contact_span *b, const plane_span *p, vec3 place,
                                          float height)
{
    vec3 foot = vec3_add_scaled(vec3_add(place, b->drift), p->normal, -height);
    vec3 local = quat_rotate(quat_conjugate(p->turn), vec3_add(p->from_solid, foot));
    vec3 turned = vec3_sub(quat_rotate(p->turn, local), quat_rotate(p->start_turn, local));
    return vec3_add(p->way, turned);
}

static inline void reference_touch_plane(const contact_span *b, const plane_span *p,
                                         const int32_t *near, int count, contact *out)
{
    for (int k = 0; k < count; ++k) {
        int i = near[k];
        mat3 R = quat_to_mat3(b->turn_start[i]);
        vec3 place = reference_place(b, i), spread;
        float support = reference_support(b->shapes[i], &R, p->normal, &spread);
        float height = vec3_dot(p->normal, place) - p->offset;
        float start_gap = vec3_dot(p->start_normal, b->start[i]) - p->start_offset - support;
        contact c = {.particle = b->particle_first + i,
                     .collider = p->collider,
                     .friction = p->friction,
                     .overlaps = height < support,
                     .normal = p->normal,
                     .offset = p->offset,
                     .start_depth = -start_gap};
        if (p->moves)
            c.surface_way = reference_way_of_plane(b, p, place, height);
        c.slack = maximum(0.0f, c.start_depth - b->push_out);
        c.approach = -vec3_dot(c.normal, vec3_add_scaled(b->v[i], c.surface_way, -1.0f / b->h));
        out[k] = c;
    }
}

static inline vec3 reference_across(vec3 v, vec3 n)
{
    return vec3_add_scaled(v, n, -vec3_dot(n, v));
}

// What has to be added to a particle's move to see how its contact point slips.
static inline vec3 reference_against(const contact_span *b, const contact *c)
{
    int i = c->particle - b->particle_first;
    mat3 R = quat_to_mat3(b->turn_start[i]), now = quat_to_mat3(b->turn[i]);
    mat3 turn = mat3_add(now, mat3_scale(R, -1.0f));
    vec3 n = c->normal, against = vec3_sub(b->drift, c->surface_way), spread;
    float height = reference_support(b->shapes[i], &R, n, &spread);
    vec3 rolled = vec3_scale(reference_across(mat3_mul_vec(&turn, spread), n), 1.0f / height);
    vec3 slid = reference_across(vec3_add(b->move[i].way, against), n);
    float length = vec3_length(rolled), most = vec3_length(slid) + SPIN_DRIVE * length;
    if (length > most)
        rolled = vec3_scale(rolled, most / length);
    return vec3_sub(against, rolled);
}

// What a batch holds is taken from the contacts themselves, but for the sums and what is predicted.
static inline void reference_begin_contacts(const contact_span *b, int first, int end)
{
    for (int k = first * LANES; k < end * LANES; ++k) {
        contact_batch *t = &b->batches[k / LANES];
        int lane = k % LANES;
        const contact *c = &b->contacts[t->contact[lane]];
        float inverse_mass = b->move[c->particle - b->particle_first].inverse_mass;
        vec3 against = reference_against(b, c);
        t->against[0][lane] = against.x;
        t->against[1][lane] = against.y;
        t->against[2][lane] = against.z;
        t->pushed[lane] = c->normal_impulse * inverse_mass;
        t->dragged[0][lane] = c->friction_impulse.x * inverse_mass;
        t->dragged[1][lane] = c->friction_impulse.y * inverse_mass;
        t->dragged[2][lane] = c->friction_impulse.z * inverse_mass;
    }
}

// Adds what takes back the slip across n to a sum that stays within the cone.
static inline vec3 reference_drag(vec3 sum, vec3 slip, vec3 n, float most)
{
    vec3 across = vec3_add_scaled(slip, n, -vec3_dot(n, slip));
    if (vec3_dot(across, across) >= SHORTEST_SLIP * SHORTEST_SLIP)
        sum = vec3_sub(sum, across);
    float length2 = vec3_dot(sum, sum);
    return length2 > most * most ? vec3_scale(sum, most / square_root(length2)) : sum;
}

static inline void reference_solve_contact(const contact_span *b, const contact *c, vec3 against,
                                           float *pushed, vec3 *dragged)
{
    int i = c->particle - b->particle_first;
    vec3 n = c->normal, *way = &b->move[i].way, spread;
    mat3 R = quat_to_mat3(b->turn_start[i]);
    float support = reference_support(b->shapes[i], &R, n, &spread);
    float rise = c->offset - vec3_dot(n, b->start[i]) - c->slack + support;
    float push = maximum(rise - vec3_dot(n, *way), 0.0f);
    *pushed += push;
    if (!(*pushed > 0.0f))
        return;
    vec3 moved = vec3_add_scaled(*way, n, push);
    vec3 slip = vec3_add(moved, against);
    vec3 before = *dragged;
    *dragged = reference_drag(before, slip, n, c->friction * *pushed);
    *way = vec3_add(moved, vec3_sub(*dragged, before));
}

static inline void reference_solve_contacts(const contact_span *b, int first, int end)
{
    for (int k = first * LANES; k < end * LANES; ++k) {
        contact_batch *t = &b->batches[k / LANES];
        int lane = k % LANES;
        if (lane >= t->count)
            continue;
        vec3 dragged = {t->dragged[0][lane], t->dragged[1][lane], t->dragged[2][lane]};
        const contact *c = &b->contacts[t->contact[lane]];
        vec3 against = {t->against[0][lane], t->against[1][lane], t->against[2][lane]};
        reference_solve_contact(b, c, against, &t->pushed[lane], &dragged);
        t->dragged[0][lane] = dragged.x;
        t->dragged[1][lane] = dragged.y;
        t->dragged[2][lane] = dragged.z;
    }
}

static inline void reference_end_contacts(const contact_span *b, int first, int end)
{
    for (int k = first * LANES; k < end * LANES; ++k) {
        contact_batch *t = &b->batches[k / LANES];
        int lane = k % LANES;
        if (lane >= t->count)
            continue;
        contact *c = &b->contacts[t->contact[lane]];
        float inverse_mass = b->move[c->particle - b->particle_first].inverse_mass;
        c->normal_impulse = t->pushed[lane] / inverse_mass;
        c->friction_impulse =
            (vec3){t->dragged[0][lane] / inverse_mass, t->dragged[1][lane] / inverse_mass,
                   t->dragged[2][lane] / inverse_mass};
    }
}

static inline void reference_use_contacts(kernels *k)
{
    k->find_near_plane = reference_find_near_plane;
    k->find_near_box = reference_find_near_box;
    k->touch_plane = reference_touch_plane;
    k->begin_contacts = reference_begin_contacts;
    k->solve_contacts = reference_solve_contacts;
    k->end_contacts = reference_end_contacts;
}

#endif
