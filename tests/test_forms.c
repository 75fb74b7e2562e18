// Forms of every kind through their one interface, against points on their surfaces.

#include "solids.h"

#include "model/model.h"

enum { SAMPLES = 8000, EXHIBITS = KINDS + 1, ELLIPSOID = KINDS, ROUNDS = 60, MARCH = 4000 };

static const vec3 RADII = {0.9f, 0.5f, 0.7f}, HALF = {0.6f, 0.9f, 0.4f};
static const float ROUND = 0.5f, LENGTH = 0.6f, CELL = 0.5f;
enum { CELLS = 8 };

// A form about the origin, points on its surface, and what is known of it beside.
typedef struct exhibit {
    int kind; // of shape, or ELLIPSOID
    form form;
    pliant_shape *shape;
    vec3 samples[SAMPLES];
} exhibit;

// ---------------------------------------------------------------------------------------------
// The exhibits

static vec3 random_direction(uint32_t *seed)
{
    vec3 v;
    do
        v = random_vec3(seed, 1.0f);
    while (vec3_dot(v, v) > 1.0f || vec3_dot(v, v) < 0.01f);
    return vec3_scale(v, 1.0f / vec3_length(v));
}

// The corners of triangles, then points along their edges and on them.
static void sample_triangles(exhibit *e, const vec3 *points, int point_count,
                             const int32_t *triangles, int triangle_count, uint32_t *seed)
{
    for (int i = 0; i < SAMPLES; ++i) {
        const int32_t *t = triangles + 3 * (size_t)(i % triangle_count);
        vec3 a = points[t[0]], b = points[t[1]], c = points[t[2]];
        float u = random_between(seed, 0.0f, 1.0f), v = random_between(seed, 0.0f, 1.0f);
        if (u + v > 1.0f) {
            u = 1.0f - u;
            v = 1.0f - v;
        }
        int round = i / triangle_count % 8;
        if (round < 3) { // an edge
            vec3 from = round == 0   ? a
                        : round == 1 ? b
                                     : c,
                 to = round == 0   ? b
                      : round == 1 ? c
                                   : a;
            e->samples[i] = vec3_add_scaled(from, vec3_sub(to, from), u);
        } else {
            vec3 along = vec3_add_scaled(a, vec3_sub(b, a), u);
            e->samples[i] = vec3_add_scaled(along, vec3_sub(c, a), v);
        }
        if (i < point_count)
            e->samples[i] = points[i];
    }
}

static pliant_shape *box_hull(void)
{
    vec3 points[8];
    for (int i = 0; i < 8; ++i)
        points[i] =
            (vec3){i & 1 ? HALF.x : -HALF.x, i & 2 ? HALF.y : -HALF.y, i & 4 ? HALF.z : -HALF.z};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HULL);
    def.points = points;
    def.point_count = 8;
    return shape_from(&def);
}

// The sides of a box as a mesh.
static pliant_shape *box_mesh(void)
{
    pliant_shape *hull = box_hull();
    pliant_shape_def def = pliant_shape_definition(hull);
    def.kind = PLIANT_SHAPE_MESH;
    pliant_shape *mesh = shape_from(&def);
    pliant_shape_destroy(hull);
    return mesh;
}

static void sample_shape(exhibit *e, const pliant_shape *shape, uint32_t *seed)
{
    pliant_shape_def def = pliant_shape_definition(shape);
    sample_triangles(e, def.points, def.point_count, def.triangles, def.triangle_count, seed);
}

static void sample_field(exhibit *e, uint32_t *seed)
{
    pliant_shape_def def = pliant_shape_definition(e->shape);
    vec3 points[(CELLS + 1) * (CELLS + 1)];
    int32_t triangles[6 * CELLS * CELLS], *t = triangles;
    for (int i = 0; i < def.columns * def.rows; ++i)
        points[i] = (vec3){(float)(i % def.columns) * CELL, def.heights[i],
                           (float)(i / def.columns) * CELL};
    for (int32_t row = 0; row < CELLS; ++row)
        for (int32_t column = 0; column < CELLS; ++column, t += 6) {
            int32_t a = row * (CELLS + 1) + column, below = a + CELLS + 1;
            const int32_t both[6] = {a, below, a + 1, below + 1, a + 1, below};
            memcpy(t, both, sizeof both);
        }
    sample_triangles(e, points, def.columns * def.rows, triangles, 2 * CELLS * CELLS, seed);
}

static void sample_round(exhibit *e, uint32_t *seed)
{
    for (int i = 0; i < SAMPLES; ++i) {
        vec3 d = random_direction(seed), *at = &e->samples[i];
        if (e->kind == ELLIPSOID)
            *at = (vec3){d.x * RADII.x, d.y * RADII.y, d.z * RADII.z};
        else if (e->kind == PLIANT_SHAPE_PLANE)
            *at = (vec3){random_between(seed, -3.0f, 3.0f), 0, random_between(seed, -3.0f, 3.0f)};
        else
            *at = vec3_scale(d, ROUND);
        if (e->kind == PLIANT_SHAPE_CAPSULE && i % 2) {
            at->y += d.y < 0.0f ? -LENGTH : LENGTH;
        } else if (e->kind == PLIANT_SHAPE_CAPSULE) {
            float across = sqrtf(d.x * d.x + d.z * d.z) + 1e-9f;
            *at = (vec3){d.x / across * ROUND, random_between(seed, -LENGTH, LENGTH),
                         d.z / across * ROUND};
        }
    }
}

static void open_exhibit(exhibit *e, int kind)
{
    uint32_t seed = 7u + (uint32_t)kind;
    pliant_shape_def plane = pliant_default_shape_def(PLIANT_SHAPE_PLANE);
    *e = (exhibit){.kind = kind};
    if (kind == PLIANT_SHAPE_PLANE)
        e->shape = shape_from(&plane);
    else if (kind == PLIANT_SHAPE_SPHERE)
        e->shape = ball_shape(ROUND);
    else if (kind == PLIANT_SHAPE_CAPSULE)
        e->shape = capsule_shape(ROUND, LENGTH);
    else if (kind == PLIANT_SHAPE_BOX)
        e->shape = box_shape(HALF.x, HALF.y, HALF.z);
    else if (kind == PLIANT_SHAPE_HULL)
        e->shape = hull_shape(HALF.x, HALF.y, HALF.z);
    else if (kind == PLIANT_SHAPE_MESH)
        e->shape = box_mesh();
    else if (kind == PLIANT_SHAPE_HEIGHTFIELD)
        e->shape = field_shape(CELLS, CELL, 0.3f);
    e->form = kind == ELLIPSOID
                  ? form_of_ellipsoid((sym3){
                        .xx = RADII.x * RADII.x, .yy = RADII.y * RADII.y, .zz = RADII.z * RADII.z})
                  : form_of_shape(e->shape);
    if (kind == PLIANT_SHAPE_BOX) {
        pliant_shape *hull = box_hull();
        sample_shape(e, hull, &seed);
        pliant_shape_destroy(hull);
    } else if (kind == PLIANT_SHAPE_HULL || kind == PLIANT_SHAPE_MESH) {
        sample_shape(e, e->shape, &seed);
    } else if (kind == PLIANT_SHAPE_HEIGHTFIELD) {
        sample_field(e, &seed);
    } else {
        sample_round(e, &seed);
    }
}

static double box_side(vec3 p)
{
    return fmax(fabs((double)p.x) - HALF.x,
                fmax(fabs((double)p.y) - HALF.y, fabs((double)p.z) - HALF.z));
}

static double hull_side(const pliant_shape *shape, vec3 p)
{
    pliant_shape_def def = pliant_shape_definition(shape);
    double most = -1e300;
    for (int i = 0; i < def.triangle_count; ++i) {
        const int32_t *t = def.triangles + 3 * i;
        vec3 a = def.points[t[0]];
        vec3 n = vec3_cross(vec3_sub(def.points[t[1]], a), vec3_sub(def.points[t[2]], a));
        n = vec3_scale(n, 1.0f / vec3_length(n));
        n = vec3_dot(n, a) < 0.0f ? vec3_negate(n) : n; // the middle is inside
        most = fmax(most, (double)vec3_dot(n, vec3_sub(p, a)));
    }
    return most;
}

// Its halves meet from (column + 1, row) to (column, row + 1).
static double field_height(const pliant_shape *shape, vec3 p)
{
    pliant_shape_def def = pliant_shape_definition(shape);
    int column = (int)fmin(p.x / CELL, CELLS - 1), row = (int)fmin(p.z / CELL, CELLS - 1);
    double x = p.x / CELL - column, z = p.z / CELL - row;
    const float *h = def.heights + row * def.columns + column;
    double right = h[1], far = h[def.columns], corner = h[def.columns + 1];
    return x + z <= 1.0 ? h[0] + x * (right - h[0]) + z * (far - h[0])
                        : corner + (1.0 - x) * (far - corner) + (1.0 - z) * (right - corner);
}

static bool is_over_field(vec3 p)
{
    return p.x >= 0.0f && p.z >= 0.0f && p.x <= CELL * CELLS && p.z <= CELL * CELLS;
}

// Below zero inside of it, above outside, zero on its surface; seen from its own axes.
static double side_of(const exhibit *e, vec3 p)
{
    vec3 core = {0, p.y < -LENGTH ? -LENGTH : p.y > LENGTH ? LENGTH : p.y, 0};
    switch (e->kind) {
    case PLIANT_SHAPE_PLANE:
        return p.y;
    case PLIANT_SHAPE_SPHERE:
        return vec3_length(p) - ROUND;
    case PLIANT_SHAPE_CAPSULE:
        return vec3_length(vec3_sub(p, core)) - ROUND;
    case PLIANT_SHAPE_BOX:
    case PLIANT_SHAPE_MESH:
        return box_side(p);
    case PLIANT_SHAPE_HULL:
        return hull_side(e->shape, p);
    case PLIANT_SHAPE_HEIGHTFIELD:
        return is_over_field(p) ? p.y - field_height(e->shape, p) : 1e3;
    default:
        return RADII.y * (vec3_length((vec3){p.x / RADII.x, p.y / RADII.y, p.z / RADII.z}) - 1.0f);
    }
}

// Where from it is asked: outside, and above what is open below.
static vec3 place_outside(const exhibit *e, uint32_t *seed)
{
    vec3 p;
    do {
        p = random_vec3(seed, 2.0f);
        if (e->kind == PLIANT_SHAPE_HEIGHTFIELD)
            p = (vec3){p.x + 2.0f, absolute(p.y) + 0.3f, p.z + 2.0f};
    } while (side_of(e, p) < 0.05);
    return p;
}

typedef struct place {
    quat turn;
    vec3 position;
    form form; // turned
} place;

static place random_place(const exhibit *e, uint32_t *seed)
{
    quat turn = random_quat(seed);
    return (place){turn, random_vec3(seed, 3.0f), form_turned(e->form, turn)};
}

static vec3 out_of(const place *p, vec3 own)
{
    return vec3_add(p->position, quat_rotate(p->turn, own));
}

static vec3 into(const place *p, vec3 point)
{
    return quat_rotate(quat_conjugate(p->turn), vec3_sub(point, p->position));
}

static void for_each(void (*check)(const exhibit *e, const place *p, uint32_t *seed))
{
    for (int kind = 0; kind < EXHIBITS; ++kind) {
        exhibit *e = malloc(sizeof *e);
        open_exhibit(e, kind);
        uint32_t seed = 100u + (uint32_t)kind;
        for (int round = 0; round < ROUNDS; ++round) {
            place p = random_place(e, &seed);
            check(e, &p, &seed);
        }
        pliant_shape_destroy(e->shape);
        free(e);
    }
}

// ---------------------------------------------------------------------------------------------
// Support and bounds

static void check_support(const exhibit *e, const place *p, uint32_t *seed)
{
    vec3 n = random_direction(seed), arm, same, own = quat_rotate(quat_conjugate(p->turn), n);
    mat3 R = quat_to_mat3(p->turn), one = mat3_identity();
    float height = form_support(&p->form, &one, n, &arm);
    assert_near(height, form_support(&e->form, &R, n, &same), 2e-6);
    assert_below(vec3_length(vec3_sub(arm, same)), 1e-5);
    bool is_open =
        e->kind == PLIANT_SHAPE_PLANE || (e->kind == PLIANT_SHAPE_HEIGHTFIELD && own.y > 0.0f);
    assert_int_equal(height == FLT_MAX, is_open);
    if (is_open)
        return;
    // What is there is of it, and nothing is further.
    vec3 at = quat_rotate(quat_conjugate(p->turn), arm);
    assert_near(-vec3_dot(n, arm), height, 1e-5);
    if (e->kind != PLIANT_SHAPE_HEIGHTFIELD)
        assert_below(fabs(side_of(e, at)), 1e-5);
    double furthest = -1e300;
    for (int i = 0; i < SAMPLES; ++i)
        furthest = fmax(furthest, -vec3_dot(own, e->samples[i]));
    assert_below(furthest, height + 1e-5);
    assert_below(height - 0.01, furthest);
}

static void test_support(void **state)
{
    (void)state;
    for_each(check_support);
    // A plane ends in one direction, however it is turned.
    form plane = form_of_shape(&pli_plane_shape);
    uint32_t seed = 3;
    for (int i = 0; i < ROUNDS; ++i) {
        mat3 R = quat_to_mat3(random_quat(&seed));
        vec3 arm, down = mat3_mul_vec(&R, (vec3){0, -1, 0});
        assert_near(form_support(&plane, &R, down, &arm), 0.0, 1e-6);
        assert_true(form_support(&plane, &R, vec3_negate(down), &arm) == FLT_MAX);
    }
}

static void check_bounds(const exhibit *e, const place *p, uint32_t *seed)
{
    (void)seed;
    box b = pli_form_bounds(&p->form, p->position);
    assert_int_equal(box_is_everywhere(&b), e->kind == PLIANT_SHAPE_PLANE);
    box all = box_empty();
    for (int i = 0; i < SAMPLES; ++i) {
        vec3 at = out_of(p, e->samples[i]);
        all = box_union(all, (box){at, at});
    }
    box around = box_grown(b, 1e-5f);
    assert_true(box_contains(&around, &all));
    vec3 loose = vec3_sub(vec3_sub(b.high, b.low), vec3_sub(all.high, all.low));
    if (e->kind == ELLIPSOID) // that of others is around their turned box
        assert_below(fmax(loose.x, fmax(loose.y, loose.z)), 0.02);
    if (e->kind == PLIANT_SHAPE_BOX || e->kind == PLIANT_SHAPE_MESH)
        assert_below(fmax(loose.x, fmax(loose.y, loose.z)), 1e-5);
}

static void test_bounds(void **state)
{
    (void)state;
    for_each(check_bounds);
}

// ---------------------------------------------------------------------------------------------
// Queries

// Where a ray from outside first is inside, or -1.
static double first_inside(const exhibit *e, vec3 from, vec3 d, double length)
{
    for (int i = 1; i <= MARCH; ++i) {
        double far = length * i / MARCH, near = length * (i - 1) / MARCH;
        if (side_of(e, vec3_add_scaled(from, d, (float)far)) >= 0.0)
            continue;
        for (int k = 0; k < 30; ++k) {
            double middle = 0.5 * (near + far);
            if (side_of(e, vec3_add_scaled(from, d, (float)middle)) < 0.0)
                far = middle;
            else
                near = middle;
        }
        return far;
    }
    return -1.0;
}

static int rays_hit[EXHIBITS];

static void check_ray(const exhibit *e, const place *p, uint32_t *seed)
{
    vec3 from = place_outside(e, seed), aim = e->samples[random_bits(seed) % SAMPLES];
    aim = vec3_add(aim, random_vec3(seed, 0.3f));
    vec3 d = vec3_normalize_or(vec3_sub(aim, from), (vec3){0, -1, 0});
    const float length = 6.0f;
    form_hit hit;
    bool is_hit =
        pli_form_ray(&p->form, p->position, out_of(p, from), quat_rotate(p->turn, d), length, &hit);
    double truth = first_inside(e, from, d, length);
    assert_true(is_hit || truth < 0.0);
    if (!is_hit)
        return;
    rays_hit[e->kind] += 1;
    if (truth >= 0.0)
        assert_near(hit.distance, truth, 1e-4);
    vec3 at = into(p, hit.point);
    assert_below(vec3_length(vec3_sub(at, vec3_add_scaled(from, d, hit.distance))), 1e-5);
    assert_below(fabs(side_of(e, at)), 1e-4);
    assert_near(vec3_length(hit.normal), 1.0, 1e-5);
    assert_true(vec3_dot(hit.normal, quat_rotate(p->turn, d)) < 0.0f);
    assert_false(pli_form_ray(&p->form, p->position, out_of(p, from), quat_rotate(p->turn, d),
                              hit.distance - 1e-3f, &hit));
}

static void test_rays(void **state)
{
    (void)state;
    memset(rays_hit, 0, sizeof rays_hit);
    for_each(check_ray);
    for (int kind = 0; kind < EXHIBITS; ++kind)
        assert_true(rays_hit[kind] > ROUNDS / 4);
}

static void check_closest(const exhibit *e, const place *p, uint32_t *seed)
{
    vec3 from = place_outside(e, seed);
    form_hit hit;
    assert_true(pli_form_closest(&p->form, p->position, out_of(p, from), 10.0f, &hit));
    double nearest = 1e300;
    for (int i = 0; i < SAMPLES; ++i)
        nearest = fmin(nearest, vec3_length(vec3_sub(from, e->samples[i])));
    if (e->kind != PLIANT_SHAPE_PLANE || vec3_length(from) < 2.5f)
        assert_near(hit.distance, nearest, 0.02);
    vec3 at = into(p, hit.point);
    assert_near(vec3_length(vec3_sub(from, at)), hit.distance, 1e-5);
    assert_below(hit.distance, nearest + 1e-5);
    assert_below(e->kind == PLIANT_SHAPE_HEIGHTFIELD ? 0.0 : fabs(side_of(e, at)), 1e-4);
    vec3 away = vec3_scale(vec3_sub(from, at), 1.0f / hit.distance);
    assert_below(vec3_length(vec3_sub(hit.normal, quat_rotate(p->turn, away))), 1e-3);
    assert_false(
        pli_form_closest(&p->form, p->position, out_of(p, from), 0.99f * hit.distance, &hit));
}

static void test_closest_points(void **state)
{
    (void)state;
    for_each(check_closest);
}

// ---------------------------------------------------------------------------------------------
// Sweeps

// The least of (x - centre)ᵀ S⁻¹ (x - centre), its root, over points of the surface: below 1 one is inside.
static double least_metric(const exhibit *e, sym3 inverse, vec3 centre)
{
    double least = 1e300;
    for (int i = 0; i < SAMPLES; ++i) {
        vec3 d = vec3_sub(e->samples[i], centre);
        least = fmin(least, vec3_dot(d, sym3_mul_vec(inverse, d)));
    }
    return sqrt(least);
}

static int sweeps_met[EXHIBITS], sweeps_missed[EXHIBITS];

static void check_sweep(const exhibit *e, const place *p, uint32_t *seed)
{
    const double tolerance = 0.04;
    enum { STEPS = 60 };
    mat3 axes = quat_to_mat3(random_quat(seed));
    vec3 radii = {random_between(seed, 0.3f, 0.5f), random_between(seed, 0.3f, 0.5f),
                  random_between(seed, 0.3f, 0.5f)};
    sym3 S = sym3_rotate_diagonal(&axes,
                                  (vec3){radii.x * radii.x, radii.y * radii.y, radii.z * radii.z});
    sym3 inverse = sym3_inverse(S);
    vec3 from = place_outside(e, seed), aim = e->samples[random_bits(seed) % SAMPLES];
    vec3 way = vec3_scale(vec3_sub(vec3_add(aim, random_vec3(seed, 0.6f)), from),
                          random_between(seed, 0.3f, 1.5f));
    double start = least_metric(e, inverse, from), least = start, met = -1.0;
    for (int i = 1; i <= STEPS && met < 0.0; ++i) {
        double now = least_metric(e, inverse, vec3_add_scaled(from, way, (float)i / STEPS));
        least = fmin(least, now);
        if (now < 1.0)
            met = (double)i / STEPS;
    }
    // One that overlaps, and one that leaves the points of the plane, are left out.
    vec3 end = vec3_add(from, way);
    if (start < 1.1 ||
        (e->kind == PLIANT_SHAPE_PLANE && fmaxf(vec3_length(from), vec3_length(end)) > 2.5f))
        return;
    form moving = form_turned(form_of_ellipsoid(S), p->turn);
    vec3 world_way = quat_rotate(p->turn, way), normal;
    float time = 0.0f;
    bool is_met = pli_form_sweep(&moving, &p->form, quat_rotate(p->turn, from), world_way, 1e-3f,
                                 &time, &normal);
    if (least < 1.0 - tolerance)
        assert_true(is_met);
    if (least > 1.0 + tolerance)
        assert_false(is_met);
    sweeps_missed[e->kind] += !is_met;
    if (!is_met)
        return;
    // Then it touches, and has not before.
    sweeps_met[e->kind] += 1;
    vec3 at = vec3_add_scaled(from, way, time);
    assert_near(least_metric(e, inverse, at), 1.0, tolerance);
    if (met >= 0.0)
        assert_below(time, met + 1e-3);
    assert_near(vec3_length(normal), 1.0, 1e-5);
    assert_true(vec3_dot(normal, world_way) < 0.0f);
    // Behind the plane across the normal at the touching point there is nothing but the still one.
    if (e->kind != PLIANT_SHAPE_HEIGHTFIELD) {
        vec3 own = quat_rotate(quat_conjugate(p->turn), normal);
        float width = square_root(vec3_dot(own, sym3_mul_vec(S, own)));
        for (int i = 0; i < SAMPLES; ++i)
            assert_below(vec3_dot(own, e->samples[i]), vec3_dot(own, at) - width + 0.01f);
    }
}

static void test_sweeps(void **state)
{
    (void)state;
    memset(sweeps_met, 0, sizeof sweeps_met);
    memset(sweeps_missed, 0, sizeof sweeps_missed);
    for_each(check_sweep);
    for (int kind = 0; kind < EXHIBITS; ++kind) {
        assert_true(sweeps_met[kind] > ROUNDS / 8);
        assert_true(sweeps_missed[kind] > 0);
    }
}

// ---------------------------------------------------------------------------------------------

// ∫ x xᵀ dm / m of points strewn evenly.
static void test_moment(void **state)
{
    (void)state;
    uint32_t seed = 11;
    quat turn = random_quat(&seed);
    form f =
        form_turned(form_of_ellipsoid((sym3){
                        .xx = RADII.x * RADII.x, .yy = RADII.y * RADII.y, .zz = RADII.z * RADII.z}),
                    turn);
    sym3 moment = pli_form_moment(&f);
    double sums[6] = {0};
    const int points = 400000;
    for (int i = 0; i < points; ++i) {
        vec3 p;
        do
            p = random_vec3(&seed, 1.0f);
        while (vec3_dot(p, p) > 1.0f);
        p = quat_rotate(turn, (vec3){p.x * RADII.x, p.y * RADII.y, p.z * RADII.z});
        const double products[6] = {p.x * p.x, p.x * p.y, p.x * p.z,
                                    p.y * p.y, p.y * p.z, p.z * p.z};
        for (int k = 0; k < 6; ++k)
            sums[k] += products[k] / points;
    }
    const double expected[6] = {moment.xx, moment.xy, moment.xz, moment.yy, moment.yz, moment.zz};
    for (int k = 0; k < 6; ++k)
        assert_near(sums[k], expected[k], 1e-3);
}

// A body that turns and is damped, and whose groups are fitted anew as a particle is pinned.
typedef struct flight {
    pliant_model *model;
    pliant_world *world;
    pliant_body_id body;
} flight;

static flight take_off(const lattice *l, float forms, float moments)
{
    flight f = {.model = lattice_model(l)};
    for (int p = 0; p < pliant_model_particle_count(f.model); ++p) {
        f.model->ellipsoids[p] = sym3_scale(f.model->ellipsoids[p], forms);
        f.model->moments[p] = sym3_scale(f.model->moments[p], moments);
    }
    pliant_world_def def = pliant_default_world_def();
    f.world = pliant_world_create(&def, NULL);
    pliant_body_def body_def = pliant_default_body_def();
    body_def.model = f.model;
    body_def.angular_velocity = (vec3){3, 5, 1};
    body_def.shape_damping = 0.3f;
    body_def.gyroscopic = true;
    f.body = pliant_world_add_body(f.world, &body_def, NULL);
    for (int i = 0; i < 40; ++i) {
        if (i == 20)
            pliant_body_set_pinned(f.world, f.body, 0, true, NULL);
        pliant_world_step(f.world, DT);
    }
    return f;
}

static void land(flight *f)
{
    pliant_world_destroy(f->world);
    pliant_model_destroy(f->model);
}

// What touches nothing moves by its particles' moments, whatever their forms.
static void test_only_moments_matter_in_flight(void **state)
{
    (void)state;
    lattice lattices[3] = {lattice_of(3, 2, 2), lattice_of(5, 1, 1), lattice_of(2, 2, 1)};
    lattices[1].torsion = 0.5f;
    lattices[2].is_rigid = true;
    for (int i = 0; i < 3; ++i) {
        lattices[i].radii = (vec3){0.05f, 0.1f, 0.07f};
        flight plain = take_off(&lattices[i], 1.0f, 1.0f);
        flight formed = take_off(&lattices[i], 4.0f, 1.0f);
        flight weighed = take_off(&lattices[i], 1.0f, 4.0f);
        uint64_t hash = pliant_world_hash(plain.world);
        assert_true(pliant_world_hash(formed.world) == hash);
        assert_false(pliant_world_hash(weighed.world) == hash);
        land(&plain);
        land(&formed);
        land(&weighed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_support),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_closest_points),
        cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_moment),
        cmocka_unit_test(test_only_moments_matter_in_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
