// The saved form of a model: it comes back bit by bit, and whatever is wrong with it is noticed.

#include "model/blob.h"
#include "scenes.h"
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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
        pliant_edge_def edge = {i, i + 1, 0.25f, 0.5f};
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

// Makes size and checksum fit whatever the content is now.
static void repair(blob b)
{
    put_number(b.bytes + 16, b.size, 8);
    put_number(b.bytes + BLOB_CHECKSUM_OFFSET,
               pliant_blob_checksum(b.bytes + BLOB_HEADER_SIZE, b.size - BLOB_HEADER_SIZE), 8);
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

static void check_round_trip(const pliant_model *model)
{
    blob before = save(model);
    pliant_error error = {0};
    pliant_model *loaded = load(before.bytes, before.size, &error);
    if (!loaded)
        fail_msg("%s: %s", error.place, error.message);
    blob after = save(loaded);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.bytes, before.bytes, before.size);
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

// Saved files must stay readable: whoever changes these bytes changes the version.
static void test_bytes_of_version_3_stay_as_they_are(void **state)
{
    (void)state;
    blob b = small_blob();
    assert_int_equal(b.size, 32 + 28 + 24 + 4 * 68 + 3 * 16 + 20 + 2 * 4 + 3 * 64 + 12);
    assert_memory_equal(b.bytes, "PLIANT\x1a\n\x03\0\0\0\0\0\0\0", 16);
    assert_int_equal(pliant_blob_checksum(b.bytes, b.size), 0xe6c90d20d1cd36d8ull);
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
    check_rejected(longer, PLIANT_ERROR_FORMAT, "counts", "do not fit");
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

static uint8_t *copy_part(uint8_t *to, const uint8_t **from, size_t keep, size_t drop)
{
    memcpy(to, *from, keep);
    *from += keep + drop;
    return to + keep;
}

// Version 1 lacked what is dropped here: the material, layers, masks, yielding, dents and hinges.
static void test_version_1_is_read(void **state)
{
    (void)state;
    pliant_model *model = small_model();
    blob b = save(model), old = {malloc(b.size), 0};
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
    put_number(old.bytes + 16, old.size, 8);
    repair(old);
    pliant_error error = {0};
    pliant_model *loaded = load(old.bytes, old.size, &error);
    if (!loaded)
        fail_msg("%s: %s", error.place, error.message);
    blob again = save(loaded);
    assert_int_equal(again.size, b.size);
    assert_memory_equal(again.bytes, b.bytes, b.size);
    pliant_model_destroy(loaded);
    pliant_model_destroy(model);
    free(again.bytes);
    free(old.bytes);
    free(b.bytes);
}

// Version 2 lacked the material alone.
static void test_version_2_is_read(void **state)
{
    (void)state;
    blob b = small_blob(), old = {malloc(b.size), b.size - 24};
    const uint8_t *from = b.bytes;
    uint8_t *to = copy_part(old.bytes, &from, 32 + 28, 24);
    copy_part(to, &from, (size_t)(b.bytes + b.size - from), 0);
    old.bytes[8] = 2;
    repair(old);
    pliant_error error = {0};
    pliant_model *loaded = load(old.bytes, old.size, &error);
    if (!loaded)
        fail_msg("%s: %s", error.place, error.message);
    blob again = save(loaded);
    assert_int_equal(again.size, b.size);
    assert_memory_equal(again.bytes, b.bytes, b.size);
    pliant_model_destroy(loaded);
    free(again.bytes);
    free(old.bytes);
    free(b.bytes);
}

static void test_header_faults_are_named(void **state)
{
    (void)state;
    blob b = small_blob();
    b.bytes[8] = 4;
    check_rejected(b, PLIANT_ERROR_VERSION, "header", "version 4, this library reads up to 3");
    b.bytes[8] = 0;
    check_rejected(b, PLIANT_ERROR_FORMAT, "header", "damaged");
    b.bytes[8] = 3;
    b.bytes[12] = 1;
    check_rejected(b, PLIANT_ERROR_FORMAT, "header", "damaged");
    b.bytes[12] = 0;
    b.bytes[b.size - 1] ^= 1;
    check_rejected(b, PLIANT_ERROR_FORMAT, "content", "checksum does not match");
    b.bytes[0] = 'p';
    check_rejected(b, PLIANT_ERROR_FORMAT, "header", "this is not a Pliant model");
    free(b.bytes);
}

static void test_counts_that_do_not_fit_are_named(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 5, 0x20000000u, 0x7fffffffu, 0xffffffffu};
    for (int field = 0; field < 7; ++field) {
        for (int k = 0; k < 6; ++k) {
            blob b = small_blob();
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

static void test_group_sizes_must_add_up(void **state)
{
    (void)state;
    blob b = small_blob();
    uint8_t *group = b.bytes + BLOB_HEADER_SIZE + 28 + 24 + 4 * 68 + 3 * 16;
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
    put_number(b.bytes + BLOB_HEADER_SIZE + 28 + 24 + 68 + 10 * 4, 0xff800000u, 4); // mass -inf
    repair(b);
    check_rejected(b, PLIANT_ERROR_MODEL, "particle 1", "mass -inf");
    for (int k = 0; k < 5; ++k) {
        free(b.bytes);
        b = small_blob();
        put_number(b.bytes + BLOB_HEADER_SIZE + 28 + 4 * k, 0x447a8000u, 4); // 1002
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
            assert_true(error.code == PLIANT_ERROR_FORMAT || error.code == PLIANT_ERROR_MODEL);
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
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
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
        cmocka_unit_test(test_bytes_of_version_3_stay_as_they_are),
        cmocka_unit_test(test_every_truncation_is_rejected),
        cmocka_unit_test(test_every_truncation_is_rejected_though_the_checksum_fits),
        cmocka_unit_test(test_a_longer_blob_is_rejected),
        cmocka_unit_test(test_every_flipped_bit_is_rejected),
        cmocka_unit_test(test_version_1_is_read),
        cmocka_unit_test(test_version_2_is_read),
        cmocka_unit_test(test_header_faults_are_named),
        cmocka_unit_test(test_counts_that_do_not_fit_are_named),
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
