/* SPDX-License-Identifier: Apache-2.0 */
#include "model/fold.h"

#include "model/node_fingerprint.h"
#include "object/policy.h"
#include "object/scheduler_configuration.h"
#include "object/storage.h"
#include "object/workload.h"

#include <string.h>

/* What is asked about: a node's name and its hostname. */
struct identity {
    const char *name;
    const char *hostname; /* NULL: it has no such label */
};

static bool list_has(const struct string_list *list, const char *text)
{
    for (uint32_t i = 0; text && i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

static bool term_mentions(const struct node_selector_term *term, const struct identity *identity)
{
    for (uint32_t i = 0; i < term->match_field_count; i++)
        if (list_has(&term->match_fields[i].values, identity->name))
            return true;
    for (uint32_t i = 0; i < term->match_expression_count; i++) {
        const struct selector_requirement *requirement = &term->match_expressions[i];
        if (strcmp(requirement->key, LABEL_HOSTNAME) != 0)
            continue;
        /* Names that are compared as numbers are all mentioned. */
        if (requirement->operator== SELECTOR_GREATER_THAN || requirement->operator==
            SELECTOR_LESS_THAN || list_has(&requirement->values, identity->hostname))
            return true;
    }
    return false;
}

static bool selector_mentions(const struct node_selector *selector, const struct identity *identity)
{
    for (uint32_t i = 0; selector && i < selector->term_count; i++)
        if (term_mentions(&selector->terms[i], identity))
            return true;
    return false;
}

static bool affinity_mentions(const struct node_affinity *affinity, const struct identity *identity)
{
    if (!affinity)
        return false;
    for (uint32_t i = 0; i < affinity->preferred_count; i++)
        if (term_mentions(&affinity->preferred[i].preference, identity))
            return true;
    return selector_mentions(affinity->required, identity);
}

static bool spec_mentions(const struct pod_spec *spec, const struct identity *identity)
{
    const char *hostname = labels_find(&spec->node_selector, LABEL_HOSTNAME);
    if (hostname && identity->hostname && strcmp(hostname, identity->hostname) == 0)
        return true;
    return spec->affinity && affinity_mentions(spec->affinity->node_affinity, identity);
}

static bool pod_mentions(const struct pod *pod, const struct identity *identity)
{
    const char *nominated = pod->spec.node_name ? NULL : pod->status.nominated_node_name;
    return (nominated && strcmp(nominated, identity->name) == 0) ||
           spec_mentions(&pod->spec, identity);
}

static bool configuration_mentions(const struct scheduler_configuration *configuration,
                                   const struct identity *identity)
{
    for (uint32_t i = 0; i < configuration->profile_count; i++)
        if (affinity_mentions(configuration->profiles[i].node_affinity.added_affinity, identity))
            return true;
    return false;
}

static bool claim_mentions(const struct persistent_volume_claim *claim,
                           const struct identity *identity)
{
    const char *node = labels_find(&claim->meta.annotations, "volume.kubernetes.io/selected-node");
    return node && strcmp(node, identity->name) == 0;
}

static bool object_mentions(const struct object *object, const struct identity *identity)
{
    switch (object->kind) {
    case OBJECT_POD: return pod_mentions(object->as.pod, identity);
    case OBJECT_DEPLOYMENT: return spec_mentions(&object->as.deployment->template.spec, identity);
    case OBJECT_REPLICA_SET: return spec_mentions(&object->as.replica_set->template.spec, identity);
    case OBJECT_REPLICATION_CONTROLLER:
        return spec_mentions(&object->as.replication_controller->template.spec, identity);
    case OBJECT_STATEFUL_SET:
        return spec_mentions(&object->as.stateful_set->template.spec, identity);
    case OBJECT_DAEMON_SET: return spec_mentions(&object->as.daemon_set->template.spec, identity);
    case OBJECT_JOB: return spec_mentions(&object->as.job->template.spec, identity);
    case OBJECT_PERSISTENT_VOLUME:
        return selector_mentions(object->as.persistent_volume->node_affinity, identity);
    case OBJECT_PERSISTENT_VOLUME_CLAIM:
        return claim_mentions(object->as.persistent_volume_claim, identity);
    case OBJECT_SCHEDULER_CONFIGURATION:
        return configuration_mentions(object->as.scheduler_configuration, identity);
    default: return false;
    }
}

bool fold_mentions_node(const struct objects *objects, const struct pod *incoming,
                        const struct node *node)
{
    const struct identity identity = {node->meta.name,
                                      labels_find(&node->meta.labels, LABEL_HOSTNAME)};
    if (incoming && incoming->spec.node_name &&
        strcmp(incoming->spec.node_name, identity.name) == 0)
        return true;
    if (incoming && pod_mentions(incoming, &identity))
        return true;
    for (uint32_t i = 0; i < objects->count; i++)
        if (object_mentions(&objects->items[i], &identity))
            return true;
    return false;
}

static bool budget_mentions(const struct pod_disruption_budget *budget, const struct pod *pod)
{
    if (strcmp(budget->meta.namespace, pod->meta.namespace) != 0)
        return false;
    for (uint32_t i = 0; i < budget->status.disrupted_pod_count; i++)
        if (strcmp(budget->status.disrupted_pods[i].name, pod->meta.name) == 0)
            return true;
    return false;
}

uint32_t fold_pod(struct catalog *catalog, const struct objects *objects, const struct pod *pod)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD_DISRUPTION_BUDGET &&
            budget_mentions(objects->items[i].as.pod_disruption_budget, pod))
            return catalog_find_or_add_pod(catalog, pod);
    return catalog_intern_pod(catalog, pod);
}

typedef VEC(struct pod_count) pod_list;

struct fold {
    struct arena *arena;
    struct catalog *catalog;
    const struct objects *objects;
    const struct pod *incoming;
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

static void place_pod(struct fold *fold, const struct pod *pod)
{
    if (pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED)
        return;
    const char *name = pod->spec.node_name ? pod->spec.node_name : pod->status.nominated_node_name;
    uintptr_t number = name ? (uintptr_t)map_get(&fold->numbers, name) : 0;
    if (pod->spec.node_name && !number)
        return;
    struct pod_count entry = {fold_pod(fold->catalog, fold->objects, pod), 1};
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
    if (shared || fold_mentions_node(fold->objects, fold->incoming, node))
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
    for (uint32_t i = 0; i < count; i++) {
        uint32_t config = catalog_intern_config(
            fold->catalog, template_of(fold, fold->nodes.items[i]), fold->on_node[i].items,
            fold->on_node[i].count, fold->nominated[i].items, fold->nominated[i].count);
        uint32_t entry = 0;
        while (entry < used && entries[entry].config != config)
            entry++;
        if (entry == used)
            entries[used++].config = config;
        entries[entry].count++;
        folding->entry_of_node[i] = entry;
    }
    folding->view.nodes = entries;
    folding->view.node_count = used;
}

struct folding fold_objects(struct arena *arena, struct catalog *catalog,
                            const struct objects *objects, const struct pod *incoming)
{
    struct fold fold = {
        .arena = arena, .catalog = catalog, .objects = objects, .incoming = incoming};
    map_init(&fold.numbers, arena);
    map_init(&fold.hostnames, arena);
    map_init(&fold.templates, arena);
    collect_nodes(&fold);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD)
            place_pod(&fold, objects->items[i].as.pod);
    struct folding folding = {.view = {.catalog = catalog}};
    fold_nodes(&fold, &folding);
    folding.view.pending = fold.pending.items;
    folding.view.pending_count = fold.pending.count;
    folding.view.budgets = view_collect_budgets(arena, catalog, &folding.view.budget_count);
    return folding;
}
