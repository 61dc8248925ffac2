/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks of nodes. A node that fails stays Ready for the grace period. Then it
 * is NotReady, and is tainted unless too many nodes are gone (zones.h); pods
 * tolerate the taint for a while. The age of a node that is down is that of its
 * taint; it stands at 0 as long as there is none.
 */
#include "cluster/actor/step_clock_nodes.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/taint_ages.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/conditions.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"

/* Is the node not tainted, and will it not be tainted in the present state? */
static bool stands_still(const struct node_tainting *tainting, const struct node_cohort *cohort)
{
    return condition_traits[cohort->condition].evicts && cohort->age == 0 &&
           !tainting_reaches(tainting, cohort->zone, cohort->condition);
}

/* ---- ages ---- */

static struct node_cohort *own_cohorts(struct worker *worker, struct state *state)
{
    struct clocks *clocks = &state->clocks;
    struct node_cohort *cohorts = arena_copy(&worker->scratch, clocks->node_cohorts,
                                             clocks->node_cohort_count * sizeof(*cohorts));
    clocks->node_cohorts = cohorts;
    return cohorts;
}

uint32_t clock_nodes_until_due(const struct expansion *expansion)
{
    const struct clock *clock = expansion->population->clock;
    const struct clocks *clocks = &expansion->state->clocks;
    uint32_t least = UINT32_MAX;
    if (clocks->node_cohort_count == 0)
        return least;
    const struct node_tainting tainting = lifecycle_tainting(expansion->worker, expansion->state);
    for (uint32_t i = 0; i < clocks->node_cohort_count; i++) {
        const struct node_cohort *cohort = &clocks->node_cohorts[i];
        if (!stands_still(&tainting, cohort))
            least = lesser(least, age_until_next(&clock->nodes[cohort->condition], cohort->age));
    }
    return least;
}

void clock_nodes_age(const struct expansion *expansion, struct state *next, uint32_t ticks)
{
    if (next->clocks.node_cohort_count == 0)
        return;
    struct node_cohort *cohorts = own_cohorts(expansion->worker, next);
    const struct node_tainting tainting = lifecycle_tainting(expansion->worker, expansion->state);
    for (uint32_t i = 0; i < next->clocks.node_cohort_count; i++)
        if (!stands_still(&tainting, &cohorts[i]))
            cohorts[i].age = age_after(
                cohorts[i].age, &expansion->population->clock->nodes[cohorts[i].condition], ticks);
}

/* ---- steps ---- */

/* Any one node in the slot comes into another condition: nothing was heard of it. */
static void notice_one(struct expansion *expansion, uint32_t slot, enum node_condition condition)
{
    for (uint32_t n = 0; n < expansion->state->node_count; n++)
        if (state_template(expansion->worker, expansion->state, n)->slot == slot)
            expansion_emit_condition(expansion, n, condition, ACT_NODE_NOTICED);
}

/* All nodes in the slot do. */
static void notice_all(struct expansion *expansion, uint32_t slot, enum node_condition condition)
{
    struct worker *worker = expansion->worker;
    struct state *next = state_copy(worker, expansion->state);
    struct happening happening = happening_of(ACT_NODE_NOTICED);
    for (uint32_t n = 0; n < next->node_count; n++) {
        if (state_template(worker, next, n)->slot != slot)
            continue;
        next->nodes[n].config = config_with_condition(worker, next->nodes[n].config, condition);
        happening.node = n;
    }
    expansion_emit(expansion, next, happening);
}

/* The cohort has passed a threshold of its age. */
static void pass_threshold(struct expansion *expansion, uint32_t number)
{
    struct state *next = state_copy(expansion->worker, expansion->state);
    own_cohorts(expansion->worker, next)[number].age++;
    expansion_emit(expansion, next, happening_of(ACT_AGE));
}

/* The node lifecycle controller looks at nodes that have stopped: it may notice any of them, and
 * must notice the rest when it looks for the last time before their leases are over. */
static void look_at(struct expansion *expansion, uint32_t number, bool last)
{
    const enum node_condition lost =
        (enum node_condition)expansion->state->clocks.node_cohorts[number].condition;
    const enum node_condition noticed =
        lost == NODE_LOST ? NODE_DOWN : failed_condition(expansion->population);
    if (last) {
        notice_all(expansion, number + SLOT_FIRST, noticed);
        return;
    }
    notice_one(expansion, number + SLOT_FIRST, noticed);
    pass_threshold(expansion, number);
}

static bool step_cohort(struct expansion *expansion, uint32_t number)
{
    const struct node_cohort *cohort = &expansion->state->clocks.node_cohorts[number];
    const struct thresholds *thresholds = &expansion->population->clock->nodes[cohort->condition];
    if (!age_is_at(thresholds, cohort->age))
        return false;
    if (cohort->condition == NODE_LOST || cohort->condition == NODE_LOST_AWAY)
        look_at(expansion, number, cohort->age + 1 == age_cap(thresholds));
    else
        pass_threshold(expansion, number);
    return true;
}

/* When no node answers any more, all taints are taken back. */
static bool take_taints_back(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    struct state *next = NULL;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct template_info *info = state_template(worker, state, n);
        if (condition_traits[info->condition].ready && template_is_listed(info))
            return false; /* there is one that answers */
        if (expansion->population->clock->nodes[info->condition].count == 0 ||
            node_taint_age(worker, state, n) == 0)
            continue;
        next = next ? next : state_copy(worker, state);
        next->nodes[n].config =
            config_with_condition(worker, state->nodes[n].config, info->condition);
    }
    if (!next || lifecycle_tainting(worker, state).any_answers)
        return false;
    expansion_emit(expansion, next, happening_of(ACT_AGE));
    return true;
}

bool step_clock_nodes(struct expansion *expansion)
{
    bool due = expansion->population->clock->has_node_cohorts && take_taints_back(expansion);
    for (uint32_t i = 0; i < expansion->state->clocks.node_cohort_count; i++)
        due |= step_cohort(expansion, i);
    return due;
}
