#include "surface.h"

// Beyond so many of its widest radii from its centre a surface particle is not met: its sphere may be
// much larger than the object.
static const float SURFACE_REACH = 2.0f;

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

float pli_model_reach(const pliant_model *model, int32_t particle)
{
    const pliant_particle_def *p = &model->source.particles[particle];
    float largest = model->sizes[particle].largest, R = surface_radius(p);
    return R > 0.0f ? minimum(2.0f * R - p->radii.x, SURFACE_REACH * largest) : largest;
}

static party plain_party(const pliant_model *model, int32_t particle, quat turn)
{
    float largest = model->sizes[particle].largest;
    return (party){.form = form_turned(pli_model_form(model, particle), turn),
                   .radius = largest,
                   .reach = largest};
}

party pli_model_party(const pliant_model *model, int32_t particle, quat turn)
{
    const pliant_particle_def *p = &model->source.particles[particle];
    party out = plain_party(model, particle, turn);
    if (!(p->flags & PLIANT_PARTICLE_SURFACE))
        return out;
    out.outward = quat_rotate(quat_mul(turn, p->orientation), (vec3){1, 0, 0});
    float R = surface_radius(p);
    if (R == 0.0f)
        return out;
    out.form = form_of_ellipsoid((sym3){.xx = R * R, .yy = R * R, .zz = R * R});
    out.offset = vec3_scale(out.outward, p->radii.x - R);
    out.reach = pli_model_reach(model, particle);
    return out;
}

void pli_model_parties(const pliant_model *model, int32_t a, int32_t b, quat turn_a, quat turn_b,
                       party *first, party *second)
{
    const pliant_particle_def *p = model->source.particles;
    bool are_one_surface = p[a].flags & p[b].flags & PLIANT_PARTICLE_SURFACE;
    *first = are_one_surface ? plain_party(model, a, turn_a) : pli_model_party(model, a, turn_a);
    *second = are_one_surface ? plain_party(model, b, turn_b) : pli_model_party(model, b, turn_b);
}

static vec3 mirror_outwards(vec3 to, vec3 outward)
{
    float axial = vec3_dot(to, outward);
    return axial < 0.0f ? vec3_add_scaled(to, outward, -2.0f * axial) : to;
}

vec3 pli_facing_line(const party *first, const party *second, vec3 between)
{
    vec3 line = vec3_add(between, vec3_sub(second->offset, first->offset));
    line = mirror_outwards(line, first->outward);
    return vec3_negate(mirror_outwards(vec3_negate(line), second->outward));
}

// How far a particle `to` away would have to go to be out of this one's reach, or beside its face.
static float room_of(const party *one, vec3 to, float other_radius)
{
    if (one->reach == one->radius)
        return 1e30f;
    vec3 beside = vec3_add_scaled(to, one->outward, -vec3_dot(to, one->outward));
    return minimum(one->radius + other_radius - vec3_length(beside),
                   one->reach + other_radius - vec3_length(to));
}

float pli_parties_room(const party *first, const party *second, vec3 between)
{
    return minimum(room_of(first, between, second->radius),
                   room_of(second, between, first->radius));
}

bool pli_parties_touch(const party *first, const party *second, vec3 between, float margin,
                       form_pair *out)
{
    vec3 line = pli_facing_line(first, second, between);
    return pli_parties_room(first, second, between) > 0.0f &&
           pli_forms_meet(&first->form, &second->form, line, margin, out);
}
