// What the automatic tool knows of its work, and how it gives particles their shapes (auto_shape.c).

#ifndef PLIANT_AUTHOR_AUTO_AUTO_H
#define PLIANT_AUTHOR_AUTO_AUTO_H

#include "matter/matter.h"
#include "symmetry.h"

// Parts thinner than this many spacings become chains and single layers.
#define THIN_SPACINGS 0.9f

// What is to be done, and what is known of the mesh.
typedef struct auto_plan {
    const pliant_auto_def *def;
    vec3 low, high; // corners of its box
    int plane_count;
    symmetry_plane planes[MOST_SYMMETRIES];
} auto_plan;

// Where there is no inside it is an open sheet.
static inline bool is_at_thick_part(const matter *m, int32_t node)
{
    for (int32_t k = m->first_link[node]; k < m->first_link[node + 1]; ++k)
        if (m->link_nodes[k] >= m->surface_count)
            return true;
    return false;
}

// The mean thickness of what is thin, or 0 when less than two thirds of the object are.
float pli_auto_thin_thickness(const pliant_draft *draft);

// Below, `first` is the particle to begin with.

// Takes particles in thin parts to the middle; those that come together are merged, if asked for.
pliant_result pli_auto_centre_thin(pliant_draft *draft, const auto_plan *plan, int first,
                                   bool merges, pliant_error *error);
// Gives particles their stiffness and ellipsoids.
pliant_result pli_auto_shape(pliant_draft *draft, const auto_plan *plan, int first,
                             pliant_error *error);
// The same for all, and puts more where the surface is bare.
pliant_result pli_auto_shape_all(pliant_draft *draft, const auto_plan *plan, pliant_error *error);
// What is symmetric becomes so in its particles and edges, too: one side takes the place of the other.
pliant_result pli_auto_make_symmetric(pliant_draft *draft, const auto_plan *plan,
                                      pliant_error *error);

#endif
