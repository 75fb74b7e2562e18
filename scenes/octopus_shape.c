// Tentacles are curves of given slope and heading; the body is a smooth union of ellipsoids and roots.

#include "octopus_shape.h"

#include "geometry.h"

// ---------------------------------------------------------------------------------------------
// Tentacles

enum { SUBSTEPS = 8 };

static const float LENGTH = 1.5f;         // m, of a tentacle's middle line
static const float ROOT_DISTANCE = 0.37f; // m from the axis
static const float CURL_BEGIN = 0.38f;    // part of the length

// rad. How far a tentacle leaves its heading, winds to and fro, and curls at its end: to the side (towards
// rising headings) and up.
typedef struct pose {
    float lean, sway, turn, lift;
} pose;

static const pose POSES[OCTOPUS_TENTACLES] = {
    {-0.01f, -0.61f, 5.4f, 0.0f}, {0.35f, 0.56f, -6.1f, 0.3f}, {-0.30f, 0.37f, -5.2f, 0.0f},
    {0.04f, -0.60f, 0.7f, 5.7f},  {0.11f, 0.53f, -6.0f, 0.0f}, {0.29f, -0.44f, 5.7f, 0.0f},
    {-0.33f, -0.68f, 4.9f, 0.0f}, {0.08f, 0.51f, -1.1f, 5.7f},
};

static float smooth_step(float x)
{
    x = maximum(0.0f, minimum(1.0f, x));
    return x * x * (3.0f - 2.0f * x);
}

float octopus_heading(int tentacle)
{
    return ((float)tentacle + 0.5f) * 2.0f * PLIANT_PI / OCTOPUS_TENTACLES;
}

static float radius_at(float along)
{
    float rest = 1.0f - along;
    return 0.014f + rest * (0.066f + 0.024f * rest);
}

// Of the middle line where it is not curled up: from the root down to the ground.
static float height_at(float along)
{
    return 0.97f * radius_at(along) + 0.09f * (1.0f - smooth_step(along / 0.36f));
}

// Rings lie closer together towards the tip.
static float ring_along(float ring)
{
    float u = ring / (OCTOPUS_RINGS - 1);
    return u * (1.3f - 0.3f * u);
}

typedef struct direction {
    vec3 forward, top, side;
} direction;

static direction direction_at(int tentacle, float begin, float end)
{
    const pose *p = &POSES[tentacle];
    float along = 0.5f * (begin + end), curl = (along - CURL_BEGIN) / (1.0f - CURL_BEGIN);
    curl = curl > 0.0f ? curl * curl : 0.0f;
    float sine, cosine;
    trig_sin_cos(2.0f * PLIANT_PI * along, &sine, &cosine);
    float yaw = octopus_heading(tentacle) + p->lean * smooth_step(along / 0.3f) + p->sway * sine +
                p->turn * curl;
    float rise = (height_at(end) - height_at(begin)) / ((end - begin) * LENGTH);
    float pitch = trig_atan2(rise, square_root(maximum(0.0f, 1.0f - rise * rise))) + p->lift * curl;
    trig_sin_cos(yaw, &sine, &cosine);
    vec3 level = {sine, 0.0f, cosine}, side = {cosine, 0.0f, -sine};
    trig_sin_cos(pitch, &sine, &cosine);
    return (direction){
        .forward = {cosine * level.x, sine, cosine * level.z},
        .top = {-sine * level.x, cosine, -sine * level.z},
        .side = side,
    };
}

static void add_tentacle(octopus_shape *shape, int tentacle)
{
    float sine, cosine, along = 0.0f;
    trig_sin_cos(octopus_heading(tentacle), &sine, &cosine);
    vec3 at = {ROOT_DISTANCE * sine, height_at(0.0f), ROOT_DISTANCE * cosine};
    for (int i = 0; i < OCTOPUS_RINGS; ++i) {
        direction d = direction_at(tentacle, along, along + 1e-3f);
        shape->rings[tentacle][i] = (octopus_ring){
            .centre = at, .top = d.top, .side = d.side, .radius = radius_at(along), .along = along};
        for (int k = 1; k <= SUBSTEPS; ++k) {
            float next = ring_along((float)i + (float)k / SUBSTEPS);
            d = direction_at(tentacle, along, next);
            at = vec3_add_scaled(at, d.forward, (next - along) * LENGTH);
            along = next;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Body

octopus_eye octopus_eye_of(int is_right)
{
    vec3 gaze = {is_right ? -0.42f : 0.42f, 0.05f, 0.9f};
    return (octopus_eye){.centre = {is_right ? -0.128f : 0.128f, 0.5f, 0.205f},
                         .gaze = vec3_normalize_or(gaze, gaze),
                         .radius = 0.102f};
}

static void add_body(octopus_shape *shape)
{
    shape->bulges[0] = (octopus_bulge){{0.0f, 0.69f, -0.08f}, {0.3f, 0.31f, 0.32f}};
    shape->bulges[1] = (octopus_bulge){{0.0f, 0.43f, 0.02f}, {0.18f, 0.17f, 0.18f}};
    shape->bulges[2] = (octopus_bulge){{0.0f, 0.16f, 0.0f}, {0.3f, 0.06f, 0.3f}};
    for (int i = 0; i < 2; ++i) { // above and around each eye
        octopus_eye eye = octopus_eye_of(i);
        float r = eye.radius, lid = 1.22f * r;
        vec3 centre = vec3_add_scaled(eye.centre, eye.gaze, -0.36f * r);
        centre.y += 0.36f * r;
        shape->lids[i] = (octopus_bulge){centre, {lid, lid, lid}};
    }
}

octopus_shape octopus_shape_create(void)
{
    octopus_shape shape;
    for (int i = 0; i < OCTOPUS_TENTACLES; ++i)
        add_tentacle(&shape, i);
    add_body(&shape);
    return shape;
}

// ---------------------------------------------------------------------------------------------
// Distances

static float bulge_distance(const octopus_bulge *b, vec3 point, vec3 *gradient)
{
    vec3 p = vec3_sub(point, b->centre);
    vec3 scaled = {p.x / b->radii.x, p.y / b->radii.y, p.z / b->radii.z};
    vec3 slope = {scaled.x / b->radii.x, scaled.y / b->radii.y, scaled.z / b->radii.z};
    float length = vec3_length(scaled), steepness = vec3_length(slope);
    if (steepness < 1e-6f) { // at the centre
        *gradient = (vec3){0, 1, 0};
        return -minimum(b->radii.x, minimum(b->radii.y, b->radii.z));
    }
    *gradient = vec3_scale(slope, 1.0f / steepness);
    return length * (length - 1.0f) / steepness;
}

static float root_distance(const octopus_ring *rings, vec3 point, vec3 *gradient)
{
    float nearest = 1e30f;
    for (int i = 0; i + 1 < OCTOPUS_ROOT_RINGS; ++i) {
        vec3 axis = vec3_sub(rings[i + 1].centre, rings[i].centre);
        vec3 from = vec3_sub(point, rings[i].centre);
        float part = vec3_dot(from, axis) / vec3_dot(axis, axis);
        part = maximum(0.0f, minimum(1.0f, part));
        vec3 away = vec3_add_scaled(from, axis, -part);
        float radius = rings[i].radius + part * (rings[i + 1].radius - rings[i].radius);
        float distance = vec3_length(away) - radius;
        if (distance < nearest) {
            nearest = distance;
            *gradient = vec3_normalize_or(away, (vec3){0, 1, 0});
        }
    }
    return nearest;
}

// d = -ln Σ exp(-k dᵢ) / k: parts that meet flow into each other over about 1 / k.
typedef struct blend {
    float sharpness, sum;
    vec3 gradient;
} blend;

static void blend_add(blend *b, float distance, vec3 gradient)
{
    float weight = trig_exp(-b->sharpness * distance);
    b->sum += weight;
    b->gradient = vec3_add_scaled(b->gradient, gradient, weight);
}

static float blend_finish(const blend *b, vec3 *gradient)
{
    *gradient = vec3_normalize_or(b->gradient, (vec3){0, 1, 0});
    return -trig_log(b->sum) / b->sharpness;
}

float octopus_distance(const octopus_shape *shape, vec3 point, vec3 *gradient)
{
    blend body = {.sharpness = 15.0f}, all = {.sharpness = 35.0f};
    for (int i = 0; i < OCTOPUS_TENTACLES; ++i) {
        float distance = root_distance(shape->rings[i], point, gradient);
        blend_add(&body, distance, *gradient);
    }
    for (int i = 0; i < OCTOPUS_BULGES; ++i) {
        float distance = bulge_distance(&shape->bulges[i], point, gradient);
        blend_add(&body, distance, *gradient);
    }
    float distance = blend_finish(&body, gradient);
    blend_add(&all, distance, *gradient);
    for (int i = 0; i < 2; ++i) {
        distance = bulge_distance(&shape->lids[i], point, gradient);
        blend_add(&all, distance, *gradient);
    }
    return blend_finish(&all, gradient);
}
