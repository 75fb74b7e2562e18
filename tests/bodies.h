// Small bodies and worlds for tests.

#ifndef PLIANT_TESTS_BODIES_H
#define PLIANT_TESTS_BODIES_H

#include "test.h"

// A lattice of particles with edges between those closer than `reach` spacings.
typedef struct lattice {
    int nx, ny, nz;
    float spacing, radius, mass; // m, m, kg each
    vec3 radii;                  // m, of ellipsoids in place of round ones, if not 0
    float reach;                 // 1.75: all 26 neighbours; 1.5: without the space diagonals
    float stiffness;
    bool is_rigid;      // one explicit group of all
    int pinned_columns; // the first so many layers along x
    float stretch, torsion;
    float dent_speed;               // of the explicit group
    float yield_strain, creep_rate; // of the particles and of the explicit group
    float young_modulus;            // Pa, of particles that fill their cells; 0: none
    bool has_skin;                  // a vertex at half a radius above each particle
} lattice;

static inline lattice lattice_of(int nx, int ny, int nz)
{
    return (lattice){.nx = nx,
                     .ny = ny,
                     .nz = nz,
                     .spacing = 0.2f,
                     .radius = 0.1f,
                     .mass = 0.1f,
                     .reach = 1.75f,
                     .stiffness = 0.5f};
}

static inline pliant_model *lattice_model(const lattice *l)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    int n = l->nx * l->ny * l->nz;
    for (int p = 0; p < n; ++p) {
        int i = p / (l->ny * l->nz), j = p / l->nz % l->ny, k = p % l->nz;
        pliant_particle_def def = pliant_default_particle_def();
        def.position = vec3_scale((vec3){(float)i, (float)j, (float)k}, l->spacing);
        def.radii = l->radii.x > 0.0f ? l->radii : (vec3){l->radius, l->radius, l->radius};
        def.mass = l->mass;
        def.stiffness = l->stiffness;
        def.young_modulus = l->young_modulus;
        if (l->young_modulus > 0.0f)
            def.density = l->mass / (l->spacing * l->spacing * l->spacing);
        def.flags = i < l->pinned_columns ? PLIANT_PARTICLE_PINNED : 0;
        def.yield_strain = l->yield_strain;
        def.creep_rate = l->creep_rate;
        pliant_builder_add_particle(builder, &def);
    }
    for (int a = 0; a < n; ++a) {
        int last_column = a / (l->ny * l->nz) + (int)l->reach; // that an edge may lead to
        for (int b = a + 1; b < n && b / (l->ny * l->nz) <= last_column; ++b) {
            vec3 d = vec3_sub(pliant_builder_particle(builder, a)->position,
                              pliant_builder_particle(builder, b)->position);
            if (vec3_length(d) > l->reach * l->spacing)
                continue;
            pliant_edge_def edge = {a, b, l->stretch, l->torsion, false, 0.0f};
            pliant_builder_add_edge(builder, &edge);
        }
    }
    if (l->is_rigid) {
        int32_t *members = malloc((size_t)n * sizeof *members);
        for (int i = 0; i < n; ++i)
            members[i] = i;
        pliant_group_def group = {.members = members,
                                  .member_count = n,
                                  .stiffness = 1.0f,
                                  .dent_speed = l->dent_speed,
                                  .yield_strain = l->yield_strain,
                                  .creep_rate = l->creep_rate};
        pliant_builder_add_group(builder, &group);
        free(members);
    }
    for (int p = 0; l->has_skin && p < n; ++p) {
        pliant_vertex_def vertex = {.normal = {0, 1, 0}, .particles = {p}, .weights = {1.0f}};
        vertex.position = pliant_builder_particle(builder, p)->position;
        vertex.position.y += 0.5f * l->radius;
        pliant_builder_add_vertex(builder, &vertex);
    }
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    return model;
}

// A world with one body in it.
typedef struct setup {
    pliant_model *model;
    pliant_world_def world_def;
    pliant_body_def body_def;
    pliant_world *world;
    pliant_body_id body;
} setup;

// Defaults without gravity and damping.
static inline setup setup_with(pliant_model *model)
{
    setup s = {.model = model,
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.body_def.model = model;
    return s;
}

static inline setup setup_of(const lattice *l)
{
    setup s = {.model = lattice_model(l),
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.world_def.gravity = (vec3){0, 0, 0};
    s.body_def.model = s.model;
    s.body_def.linear_damping = s.body_def.angular_damping = 0.0f;
    return s;
}

static inline void setup_open(setup *s)
{
    pliant_error error = {0};
    s->world = pliant_world_create(&s->world_def, &error);
    s->body = pliant_world_add_body(s->world, &s->body_def, &error);
    if (!pliant_body_is_valid(s->world, s->body))
        fail_msg("%s: %s", error.place, error.message);
}

static inline void setup_close(setup *s)
{
    pliant_world_destroy(s->world);
    pliant_model_destroy(s->model);
}

static inline void run(setup *s, double seconds, float dt)
{
    int steps = (int)(seconds / (double)dt + 0.5);
    for (int i = 0; i < steps; ++i)
        pliant_world_step(s->world, dt);
}

static inline vec3 position_of(const setup *s, int particle)
{
    return pliant_body_particle_pose(s->world, s->body, particle).position;
}

// J, of its motion and in the gravity of the earth.
static inline double energy_in_gravity(const setup *s)
{
    pliant_motion m = pliant_body_motion(s->world, s->body);
    return m.kinetic_energy + 9.81 * m.mass * m.centre[1];
}

static inline double length_of(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

// m/s, of the fastest particle.
static inline double fastest(const setup *s)
{
    double most = 0;
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i) {
        vec3 v = pliant_body_particle_velocity(s->world, s->body, i);
        most = fmax(most, (double)vec3_length(v));
    }
    return most;
}

static inline bool all_finite(const setup *s)
{
    for (int i = 0; i < pliant_model_particle_count(s->model); ++i) {
        pliant_pose pose = pliant_body_particle_pose(s->world, s->body, i);
        if (!vec3_is_finite(pose.position) || !quat_is_finite(pose.orientation) ||
            !vec3_is_finite(pliant_body_particle_velocity(s->world, s->body, i)))
            return false;
    }
    return true;
}

// How far the body is from its rest shape: the largest change of a distance between two particles.
static inline double shape_error(const setup *s)
{
    int n = pliant_model_particle_count(s->model);
    const pliant_particle_def *rest = pliant_model_particles(s->model);
    double worst = 0;
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < n; ++b) {
            double now = vec3_length(vec3_sub(position_of(s, a), position_of(s, b)));
            double then = vec3_length(vec3_sub(rest[a].position, rest[b].position));
            worst = fmax(worst, fabs(now - then));
        }
    return worst;
}

#endif
