// Recipes: they do what the calls do, and every mistake is told with its place.

#include "drafts.h"

static pliant_result run_text(pliant_draft *draft, const char *text)
{
    return pliant_draft_run_recipe(draft, text, strlen(text), &error);
}

// A recipe of three boxes, in a draft of its own.
static pliant_draft *draft_by(const pliant_mesh *mesh, const char *text)
{
    pliant_draft *draft = draft_of(mesh);
    assert_done(run_text(draft, text));
    return draft;
}

static void assert_same_model(pliant_draft *a, pliant_draft *b)
{
    pliant_model *first = model_of(a), *second = model_of(b);
    assert_same_blob(first, second);
    pliant_model_destroy(first);
    pliant_model_destroy(second);
}

static const char whole[] =
    "{\"$schema\": \"recipe.schema.json\", \"pliant\": 1,"
    " \"selections\": {"
    "   \"body\": {\"part\": \"Body\"}, \"cape\": {\"material\": \"cloth\"},"
    "   \"top\": {\"box\": {\"minimum\": [-9, 0.4, -9], \"maximum\": [9, 9, 9]}},"
    "   \"corner\": {\"sphere\": {\"centre\": [0.5, 0.5, 0.5], \"radius\": 0.4}},"
    "   \"few\": {\"indices\": [2, 3, 30]}},"
    " \"tools\": ["
    "   {\"scale\": {\"spacing\": 0.25, \"bridge\": 0.01}},"
    "   {\"spray\": {\"vertices\": \"cape\", \"spacing\": 0.3, \"seed\": 3,"
    "      \"particle\": {\"stiffness\": 0.9, \"radius\": 0.2, \"surface\": true, \"mass\": 2}}},"
    "   {\"spray\": {\"vertices\": \"body\", \"count\": 40}},"
    "   {\"spray\": {\"spacing\": 0.1, \"centre\": [0.4, 0.5, 0], \"radius\": 0.3}},"
    "   {\"fill\": {\"vertices\": \"body\", \"spacing\": 0.25, \"clearance\": 0.2}},"
    "   {\"fit\": {\"particles\": \"body\", \"radius\": 0.2, \"aspect\": 3, \"drift\": 1,"
    "      \"merge\": 0.05}},"
    "   {\"connect\": {\"particles\": \"cape\", \"distance\": 0.5, \"stretch_stiffness\": 0.5,"
    "      \"torsion_stiffness\": 0.25}},"
    "   {\"connect\": {\"distance\": 0.6, \"nearest_only\": true, \"centre\": [0, 0, 0],"
    "      \"radius\": 1}},"
    "   {\"bind\": {\"vertices\": \"cape\", \"particles\": \"cape\", \"links\": 2}},"
    "   {\"bind\": {\"vertices\": \"body\", \"particles\": \"body\"}},"
    "   {\"mass\": {\"density\": 500, \"thickness\": 0.01, \"total\": 12}},"
    "   {\"mass\": {\"particles\": \"corner\"}},"
    "   {\"paint\": {\"target\": \"stiffness\", \"value\": 0.1, \"particles\": \"top\"}},"
    "   {\"paint\": {\"target\": \"torsion\", \"value\": 1}},"
    "   {\"paint\": {\"target\": \"stretch\", \"value\": 1, \"centre\": [3, 0, 0], \"radius\": 1,"
    "      \"falloff\": 0.75, \"strength\": 0.5}},"
    "   {\"paint\": {\"target\": \"surface\", \"value\": 1}},"
    "   {\"paint\": {\"target\": \"animated\", \"value\": 1, \"particles\": \"corner\"}},"
    "   {\"paint\": {\"target\": \"mass\", \"value\": 3, \"particles\": \"corner\"}},"
    "   {\"group\": {\"particles\": \"top\", \"stiffness\": 0.75, \"dent_speed\": 2,"
    "      \"yield_strain\": 0.5, \"creep_rate\": 4}},"
    "   {\"group\": {\"particles\": \"corner\"}},"
    "   {\"disconnect\": {\"particles\": \"top\"}},"
    "   {\"place\": {\"position\": [0, 3, 0], \"radii\": [0.1, 0.2, 0.3], \"pinned\": true}},"
    "   {\"edge\": {\"a\": 0, \"b\": 1, \"stretch_stiffness\": 0.125}},"
    "   {\"remove\": {\"particles\": \"corner\"}},"
    "   {\"move\": {\"particles\": \"few\", \"translation\": [0.125, 0, -0.25]}},"
    "   {\"set\": {\"particles\": \"few\", \"radii\": [0.1, 0.2, 0.3], \"mass\": 4,"
    "      \"orientation\": [0, 1, 0, 0], \"stiffness\": 0.125, \"pinned\": false,"
    "      \"oriented\": false, \"surface\": true, \"layers\": 5, \"mask\": 6,"
    "      \"yield_strain\": 0.5, \"creep_rate\": 2}},"
    "   {\"mirror\": {\"particles\": \"few\", \"normal\": [0, -2, 0], \"offset\": 0.25,"
    "      \"tolerance\": 0.125, \"replace\": true}},"
    "   {\"ungroup\": {\"particles\": \"top\"}},"
    "   {\"unbind\": {\"vertices\": \"body\"}},"
    "   {\"bind\": {\"vertices\": \"body\", \"particles\": \"body\", \"links\": 3}}"
    " ]}";

typedef struct regions {
    pliant_region body, cape, top, corner;
} regions;

static const regions named = {
    {.kind = PLIANT_REGION_PART, .name = "Body"},
    {.kind = PLIANT_REGION_MATERIAL, .name = "cloth"},
    {.kind = PLIANT_REGION_BOX, .minimum = {-9, 0.4f, -9}, .maximum = {9, 9, 9}},
    {.kind = PLIANT_REGION_SPHERE, .centre = {0.5f, 0.5f, 0.5f}, .radius = 0.4f},
};

static pliant_selection vertices_in(const pliant_mesh *mesh, const pliant_region *region)
{
    pliant_selection selection;
    assert_done(pliant_mesh_select(mesh, region, &selection, &error));
    return selection;
}

static pliant_selection particles_in(const pliant_draft *draft, const pliant_region *region)
{
    pliant_selection selection;
    assert_done(pliant_draft_select(draft, region, &selection, &error));
    return selection;
}

static void make_particles(pliant_draft *draft, const pliant_selection *cape,
                           const pliant_selection *body)
{
    assert_done(pliant_draft_set_scale(draft, 0.25f, 0.01f, &error));
    pliant_spray_def spray = pliant_default_spray_def();
    spray.vertices = cape;
    spray.spacing = 0.3f;
    spray.seed = 3;
    spray.particle.stiffness = 0.9f;
    spray.particle.radii = (vec3){0.2f, 0.2f, 0.2f};
    spray.particle.flags = PLIANT_PARTICLE_SURFACE;
    spray.particle.mass = 2.0f;
    assert_done(pliant_draft_spray(draft, &spray, &error));
    spray = pliant_default_spray_def();
    spray.vertices = body;
    spray.count = 40;
    assert_done(pliant_draft_spray(draft, &spray, &error));
    spray = pliant_default_spray_def();
    spray.spacing = 0.1f;
    spray.centre = (vec3){0.4f, 0.5f, 0.0f};
    spray.radius = 0.3f;
    assert_done(pliant_draft_spray(draft, &spray, &error));
    pliant_fill_def fill = pliant_default_fill_def();
    fill.vertices = body;
    fill.spacing = 0.25f;
    fill.clearance = 0.2f;
    assert_done(pliant_draft_fill(draft, &fill, &error));
    pliant_selection particles = particles_in(draft, &named.body);
    pliant_fit_def fit = {&particles, 0.2f, 3.0f, 1, 0.05f};
    assert_done(pliant_draft_fit(draft, &fit, &error));
    pliant_selection_release(&particles);
}

static void connect_and_bind(pliant_draft *draft, const pliant_selection *cape,
                             const pliant_selection *body)
{
    pliant_selection of_cape = particles_in(draft, &named.cape);
    pliant_selection of_body = particles_in(draft, &named.body);
    pliant_connect_def connect = pliant_default_connect_def();
    connect.particles = &of_cape;
    connect.distance = 0.5f;
    connect.stretch_stiffness = 0.5f;
    connect.torsion_stiffness = 0.25f;
    assert_done(pliant_draft_connect(draft, &connect, &error));
    connect = pliant_default_connect_def();
    connect.distance = 0.6f;
    connect.nearest_only = true;
    connect.radius = 1.0f;
    assert_done(pliant_draft_connect(draft, &connect, &error));
    pliant_bind_def bind = {cape, &of_cape, 2};
    assert_done(pliant_draft_bind(draft, &bind, &error));
    bind = (pliant_bind_def){body, &of_body, PLIANT_MAX_LINKS};
    assert_done(pliant_draft_bind(draft, &bind, &error));
    pliant_selection_release(&of_cape);
    pliant_selection_release(&of_body);
}

static void paint(pliant_draft *draft, pliant_paint_target target, float value,
                  const pliant_selection *particles)
{
    pliant_paint_def def = pliant_default_paint_def();
    def.target = target;
    def.value = value;
    def.particles = particles;
    assert_done(pliant_draft_paint(draft, &def, &error));
}

static void change_few(pliant_draft *draft, const pliant_selection *body)
{
    int32_t indices[] = {2, 3, 30};
    pliant_selection few = {3, indices};
    assert_done(pliant_draft_move(draft, &few, (vec3){0.125f, 0, -0.25f}, &error));
    const pliant_particle_def values = {{0, 0, 0},
                                        {0, 1, 0, 0},
                                        {0.1f, 0.2f, 0.3f},
                                        4,
                                        0.125f,
                                        PLIANT_PARTICLE_UNORIENTED | PLIANT_PARTICLE_SURFACE,
                                        5,
                                        6,
                                        0.5f,
                                        2,
                                        2e5f,
                                        900};
    assert_done(pliant_draft_set(draft, &few, &values, 0x7f, &error));
    pliant_mirror_def mirror = {&few, {0, -2, 0}, 0.25f, 0.125f, true};
    int before = pliant_draft_particle_count(draft);
    assert_done(pliant_draft_mirror(draft, &mirror, &error));
    assert_true(pliant_draft_particle_count(draft) > before);
    pliant_selection top = particles_in(draft, &named.top);
    before = pliant_draft_group_count(draft);
    assert_done(pliant_draft_ungroup(draft, &top, &error));
    assert_true(pliant_draft_group_count(draft) < before);
    pliant_selection_release(&top);
    assert_done(pliant_draft_unbind(draft, body, &error));
}

static void finish(pliant_draft *draft, const pliant_selection *body)
{
    pliant_selection top = particles_in(draft, &named.top);
    pliant_selection corner = particles_in(draft, &named.corner);
    assert_true(top.count > 0 && corner.count > 0);
    pliant_mass_def mass = {NULL, 500.0f, 0.01f, 12.0f};
    assert_done(pliant_draft_mass(draft, &mass, &error));
    mass = pliant_default_mass_def();
    mass.particles = &corner;
    assert_done(pliant_draft_mass(draft, &mass, &error));
    paint(draft, PLIANT_PAINT_STIFFNESS, 0.1f, &top);
    paint(draft, PLIANT_PAINT_TORSION, 1.0f, NULL);
    pliant_paint_def stretch = {NULL, PLIANT_PAINT_STRETCH, 1.0f, {3, 0, 0}, 1.0f, 0.75f, 0.5f};
    assert_done(pliant_draft_paint(draft, &stretch, &error));
    paint(draft, PLIANT_PAINT_SURFACE, 1.0f, NULL);
    paint(draft, PLIANT_PAINT_ANIMATED, 1.0f, &corner);
    paint(draft, PLIANT_PAINT_MASS, 3.0f, &corner);
    pliant_group_def group = {NULL, 0, 0.75f, 2.0f, 0.5f, 4.0f};
    assert_done(pliant_draft_group(draft, &top, &group, &error));
    group = (pliant_group_def){.stiffness = 1.0f};
    assert_done(pliant_draft_group(draft, &corner, &group, &error));
    assert_done(pliant_draft_disconnect(draft, &top, &error));
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = (vec3){0, 3, 0};
    particle.radii = (vec3){0.1f, 0.2f, 0.3f};
    particle.mass = 0.0f;
    particle.flags = PLIANT_PARTICLE_PINNED;
    assert_true(pliant_draft_place(draft, &particle, &error) >= 0);
    pliant_edge_def edge = {0, 1, 0.125f, 0.0f, false, 0.0f};
    assert_true(pliant_draft_add_edge(draft, &edge, &error) >= 0);
    assert_done(pliant_draft_remove(draft, &corner, &error));
    change_few(draft, body);
    pliant_selection of_body = particles_in(draft, &named.body);
    pliant_bind_def bind = {body, &of_body, 3};
    assert_done(pliant_draft_bind(draft, &bind, &error));
    pliant_selection_release(&of_body);
    pliant_selection_release(&top);
    pliant_selection_release(&corner);
}

static void a_recipe_does_what_the_calls_do(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *by_recipe = draft_by(mesh, whole), *by_calls = draft_of(mesh);
    pliant_selection cape = vertices_in(mesh, &named.cape), body = vertices_in(mesh, &named.body);
    make_particles(by_calls, &cape, &body);
    connect_and_bind(by_calls, &cape, &body);
    finish(by_calls, &body);
    assert_true(pliant_draft_particle_count(by_calls) > 40);
    assert_same_model(by_recipe, by_calls);
    pliant_selection_release(&cape);
    pliant_selection_release(&body);
    pliant_draft_destroy(by_calls);
    pliant_draft_destroy(by_recipe);
    pliant_mesh_destroy(mesh);
}

static void all_of_it_at_once(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *by_recipe = draft_by(
        mesh, "{\"tools\": [{\"auto\": {\"method\": \"spray\", \"count\": 60, \"seed\": 5,"
              " \"stiffness\": 0.5, \"density\": 700, \"radius\": 0.1, \"edges\": 0.7}}]}");
    pliant_draft *by_calls = draft_of(mesh);
    pliant_auto_def def = pliant_default_auto_def();
    def.method = PLIANT_AUTO_SPRAY;
    def.count = 60;
    def.seed = 5;
    def.stiffness = 0.5f;
    def.density = 700.0f;
    def.radius = 0.1f;
    def.edges = 0.7f;
    assert_done(pliant_draft_auto(by_calls, &def, &error));
    assert_same_model(by_recipe, by_calls);
    pliant_draft_destroy(by_recipe);
    by_recipe = draft_by(
        mesh, "{\"tools\": [{\"auto\": {\"method\": \"mixed\", \"spacing\": 0.3, \"drift\": 1}}]}");
    pliant_draft_destroy(by_calls);
    by_calls = draft_of(mesh);
    def = pliant_default_auto_def();
    def.spacing = 0.3f;
    def.drift = 1;
    assert_done(pliant_draft_auto(by_calls, &def, &error));
    assert_same_model(by_recipe, by_calls);
    pliant_draft_destroy(by_recipe);
    pliant_draft_destroy(by_calls);
    by_recipe = draft_by(mesh, "{\"tools\": [{\"auto\": {\"method\": \"slice\"}}]}");
    assert_true(pliant_draft_particle_count(by_recipe) > 0);
    assert_true(pliant_draft_edge_count(by_recipe) > 0);
    pliant_draft_destroy(by_recipe);
    pliant_mesh_destroy(mesh);
}

static void lives_as_proposed_or_as_written(void **state)
{
    (void)state;
    static const char *const words[] = {
        [PLIANT_LIVE_DROP] = "drop", [PLIANT_LIVE_HANG] = "hang", [PLIANT_LIVE_ROOTED] = "rooted"};
    pliant_mesh *mesh = three_boxes();
    for (int live = PLIANT_LIVE_DROP; live <= PLIANT_LIVE_ROOTED; ++live) {
        char text[128];
        snprintf(text, sizeof text,
                 "{\"tools\": [{\"auto\": {\"spacing\": 0.3}}, {\"live\": {\"as\": \"%s\"}}]}",
                 words[live]);
        pliant_draft *by_recipe = draft_by(mesh, text), *by_calls = draft_of(mesh);
        pliant_auto_def def = pliant_default_auto_def();
        def.spacing = 0.3f;
        assert_done(pliant_draft_auto(by_calls, &def, &error));
        assert_done(pliant_draft_set_live(by_calls, (pliant_live)live, &error));
        assert_int_equal(pliant_draft_live(by_recipe), live);
        assert_same_model(by_recipe, by_calls);
        // Boxes fall, and what was pinned before is free.
        assert_done(run_text(by_recipe, "{\"tools\": [{\"live\": {}}]}"));
        assert_int_equal(pliant_draft_live(by_recipe), PLIANT_LIVE_DROP);
        pliant_draft_destroy(by_recipe);
        pliant_draft_destroy(by_calls);
    }
    pliant_mesh_destroy(mesh);
}

// Elastic, heavy and lively as the material is; and what was rooted stands without a group.
static void materials_have_names(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_by(mesh, "{\"tools\": [{\"auto\": {\"spacing\": 0.3}}, {\"live\": "
                                         "{\"as\": \"rooted\"}}]}");
    assert_int_equal(draft->group_count, 1);
    assert_done(run_text(draft, "{\"tools\": [{\"material\": {\"name\": \"rubber\"}}]}"));
    assert_int_equal(draft->group_count, 0);
    assert_near(pliant_draft_material(draft).restitution, 0.6, 1e-6);
    double mass = 0;
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
        assert_true(pliant_draft_particle(draft, i)->young_modulus == 2e6f);
        assert_true(pliant_draft_particle(draft, i)->density == 1100.0f);
        mass += (double)pliant_draft_particle(draft, i)->mass;
    }
    assert_near(mass / (3 * 1100.0), 1.0, 0.1); // three boxes of a cubic metre
    assert_refused(run_text(draft, "{\"tools\": [{\"material\": {\"name\": \"cheese\"}}]}"),
                   "tools[0].material.name",
                   "expected one of \"jelly\", \"flesh\", \"foam\", \"rubber\", \"felt\", "
                   "\"leather\", \"wood\", \"steel\"");
    assert_null(pliant_material_preset_find(NULL));
    assert_refused(pliant_draft_use_preset(draft, NULL, NULL, &error), "preset", "is NULL");
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// Each value alone leaves all others, flags and pairs included.
static void only_what_is_written_is_set(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0, 0);
    pliant_particle_def *p = pliant_draft_particle(draft, 0);
    *p = (pliant_particle_def){
        p->position, p->orientation, p->radii, 3,    0.25f, PLIANT_PARTICLE_ALL_FLAGS, 9,
        10,          0.5f,           7,        2e5f, 900};
    pliant_particle_def expected = *p;
#define SET(text, ...)                                                                             \
    assert_done(run_text(draft, "{\"tools\": [{\"set\": {" text "}}]}"));                          \
    __VA_ARGS__;                                                                                   \
    assert_memory_equal(pliant_draft_particle(draft, 0), &expected, sizeof expected)
    SET("", (void)0);
    SET("\"pinned\": false", expected.flags &= ~(uint32_t)PLIANT_PARTICLE_PINNED);
    SET("\"oriented\": true", expected.flags &= ~(uint32_t)PLIANT_PARTICLE_UNORIENTED);
    SET("\"surface\": false", expected.flags = 0);
    SET("\"pinned\": true", expected.flags = PLIANT_PARTICLE_PINNED);
    SET("\"layers\": 2", expected.layers = 2);
    SET("\"mask\": 3", expected.mask = 3);
    SET("\"yield_strain\": 1", expected.yield_strain = 1);
    SET("\"creep_rate\": 2", expected.creep_rate = 2);
    SET("\"radius\": 0.5", expected.radii = (vec3){0.5f, 0.5f, 0.5f});
#undef SET
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// The bridge is a quarter of the spacing when nobody says.
static void scale_has_a_default(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_by(mesh, "{\"tools\": [{\"scale\": {\"spacing\": 2}}]}");
    assert_near(pliant_draft_spacing(draft), 2, 0);
    assert_near(draft->bridge, 0.5, 0);
    assert_done(run_text(draft, "{\"tools\": [{\"scale\": {\"spacing\": 1, \"bridge\": 0}}]}"));
    assert_near(draft->bridge, 0, 0);
    // A recipe without tools keeps all.
    assert_done(run_text(draft, "{\"tools\": []}"));
    assert_near(pliant_draft_spacing(draft), 1, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------

// Five particles; the rule paints those with the mass 2.
static void assert_rule_selects(const char *rule, const char *expected)
{
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    for (int i = 0; i < 5; ++i)
        place_at(draft, (float)i, 0, 0);
    char text[1024];
    snprintf(text, sizeof text,
             "{\"selections\": {"
             "\"low\": {\"box\": {\"minimum\": [-9, -9, -9], \"maximum\": [2, 9, 9]}},"
             "\"high\": {\"box\": {\"minimum\": [1, -9, -9], \"maximum\": [9, 9, 9]}},"
             "\"two\": {\"sphere\": {\"centre\": [2, 0, 0], \"radius\": 0.5}},"
             "\"body\": {\"part\": \"Body\"}, \"none\": {\"material\": \"steel*\"},"
             "\"rule\": %s},"
             "\"tools\": [{\"paint\": {\"target\": \"mass\", \"value\": 2,"
             " \"particles\": \"rule\"}}]}",
             rule);
    assert_done(run_text(draft, text));
    char found[6] = "";
    for (int i = 0; i < 5; ++i)
        found[i] = pliant_draft_particle(draft, i)->mass == 2.0f ? '1' : '0';
    assert_string_equal(found, expected);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void selections_combine(void **state)
{
    (void)state;
    assert_rule_selects("{\"any\": [\"two\", \"low\"]}", "11100");
    assert_rule_selects("{\"all\": [\"low\", \"high\"]}", "01100");
    assert_rule_selects("{\"not\": \"low\"}", "00011");
    assert_rule_selects("{\"any\": []}", "00000");
    assert_rule_selects("{\"all\": []}", "11111");
    assert_rule_selects("{\"any\": [\"body\", \"none\"]}", "11000");
    assert_rule_selects("{\"not\": \"two\"}, \"later\": {\"not\": \"rule\"}", "11011");
    assert_rule_selects("{\"all\": [\"low\", \"low\"]}", "11100");
    assert_rule_selects("{\"indices\": [4, 0, 4]}", "10001");
    assert_rule_selects("{\"indices\": []}", "00000");
}

// A name with many selections behind it is evaluated once for each of them.
static void deep_combinations_take_no_time(void **state)
{
    (void)state;
    char text[8192] = "{\"selections\": {\"s0\": {\"part\": \"Body\"}";
    for (int i = 1; i <= 60; ++i) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ", \"s%d\": {\"any\": [\"s%d\", \"s%d\"]}", i,
                 i - 1, i - 1);
    }
    strcat(text, "}, \"tools\": [{\"paint\": {\"target\": \"mass\", \"value\": 2,"
                 " \"particles\": \"s60\"}}]}");
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0, 0);
    assert_done(run_text(draft, text));
    assert_near(pliant_draft_particle(draft, 0)->mass, 2, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void particles_are_selected_when_a_tool_is_used(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_by(
        mesh, "{\"selections\": {\"here\": {\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 1}}},"
              "\"tools\": [{\"place\": {\"position\": [0, 0, 0]}},"
              "{\"paint\": {\"target\": \"mass\", \"value\": 2, \"particles\": \"here\"}},"
              "{\"place\": {\"position\": [0.5, 0, 0], \"mass\": 1}},"
              "{\"paint\": {\"target\": \"stiffness\", \"value\": 1, \"particles\": \"here\"}}]}");
    assert_near(pliant_draft_particle(draft, 0)->mass, 2, 0);
    assert_near(pliant_draft_particle(draft, 1)->mass, 1, 0);
    assert_near(pliant_draft_particle(draft, 1)->stiffness, 1, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Selections that the program gives

static pliant_result run_with(pliant_draft *draft, const char *text, int32_t *vertices,
                              int vertex_count, int32_t *particles, int particle_count)
{
    pliant_selection of_vertices = {vertex_count, vertices};
    pliant_selection of_particles = {particle_count, particles};
    const pliant_named_selection given[] = {
        {"nobody", NULL, NULL},
        {"selected", vertices ? &of_vertices : NULL, particles ? &of_particles : NULL}};
    return pliant_draft_run_recipe_with(draft, text, strlen(text), given, 2, &error);
}

static void given_selections_are_known_by_name(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    int32_t box[8], particles[] = {2, 0};
    for (int i = 0; i < 8; ++i)
        box[i] = 8 + i;
    for (int i = 0; i < 4; ++i)
        place_at(draft, (float)i, 5, 0);
    assert_done(
        run_with(draft,
                 "{\"selections\": {\"rest\": {\"not\": \"selected\"},"
                 " \"all\": {\"any\": [\"rest\", \"selected\", \"nobody\"]}}, \"tools\": ["
                 "{\"paint\": {\"target\": \"mass\", \"value\": 3, \"particles\": \"all\"}},"
                 "{\"paint\": {\"target\": \"mass\", \"value\": 2, \"particles\": \"rest\"}},"
                 "{\"paint\": {\"target\": \"mass\", \"value\": 9, \"particles\": \"nobody\"}},"
                 "{\"spray\": {\"vertices\": \"selected\", \"spacing\": 0.4}}]}",
                 box, 8, particles, 2));
    for (int i = 0; i < 4; ++i)
        assert_near(pliant_draft_particle(draft, i)->mass, i % 2 ? 2 : 3, 0);
    assert_true(pliant_draft_particle_count(draft) > 10);
    for (int i = 4; i < pliant_draft_particle_count(draft); ++i)
        assert_true(pliant_draft_particle(draft, i)->position.x >= 2.5f);
    // Without particles of its own the name stands for none.
    assert_done(run_with(draft, "{\"tools\": [{\"remove\": {\"particles\": \"selected\"}}]}", box,
                         8, NULL, 0));
    assert_true(pliant_draft_particle_count(draft) > 10);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// The numbers are those before the first tool, whatever tools do to them.
static void given_particles_keep_their_identity(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    for (int i = 0; i < 6; ++i)
        place_at(draft, (float)i, 5, 0);
    int32_t particles[] = {1, 4};
    assert_done(run_with(draft,
                         "{\"selections\": {\"first\": {\"indices\": [0, 1]}}, \"tools\": ["
                         "{\"remove\": {\"particles\": \"first\"}},"
                         "{\"place\": {\"position\": [9, 0, 0], \"mass\": 1}},"
                         "{\"place\": {\"position\": [8, 0, 0], \"mass\": 1}},"
                         "{\"paint\": {\"target\": \"mass\", \"value\": 2, "
                         "\"particles\": \"selected\"}}]}",
                         NULL, 0, particles, 2));
    assert_int_equal(pliant_draft_particle_count(draft), 6);
    for (int i = 0; i < 6; ++i) {
        const pliant_particle_def *p = pliant_draft_particle(draft, i);
        assert_near(p->mass, p->position.x == 4.0f ? 2 : 1, 0);
    }
    // Many new ones make room anew.
    assert_done(run_with(draft,
                         "{\"tools\": [{\"spray\": {\"spacing\": 0.1}},"
                         "{\"paint\": {\"target\": \"mass\", \"value\": 5, "
                         "\"particles\": \"selected\"}}]}",
                         NULL, 0, particles, 2));
    int painted = 0;
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
        painted += pliant_draft_particle(draft, i)->mass == 5.0f;
    assert_int_equal(painted, 2);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void given_selections_are_checked(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0, 0);
    int32_t beyond[] = {0, 24}, below[] = {-1};
    assert_refused(run_with(draft, "{\"tools\": [{\"spray\": {\"vertices\": \"selected\"}}]}",
                            beyond, 2, NULL, 0),
                   "tools[0].spray.vertices", "vertex 24 of 24");
    assert_refused(run_with(draft, "{\"tools\": [{\"remove\": {\"particles\": \"selected\"}}]}",
                            NULL, 0, below, 1),
                   "tools[0].remove.particles", "particle -1 of 1");
    assert_refused(run_with(draft,
                            "{\"selections\": {\"selected\": {\"part\": \"Body\"}},"
                            " \"tools\": []}",
                            NULL, 0, NULL, 0),
                   "selections.selected", "the program has a selection of that name");
    assert_refused(run_text(draft, "{\"tools\": [{\"remove\": {\"particles\": \"selected\"}}]}"),
                   "tools[0].remove.particles", "there is no selection \"selected\"");
    assert_int_equal(pliant_draft_particle_count(draft), 1);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------

// A mistake, and what is said of it. Those with a tool stand at tools[1], behind a good one.
typedef struct mistake {
    const char *text, *place, *message;
} mistake;

static void check_mistake(const char *text, const mistake *m)
{
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft = draft_of(mesh);
    place_at(draft, 0, 0, 0);
    place_at(draft, 0, 0, 0);
    join(draft, place_at(draft, 1, 0, 0), 0);
    pliant_group_def group = {.stiffness = 1.0f};
    assert_done(pliant_draft_group(draft, NULL, &group, &error));
    error = (pliant_error){0};
    if (run_text(draft, text) == PLIANT_OK)
        fail_msg("accepted: %s", text);
    if (strcmp(error.place, m->place) != 0 || strcmp(error.message, m->message) != 0)
        fail_msg("%s gives\n  %s: %s, expected\n  %s: %s", text, error.place, error.message,
                 m->place, m->message);
    assert_true(pliant_draft_run_recipe(draft, text, strlen(text), NULL) == error.code);
    assert_int_equal(pliant_draft_particle_count(draft), 3);
    assert_int_equal(pliant_draft_edge_count(draft), 1);
    assert_int_equal(pliant_draft_group_count(draft), 1);
    assert_near(pliant_draft_spacing(draft), 0, 0);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

static void texts_that_are_no_recipes_are_refused(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"", "1:1", "expected '{' or '['"},
        {"{\"tools\": [}", "1:12", "expected a value"},
        {"[]", "", "expected an object, found an array"},
        {"{}", "", "\"tools\" is missing"},
        {"{\"tools\": {}}", "tools", "expected an array, found an object"},
        {"{\"tools\": [], \"tool\": 1}", "tool", "unknown key"},
        {"{\"tools\": [], \"tools\": []}", "tools", "the key is there twice"},
        {"{\"tools\": [], \"$schema\": 1}", "$schema", "expected a string, found a number"},
        {"{\"tools\": [], \"pliant\": 2}", "pliant",
         "the recipe is of version 2, this program understands up to 1"},
        {"{\"tools\": [], \"pliant\": 0}", "pliant",
         "expected a whole number from 1 to 2147483647, found 0"},
        {"{\"tools\": [1]}", "tools[0]", "expected an object, found a number"},
        {"{\"tools\": [{}]}", "tools[0]", "expected one tool, found 0"},
        {"{\"tools\": [{\"mass\": {}, \"bind\": {}}]}", "tools[0]", "expected one tool, found 2"},
        {"{\"tools\": [{\"knit\": {}}]}", "tools[0].knit", "unknown tool"},
        {"{\"tools\": [{\"bind\": 3}]}", "tools[0].bind", "expected an object, found a number"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i)
        check_mistake(mistakes[i].text, &mistakes[i]);
}

static void selections_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"[]", "selections", "expected an object of selections by name, found an array"},
        {"{\"\": {\"part\": \"Body\"}}", "selections.", "expected a name of 1 to 47 bytes"},
        {"{\"a\": {\"part\": \"Body\"}, \"a\": {\"part\": \"Body\"}}", "selections.a",
         "the key is there twice"},
        {"{\"a\": 1}", "selections.a", "expected an object, found a number"},
        {"{\"a\": {}}", "selections.a",
         "expected one of \"part\", \"material\", \"box\", \"sphere\", \"indices\", \"any\", "
         "\"all\", \"not\", found 0"},
        {"{\"a\": {\"part\": \"Body\", \"material\": \"wood\"}}", "selections.a",
         "expected one of \"part\", \"material\", \"box\", \"sphere\", \"indices\", \"any\", "
         "\"all\", \"not\", found 2"},
        {"{\"a\": {\"cone\": 1}}", "selections.a.cone", "unknown key"},
        {"{\"a\": {\"part\": 1}}", "selections.a.part", "expected a string, found a number"},
        {"{\"a\": {\"part\": \"Head\"}}", "selections.a.part", "the mesh has no part \"Head\""},
        {"{\"a\": {\"material\": \"gold\"}}", "selections.a.material",
         "the mesh has no material \"gold\""},
        {"{\"a\": {\"part\": "
         "\"0123456789012345678901234567890123456789012345678901234567890123\"}}",
         "selections.a.part", "expected at most 63 bytes of text"},
        {"{\"a\": {\"box\": {\"minimum\": [0, 0, 0]}}}", "selections.a.box",
         "\"maximum\" is missing"},
        {"{\"a\": {\"box\": {\"minimum\": [0, 0, 0], \"maximum\": [1, -1, 1]}}}",
         "selections.a.box.maximum", "expected no number below the minimum's"},
        {"{\"a\": {\"box\": {\"minimum\": [0, 0], \"maximum\": [1, 1, 1]}}}",
         "selections.a.box.minimum", "expected 3 numbers, found 2"},
        {"{\"a\": {\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 0}}}",
         "selections.a.sphere.radius", "expected a number above 0, found 0"},
        {"{\"a\": {\"sphere\": {\"centre\": [0, 2e6, 0], \"radius\": 1}}}",
         "selections.a.sphere.centre[1]", "expected a number in [-1e+06, 1e+06], found 2000000"},
        {"{\"a\": {\"indices\": 1}}", "selections.a.indices",
         "expected an array of particle indices, found a number"},
        {"{\"a\": {\"indices\": [3, -1]}}", "selections.a.indices[1]",
         "expected a whole number from 0 to 2147483646, found -1"},
        {"{\"a\": {\"any\": \"b\"}}", "selections.a.any", "expected an array, found a string"},
        {"{\"a\": {\"any\": [3]}}", "selections.a.any[0]",
         "expected a selection's name, found a number"},
        {"{\"a\": {\"all\": [\"b\"]}}", "selections.a.all[0]", "there is no selection \"b\""},
        {"{\"a\": {\"not\": [\"b\"]}}", "selections.a.not",
         "expected a selection's name, found an array"},
        {"{\"a\": {\"not\": \"a\"}}", "selections.a.not", "\"a\" does not stand before this one"},
        {"{\"a\": {\"not\": \"b\"}, \"b\": {\"not\": \"a\"}}", "selections.a.not",
         "\"b\" does not stand before this one"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        char text[512];
        snprintf(text, sizeof text, "{\"selections\": %s, \"tools\": []}", mistakes[i].text);
        check_mistake(text, &mistakes[i]);
    }
}

static void arguments_out_of_range_are_refused(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"{\"scale\": {}}", "tools[1].scale", "\"spacing\" is missing"},
        {"{\"scale\": {\"spacing\": 1, \"bridge\": -1}}", "tools[1].scale.bridge",
         "expected a number in [0, 100000], found -1"},
        {"{\"spray\": {\"spacing\": 0}}", "tools[1].spray.spacing",
         "expected a number in (0, 100000], found 0"},
        {"{\"spray\": {\"spacing\": \"wide\"}}", "tools[1].spray.spacing",
         "expected a number in (0, 100000], found a string"},
        {"{\"spray\": {\"count\": 2.5}}", "tools[1].spray.count",
         "expected a whole number from 1 to 1000000, found 2.5"},
        {"{\"spray\": {\"radius\": 0}}", "tools[1].spray.radius",
         "expected a number above 0, found 0"},
        {"{\"spray\": {\"seed\": -1}}", "tools[1].spray.seed",
         "expected a whole number from 0 to 2147483647, found -1"},
        {"{\"spray\": {\"vertices\": \"b\"}}", "tools[1].spray.vertices",
         "there is no selection \"b\""},
        {"{\"spray\": {\"vertices\": [0]}}", "tools[1].spray.vertices",
         "expected a selection's name, found an array"},
        {"{\"spray\": {\"particle\": {\"position\": [0, 0, 0]}}}",
         "tools[1].spray.particle.position", "unknown key"},
        {"{\"spray\": {\"particle\": {\"radius\": 1, \"radii\": [1, 1, 1]}}}",
         "tools[1].spray.particle", "expected either \"radius\" or \"radii\", found both"},
        {"{\"spray\": {\"colour\": 1}}", "tools[1].spray.colour", "unknown key"},
        {"{\"fill\": {}}", "tools[1].fill", "\"spacing\" is missing"},
        {"{\"fill\": {\"spacing\": 1, \"clearance\": 0}}", "tools[1].fill.clearance",
         "expected a number in (0, 100000], found 0"},
        {"{\"slice\": {}}", "tools[1].slice", "\"spacing\" is missing"},
        {"{\"slice\": {\"spacing\": 1, \"axis\": [0, 0, 0]}}", "tools[1].slice.axis",
         "expected a direction with a length from 1e-6 to 1e6"},
        {"{\"slice\": {\"spacing\": 1, \"edges\": 1}}", "tools[1].slice.edges",
         "expected true or false, found a number"},
        {"{\"fit\": {\"aspect\": 0.5}}", "tools[1].fit.aspect",
         "expected a number in [1, 1000], found 0.5"},
        {"{\"fit\": {\"drift\": 101}}", "tools[1].fit.drift",
         "expected a whole number from 0 to 100, found 101"},
        {"{\"fit\": {\"merge\": -1}}", "tools[1].fit.merge",
         "expected a number in [0, 100000], found -1"},
        {"{\"fit\": {\"radius\": 0}}", "tools[1].fit.radius",
         "expected a number in [1e-05, 100000], found 0"},
        {"{\"connect\": {}}", "tools[1].connect", "\"distance\" is missing"},
        {"{\"connect\": {\"distance\": 1, \"stretch_stiffness\": 2}}",
         "tools[1].connect.stretch_stiffness", "expected a number in [0, 1], found 2"},
        {"{\"bind\": {\"links\": 5}}", "tools[1].bind.links",
         "expected a whole number from 1 to 4, found 5"},
        {"{\"bind\": {\"particles\": \"b\"}}", "tools[1].bind.particles",
         "there is no selection \"b\""},
        {"{\"paint\": {\"value\": 1}}", "tools[1].paint", "\"target\" is missing"},
        {"{\"paint\": {\"target\": \"mass\"}}", "tools[1].paint", "\"value\" is missing"},
        {"{\"paint\": {\"target\": \"hue\", \"value\": 1}}", "tools[1].paint.target",
         "expected one of \"stiffness\", \"torsion\", \"stretch\", \"mass\", \"surface\", "
         "\"animated\""},
        {"{\"paint\": {\"target\": 1, \"value\": 1}}", "tools[1].paint.target",
         "expected one of \"stiffness\", \"torsion\", \"stretch\", \"mass\", \"surface\", "
         "\"animated\", found a number"},
        {"{\"paint\": {\"target\": \"mass\", \"value\": 0}}", "tools[1].paint.value",
         "expected a number in [1e-09, 1e+09]"},
        {"{\"paint\": {\"target\": \"torsion\", \"value\": 2}}", "tools[1].paint.value",
         "expected a number in [0, 1]"},
        {"{\"paint\": {\"target\": \"mass\", \"value\": 1, \"falloff\": 2}}",
         "tools[1].paint.falloff", "expected a number in [0, 1], found 2"},
        {"{\"paint\": {\"target\": \"mass\", \"value\": 1, \"strength\": 2}}",
         "tools[1].paint.strength", "expected a number in [0, 1], found 2"},
        {"{\"group\": {\"stiffness\": -1}}", "tools[1].group.stiffness",
         "expected a number in [0, 1], found -1"},
        {"{\"group\": {\"particles\": \"none\"}}", "tools[1].group.particles",
         "expected at least one particle"},
        {"{\"mass\": {\"density\": 0}}", "tools[1].mass.density",
         "expected a number in [1e-09, 1e+09], found 0"},
        {"{\"place\": {}}", "tools[1].place", "\"position\" is missing"},
        {"{\"place\": {\"position\": [0, 0, 0], \"mass\": 0}}", "tools[1].place.mass",
         "expected a number in [1e-09, 1e+09], found 0"},
        {"{\"edge\": {\"a\": 0}}", "tools[1].edge", "\"b\" is missing"},
        {"{\"edge\": {\"a\": 0, \"b\": 9}}", "tools[1].edge.b", "particle 9 of 4"},
        {"{\"edge\": {\"a\": 0, \"b\": 1}}", "tools[1].edge.b",
         "particles 0 and 1 are at the same place"},
        {"{\"remove\": {\"particles\": \"ninth\"}}", "tools[1].remove.particles",
         "particle 8 of 4"},
        {"{\"bind\": {\"vertices\": \"late\"}}", "tools[1].bind.vertices", "vertex 24 of 24"},
        {"{\"remove\": {\"particles\": 1}}", "tools[1].remove.particles",
         "expected a selection's name, found a number"},
        {"{\"move\": {}}", "tools[1].move", "\"translation\" is missing"},
        {"{\"move\": {\"translation\": [0, 1]}}", "tools[1].move.translation",
         "expected 3 numbers, found 2"},
        {"{\"move\": {\"translation\": [-1e6, 0, 0]}}, {\"move\": {\"translation\": [-1, 0, 0]}}",
         "tools[2].move.translation", "particle 0 would not be within ±1e+06 m"},
        {"{\"set\": {\"mass\": 0}}", "tools[1].set.mass",
         "expected a number in [1e-09, 1e+09], found 0"},
        {"{\"set\": {\"position\": [0, 0, 0]}}", "tools[1].set.position", "unknown key"},
        {"{\"set\": {\"particles\": \"b\"}}", "tools[1].set.particles",
         "there is no selection \"b\""},
        {"{\"set\": {\"radius\": 1, \"radii\": [1, 1, 1]}}", "tools[1].set",
         "expected either \"radius\" or \"radii\", found both"},
        {"{\"place\": {\"position\": [0, 0, 0], \"particles\": \"none\"}}",
         "tools[1].place.particles", "unknown key"},
        {"{\"mirror\": {\"normal\": [0, 0, 0]}}", "tools[1].mirror.normal",
         "expected a direction with a length from 1e-6 to 1e6"},
        {"{\"mirror\": {\"tolerance\": 0}}", "tools[1].mirror.tolerance",
         "expected a number in (0, 100000], found 0"},
        {"{\"mirror\": {\"offset\": 1e6}}", "tools[1].mirror.offset",
         "the image of particle 0 would not be within ±1e+06 m"},
        {"{\"ungroup\": {\"vertices\": \"none\"}}", "tools[1].ungroup.vertices", "unknown key"},
        {"{\"unbind\": {\"particles\": \"none\"}}", "tools[1].unbind.particles", "unknown key"},
        {"{\"disconnect\": {\"edges\": 1}}", "tools[1].disconnect.edges", "unknown key"},
        {"{\"auto\": {\"method\": \"magic\"}}", "tools[1].auto.method",
         "expected one of \"mixed\", \"spray\", \"slice\""},
        {"{\"auto\": {}}", "tools[1].auto: draft", "it holds particles already"},
        {"{\"live\": {\"as\": \"fly\"}}", "tools[1].live.as",
         "expected one of \"drop\", \"hang\", \"rooted\", \"proposed\""},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"selections\": {\"none\": {\"part\": \"Q*\"}, \"ninth\": {\"indices\": [8]},"
                 " \"late\": {\"indices\": [24]}}, \"tools\": "
                 "[{\"place\": {\"position\": [0, 1, 0]}}, %s]}",
                 mistakes[i].text);
        check_mistake(text, &mistakes[i]);
    }
}

// What is not bound by the recipe follows a particle of its own, which is not there when a draft is made of the model.
static void vertices_left_out_stay_where_they_are(void **state)
{
    (void)state;
    pliant_mesh *mesh = three_boxes();
    pliant_draft *draft =
        draft_by(mesh, "{\"selections\": {\"body\": {\"part\": \"Body\"}}, \"tools\": ["
                       "{\"spray\": {\"spacing\": 0.5}}, {\"bind\": {\"vertices\": \"body\"}}]}");
    int count = pliant_draft_particle_count(draft);
    pliant_model *model = pliant_draft_build(draft, NULL);
    assert_non_null(model);
    assert_int_equal(pliant_model_particle_count(model), count + 1);
    const pliant_particle_def *holder = &pliant_model_particles(model)[count];
    assert_int_equal(holder->flags, PLIANT_PARTICLE_PINNED);
    assert_int_equal(holder->layers | holder->mask, 0);
    for (int i = 0; i < mesh->vertex_count; ++i)
        assert_int_equal(pliant_model_vertices(model)[i].particles[0] == count, i >= 8);

    pliant_draft *again = pliant_draft_create_from_model(mesh, model, NULL);
    assert_int_equal(pliant_draft_particle_count(again), count);
    for (int i = 0; i < mesh->vertex_count; ++i)
        assert_int_equal(pliant_draft_link_weights(again, i)[0] > 0.0f, i < 8);
    pliant_model *same = pliant_draft_build(again, NULL);
    size_t size = pliant_model_blob_size(model);
    assert_int_equal(pliant_model_blob_size(same), size);
    unsigned char *blobs = malloc(2 * size);
    pliant_model_save(model, blobs);
    pliant_model_save(same, blobs + size);
    assert_memory_equal(blobs, blobs + size, size);
    free(blobs);
    pliant_model_destroy(same);
    pliant_draft_destroy(again);
    pliant_model_destroy(model);

    // The rest is carried by nobody: then there is no model.
    assert_int_equal(pliant_draft_unbind(draft, NULL, NULL), PLIANT_OK);
    error = (pliant_error){0};
    assert_null(pliant_draft_build(draft, &error));
    assert_string_equal(error.place, "vertices");
    assert_string_equal(error.message, "none is bound to a particle");
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recipe_does_what_the_calls_do),
        cmocka_unit_test(all_of_it_at_once),
        cmocka_unit_test(lives_as_proposed_or_as_written),
        cmocka_unit_test(materials_have_names),
        cmocka_unit_test(only_what_is_written_is_set),
        cmocka_unit_test(scale_has_a_default),
        cmocka_unit_test(selections_combine),
        cmocka_unit_test(deep_combinations_take_no_time),
        cmocka_unit_test(particles_are_selected_when_a_tool_is_used),
        cmocka_unit_test(given_selections_are_known_by_name),
        cmocka_unit_test(given_particles_keep_their_identity),
        cmocka_unit_test(given_selections_are_checked),
        cmocka_unit_test(texts_that_are_no_recipes_are_refused),
        cmocka_unit_test(selections_that_make_no_sense_are_refused),
        cmocka_unit_test(arguments_out_of_range_are_refused),
        cmocka_unit_test(vertices_left_out_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
