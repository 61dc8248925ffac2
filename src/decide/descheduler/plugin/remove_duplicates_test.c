/* SPDX-License-Identifier: Apache-2.0 */
/* No node has more pods of an owner than the mean, rounded up. */
#include "decide/descheduler/eviction_cases.h"

#define THREE                           \
    POD("w1", "web", "n1", PLAIN, BARE) \
    POD("w2", "web", "n1", PLAIN, BARE) POD("w3", "web", "n1", PLAIN, BARE)
#define DUPLICATES(args) POLICY("balance", "RemoveDuplicates", args, "", "")

static const struct eviction_case cases[] = {
    {"three on one of two nodes: two may stay",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) THREE DUPLICATES(""), 27, "w3 ", 1},
    {"a node that is cordoned counts in the mean",
     NODE("n1", "a", PLAIN) NODE("n2", "b", "unschedulable: true") THREE DUPLICATES(""), 27, "w3 ",
     1},
    {"a node whose taint they do not tolerate does not",
     NODE("n1", "a", PLAIN) NODE("n2", "b", "taints: [{key: k, effect: NoSchedule}]")
         THREE DUPLICATES(""),
     27, "", 1},
    {"owners of a kind that is excluded",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN)
         THREE DUPLICATES("excludeOwnerKinds: [ReplicaSet]"),
     27, "", 1},
    {"who is the last of one owner's pods is the last of the other's",
     NODE("n1", "a", PLAIN) NODE("n2", "a", PLAIN) TWICE_OWNED("w1") TWICE_OWNED("w2")
         POLICY("balance", "RemoveDuplicates", "", "", ""),
     27, "w2 ", 1},
};

extern const struct eviction_table evictions_of_remove_duplicates;
const struct eviction_table evictions_of_remove_duplicates = EVICTION_TABLE(cases);
