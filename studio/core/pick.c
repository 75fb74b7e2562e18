// What a ray meets of the document: its surface, through the tree of its triangles, and its particles.

#include "core.h"

#include "draft/draft.h"

#include <math.h>
#include <stdlib.h>

static const field ray_fields[] = {
    {"origin", FIELD_VEC3, offsetof(studio_ray, origin), FIELD_COORDINATE, true},
    {"direction", FIELD_DIRECTION, offsetof(studio_ray, direction), FIELD_ANY, true},
};

bool studio_ray_read(field_reader *reader, json_value arguments, studio_ray *ray)
{
    if (!pli_field_read_object(reader, arguments, ray_fields, COUNT_OF(ray_fields), ray))
        return false;
    ray->direction = vec3_normalize_or(ray->direction, (vec3){0.0f, 0.0f, -1.0f});
    return true;
}

// In the axes of the ellipsoid, scaled so that it is the unit ball: |o + t d|² = 1.
bool studio_ray_ellipsoid(const studio_ray *ray, pliant_pose pose, vec3 radii, float *distance)
{
    quat into = quat_conjugate(pose.orientation);
    vec3 o = quat_rotate(into, vec3_sub(ray->origin, pose.position));
    vec3 d = quat_rotate(into, ray->direction);
    double ox = (double)o.x / (double)radii.x, oy = (double)o.y / (double)radii.y,
           oz = (double)o.z / (double)radii.z;
    double dx = (double)d.x / (double)radii.x, dy = (double)d.y / (double)radii.y,
           dz = (double)d.z / (double)radii.z;
    double a = dx * dx + dy * dy + dz * dz;
    double b = ox * dx + oy * dy + oz * dz;
    double c = ox * ox + oy * oy + oz * oz - 1.0;
    double root = b * b - a * c;
    if (root < 0.0 || (c > 0.0 && b > 0.0))
        return false;
    double t = c <= 0.0 ? 0.0 : (-b - sqrt(root)) / a;
    *distance = (float)t;
    return true;
}

// ---------------------------------------------------------------------------------------------
// The surface

typedef struct ray_walk {
    double o[3], d[3];
    double from, to;
} ray_walk;

// Whether the ray is in the box somewhere between the two distances.
static bool meets_box(const ray_walk *walk, const bvh_node *node)
{
    const float low[3] = {node->low.x, node->low.y, node->low.z};
    const float high[3] = {node->high.x, node->high.y, node->high.z};
    double begin = walk->from, end = walk->to;
    for (int k = 0; k < 3; ++k) {
        if (walk->d[k] == 0.0) {
            if (walk->o[k] < (double)low[k] || walk->o[k] > (double)high[k])
                return false;
            continue;
        }
        double a = ((double)low[k] - walk->o[k]) / walk->d[k];
        double b = ((double)high[k] - walk->o[k]) / walk->d[k];
        begin = fmax(begin, fmin(a, b));
        end = fmin(end, fmax(a, b));
    }
    return begin <= end;
}

static void cross(const double a[3], const double b[3], double result[3])
{
    for (int k = 0; k < 3; ++k)
        result[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// From both sides: o + t d = A + u (B - A) + v (C - A), solved by Cramer's rule.
static bool meets_triangle(const ray_walk *walk, const pliant_mesh *mesh, int32_t triangle,
                           double *t)
{
    double corners[3][3];
    for (int k = 0; k < 3; ++k) {
        vec3 x = mesh->positions[mesh->triangles[3 * (size_t)triangle + (size_t)k]];
        corners[k][0] = x.x, corners[k][1] = x.y, corners[k][2] = x.z;
    }
    double ab[3], ac[3], ao[3], p[3], q[3];
    for (int k = 0; k < 3; ++k) {
        ab[k] = corners[1][k] - corners[0][k];
        ac[k] = corners[2][k] - corners[0][k];
        ao[k] = walk->o[k] - corners[0][k];
    }
    cross(walk->d, ac, p);
    double determinant = dot(ab, p);
    if (determinant == 0.0)
        return false;
    cross(ao, ab, q);
    double u = dot(ao, p) / determinant, v = dot(walk->d, q) / determinant;
    *t = dot(ac, q) / determinant;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && *t >= walk->from && *t < walk->to;
}

int32_t studio_ray_surface(const surface_search *search, const studio_ray *ray, float from,
                           float to, float *distance)
{
    if (search->tree.node_count == 0)
        return -1;
    ray_walk walk = {{ray->origin.x, ray->origin.y, ray->origin.z},
                     {ray->direction.x, ray->direction.y, ray->direction.z},
                     from,
                     to};
    int32_t found = -1, stack[BVH_DEPTH + 1];
    int waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
        const bvh_node *node = &search->tree.nodes[stack[--waiting]];
        if (!meets_box(&walk, node))
            continue;
        if (node->count == 0) {
            stack[waiting++] = node->first;
            stack[waiting++] = node->first + 1;
        }
        for (int i = 0; i < node->count; ++i) {
            double t;
            int32_t triangle = search->tree.order[node->first + i];
            if (meets_triangle(&walk, search->mesh, triangle, &t)) {
                walk.to = t;
                found = triangle;
            }
        }
    }
    *distance = (float)walk.to;
    return found;
}

static int part_of_triangle(const pliant_mesh *mesh, int32_t triangle)
{
    int part = 0;
    while (part + 1 < mesh->part_count && mesh->parts[part + 1].first_triangle <= triangle)
        ++part;
    return part;
}

static int32_t nearest_corner(const pliant_mesh *mesh, int32_t triangle, vec3 point)
{
    const int32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    int32_t best = corners[0];
    float best_distance = INFINITY;
    for (int k = 0; k < 3; ++k) {
        float distance = vec3_length(vec3_sub(mesh->positions[corners[k]], point));
        if (distance < best_distance) {
            best_distance = distance;
            best = corners[k];
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// Commands

static void write_surface(json_writer *json, const pliant_mesh *mesh, const studio_ray *ray,
                          int32_t triangle, float distance)
{
    if (triangle < 0) {
        studio_write_null(json, "surface");
        return;
    }
    vec3 point = vec3_add_scaled(ray->origin, ray->direction, distance);
    // Towards whoever looks: a brush is shown on the side that is seen.
    vec3 normal = pli_surface_normal(mesh, triangle);
    if (vec3_dot(normal, ray->direction) > 0.0f)
        normal = vec3_negate(normal);
    pli_json_begin_object(json, "surface");
    studio_write_vec3(json, "point", point);
    studio_write_vec3(json, "normal", normal);
    pli_json_write_int(json, "triangle", triangle);
    pli_json_write_int(json, "vertex", nearest_corner(mesh, triangle, point));
    pli_json_write_int(json, "part", part_of_triangle(mesh, triangle));
    pli_json_end_object(json);
}

static void write_particle(json_writer *json, const studio_document *document,
                           const studio_ray *ray)
{
    int found = -1;
    float best = INFINITY, distance;
    for (int i = 0; i < document->particle_count; ++i) {
        const pliant_particle_def *p = pliant_draft_particle(document->draft, i);
        pliant_pose pose = {p->position, p->orientation};
        if (studio_ray_ellipsoid(ray, pose, p->radii, &distance) && distance < best) {
            best = distance;
            found = i;
        }
    }
    if (found < 0) {
        studio_write_null(json, "particle");
        return;
    }
    pli_json_begin_object(json, "particle");
    pli_json_write_int(json, "index", found);
    studio_write_vec3(json, "point", vec3_add_scaled(ray->origin, ray->direction, best));
    pli_json_write_float(json, "distance", best);
    pli_json_end_object(json);
}

bool studio_pick(studio *s, field_reader *reader, json_value arguments)
{
    studio_ray ray;
    if (!studio_ray_read(reader, arguments, &ray))
        return false;
    if (!s->document)
        return studio_refuse(reader, "there is no document");
    const surface_search *search = pli_draft_surface(s->document->draft);
    if (!search)
        return pli_field_fail_memory(reader);
    float distance;
    int32_t triangle = studio_ray_surface(search, &ray, 0.0f, INFINITY, &distance);
    pli_json_begin_object(&s->answer, NULL);
    write_surface(&s->answer, s->document->mesh, &ray, triangle, distance);
    write_particle(&s->answer, s->document, &ray);
    pli_json_end_object(&s->answer);
    return true;
}

bool studio_weigh(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments))
        return false;
    const studio_document *document = s->document;
    if (!document)
        return studio_refuse(reader, "there is no document");
    int count = document->mesh->vertex_count, following = 0;
    float *weights = calloc((size_t)count + 1, sizeof *weights);
    if (!weights)
        return pli_field_fail_memory(reader);
    for (int i = 0; i < count; ++i) {
        const int32_t *particles = pliant_draft_link_particles(document->draft, i);
        const float *links = pliant_draft_link_weights(document->draft, i);
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
            if (links[k] > 0.0f && document->selected_particles[particles[k]])
                weights[i] += links[k];
        }
        following += weights[i] > 0.0f;
    }
    free(s->weights);
    s->weights = weights;
    s->weight_count = count;
    s->weights_revision = document->revision;
    pli_json_begin_object(&s->answer, NULL);
    pli_json_write_int(&s->answer, "vertices", following);
    pli_json_end_object(&s->answer);
    return true;
}
