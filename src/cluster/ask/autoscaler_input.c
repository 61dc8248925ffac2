/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the autoscalers' controller sees of a state.
 *
 * An autoscaler reads the pods that its target's selector finds, whichever controller made
 * them; a second autoscaler that finds one of them, too, makes the selector ambiguous, and
 * then neither of them scales.
 */
#include "cluster/ask/autoscaler_input.h"
#include "cluster/ask/event_scope.h"
#include "cluster/ask/usage.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/hpa_memory.h"
#include "decide/controller/hpa_object.h"
#include "decide/pod_requests.h"

#include <string.h>

static const int64_t long_ago = INT64_C(86400) * NANOSECONDS_PER_SECOND;

/* ---- pods ---- */

/* Usage of memory is what is requested of it; usage of CPU is the pod's level. */
static struct hpa_sample sample_of(const struct metric_spec *metric,
                                   const struct hpa_request *request, const struct pod_spec *spec,
                                   const struct features *features, int64_t cpu_milli)
{
    const bool of_cpu = strcmp(metric->resource, "cpu") == 0;
    struct hpa_sample sample = {.state = HPA_SAMPLE_VALUE,
                                .milli = of_cpu ? cpu_milli : request->milli};
    if (metric->source != METRIC_CONTAINER_RESOURCE)
        return sample;
    for (uint32_t c = 0; c < spec->container_count; c++)
        if (strcmp(spec->containers[c].name, metric->container) == 0)
            return sample;
    for (uint32_t c = 0; c < spec->init_container_count; c++)
        if (container_is_sidecar(features, &spec->init_containers[c]) &&
            strcmp(spec->init_containers[c].name, metric->container) == 0)
            return sample;
    return (struct hpa_sample){.state = HPA_SAMPLE_NO_CONTAINER};
}

/* What pods that are listed together have in common; usage depends on nothing else. */
struct listed {
    uint32_t revision;
    bool running;
    uint32_t level;
    enum node_condition condition;
};

struct listing {
    struct worker *worker;
    const struct autoscaler *autoscaler;
    VEC(struct hpa_pod_class) pods;
    VEC(struct listed) listed; /* by place in `pods` */
};

/* Adds the pods to others that are alike; false: there are none. */
static bool list_with_others(struct listing *listing, int64_t count, const struct listed *pods)
{
    for (uint32_t i = 0; i < listing->listed.count; i++) {
        const struct listed *other = &listing->listed.items[i];
        if (other->revision == pods->revision && other->running == pods->running &&
            other->level == pods->level && other->condition == pods->condition) {
            listing->pods.items[i].count += count;
            return true;
        }
    }
    VEC_PUSH(&listing->worker->scratch, &listing->listed, *pods);
    return false;
}

static void list_pods(struct listing *listing, int64_t count, const struct class_info *info,
                      enum node_condition condition, int64_t cpu_milli)
{
    const struct listed alike = {info->revision, info->stage == STAGE_READY, info->level,
                                 condition};
    if (list_with_others(listing, count, &alike))
        return;
    struct arena *scratch = &listing->worker->scratch;
    const struct horizontal_pod_autoscaler *object = listing->autoscaler->object;
    const struct pod *pod = listing->worker->population->revisions.items[info->revision].pod;
    struct hpa_sample *samples = ARENA_ARRAY(scratch, struct hpa_sample, object->metric_count + 1);
    struct hpa_request *requests =
        ARENA_ARRAY(scratch, struct hpa_request, object->metric_count + 1);
    const struct features *features = &listing->worker->population->options.features;
    const bool running = info->stage == STAGE_READY;
    for (uint32_t m = 0; m < object->metric_count; m++) {
        requests[m] = hpa_request_of(&object->metrics[m], pod, features);
        if (running && condition_traits[condition].works)
            samples[m] =
                sample_of(&object->metrics[m], &requests[m], &pod->spec, features, cpu_milli);
    }
    const struct hpa_pod_class class = {
        .count = count,
        .phase = running ? POD_RUNNING : POD_PENDING,
        .readiness =
            running && condition_traits[condition].ready ? HPA_READY_TRUE : HPA_READY_FALSE,
        .started = true,
        .start_age = long_ago,
        .ready_age = long_ago,
        .name = "",
        .samples = samples,
        .requests = requests,
    };
    VEC_PUSH(scratch, &listing->pods, class);
}

static bool ambiguous(const struct population *population, const struct state *state,
                      const struct autoscaler *autoscaler, const bool *there)
{
    for (uint32_t a = 0; a < population->autoscalers.count; a++) {
        const struct autoscaler *other = &population->autoscalers.items[a];
        if (object_is_deleted(population, state, "HorizontalPodAutoscaler", &other->object->meta))
            continue;
        for (uint32_t r = 0; other != autoscaler && r < population->revisions.count; r++)
            if (there[r] && autoscaler->selects[r] && other->selects[r])
                return true;
    }
    return false;
}

/* Lists the pods, and says of which revisions there are any, terminating ones
 * included. */
static void list_all(struct listing *listing, const struct state *state, bool *there)
{
    struct worker *worker = listing->worker;
    const struct usage usage = usage_of(worker, state);
    for (uint32_t r = 0; r < worker->population->revisions.count; r++) {
        const struct class_info info = {r, STAGE_STARTING, 0};
        there[r] = state->pending[r] > 0;
        if (there[r] && listing->autoscaler->selects[r])
            list_pods(listing, state->pending[r], &info, NODE_UP, 0);
    }
    for (struct pod_walk at = pods_on_nodes(worker, state); pods_next(&at);) {
        there[at.info->revision] = true;
        if (!listing->autoscaler->selects[at.info->revision] || at.info->stage == STAGE_TERMINATING)
            continue;
        const enum node_condition condition = config_condition(worker, at.config->id);
        list_pods(listing, (int64_t)at.count * at.nodes, at.info, condition,
                  usage_of_pod(&usage, at.info, condition));
    }
}

/* All but what it sees of the target and its pods. */
static struct hpa_input input_of_object(struct worker *worker, const struct autoscaler *autoscaler)
{
    const struct population *population = worker->population;
    const struct horizontal_pod_autoscaler *object = autoscaler->object;
    const struct check *check = population->scope->check;
    const struct check_autoscaler *given =
        check ? check->controllers.horizontal_pod_autoscaler : NULL;
    struct hpa_metric *metrics =
        ARENA_ARRAY(&worker->scratch, struct hpa_metric, object->metric_count + 1);
    for (uint32_t m = 0; m < object->metric_count; m++)
        metrics[m] = hpa_metric_of(&object->metrics[m]);
    struct hpa_input input = {
        .features = &population->options.features,
        .flags = hpa_default_flags(),
        .min_replicas = autoscaler->min_replicas,
        .max_replicas = autoscaler->max_replicas,
        .scale_up = object->has_behavior ? &object->scale_up : NULL,
        .scale_down = object->has_behavior ? &object->scale_down : NULL,
        .metrics = metrics,
        .metric_count = object->metric_count,
    };
    if (given) {
        input.flags.tolerance = given->tolerance;
        input.flags.downscale_window = given->downscale_stabilization_ns;
    }
    hpa_input_set_tolerance(&input);
    return input;
}

struct hpa_input autoscaler_input_of_target(struct worker *worker, const struct state *state,
                                            const struct autoscaler *autoscaler)
{
    struct hpa_input input = input_of_object(worker, autoscaler);
    input.spec_replicas = state->replicas[autoscaler->workload];
    input.status_replicas = (int32_t)state_workload_active(worker, state, autoscaler->workload);
    return input;
}

struct hpa_input autoscaler_input(struct worker *worker, const struct state *state,
                                  const struct autoscaler *autoscaler)
{
    const struct population *population = worker->population;
    bool *there = ARENA_ARRAY(&worker->scratch, bool, population->revisions.count + 1);
    struct listing listing = {.worker = worker, .autoscaler = autoscaler};
    struct hpa_input input = autoscaler_input_of_target(worker, state, autoscaler);
    list_all(&listing, state, there);
    input.selector_ambiguous = ambiguous(population, state, autoscaler, there);
    input.pods = listing.pods.items;
    input.pod_count = listing.pods.count;
    return input;
}

/* ---- whether it ever does anything ---- */

/* Does the use of CPU of the workload's pods never change? */
static bool usage_is_constant(const struct workload *workload)
{
    return workload->load == 0 && workload->setup->load_milli == 0 && workload->level_count == 1;
}

/* Is what a ready pod of the revision uses within the tolerance, by every metric? */
static bool is_on_target(struct worker *worker, const struct autoscaler *autoscaler,
                         uint32_t revision)
{
    const struct population *population = worker->population;
    const struct workload *workload =
        &population->workloads.items[population->revisions.items[revision].workload];
    const struct class_info ready = {revision, STAGE_READY, 0};
    struct listing listing = {.worker = worker, .autoscaler = autoscaler};
    struct hpa_input input = input_of_object(worker, autoscaler);
    struct hpa_proposal *proposals =
        ARENA_ARRAY(&worker->scratch, struct hpa_proposal, input.metric_count + 1);
    struct hpa_decision decision;
    if (!usage_is_constant(workload))
        return false;
    list_pods(&listing, 1, &ready, NODE_UP, workload->levels[0].cpu_milli);
    input.spec_replicas = autoscaler->min_replicas;
    input.pods = listing.pods.items;
    input.pod_count = listing.pods.count;
    hpa_decide(&input, &(struct hpa_memory){.started = true}, proposals, &decision);
    for (uint32_t m = 0; m < input.metric_count; m++)
        if (input.metrics[m].source != METRIC_RESOURCE ||
            input.metrics[m].target != HPA_TARGET_UTILIZATION || proposals[m].failure != HPA_OK ||
            proposals[m].rule != HPA_WITHIN_TOLERANCE)
            return false;
    return input.metric_count > 0;
}

bool autoscaler_is_calm(struct worker *worker, const struct autoscaler *autoscaler)
{
    const struct population *population = worker->population;
    const int32_t replicas = population->workloads.items[autoscaler->workload].replicas;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    bool calm = autoscaler->is_alone && replicas >= autoscaler->min_replicas &&
                replicas <= autoscaler->max_replicas && !population->deletes;
    for (uint32_t r = 0; calm && r < population->revisions.count; r++)
        calm = !autoscaler->selects[r] || is_on_target(worker, autoscaler, r);
    arena_rewind(&worker->scratch, mark);
    return calm;
}
