// The visual mesh of a model, ready for a file.

#include "mesh/skin_mesh.h"

#include "math/vec3.h"
#include "mesh/ellipsoids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool pli_skin_mesh_allocate(skin_mesh *mesh, int vertex_count, int triangle_count)
{
    *mesh = (skin_mesh){.vertex_count = vertex_count, .triangle_count = triangle_count};
    mesh->vertices = calloc((size_t)vertex_count + 1, sizeof mesh->vertices[0]);
    mesh->triangles = calloc((size_t)triangle_count + 1, 3 * sizeof mesh->triangles[0]);
    if (!mesh->vertices || !mesh->triangles) {
        pli_skin_mesh_release(mesh);
        return false;
    }
    return true;
}

void pli_skin_mesh_release(skin_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (skin_mesh){0};
}

static bool is_zero(vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

// In double precision, because the square of a tiny triangle's area is no float any more.
static vec3 unit_or_up(const double sum[3])
{
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (!(length > 0.0))
        return (vec3){0, 1, 0};
    return (vec3){(float)(sum[0] / length), (float)(sum[1] / length), (float)(sum[2] / length)};
}

// The sum over the triangles around `vertex` of twice their area times their normal is gathered for
// all vertices at once; `sums` has three numbers a vertex.
static void sum_triangle_normals(const skin_mesh *mesh, double *sums)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *corners = mesh->triangles + 3 * t;
        vec3 a = mesh->vertices[corners[0]].position;
        vec3 b = mesh->vertices[corners[1]].position;
        vec3 c = mesh->vertices[corners[2]].position;
        double u[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
        double v[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
        double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                            u[0] * v[1] - u[1] * v[0]};
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k)
                sums[3 * (size_t)corners[i] + (size_t)k] += normal[k];
        }
    }
}

void pli_skin_mesh_fill_normals(skin_mesh *mesh)
{
    bool missing = false;
    for (int i = 0; i < mesh->vertex_count; ++i)
        missing |= is_zero(mesh->vertices[i].normal);
    if (!missing)
        return;
    double *sums = calloc((size_t)mesh->vertex_count * 3, sizeof *sums);
    if (sums)
        sum_triangle_normals(mesh, sums);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        static const double none[3] = {0, 0, 0};
        if (is_zero(mesh->vertices[i].normal))
            mesh->vertices[i].normal = unit_or_up(sums ? sums + 3 * (size_t)i : none);
    }
    free(sums);
}

bool pli_skin_mesh_from_skin(skin_mesh *mesh, const pliant_model *model)
{
    int vertex_count = pliant_model_vertex_count(model);
    int triangle_count = pliant_model_triangle_count(model);
    if (!pli_skin_mesh_allocate(mesh, vertex_count, triangle_count))
        return false;
    if (vertex_count > 0)
        memcpy(mesh->vertices, pliant_model_vertices(model),
               (size_t)vertex_count * sizeof mesh->vertices[0]);
    if (triangle_count > 0)
        memcpy(mesh->triangles, pliant_model_triangles(model),
               (size_t)triangle_count * 3 * sizeof mesh->triangles[0]);
    pli_skin_mesh_fill_normals(mesh);
    return true;
}

bool pli_skin_mesh_from_model(skin_mesh *mesh, const pliant_model *model)
{
    bool has_skin = pliant_model_vertex_count(model) > 0 && pliant_model_triangle_count(model) > 0;
    return has_skin ? pli_skin_mesh_from_skin(mesh, model) : pli_ellipsoids_from_model(mesh, model);
}
