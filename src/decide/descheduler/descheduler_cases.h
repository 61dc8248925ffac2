/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: random small clusters with a policy. */
#ifndef FATHOM_DECIDE_DESCHEDULER_CASES_H
#define FATHOM_DECIDE_DESCHEDULER_CASES_H

#include "decide/controller/random_test.h"
#include "decide/descheduler/descheduler.h"
#include "manifest/manifest.h"

struct random_case {
    struct objects objects;
    struct descheduler_setup setup;
    struct pod *pods[16];
    uint32_t pod_count;
    struct node *nodes[8];
    uint32_t node_count;
};

struct case_shape {
    uint32_t nodes_most;
    uint32_t pods_most;
    int minor;                      /* of the descheduler; 0: any */
    enum descheduler_plugin plugin; /* DESCHEDULER_DEFAULT_EVICTOR: any, perhaps two */
};

void random_case_make(struct arena *arena, struct manifest_reader *reader, struct dice *dice,
                      struct case_shape shape, struct random_case *result);

#endif
