// Extensions: what a file cannot be read without must be known here.

#include "gltf_check.h"

#include <stdio.h>
#include <string.h>

// They change looks, or are understood; names that end in '*' stand for all that begin like that.
static const char *const known[] = {
    "KHR_mesh_quantization", "KHR_texture_transform",
    "KHR_lights_punctual",   "KHR_materials_*",
    "KHR_texture_basisu",    "EXT_texture_webp",
    "EXT_texture_avif",      "MSFT_texture_dds",
    "KHR_animation_pointer", "KHR_xmp_json_ld",
    "KHR_node_visibility",   "KHR_texture_*",
    "EXT_lights_*",          "PLIANT_*",
};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        size_t length = strlen(known[i]);
        bool is_prefix = known[i][length - 1] == '*';
        if (is_prefix ? strncmp(name, known[i], length - 1) == 0 : strcmp(name, known[i]) == 0)
            return true;
    }
    return false;
}

static json_value root_member(const gltf_check *c, const char *key)
{
    return pli_json_get(c->json, pli_json_root(c->json), key);
}

bool pli_gltf_find_declared(gltf_check *c, json_value name, bool *is_declared)
{
    json_value used = root_member(c, "extensionsUsed");
    char text[64];
    size_t length = pli_json_string(c->json, name, text, sizeof text);
    *is_declared = false;
    for (json_value v = pli_json_first(c->json, used); v != JSON_NONE && !*is_declared;
         v = pli_json_next(c->json, v))
        *is_declared = length < sizeof text && pli_json_string_is(c->json, v, text);
    return pli_gltf_spend(c, 1 + pli_json_size(c->json, used));
}

static bool check_required(gltf_check *c, json_value value, int index)
{
    char name[64], place[GLTF_PLACE_SIZE];
    bool is_declared;
    pli_json_string(c->json, value, name, sizeof name);
    snprintf(place, sizeof place, "extensionsRequired[%d]", index);
    if (!is_known(name)) {
        pli_error_set(c->error, PLIANT_ERROR_FORMAT, place,
                      "the file cannot be read without the extension '%s'", name);
        return false;
    }
    if (!pli_gltf_find_declared(c, value, &is_declared))
        return false;
    return is_declared || pli_gltf_remark(c, "it is not in extensionsUsed", "%s", place);
}

bool pli_gltf_check_required(gltf_check *c)
{
    json_value used = root_member(c, "extensionsUsed");
    json_value required = root_member(c, "extensionsRequired");
    for (json_value v = pli_json_first(c->json, used); v != JSON_NONE;
         v = pli_json_next(c->json, v)) {
        if (pli_json_string_is(c->json, v, "KHR_mesh_quantization"))
            c->is_quantized = true;
    }
    int index = 0;
    for (json_value v = pli_json_first(c->json, required); v != JSON_NONE;
         v = pli_json_next(c->json, v)) {
        if (!check_required(c, v, index++))
            return false;
    }
    return true;
}
