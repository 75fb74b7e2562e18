// Touches of an ellipsoid with a shape.
//
// Many triangles make one surface, and a ball that rolls over their seams must not feel them. A triangle
// that is nearest at an edge or corner counts only if that point is also nearest on the surface around
// it, that is, if no neighbour leads from it towards the ellipsoid. This alone tells convex creases,
// which hold, from flat and concave ones, which do not, on both sides of a mesh.

#include "shape_piece.h"

enum { LIST_ROOM = 64 };

// How far a neighbour may rise towards the ellipsoid (rad).
static const double RISE = 1e-3;
// Touches of one plane: difference of normals (rad), distance of the planes in sizes of the ellipsoid.
static const double SAME_NORMAL = 1e-3, SAME_OFFSET = 1e-4;

typedef struct touch_list {
    touch *items; // LIST_ROOM, the earliest and then deepest first
    int count;
    int total;
    float same_offset; // m
} touch_list;

typedef struct search {
    const pliant_shape *shape;
    ellipsoid e;
    dvec3 from, way, end;
    double margin;
    bool is_swept;
    touch_list list;
} search;

// ---------------------------------------------------------------------------------------------
// The list

static bool is_before(const touch *a, const touch *b)
{
    return a->time != b->time ? a->time < b->time : a->gap < b->gap;
}

static bool is_same_plane(const touch_list *l, const touch *a, const touch *b)
{
    vec3 bend = vec3_sub(a->normal, b->normal);
    float apart = vec3_dot(a->normal, vec3_sub(a->point, b->point));
    return vec3_dot(bend, bend) < (float)(SAME_NORMAL * SAME_NORMAL) &&
           absolute(apart) < l->same_offset;
}

static void list_remove(touch_list *l, int at)
{
    for (int i = at + 1; i < l->count; ++i)
        l->items[i - 1] = l->items[i];
    l->count -= 1;
}

static void list_insert(touch_list *l, const touch *t)
{
    if (l->count == LIST_ROOM) {
        if (!is_before(t, &l->items[LIST_ROOM - 1]))
            return;
        l->count -= 1;
    }
    int at = l->count++;
    for (; at > 0 && is_before(t, &l->items[at - 1]); --at)
        l->items[at] = l->items[at - 1];
    l->items[at] = *t;
}

static void list_add(touch_list *l, const touch *t)
{
    for (int i = 0; i < l->count; ++i) {
        if (!is_same_plane(l, t, &l->items[i]))
            continue;
        if (is_before(t, &l->items[i])) {
            list_remove(l, i);
            list_insert(l, t);
        }
        return;
    }
    l->total += 1;
    list_insert(l, t);
}

// What is met on the way counts, though its gap may be above the margin by what the sweep leaves.
static double widest_gap_of(const search *s, bool is_met)
{
    return is_met ? 1e300 : s->margin;
}

static void add(search *s, dvec3 normal, dvec3 point, double gap, double time)
{
    touch t = {dvec3_to_vec3(normal), dvec3_to_vec3(point), (float)gap, (float)time};
    list_add(&s->list, &t);
}

// ---------------------------------------------------------------------------------------------
// Bounds

// Whether the box of the ellipsoid (swept: on its way) meets this one, and on which part of the way.
static bool meets_box(const search *s, dvec3 low, dvec3 high, double *enter, double *leave)
{
    dvec3 grown = {s->e.extent.x + s->margin, s->e.extent.y + s->margin, s->e.extent.z + s->margin};
    dvec3 start = s->is_swept ? s->from : s->end;
    low = dvec3_sub(dvec3_sub(low, grown), start);
    high = dvec3_sub(dvec3_add(high, grown), start);
    const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
    const double ways[3] = {s->way.x, s->way.y, s->way.z};
    *enter = 0.0;
    *leave = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        if (!s->is_swept || ways[axis] == 0.0) {
            if (!(lows[axis] <= 0.0 && highs[axis] >= 0.0))
                return false;
            continue;
        }
        double one = lows[axis] / ways[axis], other = highs[axis] / ways[axis];
        *enter = greatest(*enter, least(one, other));
        *leave = least(*leave, greatest(one, other));
    }
    // A little slack for the rounding of these divisions.
    return *enter <= *leave + 1e-9;
}

// ---------------------------------------------------------------------------------------------
// Convex shapes

// *time stays as it is when the piece is not met.
static bool is_met_on_way(const search *s, const piece *p, double *time)
{
    double when;
    if (!s->is_swept || !pli_piece_sweep(p, &s->e, s->from, s->way, &when))
        return false;
    *time = when;
    return true;
}

static void judge_shape(search *s)
{
    piece p = {.shape = s->shape};
    double time = 1.0;
    bool is_met = is_met_on_way(s, &p, &time);
    separation found = pli_piece_separation(&p, &s->e, dvec3_add_scaled(s->from, s->way, time));
    if (found.gap <= widest_gap_of(s, is_met))
        add(s, found.normal, found.point, found.gap, time);
}

// ---------------------------------------------------------------------------------------------
// Meshes

static bool rises(dvec3 n, dvec3 p, dvec3 neighbour)
{
    dvec3 d = dvec3_sub(neighbour, p);
    return dvec3_dot(n, d) > RISE * dvec3_length(d);
}

// The same for a neighbour across the edge with ends a and b: n is across the edge, too.
static bool rises_across(dvec3 n, dvec3 a, dvec3 b, dvec3 neighbour)
{
    dvec3 edge = dvec3_sub(b, a), d = dvec3_sub(neighbour, a);
    d = dvec3_add_scaled(d, edge, -dvec3_dot(d, edge) / dvec3_dot(edge, edge));
    return dvec3_dot(n, d) > RISE * dvec3_length(d);
}

static bool is_nearest_around(const shape_surface *m, int index, const triangle *t,
                              const separation *found)
{
    if (found->feature == FEATURE_FACE)
        return true;
    if (found->feature < FEATURE_CORNER) {
        int k = found->feature - FEATURE_EDGE;
        int32_t beyond = m->beyond[3 * index + k];
        return beyond == NO_POINT ||
               !rises_across(found->direction, t->corners[k], t->corners[(k + 1) % 3],
                             dvec3_of(m->points[beyond]));
    }
    int32_t corner = m->place[m->triangles[3 * index + found->feature - FEATURE_CORNER]];
    for (int32_t i = m->ring_begin[corner]; i < m->ring_begin[corner + 1]; ++i)
        if (rises(found->direction, found->point, dvec3_of(m->points[m->ring[i]])))
            return false;
    return true;
}

// Whether the edge, or one of the triangle's edges at the corner, has no neighbour.
static bool is_border(const shape_surface *m, int index, int feature)
{
    if (feature < FEATURE_CORNER)
        return m->beyond[3 * index + feature - FEATURE_EDGE] == NO_POINT;
    int k = feature - FEATURE_CORNER;
    return m->beyond[3 * index + k] == NO_POINT || m->beyond[3 * index + (k + 2) % 3] == NO_POINT;
}

// A centre that has passed the bottom of a valley is nearest to the bottom, but on the wrong side.
static void stay_on_side(const search *s, const piece *p, double time, separation *found)
{
    dvec3 own = dvec3_scale(p->t->normal, p->side);
    if (dvec3_dot(found->direction, own) > -2.0 * RISE)
        return;
    dvec3 centre = dvec3_add_scaled(s->from, s->way, time);
    found->normal = own;
    found->gap = dvec3_dot(own, dvec3_sub(centre, found->point)) - ellipsoid_width(&s->e, own);
}

static double side_of(const search *s, const triangle *t)
{
    double height = dvec3_dot(t->normal, dvec3_sub(s->from, t->corners[0]));
    if (magnitude(height) < 1e-6 * s->e.size)
        height = -dvec3_dot(t->normal, s->way);
    return height < 0.0 ? -1.0 : 1.0;
}

static void judge_triangle(search *s, int index)
{
    const shape_surface *m = &s->shape->surface;
    triangle t = surface_triangle(m, index);
    piece p = {s->shape, &t, side_of(s, &t), true};
    if (!s->is_swept) {
        double height = p.side * dvec3_dot(t.normal, dvec3_sub(s->end, t.corners[0]));
        if (height - ellipsoid_width(&s->e, t.normal) > s->margin)
            return;
    }
    double time = 1.0;
    bool is_met = is_met_on_way(s, &p, &time);
    if (s->is_swept && time > 0.0) // it has come there without passing through
        p.side = 0.0;
    separation found = pli_piece_separation(&p, &s->e, dvec3_add_scaled(s->from, s->way, time));
    if (found.gap > widest_gap_of(s, is_met) || !is_nearest_around(m, index, &t, &found))
        return;
    if (found.feature != FEATURE_FACE && p.side != 0.0 && !is_border(m, index, found.feature))
        stay_on_side(s, &p, time, &found);
    add(s, found.normal, found.point, found.gap, time);
}

static void judge_mesh(search *s)
{
    const bvh *tree = &s->shape->surface.tree;
    int32_t stack[BVH_DEPTH];
    int waiting = 0;
    stack[waiting++] = 0;
    while (waiting) {
        const bvh_node *node = &tree->nodes[stack[--waiting]];
        double enter, leave;
        if (!meets_box(s, dvec3_of(node->low), dvec3_of(node->high), &enter, &leave))
            continue;
        for (int32_t i = 0; i < node->count; ++i)
            judge_triangle(s, tree->order[node->first + i]);
        if (!node->count) {
            stack[waiting++] = node->first + 1;
            stack[waiting++] = node->first;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Heightfields

typedef struct cell {
    int column, row, half;
} cell;

static bool is_inside_grid(const pliant_shape *s, int column, int row)
{
    return column >= 0 && row >= 0 && column < s->def.columns && row < s->def.rows;
}

// Column and row of a corner of the triangle; see pli_height_triangle.
static void corner_place(cell at, int k, int *column, int *row)
{
    static const int COLUMNS[2][3] = {{0, 0, 1}, {1, 1, 0}}, ROWS[2][3] = {{0, 1, 0}, {1, 0, 1}};
    *column = at.column + COLUMNS[at.half][k];
    *row = at.row + ROWS[at.half][k];
}

// The point beyond an edge of the triangle; false at the border.
static bool point_beyond(const pliant_shape *s, cell at, int edge, dvec3 *out)
{
    static const int COLUMNS[2][3] = {{-1, 1, 1}, {2, 0, 0}}, ROWS[2][3] = {{1, 1, -1}, {0, 0, 2}};
    int column = at.column + COLUMNS[at.half][edge], row = at.row + ROWS[at.half][edge];
    if (!is_inside_grid(s, column, row))
        return false;
    *out = height_point(s, column, row);
    return true;
}

// Whether the feature is nearest around, and whether it lies on the border of the field.
static bool is_nearest_on_field(const pliant_shape *s, cell at, const triangle *t,
                                const separation *found, bool *is_on_border)
{
    *is_on_border = false;
    if (found->feature == FEATURE_FACE)
        return true;
    if (found->feature < FEATURE_CORNER) {
        int k = found->feature - FEATURE_EDGE;
        dvec3 beyond;
        *is_on_border = !point_beyond(s, at, k, &beyond);
        return *is_on_border ||
               !rises_across(found->direction, t->corners[k], t->corners[(k + 1) % 3], beyond);
    }
    static const int COLUMNS[6] = {-1, 1, 0, 0, 1, -1}, ROWS[6] = {0, 0, -1, 1, -1, 1};
    int column, row;
    corner_place(at, found->feature - FEATURE_CORNER, &column, &row);
    for (int i = 0; i < 6; ++i) {
        if (!is_inside_grid(s, column + COLUMNS[i], row + ROWS[i]))
            *is_on_border = true;
        else if (rises(found->direction, found->point,
                       height_point(s, column + COLUMNS[i], row + ROWS[i])))
            return false;
    }
    return true;
}

// Whether the vertical line through the point meets the triangle, which lies in this cell.
static bool is_in_column(const pliant_shape *s, cell at, dvec3 p)
{
    double spacing = (double)s->def.spacing;
    double x = p.x / spacing - (double)at.column, z = p.z / spacing - (double)at.row;
    if (x < 0.0 || z < 0.0 || x > 1.0 || z > 1.0)
        return false;
    return at.half ? x + z >= 1.0 : x + z <= 1.0;
}

// The ground is pushed up through a centre that lies below it: along the normal of what is above it,
// and of the sides of a hole that it still touches.
static void judge_below(search *s, cell at, const piece *p, dvec3 centre, double height,
                        double time)
{
    dvec3 n = p->t->normal, point = centre;
    if (is_in_column(s->shape, at, centre)) {
        point.y -= height / n.y;
    } else {
        int feature;
        point = pli_triangle_nearest(p->t, s->e.metric, centre, &feature);
        dvec3 d = dvec3_sub(centre, point);
        if (feature != FEATURE_FACE || -height > ellipsoid_width(&s->e, n))
            return;
        height = dvec3_dot(n, d);
    }
    add(s, n, point, height - ellipsoid_width(&s->e, n), time);
}

static bool is_over_grid(const pliant_shape *s, dvec3 p)
{
    return p.x >= 0.0 && p.z >= 0.0 && p.x <= (double)s->high.x && p.z <= (double)s->high.z;
}

static void judge_height_triangle(search *s, cell at)
{
    triangle t = pli_height_triangle(s->shape, at.column, at.row, at.half);
    piece p = {s->shape, &t, 1.0, false};
    double time = 1.0;
    bool is_met = false;
    if (s->is_swept) {
        double start = dvec3_dot(t.normal, dvec3_sub(s->from, t.corners[0]));
        if (start < 0.0 && is_in_column(s->shape, at, s->from)) {
            judge_below(s, at, &p, s->from, start, 0.0);
            return;
        }
        is_met = (start >= 0.0 || !is_over_grid(s->shape, s->from)) && is_met_on_way(s, &p, &time);
    }
    dvec3 centre = dvec3_add_scaled(s->from, s->way, time);
    double height = dvec3_dot(t.normal, dvec3_sub(centre, t.corners[0]));
    if (height < 0.0 && is_over_grid(s->shape, centre)) {
        judge_below(s, at, &p, centre, height, time);
        return;
    }
    separation found = pli_piece_separation(&p, &s->e, centre);
    bool is_on_border;
    if (found.gap > widest_gap_of(s, is_met) ||
        !is_nearest_on_field(s->shape, at, &t, &found, &is_on_border))
        return;
    if (!is_on_border && found.feature != FEATURE_FACE)
        stay_on_side(s, &p, time, &found);
    add(s, found.normal, found.point, found.gap, time);
}

static void judge_cell(search *s, int column, int row)
{
    dvec3 low = height_point(s->shape, column, row),
          high = height_point(s->shape, column + 1, row + 1);
    double right = height_point(s->shape, column + 1, row).y;
    double far = height_point(s->shape, column, row + 1).y;
    high.y = greatest(greatest(low.y, high.y), greatest(right, far));
    low.y = -1e300;
    double enter, leave;
    if (!meets_box(s, low, high, &enter, &leave))
        return;
    judge_height_triangle(s, (cell){column, row, 0});
    judge_height_triangle(s, (cell){column, row, 1});
}

// Row by row: of each the cells under the part of the way that is over it.
static void judge_heightfield(search *s)
{
    const pliant_shape *shape = s->shape;
    double spacing = (double)shape->def.spacing, enter, leave;
    int columns = shape->def.columns - 1, rows = shape->def.rows - 1;
    dvec3 low = dvec3_of(shape->low), high = dvec3_of(shape->high);
    low.y = -1e300;
    if (!meets_box(s, low, high, &enter, &leave))
        return;
    dvec3 start = s->is_swept ? s->from : s->end;
    double wide = s->e.extent.x + s->margin, deep = s->e.extent.z + s->margin;
    double z0 = least(start.z, s->end.z) - deep, z1 = greatest(start.z, s->end.z) + deep;
    int last_row = height_cell(z1, spacing, rows);
    for (int row = height_cell(z0, spacing, rows); row <= last_row; ++row) {
        dvec3 row_low = {low.x, low.y, (double)row * spacing};
        dvec3 row_high = {high.x, high.y, (double)(row + 1) * spacing};
        if (!meets_box(s, row_low, row_high, &enter, &leave))
            continue;
        double x0 = s->is_swept ? s->from.x + enter * s->way.x : s->end.x;
        double x1 = s->is_swept ? s->from.x + leave * s->way.x : s->end.x;
        int first = height_cell(least(x0, x1) - wide, spacing, columns);
        int last = height_cell(greatest(x0, x1) + wide, spacing, columns);
        for (int column = first; column <= last; ++column)
            judge_cell(s, column, row);
    }
}

// ---------------------------------------------------------------------------------------------

// m², no less than the square of an ellipsoid's largest radius: by Gershgorin's circles.
static float largest_radius2(sym3 S)
{
    float xy = absolute(S.xy), xz = absolute(S.xz), yz = absolute(S.yz);
    return maximum(S.xx + xy + xz, maximum(S.yy + xy + yz, S.zz + xz + yz));
}

// A shape is within `radius` of a box with this middle and half size; false where it has no such bounds.
static bool find_core(const pliant_shape *shape, vec3 *half, vec3 *middle, float *radius)
{
    const pliant_shape_def *def = &shape->def;
    *middle = (vec3){0, 0, 0};
    *radius = 0.0f;
    switch (def->kind) {
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE:
        *half = (vec3){0.0f, def->half_length, 0.0f};
        *radius = def->radius;
        return true;
    case PLIANT_SHAPE_BOX:
        *half = def->half_size;
        return true;
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH:
        *half = vec3_scale(vec3_sub(shape->high, shape->low), 0.5f);
        *middle = vec3_add(shape->low, *half);
        return true;
    case PLIANT_SHAPE_PLANE:
    case PLIANT_SHAPE_HEIGHTFIELD: // below it is inside
        break;
    }
    return false;
}

// Whether a shape is so far that a look at spheres tells: most particles in the box around a slanted capsule are. The
// exact test would find nothing, at twenty times the cost.
static bool is_far(const pliant_shape *shape, sym3 S, vec3 from, vec3 way, float margin)
{
    vec3 core, middle;
    float radius;
    if (!find_core(shape, &core, &middle, &radius))
        return false;
    vec3 at = vec3_sub(vec3_add_scaled(from, way, 0.5f), middle);
    vec3 away = {maximum(absolute(at.x) - core.x, 0.0f), maximum(absolute(at.y) - core.y, 0.0f),
                 maximum(absolute(at.z) - core.z, 0.0f)};
    float reach = radius + margin + 0.5f * vec3_length(way) + square_root(largest_radius2(S));
    float rounding = 1e-6f * (vec3_length(core) + vec3_length(at) + vec3_length(middle));
    reach = 1.0005f * reach + rounding; // more than what is off
    return vec3_dot(away, away) > reach * reach;
}

int pli_shape_touches(const pliant_shape *shape, sym3 S, vec3 from, vec3 way, bool is_swept,
                      float margin, touch *out, int most)
{
    if (is_far(shape, S, from, way, margin))
        return 0;
    touch items[LIST_ROOM];
    search s = {
        .shape = shape,
        .e = pli_ellipsoid_of(S),
        .from = dvec3_of(from),
        .way = dvec3_of(way),
        .margin = (double)margin,
        .is_swept = is_swept,
    };
    s.end = dvec3_add(s.from, s.way);
    s.list.items = items;
    s.list.same_offset = (float)(SAME_OFFSET * s.e.size);
    switch (shape->def.kind) {
    case PLIANT_SHAPE_MESH:
        judge_mesh(&s);
        break;
    case PLIANT_SHAPE_HEIGHTFIELD:
        judge_heightfield(&s);
        break;
    default:
        judge_shape(&s);
    }
    int count = s.list.count < most ? s.list.count : most;
    for (int i = 0; i < count; ++i)
        out[i] = s.list.items[i];
    return s.list.total;
}
