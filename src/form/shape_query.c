// Rays and nearest points.

#include "shape_data.h"

static const dsym3 EUCLIDEAN = {.xx = 1.0, .yy = 1.0, .zz = 1.0};

typedef struct ray {
    dvec3 origin, direction;
    double length;
} ray;

// Nearest so far; distance is signed for the nearest point.
typedef struct hit {
    dvec3 point, normal;
    double distance;
    bool is_found;
} hit;

static bool hand_over(const hit *h, form_hit *out)
{
    if (h->is_found)
        *out = (form_hit){dvec3_to_vec3(h->point), dvec3_to_vec3(h->normal), (float)h->distance};
    return h->is_found;
}

// ---------------------------------------------------------------------------------------------
// Rays at convex shapes: where the ray enters, 0 … length

static hit ray_hit(const ray *r, double distance, dvec3 normal)
{
    return (hit){dvec3_add_scaled(r->origin, r->direction, distance), normal, distance, true};
}

static hit inside_hit(const ray *r)
{
    return ray_hit(r, 0.0, dvec3_scale(r->direction, -1.0));
}

// The entry into a ball, or -1. |o + s d|² = r²; the discriminant as r² - |o × d|² does not cancel.
static double ball_entry(dvec3 o, dvec3 d, double radius)
{
    dvec3 across = dvec3_cross(o, d);
    double square = radius * radius - dvec3_dot(across, across);
    double distance = square < 0.0 ? -1.0 : -dvec3_dot(o, d) - root(square);
    return distance < 0.0 ? -1.0 : distance;
}

static hit ray_sphere(const ray *r, dvec3 middle, double radius)
{
    dvec3 o = dvec3_sub(r->origin, middle);
    if (dvec3_dot(o, o) < radius * radius)
        return inside_hit(r);
    double distance = ball_entry(o, r->direction, radius);
    if (distance < 0.0 || distance > r->length)
        return (hit){0};
    return ray_hit(r, distance,
                   dvec3_scale(dvec3_add_scaled(o, r->direction, distance), 1.0 / radius));
}

static hit ray_capsule(const ray *r, double half_length, double radius)
{
    dvec3 o = r->origin, d = r->direction;
    dvec3 core = {0.0, clamp(o.y, -half_length, half_length), 0.0}, off = dvec3_sub(o, core);
    if (dvec3_dot(off, off) < radius * radius)
        return inside_hit(r);
    // The side: the same in the plane y = 0, where the direction is shorter.
    dvec3 flat = {d.x, 0.0, d.z};
    double speed = dvec3_length(flat);
    if (speed > 1e-12) {
        double along = ball_entry((dvec3){o.x, 0.0, o.z}, dvec3_scale(flat, 1.0 / speed), radius);
        double distance = along / speed, y = o.y + distance * d.y;
        if (along >= 0.0 && magnitude(y) <= half_length) {
            dvec3 n = {(o.x + distance * d.x) / radius, 0.0, (o.z + distance * d.z) / radius};
            return distance <= r->length ? ray_hit(r, distance, n) : (hit){0};
        }
    }
    hit top = ray_sphere(r, (dvec3){0.0, half_length, 0.0}, radius);
    hit bottom = ray_sphere(r, (dvec3){0.0, -half_length, 0.0}, radius);
    if (!top.is_found || (bottom.is_found && bottom.distance < top.distance))
        return bottom;
    return top;
}

// Cuts the ray with the half space n·x <= 0, o being its origin seen from the plane. False when nothing
// is left.
static bool cut(dvec3 n, dvec3 o, dvec3 d, double *enter, double *leave, dvec3 *normal)
{
    double height = dvec3_dot(n, o), fall = -dvec3_dot(n, d);
    if (fall == 0.0)
        return height <= 0.0;
    double at = height / fall;
    if (fall > 0.0 && at > *enter) {
        *enter = at;
        *normal = n;
    }
    if (fall < 0.0)
        *leave = least(*leave, at);
    return *enter <= *leave;
}

static hit finish_cut(const ray *r, double enter, dvec3 normal)
{
    return enter >= 0.0 ? ray_hit(r, enter, normal) : inside_hit(r);
}

static hit ray_box(const ray *r, dvec3 half)
{
    double enter = -1.0, leave = r->length;
    dvec3 normal = {0, 0, 0};
    for (int side = 0; side < 6; ++side) {
        double sign = side & 1 ? 1.0 : -1.0;
        dvec3 n = {side / 2 == 0 ? sign : 0.0, side / 2 == 1 ? sign : 0.0,
                   side / 2 == 2 ? sign : 0.0};
        dvec3 corner = dvec3_scale(half, sign);
        if (!cut(n, dvec3_sub(r->origin, corner), r->direction, &enter, &leave, &normal))
            return (hit){0};
    }
    return leave >= 0.0 ? finish_cut(r, enter, normal) : (hit){0};
}

static hit ray_hull(const ray *r, const shape_surface *s)
{
    double enter = -1.0, leave = r->length;
    dvec3 normal = {0, 0, 0};
    for (int i = 0; i < s->triangle_count; ++i) {
        dvec3 a = dvec3_of(s->points[s->triangles[3 * (size_t)i]]);
        if (!cut(dvec3_of(s->normals[i]), dvec3_sub(r->origin, a), r->direction, &enter, &leave,
                 &normal))
            return (hit){0};
    }
    return leave >= 0.0 ? finish_cut(r, enter, normal) : (hit){0};
}

static hit ray_plane(const ray *r)
{
    double enter = -1.0, leave = r->length;
    dvec3 normal = {0, 1, 0};
    if (!cut(normal, r->origin, r->direction, &enter, &leave, &normal))
        return (hit){0};
    return leave >= 0.0 ? finish_cut(r, enter, normal) : (hit){0};
}

// ---------------------------------------------------------------------------------------------
// Rays at triangles

// o + s d = a + u e1 + v e2 (Möller & Trumbore 1997). A hair of slack at the edges closes the seams.
static void ray_triangle(const ray *r, const triangle *t, bool both_sides, hit *best)
{
    double facing = dvec3_dot(t->normal, r->direction);
    if (facing == 0.0 || (facing > 0.0 && !both_sides))
        return;
    dvec3 e1 = dvec3_sub(t->corners[1], t->corners[0]);
    dvec3 e2 = dvec3_sub(t->corners[2], t->corners[0]), o = dvec3_sub(r->origin, t->corners[0]);
    dvec3 p = dvec3_cross(r->direction, e2), q = dvec3_cross(o, e1);
    double determinant = dvec3_dot(e1, p), slack = -1e-10;
    if (determinant == 0.0)
        return;
    double u = dvec3_dot(o, p) / determinant, v = dvec3_dot(r->direction, q) / determinant;
    double distance = dvec3_dot(e2, q) / determinant;
    if (!(u >= slack && v >= slack && u + v <= 1.0 - slack))
        return;
    if (!(distance >= 0.0 && distance <= (best->is_found ? best->distance : r->length)))
        return;
    if (best->is_found && distance == best->distance)
        return;
    *best = ray_hit(r, distance, dvec3_scale(t->normal, facing > 0.0 ? -1.0 : 1.0));
}

// Whether the ray meets a box before `length`, and where it enters.
static bool ray_meets_box(const ray *r, dvec3 low, dvec3 high, double length, double *enter)
{
    const double lows[3] = {low.x - r->origin.x, low.y - r->origin.y, low.z - r->origin.z};
    const double highs[3] = {high.x - r->origin.x, high.y - r->origin.y, high.z - r->origin.z};
    const double d[3] = {r->direction.x, r->direction.y, r->direction.z};
    double first = 0.0, last = length;
    for (int axis = 0; axis < 3; ++axis) {
        if (d[axis] == 0.0) {
            if (!(lows[axis] <= 0.0 && highs[axis] >= 0.0))
                return false;
            continue;
        }
        double one = lows[axis] / d[axis], other = highs[axis] / d[axis];
        first = greatest(first, least(one, other));
        last = least(last, greatest(one, other));
    }
    *enter = first;
    return first <= last + 1e-9 * (1.0 + magnitude(last));
}

static hit ray_mesh(const ray *r, const shape_surface *s)
{
    hit best = {0};
    int32_t stack[BVH_DEPTH];
    int waiting = 0;
    stack[waiting++] = 0;
    while (waiting) {
        const bvh_node *node = &s->tree.nodes[stack[--waiting]];
        double limit = best.is_found ? best.distance : r->length, enter[2];
        if (!ray_meets_box(r, dvec3_of(node->low), dvec3_of(node->high), limit, &enter[0]))
            continue;
        for (int32_t i = 0; i < node->count; ++i) {
            triangle t = surface_triangle(s, s->tree.order[node->first + i]);
            ray_triangle(r, &t, true, &best);
        }
        if (node->count)
            continue;
        // The child that is entered first comes off the stack first.
        bool is_met[2];
        for (int k = 0; k < 2; ++k) {
            const bvh_node *child = &s->tree.nodes[node->first + k];
            is_met[k] =
                ray_meets_box(r, dvec3_of(child->low), dvec3_of(child->high), limit, &enter[k]);
        }
        int near = is_met[0] && !(is_met[1] && enter[1] < enter[0]) ? 0 : 1;
        for (int k = 0; k < 2; ++k) {
            int child = k == 0 ? 1 - near : near;
            if (is_met[child])
                stack[waiting++] = node->first + child;
        }
    }
    return best;
}

// The height of the surface over a point of the grid's rectangle, and the triangle.
static bool surface_over(const pliant_shape *s, dvec3 p, double *height, triangle *t)
{
    if (!(p.x >= 0.0 && p.z >= 0.0 && p.x <= (double)s->high.x && p.z <= (double)s->high.z))
        return false;
    double spacing = (double)s->def.spacing;
    int column = height_cell(p.x, spacing, s->def.columns - 1);
    int row = height_cell(p.z, spacing, s->def.rows - 1);
    double x = p.x / spacing - (double)column, z = p.z / spacing - (double)row;
    *t = pli_height_triangle(s, column, row, x + z > 1.0);
    dvec3 n = t->normal, a = t->corners[0];
    *height = a.y - (n.x * (p.x - a.x) + n.z * (p.z - a.z)) / n.y;
    return true;
}

// Row by row in the order of the ray: of each the cells over which it passes.
static hit ray_heightfield(const ray *r, const pliant_shape *s)
{
    double height, enter, spacing = (double)s->def.spacing;
    triangle t;
    if (surface_over(s, r->origin, &height, &t) && r->origin.y < height)
        return inside_hit(r);
    dvec3 low = dvec3_of(s->low), high = dvec3_of(s->high);
    hit best = {0};
    if (!ray_meets_box(r, low, high, r->length, &enter))
        return best;
    int columns = s->def.columns - 1, rows = s->def.rows - 1;
    double z0 = r->origin.z + enter * r->direction.z, z1 = r->origin.z + r->length * r->direction.z;
    int row = height_cell(z0, spacing, rows), last_row = height_cell(z1, spacing, rows);
    int step = r->direction.z < 0.0 ? -1 : 1;
    // Begin and end a row early and late: rounding may have put the ends into the next.
    row = row - step < 0 || row - step >= rows ? row : row - step;
    for (; row >= 0 && row < rows && (row - last_row) * step <= 1; row += step) {
        low.z = (double)row * spacing;
        high.z = (double)(row + 1) * spacing;
        double limit = best.is_found ? best.distance : r->length;
        if (!ray_meets_box(r, low, high, limit, &enter))
            continue;
        double leave = limit;
        if (r->direction.z != 0.0)
            leave = least(leave, ((step > 0 ? high.z : low.z) - r->origin.z) / r->direction.z);
        double x0 = r->origin.x + enter * r->direction.x, x1 = r->origin.x + leave * r->direction.x;
        int first = height_cell(least(x0, x1) - 1e-6 * spacing, spacing, columns);
        int last = height_cell(greatest(x0, x1) + 1e-6 * spacing, spacing, columns);
        for (int column = first; column <= last; ++column)
            for (int half = 0; half < 2; ++half) {
                t = pli_height_triangle(s, column, row, half);
                ray_triangle(r, &t, false, &best);
            }
    }
    return best;
}

bool pli_shape_ray(const pliant_shape *shape, vec3 origin, vec3 direction, float length,
                   form_hit *out)
{
    ray r = {dvec3_of(origin), dvec3_of(direction), (double)length};
    const pliant_shape_def *def = &shape->def;
    hit found = {0};
    switch (def->kind) {
    case PLIANT_SHAPE_PLANE:
        found = ray_plane(&r);
        break;
    case PLIANT_SHAPE_SPHERE:
        found = ray_sphere(&r, (dvec3){0, 0, 0}, (double)def->radius);
        break;
    case PLIANT_SHAPE_CAPSULE:
        found = ray_capsule(&r, (double)def->half_length, (double)def->radius);
        break;
    case PLIANT_SHAPE_BOX:
        found = ray_box(&r, dvec3_of(def->half_size));
        break;
    case PLIANT_SHAPE_HULL:
        found = ray_hull(&r, &shape->surface);
        break;
    case PLIANT_SHAPE_MESH:
        found = ray_mesh(&r, &shape->surface);
        break;
    case PLIANT_SHAPE_HEIGHTFIELD:
        found = ray_heightfield(&r, shape);
        break;
    }
    return hand_over(&found, out);
}

// ---------------------------------------------------------------------------------------------
// Nearest points

static hit nearest_plane(dvec3 from)
{
    return (hit){{from.x, 0.0, from.z}, {0, 1, 0}, from.y, true};
}

static hit nearest_round(dvec3 from, double half_length, double radius)
{
    dvec3 core = {0.0, clamp(from.y, -half_length, half_length), 0.0}, d = dvec3_sub(from, core);
    double length = dvec3_length(d);
    // On the axis of a capsule all directions across are as good.
    dvec3 n = dvec3_normalize_or(d, half_length > 0.0 ? (dvec3){1, 0, 0} : (dvec3){0, 1, 0});
    return (hit){dvec3_add_scaled(core, n, radius), n, length - radius, true};
}

static hit nearest_box(dvec3 from, dvec3 half)
{
    dvec3 p = {clamp(from.x, -half.x, half.x), clamp(from.y, -half.y, half.y),
               clamp(from.z, -half.z, half.z)};
    dvec3 d = dvec3_sub(from, p);
    double length = dvec3_length(d);
    if (length > 0.0)
        return (hit){p, dvec3_scale(d, 1.0 / length), length, true};
    double x = magnitude(from.x) - half.x, y = magnitude(from.y) - half.y;
    double z = magnitude(from.z) - half.z;
    if (x >= y && x >= z) {
        double sign = from.x < 0.0 ? -1.0 : 1.0;
        return (hit){{sign * half.x, from.y, from.z}, {sign, 0, 0}, x, true};
    }
    if (y >= z) {
        double sign = from.y < 0.0 ? -1.0 : 1.0;
        return (hit){{from.x, sign * half.y, from.z}, {0, sign, 0}, y, true};
    }
    double sign = from.z < 0.0 ? -1.0 : 1.0;
    return (hit){{from.x, from.y, sign * half.z}, {0, 0, sign}, z, true};
}

// Takes the triangle's nearest point when it is nearer than the best; `distance` is positive here.
static void nearest_triangle(const triangle *t, dvec3 from, hit *best)
{
    int feature;
    dvec3 p = pli_triangle_nearest(t, EUCLIDEAN, from, &feature), d = dvec3_sub(from, p);
    double distance = dvec3_length(d);
    if (!(distance < best->distance))
        return;
    double side = dvec3_dot(d, t->normal) < 0.0 ? -1.0 : 1.0;
    dvec3 own = dvec3_scale(t->normal, side);
    bool is_own = feature == FEATURE_FACE || !(distance > 1e-12);
    *best = (hit){p, is_own ? own : dvec3_scale(d, 1.0 / distance), distance, true};
}

static hit nearest_hull(dvec3 from, const shape_surface *s, double most)
{
    hit side = {.distance = -1e300}, best = {.distance = most};
    for (int i = 0; i < s->triangle_count; ++i) {
        triangle t = surface_triangle(s, i);
        double height = dvec3_dot(t.normal, dvec3_sub(from, t.corners[0]));
        if (height > side.distance)
            side = (hit){dvec3_add_scaled(from, t.normal, -height), t.normal, height, true};
        if (height >= -s->slack && height < best.distance)
            nearest_triangle(&t, from, &best);
    }
    return side.distance <= 0.0 ? side : best;
}

static double distance_to_box(dvec3 p, vec3 low, vec3 high)
{
    dvec3 d = {p.x - clamp(p.x, (double)low.x, (double)high.x),
               p.y - clamp(p.y, (double)low.y, (double)high.y),
               p.z - clamp(p.z, (double)low.z, (double)high.z)};
    return dvec3_length(d);
}

static hit nearest_mesh(dvec3 from, const shape_surface *s, double most)
{
    hit best = {.distance = most};
    int32_t stack[BVH_DEPTH];
    int waiting = 0;
    stack[waiting++] = 0;
    while (waiting) {
        const bvh_node *node = &s->tree.nodes[stack[--waiting]];
        if (distance_to_box(from, node->low, node->high) > best.distance)
            continue;
        for (int32_t i = 0; i < node->count; ++i) {
            triangle t = surface_triangle(s, s->tree.order[node->first + i]);
            nearest_triangle(&t, from, &best);
        }
        if (node->count)
            continue;
        const bvh_node *left = &s->tree.nodes[node->first], *right = left + 1;
        bool left_first = distance_to_box(from, left->low, left->high) <=
                          distance_to_box(from, right->low, right->high);
        stack[waiting++] = left_first ? node->first + 1 : node->first;
        stack[waiting++] = left_first ? node->first : node->first + 1;
    }
    return best;
}

static void nearest_cell(const pliant_shape *s, int column, int row, dvec3 from, hit *best)
{
    if (column < 0 || row < 0 || column >= s->def.columns - 1 || row >= s->def.rows - 1)
        return;
    for (int half = 0; half < 2; ++half) {
        triangle t = pli_height_triangle(s, column, row, half);
        nearest_triangle(&t, from, best);
    }
}

// Rings of cells around the one below, until they are farther off than the best. From outside the grid,
// rings grow around the cell nearest to it.
static hit nearest_heightfield(dvec3 from, const pliant_shape *s, double most)
{
    double height, spacing = (double)s->def.spacing;
    triangle above;
    bool is_below = surface_over(s, from, &height, &above) && from.y < height;
    hit best = {.distance = most};
    if (is_below) // the surface straight above is a first bound, however deep it is
        best.distance = greatest(most, (height - from.y) * (1.0 + 1e-9));
    int columns = s->def.columns - 1, rows = s->def.rows - 1;
    int column = height_cell(from.x, spacing, columns), row = height_cell(from.z, spacing, rows);
    int rings = columns > rows ? columns : rows;
    for (int ring = 0; ring <= rings && (double)(ring - 1) * spacing <= best.distance; ++ring) {
        for (int i = -ring; i <= ring; ++i) {
            nearest_cell(s, column + i, row - ring, from, &best);
            if (ring)
                nearest_cell(s, column + i, row + ring, from, &best);
        }
        for (int i = 1 - ring; i <= ring - 1; ++i) {
            nearest_cell(s, column - ring, row + i, from, &best);
            nearest_cell(s, column + ring, row + i, from, &best);
        }
    }
    if (is_below && best.is_found) {
        best.distance = -best.distance;
        best.normal = dvec3_scale(best.normal, -1.0);
    }
    return best;
}

bool pli_shape_closest(const pliant_shape *shape, vec3 from, float most, form_hit *out)
{
    dvec3 p = dvec3_of(from);
    const pliant_shape_def *def = &shape->def;
    hit found = {0};
    switch (def->kind) {
    case PLIANT_SHAPE_PLANE:
        found = nearest_plane(p);
        break;
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE:
        found = nearest_round(p, (double)def->half_length, (double)def->radius);
        break;
    case PLIANT_SHAPE_BOX:
        found = nearest_box(p, dvec3_of(def->half_size));
        break;
    case PLIANT_SHAPE_HULL:
        found = nearest_hull(p, &shape->surface, (double)most);
        break;
    case PLIANT_SHAPE_MESH:
        found = nearest_mesh(p, &shape->surface, (double)most);
        break;
    case PLIANT_SHAPE_HEIGHTFIELD:
        found = nearest_heightfield(p, shape, (double)most);
        break;
    }
    found.is_found = found.is_found && found.distance <= (double)most;
    return hand_over(&found, out);
}
