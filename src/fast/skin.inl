// Skinning, eight vertices to a batch, WIDE of which are taken at a time.
//
// T_i(p) = R_i p + t_i with p from the reference particle at the bind pose and t_i from where that particle
// is now. A block's transforms are made first and lie on the stack: bodies can be skinned on any number of
// threads.

#include "solve/skin.h"

_Static_assert(SKIN_BATCH % WIDE == 0, "a batch is taken in whole parts");

// What is blended: the rows of (R | t), or a rotation's quaternion and its dual part ½ t q.
typedef struct skin_transform {
    _Alignas(SKIN_STRIDE) float rows[4][4]; // the last one is zero
} skin_transform;

typedef struct skin_dual_quaternion {
    _Alignas(SKIN_STRIDE) float real[4];
    float dual[4];
} skin_dual_quaternion;

_Static_assert(sizeof(skin_transform) == SKIN_STRIDE, "links are offsets");
_Static_assert(sizeof(skin_dual_quaternion) == SKIN_STRIDE, "links are offsets");

typedef struct wide_transform {
    wide_mat3 R;
    wide_vec3 t;
} wide_transform;

// quat_blend
WIDE_INLINE wide_quat skin_blend_turns(wide_quat a, wide_quat b, float blend)
{
    const wide t = wide_all(blend), from = wide_all(1.0f - blend);
    wide dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    wide toward = wide_select(dot < wide_all(0.0f), -t, t);
    wide_quat sum = {from * a.x + toward * b.x, from * a.y + toward * b.y,
                     from * a.z + toward * b.z, from * a.w + toward * b.w};
    return wide_quat_normalize(sum);
}

// Of WIDE particles; *q gets their rotations.
WIDE_INLINE wide_transform skin_particles(const skin_task *task, const int32_t *particles,
                                          wide_quat *q)
{
    vec3 bind_origin = task->bind[task->skin->reference].position;
    wide_vec3 bind = wide_vec3_gather(task->bind, particles, sizeof *task->bind, NULL);
    wide_vec3 x = wide_vec3_gather(task->x, particles, sizeof *task->x, NULL);
    *q = wide_quat_gather(task->turn, particles);
    if (task->x_before) {
        wide_vec3 before = wide_vec3_gather(task->x_before, particles, sizeof *task->x, NULL);
        x = wide_vec3_add_scaled(before, wide_vec3_sub(x, before), wide_all(task->blend));
        *q = skin_blend_turns(wide_quat_gather(task->turn_before, particles), *q, task->blend);
    }
    wide_mat3 R = wide_quat_to_mat3(*q);
    wide_vec3 arm = wide_vec3_sub(bind, wide_vec3_all(bind_origin));
    wide_vec3 moved = wide_vec3_sub(x, wide_vec3_all(task->origin));
    return (wide_transform){R, wide_vec3_sub(moved, wide_mat3_mul_vec(&R, arm))};
}

static void skin_make_transforms(const skin_task *task, const skin_block *block,
                                 skin_transform *out)
{
    const wide zero = wide_all(0.0f);
    for (int i = 0; i < block->particle_count; i += WIDE) {
        wide_quat q;
        wide_transform T =
            skin_particles(task, task->skin->palette + block->first_particle + i, &q);
        const wide rows[4][4] = {{T.R.m[0][0], T.R.m[0][1], T.R.m[0][2], T.t.x},
                                 {T.R.m[1][0], T.R.m[1][1], T.R.m[1][2], T.t.y},
                                 {T.R.m[2][0], T.R.m[2][1], T.R.m[2][2], T.t.z},
                                 {zero, zero, zero, zero}};
        WIDE_UNROLL
        for (int row = 0; row < 4; ++row)
            wide_scatter_quads(out[i].rows[row], WIDE_FIRST, sizeof *out, rows[row]);
    }
}

static void skin_make_dual_quaternions(const skin_task *task, const skin_block *block,
                                       skin_dual_quaternion *out)
{
    for (int i = 0; i < block->particle_count; i += WIDE) {
        wide_quat q;
        wide_transform T =
            skin_particles(task, task->skin->palette + block->first_particle + i, &q);
        wide_vec3 half = wide_vec3_scale(T.t, wide_all(0.5f));
        wide_quat d = wide_quat_mul((wide_quat){half.x, half.y, half.z, wide_all(0.0f)}, q);
        const wide real[4] = {q.x, q.y, q.z, q.w}, dual[4] = {d.x, d.y, d.z, d.w};
        wide_scatter_quads(out[i].real, WIDE_FIRST, sizeof *out, real);
        wide_scatter_quads(out[i].dual, WIDE_FIRST, sizeof *out, dual);
    }
}

// Where a batch's vertices go: to the caller, or to `spare` when there are less than eight.
WIDE_INLINE vec3 *skin_place(const skin_task *task, vec3 *to, int index, vec3 *spare)
{
    return (index + 1) * SKIN_BATCH <= task->vertex_count ? to + index * SKIN_BATCH : spare;
}

// From the spare places of the last batch to the caller's.
static void skin_copy_rest(const skin_task *task, const vec3 *positions, const vec3 *normals)
{
    int left = task->vertex_count % SKIN_BATCH, first = task->vertex_count - left;
    memcpy(task->positions + first, positions, (size_t)left * sizeof *positions);
    if (task->normals)
        memcpy(task->normals + first, normals, (size_t)left * sizeof *normals);
}

// ---------------------------------------------------------------------------------------------
// Linear: whole transforms are blended, vertex by vertex, and only the sums are turned round to one component in a
// register each.

enum { ROWS_AT_ONCE = WIDE / 4 };

// Σ w_k T_k of vertices from i on
WIDE_INLINE void skin_blend(const skin_batch *vertices, const skin_transform *transforms, int i,
                            int count, skin_transform *sums)
{
    for (int end = i + count; i < end; ++i)
        WIDE_UNROLL
    for (int row = 0; row < 3; row += ROWS_AT_ONCE) {
        wide sum;
        WIDE_UNROLL
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
            const skin_transform *T =
                (const void *)((const char *)transforms + vertices->links[k][i]);
            wide weighted = wide_load(T->rows[row]) * wide_all(vertices->weights[k][i]);
            sum = k ? sum + weighted : weighted;
        }
        wide_store(sums[i].rows[row], sum);
    }
}

// One coordinate of vertices and of their normals.
WIDE_INLINE void skin_move(const skin_batch *vertices, int lane, const skin_transform *sums,
                           int row, float origin, wide *position, wide *normal)
{
    wide T[4];
    wide_gather_quads(sums[lane].rows[row], WIDE_FIRST, sizeof *sums, T);
    wide p = T[0] * wide_load(vertices->position[0] + lane) +
             T[1] * wide_load(vertices->position[1] + lane) +
             T[2] * wide_load(vertices->position[2] + lane);
    *position = wide_all(origin) + (p + T[3]);
    *normal = T[0] * wide_load(vertices->normal[0] + lane) +
              T[1] * wide_load(vertices->normal[1] + lane) +
              T[2] * wide_load(vertices->normal[2] + lane);
}

// 1 / |n|, or 1 where n is too short to have a direction.
WIDE_INLINE wide skin_unit_scale(const wide n[3])
{
    const wide one = wide_all(1.0f);
    wide length = wide_square_root(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return wide_select(length > wide_all(1e-12f), one / length, one);
}

// Finishes lanes of one batch between the vertices of the next, whose sums it makes: either alone would wait for its
// own results longer than a processor looks ahead. `normals` may be NULL.
WIDE_INLINE void skin_linear_lanes(const skin_batch *vertices, int lane, const skin_transform *sums,
                                   const skin_batch *next, skin_transform *next_sums,
                                   const skin_transform *transforms, vec3 origin, vec3 *positions,
                                   vec3 *normals)
{
    enum { SOME = WIDE / 4 };
    wide p[3], n[3];
    skin_move(vertices, lane, sums, 0, origin.x, &p[0], &n[0]);
    skin_blend(next, transforms, lane, SOME, next_sums);
    skin_move(vertices, lane, sums, 1, origin.y, &p[1], &n[1]);
    skin_blend(next, transforms, lane + SOME, SOME, next_sums);
    skin_move(vertices, lane, sums, 2, origin.z, &p[2], &n[2]);
    skin_blend(next, transforms, lane + 2 * SOME, SOME, next_sums);
    wide scale = skin_unit_scale(n);
    wide_store_triples(&positions[lane].x, p[0], p[1], p[2]);
    skin_blend(next, transforms, lane + 3 * SOME, SOME, next_sums);
    if (normals)
        wide_store_triples(&normals[lane].x, n[0] * scale, n[1] * scale, n[2] * scale);
}

// Once with and once without normals, so that a batch has no branch in it.
WIDE_INLINE void skin_linear_blocks(const skin_task *task, bool with_normals)
{
    skin_transform transforms[SKIN_PALETTE], sums[2][SKIN_BATCH];
    vec3 spare[2][SKIN_BATCH], origin = task->origin;
    for (int b = 0; b < task->skin->block_count; ++b) {
        const skin_block *block = &task->skin->blocks[b];
        const skin_batch *batches = task->skin->batches + block->first_batch;
        skin_make_transforms(task, block, transforms);
        skin_blend(&batches[0], transforms, 0, SKIN_BATCH, sums[0]);
        for (int i = 0; i < block->batch_count; ++i) {
            int next = i + 1 < block->batch_count ? i + 1 : i, index = block->first_batch + i;
            vec3 *positions = skin_place(task, task->positions, index, spare[0]);
            vec3 *normals = with_normals ? skin_place(task, task->normals, index, spare[1]) : NULL;
            for (int lane = 0; lane < SKIN_BATCH; lane += WIDE)
                skin_linear_lanes(&batches[i], lane, sums[i & 1], &batches[next], sums[~i & 1],
                                  transforms, origin, positions, normals);
        }
    }
    skin_copy_rest(task, spare[0], spare[1]);
}

static void skin_linear(const skin_task *task)
{
    if (task->normals)
        skin_linear_blocks(task, true);
    else
        skin_linear_blocks(task, false);
}

// ---------------------------------------------------------------------------------------------
// Dual quaternions

WIDE_INLINE wide_vec3 skin_load(const float v[3][SKIN_BATCH], int lane)
{
    return (wide_vec3){wide_load(v[0] + lane), wide_load(v[1] + lane), wide_load(v[2] + lane)};
}

WIDE_INLINE void skin_gather_link(const skin_batch *vertices, int lane,
                                  const skin_dual_quaternion *from, int link, wide real[4],
                                  wide dual[4])
{
    int32_t offsets[WIDE];
    for (int i = 0; i < WIDE; ++i)
        offsets[i] = vertices->links[link][lane + i];
    wide_gather_quads(from->real, offsets, 1, real);
    wide_gather_quads(from->dual, offsets, 1, dual);
}

// Σ w_k (q_k, d_k) on the side of the first link's rotation: q and -q are the same.
WIDE_INLINE void skin_blend_dual(const skin_batch *vertices, int lane,
                                 const skin_dual_quaternion *from, wide_quat *real, wide_quat *dual)
{
    wide lead[4], q[4], d[4], r[4], u[4];
    skin_gather_link(vertices, lane, from, 0, lead, u);
    wide w = wide_load(vertices->weights[0] + lane);
    WIDE_UNROLL
    for (int c = 0; c < 4; ++c) {
        r[c] = lead[c] * w;
        u[c] = u[c] * w;
    }
    WIDE_UNROLL
    for (int k = 1; k < PLIANT_MAX_LINKS; ++k) {
        skin_gather_link(vertices, lane, from, k, q, d);
        wide dot = q[0] * lead[0] + q[1] * lead[1] + q[2] * lead[2] + q[3] * lead[3];
        w = wide_load(vertices->weights[k] + lane);
        w = wide_select(dot < wide_all(0.0f), -w, w);
        WIDE_UNROLL
        for (int c = 0; c < 4; ++c) {
            r[c] = r[c] + w * q[c];
            u[c] = u[c] + w * d[c];
        }
    }
    *real = (wide_quat){r[0], r[1], r[2], r[3]};
    *dual = (wide_quat){u[0], u[1], u[2], u[3]};
}

// Of a dual quaternion of any length: one division takes the place of normalising it.
WIDE_INLINE wide_transform skin_transform_of(wide_quat real, wide_quat dual)
{
    wide scale = wide_all(2.0f) / wide_quat_dot(real, real);
    wide_quat t = wide_quat_mul(dual, wide_quat_conjugate(real)); // translation / 2
    return (wide_transform){wide_quat_to_scaled_mat3(real, scale),
                            wide_vec3_scale((wide_vec3){t.x, t.y, t.z}, scale)};
}

WIDE_INLINE void skin_dual_lanes(const skin_batch *vertices, int lane,
                                 const skin_dual_quaternion *transforms, wide_vec3 origin,
                                 vec3 *positions, vec3 *normals)
{
    wide_quat real, dual;
    skin_blend_dual(vertices, lane, transforms, &real, &dual);
    wide_transform T = skin_transform_of(real, dual);
    wide_vec3 p = wide_mat3_mul_vec(&T.R, skin_load(vertices->position, lane));
    p = wide_vec3_add(origin, wide_vec3_add(p, T.t));
    wide_store_triples(&positions[lane].x, p.x, p.y, p.z);
    if (!normals)
        return;
    wide_vec3 n = wide_mat3_mul_vec(&T.R, skin_load(vertices->normal, lane));
    wide_store_triples(&normals[lane].x, n.x, n.y, n.z);
}

static void skin_dual_quaternions(const skin_task *task)
{
    skin_dual_quaternion transforms[SKIN_PALETTE];
    vec3 spare[2][SKIN_BATCH];
    wide_vec3 origin = wide_vec3_all(task->origin);
    for (int b = 0; b < task->skin->block_count; ++b) {
        const skin_block *block = &task->skin->blocks[b];
        skin_make_dual_quaternions(task, block, transforms);
        for (int i = block->first_batch; i < block->first_batch + block->batch_count; ++i) {
            vec3 *positions = skin_place(task, task->positions, i, spare[0]);
            vec3 *normals = task->normals ? skin_place(task, task->normals, i, spare[1]) : NULL;
            for (int lane = 0; lane < SKIN_BATCH; lane += WIDE)
                skin_dual_lanes(&task->skin->batches[i], lane, transforms, origin, positions,
                                normals);
        }
    }
    skin_copy_rest(task, spare[0], spare[1]);
}
