// The core for a page: one studio, reached by plain numbers and addresses in the module's memory.

#include "studio.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(name)))

static studio *the_studio;
static char *text;
static size_t view_count, block_size;
static studio_frame frame;

// The only thing that the module asks of the page: to hear how far a command has come.
__attribute__((import_module("page"), import_name("progress"))) void page_progress(float part);

static bool tell_page(float part, void *user_data)
{
    (void)user_data;
    page_progress(part);
    return true;
}

// False when there is no memory. To be called once, before all others.
EXPORT("begin") bool web_begin(void)
{
    the_studio = studio_create();
    if (!the_studio)
        return false;
    studio_set_progress(the_studio, &(pliant_progress){.report = tell_page});
    return true;
}

// Room for a command's text or a file's name; 0 when there is no memory.
EXPORT("text_room") char *web_text_room(size_t size)
{
    char *room = realloc(text, size + 1);
    if (!room)
        return NULL;
    text = room;
    text[size] = 0;
    return text;
}

EXPORT("command") bool web_command(size_t size)
{
    return studio_command(the_studio, text, size);
}

EXPORT("answer") const char *web_answer(void)
{
    return studio_answer(the_studio, &(size_t){0});
}

EXPORT("answer_size") size_t web_answer_size(void)
{
    size_t size;
    studio_answer(the_studio, &size);
    return size;
}

// For the file whose name stands in the text.
EXPORT("file_room") void *web_file_room(size_t size)
{
    return studio_file_room(the_studio, text, size);
}

EXPORT("view") const void *web_view(studio_view_kind kind)
{
    view_count = 0;
    return studio_view(the_studio, kind, &view_count);
}

// Of the view that was asked for last.
EXPORT("view_count") size_t web_view_count(void)
{
    return view_count;
}

EXPORT("advance") void web_advance(float dt, int steps)
{
    studio_advance(the_studio, dt, steps);
}

EXPORT("skin") void web_skin(void)
{
    studio_skin(the_studio);
}

// The address of a studio_frame.
EXPORT("frame") const studio_frame *web_frame(void)
{
    frame = studio_frame_now(the_studio);
    return &frame;
}

EXPORT("block") const void *web_block(int id)
{
    block_size = 0;
    return studio_block(the_studio, id, &block_size);
}

// Of the block that was asked for last.
EXPORT("block_size") size_t web_block_size(void)
{
    return block_size;
}

EXPORT("block_room") void *web_block_room(int id, size_t size)
{
    return studio_block_room(the_studio, id, size);
}
