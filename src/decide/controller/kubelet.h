/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kubelet: whom it admits, what it starts next, how a pod's phase follows
 * from its containers, how pods end, and whom it evicts when the node runs low.
 *
 * Every function is a pure decision: facts in, decision out. What the kubelet
 * remembers between two looks (back-off, probes, pressure) is a small struct
 * that the caller keeps in its state; all times in it are ages or what is left,
 * in nanoseconds, so that states recur. Pods that are many come as classes with
 * a count (model/view.h); where Kubernetes leaves the choice to the order of a
 * map, the decision says which classes are equal, and each is an outcome.
 *
 *   kubelet_admission.c   admission and its reasons
 *   kubelet_preemption.c  whom a critical pod drives away on admission
 *   kubelet_lifecycle.c   containers, phase, restarts, back-off, termination
 *   kubelet_probe.c       readiness
 *   kubelet_eviction.c    thresholds, pressure, the order of victims
 */
#ifndef FATHOM_DECIDE_CONTROLLER_KUBELET_H
#define FATHOM_DECIDE_CONTROLLER_KUBELET_H

#include "decide/view.h"

/* ---- admission ---- */

enum kubelet_pressure {
    KUBELET_MEMORY_PRESSURE = 1,
    KUBELET_DISK_PRESSURE = 2,
    KUBELET_PID_PRESSURE = 4,
};

enum kubelet_rejection {
    KUBELET_OUT_OF, /* ... a resource: "OutOfcpu" */
    KUBELET_NODE_AFFINITY,
    KUBELET_NODE_NAME,
    KUBELET_NODE_PORTS,
    KUBELET_TAINT_TOLERATION,
    KUBELET_UNDER_PRESSURE,
    KUBELET_SIDECAR_FORBIDDEN,
    KUBELET_CANNOT_PREEMPT, /* a critical pod, and not enough to take away */
};

struct kubelet_reason {
    enum kubelet_rejection rejection;
    const char *resource; /* of KUBELET_OUT_OF */
    int64_t requested;
    int64_t used;
    int64_t capacity;
    uint32_t pressures; /* of KUBELET_UNDER_PRESSURE */
};

/* A node as its kubelet sees it: only pods that it has admitted and that have
 * not ended hold anything. The kubelet is of the catalog's version. */
struct kubelet_node {
    const struct catalog *catalog;
    const struct node_template *template;
    const struct pod_count *pods;
    uint32_t pod_entry_count;
    uint32_t pressures;
};

struct kubelet_admission {
    bool admitted;
    /* Why not, or what a critical pod was admitted in spite of; the first counts. */
    VEC(struct kubelet_reason) reasons;
    /* By entry of the node's pods: how many are killed to make room for a
     * critical pod. NULL: none. */
    uint32_t *preempted;
    bool preemption_tied; /* others would have done as well; the order of a map decided */
};

void kubelet_admit(struct arena *arena, const struct kubelet_node *node,
                   const struct pod_class *comes, struct kubelet_admission *admission);

/* The reason in the pod's status ("OutOfcpu"), and its message. */
const char *kubelet_reason_name(struct arena *arena, const struct kubelet_reason *reason);
const char *kubelet_reason_message(struct arena *arena, const struct features *features,
                                   const struct kubelet_reason *reason);

/* Static, mirrored, or of system-critical priority. */
bool kubelet_pod_is_critical(const struct pod *pod);

/* Finds victims so that every KUBELET_OUT_OF reason is answered; false: there
 * are not enough. */
bool kubelet_preempt(struct arena *arena, const struct kubelet_node *node,
                     const struct pod_class *comes, struct kubelet_admission *admission);

/* ---- containers ---- */

enum kubelet_container_state {
    KUBELET_CONTAINER_NEW, /* never started */
    KUBELET_CONTAINER_RUNNING,
    KUBELET_CONTAINER_EXITED, /* also while it waits for its next start */
};

struct kubelet_container {
    enum kubelet_container_state state;
    int32_t exit_code;
    bool sidecar; /* an init container with restartPolicy Always */
    bool started; /* it runs, and its startup probe, if any, has succeeded */
};

struct kubelet_pod {
    enum restart_policy restart_policy;
    bool terminating; /* deleted or evicted: nothing is started any more */
    const struct kubelet_container *init_containers;
    uint32_t init_container_count;
    const struct kubelet_container *containers;
    uint32_t container_count;
};

enum pod_phase kubelet_phase(const struct features *features, const struct kubelet_pod *pod);

/* What is started now, by container (back-off apart). True: all is over, and
 * whatever still runs is stopped. */
bool kubelet_next(const struct features *features, const struct kubelet_pod *pod, bool *start_init,
                  bool *start);

/* The back-off of one container. Zeroed: it never crashed. */
struct kubelet_backoff {
    bool known;
    int64_t delay;
    int64_t age; /* since the last restart */
};

/* How long a container that exited `finished` ago still waits; 0: it may start. */
int64_t kubelet_backoff_left(const struct kubelet_backoff *backoff, int64_t finished);
/* It is started again. */
void kubelet_backoff_restart(struct kubelet_backoff *backoff, int64_t finished);
/* Time passes; what has no further effect is forgotten. */
void kubelet_backoff_age(struct kubelet_backoff *backoff, int64_t nanoseconds);

/* activeDeadlineSeconds is over: the pod fails with DeadlineExceeded. */
bool kubelet_past_deadline(struct optional_int deadline_seconds, int64_t start_age);

/* ---- the end of a pod ---- */

/* The grace period that the API server grants a deletion; 0: the object is gone
 * at once. `requested` is the caller's wish. */
int64_t kubelet_deletion_grace(struct optional_int requested, int64_t pod_grace_seconds,
                               bool assigned, enum pod_phase phase);

/* The seconds that the kubelet leaves the containers. `before` is what it left
 * them so far (0: it is not terminating yet), `deletion` what the API server
 * granted, `override` what an eviction wants. */
int64_t kubelet_effective_grace(const struct features *features, int64_t before,
                                struct optional_int deletion, struct optional_int override,
                                int64_t pod_grace_seconds);

/* The most seconds until a container is gone that has such a grace period and a
 * preStop hook of so many seconds, and ignores SIGTERM. */
int64_t kubelet_stop_seconds(const struct features *features, int64_t grace,
                             int64_t prestop_seconds);

/* The order in which containers are told to stop: rank 0 first. Sidecars wait
 * for the containers, and for the sidecars after them. */
uint32_t kubelet_stop_rank(const struct features *features, const struct kubelet_pod *pod,
                           bool is_init, uint32_t index);

/* May the object of a pod that is being deleted be removed by its kubelet? Not
 * while a container runs, and never while the node is gone. */
bool kubelet_removes(bool node_reachable, bool any_container_runs);

/* ---- readiness ---- */

struct kubelet_probe {
    bool result; /* what counts */
    bool last;   /* the last answer */
    int32_t run; /* how often in a row, up to the threshold */
};

/* One probe of a container that has run for so long, answered so. True: the
 * result was changed. Before its initial delay nothing is asked. */
bool kubelet_probe_answer(const struct probe *probe, int64_t running, bool answer,
                          struct kubelet_probe *state);

/* When a container whose probes all succeed is ready, counted from its start.
 * Either probe may be NULL. Between the two any instant is possible. */
void kubelet_ready_window(const struct probe *startup, const struct probe *readiness,
                          int64_t *earliest, int64_t *latest);

/* ---- eviction when the node runs low ---- */

enum kubelet_signal {
    KUBELET_MEMORY_AVAILABLE,
    KUBELET_ALLOCATABLE_MEMORY_AVAILABLE,
    KUBELET_NODEFS_AVAILABLE,
    KUBELET_NODEFS_INODES_FREE,
    KUBELET_IMAGEFS_AVAILABLE,
    KUBELET_IMAGEFS_INODES_FREE,
    KUBELET_PID_AVAILABLE,
    KUBELET_SIGNAL_COUNT
};

const char *kubelet_signal_name(enum kubelet_signal signal);
enum kubelet_pressure kubelet_signal_pressure(enum kubelet_signal signal);

/* An amount, or a share of the capacity. */
struct kubelet_amount {
    int64_t amount;
    float share; /* 0: the amount counts */
};

struct kubelet_threshold {
    enum kubelet_signal signal;
    struct kubelet_amount least;
    struct kubelet_amount reclaim; /* once met, so much more must become free */
    int64_t grace;                 /* 0: hard */
};

/* The hard thresholds of a kubelet without configuration; at most six. */
uint32_t kubelet_default_thresholds(const struct features *features,
                                    struct kubelet_threshold *thresholds);

struct kubelet_observation {
    bool known;
    bool fresh; /* measured since the last look */
    int64_t available;
    int64_t capacity;
};

#define KUBELET_NEVER INT64_MAX

struct kubelet_threshold_memory {
    bool acting;     /* met for its grace period: stays until enough is reclaimed */
    int64_t met_age; /* since it was first met; KUBELET_NEVER: it is not */
};

enum { KUBELET_PRESSURE_COUNT = 3 };

struct kubelet_eviction_memory {
    struct kubelet_threshold_memory *thresholds;  /* by threshold */
    int64_t pressure_age[KUBELET_PRESSURE_COUNT]; /* since last seen, by bit; or KUBELET_NEVER */
};

void kubelet_eviction_forget(struct kubelet_eviction_memory *memory, uint32_t threshold_count);
/* Time passes; ages beyond which nothing changes are brought to one value. */
void kubelet_eviction_age(const struct kubelet_threshold *thresholds, uint32_t threshold_count,
                          struct kubelet_eviction_memory *memory, int64_t nanoseconds);

/* Pods that run on the node. */
struct kubelet_eviction_pod {
    uint32_t count;
    int32_t priority;
    bool critical;
    bool measured;       /* its usage is known */
    bool over_own_limit; /* of ephemeral storage, or of an emptyDir: evicted anyway */
    int64_t grace_seconds;
    int64_t memory_used;
    int64_t memory_requested;
    int64_t disk_used; /* on the file system of the signal */
    int64_t disk_requested;
    int64_t inodes_used;
    int64_t processes;
};

struct kubelet_eviction {
    uint32_t pressures;   /* that the node reports now */
    bool own_limits;      /* every pod over its own limit is evicted, and no other */
    bool *acted_on;       /* by threshold: one of these is acted on, whichever */
    uint32_t acted_count; /* how many of them */
};

/* One look, every 10 s. Whom an acted-on threshold evicts: kubelet_victims. */
void kubelet_eviction_look(struct arena *arena, const struct kubelet_threshold *thresholds,
                           uint32_t threshold_count, const struct kubelet_observation *observations,
                           const struct kubelet_eviction_pod *pods, uint32_t pod_count,
                           struct kubelet_eviction_memory *memory,
                           struct kubelet_eviction *eviction);

/* Marks the classes of which one pod is evicted, any of them; false if there is
 * none. Budgets do not count. */
bool kubelet_victims(enum kubelet_signal signal, const struct kubelet_eviction_pod *pods,
                     uint32_t pod_count, bool *victims);

/* The override for kubelet_effective_grace of a pod evicted for the threshold.
 * `soft_most_s` is --eviction-max-pod-grace-period. */
int64_t kubelet_eviction_grace(const struct features *features,
                               const struct kubelet_threshold *threshold,
                               const struct kubelet_eviction_pod *pod, int64_t soft_most_s);

#endif
