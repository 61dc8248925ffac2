/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/reduce/waits.h"
#include "cluster/actor_type.h"
#include "cluster/ask/quotas.h"
#include "cluster/event_type.h"
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/others.h"
#include "cluster/population.h"
#include "cluster/reduce/readiness.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/waits.h"
#include "cluster/state/workloads.h"
#include "decide/controller/taint_manager.h"
#include "object/taint.h"

/* Actors that are not fast wait until the cluster rests, and could make sets delete pods again and
 * again: then a pod that always finds a node need not start before it is deleted. */
static bool minds(const struct population *population, const struct actor *actor)
{
    if (actor->pace != PACE_FAST)
        return true;
    if (actor->reads != 0 && !(actor->reads & (PART_PODS | PART_WAITING)))
        return false;
    return !actor->minds_waits || actor->minds_waits(population);
}

static bool are_seen(const struct population *population)
{
    for (uint32_t a = 0; a < population->actors.count; a++)
        if (minds(population, population->actors.items[a]))
            return true;
    return !events_have(population, LEAVES_WAITS_ALONE) ||
           !intents_ignore(population, IGNORES_WAITING);
}

/* Can a pod be bound to a node that is not up? */
static bool goes_to_bad_nodes(const struct pod_spec *spec)
{
    static const char *const keys[] = {"node.kubernetes.io/unschedulable", TAINT_NOT_READY,
                                       TAINT_UNREACHABLE};
    for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
        const struct taint taint = {.key = keys[k], .value = "", .effect = TAINT_NO_SCHEDULE};
        if (tolerations_find(spec->tolerations, spec->toleration_count, &taint))
            return true;
    }
    return false;
}

/* Are there only sets whose pods are made at once, wait for one scheduler, with one priority, and
 * become ready where they are bound? */
static bool workloads_are_plain(const struct population *population)
{
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (!population->workloads.items[w].deployment && !population->workloads.items[w].is_set)
            return false;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (revision->workload >= population->managed_count)
            continue;
        if (revision->never_ready || revision->refusal || revision->gated || revision->node_name ||
            goes_to_bad_nodes(&revision->pod->spec) ||
            revision->priority != population->revisions.items[0].priority)
            return false;
    }
    return true;
}

/* Does the event take single nodes down for good, or bring them back without pods, or none? */
static bool takes_nodes_for_good(const struct population *population,
                                 const struct population_event *event)
{
    if (event_has(event, LEAVES_NODES_READY))
        return true;
    if (event_kind_has(event->event->kind, EVENT_FACT_DRAINS))
        return event->event->drain;
    return event_has(event, TAKES_ONE_NODE) && event->type->condition &&
           event->type->condition(population, event->event, false) == NODE_DOWN;
}

/* Are pods on nodes that are not ready all lost? Otherwise some of them may be deleted before
 * others, or come back. */
static bool losses_are_for_good(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (!takes_nodes_for_good(population, &population->events.items[e]))
            return false;
    return !population->taints_late && !nodes_are_unwell(population);
}

/* Can a quota keep pods out for ever that would start if they were made? Beside others of whom
 * nothing is known they need not start either. */
static bool pods_may_never_be_made(const struct population *population)
{
    if (population->options.others->unknown)
        return false;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (quota_crowding(population, r) == CROWDING_LASTING)
            return true;
    return false;
}

void waits_choose(struct population *population)
{
    const struct population_options *options = &population->options;
    population->waits = WAITS_KEPT;
    if (!population->pools || options->every_order || options->reductions == REDUCTIONS_NEVER ||
        options->reductions == REDUCTIONS_NEVER_LOOPS_REST || !population->needs_readiness ||
        population->ready_at_once || population->creates_first || population->admission_matters ||
        !workloads_are_plain(population) || pods_may_never_be_made(population) ||
        are_seen(population))
        return;
    population->waits =
        losses_are_for_good(population) && intents_ignore(population, IGNORES_LOSSES)
            ? WAITS_AND_LOSSES_FORGOTTEN
            : WAITS_FORGOTTEN;
}
