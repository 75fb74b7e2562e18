// What selections of vertices and particles share.

#ifndef PLIANT_AUTHOR_MESH_SELECT_H
#define PLIANT_AUTHOR_MESH_SELECT_H

#include "math/vec3.h"

#include <pliant/mesh.h>

// The indices of the bytes that are not 0. Release it.
pliant_result pli_selection_from_mask(const unsigned char *mask, int32_t count,
                                      pliant_selection *selection, pliant_error *error);

// The same in place of a selection's indices.
pliant_result pli_selection_replace(pliant_selection *selection, const unsigned char *mask,
                                    int32_t count, pliant_error *error);
// One byte for each of `count` elements: 1 where it is selected; NULL when memory ran out. free() it. An index out of
// range is an error, with `what` ("vertices", "particles") as its place.
unsigned char *pli_selection_mask(const pliant_selection *selection, int32_t count,
                                  const char *what, pliant_error *error);

// Whether the triangles' corners are vertices.
pliant_result pli_mesh_check_triangles(const pliant_mesh *mesh, pliant_error *error);
// Whether a part lies within its mesh.
pliant_result pli_mesh_check_part(const pliant_mesh *mesh, int32_t part, pliant_error *error);

pliant_result pli_region_check(const pliant_region *region, pliant_error *error);
// By the name of a part or a material; all others are by place.
bool pli_region_is_named(const pliant_region *region);
bool pli_region_has_part(const pliant_region *region, const pliant_mesh_part *part);
bool pli_region_has_point(const pliant_region *region, vec3 position);

#endif
