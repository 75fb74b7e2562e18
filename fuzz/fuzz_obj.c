// Reads any bytes as an OBJ file and as a file of materials. What is understood must become a GLB that the glTF
// reader has nothing against; what is not must come with a message.

#include <pliant/author.h>

#include <stdlib.h>

#include "import/mtl.h"
#include "import/obj.h"
#include "limited_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_obj(const char *text, size_t size)
{
    static pliant_remarks remarks;
    remarks.count = 0;
    void *glb = NULL;
    size_t glb_size = 0;
    pliant_error error = {0};
    // Files are looked for where there are none: an input stands for itself.
    if (pli_obj_to_glb(text, size, "/nonexistent", &remarks, &glb, &glb_size, &error)) {
        if (error.code == PLIANT_OK || error.message[0] == '\0' || glb)
            __builtin_trap();
        return;
    }
    limited_memory_end();
    pliant_mesh *mesh = pliant_mesh_read(glb, glb_size, "/nonexistent", &remarks, NULL);
    if (!mesh || remarks.count > 0)
        __builtin_trap();
    pliant_mesh_destroy(mesh);
    free(glb);
}

static void read_materials(const char *text, size_t size)
{
    mtl_library library = {0};
    pli_mtl_read(&library, text, size, slice_of("input"), NULL);
    pli_mtl_release(&library);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // Some of the inputs run out of memory on the way, each at a place of its own.
    size_t budget = size % 4 == 0 ? 40 * size : (size_t)16 << 20;
    limited_memory_begin(budget);
    read_materials((const char *)data, size);
    limited_memory_end();
    limited_memory_begin(budget);
    read_obj((const char *)data, size);
    limited_memory_end();
    return 0;
}
