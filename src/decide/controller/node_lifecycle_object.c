/* SPDX-License-Identifier: Apache-2.0 */
/* The node lifecycle controller's view of a Node object, and its names. */
#include "decide/controller/node_lifecycle.h"

#include <string.h>

static const char *const condition_names[NODE_CONDITION_COUNT] = {
    [NODE_READY] = "Ready",
    [NODE_MEMORY_PRESSURE] = "MemoryPressure",
    [NODE_DISK_PRESSURE] = "DiskPressure",
    [NODE_PID_PRESSURE] = "PIDPressure",
    [NODE_NETWORK_UNAVAILABLE] = "NetworkUnavailable",
};

const char *node_condition_name(enum node_condition condition)
{
    return condition_names[condition];
}

static const struct {
    enum lifecycle_taint taint;
    const char *key;
} taint_keys[] = {
    {LIFECYCLE_NOT_READY, "node.kubernetes.io/not-ready"},
    {LIFECYCLE_UNREACHABLE, "node.kubernetes.io/unreachable"},
    {LIFECYCLE_MEMORY_PRESSURE, "node.kubernetes.io/memory-pressure"},
    {LIFECYCLE_DISK_PRESSURE, "node.kubernetes.io/disk-pressure"},
    {LIFECYCLE_PID_PRESSURE, "node.kubernetes.io/pid-pressure"},
    {LIFECYCLE_NETWORK_UNAVAILABLE, "node.kubernetes.io/network-unavailable"},
    {LIFECYCLE_UNSCHEDULABLE, "node.kubernetes.io/unschedulable"},
};

enum { TAINT_KEY_COUNT = sizeof(taint_keys) / sizeof(taint_keys[0]) };

const char *lifecycle_taint_key(enum lifecycle_taint taint)
{
    for (int i = 0; i < TAINT_KEY_COUNT; i++)
        if (taint_keys[i].taint == taint)
            return taint_keys[i].key;
    return NULL;
}

uint32_t lifecycle_taint_find(const char *key)
{
    for (int i = 0; i < TAINT_KEY_COUNT; i++)
        if (strcmp(taint_keys[i].key, key) == 0)
            return taint_keys[i].taint;
    return 0;
}

const char *lifecycle_zone_state_name(enum lifecycle_zone_state state)
{
    switch (state) {
    case ZONE_INITIAL: return "Initial";
    case ZONE_NORMAL: return "Normal";
    case ZONE_PARTIAL_DISRUPTION: return "PartialDisruption";
    case ZONE_FULL_DISRUPTION: return "FullDisruption";
    }
    return "";
}

enum condition_status condition_status_parse(const char *text)
{
    if (!text)
        return STATUS_ABSENT;
    if (strcmp(text, "True") == 0)
        return STATUS_TRUE;
    return strcmp(text, "False") == 0 ? STATUS_FALSE : STATUS_UNKNOWN;
}

static const char *label_or_old(const struct node *node, const char *key, const char *old_key)
{
    const char *value = labels_find(&node->meta.labels, key);
    if (!value)
        value = labels_find(&node->meta.labels, old_key);
    return value ? value : "";
}

const char *lifecycle_zone_name(const struct node *node)
{
    return label_or_old(node, "topology.kubernetes.io/zone",
                        "failure-domain.beta.kubernetes.io/zone");
}

const char *lifecycle_zone_key(struct arena *arena, const struct node *node)
{
    const char *region = label_or_old(node, "topology.kubernetes.io/region",
                                      "failure-domain.beta.kubernetes.io/region");
    const char *zone = lifecycle_zone_name(node);
    if (!*region && !*zone)
        return "";
    return arena_printf(arena, "%s:%s", region, zone);
}

struct lifecycle_node lifecycle_node_of(const struct node *node, uint32_t zone)
{
    struct lifecycle_node result = {
        .count = 1,
        .zone = zone,
        .excluded = labels_find(&node->meta.labels, "node.kubernetes.io/exclude-disruption"),
        .unschedulable = node->spec.unschedulable,
        .creation_age = INT64_MAX / 4,
    };
    for (int i = 0; i < NODE_CONDITION_COUNT; i++) {
        const struct condition *condition =
            conditions_find(&node->status.conditions, condition_names[i]);
        result.conditions[i] = condition_status_parse(condition ? condition->status : NULL);
    }
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        const struct taint *taint = &node->spec.taints[i];
        const uint32_t bit = lifecycle_taint_find(taint->key);
        if (taint->effect == TAINT_NO_SCHEDULE)
            result.no_schedule |= bit;
        if (taint->effect == TAINT_NO_EXECUTE)
            result.no_execute |= bit & (LIFECYCLE_NOT_READY | LIFECYCLE_UNREACHABLE);
    }
    return result;
}
