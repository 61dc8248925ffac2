/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The StatefulSet controller: one sync of one StatefulSet.
 *
 * The pods of a StatefulSet have identities, their ordinals, so there are no
 * classes of pods here: a fact is about the pod of one ordinal.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_STATEFUL_SET_CONTROLLER_H
#define FATHOM_DECIDE_CONTROLLER_STATEFUL_SET_CONTROLLER_H

#include "base/vec.h"
#include "decide/features.h"
#include "object/workload.h"

struct stateful_pod {
    int32_t ordinal;
    bool created; /* its phase is known: a kubelet or the API server has seen it */
    bool failed;
    bool succeeded;
    bool ready;     /* Running, and its Ready condition is True */
    bool available; /* ready for minReadySeconds */
    bool terminating;
    bool current_revision; /* both are true when there is nothing to update */
    bool update_revision;
};

struct stateful_set_facts {
    const struct features *features;
    int32_t replicas;
    int32_t start_ordinal;
    bool parallel; /* podManagementPolicy Parallel */
    bool on_delete;
    bool terminating;
    bool same_revision; /* the current revision is the update revision */
    int32_t partition;
    int32_t max_unavailable;         /* 0: the gate is off, one pod at a time */
    const struct stateful_pod *pods; /* in the order of their ordinals, each once */
    uint32_t pod_count;
};

enum stateful_verb { STATEFUL_CREATE, STATEFUL_DELETE };

/* Why the sync did no more: the answer to 'what is it waiting for'. */
enum stateful_wait {
    STATEFUL_DONE, /* nothing is left to do */
    STATEFUL_CREATED_ONE,
    STATEFUL_DELETED_ONE,
    STATEFUL_WAITS_TERMINATING,
    STATEFUL_WAITS_READY,
    STATEFUL_WAITS_AVAILABLE,
    STATEFUL_WAITS_UPDATED, /* a pod below the one last updated is not healthy */
    STATEFUL_WAITS_LIMIT,   /* as many pods as maxUnavailable allows are not healthy */
    STATEFUL_WAITS_GONE,    /* a finished pod was deleted and is not gone yet */
};

struct stateful_action {
    enum stateful_verb verb;
    int32_t ordinal;
    bool update_revision; /* of a created pod */
};

struct stateful_set_decision {
    VEC(struct stateful_action) actions;
    enum stateful_wait wait;
    int32_t wait_ordinal; /* of the pod waited for */
    int32_t replicas;     /* the status */
    int32_t ready;
    int32_t available;
    int32_t current;
    int32_t updated;
    bool update_complete; /* the update revision becomes the current one */
};

struct stateful_set_decision *stateful_set_sync(struct arena *arena,
                                                const struct stateful_set_facts *facts);

/* What stateful_set_facts.max_unavailable is for a set of so many replicas. */
int32_t stateful_set_max_unavailable(const struct features *features,
                                     const struct stateful_set *set, int32_t replicas);

#endif
