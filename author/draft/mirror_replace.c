// Putting one side in place of the other: those behind the plane go, those near it come to lie on it, and edges that
// crossed it join the halves again.

#include "core/error.h"
#include "draft/mirror.h"
#include "math/quat.h"
#include "mesh/spread.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

draft_anchor pli_mirror_anchor_at(const mirroring *m, draft_anchor anchor, vec3 x)
{
    if (anchor.triangle < 0)
        return (draft_anchor){x, -1};
    surface_point near = pli_surface_nearest(m->search, x);
    return (draft_anchor){near.position, near.triangle};
}

// ---------------------------------------------------------------------------------------------
// Groups that reach over the plane

bool pli_mirror_is_crossed(const mirroring *m, const pliant_group_def *group)
{
    bool has_original = false, has_gone = false;
    for (int32_t k = 0; k < group->member_count; ++k) {
        has_original = has_original || m->roles[group->members[k]] == ROLE_ORIGINAL;
        has_gone = has_gone || m->roles[group->members[k]] == ROLE_GONE;
    }
    return has_original && has_gone;
}

static bool is_member(const pliant_group_def *group, int32_t particle)
{
    for (int32_t k = 0; k < group->member_count; ++k)
        if (group->members[k] == particle)
            return true;
    return false;
}

bool pli_mirror_grow_group(mirroring *m, int group)
{
    const pliant_group_def *def = &m->draft->groups[group].def;
    pliant_selection *grown = &m->grown[group];
    grown->indices = malloc(2 * (size_t)def->member_count * sizeof *grown->indices);
    if (!grown->indices)
        return false;
    for (int32_t k = 0; k < def->member_count; ++k) {
        int32_t member = def->members[k], copy = m->partners[member];
        grown->indices[grown->count++] = member;
        // Only a copy that was there before can be a member already.
        if (m->roles[member] == ROLE_ORIGINAL && (copy >= m->count || !is_member(def, copy)))
            grown->indices[grown->count++] = copy;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Edges between the halves. Where an edge led to a particle that goes, it leads to the copy that takes its place: that of
// whoever is nearest to its image.

static int32_t nearest_to_image(const mirroring *m, int32_t gone)
{
    vec3 x = mirror_image(m, m->draft->particles[gone].position);
    int32_t best = -1;
    float best_square = FLT_MAX;
    for (int32_t i = 0; i < m->count; ++i) {
        if (m->roles[i] != ROLE_ORIGINAL && m->roles[i] != ROLE_ALONE)
            continue;
        vec3 d = vec3_sub(m->draft->particles[i].position, x);
        float square = vec3_dot(d, d);
        if (square < best_square) {
            best = i;
            best_square = square;
        }
    }
    return best;
}

// Whose image a particle is, or -1.
static int32_t image_source(const mirroring *m, int32_t particle)
{
    return particle >= m->count ? m->originals[particle - m->count] : m->partners[particle];
}

static bool has_edge(const mirroring *m, int32_t a, int32_t b)
{
    return a < m->count && b < m->count &&
           pli_mirror_find_edge(m, a < b ? a : b, a < b ? b : a) >= 0;
}

// Edges that are there, or come as images of others, are no joints.
static void add_joint(const mirroring *m, replacing *r, int32_t a, int32_t b,
                      const pliant_edge_def *like)
{
    if (a < 0 || b < 0 || a == b || has_edge(m, a, b))
        return;
    int32_t p = image_source(m, a), q = image_source(m, b);
    if (p >= 0 && q >= 0 && has_edge(m, p, q))
        return;
    pliant_edge_def *joint = &r->joints[r->joint_count++];
    *joint = *like;
    joint->a = a < b ? a : b;
    joint->b = a < b ? b : a;
}

static int compare_joints(const void *left, const void *right)
{
    const pliant_edge_def *p = left, *q = right;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    if (p->stretch_stiffness != q->stretch_stiffness)
        return p->stretch_stiffness < q->stretch_stiffness ? -1 : 1;
    if (p->stretch_limit != q->stretch_limit)
        return p->stretch_limit < q->stretch_limit ? -1 : 1;
    return (p->torsion_stiffness > q->torsion_stiffness) -
           (p->torsion_stiffness < q->torsion_stiffness);
}

static bool find_joints(const mirroring *m, replacing *r)
{
    int32_t *places = malloc(((size_t)m->count + 1) * sizeof *places);
    r->joints = malloc((2 * (size_t)m->edge_count + 1) * sizeof *r->joints);
    bool ok = places && r->joints;
    for (int32_t i = 0; ok && i < m->count; ++i)
        places[i] = -1;
    for (int i = 0; ok && i < m->edge_count; ++i) {
        const pliant_edge_def *edge = &m->draft->edges[i];
        bool goes_a = m->roles[edge->a] == ROLE_GONE, goes_b = m->roles[edge->b] == ROLE_GONE;
        if (goes_a == goes_b)
            continue;
        int32_t stays = goes_a ? edge->b : edge->a, goes = goes_a ? edge->a : edge->b;
        if (places[goes] < 0)
            places[goes] = nearest_to_image(m, goes);
        if (places[goes] < 0)
            continue;
        add_joint(m, r, stays, m->partners[places[goes]], edge);
        add_joint(m, r, m->partners[stays], places[goes], edge);
    }
    free(places);
    if (ok)
        qsort(r->joints, (size_t)r->joint_count, sizeof *r->joints, compare_joints);
    return ok;
}

// The first of equal ones counts.
static void join_halves(const mirroring *m, const replacing *r)
{
    for (int i = 0; i < r->joint_count; ++i) {
        const pliant_edge_def *edge = &r->joints[i];
        if (i > 0 && edge[-1].a == edge->a && edge[-1].b == edge->b)
            continue;
        pli_draft_append_edge(m->draft, edge->a, edge->b, edge);
    }
}

// ---------------------------------------------------------------------------------------------

bool pli_mirror_prepare(const mirroring *m, replacing *r)
{
    r->gone.indices = malloc(((size_t)m->count + 1) * sizeof *r->gone.indices);
    if (!r->gone.indices || !find_joints(m, r)) {
        free(r->gone.indices);
        free(r->joints);
        return false;
    }
    for (int32_t i = 0; i < m->count; ++i)
        if (m->roles[i] == ROLE_GONE)
            r->gone.indices[r->gone.count++] = i;
    return true;
}

static vec3 onto_plane(const mirroring *m, vec3 x)
{
    return vec3_add_scaled(x, m->normal, -mirror_side(m, x));
}

// The mean of an ellipsoid and its image: of the matrix that its points x obey in x·S⁻¹x = 1, found as the covariance of
// the ends of its axes and of their images.
static void make_even(const mirroring *m, pliant_particle_def *particle)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    vec3 own[3];
    double variances[3];
    spread ends;
    pli_spread_begin(&ends, (vec3){0, 0, 0});
    for (int k = 0; k < 3; ++k) {
        vec3 end = vec3_scale(quat_rotate(particle->orientation, axes[k]), (&particle->radii.x)[k]);
        vec3 image = vec3_add_scaled(end, m->normal, -2.0f * vec3_dot(m->normal, end));
        pli_spread_add(&ends, end, 1.0f);
        pli_spread_add(&ends, vec3_negate(end), 1.0f);
        pli_spread_add(&ends, image, 1.0f);
        pli_spread_add(&ends, vec3_negate(image), 1.0f);
    }
    pli_spread_axes(&ends, own, variances);
    for (int k = 0; k < 3; ++k)
        (&particle->radii.x)[k] = (float)sqrt(3.0 * variances[k]);
    particle->orientation = quat_from_axes(own[0], own[1], own[2]);
}

static void put_on_plane(mirroring *m)
{
    pliant_draft *draft = m->draft;
    for (int i = 0; i < m->count; ++i) {
        if (m->roles[i] != ROLE_ALONE || !m->selected[i])
            continue;
        draft->particles[i].position = onto_plane(m, draft->particles[i].position);
        make_even(m, &draft->particles[i]);
        draft->anchors[i] =
            pli_mirror_anchor_at(m, draft->anchors[i], onto_plane(m, draft->anchors[i].position));
    }
}

// With fewer particles to follow, a vertex would go the wrong way: it is better bound anew.
static void unbind_followers(const mirroring *m)
{
    for (int32_t v = 0; v < m->draft->mesh->vertex_count; ++v) {
        draft_links *links = &m->draft->links[v];
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
            if (links->weights[k] > 0.0f && links->particles[k] < m->count &&
                m->roles[links->particles[k]] == ROLE_GONE) {
                *links = (draft_links){0};
                break;
            }
        }
    }
}

pliant_result pli_mirror_replace(mirroring *m, replacing *r, pliant_error *error)
{
    put_on_plane(m);
    join_halves(m, r);
    unbind_followers(m);
    pliant_result result = pliant_draft_remove(m->draft, &r->gone, error);
    free(r->gone.indices);
    free(r->joints);
    return result;
}
