// Hollow bodies, closed layers of surface particles that touch themselves, fall and lie on the ground.

#include "bodies.h"

enum { MOST = 256 };

static const float SIZE = 0.6f;

// A layer: so many particles along an edge of a cube, which may be pressed flat or blown up to a ball.
typedef struct shell {
    int across;
    bool is_ball;
    float height;    // as a part of its width
    float thickness; // of its particles, as a part of their width
    float stiffness;
} shell;

typedef struct layer {
    vec3 places[MOST], normals[MOST];
    int count;
} layer;

// What two faces share is one particle, which looks outwards from both.
static void add_place(layer *l, vec3 place, vec3 normal)
{
    for (int i = 0; i < l->count; ++i)
        if (vec3_length(vec3_sub(place, l->places[i])) < 1e-4f) {
            l->normals[i] = vec3_add(l->normals[i], normal);
            return;
        }
    assert_true(l->count < MOST);
    l->places[l->count] = place;
    l->normals[l->count++] = normal;
}

static vec3 turned_axes(int face, float along, float u, float v)
{
    return face / 2 == 0   ? (vec3){along, u, v}
           : face / 2 == 1 ? (vec3){v, along, u}
                           : (vec3){u, v, along};
}

static layer cube_layer(int across)
{
    layer l = {.count = 0};
    float gap = SIZE / (float)(across - 1);
    for (int face = 0; face < 6; ++face)
        for (int k = 0; k < across * across; ++k) {
            float u = gap * (float)(k / across) - 0.5f * SIZE;
            float v = gap * (float)(k % across) - 0.5f * SIZE, side = face & 1 ? 1.0f : -1.0f;
            add_place(&l, turned_axes(face, 0.5f * SIZE * side, u, v),
                      turned_axes(face, side, 0.0f, 0.0f));
        }
    return l;
}

static quat facing(vec3 normal)
{
    vec3 aside = fabsf(normal.x) < 0.7f ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    vec3 x = vec3_normalize_or(normal, aside);
    vec3 y = vec3_normalize_or(vec3_cross(x, aside), aside);
    return quat_from_axes(x, y, vec3_cross(x, y));
}

static pliant_model *shell_model(const shell *s)
{
    layer l = cube_layer(s->across);
    float gap = SIZE / (float)(s->across - 1), reach = 0.0f;
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < l.count; ++i) {
        if (s->is_ball) {
            l.normals[i] = vec3_normalize_or(l.places[i], (vec3){0, 1, 0});
            l.places[i] = vec3_scale(l.normals[i], 0.5f * SIZE);
        }
        l.places[i].y *= s->height;
        pliant_particle_def def = pliant_default_particle_def();
        def.position = l.places[i];
        def.orientation = facing(l.normals[i]);
        def.radii = vec3_scale((vec3){s->thickness, 1, 1}, 0.55f * gap);
        def.mass = 0.01f;
        def.stiffness = s->stiffness;
        def.flags = PLIANT_PARTICLE_SURFACE;
        pliant_builder_add_particle(builder, &def);
    }
    reach = 1.6f * gap;
    for (int a = 0; a < l.count; ++a)
        for (int b = a + 1; b < l.count; ++b)
            if (vec3_length(vec3_sub(l.places[a], l.places[b])) < reach)
                pliant_builder_add_edge(builder, &(pliant_edge_def){.a = a, .b = b});
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    return model;
}

// m, root of the mean square of the distances from the centre of mass.
static double size_of(const setup *s)
{
    pliant_motion m = pliant_body_motion(s->world, s->body);
    int n = pliant_model_particle_count(s->model);
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        vec3 x = position_of(s, i);
        double d[3] = {(double)x.x - m.centre[0], (double)x.y - m.centre[1],
                       (double)x.z - m.centre[2]};
        sum += length_of(d) * length_of(d);
    }
    return sqrt(sum / n);
}

// How large a shell is as it falls, at the least, and after five seconds: parts of what it was.
typedef struct sizes {
    double falling, least, lying;
} sizes;

static sizes drop(pliant_model *model, bool touches_itself, float dt)
{
    setup s = setup_with(model);
    s.body_def.self_collision = touches_itself;
    s.body_def.position.y = 2.5f;
    s.body_def.orientation = quat_exp((vec3){0.2f, 0.1f, 0.3f});
    setup_open(&s);
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(s.world, &ground, NULL);
    double start = size_of(&s);
    run(&s, 0.5, dt);
    sizes out = {.falling = size_of(&s) / start, .least = 1.0};
    for (int i = 0; i < (int)(5.0f / dt); ++i) {
        pliant_world_step(s.world, dt);
        if (i % 10 == 0)
            out.least = fmin(out.least, size_of(&s) / start);
    }
    assert_true(all_finite(&s));
    out.lying = size_of(&s) / start;
    pliant_world_destroy(s.world);
    return out;
}

// Opposite sides are on each other's inner side, and beside each other at edges: they leave each other alone, and touching
// itself a shell is pressed together no further than without.
static void test_shells_keep_their_shape(void **state)
{
    (void)state;
    static const shell shells[] = {
        {4, false, 1.0f, 0.15f, 0.5f}, {6, false, 1.0f, 0.3f, 0.5f},  {4, false, 0.3f, 0.15f, 0.5f},
        {6, false, 0.3f, 0.3f, 0.3f},  {4, true, 1.0f, 0.15f, 0.5f},  {6, true, 1.0f, 0.15f, 0.5f},
        {6, true, 1.0f, 0.3f, 0.3f},   {6, false, 1.0f, 0.15f, 1.0f}, {6, true, 1.0f, 1.0f, 1.0f},
        {6, false, 0.2f, 0.1f, 0.3f},
    };
    static const float steps[] = {1.0f / 60.0f, 1.0f / 200.0f};
    for (int k = 0; k < 10; ++k)
        for (int i = 0; i < (FULL_LENGTH ? 2 : 1); ++i) {
            pliant_model *model = shell_model(&shells[k]);
            sizes alone = drop(model, false, steps[i]), now = drop(model, true, steps[i]);
            print_message("shell %d: %.4f falling, %.3f at the least (%.3f), %.3f lying (%.3f)\n",
                          k, now.falling, now.least, alone.least, now.lying, alone.lying);
            assert_near(now.falling, 1.0, 1e-3);
            assert_true(now.least > alone.least - 0.01);
            assert_true(now.least > 0.85);
            assert_near(now.lying, 1.0, 0.03);
            pliant_model_destroy(model);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shells_keep_their_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
