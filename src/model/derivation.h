// Working memory while a model is derived from its elements, and what families of constraints ask of it.

#ifndef PLIANT_MODEL_DERIVATION_H
#define PLIANT_MODEL_DERIVATION_H

#include "batches.h"
#include "model.h"

// Neighbours of every particle in rising order, as compressed rows.
typedef struct adjacency {
    int32_t *start;      // particle_count + 1
    int32_t *neighbours; // 2 · edge_count
} adjacency;

typedef struct derivation {
    const pliant_allocator *allocator;
    pliant_model *model;
    adjacency links;
    bool *is_joint;     // per particle: in more than one explicit group
    bool *is_dentable;  // per particle: in an explicit group that can be dented
    uint8_t *pinned;    // per particle
    int32_t *start;     // slot or end-point ranges of constraints before they are sorted
    int32_t *particles; // and their particles
    int32_t *order;     // constraints in the order of their batches
    int32_t *block_of;  // per constraint
    bool *is_thin;      // per implicit group
} derivation;

static inline void *derivation_take(const derivation *d, size_t count, size_t size)
{
    return pli_memory_new(d->allocator, count, size);
}

static inline int degree(const derivation *d, int32_t particle)
{
    return d->links.start[particle + 1] - d->links.start[particle];
}

// Whether a particle's own moment counts in fits. That of a joint would count twice.
static inline bool is_oriented(const derivation *d, int32_t p)
{
    return !d->is_joint[p] && !(d->model->source.particles[p].flags & PLIANT_PARTICLE_UNORIENTED);
}

// The particles' forms, and what follows from them. False when memory runs out.
bool pli_derive_forms(derivation *d);

#endif
