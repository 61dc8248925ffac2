/* SPDX-License-Identifier: Apache-2.0 */
/* Pods whose containers were restarted too often. */
#include "decide/descheduler/eviction_cases.h"

#define NODES NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN)
#define RESTARTS(least) \
    POLICY("deschedule", "RemovePodsHavingTooManyRestarts", "podRestartThreshold: " least, "", "")

static const struct eviction_case cases[] = {
    {"as often as is too often", NODES RESTARTED("w1", "Running") RESTARTS("3"), 27, "w1 ", 1},
    {"less often", NODES RESTARTED("w1", "Running") RESTARTS("4"), 27, "", 1},
    {"restarts of pods in other states are none of its business in v0.28",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) RESTARTED("w1", "Running")
         RESTARTED("w2", "Pending") POLICY("deschedule", "RemovePodsHavingTooManyRestarts",
                                           "podRestartThreshold: 3, states: [Running]", "", ""),
     28, "w1 ", 1},
    {"and v0.27 does not know states",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) RESTARTED("w1", "Running")
         RESTARTED("w2", "Pending") POLICY("deschedule", "RemovePodsHavingTooManyRestarts",
                                           "podRestartThreshold: 3, states: [Running]", "", ""),
     27, "w1 w2 ", 1},
};

extern const struct eviction_table evictions_of_too_many_restarts;
const struct eviction_table evictions_of_too_many_restarts = EVICTION_TABLE(cases);
