// pliant scenes: the built-in scenes, one a line.

#include "scenes.h"
#include "../author/json/json_write.h"
#include "cli.h"

#include <stdio.h>

static const char help[] = "Usage: pliant scenes [--json]\n"
                           "\n"
                           "Lists the built-in scenes that pliant run knows by name.\n"
                           "\n"
                           "  --json    an array of objects with name and title\n"
                           "  --help    this text\n";

static bool print_json(void)
{
    json_writer json = {0};
    pli_json_begin_array(&json, NULL);
    for (int i = 0; i < scene_entry_count(); ++i) {
        pli_json_begin_object(&json, NULL);
        pli_json_write_string(&json, "name", scene_entry_at(i)->name);
        pli_json_write_string(&json, "title", scene_entry_at(i)->title);
        pli_json_end_object(&json);
    }
    pli_json_end_array(&json);
    bool ok = !json.failed;
    if (ok)
        puts(json.data);
    pli_json_writer_release(&json);
    return ok;
}

int scenes_command(int count, char **arguments)
{
    bool as_json = false;
    const char *operand;
    int code;
    const cli_option options[] = {{"--json", OPTION_FLAG, &as_json, 0, 0}};
    if (!cli_read_options("scenes", count, arguments, options, 1, help, &operand, &code))
        return code;
    if (operand)
        return cli_fail_usage("scenes", "unexpected argument '%s'", operand);
    if (as_json)
        return print_json() ? cli_finish(EXIT_OK) : cli_fail("out of memory");
    for (int i = 0; i < scene_entry_count(); ++i)
        printf("%-10s %s\n", scene_entry_at(i)->name, scene_entry_at(i)->title);
    return cli_finish(EXIT_OK);
}
