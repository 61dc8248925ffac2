/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a scheduler plugin is.
 *
 * Upstream runs a plugin for each node. Here it runs for each *node config*,
 * and what it finds is kept, so the work is cut by how long a result is good:
 *
 *   prepare   once for each kind of incoming pod: compile it into the plugin's
 *             own state (a `part` of the plan) and reserve counters and facts
 *   examine   once for each node template: facts about the node as such
 *   relate    once for each kind of existing pod: what one such pod adds to
 *             the counters of the node it is on
 *   gather    once a decision: sums over the whole view, such as how many
 *             matching pods each zone has
 *   filter    a verdict, from the facts and counters of one node (local) or
 *             also from what was gathered (global). Local verdicts and scores
 *             are computed once for each node config.
 *
 * The counters of a node are the sum of what its pods relate: taking a pod
 * away, as preemption tries, subtracts. A global filter is told the counters
 * before (`base`, which are part of what was gathered) and now, so that nothing
 * has to be gathered again.
 *
 * Plugins are pure: all state is in the plan and the cycle. A plugin touches
 * only its own part, counters and facts.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_PLUGIN_H
#define FATHOM_DECIDE_SCHEDULER_PLUGIN_H

#include "decide/reads.h"
#include "decide/scheduler/configuration.h"
#include "decide/scheduler/plugin_field.h"
#include "decide/view.h"

enum { NODE_SCORE_MOST = 100, PLUGINS_MOST = 16 };

enum verdict_code {
    VERDICT_FEASIBLE,
    VERDICT_UNSCHEDULABLE, /* taking pods away may help */
    VERDICT_UNRESOLVABLE,  /* nothing that preemption does can help */
    VERDICT_NOT_EXAMINED,  /* the pod narrowed the nodes to others */
};

struct plugin;

struct verdict {
    enum verdict_code code;
    const struct plugin *plugin; /* who said no; set by the framework */
    const char *reason;
};

/* What one node carries, as one plan counts it. */
struct load {
    const struct node_template *template;
    const int64_t *facts;
    int64_t *counters;
    uint64_t used_ports; /* a set, not a sum: see node_ports.c */
};

/* What a plugin keeps in a plan. */
struct part {
    bool filters;       /* this pod can be turned down by the plugin */
    bool scores;        /* nodes may get different scores for this pod */
    bool skips;         /* if it does not: the plugin does not score at all */
    int64_t same_score; /* if it does neither: the score it gives to all nodes, before weighing */
    uint32_t counters;  /* offset of the plugin's counters */
    uint32_t score_counters;
    uint32_t facts; /* offset of its facts */
    void *state;
};

struct profile;
struct plan;
struct cycle;

/* One node that a filter or score looks at. */
struct trial {
    const struct plan *plan;
    const struct part *part;
    const struct load *now;
    const struct load *base; /* as gathered; the same as `now` outside preemption and nominations */
    const struct cycle *cycle; /* NULL for local filters and scores */
    uint32_t entry;            /* into the cycle's view */
    struct arena *texts;       /* for reasons that have to be composed; NULL: no reason is wanted */
};

/* The outcome of a pre-filter that concerns all nodes. */
struct pre_filter_outcome {
    struct verdict verdict;        /* not feasible: for every node */
    const char *error;             /* the cycle ends with this internal error */
    bool narrowed;                 /* only the named nodes are to be examined */
    struct string_list node_names; /* sorted */
};

/* What pods of others hold on a node at most, with 100m and 200 MiB where a container has no
 * request. */
struct beside {
    int64_t cpu_milli;
    int64_t memory;
};

/* Two feasible entries that are compared beside pods that the view does not show (lead.h). */
struct lead {
    const struct plugin *plugin;
    const struct part *part;
    const struct cycle *cycle;
    uint32_t place; /* of the plugin among the profile's scores */
    uint32_t ahead;
    uint32_t behind;
    const struct beside *beside; /* on the node ahead; for `lead_beside` */
    /* On the node behind others hold this at least, of what pods really request, and this at most.
     * NULL: nothing is known of it. */
    const struct beside *behind_least;
    const struct beside *behind_most;
};

/* Events that may make a pod schedulable again; see queue.h. */
enum cluster_event {
    EVENT_NODE_ADD = 1 << 0,
    EVENT_NODE_ALLOCATABLE = 1 << 1,
    EVENT_NODE_LABEL = 1 << 2,
    EVENT_NODE_TAINT = 1 << 3, /* spec.unschedulable as well */
    EVENT_NODE_CONDITION = 1 << 4,
    EVENT_POD_ADD = 1 << 5,    /* an assigned pod came */
    EVENT_POD_UPDATE = 1 << 6, /* labels of an assigned pod */
    EVENT_POD_DELETE = 1 << 7, /* an assigned pod is gone */
    EVENT_STORAGE = 1 << 8,    /* a volume, claim or storage class came or changed */
    EVENT_NODE_UPDATE =
        EVENT_NODE_ALLOCATABLE | EVENT_NODE_LABEL | EVENT_NODE_TAINT | EVENT_NODE_CONDITION,
    EVENT_POD_ALL = EVENT_POD_ADD | EVENT_POD_UPDATE | EVENT_POD_DELETE,
};

/* Properties of a pod that the plugin reads and that are not part of a kind of pods otherwise. */
enum plugin_reads_pod {
    PLUGIN_READS_POD_NAME = 1 << 0,
    PLUGIN_READS_POD_ANNOTATIONS = 1 << 1,
};

/*
 * What a plugin looks at, in the words of decide/reads.h. Code that treats equal
 * nodes or pods as one asks for it: the setup of a check, the kinds of pods, the
 * exploration of workloads one at a time. A plugin without it is taken to look at
 * everything; a member of it that is NULL or 0 means that the plugin looks at
 * nothing of the kind.
 */
struct plugin_reads {
    /* When a node is looked for, for a pod with this spec. */
    void (*of_incoming)(struct reads *reads, const struct pod_spec *spec);
    /* As long as a pod with this spec is on some node. */
    void (*of_placed)(struct reads *reads, const struct pod_spec *spec);
    /* Of an object that is neither pod nor workload. */
    void (*of_object)(struct reads *reads, const struct object *object);
    /* As the plugin's arguments in a profile say. */
    void (*of_profile)(struct reads *reads, const struct scheduler_profile *profile);
    /* Does the place of a pod like `own` depend on where pods like `other` are,
     * apart from the resources that they request? */
    bool (*looks_at)(struct catalog *catalog, const struct pod *own, const struct pod *other);
    uint32_t pods_by; /* of enum plugin_reads_pod */
    /* Does the plugin reject pods of this shape only by the node itself and by what the
     * pods on it request, so that a further pod on the node never makes it feasible
     * (room.c)? NULL: it may depend on more. */
    bool (*only_room)(const struct pod_shape *shape);
};

/* For `only_room`: true for pods of every shape. */
static inline bool only_room_ever(const struct pod_shape *shape)
{
    (void)shape;
    return true;
}

struct plugin {
    const char *name;    /* upstream's */
    const char *mirrors; /* upstream's file, and the version it was compared with */
    int32_t weight;      /* upstream's default weight; 0: does not score */
    uint32_t events;     /* after which a pod it turned down is tried again */
    bool global_filter;
    bool global_score;
    const struct plugin_reads *reads;
    /* What a report points to when the plugin turned a pod down: the first of these
     * that the manifest has. NULL: nothing. */
    const struct plugin_field *fields;
    const char *without_fields; /* said when it has none of them; NULL: nothing */

    void (*prepare)(struct plan *plan, struct part *part);
    void (*examine)(const struct plan *plan, const struct part *part,
                    const struct node_template *template, int64_t *facts);
    void (*relate)(const struct plan *plan, const struct part *part, const struct pod_shape *pod,
                   bool terminating, int64_t *counters);

    /* False: `outcome` says why, or which nodes are left. */
    bool (*pre_filter)(const struct plan *plan, const struct part *part, const struct view *view,
                       struct pre_filter_outcome *outcome);
    void (*gather)(struct cycle *cycle, const struct part *part);
    struct verdict (*filter)(const struct trial *trial);

    void (*pre_score)(struct cycle *cycle, const struct part *part);
    int64_t (*score)(const struct trial *trial);
    /* Does the plugin leave scoring out because nothing in this view matters to it? Then it has
     * given all nodes 0. Asked by reports, not by decisions. NULL: as the part says. */
    bool (*skips)(const struct plan *plan, const struct part *part, const struct view *view);
    /* In place, over the feasible entries; NULL: scores are 0 to 100 already. */
    void (*normalise)(const struct cycle *cycle, const struct part *part, int64_t *scores);

    /* At least so many points more than the node behind the node ahead has, before weighing, where
     * others may have pods on any node and may have filled nodes (lead.h). `lead_beside` goes by
     * what the others hold on the node ahead, and `lead` does not; a plugin has one of them. If
     * both are NULL, the node behind may have all points, and the node ahead none. */
    int64_t (*lead)(const struct lead *lead);
    int64_t (*lead_beside)(const struct lead *lead);
};

#define PLUGIN(name) extern const struct plugin plugin_##name;
#include "decide/scheduler/plugins.def"
#undef PLUGIN

/* All plugins in upstream's default order, then NULL. */
extern const struct plugin *const plugin_registry[];
const struct plugin *plugin_find(const char *name);

static inline struct verdict verdict_feasible(void)
{
    return (struct verdict){.code = VERDICT_FEASIBLE};
}

static inline struct verdict verdict_no(enum verdict_code code, const char *reason)
{
    return (struct verdict){.code = code, .reason = reason};
}

#endif
