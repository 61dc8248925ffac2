/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of the model told with names: the state counts nodes and pods, a reader
 * wants to know which.
 *
 * The teller follows a run from its initial state and gives every node and pod
 * a name of its own (GROUP-1, GROUP-2, ...; REPLICASET-1, ...), choosing among
 * those that are alike the first. What happened is read off the difference of
 * two states, so that a new kind of step needs nothing here.
 *
 *     teller = storyteller_create(arena, population, words, length);
 *     storyteller_tell(teller, &step, &told);     for each step
 *     storyteller_picture(teller, &picture);      at any time
 *
 * Everything told lives in the arena and outlives the population.
 */
#ifndef FATHOM_CLUSTER_STORY_STORY_H
#define FATHOM_CLUSTER_STORY_STORY_H

#include "cluster/forward.h"
#include "cluster/story/step_deed.h"
#include "object/meta.h"

/* Numbers of earlier steps, from 1 on, in order. 0 stands for the initial state, and for an
 * outside event, which needs no cause. */
struct story_causes {
    uint32_t *items;
    uint32_t count;
};

/* What the scheduler says of nodes that are alike for it. */
struct story_scheduling_row {
    const char *nodes; /* "n1, n2 and 13 more" */
    uint32_t count;
    bool passes;        /* all filters */
    bool best;          /* true if no other has a higher total */
    bool taken;         /* true if the pod is bound to one of them */
    const char *plugin; /* whose filter refuses them; NULL: they pass, or were not examined */
    const char *reason; /* NULL: they pass */
    int64_t *scores;    /* weighted, by plugin of the table; NULL: they do not pass */
    int64_t total;
};

/* Those that pass come first, by their total. */
struct story_scheduling {
    struct string_list plugins; /* those that score; none if no node passes */
    struct story_scheduling_row *rows;
    uint32_t row_count;
    uint32_t nodes_left_out; /* of the rows that the table has no room for */
};

struct story_step {
    const char *actor;
    const char *action;
    const char *object;     /* "Pod/default/web-1-3", "Node/zone-1-1" */
    const char *detail;     /* what happens: a sentence without a full stop */
    struct string_list why; /* sentences that explain it; none: that is not known */
    const char *node;       /* name; NULL: none, or several */
    uint32_t workload;      /* of the scope; UINT32_MAX: none, or several */
    bool outside;           /* true if it is an outside event */
    bool waits;             /* true if it leaves the state as it is */
    bool quiet;             /* true if nothing but time passes */
    int64_t period_ns;      /* the time before it, if a periodic controller takes it; else 0 */
    bool notable;           /* true if `why` belongs in a short report too */
    const char *plugin;     /* of the scheduler or descheduler that decided it; NULL: none */
    const char *reason;     /* what that plugin says; NULL: nothing */
    const struct story_scheduling *scheduling; /* NULL: it is no step of the scheduler's */
    const struct check_event *event;           /* the event of the Check that came; NULL: none */
    struct story_causes causes; /* the steps without whose effects it could not be taken */
    struct step_deed deed;
};

struct story_pod {
    const char *name;
    const char *stage; /* "", "bound", "starting" or "terminating" */
    const char *workload;
};

/* How much of a resource a node has, and how much of it its pods request. */
struct story_room {
    int64_t allocatable;
    int64_t requested;
};

struct story_node {
    const char *name;
    const char *condition;    /* what is wrong with it; "": nothing */
    struct string_list pods;  /* names, with their stage where it is not ready */
    const char *zone;         /* NULL: it has no such label */
    struct story_pod *placed; /* the pods once more, in the same order */
    struct story_room cpu;    /* in thousandths */
    struct story_room memory;
};

/* What an autoscaler goes by, of the pods that it sees. */
struct story_metric {
    const char *name; /* of the resource */
    const char *unit; /* "%" of what is requested, "m" or "Mi" of a pod on average */
    int64_t value;    /* -1: there is no sample */
    int64_t target;
};

struct story_workload {
    const char *name; /* Kind/namespace/name */
    int32_t replicas; /* how many it wants now */
    struct string_list waiting;
    const char *note;   /* what its controller has come to, "it is complete"; NULL: nothing */
    int64_t load_milli; /* CPU that its ready pods share; -1: it bears no load */
    int64_t used_milli; /* CPU that its ready pods use; -1: nothing changes what one of them uses */
    struct story_metric *metrics; /* of its autoscaler */
    uint32_t metric_count;
};

struct story_picture {
    struct story_node *nodes;
    uint32_t node_count;
    struct story_workload *workloads;
    uint32_t workload_count;
};

/* What an expression comes to in a state: "pods.size()" is "2". */
enum { STORY_VALUES_MOST = 8 };

struct story_values {
    struct expression_part *items;
    uint32_t count;
};

struct storyteller *storyteller_create(struct arena *arena, struct worker *worker,
                                       const uint32_t *words, uint32_t length);

/* A teller that goes on from the same state by itself and finds no causes, to see how a step
 * would be told. */
struct storyteller *storyteller_copy(struct arena *arena, const struct storyteller *teller);

/* The next step; step->words is the state that it leads to. */
void storyteller_tell(struct storyteller *teller, const struct step *step, struct story_step *told);

/* Finds the steps without whose effects the atom of this intent would have another value in the
 * present state: they are to blame for the state. If the run `rests` there, the value counts
 * that the atom would have once everything has come to rest again. */
void storyteller_blame(struct storyteller *teller, uint32_t intent, bool rests,
                       struct story_causes *causes);

/* The workload that the intent is not content with in the present state: its number in the
 * scope; UINT32_MAX: none, or the intent is not about states. */
uint32_t storyteller_whose(struct storyteller *teller, uint32_t intent);
/* The values of the parts of its expression as the cluster is. */
struct story_values storyteller_values(struct storyteller *teller, uint32_t intent);
/* What the expression comes to as the cluster is; false: it is none, and the problems say why. */
struct expression_value;
bool storyteller_evaluate(struct storyteller *teller, const char *text, struct problems *problems,
                          struct expression_value *value);

/* What the cluster autoscaler of the run is told about its groups; NULL: there is none. */
const struct autoscaling *storyteller_autoscaling(const struct storyteller *teller);

/* How many nodes of this group that it scales are registered in the present state. */
uint32_t storyteller_count_nodes(struct storyteller *teller, uint32_t number);

void storyteller_picture(struct storyteller *teller, struct story_picture *picture);

#endif
