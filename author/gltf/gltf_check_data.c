// Buffer views and accessors: what they refer to must be there, and be what they say.

#include "gltf_accessor.h"
#include "gltf_check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------
// Buffer views

static bool check_view(gltf_check *c, int index)
{
    json_value view = c->gltf->views.items[index];
    int buffer = pli_gltf_reference(c->gltf, view, "buffer");
    int64_t capacity = pli_gltf_integer(c->json, c->gltf->buffers.items[buffer], "byteLength", 0);
    int64_t offset = pli_gltf_integer(c->json, view, "byteOffset", 0);
    int64_t length = pli_gltf_integer(c->json, view, "byteLength", 0);
    int64_t stride = pli_gltf_integer(c->json, view, "byteStride", 0);
    if (offset > capacity || length > capacity - offset)
        return pli_gltf_fail(c, "it ends behind its buffer", "bufferViews[%d]", index);
    if (stride % 4 != 0)
        pli_gltf_remark(c, "not a multiple of 4", "bufferViews[%d].byteStride", index);
    if (stride > length)
        pli_gltf_remark(c, "longer than the view", "bufferViews[%d].byteStride", index);
    if (stride > 0 && pli_gltf_integer(c->json, view, "target", 0) == GLTF_TARGET_INDICES)
        pli_gltf_remark(c, "indices have no stride", "bufferViews[%d].byteStride", index);
    return true;
}

bool pli_gltf_check_views(gltf_check *c)
{
    for (int i = 0; i < c->gltf->views.count; ++i) {
        if (!check_view(c, i))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Where elements lie. An owner is an accessor, or the indices or values of a sparse one.

// Whether `count` elements of `size` bytes, `stride` apart, lie inside the view of `owner`.
static bool fits_view(const gltf_check *c, json_value owner, int64_t count, int64_t stride,
                      int64_t size)
{
    json_value view = c->gltf->views.items[pli_gltf_reference(c->gltf, owner, "bufferView")];
    int64_t length = pli_gltf_integer(c->json, view, "byteLength", 0);
    int64_t offset = pli_gltf_integer(c->json, owner, "byteOffset", 0);
    return offset <= length && (count - 1) * stride + size <= length - offset;
}

static void check_alignment(gltf_check *c, json_value owner, int component_size, int accessor,
                            const char *where)
{
    json_value view = c->gltf->views.items[pli_gltf_reference(c->gltf, owner, "bufferView")];
    int64_t offset = pli_gltf_integer(c->json, owner, "byteOffset", 0);
    int64_t total = offset + pli_gltf_integer(c->json, view, "byteOffset", 0);
    if (offset % component_size != 0 || total % component_size != 0)
        pli_gltf_remark(c, "it does not begin at a multiple of its component's size",
                        "accessors[%d]%s.byteOffset", accessor, where);
}

// ---------------------------------------------------------------------------------------------
// Sparse accessors

static bool check_sparse_order(gltf_check *c, int accessor, json_value indices, int count,
                               int element_count)
{
    int type = (int)pli_gltf_integer(c->json, indices, "componentType", 0);
    int size = pli_gltf_component_size(type);
    const unsigned char *at = pli_gltf_data(c->gltf, indices);
    double last = -1.0;
    bool is_rising = true;
    for (int i = 0; i < count && at; ++i, at += size) {
        double element = pli_gltf_component(at, type);
        if (element >= element_count)
            return pli_gltf_fail(c, "an index is beyond the accessor",
                                 "accessors[%d].sparse.indices", accessor);
        is_rising = is_rising && element > last;
        last = element;
    }
    return is_rising ||
           pli_gltf_remark(c, "the indices do not rise", "accessors[%d].sparse.indices", accessor);
}

static bool check_sparse_half(gltf_check *c, int accessor, json_value half, const char *where,
                              int component_size, bool fits)
{
    if (!fits)
        return pli_gltf_fail(c, "they end behind their buffer view", "accessors[%d]%s", accessor,
                             where);
    check_alignment(c, half, component_size, accessor, where);
    if (pli_gltf_has_stride(c, half))
        pli_gltf_remark(c, "only vertices have a stride", "accessors[%d]%s.bufferView", accessor,
                        where);
    return true;
}

static bool check_sparse(gltf_check *c, int index, json_value sparse)
{
    gltf_accessor a = pli_gltf_accessor(c->gltf, index);
    json_value indices = pli_json_get(c->json, sparse, "indices");
    json_value values = pli_json_get(c->json, sparse, "values");
    int count = (int)pli_gltf_integer(c->json, sparse, "count", 0);
    gltf_shape shape =
        pli_gltf_shape(c->json, pli_json_get(c->json, c->gltf->accessors.items[index], "type"));
    int type = (int)pli_gltf_integer(c->json, indices, "componentType", 0);
    int index_size = pli_gltf_component_size(type);
    int value_stride = pli_gltf_column_stride(shape, a.component_size) * shape.columns;
    int value_size = pli_gltf_element_size(shape, a.component_size);
    if (count > a.count)
        return pli_gltf_fail(c, "more than the accessor has", "accessors[%d].sparse.count", index);
    return check_sparse_half(c, index, indices, ".sparse.indices", index_size,
                             fits_view(c, indices, count, index_size, index_size)) &&
           check_sparse_half(c, index, values, ".sparse.values", a.component_size,
                             fits_view(c, values, count, value_stride, value_size)) &&
           pli_gltf_spend(c, count) && check_sparse_order(c, index, indices, count, a.count);
}

// ---------------------------------------------------------------------------------------------
// Values

typedef struct bounds {
    double low[16], high[16];
    bool is_finite;
} bounds;

static bounds find_bounds(const double *values, int count, int components)
{
    bounds b = {.is_finite = true};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < components; ++k) {
            double value = *values++;
            b.is_finite = b.is_finite && isfinite(value);
            b.low[k] = i == 0 || value < b.low[k] ? value : b.low[k];
            b.high[k] = i == 0 || value > b.high[k] ? value : b.high[k];
        }
    }
    return b;
}

static void check_bound(gltf_check *c, int index, const char *key, const double *actual)
{
    gltf_accessor a = pli_gltf_accessor(c->gltf, index);
    json_value array = pli_json_get(c->json, c->gltf->accessors.items[index], key);
    if (array == JSON_NONE || pli_json_size(c->json, array) != a.components)
        return;
    int component = 0;
    for (json_value v = pli_json_first(c->json, array); v != JSON_NONE;
         v = pli_json_next(c->json, v), ++component) {
        double declared = pli_json_number(c->json, v, 0.0);
        if (a.component_type == GLTF_FLOAT && fabs(declared) <= (double)FLT_MAX)
            declared = (double)(float)declared;
        if (declared != actual[component]) {
            pli_gltf_remark(c, "not that of the values", "accessors[%d].%s[%d]", index, key,
                            component);
            return;
        }
    }
}

// Accessors without data of their own may have any bounds: an extension could fill them.
static bool check_values(gltf_check *c, int index)
{
    json_value accessor = c->gltf->accessors.items[index];
    gltf_accessor a = pli_gltf_accessor(c->gltf, index);
    bool has_bounds = pli_json_get(c->json, accessor, "min") != JSON_NONE ||
                      pli_json_get(c->json, accessor, "max") != JSON_NONE;
    if (pli_gltf_is_blank(c->gltf, index) || (!has_bounds && a.component_type != GLTF_FLOAT))
        return true;
    size_t count = (size_t)a.count * (size_t)a.components;
    double *values = malloc((count + 1) * sizeof *values);
    if (!values)
        return pli_gltf_fail_memory(c);
    pli_gltf_read_stored(c->gltf, index, values);
    bounds b = find_bounds(values, a.count, a.components);
    free(values);
    if (!b.is_finite)
        return pli_gltf_remark(c, "a value is not finite", "accessors[%d]", index);
    check_bound(c, index, "min", b.low);
    check_bound(c, index, "max", b.high);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Accessors

static bool check_layout(gltf_check *c, int index)
{
    json_value accessor = c->gltf->accessors.items[index];
    gltf_accessor a = pli_gltf_accessor(c->gltf, index);
    if (pli_gltf_reference(c->gltf, accessor, "bufferView") < 0)
        return true;
    gltf_shape shape = pli_gltf_shape(c->json, pli_json_get(c->json, accessor, "type"));
    int size = pli_gltf_element_size(shape, a.component_size);
    int stride = pli_gltf_stride(c->gltf, accessor);
    if (stride < size)
        return pli_gltf_fail(c, "an element is longer than the stride of its buffer view",
                             "accessors[%d]", index);
    if (!fits_view(c, accessor, a.count, stride, size))
        return pli_gltf_fail(c, "it ends behind its buffer view", "accessors[%d]", index);
    check_alignment(c, accessor, a.component_size, index, "");
    return true;
}

static void check_bound_size(gltf_check *c, int index, const char *key)
{
    json_value array = pli_json_get(c->json, c->gltf->accessors.items[index], key);
    int components = pli_gltf_accessor(c->gltf, index).components;
    if (array != JSON_NONE && pli_json_size(c->json, array) != components)
        pli_gltf_remark(c, "not as many numbers as the type has", "accessors[%d].%s", index, key);
}

// Zeros that stand nowhere: a short file could ask for any number of them.
static bool check_zeros(gltf_check *c, int index)
{
    gltf_accessor a = pli_gltf_accessor(c->gltf, index);
    bool has_view = pli_gltf_reference(c->gltf, c->gltf->accessors.items[index], "bufferView") >= 0;
    return has_view || (int64_t)a.count * a.components <= (1 << 22) + 2 * (int64_t)c->gltf->size ||
           pli_gltf_fail(c, "far more elements than the file has bytes", "accessors[%d].count",
                         index);
}

static bool check_accessor(gltf_check *c, int index)
{
    gltf_accessor a = pli_gltf_accessor(c->gltf, index);
    json_value sparse = pli_json_get(c->json, c->gltf->accessors.items[index], "sparse");
    if (!check_layout(c, index) || !check_zeros(c, index) ||
        !pli_gltf_spend(c, (int64_t)a.count * a.components) ||
        (sparse != JSON_NONE && !check_sparse(c, index, sparse)))
        return false;
    if (a.is_normalized && (a.component_type == GLTF_FLOAT || a.component_type == GLTF_UINT))
        pli_gltf_remark(c, "this type is never normalised", "accessors[%d].normalized", index);
    check_bound_size(c, index, "min");
    check_bound_size(c, index, "max");
    return check_values(c, index);
}

bool pli_gltf_check_accessors(gltf_check *c)
{
    if (!pli_gltf_read_formats(c->gltf))
        return pli_gltf_fail_memory(c);
    for (int i = 0; i < c->gltf->accessors.count; ++i) {
        if (!check_accessor(c, i))
            return false;
    }
    return true;
}
