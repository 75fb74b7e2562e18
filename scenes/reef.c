// A lion fish swims among water plants. Its head follows a path; all else is left to the water.

#include "craft.h"
#include "lionfish.h"
#include "plant.h"

#include "geometry.h"

enum { SECONDS = 9 };

// ---------------------------------------------------------------------------------------------
// Plants

enum { PLANTS = 6, KINDS = 2 };

static const plant kinds[KINDS] = {
    {.length = 1.40f,
     .half_width = 0.070f,
     .spread = 0.30f,
     .waves = 5.0f,
     .root = 0x2c5a34,
     .tip = 0x8cb848,
     .vein = 0xd8d890},
    {.length = 0.85f,
     .half_width = 0.080f,
     .spread = 0.55f,
     .waves = 3.0f,
     .root = 0x6a2c50,
     .tip = 0xd0708c,
     .vein = 0xf0c8c0},
};

static const struct {
    int kind;
    float x, z, turn;
} places[PLANTS] = {{0, -0.95f, -0.40f, 0.3f}, {1, -0.60f, 0.62f, 1.1f}, {0, 0.02f, -0.08f, 2.3f},
                    {1, 0.42f, -0.72f, 0.0f},  {0, 1.50f, -0.55f, 4.0f}, {1, 1.22f, 0.72f, 5.2f}};

// In [-1, 1), by xorshift: the same in every run.
static float random_part(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (float)(*state >> 8) / 8388608.0f - 1.0f;
}

// A push for every leaf at first, so that no two plants look alike.
static void push_leaves(pliant_scene *scene, int body, uint32_t *random)
{
    for (int leaf = 0; leaf < PLANT_LEAVES; ++leaf) {
        vec3 push = {random_part(random), 0.3f * random_part(random), random_part(random)};
        for (int node = PLANT_NODES / 2; node < PLANT_NODES; ++node) {
            for (int side = 0; side < 2; ++side) {
                pliant_scene_force force = {.body = body,
                                            .particle = plant_particle(leaf, node, side),
                                            .force = vec3_scale(push, 0.4f),
                                            .end = 0.1f};
                pliant_scene_add_force(scene, &force);
            }
        }
    }
}

// The swell: to one side, then to the other.
static void add_swell(pliant_scene *scene, int body, float phase)
{
    const float period = 1.5f, strength = 0.8f;
    for (float begin = phase - period; begin < SECONDS; begin += 2.0f * period) {
        for (int way = -1; way <= 1; way += 2) {
            float start = begin + (way < 0 ? 0.0f : period);
            pliant_scene_force force = {.body = body,
                                        .particle = -1,
                                        .force = {strength * (float)way, 0.0f, 0.3f * strength},
                                        .begin = maximum(start, 0.0f),
                                        .end = start + period};
            pliant_scene_add_force(scene, &force);
        }
    }
}

static void place_plant(pliant_scene *scene, int index, uint32_t *random)
{
    pliant_scene_body *body = &scene->bodies[index];
    body->def.position = (vec3){places[index].x, 0.0f, places[index].z};
    body->def.orientation = quat_exp((vec3){0.0f, places[index].turn, 0.0f});
    body->def.gravity_scale = -0.12f; // buoyancy
    body->def.linear_damping = 0.7f;  // water
    body->def.angular_damping = 0.7f;
    body->def.friction = 0.1f;
    push_leaves(scene, index, random);
    add_swell(scene, index, 0.35f * (float)index);
}

static bool add_plants(pliant_scene *scene, pliant_error *error)
{
    uint32_t random = 2011;
    for (int i = 0; i < PLANTS; ++i) {
        pliant_scene_body *body = NULL;
        if (i < KINDS) {
            sketch s = plant_sketch(&kinds[places[i].kind]);
            body = sketch_finish(&s, scene, i ? "plant 1" : "plant 0", error);
        } else if (scene) {
            body = craft_copy(scene, places[i].kind, i, 0xffffff);
        }
        if (!body)
            return false;
        place_plant(scene, i, &random);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The fish

typedef struct stroke {
    vec3 place; // of the head
    float yaw;  // rad
} stroke;

// Once around the plants in the middle, slow at first, with a head that swings from side to side.
static stroke stroke_at(float time)
{
    const float start = 0.55f, speed = 0.68f, ease = 0.8f;
    float done = time < ease ? 0.5f * time * time / ease : time - 0.5f * ease;
    float angle = start + speed * done, s, c, swing, unused, rise;
    trig_sin_cos(angle, &s, &c);
    trig_sin_cos(2.0f * PLIANT_PI * 0.9f * time, &swing, &unused);
    trig_sin_cos(2.0f * angle + 1.0f, &rise, &unused);
    vec3 place = {0.95f * c, 0.66f + 0.08f * rise, 0.62f * s};
    float yaw = trig_atan2(-0.95f * s, 0.62f * c);
    // Turning one way all the time: keep to the turn that the angle is in.
    float expected = -angle;
    while (yaw > expected + PLIANT_PI)
        yaw -= 2.0f * PLIANT_PI;
    while (yaw < expected - PLIANT_PI)
        yaw += 2.0f * PLIANT_PI;
    return (stroke){place, yaw + 0.10f * swing};
}

static void drive_head(pliant_scene *scene, int body)
{
    enum { RATE = 20, KEYS = SECONDS * RATE + 1 };
    pliant_scene_key keys[KEYS];
    stroke begin = stroke_at(0.0f);
    for (int i = 0; i < KEYS; ++i) {
        float time = (float)i / RATE;
        stroke now = stroke_at(time);
        keys[i] = (pliant_scene_key){.time = time,
                                     .translation = vec3_sub(now.place, begin.place),
                                     .rotation = {0.0f, now.yaw - begin.yaw, 0.0f}};
    }
    int32_t head[LIONFISH_HEAD_PARTICLES];
    for (int i = 0; i < LIONFISH_HEAD_PARTICLES; ++i)
        head[i] = i;
    pliant_scene_driver driver = {.body = body,
                                  .particle_count = LIONFISH_HEAD_PARTICLES,
                                  .particles = head,
                                  .pivot = begin.place,
                                  .key_count = KEYS,
                                  .keys = keys};
    pliant_scene_add_driver(scene, &driver);
}

static void add_fish(pliant_scene *scene, pliant_error *error)
{
    sketch s = lionfish_sketch();
    pliant_scene_body *body = sketch_finish(&s, scene, "lion fish", error);
    if (!body)
        return;
    stroke begin = stroke_at(0.0f);
    quat turn = quat_exp((vec3){0.0f, begin.yaw, 0.0f});
    body->def.orientation = turn;
    body->def.position = vec3_sub(begin.place, quat_rotate(turn, LIONFISH_HEAD));
    body->def.gravity_scale = 0.0f;
    body->def.linear_damping = 0.8f;
    body->def.angular_damping = 0.7f;
    body->def.friction = 0.05f;
    drive_head(scene, scene->body_count - 1);
}

pliant_scene *scene_reef(pliant_error *error)
{
    pliant_scene *scene = craft_scene(SECONDS);
    craft_camera(scene, (vec3){0.5f, 1.05f, 3.6f}, (vec3){0.17f, 0.62f, 0.0f});
    craft_ground(scene, 0.6f);
    if (add_plants(scene, error))
        add_fish(scene, error);
    return craft_finish(scene, error);
}
