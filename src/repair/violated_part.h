/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a cluster that is enough for a violation.
 *
 * Of an application with many workloads, a violation is often about one of them, and comes even if
 * this one is alone on the nodes. As long as it does, no candidate has to be tried on the whole
 * cluster; and an edit of another workload changes nothing about it.
 */
#ifndef FATHOM_REPAIR_VIOLATED_PART_H
#define FATHOM_REPAIR_VIOLATED_PART_H

#include "repair/repair.h"

struct violated_part {
    uint32_t run;           /* of the known runs */
    const char **workloads; /* by name */
    uint32_t workload_count;
    const bool *near; /* by document of the case: the part depends on it */
};

struct violated_parts {
    struct violated_part *items;
    uint32_t count;
    uint32_t capacity;
};

/* The workloads that the violation of a run is about, with all that belongs to them. False: these
 * are all that there are. */
bool violated_part_of(const struct edit_case *of, const struct scope *scope,
                      const struct verify_result *result, uint32_t run, struct violated_part *part);
/* The part in the setup of its run. False: the scope has no such part. */
bool violated_part_scope(struct arena *arena, const struct violated_part *part,
                         const struct known_runs *runs, const struct scope *scope,
                         struct scope *single);
/* Does one of the edits change something that the part depends on? */
bool violated_part_is_changed(const struct violated_part *part, const struct edit *const *edits,
                              uint32_t count);

#endif
