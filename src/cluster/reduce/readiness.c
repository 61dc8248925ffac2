/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a controller, event or intent can see if a pod that is bound is ready. */
#include "cluster/reduce/readiness.h"
#include "cluster/ask/availability.h"
#include "cluster/ask/budgets.h"
#include "cluster/event_type.h"
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"
#include "object/descheduler_policy.h"

/* A workload that gets fewer replicas deletes pods first that have not started. */
static bool events_see_readiness(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (!event_has(event, NEEDS_NO_READINESS))
            return true;
        for (uint32_t i = 0; event->workload != UINT32_MAX && i < event->event->to_count; i++)
            if (event->event->to[i] < population_replicas_most(population, event->workload))
                return true;
    }
    return false;
}

/* The fewer pods are ready, the larger is the share of the load of each; and on a node that comes
 * back pods begin their pattern that had not begun it. */
static bool usage_sees_readiness(const struct population *population)
{
    bool usage_depends = population->load_count > 0;
    for (uint32_t w = 0; w < population->workloads.count; w++)
        usage_depends |= population->workloads.items[w].pattern_steps > 0 ||
                         population->workloads.items[w].setup->load_milli > 0;
    return usage_depends && !events_have(population, NEEDS_NO_USAGE);
}

/* Which pods are preempted depends on budgets, and budgets count the pods that are ready. */
static bool preemption_sees_readiness(const struct population *population)
{
    const struct surroundings *around = &population->catalog->surroundings;
    for (uint32_t b = 0; b < around->budgets.count; b++)
        for (uint32_t r = 0; r < population->revisions.count; r++)
            for (uint32_t q = 0; q < population->revisions.count; q++)
                if (population->revisions.items[q].priority >
                        population->revisions.items[r].priority &&
                    budget_counts(population, around->budgets.items[b], r))
                    return true;
    return false;
}

/* Can a pod be on a node that does not start it, or come to a node while others are
 * being removed? */
static bool starts_are_late(const struct population *population)
{
    /* Pods of Jobs make room when they end. */
    return population->has_jobs || !events_have(population, LEAVES_STARTS_ALONE) ||
           nodes_are_unwell(population);
}

bool nodes_are_unwell(const struct population *population)
{
    for (uint32_t g = 0; g < population->scope->group_count; g++) {
        const struct setup_group *group = &population->scope->groups[g];
        if (group->down || group->pressures != 0)
            return true;
        for (uint32_t t = 0; t < group->node->spec.taint_count; t++)
            if (group->node->spec.taints[t].effect == TAINT_NO_EXECUTE)
                return true;
    }
    return false;
}

/* Does the descheduler ask whether pods have started: by the phases that it is limited to, or
 * because budgets count the pods that are ready? */
static bool descheduler_sees_readiness(const struct population *population)
{
    const struct descheduler_policy *policy = population->descheduler_policy;
    if (!policy)
        return false;
    for (uint32_t p = 0; p < policy->profile_count; p++)
        if (policy->profiles[p].pod_life_time.states.count > 0 ||
            policy->profiles[p].restarts.states.count > 0)
            return true;
    return population->catalog->surroundings.budgets.count > 0;
}

/*
 * Readiness can be left out where it is only read at rest, when all pods have started: then the
 * start of a pod changes nothing that is read (docs/fidelity.md). Autoscalers act at rest, but
 * some pods may not have started then: those on nodes that do not answer, and those that come
 * while a set still has to delete pods.
 */
bool readiness_is_read(const struct population *population)
{
    /* Budgets, by which the cluster autoscaler drains, count ready pods; it waits for kubelets. */
    if (population->autoscaling)
        return true;
    if (population->webhooks.count > 0)
        return true;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].ordinal >= 0 ||
            population->revisions.items[r].never_ready)
            return true;
    return population->has_disks || population->options.interleaving >= INTERLEAVING_FULL ||
           (population->options.interleaving == INTERLEAVING_CONTROLLERS &&
            descheduler_sees_readiness(population)) ||
           observed_needs_readiness(population) ||
           (population->clock && clock_delays_readiness(population)) ||
           !intents_ignore(population, IGNORES_READINESS) || events_see_readiness(population) ||
           usage_sees_readiness(population) || preemption_sees_readiness(population) ||
           (population->autoscalers.count > 0 && starts_are_late(population));
}

/* May something be rolled out at this very moment? */
static bool is_rolling(const struct population *population, uint32_t workload)
{
    return population->scope->workloads[workload].set_count > 0 &&
           population->workloads.items[workload].revision_count > 1;
}

/* Is the workload, or its only set, about to remove pods? */
static bool is_shrinking(const struct population *population, uint32_t workload)
{
    const struct setup_workload *setup = &population->scope->workloads[workload];
    const int64_t wanted = population->workloads.items[workload].replicas;
    int64_t least = wanted;
    int64_t there = 0;
    for (uint32_t i = 0; i < population->scope->pod_count; i++)
        there += population->scope->pods[i].workload == workload &&
                 population->scope->pods[i].stage != OBSERVED_TERMINATING;
    for (uint32_t i = 0; i < setup->set_count; i++) {
        const int64_t replicas = setup->sets[i]->as.replica_set->replicas;
        if (replicas > wanted)
            return true;
        least = replicas < least ? replicas : least;
    }
    return there > least && population->workloads.items[workload].kind != OBJECT_DAEMON_SET;
}

bool observed_needs_readiness(const struct population *population)
{
    const bool observed = population->scope->start == START_OBSERVED;
    for (uint32_t w = 0; observed && w < population->managed_count; w++)
        if (is_rolling(population, w) || is_shrinking(population, w))
            return true;
    for (uint32_t i = 0; i < population->scope->pod_count; i++)
        if (population->scope->pods[i].workload != UINT32_MAX &&
            population->scope->pods[i].stage == OBSERVED_STARTING)
            return true;
    return false;
}
