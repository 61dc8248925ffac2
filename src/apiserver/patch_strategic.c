/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/patch.h"
#include "base/vec.h"

#include <string.h>

struct strategy {
    struct arena *arena;
    const char *kind;
    const char *why;
};

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

static const char *merge_key(const struct strategy *strategy, const char *parent, const char *name)
{
    for (size_t i = 0; i < sizeof(merged_lists) / sizeof(*merged_lists); i++) {
        const struct merged_list *list = &merged_lists[i];
        if (strcmp(list->name, name) == 0 && (!*list->parent || !strcmp(list->parent, parent)) &&
            (!*list->kind || !strcmp(list->kind, strategy->kind)))
            return list->key;
    }
    return NULL;
}

static const struct datum *merge_mapping(struct strategy *strategy, const struct datum *object,
                                         const struct value *patch, const char *field);

typedef VEC(const struct datum *) datum_vec;

static const struct datum *content(struct strategy *strategy, const struct value *value)
{
    return patch_content(strategy->arena, value, &strategy->why);
}

static uint32_t index_of(const datum_vec *items, const char *key, const struct datum *wanted)
{
    for (uint32_t i = 0; i < items->count; i++) {
        const struct datum *item = items->items[i];
        if (datum_equal(*key ? datum_member(item, key) : item, wanted))
            return i;
    }
    return UINT32_MAX;
}

static void remove_index(datum_vec *items, uint32_t index)
{
    memmove(items->items + index, items->items + index + 1,
            sizeof(*items->items) * (items->count - index - 1));
    items->count--;
}

static void fill(struct strategy *strategy, datum_vec *items, const struct datum *list)
{
    for (uint32_t i = 0; list && list->kind == DATUM_LIST && i < list->count; i++)
        VEC_PUSH(strategy->arena, items, list->items[i]);
}

static const char *directive(const struct value *mapping)
{
    const char *text = value_find_string(mapping, "$patch");
    return text ? text : "";
}

static void merge_item(struct strategy *strategy, datum_vec *items, const struct value *patch,
                       const char *key, const char *field)
{
    if (!*key) {
        const struct datum *item = content(strategy, patch);
        if (item && index_of(items, "", item) == UINT32_MAX)
            VEC_PUSH(strategy->arena, items, item);
        return;
    }
    const struct value *written = value_find(patch, key);
    if (!written) {
        if (strcmp(directive(patch), "replace") != 0) /* that one is for the list itself */
            strategy->why = arena_printf(
                strategy->arena, "map: %s does not contain declared merge key: %s", field, key);
        return;
    }
    const struct datum *wanted = content(strategy, written);
    const uint32_t index = index_of(items, key, wanted);
    if (strcmp(directive(patch), "delete") == 0) {
        if (index != UINT32_MAX)
            remove_index(items, index);
        return;
    }
    const struct datum *merged =
        merge_mapping(strategy, index == UINT32_MAX ? NULL : items->items[index], patch, field);
    if (!merged)
        return;
    if (index == UINT32_MAX)
        VEC_PUSH(strategy->arena, items, merged);
    else
        items->items[index] = merged;
}

static const struct datum *merge_list(struct strategy *strategy, const struct datum *list,
                                      const struct value *patch, const char *key, const char *field)
{
    datum_vec items = {0};
    bool replace = false;
    VALUE_EACH_ITEM(patch, item)
    replace = replace || (strcmp(directive(item), "replace") == 0 &&
                          (item->count == 1 || !*key || !value_find(item, key)));
    if (!replace)
        fill(strategy, &items, list);
    VALUE_EACH_ITEM(patch, item)
    {
        if (!strategy->why)
            merge_item(strategy, &items, item, key, field);
    }
    return datum_list(strategy->arena, items.items, items.count);
}

static const struct datum *without_items(struct strategy *strategy, const struct datum *list,
                                         const struct value *unwanted)
{
    datum_vec items = {0};
    fill(strategy, &items, list);
    if (unwanted->kind == VALUE_SEQUENCE)
        VALUE_EACH_ITEM(unwanted, item)
        {
            const struct datum *value = content(strategy, item);
            const uint32_t index = value ? index_of(&items, "", value) : UINT32_MAX;
            if (index != UINT32_MAX)
                remove_index(&items, index);
        }
    return datum_list(strategy->arena, items.items, items.count);
}

/* Items that the order names come in that order, in the places that they have
 * among the others. */
static const struct datum *in_order(struct strategy *strategy, const struct datum *list,
                                    const struct value *order, const char *key)
{
    datum_vec items = {0};
    datum_vec named = {0};
    fill(strategy, &items, list);
    bool *is_named = ARENA_ARRAY(strategy->arena, bool, items.count + 1);
    VALUE_EACH_ITEM(order, item)
    {
        const struct value *written = *key ? value_find(item, key) : item;
        const struct datum *wanted = written ? content(strategy, written) : NULL;
        for (uint32_t i = 0; wanted && i < items.count; i++) {
            const struct datum *own = *key ? datum_member(items.items[i], key) : items.items[i];
            if (is_named[i] || !datum_equal(own, wanted))
                continue;
            is_named[i] = true;
            VEC_PUSH(strategy->arena, &named, items.items[i]);
            break;
        }
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < items.count && next < named.count; i++)
        if (is_named[i])
            items.items[i] = named.items[next++];
    return datum_list(strategy->arena, items.items, items.count);
}

static bool listed(const struct value *list, const char *key)
{
    if (list->kind != VALUE_SEQUENCE)
        return false;
    VALUE_EACH_ITEM(list, item)
    if (item->kind == VALUE_STRING && strcmp(item->text, key) == 0)
        return true;
    return false;
}

static const struct datum *retain(struct strategy *strategy, const struct datum *object,
                                  const struct value *keys)
{
    const struct datum *result = object;
    for (uint32_t i = 0; i < object->count; i++)
        if (!listed(keys, object->members[i].key))
            result = patch_member(strategy->arena, result, object->members[i].key, NULL);
    return result;
}

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const struct datum *merged_value(struct strategy *strategy, const struct datum *before,
                                        const struct member *member, const char *field)
{
    const struct value *patch = &member->value;
    if (patch->kind == VALUE_MAPPING)
        return merge_mapping(strategy, before, patch, member->key);
    if (patch->kind == VALUE_SEQUENCE) {
        const char *key = merge_key(strategy, field, member->key);
        if (key)
            return merge_list(strategy, before, patch, key, member->key);
    }
    return content(strategy, patch);
}

/* Directives about lists come after the members, which may stand behind them. */
static const struct datum *obey_directives(struct strategy *strategy, const struct datum *result,
                                           const struct value *patch, const char *field)
{
    struct arena *arena = strategy->arena;
    VALUE_EACH_MEMBER(patch, member)
    {
        if (!starts(member->key, SET_ORDER) || member->value.kind != VALUE_SEQUENCE)
            continue;
        const char *name = arena_strdup(arena, member->key + strlen(SET_ORDER));
        const struct datum *list = datum_member(result, name);
        const char *key = merge_key(strategy, field, name);
        if (list && list->kind == DATUM_LIST && key)
            result =
                patch_member(arena, result, name, in_order(strategy, list, &member->value, key));
    }
    const struct value *keys = value_find(patch, "$retainKeys");
    return keys ? retain(strategy, result, keys) : result;
}

static const struct datum *without_listed(struct strategy *strategy, const struct datum *object,
                                          const struct value *patch)
{
    VALUE_EACH_MEMBER(patch, member)
    {
        if (!starts(member->key, DELETE_FROM))
            continue;
        const char *name = arena_strdup(strategy->arena, member->key + strlen(DELETE_FROM));
        const struct datum *list = datum_member(object, name);
        if (list)
            object = patch_member(strategy->arena, object, name,
                                  without_items(strategy, list, &member->value));
    }
    return object;
}

/* `field`: the name under which the object hangs, which says what its lists are. */
static const struct datum *merge_mapping(struct strategy *strategy, const struct datum *object,
                                         const struct value *patch, const char *field)
{
    struct arena *arena = strategy->arena;
    const bool fresh = !object || object->kind != DATUM_OBJECT ||
                       strcmp(directive(patch), "replace") == 0 ||
                       strcmp(directive(patch), "delete") == 0;
    const struct datum *result = fresh ? datum_object(arena, NULL, 0) : object;
    if (strcmp(directive(patch), "delete") == 0)
        return result;
    result = without_listed(strategy, result, patch);
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
            (struct datum_member){member->key, merged_value(strategy, before, member, field)};
        if (strategy->why)
            return NULL;
    }
    result = datum_object(arena, members, count); /* of equal keys the last counts */
    return obey_directives(strategy, result, patch, field);
}

const struct datum *patch_strategic(struct arena *arena, const char *kind,
                                    const struct datum *object, const struct value *patch,
                                    const char **why)
{
    struct strategy strategy = {.arena = arena, .kind = kind};
    if (patch->kind != VALUE_MAPPING) {
        *why = "a strategic merge patch is an object";
        return NULL;
    }
    const struct datum *result = merge_mapping(&strategy, object, patch, "");
    *why = strategy.why;
    return strategy.why ? NULL : result;
}
