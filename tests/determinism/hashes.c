// Prints "NAME STEPS HASH" for every built-in scene and those for checks. Two builds of Pliant that print different lines are not
// deterministic with respect to each other.
//
//     hashes [--steps N] [--workers N] [--instructions best|portable] [--all]
//
// N steps, default 120, on one thread without a pool unless --workers is given. With --all come lines
// "NAME STEPS HASH INSTRUCTIONS-WORKERS" for each pair of those: what differs at run time shares one build. Such
// a world is not run from the start again. Every 30 steps (or at the end of fewer) it is given the state of two steps before, and has to
// arrive at the same state: what a step does depends on the state alone, and these are states with everything
// going on in them. Its line tells the first moment at which it did not, or the last one.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scenes.h>

enum { EVERY = 30, WINDOW = 2, WORKERS = 4, FOLLOWERS = 2 * WORKERS };

static const int workers_of[WORKERS] = {1, 2, 3, 8};
static const char *const instructions_of[2] = {"best", "portable"};
static const float DT = 1.0f / 60.0f;

typedef struct options {
    int steps, workers; // workers 0: no pool
    const char *instructions;
    bool all;
} options;

// A world that goes part of the way of another one.
typedef struct follower {
    pliant_stage stage;
    int steps; // of the hash
    uint64_t hash;
    bool strayed;
} follower;

static void fail(const char *what, const pliant_error *error)
{
    fprintf(stderr, "%s: %s: %s\n", what, error->place, error->message);
    exit(1);
}

static pliant_pool *open_pool(int workers)
{
    pliant_error error = {0};
    pliant_pool *pool = pliant_pool_create(workers, NULL, &error);
    if (!pool)
        fail("pool", &error);
    return pool;
}

// `pool` may be NULL.
static pliant_stage open_stage(const pliant_scene *scene, pliant_pool *pool,
                               const char *instructions)
{
    pliant_world_def def = scene->world;
    if (strcmp(instructions, "portable") == 0)
        def.instructions = PLIANT_INSTRUCTIONS_PORTABLE;
    if (pool) {
        def.parallel_for = pliant_pool_run;
        def.parallel_user_data = pool;
    }
    pliant_error error = {0};
    pliant_stage stage;
    if (pliant_stage_open(&stage, scene, &def, &error) != PLIANT_OK)
        fail(scene->name, &error);
    return stage;
}

// Goes on from where the leader is.
static void go_ahead(follower *f, const pliant_stage *leader, const void *picture, size_t size)
{
    pliant_error error = {0};
    if (pliant_world_restore(f->stage.world, picture, size, &error) != PLIANT_OK)
        fail(leader->scene->name, &error);
    size_t motors = (size_t)leader->scene->motor_count;
    memcpy(f->stage.motors_on, leader->motors_on, motors * sizeof *leader->motors_on);
    for (int i = 0; i < WINDOW; ++i)
        pliant_stage_step(&f->stage, DT);
    f->hash = pliant_world_hash(f->stage.world);
    f->steps = (int)pliant_world_report(f->stage.world).steps;
}

static void go_ahead_all(follower *followers, const pliant_stage *leader)
{
    size_t size = pliant_world_snapshot_size(leader->world);
    void *picture = malloc(size);
    if (!picture)
        exit(1);
    pliant_world_snapshot(leader->world, picture);
    for (int i = 0; i < FOLLOWERS; ++i) {
        if (!followers[i].strayed)
            go_ahead(&followers[i], leader, picture, size);
    }
    free(picture);
}

static void meet_all(follower *followers, const pliant_stage *leader)
{
    for (int i = 0; i < FOLLOWERS; ++i)
        followers[i].strayed |= followers[i].hash != pliant_world_hash(leader->world);
}

// Fewer steps for the army and the beam, which have as many particles each as all other scenes together.
static int steps_of(const scene_entry *entry, const options *o)
{
    int part = strcmp(entry->name, "army") == 0 ? 4 : strcmp(entry->name, "beam") == 0 ? 10 : 1;
    return o->steps / part;
}

// `followers` may be NULL.
static void run_leader(pliant_stage *leader, int steps, follower *followers)
{
    int every = steps < EVERY ? steps : EVERY;
    for (int i = 0; i < steps; ++i) {
        if (followers && i % every == every - WINDOW && i + WINDOW <= steps)
            go_ahead_all(followers, leader);
        pliant_stage_step(leader, DT);
        if (followers && i % every == every - 1)
            meet_all(followers, leader);
    }
}

static void run_scene(const scene_entry *entry, const options *o, pliant_pool *own,
                      pliant_pool *const pools[WORKERS])
{
    pliant_error error = {0};
    pliant_scene *scene = entry->create(&error);
    if (!scene)
        fail(entry->name, &error);
    pliant_stage leader = open_stage(scene, own, o->instructions);
    follower followers[FOLLOWERS] = {0};
    for (int i = 0; o->all && i < FOLLOWERS; ++i)
        followers[i].stage = open_stage(scene, pools[i % WORKERS], instructions_of[i / WORKERS]);
    run_leader(&leader, steps_of(entry, o), o->all ? followers : NULL);
    printf("%s %d %016" PRIx64 "\n", entry->name, steps_of(entry, o),
           pliant_world_hash(leader.world));
    for (int i = 0; o->all && i < FOLLOWERS; ++i) {
        printf("%s %d %016" PRIx64 " %s-%d\n", entry->name, followers[i].steps, followers[i].hash,
               instructions_of[i / WORKERS], workers_of[i % WORKERS]);
        pliant_stage_close(&followers[i].stage);
    }
    pliant_stage_close(&leader);
    pliant_scene_destroy(scene);
}

// What the names stand for in this build and on this machine.
static void print_instruction_sets(void)
{
    for (int i = 0; i < 2; ++i) {
        pliant_world_def def = pliant_default_world_def();
        def.instructions = i == 0 ? PLIANT_INSTRUCTIONS_BEST : PLIANT_INSTRUCTIONS_PORTABLE;
        pliant_world *world = pliant_world_create(&def, NULL);
        printf("# %s: %s\n", instructions_of[i], pliant_world_instruction_set(world));
        pliant_world_destroy(world);
    }
}

static bool read_options(int count, char **words, options *o)
{
    for (int i = 1; i < count; ++i) {
        bool has_value = i + 1 < count;
        if (strcmp(words[i], "--all") == 0)
            o->all = true;
        else if (strcmp(words[i], "--steps") == 0 && has_value)
            o->steps = atoi(words[++i]);
        else if (strcmp(words[i], "--workers") == 0 && has_value)
            o->workers = atoi(words[++i]);
        else if (strcmp(words[i], "--instructions") == 0 && has_value)
            o->instructions = words[++i];
        else
            return false;
    }
    return true;
}

int main(int count, char **words)
{
    options o = {.steps = 120, .instructions = "best"};
    if (!read_options(count, words, &o)) {
        fputs("usage: hashes [--steps N] [--workers N] [--instructions best|portable] [--all]\n",
              stderr);
        return 2;
    }
    pliant_pool *own = o.workers > 0 ? open_pool(o.workers) : NULL, *pools[WORKERS] = {0};
    for (int i = 0; o.all && i < WORKERS; ++i)
        pools[i] = open_pool(workers_of[i]);
    if (o.all)
        print_instruction_sets();
    for (int i = 0; i < scene_entry_checked_count(); ++i)
        run_scene(scene_entry_at(i), &o, own, pools);
    for (int i = 0; i < WORKERS; ++i)
        pliant_pool_destroy(pools[i]);
    pliant_pool_destroy(own);
    return 0;
}
