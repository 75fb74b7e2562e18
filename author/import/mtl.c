// The MTL format (Alias/Wavefront, "Object Files", appendix B1), as far as a glTF material can hold it.

#include "mtl.h"

#include "gltf/gltf.h"
#include "io/lines.h"
#include "math/scalar.h"
#include "soup.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct mtl_reader {
    mtl_library *library;
    line_reader lines;
    slice name;
    pliant_remarks *remarks;
    mtl_material *material; // the one being read, or NULL
    bool has_opacity;       // "d" outranks "Tr", which some programs write the wrong way round
    bool has_roughness;     // "Pr" outranks "Ns"
} mtl_reader;

void pli_mtl_release(mtl_library *library)
{
    free(library->materials.items);
    pli_name_table_release(&library->names);
    *library = (mtl_library){0};
}

static void remark(mtl_reader *r, const char *message)
{
    char place[sizeof r->remarks->first[0].place];
    int width = slice_width(r->name);
    snprintf(place, sizeof place, "%.*s, line %d", width < 64 ? width : 64, r->name.at,
             r->lines.line);
    pli_remark_add(r->remarks, place, "%s", message);
}

static mtl_material default_material(void)
{
    soup_material plain = pli_soup_default_material();
    mtl_material material = {.opacity = 1.0f, .roughness = plain.roughness};
    memcpy(material.colour, plain.colour, sizeof material.colour);
    return material;
}

static bool begin_material(mtl_reader *r)
{
    mtl_library *library = r->library;
    if (!LIST_GROW(&library->materials))
        return false;
    int32_t number = pli_name_table_add(&library->names, pli_lines_rest(&r->lines));
    if (number < 0)
        return false;
    library->materials.count = library->names.names.count;
    r->material = &library->materials.items[number];
    *r->material = default_material();
    r->has_opacity = r->has_roughness = false;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Numbers

// One number stands for all three.
static void read_colour(mtl_reader *r, float colour[3])
{
    float values[3];
    int count = pli_lines_floats(&r->lines, values, 3);
    if (count != 1 && count != 3) {
        remark(r, "this is no colour of three numbers");
        return;
    }
    for (int i = 0; i < 3; ++i)
        colour[i] = values[count == 3 ? i : 0];
}

static bool read_number(mtl_reader *r, float *value)
{
    bool is_read = pli_lines_floats(&r->lines, value, 1) == 1;
    if (!is_read)
        remark(r, "a number is missing");
    return is_read;
}

// d [-halo] factor
static void read_opacity(mtl_reader *r)
{
    line_reader ahead = r->lines;
    slice word;
    if (pli_lines_word(&ahead, &word) && slice_is(word, "-halo"))
        r->lines = ahead;
    r->has_opacity |= read_number(r, &r->material->opacity);
}

static void read_transparency(mtl_reader *r)
{
    float value;
    if (read_number(r, &value) && !r->has_opacity)
        r->material->opacity = 1.0f - value;
}

// The exponent of a Phong highlight to a roughness of about the same look, the way Blender does:
// 1 - sqrt(exponent) / 30
static void read_highlight(mtl_reader *r)
{
    float exponent;
    if (!read_number(r, &exponent) || r->has_roughness)
        return;
    exponent = exponent > 0.0f ? (exponent < 900.0f ? exponent : 900.0f) : 0.0f;
    r->material->roughness = 1.0f - square_root(exponent) / 30.0f;
}

// ---------------------------------------------------------------------------------------------
// Textures

// Options before the name, with how many words they take. Those below zero take up to that many numbers.
typedef struct map_option {
    const char *name;
    int words;
    bool is_placing; // it changes where the texture lies
} map_option;

static const map_option map_options[] = {
    {"-s", -3, true},    {"-o", -3, true},      {"-t", -3, true},       {"-mm", 2, false},
    {"-bm", 1, false},   {"-blendu", 1, false}, {"-blendv", 1, false},  {"-boost", 1, false},
    {"-cc", 1, false},   {"-clamp", 1, false},  {"-imfchan", 1, false}, {"-texres", 1, false},
    {"-type", 1, false},
};

static const map_option *find_option(slice word)
{
    for (size_t i = 0; i < sizeof map_options / sizeof map_options[0]; ++i) {
        if (slice_is(word, map_options[i].name))
            return &map_options[i];
    }
    return NULL;
}

static void pass_option(mtl_reader *r, const map_option *option)
{
    float numbers[3];
    slice word;
    if (option->words < 0)
        pli_lines_floats(&r->lines, numbers, -option->words);
    for (int i = 0; i < option->words; ++i)
        pli_lines_word(&r->lines, &word);
    if (option->is_placing)
        remark(r, "the texture's place and scale are left out");
}

static void read_map(mtl_reader *r, slice *map)
{
    for (;;) {
        line_reader ahead = r->lines;
        slice word;
        const map_option *option = pli_lines_word(&ahead, &word) ? find_option(word) : NULL;
        if (!option)
            break;
        r->lines = ahead;
        pass_option(r, option);
    }
    *map = pli_lines_rest(&r->lines);
    if (map->size == 0)
        remark(r, "the texture's file is missing");
}

// ---------------------------------------------------------------------------------------------
// Statements

// Programs do not agree on capitals: map_Kd, map_kd.
static bool keyword_is(slice word, const char *lower)
{
    size_t i = 0;
    for (; i < word.size && lower[i]; ++i) {
        char c = word.at[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != lower[i])
            return false;
    }
    return i == word.size && !lower[i];
}

static void read_property(mtl_reader *r, slice keyword)
{
    mtl_material *material = r->material;
    if (keyword_is(keyword, "kd"))
        read_colour(r, material->colour);
    else if (keyword_is(keyword, "ke"))
        read_colour(r, material->emission);
    else if (keyword_is(keyword, "d"))
        read_opacity(r);
    else if (keyword_is(keyword, "tr"))
        read_transparency(r);
    else if (keyword_is(keyword, "ns"))
        read_highlight(r);
    else if (keyword_is(keyword, "pr"))
        r->has_roughness |= read_number(r, &material->roughness);
    else if (keyword_is(keyword, "pm"))
        read_number(r, &material->metallic);
    else if (keyword_is(keyword, "map_kd"))
        read_map(r, &material->colour_map);
    else if (keyword_is(keyword, "map_d"))
        read_map(r, &material->opacity_map);
    else if (keyword_is(keyword, "map_ke"))
        read_map(r, &material->emission_map);
    else if (keyword_is(keyword, "norm"))
        read_map(r, &material->normal_map);
}

bool pli_mtl_read(mtl_library *library, const char *text, size_t size, slice name,
                  pliant_remarks *remarks)
{
    mtl_reader reader = {
        .library = library,
        .lines = pli_lines_begin(text, size),
        .name = name,
        .remarks = remarks,
    };
    while (pli_lines_next(&reader.lines)) {
        slice keyword;
        if (!pli_lines_word(&reader.lines, &keyword))
            continue;
        if (keyword_is(keyword, "newmtl")) {
            if (!begin_material(&reader))
                return false;
        } else if (reader.material) {
            read_property(&reader, keyword);
        }
    }
    return true;
}
