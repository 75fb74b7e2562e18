// Saving and loading blobs. Reading never trusts a count: the sizes must add up before anything is
// allocated, and the elements go through the same checks as a builder's.

#include "blob.h"

#include "core/hash.h"
#include "model.h"

#include <string.h>

// The arrays in their order: particles, edges, groups, members, hinges, vertices, triangles.
enum { COUNT_WORDS = 7, HINGES = 4, MATERIAL_WORDS = 6 };

// How many bytes each element takes, by version. Version 1 had no hinges and no count of them; before version 3 models
// had no material.
static const uint64_t element_bytes[BLOB_VERSION][COUNT_WORDS] = {
    {13 * 4, 4 * 4, 2 * 4, 4, 0, 16 * 4, 3 * 4},
    {17 * 4, 4 * 4, 5 * 4, 4, 7 * 4, 16 * 4, 3 * 4},
    {17 * 4, 4 * 4, 5 * 4, 4, 7 * 4, 16 * 4, 3 * 4},
};

uint64_t pliant_blob_checksum(const void *bytes, size_t size)
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

static uint8_t *put_float(uint8_t *at, float value)
{
    return put_word(at, float_bits(value));
}

static uint8_t *put_vec3(uint8_t *at, vec3 v)
{
    return put_float(put_float(put_float(at, v.x), v.y), v.z);
}

static uint8_t *put_material(uint8_t *at, const pliant_material *m)
{
    at = put_float(put_float(at, m->friction), m->restitution);
    at = put_vec3(at, (vec3){m->linear_damping, m->angular_damping, m->shape_damping});
    return put_word(at, m->self_collision);
}

static uint8_t *put_particle(uint8_t *at, const pliant_particle_def *p)
{
    at = put_vec3(at, p->position);
    at = put_vec3(at, (vec3){p->orientation.x, p->orientation.y, p->orientation.z});
    at = put_float(at, p->orientation.w);
    at = put_vec3(at, p->radii);
    at = put_float(at, p->mass);
    at = put_float(at, p->stiffness);
    at = put_word(at, p->flags);
    at = put_word(put_word(at, p->layers), p->mask);
    return put_float(put_float(at, p->yield_strain), p->creep_rate);
}

static uint8_t *put_hinge(uint8_t *at, const pliant_hinge_def *h)
{
    at = put_word(put_word(at, (uint32_t)h->group_a), (uint32_t)h->group_b);
    at = put_word(put_word(at, (uint32_t)h->particle_a), (uint32_t)h->particle_b);
    at = put_word(at, h->has_limits);
    return put_float(put_float(at, h->lower), h->upper);
}

static uint8_t *put_vertex(uint8_t *at, const pliant_vertex_def *v)
{
    at = put_vec3(at, v->position);
    at = put_vec3(at, v->normal);
    at = put_float(put_float(at, v->u), v->v);
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
        at = put_word(at, (uint32_t)v->particles[k]);
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
        at = put_float(at, v->weights[k]);
    return at;
}

static uint64_t blob_size(const uint32_t counts[COUNT_WORDS], uint32_t version)
{
    uint64_t size = BLOB_HEADER_SIZE + (version == 1 ? COUNT_WORDS - 1 : COUNT_WORDS) * 4 +
                    (version < 3 ? 0 : MATERIAL_WORDS * 4);
    for (int i = 0; i < COUNT_WORDS; ++i)
        size += counts[i] * element_bytes[version - 1][i]; // below 2^32 · 2^7 · 7: cannot overflow
    return size;
}

static void count_elements(const elements *e, uint32_t counts[COUNT_WORDS])
{
    const int all[COUNT_WORDS] = {e->particle_count, e->edge_count,  e->group_count,
                                  e->member_count,   e->hinge_count, e->vertex_count,
                                  e->triangle_count};
    for (int i = 0; i < COUNT_WORDS; ++i)
        counts[i] = (uint32_t)all[i];
}

size_t pliant_model_blob_size(const pliant_model *model)
{
    uint32_t counts[COUNT_WORDS];
    count_elements(&model->source, counts);
    return (size_t)blob_size(counts, BLOB_VERSION);
}

void pliant_model_save(const pliant_model *model, void *blob)
{
    const elements *e = &model->source;
    uint32_t counts[COUNT_WORDS];
    count_elements(e, counts);
    size_t size = (size_t)blob_size(counts, BLOB_VERSION);

    uint8_t *at = (uint8_t *)blob + BLOB_HEADER_SIZE;
    for (int i = 0; i < COUNT_WORDS; ++i)
        at = put_word(at, counts[i]);
    at = put_material(at, &e->material);
    for (int i = 0; i < e->particle_count; ++i)
        at = put_particle(at, &e->particles[i]);
    for (int i = 0; i < e->edge_count; ++i) {
        at = put_word(at, (uint32_t)e->edges[i].a);
        at = put_word(at, (uint32_t)e->edges[i].b);
        at = put_float(at, e->edges[i].stretch_stiffness);
        at = put_float(at, e->edges[i].torsion_stiffness);
    }
    for (int i = 0; i < e->group_count; ++i) {
        at = put_word(at, (uint32_t)e->groups[i].count);
        at = put_float(at, e->groups[i].stiffness);
        at = put_float(at, e->groups[i].dent_speed);
        at = put_float(at, e->groups[i].yield_strain);
        at = put_float(at, e->groups[i].creep_rate);
    }
    for (int i = 0; i < e->member_count; ++i)
        at = put_word(at, (uint32_t)e->members[i]);
    for (int i = 0; i < e->hinge_count; ++i)
        at = put_hinge(at, &e->hinges[i]);
    for (int i = 0; i < e->vertex_count; ++i)
        at = put_vertex(at, &e->vertices[i]);
    for (int i = 0; i < e->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            at = put_word(at, (uint32_t)e->triangles[i][k]);

    const uint8_t *body = (const uint8_t *)blob + BLOB_HEADER_SIZE;
    at = blob;
    memcpy(at, BLOB_MAGIC, BLOB_MAGIC_SIZE);
    at = put_word(at + BLOB_MAGIC_SIZE, BLOB_VERSION);
    at = put_word(at, 0);
    at = put_long(at, size);
    put_long(at, pliant_blob_checksum(body, size - BLOB_HEADER_SIZE));
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

static float take_float(const uint8_t **at)
{
    return bits_float(take_word(at));
}

static vec3 take_vec3(const uint8_t **at)
{
    float x = take_float(at), y = take_float(at), z = take_float(at);
    return (vec3){x, y, z};
}

static pliant_material take_material(const uint8_t **at, uint32_t version)
{
    if (version < 3)
        return pliant_default_material();
    pliant_material m = {.friction = take_float(at)};
    m.restitution = take_float(at);
    m.linear_damping = take_float(at);
    m.angular_damping = take_float(at);
    m.shape_damping = take_float(at);
    m.self_collision = take_word(at) != 0;
    return m;
}

static pliant_particle_def take_particle(const uint8_t **at, uint32_t version)
{
    pliant_particle_def p = pliant_default_particle_def();
    p.position = take_vec3(at);
    vec3 axis = take_vec3(at);
    p.orientation = (pliant_quat){axis.x, axis.y, axis.z, take_float(at)};
    p.radii = take_vec3(at);
    p.mass = take_float(at);
    p.stiffness = take_float(at);
    p.flags = take_word(at);
    if (version == 1)
        return p;
    p.layers = take_word(at);
    p.mask = take_word(at);
    p.yield_strain = take_float(at);
    p.creep_rate = take_float(at);
    return p;
}

static pliant_hinge_def take_hinge(const uint8_t **at)
{
    pliant_hinge_def h = {.group_a = (int32_t)take_word(at)};
    h.group_b = (int32_t)take_word(at);
    h.particle_a = (int32_t)take_word(at);
    h.particle_b = (int32_t)take_word(at);
    h.has_limits = take_word(at) != 0;
    h.lower = take_float(at);
    h.upper = take_float(at);
    return h;
}

static pliant_vertex_def take_vertex(const uint8_t **at)
{
    pliant_vertex_def v = {.position = take_vec3(at)};
    v.normal = take_vec3(at);
    v.u = take_float(at);
    v.v = take_float(at);
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
        v.particles[k] = (int32_t)take_word(at);
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
        v.weights[k] = take_float(at);
    return v;
}

static pliant_result check_header(const uint8_t *blob, size_t size, uint32_t *version_found,
                                  pliant_error *error)
{
    if (size < BLOB_HEADER_SIZE + (COUNT_WORDS - 1) * 4 ||
        memcmp(blob, BLOB_MAGIC, BLOB_MAGIC_SIZE))
        return pliant_error_set(error, PLIANT_ERROR_FORMAT, "header", "this is not a Pliant model");
    const uint8_t *at = blob + BLOB_MAGIC_SIZE;
    uint32_t version = take_word(&at), reserved = take_word(&at);
    if (version > BLOB_VERSION)
        return pliant_error_set(error, PLIANT_ERROR_VERSION, "header",
                                "version %u, this library reads up to %d", (unsigned)version,
                                BLOB_VERSION);
    if (version < 1 || reserved != 0)
        return pliant_error_set(error, PLIANT_ERROR_FORMAT, "header", "damaged");
    *version_found = version;
    uint64_t stated = take_long(&at), checksum = take_long(&at);
    if (stated != size)
        return pliant_error_set(error, PLIANT_ERROR_FORMAT, "header",
                                "%llu bytes expected, %llu found", (unsigned long long)stated,
                                (unsigned long long)size);
    if (checksum != pliant_blob_checksum(blob + BLOB_HEADER_SIZE, size - BLOB_HEADER_SIZE))
        return pliant_error_set(error, PLIANT_ERROR_FORMAT, "content", "checksum does not match");
    return PLIANT_OK;
}

static bool allocate_elements(elements *e, const uint32_t counts[COUNT_WORDS],
                              const pliant_allocator *allocator)
{
    e->particles = pliant_memory_new(allocator, counts[0], sizeof *e->particles);
    e->edges = pliant_memory_new(allocator, counts[1], sizeof *e->edges);
    e->groups = pliant_memory_new(allocator, counts[2], sizeof *e->groups);
    e->members = pliant_memory_new(allocator, counts[3], sizeof *e->members);
    e->hinges = pliant_memory_new(allocator, counts[4], sizeof *e->hinges);
    e->vertices = pliant_memory_new(allocator, counts[5], sizeof *e->vertices);
    e->triangles = pliant_memory_new(allocator, counts[6], sizeof *e->triangles);
    e->particle_count = e->particle_capacity = (int)counts[0];
    e->edge_count = e->edge_capacity = (int)counts[1];
    e->group_count = e->group_capacity = (int)counts[2];
    e->member_count = e->member_capacity = (int)counts[3];
    e->hinge_count = e->hinge_capacity = (int)counts[4];
    e->vertex_count = e->vertex_capacity = (int)counts[5];
    e->triangle_count = e->triangle_capacity = (int)counts[6];
    return e->particles && e->edges && e->groups && e->members && e->hinges && e->vertices &&
           e->triangles;
}

static pliant_result read_elements(elements *e, const uint8_t *at, uint32_t version,
                                   pliant_error *error)
{
    e->material = take_material(&at, version);
    for (int i = 0; i < e->particle_count; ++i)
        e->particles[i] = take_particle(&at, version);
    for (int i = 0; i < e->edge_count; ++i) {
        e->edges[i].a = (int32_t)take_word(&at);
        e->edges[i].b = (int32_t)take_word(&at);
        e->edges[i].stretch_stiffness = take_float(&at);
        e->edges[i].torsion_stiffness = take_float(&at);
    }
    int64_t first = 0;
    for (int i = 0; i < e->group_count; ++i) {
        uint32_t count = take_word(&at);
        if (count > (uint32_t)e->member_count - first)
            return pliant_error_set_at(error, PLIANT_ERROR_FORMAT, "group", i,
                                       "more members than the model holds");
        e->groups[i].first = (int32_t)first;
        e->groups[i].count = (int32_t)count;
        e->groups[i].stiffness = take_float(&at);
        first += count;
        if (version == 1)
            continue;
        e->groups[i].dent_speed = take_float(&at);
        e->groups[i].yield_strain = take_float(&at);
        e->groups[i].creep_rate = take_float(&at);
    }
    if (first != e->member_count)
        return pliant_error_set(error, PLIANT_ERROR_FORMAT, "groups",
                                "%d members belong to no group", (int)(e->member_count - first));
    for (int i = 0; i < e->member_count; ++i)
        e->members[i] = (int32_t)take_word(&at);
    for (int i = 0; i < e->hinge_count; ++i)
        e->hinges[i] = take_hinge(&at);
    for (int i = 0; i < e->vertex_count; ++i)
        e->vertices[i] = take_vertex(&at);
    for (int i = 0; i < e->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            e->triangles[i][k] = (int32_t)take_word(&at);
    return PLIANT_OK;
}

pliant_model *pliant_model_load(const void *blob, size_t size, const pliant_allocator *allocator,
                                pliant_error *error)
{
    pliant_allocator chosen = pliant_allocator_or_default(allocator);
    uint32_t version = BLOB_VERSION;
    if (check_header(blob, size, &version, error))
        return NULL;
    const uint8_t *at = (const uint8_t *)blob + BLOB_HEADER_SIZE;
    uint32_t counts[COUNT_WORDS];
    bool small_enough = size >= BLOB_HEADER_SIZE + COUNT_WORDS * 4 || version == 1;
    for (int i = 0; i < COUNT_WORDS && small_enough; ++i) {
        counts[i] = version == 1 && i == HINGES ? 0 : take_word(&at);
        small_enough = small_enough && counts[i] <= INT32_MAX / 4;
    }
    if (!small_enough || blob_size(counts, version) != size) {
        pliant_error_set(error, PLIANT_ERROR_FORMAT, "counts", "do not fit the size of the blob");
        return NULL;
    }
    elements e = {0};
    if (!allocate_elements(&e, counts, &chosen)) {
        pliant_elements_free(&e, &chosen);
        pliant_error_memory(error);
        return NULL;
    }
    if (read_elements(&e, at, version, error)) {
        pliant_elements_free(&e, &chosen);
        return NULL;
    }
    return pliant_model_create(&e, &chosen, error);
}
