// Cameras.

#include "gltf_check.h"

static double read_number(const gltf_check *c, json_value object, const char *key, double fallback)
{
    return pli_json_number(c->json, pli_json_get(c->json, object, key), fallback);
}

static void check_depth(gltf_check *c, json_value camera, const char *kind, int index)
{
    json_value lens = pli_json_get(c->json, camera, kind);
    double near = read_number(c, lens, "znear", 1.0);
    if (read_number(c, lens, "zfar", near + 1.0) <= near)
        pli_gltf_remark(c, "not behind znear", "cameras[%d].%s.zfar", index, kind);
}

static void check_orthographic(gltf_check *c, json_value camera, int index)
{
    json_value lens = pli_json_get(c->json, camera, "orthographic");
    if (read_number(c, lens, "xmag", 1.0) == 0.0)
        pli_gltf_remark(c, "it must not be 0", "cameras[%d].orthographic.xmag", index);
    if (read_number(c, lens, "ymag", 1.0) == 0.0)
        pli_gltf_remark(c, "it must not be 0", "cameras[%d].orthographic.ymag", index);
}

static void check_perspective(gltf_check *c, json_value camera, int index)
{
    json_value lens = pli_json_get(c->json, camera, "perspective");
    static const char *const keys[] = {"yfov", "znear", "zfar", "aspectRatio"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        if (read_number(c, lens, keys[i], 1.0) == 0.0)
            pli_gltf_remark(c, "it must not be 0", "cameras[%d].perspective.%s", index, keys[i]);
    }
}

bool pli_gltf_check_cameras(gltf_check *c)
{
    for (int i = 0; i < c->gltf->cameras.count; ++i) {
        json_value camera = c->gltf->cameras.items[i];
        bool is_perspective = pli_json_get(c->json, camera, "perspective") != JSON_NONE;
        bool is_orthographic = pli_json_get(c->json, camera, "orthographic") != JSON_NONE;
        json_value type = pli_json_get(c->json, camera, "type");
        if (is_perspective == is_orthographic ||
            !pli_json_string_is(c->json, type, is_perspective ? "perspective" : "orthographic"))
            pli_gltf_remark(c, "expected the one lens of its type", "cameras[%d]", i);
        check_orthographic(c, camera, i);
        check_perspective(c, camera, i);
        check_depth(c, camera, "perspective", i);
        check_depth(c, camera, "orthographic", i);
    }
    return true;
}
