#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "run.h"

// ---------------------------------------------------------------------------------------------
// An allocator that knows how many bytes are in use

enum { HEADER = 64 }; // before each block, holds its size; the largest alignment there is

static void *tally_allocate(size_t size, size_t alignment, void *in_use)
{
    (void)alignment;
    char *memory = aligned_alloc(HEADER, HEADER + (size + HEADER - 1) / HEADER * HEADER);
    if (!memory)
        return NULL;
    *(size_t *)(void *)memory = size;
    *(size_t *)in_use += size;
    return memory + HEADER;
}

static void tally_release(void *memory, void *in_use)
{
    char *block = (char *)memory - HEADER;
    *(size_t *)in_use -= *(size_t *)(void *)block;
    free(block);
}

static pliant_allocator tally(size_t *in_use)
{
    return (pliant_allocator){tally_allocate, tally_release, in_use};
}

// ---------------------------------------------------------------------------------------------
// Models that differ in one thing

typedef struct sample {
    int edges;           // of the block
    bool is_one_group;   // one explicit group instead of implicit ones
    int vertices, links; // of the skin
    bool self_collision; // of the body
} sample;

typedef struct bytes {
    double model, world;
} bytes;

static void must(bool condition, const pliant_error *error)
{
    if (!condition) {
        fprintf(stderr, "pliant-bench: %s: %s\n", error->place, error->message);
        exit(1);
    }
}

static void add_group(pliant_builder *builder, int count)
{
    int32_t *members = malloc(sizeof(int32_t) * (size_t)count);
    must(members != NULL, &(pliant_error){.message = "out of memory"});
    for (int i = 0; i < count; ++i)
        members[i] = i;
    pliant_builder_add_group(
        builder, &(pliant_group_def){.members = members, .member_count = count, .stiffness = 0.5f});
    free(members);
}

static void add_skin(pliant_builder *builder, const sample *wanted)
{
    for (int i = 0; i < wanted->vertices; ++i) {
        pliant_vertex_def vertex = {.normal = {0.0f, 1.0f, 0.0f}};
        for (int k = 0; k < wanted->links; ++k) {
            vertex.particles[k] = i + k;
            vertex.weights[k] = 1.0f / (float)wanted->links;
        }
        pliant_builder_add_vertex(builder, &vertex);
    }
    if (wanted->vertices)
        pliant_builder_add_triangle(builder, 0, 1, 2);
}

static pliant_model *build(bench_body body, const sample *wanted, size_t *in_use)
{
    pliant_error error = {0};
    pliant_allocator allocator = tally(in_use);
    pliant_builder *builder = pliant_builder_create(&allocator);
    must(builder != NULL, &(pliant_error){.message = "out of memory"});
    body.edge_count = wanted->edges;
    bench_build(builder, &body);
    if (wanted->is_one_group)
        add_group(builder, body.particle_count);
    add_skin(builder, wanted);
    pliant_model *model = pliant_builder_build(builder, &error);
    must(model != NULL, &error);
    pliant_builder_destroy(builder);
    return model;
}

// With all the room that arrays keep to grow.
static bytes measure(const bench_body *body, sample wanted)
{
    pliant_error error = {0};
    size_t in_model = 0, in_world = 0;
    pliant_model *model = build(*body, &wanted, &in_model);
    pliant_world_def world_def = pliant_default_world_def();
    world_def.allocator = tally(&in_world);
    pliant_world *world = pliant_world_create(&world_def, &error);
    must(world != NULL, &error);
    pliant_body_def def = pliant_default_body_def();
    def.model = model;
    def.self_collision = wanted.self_collision;
    must(pliant_world_add_body(world, &def, &error).generation != 0, &error);
    bytes result = {(double)in_model, (double)in_world};
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    return result;
}

// Of bodies side by side on a floor, with the room that their contacts have found to need. Takes the model.
static bytes measure_at_rest(pliant_model *model, size_t in_model, bool self_collision, int columns)
{
    pliant_error error = {0};
    size_t in_world = 0;
    pliant_world_def world_def = pliant_default_world_def();
    world_def.allocator = tally(&in_world);
    pliant_world *world = pliant_world_create(&world_def, &error);
    must(world != NULL, &error);
    pliant_vec3 low, high;
    pliant_model_bounds(model, &low, &high);
    pliant_plane_def floor = pliant_default_plane_def();
    floor.offset = low.y;
    must(pliant_world_add_plane(world, &floor, &error).generation != 0, &error);
    pliant_body_def def = pliant_default_body_def();
    def.model = model;
    def.self_collision = self_collision;
    for (int i = 0; i < columns * columns; ++i) {
        def.position =
            (pliant_vec3){2.0f * (float)(i % columns), 0.0f, 2.0f * (float)(i / columns)};
        must(pliant_world_add_body(world, &def, &error).generation != 0, &error);
    }
    for (int i = 0; i < 10; ++i)
        pliant_world_step(world, BENCH_DT);
    double particles = (double)pliant_model_particle_count(model);
    bytes result = {(double)in_model / particles,
                    (double)in_world / particles / (double)(columns * columns)};
    pliant_world_destroy(world);
    pliant_model_destroy(model);
    return result;
}

static bytes measure_million(void)
{
    bench_workload *workload = bench_workload_create("W5d");
    const bench_body *body = &workload->bodies[0];
    size_t in_model = 0;
    pliant_model *model = build(*body, &(sample){.edges = body->edge_count}, &in_model);
    bytes result = measure_at_rest(model, in_model, true, 1);
    bench_workload_destroy(workload);
    return result;
}

static bytes measure_crowd(void)
{
    size_t in_model = 0;
    pliant_error error = {0};
    pliant_allocator allocator = tally(&in_model);
    pliant_builder *builder = pliant_builder_create(&allocator);
    must(builder != NULL, &(pliant_error){.message = "out of memory"});
    pliant_block_def def = pliant_default_block_def();
    for (int k = 0; k < 3; ++k)
        def.counts[k] = 3;
    pliant_builder_add_block(builder, &def);
    pliant_model *model = pliant_builder_build(builder, &error);
    must(model != NULL, &error);
    pliant_builder_destroy(builder);
    return measure_at_rest(model, in_model, false, 32);
}

static bytes difference(bytes a, bytes b, double count)
{
    return (bytes){(a.model - b.model) / count, (a.world - b.world) / count};
}

static void print_row(const char *what, bytes each)
{
    printf("%s,%.1f,%.1f\n", what, each.model, each.world);
}

void bench_print_memory(void)
{
    bench_workload *workload = bench_workload_create("W5b");
    const bench_body *body = &workload->bodies[0];
    int particles = body->particle_count, edges = body->edge_count;
    bytes alone = measure(body, (sample){0});
    bytes self = measure(body, (sample){.self_collision = true});
    bytes one_group = measure(body, (sample){.is_one_group = true});
    bytes connected = measure(body, (sample){.is_one_group = true, .edges = edges});
    bytes matched = measure(body, (sample){.edges = edges});
    bytes skin = measure(body, (sample){.vertices = particles - 4, .links = 1});
    bytes links = measure(body, (sample){.vertices = particles - 4, .links = 4});
    bytes edge = difference(connected, one_group, edges);
    bytes without_groups = {alone.model + edge.model * edges, alone.world + edge.world * edges};

    puts("what,model_bytes,world_bytes");
    print_row("particle", difference(alone, (bytes){0}, particles));
    print_row("particle of a body with self-collision", difference(self, (bytes){0}, particles));
    print_row("edge", edge);
    char group[64];
    snprintf(group, sizeof(group), "implicit group of %.1f members", 1.0 + 2.0 * edges / particles);
    print_row(group, difference(matched, without_groups, particles));
    print_row("member of an explicit group", difference(one_group, alone, particles));
    print_row("skin vertex with one link", difference(skin, alone, particles - 4));
    print_row("further link of a skin vertex", difference(links, skin, 3.0 * (particles - 4)));
    print_row("all of a block per particle", difference(matched, (bytes){0}, particles));
    print_row("particle of a block of 1000000 at rest with self-collision", measure_million());
    print_row("particle of 1024 bodies of 27 at rest", measure_crowd());
    bench_workload_destroy(workload);
}
