// The document: a mesh, the draft on it and what is selected. It goes into blocks of bytes and comes back from them.
//
// The mesh is kept as a file of its own: a GLB with everything that was in the file it came from, behind the
// document's name.

#include "core.h"

#include "draft/content.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 }; // before the GLB; the rest of it is zero

// Of the time in which a document is made: its file is written, read again, and a draft made of it.
#define KEPT_PART   0.3f
#define OPENED_PART 0.7f

// ---------------------------------------------------------------------------------------------
// Selections

bool studio_selection_of(const unsigned char *mask, int count, pliant_selection *selection)
{
    *selection = (pliant_selection){0, malloc(((size_t)count + 1) * sizeof(int32_t))};
    for (int i = 0; selection->indices && i < count; ++i) {
        if (mask[i])
            selection->indices[selection->count++] = i;
    }
    return selection->indices != NULL;
}

static size_t bit_bytes(int count)
{
    return ((size_t)count + 7) / 8;
}

static void write_bits(unsigned char *to, const unsigned char *mask, int count)
{
    for (int i = 0; i < count; ++i)
        to[i / 8] |= (unsigned char)(mask[i] << i % 8);
}

static void read_bits(const unsigned char *from, unsigned char *mask, int count)
{
    for (int i = 0; i < count; ++i)
        mask[i] = from[i / 8] >> i % 8 & 1;
}

static void write_count(unsigned char *to, int count)
{
    for (int i = 0; i < 4; ++i)
        to[i] = (unsigned char)((unsigned)count >> 8 * i);
}

static int read_count(const unsigned char *from)
{
    return (int)(from[0] | (unsigned)from[1] << 8 | (unsigned)from[2] << 16 |
                 (unsigned)from[3] << 24);
}

// Both counts, then a bit each; then a bit for each vertex that was asked for.
static studio_block_item *save_selection(studio *s, const studio_document *document)
{
    int vertices = document->mesh->vertex_count, particles = document->particle_count;
    size_t size = 8 + 2 * bit_bytes(vertices) + bit_bytes(particles);
    unsigned char *data = calloc(size, 1);
    if (!data)
        return NULL;
    write_count(data, vertices);
    write_count(data + 4, particles);
    write_bits(data + 8, document->selected_vertices, vertices);
    write_bits(data + 8 + bit_bytes(vertices), document->selected_particles, particles);
    write_bits(data + 8 + bit_bytes(vertices) + bit_bytes(particles), document->asked_vertices,
               vertices);
    return studio_blocks_take(&s->blocks, data, size, 0);
}

// One that does not fit, in a history that came from elsewhere, selects nothing. In one that ends before them all
// vertices were asked for.
static void restore_selection(studio_document *document, const studio_block_item *block)
{
    int vertices = document->mesh->vertex_count, particles = document->particle_count;
    memset(document->selected_vertices, 0, (size_t)vertices);
    memset(document->selected_particles, 0, (size_t)particles);
    memset(document->asked_vertices, 1, (size_t)vertices);
    size_t asked_at = 8 + bit_bytes(vertices) + bit_bytes(particles);
    bool has_asked = block->size == asked_at + bit_bytes(vertices);
    if ((block->size != asked_at && !has_asked) || read_count(block->data) != vertices ||
        read_count(block->data + 4) != particles)
        return;
    read_bits(block->data + 8, document->selected_vertices, vertices);
    read_bits(block->data + 8 + bit_bytes(vertices), document->selected_particles, particles);
    if (has_asked)
        read_bits(block->data + asked_at, document->asked_vertices, vertices);
}

// ---------------------------------------------------------------------------------------------
// Making and unmaking

void studio_fill_normals(const vec3 *given, size_t stride, const vec3 *positions, int vertex_count,
                         const int32_t *triangles, int triangle_count, vec3 *normals)
{
    for (int i = 0; i < triangle_count; ++i) {
        const int32_t *corners = triangles + 3 * (size_t)i;
        vec3 a = positions[corners[0]];
        vec3 area =
            vec3_cross(vec3_sub(positions[corners[1]], a), vec3_sub(positions[corners[2]], a));
        for (int k = 0; k < 3; ++k) {
            const vec3 *own = (const void *)((const char *)given + (size_t)corners[k] * stride);
            if (vec3_dot(*own, *own) == 0.0f)
                normals[corners[k]] = vec3_add(normals[corners[k]], area);
        }
    }
    for (int i = 0; i < vertex_count; ++i)
        normals[i] = vec3_normalize_or(normals[i], (vec3){0.0f, 1.0f, 0.0f});
}

void studio_document_destroy(studio *s, studio_document *document)
{
    if (!document)
        return;
    pliant_draft_destroy(document->draft);
    pliant_mesh_destroy(document->mesh);
    free(document->normals);
    free(document->selected_vertices);
    free(document->selected_particles);
    free(document->asked_vertices);
    studio_blocks_drop(&s->blocks, document->source);
    free(document);
}

const void *studio_document_file(const studio_document *document, size_t *size)
{
    *size = document->source->size - NAME_SIZE;
    return document->source->data + NAME_SIZE;
}

static studio_block_item *keep_file(studio *s, const char *name, const pliant_mesh *mesh,
                                    pliant_error *error)
{
    void *file;
    size_t size;
    if (pliant_mesh_write(mesh, &file, &size, error) != PLIANT_OK)
        return NULL;
    unsigned char *data = calloc(NAME_SIZE + size, 1);
    if (data) {
        memcpy(data, name, strlen(name));
        memcpy(data + NAME_SIZE, file, size);
    }
    free(file);
    studio_block_item *block =
        data ? studio_blocks_take(&s->blocks, data, NAME_SIZE + size, 0) : NULL;
    if (!block)
        pli_error_memory(error);
    return block;
}

static bool fail_without_triangles(const char *name, pliant_error *error)
{
    pli_error_set(error, PLIANT_ERROR_FORMAT, name, "there are no triangles in it");
    return false;
}

// Name and mesh out of the source, whose bytes may come from elsewhere.
static bool read_source(studio_document *document, pliant_error *error)
{
    const studio_block_item *source = document->source;
    if (source->size < NAME_SIZE || !memchr(source->data, 0, sizeof document->name)) {
        pli_error_set(error, PLIANT_ERROR_FORMAT, "document", "this is no kept document");
        return false;
    }
    strcpy(document->name, (const char *)source->data);
    size_t size;
    const void *file = studio_document_file(document, &size);
    document->mesh = pliant_mesh_read(file, size, NULL, NULL, error);
    if (!document->mesh)
        return false;
    return document->mesh->triangle_count > 0 || fail_without_triangles(document->name, error);
}

static bool prepare(studio_document *document, pliant_error *error)
{
    const pliant_mesh *mesh = document->mesh;
    size_t count = (size_t)mesh->vertex_count + 1;
    document->normals = malloc(count * sizeof(vec3));
    document->selected_vertices = calloc(count, 1);
    document->selected_particles = calloc(1, 1);
    document->asked_vertices = calloc(count, 1);
    if (!document->normals || !document->selected_vertices || !document->selected_particles ||
        !document->asked_vertices) {
        pli_error_memory(error);
        return false;
    }
    memcpy(document->normals, mesh->normals, (count - 1) * sizeof(vec3));
    studio_fill_normals(mesh->normals, sizeof(vec3), mesh->positions, mesh->vertex_count,
                        mesh->triangles, mesh->triangle_count, document->normals);
    return true;
}

// All but the draft. Takes a use of the block over, also on failure.
static studio_document *open_source(studio *s, studio_block_item *source, pliant_error *error)
{
    studio_document *document = calloc(1, sizeof *document);
    if (!document) {
        studio_blocks_drop(&s->blocks, source);
        pli_error_memory(error);
        return NULL;
    }
    document->source = source;
    if (read_source(document, error) && prepare(document, error))
        return document;
    studio_document_destroy(s, document);
    return NULL;
}

static pliant_draft *create_draft(studio *s, const studio_document *document,
                                  const pliant_model *model, pliant_error *error)
{
    pliant_progress listener = studio_listener(s);
    if (!model)
        return pliant_draft_create_with(document->mesh, &listener, error);
    pliant_draft *draft = pliant_draft_create_from_model(document->mesh, model, error);
    if (draft)
        pliant_draft_set_progress(draft, &listener);
    return draft;
}

studio_document *studio_document_create(studio *s, const char *name, const pliant_mesh *mesh,
                                        const pliant_model *model, pliant_error *error)
{
    if (mesh->triangle_count == 0) {
        fail_without_triangles(name, error);
        return NULL;
    }
    progress_range all = pli_progress_range(&s->progress);
    studio_block_item *source = keep_file(s, name, mesh, error);
    pli_progress_tell(&s->progress, KEPT_PART);
    studio_document *document = source ? open_source(s, source, error) : NULL;
    if (!document)
        return NULL;
    pli_progress_narrow(&s->progress, all, OPENED_PART, 1.0f);
    document->draft = create_draft(s, document, model, error);
    if (!document->draft || !studio_document_recount(document, true, error)) {
        studio_document_destroy(s, document);
        return NULL;
    }
    for (int i = 0; i < document->mesh->vertex_count; ++i)
        document->asked_vertices[i] = studio_document_is_bound(document, i);
    document->revision = ++s->last_revision;
    return document;
}

// ---------------------------------------------------------------------------------------------
// To blocks and back

void studio_content_drop(studio *s, studio_content *content)
{
    for (int i = 0; i < STUDIO_CONTENT_COUNT; ++i)
        studio_blocks_drop(&s->blocks, content->blocks[i]);
    *content = (studio_content){{NULL}};
}

static studio_block_item *save_section(studio *s, const pliant_draft *draft,
                                       pliant_draft_section section)
{
    size_t size = pliant_draft_section_size(draft, section);
    void *data = malloc(size + 1);
    if (!data)
        return NULL;
    pliant_draft_save_section(draft, section, data);
    return studio_blocks_take(&s->blocks, data, size, 0);
}

bool studio_document_save(studio *s, const studio_document *document, studio_content *content,
                          pliant_error *error)
{
    *content = (studio_content){{document->source}};
    studio_block_keep(document->source);
    bool ok = true;
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT && ok; ++i) {
        studio_block_item *block = save_section(s, document->draft, (pliant_draft_section)i);
        content->blocks[STUDIO_CONTENT_DRAFT + i] = block;
        ok = block != NULL;
    }
    if (ok)
        content->blocks[STUDIO_CONTENT_SELECTION] = save_selection(s, document);
    if (ok && content->blocks[STUDIO_CONTENT_SELECTION])
        return true;
    studio_content_drop(s, content);
    pli_error_memory(error);
    return false;
}

static bool restore_content(studio_document *document, const studio_content *content,
                            pliant_error *error)
{
    const void *data[PLIANT_DRAFT_SECTION_COUNT];
    size_t sizes[PLIANT_DRAFT_SECTION_COUNT];
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT; ++i) {
        data[i] = content->blocks[STUDIO_CONTENT_DRAFT + i]->data;
        sizes[i] = content->blocks[STUDIO_CONTENT_DRAFT + i]->size;
    }
    // Room before anything changes: no particle takes less than 16 bytes of its section.
    unsigned char *mask = calloc(sizes[PLIANT_DRAFT_PARTICLES] / 16 + 1, 1);
    if (!mask) {
        pli_error_memory(error);
        return false;
    }
    if (pliant_draft_restore(document->draft, data, sizes, error) != PLIANT_OK) {
        free(mask);
        return false;
    }
    free(document->selected_particles);
    document->selected_particles = mask;
    document->particle_count = pliant_draft_particle_count(document->draft);
    restore_selection(document, content->blocks[STUDIO_CONTENT_SELECTION]);
    return true;
}

bool studio_document_apply(studio *s, const studio_content *content, pliant_error *error)
{
    studio_document *document = NULL;
    if (content && s->document && content->blocks[0] == s->document->source)
        return restore_content(s->document, content, error);
    if (content) {
        studio_block_keep(content->blocks[0]);
        document = open_source(s, content->blocks[0], error);
        if (!document)
            return false;
        document->draft = create_draft(s, document, NULL, error);
        if (!document->draft || !restore_content(document, content, error)) {
            studio_document_destroy(s, document);
            return false;
        }
        document->revision = ++s->last_revision;
    }
    studio_document_destroy(s, s->document);
    s->document = document;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Changes that may fail

static unsigned char *copy_mask(const unsigned char *mask, int count)
{
    unsigned char *copy = malloc((size_t)count + 1);
    if (copy)
        memcpy(copy, mask, (size_t)count);
    return copy;
}

bool studio_change_begin(studio_change *change, studio_document *document, pliant_error *error)
{
    *change = (studio_change){
        .document = document,
        .draft = calloc(1, sizeof *change->draft),
        .selected_vertices = copy_mask(document->selected_vertices, document->mesh->vertex_count),
        .selected_particles = copy_mask(document->selected_particles, document->particle_count),
        .asked_vertices = copy_mask(document->asked_vertices, document->mesh->vertex_count),
        .particle_count = document->particle_count,
    };
    if (change->draft && change->selected_vertices && change->selected_particles &&
        change->asked_vertices && pli_draft_copy_content(change->draft, document->draft))
        return true;
    free(change->draft);
    free(change->selected_vertices);
    free(change->selected_particles);
    free(change->asked_vertices);
    pli_error_memory(error);
    return false;
}

static void exchange(unsigned char **a, unsigned char **b)
{
    unsigned char *mask = *a;
    *a = *b;
    *b = mask;
}

void studio_change_end(studio_change *change, bool keep)
{
    studio_document *document = change->document;
    if (keep) {
        pli_draft_release_content(change->draft);
    } else {
        pli_draft_take_content(document->draft, change->draft);
        exchange(&document->selected_vertices, &change->selected_vertices);
        exchange(&document->selected_particles, &change->selected_particles);
        exchange(&document->asked_vertices, &change->asked_vertices);
        document->particle_count = change->particle_count;
    }
    free(change->draft);
    free(change->selected_vertices);
    free(change->selected_particles);
    free(change->asked_vertices);
}

bool studio_document_recount(studio_document *document, bool forget, pliant_error *error)
{
    int count = pliant_draft_particle_count(document->draft);
    unsigned char *mask = calloc((size_t)count + 1, 1);
    if (!mask) {
        pli_error_memory(error);
        return false;
    }
    if (!forget && count >= document->particle_count)
        memcpy(mask, document->selected_particles, (size_t)document->particle_count);
    free(document->selected_particles);
    document->selected_particles = mask;
    document->particle_count = count;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Questions

bool studio_document_is_bound(const studio_document *document, int vertex)
{
    return pliant_draft_link_weights(document->draft, vertex)[0] > 0.0f;
}

int studio_document_unbound(const studio_document *document)
{
    int unbound = 0;
    for (int i = 0; i < document->mesh->vertex_count; ++i)
        unbound += !studio_document_is_bound(document, i);
    return unbound;
}

bool studio_need_document(const studio *s, field_reader *reader)
{
    return s->document || studio_refuse(reader, "there is no document: open a mesh first");
}
