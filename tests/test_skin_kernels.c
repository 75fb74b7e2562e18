// The kernels skin to the bit like the reference, in each instruction set, and write nothing else.

#include "bodies.h"
#include "reference_skin.h"
#include "world/world.h"

enum { PARTICLES = 700 }; // more than a block's palette

static const pliant_skin_mode modes[] = {PLIANT_SKIN_LINEAR, PLIANT_SKIN_DUAL_QUATERNION};

// One to four links to any particles within `spread` of one that moves along with the index; each seventh
// normal is zero.
static pliant_vertex_def random_vertex(uint32_t *random, int index, int count, int spread)
{
    pliant_vertex_def v = {.position = random_vec3(random, 2.0f)};
    int links = 1 + (int)(random_bits(random) % PLIANT_MAX_LINKS);
    int middle = (int)((int64_t)index * PARTICLES / count);
    if (index % 7)
        v.normal = vec3_normalize_or(random_vec3(random, 1.0f), (vec3){0, 1, 0});
    float sum = 0.0f;
    for (int k = 0; k < links; ++k) {
        v.particles[k] = (middle + (int)(random_bits(random) % (uint32_t)spread)) % PARTICLES;
        v.weights[k] = random_between(random, 0.05f, 1.0f);
        sum += v.weights[k];
    }
    for (int k = 0; k < links; ++k)
        v.weights[k] /= sum;
    return v;
}

static pliant_model *random_model(int vertices, int spread)
{
    uint32_t random = 17 + (uint32_t)vertices;
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < PARTICLES; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = random_vec3(&random, 2.0f);
        pliant_builder_add_particle(builder, &def);
    }
    for (int i = 0; i < vertices; ++i) {
        pliant_vertex_def v = random_vertex(&random, i, vertices, spread);
        pliant_builder_add_vertex(builder, &v);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    return model;
}

static setup open_world(pliant_model *model, pliant_instructions instructions, vec3 middle)
{
    setup s = {.model = model,
               .world_def = pliant_default_world_def(),
               .body_def = pliant_default_body_def()};
    s.world_def.instructions = instructions;
    s.body_def.model = model;
    setup_open(&s);
    uint32_t random = 5;
    for (int i = 0; i < PARTICLES; ++i) {
        s.world->x[i] = vec3_add(middle, random_vec3(&random, 3.0f));
        s.world->turn[i] = random_quat(&random);
        if (random_bits(&random) & 1)
            s.world->turn[i] = quat_scale(s.world->turn[i], -1.0f);
    }
    return s;
}

static void check_vertices(const setup *s, pliant_skin_mode mode, const vec3 *positions,
                           const vec3 *normals)
{
    reference_skin reference = {s->model, s->world->x, s->world->turn};
    for (int i = 0; i < pliant_model_vertex_count(s->model); ++i) {
        const pliant_vertex_def *v = &pliant_model_vertices(s->model)[i];
        vec3 position, normal;
        if (mode == PLIANT_SKIN_LINEAR)
            reference_linear(&reference, v, &position, &normal);
        else
            reference_dual_quaternion(&reference, v, &position, &normal);
        assert_memory_equal(&positions[i], &position, sizeof position);
        if (normals)
            assert_memory_equal(&normals[i], &normal, sizeof normal);
        if (normals && v->normal.x == 0.0f && v->normal.y == 0.0f && v->normal.z == 0.0f)
            assert_true(vec3_length(normals[i]) == 0.0f);
        else if (normals)
            assert_near(vec3_length(normals[i]), 1.0, 1e-6);
    }
}

// With exactly as much memory as the caller must give, so that a sanitizer sees more.
static void check_body(const setup *s)
{
    size_t count = (size_t)pliant_model_vertex_count(s->model);
    vec3 *positions = malloc(count * sizeof *positions), *normals = malloc(count * sizeof *normals);
    for (int m = 0; m < 2; ++m) {
        pliant_body_skin(s->world, s->body, modes[m], positions, normals);
        check_vertices(s, modes[m], positions, normals);
        memset(positions, 0, count * sizeof *positions);
        pliant_body_skin(s->world, s->body, modes[m], positions, NULL);
        check_vertices(s, modes[m], positions, NULL);
    }
    free(positions);
    free(normals);
}

static void kernels_give_the_bits_of_the_reference(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 7, 8, 9, 16, 100, 1003, 4096};
    static const int spreads[] = {1, 40, PARTICLES};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        for (size_t r = 0; r < sizeof spreads / sizeof spreads[0]; ++r) {
            pliant_model *model = random_model(counts[c], spreads[r]);
            for (int i = 0; i < 2; ++i) {
                vec3 middle = i ? (vec3){1e5f, -8e4f, 3.0f} : (vec3){0, 0, 0};
                setup s = open_world(model, PLIANT_INSTRUCTIONS_BEST, middle);
                check_body(&s);
                pliant_world_destroy(s.world);
                s = open_world(model, PLIANT_INSTRUCTIONS_PORTABLE, middle);
                check_body(&s);
                pliant_world_destroy(s.world);
            }
            pliant_model_destroy(model);
        }
    }
}

// What a batch's links name must be in its block's palette, and a palette must not grow beyond its stack.
static void blocks_hold_their_particles(void **state)
{
    (void)state;
    pliant_model *model = random_model(4093, PARTICLES);
    const skin_data *skin = &model->skin;
    assert_true(skin->block_count > 1);
    int next = 0;
    for (int b = 0; b < skin->block_count; ++b) {
        const skin_block *block = &skin->blocks[b];
        assert_int_equal(block->first_batch, next);
        assert_true(block->particle_count <= SKIN_PALETTE &&
                    block->particle_count % SKIN_BATCH == 0);
        next += block->batch_count;
        for (int i = block->first_batch * SKIN_BATCH; i < next * SKIN_BATCH && i < 4093; ++i) {
            const pliant_vertex_def *v = &pliant_model_vertices(model)[i];
            for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
                int place = skin->batches[i / SKIN_BATCH].links[k][i % SKIN_BATCH] / SKIN_STRIDE;
                assert_true(place < block->particle_count);
                assert_int_equal(skin->palette[block->first_particle + place],
                                 reference_link(v, k));
            }
        }
    }
    assert_int_equal(next, (4093 + SKIN_BATCH - 1) / SKIN_BATCH);
    pliant_model_destroy(model);
}

// 700 particles in the order of the vertices do not need much more than 700 transforms.
static void blocks_are_few_where_neighbours_follow_each_other(void **state)
{
    (void)state;
    pliant_model *model = random_model(4096, 6);
    assert_int_equal(model->skin.block_count, 3);
    assert_true(model->skin.palette_count < 800);
    pliant_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_give_the_bits_of_the_reference),
        cmocka_unit_test(blocks_hold_their_particles),
        cmocka_unit_test(blocks_are_few_where_neighbours_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
