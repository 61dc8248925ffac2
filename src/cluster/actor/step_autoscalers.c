/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HorizontalPodAutoscaler, one sync at rest.
 *
 * Without clocks time may pass at rest, as long as it takes: stabilization windows and rate
 * limits run out. So the controller may decide without memory. That a real one scales down later
 * does not change the order of steps. But it may scale up because of what it recommended some
 * minutes ago: so the highest recommendation is part of a state (state/notes.h), and a sync may
 * decide with it or without it. With clocks it syncs when it is due, and remembers all.
 */
#include "cluster/actor/step_autoscalers.h"
#include "base/word_lists.h"
#include "cluster/actor/step_time.h"
#include "cluster/actor_type.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/ask/autoscaler_wishes.h"
#include "cluster/ask/endings.h"
#include "cluster/ask/event_scope.h"
#include "cluster/ask/seen_writes.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "decide/controller/hpa.h"
#include "decide/controller/hpa_memory.h"

#include <string.h>

static void emit(struct expansion *expansion, struct state *next,
                 const struct autoscaler *autoscaler, int32_t replicas, bool guessed)
{
    const uint32_t workload = autoscaler->workload;
    const bool changed = replicas != expansion->state->replicas[workload];
    if (changed)
        state_set_replicas(expansion->population, next, workload, replicas);
    struct happening happening =
        happening_to(changed ? ACT_AUTOSCALE : ACT_SYNC, workload, (uint32_t)replicas);
    happening.guessed = guessed;
    expansion_emit(expansion, next, happening);
}

static struct hpa_decision decide(struct worker *worker, const struct hpa_input *input,
                                  const struct hpa_memory *memory)
{
    struct hpa_proposal *proposals =
        ARENA_ARRAY(&worker->scratch, struct hpa_proposal, input->metric_count + 1);
    struct hpa_decision decision;
    hpa_decide(input, memory, proposals, &decision);
    return decision;
}

struct hpa_decision autoscaler_decide(struct worker *worker, const struct state *state,
                                      const struct autoscaler *autoscaler, struct hpa_input *input)
{
    *input = autoscaler_input(worker, state, autoscaler);
    const struct hpa_memory memory = {.started = true};
    return decide(worker, input, &memory);
}

/* Was the autoscaler, or the workload that it scales, deleted? */
static bool autoscaler_is_gone(const struct expansion *expansion,
                               const struct autoscaler *autoscaler)
{
    return expansion->state->present[autoscaler->workload] == WORKLOAD_ABSENT ||
           object_is_deleted(expansion->population, expansion->state, "HorizontalPodAutoscaler",
                             &autoscaler->object->meta);
}

/* False: nothing changes. */
static bool grant(struct expansion *expansion, uint32_t number, struct wish wish, bool guessed)
{
    struct worker *worker = expansion->worker;
    const struct autoscaler *autoscaler = &worker->population->autoscalers.items[number];
    const uint32_t noted = expansion->state->notes[number];
    const bool scales = wish.replicas != expansion->state->replicas[autoscaler->workload];
    if (!scales && wish.note == (uint32_t)note_recommended(noted))
        return false;
    struct state *next = state_copy(worker, expansion->state);
    make_elders(worker, next, &worker->population->workloads.items[autoscaler->workload]);
    next->bound &= worker->population->guesses_readiness;
    next->notes[number] = wish.note | (noted & NOTE_OF_UNSEEN_WRITE);
    if (scales && writes_may_be_unseen(worker->population))
        next->notes[number] |= NOTE_OF_UNSEEN_WRITE;
    emit(expansion, next, autoscaler, wish.replicas, guessed);
    return true;
}

/* Only at rest it is certain that all pods become ready before anything else happens, so that the
 * controller sees them so and has its turn. */
static void sync(struct expansion *expansion, uint32_t number, int32_t remembered)
{
    struct worker *worker = expansion->worker;
    const bool guesses = worker->population->guesses_readiness && expansion->state->bound;
    const struct wishes wishes = autoscaler_wishes(
        worker, expansion->state, &worker->population->autoscalers.items[number], remembered);
    for (uint32_t i = 0; i < wishes.count; i++) {
        const bool guessed = guesses && (i > 0 || !expansion->rests);
        worker->findings.guessed |= grant(expansion, number, wishes.items[i], guessed) && guessed;
    }
}

static void step_autoscalers(struct expansion *expansion)
{
    for (uint32_t a = 0; a < expansion->population->autoscalers.count; a++) {
        const uint32_t note = expansion->state->notes[a];
        const struct autoscaler *autoscaler = &expansion->population->autoscalers.items[a];
        if (expansion_ignores(expansion, autoscaler->workload) ||
            autoscaler_is_gone(expansion, autoscaler) ||
            ((note & NOTE_OF_UNSEEN_WRITE) && expansion->prompts) ||
            endings_lag(expansion->worker, expansion->state, autoscaler->workload))
            continue;
        sync(expansion, a, 0);
        if (note_recommended(note) > 0)
            sync(expansion, a, note_recommended(note));
    }
}

/* ---- with clocks ---- */

enum { LISTS = 3, SYNCS_UNSET = UINT32_MAX };

static struct hpa_memory_list *list_of(struct hpa_memory *memory, uint32_t number)
{
    struct hpa_memory_list *const lists[LISTS] = {&memory->recommendations, &memory->scale_ups,
                                                  &memory->scale_downs};
    return lists[number];
}

/* The next sync begins a period after the last one ended, so ages are always a
 * little more than whole periods; here by a nanosecond each. */
static int64_t sync_age(const struct population *population, uint32_t syncs)
{
    return syncs * (clock_ticks_ns(population, population->clock->sync_period) + 1);
}

/* A memory in words: whether there was a sync at all, then for each list its
 * length and what it holds, the ages in syncs. As it is at the next sync. */
static struct hpa_memory recall(struct worker *worker, uint32_t number)
{
    const struct population *population = worker->population;
    const struct word_list *words = &worker->memories.items[number];
    struct hpa_memory memory = {.started = words->count > 0};
    uint32_t at = 0;
    for (uint32_t l = 0; l < LISTS && words->count > 0; l++) {
        const uint32_t count = words->words[at++];
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t replicas = words->words[at++];
            const uint32_t syncs = words->words[at++];
            const struct hpa_memory_entry entry = {
                (int32_t)replicas,
                syncs == SYNCS_UNSET ? HPA_AGE_UNSET : sync_age(population, syncs + 1)};
            VEC_PUSH(&worker->scratch, list_of(&memory, l), entry);
        }
    }
    return memory;
}

static uint32_t remember(struct worker *worker, struct hpa_memory *memory)
{
    const int64_t period = sync_age(worker->population, 1);
    VEC(uint32_t) words = {0};
    for (uint32_t l = 0; l < LISTS; l++) {
        const struct hpa_memory_list *list = list_of(memory, l);
        VEC_PUSH(&worker->scratch, &words, list->count);
        for (uint32_t i = 0; i < list->count; i++) {
            const int64_t age = list->items[i].age;
            VEC_PUSH(&worker->scratch, &words, (uint32_t)list->items[i].replicas);
            VEC_PUSH(&worker->scratch, &words,
                     age >= HPA_AGE_UNSET ? (uint32_t)SYNCS_UNSET : (uint32_t)(age / period));
        }
    }
    return words_intern(&worker->arena, &worker->memories, words.items, words.count);
}

static void sync_due(struct expansion *expansion, uint32_t number)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct autoscaler *autoscaler = &population->autoscalers.items[number];
    struct hpa_memory memory = recall(worker, expansion->state->clocks.memory[number]);
    const struct hpa_input input = autoscaler_input(worker, expansion->state, autoscaler);
    struct hpa_decision decision = decide(worker, &input, &memory);
    if (autoscaler_is_gone(expansion, autoscaler))
        decision = (struct hpa_decision){.replicas = input.spec_replicas};
    hpa_memory_record(&worker->scratch, &memory, &input, &decision);
    hpa_memory_bound(&memory, &input);
    struct state *next = state_copy(worker, expansion->state);
    next->clocks.memory[number] = remember(worker, &memory);
    next->clocks.sync_left[number] = population->clock->sync_period;
    emit(expansion, next, autoscaler, decision.replicas, false);
}

static bool step_due(struct expansion *expansion)
{
    bool due = false;
    for (uint32_t a = 0; a < expansion->population->autoscalers.count; a++)
        if (expansion->state->clocks.sync_left[a] == 0) {
            sync_due(expansion, a);
            due = true;
        }
    return due;
}

const struct actor actor_autoscaler = {
    .name = "HorizontalPodAutoscaler controller",
    .pace = PACE_PERIODIC,
    .step = step_autoscalers,
    .step_due = step_due,
    .writes = PART_WORKLOADS | PART_SETS | PART_PODS | PART_CLOCKS | PART_NOTES,
};
