// Sections of a draft: words of 32 bits, the lowest byte first. Each begins with a tag, its version and kind.
//
//   particles  tag, versions, count, spacing, bridge, density and thickness of particles to come, material; per particle its
//              definition, the place it belongs to and the triangle, its density, thickness and the mass found
//   edges      tag, version, count; edges
//   groups     tag, versions, groups, hinges; per group its definition and its members; hinges
//   links      tag, vertices; per vertex four particles and four weights
//
// Elements are as in a saved model (pli_element_write), of the versions that follow the tag, one for each kind in the
// section. Sections of version 1 have no densities: the masses of their particles count as given. Before version 3 there
// is no material: it is the default. Before version 4 there are no versions of kinds, which had not changed until then.
//
// What is read is checked for all that tools rely on: numbers that are finite, indices in range, no pair joined twice.
// Whether a model can be made of it is for the build to say, as of every draft.

#include "core/error.h"
#include "draft/check.h"
#include "draft/content.h"

#include <stdlib.h>
#include <string.h>

enum {
    SECTION_TAG = 0x04647000, // version 4, "dp", and the section's number in the lowest byte
    TAG_VERSION_SHIFT = 24,
    TAG_VERSION = SECTION_TAG >> TAG_VERSION_SHIFT,
    FIRST_WITH_KINDS = 4,
    ANCHOR_WORDS = 4,
    WEIGHT_WORDS = 3,
    NEW_WEIGHT_WORDS = 2, // of particles to come: without a mass
    LINK_WORDS = 2 * PLIANT_MAX_LINKS,
    MOST_KINDS = 2,
};

_Static_assert(sizeof(draft_anchor) == 4 * ANCHOR_WORDS, "only words, without gaps");
_Static_assert(sizeof(draft_weight) == 4 * WEIGHT_WORDS, "only words, without gaps");
_Static_assert(sizeof(draft_links) == 4 * LINK_WORDS, "only words, without gaps");

// What a section is called, how many words behind the versions are there in any case, the kinds of elements in it and
// their versions while sections did not tell them.
typedef struct section_form {
    const char *name;
    size_t header;
    int kind_count;
    element_id kinds[MOST_KINDS];
    uint32_t old_versions[MOST_KINDS];
} section_form;

static const section_form forms[PLIANT_DRAFT_SECTION_COUNT] = {
    {"particles", 3, 2, {ELEMENT_PARTICLES, ELEMENT_MATERIAL}, {2, 3}},
    {"edges", 1, 1, {ELEMENT_EDGES}, {1}},
    {"groups", 2, 2, {ELEMENT_GROUPS, ELEMENT_HINGES}, {2, 2}},
    {"links", 1, 0, {0}, {0}},
};

static const element_kind *const particle_kind = &pli_element_kinds[ELEMENT_PARTICLES],
                                 *const material_kind = &pli_element_kinds[ELEMENT_MATERIAL],
                                 *const edge_kind = &pli_element_kinds[ELEMENT_EDGES],
                                 *const group_kind = &pli_element_kinds[ELEMENT_GROUPS],
                                 *const hinge_kind = &pli_element_kinds[ELEMENT_HINGES];

static size_t newest_bytes(const element_kind *kind)
{
    return pli_element_bytes(kind, pli_element_version(kind));
}

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

static uint8_t *put_particles(uint8_t *at, const pliant_draft *draft)
{
    at = put_word(at, (uint32_t)draft->particle_count);
    at = put_words(at, &draft->spacing, 1);
    at = put_words(at, &draft->bridge, 1);
    at = put_words(at, &draft->weight, NEW_WEIGHT_WORDS);
    at = pli_element_write(material_kind, &draft->material, at);
    for (int i = 0; i < draft->particle_count; ++i) {
        at = pli_element_write(particle_kind, &draft->particles[i], at);
        at = put_words(at, &draft->anchors[i], ANCHOR_WORDS);
        at = put_words(at, &draft->weights[i], WEIGHT_WORDS);
    }
    return at;
}

static uint8_t *put_edges(uint8_t *at, const pliant_draft *draft)
{
    at = put_word(at, (uint32_t)draft->edge_count);
    for (int i = 0; i < draft->edge_count; ++i)
        at = pli_element_write(edge_kind, &draft->edges[i], at);
    return at;
}

static uint8_t *put_groups(uint8_t *at, const pliant_draft *draft)
{
    at = put_word(at, (uint32_t)draft->group_count);
    at = put_word(at, (uint32_t)draft->hinge_count);
    for (int i = 0; i < draft->group_count; ++i) {
        const pliant_group_def *def = &draft->groups[i].def;
        at = pli_element_write(group_kind, def, at);
        at = put_words(at, def->members, def->member_count);
    }
    for (int i = 0; i < draft->hinge_count; ++i)
        at = pli_element_write(hinge_kind, &draft->hinges[i], at);
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

static size_t group_bytes(const pliant_draft *draft)
{
    size_t bytes = (size_t)draft->hinge_count * newest_bytes(hinge_kind);
    for (int i = 0; i < draft->group_count; ++i)
        bytes += newest_bytes(group_kind) + 4 * (size_t)draft->groups[i].def.member_count;
    return bytes;
}

size_t pliant_draft_section_size(const pliant_draft *draft, pliant_draft_section section)
{
    if (section >= PLIANT_DRAFT_SECTION_COUNT)
        return 0;
    size_t size = 4 * (1 + (size_t)forms[section].kind_count + forms[section].header);
    switch (section) {
    case PLIANT_DRAFT_PARTICLES:
        size += 4 * NEW_WEIGHT_WORDS + newest_bytes(material_kind) +
                (size_t)draft->particle_count *
                    (newest_bytes(particle_kind) + 4 * (ANCHOR_WORDS + WEIGHT_WORDS));
        break;
    case PLIANT_DRAFT_EDGES:
        size += (size_t)draft->edge_count * newest_bytes(edge_kind);
        break;
    case PLIANT_DRAFT_GROUPS:
        size += group_bytes(draft);
        break;
    default:
        size += (size_t)draft->mesh->vertex_count * 4 * LINK_WORDS;
    }
    return size;
}

void pliant_draft_save_section(const pliant_draft *draft, pliant_draft_section section, void *data)
{
    static uint8_t *(*const put[])(uint8_t *, const pliant_draft *) = {put_particles, put_edges,
                                                                       put_groups, put_links};
    if (section >= PLIANT_DRAFT_SECTION_COUNT)
        return;
    const section_form *form = &forms[section];
    uint8_t *at = put_word(data, (uint32_t)SECTION_TAG | (uint32_t)section);
    for (int i = 0; i < form->kind_count; ++i)
        at = put_word(at, pli_element_version(&pli_element_kinds[form->kinds[i]]));
    put[section](at, draft);
}

// ---------------------------------------------------------------------------------------------
// Restoring: into a content of its own, which takes the draft's place when all of it is sound.

typedef struct section_reader {
    const uint8_t *at;
    size_t left; // words
    uint32_t version;
    uint32_t kind_versions[MOST_KINDS]; // of the form's kinds
    size_t kind_words[MOST_KINDS];      // an element has
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

// An element of the form's kind number `index`, whose words are there. False when it is none.
static bool take_element(section_reader *r, const element_kind *kind, int index, void *element)
{
    r->left -= r->kind_words[index];
    return pli_element_read(kind, element, r->kind_versions[index], &r->at);
}

static bool fail_size(section_reader *r)
{
    pli_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "the section is not as long as it says");
    return false;
}

static bool fail_at(section_reader *r, const char *element, int index, const char *what)
{
    pli_error_set_at(r->error, PLIANT_ERROR_FORMAT, element, index, "%s", what);
    return false;
}

static bool fail_memory(section_reader *r)
{
    pli_error_memory(r->error);
    return false;
}

static bool fail_newer(section_reader *r)
{
    pli_error_set(r->error, PLIANT_ERROR_VERSION, r->name,
                  "the section was saved by a newer version");
    return false;
}

static bool fail_tag(section_reader *r)
{
    pli_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "this is no such section of a draft");
    return false;
}

static bool take_versions(section_reader *r, const section_form *form)
{
    for (int i = 0; i < form->kind_count; ++i) {
        const element_kind *kind = &pli_element_kinds[form->kinds[i]];
        uint32_t version = r->version < FIRST_WITH_KINDS ? form->old_versions[i] : take_word(r);
        if (version > pli_element_version(kind))
            return fail_newer(r);
        r->kind_versions[i] = version;
        r->kind_words[i] = pli_element_bytes(kind, version) / 4;
        if (r->kind_words[i] == 0)
            return fail_tag(r);
    }
    return true;
}

// What is behind the tag and the versions, of which there is at least the header.
static bool open_section(section_reader *r, pliant_draft_section section, const void *data,
                         size_t size, pliant_error *error)
{
    const section_form *form = &forms[section];
    *r = (section_reader){.at = data, .left = size / 4, .name = form->name, .error = error};
    if (!data || size % 4 != 0 || r->left < 1 + form->header)
        return fail_size(r);
    uint32_t tag = take_word(r);
    r->version = tag >> TAG_VERSION_SHIFT;
    bool is_such = (tag ^ (uint32_t)SECTION_TAG) << 8 == (uint32_t)section << 8;
    if (!is_such || r->version < 1)
        return fail_tag(r);
    if (r->version > TAG_VERSION)
        return fail_newer(r);
    size_t versions = r->version < FIRST_WITH_KINDS ? 0 : (size_t)form->kind_count;
    if (r->left < versions + form->header)
        return fail_size(r);
    return take_versions(r, form);
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

// Numbers that a model does not take are no reason to refuse: tools may come to them.
static bool is_sound(const element_kind *kind, const void *element)
{
    for (int f = 0; f < kind->field_count; ++f) {
        const element_field *field = &kind->fields[f];
        const float *numbers = (const float *)((const char *)element + field->offset);
        if (field->type == VALUE_NUMBER ? !are_finite(numbers, field->count)
                                        : !pli_element_allows(field, element))
            return false;
    }
    return true;
}

static bool is_sound_particle(const pliant_particle_def *p)
{
    return is_sound(particle_kind, p) && p->radii.x >= 0.0f && p->radii.y >= 0.0f &&
           p->radii.z >= 0.0f && p->mass >= 0.0f;
}

static bool is_sound_weight(const draft_weight *weight)
{
    return weight->density > 0.0f && is_finite(weight->density) && weight->thickness >= 0.0f &&
           is_finite(weight->thickness) && weight->found >= 0.0f && is_finite(weight->found);
}

static bool take_material(section_reader *r, pliant_material *material)
{
    if (take_element(r, material_kind, 1, material) &&
        pli_tool_check_element(ELEMENT_MATERIAL, material, NULL))
        return true;
    pli_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "the material is out of range");
    return false;
}

static bool take_particles(section_reader *r, pliant_draft *content)
{
    int count, new_weight_words = r->version > 1 ? NEW_WEIGHT_WORDS : 0,
               weight_words = r->version > 1 ? WEIGHT_WORDS : 0;
    size_t material_words = r->version > 2 ? r->kind_words[1] : 0;
    if (!take_count(r, 2 + (size_t)new_weight_words + material_words,
                    r->kind_words[0] + ANCHOR_WORDS + (size_t)weight_words, &count))
        return false;
    take_words(r, &content->spacing, 1);
    take_words(r, &content->bridge, 1);
    take_words(r, &content->weight, new_weight_words);
    bool is_scale = content->spacing >= 0.0f && is_finite(content->spacing) &&
                    content->bridge >= 0.0f && content->bridge <= content->spacing;
    if (!is_scale) {
        pli_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "the scale is out of range");
        return false;
    }
    if (!is_sound_weight(&content->weight)) {
        pli_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "the density is out of range");
        return false;
    }
    if (material_words > 0 && !take_material(r, &content->material))
        return false;
    if (!pli_draft_reserve_particles(content, count))
        return fail_memory(r);
    bool is_weighed = true;
    for (int i = 0; i < count; ++i) {
        pliant_particle_def particle;
        draft_anchor anchor;
        draft_weight weight = content->weight;
        bool is_particle = take_element(r, particle_kind, 0, &particle);
        take_words(r, &anchor, ANCHOR_WORDS);
        take_words(r, &weight, weight_words);
        is_weighed = is_weighed && particle.mass > 0.0f;
        if (!is_particle || !is_sound_particle(&particle) || !is_sound_weight(&weight))
            return fail_at(r, "particle", i, "it holds a value out of its range");
        if (!pli_tool_check_position(anchor.position, "", NULL) || anchor.triangle < -1 ||
            anchor.triangle >= content->mesh->triangle_count)
            return fail_at(r, "particle", i, "it belongs to no place of the mesh");
        pli_draft_append_particle(content, &particle, anchor);
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
        pli_error_set(r->error, PLIANT_ERROR_FORMAT, r->name, "a pair has two edges");
    return !repeats;
}

static bool take_edges(section_reader *r, pliant_draft *content)
{
    int count;
    if (!take_count(r, 0, r->kind_words[0], &count))
        return false;
    if (!pli_draft_reserve_edges(content, count))
        return fail_memory(r);
    for (int i = 0; i < count; ++i) {
        pliant_edge_def edge;
        bool is_edge = take_element(r, edge_kind, 0, &edge);
        if (!(edge.a >= 0 && edge.a < edge.b && edge.b < content->particle_count))
            return fail_at(r, "edge", i, "it joins no two particles");
        if (!is_edge || !pli_tool_check_element(ELEMENT_EDGES, &edge, NULL))
            return fail_at(r, "edge", i, "it holds a value out of its range");
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
    if (r->left < r->kind_words[0])
        return fail_size(r);
    pliant_group_def def;
    bool is_group = take_element(r, group_kind, 0, &def);
    uint32_t count = (uint32_t)def.member_count;
    if (count > r->left || count > INT32_MAX / 4)
        return fail_size(r);
    if (!is_group || !pli_tool_check_element(ELEMENT_GROUPS, &def, NULL))
        return fail_at(r, "group", index, "it holds a value out of its range");
    pliant_selection members = {(int32_t)count, malloc(4 * (size_t)count + 1)};
    if (!members.indices)
        return fail_memory(r);
    if (count == 0 || !take_members(r, content, seen, &members)) {
        free(members.indices);
        return fail_at(r, "group", index, "its members are not particles, each once");
    }
    pli_draft_append_group(content, &def, &members);
    return true;
}

static bool take_hinge(section_reader *r, pliant_draft *content)
{
    pliant_hinge_def hinge;
    if (!take_element(r, hinge_kind, 1, &hinge) || !is_sound(hinge_kind, &hinge) ||
        !is_index(hinge.group_a, content->group_count) ||
        !is_index(hinge.group_b, content->group_count) ||
        !is_index(hinge.particle_a, content->particle_count) ||
        !is_index(hinge.particle_b, content->particle_count))
        return fail_at(r, "hinge", content->hinge_count, "it holds a value out of its range");
    content->hinges[content->hinge_count++] = hinge;
    return true;
}

static bool take_groups(section_reader *r, pliant_draft *content)
{
    uint32_t groups = take_word(r), hinges = take_word(r);
    if (groups > r->left / r->kind_words[0] || hinges > r->left / r->kind_words[1])
        return fail_size(r);
    unsigned char *seen = calloc((size_t)content->particle_count + 1, 1);
    content->hinges = malloc(((size_t)hinges + 1) * sizeof *content->hinges);
    bool ok = seen && content->hinges && pli_draft_reserve_groups(content, (int)groups);
    if (!ok)
        fail_memory(r);
    for (uint32_t i = 0; ok && i < groups; ++i)
        ok = take_group(r, content, seen);
    free(seen);
    if (ok && r->left != (size_t)hinges * r->kind_words[1])
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
        pli_error_set(r->error, PLIANT_ERROR_MISMATCH, r->name,
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
    static bool (*const take[])(section_reader *, pliant_draft *) = {take_particles, take_edges,
                                                                     take_groups, take_links};
    pliant_error local;
    error = error ? error : &local;
    pliant_draft content = {
        .mesh = draft->mesh, .weight = default_weight(), .material = pliant_default_material()};
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT; ++i) {
        section_reader r;
        if (!open_section(&r, (pliant_draft_section)i, data[i], sizes[i], error) ||
            !take[i](&r, &content)) {
            pli_draft_release_content(&content);
            return error->code;
        }
    }
    pli_draft_take_content(draft, &content);
    return PLIANT_OK;
}
