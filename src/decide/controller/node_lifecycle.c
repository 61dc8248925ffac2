/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.26 to
 * v1.36, in the mode that evicts by taints (the other one went away in 1.27).
 *
 * Upstream decides on a copy of each node from the start of the pass while it
 * writes to the node itself; where that makes a difference, the code below
 * keeps what was there at the start.
 */
#include "decide/controller/node_lifecycle.h"

#include <string.h>

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)
/* An age that is larger than every limit that ages are compared with. */
#define AGE_MOST (INT64_MAX / 4)

#define NO_EXECUTE_TAINTS ((uint32_t)LIFECYCLE_NOT_READY | (uint32_t)LIFECYCLE_UNREACHABLE)

struct node_lifecycle_rules node_lifecycle_default_rules(const struct features *features)
{
    return (struct node_lifecycle_rules){
        .monitor_grace = features->node_monitor_grace_50s ? SECONDS(50) : SECONDS(40),
        .startup_grace = SECONDS(60),
        .taint_rate = 0.1F,
        .secondary_taint_rate = 0.01F,
        .large_zone = 50,
        .unhealthy_share = 0.55F,
        .taints_at_once = features->node_taints_at_once,
        .forgets_evictions = features->taint_eviction_forgotten,
    };
}

struct lifecycle_zone lifecycle_zone_initial(const struct node_lifecycle_rules *rules)
{
    return (struct lifecycle_zone){.limiter = taint_limiter_full(rules->taint_rate)};
}

static void age(int64_t *value, int64_t nanoseconds)
{
    if (*value < AGE_MOST)
        *value += nanoseconds;
}

void node_lifecycle_age(struct lifecycle_node *nodes, uint32_t node_count,
                        struct lifecycle_zone *zones, uint32_t zone_count, int64_t nanoseconds)
{
    for (uint32_t i = 0; i < node_count; i++) {
        age(&nodes[i].probe_age, nanoseconds);
        age(&nodes[i].creation_age, nanoseconds);
    }
    for (uint32_t i = 0; i < zone_count; i++)
        taint_limiter_age(&zones[i].limiter, nanoseconds);
}

/* Looks for signs of life since the last pass. */
static void observe_health(struct lifecycle_node *node)
{
    const bool posted = node->conditions[NODE_READY] != STATUS_ABSENT;
    const bool lease_was_saved = node->lease_saved;
    if (!node->known && !posted) {
        node->probe_age = node->creation_age;
        node->lease_saved = false;
    } else if (!node->known || node->ready_saved != posted || (posted && node->heartbeat)) {
        /* The new record has no lease, so a lease that is not renewed now counts as new
         * in the next pass, however old it is. */
        node->probe_age = 0;
        node->lease_saved = false;
    }
    node->known = true;
    node->ready_saved = posted;
    node->heartbeat = false;
    if (node->has_lease && (!lease_was_saved || node->lease_new)) {
        node->lease_saved = true;
        node->lease_new = false;
        node->probe_age = 0;
    }
}

/* A node without a sign of life for too long: its conditions become Unknown.
 * Nothing is written when the Ready condition was Unknown before. */
static void declare_unknown(struct lifecycle_node *node, struct lifecycle_report *report)
{
    if (node->conditions[NODE_READY] == STATUS_UNKNOWN)
        return;
    for (int i = NODE_READY; i <= NODE_PID_PRESSURE; i++) {
        if (node->conditions[i] == STATUS_UNKNOWN)
            continue;
        report->made_unknown |= 1U << i;
        if (node->conditions[i] == STATUS_ABSENT)
            report->never_posted |= 1U << i;
        node->conditions[i] = STATUS_UNKNOWN;
    }
    node->ready_saved = true;
    node->lease_saved = node->has_lease;
    node->lease_new = false;
}

static void change_taints(struct lifecycle_node *node, uint32_t add, uint32_t remove,
                          struct lifecycle_report *report)
{
    const uint32_t before = node->no_execute;
    node->no_execute = (before | add) & ~remove;
    const uint32_t added = node->no_execute & ~before;
    const uint32_t removed = before & ~node->no_execute;
    /* Both may happen to one taint in one pass; then both are reported. */
    report->taints_added |= added;
    report->taints_removed |= removed;
}

static void leave_queue(struct lifecycle_node *node, struct lifecycle_report *report)
{
    node->queue = LIFECYCLE_NOT_QUEUED;
    report->queue_step = LIFECYCLE_QUEUE_REMOVED;
}

/* What the Ready condition demands: until 1.33 that at the start of the pass. */
static void plan_taint(struct lifecycle_node *node, enum condition_status observed,
                       struct lifecycle_report *report)
{
    const uint32_t tainted = report->tainted_before;
    if (observed == STATUS_TRUE) {
        change_taints(node, 0, tainted & NO_EXECUTE_TAINTS, report);
        leave_queue(node, report);
        return;
    }
    const uint32_t wanted = observed == STATUS_FALSE ? LIFECYCLE_NOT_READY : LIFECYCLE_UNREACHABLE;
    const uint32_t opposite = NO_EXECUTE_TAINTS & ~wanted;
    if (tainted & opposite) {
        change_taints(node, wanted, opposite, report);
    } else if (!(tainted & wanted)) {
        node->queue = LIFECYCLE_QUEUED;
        report->queue_step = LIFECYCLE_QUEUE_RENEWED;
    } else if (node->queue == LIFECYCLE_NOT_QUEUED) {
        node->queue = LIFECYCLE_QUEUED;
        report->queue_step = LIFECYCLE_QUEUE_ADDED;
    }
}

static void monitor_node(const struct node_lifecycle_rules *rules, struct lifecycle_node *node,
                         struct lifecycle_report *report)
{
    const bool posted = node->conditions[NODE_READY] != STATUS_ABSENT;
    const enum condition_status observed = posted ? node->conditions[NODE_READY] : STATUS_UNKNOWN;
    observe_health(node);
    if (node->probe_age > (posted ? rules->monitor_grace : rules->startup_grace))
        declare_unknown(node, report);
    if (node->conditions[NODE_READY] == STATUS_ABSENT)
        return;
    plan_taint(node, rules->taints_at_once ? node->conditions[NODE_READY] : observed, report);
    report->pods_not_ready = observed == STATUS_TRUE && node->conditions[NODE_READY] != STATUS_TRUE;
}

struct zone_census {
    int64_t ready;
    int64_t not_ready;
    enum lifecycle_zone_state state;
};

static enum lifecycle_zone_state zone_state(const struct node_lifecycle_rules *rules,
                                            const struct zone_census *census)
{
    if (census->ready == 0)
        return ZONE_FULL_DISRUPTION;
    const float share = (float)census->not_ready / (float)(census->not_ready + census->ready);
    if (census->not_ready > 2 && share >= rules->unhealthy_share)
        return ZONE_PARTIAL_DISRUPTION;
    return ZONE_NORMAL;
}

static int64_t census_nodes(const struct zone_census *census)
{
    return census->ready + census->not_ready;
}

static void take_census(const struct node_lifecycle_rules *rules,
                        const struct lifecycle_node *nodes, uint32_t node_count, uint32_t zone,
                        struct zone_census *census)
{
    *census = (struct zone_census){0};
    for (uint32_t i = 0; i < node_count; i++) {
        if (nodes[i].zone != zone || nodes[i].excluded)
            continue;
        if (nodes[i].conditions[NODE_READY] == STATUS_TRUE)
            census->ready += nodes[i].count;
        else
            census->not_ready += nodes[i].count;
    }
    census->state = zone_state(rules, census);
}

static void enter_zone_state(const struct node_lifecycle_rules *rules, struct lifecycle_zone *zone,
                             const struct zone_census *census)
{
    float rate = rules->taint_rate;
    if (census->state == ZONE_PARTIAL_DISRUPTION)
        rate = census_nodes(census) > rules->large_zone ? rules->secondary_taint_rate : 0;
    taint_limiter_change(&zone->limiter, rate);
    zone->state = census->state;
}

/* No node answers any more: the control plane is probably cut off, so all taints are removed. */
static void stop_tainting(struct lifecycle_node *nodes, uint32_t node_count,
                          struct lifecycle_report *reports)
{
    for (uint32_t i = 0; i < node_count; i++) {
        change_taints(&nodes[i], 0, reports[i].tainted_before & NO_EXECUTE_TAINTS, &reports[i]);
        nodes[i].queue = LIFECYCLE_NOT_QUEUED;
        reports[i].removed_again = true;
    }
}

struct zone_summary {
    bool any;
    bool all_down;
    bool all_were_down;
};

/* Computes the state of each zone from the number of its nodes that are not
 * ready. A zone whose nodes are all excluded keeps its state. */
static void handle_disruption(const struct node_lifecycle_rules *rules,
                              struct lifecycle_node *nodes, uint32_t node_count,
                              struct lifecycle_zone *zones, uint32_t zone_count,
                              struct lifecycle_report *reports)
{
    struct zone_summary summary = {.all_down = true, .all_were_down = true};
    struct zone_census census;
    for (uint32_t i = 0; i < zone_count; i++) {
        take_census(rules, nodes, node_count, i, &census);
        if (census_nodes(&census) == 0)
            continue;
        summary.any = true;
        summary.all_down = summary.all_down && census.state == ZONE_FULL_DISRUPTION;
        summary.all_were_down = summary.all_were_down && zones[i].state == ZONE_FULL_DISRUPTION;
    }
    if (!summary.any || (summary.all_down && summary.all_were_down))
        return;
    if (summary.all_down)
        stop_tainting(nodes, node_count, reports);
    else if (summary.all_were_down)
        for (uint32_t i = 0; i < node_count; i++)
            nodes[i].probe_age = 0;
    for (uint32_t i = 0; i < zone_count; i++) {
        take_census(rules, nodes, node_count, i, &census);
        if (census_nodes(&census) == 0)
            continue;
        if (summary.all_down) {
            taint_limiter_change(&zones[i].limiter, 0);
            zones[i].state = ZONE_FULL_DISRUPTION;
        } else if (summary.all_were_down || zones[i].state != census.state) {
            enter_zone_state(rules, &zones[i], &census);
        }
    }
}

void node_lifecycle_monitor(const struct node_lifecycle_rules *rules, struct lifecycle_node *nodes,
                            uint32_t node_count, struct lifecycle_zone *zones, uint32_t zone_count,
                            struct lifecycle_report *reports)
{
    for (uint32_t i = 0; i < node_count; i++) {
        reports[i] = (struct lifecycle_report){.tainted_before = nodes[i].no_execute};
        if (!nodes[i].known) {
            change_taints(&nodes[i], 0, NO_EXECUTE_TAINTS, &reports[i]);
            leave_queue(&nodes[i], &reports[i]);
        }
    }
    for (uint32_t i = 0; i < node_count; i++)
        monitor_node(rules, &nodes[i], &reports[i]);
    handle_disruption(rules, nodes, node_count, zones, zone_count, reports);
}

uint32_t node_lifecycle_no_schedule(const struct lifecycle_node *node)
{
    static const uint32_t pressures[NODE_CONDITION_COUNT] = {
        [NODE_MEMORY_PRESSURE] = LIFECYCLE_MEMORY_PRESSURE,
        [NODE_DISK_PRESSURE] = LIFECYCLE_DISK_PRESSURE,
        [NODE_PID_PRESSURE] = LIFECYCLE_PID_PRESSURE,
        [NODE_NETWORK_UNAVAILABLE] = LIFECYCLE_NETWORK_UNAVAILABLE,
    };
    uint32_t taints = node->unschedulable ? LIFECYCLE_UNSCHEDULABLE : 0;
    if (node->conditions[NODE_READY] == STATUS_FALSE)
        taints |= LIFECYCLE_NOT_READY;
    if (node->conditions[NODE_READY] == STATUS_UNKNOWN)
        taints |= LIFECYCLE_UNREACHABLE;
    for (int i = 0; i < NODE_CONDITION_COUNT; i++)
        if (node->conditions[i] == STATUS_TRUE)
            taints |= pressures[i];
    return taints;
}

void node_lifecycle_taint(struct lifecycle_node *node, uint32_t *added, uint32_t *removed)
{
    struct lifecycle_report report = {0};
    const enum condition_status ready = node->conditions[NODE_READY];
    node->queue = LIFECYCLE_QUEUE_DONE;
    if (ready == STATUS_FALSE)
        change_taints(node, LIFECYCLE_NOT_READY, LIFECYCLE_UNREACHABLE, &report);
    else if (ready == STATUS_UNKNOWN)
        change_taints(node, LIFECYCLE_UNREACHABLE, LIFECYCLE_NOT_READY, &report);
    *added = report.taints_added;
    *removed = report.taints_removed;
}
