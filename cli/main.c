// pliant: the command line. This file only finds the subcommand.

#include "cli.h"

#include <stdio.h>
#include <string.h>

static const char help[] = "Usage: pliant COMMAND ...\n"
                           "\n"
                           "Real-time solids made of oriented particles.\n"
                           "\n"
                           "Commands:\n"
                           "  run SCENE    simulate a scene and bake it as an animated GLB\n"
                           "  author MESH  make a model of a mesh\n"
                           "  info FILE    tell what a model, a scene or a GLB holds\n"
                           "  scenes       list the built-in scenes\n"
                           "\n"
                           "  --help       this text; behind a command, that command's\n"
                           "  --version    the version\n"
                           "\n"
                           "Example: pliant run jelly -o jelly.glb\n";

static const struct {
    const char *name;
    int (*run)(int count, char **arguments);
} commands[] = {{"run", run_command},
                {"author", author_command},
                {"info", info_command},
                {"scenes", scenes_command}};

int main(int count, char **arguments)
{
    if (count < 2)
        return cli_fail_usage("", "no command");
    const char *word = arguments[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        fputs(help, stdout);
        return cli_finish(EXIT_OK);
    }
    if (strcmp(word, "--version") == 0) {
        puts("pliant " PLIANT_VERSION_STRING);
        return cli_finish(EXIT_OK);
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].run(count - 2, arguments + 2);
    }
    return cli_fail_usage("", "unknown %s '%s'", word[0] == '-' ? "option" : "command", word);
}
