/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The taint manager: which pods are evicted because of a node's NoExecute
 * taints, and when.
 *
 * It acts when the NoExecute taints of a node change (or a pod arrives on a
 * tainted node), for each pod alone, so pods of a class are treated alike. What
 * it remembers of a pod is `struct taint_eviction`: a due time that, once set,
 * does not move when taints change, only when they end or are not tolerated at
 * all. Times are relative: nanoseconds left, and since when.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_TAINT_MANAGER_H
#define FATHOM_DECIDE_CONTROLLER_TAINT_MANAGER_H

#include "object/taint.h"

enum taint_eviction_state {
    TAINT_EVICTION_NONE,
    TAINT_EVICTION_SCHEDULED,
    TAINT_EVICTION_DONE, /* fired; nothing more is scheduled until it is cancelled */
};

struct taint_eviction {
    enum taint_eviction_state state;
    int64_t left; /* until it fires; nanoseconds */
    int64_t age;  /* since it was scheduled */
};

/* The rule that decided. */
enum taint_manager_rule {
    TAINT_MANAGER_NO_TAINTS, /* the node has no NoExecute taint: a scheduled eviction is cancelled
                              */
    TAINT_MANAGER_NOT_TOLERATED, /* evicted at once */
    TAINT_MANAGER_FOREVER,       /* tolerated for ever: a scheduled eviction is cancelled */
    TAINT_MANAGER_SCHEDULED,     /* tolerated for a while */
    TAINT_MANAGER_KEPT,          /* an earlier scheduled eviction stays as it is */
    TAINT_MANAGER_ALREADY_DONE,  /* was evicted before and is still there */
};

/* The seconds that the tolerations grant against all taints: 0 or less means
 * now, TOLERATED_FOREVER no end, NOT_TOLERATED that one is not tolerated. */
#define TOLERATED_FOREVER INT64_MAX
#define NOT_TOLERATED     INT64_MIN

int64_t taint_manager_tolerated_seconds(const struct taint *taints, uint32_t taint_count,
                                        const struct toleration *tolerations,
                                        uint32_t toleration_count);

/* The NoExecute taints of the pod's node changed; `seconds` is what the pod
 * tolerates of the new ones (taint_count of them). `*evict` says whether the
 * pod is deleted right now. An eviction that fired is remembered, so that a pod that
 * is still there is not scheduled again, unless the manager `forgets` (from 1.33 on). */
enum taint_manager_rule taint_manager_update(struct taint_eviction *eviction, bool forgets,
                                             uint32_t taint_count, int64_t seconds, bool *evict);

/* Time passes; true if the eviction is due, and fires. */
bool taint_manager_age(struct taint_eviction *eviction, bool forgets, int64_t nanoseconds);

#endif
