// Families of constraints.
//
// A family is one kind of constraint, and one file of src/family that says all there is to say of it: what it derives from a
// model's elements, which particles its blocks touch, how it is scaled, prepared, solved and hashed. Models, blocks, waves,
// the step and the hash go over the table of families and name none of them. What a family stores per body is a kind of
// range in world/storage.h. A function that a family does not need is NULL.

#ifndef PLIANT_MODEL_FAMILY_H
#define PLIANT_MODEL_FAMILY_H

#include "model.h"

struct body;
struct derivation;
struct pliant_world;
struct substep;

typedef void particle_visitor(int32_t particle, void *context);

typedef struct family {
    const char *name;

    // --- Of a model
    // Makes what the solver needs of the elements. False when memory runs out.
    bool (*derive)(struct derivation *d);
    void (*release)(pliant_model *model);
    // Whether there is anything to solve.
    bool (*is_in)(const pliant_model *model);
    // Whether its stiffness follows the scale of a body: what is rigid, or not there, does not.
    bool (*is_soft)(const pliant_model *model);
    // Calls `visit` for every particle that a constraint of a block touches. Only families that are solved block by block.
    void (*visit_block)(const pliant_model *model, int block, particle_visitor *visit,
                        void *context);

    // --- Of a body, in a step
    // The part of an error that an iteration removes, for substeps of length h.
    void (*scale)(struct pliant_world *world, struct body *b, float h, int iterations);
    // When velocities are predicted and nothing has moved: motors change them here.
    void (*drive)(const struct substep *s, struct body *b);
    // Before the first iteration, block by block or as a whole, and in each, one of the two. What it notes of a
    // block goes where the block `place` would have it: in a wave (world/wave.c) that is one that is through. Solving
    // returns how many rotations were found the slow, certain way.
    void (*prepare_block)(const struct substep *s, const struct body *b, int block, int place);
    int (*solve_block)(const struct substep *s, const struct body *b, int block, int place);
    void (*prepare)(const struct substep *s, const struct body *b);
    int (*solve)(const struct substep *s, const struct body *b);
    // When velocities follow from where particles went: what pushed out an old error leaves no speed.
    void (*settle)(const struct substep *s, struct body *b);
    // State beside that of particles.
    uint64_t (*hash)(uint64_t state, const struct pliant_world *world, const struct body *b);
} family;

// In the order in which an iteration solves them.
enum { FAMILIES = 7 };
_Static_assert((int)FAMILIES <= (int)MOST_FAMILIES, "a model lists its families");
extern const family *const pli_families[FAMILIES];

#endif
