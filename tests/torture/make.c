// Random models and shapes. All are of the size of a metre, and have at most some eighty particles.

#include "make.h"

#include <stdio.h>
#include <stdlib.h>

const char *const model_family_names[MODEL_FAMILIES] = {"ball",    "rope",    "sheet", "block",
                                                        "lattice", "shell",   "chain", "group",
                                                        "hinge",   "plastic", "tree"};

const char *const shape_kind_names[PLIANT_SHAPE_HEIGHTFIELD + 1] = {
    "plane", "sphere", "capsule", "box", "hull", "mesh", "heightfield"};

bool model_family_rolls(model_family family)
{
    return family == MODEL_BALL || family == MODEL_ROPE || family == MODEL_CHAIN ||
           family == MODEL_SHELL || family == MODEL_LATTICE || family == MODEL_GROUP ||
           family == MODEL_HINGE || family == MODEL_TREE;
}

// ---------------------------------------------------------------------------------------------
// Models

static float random_density(dice *d)
{
    return dice_log(d, 50.0f, 5000.0f);
}

// Half axes of aspect ratios up to 1:6.
static vec3 random_radii(dice *d, float size)
{
    if (dice_chance(d, 0.4f))
        return (vec3){size, size, size};
    float x = dice_log(d, 0.17f, 1.0f), y = dice_log(d, 0.17f, 1.0f);
    return (vec3){size * x, size * y, size * dice_log(d, 0.17f, 1.0f)};
}

static void add_ball(dice *d, pliant_builder *builder)
{
    pliant_ball_def ball = pliant_default_ball_def();
    ball.radii = random_radii(d, dice_log(d, 0.05f, 0.4f));
    ball.orientation = dice_quat(d);
    ball.density = random_density(d);
    ball.rings = 2;
    pliant_builder_add_ball(builder, &ball);
}

static void add_rope(dice *d, pliant_builder *builder)
{
    pliant_rope_def rope = pliant_default_rope_def();
    rope.end = vec3_scale(vec3_normalize_or(dice_vec3(d, 1.0f), (vec3){1, 0, 0}),
                          dice_between(d, 0.5f, 1.5f));
    rope.particles = dice_int(d, 2, dice_chance(d, 0.3f) ? 60 : 15);
    rope.radius = dice_log(d, 0.01f, 0.06f);
    rope.density = random_density(d);
    rope.stiffness = dice_fraction(d);
    rope.stretch_stiffness = dice_fraction(d);
    rope.torsion_stiffness = dice_fraction(d);
    rope.sides = 3;
    pliant_builder_add_rope(builder, &rope);
}

static void add_sheet(dice *d, pliant_builder *builder)
{
    pliant_sheet_def sheet = pliant_default_sheet_def();
    int most = dice_chance(d, 0.2f) ? 9 : 5;
    sheet.columns = dice_int(d, 2, most);
    sheet.rows = dice_int(d, 2, most);
    sheet.width = dice_between(d, 0.3f, 1.0f);
    sheet.height = dice_between(d, 0.3f, 1.0f);
    sheet.thickness = dice_log(d, 0.005f, 0.05f);
    sheet.area_density = dice_log(d, 0.1f, 20.0f);
    sheet.stiffness = dice_fraction(d);
    sheet.stretch_stiffness = dice_fraction(d);
    sheet.skin_refinement = 1;
    pliant_builder_add_sheet(builder, &sheet);
}

static void add_block(dice *d, pliant_builder *builder)
{
    pliant_block_def block = pliant_default_block_def();
    int most = dice_chance(d, 0.2f) ? 4 : 3;
    for (int c = 0; c < 3; ++c)
        block.counts[c] = dice_int(d, 2, most);
    float x = dice_between(d, 0.2f, 0.8f), y = dice_between(d, 0.2f, 0.8f);
    block.size = (vec3){x, y, dice_between(d, 0.2f, 0.8f)};
    block.density = random_density(d);
    block.stiffness = dice_fraction(d);
    block.skin_refinement = 1;
    pliant_builder_add_block(builder, &block);
}

static void connect(dice *d, pliant_builder *builder, int a, int b)
{
    pliant_edge_def edge = pliant_default_edge_def();
    edge.a = a;
    edge.b = b;
    edge.stretch_stiffness = dice_chance(d, 0.3f) ? dice_fraction(d) : 0.0f;
    pliant_builder_add_edge(builder, &edge);
}

// Edges along the axes of a grid, and some across.
static void connect_grid(dice *d, pliant_builder *builder, const int n[3])
{
    bool across = dice_chance(d, 0.5f);
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) {
                int at = (k * n[1] + j) * n[0] + i;
                if (i + 1 < n[0])
                    connect(d, builder, at, at + 1);
                if (j + 1 < n[1])
                    connect(d, builder, at, at + n[0]);
                if (k + 1 < n[2])
                    connect(d, builder, at, at + n[0] * n[1]);
                if (across && i + 1 < n[0] && j + 1 < n[1])
                    connect(d, builder, at, at + n[0] + 1);
            }
}

static void add_lattice(dice *d, pliant_builder *builder)
{
    int n[3], most = dice_chance(d, 0.2f) ? 4 : 3;
    for (int c = 0; c < 3; ++c)
        n[c] = dice_int(d, 1, most);
    float spacing = dice_between(d, 0.12f, 0.3f), density = random_density(d);
    bool unequal = dice_chance(d, 0.2f), is_creeping = dice_chance(d, 0.1f);
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) {
                pliant_particle_def p = pliant_default_particle_def();
                p.position = (vec3){spacing * (float)i, spacing * (float)j, spacing * (float)k};
                p.orientation = dice_chance(d, 0.5f) ? dice_quat(d) : quat_identity();
                p.radii = random_radii(d, 0.45f * spacing);
                p.mass = density * spacing * spacing * spacing;
                if (unequal)
                    p.mass *= dice_log(d, 0.001f, 1.0f);
                p.stiffness = dice_fraction(d);
                if (dice_chance(d, 0.05f))
                    p.flags |= PLIANT_PARTICLE_UNORIENTED;
                if (is_creeping) {
                    p.yield_strain = dice_between(d, 0.0f, 0.2f);
                    p.creep_rate = dice_log(d, 0.1f, 50.0f);
                }
                pliant_builder_add_particle(builder, &p);
            }
    connect_grid(d, builder, n);
}

// The rotation that takes the x axis to a unit vector.
static quat rotation_to(vec3 n)
{
    vec3 side = vec3_cross(n, absolute(n.y) < 0.9f ? (vec3){0, 1, 0} : (vec3){1, 0, 0});
    vec3 y = vec3_normalize_or(side, (vec3){0, 0, 1});
    return quat_from_axes(n, y, vec3_cross(n, y));
}

// Rings of a tube with an outside, closed at neither end.
static void add_shell(dice *d, pliant_builder *builder)
{
    int around = dice_int(d, 4, 10), rings = dice_int(d, 1, 4);
    float radius = dice_between(d, 0.2f, 0.4f), gap = 6.2831853f * radius / (float)around;
    float stiffness = dice_fraction(d), mass = dice_log(d, 0.01f, 1.0f);
    for (int r = 0; r < rings; ++r)
        for (int k = 0; k < around; ++k) {
            float angle = 6.2831853f * (float)k / (float)around;
            vec3 n = {cosf(angle), 0, sinf(angle)};
            pliant_particle_def p = pliant_default_particle_def();
            p.position = vec3_add_scaled((vec3){0, gap * (float)r, 0}, n, radius);
            p.orientation = rotation_to(n);
            p.radii = (vec3){0.2f * gap, 0.48f * gap, 0.48f * gap};
            p.mass = mass;
            p.stiffness = stiffness;
            p.flags = PLIANT_PARTICLE_SURFACE;
            pliant_builder_add_particle(builder, &p);
        }
    for (int r = 0; r < rings; ++r)
        for (int k = 0; k < around; ++k) {
            connect(d, builder, r * around + k, r * around + (k + 1) % around);
            if (r + 1 < rings)
                connect(d, builder, r * around + k, (r + 1) * around + k);
        }
}

static void add_chain(dice *d, pliant_builder *builder)
{
    int count = dice_int(d, 2, 12);
    float gap = dice_between(d, 0.08f, 0.2f), stiffness = dice_fraction(d);
    float torsion = dice_fraction(d), stretch = dice_fraction(d), mass = dice_log(d, 0.05f, 5.0f);
    for (int i = 0; i < count; ++i) {
        pliant_particle_def p = pliant_default_particle_def();
        p.position = (vec3){gap * (float)i, 0, 0};
        p.radii = (vec3){0.45f * gap, gap * dice_between(d, 0.1f, 0.45f),
                         gap * dice_between(d, 0.1f, 0.45f)};
        p.mass = mass;
        p.stiffness = stiffness;
        pliant_builder_add_particle(builder, &p);
    }
    for (int i = 0; i + 1 < count; ++i) {
        pliant_edge_def edge = {i, i + 1, stretch, torsion, false, 0.0f};
        pliant_builder_add_edge(builder, &edge);
    }
}

static void add_group_of(pliant_builder *builder, int first, int end, pliant_group_def group)
{
    int32_t members[128];
    for (int i = first; i < end; ++i)
        members[i - first] = i;
    group.members = members;
    group.member_count = end - first;
    pliant_builder_add_group(builder, &group);
}

// One group of all particles, or one of the first half and implicit ones of the rest.
static void add_grouped(dice *d, pliant_builder *builder)
{
    if (dice_chance(d, 0.5f))
        add_block(d, builder);
    else
        add_lattice(d, builder);
    int count = pliant_builder_particle_count(builder);
    int end = dice_chance(d, 0.3f) && count > 3 ? count / 2 : count;
    pliant_group_def group = {.stiffness = dice_chance(d, 0.5f) ? 1.0f : dice_fraction(d)};
    add_group_of(builder, 0, end, group);
}

// Two plates that share the particles of an axis.
static void add_hinge(dice *d, pliant_builder *builder)
{
    float gap = dice_between(d, 0.12f, 0.25f), mass = dice_log(d, 0.1f, 10.0f);
    int columns = dice_int(d, 1, 2);
    for (int i = -columns; i <= columns; ++i)
        for (int k = 0; k < 2; ++k) {
            pliant_particle_def p = pliant_default_particle_def();
            p.position = (vec3){gap * (float)i, 0, gap * (float)k};
            p.radii = random_radii(d, 0.45f * gap);
            p.mass = mass;
            pliant_builder_add_particle(builder, &p);
        }
    int axis = 2 * columns, count = 2 * (2 * columns + 1);
    add_group_of(builder, 0, axis + 2, (pliant_group_def){.stiffness = 1.0f});
    add_group_of(builder, axis, count, (pliant_group_def){.stiffness = 1.0f});
    pliant_hinge_def hinge = {
        .group_a = 0, .group_b = 1, .particle_a = axis, .particle_b = axis + 1};
    hinge.has_limits = dice_chance(d, 0.5f);
    if (hinge.has_limits) {
        hinge.lower = -dice_between(d, 0.0f, 3.0f);
        hinge.upper = dice_between(d, 0.0f, 3.0f);
    }
    pliant_builder_add_hinge(builder, &hinge);
}

static void add_plastic(dice *d, pliant_builder *builder)
{
    add_block(d, builder);
    int count = pliant_builder_particle_count(builder);
    pliant_group_def group = {.stiffness = dice_chance(d, 0.5f) ? 1.0f : 0.5f};
    if (dice_chance(d, 0.7f))
        group.dent_speed = dice_log(d, 0.2f, 10.0f);
    if (dice_chance(d, 0.5f)) {
        group.yield_strain = dice_between(d, 0.0f, 0.2f);
        group.creep_rate = dice_log(d, 0.1f, 50.0f);
    }
    add_group_of(builder, 0, count, group);
}

// Each particle hangs on one of those before it; some are heavy. Now and then an edge more closes a circle.
static void add_tree(dice *d, pliant_builder *builder)
{
    int count = dice_int(d, 4, 50), twigs = dice_int(d, 1, 6);
    float step = dice_between(d, 0.02f, 0.12f), mass = dice_log(d, 0.005f, 0.5f);
    float heaviest = dice_log(d, 1.0f, 1000.0f), torsion = dice_fraction(d);
    float stiffness = dice_chance(d, 0.5f) ? 0.0f : dice_fraction(d);
    int parent = 0;
    for (int i = 0; i < count; ++i) {
        pliant_particle_def p = pliant_default_particle_def();
        parent = dice_chance(d, 0.8f) ? i - 1 : i - dice_int(d, 1, twigs);
        parent = parent < 0 ? 0 : parent;
        if (i > 0)
            p.position = vec3_add_scaled(
                pliant_builder_particle(builder, parent)->position,
                vec3_normalize_or(vec3_add(dice_vec3(d, 1.0f), (vec3){1, 0, 0}), (vec3){1, 0, 0}),
                step);
        p.radii = random_radii(d, 0.6f * step);
        p.orientation = dice_quat(d);
        p.mass = mass * (dice_chance(d, 0.1f) ? heaviest : 1.0f);
        p.stiffness = stiffness;
        pliant_builder_add_particle(builder, &p);
        pliant_edge_def edge = {.a = parent, .b = i, .stretch_stiffness = 1.0f};
        edge.torsion_stiffness = torsion;
        if (i > 0)
            pliant_builder_add_edge(builder, &edge);
    }
    if (dice_chance(d, 0.2f) && parent != 0)
        pliant_builder_add_edge(
            builder, &(pliant_edge_def){.a = 0, .b = count - 1, .stretch_stiffness = 1.0f});
}

// A quarter of all models is elastic, some of them in parts. By dice of their own, so that the others are what they were without.
static void make_elastic(const dice *d, pliant_builder *builder)
{
    dice own = {d->state ^ 0x656c6173746963ull};
    if (!dice_chance(&own, 0.25f))
        return;
    float part = dice_chance(&own, 0.3f) ? dice_between(&own, 0.1f, 0.9f) : 1.0f;
    float young_modulus = dice_log(&own, 1e2f, 1e9f), density = dice_log(&own, 50.0f, 5000.0f);
    for (int i = 0; i < pliant_builder_particle_count(builder); ++i) {
        pliant_particle_def *p = pliant_builder_particle(builder, i);
        if (!dice_chance(&own, part))
            continue;
        p->young_modulus = young_modulus;
        p->density = density;
    }
}

pliant_model *make_model(dice *d, model_family family, float heaviness)
{
    static void (*const makers[MODEL_FAMILIES])(dice * d, pliant_builder * builder) = {
        add_ball,  add_rope,    add_sheet, add_block,   add_lattice, add_shell,
        add_chain, add_grouped, add_hinge, add_plastic, add_tree};
    pliant_builder *builder = pliant_builder_create(NULL);
    makers[family](d, builder);
    for (int i = 0; i < pliant_builder_particle_count(builder); ++i)
        pliant_builder_particle(builder, i)->mass *= heaviness;
    make_elastic(d, builder);
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    pliant_builder_destroy(builder);
    if (!model) {
        fprintf(stderr, "torture: %s: %s: %s\n", model_family_names[family], error.place,
                error.message);
        exit(2);
    }
    return model;
}

float model_reach(const pliant_model *model)
{
    float most = 0.0f;
    const pliant_particle_def *particles = pliant_model_particles(model);
    for (int i = 0; i < pliant_model_particle_count(model); ++i) {
        vec3 r = particles[i].radii;
        most = maximum(most, vec3_length(particles[i].position) + maximum(r.x, maximum(r.y, r.z)));
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// Shapes

enum { HULL_POINTS = 14, FIELD = 5 };

pliant_shape *make_shape(dice *d, pliant_shape_kind kind)
{
    pliant_shape_def def = pliant_default_shape_def(kind);
    vec3 points[FIELD * FIELD];
    int32_t triangles[6 * (FIELD - 1) * (FIELD - 1)];
    float heights[FIELD * FIELD];
    def.radius = dice_between(d, 0.2f, 0.6f);
    def.half_length = dice_between(d, 0.0f, 0.6f);
    float x = dice_between(d, 0.1f, 1.0f), y = dice_between(d, 0.1f, 0.5f);
    def.half_size = (vec3){x, y, dice_between(d, 0.1f, 1.0f)};
    if (kind == PLIANT_SHAPE_HULL) {
        for (int i = 0; i < HULL_POINTS; ++i)
            points[i] = vec3_scale(vec3_normalize_or(dice_vec3(d, 1.0f), (vec3){1, 0, 0}), 0.5f);
        def.points = points;
        def.point_count = HULL_POINTS;
    }
    for (int i = 0; i < FIELD * FIELD; ++i)
        heights[i] = dice_between(d, -0.2f, 0.2f);
    if (kind == PLIANT_SHAPE_HEIGHTFIELD) {
        def.heights = heights;
        def.columns = def.rows = FIELD;
        def.spacing = dice_between(d, 0.5f, 1.0f);
    }
    if (kind == PLIANT_SHAPE_MESH) {
        int count = 0;
        for (int row = 0; row < FIELD; ++row)
            for (int column = 0; column < FIELD; ++column) {
                int at = row * FIELD + column;
                points[at] =
                    (vec3){0.6f * (float)(column - 2), heights[at], 0.6f * (float)(row - 2)};
                if (row + 1 == FIELD || column + 1 == FIELD)
                    continue;
                const int32_t two[6] = {at, at + FIELD, at + 1, at + 1, at + FIELD, at + FIELD + 1};
                for (int k = 0; k < 6; ++k)
                    triangles[count++] = two[k];
            }
        def.points = points;
        def.point_count = FIELD * FIELD;
        def.triangles = triangles;
        def.triangle_count = count / 3;
    }
    pliant_error error = {0};
    pliant_shape *shape = pliant_shape_create(&def, NULL, &error);
    if (!shape) {
        fprintf(stderr, "torture: %s: %s: %s\n", shape_kind_names[kind], error.place,
                error.message);
        exit(2);
    }
    return shape;
}
