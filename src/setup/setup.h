/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Setups: on which clusters the intents are checked.
 *
 * A scope is what the manifests and the Check say: groups of equal nodes and
 * workloads, each with a range of sizes. A setup is one choice from all the
 * ranges. Setups come smallest first, by the total of nodes, then by the total
 * of pods, then in the order of the groups, so that the first violation found
 * is the smallest there is (the incremental scaling of the Kivi paper, appendix B).
 *
 * With incremental scaling not every number of replicas comes with every number of
 * nodes (sizes.h); the report says which are left out.
 */
#ifndef FATHOM_SETUP_SETUP_H
#define FATHOM_SETUP_SETUP_H

#include "object/autoscaler.h"
#include "object/check.h"
#include "object/object.h"
#include "object/workload.h"

struct cron_calendar; /* cron_calendar.h */
struct size_marks;    /* size_marks.h */

enum { SETUP_NODES_SUFFICIENT = 6, SETUP_PODS_PER_NODE_SUFFICIENT = 6 };

/* Nodes that differ only in their names. */
struct setup_group {
    const char *name;   /* of Node objects: the first one's */
    struct node *node;  /* a node of the group; its name is the group's */
    const char **names; /* of Node objects; NULL: the nodes are NAME-1, NAME-2, ... */
    bool single;        /* a Node object that is mentioned: just this node */
    bool down;          /* not ready from the beginning, and for ever ... */
    bool unreachable;   /* ... because nothing is heard of it */
    uint32_t pressures; /* that it reports when everything begins: bits, memory disk PIDs */
    uint64_t mixed;     /* of a part: the groups of the scope whose nodes it has, as bits; 0: just
                           its own (part_fold.h) */
    int32_t least;
    int32_t most;
    bool open; /* true if there may be any number of nodes from the least on; `most` is where sizes
                  end for those who cannot go on without an end */
};

struct setup_workload {
    const struct object *object;   /* of a kind that workload_template knows */
    const char *name;              /* Kind/namespace/name */
    const char *signature;         /* of its template (template_signature.h) */
    bool comes_later;              /* an event creates it, or its CronJob */
    const struct object *cron_job; /* that makes such Jobs by the calendar; NULL: none does */
    int32_t least;
    int32_t most;
    const struct horizontal_pod_autoscaler *autoscaler; /* the first; NULL: none */
    uint32_t autoscaler_count;
    bool autoscaler_follows; /* its bounds follow the explored replicas */
    double autoscaler_factor;
    int64_t load_milli;         /* CPU that its ready pods use together, and share; 0: not known */
    const char *load_source;    /* how that is known, in words */
    const struct object **sets; /* ReplicaSets that it has already, oldest first */
    uint32_t set_count;
    const struct size_marks
        *marks; /* numbers of replicas at which a rule may change; NULL: it has one size */
};

/* A CronJob that makes Jobs by the calendar. Each of its Jobs is one of these workloads as long as
 * it is there, and another Job has the place afterwards. */
struct setup_cron_job {
    const struct object *object;
    const struct cron_calendar *calendar;
    uint32_t first_object; /* among the scope's: the Job of its first place */
    uint32_t first_workload;
    uint32_t place_count; /* so many of its Jobs can be there at a time */
};

/* The greatest value of jobsAtMost. */
enum { CRON_JOBS_MOST = 30 };

/* ---- the present state, where runs begin with it ---- */

enum observed_stage { OBSERVED_WAITING, OBSERVED_STARTING, OBSERVED_READY, OBSERVED_TERMINATING };

/* A node: which group, and which of its names. */
struct observed_place {
    uint32_t group;
    uint32_t node;
};

struct observed_pod {
    const struct object *object;
    enum observed_stage stage;
    uint32_t workload;            /* UINT32_MAX: no modelled controller owns it */
    const struct object *set;     /* the workload's ReplicaSet that does; NULL: none */
    struct observed_place place;  /* of those that do not wait, or wait for this very node */
    const struct object *adopter; /* the controller that adopts it; NULL: none */
    const struct object
        *other_adopter; /* another controller that may adopt it instead; NULL: none */
};

/* Are they the same object, maybe at different times? */
bool same_object(const struct object *left, const struct object *right);
/* NULL if objects of its kind are no workloads of the model. */
const struct pod_template *workload_template(const struct object *object);
/* The same as the manifest has it; NULL: it has none. */
const struct value *workload_template_source(const struct object *object);
/* Is the object what the autoscaler scales? */
bool autoscaler_targets(const struct horizontal_pod_autoscaler *autoscaler,
                        const struct object *object);
/* How many pods its spec asks for. */
int32_t workload_replicas(const struct object *object);

/* What is assumed about the volumes of its pods; NULL: nothing. */
const char *assumption_of_volumes(struct arena *arena, const struct objects *objects,
                                  const struct setup_workload *workload, bool observed);

/* Has it a number of replicas from the start? DaemonSets never have one. */
bool setup_workload_is_sized(const struct setup_workload *workload);

struct reads;

struct scope {
    const struct objects *objects;
    const struct check *check; /* NULL: there is none */
    struct setup_group *groups;
    uint32_t group_count;
    struct setup_workload *workloads;
    uint32_t workload_count;
    struct setup_cron_job *cron_jobs; /* those that go by the calendar (cron_jobs.h) */
    uint32_t cron_job_count;
    enum check_start start; /* never unset */
    struct observed_pod *pods;
    uint32_t pod_count;
    uint32_t finished_pods; /* that were left out */
    enum check_time time;   /* as the Check says, or as the manifests need it: never unset */
    bool exact;             /* only the sizes given, no incremental scaling */
    int32_t nodes_sufficient;
    int32_t pods_per_node_sufficient;
    bool sufficient_is_given; /* pods per node, by the Check */
    bool fitting_only;        /* no more pods than the nodes hold: for ranges without an end */
    struct reads *reads;      /* what anything here reads of nodes and pods */
    struct objects *applied;  /* by event of the Check: what `apply` applies */
    struct string_list assumptions; /* what was assumed, in sentences */
    /* Webhooks are taken to admit all but new pods while they do not answer. */
    bool webhooks_admit_rest;
    /* By object: the workload that it is or belongs to (owners.h); NULL: not looked up. */
    const uint32_t *owners;
};

/* What the command line may say in place of the Check. */
struct budget; /* base/budget.h */

struct scope_options {
    enum scale_mode scale;    /* SCALE_UNSET: as the Check says */
    enum check_time time;     /* TIME_UNSET: as the Check says */
    struct count_range nodes; /* of every group whose range is not given */
    int64_t nodes_most;       /* beyond which nothing is verified (largest.h); 0: usual */
    int64_t pods_most;
    const struct check_intent *intents; /* beside those of the Check */
    uint32_t intent_count;
    /* Of the run; NULL: none. When it is over, sizes are left out: nothing may be explored then. */
    const struct budget *budget;
    bool webhooks_admit_rest; /* see struct scope */
};

/* False if anything is wrong or not supported. */
bool scope_build(struct arena *arena, const struct objects *objects, const struct check *check,
                 const struct scope_options *options, struct scope *scope,
                 struct problems *problems);

/* Why the manifests cannot be judged without clocks, in a sentence; NULL if
 * order alone decides (time.c). */
const char *scope_needs_clocks(const struct scope *scope);
/* Does one of the intents say after how long, or within what time? */
bool intents_need_clocks(const struct check_intent *intents, uint32_t count);
#define INTENTS_NEED_CLOCKS "an intent says after how long, or within what time"

/* The number of the workload of this name; UINT32_MAX: there is none. */
uint32_t scope_find_workload(const struct scope *scope, const struct object_name *name);

/* The configuration that the Check gives the scheduler; NULL: kube-scheduler's default. */
const struct scheduler_configuration *scope_scheduler_configuration(const struct scope *scope);
/* The policy of the descheduler: the Check's, or one among the manifests; NULL. */
const struct descheduler_policy *scope_descheduler_policy(const struct scope *scope);
/* The time between two syncs of an autoscaler, and between two cycles of the descheduler. */
int64_t scope_sync_period_ns(const struct scope *scope);
int64_t scope_descheduling_interval_ns(const struct scope *scope);

struct setup {
    uint32_t ordinal;              /* decides between setups of the same size */
    const int32_t *nodes;          /* by group */
    const int32_t *replicas;       /* by workload */
    const int32_t *autoscaler_min; /* by workload; 0 where there is no autoscaler */
    const int32_t *autoscaler_max;
    int32_t total_nodes;
    int32_t total_pods;
};

/* Leaves open how many nodes the group has, from the least on. False: it has at most as many as the
 * cluster autoscaler lets it have. */
bool setup_group_open(const struct check *check, struct setup_group *group);

/* Leaves open how many nodes there are beside those of Node objects, whose names mean nothing but
 * those that something mentions. The groups are copied. False: there are no such nodes. */
bool scope_open_nodes(struct arena *arena, struct scope *scope);

/* The most nodes of a group that there are at a time: those of the setup, or as many as the cluster
 * autoscaler may add. */
int32_t setup_nodes_most(const struct scope *scope, const struct setup *setup, uint32_t group);
int32_t setup_total_nodes_most(const struct scope *scope, const struct setup *setup);

struct setups {
    struct setup *items; /* in the order of scaling */
    uint32_t count;
    uint32_t capacity;
};

/* Is there any setup, and no more than can be looked at? */
bool scope_check_sizes(struct arena *arena, const struct scope *scope, const char *file,
                       struct problems *problems);
void scope_enumerate(struct arena *arena, const struct scope *scope, struct setups *setups);

/* The one that is most like what the manifests describe: the smallest with a node
 * of every group and the replicas of the specs, or as near as there is. NULL if
 * there is none at all. */
const struct setup *setups_usual(const struct scope *scope, const struct setups *setups);

/* The smallest with "nodes=3,pods=6,GROUP=1,WORKLOAD=2"; NULL, with a problem of
 * the command line, if there is none. */
const struct setup *setups_choose(struct arena *arena, const struct scope *scope,
                                  const struct setups *setups, const char *text,
                                  struct problems *problems);

/* How many pods of this spec fit on an empty node. */
int64_t setup_node_capacity(const struct node *node, const struct pod_spec *spec);

#endif
