/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about node configs, computed once for each: there are millions of states, but few
 * configs. */
#ifndef FATHOM_CLUSTER_STATE_CONFIG_FACTS_H
#define FATHOM_CLUSTER_STATE_CONFIG_FACTS_H

#include "cluster/forward.h"
#include "cluster/state/nodes.h"
#include "cluster/state/worker.h"

#include <stdbool.h>
#include <stdint.h>

/* Pods of one revision on each node of a config, or waiting for it. */
struct revision_pods {
    uint32_t revision;
    uint32_t active; /* not terminating */
    uint32_t ready;
    uint32_t terminating;
};

/* Facts of a config that steps read. */
struct config_facts {
    bool known;
    enum node_condition condition;
    bool kubelet_acts; /* true if its kubelet has something to do for some pod */
    bool tainted;
    int64_t room;       /* that is left (config_room.h) */
    int64_t room_later; /* when all pods that terminate are gone */
    uint32_t pod_count;
    const struct revision_pods *pods; /* each revision that it has pods of */
};

/* Computes the facts of a config that has none yet. */
const struct config_facts *config_facts_find(struct worker *worker, uint32_t config);

static inline const struct config_facts *config_facts(struct worker *worker, uint32_t config)
{
    return config < worker->facts.count && worker->facts.items[config].known
               ? &worker->facts.items[config]
               : config_facts_find(worker, config);
}

static inline enum node_condition config_condition(struct worker *worker, uint32_t config)
{
    return config_facts(worker, config)->condition;
}

#endif
