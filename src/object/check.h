/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check (fathom/v1): our own kind, which says what is to be verified, on what
 * clusters, against what disturbances. docs/formats.md describes it for people.
 *
 * Unknown fields, events, intents and parameters are errors. Names of objects
 * are `Kind/namespace/name` or `Kind/name`; that a name stands for something
 * that exists is found out later, when the objects are known.
 */
#ifndef FATHOM_OBJECT_CHECK_H
#define FATHOM_OBJECT_CHECK_H

#include "base/error.h"
#include "object/node.h"
#include "object/quantity.h"

struct scheduler_configuration;
struct descheduler_policy;
struct documents; /* manifest/document.h */
struct object;
struct objects;

struct object_name {
    const char *kind;
    const char *namespace; /* NULL: left out */
    const char *name;      /* NULL: there is no name at all */
};

/* "Deployment/default/web"; false if the text has not this form. */
bool object_name_parse(struct arena *arena, const char *text, struct object_name *name);
char *object_name_format(struct arena *arena, const struct object_name *name);
/* Does the name refer to this object? A name without a namespace refers to objects
 * of all namespaces. */
bool object_name_means(const struct object_name *name, const char *kind,
                       const struct object_meta *meta);
/* The same for an object. */
bool object_name_matches(const struct object_name *name, const struct object *object);

/* A number (then both are the same) or {min, max}. */
struct count_range {
    bool given;
    int32_t min;
    int32_t max;
    bool open; /* of nodes: there is no maximum */
};

struct check_node_group {
    const char *name;
    struct count_range count; /* left out: 0..the sufficient scale */
    struct node node;         /* labels, taints, capacity, allocatable of each */
};

struct check_workload {
    struct object_name name;
    struct place place; /* of the name */
    struct count_range replicas;
    bool autoscaler_follow;   /* the autoscaler's min is the explored replicas, ... */
    double autoscaler_factor; /* ... its max this many times as much: 2 */
};

enum check_start { START_UNSET, START_EMPTY, START_SETTLED, START_CANONICAL, START_OBSERVED };
enum check_time { TIME_UNSET, TIME_ASYNCHRONOUS, TIME_CLOCKED };
enum scale_mode { SCALE_UNSET, SCALE_EXACT, SCALE_INCREMENTAL };

struct check_scale {
    enum scale_mode mode;
    struct optional_int sufficient_nodes;
    struct optional_int sufficient_pods_per_node;
};

struct check_descheduler {
    struct descheduler_policy *policy;
    int64_t interval_ns; /* 5m */
    const char *version; /* "v0.28.1"; NULL: as the manifests say */
};

struct check_autoscaler {
    int64_t sync_period_ns;             /* 15s */
    double tolerance;                   /* 0.1 */
    int64_t downscale_stabilization_ns; /* 5m */
};

struct value; /* manifest/document.h */

struct autoscaled_group {
    const char *name;
    struct count_range count;
    bool has_price;
    double price;                /* of a node, for an hour */
    struct node *template;       /* what the provider says of its nodes; NULL: as they are */
    const struct value *options; /* flags that are different for this group; NULL: none */
};

struct check_cluster_autoscaler {
    struct autoscaled_group *groups;
    uint32_t group_count;
    int64_t unneeded_time_ns;  /* 10m */
    const struct value *flags; /* of its command line, by name; NULL: none */
};

struct check_scheduler {
    struct scheduler_configuration *configuration; /* NULL: kube-scheduler's default */
    bool separate; /* each profile is a scheduler of its own, which knows nothing of the others */
};

/* Those that are NULL were left out: the manifests decide whether they are
 * needed, with Kubernetes' defaults. */
struct check_controllers {
    struct check_scheduler *scheduler;
    struct check_descheduler *descheduler;
    struct check_autoscaler *horizontal_pod_autoscaler;
    struct check_cluster_autoscaler *cluster_autoscaler;
};

/* ---- events ---- */

enum event_kind {
#define EVENT(constant, descriptor, name, takes, needs, facts, clocks) constant,
#include "object/events.def"
#undef EVENT
    EVENT_KIND_COUNT
};

const char *event_kind_name(enum event_kind kind);

/* Facts of an event that other folders than the cluster model need. */
enum event_fact {
    EVENT_FACT_NO_FACT = 0,
    EVENT_FACT_USAGE = 1 << 0,      /* it says what pods of its workload use */
    EVENT_FACT_ZONAL = 1 << 1,      /* it is about a zone, also if no topologyKey is given */
    EVENT_FACT_DRAINS = 1 << 2,     /* it drains nodes */
    EVENT_FACT_PANICS = 1 << 3,     /* nodes fail because of what their pods do */
    EVENT_FACT_PROVISIONS = 1 << 4, /* it keeps nodes from coming that were asked for */
};

bool event_kind_has(enum event_kind kind, enum event_fact fact);
/* Why only clocked time can judge it; NULL: any time can. */
const char *event_kind_needs_clocks(enum event_kind kind);

enum event_parameter {
    EVENT_PARAMETER_NONE = 0,
    EVENT_PARAMETER_ABOVE_CPU = 1 << 0,
    EVENT_PARAMETER_AFTER = 1 << 1,
    EVENT_PARAMETER_AT_MOST = 1 << 2,
    EVENT_PARAMETER_CONCURRENT = 1 << 3,
    EVENT_PARAMETER_DRAIN = 1 << 4,
    EVENT_PARAMETER_GROUP = 1 << 5,
    EVENT_PARAMETER_LEVELS = 1 << 6,
    EVENT_PARAMETER_MANIFESTS = 1 << 7,
    EVENT_PARAMETER_NODE = 1 << 8,
    EVENT_PARAMETER_OBJECT = 1 << 9,
    EVENT_PARAMETER_PATTERN = 1 << 10,
    EVENT_PARAMETER_RECOVERS = 1 << 11,
    EVENT_PARAMETER_TO = 1 << 12,
    EVENT_PARAMETER_TOPOLOGY_KEY = 1 << 13,
    EVENT_PARAMETER_TOTAL = 1 << 14,
    EVENT_PARAMETER_WORKLOAD = 1 << 15,
    EVENT_PARAMETER_ZONE = 1 << 16,
    EVENT_PARAMETER_REPEATS = 1 << 17,
    EVENT_PARAMETER_FROM = 1 << 18,
    EVENT_PARAMETER_INITIAL = 1 << 19,
    EVENT_PARAMETER_EVERY = 1 << 20,
    EVENT_PARAMETER_CONDITION = 1 << 21,
    EVENT_PARAMETER_WHEN = 1 << 22,
};

/* CPU of a pod: "80%" of its request, or an amount such as 250m. */
struct cpu_level {
    bool percent;
    struct quantity value; /* of percent: 80 */
};

struct cpu_step {
    int64_t after_ns; /* since the pod started */
    struct cpu_level cpu;
};

/* What the nodes of a partition are cut off from. */
enum partition_side { PARTITION_CLIENTS, PARTITION_CONTROL_PLANE, PARTITION_BOTH };

/* The resource that a node runs low on. */
enum pressure_kind { PRESSURE_MEMORY, PRESSURE_DISK, PRESSURE_PID };

/* Only members that are parameters of the kind (events.def) are set. */
struct check_event {
    enum event_kind kind;
    struct place place;
    int32_t at_most;    /* in a run: 1 */
    bool after_settled; /* not before the cluster has settled for the first time */
    const char *when;   /* an expression (docs/expressions.md): it comes only where this is true;
                           NULL: anywhere */
    const char *group;  /* NULL: any node */
    const char *node;   /* NULL: any */
    bool recovers;      /* the node comes back some time; what was applied is undone */
    enum pressure_kind condition;
    int32_t concurrent;        /* nodes in maintenance at a time: 1 */
    bool drain;                /* true */
    const char *topology_key;  /* topology.kubernetes.io/zone */
    const char *zone;          /* a value of that label; NULL: any */
    enum partition_side from;  /* PARTITION_CLIENTS */
    struct object_name object; /* of `workload` or `object` */
    struct cpu_level *levels;  /* to choose from */
    uint32_t level_count;
    struct cpu_step *pattern; /* by rising time; of a load the cpu is that of all pods */
    uint32_t pattern_count;
    int64_t every_ns;         /* the pattern begins anew */
    struct quantity *initial; /* load: before the first event; NULL: none */
    struct quantity *totals;  /* to choose from */
    uint32_t total_count;
    int32_t *to; /* replicas to choose from */
    uint32_t to_count;
    struct cpu_level above_cpu; /* of the node's allocatable */
    struct string_list manifests;
    const struct objects *brings; /* apply: what a question of our own applies; NULL: what is in
                                     the manifests */
    const struct documents *documents; /* apply: the manifests, if they were read already; NULL:
                                          they are read from their files */
    const char *words; /* how a question of our own tells it; NULL: as its kind is told */
    bool repeats; /* apply: a GitOps controller applies the manifests again whenever the objects
                     differ; atMost does not count */
};

/* ---- intents ---- */

enum intent_kind {
#define INTENT(constant, class, name, takes, needs, violated) constant,
#include "object/intents.def"
#undef INTENT
    INTENT_KIND_COUNT
};

const char *intent_kind_name(enum intent_kind kind);
/* The intent of this name; false: there is none. */
bool intent_kind_find(const char *name, enum intent_kind *kind);

enum intent_parameter_number {
#define PARAMETER(constant, name, same) INTENT_PARAMETER_NUMBER_##constant,
#include "object/intent_parameters.def"
#undef PARAMETER
};

enum intent_parameter {
    INTENT_PARAMETER_NONE = 0,
#define PARAMETER(constant, name, same) \
    INTENT_PARAMETER_##constant = 1 << INTENT_PARAMETER_NUMBER_##constant,
#include "object/intent_parameters.def"
#undef PARAMETER
};

/* The parameters that it takes, of enum intent_parameter. */
unsigned intent_kind_takes(enum intent_kind kind);

/* `desired`: what the spec asks for; `min`: the lower bound of the autoscaler. */
enum replicas_bound { REPLICAS_NUMBER, REPLICAS_DESIRED, REPLICAS_MIN };
enum intent_mode { INTENT_MODE_ALWAYS, INTENT_MODE_EVENTUALLY };
enum intent_when { INTENT_WHEN_SETTLED, INTENT_WHEN_ALWAYS };

struct check_intent {
    enum intent_kind kind;
    struct place place;
    struct object_name workload; /* name NULL: every workload */
    enum intent_mode mode;       /* podsSchedulable */
    enum replicas_bound bound;   /* replicasAtLeast, replicasAtMost */
    int32_t value;               /* of REPLICAS_NUMBER; of REPLICAS_DESIRED what is added to it */
    int32_t swing;               /* 1 */
    const char *topology_key;
    int32_t max_skew; /* 1 */
    enum intent_when when;
    bool finished;     /* jobsAtMost: Jobs that are kept after their end count, too */
    const char *group; /* of nodes; NULL: all of them */
    bool loop;         /* nodesHealthy: only if it happens again and again */
    struct labels node_selector;
    double max_ratio;
    const char *expression; /* what users say in their own words (docs/expressions.md) */
    const char *condition;  /* always, never: it counts only where this is true; NULL: everywhere */
    const char *to;         /* leadsTo, until: the second expression */
    int64_t after_ns;       /* it counts only from so long after the beginning on; 0: from there */
    int64_t within_ns;      /* so long, at most, after the beginning; of leadsTo: between the two;
                               0: at any time */
    const char *title;      /* the user's name for it; NULL: none */
};

/* Are both copies of one intent? Strings and lists are compared by address. */
bool check_intent_same(const struct check_intent *left, const struct check_intent *right);

/* Reads an intent of the command line, NAME or NAME=KEY=VALUE,KEY=VALUE.
 * Problems have the command line as their place. */
bool intent_parse_option(struct arena *arena, const char *text, struct check_intent *intent,
                         struct problems *problems);
/* The same the other way round: intent_parse_option reads this intent from it. */
const char *intent_format_option(struct arena *arena, const struct check_intent *intent);

struct check {
    struct object_meta meta;
    struct string_list manifests;   /* relative to the file of the check */
    const char *kubernetes_version; /* whose rules apply; NULL: not said */
    enum check_start start;         /* unset: observed if there are pods, otherwise empty */
    enum check_time time;           /* unset: the manifests decide (setup.h) */
    struct check_node_group *node_groups;
    uint32_t node_group_count;
    struct check_workload *workloads;
    uint32_t workload_count;
    struct check_scale scale;
    struct check_controllers controllers;
    struct check_event *events;
    uint32_t event_count;
    struct check_intent *intents;
    uint32_t intent_count;
};

#endif
