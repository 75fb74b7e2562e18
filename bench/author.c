// How long it takes to make a model of a mesh as the mesh grows.
//
//     pliant-author-bench [mesh file …]
//
// Balls with bumps of 12,000 to 200,000 triangles, a box of 12, and files: those that are named, else the
// koala of the test assets (in $PLIANT_ASSETS), each with 1,000 particles, all of it done by
// pliant_draft_auto. Processor time, one run. The aim is a cost per triangle that does not grow.

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

// The six sides of a cube in n × n squares each, taken elsewhere by a function: 12 n² triangles.
static pliant_mesh *cube_mesh(int n, vec3 (*function)(vec3))
{
    int row = n + 1;
    pliant_mesh *mesh = pliant_mesh_create(6 * row * row, 12 * n * n, 1);
    if (!mesh)
        stop("mesh", "out of memory");
    mesh->parts[0].vertex_count = mesh->vertex_count;
    mesh->parts[0].triangle_count = mesh->triangle_count;
    int32_t *corner = mesh->triangles;
    for (int side = 0; side < 6; ++side) {
        int axis = side / 2, first = side * row * row;
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
    return mesh;
}

// ---------------------------------------------------------------------------------------------
// Measuring

static double measure(const char *name, const pliant_mesh *mesh)
{
    pliant_error error = {0};
    double begin = now_ms();
    pliant_draft *draft = pliant_draft_create(mesh, &error);
    pliant_auto_def def = pliant_default_auto_def();
    def.count = PARTICLES;
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
    return each;
}

static void measure_file(const char *path)
{
    pliant_error error = {0};
    pliant_mesh *mesh = pliant_mesh_read_file(path, NULL, &error);
    if (!mesh)
        stop(error.place, error.message);
    const char *name = path;
    for (const char *c = path; *c; ++c)
        name = *c == '/' ? c + 1 : name;
    measure(name, mesh);
    pliant_mesh_destroy(mesh);
}

static void measure_koala(void)
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
    measure_file(path);
}

int main(int argc, char **argv)
{
    static const int sides[] = {32, 46, 65, 91, 129};
    double costs[5];
    printf("%-24s %9s %9s %9s %9s %9s\n", "mesh", "triangles", "particles", "edges", "ms",
           "us/triangle");
    for (int i = 0; i < 5; ++i) {
        pliant_mesh *mesh = cube_mesh(sides[i], bumpy);
        costs[i] = measure("bumpy ball", mesh);
        pliant_mesh_destroy(mesh);
    }
    pliant_mesh *box = cube_mesh(1, unchanged);
    measure("box", box);
    pliant_mesh_destroy(box);
    for (int i = 1; i < argc; ++i)
        measure_file(argv[i]);
    if (argc < 2)
        measure_koala();
    printf("\ncost per triangle, 200,000 over 12,000: %.2f\n", costs[4] / costs[0]);
    return 0;
}
