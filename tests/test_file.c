// Whole files: what is written is read back, failures name the file, leave nothing behind and keep an
// existing file as it was.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pliant/author.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/pliant-test-file-XXXXXX";

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

static int set_up(void **unused)
{
    (void)unused;
    return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void)unused;
    return rmdir(directory);
}

static void assert_content(const char *path, const char *expected)
{
    void *data = NULL;
    size_t size = 0;
    assert_int_equal(pliant_file_read(path, &data, &size, NULL), PLIANT_OK);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(data, expected, size + 1); // with the zero behind it
    free(data);
}

static void writes_reads_and_replaces(void **unused)
{
    (void)unused;
    const char *path = in_directory("a");
    assert_int_equal(pliant_file_write(path, "one", 3, NULL), PLIANT_OK);
    assert_content(path, "one");
    assert_int_equal(pliant_file_write(path, "longer than one", 15, NULL), PLIANT_OK);
    assert_content(path, "longer than one");
    assert_int_equal(pliant_file_write(path, "", 0, NULL), PLIANT_OK);
    assert_content(path, "");
    assert_int_equal(count_files(), 1);
    remove(path);
}

static void reads_more_than_a_piece(void **unused)
{
    (void)unused;
    const char *path = in_directory("large");
    size_t size = 300001;
    char *data = malloc(size);
    for (size_t i = 0; i < size; ++i)
        data[i] = (char)(i * 31 + 7);
    assert_int_equal(pliant_file_write(path, data, size, NULL), PLIANT_OK);
    void *read = NULL;
    size_t read_size = 0;
    assert_int_equal(pliant_file_read(path, &read, &read_size, NULL), PLIANT_OK);
    assert_int_equal(read_size, size);
    assert_memory_equal(read, data, size);
    free(read);
    free(data);
    remove(path);
}

static void reports_a_missing_file(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    void *data = NULL;
    size_t size;
    const char *path = in_directory("nothing");
    assert_int_equal(pliant_file_read(path, &data, &size, &error), PLIANT_ERROR_FILE);
    assert_int_equal(error.code, PLIANT_ERROR_FILE);
    assert_string_equal(error.place, path);
    assert_string_equal(error.message, "No such file or directory");
    assert_null(data);
    assert_int_equal(pliant_file_read(directory, &data, &size, &error), PLIANT_ERROR_FILE);
    assert_string_equal(error.message, "Is a directory");
}

static void reports_what_cannot_be_written(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    const char *path = in_directory("none/a");
    assert_int_equal(pliant_file_write(path, "x", 1, &error), PLIANT_ERROR_FILE);
    assert_string_equal(error.place, path);
    assert_string_equal(error.message, "No such file or directory");
    assert_int_equal(pliant_file_write(directory, "x", 1, &error), PLIANT_ERROR_FILE);
    assert_string_equal(error.message, "Is a directory");
    assert_int_equal(count_files(), 0);
}

// Other people's temporary files are not touched, and ours leave no trace.
static void finds_a_free_temporary_name(void **unused)
{
    (void)unused;
    char busy[256];
    snprintf(busy, sizeof busy, "%s", in_directory("b.tmp0"));
    assert_int_equal(pliant_file_write(busy, "busy", 4, NULL), PLIANT_OK);
    const char *path = in_directory("b");
    assert_int_equal(pliant_file_write(path, "b", 1, NULL), PLIANT_OK);
    assert_content(path, "b");
    remove(path);
    assert_content(busy, "busy");
    assert_int_equal(count_files(), 1);
    remove(busy);
}

static void keeps_the_old_file_when_writing_fails(void **unused)
{
    (void)unused;
    const char *path = in_directory("kept");
    assert_int_equal(pliant_file_write(path, "old", 3, NULL), PLIANT_OK);
    // A limit on the size of files stands in for a full disk.
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    pliant_error error = {0};
    char *large = calloc(1, 100000);
    pliant_result result = pliant_file_write(path, large, 100000, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    free(large);
    assert_int_equal(result, PLIANT_ERROR_FILE);
    assert_string_equal(error.place, path);
    assert_string_equal(error.message, "File too large");
    assert_content(path, "old");
    assert_int_equal(count_files(), 1);
    remove(path);
}

// Writes as somebody whom protection stops, which it does not for root. Returns the result; when it
// is an error its message must be `message`.
static int write_as_nobody(const char *path, const char *message)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(255);
        pliant_error error = {0};
        pliant_result result = pliant_file_write(path, "new", 3, &error);
        _exit(result && strcmp(error.message, message) != 0 ? 254 : (int)result);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// Never as root: were devices replaced, the machine's own would be gone.
static void writes_into_devices(void **unused)
{
    (void)unused;
    assert_int_equal(write_as_nobody("/dev/null", ""), PLIANT_OK);
    struct stat status;
    if (stat("/dev/full", &status) != 0)
        skip();
    // This one fails late, when data is flushed.
    assert_int_equal(write_as_nobody("/dev/full", "No space left on device"), PLIANT_ERROR_FILE);
}

// The folder is open to all, so that nothing but the file's own protection is in the way.
static void respects_write_protection(void **unused)
{
    (void)unused;
    const char *path = in_directory("protected");
    assert_int_equal(pliant_file_write(path, "old", 3, NULL), PLIANT_OK);
    chmod(directory, 0777);
    chmod(path, 0444);
    assert_int_equal(write_as_nobody(path, "Permission denied"), PLIANT_ERROR_FILE);
    assert_content(path, "old");
    assert_int_equal(count_files(), 1);
    chmod(path, 0666);
    assert_int_equal(write_as_nobody(path, ""), PLIANT_OK);
    assert_content(path, "new");
    chmod(directory, 0700);
    remove(path);
}

static void assert_is_link(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

static void writes_what_a_link_leads_to(void **unused)
{
    (void)unused;
    char target[256], link[256];
    snprintf(target, sizeof target, "%s", in_directory("target"));
    snprintf(link, sizeof link, "%s", in_directory("link"));
    assert_int_equal(symlink("target", link), 0);
    // First the link leads to nothing, then to a file.
    static const char *const contents[] = {"first", "second"};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(pliant_file_write(link, contents[i], strlen(contents[i]), NULL),
                         PLIANT_OK);
        assert_is_link(link);
        assert_content(target, contents[i]);
        assert_int_equal(count_files(), 2);
    }
    remove(link);
    remove(target);

    assert_int_equal(symlink("none/target", link), 0);
    pliant_error error = {0};
    assert_int_equal(pliant_file_write(link, "x", 1, &error), PLIANT_ERROR_FILE);
    assert_string_equal(error.place, link);
    assert_is_link(link);
    assert_int_equal(count_files(), 1);
    remove(link);
}

// What was written must come out of the pipe, and the pipe must still be one.
static void writes_into_pipes(void **unused)
{
    (void)unused;
    const char *path = in_directory("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(pliant_file_write(path, "through", 7, NULL), PLIANT_OK);
    char text[16] = {0};
    assert_int_equal(read(reader, text, sizeof text - 1), 7);
    assert_string_equal(text, "through");
    close(reader);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    assert_int_equal(count_files(), 1);
    remove(path);
}

static void tells_kinds_apart(void **unused)
{
    (void)unused;
    assert_int_equal(pliant_file_detect("glTF....", 8), PLIANT_FILE_GLB);
    assert_int_equal(pliant_file_detect("PLIANT\x1a\n", 8), PLIANT_FILE_MODEL);
    assert_int_equal(pliant_file_detect(" \n {}", 5), PLIANT_FILE_SCENE);
    assert_int_equal(pliant_file_detect("", 0), PLIANT_FILE_UNKNOWN);
    assert_int_equal(pliant_file_detect("gl", 2), PLIANT_FILE_UNKNOWN);
    assert_int_equal(pliant_file_detect("\0{", 2), PLIANT_FILE_UNKNOWN);
    assert_int_equal(pliant_file_detect("solid", 5), PLIANT_FILE_UNKNOWN);
    static const struct {
        const char *text;
        pliant_file_kind kind;
    } texts[] = {
        {"{\"asset\": {}}", PLIANT_FILE_GLTF},
        {"\xef\xbb\xbf {\"asset\": {}}", PLIANT_FILE_GLTF},
        {"{\"pliant\": 1, \"asset\": {}}", PLIANT_FILE_SCENE},
        {"{\"asset\": {}", PLIANT_FILE_SCENE},
        {"v 1 2 3\n", PLIANT_FILE_OBJ},
        {"# vertices\r\n\n  # {\n\tmtllib a.mtl\n", PLIANT_FILE_OBJ},
        {"# v 1 2 3\n", PLIANT_FILE_UNKNOWN},
        {"version 1\n", PLIANT_FILE_UNKNOWN},
        {"v", PLIANT_FILE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        assert_int_equal(pliant_file_detect(texts[i].text, strlen(texts[i].text)), texts[i].kind);
}

static void recognises_a_saved_model(void **unused)
{
    (void)unused;
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_particle_def particle = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &particle);
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    size_t size = pliant_model_blob_size(model);
    void *blob = malloc(size);
    pliant_model_save(model, blob);
    assert_int_equal(pliant_file_detect(blob, size), PLIANT_FILE_MODEL);
    free(blob);
    pliant_model_destroy(model);
    pliant_builder_destroy(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_reads_and_replaces),
        cmocka_unit_test(reads_more_than_a_piece),
        cmocka_unit_test(reports_a_missing_file),
        cmocka_unit_test(reports_what_cannot_be_written),
        cmocka_unit_test(finds_a_free_temporary_name),
        cmocka_unit_test(writes_into_devices),
        cmocka_unit_test(keeps_the_old_file_when_writing_fails),
        cmocka_unit_test(respects_write_protection),
        cmocka_unit_test(writes_what_a_link_leads_to),
        cmocka_unit_test(writes_into_pipes),
        cmocka_unit_test(tells_kinds_apart),
        cmocka_unit_test(recognises_a_saved_model),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
