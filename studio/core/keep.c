// Keeping what a run did to the document's body: its shape of now becomes the shape at rest. The motion of the body as
// a whole is taken out first, so that the object stays where it was authored.

#include "core.h"

#include "draft/draft.h"
#include "math/rotation.h"

#include <stdlib.h>
#include <string.h>

typedef struct shape_now {
    const pliant_model *model;
    pliant_pose *poses;             // of all particles
    vec3 *positions, *normals;      // of all vertices
    pliant_particle_def *particles; // to be: as the model's, at these poses
} shape_now;

static void release(shape_now *shape)
{
    free(shape->poses);
    free(shape->positions);
    free(shape->normals);
    free(shape->particles);
}

static bool look(shape_now *shape, const studio_play *play)
{
    const pliant_model *model = play->scene->models[0];
    size_t particles = (size_t)pliant_model_particle_count(model);
    size_t vertices = (size_t)pliant_model_vertex_count(model);
    *shape = (shape_now){
        .model = model,
        .poses = malloc((particles + 1) * sizeof *shape->poses),
        .positions = malloc((vertices + 1) * sizeof *shape->positions),
        .normals = malloc((vertices + 1) * sizeof *shape->normals),
        .particles = malloc((particles + 1) * sizeof *shape->particles),
    };
    if (!shape->poses || !shape->positions || !shape->normals || !shape->particles)
        return false;
    pliant_body_poses(play->stage.world, play->stage.bodies[0], shape->poses);
    pliant_body_skin(play->stage.world, play->stage.bodies[0], PLIANT_SKIN_LINEAR, shape->positions,
                     shape->normals);
    memcpy(shape->particles, pliant_model_particles(model), particles * sizeof *shape->particles);
    return true;
}

// How the body as a whole has moved: x = R (x0 - from) + to.
typedef struct rigid_motion {
    quat R;
    vec3 from, to; // centres of mass
} rigid_motion;

static void find_centres(const shape_now *shape, rigid_motion *motion)
{
    double mass = 0.0, from[3] = {0}, to[3] = {0};
    for (int i = 0; i < pliant_model_particle_count(shape->model); ++i) {
        double m = shape->particles[i].mass;
        vec3 x0 = shape->particles[i].position, x = shape->poses[i].position;
        mass += m;
        from[0] += m * (double)x0.x, from[1] += m * (double)x0.y, from[2] += m * (double)x0.z;
        to[0] += m * (double)x.x, to[1] += m * (double)x.y, to[2] += m * (double)x.z;
    }
    motion->from =
        (vec3){(float)(from[0] / mass), (float)(from[1] / mass), (float)(from[2] / mass)};
    motion->to = (vec3){(float)(to[0] / mass), (float)(to[1] / mass), (float)(to[2] / mass)};
}

// The best fit of A = Σ m ((x - c)(x0 - c0)ᵀ + r²/5 R_x R_x0ᵀ): the particles' own rotations decide where their places
// do not, in a straight chain or a single particle.
static rigid_motion find_motion(const shape_now *shape)
{
    rigid_motion motion;
    find_centres(shape, &motion);
    mat3 A = {{{0}}};
    quat first = quat_identity();
    for (int i = 0; i < pliant_model_particle_count(shape->model); ++i) {
        const pliant_particle_def *p = &shape->particles[i];
        vec3 arm = vec3_sub(shape->poses[i].position, motion.to);
        mat3_add_outer(&A, vec3_scale(arm, p->mass), vec3_sub(p->position, motion.from));
        quat turn = quat_mul(shape->poses[i].orientation, quat_conjugate(p->orientation));
        float spread = p->mass * vec3_dot(p->radii, p->radii) / 15.0f;
        A = mat3_add(A, mat3_scale(quat_to_mat3(turn), spread));
        first = i == 0 ? turn : first;
    }
    motion.R = pli_rotation_extract(&A, quat_normalize(first), &(int){0});
    return motion;
}

static void undo_motion(shape_now *shape, const rigid_motion *motion)
{
    quat back = quat_conjugate(motion->R);
    for (int i = 0; i < pliant_model_particle_count(shape->model); ++i) {
        pliant_particle_def *p = &shape->particles[i];
        vec3 arm = vec3_sub(shape->poses[i].position, motion->to);
        p->position = vec3_add(motion->from, quat_rotate(back, arm));
        p->orientation = quat_normalize(quat_mul(back, shape->poses[i].orientation));
    }
    for (int i = 0; i < pliant_model_vertex_count(shape->model); ++i) {
        vec3 arm = vec3_sub(shape->positions[i], motion->to);
        shape->positions[i] = vec3_add(motion->from, quat_rotate(back, arm));
        shape->normals[i] = quat_rotate(back, shape->normals[i]);
    }
}

// The model in its new shape, with the places of the mesh's vertices.
static pliant_model *reshaped_model(const shape_now *shape, const pliant_mesh *mesh,
                                    pliant_error *error)
{
    skin_mesh skin;
    int vertices = pliant_model_vertex_count(shape->model);
    int triangles = pliant_model_triangle_count(shape->model);
    if (!pli_skin_mesh_allocate(&skin, vertices, triangles)) {
        pli_error_memory(error);
        return NULL;
    }
    for (int i = 0; i < vertices; ++i) {
        skin.vertices[i] = pliant_model_vertices(shape->model)[i];
        skin.vertices[i].position = mesh->positions[i];
        skin.vertices[i].normal = mesh->normals[i];
    }
    memcpy(skin.triangles, pliant_model_triangles(shape->model),
           3 * (size_t)triangles * sizeof *skin.triangles);
    pliant_model *model = studio_copy_model(shape->model, shape->particles, &skin, error);
    pli_skin_mesh_release(&skin);
    return model;
}

static studio_document *reshaped_document(studio *s, const shape_now *shape, pliant_error *error)
{
    const studio_document *old = s->document;
    pliant_mesh *mesh =
        pliant_mesh_create_reshaped(old->mesh, shape->positions, shape->normals, error);
    pliant_model *model = mesh ? reshaped_model(shape, mesh, error) : NULL;
    studio_document *document =
        model ? studio_document_create(s, old->name, mesh, model, error) : NULL;
    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
    if (!document)
        return NULL;
    memcpy(document->selected_vertices, old->selected_vertices, (size_t)old->mesh->vertex_count);
    memcpy(document->selected_particles, old->selected_particles, (size_t)old->particle_count);
    if (old->draft->spacing > 0.0f &&
        pliant_draft_set_scale(document->draft, old->draft->spacing, old->draft->bridge, error) !=
            PLIANT_OK) {
        studio_document_destroy(s, document);
        return NULL;
    }
    return document;
}

bool studio_keep(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments))
        return false;
    if (!s->play || s->play->source != STUDIO_SOURCE_DOCUMENT)
        return studio_refuse(reader, "the document is not playing");
    pliant_error error = {0};
    shape_now shape;
    studio_document *document = NULL;
    if (look(&shape, s->play)) {
        rigid_motion motion = find_motion(&shape);
        undo_motion(&shape, &motion);
        document = reshaped_document(s, &shape, &error);
    }
    release(&shape);
    return studio_replace_document(s, document, (studio_deed){.label = "Keep shape"}, &error) ||
           studio_fail_with(reader, &error);
}
