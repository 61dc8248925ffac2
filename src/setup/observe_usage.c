/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much CPU the pods of a workload use at present. The usage of one pod says
 * little about its successor, but the sum says how much work there is. The
 * model keeps the sum, and the ready pods share it evenly.
 */
#include "setup/observe.h"

#include "base/saturating.h"
#include "object/autoscaler.h"
#include "setup/usage_assumed.h"

#include <string.h>

struct observed_usage {
    int64_t milli; /* of all pods together */
    uint32_t pods;
};

/* Negative: nothing was measured. */
static int64_t measured(const struct objects *objects, const struct object_meta *pod)
{
    const struct object *object =
        objects_find(objects, OBJECT_POD_METRICS, pod->namespace, pod->name);
    int64_t sum = 0;
    if (!object)
        return -1;
    for (uint32_t c = 0; c < object->as.pod_metrics->container_count; c++) {
        const struct quantity *cpu =
            resource_list_find(&object->as.pod_metrics->containers[c].usage, "cpu");
        sum = saturating_add(sum, cpu ? quantity_milli_value(*cpu) : 0);
    }
    return sum;
}

static int64_t requested(const struct pod_spec *spec)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < spec->container_count; c++) {
        const struct quantity *cpu =
            resource_list_find(&spec->containers[c].resources.requests, "cpu");
        sum += cpu ? quantity_milli_value(*cpu) : 0;
    }
    return sum;
}

/* The average usage in the autoscaler's status; negative: there is none. */
static int64_t seen_by_autoscaler(const struct horizontal_pod_autoscaler *autoscaler,
                                  int64_t request)
{
    const struct horizontal_pod_autoscaler_status *status = &autoscaler->status;
    for (uint32_t m = 0; m < status->current_metric_count; m++) {
        const struct current_metric *metric = &status->current_metrics[m];
        if (!metric->resource || strcmp(metric->resource, "cpu") != 0)
            continue;
        if (metric->average_value)
            return quantity_milli_value(*metric->average_value);
        if (metric->average_utilization.set)
            return saturating_multiply(metric->average_utilization.value, request) / 100;
    }
    return status->cpu_utilization.set
               ? saturating_multiply(status->cpu_utilization.value, request) / 100
               : -1;
}

void observe_usage(struct arena *arena, struct scope *scope, uint32_t workload)
{
    struct setup_workload *of = &scope->workloads[workload];
    struct observed_usage known = {0};
    uint32_t ready = 0;
    int64_t request = 0;
    if (!of->autoscaler || usage_is_given(scope, of->object))
        return;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        if (pod->workload != workload || pod->stage != OBSERVED_READY)
            continue;
        const int64_t milli = measured(scope->objects, pod->object->meta);
        known.milli = saturating_add(known.milli, milli > 0 ? milli : 0);
        known.pods += milli >= 0;
        request = saturating_add(request, requested(&pod->object->as.pod->spec));
        ready++;
    }
    if (ready == 0)
        return;
    const int64_t seen = seen_by_autoscaler(of->autoscaler, request / ready);
    if (known.pods > 0) {
        of->load_milli = saturating_multiply(known.milli, ready) / known.pods;
        of->load_source = "as measured";
    } else if (seen >= 0) {
        of->load_milli = saturating_multiply(seen, ready);
        of->load_source = arena_printf(arena, "as HorizontalPodAutoscaler %s last saw",
                                       of->autoscaler->meta.name);
    } else {
        of->load_milli = request;
        of->load_source = "as much as they request, for want of metrics";
    }
    /* 0 means "not known", so a load of 0 becomes 1. */
    of->load_milli = of->load_milli > 0 ? of->load_milli : 1;
}
