/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nodeFailure, zoneOutage, partition: one node, or all of a zone at once, fail or
 * cannot be reached any more. What is sure to return does so by a step of its own
 * (step_drains); what does not is tainted by the node lifecycle controller.
 */
#include "base/text.h"
#include "cluster/ask/event_scope.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/conditions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

#include <string.h>

/* Pods on the node that have not started never start. Without readiness in the model it is not
 * known which pods these are, so readiness is required. */
static void require_readiness(struct worker *worker, const struct state *state, uint32_t config,
                              enum node_condition condition)
{
    if (state->bound && !condition_traits[condition].works &&
        config_at(worker, config)->pod_entry_count > 0)
        worker->findings.needs_all = true;
}

/* Emits the failure of a node once for each workload to which no earlier failure did the same. */
static bool emit_for_workloads(struct expansion *expansion, const struct population_event *event,
                               struct failures *failures, const struct state *failed,
                               uint32_t config, uint32_t entry)
{
    struct worker *worker = expansion->worker;
    uint32_t *workloads =
        ARENA_ARRAY(&worker->scratch, uint32_t, expansion->population->managed_count + 1);
    uint32_t count;
    if (!expansion->failures->workloads(failures, failed, config, workloads, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct state *next = state_copy(worker, failed);
        next->focus = workloads[i] + 1;
        next->anywhere = true;
        event_emit(expansion, event, next, entry);
    }
    return true;
}

/* Can the event take a node by itself into a condition from this one? That clients cannot reach a
 * node which is being removed makes no difference for long. */
static bool may_take(enum node_condition from, enum node_condition to)
{
    return condition_traits[to].works ? condition_is_up(from) : condition_is_in_use(from);
}

/* `failures`: finds failures with the same result; NULL: failures are not reduced. */
static void one_node(struct expansion *expansion, const struct population_event *event,
                     struct failures *failures)
{
    struct worker *worker = expansion->worker;
    const enum node_condition condition = event_condition(expansion->population, event);
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        if (!may_take(config_condition(worker, config), condition) ||
            !event_concerns(worker, event, config))
            continue;
        const struct arena_mark mark = arena_mark(&worker->scratch);
        struct state *next = state_after_event(expansion, event);
        require_readiness(worker, next, config, condition);
        const uint32_t failed = config_with_condition(worker, config, condition);
        state_move_node(worker, next, n, failed);
        lifecycle_forget_taints(worker, next);
        if (!failures || !emit_for_workloads(expansion, event, failures, next, failed, n))
            event_emit(expansion, event, next, n);
        arena_rewind(&worker->scratch, mark);
    }
}

/* Does a zone outage change the condition of a node? It does not improve one. */
static bool takes(enum node_condition from, enum node_condition to)
{
    if (to == NODE_CUT || to == NODE_CUT_AWHILE)
        return condition_is_up(from);
    if (!condition_is_listed(from))
        return false;
    return condition_traits[from].works ||
           (condition_traits[from].returns && !condition_traits[to].returns);
}

static const char *zone_label(struct worker *worker, const char *key, uint32_t config)
{
    return labels_find(&config_at(worker, config)->template->node->meta.labels, key);
}

/* May a further event silence several nodes for good? */
static bool more_may_stop(const struct population *population, const struct state *state)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (state->event_used[e] < (uint32_t)population->events.items[e].event->at_most &&
            !event_has(&population->events.items[e],
                       LEAVES_NODES_READY | TAKES_ONE_NODE | NODES_RETURN))
            return true;
    return false;
}

/* Does it matter that nodes which stopped together are not noticed together? It does not if all
 * of them are tainted even if they are. */
static bool notices_matter(struct worker *worker, const struct state *next)
{
    if (!worker->population->taints_late)
        return false;
    if (more_may_stop(worker->population, next))
        return true;
    const struct node_tainting tainting = lifecycle_tainting(worker, next);
    for (uint32_t n = 0; n < next->node_count; n++) {
        const struct template_info *info = state_template(worker, next, n);
        if (condition_traits[info->condition].becomes != info->condition &&
            !tainting_reaches(&tainting, info->zone, info->condition))
            return true;
    }
    return false;
}

/* The nodes of `next` that the event has stopped are not noticed yet, unless they were away. */
static void delay_notices(struct worker *worker, const struct state *before, struct state *next,
                          enum node_condition condition)
{
    for (uint32_t n = 0; n < next->node_count; n++)
        if (next->nodes[n].config != before->nodes[n].config &&
            condition_traits[config_condition(worker, before->nodes[n].config)].ready)
            next->nodes[n].config = config_with_condition(worker, next->nodes[n].config,
                                                          condition_unnoticed(condition));
}

/* All nodes with this value of the event's label. */
static void one_zone(struct expansion *expansion, const struct population_event *event,
                     const char *value)
{
    struct worker *worker = expansion->worker;
    const enum node_condition condition = event_condition(expansion->population, event);
    struct state *next = state_after_event(expansion, event);
    uint32_t first = UINT32_MAX;
    for (uint32_t n = 0; n < next->node_count; n++) {
        const uint32_t config = next->nodes[n].config;
        const char *zone = zone_label(worker, event->event->topology_key, config);
        if (!zone || strcmp(zone, value) != 0 ||
            !takes(config_condition(worker, config), condition))
            continue;
        require_readiness(worker, next, config, condition);
        next->nodes[n].config = config_with_condition(worker, config, condition);
        first = first == UINT32_MAX ? n : first;
    }
    if (first == UINT32_MAX)
        return;
    if (notices_matter(worker, next)) {
        delay_notices(worker, expansion->state, next, condition);
        expansion->unnoticed = true;
    }
    event_emit(expansion, event, next, first);
}

static void any_zone(struct expansion *expansion, const struct population_event *event)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    const char *key = event->event->topology_key;
    const char *wanted = event->event->zone; /* NULL: each zone in turn */
    for (uint32_t n = 0; n < state->node_count; n++) {
        const char *value = zone_label(worker, key, state->nodes[n].config);
        bool passed_over = !value || (wanted && strcmp(value, wanted) != 0);
        for (uint32_t m = 0; m < n && !passed_over; m++) {
            const char *other = zone_label(worker, key, state->nodes[m].config);
            passed_over = other && strcmp(other, value) == 0;
        }
        if (!passed_over)
            one_zone(expansion, event, value);
    }
}

static void emit_failure(struct expansion *expansion, const struct population_event *event)
{
    struct failures *failures =
        expansion->failures ? expansion->failures->begin(expansion, event->number) : NULL;
    one_node(expansion, event, failures);
    if (failures)
        expansion->failures->end(failures);
}

static void emit_partition(struct expansion *expansion, const struct population_event *event)
{
    if (event->event->topology_key)
        any_zone(expansion, event);
    else
        one_node(expansion, event, NULL);
}

/* ---- conditions ---- */

static enum node_condition condition_failed(const struct population *population,
                                            const struct check_event *event, bool untainted)
{
    if (population->clock)
        return event->recovers ? NODE_LOST_AWAY : NODE_LOST;
    if (event->recovers)
        return failed_condition(population);
    return untainted ? NODE_DOWN_UNTAINTED : NODE_DOWN;
}

static enum node_condition condition_partitioned(const struct population *population,
                                                 const struct check_event *event, bool untainted)
{
    if (event->from == PARTITION_CLIENTS)
        return event->recovers ? NODE_CUT_AWHILE : NODE_CUT;
    if (population->clock || event->from == PARTITION_BOTH)
        return condition_failed(population, event, untainted);
    if (event->recovers)
        return NODE_PARTITIONED_AWHILE;
    return untainted ? NODE_PARTITIONED_UNTAINTED : NODE_PARTITIONED;
}

/* ---- traits ---- */

static unsigned traits_of_failure(const struct check_event *event)
{
    return event->recovers ? NODES_RETURN : 0;
}

/* The control plane does not notice that clients cannot reach a node. */
static unsigned traits_of_partition(const struct check_event *event)
{
    return (event->from == PARTITION_CLIENTS ? LEAVES_NODES_READY | LEAVES_STARTS_ALONE : 0U) |
           (event->topology_key ? 0U : TAKES_ONE_NODE) | (event->recovers ? NODES_RETURN : 0U);
}

/* ---- words ---- */

static void describe_failure(const struct event_telling *telling, struct text *text)
{
    text_printf(text, "%s fails", telling->node);
}

/* "zone a", or the node if the event is about one. */
static bool describe_place(const struct event_telling *telling, struct text *text)
{
    if (!telling->event || telling->entry == UINT32_MAX)
        return false;
    const char *key = telling->event->topology_key;
    const char *zone =
        key ? zone_label(telling->worker, key, telling->from->nodes[telling->entry].config) : NULL;
    text_printf(text, "%s%s", zone ? "zone " : "", zone ? zone : telling->node);
    return true;
}

static void describe_outage(const struct event_telling *telling, struct text *text)
{
    if (describe_place(telling, text))
        text_append_string(text, " fails, with all its nodes");
}

static void describe_partition(const struct event_telling *telling, struct text *text)
{
    static const char *const sides[] = {[PARTITION_CLIENTS] = "the clients",
                                        [PARTITION_CONTROL_PLANE] = "the control plane",
                                        [PARTITION_BOTH] = "the control plane and the clients"};
    if (describe_place(telling, text))
        text_printf(text, " is partitioned from %s", sides[telling->event->from]);
}

/* ---- the descriptors ---- */

const struct event_type event_node_failure = {
    .action = ACT_EVENT_NODE_FAILS,
    .emit = emit_failure,
    .condition = condition_failed,
    .describe = describe_failure,
    .traits = LEAVES_SETS_ALONE | NEEDS_NO_READINESS | NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE |
              LEAVES_OBJECTS_ALONE | TAKES_ONE_NODE | LEAVES_ENDS_ALONE | LEAVES_WAITS_ALONE,
    .more_traits = traits_of_failure,
};

const struct event_type event_zone_outage = {
    .action = ACT_EVENT_ZONE_FAILS,
    .emit = any_zone,
    .condition = condition_failed,
    .describe = describe_outage,
    .traits = LEAVES_SETS_ALONE | NEEDS_NO_READINESS | NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE |
              LEAVES_OBJECTS_ALONE | LEAVES_ENDS_ALONE | LEAVES_WAITS_ALONE,
    .more_traits = traits_of_failure,
};

const struct event_type event_partition = {
    .action = ACT_EVENT_PARTITION,
    .emit = emit_partition,
    .condition = condition_partitioned,
    .describe = describe_partition,
    .traits = LEAVES_SETS_ALONE | NEEDS_NO_READINESS | NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE |
              LEAVES_OBJECTS_ALONE | LEAVES_ENDS_ALONE | LEAVES_WAITS_ALONE,
    .more_traits = traits_of_partition,
};
