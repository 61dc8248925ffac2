/* SPDX-License-Identifier: Apache-2.0 */
/* States and steps in Kubernetes' words, as the model of explore/ gives them. */
#include "cluster/actor/actor.h"
#include "cluster/emit.h"
#include "cluster/intent/intent.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/story/describe_parts.h"
#include "cluster/story/words.h"

void population_describe_state(const struct model *model, void *worker, const uint32_t *words,
                               uint32_t length, struct text *text)
{
    struct population *population = (struct population *)(uintptr_t)model->context;
    const struct arena_mark mark = arena_mark(&population->scratch);
    (void)worker;
    const struct population_state *state = state_unpack(population, words, length);
    for (uint32_t w = 0; w < population->managed_count; w++)
        text_printf(text, "%s%s wants %d", w ? "; " : "",
                    population->workloads.items[w].setup->object->meta->name, state->replicas[w]);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (state->pending[r] > 0)
            text_printf(text, "; %u %s waiting", state->pending[r],
                        population->revisions.items[r].owner_meta->name);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        const char *word = condition_traits[config_condition(population, config)].word;
        text_printf(text, "; %u x %s%s%s%s: ", state->nodes[n].count,
                    describe_node_name(population, config), *word ? " (" : "", word,
                    *word ? ")" : "");
        describe_pods(population, population->catalog->configs.items[config], text);
    }
    arena_rewind(&population->scratch, mark);
}

void population_describe_step(const struct model *model, void *worker, const uint32_t *from,
                              uint32_t from_length, const struct step *step, struct text *text)
{
    struct population *population = (struct population *)(uintptr_t)model->context;
    const struct arena_mark mark = arena_mark(&population->scratch);
    (void)worker;
    const struct described_step described = {
        .population = population,
        .from = state_unpack(population, from, from_length),
        .to = state_unpack(population, step->words, step->length),
        .step = step,
        .subject = step_subject_of(step),
    };
    words_describe(&described, text);
    arena_rewind(&population->scratch, mark);
}
