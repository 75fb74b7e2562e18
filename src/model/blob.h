// The saved form of a model: a list of chunks.
//
// Little-endian. Header: magic, u32 version, u32 number of chunks, u64 size of the whole blob, u64 checksum of everything
// behind the header. A chunk is its name in 20 bytes (printable ASCII, the rest zero), u32 version, u64 size of its content
// and the content. A model's chunks hold its elements, one chunk for each kind that it has any of, in the order of
// pli_element_kinds (elements.h); then its rig, where it has one; then the chunks that were unknown when it was loaded, byte for
// byte.
//
// A chunk of elements has the fields of one after those of another, in the order of the kind's table: words of 32 bits,
// of which a number has one, a vector three, a rotation four (x, y, z, w), a flag one (0 or 1); of a list that belongs to an
// element the count. A chunk's version is that of its kind's newest field. An older chunk lacks the fields that came
// later, which then have their defaults; a newer one is refused, because what it says beyond is not known.
//
// The chunk "rig" is a list of arrays (rig/rig.h), for each the u32 count of its elements and the elements: nodes, weights,
// skins, joints, clips, channels, times, values, surfaces, vertices, influences, targets and displacements. An element is the
// words of its struct in pliant/rig.h, in their order; a name is 64 bytes that end in zeroes.
//
// Reading takes chunks in any order. Those of a known kind come once at most; one that is missing holds no elements, and the
// default of the material. What the solver needs is derived anew, so a blob cannot smuggle in an inconsistent one.
//
// Versions 1 to 3 had no chunks: behind the header (with 0 where the number of chunks is) came the u32 counts of particles,
// edges, groups, members, hinges, vertices and triangles, then the elements as chunks of that version have them, those
// of the material first. Version 1 had no hinges, and no count of them; the material came with version 3.

#ifndef PLIANT_MODEL_BLOB_H
#define PLIANT_MODEL_BLOB_H

#include <stddef.h>
#include <stdint.h>

#define BLOB_MAGIC "PLIANT\x1a\n"

enum {
    BLOB_VERSION = 4,
    BLOB_FIRST_WITH_CHUNKS = 4,
    BLOB_MAGIC_SIZE = 8,
    BLOB_CHECKSUM_OFFSET = 24,
    BLOB_HEADER_SIZE = 32,
    BLOB_CHUNK_NAME_SIZE = 20,
    BLOB_CHUNK_HEADER_SIZE = 32,
};

uint64_t pli_blob_checksum(const void *bytes, size_t size);

#endif
