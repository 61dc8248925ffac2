/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/seen_writes.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/population.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

bool writes_may_be_unseen(const struct population *population)
{
    return population->options.interleaving == INTERLEAVING_FULL && !population->clock;
}

/* A Deployment notes the size that it has seen at its sets. Others are known to have seen it when
 * they do something. Whatever somebody else writes takes the place of the write. */
static bool is_seen(const struct population *population, const struct state *state,
                    const struct state *next, uint32_t number, const struct happening *happening,
                    bool prompt)
{
    const uint32_t present = next->present[number];
    if (present == WORKLOAD_ABSENT)
        return true;
    if (population->workloads.items[number].deployment)
        return next->sets[present].replicas >= 0 &&
               next->sets[present].desired == next->replicas[number];
    return (prompt && happening->workload == number &&
            action_has(happening->action, IS_ABOUT_OWNER)) ||
           next->replicas[number] != state->replicas[number];
}

void note_seen_writes(const struct population *population, const struct state *state,
                      struct state *next, const struct happening *happening, bool prompt)
{
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        if ((next->notes[a] & NOTE_OF_UNSEEN_WRITE) &&
            is_seen(population, state, next, population->autoscalers.items[a].workload, happening,
                    prompt))
            next->notes[a] &= ~(uint32_t)NOTE_OF_UNSEEN_WRITE;
}
