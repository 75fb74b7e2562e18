// Runs a model five seconds on the ground, from a little above it, and tells how large it became:
//   living MODEL.glb
// prints the diagonal of the skin's box, the largest of the run relative to the one at rest, or fails at the first
// vertex that is not finite.

#include <pliant/author.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what, const pliant_error *error)
{
    fprintf(stderr, "%s: %s%s%s\n", what, error->place, error->place[0] ? ": " : "",
            error->message);
    return 1;
}

typedef struct box {
    float low[3], high[3];
} box;

static box box_of(const pliant_vec3 *positions, int count)
{
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < count; ++i) {
        const float *x = &positions[i].x;
        for (int k = 0; k < 3; ++k) {
            // A NaN stays.
            b.low[k] = x[k] >= b.low[k] ? b.low[k] : x[k];
            b.high[k] = x[k] <= b.high[k] ? b.high[k] : x[k];
        }
    }
    return b;
}

static double diagonal(const box *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
        sum += ((double)b->high[k] - b->low[k]) * ((double)b->high[k] - b->low[k]);
    return sqrt(sum);
}

static int run(pliant_world *world, pliant_body_id body, int vertex_count, double at_rest,
               pliant_vec3 *positions)
{
    double largest = 0.0;
    for (int step = 0; step < 300; ++step) {
        pliant_world_step(world, 1.0f / 60.0f);
        pliant_body_skin(world, body, PLIANT_SKIN_LINEAR, positions, NULL);
        box b = box_of(positions, vertex_count);
        double size = diagonal(&b) / at_rest;
        if (!isfinite(size)) {
            fprintf(stderr, "step %d: a vertex is not finite\n", step);
            return 1;
        }
        largest = size > largest ? size : largest;
    }
    printf("%g\n", largest);
    return 0;
}

int main(int count, char **arguments)
{
    pliant_error error = {0};
    pliant_mesh *mesh = count == 2 ? pliant_mesh_read_file(arguments[1], NULL, &error) : NULL;
    pliant_model *model = mesh ? pliant_mesh_load_model(mesh, &error) : NULL;
    if (!model)
        return fail("Usage: living MODEL.glb", &error);
    box rest = box_of(mesh->positions, mesh->vertex_count);

    pliant_world_def world_def = pliant_default_world_def();
    pliant_world *world = pliant_world_create(&world_def, &error);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_body_def body_def = pliant_default_body_def();
    body_def.model = model;
    body_def.position.y = -rest.low[1] + 0.1f * (rest.high[1] - rest.low[1]);
    pliant_vec3 *positions = calloc((size_t)mesh->vertex_count + 1, sizeof *positions);
    if (!world || !positions)
        return fail("world", &error);
    pliant_world_add_plane(world, &ground, &error);
    pliant_body_id body = pliant_world_add_body(world, &body_def, &error);
    if (error.code != PLIANT_OK)
        return fail("world", &error);
    int code = run(world, body, mesh->vertex_count, diagonal(&rest), positions);
    free(positions);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
    return code;
}
