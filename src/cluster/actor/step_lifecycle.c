/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node lifecycle controller: NoExecute taints for nodes that do not answer.
 *
 * If the states of zones cannot matter, a node that does not answer is tainted in the
 * same step. Otherwise (`taints_late`) tainting is a step, which waits while the zone is
 * partly disrupted. When no node answers at all the taints are removed, so nothing is
 * evicted. Pods may be evicted from nodes that will return even in a partial disruption:
 * the taint may be older than the disruption.
 *
 * Kubelets renew their leases at different moments of ten seconds, so nodes that stop
 * together are noticed one after the other. Where that matters (event/outages.c) they are
 * not noticed at first. Any of them may be noticed and tainted while the zone, as far as
 * the controller knows, is not partly disrupted; at any moment all the others are
 * noticed, too. Noticing some of them without tainting one need not be explored: a node
 * that is noticed can only prevent taints of others, so it may as well be noticed later.
 */
#include "cluster/actor/step_lifecycle.h"
#include "cluster/actor_type.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/emit.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "decide/controller/taint_manager.h"
#include "decide/node_reads.h"
#include "object/taint.h"

enum { PARTIAL_DISRUPTION = 3 }; /* so many make a partial disruption, and one must be left */

/* Is there a pod that tolerates the taint for so short that it is evicted from the first nodes that
 * are noticed, even if all nodes of the cluster have stopped and no taint is left in the end? */
static bool pods_are_hasty(const struct scope *scope)
{
    const struct taint gone = {.key = TAINT_UNREACHABLE, .effect = TAINT_NO_EXECUTE};
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        const struct pod_spec *spec = &workload_template(object)->spec;
        if (object->kind != OBJECT_DAEMON_SET &&
            taint_manager_tolerated_seconds(&gone, 1, spec->tolerations, spec->toleration_count) <=
                NOTICE_SECONDS)
            return true;
    }
    return false;
}

bool taints_may_be_late(const struct population *population)
{
    const struct catalog *catalog = population->maker->catalog;
    struct node_sum taken = {0};
    struct node_sum total = {population->total_nodes, 0, false};
    bool for_ever = false;
    bool several = false;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (event_has(event, LEAVES_NODES_READY))
            continue;
        taken.value +=
            event_has(event, TAKES_ONE_NODE) ? event->event->at_most : PARTIAL_DISRUPTION;
        for_ever |= !event_has(event, NODES_RETURN);
        several |= !event_has(event, NODES_RETURN | TAKES_ONE_NODE);
    }
    for (uint32_t g = 0; g < population->scope->group_count; g++) {
        const uint32_t bit = g < SIZE_GROUPS_MOST ? UINT32_C(1) << g : 0;
        total.groups |= bit;
        if (!population->scope->groups[g].down)
            continue;
        taken.value += population->setup->nodes[g];
        taken.groups |= bit;
    }
    if (population->clock)
        return false;
    return (for_ever && node_sum_exceeds(catalog, &taken, PARTIAL_DISRUPTION - 1) &&
            node_sum_exceeds(catalog, &total, PARTIAL_DISRUPTION)) ||
           (several && pods_are_hasty(population->scope) && node_sum_exceeds(catalog, &total, 1));
}

/* All nodes that have stopped are noticed. */
static void notice(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    struct state *next = state_copy(worker, expansion->state);
    for (uint32_t n = 0; n < next->node_count; n++) {
        const uint32_t config = next->nodes[n].config;
        const enum node_condition condition = config_condition(worker, config);
        if (condition_is_unnoticed(condition))
            next->nodes[n].config =
                config_with_condition(worker, config, condition_traits[condition].noticed);
    }
    lifecycle_forget_taints(worker, next);
    expansion_emit(expansion, next, happening_of(ACT_NODES_NOTICED));
}

/* Taints one node of the entry. Where nothing asks which node has which pods (pool.h), all of those
 * without pods are tainted at once: that others are tainted before or after them makes no
 * difference to any pod, and whether a node is tainted none to the tainting of another. (If it was
 * not noticed before, it does.) */
static void taint(struct expansion *expansion, uint32_t entry)
{
    struct worker *worker = expansion->worker;
    const struct view_node *nodes = &expansion->state->nodes[entry];
    const enum node_condition condition = config_condition(worker, nodes->config);
    const uint32_t tainted =
        config_with_condition(worker, nodes->config, condition_traits[condition].becomes);
    if (!expansion->population->pools || condition_is_unnoticed(condition) ||
        config_at(worker, nodes->config)->pod_entry_count > 0) {
        expansion_emit_node(expansion, tainted, happening_at(ACT_TAINT_NODE, entry));
        return;
    }
    struct state *next = state_copy(worker, expansion->state);
    next->nodes[entry].config = tainted;
    expansion_emit(expansion, next, happening_at(ACT_TAINT_NODE, entry));
}

static void step_lifecycle(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    struct node_tainting tainting = {0};
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        const enum node_condition condition = config_condition(worker, config);
        if (condition_traits[condition].becomes == condition)
            continue;
        if (!tainting.zones)
            tainting = lifecycle_tainting(worker, state);
        if (!tainting.any_answers)
            return;
        /* Nodes that are not counted in any zone are tainted like those of a good one. */
        if (!tainting_reaches(&tainting, config_template(worker, config)->zone, condition))
            continue;
        taint(expansion, n);
    }
    if (!lifecycle_notices_all(worker, state))
        notice(expansion);
}

const struct actor actor_node_lifecycle = {
    .name = "node lifecycle controller",
    .step = step_lifecycle,
    .reads = PART_NODES,
    .writes = PART_NODES,
};
