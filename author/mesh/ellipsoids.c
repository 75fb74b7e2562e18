// Particles as ellipsoids: a unit sphere of latitudes and longitudes, scaled by the radii, turned and
// moved to the bind pose. A point p on the unit sphere becomes R diag(r) p, and its normal, which
// transforms with the inverse transpose, R diag(1/r) p.

#include "mesh/ellipsoids.h"

#include "math/quat.h"

typedef struct sphere {
    int segments, rings; // longitudes, and bands from pole to pole
} sphere;

// A single particle deserves a round outline; of thousands nobody sees it.
static sphere choose_sphere(int particle_count)
{
    if (particle_count <= 64)
        return (sphere){32, 16};
    if (particle_count <= 1024)
        return (sphere){12, 8};
    return (sphere){6, 4};
}

static int sphere_vertex_count(sphere s)
{
    return 2 + (s.rings - 1) * s.segments;
}

static int sphere_triangle_count(sphere s)
{
    return 2 * s.segments * (s.rings - 1);
}

static vec3 sphere_point(sphere s, int ring, int segment)
{
    float sin_polar, cos_polar, sin_around, cos_around;
    trig_sin_cos(3.14159265f * (float)ring / (float)s.rings, &sin_polar, &cos_polar);
    trig_sin_cos(6.28318531f * (float)segment / (float)s.segments, &sin_around, &cos_around);
    return (vec3){sin_polar * cos_around, cos_polar, -sin_polar * sin_around};
}

static pliant_vertex_def place(const pliant_particle_def *particle, int index, vec3 p)
{
    vec3 r = particle->radii;
    vec3 offset = {r.x * p.x, r.y * p.y, r.z * p.z};
    // diag(1/r) p times the smallest radius, so that flat particles do not overflow.
    float smallest = minimum(r.x, minimum(r.y, r.z));
    vec3 normal = {p.x * (smallest / r.x), p.y * (smallest / r.y), p.z * (smallest / r.z)};
    normal = quat_rotate(particle->orientation, normal);
    return (pliant_vertex_def){
        .position = vec3_add(particle->position, quat_rotate(particle->orientation, offset)),
        .normal = vec3_scale(normal, 1.0f / vec3_length(normal)),
        .particles = {index},
        .weights = {1.0f},
    };
}

static pliant_vertex_def *add_vertices(pliant_vertex_def *out, sphere s,
                                       const pliant_particle_def *particle, int index)
{
    *out++ = place(particle, index, (vec3){0, 1, 0});
    for (int ring = 1; ring < s.rings; ++ring) {
        for (int segment = 0; segment < s.segments; ++segment)
            *out++ = place(particle, index, sphere_point(s, ring, segment));
    }
    *out++ = place(particle, index, (vec3){0, -1, 0});
    return out;
}

static int32_t *add_triangle(int32_t *out, int a, int b, int c)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    return out + 3;
}

// Counter-clockwise seen from outside. `first` is the upper pole.
static int32_t *add_triangles(int32_t *out, sphere s, int first)
{
    int last = first + sphere_vertex_count(s) - 1;
    for (int i = 0; i < s.segments; ++i) {
        int j = (i + 1) % s.segments;
        out = add_triangle(out, first, first + 1 + i, first + 1 + j);
        for (int ring = 0; ring + 2 < s.rings; ++ring) {
            int upper = first + 1 + ring * s.segments, lower = upper + s.segments;
            out = add_triangle(out, upper + i, lower + i, lower + j);
            out = add_triangle(out, upper + i, lower + j, upper + j);
        }
        out = add_triangle(out, last - s.segments + i, last, last - s.segments + j);
    }
    return out;
}

bool pli_ellipsoids_from_model(skin_mesh *mesh, const pliant_model *model)
{
    int count = pliant_model_particle_count(model);
    const pliant_particle_def *particles = pliant_model_particles(model);
    sphere s = choose_sphere(count);
    // The count that an int can index; more particles than this are not shown.
    int limit = INT32_MAX / (3 * sphere_triangle_count(s));
    count = count < limit ? count : limit;
    if (!pli_skin_mesh_allocate(mesh, count * sphere_vertex_count(s),
                                count * sphere_triangle_count(s)))
        return false;
    pliant_vertex_def *vertices = mesh->vertices;
    int32_t *triangles = mesh->triangles;
    for (int i = 0; i < count; ++i) {
        triangles = add_triangles(triangles, s, i * sphere_vertex_count(s));
        vertices = add_vertices(vertices, s, &particles[i], i);
    }
    return true;
}
