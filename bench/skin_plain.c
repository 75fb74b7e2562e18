#include "skin_plain.h"

#include <stddef.h>
#include <string.h>

void plain_skin_move(const plain_skin *s)
{
    for (int v = 0; v < s->vertex_count; ++v) {
        float M[4][3] = {{0}};
        for (int k = 0; k < 4; ++k) {
            const float *m = s->joints[s->indices[v][k]];
            for (int c = 0; c < 4; ++c)
                for (int r = 0; r < 3; ++r)
                    M[c][r] += s->weights[v][k] * m[4 * c + r];
        }
        const float *p = s->positions[v], *n = s->normals[v];
        for (int r = 0; r < 3; ++r) {
            s->out_positions[v][r] = M[0][r] * p[0] + M[1][r] * p[1] + M[2][r] * p[2] + M[3][r];
            s->out_normals[v][r] = M[0][r] * n[0] + M[1][r] * n[1] + M[2][r] * n[2];
        }
    }
}

static uint32_t sum_words(const void *from, size_t bytes)
{
    const uint32_t *words = from;
    uint32_t sum = 0;
    for (size_t i = 0; i < bytes / sizeof *words; ++i)
        sum += words[i];
    return sum;
}

uint32_t plain_skin_stream(const plain_skin *s)
{
    size_t count = (size_t)s->vertex_count;
    memcpy(s->out_positions, s->positions, count * sizeof *s->positions);
    memcpy(s->out_normals, s->normals, count * sizeof *s->normals);
    return sum_words(s->indices, count * sizeof *s->indices) +
           sum_words(s->weights, count * sizeof *s->weights);
}
