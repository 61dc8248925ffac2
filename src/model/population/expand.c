/* SPDX-License-Identifier: Apache-2.0 */
/* All steps out of a state, in a fixed order. */
#include "model/population/population_internal.h"

static bool outside(enum population_action action)
{
    static const bool fair[] = {
#define ACTION(constant, actor, verb, is_fair) is_fair,
#include "model/population/actions.def"
#undef ACTION
    };
    return !fair[action];
}

/* Revision, entry and amount, as far as describe_step needs them. */
static uint32_t pack_argument(const struct happening *happening)
{
    return (happening->revision & 0xff) | (happening->node & 0xfff) << 8 |
           (happening->amount > 0xfff ? 0xfff : happening->amount) << 20;
}

static void emit(struct expansion *expansion, struct population_state *next,
                 const struct happening *happening, bool changes)
{
    struct population *population = expansion->population;
    const uint64_t marks = intents_observe(population, expansion->state, next, happening);
    const uint32_t length = state_pack(population, next, expansion->words);
    if (length == 0) {
        population->overflow = true;
        return;
    }
    expansion->moved |= changes;
    step_sink_emit(expansion->sink,
                   &(struct step){
                       .words = expansion->words,
                       .length = length,
                       .action = happening->action,
                       .argument = pack_argument(happening),
                       .fairness = outside(happening->action) ? FAIRNESS_OPTIONAL
                                                              : (uint32_t)happening->action,
                       .marks = marks,
                   });
}

void expansion_emit(struct expansion *expansion, struct population_state *next,
                    const struct happening *happening)
{
    emit(expansion, next, happening, true);
}

void expansion_emit_idle(struct expansion *expansion, const struct happening *happening)
{
    emit(expansion, state_copy(expansion->population, expansion->state), happening, false);
}

void population_expand(const struct model *model, void *worker, const uint32_t *words,
                       uint32_t length, struct step_sink *sink)
{
    struct population *population = (struct population *)(uintptr_t)model->context;
    const struct arena_mark mark = arena_mark(&population->scratch);
    (void)worker;
    struct population_state *state = state_unpack(population, words, length);
    struct expansion expansion = {.population = population, .state = state, .sink = sink};
    step_deployments(&expansion);
    step_replica_sets(&expansion);
    step_kubelets(&expansion);
    step_taints(&expansion);
    step_drains(&expansion);
    step_panics(&expansion);
    step_scheduler(&expansion);
    const bool settled = !expansion.moved;
    /* From here on the successors know that things have settled once. */
    if (settled)
        state->settled_once = population->remembers_settling;
    if (settled || population->options.full_interleaving) {
        step_autoscalers(&expansion);
        step_descheduler(&expansion);
    }
    if (settled)
        step_time(&expansion);
    if (settled)
        expansion_emit_settled(&expansion);
    step_events(&expansion, settled);
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
