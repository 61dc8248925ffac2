/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By how much one node is ahead of another, whatever others do.
 *
 * A decision is made for a view. If the cluster has pods that the view does not show, scores are
 * not what they would be in the cluster. The pods of others
 *
 *   - hold room on any node, the one ahead and the one behind among them, so that scores that go by
 *     resources differ;
 *   - fill nodes, which are not feasible then, so that scores are normalised over fewer nodes: over
 *     any set of nodes that has both of those that are compared.
 *
 * That is all they do: labels of nodes, and pods that affinity or spreading look at, are in the
 * view. Each plugin says by how many points the node ahead leads at least (plugin.lead), so that
 * the node behind is never the best if this is more than 0 in total and both are feasible.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_LEAD_H
#define FATHOM_DECIDE_SCHEDULER_LEAD_H

#include "decide/scheduler/cycle.h"

/* The score of a feasible entry before it is normalised, without pods of others. */
int64_t lead_raw(const struct lead *lead, uint32_t entry);

/*
 * The least lead of a node that has `more` raw points than the other if all points are given for
 * `range` raw points: `least` to `most`, which are not 0 unless `more` is.
 *
 * Scores are rounded down, so a lead is at least that of the exact scores, rounded down. It is the
 * smaller the larger the range is; where the node is not ahead, it is the other way round.
 */
int64_t lead_share(int64_t more, int64_t least, int64_t most);

/* For scores that are normalised to the highest (normalise.h). */
int64_t lead_to_highest(const struct lead *lead, bool reversed);

#endif
