// Solids for tests: a ground of every kind, single particles, and what a turned and moved scene needs.

#ifndef PLIANT_TESTS_SOLIDS_H
#define PLIANT_TESTS_SOLIDS_H

#include "bodies.h"

static const float DT = 1.0f / 60.0f;

enum { KINDS = PLIANT_SHAPE_HEIGHTFIELD + 1 };

static inline pliant_shape *shape_from(const pliant_shape_def *def)
{
    pliant_error error = {0};
    pliant_shape *shape = pliant_shape_create(def, NULL, &error);
    if (!shape)
        fail_msg("%s: %s", error.place, error.message);
    return shape;
}

static inline pliant_shape *ball_shape(float radius)
{
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_SPHERE);
    def.radius = radius;
    return shape_from(&def);
}

static inline pliant_shape *box_shape(float x, float y, float z)
{
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    def.half_size = (vec3){x, y, z};
    return shape_from(&def);
}

static inline pliant_shape *capsule_shape(float radius, float half_length)
{
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_CAPSULE);
    def.radius = radius;
    def.half_length = half_length;
    return shape_from(&def);
}

// A box as a hull, its lower side a little smaller.
static inline pliant_shape *hull_shape(float x, float y, float z)
{
    vec3 points[8];
    for (int i = 0; i < 8; ++i) {
        float size = i & 2 ? 1.0f : 0.95f;
        points[i] =
            (vec3){i & 1 ? size * x : -size * x, i & 2 ? y : -y, i & 4 ? size * z : -size * z};
    }
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HULL);
    def.points = points;
    def.point_count = 8;
    return shape_from(&def);
}

// The square |x|, |z| <= size in the plane y = 0, in n × n cells of two triangles each. Inner points are
// moved within the plane by `jitter` of a cell: seams go every way.
static inline pliant_shape *mesh_shape(float size, int n, float jitter)
{
    vec3 *points = malloc((size_t)((n + 1) * (n + 1)) * sizeof *points);
    int32_t *triangles = malloc((size_t)(6 * n * n) * sizeof *triangles);
    float cell = 2.0f * size / (float)n;
    uint32_t random = 5;
    for (int i = 0; i <= n; ++i)
        for (int k = 0; k <= n; ++k) {
            vec3 off = vec3_scale(random_vec3(&random, 1.0f), jitter * cell);
            bool is_inner = i > 0 && i < n && k > 0 && k < n;
            points[i * (n + 1) + k] = (vec3){(float)i * cell - size + (is_inner ? off.x : 0.0f), 0,
                                             (float)k * cell - size + (is_inner ? off.z : 0.0f)};
        }
    int count = 0;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            int a = i * (n + 1) + k, b = a + 1, c = a + n + 1, d = c + 1;
            const int corners[6] = {a, b, c, c, b, d};
            for (int j = 0; j < 6; ++j)
                triangles[count++] = corners[j];
        }
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_MESH);
    def.points = points;
    def.point_count = (n + 1) * (n + 1);
    def.triangles = triangles;
    def.triangle_count = 2 * n * n;
    pliant_shape *shape = shape_from(&def);
    free(points);
    free(triangles);
    return shape;
}

// n × n cells of this size; heights up to `bumps` above and below 0.
static inline pliant_shape *field_shape(int n, float spacing, float bumps)
{
    float *heights = malloc((size_t)((n + 1) * (n + 1)) * sizeof *heights);
    uint32_t random = 11;
    for (int i = 0; i < (n + 1) * (n + 1); ++i)
        heights[i] = bumps > 0.0f ? random_between(&random, -bumps, bumps) : 0.0f;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HEIGHTFIELD);
    def.heights = heights;
    def.columns = def.rows = n + 1;
    def.spacing = spacing;
    pliant_shape *shape = shape_from(&def);
    free(heights);
    return shape;
}

// ---------------------------------------------------------------------------------------------
// Ground: a solid whose highest point is the origin; ± 5 m but for the round kinds.

static const float GROUND_BALL = 5.0f, GROUND_CAPSULE = 1.0f;

typedef struct ground {
    pliant_shape_kind kind;
    pliant_shape *shape;
    pliant_pose pose; // of the collider
} ground;

static inline ground ground_of(pliant_shape_kind kind)
{
    ground g = {.kind = kind, .pose = {{0, 0, 0}, {0, 0, 0, 1}}};
    pliant_shape_def plane = pliant_default_shape_def(PLIANT_SHAPE_PLANE);
    switch (kind) {
    case PLIANT_SHAPE_PLANE:
        g.shape = shape_from(&plane);
        break;
    case PLIANT_SHAPE_SPHERE:
        g.shape = ball_shape(GROUND_BALL);
        g.pose.position.y = -GROUND_BALL;
        break;
    case PLIANT_SHAPE_CAPSULE: // along x
        g.shape = capsule_shape(GROUND_CAPSULE, 3.0f);
        g.pose.position.y = -GROUND_CAPSULE;
        g.pose.orientation = quat_exp((vec3){0, 0, -1.5707963f});
        break;
    case PLIANT_SHAPE_BOX:
        g.shape = box_shape(5, 0.5f, 5);
        g.pose.position.y = -0.5f;
        break;
    case PLIANT_SHAPE_HULL:
        g.shape = hull_shape(5, 0.5f, 5);
        g.pose.position.y = -0.5f;
        break;
    case PLIANT_SHAPE_MESH:
        g.shape = mesh_shape(5, 20, 0.3f);
        break;
    case PLIANT_SHAPE_HEIGHTFIELD:
        g.shape = field_shape(20, 0.5f, 0.0f);
        g.pose.position = (vec3){-5, 0, -5};
        break;
    }
    return g;
}

static inline bool is_flat(pliant_shape_kind kind)
{
    return kind != PLIANT_SHAPE_SPHERE && kind != PLIANT_SHAPE_CAPSULE;
}

// How far a point is above the ground.
static inline double height_over(pliant_shape_kind kind, vec3 p)
{
    double x = p.x, y = p.y, z = p.z;
    if (kind == PLIANT_SHAPE_SPHERE)
        return sqrt(x * x + (y + GROUND_BALL) * (y + GROUND_BALL) + z * z) - GROUND_BALL;
    if (kind == PLIANT_SHAPE_CAPSULE)
        return sqrt((y + GROUND_CAPSULE) * (y + GROUND_CAPSULE) + z * z) - GROUND_CAPSULE;
    return y;
}

static inline pliant_collider_id add_solid(pliant_world *world, const pliant_collider_def *def)
{
    pliant_error error = {0};
    pliant_collider_id id = pliant_world_add_collider(world, def, &error);
    if (!pliant_collider_is_valid(world, id))
        fail_msg("%s: %s", error.place, error.message);
    return id;
}

static inline pliant_collider_def solid_def(const pliant_shape *shape, vec3 position)
{
    pliant_collider_def def = pliant_default_collider_def();
    def.shape = shape;
    def.position = position;
    return def;
}

// The ground as part of a scene that is turned about the origin and then shifted.
static inline pliant_collider_def ground_def(const ground *g, quat turn, vec3 shift)
{
    pliant_collider_def def =
        solid_def(g->shape, vec3_add(shift, quat_rotate(turn, g->pose.position)));
    def.orientation = quat_mul(turn, g->pose.orientation);
    return def;
}

static inline pliant_collider_id add_ground(pliant_world *world, const ground *g)
{
    pliant_collider_def def = ground_def(g, quat_identity(), (vec3){0, 0, 0});
    return add_solid(world, &def);
}

// ---------------------------------------------------------------------------------------------
// Bodies

static inline pliant_model *particle_model(vec3 radii, float mass)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def def = pliant_default_particle_def();
    def.radii = radii;
    def.mass = mass;
    pliant_builder_add_particle(builder, &def);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    return model;
}

// One particle, with gravity and without damping.
static inline setup particle_setup(vec3 radii)
{
    setup s = {.model = particle_model(radii, 1.0f),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.body_def.model = s.model;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    return s;
}

// Gravity on, its middle above the origin and its lowest particles' lower ends at this height.
static inline setup block_setup(bool is_rigid, float height)
{
    lattice l = lattice_of(3, 2, 3);
    l.is_rigid = is_rigid;
    l.stiffness = 0.8f;
    setup s = setup_of(&l);
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    s.body_def.position = (vec3){-0.2f, height + 0.1f, -0.2f};
    return s;
}

static inline vec3 velocity_of(const setup *s, int particle)
{
    return pliant_body_particle_velocity(s->world, s->body, particle);
}

static inline pliant_body_id add_thing(pliant_world *world, const pliant_body_def *def)
{
    pliant_error error = {0};
    pliant_body_id id = pliant_world_add_body(world, def, &error);
    if (!pliant_body_is_valid(world, id))
        fail_msg("%s: %s", error.place, error.message);
    return id;
}

static inline float fastest_of(const pliant_world *world, pliant_body_id body)
{
    float most = 0.0f;
    for (int i = 0; i < pliant_model_particle_count(pliant_body_model(world, body)); ++i)
        most = maximum(most, vec3_length(pliant_body_particle_velocity(world, body, i)));
    return most;
}

#endif
