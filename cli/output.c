// What a command writes: its name, whether it can be written, and the writing.

#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *cli_output_name(const char *path)
{
    return cli_is_dash(path) ? "standard output" : path;
}

// 0 or the number of the error that writing this file would end with.
static int writing_error(const char *path)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return EISDIR;
    if (exists && access(path, W_OK) != 0)
        return errno;
    if (exists && !S_ISREG(status.st_mode))
        return 0;                        // a device or a pipe: nothing is created beside it
    char *target = realpath(path, NULL); // a link is written where it leads to
    char *folder = cli_folder_of(target ? target : path);
    free(target);
    if (!folder)
        return ENOMEM;
    int number = 0;
    if (stat(folder, &status) != 0)
        number = errno;
    else if (!S_ISDIR(status.st_mode))
        number = ENOTDIR;
    else if (access(folder, W_OK | X_OK) != 0)
        number = errno;
    free(folder);
    return number;
}

bool cli_output_is_writable(const char *path)
{
    int number = cli_is_dash(path) ? 0 : writing_error(path);
    if (number)
        cli_fail("%s: cannot be written: %s", path, strerror(number));
    return number == 0;
}

pliant_result cli_write_output(const char *path, const void *data, size_t size, pliant_error *error)
{
    if (!cli_is_dash(path))
        return pliant_file_write(path, data, size, error);
    errno = 0;
    if (fwrite(data, 1, size, stdout) == size && fflush(stdout) == 0)
        return PLIANT_OK;
    *error = (pliant_error){.code = PLIANT_ERROR_FILE};
    snprintf(error->message, sizeof error->message, "%s", strerror(errno ? errno : EIO));
    return PLIANT_ERROR_FILE;
}
