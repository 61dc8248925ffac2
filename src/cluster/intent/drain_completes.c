/* SPDX-License-Identifier: Apache-2.0 */
/* drainCompletes: no node is being drained for ever; if it is limited to a workload, no drain waits
 * for pods of that for ever. */
#include "cluster/intent_class.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

/* Does a drain of the node wait for pods of the workload? It leaves the node's own pods alone, and
 * those that came after it had begun. */
static bool has_pods_of(struct worker *worker, uint32_t number, uint32_t workload)
{
    const struct node_config *config = config_at(worker, number);
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct revision *revision = class_revision(worker, config->pods[p].pod);
        if (revision->workload == workload && !revision->pinned &&
            !class_is_late(worker->population, class_info(worker, config->pods[p].pod)))
            return true;
    }
    return false;
}

/* Is a node being drained? It is the premise, too. */
static bool atom(const struct judged *judged)
{
    const struct state *state = judged->state;
    const uint32_t workload = judged->intent->workload;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        if (config_condition(judged->worker, config) == NODE_CORDONED &&
            (workload == UINT32_MAX || has_pods_of(judged->worker, config, workload)))
            return true;
    }
    return false;
}

/* Have the workloads left all nodes that are being drained? Only if each of them has left them for
 * good is there a moment at which all have. */
static bool have_left(const struct judged *judged)
{
    const struct state *state = judged->state;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = state_config(judged->worker, state, n);
        if (config_condition(judged->worker, config->id) != NODE_CORDONED)
            continue;
        for (uint32_t p = 0; p < config->pod_entry_count; p++)
            if (!class_revision(judged->worker, config->pods[p].pod)->pinned)
                return false;
    }
    return true;
}

static const struct intent_class beside_others = {
    .violated_by = VIOLATED_BY_LEAVING,
    .atom = have_left,
    .applies = atom,
    .never_applied = "no node was ever drained",
    /* which of the nodes that are up */
    .ignores = IGNORES_CREATION_ORDER | IGNORES_PLACES | IGNORES_ENDS | IGNORES_OTHER_NODES |
               IGNORES_WAITING | IGNORES_LOSSES,
};

const struct intent_class intent_drain_completes = {
    .violated_by = VIOLATED_BY_STAYING,
    .beside_others = &beside_others,
    .atom = atom,
    .applies = atom,
    .never_applied = "no node was ever drained",
    .ignores = IGNORES_CREATION_ORDER,
    .blames = BLAMES_BUDGETS,
    .usual = 6,
    .usual_with = OBJECT_POD_DISRUPTION_BUDGET,
};
