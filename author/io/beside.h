// Files that another file names: they are looked for in its folder and never outside of it.

#ifndef PLIANT_AUTHOR_IO_BESIDE_H
#define PLIANT_AUTHOR_IO_BESIDE_H

#include "io/slice.h"

#include <pliant/base.h>

// The content of the file `name` in `directory` (NULL or empty: the working directory), with one zero byte
// behind it; free() it. Names that lead out of it are errors. Backslashes are slashes, as other systems write.
pliant_result pli_beside_read(const char *directory, slice name, void **data, size_t *size,
                              pliant_error *error);

#endif
