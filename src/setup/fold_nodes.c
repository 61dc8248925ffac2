/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/fold_nodes.h"

#include "setup/kubelet_labels.h"

#include <string.h>

typedef VEC(const char *) name_list;

struct fold {
    struct arena *arena;
    const struct reads *reads;
    struct map hostnames; /* label -> how many nodes have it */
    struct map groups;    /* fingerprint -> number + 1 */
    VEC(struct setup_group) items;
    VEC(name_list) names; /* by group */
};

static const struct {
    const char *condition;
    const char *taint;
} pressure_types[] = {
    {"MemoryPressure", "node.kubernetes.io/memory-pressure"},
    {"DiskPressure", "node.kubernetes.io/disk-pressure"},
    {"PIDPressure", "node.kubernetes.io/pid-pressure"},
};
enum { PRESSURE_COUNT = sizeof(pressure_types) / sizeof(*pressure_types) };

/* A bit for each that the node reports. */
static uint32_t pressures_of(const struct node *node)
{
    uint32_t pressures = 0;
    for (uint32_t p = 0; p < PRESSURE_COUNT; p++) {
        const struct condition *condition =
            conditions_find(&node->status.conditions, pressure_types[p].condition);
        if (condition && strcmp(condition->status, "True") == 0)
            pressures |= UINT32_C(1) << p;
    }
    return pressures;
}

/* Removes the taints that the node lifecycle controller sets for the node's
 * condition, since the model has the condition itself. */
static void drop_taints_of_condition(struct node *node, uint32_t pressures)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        bool known = false;
        for (uint32_t p = 0; p < PRESSURE_COUNT; p++)
            known = known || ((pressures >> p & 1) &&
                              strcmp(node->spec.taints[i].key, pressure_types[p].taint) == 0);
        if (!known && strcmp(node->spec.taints[i].key, TAINT_NOT_READY) != 0 &&
            strcmp(node->spec.taints[i].key, TAINT_UNREACHABLE) != 0)
            node->spec.taints[kept++] = node->spec.taints[i];
    }
    node->spec.taint_count = kept;
}

static bool shares_hostname(const struct fold *fold, const struct node *node)
{
    const char *hostname = labels_find(&node->meta.labels, LABEL_HOSTNAME);
    return hostname && (uintptr_t)map_get(&fold->hostnames, hostname) > 1;
}

/* A text of everything that is read of the node, without its name. */
static const char *fingerprint(const struct fold *fold, const struct node *slice, bool down,
                               bool unreachable, uint32_t pressures)
{
    struct node nameless = *slice;
    nameless.meta.name = "";
    nameless.meta.labels.items =
        arena_copy(fold->arena, slice->meta.labels.items,
                   slice->meta.labels.count * sizeof(*slice->meta.labels.items));
    for (uint32_t i = 0; i < nameless.meta.labels.count; i++)
        if (strcmp(nameless.meta.labels.items[i].key, LABEL_HOSTNAME) == 0)
            nameless.meta.labels.items[i].value = "";
    const struct object object = {
        .kind = OBJECT_NODE,
        .api_version = "v1",
        .kind_name = "Node",
        .meta = &nameless.meta,
        .as.node = &nameless,
    };
    struct text text;
    struct json_out json;
    text_init(&text, fold->arena->memory);
    json_out_init(&json, &text, 0);
    object_encode(fold->arena, &json, NULL, &object);
    text_printf(&text, "%d%d%u", down, unreachable, pressures);
    const char *result = arena_strndup(fold->arena, text_content(&text), text.length);
    text_release(&text);
    return result;
}

static void add_node(struct fold *fold, const struct node *node)
{
    const struct condition *ready = conditions_find(&node->status.conditions, "Ready");
    const bool down = ready && strcmp(ready->status, "True") != 0;
    const bool unreachable = down && strcmp(ready->status, "Unknown") == 0;
    const bool single =
        shares_hostname(fold, node) || node_mentions_has(&fold->reads->mentions, node);
    struct node *slice = reads_slice_node(fold->reads, node);
    const uint32_t pressures = down ? 0 : pressures_of(node);
    drop_taints_of_condition(slice, pressures);
    uintptr_t number = 0;
    const char *key = single ? NULL : fingerprint(fold, slice, down, unreachable, pressures);
    if (key)
        number = (uintptr_t)map_get(&fold->groups, key);
    if (number == 0) {
        const struct setup_group group = {
            .name = node->meta.name,
            .node = slice,
            .single = single,
            .down = down,
            .unreachable = unreachable,
            .pressures = pressures,
        };
        VEC_PUSH(fold->arena, &fold->items, group);
        VEC_PUSH(fold->arena, &fold->names, (name_list){0});
        number = fold->items.count;
        if (key)
            map_put(&fold->groups, key)->value = (void *)number;
    }
    VEC_PUSH(fold->arena, &fold->names.items[number - 1], node->meta.name);
}

/* As it is once its kubelet has registered it. */
static const struct node *registered(struct arena *arena, const struct node *node)
{
    if (node_was_registered(node))
        return node;
    struct node *copy = ARENA_NEW(arena, struct node);
    *copy = *node;
    node_add_kubelet_labels(arena, copy);
    return copy;
}

void fold_nodes(struct arena *arena, const struct objects *objects, const struct reads *reads,
                struct setup_group **groups, uint32_t *count)
{
    struct fold fold = {.arena = arena, .reads = reads};
    VEC(const struct node *) nodes = {0};
    map_init(&fold.hostnames, arena);
    map_init(&fold.groups, arena);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_NODE)
            VEC_PUSH(arena, &nodes, registered(arena, objects->items[i].as.node));
    for (uint32_t i = 0; i < nodes.count; i++) {
        const char *hostname = labels_find(&nodes.items[i]->meta.labels, LABEL_HOSTNAME);
        if (!hostname)
            continue;
        struct map_entry *entry = map_put(&fold.hostnames, hostname);
        entry->value = (void *)((uintptr_t)entry->value + 1);
    }
    for (uint32_t i = 0; i < nodes.count; i++)
        add_node(&fold, nodes.items[i]);
    for (uint32_t g = 0; g < fold.items.count; g++) {
        fold.items.items[g].names = fold.names.items[g].items;
        fold.items.items[g].least = (int32_t)fold.names.items[g].count;
        fold.items.items[g].most = (int32_t)fold.names.items[g].count;
    }
    *groups = fold.items.items;
    *count = fold.items.count;
}
