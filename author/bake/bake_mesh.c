// Meshes in a bake: vertex attributes, links as joints and weights, inverse bind matrices and materials.
// Bodies of one model and colliders of one shape share all but the material.

#include "bake_document.h"

#include "math/scalar.h"
#include "mesh/solid_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int add_view(glb_writer *glb, const float *values, int count, int components)
{
    int stride = components * (int)sizeof(float);
    return pli_glb_add_view(glb, values, (size_t)count * (size_t)stride, stride,
                            GLB_TARGET_VERTICES);
}

typedef struct vertex_links {
    int particles[PLIANT_MAX_LINKS];
    float weights[PLIANT_MAX_LINKS];
} vertex_links;

// glTF wants no joint twice, joint 0 where the weight is 0, and weights that sum to 1 as floats. The
// first link is the heaviest, so that it takes what rounding leaves.
static vertex_links tidy_links(const pliant_vertex_def *vertex)
{
    vertex_links links = {{0}, {0}};
    int count = 0;
    double sum = 0.0;
    for (int i = 0; i < PLIANT_MAX_LINKS; ++i) {
        if (!(vertex->weights[i] > 0.0f))
            continue;
        int k = 0;
        while (k < count && links.particles[k] != vertex->particles[i])
            ++k;
        links.particles[k] = vertex->particles[i];
        links.weights[k] += vertex->weights[i];
        count += k == count;
        sum += vertex->weights[i];
    }
    double others = 0.0;
    for (int k = 1; k < count; ++k) {
        links.weights[k] = (float)(links.weights[k] / sum);
        if (links.weights[k] == 0.0f)
            links.particles[k] = 0;
        others += links.weights[k];
    }
    links.weights[0] = (float)(1.0 - others);
    return links;
}

static void add_link_views(glb_writer *glb, const skin_mesh *mesh, int joint_count,
                           bake_views *views)
{
    size_t count = (size_t)mesh->vertex_count;
    views->is_narrow = joint_count <= 256;
    size_t joint_stride = views->is_narrow ? 4 : 8;
    unsigned char *joints = malloc(count * joint_stride + 1);
    float *weights = malloc(count * 4 * sizeof(float) + 1);
    if (joints && weights) {
        for (size_t i = 0; i < count; ++i) {
            vertex_links links = tidy_links(&mesh->vertices[i]);
            memcpy(weights + 4 * i, links.weights, sizeof links.weights);
            for (size_t k = 0; k < 4; ++k) {
                uint16_t joint = (uint16_t)links.particles[k];
                if (views->is_narrow)
                    joints[4 * i + k] = (unsigned char)joint;
                else
                    memcpy(joints + 8 * i + 2 * k, &joint, 2);
            }
        }
        views->joints = pli_glb_add_view(glb, joints, count * joint_stride, (int)joint_stride,
                                         GLB_TARGET_VERTICES);
        views->weights = add_view(glb, weights, mesh->vertex_count, 4);
    } else {
        glb->failed = true;
    }
    free(joints);
    free(weights);
}

static void add_surface_views(glb_writer *glb, const skin_mesh *mesh, bool textured,
                              bake_views *views)
{
    size_t count = (size_t)mesh->vertex_count;
    float *values = calloc(count + 1, 3 * sizeof(float));
    if (!values) {
        glb->failed = true;
        return;
    }
    for (size_t i = 0; i < count; ++i)
        memcpy(values + 3 * i, &mesh->vertices[i].position, 3 * sizeof(float));
    views->position = add_view(glb, values, mesh->vertex_count, 3);
    for (size_t i = 0; i < count; ++i)
        memcpy(values + 3 * i, &mesh->vertices[i].normal, 3 * sizeof(float));
    views->normal = add_view(glb, values, mesh->vertex_count, 3);
    if (textured) {
        for (size_t i = 0; i < count; ++i) {
            values[2 * i] = mesh->vertices[i].u;
            values[2 * i + 1] = mesh->vertices[i].v;
        }
        views->texture = add_view(glb, values, mesh->vertex_count, 2);
    }
    free(values);
}

static bool is_textured(const skin_mesh *mesh)
{
    for (int i = 0; i < mesh->vertex_count; ++i) {
        if (mesh->vertices[i].u != 0.0f || mesh->vertices[i].v != 0.0f)
            return true;
    }
    return false;
}

bake_views pli_bake_add_views(glb_writer *glb, const skin_mesh *mesh, int joint_count,
                              bool textured)
{
    bake_views views = {.texture = -1, .joints = -1, .weights = -1};
    add_surface_views(glb, mesh, textured, &views);
    if (joint_count > 0)
        add_link_views(glb, mesh, joint_count, &views);
    return views;
}

static int add_position_accessor(glb_writer *glb, const skin_mesh *mesh, int view, int first,
                                 int count)
{
    float minimum[3], maximum[3];
    for (int i = 0; i < count; ++i) {
        const float *x = &mesh->vertices[first + i].position.x;
        for (int k = 0; k < 3; ++k) {
            minimum[k] = i == 0 || x[k] < minimum[k] ? x[k] : minimum[k];
            maximum[k] = i == 0 || x[k] > maximum[k] ? x[k] : maximum[k];
        }
    }
    return pli_glb_add_accessor(glb, &(glb_accessor){.view = view,
                                                     .offset = (size_t)first * 12,
                                                     .component = GLB_FLOAT,
                                                     .count = count,
                                                     .type = "VEC3",
                                                     .minimum = minimum,
                                                     .maximum = maximum});
}

static int add_range_accessor(glb_writer *glb, int view, int component, int first, int count,
                              const char *type)
{
    if (view < 0)
        return -1;
    size_t size = component == GLB_FLOAT ? 4 : component == GLB_USHORT ? 2 : 1;
    size_t offset = (size_t)first * size * (size_t)(type[3] - '0');
    return pli_glb_add_accessor(
        glb,
        &(glb_accessor){
            .view = view, .offset = offset, .component = component, .count = count, .type = type});
}

bake_geometry pli_bake_add_accessors(glb_writer *glb, const skin_mesh *mesh,
                                     const bake_views *views, int first, int count)
{
    bake_geometry geometry = {.mesh = -1, .inverse_bind_matrices = -1};
    int joint = views->is_narrow ? GLB_UBYTE : GLB_USHORT;
    geometry.position = add_position_accessor(glb, mesh, views->position, first, count);
    geometry.normal = add_range_accessor(glb, views->normal, GLB_FLOAT, first, count, "VEC3");
    geometry.texture = add_range_accessor(glb, views->texture, GLB_FLOAT, first, count, "VEC2");
    geometry.joints = add_range_accessor(glb, views->joints, joint, first, count, "VEC4");
    geometry.weights = add_range_accessor(glb, views->weights, GLB_FLOAT, first, count, "VEC4");
    return geometry;
}

static bake_geometry add_whole_mesh(glb_writer *glb, const skin_mesh *mesh, int joint_count)
{
    bake_views views = pli_bake_add_views(glb, mesh, joint_count, is_textured(mesh));
    bake_geometry geometry = pli_bake_add_accessors(glb, mesh, &views, 0, mesh->vertex_count);
    geometry.indices =
        pli_glb_add_triangles(glb, mesh->triangles, mesh->triangle_count, 0, mesh->vertex_count);
    return geometry;
}

// The inverse of x = t + R p is p = Rᵀ x - Rᵀ t; column-major, so that Rᵀ's columns are R's rows.
static void invert_pose(const pliant_particle_def *particle, float matrix[16])
{
    double x = particle->orientation.x, y = particle->orientation.y, z = particle->orientation.z,
           w = particle->orientation.w;
    double norm = sqrt(x * x + y * y + z * z + w * w);
    x /= norm, y /= norm, z /= norm, w /= norm;
    double R[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
    };
    double t[3] = {particle->position.x, particle->position.y, particle->position.z};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column)
            matrix[4 * column + row] = (float)R[column][row];
        matrix[12 + row] = (float)-(R[0][row] * t[0] + R[1][row] * t[1] + R[2][row] * t[2]);
        matrix[4 * row + 3] = 0.0f;
    }
    matrix[15] = 1.0f;
}

static void add_inverse_bind_matrices(glb_writer *glb, const pliant_model *model,
                                      bake_geometry *geometry)
{
    int count = pliant_model_particle_count(model);
    const pliant_particle_def *particles = pliant_model_particles(model);
    float(*matrices)[16] = malloc((size_t)count * sizeof *matrices);
    if (!matrices) {
        glb->failed = true;
        return;
    }
    for (int i = 0; i < count; ++i)
        invert_pose(&particles[i], matrices[i]);
    int view =
        pli_glb_add_view(glb, matrices, (size_t)count * sizeof *matrices, 0, GLB_TARGET_NONE);
    geometry->inverse_bind_matrices = pli_glb_add_accessor(
        glb, &(glb_accessor){.view = view, .component = GLB_FLOAT, .count = count, .type = "MAT4"});
    free(matrices);
}

const bake_geometry *pli_bake_model_geometry(bake_document *document, int index, const char *name)
{
    bake_geometry *geometry = &document->geometries[index];
    if (geometry->written)
        return geometry;
    const pliant_scene *scene = document->bake->stage->scene;
    const pliant_model *model = scene->models[index];
    if (pli_bake_has_looks(scene->meshes[index])) {
        *geometry = (bake_geometry){.mesh = pli_bake_add_looks(document, index, name)};
    } else {
        skin_mesh mesh;
        if (!pli_skin_mesh_from_model(&mesh, model)) {
            document->glb.failed = true;
            return geometry;
        }
        *geometry = add_whole_mesh(&document->glb, &mesh, pliant_model_particle_count(model));
        pli_skin_mesh_release(&mesh);
    }
    add_inverse_bind_matrices(&document->glb, model, geometry);
    geometry->written = true;
    return geometry;
}

const bake_geometry *pli_bake_shape_geometry(bake_document *document, int index)
{
    bake_geometry *geometry = &document->shape_geometries[index];
    if (geometry->written)
        return geometry;
    skin_mesh mesh;
    if (!pli_solid_mesh_from_shape(&mesh, document->bake->stage->scene->shapes[index])) {
        document->glb.failed = true;
        return geometry;
    }
    *geometry = add_whole_mesh(&document->glb, &mesh, 0);
    geometry->written = true;
    pli_skin_mesh_release(&mesh);
    return geometry;
}

static int add_material(bake_document *document, const char *name, const float colour[3],
                        bool two_sided)
{
    json_writer *json = &document->looks.materials;
    float rgba[4] = {colour[0], colour[1], colour[2], 1.0f};
    pli_json_begin_object(json, NULL);
    pli_json_write_string(json, "name", name);
    pli_json_begin_object(json, "pbrMetallicRoughness");
    pli_json_write_floats(json, "baseColorFactor", rgba, 4);
    pli_json_write_float(json, "metallicFactor", 0.0f);
    pli_json_write_float(json, "roughnessFactor", 0.6f);
    pli_json_end_object(json);
    if (two_sided)
        pli_json_write_bool(json, "doubleSided", true);
    pli_json_end_object(json);
    return document->looks.material_count++;
}

static void write_attribute(json_writer *json, const char *name, int accessor)
{
    if (accessor >= 0)
        pli_json_write_int(json, name, accessor);
}

void pli_bake_write_attributes(json_writer *json, const bake_geometry *geometry)
{
    write_attribute(json, "POSITION", geometry->position);
    write_attribute(json, "NORMAL", geometry->normal);
    write_attribute(json, "TEXCOORD_0", geometry->texture);
    write_attribute(json, "JOINTS_0", geometry->joints);
    write_attribute(json, "WEIGHTS_0", geometry->weights);
}

int pli_bake_add_mesh(bake_document *document, const bake_geometry *geometry, const char *name,
                      const float colour[3], bool two_sided)
{
    int material = add_material(document, name, colour, two_sided);
    json_writer *json = &document->meshes;
    pli_json_begin_object(json, NULL);
    pli_json_write_string(json, "name", name);
    pli_json_begin_array(json, "primitives");
    pli_json_begin_object(json, NULL);
    pli_json_begin_object(json, "attributes");
    pli_bake_write_attributes(json, geometry);
    pli_json_end_object(json);
    pli_json_write_int(json, "indices", geometry->indices);
    pli_json_write_int(json, "material", material);
    pli_json_end_object(json);
    pli_json_end_array(json);
    pli_json_end_object(json);
    return document->mesh_count++;
}
