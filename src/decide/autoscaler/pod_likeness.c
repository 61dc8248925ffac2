/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/pod_likeness.h"

#include "manifest/document.h"
#include "object/quantity.h"

#include <stdlib.h>
#include <string.h>

struct likeness {
    struct arena *scratch;
    struct text *text;
    const struct value *volumes; /* of the spec, to tell which mounts are of projected volumes */
};

static bool is_empty(const struct value *value)
{
    if (value->kind == VALUE_NULL)
        return true;
    if (value->kind == VALUE_STRING)
        return value->count == 0;
    return (value->kind == VALUE_SEQUENCE || value->kind == VALUE_MAPPING) && value->count == 0;
}

static bool is_projected(const struct value *volume)
{
    return !value_is_null(value_find(volume, "projected"));
}

static bool mounts_projected(const struct likeness *likeness, const struct value *mount)
{
    const char *name = value_find_string(mount, "name");
    if (!name || !likeness->volumes || likeness->volumes->kind != VALUE_SEQUENCE)
        return false;
    VALUE_EACH_ITEM(likeness->volumes, volume)
    {
        const char *other = value_find_string(volume, "name");
        if (other && strcmp(name, other) == 0 && is_projected(volume))
            return true;
    }
    return false;
}

static bool holds_quantities(const char *key)
{
    return key && (strcmp(key, "requests") == 0 || strcmp(key, "limits") == 0 ||
                   strcmp(key, "overhead") == 0);
}

static int compare_members(const void *left, const void *right)
{
    const struct member *a = *(const struct member *const *)left;
    const struct member *b = *(const struct member *const *)right;
    return strcmp(a->key, b->key);
}

static void put_value(const struct likeness *likeness, const char *key, const struct value *value,
                      bool quantity);

static void put_mapping(const struct likeness *likeness, const char *key,
                        const struct value *mapping)
{
    const struct member **members =
        ARENA_ARRAY(likeness->scratch, const struct member *, mapping->count + 1);
    uint32_t count = 0;
    VALUE_EACH_MEMBER(mapping, member)
    {
        if (!is_empty(&member->value))
            members[count++] = member;
    }
    qsort(members, count, sizeof(const struct member *), compare_members);
    text_append_char(likeness->text, '{');
    for (uint32_t i = 0; i < count; i++) {
        text_printf(likeness->text, "%zu:%s", strlen(members[i]->key), members[i]->key);
        put_value(likeness, members[i]->key, &members[i]->value, holds_quantities(key));
    }
    text_append_char(likeness->text, '}');
}

static void put_sequence(const struct likeness *likeness, const char *key,
                         const struct value *sequence)
{
    text_append_char(likeness->text, '[');
    VALUE_EACH_ITEM(sequence, item)
    {
        if (key && strcmp(key, "volumeMounts") == 0 && mounts_projected(likeness, item))
            continue;
        put_value(likeness, NULL, item, false);
    }
    text_append_char(likeness->text, ']');
}

static void put_value(const struct likeness *likeness, const char *key, const struct value *value,
                      bool is_quantity)
{
    struct quantity quantity;
    if (value->kind == VALUE_MAPPING)
        put_mapping(likeness, key, value);
    else if (value->kind == VALUE_SEQUENCE)
        put_sequence(likeness, key, value);
    else if (is_quantity && quantity_parse(value->text, &quantity, NULL))
        text_printf(likeness->text, "q%llx.%llx;", (unsigned long long)(quantity.nanos >> 64),
                    (unsigned long long)quantity.nanos);
    else
        text_printf(likeness->text, "%d%u:%s", value->kind, value->count, value->text);
}

static void put_volumes(const struct likeness *likeness, const struct value *volumes)
{
    VALUE_EACH_ITEM(volumes, volume)
    {
        if (!is_projected(volume))
            put_value(likeness, NULL, volume, false);
    }
}

static void put_spec(const struct likeness *likeness, const struct value *spec)
{
    const struct member **members =
        ARENA_ARRAY(likeness->scratch, const struct member *, spec->count + 1);
    uint32_t count = 0;
    VALUE_EACH_MEMBER(spec, member)
    {
        if (!is_empty(&member->value) && strcmp(member->key, "nodeName") != 0 &&
            strcmp(member->key, "hostname") != 0)
            members[count++] = member;
    }
    qsort(members, count, sizeof(const struct member *), compare_members);
    for (uint32_t i = 0; i < count; i++) {
        const struct member *member = members[i];
        if (strcmp(member->key, "volumes") == 0 && member->value.kind == VALUE_SEQUENCE) {
            put_volumes(likeness, &member->value);
            continue;
        }
        text_printf(likeness->text, "%zu:%s", strlen(member->key), member->key);
        put_value(likeness, member->key, &member->value, false);
    }
}

void pod_likeness(struct arena *scratch, struct text *text, const struct value *pod)
{
    const struct value *labels = value_find(value_find(pod, "metadata"), "labels");
    const struct value *spec = value_find(pod, "spec");
    const struct likeness likeness = {scratch, text, value_find(spec, "volumes")};
    const struct arena_mark mark = arena_mark(scratch);
    if (labels && labels->kind == VALUE_MAPPING)
        put_mapping(&likeness, NULL, labels);
    text_append_char(text, '|');
    if (spec && spec->kind == VALUE_MAPPING)
        put_spec(&likeness, spec);
    arena_rewind(scratch, mark);
}
