/* SPDX-License-Identifier: Apache-2.0 */
/* neverEvicted, neverPreempted and noEvictionLoop: steps that take pods away from their
 * nodes. */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

/* Does the step, by an action of this trait, take pods away from a workload that the intent is
 * about? */
static bool victims_concern(const struct judged *judged, unsigned trait)
{
    const struct intent *intent = judged->intent;
    const struct workload *workloads = judged->population->workloads.items;
    const uint64_t victims = judged->happening->victims;
    return action_has(judged->happening->action, trait) &&
           (intent->workload == UINT32_MAX ? victims != 0
                                           : victims >> workloads[intent->workload].victim_bit & 1);
}

static bool mark_evicted(const struct judged *judged)
{
    return victims_concern(judged, EVICTS_PODS);
}

static bool mark_preempted(const struct judged *judged)
{
    return victims_concern(judged, PREEMPTS_PODS);
}

/* ---- whether anything could be evicted ---- */

/* Has a pod that the intent is about a lower priority than another? */
static bool is_outranked(const struct judged *judged)
{
    const struct population *population = judged->population;
    const struct others *others = population->options.others;
    uint64_t highest = others ? others->highest_rank : 0;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (priority_rank(population->revisions.items[r].priority) > highest)
            highest = priority_rank(population->revisions.items[r].priority);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (intent_concerns(judged->intent, population->revisions.items[r].workload) &&
            priority_rank(population->revisions.items[r].priority) < highest)
            return true;
    return false;
}

static bool may_be_preempted(const struct judged *judged)
{
    return judged->happening ? mark_preempted(judged) : is_outranked(judged);
}

/* Is a node drained, down, under pressure or tainted, so that its pods may have to go? */
static bool has_troubled_node(const struct judged *judged)
{
    const struct state *state = judged->state;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node *node = state_config(judged->worker, state, n)->template->node;
        const enum node_condition condition =
            config_condition(judged->worker, state->nodes[n].config);
        const bool calm = condition_is_up(condition) || condition_is_to_come(condition);
        if (!calm && condition != NODE_POOL)
            return true;
        for (uint32_t t = 0; t < node->spec.taint_count; t++)
            if (node->spec.taints[t].effect == TAINT_NO_EXECUTE)
                return true;
    }
    return false;
}

static bool may_be_evicted(const struct judged *judged)
{
    if (judged->happening)
        return mark_evicted(judged);
    return judged->population->descheduler_policy || judged->population->has_pressure ||
           judged->population->autoscaling || is_outranked(judged) || has_troubled_node(judged);
}

#define EVICTIONS                                                                            \
    .applies = may_be_evicted,                                                               \
    .never_applied = "nothing could evict: there is no descheduler, no priority is higher, " \
                     "and every node stays up"

/* These intents depend only on which workloads' pods are evicted, not on nodes or
 * on what happens later. */
enum {
    IGNORED = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER |
              IGNORES_OTHER_WORKLOADS | IGNORES_PLACES | IGNORES_ENDS | IGNORES_OTHER_NODES |
              IGNORES_WAITING
};

const struct intent_class intent_never_evicted = {
    .mark = mark_evicted,
    EVICTIONS,
    .ignores = IGNORED,
};

const struct intent_class intent_never_preempted = {
    .mark = mark_preempted,
    .applies = may_be_preempted,
    .never_applied = "nothing could preempt: no pod has a higher priority",
    .ignores = IGNORED | IGNORES_LOSSES,
};

const struct intent_class intent_no_eviction_loop = {
    .violated_by = VIOLATED_BY_LOOP,
    .mark = mark_evicted,
    EVICTIONS,
    .ignores = IGNORED | IGNORES_LOSSES,
    .usual = 2,
};
