/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rules about the scheduler share: decisions about one pod at hand, by
 * every view that the scheduler may have had of the others.
 */
#ifndef FATHOM_RECORDING_FOLLOW_SCHEDULER_H
#define FATHOM_RECORDING_FOLLOW_SCHEDULER_H

#include "recording/follow_internal.h"

/* Binds in flight at one time that are looked at. */
enum { IN_FLIGHT_MOST = 16, IN_FLIGHT_ALL_SUBSETS = 6 };

struct flight {
    uint32_t count;
    uint32_t guess; /* those that came to the scheduler before the pod at hand */
    struct version *versions[IN_FLIGHT_MOST];
};

/* A decision about the pod at hand, which the deed need not be about: a victim of
 * preemption is deleted for another pod. */
struct departure;
typedef bool (*accept_view)(struct follower *follower, const struct departure *departure,
                            const struct glimpse *glimpse);

struct departure {
    const struct deed *deed;
    const struct thing *pod; /* that the scheduler has at hand */
    const struct glimpse *glimpse;
    struct version *newest; /* of the pod at hand, where the view is older; or NULL */
    struct flight flight;
    accept_view accept;
};

/* With every subset of what is in flight if there are few; otherwise with those
 * that are likely: what came before the pod, what is committed next, one or two
 * more or less. The pod at hand is seen as it is: NULL if that is not known. */
bool follower_tries(struct follower *follower, const struct deed *deed, const struct thing *pod,
                    const struct glimpse *glimpse, accept_view accept);

const struct value *follower_schedule(struct follower *follower, const struct glimpse *glimpse,
                                      const char *pod);

#endif
