// The history: what was done, each entry with the content that the document had then. It goes back and forth, and to
// the page and back for keeping.

#include "core.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 1000 };
#define MOST_BYTES ((size_t)256 << 20)

static void drop_entry(studio *s, studio_entry *entry)
{
    free(entry->label);
    studio_content_drop(s, &entry->content);
}

void studio_history_clear(studio *s, studio_history *history)
{
    for (int i = 0; i < history->count; ++i)
        drop_entry(s, &history->entries[i]);
    free(history->entries);
    *history = (studio_history){0};
}

// ---------------------------------------------------------------------------------------------
// New entries

static bool is_same(const studio_content *a, const studio_content *b)
{
    return memcmp(a->blocks, b->blocks, sizeof a->blocks) == 0;
}

// The oldest step is forgotten: the first entry, which opened the document, now leads to where the second did.
static void forget_oldest(studio *s)
{
    studio_history *history = &s->history;
    studio_entry *entries = history->entries;
    studio_content_drop(s, &entries[0].content);
    entries[0].content = entries[1].content;
    entries[0].stroke = entries[1].stroke;
    free(entries[1].label);
    --history->count;
    --history->position;
    memmove(entries + 1, entries + 2, (size_t)(history->count - 1) * sizeof *entries);
}

static bool reserve(studio_history *history)
{
    if (history->count < history->capacity)
        return true;
    int capacity = 2 * history->capacity + 16;
    studio_entry *entries = realloc(history->entries, (size_t)capacity * sizeof *entries);
    if (!entries)
        return false;
    history->entries = entries;
    history->capacity = capacity;
    return true;
}

// A stroke that began with a selection is named after what was done with it.
static void go_on(studio *s, studio_entry *entry, const studio_content *content, studio_deed deed,
                  char *label)
{
    studio_content_drop(s, &entry->content);
    entry->content = *content;
    if (entry->selects && !deed.selects) {
        free(entry->label);
        entry->label = label;
        entry->selects = false;
    } else {
        free(label);
    }
}

static void begin_entry(studio *s, const studio_content *content, studio_deed deed, char *label)
{
    studio_history *history = &s->history;
    while (history->count > history->position)
        drop_entry(s, &history->entries[--history->count]);
    history->entries[history->count++] = (studio_entry){label, deed.stroke, deed.selects, *content};
    history->position = history->count;
    while (history->count > MOST_ENTRIES || (s->blocks.bytes > MOST_BYTES && history->count > 2))
        forget_oldest(s);
}

bool studio_history_push(studio *s, const studio_document *document, studio_deed deed,
                         pliant_error *error)
{
    studio_history *history = &s->history;
    studio_content content;
    if (!studio_document_save(s, document, &content, error))
        return false;
    studio_entry *last = history->position > 0 ? &history->entries[history->position - 1] : NULL;
    if (last && is_same(&last->content, &content)) {
        studio_content_drop(s, &content);
        return true;
    }
    // Adding an entry may move them: whether the last one goes on is known before.
    bool goes_on = last && deed.stroke > 0 && last->stroke == deed.stroke &&
                   history->position == history->count;
    char *label = studio_copy_text(deed.label);
    if (!label || !reserve(history)) {
        free(label);
        studio_content_drop(s, &content);
        pli_error_memory(error);
        return false;
    }
    if (goes_on)
        go_on(s, &history->entries[history->position - 1], &content, deed, label);
    else
        begin_entry(s, &content, deed, label);
    return true;
}

bool studio_replace_document(studio *s, studio_document *document, studio_deed deed,
                             pliant_error *error)
{
    if (!document || !studio_history_push(s, document, deed, error)) {
        studio_document_destroy(s, document);
        return false;
    }
    studio_document_destroy(s, s->document);
    s->document = document;
    studio_stage_close(s);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Back and forth

static bool go_to(studio *s, field_reader *reader, int position)
{
    const studio_content *content = position > 0 ? &s->history.entries[position - 1].content : NULL;
    pliant_error error = {0};
    if (!studio_document_apply(s, content, &error))
        return studio_fail_with(reader, &error);
    s->history.position = position;
    studio_stage_close(s);
    return true;
}

bool studio_undo(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments))
        return false;
    if (s->history.position == 0)
        return studio_refuse(reader, "there is nothing to undo");
    return go_to(s, reader, s->history.position - 1);
}

bool studio_redo(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments))
        return false;
    if (s->history.position == s->history.count)
        return studio_refuse(reader, "there is nothing to redo");
    return go_to(s, reader, s->history.position + 1);
}

bool studio_travel(studio *s, field_reader *reader, json_value arguments)
{
    int position;
    const field fields[] = {{"position", FIELD_INT, 0, 0, s->history.count, false, false, true}};
    return pli_field_read_object(reader, arguments, fields, COUNT_OF(fields), &position) &&
           go_to(s, reader, position);
}

// ---------------------------------------------------------------------------------------------
// For keeping

bool studio_tell_history(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments))
        return false;
    json_writer *json = &s->answer;
    pli_json_begin_object(json, NULL);
    pli_json_write_int(json, "position", s->history.position);
    pli_json_begin_array(json, "entries");
    for (int i = 0; i < s->history.count; ++i) {
        const studio_entry *entry = &s->history.entries[i];
        pli_json_begin_object(json, NULL);
        pli_json_write_string(json, "label", entry->label);
        pli_json_begin_array(json, "blocks");
        for (int k = 0; k < STUDIO_CONTENT_COUNT; ++k)
            pli_json_write_int(json, NULL, entry->content.blocks[k]->id);
        pli_json_end_array(json);
        pli_json_end_object(json);
    }
    pli_json_end_array(json);
    pli_json_end_object(json);
    return true;
}

typedef struct restoring {
    studio *s;
    studio_history history;
    int last_id;               // of a block, before
    studio_block_item **taken; // of each put block, with one use, once an entry has named it
} restoring;

// Where the page has put the block of this number, the latest of that number; -1 when it has not.
static int find_put(const studio *s, int id)
{
    int at = s->put_count - 1;
    while (at >= 0 && s->put[at].id != id)
        --at;
    return at;
}

// A use of it; NULL when there is no memory. It keeps its number unless that was another block's before.
static studio_block_item *use_put(restoring *r, int at)
{
    studio_block_item *put = &r->s->put[at];
    if (!r->taken[at] && put->data) {
        int wanted = put->id > r->last_id ? put->id : 0;
        r->taken[at] = studio_blocks_take(&r->s->blocks, put->data, put->size, wanted);
        put->data = NULL;
    }
    if (r->taken[at])
        studio_block_keep(r->taken[at]);
    return r->taken[at];
}

static bool read_block(field_reader *reader, json_value value, int index, void *context)
{
    restoring *r = context;
    int id = 0;
    const field id_field = {.kind = FIELD_INT, .minimum = 1, .maximum = 1e9};
    if (!pli_field_read(reader, value, &id_field, &id))
        return false;
    if (index >= STUDIO_CONTENT_COUNT)
        return pli_field_fail(reader, "expected %d blocks", (int)STUDIO_CONTENT_COUNT);
    int at = find_put(r->s, id);
    if (at < 0)
        return pli_field_fail(reader, "there is no block %d", id);
    studio_content *content = &r->history.entries[r->history.count - 1].content;
    content->blocks[index] = use_put(r, at);
    return content->blocks[index] || pli_field_fail_memory(reader);
}

typedef struct entry_ask {
    char label[STUDIO_LABEL_SIZE];
    json_value blocks;
} entry_ask;

static const field entry_fields[] = {
    {"label", FIELD_STRING, offsetof(entry_ask, label), 0, STUDIO_LABEL_SIZE, false, false, true},
    {"blocks", FIELD_VALUE, offsetof(entry_ask, blocks), FIELD_ANY, true},
};

static bool read_entry(field_reader *reader, json_value value, int index, void *context)
{
    restoring *r = context;
    entry_ask ask;
    if (!pli_field_read_object(reader, value, entry_fields, COUNT_OF(entry_fields), &ask))
        return false;
    if (index >= MOST_ENTRIES)
        return pli_field_fail(reader, "expected at most %d entries", (int)MOST_ENTRIES);
    char *label = reserve(&r->history) ? studio_copy_text(ask.label) : NULL;
    if (!label)
        return pli_field_fail_memory(reader);
    r->history.entries[r->history.count++] = (studio_entry){.label = label};
    size_t before = pli_field_enter_key(reader, "blocks");
    if (!pli_field_read_items(reader, ask.blocks, read_block, r))
        return false;
    const studio_content *content = &r->history.entries[index].content;
    if (!content->blocks[STUDIO_CONTENT_COUNT - 1])
        return pli_field_fail(reader, "expected %d blocks", (int)STUDIO_CONTENT_COUNT);
    pli_field_leave(reader, before);
    return true;
}

typedef struct restore_ask {
    int position;
    json_value entries;
} restore_ask;

static const field restore_fields[] = {
    {"position", FIELD_INT, offsetof(restore_ask, position), FIELD_INDEX, true},
    {"entries", FIELD_VALUE, offsetof(restore_ask, entries), FIELD_ANY, true},
};

static bool read_history(restoring *r, field_reader *reader, json_value arguments)
{
    restore_ask ask;
    if (!pli_field_read_object(reader, arguments, restore_fields, COUNT_OF(restore_fields), &ask))
        return false;
    size_t before = pli_field_enter_key(reader, "entries");
    if (!pli_field_read_items(reader, ask.entries, read_entry, r))
        return false;
    pli_field_leave(reader, before);
    if (ask.position > r->history.count)
        return pli_field_fail(reader, "position %d, but there are %d entries", ask.position,
                              r->history.count);
    r->history.position = ask.position;
    return true;
}

static bool put_in_place(restoring *r, field_reader *reader)
{
    studio_history *history = &r->history;
    const studio_content *content =
        history->position > 0 ? &history->entries[history->position - 1].content : NULL;
    pliant_error error = {0};
    if (!studio_document_apply(r->s, content, &error))
        return studio_fail_with(reader, &error);
    studio_history old = r->s->history;
    r->s->history = *history;
    *history = old;
    studio_stage_close(r->s);
    return true;
}

bool studio_restore(studio *s, field_reader *reader, json_value arguments)
{
    restoring r = {.s = s, .last_id = s->blocks.last_id};
    r.taken = calloc((size_t)s->put_count + 1, sizeof *r.taken);
    bool ok = r.taken ? read_history(&r, reader, arguments) && put_in_place(&r, reader)
                      : pli_field_fail_memory(reader);
    for (int i = 0; r.taken && i < s->put_count; ++i)
        studio_blocks_drop(&s->blocks, r.taken[i]);
    free(r.taken);
    studio_history_clear(s, &r.history);
    studio_drop_put(s);
    return ok;
}
