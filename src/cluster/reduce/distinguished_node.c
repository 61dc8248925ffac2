/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One distinguished node in each group of nodes that are alike (NODES_ONE_DISTINGUISHED).
 *
 * In every group with several nodes that are alike, one node is a kind of its own. There is an
 * initial state for each choice of this node. Fairness to its kind is fairness to this one
 * node. States that differ only in which node is distinguished are one orbit.
 */
#include "cluster/reduce/distinguished_node.h"
#include "base/word_lists.h"
#include "cluster/state/clock.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

uint32_t config_undistinguished(struct worker *worker, uint32_t config)
{
    const struct population *population = worker->population;
    const uint32_t kind = config_template(worker, config)->node;
    return population->node_kinds.items[kind].distinguished
               ? config_in_kind(worker, config, kind + population->image_choices)
               : config;
}

uint32_t population_orbit(const struct model *model, void *own, const uint32_t *words,
                          uint32_t length)
{
    struct worker *worker = own;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t undistinguished[WORDS_MOST];
    (void)model;
    struct state *state = state_copy(worker, state_unpack(worker, words, length));
    for (uint32_t n = 0; n < state->node_count; n++)
        state->nodes[n].config = config_undistinguished(worker, state->nodes[n].config);
    const uint32_t undistinguished_length = state_pack(worker, state, undistinguished);
    worker->findings.overflowed |= undistinguished_length == 0;
    const uint32_t number =
        words_intern(&worker->arena, &worker->orbits, undistinguished, undistinguished_length);
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

/* Chooses the nodes of the kinds from this one on. A kind stands for those behind it that differ
 * in their images alone. False: no more states are wanted. */
static bool choose_from(struct worker *worker, const struct state *state, uint32_t kind,
                        struct step_sink *sink)
{
    const struct population *population = worker->population;
    const uint32_t choices = population->image_choices;
    while (kind < population->node_kinds.count && !population->node_kinds.items[kind].distinguished)
        kind += choices;
    if (kind == population->node_kinds.count)
        return emit_start(worker, state, sink);
    const struct arena_mark mark = arena_mark(&worker->scratch);
    bool going = true;
    for (uint32_t n = 0; n < state->node_count && going; n++) {
        const uint32_t config = state->nodes[n].config;
        const uint32_t from = config_template(worker, config)->node;
        if (from < kind + choices || from >= kind + 2 * choices || state->nodes[n].count == 0)
            continue;
        struct state *next = state_copy(worker, state);
        state_move_node(worker, next, n, config_in_kind(worker, config, from - choices));
        going = choose_from(worker, next, kind + choices, sink);
        arena_rewind(&worker->scratch, mark);
    }
    return going;
}

bool choose_distinguished_nodes(struct worker *worker, const struct state *state,
                                struct step_sink *sink)
{
    return choose_from(worker, state, 0, sink);
}
