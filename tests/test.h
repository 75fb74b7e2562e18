// What all tests share: cmocka, closeness, reference vectors, and a small random generator.

#ifndef PLIANT_TESTS_TEST_H
#define PLIANT_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pliant/author.h>

#include "math/quat.h"
#include "json/json.h"

// Sanitizers slow scenes down ten times: they run a shorter piece of them.
#if defined(__SANITIZE_ADDRESS__)
#define FULL_LENGTH 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FULL_LENGTH 0
#endif
#endif
#ifndef FULL_LENGTH
#define FULL_LENGTH 1
#endif

// Fails with both numbers in the message.
#define assert_near(actual, expected, tolerance)                                                   \
    check_near((double)(actual), (double)(expected), (double)(tolerance), #actual, __FILE__,       \
               __LINE__)
#define assert_below(actual, limit)                                                                \
    check_below((double)(actual), (double)(limit), #actual, __FILE__, __LINE__)

static inline void check_near(double actual, double expected, double tolerance, const char *what,
                              const char *file, int line)
{
    if (fabs(actual - expected) <= tolerance)
        return;
    print_error("%s is %.9g, expected %.9g within %.3g\n", what, actual, expected, tolerance);
    _fail(file, line);
}

static inline void check_below(double actual, double limit, const char *what, const char *file,
                               int line)
{
    if (actual < limit)
        return;
    print_error("%s is %.9g, expected less than %.9g\n", what, actual, limit);
    _fail(file, line);
}

// xorshift: tests are the same in every run.
static inline uint32_t random_bits(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static inline float random_between(uint32_t *state, float low, float high)
{
    return low + (high - low) * (float)(random_bits(state) >> 8) / 16777216.0f;
}

static inline vec3 random_vec3(uint32_t *state, float size)
{
    float x = random_between(state, -size, size), y = random_between(state, -size, size);
    return (vec3){x, y, random_between(state, -size, size)};
}

static inline quat random_quat(uint32_t *state)
{
    vec3 axis = random_vec3(state, 1.0f);
    return quat_normalize((quat){axis.x, axis.y, axis.z, random_between(state, 0.01f, 1.0f)});
}

// Angle of the rotation between two quaternions, in double precision, rad.
static inline double angle_between(quat a, const double b[4])
{
    double ax = a.x, ay = a.y, az = a.z, aw = a.w;
    double x = aw * -b[0] + ax * b[3] + ay * -b[2] - az * -b[1];
    double y = aw * -b[1] - ax * -b[2] + ay * b[3] + az * -b[0];
    double z = aw * -b[2] + ax * -b[1] - ay * -b[0] + az * b[3];
    double w = aw * b[3] - ax * -b[0] - ay * -b[1] - az * -b[2];
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), fabs(w));
}

static inline double angle_between_quats(quat a, quat b)
{
    const double exact[4] = {b.x, b.y, b.z, b.w};
    return angle_between(a, exact);
}

// ---------------------------------------------------------------------------------------------
// Reference vectors: tests/vectors/NAME.json, {"cases": [{…, "out": {…}}]}

typedef struct vectors {
    char *text;
    json_document *json;
    json_value cases;
} vectors;

static inline vectors vectors_open(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/vectors/%s.json", PLIANT_SOURCE_DIRECTORY, name);
    void *text;
    size_t size;
    pliant_error error = {0};
    if (pliant_file_read(path, &text, &size, &error))
        fail_msg("%s: %s", error.place, error.message);
    vectors v = {.text = text, .json = pli_json_parse(text, size, &error)};
    if (!v.json)
        fail_msg("%s: %s", error.place, error.message);
    v.cases = pli_json_get(v.json, pli_json_root(v.json), "cases");
    assert_true(pli_json_size(v.json, v.cases) > 0);
    return v;
}

static inline void vectors_close(vectors *v)
{
    pli_json_destroy(v->json);
    free(v->text);
}

static inline int read_numbers(const vectors *v, json_value array, double *out, int most)
{
    int count = 0;
    for (json_value item = pli_json_first(v->json, array); item != JSON_NONE && count < most;
         item = pli_json_next(v->json, item))
        out[count++] = pli_json_number(v->json, item, NAN);
    return count;
}

static inline double read_number(const vectors *v, json_value object, const char *key)
{
    return pli_json_number(v->json, pli_json_get(v->json, object, key), NAN);
}

static inline void read_doubles(const vectors *v, json_value object, const char *key, double *out,
                                int count)
{
    assert_int_equal(read_numbers(v, pli_json_get(v->json, object, key), out, count), count);
}

static inline vec3 vec3_of(const double a[3])
{
    return (vec3){(float)a[0], (float)a[1], (float)a[2]};
}

static inline quat quat_of(const double a[4])
{
    return quat_normalize((quat){(float)a[0], (float)a[1], (float)a[2], (float)a[3]});
}

static inline vec3 read_vec3(const vectors *v, json_value object, const char *key)
{
    double a[3];
    read_doubles(v, object, key, a, 3);
    return vec3_of(a);
}

static inline quat read_quat(const vectors *v, json_value object, const char *key)
{
    double a[4];
    read_doubles(v, object, key, a, 4);
    return quat_of(a);
}

static inline double distance_to(vec3 a, const double b[3])
{
    double x = a.x - b[0], y = a.y - b[1], z = a.z - b[2];
    return sqrt(x * x + y * y + z * z);
}

#endif
