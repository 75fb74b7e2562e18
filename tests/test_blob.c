// The saved form of a model: it comes back bit by bit, and whatever is wrong with it is noticed.

#include "model/blob.h"
#include "rig/rig.h"
#include "scenes.h"
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_COUNT_OFFSET = 12, CHUNK_VERSION_OFFSET = 20, CHUNK_SIZE_OFFSET = 24 };

typedef struct blob {
    uint8_t *bytes;
    size_t size;
} blob;

static blob save(const pliant_model *model)
{
    blob b = {.size = pliant_model_blob_size(model)};
    b.bytes = malloc(b.size);
    memset(b.bytes, 0xcd, b.size);
    pliant_model_save(model, b.bytes);
    return b;
}

// Two nodes of which one moves in a clip, and a surface with as many vertices as asked for.
static pliant_rig *small_rig(int32_t vertex_count)
{
    static const pliant_rig_vertex vertices[4];
    static const float times[2] = {0, 1}, values[6] = {0, 0, 0, 1, 2, 3};
    const pliant_transform raised = {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const pliant_rig_node nodes[2] = {{.name = "root", .parent = -1, .rest = raised},
                                      {.name = "tip", .parent = 0, .rest = raised}};
    const pliant_rig_clip clip = {.name = "sway", .channel_count = 1};
    const pliant_rig_channel channel = {
        .node = 1, .path = PLIANT_RIG_TRANSLATION, .sampling = PLIANT_RIG_LINEAR, .key_count = 2};
    const pliant_rig_surface surface = {.node = 1, .skin = -1, .vertex_count = vertex_count};
    pliant_rig *rig = pliant_rig_create(&(pliant_rig_def){.nodes = nodes,
                                                          .node_count = 2,
                                                          .clips = &clip,
                                                          .clip_count = 1,
                                                          .channels = &channel,
                                                          .channel_count = 1,
                                                          .times = times,
                                                          .time_count = 2,
                                                          .values = values,
                                                          .value_count = 6,
                                                          .surfaces = &surface,
                                                          .surface_count = 1,
                                                          .vertices = vertices,
                                                          .vertex_count = vertex_count},
                                        NULL, NULL);
    assert_non_null(rig);
    return rig;
}

// Four particles, three edges, a group of two, a triangle.
static pliant_model *small_model(void)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < 4; ++i) {
        pliant_particle_def def = pliant_default_particle_def();
        def.position = (vec3){0.3f * (float)i, 0.1f * (float)(i * i), -0.2f};
        def.orientation = (quat){0, 0.6f, 0, 0.8f};
        def.radii = (vec3){0.1f, 0.2f, 0.05f};
        def.flags = i == 0 ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &def);
    }
    for (int i = 0; i < 3; ++i) {
        pliant_edge_def edge = {i, i + 1, 0.25f, 0.5f, false, 0.0f};
        pliant_builder_add_edge(builder, &edge);
        pliant_vertex_def vertex = {.position = {0.25f * (float)i, (float)(i % 2), 0.5f},
                                    .normal = {0, 0, 1},
                                    .u = 0.125f,
                                    .particles = {i, i + 1},
                                    .weights = {0.75f, 0.25f}};
        pliant_builder_add_vertex(builder, &vertex);
    }
    pliant_group_def group = {
        .members = (const int32_t[]){2, 3}, .member_count = 2, .stiffness = 0.75f};
    pliant_builder_add_group(builder, &group);
    pliant_builder_add_triangle(builder, 0, 1, 2);
    pliant_model *model = pliant_builder_build(builder, NULL);
    pliant_builder_destroy(builder);
    assert_non_null(model);
    return model;
}

static blob small_blob(void)
{
    pliant_model *model = small_model();
    blob b = save(model);
    pliant_model_destroy(model);
    return b;
}

static void put_number(uint8_t *at, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; ++k)
        at[k] = (uint8_t)(value >> (8 * k));
}

static uint64_t get_number(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int k = 0; k < bytes; ++k)
        value |= (uint64_t)at[k] << (8 * k);
    return value;
}

// Makes size and checksum fit whatever the content is now.
static void repair(blob b)
{
    put_number(b.bytes + 16, b.size, 8);
    put_number(b.bytes + BLOB_CHECKSUM_OFFSET,
               pli_blob_checksum(b.bytes + BLOB_HEADER_SIZE, b.size - BLOB_HEADER_SIZE), 8);
}

// Loads from a copy of exactly that size, so that reading beyond it is caught.
static pliant_model *load(const uint8_t *bytes, size_t size, pliant_error *error)
{
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    pliant_model *model = pliant_model_load(copy, size, NULL, error);
    free(copy);
    return model;
}

// The header of a chunk, or NULL; behind it lies the content.
static uint8_t *find_chunk(blob b, const char *name)
{
    for (uint8_t *at = b.bytes + BLOB_HEADER_SIZE; at < b.bytes + b.size;
         at += BLOB_CHUNK_HEADER_SIZE + get_number(at + CHUNK_SIZE_OFFSET, 8))
        if (strncmp((char *)at, name, BLOB_CHUNK_NAME_SIZE) == 0)
            return at;
    return NULL;
}

static uint8_t *content_of(blob b, const char *name)
{
    uint8_t *chunk = find_chunk(b, name);
    assert_non_null(chunk);
    return chunk + BLOB_CHUNK_HEADER_SIZE;
}

// With one chunk more, in front of what lies at `at`.
static blob with_chunk(blob b, const uint8_t *at, const char *name, uint32_t version,
                       const void *content, size_t size)
{
    size_t before = (size_t)(at - b.bytes), whole = BLOB_CHUNK_HEADER_SIZE + size;
    blob more = {calloc(1, b.size + whole), b.size + whole};
    memcpy(more.bytes, b.bytes, before);
    memcpy(more.bytes + before + whole, at, b.size - before);
    uint8_t *chunk = more.bytes + before;
    memcpy(chunk, name, strlen(name));
    put_number(chunk + CHUNK_VERSION_OFFSET, version, 4);
    put_number(chunk + CHUNK_SIZE_OFFSET, size, 8);
    if (size > 0)
        memcpy(chunk + BLOB_CHUNK_HEADER_SIZE, content, size);
    put_number(more.bytes + CHUNK_COUNT_OFFSET, get_number(b.bytes + CHUNK_COUNT_OFFSET, 4) + 1, 4);
    repair(more);
    return more;
}

// The same without a part.
static blob without(blob b, const uint8_t *at, size_t size)
{
    size_t before = (size_t)(at - b.bytes);
    blob less = {malloc(b.size), b.size - size};
    memcpy(less.bytes, b.bytes, before);
    memcpy(less.bytes + before, at + size, less.size - before);
    repair(less);
    return less;
}

static void assert_same_blobs(blob a, blob b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
}

// What is saved after it was loaded.
static blob save_loaded(blob b)
{
    pliant_error error = {0};
    pliant_model *loaded = load(b.bytes, b.size, &error);
    if (!loaded)
        fail_msg("%s: %s", error.place, error.message);
    blob again = save(loaded);
    pliant_model_destroy(loaded);
    return again;
}

static void check_round_trip(const pliant_model *model)
{
    blob before = save(model);
    pliant_error error = {0};
    pliant_model *loaded = load(before.bytes, before.size, &error);
    if (!loaded)
        fail_msg("%s: %s", error.place, error.message);
    blob after = save(loaded);
    assert_same_blobs(after, before);
    assert_int_equal(pliant_model_implicit_group_count(loaded),
                     pliant_model_implicit_group_count(model));
    assert_int_equal(pliant_model_colour_count(loaded), pliant_model_colour_count(model));
    pliant_model_destroy(loaded);
    free(before.bytes);
    free(after.bytes);
}

static void check_rejected(blob b, pliant_result code, const char *place, const char *message)
{
    pliant_error error = {0};
    assert_null(load(b.bytes, b.size, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.place, place);
    if (!strstr(error.message, message))
        fail_msg("expected \"%s\", got \"%s\"", message, error.message);
}

// ---------------------------------------------------------------------------------------------
// Round trips

static void test_small_model_comes_back(void **state)
{
    (void)state;
    pliant_model *model = small_model();
    check_round_trip(model);
    blob b = save(model);
    pliant_model *loaded = load(b.bytes, b.size, NULL);
    assert_memory_equal(pliant_model_particles(loaded), pliant_model_particles(model),
                        4 * sizeof(pliant_particle_def));
    assert_memory_equal(pliant_model_vertices(loaded), pliant_model_vertices(model),
                        3 * sizeof(pliant_vertex_def));
    assert_int_equal(pliant_model_group(loaded, 0).members[1], 3);
    assert_true(pliant_model_edges(loaded)[2].torsion_stiffness == 0.5f);
    pliant_model_destroy(loaded);
    pliant_model_destroy(model);
    free(b.bytes);
}

static uint64_t hash_after_steps(const pliant_scene *scene, int steps)
{
    pliant_stage stage;
    pliant_error error = {0};
    if (pliant_stage_open(&stage, scene, NULL, &error) != PLIANT_OK)
        fail_msg("%s: %s", error.place, error.message);
    for (int i = 0; i < steps; ++i)
        pliant_stage_step(&stage, 1.0f / 60.0f);
    uint64_t hash = pliant_world_hash(stage.world);
    pliant_stage_close(&stage);
    return hash;
}

// Who builds a model needs no way through its saved form to get what others will load.
static void test_a_built_model_steps_as_its_loaded_twin_does(void **state)
{
    (void)state;
    for (int i = 0; i < scene_entry_count(); ++i) {
        pliant_scene *scene = scene_entry_at(i)->create(NULL);
        assert_non_null(scene);
        uint64_t built = hash_after_steps(scene, 4);
        for (int k = 0; k < scene->model_count; ++k) {
            blob b = save(scene->models[k]);
            pliant_model_destroy(scene->models[k]);
            scene->models[k] = load(b.bytes, b.size, NULL);
            assert_non_null(scene->models[k]);
            free(b.bytes);
        }
        assert_true(hash_after_steps(scene, 4) == built);
        pliant_scene_destroy(scene);
    }
}

static void test_models_of_all_scenes_come_back(void **state)
{
    (void)state;
    int models = 0;
    for (int i = 0; i < scene_entry_count(); ++i) {
        pliant_error error = {0};
        pliant_scene *scene = scene_entry_at(i)->create(&error);
        if (!scene)
            fail_msg("%s: %s", error.place, error.message);
        for (int k = 0; k < scene->model_count; ++k)
            check_round_trip(scene->models[k]);
        models += scene->model_count;
        pliant_scene_destroy(scene);
    }
    assert_true(models >= scene_entry_count());
}

// Saved files must stay readable: whoever changes these bytes changes the version of a chunk.
static void test_bytes_stay_as_they_are(void **state)
{
    (void)state;
    blob b = small_blob();
    assert_int_equal(b.size, 32 + 7 * 32 + 24 + 4 * 76 + 3 * 24 + 20 + 2 * 4 + 3 * 64 + 12);
    assert_memory_equal(b.bytes, "PLIANT\x1a\n\x04\0\0\0\x07\0\0\0", 16);
    assert_int_equal(pli_blob_checksum(b.bytes, b.size), 0x2367ab49c946c1f4ull);
    static const struct {
        const char *name;
        uint32_t version;
    } chunks[] = {{"material", 3}, {"particles", 4}, {"edges", 5},    {"groups", 2},
                  {"members", 1},  {"vertices", 1},  {"triangles", 1}};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; ++i)
        assert_int_equal(get_number(find_chunk(b, chunks[i].name) + CHUNK_VERSION_OFFSET, 4),
                         chunks[i].version);
    assert_null(find_chunk(b, "hinges")); // it has none
    free(b.bytes);
}

// ---------------------------------------------------------------------------------------------
// Chunks

static void test_unknown_chunks_are_kept_byte_for_byte(void **state)
{
    (void)state;
    blob plain = small_blob();
    blob one = with_chunk(plain, plain.bytes + plain.size, "tomorrow", 7, "abcde", 5);
    blob two = with_chunk(one, one.bytes + one.size, "tomorrow", 8, NULL, 0);
    blob three = with_chunk(two, two.bytes + two.size, "acme.notes-20-bytes.", 0, "\0\1\2\xff", 4);
    blob again = save_loaded(three);
    assert_same_blobs(again, three);

    // Wherever they stood, they come last and in their order.
    blob first = with_chunk(plain, find_chunk(plain, "edges"), "tomorrow", 7, "abcde", 5);
    blob moved = save_loaded(first);
    assert_same_blobs(moved, one);
    blob *const all[] = {&plain, &one, &two, &three, &again, &first, &moved};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        free(all[i]->bytes);
}

// The blob of small_model with a rig behind it.
static blob with_rig(blob plain, int32_t vertex_count)
{
    pliant_rig *rig = small_rig(vertex_count);
    size_t size = pli_rig_saved_size(rig);
    uint8_t *bytes = malloc(size);
    pli_rig_write(rig, bytes);
    blob b = with_chunk(plain, plain.bytes + plain.size, "rig", RIG_VERSION, bytes, size);
    pliant_rig_destroy(rig);
    free(bytes);
    return b;
}

static void test_a_rig_is_a_chunk(void **state)
{
    (void)state;
    blob plain = small_blob();
    assert_null(find_chunk(plain, "rig"));
    for (int32_t vertices = 0; vertices <= 3;
         vertices += 3) { // of a skeleton alone, and of all of the mesh
        blob b = with_rig(plain, vertices), again = save_loaded(b);
        assert_same_blobs(again, b);
        pliant_model *model = load(b.bytes, b.size, NULL);
        pliant_rig_def def = pliant_rig_definition(pliant_model_rig(model));
        assert_int_equal(def.vertex_count, vertices);
        assert_string_equal(def.nodes[1].name, "tip");
        pliant_model_destroy(model);
        free(again.bytes);
        free(b.bytes);
    }
    pliant_model *model = load(plain.bytes, plain.size, NULL);
    assert_null(pliant_model_rig(model));
    pliant_model_destroy(model);
    free(plain.bytes);
}

static void test_faults_of_a_rig_are_named(void **state)
{
    (void)state;
    blob plain = small_blob(), b = with_rig(plain, 3);
    blob other = with_rig(plain, 2), twice = with_rig(b, 3);
    check_rejected(other, PLIANT_ERROR_MODEL, "rig", "it moves 2 vertices, the model has 3");
    check_rejected(twice, PLIANT_ERROR_FORMAT, "chunk 8", "a second one of rig");
    uint8_t *parent =
        content_of(b, "rig") + 4 + 64; // behind the count and the name of the first node
    put_number(parent, 1, 4);
    repair(b);
    check_rejected(b, PLIANT_ERROR_MODEL, "node 0 (root)", "it is its own ancestor");
    put_number(content_of(b, "rig"), 0x10000000, 4);
    repair(b);
    check_rejected(b, PLIANT_ERROR_FORMAT, "rig", "its arrays do not fit its size");
    put_number(find_chunk(b, "rig") + CHUNK_VERSION_OFFSET, RIG_VERSION + 1, 4);
    repair(b);
    check_rejected(b, PLIANT_ERROR_VERSION, "rig", "version 2, this library reads up to 1");
    free(twice.bytes);
    free(other.bytes);
    free(b.bytes);
    free(plain.bytes);
}

static void test_chunks_come_in_any_order(void **state)
{
    (void)state;
    blob b = small_blob();
    uint8_t *edges = find_chunk(b, "edges");
    blob rest = without(b, edges, BLOB_CHUNK_HEADER_SIZE + 3 * 24);
    put_number(rest.bytes + CHUNK_COUNT_OFFSET, 6, 4);
    blob moved = with_chunk(rest, rest.bytes + rest.size, "edges", 5,
                            edges + BLOB_CHUNK_HEADER_SIZE, 3 * 24);
    blob again = save_loaded(moved);
    assert_same_blobs(again, b);
    free(again.bytes);
    free(moved.bytes);
    free(rest.bytes);
    free(b.bytes);
}

static void test_a_missing_or_empty_chunk_holds_nothing(void **state)
{
    (void)state;
    blob b = small_blob();
    blob rest = without(b, find_chunk(b, "edges"), BLOB_CHUNK_HEADER_SIZE + 3 * 24);
    put_number(rest.bytes + CHUNK_COUNT_OFFSET, 6, 4);
    repair(rest);
    blob empty = with_chunk(rest, rest.bytes + rest.size, "edges", 1, NULL, 0);
    blob again = save_loaded(empty);
    assert_same_blobs(again, rest);
    pliant_model *model = load(rest.bytes, rest.size, NULL);
    assert_int_equal(pliant_model_edge_count(model), 0);
    assert_int_equal(pliant_model_particle_count(model), 4);
    pliant_model_destroy(model);
    free(again.bytes);
    free(empty.bytes);
    free(rest.bytes);
    free(b.bytes);
}

// Particles of version 1 had no layers, masks, yielding and elasticity.
static void test_an_older_chunk_lacks_what_came_later(void **state)
{
    (void)state;
    blob b = small_blob(), old = {malloc(b.size), b.size};
    memcpy(old.bytes, b.bytes, b.size);
    for (int i = 3; i >= 0; --i) {
        blob less = without(old, content_of(old, "particles") + 76 * i + 52, 24);
        free(old.bytes);
        old = less;
    }
    uint8_t *particles = find_chunk(old, "particles");
    put_number(particles + CHUNK_VERSION_OFFSET, 1, 4);
    put_number(particles + CHUNK_SIZE_OFFSET, 4 * 52, 8);
    repair(old);
    blob again = save_loaded(old);
    assert_same_blobs(again, b);
    free(again.bytes);
    free(old.bytes);
    free(b.bytes);
}

static void test_chunks_that_are_not_understood_are_named(void **state)
{
    (void)state;
    blob b = small_blob();
    uint8_t *hurt = find_chunk(b, "groups");
    put_number(hurt + CHUNK_VERSION_OFFSET, 3, 4);
    repair(b);
    check_rejected(b, PLIANT_ERROR_VERSION, "groups", "version 3, this library reads up to 2");
    put_number(hurt + CHUNK_VERSION_OFFSET, 0, 4);
    repair(b);
    check_rejected(b, PLIANT_ERROR_FORMAT, "groups", "damaged");
    put_number(hurt + CHUNK_VERSION_OFFSET, 2, 4);

    static const char *const names[] = {"", "edges\0edges", "two words", "\x7f"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        memset(hurt, 0, BLOB_CHUNK_NAME_SIZE);
        memcpy(hurt, names[i], i == 1 ? 11 : strlen(names[i]));
        repair(b);
        check_rejected(b, PLIANT_ERROR_FORMAT, "chunk 3", "its name is damaged");
    }
    free(b.bytes);
    b = small_blob();
    blob twice = with_chunk(b, b.bytes + b.size, "edges", 1, NULL, 0);
    check_rejected(twice, PLIANT_ERROR_FORMAT, "chunk 7", "a second one of edges");
    free(twice.bytes);
    free(b.bytes);
}

static void test_chunks_must_fit_the_blob(void **state)
{
    (void)state;
    blob b = small_blob();
    put_number(b.bytes + CHUNK_COUNT_OFFSET, 6, 4);
    check_rejected(b, PLIANT_ERROR_FORMAT, "content", "44 bytes behind the last chunk");
    put_number(b.bytes + CHUNK_COUNT_OFFSET, 8, 4);
    check_rejected(b, PLIANT_ERROR_FORMAT, "chunk 7", "the blob ends before it");
    put_number(b.bytes + CHUNK_COUNT_OFFSET, 7, 4);
    static const uint64_t sizes[] = {13, 1u << 31, UINT64_MAX - 31, UINT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        put_number(find_chunk(b, "triangles") + CHUNK_SIZE_OFFSET, sizes[i], 8);
        repair(b);
        check_rejected(b, PLIANT_ERROR_FORMAT, "chunk 6", "the blob ends within it");
        free(b.bytes);
        b = small_blob();
    }
    put_number(find_chunk(b, "triangles") + CHUNK_SIZE_OFFSET, 8, 8);
    repair(b);
    check_rejected(b, PLIANT_ERROR_FORMAT, "triangles", "do not fit the size of their chunk");
    free(b.bytes);
}

// ---------------------------------------------------------------------------------------------
// Damage

static void test_every_truncation_is_rejected(void **state)
{
    (void)state;
    blob b = small_blob();
    for (size_t size = 0; size < b.size; ++size) {
        pliant_error error = {0};
        assert_null(load(b.bytes, size, &error));
        assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
        assert_true(error.message[0]);
    }
    free(b.bytes);
}

static void test_every_truncation_is_rejected_though_the_checksum_fits(void **state)
{
    (void)state;
    blob b = small_blob();
    for (size_t size = BLOB_HEADER_SIZE; size < b.size; ++size) {
        blob part = {malloc(size), size};
        memcpy(part.bytes, b.bytes, size);
        repair(part);
        pliant_error error = {0};
        assert_null(load(part.bytes, size, &error));
        assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
        free(part.bytes);
    }
    free(b.bytes);
}

static void test_a_longer_blob_is_rejected(void **state)
{
    (void)state;
    blob b = small_blob();
    blob longer = {calloc(1, b.size + 4), b.size + 4};
    memcpy(longer.bytes, b.bytes, b.size);
    check_rejected(longer, PLIANT_ERROR_FORMAT, "header", "bytes expected");
    repair(longer);
    check_rejected(longer, PLIANT_ERROR_FORMAT, "content", "4 bytes behind the last chunk");
    free(longer.bytes);
    free(b.bytes);
}

static void test_every_flipped_bit_is_rejected(void **state)
{
    (void)state;
    blob b = small_blob();
    for (size_t bit = 0; bit < 8 * b.size; ++bit) {
        b.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_null(load(b.bytes, b.size, NULL));
        b.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    pliant_model *model = load(b.bytes, b.size, NULL);
    assert_non_null(model);
    pliant_model_destroy(model);
    free(b.bytes);
}

// ---------------------------------------------------------------------------------------------
// Versions 1 to 3: counts, then the elements without chunks

static uint8_t *copy_content(uint8_t *to, blob b, const char *name)
{
    const uint8_t *chunk = find_chunk(b, name);
    size_t size = (size_t)get_number(chunk + CHUNK_SIZE_OFFSET, 8);
    memcpy(to, chunk + BLOB_CHUNK_HEADER_SIZE, size);
    return to + size;
}

// Without what later versions know: so many words of each element.
static uint8_t *copy_early(uint8_t *to, blob b, const char *name, size_t words_now,
                           size_t words_then)
{
    const uint8_t *chunk = find_chunk(b, name);
    size_t count = (size_t)get_number(chunk + CHUNK_SIZE_OFFSET, 8) / (4 * words_now);
    for (size_t i = 0; i < count; ++i, to += 4 * words_then)
        memcpy(to, chunk + BLOB_CHUNK_HEADER_SIZE + i * 4 * words_now, 4 * words_then);
    return to;
}

// The small model as version 3 saved it, to the byte.
static blob small_blob_of_version_3(void)
{
    static const uint32_t counts[] = {4, 3, 1, 2, 0, 3, 1};
    blob b = small_blob(), old = {malloc(b.size), 0};
    uint8_t *to = old.bytes + BLOB_HEADER_SIZE;
    memcpy(old.bytes, b.bytes, BLOB_HEADER_SIZE);
    put_number(old.bytes + 8, 3, 8);
    for (int i = 0; i < 7; ++i)
        put_number(to + 4 * i, counts[i], 4);
    to = copy_content(to + 28, b, "material");
    to = copy_early(to, b, "particles", 19, 17);
    to = copy_early(to, b, "edges", 6, 4);
    to = copy_content(to, b, "groups");
    to = copy_content(to, b, "members");
    to = copy_content(to, b, "vertices");
    to = copy_content(to, b, "triangles");
    old.size = (size_t)(to - old.bytes);
    repair(old);
    assert_int_equal(pli_blob_checksum(old.bytes, old.size), 0xe6c90d20d1cd36d8ull);
    free(b.bytes);
    return old;
}

static uint8_t *copy_part(uint8_t *to, const uint8_t **from, size_t keep, size_t drop)
{
    memcpy(to, *from, keep);
    *from += keep + drop;
    return to + keep;
}

// Version 1 lacked what is dropped here: the material, layers, masks, yielding, dents and hinges.
static blob small_blob_of_version_1(void)
{
    blob b = small_blob_of_version_3(), old = {malloc(b.size), 0};
    const uint8_t *from = b.bytes;
    uint8_t *to = copy_part(old.bytes, &from, 32 + 16, 4);
    to = copy_part(to, &from, 8, 24);
    for (int i = 0; i < 4; ++i)
        to = copy_part(to, &from, 52, 16);
    to = copy_part(to, &from, 3 * 16, 0);
    to = copy_part(to, &from, 8, 12);
    to = copy_part(to, &from, 2 * 4 + 3 * 64 + 12, 0);
    assert_ptr_equal(from, b.bytes + b.size);
    old.size = (size_t)(to - old.bytes);
    old.bytes[8] = 1;
    repair(old);
    free(b.bytes);
    return old;
}

// Version 2 lacked the material alone.
static blob small_blob_of_version_2(void)
{
    blob b = small_blob_of_version_3();
    blob old = without(b, b.bytes + 32 + 28, 24);
    old.bytes[8] = 2;
    free(b.bytes);
    return old;
}

static blob (*const small_blobs_of_old[])(void) = {small_blob_of_version_1, small_blob_of_version_2,
                                                   small_blob_of_version_3};

static void test_old_versions_are_read(void **state)
{
    (void)state;
    blob now = small_blob();
    for (int i = 0; i < 3; ++i) {
        blob old = small_blobs_of_old[i]();
        blob again = save_loaded(old);
        assert_same_blobs(again, now);
        free(again.bytes);
        free(old.bytes);
    }
    free(now.bytes);
}

static void test_every_truncation_of_an_old_version_is_rejected(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        blob b = small_blobs_of_old[i]();
        for (size_t size = BLOB_HEADER_SIZE; size < b.size; ++size) {
            blob part = {malloc(size), size};
            memcpy(part.bytes, b.bytes, size);
            repair(part);
            check_rejected(part, PLIANT_ERROR_FORMAT, "counts", "do not fit the size");
            free(part.bytes);
        }
        free(b.bytes);
    }
}

static void test_counts_that_do_not_fit_are_named(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 5, 0x20000000u, 0x7fffffffu, 0xffffffffu};
    for (int field = 0; field < 7; ++field) {
        for (int k = 0; k < 6; ++k) {
            blob b = small_blob_of_version_3();
            uint8_t *at = b.bytes + BLOB_HEADER_SIZE + 4 * field;
            bool is_same = at[0] == counts[k];
            put_number(at, counts[k], 4);
            repair(b);
            if (!is_same)
                check_rejected(b, PLIANT_ERROR_FORMAT, "counts", "do not fit the size");
            free(b.bytes);
        }
    }
}

static void test_header_faults_are_named(void **state)
{
    (void)state;
    blob b = small_blob();
    b.bytes[8] = 5;
    check_rejected(b, PLIANT_ERROR_VERSION, "header", "version 5, this library reads up to 4");
    b.bytes[8] = 0;
    check_rejected(b, PLIANT_ERROR_FORMAT, "header", "damaged");
    b.bytes[8] = 3; // which has no chunks to count
    check_rejected(b, PLIANT_ERROR_FORMAT, "header", "damaged");
    b.bytes[8] = 4;
    b.bytes[b.size - 1] ^= 1;
    check_rejected(b, PLIANT_ERROR_FORMAT, "content", "checksum does not match");
    b.bytes[0] = 'p';
    check_rejected(b, PLIANT_ERROR_FORMAT, "header", "this is not a Pliant model");
    free(b.bytes);
}

static void test_group_sizes_must_add_up(void **state)
{
    (void)state;
    blob b = small_blob();
    uint8_t *group = content_of(b, "groups");
    put_number(group, 3, 4);
    repair(b);
    check_rejected(b, PLIANT_ERROR_FORMAT, "group 0", "more members than the model holds");
    put_number(group, 0xffffffffu, 4);
    repair(b);
    check_rejected(b, PLIANT_ERROR_FORMAT, "group 0", "more members than the model holds");
    put_number(group, 1, 4);
    repair(b);
    check_rejected(b, PLIANT_ERROR_FORMAT, "groups", "1 members belong to no group");
    free(b.bytes);
}

static void test_elements_of_a_blob_are_checked(void **state)
{
    (void)state;
    blob b = small_blob();
    put_number(content_of(b, "particles") + 76 + 10 * 4, 0xff800000u, 4); // mass -inf
    repair(b);
    check_rejected(b, PLIANT_ERROR_MODEL, "particle 1", "mass -inf");
    free(b.bytes);
    b = small_blob();
    put_number(content_of(b, "material") + 4 * 5, 2, 4);
    repair(b);
    check_rejected(b, PLIANT_ERROR_FORMAT, "material", "a flag is neither 0 nor 1");
    for (int k = 0; k < 5; ++k) {
        free(b.bytes);
        b = small_blob();
        put_number(content_of(b, "material") + 4 * k, 0x447a8000u, 4); // 1002
        repair(b);
        check_rejected(b, PLIANT_ERROR_MODEL, "material", "1002 is not in [0, ");
    }
    free(b.bytes);
}

// Words that are likely to hurt: zero, one, NaN, infinities, the smallest and largest numbers.
static uint32_t nasty_word(uint32_t *random)
{
    static const uint32_t words[] = {0,           1,           2,           3,
                                     0xffffffffu, 0x7fffffffu, 0x80000000u, 0x7fc00000u,
                                     0x7f800000u, 0xff800000u, 0x00000001u, 0x3f800000u,
                                     0x3f800001u, 0x7f7fffffu, 0x40000000u, 0xbf800000u};
    uint32_t pick = random_bits(random);
    return pick & 0x100u ? words[pick % 16] : random_bits(random);
}

static void mutate(blob b, uint32_t *random)
{
    int changes = 1 + (int)(random_bits(random) % 4);
    for (int k = 0; k < changes; ++k) {
        size_t words = (b.size - BLOB_HEADER_SIZE) / 4;
        uint8_t *at = b.bytes + BLOB_HEADER_SIZE + 4 * (random_bits(random) % words);
        if (random_bits(random) & 0x1000u)
            put_number(at, nasty_word(random), 4);
        else
            at[random_bits(random) % 4] ^= (uint8_t)(1u << random_bits(random) % 8);
    }
    repair(b);
}

static void test_100000_mutations_give_a_sound_model_or_an_error(void **state)
{
    (void)state;
    blob good = small_blob(), b = {malloc(good.size), good.size};
    uint32_t random = 2026;
    int accepted = 0, rejected = 0;
    for (int i = 0; i < 100000; ++i) {
        memcpy(b.bytes, good.bytes, good.size);
        mutate(b, &random);
        pliant_error error = {0};
        pliant_model *model = pliant_model_load(b.bytes, b.size, NULL, &error);
        if (model) {
            check_round_trip(model);
            accepted += 1;
        } else {
            assert_true(error.code == PLIANT_ERROR_FORMAT || error.code == PLIANT_ERROR_MODEL ||
                        error.code == PLIANT_ERROR_VERSION);
            assert_true(error.place[0] && error.message[0]);
            rejected += 1;
        }
        pliant_model_destroy(model);
    }
    print_message("%d accepted, %d rejected\n", accepted, rejected);
    assert_true(accepted > 10000 && rejected > 10000);
    free(b.bytes);
    free(good.bytes);
}

// ---------------------------------------------------------------------------------------------
// Files

static char directory[] = "/tmp/pliant-test-blob-XXXXXX";

static int open_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static const char *in_directory(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static int count_files(void)
{
    DIR *handle = opendir(directory);
    assert_non_null(handle);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(handle));)
        count += entry->d_name[0] != '.';
    closedir(handle);
    return count;
}

static int close_directory(void **state)
{
    (void)state;
    static const char *const names[] = {"a.pliant", "b.pliant"};
    for (int i = 0; i < 2; ++i)
        remove(in_directory(names[i]));
    return rmdir(directory);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_file_holds(const char *path, const char *text)
{
    char found[64] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(fread(found, 1, sizeof found - 1, file) > 0);
    fclose(file);
    assert_string_equal(found, text);
}

static void test_a_saved_file_is_loaded_again(void **state)
{
    (void)state;
    pliant_model *model = small_model();
    const char *path = in_directory("a.pliant");
    write_text(path, "something older");
    assert_int_equal(pliant_model_save_file(model, path, NULL), PLIANT_OK);
    assert_int_equal(count_files(), 1);
    pliant_model *loaded = pliant_model_load_file(path, NULL);
    assert_non_null(loaded);
    blob a = save(model), b = save(loaded);
    assert_same_blobs(a, b);
    free(a.bytes);
    free(b.bytes);
    pliant_model_destroy(loaded);
    pliant_model_destroy(model);
    remove(path);
}

static void test_missing_and_foreign_files_are_named(void **state)
{
    (void)state;
    const char *path = in_directory("a.pliant");
    pliant_error error = {0};
    assert_null(pliant_model_load_file(path, &error));
    assert_int_equal(error.code, PLIANT_ERROR_FILE);
    assert_string_equal(error.place, path);
    assert_string_equal(error.message, "No such file or directory");
    assert_null(pliant_model_load_file(directory, &error));
    assert_int_equal(error.code, PLIANT_ERROR_FILE);
    write_text(path, "not a model, but long enough to hold a header and six counts");
    assert_null(pliant_model_load_file(path, &error));
    assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
    assert_string_equal(error.message, "this is not a Pliant model");
    write_text(path, "");
    assert_null(pliant_model_load_file(path, &error));
    assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
    remove(path);
}

// A missing directory, and a directory where the file should be.
static void test_saving_to_an_impossible_place_leaves_nothing(void **state)
{
    (void)state;
    pliant_model *model = small_model();
    pliant_error error = {0};
    assert_int_equal(pliant_model_save_file(model, in_directory("no/a.pliant"), &error),
                     PLIANT_ERROR_FILE);
    assert_string_equal(error.place, in_directory("no/a.pliant"));
    assert_int_equal(count_files(), 0);
    assert_int_equal(mkdir(in_directory("b.pliant"), 0700), 0);
    assert_int_equal(pliant_model_save_file(model, in_directory("b.pliant"), &error),
                     PLIANT_ERROR_FILE);
    assert_int_equal(count_files(), 1);
    assert_int_equal(rmdir(in_directory("b.pliant")), 0);
    pliant_model_destroy(model);
}

// A full disk is played by a limit on the size of files.
static void test_a_full_disk_leaves_the_old_file_whole(void **state)
{
    (void)state;
    pliant_model *model = small_model();
    const char *path = in_directory("a.pliant");
    write_text(path, "something older");
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {64, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    pliant_error error = {0};
    pliant_result result = pliant_model_save_file(model, path, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(result, PLIANT_ERROR_FILE);
    assert_string_equal(error.place, path);
    assert_true(error.message[0]);
    assert_file_holds(path, "something older");
    assert_int_equal(count_files(), 1);
    pliant_model_destroy(model);
    remove(path);
}

static void test_saving_replaces_neither_pipes_nor_links(void **state)
{
    (void)state;
    pliant_model *model = small_model();
    struct stat status;
    const char *path = in_directory("a.pliant");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(pliant_model_save_file(model, path, NULL), PLIANT_OK);
    char magic[6];
    assert_int_equal(read(reader, magic, sizeof magic), sizeof magic);
    assert_memory_equal(magic, "PLIANT", sizeof magic);
    close(reader);
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    remove(path);

    assert_int_equal(symlink("a.pliant", in_directory("b.pliant")), 0);
    write_text(in_directory("a.pliant"), "something older");
    assert_int_equal(pliant_model_save_file(model, in_directory("b.pliant"), NULL), PLIANT_OK);
    assert_int_equal(lstat(in_directory("b.pliant"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    pliant_model *loaded = pliant_model_load_file(in_directory("a.pliant"), NULL);
    assert_non_null(loaded);
    assert_int_equal(count_files(), 2);
    pliant_model_destroy(loaded);
    pliant_model_destroy(model);
    remove(in_directory("a.pliant"));
    remove(in_directory("b.pliant"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_model_comes_back),
        cmocka_unit_test(test_models_of_all_scenes_come_back),
        cmocka_unit_test(test_a_built_model_steps_as_its_loaded_twin_does),
        cmocka_unit_test(test_bytes_stay_as_they_are),
        cmocka_unit_test(test_unknown_chunks_are_kept_byte_for_byte),
        cmocka_unit_test(test_a_rig_is_a_chunk),
        cmocka_unit_test(test_faults_of_a_rig_are_named),
        cmocka_unit_test(test_chunks_come_in_any_order),
        cmocka_unit_test(test_a_missing_or_empty_chunk_holds_nothing),
        cmocka_unit_test(test_an_older_chunk_lacks_what_came_later),
        cmocka_unit_test(test_chunks_that_are_not_understood_are_named),
        cmocka_unit_test(test_chunks_must_fit_the_blob),
        cmocka_unit_test(test_every_truncation_is_rejected),
        cmocka_unit_test(test_every_truncation_is_rejected_though_the_checksum_fits),
        cmocka_unit_test(test_a_longer_blob_is_rejected),
        cmocka_unit_test(test_every_flipped_bit_is_rejected),
        cmocka_unit_test(test_old_versions_are_read),
        cmocka_unit_test(test_every_truncation_of_an_old_version_is_rejected),
        cmocka_unit_test(test_counts_that_do_not_fit_are_named),
        cmocka_unit_test(test_header_faults_are_named),
        cmocka_unit_test(test_group_sizes_must_add_up),
        cmocka_unit_test(test_elements_of_a_blob_are_checked),
        cmocka_unit_test(test_100000_mutations_give_a_sound_model_or_an_error),
        cmocka_unit_test(test_a_saved_file_is_loaded_again),
        cmocka_unit_test(test_missing_and_foreign_files_are_named),
        cmocka_unit_test(test_saving_to_an_impossible_place_leaves_nothing),
        cmocka_unit_test(test_a_full_disk_leaves_the_old_file_whole),
        cmocka_unit_test(test_saving_replaces_neither_pipes_nor_links),
    };
    return cmocka_run_group_tests(tests, open_directory, close_directory);
}
