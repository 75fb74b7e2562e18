// The OBJ format (Alias/Wavefront, "Object Files", appendix B), statement by statement.

#include "obj_text.h"

#include "core/error.h"
#include "gltf/gltf.h"
#include "io/lines.h"
#include "obj.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct obj_reader {
    obj_text *obj;
    line_reader lines;
    int32_t object, group, material; // numbers of names
    pliant_remarks *remarks;
    pliant_error *error;
} obj_reader;

#define FAIL(r, ...)                                                                               \
    pli_error_set_at((r)->error, PLIANT_ERROR_FORMAT, "line", (r)->lines.line, __VA_ARGS__)

// ---------------------------------------------------------------------------------------------
// Vertices

static pliant_result read_floats(obj_reader *r, float *values, int least, int most)
{
    int count = 0;
    slice word;
    for (; count < most && pli_lines_word(&r->lines, &word); ++count) {
        if (!pli_slice_float(word, &values[count]))
            return FAIL(r, "'%.*s' is not a number", slice_width(word), word.at);
    }
    if (count < least)
        return FAIL(r, "%d of %d numbers are missing", least - count, least);
    return PLIANT_OK;
}

static pliant_result read_position(obj_reader *r)
{
    float values[3];
    pliant_result result = read_floats(r, values, 3, 3);
    if (result == PLIANT_OK &&
        !LIST_APPEND(&r->obj->positions, (pliant_vec3){values[0], values[1], values[2]}))
        return pli_error_memory(r->error);
    return result;
}

static pliant_result read_normal(obj_reader *r)
{
    float values[3];
    pliant_result result = read_floats(r, values, 3, 3);
    if (result == PLIANT_OK &&
        !LIST_APPEND(&r->obj->normals, (pliant_vec3){values[0], values[1], values[2]}))
        return pli_error_memory(r->error);
    return result;
}

static pliant_result read_coordinate(obj_reader *r)
{
    float values[2] = {0.0f, 0.0f};
    pliant_result result = read_floats(r, values, 1, 2);
    if (result == PLIANT_OK &&
        !LIST_APPEND(&r->obj->coordinates, (obj_coordinate){values[0], values[1]}))
        return pli_error_memory(r->error);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Faces

static const char *const kinds[3] = {"vertices", "texture coordinates", "normals"};

// A whole number at *at; moves *at behind it. Numbers too large for an index become the largest.
static bool read_whole(const char **at, const char *end, int32_t *value)
{
    bool is_negative = *at < end && **at == '-';
    const char *begin = *at += is_negative || (*at < end && **at == '+');
    int32_t read = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        read = read > (INT32_MAX - 9) / 10 ? INT32_MAX - 9 : read * 10 + (**at - '0');
    *value = is_negative ? -read : read;
    return *at > begin;
}

// An index from 1, or back from the newest of `count`, to one from 0. Whether one from 1 is there is known
// at the end of the file only.
static pliant_result resolve(obj_reader *r, int32_t written, int32_t count, const char *kind,
                             int32_t *index)
{
    if (written == 0)
        return FAIL(r, "index 0, but indices begin at 1");
    if (written < 0 && -written > count)
        return FAIL(r, "index %d, but there are %d %s before this line", (int)written, (int)count,
                    kind);
    *index = written > 0 ? written - 1 : count + written;
    return PLIANT_OK;
}

// position[/[coordinate][/[normal]]]
static pliant_result read_corner(obj_reader *r, slice word, obj_corner *corner)
{
    const int32_t counts[3] = {r->obj->positions.count, r->obj->coordinates.count,
                               r->obj->normals.count};
    int32_t indices[3] = {-1, -1, -1};
    const char *at = word.at, *end = word.at + word.size;
    for (int i = 0; i < 3; ++i) {
        int32_t written;
        bool is_there = i == 0 || (at < end && *at != '/');
        if (is_there && !read_whole(&at, end, &written))
            break;
        pliant_result result =
            is_there ? resolve(r, written, counts[i], kinds[i], &indices[i]) : PLIANT_OK;
        if (result != PLIANT_OK)
            return result;
        if (at == end || *at != '/' || i == 2)
            break;
        ++at;
    }
    if (at != end || indices[0] < 0)
        return FAIL(r, "'%.*s' is not a corner of a face", slice_width(word), word.at);
    *corner = (obj_corner){indices[0], indices[1], indices[2]};
    return PLIANT_OK;
}

static pliant_result finish_face(obj_reader *r, int32_t first)
{
    obj_text *obj = r->obj;
    int32_t count = obj->corners.count - first;
    if (count < 3) {
        char place[32];
        snprintf(place, sizeof place, "line %d", r->lines.line);
        pli_remark_add(r->remarks, place, "a face of %d corners is left out", (int)count);
        obj->corners.count = first;
        return PLIANT_OK;
    }
    bool has_normals = true;
    for (int32_t i = first; i < obj->corners.count; ++i)
        has_normals &= obj->corners.items[i].normal >= 0;
    int32_t part =
        pli_tuple_table_add(&obj->parts, (tuple){{r->object, r->group, r->material, has_normals}});
    if (part < 0 || !LIST_APPEND(&obj->faces, (obj_face){first, count, part, r->lines.line}))
        return pli_error_memory(r->error);
    return PLIANT_OK;
}

static pliant_result read_face(obj_reader *r)
{
    int32_t first = r->obj->corners.count;
    slice word;
    while (pli_lines_word(&r->lines, &word)) {
        obj_corner corner;
        pliant_result result = read_corner(r, word, &corner);
        if (result != PLIANT_OK)
            return result;
        if (!LIST_APPEND(&r->obj->corners, corner))
            return pli_error_memory(r->error);
    }
    return finish_face(r, first);
}

static pliant_result check_index(obj_reader *r, int32_t index, int32_t count, const char *kind)
{
    if (index >= count)
        return FAIL(r, "index %d, but there are %d %s", (int)index + 1, (int)count, kind);
    return PLIANT_OK;
}

static pliant_result check_corner(obj_reader *r, const obj_corner *corner)
{
    pliant_result result = check_index(r, corner->position, r->obj->positions.count, kinds[0]);
    if (result == PLIANT_OK)
        result = check_index(r, corner->coordinate, r->obj->coordinates.count, kinds[1]);
    if (result == PLIANT_OK)
        result = check_index(r, corner->normal, r->obj->normals.count, kinds[2]);
    return result;
}

static pliant_result check_faces(obj_reader *r)
{
    for (int32_t i = 0; i < r->obj->faces.count; ++i) {
        const obj_face *face = &r->obj->faces.items[i];
        r->lines.line = face->line;
        for (int32_t j = 0; j < face->corner_count; ++j) {
            pliant_result result = check_corner(r, &r->obj->corners.items[face->first_corner + j]);
            if (result != PLIANT_OK)
                return result;
        }
    }
    return PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Names

static pliant_result read_name(obj_reader *r, int32_t *number)
{
    *number = pli_name_table_add(&r->obj->names, pli_lines_rest(&r->lines));
    return *number < 0 ? pli_error_memory(r->error) : PLIANT_OK;
}

// Groups are within objects.
static pliant_result read_object(obj_reader *r)
{
    r->group = 0;
    return read_name(r, &r->object);
}

static pliant_result read_library(obj_reader *r)
{
    obj_library library = {pli_lines_rest(&r->lines), r->lines.line};
    return LIST_APPEND(&r->obj->libraries, library) ? PLIANT_OK : pli_error_memory(r->error);
}

// ---------------------------------------------------------------------------------------------
// The file

static pliant_result read_statement(obj_reader *r, slice keyword)
{
    if (slice_is(keyword, "v"))
        return read_position(r);
    if (slice_is(keyword, "vt"))
        return read_coordinate(r);
    if (slice_is(keyword, "vn"))
        return read_normal(r);
    if (slice_is(keyword, "f"))
        return read_face(r);
    if (slice_is(keyword, "o"))
        return read_object(r);
    if (slice_is(keyword, "g"))
        return read_name(r, &r->group);
    if (slice_is(keyword, "usemtl"))
        return read_name(r, &r->material);
    if (slice_is(keyword, "mtllib"))
        return read_library(r);
    return PLIANT_OK;
}

bool pli_obj_detect(const char *text, size_t size)
{
    if (size == 0 || memchr(text, 0, size))
        return false;
    line_reader lines = pli_lines_begin(text, size);
    while (pli_lines_next(&lines)) {
        slice word;
        float number;
        if (pli_lines_word(&lines, &word) && slice_is(word, "v") && pli_lines_word(&lines, &word) &&
            pli_slice_float(word, &number))
            return true;
    }
    return false;
}

pliant_result pli_obj_text_read(obj_text *obj, const char *text, size_t size,
                                pliant_remarks *remarks, pliant_error *error)
{
    if (!pli_obj_detect(text, size))
        return pli_error_set(error, PLIANT_ERROR_FORMAT, "",
                             "this is no OBJ file: it is not text with a line 'v x y z'");
    obj_reader reader = {
        .obj = obj, .lines = pli_lines_begin(text, size), .remarks = remarks, .error = error};
    if (pli_name_table_add(&obj->names, (slice){0}) < 0)
        return pli_error_memory(error);
    while (pli_lines_next(&reader.lines)) {
        slice keyword;
        pliant_result result =
            pli_lines_word(&reader.lines, &keyword) ? read_statement(&reader, keyword) : PLIANT_OK;
        if (result != PLIANT_OK)
            return result;
    }
    return check_faces(&reader);
}

void pli_obj_text_release(obj_text *obj)
{
    free(obj->positions.items);
    free(obj->normals.items);
    free(obj->coordinates.items);
    free(obj->corners.items);
    free(obj->faces.items);
    free(obj->libraries.items);
    pli_name_table_release(&obj->names);
    pli_tuple_table_release(&obj->parts);
}
