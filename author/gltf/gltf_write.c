// A document as GLB. Its JSON is copied to the letter, but for where bytes lie: buffers become one, in their
// order, and images and the model follow. A document that was written here once is laid out like that
// already, so that it comes out the same. Where all of it is to be larger or smaller, a node is put above each
// root: what moves a root by itself, an animation or a joint, goes on doing so.

#include "gltf_write.h"

#include "core/error.h"
#include "glb_write.h"
#include "gltf_bytes.h"
#include "json/json_copy.h"

#include <stdlib.h>
#include <string.h>

typedef struct gltf_writer {
    const pliant_gltf *gltf;
    const gltf_bytes *model; // NULL leaves the document's own in place
    glb_writer glb;          // the bytes, and the views that are added
    json_writer json;
    int *buffer_indices;  // per buffer: which one it is in the file,
    size_t *buffer_bases; // and where its bytes begin there
    int *image_views;     // per image: the view added for it, or -1
    int model_view;       // that of the model in the file
    size_t model_offset;
    float scale;        // of everything
    bool has_model;     // the file will have one
    int *parents;       // per node: the one that is put above it, or -1
    bool replaces_view; // model_view is one of the document's, whose bytes are left out
    gltf_range cut;     // these bytes; empty when others use them
    int index;          // of the element that is being copied
} gltf_writer;

// ---------------------------------------------------------------------------------------------
// The model a document holds

json_value pli_gltf_model_extension(const pliant_gltf *gltf)
{
    const json_document *json = gltf->json;
    json_value extensions = pli_json_get(json, pli_json_root(json), "extensions");
    json_value extension = pli_json_get(json, extensions, GLTF_MODEL_EXTENSION);
    return pli_json_type_of(json, extension) == JSON_TYPE_OBJECT ? extension : JSON_NONE;
}

int pli_gltf_model_view(const pliant_gltf *gltf)
{
    return pli_gltf_reference(gltf, pli_gltf_model_extension(gltf), "bufferView");
}

static bool refers_to_view(const pliant_gltf *gltf, json_value object, int view)
{
    return pli_gltf_reference(gltf, object, "bufferView") == view;
}

static bool is_used(const pliant_gltf *gltf, int view)
{
    const json_document *json = gltf->json;
    for (int i = 0; i < gltf->accessors.count; ++i) {
        json_value accessor = gltf->accessors.items[i];
        json_value sparse = pli_json_get(json, accessor, "sparse");
        if (refers_to_view(gltf, accessor, view) ||
            refers_to_view(gltf, pli_json_get(json, sparse, "indices"), view) ||
            refers_to_view(gltf, pli_json_get(json, sparse, "values"), view))
            return true;
    }
    for (int i = 0; i < gltf->images.count; ++i) {
        if (refers_to_view(gltf, gltf->images.items[i], view))
            return true;
    }
    return false;
}

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

// The old model's bytes go, or they would pile up. Whole words of them, so that what follows stays aligned.
static gltf_range find_cut(const pliant_gltf *gltf, int view)
{
    gltf_range cut = pli_gltf_view_range(gltf, view);
    gltf_bytes buffer = gltf->buffer_bytes[cut.buffer];
    cut.begin = padded(cut.begin);
    cut.end = padded(cut.end) < buffer.size ? padded(cut.end) : buffer.size;
    bool is_free = buffer.bytes && cut.begin < cut.end;
    for (int i = 0; i < gltf->views.count && is_free; ++i) {
        gltf_range other = pli_gltf_view_range(gltf, i);
        is_free = i == view || other.buffer != cut.buffer || other.end <= cut.begin ||
                  other.begin >= cut.end;
    }
    return is_free ? cut : (gltf_range){.buffer = -1};
}

// ---------------------------------------------------------------------------------------------
// Where bytes go

static void place_buffers(gltf_writer *w, bool others)
{
    const pliant_gltf *gltf = w->gltf;
    bool any = others;
    for (int i = 0; i < gltf->buffers.count; ++i)
        any |= gltf->buffer_bytes[i].bytes != NULL;
    // The first buffer of a GLB is its binary chunk: those without bytes come behind one that has some.
    if (!any && gltf->buffers.count > 0)
        pli_glb_append(&w->glb, "\0\0\0", 4);
    int missing = 1;
    for (int i = 0; i < gltf->buffers.count; ++i) {
        gltf_bytes buffer = gltf->buffer_bytes[i];
        w->buffer_indices[i] = buffer.bytes ? 0 : missing++;
        w->buffer_bases[i] = buffer.bytes ? w->glb.size : 0;
        if (buffer.bytes && w->cut.buffer == i) {
            pli_glb_append(&w->glb, buffer.bytes, w->cut.begin);
            pli_glb_append(&w->glb, buffer.bytes + w->cut.end, buffer.size - w->cut.end);
        } else if (buffer.bytes) {
            pli_glb_append(&w->glb, buffer.bytes, buffer.size);
        }
    }
}

// An image that comes from a data URI or a file.
static bool is_loose(const pliant_gltf *gltf, int image)
{
    return gltf->image_bytes[image].bytes &&
           pli_gltf_reference(gltf, gltf->images.items[image], "bufferView") < 0;
}

static bool has_loose_image(const pliant_gltf *gltf)
{
    int i = 0;
    while (i < gltf->images.count && !is_loose(gltf, i))
        ++i;
    return i < gltf->images.count;
}

static void place_images(gltf_writer *w)
{
    for (int i = 0; i < w->gltf->images.count; ++i) {
        gltf_bytes image = w->gltf->image_bytes[i];
        w->image_views[i] = -1;
        if (is_loose(w->gltf, i))
            w->image_views[i] =
                pli_glb_add_view(&w->glb, image.bytes, image.size, 0, GLB_TARGET_NONE);
    }
}

static void place_model(gltf_writer *w)
{
    if (w->replaces_view)
        w->model_offset = pli_glb_append(&w->glb, w->model->bytes, w->model->size);
    else
        w->model_view =
            pli_glb_add_view(&w->glb, w->model->bytes, w->model->size, 0, GLB_TARGET_NONE);
}

static void place_bytes(gltf_writer *w)
{
    w->cut.buffer = -1;
    w->glb.view_count = w->gltf->views.count;
    w->model_view = pli_gltf_model_view(w->gltf);
    w->replaces_view = w->model && w->model_view >= 0 && !is_used(w->gltf, w->model_view);
    if (w->replaces_view)
        w->cut = find_cut(w->gltf, w->model_view);
    place_buffers(w, w->model || has_loose_image(w->gltf));
    place_images(w);
    if (w->model)
        place_model(w);
}

// ---------------------------------------------------------------------------------------------
// The JSON

static bool is_key(const json_copy *copy, json_value key, const char *name)
{
    return pli_json_string_is(copy->json, key, name);
}

static void copy_items(gltf_writer *w, const gltf_list *list, json_copy_hook *hook)
{
    json_copy copy = {w->gltf->json, &w->json, hook, w};
    for (int i = 0; i < list->count; ++i) {
        w->index = i;
        pli_json_copy_value(&copy, list->items[i]);
    }
}

static bool replace_in_buffer(const json_copy *copy, json_value object, json_value key)
{
    const gltf_writer *w = copy->context;
    if (object != w->gltf->buffers.items[w->index])
        return false;
    if (is_key(copy, key, "uri"))
        return true;
    if (!is_key(copy, key, "byteLength"))
        return false;
    pli_json_copy_key(copy, key);
    pli_json_write_int(copy->writer, NULL, (int64_t)w->glb.size);
    return true;
}

// A name and the like are kept where one buffer became one.
static void write_whole_buffer(gltf_writer *w)
{
    int loaded = 0;
    for (int i = 0; i < w->gltf->buffers.count; ++i) {
        loaded += w->gltf->buffer_bytes[i].bytes != NULL;
        w->index = w->gltf->buffer_bytes[i].bytes ? i : w->index;
    }
    if (loaded == 1) {
        json_copy copy = {w->gltf->json, &w->json, replace_in_buffer, w};
        pli_json_copy_value(&copy, w->gltf->buffers.items[w->index]);
        return;
    }
    pli_json_begin_object(&w->json, NULL);
    pli_json_write_int(&w->json, "byteLength", (int64_t)w->glb.size);
    pli_json_end_object(&w->json);
}

static void write_buffers(gltf_writer *w)
{
    if (w->glb.size == 0 && w->gltf->buffers.count == 0)
        return;
    pli_json_begin_array(&w->json, "buffers");
    if (w->glb.size > 0)
        write_whole_buffer(w);
    json_copy copy = {.json = w->gltf->json, .writer = &w->json};
    for (int i = 0; i < w->gltf->buffers.count; ++i) {
        if (!w->gltf->buffer_bytes[i].bytes)
            pli_json_copy_value(&copy, w->gltf->buffers.items[i]);
    }
    pli_json_end_array(&w->json);
}

static size_t offset_in_file(const gltf_writer *w, int buffer, json_value offset)
{
    double number = pli_json_number(w->gltf->json, offset, 0.0);
    size_t at = number >= 0.0 && number <= (double)UINT32_MAX ? (size_t)number : 0;
    if (buffer == w->cut.buffer && at >= w->cut.end)
        at -= w->cut.end - w->cut.begin;
    return w->buffer_bases[buffer] + at;
}

// Extensions of a view may have bytes of their own, with the same members.
static bool replace_in_view(const json_copy *copy, json_value object, json_value key)
{
    const gltf_writer *w = copy->context;
    json_value member = pli_json_member(copy->json, key);
    if (is_key(copy, key, "extras")) {
        pli_json_copy_key(copy, key);
        pli_json_copy_value(&(json_copy){.json = copy->json, .writer = copy->writer}, member);
        return true;
    }
    json_value offset = pli_json_get(copy->json, object, "byteOffset");
    int buffer = pli_gltf_reference(w->gltf, object, "buffer");
    if (buffer < 0)
        return false;
    bool is_model =
        w->replaces_view && w->index == w->model_view && object == w->gltf->views.items[w->index];
    size_t at = is_model ? w->model_offset : offset_in_file(w, buffer, offset);
    if (is_key(copy, key, "buffer")) {
        pli_json_copy_key(copy, key);
        pli_json_write_int(copy->writer, NULL, is_model ? 0 : w->buffer_indices[buffer]);
        if (offset == JSON_NONE && at > 0)
            pli_json_write_int(copy->writer, "byteOffset", (int64_t)at);
    } else if (is_key(copy, key, "byteOffset")) {
        pli_json_copy_key(copy, key);
        pli_json_write_int(copy->writer, NULL, (int64_t)at);
    } else if (is_model && is_key(copy, key, "byteLength")) {
        pli_json_copy_key(copy, key);
        pli_json_write_int(copy->writer, NULL, (int64_t)w->model->size);
    } else {
        return false;
    }
    return true;
}

static void write_views(gltf_writer *w)
{
    if (w->glb.view_count == 0)
        return;
    pli_json_begin_array(&w->json, "bufferViews");
    copy_items(w, &w->gltf->views, replace_in_view);
    pli_json_write_raw(&w->json, w->glb.views.data, w->glb.views.size);
    pli_json_end_array(&w->json);
}

static bool replace_in_image(const json_copy *copy, json_value object, json_value key)
{
    const gltf_writer *w = copy->context;
    int view = w->image_views[w->index];
    if (view < 0 || object != w->gltf->images.items[w->index] || !is_key(copy, key, "uri"))
        return false;
    pli_json_write_int(copy->writer, "bufferView", view);
    if (pli_json_get(copy->json, object, "mimeType") == JSON_NONE)
        pli_json_write_string(copy->writer, "mimeType",
                              pli_gltf_image_type(w->gltf->image_bytes[w->index]));
    return true;
}

static void write_images(gltf_writer *w)
{
    if (w->gltf->images.count == 0)
        return;
    pli_json_begin_array(&w->json, "images");
    copy_items(w, &w->gltf->images, replace_in_image);
    pli_json_end_array(&w->json);
}

static json_value root_member(const gltf_writer *w, const char *key)
{
    return pli_json_get(w->gltf->json, pli_json_root(w->gltf->json), key);
}

static void write_extensions_used(gltf_writer *w)
{
    json_value used = root_member(w, "extensionsUsed");
    json_copy copy = {.json = w->gltf->json, .writer = &w->json};
    int others = 0;
    bool is_listed = false;
    for (json_value v = pli_json_first(copy.json, used); v != JSON_NONE;
         v = pli_json_next(copy.json, v)) {
        bool is_model = pli_json_string_is(copy.json, v, GLTF_MODEL_EXTENSION);
        is_listed |= is_model;
        others += !is_model;
    }
    bool adds = w->model && w->has_model && !is_listed, drops = is_listed && !w->has_model;
    if (others == 0 && !adds && (used == JSON_NONE || drops))
        return;
    pli_json_begin_array(&w->json, "extensionsUsed");
    for (json_value v = pli_json_first(copy.json, used); v != JSON_NONE;
         v = pli_json_next(copy.json, v)) {
        if (!drops || !pli_json_string_is(copy.json, v, GLTF_MODEL_EXTENSION))
            pli_json_copy_value(&copy, v);
    }
    if (adds)
        pli_json_write_string(&w->json, NULL, GLTF_MODEL_EXTENSION);
    pli_json_end_array(&w->json);
}

static void write_model_extension(gltf_writer *w)
{
    if (!w->has_model)
        return;
    pli_json_begin_object(&w->json, GLTF_MODEL_EXTENSION);
    pli_json_write_int(&w->json, "bufferView", w->model_view);
    pli_json_end_object(&w->json);
}

static bool replace_in_extensions(const json_copy *copy, json_value object, json_value key)
{
    gltf_writer *w = copy->context;
    if (!w->model || object != root_member(w, "extensions") ||
        !is_key(copy, key, GLTF_MODEL_EXTENSION))
        return false;
    write_model_extension(w);
    return true;
}

static void write_extensions(gltf_writer *w)
{
    json_value extensions = root_member(w, "extensions");
    json_copy copy = {w->gltf->json, &w->json, replace_in_extensions, w};
    bool is_there = pli_json_get(copy.json, extensions, GLTF_MODEL_EXTENSION) != JSON_NONE;
    if (extensions == JSON_NONE && !w->model)
        return;
    pli_json_begin_object(&w->json, "extensions");
    pli_json_copy_inside(&copy, extensions);
    if (w->model && !is_there)
        write_model_extension(w);
    pli_json_end_object(&w->json);
}

// ---------------------------------------------------------------------------------------------
// The nodes above the roots

static void find_parents(gltf_writer *w)
{
    const json_document *json = w->gltf->json;
    int count = w->gltf->nodes.count;
    memset(w->parents, 0, (size_t)count * sizeof *w->parents);
    for (int i = 0; i < count; ++i) {
        json_value children = pli_json_get(json, w->gltf->nodes.items[i], "children");
        for (json_value v = pli_json_first(json, children); v != JSON_NONE;
             v = pli_json_next(json, v))
            w->parents[(int)pli_json_number(json, v, 0.0)] = -1;
    }
    for (int i = 0, next = count; i < count; ++i)
        w->parents[i] = w->parents[i] < 0 ? -1 : next++;
}

static void write_nodes(gltf_writer *w)
{
    const float scale[3] = {w->scale, w->scale, w->scale};
    if (w->gltf->nodes.count == 0)
        return;
    pli_json_begin_array(&w->json, "nodes");
    copy_items(w, &w->gltf->nodes, NULL);
    for (int i = 0; i < w->gltf->nodes.count; ++i) {
        if (w->parents[i] < 0)
            continue;
        pli_json_begin_object(&w->json, NULL);
        pli_json_write_floats(&w->json, "scale", scale, 3);
        pli_json_begin_array(&w->json, "children");
        pli_json_write_int(&w->json, NULL, i);
        pli_json_end_array(&w->json);
        pli_json_end_object(&w->json);
    }
    pli_json_end_array(&w->json);
}

static bool replace_in_scene(const json_copy *copy, json_value object, json_value key)
{
    const gltf_writer *w = copy->context;
    if (object != w->gltf->scenes.items[w->index] || !is_key(copy, key, "nodes"))
        return false;
    pli_json_begin_array(copy->writer, "nodes");
    json_value nodes = pli_json_member(copy->json, key);
    for (json_value v = pli_json_first(copy->json, nodes); v != JSON_NONE;
         v = pli_json_next(copy->json, v))
        pli_json_write_int(copy->writer, NULL,
                           w->parents[(int)pli_json_number(copy->json, v, 0.0)]);
    pli_json_end_array(copy->writer);
    return true;
}

static void write_scenes(gltf_writer *w)
{
    if (w->gltf->scenes.count == 0)
        return;
    pli_json_begin_array(&w->json, "scenes");
    copy_items(w, &w->gltf->scenes, replace_in_scene);
    pli_json_end_array(&w->json);
}

// ---------------------------------------------------------------------------------------------

// The members of the root that are not copied as they are. Each function writes all of one, also where the
// document has none.
static const struct {
    const char *key;
    void (*write)(gltf_writer *w);
    bool is_scaled; // only where the scale is another one
} sections[] = {
    {"extensionsUsed", write_extensions_used, false},
    {"extensions", write_extensions, false},
    {"images", write_images, false},
    {"bufferViews", write_views, false},
    {"buffers", write_buffers, false},
    {"nodes", write_nodes, true},
    {"scenes", write_scenes, true},
};

enum { SECTION_COUNT = sizeof sections / sizeof sections[0] };

static bool is_written(const gltf_writer *w, int section)
{
    return !sections[section].is_scaled || w->scale != 1.0f;
}

static bool replace_at_root(const json_copy *copy, json_value object, json_value key)
{
    if (object != pli_json_root(copy->json))
        return false;
    for (int i = 0; i < SECTION_COUNT; ++i) {
        if (!is_key(copy, key, sections[i].key) || !is_written(copy->context, i))
            continue;
        // Of a key that is there twice the first one counts.
        if (root_member(copy->context, sections[i].key) == pli_json_member(copy->json, key))
            sections[i].write(copy->context);
        return true;
    }
    return false;
}

static void write_document(gltf_writer *w)
{
    json_copy copy = {w->gltf->json, &w->json, replace_at_root, w};
    pli_json_begin_object(&w->json, NULL);
    pli_json_copy_inside(&copy, pli_json_root(w->gltf->json));
    for (int i = 0; i < SECTION_COUNT; ++i) {
        if (root_member(w, sections[i].key) == JSON_NONE && is_written(w, i))
            sections[i].write(w);
    }
    pli_json_end_object(&w->json);
}

static pliant_result write(gltf_writer *w, void **data, size_t *size, pliant_error *error)
{
    const pliant_gltf *gltf = w->gltf;
    w->buffer_indices = malloc(((size_t)gltf->buffers.count + 1) * sizeof *w->buffer_indices);
    w->buffer_bases = malloc(((size_t)gltf->buffers.count + 1) * sizeof *w->buffer_bases);
    w->image_views = malloc(((size_t)gltf->images.count + 1) * sizeof *w->image_views);
    w->parents = malloc(((size_t)gltf->nodes.count + 1) * sizeof *w->parents);
    bool ok = w->buffer_indices && w->buffer_bases && w->image_views && w->parents;
    if (ok) {
        place_bytes(w);
        find_parents(w);
        write_document(w);
        ok = !w->glb.views.failed && pli_glb_assemble(&w->glb, &w->json, data, size);
    }
    free(w->buffer_indices);
    free(w->buffer_bases);
    free(w->image_views);
    free(w->parents);
    pli_json_writer_release(&w->json);
    pli_glb_writer_release(&w->glb);
    return ok ? PLIANT_OK : pli_glb_fail(error);
}

pliant_result pli_gltf_write(const pliant_gltf *gltf, const gltf_bytes *model, void **data,
                             size_t *size, pliant_error *error)
{
    gltf_writer w = {.gltf = gltf, .model = model, .scale = 1.0f, .has_model = true};
    return write(&w, data, size, error);
}

// The view of a model that goes is needed for the numbers of those behind it: a word stays in it.
pliant_result pli_gltf_write_scaled(const pliant_gltf *gltf, float scale, void **data, size_t *size,
                                    pliant_error *error)
{
    const gltf_bytes word = {(const unsigned char *)"\0\0\0", 4};
    bool has_model = pli_gltf_model_view(gltf) >= 0;
    gltf_writer w = {.gltf = gltf, .model = has_model ? &word : NULL, .scale = scale};
    return write(&w, data, size, error);
}
