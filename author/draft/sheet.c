// Sheets are told from solids by looking: from points of the surface in many directions. The back of a solid's surface
// sees nothing but the solid; that of a banner sees the sky, and that of a garment sees it through collar and hem. Where
// the surface has another layer close behind it, the front is looked from instead. A side that faces the object itself
// is enclosed; in a sheet that hangs, such as a skirt, light comes to it from above and from below. A vessel has a
// bottom, and a building without a floor has a roof.

#include "draft/sheet.h"

#include "math/trig.h"
#include "mesh/sight.h"

enum { DIRECTIONS = 32 };
// Directions flatter than this are neither up nor down.
#define LEVEL 0.1f
// Parts of an area: of the surface that must be sheet, of the sheet that may be enclosed whatever it is, of the
// enclosed that must be seen from above and from below.
#define MOST     0.55
#define ENCLOSED 0.3
#define SEEN     0.15

typedef struct looks {
    bool is_enclosed; // straight ahead is the object
    bool up, down;    // the sky is seen there
    bool level;
} looks;

// Evenly over the sphere, along a spiral of the golden angle.
static vec3 direction_at(int i)
{
    float y = (float)(2 * i + 1) / DIRECTIONS - 1.0f, r = square_root(1.0f - y * y);
    vec3 direction = {0.0f, y, 0.0f};
    trig_sin_cos(2.39996323f * (float)i, &direction.z, &direction.x);
    return (vec3){r * direction.x, y, r * direction.z};
}

static bool sees_out(const topology *mesh, vec3 x, vec3 direction, float far)
{
    return pli_sight_hit(mesh, x, vec3_add_scaled(x, direction, far), -1, NULL) < 0;
}

static looks look_around(const topology *mesh, vec3 x, vec3 ahead, float far)
{
    looks found = {.is_enclosed = !sees_out(mesh, x, ahead, far)};
    for (int i = 0; i < DIRECTIONS; ++i) {
        vec3 direction = direction_at(i);
        bool *seen = direction.y > LEVEL    ? &found.up
                     : direction.y < -LEVEL ? &found.down
                                            : &found.level;
        if (!*seen && vec3_dot(direction, ahead) > LEVEL)
            *seen = sees_out(mesh, x, direction, far);
    }
    return found;
}

bool pli_matter_is_sheet(const matter *m, const topology *mesh, float thin)
{
    double all = 0.0, sheet = 0.0, enclosed = 0.0, above = 0.0, below = 0.0;
    const bvh_node *whole = mesh->tree.nodes;
    float far = whole ? 2.0f * vec3_length(vec3_sub(whole->high, whole->low)) : 0.0f;
    for (int32_t n = 0; n < m->surface_count; ++n) {
        int32_t point = m->points_of_node[m->first_point_of_node[n]];
        bool is_thin = m->nodes[n].thickness < thin;
        vec3 ahead = m->mesh->normals[point];
        ahead = is_thin ? ahead : vec3_negate(ahead);
        vec3 x = vec3_add_scaled(m->mesh->points[point], ahead, 1e-3f * m->grid.size);
        looks seen = look_around(mesh, x, ahead, far);
        double area = (double)m->nodes[n].area;
        all += area;
        if (!is_thin && !seen.up && !seen.down && !seen.level)
            continue;
        sheet += area;
        enclosed += seen.is_enclosed ? area : 0.0;
        above += seen.is_enclosed && seen.up ? area : 0.0;
        below += seen.is_enclosed && seen.down ? area : 0.0;
    }
    return sheet > MOST * all &&
           (enclosed < ENCLOSED * sheet || minimum((float)above, (float)below) > SEEN * enclosed);
}
