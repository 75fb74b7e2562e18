// What change costs: bodies that come, go and wake, colliders far away, crowds, pins, attachments, questions; and a busy
// neighbour.
//
//     pliant-change-bench
//
// Each line is a ratio of two times of one run, on one thread, with what it should be at most. What is far away or asleep
// should cost nothing, and what changes should cost what it touches. The last lines are of a pool with two workers, beside
// a process that keeps one processor busy.

#ifdef __linux__
#define _GNU_SOURCE // sched_setaffinity
#endif

#include <pliant/pool.h>

#include "run.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const float DT = 1.0f / 60.0f;

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void *checked(void *made)
{
    if (!made) {
        fputs("something could not be made\n", stderr);
        exit(1);
    }
    return made;
}

static void tell(const char *what, double before, double after, double most)
{
    printf("%-66s %9.3f %9.3f ms %6.2f (at most %g)\n", what, before, after, after / before, most);
    fflush(stdout);
}

// ---------------------------------------------------------------------------------------------
// Worlds

static pliant_model *block_model(int x, int y, int z, float spacing)
{
    pliant_builder *builder = checked(pliant_builder_create(NULL));
    pliant_block_def def = pliant_default_block_def();
    def.counts[0] = x;
    def.counts[1] = y;
    def.counts[2] = z;
    def.size = (pliant_vec3){spacing * (float)x, spacing * (float)y, spacing * (float)z};
    pliant_builder_add_block(builder, &def);
    pliant_model *model = checked(pliant_builder_build(builder, NULL));
    pliant_builder_destroy(builder);
    return model;
}

static pliant_model *ball_model(void)
{
    pliant_builder *builder = checked(pliant_builder_create(NULL));
    pliant_particle_def particle = pliant_default_particle_def();
    pliant_builder_add_particle(builder, &particle);
    pliant_model *model = checked(pliant_builder_build(builder, NULL));
    pliant_builder_destroy(builder);
    return model;
}

static pliant_world *world_on_plane(bool sleeps)
{
    pliant_world_def def = pliant_default_world_def();
    def.sleep_speed = sleeps ? def.sleep_speed : 0.0f;
    pliant_world *world = checked(pliant_world_create(&def, NULL));
    pliant_plane_def ground = pliant_default_plane_def();
    pliant_world_add_plane(world, &ground, NULL);
    return world;
}

static pliant_body_id add_at(pliant_world *world, const pliant_model *model, float x, float y,
                             float z)
{
    pliant_body_def def = pliant_default_body_def();
    def.model = model;
    def.position = (pliant_vec3){x, y, z};
    return pliant_world_add_body(world, &def, NULL);
}

// Blocks in rows, each a metre from the next, standing on the ground.
static void add_rows(pliant_world *world, const pliant_model *model, int count, float height)
{
    int row = (int)ceil(sqrt(count));
    for (int i = 0; i < count; ++i)
        add_at(world, model, (float)(i % row), height, (float)(i / row));
}

static double step_ms(pliant_world *world)
{
    double begin = now_ms();
    pliant_world_step(world, DT);
    return now_ms() - begin;
}

// The shortest of some steps.
static double calm_ms(pliant_world *world, int steps)
{
    double least = INFINITY;
    for (int i = 0; i < steps; ++i)
        least = fmin(least, step_ms(world));
    return least;
}

static void settle(pliant_world *world, int steps)
{
    for (int i = 0; i < steps; ++i)
        pliant_world_step(world, DT);
}

// ---------------------------------------------------------------------------------------------
// What is far away

static void add_far_boxes(pliant_world *world, const pliant_shape *shape, int count)
{
    pliant_collider_def def = pliant_default_collider_def();
    def.shape = shape;
    for (int i = 0; i < count; ++i) {
        def.position = (pliant_vec3){1000.0f + (float)(i % 50), 0.0f, (float)(i / 50)};
        pliant_world_add_collider(world, &def, NULL);
    }
}

static void measure_far_boxes(void)
{
    pliant_model *model = block_model(3, 3, 3, 0.2f);
    pliant_shape_def def = {.kind = PLIANT_SHAPE_BOX, .half_size = {0.4f, 0.4f, 0.4f}};
    pliant_shape *shape = checked(pliant_shape_create(&def, NULL, NULL));
    pliant_world *world = world_on_plane(false);
    add_rows(world, model, 400, 0.3f);
    settle(world, 60);
    double before = calm_ms(world, 40);
    add_far_boxes(world, shape, 2000);
    settle(world, 2);
    tell("400 resting bodies; with 2,000 boxes a kilometre away", before, calm_ms(world, 40), 1.1);
    pliant_world_destroy(world);
    pliant_shape_destroy(shape);
    pliant_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// What comes and goes

static void measure_removal_and_coming(void)
{
    enum { BODIES = 900, ROUNDS = 20 };
    pliant_model *model = block_model(3, 3, 3, 0.2f);
    pliant_world *world = world_on_plane(true);
    add_rows(world, model, BODIES, 0.3f);
    settle(world, 300);
    double calm = calm_ms(world, 40), removed = INFINITY, added = INFINITY;
    int least_asleep = BODIES;
    for (int i = 0; i < ROUNDS; ++i) {
        pliant_body_id id = add_at(world, model, 500.0f, 0.3f, 0.0f);
        pliant_body_sleep(world, id);
        settle(world, 2);
        pliant_world_remove_body(world, id);
        removed = fmin(removed, step_ms(world));
        int asleep = pliant_world_report(world).sleeping_bodies;
        least_asleep = asleep < least_asleep ? asleep : least_asleep;
    }
    tell("900 sleepers; the step after a far body was removed", calm, removed, 1.2);
    printf("%-66s %9d of %d\n", "… of which sleep on", least_asleep, BODIES);

    // Another one that is awake costs its own step, which is measured by itself.
    pliant_world *alone = world_on_plane(true);
    add_at(alone, model, 500.0f, 0.3f, 0.0f);
    calm += calm_ms(alone, 10);
    for (int i = 0; i < ROUNDS; ++i) {
        pliant_body_id id = add_at(world, model, 500.0f, 0.3f, 0.0f);
        added = fmin(added, step_ms(world));
        pliant_world_remove_body(world, id);
        settle(world, 2);
    }
    tell("900 sleepers and one awake; the step after it was added", calm, added, 1.3);
    double woken = INFINITY;
    for (int i = 0; i < ROUNDS; ++i) {
        pliant_body_id id = pliant_world_body_at(world, 40 * i);
        pliant_body_wake(world, id);
        woken = fmin(woken, step_ms(world));
        pliant_body_sleep(world, id);
        settle(world, 2);
    }
    tell("900 sleepers and one awake; the step after it woke", calm, woken, 1.3);
    pliant_world_destroy(alone);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
}

// A step of a crowd that never sleeps, for each body.
static double crowd_ms(const pliant_model *model, int bodies)
{
    pliant_world *world = world_on_plane(false);
    pliant_world_set_quality(world, 5, 2);
    add_rows(world, model, bodies, 0.3f);
    settle(world, 60);
    double each = calm_ms(world, 40) / bodies;
    pliant_world_destroy(world);
    return each;
}

static void measure_crowd(void)
{
    pliant_model *model = block_model(3, 3, 3, 0.2f);
    double few = crowd_ms(model, 100), many = crowd_ms(model, 1000);
    tell("a step of 100 bodies, for each; of 1,000 bodies", few, many, 1.3);
    pliant_model_destroy(model);
}

static void measure_adding(void)
{
    enum { MANY = 5000, PARTS = 4 };
    pliant_model *model = ball_model();
    pliant_world *world = world_on_plane(true);
    double times[PARTS];
    for (int part = 0; part < PARTS; ++part) {
        double begin = now_ms();
        for (int i = 0; i < MANY; ++i)
            add_at(world, model, 2.0f * (float)(i % 100), 2.0f,
                   2.0f * (float)(i / 100 + 50 * part));
        times[part] = now_ms() - begin;
    }
    tell("adding 5,000 balls; 5,000 more when there are 15,000", times[0], times[PARTS - 1], 1.3);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
}

static void measure_pins(void)
{
    pliant_model *model = block_model(40, 40, 25, 0.1f);
    pliant_world *world = world_on_plane(false);
    pliant_body_id id = add_at(world, model, 0.0f, 2.0f, 0.0f);
    pliant_body_set_pinned(world, id, 0, true, NULL);
    settle(world, 2);
    double step = calm_ms(world, 5), least = INFINITY;
    for (int i = 1; i <= 20; ++i) {
        double begin = now_ms();
        pliant_body_set_pinned(world, id, i, true, NULL);
        least = fmin(least, now_ms() - begin);
    }
    tell("a step of 40,000 particles; pinning one more of them", step, least, 0.01);
    pliant_world_destroy(world);
    pliant_model_destroy(model);
}

static void measure_attachment(void)
{
    pliant_model *beam = block_model(256, 12, 8, 0.1f), *ball = ball_model();
    pliant_world *world = world_on_plane(false);
    add_at(world, beam, 0.0f, 50.0f, 0.0f);
    pliant_body_id other = add_at(world, ball, 0.0f, 100.0f, 0.0f);
    pliant_world_set_gravity(world, (pliant_vec3){0.0f, 0.0f, 0.0f});
    settle(world, 5);
    double before = calm_ms(world, 10);
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = other;
    pliant_attachment_id id = pliant_world_add_attachment(world, &def, NULL);
    settle(world, 2);
    tell("a long beam; with an attachment elsewhere", before, calm_ms(world, 10), 1.05);
    pliant_world_remove_attachment(world, id);
    settle(world, 2);
    tell("a long beam; after that was removed", before, calm_ms(world, 10), 1.05);
    pliant_world_destroy(world);
    pliant_model_destroy(beam);
    pliant_model_destroy(ball);
}

// ---------------------------------------------------------------------------------------------
// Questions

typedef struct answers {
    double ray, closest; // ms for all of them
} answers;

static answers time_answers(const pliant_world *world)
{
    enum { QUESTIONS = 500 };
    answers a;
    pliant_hit hit;
    double begin = now_ms();
    for (int i = 0; i < QUESTIONS; ++i) {
        pliant_vec3 from = {(float)(i % 10) + 0.3f, 10.0f, (float)(i / 10 % 10) + 0.4f};
        pliant_world_ray_cast(world, from, (pliant_vec3){0.1f, -1.0f, 0.05f}, 100.0f, UINT32_MAX,
                              &hit);
    }
    a.ray = now_ms() - begin;
    begin = now_ms();
    for (int i = 0; i < QUESTIONS; ++i) {
        pliant_vec3 from = {(float)(i % 10) + 0.3f, 4.0f, (float)(i / 10 % 10) + 0.4f};
        pliant_world_closest_point(world, from, 5.0f, UINT32_MAX, &hit);
    }
    a.closest = now_ms() - begin;
    return a;
}

static answers ask(int count)
{
    enum { ROUNDS = 5 };
    pliant_model *model = ball_model();
    pliant_shape_def def = {.kind = PLIANT_SHAPE_BOX, .half_size = {0.2f, 0.2f, 0.2f}};
    pliant_shape *shape = checked(pliant_shape_create(&def, NULL, NULL));
    pliant_world *world = world_on_plane(true);
    pliant_collider_def collider = pliant_default_collider_def();
    collider.shape = shape;
    int row = (int)ceil(sqrt(count));
    for (int i = 0; i < count; ++i) {
        float x = 2.0f * (float)(i % row), z = 2.0f * (float)(i / row);
        add_at(world, model, x, 3.0f, z);
        collider.position = (pliant_vec3){x + 1.0f, 3.0f, z};
        pliant_world_add_collider(world, &collider, NULL);
    }
    settle(world, 1);
    answers least = {INFINITY, INFINITY};
    for (int round = 0; round < ROUNDS; ++round) {
        answers now = time_answers(world);
        least.ray = fmin(least.ray, now.ray);
        least.closest = fmin(least.closest, now.closest);
    }
    pliant_world_destroy(world);
    pliant_shape_destroy(shape);
    pliant_model_destroy(model);
    return least;
}

static void measure_questions(void)
{
    answers few = ask(100), many = ask(10000);
    tell("500 rays among 100 bodies and colliders; among 10,000", few.ray, many.ray, 5);
    tell("500 closest points, likewise", few.closest, many.closest, 5);
}

// ---------------------------------------------------------------------------------------------
// A busy neighbour

static void stay_on_one_processor(void)
{
#ifdef __linux__
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    int last = CPU_SETSIZE - 1;
    while (last > 0 && !CPU_ISSET(last, &set))
        --last;
    CPU_ZERO(&set);
    CPU_SET(last, &set);
    sched_setaffinity(0, sizeof set, &set);
#endif
}

// A process that never rests; 0 where there can be none.
static pid_t start_busy_neighbour(void)
{
    pid_t id = fork();
    if (id == 0) {
        stay_on_one_processor();
        for (volatile unsigned k = 0;; ++k)
            ;
    }
    return id > 0 ? id : 0;
}

static void open_run(bench_run *run, const char *name, pliant_pool *pool)
{
    bench_case wanted = {.name = name, .touches = true, .substeps = 1, .iterations = 5};
    wanted.parallel_for = pool ? pliant_pool_run : NULL;
    wanted.parallel_user_data = pool;
    pliant_error error;
    if (!bench_open(run, &wanted, &error))
        checked(NULL);
    for (int i = 0; i < run->warm_steps; ++i)
        bench_step(run);
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void time_steps(bench_run *run, double *times, int count)
{
    for (int i = 0; i < count; ++i) {
        double begin = now_ms();
        bench_step(run);
        times[i] = now_ms() - begin;
    }
}

// Medians: a neighbour takes its turns in some steps and not in others. One and two workers take turns, too.
static void compare_workers(bench_run *one, bench_run *two, const char *what, double most)
{
    enum { TURNS = 10, STEPS = 10, ALL = TURNS * STEPS };
    double times_one[ALL], times_two[ALL];
    for (int i = 0; i < ALL; i += STEPS) {
        time_steps(one, times_one + i, STEPS);
        time_steps(two, times_two + i, STEPS);
    }
    qsort(times_one, ALL, sizeof *times_one, compare_times);
    qsort(times_two, ALL, sizeof *times_two, compare_times);
    tell(what, times_one[ALL / 2], times_two[ALL / 2], most);
}

static void measure_busy_neighbour(void)
{
    pliant_pool *pool = checked(pliant_pool_create(2, NULL, NULL));
    bench_run one, two;
    open_run(&one, "W4", NULL);
    open_run(&two, "W4", pool);
    compare_workers(&one, &two, "a hundred octopuses with one worker; with two", 0.6);
    pid_t neighbour = start_busy_neighbour();
    compare_workers(&one, &two, "… the same, beside a process that keeps one processor busy", 1.1);
    if (neighbour) {
        kill(neighbour, SIGKILL);
        waitpid(neighbour, NULL, 0);
    }
    bench_close(&one);
    bench_close(&two);
    pliant_pool_destroy(pool);
}

int main(void)
{
    printf("%-66s %9s %9s    ratio\n", "", "before", "after");
    measure_far_boxes();
    measure_removal_and_coming();
    measure_crowd();
    measure_adding();
    measure_pins();
    measure_attachment();
    measure_questions();
    measure_busy_neighbour();
    return 0;
}
