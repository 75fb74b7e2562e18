// The command line's words, and the one-line messages when they make no sense.

#include "cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_control(char c)
{
    return (unsigned char)c < 32 || c == 127;
}

// A name from the command line may hold anything, also line breaks; the message stays one line. It
// has its full length, as the reason stands behind the name.
static void print_line(const char *beginning, const char *format, va_list arguments,
                       const char *ending)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    for (char *c = text; c && *c; ++c) {
        if (is_control(*c))
            *c = '?';
    }
    fprintf(stderr, "pliant: %s%s%s\n", beginning, text ? text : "out of memory", ending);
    free(text);
}

int cli_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments, "");
    va_end(arguments);
    return EXIT_FAILED;
}

void cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("note: ", format, arguments, "");
    va_end(arguments);
}

int cli_fail_usage(const char *command, const char *format, ...)
{
    char ending[64];
    snprintf(ending, sizeof ending, " (see pliant %s%s--help)", command, command[0] ? " " : "");
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments, ending);
    va_end(arguments);
    return EXIT_USAGE;
}

// Whether `place` is the name of `file` or, having less room, its beginning. Places hold '?' for
// control characters.
static bool is_name_of(const char *place, const char *file)
{
    size_t length = strlen(place);
    for (size_t i = 0; i < length; ++i) {
        if (place[i] != (is_control(file[i]) && file[i] ? '?' : file[i]))
            return false;
    }
    return !file[length] || length + 1 == sizeof((pliant_error *)0)->place;
}

int cli_fail_error(const char *file, const pliant_error *error)
{
    const char *place = is_name_of(error->place, file) ? "" : error->place;
    return cli_fail("%s: %s%s%s", file, place, place[0] ? ": " : "", error->message);
}

int cli_finish(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_fail("standard output cannot be written");
    return code;
}

static bool read_number(const char *text, double *number)
{
    // Plain decimal numbers only: strtod would take "nan", "inf" and "0x10" as well.
    if (!text[0] || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    char *end;
    *number = strtod(text, &end);
    return *end == 0 && isfinite(*number);
}

static bool store(const cli_option *option, const char *text, char *problem, size_t size)
{
    if (option->kind == OPTION_TEXT) {
        *(const char **)option->target = text;
        if (!text[0])
            snprintf(problem, size, "%s: expected a name, found nothing", option->name);
        return text[0] != 0;
    }
    double number;
    bool whole = option->kind == OPTION_INT;
    bool ok = read_number(text, &number) && number >= option->minimum &&
              number <= option->maximum && !(whole && number != (double)(long long)number);
    if (!ok) {
        snprintf(problem, size, "%s: expected a %snumber from %g to %g, found '%s'", option->name,
                 whole ? "whole " : "", option->minimum, option->maximum, text);
        return false;
    }
    if (whole)
        *(int *)option->target = (int)number;
    else
        *(double *)option->target = number;
    return true;
}

static const cli_option *find(const cli_option *options, int count, const char *word, size_t length)
{
    for (int i = 0; i < count; ++i) {
        if (strlen(options[i].name) == length && memcmp(options[i].name, word, length) == 0)
            return &options[i];
    }
    return NULL;
}

// Reads the option at arguments[*i] and moves *i to its last word.
static bool read_option(int count, char **arguments, int *i, const cli_option *options,
                        int option_count, char *problem, size_t size)
{
    const char *word = arguments[*i];
    // Long options may carry their value: --seconds=2.
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const cli_option *option = find(options, option_count, word, length);
    if (!option) {
        snprintf(problem, size, "unknown option '%.*s'", (int)length, word);
        return false;
    }
    if (option->kind == OPTION_FLAG) {
        if (equals)
            snprintf(problem, size, "%s takes no value", option->name);
        else
            *(bool *)option->target = true;
        return !equals;
    }
    if (equals)
        return store(option, equals + 1, problem, size);
    if (*i + 1 == count) {
        snprintf(problem, size, "%s: the value is missing", option->name);
        return false;
    }
    return store(option, arguments[++*i], problem, size);
}

bool cli_read_options(const char *command, int count, char **arguments, const cli_option *options,
                      int option_count, const char *help, const char **operand, int *code)
{
    char problem[512] = "";
    bool only_operands = false;
    *operand = NULL;
    for (int i = 0; i < count && !problem[0]; ++i) {
        const char *word = arguments[i];
        if (only_operands || word[0] != '-' || !word[1]) {
            if (*operand)
                snprintf(problem, sizeof problem, "unexpected argument '%s'", word);
            *operand = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            fputs(help, stdout);
            *code = cli_finish(EXIT_OK);
            return false;
        } else {
            read_option(count, arguments, &i, options, option_count, problem, sizeof problem);
        }
    }
    if (!problem[0])
        return true;
    *code = cli_fail_usage(command, "%s", problem);
    return false;
}
