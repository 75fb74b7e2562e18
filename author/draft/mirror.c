// Mirror images of particles with what joins them. A particle whose image would be itself, near the plane, stays alone;
// one that has a particle near its image already makes that one its copy. All is decided, and room made for
// it, before the first change.

#include "draft/mirror.h"

#include "core/error.h"
#include "draft/check.h"
#include "draft/tools.h"
#include "math/quat.h"
#include "mesh/cells.h"

#include <math.h>
#include <stdlib.h>

// Tolerances from the plane within which a particle lies on it already, but for rounding.
#define ON_PLANE 1e-3f

pliant_mirror_def pliant_default_mirror_def(void)
{
    return (pliant_mirror_def){.normal = {1, 0, 0}};
}

// The image of a frame is left-handed; with its z axis turned round it is a rotation again, and the ellipsoid the same.
// An x axis that points outwards still does.
static quat image_of_rotation(const mirroring *m, quat q)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    vec3 images[3];
    q = quat_normalize(q);
    for (int k = 0; k < 3; ++k) {
        vec3 axis = quat_rotate(q, axes[k]);
        images[k] = vec3_add_scaled(axis, m->normal, -2.0f * vec3_dot(m->normal, axis));
    }
    return quat_from_axes(images[0], images[1], vec3_negate(images[2]));
}

static pliant_particle_def image_of_particle(const mirroring *m, pliant_particle_def particle)
{
    particle.position = mirror_image(m, particle.position);
    particle.orientation = image_of_rotation(m, particle.orientation);
    return particle;
}

// The object itself need not be symmetric.
static draft_anchor image_of_anchor(const mirroring *m, draft_anchor anchor)
{
    return pli_mirror_anchor_at(m, anchor, mirror_image(m, anchor.position));
}

// ---------------------------------------------------------------------------------------------
// Who is whose copy

// Who is looked for across the plane.
typedef struct wanted {
    const mirroring *m;
    float side; // of it, from where it is looked for
    mirror_role role;
} wanted;

static bool is_wanted(const void *context, int32_t particle)
{
    const wanted *w = context;
    float other = mirror_side(w->m, w->m->draft->particles[particle].position);
    bool is_opposite = w->side > 0.0f ? other < 0.0f : other >= 0.0f;
    return is_opposite && w->m->roles[particle] == w->role;
}

// The particle of this role that is nearest to x, the image of one at `side` of the plane, within the tolerance; or -1.
static int32_t find_at(const mirroring *m, const cell_grid *grid, const cell_lists *lists, vec3 x,
                       float side, mirror_role role)
{
    wanted w = {m, side, role};
    return pli_draft_find_in_cells(m->draft, grid, lists, x, is_wanted, &w);
}

// Whether the way along the object to a particle's image is short, too: between two fingers it is not. Ways along nodes
// are longer than straight ones, and begin and end up to a cell off.
static bool reaches_image(const mirroring *m, matter_search *search, int32_t particle, int32_t node)
{
    const pliant_draft *draft = m->draft;
    draft_anchor anchor = image_of_anchor(m, draft->anchors[particle]);
    vec3 x = mirror_image(m, draft->particles[particle].position);
    int32_t image = pli_matter_find(draft->matter, x, anchor.triangle);
    if (node < 0 || image < 0 || absolute(mirror_side(m, x)) <= ON_PLANE * m->tolerance)
        return true;
    pli_matter_search_run(search, &node, 1, 1.5f * m->tolerance + 2.0f * draft->matter->grid.size);
    return isfinite(search->distances[image]);
}

// Those near the plane first: no other's copy may be one of them. Who is to come to lie on the plane must be part of what
// goes through it.
static bool leave_alone(mirroring *m)
{
    matter_search search = {0};
    int32_t *nodes = m->replaces ? pli_draft_nodes(m->draft, 0, NULL) : NULL;
    bool ok = !m->replaces || (nodes && pli_matter_search_begin(&search, m->draft->matter));
    for (int32_t i = 0; i < m->count && ok; ++i) {
        ok = progress_beats(m->draft->progress, i);
        m->partners[i] = -1;
        if (!(2.0f * absolute(mirror_side(m, m->draft->particles[i].position)) <= m->tolerance) ||
            (m->replaces && !reaches_image(m, &search, i, nodes[i])))
            continue;
        m->roles[i] = ROLE_ALONE;
        m->partners[i] = i;
    }
    pli_matter_search_end(&search);
    free(nodes);
    return ok;
}

// Who makes room: all behind the plane and, of those near it, whoever would be there twice.
static void choose_gone(mirroring *m, const cell_grid *grid, const cell_lists *lists)
{
    for (int32_t i = 0; i < m->count; ++i) {
        vec3 x = m->draft->particles[i].position;
        float side = mirror_side(m, x);
        if (!m->selected[i] || side >= 0.0f)
            continue;
        if (m->roles[i] == ROLE_ALONE &&
            (side > -ON_PLANE * m->tolerance ||
             find_at(m, grid, lists, mirror_image(m, x), side, ROLE_ALONE) < 0))
            continue;
        m->roles[i] = ROLE_GONE;
        m->partners[i] = -1;
    }
}

static bool find_partners(mirroring *m)
{
    cell_grid grid = {{0, 0, 0}, m->tolerance};
    cell_lists lists = {0};
    if (!leave_alone(m) || !pli_draft_sort_into_cells(m->draft, &grid, &lists))
        return false;
    if (m->replaces)
        choose_gone(m, &grid, &lists);
    for (int32_t i = 0; i < m->count; ++i) {
        if (!m->selected[i] || m->roles[i] != ROLE_NONE)
            continue;
        vec3 x = m->draft->particles[i].position;
        int32_t copy = find_at(m, &grid, &lists, mirror_image(m, x), mirror_side(m, x), ROLE_NONE);
        if (copy >= 0) {
            m->roles[copy] = ROLE_COPY;
            m->partners[copy] = i;
        } else {
            m->originals[m->new_count] = i;
            copy = m->count + m->new_count++;
        }
        m->roles[i] = ROLE_ORIGINAL;
        m->partners[i] = copy;
    }
    pli_cell_lists_release(&lists);
    return true;
}

static bool check_images(const mirroring *m, pliant_error *error)
{
    for (int i = 0; i < m->count; ++i) {
        if (m->roles[i] != ROLE_ORIGINAL ||
            (pli_tool_check_position(mirror_image(m, m->draft->particles[i].position), "", NULL) &&
             pli_tool_check_position(mirror_image(m, m->draft->anchors[i].position), "", NULL)))
            continue;
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, "offset",
                      "the image of particle %d would not be within ±1e+06 m", i);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Edges

int32_t pli_mirror_find_edge(const mirroring *m, int32_t a, int32_t b)
{
    int low = 0, high = m->edge_count;
    while (low < high) {
        int middle = (low + high) / 2;
        const pliant_edge_def *edge = &m->draft->edges[m->sorted_edges[middle]];
        if (edge->a == a && edge->b == b)
            return m->sorted_edges[middle];
        if (edge->a < a || (edge->a == a && edge->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

typedef struct edge_key {
    int32_t a, b, index;
} edge_key;

static int compare_keys(const void *left, const void *right)
{
    const edge_key *p = left, *q = right;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static bool sort_edges(mirroring *m)
{
    size_t count = (size_t)m->draft->edge_count;
    edge_key *keys = malloc((count + 1) * sizeof *keys);
    m->sorted_edges = malloc((count + 1) * sizeof *m->sorted_edges);
    bool ok = keys && m->sorted_edges;
    for (size_t i = 0; ok && i < count; ++i)
        keys[i] = (edge_key){m->draft->edges[i].a, m->draft->edges[i].b, (int32_t)i};
    if (ok)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; ok && i < count; ++i)
        m->sorted_edges[i] = keys[i].index;
    free(keys);
    return ok;
}

// Edges of originals with each other, with those near the plane and with copies across it.
static void mirror_edges(mirroring *m)
{
    pliant_draft *draft = m->draft;
    for (int i = 0; i < m->edge_count; ++i) {
        pliant_edge_def edge = draft->edges[i];
        if ((m->roles[edge.a] != ROLE_ORIGINAL && m->roles[edge.b] != ROLE_ORIGINAL) ||
            m->partners[edge.a] < 0 || m->partners[edge.b] < 0)
            continue;
        int32_t p = m->partners[edge.a], q = m->partners[edge.b];
        int32_t a = p < q ? p : q, b = p < q ? q : p, found = pli_mirror_find_edge(m, a, b);
        if (found < 0)
            pli_draft_append_edge(draft, a, b, &edge);
        else
            pli_draft_set_edge(&draft->edges[found], a, b, &edge);
    }
}

// ---------------------------------------------------------------------------------------------
// Groups

// Originals and some near the plane; others belong to no side.
static bool has_image(const mirroring *m, const pliant_group_def *group)
{
    bool has_original = false;
    for (int32_t k = 0; k < group->member_count; ++k) {
        unsigned char role = m->roles[group->members[k]];
        if (role != ROLE_ORIGINAL && role != ROLE_ALONE)
            return false;
        has_original = has_original || role == ROLE_ORIGINAL;
    }
    return has_original;
}

static int compare_indices(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

// `members` are rising.
static bool has_members(const pliant_group_def *group, const pliant_selection *members)
{
    if (group->member_count != members->count)
        return false;
    for (int32_t k = 0; k < group->member_count; ++k)
        if (!bsearch(&group->members[k], members->indices, (size_t)members->count, sizeof(int32_t),
                     compare_indices))
            return false;
    return true;
}

static int32_t find_group(const pliant_draft *draft, const pliant_selection *members)
{
    for (int i = 0; i < draft->group_count; ++i)
        if (has_members(&draft->groups[i].def, members))
            return i;
    return -1;
}

static bool find_groups(mirroring *m)
{
    const pliant_draft *draft = m->draft;
    for (int i = 0; i < draft->group_count; ++i) {
        const pliant_group_def *group = &draft->groups[i].def;
        m->images[i] = -1;
        if (pli_mirror_is_crossed(m, group)) {
            m->images[i] = i;
            if (!pli_mirror_grow_group(m, i))
                return false;
        }
        if (!has_image(m, group))
            continue;
        pliant_selection *members = &m->group_members[m->group_count];
        members->indices = malloc((size_t)group->member_count * sizeof *members->indices);
        if (!members->indices)
            return false;
        members->count = group->member_count;
        for (int32_t k = 0; k < members->count; ++k)
            members->indices[k] = m->partners[group->members[k]];
        qsort(members->indices, (size_t)members->count, sizeof *members->indices, compare_indices);
        m->images[i] = find_group(draft, members);
        if (m->images[i] >= 0) {
            pliant_selection_release(members);
        } else {
            m->images[i] = draft->group_count + m->group_count;
            m->groups[m->group_count++] = i;
        }
    }
    return true;
}

static void mirror_groups(mirroring *m)
{
    pliant_draft *draft = m->draft;
    for (int i = 0; i < draft->group_count; ++i) {
        if (m->images[i] < 0 || m->images[i] >= draft->group_count)
            continue;
        pliant_group_def *image = &draft->groups[m->images[i]].def, values = draft->groups[i].def;
        values.members = image->members;
        *image = values;
    }
    for (int i = 0; i < m->group_count; ++i)
        pli_draft_append_group(draft, &draft->groups[m->groups[i]].def, &m->group_members[i]);
    for (int i = 0; i < m->old_group_count; ++i) {
        if (!m->grown[i].indices)
            continue;
        pliant_group_def *group = &draft->groups[i].def;
        free((void *)group->members);
        group->members = m->grown[i].indices;
        group->member_count = m->grown[i].count;
        m->grown[i] = (pliant_selection){0};
    }
}

// ---------------------------------------------------------------------------------------------
// Hinges

static bool reserve_hinges(pliant_draft *draft)
{
    size_t most = 2 * (size_t)draft->hinge_count + 1;
    pliant_hinge_def *hinges = realloc(draft->hinges, most * sizeof *hinges);
    if (hinges)
        draft->hinges = hinges;
    return hinges != NULL;
}

static bool is_same_hinge(const pliant_hinge_def *a, const pliant_hinge_def *b)
{
    return a->group_a == b->group_a && a->group_b == b->group_b && a->particle_a == b->particle_a &&
           a->particle_b == b->particle_b;
}

// Those between groups that have images. In a mirror things turn the other way.
static void mirror_hinges(mirroring *m)
{
    pliant_draft *draft = m->draft;
    int before = draft->hinge_count;
    for (int i = 0; i < before; ++i) {
        pliant_hinge_def hinge = draft->hinges[i];
        hinge.group_a = m->images[hinge.group_a];
        hinge.group_b = m->images[hinge.group_b];
        hinge.particle_a = m->partners[hinge.particle_a];
        hinge.particle_b = m->partners[hinge.particle_b];
        if (hinge.group_a < 0 || hinge.group_b < 0 || hinge.particle_a < 0 || hinge.particle_b < 0)
            continue;
        hinge.lower = 0.0f - draft->hinges[i].upper;
        hinge.upper = 0.0f - draft->hinges[i].lower;
        int at = 0;
        while (at < draft->hinge_count && !is_same_hinge(&draft->hinges[at], &hinge))
            ++at;
        draft->hinges[at] = hinge;
        draft->hinge_count += at == draft->hinge_count;
    }
}

// ---------------------------------------------------------------------------------------------

static void mirror_particles(mirroring *m)
{
    pliant_draft *draft = m->draft;
    for (int i = 0; i < m->count && progress_goes_on(draft->progress, i, m->count); ++i) {
        int32_t copy = m->partners[i];
        if (m->roles[i] != ROLE_ORIGINAL || copy >= m->count)
            continue;
        draft->particles[copy] = image_of_particle(m, draft->particles[i]);
        draft->anchors[copy] = image_of_anchor(m, draft->anchors[i]);
        draft->weights[copy] = draft->weights[i];
        draft->is_weighed = false;
    }
    for (int k = 0; k < m->new_count; ++k) {
        int32_t i = m->originals[k];
        pliant_particle_def particle = image_of_particle(m, draft->particles[i]);
        pli_draft_append_particle(draft, &particle, image_of_anchor(m, draft->anchors[i]));
        draft->weights[m->count + k] = draft->weights[i];
    }
}

static bool allocate(mirroring *m)
{
    size_t particles = (size_t)m->count + 1, groups = (size_t)m->draft->group_count + 1;
    m->search = pli_draft_surface(m->draft);
    m->roles = calloc(particles, 1);
    m->partners = malloc(particles * sizeof *m->partners);
    m->originals = malloc(particles * sizeof *m->originals);
    m->images = malloc(groups * sizeof *m->images);
    m->groups = malloc(groups * sizeof *m->groups);
    m->group_members = calloc(groups, sizeof *m->group_members);
    m->grown = calloc(groups, sizeof *m->grown);
    return m->search && m->roles && m->partners && m->originals && m->images && m->groups &&
           m->group_members && m->grown;
}

static void release(mirroring *m)
{
    for (int i = 0; m->group_members && i <= m->group_count; ++i)
        pliant_selection_release(&m->group_members[i]);
    for (int i = 0; m->grown && i < m->old_group_count; ++i)
        pliant_selection_release(&m->grown[i]);
    free(m->grown);
    free(m->roles);
    free(m->partners);
    free(m->originals);
    free(m->sorted_edges);
    free(m->images);
    free(m->groups);
    free(m->group_members);
}

static pliant_result mirror(mirroring *m, pliant_error *error)
{
    pliant_draft *draft = m->draft;
    if (!allocate(m) || !find_partners(m))
        return pli_error_memory(error);
    if (!check_images(m, error))
        return PLIANT_ERROR_ARGUMENT;
    if (!sort_edges(m) || !find_groups(m) || !pli_draft_reserve_particles(draft, m->new_count) ||
        !pli_draft_reserve_edges(draft, 2 * draft->edge_count) ||
        !pli_draft_reserve_groups(draft, m->group_count) || !reserve_hinges(draft))
        return pli_error_memory(error);
    replacing r = {0};
    if (m->replaces && !pli_mirror_prepare(m, &r))
        return pli_error_memory(error);
    mirror_particles(m);
    mirror_edges(m);
    mirror_groups(m);
    mirror_hinges(m);
    return m->replaces ? pli_mirror_replace(m, &r, error) : PLIANT_OK;
}

static bool read_def(mirroring *m, const pliant_mirror_def *def, pliant_error *error)
{
    if (!pli_tool_check_position(def->normal, "normal", error) ||
        !pli_tool_check_range(def->offset, -1e6f, 1e6f, "offset", error) ||
        !pli_tool_check_not_negative(def->tolerance, "tolerance", error))
        return false;
    m->normal = vec3_normalize_or(def->normal, (vec3){0, 0, 0});
    m->offset = def->offset;
    if (vec3_dot(m->normal, m->normal) == 0.0f) {
        pli_error_set(error, PLIANT_ERROR_ARGUMENT, "normal", "expected a direction, found 0");
        return false;
    }
    if ((def->tolerance == 0.0f || def->replaces) &&
        pli_draft_guess_scale(m->draft, error) != PLIANT_OK)
        return false;
    if (def->replaces && !pli_draft_matter(m->draft, error))
        return false;
    m->tolerance = def->tolerance > 0.0f ? def->tolerance : 0.25f * m->draft->spacing;
    return true;
}

pliant_result pliant_draft_mirror(pliant_draft *draft, const pliant_mirror_def *def,
                                  pliant_error *error)
{
    unsigned char *selected;
    pliant_error local;
    error = error ? error : &local;
    draft_tool tool;
    pliant_result result = pli_draft_mask(draft, def->particles, &selected, error);
    if (result != PLIANT_OK)
        return result;
    if (pli_draft_begin_tool(draft, &tool, error) != PLIANT_OK) {
        free(selected);
        return error->code;
    }
    mirroring m = {
        .draft = draft,
        .selected = selected,
        .replaces = def->replaces,
        .count = draft->particle_count,
        .edge_count = draft->edge_count,
        .old_group_count = draft->group_count,
    };
    result = read_def(&m, def, error) ? mirror(&m, error) : error->code;
    release(&m);
    free(selected);
    return pli_draft_end_tool(draft, &tool, result, error);
}
