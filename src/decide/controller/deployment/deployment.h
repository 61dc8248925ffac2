/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Deployment controller: one sync of one Deployment.
 *
 * Pure: from what the controller sees of a deployment and its ReplicaSets (the
 * facts) to what it writes (the decision). A fact is a number or a flag, never
 * an object, so that `fathom decide` fills them from manifests and the checker
 * from a packed state; the code between is the same.
 *
 * ReplicaSets are few and differ from each other (each has a revision and an
 * age), so there are no classes here. Pods come in as numbers in the statuses.
 *
 * The order of the work in a sync, and the split into files, follow upstream:
 *   sync.c      pause, scaling, and the choice of strategy
 *   rolling.c   RollingUpdate          recreate.c  Recreate
 *   revision.c  finds or creates the set of the present template
 *   history.c   cleans up old sets     progress.c  status and conditions
 */
#ifndef FATHOM_DECIDE_CONTROLLER_DEPLOYMENT_H
#define FATHOM_DECIDE_CONTROLLER_DEPLOYMENT_H

#include "base/vec.h"
#include "object/workload.h"

enum deployment_condition_type {
    DEPLOYMENT_AVAILABLE,
    DEPLOYMENT_PROGRESSING,
    DEPLOYMENT_REPLICA_FAILURE,
    DEPLOYMENT_CONDITION_TYPE_COUNT
};

enum deployment_reason {
    DEPLOYMENT_REASON_OTHER, /* the text of a ReplicaSet's failure, or written by somebody else */
    DEPLOYMENT_MINIMUM_AVAILABLE,
    DEPLOYMENT_MINIMUM_UNAVAILABLE,
    DEPLOYMENT_NEW_SET_CREATED,
    DEPLOYMENT_NEW_SET_FOUND,
    DEPLOYMENT_NEW_SET_AVAILABLE,
    DEPLOYMENT_SET_UPDATED,
    DEPLOYMENT_DEADLINE_EXCEEDED,
    DEPLOYMENT_PAUSED,
    DEPLOYMENT_RESUMED,
};

/* As written in the API; `text` is for DEPLOYMENT_REASON_OTHER. */
const char *deployment_reason_text(enum deployment_reason reason, const char *text);
enum deployment_reason deployment_reason_of(const char *text);

/* Conditions keep the order in which they were set last, as upstream's list. */
struct deployment_condition {
    enum deployment_condition_type type;
    enum tristate status; /* unset: Unknown */
    enum deployment_reason reason;
    const char *reason_text; /* of DEPLOYMENT_REASON_OTHER */
    int64_t last_update_time;
    int64_t last_transition_time;
};

struct deployment_status_facts {
    int64_t observed_generation;
    int32_t replicas;
    int32_t updated_replicas;
    int32_t ready_replicas;
    int32_t available_replicas;
    int32_t unavailable_replicas;
    struct optional_int terminating_replicas; /* where they are counted, see below */
    struct deployment_condition conditions[DEPLOYMENT_CONDITION_TYPE_COUNT];
    uint32_t condition_count;
};

struct deployment_facts {
    int64_t now;
    int64_t generation;
    int32_t replicas;
    bool paused;
    bool terminating;
    bool selects_everything; /* an empty selector: the controller refuses to act */
    bool recreate;
    int32_t max_surge; /* resolved, see deployment_resolve_fenceposts */
    int32_t max_unavailable;
    int32_t min_ready_seconds;
    int32_t history_limit;             /* INT32_MAX: none */
    int32_t progress_deadline_seconds; /* INT32_MAX: none */
    int64_t revision;                  /* annotation; 0: none */
    bool zero_most_is_missing;         /* from 1.32 on: a recorded maximum of 0 is none */
    bool counts_terminating;           /* from 1.35 on: its status has terminatingReplicas */
    uint32_t old_pods_unfinished;      /* pods of old sets that are not Succeeded or Failed */
    struct deployment_status_facts status;
};

struct replica_set_facts {
    const char *name; /* decides between sets of the same age */
    int64_t creation_time;
    int32_t replicas; /* spec */
    int32_t status_replicas;
    int32_t ready_replicas;
    int32_t available_replicas;
    struct optional_int terminating_replicas;
    int32_t min_ready_seconds;
    bool present_template;  /* its pods are what the deployment wants now */
    bool annotations_stale; /* the deployment's annotations are not all copied to it */
    bool terminating;
    bool observed;       /* its status is about its present generation */
    bool synced;         /* its status is about some generation */
    const char *failure; /* reason of its ReplicaFailure condition; NULL: none */
    int64_t failure_time;
    int64_t revision;            /* annotation; 0: none */
    struct optional_int desired; /* annotation desired-replicas */
    struct optional_int most;    /* annotation max-replicas */
};

enum deployment_verb {
    DEPLOYMENT_CREATE,
    DEPLOYMENT_SCALE,
    DEPLOYMENT_ANNOTATE,
    DEPLOYMENT_DELETE
};

struct deployment_action {
    enum deployment_verb verb;
    uint32_t set; /* index into the decision's sets */
    int32_t from;
    int32_t to;
};

/* The branch of the sync that was taken: the short answer to 'why'. */
enum deployment_branch {
    DEPLOYMENT_BRANCH_REFUSED,     /* its selector selects everything */
    DEPLOYMENT_BRANCH_STATUS_ONLY, /* it is being deleted */
    DEPLOYMENT_BRANCH_PAUSED,
    DEPLOYMENT_BRANCH_SCALING,
    DEPLOYMENT_BRANCH_RECREATE,
    DEPLOYMENT_BRANCH_ROLLING,
};

/* What the sync leaves behind. The sets are the given ones in the given order,
 * as they are after it, then a created one. */
struct deployment_decision {
    enum deployment_branch branch;
    VEC(struct deployment_action) actions;
    struct replica_set_facts *sets;
    uint32_t set_count;
    uint32_t new_set; /* index; UINT32_MAX: there is none */
    int64_t revision; /* of the deployment */
    struct deployment_status_facts status;
    /* What bounded a rolling update; for explanations. */
    int32_t surge_limit;        /* most pods: replicas + surge */
    int32_t availability_floor; /* replicas - unavailable */
};

/* `name_new` names the set that a sync may create. The decision lives in the arena. */
struct deployment_decision *deployment_sync(struct arena *arena,
                                            const struct deployment_facts *deployment,
                                            const struct replica_set_facts *sets,
                                            uint32_t set_count, const char *name_new);

/* Surge rounds up, unavailable down; if both are 0 no rollout could proceed, so
 * unavailable is 1 then. Recreate uses neither. */
void deployment_resolve_fenceposts(const struct deployment *deployment, int32_t *max_surge,
                                   int32_t *max_unavailable);

const struct deployment_condition *
deployment_condition_find(const struct deployment_status_facts *status,
                          enum deployment_condition_type type);

#endif
