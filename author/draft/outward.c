// An ellipsoid looks the same after its axes were exchanged, or turned among axes of equal radius: a sphere has
// one that points exactly outwards.

#include "outward.h"

#include "math/quat.h"

typedef struct axes {
    vec3 directions[3];
    float radii[3];
} axes;

static axes axes_of(const pliant_particle_def *particle)
{
    mat3 columns = mat3_transpose(quat_to_mat3(quat_normalize(particle->orientation)));
    return (axes){{mat3_row(&columns, 0), mat3_row(&columns, 1), mat3_row(&columns, 2)},
                  {particle->radii.x, particle->radii.y, particle->radii.z}};
}

// The part of `normal` in the space of all axes as long as axis k.
static vec3 within_equal_axes(const axes *a, int k, vec3 normal)
{
    vec3 sum = {0, 0, 0};
    for (int i = 0; i < 3; ++i)
        if (a->radii[i] == a->radii[k])
            sum = vec3_add_scaled(sum, a->directions[i], vec3_dot(normal, a->directions[i]));
    return sum;
}

static int best_axis(const axes *a, vec3 normal)
{
    int best = 0;
    float best_share = -1.0f, best_cosine = -1.0f;
    for (int k = 0; k < 3; ++k) {
        float share = vec3_length(within_equal_axes(a, k, normal));
        float cosine = absolute(vec3_dot(normal, a->directions[k]));
        bool equal = a->radii[k] == a->radii[best] && cosine > best_cosine;
        if (k == 0 || (a->radii[k] == a->radii[best] ? equal : share > best_share)) {
            best = k;
            best_share = share;
            best_cosine = cosine;
        }
    }
    return best;
}

// The rotation by less than half a turn that takes one unit vector to another.
static quat turn_between(vec3 from, vec3 to)
{
    vec3 axis = vec3_cross(from, to);
    return quat_normalize((quat){axis.x, axis.y, axis.z, 1.0f + vec3_dot(from, to)});
}

// The axes k, k + 1, k + 2 become x, y, z.
static void rename_axes(pliant_particle_def *particle, const axes *a, int k)
{
    static const quat renamings[3] = {
        {0, 0, 0, 1}, {0.5f, 0.5f, 0.5f, 0.5f}, {-0.5f, -0.5f, -0.5f, 0.5f}};
    particle->orientation = quat_mul(particle->orientation, renamings[k]);
    particle->radii = (vec3){a->radii[k], a->radii[(k + 1) % 3], a->radii[(k + 2) % 3]};
}

static vec3 outward_normal(const pliant_particle_def *particle, draft_anchor anchor,
                           const surface_search *search)
{
    vec3 r = particle->radii;
    vec3 normal =
        pli_surface_mean_normal(search, particle->position, maximum(r.x, maximum(r.y, r.z)));
    if (vec3_dot(normal, normal) > 0.0f)
        return normal;
    int32_t triangle = anchor.triangle;
    if (triangle < 0)
        triangle = pli_surface_nearest(search, particle->position).triangle;
    return triangle < 0 ? normal : pli_surface_normal(search->mesh, triangle);
}

void pli_draft_turn_outward(pliant_particle_def *particle, draft_anchor anchor,
                            const surface_search *search)
{
    vec3 normal = outward_normal(particle, anchor, search);
    if (!(vec3_dot(normal, normal) > 0.0f))
        return;
    axes a = axes_of(particle);
    int k = best_axis(&a, normal);
    vec3 outward = vec3_normalize_or(within_equal_axes(&a, k, normal), a.directions[k]);
    rename_axes(particle, &a, k);
    vec3 x = a.directions[k];
    if (vec3_dot(x, outward) < 0.0f) {
        // Half a turn about y.
        particle->orientation = quat_mul(particle->orientation, (quat){0, 1, 0, 0});
        x = vec3_negate(x);
    }
    // Below that it would only be rounding.
    if (vec3_dot(x, outward) < 0.999999f)
        particle->orientation =
            quat_normalize(quat_mul(turn_between(x, outward), particle->orientation));
}
