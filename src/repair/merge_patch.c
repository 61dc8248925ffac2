/* SPDX-License-Identifier: Apache-2.0 */
#include "repair/merge_patch.h"

#include <string.h>

/* Lists that the API server merges item by item, as far as repairs change them. */
static const struct {
    const char *field;
    const char *key; /* items are found by this member; NULL: the list is replaced */
} merged_lists[] = {
    {"containers", "name"},
    {"initContainers", "name"},
    {"webhooks", "name"},
    {"topologySpreadConstraints", NULL},
    {"volumes", NULL},
    {"ports", NULL},
    {"env", NULL},
    {"taints", NULL},
    {"schedulingGates", NULL},
};

static void write_mapping(struct json_out *json, const char *key, const struct value *before,
                          const struct value *after, const char *name_key);

static bool is_merged(const char *field, const char **key)
{
    for (size_t i = 0; i < sizeof(merged_lists) / sizeof(*merged_lists); i++)
        if (strcmp(merged_lists[i].field, field) == 0) {
            *key = merged_lists[i].key;
            return true;
        }
    return false;
}

static const struct value *item_of_key(const struct value *list, const char *key, const char *name)
{
    VALUE_EACH_ITEM(list, item)
    {
        const char *own = value_find_string(item, key);
        if (own && strcmp(own, name) == 0)
            return item;
    }
    return NULL;
}

/* Have both lists the same items by key, in the same number? */
static bool is_keyed(const struct value *before, const struct value *after, const char *key)
{
    if (before->kind != VALUE_SEQUENCE || before->count != after->count)
        return false;
    VALUE_EACH_ITEM(after, item)
    {
        const char *name = value_find_string(item, key);
        if (!name || !item_of_key(before, key, name))
            return false;
    }
    return true;
}

static void write_items(struct json_out *json, const char *field, const struct value *before,
                        const struct value *after, const char *key)
{
    json_array_begin(json, field);
    VALUE_EACH_ITEM(after, item)
    {
        const struct value *old = item_of_key(before, key, value_find_string(item, key));
        if (!tree_same(old, item))
            write_mapping(json, NULL, old, item, key);
    }
    json_array_end(json);
}

/* The whole list, and that it is not to be merged with the one that is there. */
static void write_list(struct json_out *json, const char *field, const struct value *after)
{
    json_array_begin(json, field);
    json_object_begin(json, NULL);
    json_string(json, "$patch", "replace");
    json_object_end(json);
    VALUE_EACH_ITEM(after, item)
    {
        value_write_json(json, NULL, item);
    }
    json_array_end(json);
}

static void write_field(struct json_out *json, const char *field, const struct value *before,
                        const struct value *after)
{
    const char *key = NULL;
    if (after->kind == VALUE_MAPPING)
        write_mapping(json, field, before, after, NULL);
    else if (after->kind == VALUE_SEQUENCE && is_merged(field, &key) && before) {
        if (key && is_keyed(before, after, key))
            write_items(json, field, before, after, key);
        else
            write_list(json, field, after);
    } else
        value_write_json(json, field, after);
}

/* What defaults have put beside a type that changes has to go. */
static void write_retained(struct json_out *json, const char *field, const struct value *after)
{
    if (!field || (strcmp(field, "strategy") != 0 && strcmp(field, "updateStrategy") != 0))
        return;
    const char *type = value_find_string(after, "type");
    if (!type || strcmp(type, "RollingUpdate") == 0)
        return;
    json_array_begin(json, "$retainKeys");
    json_string(json, NULL, "type");
    json_array_end(json);
}

static void write_mapping(struct json_out *json, const char *key, const struct value *before,
                          const struct value *after, const char *name_key)
{
    json_object_begin(json, key);
    write_retained(json, key, after);
    VALUE_EACH_MEMBER(after, member)
    {
        const struct value *old = value_find(before, member->key);
        const bool names = name_key && strcmp(name_key, member->key) == 0;
        if (names || !old || !tree_same(old, &member->value))
            write_field(json, member->key, old, &member->value);
    }
    for (uint32_t i = 0; before && before->kind == VALUE_MAPPING && i < before->count; i++)
        if (!value_find(after, before->members[i].key))
            json_null(json, before->members[i].key);
    json_object_end(json);
}

char *merge_patch_make(struct arena *arena, const struct value *before, const struct value *after)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    write_mapping(&json, NULL, before, after, NULL);
    return text_keep(&text, arena);
}
