// The selected triangles in the axes of the cut, and their edges.

#include "core/error.h"
#include "slice.h"

#include <stdlib.h>
#include <string.h>

static bool is_selected(const pliant_draft *draft, const unsigned char *mask, int32_t triangle)
{
    const int32_t *v = draft->mesh->triangles + 3 * triangle;
    const int32_t *p = draft->topology->triangles + 3 * triangle;
    return mask[v[0]] && mask[v[1]] && mask[v[2]] && p[0] != p[1] && p[1] != p[2] && p[2] != p[0];
}

static bool gather_faces(slice_mesh *mesh, const pliant_draft *draft, const unsigned char *mask)
{
    size_t total = (size_t)draft->mesh->triangle_count + 1;
    mesh->originals = malloc(total * sizeof *mesh->originals);
    mesh->corners = malloc(total * 3 * sizeof *mesh->corners);
    if (!mesh->originals || !mesh->corners)
        return false;
    for (int32_t i = 0; i < draft->mesh->triangle_count; ++i) {
        if (!is_selected(draft, mask, i))
            continue;
        memcpy(mesh->corners + 3 * mesh->face_count, draft->topology->triangles + 3 * i,
               3 * sizeof *mesh->corners);
        mesh->originals[mesh->face_count++] = i;
    }
    return true;
}

static point3 scaled(point3 a, double s)
{
    return (point3){a.x * s, a.y * s, a.z * s};
}

static void set_axes(slice_mesh *mesh, point3 axis)
{
    double x = axis.x * axis.x, y = axis.y * axis.y, z = axis.z * axis.z;
    point3 aside = x <= y && x <= z ? (point3){1, 0, 0}
                   : y <= z         ? (point3){0, 1, 0}
                                    : (point3){0, 0, 1};
    point3 across = cross3(aside, axis);
    mesh->axes[2] = axis;
    mesh->axes[0] = scaled(across, 1.0 / length3(across));
    mesh->axes[1] = cross3(axis, mesh->axes[0]);
}

static point3 point_at(const topology *t, int32_t p)
{
    return (point3){t->points[p].x, t->points[p].y, t->points[p].z};
}

static bool turn_points(slice_mesh *mesh, const topology *t)
{
    mesh->points = malloc(((size_t)t->point_count + 1) * sizeof *mesh->points);
    if (!mesh->points)
        return false;
    mesh->pieces = t->piece_of_point;
    if (mesh->face_count > 0)
        mesh->origin = point_at(t, mesh->corners[0]);
    for (int32_t p = 0; p < t->point_count; ++p) {
        point3 x = sub3(point_at(t, p), mesh->origin);
        mesh->points[p] =
            (point3){dot3(mesh->axes[0], x), dot3(mesh->axes[1], x), dot3(mesh->axes[2], x)};
    }
    return true;
}

static bool measure_faces(slice_mesh *mesh)
{
    size_t count = (size_t)mesh->face_count + 1;
    mesh->normals = malloc(count * sizeof *mesh->normals);
    mesh->low = malloc(count * sizeof *mesh->low);
    mesh->high = malloc(count * sizeof *mesh->high);
    if (!mesh->normals || !mesh->low || !mesh->high)
        return false;
    for (int32_t i = 0; i < mesh->face_count; ++i) {
        const int32_t *corners = mesh->corners + 3 * i;
        point3 a = mesh->points[corners[0]], b = mesh->points[corners[1]],
               c = mesh->points[corners[2]];
        mesh->normals[i] = cross3(sub3(b, a), sub3(c, a));
        mesh->area += 0.5 * length3(mesh->normals[i]);
        mesh->low[i] = a.z < b.z ? (a.z < c.z ? a.z : c.z) : (b.z < c.z ? b.z : c.z);
        mesh->high[i] = a.z > b.z ? (a.z > c.z ? a.z : c.z) : (b.z > c.z ? b.z : c.z);
        mesh->has_pieces |= mesh->pieces[corners[0]] != mesh->pieces[mesh->corners[0]];
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Edges

typedef struct half_edge {
    int32_t low, high; // points
    int32_t side;      // 3 face + k
} half_edge;

// No two are equal.
static int compare_halves(const void *first, const void *second)
{
    const half_edge *a = first, *b = second;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->side < b->side ? -1 : a->side > b->side;
}

// From the edge into the face, perpendicular to the edge.
static point3 inward(const slice_mesh *mesh, int32_t side)
{
    const int32_t *corners = mesh->corners + side / 3 * 3;
    point3 a = mesh->points[corners[side % 3]];
    point3 edge = sub3(mesh->points[corners[(side + 1) % 3]], a);
    point3 d = sub3(mesh->points[corners[(side + 2) % 3]], a);
    double square = dot3(edge, edge), t = square > 0.0 ? dot3(d, edge) / square : 0.0;
    d = sub3(d, scaled(edge, t));
    double length = length3(d);
    return length > 0.0 ? scaled(d, 1.0 / length) : d;
}

// Of more than two faces at an edge those two are taken for one surface that go on most straight, then
// the next two.
static void pair_straightest(slice_mesh *mesh, const half_edge *halves, int32_t count)
{
    for (;;) {
        int32_t best_a = -1, best_b = -1;
        double least = 2.0;
        for (int32_t a = 0; a < count; ++a) {
            for (int32_t b = a + 1; b < count; ++b) {
                int32_t one = halves[a].side, other = halves[b].side;
                if (mesh->across[one] >= 0 || mesh->across[other] >= 0)
                    continue;
                double cosine = dot3(inward(mesh, one), inward(mesh, other));
                if (cosine < least) {
                    least = cosine;
                    best_a = one;
                    best_b = other;
                }
            }
        }
        if (best_a < 0)
            return;
        mesh->across[best_a] = best_b / 3;
        mesh->across[best_b] = best_a / 3;
    }
}

// Beyond so many faces nothing can be told, and trying would take long.
enum { MOST_FACES_AT_EDGE = 8 };

static bool list_edges(slice_mesh *mesh)
{
    int32_t count = 3 * mesh->face_count;
    size_t room = (size_t)count + 1;
    half_edge *halves = malloc(room * sizeof *halves);
    mesh->sides = malloc(room * sizeof *mesh->sides);
    mesh->across = malloc(room * sizeof *mesh->across);
    mesh->edges = malloc(room * sizeof *mesh->edges);
    if (!halves || !mesh->sides || !mesh->across || !mesh->edges) {
        free(halves);
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t a = mesh->corners[i], b = mesh->corners[i % 3 == 2 ? i - 2 : i + 1];
        halves[i] = (half_edge){a < b ? a : b, a < b ? b : a, i};
    }
    qsort(halves, (size_t)count, sizeof *halves, compare_halves);
    for (int32_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && halves[next].low == halves[i].low &&
                       halves[next].high == halves[i].high;
             ++next) {
            mesh->sides[halves[next].side] = mesh->edge_count;
            mesh->across[halves[next].side] = -1;
        }
        mesh->edges[mesh->edge_count++] = (slice_edge){{halves[i].low, halves[i].high}, next - i};
        if (next - i <= MOST_FACES_AT_EDGE)
            pair_straightest(mesh, halves + i, next - i);
    }
    free(halves);
    return true;
}

pliant_result pli_slice_mesh_create(slice_mesh *mesh, const pliant_draft *draft,
                                    const pliant_slice_def *def, pliant_error *error)
{
    *mesh = (slice_mesh){0};
    unsigned char *mask =
        pli_selection_mask(def->vertices, draft->mesh->vertex_count, "vertices", error);
    if (!mask)
        return error->code;
    bool ok = gather_faces(mesh, draft, mask);
    free(mask);
    if (!ok)
        return pli_error_memory(error);
    point3 axis = {def->axis.x, def->axis.y, def->axis.z};
    if (length3(axis) > 0.0)
        axis = scaled(axis, 1.0 / length3(axis));
    else
        axis = pli_slice_axis(draft->topology->points, mesh->corners, mesh->face_count);
    set_axes(mesh, axis);
    if (!turn_points(mesh, draft->topology) || !measure_faces(mesh) || !list_edges(mesh))
        return pli_error_memory(error);
    if (!(mesh->area > 0.0))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "vertices",
                             "no triangle with an area is selected");
    return PLIANT_OK;
}

void pli_slice_mesh_release(slice_mesh *mesh)
{
    free(mesh->points);
    free(mesh->originals);
    free(mesh->corners);
    free(mesh->sides);
    free(mesh->across);
    free(mesh->normals);
    free(mesh->low);
    free(mesh->high);
    free(mesh->edges);
}
