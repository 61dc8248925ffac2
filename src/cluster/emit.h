/* SPDX-License-Identifier: Apache-2.0 */
/* Hands the steps of a state to the search: which actor takes them, and what they are about. */
#ifndef FATHOM_CLUSTER_EMIT_H
#define FATHOM_CLUSTER_EMIT_H

#include "cluster/forward.h"
#include "cluster/intent/victims.h"
#include "cluster/population.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/webhooks.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

struct failures;

/* Failures of single nodes that have the same result for a workload (focus_failures.c). The
 * events that emit failures call it through these functions, so that they do not depend on the
 * reduction. */
struct failure_reduction {
    /* Begins with the failures of one node after the other in this state; NULL: none is reduced. */
    struct failures *(*begin)(const struct expansion *expansion, uint32_t event);
    /* May workloads be explored one at a time after this failure, wherever their pods go? Then
     * it gives the workloads for which no earlier failure had the same result. `config`: of the
     * node. */
    bool (*workloads)(struct failures *failures, const struct state *failed, uint32_t config,
                      uint32_t *workloads, uint32_t *count);
    void (*end)(struct failures *failures);
};

/* What a step waits for, which is a gate of the model (explore/model.h) for fairness: whoever acts
 * only on a cluster that rests is not forgotten because others are busy in between. */
enum step_gate {
    STEP_AT_ANY_TIME,
    STEP_OF_PERIODIC, /* until periodic actors may act */
    STEP_AT_REST,     /* until the cluster rests; then periodic actors may act, too */
    STEP_GATE_COUNT
};

/* The number of the gate in the model. */
static inline uint32_t step_gate_number(enum step_gate gate)
{
    return gate == STEP_AT_ANY_TIME ? GATE_NONE : (uint32_t)gate - STEP_OF_PERIODIC;
}

/* Whose steps are handed over, where some workloads lead (worker.leads). */
enum turn {
    TURN_OF_ALL,
    TURN_OF_FOLLOWERS, /* of one that does not lead, and only one step */
    TURN_TAKEN,        /* it was taken */
};

/* What the caller of population_expand_asked, or of population_expand_again, asks about. */
struct asked_step {
    enum population_action action;
    uint32_t revision;             /* UINT32_MAX: of any, or about none */
    enum population_action beside; /* about any revision; POPULATION_ACTION_COUNT: none */
    bool quick;  /* true if no other step makes a difference to whether they are possible */
    bool judged; /* true if intents judge them */
};

struct expansion {
    const struct population *population; /* the model */
    struct worker *worker;               /* what this thread writes */
    const struct state *state;
    struct step_sink *sink;
    uint32_t *words; /* room for WORDS_MOST */
    struct packed_head head;
    const struct actor *actor; /* whose steps are emitted now; NULL: no actor's */
    enum step_gate gate;       /* what the steps that are emitted now wait for */
    bool prompts;              /* true once a prompt actor emitted a step that changes the state */
    bool *moving;              /* by workload: true once a periodic actor emitted a step about it;
                                  NULL: no intent is about rest */
    bool moved;                /* true once a step that changes the state was emitted, lazy steps
                                  not included */
    bool lazy;                 /* true while the steps that are emitted may wait: the cluster is
                                  at rest although they are possible */
    bool waits;                /* true once a lazy step that changes the state was emitted */
    bool rests;                /* true if nothing fast is left to do */
    bool settled;              /* true if the cluster is at rest in this state */
    bool settles;              /* true if it is at rest for the first time in the run */
    enum population_focus focus; /* how the successors of this state are followed: all
                                      workloads together, or one at a time */
    bool first_only; /* true if the caller wants one step: an actor may stop after the first */
    const struct asked_step *asked; /* the only steps that are handed over; NULL: all are */
    bool answered;                  /* true once who asks wants no more of them */
    bool stops;      /* true if who expands the state wants no more steps once it is answered */
    bool leaves_out; /* true if steps of workloads that do not lead need not be made once one is
                        known (worker.leaves_out), and nobody asks which are enabled */
    bool postponed;  /* true while a reduction leaves steps out: emit only declares their
                        fairness class enabled */
    enum turn turn;
    bool finite; /* true while steps of an event are emitted that is not counted */
    /* The state before pods of the pool were put on nodes for the event (pool.h); NULL: none were.
     */
    const struct state *undrawn;
    bool unnoticed; /* true once an event stopped nodes that are noticed one after the other */
    /* Whether what others do can keep the steps that are emitted now from being taken. */
    enum crowding crowding;
    const struct failure_reduction *failures; /* how failures of nodes are reduced; NULL: not */
};

/* Is the workload out of focus? */
static inline bool expansion_ignores(const struct expansion *expansion, uint32_t workload)
{
    return expansion->state->focus > 0 && workload != UINT32_MAX &&
           workload + 1 != expansion->state->focus;
}

/* Are steps of the workload left out, as it does not lead, and is all known that they tell: that
 * somebody has something to do, and that a prompt actor has? */
bool expansion_stands_still(const struct expansion *expansion, uint32_t workload);

static inline bool expansion_leaves_out(const struct expansion *expansion, uint32_t workload)
{
    return expansion->leaves_out && expansion_stands_still(expansion, workload);
}

/* The same of steps about pods of the revision. */
static inline bool expansion_leaves_out_pods(const struct expansion *expansion, uint32_t revision)
{
    return expansion->leaves_out && revision != UINT32_MAX &&
           expansion_leaves_out(expansion,
                                expansion->population->revisions.items[revision].workload);
}

/* Can what is asked about be told without this step? Then its successor need not be made. */
static inline bool expansion_skips(const struct expansion *expansion, enum population_action action,
                                   uint32_t revision)
{
    const struct asked_step *asked = expansion->asked;
    if (expansion->stops && expansion->answered)
        return true;
    if (!asked || !asked->quick)
        return false;
    return expansion->answered ||
           (action != asked->beside && (action != asked->action || (asked->revision != UINT32_MAX &&
                                                                    revision != asked->revision)));
}

/* Hands over the step to `next`, with the marks that the intents give it. */
void expansion_emit(struct expansion *expansion, struct state *next, struct happening happening);
/* The same for a step by which one node of the happening's entry gets another config, ... */
void expansion_emit_node(struct expansion *expansion, uint32_t config, struct happening happening);
/* ... or one pod of the class `from` (VIEW_NONE: none) there becomes one of `to` (likewise). */
void expansion_emit_pod(struct expansion *expansion, uint32_t from, uint32_t to,
                        struct happening happening);
/* The same for a step by which one node of the entry comes into another condition. Nodes may lose
 * their taints by it. */
void expansion_emit_condition(struct expansion *expansion, uint32_t entry,
                              enum node_condition condition, enum population_action action);
/* ... or one pod of the class on a node of the entry is evicted. */
void expansion_emit_eviction(struct expansion *expansion, enum population_action action,
                             uint32_t entry, uint32_t class);
/* Does the API server refuse pods of the revision in this state? Then it emits that step, and the
 * controller has not created them. */
bool expansion_refuses(struct expansion *expansion, const struct state *state, uint32_t revision);
/* Likewise of another request that is about the revision, while a webhook is silent. */
bool expansion_refuses_request(struct expansion *expansion, enum webhook_request request,
                               uint32_t revision);
/* So many of the pods that a controller wants to create are admitted; 0: as above. */
uint32_t expansion_admits(struct expansion *expansion, uint32_t revision, uint32_t wanted);
/* Where a quota or a webhook is in between, requests of several controllers are served in any
 * order, and what is freed is seen late: a controller may create any number of the pods that are
 * admitted before others act. Gives the next smaller number to try; 0: none. */
uint32_t expansion_fewer(const struct expansion *expansion, uint32_t revision, uint32_t created);
/* Hands over a step by which pods of the revision are created. Others may keep it from being taken
 * (quota_crowding). */
void expansion_emit_created(struct expansion *expansion, struct state *next,
                            struct happening happening, uint32_t revision);
/* The cluster autoscaler taints the node of the entry, or takes its taint away. */
void expansion_emit_mark(struct expansion *expansion, uint32_t entry, enum node_condition condition,
                         enum population_action action);
/* The node of the entry is gone, or was never there: it is one of the config from now on, which has
 * no pods. Nodes may lose their taints by it. */
void expansion_emit_absence(struct expansion *expansion, uint32_t config,
                            struct happening happening);
/* Somebody has something to do that may be about every workload: none of them rests. */
void expansion_note_unrest(struct expansion *expansion);
/* Emits a step that leaves the state as it is (a pod cannot be placed). */
void expansion_emit_idle(struct expansion *expansion, struct happening happening);

/* The part of a happening that goes into a step's argument, for descriptions. Numbers that do not
 * fit become UINT32_MAX; an amount that does not fit becomes the largest that does. */
struct step_subject {
    uint32_t revision;
    uint32_t node;
    uint32_t amount;
};

/* The number of subjects of fairness: each action has a fairness class for each of them. */
uint32_t population_fairness_subjects(const struct population *population);
/* The number of fairness classes, and the gate of each. */
uint32_t population_fairness_classes(const struct population *population);
/* See population.keeps_more. */
bool population_keeps_more(const struct population *population);
uint32_t population_class_gate(const struct model *model, uint32_t fairness_class);
/* Is the class about several nodes that are alike, taken as one? */
bool population_class_is_shared(const struct model *model, uint32_t fairness_class);
struct step_subject step_subject_of(const struct step *step);

#endif
