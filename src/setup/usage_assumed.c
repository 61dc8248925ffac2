/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/usage_assumed.h"

#include "base/vec.h"

#include <string.h>

bool usage_is_given(const struct scope *scope, const struct object *workload)
{
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++) {
        const struct check_event *event = &scope->check->events[e];
        if (event_kind_has(event->kind, EVENT_FACT_USAGE) &&
            object_name_means(&event->object, workload->kind_name, workload->meta))
            return true;
    }
    return false;
}

/* Does it compare what pods use with something? */
static bool goes_by_cpu(const struct horizontal_pod_autoscaler *autoscaler)
{
    for (uint32_t m = 0; m < autoscaler->metric_count; m++) {
        const struct metric_spec *metric = &autoscaler->metrics[m];
        if ((metric->source == METRIC_RESOURCE || metric->source == METRIC_CONTAINER_RESOURCE) &&
            strcmp(metric->resource, "cpu") == 0)
            return true;
    }
    return false;
}

struct string_list usage_assumed(struct arena *arena, const struct scope *scope)
{
    VEC(const char *) sentences = {0};
    for (uint32_t w = 0; w < scope->workload_count && scope->start != START_OBSERVED; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        if (workload->autoscaler && goes_by_cpu(workload->autoscaler) &&
            !usage_is_given(scope, workload->object))
            VEC_PUSH(arena, &sentences,
                     arena_printf(arena,
                                  "each pod of %s uses all of the CPU that it requests, however "
                                  "many there are, because no event says otherwise: an autoscaler "
                                  "that aims at less than 100 %% goes to its maxReplicas",
                                  workload->name));
    }
    return (struct string_list){sentences.items, sentences.count};
}
