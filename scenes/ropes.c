// The same rope twice: a chain of particles that have a rotation, and a lattice of six times as many that have
// none and hold their shape by their places alone. Both swing against a bar.

#include "craft.h"

#include "geometry.h"

enum {
    LINKS = 24, // particles of the chain
    RINGS = 2 * LINKS,
    AROUND = 3, // particles of a ring of the lattice
    COUNT = RINGS * AROUND,
};

static const float LENGTH = 1.5f, RADIUS = 0.05f, SLANT = 0.75f; // m, m, rad from straight down
static const float TOP = 2.1f, APART = 1.9f;

static pliant_rope_def rope_def(void)
{
    pliant_rope_def rope = pliant_default_rope_def();
    float s, c;
    trig_sin_cos(SLANT, &s, &c);
    rope.end = (vec3){LENGTH * s, -LENGTH * c, 0.0f};
    rope.particles = LINKS;
    rope.radius = RADIUS;
    rope.stiffness = 0.6f;
    rope.torsion_stiffness = 0.5f;
    return rope;
}

static pliant_builder *chain_builder(void)
{
    pliant_rope_def rope = rope_def();
    pliant_builder *builder = pliant_builder_create(NULL);
    if (builder && pliant_builder_add_rope(builder, &rope) >= 0)
        pliant_builder_particle(builder, 0)->flags = PLIANT_PARTICLE_PINNED;
    return builder;
}

// ---------------------------------------------------------------------------------------------
// The lattice

static int lattice_particle(int ring, int index)
{
    return ring * AROUND + index % AROUND;
}

static void add_particles(pliant_builder *builder, const pliant_model *chain)
{
    const pliant_particle_def *first = pliant_model_particles(chain);
    vec3 way = vec3_sub(first[LINKS - 1].position, first[0].position);
    float mass = 0.0f;
    for (int i = 0; i < LINKS; ++i)
        mass += first[i].mass;
    for (int i = 0; i < COUNT; ++i) {
        int ring = i / AROUND;
        float s, c;
        trig_sin_cos(2.0f * PLIANT_PI * (float)(i % AROUND) / AROUND, &s, &c);
        vec3 out = quat_rotate(first[0].orientation, (vec3){0.0f, c, s});
        vec3 middle = vec3_add_scaled(first[0].position, way, (float)ring / (RINGS - 1));
        pliant_particle_def particle = pliant_default_particle_def();
        particle.position = vec3_add_scaled(middle, out, 0.5f * RADIUS);
        particle.radii = (vec3){0.5f * RADIUS, 0.5f * RADIUS, 0.5f * RADIUS};
        bool is_end = ring == 0 || ring == RINGS - 1; // carries half a segment
        particle.mass = mass / ((RINGS - 1) * AROUND) * (is_end ? 0.5f : 1.0f);
        particle.stiffness = 0.3f;
        particle.flags = PLIANT_PARTICLE_UNORIENTED | (ring == 0 ? PLIANT_PARTICLE_PINNED : 0);
        pliant_builder_add_particle(builder, &particle);
    }
}

static void add_edges(pliant_builder *builder)
{
    for (int ring = 0; ring < RINGS; ++ring) {
        for (int i = 0; i < AROUND; ++i) {
            pliant_edge_def edge = pliant_default_edge_def();
            edge.a = lattice_particle(ring, i);
            edge.b = lattice_particle(ring, i + 1);
            pliant_builder_add_edge(builder, &edge);
            edge.b = lattice_particle(ring + 1, i);
            edge.stretch_stiffness = 1.0f;
            if (ring + 1 < RINGS)
                pliant_builder_add_edge(builder, &edge);
        }
    }
}

// The chain's skin, bound to the two rings around each vertex and in each to the two particles beside it.
static pliant_vertex_def bound(pliant_vertex_def vertex)
{
    float along = vertex.v * (RINGS - 1) / (LINKS - 1), around = vertex.u * AROUND;
    int ring = (int)along < RINGS - 2 ? (int)along : RINGS - 2, side = (int)around;
    float t = along - (float)ring, s = around - (float)side;
    float weights[4] = {(1.0f - t) * (1.0f - s), (1.0f - t) * s, t * (1.0f - s), t * s};
    for (int i = 0; i < 4; ++i) {
        vertex.particles[i] = lattice_particle(ring + i / 2, side + i % 2);
        vertex.weights[i] = weights[i];
    }
    return vertex;
}

static pliant_builder *lattice_builder(const pliant_model *chain)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    if (!builder)
        return NULL;
    add_particles(builder, chain);
    add_edges(builder);
    for (int i = 0; i < pliant_model_vertex_count(chain); ++i) {
        pliant_vertex_def vertex = bound(pliant_model_vertices(chain)[i]);
        pliant_builder_add_vertex(builder, &vertex);
    }
    const int32_t *corners = pliant_model_triangles(chain);
    for (int i = 0; i < pliant_model_triangle_count(chain); ++i, corners += 3)
        pliant_builder_add_triangle(builder, corners[0], corners[1], corners[2]);
    return builder;
}

// ---------------------------------------------------------------------------------------------

// The held end is turned about the rope once the swing has calmed down.
static void twist(pliant_scene *scene, int held_count)
{
    const float turns = 2.0f, angle = 2.0f * PLIANT_PI * turns;
    const pliant_scene_body *body = &scene->bodies[scene->body_count - 1];
    float s, c;
    trig_sin_cos(SLANT, &s, &c);
    pliant_scene_key keys[2] = {{.time = 3.0f}, {.time = 5.0f}};
    keys[1].rotation = (vec3){angle * s, -angle * c, 0.0f};
    int32_t held[AROUND] = {0, 1, 2};
    pliant_scene_driver driver = {.body = scene->body_count - 1,
                                  .particle_count = held_count,
                                  .particles = held,
                                  .pivot = body->def.position,
                                  .key_count = 2,
                                  .keys = keys};
    pliant_scene_add_driver(scene, &driver);
}

static void hang(pliant_scene *scene, pliant_scene_body *body, float x, pliant_error *error)
{
    body->def.position = (vec3){x, TOP, 0.0f};
    body->def.linear_damping = body->def.angular_damping = 0.2f;
    body->def.shape_damping = 0.5f;
    body->def.friction = 0.5f;
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_CAPSULE);
    def.radius = 0.12f;
    def.half_length = 0.25f;
    pliant_scene_collider *bar =
        craft_collider(scene, craft_shape(scene, &def, error), x < 0.0f ? "bar 0" : "bar 1",
                       0x707880, (vec3){x - 0.22f, TOP - 0.75f, 0.0f});
    if (bar)
        bar->def.orientation = quat_exp((vec3){0.5f * PLIANT_PI, 0.0f, 0.0f});
}

// What they hang from, to be seen only.
static void add_beam(pliant_scene *scene, pliant_error *error)
{
    const float half_height = 0.04f;
    pliant_scene_collider *beam =
        craft_box(scene, "beam", 0xb08050, (vec3){0.0f, TOP + half_height, 0.0f},
                  (vec3){0.5f * APART + 0.25f, half_height, 0.06f}, error);
    if (beam)
        beam->def.mask = 0;
}

pliant_scene *scene_ropes(pliant_error *error)
{
    pliant_scene *scene = craft_scene(6.0f);
    craft_camera(scene, (vec3){0.5f, 1.75f, 4.2f}, (vec3){0.15f, 1.3f, 0.0f});
    craft_ground(scene, 0.5f);
    if (scene) {
        scene->world.substep_length = pliant_substep_length(16);
        scene->world.iterations = 1;
    }
    add_beam(scene, error);
    pliant_scene_body *chain = craft_body(scene, chain_builder(), "chain", 0xc8a060, error);
    if (chain) {
        hang(scene, chain, -0.5f * APART, error);
        twist(scene, 1);
        pliant_builder *builder = lattice_builder(scene->models[chain->model]);
        pliant_scene_body *lattice = craft_body(scene, builder, "lattice", 0xc8a060, error);
        if (lattice) {
            hang(scene, lattice, 0.5f * APART, error);
            twist(scene, AROUND);
        }
    }
    return craft_finish(scene, error);
}
