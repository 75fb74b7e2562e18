// Pins that come and go while it runs: what holds then depends on which particles are pinned, not on how they came to be.

#include "bodies.h"

enum { COLUMN = 16 };

static lattice beam(bool is_rigid)
{
    lattice l = lattice_of(6, 4, 4);
    l.is_rigid = is_rigid;
    l.stretch = 0.5f;
    return l;
}

static setup open_beam(const lattice *l)
{
    setup s = setup_of(l);
    s.world_def.gravity = (vec3){0, -9.81f, 0};
    setup_open(&s);
    return s;
}

static void set_pin(setup *s, int particle, bool pinned)
{
    assert_int_equal(pliant_body_set_pinned(s->world, s->body, particle, pinned, NULL), PLIANT_OK);
}

static void check_same_way(setup *a, setup *b)
{
    run(a, 1.0, 1.0f / 60.0f);
    run(b, 1.0, 1.0f / 60.0f);
    for (int i = 0; i < pliant_model_particle_count(a->model); ++i) {
        vec3 x = position_of(a, i), y = position_of(b, i);
        assert_memory_equal(&x, &y, sizeof x);
    }
}

// Pinned by the model, and one by one in another order with some that are freed again.
static void pins_add_up(void **state)
{
    (void)state;
    for (int is_rigid = 0; is_rigid < 2; ++is_rigid) {
        lattice l = beam(is_rigid), pinned = l;
        pinned.pinned_columns = 1;
        setup one = open_beam(&pinned), other = open_beam(&l);
        for (int k = 0; k < COLUMN; ++k) {
            set_pin(&other, COLUMN + 5 * k, true);
            set_pin(&other, (7 * k + 3) % COLUMN, true);
        }
        for (int k = 0; k < COLUMN; ++k)
            set_pin(&other, COLUMN + 5 * k, false);
        check_same_way(&one, &other);
        setup_close(&one);
        setup_close(&other);
    }
}

// From either end.
static void order_does_not_matter(void **state)
{
    (void)state;
    lattice l = beam(false);
    setup one = open_beam(&l), other = open_beam(&l);
    for (int k = 0; k < 40; ++k) {
        set_pin(&one, 2 * k, true);
        set_pin(&other, 2 * (39 - k), true);
    }
    check_same_way(&one, &other);
    setup_close(&one);
    setup_close(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pins_add_up),
        cmocka_unit_test(order_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
