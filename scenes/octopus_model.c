// From mesh to model, one tool after the other: chains in the outer tentacles, a layer on the body.

#include "octopus_model.h"

#include "geometry.h"
#include "octopus_mesh.h"

#include <stdlib.h>

static const float CHAIN_BEGIN = 0.3f;                          // part of a tentacle's length
static const float CHAIN_SPACING = 0.06f, BODY_SPACING = 0.12f; // m
static const float SOFT = 0.25f, FIRM = 0.6f;                   // stiffness of chains and body

typedef struct kit {
    const pliant_mesh *mesh;
    pliant_draft *draft;
    pliant_error *error;
} kit;

// ---------------------------------------------------------------------------------------------
// Selections: without indices when memory ran out

// The skin's vertices that become chains, or the others.
static pliant_selection select_skin(const kit *k, bool chains)
{
    float begin = OCTOPUS_ROOT_V + (1.0f - OCTOPUS_ROOT_V) * CHAIN_BEGIN;
    int count = k->mesh->parts[0].vertex_count;
    pliant_selection s = {.indices = malloc((size_t)count * sizeof *s.indices)};
    for (int i = 0; s.indices && i < count; ++i)
        if ((k->mesh->coordinates[i][1] >= begin) == chains)
            s.indices[s.count++] = i;
    return s;
}

static pliant_selection select_particles(int begin, int end)
{
    pliant_selection s = {.indices = malloc((size_t)(end - begin + 1) * sizeof *s.indices)};
    for (int i = begin; s.indices && i < end; ++i)
        s.indices[s.count++] = i;
    return s;
}

// ---------------------------------------------------------------------------------------------
// Tools

static bool spray(const kit *k, bool chains, float spacing)
{
    pliant_selection vertices = select_skin(k, chains);
    pliant_spray_def def = pliant_default_spray_def();
    def.vertices = &vertices;
    def.spacing = spacing;
    def.particle.stiffness = SOFT;
    bool ok = vertices.indices && pliant_draft_spray(k->draft, &def, k->error) == PLIANT_OK;
    pliant_selection_release(&vertices);
    return ok;
}

static bool fit(const kit *k, const pliant_selection *particles, float radius, float aspect)
{
    pliant_fit_def def = pliant_default_fit_def();
    def.particles = particles;
    def.radius = radius;
    def.aspect = aspect;
    return pliant_draft_fit(k->draft, &def, k->error) == PLIANT_OK;
}

// Into the middle of tentacles, for which a particle must see the surface all around.
static bool drift(const kit *k)
{
    pliant_fit_def def = pliant_default_fit_def();
    def.radius = 0.13f;
    def.drift = 3;
    def.merge = 0.8f * CHAIN_SPACING;
    return pliant_draft_fit(k->draft, &def, k->error) == PLIANT_OK;
}

static bool paint(const kit *k, const pliant_selection *particles, pliant_paint_target target,
                  float value)
{
    pliant_paint_def def = pliant_default_paint_def();
    def.particles = particles;
    def.target = target;
    def.value = value;
    return pliant_draft_paint(k->draft, &def, k->error) == PLIANT_OK;
}

// Particles whose x axis points outwards move in until their outer sides lie in the surface.
static void sink(const kit *k, const pliant_selection *particles)
{
    for (int i = 0; i < particles->count; ++i) {
        pliant_particle_def *p = pliant_draft_particle(k->draft, particles->indices[i]);
        vec3 outward = quat_rotate(p->orientation, (vec3){1, 0, 0});
        p->position = vec3_add_scaled(p->position, outward, -p->radii.x);
    }
}

static bool make_chains(const kit *k)
{
    // Between the two spacings: a finer view costs time and shows nothing more.
    const float scale = 0.1f, bridge = 0.02f;
    return pliant_draft_set_scale(k->draft, scale, bridge, k->error) == PLIANT_OK &&
           spray(k, true, CHAIN_SPACING) && drift(k) && fit(k, NULL, 0.08f, 4.0f);
}

// A layer that is a surface only while its axes are turned: with opposite sides this close, each would
// push the other out of itself.
static bool make_body(const kit *k)
{
    int first = pliant_draft_particle_count(k->draft);
    if (!spray(k, false, BODY_SPACING))
        return false;
    pliant_selection layer = select_particles(first, pliant_draft_particle_count(k->draft));
    bool ok = layer.indices && fit(k, &layer, 0.6f * BODY_SPACING, 2.0f) &&
              paint(k, &layer, PLIANT_PAINT_SURFACE, 1.0f) &&
              paint(k, &layer, PLIANT_PAINT_STIFFNESS, FIRM);
    if (ok)
        sink(k, &layer);
    ok = ok && paint(k, &layer, PLIANT_PAINT_SURFACE, 0.0f);
    pliant_selection_release(&layer);
    return ok;
}

static bool join(const kit *k, int chain_count)
{
    pliant_selection chains = select_particles(0, chain_count);
    pliant_connect_def connect = pliant_default_connect_def();
    connect.distance = 3.0f * BODY_SPACING;
    connect.nearest_only = true;
    bool ok = chains.indices && pliant_draft_connect(k->draft, &connect, k->error) == PLIANT_OK &&
              paint(k, &chains, PLIANT_PAINT_TORSION, 0.9f) &&
              paint(k, &chains, PLIANT_PAINT_STRETCH, 1.0f);
    pliant_selection_release(&chains);
    return ok;
}

static bool dress(const kit *k)
{
    pliant_mass_def mass = pliant_default_mass_def();
    mass.density = 300.0f;
    pliant_bind_def bind = pliant_default_bind_def();
    return pliant_draft_mass(k->draft, &mass, k->error) == PLIANT_OK &&
           pliant_draft_bind(k->draft, &bind, k->error) == PLIANT_OK;
}

pliant_model *octopus_model(pliant_error *error)
{
    pliant_mesh *mesh = octopus_mesh();
    kit k = {mesh, mesh ? pliant_draft_create(mesh, error) : NULL, error};
    pliant_model *model = NULL;
    if (k.draft && make_chains(&k)) {
        int chain_count = pliant_draft_particle_count(k.draft);
        if (make_body(&k) && join(&k, chain_count) && dress(&k))
            model = pliant_draft_build(k.draft, error);
    }
    pliant_draft_destroy(k.draft);
    pliant_mesh_destroy(mesh);
    return model;
}
