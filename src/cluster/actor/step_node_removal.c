/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the cluster autoscaler removes a node that it has tainted ToBeDeletedByClusterAutoscaler: it
 * evicts the pods through the eviction API, those of DaemonSets and of the node itself excepted,
 * waits until they are gone, and lets the provider delete the node. An eviction that is refused is
 * tried again for two minutes; then the taint is taken away, and the pods that were evicted stay
 * so. Controllers that act within moments are done by then, but kubelets need not be: pods may take
 * longer to start, and to terminate.
 */
#include "cluster/actor_type.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/taint_ages.h"
#include "cluster/ask/webhooks.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* Does the drain evict pods of the revision? Those that are expendable are left on the node. */
static bool is_evicted(const struct population *population, const struct revision *revision)
{
    const struct optional_int priority = revision->pod->spec.priority;
    return !revision->pinned &&
           !(priority.set && priority.value < population->autoscaling->options.expendable_cutoff);
}

/* Does the drain wait for pods on a node of the config? And is an eviction of one of them refused?
 */
struct drain {
    bool waits;
    bool refused;
};

static struct drain drain_of(struct worker *worker, const struct state *state, uint32_t number)
{
    const struct node_config *config = config_at(worker, number);
    struct drain drain = {0};
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct class_info *info = class_info(worker, config->pods[p].pod);
        if (!is_evicted(worker->population, class_revision(worker, config->pods[p].pod)))
            continue;
        drain.waits = true;
        drain.refused |= info->stage != STAGE_TERMINATING &&
                         (webhook_refuses(worker, state, REQUEST_EVICTION, info->revision) ||
                          !eviction_is_allowed(worker, state, info->revision, info->stage));
    }
    return drain;
}

static void step_evictions(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);)
        if (config_condition(worker, pods.config->id) != NODE_LEAVING)
            pods_skip_nodes(&pods);
        else if (pods.info->stage != STAGE_TERMINATING &&
                 is_evicted(worker->population, class_revision(worker, pods.class)) &&
                 eviction_is_allowed(worker, state, pods.info->revision, pods.info->stage) &&
                 !expansion_refuses_request(expansion, REQUEST_EVICTION, pods.info->revision))
            expansion_emit_eviction(expansion, ACT_SCALE_DOWN_EVICT, pods.entry, pods.class);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        if (config_condition(worker, config) == NODE_LEAVING &&
            !drain_of(worker, state, config).waits)
            expansion_emit_absence(expansion, config_emptied(worker, config, NODE_ABSENT),
                                   happening_at(ACT_NODE_REMOVED, n));
    }
}

/* With clocks: has the drain of the node been tried for as long as it may be? */
static bool is_tried_for_long(const struct expansion *expansion, uint32_t entry)
{
    const struct population *population = expansion->population;
    return !population->clock || node_is_older(expansion->worker, expansion->state, entry,
                                               population->autoscaling->options.eviction_time);
}

static bool time_out(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    bool any = false;
    for (uint32_t n = 0; !expansion->prompts && n < state->node_count; n++)
        if (config_condition(worker, state->nodes[n].config) == NODE_LEAVING &&
            drain_of(worker, state, state->nodes[n].config).refused &&
            is_tried_for_long(expansion, n)) {
            expansion_emit_mark(expansion, n, NODE_UP, ACT_SCALE_DOWN_FAILS);
            expansion_note_unrest(expansion);
            any = true;
        }
    return any;
}

static void step_timeouts(struct expansion *expansion)
{
    time_out(expansion);
}

const struct actor actor_scale_down_drain = {
    .name = "cluster autoscaler",
    .step = step_evictions,
    .writes = PART_PODS | PART_NODES | PART_NOTES,
};

const struct actor actor_scale_down_timeout = {
    .name = "cluster autoscaler",
    .pace = PACE_PERIODIC,
    .step = step_timeouts,
    .step_due = time_out,
    .writes = PART_PODS | PART_NODES | PART_CLOCKS,
};
