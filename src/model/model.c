// The model: from checked elements to groups, batches and rest data.

#include "model.h"

#include "core/hash.h"
#include "derivation.h"
#include "family.h"
#include "math/quat.h"
#include "rig/rig.h"

// Material constant k of the stiffness law s = 1 - exp(-k h²/n), from the painted stiffness: the part
// of the deformation that one of ten iterations at 60 Hz removes. Only this power of h makes an
// object equally stiff at every time step; 1 stays rigid, told by a negative rate.
float pli_stiffness_rate(float stiffness)
{
    if (stiffness >= 1.0f)
        return -1.0f;
    return -trig_log(1.0f - stiffness) * (10.0f * 60.0f * 60.0f);
}

// Fills `to` with the transpose of the symmetric relation `from`: walking the rows in order leaves
// every row sorted, in linear time.
static void sort_rows(const int32_t *start, const int32_t *from, int32_t *to, int32_t *fill, int n)
{
    for (int p = 0; p < n; ++p)
        fill[p] = start[p];
    for (int p = 0; p < n; ++p)
        for (int k = start[p]; k < start[p + 1]; ++k)
            to[fill[from[k]]++] = p;
}

// Of all edges, or of those that link their ends.
static bool build_adjacency(derivation *d, bool links_only)
{
    const elements *e = &d->model->source;
    int n = e->particle_count;
    d->links.start = derivation_take(d, (size_t)n + 1, sizeof *d->links.start);
    d->links.neighbours =
        derivation_take(d, 2 * (size_t)e->edge_count, sizeof *d->links.neighbours);
    int32_t *unsorted = derivation_take(d, 2 * (size_t)e->edge_count, sizeof *unsorted);
    int32_t *fill = derivation_take(d, (size_t)n + 1, sizeof *fill);
    bool enough = d->links.start && d->links.neighbours && unsorted && fill;
    if (enough) {
        for (int i = 0; i < e->edge_count; ++i) {
            int is_row = !(links_only && e->edges[i].unlinked);
            d->links.start[e->edges[i].a + 1] += is_row;
            d->links.start[e->edges[i].b + 1] += is_row;
        }
        for (int p = 0; p < n; ++p) {
            d->links.start[p + 1] += d->links.start[p];
            fill[p] = d->links.start[p];
        }
        for (int i = 0; i < e->edge_count; ++i) {
            if (links_only && e->edges[i].unlinked)
                continue;
            unsorted[fill[e->edges[i].a]++] = e->edges[i].b;
            unsorted[fill[e->edges[i].b]++] = e->edges[i].a;
        }
        sort_rows(d->links.start, unsorted, d->links.neighbours, fill, n);
    }
    pli_memory_free(d->allocator, unsorted);
    pli_memory_free(d->allocator, fill);
    return enough;
}

static void free_adjacency(derivation *d)
{
    pli_memory_free(d->allocator, d->links.start);
    pli_memory_free(d->allocator, d->links.neighbours);
    d->links = (adjacency){0};
}

static bool has_unlinked(const elements *e)
{
    for (int i = 0; i < e->edge_count; ++i)
        if (e->edges[i].unlinked)
            return true;
    return false;
}

// In sorted rows a repeated edge shows as equal neighbours side by side.
static pliant_result find_repeated_edge(const derivation *d, pliant_error *error)
{
    const elements *e = &d->model->source;
    for (int32_t a = 0; a < e->particle_count; ++a) {
        for (int k = d->links.start[a] + 1; k < d->links.start[a + 1]; ++k) {
            int32_t b = d->links.neighbours[k];
            if (b != d->links.neighbours[k - 1])
                continue;
            int last = 0;
            for (int i = 0; i < e->edge_count; ++i)
                if ((e->edges[i].a == a && e->edges[i].b == b) ||
                    (e->edges[i].a == b && e->edges[i].b == a))
                    last = i;
            return pli_error_set_at(error, PLIANT_ERROR_MODEL, "edge", last,
                                    "particles %d and %d are connected already", (int)a, (int)b);
        }
    }
    return PLIANT_OK;
}

static void find_joints(derivation *d)
{
    const elements *e = &d->model->source;
    for (int g = 0; g < e->group_count; ++g) {
        for (int k = 0; k < e->groups[g].member_count; ++k) {
            int32_t p = e->groups[g].members[k];
            if (d->model->group_of[p])
                d->is_joint[p] = true;
            else
                d->model->group_of[p] = g + 1;
            d->is_dentable[p] = d->is_dentable[p] || e->groups[g].dent_speed > 0.0f;
        }
    }
}

static bool build_particles(derivation *d)
{
    pliant_model *model = d->model;
    const elements *e = &model->source;
    model->turns_freely =
        derivation_take(d, (size_t)e->particle_count, sizeof *model->turns_freely);
    model->answers_rigidly =
        derivation_take(d, (size_t)e->particle_count, sizeof *model->answers_rigidly);
    model->is_rigid = derivation_take(d, (size_t)e->particle_count, sizeof *model->is_rigid);
    if (!pli_derive_forms(d) || !model->turns_freely || !model->answers_rigidly || !model->is_rigid)
        return false;
    for (int p = 0; p < e->particle_count; ++p) {
        const pliant_particle_def *def = &e->particles[p];
        model->turns_freely[p] = !d->model->group_of[p] && degree(d, p) == 0;
        model->mass += def->mass;
        d->pinned[p] = (def->flags & PLIANT_PARTICLE_PINNED) != 0;
        model->has_surface = model->has_surface || (def->flags & PLIANT_PARTICLE_SURFACE) != 0;
    }
    for (int i = 0; i < e->edge_count; ++i)
        if (e->edges[i].torsion_stiffness > 0.0f)
            model->turns_freely[e->edges[i].a] = model->turns_freely[e->edges[i].b] = false;
    for (int p = 0; p < e->particle_count; ++p)
        model->free_count += model->turns_freely[p];
    return true;
}

// How much of its group's inertia an oriented member provides itself, at best about one of its axes.
static float inertia_share(const pliant_model *model, const group *g, int member)
{
    const rest *r = &model->rest;
    int32_t p = group_member(model, g, member);
    mat3 axes = mat3_transpose(quat_to_mat3(model->source.particles[p].orientation));
    float best = 0.0f;
    for (int a = 0; a < 3; ++a) {
        vec3 axis = mat3_row(&axes, a);
        float total = 0.0f;
        for (int k = 0; k < g->slot_count; ++k) {
            vec3 lever = vec3_cross(rest_offset(r, group_slot(g, k)), axis);
            total += *rest_weight(r, group_slot(g, k)) * vec3_dot(lever, lever);
            if (k < g->oriented_count)
                total += sym3_inertia_about(rest_spread(r, g, k), axis);
        }
        best = maximum(best, sym3_inertia_about(rest_spread(r, g, member), axis) / total);
    }
    return best;
}

// A particle that turns freely, or that is a good part of its explicit group's inertia as a wheel is
// of its axle's, answers a push at its surface as the rigid ellipsoid it is. One of many in a group
// answers as a point: the group turns it, and a lever arm would only take from the push.
static void find_rigid_answers(pliant_model *model)
{
    for (int p = 0; p < model->source.particle_count; ++p)
        model->answers_rigidly[p] = model->turns_freely[p];
    for (int i = model->implicit_count; i < model->group_count; ++i) {
        const group *g = &model->groups[i];
        for (int k = 0; k < g->oriented_count; ++k)
            if (inertia_share(model, g, k) > 0.1f)
                model->answers_rigidly[group_member(model, g, k)] = true;
    }
}

static void find_rigid_particles(pliant_model *model)
{
    for (int p = 0; p < model->source.particle_count; ++p)
        model->is_rigid[p] = model->turns_freely[p];
    for (int i = 0; i < model->group_count; ++i) {
        const group *g = &model->groups[i];
        for (int k = 0; g->rate < 0.0f && !g->stands_in && k < g->slot_count; ++k)
            model->is_rigid[group_member(model, g, k)] = true;
    }
    model->whole_group = -1;
    for (int i = model->implicit_count; i < model->group_count; ++i)
        if (model->groups[i].rate < 0.0f &&
            model->groups[i].turned_count == model->source.particle_count)
            model->whole_group = i;
    for (int p = 0; p < model->source.particle_count; ++p)
        model->rigid_answer_count += model->is_rigid[p] && model->answers_rigidly[p];
}

static bool allocate_scratch(derivation *d)
{
    const elements *e = &d->model->source;
    size_t n = (size_t)e->particle_count, edges = (size_t)e->edge_count;
    size_t slots = n + 2 * edges + (size_t)e->member_count;
    size_t constraints = n + edges + (size_t)e->group_count;
    d->model->group_of = derivation_take(d, n, sizeof *d->model->group_of);
    d->is_joint = derivation_take(d, n, sizeof *d->is_joint);
    d->is_dentable = derivation_take(d, n, sizeof *d->is_dentable);
    d->pinned = derivation_take(d, n, sizeof *d->pinned);
    d->start = derivation_take(d, constraints + 1, sizeof *d->start);
    d->particles = derivation_take(d, slots, sizeof *d->particles);
    d->order = derivation_take(d, constraints, sizeof *d->order);
    d->block_of = derivation_take(d, constraints, sizeof *d->block_of);
    d->is_thin = derivation_take(d, n, sizeof *d->is_thin);
    d->model->block_of = derivation_take(d, n, sizeof *d->model->block_of);
    return d->model->group_of && d->is_joint && d->is_dentable && d->pinned && d->start &&
           d->particles && d->order && d->block_of && d->is_thin && d->model->block_of;
}

static void free_scratch(derivation *d)
{
    free_adjacency(d);
    pli_memory_free(d->allocator, d->is_joint);
    pli_memory_free(d->allocator, d->is_dentable);
    pli_memory_free(d->allocator, d->pinned);
    pli_memory_free(d->allocator, d->start);
    pli_memory_free(d->allocator, d->particles);
    pli_memory_free(d->allocator, d->order);
    pli_memory_free(d->allocator, d->block_of);
    pli_memory_free(d->allocator, d->is_thin);
}

static bool derive_families(derivation *d)
{
    pliant_model *model = d->model;
    for (int f = 0; f < FAMILIES; ++f)
        if (pli_families[f]->derive && !pli_families[f]->derive(d))
            return false;
    // A family may leave to another one all that there is.
    for (int f = 0; f < FAMILIES; ++f) {
        const family *of = pli_families[f];
        if (!of->is_in(model))
            continue;
        model->families[model->family_count++] = of;
        model->is_soft = model->is_soft || (of->is_soft && of->is_soft(model));
    }
    return true;
}

static pliant_result derive(derivation *d, pliant_error *error)
{
    if (!allocate_scratch(d))
        return pli_error_memory(error);
    // group_of serves as the checker's scratch before it gets its meaning.
    pliant_result result = pli_elements_validate(&d->model->source, d->model->group_of, error);
    if (result)
        return result;
    for (int p = 0; p < d->model->source.particle_count; ++p)
        d->model->group_of[p] = 0;

    bool enough = build_adjacency(d, false);
    if (enough && (result = find_repeated_edge(d, error)) != PLIANT_OK)
        return result;
    if (enough && has_unlinked(&d->model->source)) {
        free_adjacency(d);
        enough = build_adjacency(d, true);
    }
    if (enough) {
        find_joints(d);
        const elements *e = &d->model->source;
        d->model->blocks.count = pli_cut_blocks(d->model->block_of, e, d->allocator);
        enough = d->model->blocks.count > 0 && build_particles(d) && derive_families(d) &&
                 pli_colour_blocks(d->model) &&
                 pli_rest_allocate(&d->model->rest, d->model, d->allocator);
    }
    if (!enough)
        return pli_error_memory(error);
    pli_rest_compute(&d->model->rest, d->model, d->pinned);
    find_rigid_answers(d->model);
    find_rigid_particles(d->model);
    if (!pli_model_find_excluded(d->model) ||
        !pli_skin_data_build(&d->model->skin, &d->model->source, d->allocator))
        return pli_error_memory(error);
    d->model->fingerprint = pli_elements_fingerprint(&d->model->source);
    return PLIANT_OK;
}

// Equal models have equal ones; those that differ only in how they look have another identity, but one fingerprint.
static uint64_t identity_of(const pliant_model *model)
{
    const elements *e = &model->source;
    uint64_t state = hash_word(model->fingerprint, (uint64_t)e->vertex_count);
    for (int i = 0; i < e->vertex_count; ++i) {
        const pliant_vertex_def *v = &e->vertices[i];
        state = hash_vec3(hash_vec3(state, v->position), v->normal);
        state = hash_float(hash_float(state, v->u), v->v);
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
            state = hash_float(hash_word(state, (uint64_t)v->particles[k]), v->weights[k]);
    }
    for (int i = 0; i < e->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            state = hash_word(state, (uint64_t)e->triangles[i][k]);
    const pliant_material *m = &e->material;
    state = hash_float(hash_float(state, m->friction), m->restitution);
    state = hash_vec3(state, (vec3){m->linear_damping, m->angular_damping, m->shape_damping});
    state = hash_word(state, m->self_collision);
    return e->rig ? hash_word(state, e->rig->fingerprint) : state;
}

pliant_model *pli_model_create(elements *source, const pliant_allocator *allocator,
                               pliant_error *error)
{
    pliant_model *model = pli_memory_new(allocator, 1, sizeof *model);
    if (!model) {
        pli_elements_free(source, allocator);
        pli_error_memory(error);
        return NULL;
    }
    model->allocator = *allocator;
    atomic_init(&model->references, 1);
    model->source = *source;
    derivation d = {.allocator = &model->allocator, .model = model};
    pliant_result result = derive(&d, error);
    free_scratch(&d);
    if (result) {
        pliant_model_destroy(model);
        return NULL;
    }
    model->identity = identity_of(model);
    return model;
}

// No model is a const object: what worlds hold is const to them but for the counter.
void pli_model_retain(const pliant_model *model)
{
    atomic_fetch_add_explicit(&((pliant_model *)model)->references, 1, memory_order_relaxed);
}

void pli_model_release(const pliant_model *model)
{
    pliant_model_destroy((pliant_model *)model);
}

// The last one to let go sees all that others did with it before.
void pliant_model_destroy(pliant_model *model)
{
    if (!model || atomic_fetch_sub_explicit(&model->references, 1, memory_order_acq_rel) > 1)
        return;
    pliant_allocator allocator = model->allocator;
    pli_elements_free(&model->source, &allocator);
    pli_rest_free(&model->rest, &allocator);
    pli_skin_data_free(&model->skin, &allocator);
    for (int f = 0; f < FAMILIES; ++f)
        if (pli_families[f]->release)
            pli_families[f]->release(model);
    pli_memory_free(&allocator, model->ellipsoids);
    pli_memory_free(&allocator, model->sizes);
    pli_memory_free(&allocator, model->moments);
    pli_memory_free(&allocator, model->turns_freely);
    pli_memory_free(&allocator, model->answers_rigidly);
    pli_memory_free(&allocator, model->is_rigid);
    pli_memory_free(&allocator, model->group_of);
    pli_memory_free(&allocator, model->excluded_start);
    pli_memory_free(&allocator, model->excluded);
    pli_memory_free(&allocator, model->block_of);
    pli_memory_free(&allocator, model->blocks.order);
    pli_memory_free(&allocator, model->blocks.colour);
    pli_memory_free(&allocator, model->blocks.colour_start);
    pli_memory_free(&allocator, model->traits);
    pli_memory_free(&allocator, model);
}

int pliant_model_particle_count(const pliant_model *model)
{
    return model->source.particle_count;
}

int pliant_model_edge_count(const pliant_model *model)
{
    return model->source.edge_count;
}

int pliant_model_group_count(const pliant_model *model)
{
    return model->source.group_count;
}

int pliant_model_hinge_count(const pliant_model *model)
{
    return model->source.hinge_count;
}

int pliant_model_vertex_count(const pliant_model *model)
{
    return model->source.vertex_count;
}

int pliant_model_triangle_count(const pliant_model *model)
{
    return model->source.triangle_count;
}

int pliant_model_implicit_group_count(const pliant_model *model)
{
    return model->implicit_count;
}

int pliant_model_colour_count(const pliant_model *model)
{
    return model->group_batches.colour_count;
}

const pliant_particle_def *pliant_model_particles(const pliant_model *model)
{
    return model->source.particles;
}

const pliant_edge_def *pliant_model_edges(const pliant_model *model)
{
    return model->source.edges;
}

pliant_group_def pliant_model_group(const pliant_model *model, int index)
{
    return model->source.groups[index];
}

const pliant_hinge_def *pliant_model_hinges(const pliant_model *model)
{
    return model->source.hinges;
}

const pliant_vertex_def *pliant_model_vertices(const pliant_model *model)
{
    return model->source.vertices;
}

const int32_t *pliant_model_triangles(const pliant_model *model)
{
    return model->source.triangles[0];
}

static void widen(pliant_vec3 *low, pliant_vec3 *high, pliant_vec3 x, float margin)
{
    *low = (pliant_vec3){minimum(low->x, x.x - margin), minimum(low->y, x.y - margin),
                         minimum(low->z, x.z - margin)};
    *high = (pliant_vec3){maximum(high->x, x.x + margin), maximum(high->y, x.y + margin),
                          maximum(high->z, x.z + margin)};
}

void pliant_model_bounds(const pliant_model *model, pliant_vec3 *low, pliant_vec3 *high)
{
    const elements *source = &model->source;
    *low = (pliant_vec3){FLT_MAX, FLT_MAX, FLT_MAX};
    *high = (pliant_vec3){-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (int i = 0; i < source->vertex_count; ++i)
        widen(low, high, source->vertices[i].position, 0.0f);
    for (int i = 0; i < source->particle_count && source->vertex_count == 0; ++i) {
        pliant_vec3 r = source->particles[i].radii;
        widen(low, high, source->particles[i].position, maximum(r.x, maximum(r.y, r.z)));
    }
}

const pliant_rig *pliant_model_rig(const pliant_model *model)
{
    return model->source.rig;
}

pliant_material pliant_model_material(const pliant_model *model)
{
    return model->source.material;
}
