// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.

#include "io/utf8.h"

#include <stdlib.h>
#include <string.h>

int pli_utf8_length(const char *text, const char *end)
{
    const unsigned char *at = (const unsigned char *)text;
    if (text < end && at[0] < 0x80)
        return 1;
    if (end - text < 2)
        return 0;
    int size = at[0] >= 0xc2 && at[0] <= 0xdf   ? 2
               : at[0] >= 0xe0 && at[0] <= 0xef ? 3
               : at[0] >= 0xf0 && at[0] <= 0xf4 ? 4
                                                : 0;
    if (end - text < size)
        return 0;
    for (int i = 1; i < size; ++i) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return size;
}

size_t pli_utf8_cut(char *to, size_t room, const char *text)
{
    const char *end = text + strlen(text);
    size_t size = 0;
    while (text + size < end) {
        int length = pli_utf8_length(text + size, end);
        size_t next = size + (length > 0 ? (size_t)length : 1);
        if (next >= room)
            break;
        size = next;
    }
    memcpy(to, text, size);
    to[size] = 0;
    return size;
}

static bool is_utf8(slice text)
{
    int length = 0;
    for (size_t i = 0; i < text.size; i += (size_t)length) {
        length = pli_utf8_length(text.at + i, text.at + text.size);
        if (length == 0)
            return false;
    }
    return true;
}

char *pli_utf8_copy(slice text)
{
    bool is_kept = is_utf8(text);
    char *copy = malloc(2 * text.size + 1);
    if (!copy)
        return NULL;
    size_t size = 0;
    for (size_t i = 0; i < text.size; ++i) {
        unsigned char byte = (unsigned char)text.at[i];
        if (is_kept || byte < 0x80) {
            copy[size++] = (char)byte;
        } else {
            copy[size++] = (char)(0xc0 | byte >> 6);
            copy[size++] = (char)(0x80 | (byte & 0x3f));
        }
    }
    copy[size] = 0;
    return copy;
}
