// The saved form of a model.
//
// Little-endian. Header: magic, u32 version, u32 reserved (0), u64 size of the whole blob, u64
// checksum of everything behind the header. Then seven u32 counts (particles, edges, groups, members,
// hinges, vertices, triangles), the six words of the material and the elements field by field in that order. What the
// solver needs is derived anew when a blob is loaded, so a blob cannot smuggle in an inconsistent one.

#ifndef PLIANT_MODEL_BLOB_H
#define PLIANT_MODEL_BLOB_H

#include <stddef.h>
#include <stdint.h>

#define BLOB_MAGIC "PLIANT\x1a\n"

enum {
    BLOB_VERSION = 3,
    BLOB_MAGIC_SIZE = 8,
    BLOB_CHECKSUM_OFFSET = 24,
    BLOB_HEADER_SIZE = 32,
};

uint64_t pliant_blob_checksum(const void *bytes, size_t size);

#endif
