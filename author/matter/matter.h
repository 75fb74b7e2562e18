// The object as the tools see it: small nodes of surface and of inside, joined only where the object
// itself hangs together. Distances along this graph tell neighbours from things that merely come close.
//
// Surface: the mesh is refined until no edge is longer than a cell of a grid; its points in one cell
// that hang together through edges within that cell are one node, so that two fingers in one cell are two
// nodes. Inside: cells whose centre lies in a piece, by votes of rays along the three axes, which holds for
// pieces with holes. Inner nodes are joined with each other and with the surface where nothing lies
// between, the two sides of a thin part directly.

#ifndef PLIANT_AUTHOR_MATTER_MATTER_H
#define PLIANT_AUTHOR_MATTER_MATTER_H

#include "io/progress.h"
#include "mesh/cells.h"
#include "mesh/refined.h"

typedef struct matter_node {
    vec3 centre;  // mean of its points, or of the cell
    vec3 normal;  // outwards as far as can be told; zero inside
    float area;   // of the surface that is nearest to its points
    float volume; // of an inner cell
    float
        thickness; // straight inwards to the other side; INFINITY when that is far or there is none
    int32_t piece; // of the mesh; of an inner cell in several the first
} matter_node;

typedef struct matter {
    refined_mesh *mesh; // normals outwards as far as can be told
    cell_grid grid;
    int32_t node_count, surface_count; // surface nodes come first
    matter_node *nodes;
    int32_t *node_of_point;                        // of the refined mesh
    int32_t *first_point_of_node, *points_of_node; // of surface nodes
    // Links to other nodes: link_nodes[first_link[n]] … with their lengths.
    int32_t *first_link, *link_nodes;
    float *link_lengths;
    cell_lists in_cells; // nodes by the cell of their centre
} matter;

// The matter of a mesh in cells of a given size, with pieces closer than `bridge` joined. NULL when memory
// runs out or it was stopped; the progress may be NULL.
matter *pli_matter_create(const topology *topology, float cell, float bridge,
                          draft_progress *progress);
void pli_matter_destroy(matter *matter);

// The node of a place: of the triangle's nodes the nearest, or without a triangle (-1) of those
// around the place. -1 when there
// is no node.
int32_t pli_matter_find(const matter *matter, vec3 position, int32_t triangle);

// ---------------------------------------------------------------------------------------------
// Shortest ways from some nodes, as far as a limit; the memory is reused from search to search.

typedef struct matter_search {
    const matter *matter;
    float *distances;      // of each node; INFINITY where the search has not come
    int32_t *sources;      // which of the starting nodes each one is nearest to
    int32_t *reached;      // nodes in the order they were settled: by distance
    int32_t reached_count; // the others' entries above mean nothing
    int32_t *heap, *slots;
    int32_t heap_count;
    // Whether the search goes on beyond a node it has settled; NULL: always. To be set before a run.
    bool (*goes_on)(void *user_data, int32_t node, float distance);
    void *user_data;
    draft_progress *progress; // beats while a search runs; NULL: it cannot be stopped
} matter_search;

bool pli_matter_search_begin(matter_search *search, const matter *matter);
void pli_matter_search_end(matter_search *search);
// Forgets the last search and starts anew from nodes[0 … count - 1]; those below 0 are left out, of equal
// ones the first counts. False when it was stopped: then nothing is known.
bool pli_matter_search_run(matter_search *search, const int32_t *nodes, int32_t count, float limit);

// A search from one node that goes on only from nodes in a ball: what is reached is near along the object and straight.
void pli_matter_search_in_ball(matter_search *search, int32_t node, vec3 centre, float radius,
                               float limit);

#endif
