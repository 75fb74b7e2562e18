// The forms of a model's particles, and what follows from them.

#include "derivation.h"

// In the turned matrix an axis below float32's rounding of the longest would be lost.
static const float THINNEST_SQUARE = 1e-6f;

static sym3 ellipsoid_of(const pliant_particle_def *def)
{
    mat3 R = quat_to_mat3(def->orientation);
    vec3 squares = {def->radii.x * def->radii.x, def->radii.y * def->radii.y,
                    def->radii.z * def->radii.z};
    float least = THINNEST_SQUARE * maximum(squares.x, maximum(squares.y, squares.z));
    squares.x = maximum(squares.x, least);
    squares.y = maximum(squares.y, least);
    squares.z = maximum(squares.z, least);
    return sym3_rotate_diagonal(&R, squares);
}

bool pli_derive_forms(derivation *d)
{
    pliant_model *model = d->model;
    size_t n = (size_t)model->source.particle_count;
    model->ellipsoids = derivation_take(d, n, sizeof *model->ellipsoids);
    model->sizes = derivation_take(d, n, sizeof *model->sizes);
    model->moments = derivation_take(d, n, sizeof *model->moments);
    if (!model->ellipsoids || !model->sizes || !model->moments)
        return false;
    model->is_round = true;
    for (int p = 0; p < model->source.particle_count; ++p) {
        const pliant_particle_def *def = &model->source.particles[p];
        vec3 r = def->radii;
        model->ellipsoids[p] = ellipsoid_of(def);
        model->sizes[p] = (form_size){.largest = maximum(r.x, maximum(r.y, r.z)),
                                      .thinnest = minimum(r.x, minimum(r.y, r.z))};
        model->is_round = model->is_round && model->sizes[p].largest == model->sizes[p].thinnest;
        form f = pli_model_form(model, p);
        model->moments[p] = pli_form_moment(&f);
    }
    return true;
}
