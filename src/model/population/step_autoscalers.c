/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HorizontalPodAutoscaler, one sync at rest.
 *
 * At rest time may pass, as long as it takes: stabilization windows and rate
 * limits run out. So the controller decides without memory here, which covers
 * what it may do some day; that it does it later than this is a matter of
 * time, not of order.
 */
#include "model/controller/hpa.h"
#include "model/controller/hpa_memory.h"
#include "model/population/population_internal.h"

#include <string.h>

enum { LONG_AGO_SECONDS = 86400 };

static int64_t long_ago(void)
{
    return (int64_t)LONG_AGO_SECONDS * NANOSECONDS_PER_SECOND;
}

static void add_pods(struct population *population, uint32_t workload, int64_t count,
                     enum pod_stage stage, uint32_t level, uint32_t revision,
                     struct hpa_pod_class *class)
{
    struct hpa_sample *sample = ARENA_NEW(&population->scratch, struct hpa_sample);
    struct hpa_request *request = ARENA_NEW(&population->scratch, struct hpa_request);
    const bool ready = stage == STAGE_READY;
    *sample = (struct hpa_sample){
        .state = ready ? HPA_SAMPLE_VALUE : HPA_SAMPLE_NONE,
        .milli = population->workloads.items[workload].levels[level].cpu_milli,
    };
    request->milli = population->revisions.items[revision].request_cpu_milli;
    *class = (struct hpa_pod_class){
        .count = count,
        .phase = ready ? POD_RUNNING : POD_PENDING,
        .readiness = ready ? HPA_READY_TRUE : HPA_READY_FALSE,
        .started = true,
        .start_age = long_ago(),
        .ready_age = long_ago(),
        .name = "",
        .samples = sample,
        .requests = request,
    };
}

static uint32_t collect_pods(struct expansion *expansion, uint32_t workload,
                             struct hpa_pod_class **classes)
{
    struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    VEC(struct hpa_pod_class) pods = {0};
    struct hpa_pod_class class;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].workload == workload && state->pending[r] > 0) {
            add_pods(population, workload, state->pending[r], STAGE_STARTING, 0, r, &class);
            VEC_PUSH(&population->scratch, &pods, class);
        }
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info *info = &population->classes.items[config->pods[p].pod];
            if (population->revisions.items[info->revision].workload != workload ||
                info->stage == STAGE_TERMINATING)
                continue;
            add_pods(population, workload, (int64_t)config->pods[p].count * state->nodes[n].count,
                     info->stage, info->level, info->revision, &class);
            VEC_PUSH(&population->scratch, &pods, class);
        }
    }
    *classes = pods.items;
    return pods.count;
}

static void sync(struct expansion *expansion, uint32_t number)
{
    struct population *population = expansion->population;
    const struct workload *workload = &population->workloads.items[number];
    const struct horizontal_pod_autoscaler *object = workload->setup->autoscaler;
    const struct check *check = population->scope->check;
    const struct metric_spec *spec = &object->metrics[0];
    struct hpa_pod_class *pods;
    const uint32_t pod_count = collect_pods(expansion, number, &pods);
    struct hpa_metric metric = {
        .source = spec->source, .target = hpa_metric_target(spec), .cpu = true};
    metric.target_value = metric.target == HPA_TARGET_UTILIZATION
                              ? spec->target.average_utilization.value
                              : quantity_milli_value(*spec->target.average_value);
    uint32_t active = 0;
    for (uint32_t i = 0; i < workload->revision_count; i++)
        active += state_active(population, expansion->state, workload->first_revision + i);
    struct hpa_input input = {
        .rules = hpa_rules_of(population->options.features.minor),
        .spec_replicas = expansion->state->replicas[number],
        .status_replicas = (int32_t)active,
        .min_replicas = workload->autoscaler_min,
        .max_replicas = workload->autoscaler_max,
        .scale_up = object->has_behavior ? &object->scale_up : NULL,
        .scale_down = object->has_behavior ? &object->scale_down : NULL,
        .metrics = &metric,
        .metric_count = 1,
        .pods = pods,
        .pod_count = pod_count,
    };
    if (check && check->controllers.horizontal_pod_autoscaler)
        input.rules.tolerance = check->controllers.horizontal_pod_autoscaler->tolerance;
    hpa_input_set_tolerance(&input);
    const struct hpa_memory memory = {.started = true};
    struct hpa_proposal proposal;
    struct hpa_decision decision;
    hpa_decide(&input, &memory, &proposal, &decision);
    if (decision.replicas == expansion->state->replicas[number])
        return;
    struct population_state *next = state_copy(population, expansion->state);
    state_set_replicas(population, next, number, decision.replicas);
    make_elders(population, next, number);
    expansion_emit(expansion, next,
                   &(struct happening){.action = ACT_AUTOSCALE,
                                       .workload = number,
                                       .revision = UINT32_MAX,
                                       .node = UINT32_MAX,
                                       .amount = (uint32_t)decision.replicas});
}

void step_autoscalers(struct expansion *expansion)
{
    for (uint32_t w = 0; w < expansion->population->workloads.count; w++)
        if (expansion->population->workloads.items[w].setup->autoscaler)
            sync(expansion, w);
}
