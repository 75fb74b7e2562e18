// Rays side by side, joined by a web: a fin, a leaf. Particles along each ray, and a skin that is bound to those
// around it.

#ifndef PLIANT_SCENES_NET_H
#define PLIANT_SCENES_NET_H

#include "sketch.h"

typedef struct net {
    int rays, nodes; // nodes along each ray; at least two of both
    int web;         // so many nodes of each ray, from the root on, are joined with its neighbours
    const vec3 *points; // of the nodes, ray by ray
    float thickness;    // m, half that of a ray
    float mass;         // kg of a node
    float stiffness;    // [0, 1]
    int first;          // particle, set by net_add
} net;

// Adds particles and edges.
void net_add(net *n, sketch *s);
// The particle of a node.
int net_particle(const net *n, int ray, int node);
// What is near: `ray` and `node` may lie between two.
sketch_links net_links(const net *n, float ray, float node);

#endif
