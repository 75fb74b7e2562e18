// Numbers in bulk: of the document while authoring, of the stage while playing.

#include "core.h"

#include <stdlib.h>
#include <string.h>

// Room for a view that is made anew each time; NULL when there is no memory.
static void *view_room(studio *s, size_t count, size_t size)
{
    free(s->view);
    s->view = malloc(count * size + 1);
    return s->view;
}

static const void *shown(const void *data, size_t count, size_t *result)
{
    *result = data ? count : 0;
    return data;
}

// ---------------------------------------------------------------------------------------------
// Particles and edges as authored

static void write_particle(float *to, const pliant_particle_def *p, int group)
{
    const float values[STUDIO_PARTICLE_STRIDE] = {
        p->position.x,    p->position.y,    p->position.z,    p->orientation.x,
        p->orientation.y, p->orientation.z, p->orientation.w, p->radii.x,
        p->radii.y,       p->radii.z,       p->mass,          p->stiffness,
        (float)p->flags,  (float)group,     p->yield_strain,  p->creep_rate,
    };
    memcpy(to, values, sizeof values);
}

// A particle in several groups shows the first.
static void write_group(float *particles, const pliant_group_def *group, int index)
{
    for (int i = 0; i < group->member_count; ++i) {
        float *to = &particles[(size_t)group->members[i] * STUDIO_PARTICLE_STRIDE + 13];
        if (*to < 0.0f)
            *to = (float)index;
    }
}

static void write_model_particles(float *to, const pliant_model *model)
{
    const pliant_particle_def *particles = pliant_model_particles(model);
    for (int i = 0; i < pliant_model_particle_count(model); ++i)
        write_particle(to + (size_t)i * STUDIO_PARTICLE_STRIDE, &particles[i], -1);
    for (int i = 0; i < pliant_model_group_count(model); ++i) {
        pliant_group_def group = pliant_model_group(model, i);
        write_group(to, &group, i);
    }
}

static const void *particles_view(studio *s, size_t *count)
{
    int particles = s->play ? s->play->particle_count : s->document->particle_count;
    float *to = view_room(s, (size_t)particles * STUDIO_PARTICLE_STRIDE, sizeof *to);
    if (!to)
        return shown(NULL, 0, count);
    if (s->play) {
        const pliant_scene *scene = s->play->scene;
        for (int i = 0; i < scene->body_count; ++i)
            write_model_particles(to + (size_t)s->play->ranges[i].first_particle *
                                           STUDIO_PARTICLE_STRIDE,
                                  scene->models[scene->bodies[i].model]);
    } else {
        pliant_draft *draft = s->document->draft;
        for (int i = 0; i < particles; ++i)
            write_particle(to + (size_t)i * STUDIO_PARTICLE_STRIDE, pliant_draft_particle(draft, i),
                           -1);
        for (int i = 0; i < pliant_draft_group_count(draft); ++i) {
            pliant_group_def group = pliant_draft_group_at(draft, i);
            write_group(to, &group, i);
        }
    }
    return shown(to, (size_t)particles * STUDIO_PARTICLE_STRIDE, count);
}

// Calls `write` for each edge, with the number of its body's first particle.
static void each_edge(studio *s, void *to,
                      void (*write)(void *, int index, const pliant_edge_def *, int first))
{
    if (!s->play) {
        for (int i = 0; i < pliant_draft_edge_count(s->document->draft); ++i)
            write(to, i, pliant_draft_edge(s->document->draft, i), 0);
        return;
    }
    const pliant_scene *scene = s->play->scene;
    for (int b = 0; b < scene->body_count; ++b) {
        const pliant_model *model = scene->models[scene->bodies[b].model];
        const studio_range *range = &s->play->ranges[b];
        for (int i = 0; i < pliant_model_edge_count(model); ++i)
            write(to, range->first_edge + i, &pliant_model_edges(model)[i], range->first_particle);
    }
}

static void write_ends(void *to, int index, const pliant_edge_def *edge, int first)
{
    int32_t *ends = (int32_t *)to + 2 * (size_t)index;
    ends[0] = first + edge->a;
    ends[1] = first + edge->b;
}

static void write_stiffness(void *to, int index, const pliant_edge_def *edge, int first)
{
    (void)first;
    float *values = (float *)to + 2 * (size_t)index;
    values[0] = edge->stretch_stiffness;
    values[1] = edge->torsion_stiffness;
}

static const void *edges_view(studio *s, bool values, size_t *count)
{
    size_t edges =
        (size_t)(s->play ? s->play->edge_count : pliant_draft_edge_count(s->document->draft));
    void *to = view_room(s, 2 * edges, 4);
    if (to)
        each_edge(s, to, values ? write_stiffness : write_ends);
    return shown(to, 2 * edges, count);
}

// ---------------------------------------------------------------------------------------------
// What the stage alone has

static const void *poses_view(studio *s, size_t *count)
{
    const studio_play *play = s->play;
    pliant_pose *poses = view_room(s, (size_t)play->particle_count, sizeof *poses);
    for (int i = 0; poses && i < play->scene->body_count; ++i)
        pliant_body_poses(play->stage.world, play->stage.bodies[i],
                          poses + play->ranges[i].first_particle);
    return shown(poses, 7 * (size_t)play->particle_count, count);
}

static const void *colliders_view(studio *s, size_t *count)
{
    const studio_play *play = s->play;
    size_t colliders = (size_t)play->scene->collider_count;
    pliant_pose *poses = view_room(s, colliders, sizeof *poses);
    for (size_t i = 0; poses && i < colliders; ++i)
        poses[i] = pliant_collider_pose(play->stage.world, play->stage.colliders[i]);
    return shown(poses, 7 * colliders, count);
}

static const void *contacts_view(studio *s, size_t *count)
{
    const pliant_world *world = s->play->stage.world;
    int contacts = pliant_world_contacts(world, NULL, 0);
    pliant_contact *list = malloc((size_t)contacts * sizeof *list + 1);
    float *to = view_room(s, 7 * (size_t)contacts, sizeof *to);
    if (!list || !to) {
        free(list);
        return shown(NULL, 0, count);
    }
    pliant_world_contacts(world, list, contacts);
    for (int i = 0; i < contacts; ++i) {
        float *at = to + 7 * (size_t)i;
        memcpy(at, &list[i].point, sizeof list[i].point);
        memcpy(at + 3, &list[i].normal, sizeof list[i].normal);
        at[6] = list[i].force;
    }
    free(list);
    return shown(to, 7 * (size_t)contacts, count);
}

static const void *stage_view(studio *s, studio_view_kind kind, size_t *count)
{
    studio_play *play = s->play;
    switch (kind) {
    case STUDIO_VIEW_LOOKS:
        if (!play->looks)
            play->looks = studio_stage_looks(play, &play->looks_size, NULL);
        return shown(play->looks, play->looks_size, count);
    case STUDIO_VIEW_POSITIONS:
        return shown(play->positions, 3 * (size_t)play->vertex_count, count);
    case STUDIO_VIEW_NORMALS:
        return shown(play->normals, 3 * (size_t)play->vertex_count, count);
    case STUDIO_VIEW_PARTICLES:
        return particles_view(s, count);
    case STUDIO_VIEW_EDGES:
        return edges_view(s, false, count);
    case STUDIO_VIEW_EDGE_VALUES:
        return edges_view(s, true, count);
    case STUDIO_VIEW_POSES:
        return poses_view(s, count);
    case STUDIO_VIEW_COLLIDERS:
        return colliders_view(s, count);
    case STUDIO_VIEW_CONTACTS:
        return contacts_view(s, count);
    default:
        return NULL;
    }
}

// ---------------------------------------------------------------------------------------------
// What the document alone has

static const void *document_looks(studio *s, size_t *count)
{
    if (!s->looks || s->looks_revision != s->document->revision) {
        free(s->looks);
        s->looks = studio_document_looks(s->document, &s->looks_size, NULL);
        s->looks_revision = s->document->revision;
    }
    return shown(s->looks, s->looks_size, count);
}

static const void *unbound_view(studio *s, size_t *count)
{
    int vertices = s->document->mesh->vertex_count;
    unsigned char *to = view_room(s, (size_t)vertices, 1);
    for (int i = 0; to && i < vertices; ++i)
        to[i] = !studio_document_is_bound(s->document, i);
    return shown(to, (size_t)vertices, count);
}

static const void *document_view(studio *s, studio_view_kind kind, size_t *count)
{
    const studio_document *document = s->document;
    const pliant_mesh *mesh = document->mesh;
    size_t vertices = (size_t)mesh->vertex_count;
    switch (kind) {
    case STUDIO_VIEW_LOOKS:
        return document_looks(s, count);
    case STUDIO_VIEW_POSITIONS:
        return shown(mesh->positions, 3 * vertices, count);
    case STUDIO_VIEW_NORMALS:
        return shown(document->normals, 3 * vertices, count);
    case STUDIO_VIEW_TRIANGLES:
        return shown(mesh->triangles, 3 * (size_t)mesh->triangle_count, count);
    case STUDIO_VIEW_PARTICLES:
        return particles_view(s, count);
    case STUDIO_VIEW_EDGES:
        return edges_view(s, false, count);
    case STUDIO_VIEW_EDGE_VALUES:
        return edges_view(s, true, count);
    case STUDIO_VIEW_SELECTED_VERTICES:
        return shown(document->selected_vertices, vertices, count);
    case STUDIO_VIEW_SELECTED_PARTICLES:
        return shown(document->selected_particles, (size_t)document->particle_count, count);
    case STUDIO_VIEW_WEIGHTS:
        if (s->weights_revision != document->revision)
            return NULL;
        return shown(s->weights, (size_t)s->weight_count, count);
    case STUDIO_VIEW_UNBOUND_VERTICES:
        return unbound_view(s, count);
    default:
        return NULL;
    }
}

const void *studio_view(studio *s, studio_view_kind kind, size_t *count)
{
    *count = 0;
    if (kind == STUDIO_VIEW_FILE)
        return shown(s->exported, s->exported_size, count);
    if (s->play)
        return stage_view(s, kind, count);
    return s->document ? document_view(s, kind, count) : NULL;
}
