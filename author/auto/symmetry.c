// A plane of symmetry goes through the centroid of the surface, along two of its principal axes. Where variances are
// equal these axes are arbitrary, as in a box with a square base; such things mostly stand along the file's own axes, so
// that those are tried first.

#include "symmetry.h"

#include "draft/tools.h"
#include "mesh/spread.h"
#include "mesh/surface_search.h"

#include <math.h>
#include <stdlib.h>

// Points to be tried of larger meshes.
enum { MOST_TRIES = 5000 };
// What is symmetric but for a button or a lock of hair: this part of the points may miss the tolerance, by this factor.
#define MOST_STRAYS 0.02f
#define FARTHEST    3.0f

static vec3 image_in(symmetry_plane plane, vec3 x)
{
    return vec3_add_scaled(x, plane.normal, -2.0f * (vec3_dot(plane.normal, x) - plane.offset));
}

static spread surface_spread(const topology *t)
{
    spread s;
    pli_spread_begin(&s, t->points[0]);
    for (int32_t i = 0; i < t->triangle_count; ++i) {
        const int32_t *c = t->triangles + 3 * (size_t)i;
        vec3 x = t->points[c[0]], y = t->points[c[1]], z = t->points[c[2]];
        float area = 0.5f * vec3_length(vec3_cross(vec3_sub(y, x), vec3_sub(z, x)));
        // The middles of the sides, weighted alike, have a triangle's own moments.
        pli_spread_add(&s, vec3_scale(vec3_add(x, y), 0.5f), area / 3.0f);
        pli_spread_add(&s, vec3_scale(vec3_add(y, z), 0.5f), area / 3.0f);
        pli_spread_add(&s, vec3_scale(vec3_add(z, x), 0.5f), area / 3.0f);
    }
    return s;
}

static bool is_symmetric(const topology *t, const surface_search *surface, symmetry_plane plane,
                         float tolerance)
{
    int32_t stride = t->point_count / MOST_TRIES + 1, strays = 0;
    double near2 = (double)tolerance * tolerance;
    for (int32_t p = 0; p < t->point_count; p += stride) {
        vec3 x = t->points[p];
        double distance2 = pli_surface_nearest(surface, image_in(plane, x)).distance2;
        strays += distance2 > near2;
        if (distance2 > FARTHEST * FARTHEST * near2 ||
            (float)strays * (float)stride > MOST_STRAYS * (float)t->point_count)
            return false;
    }
    return true;
}

static bool is_across_all(const symmetry_plane *planes, int count, vec3 normal)
{
    for (int i = 0; i < count; ++i)
        if (fabsf(vec3_dot(planes[i].normal, normal)) > 1e-3f)
            return false;
    return true;
}

int pli_draft_find_symmetries(pliant_draft *draft, float tolerance,
                              symmetry_plane planes[MOST_SYMMETRIES])
{
    const surface_search *surface = pli_draft_surface(draft);
    const topology *t = draft->topology;
    if (!surface)
        return -1;
    spread s = surface_spread(t);
    if (!(s.weight > 0.0))
        return 0;
    vec3 normals[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, centre = pli_spread_centre(&s);
    double variances[3];
    pli_spread_axes(&s, normals + 3, variances);
    int count = 0;
    for (int i = 0; i < 6 && count < MOST_SYMMETRIES; ++i) {
        symmetry_plane plane = {normals[i], vec3_dot(normals[i], centre)};
        if (is_across_all(planes, count, normals[i]) && is_symmetric(t, surface, plane, tolerance))
            planes[count++] = plane;
    }
    return count;
}

bool pli_draft_balance(pliant_draft *draft, symmetry_plane plane, float tolerance)
{
    cell_grid grid = {{0, 0, 0}, tolerance};
    cell_lists lists = {0};
    float *masses = malloc(((size_t)draft->particle_count + 1) * sizeof *masses);
    bool ok = masses && pli_draft_sort_into_cells(draft, &grid, &lists);
    for (int i = 0; i < draft->particle_count && ok; ++i) {
        const pliant_particle_def *particle = &draft->particles[i];
        int32_t image = pli_draft_find_in_cells(draft, &grid, &lists,
                                                image_in(plane, particle->position), NULL, NULL);
        masses[i] =
            image < 0 ? particle->mass : 0.5f * (particle->mass + draft->particles[image].mass);
    }
    for (int i = 0; i < draft->particle_count && ok; ++i)
        draft->particles[i].mass = draft->weights[i].found = masses[i];
    pli_cell_lists_release(&lists);
    free(masses);
    return ok;
}
