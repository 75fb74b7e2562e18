// What all checks share: errors, remarks, and the limit of their work.

#include "gltf_check.h"

#include "gltf_accessor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool pli_gltf_fail(gltf_check *c, const char *message, const char *place, ...)
{
    char text[GLTF_PLACE_SIZE];
    va_list arguments;
    va_start(arguments, place);
    vsnprintf(text, sizeof text, place, arguments);
    va_end(arguments);
    pli_error_set(c->error, PLIANT_ERROR_FORMAT, text, "%s", message);
    return false;
}

bool pli_gltf_remark(gltf_check *c, const char *message, const char *place, ...)
{
    char text[GLTF_PLACE_SIZE] = "";
    va_list arguments;
    va_start(arguments, place);
    if (c->remarks && c->remarks->count < PLIANT_MOST_REMARKS)
        vsnprintf(text, sizeof text, place, arguments);
    va_end(arguments);
    pli_remark_add(c->remarks, text, "%s", message);
    return true;
}

bool pli_gltf_fail_memory(gltf_check *c)
{
    pli_error_memory(c->error);
    return false;
}

gltf_check pli_gltf_check_begin(pliant_gltf *gltf, pliant_remarks *remarks, pliant_error *error)
{
    return (gltf_check){
        .gltf = gltf,
        .json = gltf->json,
        .remarks = remarks,
        .error = error,
        .work = GLTF_LEAST_WORK + GLTF_WORK_PER_BYTE * (int64_t)gltf->size,
    };
}

bool pli_gltf_spend(gltf_check *c, int64_t values)
{
    c->work -= values;
    if (c->work >= 0)
        return true;
    return pli_gltf_fail(c, "the same data is used over and over, far beyond the file's size",
                         "accessors");
}

double *pli_gltf_check_read(gltf_check *c, int accessor)
{
    gltf_accessor a = pli_gltf_accessor(c->gltf, accessor);
    int64_t count = (int64_t)a.count * a.components;
    if (!pli_gltf_spend(c, count))
        return NULL;
    double *values = malloc(((size_t)count + 1) * sizeof *values);
    if (values)
        pli_gltf_read_doubles(c->gltf, accessor, values);
    else
        pli_error_memory(c->error);
    return values;
}

int pli_gltf_item_index(const gltf_check *c, json_value item)
{
    return (int)pli_json_number(c->json, item, 0.0);
}

bool pli_gltf_has_stride(const gltf_check *c, json_value accessor)
{
    int view = pli_gltf_reference(c->gltf, accessor, "bufferView");
    return view >= 0 &&
           pli_json_get(c->json, c->gltf->views.items[view], "byteStride") != JSON_NONE;
}
