// Refusing calls.

#include "calls.h"

#include <stdarg.h>
#include <stdio.h>

// Queries take a const world and may run on several threads at once: the counter is atomic, and the only thing
// of a world that they change. No world is a const object, so that this may be cast away.
static void count_call(const pliant_world *world)
{
    atomic_fetch_add_explicit(&((pliant_world *)world)->bad_calls, 1, memory_order_relaxed);
}

// A build for debugging without anybody who listens prints a line: the only one of the library.
static void tell(const pliant_world *world, const char *call, const char *what)
{
    if (world && world->def.bad_call) {
        world->def.bad_call(call, what, world->def.bad_call_user_data);
        return;
    }
#ifndef NDEBUG
    fprintf(stderr, "%s: %s\n", call, what);
#endif
}

void pli_refuse(const pliant_world *world, const char *call, const char *format, ...)
{
    if (!world) {
        tell(world, call, "world is NULL");
        return;
    }
    char what[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    count_call(world);
    tell(world, call, what);
}

void pli_refuse_id(const pliant_world *world, const char *kind, uint32_t index, uint32_t generation,
                   const char *call)
{
    if (index == 0 && generation == 0)
        pli_refuse(world, call, "%s id is all zero", kind);
    else
        pli_refuse(world, call, "no %s %lu of generation %lu in this world", kind,
                   (unsigned long)index, (unsigned long)generation);
}

pliant_result pli_check_given(const pliant_world *world, const void *pointer, const char *name,
                              pliant_error *error, const char *call)
{
    if (checked_pointer(world, pointer, name, call))
        return PLIANT_OK;
    return pli_error_set(error, PLIANT_ERROR_ARGUMENT, world ? name : "world", "is NULL");
}
