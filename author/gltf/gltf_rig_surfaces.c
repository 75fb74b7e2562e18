// Parts of the mesh as surfaces of a rig: their vertices before anything moves them, what moves them, and morph targets.

#include "gltf_accessor.h"
#include "gltf_part.h"
#include "gltf_rig.h"
#include "gltf_semantic.h"

#include <stdlib.h>

typedef struct surface_reader {
    rig_reader *rig;
    const gltf_part *part;
    int vertex_count;
    double *scratch; // six for each vertex
} surface_reader;

static pliant_vec3 vec3_at(const double *numbers, int index)
{
    const double *v = numbers + 3 * (size_t)index;
    return (pliant_vec3){pli_gltf_to_float(v[0]), pli_gltf_to_float(v[1]), pli_gltf_to_float(v[2])};
}

static bool append_vertices(surface_reader *s)
{
    rig_reader *r = s->rig;
    json_value attributes = pli_gltf_part_attributes(r->gltf, s->part);
    int position = pli_gltf_reference(r->gltf, attributes, "POSITION");
    int normal = pli_gltf_reference(r->gltf, attributes, "NORMAL");
    double *normals = s->scratch + 3 * (size_t)s->vertex_count;
    if (!pli_gltf_part_read(&r->check, s->part, position, s->scratch) ||
        (normal >= 0 && !pli_gltf_part_read(&r->check, s->part, normal, normals)))
        return false;
    for (int i = 0; i < s->vertex_count; ++i) {
        pliant_rig_vertex vertex = {.position = vec3_at(s->scratch, i)};
        if (normal >= 0)
            vertex.normal = vec3_at(normals, i);
        if (!LIST_APPEND(&r->vertices, vertex))
            return pli_gltf_fail_memory(&r->check);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Influences: of each vertex those that act, or else its first joint

static int count_acting(const gltf_influences *in, int vertex_count, int vertex)
{
    int count = 0;
    for (int i = 0; i < 4 * in->set_count; ++i)
        count += pli_gltf_acts(in->weights[pli_gltf_influence_at(vertex_count, vertex, i)]);
    return count;
}

static bool append_acting(surface_reader *s, const gltf_influences *in, int vertex, int count)
{
    rig_reader *r = s->rig;
    int32_t end = r->influences.count + count;
    for (int i = 0; i < 4 * in->set_count && r->influences.count < end; ++i) {
        size_t at = pli_gltf_influence_at(s->vertex_count, vertex, i);
        pliant_rig_influence influence = {(int32_t)in->joints[at],
                                          pli_gltf_to_float(in->weights[at])};
        if (pli_gltf_acts(in->weights[at]) && !LIST_APPEND(&r->influences, influence))
            return pli_gltf_fail_memory(&r->check);
    }
    int32_t first_joint = (int32_t)in->joints[pli_gltf_influence_at(s->vertex_count, vertex, 0)];
    while (r->influences.count < end)
        if (!LIST_APPEND(&r->influences, (pliant_rig_influence){.joint = first_joint}))
            return pli_gltf_fail_memory(&r->check);
    return true;
}

static bool append_influences(surface_reader *s, pliant_rig_surface *surface)
{
    gltf_influences in = {0};
    rig_reader *r = s->rig;
    bool good = pli_gltf_part_read_influences(&r->check, s->part, s->vertex_count, &in);
    surface->skin = pli_gltf_reference(r->gltf, r->gltf->nodes.items[s->part->node], "skin");
    surface->influence_count = 1;
    for (int i = 0; i < s->vertex_count && good; ++i) {
        int count = count_acting(&in, s->vertex_count, i);
        surface->influence_count =
            count > surface->influence_count ? count : surface->influence_count;
    }
    for (int i = 0; i < s->vertex_count && good; ++i)
        good = append_acting(s, &in, i, surface->influence_count);
    pli_gltf_influences_release(&in);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Morph targets

// Where the displacements begin, -1 where there are none; false after filling the error.
static bool append_displacements(surface_reader *s, json_value target, const char *name,
                                 int32_t *first)
{
    rig_reader *r = s->rig;
    int accessor = pli_gltf_reference(r->gltf, target, name);
    *first = -1;
    if (accessor < 0 || pli_gltf_is_blank(r->gltf, accessor))
        return true;
    if (!pli_gltf_part_read(&r->check, s->part, accessor, s->scratch))
        return false;
    *first = r->displacements.count;
    for (int i = 0; i < s->vertex_count; ++i)
        if (!LIST_APPEND(&r->displacements, vec3_at(s->scratch, i)))
            return pli_gltf_fail_memory(&r->check);
    return true;
}

static bool append_targets(surface_reader *s)
{
    rig_reader *r = s->rig;
    json_value targets = pli_json_get(r->json, s->part->primitive_value, "targets");
    for (json_value t = pli_json_first(r->json, targets); t != JSON_NONE;
         t = pli_json_next(r->json, t)) {
        pliant_rig_target target;
        if (!append_displacements(s, t, "POSITION", &target.first_position) ||
            !append_displacements(s, t, "NORMAL", &target.first_normal))
            return false;
        if (!LIST_APPEND(&r->targets, target))
            return pli_gltf_fail_memory(&r->check);
    }
    return true;
}

static bool append_surface(rig_reader *r, const gltf_part *part, const pliant_mesh_part *run)
{
    pliant_rig_surface surface = {.node = part->node,
                                  .skin = -1,
                                  .first_vertex = r->vertices.count,
                                  .vertex_count = run->vertex_count,
                                  .first_influence = r->influences.count,
                                  .first_target = r->targets.count};
    surface_reader s = {.rig = r, .part = part, .vertex_count = run->vertex_count};
    s.scratch = malloc(((size_t)run->vertex_count + 1) * 6 * sizeof *s.scratch);
    bool good = (s.scratch || pli_gltf_fail_memory(&r->check)) && append_vertices(&s) &&
                (!part->is_skinned || append_influences(&s, &surface)) && append_targets(&s);
    free(s.scratch);
    surface.target_count = r->targets.count - surface.first_target;
    return good && (LIST_APPEND(&r->surfaces, surface) || pli_gltf_fail_memory(&r->check));
}

bool pli_gltf_read_rig_surfaces(rig_reader *r, const pliant_mesh *mesh)
{
    for (int i = 0; i < mesh->part_count; ++i)
        if (!append_surface(r, &r->gltf->parts[i], &mesh->parts[i]))
            return false;
    return true;
}
