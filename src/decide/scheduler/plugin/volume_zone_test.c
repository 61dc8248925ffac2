/* SPDX-License-Identifier: Apache-2.0 */
/* A volume of a zone is used in this zone. */
#include "decide/scheduler/rule_cases.h"

#define ZONED(name, zone) NODE(name, ", topology.kubernetes.io/zone: " zone, "4", "")

static const struct rule_case cases[] = {
    {"a volume without a zone is anywhere", 26,
     ZONED("n1", "a") BOUND_CLAIM VOLUME("", "") WITH_CLAIM, "n1=ok"},
    {"a volume of a zone", 26,
     ZONED("n1", "a") ZONED("n2", "b") BOUND_CLAIM VOLUME("topology.kubernetes.io/zone: a", "")
         WITH_CLAIM,
     "n1=ok; n2: node(s) had no available volume zone"},
    {"a volume of two zones", 26,
     ZONED("n1", "a") ZONED("n2", "b") ZONED("n3", "c")
         BOUND_CLAIM VOLUME("topology.kubernetes.io/zone: a__b", "") WITH_CLAIM,
     "n1=ok; n2=ok; n3: node(s) had no available volume zone"},
    {"a node that tells no zone is not judged", 26,
     NODE("n1", "", "4", "") BOUND_CLAIM VOLUME("topology.kubernetes.io/zone: a", "") WITH_CLAIM,
     "n1=ok"},
};

extern const struct rule_table rules_of_volume_zone;
const struct rule_table rules_of_volume_zone = RULE_TABLE("VolumeZone", cases);
