/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The disruption controller, where the status of a budget may be outdated: it writes the
 * present status, before or after any other step. Evictions in between are decided by the
 * status that was written last.
 */
#include "cluster/actor_type.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/event_scope.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static void step_budgets(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    for (uint32_t b = 0; b < population->catalog->surroundings.budgets.count; b++) {
        const struct pod_disruption_budget *budget =
            population->catalog->surroundings.budgets.items[b];
        const uint32_t revision = population->budgets[b].first;
        if (revision == UINT32_MAX ||
            object_is_deleted(population, state, "PodDisruptionBudget", &budget->meta))
            continue;
        const struct eviction_budget status = budget_now(worker, state, b);
        const uint32_t note = budget_note(&status);
        if (note == state->notes[population->note_of_budgets + b])
            continue;
        struct state *next = state_copy(worker, state);
        next->notes[population->note_of_budgets + b] = note;
        expansion_emit(expansion, next,
                       happening_with(population, ACT_BUDGET_SYNC, revision, UINT32_MAX,
                                      (uint32_t)status.disruptions_allowed));
    }
}

const struct actor actor_disruption = {
    .name = "disruption controller",
    .step = step_budgets,
    .minds_ends = budgets_span_workloads,
    .writes = PART_NOTES,
};
