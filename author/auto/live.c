// How a thing lives in a scene: whether it is dropped, hangs or is rooted. That follows from its shape, as a person would
// say it. What stands on one small foot with its mass high above, and would topple if it were dropped, is rooted: plants,
// trees, lamps. Sheets and ropes that stand upright hang by their top edge: banners, garments, hair. All else is dropped. Nothing
// here depends on the place, the size or the turn about the vertical.

#include "auto.h"
#include "core/error.h"
#include "draft/excerpt.h"
#include "draft/hold.h"
#include "draft/parts.h"
#include "draft/reach.h"
#include "draft/sheet.h"
#include "draft/standing.h"
#include "draft/tools.h"
#include "gltf/gltf.h"
#include "math/trig.h"

#include <math.h>
#include <stdlib.h>

// The foot's radius in the object's reach around it, and in the height of the mass above it.
#define FOOT_IN_REACH  0.5f
#define FOOT_IN_HEIGHT 0.4f
// Things this much thinner than wide, seen from above, are flat.
#define FLAT 0.25f
// Sheets lower than this part of their width lie.
#define LYING 0.25f
// Chains higher than so many widths hang.
#define STEEP 4.0f
// What stands on that many feet is furniture or a vehicle.
enum { LEGS = 3 };
// How far down the top edge goes: a row, in spacings, and with what is deep, from so many spacings on, by a part of the
// depth more, for a collar is lower in front than behind. It is no more than a part of the height.
#define ROW      0.5f
#define DEEP     2.0f
#define TILT     0.4f
#define TOP_EDGE 0.3f
// Of the group that lets a rooted thing stand, where its particles are half stiff: it sinks under its weight by less than a
// hundredth of a metre, and what is lower than a metre by so much less.
#define STANDING 0.04f

static const vec3 UP = {0.0f, 1.0f, 0.0f};

// ---------------------------------------------------------------------------------------------
// Measures

typedef struct span {
    float low, high;
} span;

// Of the particles of a part, or of all (NULL), along a direction of unit length.
static span measure_along(const pliant_draft *draft, const int32_t *parts, int32_t part,
                          vec3 direction)
{
    span s = {INFINITY, -INFINITY};
    for (int i = 0; i < draft->particle_count; ++i) {
        if (parts && parts[i] != part)
            continue;
        const pliant_particle_def *particle = &draft->particles[i];
        float x = vec3_dot(particle->position, direction), reach = reach_of(particle, direction);
        s = (span){minimum(s.low, x - reach), maximum(s.high, x + reach)};
    }
    return s;
}

static float length_along(const pliant_draft *draft, const int32_t *parts, int32_t part,
                          vec3 direction)
{
    span s = measure_along(draft, parts, part, direction);
    return s.high - s.low;
}

// Seen from above, the direction in which a part is widest: the larger axis of its covariance.
static vec3 widest_direction(const pliant_draft *draft, const int32_t *parts, int32_t part)
{
    double n = 0.0, x = 0.0, z = 0.0, xx = 0.0, xz = 0.0, zz = 0.0;
    for (int i = 0; i < draft->particle_count; ++i) {
        if (parts && parts[i] != part)
            continue;
        n += 1.0;
        x += (double)draft->particles[i].position.x;
        z += (double)draft->particles[i].position.z;
    }
    for (int i = 0; i < draft->particle_count; ++i) {
        if (parts && parts[i] != part)
            continue;
        double dx = (double)draft->particles[i].position.x - x / n;
        double dz = (double)draft->particles[i].position.z - z / n;
        xx += dx * dx;
        xz += dx * dz;
        zz += dz * dz;
    }
    vec3 wide = {0.0f, 0.0f, 0.0f};
    trig_sin_cos(0.5f * trig_atan2((float)(2.0 * xz), (float)(xx - zz)), &wide.z, &wide.x);
    return wide;
}

typedef struct extents {
    float width, depth, height; // depth: across the widest direction
} extents;

static extents measure(const pliant_draft *draft, const int32_t *parts, int32_t part)
{
    vec3 wide = widest_direction(draft, parts, part), across = {-wide.z, 0.0f, wide.x};
    return (extents){length_along(draft, parts, part, wide),
                     length_along(draft, parts, part, across),
                     length_along(draft, parts, part, UP)};
}

// ---------------------------------------------------------------------------------------------
// The foot

// Those that come within a spacing of the lowest point of all. NULL when memory runs out; free() it.
static unsigned char *find_foot(const pliant_draft *draft)
{
    unsigned char *foot = calloc((size_t)draft->particle_count + 1, 1);
    float ground = measure_along(draft, NULL, 0, UP).low;
    for (int i = 0; foot && i < draft->particle_count; ++i) {
        const pliant_particle_def *particle = &draft->particles[i];
        foot[i] = particle->position.y - reach_of(particle, UP) < ground + draft->spacing;
    }
    return foot;
}

// How far particles, all or those of the foot, reach from a vertical line.
static float reach_around(const pliant_draft *draft, const unsigned char *selected, vec3 axis)
{
    float most = 0.0f;
    for (int i = 0; i < draft->particle_count; ++i) {
        if (selected && !selected[i])
            continue;
        vec3 way = vec3_sub(draft->particles[i].position, axis);
        way.y = 0.0f;
        float length = vec3_length(way);
        vec3 direction = length > 0.0f ? vec3_scale(way, 1.0f / length) : (vec3){1.0f, 0.0f, 0.0f};
        most = maximum(most, length + reach_of(&draft->particles[i], direction));
    }
    return most;
}

static int count_parts(const pliant_draft *draft, const unsigned char *selected)
{
    int32_t *parts = pli_draft_parts(draft, selected);
    int count = parts ? 0 : -1;
    for (int32_t i = 0; parts && i < draft->particle_count; ++i)
        count += parts[i] == i;
    free(parts);
    return count;
}

// The middle of the particles, each with its mass, or with one for all.
static vec3 find_middle(const pliant_draft *draft, const unsigned char *selected, bool by_mass)
{
    double sum = 0.0, x = 0.0, y = 0.0, z = 0.0;
    for (int i = 0; i < draft->particle_count; ++i) {
        if (selected && !selected[i])
            continue;
        const pliant_particle_def *particle = &draft->particles[i];
        double weight = by_mass ? (double)particle->mass : 1.0;
        sum += weight;
        x += weight * (double)particle->position.x;
        y += weight * (double)particle->position.y;
        z += weight * (double)particle->position.z;
    }
    return (vec3){(float)(x / sum), (float)(y / sum), (float)(z / sum)};
}

// Whether it would topple on that foot, and spreads above it. A rope on its end does not.
static bool stands_high(const pliant_draft *draft, const unsigned char *foot)
{
    vec3 axis = find_middle(draft, foot, false);
    float radius = reach_around(draft, foot, axis);
    float height = find_middle(draft, NULL, true).y - measure_along(draft, NULL, 0, UP).low;
    return radius < FOOT_IN_REACH * reach_around(draft, NULL, axis) &&
           radius < FOOT_IN_HEIGHT * height;
}

// Characters stand on one foot while they walk.
static bool is_rigged(const pliant_mesh *mesh)
{
    const pliant_gltf *document = mesh->document;
    for (int i = 0; document && i < document->part_count; ++i)
        if (document->parts[i].is_skinned)
            return true;
    return false;
}

// ---------------------------------------------------------------------------------------------
// Proposing

typedef struct stance {
    extents size;
    int feet;
    bool stands_high;
    bool is_sheet;
} stance;

static bool find_stance(const pliant_draft *draft, stance *s)
{
    unsigned char *foot = find_foot(draft);
    s->feet = foot ? count_parts(draft, foot) : -1;
    if (s->feet > 0) {
        s->size = measure(draft, NULL, 0);
        s->stands_high = stands_high(draft, foot);
    }
    free(foot);
    return s->feet > 0;
}

static pliant_result look_for_sheet(pliant_draft *draft, bool *is_sheet, pliant_error *error)
{
    const matter *m = pli_draft_matter(draft, error);
    if (!m)
        return error->code;
    *is_sheet = pli_matter_is_sheet(m, draft->topology, THIN_SPACINGS * draft->spacing);
    return PLIANT_OK;
}

// Which vertices follow particles; NULL when memory runs out. free() it.
static unsigned char *find_carried(const pliant_draft *draft, int32_t *count)
{
    unsigned char *carried = calloc((size_t)draft->mesh->vertex_count + 1, 1);
    *count = 0;
    for (int32_t v = 0; carried && v < draft->mesh->vertex_count; ++v) {
        carried[v] = is_bound(draft, v);
        *count += carried[v];
    }
    return carried;
}

// A cape is a sheet, whatever is known of who wears it: only what is carried counts, where anything is.
static pliant_result look_at_carried(pliant_draft *draft, bool *is_sheet, pliant_error *error)
{
    int32_t count;
    unsigned char *carried = find_carried(draft, &count);
    if (!carried)
        return pli_error_memory(error);
    if (count == 0 || count == draft->mesh->vertex_count) {
        free(carried);
        return look_for_sheet(draft, is_sheet, error);
    }
    draft_excerpt part;
    pliant_result result = pli_excerpt_open(&part, draft->mesh, carried, error);
    free(carried);
    if (result != PLIANT_OK)
        return result;
    pli_draft_change_scale(part.draft, draft->spacing, draft->bridge);
    result = look_for_sheet(part.draft, is_sheet, error);
    pli_excerpt_close(&part);
    return result;
}

// A rope that was modelled straight down would stand on its end.
static bool is_upright_rope(const pliant_draft *draft, const stance *s)
{
    return s->size.height > STEEP * s->size.width &&
           2 * draft->edge_count < 3 * draft->particle_count;
}

static pliant_live propose(const pliant_draft *draft, const stance *s)
{
    if (is_upright_rope(draft, s))
        return PLIANT_LIVE_HANG;
    bool is_flat = s->size.depth < FLAT * s->size.width;
    bool is_upright = s->size.height > LYING * s->size.width;
    bool has_foot = s->feet == 1 && s->stands_high && !is_rigged(draft->mesh);
    if (has_foot && !is_flat)
        return PLIANT_LIVE_ROOTED;
    bool has_legs = s->feet >= LEGS && !is_flat;
    if (is_upright && !has_legs && s->is_sheet)
        return PLIANT_LIVE_HANG; // a pennant that ends in a point as well
    return has_foot ? PLIANT_LIVE_ROOTED : PLIANT_LIVE_DROP;
}

static pliant_result look(pliant_draft *draft, pliant_live *live, pliant_error *error)
{
    stance s = {0};
    if (pliant_draft_weigh(draft, error) != PLIANT_OK ||
        pli_draft_guess_scale(draft, error) != PLIANT_OK)
        return error->code;
    // A net has nearly three edges for each particle, a chain one.
    if (draft->edge_count > 2 * draft->particle_count &&
        look_at_carried(draft, &s.is_sheet, error) != PLIANT_OK)
        return error->code;
    if (!find_stance(draft, &s))
        return pli_error_memory(error);
    *live = propose(draft, &s);
    return PLIANT_OK;
}

pliant_result pliant_draft_propose_live(pliant_draft *draft, pliant_live *live, pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    *live = PLIANT_LIVE_DROP;
    if (draft->particle_count == 0)
        return PLIANT_OK;
    float spacing = draft->spacing, bridge = draft->bridge;
    pliant_result result = look(draft, live, error);
    // It is a question: a scale that nobody has set stays so.
    pli_draft_change_scale(draft, spacing, bridge);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Pinning

// Of each part its own edge: three banners hang by three.
static unsigned char *find_top_edges(const pliant_draft *draft)
{
    unsigned char *edge = calloc((size_t)draft->particle_count + 1, 1);
    int32_t *parts = pli_draft_parts(draft, NULL);
    for (int32_t part = 0; edge && parts && part < draft->particle_count; ++part) {
        if (parts[part] != part)
            continue;
        extents size = measure(draft, parts, part);
        float top = measure_along(draft, parts, part, UP).high;
        float tilt = TILT * maximum(size.depth - DEEP * draft->spacing, 0.0f);
        float depth = ROW * draft->spacing + minimum(tilt, TOP_EDGE * size.height);
        for (int32_t i = part; i < draft->particle_count; ++i) {
            const pliant_particle_def *particle = &draft->particles[i];
            if (parts[i] == part && particle->position.y + reach_of(particle, UP) > top - depth)
                edge[i] = 1;
        }
    }
    if (!parts) {
        free(edge);
        edge = NULL;
    }
    free(parts);
    return edge;
}

static void pin(pliant_draft *draft, const unsigned char *pinned)
{
    for (int i = 0; i < draft->particle_count; ++i) {
        uint32_t *flags = &draft->particles[i].flags;
        *flags = pinned && pinned[i] ? *flags | PLIANT_PARTICLE_PINNED
                                     : *flags & ~(uint32_t)PLIANT_PARTICLE_PINNED;
    }
}

// ---------------------------------------------------------------------------------------------
// Standing

// From that of the particles: it is infinite where they are rigid.
static float standing_stiffness(const pliant_draft *draft)
{
    double sum = 0.0;
    for (int i = 0; i < draft->particle_count; ++i)
        sum += (double)draft->particles[i].stiffness;
    float mean = (float)(sum / draft->particle_count);
    float height = length_along(draft, NULL, 0, UP);
    float wanted = STANDING / minimum(height, 1.0f) * mean;
    return wanted < MOST_STANDING * (1.0f - mean) ? wanted / (1.0f - mean) : MOST_STANDING;
}

// A material stands as well as it does.
static bool is_elastic(const pliant_draft *draft)
{
    for (int i = 0; i < draft->particle_count; ++i)
        if (!(draft->particles[i].young_modulus > 0.0f))
            return false;
    return true;
}

// Neighbours alone carry no crown on a thin trunk: every particle gives way a little. A group of all of them, in which
// pinned ones weigh the most, draws each to its place about the foot. Groups that are there already hold it as they are
// meant to.
static pliant_result let_stand(pliant_draft *draft, pliant_error *error)
{
    if (draft->group_count > 0)
        return PLIANT_OK;
    pliant_group_def group = {.stiffness = standing_stiffness(draft)};
    return pliant_draft_group(draft, NULL, &group, error);
}

static pliant_result let_go(pliant_draft *draft, pliant_error *error)
{
    return has_standing_group(draft) ? pliant_draft_ungroup(draft, NULL, error) : PLIANT_OK;
}

pliant_result pliant_draft_set_live(pliant_draft *draft, pliant_live live, pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    if (live > PLIANT_LIVE_ROOTED)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "as", "there is no such way to live");
    if (draft->particle_count == 0)
        return pli_error_set(error, PLIANT_ERROR_ARGUMENT, "draft", "it holds no particles");
    draft_tool tool;
    if (pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK)
        return error->code;
    pliant_result result = pli_draft_guess_scale(draft, error);
    unsigned char *pinned = NULL;
    if (result == PLIANT_OK && live != PLIANT_LIVE_DROP) {
        pinned = live == PLIANT_LIVE_HANG ? find_top_edges(draft) : find_foot(draft);
        result = pinned ? PLIANT_OK : pli_error_memory(error);
    }
    if (result == PLIANT_OK)
        result = live == PLIANT_LIVE_ROOTED && !is_elastic(draft) ? let_stand(draft, error)
                                                                  : let_go(draft, error);
    if (result == PLIANT_OK)
        pin(draft, pinned);
    free(pinned);
    return pli_draft_end_tool(draft, &tool, result, error);
}

static pliant_live live_of(const pliant_particle_def *particles, int count)
{
    float low = INFINITY, high = -INFINITY, highest_pin = -INFINITY;
    for (int i = 0; i < count; ++i) {
        float y = particles[i].position.y;
        low = minimum(low, y);
        high = maximum(high, y);
        if (particles[i].flags & PLIANT_PARTICLE_PINNED)
            highest_pin = maximum(highest_pin, y);
    }
    if (highest_pin < low)
        return PLIANT_LIVE_DROP;
    return highest_pin > 0.5f * (low + high) ? PLIANT_LIVE_HANG : PLIANT_LIVE_ROOTED;
}

pliant_live pliant_draft_live(const pliant_draft *draft)
{
    return live_of(draft->particles, draft->particle_count);
}

pliant_live pliant_model_live(const pliant_model *model)
{
    int holder = pli_model_holder(model);
    return live_of(pliant_model_particles(model),
                   holder >= 0 ? holder : pliant_model_particle_count(model));
}

const char *pliant_live_name(pliant_live live)
{
    static const char *const names[] = {
        [PLIANT_LIVE_DROP] = "drop",
        [PLIANT_LIVE_HANG] = "hang",
        [PLIANT_LIVE_ROOTED] = "rooted",
    };
    return names[live];
}
