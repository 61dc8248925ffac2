/* SPDX-License-Identifier: Apache-2.0 */
/* Mirrors pkg/scheduler/framework/plugins/helper/spread.go @ v1.26.15. */
#include "decide/scheduler/default_selector.h"

#include "base/hash.h"
#include "object/policy.h"
#include "object/workload.h"

#include <string.h>

struct requirements {
    struct arena *arena;
    VEC(struct selector_requirement) list;
};

static void require_labels(struct requirements *requirements, const struct labels *labels)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        const char **value = ARENA_NEW(requirements->arena, const char *);
        value[0] = labels->items[i].value;
        struct selector_requirement requirement = {
            .key = labels->items[i].key, .operator= SELECTOR_IN, .values = {value, 1}};
        VEC_PUSH(requirements->arena, &requirements->list, requirement);
    }
}

static void require_selector(struct requirements *requirements,
                             const struct label_selector *selector)
{
    if (!selector)
        return;
    require_labels(requirements, &selector->match_labels);
    for (uint32_t i = 0; i < selector->match_expression_count; i++)
        VEC_PUSH(requirements->arena, &requirements->list, selector->match_expressions[i]);
}

static void require_services(struct requirements *requirements, const struct catalog *catalog,
                             const struct pod *pod)
{
    for (uint32_t i = 0; i < catalog->surroundings.services.count; i++) {
        const struct service *service = catalog->surroundings.services.items[i];
        if (service->selector.count > 0 &&
            strcmp(service->meta.namespace, pod->meta.namespace) == 0 &&
            labels_include(&pod->meta.labels, &service->selector))
            require_labels(requirements, &service->selector);
    }
}

static bool is_owner(const struct object_meta *meta, const struct pod *pod,
                     const struct owner_reference *owner)
{
    return strcmp(meta->name, owner->name) == 0 &&
           strcmp(meta->namespace, pod->meta.namespace) == 0;
}

static void require_owner(struct requirements *requirements, const struct catalog *catalog,
                          const struct pod *pod)
{
    const struct owner_reference *owner = object_meta_controller(&pod->meta);
    const struct surroundings *around = &catalog->surroundings;
    if (!owner)
        return;
    bool is_apps = strcmp(owner->api_version, "apps/v1") == 0;
    if (is_apps && strcmp(owner->kind, "ReplicaSet") == 0) {
        for (uint32_t i = 0; i < around->replica_sets.count; i++)
            if (is_owner(&around->replica_sets.items[i]->meta, pod, owner))
                require_selector(requirements, around->replica_sets.items[i]->selector);
    } else if (is_apps && strcmp(owner->kind, "StatefulSet") == 0) {
        for (uint32_t i = 0; i < around->stateful_sets.count; i++)
            if (is_owner(&around->stateful_sets.items[i]->meta, pod, owner))
                require_selector(requirements, around->stateful_sets.items[i]->selector);
    } else if (strcmp(owner->api_version, "v1") == 0 &&
               strcmp(owner->kind, "ReplicationController") == 0) {
        for (uint32_t i = 0; i < around->replication_controllers.count; i++)
            if (is_owner(&around->replication_controllers.items[i]->meta, pod, owner))
                require_labels(requirements, &around->replication_controllers.items[i]->selector);
    }
}

static const struct label_selector *make_selector(struct catalog *catalog, const struct pod *pod)
{
    struct requirements requirements = {.arena = catalog->arena};
    require_services(&requirements, catalog, pod);
    require_owner(&requirements, catalog, pod);
    if (requirements.list.count == 0)
        return NULL;
    struct label_selector *selector = ARENA_NEW(catalog->arena, struct label_selector);
    selector->match_expressions = requirements.list.items;
    selector->match_expression_count = requirements.list.count;
    return selector;
}

/* By the pod's address, open addressing. */
struct default_selectors {
    uint32_t slot_count; /* a power of two, at least twice the pods */
    struct kept_selector {
        const struct pod *pod;
        const struct label_selector *selector;
    } slots[];
};

void default_selectors_keep(struct catalog *catalog, const struct pod *const *pods, uint32_t count)
{
    uint32_t slots = 2;
    while (slots < count * 2)
        slots *= 2;
    struct default_selectors *kept =
        arena_allocate(catalog->arena, sizeof(*kept) + slots * sizeof(*kept->slots));
    memset(kept, 0, sizeof(*kept) + slots * sizeof(*kept->slots));
    kept->slot_count = slots;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = (uint32_t)hash_word((uintptr_t)pods[i]) & (slots - 1);
        while (kept->slots[slot].pod && kept->slots[slot].pod != pods[i])
            slot = (slot + 1) & (slots - 1);
        if (!kept->slots[slot].pod)
            kept->slots[slot] = (struct kept_selector){pods[i], make_selector(catalog, pods[i])};
    }
    catalog->default_selectors = kept;
}

void default_selectors_drop(struct catalog *catalog)
{
    catalog->default_selectors = NULL;
}

const struct label_selector *default_selector(struct catalog *catalog, const struct pod *pod)
{
    const struct default_selectors *kept = catalog->default_selectors;
    if (!kept)
        return make_selector(catalog, pod);
    uint32_t slot = (uint32_t)hash_word((uintptr_t)pod) & (kept->slot_count - 1);
    while (kept->slots[slot].pod && kept->slots[slot].pod != pod)
        slot = (slot + 1) & (kept->slot_count - 1);
    return kept->slots[slot].pod ? kept->slots[slot].selector : make_selector(catalog, pod);
}
