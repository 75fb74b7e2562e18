// Driving the Studio's core as its page does: commands as text, answers as JSON, files and blocks through their rooms.

#ifndef PLIANT_TESTS_STUDIO_DRIVE_H
#define PLIANT_TESTS_STUDIO_DRIVE_H

#include "test.h"

#include "core.h"
#include "octopus_mesh.h"

// Asks without looking at the outcome.
static inline bool ask_text(studio *s, const char *text)
{
    return studio_command(s, text, strlen(text));
}

static inline const char *answer_text(const studio *s)
{
    size_t size;
    const char *text = studio_answer(s, &size);
    assert_int_equal(strlen(text), size);
    return text;
}

static inline void check_asked(studio *s, const char *text, const char *file, int line)
{
    if (ask_text(s, text))
        return;
    print_error("%.200s\nfails: %s\n", text, answer_text(s));
    _fail(file, line);
}

static inline void check_refused(studio *s, const char *text, const char *place, const char *file,
                                 int line)
{
    char expected[160];
    snprintf(expected, sizeof expected, "\"place\":\"%s\"", place);
    if (!ask_text(s, text) && strstr(answer_text(s), expected))
        return;
    print_error("%.200s\nanswers: %.300s\nexpected a failure at %s\n", text, answer_text(s), place);
    _fail(file, line);
}

#define ask(s, text)           check_asked(s, text, __FILE__, __LINE__)
#define refuse(s, text, place) check_refused(s, text, place, __FILE__, __LINE__)

// A number of the last answer by its path: keys between dots, items by their number. -1e30 where there is none.
static inline double answer_number(const studio *s, const char *path)
{
    const char *text = answer_text(s);
    json_document *json = pli_json_parse(text, strlen(text), NULL);
    assert_non_null(json);
    json_value value = pli_json_root(json);
    while (*path) {
        char key[64];
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        value = key[0] >= '0' && key[0] <= '9' ? pli_json_item(json, value, atoi(key))
                                               : pli_json_get(json, value, key);
        path += length + (path[length] == '.');
    }
    double number = pli_json_type_of(json, value) == JSON_TYPE_ARRAY
                        ? pli_json_size(json, value)
                        : pli_json_number(json, value, -1e30);
    pli_json_destroy(json);
    return number;
}

static inline int answer_int(const studio *s, const char *path)
{
    return (int)answer_number(s, path);
}

static inline bool answer_has(const studio *s, const char *text)
{
    return strstr(answer_text(s), text) != NULL;
}

// The state, whatever the last answer was.
static inline int state_int(studio *s, const char *path)
{
    ask(s, "{\"state\":{}}");
    return answer_int(s, path);
}

static inline void put_file(studio *s, const char *name, const void *data, size_t size)
{
    void *room = studio_file_room(s, name, size);
    assert_non_null(room);
    memcpy(room, data, size);
}

static inline void put_text(studio *s, const char *name, const char *text)
{
    put_file(s, name, text, strlen(text));
}

static inline void put_octopus(studio *s, const char *name)
{
    pliant_mesh *mesh = octopus_mesh();
    void *data;
    size_t size;
    assert_int_equal(pliant_mesh_write(mesh, &data, &size, NULL), PLIANT_OK);
    put_file(s, name, data, size);
    free(data);
    pliant_mesh_destroy(mesh);
}

static inline studio *studio_with_octopus(void)
{
    studio *s = studio_create();
    assert_non_null(s);
    put_octopus(s, "octopus.glb");
    ask(s, "{\"open\":{\"file\":\"octopus.glb\"}}");
    return s;
}

#define SPRAY   "{\"run\":{\"label\":\"Spray\",\"tools\":[{\"spray\":{\"count\":300,\"seed\":7}}]}}"
#define CONNECT "{\"run\":{\"label\":\"Connect\",\"tools\":[{\"connect\":{\"distance\":0.26}}]}}"
#define FIT     "{\"run\":{\"label\":\"Fit\",\"tools\":[{\"fit\":{\"drift\":1}}]}}"
#define MASS    "{\"run\":{\"label\":\"Mass\",\"tools\":[{\"mass\":{\"density\":500}}]}}"
#define BIND    "{\"run\":{\"label\":\"Bind\",\"tools\":[{\"bind\":{}}]}}"

static inline studio *studio_with_model(void)
{
    studio *s = studio_with_octopus();
    ask(s, SPRAY);
    ask(s, CONNECT);
    ask(s, FIT);
    ask(s, MASS);
    ask(s, BIND);
    return s;
}

static inline void stage_hash(studio *s, char hash[17])
{
    ask(s, "{\"hash\":{}}");
    const char *at = strstr(answer_text(s), "\"hash\":\"");
    assert_non_null(at);
    memcpy(hash, at + 8, 16);
    hash[16] = 0;
}

// The state but for what the command itself tells: notes, and the stage's time.
static inline char *copy_answer(const studio *s)
{
    const char *text = answer_text(s);
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    return strcpy(copy, text);
}

#endif
