/* SPDX-License-Identifier: Apache-2.0 */
/* What is different about a run that is a shard, and about one that joins shards (shard.h). */
#include "verify/tell_setup.h"
#include "verify/verify_internal.h"

/* ---- a shard ---- */

void shard_take_setups(struct run *run)
{
    const struct shard *shard = &run->options->shard;
    struct setups *setups = &run->report->setups;
    uint32_t own = 0;
    if (run->options->log)
        run->options->log->setups = setups->count;
    for (; shard->count && shard_setup(shard, own) < setups->count; own++)
        setups->items[own] = setups->items[shard_setup(shard, own)];
    if (shard->count)
        setups->count = own;
}

void shard_keep(struct run *run, const struct setup_outcome *outcome)
{
    const struct verify_options *options = run->options;
    const uint64_t setup = shard_setup(&options->shard, run->accepted);
    if (options->log)
        shard_log_add(options->log, setup, outcome, run->intent_count);
    for (uint32_t i = 0; options->notes && i < run->intent_count; i++)
        if ((outcome->violated & ~run->violated) >> i & 1)
            shard_notes_add(options->notes, options->unit, i, setup);
}

void shard_read_notes(struct run *run)
{
    const struct verify_options *options = run->options;
    if (options->notes && !options->exhaustive)
        shard_notes_read(options->notes, options->unit, run->intent_count, run->violated_elsewhere);
}

uint64_t shard_violated_elsewhere(const struct run *run)
{
    const uint64_t next = shard_setup(&run->options->shard, run->accepted);
    uint64_t violated = 0;
    for (uint32_t i = 0; i < run->intent_count; i++)
        if (run->violated_elsewhere[i] < next)
            violated |= UINT64_C(1) << i;
    return violated;
}

/* ---- a join ---- */

bool shard_fits(const struct run *run)
{
    const struct known_outcomes *known = run->options->known;
    return !known || known->setups == run->report->setups.count;
}

const struct shard_outcome *shard_known(const struct run *run, uint64_t setup)
{
    const struct known_outcomes *known = run->options->known;
    return known && setup < known->setups && setup != run->untellable ? known->by_setup[setup]
                                                                      : NULL;
}

static bool recall_run(struct run *run, uint64_t setup, const struct shard_run *kept,
                       struct setup_outcome *outcome)
{
    struct verify_result *result = &outcome->results[kept->intent];
    const struct setup_query query = query_of(run, setup, kept->asked);
    const struct told_path path = {
        .initial = kept->initial,
        .step_count = kept->step_count,
        .choices = kept->choices,
        .loops = kept->loops,
        .rests = kept->rests,
        .loop_from = kept->loop_from,
    };
    const bool told = setup_retell(&query, (enum population_reductions)kept->reductions,
                                   (enum population_nodes)kept->nodes, kept->intent, &path,
                                   run->memory, &outcome->arena, result);
    result->asked = kept->asked;
    result->unconfirmed = kept->unconfirmed;
    result->searched = kept->searched;
    return told && shard_fingerprint(result) == kept->fingerprint;
}

/* Tells of the violations that are new. */
static bool recall_runs(struct run *run, uint64_t setup, const struct shard_outcome *kept,
                        struct setup_outcome *outcome)
{
    uint64_t untold = kept->violated & ~run->violated;
    for (uint32_t i = 0; i < kept->run_count; i++) {
        const uint64_t bit = UINT64_C(1) << kept->runs[i].intent;
        if ((untold & bit) && recall_run(run, setup, &kept->runs[i], outcome))
            untold &= ~bit;
    }
    return untold == 0;
}

bool shard_recall(struct run *run, uint64_t setup, struct setup_outcome *outcome)
{
    const struct shard_outcome *kept = shard_known(run, setup);
    *outcome = (struct setup_outcome){
        .asked = kept->asked,
        .violated = kept->violated,
        .undecided = kept->undecided,
        .applied = kept->applied,
        .came = kept->came,
        .by_components = kept->by_components,
        .states = kept->states,
        .transitions = kept->transitions,
        .states_most = kept->states_most,
        .depth = kept->depth,
        .components = kept->components,
        .images_could_decide = kept->images_could_decide,
        .ended_by = kept->ended_by,
    };
    arena_init(&outcome->arena, run->memory);
    outcome->results = ARENA_ARRAY(&outcome->arena, struct verify_result, run->intent_count + 1);
    if (kept->parts)
        outcome->parts = parts_copy(&outcome->arena, kept->parts);
    if (recall_runs(run, setup, kept, outcome))
        return true;
    run->untellable = setup;
    setup_outcome_release(outcome);
    return false;
}
