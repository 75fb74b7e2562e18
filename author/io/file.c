// Whole files in and out. Writing goes to a new file beside the target, which then takes its name:
// whatever happens on the way, an existing file keeps its old content or has all of the new one.

#include <pliant/author.h>

#include "core/error.h"
#include "io/decimal.h"
#include "model/blob.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pliant_result fail_file(pliant_error *error, const char *path, int number)
{
    return pliant_error_set(error, PLIANT_ERROR_FILE, path, "%s",
                            number ? strerror(number) : "cannot be read or written");
}

// Reads to the end in growing pieces: pipes and devices do not know their size beforehand.
static bool read_all(FILE *file, char **data, size_t *size)
{
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    *size = 0;
    while (bytes) {
        *size += fread(bytes + *size, 1, capacity - 1 - *size, file);
        if (ferror(file)) {
            int number = errno;
            free(bytes);
            errno = number;
            return false;
        }
        if (feof(file)) {
            bytes[*size] = 0;
            *data = bytes;
            return true;
        }
        if (capacity - 1 - *size == 0) {
            char *grown = realloc(bytes, capacity * 2);
            if (!grown)
                free(bytes);
            bytes = grown;
            capacity *= 2;
        }
    }
    errno = ENOMEM;
    return false;
}

pliant_result pliant_file_read(const char *path, void **data, size_t *size, pliant_error *error)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail_file(error, path, errno);
    char *bytes = NULL;
    size_t length = 0;
    bool ok = read_all(file, &bytes, &length);
    int number = errno;
    fclose(file);
    if (!ok)
        return fail_file(error, path, number);
    *data = bytes;
    *size = length;
    return PLIANT_OK;
}

// Opens a file that did not exist before, named after `path`. `name` has room for the path and a
// short ending.
static FILE *open_beside(const char *path, char *name)
{
    size_t length = strlen(path);
    memcpy(name, path, length);
    memcpy(name + length, ".tmp", 4);
    for (int i = 0; i < 10000; ++i) {
        pliant_decimal_write_int(name + length + 4, i);
        FILE *file = fopen(name, "wbx");
        if (file || errno != EEXIST)
            return file;
    }
    return NULL;
}

// Returns 0 or the error number.
static int write_and_close(FILE *file, const void *data, size_t size)
{
    errno = 0;
    bool ok = size == 0 || fwrite(data, 1, size, file) == size;
    int number = ok ? 0 : errno;
    errno = 0;
    if (fclose(file) != 0 && ok) {
        ok = false;
        number = errno;
    }
    return ok ? 0 : number ? number : EIO;
}

static int write_by_rename(const char *path, const void *data, size_t size)
{
    char *name = malloc(strlen(path) + 4 + DECIMAL_SIZE);
    if (!name)
        return ENOMEM;
    FILE *file = open_beside(path, name);
    int number = file ? write_and_close(file, data, size) : errno;
    if (file && number == 0 && rename(name, path) != 0)
        number = errno;
    if (file && number != 0)
        remove(name);
    free(name);
    return number;
}

pliant_result pliant_file_write(const char *path, const void *data, size_t size,
                                pliant_error *error)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    int number = 0;
    if (exists && S_ISDIR(status.st_mode)) {
        number = EISDIR;
    } else if (exists && access(path, W_OK) != 0) {
        number = errno; // renaming over a write-protected file would succeed
    } else if (exists && !S_ISREG(status.st_mode)) {
        // A pipe or a device such as /dev/null is written into, not replaced.
        FILE *file = fopen(path, "wb");
        number = file ? write_and_close(file, data, size) : errno;
    } else {
        number = write_by_rename(path, data, size);
    }
    return number ? fail_file(error, path, number) : PLIANT_OK;
}

pliant_file_kind pliant_file_detect(const void *data, size_t size)
{
    const char *bytes = data;
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0)
        return PLIANT_FILE_GLB;
    // The part of the magic a person can read, so that damage behind it is reported as damage.
    if (size >= 6 && memcmp(bytes, BLOB_MAGIC, 6) == 0)
        return PLIANT_FILE_MODEL;
    for (size_t i = 0; i < size; ++i) {
        if (!strchr(" \t\r\n", bytes[i]) || bytes[i] == 0)
            return bytes[i] == '{' ? PLIANT_FILE_SCENE : PLIANT_FILE_UNKNOWN;
    }
    return PLIANT_FILE_UNKNOWN;
}
