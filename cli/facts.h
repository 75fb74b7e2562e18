// Facts that are printed one by one, as lines of text or as members of a JSON object.

#ifndef PLIANT_CLI_FACTS_H
#define PLIANT_CLI_FACTS_H

#include "../author/json/json_write.h"

#include <pliant/rig.h>

typedef struct printer {
    bool as_json;
    int indent; // of the lines
    json_writer json;
} printer;

// Names come from files and may hold anything; a terminal must not obey them.
void cli_put_printable(const char *text);

// An empty text is no line, but a member all the same.
void cli_put_text(printer *p, const char *key, const char *value);
void cli_put_int(printer *p, const char *key, int64_t value);
void cli_put_float(printer *p, const char *key, double value);
void cli_put_bounds(printer *p, const float *low, const float *high);

// Facts that belong together: an object, or indented lines below its name.
void cli_begin_facts(printer *p, const char *key);
void cli_end_facts(printer *p);

// Skins with their bones, clips with their lengths, morph targets. Nothing for NULL.
void cli_put_rig(printer *p, const pliant_rig *rig);

#endif
