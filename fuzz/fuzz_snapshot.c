// Restores any bytes as a snapshot. What restores must step without harm, and its own snapshot must restore; what is
// refused must say why and change nothing.
//
// Snapshots carry a checksum, which plain mutation would hardly ever get past, and name the models of their world: mutants
// begin with a snapshot of this one, and get the right checksum.

#include <pliant/pliant.h>

#include <stdlib.h>
#include <string.h>

#include "limited_memory.h"
#include "world/saved.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static const float DT = 1.0f / 60.0f;

// A block that dents and creeps, and has a hinge to a second one.
static pliant_model *make_model(bool is_plastic)
{
    static const pliant_vec3 places[] = {{0, 0, 0},     {0, 0.1f, 0},    {0.1f, 0, 0},
                                         {-0.1f, 0, 0}, {0.1f, 0.1f, 0}, {-0.1f, 0.1f, 0.05f}};
    static const int32_t sides[2][4] = {{0, 1, 2, 4}, {0, 1, 3, 5}};
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 6; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        particle.position = places[i];
        particle.yield_strain = is_plastic ? 0.01f : 0.0f;
        particle.creep_rate = is_plastic ? 1.0f : 0.0f;
        pliant_builder_add_particle(builder, &particle);
        if (i > 0)
            pliant_builder_add_edge(builder, &(pliant_edge_def){i - 1, i, 0.5f, 0.2f, false, 0.0f});
    }
    for (int k = 0; k < 2; ++k)
        pliant_builder_add_group(builder,
                                 &(pliant_group_def){.members = sides[k],
                                                     .member_count = 4,
                                                     .stiffness = 1.0f,
                                                     .dent_speed = is_plastic ? 0.5f : 0.0f});
    pliant_builder_add_hinge(
        builder, &(pliant_hinge_def){.group_a = 0, .group_b = 1, .particle_a = 0, .particle_b = 1});
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    return model;
}

// A world in which something of all kinds has come and gone.
static pliant_world *make_world(void)
{
    pliant_world_def world_def = pliant_default_world_def();
    world_def.substep_length = pliant_substep_length(2);
    pliant_world *world = pliant_world_create(&world_def, NULL);
    pliant_plane_def plane = pliant_default_plane_def();
    pliant_world_add_plane(world, &plane, NULL);
    pliant_shape_def box = pliant_default_shape_def(PLIANT_SHAPE_BOX);
    pliant_shape *shape = pliant_shape_create(&box, NULL, NULL);
    pliant_collider_def solid = pliant_default_collider_def();
    solid.shape = shape;
    solid.position.x = 1.0f;
    pliant_collider_id solids[3];
    for (int i = 0; i < 3; ++i)
        solids[i] = pliant_world_add_collider(world, &solid, NULL);
    pliant_shape_destroy(shape);
    pliant_body_id bodies[6];
    for (int i = 0; i < 6; ++i) {
        pliant_model *model = make_model(i % 2);
        pliant_body_def def = pliant_model_body_def(model);
        def.position = (pliant_vec3){0.02f * (float)i, 0.06f + 0.05f * (float)i, 0};
        def.restitution = 0.5f;
        bodies[i] = pliant_world_add_body(world, &def, NULL);
        pliant_model_destroy(model);
    }
    pliant_attachment_def hold = pliant_default_attachment_def();
    hold.body = bodies[5];
    pliant_world_add_attachment(world, &hold, NULL);
    hold.other_body = bodies[4];
    pliant_world_add_attachment(world, &hold, NULL);
    pliant_body_set_motor(world, bodies[3], 0, 1.0f, 1.0f);
    pliant_body_set_pinned(world, bodies[0], 0, true, NULL);
    for (int i = 0; i < 12; ++i)
        pliant_world_step(world, DT);
    pliant_body_sleep(world, bodies[2]);
    pliant_world_remove_body(world, bodies[1]);
    pliant_world_remove_collider(world, solids[1]);
    return world;
}

static uint8_t *take_snapshot(const pliant_world *world, size_t *size)
{
    *size = pliant_world_snapshot_size(world);
    uint8_t *bytes = malloc(*size);
    if (bytes)
        pliant_world_snapshot(world, bytes);
    return bytes;
}

// The world is made once: each input begins with the same snapshot.
static struct {
    pliant_world *world;
    uint8_t *bytes;
    size_t size;
    uint64_t hash;
} home;

static void return_home(void)
{
    if (!home.world) {
        home.world = make_world();
        home.bytes = take_snapshot(home.world, &home.size);
        home.hash = pliant_world_hash(home.world);
    }
    if (!home.bytes || pliant_world_restore(home.world, home.bytes, home.size, NULL) != PLIANT_OK ||
        pliant_world_hash(home.world) != home.hash)
        __builtin_trap();
}

static size_t begin_with_snapshot(uint8_t *data, size_t max_size)
{
    return_home();
    if (home.size > max_size)
        return 0;
    memcpy(data, home.bytes, home.size);
    return home.size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (size <= SAVED_HEADER_SIZE || memcmp(data, SAVED_MAGIC, SAVED_MAGIC_SIZE) != 0)
        size = begin_with_snapshot(data, max_size);
    if (seed % 8 == 0 || size <= SAVED_HEADER_SIZE)
        return LLVMFuzzerMutate(data, size, max_size);
    uint8_t *content = data + SAVED_HEADER_SIZE;
    size_t content_size =
        LLVMFuzzerMutate(content, size - SAVED_HEADER_SIZE, max_size - SAVED_HEADER_SIZE);
    byte_writer header = {.at = data + SAVED_SIZE_OFFSET};
    put_long(&header, SAVED_HEADER_SIZE + content_size);
    put_long(&header, bytes_checksum(content, content_size));
    return SAVED_HEADER_SIZE + content_size;
}

// A snapshot of what was restored, and has gone on, is a good one.
static void check_goes_on(pliant_world *world)
{
    for (int i = 0; i < 3; ++i)
        pliant_world_step(world, DT);
    size_t size;
    uint8_t *bytes = take_snapshot(world, &size);
    pliant_error error;
    if (bytes && pliant_world_restore(world, bytes, size, &error) != PLIANT_OK &&
        error.code != PLIANT_ERROR_MEMORY)
        __builtin_trap();
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return_home();
    pliant_error error = {0};
    limited_memory_begin((size_t)16 << 20);
    if (pliant_world_restore(home.world, data, size, &error) == PLIANT_OK)
        check_goes_on(home.world);
    else if (error.code == PLIANT_OK || error.message[0] == '\0' ||
             pliant_world_hash(home.world) != home.hash)
        __builtin_trap();
    limited_memory_end();
    return 0;
}
