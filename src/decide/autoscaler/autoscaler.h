/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster autoscaler 1.26: one loop after the other, with what it remembers between them.
 *
 * Where the real program goes by the order of a map or a cache, everything goes by name: one of its
 * legal behaviours. All times are nanoseconds since 1970.
 *
 *     autoscaler_init(&autoscaler, arena, &features);
 *     ... options, groups and objects ...
 *     autoscaler_loop(&autoscaler, now, &result);
 *
 * A loop has the steps of loop.c; each of them has a file of its own. Memory that lives for one
 * loop comes from `loop_arena`, which results live in as well.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_H
#define FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_H

#include "decide/autoscaler/autoscaler_options.h"
#include "decide/autoscaler/autoscaler_result.h"
#include "decide/autoscaler/autoscaler_world.h"
#include "decide/autoscaler/hints.h"
#include "decide/autoscaler/simulated_cluster.h"

#define TAINT_TO_BE_DELETED      "ToBeDeletedByClusterAutoscaler"
#define TAINT_DELETION_CANDIDATE "DeletionCandidateOfClusterAutoscaler"
#define GROUP_ANNOTATION         "example.org/group"

/* An instance of the provider without a node. */
struct instance {
    const char *name;
    const char *error;          /* why it could not be created; "" if there is no error */
    int64_t unregistered_since; /* TIME_NONE: not seen yet */
    bool error_is_new;          /* it had no error in the former loop */
    bool registered;            /* there is a node of it by now */
    bool deleted;               /* in this loop */
};

/* What a new node of a group will look like. */
struct group_template {
    const struct node *node; /* with a hostname that no node has */
    bool has_hostname;       /* the node that it was made from has the label */
    const char *name;
    const struct autoscaler_pod **pods; /* that will be on it from the beginning */
    uint32_t pod_count;
};

struct readiness {
    int64_t ready, unready, not_started, deleted, registered;
    int64_t unregistered, long_unregistered;
    bool known; /* there is a node or an instance */
};

struct autoscaler_group {
    const char *id;
    int64_t min, max;
    int64_t target; /* at the provider */
    double price;
    const struct node *provider_template; /* NULL: the provider knows none */
    double utilization_threshold;
    int64_t unneeded_time, unready_time;
    VEC(struct instance) instances;

    const struct group_template *cached; /* made from a node; outlives it */

    bool has_request; /* a scale-up that has not ended */
    int64_t request_increase, request_time, request_deadline;
    bool has_backoff;
    int64_t backoff_duration, backoff_until, backoff_last;
    bool wrong_size;
    int64_t wrong_current, wrong_expected, wrong_since;

    /* Of this loop. */
    int64_t deleting; /* nodes whose deletion is under way when it begins */
    struct readiness readiness;
    int64_t least, most, known_target;     /* the sizes that are acceptable */
    const struct group_template *template; /* NULL: there is none */
    uint32_t template_number;              /* of the catalog */
    uint32_t test_template_number;         /* of the first node that is tried */
    uint32_t position;                     /* among the groups */
};

/* Who would use whom when its pods are moved. */
struct node_usage {
    struct node_record *node;
    int64_t time;
};

typedef VEC(struct node_usage) usage_list;

/* What is remembered of a node, by its name. */
struct node_record {
    const char *name;
    struct autoscaler_group *group; /* that it was last seen in */
    bool unneeded;
    int64_t unneeded_since;
    const struct autoscaler_pod **pods_to_move;
    uint32_t pods_to_move_count;
    bool risky;
    bool unremovable; /* found so by a simulation, until ... */
    int64_t unremovable_until;
    bool deleting_empty, deleting_drain; /* a deletion is under way */
    bool has_request;                    /* a deletion that has ended, until ... */
    int64_t request_until;
    bool tracked; /* by the usage tracker */
    bool using_too_many, used_by_too_many;
    usage_list using;
    usage_list used_by;
    uint32_t alike;                 /* nodes with the same number are interchangeable */
    enum unremovable_reason reason; /* of this loop */
    const struct autoscaler_pod *blocking;
    enum blocking_reason blocking_reason;
};

/* A node that is listed in this loop. */
struct listed_node {
    const struct node *node;
    struct node_record *record;
    struct autoscaler_group *group; /* NULL: not scaled */
    bool ready;                     /* its conditions say so, and no taint that is to be ignored */
    bool schedulable;               /* ready, and not cordoned */
    int64_t transition;             /* when its readiness last changed; TIME_NONE: not known */
    bool being_deleted;             /* it has got the taint in the last five minutes */
    bool disabled;                  /* an annotation says that it is to stay */
    bool has_gpu;
    uint32_t position;         /* in the simulation */
    struct known_node *known;  /* with its pods; NULL: they are in the list of all pods */
    struct class_facts *facts; /* of its class; NULL: it is taken by itself */
};

struct cluster_autoscaler {
    struct arena *arena;
    struct arena *loop_arena;
    struct features features;
    struct autoscaler_options options;
    struct autoscaler_world world;
    VEC(struct autoscaler_group *) groups; /* by id */
    uint64_t order_seed;                   /* 0: everything goes by name (hidden_orders.h) */
    struct order_choices *choices;         /* NULL: they are not tried one after the other */
    bool timers_open; /* whether an unneeded node has been so for long enough is drawn, too */
    const struct surroundings *surroundings; /* of the filters; NULL: the listed objects */
    bool unfolded;          /* every node is taken by itself, to hold the folding against it */
    bool groups_by_records; /* records say which group a node is in, not its annotation */
    const char *priorities; /* of the priority expander's ConfigMap; NULL: there is none */
    struct string_list failing_groups, failing_taints, failing_deletions;

    int64_t epoch; /* second 0 of the scenario */

    /* Memory. */
    struct map records; /* node name -> struct node_record */
    struct placing_hints filter_hints, removal_hints;
    uint32_t index;
    uint32_t template_serial;
    bool initialised;
    bool has_scaled_up, has_deleted, has_failed;
    int64_t last_scale_up, last_delete, last_fail;

    /* Of this loop. */
    int64_t now;
    struct world_lists lists;
    VEC(struct listed_node) nodes;
    struct class_facts *facts; /* by class of the world (class_facts.h) */
    uint32_t schedulable_count;
    struct readiness total;
    struct simulated_cluster *simulation;
    struct loop_result *result;
    bool outcomes_overflow;    /* with choices: some were left out */
    bool scale_down_forbidden; /* pods are too young to be decided about */
};

void autoscaler_init(struct cluster_autoscaler *autoscaler, struct arena *arena,
                     const struct features *features, int64_t start);
void autoscaler_loop(struct cluster_autoscaler *autoscaler, int64_t now,
                     struct loop_result *result);
/* The same with the lists of objects that `lists` has already. */
void autoscaler_loop_listed(struct cluster_autoscaler *autoscaler, int64_t now,
                            struct loop_result *result);

/* The record of a node, made if there is none. */
struct node_record *autoscaler_record(struct cluster_autoscaler *autoscaler, const char *name);
struct autoscaler_group *autoscaler_find_group(const struct cluster_autoscaler *autoscaler,
                                               const char *id);

struct scale_action *autoscaler_act(struct cluster_autoscaler *autoscaler,
                                    enum scale_action_kind kind);

/* Sums of what the node has, in whole cores and bytes. */
int64_t node_cores(const struct node *node);
int64_t node_memory(const struct node *node);

#endif
