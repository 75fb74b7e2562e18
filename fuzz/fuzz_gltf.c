// Reads any bytes as a mesh: GLB or glTF, through all checks, to triangles. What is read must hang together;
// what is not must come with a message. Now and then memory runs out halfway.
//
// Chunks of a GLB have lengths, which plain mutation would hardly ever get right: half of the mutants get
// their JSON or their binary chunk mutated and are put together anew.

#include <pliant/mesh.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "limited_memory.h"
#include "show_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static size_t get_uint32(const uint8_t *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

static void put_uint32(uint8_t *at, size_t value)
{
    for (int i = 0; i < 4; ++i)
        at[i] = (uint8_t)(value >> (8 * i));
}

// A chunk with its header, padded to a multiple of four; returns where it ends.
static uint8_t *put_chunk(uint8_t *at, const char kind[4], const uint8_t *data, size_t size)
{
    size_t padded = (size + 3) & ~(size_t)3;
    memmove(at + 8, data, size);
    memset(at + 8 + size, kind[0] == 'J' ? ' ' : 0, padded - size);
    put_uint32(at, padded);
    memcpy(at + 4, kind, 4);
    return at + 8 + padded;
}

// Mutates one of the two chunks of a GLB in order. Returns 0 where it is not one, or too long.
static size_t mutate_chunk(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (size < 28 || memcmp(data, "glTF", 4) != 0)
        return 0;
    size_t json_size = get_uint32(data + 12);
    if (json_size > size - 28 || get_uint32(data + 20 + json_size) != size - 28 - json_size)
        return 0;
    size_t binary_size = size - 28 - json_size, most = max_size > 64 ? max_size - 64 : 0;
    uint8_t *chunks = malloc(2 * max_size + 1);
    if (!chunks || json_size + binary_size > most) {
        free(chunks);
        return 0;
    }
    uint8_t *json = chunks, *binary = chunks + max_size;
    memcpy(json, data + 20, json_size);
    memcpy(binary, data + 28 + json_size, binary_size);
    if (seed % 4 == 1)
        json_size = LLVMFuzzerMutate(json, json_size, most - binary_size);
    else
        binary_size = LLVMFuzzerMutate(binary, binary_size, most - json_size);
    uint8_t *end = put_chunk(data + 12, "JSON", json, json_size);
    end = put_chunk(end, "BIN", binary, binary_size);
    put_uint32(data + 8, (size_t)(end - data));
    free(chunks);
    return (size_t)(end - data);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    size_t mutated = seed % 2 ? mutate_chunk(data, size, max_size, seed) : 0;
    return mutated ? mutated : LLVMFuzzerMutate(data, size, max_size);
}

static void require(bool good)
{
    if (!good)
        __builtin_trap();
}

static void check_vertices(const pliant_mesh *mesh)
{
    for (int i = 0; i < mesh->vertex_count; ++i) {
        pliant_vec3 p = mesh->positions[i], n = mesh->normals[i];
        require(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
        require(isfinite(mesh->coordinates[i][0]) && isfinite(mesh->coordinates[i][1]));
        double square = (double)n.x * n.x + (double)n.y * n.y + (double)n.z * n.z;
        require(square == 0.0 || fabs(square - 1.0) < 1e-4);
    }
}

static void check_parts(const pliant_mesh *mesh)
{
    int vertex = 0, triangle = 0;
    for (int i = 0; i < mesh->part_count; ++i) {
        const pliant_mesh_part *part = &mesh->parts[i];
        require(part->first_vertex == vertex && part->first_triangle == triangle);
        require(part->vertex_count >= 0 && part->triangle_count >= 0);
        vertex += part->vertex_count;
        triangle += part->triangle_count;
        for (int k = 3 * part->first_triangle; k < 3 * triangle; ++k)
            require(mesh->triangles[k] >= part->first_vertex && mesh->triangles[k] < vertex);
    }
    require(vertex == mesh->vertex_count && triangle == mesh->triangle_count);
}

static void read_mesh(const uint8_t *data, size_t size, size_t memory)
{
    limited_memory_begin(memory);
    pliant_remarks remarks;
    pliant_error error = {.code = PLIANT_OK};
    // Files are looked for where there are none: an input stands for itself.
    pliant_mesh *mesh = pliant_mesh_read(data, size, "/nonexistent", &remarks, &error);
    if (mesh) {
        check_vertices(mesh);
        check_parts(mesh);
        require(!mesh->rig || pliant_rig_definition(mesh->rig).vertex_count == mesh->vertex_count);
        show_rig(mesh->rig);
    } else {
        require(error.code != PLIANT_OK && error.message[0] != '\0');
    }
    pliant_mesh_destroy(mesh);
    limited_memory_end();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_mesh(data, size, (size_t)64 << 20);
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ data[i]) * 16777619u;
    if (hash % 8 == 0)
        read_mesh(data, size, hash / 8 % (8 * size + 20000));
    return 0;
}
