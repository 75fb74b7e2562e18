// What the parts of the Studio's core share: everything there is, held by one struct. Which file does what stands
// before its functions.

#ifndef PLIANT_STUDIO_CORE_H
#define PLIANT_STUDIO_CORE_H

#include "studio.h"

#include "io/progress.h"
#include "math/quat.h"
#include "mesh/skin_mesh.h"
#include "mesh/surface_search.h"
#include "json/fields.h"
#include "json/json_write.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

// ---------------------------------------------------------------------------------------------
// files.c: what the page has put for `open`

typedef struct studio_file {
    char *name;
    void *data; // with a zero byte behind it
    size_t size;
} studio_file;

typedef struct studio_files {
    studio_file *items;
    int count, capacity;
} studio_files;

void *studio_files_add(studio_files *files, const char *name, size_t size);
void studio_files_clear(studio_files *files);
// In new memory; NULL when there is none.
char *studio_copy_text(const char *text);
// By its whole path or, where that is not there, by its name without folders: whoever picks files in a dialogue gives
// no folders. NULL when there is none.
const studio_file *studio_files_find(const studio_files *files, const char *path);
// While a file is being opened, what it refers to is looked up here (table_files.c); NULL afterwards.
void studio_files_lend(const studio_files *files);
const studio_files *studio_files_lent(void);
// "cow" of "models/cow.glb", cut to the capacity between characters.
void studio_files_title(const char *path, char *title, size_t capacity);

// ---------------------------------------------------------------------------------------------
// blocks.c: immutable bytes with numbers, for the history; equal content is one block

typedef struct studio_block_item {
    int id; // > 0
    int uses;
    uint64_t hash;
    size_t size;
    unsigned char *data;
} studio_block_item;

typedef struct studio_blocks {
    studio_block_item **items; // by rising id
    int count, capacity;
    int last_id;
    size_t bytes; // of all
} studio_blocks;

// Takes `data` (from malloc) over, also on failure; the result has one use more. NULL when there is no memory.
studio_block_item *studio_blocks_take(studio_blocks *blocks, void *data, size_t size,
                                      int wanted_id);
studio_block_item *studio_blocks_find(const studio_blocks *blocks, int id);
void studio_block_keep(studio_block_item *block);
void studio_blocks_drop(studio_blocks *blocks, studio_block_item *block);
void studio_blocks_release(studio_blocks *blocks);

// ---------------------------------------------------------------------------------------------
// document.c: the mesh, the draft on it, what is selected

typedef struct studio_document {
    char name[48];
    int revision;
    studio_block_item *source; // the mesh's file, see document.c
    pliant_mesh *mesh;
    pliant_draft *draft;
    unsigned char *selected_vertices, *selected_particles; // a byte each, 0 or 1
    unsigned char *asked_vertices; // likewise: those that tools were asked to carry
    int particle_count;            // that selected_particles has room for
    vec3 *normals;                 // of the mesh, none of them zero
} studio_document;

// What a document is made of at one moment.
enum {
    STUDIO_CONTENT_SOURCE,
    STUDIO_CONTENT_DRAFT, // PLIANT_DRAFT_SECTION_COUNT of them
    STUDIO_CONTENT_SELECTION = STUDIO_CONTENT_DRAFT + PLIANT_DRAFT_SECTION_COUNT,
    STUDIO_CONTENT_COUNT,
};

typedef struct studio_content {
    studio_block_item *blocks[STUDIO_CONTENT_COUNT];
} studio_content;

// A new document of a mesh and, unless it is NULL, a model made of it. The mesh is copied through its file, so that a
// document that comes back from the history is the same. NULL with `error` filled on failure.
studio_document *studio_document_create(studio *s, const char *name, const pliant_mesh *mesh,
                                        const pliant_model *model, pliant_error *error);
// The GLB of its mesh, which refers to no other file.
const void *studio_document_file(const studio_document *document, size_t *size);
void studio_document_destroy(studio *s, studio_document *document);
// The content with one use of each block for the caller.
bool studio_document_save(studio *s, const studio_document *document, studio_content *content,
                          pliant_error *error);
void studio_content_drop(studio *s, studio_content *content);
// Makes the present document what it was (for NULL there is none). Fails leaving it as it is.
bool studio_document_apply(studio *s, const studio_content *content, pliant_error *error);
int studio_document_unbound(const studio_document *document); // how many vertices
bool studio_document_is_bound(const studio_document *document, int vertex);

// asked.c: which vertices a recipe's tools, which have been used, were asked to carry. Before them there were so many
// particles.
bool studio_document_ask(studio_document *document, const json_document *json, json_value tools,
                         int particles_before, pliant_error *error);
// Fails when there is none.
bool studio_need_document(const studio *s, field_reader *reader);
// The selected ones as indices; release it. False when there is no memory.
bool studio_selection_of(const unsigned char *mask, int count, pliant_selection *selection);
// Normals where the given ones (`stride` bytes apart) are zero: the mean of the triangles around, weighted by area.
void studio_fill_normals(const vec3 *given, size_t stride, const vec3 *positions, int vertex_count,
                         const int32_t *triangles, int triangle_count, vec3 *normals);

// What a document was before a change that may yet fail.
typedef struct studio_change {
    studio_document *document;
    pliant_draft *draft; // its content
    unsigned char *selected_vertices, *selected_particles, *asked_vertices;
    int particle_count;
} studio_change;

bool studio_change_begin(studio_change *change, studio_document *document, pliant_error *error);
// Keeps it, or takes it back, which needs no memory.
void studio_change_end(studio_change *change, bool keep);
// After tools: gives new particles a place in the selection, or, when `forget`, empties it.
bool studio_document_recount(studio_document *document, bool forget, pliant_error *error);

// ---------------------------------------------------------------------------------------------
// history.c

enum { STUDIO_LABEL_SIZE = 120 }; // with its end

typedef struct studio_entry {
    char *label;
    int stroke;   // 0: none
    bool selects; // and does nothing else
    studio_content content;
} studio_entry;

typedef struct studio_history {
    studio_entry *entries;
    int count, capacity;
    int position; // entries[position - 1] is the present content; 0: no document
} studio_history;

// What was done, for an entry.
typedef struct studio_deed {
    const char *label;
    int stroke;
    bool selects;
} studio_deed;

// The content of a document, present or about to be, as the next entry or as part of the last one's stroke. Nothing
// new makes no entry.
// A document, which may be NULL with `error` filled, takes the place of the one there is, as an entry of the history; what is
// staged is closed. False: then it is destroyed, and all is as it was.
bool studio_replace_document(studio *s, studio_document *document, studio_deed deed,
                             pliant_error *error);
bool studio_history_push(studio *s, const studio_document *document, studio_deed deed,
                         pliant_error *error);
void studio_history_clear(studio *s, studio_history *history);

// ---------------------------------------------------------------------------------------------
// stage.c: a scene that plays

typedef enum studio_source {
    STUDIO_SOURCE_BUILT_IN,
    STUDIO_SOURCE_FILE,
    STUDIO_SOURCE_DOCUMENT
} studio_source;

typedef struct studio_settings {
    vec3 gravity;
    float stiffness;
    vec3 wind; // m/s
    float gusts;
    float substep_length; // s
    int iterations;
} studio_settings;

// Where a body's elements begin in views.
typedef struct studio_range {
    int first_particle, first_vertex, first_edge;
    bool lacks_normals; // some of its model's are zero
} studio_range;

typedef struct studio_grip {
    bool is_on;
    pliant_attachment_id attachment;
    int body, particle;
    vec3 offset;   // of the particle's centre from the point that is held
    vec3 target;   // where the centre is to go
    vec3 before;   // where it was to go a step ago
    vec3 velocity; // of the target, smoothed
    float reach;   // m, how far ahead of the particle it is pulled
} studio_grip;

typedef struct studio_play {
    studio_source source;
    int revision;
    pliant_scene *scene; // owned
    pliant_stage stage;
    studio_settings settings;
    int particle_count, edge_count, group_count, vertex_count;
    studio_range *ranges; // a body each
    vec3 *positions, *normals;
    pliant_bake *recording; // of the last seconds, or NULL
    double next_record;     // s
    studio_grip grip;
    pliant_bake *bake; // under way, or NULL
    int bake_total;
    float bake_fps;
    void *looks;
    size_t looks_size;
} studio_play;

// A scene, taken over also on failure, ready to play; NULL with `error` filled on failure.
studio_play *studio_play_create(pliant_scene *scene, studio_source source, pliant_error *error);
void studio_play_destroy(studio_play *play);
// Puts it in place of what is on stage.
void studio_stage_set(studio *s, studio_play *play);
void studio_stage_close(studio *s);
// One step with everything that acts on it.
void studio_stage_step(studio_play *play, float dt);
float studio_stage_recorded(const studio_play *play);

// grip.c
void studio_grip_pull(studio_play *play, float dt);
void studio_grip_release(studio_play *play);
// wind.c
void studio_wind_blow(const studio_play *play, float dt);

// ---------------------------------------------------------------------------------------------
// pick.c: rays

typedef struct studio_ray {
    vec3 origin, direction; // of unit length
} studio_ray;

bool studio_ray_read(field_reader *reader, json_value arguments, studio_ray *ray);
// Where it enters the ellipsoid; false when it does not. From inside that is at 0.
bool studio_ray_ellipsoid(const studio_ray *ray, pliant_pose pose, vec3 radii, float *distance);
// The first triangle on the ray between two distances; -1 when there is none.
int32_t studio_ray_surface(const surface_search *search, const studio_ray *ray, float from,
                           float to, float *distance);

// ---------------------------------------------------------------------------------------------
// looks.c: how things look, as a GLB, and which vertices its primitives have

void *studio_document_looks(const studio_document *document, size_t *size, pliant_error *error);
void *studio_stage_looks(const studio_play *play, size_t *size, pliant_error *error);
void studio_write_primitives(json_writer *json, const pliant_mesh *mesh, int vertex_count);

// ---------------------------------------------------------------------------------------------
// models.c: from documents to models and back

// The model of a document, as it would be read from its file.
pliant_model *studio_build_model(const studio_document *document, pliant_error *error);
// The document's model above the ground.
pliant_scene *studio_document_scene(const studio_document *document, pliant_error *error);
// A model with other particles and another skin, else the same.
pliant_model *studio_copy_model(const pliant_model *model, const pliant_particle_def *particles,
                                const skin_mesh *skin, pliant_error *error);
// A document of a model and the mesh it was made of; without one (NULL) its skin is the mesh, and where it has none,
// ellipsoids are, of that colour (which may be NULL).
studio_document *studio_model_document(studio *s, const char *name, const pliant_model *model,
                                       const pliant_mesh *mesh, const float colour[3],
                                       pliant_error *error);

// Of the names of exported models, so that they never take the place of the mesh they were made of.
#define STUDIO_MODEL_ENDING "-model"

// export.c: gives the page a file (from malloc), and writes its name and size into the answer's object.
void studio_give_file(studio *s, const char *name, const char *ending, void *data, size_t size);

// ---------------------------------------------------------------------------------------------

enum { STUDIO_MOST_NOTES = 8 };

struct studio {
    draft_progress progress; // of the command that runs
    studio_files files;
    studio_blocks blocks;
    studio_block_item *put; // by the page, for `restore`; ids are the page's
    int put_count, put_capacity;
    studio_document *document; // or NULL
    studio_history history;
    studio_play *play; // or NULL
    int last_revision; // of documents and scenes alike

    json_writer answer;
    char notes[STUDIO_MOST_NOTES][280];
    int note_count;
    void *exported; // the last file that was given
    size_t exported_size;

    void *view; // numbers of the last view that is not kept elsewhere
    float *weights;
    int weight_count;
    int weights_revision;
    void *looks; // of the document
    size_t looks_size;
    int looks_revision;
};

// Drafts tell the studio, within the stage of the command that is at hand.
pliant_progress studio_listener(studio *s);

// Forgets the blocks that the page has put.
void studio_drop_put(studio *s);

// A command: reads its arguments, does what it says and, unless its answer is the state, writes the answer. What fails
// has filled reader->error and changed nothing.
typedef bool studio_handler(studio *s, field_reader *reader, json_value arguments);

typedef struct studio_command_entry {
    const char *name;
    studio_handler *handle;
    bool answers_state;
} studio_command_entry;

// The commands of each file.
studio_handler studio_open, studio_scene, studio_edit, studio_leave;
studio_handler studio_run, studio_propose, studio_scale, studio_simulate, studio_select;
studio_handler studio_undo, studio_redo, studio_travel, studio_tell_history, studio_restore;
studio_handler studio_pick, studio_weigh;
studio_handler studio_reset, studio_set, studio_keep, studio_hash;
studio_handler studio_grab, studio_drag, studio_release;
studio_handler studio_bake_last, studio_bake_begin, studio_bake_go_on, studio_bake_end,
    studio_bake_cancel;
studio_handler studio_export;

// answers.c
void studio_write_state(const studio *s, json_writer *json);
void studio_write_null(json_writer *json, const char *key);
void studio_note(studio *s, const char *format, ...) ERROR_FORMAT(2, 3);
// Fails with what a library call found.
bool studio_fail_with(field_reader *reader, const pliant_error *error);
// Fails at no place in the command: it cannot be done now.
bool studio_refuse(field_reader *reader, const char *format, ...) ERROR_FORMAT(2, 3);
// For commands without arguments.
bool studio_read_nothing(field_reader *reader, json_value arguments);

static inline void studio_write_vec3(json_writer *json, const char *key, vec3 v)
{
    pli_json_write_floats(json, key, &v.x, 3);
}

#endif
