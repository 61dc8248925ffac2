/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How workloads were decided one component after the other (modular.h), for reports and for the
 * progress: which components there are and why, what holds for which of them and how that was
 * shown, and what stands in the way of the rest.
 *
 * This is data; report_workloads.c has the words. Nothing here decides anything.
 */
#ifndef FATHOM_VERIFY_PARTS_H
#define FATHOM_VERIFY_PARTS_H

#include "base/arena.h"
#include "cluster/others.h"
#include "cluster/reduce/couplings.h"
#include "explore/explore.h"
#include "setup/setup.h"

/* What keeps something from being shown for a component by itself. A culprit is the component
 * because of which it is so. */
enum part_obstacle {
    OBSTACLE_LIMIT,        /* it has too many states itself */
    OBSTACLE_UNMEASURED,   /* how much room others take is not known: the culprit has too many */
    OBSTACLE_LASTING_ROOM, /* others may take all room that its pods need, for ever */
    OBSTACLE_PASSING_ROOM, /* ... for a while */
    OBSTACLE_STAYING,      /* pods of the culprit may stay on a node that is drained */
    OBSTACLE_UNREST,       /* the culprit may never rest, and something waits for that */
    OBSTACLE_ANY_NODE,     /* others may make any node the best one for its pods */
    /* Because of the next one its pods may be preempted, or nothing that was shown of any component
     * counts: */
    OBSTACLE_PREEMPTS, /* pods of the culprit may find no node, and then preempt others */
    /* Because of these nothing that was shown of any component counts: */
    OBSTACLE_LOOP,  /* the culprit can be in a loop that counts as rest */
    OBSTACLE_START, /* runs begin when the cluster rests, and the culprit may never do so */
    OBSTACLE_TURNS, /* priorities differ, and pods of the culprit may go first for ever */
    OBSTACLE_COUNT
};

/* Why all workloads were explored together from the start. */
enum together_because {
    TOGETHER_NOT,        /* they were not */
    TOGETHER_IS_ASKED,   /* --no-modular */
    TOGETHER_IS_SMALL,   /* there are hardly any states to spend */
    TOGETHER_BY_CLOCKS,  /* what others do decides at which moments something can happen */
    TOGETHER_IS_SAVED,   /* only such a run can be interrupted and gone on with */
    TOGETHER_BY_INTENTS, /* they are about several workloads at once, or too many */
    TOGETHER_COUPLED,    /* there is one component */
    TOGETHER_UNKNOWN,    /* the model was too large to find out, or has too many resources */
    TOGETHER_COUNT
};

/* What makes the others harmless, where something holds. */
enum part_reason {
    REASON_ANYTHING = 1 << 0,     /* it holds whatever others do */
    REASON_ROOM = 1 << 1,         /* the room that others hold at most keeps no pod from a node */
    REASON_PASSING_ROOM = 1 << 2, /* ... keeps pods from every node for a while */
    REASON_LASTING_ROOM = 1 << 3, /* ... for ever, and it holds all the same */
    REASON_LEAVING = 1 << 4,      /* others leave every node that is drained */
    REASON_QUOTAS = 1 << 5,       /* quotas that they share keep pods out for a while only */
};

struct decided_part {
    uint32_t *workloads; /* of the scope */
    uint32_t workload_count;
    uint32_t like;      /* the part that was explored in its place; UINT32_MAX: none */
    uint32_t sibling;   /* the part with which it was explored at first; UINT32_MAX: none */
    uint64_t asked;     /* bit i: intent i is about it, and is asked of each part */
    uint64_t by_itself; /* bit i: it holds whatever others do */
    uint64_t beside;    /* bit i: it holds with what is known of others */
    uint64_t in_whole;  /* bit i: it holds when all workloads are explored together */
    uint64_t violated;  /* bit i: by a run of the whole cluster */
    uint64_t states;    /* of its own explorations */
    enum explore_reason ended_by;      /* of the last of them; EXPLORE_DECIDED: it was complete */
    unsigned hindered;                 /* what others did in it, of enum hindrance */
    unsigned obstacles;                /* bits of enum part_obstacle */
    uint32_t culprits[OBSTACLE_COUNT]; /* parts; UINT32_MAX: nobody in particular */
};

struct parts {
    struct decided_part *items; /* none: all workloads were explored together */
    uint32_t count;
    enum together_because together;
    struct coupled *couplings;
    uint32_t coupling_count;
    uint64_t violated;  /* bit i: intent i is, by a run of the whole cluster */
    uint64_t several;   /* bit i: intent i is about several workloads at once */
    unsigned reasons;   /* of enum part_reason */
    uint32_t stays;     /* the part that may stay on a node that is drained; UINT32_MAX: none */
    uint32_t restless;  /* the part that may never rest; UINT32_MAX: none */
    uint32_t preempts;  /* the part whose pods may preempt others; UINT32_MAX: none */
    uint32_t unbounded; /* the part of which it is not known how much room it takes */
    enum part_obstacle blamed; /* because of this nothing counts; OBSTACLE_COUNT: there is none */
    uint32_t culprit;
};

static inline uint64_t part_holds(const struct decided_part *part)
{
    return part->by_itself | part->beside | part->in_whole;
}

static inline uint64_t part_open(const struct decided_part *part)
{
    return part->asked & ~part_holds(part) & ~part->violated;
}

/* The part that the workload is in; NULL: none. */
struct decided_part *parts_find(const struct parts *parts, uint32_t workload);

/* ---- for modular.c, which fills it in ---- */

/* `of` is by workload the number of its component. */
void parts_begin(struct parts *parts, struct arena *arena, const struct components *components,
                 uint32_t workload_count);
/* What is open is asked now, perhaps again: nobody is known to be in the way. */
void parts_ask(struct parts *parts);
/* An exploration beside others came to its end: of what was asked this holds. */
void parts_note(struct parts *parts, uint32_t number, const struct others *others, uint64_t asked,
                uint64_t holds, uint64_t states, unsigned hindered, enum explore_reason ended_by);
/* What was shown of these intents counts no more: they are asked again. */
void parts_reopen(struct parts *parts, uint32_t number, uint64_t intents);
/* What is known of the part that was explored in its place is known of this one. */
void parts_learn(struct parts *parts, uint32_t number);
/* Nothing that was shown counts, because of the culprit. OBSTACLE_COUNT: that is no longer so. */
void parts_blame(struct parts *parts, enum part_obstacle obstacle, uint32_t culprit);
/* Says what stands in the way of what is open in the end, of the intents of the part. */
void parts_conclude(struct parts *parts, uint32_t number, uint64_t open);
/* A run of the cluster violates the intent for this workload; UINT32_MAX: for nobody in particular.
 */
void parts_note_violated(struct parts *parts, uint32_t intent, uint32_t workload);
/* The whole cluster was explored for what was open. */
void parts_note_whole(struct parts *parts, uint64_t asked, uint64_t undecided);

/* A copy that lives in the arena. */
struct parts *parts_copy(struct arena *arena, const struct parts *parts);

/* ---- progress ---- */

enum part_news_kind {
    PART_DECIDED,    /* all that was asked of the part holds or is violated */
    PART_OPEN,       /* neither, and all workloads have to be explored together */
    PARTS_RETRACTED, /* what was told as holding does not count yet */
};

struct part_news {
    enum part_news_kind kind;
    const struct scope *scope;
    const struct parts *parts;
    uint32_t part;
    uint32_t decided; /* parts so far, this one among them */
    uint32_t total;   /* parts that something is asked of */
    uint64_t setups_total;
    double seconds; /* since the setup was begun */
};

#endif
