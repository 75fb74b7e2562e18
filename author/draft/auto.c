// A model from the mesh alone. Particles are sprayed on the surface; those in thin parts move to the middle,
// which makes chains of limbs and one layer of sheets; thick parts are filled. Edges join particles whose parts of the
// object touch.

#include "core/error.h"
#include "draft/check.h"
#include "draft/tools.h"
#include "math/quat.h"

#include <math.h>
#include <stdlib.h>

// Left to itself, spacings in the diagonal of the object's box.
#define COARSENESS 18.0f

enum { DRIFT_ROUNDS = 3, LEAST_PARTICLES = 200, MOST_PARTICLES = 600 };

// Parts thinner than this many spacings become chains and single layers.
#define THIN 0.9f
// How flat the particles may be in thin and in thick parts.
#define THIN_ASPECT  4.0f
#define THICK_ASPECT 2.0f
// Edges at a particle with at most that many are of a chain.
#define CHAIN_DEGREE    3
#define CHAIN_TORSION   0.9f
#define CHAIN_STRETCH   0.5f

#define BODY_STIFFNESS  0.7f
#define LIMB_STIFFNESS  0.95f
#define LOOSE_STIFFNESS 0.5f
#define CLOTH_STIFFNESS 0.4f

pliant_auto_def pliant_default_auto_def(void)
{
    return (pliant_auto_def){.stiffness = -1.0f, .density = 300.0f, .drift = -1};
}

// ---------------------------------------------------------------------------------------------
// Thin and thick

// Whether most of the surface around each particle has its other side near behind it, and how near on the mean.
static pliant_result find_thin(pliant_draft *draft, unsigned char **thin, float **thickness,
                               pliant_error *error)
{
    const matter *m = pliant_draft_matter(draft, error);
    if (!m)
        return error->code;
    matter_search search = {0};
    size_t count = (size_t)draft->particle_count + 1;
    int32_t *nodes = pliant_draft_nodes(draft, NULL);
    *thin = calloc(count, sizeof **thin);
    *thickness = calloc(count, sizeof **thickness);
    bool ok = nodes && *thin && *thickness && pliant_matter_search_begin(&search, m);
    for (int i = 0; i < draft->particle_count && ok; ++i) {
        float near = 0.0f, all = 0.0f, sum = 0.0f;
        pliant_matter_search_run(&search, &nodes[i], 1, 0.75f * draft->spacing);
        for (int32_t k = 0; k < search.reached_count; ++k) {
            const matter_node *node = &m->nodes[search.reached[k]];
            bool is_near = node->thickness < THIN * draft->spacing;
            near += is_near ? node->area : 0.0f;
            sum += is_near ? node->area * node->thickness : 0.0f;
            all += node->area;
        }
        (*thin)[i] = near > 0.5f * all;
        (*thickness)[i] = near > 0.0f ? sum / near : 0.0f;
    }
    pliant_matter_search_end(&search);
    free(nodes);
    return ok ? PLIANT_OK : pliant_error_memory(error);
}

// The particles whose byte is `value`; release it.
static pliant_result select_by(const unsigned char *bytes, int count, unsigned char value,
                               pliant_selection *selection, pliant_error *error)
{
    *selection = (pliant_selection){0};
    selection->indices = malloc(((size_t)count + 1) * sizeof *selection->indices);
    if (!selection->indices)
        return pliant_error_memory(error);
    for (int i = 0; i < count; ++i)
        if (bytes[i] == value)
            selection->indices[selection->count++] = i;
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Particles

static pliant_result centre_thin(pliant_draft *draft, const pliant_auto_def *def,
                                 pliant_error *error)
{
    unsigned char *thin = NULL;
    float *thickness = NULL;
    pliant_selection selection = {0};
    pliant_result result = find_thin(draft, &thin, &thickness, error);
    if (result == PLIANT_OK)
        result = select_by(thin, draft->particle_count, 1, &selection, error);
    // Far enough to see the other side, but not what the part is attached to.
    for (int k = 0; k < selection.count; ++k) {
        int32_t i = selection.indices[k];
        float r = minimum(maximum(1.2f * thickness[i], 0.5f * draft->spacing), draft->spacing);
        draft->particles[i].radii = (vec3){r, r, r};
    }
    if (result == PLIANT_OK) {
        pliant_fit_def fit = pliant_default_fit_def();
        fit.particles = &selection;
        fit.drift = def->drift < 0 ? DRIFT_ROUNDS : def->drift;
        fit.merge = fit.drift > 0 ? 0.5f * draft->spacing : 0.0f;
        result = pliant_draft_fit(draft, &fit, error);
    }
    pliant_selection_release(&selection);
    free(thin);
    free(thickness);
    return result;
}

static pliant_result place(pliant_draft *draft, const pliant_auto_def *def, float spacing,
                           pliant_error *error)
{
    draft->particle_count = 0;
    if (pliant_draft_set_scale(draft, spacing, 0.25f * spacing, error) != PLIANT_OK)
        return error->code;
    if (def->method == PLIANT_AUTO_SLICE) {
        pliant_slice_def slice = pliant_default_slice_def();
        slice.spacing = spacing;
        slice.stretch_stiffness = 1.0f;
        draft->edge_count = 0;
        return pliant_draft_slice(draft, &slice, error);
    }
    pliant_spray_def spray = pliant_default_spray_def();
    spray.spacing = spacing;
    spray.seed = def->seed;
    if (pliant_draft_spray(draft, &spray, error) != PLIANT_OK)
        return error->code;
    if (def->method == PLIANT_AUTO_SPRAY)
        return PLIANT_OK;
    pliant_fill_def fill = pliant_default_fill_def();
    fill.spacing = spacing;
    fill.clearance = 0.8f * spacing;
    if (centre_thin(draft, def, error) != PLIANT_OK)
        return error->code;
    return pliant_draft_fill(draft, &fill, error);
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

static float mesh_size(const topology *t)
{
    vec3 low, high;
    find_box(t, &low, &high);
    return t->point_count ? vec3_length(vec3_sub(high, low)) : 0.0f;
}

// The mean thickness of what is thin, or 0 when less than two thirds of the object are.
static float thin_thickness(const pliant_draft *draft)
{
    double thin = 0.0, all = 0.0, sum = 0.0;
    const matter *m = draft->matter;
    for (int32_t n = 0; n < m->surface_count; ++n) {
        double area = m->nodes[n].area;
        all += area;
        if (m->nodes[n].thickness < THIN * draft->spacing) {
            thin += area;
            sum += area * m->nodes[n].thickness;
        }
    }
    return thin > 0.66 * all ? (float)(sum / thin) : 0.0f;
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

// The spacing at which about `count` particles cover the surface and fill what is deeper than their clearance,
// by bisection.
static float estimate_spacing(const topology *t, float size, const pliant_auto_def *def)
{
    double area, volume, low = 0.0, high = size;
    measure(t, &area, &volume);
    for (int i = 0; i < 40; ++i) {
        double h = 0.5 * (low + high), deep = volume - 0.8 * h * area;
        double count = 0.7 * area / (h * h);
        if (def->method == PLIANT_AUTO_MIXED && deep > 0.0)
            count += deep / (h * h * h);
        low = count > def->count ? h : low;
        high = count > def->count ? high : h;
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
static pliant_result place_count(pliant_draft *draft, const pliant_auto_def *def, float size,
                                 pliant_error *error)
{
    enum { ROUNDS = 5 };
    trial more = {0}, fewer = {0}, best = {0}, now = {0};
    float spacing = estimate_spacing(draft->topology, size, def);
    for (int round = 0; round < ROUNDS; ++round) {
        if (place(draft, def, spacing, error) != PLIANT_OK)
            return error->code;
        now = (trial){spacing, draft->particle_count};
        if (best.count == 0 || abs(now.count - def->count) < abs(best.count - def->count))
            best = now;
        *(now.count > def->count ? &more : &fewer) = now;
        if (abs(best.count - def->count) <= def->count / 20 || now.count == 0 ||
            (more.count > 0 && fewer.count > 0 && fewer.spacing < 1.02f * more.spacing))
            break;
        spacing = next_spacing(now, more, fewer, def->count);
    }
    return best.spacing == now.spacing ? PLIANT_OK : place(draft, def, best.spacing, error);
}

// As many as suit the mesh: from a spacing for a compact thing. Left to itself, a rope stays a chain.
static pliant_result place_some(pliant_draft *draft, const pliant_auto_def *def, float size,
                                pliant_error *error)
{
    enum { ROUNDS = 3 };
    float spacing = size / COARSENESS;
    for (int round = 0; round < ROUNDS; ++round) {
        if (place(draft, def, spacing, error) != PLIANT_OK)
            return error->code;
        int count = draft->particle_count;
        int aim = count < LEAST_PARTICLES ? LEAST_PARTICLES : MOST_PARTICLES;
        if (count >= LEAST_PARTICLES && count <= MOST_PARTICLES)
            break;
        float next = spacing * (float)sqrt((double)count / aim);
        if (def->method != PLIANT_AUTO_SLICE)
            next = maximum(next, 1.3f * thin_thickness(draft));
        if (next == spacing)
            break;
        spacing = next;
    }
    return PLIANT_OK;
}

static pliant_result place_all(pliant_draft *draft, const pliant_auto_def *def, pliant_error *error)
{
    float size = mesh_size(draft->topology);
    if (!(size > 0.0f))
        return pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "mesh", "it has no extent");
    if (def->spacing > 0.0f)
        return place(draft, def, def->spacing, error);
    return def->count > 0 ? place_count(draft, def, size, error)
                          : place_some(draft, def, size, error);
}

// ---------------------------------------------------------------------------------------------
// Shapes, edges, skin

// How far an ellipsoid reaches in a direction of unit length.
static float reach_of(const pliant_particle_def *particle, vec3 direction)
{
    vec3 own = quat_rotate(quat_conjugate(particle->orientation), direction);
    vec3 r = particle->radii;
    vec3 scaled = {own.x * r.x, own.y * r.y, own.z * r.z};
    return vec3_length(scaled);
}

static vec3 longest_axis(const pliant_particle_def *particle)
{
    vec3 r = particle->radii;
    bool is_x = r.x >= r.y && r.x >= r.z, is_y = !is_x && r.y >= r.z;
    vec3 own = {is_x, is_y, !is_x && !is_y};
    return quat_rotate(particle->orientation, own);
}

static bool is_within(const pliant_particle_def *particle, vec3 x)
{
    vec3 own = quat_rotate(quat_conjugate(particle->orientation), vec3_sub(x, particle->position));
    vec3 r = particle->radii;
    vec3 scaled = {own.x / r.x, own.y / r.y, own.z / r.z};
    return vec3_dot(scaled, scaled) < 1.0f;
}

// By how far the ellipsoid stands out of the surface, where it does so most, with the normal there.
// In thin parts only the ends count: surface that looks along the part, where the particle is longest.
static float find_overhang(const matter *m, const matter_search *around,
                           const pliant_particle_def *particle, bool ends_only, vec3 *normal)
{
    vec3 along = longest_axis(particle);
    float most = 0.0f;
    for (int32_t k = 0; k < around->reached_count; ++k) {
        int32_t node = around->reached[k];
        for (int32_t i = node < m->surface_count ? m->first_point_of_node[node] : 0;
             node < m->surface_count && i < m->first_point_of_node[node + 1]; ++i) {
            int32_t p = m->points_of_node[i];
            vec3 x = m->mesh->points[p], n = m->mesh->normals[p];
            if (!is_within(particle, x) || (ends_only && fabsf(vec3_dot(n, along)) < 0.7f))
                continue;
            float overhang = reach_of(particle, n) - vec3_dot(n, vec3_sub(x, particle->position));
            if (overhang > most) {
                most = overhang;
                *normal = n;
            }
        }
    }
    return most;
}

static void sink_particle(const matter *m, matter_search *around, int32_t node, bool ends_only,
                          pliant_particle_def *particle)
{
    enum { ROUNDS = 24 };
    vec3 start = particle->position, normal = {0, 0, 0};
    float r = maximum(particle->radii.x, maximum(particle->radii.y, particle->radii.z));
    pliant_matter_search_run(around, &node, 1, 2.5f * r);
    for (int round = 0; round < ROUNDS; ++round) {
        float overhang = find_overhang(m, around, particle, ends_only, &normal);
        if (overhang < 0.01f * r)
            break;
        particle->position = vec3_add_scaled(particle->position, normal, -overhang);
        if (vec3_length(vec3_sub(particle->position, start)) > 2.0f * r) {
            particle->position = start; // there is no room for it
            break;
        }
    }
}

static float clamp_reach(float x, float reach, float low, float high)
{
    if (high - low < 2.0f * reach)
        return x;
    return minimum(maximum(x, low + reach), high - reach);
}

// Where there is no inside it is an open sheet.
static bool is_at_thick_part(const matter *m, int32_t node)
{
    for (int32_t k = m->first_link[node]; k < m->first_link[node + 1]; ++k)
        if (m->link_nodes[k] >= m->surface_count)
            return true;
    return false;
}

// Particles move in until they do not stand out of the surface, nor of the object's box: it touches others where
// it seems to, and stands on its whole base.
static pliant_result sink(pliant_draft *draft, const unsigned char *thin, pliant_error *error)
{
    const matter *m = draft->matter;
    matter_search around = {0};
    int32_t *nodes = pliant_draft_nodes(draft, NULL);
    bool ok = nodes && pliant_matter_search_begin(&around, m);
    vec3 low, high;
    find_box(draft->topology, &low, &high);
    for (int i = 0; i < draft->particle_count && ok; ++i) {
        pliant_particle_def *particle = &draft->particles[i];
        if (draft->anchors[i].triangle >= 0 && (thin[i] || is_at_thick_part(m, nodes[i])))
            sink_particle(m, &around, nodes[i], thin[i], particle);
        vec3 *x = &particle->position;
        x->x = clamp_reach(x->x, reach_of(particle, (vec3){1, 0, 0}), low.x, high.x);
        x->y = clamp_reach(x->y, reach_of(particle, (vec3){0, 1, 0}), low.y, high.y);
        x->z = clamp_reach(x->z, reach_of(particle, (vec3){0, 0, 1}), low.z, high.z);
    }
    pliant_matter_search_end(&around);
    free(nodes);
    return ok ? PLIANT_OK : pliant_error_memory(error);
}

// Limbs carry the rest and are stiffer; a thing that is thin all over hangs loose.
static float choose_stiffness(const pliant_draft *draft, const pliant_auto_def *def, bool thin)
{
    if (def->stiffness >= 0.0f)
        return def->stiffness;
    if (def->method == PLIANT_AUTO_SLICE)
        return CLOTH_STIFFNESS;
    return !thin ? BODY_STIFFNESS : thin_thickness(draft) > 0.0f ? LOOSE_STIFFNESS : LIMB_STIFFNESS;
}

static pliant_result shape(pliant_draft *draft, const pliant_auto_def *def, pliant_error *error)
{
    unsigned char *thin = NULL;
    float *thickness = NULL;
    pliant_result result = find_thin(draft, &thin, &thickness, error);
    for (unsigned char value = 0; value < 2 && result == PLIANT_OK; ++value) {
        pliant_selection selection;
        pliant_fit_def fit = pliant_default_fit_def();
        float stiffness = choose_stiffness(draft, def, value);
        result = select_by(thin, draft->particle_count, value, &selection, error);
        for (int i = 0; i < selection.count; ++i)
            draft->particles[selection.indices[i]].stiffness = stiffness;
        fit.particles = &selection;
        fit.radius = def->radius > 0.0f ? def->radius : 0.6f * draft->spacing;
        fit.aspect = value ? THIN_ASPECT : THICK_ASPECT;
        if (result == PLIANT_OK && def->method != PLIANT_AUTO_SLICE)
            result = pliant_draft_fit(draft, &fit, error);
        pliant_selection_release(&selection);
    }
    if (result == PLIANT_OK && def->method == PLIANT_AUTO_MIXED)
        result = sink(draft, thin, error);
    free(thin);
    free(thickness);
    return result;
}

// Where one particle holds the next, only torsion keeps the skin between them from being wrung out.
static pliant_result stiffen_chains(pliant_draft *draft, pliant_error *error)
{
    int32_t *degrees = calloc((size_t)draft->particle_count + 1, sizeof *degrees);
    if (!degrees)
        return pliant_error_memory(error);
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

static pliant_result complete(pliant_draft *draft, const pliant_auto_def *def, pliant_error *error)
{
    pliant_connect_def connect = pliant_default_connect_def();
    connect.distance = def->edges > 0.0f ? def->edges : 3.0f * draft->spacing;
    connect.nearest_only = def->edges == 0.0f;
    pliant_mass_def mass = pliant_default_mass_def();
    mass.density = def->density;
    pliant_bind_def bind = pliant_default_bind_def();
    if (shape(draft, def, error) != PLIANT_OK)
        return error->code;
    if (def->method != PLIANT_AUTO_SLICE &&
        (pliant_draft_connect(draft, &connect, error) != PLIANT_OK ||
         stiffen_chains(draft, error) != PLIANT_OK))
        return error->code;
    if (pliant_draft_mass(draft, &mass, error) != PLIANT_OK)
        return error->code;
    return pliant_draft_bind(draft, &bind, error);
}

static pliant_result check_def(const pliant_auto_def *def, pliant_error *error)
{
    if (!pliant_tool_check_not_negative(def->spacing, "spacing", error) ||
        !pliant_tool_check_positive(def->density, "density", error) ||
        !pliant_tool_check_not_negative(def->radius, "radius", error) ||
        !pliant_tool_check_not_negative(def->edges, "edges", error) ||
        !(def->stiffness < 0.0f ||
          pliant_tool_check_range(def->stiffness, 0.0f, 1.0f, "stiffness", error)))
        return error->code;
    if (def->method > PLIANT_AUTO_SLICE)
        return pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "method", "there is no such method");
    if (def->count < 0 || def->count > 1000000)
        return pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "count",
                                "expected a number from 0 to 1000000");
    if (def->drift > 100)
        return pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "drift",
                                "expected a number up to 100");
    return PLIANT_OK;
}

pliant_result pliant_draft_auto(pliant_draft *draft, const pliant_auto_def *def,
                                pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    if (check_def(def, error) != PLIANT_OK)
        return error->code;
    if (draft->particle_count > 0)
        return pliant_error_set(error, PLIANT_ERROR_ARGUMENT, "draft",
                                "it holds particles already");
    draft_scale scale = pliant_draft_scale(draft);
    pliant_result result = place_all(draft, def, error);
    if (result == PLIANT_OK)
        result = complete(draft, def, error);
    if (result != PLIANT_OK) {
        draft->particle_count = 0;
        draft->edge_count = 0;
    }
    return pliant_draft_end_tool(draft, scale, result);
}
