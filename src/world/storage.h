// Storage of a world: arrays in which each body has a range, described by one table.
//
// Adding, removing, saving and freeing bodies goes over that table. Whoever needs a new array adds one line to a list, and
// whoever needs a range of a new kind adds such a list and one line to WORLD_KINDS.

#ifndef PLIANT_WORLD_STORAGE_H
#define PLIANT_WORLD_STORAGE_H

#include "model/model.h"
#include "solve/chains.h"
#include "solve/groups.h"
#include "solve/pairs.h"
#include "solve/tethers.h"

// How long the content of an array lives.
enum {
    SCRATCH, // in a substep
    DERIVED, // between steps; it follows from the model and the state
    STATE    // what a snapshot keeps
};

// Per particle of all bodies, one array each: X(type, name, lifetime). A body's particles are one
// range.
//
// Positions are the sum of two floats, so that a step is not rounded to the grid of float32 at the
// body's distance from the origin. The solver never sees them: it works on `start`, the position
// relative to the body's origin, and `move`, the way from there in this substep relative to the
// body's drift, its mean way. Both are small numbers, and velocities follow from differences of moves:
// momentum is kept to six digits anywhere and at any speed.
//
// Orientations are kept as `turn`, the rotation from the model's bind orientation: q = turn · q̄.
// Shape matching, torsion and skinning all want that rotation, and none needs q̄ then. A dent turns the
// rest orientation to p · q̄; then matching and torsion want turn · p⁻¹, the rotation from rest.
#define WORLD_PARTICLE_ARRAYS(X)                                                                   \
    X(vec3, x, STATE)                /* position */                                                \
    X(vec3, x_low, STATE)            /* what float32 cannot hold of it */                          \
    X(quat, turn, STATE)             /* rotation from the bind orientation */                      \
    X(vec3, v, STATE)                /* m/s */                                                     \
    X(vec3, spin, STATE)             /* angular velocity, rad/s, world axes */                     \
    X(vec3, force, STATE)            /* N, for the next step */                                    \
    X(vec3, target_x, STATE)         /* where a pinned particle goes in the next step */           \
    X(quat, target_turn, STATE)      /* likewise */                                                \
    X(vec3, was_x, STATE)            /* when its body last got anywhere (sleep.c) */               \
    X(vec3, rest_x, STATE)           /* rest position in model space, moved by dents only */       \
    X(quat, rest_turn, STATE)        /* p: rotation of the rest orientation from the bind one */   \
    X(uint8_t, has_target, STATE)    /* 0 or 1 */                                                  \
    X(uint8_t, pinned, STATE)        /* 1 when kinematic */                                        \
    X(int32_t, owner, DERIVED)       /* slot of the body it belongs to */                          \
    X(vec3, start, DERIVED)          /* position at the start of the substep (start) */            \
    X(particle_move, move, DERIVED)  /* solved in place */                                         \
    X(quat, turn_start, DERIVED)     /* turn at the start of the substep (start) */                \
    X(vec3, v_start, DERIVED)        /* v then, of a partial substep (start) */                    \
    X(vec3, spin_start, DERIVED)     /* spin, likewise */                                          \
    X(vec3, v_predicted, DERIVED)    /* v before constraints changed it (ledger.c) */              \
    X(vec3, spin_predicted, DERIVED) /* spin, likewise, of bodies whose spins hold energy */       \
    X(vec3, x_good, DERIVED)         /* pose at the start of the step (begin_body) */              \
    X(quat, turn_good, DERIVED)      /* likewise */                                                \
    X(vec3, angular_impulse,                                                                       \
      DERIVED) /* kg m² rad, of contacts; kept for bodies with free particles */                  \
    X(particle_form, form, DERIVED) /* for pairs: radii (describe_forms), shapes (find_pairs) */   \
    X(float, hit_speed, DERIVED)    /* m/s, of the hardest impact; kept for bodies with dents */   \
    X(int32_t, first_attachment, DERIVED) /* 0: none, else 1 + 2 slot + end, of attached bodies */ \
    X(int32_t, contacts_seen, DERIVED)    /* scratch of find_contacts.c */                         \
    X(uint8_t, absorbed, DERIVED)         /* scratch of plastic.c */

// Per group and per edge of all bodies. A group that stands in acts while its `loose` is above 0, any other
// one while it is 0.
#define WORLD_GROUP_ARRAYS(X)                                                                      \
    X(float, loose, STATE) /* s until a dented group holds again; of those that stand in too */    \
    X(float, group_alpha, DERIVED) /* part of the deformation an iteration removes */

// Explicit groups at the start of the substep (prepare_groups).
#define WORLD_EXPLICIT_ARRAYS(X)                                                                   \
    X(mat3, start_moment, SCRATCH)  /* A_t: moment matrix */                                       \
    X(float, start_limit2, SCRATCH) /* as of a batch */

// Numbers for each block of a large body, while its contacts are sorted and while it is solved.
enum { BLOCK_WORK = 3 };

#define WORLD_BATCH_ARRAYS(X)   X(batch_start, batch_starts, SCRATCH)
#define WORLD_ELASTIC_ARRAYS(X) X(elastic_row, elastic_rows, DERIVED)
#define WORLD_ROW_ARRAYS(X)     X(arm_row, arms, SCRATCH)

#define WORLD_EDGE_ARRAYS(X)                                                                       \
    X(float, stretch_alpha, DERIVED) /* as group_alpha, of distance */                             \
    X(float, torsion_alpha, DERIVED) /* of torsion */

// How a hinge's two sides move when it turns by one radian, side 1 against side 0, as free bodies joined at
// the axis: linear and angular momentum of both together stay (see hinges.c).
typedef struct hinge_response {
    vec3 centre[2]; // of mass of each side, from the body's origin
    vec3 turn[2];   // rotation vector of each side
    vec3 shift[2];  // of its centre
    float inertia;  // kg m², the impulse about the axis that it takes
} hinge_response;

// A hinge in this substep.
typedef struct hinge_work {
    hinge_response response;
    float start_angle; // rad
    float
        start_excess; // beyond a limit before the substep: > 0 above the upper, < 0 below the lower
    float turned;     // sum of what the limits turned
} hinge_work;

#define WORLD_HINGE_ARRAYS(X)                                                                      \
    X(float, motor_speed, STATE)      /* rad/s */                                                  \
    X(float, motor_torque, STATE)     /* N m, 0: no motor */                                       \
    X(hinge_work, hinge_now, SCRATCH) /* (prepare_hinges) */

#define WORLD_TETHER_ARRAYS(X) X(tether_work, tether_now, SCRATCH)
#define WORLD_CHAIN_ARRAYS(X)                                                                      \
    X(chain_pull, chain_pulls, STATE) /* (solve_chain) */                                          \
    X(chain_work, chain_now, SCRATCH)

// What bodies have ranges of: K(kind, its arrays, how many a model has of it).
#define WORLD_KINDS(K)                                                                             \
    K(hinge, WORLD_HINGE_ARRAYS, model->source.hinge_count)                                        \
    K(tether, WORLD_TETHER_ARRAYS, model->tether_count)                                            \
    K(chain, WORLD_CHAIN_ARRAYS, model->chain_row_count)                                           \
    K(group, WORLD_GROUP_ARRAYS, model->group_count)                                               \
    K(explicit, WORLD_EXPLICIT_ARRAYS, model->group_count - model->implicit_count)                 \
    K(batch, WORLD_BATCH_ARRAYS, model->group_batches.batch_count)                                 \
    K(elastic, WORLD_ELASTIC_ARRAYS, model->elastic ? model->group_batches.batch_count : 0)        \
    K(row, WORLD_ROW_ARRAYS, model->row_count)                                                     \
    K(edge, WORLD_EDGE_ARRAYS, model->source.edge_count)                                           \
    K(particle, WORLD_PARTICLE_ARRAYS, model->source.particle_count)

#define STORAGE_KIND(kind, arrays, count) STORAGE_##kind,
enum { WORLD_KINDS(STORAGE_KIND) STORAGE_KINDS };
#undef STORAGE_KIND

// A body has these, where its ranges begin, and a world the same with counts: by name, and by kind.
#define STORAGE_FIRST(kind, arrays, count) int kind##_first;
#define STORAGE_COUNT(kind, arrays, count) int kind##_count;

struct body;
struct byte_reader;
struct byte_writer;

// Makes room for a body of a model beside so many elements of others. False when memory runs out, or numbers do.
bool pli_storage_reserve(pliant_world *world, const int counts[STORAGE_KINDS],
                         const pliant_model *model);
// Gives a body its ranges, behind all others'; and sets their state to zero.
void pli_storage_assign(pliant_world *world, struct body *b);
void pli_storage_clear(pliant_world *world, const struct body *b);
// Closes the gaps that a body leaves; the others keep their order.
void pli_storage_remove(pliant_world *world, const struct body *b);
void pli_storage_free(pliant_world *world);

// The state of a body of a model as a snapshot keeps it: one run of bytes, array after array, each of its words the least
// significant byte first. State consists of floats, words of four bytes, and bytes that are 0 or 1.
size_t pli_storage_size(const pliant_model *model);
void pli_storage_write(const pliant_world *world, const struct body *b, struct byte_writer *out);
void pli_storage_read(pliant_world *world, const struct body *b, struct byte_reader *in);
// Where an array of the particles is in such a run: `array` is its offset in pliant_world.
size_t pli_storage_place(const pliant_model *model, size_t array);

#endif
