/* SPDX-License-Identifier: Apache-2.0 */
/* With clocks: which nodes that do not answer are tainted, and for how long they have been. */
#include "cluster/ask/taint_ages.h"
#include "base/saturating.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

uint32_t node_taint_age(struct worker *worker, const struct state *state, uint32_t entry)
{
    const uint32_t slot = state_template(worker, state, entry)->slot;
    if (slot == SLOT_NEW)
        return 0;
    return slot < SLOT_FIRST ? UINT32_MAX : state->clocks.node_cohorts[slot - SLOT_FIRST].age;
}

bool node_is_older(struct worker *worker, const struct state *state, uint32_t entry, int64_t limit)
{
    const uint64_t past = 2 * (uint64_t)(limit / worker->population->clock->tick_ns);
    return limit <= 0 || node_taint_age(worker, state, entry) > past;
}

bool clock_node_is_tainted(struct worker *worker, const struct state *state, uint32_t entry)
{
    const struct template_info *info = state_template(worker, state, entry);
    if (!condition_traits[info->condition].evicts)
        return true; /* by what its object says, if at all */
    const struct node_tainting tainting = lifecycle_tainting(worker, state);
    return tainting.any_answers && (tainting_reaches(&tainting, info->zone, info->condition) ||
                                    node_taint_age(worker, state, entry) > 0);
}

bool clock_tolerated_for(struct worker *worker, const struct state *state, uint32_t entry,
                         uint32_t class, int64_t seconds)
{
    if (!clock_node_is_tainted(worker, state, entry))
        return false;
    if (seconds <= 0)
        return true;
    const struct class_info *info = class_info(worker, class);
    const struct clock *clock = worker->population->clock;
    const struct thresholds *ages = &clock->pods[info->revision].start[info->stage];
    const uint64_t past =
        2 * (uint64_t)(saturating_multiply(seconds, NANOSECONDS_PER_SECOND) / clock->tick_ns);
    const uint32_t start = cohort_start(state, info->slot);
    /* A pod whose age is not counted is at least as old as the taint. */
    const bool old_enough = start > past || (start == past && !age_is_at(ages, start));
    return old_enough && node_taint_age(worker, state, entry) > past;
}
