/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods PodDisruptionBudgets are about: selectors are matched once, and not in each state. */
#include "cluster/build/build_budgets.h"
#include "cluster/ask/budgets.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"

void find_budgets(struct population *population)
{
    const struct surroundings *around = &population->catalog->surroundings;
    struct budget_pods *pods =
        ARENA_ARRAY(&population->arena, struct budget_pods, around->budgets.count + 1);
    for (uint32_t b = 0; b < around->budgets.count; b++) {
        const struct pod_disruption_budget *budget = around->budgets.items[b];
        pods[b].first = UINT32_MAX;
        for (uint32_t r = 0; r < population->revisions.count; r++) {
            const bool counts = budget_counts(population, budget, r);
            const bool guards = budget_guards(population, budget, r);
            if (counts)
                VEC_PUSH(&population->arena, &pods[b].counted, r);
            if (guards)
                VEC_PUSH(&population->arena, &population->revisions.items[r].guards, b);
            if ((counts || guards) && pods[b].first == UINT32_MAX)
                pods[b].first = r;
        }
    }
    population->budgets = pods;
}
