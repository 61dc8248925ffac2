/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ReplicaSet controller: one sync of one ReplicaSet.
 *
 * Pods come in classes with multiplicities: pods that differ in nothing that
 * the controller looks at. Which pods go first when there are too many is a
 * ranking; where it ends in the pods' random UIDs, any of them may be first,
 * and a sync has several outcomes (replica_set_each_removal gives all).
 */
#ifndef FATHOM_DECIDE_CONTROLLER_REPLICA_SET_CONTROLLER_H
#define FATHOM_DECIDE_CONTROLLER_REPLICA_SET_CONTROLLER_H

#include "base/arena.h"
#include "object/workload.h"

enum { REPLICA_SET_BURST = 500 };

/* Active pods: neither finished nor being deleted. */
struct replica_set_pod_class {
    uint32_t count;
    enum pod_phase phase;
    bool assigned; /* to a node */
    bool ready;
    bool available;
    bool fully_labeled; /* has all labels of the template */
    int32_t deletion_cost;
    uint32_t node_crowd; /* active pods of sets with the same owner on its node */
    int64_t ready_age;   /* since it became ready */
    int64_t creation_age;
    int32_t restarts;         /* of the container with the most */
    int32_t sidecar_restarts; /* the same of sidecars, where they count (from 1.32 on) */
    const char *uid;          /* NULL: any, as in a population */
};

/* Which of two pods goes first, and by which rule. */
enum removal_rule {
    REMOVAL_EQUAL, /* no rule decides between them */
    REMOVAL_NOT_ASSIGNED,
    REMOVAL_PHASE,
    REMOVAL_NOT_READY,
    REMOVAL_DELETION_COST,
    REMOVAL_CROWDED_NODE,
    REMOVAL_READY_TIME,
    REMOVAL_READY_UID, /* ready for about as long: by UID */
    REMOVAL_RESTARTS,
    REMOVAL_AGE,
    REMOVAL_AGE_UID, /* about as old: by UID */
};

/* Negative: a goes first; positive: b; 0: nothing decides, or UIDs that are
 * not known. `rule` (may be NULL) is set to what decided. */
int replica_set_compare(const struct replica_set_pod_class *a,
                        const struct replica_set_pod_class *b, enum removal_rule *rule);
const char *removal_rule_text(enum removal_rule rule);

struct replica_set_facts_in {
    int32_t replicas;
    bool terminating;
    int32_t burst;
    int64_t creations_allowed; /* more are refused (quota); negative: no limit */
    bool failing;              /* its status has a ReplicaFailure condition */
    const struct replica_set_pod_class *pods;
    uint32_t pod_class_count;
};

enum replica_set_failure { REPLICA_SET_NO_FAILURE, REPLICA_SET_FAILED_CREATE };

struct replica_set_decision {
    int32_t create_calls; /* attempts, the refused ones included */
    int32_t created;
    int32_t removed;
    enum replica_set_failure failure; /* after this sync */
    int32_t replicas;                 /* the status */
    int32_t fully_labeled;
    int32_t ready;
    int32_t available;
};

struct replica_set_decision replica_set_sync(const struct replica_set_facts_in *facts);

/*
 * Calls `emit` for every way to remove `removed` pods: how many of each class.
 * Within a class pods are alike, so amounts say everything. Returns how many
 * ways there are.
 */
uint64_t replica_set_each_removal(struct arena *scratch, const struct replica_set_pod_class *pods,
                                  uint32_t pod_class_count, uint32_t removed,
                                  void (*emit)(void *context, const uint32_t *amounts),
                                  void *context);

/* The number in the annotation controller.kubernetes.io/pod-deletion-cost; 0
 * if it is absent or not written as the API wants it. */
int32_t replica_set_deletion_cost(const struct labels *annotations);

#endif
