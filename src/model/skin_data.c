// The skin's data for the kernels: vertices in batches of eight, and blocks of batches that hang on few
// particles.

#include "skin_data.h"

#include "math/box.h"
#include "model.h"

typedef struct packing {
    skin_data *skin;
    const elements *from;
    int32_t *place; // per particle: where in the palette it was put last
} packing;

// The last pinned particle that carries a vertex alone, -1 when there is none.
static int32_t find_carrier(const elements *e)
{
    int32_t last = -1;
    for (int i = 0; i < e->vertex_count; ++i) {
        const pliant_vertex_def *v = &e->vertices[i];
        bool is_pinned = e->particles[v->particles[0]].flags & PLIANT_PARTICLE_PINNED;
        if (is_pinned && v->weights[0] == 1.0f && v->particles[0] > last)
            last = v->particles[0];
    }
    return last;
}

// The particle nearest to the middle of all, or a pinned one that carries vertices alone: beside that they stay where
// they are to the last bit, whatever the others do.
static int32_t find_reference(const elements *e)
{
    int32_t carrier = find_carrier(e);
    if (carrier >= 0)
        return carrier;
    box all = box_empty();
    for (int i = 0; i < e->particle_count; ++i)
        all = box_union(all, box_around(e->particles[i].position, e->particles[i].position, 0.0f));
    vec3 middle = vec3_scale(vec3_add(all.low, all.high), 0.5f);
    int32_t nearest = 0;
    float least = 0.0f;
    for (int i = 0; i < e->particle_count; ++i) {
        float distance = vec3_length(vec3_sub(e->particles[i].position, middle));
        if (i == 0 || distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

static const pliant_vertex_def *batch_vertex(const packing *p, int index, int lane)
{
    int vertex = index * SKIN_BATCH + lane, last = p->from->vertex_count - 1;
    return &p->from->vertices[vertex < last ? vertex : last];
}

static int32_t link_particle(const pliant_vertex_def *v, int link)
{
    return v->particles[v->weights[link] > 0.0f ? link : 0];
}

// Where a particle is in the palette of a block, the last one so far. `place` may be from another block
// or from a batch that did not fit: what stands there tells.
static int32_t place_in_palette(packing *p, const skin_block *block, int32_t particle)
{
    skin_data *skin = p->skin;
    int32_t at = p->place[particle];
    if (at < block->first_particle || at >= skin->palette_count || skin->palette[at] != particle) {
        at = p->place[particle] = skin->palette_count++;
        skin->palette[at] = particle;
    }
    return at - block->first_particle;
}

// Adds a batch's particles to a block; false, and none is added, when they are too many.
static bool add_to_block(packing *p, skin_block *block, int index)
{
    int before = p->skin->palette_count;
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
        for (int i = 0; i < SKIN_BATCH; ++i)
            place_in_palette(p, block, link_particle(batch_vertex(p, index, i), k));
    if (p->skin->palette_count - block->first_particle > SKIN_PALETTE) {
        p->skin->palette_count = before;
        return false;
    }
    block->batch_count += 1;
    return true;
}

static void fill_batch(packing *p, const skin_block *block, int index)
{
    skin_batch *vertices = &p->skin->batches[index];
    vec3 origin = p->from->particles[p->skin->reference].position;
    for (int i = 0; i < SKIN_BATCH; ++i) {
        const pliant_vertex_def *v = batch_vertex(p, index, i);
        vec3 position = vec3_sub(v->position, origin);
        vertices->position[0][i] = position.x;
        vertices->position[1][i] = position.y;
        vertices->position[2][i] = position.z;
        vertices->normal[0][i] = v->normal.x;
        vertices->normal[1][i] = v->normal.y;
        vertices->normal[2][i] = v->normal.z;
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
            vertices->weights[k][i] = v->weights[k];
            int32_t place = place_in_palette(p, block, link_particle(v, k));
            vertices->links[k][i] = (uint16_t)(place * SKIN_STRIDE);
        }
    }
}

// Fills up the palette of the last block.
static void close_block(skin_data *skin)
{
    skin_block *block = &skin->blocks[skin->block_count - 1];
    int32_t last = skin->palette[skin->palette_count - 1];
    while ((skin->palette_count - block->first_particle) % SKIN_BATCH)
        skin->palette[skin->palette_count++] = last;
    block->particle_count = skin->palette_count - block->first_particle;
}

// Room for a block more, the particles of a batch and what fills up two blocks.
static bool reserve(skin_data *skin, const pliant_allocator *allocator)
{
    enum { MOST = 2 * SKIN_BATCH * PLIANT_MAX_LINKS };
    return pli_memory_grow(allocator, (void **)&skin->blocks, sizeof *skin->blocks,
                           skin->block_count, &skin->block_capacity, skin->block_count + 1) &&
           pli_memory_grow(allocator, (void **)&skin->palette, sizeof *skin->palette,
                           skin->palette_count, &skin->palette_capacity,
                           skin->palette_count + MOST);
}

static bool pack(packing *p, const pliant_allocator *allocator)
{
    skin_data *skin = p->skin;
    for (int index = 0; index * SKIN_BATCH < p->from->vertex_count; ++index) {
        if (!reserve(skin, allocator))
            return false;
        bool is_first = index == 0;
        if (is_first || !add_to_block(p, &skin->blocks[skin->block_count - 1], index)) {
            if (!is_first)
                close_block(skin);
            skin->blocks[skin->block_count++] =
                (skin_block){.first_batch = index, .first_particle = skin->palette_count};
            add_to_block(p, &skin->blocks[skin->block_count - 1], index);
        }
        fill_batch(p, &skin->blocks[skin->block_count - 1], index);
    }
    close_block(skin);
    return true;
}

bool pli_skin_data_build(skin_data *skin, const elements *from, const pliant_allocator *allocator)
{
    if (from->vertex_count == 0)
        return true;
    packing p = {.skin = skin, .from = from};
    size_t batches = ((size_t)from->vertex_count + SKIN_BATCH - 1) / SKIN_BATCH;
    skin->reference = find_reference(from);
    skin->batches = pli_memory_new(allocator, batches, sizeof *skin->batches);
    p.place = pli_memory_new(allocator, (size_t)from->particle_count, sizeof *p.place);
    bool enough = skin->batches && p.place && pack(&p, allocator);
    pli_memory_free(allocator, p.place);
    return enough;
}

void pli_skin_data_free(skin_data *skin, const pliant_allocator *allocator)
{
    pli_memory_free(allocator, skin->batches);
    pli_memory_free(allocator, skin->blocks);
    pli_memory_free(allocator, skin->palette);
    *skin = (skin_data){0};
}
