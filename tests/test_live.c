// How things live: what their shape proposes, wherever, however large and however turned they are, and what is pinned then.

#include "draft/draft.h"
#include "gltf/gltf.h"
#include "meshes.h"
#include "solids.h"

// ---------------------------------------------------------------------------------------------
// Things

static pliant_mesh *upright(pliant_mesh *mesh, vec3 shift)
{
    return moved(mesh, quat_exp((vec3){-0.5f * PI, 0, 0}), shift);
}

// A trunk with a crown.
static pliant_mesh *tree(void)
{
    pliant_mesh *crown = moved(sphere_mesh(0.6f, 10), quat_identity(), (vec3){0.1f, 1.7f, 0});
    return joined(upright(tube_mesh(0.08f, 1.4f, 12, 60), (vec3){0, 0.7f, 0}), crown);
}

static pliant_mesh *banner(void)
{
    return open_sheet_mesh(1.0f, 1.6f, 10, 16);
}

// Its lower end is a point: a small foot, but no root.
static pliant_mesh *pennant(void)
{
    pliant_mesh *mesh = banner();
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh->positions[v].x *= 0.05f + 0.95f * (mesh->positions[v].y + 0.8f) / 1.6f;
    return mesh;
}

// A sheet around the vertical, open above and below, its upper rim tilted.
static vec3 skirt_point(float u, float v, const float *sizes)
{
    float radius = sizes[0] * (1.0f - 0.4f * v), z = radius * sinf(2.0f * PI * u);
    return (vec3){radius * cosf(2.0f * PI * u), v * (sizes[1] + sizes[2] * z), z};
}

static pliant_mesh *skirt(void)
{
    const float sizes[3] = {0.5f, 1.0f, 0.3f};
    return wrapped_mesh(skirt_point, sizes, 32, 24, false);
}

// Cards around a head, as hair is made of.
static pliant_mesh *hair(void)
{
    enum { CARDS = 12 };
    pliant_mesh *all = NULL;
    for (int i = 0; i < CARDS; ++i) {
        pliant_mesh *card = open_sheet_mesh(0.08f, 0.6f, 2, 12);
        quat turn = quat_exp((vec3){0, PI * (float)i / CARDS - 0.5f * PI, 0});
        card = moved(card, turn, quat_rotate(turn, (vec3){0, 0, 0.12f}));
        all = all ? joined(all, card) : card;
    }
    return all;
}

static pliant_mesh *ball(void)
{
    return sphere_mesh(0.5f, 10);
}

static pliant_mesh *table(void)
{
    pliant_mesh *all =
        moved(box_mesh((vec3){1.6f, 0.08f, 0.9f}, 16, 1, 9), quat_identity(), (vec3){0, 0.76f, 0});
    for (int i = 0; i < 4; ++i) {
        vec3 at = {i % 2 ? 0.7f : -0.7f, 0.36f, i / 2 ? 0.35f : -0.35f};
        all =
            joined(all, moved(box_mesh((vec3){0.08f, 0.72f, 0.08f}, 1, 8, 1), quat_identity(), at));
    }
    return all;
}

static pliant_mesh *rope(void)
{
    return upright(tube_mesh(0.03f, 2.0f, 12, 100), (vec3){0, 1, 0});
}

// Four walls and a roof, without a floor.
static pliant_mesh *house(void)
{
    pliant_mesh *mesh = box_mesh((vec3){1, 1, 1}, 8, 8, 8);
    return with_hole(mesh, (vec3){0, -2.0f, 0}, 1.6f);
}

// Open above only.
static pliant_mesh *cup(void)
{
    return moved(house(), quat_exp((vec3){PI, 0, 0}), (vec3){0, 0, 0});
}

static pliant_mesh *carpet(void)
{
    return upright(open_sheet_mesh(1.0f, 1.6f, 10, 16), (vec3){0, 0, 0});
}

static const struct {
    const char *name;
    pliant_mesh *(*make)(void);
    pliant_live live;
} things[] = {
    {"tree", tree, PLIANT_LIVE_ROOTED},     {"banner", banner, PLIANT_LIVE_HANG},
    {"pennant", pennant, PLIANT_LIVE_HANG}, {"skirt", skirt, PLIANT_LIVE_HANG},
    {"hair", hair, PLIANT_LIVE_HANG},       {"ball", ball, PLIANT_LIVE_DROP},
    {"table", table, PLIANT_LIVE_DROP},     {"rope", rope, PLIANT_LIVE_HANG},
    {"house", house, PLIANT_LIVE_DROP},     {"cup", cup, PLIANT_LIVE_DROP},
    {"carpet", carpet, PLIANT_LIVE_DROP},
};

enum { THINGS = sizeof things / sizeof things[0] };

static pliant_draft *authored(const pliant_mesh *mesh)
{
    pliant_error error = {0};
    pliant_draft *draft = draft_of(mesh);
    pliant_auto_def def = pliant_default_auto_def();
    assert_ok(pliant_draft_auto(draft, &def, &error));
    return draft;
}

static pliant_live proposal(pliant_draft *draft)
{
    pliant_error error = {0};
    pliant_live live;
    assert_ok(pliant_draft_propose_live(draft, &live, &error));
    return live;
}

static void set(pliant_draft *draft, pliant_live live)
{
    pliant_error error = {0};
    assert_ok(pliant_draft_set_live(draft, live, &error));
    assert_int_equal(pliant_draft_live(draft), live);
}

static bool is_pinned(pliant_draft *draft, int i)
{
    return pliant_draft_particle(draft, i)->flags & PLIANT_PARTICLE_PINNED;
}

static void finish(pliant_draft *draft, pliant_mesh *mesh)
{
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Proposals

static pliant_mesh *scaled(pliant_mesh *mesh, float scale)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh->positions[v] = vec3_scale(mesh->positions[v], scale);
    return mesh;
}

static void shapes_propose_how_they_live(void **unused)
{
    (void)unused;
    const struct {
        float angle, scale;
        vec3 shift;
    } others[] = {{0, 1, {0, 0, 0}},
                  {0.7f, 1, {3, -2, 1}},
                  {2.1f, 10, {0, 40, 0}},
                  {-1.2f, 0.05f, {0, 0, 0}}};
    for (int i = 0; i < THINGS; ++i) {
        for (int k = 0; k < 4; ++k) {
            quat turn = quat_exp((vec3){0, others[k].angle, 0});
            pliant_mesh *mesh =
                moved(scaled(things[i].make(), others[k].scale), turn, others[k].shift);
            pliant_draft *draft = authored(mesh);
            if (proposal(draft) != things[i].live)
                fail_msg("%s, version %d: %s", things[i].name, k,
                         pliant_live_name(proposal(draft)));
            // Pins have no say.
            assert_int_equal(pliant_draft_set_live(draft, PLIANT_LIVE_ROOTED, NULL), PLIANT_OK);
            assert_int_equal(proposal(draft), things[i].live);
            finish(draft, mesh);
        }
    }
}

// A character in a walk stands on one foot.
static void what_is_rigged_is_not_rooted(void **unused)
{
    (void)unused;
    gltf_part skinned = {.is_skinned = true};
    pliant_gltf document = {.part_count = 1, .parts = &skinned};
    pliant_mesh *mesh = tree();
    pliant_draft *draft = authored(mesh);
    mesh->document = &document;
    assert_int_equal(proposal(draft), PLIANT_LIVE_DROP);
    mesh->document = NULL;
    assert_int_equal(proposal(draft), PLIANT_LIVE_ROOTED);
    finish(draft, mesh);
}

// A banner on a block is a banner where nothing but it moves.
static void only_what_is_carried_counts(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *block =
        moved(box_mesh((vec3){2, 2, 2}, 8, 8, 8), quat_identity(), (vec3){0, 0, -1.1f});
    int32_t first = block->vertex_count;
    pliant_mesh *mesh = joined(block, banner());
    pliant_selection vertices = {mesh->vertex_count - first,
                                 malloc((size_t)mesh->vertex_count * sizeof(int32_t))};
    for (int32_t i = 0; i < vertices.count; ++i)
        vertices.indices[i] = first + i;
    pliant_draft *draft = draft_of(mesh);
    pliant_auto_def def = pliant_default_auto_def();
    assert_ok(pliant_draft_auto(draft, &def, &error));
    assert_int_equal(proposal(draft), PLIANT_LIVE_DROP);
    assert_ok(pliant_draft_remove(draft, NULL, &error));
    def.vertices = &vertices;
    assert_ok(pliant_draft_auto(draft, &def, &error));
    assert_int_equal(proposal(draft), PLIANT_LIVE_HANG);
    pliant_selection_release(&vertices);
    pliant_draft_destroy(draft);
    pliant_mesh_destroy(mesh);
}

// A draft without particles drops; what sets the scale is not the question.
static void asking_changes_nothing(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = tree();
    pliant_draft *draft = draft_of(mesh);
    assert_int_equal(proposal(draft), PLIANT_LIVE_DROP);
    assert_int_equal(pliant_draft_set_live(draft, PLIANT_LIVE_HANG, &error), PLIANT_ERROR_ARGUMENT);
    pliant_particle_def particle = pliant_default_particle_def();
    assert_int_equal(pliant_draft_place(draft, &particle, &error), 0);
    proposal(draft);
    assert_true(pliant_draft_spacing(draft) == 0.0f);
    finish(draft, mesh);
}

// ---------------------------------------------------------------------------------------------
// Pins

static void a_tree_is_pinned_at_its_foot_alone(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = tree();
    pliant_draft *draft = authored(mesh);
    int pinned = 0;
    set(draft, PLIANT_LIVE_HANG);
    set(draft, PLIANT_LIVE_ROOTED);
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
        bool is_low = particle_position(draft, i).y < 2.0f * pliant_draft_spacing(draft);
        assert_true(!is_pinned(draft, i) || is_low);
        pinned += is_pinned(draft, i);
    }
    assert_in_range(pinned, 1, 12);
    assert_int_equal(pliant_draft_group_count(draft), 1);
    set(draft, PLIANT_LIVE_DROP);
    assert_int_equal(pliant_draft_group_count(draft), 0);
    finish(draft, mesh);
}

// A group that somebody made for another reason stays.
static void groups_of_others_stay(void **unused)
{
    (void)unused;
    pliant_error error = {0};
    pliant_mesh *mesh = tree();
    pliant_draft *draft = authored(mesh);
    pliant_group_def rigid = {.stiffness = 1.0f};
    assert_ok(pliant_draft_group(draft, NULL, &rigid, &error));
    for (int live = PLIANT_LIVE_ROOTED; live >= PLIANT_LIVE_DROP; --live) {
        set(draft, (pliant_live)live);
        assert_int_equal(pliant_draft_group_count(draft), 1);
        assert_true(pliant_draft_group_at(draft, 0).stiffness == 1.0f);
    }
    finish(draft, mesh);
}

// Two side by side hang by an edge each: one row, from end to end.
static void banners_hang_by_their_uppermost_rows(void **unused)
{
    (void)unused;
    pliant_mesh *low = moved(banner(), quat_identity(), (vec3){2, -0.5f, 0});
    pliant_mesh *mesh = joined(banner(), low);
    pliant_draft *draft = authored(mesh);
    float spacing = pliant_draft_spacing(draft), left[2] = {9, 9}, right[2] = {-9, -9};
    set(draft, PLIANT_LIVE_HANG);
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
        vec3 x = particle_position(draft, i);
        int which = x.x > 1.0f;
        float top = which ? 0.3f : 0.8f;
        assert_int_equal(is_pinned(draft, i) && x.y < top - 1.3f * spacing, 0);
        assert_true(is_pinned(draft, i) || x.y < top - 0.25f * spacing);
        if (is_pinned(draft, i)) {
            left[which] = minimum(left[which], x.x);
            right[which] = maximum(right[which], x.x);
        }
    }
    assert_true(left[0] < -0.4f && right[0] > 0.4f && left[1] < 1.6f && right[1] > 2.4f);
    finish(draft, mesh);
}

// Its rim is 0.18 m lower on one side.
static void a_tilted_rim_is_held_all_around(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = skirt();
    pliant_draft *draft = authored(mesh);
    bool quarters[4] = {0};
    int pinned = 0;
    set(draft, PLIANT_LIVE_HANG);
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
        vec3 x = particle_position(draft, i);
        assert_true(!is_pinned(draft, i) || x.y > 0.5f);
        if (is_pinned(draft, i))
            quarters[2 * (x.x > 0.0f) + (x.z > 0.0f)] = true;
        pinned += is_pinned(draft, i);
    }
    assert_true(quarters[0] && quarters[1] && quarters[2] && quarters[3]);
    assert_true(pinned < pliant_draft_particle_count(draft) / 2);
    finish(draft, mesh);
}

// ---------------------------------------------------------------------------------------------
// Living

// After five seconds a tree stands as high as before, on its foot; in a size of its own, too.
static void rooted_things_stand(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; ++k) {
        float scale = k ? 0.2f : 1.0f;
        pliant_mesh *mesh = scaled(tree(), scale);
        pliant_draft *draft = authored(mesh);
        set(draft, PLIANT_LIVE_ROOTED);
        pliant_error error = {0};
        pliant_scene *scene =
            pliant_scene_create_drop("tree", pliant_draft_build(draft, &error), NULL, &error);
        assert_non_null(scene);
        assert_string_equal(scene->title, "tree rooted in the ground");
        pliant_stage stage;
        assert_int_equal(pliant_stage_open(&stage, scene, NULL, NULL), PLIANT_OK);
        for (int i = 0; i < 300; ++i)
            pliant_stage_step(&stage, 1.0f / 60.0f);
        float high = 0.0f;
        for (int i = 0; i < pliant_draft_particle_count(draft); ++i) {
            vec3 x = pliant_body_particle_pose(stage.world, stage.bodies[0], i).position;
            high = maximum(high, x.y);
            if (is_pinned(draft, i))
                assert_near(vec3_length(vec3_sub(x, particle_position(draft, i))), 0.0f, 1e-6f);
        }
        assert_true(high > 0.8f * 2.2f * scale);
        pliant_stage_close(&stage);
        pliant_scene_destroy(scene);
        finish(draft, mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_propose_how_they_live),
        cmocka_unit_test(what_is_rigged_is_not_rooted),
        cmocka_unit_test(only_what_is_carried_counts),
        cmocka_unit_test(asking_changes_nothing),
        cmocka_unit_test(a_tree_is_pinned_at_its_foot_alone),
        cmocka_unit_test(groups_of_others_stay),
        cmocka_unit_test(banners_hang_by_their_uppermost_rows),
        cmocka_unit_test(a_tilted_rim_is_held_all_around),
        cmocka_unit_test(rooted_things_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
