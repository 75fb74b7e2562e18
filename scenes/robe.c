// A hooded robe of thick cloth on a figure that turns: the mesh has two sides, its net of particles is one
// layer in the middle of them (slicing: paper 001, section 6).

#include "craft.h"
#include "robe_mesh.h"

#include "geometry.h"

static const float SPACING = 0.0635f;
static const float THICKNESS =
    0.12f * 0.0635f; // of the cloth that is seen: thinner than its particles

// ---------------------------------------------------------------------------------------------
// The model

// The collar and what lies on the shoulders go with the figure.
static pliant_result hold_collar(pliant_draft *draft, pliant_error *error)
{
    static const struct {
        vec3 centre;
        float radius;
    } brushes[] = {{{0.0f, 1.44f, 0.0f}, 0.15f},
                   {{0.12f, 1.42f, -0.01f}, 0.09f},
                   {{-0.12f, 1.42f, -0.01f}, 0.09f}};
    pliant_paint_def paint = pliant_default_paint_def();
    paint.target = PLIANT_PAINT_ANIMATED;
    paint.value = 1.0f;
    paint.falloff = 0.0f;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 3 && result == PLIANT_OK; ++i) {
        paint.centre = brushes[i].centre;
        paint.radius = brushes[i].radius;
        result = pliant_draft_paint(draft, &paint, error);
    }
    return result;
}

static pliant_result fill_draft(pliant_draft *draft, pliant_error *error)
{
    pliant_slice_def slice = pliant_default_slice_def();
    slice.spacing = SPACING;
    slice.particle.stiffness = 0.1f;
    pliant_connect_def connect = pliant_default_connect_def(); // diagonals resist shear
    connect.distance = 1.6f * SPACING;
    pliant_mass_def mass = pliant_default_mass_def();
    mass.total = 1.4f;
    pliant_bind_def bind = pliant_default_bind_def();
    pliant_result result = pliant_draft_slice(draft, &slice, error);
    if (result == PLIANT_OK)
        result = pliant_draft_connect(draft, &connect, error);
    if (result == PLIANT_OK)
        result = pliant_draft_mass(draft, &mass, error);
    if (result == PLIANT_OK)
        result = hold_collar(draft, error);
    return result == PLIANT_OK ? pliant_draft_bind(draft, &bind, error) : result;
}

static pliant_model *make_model(pliant_error *error)
{
    pliant_mesh *mesh = robe_mesh_create(THICKNESS);
    pliant_draft *draft = mesh ? pliant_draft_create(mesh, error) : NULL;
    pliant_model *model = NULL;
    if (draft && fill_draft(draft, error) == PLIANT_OK)
        model = pliant_draft_build(draft, error);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
    return model;
}

// ---------------------------------------------------------------------------------------------
// The figure

typedef struct limb {
    const char *name;
    uint32_t colour;
    vec3 begin, end; // of its axis
    float radius;
} limb;

static const limb limbs[] = {
    {"head", 0xd8a880, {0.0f, 1.60f, 0.015f}, {0.0f, 1.66f, 0.015f}, 0.10f},
    {"neck", 0xd8a880, {0.0f, 1.40f, 0.0f}, {0.0f, 1.52f, 0.01f}, 0.055f},
    {"shoulders", 0x4a4a58, {-0.14f, 1.36f, -0.01f}, {0.14f, 1.36f, -0.01f}, 0.065f},
    {"chest", 0x4a4a58, {0.0f, 1.08f, 0.0f}, {0.0f, 1.26f, 0.0f}, 0.125f},
    {"hips", 0x4a4a58, {-0.05f, 0.92f, 0.0f}, {0.05f, 0.92f, 0.0f}, 0.125f},
    {"arm left", 0x4a4a58, {0.185f, 1.33f, -0.01f}, {0.235f, 0.85f, 0.02f}, 0.042f},
    {"arm right", 0x4a4a58, {-0.185f, 1.33f, -0.01f}, {-0.235f, 0.85f, 0.02f}, 0.042f},
    {"leg left", 0x3a3a44, {0.085f, 0.86f, 0.0f}, {0.10f, 0.10f, -0.02f}, 0.07f},
    {"leg right", 0x3a3a44, {-0.085f, 0.86f, 0.0f}, {-0.10f, 0.10f, -0.02f}, 0.07f},
    {"foot left", 0x282830, {0.10f, 0.045f, -0.02f}, {0.115f, 0.045f, 0.14f}, 0.045f},
    {"foot right", 0x282830, {-0.10f, 0.045f, -0.02f}, {-0.115f, 0.045f, 0.14f}, 0.045f},
};

enum { LIMBS = sizeof limbs / sizeof limbs[0] };

// The rotation that takes y along the limb.
static quat along(vec3 way)
{
    vec3 up = {0, 1, 0}, axis = vec3_cross(up, way);
    return quat_normalize((quat){axis.x, axis.y, axis.z, 1.0f + vec3_dot(up, way)});
}

static void add_limb(pliant_scene *scene, const limb *l, pliant_error *error)
{
    vec3 way = vec3_sub(l->end, l->begin);
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_CAPSULE);
    def.radius = l->radius;
    def.half_length = 0.5f * vec3_length(way);
    vec3 middle = vec3_add_scaled(l->begin, way, 0.5f);
    pliant_scene_collider *collider =
        craft_collider(scene, craft_shape(scene, &def, error), l->name, l->colour, middle);
    if (collider) {
        collider->def.orientation = along(vec3_normalize_or(way, (vec3){0, 1, 0}));
        collider->def.friction = 0.3f;
    }
}

// ---------------------------------------------------------------------------------------------
// The motion

typedef struct stance {
    float time, turn; // s, rad
    float x, z;       // m
} stance;

static const stance stances[] = {
    {0.8f, 0.0f, 0.0f, 0.0f},   {1.6f, 1.2f, 0.05f, 0.0f},   {2.0f, 1.2f, 0.05f, 0.0f},
    {3.0f, -1.0f, -0.1f, 0.1f}, {3.5f, -1.0f, -0.1f, 0.1f},  {5.9f, 5.6f, 0.1f, 0.1f},
    {6.6f, 5.6f, 0.1f, 0.1f},   {7.8f, 6.2832f, 0.0f, 0.0f},
};

enum { STANCES = sizeof stances / sizeof stances[0], EASE = 8, KEYS = (STANCES - 1) * EASE + 1 };

// From stance to stance with a soft start and end.
static void fill_keys(pliant_scene_key keys[KEYS])
{
    for (int i = 0; i < KEYS; ++i) {
        const stance *a = &stances[i < KEYS - 1 ? i / EASE : STANCES - 2], *b = a + 1;
        float t = (float)(i - (int)(a - stances) * EASE) / EASE, s = t * t * (3.0f - 2.0f * t);
        keys[i] = (pliant_scene_key){
            .time = a->time + (b->time - a->time) * t,
            .translation = {a->x + (b->x - a->x) * s, 0.0f, a->z + (b->z - a->z) * s},
            .rotation = {0.0f, a->turn + (b->turn - a->turn) * s, 0.0f}};
    }
}

static void drive(pliant_scene *scene, const pliant_model *model)
{
    pliant_scene_key keys[KEYS];
    fill_keys(keys);
    for (int i = 0; i < LIMBS; ++i) {
        pliant_scene_driver driver = {.collider = i, .key_count = KEYS, .keys = keys};
        pliant_scene_add_driver(scene, &driver);
    }
    int32_t held[256];
    int count = 0;
    for (int i = 0; i < pliant_model_particle_count(model) && count < 256; ++i)
        if (pliant_model_particles(model)[i].flags & PLIANT_PARTICLE_PINNED)
            held[count++] = i;
    pliant_scene_driver driver = {
        .particle_count = count, .particles = held, .key_count = KEYS, .keys = keys};
    pliant_scene_add_driver(scene, &driver);
}

pliant_scene *scene_robe(pliant_error *error)
{
    pliant_scene *scene = craft_scene(9.0f);
    craft_camera(scene, (vec3){1.3f, 1.5f, 3.2f}, (vec3){0.0f, 0.88f, 0.0f});
    craft_ground(scene, 0.6f);
    if (scene) {
        scene->world.substep_length =
            pliant_substep_length(6); // more substeps stretch less than more iterations
        scene->world.iterations = 1;
    }
    for (int i = 0; i < LIMBS; ++i)
        add_limb(scene, &limbs[i], error);
    pliant_scene_body *body = craft_model_body(scene, make_model(error), "robe", 0x6b4226);
    if (body) {
        body->def.linear_damping = 0.6f;
        body->def.friction = 0.3f;
        body->def.self_collision = true;
        drive(scene, scene->models[body->model]);
    }
    return craft_finish(scene, error);
}
