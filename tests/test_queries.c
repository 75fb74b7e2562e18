// Rays and closest points, against what is true of every particle and solid in double precision.

#include "solids.h"

static const pliant_vec3 ZERO = {0, 0, 0};

// ---------------------------------------------------------------------------------------------
// Truth

typedef struct point3 {
    double x, y, z;
} point3;

static point3 point_of(vec3 a)
{
    return (point3){a.x, a.y, a.z};
}

static point3 along(point3 a, point3 d, double t)
{
    return (point3){a.x + t * d.x, a.y + t * d.y, a.z + t * d.z};
}

static point3 minus(point3 a, point3 b)
{
    return along(a, b, -1.0);
}

static double dot(point3 a, point3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static point3 cross(point3 a, point3 b)
{
    return (point3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double size_of(point3 a)
{
    return sqrt(dot(a, a));
}

// By the inverse of a rotation.
static point3 turned_back(quat q, point3 v)
{
    double n = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
    point3 u = {-q.x / n, -q.y / n, -q.z / n}, t = cross(u, v);
    t = (point3){2 * t.x, 2 * t.y, 2 * t.z};
    return along(along(v, t, q.w / n), cross(u, t), 1.0);
}

static point3 into(pliant_pose pose, point3 p)
{
    return turned_back(pose.orientation, minus(p, point_of(pose.position)));
}

// The nearest point of the ellipsoid's surface: x_i = r_i² p_i / (r_i² + t), with the largest t for
// which Σ (r_i p_i / (r_i² + t))² = 1; it is beyond the pole at t = -min r².
static double ellipsoid_distance(vec3 radii, point3 p)
{
    const double r[3] = {radii.x, radii.y, radii.z}, q[3] = {p.x, p.y, p.z};
    double low = -fmin(r[0], fmin(r[1], r[2])), high = 1e3;
    low = -low * low;
    for (int i = 0; i < 200; ++i) {
        double t = 0.5 * (low + high), sum = 0;
        for (int k = 0; k < 3; ++k)
            sum += r[k] * q[k] / (r[k] * r[k] + t) * (r[k] * q[k] / (r[k] * r[k] + t));
        if (sum > 1.0)
            low = t;
        else
            high = t;
    }
    double t = 0.5 * (low + high), square = 0, inside = 0;
    for (int k = 0; k < 3; ++k) {
        double d = q[k] - r[k] * r[k] * q[k] / (r[k] * r[k] + t);
        square += d * d;
        inside += q[k] * q[k] / (r[k] * r[k]);
    }
    return inside < 1.0 ? -sqrt(square) : sqrt(square);
}

static double ellipsoid_ray(vec3 radii, point3 o, point3 d, double *facing)
{
    point3 a = {o.x / radii.x, o.y / radii.y, o.z / radii.z};
    point3 b = {d.x / radii.x, d.y / radii.y, d.z / radii.z};
    double half = dot(a, b), c = dot(a, a) - 1.0, root = half * half - dot(b, b) * c;
    *facing = 1.0;
    if (c <= 0.0)
        return 0.0;
    if (root < 0.0 || half > 0.0)
        return INFINITY;
    double t = (-half - sqrt(root)) / dot(b, b);
    point3 x = along(o, d, t);
    point3 n = {x.x / (radii.x * radii.x), x.y / (radii.y * radii.y), x.z / (radii.z * radii.z)};
    *facing = fabs(dot(n, d)) / size_of(n);
    return t;
}

static double box_distance(vec3 half, point3 p)
{
    double x = fabs(p.x) - half.x, y = fabs(p.y) - half.y, z = fabs(p.z) - half.z;
    point3 out = {fmax(x, 0), fmax(y, 0), fmax(z, 0)};
    return size_of(out) + fmin(0.0, fmax(x, fmax(y, z)));
}

// From a point to a triangle: inside its prism the plane, else the nearest side.
static double triangle_distance(point3 a, point3 b, point3 c, point3 p)
{
    const point3 corners[3] = {a, b, c};
    point3 n = cross(minus(b, a), minus(c, a));
    double best = INFINITY;
    bool is_over = true;
    for (int k = 0; k < 3; ++k) {
        point3 from = corners[k], side = minus(corners[(k + 1) % 3], from), d = minus(p, from);
        is_over = is_over && dot(cross(n, side), d) >= 0.0;
        double t = fmin(1.0, fmax(0.0, dot(d, side) / dot(side, side)));
        best = fmin(best, size_of(along(d, side, -t)));
    }
    return is_over ? fabs(dot(minus(p, a), n)) / size_of(n) : best;
}

static double triangle_ray(point3 a, point3 b, point3 c, point3 o, point3 d, double *facing)
{
    point3 n = cross(minus(b, a), minus(c, a));
    double fall = dot(n, d), t = dot(n, minus(a, o)) / fall;
    if (fall == 0.0 || !(t >= 0.0))
        return INFINITY;
    point3 p = along(o, d, t);
    const point3 corners[3] = {a, b, c};
    for (int k = 0; k < 3; ++k)
        if (dot(cross(minus(corners[(k + 1) % 3], corners[k]), minus(p, corners[k])), n) < 0.0)
            return INFINITY;
    *facing = fabs(fall) / size_of(n);
    return t;
}

// The k-th triangle of a mesh or a heightfield; false behind the last.
static bool surface_triangle(const pliant_shape_def *def, int k, point3 t[3])
{
    if (def->kind == PLIANT_SHAPE_MESH) {
        for (int i = 0; i < 3 && k < def->triangle_count; ++i)
            t[i] = point_of(def->points[def->triangles[3 * k + i]]);
        return k < def->triangle_count;
    }
    int cell = k / 2, column = cell % (def->columns - 1), row = cell / (def->columns - 1);
    static const int corners[2][3][2] = {{{0, 0}, {0, 1}, {1, 0}}, {{1, 1}, {1, 0}, {0, 1}}};
    for (int i = 0; i < 3 && row < def->rows - 1; ++i) {
        int x = column + corners[k % 2][i][0], z = row + corners[k % 2][i][1];
        t[i] = (point3){(double)x * def->spacing, def->heights[z * def->columns + x],
                        (double)z * def->spacing};
    }
    return row < def->rows - 1;
}

// Signed outside and inside; of meshes and heightfields (from above) the distance.
static double shape_distance(const pliant_shape *shape, point3 p)
{
    pliant_shape_def def = pliant_shape_definition(shape);
    point3 core = {0, fmin(def.half_length, fmax(-def.half_length, p.y)), 0}, t[3];
    double best = INFINITY;
    switch (def.kind) {
    case PLIANT_SHAPE_PLANE:
        return p.y;
    case PLIANT_SHAPE_SPHERE:
        return size_of(p) - def.radius;
    case PLIANT_SHAPE_CAPSULE:
        return size_of(minus(p, core)) - def.radius;
    case PLIANT_SHAPE_BOX:
        return box_distance(def.half_size, p);
    case PLIANT_SHAPE_HULL: // in this test they are boxes
        return box_distance(def.points[0].x < 0.0f ? vec3_negate(def.points[0]) : def.points[0], p);
    default:
        for (int k = 0; surface_triangle(&def, k, t); ++k)
            best = fmin(best, triangle_distance(t[0], t[1], t[2], p));
        return best;
    }
}

// Along the ray by steps that are safe, or through all triangles.
static double shape_ray(const pliant_shape *shape, point3 o, point3 d, double length,
                        double *facing)
{
    pliant_shape_def def = pliant_shape_definition(shape);
    if (def.kind == PLIANT_SHAPE_MESH || def.kind == PLIANT_SHAPE_HEIGHTFIELD) {
        double best = INFINITY;
        point3 c[3];
        for (int k = 0; surface_triangle(&def, k, c); ++k) {
            double f, t = triangle_ray(c[0], c[1], c[2], o, d, &f);
            if (t < best) {
                best = t;
                *facing = f;
            }
        }
        return best <= length ? best : INFINITY;
    }
    double t = 0;
    *facing = 1.0;
    for (int i = 0; i < 2000 && t <= length; ++i) {
        double gap = shape_distance(shape, along(o, d, t));
        if (gap < 1e-7) {
            double before = shape_distance(shape, along(o, d, t - 1e-4));
            *facing = t > 0.0 ? (before - gap) / 1e-4 : 1.0;
            return t;
        }
        t += gap;
    }
    return INFINITY;
}

// ---------------------------------------------------------------------------------------------
// A random world

enum { BODIES = 12, SOLIDS = 9 };

typedef struct museum {
    pliant_model *models[BODIES];
    pliant_body_id bodies[BODIES];
    uint32_t body_layers[BODIES];
    pliant_shape *shapes[SOLIDS];
    pliant_collider_id colliders[SOLIDS];
    uint32_t collider_layers[SOLIDS];
    pliant_world *world;
} museum;

static pliant_shape *cuboid_hull(vec3 half)
{
    vec3 points[8];
    for (int i = 0; i < 8; ++i)
        points[i] =
            (vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
    pliant_shape_def def = pliant_default_shape_def(PLIANT_SHAPE_HULL);
    def.points = points;
    def.point_count = 8;
    return shape_from(&def);
}

static vec3 random_size(uint32_t *random)
{
    float x = random_between(random, 0.1f, 0.6f), y = random_between(random, 0.1f, 0.6f);
    return (vec3){x, y, random_between(random, 0.1f, 0.6f)};
}

// `solids` says which kinds there are: 0 … SOLIDS - 1; heightfields only on their own, for their inside
// has no simple distance.
static museum museum_open(uint32_t seed, int first_solid, int last_solid, bool has_bodies)
{
    museum m = {0};
    uint32_t random = seed;
    pliant_world_def def = pliant_default_world_def();
    def.gravity = ZERO;
    m.world = pliant_world_create(&def, NULL);
    for (int i = 0; i < BODIES && has_bodies; ++i) {
        if (i % 3 == 2) {
            lattice l = lattice_of(2, 2, 3);
            l.spacing = 0.3f;
            m.models[i] = lattice_model(&l);
        } else {
            m.models[i] = particle_model(random_size(&random), 1.0f);
        }
        pliant_body_def thing = pliant_default_body_def();
        thing.model = m.models[i];
        thing.position = random_vec3(&random, 3.0f);
        thing.orientation = random_quat(&random);
        thing.layers = m.body_layers[i] = 1u << i % 4;
        thing.mask = 0;
        m.bodies[i] = add_thing(m.world, &thing);
    }
    for (int i = first_solid; i <= last_solid; ++i) {
        vec3 size = random_size(&random);
        pliant_shape_def plane = pliant_default_shape_def(PLIANT_SHAPE_PLANE);
        m.shapes[i] = i < 2    ? ball_shape(size.x)
                      : i < 4  ? box_shape(size.x, size.y, size.z)
                      : i == 4 ? capsule_shape(size.x, size.y)
                      : i == 5 ? cuboid_hull(size)
                      : i == 6 ? mesh_shape(1.0f, 5, 0.3f)
                      : i == 7 ? shape_from(&plane)
                               : field_shape(6, 0.5f, 0.4f);
        pliant_collider_def solid = solid_def(m.shapes[i], random_vec3(&random, 3.0f));
        solid.orientation = random_quat(&random);
        solid.layers = m.collider_layers[i] = 1u << (i + 1) % 4;
        if (i == 7) { // far below all
            solid.position = (vec3){0, -5, 0};
            solid.orientation = quat_exp((vec3){0.2f, 0.3f, -0.1f});
        }
        m.colliders[i] = add_solid(m.world, &solid);
    }
    return m;
}

static void museum_close(museum *m)
{
    pliant_world_destroy(m->world);
    for (int i = 0; i < BODIES; ++i)
        pliant_model_destroy(m->models[i]);
    for (int i = 0; i < SOLIDS; ++i)
        pliant_shape_destroy(m->shapes[i]);
}

typedef struct truth {
    double distance; // infinite: nothing
    double facing;   // of a ray: how squarely it hits
    pliant_body_id body;
    int particle;
    pliant_collider_id collider;
} truth;

static void consider(truth *best, double distance, double facing, pliant_body_id thing,
                     int particle, pliant_collider_id collider)
{
    if (distance < best->distance)
        *best = (truth){distance, facing, thing, particle, collider};
}

static truth true_ray(const museum *m, vec3 origin, vec3 direction, double length, uint32_t mask)
{
    truth best = {.distance = INFINITY};
    point3 o = point_of(origin), d = point_of(direction);
    d = along((point3){0, 0, 0}, d, 1.0 / size_of(d));
    for (int i = 0; i < BODIES; ++i) {
        if (!m->models[i] || !(m->body_layers[i] & mask))
            continue;
        for (int k = 0; k < pliant_model_particle_count(m->models[i]); ++k) {
            pliant_pose pose = pliant_body_particle_pose(m->world, m->bodies[i], k);
            double facing,
                t = ellipsoid_ray(pliant_model_particles(m->models[i])[k].radii, into(pose, o),
                                  turned_back(pose.orientation, d), &facing);
            if (t <= length)
                consider(&best, t, facing, m->bodies[i], k, (pliant_collider_id){0});
        }
    }
    for (int i = 0; i < SOLIDS; ++i) {
        if (!m->shapes[i] || !(m->collider_layers[i] & mask))
            continue;
        pliant_pose pose = pliant_collider_pose(m->world, m->colliders[i]);
        double facing, t = shape_ray(m->shapes[i], into(pose, o), turned_back(pose.orientation, d),
                                     length, &facing);
        consider(&best, t, facing, (pliant_body_id){0}, -1, m->colliders[i]);
    }
    return best;
}

static truth true_closest(const museum *m, vec3 from, uint32_t mask)
{
    truth best = {.distance = INFINITY};
    point3 p = point_of(from);
    for (int i = 0; i < BODIES; ++i) {
        if (!m->models[i] || !(m->body_layers[i] & mask))
            continue;
        for (int k = 0; k < pliant_model_particle_count(m->models[i]); ++k) {
            pliant_pose pose = pliant_body_particle_pose(m->world, m->bodies[i], k);
            double distance =
                ellipsoid_distance(pliant_model_particles(m->models[i])[k].radii, into(pose, p));
            consider(&best, distance, 1.0, m->bodies[i], k, (pliant_collider_id){0});
        }
    }
    for (int i = 0; i < SOLIDS; ++i) {
        if (!m->shapes[i] || !(m->collider_layers[i] & mask))
            continue;
        pliant_pose pose = pliant_collider_pose(m->world, m->colliders[i]);
        consider(&best, shape_distance(m->shapes[i], into(pose, p)), 1.0, (pliant_body_id){0}, -1,
                 m->colliders[i]);
    }
    return best;
}

static bool is_same_thing(const pliant_hit *hit, const truth *t)
{
    return hit->body.index == t->body.index && hit->body.generation == t->body.generation &&
           hit->particle == t->particle && hit->collider.index == t->collider.index &&
           hit->collider.generation == t->collider.generation;
}

// ---------------------------------------------------------------------------------------------
// Rays

// A centimetre out along the normal is a centimetre from what was hit; less in the valleys of a field.
static void check_normal(const museum *m, const pliant_hit *hit)
{
    point3 out = point_of(vec3_add_scaled(hit->point, hit->normal, 0.01f));
    for (int i = 0; i < BODIES; ++i) {
        if (!hit->body.generation || hit->body.index != m->bodies[i].index)
            continue;
        pliant_pose pose = pliant_body_particle_pose(m->world, hit->body, hit->particle);
        vec3 radii = pliant_model_particles(m->models[i])[hit->particle].radii;
        assert_near(ellipsoid_distance(radii, into(pose, out)), 0.01, 2e-4);
    }
    for (int i = 0; i < SOLIDS; ++i) {
        if (!hit->collider.generation || hit->collider.index != m->colliders[i].index ||
            !m->shapes[i])
            continue;
        pliant_pose pose = pliant_collider_pose(m->world, hit->collider);
        double distance = shape_distance(m->shapes[i], into(pose, out));
        assert_near(distance, 0.01, i == 8 ? 8e-3 : 2e-4);
    }
}

static void check_ray(const museum *m, vec3 origin, vec3 direction, float length, uint32_t mask,
                      int *hits)
{
    pliant_hit hit, untouched;
    memset(&hit, 0x5a, sizeof hit);
    untouched = hit;
    bool found = pliant_world_ray_cast(m->world, origin, direction, length, mask, &hit);
    truth t = true_ray(m, origin, direction, length, mask);
    if (!found) {
        assert_memory_equal(&hit, &untouched, sizeof hit);
        // Grazed, or at the very end.
        assert_true(t.distance == INFINITY || t.facing < 0.02 || t.distance > length - 1e-4);
        return;
    }
    *hits += 1;
    assert_near(vec3_length(hit.normal), 1.0, 1e-4);
    vec3 d = vec3_scale(direction, 1.0f / vec3_length(direction));
    assert_true(vec3_dot(hit.normal, d) < 1e-3f);
    vec3 at = vec3_add_scaled(origin, d, hit.distance);
    assert_below(vec3_length(vec3_sub(at, hit.point)), 1e-4);
    assert_true(hit.distance >= 0.0f && hit.distance <= length + 1e-5f);
    assert_true((hit.particle >= 0) == (hit.body.generation != 0));
    assert_true((hit.particle == -1) == (hit.collider.generation != 0));
    if (hit.distance > 0.0f)
        check_normal(m, &hit);
    if (t.facing < 0.02 && fabs(t.distance - (double)hit.distance) > 1e-3)
        return; // they may see it differently when the ray grazes
    assert_near(hit.distance, t.distance, 1e-4 / fmax(t.facing, 0.05));
    if (!is_same_thing(&hit, &t)) { // two surfaces at one place
        truth other = true_ray(m, vec3_add_scaled(origin, d, hit.distance - 1e-3f), d, 2e-3, mask);
        assert_true(other.distance < 3e-3);
    }
}

static void test_rays_find_what_is_first(void **state)
{
    (void)state;
    int hits = 0;
    for (int world = 0; world < 12; ++world) {
        bool is_field = world % 4 == 3;
        museum m =
            museum_open(1000 + (uint32_t)world, is_field ? 8 : 0, is_field ? 8 : 7, !is_field);
        uint32_t random = 77 + (uint32_t)world;
        for (int i = 0; i < 400; ++i) {
            vec3 origin = random_vec3(&random, 4.0f), target = random_vec3(&random, 3.0f);
            if (is_field) { // from above: below it is the inside
                pliant_pose pose = pliant_collider_pose(m.world, m.colliders[8]);
                vec3 o = {random_between(&random, 0, 3), random_between(&random, 0.5f, 2),
                          random_between(&random, 0, 3)};
                vec3 t = {random_between(&random, 0, 3), 0, random_between(&random, 0, 3)};
                origin = vec3_add(pose.position, quat_rotate(pose.orientation, o));
                target = vec3_add(pose.position, quat_rotate(pose.orientation, t));
            }
            vec3 direction = vec3_scale(vec3_sub(target, origin), random_between(&random, 0.1f, 9));
            uint32_t mask = i % 3 ? UINT32_MAX : 1u << random_bits(&random) % 4;
            check_ray(&m, origin, direction, i % 2 ? 100.0f : random_between(&random, 0, 5), mask,
                      &hits);
        }
        museum_close(&m);
    }
    assert_true(hits > 1500);
}

// After some steps, with everything moving, and far from the origin.
static void test_rays_in_a_world_that_moves(void **state)
{
    (void)state;
    museum m = museum_open(5, 0, 7, true);
    uint32_t random = 9;
    int hits = 0;
    for (int i = 0; i < BODIES; ++i)
        pliant_body_set_velocity(m.world, m.bodies[i], random_vec3(&random, 1.0f),
                                 random_vec3(&random, 2.0f));
    for (int i = 0; i < 7; ++i)
        pliant_collider_set_velocity(m.world, m.colliders[i], random_vec3(&random, 1.0f),
                                     random_vec3(&random, 2.0f));
    for (int step = 0; step < 60; ++step) {
        pliant_world_step(m.world, DT);
        for (int i = 0; i < 20; ++i)
            check_ray(&m, random_vec3(&random, 4.0f), random_vec3(&random, 1.0f), 50.0f, UINT32_MAX,
                      &hits);
    }
    assert_true(hits > 300);
    museum_close(&m);
}

static void test_rays_that_cannot_be(void **state)
{
    (void)state;
    museum m = museum_open(3, 0, 8, true);
    pliant_hit hit, untouched;
    memset(&hit, 0x33, sizeof hit);
    untouched = hit;
    vec3 origin = {0, 0, 0}, down = {0, -1, 0};
    const vec3 bad[] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}};
    assert_false(pliant_world_ray_cast(m.world, origin, ZERO, 10, UINT32_MAX, &hit));
    for (int i = 0; i < 3; ++i) {
        assert_false(pliant_world_ray_cast(m.world, bad[i], down, 10, UINT32_MAX, &hit));
        assert_false(pliant_world_ray_cast(m.world, origin, bad[i], 10, UINT32_MAX, &hit));
        assert_false(pliant_world_closest_point(m.world, bad[i], 10, UINT32_MAX, &hit));
    }
    assert_false(pliant_world_ray_cast(m.world, origin, down, NAN, UINT32_MAX, &hit));
    assert_false(pliant_world_ray_cast(m.world, origin, down, -1, UINT32_MAX, &hit));
    assert_false(pliant_world_ray_cast(m.world, origin, down, 1000, 0, &hit));
    assert_false(pliant_world_ray_cast(m.world, origin, down, 1000, 1u << 20, &hit));
    assert_false(pliant_world_closest_point(m.world, origin, NAN, UINT32_MAX, &hit));
    assert_false(pliant_world_closest_point(m.world, origin, -1, UINT32_MAX, &hit));
    assert_false(pliant_world_closest_point(m.world, origin, 1000, 0, &hit));
    assert_memory_equal(&hit, &untouched, sizeof hit);
    // Endless rays and directions of any length.
    static const float sizes[] = {1e-15f, 1e-6f, 1.0f, 1e6f, 1e15f};
    float distance = -1.0f;
    for (int i = 0; i < 10; ++i) {
        vec3 direction = vec3_scale((vec3){0.1f, -1, 0.2f}, sizes[i % 5]);
        float length = i < 5 ? 1000.0f : INFINITY;
        assert_true(pliant_world_ray_cast(m.world, origin, direction, length, UINT32_MAX, &hit));
        assert_true(distance < 0.0f || absolute(distance - hit.distance) < 1e-4f);
        distance = hit.distance;
    }
    // Endless rays into the empty sky, along every axis: of every kind.
    pliant_world_remove_collider(m.world, m.colliders[7]); // but for the plane
    const vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}};
    quat turn = pliant_collider_pose(m.world, m.colliders[8]).orientation;
    for (int i = 0; i < 5; ++i) {
        const vec3 sky = {0, 500, 0};
        assert_false(pliant_world_ray_cast(m.world, sky, axes[i], INFINITY, UINT32_MAX, &hit));
        assert_false(pliant_world_ray_cast(m.world, quat_rotate(turn, sky),
                                           quat_rotate(turn, axes[i]), INFINITY, UINT32_MAX, &hit));
    }
    pliant_shape_destroy(m.shapes[7]);
    m.shapes[7] = NULL;
    assert_true(pliant_world_closest_point(m.world, origin, INFINITY, UINT32_MAX, &hit));
    truth t = true_closest(&m, origin, UINT32_MAX);
    assert_near(hit.distance, t.distance, 1e-4);
    museum_close(&m);
    // An empty world.
    pliant_world_def def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&def, NULL);
    assert_false(pliant_world_ray_cast(world, origin, down, 1000, UINT32_MAX, &hit));
    assert_false(pliant_world_closest_point(world, origin, 1000, UINT32_MAX, &hit));
    pliant_world_destroy(world);
}

// From inside it hits at once, and looks back.
static void test_ray_from_inside(void **state)
{
    (void)state;
    for (int what = 0; what < SOLIDS; ++what) {
        if (what == 6)
            continue; // a mesh has no inside
        museum m = museum_open(31, what, what == 0 ? -1 : what, what == 0);
        uint32_t random = 4;
        vec3 inside = {0, -50, 0};
        if (what == 0)
            inside = pliant_body_particle_pose(m.world, m.bodies[0], 0).position;
        else if (what != 7 && what != 8)
            inside = pliant_collider_pose(m.world, m.colliders[what]).position;
        if (what == 8) {
            pliant_pose pose = pliant_collider_pose(m.world, m.colliders[8]);
            inside = vec3_add(pose.position, quat_rotate(pose.orientation, (vec3){1.2f, -3, 1.7f}));
        }
        for (int i = 0; i < 20; ++i) {
            vec3 d = vec3_normalize_or(random_vec3(&random, 1.0f), (vec3){1, 0, 0});
            pliant_hit hit;
            assert_true(pliant_world_ray_cast(m.world, inside, d, 0.0f, UINT32_MAX, &hit));
            assert_true(hit.distance == 0.0f);
            assert_below(vec3_length(vec3_sub(hit.point, inside)), 1e-5);
            assert_below(vec3_length(vec3_add(hit.normal, d)), 1e-5);
        }
        museum_close(&m);
    }
}

// Of a hundred plates one behind another, and after the first is removed.
static void test_ray_hits_the_nearest_of_many(void **state)
{
    (void)state;
    pliant_world_def world_def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_shape *plate = box_shape(0.01f, 1, 1);
    pliant_model *ball = particle_model((vec3){0.1f, 0.1f, 0.1f}, 1.0f);
    pliant_collider_id plates[100];
    pliant_body_id balls[100];
    for (int k = 0; k < 100; ++k) {
        int i = (k * 37 + 11) % 100; // out of order
        pliant_collider_def def = solid_def(plate, (vec3){(float)i, 0, 0});
        plates[i] = add_solid(world, &def);
        pliant_body_def thing = pliant_default_body_def();
        thing.model = ball;
        thing.layers = 2;
        thing.position.x = (float)i + 0.5f;
        balls[i] = add_thing(world, &thing);
    }
    pliant_hit hit;
    for (int i = 0; i < 99; ++i) {
        assert_true(
            pliant_world_ray_cast(world, (vec3){-5, 0.01f, 0}, (vec3){1, 0, 0}, 1000, 3, &hit));
        assert_int_equal(hit.collider.index, plates[i].index);
        assert_near(hit.distance, 5.0 + i - 0.01, 1e-4);
        assert_near(hit.normal.x, -1.0, 1e-6);
        pliant_world_remove_collider(world, plates[i]);
        assert_true(pliant_world_ray_cast(world, (vec3){-5, 0, 0}, (vec3){1, 0, 0}, 1000, 3, &hit));
        assert_int_equal(hit.body.index, balls[i].index);
        assert_int_equal(hit.particle, 0);
        assert_near(hit.distance, 5.0 + i + 0.4, 1e-4);
        // The mask looks past it, and backwards there is nothing.
        assert_true(pliant_world_ray_cast(world, (vec3){-5, 0, 0}, (vec3){1, 0, 0}, 1000, 1, &hit));
        assert_int_equal(hit.collider.index, plates[i + 1].index);
        assert_false(
            pliant_world_ray_cast(world, (vec3){-5, 0, 0}, (vec3){-1, 0, 0}, 1000, 3, &hit));
        pliant_world_remove_body(world, balls[i]);
    }
    pliant_world_destroy(world);
    pliant_shape_destroy(plate);
    pliant_model_destroy(ball);
}

// ---------------------------------------------------------------------------------------------
// Closest points

static void check_closest(const museum *m, vec3 from, float reach, uint32_t mask, int counts[2])
{
    pliant_hit hit, untouched;
    memset(&hit, 0x5a, sizeof hit);
    untouched = hit;
    bool found = pliant_world_closest_point(m->world, from, reach, mask, &hit);
    truth t = true_closest(m, from, mask);
    if (!found) {
        assert_memory_equal(&hit, &untouched, sizeof hit);
        assert_true(t.distance > (double)reach - 1e-4);
        return;
    }
    counts[hit.distance < 0.0f] += 1;
    assert_near(hit.distance, t.distance, 2e-4);
    assert_true(hit.distance <= reach + 1e-5f);
    assert_near(vec3_length(hit.normal), 1.0, 1e-4);
    assert_true((hit.particle >= 0) == (hit.body.generation != 0));
    assert_true((hit.particle == -1) == (hit.collider.generation != 0));
    // The point is that far off along the normal, and on the surface.
    vec3 back = vec3_add_scaled(hit.point, hit.normal, hit.distance);
    assert_below(vec3_length(vec3_sub(back, from)), 3e-4);
    if (is_same_thing(&hit, &t))
        return;
    truth other = true_closest(m, vec3_add_scaled(hit.point, hit.normal, 1e-3f), mask);
    assert_below(other.distance, 2e-3);
}

static void test_closest_points(void **state)
{
    (void)state;
    int counts[2] = {0, 0};
    for (int world = 0; world < 12; ++world) {
        bool is_field = world % 4 == 3;
        museum m =
            museum_open(2000 + (uint32_t)world, is_field ? 8 : 0, is_field ? 8 : 7, !is_field);
        uint32_t random = 78 + (uint32_t)world;
        for (int i = 0; i < 250; ++i) {
            vec3 from = random_vec3(&random, 4.0f);
            if (i % 5 == 0 && !is_field) // in or near one of them
                from =
                    vec3_add(random_vec3(&random, 0.3f),
                             pliant_body_particle_pose(m.world, m.bodies[i % BODIES], 0).position);
            if (i % 5 == 1 && !is_field)
                from = vec3_add(random_vec3(&random, 0.3f),
                                pliant_collider_pose(m.world, m.colliders[i % 7]).position);
            if (is_field) {
                pliant_pose pose = pliant_collider_pose(m.world, m.colliders[8]);
                vec3 p = {random_between(&random, -1, 4), random_between(&random, 0.41f, 2),
                          random_between(&random, -1, 4)};
                from = vec3_add(pose.position, quat_rotate(pose.orientation, p));
            }
            uint32_t mask = i % 3 ? UINT32_MAX : 1u << random_bits(&random) % 4;
            check_closest(&m, from, i % 2 ? 100.0f : random_between(&random, 0, 1), mask, counts);
        }
        museum_close(&m);
    }
    assert_true(counts[0] > 1000);
    assert_true(counts[1] > 200);
}

// Inside an ellipsoid, also at its very centre: the way out is along its shortest axis.
static void test_closest_point_from_inside(void **state)
{
    (void)state;
    setup s = particle_setup((vec3){0.5f, 0.2f, 0.4f});
    s.body_def.orientation = quat_exp((vec3){0.3f, 0.4f, 0.5f});
    setup_open(&s);
    pliant_hit hit;
    assert_true(pliant_world_closest_point(s.world, ZERO, 0.0f, 1, &hit));
    assert_near(hit.distance, -0.2, 1e-4);
    vec3 local = quat_rotate(quat_conjugate(s.body_def.orientation), hit.point);
    assert_near(absolute(local.y), 0.2, 1e-3);
    uint32_t random = 8;
    for (int i = 0; i < 200; ++i) {
        vec3 u = random_vec3(&random, 0.57f); // in the unit ball
        vec3 p = {0.5f * u.x, 0.2f * u.y, 0.4f * u.z};
        vec3 at = quat_rotate(s.body_def.orientation, p);
        assert_true(pliant_world_closest_point(s.world, at, 0.0f, 1, &hit));
        assert_near(hit.distance, ellipsoid_distance((vec3){0.5f, 0.2f, 0.4f}, point_of(p)), 2e-4);
        assert_below(
            vec3_length(vec3_sub(vec3_add_scaled(hit.point, hit.normal, hit.distance), at)), 1e-4);
    }
    setup_close(&s);
}

// A snapshot may bring back a heightfield, below which is inside, into the slot of another solid; and a plane, which is
// everywhere, into that of one with an end. Queries find what is there, and find it once.
static void test_solids_of_another_kind_are_restored(void **state)
{
    (void)state;
    pliant_shape_def plane_def = pliant_default_shape_def(PLIANT_SHAPE_PLANE);
    pliant_shape *shapes[3] = {box_shape(1, 1, 1), field_shape(4, 1.0f, 0.2f),
                               shape_from(&plane_def)};
    const vec3 below = {2, -50, 2}, aside = {500, -50, 2};
    for (int first = 0; first < 3; ++first)
        for (int second = 0; second < 3; ++second) {
            pliant_world_def def = pliant_default_world_def();
            pliant_world *world = pliant_world_create(&def, NULL);
            pliant_collider_def solid = solid_def(shapes[first], ZERO);
            pliant_collider_id id = pliant_world_add_collider(world, &solid, NULL);
            size_t size = pliant_world_snapshot_size(world);
            void *snapshot = malloc(size);
            pliant_world_snapshot(world, snapshot);
            pliant_world_remove_collider(world, id);
            solid.shape = shapes[second];
            pliant_world_add_collider(world, &solid, NULL);
            assert_int_equal(pliant_world_restore(world, snapshot, size, NULL), PLIANT_OK);
            free(snapshot);
            pliant_hit hit;
            assert_int_equal(pliant_world_closest_point(world, below, 1.0f, UINT32_MAX, &hit),
                             first > 0);
            assert_int_equal(pliant_world_closest_point(world, aside, 1.0f, UINT32_MAX, &hit),
                             first == 2);
            pliant_world_remove_collider(world, id);
            assert_false(pliant_world_closest_point(world, below, 1e3f, UINT32_MAX, &hit));
            pliant_world_destroy(world);
        }
    for (int i = 0; i < 3; ++i)
        pliant_shape_destroy(shapes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rays_find_what_is_first),
        cmocka_unit_test(test_rays_in_a_world_that_moves),
        cmocka_unit_test(test_rays_that_cannot_be),
        cmocka_unit_test(test_ray_from_inside),
        cmocka_unit_test(test_ray_hits_the_nearest_of_many),
        cmocka_unit_test(test_closest_points),
        cmocka_unit_test(test_closest_point_from_inside),
        cmocka_unit_test(test_solids_of_another_kind_are_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
