/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a scenario: the cluster, its groups, and what happens before each loop. */
#ifndef FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_CASE_H
#define FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_CASE_H

#include "decide/autoscaler/autoscaler.h"

struct autoscaler_case {
    struct cluster_autoscaler autoscaler;
    const struct value *loops;
    struct string_list failing_groups; /* of loops that say nothing else */
};

/* `features` are the rules of a scenario that states no version. */
bool autoscaler_case_read(struct arena *arena, const struct value *scenario,
                          const struct features *features, struct autoscaler_case *result,
                          struct problems *problems);

/* Brings the world to where it is before the loop; gives the loop's time. */
bool autoscaler_case_advance(struct autoscaler_case *given, uint32_t loop, int64_t *now,
                             struct problems *problems);

/* The loop's time, and which groups fail to grow in it; the world stays as it is. */
bool autoscaler_case_read_time(struct autoscaler_case *given, uint32_t loop, int64_t *now,
                               struct problems *problems);

#endif
