// What a draft holds, for the tools.

#ifndef PLIANT_AUTHOR_DRAFT_DRAFT_H
#define PLIANT_AUTHOR_DRAFT_DRAFT_H

#include "mesh/select.h"
#include "mesh/topology.h"

#include <pliant/draft.h>

typedef struct matter matter;
struct draft_progress;

// Where a particle belongs, which stays when it drifts.
typedef struct draft_anchor {
    vec3 position;
    int32_t triangle; // on which it lies, or -1: inside or anywhere
} draft_anchor;

// What a particle weighs unless somebody says otherwise.
typedef struct draft_weight {
    float density;   // kg/m³
    float thickness; // m, of open sheets; 0: a tenth of the draft's spacing
    float found;     // kg; a particle of another mass, but for 0, has been given it
} draft_weight;

static inline draft_weight default_weight(void)
{
    return (draft_weight){.density = pliant_default_auto_def().density};
}

typedef struct draft_group {
    pliant_group_def def; // members are owned by the draft
} draft_group;

typedef struct draft_links {
    int32_t particles[PLIANT_MAX_LINKS];
    float weights[PLIANT_MAX_LINKS]; // all zero: not bound
} draft_links;

// The ends of limbs, as pli_matter_tips finds them.
typedef struct draft_tips {
    float reach; // 0: not looked for yet
    int32_t count, *points;
} draft_tips;

struct pliant_draft {
    const pliant_mesh *mesh;
    topology *topology;
    float spacing, bridge;           // 0 before somebody set them
    matter *matter;                  // NULL until a tool asks for it
    draft_tips tips;                 // of the matter, for the reach that was asked for last
    struct surface_search *surface;  // see pli_draft_surface
    struct draft_progress *progress; // see progress.h
    int tool_depth;                  // of tools that call tools: how many are under way
    int particle_count, particle_capacity;
    pliant_particle_def *particles;
    draft_anchor *anchors; // one per particle
    draft_weight *weights; // the same
    draft_weight weight;   // of particles to come
    bool is_weighed;       // masses by density are those of the particles as they are
    int32_t *origins; // its number before the recipe that runs, -1 for new ones; NULL without one
    int edge_count, edge_capacity;
    pliant_edge_def *edges; // a < b, in the order they were added
    int group_count, group_capacity;
    draft_group *groups;
    int hinge_count;
    pliant_hinge_def *hinges; // from an earlier model
    draft_links *links;       // one per vertex
    pliant_material material;
};

static inline bool is_bound(const pliant_draft *draft, int32_t vertex)
{
    return draft->links[vertex].weights[0] > 0.0f;
}

// The matter, and what is known of it, stays where both are as they were.
void pli_draft_change_scale(pliant_draft *draft, float spacing, float bridge);

// Room for `count` more, so that adding cannot fail halfway; false when memory ran out.
bool pli_draft_reserve_particles(pliant_draft *draft, int count);
bool pli_draft_reserve_edges(pliant_draft *draft, int count);
// Into reserved room.
void pli_draft_append_particle(pliant_draft *draft, const pliant_particle_def *particle,
                               draft_anchor anchor);
void pli_draft_append_edge(pliant_draft *draft, int32_t a, int32_t b,
                           const pliant_edge_def *values);
// Gives an edge the values of another, whose ends do not count, and these ends in rising order.
void pli_draft_set_edge(pliant_edge_def *to, int32_t a, int32_t b, const pliant_edge_def *values);

bool pli_draft_reserve_groups(pliant_draft *draft, int count);
// Into reserved room; takes the members over, which are at least one.
void pli_draft_append_group(pliant_draft *draft, const pliant_group_def *def,
                            pliant_selection *members);

// The search for triangles, made when it is asked for the first time; NULL when memory ran out.
const struct surface_search *pli_draft_surface(const pliant_draft *draft);

// pli_selection_mask of particles, with the result a tool returns.
pliant_result pli_draft_mask(const pliant_draft *draft, const pliant_selection *particles,
                             unsigned char **mask, pliant_error *error);

// Radii of a template: where all are 0, `fallback` in all directions.
vec3 pli_draft_radii(const pliant_particle_def *particle, float fallback);

#endif
