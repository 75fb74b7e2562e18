// Printing facts.

#include "facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_key(const printer *p, const char *key)
{
    printf("%*s%-*s ", p->indent, "", 16 - p->indent, key);
}

void cli_put_printable(const char *text)
{
    for (; *text; ++text)
        putchar((unsigned char)*text < 32 || *text == 127 ? '?' : *text);
}

void cli_put_text(printer *p, const char *key, const char *value)
{
    if (p->as_json) {
        pli_json_write_string(&p->json, key, value);
    } else if (value[0]) {
        put_key(p, key);
        cli_put_printable(value);
        putchar('\n');
    }
}

void cli_put_int(printer *p, const char *key, int64_t value)
{
    if (p->as_json) {
        pli_json_write_int(&p->json, key, value);
    } else {
        put_key(p, key);
        printf("%" PRId64 "\n", value);
    }
}

void cli_put_float(printer *p, const char *key, double value)
{
    if (p->as_json) {
        pli_json_write_float(&p->json, key, (float)value);
    } else {
        put_key(p, key);
        printf("%g\n", value);
    }
}

void cli_put_bounds(printer *p, const float *low, const float *high)
{
    if (p->as_json) {
        pli_json_begin_object(&p->json, "bounds");
        pli_json_write_floats(&p->json, "min", low, 3);
        pli_json_write_floats(&p->json, "max", high, 3);
        pli_json_end_object(&p->json);
    } else {
        put_key(p, "bounds");
        printf("%g %g %g to %g %g %g\n", (double)low[0], (double)low[1], (double)low[2],
               (double)high[0], (double)high[1], (double)high[2]);
    }
}

void cli_begin_facts(printer *p, const char *key)
{
    if (p->as_json)
        pli_json_begin_object(&p->json, key);
    else
        printf("%*s%s\n", p->indent, "", key);
    p->indent += 2;
}

void cli_end_facts(printer *p)
{
    p->indent -= 2;
    if (p->as_json)
        pli_json_end_object(&p->json);
}

// ---------------------------------------------------------------------------------------------
// Rigs

// A line's beginning: the name of what has the index where it has none.
static void put_name(const printer *p, const char *kind, int index, const char *name)
{
    printf("%*s", p->indent + 2, "");
    if (name[0])
        cli_put_printable(name);
    else
        printf("%s %d", kind, index);
}

// Names side by side, in lines of a terminal's width.
static void put_bones(printer *p, const pliant_rig_def *def, const pliant_rig_skin *skin)
{
    enum { WIDTH = 100 };
    int column = WIDTH;
    for (int i = 0; i < skin->joint_count; ++i) {
        int node = def->joints[skin->first_joint + i].node;
        char number[32];
        const char *name = def->nodes[node].name;
        if (p->as_json) {
            pli_json_write_string(&p->json, NULL, name);
            continue;
        }
        snprintf(number, sizeof number, "node %d", node);
        name = name[0] ? name : number;
        column += 2 + (int)strlen(name);
        if (column > WIDTH) {
            printf(i > 0 ? ",\n%*s" : "%*s", p->indent + 4, "");
            column = p->indent + 4 + (int)strlen(name);
        } else {
            printf(", ");
        }
        cli_put_printable(name);
    }
    if (!p->as_json)
        putchar('\n');
}

static void put_skins(printer *p, const pliant_rig_def *def)
{
    cli_put_int(p, "skins", def->skin_count);
    if (p->as_json)
        pli_json_begin_array(&p->json, "skin_list");
    for (int i = 0; i < def->skin_count; ++i) {
        const pliant_rig_skin *skin = &def->skins[i];
        if (p->as_json) {
            pli_json_begin_object(&p->json, NULL);
            pli_json_write_string(&p->json, "name", skin->name);
            pli_json_begin_array(&p->json, "bones");
        } else {
            put_name(p, "skin", i, skin->name);
            printf(": %d bones\n", (int)skin->joint_count);
        }
        put_bones(p, def, skin);
        if (p->as_json) {
            pli_json_end_array(&p->json);
            pli_json_end_object(&p->json);
        }
    }
    if (p->as_json)
        pli_json_end_array(&p->json);
}

static void put_clips(printer *p, const pliant_rig *rig, const pliant_rig_def *def)
{
    cli_put_int(p, "clips", def->clip_count);
    if (p->as_json)
        pli_json_begin_array(&p->json, "clip_list");
    for (int i = 0; i < def->clip_count; ++i) {
        float seconds = pliant_rig_clip_seconds(rig, i);
        if (p->as_json) {
            pli_json_begin_object(&p->json, NULL);
            pli_json_write_string(&p->json, "name", def->clips[i].name);
            pli_json_write_float(&p->json, "seconds", seconds);
            pli_json_end_object(&p->json);
        } else {
            put_name(p, "clip", i, def->clips[i].name);
            printf(": %g s\n", (double)seconds);
        }
    }
    if (p->as_json)
        pli_json_end_array(&p->json);
}

static void put_targets(printer *p, const pliant_rig_def *def)
{
    cli_put_int(p, "targets", def->weight_count);
    if (p->as_json)
        pli_json_begin_array(&p->json, "target_list");
    for (int i = 0; i < def->node_count; ++i) {
        const pliant_rig_node *node = &def->nodes[i];
        for (int k = 0; k < node->weight_count; ++k) {
            const pliant_rig_weight *weight = &def->weights[node->first_weight + k];
            if (p->as_json) {
                pli_json_begin_object(&p->json, NULL);
                pli_json_write_string(&p->json, "name", weight->name);
                pli_json_write_string(&p->json, "node", node->name);
                pli_json_write_float(&p->json, "rest", weight->rest);
                pli_json_end_object(&p->json);
            } else {
                put_name(p, "target", k, weight->name);
                printf(node->name[0] ? " of " : "");
                cli_put_printable(node->name);
                printf(": %g at rest\n", (double)weight->rest);
            }
        }
    }
    if (p->as_json)
        pli_json_end_array(&p->json);
}

void cli_put_rig(printer *p, const pliant_rig *rig)
{
    if (!rig)
        return;
    pliant_rig_def def = pliant_rig_definition(rig);
    cli_begin_facts(p, "rig");
    cli_put_int(p, "nodes", def.node_count);
    put_skins(p, &def);
    put_clips(p, rig, &def);
    put_targets(p, &def);
    cli_end_facts(p);
}
