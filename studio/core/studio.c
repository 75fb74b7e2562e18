// The studio itself: commands come in as JSON, are looked up in a table, and leave an answer.

#include "core.h"

#include <stdlib.h>
#include <string.h>

static bool tell_state(studio *s, field_reader *reader, json_value arguments)
{
    (void)s;
    return studio_read_nothing(reader, arguments);
}

static const studio_command_entry commands[] = {
    {"state", tell_state, true},
    {"open", studio_open, true},
    {"scene", studio_scene, true},
    {"edit", studio_edit, true},
    {"leave", studio_leave, true},
    {"run", studio_run, true},
    {"propose", studio_propose, false},
    {"scale", studio_scale, true},
    {"select", studio_select, true},
    {"undo", studio_undo, true},
    {"redo", studio_redo, true},
    {"travel", studio_travel, true},
    {"pick", studio_pick, false},
    {"weights", studio_weigh, false},
    {"simulate", studio_simulate, true},
    {"reset", studio_reset, true},
    {"settings", studio_set, true},
    {"keep", studio_keep, true},
    {"grab", studio_grab, false},
    {"drag", studio_drag, false},
    {"release", studio_release, false},
    {"hash", studio_hash, false},
    {"bakeLast", studio_bake_last, false},
    {"bakeBegin", studio_bake_begin, false},
    {"bakeGoOn", studio_bake_go_on, false},
    {"bakeEnd", studio_bake_end, false},
    {"bakeCancel", studio_bake_cancel, false},
    {"export", studio_export, false},
    {"history", studio_tell_history, false},
    {"restore", studio_restore, true},
};

studio *studio_create(void)
{
    return calloc(1, sizeof(studio));
}

void studio_set_progress(studio *s, const pliant_progress *progress)
{
    s->progress.listener = progress ? *progress : (pliant_progress){0};
}

static bool tell_progress(float part, void *user_data)
{
    studio *s = user_data;
    return pli_progress_tell(&s->progress, part);
}

pliant_progress studio_listener(studio *s)
{
    return (pliant_progress){tell_progress, s};
}

void studio_drop_put(studio *s)
{
    for (int i = 0; i < s->put_count; ++i)
        free(s->put[i].data);
    free(s->put);
    s->put = NULL;
    s->put_count = s->put_capacity = 0;
}

void studio_destroy(studio *s)
{
    if (!s)
        return;
    studio_stage_close(s);
    studio_document_destroy(s, s->document);
    studio_history_clear(s, &s->history);
    studio_drop_put(s);
    studio_blocks_release(&s->blocks);
    studio_files_clear(&s->files);
    pli_json_writer_release(&s->answer);
    free(s->exported);
    free(s->view);
    free(s->weights);
    free(s->looks);
    free(s);
}

void *studio_file_room(studio *s, const char *name, size_t size)
{
    return studio_files_add(&s->files, name, size);
}

// ---------------------------------------------------------------------------------------------
// Blocks

const void *studio_block(const studio *s, int id, size_t *size)
{
    const studio_block_item *block = studio_blocks_find(&s->blocks, id);
    *size = block ? block->size : 0;
    return block ? block->data : NULL;
}

void *studio_block_room(studio *s, int id, size_t size)
{
    if (s->put_count == s->put_capacity) {
        int capacity = 2 * s->put_capacity + 16;
        studio_block_item *put = realloc(s->put, (size_t)capacity * sizeof *put);
        if (!put)
            return NULL;
        s->put = put;
        s->put_capacity = capacity;
    }
    unsigned char *data = size < SIZE_MAX ? malloc(size + 1) : NULL;
    if (data)
        s->put[s->put_count++] = (studio_block_item){.id = id, .size = size, .data = data};
    return data;
}

// ---------------------------------------------------------------------------------------------
// Commands

// Room for the answer is there before anything changes: what has been done can be told. Twice what the last one
// needed is enough but for answers that grow out of all proportion.
static bool begin_answer(studio *s)
{
    size_t room = 2 * s->answer.size + 65536;
    if (s->answer.capacity < room) {
        char *data = realloc(s->answer.data, room);
        if (!data)
            return false;
        s->answer.data = data;
        s->answer.capacity = room;
    }
    s->answer.size = 0;
    s->answer.data[0] = 0;
    s->answer.failed = s->answer.comma = false;
    return true;
}

static bool answer_failure(studio *s, const pliant_error *error)
{
    if (begin_answer(s)) {
        pli_json_begin_object(&s->answer, NULL);
        pli_json_write_string(&s->answer, "code", pliant_result_name(error->code));
        pli_json_write_string(&s->answer, "place", error->place);
        pli_json_write_string(&s->answer, "message", error->message);
        pli_json_end_object(&s->answer);
    } else {
        s->answer.failed = true;
    }
    return false;
}

static const studio_command_entry *find_command(field_reader *reader, json_value key)
{
    for (int i = 0; i < COUNT_OF(commands); ++i) {
        if (pli_json_string_is(reader->json, key, commands[i].name))
            return &commands[i];
    }
    pli_field_fail(reader, "there is no such command");
    return NULL;
}

static bool dispatch(studio *s, field_reader *reader)
{
    json_value root = pli_json_root(reader->json);
    if (pli_json_type_of(reader->json, root) != JSON_TYPE_OBJECT ||
        pli_json_size(reader->json, root) != 1)
        return pli_field_fail(reader, "expected an object with one member, the command");
    json_value key = pli_json_first(reader->json, root);
    char name[32];
    pli_json_string(reader->json, key, name, sizeof name);
    pli_field_enter_key(reader, name);
    const studio_command_entry *command = find_command(reader, key);
    if (!command)
        return false;
    if (!begin_answer(s))
        return pli_field_fail_memory(reader);
    s->note_count = 0;
    pli_progress_begin(&s->progress);
    if (!command->handle(s, reader, pli_json_member(reader->json, key)))
        return false;
    if (command->answers_state)
        studio_write_state(s, &s->answer);
    pli_progress_end(&s->progress);
    return true;
}

bool studio_command(studio *s, const char *text, size_t size)
{
    pliant_error error = {0};
    json_document *json = pli_json_parse(text, size, &error);
    if (!json)
        return answer_failure(s, &error);
    field_reader reader = {.json = json, .error = &error};
    bool ok = dispatch(s, &reader);
    pli_json_destroy(json);
    return ok ? !s->answer.failed : answer_failure(s, &error);
}

const char *studio_answer(const studio *s, size_t *size)
{
    static const char no_memory[] =
        "{\"code\":\"PLIANT_ERROR_MEMORY\",\"place\":\"\",\"message\":\"out of memory\"}";
    if (!s->answer.data || s->answer.failed) {
        *size = sizeof no_memory - 1;
        return no_memory;
    }
    *size = s->answer.size;
    return s->answer.data;
}
