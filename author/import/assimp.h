// FBX, DAE, STL and PLY by way of assimp, where Pliant was built with it.

#ifndef PLIANT_AUTHOR_IMPORT_ASSIMP_H
#define PLIANT_AUTHOR_IMPORT_ASSIMP_H

#include <pliant/mesh.h>

// The file as a GLB in metres with +y up: the triangles of its scene, with node transforms applied, and
// its materials with their colour textures. Release *data with free(). Remarks are added to those that are
// there.
pliant_result pli_assimp_to_glb(const char *path, pliant_remarks *remarks, void **data,
                                size_t *size, pliant_error *error);

#endif
