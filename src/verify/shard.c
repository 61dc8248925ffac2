/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/shard.h"

#include "base/hash.h"
#include "verify/setup_query.h"

#include <string.h>

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return hash_bytes_seeded(text ? text : "", text ? strlen(text) + 1 : 0, hash);
}

static uint64_t mix_number(uint64_t hash, uint64_t number)
{
    return hash_bytes_seeded(&number, sizeof(number), hash);
}

uint64_t shard_fingerprint(const struct verify_result *result)
{
    uint64_t hash = mix_number(result->step_count, result->initial);
    for (uint32_t i = 0; i < result->step_count; i++) {
        const struct verify_step *step = &result->steps[i];
        hash = mix_text(hash, step->told.actor);
        hash = mix_text(hash, step->told.action);
        hash = mix_text(hash, step->told.object);
        hash = mix_text(hash, step->told.detail);
        for (uint32_t w = 0; w < step->told.why.count; w++)
            hash = mix_text(hash, step->told.why.items[w]);
        hash = mix_number(hash, (uint64_t)step->time_ns);
        for (uint32_t c = 0; c < step->told.causes.count; c++)
            hash = mix_number(hash, step->told.causes.items[c]);
    }
    for (uint32_t c = 0; c < result->causes.count; c++)
        hash = mix_number(hash, result->causes.items[c]);
    return mix_number(mix_number(hash, result->whose), result->loop_from);
}

static struct shard_run run_of(struct arena *arena, uint32_t intent,
                               const struct verify_result *result)
{
    struct shard_run run = {
        .intent = intent,
        .asked = result->asked,
        .reductions = result->reductions,
        .nodes = result->nodes,
        .initial = result->initial,
        .loops = result->loops,
        .rests = result->rests,
        .unconfirmed = result->unconfirmed,
        .searched = result->searched,
        .loop_from = result->loop_from,
        .choices = ARENA_ARRAY(arena, uint32_t, result->step_count + 1),
        .step_count = result->step_count,
        .fingerprint = shard_fingerprint(result),
    };
    for (uint32_t i = 0; i < run.step_count; i++)
        run.choices[i] = result->steps[i].choice;
    return run;
}

void shard_log_add(struct shard_log *log, uint64_t setup, const struct setup_outcome *outcome,
                   uint32_t intent_count)
{
    struct shard_outcome kept = {
        .setup = setup,
        .asked = outcome->asked,
        .violated = outcome->violated,
        .undecided = outcome->undecided,
        .applied = outcome->applied,
        .came = outcome->came,
        .by_components = outcome->by_components,
        .states = outcome->states,
        .transitions = outcome->transitions,
        .states_most = outcome->states_most,
        .depth = outcome->depth,
        .components = outcome->components,
        .images_could_decide = outcome->images_could_decide,
        .ended_by = outcome->ended_by,
        .parts = outcome->parts ? parts_copy(log->arena, outcome->parts) : NULL,
        .runs = ARENA_ARRAY(log->arena, struct shard_run, intent_count + 1),
    };
    for (uint32_t i = 0; i < intent_count; i++)
        if (outcome->violated >> i & 1 && outcome->results[i].steps)
            kept.runs[kept.run_count++] = run_of(log->arena, i, &outcome->results[i]);
    VEC_PUSH(log->arena, &log->outcomes, kept);
}
