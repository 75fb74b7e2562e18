// Drafts: a model in the making. A draft belongs to one visual mesh; tools put particles, edges,
// groups and skin links into it, in any order and as often as wanted, and pliant_draft_build turns it into a
// model. Results depend on the calls and their arguments alone, on every machine.
//
// Each tool works on a selection of vertices or particles; NULL stands for all of them. A tool that fails, or is
// cancelled, leaves the draft as it was.

#ifndef PLIANT_DRAFT_H
#define PLIANT_DRAFT_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_draft pliant_draft;

// Who is told how far a tool has come, many times a second where it takes long: `part` begins at 0, never falls and ends
// at 1, a recipe counting as one tool. When `report` returns false the tool stops with PLIANT_ERROR_CANCELLED; only with
// 1, when it is done, that is ignored. Results do not depend on whether anybody listens.
typedef struct pliant_progress {
    bool (*report)(float part, void *user_data); // NULL: nobody listens
    void *user_data;
} pliant_progress;

// The mesh must outlive the draft and not change.
PLIANT_API pliant_draft *pliant_draft_create(const pliant_mesh *mesh, pliant_error *error);
// The same with somebody who listens from its making on; NULL stands for nobody.
PLIANT_API pliant_draft *pliant_draft_create_with(const pliant_mesh *mesh,
                                                  const pliant_progress *progress,
                                                  pliant_error *error);
// A draft that holds what a model made of the same mesh does.
PLIANT_API pliant_draft *pliant_draft_create_from_model(const pliant_mesh *mesh,
                                                        const pliant_model *model,
                                                        pliant_error *error);
// A draft that holds the same in another size, for its mesh in that size (pliant_mesh_create_scaled). Densities stay.
PLIANT_API pliant_draft *pliant_draft_create_scaled(const pliant_draft *draft,
                                                    const pliant_mesh *mesh, float scale,
                                                    pliant_error *error);
PLIANT_API void pliant_draft_destroy(pliant_draft *draft);

// Who listens to the draft's tools from now on; NULL stands for nobody.
PLIANT_API void pliant_draft_set_progress(pliant_draft *draft, const pliant_progress *progress);

PLIANT_API int pliant_draft_particle_count(const pliant_draft *draft);
PLIANT_API int pliant_draft_edge_count(const pliant_draft *draft);
PLIANT_API int pliant_draft_group_count(const pliant_draft *draft);
// To read and to change, but for the ends of edges; valid until the next tool is used. A mass that is changed is given,
// one that is set to 0 is found again (see pliant_draft_weigh).
PLIANT_API pliant_particle_def *pliant_draft_particle(pliant_draft *draft, int index);
PLIANT_API pliant_edge_def *pliant_draft_edge(pliant_draft *draft, int index);
// Particles and weights of a vertex: PLIANT_MAX_LINKS each, as in pliant_vertex_def.
PLIANT_API const int32_t *pliant_draft_link_particles(const pliant_draft *draft, int vertex);
PLIANT_API const float *pliant_draft_link_weights(const pliant_draft *draft, int vertex);

// The particles in a region. By name those that lie on or nearest to triangles of such parts.
PLIANT_API pliant_result pliant_draft_select(const pliant_draft *draft, const pliant_region *region,
                                             pliant_selection *selection, pliant_error *error);

// Adds the particles that edges join to selected ones, `rounds` times; a negative number takes away those that are
// joined to ones not selected. `whole` takes all that can be reached. `particles` goes in and comes out, and is not NULL.
PLIANT_API pliant_result pliant_draft_grow(const pliant_draft *draft, pliant_selection *particles,
                                           int rounds, bool whole, pliant_error *error);

// How the tools see the object: its surface and inside, cut into small cells that are joined only where
// the object itself is. `spacing` is the distance between particles the draft is made for: parts of one
// piece stay apart however close they come, and pieces closer than `bridge`, at most the spacing, count as joined.
// Tools that place particles set it from their own spacing when nobody has (bridge: a quarter of it).
PLIANT_API pliant_result pliant_draft_set_scale(pliant_draft *draft, float spacing, float bridge,
                                                pliant_error *error);
// That spacing, 0 before there is one.
PLIANT_API float pliant_draft_spacing(const pliant_draft *draft);

// How bodies of the model touch things and lose speed. Of itself as pliant_default_material says; but a slice into an
// empty draft, and pliant_draft_auto of a mesh that is mostly a sheet, let it touch itself.
PLIANT_API pliant_material pliant_draft_material(const pliant_draft *draft);
PLIANT_API pliant_result pliant_draft_set_material(pliant_draft *draft,
                                                   const pliant_material *material,
                                                   pliant_error *error);

// ---------------------------------------------------------------------------------------------
// Keeping a draft: for undo, and for work that outlives a program's run

// A draft's content in sections of bytes, little-endian. A section has the same bytes whenever its content is the
// same, so that a history keeps once what did not change.
typedef enum pliant_draft_section {
    PLIANT_DRAFT_PARTICLES, // with the places they belong to, the scale and the material
    PLIANT_DRAFT_EDGES,
    PLIANT_DRAFT_GROUPS, // explicit groups and hinges
    PLIANT_DRAFT_LINKS,  // of the skin
    PLIANT_DRAFT_SECTION_COUNT,
} pliant_draft_section;

// Bytes.
PLIANT_API size_t pliant_draft_section_size(const pliant_draft *draft,
                                            pliant_draft_section section);
// `data` has room for pliant_draft_section_size bytes.
PLIANT_API void pliant_draft_save_section(const pliant_draft *draft, pliant_draft_section section,
                                          void *data);
// Makes the draft what it was when the sections, all of one moment and of a draft of an equal mesh, were saved. Every
// byte is checked; what fails leaves the draft as it was.
PLIANT_API pliant_result pliant_draft_restore(pliant_draft *draft,
                                              const void *const data[PLIANT_DRAFT_SECTION_COUNT],
                                              const size_t sizes[PLIANT_DRAFT_SECTION_COUNT],
                                              pliant_error *error);

// ---------------------------------------------------------------------------------------------
// Particles

// Blue noise on the triangles whose corners are all selected: no two new particles, and no new and old
// one, closer than the spacing along the object. Old ones count where they were placed, wherever they drifted
// since. A spacing much below the draft's scale is not reached: set that first.
typedef struct pliant_spray_def {
    const pliant_selection *vertices;
    float spacing; // m; 0: found from `count`
    int count;     // about how many, when spacing is 0
    uint32_t seed;
    pliant_vec3 centre; // of the brush: only points within `radius` of it
    float radius;       // m; 0: everywhere
    // A template: position is set; radii 0 stand for 0.6 spacings, and mass 0, the default, for what density says.
    pliant_particle_def particle;
} pliant_spray_def;

// Particles inside, on a lattice: where the object is thick enough to hold them at `clearance` from its
// surface and from other particles. For meshes that are not closed, too.
typedef struct pliant_fill_def {
    const pliant_selection *vertices; // pieces of the mesh with a selected vertex are filled
    float spacing;                    // m, > 0
    float clearance;                  // m; 0 stands for 0.7 spacings
    pliant_particle_def particle;     // as in pliant_spray_def
} pliant_fill_def;

// Particles on cut lines perpendicular to the longest axis of the selected triangles, a quad-like net in
// one layer also where the mesh has several close ones (paper 001, section 6): in the middle of those closer
// than half a spacing. Their x axes point out of the sheet.
typedef struct pliant_slice_def {
    const pliant_selection *vertices;
    float spacing;    // m, > 0
    pliant_vec3 axis; // to walk along; zero: found
    bool edges;       // join neighbours on a line and lines with each other, default true
    float stretch_stiffness, torsion_stiffness; // of the edges
    // As in pliant_spray_def, but radii 0 stand for a quarter of that along x.
    pliant_particle_def particle;
} pliant_slice_def;

PLIANT_API pliant_spray_def pliant_default_spray_def(void);
PLIANT_API pliant_fill_def pliant_default_fill_def(void);
PLIANT_API pliant_slice_def pliant_default_slice_def(void);

PLIANT_API pliant_result pliant_draft_spray(pliant_draft *draft, const pliant_spray_def *def,
                                            pliant_error *error);
PLIANT_API pliant_result pliant_draft_fill(pliant_draft *draft, const pliant_fill_def *def,
                                           pliant_error *error);
PLIANT_API pliant_result pliant_draft_slice(pliant_draft *draft, const pliant_slice_def *def,
                                            pliant_error *error);
// One particle as it is given, but for a mass of 0, which density finds. Returns its index, or -1 with `error` filled.
PLIANT_API int pliant_draft_place(pliant_draft *draft, const pliant_particle_def *particle,
                                  pliant_error *error);
// Removes particles with their edges and links; groups lose the members and vanish when empty. Particles
// behind them move up.
PLIANT_API pliant_result pliant_draft_remove(pliant_draft *draft, const pliant_selection *particles,
                                             pliant_error *error);

// Moves particles, and the places they belong to with them: those on the surface to the nearest point of it there.
// Their skin links stay.
PLIANT_API pliant_result pliant_draft_move(pliant_draft *draft, const pliant_selection *particles,
                                           pliant_vec3 translation, pliant_error *error);

// Which fields of a particle to set.
enum {
    PLIANT_SET_ORIENTATION = 1 << 0,
    PLIANT_SET_RADII = 1 << 1,
    PLIANT_SET_MASS = 1 << 2,
    PLIANT_SET_STIFFNESS = 1 << 3,
    PLIANT_SET_FLAGS = 1 << 4,
    PLIANT_SET_LAYERS = 1 << 5, // and the mask
    PLIANT_SET_YIELD = 1 << 6,  // yield_strain and creep_rate
};
// Gives particles those fields of `values`, each in the range that pliant_particle_def tells.
PLIANT_API pliant_result pliant_draft_set(pliant_draft *draft, const pliant_selection *particles,
                                          const pliant_particle_def *values, uint32_t fields,
                                          pliant_error *error);

// Copies particles to the other side of the plane normal·x = offset, with the edges, groups and hinges among them, and joins
// the copies as the originals are joined to particles near the plane, which stay alone. Where a particle is within
// `tolerance` of a mirrored place already, that one is the copy and takes its values.
typedef struct pliant_mirror_def {
    const pliant_selection
        *particles;     // those in front of the plane or behind it, whichever are selected
    pliant_vec3 normal; // any length but 0, default (1, 0, 0)
    float offset;       // m along the unit normal
    float tolerance;    // m; 0: a quarter of the draft's spacing
    // What lies in front of the plane takes the place of what lies behind it: of the particles those behind are removed,
    // and those within half of the tolerance come to lie on the plane. Vertices that followed what is removed are
    // not bound any more.
    bool replaces;
} pliant_mirror_def;

PLIANT_API pliant_mirror_def pliant_default_mirror_def(void);
PLIANT_API pliant_result pliant_draft_mirror(pliant_draft *draft, const pliant_mirror_def *def,
                                             pliant_error *error);

// Gives particles the shape of the object around them: axes of the area-weighted covariance about the
// centroid, x across, half extents between radius / aspect and radius. With `drift` > 0 the particle first moves
// to that centroid as many times, across the part it lies in but not along it, which takes surface particles of
// an arm to its axis; those that come closer than `merge` along the object become one.
typedef struct pliant_fit_def {
    const pliant_selection *particles;
    float radius; // m; 0: the largest of each one's radii
    float aspect; // >= 1, default 2
    int drift;    // rounds, default 0
    float merge;  // m, 0 keeps all
} pliant_fit_def;

PLIANT_API pliant_fit_def pliant_default_fit_def(void);
PLIANT_API pliant_result pliant_draft_fit(pliant_draft *draft, const pliant_fit_def *def,
                                          pliant_error *error);

// ---------------------------------------------------------------------------------------------
// Edges and groups

// Joins all pairs of selected particles that are closer than `distance`, along the object as well as
// straight: neighbouring fingers stay apart. Edges that exist keep their values.
typedef struct pliant_connect_def {
    const pliant_selection *particles;
    float distance;     // m, > 0
    bool nearest_only;  // only those whose parts of the object touch: a chain, a triangulation
    pliant_vec3 centre; // of the brush: both particles lie within `radius` of it
    float radius;       // m; 0: everywhere
    float stretch_stiffness, torsion_stiffness;
} pliant_connect_def;

PLIANT_API pliant_connect_def pliant_default_connect_def(void);
PLIANT_API pliant_result pliant_draft_connect(pliant_draft *draft, const pliant_connect_def *def,
                                              pliant_error *error);
// One edge as it is given; the index of the one that joins the pair already, with new values, if there is
// one. Returns its index, or -1 with `error` filled.
PLIANT_API int pliant_draft_add_edge(pliant_draft *draft, const pliant_edge_def *edge,
                                     pliant_error *error);
// Removes the edges between selected particles.
PLIANT_API pliant_result pliant_draft_disconnect(pliant_draft *draft,
                                                 const pliant_selection *particles,
                                                 pliant_error *error);
// An explicit group of the particles; `def->members` is not used.
PLIANT_API pliant_result pliant_draft_group(pliant_draft *draft, const pliant_selection *particles,
                                            const pliant_group_def *def, pliant_error *error);
// Removes the groups that have a selected member, with their hinges.
PLIANT_API pliant_result pliant_draft_ungroup(pliant_draft *draft,
                                              const pliant_selection *particles,
                                              pliant_error *error);
// The members of a group; valid until the next tool is used.
PLIANT_API pliant_group_def pliant_draft_group_at(const pliant_draft *draft, int index);

// ---------------------------------------------------------------------------------------------
// Skin, paint and mass

// Links the selected vertices to the nearest of the selected particles along the object, with weights
// that change smoothly along the surface and vanish before the next particle takes over.
typedef struct pliant_bind_def {
    const pliant_selection *vertices;
    const pliant_selection *particles;
    int links; // 1 … PLIANT_MAX_LINKS, default all
} pliant_bind_def;

PLIANT_API pliant_bind_def pliant_default_bind_def(void);
PLIANT_API pliant_result pliant_draft_bind(pliant_draft *draft, const pliant_bind_def *def,
                                           pliant_error *error);

// Takes the links of the selected vertices away.
PLIANT_API pliant_result pliant_draft_unbind(pliant_draft *draft, const pliant_selection *vertices,
                                             pliant_error *error);

typedef enum pliant_paint_target {
    PLIANT_PAINT_STIFFNESS, // of particles, [0, 1]
    PLIANT_PAINT_TORSION,   // of edges whose both ends are painted, [0, 1]
    PLIANT_PAINT_STRETCH,   // the same
    PLIANT_PAINT_MASS,      // kg
    PLIANT_PAINT_SURFACE,   // PLIANT_PARTICLE_SURFACE where the value is at least a half; turns the
                            // particle's axes so that x is the outward one
    PLIANT_PAINT_ANIMATED, // PLIANT_PARTICLE_PINNED in the same way: moved by the program, not by forces
} pliant_paint_target;

// new = old + (value - old) * strength * weight, with the weight 1 within radius * (1 - falloff) of the centre, then
// falling smoothly to 0 at the radius.
typedef struct pliant_paint_def {
    const pliant_selection *particles;
    pliant_paint_target target;
    float value;
    pliant_vec3 centre;
    float radius;   // m; 0: everywhere with weight 1
    float falloff;  // [0, 1], default 0.5
    float strength; // [0, 1], default 1
} pliant_paint_def;

PLIANT_API pliant_paint_def pliant_default_paint_def(void);
PLIANT_API pliant_result pliant_draft_paint(pliant_draft *draft, const pliant_paint_def *def,
                                            pliant_error *error);

// Masses from what belongs to each particle: its part of the inside and of the surface, which counts as
// `thickness` thick where there is no inside. No mass becomes smaller than a quarter of the mean, for the
// solver's sake.
typedef struct pliant_mass_def {
    const pliant_selection *particles;
    float density;   // kg/m³, > 0, default 1000
    float thickness; // m; 0: a tenth of the draft's spacing
    float total;     // kg; > 0: scaled to this sum instead
} pliant_mass_def;

PLIANT_API pliant_mass_def pliant_default_mass_def(void);
PLIANT_API pliant_result pliant_draft_mass(pliant_draft *draft, const pliant_mass_def *def,
                                           pliant_error *error);

// Particles have the mass of the matter they stand for, unless one was given: by a template, by setting or painting it or by
// the total above. Whoever has no density from that tool has the one that it or pliant_draft_auto gave to all
// particles last, else 300 kg/m³. After particles have come, gone or moved this finds such masses anew. Recipes and
// pliant_draft_build do so at their end; particles of earlier models keep theirs.
PLIANT_API pliant_result pliant_draft_weigh(pliant_draft *draft, pliant_error *error);

// Takes stiffness, mass, flags, layers and yielding of particles, and the values of edges between them, from
// an earlier model where its particles lie within `distance` of the draft's; also groups all of whose members
// are there, and the material.
PLIANT_API pliant_result pliant_draft_inherit(pliant_draft *draft, const pliant_model *earlier,
                                              float distance, pliant_error *error);

// A material by name: jelly, flesh, foam, rubber, felt, leather, wood, steel.
typedef struct pliant_material_preset {
    const char *name;
    float young_modulus, density, yield_strain, creep_rate; // of particles
    pliant_material material;
} pliant_material_preset;

PLIANT_API int pliant_material_preset_count(void);
// NULL beyond the last one, and for a name that none has.
PLIANT_API const pliant_material_preset *pliant_material_preset_at(int index);
PLIANT_API const pliant_material_preset *pliant_material_preset_find(const char *name);
// Particles become elastic ones of this material, with masses by its density; of the whole draft (`particles` NULL) bodies also touch
// things and lose speed as it says, but touch themselves as before.
PLIANT_API pliant_result pliant_draft_use_preset(pliant_draft *draft,
                                                 const pliant_selection *particles,
                                                 const pliant_material_preset *preset,
                                                 pliant_error *error);

// ---------------------------------------------------------------------------------------------
// All of it at once

typedef enum pliant_auto_method {
    PLIANT_AUTO_MIXED, // chains in thin limbs, a layer in sheets, filled where thick
    PLIANT_AUTO_SPRAY, // a layer on the surface only
    PLIANT_AUTO_SLICE, // cut lines only: cloth
} pliant_auto_method;

typedef struct pliant_auto_def {
    // Triangles with three selected vertices become a model as if there was nothing else; all other vertices are bound
    // to nothing and stay where they are.
    const pliant_selection *vertices;
    pliant_auto_method method;
    float spacing; // m; 0: from `count`
    int count;     // about how many particles; 0: chosen from the mesh
    uint32_t seed;
    float stiffness; // [0, 1]; negative: chosen
    float density;   // kg/m³, default 300
    float radius;    // m, of the particles; 0: 0.6 spacings; not of slices
    float edges;     // m, longest edge; 0: chosen; not of slices
    int drift;       // rounds for thin parts; negative: chosen
} pliant_auto_def;

PLIANT_API pliant_auto_def pliant_default_auto_def(void);
// Into an empty draft: particles, shapes, edges, masses and skin of the mesh, or of a part of it.
PLIANT_API pliant_result pliant_draft_auto(pliant_draft *draft, const pliant_auto_def *def,
                                           pliant_error *error);

// How a thing lives in a scene.
typedef enum pliant_live {
    PLIANT_LIVE_DROP,   // it is free, and falls
    PLIANT_LIVE_HANG,   // its top edge is pinned
    PLIANT_LIVE_ROOTED, // its foot is pinned
} pliant_live;

// "drop", "hang" or "rooted".
PLIANT_API const char *pliant_live_name(pliant_live live);

// What suits the object: ROOTED where it stands on one small foot with its mass high above, as plants, trees and lamps do,
// unless it is rigged, for characters walk; HANG for an upright sheet: a banner, a garment, hair; DROP for all else.
// The vertical is y. Pins that are there do not matter.
PLIANT_API pliant_result pliant_draft_propose_live(pliant_draft *draft, pliant_live *live,
                                                   pliant_error *error);
// Pins the foot (what comes within a spacing of the lowest point), the top edge of each connected part (its uppermost row,
// of what is deep, such as a collar or a head of hair, as far down as that may be tilted), or nothing; all other pins go.
// What is rooted is matched as one soft group, unless there are groups already, so that it stands and sways; that group
// goes with the root.
PLIANT_API pliant_result pliant_draft_set_live(pliant_draft *draft, pliant_live live,
                                               pliant_error *error);
// What the pins that are there amount to: DROP without any, HANG with some in the upper half, else ROOTED.
PLIANT_API pliant_live pliant_draft_live(const pliant_draft *draft);
PLIANT_API pliant_live pliant_model_live(const pliant_model *model);

// Replays a list of tools with their arguments from JSON (docs/recipe.schema.json). Unknown keys, wrong
// types, values out of range and what a tool finds wrong are errors whose place is a path such as
// "tools[2].spray.spacing"; then the draft is what it was before the first tool.
PLIANT_API pliant_result pliant_draft_run_recipe(pliant_draft *draft, const char *text, size_t size,
                                                 pliant_error *error);

// A selection that the calling program has by a name, for recipes: the vertices for tools that ask for vertices, the
// particles for those that ask for particles, as they were before the first tool. NULL stands for none of them.
typedef struct pliant_named_selection {
    const char *name;
    const pliant_selection *vertices, *particles;
} pliant_named_selection;

// The same with selections of the program's beside the recipe's own, which may not have such a name.
PLIANT_API pliant_result pliant_draft_run_recipe_with(pliant_draft *draft, const char *text,
                                                      size_t size,
                                                      const pliant_named_selection *given,
                                                      int given_count, pliant_error *error);

// The model; the draft stays as it is, but for masses that were not found yet. Some vertex must have been bound. Those
// that were not follow nothing: the model has a pinned particle more, at its origin, which touches nothing and carries
// them. In a body that is not moved they stay where they are to the last bit.
PLIANT_API pliant_model *pliant_draft_build(pliant_draft *draft, pliant_error *error);

#ifdef __cplusplus
}
#endif

#endif
