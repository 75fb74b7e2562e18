// Checks every element of a model and brings it to its canonical form.
//
// Normalising touches only values that are off by more than rounding, so that doing it twice changes
// nothing: a saved and loaded model keeps its bits.

#include "math/quat.h"
#include "model.h"

// Limits within which no product of the solver over- or underflows float32.
static const float LARGEST_COORDINATE = 1e6f;
static const float SMALLEST_RADIUS = 1e-5f, LARGEST_RADIUS = 1e5f;
static const float SMALLEST_MASS = 1e-9f, LARGEST_MASS = 1e9f;
static const float LARGEST_STRAIN = 1e3f, LARGEST_RATE = 1e6f, LARGEST_DENT_SPEED = 1e6f;
static const float LARGEST_ANGLE = 3.1415927f;
static const float LARGEST_FRICTION = 1e3f, LARGEST_DAMPING = 0.999999f;
static const float NORMALISED = 1e-6f; // |length² - 1| below this counts as unit length

static bool in_range(float value, float low, float high)
{
    return value >= low && value <= high; // false for NaN
}

static bool is_coordinate(vec3 v)
{
    return absolute(v.x) <= LARGEST_COORDINATE && absolute(v.y) <= LARGEST_COORDINATE &&
           absolute(v.z) <= LARGEST_COORDINATE;
}

static pliant_result fraction_error(pliant_error *error, const char *kind, int index,
                                    const char *what, float value)
{
    return pliant_error_set_at(error, PLIANT_ERROR_MODEL, kind, index, "%s %g is not in [0, 1]",
                               what, (double)value);
}

static pliant_result check_creep(pliant_error *error, const char *kind, int i, float yield_strain,
                                 float creep_rate)
{
    if (!in_range(yield_strain, 0.0f, LARGEST_STRAIN))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, kind, i,
                                   "yield strain %g is not in [0, %g]", (double)yield_strain,
                                   (double)LARGEST_STRAIN);
    if (!in_range(creep_rate, 0.0f, LARGEST_RATE))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, kind, i,
                                   "creep rate %g is not in [0, %g] 1/s", (double)creep_rate,
                                   (double)LARGEST_RATE);
    return PLIANT_OK;
}

static pliant_result check_particle(pliant_particle_def *p, int i, pliant_error *error)
{
    if (!is_coordinate(p->position))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "particle", i,
                                   "position (%g, %g, %g) is not within ±%g m",
                                   (double)p->position.x, (double)p->position.y,
                                   (double)p->position.z, (double)LARGEST_COORDINATE);
    float length2 = quat_dot(p->orientation, p->orientation);
    if (!in_range(length2, 1e-12f, 1e12f))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "particle", i,
                                   "orientation (%g, %g, %g, %g) is not a rotation",
                                   (double)p->orientation.x, (double)p->orientation.y,
                                   (double)p->orientation.z, (double)p->orientation.w);
    if (!(absolute(length2 - 1.0f) <= NORMALISED))
        p->orientation = quat_normalize(p->orientation);
    const float radii[3] = {p->radii.x, p->radii.y, p->radii.z};
    for (int k = 0; k < 3; ++k)
        if (!in_range(radii[k], SMALLEST_RADIUS, LARGEST_RADIUS))
            return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "particle", i,
                                       "radius %g is not in [%g, %g] m", (double)radii[k],
                                       (double)SMALLEST_RADIUS, (double)LARGEST_RADIUS);
    if (!in_range(p->mass, SMALLEST_MASS, LARGEST_MASS))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "particle", i,
                                   "mass %g is not in [%g, %g] kg", (double)p->mass,
                                   (double)SMALLEST_MASS, (double)LARGEST_MASS);
    if (!in_range(p->stiffness, 0.0f, 1.0f))
        return fraction_error(error, "particle", i, "stiffness", p->stiffness);
    if (p->flags & ~(uint32_t)PLIANT_PARTICLE_ALL_FLAGS)
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "particle", i, "unknown flags 0x%x",
                                   (unsigned)p->flags);
    return check_creep(error, "particle", i, p->yield_strain, p->creep_rate);
}

static pliant_result check_edge(const elements *e, int i, pliant_error *error)
{
    const pliant_edge_def *def = &e->edges[i];
    const int32_t ends[2] = {def->a, def->b};
    for (int k = 0; k < 2; ++k)
        if (ends[k] < 0 || ends[k] >= e->particle_count)
            return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "edge", i, "particle %d of %d",
                                       (int)ends[k], e->particle_count);
    if (def->a == def->b)
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "edge", i,
                                   "connects particle %d with itself", (int)def->a);
    if (!in_range(def->stretch_stiffness, 0.0f, 1.0f))
        return fraction_error(error, "edge", i, "stretch stiffness", def->stretch_stiffness);
    if (!in_range(def->torsion_stiffness, 0.0f, 1.0f))
        return fraction_error(error, "edge", i, "torsion stiffness", def->torsion_stiffness);
    vec3 d = vec3_sub(e->particles[def->b].position, e->particles[def->a].position);
    if (!(vec3_length(d) > 1e-6f))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "edge", i,
                                   "particles %d and %d are at the same place", (int)def->a,
                                   (int)def->b);
    return PLIANT_OK;
}

// The highest group index a particle was seen in is enough to find repeats within one group.
static pliant_result check_group(const elements *e, int i, int32_t *seen_in, pliant_error *error)
{
    if (e->groups[i].count < 1)
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "group", i, "has no members");
    if (!in_range(e->groups[i].stiffness, 0.0f, 1.0f))
        return fraction_error(error, "group", i, "stiffness", e->groups[i].stiffness);
    if (!in_range(e->groups[i].dent_speed, 0.0f, LARGEST_DENT_SPEED))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "group", i,
                                   "dent speed %g is not in [0, %g] m/s",
                                   (double)e->groups[i].dent_speed, (double)LARGEST_DENT_SPEED);
    pliant_result creeps =
        check_creep(error, "group", i, e->groups[i].yield_strain, e->groups[i].creep_rate);
    if (creeps)
        return creeps;
    for (int k = 0; k < e->groups[i].count; ++k) {
        int32_t p = e->members[e->groups[i].first + k];
        if (p < 0 || p >= e->particle_count)
            return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "group", i, "particle %d of %d",
                                       (int)p, e->particle_count);
        if (seen_in[p] == i + 1)
            return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "group", i,
                                       "holds particle %d twice", (int)p);
        seen_in[p] = i + 1;
    }
    return PLIANT_OK;
}

static bool is_member(const elements *e, int32_t index, int32_t particle)
{
    for (int k = 0; k < e->groups[index].count; ++k)
        if (e->members[e->groups[index].first + k] == particle)
            return true;
    return false;
}

static pliant_result check_hinge(const elements *e, int i, pliant_error *error)
{
    const pliant_hinge_def *h = &e->hinges[i];
    const int32_t groups[2] = {h->group_a, h->group_b};
    const int32_t axis[2] = {h->particle_a, h->particle_b};
    for (int k = 0; k < 2; ++k) {
        if (groups[k] < 0 || groups[k] >= e->group_count)
            return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "hinge", i, "group %d of %d",
                                       (int)groups[k], e->group_count);
        if (axis[k] < 0 || axis[k] >= e->particle_count)
            return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "hinge", i, "particle %d of %d",
                                       (int)axis[k], e->particle_count);
    }
    if (groups[0] == groups[1])
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "hinge", i,
                                   "connects group %d with itself", (int)groups[0]);
    for (int k = 0; k < 4; ++k)
        if (!is_member(e, groups[k / 2], axis[k % 2]))
            return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "hinge", i,
                                       "particle %d is not in group %d", (int)axis[k % 2],
                                       (int)groups[k / 2]);
    vec3 d = vec3_sub(e->particles[axis[1]].position, e->particles[axis[0]].position);
    if (!(vec3_length(d) > 1e-6f))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "hinge", i, "its axis has no length");
    if (!in_range(h->lower, -LARGEST_ANGLE, 0.0f) || !in_range(h->upper, 0.0f, LARGEST_ANGLE))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "hinge", i,
                                   "limits %g and %g are not in [-pi, 0] and [0, pi]",
                                   (double)h->lower, (double)h->upper);
    return PLIANT_OK;
}

// Insertion sort by falling weight; stable, so that sorting twice changes nothing.
static void sort_links(pliant_vertex_def *v)
{
    for (int i = 1; i < PLIANT_MAX_LINKS; ++i) {
        float weight = v->weights[i];
        int32_t particle = v->particles[i];
        int k = i;
        for (; k > 0 && v->weights[k - 1] < weight; --k) {
            v->weights[k] = v->weights[k - 1];
            v->particles[k] = v->particles[k - 1];
        }
        v->weights[k] = weight;
        v->particles[k] = particle;
    }
}

static pliant_result check_vertex(const elements *e, int i, pliant_error *error)
{
    pliant_vertex_def *v = &e->vertices[i];
    if (!is_coordinate(v->position))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "vertex", i,
                                   "position is not within ±%g m", (double)LARGEST_COORDINATE);
    if (!is_finite(v->u) || !is_finite(v->v))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "vertex", i,
                                   "texture coordinate is not finite");
    float length2 = vec3_dot(v->normal, v->normal);
    if (!in_range(length2, 0.0f, 1e12f))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "vertex", i, "normal is not finite");
    if (length2 < 1e-12f)
        v->normal = (vec3){0, 0, 0};
    else if (!(absolute(length2 - 1.0f) <= NORMALISED))
        v->normal = vec3_scale(v->normal, 1.0f / square_root(length2));

    for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
        if (!in_range(v->weights[k], 0.0f, 1.001f))
            return fraction_error(error, "vertex", i, "weight", v->weights[k]);
        if (v->weights[k] == 0.0f) {
            v->weights[k] = 0.0f; // not -0
            v->particles[k] = 0;
        }
        if (v->particles[k] < 0 || v->particles[k] >= e->particle_count)
            return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "vertex", i, "particle %d of %d",
                                       (int)v->particles[k], e->particle_count);
    }
    sort_links(v);
    float sum = 0.0f; // in sorted order, so that a second validation sees the same sum
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
        sum += v->weights[k];
    if (!in_range(sum, 0.999f, 1.001f))
        return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "vertex", i,
                                   "weights sum to %g, not 1", (double)sum);
    if (!(absolute(sum - 1.0f) <= NORMALISED))
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
            v->weights[k] /= sum;
    return PLIANT_OK;
}

static pliant_result check_triangle(const elements *e, int i, pliant_error *error)
{
    for (int k = 0; k < 3; ++k)
        if (e->triangles[i][k] < 0 || e->triangles[i][k] >= e->vertex_count)
            return pliant_error_set_at(error, PLIANT_ERROR_MODEL, "triangle", i, "vertex %d of %d",
                                       (int)e->triangles[i][k], e->vertex_count);
    return PLIANT_OK;
}

static pliant_result check_material(const pliant_material *m, pliant_error *error)
{
    const struct {
        const char *name;
        float value, largest;
    } values[] = {
        {"friction", m->friction, LARGEST_FRICTION},
        {"restitution", m->restitution, 1.0f},
        {"linear damping", m->linear_damping, LARGEST_DAMPING},
        {"angular damping", m->angular_damping, LARGEST_DAMPING},
        {"shape damping", m->shape_damping, LARGEST_DAMPING},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
        if (!in_range(values[i].value, 0.0f, values[i].largest))
            return pliant_error_set(error, PLIANT_ERROR_MODEL, "material",
                                    "%s %g is not in [0, %g]", values[i].name,
                                    (double)values[i].value, (double)values[i].largest);
    return PLIANT_OK;
}

pliant_result pliant_elements_validate(elements *e, int32_t *scratch, pliant_error *error)
{
    if (e->particle_count < 1)
        return pliant_error_set(error, PLIANT_ERROR_MODEL, "model", "has no particles");
    pliant_result result = check_material(&e->material, error);
    for (int i = 0; i < e->particle_count && !result; ++i)
        result = check_particle(&e->particles[i], i, error);
    for (int i = 0; i < e->edge_count && !result; ++i)
        result = check_edge(e, i, error);
    for (int i = 0; i < e->group_count && !result; ++i)
        result = check_group(e, i, scratch, error);
    for (int i = 0; i < e->hinge_count && !result; ++i)
        result = check_hinge(e, i, error);
    for (int i = 0; i < e->vertex_count && !result; ++i)
        result = check_vertex(e, i, error);
    for (int i = 0; i < e->triangle_count && !result; ++i)
        result = check_triangle(e, i, error);
    return result;
}
