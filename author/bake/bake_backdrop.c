// What stands around the bodies in a bake: the colliders, a large quad for every plane, and the scene's
// camera.

#include "bake_document.h"

#include "io/decimal.h"
#include "math/scalar.h"

#include <math.h>
#include <string.h>

typedef struct double3 {
    double x, y, z;
} double3;

static double3 widen(pliant_vec3 v)
{
    return (double3){v.x, v.y, v.z};
}

static double dot(double3 a, double3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double3 cross(double3 a, double3 b)
{
    return (double3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double3 unit(double3 v)
{
    double length = sqrt(dot(v, v));
    return (double3){v.x / length, v.y / length, v.z / length};
}

// The rotation whose matrix has these columns. Of the four ways to read a quaternion off a matrix the
// one with the largest component divides by nothing small.
static void write_axes(json_writer *json, double3 x, double3 y, double3 z)
{
    double squares[4] = {1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z,
                         1 + x.x + y.y + z.z}; // 4 q²
    int largest = 0;
    for (int i = 1; i < 4; ++i)
        largest = squares[i] > squares[largest] ? i : largest;
    double products[4][4] = {{squares[0], x.y + y.x, x.z + z.x, y.z - z.y},
                             {x.y + y.x, squares[1], y.z + z.y, z.x - x.z},
                             {x.z + z.x, y.z + z.y, squares[2], x.y - y.x},
                             {y.z - z.y, z.x - x.z, x.y - y.x, squares[3]}}; // 4 q_i q_j
    const double *row = products[largest];
    double norm = sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
    float rotation[4];
    for (int i = 0; i < 4; ++i)
        rotation[i] = (float)(row[i] / norm);
    pli_json_write_floats(json, "rotation", rotation, 4);
}

static double3 any_across(double3 axis)
{
    double3 other = fabs(axis.x) < 0.5 ? (double3){1, 0, 0} : (double3){0, 0, 1};
    return unit(cross(other, axis));
}

// A square of side 1 in the x-z plane, facing +y.
static bake_geometry add_quad(glb_writer *glb)
{
    static const float positions[4][3] = {
        {-0.5f, 0, -0.5f}, {-0.5f, 0, 0.5f}, {0.5f, 0, 0.5f}, {0.5f, 0, -0.5f}};
    static const float normals[4][3] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
    static const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};
    bake_geometry quad = {.mesh = -1, .texture = -1, .joints = -1, .weights = -1};
    int view = pli_glb_add_view(glb, positions, sizeof positions, 12, GLB_TARGET_VERTICES);
    quad.position = pli_glb_add_accessor(glb, &(glb_accessor){.view = view,
                                                              .component = GLB_FLOAT,
                                                              .count = 4,
                                                              .type = "VEC3",
                                                              .minimum = positions[0],
                                                              .maximum = positions[2]});
    view = pli_glb_add_view(glb, normals, sizeof normals, 12, GLB_TARGET_VERTICES);
    quad.normal = pli_glb_add_accessor(
        glb, &(glb_accessor){.view = view, .component = GLB_FLOAT, .count = 4, .type = "VEC3"});
    view = pli_glb_add_view(glb, indices, sizeof indices, 0, GLB_TARGET_INDICES);
    quad.indices = pli_glb_add_accessor(
        glb, &(glb_accessor){.view = view, .component = GLB_USHORT, .count = 6, .type = "SCALAR"});
    return quad;
}

// The middle and the diagonal of everything the bodies' particles passed through.
static double scene_extent(const bake_document *document, double3 *centre)
{
    *centre = (double3){0, 0, 0};
    if (document->bake->particle_count == 0)
        return 1.0;
    double3 a = widen(document->minimum), b = widen(document->maximum);
    *centre = (double3){0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
    double3 d = {b.x - a.x, b.y - a.y, b.z - a.z};
    double diagonal = sqrt(dot(d, d));
    return diagonal > 0.25 ? diagonal : 0.25;
}

static void add_plane(bake_document *document, const pliant_plane_def *plane, int index, int mesh)
{
    char name[DECIMAL_SIZE + 8] = "plane ";
    pli_decimal_write_int(name + strlen(name), index);
    double3 centre, normal = unit(widen(plane->normal));
    float side = (float)(4.0 * scene_extent(document, &centre));
    double height = dot(normal, centre) - plane->offset;
    float translation[3] = {(float)(centre.x - height * normal.x),
                            (float)(centre.y - height * normal.y),
                            (float)(centre.z - height * normal.z)};
    float scale[3] = {side, 1.0f, side};
    double3 across = any_across(normal);

    json_writer *json = &document->nodes;
    pli_bake_begin_node(document, name);
    pli_json_write_int(json, "mesh", mesh);
    pli_json_write_floats(json, "translation", translation, 3);
    write_axes(json, cross(normal, across), normal, across);
    pli_json_write_floats(json, "scale", scale, 3);
    pli_bake_end_node(document, true);
}

void pli_bake_add_planes(bake_document *document)
{
    const pliant_scene *scene = document->bake->stage->scene;
    if (scene->plane_count == 0)
        return;
    static const float grey[3] = {0.35f, 0.36f, 0.38f};
    bake_geometry quad = add_quad(&document->glb);
    int mesh = pli_bake_add_mesh(document, &quad, "plane", grey, true);
    for (int i = 0; i < scene->plane_count; ++i)
        add_plane(document, &scene->planes[i], i, mesh);
}

// A collider of a plane's shape is shown as planes are, large and about its origin.
static void add_collider(bake_document *document, int index)
{
    const pliant_bake *bake = document->bake;
    const pliant_scene_collider *collider = &bake->stage->scene->colliders[index];
    pliant_shape_kind kind =
        pliant_shape_definition(bake->stage->scene->shapes[collider->shape]).kind;
    if (kind == PLIANT_SHAPE_PLANE && !bake->options.planes)
        return;
    bool two_sided = kind == PLIANT_SHAPE_PLANE || kind == PLIANT_SHAPE_MESH;
    const bake_geometry *geometry = pli_bake_shape_geometry(document, collider->shape);
    const char *name = collider->name[0] ? collider->name : "collider";
    int mesh = pli_bake_add_mesh(document, geometry, name, collider->colour, two_sided);

    const pliant_pose *start = bake_pose(bake, 0, bake->particle_count + index);
    int node = pli_bake_begin_node(document, name);
    pli_json_write_int(&document->nodes, "mesh", mesh);
    pli_json_write_floats(&document->nodes, "translation", &start->position.x, 3);
    pli_json_write_floats(&document->nodes, "rotation", &start->orientation.x, 4);
    if (kind == PLIANT_SHAPE_PLANE) {
        double3 centre;
        float side = (float)(4.0 * scene_extent(document, &centre));
        pli_json_write_floats(&document->nodes, "scale", (float[3]){side, 1.0f, side}, 3);
    }
    pli_bake_end_node(document, true);
    pli_bake_animate(document, node, bake->particle_count + index);
}

void pli_bake_add_colliders(bake_document *document)
{
    for (int i = 0; i < document->bake->stage->scene->collider_count; ++i)
        add_collider(document, i);
}

// Cameras look along their -z axis. One that looks at its own place has no direction and is left
// out.
void pli_bake_add_camera(bake_document *document)
{
    const pliant_scene_camera *camera = &document->bake->stage->scene->camera;
    double3 eye = widen(camera->eye), target = widen(camera->target);
    double3 back = {eye.x - target.x, eye.y - target.y, eye.z - target.z};
    double distance = sqrt(dot(back, back));
    if (!(distance > 0.0) || !(camera->vertical_fov > 0.0f))
        return;
    double3 z = unit(back);
    double3 side = cross((double3){0, 1, 0}, z);
    double3 x = dot(side, side) > 1e-12 ? unit(side) : (double3){1, 0, 0};

    json_writer *json = &document->cameras;
    pli_json_begin_object(json, NULL);
    pli_json_write_string(json, "type", "perspective");
    pli_json_begin_object(json, "perspective");
    pli_json_write_float(json, "aspectRatio", 16.0f / 9.0f);
    pli_json_write_float(json, "yfov", camera->vertical_fov);
    pli_json_write_float(json, "znear", (float)(0.01 * distance));
    pli_json_write_float(json, "zfar", (float)(1000.0 * distance));
    pli_json_end_object(json);
    pli_json_end_object(json);

    pli_bake_begin_node(document, "camera");
    pli_json_write_int(&document->nodes, "camera", 0);
    pli_json_write_floats(&document->nodes, "translation", &camera->eye.x, 3);
    write_axes(&document->nodes, x, cross(z, x), z);
    pli_bake_end_node(document, true);
}
