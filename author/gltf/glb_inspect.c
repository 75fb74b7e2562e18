// What a GLB holds, counted.

#include <pliant/author.h>

#include "core/error.h"
#include "gltf.h"
#include "gltf_accessor.h"

#include <stdio.h>
#include <string.h>

typedef struct inspection {
    const pliant_gltf *gltf;
    const json_document *json;
    pliant_glb_info *info;
    pliant_error *error;
} inspection;

static bool widen_bounds(const inspection *i, json_value position)
{
    json_value minimum = pli_json_get(i->json, position, "min");
    json_value maximum = pli_json_get(i->json, position, "max");
    if (pli_json_size(i->json, minimum) != 3 || pli_json_size(i->json, maximum) != 3)
        return false;
    json_value low = pli_json_first(i->json, minimum);
    json_value high = pli_json_first(i->json, maximum);
    bool is_first = i->info->vertices == 0;
    for (int k = 0; k < 3; ++k) {
        float a = (float)pli_json_number(i->json, low, 0.0);
        float b = (float)pli_json_number(i->json, high, 0.0);
        i->info->minimum[k] = is_first || a < i->info->minimum[k] ? a : i->info->minimum[k];
        i->info->maximum[k] = is_first || b > i->info->maximum[k] ? b : i->info->maximum[k];
        low = pli_json_next(i->json, low);
        high = pli_json_next(i->json, high);
    }
    return true;
}

static bool count_primitive(const inspection *i, json_value primitive, int mesh, int index)
{
    json_value attributes = pli_json_get(i->json, primitive, "attributes");
    int position = pli_gltf_reference(i->gltf, attributes, "POSITION");
    int indices = pli_gltf_reference(i->gltf, primitive, "indices");
    int mode = (int)pli_gltf_integer(i->json, primitive, "mode", 4);
    ++i->info->primitives;
    if (position < 0)
        return true;
    if (!widen_bounds(i, i->gltf->accessors.items[position])) {
        char place[96];
        snprintf(place, sizeof place, "meshes[%d].primitives[%d].attributes.POSITION", mesh, index);
        pli_error_set(i->error, PLIANT_ERROR_FORMAT, place,
                      "expected min and max of three numbers");
        return false;
    }
    int vertices = pli_gltf_accessor(i->gltf, position).count;
    int corners = indices < 0 ? vertices : pli_gltf_accessor(i->gltf, indices).count;
    i->info->vertices += vertices;
    i->info->triangles += pli_gltf_triangle_count(mode, corners);
    return true;
}

static bool count_meshes(const inspection *i)
{
    for (int m = 0; m < i->gltf->meshes.count; ++m) {
        json_value primitives = pli_json_get(i->json, i->gltf->meshes.items[m], "primitives");
        int index = 0;
        for (json_value p = pli_json_first(i->json, primitives); p != JSON_NONE;
             p = pli_json_next(i->json, p)) {
            if (!count_primitive(i, p, m, index++))
                return false;
        }
    }
    return true;
}

static void count_joints(const inspection *i)
{
    for (int s = 0; s < i->gltf->skins.count; ++s)
        i->info->joints +=
            pli_json_size(i->json, pli_json_get(i->json, i->gltf->skins.items[s], "joints"));
}

// The latest key of all animations, as the accessors of their times say.
static void find_seconds(const inspection *i)
{
    for (int a = 0; a < i->gltf->animations.count; ++a) {
        json_value samplers = pli_json_get(i->json, i->gltf->animations.items[a], "samplers");
        for (json_value s = pli_json_first(i->json, samplers); s != JSON_NONE;
             s = pli_json_next(i->json, s)) {
            int input = pli_gltf_reference(i->gltf, s, "input");
            json_value last = pli_json_first(
                i->json, pli_json_get(i->json, i->gltf->accessors.items[input], "max"));
            double seconds = pli_json_number(i->json, last, 0.0);
            i->info->seconds = seconds > i->info->seconds ? seconds : i->info->seconds;
        }
    }
}

static void count_lists(const inspection *i)
{
    json_value asset = pli_json_get(i->json, pli_json_root(i->json), "asset");
    pli_json_string(i->json, pli_json_get(i->json, asset, "generator"), i->info->generator,
                    sizeof i->info->generator);
    i->info->nodes = i->gltf->nodes.count;
    i->info->meshes = i->gltf->meshes.count;
    i->info->skins = i->gltf->skins.count;
    i->info->animations = i->gltf->animations.count;
    i->info->materials = i->gltf->materials.count;
    i->info->images = i->gltf->images.count;
    i->info->cameras = i->gltf->cameras.count;
}

pliant_result pliant_glb_inspect(const void *data, size_t size, pliant_glb_info *info,
                                 pliant_error *error)
{
    pliant_error local;
    error = error ? error : &local;
    if (size < 4 || memcmp(data, "glTF", 4) != 0)
        return pli_error_set(error, PLIANT_ERROR_FORMAT, "GLB",
                             "the file does not begin with 'glTF'");
    pliant_gltf *gltf = pli_gltf_open_alone(data, size, NULL, error);
    if (!gltf)
        return error->code;
    pliant_glb_info found = {0};
    inspection i = {.gltf = gltf, .json = gltf->json, .info = &found, .error = error};
    bool good = count_meshes(&i);
    count_lists(&i);
    count_joints(&i);
    find_seconds(&i);
    pli_gltf_close(gltf);
    if (!good)
        return error->code;
    *info = found;
    return PLIANT_OK;
}
