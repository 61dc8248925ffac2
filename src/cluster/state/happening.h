/* SPDX-License-Identifier: Apache-2.0 */
/* What a step is about, for intents and descriptions. */
#ifndef FATHOM_CLUSTER_STATE_HAPPENING_H
#define FATHOM_CLUSTER_STATE_HAPPENING_H

#include "cluster/state/actions.h"

#include <stdint.h>

struct happening {
    enum population_action action;
    uint32_t workload; /* UINT32_MAX: none */
    uint32_t revision; /* UINT32_MAX: none */
    uint32_t node;     /* index of the entry it happens on; UINT32_MAX: none */
    uint32_t amount;
    uint32_t event;
    uint32_t nominated; /* a pod is tried that has a place kept here: the entry + 1; 0: none */
    uint64_t victims;   /* the workloads that lose pods by it, as bits: see victims_of */
};

#endif
