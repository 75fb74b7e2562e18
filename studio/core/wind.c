// Wind: drag on every particle, of its ellipsoid as the wind sees it. Computed with our own sine, so that a run is the
// same everywhere; without wind the world is not touched at all.

#include "core.h"

#include "math/trig.h"

#define AIR_DENSITY      1.2f // kg/m³
#define DRAG_COEFFICIENT 1.0f

// Two waves that do not come back together soon, between -1 and 1. Gusts travel with the wind: where it has yet to
// arrive they are those of a moment ago.
static float gust_at(double time, vec3 x, vec3 wind)
{
    double delay = (double)vec3_dot(x, wind) / (double)vec3_dot(wind, wind);
    float t = (float)(time - delay);
    float slow, quick, unused;
    trig_sin_cos(1.3f * t, &slow, &unused);
    trig_sin_cos(3.7f * t + 1.0f, &quick, &unused);
    return 0.6f * slow + 0.4f * quick;
}

// Of the shadow that an ellipsoid casts along the direction: pi sqrt(b²c² nx² + a²c² ny² + a²b² nz²).
static float projected_area(vec3 radii, quat orientation, vec3 direction)
{
    vec3 n = quat_rotate(quat_conjugate(orientation), direction);
    vec3 p = {radii.y * radii.z * n.x, radii.x * radii.z * n.y, radii.x * radii.y * n.z};
    return PLIANT_PI * vec3_length(p);
}

// F = 1/2 rho c A |u| u with u the wind seen from the particle; never more than brings it to the wind's speed within
// the step.
static vec3 drag(const pliant_particle_def *particle, quat orientation, vec3 u, float dt)
{
    float speed = vec3_length(u);
    if (!(speed > 0.0f))
        return (vec3){0.0f, 0.0f, 0.0f};
    float area = projected_area(particle->radii, orientation, vec3_scale(u, 1.0f / speed));
    float rate = 0.5f * AIR_DENSITY * DRAG_COEFFICIENT * area * speed;
    return vec3_scale(u, minimum(rate, particle->mass / dt));
}

static void blow_at(const studio_play *play, int index, float dt)
{
    pliant_world *world = play->stage.world;
    pliant_body_id body = play->stage.bodies[index];
    const pliant_model *model = pliant_body_model(world, body);
    const pliant_particle_def *particles = pliant_model_particles(model);
    vec3 wind = play->settings.wind;
    double time = pliant_world_time(world);
    for (int i = 0; i < pliant_model_particle_count(model); ++i) {
        pliant_pose pose = pliant_body_particle_pose(world, body, i);
        vec3 u = wind;
        if (play->settings.gusts > 0.0f)
            u = vec3_scale(wind, 1.0f + play->settings.gusts * gust_at(time, pose.position, wind));
        u = vec3_sub(u, pliant_body_particle_velocity(world, body, i));
        pliant_body_apply_particle_force(world, body, i,
                                         drag(&particles[i], pose.orientation, u, dt));
    }
}

void studio_wind_blow(const studio_play *play, float dt)
{
    vec3 wind = play->settings.wind;
    if (!(vec3_dot(wind, wind) > 0.0f) || !(dt > 0.0f))
        return;
    for (int i = 0; i < play->scene->body_count; ++i) {
        if (!pliant_body_is_frozen(play->stage.world, play->stage.bodies[i]))
            blow_at(play, i, dt);
    }
}
