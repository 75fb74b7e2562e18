// Memory of a glTF document.

#include "gltf_memory.h"

#include <stdint.h>
#include <stdlib.h>

struct gltf_memory {
    struct gltf_memory *next;
    void *data;
};

bool pli_gltf_adopt(pliant_gltf *gltf, void *data)
{
    struct gltf_memory *block = malloc(sizeof *block);
    if (!block) {
        free(data);
        return false;
    }
    *block = (struct gltf_memory){gltf->memory, data};
    gltf->memory = block;
    return true;
}

void *pli_gltf_allocate(pliant_gltf *gltf, size_t count, size_t size)
{
    // One more: what is empty has an address all the same.
    void *data = count < SIZE_MAX ? calloc(count + 1, size) : NULL;
    return data && pli_gltf_adopt(gltf, data) ? data : NULL;
}

void pli_gltf_close(pliant_gltf *gltf)
{
    if (!gltf)
        return;
    pli_json_destroy(gltf->json);
    while (gltf->memory) {
        struct gltf_memory *block = gltf->memory;
        gltf->memory = block->next;
        free(block->data);
        free(block);
    }
    free(gltf);
}
