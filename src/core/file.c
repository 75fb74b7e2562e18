// Whole files in and out. The C library alone can write a file safely; what stands at a path already
// (a link, a device, a protected file) only POSIX tells, where there is one.

#if defined(__unix__) || defined(__APPLE__)
#define HAS_POSIX 1
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // POSIX of 2008 with realpath
#endif
#endif

#include "file.h"

#include "error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAS_POSIX
#include <sys/stat.h>
#include <unistd.h>
#endif

// In this file a function that can fail returns 0 or the number of an error (errno).

static pliant_result fail(pliant_error *error, const char *place, int number)
{
    if (number == ENOMEM)
        return pli_error_set(error, PLIANT_ERROR_MEMORY, place, "out of memory");
    return pli_error_set(error, PLIANT_ERROR_FILE, place, "%s", strerror(number));
}

// Not every C library sets errno for its streams.
static int stream_error(void)
{
    return errno ? errno : EIO;
}

// ---------------------------------------------------------------------------------------------
// Reading

// Reads in growing pieces, as pipes and devices do not know their size beforehand. *data is the
// caller's to free also on failure.
static int read_to_end(FILE *stream, char **data, size_t *size)
{
    size_t capacity = 1 << 15;
    *data = NULL;
    *size = 0;
    for (;;) {
        capacity *= 2;
        char *bigger = realloc(*data, capacity);
        if (!bigger)
            return ENOMEM;
        *data = bigger;
        size_t room = capacity - 1 - *size;
        errno = 0;
        size_t got = fread(bigger + *size, 1, room, stream);
        *size += got;
        if (got < room) {
            bigger[*size] = 0;
            return ferror(stream) ? stream_error() : 0;
        }
    }
}

pliant_result pli_core_read_stream(FILE *stream, const char *place, void **data, size_t *size,
                                   pliant_error *error)
{
    char *bytes;
    size_t length;
    int number = read_to_end(stream, &bytes, &length);
    if (number) {
        free(bytes);
        return fail(error, place, number);
    }
    *data = bytes;
    *size = length;
    return PLIANT_OK;
}

pliant_result pli_core_read_file(const char *path, void **data, size_t *size, pliant_error *error)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(error, path, stream_error());
    pliant_result result = pli_core_read_stream(file, path, data, size, error);
    fclose(file);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Writing

static int write_and_close(FILE *file, const void *data, size_t size)
{
    errno = 0;
    int number = size == 0 || fwrite(data, 1, size, file) == size ? 0 : stream_error();
    errno = 0;
    if (fclose(file) != 0 && number == 0)
        number = stream_error();
    return number;
}

// Opens a file that did not exist before, named after `path`: names that exist are passed over.
static FILE *open_beside(const char *path, char *name, size_t capacity)
{
    FILE *file = NULL;
    errno = EEXIST;
    for (int i = 0; i < 10000 && !file && errno == EEXIST; ++i) {
        snprintf(name, capacity, "%s.tmp%d", path, i);
        file = fopen(name, "wbx");
    }
    return file;
}

static int write_by_rename(const char *path, const void *data, size_t size)
{
    size_t capacity = strlen(path) + 16;
    char *name = malloc(capacity);
    if (!name)
        return ENOMEM;
    FILE *file = open_beside(path, name, capacity);
    int number = file ? write_and_close(file, data, size) : stream_error();
    if (number == 0 && rename(name, path) != 0)
        number = errno;
    if (file && number != 0)
        remove(name);
    free(name);
    return number;
}

#ifdef HAS_POSIX

static int write_into(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    return file ? write_and_close(file, data, size) : errno;
}

// Renaming onto a link would replace it, so the temporary file goes beside the link's target.
static int write_target(const char *link, const void *data, size_t size)
{
    char *target = realpath(link, NULL);
    int number = target ? write_by_rename(target, data, size) : errno;
    free(target);
    return number;
}

// A link to nothing has no content to lose: opening it creates the file it names.
static int write_new_target(const char *link, const void *data, size_t size)
{
    int number = write_into(link, data, size);
    char *target = number ? realpath(link, NULL) : NULL;
    if (target)
        remove(target);
    free(target);
    return number;
}

static int write_whole(const char *path, const void *data, size_t size)
{
    struct stat status, own;
    bool exists = stat(path, &status) == 0;
    bool is_link = lstat(path, &own) == 0 && S_ISLNK(own.st_mode);
    if (exists && S_ISDIR(status.st_mode))
        return EISDIR;
    if (exists && access(path, W_OK) != 0)
        return errno; // renaming over a write-protected file would succeed
    if (exists && !S_ISREG(status.st_mode))
        return write_into(path, data, size); // a pipe or a device such as /dev/null
    if (!is_link)
        return write_by_rename(path, data, size);
    return exists ? write_target(path, data, size) : write_new_target(path, data, size);
}

#else

static int write_whole(const char *path, const void *data, size_t size)
{
    return write_by_rename(path, data, size);
}

#endif

pliant_result pli_core_write_file(const char *path, const void *data, size_t size,
                                  pliant_error *error)
{
    int number = write_whole(path, data, size);
    return number ? fail(error, path, number) : PLIANT_OK;
}
