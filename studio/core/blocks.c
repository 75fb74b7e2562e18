// Immutable bytes with numbers. Equal content is one block, which many entries of the history use: what a tool did not
// change costs nothing.

#include "core.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_bytes(const unsigned char *data, size_t size)
{
    uint64_t hash = hash_word(HASH_START, size);
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, 8);
        hash = hash_word(hash, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, data + i, size - i);
    return hash_word(hash, rest);
}

// Where the id is, or would be.
static int place_of(const studio_blocks *blocks, int id)
{
    int low = 0, high = blocks->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (blocks->items[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

studio_block_item *studio_blocks_find(const studio_blocks *blocks, int id)
{
    int at = place_of(blocks, id);
    return at < blocks->count && blocks->items[at]->id == id ? blocks->items[at] : NULL;
}

static studio_block_item *find_equal(const studio_blocks *blocks, uint64_t hash, const void *data,
                                     size_t size)
{
    for (int i = 0; i < blocks->count; ++i) {
        studio_block_item *block = blocks->items[i];
        if (block->hash == hash && block->size == size && memcmp(block->data, data, size) == 0)
            return block;
    }
    return NULL;
}

static bool reserve(studio_blocks *blocks)
{
    if (blocks->count < blocks->capacity)
        return true;
    int capacity = 2 * blocks->capacity + 16;
    studio_block_item **items = realloc(blocks->items, (size_t)capacity * sizeof *items);
    if (!items)
        return false;
    blocks->items = items;
    blocks->capacity = capacity;
    return true;
}

// Numbers rise, but for those that a kept history brings along: it stays as the page has it.
studio_block_item *studio_blocks_take(studio_blocks *blocks, void *data, size_t size, int wanted_id)
{
    uint64_t hash = hash_bytes(data, size);
    studio_block_item *block = find_equal(blocks, hash, data, size);
    if (block) {
        free(data);
        ++block->uses;
        return block;
    }
    block = reserve(blocks) ? malloc(sizeof *block) : NULL;
    if (!block) {
        free(data);
        return NULL;
    }
    bool is_free = wanted_id > 0 && !studio_blocks_find(blocks, wanted_id);
    int id = is_free ? wanted_id : blocks->last_id + 1;
    *block = (studio_block_item){.id = id, .uses = 1, .hash = hash, .size = size, .data = data};
    int at = place_of(blocks, id);
    memmove(blocks->items + at + 1, blocks->items + at,
            (size_t)(blocks->count - at) * sizeof *blocks->items);
    blocks->items[at] = block;
    ++blocks->count;
    blocks->last_id = id > blocks->last_id ? id : blocks->last_id;
    blocks->bytes += size;
    return block;
}

void studio_block_keep(studio_block_item *block)
{
    ++block->uses;
}

void studio_blocks_drop(studio_blocks *blocks, studio_block_item *block)
{
    if (!block || --block->uses > 0)
        return;
    int at = place_of(blocks, block->id);
    memmove(blocks->items + at, blocks->items + at + 1,
            (size_t)(blocks->count - at - 1) * sizeof *blocks->items);
    --blocks->count;
    blocks->bytes -= block->size;
    free(block->data);
    free(block);
}

void studio_blocks_release(studio_blocks *blocks)
{
    for (int i = 0; i < blocks->count; ++i) {
        free(blocks->items[i]->data);
        free(blocks->items[i]);
    }
    free(blocks->items);
    *blocks = (studio_blocks){0};
}
