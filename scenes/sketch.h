// A model in the making whose skin has a colour at every vertex.

#ifndef PLIANT_SCENES_SKETCH_H
#define PLIANT_SCENES_SKETCH_H

#include <pliant/author.h>

#include "geometry.h"

typedef struct sketch {
    pliant_builder *builder;
    float (*colours)[3]; // linear RGB, one for each vertex
    int colour_count, colour_capacity;
    bool failed; // memory ran out
} sketch;

// A vertex's links in any order; weights of 0 are none.
typedef struct sketch_links {
    int32_t particles[PLIANT_MAX_LINKS];
    float weights[PLIANT_MAX_LINKS];
} sketch_links;

sketch sketch_begin(void);
// Returns the vertex. `colour` as in a style sheet (0xff8800).
int sketch_vertex(sketch *s, vec3 position, vec3 normal, const sketch_links *links,
                  uint32_t colour);
// Triangles of a grid whose rows of `columns` vertices start at `base`; the front is where columns run
// right and rows run up.
void sketch_grid(sketch *s, int base, int columns, int rows);
// Adds the model to the scene, with its coloured mesh, and a body of it. Returns the body, to be changed in place,
// or NULL with `error` filled. Releases the sketch in every case.
pliant_scene_body *sketch_finish(sketch *s, pliant_scene *scene, const char *name,
                                 pliant_error *error);

#endif
