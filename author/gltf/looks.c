// Copying materials and what they use from one document to another, where they have other indices. Materials
// refer to textures from any member whose name ends in "Texture", textures to their images and samplers from
// members of these names, at any depth: so extensions that nobody has heard of yet are followed, too.

#include "looks.h"

#include "gltf_bytes.h"
#include "json/json_copy.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Extensions

static bool has_name(const name_list *list, const char *name)
{
    for (int i = 0; i < list->count; ++i) {
        if (strcmp(list->names[i], name) == 0)
            return true;
    }
    return false;
}

static bool add_name(name_list *list, const char *name)
{
    if (has_name(list, name))
        return true;
    char **names = realloc(list->names, ((size_t)list->count + 1) * sizeof *names);
    if (!names)
        return false;
    list->names = names;
    names[list->count] = malloc(strlen(name) + 1);
    if (!names[list->count])
        return false;
    strcpy(names[list->count++], name);
    return true;
}

static void release_names(name_list *list)
{
    for (int i = 0; i < list->count; ++i)
        free(list->names[i]);
    free(list->names);
}

static void write_names(const name_list *list, const char *key, json_writer *json)
{
    if (list->count == 0)
        return;
    pli_json_begin_array(json, key);
    for (int i = 0; i < list->count; ++i)
        pli_json_write_string(json, NULL, list->names[i]);
    pli_json_end_array(json);
}

static bool is_listed(const pliant_gltf *gltf, const char *list, const char *name)
{
    const json_document *json = gltf->json;
    json_value array = pli_json_get(json, pli_json_root(json), list);
    if (pli_json_type_of(json, array) != JSON_TYPE_ARRAY)
        return false;
    for (json_value v = pli_json_first(json, array); v != JSON_NONE; v = pli_json_next(json, v)) {
        if (pli_json_string_is(json, v, name))
            return true;
    }
    return false;
}

void pli_looks_use(gltf_looks *looks, const pliant_gltf *gltf, const char *extension)
{
    if (!add_name(&looks->used, extension))
        looks->failed = true;
    if (is_listed(gltf, "extensionsRequired", extension) && !add_name(&looks->required, extension))
        looks->failed = true;
}

// ---------------------------------------------------------------------------------------------
// Copying

typedef struct looks_copy {
    gltf_looks *looks;
    const pliant_gltf *gltf;
    int first_texture, first_sampler, first_image; // what the document's own are counted from now
    json_value texture_info;                       // the object that names a texture, if inside one
    json_value image;                              // the image that is being copied,
    gltf_bytes image_bytes;
    int image_view; // and where its bytes are now, or -1
} looks_copy;

static bool is_key(const json_copy *copy, json_value key, const char *name)
{
    return pli_json_string_is(copy->json, key, name);
}

static void shift(const json_copy *copy, json_value key, int by)
{
    // What is no index, in an extension that nobody checked, stays as it is.
    json_value member = pli_json_member(copy->json, key);
    double index = pli_json_number(copy->json, member, -1.0);
    pli_json_copy_key(copy, key);
    if (index >= 0.0 && index < INT32_MAX && index == (double)(int32_t)index)
        pli_json_write_int(copy->writer, NULL, (int64_t)index + by);
    else
        pli_json_copy_value(&(json_copy){.json = copy->json, .writer = copy->writer}, member);
}

// One with data at the root of its document refers to it, and that is left behind.
static bool is_left_behind(const json_copy *copy, const char *extension)
{
    json_value root = pli_json_root(copy->json);
    json_value shared = pli_json_get(copy->json, root, "extensions");
    return pli_json_get(copy->json, shared, extension) != JSON_NONE;
}

static void copy_extensions(const json_copy *copy, json_value key)
{
    looks_copy *c = copy->context;
    const json_document *json = copy->json;
    json_value extensions = pli_json_member(json, key);
    bool any = false;
    for (json_value k = pli_json_first(json, extensions); k != JSON_NONE;
         k = pli_json_next(json, k)) {
        char name[128];
        if (pli_json_string(json, k, name, sizeof name) >= sizeof name ||
            is_left_behind(copy, name))
            continue;
        if (!any) {
            pli_json_copy_key(copy, key);
            pli_json_begin_object(copy->writer, NULL);
            any = true;
        }
        pli_looks_use(c->looks, c->gltf, name);
        pli_json_copy_key(copy, k);
        pli_json_copy_value(copy, pli_json_member(json, k));
    }
    if (any)
        pli_json_end_object(copy->writer);
}

// What is the same in all elements.
static bool replace_common(const json_copy *copy, json_value key)
{
    const json_document *json = copy->json;
    json_value member = pli_json_member(json, key);
    if (is_key(copy, key, "extras")) {
        json_copy plain = {.json = json, .writer = copy->writer};
        pli_json_copy_key(copy, key);
        pli_json_copy_value(&plain, member);
        return true;
    }
    if (!is_key(copy, key, "extensions") || pli_json_type_of(json, member) != JSON_TYPE_OBJECT)
        return false;
    copy_extensions(copy, key);
    return true;
}

static bool replace_in_sampler(const json_copy *copy, json_value object, json_value key)
{
    (void)object;
    return replace_common(copy, key);
}

static bool names_texture(const json_copy *copy, json_value key)
{
    size_t size;
    const char *text = pli_json_raw(copy->json, key, &size);
    return size >= 9 && memcmp(text + size - 8, "Texture\"", 8) == 0 &&
           pli_json_type_of(copy->json, pli_json_member(copy->json, key)) == JSON_TYPE_OBJECT;
}

static bool replace_in_material(const json_copy *copy, json_value object, json_value key)
{
    looks_copy *c = copy->context;
    if (names_texture(copy, key)) {
        json_value outer = c->texture_info;
        c->texture_info = pli_json_member(copy->json, key);
        pli_json_copy_key(copy, key);
        pli_json_copy_value(copy, c->texture_info);
        c->texture_info = outer;
        return true;
    }
    if (object == c->texture_info && is_key(copy, key, "index")) {
        shift(copy, key, c->first_texture);
        return true;
    }
    return replace_common(copy, key);
}

static bool replace_in_texture(const json_copy *copy, json_value object, json_value key)
{
    (void)object;
    const looks_copy *c = copy->context;
    bool is_source = is_key(copy, key, "source");
    if (is_source || is_key(copy, key, "sampler")) {
        shift(copy, key, is_source ? c->first_image : c->first_sampler);
        return true;
    }
    return replace_common(copy, key);
}

static bool replace_in_image(const json_copy *copy, json_value object, json_value key)
{
    const looks_copy *c = copy->context;
    bool in_view = is_key(copy, key, "bufferView");
    bool is_place = object == c->image && (in_view || is_key(copy, key, "uri"));
    if (!is_place || (!in_view && c->image_view < 0))
        return replace_common(copy, key);
    if (c->image_view >= 0)
        pli_json_write_int(copy->writer, "bufferView", c->image_view);
    if (c->image_view >= 0 && pli_json_get(copy->json, object, "mimeType") == JSON_NONE)
        pli_json_write_string(copy->writer, "mimeType", pli_gltf_image_type(c->image_bytes));
    return true;
}

static void copy_list(looks_copy *c, const gltf_list *list, json_writer *writer,
                      json_copy_hook *hook, int *count)
{
    json_copy copy = {c->gltf->json, writer, hook, c};
    for (int i = 0; i < list->count; ++i)
        pli_json_copy_value(&copy, list->items[i]);
    *count += list->count;
}

static void copy_images(looks_copy *c, glb_writer *glb)
{
    gltf_looks *looks = c->looks;
    json_copy copy = {c->gltf->json, &looks->images, replace_in_image, c};
    for (int i = 0; i < c->gltf->images.count; ++i) {
        gltf_bytes bytes = pli_gltf_image_bytes(c->gltf, i);
        c->image = c->gltf->images.items[i];
        c->image_bytes = bytes;
        c->image_view = -1;
        if (bytes.bytes)
            c->image_view = pli_glb_add_view(glb, bytes.bytes, bytes.size, 0, GLB_TARGET_NONE);
        pli_json_copy_value(&copy, c->image);
    }
    looks->image_count += c->gltf->images.count;
}

int pli_looks_add(gltf_looks *looks, glb_writer *glb, const pliant_gltf *gltf)
{
    int first = looks->material_count;
    looks_copy c = {.looks = looks,
                    .gltf = gltf,
                    .first_texture = looks->texture_count,
                    .first_sampler = looks->sampler_count,
                    .first_image = looks->image_count,
                    .texture_info = JSON_NONE};
    copy_list(&c, &gltf->materials, &looks->materials, replace_in_material, &looks->material_count);
    copy_list(&c, &gltf->textures, &looks->textures, replace_in_texture, &looks->texture_count);
    copy_list(&c, &gltf->samplers, &looks->samplers, replace_in_sampler, &looks->sampler_count);
    copy_images(&c, glb);
    return first;
}

// ---------------------------------------------------------------------------------------------
// Writing

void pli_looks_release(gltf_looks *looks)
{
    pli_json_writer_release(&looks->materials);
    pli_json_writer_release(&looks->textures);
    pli_json_writer_release(&looks->samplers);
    pli_json_writer_release(&looks->images);
    release_names(&looks->used);
    release_names(&looks->required);
}

bool pli_looks_failed(const gltf_looks *looks)
{
    return looks->failed || looks->materials.failed || looks->textures.failed ||
           looks->samplers.failed || looks->images.failed;
}

void pli_looks_write(const gltf_looks *looks, json_writer *json)
{
    pli_json_write_list(json, "materials", &looks->materials);
    pli_json_write_list(json, "textures", &looks->textures);
    pli_json_write_list(json, "samplers", &looks->samplers);
    pli_json_write_list(json, "images", &looks->images);
    write_names(&looks->used, "extensionsUsed", json);
    write_names(&looks->required, "extensionsRequired", json);
}
