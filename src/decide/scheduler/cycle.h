/* SPDX-License-Identifier: Apache-2.0 */
/* One decision under way: shared by the cycle, preemption, and global plugins. */
#ifndef FATHOM_DECIDE_SCHEDULER_CYCLE_H
#define FATHOM_DECIDE_SCHEDULER_CYCLE_H

#include "decide/scheduler/scheduler.h"

struct cycle {
    struct plan *plan;
    const struct view *view;
    const struct pod_class *pod;
    const struct record **records; /* by entry */
    bool *feasible;                /* by entry */
    uint64_t feasible_nodes;
    uint32_t nominated_entry;
};

struct scheduler {
    struct arena *arena;
    struct arena scratch; /* of one decision */
    struct arena_mark empty;
    struct catalog *catalog;
    const struct profiles *profiles;
    VEC(struct plan *) plans;       /* by shape; the shape includes the profile */
    VEC(struct plan *) named_plans; /* one for each pod that asks for a node by name */
    struct cycle cycle;
    struct decision decision;
    struct preemption preemption;
    uint32_t capacity; /* entries that the arrays have room for */
    int64_t *scores;   /* by score plugin, then entry: raw, then normalised */
    int64_t *weighted; /* by entry, then score plugin */
    uint32_t *best;
    uint32_t plain_shapes; /* the first so many shapes of the catalog are plain (room.c) */
};

/* How pods like this one are scheduled; NULL: no profile is responsible. */
struct plan *scheduler_plan(struct scheduler *scheduler, const struct pod_class *pod);

/* All filters on one node as it is now; see struct trial for base and texts. */
struct verdict cycle_filter(const struct cycle *cycle, uint32_t entry, const struct load *base,
                            const struct load *now, struct arena *texts);

/* The same of a node as it is, whose local verdict is known. */
struct verdict cycle_filter_record(const struct cycle *cycle, uint32_t entry,
                                   const struct record *record);

#define CYCLE_EACH_FEASIBLE(cycle, entry)                                \
    for (uint32_t entry = 0; entry < (cycle)->view->node_count; entry++) \
        if ((cycle)->feasible[entry])

#endif
