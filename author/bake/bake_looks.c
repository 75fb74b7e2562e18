// Bodies with the looks of the file their mesh came from: one primitive for each part, with its material and
// all the attributes of its vertices that do not move. What moves, positions, normals and links, is the
// model's.

#include "bake_document.h"

#include "gltf/part_looks.h"

// Without triangles only points and lines have something to show.
bool pli_bake_shows_part(const pliant_mesh *mesh, int part)
{
    const pliant_mesh_part *p = &mesh->parts[part];
    return p->triangle_count > 0 ||
           (p->vertex_count > 0 && pli_part_mode(mesh->document, part) < GLB_TRIANGLES);
}

bool pli_bake_has_looks(const pliant_mesh *mesh)
{
    if (!mesh || !mesh->document)
        return false;
    for (int i = 0; i < mesh->part_count; ++i) {
        if (pli_bake_shows_part(mesh, i))
            return true;
    }
    return false;
}

typedef struct looks_mesh {
    part_looks looks;
    skin_mesh skin;
    bake_views views;
} looks_mesh;

static void add_primitive(looks_mesh *m, int part)
{
    part_looks *looks = &m->looks;
    const pliant_mesh_part *p = &looks->mesh->parts[part];
    bake_views views = m->views;
    // Points and lines that have none are not to be lit.
    if (p->triangle_count == 0 && !pli_part_has_attribute(looks, part, "NORMAL"))
        views.normal = -1;
    bake_geometry geometry =
        pli_bake_add_accessors(looks->glb, &m->skin, &views, p->first_vertex, p->vertex_count);
    pli_json_begin_object(looks->json, NULL);
    pli_json_begin_object(looks->json, "attributes");
    pli_bake_write_attributes(looks->json, &geometry);
    pli_part_write_attributes(looks, part, true);
    pli_json_end_object(looks->json);
    pli_part_write_rest(looks, part);
    pli_json_end_object(looks->json);
}

static void add_primitives(looks_mesh *m, const char *name)
{
    json_writer *json = m->looks.json;
    pli_json_begin_object(json, NULL);
    if (name[0])
        pli_json_write_string(json, "name", name);
    pli_json_begin_array(json, "primitives");
    for (int i = 0; i < m->looks.mesh->part_count; ++i) {
        if (pli_bake_shows_part(m->looks.mesh, i))
            add_primitive(m, i);
    }
    pli_json_end_array(json);
    pli_json_end_object(json);
}

int pli_bake_add_looks(bake_document *document, int index, const char *name)
{
    const pliant_scene *scene = document->bake->stage->scene;
    const pliant_model *model = scene->models[index];
    looks_mesh m = {.skin = {0}};
    if (pli_skin_mesh_from_skin(&m.skin, model) &&
        pli_part_looks_begin(&m.looks, scene->meshes[index], &document->glb, &document->looks,
                             &document->meshes)) {
        m.views =
            pli_bake_add_views(&document->glb, &m.skin, pliant_model_particle_count(model), false);
        add_primitives(&m, name);
    } else {
        document->glb.failed = true;
    }
    pli_skin_mesh_release(&m.skin);
    pli_part_looks_end(&m.looks);
    return document->mesh_count++;
}
