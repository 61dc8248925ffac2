/* SPDX-License-Identifier: Apache-2.0 */
/* Which word of a state is whose (state.h has the order). */
#include "cluster/state/layout.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"

/* The bits of pods with an identity, 32 to a word. */
static uint32_t lay_out_pending(struct population *population, uint32_t word)
{
    uint32_t bit = 32;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        struct revision *revision = &population->revisions.items[r];
        if (revision->never_waits)
            continue;
        if (revision->ordinal < 0 || bit == 32) {
            word++;
            bit = 0;
        }
        revision->pending_word = word - 1;
        revision->pending_shift = bit;
        revision->pending_mask = revision->ordinal < 0 ? UINT32_MAX : 1;
        bit = revision->ordinal < 0 ? 32 : bit + 1;
    }
    return word;
}

void lay_out(struct population *population)
{
    uint32_t word = 0;
    const uint32_t halves = population->wide ? 2 : 1; /* of what is a word if it fits */
    population->count_bits = 1;
    while (population->total_nodes >> population->count_bits > 0)
        population->count_bits++;
    word += halves * population->managed_count;
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (population->workloads.items[w].kind == OBJECT_JOB) {
            population->workloads.items[w].status_word = word;
            word += 2;
        } else if (population->workloads.items[w].kind == OBJECT_STATEFUL_SET ||
                   population->workloads.items[w].specs.count > 1) {
            population->workloads.items[w].status_word = word++;
        }
    population->keeps_statuses = word > halves * population->managed_count;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (revision_has_set(population, r)) {
            population->revisions.items[r].set_word = word;
            word += halves;
        }
    word = lay_out_pending(population, word);
    population->word_of_events = word;
    word += population->events.count;
    population->word_of_loads = word;
    word += population->load_count;
    population->word_of_notes = word;
    word += population->note_count;
    population->word_of_flags = word++;
    population->word_of_monitors = word;
    word += population->monitor_count;
    population->word_of_clocks = word;
    word += clock_word_count(population);
    population->word_of_nodes = word;
    population->array_bytes =
        population->workloads.count *
            (sizeof(int32_t) + sizeof(uint32_t) + sizeof(struct workload_status)) +
        population->revisions.count * (sizeof(struct set_state) + sizeof(uint32_t)) +
        ((size_t)population->events.count + population->load_count + population->note_count +
         population->monitor_count + clock_word_count(population)) *
            sizeof(uint32_t);
}
