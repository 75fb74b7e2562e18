// The table of attributes.

#include "gltf_semantic.h"

#include "gltf_accessor.h"

#include <math.h>
#include <string.h>

#define PLAIN(type)  (1u << (2 * ((type)-GLTF_BYTE)))
#define SCALED(type) (2u << (2 * ((type)-GLTF_BYTE)))
#define ANY          (~0u)
#define FLOATS       PLAIN(GLTF_FLOAT)
#define FRACTIONS    (FLOATS | SCALED(GLTF_UBYTE) | SCALED(GLTF_USHORT))
#define SIGNED_UNITS (SCALED(GLTF_BYTE) | SCALED(GLTF_SHORT))
#define SIGNED       (SIGNED_UNITS | PLAIN(GLTF_BYTE) | PLAIN(GLTF_SHORT))
#define SMALL                                                                                      \
    (SIGNED | PLAIN(GLTF_UBYTE) | PLAIN(GLTF_USHORT) | SCALED(GLTF_UBYTE) | SCALED(GLTF_USHORT))
#define INDICES (PLAIN(GLTF_UBYTE) | PLAIN(GLTF_USHORT))

static const gltf_semantic base[] = {
    // name, id, sets, geometry, components, right, quantized, readable
    {"POSITION", GLTF_POSITION, false, true, 3, 3, FLOATS, SMALL, ANY},
    {"NORMAL", GLTF_NORMAL, false, true, 3, 3, FLOATS, SIGNED_UNITS, ANY},
    {"TANGENT", GLTF_TANGENT, false, false, 4, 4, FLOATS, SIGNED_UNITS, ANY},
    {"TEXCOORD", GLTF_TEXCOORD, true, true, 2, 2, FRACTIONS, SMALL, ANY},
    {"COLOR", GLTF_COLOR, true, false, 3, 4, FRACTIONS, 0, ANY},
    {"JOINTS", GLTF_JOINTS, true, true, 4, 4, INDICES, 0, INDICES | PLAIN(GLTF_UINT)},
    {"WEIGHTS", GLTF_WEIGHTS, true, true, 4, 4, FRACTIONS, 0, ANY},
    {.name = NULL},
};

static const gltf_semantic target[] = {
    {"POSITION", GLTF_POSITION, false, true, 3, 3, FLOATS, SIGNED, ANY},
    {"NORMAL", GLTF_NORMAL, false, true, 3, 3, FLOATS, SIGNED_UNITS, ANY},
    {"TANGENT", GLTF_TANGENT, false, false, 3, 3, FLOATS, SIGNED_UNITS, ANY},
    {"TEXCOORD", GLTF_TEXCOORD, true, false, 2, 2, FRACTIONS | SIGNED_UNITS, SMALL, ANY},
    {"COLOR", GLTF_COLOR, true, false, 3, 4, FRACTIONS | SIGNED_UNITS, 0, ANY},
    {.name = NULL},
};

unsigned pli_gltf_form(int component_type, bool is_normalized)
{
    return is_normalized ? SCALED(component_type) : PLAIN(component_type);
}

// "_12" gives 12; no set gives -1. There are no leading zeros.
static int read_set(const char *text)
{
    size_t digits = strspn(text + (text[0] == '_'), "0123456789");
    if (text[0] != '_' || digits < 1 || digits > 4 || text[1 + digits] ||
        (text[1] == '0' && digits > 1))
        return -1;
    int set = 0;
    for (++text; *text; ++text)
        set = 10 * set + (*text - '0');
    return set;
}

const gltf_semantic *pli_gltf_find_semantic(const char *name, gltf_semantic_use use, int *set)
{
    *set = -1;
    for (const gltf_semantic *s = use == GLTF_IN_BASE ? base : target; s->name; ++s) {
        size_t length = strlen(s->name);
        if (strncmp(name, s->name, length) != 0)
            continue;
        if (s->has_sets)
            *set = read_set(name + length);
        if (s->has_sets ? *set >= 0 : !name[length])
            return s;
    }
    return NULL;
}

bool pli_gltf_acts(double weight)
{
    return weight > 0.0 && isfinite(weight);
}
