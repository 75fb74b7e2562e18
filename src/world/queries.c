// Rays and closest points. Each looks at every particle and every collider once.

#include "calls.h"
#include "collide/shape_data.h"

// A point is a ball without a radius.
static const pliant_shape point_shape = {.def = {.kind = PLIANT_SHAPE_SPHERE, .radius = 0.0f}};

// A collider's pose seen from outside.
static vec3 into_collider(const collider *c, vec3 point)
{
    return quat_rotate(quat_conjugate(c->pose.orientation), vec3_sub(point, c->pose.position));
}

static pliant_hit collider_hit(const pliant_world *world, int slot, const shape_hit *local)
{
    const collider *c = &world->colliders[slot];
    vec3 arm = quat_rotate(c->pose.orientation, local->point);
    return (pliant_hit){.collider = {(uint32_t)slot, c->generation},
                        .particle = -1,
                        .point = vec3_add(c->pose.position, arm),
                        .normal = quat_rotate(c->pose.orientation, local->normal),
                        .distance = local->distance};
}

static pliant_hit particle_hit(const pliant_world *world, int slot, int k, vec3 point, vec3 normal,
                               float distance)
{
    return (pliant_hit){.body = {(uint32_t)slot, world->bodies[slot].generation},
                        .particle = k,
                        .point = point,
                        .normal = normal,
                        .distance = distance};
}

// ---------------------------------------------------------------------------------------------
// Rays

// The ellipsoid xᵀ S⁻¹ x = 1 about the centre: (o + t d)ᵀ S⁻¹ (o + t d) = 1 with o seen from there.
static bool ray_meets_ellipsoid(sym3 S, vec3 o, vec3 d, float length, float *distance, vec3 *normal)
{
    sym3 inverse = sym3_inverse(S);
    vec3 on = sym3_mul_vec(inverse, o), dn = sym3_mul_vec(inverse, d);
    float a = vec3_dot(d, dn), b = vec3_dot(d, on), c = vec3_dot(o, on) - 1.0f;
    if (c <= 0.0f) { // inside
        *distance = 0.0f;
        *normal = vec3_negate(d);
        return true;
    }
    // The least value on the line, from its nearest point: b² - a c would cancel far away.
    vec3 nearest = vec3_add_scaled(o, d, -b / a);
    float least = vec3_dot(nearest, sym3_mul_vec(inverse, nearest));
    if (!(b < 0.0f && least < 1.0f))
        return false;
    float t = -b / a - square_root((1.0f - least) / a);
    if (!(t <= length))
        return false;
    *distance = maximum(t, 0.0f);
    vec3 at = vec3_add_scaled(o, d, *distance);
    *normal = vec3_normalize_or(sym3_mul_vec(inverse, at), vec3_negate(d));
    return true;
}

// Whether the ray comes within r of the point `to`, seen from its origin, before `length`.
static bool ray_passes_near(vec3 to, vec3 d, float length, float r)
{
    float along = vec3_dot(to, d);
    vec3 beside = vec3_add_scaled(to, d, -along);
    return vec3_dot(beside, beside) <= r * r && along >= -r && along <= length + r;
}

bool pliant_world_ray_cast(const pliant_world *world, pliant_vec3 origin, pliant_vec3 direction,
                           float length, uint32_t mask, pliant_hit *hit)
{
    if (!checked_pointer(world, hit, "hit", __func__))
        return false;
    // By the largest component first: squares of very long and very short ones are not numbers.
    float size =
        maximum(absolute(direction.x), maximum(absolute(direction.y), absolute(direction.z)));
    if (!vec3_is_finite(origin) || !vec3_is_finite(direction) || !(size > 0.0f) ||
        !(length >= 0.0f))
        return false;
    vec3 d = {direction.x / size, direction.y / size, direction.z / size};
    d = vec3_scale(d, 1.0f / vec3_length(d));
    bool found = false;
    for (int a = 0; a < world->active_count; ++a) {
        const body *b = &world->bodies[world->active[a]];
        for (int k = 0; k < b->model->source.particle_count && (b->layers & mask); ++k) {
            int i = b->particle_first + k;
            vec3 to = vec3_sub(world->x[i], origin), normal;
            float distance;
            if (!ray_passes_near(to, d, length, pliant_largest_radius(b, k)) ||
                !ray_meets_ellipsoid(sym3_rotate(b->model->shapes[k], world->turn[i]),
                                     vec3_negate(to), d, length, &distance, &normal) ||
                (found && !(distance < hit->distance)))
                continue;
            vec3 point = vec3_add_scaled(origin, d, distance);
            *hit = particle_hit(world, world->active[a], k, point, normal, distance);
            length = distance;
            found = true;
        }
    }
    for (int slot = 0; slot < world->collider_slot_count; ++slot) {
        const collider *c = &world->colliders[slot];
        shape_hit local;
        if (!c->is_alive || !(c->layers & mask) ||
            !pliant_shape_ray(c->shape, into_collider(c, origin),
                              quat_rotate(quat_conjugate(c->pose.orientation), d), length,
                              &local) ||
            (found && !(local.distance < hit->distance)))
            continue;
        *hit = collider_hit(world, slot, &local);
        length = local.distance;
        found = true;
    }
    return found;
}

// ---------------------------------------------------------------------------------------------
// Closest points

// The point of an ellipsoid's surface nearest to a point that is at `from` seen from its centre.
static bool closest_on_ellipsoid(sym3 S, vec3 from, float most, shape_hit *out)
{
    touch near;
    if (pliant_shape_touches(&point_shape, S, vec3_negate(from), (vec3){0, 0, 0}, false, most,
                             &near, 1) == 0)
        return false;
    // Seen from the point the ellipsoid is along the normal: outwards is the other way.
    out->normal = vec3_negate(near.normal);
    out->distance = near.gap;
    out->point = vec3_add_scaled(from, out->normal, -near.gap);
    return near.gap <= most;
}

bool pliant_world_closest_point(const pliant_world *world, pliant_vec3 point, float distance,
                                uint32_t mask, pliant_hit *hit)
{
    if (!checked_pointer(world, hit, "hit", __func__) || !vec3_is_finite(point) ||
        !(distance >= 0.0f))
        return false;
    bool found = false;
    shape_hit local;
    for (int a = 0; a < world->active_count; ++a) {
        const body *b = &world->bodies[world->active[a]];
        for (int k = 0; k < b->model->source.particle_count && (b->layers & mask); ++k) {
            int i = b->particle_first + k;
            vec3 from = vec3_sub(point, world->x[i]);
            float reach = distance + pliant_largest_radius(b, k);
            if (!(vec3_dot(from, from) <= reach * reach) ||
                !closest_on_ellipsoid(sym3_rotate(b->model->shapes[k], world->turn[i]), from,
                                      distance, &local) ||
                (found && !(local.distance < hit->distance)))
                continue;
            *hit = particle_hit(world, world->active[a], k, vec3_add(world->x[i], local.point),
                                local.normal, local.distance);
            distance = local.distance;
            found = true;
        }
    }
    for (int slot = 0; slot < world->collider_slot_count; ++slot) {
        const collider *c = &world->colliders[slot];
        if (!c->is_alive || !(c->layers & mask) ||
            !pliant_shape_closest(c->shape, into_collider(c, point), distance, &local) ||
            (found && !(local.distance < hit->distance)))
            continue;
        *hit = collider_hit(world, slot, &local);
        distance = local.distance;
        found = true;
    }
    return found;
}
