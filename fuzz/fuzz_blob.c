// Loads any bytes as a model. What loads must step and show its rig without harm, and saves to a blob that loads again
// and saves to the same bytes. (The first blob may be of an older version, have its chunks in another order or hold vectors
// that loading makes unit length.)
//
// Blobs carry a checksum, which plain mutation would hardly ever get past: half of the mutants get
// the right one.

#include <pliant/pliant.h>

#include <stdlib.h>
#include <string.h>

#include "limited_memory.h"
#include "model/blob.h"
#include "show_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#define MAX_PARTICLES 200
#define SIZE_OFFSET   (BLOB_CHECKSUM_OFFSET - 8)

static void write_long(uint8_t *at, uint64_t value)
{
    for (int i = 0; i < 8; ++i)
        at[i] = (uint8_t)(value >> (8 * i));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (seed % 2 == 0 || size <= BLOB_HEADER_SIZE || max_size <= BLOB_HEADER_SIZE)
        return LLVMFuzzerMutate(data, size, max_size);

    uint8_t *body = data + BLOB_HEADER_SIZE;
    size_t body_size = LLVMFuzzerMutate(body, size - BLOB_HEADER_SIZE, max_size - BLOB_HEADER_SIZE);
    size = BLOB_HEADER_SIZE + body_size;
    write_long(data + SIZE_OFFSET, size);
    write_long(data + BLOB_CHECKSUM_OFFSET, pli_blob_checksum(body, body_size));
    return size;
}

static void *save(const pliant_model *model, size_t *size)
{
    *size = pliant_model_blob_size(model);
    void *blob = malloc(*size);
    if (blob)
        pliant_model_save(model, blob);
    return blob;
}

static void check_saved_form_is_kept(const pliant_model *model)
{
    size_t size, size_again = 0;
    void *saved = save(model, &size);
    pliant_error error;
    pliant_model *again = saved ? pliant_model_load(saved, size, NULL, &error) : NULL;
    if (saved && !again && error.code != PLIANT_ERROR_MEMORY)
        __builtin_trap();
    void *saved_again = again ? save(again, &size_again) : NULL;
    if (saved_again && (size_again != size || memcmp(saved, saved_again, size) != 0))
        __builtin_trap();
    free(saved);
    free(saved_again);
    pliant_model_destroy(again);
}

static void step_small_world(const pliant_model *model)
{
    pliant_world_def world_def = pliant_default_world_def();
    world_def.substep_length = pliant_substep_length(2);
    pliant_world *world = pliant_world_create(&world_def, NULL);
    if (!world)
        return;
    pliant_plane_def plane = pliant_default_plane_def();
    plane.normal = (pliant_vec3){0.0f, 1.0f, 0.0f};
    pliant_world_add_plane(world, &plane, NULL);
    pliant_body_def body_def = pliant_default_body_def();
    body_def.model = model;
    pliant_body_id body = pliant_world_add_body(world, &body_def, NULL);
    if (pliant_body_is_valid(world, body)) {
        for (int i = 0; i < 3; ++i)
            pliant_world_step(world, 1.0f / 60.0f);
        size_t vertex_count = (size_t)pliant_model_vertex_count(model);
        pliant_vec3 *vertices = malloc((vertex_count + 1) * sizeof(*vertices));
        if (vertices && vertex_count > 0)
            pliant_body_skin(world, body, PLIANT_SKIN_DUAL_QUATERNION, vertices, NULL);
        free(vertices);
    }
    pliant_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    limited_memory_begin((size_t)16 << 20);
    pliant_error error;
    pliant_model *model = pliant_model_load(data, size, NULL, &error);
    if (model) {
        check_saved_form_is_kept(model);
        show_rig(pliant_model_rig(model));
        if (pliant_model_particle_count(model) <= MAX_PARTICLES)
            step_small_world(model);
        pliant_model_destroy(model);
    } else if (error.code == PLIANT_OK || error.message[0] == '\0') {
        // A refusal must say why.
        __builtin_trap();
    }
    limited_memory_end();
    return 0;
}
