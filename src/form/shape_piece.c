// Separation of an ellipsoid from convex pieces.

#include "shape_piece.h"

// Newton's iteration below takes about five rounds, halving about fifty.
enum { MOST_ROUNDS = 100 };
enum { MOST_ADVANCES = 48 };

// Two unit vectors nearer than this (rad) are one direction.
static const double SAME_DIRECTION = 1e-3;

// Against rounding where S is nearly singular.
static double positive(double value)
{
    return greatest(value, 0.0);
}

ellipsoid pli_ellipsoid_of(sym3 S)
{
    dsym3 d = {(double)S.xx, (double)S.xy, (double)S.xz, (double)S.yy, (double)S.yz, (double)S.zz};
    double trace = d.xx + d.yy + d.zz;
    double scale = 1.0 / trace;
    dsym3 unit = {d.xx * scale, d.xy * scale, d.xz * scale,
                  d.yy * scale, d.yz * scale, d.zz * scale};
    dsym3 inverse = dsym3_adjugate(unit);
    double determinant = unit.xx * inverse.xx + unit.xy * inverse.xy + unit.xz * inverse.xz;
    // 1 / tr(S⁻¹) lies between a third of the least eigenvalue and all of it.
    double thin = trace * determinant / (inverse.xx + inverse.yy + inverse.zz);
    return (ellipsoid){
        .S = d,
        .metric = inverse,
        .extent = {root(positive(d.xx)), root(positive(d.yy)), root(positive(d.zz))},
        .size = root(trace),
        .thin = root(positive(thin)),
    };
}

// ---------------------------------------------------------------------------------------------
// A point and an ellipsoid

// The direction to add where the point lies in the plane of symmetry across the shortest axis and the
// nearest points of the surface come in pairs. `adjugate` is that of S - λ 1, λ the least eigenvalue:
// nearly v vᵀ.
static dvec3 shortest_axis(dsym3 adjugate)
{
    dvec3 axis = {adjugate.xx, adjugate.xy, adjugate.xz};
    if (adjugate.yy > adjugate.xx && adjugate.yy >= adjugate.zz)
        axis = (dvec3){adjugate.xy, adjugate.yy, adjugate.yz};
    else if (adjugate.zz > adjugate.xx)
        axis = (dvec3){adjugate.xz, adjugate.yz, adjugate.zz};
    return dvec3_normalize_or(axis, (dvec3){0, 1, 0});
}

// The unit n that makes n·d - sqrt(nᵀ S n) greatest: along the line from the ellipsoid's point nearest
// to a point, d being its centre seen from there. With y = (S + t 1)⁻¹ d it is along y, where
//     w(t) = yᵀ S y = 1,    w' = -2 yᵀ S (S + t 1)⁻¹ y
// t > 0 outside; inside it is above minus the least eigenvalue. 1 / sqrt(w) is concave and nearly a
// straight line, so Newton's steps on it are few, and from the left they never overshoot.
static dvec3 widest_gap(dsym3 S, dvec3 d)
{
    double trace = S.xx + S.yy + S.zz, scale = 1.0 / trace;
    S = (dsym3){S.xx * scale, S.xy * scale, S.xz * scale, S.yy * scale, S.yz * scale, S.zz * scale};
    d = dvec3_scale(d, root(scale));
    // The least eigenvalue is at most a third of the trace.
    double low = -1.0 / 3.0, high = 1e300, t = 0.0, w = 0.0, pole = 0.0;
    dvec3 y = {0, 0, 0};
    dsym3 at_pole = {0};
    for (int i = 0; i < MOST_ROUNDS; ++i) {
        dsym3 A = {S.xx + t, S.xy, S.xz, S.yy + t, S.yz, S.zz + t}, B = dsym3_adjugate(A);
        double determinant = A.xx * B.xx + A.xy * B.xy + A.xz * B.xz, next = 0.0;
        bool is_definite = A.xx > 0.0 && B.zz > 0.0 && determinant > 0.0;
        if (is_definite) {
            y = dvec3_scale(dsym3_mul_vec(B, d), 1.0 / determinant);
            dvec3 Sy = dsym3_mul_vec(S, y);
            w = dvec3_dot(y, Sy);
            pole = t;
            at_pole = B;
            if (magnitude(w - 1.0) < 1e-13)
                break;
            double slope = dvec3_dot(Sy, dsym3_mul_vec(B, y)) / determinant;
            next = t + (root(w) - 1.0) * w / slope;
        }
        if (is_definite && w < 1.0)
            high = t;
        else
            low = t;
        if (!(is_definite && next > low && next < high))
            next = 0.5 * (low + least(high, 1e6));
        if (!(magnitude(next - t) > 1e-15))
            break;
        t = next;
    }
    if (w < 1.0 - 1e-6) {
        dvec3 axis = shortest_axis(at_pole);
        double missing = root((1.0 - w) / greatest(-pole, 1e-12));
        y = dvec3_add_scaled(y, axis, dvec3_dot(axis, d) < 0.0 ? -missing : missing);
    }
    return dvec3_normalize_or(y, (dvec3){0, 1, 0});
}

static separation sphere_separation(const ellipsoid *e, dvec3 middle, double radius, dvec3 centre)
{
    dvec3 d = dvec3_sub(centre, middle);
    dvec3 n = widest_gap(e->S, d);
    return (separation){
        .normal = n,
        .point = dvec3_add_scaled(middle, n, radius),
        .gap = dvec3_dot(n, d) - radius - ellipsoid_width(e, n),
    };
}

// The signed distance of the ellipsoid from a point of the axis is convex along it. Where it is least
// on the endless axis, n is across: a problem in the plane y = 0.
static separation capsule_separation(const ellipsoid *e, const pliant_shape_def *def, dvec3 centre)
{
    double length = (double)def->half_length, radius = (double)def->radius;
    dsym3 across = {e->S.xx, 0.0, e->S.xz, e->S.xx + e->S.zz, 0.0, e->S.zz};
    dvec3 n = widest_gap(across, (dvec3){centre.x, 0.0, centre.z});
    n = dvec3_normalize_or((dvec3){n.x, 0.0, n.z}, (dvec3){1, 0, 0});
    double width = ellipsoid_width(e, n);
    double height = centre.y - dsym3_mul_vec(e->S, n).y / width;
    if (magnitude(height) > length)
        return sphere_separation(e, (dvec3){0.0, height > 0.0 ? length : -length, 0.0}, radius,
                                 centre);
    return (separation){
        .normal = n,
        .point = {n.x * radius, height, n.z * radius},
        .gap = dvec3_dot(n, centre) - radius - width,
    };
}

// ---------------------------------------------------------------------------------------------
// Flat sides

static double metric_square(const ellipsoid *e, dvec3 d)
{
    return dvec3_dot(d, dsym3_mul_vec(e->metric, d));
}

// The plane through p with the normal of the shortest way from p to the centre.
static separation separation_at(const ellipsoid *e, dvec3 p, dvec3 centre, dvec3 otherwise)
{
    dvec3 d = dvec3_sub(centre, p);
    dvec3 n = dvec3_normalize_or(dsym3_mul_vec(e->metric, d), otherwise);
    return (separation){n, p, dvec3_dot(n, d) - ellipsoid_width(e, n), FEATURE_FACE, n};
}

static double *component(dvec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static double diagonal(dsym3 a, int axis)
{
    return axis == 0 ? a.xx : axis == 1 ? a.yy : a.zz;
}

// The point of the segment {p + s e_axis, |p_axis + s| <= half} nearest to the centre:
//     eᵀ M (p + s e - c) = 0
static dvec3 nearest_on_edge(const ellipsoid *e, dvec3 p, int axis, double half, dvec3 centre)
{
    dvec3 gradient = dsym3_mul_vec(e->metric, dvec3_sub(p, centre));
    double *value = component(&p, axis);
    double step = *component(&gradient, axis) / diagonal(e->metric, axis);
    *value = clamp(*value - step, -half, half);
    return p;
}

// The nearest point on one side of a box. The ellipsoid, blown up, first meets the side's plane at
// c - S n λ; where that is beyond the side, the nearest point is on its rim.
static dvec3 nearest_on_side(const ellipsoid *e, dvec3 half, int axis, double sign, dvec3 centre,
                             bool *is_inside)
{
    dvec3 n = {0, 0, 0}, h = half;
    *component(&n, axis) = sign;
    double height = sign * *component(&centre, axis) - *component(&h, axis);
    dvec3 p = dvec3_add_scaled(centre, dsym3_mul_vec(e->S, n), -height / diagonal(e->S, axis));
    *component(&p, axis) = sign * *component(&h, axis);
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    double half_j = *component(&h, j), half_k = *component(&h, k);
    *is_inside = magnitude(*component(&p, j)) <= half_j && magnitude(*component(&p, k)) <= half_k;
    if (*is_inside)
        return p;
    dvec3 best = p;
    double least_square = 1e300;
    for (int i = 0; i < 4; ++i) {
        dvec3 q = p;
        bool along_j = i < 2;
        *component(&q, along_j ? k : j) = (i & 1 ? 1.0 : -1.0) * (along_j ? half_k : half_j);
        q = nearest_on_edge(e, q, along_j ? j : k, along_j ? half_j : half_k, centre);
        double square = metric_square(e, dvec3_sub(q, centre));
        if (square < least_square) {
            least_square = square;
            best = q;
        }
    }
    return best;
}

// The side of the box with the greatest g.
static separation best_side(const ellipsoid *e, dvec3 half, dvec3 centre)
{
    separation best = {.gap = -1e300};
    for (int axis = 0; axis < 3; ++axis) {
        dvec3 n = {0, 0, 0}, h = half, p = centre;
        double at = *component(&centre, axis), sign = at < 0.0 ? -1.0 : 1.0;
        double gap = sign * at - *component(&h, axis) - root(positive(diagonal(e->S, axis)));
        if (gap <= best.gap)
            continue;
        *component(&n, axis) = sign;
        p = (dvec3){clamp(p.x, -h.x, h.x), clamp(p.y, -h.y, h.y), clamp(p.z, -h.z, h.z)};
        *component(&p, axis) = sign * *component(&h, axis);
        best = (separation){.normal = n, .point = p, .gap = gap};
    }
    return best;
}

// The nearest point lies on a side that faces the centre: n = S⁻¹ (c - p) is a sum of normals of the
// sides through p with positive weights and n·(c - p) > 0, so one of them has n_i·(c - p) > 0.
static separation box_separation(const ellipsoid *e, dvec3 half, dvec3 centre)
{
    separation side = best_side(e, half, centre), found = {.gap = 1e300};
    dvec3 nearest = centre, c = centre, h = half;
    double least_square = 1e300;
    for (int axis = 0; axis < 3; ++axis) {
        double at = *component(&c, axis), sign = at < 0.0 ? -1.0 : 1.0;
        if (sign * at <= *component(&h, axis))
            continue;
        bool is_inside;
        dvec3 p = nearest_on_side(e, half, axis, sign, centre, &is_inside);
        if (is_inside) {
            dvec3 n = {0, 0, 0};
            *component(&n, axis) = sign;
            double gap = sign * at - *component(&h, axis) - ellipsoid_width(e, n);
            found = (separation){.normal = n, .point = p, .gap = gap};
            break;
        }
        double square = metric_square(e, dvec3_sub(p, centre));
        if (square < least_square) {
            least_square = square;
            nearest = p;
        }
    }
    if (found.gap == 1e300) {
        if (least_square == 1e300)
            return side;
        found = separation_at(e, nearest, centre, side.normal);
    }
    return found.gap < 0.0 && side.gap > found.gap ? side : found;
}

// The same over triangles. A triangle whose plane is farther off than the best point so far is skipped:
// in the metric of the ellipsoid a plane at height z has the square z² / (nᵀ S n).
static separation hull_separation(const ellipsoid *e, const shape_surface *s, dvec3 centre)
{
    separation side = {.gap = -1e300};
    double highest = -1e300;
    int first = 0;
    for (int i = 0; i < s->triangle_count; ++i) {
        dvec3 n = dvec3_of(s->normals[i]), a = dvec3_of(s->points[s->triangles[3 * (size_t)i]]);
        double height = dvec3_dot(n, dvec3_sub(centre, a)), width = ellipsoid_width(e, n);
        if (height - width > side.gap)
            side = (separation){
                .normal = n, .point = dvec3_add_scaled(centre, n, -height), .gap = height - width};
        if (height / width > highest) {
            highest = height / width;
            first = i;
        }
    }
    if (highest <= 0.0)
        return side;
    dvec3 nearest = centre;
    double least_square = 1e300;
    int best = first, best_feature = FEATURE_CORNER;
    for (int k = -1; k < s->triangle_count; ++k) {
        int i = k < 0 ? first : k;
        triangle t = surface_triangle(s, i);
        double height = dvec3_dot(t.normal, dvec3_sub(centre, t.corners[0]));
        if (height < -s->slack)
            continue;
        int feature;
        dvec3 p = pli_triangle_nearest(&t, e->metric, centre, &feature);
        double square = metric_square(e, dvec3_sub(p, centre));
        if (square < least_square) {
            least_square = square;
            nearest = p;
            best = i;
            best_feature = feature;
        }
        if (k < 0 && feature == FEATURE_FACE)
            break;
    }
    dvec3 n = dvec3_of(s->normals[best]);
    separation found = separation_at(e, nearest, centre, side.normal);
    if (best_feature == FEATURE_FACE) {
        found.normal = n;
        found.gap = dvec3_dot(n, dvec3_sub(centre, nearest)) - ellipsoid_width(e, n);
    }
    return found.gap < 0.0 && side.gap > found.gap ? side : found;
}

// ---------------------------------------------------------------------------------------------

// Over the face the normal is the triangle's own on its side, also when the centre has passed the plane.
static separation triangle_separation(const ellipsoid *e, const triangle *t, double side,
                                      dvec3 centre)
{
    int feature;
    dvec3 p = pli_triangle_nearest(t, e->metric, centre, &feature);
    if (side == 0.0)
        side = dvec3_dot(t->normal, dvec3_sub(centre, p)) < 0.0 ? -1.0 : 1.0;
    dvec3 own = dvec3_scale(t->normal, side), d = dvec3_sub(centre, p);
    separation s = separation_at(e, p, centre, own);
    s.feature = feature;
    double own_gap = dvec3_dot(own, d) - ellipsoid_width(e, own);
    dvec3 bend = dvec3_sub(s.normal, own);
    bool is_own = dvec3_dot(bend, bend) < SAME_DIRECTION * SAME_DIRECTION;
    if (feature == FEATURE_FACE || is_own || (s.gap < 0.0 && own_gap > s.gap)) {
        s.normal = own;
        s.gap = own_gap;
    }
    return s;
}

separation pli_piece_separation(const piece *p, const ellipsoid *e, dvec3 centre)
{
    if (p->t)
        return triangle_separation(e, p->t, p->side, centre);
    const pliant_shape_def *def = &p->shape->def;
    switch (def->kind) {
    case PLIANT_SHAPE_SPHERE:
        return sphere_separation(e, (dvec3){0, 0, 0}, (double)def->radius, centre);
    case PLIANT_SHAPE_CAPSULE:
        return capsule_separation(e, def, centre);
    case PLIANT_SHAPE_BOX:
        return box_separation(e, dvec3_of(def->half_size), centre);
    case PLIANT_SHAPE_HULL:
        return hull_separation(e, &p->shape->surface, centre);
    default:
        return (separation){
            .normal = {0, 1, 0}, .point = {centre.x, 0.0, centre.z}, .gap = centre.y - e->extent.y};
    }
}

// Conservative advancement: while the plane through the nearest point separates them, they cannot touch
// before the gap along its normal is used up.
bool pli_piece_sweep(const piece *p, const ellipsoid *e, dvec3 from, dvec3 way, double *time)
{
    double enough = 1e-3 * e->thin, t = 0.0;
    piece moving = *p;
    for (int i = 0; i < MOST_ADVANCES; ++i) {
        separation s = pli_piece_separation(&moving, e, dvec3_add_scaled(from, way, t));
        if (p->is_thin) // they are apart: the ellipsoid may pass by to the other side
            moving.side = 0.0;
        *time = t;
        if (s.gap <= 0.0)
            return true;
        double approach = -dvec3_dot(s.normal, way);
        if (!(approach > 0.0))
            return false;
        if (s.gap < enough)
            return true;
        t += (s.gap - 0.5 * enough) / approach;
        if (!(t <= 1.0))
            return false;
    }
    return true;
}
