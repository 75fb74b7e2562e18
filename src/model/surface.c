// Surface particles as others meet them (paper on animated characters, §5.2, corrected).

#include "model.h"

// The radius R = max(b², c²) / a of the outer face's flatter curvature. The sphere through that face's
// pole contains the ellipsoid when the outward half axis a is the shortest; when it is not (0 is returned)
// the sphere would be smaller than the particle. The paper's mean of b²/a and c²/a does not contain it.
static float surface_radius(const pliant_particle_def *p)
{
    vec3 r = p->radii;
    if (!(p->flags & PLIANT_PARTICLE_SURFACE) || r.x > minimum(r.y, r.z))
        return 0.0f;
    float wide = maximum(r.y, r.z);
    return wide * wide / r.x;
}

sym3 pliant_model_contact_shape(const pliant_model *model, int32_t particle, vec3 *offset)
{
    const pliant_particle_def *p = &model->source.particles[particle];
    float R = surface_radius(p);
    *offset = (vec3){0, 0, 0};
    if (R == 0.0f)
        return model->shapes[particle];
    *offset = quat_rotate(p->orientation, (vec3){p->radii.x - R, 0, 0});
    return (sym3){.xx = R * R, .yy = R * R, .zz = R * R};
}

float pliant_model_contact_radius(const pliant_model *model, int32_t particle)
{
    const pliant_particle_def *p = &model->source.particles[particle];
    vec3 r = p->radii;
    float R = surface_radius(p);
    return R > 0.0f ? 2.0f * R - r.x : maximum(r.x, maximum(r.y, r.z));
}
