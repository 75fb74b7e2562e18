// One random world: what is in it, what it may do, and what has been seen of it.

#ifndef PLIANT_TORTURE_ARENA_H
#define PLIANT_TORTURE_ARENA_H

#include "make.h"

// What is demanded of a world, besides finite numbers and speeds that can be accounted for.
typedef enum arena_kind {
    ARENA_FREE,     // nothing but bodies: momentum is kept, and no energy comes from nowhere
    ARENA_HONEST,   // all starts in its rest shape and apart: no energy comes from nowhere
    ARENA_LIVELY,   // anything may happen
    ARENA_SETTLING, // anything may happen, and then all comes to rest
    ARENA_KINDS
} arena_kind;

extern const char *const arena_kind_names[ARENA_KINDS];

enum {
    MOST_BODIES = 7,
    MOST_MODELS = 16,
    MOST_SHAPES = 32,
    MOST_COLLIDERS = 6,
    MOST_ATTACHMENTS = 8,
    MOST_PARTICLES = 128
};

typedef struct arena_body {
    pliant_body_id id;
    const pliant_model *model;
    model_family family;
    float reach; // m, of the model
    float gravity_scale;
    double height; // m, when it was last noted
} arena_body;

typedef struct arena_collider {
    pliant_collider_id id;
    pliant_shape_kind kind;
    bool is_ground; // stays where it is
    float speed;    // m/s, of its surface
} arena_collider;

// How long steps are.
typedef enum rhythm {
    RHYTHM_60,
    RHYTHM_EVEN, // of any length
    RHYTHM_ALTERNATING,
    RHYTHM_JITTER,
    RHYTHM_HITCHES,
    RHYTHM_RANDOM, // 1/500 … 1/10 s
    RHYTHM_WILD,   // 10 µs … 1 s, and pauses
    RHYTHM_SCALED, // slow motion now and then
    RHYTHMS
} rhythm;

// What is known of all bodies before a step and after it.
typedef struct arena_motion {
    double energy;    // J, of motion without spins and in the field of gravity
    double power;     // W, of gravity and of the push
    double pushed[3]; // m, where that acts
} arena_motion;

typedef struct arena {
    uint64_t seed;
    dice dice;
    arena_kind kind;
    bool is_verbose;
    pliant_world *world;
    pliant_world_def def;
    vec3 base;      // m, where the middle of the ground is
    float heaviest; // ratio of densities, at most

    pliant_model *models[MOST_MODELS];
    int model_count;
    pliant_shape *shapes[MOST_SHAPES];
    int shape_count;
    arena_body bodies[MOST_BODIES];
    int body_count;
    arena_collider colliders[MOST_COLLIDERS];
    int collider_count;
    pliant_attachment_id attachments[MOST_ATTACHMENTS];
    int attachment_count;

    rhythm rhythm;
    float lengths[2]; // s, of the rhythm
    float scale;      // of time
    int step_count;   // of the part with events
    int step;         // that runs now
    float dt;         // s, of it

    // m/s: the sum of all speeds that were given to anything, by velocities, gravity, impulses, drives and poses.
    double given_speed;
    double fastest_ratio; // of a particle's speed to what is allowed, the largest seen

    arena_motion before;   // the step that runs
    double energy_added;   // J, by steps, beyond work and what spins may give
    double energy_scale;   // J, what is moved about
    double highest_excess; // of what was added, in parts of the scale
    double momentum[3];    // kg m/s
    double momentum_scale;
    double largest_drift;

    // A force of this step, to know its work.
    pliant_body_id pushed_body;
    int pushed_particle;     // -1: all of it
    vec3 push;               // N
    float push_acceleration; // m/s²
    bool has_push;

    long steps;         // done
    uint64_t hashes[2]; // half way, and at the end
    bool has_failed;
    bool is_broken; // it failed in what no physics excuses: numbers, hashes, calls
    char failure[200];
} arena;

void say(const arena *a, const char *format, ...);
void fail_arena(arena *a, const char *format, ...);
void break_arena(arena *a, const char *format, ...);

// Builds the world of a seed. Definitions of how it is run (threads, instructions) are the caller's.
void open_arena(arena *a, uint64_t seed, const pliant_world_def *def, bool is_verbose);
void close_arena(arena *a);

// Any of them.
arena_body *any_body(arena *a);
int any_particle(arena *a, const arena_body *b);
bool add_arena_body(arena *a, vec3 position);
void add_arena_collider(arena *a, pliant_shape_kind kind, pliant_pose pose, bool is_moving);
void add_arena_attachment(arena *a, bool is_honest);

// s, of the step to come.
float next_dt(arena *a);

// Something happens between two steps.
void disturb_arena(arena *a);

// Nothing drives, and there is friction and damping: what is far away is brought back first.
void calm_arena(arena *a);
void check_calm(arena *a, double seconds);
// Whether a body has sunk since then.
void note_heights(arena *a);
bool has_sunk(const arena *a);

// Checks all that can be said after any step; before it the limits are noted.
void begin_check(arena *a);
void check_arena(arena *a);

// J, of motion and in the field of gravity.
typedef struct arena_energies {
    double all, without_spin;
} arena_energies;
arena_energies energies_of(const arena *a);
// The limits of energy and momentum follow what was changed by hand.
void account_for_change(arena *a, arena_energies before);
void note_momentum(arena *a);

#endif
