// Taking hold of a body with the mouse: a soft spring to one particle, whose other end goes where the mouse does.

#include "core.h"

#include <math.h>

// The spring pulls the whole body M with M w² times the way to the mouse, whatever the mass m of the particle that is
// held: of that way a substep (h = 1/300 s) takes the part f = w² h² M / m, two iterations of s each. A tip that is much
// lighter than its body cannot take all of it.
#define GRIP_RATE           15.0f // w, 1/s
#define GRIP_SUBSTEP        (1.0f / 300.0f)
#define GRIP_MOST_STIFFNESS 0.5f
// How far ahead of the particle it is pulled at most, in sizes of its body: a quick mouse throws it, but does not
// tear it apart.
#define GRIP_REACH 0.35f
// The part of its speed towards or away from the mouse that the body as a whole loses in a second, against bouncing on
// the spring; it swings freely.
#define GRIP_DAMPING 10.0f
// A ray beside all ellipsoids but through the skin takes the particle that it passes within so many radii.
#define GRIP_RADII 2.5f
#define RAY_LENGTH 1e6f

static float largest(vec3 v)
{
    return maximum(v.x, maximum(v.y, v.z));
}

typedef struct grip_hit {
    int body, particle;
    vec3 point;
} grip_hit;

// The particle whose centre the ray passes nearest, in its radii, before `length`.
static bool find_near(const studio_play *play, const studio_ray *ray, float length, grip_hit *hit)
{
    pliant_world *world = play->stage.world;
    float best = GRIP_RADII;
    for (int b = 0; b < play->scene->body_count; ++b) {
        const pliant_model *model = pliant_body_model(world, play->stage.bodies[b]);
        const pliant_particle_def *particles = pliant_model_particles(model);
        for (int i = 0; i < pliant_model_particle_count(model); ++i) {
            vec3 x = pliant_body_particle_pose(world, play->stage.bodies[b], i).position;
            vec3 to = vec3_sub(x, ray->origin);
            float along = vec3_dot(to, ray->direction);
            vec3 beside = vec3_add_scaled(to, ray->direction, -along);
            float radii = vec3_length(beside) / largest(particles[i].radii);
            if (along > 0.0f && along < length && radii < best) {
                best = radii;
                *hit = (grip_hit){b, i, vec3_add_scaled(ray->origin, ray->direction, along)};
            }
        }
    }
    return best < GRIP_RADII;
}

static int body_index(const studio_play *play, pliant_body_id id)
{
    for (int i = 0; i < play->scene->body_count; ++i) {
        if (play->stage.bodies[i].index == id.index)
            return i;
    }
    return -1;
}

static bool find(const studio_play *play, const studio_ray *ray, grip_hit *hit)
{
    pliant_hit first = {.distance = RAY_LENGTH};
    bool met = pliant_world_ray_cast(play->stage.world, ray->origin, ray->direction, RAY_LENGTH,
                                     UINT32_MAX, &first);
    if (met && first.particle >= 0) {
        *hit = (grip_hit){body_index(play, first.body), first.particle, first.point};
        return hit->body >= 0;
    }
    return find_near(play, ray, first.distance, hit);
}

static float body_size(const studio_play *play, int body)
{
    vec3 low, high;
    pliant_body_bounds(play->stage.world, play->stage.bodies[body], &low, &high);
    return vec3_length(vec3_sub(high, low));
}

static float spring_stiffness(const studio_play *play, const grip_hit *hit)
{
    pliant_body_id body = play->stage.bodies[hit->body];
    const pliant_model *model = pliant_body_model(play->stage.world, body);
    float mass = pliant_model_particles(model)[hit->particle].mass;
    float ratio = (float)pliant_body_motion(play->stage.world, body).mass / mass;
    float f = GRIP_RATE * GRIP_RATE * GRIP_SUBSTEP * GRIP_SUBSTEP * ratio;
    float s = f < 1.0f ? 1.0f - sqrtf(1.0f - f) : 1.0f;
    return minimum(s, GRIP_MOST_STIFFNESS);
}

static bool take(const studio_play *play, const grip_hit *hit, studio_grip *grip,
                 pliant_error *error)
{
    pliant_world *world = play->stage.world;
    pliant_body_id body = play->stage.bodies[hit->body];
    vec3 x = pliant_body_particle_pose(world, body, hit->particle).position;
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = body;
    def.particle = hit->particle;
    def.anchor = x;
    def.length = 0.0f;
    def.stiffness = spring_stiffness(play, hit);
    pliant_attachment_id attachment = pliant_world_add_attachment(world, &def, error);
    if (!pliant_attachment_is_valid(world, attachment))
        return false;
    *grip = (studio_grip){
        .is_on = true,
        .attachment = attachment,
        .body = hit->body,
        .particle = hit->particle,
        .offset = vec3_sub(x, hit->point),
        .target = x,
        .before = x,
        .reach = GRIP_REACH * body_size(play, hit->body),
    };
    return true;
}

void studio_grip_release(studio_play *play)
{
    if (play->grip.is_on && pliant_attachment_is_valid(play->stage.world, play->grip.attachment))
        pliant_world_remove_attachment(play->stage.world, play->grip.attachment);
    play->grip = (studio_grip){0};
}

// The page moves the mouse as often as it draws, which is not once a step.
static void follow_mouse(studio_grip *grip, float dt)
{
    vec3 velocity = vec3_scale(vec3_sub(grip->target, grip->before), 1.0f / dt);
    grip->velocity = vec3_scale(vec3_add(grip->velocity, velocity), 0.5f);
    grip->before = grip->target;
}

static void damp(const studio_play *play, vec3 direction)
{
    const studio_grip *grip = &play->grip;
    pliant_motion motion = pliant_body_motion(play->stage.world, play->stage.bodies[grip->body]);
    const double *momentum = motion.linear_momentum;
    vec3 v = {(float)(momentum[0] / motion.mass), (float)(momentum[1] / motion.mass),
              (float)(momentum[2] / motion.mass)};
    float away = vec3_dot(vec3_sub(v, grip->velocity), direction);
    pliant_body_apply_force(play->stage.world, play->stage.bodies[grip->body],
                            vec3_scale(direction, -GRIP_DAMPING * (float)motion.mass * away));
}

void studio_grip_pull(studio_play *play, float dt)
{
    studio_grip *grip = &play->grip;
    if (!grip->is_on || !(dt > 0.0f))
        return;
    follow_mouse(grip, dt);
    pliant_world *world = play->stage.world;
    pliant_body_id body = play->stage.bodies[grip->body];
    vec3 x = pliant_body_particle_pose(world, body, grip->particle).position;
    vec3 way = vec3_sub(grip->target, x);
    float length = vec3_length(way);
    vec3 anchor =
        length > grip->reach ? vec3_add_scaled(x, way, grip->reach / length) : grip->target;
    pliant_attachment_set_anchor(world, grip->attachment, anchor);
    if (length > 1e-3f * grip->reach)
        damp(play, vec3_scale(way, 1.0f / length));
}

// ---------------------------------------------------------------------------------------------
// Commands

bool studio_grab(studio *s, field_reader *reader, json_value arguments)
{
    studio_ray ray;
    if (!studio_ray_read(reader, arguments, &ray))
        return false;
    if (!s->play)
        return studio_refuse(reader, "no scene is playing");
    grip_hit hit = {0};
    studio_play *play = s->play;
    bool found =
        find(play, &ray, &hit) &&
        !pliant_body_is_pinned(play->stage.world, play->stage.bodies[hit.body], hit.particle) &&
        !pliant_body_is_frozen(play->stage.world, play->stage.bodies[hit.body]);
    studio_grip grip = {0};
    pliant_error error = {0};
    if (found && !take(play, &hit, &grip, &error))
        return studio_fail_with(reader, &error);
    studio_grip_release(play);
    play->grip = grip;
    json_writer *json = &s->answer;
    pli_json_begin_object(json, NULL);
    if (found) {
        pli_json_begin_object(json, "held");
        pli_json_write_int(json, "body", hit.body);
        pli_json_write_int(json, "particle", hit.particle);
        studio_write_vec3(json, "point", hit.point);
        pli_json_end_object(json);
    } else {
        studio_write_null(json, "held");
    }
    pli_json_end_object(json);
    return true;
}

bool studio_drag(studio *s, field_reader *reader, json_value arguments)
{
    vec3 point;
    static const field fields[] = {
        {"point", FIELD_VEC3, 0, FIELD_COORDINATE, true},
    };
    if (!pli_field_read_object(reader, arguments, fields, COUNT_OF(fields), &point))
        return false;
    // What was held may be gone: the scene was reset while the mouse moved.
    if (s->play && s->play->grip.is_on)
        s->play->grip.target = vec3_add(point, s->play->grip.offset);
    pli_json_begin_object(&s->answer, NULL);
    pli_json_end_object(&s->answer);
    return true;
}

bool studio_release(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments))
        return false;
    if (s->play)
        studio_grip_release(s->play);
    pli_json_begin_object(&s->answer, NULL);
    pli_json_end_object(&s->answer);
    return true;
}
