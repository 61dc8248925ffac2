/* SPDX-License-Identifier: Apache-2.0 */
/* What applied manifests make of the workloads of a state. */
#include "cluster/ask/effects.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* Begins the status of a workload that is created, maybe once more: pods that terminate are no
 * failures of a new Job (step_jobs.c adds them). */
static void begin_anew(struct worker *worker, struct state *next, const struct apply_effect *effect)
{
    struct workload_status *status = &next->statuses[effect->workload];
    status->current = worker->population->revisions.items[effect->revision].number;
    if (worker->population->workloads.items[effect->workload].kind == OBJECT_JOB)
        status->failed -= (int32_t)state_terminating(worker, next, effect->revision);
}

uint32_t effects_apply(struct worker *worker, const struct population_event *event,
                       struct state *next, bool first)
{
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < event->effects.count; i++) {
        const struct apply_effect *effect = &event->effects.items[i];
        const bool comes = next->present[effect->workload] == WORKLOAD_ABSENT;
        last = effect->workload;
        next->present[effect->workload] = effect->revision;
        next->statuses[effect->workload].spec = effect->spec;
        if (comes)
            begin_anew(worker, next, effect);
        if (effect->gives_replicas || comes || (effect->changes_replicas && first))
            state_set_replicas(worker->population, next, effect->workload, effect->replicas);
    }
    return last;
}

bool effect_holds(const struct state *state, const struct apply_effect *effect)
{
    return state->present[effect->workload] == effect->revision &&
           state->statuses[effect->workload].spec == effect->spec;
}

/* A field that is missing resets what was applied before, but only the first time. */
bool effects_differ(const struct population_event *event, const struct state *state, bool first)
{
    for (uint32_t i = 0; i < event->effects.count; i++) {
        const struct apply_effect *effect = &event->effects.items[i];
        const bool replicas = first ? effect->changes_replicas : effect->gives_replicas;
        if (!effect_holds(state, effect) ||
            (replicas && state->replicas[effect->workload] != effect->replicas))
            return true;
    }
    return false;
}
