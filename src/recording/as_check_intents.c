/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to ask: that the cluster comes to rest as it is wanted, and that workloads keep the
 * pods that their budget or their rollout promises at the least size that they had.
 */
#include "recording/as_check_parts.h"

#include "decide/controller/deployment/deployment.h"
#include "decide/controller/eviction.h"
#include "setup/setup.h"

#include <string.h>

/* The least size that people gave the workload, or its autoscaler may. */
static int64_t least_size(struct converter *converter, const struct thing *thing)
{
    const struct version *first = converter_first(converter, thing);
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < thing->versions.count; i++) {
        const struct version *version = &thing->versions.items[i];
        int64_t size = 1;
        if (version < first || version->gone)
            continue;
        value_read_integer(
            value_find(value_find(restore_value(&converter->restorer, version), "spec"),
                       "replicas"),
            &size);
        least = size < least ? size : least;
    }
    return least == INT64_MAX ? 0 : least;
}

/* What budgets demand of so many pods; negative: no budget guards them. */
static int64_t promised_by_budgets(struct converter *converter, const struct object *workload,
                                   int64_t size)
{
    const struct recording *recording = converter->recording;
    int64_t promised = -1;
    for (uint32_t t = 0; t < recording->things.count; t++) {
        struct version *first = strcmp(recording->things.items[t]->kind, "PodDisruptionBudget") == 0
                                    ? converter_first(converter, recording->things.items[t])
                                    : NULL;
        const struct object *object = first ? restore_object(&converter->restorer, first) : NULL;
        const struct pod_disruption_budget *budget =
            object ? object->as.pod_disruption_budget : NULL;
        if (!budget || strcmp(object->meta->namespace, workload->meta->namespace) != 0 ||
            !eviction_budget_selects(&converter->plane.features, budget,
                                     &workload_template(workload)->meta.labels))
            continue;
        const int64_t least = budget->max_unavailable.set
                                  ? size - int_or_percent_of(budget->max_unavailable, size, true)
                                  : int_or_percent_of(budget->min_available, size, true);
        promised = least > promised ? least : promised;
    }
    return promised;
}

/* What the rules of its rollout keep of so many pods. */
static int64_t promised_by_rollout(const struct object *workload, int64_t size)
{
    int32_t surge = 0;
    int32_t unavailable = 0;
    if (workload->kind != OBJECT_DEPLOYMENT)
        return size - 1;
    if (workload->as.deployment->strategy == DEPLOYMENT_RECREATE)
        return 0;
    struct deployment sized = *workload->as.deployment;
    sized.replicas = (int32_t)size;
    deployment_resolve_fenceposts(&sized, &surge, &unavailable);
    return size - unavailable;
}

static void add_bound(struct converter *converter, const struct thing *thing)
{
    struct version *first = converter_first(converter, thing);
    const struct object *object = restore_object(&converter->restorer, first);
    if (!object || strcmp(thing->kind, "Job") == 0 || strcmp(thing->kind, "DaemonSet") == 0)
        return;
    const int64_t size = least_size(converter, thing);
    const int64_t by_budget = promised_by_budgets(converter, object, size);
    const int64_t promised = by_budget >= 0 ? by_budget : promised_by_rollout(object, size);
    if (promised > 0)
        convert_add(converter, &converter->intents,
                    "{name: replicasAtLeast, workload: %s, value: %lld} # %s",
                    converter_name(converter, thing), (long long)promised,
                    by_budget >= 0 ? "its budget, at its least size"
                                   : "its rollout, at its least size");
}

static bool has_event(const struct converter *converter, const char *name)
{
    for (uint32_t i = 0; i < converter->events.count; i++)
        if (strstr(converter->events.items[i], arena_printf(converter->arena, "{name: %s,", name)))
            return true;
    return false;
}

static bool has_kind(struct converter *converter, const char *kind)
{
    const struct recording *recording = converter->recording;
    for (uint32_t t = 0; t < recording->things.count; t++)
        if (strcmp(recording->things.items[t]->kind, kind) == 0 &&
            converter_first(converter, recording->things.items[t]))
            return true;
    return false;
}

void convert_intents(struct converter *converter)
{
    const struct recording *recording = converter->recording;
    convert_add(converter, &converter->intents, "{name: podsSchedulable}");
    convert_add(converter, &converter->intents, "{name: noEvictionLoop}");
    convert_add(converter, &converter->intents, "{name: noOscillation}");
    convert_add(converter, &converter->intents, "{name: converges}");
    if (has_event(converter, "apply"))
        convert_add(converter, &converter->intents, "{name: rolloutCompletes}");
    if (has_event(converter, "maintenance"))
        convert_add(converter, &converter->intents, "{name: drainCompletes}");
    if (has_kind(converter, "HorizontalPodAutoscaler"))
        convert_add(converter, &converter->intents, "{name: noReplicaOscillation}");
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct version *first = converter_first(converter, recording->things.items[t]);
        if (first && is_workload(first))
            add_bound(converter, recording->things.items[t]);
    }
}
