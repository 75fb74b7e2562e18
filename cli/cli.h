// What the subcommands share: messages, options, loading. Exit codes are 0 for success, 1 for
// anything that went wrong and 2 for a command line that makes no sense.

#ifndef PLIANT_CLI_CLI_H
#define PLIANT_CLI_CLI_H

#include <pliant/author.h>

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

// The subcommands; `arguments` begin behind the subcommand's name.
int run_command(int count, char **arguments);
int author_command(int count, char **arguments);
int info_command(int count, char **arguments);
int scenes_command(int count, char **arguments);

// Each prints one line, "pliant: …", to stderr and returns the exit code that goes with it.
__attribute__((format(printf, 1, 2))) int cli_fail(const char *format, ...);
// Points to the help of `command` ("run"; "" is the program's own).
__attribute__((format(printf, 2, 3))) int cli_fail_usage(const char *command, const char *format,
                                                         ...);
// `file` is put in front, once: a place that is the file's name, cut short or not, is left out.
int cli_fail_error(const char *file, const pliant_error *error);
// Prints one line, "pliant: note: …", to stderr.
__attribute__((format(printf, 1, 2))) void cli_note(const char *format, ...);
// Standard output may be a full disk or a closed pipe: returns `code`, or EXIT_FAILED with a message
// when not everything was written.
int cli_finish(int code);

// One option of a subcommand and where its value goes.
typedef enum option_kind {
    OPTION_FLAG,   // bool
    OPTION_TEXT,   // const char *
    OPTION_INT,    // int in [minimum, maximum]
    OPTION_NUMBER, // double in [minimum, maximum]
} option_kind;

typedef struct cli_option {
    const char *name; // with its dashes, "--seconds"
    option_kind kind;
    void *target;
    double minimum, maximum;
} cli_option;

// Reads options and at most one operand, in any order; "--" ends the options. Returns false and sets
// *code when there is nothing more to do: after a mistake, or after printing `help` for --help.
bool cli_read_options(const char *command, int count, char **arguments, const cli_option *options,
                      int option_count, const char *help, const char **operand, int *code);

// The word "-" stands for standard input or output.
bool cli_is_dash(const char *path);
// What messages call an input: its path or "standard input".
const char *cli_input_name(const char *path);
// The whole file, or standard input for "-"; free() it.
pliant_result cli_read_input(const char *path, void **data, size_t *size, pliant_error *error);
// What messages call an output.
const char *cli_output_name(const char *path);
// Says before the work what would only fail after it. The file itself is not touched.
bool cli_output_is_writable(const char *path);
// The whole file, or standard output for "-".
pliant_result cli_write_output(const char *path, const void *data, size_t size,
                               pliant_error *error);
// The folder a path lies in, in new memory, or NULL.
char *cli_folder_of(const char *path);

// A scene or a mesh from the content of the file `path`, which is not opened again: a pipe gives it once.
pliant_scene *cli_read_scene(const char *path, const void *data, size_t size, pliant_error *error);
pliant_mesh *cli_read_mesh(const char *path, const void *data, size_t size, pliant_remarks *remarks,
                           pliant_error *error);

// A scene by its built-in name, from a scene file, or one that drops a model on the ground. Returns
// NULL after printing a message.
pliant_scene *cli_load_scene(const char *name);

#endif
