/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/patch.h"
#include "apiserver/patch_items.h"
#include "base/map.h"

#include <string.h>

#define DELETE_FROM "$deleteFromPrimitiveList/"
#define SET_ORDER   "$setElementOrder/"

/* The lists of built-in kinds that are merged, by the key of their items ("" for
 * lists of texts); all others are replaced. `parent` and `kind`: "" for any. */
static const struct merged_list {
    const char *name;
    const char *key;
    const char *parent;
    const char *kind;
} merged_lists[] = {
    {"conditions", "type", "status", ""},
    {"containers", "name", "spec", ""},
    {"env", "name", "", ""},
    {"ephemeralContainers", "name", "spec", ""},
    {"finalizers", "", "metadata", ""},
    {"hostAliases", "ip", "spec", ""},
    {"imagePullSecrets", "name", "spec", ""},
    {"initContainers", "name", "spec", ""},
    {"ownerReferences", "uid", "metadata", ""},
    {"podIPs", "ip", "status", "Pod"},
    {"ports", "containerPort", "containers", ""},
    {"ports", "containerPort", "ephemeralContainers", ""},
    {"ports", "containerPort", "initContainers", ""},
    {"ports", "port", "spec", "Service"},
    {"resourceClaims", "name", "spec", ""},
    {"schedulingGates", "name", "spec", ""},
    {"secrets", "name", "", "ServiceAccount"},
    {"topologySpreadConstraints", "topologyKey", "spec", ""},
    {"volumeDevices", "devicePath", "", ""},
    {"volumeMounts", "mountPath", "", ""},
    {"volumes", "name", "spec", ""},
};

static const char *merge_key(const struct patching *patching, const char *parent, const char *name)
{
    for (size_t i = 0; i < sizeof(merged_lists) / sizeof(*merged_lists); i++) {
        const struct merged_list *list = &merged_lists[i];
        if (strcmp(list->name, name) == 0 && (!*list->parent || !strcmp(list->parent, parent)) &&
            (!*list->kind || !strcmp(list->kind, patching->kind)))
            return list->key;
    }
    return NULL;
}

static const struct datum *merge_mapping(struct patching *patching, const struct datum *object,
                                         const struct value *patch, const char *field);

static const struct datum *content(struct patching *patching, const struct value *value)
{
    return patch_content(patching->arena, value, &patching->why);
}

static const char *directive(const struct value *mapping)
{
    const char *text = value_find_string(mapping, "$patch");
    return text ? text : "";
}

/* Several items may have one key. */
static void remove_all(struct patch_items *items, const struct datum *key)
{
    for (uint32_t number = 0; number != UINT32_MAX;) {
        number = patch_items_find(items, key);
        if (number != UINT32_MAX)
            patch_items_replace(items, number, NULL);
    }
}

static void merge_item(struct patching *patching, struct patch_items *items,
                       const struct value *patch, const char *field)
{
    if (!*items->key) {
        const struct datum *item = content(patching, patch);
        if (item && patch_items_find(items, item) == UINT32_MAX && !patching->why)
            patch_items_add(items, item);
        return;
    }
    const struct value *written = value_find(patch, items->key);
    if (!written) {
        if (strcmp(directive(patch), "replace") != 0) /* that one is for the list itself */
            patching->why =
                arena_printf(patching->arena, "map: %s does not contain declared merge key: %s",
                             field, items->key);
        return;
    }
    const struct datum *wanted = content(patching, written);
    const uint32_t number = patch_items_find(items, wanted);
    if (patching->why)
        return;
    if (strcmp(directive(patch), "delete") == 0) {
        remove_all(items, wanted);
        return;
    }
    const struct datum *merged =
        merge_mapping(patching, number == UINT32_MAX ? NULL : items->items[number], patch, field);
    if (!merged)
        return;
    if (number == UINT32_MAX)
        patch_items_add(items, merged);
    else
        patch_items_replace(items, number, merged);
}

static const struct datum *merge_list(struct patching *patching, const struct datum *list,
                                      const struct value *patch, const char *key, const char *field)
{
    struct patch_items items;
    bool replace = false;
    VALUE_EACH_ITEM(patch, item)
    replace = replace || (strcmp(directive(item), "replace") == 0 &&
                          (item->count == 1 || !*key || !value_find(item, key)));
    if (patching_spend(patching, patching_work(list) + patch->count))
        return NULL;
    patch_items_init(&items, patching, key, replace ? NULL : list, patch->count);
    VALUE_EACH_ITEM(patch, item)
    {
        if (!patching->why)
            merge_item(patching, &items, item, field);
    }
    return patch_items_list(&items);
}

static const struct datum *without_items(struct patching *patching, const struct datum *list,
                                         const struct value *unwanted)
{
    struct patch_items items;
    if (patching_spend(patching, patching_work(list)))
        return NULL;
    patch_items_init(&items, patching, "", list, 0);
    if (unwanted->kind == VALUE_SEQUENCE)
        VALUE_EACH_ITEM(unwanted, item)
        {
            const struct datum *value = patching->why ? NULL : content(patching, item);
            if (value)
                remove_all(&items, value);
        }
    return patch_items_list(&items);
}

/* Items that the order names come in that order, in the places that they have
 * among the others. */
static const struct datum *in_order(struct patching *patching, const struct datum *list,
                                    const struct value *order, const char *key)
{
    struct patch_items items;
    if (patching_spend(patching, 2 * patching_work(list)))
        return NULL;
    patch_items_init(&items, patching, key, list, 0);
    const struct datum **named =
        ARENA_ARRAY(patching->arena, const struct datum *, list->count + 1);
    uint32_t named_count = 0;
    VALUE_EACH_ITEM(order, item)
    {
        const struct value *written = *key ? value_find(item, key) : item;
        const struct datum *wanted = written && !patching->why ? content(patching, written) : NULL;
        const uint32_t number = wanted ? patch_items_find(&items, wanted) : UINT32_MAX;
        if (number == UINT32_MAX)
            continue;
        named[named_count++] = items.items[number];
        patch_items_replace(&items, number, NULL);
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < items.count; i++)
        if (!items.items[i])
            items.items[i] = named[next++];
    return patch_items_list(&items);
}

/* Of the members of an object those that are listed. */
static const struct datum *retain(struct patching *patching, const struct datum *object,
                                  const struct value *keys)
{
    struct map listed;
    if (patching_spend(patching, patching_work(object)))
        return NULL;
    map_init(&listed, patching->arena);
    if (keys->kind == VALUE_SEQUENCE)
        VALUE_EACH_ITEM(keys, item)
        {
            if (item->kind == VALUE_STRING)
                map_put(&listed, item->text)->value = &listed;
        }
    struct datum_member *members =
        ARENA_ARRAY(patching->arena, struct datum_member, object->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < object->count; i++)
        if (map_get(&listed, object->members[i].key))
            members[count++] = object->members[i];
    return datum_object(patching->arena, members, count);
}

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const struct datum *merged_value(struct patching *patching, const struct datum *before,
                                        const struct member *member, const char *field)
{
    const struct value *patch = &member->value;
    if (patch->kind == VALUE_MAPPING)
        return merge_mapping(patching, before, patch, member->key);
    if (patch->kind == VALUE_SEQUENCE) {
        const char *key = merge_key(patching, field, member->key);
        if (key)
            return merge_list(patching, before, patch, key, member->key);
    }
    return content(patching, patch);
}

/* Directives about lists come after the members, which may stand behind them. */
static const struct datum *obey_directives(struct patching *patching, const struct datum *result,
                                           const struct value *patch, const char *field)
{
    struct arena *arena = patching->arena;
    VALUE_EACH_MEMBER(patch, member)
    {
        if (!starts(member->key, SET_ORDER) || member->value.kind != VALUE_SEQUENCE)
            continue;
        const char *name = arena_strdup(arena, member->key + strlen(SET_ORDER));
        const struct datum *list = datum_member(result, name);
        const char *key = merge_key(patching, field, name);
        if (list && list->kind == DATUM_LIST && key)
            result =
                patch_member(patching, result, name, in_order(patching, list, &member->value, key));
        if (patching->why)
            return NULL;
    }
    const struct value *keys = value_find(patch, "$retainKeys");
    return keys ? retain(patching, result, keys) : result;
}

static const struct datum *without_listed(struct patching *patching, const struct datum *object,
                                          const struct value *patch)
{
    VALUE_EACH_MEMBER(patch, member)
    {
        if (!starts(member->key, DELETE_FROM))
            continue;
        const char *name = arena_strdup(patching->arena, member->key + strlen(DELETE_FROM));
        const struct datum *list = datum_member(object, name);
        if (list)
            object =
                patch_member(patching, object, name, without_items(patching, list, &member->value));
        if (patching->why)
            return NULL;
    }
    return object;
}

/* `field`: the name under which the object hangs, which says what its lists are. */
static const struct datum *merge_mapping(struct patching *patching, const struct datum *object,
                                         const struct value *patch, const char *field)
{
    struct arena *arena = patching->arena;
    const bool fresh = !object || object->kind != DATUM_OBJECT ||
                       strcmp(directive(patch), "replace") == 0 ||
                       strcmp(directive(patch), "delete") == 0;
    const struct datum *result = fresh ? datum_object(arena, NULL, 0) : object;
    if (strcmp(directive(patch), "delete") == 0)
        return result;
    result = without_listed(patching, result, patch);
    if (!result || patching_spend(patching, patching_work(result) + patch->count))
        return NULL;
    struct datum_member *members =
        ARENA_ARRAY(arena, struct datum_member, result->count + patch->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->count; i++)
        members[count++] = result->members[i];
    VALUE_EACH_MEMBER(patch, member)
    {
        if (*member->key == '$')
            continue;
        const struct datum *before = datum_member(result, member->key);
        members[count++] =
            (struct datum_member){member->key, merged_value(patching, before, member, field)};
        if (patching->why)
            return NULL;
    }
    result = datum_object(arena, members, count); /* of equal keys the last counts */
    return obey_directives(patching, result, patch, field);
}

const struct datum *patch_strategic(struct patching *patching, const struct datum *object,
                                    const struct value *patch)
{
    if (patch->kind != VALUE_MAPPING) {
        patching->why = "a strategic merge patch is an object";
        return NULL;
    }
    const struct datum *result = merge_mapping(patching, object, patch, "");
    return patching->why ? NULL : result;
}
