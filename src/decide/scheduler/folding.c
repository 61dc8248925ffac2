/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/folding.h"

#include "decide/node_fingerprint.h"
#include "decide/pod_fingerprint.h"
#include "decide/scheduler/plugin_reads.h"
#include "object/policy.h"

#include <string.h>

static bool budget_mentions(const struct pod_disruption_budget *budget, const struct pod *pod)
{
    if (strcmp(budget->meta.namespace, pod->meta.namespace) != 0)
        return false;
    for (uint32_t i = 0; i < budget->status.disrupted_pod_count; i++)
        if (strcmp(budget->status.disrupted_pods[i].name, pod->meta.name) == 0)
            return true;
    return false;
}

uint32_t class_of_pod(struct catalog *catalog, const struct pod *pod)
{
    for (uint32_t i = 0; i < catalog->pods.count; i++)
        if (catalog->pods.items[i]->pod == pod)
            return i;
    return catalog_add_pod(catalog, pod);
}

uint32_t fold_pod(const struct folding *folding, const struct pod *pod)
{
    struct catalog *catalog = folding->view.catalog;
    for (uint32_t i = 0; i < catalog->surroundings.budgets.count; i++)
        if (budget_mentions(catalog->surroundings.budgets.items[i], pod))
            return class_of_pod(catalog, pod);
    struct text text;
    text_init(&text, catalog->arena->memory);
    pod_fingerprint(&text, pod);
    text_printf(&text, " %d %d %lld", pod->status.phase, pod->meta.deletion_time != TIME_NONE,
                (long long)pod->status.start_time);
    uintptr_t known = (uintptr_t)map_get(folding->classes, text_content(&text));
    if (!known) {
        known = (uintptr_t)catalog_add_pod(catalog, pod) + 1;
        char *key = arena_strndup(catalog->arena, text_content(&text), text.length);
        map_put(folding->classes, key)->value = (void *)known;
    }
    text_release(&text);
    return (uint32_t)(known - 1);
}

typedef VEC(struct pod_count) pod_list;

struct fold {
    struct arena *arena;
    struct catalog *catalog;
    const struct objects *objects;
    struct node_mentions mentions;
    VEC(const struct node *) nodes;
    struct map numbers;   /* node name -> number + 1 */
    struct map hostnames; /* hostname -> how many nodes have it */
    struct map templates; /* fingerprint -> template + 1 */
    pod_list *on_node;
    pod_list *nominated;
    pod_list pending;
};

static void collect_nodes(struct fold *fold)
{
    for (uint32_t i = 0; i < fold->objects->count; i++) {
        if (fold->objects->items[i].kind != OBJECT_NODE)
            continue;
        const struct node *node = fold->objects->items[i].as.node;
        VEC_PUSH(fold->arena, &fold->nodes, node);
        map_put(&fold->numbers, node->meta.name)->value = (void *)(uintptr_t)fold->nodes.count;
        const char *hostname = labels_find(&node->meta.labels, LABEL_HOSTNAME);
        if (hostname) {
            struct map_entry *entry = map_put(&fold->hostnames, hostname);
            entry->value = (void *)((uintptr_t)entry->value + 1);
        }
    }
    fold->on_node = ARENA_ARRAY(fold->arena, pod_list, fold->nodes.count + 1);
    fold->nominated = ARENA_ARRAY(fold->arena, pod_list, fold->nodes.count + 1);
}

static void place_pod(struct fold *fold, struct folding *folding, const struct pod *pod)
{
    if (pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED)
        return;
    const char *name = pod->spec.node_name ? pod->spec.node_name : pod->status.nominated_node_name;
    uintptr_t number = name ? (uintptr_t)map_get(&fold->numbers, name) : 0;
    if (pod->spec.node_name && !number)
        return;
    struct pod_count entry = {fold_pod(folding, pod), 1};
    if (!pod->spec.node_name)
        VEC_PUSH(fold->arena, &fold->pending, entry);
    if (number && pod->spec.node_name)
        VEC_PUSH(fold->arena, &fold->on_node[number - 1], entry);
    else if (number)
        VEC_PUSH(fold->arena, &fold->nominated[number - 1], entry);
}

static uint32_t template_of(struct fold *fold, const struct node *node)
{
    const char *hostname = labels_find(&node->meta.labels, LABEL_HOSTNAME);
    bool shared = hostname && (uintptr_t)map_get(&fold->hostnames, hostname) > 1;
    if (shared || node_mentions_has(&fold->mentions, node))
        return catalog_add_named_node(fold->catalog, node);
    struct text text;
    text_init(&text, fold->arena->memory);
    node_fingerprint(&text, node);
    uintptr_t known = (uintptr_t)map_get(&fold->templates, text_content(&text));
    if (!known) {
        known = (uintptr_t)catalog_add_anonymous_node(fold->catalog, node) + 1;
        char *key = arena_strndup(fold->arena, text_content(&text), text.length);
        map_put(&fold->templates, key)->value = (void *)known;
    }
    text_release(&text);
    return (uint32_t)(known - 1);
}

static void fold_nodes(struct fold *fold, struct folding *folding)
{
    uint32_t count = fold->nodes.count;
    struct view_node *entries = ARENA_ARRAY(fold->arena, struct view_node, count + 1);
    folding->entry_of_node = ARENA_ARRAY(fold->arena, uint32_t, count + 1);
    folding->node_count = count;
    uint32_t used = 0;
    VEC(uint32_t) entry_of_config = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t config = catalog_intern_config(
            fold->catalog, template_of(fold, fold->nodes.items[i]), fold->on_node[i].items,
            fold->on_node[i].count, fold->nominated[i].items, fold->nominated[i].count);
        while (entry_of_config.count <= config)
            VEC_PUSH(fold->arena, &entry_of_config, VIEW_NONE);
        if (entry_of_config.items[config] == VIEW_NONE) {
            entry_of_config.items[config] = used;
            entries[used++].config = config;
        }
        uint32_t entry = entry_of_config.items[config];
        entries[entry].count++;
        folding->entry_of_node[i] = entry;
    }
    folding->view.nodes = entries;
    folding->view.node_count = used;
}

struct folding fold_objects(struct arena *arena, struct catalog *catalog,
                            const struct objects *objects, const struct pod *incoming)
{
    struct fold fold = {.arena = arena, .catalog = catalog, .objects = objects};
    scheduler_mentions(&fold.mentions, arena, objects, incoming);
    map_init(&fold.numbers, arena);
    map_init(&fold.hostnames, arena);
    map_init(&fold.templates, arena);
    collect_nodes(&fold);
    struct folding folding = {.view = {.catalog = catalog},
                              .classes = ARENA_NEW(arena, struct map)};
    map_init(folding.classes, arena);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD)
            place_pod(&fold, &folding, objects->items[i].as.pod);
    fold_nodes(&fold, &folding);
    folding.view.pending = fold.pending.items;
    folding.view.pending_count = fold.pending.count;
    folding.view.budgets = view_collect_budgets(arena, catalog, &folding.view.budget_count);
    return folding;
}
