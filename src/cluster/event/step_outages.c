/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that take nodes: one node, or all of a zone at once, fail or cannot be
 * reached any more. What is sure to return does so by a step of its own
 * (step_drains); what does not is tainted by the node lifecycle controller.
 */
#include "cluster/actor/steps.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/emit.h"
#include "cluster/intent/intent.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"

#include <string.h>

static void emit(struct expansion *expansion, struct population_state *next, uint32_t number,
                 enum population_action action, uint32_t entry)
{
    lifecycle_forget_taints(expansion->population, next);
    expansion_emit(expansion, next,
                   &(struct happening){.action = action,
                                       .workload = UINT32_MAX,
                                       .revision = UINT32_MAX,
                                       .node = entry,
                                       .amount = 1,
                                       .event = number});
}

/* Those of its pods that have not started never do, and nobody knows which these
 * are if readiness is left out. */
static void doubt_pods(struct population *population, const struct population_state *state,
                       uint32_t config, enum node_condition condition)
{
    if (state->bound && !condition_traits[condition].works &&
        population->catalog->configs.items[config]->pod_entry_count > 0)
        population->needs_all = true;
}

/* The failure of a node, for each workload that it means something new to. */
static bool emit_parts(struct expansion *expansion, struct failures *failures,
                       const struct population_state *failed, uint32_t config, uint32_t number,
                       uint32_t entry)
{
    struct population *population = expansion->population;
    uint32_t *workloads =
        ARENA_ARRAY(&population->scratch, uint32_t, population->managed_count + 1);
    uint32_t count;
    if (!failure_parts(failures, failed, config, workloads, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct population_state *next = state_copy(population, failed);
        next->focus = workloads[i] + 1;
        next->anywhere = true;
        emit(expansion, next, number, ACT_EVENT_NODE_FAILS, entry);
    }
    return true;
}

static void one_node(struct expansion *expansion, uint32_t number, enum node_condition condition,
                     enum population_action action)
{
    struct population *population = expansion->population;
    const struct check_event *event = population->events.items[number].event;
    struct failures *failures =
        action == ACT_EVENT_NODE_FAILS ? failures_begin(expansion, number) : NULL;
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        if (config_condition(population, config) != NODE_UP ||
            !event_concerns(population, event, config))
            continue;
        const struct arena_mark mark = arena_mark(&population->scratch);
        struct population_state *next = state_after_event(expansion, number);
        doubt_pods(population, next, config, condition);
        const uint32_t failed = config_with_condition(population, config, condition);
        state_move_node(population, next, n, failed);
        lifecycle_forget_taints(population, next);
        if (!failures || !emit_parts(expansion, failures, next, failed, number, n))
            emit(expansion, next, number, action, n);
        arena_rewind(&population->scratch, mark);
    }
    failures_end(failures);
}

/* Whoever is there goes, in whatever condition, unless it is worse already. */
static bool takes(enum node_condition from, enum node_condition to)
{
    if (to == NODE_CUT || to == NODE_CUT_AWHILE)
        return from == NODE_UP;
    if (from == NODE_GONE || from == NODE_GONE_AWHILE)
        return false;
    return condition_traits[from].works ||
           (condition_traits[from].returns && !condition_traits[to].returns);
}

static const char *zone_label(const struct population *population, const char *key, uint32_t config)
{
    return labels_find(&population->catalog->configs.items[config]->template->node->meta.labels,
                       key);
}

/* All nodes with this value of the event's label. */
static void one_zone(struct expansion *expansion, uint32_t number, const char *value,
                     enum node_condition condition, enum population_action action)
{
    struct population *population = expansion->population;
    const char *key = population->events.items[number].event->topology_key;
    struct population_state *next = state_after_event(expansion, number);
    uint32_t first = UINT32_MAX;
    for (uint32_t n = 0; n < next->node_count; n++) {
        const uint32_t config = next->nodes[n].config;
        const char *zone = zone_label(population, key, config);
        if (!zone || strcmp(zone, value) != 0 ||
            !takes(config_condition(population, config), condition))
            continue;
        doubt_pods(population, next, config, condition);
        next->nodes[n].config = config_with_condition(population, config, condition);
        first = first == UINT32_MAX ? n : first;
    }
    if (first != UINT32_MAX)
        emit(expansion, next, number, action, first);
}

static void any_zone(struct expansion *expansion, uint32_t number, enum node_condition condition,
                     enum population_action action)
{
    const struct population *population = expansion->population;
    const struct check_event *event = population->events.items[number].event;
    const struct population_state *state = expansion->state;
    if (event->zone) {
        one_zone(expansion, number, event->zone, condition, action);
        return;
    }
    for (uint32_t n = 0; n < state->node_count; n++) {
        const char *value = zone_label(population, event->topology_key, state->nodes[n].config);
        bool seen = !value;
        for (uint32_t m = 0; m < n && !seen; m++) {
            const char *other = zone_label(population, event->topology_key, state->nodes[m].config);
            seen = other && strcmp(other, value) == 0;
        }
        if (!seen)
            one_zone(expansion, number, value, condition, action);
    }
}

void event_takes_nodes(struct expansion *expansion, uint32_t number)
{
    const struct check_event *event = expansion->population->events.items[number].event;
    const enum node_condition condition = event_condition(expansion->population, event);
    const enum population_action action = event->kind == EVENT_PARTITION     ? ACT_EVENT_PARTITION
                                          : event->kind == EVENT_ZONE_OUTAGE ? ACT_EVENT_ZONE_FAILS
                                                                             : ACT_EVENT_NODE_FAILS;
    if (event->topology_key)
        any_zone(expansion, number, condition, action);
    else
        one_node(expansion, number, condition, action);
}
