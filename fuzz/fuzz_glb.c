// Reads any bytes as a GLB. What is understood must be detected as
// one and have sensible counts; what is not must come with a message.

#include <pliant/author.h>

#include "limited_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    limited_memory_begin((size_t)16 << 20);
    pliant_glb_info info;
    pliant_error error;
    if (pliant_glb_inspect(data, size, &info, &error) == PLIANT_OK) {
        if (pliant_file_detect(data, size) != PLIANT_FILE_GLB || info.nodes < 0 ||
            info.vertices < 0 || info.triangles < 0)
            __builtin_trap();
    } else if (error.code == PLIANT_OK || error.message[0] == '\0') {
        __builtin_trap();
    }
    limited_memory_end();
    return 0;
}
