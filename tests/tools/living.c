// Runs a model ten seconds on the ground, from a little above it unless it is pinned, and tells how it went:
//   living MODEL.glb
// prints a JSON object: `largest`, the diagonal of the skin's box relative to the one at rest, the largest of the run;
// `below`, the part of the vertices that are below the ground in the end by more than a thousandth of the object's size,
// and `deepest`, how far the lowest of them is, relative to that size; `bare`, of vertices at rest the farthest distance
// from all particles' ellipsoids, and `asymmetry`, the farthest that the mirror image of a particle in the plane x = the
// middle of the box is from all others, both in metres. Fails at the first vertex that is not finite.

#include "coverage.h"

#include <pliant/author.h>

#include <stdio.h>
#include <stdlib.h>

// A thousandth is what contacts leave to what they hold.
#define TOUCHING 1e-3

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

// The longest side.
static double length(const box *b)
{
    return fmax((double)b->high[0] - b->low[0],
                fmax((double)b->high[1] - b->low[1], (double)b->high[2] - b->low[2]));
}

static void print_shape(const pliant_model *model, const pliant_mesh *mesh, const box *rest)
{
    const pliant_particle_def *particles = pliant_model_particles(model);
    int count = pliant_model_particle_count(model);
    double bare = 0.0, asymmetry = 0.0;
    for (int i = 0; i < mesh->vertex_count; ++i)
        bare = fmax(bare, coverage_nearest(particles, count, mesh->positions[i]));
    for (int i = 0; i < count; ++i) {
        pliant_vec3 x = particles[i].position;
        double image = (double)rest->low[0] + (double)rest->high[0] - (double)x.x, best = INFINITY;
        for (int k = 0; k < count; ++k) {
            pliant_vec3 y = particles[k].position;
            double d[3] = {image - (double)y.x, (double)x.y - y.y, (double)x.z - y.z};
            best = fmin(best, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
        asymmetry = fmax(asymmetry, best);
    }
    printf("\"bare\": %g, \"asymmetry\": %g", bare, asymmetry);
}

static void print_sunk(const pliant_vec3 *positions, int count, double size)
{
    int below = 0;
    double deepest = 0.0;
    for (int i = 0; i < count; ++i) {
        double depth = -(double)positions[i].y / size;
        below += depth > TOUCHING;
        deepest = fmax(deepest, depth);
    }
    printf("\"below\": %g, \"deepest\": %g, ", (double)below / count, deepest);
}

static int run(pliant_world *world, pliant_body_id body, int vertex_count, const box *rest,
               pliant_vec3 *positions)
{
    double largest = 0.0;
    for (int step = 0; step < 600; ++step) {
        pliant_world_step(world, 1.0f / 60.0f);
        pliant_body_skin(world, body, PLIANT_SKIN_LINEAR, positions, NULL);
        box b = box_of(positions, vertex_count);
        double size = diagonal(&b) / diagonal(rest);
        if (!isfinite(size)) {
            fprintf(stderr, "step %d: a vertex is not finite\n", step);
            return 1;
        }
        largest = fmax(largest, size);
    }
    printf("{\"largest\": %g, ", largest);
    print_sunk(positions, vertex_count, length(rest));
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
    pliant_body_def body_def = pliant_model_body_def(model);
    float lift = pliant_model_live(model) == PLIANT_LIVE_DROP ? 0.1f : 0.0f;
    body_def.position.y = lift * (rest.high[1] - rest.low[1]) - rest.low[1];
    pliant_vec3 *positions = calloc((size_t)mesh->vertex_count + 1, sizeof *positions);
    if (!world || !positions)
        return fail("world", &error);
    pliant_world_add_plane(world, &ground, &error);
    pliant_body_id body = pliant_world_add_body(world, &body_def, &error);
    if (error.code != PLIANT_OK)
        return fail("world", &error);
    int code = run(world, body, mesh->vertex_count, &rest, positions);
    if (code == 0) {
        print_shape(model, mesh, &rest);
        printf("}\n");
    }
    free(positions);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
    return code;
}
