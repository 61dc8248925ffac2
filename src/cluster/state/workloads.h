/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads, the kinds of pods that they are made of, and the classes that these
 * pods come in. */
#ifndef FATHOM_CLUSTER_STATE_WORKLOADS_H
#define FATHOM_CLUSTER_STATE_WORKLOADS_H

#include "base/vec.h"
#include "cluster/forward.h"
#include "object/kind_names.h"
#include "object/meta.h"
#include "setup/disks.h"
#include "setup/run_time.h"
#include "setup/setup.h"

struct daemon_place;
struct deployment;
struct setup_workload;

enum pod_stage {
    STAGE_STARTING, /* admitted, not ready yet */
    STAGE_READY,
    STAGE_TERMINATING,
    STAGE_BOUND,   /* on the node, and not yet admitted by its kubelet */
    STAGE_WAITING, /* pending, and for this node alone: it takes no room there */
    STAGE_COUNT
};

/* Levels of pods that terminate, where intents ask about endpoints; otherwise all have the first.
 */
enum { ENDING_ENDPOINT, ENDING_REMOVED, ENDING_UNSERVED, ENDING_COUNT };

/* How a pod came to terminate, where a Job asks (job_rules.h): its level is ENDING_UNSERVED and one
 * of these. */
enum pod_end {
    END_DISRUPTED, /* it was evicted or preempted: its condition DisruptionTarget says so */
    END_DELETED,   /* somebody deleted it */
    END_DISOWNED,  /* its own controller did */
    POD_END_COUNT
};

struct pod_level {
    int64_t cpu_milli; /* what one pod uses */
};

/* How the pods of a Job end (docs/formats.md). */
enum pod_outcome { OUTCOME_SUCCEEDS, OUTCOME_FAILS, OUTCOME_EITHER };

struct number_list {
    uint32_t *items; /* a vector (base/vec.h) */
    uint32_t count;
    uint32_t capacity;
};

/* The pods that a PodDisruptionBudget is about. */
struct budget_pods {
    uint32_t first; /* a revision that it counts or guards; UINT32_MAX: it is about no pods */
    struct number_list counted; /* the revisions that the disruption controller counts */
};

/* A kind of pods: those made from one template of a workload. Where pods have
 * identities (an ordinal of a StatefulSet), each ordinal is a kind of its own;
 * the kinds of one template stand together, by ordinal. */
struct revision {
    uint32_t workload;
    uint32_t number; /* which template of the workload: 0 is the first */
    int32_t ordinal; /* -1: the pods of this kind are interchangeable */
    const struct object_meta *owner_meta;
    const char *signature; /* of the template */
    struct pod *pod;       /* a pod of this revision as its controller creates it */
    uint32_t pending_class;
    uint32_t scheduler; /* which one: 0 unless there are several (see step_scheduler.c) */
    uint32_t *classes;  /* by stage * level_count + level */
    int32_t priority;
    const char *node_name;     /* spec.nodeName: no scheduler is asked */
    bool served;               /* true if a Service sends requests to its pods (traffic.c), */
    bool published;            /* and true if it does so as long as the pods exist */
    bool serves_on;            /* true if its preStop hook outlasts the removal of endpoints */
    bool never_waits;          /* true for pods of bystanders that are on their nodes */
    bool unchecked;            /* true if its scheduler does not check all that kubelets check */
    bool pinned;               /* true for pods of the node itself: a drain leaves them alone */
    bool never_ready;          /* true if the template says so (docs/formats.md) */
    bool gated;                /* true if scheduling gates keep its pods from the scheduler */
    struct number_list guards; /* the budgets that the eviction API asks about its pods */
    const char *refusal;       /* what the API server answers to whoever creates its pods; NULL: it
                                  accepts them */
    bool may_be_refused;       /* true if a quota or a webhook may keep its pods out */
    bool may_be_delayed;       /* true if others may use up a quota that its pods need (quotas.h) */
    const struct pod_spec
        *written;           /* the spec of its template, with all volumes; NULL: it has none */
    disk_list disks;        /* that its pods have to wait for while another node has them */
    uint32_t home;          /* of its volume, plus one (homes.h); 0: it has none */
    uint32_t *home_classes; /* of its pods that wait, by place of the volume */
    uint32_t
        *open_classes; /* of those that have no volume yet; NULL: the pending class is theirs */
    uint32_t images;   /* the sets of images that its pods pull, as bits (images.h) */
    uint32_t unsized;  /* those with an image of any size that its pods are placed by */
    enum pod_outcome outcome;
    struct run_time run_time;            /* of the pods of a Job */
    uint32_t set_word;                   /* of a state; 0: it has no set */
    const struct daemon_set *daemon_set; /* with this template; NULL: of no DaemonSet */
    struct daemon_place *daemon_places;  /* by node template */
    /* Where its pods that wait are in a state. */
    uint32_t pending_word;
    uint32_t pending_shift;
    uint32_t pending_mask;
};

/* What a DaemonSet wants on nodes of a template. */
struct daemon_place {
    bool should_run;      /* true if a pod belongs there */
    bool should_continue; /* true if a pod that is there may stay */
};

struct workload {
    enum object_kind kind;
    const struct setup_workload *setup;
    int32_t replicas;
    /* With a pattern of usage level 2k is its step k and 2k + 1 the same for
     * pods that have been there longer than others (step_time.c). */
    struct pod_level *levels;
    uint32_t level_count;
    uint32_t first_level;   /* of a pod that has just become ready */
    uint32_t pattern_steps; /* 0: there is no pattern */
    uint32_t load;          /* which of a state's loads it bears, plus one; 0: none */
    VEC(int64_t) totals;    /* that its load can be, in thousandths */
    uint32_t first_total;   /* that it is at the beginning, plus one; 0: none */
    uint32_t first_revision;
    uint32_t revision_count; /* kinds of pods: templates times ordinals */
    uint32_t ordinal_count;  /* 1 where pods have no ordinals; variants of a Job (job_rules.h) */
    int32_t first_ordinal;
    struct optional_int completions;     /* of a Job */
    struct job_rules *job_rules;         /* NULL: it is no Job with policies (job_rules.h) */
    const struct deployment *deployment; /* NULL: it is none */
    bool is_set;                         /* true for a ReplicaSet or ReplicationController */
    /* Its object, and those of `apply` that give it other rules than these. */
    VEC(const struct object *) specs;
    uint32_t status_word;  /* of a state; UINT32_MAX: it has no status there */
    uint32_t victim_bit;   /* in happening.victims */
    uint32_t present;      /* its present revision at the start */
    bool bystander;        /* true for pods without a modelled controller (build_observed.c) */
    uint32_t budget_owner; /* of a bystander: as disruption.h has them */
};

/* What a class of pods on a node is to the model. */
struct class_info {
    uint32_t revision;
    enum pod_stage stage;
    uint32_t level;
    uint32_t slot; /* of its cohort (clock.h); 0 without clocks */
};

#endif
