// Sections of a draft: what is saved comes back, and nothing that is damaged does.

#include "saved_drafts.h"

// Particles on the surface and inside, drifted ones, edges, two groups with a hinge, links of several kinds.
static pliant_draft *rich_draft(const pliant_mesh *mesh)
{
    static const char text[] =
        "{\"selections\": {\"body\": {\"part\": \"Body\"}, \"cape\": {\"material\": \"cloth\"}},"
        " \"tools\": [{\"spray\": {\"vertices\": \"cape\", \"spacing\": 0.5}},"
        " {\"fill\": {\"vertices\": \"body\", \"spacing\": 0.3, \"clearance\": 0.1}},"
        " {\"fit\": {\"radius\": 0.4, \"drift\": 1}}, {\"connect\": {\"distance\": 0.8}},"
        " {\"bind\": {}}, {\"group\": {\"particles\": \"body\", \"stiffness\": 0.5}},"
        " {\"group\": {\"particles\": \"body\", \"dent_speed\": 2, \"creep_rate\": 1}}]}";
    pliant_draft *draft = draft_of(mesh);
    assert_done(pliant_draft_run_recipe(draft, text, sizeof text - 1, &error));
    draft->hinges = realloc(draft->hinges, sizeof *draft->hinges);
    assert_non_null(draft->hinges);
    const int32_t *members = draft->groups[0].def.members;
    draft->hinges[0] = (pliant_hinge_def){0, 1, members[0], members[1], true, -0.5f, 0.25f};
    draft->hinge_count = 1;
    pliant_draft_particle(draft, 3)->flags = PLIANT_PARTICLE_PINNED;
    return draft;
}

static void what_is_saved_comes_back(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = rich_draft(mesh), *other = draft_of(mesh);
    assert_true(draft->particle_count > 20 && draft->edge_count > 20);
    saved_draft saved = save(draft), empty = save(other);
    assert_done(restore(other, &saved));
    assert_holds(other, &saved);
    assert_near(pliant_draft_spacing(other), draft->spacing, 0);
    pliant_model *a = model_of(draft), *b = model_of(other);
    assert_same_blob(a, b);
    assert_int_equal(pliant_model_hinge_count(b), 1);
    // Tools go on from it as from the original.
    static const char more[] = "{\"tools\": [{\"spray\": {\"spacing\": 0.4}}, {\"bind\": {}}]}";
    assert_done(pliant_draft_run_recipe(draft, more, sizeof more - 1, &error));
    assert_done(pliant_draft_run_recipe(other, more, sizeof more - 1, &error));
    saved_draft later = save(draft);
    assert_holds(other, &later);
    // Back to before there was anything, and to a draft of no matter.
    assert_done(restore(other, &empty));
    assert_holds(other, &empty);
    assert_int_equal(pliant_draft_particle_count(other), 0);
    assert_null(other->matter);
    assert_done(restore(other, &later));
    assert_holds(other, &later);
    release(&later);
    release(&saved);
    release(&empty);
    pliant_model_destroy(a);
    pliant_model_destroy(b);
    pliant_draft_destroy(other);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// A history keeps once what did not change.
static void sections_change_only_with_their_content(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = rich_draft(mesh);
    saved_draft before = save(draft);
    pliant_paint_def paint = pliant_default_paint_def();
    paint.target = PLIANT_PAINT_TORSION;
    paint.value = 1.0f;
    assert_done(pliant_draft_paint(draft, &paint, &error));
    saved_draft after = save(draft);
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT; ++i) {
        assert_int_equal(after.sizes[i], before.sizes[i]);
        bool is_same = memcmp(after.data[i], before.data[i], before.sizes[i]) == 0;
        assert_int_equal(is_same, i != PLIANT_DRAFT_EDGES);
    }
    // The numbers of unused links mean nothing.
    draft->links[5] = (draft_links){{2, 7, 0, 9}, {1.0f, 0.0f}};
    saved_draft one = save(draft);
    draft->links[5] = (draft_links){{2, 0, 3, 0}, {1.0f, 0.0f}};
    assert_holds(draft, &one);
    release(&one);
    release(&after);
    release(&before);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------

static void truncations_are_refused(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = rich_draft(mesh), *other = draft_of(mesh);
    place_at(other, 1, 2, 3);
    saved_draft whole = save(draft), kept = save(other);
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT; ++i) {
        for (size_t size = 0; size < whole.sizes[i]; ++size) {
            // Exactly so many bytes, for a reader that goes beyond them to be found out.
            saved_draft cut = whole;
            cut.data[i] = malloc(size + (size == 0));
            assert_non_null(cut.data[i]);
            memcpy(cut.data[i], whole.data[i], size);
            cut.sizes[i] = size;
            assert_true(restore(other, &cut) == PLIANT_ERROR_FORMAT);
            free(cut.data[i]);
        }
        saved_draft longer = whole;
        longer.data[i] = calloc(1, whole.sizes[i] + 4);
        assert_non_null(longer.data[i]);
        memcpy(longer.data[i], whole.data[i], whole.sizes[i]);
        longer.sizes[i] += 4;
        assert_true(restore(other, &longer) == PLIANT_ERROR_FORMAT);
        free(longer.data[i]);
        longer.data[i] = NULL;
        assert_true(restore(other, &longer) == PLIANT_ERROR_FORMAT);
        assert_holds(other, &kept);
    }
    release(&whole);
    release(&kept);
    pliant_draft_destroy(other);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Uses what a draft of any sound content must bear.
static void use(pliant_draft *draft)
{
    pliant_model *model = pliant_draft_build(draft, &error);
    pliant_model_destroy(model);
    static const char text[] =
        "{\"selections\": {\"here\": {\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 0.6}}},"
        "\"tools\": [{\"paint\": {\"target\": \"stretch\", \"value\": 1}},"
        " {\"remove\": {\"particles\": \"here\"}}, {\"bind\": {}}]}";
    pliant_draft_run_recipe(draft, text, sizeof text - 1, &error);
}

// Either the change is told, or it makes another draft that is as sound as the first.
static void random_changes_do_no_harm(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = rich_draft(mesh), *other = draft_of(mesh);
    saved_draft whole = save(draft), empty = save(other);
    uint32_t seed = 11;
    int accepted = 0, refused = 0;
    for (int round = 0; round < 6000; ++round) {
        int i = (int)(random_bits(&seed) % PLIANT_DRAFT_SECTION_COUNT);
        size_t at = random_bits(&seed) % whole.sizes[i];
        // The first words, which all the others depend on, as often as the rest.
        at = round % 4 == 0 ? at % 16 : at;
        uint8_t *byte = (uint8_t *)whole.data[i] + at, old = *byte;
        *byte ^= (uint8_t)(1 + random_bits(&seed) % 255);
        error = (pliant_error){0};
        if (restore(other, &whole) == PLIANT_OK) {
            ++accepted;
            assert_holds(other, &whole);
            if (accepted % 16 == 0)
                use(other);
            assert_done(restore(other, &empty));
        } else {
            ++refused;
            assert_true(error.code == PLIANT_ERROR_FORMAT || error.code == PLIANT_ERROR_VERSION ||
                        error.code == PLIANT_ERROR_MISMATCH);
            assert_true(error.message[0] && error.place[0]);
            assert_holds(other, &empty);
        }
        *byte = old;
    }
    assert_true(accepted > 500 && refused > 500);
    release(&whole);
    release(&empty);
    pliant_draft_destroy(other);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Changes one word of a section.
static void assert_word_refused(pliant_draft *draft, pliant_draft_section section, int index,
                                uint32_t word, const char *place, const char *message)
{
    saved_draft changed = save(draft);
    for (int k = 0; k < 4; ++k)
        ((uint8_t *)changed.data[section])[4 * index + k] = (uint8_t)(word >> (8 * k));
    assert_refused(restore(draft, &changed), place, message);
    release(&changed);
}

// A section ends with `count` runs of words; of each, words that earlier versions lacked are left out.
static void shorten_runs(saved_draft *saved, pliant_draft_section section, size_t count,
                         size_t words, size_t lacked_at, size_t lacked)
{
    uint8_t *bytes = saved->data[section],
            *from = bytes + saved->sizes[section] - 4 * words * count;
    uint8_t *to = from;
    for (size_t i = 0; i < count; ++i, from += 4 * words) {
        size_t behind = words - lacked_at - lacked;
        memmove(to, from, 4 * lacked_at);
        memmove(to + 4 * lacked_at, from + 4 * (lacked_at + lacked), 4 * behind);
        to += 4 * (words - lacked);
    }
    saved->sizes[section] -= 4 * lacked * count;
}

// As a version before 4 had it, apart from what that lacked: without the versions of the kinds of elements.
static void make_earlier(saved_draft *saved, const pliant_draft *draft, uint8_t version)
{
    static const size_t kinds[PLIANT_DRAFT_SECTION_COUNT] = {2, 1, 2, 0};
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT; ++i) {
        uint8_t *bytes = saved->data[i];
        saved->sizes[i] -= 4 * kinds[i];
        memmove(bytes + 4, bytes + 4 + 4 * kinds[i], saved->sizes[i] - 4);
        bytes[3] = version;
    }
    // Edges had no links and limits, particles no elasticity: behind that come their place, their weight.
    shorten_runs(saved, PLIANT_DRAFT_EDGES, (size_t)pliant_draft_edge_count(draft), 6, 4, 2);
    shorten_runs(saved, PLIANT_DRAFT_PARTICLES, (size_t)pliant_draft_particle_count(draft),
                 19 + 4 + 3, 17, 2);
}

static void sections_of_version_3_are_read(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = rich_draft(mesh), *other = draft_of(mesh);
    saved_draft saved = save(draft), earlier = save(draft);
    make_earlier(&earlier, draft, 3);
    assert_done(restore(other, &earlier));
    assert_holds(other, &saved);
    release(&saved);
    release(&earlier);
    pliant_draft_destroy(other);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Sections of version 1 knew no densities: masses are those they hold, whatever comes after.
static void earlier_sections_keep_their_masses(void **state)
{
    (void)state;
    enum { WORDS = 17 + 4, WEIGHT = 3, HEADER = 4, NEW_WEIGHT = 2, MATERIAL = 6 };
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = rich_draft(mesh);
    saved_draft saved = save(draft);
    make_earlier(&saved, draft, 1);
    uint8_t *bytes = saved.data[PLIANT_DRAFT_PARTICLES];
    int count = pliant_draft_particle_count(draft);
    for (int i = 0; i < count; ++i)
        memmove(bytes + 4 * (HEADER + i * WORDS),
                bytes + 4 * (HEADER + NEW_WEIGHT + MATERIAL + i * (WORDS + WEIGHT)), 4 * WORDS);
    saved.sizes[PLIANT_DRAFT_PARTICLES] = 4 * (HEADER + (size_t)count * WORDS);
    pliant_draft *other = draft_of(mesh);
    assert_done(restore(other, &saved));
    place_at(other, 0, 0, 0);
    assert_done(pliant_draft_weigh(other, &error));
    for (int i = 0; i < count; ++i)
        assert_memory_equal(pliant_draft_particle(other, i), pliant_draft_particle(draft, i),
                            sizeof(pliant_particle_def));
    release(&saved);
    pliant_draft_destroy(other);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void each_mistake_is_told(void **state)
{
    (void)state;
    enum { NAN_WORD = 0x7fc00000, HALF = 0x3f000000 };
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    for (int i = 0; i < 3; ++i)
        place_at(draft, (float)i, 0, 0);
    join(draft, 0, 1);
    join(draft, 0, 2);
    pliant_group_def group = {.stiffness = 1.0f};
    assert_done(pliant_draft_group(draft, NULL, &group, &error));
    draft->hinges = calloc(1, sizeof *draft->hinges);
    draft->hinge_count = 1;
    bind_all(draft, 2);
    saved_draft saved = save(draft);
#define REFUSED(section, word, value, place, message)                                              \
    assert_word_refused(draft, PLIANT_DRAFT_##section, word, value, place, message)
    const char *value = "it holds a value out of its range";
    REFUSED(PARTICLES, 0, 0x04647001, "particles", "this is no such section of a draft");
    REFUSED(PARTICLES, 0, 0x05647000, "particles", "the section was saved by a newer version");
    REFUSED(PARTICLES, 1, 99, "particles", "the section was saved by a newer version");
    REFUSED(PARTICLES, 2, 0, "particles", "this is no such section of a draft");
    REFUSED(PARTICLES, 13, 2, "particles", "the material is out of range");
    REFUSED(EDGES, 1, 99, "edges", "the section was saved by a newer version");
    REFUSED(GROUPS, 2, 99, "groups", "the section was saved by a newer version");
    REFUSED(PARTICLES, 3, 4, "particles", "the section is not as long as it says");
    REFUSED(PARTICLES, 4, NAN_WORD, "particles", "the scale is out of range");
    REFUSED(PARTICLES, 5, HALF, "particles", "the scale is out of range");
    REFUSED(PARTICLES, 6, 0, "particles", "the density is out of range");
    REFUSED(PARTICLES, 7, NAN_WORD, "particles", "the density is out of range");
    for (int k = 8; k < 13; ++k)
        REFUSED(PARTICLES, k, NAN_WORD, "particles", "the material is out of range");
    for (int k = 0; k < 19; ++k)
        if (k < 12 || k > 14)
            REFUSED(PARTICLES, 14 + 26 + k, NAN_WORD, "particle 1", value);
    REFUSED(PARTICLES, 14 + 26 + 12, 8, "particle 1", value);
    REFUSED(PARTICLES, 14 + 19, NAN_WORD, "particle 0", "it belongs to no place of the mesh");
    REFUSED(PARTICLES, 14 + 22, (uint32_t)-2, "particle 0", "it belongs to no place of the mesh");
    REFUSED(PARTICLES, 14 + 22, 36, "particle 0", "it belongs to no place of the mesh");
    for (int k = 23; k < 26; ++k)
        REFUSED(PARTICLES, 14 + k, NAN_WORD, "particle 0", value);
    REFUSED(EDGES, 3, 1, "edge 0", "it joins no two particles");
    REFUSED(EDGES, 4, 3, "edge 0", "it joins no two particles");
    REFUSED(EDGES, 4, 2, "edges", "a pair has two edges");
    REFUSED(EDGES, 5, NAN_WORD, "edge 0", value);
    REFUSED(EDGES, 11, 0x40000000, "edge 1", value);
    REFUSED(GROUPS, 3, 9, "groups", "the section is not as long as it says");
    REFUSED(GROUPS, 4, 0, "groups", "the section is not as long as it says");
    REFUSED(GROUPS, 5, 0, "group 0", "its members are not particles, each once");
    REFUSED(GROUPS, 6, NAN_WORD, "group 0", value);
    REFUSED(GROUPS, 10, 1, "group 0", "its members are not particles, each once");
    REFUSED(GROUPS, 10, 3, "group 0", "its members are not particles, each once");
    REFUSED(GROUPS, 13, 1, "hinge 0", value);
    REFUSED(GROUPS, 15, 3, "hinge 0", value);
    REFUSED(GROUPS, 17, 2, "hinge 0", value);
    REFUSED(GROUPS, 19, NAN_WORD, "hinge 0", value);
    const char *links = "its links are not to particles, or do not sum to 1";
    REFUSED(LINKS, 2, 3, "vertex 0", links);
    REFUSED(LINKS, 3, 1, "vertex 0", links);
    REFUSED(LINKS, 6, HALF, "vertex 0", links);
    REFUSED(LINKS, 7, NAN_WORD, "vertex 0", links);
    pliant_mesh *other_mesh = pliant_mesh_create(0, 0, 0);
    assert_non_null(other_mesh);
    pliant_draft *other = draft_of(other_mesh);
    assert_refused(restore(other, &saved), "links",
                   "they are of a mesh of 24 vertices, this one has 0");
    assert_int_equal(error.code, PLIANT_ERROR_MISMATCH);
    assert_true(pliant_draft_restore(other, (const void *const *)saved.data, saved.sizes, NULL) ==
                PLIANT_ERROR_MISMATCH);
    assert_holds(draft, &saved);
    release(&saved);
    pliant_draft_destroy(other);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(other_mesh);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------

// What is slow to make stays while mesh and scale do.
static void matter_survives_recipes_and_undo(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = rich_draft(mesh);
    const matter *made = draft->matter;
    const topology *welded = draft->topology;
    assert_non_null(made);
    saved_draft saved = save(draft);
    static const char dab[] = "{\"tools\": [{\"spray\": {\"spacing\": 0.3}}]}";
    assert_done(pliant_draft_run_recipe(draft, dab, sizeof dab - 1, &error));
    assert_ptr_equal(draft->matter, made);
    static const char bad[] = "{\"tools\": [{\"spray\": {\"spacing\": 0.2}}, {\"bind\": {}},"
                              " {\"edge\": {\"a\": 0, \"b\": 99999}}]}";
    saved_draft after = save(draft);
    assert_true(pliant_draft_run_recipe(draft, bad, sizeof bad - 1, &error) != PLIANT_OK);
    assert_string_equal(error.place, "tools[2].edge.b");
    assert_holds(draft, &after);
    assert_ptr_equal(draft->matter, made);
    assert_done(restore(draft, &saved));
    assert_ptr_equal(draft->matter, made);
    assert_ptr_equal(draft->topology, welded);
    assert_done(pliant_draft_set_scale(draft, draft->spacing, draft->bridge, &error));
    assert_ptr_equal(draft->matter, made);
    assert_done(pliant_draft_set_scale(draft, draft->spacing, 0.0f, &error));
    assert_null(draft->matter);
    release(&after);
    release(&saved);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// A failed recipe takes everything back: also the scale, and what tools before it removed.
static void a_failed_recipe_leaves_all_sections(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = rich_draft(mesh);
    saved_draft saved = save(draft);
    static const char *const texts[] = {
        "{\"tools\": [{\"scale\": {\"spacing\": 0.1}}, {\"fill\": {\"spacing\": 0.2}},"
        " {\"bind\": {\"links\": 1}}, {\"remove\": {}}, {\"auto\": {}}, {\"auto\": {}}]}",
        "{\"tools\": [{\"mass\": {}}, {\"disconnect\": {}}, {\"remove\": {}}, {\"bind\": {}}]}",
        "{\"selections\": {\"far\": {\"indices\": [900]}},"
        " \"tools\": [{\"paint\": {\"target\": \"mass\", \"value\": 3}},"
        " {\"remove\": {\"particles\": \"far\"}}]}",
        "{\"tools\": [{\"paint\": {\"target\": \"mass\", \"value\": 3}}, {\"knit\": {}}]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        assert_true(pliant_draft_run_recipe(draft, texts[i], strlen(texts[i]), &error) !=
                    PLIANT_OK);
        assert_holds(draft, &saved);
    }
    release(&saved);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_comes_back),
        cmocka_unit_test(sections_change_only_with_their_content),
        cmocka_unit_test(truncations_are_refused),
        cmocka_unit_test(random_changes_do_no_harm),
        cmocka_unit_test(sections_of_version_3_are_read),
        cmocka_unit_test(earlier_sections_keep_their_masses),
        cmocka_unit_test(each_mistake_is_told),
        cmocka_unit_test(matter_survives_recipes_and_undo),
        cmocka_unit_test(a_failed_recipe_leaves_all_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
