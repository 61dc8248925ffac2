/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where no nodes are given, nobody knows how many there are. A question that holds with the nodes
 * that were made is asked once more of any number of them, from as many on, if all workloads
 * together have few states: then one exploration may speak for all sizes (verify/cover.h). What is
 * violated with some other number of nodes is violated. What is not found out within a few states
 * says nothing: then the answer is about the nodes that were made, as before.
 */
#include "cli/asker.h"

/* Of the first answer, and of all sizes. */
enum { STATES_OF_FEW = 5000, STATES_OF_SIZES = 30000, WORKLOADS_MOST = 8 };

static bool is_worth_asking(const struct asker *asker, const struct asked_question *asked)
{
    const struct count_range given = asker->settings->scope.nodes;
    return asker->needs && (!given.given || given.open) && !asker->limited &&
           asked->found.ended_by == EXPLORE_DECIDED && asked->found.components == 0 &&
           asked->found.states <= STATES_OF_FEW &&
           asked->question.plan.scope.workload_count <= WORKLOADS_MOST &&
           verify_verdict(&asked->found) == VERDICT_HOLDS;
}

static bool is_known(const struct verify_report *found)
{
    return verify_verdict(found) == VERDICT_VIOLATED ||
           (verify_verdict(found) == VERDICT_HOLDS &&
            (found->sizes.complete || found->sizes.by_proof));
}

void asker_ask_sizes(struct asker *asker, struct asked_question *asked)
{
    struct verify_plan plan = asked->question.plan;
    struct verify_options options = asker->options;
    struct verify_report found;
    if (!is_worth_asking(asker, asked) || !scope_open_nodes(&asker->session->arena, &plan.scope))
        return;
    asker->options.whole = true;
    asker_run(asker, &plan, STATES_OF_SIZES, &found);
    asker->options = options;
    if (is_known(&found)) {
        verify_release(&asked->found);
        asked->question.plan = plan;
        asked->found = found;
    } else {
        verify_release(&found);
    }
}
