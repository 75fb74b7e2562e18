// Implicit groups of an elastic material, in a body: which part of its strain, and of what is no strain, an iteration takes
// from each. What the material asks for stands in model/elastic.c.
//
// In the frame of the principal axes of S = Σ w o oᵀ, with λ the squares along them and μ the weight of the members, what is no
// strain is relaxed by alpha, and the strain F - 1, F = Rᵀ D, along an axis by s = 1 - exp(-k h²/n), k = E V / (μ λ). So a
// member's correction, which is alpha (R o - place) of painted groups, becomes
//
//     alpha (D o - place) - R Y o,      Y_aa = s_a (F_aa - 1),      Y_ab = E_ab s_b
//
// An entry E_ab is what of F_ab is no rotation. Corrections are to turn nothing, which is to say Y S is symmetric:
//
//     E_ab + E_ba = F_ab + F_ba,      E_ab s_b λ_b = E_ba s_a λ_a
//
// Where nothing saturates s λ is the same for all axes, and E the symmetric part of F, as the energy asks for; where all does the
// group is matched as a rigid one. What of (D o - place) is along the normal of a sheet counts only as far as that bends.

#include "elastic_groups.h"

#include "model/elastic.h"
#include "places.h"

// 1 - exp(-x) is followed up to here: what is left is that of Gauss and Seidel's iteration, not of the material.
static const float SATURATED = 0.43f;

// What bends for nothing is still divided by its alpha.
static const float LEAST_ALPHA = 1e-9f;

static bool is_thin(const elastic_layout *at, int axis)
{
    return !(at->squares[axis] > THIN_EXTENT * at->squares[0]);
}

// Returns the highest rate of strains, 1/s².
static float set_strains(elastic_row *row, int lane, const elastic_layout *at, float stretch,
                         const body *b, float alpha, float h, int iterations)
{
    float highest = 0.0f, part[3] = {0, 0, 0};
    for (int k = 0; k < 3 && !is_thin(at, k); ++k) {
        float rate = stretch / (at->weight * at->squares[k]);
        part[k] = scaled_alpha(rate, b, h, iterations);
        row->inverse[k][lane] = 1.0f / at->squares[k];
        row->relax[k][k][lane] = part[k] / alpha;
        highest = maximum(highest, rate);
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            float own = part[i] * at->squares[i], other = part[k] * at->squares[k];
            if (i != k && part[i] > 0.0f && part[k] > 0.0f)
                row->relax[i][k][lane] = own / (own + other) * part[k] / alpha;
        }
    return highest;
}

static void set_axis(float to[3][LANES], int lane, vec3 axis)
{
    to[0][lane] = axis.x;
    to[1][lane] = axis.y;
    to[2][lane] = axis.z;
}

static void set_axes(elastic_row *row, int lane, const vec3 axes[3])
{
    for (int k = 0; k < 3; ++k) {
        row->axes[0][k][lane] = axes[k].x;
        row->axes[1][k][lane] = axes[k].y;
        row->axes[2][k][lane] = axes[k].z;
    }
}

// Returns the highest of its rates, 1/s².
static float scale_group(pliant_world *world, const body *b, int index, elastic_row *row, int lane,
                         float h, int iterations)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    set_axes(row, lane, axes);
    set_axis(row->inverse, lane, (vec3){0, 0, 0});
    for (int k = 0; k < 3; ++k)
        set_axis(row->relax[k], lane, (vec3){0, 0, 0});
    row->pliable[lane] = 0.0f;
    if (!pli_is_elastic(b->model, index))
        return 0.0f;
    const elastic_group *e = &b->model->elastic[index];
    const elastic_layout *at = &pli_body_rest(b)->layouts[index];
    bool is_sheet = is_thin(at, 2) && !is_thin(at, 1);
    float rate = at->is_clamped ? e->clamp_rate : is_thin(at, 1) ? e->bend_rate : e->rate;
    float alpha = maximum(scaled_alpha(rate, b, h, iterations), LEAST_ALPHA);
    world->group_alpha[b->group_first + index] = alpha;
    if (at->is_clamped)
        return rate;
    set_axes(row, lane, at->axes);
    if (is_sheet) {
        set_axis(row->normal, lane, at->axes[2]);
        row->pliable[lane] = 1.0f - scaled_alpha(e->bend_rate, b, h, iterations) / alpha;
    }
    return maximum(rate, set_strains(row, lane, at, e->stretch, b, alpha, h, iterations));
}

void pli_elastic_scale(pliant_world *world, body *b, float h, int iterations)
{
    const pliant_model *model = b->model;
    float limit = SATURATED * (float)iterations / (h * h), highest = 0.0f;
    b->saturated_groups = 0;
    for (int t = 0; t < model->group_batches.batch_count; ++t) {
        const batch *of = &model->group_batches.batches[t];
        elastic_row *row = &world->elastic_rows[b->elastic_first + t];
        *row = (elastic_row){0};
        for (int lane = 0; lane < of->count; ++lane) {
            float rate = b->stiffness_scale *
                         scale_group(world, b, of->first + lane, row, lane, h, iterations);
            b->saturated_groups += rate > limit;
            highest = maximum(highest, rate);
        }
    }
    b->unsaturated_length =
        highest > 0.0f ? square_root(SATURATED * (float)iterations / highest) : 0.0f;
}

static int batch_of(const pliant_model *model, int index)
{
    const batch *batches = model->group_batches.batches;
    int low = 0, high = model->group_batches.batch_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (batches[middle].first <= index)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void pli_elastic_follow(pliant_world *world, const body *b, int index)
{
    if (!b->model->elastic || index >= b->model->implicit_count || !b->has_alphas)
        return;
    int t = batch_of(b->model, index), lane = index - b->model->group_batches.batches[t].first;
    scale_group(world, b, index, &world->elastic_rows[b->elastic_first + t], lane, world->alpha_h,
                world->alpha_iterations);
}
