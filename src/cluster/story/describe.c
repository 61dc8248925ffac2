/* SPDX-License-Identifier: Apache-2.0 */
/* States and steps in Kubernetes' words, as the model of explore/ gives them. */
#include "cluster/story/describe.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/describe_parts.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/words.h"

void population_describe_state(const struct model *model, void *own, const uint32_t *words,
                               uint32_t length, struct text *text)
{
    struct worker *worker = own;
    const struct population *population = worker->population;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    (void)model;
    const struct state *state = state_unpack(worker, words, length);
    for (uint32_t w = 0; w < population->managed_count; w++)
        text_printf(text, "%s%s wants %d", w ? "; " : "",
                    population->workloads.items[w].setup->object->meta->name, state->replicas[w]);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (state->pending[r] > 0)
            text_printf(text, "; %u %s waiting", state->pending[r],
                        population->revisions.items[r].owner_meta->name);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        const char *word = condition_traits[config_condition(worker, config)].word;
        text_printf(text, "; %u x %s%s%s%s: %s", state->nodes[n].count,
                    describe_node_name(worker, config), *word ? " (" : "", word, *word ? ")" : "",
                    describe_pods(worker, config));
    }
    arena_rewind(&worker->scratch, mark);
}

void population_describe_step(const struct model *model, void *own, const uint32_t *from,
                              uint32_t from_length, const struct step *step, struct text *text)
{
    struct worker *worker = own;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    (void)model;
    const struct story_telling telling = words_telling(worker, from, from_length, step);
    words_describe(&telling, text);
    arena_rewind(&worker->scratch, mark);
}
