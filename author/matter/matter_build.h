// What the stages of building matter share.

#ifndef PLIANT_AUTHOR_MATTER_MATTER_BUILD_H
#define PLIANT_AUTHOR_MATTER_MATTER_BUILD_H

#include "matter.h"
#include "mesh/cells.h"

typedef struct matter_link {
    int32_t a, b;
    float length;
} matter_link;

typedef struct matter_build {
    matter *matter;
    cell_grid grid;
    cell *cells;           // of the points of the refined mesh
    float *piece_signs;    // -1 where a piece is inside out
    cell_map inner;        // inner cells; cell c is the node surface_count + c
    int32_t *inner_pieces; // pairs of an inner cell and a piece it lies in, piece by piece
    size_t inner_piece_count, inner_piece_capacity;
    matter_link *links;
    size_t link_count, link_capacity;
    draft_progress *progress;
    bool failed; // memory ran out, or it was stopped
} matter_build;

void pli_matter_add_link(matter_build *build, int32_t a, int32_t b, float length);
// As long as they are apart; of a node with itself none.
void pli_matter_link_nodes(matter_build *build, int32_t a, int32_t b);

// Finds the inner cells and links them with each other (matter_inside.c).
void pli_matter_find_inside(matter_build *build, const topology *t);

// Joins surface nodes with inner ones and with the other side of thin parts; measures thickness
// (matter_links.c).
void pli_matter_link_through(matter_build *build, const topology *mesh);
// Joins pieces that are closer than `length` (matter_bridges.c).
void pli_matter_build_bridges(matter_build *build, int32_t piece_count, float length);

#endif
