// How long it takes to make a model of a mesh as the mesh grows.
//
//     pliant-author-bench [mesh file …]
//
// Balls with bumps of 12,000 to 200,000 triangles, a box of 12, 60 dense shells in each other's way, and
// files: those that are named, else the koala of the test assets (in $PLIANT_ASSETS), each with 1,000
// particles and as many as it chooses by itself, all of it done by pliant_draft_auto. Processor time, one
// run. The aim is a cost per triangle that does not grow, with pieces that cost what their triangles do.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <pliant/author.h>

#include "math/trig.h"
#include "math/vec3.h"

#define PARTICLES 1000

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void stop(const char *place, const char *message)
{
    fprintf(stderr, "%s: %s\n", place, message);
    exit(1);
}

// ---------------------------------------------------------------------------------------------
// Meshes

static vec3 bumpy(vec3 x)
{
    float s, t, unused;
    x = vec3_scale(x, 1.0f / vec3_length(x));
    trig_sin_cos(7.0f * x.x + 3.0f * x.z, &s, &unused);
    trig_sin_cos(6.0f * x.y - 2.0f * x.x, &t, &unused);
    return vec3_scale(x, 1.0f + 0.2f * s * t);
}

static vec3 unchanged(vec3 x)
{
    return x;
}

static pliant_mesh *create_mesh(int vertices, int triangles)
{
    pliant_mesh *mesh = pliant_mesh_create(vertices, triangles, 1);
    if (!mesh)
        stop("mesh", "out of memory");
    mesh->parts[0].vertex_count = mesh->vertex_count;
    mesh->parts[0].triangle_count = mesh->triangle_count;
    return mesh;
}

// The six sides of a cube in n × n squares each, taken elsewhere by a function: 12 n² triangles. They go into
// a mesh as the piece of a number.
static void add_cube(pliant_mesh *mesh, int piece, int n, vec3 (*function)(vec3))
{
    int row = n + 1;
    int32_t *corner = mesh->triangles + (size_t)36 * n * n * piece;
    for (int side = 0; side < 6; ++side) {
        int axis = side / 2, first = (6 * piece + side) * row * row;
        for (int i = 0; i < row * row; ++i) {
            // On the edges of the cube exactly the same for both sides.
            float u = (float)(2 * (i % row) - n) / (float)n,
                  v = (float)(2 * (i / row) - n) / (float)n;
            float at[3];
            at[axis] = side % 2 ? 1.0f : -1.0f;
            at[(axis + 1) % 3] = side % 2 ? u : -u;
            at[(axis + 2) % 3] = v;
            mesh->positions[first + i] = function((vec3){at[0], at[1], at[2]});
        }
        for (int i = 0; i < n * n; ++i) {
            int a = first + i / n * row + i % n;
            const int32_t square[6] = {a, a + 1, a + row + 1, a, a + row + 1, a + row};
            for (int k = 0; k < 6; ++k)
                *corner++ = square[k];
        }
    }
}

static pliant_mesh *cube_mesh(int n, vec3 (*function)(vec3))
{
    pliant_mesh *mesh = create_mesh(6 * (n + 1) * (n + 1), 12 * n * n);
    add_cube(mesh, 0, n, function);
    return mesh;
}

// Closed shells as a car has them: each a flat, bumpy ball, many within reach of each other and through each other.
static pliant_mesh *shells_mesh(void)
{
    enum { SHELLS = 60, SQUARES = 12, VERTICES = 6 * (SQUARES + 1) * (SQUARES + 1) };
    pliant_mesh *mesh = create_mesh(SHELLS * VERTICES, SHELLS * 12 * SQUARES * SQUARES);
    for (int i = 0; i < SHELLS; ++i) {
        add_cube(mesh, i, SQUARES, bumpy);
        // Places along a spiral through a box of 4 by 1.2 by 1.6 m, sizes and the flat side in turn.
        float s, c, along = (float)i / SHELLS;
        trig_sin_cos(2.4f * (float)i, &s, &c);
        vec3 centre = {4.0f * along - 2.0f, 0.4f * s, 0.6f * c};
        vec3 radii = {0.7f, 0.35f, 0.5f};
        (&radii.x)[i % 3] = 0.08f;
        for (int v = i * VERTICES; v < (i + 1) * VERTICES; ++v) {
            vec3 x = mesh->positions[v];
            mesh->positions[v] = (vec3){centre.x + radii.x * x.x, centre.y + radii.y * x.y,
                                        centre.z + radii.z * x.z};
        }
    }
    return mesh;
}

// ---------------------------------------------------------------------------------------------
// Measuring

// Returns the milliseconds. Without a count it has as many particles as opening the mesh gives it.
static double measure(const char *name, const pliant_mesh *mesh, int count)
{
    pliant_error error = {0};
    double begin = now_ms();
    pliant_draft *draft = pliant_draft_create(mesh, &error);
    pliant_auto_def def = pliant_default_auto_def();
    def.count = count;
    if (!draft || pliant_draft_auto(draft, &def, &error) != PLIANT_OK)
        stop(error.place, error.message);
    pliant_model *model = pliant_draft_build(draft, &error);
    if (!model)
        stop(error.place, error.message);
    double spent = now_ms() - begin, each = 1e3 * spent / mesh->triangle_count;
    printf("%-24s %9d %9d %9d %9.0f %9.2f\n", name, (int)mesh->triangle_count,
           pliant_model_particle_count(model), pliant_model_edge_count(model), spent, each);
    fflush(stdout);
    pliant_model_destroy(model);
    pliant_draft_destroy(draft);
    return spent;
}

static double measure_file(const char *path, int count)
{
    pliant_error error = {0};
    pliant_mesh *mesh = pliant_mesh_read_file(path, NULL, &error);
    if (!mesh)
        stop(error.place, error.message);
    const char *name = path;
    for (const char *c = path; *c; ++c)
        name = *c == '/' ? c + 1 : name;
    double spent = measure(name, mesh, count);
    pliant_mesh_destroy(mesh);
    return spent;
}

static void measure_koala(double shells)
{
    char path[1024];
    const char *assets = getenv("PLIANT_ASSETS");
    snprintf(path, sizeof path, "%s/static/koala.obj", assets ? assets : "../shared/assets");
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("%s is not there: set PLIANT_ASSETS\n", path);
        return;
    }
    fclose(file);
    measure_file(path, PARTICLES);
    printf("\nas opened, 60 shells over the koala: %.2f\n", shells / measure_file(path, 0));
}

int main(int argc, char **argv)
{
    static const int sides[] = {32, 46, 65, 91, 129};
    double costs[5];
    printf("%-24s %9s %9s %9s %9s %9s\n", "mesh", "triangles", "particles", "edges", "ms",
           "us/triangle");
    for (int i = 0; i < 5; ++i) {
        pliant_mesh *mesh = cube_mesh(sides[i], bumpy);
        costs[i] = measure("bumpy ball", mesh, PARTICLES) / mesh->triangle_count;
        pliant_mesh_destroy(mesh);
    }
    pliant_mesh *box = cube_mesh(1, unchanged), *shells = shells_mesh();
    measure("box", box, PARTICLES);
    measure("60 shells", shells, PARTICLES);
    double shells_ms = measure("60 shells", shells, 0);
    pliant_mesh_destroy(box);
    pliant_mesh_destroy(shells);
    for (int i = 1; i < argc; ++i)
        measure_file(argv[i], PARTICLES);
    if (argc < 2)
        measure_koala(shells_ms);
    printf("cost per triangle, 200,000 over 12,000: %.2f\n", costs[4] / costs[0]);
    return 0;
}
