// The rules of glTF 2.0 about single values, as tables: which members an object has, of which form, in which
// range, and what they refer to.

#include "gltf_check.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef enum value_form {
    FORM_BOOL,
    FORM_STRING,
    FORM_STRINGS,
    FORM_NUMBER,
    FORM_INTEGER,
    FORM_NUMBERS,
    FORM_REFERENCE,
    FORM_REFERENCES,
    FORM_OBJECT,
    FORM_OBJECTS,
    FORM_ATTRIBUTES, // an object whose members all refer to accessors
    FORM_TARGETS,    // an array of those
} value_form;

typedef struct member_rule {
    const char *key;
    value_form form;
    bool is_required;
    bool is_mild;             // an unknown word or number is a remark: an extension may know it
    double low, high;         // of numbers; both 0: any
    int least, most;          // how many numbers an array has
    const int *one_of;        // of integers, ends with 0
    const char *const *words; // of strings, ends with NULL
    const struct object_rule *object; // of objects
    size_t list;                      // of references: its place in pliant_gltf
} member_rule;

typedef struct object_rule {
    const member_rule *members; // end with a key of NULL
    bool is_strict;             // faults are errors: the geometry depends on it
} object_rule;

#define MEMBER(name, ...)                                                                          \
    {                                                                                              \
        .key = (name), .form = __VA_ARGS__                                                         \
    }
#define LARGEST      9007199254740992.0 // 2⁵³: up to here doubles are whole numbers without gaps
#define MOST         2147483646.0
#define LIST(name)   offsetof(pliant_gltf, name)
#define NEEDED       .is_required = true
#define OFFSET       MEMBER("byteOffset", FORM_INTEGER, .high = LARGEST)
#define ACCESSOR     FORM_REFERENCE, .list = LIST(accessors)
#define VIEW         FORM_REFERENCE, .list = LIST(views)
#define VECTOR(size) FORM_NUMBERS, .least = (size), .most = (size)
#define WEIGHTS      MEMBER("weights", FORM_NUMBERS, .least = 1, .most = INT32_MAX)
#define END          MEMBER(NULL, FORM_BOOL)

static const int component_types[] = {5120, 5121, 5122, 5123, 5125, 5126, 0};
static const int sparse_types[] = {5121, 5123, 5125, 0};
static const int targets[] = {34962, 34963, 0};
static const int magnifications[] = {9728, 9729, 0};
static const int minifications[] = {9728, 9729, 9984, 9985, 9986, 9987, 0};
static const int wraps[] = {33071, 33648, 10497, 0};
static const char *const accessor_types[] = {"SCALAR", "VEC2", "VEC3", "VEC4",
                                             "MAT2",   "MAT3", "MAT4", NULL};
static const char *const interpolations[] = {"LINEAR", "STEP", "CUBICSPLINE", NULL};
static const char *const paths[] = {"translation", "rotation", "scale", "weights", "pointer", NULL};
static const char *const alpha_modes[] = {"OPAQUE", "MASK", "BLEND", NULL};
static const char *const camera_types[] = {"perspective", "orthographic", NULL};

static const object_rule buffer_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("uri", FORM_STRING),
        MEMBER("byteLength", FORM_INTEGER, NEEDED, .low = 1, .high = LARGEST),
        END,
    }};

static const object_rule view_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("buffer", FORM_REFERENCE, NEEDED, .list = LIST(buffers)),
        OFFSET,
        MEMBER("byteLength", FORM_INTEGER, NEEDED, .low = 1, .high = LARGEST),
        MEMBER("byteStride", FORM_INTEGER, .low = 4, .high = 252),
        MEMBER("target", FORM_INTEGER, .is_mild = true, .one_of = targets),
        END,
    }};

static const object_rule sparse_indices_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("bufferView", VIEW, NEEDED),
        OFFSET,
        MEMBER("componentType", FORM_INTEGER, NEEDED, .one_of = sparse_types),
        END,
    }};

static const object_rule sparse_values_rule = {
    .is_strict = true,
    .members = (const member_rule[]){MEMBER("bufferView", VIEW, NEEDED), OFFSET, END}};

static const object_rule sparse_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("count", FORM_INTEGER, NEEDED, .low = 1, .high = MOST),
        MEMBER("indices", FORM_OBJECT, NEEDED, .object = &sparse_indices_rule),
        MEMBER("values", FORM_OBJECT, NEEDED, .object = &sparse_values_rule),
        END,
    }};

static const object_rule accessor_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("bufferView", VIEW),
        OFFSET,
        MEMBER("componentType", FORM_INTEGER, NEEDED, .one_of = component_types),
        MEMBER("normalized", FORM_BOOL),
        MEMBER("count", FORM_INTEGER, NEEDED, .low = 1, .high = MOST),
        MEMBER("type", FORM_STRING, NEEDED, .words = accessor_types),
        MEMBER("max", FORM_NUMBERS, .least = 1, .most = 16),
        MEMBER("min", FORM_NUMBERS, .least = 1, .most = 16),
        MEMBER("sparse", FORM_OBJECT, .object = &sparse_rule),
        END,
    }};

static const object_rule primitive_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("attributes", FORM_ATTRIBUTES, NEEDED),
        MEMBER("indices", ACCESSOR),
        MEMBER("material", FORM_REFERENCE, .list = LIST(materials)),
        MEMBER("mode", FORM_INTEGER, .high = 6),
        MEMBER("targets", FORM_TARGETS),
        END,
    }};

static const object_rule mesh_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("primitives", FORM_OBJECTS, NEEDED, .object = &primitive_rule), WEIGHTS, END}};

static const object_rule node_rule = {.is_strict = true,
                                      .members = (const member_rule[]){
                                          MEMBER("camera", FORM_REFERENCE, .list = LIST(cameras)),
                                          MEMBER("children", FORM_REFERENCES, .list = LIST(nodes)),
                                          MEMBER("skin", FORM_REFERENCE, .list = LIST(skins)),
                                          MEMBER("matrix", VECTOR(16)),
                                          MEMBER("mesh", FORM_REFERENCE, .list = LIST(meshes)),
                                          MEMBER("rotation", VECTOR(4)),
                                          MEMBER("scale", VECTOR(3)),
                                          MEMBER("translation", VECTOR(3)),
                                          WEIGHTS,
                                          END,
                                      }};

static const object_rule scene_rule = {
    .is_strict = true,
    .members = (const member_rule[]){MEMBER("nodes", FORM_REFERENCES, .list = LIST(nodes)), END}};

static const object_rule skin_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("inverseBindMatrices", ACCESSOR),
        MEMBER("skeleton", FORM_REFERENCE, .list = LIST(nodes)),
        MEMBER("joints", FORM_REFERENCES, NEEDED, .list = LIST(nodes)),
        END,
    }};

static const object_rule animation_sampler_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("input", ACCESSOR, NEEDED),
        MEMBER("interpolation", FORM_STRING, .is_mild = true, .words = interpolations),
        MEMBER("output", ACCESSOR, NEEDED),
        END,
    }};

static const object_rule target_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("node", FORM_REFERENCE, .list = LIST(nodes)),
        MEMBER("path", FORM_STRING, NEEDED, .is_mild = true, .words = paths),
        END,
    }};

static const object_rule channel_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("sampler", FORM_INTEGER, NEEDED, .high = MOST),
        MEMBER("target", FORM_OBJECT, NEEDED, .object = &target_rule),
        END,
    }};

static const object_rule animation_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("samplers", FORM_OBJECTS, NEEDED, .object = &animation_sampler_rule),
        MEMBER("channels", FORM_OBJECTS, NEEDED, .object = &channel_rule),
        END,
    }};

static const object_rule image_rule = {
    .members = (const member_rule[]){MEMBER("uri", FORM_STRING), MEMBER("mimeType", FORM_STRING),
                                     MEMBER("bufferView", VIEW), END}};

static const object_rule texture_rule = {
    .members = (const member_rule[]){
        MEMBER("sampler", FORM_REFERENCE, .list = LIST(samplers)),
        MEMBER("source", FORM_REFERENCE, .list = LIST(images)),
        END,
    }};

static const object_rule sampler_rule = {
    .members = (const member_rule[]){
        MEMBER("magFilter", FORM_INTEGER, .one_of = magnifications),
        MEMBER("minFilter", FORM_INTEGER, .one_of = minifications),
        MEMBER("wrapS", FORM_INTEGER, .one_of = wraps),
        MEMBER("wrapT", FORM_INTEGER, .one_of = wraps),
        END,
    }};

#define TEXTURE_INDEX                                                                              \
    {                                                                                              \
        "index", FORM_REFERENCE, NEEDED, .list = LIST(textures)                                    \
    }
#define TEXTURE_COORDINATE                                                                         \
    {                                                                                              \
        "texCoord", FORM_INTEGER, .high = MOST                                                     \
    }

static const object_rule texture_info_rule = {
    .members = (const member_rule[]){TEXTURE_INDEX, TEXTURE_COORDINATE, END}};

static const object_rule normal_texture_rule = {
    .members = (const member_rule[]){TEXTURE_INDEX, TEXTURE_COORDINATE,
                                     MEMBER("scale", FORM_NUMBER), END}};

static const object_rule occlusion_texture_rule = {
    .members = (const member_rule[]){TEXTURE_INDEX, TEXTURE_COORDINATE,
                                     MEMBER("strength", FORM_NUMBER, .high = 1), END}};

static const object_rule metallic_rule = {
    .members = (const member_rule[]){
        MEMBER("baseColorFactor", VECTOR(4), .high = 1),
        MEMBER("baseColorTexture", FORM_OBJECT, .object = &texture_info_rule),
        MEMBER("metallicFactor", FORM_NUMBER, .high = 1),
        MEMBER("roughnessFactor", FORM_NUMBER, .high = 1),
        MEMBER("metallicRoughnessTexture", FORM_OBJECT, .object = &texture_info_rule),
        END,
    }};

static const object_rule material_rule = {
    .members = (const member_rule[]){
        MEMBER("pbrMetallicRoughness", FORM_OBJECT, .object = &metallic_rule),
        MEMBER("normalTexture", FORM_OBJECT, .object = &normal_texture_rule),
        MEMBER("occlusionTexture", FORM_OBJECT, .object = &occlusion_texture_rule),
        MEMBER("emissiveTexture", FORM_OBJECT, .object = &texture_info_rule),
        MEMBER("emissiveFactor", VECTOR(3), .high = 1),
        MEMBER("alphaMode", FORM_STRING, .words = alpha_modes),
        MEMBER("alphaCutoff", FORM_NUMBER, .high = LARGEST),
        MEMBER("doubleSided", FORM_BOOL),
        END,
    }};

static const object_rule orthographic_rule = {
    .members = (const member_rule[]){
        MEMBER("xmag", FORM_NUMBER, NEEDED),
        MEMBER("ymag", FORM_NUMBER, NEEDED),
        MEMBER("zfar", FORM_NUMBER, NEEDED, .high = LARGEST),
        MEMBER("znear", FORM_NUMBER, NEEDED, .high = LARGEST),
        END,
    }};

static const object_rule perspective_rule = {
    .members = (const member_rule[]){
        MEMBER("aspectRatio", FORM_NUMBER, .high = LARGEST),
        MEMBER("yfov", FORM_NUMBER, NEEDED, .high = LARGEST),
        MEMBER("zfar", FORM_NUMBER, .high = LARGEST),
        MEMBER("znear", FORM_NUMBER, NEEDED, .high = LARGEST),
        END,
    }};

static const object_rule camera_rule = {
    .members = (const member_rule[]){
        MEMBER("type", FORM_STRING, NEEDED, .words = camera_types),
        MEMBER("orthographic", FORM_OBJECT, .object = &orthographic_rule),
        MEMBER("perspective", FORM_OBJECT, .object = &perspective_rule),
        END,
    }};

static const object_rule asset_rule = {
    .members = (const member_rule[]){MEMBER("version", FORM_STRING, NEEDED),
                                     MEMBER("generator", FORM_STRING),
                                     MEMBER("minVersion", FORM_STRING), END}};

static const object_rule root_rule = {
    .is_strict = true,
    .members = (const member_rule[]){
        MEMBER("asset", FORM_OBJECT, NEEDED, .object = &asset_rule),
        MEMBER("extensionsUsed", FORM_STRINGS),
        MEMBER("extensionsRequired", FORM_STRINGS),
        MEMBER("buffers", FORM_OBJECTS, .object = &buffer_rule),
        MEMBER("bufferViews", FORM_OBJECTS, .object = &view_rule),
        MEMBER("accessors", FORM_OBJECTS, .object = &accessor_rule),
        MEMBER("meshes", FORM_OBJECTS, .object = &mesh_rule),
        MEMBER("nodes", FORM_OBJECTS, .object = &node_rule),
        MEMBER("scenes", FORM_OBJECTS, .object = &scene_rule),
        MEMBER("scene", FORM_REFERENCE, .list = LIST(scenes)),
        MEMBER("skins", FORM_OBJECTS, .object = &skin_rule),
        MEMBER("animations", FORM_OBJECTS, .object = &animation_rule),
        MEMBER("images", FORM_OBJECTS, .object = &image_rule),
        MEMBER("textures", FORM_OBJECTS, .object = &texture_rule),
        MEMBER("samplers", FORM_OBJECTS, .object = &sampler_rule),
        MEMBER("materials", FORM_OBJECTS, .object = &material_rule),
        MEMBER("cameras", FORM_OBJECTS, .object = &camera_rule),
        END,
    }};

// ---------------------------------------------------------------------------------------------
// Walking the document along the tables

// The way to a value: a member of what is outside of it or, where the key is NULL, an item.
typedef struct step {
    const struct step *outer;
    const char *key;
    int index;
} step;

typedef struct walk {
    gltf_check *check;
    const json_document *json;
    bool is_strict;
} walk;

static size_t write_path(const step *at, char path[GLTF_PLACE_SIZE])
{
    if (!at)
        return 0;
    size_t length = write_path(at->outer, path), room = GLTF_PLACE_SIZE - length;
    int written = at->key ? snprintf(path + length, room, "%s%s", length ? "." : "", at->key)
                          : snprintf(path + length, room, "[%d]", at->index);
    return length + ((size_t)written < room ? (size_t)written : room - 1);
}

static bool remark(walk *w, const step *at, const char *message)
{
    char path[GLTF_PLACE_SIZE] = "";
    write_path(at, path);
    return pli_gltf_remark(w->check, message, "%s", path);
}

static bool fault(walk *w, const step *at, const char *message)
{
    char path[GLTF_PLACE_SIZE] = "";
    if (!w->is_strict)
        return remark(w, at, message);
    write_path(at, path);
    return pli_gltf_fail(w->check, message, "%s", path);
}

static bool is_whole(double number)
{
    return number >= -LARGEST && number <= LARGEST && number == (double)(int64_t)number;
}

static bool in_range(const member_rule *rule, double number)
{
    return (rule->low == 0.0 && rule->high == 0.0) || (number >= rule->low && number <= rule->high);
}

static bool check_number(walk *w, const step *at, const member_rule *rule, json_value value)
{
    if (pli_json_type_of(w->json, value) != JSON_TYPE_NUMBER)
        return fault(w, at, "expected a number");
    return in_range(rule, pli_json_number(w->json, value, 0.0)) || fault(w, at, "out of range");
}

static bool unknown(walk *w, const step *at, const member_rule *rule, const char *message)
{
    return rule->is_mild ? remark(w, at, message) : fault(w, at, message);
}

static bool check_integer(walk *w, const step *at, const member_rule *rule, json_value value)
{
    double number = pli_json_number(w->json, value, 0.5);
    if (!is_whole(number))
        return fault(w, at, "expected a whole number");
    if (!rule->one_of)
        return in_range(rule, number) || fault(w, at, "out of range");
    for (const int *i = rule->one_of; *i; ++i) {
        if (number == *i)
            return true;
    }
    return unknown(w, at, rule, "not one of the numbers the specification knows");
}

static bool check_string(walk *w, const step *at, const member_rule *rule, json_value value)
{
    if (pli_json_type_of(w->json, value) != JSON_TYPE_STRING)
        return fault(w, at, "expected a string");
    if (!rule->words)
        return true;
    for (const char *const *word = rule->words; *word; ++word) {
        if (pli_json_string_is(w->json, value, *word))
            return true;
    }
    return unknown(w, at, rule, "not one of the words the specification knows");
}

static bool check_numbers(walk *w, const step *at, const member_rule *rule, json_value value)
{
    if (pli_json_type_of(w->json, value) != JSON_TYPE_ARRAY)
        return fault(w, at, "expected an array");
    int count = pli_json_size(w->json, value);
    if (count < rule->least || count > rule->most)
        return fault(w, at, "not the right number of numbers");
    step inner = {.outer = at};
    for (json_value item = pli_json_first(w->json, value); item != JSON_NONE;
         item = pli_json_next(w->json, item), ++inner.index) {
        if (!check_number(w, &inner, rule, item))
            return false;
    }
    return true;
}

static bool check_reference(walk *w, const step *at, const member_rule *rule, json_value value)
{
    const gltf_list *list =
        (const gltf_list *)(const void *)((const char *)w->check->gltf + rule->list);
    double number = pli_json_number(w->json, value, -1.0);
    return (is_whole(number) && number >= 0.0 && number < list->count) ||
           fault(w, at, "it refers to nothing");
}

static bool check_object(walk *w, const step *at, const object_rule *rule, json_value object);

// All items of an array obey one rule.
static bool check_each(walk *w, const step *at, const member_rule *rule, json_value array,
                       bool (*check_item)(walk *, const step *, const member_rule *, json_value))
{
    if (pli_json_type_of(w->json, array) != JSON_TYPE_ARRAY)
        return fault(w, at, "expected an array");
    if (pli_json_size(w->json, array) == 0)
        remark(w, at, "the array is empty");
    step inner = {.outer = at};
    for (json_value item = pli_json_first(w->json, array); item != JSON_NONE;
         item = pli_json_next(w->json, item), ++inner.index) {
        if (!check_item(w, &inner, rule, item))
            return false;
    }
    return true;
}

static bool check_member_object(walk *w, const step *at, const member_rule *rule, json_value value)
{
    return check_object(w, at, rule->object, value);
}

// Members are looked up one after another, which takes time where there are many; no object needs that many.
#define MOST_MEMBERS 256

static bool check_size(walk *w, const step *at, json_value object)
{
    char path[GLTF_PLACE_SIZE] = "JSON";
    if (pli_json_size(w->json, object) <= MOST_MEMBERS)
        return true;
    write_path(at, path);
    return pli_gltf_fail(w->check, "an object with so many members is not understood", "%s", path);
}

static bool check_attributes(walk *w, const step *at, const member_rule *rule, json_value value)
{
    (void)rule;
    static const member_rule reference = MEMBER("", ACCESSOR);
    if (pli_json_type_of(w->json, value) != JSON_TYPE_OBJECT)
        return fault(w, at, "expected an object");
    if (pli_json_size(w->json, value) == 0)
        remark(w, at, "the object is empty");
    if (!check_size(w, at, value))
        return false;
    for (json_value key = pli_json_first(w->json, value); key != JSON_NONE;
         key = pli_json_next(w->json, key)) {
        char name[64];
        pli_json_string(w->json, key, name, sizeof name);
        if (!check_reference(w, &(step){.outer = at, .key = name}, &reference,
                             pli_json_member(w->json, key)))
            return false;
    }
    return true;
}

static bool check_value(walk *w, const step *at, const member_rule *rule, json_value value)
{
    switch (rule->form) {
    case FORM_BOOL:
        return pli_json_type_of(w->json, value) == JSON_TYPE_BOOL ||
               fault(w, at, "expected a bool");
    case FORM_STRING:
        return check_string(w, at, rule, value);
    case FORM_STRINGS:
        return check_each(w, at, rule, value, check_string);
    case FORM_NUMBER:
        return check_number(w, at, rule, value);
    case FORM_INTEGER:
        return check_integer(w, at, rule, value);
    case FORM_NUMBERS:
        return check_numbers(w, at, rule, value);
    case FORM_REFERENCE:
        return check_reference(w, at, rule, value);
    case FORM_REFERENCES:
        return check_each(w, at, rule, value, check_reference);
    case FORM_OBJECT:
        return check_object(w, at, rule->object, value);
    case FORM_OBJECTS:
        return check_each(w, at, rule, value, check_member_object);
    case FORM_ATTRIBUTES:
        return check_attributes(w, at, rule, value);
    case FORM_TARGETS:
        return check_each(w, at, rule, value, check_attributes);
    }
    return true;
}

static bool check_extensions(walk *w, const step *outer, json_value object)
{
    json_value extensions = pli_json_get(w->json, object, "extensions");
    step at = {.outer = outer, .key = "extensions"};
    if (extensions == JSON_NONE)
        return true;
    if (pli_json_type_of(w->json, extensions) != JSON_TYPE_OBJECT)
        return fault(w, &at, "expected an object");
    for (json_value key = pli_json_first(w->json, extensions); key != JSON_NONE;
         key = pli_json_next(w->json, key)) {
        char name[64];
        bool is_declared;
        pli_json_string(w->json, key, name, sizeof name);
        if (!pli_gltf_find_declared(w->check, key, &is_declared))
            return false;
        if (!is_declared)
            remark(w, &(step){.outer = &at, .key = name}, "it is not in extensionsUsed");
    }
    return true;
}

static bool check_object(walk *w, const step *at, const object_rule *rule, json_value object)
{
    if (pli_json_type_of(w->json, object) != JSON_TYPE_OBJECT)
        return fault(w, at, "expected an object");
    if (!check_size(w, at, object))
        return false;
    bool outer = w->is_strict;
    w->is_strict = rule->is_strict;
    for (const member_rule *member = rule->members; member->key; ++member) {
        json_value value = pli_json_get(w->json, object, member->key);
        step inner = {.outer = at, .key = member->key};
        if (value == JSON_NONE ? member->is_required && !fault(w, &inner, "it is missing")
                               : !check_value(w, &inner, member, value))
            return false;
    }
    if (!check_extensions(w, at, object))
        return false;
    w->is_strict = outer;
    return true;
}

bool pli_gltf_check_schema(gltf_check *c)
{
    walk w = {.check = c, .json = c->json};
    return check_object(&w, NULL, &root_rule, pli_json_root(c->json));
}

// ---------------------------------------------------------------------------------------------
// Following references

// Attributes of primitives and whatever else is not in the table refer to accessors.
static size_t list_of(const char *key)
{
    static const struct {
        const char *key;
        size_t list;
    } lists[] = {
        {"bufferView", LIST(views)}, {"buffer", LIST(buffers)},   {"mesh", LIST(meshes)},
        {"node", LIST(nodes)},       {"skin", LIST(skins)},       {"material", LIST(materials)},
        {"skeleton", LIST(nodes)},   {"scene", LIST(scenes)},     {"camera", LIST(cameras)},
        {"source", LIST(images)},    {"sampler", LIST(samplers)}, {"index", LIST(textures)},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        if (strcmp(key, lists[i].key) == 0)
            return lists[i].list;
    }
    return LIST(accessors);
}

int pli_gltf_reference(const pliant_gltf *gltf, json_value object, const char *key)
{
    json_value value = pli_json_get(gltf->json, object, key);
    if (value == JSON_NONE)
        return -1;
    const gltf_list *list = (const gltf_list *)(const void *)((const char *)gltf + list_of(key));
    double number = pli_json_number(gltf->json, value, -1.0);
    return is_whole(number) && number >= 0.0 && number < list->count ? (int)number : -1;
}
