// Fit weights and rest offsets of all groups.
//
// A pinned particle has no inverse mass but still a say in the fits of its neighbours: it enters with
// a finite weight, its own mass times PINNED_FIT_FACTOR. The fit's energy then never grows, whatever
// the factor; a large one acts as a clamp of position and orientation.

#include "math/quat.h"
#include "model.h"

bool pliant_rest_allocate(rest *out, const pliant_model *model, const pliant_allocator *allocator)
{
    out->slots = pliant_memory_new(allocator, (size_t)model->slot_count, sizeof *out->slots);
    out->spreads = pliant_memory_new(allocator, (size_t)model->slot_count, sizeof *out->spreads);
    out->groups = pliant_memory_new(allocator, (size_t)model->group_count, sizeof *out->groups);
    return out->slots && out->spreads && out->groups;
}

void pliant_rest_free(rest *r, const pliant_allocator *allocator)
{
    pliant_memory_free(allocator, r->slots);
    pliant_memory_free(allocator, r->spreads);
    pliant_memory_free(allocator, r->groups);
    *r = (rest){0};
}

// Rounding of the moment matrix A (relative 1e-7) over the smallest curvature of the fit: the matrix
// tr(A) 1 - A has a small eigenvalue where the group is thin, for its twist. That eigenvalue is about
// det / (tr/2)². Rotations that differ by less are the same to the solver.
static float rotation_noise(const rest *r, const group *g)
{
    mat3 A = {0};
    for (int k = 0; k < g->slot_count; ++k) {
        const rest_slot *slot = &r->slots[g->first_slot + k];
        mat3_add_outer(&A, vec3_scale(slot->offset, slot->weight), slot->offset);
        A = mat3_add(A, sym3_to_mat3(r->spreads[g->first_slot + k]));
    }
    float trace = mat3_trace(&A);
    mat3 H = mat3_scale(A, -1.0f);
    for (int k = 0; k < 3; ++k)
        H.m[k][k] += trace;
    float determinant = mat3_determinant(&H);
    float thin = trace * trace * trace * 1e-6f;
    return 2e-7f * trace * trace * trace / maximum(determinant, thin);
}

// Double precision and a reference point in the group: offsets are right to the last bit wherever the
// model was made.
static void compute_group(rest *out, const pliant_model *model, int index, const uint8_t *pinned)
{
    const group *g = &model->groups[index];
    const int32_t *members = model->slot_particles + g->first_slot;
    const pliant_particle_def *particles = model->source.particles;
    vec3 reference = particles[members[0]].position;
    double total = 0, cx = 0, cy = 0, cz = 0;
    bool movable = false;
    for (int k = 0; k < g->slot_count; ++k) {
        const pliant_particle_def *p = &particles[members[k]];
        double weight = pinned[members[k]] ? (double)p->mass * PINNED_FIT_FACTOR : (double)p->mass;
        total += weight;
        cx += weight * ((double)p->position.x - reference.x);
        cy += weight * ((double)p->position.y - reference.y);
        cz += weight * ((double)p->position.z - reference.z);
        movable = movable || !pinned[members[k]];
    }
    for (int k = 0; k < g->slot_count; ++k) {
        const pliant_particle_def *p = &particles[members[k]];
        double weight = pinned[members[k]] ? (double)p->mass * PINNED_FIT_FACTOR : (double)p->mass;
        rest_slot *slot = &out->slots[g->first_slot + k];
        slot->weight = (float)(weight / total);
        slot->offset.x = (float)((double)p->position.x - reference.x - cx / total);
        slot->offset.y = (float)((double)p->position.y - reference.y - cy / total);
        slot->offset.z = (float)((double)p->position.z - reference.z - cz / total);
        // Ā_i / m_i = R̄ diag(a², b², c²) R̄ᵀ / 5
        out->spreads[g->first_slot + k] =
            k < g->oriented_count ? sym3_scale(model->shapes[members[k]], 0.2f * slot->weight)
                                  : (sym3){0};
    }
    out->groups[index].is_movable = movable;
    out->groups[index].rotation_noise = rotation_noise(out, g);
}

void pliant_rest_compute(rest *out, const pliant_model *model, const uint8_t *pinned)
{
    for (int i = 0; i < model->group_count; ++i)
        compute_group(out, model, i, pinned);
}
