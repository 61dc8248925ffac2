/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much CPU pods use.
 *
 * A pod's level says it, unless its workload bears a load (of an event, or seen
 * in a live cluster): that is shared evenly by its ready pods that clients can
 * reach, and no pod can use more than its limit. Pods that clients cannot reach
 * have nothing to do.
 */
#include "cluster/ask/usage.h"
#include "base/saturating.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/pod_requests.h"

/* What the containers may use together; INT64_MAX: one of them has no limit. */
static int64_t containers_limit(const struct pod_spec *spec)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < spec->container_count; c++) {
        const struct quantity *cpu =
            resource_list_find(&spec->containers[c].resources.limits, "cpu");
        if (!cpu)
            return INT64_MAX;
        sum += quantity_milli_value(*cpu);
    }
    return sum;
}

/* The limit of the whole pod. */
static int64_t cpu_limit(const struct features *features, const struct pod_spec *spec)
{
    const struct quantity *whole = features->pod_level_resources && spec->resources
                                       ? resource_list_find(&spec->resources->limits, "cpu")
                                       : NULL;
    const int64_t sum = containers_limit(spec);
    return whole && quantity_milli_value(*whole) < sum ? quantity_milli_value(*whole) : sum;
}

/* Pods that share the load of their workload, by workload. */
static int64_t *sharing_pods(struct worker *worker, const struct state *state)
{
    const struct revision *revisions = worker->population->revisions.items;
    int64_t *pods = ARENA_ARRAY(&worker->scratch, int64_t, worker->population->workloads.count + 1);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(worker, state->nodes[n].config);
        if (!condition_traits[facts->condition].reached)
            continue;
        for (uint32_t p = 0; p < facts->pod_count; p++)
            pods[revisions[facts->pods[p].revision].workload] +=
                (int64_t)facts->pods[p].ready * state->nodes[n].count;
    }
    return pods;
}

struct usage usage_of(struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    struct usage usage = {.worker = worker};
    bool any = population->load_count > 0;
    for (uint32_t w = 0; w < population->workloads.count && !any; w++)
        any = population->workloads.items[w].setup->load_milli > 0;
    if (!any)
        return usage;
    const int64_t *pods = sharing_pods(worker, state);
    usage.shares = ARENA_ARRAY(&worker->scratch, int64_t, population->workloads.count + 1);
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        const uint32_t load = workload->load == 0 ? 0 : state->loads[workload->load - 1];
        const int64_t total =
            load == 0 ? workload->setup->load_milli : workload->totals.items[load - 1];
        usage.shares[w] = -1;
        if (load == 0 && total == 0)
            continue;
        /* The metrics API rounds up to thousandths. */
        usage.shares[w] = pods[w] == 0 ? 0 : (total + pods[w] - 1) / pods[w];
    }
    return usage;
}

int64_t usage_of_pod(const struct usage *usage, const struct class_info *info,
                     enum node_condition condition)
{
    const struct population *population = usage->worker->population;
    const struct revision *revision = &population->revisions.items[info->revision];
    if (!condition_traits[condition].reached)
        return 0;
    if (!usage->shares || usage->shares[revision->workload] < 0)
        return population->workloads.items[revision->workload].levels[info->level].cpu_milli;
    const int64_t limit = cpu_limit(&population->options.features, &revision->pod->spec);
    return usage->shares[revision->workload] < limit ? usage->shares[revision->workload] : limit;
}

int64_t pod_cpu_request(const struct features *features, const struct pod_spec *spec)
{
    const struct pod pod = {.spec = *spec};
    struct quantity whole;
    int64_t sum = 0;
    if (pod_own_request(features, &pod, "cpu", &whole))
        return quantity_milli_value(whole);
    for (uint32_t c = 0; c < spec->container_count; c++) {
        const struct quantity *cpu =
            resource_list_find(&spec->containers[c].resources.requests, "cpu");
        sum = saturating_add(sum, cpu ? quantity_milli_value(*cpu) : 0);
    }
    return sum;
}

int64_t level_amount(const struct cpu_level *level, int64_t whole)
{
    if (!level->percent)
        return quantity_milli_value(level->value);
    return saturating_from_double((double)whole * (double)quantity_milli_value(level->value) /
                                  100000.0);
}

int64_t node_cpu_used(const struct usage *usage, const struct node_config *config)
{
    const enum node_condition condition = config_condition(usage->worker, config->id);
    int64_t used = 0;
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct class_info *info = class_info(usage->worker, config->pods[p].pod);
        if (info->stage == STAGE_READY)
            used += usage_of_pod(usage, info, condition) * config->pods[p].count;
    }
    return used;
}
