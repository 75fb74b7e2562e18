// Beams, rods, strips and plates of an elastic material, clamped and left to their weight: how far they sag, how fast they swing,
// and what the theories of Euler and Bernoulli, Timoshenko and Kirchhoff say.

#ifndef PLIANT_TESTS_ELASTIC_TRIALS_H
#define PLIANT_TESTS_ELASTIC_TRIALS_H

#include <pliant/pliant.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "math/quat.h"

typedef enum trial_kind {
    TRIAL_BEAM,  // 1 m × 0.2 m × 0.2 m, clamped at one end; `cells` across
    TRIAL_ROD,   // 1 m, round, 1 cm thick, clamped at one end; `cells` along
    TRIAL_STRIP, // 1 m × about 0.2 m × 2 cm, clamped at one end; `cells` along
    TRIAL_PLATE, // 1 m × 1 m × 2 cm, clamped all around; `cells` along a side
    TRIAL_KINDS
} trial_kind;

typedef struct trial {
    trial_kind kind;
    int cells;
    double young_modulus; // Pa
    double gravity;       // m/s²
    double substep_length;
    int iterations;
    double dt;
    double painted; // above 0: with this stiffness instead of that modulus
    bool is_pulled; // along its length instead of bent
    quat turn;      // of all of it, gravity too
} trial;

typedef struct trial_result {
    double sag;       // m
    double frequency; // Hz, of its first mode
    int saturated_groups;
    double unsaturated_length; // s
} trial_result;

static const double TRIAL_DENSITY = 1000.0, TRIAL_LENGTH = 1.0;
static const double BEAM_HEIGHT = 0.2, ROD_RADIUS = 0.01, SHEET_THICKNESS = 0.02, STRIP_WIDTH = 0.2;

// ---------------------------------------------------------------------------------------------
// Theory

// Second moment of area over area.
static inline double trial_gyration(trial_kind kind)
{
    if (kind == TRIAL_ROD)
        return ROD_RADIUS * ROD_RADIUS / 4;
    double height = kind == TRIAL_BEAM ? BEAM_HEIGHT : SHEET_THICKNESS;
    return height * height / 12;
}

static inline double trial_exact_sag(const trial *t)
{
    double E = t->young_modulus, L = TRIAL_LENGTH, load = TRIAL_DENSITY * t->gravity; // per volume
    if (t->is_pulled)
        return load * L * L / (2 * E);
    double bent = load * L * L * L * L / (E * trial_gyration(t->kind));
    if (t->kind == TRIAL_PLATE)
        return 0.00126532 * bent;
    // Shear: 5/6 of the section, with G = E/2.
    return bent / 8 + (t->kind == TRIAL_BEAM ? load * L * L / (2 * (5.0 / 6.0) * E / 2) : 0.0);
}

static inline double trial_exact_frequency(const trial *t)
{
    double E = t->young_modulus, L = TRIAL_LENGTH, turn = 2 * (double)PLIANT_PI;
    if (t->is_pulled)
        return sqrt(E / TRIAL_DENSITY) / (4 * L);
    double c = sqrt(E * trial_gyration(t->kind) / TRIAL_DENSITY) / (L * L);
    if (t->kind == TRIAL_PLATE)
        return 35.985 * c / turn;
    double bending = 3.51602 * c / turn;
    double shear = sqrt((5.0 / 6.0) * E / 2 / TRIAL_DENSITY) / (4 * L);
    // Dunkerley's sum.
    return t->kind == TRIAL_BEAM ? bending / sqrt(1 + bending * bending / (shear * shear))
                                 : bending;
}

// ---------------------------------------------------------------------------------------------
// Trials

// Particles stand at the nodes of a grid; those at an end stand for half a cell.
typedef struct trial_grid {
    int n[3];
    double spacing, height; // of a particle's cell, along and across
} trial_grid;

static inline trial_grid trial_grid_of(const trial *t)
{
    trial_grid g = {{t->cells + 1, 1, 1}, TRIAL_LENGTH / t->cells, SHEET_THICKNESS};
    if (t->kind == TRIAL_BEAM) {
        g.spacing = g.height = BEAM_HEIGHT / t->cells;
        g.n[0] = (int)(TRIAL_LENGTH / g.spacing + 0.5) + 1;
        g.n[1] = g.n[2] = t->cells;
    } else if (t->kind == TRIAL_STRIP) {
        g.n[2] = (int)fmax(2.0, floor(STRIP_WIDTH / g.spacing + 0.5));
    } else if (t->kind == TRIAL_PLATE) {
        g.n[2] = t->cells + 1;
    }
    return g;
}

static inline int trial_particle(const trial_grid *g, int i, int j, int k)
{
    return (i * g->n[1] + j) * g->n[2] + k;
}

static inline void trial_add_particle(pliant_builder *builder, const trial *t, const trial_grid *g,
                                      int i, int j, int k)
{
    pliant_particle_def def = pliant_default_particle_def();
    double along = g->spacing, cell = along * along * g->height;
    bool is_end = i == 0 || i == g->n[0] - 1, is_side = k == 0 || k == g->n[2] - 1;
    def.position = (vec3){(float)(i * along), (float)((j - (g->n[1] - 1) / 2.0) * along),
                          (float)((k - (g->n[2] - 1) / 2.0) * along)};
    def.position = quat_rotate(t->turn, def.position);
    def.orientation = t->turn;
    def.radii = (vec3){(float)(along / 2), (float)(g->height / 2), (float)(along / 2)};
    if (t->kind == TRIAL_ROD) {
        def.radii = (vec3){(float)(along / 2), (float)ROD_RADIUS, (float)ROD_RADIUS};
        cell = (double)PLIANT_PI * ROD_RADIUS * ROD_RADIUS * along;
    }
    if (t->kind == TRIAL_PLATE && is_side)
        cell /= 2;
    def.mass = (float)(TRIAL_DENSITY * (is_end ? cell / 2 : cell));
    def.density = (float)TRIAL_DENSITY;
    def.young_modulus = t->painted > 0 ? 0.0f : (float)t->young_modulus;
    def.stiffness = (float)t->painted;
    if (i == 0 || (t->kind == TRIAL_PLATE && (is_end || is_side)))
        def.flags = PLIANT_PARTICLE_PINNED;
    pliant_builder_add_particle(builder, &def);
}

static inline pliant_model *trial_model(const trial *t, const trial_grid *g)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    int count = g->n[0] * g->n[1] * g->n[2];
    for (int p = 0; p < count; ++p)
        trial_add_particle(builder, t, g, p / (g->n[1] * g->n[2]), p / g->n[2] % g->n[1],
                           p % g->n[2]);
    for (int p = 0; p < count; ++p) {
        int i = p / (g->n[1] * g->n[2]), j = p / g->n[2] % g->n[1], k = p % g->n[2];
        for (int q = p + 1; q < count; ++q) {
            int a = q / (g->n[1] * g->n[2]), b = q / g->n[2] % g->n[1], c = q % g->n[2];
            if (a > i + 1)
                break;
            pliant_edge_def edge = pliant_default_edge_def();
            edge.a = p;
            edge.b = q;
            if (abs(a - i) <= 1 && abs(b - j) <= 1 && abs(c - k) <= 1)
                pliant_builder_add_edge(builder, &edge);
        }
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    return model;
}

typedef struct trial_run {
    pliant_model *model;
    pliant_world *world;
    pliant_body_id body;
    trial_grid grid;
    vec3 down;
    double rest; // of what is watched, along `down`
} trial_run;

// Mean place of what is watched along the direction of gravity: the free end, or the middle of a plate.
static inline double trial_depth(const trial_run *r, trial_kind kind)
{
    int i = kind == TRIAL_PLATE ? r->grid.n[0] / 2 : r->grid.n[0] - 1;
    double sum = 0;
    int count = 0;
    for (int j = 0; j < r->grid.n[1]; ++j)
        for (int k = 0; k < r->grid.n[2]; ++k) {
            if (kind == TRIAL_PLATE && k != r->grid.n[2] / 2)
                continue;
            int p = trial_particle(&r->grid, i, j, k);
            vec3 x = pliant_body_particle_pose(r->world, r->body, p).position;
            sum += (double)vec3_dot(x, r->down);
            ++count;
        }
    return sum / count;
}

static inline trial_run trial_begin(const trial *t, float damping)
{
    trial_run r = {.grid = trial_grid_of(t)};
    r.model = trial_model(t, &r.grid);
    r.down = quat_rotate(t->turn, t->is_pulled ? (vec3){1, 0, 0} : (vec3){0, -1, 0});
    pliant_world_def def = pliant_default_world_def();
    def.gravity = vec3_scale(r.down, (float)t->gravity);
    def.substep_length = (float)t->substep_length;
    def.iterations = t->iterations;
    r.world = pliant_world_create(&def, NULL);
    pliant_body_def body = pliant_default_body_def();
    body.model = r.model;
    body.linear_damping = body.angular_damping = body.shape_damping = damping;
    r.body = pliant_world_add_body(r.world, &body, NULL);
    r.rest = trial_depth(&r, t->kind);
    return r;
}

static inline void trial_end(trial_run *r)
{
    pliant_world_destroy(r->world);
    pliant_model_destroy(r->model);
}

// Drawn to rest by about critical damping.
static inline trial_result trial_sag(const trial *t)
{
    trial_result out = {0};
    double rate = 2 * (double)PLIANT_PI * trial_exact_frequency(t);
    trial_run r = trial_begin(t, (float)fmin(1 - exp(-1.5 * rate), 0.999));
    for (int i = 0; i < (int)(14 / rate / t->dt); ++i) {
        pliant_body_wake(r.world, r.body);
        pliant_world_step(r.world, (float)t->dt);
        pliant_report report = pliant_world_report(r.world);
        out.saturated_groups = report.saturated_groups;
        out.unsaturated_length = (double)report.unsaturated_length;
    }
    out.sag = trial_depth(&r, t->kind) - r.rest;
    trial_end(&r);
    return out;
}

// From the times at which it passes the depth at which it will rest.
static inline double trial_frequency(const trial *t, double sag)
{
    enum { PASSES = 5 };
    trial_run r = trial_begin(t, 0.0f);
    double before = r.rest, passes[PASSES], time = 0;
    int count = 0;
    while (count < PASSES && time < 5 / trial_exact_frequency(t)) {
        pliant_body_wake(r.world, r.body);
        pliant_world_step(r.world, (float)t->dt);
        double now = trial_depth(&r, t->kind), level = r.rest + sag;
        if ((before < level) != (now < level))
            passes[count++] = time + t->dt * (level - before) / (now - before);
        before = now;
        time += t->dt;
    }
    trial_end(&r);
    return count == PASSES ? 0.5 * (PASSES - 1) / (passes[PASSES - 1] - passes[0]) : 0.0;
}

#endif
