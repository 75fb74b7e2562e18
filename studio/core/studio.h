// The Studio's core: everything the page shows and changes, behind one request at a time. The page sends JSON commands
// (src/core/protocol.ts describes each, with its answer) and reads numbers in bulk as views. It is plain C on both
// libraries: native tests drive it as the page does.

#ifndef PLIANT_STUDIO_H
#define PLIANT_STUDIO_H

#include <pliant/author.h>

typedef struct studio studio;

studio *studio_create(void); // NULL when there is no memory
void studio_destroy(studio *s);

// Who is told how far a command has come; NULL stands for nobody. A command is given up with its studio only: `report`
// returns true.
void studio_set_progress(studio *s, const pliant_progress *progress);

// Runs a command, {"name": {arguments}}. The answer is a JSON text that is valid until the next command: what the
// command answers, or, when this is false, {"code", "place", "message"}; then everything is as it was before, but for a
// bake that cannot go on: the scene has moved, and the bake is over.
bool studio_command(studio *s, const char *text, size_t size);
const char *studio_answer(const studio *s, size_t *size);

// Room for a file of that name, which `open` may name or need; NULL when there is no memory. `open` clears them.
void *studio_file_room(studio *s, const char *name, size_t size);

// The enumerators of View in protocol.ts, in its order.
typedef enum studio_view_kind {
    STUDIO_VIEW_LOOKS,
    STUDIO_VIEW_POSITIONS,
    STUDIO_VIEW_NORMALS,
    STUDIO_VIEW_TRIANGLES,
    STUDIO_VIEW_PARTICLES,
    STUDIO_VIEW_EDGES,
    STUDIO_VIEW_EDGE_VALUES,
    STUDIO_VIEW_SELECTED_VERTICES,
    STUDIO_VIEW_SELECTED_PARTICLES,
    STUDIO_VIEW_WEIGHTS,
    STUDIO_VIEW_UNBOUND_VERTICES,
    STUDIO_VIEW_POSES,
    STUDIO_VIEW_COLLIDERS,
    STUDIO_VIEW_CONTACTS,
    STUDIO_VIEW_FILE,
    STUDIO_VIEW_COUNT,
} studio_view_kind;

enum { STUDIO_PARTICLE_STRIDE = 16 };

// Numbers of a view, valid until the next call; *count is how many floats, integers or bytes there are. NULL when
// there is nothing to see or no memory.
const void *studio_view(studio *s, studio_view_kind kind, size_t *count);

// Steps the staged scene, with grip, wind and recording.
void studio_advance(studio *s, float dt, int steps);
// Brings positions and normals of the staged scene's vertices up to date.
void studio_skin(studio *s);

// What a frame tells beside its views.
typedef struct studio_frame {
    double time;
    double steps;
    double contacts;         // with colliders and between particles
    double sleeping, frozen; // bodies
    double saturated;        // groups that are softer than their material, and
    double substeps;         // how many in 1/60 s would hold them
} studio_frame;

studio_frame studio_frame_now(const studio *s);

// Blocks of the history, by the ids that the command `history` tells.
const void *studio_block(const studio *s, int id, size_t *size);
// Room for a block that `restore` will name, and forget, whether it succeeds or not; NULL when there is no memory.
void *studio_block_room(studio *s, int id, size_t size);

#endif
