/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The actors of a cluster: controllers, kubelets, the scheduler, and time itself.
 *
 * Each is one file, step_*.c, which ends in one `const struct actor` for each thing that
 * acts; registry.def lists them in the order in which their steps are handed out. No other
 * file names an actor: expand.c goes through the registry by pace.
 *
 *     const struct actor actor_scheduler = {
 *         .name = "scheduler",
 *         .step = step_scheduler,
 *         .writes = PART_WAITING | PART_PODS | PART_NOMINATIONS,
 *     };
 *
 * A step function looks at expansion->state, makes a copy of it for each step that the
 * actor can take, and hands it to expansion_emit with what the step is about. The names of
 * the actions, their fairness and the sentences about them are rows of state/actions.def.
 *
 * A member that is left out has the safe default, which its comment gives.
 */
#ifndef FATHOM_CLUSTER_ACTOR_TYPE_H
#define FATHOM_CLUSTER_ACTOR_TYPE_H

#include "cluster/emit.h"
#include "cluster/forward.h"
#include "cluster/state/invariants.h"
#include "object/kind_names.h"

#include <stdbool.h>

/* When an actor acts. */
enum actor_pace {
    PACE_FAST,     /* within moments: before or after any other step */
    PACE_LAZY,     /* at any moment, but the cluster is at rest although it has something to do */
    PACE_PERIODIC, /* every few seconds or minutes, on a cluster whose fast steps are done */
    PACE_WATCHING, /* as soon as the fast steps are done, with clocks, too */
    PACE_SLOW,     /* when nothing fast is left to do; with clocks its time is part of the state */
    PACE_COUNT
};

struct actor {
    const char *name;
    enum actor_pace pace; /* default: fast */
    /* Hands over every step that the actor can take in the state. */
    void (*step)(struct expansion *expansion);
    /* With clocks, in place of `step`: hands over what is due now; true if something is.
     * Only of periodic actors; NULL: it has no clock. */
    bool (*step_due)(struct expansion *expansion);
    /* With clocks, at rest, if intents are about rest: notes in expansion->moving the workloads
     * that it would change if its time had come. NULL: none. */
    void (*foresee)(struct expansion *expansion);
    /* True if it acts within milliseconds, so that periodic actors find its work done, or not begun
     * (see INTERLEAVING_CONTROLLERS); false: its steps may take longer than their periods. Default:
     * it may be in the middle of its work when they act. */
    bool prompt;
    /* With clocks its steps may wait, as those of lazy actors. */
    bool lazy_with_clocks;
    /* Can its steps, or those that it leaves, depend on pods that terminate? That a drain waits for
     * them is known (reduce/ends.h). NULL: they can, if it reads pods. */
    bool (*minds_ends)(const struct population *population);
    /* Can its steps, or those that it leaves, depend on whether a pod that is not ready waits for a
     * node, or is not made yet (reduce/waits.h)? NULL: they can, if it reads pods. */
    bool (*minds_waits)(const struct population *population);
    /* The parts of a state that its steps depend on and that they change; debug builds
     * check `writes` (state/invariants.h). 0: everything. */
    unsigned reads;
    unsigned writes;
    /* All actions of its steps, up to ACTIONS_END; debug builds check it. NULL: they may be of any.
     */
    const enum population_action *actions;
};

/* Ends a list of actions. */
#define ACTIONS_END POPULATION_ACTION_COUNT

/* May a step of the actor be of the action? */
bool actor_may_take(const struct actor *actor, enum population_action action);

/* For `minds_ends` and `minds_waits`: they cannot. */
static inline bool never_minds(const struct population *population)
{
    (void)population;
    return false;
}

static inline unsigned actor_writes(const struct actor *actor)
{
    return actor->writes ? actor->writes : PART_EVERYTHING;
}

#define ACTOR(row, can_act) extern const struct actor row;
#include "cluster/actor/registry.def"
#undef ACTOR

#endif
