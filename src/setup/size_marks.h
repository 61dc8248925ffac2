/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of replicas at which a rule may change its result.
 *
 * An intent says "at most 8", a budget "10 %", an autoscaler "up to 20": what holds
 * with fewer replicas need not hold with more. Where not every size of a range is
 * explored (sizes.h), the sizes at these numbers are.
 */
#ifndef FATHOM_SETUP_SIZE_MARKS_H
#define FATHOM_SETUP_SIZE_MARKS_H

#include "setup/setup.h"

enum size_mark_kind {
    MARK_NUMBER,    /* so many pods: sizes at the number and above */
    MARK_ALLOWANCE, /* so many pods may be missing: as a number, and beyond what fits */
    MARK_PERCENT,   /* a percentage of the replicas: the sizes at which it is one pod more */
    MARK_FEWER,     /* "desired-N": the sizes at which a percentage is N pods */
    MARK_EACH,      /* so many on one node, or in one zone: as many on each */
};

struct size_mark {
    enum size_mark_kind kind;
    int32_t value;
};

struct size_marks {
    struct size_mark *items;
    uint32_t count;
    uint32_t capacity;
};

/* Which objects may have numbers for which workload, so that thousands of workloads do not each
 * look at all objects. */
struct marking_index;
struct marking_index *size_marks_index(struct arena *arena, const struct scope *scope);

/* Those that matter to this workload; `options` has intents that the Check does not have. */
struct size_marks *size_marks_collect(struct arena *arena, const struct scope *scope,
                                      const struct marking_index *index,
                                      const struct setup_workload *workload,
                                      const struct scope_options *options);

#endif
