// A water plant: long leaves that grow from one place in the ground.

#ifndef PLIANT_SCENES_PLANT_H
#define PLIANT_SCENES_PLANT_H

#include "sketch.h"

enum { PLANT_LEAVES = 6, PLANT_NODES = 9, PLANT_PARTICLES = PLANT_LEAVES * PLANT_NODES * 2 };

typedef struct plant {
    float length;             // m, of its longest leaf
    float half_width;         // m
    float spread;             // how far tips lean outwards, relative to the length
    float waves;              // of a leaf's rim
    uint32_t root, tip, vein; // colours
} plant;

// Standing at the origin; the first nodes of all leaves are pinned.
sketch plant_sketch(const plant *p);
// The particle of a node on one of the two sides of leaf `index`.
int plant_particle(int index, int node, int side);

#endif
