/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/learn_scale.h"

#include "base/limit.h"

/* Groups get this many nodes at first, then twice as many. */
enum { NODES_AT_FIRST = 3 };

/* ---- one failure ---- */

/* What the Check leaves open has no upper end but this one. */
static struct scope widen(struct arena *arena, const struct scope *scope, int32_t nodes_most)
{
    struct scope wide = *scope;
    wide.groups = arena_copy(arena, scope->groups, scope->group_count * sizeof(*scope->groups));
    wide.workloads =
        arena_copy(arena, scope->workloads, scope->workload_count * sizeof(*scope->workloads));
    wide.nodes_sufficient = nodes_most;
    wide.pods_per_node_sufficient = INT32_MAX / 1024;
    wide.exact = false;
    wide.fitting_only = true;
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (wide.groups[g].least < wide.groups[g].most)
            wide.groups[g].most =
                wide.groups[g].least < nodes_most ? nodes_most : wide.groups[g].least;
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (wide.workloads[w].least < wide.workloads[w].most)
            wide.workloads[w].most = INT32_MAX / 1024;
    return wide;
}

static bool is_open(const struct scope *scope)
{
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (scope->groups[g].least < scope->groups[g].most)
            return true;
    return false;
}

static void look_for(struct arena *arena, struct memory *memory, struct verify_options *options,
                     struct scale_failure *failure)
{
    const struct verify_plan *plan = failure->plan;
    for (int32_t most = NODES_AT_FIRST; most <= LEARN_NODES_MOST; most *= 2) {
        const struct scope scope = widen(arena, &plan->scope, most);
        struct verify_report found;
        verify_run(arena, memory, &scope, plan->intents.items, plan->intents.count, options,
                   &found);
        failure->ended_by = found.ended_by;
        for (uint32_t i = 0; i < found.result_count; i++) {
            const struct verify_result *result = &found.results[i];
            /* Above `most` nodes not all setups of that size were there. */
            if (result->verdict != VERDICT_VIOLATED ||
                (result->setup->total_nodes > most && is_open(&plan->scope)))
                continue;
            failure->intent = &plan->intents.items[i];
            failure->nodes = result->setup->total_nodes;
            failure->pods = result->setup->total_pods;
            break;
        }
        verify_release(&found);
        limit_spend(&options->states_most, found.states); /* the time is of each search */
        if (failure->intent || found.ended_by != EXPLORE_DECIDED || !is_open(&plan->scope))
            return;
    }
}

/* ---- all of them ---- */

int32_t scale_pods_per_node(const struct scale_failure *failure)
{
    return (failure->pods + failure->nodes - 1) / failure->nodes;
}

static void take_into_account(struct learnt_scale *learnt, const struct scale_failure *failure)
{
    if (!failure->intent) {
        learnt->complete = false;
        return;
    }
    if (failure->nodes > learnt->nodes)
        learnt->nodes = failure->nodes;
    if (scale_pods_per_node(failure) > learnt->pods_per_node)
        learnt->pods_per_node = scale_pods_per_node(failure);
}

void scale_learn(struct arena *arena, struct memory *memory, const struct verify_plan *plans,
                 uint32_t count, const struct verify_options *options, struct learnt_scale *learnt)
{
    struct verify_options how = *options;
    how.exhaustive = false;
    how.stop_at_first = true;
    *learnt = (struct learnt_scale){.complete = true};
    for (uint32_t i = 0; i < count; i++) {
        struct scale_failure failure = {.plan = &plans[i]};
        look_for(arena, memory, &how, &failure);
        VEC_PUSH(arena, &learnt->failures, failure);
        take_into_account(learnt, &failure);
    }
}
