// OBJ to GLB: the triangles of the file, the materials of its libraries and their textures as a soup.

#include "obj.h"

#include "core/error.h"
#include "gltf/gltf.h"
#include "io/beside.h"
#include "mtl.h"
#include "obj_mesh.h"
#include "soup.h"
#include "textures.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct obj_converter {
    obj_text text;
    obj_mesh mesh;
    const char *directory;
    pliant_remarks *remarks;

    name_table library_names;      // of files, each of which is read once
    LIST_OF(void *) library_texts; // the library points into them
    mtl_library library;
    int libraries_missing;
    texture_list textures;

    LIST_OF(soup_material) materials;
    int32_t *material_of_name; // for each name of the text: its material plus one, or 0
    soup_part *parts;
} obj_converter;

// ---------------------------------------------------------------------------------------------
// Material files

static pliant_result read_library(obj_converter *c, slice name, pliant_error *error)
{
    if (pli_name_table_find(&c->library_names, name) >= 0)
        return PLIANT_OK;
    void *text;
    size_t size;
    pliant_result result = pli_beside_read(c->directory, name, &text, &size, error);
    if (result != PLIANT_OK)
        return result;
    if (pli_name_table_add(&c->library_names, name) < 0 || !LIST_APPEND(&c->library_texts, text)) {
        free(text);
        return pli_error_memory(error);
    }
    return pli_mtl_read(&c->library, text, size, name, c->remarks) ? PLIANT_OK
                                                                   : pli_error_memory(error);
}

static void remark_on_library(obj_converter *c, int line, slice name, const pliant_error *error)
{
    char place[32];
    snprintf(place, sizeof place, "line %d", line);
    pli_remark_add(c->remarks, place, "the material file '%.*s' is left out: %s", slice_width(name),
                   name.at, error->message);
    ++c->libraries_missing;
}

static slice next_name(slice *names)
{
    size_t size = 0, gap;
    while (size < names->size && names->at[size] != ' ' && names->at[size] != '\t')
        ++size;
    for (gap = size; gap < names->size && (names->at[gap] == ' ' || names->at[gap] == '\t');)
        ++gap;
    slice name = {names->at, size};
    *names = (slice){names->at + gap, names->size - gap};
    return name;
}

// A line names one file, blanks and all, or several.
static bool read_library_line(obj_converter *c, const obj_library *line)
{
    pliant_error error;
    pliant_result result = read_library(c, line->names, &error);
    if (result == PLIANT_OK || result == PLIANT_ERROR_MEMORY)
        return result == PLIANT_OK;
    slice names = line->names;
    do {
        slice name = next_name(&names);
        result = read_library(c, name, &error);
        if (result == PLIANT_ERROR_MEMORY)
            return false;
        if (result != PLIANT_OK)
            remark_on_library(c, line->line, name, &error);
    } while (names.size > 0);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Materials

static bool is_black(const float colour[3])
{
    return colour[0] == 0.0f && colour[1] == 0.0f && colour[2] == 0.0f;
}

// An image is multiplied by its colour, and some programs write black beside an image: it stands for none.
static void fill_colour(float colour[3], const float given[3], int image)
{
    bool is_white = image >= 0 && is_black(given);
    for (int i = 0; i < 3; ++i)
        colour[i] = is_white ? 1.0f : given[i];
}

static void fill_material(obj_converter *c, soup_material *material, const mtl_material *given)
{
    texture_list *textures = &c->textures;
    material->colour_image =
        pli_textures_load(textures, c->directory, given->colour_map, c->remarks);
    material->emission_image =
        pli_textures_load(textures, c->directory, given->emission_map, c->remarks);
    material->normal_image =
        pli_textures_load(textures, c->directory, given->normal_map, c->remarks);
    fill_colour(material->colour, given->colour, material->colour_image);
    fill_colour(material->emission, given->emission, material->emission_image);
    material->colour[3] = given->opacity;
    material->roughness = given->roughness;
    material->metallic = given->metallic;
    // glTF takes the opacity from the colour's image, which is most often where it is.
    bool has_opacity_map = given->opacity_map.size > 0;
    bool is_same = slice_equal(given->opacity_map, given->colour_map);
    material->is_blended = given->opacity < 1.0f || (has_opacity_map && is_same);
    if (has_opacity_map && !is_same)
        pli_remark_add(c->remarks, "", "opacity in a texture of its own is left out: '%.*s'",
                       slice_width(given->opacity_map), given->opacity_map.at);
}

// The material of a name plus one, 0 when memory runs out.
static int32_t add_material(obj_converter *c, slice name)
{
    soup_material material = pli_soup_default_material();
    material.name = name;
    int32_t number = pli_name_table_find(&c->library.names, name);
    if (number >= 0)
        fill_material(c, &material, &c->library.materials.items[number]);
    else if (c->text.libraries.count > 0 && c->libraries_missing == 0)
        pli_remark_add(c->remarks, "", "there is no material '%.*s' in the material files",
                       slice_width(name), name.at);
    return LIST_APPEND(&c->materials, material) && !c->textures.failed ? c->materials.count : 0;
}

static bool make_materials(obj_converter *c)
{
    for (int32_t i = 0; i < c->text.libraries.count; ++i) {
        if (!read_library_line(c, &c->text.libraries.items[i]))
            return false;
    }
    c->material_of_name = calloc((size_t)c->text.names.names.count, sizeof *c->material_of_name);
    if (!c->material_of_name)
        return false;
    for (int32_t i = 0; i < c->mesh.part_count; ++i) {
        int32_t name = c->mesh.parts[i].material;
        if (name == 0 || c->material_of_name[name] > 0)
            continue;
        c->material_of_name[name] = add_material(c, c->text.names.names.items[name]);
        if (c->material_of_name[name] == 0)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The whole

static bool make_parts(obj_converter *c)
{
    const obj_mesh *mesh = &c->mesh;
    c->parts = calloc((size_t)mesh->part_count + 1, sizeof *c->parts);
    if (!c->parts)
        return false;
    for (int32_t i = 0; i < mesh->part_count; ++i) {
        const obj_part *part = &mesh->parts[i];
        c->parts[i] = (soup_part){
            .object = part->object,
            .material = c->material_of_name[part->material] - 1,
            .first_vertex = part->first_vertex,
            .vertex_count = part->vertex_count,
            .triangle_count = part->triangle_count,
            .positions = mesh->positions + part->first_vertex,
            .normals = part->has_normals ? mesh->normals + part->first_vertex : NULL,
            .coordinates = part->has_coordinates
                               ? (const float(*)[2])mesh->coordinates + part->first_vertex
                               : NULL,
            .triangles = mesh->triangles[part->first_triangle],
        };
    }
    return true;
}

static pliant_result convert(obj_converter *c, void **data, size_t *size, pliant_error *error)
{
    if (!pli_obj_mesh_build(&c->mesh, &c->text, c->remarks) || !make_materials(c) || !make_parts(c))
        return pli_error_memory(error);
    return pli_soup_write_glb(&(triangle_soup){.object_count = c->mesh.object_count,
                                               .objects = c->mesh.objects,
                                               .part_count = c->mesh.part_count,
                                               .parts = c->parts,
                                               .material_count = c->materials.count,
                                               .materials = c->materials.items,
                                               .image_count = c->textures.loaded.count,
                                               .images = c->textures.loaded.items},
                              data, size, error);
}

static void release(obj_converter *c)
{
    pli_obj_text_release(&c->text);
    pli_obj_mesh_release(&c->mesh);
    for (int32_t i = 0; i < c->library_texts.count; ++i)
        free(c->library_texts.items[i]);
    free(c->library_texts.items);
    pli_name_table_release(&c->library_names);
    pli_mtl_release(&c->library);
    pli_textures_release(&c->textures);
    free(c->materials.items);
    free(c->material_of_name);
    free(c->parts);
}

pliant_result pli_obj_to_glb(const char *text, size_t size, const char *directory,
                             pliant_remarks *remarks, void **data, size_t *glb_size,
                             pliant_error *error)
{
    obj_converter converter = {.directory = directory, .remarks = remarks};
    pliant_result result = pli_obj_text_read(&converter.text, text, size, remarks, error);
    if (result == PLIANT_OK)
        result = convert(&converter, data, glb_size, error);
    release(&converter);
    return result;
}
