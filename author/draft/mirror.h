// What mirroring knows of a draft, for the tool itself and for putting one side in place of the other.

#ifndef PLIANT_DRAFT_MIRROR_H
#define PLIANT_DRAFT_MIRROR_H

#include "draft/draft.h"
#include "mesh/surface_search.h"

typedef enum mirror_role {
    ROLE_NONE,
    ROLE_ORIGINAL,
    ROLE_ALONE,
    ROLE_COPY,
    ROLE_GONE, // makes room for a copy
} mirror_role;

typedef struct mirroring {
    pliant_draft *draft;
    const surface_search *search;
    const unsigned char *selected;
    bool replaces;
    vec3 normal; // of unit length
    float offset, tolerance;
    int count;             // of particles before
    int edge_count;        // of edges before
    int new_count;         // of copies that are not there yet
    unsigned char *roles;  // one per particle
    int32_t *partners;     // who is at the image of each; of those that take no part -1
    int32_t *originals;    // of new copies
    int32_t *sorted_edges; // by their ends
    int32_t *images; // the group that is each one's image, or -1; new ones come behind the others
    int old_group_count;
    int group_count; // of new ones
    int32_t *groups; // whose images they are
    pliant_selection *group_members;
    pliant_selection *grown; // new members of each group that reaches over the plane, or none
} mirroring;

static inline float mirror_side(const mirroring *m, vec3 x)
{
    return vec3_dot(m->normal, x) - m->offset;
}

static inline vec3 mirror_image(const mirroring *m, vec3 x)
{
    return vec3_add_scaled(x, m->normal, -2.0f * mirror_side(m, x));
}

// An anchor like this one at x, or where the surface is nearest to it.
draft_anchor pli_mirror_anchor_at(const mirroring *m, draft_anchor anchor, vec3 x);

// The edge between a < b among those there were before, or -1.
int32_t pli_mirror_find_edge(const mirroring *m, int32_t a, int32_t b);

// Groups with members that are mirrored and others that make room are their own images: the copies join them.
bool pli_mirror_is_crossed(const mirroring *m, const pliant_group_def *group);
bool pli_mirror_grow_group(mirroring *m, int group); // false without memory

// What is needed to put one side in place of the other.
typedef struct replacing {
    pliant_edge_def *joints; // edges between the halves
    int joint_count;
    pliant_selection gone;
} replacing;

// To be called before anything changes; false without memory, and then nothing is held.
bool pli_mirror_prepare(const mirroring *m, replacing *r);
// To be called when the copies are there. Releases what was prepared.
pliant_result pli_mirror_replace(mirroring *m, replacing *r, pliant_error *error);

#endif
