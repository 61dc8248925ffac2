/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/explore_nodes.h"

#include "base/clock.h"
#include "base/limit.h"
#include "setup/part_by_node.h"
#include "verify/explore_setup.h"

/* Adds what was found of a node, of which there are so many. */
static void add_node(struct setup_outcome *all, const struct setup_outcome *node, uint32_t count)
{
    all->violated |= node->violated;
    all->doubted |= node->doubted;
    all->undecided |= node->undecided;
    all->images_could_decide |= node->images_could_decide;
    all->applied |= node->applied;
    all->came |= node->came;
    all->may_loop |= node->may_loop;
    if (node->findings.preempts_from > all->findings.preempts_from)
        all->findings.preempts_from = node->findings.preempts_from;
    all->findings.hindered |= node->findings.hindered;
    all->findings.uncounted |= node->findings.uncounted;
    room_held_add(&all->findings.held, &node->findings.held, count);
    all->reductions = node->reductions;
    all->ended_by = node->ended_by;
    all->states += node->states;
    all->transitions += node->transitions;
    if (node->depth > all->depth)
        all->depth = node->depth;
}

void explore_nodes(const struct setup_query *query, const struct scope_part *part,
                   struct memory *memory, struct memory *stories, struct setup_outcome *outcome)
{
    const int64_t started = clock_now_ns();
    *outcome = (struct setup_outcome){
        .asked = query->asked, .states_most = query->states_most, .ended_by = EXPLORE_DECIDED};
    arena_init(&outcome->arena, stories);
    for (uint32_t g = 0; g < part->scope.group_count && outcome->ended_by == EXPLORE_DECIDED; g++) {
        struct setup_query one = *query;
        struct setup_outcome node;
        if (query->setup->nodes[g] == 0)
            continue;
        one.setup = setup_with_one_node(&outcome->arena, part, query->setup, g);
        limit_spend(&one.states_most, outcome->states);
        limit_spend_ns(&one.time_most_ms, clock_now_ns() - started);
        one.states_before += outcome->states;
        setup_explore(&one, memory, stories, &node);
        add_node(outcome, &node, (uint32_t)query->setup->nodes[g]);
        setup_outcome_release(&node);
    }
}
