// What skinning is compared with, on the same vertices.

#ifndef PLIANT_BENCH_SKIN_PLAIN_H
#define PLIANT_BENCH_SKIN_PLAIN_H

#include <stdint.h>

typedef struct plain_skin {
    int vertex_count, joint_count;
    float (*joints)[16];   // matrices, column by column
    float (*positions)[3]; // at the bind pose
    float (*normals)[3];
    float (*weights)[4];
    uint16_t (*indices)[4];
    float (*out_positions)[3];
    float (*out_normals)[3];
} plain_skin;

// As one would write it first: blends matrices, then transforms; normals stay as long as they come out.
void plain_skin_move(const plain_skin *skin);
// Reads and writes the same bytes, and does nothing with them but copies and sums.
uint32_t plain_skin_stream(const plain_skin *skin);

#endif
