// The ranges are those within which a model can be built.

#include "draft/check.h"

#include "core/error.h"

bool pliant_tool_check_positive(float value, const char *field, pliant_error *error)
{
    if (value > 0.0f && is_finite(value))
        return true;
    pliant_error_set(error, PLIANT_ERROR_ARGUMENT, field, "expected a number above 0");
    return false;
}

bool pliant_tool_check_not_negative(float value, const char *field, pliant_error *error)
{
    if (value >= 0.0f && is_finite(value))
        return true;
    pliant_error_set(error, PLIANT_ERROR_ARGUMENT, field, "expected a number of at least 0");
    return false;
}

bool pliant_tool_check_range(float value, float low, float high, const char *field,
                             pliant_error *error)
{
    if (value >= low && value <= high)
        return true;
    pliant_error_set(error, PLIANT_ERROR_ARGUMENT, field, "expected a number in [%g, %g]",
                     (double)low, (double)high);
    return false;
}

bool pliant_tool_check_position(vec3 value, const char *field, pliant_error *error)
{
    if (absolute(value.x) <= 1e6f && absolute(value.y) <= 1e6f && absolute(value.z) <= 1e6f)
        return true;
    pliant_error_set(error, PLIANT_ERROR_ARGUMENT, field,
                     "expected three numbers in [-1e+06, 1e+06]");
    return false;
}

static bool check_rotation(pliant_quat q, pliant_error *error)
{
    float length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (length2 >= 1e-12f && length2 <= 1e12f)
        return true;
    pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "orientation",
                     "expected a rotation with a length from 1e-6 to 1e6");
    return false;
}

static bool check_flags(uint32_t flags, pliant_error *error)
{
    if (!(flags & ~(uint32_t)PLIANT_PARTICLE_ALL_FLAGS))
        return true;
    pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "flags", "there are no flags 0x%x",
                     (unsigned)(flags & ~(uint32_t)PLIANT_PARTICLE_ALL_FLAGS));
    return false;
}

bool pliant_tool_check_particle(const pliant_particle_def *particle, pliant_error *error)
{
    return pliant_tool_check_position(particle->position, "position", error) &&
           check_rotation(particle->orientation, error) &&
           pliant_tool_check_range(particle->radii.x, 1e-5f, 1e5f, "radii", error) &&
           pliant_tool_check_range(particle->radii.y, 1e-5f, 1e5f, "radii", error) &&
           pliant_tool_check_range(particle->radii.z, 1e-5f, 1e5f, "radii", error) &&
           pliant_tool_check_range(particle->mass, 1e-9f, 1e9f, "mass", error) &&
           pliant_tool_check_range(particle->stiffness, 0.0f, 1.0f, "stiffness", error) &&
           check_flags(particle->flags, error) &&
           pliant_tool_check_range(particle->yield_strain, 0.0f, 1e3f, "yield_strain", error) &&
           pliant_tool_check_range(particle->creep_rate, 0.0f, 1e6f, "creep_rate", error);
}

bool pliant_tool_check_group(const pliant_group_def *group, pliant_error *error)
{
    return pliant_tool_check_range(group->stiffness, 0.0f, 1.0f, "stiffness", error) &&
           pliant_tool_check_range(group->dent_speed, 0.0f, 1e6f, "dent_speed", error) &&
           pliant_tool_check_range(group->yield_strain, 0.0f, 1e3f, "yield_strain", error) &&
           pliant_tool_check_range(group->creep_rate, 0.0f, 1e6f, "creep_rate", error);
}

bool pliant_tool_check_material(const pliant_material *m, pliant_error *error)
{
    const float most_damping = 0.999999f;
    return pliant_tool_check_range(m->friction, 0.0f, 1e3f, "friction", error) &&
           pliant_tool_check_range(m->restitution, 0.0f, 1.0f, "restitution", error) &&
           pliant_tool_check_range(m->linear_damping, 0.0f, most_damping, "linear_damping",
                                   error) &&
           pliant_tool_check_range(m->angular_damping, 0.0f, most_damping, "angular_damping",
                                   error) &&
           pliant_tool_check_range(m->shape_damping, 0.0f, most_damping, "shape_damping", error);
}
