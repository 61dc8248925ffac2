/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller that binds claims to volumes, and provisioners, as far as they do not wait for
 * pods: a claim is bound to one of the smallest volumes that it can be bound to, or one is made for
 * it in any zone, wherever its pods can be (homes.h). A claim that a StatefulSet makes for its pod
 * is there once the pod is.
 */
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/homes.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* Is the claim there? It is if a pod waits for it. */
static bool claim_is_there(const struct population *population, const struct state *state,
                           uint32_t home)
{
    if (population->homes[home].place->is_given)
        return true;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].home == home + 1 && state->pending[r] > 0)
            return true;
    return false;
}

static void step_volumes(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    struct worker *worker = expansion->worker;
    for (uint32_t h = 0; h < population->home_count; h++) {
        const struct arena_mark mark = arena_mark(&worker->scratch);
        uint32_t *choices;
        const uint32_t count = claim_is_there(population, expansion->state, h)
                                   ? home_choices_at_once(worker, expansion->state, h, &choices)
                                   : 0;
        for (uint32_t c = 0; c < count; c++) {
            struct state *next = state_copy(worker, expansion->state);
            next->notes[population->note_of_homes + h] = choices[c];
            expansion_emit(expansion, next,
                           happening_with(population, ACT_BIND_CLAIM, population->homes[h].revision,
                                          UINT32_MAX, choices[c]));
        }
        arena_rewind(&worker->scratch, mark);
    }
}

const struct actor actor_volumes = {
    .name = "persistent volume controller",
    .step = step_volumes,
    .minds_ends = never_minds,
    .writes = PART_NOTES,
};
