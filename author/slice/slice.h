// Cut lines of a mesh and the net of particles on them: the parts of pliant_draft_slice.
//
// Everything here is in the axes of the cut: z along the walk, x and y in the planes.

#ifndef PLIANT_AUTHOR_SLICE_SLICE_H
#define PLIANT_AUTHOR_SLICE_SLICE_H

#include "draft/draft.h"
#include "io/progress.h"
#include "mesh/cells.h"

enum { SLICE_MOST_PARTICLES = 1000000 };

typedef struct point2 {
    double x, y;
} point2;

typedef struct point3 {
    double x, y, z;
} point3;

static inline double slice_root(double value)
{
    return __builtin_sqrt(value);
}

static inline double distance2(point2 a, point2 b)
{
    return slice_root((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

// From a to b, 0 <= t <= 1.
static inline point2 between2(point2 a, point2 b, double t)
{
    return (point2){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

static inline point3 cross3(point3 a, point3 b)
{
    return (point3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double dot3(point3 a, point3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline point3 sub3(point3 a, point3 b)
{
    return (point3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double length3(point3 a)
{
    return slice_root(dot3(a, a));
}

// Room for `needed` elements; false, leaving everything as it was, when memory runs out.
bool pli_slice_grow(void **array, int32_t *capacity, int32_t needed, size_t element);

// ---------------------------------------------------------------------------------------------
// The selected triangles

typedef struct slice_edge {
    int32_t ends[2]; // points
    int32_t face_count;
} slice_edge;

typedef struct slice_mesh {
    point3 origin, axes[3]; // in the mesh's space: x, y and z of the cut
    point3 *points;         // of the topology
    const int32_t *pieces;  // of the points
    bool has_pieces;        // more than one of them is selected
    // Triangles with three different points.
    int32_t face_count;
    int32_t *originals; // their numbers in the mesh, rising
    int32_t *corners;   // three points each
    int32_t *sides;     // three edges each: from corner k to the next
    int32_t *across;    // the face with which the surface goes on beyond each of them, or -1
    point3 *normals;    // twice the area long
    double *low, *high;
    double area;
    int32_t edge_count;
    slice_edge *edges;
} slice_mesh;

// `axis` zero: found by principal component analysis. Release it also after a failure.
pliant_result pli_slice_mesh_create(slice_mesh *mesh, const pliant_draft *draft,
                                    const pliant_slice_def *def, pliant_error *error);
void pli_slice_mesh_release(slice_mesh *mesh);

// The direction of the largest extent, unit length. `corners` are three points for each of `count` triangles.
point3 pli_slice_axis(const vec3 *points, const int32_t *corners, int32_t count);

// Heights to cut at, rising, `spacing` apart along the surface on average, the first and the last one close
// to its ends. free() them.
pliant_result pli_slice_heights(const slice_mesh *mesh, double spacing, double **heights,
                                int32_t *count, pliant_error *error);

// The error of a spacing that is too small.
pliant_result pli_slice_too_many(double spacing, pliant_error *error);

// ---------------------------------------------------------------------------------------------
// Things in the plane, found by place

typedef struct plane_grid {
    double size;
    cell_map map;
    int32_t *heads, *nexts; // by cell and by thing
    int32_t head_capacity, next_capacity;
    int32_t *found; // by the last search
    int32_t found_capacity;
} plane_grid;

// Things are added in rising order, from 0 on.
bool pli_plane_grid_add(plane_grid *grid, point2 at, int32_t thing);
// Fills grid->found with all things within reach, and some beyond it. Returns their number, or -1 when
// memory runs out.
int32_t pli_plane_grid_search(plane_grid *grid, point2 at, double reach);
void pli_plane_grid_release(plane_grid *grid);

// ---------------------------------------------------------------------------------------------
// One level

typedef struct slice_line {
    int32_t first, count; // its points; a closed one ends with its first point again
    int32_t first_sample, sample_count;
    double length;
    bool is_closed;
    bool is_folded; // replaced by the middle of its two sides
    int32_t edge;   // one that it crosses
    int32_t strip;  // what it belongs to between this level and another
    int32_t places; // for particles on it
} slice_line;

typedef struct slice_member {
    int32_t line;
    int32_t next; // of the same particle, or -1
} slice_member;

typedef struct slice_level {
    double height;
    double pitch; // of the samples, about
    slice_line *lines;
    int32_t line_count, line_capacity;
    // Points of the lines, their distance from the line's begin, and the face on which the piece to
    // the next point lies.
    point2 *points;
    double *along;
    int32_t *faces;
    int32_t point_count, point_capacity, along_capacity, face_capacity;
    // The lines as they were cut, at even steps.
    point2 *samples;
    int32_t *sample_lines, *sample_faces;
    int32_t sample_count, sample_capacity, sample_line_capacity, sample_face_capacity;
    plane_grid sample_grid;
    // Particles from `first_particle` on, and the lines each one stands for.
    int32_t first_particle, particle_count;
    plane_grid grid;
    int32_t *member_heads;
    slice_member *members;
    int32_t member_count, head_capacity, member_capacity;
} slice_level;

// The lines in which the plane at `height` cuts the faces, longest first. Thin closed ones are replaced by
// the line in their middle. `marks` has room for all faces and is for the function alone.
bool pli_slice_cut(slice_level *level, const slice_mesh *mesh, int32_t *faces, int32_t face_count,
                   double height, double spacing, unsigned char *marks);
void pli_slice_level_release(slice_level *level);

// Replaces lines whose two sides are closer than half a spacing.
bool pli_slice_fold(slice_level *level, slice_line *line, double spacing);

// Appends a point to the last line.
bool pli_slice_add_point(slice_level *level, slice_line *line, point2 at, int32_t face);
// The piece of the line that holds the place `along` it, as the index of its first point.
int32_t pli_slice_find(const slice_level *level, const slice_line *line, double along);
// The place itself.
point2 pli_slice_at(const slice_level *level, const slice_line *line, double along);

// ---------------------------------------------------------------------------------------------
// The net

typedef struct slice_particle {
    point3 position;
    point3 normal;  // unit length, or zero: a thin part with a surface all around
    point2 tangent; // unit length
    int32_t face;
    int32_t line; // of its level, for which it was made
    int32_t last_link;
} slice_particle;

typedef struct slice_link {
    int32_t ends[2];
    int32_t previous[2]; // links of each end, or -1
} slice_link;

typedef struct slice_net {
    double spacing, bridge;
    bool has_links;
    slice_particle *particles;
    int32_t particle_count, particle_capacity;
    slice_link *links;
    int32_t link_count, link_capacity;
} slice_net;

// One more than may be.
static inline bool pli_slice_is_full(const slice_net *net)
{
    return net->particle_count > SLICE_MOST_PARTICLES;
}

// Joins two particles unless they are.
bool pli_slice_link(slice_net *net, int32_t a, int32_t b);
bool pli_slice_is_linked(const slice_net *net, int32_t a, int32_t b);
// Joined, directly or through one between them.
bool pli_slice_are_near(const slice_net *net, int32_t a, int32_t b);

// Which parts of the surface hang together between two levels: edges with the same root.
typedef struct slice_strip {
    double low, high;
    int32_t *roots; // of all edges
    int32_t *seeds; // of each root: the first particle of the lower level on it, or -1
} slice_strip;

bool pli_slice_strip_begin(slice_strip *strip, const slice_mesh *mesh);
void pli_slice_strip_end(slice_strip *strip);
// For the faces that reach into the strip.
bool pli_slice_strip_find(slice_strip *strip, const slice_mesh *mesh, const slice_net *net,
                          const int32_t *faces, int32_t face_count, double low, double high);
// Writes into the level's lines what they belong to.
void pli_slice_strip_mark(slice_strip *strip, slice_level *level);
// Finds the first particles of a level, which has been marked.
void pli_slice_strip_seed(slice_strip *strip, const slice_level *level);
// What a face belongs to that reaches into the strip.
int32_t pli_slice_strip_root(slice_strip *strip, const slice_mesh *mesh, int32_t face);

bool pli_slice_strip_holds(const slice_strip *strip, const slice_mesh *mesh, int32_t edge);
void pli_slice_strip_unite(slice_strip *strip, int32_t edge, int32_t other);
// Joins what is cracked: borders of different pieces closer than the bridge.
bool pli_slice_bridge(slice_strip *strip, const slice_mesh *mesh, const slice_net *net,
                      const int32_t *faces, int32_t face_count);

// Puts particles on the lines of the level. With a lower one both have been marked, and lines are divided as
// those below.
bool pli_slice_place(slice_net *net, const slice_mesh *mesh, slice_level *level,
                     const slice_level *lower, const slice_strip *strip);
// Joins the particles of two levels.
bool pli_slice_join(slice_net *net, slice_level *lower, slice_level *level);

// A part of the mesh between two levels that hangs together there.
typedef struct slice_part {
    const int32_t *faces;
    int32_t count;
    int32_t root;           // in the strip
    slice_level *levels[2]; // below and above; NULL before the first level and behind the last
    bool is_open;           // only one level cuts it: it ends here
} slice_part;

// Particles that were put between two levels.
typedef struct slice_fill {
    int32_t first_particle, count;
    int32_t *roots; // of the parts they belong to
    int32_t root_capacity;
    plane_grid grid;
} slice_fill;

void pli_slice_fill_begin(slice_fill *fill, const slice_net *net);
void pli_slice_fill_end(slice_fill *fill);
// Whether a face lies so flat that it may be far from both levels.
bool pli_slice_is_flat(const slice_strip *strip, const slice_mesh *mesh, double spacing,
                       int32_t face);
// Puts particles where the part is far from any, and joins it across.
bool pli_slice_fill_part(slice_fill *fill, slice_net *net, const slice_mesh *mesh,
                         const slice_strip *strip, const slice_part *part);

// All levels and what is between them. Stops when there are too many particles.
bool pli_slice_walk(slice_net *net, const slice_mesh *mesh, const double *heights, int32_t count,
                    draft_progress *progress);

#endif
