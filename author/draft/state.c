// Sections of a draft: words of 32 bits, the lowest byte first. Each begins with a tag, its version and kind.
//
//   particles  tag, count, spacing, bridge, density and thickness of particles to come, material; per particle its
//              definition, the place it belongs to and the triangle, its density, thickness and the mass found
//   edges      tag, count; per edge its ends and values
//   groups     tag, groups, hinges; per group the count of members, four values and the members; hinges
//   links      tag, vertices; per vertex four particles and four weights
//
// Sections of version 1 have no densities: the masses of their particles count as given. Before version 3 there is no
// material: it is the default.
//
// What is read is checked for all that tools rely on: numbers that are finite, indices in range, no pair joined twice.
// Whether a model can be made of it is for the build to say, as of every draft.

#include "core/error.h"
#include "draft/check.h"
#include "draft/content.h"

#include <stdlib.h>
#include <string.h>

enum {
    SECTION_TAG = 0x03647000, // version 3, "dp", and the section's number in the lowest byte
    TAG_VERSION_SHIFT = 24,
    TAG_VERSION = SECTION_TAG >> TAG_VERSION_SHIFT,
    PARTICLE_WORDS = 17,
    ANCHOR_WORDS = 4,
    WEIGHT_WORDS = 3,
    NEW_WEIGHT_WORDS = 2, // of particles to come: without a mass
    MATERIAL_WORDS = 6,
    EDGE_WORDS = 4,
    GROUP_WORDS = 5,
    HINGE_WORDS = 7,
    LINK_WORDS = 2 * PLIANT_MAX_LINKS,
};

_Static_assert(sizeof(pliant_particle_def) == 4 * PARTICLE_WORDS, "only words, without gaps");
_Static_assert(sizeof(draft_anchor) == 4 * ANCHOR_WORDS, "only words, without gaps");
_Static_assert(sizeof(draft_weight) == 4 * WEIGHT_WORDS, "only words, without gaps");
_Static_assert(sizeof(pliant_edge_def) == 4 * EDGE_WORDS, "only words, without gaps");
_Static_assert(sizeof(draft_links) == 4 * LINK_WORDS, "only words, without gaps");

static const char *const section_names[PLIANT_DRAFT_SECTION_COUNT] = {"particles", "edges",
                                                                      "groups", "links"};

// ---------------------------------------------------------------------------------------------
// Saving

static uint8_t *put_word(uint8_t *at, uint32_t word)
{
    for (int k = 0; k < 4; ++k)
        at[k] = (uint8_t)(word >> (8 * k));
    return at + 4;
}

// A struct that is nothing but words.
static uint8_t *put_words(uint8_t *at, const void *words, int count)
{
    for (int i = 0; i < count; ++i) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, sizeof word);
        at = put_word(at, word);
    }
    return at;
}

static uint8_t *put_material(uint8_t *at, const pliant_material *m)
{
    const float values[] = {m->friction, m->restitution, m->linear_damping, m->angular_damping,
                            m->shape_damping};
    return put_word(put_words(at, values, MATERIAL_WORDS - 1), m->self_collision);
}

static uint8_t *put_particles(uint8_t *at, const pliant_draft *draft)
{
    at = put_word(at, (uint32_t)draft->particle_count);
    at = put_words(at, &draft->spacing, 1);
    at = put_words(at, &draft->bridge, 1);
    at = put_words(at, &draft->weight, NEW_WEIGHT_WORDS);
    at = put_material(at, &draft->material);
    for (int i = 0; i < draft->particle_count; ++i) {
        at = put_words(at, &draft->particles[i], PARTICLE_WORDS);
        at = put_words(at, &draft->anchors[i], ANCHOR_WORDS);
        at = put_words(at, &draft->weights[i], WEIGHT_WORDS);
    }
    return at;
}

static uint8_t *put_edges(uint8_t *at, const pliant_draft *draft)
{
    at = put_word(at, (uint32_t)draft->edge_count);
    for (int i = 0; i < draft->edge_count; ++i)
        at = put_words(at, &draft->edges[i], EDGE_WORDS);
    return at;
}

static uint8_t *put_group(uint8_t *at, const pliant_group_def *group)
{
    const float values[] = {group->stiffness, group->dent_speed, group->yield_strain,
                            group->creep_rate};
    at = put_word(at, (uint32_t)group->member_count);
    at = put_words(at, values, GROUP_WORDS - 1);
    return put_words(at, group->members, group->member_count);
}

static uint8_t *put_hinge(uint8_t *at, const pliant_hinge_def *hinge)
{
    const int32_t whole[] = {hinge->group_a, hinge->group_b, hinge->particle_a, hinge->particle_b,
                             hinge->has_limits};
    const float limits[] = {hinge->lower, hinge->upper};
    return put_words(put_words(at, whole, 5), limits, 2);
}

static uint8_t *put_groups(uint8_t *at, const pliant_draft *draft)
{
    at = put_word(at, (uint32_t)draft->group_count);
    at = put_word(at, (uint32_t)draft->hinge_count);
    for (int i = 0; i < draft->group_count; ++i)
        at = put_group(at, &draft->groups[i].def);
    for (int i = 0; i < draft->hinge_count; ++i)
        at = put_hinge(at, &draft->hinges[i]);
    return at;
}

// Particles of unused links have no meaning and are saved as 0.
static uint8_t *put_links(uint8_t *at, const pliant_draft *draft)
{
    at = put_word(at, (uint32_t)draft->mesh->vertex_count);
    for (int32_t v = 0; v < draft->mesh->vertex_count; ++v) {
        draft_links links = draft->links[v];
        for (int k = 0; k < PLIANT_MAX_LINKS; ++k)
            links.particles[k] = links.weights[k] > 0.0f ? links.particles[k] : 0;
        at = put_words(at, &links, LINK_WORDS);
    }
    return at;
}

static size_t group_words(const pliant_draft *draft)
{
    size_t words = (size_t)draft->hinge_count * HINGE_WORDS;
    for (int i = 0; i < draft->group_count; ++i)
        words += GROUP_WORDS + (size_t)draft->groups[i].def.member_count;
    return words;
}

size_t pliant_draft_section_size(const pliant_draft *draft, pliant_draft_section section)
{
    switch (section) {
    case PLIANT_DRAFT_PARTICLES:
        return 4 * (4 + NEW_WEIGHT_WORDS + MATERIAL_WORDS +
                    (size_t)draft->particle_count * (PARTICLE_WORDS + ANCHOR_WORDS + WEIGHT_WORDS));
    case PLIANT_DRAFT_EDGES:
        return 4 * (2 + (size_t)draft->edge_count * EDGE_WORDS);
    case PLIANT_DRAFT_GROUPS:
        return 4 * (3 + group_words(draft));
    case PLIANT_DRAFT_LINKS:
        return 4 * (2 + (size_t)draft->mesh->vertex_count * LINK_WORDS);
    case PLIANT_DRAFT_SECTION_COUNT:
        break;
    }
    return 0;
}

void pliant_draft_save_section(const pliant_draft *draft, pliant_draft_section section, void *data)
{
    static uint8_t *(*const put[])(uint8_t *, const pliant_draft *) = {put_particles, put_edges,
                                                                       put_groups, put_links};
    if (section < PLIANT_DRAFT_SECTION_COUNT)
        put[section](put_word(data, (uint32_t)SECTION_TAG | (uint32_t)section), draft);
}

// ---------------------------------------------------------------------------------------------
// Restoring: into a content of its own, which takes the draft's place when all of it is sound.

typedef struct section_reader {
    const uint8_t *at;
    size_t left; // words
    uint32_t version;
    const char *name;
    pliant_error *error;
} section_reader;

static uint32_t take_word(section_reader *r)
{
    uint32_t word = 0;
    for (int k = 0; k < 4; ++k)
        word |= (uint32_t)r->at[k] << (8 * k);
    r->at += 4;
    --r->left;
    return word;
}

static void take_words(section_reader *r, void *words, int count)
{
    for (int i = 0; i < count; ++i) {
        uint32_t word = take_word(r);
        memcpy((char *)words + 4 * i, &word, sizeof word);
    }
}

static bool fail_size(section_reader *r)
{
    pliant_error_set(r->error, PLIANT_ERROR_FORMAT, r->name,
                     "the section is not as long as it says");
    return false;
}

static bool fail_at(section_reader *r, const char *element, int index, const char *what)
{
    pliant_error_set_at(r->error, PLIANT_ERROR_FORMAT, element, index, "%s", what);
    return false;
}

static bool fail_memory(section_reader *r)
{
    pliant_error_memory(r->error);
    return false;
}

// The words behind the tag, and whether `header` of them are there.
static bool open_section(section_reader *r, pliant_draft_section section, const void *data,
                         size_t size, size_t header, pliant_error *error)
{
    *r = (section_reader){data, size / 4, 0, section_names[section], error};
    if (!data || size % 4 != 0 || size / 4 < 1 + header)
        return fail_size(r);
    uint32_t tag = take_word(r);
    r->version = tag >> TAG_VERSION_SHIFT;
    bool is_such = (tag ^ (uint32_t)SECTION_TAG) << 8 == (uint32_t)section << 8;
    if (is_such && r->version >= 1 && r->version <= TAG_VERSION)
        return true;
    bool is_newer = is_such && r->version > TAG_VERSION;
    pliant_error_set(error, is_newer ? PLIANT_ERROR_VERSION : PLIANT_ERROR_FORMAT, r->name,
                     is_newer ? "the section was saved by a newer version"
                              : "this is no such section of a draft");
    return false;
}

// How many elements there are; those that remain in the section are exactly so many.
static bool take_count(section_reader *r, size_t other_words, size_t words_each, int *count)
{
    uint32_t found = take_word(r);
    *count = (int)found;
    bool fits = r->left >= other_words && (r->left - other_words) % words_each == 0 &&
                (r->left - other_words) / words_each == found && found <= INT32_MAX / 2;
    return fits || fail_size(r);
}

static bool is_index(int32_t index, int count)
{
    return index >= 0 && index < count;
}

static bool are_finite(const float *values, int count)
{
    for (int i = 0; i < count; ++i)
        if (!is_finite(values[i]))
            return false;
    return true;
}

// Values that a model does not take are no reason to refuse: tools may come to them.
static bool is_sound_particle(const pliant_particle_def *p)
{
    const float values[] = {p->mass, p->stiffness, p->yield_strain, p->creep_rate};
    pliant_quat q = p->orientation;
    float length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return pliant_tool_check_position(p->position, "", NULL) && length2 >= 1e-12f &&
           length2 <= 1e12f && vec3_is_finite(p->radii) && p->radii.x >= 0.0f &&
           p->radii.y >= 0.0f && p->radii.z >= 0.0f && are_finite(values, 4) && p->mass >= 0.0f &&
           !(p->flags & ~(uint32_t)PLIANT_PARTICLE_ALL_FLAGS);
}

static bool is_sound_weight(const draft_weight *weight)
{
    return weight->density > 0.0f && is_finite(weight->density) && weight->thickness >= 0.0f &&
           is_finite(weight->thickness) && weight->found >= 0.0f && is_finite(weight->found);
}

static bool take_material(section_reader *r, pliant_material *material)
{
    float values[MATERIAL_WORDS - 1];
    take_words(r, values, MATERIAL_WORDS - 1);
    *material = (pliant_material){.friction = values[0],
                                  .restitution = values[1],
                                  .linear_damping = values[2],
                                  .angular_damping = values[3],
                                  .shape_damping = values[4],
                                  .self_collision = take_word(r) != 0};
    if (pliant_tool_check_material(material, NULL))
        return true;
    pliant_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "the material is out of range");
    return false;
}

static bool take_particles(section_reader *r, pliant_draft *content)
{
    int count, new_weight_words = r->version > 1 ? NEW_WEIGHT_WORDS : 0,
               weight_words = r->version > 1 ? WEIGHT_WORDS : 0,
               material_words = r->version > 2 ? MATERIAL_WORDS : 0;
    if (!take_count(r, 2 + (size_t)new_weight_words + (size_t)material_words,
                    PARTICLE_WORDS + ANCHOR_WORDS + (size_t)weight_words, &count))
        return false;
    take_words(r, &content->spacing, 1);
    take_words(r, &content->bridge, 1);
    take_words(r, &content->weight, new_weight_words);
    bool is_scale = content->spacing >= 0.0f && is_finite(content->spacing) &&
                    content->bridge >= 0.0f && content->bridge <= content->spacing;
    if (!is_scale) {
        pliant_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "the scale is out of range");
        return false;
    }
    if (!is_sound_weight(&content->weight)) {
        pliant_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "the density is out of range");
        return false;
    }
    if (material_words > 0 && !take_material(r, &content->material))
        return false;
    if (!pliant_draft_reserve_particles(content, count))
        return fail_memory(r);
    bool is_weighed = true;
    for (int i = 0; i < count; ++i) {
        pliant_particle_def particle;
        draft_anchor anchor;
        draft_weight weight = content->weight;
        take_words(r, &particle, PARTICLE_WORDS);
        take_words(r, &anchor, ANCHOR_WORDS);
        take_words(r, &weight, weight_words);
        is_weighed = is_weighed && particle.mass > 0.0f;
        if (!is_sound_particle(&particle) || !is_sound_weight(&weight))
            return fail_at(r, "particle", i, "it holds a value out of its range");
        if (!pliant_tool_check_position(anchor.position, "", NULL) || anchor.triangle < -1 ||
            anchor.triangle >= content->mesh->triangle_count)
            return fail_at(r, "particle", i, "it belongs to no place of the mesh");
        pliant_draft_append_particle(content, &particle, anchor);
        content->weights[i] = weight;
    }
    content->is_weighed = is_weighed;
    return true;
}

static int compare_ends(const void *left, const void *right)
{
    const pliant_edge_def *p = left, *q = right;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static bool check_pairs(section_reader *r, const pliant_draft *content)
{
    size_t count = (size_t)content->edge_count;
    pliant_edge_def *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted)
        return fail_memory(r);
    if (count > 0)
        memcpy(sorted, content->edges, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_ends);
    bool repeats = false;
    for (size_t i = 1; i < count && !repeats; ++i)
        repeats = compare_ends(&sorted[i - 1], &sorted[i]) == 0;
    free(sorted);
    if (repeats)
        pliant_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "a pair has two edges");
    return !repeats;
}

static bool take_edges(section_reader *r, pliant_draft *content)
{
    int count;
    if (!take_count(r, 0, EDGE_WORDS, &count))
        return false;
    if (!pliant_draft_reserve_edges(content, count))
        return fail_memory(r);
    for (int i = 0; i < count; ++i) {
        pliant_edge_def edge;
        take_words(r, &edge, EDGE_WORDS);
        if (!(edge.a >= 0 && edge.a < edge.b && edge.b < content->particle_count))
            return fail_at(r, "edge", i, "it joins no two particles");
        if (!pliant_tool_check_range(edge.stretch_stiffness, 0.0f, 1.0f, "", NULL) ||
            !pliant_tool_check_range(edge.torsion_stiffness, 0.0f, 1.0f, "", NULL))
            return fail_at(r, "edge", i, "a stiffness is not in [0, 1]");
        content->edges[content->edge_count++] = edge;
    }
    return check_pairs(r, content);
}

// Into `members`; `seen` has one byte a particle, 0 before and after.
static bool take_members(section_reader *r, const pliant_draft *content, unsigned char *seen,
                         pliant_selection *members)
{
    bool ok = true;
    for (int32_t k = 0; k < members->count; ++k) {
        int32_t particle = (int32_t)take_word(r);
        ok = ok && is_index(particle, content->particle_count) && !seen[particle];
        if (ok)
            seen[particle] = 1;
        members->indices[k] = particle;
    }
    for (int32_t k = 0; ok && k < members->count; ++k)
        seen[members->indices[k]] = 0;
    return ok;
}

static bool take_group(section_reader *r, pliant_draft *content, unsigned char *seen)
{
    int index = content->group_count;
    if (r->left < GROUP_WORDS)
        return fail_size(r);
    uint32_t count = take_word(r);
    float values[GROUP_WORDS - 1];
    take_words(r, values, GROUP_WORDS - 1);
    if (count > r->left || count > INT32_MAX / 4)
        return fail_size(r);
    pliant_group_def def = {.stiffness = values[0],
                            .dent_speed = values[1],
                            .yield_strain = values[2],
                            .creep_rate = values[3]};
    if (!pliant_tool_check_group(&def, NULL))
        return fail_at(r, "group", index, "it holds a value out of its range");
    pliant_selection members = {(int32_t)count, malloc(4 * (size_t)count + 1)};
    if (!members.indices)
        return fail_memory(r);
    if (count == 0 || !take_members(r, content, seen, &members)) {
        free(members.indices);
        return fail_at(r, "group", index, "its members are not particles, each once");
    }
    pliant_draft_append_group(content, &def, &members);
    return true;
}

static bool take_hinge(section_reader *r, pliant_draft *content)
{
    int32_t whole[5];
    float limits[2];
    take_words(r, whole, 5);
    take_words(r, limits, 2);
    if (!is_index(whole[0], content->group_count) || !is_index(whole[1], content->group_count) ||
        !is_index(whole[2], content->particle_count) ||
        !is_index(whole[3], content->particle_count) || !is_index(whole[4], 2) ||
        !are_finite(limits, 2))
        return fail_at(r, "hinge", content->hinge_count, "it holds a value out of its range");
    content->hinges[content->hinge_count++] = (pliant_hinge_def){.group_a = whole[0],
                                                                 .group_b = whole[1],
                                                                 .particle_a = whole[2],
                                                                 .particle_b = whole[3],
                                                                 .has_limits = whole[4],
                                                                 .lower = limits[0],
                                                                 .upper = limits[1]};
    return true;
}

static bool take_groups(section_reader *r, pliant_draft *content)
{
    uint32_t groups = take_word(r), hinges = take_word(r);
    if (groups > r->left / GROUP_WORDS || hinges > r->left / HINGE_WORDS)
        return fail_size(r);
    unsigned char *seen = calloc((size_t)content->particle_count + 1, 1);
    content->hinges = malloc(((size_t)hinges + 1) * sizeof *content->hinges);
    bool ok = seen && content->hinges && pliant_draft_reserve_groups(content, (int)groups);
    if (!ok)
        fail_memory(r);
    for (uint32_t i = 0; ok && i < groups; ++i)
        ok = take_group(r, content, seen);
    free(seen);
    if (ok && r->left != (size_t)hinges * HINGE_WORDS)
        ok = fail_size(r);
    for (uint32_t i = 0; ok && i < hinges; ++i)
        ok = take_hinge(r, content);
    return ok;
}

// All weights are 0, or they sum to 1 with the first above 0; unused ones name particle 0.
static bool are_sound_links(const draft_links *links, int particle_count)
{
    float sum = 0.0f;
    for (int k = 0; k < PLIANT_MAX_LINKS; ++k) {
        float weight = links->weights[k];
        if (!(weight >= 0.0f && weight <= 1.001f) ||
            (weight > 0.0f ? !is_index(links->particles[k], particle_count)
                           : links->particles[k] != 0))
            return false;
        sum += weight;
    }
    return sum == 0.0f || (links->weights[0] > 0.0f && absolute(sum - 1.0f) <= 1e-3f);
}

static bool take_links(section_reader *r, pliant_draft *content)
{
    int count;
    if (!take_count(r, 0, LINK_WORDS, &count))
        return false;
    if (count != content->mesh->vertex_count) {
        pliant_error_set(r->error, PLIANT_ERROR_MISMATCH, r->name,
                         "they are of a mesh of %d vertices, this one has %d", count,
                         (int)content->mesh->vertex_count);
        return false;
    }
    content->links = malloc(((size_t)count + 1) * sizeof *content->links);
    if (!content->links)
        return fail_memory(r);
    for (int v = 0; v < count; ++v) {
        take_words(r, &content->links[v], LINK_WORDS);
        if (!are_sound_links(&content->links[v], content->particle_count))
            return fail_at(r, "vertex", v, "its links are not to particles, or do not sum to 1");
    }
    return true;
}

pliant_result pliant_draft_restore(pliant_draft *draft,
                                   const void *const data[PLIANT_DRAFT_SECTION_COUNT],
                                   const size_t sizes[PLIANT_DRAFT_SECTION_COUNT],
                                   pliant_error *error)
{
    static const struct {
        size_t header; // words behind the tag that are there in any case
        bool (*take)(section_reader *, pliant_draft *);
    } sections[] = {{3, take_particles}, {1, take_edges}, {2, take_groups}, {1, take_links}};
    pliant_error local;
    error = error ? error : &local;
    pliant_draft content = {
        .mesh = draft->mesh, .weight = default_weight(), .material = pliant_default_material()};
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT; ++i) {
        section_reader r;
        if (!open_section(&r, (pliant_draft_section)i, data[i], sizes[i], sections[i].header,
                          error) ||
            !sections[i].take(&r, &content)) {
            pliant_draft_release_content(&content);
            return error->code;
        }
    }
    pliant_draft_take_content(draft, &content);
    return PLIANT_OK;
}
