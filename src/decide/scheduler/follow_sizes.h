/* SPDX-License-Identifier: Apache-2.0 */
/* For which numbers of nodes a decision stays the same. */
#ifndef FATHOM_DECIDE_SCHEDULER_FOLLOW_SIZES_H
#define FATHOM_DECIDE_SCHEDULER_FOLLOW_SIZES_H

struct scheduler;

/* After a decision, while reads of numbers of nodes are noted: notes for which of them the same
 * nodes are the best. */
void scheduler_follow_sizes(struct scheduler *scheduler);

#endif
