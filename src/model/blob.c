// Saving and loading blobs. Reading never trusts a size: it must fit into the blob before anything is allocated for
// it, and the elements go through the same checks as a builder's.

#include "blob.h"

#include "core/hash.h"
#include "model.h"
#include "rig/rig.h"

#include <string.h>

#define RIG_CHUNK "rig"

uint64_t pli_blob_checksum(const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    uint64_t state = hash_word(HASH_START, size);
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word = 0;
        for (size_t k = 0; k < 4 && i + k < size; ++k)
            word |= (uint32_t)from[i + k] << (8 * k);
        state = hash_word(state, word);
    }
    return state;
}

// ---------------------------------------------------------------------------------------------
// Writing

static uint8_t *put_word(uint8_t *at, uint32_t word)
{
    for (int k = 0; k < 4; ++k)
        at[k] = (uint8_t)(word >> (8 * k));
    return at + 4;
}

static uint8_t *put_long(uint8_t *at, uint64_t word)
{
    at = put_word(at, (uint32_t)word);
    return put_word(at, (uint32_t)(word >> 32));
}

static uint8_t *put_chunk_header(uint8_t *at, const char *name, uint32_t version, uint64_t size)
{
    memset(at, 0, BLOB_CHUNK_NAME_SIZE);
    memcpy(at, name, strlen(name));
    at = put_word(at + BLOB_CHUNK_NAME_SIZE, version);
    return put_long(at, size);
}

static uint8_t *put_elements(uint8_t *at, const elements *e, const element_kind *kind)
{
    int count = pli_elements_count(e, kind);
    uint32_t version = pli_element_version(kind);
    at = put_chunk_header(at, kind->name, version,
                          (uint64_t)count * pli_element_bytes(kind, version));
    for (int i = 0; i < count; ++i)
        at = pli_element_write(kind, pli_elements_at(e, kind, i), at);
    return at;
}

size_t pliant_model_blob_size(const pliant_model *model)
{
    const elements *e = &model->source;
    size_t size = BLOB_HEADER_SIZE + e->unknown_size;
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = &pli_element_kinds[i];
        size_t count = (size_t)pli_elements_count(e, kind);
        if (count > 0)
            size +=
                BLOB_CHUNK_HEADER_SIZE + count * pli_element_bytes(kind, pli_element_version(kind));
    }
    if (e->rig)
        size += BLOB_CHUNK_HEADER_SIZE + pli_rig_saved_size(e->rig);
    return size;
}

void pliant_model_save(const pliant_model *model, void *blob)
{
    const elements *e = &model->source;
    uint8_t *body = (uint8_t *)blob + BLOB_HEADER_SIZE, *at = body;
    uint32_t chunks = (uint32_t)e->unknown_count;
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        if (pli_elements_count(e, &pli_element_kinds[i]) == 0)
            continue;
        at = put_elements(at, e, &pli_element_kinds[i]);
        chunks += 1;
    }
    if (e->rig) {
        at = put_chunk_header(at, RIG_CHUNK, RIG_VERSION, pli_rig_saved_size(e->rig));
        at = pli_rig_write(e->rig, at);
        chunks += 1;
    }
    if (e->unknown_size > 0)
        memcpy(at, e->unknown_chunks, e->unknown_size);
    size_t body_size = (size_t)(at - body) + e->unknown_size;

    at = blob;
    memcpy(at, BLOB_MAGIC, BLOB_MAGIC_SIZE);
    at = put_word(at + BLOB_MAGIC_SIZE, BLOB_VERSION);
    at = put_word(at, chunks);
    at = put_long(at, BLOB_HEADER_SIZE + body_size);
    put_long(at, pli_blob_checksum(body, body_size));
}

// ---------------------------------------------------------------------------------------------
// Reading

static uint32_t take_word(const uint8_t **at)
{
    const uint8_t *p = *at;
    *at += 4;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t take_long(const uint8_t **at)
{
    uint64_t low = take_word(at);
    return low | (uint64_t)take_word(at) << 32;
}

// What is being loaded, and how far that is.
typedef struct blob_reader {
    const pliant_allocator *allocator;
    pliant_error *error;
    const uint8_t *at, *end;
    uint32_t version, chunk_count;
    elements elements;
} blob_reader;

static size_t bytes_left(const blob_reader *r)
{
    return (size_t)(r->end - r->at);
}

static pliant_result check_header(blob_reader *r, const uint8_t *blob, size_t size)
{
    if (size < BLOB_HEADER_SIZE || memcmp(blob, BLOB_MAGIC, BLOB_MAGIC_SIZE))
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "header", "this is not a Pliant model");
    r->at = blob + BLOB_MAGIC_SIZE;
    r->end = blob + size;
    r->version = take_word(&r->at);
    r->chunk_count = take_word(&r->at);
    if (r->version > BLOB_VERSION)
        return pli_error_set(r->error, PLIANT_ERROR_VERSION, "header",
                             "version %u, this library reads up to %d", (unsigned)r->version,
                             BLOB_VERSION);
    if (r->version < 1 || (r->version < BLOB_FIRST_WITH_CHUNKS && r->chunk_count != 0))
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "header", "damaged");
    uint64_t stated = take_long(&r->at), checksum = take_long(&r->at);
    if (stated != size)
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "header",
                             "%llu bytes expected, %llu found", (unsigned long long)stated,
                             (unsigned long long)size);
    if (checksum != pli_blob_checksum(r->at, bytes_left(r)))
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "content", "checksum does not match");
    return PLIANT_OK;
}

// All elements of a kind, whose bytes are there.
static pliant_result take_elements(blob_reader *r, const element_kind *kind, int count,
                                   uint32_t version)
{
    if (!kind->is_single && !pli_elements_allocate(&r->elements, kind, count, r->allocator))
        return pli_error_memory(r->error);
    for (int i = 0; i < count; ++i)
        if (!pli_element_read(kind, pli_elements_at(&r->elements, kind, i), version, &r->at))
            return pli_error_set(r->error, PLIANT_ERROR_FORMAT, kind->name,
                                 "a flag is neither 0 nor 1");
    return PLIANT_OK;
}

// A kind of which the blob has nothing to say.
static pliant_result take_nothing(blob_reader *r, const element_kind *kind)
{
    if (kind->is_single)
        pli_element_reset(kind, pli_elements_at(&r->elements, kind, 0));
    else if (!pli_elements_allocate(&r->elements, kind, 0, r->allocator))
        return pli_error_memory(r->error);
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Chunks

typedef struct chunk {
    const uint8_t *whole; // with its header
    char name[BLOB_CHUNK_NAME_SIZE];
    uint32_t version;
    size_t size; // of the content
} chunk;

static bool is_chunk_name(const char name[BLOB_CHUNK_NAME_SIZE])
{
    int length = 0;
    while (length < BLOB_CHUNK_NAME_SIZE && name[length] > ' ' && name[length] <= '~')
        ++length;
    for (int i = length; i < BLOB_CHUNK_NAME_SIZE; ++i)
        if (name[i])
            return false;
    return length > 0;
}

// The next chunk's header; its content is where the reader is afterwards.
static pliant_result open_chunk(blob_reader *r, int index, chunk *c)
{
    c->whole = r->at;
    if (bytes_left(r) < BLOB_CHUNK_HEADER_SIZE)
        return pli_error_set_at(r->error, PLIANT_ERROR_FORMAT, "chunk", index,
                                "the blob ends before it");
    memcpy(c->name, r->at, BLOB_CHUNK_NAME_SIZE);
    r->at += BLOB_CHUNK_NAME_SIZE;
    c->version = take_word(&r->at);
    uint64_t size = take_long(&r->at);
    if (!is_chunk_name(c->name))
        return pli_error_set_at(r->error, PLIANT_ERROR_FORMAT, "chunk", index,
                                "its name is damaged");
    if (size > bytes_left(r))
        return pli_error_set_at(r->error, PLIANT_ERROR_FORMAT, "chunk", index,
                                "the blob ends within it");
    c->size = (size_t)size;
    return PLIANT_OK;
}

static bool is_named(const chunk *c, const char *name)
{
    return strncmp(c->name, name, BLOB_CHUNK_NAME_SIZE) == 0;
}

static int find_kind(const chunk *c)
{
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i)
        if (is_named(c, pli_element_kinds[i].name))
            return i;
    return ELEMENT_NONE;
}

static pliant_result check_version(const blob_reader *r, const char *name, const chunk *c,
                                   uint32_t newest)
{
    if (c->version <= newest)
        return PLIANT_OK;
    return pli_error_set(r->error, PLIANT_ERROR_VERSION, name,
                         "version %u, this library reads up to %u", (unsigned)c->version,
                         (unsigned)newest);
}

static pliant_result take_known_chunk(blob_reader *r, const element_kind *kind, const chunk *c)
{
    pliant_result result = check_version(r, kind->name, c, pli_element_version(kind));
    if (result)
        return result;
    size_t each = pli_element_bytes(kind, c->version);
    if (each == 0)
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, kind->name, "damaged");
    size_t count = c->size / each;
    if (c->size % each != 0 || count > INT32_MAX / 4 || (kind->is_single && count != 1))
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, kind->name,
                             "do not fit the size of their chunk");
    return take_elements(r, kind, (int)count, c->version);
}

static pliant_result take_rig(blob_reader *r, int index, const chunk *c)
{
    if (r->elements.rig)
        return pli_error_set_at(r->error, PLIANT_ERROR_FORMAT, "chunk", index, "a second one of %s",
                                RIG_CHUNK);
    pliant_result result = check_version(r, RIG_CHUNK, c, RIG_VERSION);
    if (result)
        return result;
    pliant_error fault = {.code = PLIANT_OK};
    r->elements.rig = pli_rig_read(r->at, c->size, r->allocator, &fault);
    r->at += c->size;
    if (r->elements.rig)
        return PLIANT_OK;
    return pli_error_set(r->error, fault.code, fault.place, "%s", fault.message);
}

// Room for one unknown chunk is room for all that may still come, so that there is one allocation for any number.
static pliant_result keep_chunk(blob_reader *r, const chunk *c)
{
    elements *e = &r->elements;
    size_t size = BLOB_CHUNK_HEADER_SIZE + c->size;
    if (!e->unknown_chunks)
        e->unknown_chunks = pli_memory_new(r->allocator, (size_t)(r->end - c->whole), 1);
    if (!e->unknown_chunks)
        return pli_error_memory(r->error);
    memcpy(e->unknown_chunks + e->unknown_size, c->whole, size);
    e->unknown_size += size;
    e->unknown_count += 1;
    r->at += c->size;
    return PLIANT_OK;
}

static pliant_result take_chunks(blob_reader *r)
{
    bool is_found[ELEMENT_KIND_COUNT] = {0};
    pliant_result result = PLIANT_OK;
    for (uint32_t i = 0; i < r->chunk_count && !result; ++i) {
        chunk c;
        if ((result = open_chunk(r, (int)i, &c)) != PLIANT_OK)
            break;
        int id = find_kind(&c);
        if (is_named(&c, RIG_CHUNK)) {
            result = take_rig(r, (int)i, &c);
            continue;
        }
        if (id == ELEMENT_NONE) {
            result = keep_chunk(r, &c);
            continue;
        }
        result = is_found[id] ? pli_error_set_at(r->error, PLIANT_ERROR_FORMAT, "chunk", (int)i,
                                                 "a second one of %s", pli_element_kinds[id].name)
                              : take_known_chunk(r, &pli_element_kinds[id], &c);
        is_found[id] = true;
    }
    for (int i = 0; i < ELEMENT_KIND_COUNT && !result; ++i)
        if (!is_found[i])
            result = take_nothing(r, &pli_element_kinds[i]);
    if (!result && bytes_left(r) > 0)
        result =
            pli_error_set(r->error, PLIANT_ERROR_FORMAT, "content",
                          "%llu bytes behind the last chunk", (unsigned long long)bytes_left(r));
    return result;
}

// ---------------------------------------------------------------------------------------------
// Versions 1 to 3: no chunks

static bool take_counts(blob_reader *r, int counts[ELEMENT_KIND_COUNT])
{
    uint64_t size = 0; // below 2^29 · 2^7 for each kind: cannot overflow
    for (int i = 0; i < ELEMENT_KIND_COUNT; ++i) {
        const element_kind *kind = &pli_element_kinds[i];
        size_t each = pli_element_bytes(kind, r->version);
        uint32_t count = each > 0;
        if (each > 0 && !kind->is_single) {
            if (bytes_left(r) < 4)
                return false;
            count = take_word(&r->at);
        }
        if (count > INT32_MAX / 4)
            return false;
        counts[i] = (int)count;
        size += (uint64_t)count * each;
    }
    return size == bytes_left(r);
}

static pliant_result take_plain(blob_reader *r)
{
    int counts[ELEMENT_KIND_COUNT];
    if (!take_counts(r, counts))
        return pli_error_set(r->error, PLIANT_ERROR_FORMAT, "counts",
                             "do not fit the size of the blob");
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < ELEMENT_KIND_COUNT && !result; ++i)
        result = counts[i] > 0 ? take_elements(r, &pli_element_kinds[i], counts[i], r->version)
                               : take_nothing(r, &pli_element_kinds[i]);
    return result;
}

pliant_model *pliant_model_load(const void *blob, size_t size, const pliant_allocator *allocator,
                                pliant_error *error)
{
    pliant_allocator chosen = pli_allocator_or_default(allocator);
    blob_reader r = {.allocator = &chosen, .error = error};
    pliant_result result = check_header(&r, blob, size);
    if (!result)
        result = r.version < BLOB_FIRST_WITH_CHUNKS ? take_plain(&r) : take_chunks(&r);
    if (result) {
        pli_elements_free(&r.elements, &chosen);
        return NULL;
    }
    return pli_model_create(&r.elements, &chosen, error);
}
