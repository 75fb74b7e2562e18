// How far an ellipsoid is from one convex piece of a shape, and when it meets it.
//
// For a unit vector n the piece K and the ellipsoid about c are apart by at least
//     g(n) = n·c - max {n·x : x in K} - sqrt(nᵀ S n)
// and the greatest g is their distance, or, negative, the least depth. Of round pieces it is found. Of
// those with flat sides the nearest point p is taken in the metric in which the ellipsoid is a ball,
// (c - p)ᵀ S⁻¹ (c - p), with n along S⁻¹ (c - p): the exact contact where they touch, and a bound as good
// as any elsewhere, for K lies below the plane through p with normal n.

#ifndef PLIANT_FORM_SHAPE_PIECE_H
#define PLIANT_FORM_SHAPE_PIECE_H

#include "shape_data.h"

typedef struct ellipsoid {
    dsym3 S;      // R diag(a², b², c²) Rᵀ
    dsym3 metric; // a multiple of S⁻¹
    dvec3 extent; // half the sides of its box
    double size;  // m, sqrt(a² + b² + c²)
    double thin;  // m, not more than the shortest radius and at least 0.57 of it
} ellipsoid;

typedef struct separation {
    dvec3 normal; // unit, towards the ellipsoid
    dvec3 point;  // of the piece
    double gap;   // g(normal)
    // Triangles: the feature nearest to the centre and, unless it is the face, the direction from there.
    int feature;
    dvec3 direction;
} separation;

// A sphere, capsule, box or hull, or a triangle seen from one side.
typedef struct piece {
    const pliant_shape *shape;
    const triangle *t; // NULL: the shape itself
    double side;       // triangle: 1 or -1; 0: where the centre is
    bool is_thin;      // triangle: with nothing behind it
} piece;

ellipsoid pli_ellipsoid_of(sym3 S);

// sqrt(nᵀ S n)
static inline double ellipsoid_width(const ellipsoid *e, dvec3 n)
{
    return root(dvec3_dot(n, dsym3_mul_vec(e->S, n)));
}

separation pli_piece_separation(const piece *p, const ellipsoid *e, dvec3 centre);

// True when the ellipsoid meets the piece on its way: *time, 0 … 1, gets when. It has not met it before,
// whatever happens.
bool pli_piece_sweep(const piece *p, const ellipsoid *e, dvec3 from, dvec3 way, double *time);

#endif
