/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/set_views.h"

#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

uint32_t set_believes(struct worker *worker, const struct state *state, uint32_t revision)
{
    const struct population *population = worker->population;
    const uint32_t note =
        notes_have_views(population) ? state->notes[population->note_of_views + revision] : 0;
    return note > 0 ? note : state_active(worker, state, revision);
}

bool sets_are_outdated(const struct population *population, const struct state *state,
                       uint32_t workload)
{
    const struct workload *of = &population->workloads.items[workload];
    for (uint32_t i = 0; notes_have_views(population) && i < of->revision_count; i++)
        if (state->notes[population->note_of_views + of->first_revision + i] > 0)
            return true;
    return false;
}

void set_views_follow(struct worker *worker, const struct state *state, struct state *next,
                      enum population_action action, uint32_t revision)
{
    const struct population *population = worker->population;
    if (!notes_have_views(population))
        return;
    const uint32_t *active = state_active_of_all(worker, next);
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const bool own = r == revision && (action == ACT_SET_CREATE || action == ACT_SET_DELETE);
        const bool sees = r == revision && action == ACT_SET_SEE;
        const int32_t wanted = next->sets[r].replicas;
        /* After its own sync it believes to have what it should have. */
        const uint32_t believed = own ? (uint32_t)wanted : set_believes(worker, state, r);
        next->notes[population->note_of_views + r] =
            wanted < 0 || sees || believed <= active[r] ? 0 : believed;
    }
}
