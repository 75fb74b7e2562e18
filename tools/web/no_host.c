// The C library formats text through its file layer, which would import these calls from the host although nothing is
// ever written; here they fail, and the module needs nothing from its host.

#include <wasi/api.h>

__wasi_errno_t __wasi_fd_close(__wasi_fd_t fd)
{
    (void)fd;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t fd, __wasi_filedelta_t offset, __wasi_whence_t whence,
                              __wasi_filesize_t *position)
{
    (void)fd, (void)offset, (void)whence, (void)position;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_write(__wasi_fd_t fd, const __wasi_ciovec_t *vectors, size_t count,
                               __wasi_size_t *written)
{
    (void)fd, (void)vectors, (void)count, (void)written;
    return __WASI_ERRNO_BADF;
}
