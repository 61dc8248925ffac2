/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler: which node a pod goes to, why other nodes are not feasible,
 * and which pods it preempts.
 *
 * A decision is a pure function of the view and the pod. It is for entries of
 * the view, that is for classes of nodes: all nodes of an entry get the same
 * result. Where kube-scheduler picks one of several equally good nodes at
 * random, the decision holds them all, for the model explores every one.
 *
 *     scheduler = scheduler_create(arena, catalog, profiles);
 *     decision = scheduler_decide(scheduler, &view, pod, VIEW_NONE);
 *     if (!decision->best_count && !decision->error)
 *         preemption = scheduler_preempt(scheduler, &view, decision);
 *
 * The scheduler owns what it returns; it is good until the next decision. A
 * scheduler is bound to its catalog and, like it, to one thread.
 *
 * Departures from upstream: all nodes are examined and scored, whatever
 * percentageOfNodesToScore says, and all nodes are tried in preemption.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_SCHEDULER_H
#define FATHOM_DECIDE_SCHEDULER_SCHEDULER_H

#include "decide/scheduler/configuration.h"
#include "decide/scheduler/plan.h"

struct scheduler;

struct node_decision {
    struct verdict verdict;
    const int64_t
        *scores; /* normalised and weighted, in the profile's order; feasible nodes only */
    int64_t total;
};

struct decision {
    const struct plan *plan;
    const char *error;           /* the cycle ended with an internal error: nothing else counts */
    struct node_decision *nodes; /* by entry of the view */
    uint32_t node_count;
    uint64_t feasible_nodes; /* not entries */
    const uint32_t *best;    /* entries with the highest total, in the order of the view */
    uint32_t best_count;
    uint32_t nominated_entry; /* where the pod itself is nominated */
};

/* One way in which one node could make room. */
struct candidate {
    uint32_t entry;
    const uint32_t *victims; /* pod classes, in the order of selection */
    uint32_t victim_count;
    uint32_t budget_violations;
    bool chosen; /* the scheduler may choose this one */
};

struct preemption {
    const char *message;                /* why there is none, as the scheduler says it; NULL */
    const struct candidate *candidates; /* by entry; several of one entry if ages tie */
    uint32_t candidate_count;
    uint32_t chosen_count;
    bool orders_left_out; /* too many pods of equal age and priority to try every order */
};

struct scheduler *scheduler_create(struct arena *arena, struct catalog *catalog,
                                   const struct profiles *profiles);
void scheduler_release(
    struct scheduler *scheduler); /* releases the memory that is not in its arena */

/*
 * Decides for a pod that is on no node. `nominated_entry` is the entry of the
 * node that an earlier preemption made room on, VIEW_NONE if there is none; the
 * entry's count is 1 then. Returns NULL if no profile is responsible.
 */
const struct decision *scheduler_decide(struct scheduler *scheduler, const struct view *view,
                                        uint32_t pod, uint32_t nominated_entry);

/* Which plugins, by the profile's order, left out scoring for the decision. */
void decision_skipped_scores(const struct decision *decision, const struct view *view,
                             bool skipped[PLUGINS_MOST]);

/*
 * The smallest number of pods of these classes that, put on the nodes of the view,
 * can leave no node for the pod; counting stops at `enough`. 0: it is not known,
 * because a filter goes by more than room.
 */
uint64_t scheduler_room(struct scheduler *scheduler, const struct view *view, uint32_t pod,
                        const uint32_t *others, uint32_t other_count, uint64_t enough);

/*
 * After a decision, for two feasible entries: the total score of a node of the one is at least so
 * much higher than that of a node of the other (lead.h). The first function adds up the scores that
 * do not depend on what others hold on the nodes, the second one the rest. Nothing is assumed of
 * the scores of the plugin `unknown` (NULL: none).
 */
int64_t scheduler_lead(const struct scheduler *scheduler, uint32_t ahead, uint32_t behind,
                       const struct plugin *unknown);
int64_t scheduler_lead_beside(const struct scheduler *scheduler, uint32_t ahead, uint32_t behind,
                              const struct beside *beside);
/* The same, if others hold so much at least on the node behind, not counting what containers have
 * no request for, and so much at most. */
int64_t scheduler_lead_between(const struct scheduler *scheduler, uint32_t ahead, uint32_t behind,
                               const struct beside *beside, const struct beside *least,
                               const struct beside *most);

/* After a decision without a feasible node: what preemption would do. */
const struct preemption *scheduler_preempt(struct scheduler *scheduler, const struct view *view,
                                           const struct decision *decision);

#endif
