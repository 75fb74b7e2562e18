// Copying JSON. The depth of the recursion is that of the document, at most JSON_MAX_DEPTH.

#include "json_copy.h"

void pli_json_copy_key(const json_copy *copy, json_value key)
{
    size_t size;
    const char *text = pli_json_raw(copy->json, key, &size);
    pli_json_write_raw_key(copy->writer, text, size);
}

static void copy_member(const json_copy *copy, json_value object, json_value key)
{
    if (copy->replace && copy->replace(copy, object, key))
        return;
    pli_json_copy_key(copy, key);
    pli_json_copy_value(copy, pli_json_member(copy->json, key));
}

void pli_json_copy_inside(const json_copy *copy, json_value container)
{
    bool is_object = pli_json_type_of(copy->json, container) == JSON_TYPE_OBJECT;
    for (json_value v = pli_json_first(copy->json, container); v != JSON_NONE;
         v = pli_json_next(copy->json, v)) {
        if (is_object)
            copy_member(copy, container, v);
        else
            pli_json_copy_value(copy, v);
    }
}

void pli_json_copy_value(const json_copy *copy, json_value value)
{
    size_t size;
    const char *text = pli_json_raw(copy->json, value, &size);
    switch (pli_json_type_of(copy->json, value)) {
    case JSON_TYPE_OBJECT:
        pli_json_begin_object(copy->writer, NULL);
        pli_json_copy_inside(copy, value);
        pli_json_end_object(copy->writer);
        break;
    case JSON_TYPE_ARRAY:
        pli_json_begin_array(copy->writer, NULL);
        pli_json_copy_inside(copy, value);
        pli_json_end_array(copy->writer);
        break;
    default:
        pli_json_write_raw(copy->writer, text, size);
    }
}
