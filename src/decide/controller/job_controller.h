/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Job controller's sync: which pods it creates and deletes, which it counts
 * as finished, and whether the Job is over.
 *
 * Pods come as classes with a count. Times are ages in nanoseconds. Where more
 * active pods than needed are equally good to delete, Kubernetes takes any: the
 * decision then holds how many of the tied classes go (`tie_*`), and every way
 * to pick them is an outcome; `deletions` picks the first ones.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_JOB_CONTROLLER_H
#define FATHOM_DECIDE_CONTROLLER_JOB_CONTROLLER_H

#include "decide/controller/job_indexes.h"
#include "decide/controller/job_policy.h"
#include "decide/features.h"
#include "object/workload.h"

#define JOB_NO_INDEX      (-1)
#define JOB_TRACKING_NAME "batch.kubernetes.io/job-tracking"

enum job_uncounted { JOB_NOT_NOTED, JOB_NOTED_SUCCEEDED, JOB_NOTED_FAILED };

struct job_pod_class {
    int64_t count;
    enum pod_phase phase;
    bool terminating;
    bool assigned; /* to a node */
    bool ready;
    bool finalizer;               /* carries the tracking finalizer: not counted yet */
    enum job_uncounted uncounted; /* its UID is in status.uncountedTerminatedPods */
    int64_t index;                /* completion index, JOB_NO_INDEX */
    int64_t restarts_most;        /* of one container */
    int64_t restarts_sum;         /* of all, init containers included */
    int64_t ready_age;            /* JOB_AGE_UNSET when the condition has no time */
    int64_t creation_age;
    enum job_match match; /* of a failed pod, by the pod failure policy */
    int64_t failures;     /* of its index before it, that count */
    int64_t failures_all; /* the same with those that were ignored */
    int64_t finish_age;   /* since it ended */
};

#define JOB_AGE_UNSET INT64_MAX

/* The condition that an earlier sync decided: how the Job will end once its pods have. */
enum job_target { JOB_NO_TARGET, JOB_TARGET_FAILURE, JOB_TARGET_SUCCESS };

enum job_suspension { JOB_SUSPENSION_UNSET, JOB_SUSPENDED, JOB_RESUMED };

struct job_input {
    const struct features *features;
    const struct job *job; /* the spec; of its status only what is not below */
    bool tracking;         /* pods are counted by finalizers */
    bool over;             /* Complete or Failed already */
    bool terminating;
    bool started;
    int64_t start_age;
    int32_t succeeded;
    int32_t failed;
    enum job_suspension suspension; /* the condition Suspended */
    struct job_indexes completed;
    struct job_indexes failed_indexes;
    enum job_target target;
    bool backs_off;             /* the ages of ends are known, and creations wait after failures */
    int32_t vanished_succeeded; /* noted as finished, and gone */
    int32_t vanished_failed;
    int64_t create_limit; /* creations beyond it fail; negative: none fails */
    const struct job_pod_class *pods;
    uint32_t pod_count;
};

enum job_finish {
    JOB_NOT_OVER,
    JOB_COMPLETE,
    JOB_BACKOFF_LIMIT_EXCEEDED,
    JOB_DEADLINE_EXCEEDED,
    JOB_POD_FAILURE_POLICY,
    JOB_FAILED_INDEXES,
    JOB_MAX_FAILED_INDEXES,
    JOB_SUCCESS_POLICY,
    JOB_FAILURE_TARGETED, /* by an earlier sync */
    JOB_SUCCESS_TARGETED,
};

static inline bool job_finish_is_success(enum job_finish finish)
{
    return finish == JOB_COMPLETE || finish == JOB_SUCCESS_POLICY || finish == JOB_SUCCESS_TARGETED;
}

/* Why pods are created or deleted, or neither. */
enum job_action {
    JOB_NOTHING,     /* as many as wanted */
    JOB_WAS_OVER,    /* nothing is looked at any more */
    JOB_CREATES,     /* too few */
    JOB_DELETES,     /* too many, or indexes that are invalid or taken twice */
    JOB_DELETES_ALL, /* the Job failed */
    JOB_SUSPENDS,    /* all active pods go */
    JOB_WAITS,       /* too few, but the back-off after failures is not over */
};

struct job_decision {
    enum job_action action;
    enum job_finish finish; /* decided in this sync */
    bool finished;          /* and written, since nothing is left to count */
    int64_t active_before;
    int64_t wanted;
    int64_t created;
    int64_t create_calls;
    bool create_failed;
    VEC(int64_t) created_indexes;
    int64_t *deletions;          /* of each class */
    int64_t deleted;             /* their sum */
    int64_t tie_deleted;         /* so many of the deletions were picked among equals ... */
    bool *tied;                  /* ... which are these classes */
    int64_t *finalizers_removed; /* of each class */
    bool *delayed;               /* classes of failed pods that wait for their replacement */
    bool restarted;              /* status.startTime becomes now */
    enum job_suspension suspension;
    bool suspension_changed;
    int32_t active;
    int32_t ready;
    int32_t succeeded;
    int32_t failed;
    int32_t uncounted_succeeded;
    int32_t uncounted_failed;
    int32_t terminating; /* pods, with those that are deleted now */
    struct job_indexes completed;
    struct job_indexes failed_indexes; /* with a limit for each index */
    bool new_failure;                  /* returned as an error, so that the next sync backs off */
    bool forget;                       /* the back-off starts anew */
};

/* Everything in the decision lives in the arena. */
void job_decide(struct arena *arena, const struct job_input *input, struct job_decision *decision);

/* Does each index have a limit of failures of its own? */
static inline bool job_limits_indexes(const struct features *features, const struct job *job)
{
    return features->job_limit_per_index && job->completion_mode == COMPLETION_INDEXED &&
           job->backoff_limit_per_index.set;
}

/* Are pods that terminate neither failed nor replaced until they have ended? */
static inline bool job_replaces_only_failed(const struct features *features, const struct job *job)
{
    return job->pod_failure_policy || (features->job_pod_replacement_policy &&
                                       job->pod_replacement_policy == REPLACEMENT_FAILED);
}

/* Negative when `a` is deleted before `b`; 0 when they are equal. */
int job_compare_pods(const struct job_pod_class *a, const struct job_pod_class *b);

#endif
