/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the cluster model judges an intent.
 *
 * object/intents.def gives each intent a name and parameters. Everything that the
 * model, its reductions and its reports know of it is one constant
 * `struct intent_class`, at the end of a file of intent/, which its row there names. No
 * other file asks which intent it is.
 *
 * A class needs one of `atom`, `mark`, `displeases` and `minds_rest`.
 * Every other member has a default, which is what you get by leaving it out, and every
 * default is the safe one: an intent of which nothing else is said is judged in the
 * whole model, and no reduction is applied to it.
 *
 *   atom         a question about a state
 *   mark         a question about a step; it may remember something in `next`
 *   monitors     words of a state that belong to one intent: what it remembers of
 *                the run so far
 *   violated_by  how atoms or marks make a violation
 *
 * The functions are pure, but for monitors of the state that they are given to
 * change. They are called for every state and every step.
 */
#ifndef FATHOM_CLUSTER_INTENT_CLASS_H
#define FATHOM_CLUSTER_INTENT_CLASS_H

#include "cluster/forward.h"
#include "cluster/state/happening.h"
#include "decide/controller/deployment/deployment_internal.h"
#include "object/check.h"
#include "object/kind_names.h"
#include "object/object.h"

struct expression_part;

enum intent_violation {
    VIOLATED_BY_STEP,    /* the default: one step that is marked */
    VIOLATED_BY_STATE,   /* one state that has the atom */
    VIOLATED_BY_LOOP,    /* a run that is marked for ever, without any more outside events */
    VIOLATED_BY_STAYING, /* a run that has the atom in every state from some state on */
    VIOLATED_BY_LEAVING, /* a run that lacks the atom again and again */
    VIOLATED_BY_NO_WAY,  /* a state from which no run leads to one that has the atom */
};

/* Differences between runs that an intent cannot see, so that a reduction may leave one of
 * them out. A class has none of them by default. */
enum intent_ignores {
    /* Whether a pod that is on a node is ready: no atom and no mark depends on it. */
    IGNORES_READINESS = 1 << 0,
    /* That a pod is not ready yet: the intent reads readiness only when the cluster
     * rests, or in what must hold in the end. */
    IGNORES_STARTING = 1 << 1,
    /* Whether a set makes the pods that it lacks before or after other steps. */
    IGNORES_CREATION_ORDER = 1 << 2,
    /* What other workloads do: each violation comes from what happens to one workload, and
     * no violation is a state in which one workload waits for another. If the atom leaves
     * out workloads that are not in focus, the class has to have `displeases`. */
    IGNORES_OTHER_WORKLOADS = 1 << 3,
    /* Which node a pod is on. */
    IGNORES_PLACES = 1 << 4,
    /* Which pods terminate; but a pod that is to leave a node may be seen there until it begins to
     * (reduce/ends.h). */
    IGNORES_ENDS = 1 << 5,
    /* Of the pods of DaemonSets: what happens on other nodes. If the intent holds of the pods on
     * each node, it holds of all of them. */
    IGNORES_OTHER_NODES = 1 << 6,
    /* Which of the pods that are not ready wait for a node, or are not made yet. For what must
     * happen in the end, and for what must not happen again and again: as far as sets come to have
     * the pods that they want (reduce/waits.h). */
    IGNORES_WAITING = 1 << 7,
    /* That pods are evicted from nodes that are down for good, which they are once. */
    IGNORES_LOSSES = 1 << 8,
};

/* What of the manifests a violation is blamed on (report/source.c). */
enum intent_blame {
    BLAMES_STEPS,       /* the default: what the steps that led to it were decided by */
    BLAMES_PLACEMENT,   /* what says on which nodes the pods may be */
    BLAMES_TOLERATIONS, /* what lets pods come to a cordoned node */
    BLAMES_REQUESTS,    /* what the pods request, and the events that make nodes panic */
    BLAMES_BUDGETS,     /* the PodDisruptionBudgets of pods on nodes that are drained */
    BLAMES_SIZE,        /* what says how many pods there may be */
    BLAMES_SCHEDULE,    /* what says when a CronJob starts Jobs, and whether beside others */
    BLAMES_SPREAD,      /* the topology spread constraints */
    BLAMES_ROLLOUT,     /* the steps, and how the pods are replaced */
    BLAMES_PROGRESS,    /* the steps; if none of them gives a line, what the controller's progress
                           depends on */
};

/* What a class is asked about: a state, or a step out of it. */
struct judged {
    struct worker *worker;
    const struct population *population; /* the model */
    const struct intent *intent;
    const struct state *state;
    struct state *next;                /* what the step leads to; NULL: it is a state */
    const struct happening *happening; /* what the step is about; NULL: it is a state */
};

/* Which workloads an intent in users' own words looks at. */
enum intent_reach {
    REACHES_EVERYTHING,
    REACHES_ONE_WORKLOAD,  /* and nothing else */
    REACHES_EACH_WORKLOAD, /* and its pods, each by itself: it holds if it holds of each */
};

struct intent_class {
    enum intent_violation violated_by;
    /* Gives the class that the parameters ask for, if some of them change what is said here.
     * NULL: it is this one, whatever the parameters are. */
    const struct intent_class *(*form)(const struct check_intent *source);

    /* The class that is judged for some workloads if others are not modelled (others.h): if it
     * holds for all of them apart, the intent holds. NULL: it is this one, if it has
     * IGNORES_OTHER_WORKLOADS; otherwise workloads cannot be judged apart. */
    const struct intent_class *beside_others;

    /* Compiles the expressions of an intent in users' own words, for a model; NULL: it has none. */
    const struct intent_expressions *(*compile)(struct population *population,
                                                const struct check_intent *source);

    /* ---- what it sees ---- */

    /* Does the state have the atom? NULL: it has if `displeases` is true of a workload; if the
     * class is VIOLATED_BY_LEAVING, if it is true of none. */
    bool (*atom)(const struct judged *judged);
    /* Is the step marked? NULL: it is if it is ACT_SETTLED and `minds_rest` is true. */
    bool (*mark)(const struct judged *judged);
    /* Gives how many monitor words the intent needs. NULL: none. */
    uint32_t (*monitor_words)(const struct population *population, const struct intent *intent);
    /* Sets the monitors of a state in which runs begin, which is `next` and `state`. NULL: they
     * begin as 0. */
    void (*begin)(const struct judged *judged);
    /* With clocks: ticks until time alone changes what its monitors say; UINT32_MAX: it never does.
     * NULL: it never does. */
    uint32_t (*until_due)(const struct judged *judged);
    /* Is this workload the reason why the state is not as the intent wants it? NULL: the
     * intent is not about single workloads, and reports of states name none. */
    bool (*displeases)(const struct judged *judged, uint32_t workload);
    /* Is the intent violated if the cluster rests in this state? The happening is ACT_SETTLED
     * and says which workloads rest (intent_sees_rest). If it is, such a step is emitted. NULL:
     * none is emitted for this intent. */
    bool (*minds_rest)(const struct judged *judged);

    /* ---- whether it judged anything ---- */

    /* Could the intent have been violated by what happens in this state, rest (the happening is
     * ACT_SETTLED, and there is no `next`) or step: is what it is about there? An intent that holds
     * and never applied holds of nothing, and reports say so. NULL: it always applies. */
    bool (*applies)(const struct judged *judged);
    const char *never_applied; /* why it never did: "no pod was ever ready" */

    /* ---- what reductions may leave out ---- */

    unsigned ignores; /* of enum intent_ignores; 0: it sees everything */
    /* What else an intent with these expressions cannot see. NULL: nothing. */
    unsigned (*also_ignores)(const struct intent_expressions *expressions);
    /* Which workloads it looks at; `*workload` is the number of the one. NULL:
     * IGNORES_OTHER_WORKLOADS says it. */
    enum intent_reach (*reach)(struct arena *arena, const struct scope *scope,
                               const struct check_intent *source, uint32_t *workload);
    /* True if `displeases` counts for all workloads even while only one is in focus, so that
     * it need not be asked for the other workloads again. */
    bool ignores_focus;

    /* ---- where a search looks for violations first ---- */

    /* How near is the state to a violation? Greater is nearer; differences count, and no verdict
     * depends on it (verify/search.h). NULL: the less room is left for pods, the nearer. */
    int64_t (*nearness)(const struct judged *judged);
    /* Does `nearness` say more of this model than how little room is left? NULL: it does. */
    bool (*knows_nearness)(const struct population *population, const struct intent *intent);

    /* ---- what reports tell of the state in which it is violated ---- */

    /* The values of the expression's parts. NULL: there is none. */
    uint32_t (*parts)(const struct judged *judged, struct arena *arena,
                      struct expression_part *parts, uint32_t most);

    /* ---- what it needs ---- */

    /* Reports what of the Check or the manifests is not modelled, or makes the intent
     * meaningless. NULL: any Check will do. */
    void (*check)(const struct scope *scope, const struct check_intent *intent,
                  struct problems *problems);
    bool refuses_jobs;    /* true if it leaves out Jobs, whose pods come to an end, and cannot be
                             limited to one */
    bool about_cron_jobs; /* true if it can be limited to a CronJob, not to a workload, and needs
                             CronJobs that make Jobs by their schedules */
    bool needs_services;  /* true if the model has to know which pods Services select */
    /* Gives the part of a Service that selects pods that is not modelled. NULL: all is. */
    const char *(*unknown_service)(const struct object *service);
    bool needs_endpoints; /* true if it has to know which pods that terminate are endpoints */

    /* ---- what reports say of it ---- */

    enum intent_blame blames;
    /* Its place, from 1, among the intents of a Check that gives none. 0: it is not among them. */
    uint32_t usual;
    enum object_kind usual_with; /* and only if there is such an object; OBJECT_OTHER: always */
    /* True if a violation, as a search sees it, is the run that the intent asks for: verification
     * turns its verdicts around (verify/turn_examples.h). */
    bool asks_for_example;
    const char *premise; /* what a verdict of it relies on; NULL: nothing of its own */
};

/* An intent of a model. */
struct intent {
    const struct intent_class *class;
    const struct check_intent *source;
    uint32_t workload; /* the one that it is about; UINT32_MAX: it is about all of them */
    uint32_t monitor;  /* its first monitor word */
    uint32_t after;    /* with clocks: ticks from the beginning until it counts (build/clock.c) */
    uint32_t within;   /* and ticks within which something has to come; 0: at any time */
    unsigned ignores;  /* of enum intent_ignores: what it ignores beside what its class does */
    const struct intent_expressions *expressions; /* NULL: it has none (intent/expressions.c) */
};

/* Is the intent about this workload? */
static inline bool intent_concerns(const struct intent *intent, uint32_t workload)
{
    return intent->workload == UINT32_MAX || intent->workload == workload;
}

/* Does the workload rest, for good as far as it is known: is it in no loop, and does no periodic
 * actor have anything to do about it? */
static inline bool intent_sees_rest(const struct judged *judged, uint32_t workload)
{
    return !judged->happening->moving || !judged->happening->moving[workload];
}

#define INTENT(constant, class, name, takes, needs, violated) \
    extern const struct intent_class class;
#include "object/intents.def"
#undef INTENT

#endif
