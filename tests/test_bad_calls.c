// Calls with bad ids, indices and pointers: every public function of world.h, with everything that can be wrong. In any
// build nothing happens, a neutral value comes back, and the call is counted and told.

#include "bodies.h"

#include <limits.h>
#include <stdatomic.h>

static const float DT = 1.0f / 60.0f;
static const float BAD = 12.5f; // what a call would set, if it were not refused

// What a call is given.
typedef struct arguments {
    pliant_world *world;
    pliant_body_id body;
    pliant_collider_id collider;
    pliant_attachment_id attachment;
    int index;
    const void *def;
    void *buffer;
} arguments;

// A world with one thing of each kind, at rest but for a ball on a string.
typedef struct yard {
    pliant_model *door; // with groups, a hinge, vertices and a pin
    pliant_model *ball;
    pliant_shape *shape;
    pliant_world *world;
    arguments good;
    pliant_body_id ball_id;
    // What was told of the last bad call.
    char call[64], what[96];
    int told;
} yard;

static void hear(const char *call, const char *what, void *user_data)
{
    yard *y = user_data;
    snprintf(y->call, sizeof y->call, "%s", call);
    snprintf(y->what, sizeof y->what, "%s", what);
    y->told += 1;
}

enum { DOOR_PARTICLES = 6, DOOR_GROUPS = 2, DOOR_HINGES = 1 };

static pliant_model *make_door(void)
{
    static const vec3 places[DOOR_PARTICLES] = {{0, 0, 0},   {0, 1, 0},    {1, 0, 0},
                                                {1, 1, .1f}, {-1, 0, .2f}, {-1, 1, 0}};
    static const int32_t leaves[2][4] = {{0, 1, 2, 3}, {0, 1, 4, 5}};
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < DOOR_PARTICLES; ++i) {
        pliant_particle_def p = pliant_default_particle_def();
        p.position = places[i];
        p.flags = i == 0 ? PLIANT_PARTICLE_PINNED : 0;
        pliant_builder_add_particle(builder, &p);
        pliant_vertex_def vertex = {
            .position = places[i], .normal = {0, 1, 0}, .particles = {i}, .weights = {1.0f}};
        pliant_builder_add_vertex(builder, &vertex);
    }
    for (int k = 0; k < 2; ++k) {
        pliant_group_def group = {.members = leaves[k], .member_count = 4, .stiffness = 1.0f};
        pliant_builder_add_group(builder, &group);
    }
    pliant_hinge_def hinge = {.group_a = 0, .group_b = 1, .particle_a = 0, .particle_b = 1};
    pliant_builder_add_hinge(builder, &hinge);
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    return model;
}

static pliant_body_id add_body(const yard *y, const pliant_model *model, vec3 position)
{
    pliant_body_def def = pliant_default_body_def();
    def.model = model;
    def.position = position;
    pliant_body_id id = pliant_world_add_body(y->world, &def, NULL);
    assert_true(pliant_body_is_valid(y->world, id));
    return id;
}

static pliant_collider_id add_collider(const yard *y)
{
    pliant_collider_def def = pliant_default_collider_def();
    def.shape = y->shape;
    def.position = (vec3){100, 0, 0};
    pliant_collider_id id = pliant_world_add_collider(y->world, &def, NULL);
    assert_true(pliant_collider_is_valid(y->world, id));
    return id;
}

static pliant_attachment_id hang(const yard *y, pliant_body_id body, float strength)
{
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = body;
    def.anchor = (vec3){20, 2, 0};
    def.strength = strength;
    pliant_attachment_id id = pliant_world_add_attachment(y->world, &def, NULL);
    assert_true(pliant_attachment_is_valid(y->world, id));
    return id;
}

static yard *open_yard(void)
{
    yard *y = calloc(1, sizeof *y);
    lattice one = lattice_of(1, 1, 1);
    y->door = make_door();
    y->ball = lattice_model(&one);
    pliant_shape_def shape = {.kind = PLIANT_SHAPE_SPHERE, .radius = 0.5f};
    y->shape = pliant_shape_create(&shape, NULL, NULL);
    pliant_world_def def = pliant_default_world_def();
    def.bad_call = hear;
    def.bad_call_user_data = y;
    y->world = pliant_world_create(&def, NULL);
    y->good.world = y->world;
    y->good.body = add_body(y, y->door, (vec3){0, 0, 0});
    y->ball_id = add_body(y, y->ball, (vec3){20, 0, 0});
    y->good.collider = add_collider(y);
    y->good.attachment = hang(y, y->ball_id, 0.0f);
    for (int i = 0; i < 3; ++i)
        pliant_world_step(y->world, DT);
    assert_int_equal(pliant_world_report(y->world).bad_calls, 0);
    return y;
}

static void close_yard(yard *y)
{
    pliant_world_destroy(y->world);
    pliant_shape_destroy(y->shape);
    pliant_model_destroy(y->ball);
    pliant_model_destroy(y->door);
    free(y);
}

// ---------------------------------------------------------------------------------------------
// Neutral values

static bool is_zero(vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static bool is_no_pose(pliant_pose pose)
{
    quat q = pose.orientation;
    return is_zero(pose.position) && q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f;
}

static bool are_bytes(const void *bytes, size_t size, unsigned char value)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; ++i)
        if (at[i] != value)
            return false;
    return true;
}

#define IS_ZEROED(type, call) is_zeroed_##type(call)
#define DEFINE_IS_ZEROED(type)                                                                     \
    static bool is_zeroed_##type(type value)                                                       \
    {                                                                                              \
        return are_bytes(&value, sizeof value, 0);                                                 \
    }
DEFINE_IS_ZEROED(pliant_body_id)
DEFINE_IS_ZEROED(pliant_collider_id)
DEFINE_IS_ZEROED(pliant_attachment_id)
DEFINE_IS_ZEROED(pliant_profile)
DEFINE_IS_ZEROED(pliant_motion)

static bool is_empty_report(pliant_report report)
{
    return report.steps == 0 && report.bodies == 0 && report.bad_calls == 0;
}

// Whether an error was told for each failure.
static bool is_told(const pliant_error *error)
{
    return error->code == PLIANT_ERROR_ARGUMENT && error->place[0] && error->message[0];
}

// ---------------------------------------------------------------------------------------------
// Every function: name, what of its arguments can be bad (beside the world), and whether it is neutral when called. The
// buffers' bytes are 0x55 before the call.

enum { BODY = 1, PARTICLE = 2, GROUP = 4, HINGE = 8, COLLIDER = 16, ATTACHMENT = 32 };
enum { DEF = 64, BUFFER = 128, BODY_NUMBER = 256 };

#define VOID(call)             (call, true)
#define LEFT_ALONE(type, call) (call, !buffer || are_bytes(buffer, sizeof(type), 0x55))

// clang-format off
#define CALLS(X) \
    X(pliant_world_add_body, DEF, \
      IS_ZEROED(pliant_body_id, pliant_world_add_body(w, def, &error)) && is_told(&error)) \
    X(pliant_world_add_collider, DEF, \
      IS_ZEROED(pliant_collider_id, pliant_world_add_collider(w, def, &error)) && is_told(&error)) \
    X(pliant_world_add_plane, DEF, \
      IS_ZEROED(pliant_collider_id, pliant_world_add_plane(w, def, &error)) && is_told(&error)) \
    X(pliant_world_add_attachment, DEF, \
      IS_ZEROED(pliant_attachment_id, pliant_world_add_attachment(w, def, &error)) && is_told(&error)) \
    X(pliant_world_remove_body, BODY, VOID(pliant_world_remove_body(w, body))) \
    X(pliant_world_remove_collider, COLLIDER, VOID(pliant_world_remove_collider(w, collider))) \
    X(pliant_world_remove_attachment, ATTACHMENT, VOID(pliant_world_remove_attachment(w, attachment))) \
    X(pliant_world_step, 0, VOID(pliant_world_step(w, DT))) \
    X(pliant_world_advance, 0, pliant_world_advance(w, DT) == 0) \
    X(pliant_world_blend, 0, pliant_world_blend(w) == 0.0f) \
    X(pliant_world_report, 0, is_empty_report(pliant_world_report(w))) \
    X(pliant_world_profile, 0, IS_ZEROED(pliant_profile, pliant_world_profile(w))) \
    X(pliant_world_instruction_set, 0, pliant_world_instruction_set(w) == NULL) \
    X(pliant_world_time, 0, pliant_world_time(w) == 0.0) \
    X(pliant_world_set_gravity, 0, VOID(pliant_world_set_gravity(w, v))) \
    X(pliant_world_gravity, 0, is_zero(pliant_world_gravity(w))) \
    X(pliant_world_set_quality, 0, VOID(pliant_world_set_quality(w, 7, 7))) \
    X(pliant_world_set_substep_length, 0, VOID(pliant_world_set_substep_length(w, 0.01f))) \
    X(pliant_world_set_iterations, 0, VOID(pliant_world_set_iterations(w, 7))) \
    X(pliant_world_hash, 0, pliant_world_hash(w) == 0) \
    X(pliant_world_snapshot_size, 0, pliant_world_snapshot_size(w) == 0) \
    X(pliant_world_snapshot, BUFFER, LEFT_ALONE(pliant_pose, pliant_world_snapshot(w, buffer))) \
    X(pliant_world_restore, BUFFER, \
      pliant_world_restore(w, buffer, 1000, &error) == PLIANT_ERROR_ARGUMENT && is_told(&error)) \
    X(pliant_world_know_model, DEF, \
      pliant_world_know_model(w, def, &error) == PLIANT_ERROR_ARGUMENT && is_told(&error)) \
    X(pliant_world_know_shape, DEF, \
      pliant_world_know_shape(w, def, &error) == PLIANT_ERROR_ARGUMENT && is_told(&error)) \
    X(pliant_world_forget_unused, 0, VOID(pliant_world_forget_unused(w))) \
    X(pliant_world_body_count, 0, pliant_world_body_count(w) == 0) \
    X(pliant_world_body_at, BODY_NUMBER, IS_ZEROED(pliant_body_id, pliant_world_body_at(w, index))) \
    X(pliant_body_model, BODY, pliant_body_model(w, body) == NULL) \
    X(pliant_body_set_model, BODY | DEF, \
      pliant_body_set_model(w, body, def, &error) == PLIANT_ERROR_ARGUMENT && is_told(&error)) \
    X(pliant_body_user_data, BODY, pliant_body_user_data(w, body) == NULL) \
    X(pliant_body_set_user_data, BODY, VOID(pliant_body_set_user_data(w, body, &out))) \
    X(pliant_body_particle_pose, PARTICLE, is_no_pose(pliant_body_particle_pose(w, body, index))) \
    X(pliant_body_particle_velocity, PARTICLE, is_zero(pliant_body_particle_velocity(w, body, index))) \
    X(pliant_body_particle_spin, PARTICLE, is_zero(pliant_body_particle_spin(w, body, index))) \
    X(pliant_body_bounds, BODY | BUFFER, (pliant_body_bounds(w, body, buffer, &out), is_zero(out))) \
    X(pliant_body_poses, BODY | BUFFER, LEFT_ALONE(pliant_pose, pliant_body_poses(w, body, buffer))) \
    X(pliant_body_poses_between, BODY | BUFFER, \
      LEFT_ALONE(pliant_pose, pliant_body_poses_between(w, body, 0.5f, buffer))) \
    X(pliant_body_set_particle_pose, PARTICLE, VOID(pliant_body_set_particle_pose(w, body, index, pose))) \
    X(pliant_body_set_particle_velocity, PARTICLE, \
      VOID(pliant_body_set_particle_velocity(w, body, index, v, v))) \
    X(pliant_body_set_velocity, BODY, VOID(pliant_body_set_velocity(w, body, v, v))) \
    X(pliant_body_set_friction, BODY, VOID(pliant_body_set_friction(w, body, BAD))) \
    X(pliant_body_set_restitution, BODY, VOID(pliant_body_set_restitution(w, body, BAD))) \
    X(pliant_body_set_gravity_scale, BODY, VOID(pliant_body_set_gravity_scale(w, body, BAD))) \
    X(pliant_body_set_damping, BODY, VOID(pliant_body_set_damping(w, body, 0.5f, 0.5f, 0.5f))) \
    X(pliant_body_set_stiffness_scale, BODY, VOID(pliant_body_set_stiffness_scale(w, body, BAD))) \
    X(pliant_body_reset, BODY, VOID(pliant_body_reset(w, body, pose))) \
    X(pliant_body_is_frozen, BODY, !pliant_body_is_frozen(w, body)) \
    X(pliant_body_group_is_loose, GROUP, !pliant_body_group_is_loose(w, body, index)) \
    X(pliant_body_is_asleep, BODY, !pliant_body_is_asleep(w, body)) \
    X(pliant_body_wake, BODY, VOID(pliant_body_wake(w, body))) \
    X(pliant_body_sleep, BODY, VOID(pliant_body_sleep(w, body))) \
    X(pliant_body_apply_force, BODY, VOID(pliant_body_apply_force(w, body, v))) \
    X(pliant_body_apply_impulse, BODY, VOID(pliant_body_apply_impulse(w, body, v))) \
    X(pliant_body_apply_particle_force, PARTICLE, \
      VOID(pliant_body_apply_particle_force(w, body, index, v))) \
    X(pliant_body_apply_particle_impulse, PARTICLE, \
      VOID(pliant_body_apply_particle_impulse(w, body, index, v))) \
    X(pliant_body_set_pinned, PARTICLE, \
      pliant_body_set_pinned(w, body, index, true, &error) == PLIANT_ERROR_ARGUMENT && is_told(&error)) \
    X(pliant_body_is_pinned, PARTICLE, !pliant_body_is_pinned(w, body, index)) \
    X(pliant_body_set_target, PARTICLE, VOID(pliant_body_set_target(w, body, index, pose))) \
    X(pliant_body_set_motor, HINGE, VOID(pliant_body_set_motor(w, body, index, BAD, BAD))) \
    X(pliant_body_hinge_angle, HINGE, pliant_body_hinge_angle(w, body, index) == 0.0f) \
    X(pliant_body_hinge_speed, HINGE, pliant_body_hinge_speed(w, body, index) == 0.0f) \
    X(pliant_collider_pose, COLLIDER, is_no_pose(pliant_collider_pose(w, collider))) \
    X(pliant_collider_velocity, COLLIDER, is_zero(pliant_collider_velocity(w, collider))) \
    X(pliant_collider_spin, COLLIDER, is_zero(pliant_collider_spin(w, collider))) \
    X(pliant_collider_user_data, COLLIDER, pliant_collider_user_data(w, collider) == NULL) \
    X(pliant_collider_set_user_data, COLLIDER, VOID(pliant_collider_set_user_data(w, collider, &out))) \
    X(pliant_collider_shape, COLLIDER, pliant_collider_shape(w, collider) == NULL) \
    X(pliant_collider_set_pose, COLLIDER, VOID(pliant_collider_set_pose(w, collider, pose))) \
    X(pliant_collider_set_velocity, COLLIDER, VOID(pliant_collider_set_velocity(w, collider, v, v))) \
    X(pliant_collider_move_to, COLLIDER, VOID(pliant_collider_move_to(w, collider, pose))) \
    X(pliant_attachment_set_anchor, ATTACHMENT, VOID(pliant_attachment_set_anchor(w, attachment, v))) \
    X(pliant_attachment_force, ATTACHMENT, pliant_attachment_force(w, attachment) == 0.0f) \
    X(pliant_world_contacts, BUFFER, pliant_world_contacts(w, buffer, 2) == 0) \
    X(pliant_world_event_count, 0, pliant_world_event_count(w) == 0) \
    X(pliant_world_events, 0, pliant_world_events(w) == NULL) \
    X(pliant_world_ray_cast, BUFFER, \
      !pliant_world_ray_cast(w, v, v, 1e4f, UINT32_MAX, buffer) && LEFT_ALONE(pliant_hit, (void)0)) \
    X(pliant_world_closest_point, BUFFER, \
      !pliant_world_closest_point(w, v, 1e4f, UINT32_MAX, buffer) && LEFT_ALONE(pliant_hit, (void)0)) \
    X(pliant_body_motion, BODY, IS_ZEROED(pliant_motion, pliant_body_motion(w, body))) \
    X(pliant_body_skin, BODY | BUFFER, \
      LEFT_ALONE(pliant_vec3, pliant_body_skin(w, body, PLIANT_SKIN_LINEAR, buffer, NULL))) \
    X(pliant_body_skin_between, BODY | BUFFER, \
      LEFT_ALONE(pliant_vec3, pliant_body_skin_between(w, body, PLIANT_SKIN_LINEAR, 0.5f, buffer, NULL)))
// clang-format on

#define DEFINE_CALL(name, kinds, expression)                                                       \
    static bool call_##name(const arguments *a)                                                    \
    {                                                                                              \
        pliant_world *w = a->world;                                                                \
        pliant_body_id body = a->body;                                                             \
        pliant_collider_id collider = a->collider;                                                 \
        pliant_attachment_id attachment = a->attachment;                                           \
        int index = a->index;                                                                      \
        const void *def = a->def;                                                                  \
        void *buffer = a->buffer;                                                                  \
        const vec3 v = {BAD, BAD, BAD};                                                            \
        const pliant_pose pose = {{BAD, BAD, BAD}, {0, 1, 0, 0}};                                  \
        pliant_error error = {0};                                                                  \
        vec3 out = {BAD, BAD, BAD};                                                                \
        (void)body, (void)collider, (void)attachment, (void)index, (void)def, (void)buffer;        \
        (void)v, (void)pose, (void)error, (void)out;                                               \
        return expression;                                                                         \
    }
CALLS(DEFINE_CALL)

typedef struct public_call {
    const char *name;
    int kinds;
    bool (*run)(const arguments *a);
} public_call;

#define LIST_CALL(name, kinds, expression) {#name, kinds, call_##name},
static const public_call CALL_LIST[] = {CALLS(LIST_CALL)};
enum { CALL_COUNT = sizeof CALL_LIST / sizeof *CALL_LIST };
enum { BODY_KINDS = BODY | PARTICLE | GROUP | HINGE };

// ---------------------------------------------------------------------------------------------

// Everything of a world that calls can change.
typedef struct picture {
    void *bytes;
    size_t size;
    uint64_t hash;
} picture;

static picture take_picture(const pliant_world *world)
{
    picture p = {.size = pliant_world_snapshot_size(world), .hash = pliant_world_hash(world)};
    p.bytes = malloc(p.size);
    pliant_world_snapshot(world, p.bytes);
    return p;
}

static bool is_same_picture(const picture *p, const pliant_world *world)
{
    picture now = take_picture(world);
    bool same =
        now.hash == p->hash && now.size == p->size && memcmp(now.bytes, p->bytes, p->size) == 0;
    free(now.bytes);
    return same;
}

// A bad call: neutral, counted once, told once with its name, without effect.
static void refuse(yard *y, const public_call *call, arguments a)
{
    picture before = take_picture(y->world);
    uint64_t count = pliant_world_report(y->world).bad_calls;
    int told = y->told;
    y->call[0] = y->what[0] = '\0';
    if (!call->run(&a))
        fail_msg("%s is not neutral: %s", call->name, y->what);
    uint64_t now = pliant_world_report(y->world).bad_calls;
    if (now != count + 1)
        fail_msg("%s was counted %d times: %s", call->name, (int)(now - count), y->what);
    assert_int_equal(y->told, told + 1);
    assert_string_equal(y->call, call->name);
    assert_true(strlen(y->what) > 0);
    if (!is_same_picture(&before, y->world))
        fail_msg("%s has changed the world: %s", call->name, y->what);
    free(before.bytes);
}

enum { BUFFER_SIZE = 1 << 16 };

// Buffers that hold whatever a call may write, and definitions that are never read.
static arguments with_memory(const yard *y, void *buffer)
{
    static const char nothing[512];
    memset(buffer, 0x55, BUFFER_SIZE);
    arguments a = y->good;
    a.def = nothing;
    a.buffer = buffer;
    return a;
}

typedef void visit(yard *y, const public_call *call, arguments a);

static void for_each_call(yard *y, int kinds, visit *visitor)
{
    void *buffer = malloc(BUFFER_SIZE);
    for (int i = 0; i < CALL_COUNT; ++i)
        if (!kinds || (CALL_LIST[i].kinds & kinds))
            visitor(y, &CALL_LIST[i], with_memory(y, buffer));
    free(buffer);
}

static void run_for_each_call(int kinds, visit *visitor)
{
    yard *y = open_yard();
    for_each_call(y, kinds, visitor);
    close_yard(y);
}

// ---------------------------------------------------------------------------------------------

// Every function of the header that takes a world is in the list, or asks whether an id is valid, or destroys.
static void test_all_functions_are_listed(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/include/pliant/world.h", PLIANT_SOURCE_DIRECTORY);
    void *bytes;
    size_t size;
    assert_int_equal(pliant_file_read(path, &bytes, &size, NULL), PLIANT_OK);
    char *text = calloc(1, size + 1);
    memcpy(text, bytes, size);
    free(bytes);
    int found = 0;
    for (char *at = strstr(text, "pliant_world *world"); at;
         at = strstr(at + 1, "pliant_world *world")) {
        char *end = at;
        while (*end != '(')
            --end;
        char *start = end;
        while (start[-1] == '_' || (start[-1] >= 'a' && start[-1] <= 'z'))
            --start;
        *end = '\0';
        bool is_other =
            strstr(start, "_is_valid") != NULL || strcmp(start, "pliant_world_destroy") == 0;
        bool is_listed = false;
        for (int i = 0; i < CALL_COUNT; ++i)
            is_listed = is_listed || strcmp(CALL_LIST[i].name, start) == 0;
        if (is_listed == is_other)
            fail_msg("%s", start);
        found += is_listed;
    }
    assert_int_equal(found, CALL_COUNT);
    free(text);
}

static void without_a_world(yard *y, const public_call *call, arguments a)
{
    int told = y->told;
    a.world = NULL;
    if (!call->run(&a))
        fail_msg("%s is not neutral without a world", call->name);
    assert_int_equal(y->told, told);
}

static void test_no_world(void **state)
{
    (void)state;
    run_for_each_call(0, without_a_world);
    pliant_world_destroy(NULL);
    pliant_error error = {0};
    assert_null(pliant_world_create(NULL, &error));
    assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "def");
}

// Ids that no thing of the yard has: the first is all zero, then come indices beyond, and generations to come.
static const uint32_t NO_IDS[][2] = {{0, 0}, {1000, 1}, {INT_MAX, 1}, {UINT32_MAX, 1}, {0, 1000}};
enum { NO_ID_COUNT = sizeof NO_IDS / sizeof *NO_IDS };

static void with_no_ids(yard *y, const public_call *call, arguments a)
{
    for (int k = 0; k < NO_ID_COUNT; ++k) {
        a.body = (pliant_body_id){NO_IDS[k][0], NO_IDS[k][1]};
        a.collider = (pliant_collider_id){NO_IDS[k][0], NO_IDS[k][1]};
        a.attachment = (pliant_attachment_id){NO_IDS[k][0], NO_IDS[k][1]};
        refuse(y, call, a);
    }
}

static void test_ids_of_nothing(void **state)
{
    (void)state;
    run_for_each_call(BODY_KINDS | COLLIDER | ATTACHMENT, with_no_ids);
}

static void with_these(yard *y, const public_call *call, arguments a)
{
    refuse(y, call, a);
}

// Twice: as long as their places are empty, and when others have taken them.
static void test_ids_of_what_was_removed(void **state)
{
    (void)state;
    yard *y = open_yard();
    arguments good = y->good;
    pliant_world_remove_attachment(y->world, good.attachment);
    for_each_call(y, ATTACHMENT, with_these);
    pliant_attachment_id next = hang(y, y->ball_id, 0.0f);
    assert_int_equal(next.index, good.attachment.index);
    for_each_call(y, ATTACHMENT, with_these);

    pliant_world_remove_collider(y->world, good.collider);
    for_each_call(y, COLLIDER, with_these);
    assert_int_equal(add_collider(y).index, good.collider.index);
    for_each_call(y, COLLIDER, with_these);

    pliant_world_remove_body(y->world, good.body);
    for_each_call(y, BODY_KINDS, with_these);
    assert_int_equal(add_body(y, y->door, (vec3){0, 0, 0}).index, good.body.index);
    for_each_call(y, BODY_KINDS, with_these);
    close_yard(y);
}

// Another world's ids are known by what this one lacks only.
static void test_ids_of_another_world(void **state)
{
    (void)state;
    yard *y = open_yard(), *other = open_yard();
    y->good.body = add_body(other, other->ball, (vec3){40, 0, 0});
    y->good.collider = add_collider(other);
    y->good.attachment = hang(other, other->ball_id, 0.0f);
    for_each_call(y, BODY_KINDS | COLLIDER | ATTACHMENT, with_these);
    assert_int_equal(pliant_world_report(other->world).bad_calls, 0);
    close_yard(other);
    close_yard(y);
}

static void with_bad_indices(yard *y, const public_call *call, arguments a)
{
    int count = call->kinds & PARTICLE ? DOOR_PARTICLES
                : call->kinds & GROUP  ? DOOR_GROUPS
                : call->kinds & HINGE  ? DOOR_HINGES
                                       : 2;
    const int bad[] = {-1, INT_MIN, count, INT_MAX};
    for (int k = 0; k < 4; ++k) {
        a.index = bad[k];
        refuse(y, call, a);
        char number[32];
        snprintf(number, sizeof number, "%d of %d", bad[k], count);
        assert_non_null(strstr(y->what, number));
    }
}

static void test_indices(void **state)
{
    (void)state;
    run_for_each_call(PARTICLE | GROUP | HINGE | BODY_NUMBER, with_bad_indices);
}

static void without_pointers(yard *y, const public_call *call, arguments a)
{
    a.def = NULL;
    a.buffer = NULL;
    refuse(y, call, a);
    assert_non_null(strstr(y->what, " is NULL"));
}

static void test_pointers(void **state)
{
    (void)state;
    run_for_each_call(DEF | BUFFER, without_pointers);
    yard *y = open_yard();
    vec3 corner = {BAD, BAD, BAD};
    pliant_body_bounds(y->world, y->good.body, &corner, NULL);
    assert_string_equal(y->what, "maximum is NULL");
    assert_true(is_zero(corner));
    // Where nothing is to be written, nothing need be given.
    assert_int_equal(pliant_world_contacts(y->world, NULL, 0), 0);
    pliant_body_skin(y->world, y->ball_id, PLIANT_SKIN_LINEAR, NULL, NULL);
    assert_int_equal(pliant_world_report(y->world).bad_calls, 1);
    close_yard(y);
}

// The same calls with what they should have been given.
static void with_good_arguments(yard *unused, const public_call *call, arguments a)
{
    (void)unused;
    yard *y = open_yard();
    size_t size = pliant_world_snapshot_size(y->world);
    pliant_body_def body = pliant_default_body_def();
    pliant_collider_def collider = pliant_default_collider_def();
    pliant_plane_def plane = pliant_default_plane_def();
    pliant_attachment_def attachment = pliant_default_attachment_def();
    body.model = y->ball;
    collider.shape = y->shape;
    attachment.body = y->good.body;
    arguments good = y->good;
    good.buffer = a.buffer;
    good.def = call->run == call_pliant_world_add_body       ? (void *)&body
               : call->run == call_pliant_world_add_collider ? (void *)&collider
               : call->run == call_pliant_world_add_plane    ? (void *)&plane
               : call->run == call_pliant_world_know_model   ? (void *)y->ball
               : call->run == call_pliant_body_set_model     ? (void *)y->ball
               : call->run == call_pliant_world_know_shape   ? (void *)y->shape
                                                             : (void *)&attachment;
    assert_true(size <= BUFFER_SIZE);
    call->run(&good);
    if (pliant_world_report(y->world).bad_calls != 0 || y->told != 0)
        fail_msg("%s: %s", call->name, y->what);
    close_yard(y);
}

static void test_good_calls_are_not_counted(void **state)
{
    (void)state;
    run_for_each_call(0, with_good_arguments);
}

static void test_asking_is_not_counted(void **state)
{
    (void)state;
    yard *y = open_yard();
    for (int k = 0; k < NO_ID_COUNT; ++k) {
        pliant_body_id body = {NO_IDS[k][0], NO_IDS[k][1]};
        pliant_collider_id collider = {NO_IDS[k][0], NO_IDS[k][1]};
        pliant_attachment_id attachment = {NO_IDS[k][0], NO_IDS[k][1]};
        for (int without = 0; without < 2; ++without) {
            const pliant_world *world = without ? NULL : y->world;
            assert_false(pliant_body_is_valid(world, body));
            assert_false(pliant_collider_is_valid(world, collider));
            assert_false(pliant_attachment_is_valid(world, attachment));
        }
    }
    assert_int_equal(pliant_world_report(y->world).bad_calls, 0);
    close_yard(y);
}

// What is wrong inside a definition is told by its error.
static void test_definitions_are_not_counted(void **state)
{
    (void)state;
    yard *y = open_yard();
    pliant_error error = {0};
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = (pliant_body_id){1000, 1};
    pliant_world_add_attachment(y->world, &def, &error);
    assert_string_equal(error.place, "body");
    pliant_body_def body = pliant_default_body_def();
    pliant_world_add_body(y->world, &body, &error);
    assert_string_equal(error.place, "model");
    assert_int_equal(pliant_world_report(y->world).bad_calls, 0);
    close_yard(y);
}

static void call_attachment(const yard *y, pliant_attachment_id id)
{
    assert_false(pliant_attachment_is_valid(y->world, id));
    pliant_attachment_set_anchor(y->world, id, (vec3){BAD, BAD, BAD});
    assert_true(pliant_attachment_force(y->world, id) == 0.0f);
    pliant_world_remove_attachment(y->world, id);
}

// Whoever holds an attachment that broke, or that went with its body or collider, may not know yet.
static void test_attachments_that_went_are_not_counted(void **state)
{
    (void)state;
    yard *y = open_yard();
    pliant_attachment_id broken = hang(y, add_body(y, y->ball, (vec3){22, 0, 0}), 1e-3f);
    pliant_world_step(y->world, DT);
    call_attachment(y, broken);
    pliant_attachment_id next = hang(y, y->good.body, 0.0f);
    assert_int_equal(next.index, broken.index);
    call_attachment(y, broken);
    pliant_world_remove_body(y->world, y->good.body);
    call_attachment(y, next);
    pliant_attachment_def def = pliant_default_attachment_def();
    def.body = y->ball_id;
    def.collider = y->good.collider;
    pliant_attachment_id held = pliant_world_add_attachment(y->world, &def, NULL);
    pliant_world_remove_collider(y->world, y->good.collider);
    call_attachment(y, held);
    assert_int_equal(pliant_world_report(y->world).bad_calls, 0);
    // The string that was there all the time.
    pliant_world_remove_attachment(y->world, y->good.attachment);
    call_attachment(y, y->good.attachment);
    assert_int_equal(pliant_world_report(y->world).bad_calls, 3);
    close_yard(y);
}

static void test_restoring_keeps_the_count(void **state)
{
    (void)state;
    yard *y = open_yard();
    picture before = take_picture(y->world);
    pliant_body_wake(y->world, (pliant_body_id){0, 0});
    pliant_world_step(y->world, DT);
    assert_int_equal(pliant_world_report(y->world).bad_calls, 1);
    assert_int_equal(pliant_world_restore(y->world, before.bytes, before.size, NULL), PLIANT_OK);
    assert_int_equal(pliant_world_report(y->world).bad_calls, 1);
    assert_true(is_same_picture(&before, y->world));
    free(before.bytes);
    close_yard(y);
}

static void count_told(const char *call, const char *what, void *user_data)
{
    (void)call, (void)what;
    atomic_fetch_add((atomic_int *)user_data, 1);
}

static void query_badly(int index, void *context)
{
    const setup *s = context;
    pliant_body_particle_pose(s->world, s->body, 1 + index);
}

// Queries may run on any threads, and so may bad ones.
static void test_threads_count_together(void **state)
{
    (void)state;
    lattice one = lattice_of(1, 1, 1);
    setup s = setup_of(&one);
    atomic_int told = 0;
    s.world_def.bad_call = count_told;
    s.world_def.bad_call_user_data = &told;
    setup_open(&s);
    pliant_pool *pool = pliant_pool_create(3, NULL, NULL);
    assert_non_null(pool);
    pliant_pool_run(10000, query_badly, &s, pool);
    assert_int_equal(pliant_world_report(s.world).bad_calls, 10000);
    assert_int_equal(told, 10000);
    pliant_pool_destroy(pool);
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_functions_are_listed),
        cmocka_unit_test(test_no_world),
        cmocka_unit_test(test_ids_of_nothing),
        cmocka_unit_test(test_ids_of_what_was_removed),
        cmocka_unit_test(test_ids_of_another_world),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_good_calls_are_not_counted),
        cmocka_unit_test(test_asking_is_not_counted),
        cmocka_unit_test(test_definitions_are_not_counted),
        cmocka_unit_test(test_attachments_that_went_are_not_counted),
        cmocka_unit_test(test_restoring_keeps_the_count),
        cmocka_unit_test(test_threads_count_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
