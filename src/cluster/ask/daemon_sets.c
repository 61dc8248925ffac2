/* SPDX-License-Identifier: Apache-2.0 */
/* On which nodes a DaemonSet wants pods, and whether it has them. */
#include "cluster/ask/daemon_sets.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/node_reads.h"

static const struct daemon_place *place_at(struct worker *worker, const struct state *state,
                                           uint32_t workload, uint32_t entry)
{
    const struct revision *present = &worker->population->revisions.items[state->present[workload]];
    return &present->daemon_places[state_config(worker, state, entry)->template->id];
}

uint32_t daemon_set_wanted(struct worker *worker, const struct state *state, uint32_t workload)
{
    uint32_t wanted = 0;
    for (uint32_t n = 0; state->present[workload] != WORKLOAD_ABSENT && n < state->node_count; n++)
        if (place_at(worker, state, workload, n)->should_run &&
            !condition_is_gone(config_condition(worker, state->nodes[n].config)))
            wanted += node_count_exact(worker->catalog, state->nodes[n]);
    return wanted;
}

bool daemon_set_converged(struct worker *worker, const struct state *state, uint32_t workload,
                          bool updated)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = state_config(worker, state, n);
        const struct daemon_place *place = place_at(worker, state, workload, n);
        const enum node_condition condition = config_condition(worker, config->id);
        uint32_t active = 0;
        uint32_t good = 0;
        /* A state that is not packed yet may have entries that all nodes have left. */
        if (state->nodes[n].count == 0)
            continue;
        /* No pod is expected on a node that is deleted, or does not answer. */
        if (!condition_traits[condition].ready || condition_is_gone(condition))
            continue;
        for (uint32_t p = 0; p < config_entry_count(config); p++) {
            const struct class_info *info = class_info(worker, config->pods[p].pod);
            if (class_revision(worker, config->pods[p].pod)->workload != workload ||
                info->stage == STAGE_TERMINATING)
                continue;
            active += config->pods[p].count;
            if (info->stage == STAGE_READY &&
                (!updated || info->revision == state->present[workload]))
                good += config->pods[p].count;
        }
        if (place->should_run ? active != 1 || good != 1 : active > 0 && !place->should_continue)
            return false;
    }
    return true;
}
