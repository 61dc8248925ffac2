/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What workloads bear and use in a state, for a time series. It is what is so at this moment: with
 * clocks an autoscaler may go by samples that are older.
 */
#include "cluster/story/story_load.h"
#include "base/saturating.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/ask/usage.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

struct metric_sums story_metric_sums(const struct hpa_input *input, uint32_t metric)
{
    struct metric_sums sums = {0};
    for (uint32_t p = 0; p < input->pod_count; p++) {
        const struct hpa_pod_class *class = &input->pods[p];
        if (class->samples[metric].state != HPA_SAMPLE_VALUE)
            continue;
        sums.pods += class->count;
        sums.used = saturating_add(sums.used,
                                   saturating_multiply(class->samples[metric].milli, class->count));
        sums.requested = saturating_add(
            sums.requested, saturating_multiply(class->requests[metric].milli, class->count));
    }
    return sums;
}

/* Of all its ready pods together. */
static int64_t used_by(struct worker *worker, const struct state *state, uint32_t workload)
{
    const struct usage usage = usage_of(worker, state);
    int64_t used = 0;
    for (struct pod_walk at = pods_on_nodes(worker, state); pods_next(&at);) {
        const struct revision *revision = &worker->population->revisions.items[at.info->revision];
        if (revision->workload == workload && at.info->stage == STAGE_READY)
            used = saturating_add(
                used, saturating_multiply(
                          usage_of_pod(&usage, at.info, config_condition(worker, at.config->id)),
                          (int64_t)at.count * at.nodes));
    }
    return used;
}

/* -1: it bears none, what each of its pods uses is given instead. */
static int64_t load_of(const struct workload *workload, const struct state *state)
{
    const uint32_t load = workload->load == 0 ? 0 : state->loads[workload->load - 1];
    if (load > 0)
        return workload->totals.items[load - 1];
    return workload->setup->load_milli > 0 ? workload->setup->load_milli : -1;
}

/* In per cent of what is requested, or of a pod on average; false: there is no sample. */
static bool tell_metric(const struct autoscaler *autoscaler, const struct hpa_input *input,
                        uint32_t metric, struct story_metric *told)
{
    const struct hpa_metric *asked = &input->metrics[metric];
    const struct metric_spec *spec = &autoscaler->object->metrics[metric];
    const struct metric_sums sums = story_metric_sums(input, metric);
    const bool of_requests = asked->target == HPA_TARGET_UTILIZATION;
    const int64_t parts = of_requests ? sums.requested : sums.pods;
    const int64_t unit = asked->cpu ? 1 : INT64_C(1000) << 20;
    if (asked->source != METRIC_RESOURCE && asked->source != METRIC_CONTAINER_RESOURCE)
        return false;
    *told = (struct story_metric){
        .name = spec->resource,
        .unit = of_requests  ? "%"
                : asked->cpu ? "m"
                             : "Mi",
        .target = of_requests ? asked->target_value : asked->target_value / unit,
        .value = -1,
    };
    if (of_requests && parts > 0)
        told->value = saturating_multiply(sums.used, 100) / parts;
    else if (!of_requests && parts > 0)
        told->value = sums.used / parts / unit;
    return true;
}

static void tell_metrics(struct storyteller *teller, const struct state *state,
                         const struct autoscaler *autoscaler, struct story_workload *told)
{
    const struct hpa_input input = autoscaler_input(teller->worker, state, autoscaler);
    told->metrics = ARENA_ARRAY(teller->arena, struct story_metric, input.metric_count + 1);
    for (uint32_t m = 0; m < input.metric_count; m++) {
        struct story_metric *metric = &told->metrics[told->metric_count];
        if (!tell_metric(autoscaler, &input, m, metric))
            continue;
        metric->name = arena_strdup(teller->arena, metric->name);
        told->metric_count++;
    }
}

void story_load(struct storyteller *teller, const struct state *state, uint32_t workload,
                struct story_workload *told)
{
    const struct population *population = teller->population;
    const struct workload *of = &population->workloads.items[workload];
    told->load_milli = load_of(of, state);
    told->used_milli = told->load_milli >= 0 || of->load > 0 || of->level_count > 1
                           ? used_by(teller->worker, state, workload)
                           : -1;
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        if (population->autoscalers.items[a].workload == workload && told->metric_count == 0)
            tell_metrics(teller, state, &population->autoscalers.items[a], told);
}
