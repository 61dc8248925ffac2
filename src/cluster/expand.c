/* SPDX-License-Identifier: Apache-2.0 */
/* All steps out of a state, in a fixed order. */
#include "cluster/actor/steps.h"
#include "cluster/emit.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock.h"
#include "cluster/state/intents.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"

/* Where a start settles nothing counts until everything rests, periodic
 * controllers included; then it is as if runs began here. */
static void begin(struct expansion *expansion)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    next->begun = true;
    next->settled_once = population->remembers_settling;
    next->bound = false;
    intents_begin(population, next);
    population->begins = true;
    expansion_emit(expansion, next,
                   &(struct happening){.action = ACT_BEGIN,
                                       .workload = UINT32_MAX,
                                       .revision = UINT32_MAX,
                                       .node = UINT32_MAX});
}

void population_expand(const struct model *model, void *worker, const uint32_t *words,
                       uint32_t length, struct step_sink *sink)
{
    struct population *population = (struct population *)(uintptr_t)model->context;
    const struct arena_mark mark = arena_mark(&population->scratch);
    (void)worker;
    struct population_state *state = state_unpack(population, words, length);
    uint32_t successor[WORDS_MOST];
    struct expansion expansion = {.population = population,
                                  .state = state,
                                  .sink = sink,
                                  .words = successor,
                                  .head = {.words = head_room(population)}};
    expansion.parts = workloads_part(population, state);
    expansion.postponed = create_first(&expansion);
    step_deployments(&expansion);
    step_replica_sets(&expansion);
    step_stateful_sets(&expansion);
    step_daemon_sets(&expansion);
    step_jobs(&expansion);
    step_kubelets(&expansion);
    step_pressure(&expansion);
    step_orphans(&expansion);
    if (!state_nodes_are_plain(population, state)) {
        step_taints(&expansion);
        step_drains(&expansion);
    }
    step_garbage(&expansion);
    step_endpoints(&expansion);
    step_panics(&expansion);
    /* With clocks it may take the user a while. */
    expansion.lazy = population->clock != NULL;
    step_rollbacks(&expansion);
    expansion.lazy = false;
    step_lifecycle(&expansion);
    step_scheduler(&expansion);
    /* What takes minutes is not waited for by whoever acts every few seconds. */
    const bool waits = expansion.waits;
    const bool busy = expansion.moved;
    const bool settled = population->clock ? step_clock(&expansion, !busy) : !busy && !waits;
    /* From here on the successors know that things have settled once. */
    expansion.settles = settled && !state->settled_once;
    if (settled && state->begun)
        state->settled_once = population->remembers_settling;
    /* That pods still run does not keep the cluster from being at rest. */
    expansion.lazy = true;
    step_job_pods(&expansion);
    expansion.lazy = false;
    if (!population->clock && (!busy || population->options.full_interleaving)) {
        step_autoscalers(&expansion);
        step_descheduler(&expansion);
    }
    if (!busy || population->options.full_interleaving)
        step_reapplies(&expansion, settled);
    if (!population->clock && !busy) {
        step_time(&expansion);
        step_job_deadlines(&expansion);
    }
    if (!state->begun) {
        if (!expansion.moved && !waits)
            begin(&expansion);
    } else {
        if (settled)
            expansion_emit_settled(&expansion, !expansion.moved);
        step_events(&expansion, settled);
    }
    arena_rewind(&population->scratch, mark);
}

uint64_t population_atoms(const struct model *model, void *worker, const uint32_t *words,
                          uint32_t length)
{
    struct population *population = (struct population *)(uintptr_t)model->context;
    const struct arena_mark mark = arena_mark(&population->scratch);
    (void)worker;
    const uint64_t atoms = intents_atoms(population, state_unpack(population, words, length));
    arena_rewind(&population->scratch, mark);
    return atoms;
}
