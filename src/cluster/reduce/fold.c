/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One node apart from those that are like it (NODES_ONE_APART).
 *
 * Of every group with several nodes that are alike one is a kind of its own: it may be
 * any of them, so that runs begin with each of the nodes in its place. Fairness to each kind is
 * then fairness to this node. To fold a state is to forget which node that was.
 */
#include "cluster/reduce/fold.h"
#include "base/word_lists.h"
#include "cluster/state/clock.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

static uint32_t template_in(const struct population *population, uint32_t template, uint32_t number)
{
    const struct template_info *info = &population->templates.items[template];
    const struct node_kind *kind = &population->node_kinds.items[number];
    if (info->pressures != 0)
        return kind->pressed[info->pressures][info->passes];
    return info->slot == SLOT_NONE ? kind->templates[info->condition]
                                   : kind->timed[info->condition] + info->slot - SLOT_NEW;
}

static uint32_t template_of(struct worker *worker, uint32_t config)
{
    return config_at(worker, config)->template->id;
}

uint32_t config_folded(struct worker *worker, uint32_t config)
{
    const struct population *population = worker->population;
    const uint32_t template = template_of(worker, config);
    const uint32_t kind = population->templates.items[template].node;
    if (!population->node_kinds.items[kind].apart)
        return config;
    return config_on(worker, config, template_in(population, template, kind + 1));
}

uint32_t population_fold(const struct model *model, void *own, const uint32_t *words,
                         uint32_t length)
{
    struct worker *worker = own;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t folded[WORDS_MOST];
    (void)model;
    struct state *state = state_copy(worker, state_unpack(worker, words, length));
    for (uint32_t n = 0; n < state->node_count; n++)
        state->nodes[n].config = config_folded(worker, state->nodes[n].config);
    const uint32_t folded_length = state_pack(worker, state, folded);
    worker->findings.overflowed |= folded_length == 0;
    const uint32_t number = words_intern(&worker->arena, &worker->folds, folded, folded_length);
    arena_rewind(&worker->scratch, mark);
    return number;
}

static bool emit_start(struct worker *worker, const struct state *state, struct step_sink *sink)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t words[WORDS_MOST];
    const uint32_t length = state_pack(worker, state_copy(worker, state), words);
    arena_rewind(&worker->scratch, mark);
    if (length > 0)
        return step_sink_emit(sink, &(struct step){.words = words, .length = length});
    worker->findings.overflowed = true;
    return true;
}

/* Chooses the nodes of the kinds from this one on. False: no more states are wanted. */
static bool choose_from(struct worker *worker, const struct state *state, uint32_t kind,
                        struct step_sink *sink)
{
    const struct population *population = worker->population;
    while (kind < population->node_kinds.count && !population->node_kinds.items[kind].apart)
        kind++;
    if (kind == population->node_kinds.count)
        return emit_start(worker, state, sink);
    const struct arena_mark mark = arena_mark(&worker->scratch);
    bool going = true;
    for (uint32_t n = 0; n < state->node_count && going; n++) {
        const uint32_t config = state->nodes[n].config;
        const uint32_t template = template_of(worker, config);
        if (population->templates.items[template].node != kind + 1 || state->nodes[n].count == 0)
            continue;
        struct state *next = state_copy(worker, state);
        state_move_node(worker, next, n,
                        config_on(worker, config, template_in(population, template, kind)));
        going = choose_from(worker, next, kind + 1, sink);
        arena_rewind(&worker->scratch, mark);
    }
    return going;
}

bool choose_nodes_apart(struct worker *worker, const struct state *state, struct step_sink *sink)
{
    return choose_from(worker, state, 0, sink);
}
