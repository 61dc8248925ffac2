/* SPDX-License-Identifier: Apache-2.0 */
/* Mirrors pkg/scheduler/framework/plugins/helper/spread.go @ v1.26.15. */
#include "decide/scheduler/default_selector.h"

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

const struct label_selector *default_selector(struct catalog *catalog, const struct pod *pod)
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
