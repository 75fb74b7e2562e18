// A model from the mesh alone. Particles are sprayed on the surface; those in thin parts move to the middle,
// which makes chains of limbs and one layer of sheets; thick parts are filled. Edges join particles whose parts of the
// object touch.

#include "auto.h"

#include "core/error.h"
#include "draft/check.h"
#include "draft/excerpt.h"
#include "draft/tools.h"

#include <math.h>
#include <stdlib.h>

// Left to itself, spacings in the diagonal of the object's box.
#define COARSENESS 18.0f

// Of the time: placing of all, and within a round of it spraying, where the matter is made, then filling, then the shapes
// of the particles.
#define PLACING_PART 0.9f
#define SPRAY_PART   0.5f
#define FILL_BEGIN   0.6f
#define SHAPE_BEGIN  0.65f

enum { LEAST_PARTICLES = 200, MOST_PARTICLES = 600 };

// Meshes count as symmetric up to this part of their size.
#define ASYMMETRY 0.01f
// Edges at a particle with at most that many are of a chain.
#define CHAIN_DEGREE  3
#define CHAIN_TORSION 0.9f
#define CHAIN_STRETCH 0.5f

pliant_auto_def pliant_default_auto_def(void)
{
    return (pliant_auto_def){.stiffness = -1.0f, .density = 300.0f, .drift = -1};
}

// ---------------------------------------------------------------------------------------------
// Places

// The diagonal of the mesh's box, m.
static float size_of(const auto_plan *plan)
{
    return vec3_length(vec3_sub(plan->high, plan->low));
}

static pliant_result place(pliant_draft *draft, const auto_plan *plan, float spacing,
                           pliant_error *error)
{
    const pliant_auto_def *def = plan->def;
    draft->particle_count = 0;
    if (pliant_draft_set_scale(draft, spacing, 0.25f * spacing, error) != PLIANT_OK)
        return error->code;
    if (def->method == PLIANT_AUTO_SLICE) {
        pliant_slice_def slice = pliant_default_slice_def();
        slice.spacing = spacing;
        slice.stretch_stiffness = 1.0f;
        draft->edge_count = 0;
        return pliant_draft_slice(draft, &slice, error) == PLIANT_OK
                   ? pli_auto_shape(draft, plan, 0, error)
                   : error->code;
    }
    pliant_spray_def spray = pliant_default_spray_def();
    spray.spacing = spacing;
    spray.seed = def->seed;
    progress_range all = pli_progress_range(draft->progress);
    pli_progress_narrow(draft->progress, all, 0.0f, SPRAY_PART);
    if (pliant_draft_spray(draft, &spray, error) != PLIANT_OK)
        return error->code;
    if (def->method == PLIANT_AUTO_SPRAY)
        return pli_auto_shape(draft, plan, 0, error);
    pliant_fill_def fill = pliant_default_fill_def();
    fill.spacing = spacing;
    fill.clearance = 0.8f * spacing;
    pli_progress_narrow(draft->progress, all, SPRAY_PART, FILL_BEGIN);
    if (pli_auto_centre_thin(draft, plan, 0, true, error) != PLIANT_OK)
        return error->code;
    pli_progress_narrow(draft->progress, all, FILL_BEGIN, SHAPE_BEGIN);
    if (pliant_draft_fill(draft, &fill, error) != PLIANT_OK ||
        pli_auto_make_symmetric(draft, plan, error) != PLIANT_OK)
        return error->code;
    pli_progress_narrow(draft->progress, all, SHAPE_BEGIN, 1.0f);
    return pli_auto_shape_all(draft, plan, error);
}

// Area and enclosed volume of the mesh.
static void measure(const topology *t, double *area, double *volume)
{
    *area = *volume = 0.0;
    vec3 origin = t->points[0];
    for (int32_t i = 0; i < t->triangle_count; ++i) {
        const int32_t *c = t->triangles + 3 * (size_t)i;
        vec3 x = vec3_sub(t->points[c[0]], origin), y = vec3_sub(t->points[c[1]], origin),
             z = vec3_sub(t->points[c[2]], origin);
        *area += 0.5 * (double)vec3_length(vec3_cross(vec3_sub(y, x), vec3_sub(z, x)));
        *volume += (double)vec3_dot(x, vec3_cross(y, z)) / 6.0;
    }
    *volume = fabs(*volume);
}

// The spacing at which about as many particles as are asked for cover the surface and fill what is deeper than their clearance,
// by bisection.
static float estimate_spacing(const topology *t, const auto_plan *plan)
{
    double area, volume, low = 0.0, high = size_of(plan);
    measure(t, &area, &volume);
    for (int i = 0; i < 40; ++i) {
        double h = 0.5 * (low + high), deep = volume - 0.8 * h * area;
        double count = 0.7 * area / (h * h);
        if (plan->def->method == PLIANT_AUTO_MIXED && deep > 0.0)
            count += deep / (h * h * h);
        low = count > plan->def->count ? h : low;
        high = count > plan->def->count ? high : h;
    }
    return (float)high;
}

typedef struct trial {
    float spacing;
    int count; // 0: not tried
} trial;

// A spacing at which there may be `aim` particles: between two that gave more and fewer, else by the square law.
static float next_spacing(trial last, trial more, trial fewer, int aim)
{
    if (more.count == 0 || fewer.count == 0)
        return last.spacing * (float)sqrt((double)last.count / aim);
    float part = (float)(more.count - aim) / (float)(more.count - fewer.count);
    return more.spacing + (fewer.spacing - more.spacing) * part;
}

// Tries until the count is met within 5 %, or as well as it can be: a lattice gains whole layers at once.
static pliant_result place_count(pliant_draft *draft, const auto_plan *plan, pliant_error *error)
{
    const int aim = plan->def->count;
    enum { ROUNDS = 5 };
    progress_range all = pli_progress_range(draft->progress);
    trial more = {0}, fewer = {0}, best = {0}, now = {0};
    float spacing = estimate_spacing(draft->topology, plan);
    for (int round = 0; round < ROUNDS; ++round) {
        pli_progress_round(draft->progress, all, round);
        if (place(draft, plan, spacing, error) != PLIANT_OK)
            return error->code;
        now = (trial){spacing, draft->particle_count};
        if (best.count == 0 || abs(now.count - aim) < abs(best.count - aim))
            best = now;
        *(now.count > aim ? &more : &fewer) = now;
        if (abs(best.count - aim) <= aim / 20 || now.count == 0 ||
            (more.count > 0 && fewer.count > 0 && fewer.spacing < 1.02f * more.spacing))
            break;
        spacing = next_spacing(now, more, fewer, aim);
    }
    pli_progress_round(draft->progress, all, ROUNDS);
    return best.spacing == now.spacing ? PLIANT_OK : place(draft, plan, best.spacing, error);
}

// As many as suit the mesh: from a spacing for a compact thing. Left to itself, a rope stays a chain.
static pliant_result place_some(pliant_draft *draft, const auto_plan *plan, pliant_error *error)
{
    enum { ROUNDS = 3 };
    progress_range all = pli_progress_range(draft->progress);
    float spacing = size_of(plan) / COARSENESS;
    for (int round = 0; round < ROUNDS; ++round) {
        pli_progress_round(draft->progress, all, round);
        if (place(draft, plan, spacing, error) != PLIANT_OK)
            return error->code;
        int count = draft->particle_count;
        int aim = count < LEAST_PARTICLES ? LEAST_PARTICLES : MOST_PARTICLES;
        if (count >= LEAST_PARTICLES && count <= MOST_PARTICLES)
            break;
        float next = spacing * (float)sqrt((double)count / aim);
        if (plan->def->method != PLIANT_AUTO_SLICE)
            next = maximum(next, 1.3f * pli_auto_thin_thickness(draft));
        if (next == spacing)
            break;
        spacing = next;
    }
    return PLIANT_OK;
}

static pliant_result place_all(pliant_draft *draft, const auto_plan *plan, pliant_error *error)
{
    if (plan->def->spacing > 0.0f)
        return place(draft, plan, plan->def->spacing, error);
    return plan->def->count > 0 ? place_count(draft, plan, error) : place_some(draft, plan, error);
}

// ---------------------------------------------------------------------------------------------
// Edges, skin

// Where one particle holds the next, only torsion keeps the skin between them from being wrung out.
static pliant_result stiffen_chains(pliant_draft *draft, pliant_error *error)
{
    int32_t *degrees = calloc((size_t)draft->particle_count + 1, sizeof *degrees);
    if (!degrees)
        return pli_error_memory(error);
    for (int i = 0; i < draft->edge_count; ++i) {
        ++degrees[draft->edges[i].a];
        ++degrees[draft->edges[i].b];
    }
    for (int i = 0; i < draft->edge_count; ++i) {
        pliant_edge_def *edge = &draft->edges[i];
        if (degrees[edge->a] > CHAIN_DEGREE && degrees[edge->b] > CHAIN_DEGREE)
            continue;
        edge->torsion_stiffness = CHAIN_TORSION;
        edge->stretch_stiffness = CHAIN_STRETCH;
    }
    free(degrees);
    return PLIANT_OK;
}

// Whether most of the surface has no inside behind it, or its other side near, and most particles have neighbours all
// around: what is only thin may be a rope.
static bool is_sheet(const pliant_draft *draft)
{
    const matter *m = draft->matter;
    double thin = 0.0, all = 0.0;
    for (int32_t n = 0; n < m->surface_count; ++n) {
        double area = m->nodes[n].area;
        all += area;
        if (m->nodes[n].thickness < THIN_SPACINGS * draft->spacing || !is_at_thick_part(m, n))
            thin += area;
    }
    // A net has nearly three edges for each particle, a chain one.
    return thin > 0.66 * all && draft->edge_count > 2 * draft->particle_count;
}

static pliant_result complete(pliant_draft *draft, const auto_plan *plan, pliant_error *error)
{
    const pliant_auto_def *def = plan->def;
    pliant_connect_def connect = pliant_default_connect_def();
    connect.distance = def->edges > 0.0f ? def->edges : 3.0f * draft->spacing;
    connect.nearest_only = def->edges == 0.0f;
    pliant_mass_def mass = pliant_default_mass_def();
    mass.density = def->density;
    pliant_bind_def bind = pliant_default_bind_def();
    progress_range all = pli_progress_range(draft->progress);
    pli_progress_narrow(draft->progress, all, 0.0f, 0.2f);
    if (def->method != PLIANT_AUTO_SLICE &&
        (pliant_draft_connect(draft, &connect, error) != PLIANT_OK ||
         pli_auto_make_symmetric(draft, plan, error) != PLIANT_OK ||
         stiffen_chains(draft, error) != PLIANT_OK))
        return error->code;
    pli_progress_narrow(draft->progress, all, 0.2f, 0.4f);
    if (pliant_draft_mass(draft, &mass, error) != PLIANT_OK)
        return error->code;
    pli_progress_narrow(draft->progress, all, 0.4f, 1.0f);
    // Masses are found from cells that do not lie symmetrically.
    for (int i = 0; i < plan->plane_count; ++i)
        if (!pli_draft_balance(draft, plan->planes[i], 0.1f * draft->spacing))
            return pli_error_memory(error);
    draft->material.self_collision = def->method == PLIANT_AUTO_SLICE || is_sheet(draft);
    return pliant_draft_bind(draft, &bind, error);
}

static pliant_result check_def(const pliant_auto_def *def, pliant_error *error)
{
    if (!pli_tool_check_not_negative(def->spacing, "spacing", error) ||
        !pli_tool_check_positive(def->density, "density", error) ||
        !pli_tool_check_not_negative(def->radius, "radius", error) ||
        !pli_tool_check_not_negative(def->edges, "edges", error) ||
        !(def->stiffness < 0.0f ||
          pli_tool_check_range(def->stiffness, 0.0f, 1.0f, "stiffness", error)))
        return error->code;
    if (def->method > PLIANT_AUTO_SLICE)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "method", "there is no such method");
    if (def->count < 0 || def->count > 1000000)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "count",
                             "expected a number from 0 to 1000000");
    if (def->drift > 100)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "drift", "expected a number up to 100");
    return PLIANT_OK;
}

static void find_box(const topology *t, vec3 *low, vec3 *high)
{
    *low = (vec3){INFINITY, INFINITY, INFINITY};
    *high = (vec3){-INFINITY, -INFINITY, -INFINITY};
    for (int32_t p = 0; p < t->point_count; ++p) {
        vec3 x = t->points[p];
        *low = (vec3){minimum(low->x, x.x), minimum(low->y, x.y), minimum(low->z, x.z)};
        *high = (vec3){maximum(high->x, x.x), maximum(high->y, x.y), maximum(high->z, x.z)};
    }
}

static pliant_result make_plan(pliant_draft *draft, const pliant_auto_def *def, auto_plan *plan,
                               pliant_error *error)
{
    *plan = (auto_plan){.def = def};
    find_box(draft->topology, &plan->low, &plan->high);
    if (draft->topology->point_count == 0 || !(size_of(plan) > 0.0f))
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "mesh", "it has no extent");
    if (def->method == PLIANT_AUTO_MIXED)
        plan->plane_count =
            pli_draft_find_symmetries(draft, ASYMMETRY * size_of(plan), plan->planes);
    return plan->plane_count < 0 ? pli_error_memory(error) : PLIANT_OK;
}

static pliant_result make(pliant_draft *draft, const pliant_auto_def *def, pliant_error *error)
{
    auto_plan plan;
    progress_range all = pli_progress_range(draft->progress);
    pli_progress_narrow(draft->progress, all, 0.0f, PLACING_PART);
    if (make_plan(draft, def, &plan, error) != PLIANT_OK ||
        place_all(draft, &plan, error) != PLIANT_OK)
        return error->code;
    pli_progress_narrow(draft->progress, all, PLACING_PART, 1.0f);
    return complete(draft, &plan, error);
}

// In a draft of the part alone, whose tools are within the one that is under way: they tell of their progress as its.
static pliant_result make_in(draft_excerpt *part, pliant_draft *draft, const pliant_auto_def *def,
                             pliant_error *error)
{
    struct draft_progress *own = part->draft->progress;
    part->draft->progress = draft->progress;
    part->draft->tool_depth = draft->tool_depth;
    part->draft->material = draft->material;
    pliant_result result = make(part->draft, def, error);
    part->draft->progress = own;
    return result == PLIANT_OK ? pli_excerpt_put_back(part, draft, error) : result;
}

static pliant_result make_part(pliant_draft *draft, const pliant_auto_def *def, pliant_error *error)
{
    unsigned char *mask =
        pli_selection_mask(def->vertices, draft->mesh->vertex_count, "vertices", error);
    draft_excerpt part;
    pliant_result result = mask ? pli_excerpt_open(&part, draft->mesh, mask, error) : error->code;
    free(mask);
    if (result != PLIANT_OK)
        return result;
    result = part.mesh->triangle_count > 0
                 ? make_in(&part, draft, def, error)
                 : pli_error_set(error, PLIANT_ERROR_ARGUMENT, "vertices",
                                 "no triangle has all its corners among them");
    pli_excerpt_close(&part);
    return result;
}

pliant_result pliant_draft_auto(pliant_draft *draft, const pliant_auto_def *def,
                                pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    if (check_def(def, error) != PLIANT_OK)
        return error->code;
    if (draft->particle_count > 0)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "draft", "it holds particles already");
    draft_tool tool;
    if (pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK)
        return error->code;
    pliant_result result = def->vertices ? make_part(draft, def, error) : make(draft, def, error);
    return pli_draft_end_tool(draft, &tool, result, error);
}
