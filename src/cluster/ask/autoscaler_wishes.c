/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sync is worked out in two parts, and the results of both are kept (known_syncs.h). What the
 * metrics propose depends on the pods, and where any of them may be unready it is asked for each
 * choice of these. It does not depend on the bounds of the autoscaler, which differ from setup to
 * setup where they follow the replicas. What a sync makes of the proposals depends on the bounds,
 * and on what it remembers.
 */
#include "cluster/ask/autoscaler_wishes.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/ask/known_syncs.h"
#include "cluster/ask/readiness_guess.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/memos.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "decide/controller/hpa.h"
#include "decide/controller/hpa_memory.h"
#include "object/autoscaler.h"

#include <string.h>

/* The first word of an answer. */
enum {
    ANSWER_IS_CUT = 1, /* there were too many choices of unready pods to try all */
    ANSWER_OF_AMBIGUOUS_SELECTOR = 2,
};

/* The proposal of a metric in a word: its replicas; all that are negative count as none. */
static const uint32_t PROPOSAL_FAILED = UINT32_C(1) << 31;

/* What the metrics propose at syncs that see different numbers of unready pods. */
struct proposed {
    uint32_t metrics; /* so many words have the proposals of one sync */
    uint32_t *words;  /* flags, then the proposals of each sync */
    uint32_t count;
    uint32_t capacity;
};

/* So many pods more of the class on nodes in this condition. */
static void see_pods(struct sync_seen *seen, uint32_t first, uint32_t class,
                     enum node_condition condition, uint32_t count)
{
    const uint32_t key = class * NODE_CONDITION_COUNT + condition;
    for (uint32_t i = first; i < seen->count && seen->count <= SYNC_WORDS_MOST; i += 2)
        if (seen->words[i] == key) {
            seen->words[i + 1] += count;
            return;
        }
    sync_see(seen, key);
    sync_see(seen, count);
}

/* What the metrics depend on: loads, and all pods with the conditions of their nodes. Which objects
 * are there is not included. */
static void see(struct worker *worker, const struct state *state,
                const struct autoscaler *autoscaler, bool guesses, struct sync_seen *seen)
{
    const struct population *population = worker->population;
    seen->count = 0;
    sync_see(seen, SYNC_OF_METRICS);
    sync_see(seen, (uint32_t)(autoscaler - population->autoscalers.items) << 1 | guesses);
    sync_see(seen, (uint32_t)state->replicas[autoscaler->workload]);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        sync_see(seen, state->pending[r]);
    for (uint32_t l = 0; l < population->load_count; l++)
        sync_see(seen, state->loads[l]);
    const uint32_t first = seen->count;
    for (struct pod_walk pods = pods_of_nodes(worker, state);
         seen->count <= SYNC_WORDS_MOST && pods_next(&pods);)
        see_pods(seen, first, pods.class, config_condition(worker, pods.config->id),
                 pods.count * pods.nodes);
}

/* The same with all else that a sync depends on. */
static void see_bounds(const struct autoscaler *autoscaler, int32_t remembered,
                       struct sync_seen *seen)
{
    seen->words[0] = SYNC_OF_AUTOSCALER;
    sync_see(seen, (uint32_t)autoscaler->min_replicas);
    sync_see(seen, (uint32_t)autoscaler->max_replicas);
    sync_see(seen, (uint32_t)remembered);
}

static const struct known_sync *recall(const struct worker *worker, const struct sync_seen *seen)
{
    return worker->population->deletes ? NULL : sync_recall(&worker->known_syncs, seen);
}

static void remember(struct worker *worker, const struct sync_seen *seen, const uint32_t *answer,
                     uint32_t answer_count)
{
    if (!worker->population->deletes)
        sync_remember(&worker->arena, &worker->known_syncs, seen, answer, answer_count);
}

/* ---- what the metrics propose ---- */

static uint32_t proposal_word(const struct hpa_proposal *proposal)
{
    if (proposal->failure != HPA_OK)
        return PROPOSAL_FAILED;
    return (uint32_t)(proposal->replicas < 0 ? -1 : proposal->replicas);
}

static struct hpa_proposal proposal_of(uint32_t word)
{
    return (struct hpa_proposal){.failure = word == PROPOSAL_FAILED ? HPA_NO_SAMPLES : HPA_OK,
                                 .replicas = word == PROPOSAL_FAILED ? 0 : (int32_t)word};
}

static void add_word(struct worker *worker, struct proposed *proposed, uint32_t word)
{
    if (proposed->count == proposed->capacity)
        proposed->words = vec_grow(&worker->scratch, proposed->words, &proposed->capacity,
                                   sizeof(*proposed->words));
    proposed->words[proposed->count++] = word;
}

/* Adds the proposals of a sync that sees this, unless others are the same. */
static void propose(struct worker *worker, struct proposed *proposed, const struct hpa_input *input)
{
    const uint32_t before = proposed->count;
    for (uint32_t m = 0; m < proposed->metrics; m++) {
        struct hpa_proposal proposal;
        hpa_propose(input, m, &proposal);
        add_word(worker, proposed, proposal_word(&proposal));
    }
    const uint32_t *words = proposed->words;
    for (uint32_t i = 1; i < before; i += proposed->metrics)
        if (memcmp(words + i, words + before, proposed->metrics * sizeof(*words)) == 0) {
            proposed->count = before;
            return;
        }
}

/* Adds the proposals of syncs that see any of the ready pods as unready. */
static void propose_guessed(struct worker *worker, struct proposed *proposed,
                            const struct hpa_input *input)
{
    enum { GUESSES_MOST = 1 << 12 };
    struct readiness_guess guess = guess_none(worker, input);
    for (uint32_t i = 0; guess_next(&guess); i++) {
        const struct hpa_input guessed = guess_input(&guess);
        propose(worker, proposed, &guessed);
        if (i == GUESSES_MOST) {
            proposed->words[0] |= ANSWER_IS_CUT;
            return;
        }
    }
}

static struct proposed find_proposed(struct worker *worker, const struct state *state,
                                     const struct autoscaler *autoscaler, bool guesses)
{
    const struct hpa_input input = autoscaler_input(worker, state, autoscaler);
    struct proposed proposed = {.metrics = input.metric_count};
    const uint32_t flags = input.selector_ambiguous ? ANSWER_OF_AMBIGUOUS_SELECTOR : 0;
    add_word(worker, &proposed, flags);
    propose(worker, &proposed, &input);
    if (guesses && proposed.metrics > 0)
        propose_guessed(worker, &proposed, &input);
    return proposed;
}

static struct proposed proposed_in(struct worker *worker, const struct state *state,
                                   const struct autoscaler *autoscaler, bool guesses,
                                   const struct sync_seen *seen)
{
    const struct known_sync *known = recall(worker, seen);
    if (known)
        return (struct proposed){
            .metrics = autoscaler->object->metric_count,
            .words = arena_copy(&worker->scratch, known->answer, sizeof(known->answer)),
            .count = known->answer_count};
    const struct proposed proposed = find_proposed(worker, state, autoscaler, guesses);
    remember(worker, seen, proposed.words, proposed.count);
    return proposed;
}

/* ---- what syncs make of it ---- */

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* What was recommended and is more than the workload gets now, because a limit holds it back,
 * counts at the next sync; the least number of replicas it gets anyway. */
static struct wish wish_of(const struct autoscaler *autoscaler, const struct hpa_input *input,
                           const struct hpa_proposal *proposals, int32_t remembered)
{
    struct hpa_memory_entry entry = {remembered, 1};
    const struct hpa_memory memory = {
        .started = true,
        .recommendations = {&entry, remembered > 0, remembered > 0},
    };
    struct hpa_decision decision;
    hpa_decide_proposed(input, &memory, proposals, &decision);
    const bool remembers = decision.recorded && (!input->scale_up || hpa_down_window(input) > 0);
    const int32_t highest = greater(remembered, remembers ? decision.proposed : 0);
    const int32_t kept = highest < autoscaler->max_replicas ? highest : autoscaler->max_replicas;
    const bool counts =
        kept > autoscaler->min_replicas && (!autoscaler->is_alone || kept > decision.replicas);
    return (struct wish){decision.replicas, counts ? (uint32_t)kept : 0};
}

static void add_wish(struct worker *worker, struct wishes *wishes, struct wish wish)
{
    for (uint32_t i = 0; i < wishes->count; i++)
        if (wishes->items[i].replicas == wish.replicas && wishes->items[i].note == wish.note)
            return;
    VEC_PUSH(&worker->scratch, wishes, wish);
}

static struct wishes wishes_by(struct worker *worker, const struct state *state,
                               const struct autoscaler *autoscaler, const struct proposed *proposed,
                               int32_t remembered)
{
    struct wishes wishes = {0};
    struct hpa_input input = autoscaler_input_of_target(worker, state, autoscaler);
    struct hpa_proposal *proposals =
        ARENA_ARRAY(&worker->scratch, struct hpa_proposal, proposed->metrics + 1);
    const uint32_t *words = proposed->words;
    uint32_t at = 1;
    input.selector_ambiguous = (words[0] & ANSWER_OF_AMBIGUOUS_SELECTOR) != 0;
    do {
        for (uint32_t m = 0; m < proposed->metrics; m++)
            proposals[m] = proposal_of(words[at++]);
        add_wish(worker, &wishes, wish_of(autoscaler, &input, proposals, remembered));
    } while (at < proposed->count);
    return wishes;
}

/* Keeps the wishes: flags, then the members of each. */
static void remember_wishes(struct worker *worker, const struct sync_seen *seen, uint32_t flags,
                            const struct wishes *wishes)
{
    uint32_t answer[SYNC_ANSWER_MOST];
    uint32_t count = 0;
    if (1 + 2 * wishes->count > SYNC_ANSWER_MOST)
        return;
    answer[count++] = flags;
    for (uint32_t i = 0; i < wishes->count; i++) {
        answer[count++] = (uint32_t)wishes->items[i].replicas;
        answer[count++] = wishes->items[i].note;
    }
    remember(worker, seen, answer, count);
}

static struct wishes known_wishes(struct worker *worker, const struct known_sync *known)
{
    struct wishes wishes = {0};
    for (uint32_t i = 1; i < known->answer_count; i += 2) {
        const struct wish wish = {(int32_t)known->answer[i], known->answer[i + 1]};
        VEC_PUSH(&worker->scratch, &wishes, wish);
    }
    worker->findings.needs_all |= known->answer[0] & ANSWER_IS_CUT;
    return wishes;
}

struct wishes autoscaler_wishes(struct worker *worker, const struct state *state,
                                const struct autoscaler *autoscaler, int32_t remembered)
{
    const bool guesses = worker->population->guesses_readiness && state->bound;
    struct sync_seen seen;
    see(worker, state, autoscaler, guesses, &seen);
    const uint32_t of_metrics = seen.count;
    see_bounds(autoscaler, remembered, &seen);
    const struct known_sync *known = recall(worker, &seen);
    if (known)
        return known_wishes(worker, known);
    struct sync_seen metrics_seen = seen;
    metrics_seen.words[0] = SYNC_OF_METRICS;
    metrics_seen.count = of_metrics;
    const struct proposed proposed = proposed_in(worker, state, autoscaler, guesses, &metrics_seen);
    const uint32_t flags = proposed.words[0];
    const struct wishes wishes = wishes_by(worker, state, autoscaler, &proposed, remembered);
    worker->findings.needs_all |= flags & ANSWER_IS_CUT;
    remember_wishes(worker, &seen, flags, &wishes);
    return wishes;
}
