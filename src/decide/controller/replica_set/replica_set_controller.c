/* SPDX-License-Identifier: Apache-2.0 */
/* Creating, removing and counting. Mirrors manageReplicas and calculateStatus
 * in pkg/controller/replicaset @ v1.26.15. */
#include "decide/controller/replica_set/replica_set_controller.h"

/* Creates in batches of 1, 2, 4, ...; a batch is tried to its end, and one
 * with a refusal is the last. So a full quota is asked a few times, not 500. */
static void create_slowly(const struct replica_set_facts_in *facts, int64_t wanted,
                          struct replica_set_decision *decision)
{
    int64_t remaining = wanted;
    int64_t batch = wanted < 1 ? wanted : 1;
    while (batch > 0) {
        int64_t granted = batch;
        if (facts->creations_allowed >= 0 && decision->created + granted > facts->creations_allowed)
            granted = facts->creations_allowed - decision->created;
        decision->create_calls += (int32_t)batch;
        decision->created += (int32_t)granted;
        if (granted < batch) {
            decision->failure = REPLICA_SET_FAILED_CREATE;
            return;
        }
        remaining -= batch;
        batch = 2 * batch < remaining ? 2 * batch : remaining;
    }
}

struct replica_set_decision replica_set_sync(const struct replica_set_facts_in *facts)
{
    struct replica_set_decision decision = {0};
    for (uint32_t i = 0; i < facts->pod_class_count; i++) {
        const struct replica_set_pod_class *pods = &facts->pods[i];
        decision.replicas += (int32_t)pods->count;
        decision.fully_labeled += pods->fully_labeled ? (int32_t)pods->count : 0;
        decision.ready += pods->ready ? (int32_t)pods->count : 0;
        decision.available += pods->available ? (int32_t)pods->count : 0;
    }
    if (facts->terminating) {
        decision.failure = facts->failing ? REPLICA_SET_FAILED_CREATE : REPLICA_SET_NO_FAILURE;
        return decision;
    }
    const int64_t surplus = (int64_t)decision.replicas - facts->replicas;
    if (surplus < 0)
        create_slowly(facts, -surplus < facts->burst ? -surplus : facts->burst, &decision);
    else
        decision.removed = (int32_t)(surplus < facts->burst ? surplus : facts->burst);
    return decision;
}
