// Implicit groups of an elastic material.
//
// A group of a material with Young's modulus E (and Poisson's ratio 0) is deformed by the affine map D that fits its members
// best, and beyond that by what is left, r_j = x_j - c - D o_j. It holds the energy
//
//     W = ½ E V |ε|² + ½ k Σ μ_j |r_j|²,      ε = P (sym(Rᵀ D) - 1) P
//
// P projects onto the directions in which the group extends: of others D knows nothing. The first term is the strain of a volume
// V of the material, whatever the group's shape: so uniform strain is right everywhere, at borders, edges and corners, too. The
// second one is what a group resists bending by beyond the strain at its centre; of rods and sheets it is all that there is.
//
// Members count by their masses times a share φ = (d/|o|)⁴ with d the distance of the nearest: on square grids with diagonals
// a sheet so bends as easily in every direction (Σ φ o⊗o⊗o⊗o is isotropic), and blocks nearly do.
//
// V. A group measures strain at its centre of mass, which at a surface lies deeper than its particle. Bending would be too
// easy by that. So each particle gives its volume to groups around it such that their centres, weighted by what they get,
// are where it is itself (the smallest change from giving it all to its own). Then any linear strain has the right sum, and
//
// k is found by trying: the patch of groups around a particle, two links far, is bent about its principal axes,
//
//     u = -κ (x·a)(x·b) a + κ (x·a)²/2 b            ε = -κ (x·b)
//
// and k is what the strains of the groups leave to the energy ½ Σ E V_i ((x_i·b)² + s²) κ² of the material, s² the second
// moment of what one particle stands for. Bending along directions in which the patch extends far counts more. Where it does
// not extend at all the thickness t or cross-section A follows from the volumes: s² = t²/12 of sheets, A/4π of rods.
//
// A thin group about a pinned centre is clamped: its rotation is the centre's, so all that moves its members against it is
// bending, of the half of a cell that is between them,
//
//     ½ k Σ μ_j (κ (o_j·a)²/2)² = ½ E V/2 s² κ²

#include "elastic.h"

#include "math/eigen.h"

// The least that k is of the mean rate of strains, but across sheets and rods: what is no strain would have no resistance at all.
static const float LEAST_BEND = 0.05f;
// The least part of its own volume that a group keeps.
static const float LEAST_VOLUME = 0.1f;

// Of the square of its extent: a group that bending leaves with less than this besides strain has too few members to resist it.
static const float LEAST_REST = 1e-5f;

enum { PATCH_LINKS = 2 };

// A symmetric form of two directions: (o·a)(o·b), of all pairs of coordinates.
enum { PAIRS = 6 };

// Of an elastic group, about its centre of mass. Sums are weighted by masses and shares, and divided by the sum of those.
typedef struct sample {
    vec3 centre;   // m, from the group's particle
    float weight;  // kg
    sym3 spread;   // Σ o oᵀ
    sym3 inverse;  // of that, where the group extends
    sym3 kept;     // projection onto that
    sym3 third[3]; // Σ o_k o oᵀ
    float fourth[PAIRS][PAIRS];
} sample;

typedef struct workspace {
    const derivation *d;
    int32_t *group_of; // per particle: its elastic group, or -1
    sample *samples;   // per implicit group
    float *volumes;    // per implicit group: m³ of its particle, …
    float *given;      // … and what it stands for
    int32_t *patch;    // particles
    int32_t *mark;     // per particle: the last patch that it was in + 1
    int patch_count;
} workspace;

static const pliant_particle_def *particle_of(const workspace *w, int32_t p)
{
    return &w->d->model->source.particles[p];
}

static vec3 between(const workspace *w, int32_t from, int32_t to)
{
    return vec3_sub(particle_of(w, to)->position, particle_of(w, from)->position);
}

// ---------------------------------------------------------------------------------------------
// Shares

static float square(float value)
{
    return value * value;
}

static void share_members(const workspace *w, const group *g)
{
    pliant_model *model = w->d->model;
    float nearest = 0.0f; // m², of all distances
    for (int k = 1; k < g->slot_count; ++k) {
        vec3 arm = between(w, g->source, group_member(model, g, k));
        float distance2 = vec3_dot(arm, arm);
        nearest = k == 1 ? distance2 : minimum(nearest, distance2);
    }
    for (int k = 1; k < g->slot_count; ++k) {
        vec3 arm = between(w, g->source, group_member(model, g, k));
        float part = nearest > 0.0f ? nearest / vec3_dot(arm, arm) : 1.0f;
        *member_share(model->shares, group_slot(g, k)) = part * part;
    }
}

// ---------------------------------------------------------------------------------------------
// Samples

static float mass_in(const workspace *w, const group *g, int k)
{
    const pliant_model *model = w->d->model;
    return particle_of(w, group_member(model, g, k))->mass *
           *member_share(model->shares, group_slot(g, k));
}

// (o·a)² = coefficients · the pairs of o.
static void square_of(vec3 a, float pairs[PAIRS])
{
    pairs[0] = a.x * a.x, pairs[1] = 2.0f * a.x * a.y, pairs[2] = 2.0f * a.x * a.z;
    pairs[3] = a.y * a.y, pairs[4] = 2.0f * a.y * a.z, pairs[5] = a.z * a.z;
}

static void add_sample(sample *s, vec3 o, float weight)
{
    const float pairs[PAIRS] = {o.x * o.x, o.x * o.y, o.x * o.z, o.y * o.y, o.y * o.z, o.z * o.z};
    sym3 outer = {weight * pairs[0], weight * pairs[1], weight * pairs[2],
                  weight * pairs[3], weight * pairs[4], weight * pairs[5]};
    s->spread = sym3_add(s->spread, outer);
    s->third[0] = sym3_add(s->third[0], sym3_scale(outer, o.x));
    s->third[1] = sym3_add(s->third[1], sym3_scale(outer, o.y));
    s->third[2] = sym3_add(s->third[2], sym3_scale(outer, o.z));
    for (int i = 0; i < PAIRS; ++i)
        for (int k = 0; k < PAIRS; ++k)
            s->fourth[i][k] += weight * pairs[i] * pairs[k];
}

// The inverse along the axes in which something extends, and the projection onto those.
static sym3 inverse_of(sym3 spread, sym3 *kept)
{
    sym3_eigen e = sym3_eigen_of(spread);
    sym3 inverse = {0};
    *kept = (sym3){0};
    for (int k = 0; k < 3 && e.values[k] > THIN_EXTENT * e.values[0]; ++k) {
        *kept = sym3_add(*kept, sym3_outer(e.axes[k], 1.0f));
        inverse = sym3_add(inverse, sym3_outer(e.axes[k], 1.0f / e.values[k]));
    }
    return inverse;
}

static void take_sample(const workspace *w, const group *g, sample *s)
{
    const pliant_model *model = w->d->model;
    for (int k = 0; k < g->slot_count; ++k) {
        float mass = mass_in(w, g, k);
        s->weight += mass;
        s->centre =
            vec3_add_scaled(s->centre, between(w, g->source, group_member(model, g, k)), mass);
    }
    s->centre = vec3_scale(s->centre, 1.0f / s->weight);
    for (int k = 0; k < g->slot_count; ++k) {
        vec3 o = vec3_sub(between(w, g->source, group_member(model, g, k)), s->centre);
        add_sample(s, o, mass_in(w, g, k) / s->weight);
    }
    s->inverse = inverse_of(s->spread, &s->kept);
}

// ---------------------------------------------------------------------------------------------
// Patches

static void add_to_patch(workspace *w, int32_t p, int32_t centre)
{
    if (w->group_of[p] < 0 || w->mark[p] == centre + 1)
        return;
    w->mark[p] = centre + 1;
    w->patch[w->patch_count++] = p;
}

// The elastic particles around one, itself first.
static void gather_patch(workspace *w, int32_t centre)
{
    const adjacency *links = &w->d->links;
    w->patch_count = 0;
    add_to_patch(w, centre, centre);
    for (int ring = 0, first = 0; ring < PATCH_LINKS; ++ring) {
        int end = w->patch_count;
        for (; first < end; ++first)
            for (int k = links->start[w->patch[first]]; k < links->start[w->patch[first] + 1]; ++k)
                add_to_patch(w, links->neighbours[k], centre);
    }
}

static const sample *sample_in(const workspace *w, int k)
{
    return &w->samples[w->group_of[w->patch[k]]];
}

// A group's centre, from the patch's first particle.
static vec3 centre_in(const workspace *w, int k)
{
    return vec3_add(between(w, w->patch[0], w->patch[k]), sample_in(w, k)->centre);
}

// ---------------------------------------------------------------------------------------------
// Volumes

// Gives the volume of a patch's first particle to the groups of the patch.
static void give_volume(workspace *w)
{
    float each = 1.0f / (float)w->patch_count;
    float volume = w->volumes[w->group_of[w->patch[0]]];
    vec3 mean = {0, 0, 0};
    for (int k = 0; k < w->patch_count; ++k)
        mean = vec3_add_scaled(mean, centre_in(w, k), each);
    sym3 spread = {0}, kept;
    for (int k = 0; k < w->patch_count; ++k)
        spread = sym3_add(spread, sym3_outer(vec3_sub(centre_in(w, k), mean), 1.0f));
    vec3 shift = sym3_mul_vec(inverse_of(spread, &kept), vec3_scale(centre_in(w, 0), -1.0f));
    for (int k = 0; k < w->patch_count; ++k) {
        float part = vec3_dot(shift, vec3_sub(centre_in(w, k), mean));
        w->given[w->group_of[w->patch[k]]] += volume * (k == 0 ? 1.0f + part : part);
    }
}

// ---------------------------------------------------------------------------------------------
// Bending

// How a patch lies.
typedef struct patch_layout {
    vec3 centre; // of its volume, from its first particle
    sym3_eigen extent;
    int rank;           // so many axes along which it extends
    float volume;       // m³, of a particle on average
    float own_square;   // m², second moment of what a particle stands for across the others, …
    float along_square; // … and along these
} patch_layout;

// What n particles with the given mean square along a line, or along two lines, stand for each: m and m², with the cells around the
// outermost ones.
static float length_for_each(float square, int n)
{
    return square_root(12.0f * square / (float)(n * n - 1));
}

static float area_for_each(float square_a, float square_b, int n)
{
    float a = 12.0f * square_a, b = 12.0f * square_b, m = (float)n * (float)n - 1.0f;
    return (a + b + square_root(square(a + b) + 4.0f * m * a * b)) / (2.0f * m);
}

static void find_own_squares(patch_layout *out, int n)
{
    float volume = out->volume;
    const float *values = out->extent.values;
    if (out->rank == 1) {
        float length = length_for_each(values[0], n);
        out->own_square = volume / (length * 4.0f * 3.14159265f);
        out->along_square = length * length / 12.0f;
    } else if (out->rank == 2) {
        float area = area_for_each(values[0], values[1], n), thickness = volume / area;
        out->own_square = thickness * thickness / 12.0f;
        out->along_square = area / 12.0f;
    } else {
        float side = trig_exp(trig_log(volume) / 3.0f);
        out->own_square = out->along_square = side * side / 12.0f;
    }
}

static patch_layout lay_out(const workspace *w)
{
    patch_layout out = {.rank = 0};
    float volume = 0.0f;
    sym3 spread = {0};
    for (int k = 0; k < w->patch_count; ++k) {
        float part = w->volumes[w->group_of[w->patch[k]]];
        volume += part;
        out.centre = vec3_add_scaled(out.centre, between(w, w->patch[0], w->patch[k]), part);
    }
    out.centre = vec3_scale(out.centre, 1.0f / volume);
    for (int k = 0; k < w->patch_count; ++k) {
        vec3 place = vec3_sub(between(w, w->patch[0], w->patch[k]), out.centre);
        spread = sym3_add(spread, sym3_outer(place, w->volumes[w->group_of[w->patch[k]]] / volume));
    }
    out.extent = sym3_eigen_of(spread);
    while (out.rank < 3 && out.extent.values[out.rank] > THIN_EXTENT * out.extent.values[0])
        ++out.rank;
    out.volume = volume / (float)w->patch_count;
    find_own_squares(&out, w->patch_count);
    return out;
}

// Σ (o·a)(o·b) o
static vec3 third_moment(const sample *s, vec3 a, vec3 b)
{
    return (vec3){vec3_dot(a, sym3_mul_vec(s->third[0], b)),
                  vec3_dot(a, sym3_mul_vec(s->third[1], b)),
                  vec3_dot(a, sym3_mul_vec(s->third[2], b))};
}

// Σ (o·a)² (o·b)²
static float fourth_moment(const sample *s, vec3 a, vec3 b)
{
    float of_a[PAIRS], of_b[PAIRS], sum = 0.0f;
    square_of(a, of_a);
    square_of(b, of_b);
    for (int i = 0; i < PAIRS; ++i)
        for (int k = 0; k < PAIRS; ++k)
            sum += of_a[i] * s->fourth[i][k] * of_b[k];
    return sum;
}

// |strain|² of a group whose centre is r from that of the bending.
static float strain_of(const sample *s, vec3 r, vec3 a, vec3 b)
{
    float along = vec3_dot(a, r), across = vec3_dot(b, r);
    vec3 kept_a = sym3_mul_vec(s->kept, a), kept_b = sym3_mul_vec(s->kept, b);
    vec3 of_a = vec3_add(vec3_scale(kept_a, across), vec3_scale(kept_b, along));
    vec3 of_b = vec3_scale(kept_a, along);
    of_a = vec3_add(of_a, sym3_mul_vec(s->inverse, third_moment(s, a, b)));
    of_b = vec3_add_scaled(of_b, sym3_mul_vec(s->inverse, third_moment(s, a, a)), 0.5f);
    mat3 D = {0};
    mat3_add_outer(&D, kept_b, of_b);
    mat3_add_outer(&D, vec3_scale(kept_a, -1.0f), of_a);
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            sum += square(0.5f * (D.m[i][k] + D.m[k][i]));
    return sum;
}

// Σ |r_j|²
static float rest_of(const sample *s, vec3 a, vec3 b)
{
    vec3 ab = third_moment(s, a, b), aa = third_moment(s, a, a);
    float mean_ab = vec3_dot(a, sym3_mul_vec(s->spread, b));
    float mean_aa = vec3_dot(a, sym3_mul_vec(s->spread, a));
    float twist =
        fourth_moment(s, a, b) - mean_ab * mean_ab - vec3_dot(ab, sym3_mul_vec(s->inverse, ab));
    float bend =
        fourth_moment(s, a, a) - mean_aa * mean_aa - vec3_dot(aa, sym3_mul_vec(s->inverse, aa));
    return maximum(twist, 0.0f) + 0.25f * maximum(bend, 0.0f);
}

// 1/s², if what is no strain were held as strains are on average.
static float strain_rate(const workspace *w, int index)
{
    const sample *s = &w->samples[index];
    return 3.0f * particle_of(w, w->d->model->groups[index].source)->young_modulus *
           w->volumes[index] / (s->weight * sym3_trace(s->spread));
}

// What a patch holds when it is bent, J m² for κ = 2/m² or so: only ratios count.
typedef struct bending {
    float wanted;  // of the material,
    float strains; // of the groups' strains,
    float rests;   // and of what is none, at their strain_rate
    float most;    // that this could be, by how far groups extend
} bending;

// Adds what bending along a and across b takes.
static void bend_patch(const workspace *w, const patch_layout *at, vec3 a, vec3 b, float own,
                       bending *sum)
{
    float along = 0.0f;
    for (int i = 0; i < 3; ++i)
        along += at->extent.values[i] * square(vec3_dot(a, at->extent.axes[i]));
    along *= along;
    for (int k = 0; k < w->patch_count; ++k) {
        int index = w->group_of[w->patch[k]];
        const sample *s = &w->samples[index];
        float modulus = particle_of(w, w->patch[k])->young_modulus * along;
        float rate = strain_rate(w, index) * s->weight * along;
        vec3 place = vec3_sub(between(w, w->patch[0], w->patch[k]), at->centre);
        vec3 r = vec3_sub(centre_in(w, k), at->centre);
        sum->wanted += modulus * w->volumes[index] * (square(vec3_dot(place, b)) + own);
        sum->strains += modulus * w->given[index] * strain_of(s, r, a, b);
        sum->rests += rate * rest_of(s, a, b);
        sum->most += rate * square(sym3_trace(s->spread));
    }
}

// Bends it along each axis of a frame in which it extends, and across those of a range.
static void bend_about(const workspace *w, const patch_layout *at, const vec3 axes[3],
                       int first_across, int end_across, bending *sum)
{
    for (int i = 0; i < at->rank; ++i)
        for (int j = first_across; j < end_across; ++j)
            if (i != j)
                bend_patch(w, at, axes[i], axes[j],
                           j < at->rank ? at->along_square : at->own_square, sum);
}

// k of a patch's first particle against its strain_rate. Which axes a patch has that extends equally far in two directions is left to
// rounding: the energies go as the cosine of four times the angle, so that frames that are turned by an eighth make up for that.
static float bend_of_patch(const workspace *w, const patch_layout *at, int first_across,
                           int end_across)
{
    const vec3 *axes = at->extent.axes;
    bending sum = {0};
    bend_about(w, at, axes, first_across, end_across, &sum);
    for (int m = 0; m < 3; ++m) {
        int i = (m + 1) % 3, k = (m + 2) % 3;
        if (i >= at->rank || k >= at->rank)
            continue;
        vec3 turned[3];
        turned[m] = axes[m];
        turned[i] = vec3_scale(vec3_add(axes[i], axes[k]), 0.70710678f);
        turned[k] = vec3_scale(vec3_sub(axes[k], axes[i]), 0.70710678f);
        bend_about(w, at, turned, first_across, end_across, &sum);
    }
    bool is_bent = sum.rests > LEAST_REST * sum.most;
    return is_bent ? maximum((sum.wanted - sum.strains) / sum.rests, 0.0f) : 0.0f;
}

// About the middle between the members on one side, as far as there are more on one than on the other.
static float clamp_of(const workspace *w, const group *g, const patch_layout *at)
{
    const pliant_model *model = w->d->model;
    if (at->rank == 3)
        return 0.0f;
    float most = 0.0f;
    for (int i = 0; i < at->rank; ++i) {
        float sides[2] = {0, 0};
        for (int k = 1; k < g->slot_count; ++k) {
            vec3 arm = between(w, g->source, group_member(model, g, k));
            float along = vec3_dot(arm, at->extent.axes[i]);
            sides[along > 0.0f] += mass_in(w, g, k) * square(square(along));
        }
        most = maximum(most, maximum(sides[0], sides[1]));
    }
    float modulus = particle_of(w, g->source)->young_modulus;
    return most > 0.0f ? 2.0f * modulus * at->volume * at->own_square / most : 0.0f;
}

// ---------------------------------------------------------------------------------------------

static void begin_groups(workspace *w)
{
    const pliant_model *model = w->d->model;
    for (int p = 0; p < model->source.particle_count; ++p)
        w->group_of[p] = -1;
    for (int i = 0; i < model->implicit_count; ++i) {
        const group *g = &model->groups[i];
        const pliant_particle_def *p = particle_of(w, g->source);
        if (!(p->young_modulus > 0.0f))
            continue;
        share_members(w, g);
        take_sample(w, g, &w->samples[i]);
        if (!(sym3_trace(w->samples[i].spread) >
              0.0f)) // all in one place: then there is nothing to strain
            continue;
        w->group_of[g->source] = i;
        w->volumes[i] = p->mass / p->density;
    }
}

static void derive_groups(workspace *w)
{
    pliant_model *model = w->d->model;
    begin_groups(w);
    for (int32_t p = 0; p < model->source.particle_count; ++p) {
        if (w->group_of[p] < 0)
            continue;
        gather_patch(w, p);
        give_volume(w);
    }
    for (int i = 0; i < model->implicit_count; ++i)
        w->given[i] = maximum(w->given[i], LEAST_VOLUME * w->volumes[i]);
    for (int p = 0; p < model->source.particle_count; ++p)
        w->mark[p] = 0;
    for (int32_t p = 0; p < model->source.particle_count; ++p) {
        int i = w->group_of[p];
        if (i < 0)
            continue;
        gather_patch(w, p);
        patch_layout at = lay_out(w);
        float bend = bend_of_patch(w, &at, at.rank == 2 ? 2 : 0, 3);
        float other = at.rank == 2 ? bend_of_patch(w, &at, 0, 2) : bend;
        if (at.rank > 1)
            other = maximum(other, LEAST_BEND);
        model->elastic[i] =
            (elastic_group){.stretch = particle_of(w, p)->young_modulus * w->given[i],
                            .rate = strain_rate(w, i) * other,
                            .bend_rate = strain_rate(w, i) * (at.rank == 2 ? bend : other),
                            .clamp_rate = clamp_of(w, &model->groups[i], &at)};
        model->groups[i].rate = model->elastic[i].rate;
    }
}

static bool has_elastic(const elements *e)
{
    for (int p = 0; p < e->particle_count; ++p)
        if (e->particles[p].young_modulus > 0.0f)
            return true;
    return false;
}

bool pli_derive_elastic(derivation *d)
{
    pliant_model *model = d->model;
    size_t n = (size_t)model->source.particle_count, groups = (size_t)model->implicit_count;
    if (!has_elastic(&model->source) || groups == 0)
        return true;
    workspace w = {.d = d};
    model->elastic = derivation_take(d, groups, sizeof *model->elastic);
    model->shares = derivation_take(d, (size_t)model->row_count, sizeof *model->shares);
    w.group_of = derivation_take(d, n, sizeof *w.group_of);
    w.samples = derivation_take(d, groups, sizeof *w.samples);
    w.volumes = derivation_take(d, groups, sizeof *w.volumes);
    w.given = derivation_take(d, groups, sizeof *w.given);
    w.patch = derivation_take(d, n, sizeof *w.patch);
    w.mark = derivation_take(d, n, sizeof *w.mark);
    bool enough = model->elastic && model->shares && w.group_of && w.samples && w.volumes &&
                  w.given && w.patch && w.mark;
    if (enough) {
        for (int i = 0; i < model->row_count * LANES; ++i)
            *member_share(model->shares, i) = 1.0f;
        derive_groups(&w);
    }
    pli_memory_free(d->allocator, w.group_of);
    pli_memory_free(d->allocator, w.samples);
    pli_memory_free(d->allocator, w.volumes);
    pli_memory_free(d->allocator, w.given);
    pli_memory_free(d->allocator, w.patch);
    pli_memory_free(d->allocator, w.mark);
    return enough;
}

void pli_elastic_release(pliant_model *model)
{
    pli_memory_free(&model->allocator, model->elastic);
    pli_memory_free(&model->allocator, model->shares);
}
