// Types every other header needs: vectors, poses, errors, the allocator.
//
// Conventions everywhere: metres, kilograms, seconds, radians; right-handed axes with +y up (as in
// glTF); quaternions are {x, y, z, w}, unit length, and map body axes to world axes.

#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLIANT_VERSION_MAJOR  0
#define PLIANT_VERSION_MINOR  1
#define PLIANT_VERSION_PATCH  0
#define PLIANT_VERSION_STRING "0.1.0"

// What a shared library lets programs see; all else in it is hidden.
#if defined(__GNUC__)
#define PLIANT_API __attribute__((visibility("default")))
#else
#define PLIANT_API
#endif

typedef struct pliant_vec3 {
    float x, y, z;
} pliant_vec3;

// A rotation. Functions that take one from a caller normalise it. Of zero length it is an error in a
// definition and no rotation elsewhere.
typedef struct pliant_quat {
    float x, y, z, w;
} pliant_quat;

// x_world = position + orientation * x_body
typedef struct pliant_pose {
    pliant_vec3 position;
    pliant_quat orientation;
} pliant_pose;

// Every way a call can fail because of the data it was given: name, what it means.
#define PLIANT_RESULTS(X)                                                                          \
    X(PLIANT_OK, "no error")                                                                       \
    X(PLIANT_ERROR_MEMORY, "the allocator returned NULL")                                          \
    X(PLIANT_ERROR_ARGUMENT, "a definition holds a value out of its range")                        \
    X(PLIANT_ERROR_MODEL, "an element of a model is not valid")                                    \
    X(PLIANT_ERROR_FORMAT, "a file's content is damaged or not understood")                        \
    X(PLIANT_ERROR_VERSION, "a file was written by a newer version")                               \
    X(PLIANT_ERROR_FILE, "a file cannot be read or written")                                       \
    X(PLIANT_ERROR_MISMATCH, "a snapshot names a model or shape that is not known")                \
    X(PLIANT_ERROR_THREADS, "threads cannot be started")                                           \
    X(PLIANT_ERROR_CANCELLED, "the caller stopped it")

typedef enum pliant_result {
#define PLIANT_RESULT_ENUM(name, text) name,
    PLIANT_RESULTS(PLIANT_RESULT_ENUM)
#undef PLIANT_RESULT_ENUM
} pliant_result;

// The version of the library that is linked, for example "0.1.0".
PLIANT_API const char *pliant_version(void);

// The enumerator's name, for example "PLIANT_ERROR_MODEL".
PLIANT_API const char *pliant_result_name(pliant_result result);
// What it means in a few words, for example "an element of a model is not valid".
PLIANT_API const char *pliant_result_text(pliant_result result);

// What failed, where, and why. Functions that can fail take a pointer to one, which may be NULL, and
// write it only when they fail. Both strings are always terminated and hold one line.
typedef struct pliant_error {
    pliant_result code;
    char place[96];    // the element at fault: "edge 17", "bodies[2].position", may be empty
    char message[160]; // what is wrong with it: "particle 301 of 300"
} pliant_error;

// Where memory comes from. A zeroed struct means the C library's allocator.
typedef struct pliant_allocator {
    // `alignment` is a power of two, at most 64. Returns NULL when there is no memory left.
    void *(*allocate)(size_t size, size_t alignment, void *user_data);
    // `memory` is never NULL.
    void (*release)(void *memory, void *user_data);
    void *user_data;
} pliant_allocator;

// Runs task(index, context) once for each index in [0, count), in any order and on any threads, and
// returns when all have finished. Results do not depend on how it is done. An engine whose tasks are enqueued
// and awaited enqueues `count` tasks, or fewer that take a range of indices each, and awaits them before it
// returns, best while it runs some itself. No task waits for another, so that any number of threads will do;
// pool.h has some for programs that have none.
typedef void pliant_task(int index, void *context);
typedef void pliant_parallel_for(int count, pliant_task *task, void *context, void *user_data);

#ifdef __cplusplus
}
#endif

#endif
