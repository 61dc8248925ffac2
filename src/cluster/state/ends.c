/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/state/ends.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* Is the pod gone before the node is up again? A drain waits for the pods that it has found. */
static bool is_gone_before_return(const struct population *population,
                                  enum node_condition condition, const struct class_info *info)
{
    if (condition == NODE_CORDONED)
        return !class_is_late(population, info);
    return !condition_traits[condition].works && !condition_traits[condition].returns;
}

/* A node whose object was deleted registers again when its pods are gone, so they are seen there.
 */
static bool is_kept(const struct population *population, enum node_condition condition,
                    const struct class_info *info)
{
    return condition_is_gone(condition) || (population->ends == ENDS_KEPT_FOR_ROOM &&
                                            !is_gone_before_return(population, condition, info));
}

void ends_forget(struct worker *worker, struct state *next)
{
    for (uint32_t n = 0; n < next->node_count; n++) {
        uint32_t config = next->nodes[n].config;
        const enum node_condition condition = config_condition(worker, config);
        for (uint32_t p = 0; p < config_at(worker, config)->pod_entry_count;) {
            const uint32_t class = config_at(worker, config)->pods[p].pod;
            const struct class_info info = *class_info(worker, class);
            if (info.stage == STAGE_TERMINATING && !is_kept(worker->population, condition, &info))
                config = config_replace(worker, config, class, VIEW_NONE);
            else
                p++;
        }
        next->nodes[n].config = config;
    }
}
