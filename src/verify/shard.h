/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A verification over several processes: each explores a share of the setups, and one joins what
 * they found.
 *
 * Setups are dealt in turn, in the order of scaling: neighbours cost about the same. A shard keeps
 * the outcome of each of its setups. Whoever joins them accepts these outcomes in the order of all
 * setups, by the rules by which one process accepts the outcomes of its threads (verify.c), so the
 * report is the same. An outcome that does not answer what is asked by then, because an intent was
 * violated in a smaller setup of another shard, is not used: the setup is explored again.
 *
 * Counterexamples are kept as the numbers of their steps, and told again. A fingerprint of the
 * words shows whether they are told as they were; if not, the setup is explored again, too.
 */
#ifndef FATHOM_VERIFY_SHARD_H
#define FATHOM_VERIFY_SHARD_H

#include "base/vec.h"
#include "verify/parts.h"

enum { SHARDS_MOST = 100000 };

struct shard {
    uint32_t number; /* from 0 */
    uint32_t count;  /* of shards; 0: there are none, and all setups are explored */
};

/* The setup that is number `own` of the shard, in the order of all setups. */
static inline uint64_t shard_setup(const struct shard *shard, uint64_t own)
{
    return shard->count ? own * shard->count + shard->number : own;
}

/* The run that violates an intent. */
struct shard_run {
    uint32_t intent;
    uint64_t asked; /* bit i: intent i was judged in the same exploration */
    uint32_t reductions, nodes;
    uint32_t initial; /* which of the initial states it begins with */
    bool loops, rests, unconfirmed, searched;
    uint32_t loop_from;
    uint32_t *choices; /* which of the model's steps each is */
    uint32_t step_count;
    uint64_t fingerprint; /* of its words */
};

/* Of one setup, as struct setup_outcome has it. */
struct shard_outcome {
    uint64_t setup; /* in the order of all setups */
    uint64_t asked, violated, undecided, applied, came, by_components;
    uint64_t states, transitions, states_most;
    uint32_t depth, components;
    bool images_could_decide;
    enum explore_reason ended_by;
    const struct parts *parts; /* NULL: there is only one workload */
    struct shard_run *runs;    /* of the intents that no smaller setup of the shard violates */
    uint32_t run_count;
};

/* What a shard found out, in the order of its setups. */
struct shard_log {
    struct arena *arena;
    uint64_t setups; /* of all shards together */
    VEC(struct shard_outcome) outcomes;
};

/* What shards found out, for whoever joins them. */
struct known_outcomes {
    uint64_t setups;
    const struct shard_outcome **by_setup; /* NULL: no shard got as far */
};

struct setup_outcome;
struct verify_result;

/* Takes a copy. */
void shard_log_add(struct shard_log *log, uint64_t setup, const struct setup_outcome *outcome,
                   uint32_t intent_count);

uint64_t shard_fingerprint(const struct verify_result *result);

#endif
